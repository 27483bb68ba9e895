"""Quotas of ClusterQueues and Cohorts: CQ01 to CQ08, CQ12, CQ24, CQ27, and units."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.lint.found import Found, found, replace
from kubectl_kueue.lint.items import Item, parent, parent_field
from kubectl_kueue.lint.reading import Quota, covered, quotas
from kubectl_kueue.lint.rules.demand import asked_resources
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import amount, elements, mapping, sequence, word
from kubectl_kueue.model.labels import is_label_key
from kubectl_kueue.model.quantity import NANO, is_binary
from kubectl_kueue.model.shown import bare, shown
from kubectl_kueue.model.whole_number import is_digits

LIMITS = ("nominalQuota", "borrowingLimit", "lendingLimit")


def check_groups(item: Item, scene: Scene) -> Iterator[Found]:
    """Names that stand twice or cannot be, and flavors that do not list what their group covers."""
    resources: dict[str, str] = {}
    flavors: dict[str, str] = {}
    for g, group in elements(item.spec, "resourceGroups"):
        here = f"/spec/resourceGroups/{g}"
        names = sequence(group, "coveredResources")
        for index, name in enumerate(names):
            where = f"{here}/coveredResources/{index}"
            if not isinstance(name, str):
                continue
            if not is_label_key(name):
                yield found("resource-name", where, resource=shown(name))
            if name in resources:
                yield found("resource-twice", where, resource=bare(name), first=resources[name])
            resources.setdefault(name, where)
        for f, flavor in elements(group, "flavors"):
            where = f"{here}/flavors/{f}"
            name = word(flavor, "name")
            first = flavors.setdefault(name, where)
            # Within one group the list is keyed by name, and its repetition is found there.
            if name and first != where and not first.startswith(f"{here}/"):
                yield found("flavor-twice", f"{where}/name", flavor=bare(name), first=first)
            yield from _flavor_resources(names, flavor, where)


def _flavor_resources(names: list[Any], flavor: dict[str, Any], where: str) -> Iterator[Found]:
    entries = sequence(flavor, "resources")
    listed = [word(entry, "name") for entry in entries]
    if listed == names or not entries or "" in listed or not names:
        return
    same = sorted(listed) == sorted(str(name) for name in names) and len(set(listed)) == len(listed)
    patch = []
    if same:
        by_name = {word(entry, "name"): entry for entry in entries}
        patch = [replace(f"{where}/resources", [by_name[name] for name in names])]
    yield found(
        "flavor-resources",
        f"{where}/resources",
        flavor=bare(word(flavor, "name")),
        listed=", ".join(bare(name) for name in listed),
        covered=", ".join(bare(str(name)) for name in names),
        problem="order" if same else "names",
        patch=patch,
    )


def check_amounts(item: Item, scene: Scene) -> Iterator[Found]:
    """Limits that cannot be: negative, without a cohort, above what there is to lend."""
    above = parent(item)
    for each in quotas(item):
        for field in LIMITS:
            nano = each.nanos(field)
            if nano is not None and nano < 0:
                yield found("negative-quota", f"{each.pointer}/{field}", field=field, value=each.entry[field])
        for field in LIMITS[1:]:
            if each.entry.get(field) is not None and not above:
                yield found(
                    "cohort-limit",
                    f"{each.pointer}/{field}",
                    field=field,
                    parent=parent_field(item),
                    kind=item.kind,
                    version=item.version,
                )
        lending, nominal = each.nanos("lendingLimit"), each.nanos("nominalQuota")
        if item.kind == "ClusterQueue" and lending is not None and nominal is not None and lending > nominal:
            yield found(
                "lending-above-nominal",
                f"{each.pointer}/lendingLimit",
                lending=each.entry["lendingLimit"],
                nominal=each.entry["nominalQuota"],
            )
        yield from _unit(each)


_SOME_BYTES = 2**20


def _unit(each: Quota) -> Iterator[Found]:
    """Bytes without a unit; amounts near the end of int64, at which old versions overflow."""
    for field in LIMITS:
        value, nano = each.entry.get(field), each.nanos(field)
        if nano is None or nano <= 0:
            continue
        where, text = f"{each.pointer}/{field}", str(value).strip()
        if is_binary(each.resource) and is_digits(text) and nano < _SOME_BYTES * NANO:
            yield found("unit", where, field=field, resource=each.resource, value=text, problem="bytes")
        elif is_binary(each.resource) and text.endswith("m"):
            yield found("unit", where, field=field, resource=each.resource, value=text, problem="milli")
        elif "/" in each.resource and nano % NANO:
            yield found("unit", where, field=field, resource=each.resource, value=text, problem="fraction")
        elif (each.resource != "cpu" and nano >= 10**18 * NANO) or (
            each.resource == "cpu" and nano >= 10**15 * NANO
        ):
            yield found("huge-quota", where, field=field, value=text)


def check_sizes(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ08: the totals over all groups (of a ClusterQueue only), and the entries of a group."""
    flavors = resources = 0
    for g, group in elements(item.spec, "resourceGroups"):
        here = f"/spec/resourceGroups/{g}"
        listed, names = len(sequence(group, "flavors")), len(sequence(group, "coveredResources"))
        flavors, resources = flavors + listed, resources + names
        if listed * names > 512:
            yield found(
                "too-many", here, what="flavors times resources in a group", size=listed * names, most=512
            )
    if item.kind != "ClusterQueue":
        return
    for what, size in (("flavors", flavors), ("covered resources", resources)):
        if size > 256:
            yield found("too-many", "/spec/resourceGroups", what=f"{what} in all groups", size=size, most=256)


def check_weight(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ12: a weight is 0 or above 1n; LQ04: nothing checks that of a LocalQueue."""
    value = mapping(item.spec, "fairSharing").get("weight")
    nano = None if value is None else amount(value)
    if nano is None:
        return
    where = "/spec/fairSharing/weight"
    if nano < 0 or nano == 1:
        unchecked = item.kind == "LocalQueue"
        yield found("weight-odd" if unchecked else "fair-weight", where, value=value, problem="unchecked")
    elif nano == 0:
        yield found("weight-odd", where, value=value, problem="zero")
    elif nano > 1_000_000 * NANO:
        yield found("weight-odd", where, value=value, problem="huge")
    if item.kind != "LocalQueue" and scene.fair_sharing is False:
        yield found("weight-without-fair-sharing", where, value=value)


def check_quota_there(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ24 and CQ27: a ClusterQueue that can admit nothing, or no usual pod."""
    if not sequence(item.spec, "resourceGroups"):
        yield found("no-quota", "/spec/resourceGroups", problem="absent")
        return
    amounts = [each.nanos("nominalQuota") for each in quotas(item)]
    if amounts and not any(nano is None or nano > 0 for nano in amounts) and not parent(item):
        yield found("no-quota", "/spec/resourceGroups", problem="zero")
    missing = [name for name in ("cpu", "memory") if name not in covered(item) and not _excluded(scene, name)]
    asked = asked_resources(scene).get(item.name)
    if missing and covered(item) and (asked is None or asked & set(missing)):
        yield found("uncovered-usual", "/spec/resourceGroups", missing=" and ".join(missing))


def _excluded(scene: Scene, resource: str) -> bool:
    prefixes = sequence(scene.resources, "excludeResourcePrefixes")
    ignored = scene.resources.get("quotaCheckStrategy") == "IgnoreUndeclared"
    return ignored or any(isinstance(prefix, str) and resource.startswith(prefix) for prefix in prefixes)


def check_partial_guarantee(item: Item, scene: Scene) -> Iterator[Found]:
    """Own devices, but none of the cpu that goes with them, can be reclaimed by nobody."""
    if item.kind != "ClusterQueue" or not parent(item):
        return
    policy = word(item.spec, "preemption", "reclaimWithinCohort")
    borrows = word(item.spec, "preemption", "borrowWithinCohort", "policy")
    if policy in ("", "Never") or borrows not in ("", "Never"):
        return
    for (_, flavor), entries in _by_flavor(item).items():
        zero = [each for each in entries if each.nanos("nominalQuota") == 0]
        own = [each for each in entries if (each.nanos("nominalQuota") or 0) > 0]
        if zero and own:
            yield found(
                "partial-guarantee",
                f"{zero[0].pointer}/nominalQuota",
                flavor=bare(flavor),
                zero=", ".join(bare(each.resource) for each in zero),
                own=", ".join(bare(each.resource) for each in own),
                policy=policy,
            )


def _by_flavor(item: Item) -> dict[tuple[int, str], list[Quota]]:
    groups: dict[tuple[int, str], list[Quota]] = {}
    for each in quotas(item):
        groups.setdefault((each.group, each.flavor), []).append(each)
    return groups


def check_units_of_cohort(item: Item, scene: Scene) -> Iterator[Found]:
    """A byte quota far below those of the other members of the cohort."""
    if item.kind != "ClusterQueue" or not parent(item):
        return
    largest = _largest(parent(item), scene)
    for each in quotas(item):
        nano = each.nanos("nominalQuota") or 0
        slot = (each.flavor, each.resource)
        text = str(each.entry.get("nominalQuota")).strip()
        plain = is_digits(text) and nano < _SOME_BYTES * NANO  # said by `unit` already
        theirs, queue, value = largest.get(slot, (0, "", ""))
        if nano and not plain and theirs > nano * 10_000:
            yield found(
                "cohort-mixed-unit",
                f"{each.pointer}/nominalQuota",
                resource=each.resource,
                value=text,
                other=bare(queue),
                theirs=bare(value),
            )


def _largest(cohort: str, scene: Scene) -> dict[tuple[str, str], tuple[int, str, str]]:
    """The largest byte quota of each flavor and resource in a cohort: nano-units, whose, as written."""
    known: dict[str, dict[tuple[str, str], tuple[int, str, str]]] = scene.memo.setdefault("largest", {})
    if cohort not in known:
        best = known[cohort] = {}
        for member in scene.members(cohort):
            for each in quotas(member):
                nano = each.nanos("nominalQuota") or 0
                slot = (each.flavor, each.resource)
                if is_binary(each.resource) and nano > best.get(slot, (0, "", ""))[0]:
                    best[slot] = (nano, member.name, str(each.entry.get("nominalQuota")))
    return known[cohort]

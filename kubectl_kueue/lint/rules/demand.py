"""What a job asks for, against its queue: coverage, maximum, flavors, limits (spec 7.9; WL20)."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from kubectl_kueue.lint.asks import Amounts, Ask, ask_of, defaults_of, limits_of
from kubectl_kueue.lint.found import Found, found
from kubectl_kueue.lint.items import Item, parent
from kubectl_kueue.lint.matching import taint_words, untolerated
from kubectl_kueue.lint.pods import containers, pod_sets
from kubectl_kueue.lint.reading import Quota, covered, queue_of, quotas
from kubectl_kueue.lint.rules.jobs import QUEUE, queue_missing, requests_nothing, stopped_queue
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import amount, dig, elements, mapping, sequence, word
from kubectl_kueue.model.pointer import escaped, path_of, pointer
from kubectl_kueue.model.quantity import format_request
from kubectl_kueue.model.shown import bare


def is_workload(item: Item) -> bool:
    """Whether it is a Workload itself."""
    return item.is_kueue and item.kind == "Workload"


def queue_name(item: Item) -> tuple[str, str]:
    """The pointer and name of the LocalQueue that a Workload or job names."""
    if is_workload(item):
        return "/spec/queueName", word(item.spec, "queueName")
    return pointer("metadata", "labels", QUEUE), item.label(QUEUE) or ""


def check_workload_queue(item: Item, scene: Scene) -> Iterator[Found]:
    """WL20: a Workload that names a queue that is not there, or lets nobody in."""
    where, name = queue_name(item)
    if not name or _owner_is_here(item, scene):
        return
    local = scene.find("LocalQueue", name, item.namespace)
    if local is None:
        yield queue_missing(item, scene, name, where)
    else:
        yield from stopped_queue(local, scene, where)


def _owner_is_here(item: Item, scene: Scene) -> bool:
    """Whether the job of a Workload is looked at, too, and says the same."""
    known: set[tuple[str, str, str]] | None = scene.memo.get("owners")
    if known is None:
        known = {(each.kind, each.namespace, each.name) for each in scene.own}
        scene.memo["owners"] = known
    owners = elements(item.value, "metadata", "ownerReferences")
    return any((word(owner, "kind"), item.namespace, word(owner, "name")) in known for _, owner in owners)


# --- the pods alone --------------------------------------------------------------------------------------


def check_requests(item: Item, scene: Scene) -> Iterator[Found]:
    """Pods that ask for nothing, or only by their limits, or for more than these."""
    if not queue_name(item)[1]:
        return
    for each in pod_sets(item):
        if not dig(each.template, "spec", "containers"):
            continue
        where = pointer(*path_of(each.pointer), "spec", "containers")
        if requests_nothing(each.template):
            if not defaults_of(scene, item.namespace).sources:
                yield found("no-requests", where, pods=bare(each.name))
            continue
        for inner, container in containers(each.template):
            yield from _limits(
                each.pointer + inner + "/resources", mapping(container, "resources"), container
            )


def _limits(where: str, resources: dict[str, Any], container: dict[str, Any]) -> Iterator[Found]:
    requests, limits = mapping(resources, "requests"), mapping(resources, "limits")
    alone = [name for name in limits if name not in requests and "/" not in name]
    if alone and not requests:
        yield found(
            "limits-only",
            f"{where}/limits",
            container=bare(word(container, "name")),
            resources=", ".join(alone),
        )
    for name, value in requests.items():
        asked, limit = amount(value), amount(limits.get(name))
        if asked is not None and limit is not None and asked > limit:
            yield found(
                "requests-above-limits",
                f"{where}/requests/{escaped(name)}",
                resource=bare(name),
                asked=value,
                limit=limits[name],
            )


def check_limit_range(item: Item, scene: Scene) -> Iterator[Found]:
    """What the LimitRange of the namespace forbids."""
    if not queue_name(item)[1]:
        return
    bounds = _bounds(scene, item.namespace)
    if not bounds:
        return
    for each in pod_sets(item):
        for inner, container in containers(each.template):
            here = f"{each.pointer}{inner}/resources"
            yield from _outside(here, mapping(container, "resources"), bounds, item.namespace)


class _Bound(NamedTuple):
    """A limit for every container: nano-units, as it is written, the name of its LimitRange."""

    nano: int
    text: str
    source: str


_Bounds = Mapping[tuple[str, str], _Bound]
""""max" or "min" and a resource -> the narrowest limit of all LimitRanges."""


def _bounds(scene: Scene, namespace: str) -> _Bounds:
    known: dict[str, dict[tuple[str, str], _Bound]] = scene.memo.setdefault("bounds", {})
    if namespace not in known:
        narrowest = known[namespace] = {}
        for source, limit in limits_of(scene, namespace):
            for field, sign in (("max", 1), ("min", -1)):
                for name, value in mapping(limit, field).items():
                    nano, there = amount(value), narrowest.get((field, name))
                    if nano is not None and (there is None or sign * nano < sign * there.nano):
                        narrowest[field, name] = _Bound(nano, str(value), source.name)
    return known[namespace]


def _outside(where: str, resources: dict[str, Any], bounds: _Bounds, namespace: str) -> Iterator[Found]:
    for field in ("requests", "limits"):
        for name, value in mapping(resources, field).items():
            asked, most, least = amount(value), bounds.get(("max", name)), bounds.get(("min", name))
            if asked is None:
                continue
            if most is not None and asked > most.nano:
                broken, limit = most, f"at most {most.text}"
            elif least is not None and asked < least.nano:
                broken, limit = least, f"at least {least.text}"
            else:
                continue
            yield found(
                "limit-range",
                f"{where}/{field}/{escaped(name)}",
                limit=limit,
                resource=bare(name),
                asked=value,
                range=f"{namespace}/{bare(broken.source)}",
            )
            return


# --- against the queue -----------------------------------------------------------------------------------


def check_demand(item: Item, scene: Scene) -> Iterator[Found]:
    """Coverage, flavors and maximum of the ClusterQueue that a job goes to."""
    _, queue = queue_of(scene, item.namespace, queue_name(item)[1])
    if queue is None or not sequence(queue.spec, "resourceGroups"):
        return
    asks = [ask_of(each, scene, item.namespace) for each in pod_sets(item)]
    yield from _uncovered(asks, queue, scene)
    groups = _groups_of(queue, scene)
    ceiling = _ceilings(queue, scene)
    for ask in asks:
        for group in groups:
            yield from _fits(ask, group, queue, scene, ceiling)
    yield from _order(asks, groups, queue, scene, ceiling)


def _uncovered(asks: list[Ask], queue: Item, scene: Scene) -> Iterator[Found]:
    if scene.resources.get("quotaCheckStrategy") == "IgnoreUndeclared":
        return
    prefixes = tuple(str(each) for each in sequence(scene.resources, "excludeResourcePrefixes"))
    renamed = {word(each, "input") for each in sequence(scene.resources, "transformations")}
    known = covered(queue)
    for ask in asks:
        for name, size in ask.each.items():
            if name in known or not size or name in renamed or (prefixes and name.startswith(prefixes)):
                continue
            yield found(
                "uncovered",
                pointer(*path_of(ask.pods.pointer), "spec", "containers"),
                resource=bare(name, 80),
                queue=bare(queue.name),
                pods=bare(ask.pods.name),
                source=ask.defaulted.get(name, ""),
            )


class _Group(NamedTuple):
    """A resource group: flavor -> resource -> quota, its resources, the labels that tell flavors apart."""

    flavors: dict[str, dict[str, Quota]]
    resources: frozenset[str]
    keys: frozenset[str]


def _groups_of(queue: Item, scene: Scene) -> list[_Group]:
    known: dict[str, list[_Group]] = scene.memo.setdefault("groups", {})
    if queue.name not in known:
        known[queue.name] = _groups(queue, scene)
    return known[queue.name]


def _groups(queue: Item, scene: Scene) -> list[_Group]:
    groups: dict[int, dict[str, dict[str, Quota]]] = {}
    for each in quotas(queue):
        groups.setdefault(each.group, {}).setdefault(each.flavor, {})[each.resource] = each
    return [
        _Group(
            flavors,
            frozenset(name for each in flavors.values() for name in each),
            frozenset(
                key
                for each in flavors
                if (known := scene.find("ResourceFlavor", each)) is not None
                for key in mapping(known.spec, "nodeLabels")
            ),
        )
        for flavors in groups.values()
    ]


_MOST_REFUSALS = 16


def _fits(ask: Ask, group: _Group, queue: Item, scene: Scene, ceiling: "_Ceilings") -> Iterator[Found]:
    resources = [name for name in ask.each if name in group.resources]
    if not resources or not ask.pods.least:
        return
    refusals = {name: _refusal(ask.pods.template, name, group, scene) for name in group.flavors}
    open_flavors = [name for name, why in refusals.items() if not why]
    where = pointer(*path_of(ask.pods.pointer), "spec")
    if not open_flavors:
        told = [f"{bare(name)}: {why}" for name, why in islice(refusals.items(), _MOST_REFUSALS)]
        more = len(refusals) - len(told)
        why = "; ".join([*told, f"and so on with {more} more"] if more else told)
        yield found("no-flavor-fits", where, pods=bare(ask.pods.name), queue=bare(queue.name), why=why)
        return
    short = {name: _short(ask, resources, group.flavors[name], ceiling, name) for name in open_flavors}
    if all(short.values()):
        flavor, (resource, most) = next((name, why) for name, why in short.items() if why)
        yield found(
            "never-fits",
            where,
            pods=bare(ask.pods.name),
            resource=bare(resource),
            asked=format_request(resource, ask.each[resource] * ask.pods.least),
            most=format_request(resource, most),
            flavor=bare(flavor),
            queue=bare(queue.name),
        )


def _refusal(template: dict[str, Any], name: str, group: _Group, scene: Scene) -> str:
    """Why pods of the template cannot have a flavor; empty if they can, or if it is not known."""
    flavor = scene.find("ResourceFlavor", name)
    if flavor is None:
        return ""
    taint = untolerated(flavor.spec, sequence(template, "spec", "tolerations"))
    if taint is not None:
        return f"its taint {taint_words(taint)} is not tolerated"
    labels = mapping(flavor.spec, "nodeLabels")
    for key, value in mapping(template, "spec", "nodeSelector").items():
        if key in group.keys and labels.get(key) != value:
            return f"the nodeSelector wants {bare(key, 80)}={bare(str(value))}"
    return ""


def _short(
    ask: Ask, resources: list[str], entries: Mapping[str, Quota], ceiling: "_Ceilings", flavor: str
) -> tuple[str, int] | None:
    """A resource of which a flavor can never give enough, with the most that it can give."""
    for name in resources:
        most = ceiling.most(flavor, name, entries.get(name))
        if most is not None and ask.each[name] * ask.pods.least > most:
            return name, most
    return None


class _Ceilings:
    """The most that a ClusterQueue can ever use of a flavor and resource; None if that is not known."""

    def __init__(self, queue: Item, scene: Scene) -> None:
        self._queue = queue
        self._pool = _pool(queue, scene)

    def most(self, flavor: str, resource: str, entry: Quota | None) -> int | None:
        nominal = entry.canonical("nominalQuota") if entry is not None else None
        if entry is None or nominal is None:
            return None
        if not parent(self._queue):
            return nominal
        limit = entry.canonical("borrowingLimit")
        bounds = [] if limit is None else [nominal + limit]
        if self._pool is not None:
            bounds.append(self._pool.get((flavor, resource), 0))
        return min(bounds) if bounds else None


def _ceilings(queue: Item, scene: Scene) -> _Ceilings:
    known: dict[str, _Ceilings] = scene.memo.setdefault("ceilings", {})
    if queue.name not in known:
        known[queue.name] = _Ceilings(queue, scene)
    return known[queue.name]


def _pool(queue: Item, scene: Scene) -> dict[tuple[str, str], int] | None:
    """All quota of the cohort tree; None if a member may be unknown, or the tree has a circle."""
    if not scene.knows_all("ClusterQueue") or not scene.knows_all("Cohort"):
        return None
    root = scene.trees.root(parent(queue))
    if root is None:
        return None
    pools: dict[str, dict[tuple[str, str], int] | None] = scene.memo.setdefault("pools", {})
    if root not in pools:
        pools[root] = _sum(root, scene)
    return pools[root]


def _sum(root: str, scene: Scene) -> dict[tuple[str, str], int] | None:
    """All quota below a cohort; None if there is a circle."""
    pool: dict[tuple[str, str], int] = {}
    waiting, done = [root], set()
    while waiting:
        name = waiting.pop()
        if name in done:
            return None
        done.add(name)
        cohort = scene.find("Cohort", name)
        members = [*scene.members(name), *([cohort] if cohort is not None else [])]
        for member in members:
            for each in quotas(member):
                slot = (each.flavor, each.resource)
                pool[slot] = pool.get(slot, 0) + (each.canonical("nominalQuota") or 0)
        waiting += [member.name for member in scene.members(name) if member.kind == "Cohort"]
    return pool


def _order(
    asks: list[Ask], groups: list[_Group], queue: Item, scene: Scene, ceiling: _Ceilings
) -> Iterator[Found]:
    """An earlier pod set takes the only flavor that is large enough for a later one."""
    for group in groups if len(asks) > 1 else ():
        suited = [
            [name for name in group.flavors if _suits(ask, group, name, scene, ceiling)] for ask in asks
        ]
        early = _first_in_the_way(asks, suited, group, ceiling)
        if early is None:
            continue
        flavor, other = suited[early][:2]
        late = next(
            late
            for late in range(early + 1, len(asks))
            if suited[late] == [flavor]
            and _crowded(asks[early], _amounts(asks[late]), flavor, group, ceiling)
        )
        yield found(
            "flavor-order",
            pointer(*path_of(asks[early].pods.pointer), "spec"),
            first=bare(asks[early].pods.name),
            second=bare(asks[late].pods.name),
            flavor=bare(flavor),
            other=bare(other),
            queue=bare(queue.name),
        )
        return


def _suits(ask: Ask, group: _Group, name: str, scene: Scene, ceiling: _Ceilings) -> bool:
    resources = [resource for resource in ask.each if resource in group.flavors[name]]
    if not resources or _refusal(ask.pods.template, name, group, scene):
        return False
    return _short(ask, resources, group.flavors[name], ceiling, name) is None


def _first_in_the_way(
    asks: list[Ask], suited: list[list[str]], group: _Group, ceiling: _Ceilings
) -> int | None:
    """The first pod set that has a choice, and whose first flavor is too small for it and for one behind it
    that has none: backwards, with the most that those behind ask of each flavor."""
    behind: dict[str, Amounts] = {}
    first = None
    for index in reversed(range(len(asks))):
        names = suited[index]
        if len(names) == 1:
            most = behind.setdefault(names[0], {})
            for resource, size in _amounts(asks[index]).items():
                most[resource] = max(most.get(resource, 0), size)
        elif (
            names and names[0] in behind and _crowded(asks[index], behind[names[0]], names[0], group, ceiling)
        ):
            first = index
    return first


def _amounts(ask: Ask) -> Amounts:
    return {resource: size * ask.pods.least for resource, size in ask.each.items()}


def _crowded(ask: Ask, other: Amounts, name: str, group: _Group, ceiling: _Ceilings) -> bool:
    for resource, entry in group.flavors[name].items():
        most = ceiling.most(name, resource, entry)
        total = ask.each.get(resource, 0) * ask.pods.least + other.get(resource, 0)
        if most is not None and total > most:
            return True
    return False


def asked_resources(scene: Scene) -> Mapping[str, set[str]]:
    """What the jobs and Workloads that are known ask of each ClusterQueue; without any it is not there."""
    found: dict[str, set[str]] | None = scene.memo.get("asked")
    if found is None:
        found = scene.memo["asked"] = {}
        for item in scene.everything():
            _, queue = queue_of(scene, item.namespace, queue_name(item)[1])
            if queue is not None:
                for pods in pod_sets(item):
                    asks = ask_of(pods, scene, item.namespace).each
                    found.setdefault(queue.name, set()).update(asks)
    return found

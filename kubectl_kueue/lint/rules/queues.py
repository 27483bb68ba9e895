"""Policies of ClusterQueues, cohorts, LocalQueues: CQ09 to CQ14, CQ20 to CQ28, CO04, CO05, LQ02 to LQ05."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from kubectl_kueue.lint.found import Found, Operation, add, found, remove
from kubectl_kueue.lint.items import Item, parent, parent_field
from kubectl_kueue.lint.matching import selector_words, selects
from kubectl_kueue.lint.reading import checks, flavor_names, quotas
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import dig, elements, mapping, sequence, word
from kubectl_kueue.model.labels import is_label_key, is_label_value
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.model.shown import bare, shown

MULTI_KUEUE = "kueue.x-k8s.io/multikueue"
PROVISIONING = "kueue.x-k8s.io/provisioning-request"


def check_selector(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ09, CQ20: which namespaces may use the queue?"""
    if dig(item.spec, "namespaceSelector") is None:
        yield found(
            "namespace-selector-absent",
            "/spec/namespaceSelector",
            patch=[add("/spec/namespaceSelector", {})] if "spec" in item.value else [],
        )
        return
    selector = mapping(item.spec, "namespaceSelector")
    here: list[str | int] = ["spec", "namespaceSelector"]
    faults = [*_label_faults(selector, here), *_expression_faults(selector, here)]
    yield from faults
    if faults or not scene.knows_all("Namespace"):
        return
    namespaces = scene.population("Namespace")
    if namespaces.items and not any(
        selects(selector, namespaces.labels[index], namespaces.items[index].name)
        for index in namespaces.candidates(selector)
    ):
        yield found(
            "namespace-selector-empty-handed",
            "/spec/namespaceSelector",
            selector=selector_words(selector),
            count=len(namespaces.items),
        )


def _label_faults(selector: dict[str, Any], here: list[str | int]) -> Iterator[Found]:
    for key, value in mapping(selector, "matchLabels").items():
        where = pointer(*here, "matchLabels", key)
        if not is_label_key(key):
            yield found("selector", where, problem="key", value=shown(key))
        if isinstance(value, str) and not is_label_value(value):
            yield found("selector", where, problem="value", value=shown(value))


def _expression_faults(selector: dict[str, Any], here: list[str | int]) -> Iterator[Found]:
    for index, each in elements(selector, "matchExpressions"):
        path = [*here, "matchExpressions", index]
        key, operator, values = word(each, "key"), word(each, "operator"), sequence(each, "values")
        if key and not is_label_key(key):
            yield found("selector", pointer(*path, "key"), problem="key", value=shown(key))
        if operator in ("In", "NotIn"):
            if not values:
                yield found("selector", pointer(*path, "values"), problem="needs-values", value=operator)
        elif operator in ("Exists", "DoesNotExist"):
            if values:
                yield found(
                    "selector",
                    pointer(*path, "values"),
                    problem="no-values",
                    value=operator,
                    patch=[remove(pointer(*path, "values"))],
                )
        elif operator:
            yield found("selector", pointer(*path, "operator"), problem="operator", value=shown(operator))
        for number, value in enumerate(values):
            if isinstance(value, str) and not is_label_value(value):
                yield found("selector", pointer(*path, "values", number), problem="value", value=shown(value))


def check_preemption(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ10, CQ25, and borrowWithinCohort under fair sharing."""
    preemption = mapping(item.spec, "preemption")
    reclaim = word(preemption, "reclaimWithinCohort")
    borrow = word(preemption, "borrowWithinCohort", "policy")
    borrowing = borrow not in ("", "Never")
    if borrowing and reclaim in ("", "Never"):
        yield found(
            "borrow-without-reclaim",
            "/spec/preemption/borrowWithinCohort/policy",
            policy=bare(borrow),
            reclaim=reclaim or "Never by default",
        )
    elif borrowing and scene.fair_sharing:
        yield found(
            "borrow-with-fair-sharing", "/spec/preemption/borrowWithinCohort/policy", policy=bare(borrow)
        )
    if parent(item):
        return
    if reclaim not in ("", "Never"):
        yield _useless(item, "/spec/preemption/reclaimWithinCohort", f"reclaimWithinCohort: {bare(reclaim)}")
    if borrowing:
        yield _useless(
            item, "/spec/preemption/borrowWithinCohort/policy", f"borrowWithinCohort: {bare(borrow)}"
        )
    # What the API server's default is says nothing about what its author expected.
    can_borrow = word(item.spec, "flavorFungibility", "whenCanBorrow")
    if can_borrow == "TryNextFlavor":
        yield _useless(item, "/spec/flavorFungibility/whenCanBorrow", f"whenCanBorrow: {can_borrow}")


def _useless(item: Item, where: str, setting: str) -> Found:
    return found("policy-without-cohort", where, setting=setting, field=parent_field(item))


def check_fungibility(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ11, and v1beta1's words for it."""
    fungibility = mapping(item.spec, "flavorFungibility")
    preference = word(fungibility, "preference")
    borrow = word(fungibility, "whenCanBorrow") or "MayStopSearch"
    preempt = word(fungibility, "whenCanPreempt") or "TryNextFlavor"
    if preference and not borrow == preempt == "TryNextFlavor":
        yield found(
            "fungibility-preference",
            "/spec/flavorFungibility/preference",
            borrow=bare(borrow),
            preempt=bare(preempt),
            patch=_preferring(item),
        )


def _preferring(item: Item) -> list[Operation]:
    where = "/spec/flavorFungibility"
    if not parent(item):  # nothing is borrowed, so there is nothing to prefer
        return [remove(f"{where}/preference")]
    return [add(f"{where}/{name}", "TryNextFlavor") for name in ("whenCanBorrow", "whenCanPreempt")]


def check_strategy(item: Item, scene: Scene) -> Iterator[Found]:
    """A head that waits for one flavor stops those that want another."""
    if word(item.spec, "queueingStrategy") != "StrictFIFO":
        return
    flavors = {name for _, name in flavor_names(item)}
    if len(flavors) > 1:
        yield found("strict-fifo-flavors", "/spec/queueingStrategy", count=len(flavors))


def check_admission_checks(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ13, CQ21, CQ22, CQ28."""
    flavors = {name for _, name in flavor_names(item)}
    controllers: dict[str, list[str]] = {}
    for where, name, on_flavors in checks(item):
        for index, flavor in enumerate(on_flavors):
            if flavor not in flavors:
                yield found("on-flavors", f"{where}/onFlavors/{index}", flavor=bare(flavor), check=bare(name))
        check = scene.find("AdmissionCheck", name)
        if check is None:
            severity = scene.absence("AdmissionCheck")
            yield found(
                "check-missing", where, check=bare(name), severity=severity, where=scene.place(severity)
            )
            continue
        controller = word(check.spec, "controllerName")
        controllers.setdefault(controller, []).append(where)
        if controller == MULTI_KUEUE and on_flavors:
            yield found("multikueue-mix", where, problem="flavors", check=bare(name))
    multi = controllers.get(MULTI_KUEUE, [])
    if len(multi) > 1:
        yield found("multikueue-mix", multi[1], problem="several", check="")
    if multi and PROVISIONING in controllers:
        yield found("multikueue-mix", multi[0], problem="provisioning", check="")
    if item.older and "admissionChecks" in item.spec and "admissionChecksStrategy" in item.spec:
        yield found(
            "fields-both-given",
            "/spec/admissionChecksStrategy",
            patch=[remove("/spec/admissionChecksStrategy")],
        )


def check_flavors_there(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ21: flavors that do not exist make the queue inactive."""
    severity = scene.absence("ResourceFlavor")
    for where, name in flavor_names(item):
        if scene.find("ResourceFlavor", name) is None:
            yield found(
                "flavor-missing", where, flavor=bare(name), severity=severity, where=scene.place(severity)
            )


def check_concurrent(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ14: what concurrent admission needs."""
    policy = mapping(item.spec, "concurrentAdmissionPolicy")
    if not policy:
        return
    where = "/spec/concurrentAdmissionPolicy"
    migration = mapping(policy, "migration")
    flavors = [name for _, name in flavor_names(item)]
    if len(sequence(item.spec, "resourceGroups")) != 1:
        yield found("concurrent-admission", where, problem="groups")
    if len(flavors) > 16:
        yield found("concurrent-admission", where, problem="flavors")
    if word(item.spec, "queueingStrategy") == "StrictFIFO":
        yield found("concurrent-admission", where, problem="strict")
    if "constraints" in migration and word(migration, "mode") != "TryPreferredFlavors":
        yield found("concurrent-admission", f"{where}/migration/constraints", problem="mode")
    last = word(migration, "constraints", "lastAcceptableFlavorName")
    if last and last not in flavors:
        yield found(
            "concurrent-admission", f"{where}/migration/constraints/lastAcceptableFlavorName", problem="last"
        )


def check_stopped(item: Item, scene: Scene) -> Iterator[Found]:
    """CQ23: a stop that was left in."""
    policy = word(item.spec, "stopPolicy")
    if policy in ("Hold", "HoldAndDrain"):
        yield found("stopped", "/spec/stopPolicy", policy=policy, kind=item.kind)


# --- cohorts ------------------------------------------------------------------------------------------


def check_cohort_chain(item: Item, scene: Scene) -> Iterator[Found]:
    """CO04, CO05, and a member that is alone."""
    above, where = parent(item), f"/spec/{parent_field(item)}"
    if not above:
        return
    if (circle := scene.trees.circle(_start(item, scene))) is not None:
        yield found("cohort-cycle", where, circle=_circle_words(circle))
        return
    known = scene.find("Cohort", above)
    # Where no Cohort is defined at all, that is how cohorts are used here.
    defined = scene.knows_all("Cohort") or any(other is not item for other in scene.all("Cohort"))
    if known is None and defined:
        yield found("cohort-implicit", where, cohort=bare(above), field=parent_field(item))
    if item.kind != "ClusterQueue" or not scene.knows_all("ClusterQueue"):
        return
    if known is None and len(scene.members(above)) == 1:
        yield found("cohort-alone", where, cohort=bare(above))
    elif not parent_of(known) and all(each is item for each in _lenders(above, known, scene)):
        yield found("nothing-to-lend", where, cohort=bare(above))


def parent_of(item: Item | None) -> str:
    """The cohort above an object that may not be there."""
    return parent(item) if item is not None else ""


def _lenders(name: str, cohort: Item | None, scene: Scene) -> Sequence[Item]:
    """The cohort and its members that have quota for others; two are enough to know about everybody."""
    known: dict[str, Sequence[Item]] = scene.memo.setdefault("lenders", {})
    if name not in known:
        members = chain([cohort] if cohort is not None else [], scene.members(name))
        known[name] = list(islice((each for each in members if _lends(each, cohort)), 2))
    return known[name]


def _lends(member: Item, cohort: Item | None) -> bool:
    if member.kind == "Cohort" and member is not cohort:
        return True
    for each in quotas(member):
        lending = each.nanos("lendingLimit")
        if (each.nanos("nominalQuota") or 0) > 0 and (lending is None or lending > 0):
            return True
    return False


def _start(item: Item, scene: Scene) -> str:
    """Where the way upwards begins: at a Cohort itself, unless another definition of it counts."""
    return item.name if scene.find("Cohort", item.name) is item else parent(item)


_NAMES_OF_CIRCLE = 20


def _circle_words(circle: Iterator[str]) -> str:
    """Every member of a circle is told about it: of a large one, the names that come next."""
    names = [bare(name) for name in islice(circle, _NAMES_OF_CIRCLE)]
    return " -> ".join([*names, "…"] if next(circle, None) is not None else names)


# --- LocalQueues --------------------------------------------------------------------------------------


def check_local_queue(item: Item, scene: Scene) -> Iterator[Found]:
    """LQ02, LQ03, LQ05."""
    name = word(item.spec, "clusterQueue")
    if not name:
        yield found("clusterqueue-unset", "/spec/clusterQueue")
        return
    if item.name == "default":
        yield found("default-queue", "/metadata/name", namespace=bare(item.namespace))
    queue = scene.find("ClusterQueue", name)
    if queue is None:
        severity = scene.absence("ClusterQueue")
        yield found(
            "clusterqueue-missing",
            "/spec/clusterQueue",
            queue=bare(name),
            severity=severity,
            where=scene.place(severity),
        )
        return
    namespace = scene.find("Namespace", item.namespace)
    selector = dig(queue.spec, "namespaceSelector")
    if isinstance(selector, dict):
        labels = mapping(namespace.value, "metadata", "labels") if namespace is not None else {}
        known = namespace is not None or set(_selector_keys(selector)) <= {"kubernetes.io/metadata.name"}
        if known and not selects(selector, labels, item.namespace):
            yield found(
                "namespace-not-selected",
                "/metadata/namespace",
                namespace=bare(item.namespace),
                queue=bare(name),
                selector=selector_words(selector),
            )
    elif selector is None and not scene.is_own(queue):
        yield found(
            "namespace-not-selected",
            "/metadata/namespace",
            namespace=bare(item.namespace),
            queue=bare(name),
            selector="nothing (it is absent)",
        )


def _selector_keys(selector: dict[str, Any]) -> Iterator[str]:
    yield from mapping(selector, "matchLabels")
    for _, each in elements(selector, "matchExpressions"):
        yield word(each, "key")

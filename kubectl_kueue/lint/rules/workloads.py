"""Workloads written by hand: WL01 to WL12."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.lint.found import Found, found
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.pods import PodSet, containers, pod_sets
from kubectl_kueue.lint.rules.flavors import toleration_faults
from kubectl_kueue.lint.rules.metadata import bad_keys, gate_fault
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import amount, dig, elements, mapping, number, sequence, word
from kubectl_kueue.model.pointer import escaped, path_of, pointer
from kubectl_kueue.model.shown import bare, shown
from kubectl_kueue.model.whole_number import whole_number

GATED_BY = f"{GROUP}/admission-gated-by"
BOOST = f"{GROUP}/priority-boost"
ELASTIC = f"{GROUP}/elastic-job"


def check_workload(item: Item, scene: Scene) -> Iterator[Found]:
    """What the webhook says about the spec."""
    if not sequence(item.spec, "podSets") and not item.older:
        yield found("api-required", "/spec/podSets", field="spec.podSets")
    for each in pod_sets(item):
        path: list[str | int] = [*path_of(each.pointer), "metadata"]
        yield from bad_keys(mapping(each.template, "metadata", "labels"), [*path, "labels"], values=True)
        yield from bad_keys(
            mapping(each.template, "metadata", "annotations"), [*path, "annotations"], values=False
        )
        yield from _resources(each)
    yield from _counts(item)
    for index, each_set in elements(item.spec, "podSets"):
        yield from _slices(mapping(each_set, "topologyRequest"), f"/spec/podSets/{index}/topologyRequest")
    yield from _priority(item)
    for key, fault in ((GATED_BY, gate_fault(item.annotation(GATED_BY) or "")),):
        if fault:
            yield found(
                "admission-gates",
                pointer("metadata", "annotations", GATED_BY),
                problem=fault,
                value=bare(item.annotation(key) or ""),
            )
    boost = item.annotation(BOOST)
    if boost is not None and whole_number(boost) is None:
        yield found("priority-boost", pointer("metadata", "annotations", BOOST), value=shown(boost))


def _resources(each: PodSet) -> Iterator[Found]:
    """WL03, WL04."""
    lists = [
        (f"{each.pointer}{where}/resources", mapping(value, "resources"))
        for where, value in containers(each.template)
    ]
    lists.append((f"{each.pointer}/spec/resources", mapping(each.template, "spec", "resources")))
    for where, resources in lists:
        for field in ("requests", "limits"):
            for name, value in mapping(resources, field).items():
                here = f"{where}/{field}/{escaped(name)}"
                nano = amount(value)
                if name == "pods":
                    yield found("pods-resource", here)
                if value is not None and nano is None:
                    yield found(
                        "api-quantity",
                        here,
                        field=f"{field}.{bare(name)}",
                        value=shown(value),
                        type="quantity",
                    )
                elif nano is not None and nano < 0:
                    yield found("negative-request", here, resource=bare(name), value=value)


def _counts(item: Item) -> Iterator[Found]:
    """WL05: one pod set may shrink, and none of an elastic Workload."""
    partial = [
        (index, each) for index, each in elements(item.spec, "podSets") if each.get("minCount") is not None
    ]
    for index, each in partial:
        where = f"/spec/podSets/{index}/minCount"
        count = number(each, "count", default=1)
        if number(each, "minCount") > count:
            yield found("min-count", where, problem="above", count=count, value=each["minCount"])
        if item.annotation(ELASTIC) == "true":
            yield found("min-count", where, problem="elastic", count=count, value=each["minCount"])
    for index, _ in partial[1:]:
        yield found("min-count", f"/spec/podSets/{index}/minCount", problem="several", count="", value="")


def _slices(request: dict[str, Any], where: str) -> Iterator[Found]:
    """WL06, WL07."""
    topology, size = word(request, "podSetSliceRequiredTopology"), request.get("podSetSliceSize")
    if topology and size is None:
        yield found("slice-pair", f"{where}/podSetSliceSize", problem="size")
    elif size is not None and not topology:
        yield found("slice-pair", f"{where}/podSetSliceRequiredTopology", problem="topology")
    if isinstance(size, int) and size <= 0:
        yield found("slice-pair", f"{where}/podSetSliceSize", problem="zero")
    if number(request, "subGroupCount") < 0:
        yield found("sub-group-count", f"{where}/subGroupCount", value=request["subGroupCount"])


def _priority(item: Item) -> Iterator[Found]:
    """A class needs the number that it stands for, and the kind of its group."""
    reference = mapping(item.spec, "priorityClassRef")
    if not reference:
        return
    if item.spec.get("priority") is None:
        yield found("priority-ref", "/spec/priority", problem="number", group="", kind="")
    group, kind = word(reference, "group"), word(reference, "kind")
    wanted = {GROUP: "WorkloadPriorityClass", "scheduling.k8s.io": "PriorityClass"}.get(group)
    if wanted and kind and kind != wanted:
        yield found(
            "priority-ref",
            "/spec/priorityClassRef/kind",
            problem="kind",
            group=group,
            kind=wanted,
            patch=[{"op": "replace", "path": "/spec/priorityClassRef/kind", "value": wanted}],
        )


def check_workload_status(item: Item, scene: Scene) -> Iterator[Found]:
    """WL10 to WL12, for Workloads written with their status."""
    status = mapping(item.value, "status")
    counts = {each.name: each.size for each in pod_sets(item)}
    reserved = any(
        word(each, "type") == "QuotaReserved" and word(each, "status") == "True"
        for _, each in elements(status, "conditions")
    )
    if reserved and not mapping(status, "admission"):
        yield found("reserved-without-admission", "/status/admission", problem="absent", name="")
    for index, each in elements(status, "admission", "podSetAssignments"):
        name = word(each, "name") or "main"
        where = f"/status/admission/podSetAssignments/{index}"
        if counts and name not in counts:
            yield found("reserved-without-admission", f"{where}/name", problem="unknown", name=bare(name))
    for index, each in elements(status, "reclaimablePods"):
        name, count = word(each, "name"), number(each, "count")
        where = f"/status/reclaimablePods/{index}"
        if counts and name not in counts:
            yield found("reclaimable", f"{where}/name", problem="unknown", name=bare(name), count="")
        elif counts and count > counts[name]:
            yield found("reclaimable", f"{where}/count", problem="above", name=bare(name), count=counts[name])
    yield from _updates(status, counts)


def _updates(status: dict[str, Any], counts: dict[str, int]) -> Iterator[Found]:
    for c, check in elements(status, "admissionChecks"):
        for u, update in elements(check, "podSetUpdates"):
            where: list[str | int] = ["status", "admissionChecks", c, "podSetUpdates", u]
            name = word(update, "name")
            if counts and name not in counts:
                yield found(
                    "pod-set-updates",
                    f"/status/admissionChecks/{c}/podSetUpdates/{u}/name",
                    problem="unknown",
                    name=bare(name),
                )
            for field in ("labels", "annotations", "nodeSelector"):
                yield from bad_keys(mapping(update, field), [*where, field], values=field != "annotations")
            for t, toleration in elements(update, "tolerations"):
                for field, problem, _ in toleration_faults(toleration):
                    here = f"/status/admissionChecks/{c}/podSetUpdates/{u}/tolerations/{t}/{field}"
                    yield found("pod-set-updates", here, problem=problem, name=bare(name))


def reserves_quota(item: Item) -> bool:
    """Whether the status of a Workload says that quota is reserved."""
    return any(
        word(each, "type") == "QuotaReserved" and word(each, "status") == "True"
        for each in sequence(dig(item.value, "status"), "conditions")
    )

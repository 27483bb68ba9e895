"""Is the object written in a version that is served, and how would it read in the newest?"""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.lint.found import Found, Operation, add, found, move, remove, replace
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.schema.kinds import GROUP, NEWEST, NEWEST_KINDS, OLDER, VERSIONS, meant_kind
from kubectl_kueue.lint.values import dig, elements, mapping, sequence, word

NEWEST_API = f"{GROUP}/{NEWEST}"
_SOURCES = {
    "kueue.x-k8s.io/workloadpriorityclass": (GROUP, "WorkloadPriorityClass"),
    "scheduling.k8s.io/priorityclass": ("scheduling.k8s.io", "PriorityClass"),
}


def check_version(item: Item, scene: Scene) -> Iterator[Found]:
    """A kind that there is not; a version that is not served or will not be."""
    if item.kind not in NEWEST_KINDS:
        yield _no_kind(item)
        if item.version == OLDER:
            yield found("api-version-deprecated", "/apiVersion", version=OLDER, changes="")
    elif item.version == OLDER:
        operations, changes = conversion(item)
        yield found(
            "api-version-deprecated",
            "/apiVersion",
            patch=operations,
            version=OLDER,
            changes="; ".join(changes),
        )
    elif item.version not in VERSIONS:
        yield _unserved(item)


def _no_kind(item: Item) -> Found:
    meant = meant_kind(item.kind)
    patch = [replace("/kind", meant)] if meant else []
    return found("api-kind", "/kind", patch=patch, kind=item.kind, meant=meant or "a kind that it has")


def _unserved(item: Item) -> Found:
    patch: list[Operation] = []
    changes: list[str] = []
    if item.version == "v1alpha1" and item.kind in ("Cohort", "Topology"):
        patch = [replace("/apiVersion", NEWEST_API)]
        if item.kind == "Cohort" and "parent" in item.spec and "parentName" not in item.spec:
            patch.append(move("/spec/parent", "/spec/parentName"))
            changes.append("spec.parent -> spec.parentName")
    return found(
        "api-version-unserved",
        "/apiVersion",
        patch=patch,
        version=item.version,
        changes="; ".join(changes) or ("the fields are the same" if patch else ""),
    )


def conversion(item: Item) -> tuple[list[Operation], list[str]]:
    """The patch that makes v1beta2 of a v1beta1 object, and the fields that it renames, in words."""
    patch = [replace("/apiVersion", NEWEST_API)]
    changes: list[str] = []
    for convert in _CONVERSIONS.get(item.kind, ()):
        for operations, change in convert(item):
            patch += operations
            changes.append(change)
    return patch, changes


Step = tuple[list[Operation], str]


def _cohort(item: Item) -> Iterator[Step]:
    if "cohort" in item.spec and "cohortName" not in item.spec:
        yield [move("/spec/cohort", "/spec/cohortName")], "cohort -> cohortName"


def _checks(item: Item) -> Iterator[Step]:
    names = sequence(item.spec, "admissionChecks")
    if "admissionChecks" not in item.spec:
        strategy = mapping(item.spec, "admissionChecksStrategy")
        if "admissionChecksStrategy" in item.spec and not strategy.get("admissionChecks"):
            yield [remove("/spec/admissionChecksStrategy")], "empty admissionChecksStrategy -> left out"
        return
    operations = [remove("/spec/admissionChecks")]
    if names:
        value = {"admissionChecks": [{"name": name} for name in names]}
        operations.append(add("/spec/admissionChecksStrategy", value))
    yield operations, "admissionChecks -> admissionChecksStrategy.admissionChecks[].name"


def _fungibility(item: Item) -> Iterator[Step]:
    for name, old in (("whenCanBorrow", "Borrow"), ("whenCanPreempt", "Preempt")):
        if dig(item.spec, "flavorFungibility", name) == old:
            yield (
                [replace(f"/spec/flavorFungibility/{name}", "MayStopSearch")],
                f"{name}: {old} -> MayStopSearch",
            )


def _priority(item: Item) -> Iterator[Step]:
    name, source = word(item.spec, "priorityClassName"), word(item.spec, "priorityClassSource")
    if "priorityClassName" not in item.spec and "priorityClassSource" not in item.spec:
        return
    operations = [
        remove(f"/spec/{field}")
        for field in ("priorityClassName", "priorityClassSource")
        if field in item.spec
    ]
    if name and source in _SOURCES:
        group, kind = _SOURCES[source]
        value = {"group": group, "kind": kind, "name": name}
        reference = f"{{group: {group}, kind: {kind}, name: {name}}}"
        yield (
            [*operations, add("/spec/priorityClassRef", value)],
            f"priorityClassName + priorityClassSource -> priorityClassRef {reference}",
        )
    else:
        yield operations, "priorityClassName without a priorityClassSource -> left out, as Kueue does"


def _executed(item: Item) -> Iterator[Step]:
    status = mapping(item.value, "status")
    if "accumulatedPastExexcutionTimeSeconds" in status:
        source, target = "accumulatedPastExexcutionTimeSeconds", "accumulatedPastExecutionTimeSeconds"
        yield [move(f"/status/{source}", f"/status/{target}")], f"status.{source} -> {target}"


def _placed(item: Item) -> Iterator[Step]:
    where = "/status/admission/podSetAssignments"
    for index, each in elements(item.value, "status", "admission", "podSetAssignments"):
        if sequence(each, "topologyAssignment", "domains"):
            yield (
                [remove(f"{where}/{index}/topologyAssignment")],
                f"status.admission.podSetAssignments[{index}].topologyAssignment.domains -> left out: Kueue "
                "writes it anew",
            )


def _source(item: Item) -> Iterator[Step]:
    fields: list[str] = [name for name in ("kubeConfig", "clusterProfileRef") if name in item.spec]
    if len(fields) == 2 and not word(item.spec, "kubeConfig", "location"):
        operations = [remove("/spec/kubeConfig"), add("/spec/clusterSource", {})]
        kept = ["clusterProfileRef"]
    else:
        operations, kept = [add("/spec/clusterSource", {})], fields
    if kept:
        operations += [move(f"/spec/{name}", f"/spec/clusterSource/{name}") for name in kept]
        yield operations, ", ".join(f"{name} -> clusterSource.{name}" for name in kept)


def _dropped(*path: str) -> Any:
    def step(item: Item) -> Iterator[Step]:
        if dig(item.value, *path) is not None:
            yield [remove("/" + "/".join(path))], f"{'.'.join(path)} -> left out"

    return step


def _usage(item: Item) -> Iterator[Step]:
    if "flavorUsage" in mapping(item.value, "status"):
        yield [move("/status/flavorUsage", "/status/flavorsUsage")], "status.flavorUsage -> flavorsUsage"


_CONVERSIONS: dict[str, tuple[Any, ...]] = {
    "ClusterQueue": (
        _cohort,
        _checks,
        _fungibility,
        _dropped("status", "pendingWorkloadsStatus"),
        _dropped("status", "fairSharing", "admissionFairSharingStatus"),
    ),
    "LocalQueue": (_usage, _dropped("status", "flavors")),
    "Cohort": (_dropped("status", "fairSharing", "admissionFairSharingStatus"),),
    "Workload": (_priority, _executed, _placed),
    "AdmissionCheck": (_dropped("spec", "retryDelayMinutes"),),
    "MultiKueueCluster": (_source,),
}

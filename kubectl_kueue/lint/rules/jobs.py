"""Jobs of every kind that Kueue integrates, as far as Kueue reads them: JB01 to JB06, and each kind."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.lint.found import Found, Operation, add, found, move, replace
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.pods import containers, job_kind, pod_sets
from kubectl_kueue.lint.rules.fields import is_subdomain
from kubectl_kueue.lint.rules.metadata import gate_fault
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import dig, elements, mapping, number, sequence, word
from kubectl_kueue.model.job_kinds import IMPLIES_PODS, REPLICA_FIELDS, SERVING
from kubectl_kueue.model.pointer import path_of, pointer
from kubectl_kueue.model.shown import bare, shown
from kubectl_kueue.model.whole_number import above_zero, whole_number

QUEUE = f"{GROUP}/queue-name"
PRIORITY = f"{GROUP}/priority-class"
MAX_TIME = f"{GROUP}/max-exec-time-seconds"
PREBUILT = f"{GROUP}/prebuilt-workload-name"
ELASTIC = f"{GROUP}/elastic-job"
GATED_BY = f"{GROUP}/admission-gated-by"
MIN_PARALLELISM = f"{GROUP}/job-min-parallelism"
COMPLETIONS = f"{GROUP}/job-completions-equal-parallelism"
TRUE = frozenset({"1", "t", "T", "TRUE", "true", "True"})
FALSE = frozenset({"0", "f", "F", "FALSE", "false", "False"})


def label(key: str) -> str:
    """The pointer of a label."""
    return pointer("metadata", "labels", key)


def annotation(key: str) -> str:
    """The pointer of an annotation."""
    return pointer("metadata", "annotations", key)


def is_job(item: Item) -> bool:
    """Whether Kueue integrates the kind."""
    return job_kind(item) is not None


def check_job(item: Item, scene: Scene) -> Iterator[Found]:
    """JB01 to JB06."""
    kind = job_kind(item)
    if kind is None:
        return
    queue = item.label(QUEUE)
    if queue is not None and not is_subdomain(queue):
        yield found("queue-name", label(QUEUE), value=shown(queue))
    serving = item.kind in SERVING
    if not serving:
        yield from _prebuilt(item, kind.prebuilt)
        limit = item.label(MAX_TIME)
        if limit is not None and above_zero(limit) is None:
            yield found("max-exec-time", label(MAX_TIME), value=shown(limit))
    if item.annotation(ELASTIC) == "true" and not kind.elastic:
        yield found("elastic-kind", annotation(ELASTIC), kind=item.kind)
    fault = gate_fault(item.annotation(GATED_BY) or "")
    if fault:
        yield found(
            "admission-gates",
            annotation(GATED_BY),
            problem=fault,
            value=bare(item.annotation(GATED_BY) or ""),
        )


def _prebuilt(item: Item, allowed: bool) -> Iterator[Found]:
    for name, where in (
        (item.annotation(PREBUILT), annotation(PREBUILT)),
        (item.label(PREBUILT), label(PREBUILT)),
    ):
        if name is None:
            continue
        if not allowed:
            yield found("prebuilt-name", where, problem="kind", value=item.kind)
        elif not is_subdomain(name):
            yield found("prebuilt-name", where, problem="syntax", value=shown(name))
        return


# --- per kind ------------------------------------------------------------------------------------------


def check_batch_job(item: Item, scene: Scene) -> Iterator[Found]:
    """Partial admission of a batch Job."""
    count = pod_sets(item)[0].size
    text = item.annotation(MIN_PARALLELISM)
    if text is not None:
        where, least = annotation(MIN_PARALLELISM), whole_number(text)
        if least is None:
            yield found("partial-admission", where, problem="number", value=shown(text), count=count)
        elif not 0 < least < count:
            yield found("partial-admission", where, problem="range", value=shown(text), count=count)
        if item.annotation(ELASTIC) == "true":
            yield found("partial-admission", where, problem="elastic", value=shown(text), count=count)
    equal = item.annotation(COMPLETIONS)
    if equal is None:
        return
    where = annotation(COMPLETIONS)
    if equal not in TRUE | FALSE:
        yield found("partial-admission", where, problem="boolean", value=shown(equal), count=count)
    elif equal in TRUE:
        parallelism, completions = (
            number(item.spec, name, default=1) for name in ("parallelism", "completions")
        )
        if word(item.spec, "completionMode") != "Indexed" or parallelism != completions:
            yield found("partial-admission", where, problem="indexed", value=shown(equal), count=count)


_RAY_CLUSTERS = {"RayCluster": (), "RayJob": ("rayClusterSpec",), "RayService": ("rayClusterConfig",)}


def check_ray(item: Item, scene: Scene) -> Iterator[Found]:
    """Ray objects that name a queue."""
    if item.label(QUEUE) is None:
        return
    path = ("spec", *_RAY_CLUSTERS[item.kind])
    if item.kind == "RayJob":
        yield from _ray_job(item)
    cluster = mapping(item.value, *path)
    elastic = item.annotation(ELASTIC) == "true"
    if cluster.get("enableInTreeAutoscaling") is True and not elastic:
        yield found("ray", pointer(*path, "enableInTreeAutoscaling"), problem="autoscaling")
    groups = sequence(cluster, "workerGroupSpecs")
    if len(groups) > 17:
        yield found("ray", pointer(*path, "workerGroupSpecs"), problem="groups")
    elif len(groups) == 17 and item.kind == "RayJob":
        yield found("ray-too-many", pointer(*path, "workerGroupSpecs"))
    for index, group in elements(cluster, "workerGroupSpecs"):
        if word(group, "groupName") == "head":
            yield found("ray", pointer(*path, "workerGroupSpecs", index, "groupName"), problem="head")


def _ray_job(item: Item) -> Iterator[Found]:
    selector, cluster = mapping(item.spec, "clusterSelector"), mapping(item.spec, "rayClusterSpec")
    if selector and cluster:
        yield found("ray", "/spec/clusterSelector", problem="both")
    elif not selector and not cluster:
        yield found("ray", "/spec/rayClusterSpec", problem="neither")
    if cluster and item.spec.get("shutdownAfterJobFinishes") is not True:
        yield found(
            "ray",
            "/spec/shutdownAfterJobFinishes",
            problem="shutdown",
            patch=[add("/spec/shutdownAfterJobFinishes", True)],
        )


def check_spark(item: Item, scene: Scene) -> Iterator[Found]:
    """SparkApplications that name a queue."""
    if item.label(QUEUE) is None:
        return
    if word(item.spec, "mode") != "cluster":
        yield found("spark", "/spec/mode", problem="mode")
    if dig(item.spec, "dynamicAllocation", "enabled") is True:
        yield found("spark", "/spec/dynamicAllocation", problem="dynamic")


_GROUP_NAME = f"{GROUP}/pod-group-name"
_GROUP_COUNT = f"{GROUP}/pod-group-total-count"
_MANAGED = f"{GROUP}/managed"


def check_pod(item: Item, scene: Scene) -> Iterator[Found]:
    """Pods and their groups."""
    managed = item.label(_MANAGED)
    if managed not in (None, "true"):
        yield found("managed-label", label(_MANAGED), value=shown(managed))
    in_annotation = item.annotation(_GROUP_NAME)
    name = item.label(_GROUP_NAME) if in_annotation is None else in_annotation
    count = item.annotation(_GROUP_COUNT)
    where = label(_GROUP_NAME) if in_annotation is None else annotation(_GROUP_NAME)
    if name is None and count is not None:
        yield found("pod-group", label(_GROUP_NAME), problem="name", value="")
    elif name is not None and count is None:
        yield found("pod-group", annotation(_GROUP_COUNT), problem="count", value="")
    if name is not None and not is_subdomain(name):
        yield found("pod-group", where, problem="syntax", value=shown(name))
    if count is not None and above_zero(count) is None:
        yield found("pod-group", annotation(_GROUP_COUNT), problem="number", value=shown(count))
    yield from _group_agrees(item, scene, name, count)


def _group_agrees(item: Item, scene: Scene, name: str | None, count: str | None) -> Iterator[Found]:
    """All pods of a group name one queue and one size: those of its first pod."""
    if name is None:
        return
    groups: dict[tuple[str, str], Item] = scene.memo.setdefault("pod groups", {})
    first = groups.setdefault((item.namespace, name), item)
    if first.annotation(_GROUP_COUNT) != count:
        where = annotation(_GROUP_COUNT)
        yield found("pod-group", where, problem="counts", value=bare(first.name), severity="warning")
    if first.label(QUEUE) != item.label(QUEUE):
        yield found("pod-group", label(QUEUE), problem="queues", value=bare(first.name), severity="warning")


def check_lws(item: Item, scene: Scene) -> Iterator[Found]:
    """Replicas of a LeaderWorkerSet."""
    replicas = number(item.spec, "replicas", default=1)
    if not 0 <= replicas <= 1_000_000:
        yield found("lws-replicas", "/spec/replicas", value=replicas)


def check_replica_specs(item: Item, scene: Scene) -> Iterator[Found]:
    """The replicas of a Kubeflow job under a name that its kind does not have."""
    right = REPLICA_FIELDS[item.kind]
    for name in item.spec:
        if name.lower().endswith("replicaspecs") and name != right:
            target = f"/spec/{right}"
            patch: list[Operation] = [] if right in item.spec else [move(pointer("spec", name), target)]
            yield found(
                "api-field",
                pointer("spec", name),
                field=f"spec.{bare(name)}",
                version=item.version,
                hint="renamed",
                right=f"spec.{right}",
                other="",
                kind=item.kind,
                patch=patch,
            )


# --- is it managed at all? ------------------------------------------------------------------------------

# Kinds whose objects are seldom meant for a queue: without the label there is nothing to say about them.
_SELDOM = frozenset({"Pod", "Deployment", "StatefulSet", "LeaderWorkerSet"})


def check_queue(item: Item, scene: Scene) -> Iterator[Found]:
    """A job without a queue, or with a queue that is not there."""
    if not is_job(item) or sequence(item.value, "metadata", "ownerReferences"):
        return
    name = item.label(QUEUE)
    if name is None:
        yield from _without_queue(item, scene)
        return
    if not name:
        return
    local = scene.find("LocalQueue", name, item.namespace)
    if local is None:
        yield queue_missing(item, scene, name, label(QUEUE))
        return
    yield from stopped_queue(local, scene, label(QUEUE))


def _without_queue(item: Item, scene: Scene) -> Iterator[Found]:
    if item.kind in _SELDOM or scene.find("LocalQueue", "default", item.namespace) is not None:
        return
    managed = bool(scene.settings and scene.settings.get("manageJobsWithoutQueueName"))
    yield found(
        "no-queue",
        label(QUEUE),
        namespace=bare(item.namespace),
        managed="yes" if managed else "no",
        kind=item.kind,
    )


def queue_missing(item: Item, scene: Scene, name: str, where: str) -> Found:
    """The finding about a LocalQueue that is not in the namespace."""
    elsewhere = sorted(each.namespace for each in scene.namesakes("LocalQueue", name))
    here = scene.first_names("LocalQueue", item.namespace)
    severity = scene.absence("LocalQueue")
    return found(
        "queue-missing",
        where,
        queue=bare(name),
        namespace=bare(item.namespace),
        elsewhere=", ".join(bare(each) for each in elsewhere[:5]),
        here=", ".join(bare(each) for each in here),
        where=scene.place(severity),
        severity=severity,
    )


def stopped_queue(local: Item, scene: Scene, where: str) -> Iterator[Found]:
    """The finding about a queue that lets nobody in."""
    queue = scene.find("ClusterQueue", word(local.spec, "clusterQueue"))
    for each in (local, queue):
        if each is not None and word(each.spec, "stopPolicy") in ("Hold", "HoldAndDrain"):
            yield found(
                "queue-stopped",
                where,
                queue=f"{each.kind} {bare(each.name)}",
                policy=word(each.spec, "stopPolicy"),
            )


def check_integration(item: Item, scene: Scene) -> Iterator[Found]:
    """A queue label where nobody reads it, or where it has to stand elsewhere."""
    kind = job_kind(item)
    if kind is None:
        if item.label(QUEUE) is None or item.is_kueue or item.kind in ("Namespace", "ReplicaSet"):
            return
        if (item.group, item.kind) == ("batch", "CronJob"):
            yield _cron_job(item)
        elif not _external(item, scene):
            yield found("not-managed", "/kind", kind=item.kind, group=item.group or "core")
        return
    if item.label(QUEUE) is None:
        return
    frameworks = _frameworks(scene)
    implied = kind.framework == "pod" and not IMPLIES_PODS.isdisjoint(frameworks or ())
    if frameworks is not None:
        if kind.framework not in frameworks and not implied:
            yield found("integration-off", "/kind", kind=item.kind, framework=kind.framework, known="yes")
    elif not kind.default:
        yield found(
            "integration-off", "/kind", kind=item.kind, framework=kind.framework, known="no", severity="info"
        )


def _frameworks(scene: Scene) -> set[str] | None:
    """The integrations that are on; None if the Configuration is not known."""
    if scene.settings is None:
        return None
    listed = sequence(dict(scene.settings), "integrations", "frameworks")
    return {str(name).lower() for name in listed} if listed else {"batch/job"}


def _external(item: Item, scene: Scene) -> bool:
    names = sequence(dict(scene.settings or {}), "integrations", "externalFrameworks")
    wanted = f"{item.kind}.{item.version}.{item.group}".lower()
    return any(wanted in (str(each).lower(), word(each, "name").lower()) for each in names)


def _cron_job(item: Item) -> Found:
    target = ("spec", "jobTemplate", "metadata", "labels")
    patch: list[Operation] = []
    if dig(item.value, "spec", "jobTemplate") is not None and QUEUE not in mapping(item.value, *target):
        patch = [
            add(pointer(*target[:depth]), {}) for depth in (3, 4) if dig(item.value, *target[:depth]) is None
        ]
        patch.append(move(label(QUEUE), pointer(*target, QUEUE)))
    return found("cronjob-label", label(QUEUE), patch=patch)


def check_template_labels(item: Item, scene: Scene) -> Iterator[Found]:
    """A queue label on the pods of a job that has none itself: Kueue reads the job's."""
    if not is_job(item) or item.kind in _SELDOM or item.label(QUEUE) is not None:
        return
    for each in pod_sets(item):
        if QUEUE not in mapping(each.template, "metadata", "labels"):
            continue
        where = pointer(*path_of(each.pointer), "metadata", "labels", QUEUE)
        patch = [add("/metadata/labels", {})] if not dig(item.value, "metadata", "labels") else []
        yield found(
            "queue-label-on-template", where, kind=item.kind, patch=[*patch, move(where, label(QUEUE))]
        )
        return


def check_priority(item: Item, scene: Scene) -> Iterator[Found]:
    """JB05 and the class of pods that is mistaken for the class of workloads."""
    if not is_job(item):
        return
    name = item.label(PRIORITY)
    if name:
        if scene.find("WorkloadPriorityClass", name) is None:
            severity = scene.absence("WorkloadPriorityClass")
            pods = scene.find("PriorityClass", name) is not None
            yield found(
                "priority-class-missing",
                label(PRIORITY),
                name=bare(name),
                pods="yes" if pods else "no",
                where=scene.place(severity),
                severity=severity,
            )
        return
    for each in pod_sets(item):
        wanted = word(each.template, "spec", "priorityClassName")
        if (
            wanted
            and scene.find("PriorityClass", wanted) is None
            and scene.find("WorkloadPriorityClass", wanted)
        ):
            patch = [] if mapping(item.value, "metadata", "labels") else [add("/metadata/labels", {})]
            yield found(
                "pod-priority-class",
                pointer(*path_of(each.pointer), "spec", "priorityClassName"),
                name=bare(wanted),
                patch=[*patch, add(label(PRIORITY), wanted)],
            )
            return


def check_suspend(item: Item, scene: Scene) -> Iterator[Found]:
    """`suspend: false` in a managed job is overwritten."""
    kind = job_kind(item)
    if kind is None or not kind.suspend or not item.label(QUEUE):
        return
    if dig(item.value, *kind.suspend) is False and not mapping(item.value, "status"):
        where = pointer(*kind.suspend)
        yield found(
            "suspend-false",
            where,
            field=".".join(str(key) for key in kind.suspend),
            patch=[replace(where, True)],
        )


def requests_nothing(template: dict[str, Any]) -> bool:
    """Whether no container of a template asks for anything."""
    lists = [mapping(value, "resources") for _, value in containers(template)]
    lists.append(mapping(template, "spec", "resources"))
    return not any(mapping(each, "requests") or mapping(each, "limits") for each in lists)

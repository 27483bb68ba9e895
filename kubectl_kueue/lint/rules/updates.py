"""What may not change in an object that is there: immutable fields (CEL and webhooks), JU01 to JU07."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.lint.found import Found, found
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.pods import job_kind
from kubectl_kueue.lint.rules.jobs import (
    ELASTIC,
    GATED_BY,
    MAX_TIME,
    PREBUILT,
    PRIORITY,
    QUEUE,
    annotation,
    label,
)
from kubectl_kueue.lint.rules.workloads import reserves_quota
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import dig, elements, mapping, number, sequence, word
from kubectl_kueue.model.job_kinds import SERVING
from kubectl_kueue.model.pointer import path_of, pointer
from kubectl_kueue.model.shown import bare, shown

# Kind -> paths that never change.
_FIXED: dict[str, tuple[tuple[str, ...], ...]] = {
    "LocalQueue": (("spec", "clusterQueue"),),
    "Topology": (("spec", "levels"),),
    "AdmissionCheck": (("spec", "controllerName"),),
    "ClusterQueue": (("spec", "concurrentAdmissionPolicy"),),
}
_WITH_TOPOLOGY = ("nodeLabels", "tolerations", "topologyName")


def check_immutable(item: Item, scene: Scene) -> Iterator[Found]:
    """Fields of Kueue's kinds that differ from the object that is there and must not."""
    stored = scene.stored(item)
    if stored is None or stored.value is item.value:
        return
    for path in _FIXED.get(item.kind, ()):
        before, after = dig(stored.value, *path), dig(item.value, *path)
        # A LocalQueue without a ClusterQueue may still get one.
        if before != after and (before is not None or item.kind == "ClusterQueue"):
            yield _changed(path, before, after, "always")
    if item.kind == "ResourceFlavor" and word(stored.spec, "topologyName"):
        for name in _WITH_TOPOLOGY:
            before, after = dig(stored.spec, name), dig(item.spec, name)
            if before != after:
                yield _changed(("spec", name), before, after, "topology")
    if item.kind == "Workload" and reserves_quota(stored):
        yield from _reserved(item, stored)


def _changed(path: tuple[str, ...], before: Any, after: Any, when: str) -> Found:
    return found(
        "immutable",
        pointer(*path),
        field=".".join(path),
        before="nothing" if before is None else shown(before),
        after="nothing" if after is None else shown(after),
        when=when,
    )


def _reserved(item: Item, stored: Item) -> Iterator[Found]:
    """WL10: a Workload that holds quota."""
    if dig(item.spec, "queueName") != dig(stored.spec, "queueName"):
        before, after = dig(stored.spec, "queueName"), dig(item.spec, "queueName")
        yield _changed(("spec", "queueName"), before, after, "reserved")
    new, old = sequence(item.spec, "podSets"), sequence(stored.spec, "podSets")
    names = [[word(each, "name") or "main" for each in sets] for sets in (new, old)]
    if names[0] != names[1]:
        yield _changed(("spec", "podSets"), ", ".join(names[1]), ", ".join(names[0]), "reserved")
        return
    for index, (after, before) in enumerate(zip(new, old, strict=True)):
        grown = number(after, "count", default=1) > number(before, "count", default=1)
        if grown:
            yield found(
                "immutable",
                f"/spec/podSets/{index}/count",
                field=f"spec.podSets[{index}].count",
                before=number(before, "count", default=1),
                after=number(after, "count", default=1),
                when="grow",
            )


# --- jobs -------------------------------------------------------------------------------------------------


def check_job_updates(item: Item, scene: Scene) -> Iterator[Found]:
    """JU01 to JU07: what a running job may not change. Suspended is what the new object says."""
    kind, stored = job_kind(item), scene.stored(item)
    if kind is None or stored is None or stored.value is item.value:
        return
    idle, was_idle = _suspended(item), _suspended(stored)
    yield from _queue(item, stored, idle, scene)
    yield from _priority(item, stored, idle)
    if item.kind not in SERVING:
        before, after = _prebuilt(stored), _prebuilt(item)
        if before != after and not idle and item.annotation(ELASTIC) != "true":
            yield _job("prebuilt", annotation(PREBUILT), before, after)
        before, after = stored.label(MAX_TIME), item.label(MAX_TIME)
        if before != after and not (idle and was_idle):
            yield _job("running", label(MAX_TIME), before, after)
        if (stored.annotation(ELASTIC) == "true") != (item.annotation(ELASTIC) == "true"):
            yield _job("never", annotation(ELASTIC), stored.annotation(ELASTIC), item.annotation(ELASTIC))
    new = _gates(item) - _gates(stored)
    if new:
        yield _job("gates", annotation(GATED_BY), None, ", ".join(sorted(new)))


def _queue(item: Item, stored: Item, idle: bool, scene: Scene) -> Iterator[Found]:
    before, after = stored.label(QUEUE), item.label(QUEUE)
    if before == after:
        return
    if item.kind in SERVING and before is not None and after is None:
        yield _job("never", label(QUEUE), before, after)
    elif not idle:
        yield _job("running", label(QUEUE), before, after)
    elif (
        before is not None
        and after is None
        and scene.find("LocalQueue", "default", item.namespace) is not None
    ):
        yield _job("default-queue", label(QUEUE), before, after)


def _priority(item: Item, stored: Item, idle: bool) -> Iterator[Found]:
    before, after = stored.label(PRIORITY), item.label(PRIORITY)
    if before is not None and after is None:
        yield _job("never-removed", label(PRIORITY), before, after)
    elif before is None and after is not None and not idle:
        yield _job("running", label(PRIORITY), before, after)


def _job(when: str, where: str, before: str | None, after: str | None) -> Found:
    key = path_of(where)[-1]
    return found(
        "job-immutable",
        where,
        key=key,
        when=when,
        before="nothing" if before is None else f'"{bare(before)}"',
        after="nothing" if after is None else f'"{bare(after)}"',
    )


def _suspended(item: Item) -> bool:
    kind = job_kind(item)
    assert kind is not None
    if kind.suspend:
        return dig(item.value, *kind.suspend) is True
    if item.kind in SERVING:
        return number(item.value, "status", "readyReplicas") == 0
    return any(
        word(each, "name") == "kueue.x-k8s.io/admission" for _, each in elements(item.spec, "schedulingGates")
    )


def _prebuilt(item: Item) -> str | None:
    in_annotation = item.annotation(PREBUILT)
    return item.label(PREBUILT) if in_annotation is None else in_annotation


def _gates(item: Item) -> set[str]:
    text = mapping(item.value, "metadata", "annotations").get(GATED_BY)
    return {name.strip() for name in text.split(",") if name.strip()} if isinstance(text, str) else set()

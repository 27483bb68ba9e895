"""batch/v1 Job: one pod set, and partial admission (kueuectl.md 6.7, 7.8)."""

from collections.abc import Mapping
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.reading import copied, go_bool, mapping, text, whole, whole_or_none
from kubectl_kueue.jobs.scene import Scene
from kubectl_kueue.model.whole_number import whole_number

COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"
_OF_THE_SERVER = ("controller-uid", "batch.kubernetes.io/controller-uid", "job-name")


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of a Job; an elastic one has another for each generation."""
    path = ("spec", "template")
    template = copied(mapping(job.value, *path))
    for key in _OF_THE_SERVER:
        mapping(template, "metadata", "labels").pop(key, None)
    main = PodSetDraft("main", pod_count(job.value), template, path, index_label=COMPLETION_INDEX)
    main.min_count = min_count(job.annotations)
    return [Draft(job, [main], extra=str(job.generation) if job.elastic else "")]


def pod_count(value: Mapping[str, Any]) -> int:
    """Pods that run at once: never more than are still to be completed."""
    parallelism = whole(value, "spec", "parallelism", default=1)
    completions = whole_or_none(value, "spec", "completions")
    return parallelism if completions is None else min(parallelism, completions)


def min_count(annotations: Mapping[str, str]) -> int | None:
    """The least count that partial admission may give."""
    return whole_number(annotations.get(keys.MIN_PARALLELISM, ""))


def check(job: Job, checks: Checks) -> None:
    """What the webhook refuses besides the common rules."""
    _check_min_count(job, checks)
    _check_completions(job, checks)
    if job.elastic:
        marks = PodSetDraft("main", 1, mapping(job.value, "spec", "template"), ("spec", "template")).marks
        for key in (keys.REQUIRED, keys.PREFERRED):
            if key in marks:
                checks.add("elastic-topology", ("spec", "template", "metadata", "annotations", key))


def _check_min_count(job: Job, checks: Checks) -> None:
    found = job.annotations.get(keys.MIN_PARALLELISM)
    if found is None:
        return
    path = ("metadata", "annotations", keys.MIN_PARALLELISM)
    least, count = min_count(job.annotations), pod_count(job.value)
    if least is None or not 0 < least < count:
        checks.add("min-parallelism", path, value=found, count=count)
    if job.elastic:
        checks.add("min-parallelism", path, excludes=keys.ELASTIC)


def _check_completions(job: Job, checks: Checks) -> None:
    found = job.annotations.get(keys.EQUAL_COMPLETIONS)
    if found is None:
        return
    path = ("metadata", "annotations", keys.EQUAL_COMPLETIONS)
    wanted = go_bool(found)
    if wanted is None:
        checks.add("equal-completions", path, value=found)
    if not wanted:
        return
    mode = text(job.value, "spec", "completionMode") or "NonIndexed"
    if mode != "Indexed":
        checks.add("equal-completions", ("spec", "completionMode"), mode=mode)
    parallelism = whole(job.value, "spec", "parallelism", default=1)
    completions = whole(job.value, "spec", "completions", default=1)
    if parallelism != completions:
        checks.add(
            "equal-completions", ("spec", "completions"), completions=completions, parallelism=parallelism
        )

"""jobset.x-k8s.io JobSet: a pod set for each replicated job (kueuectl.md 6.7)."""

from collections.abc import Mapping
from typing import Any

from kubectl_kueue.jobs.batch import COMPLETION_INDEX
from kubectl_kueue.jobs.job import Draft, Job, PodSetDraft
from kubectl_kueue.jobs.reading import Path, copied, mapping, objects, text, whole
from kubectl_kueue.jobs.scene import Scene

JOB_INDEX = "jobset.sigs.k8s.io/job-index"


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of a JobSet."""
    return [Draft(job, pod_sets_of(job.value, ("spec", "replicatedJobs")))]


def pod_sets_of(value: Mapping[str, Any], path: Path) -> list[PodSetDraft]:
    """The pod sets of the replicated jobs at `path`."""
    return [_pod_set(replicated, (*path, index)) for index, replicated in enumerate(objects(value, *path))]


def _pod_set(replicated: dict[str, Any], path: Path) -> PodSetDraft:
    replicas = whole(replicated, "replicas", default=1)
    parallelism = whole(replicated, "template", "spec", "parallelism", default=1)
    completions = whole(replicated, "template", "spec", "completions", default=parallelism)
    inner = ("template", "spec", "template")
    return PodSetDraft(
        text(replicated, "name"),
        replicas * min(parallelism, completions),
        copied(mapping(replicated, *inner)),
        (*path, *inner),
        index_label=COMPLETION_INDEX,
        sub_group_label=JOB_INDEX,
        sub_group_count=replicas,
    )

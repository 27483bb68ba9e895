"""Which of these pods belong together with a job?"""

from collections.abc import Sequence
from typing import Any

from kubectl_kueue.jobs.job import Job
from kubectl_kueue.jobs.scene import Scene


def mates_of(value: dict[str, Any], pods: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The other pods of a pod's group, or the pods of a Deployment or StatefulSet."""
    job = Job(value, 0, "default")
    if job.kind != "Pod":
        return Scene(pods, None, job.namespace).pods_of(job)
    if job.group_name is None:
        return []
    return [pod for pod in pods if _same_group(job, Job(pod, 0, job.namespace))]


def _same_group(one: Job, other: Job) -> bool:
    return one.group_name == other.group_name and one.name != other.name

"""kubeflow.org/v2beta1 MPIJob: launcher and workers, counted as they are written.

With runLauncherAsWorker the launcher works too, but is still a pod set of its own (kueuectl.md 6.7).
"""

from kubectl_kueue.jobs import kubeflow
from kubectl_kueue.jobs.job import Draft, Job
from kubectl_kueue.jobs.scene import Scene

VERSION = "kubeflow.org/v2beta1"
"""The only version that Kueue knows; v1 belongs to another operator."""


def drafts(job: Job, scene: Scene) -> list[Draft]:
    """The Workload of an MPIJob."""
    return kubeflow.drafts(job, scene)

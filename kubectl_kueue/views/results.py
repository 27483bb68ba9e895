"""What a writing command says about each object, and the object as -o prints it."""

from collections.abc import Iterable, Mapping
from typing import Any

from kubectl_kueue.errors import ApiError, KueueError

_COUNTERS = ("admittedWorkloads", "pendingWorkloads", "reservingWorkloads")
_COUNTED = ("ClusterQueue", "LocalQueue")
_KUBECTL_DRY_RUNS = {"none": "", "client": " (dry run)", "server": " (server dry run)"}
_DRY_RUNS = {"none": "", "client": " (client dry run)", "server": " (server dry run)"}


def result_line(type: str, name: str, verb: str, strategy: str = "none", *, changed: bool = True) -> str:
    """`clusterqueue.kueue.x-k8s.io/x stopped`, with what kind of dry run it was; `type` as in Kind.type."""
    return f"{type}/{name or '<unknown>'} {verb}{'' if changed else ' (no change)'}{_DRY_RUNS[strategy]}"


def patched_line(type: str, name: str, strategy: str, *, changed: bool) -> str:
    """What `kubectl patch` says; of a dry run it says nothing, but that would read as if it were done."""
    return f"{type}/{name} patched{'' if changed else ' (no change)'}{_KUBECTL_DRY_RUNS[strategy]}"


def deleted_line(type: str, name: str, strategy: str) -> str:
    """What `kubectl delete` says."""
    return f'{type} "{name}" deleted{_KUBECTL_DRY_RUNS[strategy]}'


def refusal(error: KueueError, *, kubectl: bool) -> str:
    """The line for one failure of several: kueuectl's own, or kubectl's for kubectl's verbs."""
    if kubectl and isinstance(error, ApiError) and error.reason:
        return f"Error from server ({error.reason}): {error}"
    return f"{'error' if kubectl else 'Error'}: {error}"


def shown_object(document: Mapping[str, Any]) -> dict[str, Any]:
    """The object as it is printed: a queue always has its three counters."""
    shown = dict(document)
    if shown.get("kind") in _COUNTED:
        shown["status"] = {**dict.fromkeys(_COUNTERS, 0), **shown.get("status", {})}
    return shown


def owners_lines(owners: Iterable[tuple[str, str]]) -> str:
    """What is asked before jobs go with their workloads: pairs of the owners (`jobs.batch/x, …`) and the
    workload ("namespace/name").
    """
    lines = (f"  - {names} associated with the {workload} workload\n" for names, workload in owners)
    return "This operation will also delete:\n" + "\n".join(lines)


ALL_JOBS = "This operation will also delete the jobs associated with these workloads.\n"
PROCEED = "Do you want to proceed (y/n)? "
CANCELED = "Deletion is canceled"

"""Why a queue lets nobody in, and what to do about it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shlex import quote

from kubectl_kueue.engine.explanation.facts import Cause
from kubectl_kueue.engine.snapshot import PROVISIONING
from kubectl_kueue.views.words.commands import kueue
from kubectl_kueue.views.words.numbers import joined, several, verb

_CAUSES: Mapping[str, str] = {
    "": "{names}",
    "Terminating": "it is being deleted",
    "Stopped": "it is stopped",
    "FlavorNotFound": "ResourceFlavor {names} {do} not exist",
    "AdmissionCheckNotFound": "AdmissionCheck {names} {do} not exist",
    "AdmissionCheckInactive": "AdmissionCheck {names} {are} not active",
    "MultipleMultiKueueAdmissionChecks": "it has more than one MultiKueue check ({names})",
    "MultiKueueAdmissionCheckAppliedPerFlavor": "MultiKueue check {names} is bound to single flavors",
    "MultiKueueWithProvisioningRequest": "it has MultiKueue and ProvisioningRequest checks",
    "TopologyNotFound": "Topology {names} {do} not exist",
    "CohortCycle": "cohort {names} is part of, or below, a cycle of cohorts",
    "ClusterQueueInactive": "ClusterQueue {names} is inactive",
    "ClusterQueueNotFound": "ClusterQueue {names} does not exist",
}


def causes_words(causes: Iterable[Cause]) -> str:
    """One clause a code, all objects in it; empty if there are none."""
    told = []
    for code, found in _by_code(causes).items():
        do = "does" if len(found) == 1 else "do"
        names = several([cause.name for cause in found])
        told.append(_CAUSES.get(code, code).format(names=names, do=do, are=verb(len(found), "be")))
    return "; ".join(told)


def causes_steps(queue: str, causes: Iterable[Cause]) -> Iterator[str]:
    """What to do about them, for a ClusterQueue."""
    for code, found in _by_code(causes).items():
        yield from _steps(queue, code, found)


def _by_code(causes: Iterable[Cause]) -> dict[str, list[Cause]]:
    by_code: dict[str, list[Cause]] = {}
    for cause in causes:
        by_code.setdefault(cause.code, []).append(cause)
    return by_code


def _steps(queue: str, code: str, causes: Sequence[Cause]) -> Iterator[str]:
    names = joined(cause.name for cause in causes)
    them = "it" if len(causes) == 1 else "them"
    match code:
        case "Stopped":
            yield kueue("resume", "clusterqueue", queue)
            yield "That takes the rights of an administrator: ClusterQueues belong to no namespace"
        case "FlavorNotFound":
            yield f"Create ResourceFlavor {names}, or take {them} out of ClusterQueue {queue}"
            yield f"kubectl kueue create resourceflavor {quote(causes[0].name)}"
        case "AdmissionCheckNotFound":
            yield f"Create AdmissionCheck {names}, or take {them} out of ClusterQueue {queue}"
        case "AdmissionCheckInactive":
            yield from map(_mend_check, causes)
            if any(c.controller == PROVISIONING and not c.message for c in causes):
                yield (
                    "Is the CRD of ProvisioningRequest (autoscaling.x-k8s.io) installed? Without it Kueue "
                    "starts without that controller: install it and restart Kueue"
                )
        case "TopologyNotFound":
            yield f"Create Topology {names}, or take {them} out of the flavors of ClusterQueue {queue}"
        case "CohortCycle":
            yield f"Change parentName of one of the cohorts above ClusterQueue {queue}"


def _mend_check(cause: Cause) -> str:
    silent = "its controller has never reported: is it running, and are its CRDs installed?"
    said = f"it says: {cause.message}" if cause.message else silent
    return f"See why AdmissionCheck {cause.name} is not active; {said}"

"""What goes with the verdict on a workload: its job, its pods, what happened, what came before."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from kubectl_kueue.engine.inquiries.staleness import Bypassed, Overdue
from kubectl_kueue.engine.preemptions import History
from kubectl_kueue.views.describe.events import Happening


class PodLine(NamedTuple):
    """A pod of the job. `why`: the scheduler's reason for not placing it, empty if it has a place; `gates`
    are its scheduling gates."""

    name: str
    phase: str
    node: str = ""
    why: str = ""
    gates: tuple[str, ...] = ()


class Around(NamedTuple):
    """What goes with the verdict on one workload.

    `job` is kind and "namespace/name" where a job was asked for, `others` its other Workloads: key, verdict
    word, sentence. `notes` say what could not be read.
    """

    job: tuple[str, str] | None = None
    others: tuple[tuple[str, str, str], ...] = ()
    overdue: Overdue | None = None
    bypassed: Bypassed | None = None
    history: History | None = None
    pods: tuple[PodLine, ...] = ()
    events: tuple[tuple[str, Happening], ...] = ()
    notes: tuple[str, ...] = ()
    now: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to add."""
        return self._replace(now=0) == Around()


def pod_line(value: Mapping[str, Any]) -> PodLine:
    """A pod (JSON value) as a line."""
    meta, spec, status = (value.get(part) or {} for part in ("metadata", "spec", "status"))
    gates = tuple(str(gate.get("name")) for gate in spec.get("schedulingGates") or ())
    why = ""
    for condition in status.get("conditions") or ():
        if condition.get("type") == "PodScheduled" and condition.get("status") == "False":
            why = str(condition.get("message") or condition.get("reason") or "not scheduled")
    phase = "Terminating" if meta.get("deletionTimestamp") else str(status.get("phase") or "Unknown")
    return PodLine(str(meta.get("name")), phase, str(spec.get("nodeName") or ""), why, gates)

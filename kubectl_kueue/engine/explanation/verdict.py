"""The answer to "why is it pending": a word, the questions behind it, and their facts. Never a sentence."""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.explanation.domains import Tree
from kubectl_kueue.engine.explanation.facts import (
    Assumption,
    Chain,
    EvictionTally,
    Facts,
    Holder,
    Origin,
    Outside,
    Position,
    QuotaRow,
    Saying,
    Victim,
)
from kubectl_kueue.engine.explanation.shares import Fairness
from kubectl_kueue.model.objects import Workload


class Word(StrEnum):
    """The verdict. The last three are of workloads that wait for nothing from the scheduler."""

    ADMIT = "Admit"
    PREEMPT = "Preempt"
    WAIT = "Wait"
    NEVER = "Never"
    BLOCKED = "Blocked"
    CHECKS_PENDING = "ChecksPending"
    NOT_RUNNING = "AdmittedNotRunning"
    RUNNING = "Running"
    FINISHED = "Finished"


class GateState(StrEnum):
    """How a question was answered; unknown: it does not arise, or what decides it could not be read."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Gate(msgspec.Struct, frozen=True):
    """One question that stands between a workload and its pods, by name, and its answer."""

    name: str
    state: GateState
    facts: Facts | None = None


class Verdict(msgspec.Struct, frozen=True):
    """The answer about one workload; see docs/explain.md for what each part means.

    `reason` is Kueue's granular code for the condition QuotaReserved after the workload's next turn.
    `entry` is the nomination behind `flavors`, `borrowing` and `reasons`, None where none was possible,
    `first_turn` what became of it at its first turn, if it gets in, or preempts, at a later one only;
    `cycle` the scheduling cycle, from now, in which the verdict falls (0: none). `fits_alone`: flavors,
    quota and places would do for it now, whatever else stands in its way. `counts` are the pods of each
    podSet that `flavors` are for. `outside` is there if the queues could not be read: then the verdict is
    what the workload's own status amounts to. `trees` are there if places are what fails, or if asked for.
    """

    workload: str
    state: Word
    reason: str
    gates: tuple[Gate, ...]
    chain: Chain
    position: Position | None
    entry: Entry | None
    assumptions: tuple[Assumption, ...]
    obj: Workload
    now: int
    priority: int
    priority_class: str = ""
    first_turn: Entry | None = None
    cycle: int = 0
    fits_alone: bool = False
    flavors: Mapping[str, Mapping[str, str]] = {}
    counts: Mapping[str, int] = {}
    borrowing: int = 0
    victims: tuple[Victim, ...] = ()
    origins: tuple[Origin, ...] = ()
    table: tuple[QuotaRow, ...] = ()
    holders: tuple[Holder, ...] = ()
    trees: tuple[Tree, ...] = ()
    fairness: Fairness | None = None
    outside: Outside | None = None
    sayings: tuple[Saying, ...] = ()
    evictions: tuple[EvictionTally, ...] = ()

    def gate(self, name: str) -> Gate | None:
        """The question of that name, None if it was not asked."""
        return next((gate for gate in self.gates if gate.name == name), None)

    @property
    def decisive(self) -> Gate | None:
        """The first question that failed: the answer. None if none did."""
        return next((gate for gate in self.gates if gate.state is GateState.FAILED), None)

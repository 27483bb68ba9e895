"""A head in its cycle, and what a cycle leaves behind (scheduling.md 4.1, 4.7)."""

from collections.abc import Iterator
from enum import StrEnum

from kubectl_kueue.engine.fair_sharing import Duel
from kubectl_kueue.engine.flavors import Assignment, Mode
from kubectl_kueue.engine.preemption.candidates import Target
from kubectl_kueue.engine.queues import RequeueReason
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.engine.slices import ReplacedSlice
from kubectl_kueue.engine.snapshot import QueueNode
from kubectl_kueue.engine.workload import WorkloadInfo


class Status(StrEnum):
    """How a head left its cycle."""

    ASSUMED = "assumed"
    PREEMPTING = "preempting"
    SKIPPED = "skipped"
    DEFERRED = "deferred"
    NO_FIT = "nofit"
    NO_CANDIDATES = "nocandidates"
    INADMISSIBLE = "inadmissible"
    GATED = "gated"
    EVICTED = "evicted"
    MIGRATING = "migrating"
    OTHER = "other"


class Rejection(StrEnum):
    """Why a head was not even nominated (4.3)."""

    FAILED_CHECKS = "FailedAdmissionChecks"
    QUEUE_INACTIVE = "ClusterQueueInactive"
    NAMESPACE_NOT_FOUND = "NamespaceNotFound"
    NAMESPACE_MISMATCH = "NamespaceMismatch"
    ABOVE_LIMITS = "RequestsExceedLimits"
    OUTSIDE_LIMIT_RANGE = "LimitRangeViolated"


class Skip(StrEnum):
    """Why a nominated entry was passed over."""

    OVERLAP = "OverlappingTargets"
    NO_LONGER_FITS = "NoLongerFits"
    BETTER_VARIANT = "BetterVariantAdmitted"


class Entry:
    """A head: what it was nominated for and what became of it.

    `second_pass` marks a workload that holds its reservation and waits for a place only.
    `preempting` are the targets really preempted for it.
    """

    __slots__ = (
        "assignment",
        "info",
        "is_preemptor",
        "nominated_mode",
        "preempting",
        "queue",
        "rejection",
        "replaced",
        "requeue_reason",
        "second_pass",
        "skip",
        "status",
        "targets",
    )

    def __init__(self, info: WorkloadInfo, queue: QueueNode, *, second_pass: bool = False) -> None:
        self.info = info
        self.queue = queue
        self.second_pass = second_pass
        self.assignment = Assignment()
        self.targets: list[Target] = []
        self.replaced: ReplacedSlice | None = None
        self.status: Status | None = None
        self.requeue_reason = RequeueReason.GENERIC
        self.rejection: Rejection | None = None
        self.skip: Skip | None = None
        self.nominated_mode: Mode | None = None
        self.preempting: list[Target] = []
        self.is_preemptor = False

    @property
    def charged(self) -> dict[FlavorResource, int]:
        """Quota that the entry would take on top of what it holds (4.5)."""
        return {} if self.second_pass else self.assignment.usage


class CycleResult:
    """What one cycle did: entries in processing order, and heads rejected before nomination.

    `evicted_after` are the keys, sorted, of evictions that completed before the next cycle; `duels` the
    comparisons of its tournament, if somebody watches.
    """

    __slots__ = ("cycle", "duels", "entries", "evicted_after", "now", "rejected")

    def __init__(self, cycle: int, now: int) -> None:
        self.cycle = cycle
        self.now = now
        self.entries: list[Entry] = []
        self.rejected: list[Entry] = []
        self.evicted_after: list[str] = []
        self.duels: list[Duel] = []

    def __iter__(self) -> Iterator[Entry]:
        yield from self.entries
        yield from self.rejected

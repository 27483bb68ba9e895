"""Which flavors would a workload get, and if none, why not? (scheduling.md 5)

For every podSet group and resource group one flavor is chosen: `assign_flavors` walks the groups,
`_scan` the flavors of one resource group, `_quota_mode` judges one FlavorResource. Borrowing is
decided in `_quota_mode` with the questions of engine/quota.py.
"""

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, NamedTuple

from kubectl_kueue.engine.flavor_match import mismatch
from kubectl_kueue.engine.quota import FlavorResource, available, borrow_level, column
from kubectl_kueue.engine.reasons import (
    ExceedsMaxCapacity,
    FlavorNotAllowedForVariant,
    InsufficientUnused,
    NotInNominationMapping,
    Reason,
    ResourceUnavailable,
    SliceFlavorDiffers,
)
from kubectl_kueue.engine.requests import Amounts, PodSetRequests, in_order
from kubectl_kueue.engine.slices import ReplacedSlice
from kubectl_kueue.engine.snapshot import QueueNode, Snapshot
from kubectl_kueue.engine.taints import UnparsableAffinity
from kubectl_kueue.engine.topology.assignment import TopologyPlacement
from kubectl_kueue.engine.topology.forest import TopologyUsage
from kubectl_kueue.engine.topology.plan import PlacementPlan
from kubectl_kueue.engine.topology.reasons import TopologyReason
from kubectl_kueue.engine.workload import ALLOWED_FLAVORS, LastAssignment, WorkloadInfo


class Mode(IntEnum):
    """What an assignment needs to become real, worst first."""

    NO_FIT = 0
    PREEMPT = 1
    DEFERRED_FIT = 2
    FIT = 3


class FineMode(IntEnum):
    """How one flavor could serve, worst first; the middle three are all `Mode.PREEMPT`."""

    NO_FIT = 0
    NO_CANDIDATES = 1
    PREEMPT = 2
    RECLAIM = 3
    FIT = 4


_COARSE = {
    FineMode.NO_FIT: Mode.NO_FIT,
    FineMode.NO_CANDIDATES: Mode.PREEMPT,
    FineMode.PREEMPT: Mode.PREEMPT,
    FineMode.RECLAIM: Mode.PREEMPT,
    FineMode.FIT: Mode.FIT,
}
_NO_FIT, _NO_CANDIDATES, _FIT = FineMode.NO_FIT, FineMode.NO_CANDIDATES, FineMode.FIT


class FlavorAttempt(NamedTuple):
    """One flavor looked at: its worst resource's mode and the largest borrow level of any."""

    flavor: str
    mode: FineMode
    level: int
    short: bool = False  # whether some resource is short of unused quota (not only of capacity)
    over: bool = False  # whether some resource exceeds the capacity
    mismatched: bool = False


class FlavorChoice:
    """The flavor that a resource got; shared by the podSets of a group."""

    __slots__ = ("flavor", "level", "mode", "tried_index")

    def __init__(self, flavor: str, mode: Mode, level: int) -> None:
        self.flavor = flavor
        self.mode = mode
        self.level = level
        self.tried_index = 0


class PodSetAssignment:
    """What one podSet got: flavors per resource, or the reasons why none."""

    __slots__ = (
        "attempts",
        "count",
        "delayed",
        "error",
        "flavors",
        "index",
        "name",
        "reasons",
        "requests",
        "scans",
        "topology",
    )

    def __init__(self, index: int, requests: PodSetRequests) -> None:
        self.index = index
        self.name = requests.name
        self.count = requests.count
        self.requests = requests.requests
        self.flavors: dict[str, FlavorChoice] = {}
        self.reasons: list[Reason] = []
        self.attempts: list[FlavorAttempt] = []
        self.scans: list[list[FlavorAttempt]] = []
        self.error: TopologyReason | UnparsableAffinity | None = None
        self.topology: TopologyPlacement | None = None
        self.delayed = ""

    @property
    def mode(self) -> Mode:
        if self.error is not None:
            return Mode.NO_FIT
        if not self.reasons:
            return Mode.FIT
        if not self.flavors:
            return Mode.NO_FIT
        return min([choice.mode for choice in self.flavors.values()])


class Assignment:
    """The flavors of all podSets (in the order of assignment) and what they add up to.

    `usage` is what it would take per FlavorResource, `borrowing` the highest borrow level of a chosen
    flavor, `last` how far each podSet's flavors were scanned. `plan` is what would have to be placed in
    topology trees, `placed` where the pods of each podSet would go.
    """

    __slots__ = ("borrowing", "last", "mode", "placed", "plan", "pod_sets", "usage")

    def __init__(self) -> None:
        self.pod_sets: list[PodSetAssignment] = []
        self.usage: dict[FlavorResource, int] = {}
        self.borrowing = 0
        self.last: list[dict[str, int]] = []
        self.mode = Mode.NO_FIT
        self.plan: PlacementPlan | None = None
        self.placed: dict[str, TopologyUsage] = {}

    def settle_mode(self) -> None:
        self.mode = min([p.mode for p in self.pod_sets]) if self.pod_sets else Mode.NO_FIT


Oracle = Callable[[FlavorResource, int], tuple[FineMode, int]]
Pins = Mapping[str, Mapping[str, str]]


class Nomination(NamedTuple):
    """One workload in front of one ClusterQueue, and how hard may be looked for room.

    `oracle` answers "could preemption make room for this amount of this FlavorResource"; `pins`
    binds a recomputation to the flavors of the nomination (4.9); `replaced` is the slice that an
    elastic job's workload would replace.
    """

    snapshot: Snapshot
    queue: QueueNode
    info: WorkloadInfo
    oracle: Oracle
    last: LastAssignment | None = None
    pins: Pins | None = None
    replaced: ReplacedSlice | None = None


def assign_flavors(nomination: Nomination, counts: list[int] | None = None) -> Assignment:
    """Choose flavors for every podSet, with `counts` pods instead of all (5.2)."""
    info, queue = nomination.info, nomination.queue
    requested = info.pod_sets
    if counts is not None:
        requested = [r.scaled(n) for r, n in zip(requested, counts, strict=True)]
    if queue.covers_pods:
        requested = [
            PodSetRequests(r.name, r.count, in_order({**r.requests, "pods": r.count})) for r in requested
        ]
    assignment = Assignment()
    for group in pod_set_groups(info):
        members = [PodSetAssignment(i, requested[i]) for i in group]
        if not _assign_group(nomination, assignment, members):
            break
    assignment.settle_mode()
    return assignment


def pod_set_groups(info: WorkloadInfo) -> list[list[int]]:
    """Indexes of podSets that must share their flavors, in order of first appearance (5.1)."""
    pod_sets = info.obj.spec.pod_sets
    if len(pod_sets) == 1:
        return [[0]]
    groups: list[list[int]] = []
    by_name: dict[str, list[int]] = {}
    for i, pod_set in enumerate(pod_sets):
        request = pod_set.topology_request
        name = request.pod_set_group_name if request else None
        if name and name in by_name:
            by_name[name].append(i)
            continue
        groups.append([i])
        if name:
            by_name[name] = groups[-1]
    return groups


def _assign_group(nomination: Nomination, assignment: Assignment, members: list[PodSetAssignment]) -> bool:
    """Choose for one podSet group and append it; False if the following groups are not looked at."""
    total = _total(members)
    chosen: dict[str, FlavorChoice] = {}
    reasons: list[Reason] = []
    error = None
    scans: list[list[FlavorAttempt]] = []
    for resource in total:
        if resource in chosen or _ignored(nomination, resource, total[resource]):
            continue
        scan = _scan(nomination, members, total, resource, assignment.usage)
        scans.append(scan.attempts)
        if scan.error is not None or not scan.chosen:
            chosen, reasons, error = {}, scan.reasons, scan.error  # only the failing group's survive
            break
        chosen.update(scan.chosen)
        reasons.extend(scan.reasons)
    attempts = [attempt for scan in scans for attempt in scan]
    for member in members:
        member.reasons, member.error, member.attempts, member.scans = list(reasons), error, attempts, scans
        member.flavors = {r: chosen[r] for r in member.requests if r in chosen}
        if not member.requests and len(members) > 1:
            member.flavors = _inherited(nomination.snapshot, chosen)
        _append(nomination, assignment, member)
    return error is None and all(m.flavors or not m.requests for m in members)


def _total(members: list[PodSetAssignment]) -> Amounts:
    if len(members) == 1:
        return members[0].requests
    total: Amounts = {}
    for member in members:
        for resource, amount in member.requests.items():
            total[resource] = total.get(resource, 0) + amount
    return in_order(total)


def _ignored(nomination: Nomination, resource: str, amount: int) -> bool:
    """Whether a resource that no resource group covers is passed over (5.2, 5.8)."""
    if resource in nomination.queue.group_of:
        return False
    return amount == 0 or ignores_undeclared(nomination.snapshot)


def ignores_undeclared(snapshot: Snapshot) -> bool:
    """Whether requests for resources without any quota do not count (5.8)."""
    return (
        snapshot.config.resources.quota_check_strategy == "IgnoreUndeclared"
        and snapshot.gates["QuotaCheckStrategy"]
    )


def _inherited(snapshot: Snapshot, chosen: Mapping[str, FlavorChoice]) -> dict[str, FlavorChoice]:
    """A member of a group that requests nothing gets the group's topology flavors (topology.md 2)."""
    return {r: c for r, c in chosen.items() if snapshot.topology_name(c.flavor)}


def _append(nomination: Nomination, assignment: Assignment, member: PodSetAssignment) -> None:
    assignment.pod_sets.append(member)
    usage = assignment.usage
    replaced = nomination.replaced
    for resource, choice in member.flavors.items():
        amount = member.requests.get(resource, 0)
        if replaced is not None:
            amount = replaced.added(member.name, resource, amount)
        fr = column(choice.flavor, resource)
        usage[fr] = usage.get(fr, 0) + amount
        if choice.level > assignment.borrowing:
            assignment.borrowing = choice.level
    assignment.last.append({r: c.tried_index for r, c in member.flavors.items()})


# --- one resource group (5.3) -------------------------------------------------------------------


class _Scan:
    """The flavors of one resource group, looked at in order."""

    __slots__ = ("attempts", "chosen", "error", "reasons")

    def __init__(self) -> None:
        self.chosen: dict[str, FlavorChoice] = {}
        self.reasons: list[Reason] = []
        self.attempts: list[FlavorAttempt] = []
        self.error: Any = None


def _scan(
    nomination: Nomination,
    members: list[PodSetAssignment],
    total: Amounts,
    resource: str,
    assumed: Mapping[FlavorResource, int],
) -> _Scan:
    scan = _Scan()
    queue = nomination.queue
    group = queue.group_of.get(resource)
    if group is None:
        scan.reasons.append(ResourceUnavailable(resource))
        return scan
    total = {r: v for r, v in total.items() if r in group.covered}
    fungible = nomination.snapshot.gates["FlavorFungibility"]
    best_mode, best_level = _NO_FIT, 0
    tried = -1
    for tried in range(_start(nomination, members, resource, fungible), len(group.flavors)):
        flavor = group.flavors[tried]
        if _passed_over(nomination, members, resource, flavor, scan):
            continue
        why, error = mismatch(nomination, members, group, flavor)
        if why is not None:
            scan.attempts.append(FlavorAttempt(flavor, _NO_FIT, 0, mismatched=True))
            if error is not None:
                scan.error, scan.chosen = error, {}
                return scan
            scan.reasons.append(why)
            continue
        mode, level, candidate = _try_flavor(nomination, members, total, flavor, assumed, scan)
        if not fungible:
            if mode > best_mode:
                scan.chosen, best_mode = candidate, mode
            if mode is _FIT:
                break
            continue
        if not _try_next(queue, mode, level):
            scan.chosen, best_mode = candidate, mode
            break
        if _better(queue, mode, level, best_mode, best_level):
            scan.chosen, best_mode, best_level = candidate, mode, level
    reached_end = tried == len(group.flavors) - 1
    for choice in scan.chosen.values():
        choice.tried_index = 0 if not fungible else -1 if reached_end else tried
    if best_mode is _FIT:
        scan.reasons = []
    return scan


def _start(nomination: Nomination, members: list[PodSetAssignment], resource: str, fungible: bool) -> int:
    """Index of the first flavor to look at: behind the last one of the previous nomination (5.7)."""
    last = nomination.last
    if last is None or not fungible:
        return 0
    index = members[0].index
    if index >= len(last.indexes):
        return 0
    return last.indexes[index].get(resource, -1) + 1


def _passed_over(
    nomination: Nomination, members: list[PodSetAssignment], resource: str, flavor: str, scan: _Scan
) -> bool:
    """Flavors that leave a reason but no attempt: outside the pins, or not allowed for the variant."""
    pins = nomination.pins
    if pins is not None and all(pins.get(m.name, {}).get(resource) != flavor for m in members):
        scan.reasons.append(NotInNominationMapping(flavor, resource))
        return True
    if nomination.snapshot.gates["ConcurrentAdmission"]:
        allowed = nomination.info.obj.metadata.annotations.get(ALLOWED_FLAVORS)
        if allowed is not None and flavor not in [name.strip() for name in allowed.split(",")]:
            scan.reasons.append(FlavorNotAllowedForVariant(flavor))
            return True
    return False


def _try_flavor(
    nomination: Nomination,
    members: list[PodSetAssignment],
    total: Amounts,
    flavor: str,
    assumed: Mapping[FlavorResource, int],
    scan: _Scan,
) -> tuple[FineMode, int, dict[str, FlavorChoice]]:
    """Judge all resources of the group on one flavor; the worst one speaks for it.

    All are evaluated, also after one that does not fit at all, so that all leave their reason.
    """
    queue = nomination.queue
    mode, level = _FIT, 0
    largest = 0
    short = over = differs = False
    candidate: dict[str, FlavorChoice] = {}
    for resource, amount in total.items():
        fr = column(flavor, resource)
        if nomination.replaced is not None:
            amount, other = nomination.replaced.subtract(members, resource, amount, flavor)
            if other is not None:
                differs = True
                scan.reasons.append(SliceFlavorDiffers(flavor, other))
        one, one_level, why = _quota_mode(nomination, fr, assumed.get(fr, 0), amount)
        if why is not None:
            scan.reasons.append(why)
            short = short or type(why) is InsufficientUnused
            over = over or type(why) is ExceedsMaxCapacity
        if differs:
            one = _NO_FIT
        if one_level > largest:
            largest = one_level
        if _better(queue, mode, level, one, one_level):
            mode, level = one, one_level
        if mode is not _NO_FIT:
            candidate[resource] = FlavorChoice(flavor, _COARSE[one], one_level)
    scan.attempts.append(FlavorAttempt(flavor, mode, largest, short, over, differs))
    return mode, level, candidate if mode is not _NO_FIT else {}


def _better(queue: QueueNode, mode: FineMode, level: int, than: FineMode, than_level: int) -> bool:
    """Whether (mode, level) is strictly preferred; the preference names mean what this does (trap T27)."""
    if mode is _NO_FIT:
        return False
    if than is _NO_FIT:
        return True
    if (mode is _NO_CANDIDATES) != (than is _NO_CANDIDATES):
        return mode is not _NO_CANDIDATES
    if queue.fungibility.preference == "PreemptionOverBorrowing":
        return level < than_level if level != than_level else mode > than
    return mode > than if mode is not than else level < than_level


def _try_next(queue: QueueNode, mode: FineMode, level: int) -> bool:
    """Whether the scan goes on after a flavor with this mode and borrow level."""
    if mode <= _NO_CANDIDATES:
        return True
    fungibility = queue.fungibility
    if mode is not _FIT and fungibility.when_can_preempt in ("TryNextFlavor", ""):
        return True
    return level > 0 and fungibility.when_can_borrow == "TryNextFlavor"


# --- one FlavorResource (5.5) -------------------------------------------------------------------


def _quota_mode(
    nomination: Nomination, fr: FlavorResource, assumed: int, amount: int
) -> tuple[FineMode, int, Reason | None]:
    """Could the ClusterQueue give `amount` on top of `assumed`: at once, by preemption, never?

    Returns the mode, the borrow level (0 = within the nominal quota) and the reason if not Fit.
    """
    queue = nomination.queue
    need = assumed + amount
    capacity = queue.potential.get(fr, 0)
    if need > capacity:
        return _NO_FIT, 0, ExceedsMaxCapacity(fr.flavor, fr.resource, assumed, amount, capacity)
    level, may_reclaim = borrow_level(queue, fr, need)
    free = max(0, available(queue, fr))
    if need <= free:
        return _FIT, level, None
    why = InsufficientUnused(fr.flavor, fr.resource, need - free, need, free)
    if (
        queue.nominal.get(fr, 0) >= need
        or may_reclaim
        or preempts_while_borrowing(nomination.snapshot, queue)
    ):
        mode, level = nomination.oracle(fr, need)
        return mode, level, why
    return _NO_FIT, level, why


def preempts_while_borrowing(snapshot: Snapshot, queue: QueueNode) -> bool:
    """Whether others may be preempted for quota that the ClusterQueue only borrows."""
    if queue.borrows_by_preemption:
        return True
    # An empty reclaim policy is not Never here: the API's defaulting hides it, recorded objects do not.
    return snapshot.fair_sharing and queue.preemption.reclaim_within_cohort != "Never"

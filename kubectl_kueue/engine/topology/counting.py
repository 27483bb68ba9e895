"""How many pods and slices fit in every domain (topology.md 3).

Counts are lists per level, indexed by domain. Without a leader the numbers "beside a leader" are the
same lists as the plain ones.
"""

from collections.abc import Mapping, Sequence

from kubectl_kueue.engine.topology.filters import LeafVerdicts
from kubectl_kueue.engine.topology.request import PlacementRequest, Shape
from kubectl_kueue.engine.topology.tree import Amounts, Columns, TopologyTree

MAX_PODS = 2**31 - 1  # what Kueue takes for "any number"

Assumed = Mapping[int, Amounts]  # leaf -> what earlier podSets of the same workload take there


class LevelCounts:
    """Of each domain of one level: pods and slices that fit, and those that fit beside a leader.

    `leaders` is 1 where a leader fits; `scores` is None unless preferred affinity counts.
    """

    __slots__ = ("leaders", "pods", "pods_led", "scores", "slices", "slices_led")

    def __init__(self, pods: list[int], pods_led: list[int], leaders: list[int]) -> None:
        self.pods = pods
        self.pods_led = pods_led
        self.leaders = leaders
        self.slices = pods
        self.slices_led = pods_led
        self.scores: list[int] | None = None

    def copy(self) -> "LevelCounts":
        """An independent copy, none of its lists shared."""
        twin = LevelCounts(self.pods.copy(), self.pods_led.copy(), self.leaders.copy())
        twin.slices = self.slices.copy()
        twin.slices_led = self.slices_led.copy()
        twin.scores = self.scores
        return twin


def count_fits(
    tree: TopologyTree,
    request: PlacementRequest,
    shape: Shape,
    columns: Columns,
    assumed: Assumed,
    verdicts: LeafVerdicts,
    within: range | None,
) -> list[LevelCounts]:
    """Counts of all levels, widest first; leaves that are excluded or outside `within` count nothing."""
    pods = pods_per_leaf(request.requests, columns, tree.leaves, assumed)
    leaders = [0] * tree.leaves
    pods_led = pods
    if request.leader is not None:
        leaders, pods_led = _beside_leader(request, columns, assumed, pods)
    lists = [pods] if pods_led is pods else [pods, pods_led, leaders]
    for numbers in lists:
        for leaf in verdicts.excluded:
            numbers[leaf] = 0
        if within is not None:
            numbers[: within.start] = [0] * within.start
            numbers[within.stop :] = [0] * (tree.leaves - within.stop)
    leaves = LevelCounts(pods, pods_led, leaders)
    levels = roll_up(tree, shape, leaves, leader=request.leader is not None)
    if verdicts.scores is not None:
        _sum_scores(tree, verdicts.scores, levels)
    return levels


def pods_per_leaf(requests: Amounts, columns: Columns, leaves: int, assumed: Assumed) -> list[int]:
    """How many such pods fit in each leaf."""
    least: list[int] | None = None
    for resource, amount in requests.items():
        if amount == 0:
            continue
        column = columns.get(resource)
        if column is None:
            least = [0] * leaves
            break
        fit = [free // amount for free in column]
        least = fit if least is None else [a if a < b else b for a, b in zip(least, fit, strict=True)]
    if least is None:
        return [MAX_PODS if requests else 0] * leaves
    if leaves and (min(least) < 0 or max(least) > MAX_PODS):
        least = [0 if n < 0 else min(n, MAX_PODS) for n in least]
    for leaf, used in assumed.items():
        least[leaf] = times(requests, columns, leaf, used)
    return least


def times(requests: Amounts, columns: Columns, leaf: int, used: Amounts | None = None) -> int:
    """How many such pods fit in one leaf when `used` is gone from it; a pod without requests never does."""
    least = MAX_PODS if requests else 0
    for resource, amount in requests.items():
        if amount:
            least = min(least, room(resource, amount, columns, leaf, used))
    return least


def room(resource: str, amount: int, columns: Columns, leaf: int, used: Amounts | None) -> int:
    """How many times an amount of one resource fits in one leaf."""
    column = columns.get(resource)
    free = column[leaf] if column is not None else 0
    if used:
        free -= used.get(resource, 0)
    return min(MAX_PODS, max(0, free // amount))


def scarcest_resource(requests: Amounts, columns: Columns, leaf: int, used: Amounts | None) -> str | None:
    """The first resource by name of which there is too little for one pod; None if one fits."""
    short = (r for r, a in sorted(requests.items()) if a and room(r, a, columns, leaf, used) == 0)
    return next(short, None)


def _beside_leader(
    request: PlacementRequest, columns: Columns, assumed: Assumed, pods: list[int]
) -> tuple[list[int], list[int]]:
    """Per leaf: whether the leader fits, and how many pods fit when it is there (all where it does not)."""
    leader = request.leader_requests
    leaders = [1 if n > 0 else 0 for n in pods_per_leaf(leader, columns, len(pods), assumed)]
    behind = {
        resource: [free - leader.get(resource, 0) for free in columns[resource]]
        for resource in request.requests
        if resource in columns
    }
    led = pods_per_leaf(request.requests, behind, len(pods), assumed)
    return leaders, [few if there else many for few, many, there in zip(led, pods, leaders, strict=True)]


def roll_up(tree: TopologyTree, shape: Shape, leaves: LevelCounts, *, leader: bool) -> list[LevelCounts]:
    """Counts of all levels, widest first, from those of the leaves."""
    levels = [leaves]
    for level in range(tree.lowest - 1, -1, -1):
        pods, led, leaders = sum_pods(tree.children[level], levels[0], shape.inner.get(level + 1), leader)
        levels.insert(0, LevelCounts(pods, led, leaders))
    for level in range(tree.lowest, -1, -1):
        counts = levels[level]
        if level == shape.slice_level:
            counts.slices = in_slices(counts.pods, shape.slice_size)
            counts.slices_led = in_slices(counts.pods_led, shape.slice_size) if leader else counts.slices
        elif level > shape.slice_level:
            counts.slices = counts.slices_led = [0] * len(counts.pods)
        else:
            counts.slices, counts.slices_led = sum_slices(tree.children[level], levels[level + 1], leader)
    return levels


def in_slices(pods: list[int], size: int) -> list[int]:
    """Pods as whole slices; the very same list if a slice is one pod."""
    return pods if size == 1 else [n // size for n in pods]


def sum_pods(
    parents: Sequence[tuple[int, int]], below: LevelCounts, size: int | None, leader: bool
) -> tuple[list[int], list[int], list[int]]:
    """Pods, pods beside a leader and leaders of parents; their children count in units of `size` pods."""
    pods = below.pods if size is None else [n - n % size for n in below.pods]
    sums = [sum(pods[first:last]) for first, last in parents]
    if not leader:
        return sums, sums, [0] * len(parents)
    led = below.pods_led if size is None else [n - n % size for n in below.pods_led]
    leaders = [max(below.leaders[first:last]) for first, last in parents]
    return sums, _beside(sums, parents, pods, led, below.leaders), leaders


def sum_slices(
    parents: Sequence[tuple[int, int]], below: LevelCounts, leader: bool
) -> tuple[list[int], list[int]]:
    """Slices, and slices beside a leader, of parents."""
    sums = [sum(below.slices[first:last]) for first, last in parents]
    if not leader:
        return sums, sums
    return sums, _beside(sums, parents, below.slices, below.slices_led, below.leaders)


def _beside(
    sums: list[int], parents: Sequence[tuple[int, int]], plain: list[int], led: list[int], leaders: list[int]
) -> list[int]:
    """What is left beside a leader where it costs least; nothing where it does not fit."""
    left = []
    for total, (first, last) in zip(sums, parents, strict=True):
        losses = [plain[i] - led[i] for i in range(first, last) if leaders[i]]
        left.append(total - min(losses) if losses else 0)
    return left


def _sum_scores(tree: TopologyTree, scores: list[int], levels: list[LevelCounts]) -> None:
    levels[-1].scores = scores
    for level in range(tree.lowest - 1, -1, -1):
        scores = [sum(scores[first:last]) for first, last in tree.children[level]]
        levels[level].scores = scores

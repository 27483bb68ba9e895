"""Placing a whole workload: every podSet of its plan, one after the other (topology.md 2.1, 7)."""

from collections.abc import Iterable, Mapping

import msgspec

from kubectl_kueue.engine.requests import pod_requests
from kubectl_kueue.engine.topology.assignment import TopologyPlacement, beyond
from kubectl_kueue.engine.topology.elastic import assume, place_slice
from kubectl_kueue.engine.topology.forest import TopologyForest, TopologyUsage, with_pod
from kubectl_kueue.engine.topology.placement import Failed, Placed, place
from kubectl_kueue.engine.topology.plan import PlacementPlan, Task
from kubectl_kueue.engine.topology.reasons import TopologyReason
from kubectl_kueue.engine.topology.replacement import replace_node
from kubectl_kueue.model.objects import PodSpec

Taken = dict[str, dict[int, dict[str, int]]]  # flavor -> leaf -> requests


class WorkloadPlacement(msgspec.Struct, frozen=True):
    """What each podSet got, and why the others got nothing, both by podSet name.

    `failed` is the podSet that Kueue names: the first failing one in the order of placement, of a
    group its first member. None if everything was placed.
    """

    placed: dict[str, TopologyUsage]
    failures: dict[str, TopologyReason]
    failed: str | None = None

    @property
    def usages(self) -> list[TopologyUsage]:
        """The pods it would put in the trees: to claim, or to check in the cycle."""
        return list(self.placed.values())


def place_workload(
    forest: TopologyForest, plan: PlacementPlan, *, simulate_empty: bool = False, explain: bool = True
) -> WorkloadPlacement:
    """Make all placements of a plan on the current state of the forest, which stays as it is.

    A failure ends the placements in its tree; those in other trees are still tried.
    """
    placed: dict[str, TopologyUsage] = {}
    failures: dict[str, TopologyReason] = {}
    failed: str | None = None
    taken: Taken = {}
    stopped: set[str] = set()
    for task in plan.tasks:
        if task.flavor in stopped:
            continue
        result = _place_task(forest, plan, task, taken, simulate_empty, explain)
        if isinstance(result, Failed):
            stopped.add(task.flavor)
            members = (task.request.pod_set,) if task.previous else task.members
            failures.update(dict.fromkeys(members, result.reason))
            failed = members[0] if failed is None else failed
        else:
            placed.update(_usages(task, result))
    return WorkloadPlacement(placed, failures, failed)


def _place_task(
    forest: TopologyForest,
    plan: PlacementPlan,
    task: Task,
    taken: Taken,
    simulate_empty: bool,
    explain: bool,
) -> Placed | Failed:
    tree, request = forest.trees[task.flavor], task.request
    assumed = taken.get(task.flavor, {})
    scored = not forest.gates["TASRespectNodeAffinityPreferred"] or forest.first_placement(
        plan.workload, request.pod_set, task.flavor
    )
    result: Placed | Failed | None = None
    if task.repair is not None:
        result, added = replace_node(
            tree,
            request,
            task.repair,
            plan.unhealthy,
            assumed=assumed,
            simulate_empty=simulate_empty,
            scored=scored,
            explain=explain,
        )
        _take(forest, taken, TopologyUsage(task.flavor, added, request.requests))
        return result
    if task.previous:
        result = place_slice(
            tree,
            request,
            task.previous,
            assumed=assumed,
            simulate_empty=simulate_empty,
            scored=scored,
            explain=explain,
        )
    if result is None:
        result = place(
            tree, request, simulate_empty=simulate_empty, assumed=assumed, scored=scored, explain=explain
        )
    if isinstance(result, Placed):
        for usage in _usages(task, result).values():
            _take(forest, taken, usage)
    return result


def _usages(task: Task, result: Placed) -> dict[str, TopologyUsage]:
    request = task.request
    found = {request.pod_set: TopologyUsage(task.flavor, result.placement, request.requests)}
    if request.leader is not None and result.leader is not None:
        found[request.leader] = TopologyUsage(task.flavor, result.leader, request.leader_requests)
    return found


def _take(forest: TopologyForest, taken: Taken, usage: TopologyUsage) -> None:
    """What one podSet takes is seen by later ones, in all trees over the same hosts."""
    for tree in forest.sharing(usage.flavor):
        assume(tree, taken.setdefault(tree.flavor, {}), usage.placement, usage.requests)


def held_usages(
    forest: TopologyForest,
    pod_sets: Iterable[tuple[Mapping[str, str], TopologyPlacement | None, PodSpec]],
) -> list[TopologyUsage]:
    """What a workload with a reservation occupies: (flavors by resource, placement, pod template) each.

    Reclaimable pods do not lessen it (trap T11).
    """
    return [
        TopologyUsage(flavor, placement, with_pod(pod_requests(spec)))
        for flavors, placement, spec in pod_sets
        if placement is not None
        for flavor in sorted({f for f in flavors.values() if f in forest.trees})
    ]


def excess(usage: TopologyUsage, held: TopologyPlacement | None) -> TopologyUsage:
    """What a second pass takes beyond the assignment that the podSet already holds (7.1)."""
    return TopologyUsage(usage.flavor, beyond(usage.placement, held), usage.requests)

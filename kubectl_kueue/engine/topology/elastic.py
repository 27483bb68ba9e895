"""Placing a workload slice that replaces a smaller or larger one (topology.md 9)."""

from collections.abc import Mapping

import msgspec

from kubectl_kueue.engine.topology.assignment import TopologyPlacement, first_pods
from kubectl_kueue.engine.topology.counting import Assumed
from kubectl_kueue.engine.topology.placement import Failed, Placed, place
from kubectl_kueue.engine.topology.request import PlacementRequest
from kubectl_kueue.engine.topology.tree import Amounts, TopologyTree


def place_slice(
    tree: TopologyTree,
    request: PlacementRequest,
    previous: Mapping[str, TopologyPlacement],
    *,
    assumed: Assumed,
    simulate_empty: bool = False,
    scored: bool = True,
    explain: bool = True,
) -> Placed | Failed | None:
    """The old placement grown or cut to the new count; None if it cannot be kept.

    The state still holds the old slice, and what is kept of it is counted a second time.
    """
    kept = previous.get(request.pod_set)
    leader = previous.get(request.leader) if request.leader is not None else None
    if kept is None or (request.leader is not None and leader is None):
        return None
    places = [kept] if leader is None else [kept, leader]
    if any(tree.leaf(values) is None for placement in places for values, _ in placement.domains):
        return None
    more = request.count - kept.pods
    if more <= 0:
        return Placed(kept if more == 0 else first_pods(kept, request.count), leader)
    taken = {leaf: dict(used) for leaf, used in assumed.items()}
    assume(tree, taken, kept, request.requests)
    if leader is not None:
        assume(tree, taken, leader, request.leader_requests)
    result = place(
        tree,
        msgspec.structs.replace(request, count=more, leader=None, leader_requests={}),
        simulate_empty=simulate_empty,
        assumed=taken,
        scored=scored,
        explain=explain,
    )
    if isinstance(result, Failed):
        return result
    return Placed(tree.merged(kept, result.placement), leader)


def assume(
    tree: TopologyTree, taken: dict[int, dict[str, int]], placement: TopologyPlacement, requests: Amounts
) -> None:
    """Add the pods of a placement to what is taken per leaf."""
    for values, count in placement.domains:
        leaf = tree.leaf(values)
        if leaf is None:
            continue
        used = taken.setdefault(leaf, {})
        for resource, amount in requests.items():
            used[resource] = used.get(resource, 0) + amount * count

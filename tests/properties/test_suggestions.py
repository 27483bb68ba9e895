"""What is suggested keeps its promise: made, it leads to the verdict; one unit less does not."""

from collections.abc import Sequence

from hypothesis import assume, given, settings
from msgspec.structs import replace

from kubectl_kueue.cluster.kinds import known_kind
from kubectl_kueue.engine.counterfactual.remedies import quota_added
from kubectl_kueue.engine.counterfactual.suggest import Suggestion, suggest
from kubectl_kueue.engine.counterfactual.trial import RANKS
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation.facts import Holding
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.model.change import Change, apply_changes, parse_change
from kubectl_kueue.model.world import World
from kubectl_kueue.views.admit import admit_outcomes
from tests.properties.engine_worlds import Plan, plans, short
from tests.worlds import decode

FIELDS = {
    "raise-quota": "nominalQuota",
    "raise-borrowing-limit": "borrowingLimit",
    "raise-lending-limit": "lendingLimit",
}


@settings(max_examples=60)
@given(plans())
def test_what_is_suggested_keeps_its_promise(plan: Plan) -> None:
    world = decode(short(plan))
    waiting = [key for key, each in world.workloads.items() if each.status.admission is None]
    assume(waiting)
    for key in waiting[:2]:
        verdict = explain(world, key)
        for suggestion in suggest(world, verdict, lambda: False).suggestions:
            assert RANKS[suggestion.verdict] > RANKS.get(verdict.state, 0)
            check_promise(world, key, suggestion)
            check_least(world, key, suggestion)


def check_promise(world: World, key: str, suggestion: Suggestion) -> None:
    made = after(world, suggestion, [read(text) for text in suggestion.sets])
    found = explain(made, key)
    assert found.state == suggestion.verdict
    assert [v.workload for v in found.victims] == [v.workload for v in suggestion.evicts]
    run = simulate(as_it_stands(made), mode="until-idle", max_cycles=200)
    assert admit_outcomes(run, [key])[key] == suggestion.verdict


def check_least(world: World, key: str, suggestion: Suggestion) -> None:
    """One unit less of any amount leads to a worse verdict."""
    remedy = suggestion.remedies[0]
    if not suggestion.minimal or remedy.code not in FIELDS:
        return
    for index, amount in enumerate(remedy.amounts):
        less = [*remedy.amounts]
        less[index] = Holding(amount.flavor, amount.resource, amount.amount - 1)
        changes = quota_added(remedy.queue_kind, remedy.queue, FIELDS[remedy.code], less)
        found = explain(after(world, suggestion, changes), key)
        assert RANKS.get(found.state, 0) < RANKS[suggestion.verdict]


def after(world: World, suggestion: Suggestion, changes: Sequence[Change]) -> World:
    gone = {name for remedy in suggestion.remedies for name in remedy.workloads}
    world = apply_changes(world, changes)
    return replace(world, workloads={k: w for k, w in world.workloads.items() if k not in gone})


def read(text: str) -> Change:
    return parse_change(text, lambda word: known_kind(word).kind)  # type: ignore[union-attr]

"""`explain`, which looks at one workload, and `admit --dry-run`, which runs everything, say the same.

On the recorded worlds: a few of the pending workloads of each, so that all families have their say.
"""

from pathlib import Path

import pytest

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.engine.entry import Status
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.simulate import Run, simulate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.admit import admit_outcomes
from kubectl_kueue.views.explain import explain_page

WORLDS = Path(__file__).parents[1] / "data" / "conformance"
FAMILIES = sorted(path.name for path in WORLDS.iterdir())
OF_EACH_WORLD = 2


@pytest.mark.parametrize("family", FAMILIES)
def test_explain_and_admit_agree(family: str) -> None:
    seen = 0
    for path in sorted((WORLDS / family).glob("**/*.scenario.json*")):
        world = decode_world(read_source(str(path)))
        run = simulate(world, mode="until-idle", max_cycles=100)
        outcomes = admit_outcomes(run, None)
        keys = list(outcomes)
        for key in keys[:: max(1, len(keys) // OF_EACH_WORLD)]:
            verdict = explain(world, key)
            assert list(lay_out(explain_page(verdict, trace=True), width=80))
            if verdict.decisive is not None and verdict.decisive.name == "backOff":
                continue  # which may end while the run goes on
            assert (path.name, key, outcomes[key]) == (path.name, key, str(verdict.state))
            if verdict.state is Word.PREEMPT:
                assert [v.workload for v in verdict.victims] == first_victims(run, key)
            seen += 1
    assert seen


def first_victims(run: Run, key: str) -> list[str]:
    entries = (
        e for result in run.cycles for e in result if e.info.key == key and e.status is Status.PREEMPTING
    )
    return sorted({target.workload.key for target in next(entries).preempting})

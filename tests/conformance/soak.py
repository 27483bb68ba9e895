"""Random worlds, and what must hold in each of them whatever the scheduler decides.

    python -m tests.conformance.soak SEED COUNT [--jobs N]

Every world is made of one number, SEED, SEED + 1, …; every relation in RELATIONS is tried on it. No reference
is needed. Last line `holds N/M`; exit status 0 only if N = M. `soak SEED 1` tries one world again.
"""

import argparse
import json
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.views.admit import admit_outcomes
from tests.properties.engine_worlds import Plan, plan_of, short
from tests.properties.test_engine_runs import (
    mirrored,
    verdict_of,
    without_amounts,
    without_order_of_names,
    without_the_other,
)
from tests.worlds import decode, run, scenario

PARTS = ("cohorts", "queues", "running", "pending")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.soak", description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    with ProcessPoolExecutor(max(1, arguments.jobs)) as pool:
        broken = [found for found in pool.map(broken_relations, seeds, chunksize=8) if found]
    for found in broken:
        print("\n".join(found))
    print(f"holds {len(seeds) - len(broken)}/{len(seeds)}")
    return 1 if broken else 0


def broken_relations(seed: int) -> list[str]:
    """What does not hold in the world of a seed: its name, and why."""
    found = []
    for name, relation in RELATIONS.items():
        random = Random(f"{seed} {name}")
        plan = plan_of(Random(seed), None)
        mode = random.choice(["cycle", "until-idle"])
        try:
            relation(plan, mode, random)
        except Exception as error:
            line = traceback.extract_tb(error.__traceback__)[-1].lineno
            found.append(
                f"world {seed}: {name} ({mode}): {type(error).__name__} in line {line} {error}"[:500]
            )
    return found


# --- relations ------------------------------------------------------------------------------------


def _deterministic(plan: Plan, mode: str, random: Random) -> None:
    world = {**short(plan), "mode": mode}
    assert run(world) == run(world)


def _shuffled(plan: Plan, mode: str, random: Random) -> None:
    """Under fair sharing equal shares of two cohorts are a tie that their order decides."""
    document = scenario({**short(plan), "mode": mode})
    before = verdict_of(document)
    objects = document["objects"]
    fixed = [each for each in objects if plan["fair"] and each["kind"] == "Cohort"]
    others = [each for each in objects if each not in fixed]
    random.shuffle(others)
    document["objects"] = [*fixed, *others]
    assert verdict_of(document) == before


def _renamed(plan: Plan, mode: str, random: Random) -> None:
    """Other names of the same order; and of the opposite order where no tie is decided by names."""
    before = run({**short(plan), "mode": mode})
    prefix = random.choice(["a-", "z-", "new-"])
    after = run({**short(plan, name=lambda name: f"{prefix}{name}"), "mode": mode})
    names = re.compile(rf"{prefix}(?=(?:co|cq|fl|wr|wp)\d)")
    assert json.loads(names.sub("", json.dumps(after))) == before
    if not plan["fair"]:
        turned = run({**short(plan, name=mirrored), "mode": mode})
        text = re.sub(r"\b(co|cq|fl|wr|wp)(\d)\b", lambda match: mirrored(match[0]), json.dumps(turned))
        assert without_order_of_names(json.loads(text)) == without_order_of_names(before)


def _scaled(plan: Plan, mode: str, random: Random) -> None:
    before = run({**short(plan), "mode": mode})
    after = run({**short(plan, scale=random.randint(2, 10_000)), "mode": mode})
    assert without_amounts(after) == without_amounts(before)


def _unrelated(plan: Plan, mode: str, random: Random) -> None:
    """Another cohort tree with workloads; until-idle without pending ones, as more heads are more cycles."""
    here = {**short(plan), "mode": mode}
    other = plan_of(random, plan["fair"])
    there = short(other, name=lambda name: name if name.startswith("fl") else f"other-{name}")
    if mode == "until-idle":
        there["pending"] = {}
    together = {**here, **{part: {**here[part], **there[part]} for part in PARTS}}
    assert without_the_other(run(together)) == without_the_other(run(here))


def _more_quota(plan: Plan, mode: str, random: Random) -> None:
    """More nominal quota, where nobody preempts: who got in may have to wait, but never for ever."""
    calm: Plan = {**plan, "fair": False, "queues": [_calm(queue) for queue in plan["queues"]]}
    richer = json.loads(json.dumps(calm))
    cells = random.choice(richer["queues"])["cells"]
    at = random.randrange(len(cells))
    cells[at] = [cells[at][0] + random.randint(1, 5), *cells[at][1:]]
    before, after = _outcomes({**short(calm), "mode": mode}), _outcomes({**short(richer), "mode": mode})
    lost = [key for key, word in before.items() if word == "Admit" and after[key] == "Never"]
    assert not lost, lost


def _calm(queue: Mapping[str, Any]) -> dict[str, Any]:
    return {**queue, "rules": {"within": "Never", "reclaim": "Never"}, "borrow": None}


def _outcomes(world: Plan) -> Mapping[str, str]:
    return admit_outcomes(simulate(decode(world)), None)


def _usage(plan: Plan, mode: str, random: Random) -> None:
    """Usage is what those hold who hold quota; no more than was there and was admitted; a tree that was
    within its quota still is."""
    began = simulate(decode({**short(plan), "pending": {}, "mode": "cycle"})).state.snapshot
    finished = simulate(decode({**short(plan), "mode": mode}))
    ended = finished.state.snapshot
    admitted: dict[tuple[str, Any], int] = {}
    for result in finished.cycles:
        for entry in result:
            if entry.status == "assumed":
                for fr, amount in entry.assignment.usage.items():
                    admitted[entry.queue.name, fr] = admitted.get((entry.queue.name, fr), 0) + amount
    for name, queue in ended.queues.items():
        for fr, amount in queue.usage.items():
            assert amount == sum(info.usage.get(fr, 0) for info in queue.workloads.values())
            assert 0 <= amount <= began.queues[name].usage.get(fr, 0) + admitted.get((name, fr), 0)
    if mode == "until-idle":  # victims are gone by then
        for name, node in [*ended.cohorts.items(), *ended.queues.items()]:
            before = began.cohorts.get(name) or began.queues[name]
            for fr, amount in node.usage.items():
                if node.parent is None and before.usage.get(fr, 0) <= before.subtree.get(fr, 0):
                    assert amount <= node.subtree.get(fr, 0)


def _undone(plan: Plan, mode: str, random: Random) -> None:
    """What a simulation takes away is there again when it is over, at every node."""
    snapshot = simulate(decode({**short(plan), "mode": mode})).state.snapshot
    nodes = [*snapshot.queues.values(), *snapshot.cohorts.values()]
    before = [dict(node.usage) for node in nodes]
    held = [info for queue in snapshot.queues.values() for info in queue.workloads.values()]
    random.shuffle(held)
    mark = snapshot.mark()
    for info in held[: random.randint(0, len(held))]:
        snapshot.take_out(info)
    snapshot.undo(mark)
    assert [dict(node.usage) for node in nodes] == before


RELATIONS: Mapping[str, Callable[[Plan, str, Random], None]] = {
    "the same again": _deterministic,
    "the order of objects means nothing": _shuffled,
    "names mean nothing": _renamed,
    "the unit means nothing": _scaled,
    "another cohort means nothing": _unrelated,
    "more quota makes nothing impossible": _more_quota,
    "usage adds up": _usage,
    "simulations are undone": _undone,
}


if __name__ == "__main__":
    sys.exit(main())

"""Random small worlds for properties of the engine.

A plan is plain data, made from a seed: drawn piece by piece by hypothesis, worlds would mostly be empty,
and what is interesting happens in full ones. `short` turns it into a world in the form of tests/worlds.py,
with other names or all cpu amounts multiplied where a property asks for that.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

Plan = dict[str, Any]
Name = Callable[[str], str]


def plans(*, fair: bool | None = None) -> st.SearchStrategy[Plan]:
    """Some ClusterQueues in some cohorts, rather full, and others that want to get in."""
    return st.integers(0, 2**32).map(lambda seed: plan_of(Random(seed), fair))


def plan_of(random: Random, fair: bool | None) -> Plan:
    """The plan of one source of random numbers; `fair`: under fair sharing or not, None for either."""
    cohorts = [
        random.choice([None, *range(i)]) if i else None for i in range(random.choice([0, 1, 1, 2, 3, 3]))
    ]
    flavors = random.randint(1, 2)
    queues = [_queue(random, len(cohorts), flavors) for _ in range(random.randint(1, 4))]
    places = range(len(queues))
    return {
        "fair": random.random() < 0.5 if fair is None else fair,
        "cohorts": [
            (parent, [_cell(random, 2, parent is not None) for _ in range(flavors)]) for parent in cohorts
        ],
        "flavors": flavors,
        "queues": queues,
        "running": [
            (random.choice(places), random.randint(1, 4), random.randrange(flavors), random.randint(0, 3))
            for _ in range(random.randint(0, 8))
        ],
        "pending": [
            (
                random.choice(places),
                random.randint(1, 4),
                random.choice([1, 1, 2, 3]),
                random.randint(1, 5),
                random.random() < 0.2,
            )
            for _ in range(random.randint(1, 6))
        ],
    }


def _queue(random: Random, cohorts: int, flavors: int) -> Plan:
    cohort = random.choice([None, *range(cohorts), *range(cohorts), *range(cohorts)])
    return {
        "cohort": cohort,
        "cells": [_cell(random, 6, cohort is not None) for _ in range(flavors)],
        "strict": random.random() < 0.3,
        "weight": random.choice([0, 1, 1, 2, 3]),
        "rules": {
            "within": random.choice(["Never", "LowerPriority", "LowerOrNewerEqualPriority"]),
            "reclaim": random.choice(["Never", "LowerPriority", "LowerOrNewerEqualPriority", "Any", "Any"]),
        },
        "borrow": random.choice([None, None, -1, 1, 2]),
        "fungibility": {
            "whenCanBorrow": random.choice(["MayStopSearch", "TryNextFlavor"]),
            "whenCanPreempt": random.choice(["MayStopSearch", "TryNextFlavor"]),
        },
    }


def _cell(random: Random, most: int, limited: bool) -> tuple[int, int | None, int | None]:
    """Nominal quota, borrowing limit and lending limit."""
    limits = [random.randint(0, 4) if limited and random.random() < 0.25 else None for _ in range(2)]
    return random.randint(0, most), *limits


def short(plan: Plan, *, scale: int = 1, name: Name = str) -> Plan:
    """The world of a plan, its names passed through `name`, its cpu amounts multiplied by `scale`."""
    quota = [name(f"fl{i}") for i in range(plan["flavors"])]
    queues = [name(f"cq{i}") for i in range(len(plan["queues"]))]
    return {
        "config": {"fairSharing": {"enable": True}} if plan["fair"] else {},
        "cohorts": {
            name(f"co{i}"): {
                "quota": {f: _amount(cell, scale) for f, cell in zip(quota, cells, strict=True)},
                **({} if parent is None else {"parent": name(f"co{parent}")}),
            }
            for i, (parent, cells) in enumerate(plan["cohorts"])
        },
        "queues": {
            queues[i]: {
                "quota": {f: _amount(cell, scale) for f, cell in zip(quota, queue["cells"], strict=True)},
                **({} if queue["cohort"] is None else {"cohort": name(f"co{queue['cohort']}")}),
                "strict": queue["strict"],
                "weight": queue["weight"],
                **queue["rules"],
                "borrow": _borrow(queue["borrow"]),
                "fungibility": queue["fungibility"],
            }
            for i, queue in enumerate(plan["queues"])
        },
        "running": {
            name(f"wr{i}"): {
                "queue": queues[q],
                "asks": asks * scale,
                "flavor": quota[f],
                "prio": prio,
                "since": i,
            }
            for i, (q, asks, f, prio) in enumerate(plan["running"])
        },
        "pending": {
            name(f"wp{i}"): {
                "queue": queues[q],
                "asks": asks * scale,
                "count": count,
                "prio": prio,
                **({"min": 1} if shrinks else {}),
            }
            for i, (q, asks, count, prio, shrinks) in enumerate(plan["pending"])
        },
    }


def _amount(cell: tuple[int, int | None, int | None], scale: int) -> str:
    nominal, borrow, lend = cell
    limits = ((" borrow", borrow), (" lend", lend))
    return str(nominal * scale) + "".join(f"{word} {n * scale}" for word, n in limits if n is not None)


def _borrow(threshold: int | None) -> Any:
    """borrowWithinCohort: none, LowerPriority, or that with a threshold."""
    if threshold is None:
        return "Never"
    return {"policy": "LowerPriority", **({} if threshold < 0 else {"maxPriorityThreshold": threshold})}

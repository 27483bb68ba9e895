"""Does a snapshot give the answers that the cluster gives? Both are asked, and the documents compared."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.simulate import most_cycles, simulate
from kubectl_kueue.model.objects import Condition
from kubectl_kueue.model.redact import PIECE, Redacted
from kubectl_kueue.model.world import World
from kubectl_kueue.views.explain_document import explain_document
from kubectl_kueue.views.verdict import verdict_document

NOT_COMPARED = frozenset({"message", "next", "assumptions", "near"})
"""Sentences, which no program reads, and `near`, names that are spelled alike: new ones are not."""

Same = Callable[[str, str], bool]


class Answers(NamedTuple):
    """What explain says of some workloads, and what admit --dry-run says of everything."""

    explained: Mapping[str, Mapping[str, Any]]
    admitted: Mapping[str, Any]


def pending(world: World, limit: int) -> list[str]:
    """Workloads without a reservation that have not ended; at most `limit`, spread over all of them."""
    keys = [
        key
        for key, each in sorted(world.workloads.items())
        if each.status.admission is None and not any(_has_ended(c) for c in each.status.conditions)
    ]
    step = -(-len(keys) // limit) if keys else 1
    return keys[::step]


def ask(world: World, keys: Sequence[str]) -> Answers:
    """The documents of explain for these workloads, and that of admit."""
    mode, cycles = (world.mode, world.max_cycles) if world.steady else ("until-idle", most_cycles(world))
    run = simulate(as_it_stands(world), mode=mode, max_cycles=cycles)
    explained = {key: explain_document(explain(world, key)) for key in keys}
    return Answers(explained, {**verdict_document(run), "name": ""})


def first_difference(before: Answers, after: Answers, same: Same) -> str | None:
    """Where two answers differ, None if they say the same; `same` compares two texts."""
    pairs = zip(before.explained.items(), after.explained.items(), strict=True)
    for (key, old), (_, new) in pairs:
        if (place := _difference(old, new, same)) is not None:
            return f"explain workload {key}: {place}"
    place = _difference(before.admitted, after.admitted, same)
    return None if place is None else f"admit --dry-run: {place}"


def equal_under(redacted: Redacted) -> Same:
    """Whether a text is another one under new names."""

    def same(old: str, new: str) -> bool:
        if old == new or redacted.uids.get(old) == new:
            return True
        if PIECE.split(old) != PIECE.split(new):
            return False
        pairs = zip(PIECE.findall(old), PIECE.findall(new), strict=True)
        return all(a == b or redacted.pieces.get(a) == b for a, b in pairs)

    return same


def _has_ended(condition: Condition) -> bool:
    return condition.type == "Finished" and condition.status == "True"


def _difference(old: Any, new: Any, same: Same, place: str = "") -> str | None:
    """The JSON pointer of the first difference."""
    if isinstance(old, str) and isinstance(new, str):
        return None if same(old, new) else place or "/"
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        items, new_items = _compared(old), _compared(new)
        if len(items) != len(new_items):
            return place or "/"
        for (key, value), (new_key, new_value) in zip(items, new_items, strict=True):
            if not same(key, new_key):
                return f"{place}/{key}"
            if (found := _difference(value, new_value, same, f"{place}/{key}")) is not None:
                return found
        return None
    if isinstance(old, list | tuple) and isinstance(new, list | tuple):
        if len(old) != len(new):
            return place or "/"
        for index, (value, new_value) in enumerate(zip(old, new, strict=True)):
            if (found := _difference(value, new_value, same, f"{place}/{index}")) is not None:
                return found
        return None
    return None if type(old) is type(new) and old == new else place or "/"


def _compared(value: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(key, each) for key, each in value.items() if key not in NOT_COMPARED]

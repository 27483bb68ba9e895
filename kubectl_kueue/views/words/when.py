"""When it gets its quota, and how that is known."""

from collections.abc import Iterator, Mapping
from typing import Any

from kubectl_kueue.engine.history import Runs
from kubectl_kueue.engine.when import Bound, Estimate
from kubectl_kueue.model.timestamp import SECOND, format_time
from kubectl_kueue.views.durations import short_duration
from kubectl_kueue.views.words.numbers import clock, count, several, verb

_UNKNOWN: Mapping[str, str] = {
    "never": "never as things stand, so there is no time to name",
    "blocked": "unknown: it depends on what blocks it, and nobody sets a time for that",
    "checks": "unknown: its quota is reserved; admission checks tell no time",
    "hidden": "unknown: the queues are not visible to you",
    "large": "unknown: too many workloads share its quota to be run ahead",
    "time": "unknown: running the cluster ahead took too long (admit --dry-run --until-idle takes its time)",
    "order": "unknown: the workloads in front of it do not end, as far as can be foreseen",
}


def when_words(estimate: Estimate, now: int) -> list[str]:
    """Clauses, one for each bound, or one that says why there is none; empty if nobody would ask."""
    told = []
    if estimate.now:
        evicts = "as soon as those that it evicts have stopped"
        told.append(evicts if estimate.evicts else "at its next turn: nothing has to end first")
    told += [each for kind in ("earliest", "latest") for each in _bounds(estimate, kind, now)]
    if runs := _by_runs(estimate, now):
        told.append(runs)
    if estimate.unknown == "ground":
        told.append(f"unknown: {_no_ground(estimate)}")
    elif estimate.unknown:
        told.append(_UNKNOWN[estimate.unknown])
    return told


def when_cell(bounds: tuple[Bound, ...], now: int) -> str:
    """The same in a cell of a table: the median if there is one, else the limit, else "-"."""
    by_kind = {bound.kind: bound for bound in bounds}
    if (likely := by_kind.get("likely")) is not None and likely.runs is not None:
        return f"about {short_duration(likely.at - now)} (median of {likely.runs.count} runs)"
    if (latest := by_kind.get("latest")) is not None:
        return f"by {clock(now, latest.at)} (limit of {latest.workload})"
    return "-"


def estimate_document(estimate: Estimate, now: int) -> dict[str, Any]:
    """The estimate for programs; `message` may change at any time."""
    return {
        "now": estimate.now,
        "evicts": estimate.evicts,
        "bounds": [bound_document(bound) for bound in estimate.bounds],
        "unknown": estimate.unknown,
        "endless": list(estimate.endless),
        **({"ownerless": list(estimate.ownerless)} if estimate.ownerless else {}),
        **({"ahead": list(estimate.ahead)} if estimate.ahead else {}),
        "message": "; ".join(when_words(estimate, now)),
    }


def bound_document(bound: Bound) -> dict[str, Any]:
    """One bound: moments in RFC 3339, run times in seconds."""
    document: dict[str, Any] = {"kind": bound.kind, "at": format_time(bound.at), "ground": bound.ground}
    if bound.workload:
        document |= {"workload": bound.workload, "ends": bound.ends}
    if (runs := bound.runs) is not None:
        document["runs"] = {
            "kind": runs.kind,
            "queue": runs.queue,
            "count": runs.count,
            "medianSeconds": runs.median,
            "ninetiethSeconds": runs.ninetieth,
        }
    return document


def _bounds(estimate: Estimate, kind: str, now: int) -> Iterator[str]:
    for bound in estimate.bounds:
        if bound.kind != kind:
            continue
        if kind == "earliest":
            yield f"not before {clock(now, bound.at)} (its back-off ends)"
        else:
            others = f", {count(bound.ends, 'end')} to wait for" if bound.ends > 1 else ""
            yield f"by {clock(now, bound.at)} at the latest (limit of {bound.workload}{others})"


def _by_runs(estimate: Estimate, now: int) -> str:
    """ "about 35m (median of 41 runs of ClusterQueue a), 50m if they take their 90th percentile"."""
    likely = next((b for b in estimate.bounds if b.kind == "likely"), None)
    slow = next((b for b in estimate.bounds if b.kind == "slow"), None)
    if likely is None or likely.runs is None:
        return ""
    ends = f"; {count(likely.ends, 'end')} to wait for" if likely.ends > 1 else ""
    told = f"in about {short_duration(likely.at - now)} (median of {_runs(likely.runs)}{ends})"
    if slow is None:
        return told
    return f"{told}, in {short_duration(slow.at - now)} if runs take their 90th percentile"


def _runs(runs: Runs) -> str:
    took = f"{short_duration(runs.median * SECOND)}, 90 % within {short_duration(runs.ninetieth * SECOND)}"
    return f"{count(runs.count, 'run')} of {runs.kind} {runs.queue}: {took}"


def _no_ground(estimate: Estimate) -> str:
    told = "runs that have finished tell nothing (fewer than 3 in its queue, or all shorter)"
    if estimate.ownerless:
        have = "has no owner that would end it" if len(estimate.ownerless) == 1 else "have no owner"
        return f"{several(estimate.ownerless)} {have}; it stays until somebody deletes it"
    if estimate.ahead:
        comes, it = ("comes", "it") if len(estimate.ahead) == 1 else ("come", "one of them")
        first = f"{several(estimate.ahead)} {comes} first"
        return f"{first}; {it} or one in its way has no maximumExecutionTimeSeconds, and {told}"
    if not estimate.endless:
        return f"somebody in front of it has no maximumExecutionTimeSeconds, and {told}"
    have = verb(len(estimate.endless), "have")
    return f"{several(estimate.endless)} {have} no maximumExecutionTimeSeconds, and {told}"

"""What a run brought a workload, in a clause that follows its name or stands in a table."""

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.explanation.fates import Fate
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.views.words.gates import gate_words, listed
from kubectl_kueue.views.words.numbers import joined, requested, several
from kubectl_kueue.views.words.outcomes import VERDICTS, outcome_words


def fate_words(fate: Fate, now: int) -> str:
    """The fate in a clause."""
    entry = fate.entry
    match fate.word:
        case Word.ADMIT if entry is not None:
            return f"gets {gets_words(entry)} in cycle {fate.cycle}"
        case Word.PREEMPT if entry is not None:
            victims = sorted({t.workload.key for t in entry.preempting})
            return f"gets {gets_words(entry)} after evicting {several(victims)} in cycle {fate.cycle}"
    if fate.gate is not None:
        return gate_words(fate.gate, now)
    if entry is not None and fate.instead:
        return f"{outcome_words(entry)} (as {fate.instead}, of the same shape)"
    if entry is not None:
        return outcome_words(entry)
    if fate.instead:
        return f"waits behind {fate.instead}: its queue is StrictFIFO"
    if fate.word in (Word.WAIT, Word.NEVER):
        return f"{VERDICTS[fate.word]}; its turn does not come in this run"
    return VERDICTS[fate.word]


def gets_words(entry: Entry) -> str:
    """Amounts and flavors: "2 cpu and 4Gi memory in a100", pod set by pod set if there are several."""
    pod_sets = entry.assignment.pod_sets
    told = []
    for pod_set in pod_sets:
        by_flavor: dict[str, list[str]] = {}
        for resource in sorted(pod_set.flavors):
            asked = f"{requested(resource, pod_set.requests.get(resource, 0))} {resource}"
            by_flavor.setdefault(pod_set.flavors[resource].flavor, []).append(asked)
        gets = joined(f"{joined(amounts)} in {flavor}" for flavor, amounts in by_flavor.items()) or "no quota"
        wanted = next(
            (
                p.count
                for p in entry.info.obj.spec.pod_sets
                if p.name == pod_set.name and p.min_count is not None
            ),
            pod_set.count,
        )
        fewer = f" ({pod_set.count} of {wanted} pods)" if pod_set.count < wanted else ""
        told.append((f"{pod_set.name}: " if len(pod_sets) > 1 else "") + gets + fewer)
    return listed(told, 8) or "no quota"

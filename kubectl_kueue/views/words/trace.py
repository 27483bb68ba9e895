"""What went into a check that passed, or that did not arise: one line for each gate of the trace."""

from kubectl_kueue.engine.explanation.facts import QuotaRow
from kubectl_kueue.engine.explanation.verdict import Gate, GateState, Verdict, Word
from kubectl_kueue.views.words.gates import gate_words, listed
from kubectl_kueue.views.words.numbers import count, quantity, requested, several


def trace_words(gate: Gate, verdict: Verdict) -> str:
    """The inputs of the gate."""
    spec = verdict.obj.spec
    chain = verdict.chain
    if gate.state is GateState.UNKNOWN:
        if gate.name == "namespaceSelector" and verdict.chain.cluster_queue:
            return f"namespace {verdict.workload.partition('/')[0]} was not read"
        return gate_words(gate, verdict.now) or _not_asked(verdict)
    match gate.name:
        case "workload":
            return f"{verdict.workload}, generation {verdict.obj.metadata.generation}"
        case "active":
            return "spec.active is true"
        case "localQueue":
            return f"{chain.local_queue} in namespace {verdict.workload.partition('/')[0]}"
        case "localQueueActive":
            return f"{chain.local_queue} is not stopped"
        case "clusterQueue":
            return chain.cluster_queue
        case "clusterQueueActive":
            return f"{chain.cluster_queue}: not stopped, flavors and checks are there"
        case "namespaceSelector":
            return f"{chain.cluster_queue} takes {verdict.workload.partition('/')[0]}"
        case "limits" | "limitRange":
            return count(sum(len(p.template.spec.containers) for p in spec.pod_sets), "container")
        case "coverage":
            return several(list(dict.fromkeys(row.resource for row in verdict.table)), 20)
        case "quota" if verdict.table:
            return listed(list(map(_row, verdict.table)))
    return gate_words(gate, verdict.now)


def _not_asked(verdict: Verdict) -> str:
    """Why a question did not arise."""
    reserved = verdict.state in (Word.CHECKS_PENDING, Word.NOT_RUNNING, Word.RUNNING)
    return "not asked: it comes later" if not reserved else "not asked"


def _row(row: QuotaRow) -> str:
    before = f" after {requested(row.resource, row.before)}" if row.before else ""
    return (
        f"{row.pod_set} {row.flavor} {row.resource}: asks {requested(row.resource, row.asks)}{before}, "
        f"free {quantity(row.resource, row.cohort_free)}, most {quantity(row.resource, row.most_ever)}"
    )

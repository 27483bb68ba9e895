"""The rules: what each is called, how bad a breach is, and where the spec of kueuectl (section 7) has it.

What they say stands in views/words/lint/.
"""

from collections.abc import Mapping
from typing import NamedTuple

from kubectl_kueue.lint.found import Severity


class Rule(NamedTuple):
    """A rule; `spec` are the ids of section 7 that it covers, or the sections that it follows."""

    id: str
    severity: Severity
    spec: tuple[str, ...]
    topic: str


def _topic(topic: str, *lines: str) -> list[Rule]:
    """`id severity spec,spec` for each rule."""
    rules = []
    for line in lines:
        name, severity, spec = line.split()
        assert severity in ("error", "warning", "info"), line
        rules.append(Rule(name, severity, tuple(spec.split(",")), topic))  # type: ignore[arg-type]
    return rules


RULES: Mapping[str, Rule] = {
    rule.id: rule
    for rule in (
        *_topic(
            "Files and fields",
            "unreadable error 7.1",
            "api-kind error 6.1",
            "api-version-unserved error 6.1",
            "api-version-deprecated warning 6.3,CQ28",
            "api-field error 6.2,6.3",
            "api-type error 6.2",
            "api-required error 6.2,PC01",
            "api-enum error 6.2,CQ15,LQ01",
            "api-range error 6.2,CQ08,CQ15,AC01,PC01,WL01",
            "api-name error 6.2,CQ15,LQ01,AC01",
            "api-quantity error 6.2",
            "api-duplicate error 6.2,WL01,TO01",
            "metadata-name error 0,7.1",
            "metadata-labels error 0,WL02",
            "namespace-useless warning 6.1",
            "long-name warning 0,6.4",
            "unknown-key warning 6.4",
            "key-misplaced warning 6.4",
            "defined-twice warning 7.1",
        ),
        *_topic(
            "Quota",
            "resource-name error CQ01,CO01",
            "resource-twice error CQ02,CO01",
            "flavor-twice error CQ03,CO01",
            "flavor-resources error CQ04,CO01",
            "negative-quota error CQ05,CO01",
            "cohort-limit error CQ06,CO02",
            "lending-above-nominal error CQ07,CO03",
            "too-many error CQ08,CO01",
            "fair-weight error CQ12,CO01",
            "unit warning 6.2",
            "huge-quota warning 6.2",
            "no-quota warning CQ24",
            "uncovered-usual warning CQ27",
        ),
        *_topic(
            "ClusterQueues and cohorts",
            "selector error CQ09",
            "borrow-without-reclaim error CQ10",
            "fungibility-preference error CQ11",
            "on-flavors error CQ13",
            "concurrent-admission warning CQ14",
            "namespace-selector-absent warning CQ20",
            "namespace-selector-empty-handed warning CQ20,LQ03",
            "multikueue-mix warning CQ22",
            "stopped warning CQ23",
            "policy-without-cohort warning CQ25",
            "weight-without-fair-sharing warning CQ26",
            "weight-odd warning CQ12,LQ04",
            "fields-both-given warning CQ28",
            "borrow-with-fair-sharing warning 6.2",
            "strict-fifo-flavors info 6.2",
            "cohort-cycle warning CO04",
            "cohort-implicit info CO05",
            "cohort-alone info 6.2",
            "nothing-to-lend info 6.2",
            "partial-guarantee info 6.2",
            "cohort-mixed-unit warning 6.2",
        ),
        *_topic(
            "Flavors and topologies",
            "flavor-labels error RF01",
            "flavor-taints error RF02",
            "flavor-tolerations error RF03",
            "flavor-topology-labels error RF04",
            "flavor-without-labels warning RF06",
            "flavors-overlap warning RF06",
            "taint-void warning RF07",
            "mixed-topology info RF05",
            "flavor-no-nodes warning RF06",
            "topology-levels error TO01",
            "topology-no-hostname info TO01",
            "topology-label-missing warning TO01",
        ),
        *_topic(
            "References",
            "flavor-missing warning CQ21",
            "check-missing warning CQ21",
            "topology-missing warning RF05",
            "clusterqueue-missing warning LQ02",
            "clusterqueue-unset warning LQ02",
            "namespace-not-selected warning LQ03",
            "default-queue info LQ05",
            "check-controller warning AC02",
            "check-parameters warning AC02",
            "multikueue-source error 6.2",
            "multikueue-cluster-missing warning AC02",
        ),
        *_topic(
            "Workloads",
            "pods-resource error WL03",
            "negative-request error WL04",
            "min-count error WL05,6.2",
            "slice-pair error WL06",
            "sub-group-count warning WL07",
            "priority-ref error 6.2",
            "reserved-without-admission error WL10",
            "reclaimable error WL11",
            "pod-set-updates error WL12",
            "priority-boost error WL09",
        ),
        *_topic(
            "Jobs",
            "queue-name error JB01",
            "prebuilt-name error JB02",
            "max-exec-time error JB03",
            "elastic-kind error JB04",
            "admission-gates error JB06,WL08",
            "no-queue warning 7.9",
            "queue-missing warning 7.9,WL20",
            "queue-stopped warning 7.9",
            "priority-class-missing warning JB05,7.9",
            "pod-priority-class warning JB05",
            "not-managed warning 6.6",
            "integration-off warning 6.6",
            "queue-label-on-template warning 6.4",
            "cronjob-label warning 6.4",
            "partial-admission error 7.8",
            "ray error 7.8",
            "ray-too-many warning 7.8",
            "spark error 7.8",
            "pod-group error 7.8",
            "managed-label error 7.8",
            "lws-replicas error 7.8",
            "suspend-false info 7.9",
            "no-requests warning 7.9",
            "limits-only info 7.9",
            "requests-above-limits warning WL20",
            "limit-range warning WL20",
            "uncovered warning 7.9,WL20",
            "never-fits warning 7.9,WL20",
            "no-flavor-fits warning 7.9,RF07",
            "flavor-order info 7.9",
        ),
        *_topic(
            "Topology requests",
            "topology-one-of error TA01",
            "topology-key error TA02",
            "topology-boolean error TA03",
            "topology-slice error TA04",
            "topology-constraints error TA05",
            "topology-group error TA06",
            "topology-group-pair error TA07",
            "topology-level warning TA08",
            "topology-unsupported warning 7.9",
        ),
        *_topic(
            "Changes of objects that are there",
            "immutable error LQ01,RF04,TO01,AC01,CQ14,WL10",
            "job-immutable error JU01,JU02,JU03,JU04,JU05,JU06,JU07",
        ),
        *_topic(
            "Configuration",
            "config-field warning 6.6",
            "config-framework warning 6.6",
            "config-gate warning 6.8",
        ),
    )
}


def rule_named(text: str) -> Rule | None:
    """The rule of an id; also by an id of the spec (CQ06) if exactly one rule covers it."""
    found = RULES.get(text.lower())
    if found is not None:
        return found
    covering = [rule for rule in RULES.values() if text.upper() in rule.spec]
    return covering[0] if len(covering) == 1 else None

"""The policies of a ClusterQueue in words: whom it may evict, how it chooses flavors, who comes first."""

from collections.abc import Mapping

from kubectl_kueue.model.objects import ClusterQueuePreemption, ClusterQueueSpec, FlavorFungibility

_WITHIN: Mapping[str, str] = {
    "": "nobody of its own",
    "Never": "nobody of its own",
    "LowerPriority": "workloads of lower priority",
    "LowerOrNewerEqualPriority": "workloads of lower priority, and newer ones of the same priority",
}
_RECLAIM: Mapping[str, str] = {
    "": "nobody",
    "Never": "nobody",
    "LowerPriority": "workloads of lower priority in queues that borrow",
    "Any": "workloads of any priority in queues that borrow",
    "LowerOrNewerEqualPriority": "workloads of lower priority, and newer ones of the same priority, in "
    "queues that borrow",
}
_STRATEGY: Mapping[str, str] = {
    "StrictFIFO": "a workload that does not fit holds back all behind it",
    "BestEffortFIFO": "those behind a workload that does not fit may go first",
}
_STOP: Mapping[str, str] = {
    "Hold": "nobody new is admitted",
    "HoldAndDrain": "nobody new is admitted, and those that are admitted are evicted",
}


def preemption_words(found: ClusterQueuePreemption | None) -> list[tuple[str, str]]:
    """Where a workload may evict others, and whom."""
    policy = found or ClusterQueuePreemption()
    borrowing = policy.borrow_within_cohort
    told = "it does not evict while it needs to borrow"
    if borrowing is not None and borrowing.policy == "LowerPriority":
        most = borrowing.max_priority_threshold
        bound = "" if most is None else f", up to priority {most}"
        told = f"workloads of lower priority{bound}, even while it needs to borrow"
    return [
        ("In the queue", _named(policy.within_cluster_queue or "Never", _WITHIN)),
        ("In the cohort", _named(policy.reclaim_within_cohort or "Never", _RECLAIM)),
        ("While borrowing", f"{(borrowing and borrowing.policy) or 'Never'}: {told}"),
    ]


def fungibility_words(found: FlavorFungibility | None) -> list[tuple[str, str]]:
    """What the search for a flavor does where borrowing, or evicting, would help."""
    policy = found or FlavorFungibility()
    borrow, preempt = policy.when_can_borrow or "MayStopSearch", policy.when_can_preempt or "TryNextFlavor"
    told = [
        ("Can borrow", f"{borrow}: {_search(borrow, 'borrow')}"),
        ("Can preempt", f"{preempt}: {_search(preempt, 'evict')}"),
    ]
    if policy.preference:
        first, second = (
            ("borrows", "evicts") if policy.preference == "BorrowingOverPreemption" else ("evicts", "borrows")
        )
        told.append(("Preference", f"{policy.preference}: it {first} rather than it {second}"))
    return told


def strategy_words(spec: ClusterQueueSpec) -> str:
    """In which order workloads are tried."""
    return _named(spec.queueing_strategy or "BestEffortFIFO", _STRATEGY)


def stop_words(policy: str) -> str:
    """What a stop policy does; None: nothing."""
    return _named(policy or "None", _STOP)


def _search(policy: str, verb: str) -> str:
    if policy == "MayStopSearch":
        return f"it may {verb} in the first flavor where that is enough"
    return f"it looks at the next flavor before it {verb}s"


def _named(policy: str, words: Mapping[str, str]) -> str:
    return f"{policy}: {words[policy]}" if policy in words else policy

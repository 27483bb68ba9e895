"""The workloads of a queue or cohort in numbers: how many wait, hold quota, run, and how much that is."""

from typing import NamedTuple

from kubectl_kueue.engine.quota import FlavorResource, Usage, column
from kubectl_kueue.engine.workload import ADMITTED, WorkloadInfo
from kubectl_kueue.model.objects import FlavorUsage, QueueStatus
from kubectl_kueue.model.quantity import quota


class Ask(NamedTuple):
    """What pending workloads ask for of a resource, and how many of them do."""

    amount: int = 0
    workloads: int = 0


class Tally:
    """The workloads of a queue or cohort. `held_back` ones want quota, but are in no queue; `asks` is None
    where only numbers of workloads are known."""

    __slots__ = ("admitted", "asks", "held_back", "pending", "reserving", "used")

    def __init__(self) -> None:
        self.pending = self.held_back = self.reserving = self.admitted = 0
        self.asks: dict[str, Ask] | None = {}
        self.used: dict[FlavorResource, int] = {}

    def wait(self, info: WorkloadInfo) -> None:
        """One more that is pending."""
        self.pending += 1
        assert self.asks is not None
        for resource, amount in info.asks().items():
            if amount:
                before = self.asks.get(resource, Ask())
                self.asks[resource] = Ask(before.amount + amount, before.workloads + 1)

    def hold(self, info: WorkloadInfo) -> None:
        """One more that holds quota."""
        self.reserving += 1
        self.admitted += info.is_true(ADMITTED)
        _add(self.used, info.usage)

    def include(self, other: "Tally") -> None:
        """All of another."""
        self.pending += other.pending
        self.held_back += other.held_back
        self.reserving += other.reserving
        self.admitted += other.admitted
        _add(self.used, other.used)
        if self.asks is None or other.asks is None:
            self.asks = None
            return
        for resource, ask in other.asks.items():
            before = self.asks.get(resource, Ask())
            self.asks[resource] = Ask(before.amount + ask.amount, before.workloads + ask.workloads)


def usage_in(usages: list[FlavorUsage]) -> dict[FlavorResource, int]:
    """The amounts of a status, without zeros."""
    found = {column(u.name, r.name): quota(r.name, r.total) for u in usages for r in u.resources}
    return {fr: amount for fr, amount in found.items() if amount}


def take_status(tally: Tally, status: QueueStatus) -> None:
    """Fill a tally with what Kueue wrote about a queue."""
    tally.pending = status.pending_workloads
    tally.reserving = status.reserving_workloads
    tally.admitted = status.admitted_workloads
    tally.used = usage_in(status.flavors_reservation)
    tally.asks = None


def _add(sums: dict[FlavorResource, int], usage: Usage) -> None:
    for fr, amount in usage.items():
        sums[fr] = sums.get(fr, 0) + amount

"""What an inquiry into a queue, a cohort or a flavor found out, as records and never as sentences.

Amounts are ints in canonical units of the record's `resource`, as in explanation/facts.py.
"""

from typing import Literal

from kubectl_kueue.engine.explanation.facts import Facts, FlavorFit, Holding, QuotaRow, Requirement

QueueWord = Literal[
    "Gone", "Unknown", "Stopped", "Inactive", "Closed", "Idle", "Admits", "Preempts", "Stuck", "Full"
]
"""How a queue stands.

Gone: it, or what it points to, does not exist. Unknown: what it points to, or who waits in it, may not be
read. Stopped, Inactive: out of service. Closed: nobody can get at it. Idle: nobody waits. Admits, Preempts:
the first that waits gets in, or after evictions. Stuck: the first can never get in, or holds up those behind
it. Full: all that wait lack quota or places.
"""


class QuotaLine(Facts, frozen=True, omit_defaults=False):
    """One flavor and resource of a ClusterQueue.

    `free` is what it could use on top of what it uses now, `most_ever` in an empty cluster, `asked` what
    those that wait ask for in all (of the resource, whatever the flavor).
    """

    AMOUNTS = ("nominal", "used", "borrowed", "free", "most_ever", "borrowing_limit", "lending_limit")
    REQUESTS = ("asked",)
    flavor: str
    resource: str
    nominal: int
    used: int
    borrowed: int
    free: int
    most_ever: int
    asked: int = 0
    borrowing_limit: int | None = None
    lending_limit: int | None = None


class Lender(Facts, frozen=True, omit_defaults=False):
    """A neighbour in the tree: its quota, what of that it lends at most, and what it uses itself."""

    AMOUNTS = ("quota", "lends", "used", "lending_limit")
    name: str
    kind: str
    resource: str
    quota: int
    lends: int
    used: int
    lending_limit: int | None = None


class Borrowing(Facts, frozen=True):
    """Whether the ClusterQueue can borrow some of one flavor and resource now, and if not, why.

    `why`: no-cohort, no-limit-left (its own borrowingLimit, or that of the Cohort `owner`), nothing-lent
    (no neighbour lends any), in-use (what is lent is used), empty: it can, `room`.
    """

    AMOUNTS = ("room", "limit")
    flavor: str
    resource: str
    why: str
    room: int = 0
    limit: int | None = None
    owner: str = ""
    lenders: tuple[Lender, ...] = ()


class Group(Facts, frozen=True):
    """Workloads that wait for one reason: Kueue's code, how many, and the first of them."""

    reason: str
    count: int
    example: str
    never: int = 0


class User(Facts, frozen=True):
    """A workload that holds quota here."""

    TIMES = ("since",)
    workload: str
    holds: tuple[Holding, ...]
    priority: int = 0
    since: int = 0


class Head(Facts, frozen=True):
    """The first that waits, and what would become of it now: `reason` is Kueue's code; `never`: not even in
    an empty cluster; `evicts` are the workloads that it would evict; `behind` how many wait behind it."""

    workload: str
    reason: str
    never: bool = False
    evicts: tuple[str, ...] = ()
    behind: int = 0


class Closed(Facts, frozen=True):
    """Nobody gets at the ClusterQueue: no LocalQueue points to it, it has no namespaceSelector, or its
    namespaceSelector takes none of the namespaces that have LocalQueues for it."""

    why: str
    namespaces: tuple[str, ...] = ()


class NodeMatch(Facts, frozen=True, omit_defaults=False):
    """A node that carries the labels of a flavor; `taint`: one that nothing of the flavor tolerates."""

    name: str
    ready: bool = True
    unschedulable: bool = False
    taint: str = ""


class FlavorTotal(Facts, frozen=True, omit_defaults=False):
    """A resource of a flavor: all nominal quota, what is used, and what its nodes have (None: not known)."""

    AMOUNTS = ("nominal", "used", "allocatable")
    resource: str
    nominal: int
    used: int
    allocatable: int | None = None


class FlavorUser(Facts, frozen=True, omit_defaults=False):
    """A ClusterQueue or Cohort with quota of a flavor."""

    AMOUNTS = ("nominal", "used", "borrowed")
    kind: str
    name: str
    resource: str
    nominal: int
    used: int = 0
    borrowed: int = 0
    workloads: int = 0


class FlavorFor(Facts, frozen=True):
    """What keeps a flavor from one workload.

    `why`: not-in-queue (its ClusterQueue has no quota of it; `offered` has), unsuited, never, short, taken
    (it fits, yet another flavor was chosen), gate (it is not about flavors: see `gate`), empty: nothing.
    """

    workload: str
    cluster_queue: str
    why: str
    gate: str = ""
    verdict: str = ""
    offered: tuple[str, ...] = ()
    fits: tuple[FlavorFit, ...] = ()
    rows: tuple[QuotaRow, ...] = ()
    selector: Requirement | None = None

"""What the questions of an explanation found out, as small records and never as sentences.

Amounts are ints in canonical units of the record's `resource`, times microseconds since 1970. Records
name such fields in `AMOUNTS` (in `REQUESTS` what is asked for, which is never unlimited) and `TIMES`, so
that a view can print any of them without knowing it.
"""

from typing import ClassVar

import msgspec

from kubectl_kueue.engine.reasons import Reason


class Facts(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Base of everything that a question found out."""

    AMOUNTS: ClassVar[tuple[str, ...]] = ()
    REQUESTS: ClassVar[tuple[str, ...]] = ()
    TIMES: ClassVar[tuple[str, ...]] = ()


class Chain(Facts, frozen=True, omit_defaults=False):
    """The way from a workload to its quota. `cohorts` go upwards, the root last.

    `cluster_queue` is empty where the LocalQueue does not exist.
    """

    local_queue: str
    cluster_queue: str = ""
    cohorts: tuple[str, ...] = ()


class Position(Facts, frozen=True, omit_defaults=False):
    """Place among the pending workloads, 0-based as in Kueue's visibility API, and how many there are."""

    in_cluster_queue: int
    cluster_queue_pending: int
    in_local_queue: int
    local_queue_pending: int


class LocalUse(Facts, frozen=True, omit_defaults=False):
    """What the workloads of a LocalQueue hold of one flavor and resource."""

    AMOUNTS = ("total",)

    flavor: str
    resource: str
    total: int


class Outside(Facts, frozen=True):
    """What somebody sees who may not read the queues: `unread` are the kinds that numbers would need.

    `reserving` workloads of the LocalQueue hold `uses`; the places in it count from 0. None: not known.
    """

    unread: tuple[str, ...] = ()
    uses: tuple[LocalUse, ...] = ()
    reserving: int | None = None
    in_local_queue: int | None = None
    local_queue_pending: int | None = None


# --- questions about the workload itself --------------------------------------------------------


class Finished(Facts, frozen=True):
    """It has ended, as its status says; or Kueue is about to end it, `why`: deleting (it has been deleted,
    at `since`) or ownerless (no job owns it)."""

    TIMES = ("since",)
    reason: str
    message: str = ""
    since: int = 0
    why: str = ""


class Deactivated(Facts, frozen=True):
    """`spec.active` is false; `reason` is that of the eviction, if there was one."""

    reason: str = ""
    message: str = ""


class Held(Facts, frozen=True):
    """Somebody outside of the scheduler keeps it out: names of gates, or Kueue's message."""

    by: tuple[str, ...] = ()
    message: str = ""


class Uncounted(Facts, frozen=True):
    """A claim of the pods, or an extended resource (`ask`), that Kueue does not count; `about` by `why`."""

    pod_set: str
    ask: str
    why: str
    about: str = ""


class Uncountable(Facts, frozen=True):
    """It asks for devices that Kueue refuses; none here: it did so before, with `message`."""

    refused: tuple[Uncounted, ...] = ()
    message: str = ""


class BackOff(Facts, frozen=True):
    """It may not be tried before `until` (0: until somebody lifts the condition Requeued=False).

    `most_tries`: those of the check that failed, after which it is given up (0: not known).
    """

    TIMES = ("until",)
    reason: str = ""
    message: str = ""
    tries: int = 0
    until: int = 0
    most_tries: int = 0


class BrokenReservation(Facts, frozen=True):
    """The status says that quota is reserved, with `message`, but has no admission that says where."""

    message: str = ""


class Check(Facts, frozen=True):
    """One admission check of the workload, and whether somebody serves it."""

    TIMES = ("since",)
    name: str
    state: str
    message: str = ""
    since: int = 0
    retries: int = 0
    controller: str = ""


class Checks(Facts, frozen=True):
    """Admission checks, by name."""

    checks: tuple[Check, ...]


class PodState(Facts, frozen=True):
    """One pod of the workload; `node` is empty while it is on none."""

    name: str
    phase: str
    node: str = ""


class Promised(Facts, frozen=True, omit_defaults=False):
    """More quota of a flavor than its `nodes` have, and who gives it: `queues` and `cohorts`."""

    AMOUNTS = ("quota", "allocatable")
    flavor: str
    resource: str
    quota: int
    allocatable: int
    nodes: int
    queues: tuple[str, ...] = ()
    cohorts: tuple[str, ...] = ()


class Pods(Facts, frozen=True):
    """Pods of the workload as far as they were read; `expected` is how many there should be.

    `ownerless`: it is being evicted, and no job is left that would give its quota back. `promised`: where
    some of them find no node, quotas of what it got that nodes cannot keep.
    """

    expected: int
    pods: tuple[PodState, ...] = ()
    ready: bool = False
    ownerless: bool = False
    promised: tuple[Promised, ...] = ()


# --- questions about its queues -----------------------------------------------------------------


class LocalQueueMissing(Facts, frozen=True):
    """No such LocalQueue. `elsewhere`: namespaces that have one of this name, `targets`: the
    ClusterQueues of those; `here`: LocalQueues of its own namespace, `near` those spelled like it."""

    queue: str
    namespace: str
    elsewhere: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    here: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


class Stopped(Facts, frozen=True):
    """A queue with a stopPolicy."""

    queue: str
    policy: str


class ClusterQueueMissing(Facts, frozen=True):
    """The LocalQueue points to a ClusterQueue that does not exist."""

    queue: str
    local_queue: str
    near: tuple[str, ...] = ()


class Cause(Facts, frozen=True):
    """One cause of an inactive ClusterQueue: Kueue's code, and the object at fault; of an AdmissionCheck
    what it says of itself and who serves it."""

    code: str
    name: str = ""
    message: str = ""
    controller: str = ""


class Inactive(Facts, frozen=True):
    """An inactive ClusterQueue, and every LocalQueue that suffers with it."""

    queue: str
    causes: tuple[Cause, ...]
    local_queues: tuple[str, ...] = ()


class Requirement(Facts, frozen=True):
    """A requirement on a label that is not met; `has` is the value that is there, None if there is none."""

    key: str
    operator: str
    values: tuple[str, ...] = ()
    has: str | None = None


class NamespaceNotSelected(Facts, frozen=True):
    """The ClusterQueue does not take the namespace; no requirements: it has no selector and takes none."""

    namespace: str
    queue: str
    unmet: tuple[Requirement, ...] = ()


# --- questions about its requests ---------------------------------------------------------------


class Breach(Facts, frozen=True):
    """A request outside of a bound: `bound` is limit (its own), max or min (of the LimitRange `owner`)."""

    REQUESTS = ("asked", "allowed")
    pod_set: str
    where: str
    resource: str
    bound: str
    asked: int
    allowed: int
    owner: str = ""


class Breaches(Facts, frozen=True):
    """All of them."""

    breaches: tuple[Breach, ...]


class Origin(Facts, frozen=True):
    """Where the request for a resource comes from, if not from a container's requests as written.

    `source` is limits, LimitRange, RuntimeClass, transformation or pods (the count of pods itself);
    `name` is the object. `asks` is for all `count` pods.
    """

    REQUESTS = ("asks", "per_pod")
    pod_set: str
    resource: str
    source: str
    name: str = ""
    count: int = 0
    per_pod: int = 0
    asks: int = 0


class Coverage(Facts, frozen=True):
    """Resources that are asked for and that no resource group covers, and those that are covered."""

    uncovered: tuple[Origin, ...]
    covered: tuple[str, ...]


class FlavorFit(Facts, frozen=True):
    """How one podSet and one flavor go together.

    `fit` is fits, short (in use), never (more than there can be) or unsuited; then `why` says what
    and, for a node selector, `selector` which label. `chosen`: the assignment settled for it. `group`
    is the index of its resource group. `waived`: a taint of the flavor that the podSet does not tolerate
    and the flavor itself does.
    """

    pod_set: str
    flavor: str
    fit: str
    why: Reason | None = None
    selector: Requirement | None = None
    chosen: bool = False
    group: int = 0
    waived: str = ""


class Flavors(Facts, frozen=True):
    """Every flavor for every podSet."""

    flavors: tuple[FlavorFit, ...]


class QuotaRow(Facts, frozen=True, omit_defaults=False):
    """One podSet, flavor and resource: what is asked and what there is.

    `before` is what earlier podSets of the workload take there; `own_free` what the ClusterQueue does
    not use of its nominal quota; `cohort_free` what it could use now, own quota included; `most_ever`
    the same in an empty cluster; `short_by` what is missing now.
    """

    AMOUNTS = ("own_quota", "own_free", "cohort_free", "most_ever")
    REQUESTS = ("asks", "before", "short_by")
    pod_set: str
    flavor: str
    resource: str
    asks: int
    before: int
    own_quota: int
    own_free: int
    cohort_free: int
    most_ever: int
    short_by: int
    suits: bool = True


class Shares(Facts, frozen=True):
    """A neighbour that gives or keeps quota: what it has, and what of that others may use."""

    AMOUNTS = ("quota", "lends", "lending_limit")
    name: str
    kind: str
    resource: str
    quota: int
    lends: int
    lending_limit: int | None = None


class Ceiling(Facts, frozen=True):
    """Why the ClusterQueue can never have more than `most` of one flavor's resource.

    `limit` is nominalQuota (it has no cohort), borrowingLimit or cohort (nobody has more); `owner` is
    the ClusterQueue or Cohort whose limit it is.
    """

    AMOUNTS = ("most", "own_quota", "borrowing_limit")
    REQUESTS = ("asks", "before")
    pod_set: str
    flavor: str
    resource: str
    asks: int
    before: int
    most: int
    limit: str
    owner: str
    owner_kind: str
    own_quota: int = 0
    borrowing_limit: int | None = None
    neighbours: tuple[Shares, ...] = ()


class Quota(Facts, frozen=True):
    """What is short, and what could never be enough."""

    short: tuple[QuotaRow, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()


class Holding(Facts, frozen=True):
    """An amount that a workload holds."""

    AMOUNTS = ("amount",)
    flavor: str
    resource: str
    amount: int


class Holder(Facts, frozen=True, omit_defaults=False):
    """A workload that holds quota which is missing.

    `own_queue`: of the same ClusterQueue; `borrows`: its ClusterQueue uses more than its own there;
    `evicting`: it has been told to go; `ownerless`: no job is left that would end it.
    """

    TIMES = ("since",)
    workload: str
    cluster_queue: str
    holds: tuple[Holding, ...]
    priority: int
    since: int
    own_queue: bool = False
    borrows: bool = False
    evicting: bool = False
    ownerless: bool = False


class Rule(Facts, frozen=True):
    """One preemption policy: does it help, and why not.

    `answer` is yes, no or idle (there is nothing that it could apply to). `candidates` hold what is
    missing, the policy lets `allowed` of them go; `lowest` and `highest` are their priorities.
    """

    rule: str
    policy: str
    answer: str
    why: str
    candidates: int = 0
    allowed: int = 0
    lowest: int | None = None
    highest: int | None = None
    threshold: int | None = None


class QueueShare(Facts, frozen=True):
    """Under fair sharing: a ClusterQueue's (or Cohort's) share now and after the change in question."""

    name: str
    now: float
    then: float
    own: bool = False


class Victim(Facts, frozen=True, omit_defaults=False):
    """A workload that would be evicted, by which of Kueue's reasons, and what it holds of what is asked.

    `evicting`: it has been told to go already.
    """

    TIMES = ("since",)
    workload: str
    reason: str
    cluster_queue: str = ""
    holds: tuple[Holding, ...] = ()
    priority: int = 0
    since: int = 0
    evicting: bool = False


class Preemption(Facts, frozen=True):
    """Whom it may evict: victims, or each rule and why it does not help."""

    victims: tuple[Victim, ...] = ()
    rules: tuple[Rule, ...] = ()
    shares: tuple[QueueShare, ...] = ()
    priority: int = 0


class Misplacement(Facts, frozen=True):
    """Pods that find no place: the podSet and the reason."""

    pod_set: str
    why: Reason


class Topology(Facts, frozen=True):
    """Quota would do, places do not. `outsiders` are pods that no workload accounts for; `in_the_way`: in an
    otherwise empty cluster it would find its places if those were gone, and not before."""

    misplaced: tuple[Misplacement, ...]
    outsiders: tuple[str, ...] = ()
    in_the_way: bool = False


# --- questions about its turn -------------------------------------------------------------------


class Rival(Facts, frozen=True):
    """A workload that is dealt with first, how it left that cycle, and the amounts in question."""

    workload: str
    cluster_queue: str
    status: str
    cycle: int = 0
    takes: tuple[Holding, ...] = ()
    reclaim_policy: str = ""


class Hopeless(Facts, frozen=True):
    """A workload that no flavor of its ClusterQueue can ever hold, and one of the reasons."""

    workload: str
    why: Reason


class Turn(Facts, frozen=True):
    """Its place in the order, and what that means.

    `why` is head-of-line (StrictFIFO; `head` waits), equivalent (`head` has the same shape and was
    looked at instead), taken (`rivals` come first and leave too little) or far (too many are in front
    to foresee); empty: its turn comes. `fits_alone`: it would fit now if it were its turn. `hopeless`:
    the first of those in front in the same ClusterQueue that can never get in.
    """

    strategy: str
    why: str = ""
    head: str = ""
    head_status: str = ""
    head_reasons: tuple[Reason, ...] = ()
    fits_alone: bool = False
    cycle: int = 0
    rivals: tuple[Rival, ...] = ()
    hopeless: tuple[Hopeless, ...] = ()


class Saying(Facts, frozen=True):
    """What Kueue itself wrote into the status."""

    TIMES = ("since",)
    type: str
    status: str
    reason: str
    message: str
    since: int = 0


class EvictionTally(Facts, frozen=True):
    """How often it was evicted for one reason."""

    reason: str
    cause: str
    count: int


class Assumption(Facts, frozen=True):
    """Something that was not in the data: a code, and what it is about."""

    code: str
    about: str = ""

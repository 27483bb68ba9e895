"""Who preempted a workload, who preempted those, and do two of them evict each other again and again?

Kueue names a preemptor by its UID only, in conditions and events of the victim. A workload's own condition
tells the last time; events, where they can be read, tell the times before and the names of what is gone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.engine.explanation.facts import EvictionTally, Facts
from kubectl_kueue.engine.explanation.status import evictions_of
from kubectl_kueue.engine.workload import JOB_UID
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.timestamp import SECOND, parse_time
from kubectl_kueue.model.whole_number import whole_number
from kubectl_kueue.model.world import World

LONGEST_CHAIN = 8
"""Preemptors of preemptors that are followed."""

SAME_TIME = 2 * SECOND
"""A condition and an event within this time tell of one eviction."""

CAUSES: Mapping[str, str] = {
    "prioritization in the clusterqueue": "InClusterQueue",
    "reclamation within the cohort": "InCohortReclamation",
    "fair sharing within the cohort": "InCohortFairSharing",
    "reclamation within the cohort while borrowing": "InCohortReclaimWhileBorrowing",
}
"""What Kueue writes (lower case) -> the code of the preemption."""


class Preempted(Facts, frozen=True):
    """One eviction of `victim` by a preemptor: `preemptor` is its key, empty if it is not to be seen.

    `owner` is the job of the preemptor as "Kind name", `path` its way from the root cohort to its
    ClusterQueue as Kueue wrote it, `times` how often an event was repeated. `cause` is a code of Kueue or,
    where there is none for it, Kueue's words.
    """

    TIMES = ("at",)
    victim: str
    at: int
    uid: str
    job_uid: str = ""
    preemptor: str = ""
    owner: str = ""
    cluster_queue: str = ""
    path: str = ""
    priority: int | None = None
    cause: str = ""
    times: int = 1


class Loop(Facts, frozen=True):
    """Two workloads that evicted each other, `times` in all from `first` to `last`."""

    TIMES = ("first", "last")
    one: str
    other: str
    times: int
    first: int
    last: int


class History(Facts, frozen=True):
    """The past of one workload, as far as it can still be told.

    `preempted`: the evictions that are known one by one, the latest first; `chain`: the last eviction of
    its preemptor, of that one's preemptor, and so on; `count`: how often it was preempted by its own
    status, since `since` (its creation).
    """

    TIMES = ("since",)
    preempted: tuple[Preempted, ...] = ()
    chain: tuple[Preempted, ...] = ()
    loops: tuple[Loop, ...] = ()
    tallies: tuple[EvictionTally, ...] = ()
    count: int = 0
    since: int = 0


def was_evicted(workload: Workload) -> bool:
    """Whether its status says that it was ever evicted."""
    stats = workload.status.scheduling_stats
    told = any(c.type in _TELLING for c in workload.status.conditions)
    return told or bool(stats is not None and stats.evictions)


def history(world: World, key: str, events: Iterable[Mapping[str, Any]] = ()) -> History | None:
    """The evictions of the workload `key`; None if it never was evicted. `events`: JSON values."""
    workload = world.workloads[key]
    if not was_evicted(workload):
        return None
    known = _Evictions(world, list(events))
    mine = known.of(key)
    tallies = tuple(evictions_of(world, key))
    created = workload.metadata.creation_timestamp
    return History(
        preempted=tuple(mine),
        chain=tuple(_chain(known, mine)),
        loops=tuple(_loops(known, key, mine)),
        tallies=tallies,
        count=sum(t.count for t in tallies if "Preempted" in (t.reason, t.cause)),
        since=parse_time(created) if created else 0,
    )


# --- one eviction ---------------------------------------------------------------------------------

_TELLING = ("Evicted", "Preempted")
_UID = re.compile(r"\(UID: ([^,)\s]+)(?:, JobUID: ([^)\s]+))?\)")
_CAUSE = re.compile(r"\) due to ([^;]+)")
_PATH = re.compile(r"; preemptor path: ([^;\s]+)")
_PRIORITY = re.compile(r"; preemptor effective priority: (-?[0-9]+)")
_VICTIM = re.compile(r"^Preempted workload (\S+) \(UID: ")


class _Told(NamedTuple):
    """An eviction as Kueue wrote it."""

    at: int
    message: str
    times: int = 1


class _Evictions:
    """All evictions that conditions and events tell of, by victim; preemptors by UID."""

    def __init__(self, world: World, events: Sequence[Mapping[str, Any]]) -> None:
        self._world = world
        self._by_uid: dict[str, str] = {}
        self._by_job: dict[str, str] = {}
        self._gone: dict[str, str] = {}
        self._told: dict[str, list[_Told]] = {}
        for key, workload in world.workloads.items():
            meta = workload.metadata
            if meta.uid:
                self._by_uid[meta.uid] = key
            for uid in (meta.labels.get(JOB_UID), *(o.uid for o in meta.owner_references if o.controller)):
                if uid:
                    self._by_job.setdefault(uid, key)
        for event in events:
            self._read(event)

    def of(self, victim: str) -> list[Preempted]:
        """The evictions of one workload, the latest first, each once."""
        told = [*_conditions(self._world.workloads.get(victim)), *self._told.get(victim, ())]
        found: list[Preempted] = []
        for each in told:
            match = _UID.search(each.message)
            if match is None:
                continue
            uid = match[1]
            if any(uid == other.uid and abs(each.at - other.at) <= SAME_TIME for other in found):
                continue
            found.append(self._preempted(victim, each, uid, match[2] or ""))
        return sorted(found, key=lambda each: -each.at)

    def _read(self, event: Mapping[str, Any]) -> None:
        target = _map(event.get("involvedObject")) or _map(event.get("regarding"))
        key = f"{target.get('namespace') or ''}/{target.get('name') or ''}"
        message = str(event.get("message") or event.get("note") or "")
        if target.get("kind") != "Workload":
            return
        if event.get("reason") == "PreemptedWorkload" and _VICTIM.match(message):
            self._gone[str(target.get("uid") or "")] = key
        elif event.get("reason") == "Preempted":
            self._told.setdefault(key, []).append(_Told(*_times(event, message)))

    def _preempted(self, victim: str, told: _Told, uid: str, job_uid: str) -> Preempted:
        key = self._by_uid.get(uid) or self._by_job.get(job_uid) or ""
        workload = self._world.workloads.get(key)
        cause, path = _CAUSE.search(told.message), _PATH.search(told.message)
        priority = _PRIORITY.search(told.message)
        words = cause[1].strip() if cause else ""
        way = path[1] if path else ""
        return Preempted(
            victim,
            told.at,
            uid,
            job_uid,
            key or self._gone.get(uid, ""),
            _owner(workload),
            self._cluster_queue(workload) or way.rpartition("/")[2],
            way,
            whole_number(priority[1], 64) if priority else workload.spec.priority if workload else None,
            CAUSES.get(words.lower(), words),
            told.times,
        )

    def _cluster_queue(self, workload: Workload | None) -> str:
        if workload is None:
            return ""
        if workload.status.admission is not None:
            return workload.status.admission.cluster_queue
        queue = self._world.local_queues.get(f"{workload.metadata.namespace}/{workload.spec.queue_name}")
        return queue.spec.cluster_queue if queue is not None else ""


def _conditions(workload: Workload | None) -> Iterator[_Told]:
    for condition in workload.status.conditions if workload is not None else ():
        if condition.type in _TELLING:
            time = condition.last_transition_time
            yield _Told(parse_time(time) if time else 0, condition.message)


def _times(event: Mapping[str, Any], message: str) -> tuple[int, str, int]:
    series, meta = _map(event.get("series")), _map(event.get("metadata"))
    times = series.get("count") or event.get("count") or 1
    texts = (series.get("lastObservedTime"), event.get("lastTimestamp"), event.get("eventTime"))
    at = next((t for text in (*texts, meta.get("creationTimestamp")) if (t := _time(text))), 0)
    return at, message, times if isinstance(times, int) else 1


def _time(text: Any) -> int:
    try:
        return parse_time(text) if isinstance(text, str) else 0
    except InputError:
        return 0


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _owner(workload: Workload | None) -> str:
    owners = workload.metadata.owner_references if workload is not None else ()
    return next((f"{o.kind} {o.name}" for o in owners if o.controller), "")


# --- chains and loops -----------------------------------------------------------------------------


def _chain(known: _Evictions, mine: Sequence[Preempted]) -> Iterator[Preempted]:
    """Who preempted the last preemptor before it won, and so on backwards in time."""
    if not mine:
        return
    seen, before, key = {mine[0].victim}, mine[0].at, mine[0].preemptor
    for _ in range(LONGEST_CHAIN):
        earlier = [each for each in known.of(key) if each.at < before] if key and key not in seen else []
        if not earlier:
            return
        yield earlier[0]
        seen.add(key)
        before, key = earlier[0].at, earlier[0].preemptor


def _loops(known: _Evictions, key: str, mine: Sequence[Preempted]) -> Iterator[Loop]:
    for rival in dict.fromkeys(each.preemptor for each in mine if each.preemptor):
        there = [each for each in mine if each.preemptor == rival]
        back = [each for each in known.of(rival) if each.preemptor == key]
        if back:
            both = [*there, *back]
            moments = [each.at for each in both if each.at]
            times = sum(each.times for each in both)
            yield Loop(key, rival, times, min(moments, default=0), max(moments, default=0))

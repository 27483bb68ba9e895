"""What surrounds one workload: its job, its pods, what happened; read as far as it may be read."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_kueue.cli.contents import configuration_in
from kubectl_kueue.cli.kin import Subject, pods_of, workloads_of
from kubectl_kueue.cli.selection import Selection
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import ApiError, ConfigError, KueueError

if TYPE_CHECKING:
    from kubectl_kueue.engine.explanation.verdict import Verdict
    from kubectl_kueue.model.job_marks import JobMarks
    from kubectl_kueue.model.management import Management
    from kubectl_kueue.model.world import World
    from kubectl_kueue.views.around import Around, PodLine
    from kubectl_kueue.views.describe.events import Happening

MOST_EVENTS = 8
"""Events on a page, the latest."""

MOST_PODS = 20
"""Pods that are read one by one."""


def workload_keys(session: Session, world: "World", subject: Subject) -> list[str]:
    """The Workloads of a job, the one to explain first: those that have not ended, those that wait, the
    youngest."""
    kind = kind_named("Workload")
    namespace = str(subject.values[0]["metadata"].get("namespace") or "") or None
    found: list[str] = []
    try:
        contents = list(workloads_of(session.source(), subject, Selection(kind, namespace)))
    except ApiError as error:
        if error.status != 403:
            raise
        return owned_by(world, subject.kind.kind, subject.name, namespace)
    for content in contents:
        meta = msgspec.json.decode(content)["metadata"]
        key = f"{meta.get('namespace') or ''}/{meta.get('name')}"
        if key in world.workloads:
            found.append(key)
    return in_order(world, found)


def owned_by(world: "World", kind: str, name: str, namespace: str | None) -> list[str]:
    """The Workloads that name this owner: where the job itself is not there, or may not be read."""
    words = {kind.lower().partition(".")[0], kind.lower().partition(".")[0].removesuffix("s")}
    found = [
        key
        for key, workload in world.workloads.items()
        if namespace in (None, workload.metadata.namespace)
        and any(o.kind.lower() in words and o.name == name for o in workload.metadata.owner_references)
    ]
    return in_order(world, found)


def namesakes(world: "World", name: str, namespace: str | None) -> str:
    """ "; there is KIND/NAME" of the jobs of this name that have Workloads, or nothing."""
    found = {
        f"{owner.kind.lower()}/{owner.name}"
        for workload in world.workloads.values()
        if namespace in (None, workload.metadata.namespace)
        for owner in workload.metadata.owner_references
        if owner.name == name
    }
    return f"; there is {', '.join(sorted(found))}" if found else ""


def in_order(world: "World", keys: Sequence[str]) -> list[str]:
    """Those that have not ended first, of these those that wait, of these the youngest."""

    def ended(key: str) -> bool:
        conditions = world.workloads[key].status.conditions
        return any(c.type == "Finished" and c.status == "True" for c in conditions)

    youngest = sorted(keys, key=lambda k: world.workloads[k].metadata.creation_timestamp or "", reverse=True)
    return sorted(youngest, key=lambda k: (ended(k), world.workloads[k].status.admission is not None))


# --- around a workload ----------------------------------------------------------------------------


def around_workload(
    session: Session,
    world: "World",
    verdict: "Verdict",
    subject: Subject | None = None,
    others: Sequence[tuple[str, str, str]] = (),
    *,
    supposed: bool = False,
) -> "Around":
    """What the page adds to the verdict: for a job its pods and events, always its past and what is stale.

    `others` are more Workloads of the job: key, verdict word, sentence. `supposed`: the world is not as it
    was read, so that Kueue's status says nothing about it.
    """
    from kubectl_kueue.engine.inquiries.staleness import bypassed, overdue
    from kubectl_kueue.engine.preemptions import history, was_evicted
    from kubectl_kueue.views.around import Around

    notes: list[str] = []
    key = verdict.workload
    evicted = was_evicted(world.workloads[key])
    told = list(_preemption_events(session, key, notes)) if evicted else []
    pods: list[PodLine] = []
    events: list[tuple[str, Happening]] = []
    if subject is not None:
        pods = pod_lines(session, subject, notes)
        events = recent_events(session, key.partition("/")[0], [*_names(subject), ("Workload", key)], notes)
    elif str(verdict.state) == "AdmittedNotRunning":
        pods = [line for line in _pods_of_workload(session, verdict, notes) if line.why]
    return Around(
        job=None if subject is None else (subject.kind.kind, _key(subject)),
        others=tuple(others),
        overdue=None if supposed else overdue(world, verdict),
        bypassed=None if supposed else bypassed(world, verdict),
        history=history(world, key, told),
        pods=tuple(pods),
        events=tuple(events),
        notes=tuple(dict.fromkeys(notes)),
        now=world.now,
    )


def _key(subject: Subject) -> str:
    meta = subject.values[0]["metadata"]
    return "/".join(filter(None, (str(meta.get("namespace") or ""), str(meta.get("name")))))


def _names(subject: Subject) -> list[tuple[str, str]]:
    return [(subject.kind.kind, _key(subject))]


def _preemption_events(session: Session, key: str, notes: list[str]) -> Iterator[dict[str, Any]]:
    """Of all namespaces, or, for who may not look there, of its own."""
    kind, source = kind_named("Event"), session.source()
    namespaces: list[str | None] = [None, key.partition("/")[0]]
    for namespace, narrower in zip(namespaces, _NARROWED, strict=True):
        try:
            for reason in ("Preempted", "PreemptedWorkload"):
                contents = list(source.list(kind, namespace, fields=f"reason={reason}"))
                yield from map(msgspec.json.decode, contents)
            return
        except ApiError:
            notes[:] = [note for note in notes if note not in _NARROWED] + [narrower]


_NARROWED = (
    "Events of other namespaces could not be read: older evictions are not all told.",
    "Events could not be read: only the last eviction is told.",
)


def pod_lines(session: Session, subject: Subject, notes: list[str]) -> "list[PodLine]":
    """The pods of a job, those without a place first."""
    from kubectl_kueue.views.around import pod_line

    meta = subject.values[0]["metadata"]
    selection = Selection(kind_named("Pod"), str(meta.get("namespace") or "") or None)
    try:
        values = [msgspec.json.decode(c) for c in pods_of(session.source(), subject, selection)]
    except ConfigError:
        return []
    except ApiError as error:
        notes.append(f"Pods could not be read: {error}")
        return []
    return sorted(map(pod_line, values), key=lambda line: (not line.why, line.phase != "Pending", line.name))


def _pods_of_workload(session: Session, verdict: "Verdict", notes: list[str]) -> "list[PodLine]":
    """Those that its job selects; where the job cannot be read, those that the verdict counted."""
    from kubectl_kueue.engine.explanation.facts import Pods
    from kubectl_kueue.views.around import pod_line

    namespace, _, name = verdict.workload.partition("/")
    kind, source = kind_named("Workload"), session.source()
    try:
        value = msgspec.json.decode(source.get(kind, namespace, name))
        if lines := pod_lines(session, Subject(kind, name, [value]), notes):
            return lines
        gate = verdict.gate("pods")
        counted = gate.facts.pods if gate is not None and isinstance(gate.facts, Pods) else ()
        contents = [source.get(kind_named("Pod"), namespace, pod.name) for pod in counted[:MOST_PODS]]
    except KueueError:
        return []
    return [pod_line(msgspec.json.decode(content)) for content in contents]


def recent_events(
    session: Session, namespace: str, objects: Sequence[tuple[str, str]], notes: list[str]
) -> "list[tuple[str, Happening]]":
    """What happened to these objects (kind, key) lately, the latest last."""
    from kubectl_kueue.views.describe.events import happenings

    source, kind = session.source(), kind_named("Event")
    found: list[tuple[str, Happening]] = []
    for what, key in objects:
        name = key.rpartition("/")[2]
        try:
            contents = list(source.list(kind, namespace or None, fields=f"involvedObject.name={name}"))
        except ApiError as error:
            notes.append(f"Events could not be read: {error}")
            return []
        about = {"kind": what, "metadata": {"name": name, "namespace": namespace}}
        values = [msgspec.json.decode(content) for content in contents]
        found.extend((what, each) for each in happenings(values, about, source.now))
    last = {each.message: (what, each) for what, each in sorted(found, key=lambda pair: pair[1].at)}
    return sorted(last.values(), key=lambda pair: pair[1].at)[-MOST_EVENTS:]


# --- without a Workload ---------------------------------------------------------------------------


def management(session: Session) -> "Management | None":
    """What Kueue's Configuration says about jobs; None if it cannot be read."""
    from kubectl_kueue.model.management import read_management

    for content, home in _config_maps(session):
        found = configuration_in(msgspec.json.decode(content))
        if found is not None:
            return read_management(found, home)
    return None


def _config_maps(session: Session) -> Iterator[tuple[bytes, str]]:
    """The ConfigMaps that may hold it, each with its namespace."""
    from kubectl_kueue.model.manager import config_map_of

    source, kind = session.source(), kind_named("ConfigMap")
    try:
        manager = source.manager()
        if manager is not None:
            namespace, name = config_map_of(manager)
            yield source.get(kind, namespace, name), namespace
            return
    except KueueError:
        pass
    if session.flags.snapshot is None:
        return
    for content in source.list(kind, None):
        yield content, str(msgspec.json.decode(content)["metadata"].get("namespace") or "kueue-system")


def pods_in_group(session: Session, job: "JobMarks") -> int:
    """How many pods of the group of a pod there are; 0 if it is in none, or if they may not be read."""
    from kubectl_kueue.model.kinship import POD_GROUP_NAME

    if not job.group_name:
        return 0
    try:
        pods = session.source().list(
            kind_named("Pod"), job.namespace, labels=f"{POD_GROUP_NAME}={job.group_name}"
        )
        return sum(1 for _ in pods)
    except ApiError:
        return 0

"""What a person names on the command line of `explain` -> what is explained.

A name alone is a workload; KIND NAME and KIND/NAME are what they say, NAME may be NAMESPACE/NAME.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kubectl_kueue.cli.names import contradiction, inside, near, several
from kubectl_kueue.cli.session import WORKLOAD_WORDS, Session
from kubectl_kueue.cli.usage import is_job_word
from kubectl_kueue.cluster.kinds import KUEUE, known_kind
from kubectl_kueue.errors import ApiError, ConfigError, KueueError, NotFoundError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.cli.kin import Subject
    from kubectl_kueue.model.world import World

TEXTS = ("reason", "verdict")
"""Words that are explained by a text, without a look at any cluster."""

QUEUES = ("ClusterQueue", "LocalQueue", "Cohort", "ResourceFlavor")
"""Kinds of Kueue with an inquiry of their own."""

_KNOWN = (
    "workload, clusterqueue, localqueue, cohort, resourceflavor, reason, verdict, "
    "and job, pod, deployment or any other kind that has Workloads"
)
_UID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Named(NamedTuple):
    """`kind` is a word as typed, empty where there is none: then a workload is meant."""

    kind: str
    name: str

    @property
    def is_workload(self) -> bool:
        return not self.kind or self.kind.lower() in WORKLOAD_WORDS

    @property
    def queue_kind(self) -> str:
        """The kind, if it is one of QUEUES; else empty."""
        found = known_kind(self.kind)
        return found.kind if found is not None and found.group == KUEUE and found.kind in QUEUES else ""


def read_subject(words: Sequence[str]) -> Named:
    """What the words name. Raises UsageError."""
    match words:
        case [word] if word.lower() in TEXTS:
            return Named(word.lower(), "")
        case [] | [""]:
            raise UsageError("the name of the workload is missing")
        case [word] if word.lower() in WORKLOAD_WORDS:
            raise UsageError("the name of the workload is missing")
        case [word] if "/" in word:
            kind, _, name = word.partition("/")
            return Named(kind, name) if _is_kind(kind) or name.count("/") else Named("", word)
        case [word] if _is_kind(word):
            raise UsageError(f"the name of the {word} is missing")
        case [word]:
            return Named("", word)
        case [kind, name]:
            return Named(kind, name)
        case _:
            raise UsageError(f"one workload at a time, but got {len(words)} words: {' '.join(words)}")


def _is_kind(word: str) -> bool:
    """Whether it names a kind that needs no server to be known."""
    return word.lower() in TEXTS or known_kind(word) is not None or is_job_word(word)


def settled(session: Session, named: Named, world: "World") -> Named:
    """A/B is a workload of namespace A if there is such a namespace, else B of a kind that the server has."""
    namespace, slash, name = named.name.partition("/")
    if named.kind or not slash or any(key.startswith(f"{namespace}/") for key in world.workloads):
        return named
    try:
        session.source().find_kind(namespace)
    except (ConfigError, ApiError):
        return named
    return Named(namespace, name)


def by_uid(world: "World", name: str) -> str:
    """The key of the workload that has this uid, or whose job has it; empty if it is none."""
    from kubectl_kueue.model.kinship import JOB_UID

    if not _UID.fullmatch(name):
        return ""
    for key, workload in world.workloads.items():
        meta = workload.metadata
        owners = (owner.uid for owner in meta.owner_references)
        if name in (meta.uid, meta.labels.get(JOB_UID), *owners):
            return key
    return ""


def named_workload(session: Session, named: Named) -> tuple[str, str] | None:
    """Namespace and name of the Workload that the words name, if they say both."""
    if not named.is_workload or _UID.fullmatch(named.name):
        return None
    namespace, _, name = named.name.rpartition("/")
    home = namespace or session.home()
    return None if home is None else (home, name)


def workload_of_job(session: Session, named: Named) -> tuple[str, str] | None:
    """Namespace and name of the Workload that Kueue makes for a job, reckoned from its uid; None if the job
    is not there or may not be read."""
    from kubectl_kueue.jobs.naming import workload_name

    try:
        subject = find_job(session, named)
    except KueueError:
        return None
    meta = subject.values[0]["metadata"]
    name = workload_name(subject.kind.kind, subject.kind.group, subject.name, str(meta.get("uid")))
    return str(meta.get("namespace") or ""), name


def home_and_name(session: Session, text: str) -> tuple[str | None, str]:
    """Namespace (None: any) and name of NAME or NAMESPACE/NAME. Raises ConfigError if -n says otherwise."""
    given, slash, name = text.rpartition("/")
    home = session.home()
    if slash and session.flags.namespace not in (None, "", given):
        raise contradiction(text, given, home)
    return (given or home), name


def find_job(session: Session, named: Named) -> "Subject":
    """The object that is no object of Kueue. Raises UsageError for a kind that nobody knows, NotFoundError
    with names that are near, ConfigError if it is in several namespaces, ApiError."""
    from kubectl_kueue.cli.kin import find_subject

    namespace, name = home_and_name(session, named.name)
    try:
        subject = find_subject(session.source(), named.kind, name, namespace)
    except ConfigError:
        if _is_kind(named.kind):
            raise NotFoundError(f'{named.kind} "{name}" not found: there is no {named.kind} at all') from None
        raise UsageError(f'cannot explain a "{named.kind}"; known are: {_KNOWN}') from None
    if not subject.kind.namespaced:
        raise UsageError(f'cannot explain a "{named.kind}"; known are: {_KNOWN}')
    if not subject.values:
        raise _not_found(session, subject, namespace)
    homes = sorted(str(value["metadata"].get("namespace") or "") for value in subject.values)
    if len(homes) > 1:
        raise several(subject.kind.singular, name, homes)
    return subject


def _not_found(session: Session, subject: "Subject", namespace: str | None) -> NotFoundError:
    from kubectl_kueue.model.slim import Anything, read_slim

    word, name = subject.kind.singular, subject.name
    where = inside(namespace)
    metas = [read_slim(content, Anything).metadata for content in _all(session, subject, namespace)]
    if namespace is not None:
        everywhere = (read_slim(c, Anything).metadata for c in _all(session, subject, None, name))
        if elsewhere := ", ".join(f"{meta.namespace}/{meta.name}" for meta in everywhere):
            return NotFoundError(f'{word} "{name}" not found{where}, but there is {elsewhere}')
    names = {meta.name: f"{meta.namespace}/{meta.name}".lstrip("/") for meta in metas}
    return NotFoundError(f'{word} "{name}" not found{where}{near(name, names, names)}')


def _all(session: Session, subject: "Subject", namespace: str | None, name: str = "") -> list[bytes]:
    """Objects of the kind, of one name if it is given; none if they may not be read."""
    fields = f"metadata.name={name}" if name else ""
    try:
        return list(session.source().list(subject.kind, namespace, fields=fields))
    except ApiError:
        return []

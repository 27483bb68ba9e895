"""What belongs to the object that --for names: its Workloads, its pods.

A Workload knows its job by uid (a label, owner references) or is known to it by name. Jobs that Kueue does
not queue themselves (a Deployment, a CronJob) lead to those that it does, upwards or downwards.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from kubectl_kueue.cli.selection import Selection
from kubectl_kueue.cli.source import Source
from kubectl_kueue.cluster.kinds import KUEUE, Kind, known_kind
from kubectl_kueue.errors import ApiError, ConfigError

if TYPE_CHECKING:
    from kubectl_kueue.model.slim import Meta, Owner

_GENERATIONS = 5


class Subject(NamedTuple):
    """The objects (JSON values) that TYPE/NAME names: one, or one a namespace. None if there is none."""

    kind: Kind
    name: str
    values: Sequence[dict[str, Any]]


def find_subject(source: Source, type_: str, name: str, namespace: str | None) -> Subject:
    """The object of this name in the namespace (None: all). Raises ConfigError for an unknown type."""
    kind = _find_kind(source, type_)
    return Subject(kind, name, [msgspec.json.decode(c) for c in _named(source, kind, name, namespace)])


def _named(source: Source, kind: Kind, name: str, namespace: str | None) -> list[bytes]:
    """A list, or, for who may only get, the object."""
    try:
        return list(source.list(kind, namespace, fields=f"metadata.name={name}"))
    except ApiError as error:
        if error.status != 403 or namespace is None:
            raise
    return [source.get(kind, namespace, name)]


def workloads_of(source: Source, subject: Subject, selection: Selection) -> Iterator[bytes]:
    """The selected Workloads of the subject: those that carry its uid, else those of all its kin."""
    from kubectl_kueue.model.kinship import JOB_UID

    uids = [uid for value in subject.values if _UID.fullmatch(uid := str(value["metadata"].get("uid")))]
    if uids:
        labels = _and(selection.labels, f"{JOB_UID} in ({','.join(uids)})")
        found = list(source.list(selection.kind, selection.namespace, labels=labels, fields=selection.fields))
        if found:
            yield from found
            return
    yield from _of_all_kin(source, subject, selection)


def pods_of(source: Source, subject: Subject, selection: Selection) -> Iterator[bytes]:
    """The selected pods of the subject, each once. Raises ConfigError for a kind without known pods."""
    from kubectl_kueue.model.slim import Anything, read_slim

    seen = set()
    for value in subject.values:
        for content in _pods_of_one(source, subject.kind, value, selection):
            meta = read_slim(content, Anything).metadata
            if (meta.namespace, meta.name) not in seen:
                seen.add((meta.namespace, meta.name))
                yield content


_UID = re.compile(r"[-A-Za-z0-9_.]{1,63}")


def _and(*selectors: str) -> str:
    return ",".join(filter(None, selectors))


def _find_kind(source: Source, word: str) -> Kind:
    """By kind, plural, short name, with .GROUP or .VERSION.GROUP."""
    for attempt in (word.lower(), re.sub(r"\.v[0-9][a-z0-9]*(?=\.|$)", "", word.lower())):
        try:
            return source.find_kind(attempt)
        except ConfigError:
            continue
    resource, _, group = word.lower().partition(".")
    raise ConfigError(f"no matches for {group}/, Resource={resource}")


# --- workloads ----------------------------------------------------------------------------------


def _of_all_kin(source: Source, subject: Subject, selection: Selection) -> Iterator[bytes]:
    from kubectl_kueue.model.slim import Workload, read_slim

    family = _Family(source, selection.namespace)
    for value in subject.values:
        family.add(subject.kind, value)
    contents = source.list(
        selection.kind, selection.namespace, labels=selection.labels, fields=selection.fields
    )
    for content in contents:
        if family.has(read_slim(content, Workload).metadata):
            yield content


class _Family:
    """An object, what it made, what made it; as uids, and the names of Workloads that they carry."""

    def __init__(self, source: Source, namespace: str | None) -> None:
        self._source = source
        self._namespace = namespace
        self._uids: set[str] = set()
        self._nameless: set[tuple[str, str, str]] = set()  # namespace, kind, name of what has no uid
        self._workloads: set[tuple[str, str]] = set()

    def has(self, workload: "Meta") -> bool:
        """Whether one of the family has this Workload."""
        from kubectl_kueue.model.kinship import JOB_UID

        if (workload.labels or {}).get(JOB_UID) in self._uids:
            return True
        if (workload.namespace, workload.name) in self._workloads:
            return True
        return any(self._owns(owner, workload.namespace) for owner in workload.owners)

    def add(self, kind: Kind, value: dict[str, Any]) -> None:
        """One object with those above and below it. Kinds that are not there, or not readable, are no kin."""
        from kubectl_kueue.model.slim import Anything, from_value

        meta = from_value(value, Anything).metadata
        if kind.group == KUEUE and kind.kind == "Workload":
            self._workloads.add((meta.namespace, meta.name))
            return
        self._add(kind.kind, meta)
        self._add_below(kind.kind, _GENERATIONS)
        self._add_above(meta, _GENERATIONS)

    def _add(self, kind: str, meta: "Meta") -> None:
        from kubectl_kueue.model.kinship import WORKLOAD_NAME_MARKS

        if meta.uid:
            self._uids.add(meta.uid)
        else:
            self._nameless.add((meta.namespace, kind, meta.name))
        for mark in WORKLOAD_NAME_MARKS:
            if name := meta.mark(mark):
                self._workloads.add((meta.namespace, name))

    def _add_below(self, kind: str, generations: int) -> None:
        from kubectl_kueue.model.kinship import ANY_CHILDREN, CHILDREN

        for word in CHILDREN.get(kind, ANY_CHILDREN if kind not in ("Pod", "Workload") else ()):
            child = _known(self._source, word)
            if child is None:
                continue
            grown = False
            for meta in _metas(self._source, child, self._namespace):
                if any(self._owns(owner, meta.namespace) for owner in meta.owners):
                    self._add(child.kind, meta)
                    grown = True
            if grown and generations > 1:
                self._add_below(child.kind, generations - 1)

    def _add_above(self, meta: "Meta", generations: int) -> None:
        for owner in meta.owners:
            if owner.uid:
                self._uids.add(owner.uid)
            above = _owner_object(self._source, owner, meta.namespace) if generations else None
            if above is not None:
                self._add(owner.kind, above)
                self._add_above(above, generations - 1)

    def _owns(self, owner: "Owner", namespace: str) -> bool:
        return owner.uid in self._uids or (namespace, owner.kind, owner.name) in self._nameless


def _known(source: Source, word: str) -> Kind | None:
    try:
        return source.find_kind(word)
    except (ConfigError, ApiError):
        return None


def _metas(source: Source, kind: Kind, namespace: str | None) -> "Iterator[Meta]":
    from kubectl_kueue.model.slim import Anything, read_slim

    try:
        for content in source.list(kind, namespace):
            yield read_slim(content, Anything).metadata
    except ApiError:
        return


def _owner_content(source: Source, owner: "Owner", namespace: str) -> tuple[Kind, bytes] | None:
    group = owner.api_version.rpartition("/")[0]
    kind = _known(source, f"{owner.kind}.{group}" if group else owner.kind)
    try:
        return None if kind is None else (kind, source.get(kind, namespace or None, owner.name))
    except (ConfigError, ApiError):
        return None


def _owner_object(source: Source, owner: "Owner", namespace: str) -> "Meta | None":
    from kubectl_kueue.model.slim import Anything, read_slim

    found = _owner_content(source, owner, namespace)
    return None if found is None else read_slim(found[1], Anything).metadata


# --- pods ---------------------------------------------------------------------------------------


def _pods_of_one(source: Source, kind: Kind, value: dict[str, Any], selection: Selection) -> Iterator[bytes]:
    from kubectl_kueue.model.kinship import NoPodsKnown, pod_selector
    from kubectl_kueue.model.slim import Anything, from_value

    meta = from_value(value, Anything).metadata
    if (kind.group, kind.kind) == ("", "Pod"):
        yield from _group_of(source, meta, selection)
        return
    if (kind.group, kind.kind) == (KUEUE, "Workload"):
        for owner in meta.owners:
            if found := _owner_content(source, owner, meta.namespace):
                yield from _pods_of_one(source, found[0], msgspec.json.decode(found[1]), selection)
        return
    try:
        labels = (
            _jobs_selector(source, meta)
            if kind.kind == "CronJob"
            else pod_selector(kind.group, kind.kind, value)
        )
    except NoPodsKnown:
        raise ConfigError(f"unsupported kind: {kind.kind}") from None
    if labels is not None:
        yield from _pods(source, selection, meta.namespace, labels=labels)


def _group_of(source: Source, meta: "Meta", selection: Selection) -> Iterator[bytes]:
    """The pods of the group of a pod; the pod itself if it is in none."""
    from kubectl_kueue.model.kinship import POD_GROUP_NAME
    from kubectl_kueue.model.slim import Anything, read_slim

    group = meta.mark(POD_GROUP_NAME)
    if not group:
        yield from _pods(source, selection, meta.namespace, fields=f"metadata.name={meta.name}")
        return
    by_label = (meta.labels or {}).get(POD_GROUP_NAME) == group
    for content in _pods(
        source, selection, meta.namespace, labels=f"{POD_GROUP_NAME}={group}" if by_label else ""
    ):
        if read_slim(content, Anything).metadata.mark(POD_GROUP_NAME) == group:
            yield content


def _jobs_selector(source: Source, cron: "Meta") -> str | None:
    jobs = known_kind("job")
    assert jobs is not None
    names = [
        meta.name
        for meta in _metas(source, jobs, cron.namespace)
        if any(owner.kind == "CronJob" and owner.name == cron.name for owner in meta.owners)
    ]
    return f"batch.kubernetes.io/job-name in ({','.join(names)})" if names else None


def _pods(
    source: Source, selection: Selection, namespace: str, *, labels: str = "", fields: str = ""
) -> Iterator[bytes]:
    return source.list(
        selection.kind,
        namespace or selection.namespace,
        labels=_and(selection.labels, labels),
        fields=_and(selection.fields, fields),
    )

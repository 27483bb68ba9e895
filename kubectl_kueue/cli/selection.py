"""Which objects does a reading command mean? The flags that say so, declared once, and what they select."""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from kubectl_kueue.cli.argv import read_bool
from kubectl_kueue.cli.names import nothing_found
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ConfigError

if TYPE_CHECKING:
    from kubectl_kueue.cluster.kinds import Kind
    from kubectl_kueue.views.page import Document

Labels = Annotated[
    str,
    typer.Option(
        "--selector",
        "-l",
        metavar="SELECTOR",
        help="Only objects with these labels: a=b, a!=b, a in (b,c), a, !a; joined by commas.",
    ),
]
Fields = Annotated[
    str,
    typer.Option(
        "--field-selector",
        metavar="SELECTOR",
        help="Only objects with these fields: metadata.name=x and the few others that a server knows.",
    ),
]
AllNamespaces = Annotated[
    bool, typer.Option("--all-namespaces", "-A", help="Look into all namespaces; -n is ignored.")
]
ClusterQueueName = Annotated[
    str | None,
    typer.Option("--clusterqueue", "-c", metavar="NAME", help="Only those of this ClusterQueue."),
]
LocalQueueName = Annotated[
    str | None,
    typer.Option("--localqueue", "-q", metavar="NAME", help="Only those of the LocalQueues of this name."),
]
Active = Annotated[
    list[str] | None,
    typer.Option("--active", metavar="BOOL", help="Only active queues (true), or only the others (false)."),
]
StatusWords = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        metavar="WORD",
        help="Only those in this state; can be given again. One of: all, pending, quotareserved, admitted, "
        "finished; more narrowly: inactive, held, requeuing, evicting, running, failed.",
    ),
]
ForObject = Annotated[
    str | None,
    typer.Option("--for", metavar="TYPE/NAME", help="Only what belongs to this object, such as job/train."),
]
Words = Annotated[list[str] | None, typer.Argument(hidden=True, metavar="")]


class Anywhere(NamedTuple):
    """What says which objects of a cluster-scoped kind are listed."""

    words: Words = None
    labels: Labels = ""
    fields: Fields = ""


class InNamespaces(NamedTuple):
    """And of a namespaced one."""

    words: Words = None
    labels: Labels = ""
    fields: Fields = ""
    all_namespaces: AllNamespaces = False


class Selection(NamedTuple):
    """What of a kind is wanted. `namespace` None: all of them."""

    kind: "Kind"
    namespace: str | None
    labels: str = ""
    fields: str = ""


def select(
    session: Session, kind: str, labels: str, fields: str, *, all_namespaces: bool = False
) -> Selection:
    """The objects of a kind ("Workload") that the flags and the context select."""
    from kubectl_kueue.cluster.kinds import kind_named

    found = kind_named(kind)
    anywhere = all_namespaces or not found.namespaced
    return Selection(found, None if anywhere else session.source().namespace, labels, fields)


def selected(session: Session, selection: Selection) -> Iterator[bytes]:
    """The JSON of the selected objects, page by page. Raises ApiError."""
    return session.source().list(
        selection.kind, selection.namespace, labels=selection.labels, fields=selection.fields
    )


def warn_of_nothing(session: Session, selection: Selection, end: str = "") -> None:
    """Tell that nothing was found, in kueuectl's words; `end` closes the sentence about all namespaces."""
    session.warn(nothing_found(selection.namespace, end))


def list_document(kind: "Kind", objects: Sequence[dict[str, Any]]) -> "Document":
    """One list object of these objects (JSON values), and their names for -o name."""
    from kubectl_kueue.views.page import Document

    own = f"{kind.group}/{kind.versions[0]}".removeprefix("/")
    versions = {str(each.get("apiVersion")) for each in objects} or {own}
    head = (versions.pop(), f"{kind.kind}List") if len(versions) == 1 else ("v1", "List")
    names = [f"{kind.type}/{_name(each)}" for each in objects]
    data = {"kind": head[1], "apiVersion": head[0], "metadata": {}, "items": objects}
    return Document(data, names, objects=True)


def _name(value: Mapping[str, Any]) -> str:
    meta = value.get("metadata")
    return str(meta.get("name", "")) if isinstance(meta, dict) else ""


# --- values of flags ----------------------------------------------------------------------------


def wanted_activity(values: Sequence[str]) -> bool | None:
    """What --active asks for; None if it is not given. Raises UsageError, ConfigError for two values."""
    found = [read_bool("--active", word.strip(), value) for value in values for word in value.split(",")]
    if len(found) > 1:
        raise ConfigError("only one active flag can be provided")
    return found[0] if found else None


def wanted_status(values: Sequence[str]) -> frozenset[str]:
    """What --status asks for, lower case; empty for all. Raises ConfigError for a word that is no status."""
    from kubectl_kueue.model.status_words import KUEUECTL_WORDS, TRUE_WORDS

    known = {word.lower() for word in (*KUEUECTL_WORDS, *TRUE_WORDS)}
    wanted = set()
    for value in values:
        for word in value.split(","):
            if word.strip().lower() not in (known | {"all"}):
                raise ConfigError(
                    f'invalid status value ({word}). Must be "all", "pending", "admitted" or "finished"'
                )
            wanted.add(word.strip().lower())
    return frozenset() if "all" in wanted else frozenset(wanted)


def check_request_limit() -> None:
    """Raise ConfigError if KUEUECTL_LIST_REQUEST_LIMIT is no number."""
    from kubectl_kueue.model.whole_number import whole_number

    limit = os.environ.get("KUEUECTL_LIST_REQUEST_LIMIT")
    if limit and whole_number(limit, 64) is None:
        raise ConfigError("invalid list request limit")

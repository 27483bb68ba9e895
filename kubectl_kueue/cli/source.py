"""Where reading commands take objects from: a live cluster or the files of --snapshot, alike.

An object is handed over as its JSON, in the version in which it was found, with apiVersion and kind.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from kubectl_kueue.cluster.kinds import Kind
    from kubectl_kueue.model.config import Document
    from kubectl_kueue.model.world import World


class Gathered(NamedTuple):
    """All that the engine and the explanations read, as the API has it, and the moment when.

    `missing` maps a kind to the reason why it could not be read; `head` is that of a snapshot document,
    None for a live cluster and for plain manifests.
    """

    documents: Sequence[dict[str, Any]]
    missing: Mapping[str, str]
    now: int
    notes: tuple[str, ...] = ()
    head: "Document | None" = None


class Position(NamedTuple):
    """Places of a pending workload, both from 0 as in the visibility API."""

    in_local_queue: int
    in_cluster_queue: int


class Source(Protocol):
    """Objects of one moment."""

    alone: tuple[str, str] | None
    """A Workload (namespace, name) that is asked about: it is read by itself where none may be listed, and
    so is its LocalQueue."""

    @property
    def now(self) -> int:
        """The moment, in microseconds since 1970: the clock of a live cluster's reader, else that of the
        snapshot."""

    @property
    def namespace(self) -> str | None:
        """What is meant when no namespace is asked for: --namespace, else that of the context, else
        "default"; None (all) for a snapshot without --namespace."""

    def find_kind(self, word: str) -> "Kind":
        """The kind that `word` names: kind, plural, short name, with .GROUP or .VERSION.GROUP.

        Raises ConfigError (`the server doesn't have a resource type "x"`).
        """

    def get(self, kind: "Kind", namespace: str | None, name: str) -> bytes:
        """One object. Raises ApiError, status 404, if it is not there."""

    def list(
        self, kind: "Kind", namespace: str | None, *, labels: str = "", fields: str = ""
    ) -> Iterator[bytes]:
        """Objects of a namespace (None: all), by namespace and name, read page by page as they are taken.

        Raises ApiError, also for selectors that cannot be.
        """

    def foresee_positions(self, cluster_queue: str) -> None:
        """Positions in this ClusterQueue will be asked for: who has to fetch them may begin."""

    def positions(self, local_queues: Mapping[str, Sequence[str]]) -> Mapping[str, Position]:
        """Positions of pending workloads by "namespace/name", at least of those in the given LocalQueues
        ("namespace/name", by ClusterQueue). Never fails: what cannot be known is left out."""

    def manager(self) -> bytes | None:
        """The Deployment of Kueue's controller manager; None if there is none to be seen. Raises ApiError."""

    def everything(self) -> Gathered:
        """The raw objects of every kind that the engine or an explanation reads."""

    def world(self) -> "World":
        """All that the engine reads; what could not be read is in its `missing`."""

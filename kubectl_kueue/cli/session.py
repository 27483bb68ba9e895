"""The one place where fetching and deciding meet: one Session per command line.

cluster/ reads bytes, model/ gives them meaning; neither knows the other.
"""

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kubectl_kueue.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_kueue.model.world import World
    from kubectl_kueue.views.page import Document, Page, Table

WORKLOAD_WORDS = frozenset(
    {
        "workload",
        "workloads",
        "wl",
        "kwl",
        "kueueworkload",
        "kueueworkloads",
        "workload.kueue.x-k8s.io",
        "workloads.kueue.x-k8s.io",
    }
)

EXIT_CODES: Mapping[str, int] = {
    "Admit": 0,
    "AdmittedNotRunning": 0,
    "Running": 0,
    "Finished": 0,
    "Preempt": 10,
    "Wait": 11,
    "Never": 12,
    "Blocked": 13,
    "ChecksPending": 14,
}
"""What --exit-code makes of a verdict word."""


class Flags:
    """The global options as they stand on the command line; None where one is not given."""

    namespace: str | None = None
    output: str | None = None
    snapshot: str | None = None


class Session:
    """One run of the program. `exit_code` is what it ends with when nothing fails; `usage` is the text
    that goes with a UsageError.
    """

    def __init__(self) -> None:
        self.flags = Flags()
        self.exit_code = 0
        self.usage = ""

    def world(self, manifests: Sequence[str] = ()) -> "World":
        """Everything of --snapshot, with the objects of `manifests` (files, folders or -) added; they go to
        --namespace if they name none.

        Raises ConfigError without --snapshot, InputError for a file that is not what it says it is.
        """
        if self.flags.snapshot is None:
            raise ConfigError("this version does not connect to a cluster: pass --snapshot FILE|DIR|-")
        if not self.flags.snapshot:
            raise ConfigError("--snapshot is empty: pass FILE|DIR|-")
        if "" in manifests:
            raise ConfigError("-f is empty: pass FILE|DIR|-")
        if [self.flags.snapshot, *manifests].count("-") > 1:
            raise ConfigError("standard input (-) can be read only once")

        from kubectl_kueue.cluster.files import read_source
        from kubectl_kueue.model.decode import add_objects, decode_world

        with _quiet_collector():
            world = decode_world(read_source(self.flags.snapshot))
            for manifest in manifests:
                world = add_objects(world, read_source(manifest), namespace=self.flags.namespace or None)
        return world

    def check_output(self) -> None:
        """Refuse an unknown -o before any work is done for it."""
        from kubectl_kueue.output.formats import check_format

        check_format(self.flags.output)

    def emit(self, page: "Callable[[], Page | Table]", document: "Callable[[], Document]") -> None:
        """Print an answer in the format of -o; only the form that is asked for is made."""
        from kubectl_kueue.output.formats import Answer, emit

        emit(Answer(page, document), self.flags.output)


def find_workload(world: "World", text: str, namespace: str | None) -> str:
    """The key "namespace/name" of the workload that `text` names: NAME, NAMESPACE/NAME, workload/NAME.

    Without a namespace a name is looked up in all of them. Raises NotFoundError with names that are spelled
    like it, ConfigError if it is in several namespaces or if `text` and `namespace` contradict each other.
    """
    kind, slash, rest = text.partition("/")
    if slash and kind in WORKLOAD_WORDS:
        text = rest
    given, slash, name = text.rpartition("/")
    if slash and namespace not in (None, given):
        raise ConfigError(f'"{text}" is in namespace "{given}", but --namespace says "{namespace}"')
    namespace = given or namespace
    found = [key for key in world.workloads if _matches(key, name, namespace)]
    if len(found) == 1:
        return found[0]
    if found:
        raise ConfigError(
            f'workload "{name}" is in several namespaces, say which with -n: {", ".join(sorted(found))}'
        )
    raise _not_found(world, name, namespace)


def require_queues(world: "World") -> None:
    """Raise NotFoundError if there are workloads but none of the queues that they refer to could be known."""
    if world.workloads and not (world.local_queues or world.cluster_queues or world.missing or world.steady):
        raise NotFoundError(
            "the snapshot has workloads but no LocalQueue and no ClusterQueue, so nothing can be said about "
            "them; add what `kubectl get localqueues,clusterqueues,resourceflavors -A -o json` prints"
        )


def _matches(key: str, name: str, namespace: str | None) -> bool:
    own_namespace, _, own_name = key.partition("/")
    return own_name == name and namespace in (None, own_namespace)


def _not_found(world: "World", name: str, namespace: str | None) -> NotFoundError:
    from difflib import get_close_matches

    where = f' in namespace "{namespace}"' if namespace is not None else ""
    if not world.workloads:
        return NotFoundError(f'workload "{name}" not found{where}: there is no workload at all')
    elsewhere = sorted(key for key in world.workloads if _matches(key, name, None))
    if elsewhere:
        return NotFoundError(f'workload "{name}" not found{where}, but there is {", ".join(elsewhere)}')
    names = {key.partition("/")[2]: key for key in sorted(world.workloads, reverse=True)}
    near = [names[match] for match in get_close_matches(name, names)]
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    return NotFoundError(f'workload "{name}" not found{where}{hint}')


@contextmanager
def _quiet_collector() -> "Iterator[None]":
    """A world is millions of small objects that all live to the end: the collector has nothing to find in
    them, neither while they are made nor later, when it would walk them again and again."""
    import gc

    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 100)
        gc.enable()

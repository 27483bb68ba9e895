"""The one place where fetching and deciding meet: one Session per command line.

cluster/ reads bytes, model/ gives them meaning; neither knows the other.
"""

import sys
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kubectl_kueue.cli.argv import read_bool
from kubectl_kueue.cli.names import contradiction, inside, near, several
from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kubectl_kueue.cli.source import Source
    from kubectl_kueue.cluster.external import Finished
    from kubectl_kueue.cluster.kinds import Kind
    from kubectl_kueue.cluster.server import Server
    from kubectl_kueue.model.world import World
    from kubectl_kueue.output.progress import Progress
    from kubectl_kueue.views.page import Document, Listing, Page, Table

WORKLOAD_WORDS = frozenset(kind_named("Workload").words)

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
    """The global options as they stand on the command line; None, or an empty list, where not given."""

    namespace: str | None = None
    output: str | None = None
    template: str | None = None
    allow_missing_template_keys: str | None = None
    show_managed_fields: bool = False
    snapshot: str | None = None
    kubeconfig: str | None = None
    context: str | None = None
    cluster: str | None = None
    user: str | None = None
    server: str | None = None
    token: str | None = None
    # `as` is a word of Python; it is read with getattr.
    as_uid: str | None = None
    as_group: Sequence[str] = ()
    as_user_extra: Sequence[str] = ()
    certificate_authority: str | None = None
    client_certificate: str | None = None
    client_key: str | None = None
    tls_server_name: str | None = None
    insecure_skip_tls_verify: bool = False
    request_timeout: str | None = None
    cache_dir: str | None = None
    disable_compression: bool = False


class Session:
    """One run of the program. `exit_code` is what it ends with when nothing fails; `usage` is the text
    that goes with a UsageError; `clock` stands for the present if it is set (microseconds since 1970).
    With `kubectl_errors` a refusal of the API server is told as kubectl does. `full_screen`: an answer fills
    the terminal, nothing else may be written to it.
    """

    def __init__(self) -> None:
        self.flags = Flags()
        self.arguments: Sequence[str] = ()
        self.exit_code = 0
        self.usage = ""
        self.clock: int | None = None
        self.kubectl_errors = False
        self.full_screen = False
        self.added: Sequence[str] = ()
        self._source: Source | None = None
        self._server: Server | None = None
        self._progress: Progress | None = None
        self._special: Sequence[str] = ()

    # --- reading ----------------------------------------------------------------------------------

    def source(self) -> "Source":
        """Where objects come from: files of --snapshot, else the cluster. Raises ConfigError, InputError."""
        if self._source is None:
            if self.flags.snapshot is None:
                from kubectl_kueue.cli.live import LiveSource

                self._source = LiveSource(self.server(), self.flags.namespace, self.clock)
            else:
                from kubectl_kueue.cli.filed import FileSource

                self._source = FileSource(self._snapshot(), self.flags.namespace, self.clock)
        return self._source

    def server(self) -> "Server":
        """The API server that the flags lead to. Raises ConfigError with --snapshot: a file is no server."""
        self.require_cluster()
        if self._server is None:
            from kubectl_kueue.cluster.connection import Connection
            from kubectl_kueue.cluster.server import Server

            names = ("as", *Connection._fields)
            given = {name: value for name in names if (value := getattr(self.flags, name, None))}
            given["as_user"] = given.pop("as", None)
            self._server = Server(
                Connection(**given), warn=self._server_warning, progress=self._watch_progress()
            )
        return self._server

    def require_cluster(self) -> None:
        """Raise ConfigError for --snapshot."""
        if self.flags.snapshot is not None:
            raise ConfigError("this needs a cluster; --snapshot is a file and stays as it is")

    def check_files(self, files: Sequence[str]) -> None:
        """Raise ConfigError for values of -f that cannot be read together with --snapshot."""
        if "" in files:
            raise ConfigError("-f is empty: pass FILE|DIR|-")
        if [self.flags.snapshot, *files].count("-") > 1:
            raise ConfigError("standard input (-) can be read only once")

    def world(self, manifests: Sequence[str] = (), alone: tuple[str, str] | None = None) -> "World":
        """Everything that the engine reads, with the objects of `manifests` (files, folders or -) added, of
        jobs their Workloads; they go to --namespace if they name none. `added` has the keys of Workloads.
        `alone` is as in Source.

        Raises InputError for a file that is not what it says it is, ApiError if nothing can be read.
        """
        self.check_files(manifests)
        with _quiet_collector():
            self.source().alone = alone
            world = self.source().world()
            if manifests:
                from kubectl_kueue.cli.manifests import add_manifests

                world, self.added = add_manifests(world, manifests, self.flags.namespace or None, self.warn)
        return world

    def home(self) -> str | None:
        """Where a name without a namespace is looked up: as `namespace`, but None (anywhere) for a snapshot
        without --namespace."""
        return self.flags.namespace or self.source().namespace

    def namespace(self) -> str:
        """The namespace that a command acts in: --namespace, else that of the context, else "default"."""
        return self.flags.namespace or self.source().namespace or "default"

    def close(self) -> None:
        """The run is over."""
        if self._server is not None:
            self._server.close()

    def forget(self) -> None:
        """Let go of everything that was read, so that it is read anew; the connection stays."""
        import gc

        self._source = None
        if self._progress is not None:
            self._progress.begin_again()
        gc.unfreeze()
        gc.collect()

    def _snapshot(self) -> str:
        if not self.flags.snapshot:
            raise ConfigError("--snapshot is empty: pass FILE|DIR|-")
        return self.flags.snapshot

    # --- answering --------------------------------------------------------------------------------

    def check_output(self, *special: str) -> None:
        """Refuse an unknown -o before any work is done for it; `special` formats are those that few have."""
        from kubectl_kueue.output.formats import check_format

        self._special = special
        check_format(self.flags.output, self.flags.template, special)

    def emit(
        self,
        page: "Callable[[], Page | Table | Listing]",
        document: "Callable[[], Document]",
        *,
        no_headers: bool = False,
    ) -> None:
        """Print an answer in the format of -o; only the form that is asked for is made."""
        from kubectl_kueue.output.formats import Answer, emit

        self._progress_done()
        emit(
            Answer(page, document, self._special),
            self.flags.output,
            template=self.flags.template,
            show_managed_fields=self.flags.show_managed_fields,
            no_headers=no_headers,
            allow_missing=self._allow_missing(),
            run_kubectl=_run_kubectl,
        )

    def _allow_missing(self) -> bool:
        """--allow-missing-template-keys, which takes a value: kubectl's scripts write =false."""
        text = self.flags.allow_missing_template_keys or "true"
        return read_bool("--allow-missing-template-keys", text)

    def write(self, line: str, *, end: str = "\n") -> None:
        """Print one line of a result, or a question that is answered behind it."""
        from kubectl_kueue.output.text import visible

        self._progress_done()
        sys.stdout.write(f"{visible(line)}{end}")
        if not end:
            sys.stdout.flush()

    def warn(self, line: str) -> None:
        """Tell the person, not the script, on standard error."""
        from kubectl_kueue.output.text import visible

        self._progress_done()
        if sys.stderr is not None and not self.full_screen:
            sys.stdout.flush()
            sys.stderr.write(f"{visible(line)}\n")

    def _server_warning(self, text: str) -> None:
        self.warn(f"Warning: {text}")

    def _watch_progress(self) -> "Callable[[Kind, int], None] | None":
        """Tell how far a long reading is, if a person is watching."""
        if sys.stderr is None or not sys.stderr.isatty() or self.full_screen:
            return None
        from kubectl_kueue.output.progress import Progress

        self._progress = Progress(sys.stderr)
        return self._progress.reading

    def _progress_done(self) -> None:
        if self._progress is not None:
            self._progress.done()


def _run_kubectl(arguments: Sequence[str], stdin: bytes) -> "Finished":
    from kubectl_kueue.cluster.external import run_kubectl

    return run_kubectl(arguments, stdin)


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
        raise contradiction(text, given, namespace)
    namespace = given or namespace
    found = [key for key in world.workloads if _matches(key, name, namespace)]
    if len(found) == 1:
        return found[0]
    if found:
        raise several("workload", name, sorted(found))
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
    from kubectl_kueue.cli.joined import namesakes

    where = inside(namespace)
    if not world.workloads:
        return NotFoundError(f'workload "{name}" not found{where}: there is no workload at all')
    elsewhere = sorted(key for key in world.workloads if _matches(key, name, None))
    if elsewhere:
        return NotFoundError(f'workload "{name}" not found{where}, but there is {", ".join(elsewhere)}')
    names = {key.partition("/")[2]: key for key in sorted(world.workloads, reverse=True)}
    hint = namesakes(world, name, namespace) or near(name, names, names)
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

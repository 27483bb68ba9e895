"""Names of objects: of the cluster that the command line leads to, or of the files of --snapshot.

What was read is believed for half a minute (cache.py). A list is known by the bytes of the kubeconfig and by
the flags that choose a server, a user and a namespace, so that finding it again needs no parser.
"""

import os

from kubectl_kueue.completion.cache import cache_path, recall, remember

TYPE_CHECKING = False  # as that of typing, which takes too long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE = 2.0
"""Seconds after which a cluster has no names."""

Given = dict[str, list[str]]
"""Flags by long name, each with its values in their order; "true" for a switch."""

_CONNECTION = (
    "--kubeconfig",
    "--context",
    "--cluster",
    "--user",
    "--server",
    "--token",
    "--as",
    "--as-uid",
    "--as-group",
    "--as-user-extra",
    "--certificate-authority",
    "--client-certificate",
    "--client-key",
    "--tls-server-name",
    "--insecure-skip-tls-verify",
    "--disable-compression",
    "--cache-dir",
)
_ENVIRONMENT = (
    "KUBERNETES_MASTER",
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
    "POD_NAMESPACE",
    "HTTPS_PROXY",
    "https_proxy",
)
STATEFUL = ("ClusterQueue", "LocalQueue", "Workload")


def names(kind: str, given: Given, state: str = "") -> list[str]:
    """The names of a kind (its API name or any word for it), in their order; of those in a state (on, off).

    Raises an exception if they cannot be read, or not in time.
    """
    stateful = bool(state) and kind in STATEFUL
    place = [f"{flag} {given[flag][-1]}" for flag in ("--namespace", "--all-namespaces") if flag in given]

    def read() -> list[str]:
        from kubectl_kueue.completion.reading import read_names

        return read_names(kind, given, stateful)

    entries = _remembered(["names", kind, str(stateful), *place], given, read)
    pairs = [entry.partition(" ") for entry in entries]
    return list(dict.fromkeys(name for name, _, found in pairs if not stateful or found == state))


def entries_of_kubeconfig(section: str, given: Given) -> list[str]:
    """The names of its "contexts", "clusters" or "users". Raises ConfigError for a file that is none."""

    def read() -> list[str]:
        from kubectl_kueue.completion.reading import read_kubeconfig

        return read_kubeconfig(section, given)

    return _remembered([section], given, read)


def _remembered(key: list[str], given: Given, read: "Callable[[], list[str]]") -> list[str]:
    path = cache_path(last(given, "--cache-dir"), [*key, *_where(given)])
    found = recall(path)
    if found is None:
        found = [each for each in _in_time(read) if "\n" not in each]
        remember(path, found)
    return found


def _where(given: Given) -> "Iterator[str]":
    """All that says which server is asked, and as whom; or which files are read."""
    if path := last(given, "--snapshot"):
        found = os.stat(path)
        yield from (os.path.abspath(path), str(found.st_mtime_ns), str(found.st_size))
        return
    for flag in _CONNECTION:
        yield from (flag, *given.get(flag, ()))
    for variable in _ENVIRONMENT:
        yield f"{variable}={os.environ.get(variable)}"
    for path in _kubeconfigs(given):
        yield os.path.abspath(path)
        try:
            with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
                yield file.read()
        except OSError:
            yield "-"


def _kubeconfigs(given: Given) -> list[str]:
    if flag := last(given, "--kubeconfig"):
        return [flag]
    if listed := os.environ.get("KUBECONFIG"):
        return [path for path in listed.split(os.pathsep) if path]
    return [os.path.join(os.path.expanduser("~"), ".kube", "config")]


def last(given: Given, flag: str) -> str:
    """The value of a flag that counts, empty if it was not given."""
    return given.get(flag, [""])[-1]


def _in_time(read: "Callable[[], list[str]]") -> list[str]:
    """What `read` gives. Raises what it raises, TimeoutError after PATIENCE."""
    import threading

    results: list[list[str]] = []
    failures: list[Exception] = []

    def run() -> None:
        try:
            results.append(read())
        except Exception as error:
            failures.append(error)

    reader = threading.Thread(target=run, daemon=True)
    reader.start()
    reader.join(PATIENCE)
    if results:
        return results[0]
    raise failures[0] if failures else TimeoutError

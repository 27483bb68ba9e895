"""The slow way to names: a cluster, a snapshot, a kubeconfig is read. Everything may be imported here."""

from collections.abc import Iterator
from typing import Any

import msgspec

from kubectl_kueue.cli.filed import FileSource
from kubectl_kueue.cluster.connection import Connection
from kubectl_kueue.cluster.kubeconfig import entry_names
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.completion.names import Given, last

NAMES_ONLY = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json"
PAGE = 2000
ONE_REQUEST = "2s"


def read_names(kind: str, given: Given, stateful: bool) -> list[str]:
    """Names, or lines of "NAME STATE" (on, off), as far as the flags reach. Raises KueueError."""
    if "--snapshot" in given:
        return _of_files(kind, given, stateful)
    server = Server(_connection(given))
    found = server.find_kind(kind)
    everywhere = "--all-namespaces" in given or not found.namespaced
    pages = server.list(
        found,
        None if everywhere else server.namespace,
        accept="application/json" if stateful else NAMES_ONLY,
        limit=PAGE,
    )
    return [_entry(item, stateful) for page in pages for item in _LIST.decode(page).items or ()]


def read_kubeconfig(section: str, given: Given) -> list[str]:
    """The names in its "contexts", "clusters" or "users". Raises ConfigError."""
    return sorted(entry_names(_connection(given), section))


def _of_files(kind: str, given: Given, stateful: bool) -> list[str]:
    path = last(given, "--snapshot")
    if path in ("", "-"):
        return []
    source = FileSource(path, None, None)
    home = None if "--all-namespaces" in given else last(given, "--namespace") or None
    contents = source.list(source.find_kind(kind), home)
    found = [_entry(_OBJECT.decode(content), stateful) for content in contents]
    return found if found or kind != "Namespace" else sorted(set(_spaces(source)))


def _spaces(source: FileSource) -> Iterator[str]:
    """Where the objects are, of a snapshot that has no Namespaces."""
    for word in ("LocalQueue", "Workload"):
        for content in source.list(source.find_kind(word), None):
            if space := _OBJECT.decode(content).metadata.namespace:
                yield space


def _connection(given: Given) -> Connection:
    flags: dict[str, Any] = {}
    for flag, values in given.items():
        name = flag.removeprefix("--").replace("-", "_")
        name = "as_user" if name == "as" else name
        if name in ("as_group", "as_user_extra"):
            flags[name] = tuple(values)
        elif name in Connection._fields:
            flags[name] = True if values[-1] == "true" and name in _SWITCHES else values[-1]
    return Connection(**{**flags, "request_timeout": ONE_REQUEST})


_SWITCHES = ("insecure_skip_tls_verify", "disable_compression")


# --- objects, read no further than needed ---------------------------------------------------------


class _Metadata(msgspec.Struct):
    name: str = ""
    namespace: str = ""


class _Spec(msgspec.Struct, rename="camel"):
    active: bool | None = None
    stop_policy: str | None = None


class _Object(msgspec.Struct):
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    spec: msgspec.Raw = msgspec.Raw(b"{}")


class _List(msgspec.Struct):
    items: list[_Object] | None = None


_OBJECT = msgspec.json.Decoder(_Object)
_LIST = msgspec.json.Decoder(_List)
_SPEC = msgspec.json.Decoder(_Spec)


def _entry(item: _Object, stateful: bool) -> str:
    if not stateful:
        return item.metadata.name
    spec = _SPEC.decode(item.spec)
    stopped = spec.active is False or spec.stop_policy not in (None, "", "None")
    return f"{item.metadata.name} {'off' if stopped else 'on'}"

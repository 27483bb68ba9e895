"""What a server serves: groups, versions, resources; remembered on disk where and as kubectl does.

<cache-dir>/discovery/<host_port>/servergroups.json
<cache-dir>/discovery/<host_port>/<group>/<version>/serverresources.json
"""

import os
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from kubectl_kueue.cluster import clock
from kubectl_kueue.cluster.errands import at_once
from kubectl_kueue.cluster.kinds import KUEUE, VISIBILITY, Kind
from kubectl_kueue.errors import ApiError, ConfigError

TTL = 6 * 3600 * 1_000_000
"""Microseconds for which a file is believed, as in kubectl."""


class GroupVersion(msgspec.Struct, rename="camel"):
    group_version: str
    version: str


class Group(msgspec.Struct, rename="camel"):
    name: str
    versions: list[GroupVersion] = []
    preferred_version: GroupVersion | None = None

    def by_preference(self) -> list[str]:
        """The versions, the server's favourite first."""
        names = [version.version for version in self.versions]
        first = self.preferred_version.version if self.preferred_version else None
        return sorted(names, key=lambda name: name != first)


class Resource(msgspec.Struct, rename="camel"):
    name: str
    kind: str
    namespaced: bool
    singular_name: str = ""
    short_names: list[str] | None = None
    verbs: list[str] | None = None

    def answers_to(self, word: str) -> bool:
        names = (self.name, self.singular_name, self.kind.lower(), *(self.short_names or ()))
        return "/" not in self.name and word in names


class _Groups(msgspec.Struct):
    groups: list[Group]
    kind: str = "APIGroupList"
    apiVersion: str = "v1"


class _Core(msgspec.Struct):
    versions: list[str] = []


class _Resources(msgspec.Struct, rename="camel"):
    group_version: str
    resources: list[Resource]


class Discovery:
    """One server's discovery; `read` asks it for a path."""

    def __init__(self, read: Callable[[str], bytes], folder: str) -> None:
        self._read = read
        self._folder = folder
        self._lock = threading.RLock()
        self._memory: dict[str, Any] = {}
        self._from_disk = False  # whether anything in memory may be out of date
        self._believe = True

    def refresh(self) -> bool:
        """Forget what came from the disk, and ask the server from now on; False if nothing did."""
        with self._lock:
            if not self._from_disk:
                return False
            self._memory.clear()
            self._from_disk = self._believe = False
            return True

    def find(self, word: str) -> Kind:
        """The kind that a word names. Raises ConfigError if there is none."""
        for _ in range(2):
            found = self._find(word.lower())
            if found is not None:
                return found
            if not self.refresh():
                break
        raise ConfigError(f'the server doesn\'t have a resource type "{word}"')

    def find_resource(self, api_version: str, kind: str) -> Kind | None:
        """The kind with this name in one group version, or None if it is not served."""
        group, _, version = api_version.rpartition("/")
        for resource in self._served(group, version):
            if resource.kind == kind and "/" not in resource.name:
                return _kind(group, (version,), resource)
        return None

    def version_of(self, kind: Kind) -> str:
        """The served version that this program reads. Raises ApiError, status 404, if there is none."""
        if kind.group in _ALWAYS and kind.versions == ("v1",):
            return "v1"
        for _ in range(2):
            try:
                version = self._version_of(kind)
            except ApiError as error:
                if error.status in (0, 401):
                    raise
                return kind.versions[0]  # the request itself will say what is wrong
            if version is not None:
                return version
            if not self.refresh():
                break
        raise ApiError(_not_served(kind), status=404, reason="NotFound")

    def versions(self, group: str) -> list[str]:
        """The versions of a group that are served, the server's favourite first; none of an unknown group."""
        found = self._group(group)
        return found.by_preference() if found is not None else []

    def _version_of(self, kind: Kind) -> str | None:
        group = self._group(kind.group)
        if group is None:
            return None
        served = group.by_preference()
        known = [version for version in kind.versions if version in served]
        for version in dict.fromkeys((*known, *served)):
            if any(resource.name == kind.plural for resource in self._resources(kind.group, version)):
                return version
        return None

    def _find(self, word: str) -> Kind | None:
        name, _, rest = word.partition(".")
        groups = sorted(self._groups(), key=lambda group: (group.name != KUEUE, group.name != ""))
        first = [group for group in groups if group.name in (KUEUE, "")]
        others = [group for group in groups if group.name not in (KUEUE, "", VISIBILITY)]
        for part in (first, others):
            wanted = [pair for group in part for pair in _versions_asked(group, rest)]
            for (group, version), resources in zip(wanted, self._all_served(wanted), strict=True):
                for resource in resources:
                    if resource.answers_to(name):
                        versions = (
                            (version,) if rest not in ("", group.name) else tuple(group.by_preference())
                        )
                        return _kind(group.name, versions, resource)
        return None

    def _all_served(self, wanted: list[tuple[Group, str]]) -> list[list[Resource]]:
        if len(wanted) < 3:
            return [self._served(group.name, version) for group, version in wanted]
        return at_once(lambda pair: self._served(pair[0].name, pair[1]), wanted)

    def _served(self, group: str, version: str) -> list[Resource]:
        """The resources, none for a version that is not served or whose own server is down."""
        try:
            return self._resources(group, version)
        except ApiError as error:
            if error.status in (0, 401, 403):
                raise
            return []

    def _group(self, name: str) -> Group | None:
        return next((group for group in self._groups() if group.name == name), None)

    def _groups(self) -> list[Group]:
        groups: list[Group] = self._load("servergroups.json", _Groups, self._ask_groups).groups
        return groups

    def _ask_groups(self) -> bytes:
        core = _decode(self._read("/api"), _Core, "/api")
        groups = _decode(self._read("/apis"), _Groups, "/apis").groups
        versions = [GroupVersion(version, version) for version in core.versions]
        if versions:
            groups.insert(0, Group("", versions, versions[0]))
        return msgspec.json.encode(_Groups(groups))

    def _resources(self, group: str, version: str) -> list[Resource]:
        path = f"/apis/{group}/{version}" if group else f"/api/{version}"
        name = os.path.join(*filter(None, (group, version)), "serverresources.json")
        resources: list[Resource] = self._load(name, _Resources, lambda: self._read(path)).resources
        return resources

    def _load(self, name: str, form: Any, ask: Callable[[], bytes]) -> Any:
        """A document from memory, else from a young file, else from the server."""
        with self._lock:
            if name in self._memory:
                return self._memory[name]
            believe = self._believe
        path = os.path.join(self._folder, name)
        value = _read_file(path, form) if believe else None
        disk = value is not None
        if value is None:
            content = ask()
            value = _decode(content, form, name)
            _write_file(path, content)
        with self._lock:
            self._memory[name] = value
            self._from_disk = self._from_disk or disk
        return value


_ALWAYS = ("", "apps", "batch")  # served as v1 by every server that this program meets


def _versions_asked(group: Group, rest: str) -> Iterator[tuple[Group, str]]:
    """The versions of a group in which `rest` of a word ("", GROUP, VERSION.GROUP) allows to look."""
    for version in group.by_preference():
        if rest in ("", group.name, f"{version}.{group.name}" if group.name else version):
            yield group, version


def _kind(group: str, versions: tuple[str, ...], resource: Resource) -> Kind:
    short = tuple(resource.short_names or ())
    return Kind(group, resource.kind, resource.name, resource.namespaced, short, versions)


def _not_served(kind: Kind) -> str:
    message = f"the server does not serve {kind.resource}"
    if kind.group == VISIBILITY:
        return f"{message}: the visibility API of Kueue is not installed or not running there"
    if kind.group == KUEUE:
        return f"{message}: is Kueue installed there, in a version that has them? Is --context the right one?"
    return f"{message}: the API group is not installed there"


# --- documents ----------------------------------------------------------------------------------


def cache_folder(flag: str | None, server: str) -> str:
    """Where kubectl keeps the discovery of a server."""
    home = os.path.join(os.path.expanduser("~"), ".kube", "cache")
    root = flag or os.environ.get("KUBECACHEDIR") or home
    host = re.sub(r"[^\w/.()]", "_", re.sub(r"^https?://", "", server), flags=re.ASCII)
    steps = [step for step in host.split("/") if step not in ("", ".", "..")]
    return os.path.join(root, "discovery", *steps)


def _decode(content: bytes, form: Any, name: str) -> Any:
    try:
        return msgspec.json.decode(content, type=form)
    except (msgspec.DecodeError, RecursionError):
        raise ApiError(
            f"the server's answer to discovery ({name}) is not what an API server says; is it one?"
        ) from None


def _read_file(path: str, form: Any) -> Any:
    """None for a file that is missing, old or broken."""
    try:
        if abs(clock.now() - os.stat(path).st_mtime_ns // 1000) > TTL:
            return None
        with open(path, "rb") as file:
            return msgspec.json.decode(file.read(), type=form)
    except (OSError, ValueError, RecursionError, msgspec.DecodeError):
        return None


def _write_file(path: str, content: bytes) -> None:
    """All or nothing; a home that cannot be written to is no error."""
    import tempfile

    temporary = ""
    try:
        os.makedirs(os.path.dirname(path), mode=0o750, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except (OSError, ValueError):
        if temporary:
            try:
                os.unlink(temporary)
            except OSError:
                return

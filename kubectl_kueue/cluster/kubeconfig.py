"""Kubeconfig files and flags -> the server to talk to, and how to log in there. No request is made here.

The rules are kubectl's: the first file of $KUBECONFIG that sets a value wins, flags win over files, relative
paths are relative to the file that names them, and inside a pod its service account is used if there is no
kubeconfig.
"""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from kubectl_kueue.cluster.connection import Connection
from kubectl_kueue.errors import ConfigError

DEFAULT_SERVER = "http://localhost:8080"
SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"


class Login(NamedTuple):
    """A kubeconfig that has been looked through. `cluster` and `user` are its sections, with absolute paths
    and with the flags in them; `origin` is the file that the user stands in ("" if it is in none).
    """

    server: str
    namespace: str
    cluster: Mapping[str, Any]
    user: Mapping[str, Any]
    user_name: str = ""
    cluster_name: str = ""
    origin: str = ""

    @property
    def found(self) -> bool:
        """Whether anything said which server; else it is kubectl's http://localhost:8080."""
        return bool(self.cluster.get("server"))


def find_login(connection: Connection) -> Login:
    """What the flags and the kubeconfig say together. Raises ConfigError, one line."""
    config = _merged(connection)
    if config is None and (login := _service_account(connection)) is not None:
        return login
    config = config or _Config("", {}, {}, {})
    context = _context(config, connection.context)
    cluster_name = connection.cluster or _text(context, "cluster", "context")
    user_name = connection.user or _text(context, "user", "context")
    cluster = _cluster(config, cluster_name, connection)
    user_entry = config.users.get(user_name)
    if user_entry is None and connection.user:
        raise ConfigError(f'auth info "{user_name}" does not exist')
    user = _user(user_entry.value if user_entry else {}, connection)
    return Login(
        _server_url(_text(cluster, "server", f'cluster "{cluster_name}"') or DEFAULT_SERVER, cluster, user),
        connection.namespace or _text(context, "namespace", "context") or "default",
        cluster,
        user,
        user_name,
        cluster_name,
        user_entry.origin if user_entry else "",
    )


def entry_names(connection: Connection, section: str) -> list[str]:
    """The names in a section ("contexts", "clusters", "users") of all files. Raises ConfigError."""
    config = _merged(connection)
    return list(getattr(config, section)) if config is not None else []


# --- files --------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    value: Mapping[str, Any]
    origin: str


class _Config(NamedTuple):
    """All files together, names -> sections."""

    current: str
    contexts: dict[str, _Entry]
    clusters: dict[str, _Entry]
    users: dict[str, _Entry]


def _merged(connection: Connection) -> _Config | None:
    """None if no file is there, or nothing stands in them."""
    current, contexts, clusters, users = "", {}, {}, {}  # type: ignore[var-annotated]
    for path in _files(connection.kubeconfig):
        document = _read(path, explicit=bool(connection.kubeconfig))
        current = current or _text(document, "current-context", path)
        for section, key, found in (
            ("contexts", "context", contexts),
            ("clusters", "cluster", clusters),
            ("users", "user", users),
        ):
            for name, value in _named(document, section, key, path):
                found.setdefault(name, _Entry(_absolute(value, path), path))
    if not (current or contexts or clusters or users):
        return None
    return _Config(current, contexts, clusters, users)


def _files(flag: str | None) -> list[str]:
    if flag:
        return [flag]
    if listed := os.environ.get("KUBECONFIG"):
        return list(dict.fromkeys(filter(None, listed.split(os.pathsep))))
    return [os.path.join(os.path.expanduser("~"), ".kube", "config")]


def _read(path: str, *, explicit: bool) -> Mapping[str, Any]:
    import yaml

    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        if explicit:
            raise ConfigError(f"stat {path}: no such file or directory") from None
        return {}
    except OSError as error:
        raise ConfigError(
            f'error loading config file "{path}": {(error.strerror or str(error)).lower()}'
        ) from None
    try:
        # The C loader builds the same safe values, several times faster.
        document = yaml.load(content, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  # nosec B506
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        where = f"line {mark.line + 1}: " if mark else ""
        problem = _QUOTED.sub("", problem or "not YAML")
        raise ConfigError(f'error loading config file "{path}": {where}{problem}') from None
    except (ValueError, RecursionError):
        raise ConfigError(f'error loading config file "{path}": not YAML') from None
    if document is None:
        return {}
    return _mapping(document, f'error loading config file "{path}": it')


# What a parser quotes of the file may be a secret; a single character is none.
_QUOTED = re.compile(r"""(?:(?<!\s)\s+)?(['"]).{2,}\1""")


def _named(document: Mapping[str, Any], section: str, key: str, path: str) -> Iterator[tuple[str, Any]]:
    where = f'error loading config file "{path}": '
    entries = document.get(section) or []
    if not isinstance(entries, list):
        raise ConfigError(f"{where}{section} is not a list")
    for entry in entries:
        name = _text(_mapping(entry, f"{where}an entry of {section}"), "name", path)
        yield name, _mapping(entry.get(key) or {}, f'{where}{key} "{name}"')


_PATHS = ("certificate-authority", "client-certificate", "client-key", "tokenFile")


def _absolute(section: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    """A section with its relative paths made absolute."""
    folder = os.path.dirname(os.path.abspath(path))
    changed = {
        name: os.path.join(folder, section[name])
        for name in _PATHS
        if isinstance(section.get(name), str) and section[name]
    }
    return {**section, **changed}


# --- the parts ----------------------------------------------------------------------------------


def _context(config: _Config, flag: str | None) -> Mapping[str, Any]:
    name = flag or config.current
    if not name:
        return {}
    if name not in config.contexts:
        raise ConfigError(f'context "{name}" does not exist')
    return config.contexts[name].value


def _cluster(config: _Config, name: str, connection: Connection) -> Mapping[str, Any]:
    entry = config.clusters.get(name)
    if entry is None and name and (connection.cluster or not connection.server):
        raise ConfigError(f'cluster "{name}" does not exist')
    cluster = dict(entry.value) if entry else {}
    if not entry and not connection.server and (master := os.environ.get("KUBERNETES_MASTER")):
        cluster["server"] = master
    if connection.server:
        # Another server has another name: the one of the file does not go with it.
        cluster["server"] = connection.server
        cluster.pop("tls-server-name", None)
    if connection.tls_server_name:
        cluster["tls-server-name"] = connection.tls_server_name
    if connection.certificate_authority or connection.insecure_skip_tls_verify:
        cluster.pop("certificate-authority-data", None)
        cluster.pop("certificate-authority", None)
        cluster["insecure-skip-tls-verify"] = connection.insecure_skip_tls_verify
    if connection.certificate_authority:
        cluster["certificate-authority"] = os.path.abspath(connection.certificate_authority)
    if entry is not None and not cluster.get("server"):
        raise ConfigError(f'no server found for cluster "{name}"')
    return cluster


def _user(section: Mapping[str, Any], connection: Connection) -> Mapping[str, Any]:
    user = dict(section)
    if connection.client_certificate:
        user.pop("client-certificate-data", None)
        user["client-certificate"] = os.path.abspath(connection.client_certificate)
    if connection.client_key:
        user.pop("client-key-data", None)
        user["client-key"] = os.path.abspath(connection.client_key)
    if connection.token:
        for other in ("tokenFile", "exec", "auth-provider", "username", "password"):
            user.pop(other, None)
        user["token"] = connection.token
    if connection.as_user:
        user["as"] = connection.as_user
    if connection.as_uid:
        user["as-uid"] = connection.as_uid
    if connection.as_group:
        user["as-groups"] = list(connection.as_group)
    if connection.as_user_extra:
        user["as-user-extra"] = _extra(connection.as_user_extra)
    return user


def _extra(flags: tuple[str, ...]) -> Mapping[str, list[str]]:
    extra: dict[str, list[str]] = {}
    for flag in flags:
        key, equals, value = flag.partition("=")
        if not equals:
            raise ConfigError(f"--as-user-extra: {flag} must be formatted as key=value")
        extra.setdefault(key, []).append(value)
    return extra


def _server_url(server: str, cluster: Mapping[str, Any], user: Mapping[str, Any]) -> str:
    """With a scheme and without a slash at the end: HOST:PORT alone is http, or https if there is TLS."""
    from urllib.parse import urlsplit

    if "://" not in server:
        tls = any(name.startswith(("certificate-authority", "insecure", "tls-")) for name in cluster)
        tls = tls or any(name.startswith("client-") for name in user)
        server = f"http{'s' if tls else ''}://{server}"
    try:
        parts = urlsplit(server)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 0) >= 0
    except ValueError:
        good = False
    if not good or any(ord(letter) <= 32 for letter in server):
        from kubectl_kueue.cluster.failures import told

        raise ConfigError(f'host must be a URL or a host:port pair: "{told(server)}"')
    return server.split("?")[0].split("#")[0].rstrip("/")


def _service_account(connection: Connection) -> Login | None:
    """How a pod reaches the cluster that it runs in; None outside of a pod."""
    host, port = os.environ.get("KUBERNETES_SERVICE_HOST"), os.environ.get("KUBERNETES_SERVICE_PORT")
    token = os.path.join(SERVICE_ACCOUNT, "token")
    if not host or not port or not os.path.isfile(token):
        return None
    server = connection.server or f"https://{f'[{host}]' if ':' in host else host}:{port}"
    ca = os.path.join(SERVICE_ACCOUNT, "ca.crt")
    section = {"certificate-authority": ca} if os.path.isfile(ca) else {}
    account = _Config("", {}, {"pod": _Entry({"server": server, **section}, "")}, {})
    cluster = _cluster(account, "pod", connection)
    user = _user({"tokenFile": token}, connection)
    namespace = connection.namespace or os.environ.get("POD_NAMESPACE") or _pod_namespace()
    return Login(_server_url(server, cluster, user), namespace, cluster, user)


def _pod_namespace() -> str:
    try:
        with open(os.path.join(SERVICE_ACCOUNT, "namespace"), encoding="utf-8") as file:
            return file.read().strip() or "default"
    except (OSError, ValueError):
        return "default"


def _text(section: Mapping[str, Any], name: str, where: str) -> str:
    value = section.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ConfigError(f"kubeconfig: {name} of {where} is not a text")
    return value


def _mapping(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{what} is not a mapping")
    return value

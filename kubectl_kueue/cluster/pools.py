"""Connections to one server: three ways, each a pool with `send`, `clear` and its `errors`.

Reads go directly, by the standard library: the official client costs some 300 ms of CPU to import, urllib3
some 60, and a login that is made of certificates and tokens needs nothing of them. A proxy takes urllib3.
What neither knows goes through the client's own reader of kubeconfigs, as do changes and watches. All are
held by the same tests.
"""

import os
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from kubectl_kueue.cluster import failures
from kubectl_kueue.cluster.direct import DirectPool, Outgoing
from kubectl_kueue.cluster.kubeconfig import Login
from kubectl_kueue.cluster.trust import new_context
from kubectl_kueue.errors import ConfigError

Certificate = Mapping[str, str]
"""client-certificate(-data) and client-key(-data) as a kubeconfig has them; data is base64."""

CONNECTIONS = 8
"""Kept open to the server: as many as lists are read at the same time, and some."""


def plain_pool(login: Login, certificate: Certificate) -> Any:
    """The short way; None for what it does not know (proxies that are not http)."""
    proxy = proxy_of(login)
    if proxy and urlsplit(proxy).scheme not in ("http", "https"):
        return None
    context = _context(login, certificate) if login.server.startswith("https:") else None
    name = str(login.cluster.get("tls-server-name") or "") or None
    if not proxy:
        return DirectPool(login.server, context, name, CONNECTIONS)
    return _through(proxy, login, context, name)


def _context(login: Login, certificate: Certificate) -> Any:
    cluster = login.cluster
    insecure = bool(cluster.get("insecure-skip-tls-verify"))
    try:
        context = new_context(
            cluster.get("certificate-authority"), _authority_data(cluster), insecure=insecure
        )
        _load_certificate(context, certificate)
    except (OSError, ValueError) as error:
        raise ConfigError(f"the connection cannot be set up: {failures.cause(error, login.server)}") from None
    return context


def _through(proxy: str, login: Login, context: Any, name: str | None) -> Any:
    import urllib3

    settings: dict[str, Any] = {"maxsize": CONNECTIONS}
    if context is not None:
        insecure = not context.check_hostname
        settings |= {"ssl_context": context, "cert_reqs": "CERT_NONE" if insecure else "CERT_REQUIRED"}
        if insecure:
            settings["assert_hostname"] = False
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        if name:
            settings["server_hostname"] = name
    try:
        return Urllib3Pool(urllib3.ProxyManager(proxy, proxy_headers=_proxy_headers(proxy), **settings))
    except (OSError, ValueError, urllib3.exceptions.HTTPError) as error:
        raise ConfigError(f"the connection cannot be set up: {failures.cause(error, login.server)}") from None


class Urllib3Pool:
    """A pool manager of urllib3, asked for one answer at a time: it neither retries nor follows."""

    def __init__(self, manager: Any) -> None:
        import urllib3

        manager.pool_classes_by_scheme = {
            scheme: _watched(pool) for scheme, pool in manager.pool_classes_by_scheme.items()
        }
        self._manager = manager
        self.errors = (urllib3.exceptions.HTTPError, OSError, ValueError)
        self.clear = manager.clear

    def send(self, request: Outgoing) -> Any:
        """The response, its body still to be read. Raises one of `errors`."""
        import urllib3

        _asking.alarm = request.alarm
        return self._manager.urlopen(
            request.method,
            request.url,
            body=request.body,
            headers=urllib3.HTTPHeaderDict(request.headers),
            retries=False,
            redirect=False,
            preload_content=False,
            timeout=urllib3.Timeout(connect=request.connect, read=request.read),
        )


_asking = threading.local()
"""The Alarm of the request that a thread is about; urllib3 has no way to hand it through."""


def _watched(pool: Any) -> Any:
    """A class of pools of urllib3 that gives the sockets of its connections to the Alarm."""

    class Watched(pool):  # type: ignore[misc]
        def _get_conn(self, timeout: float | None = None) -> Any:
            connection = super()._get_conn(timeout)
            alarm = _asking.alarm

            def connect() -> Any:
                made = type(connection)._new_conn(connection)
                alarm.hold(made)
                return made

            connection._new_conn = connect
            if connection.sock is not None:
                alarm.hold(connection.sock)
            return connection

        def _validate_conn(self, conn: Any) -> None:
            super()._validate_conn(conn)
            _asking.alarm.connected = True

    return Watched


def _authority_data(cluster: Mapping[str, Any]) -> str | None:
    data = cluster.get("certificate-authority-data")
    return _text(data).decode("ascii", "replace") if data else None


def _load_certificate(context: Any, certificate: Certificate) -> None:
    """Python reads client certificates from files only: data lies in one of ours for that moment."""
    if not certificate:
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="kubectl-kueue-") as folder:  # 0700
        paths = [_file(certificate, name, folder) for name in ("client-certificate", "client-key")]
        context.load_cert_chain(paths[0], paths[1])


def _file(certificate: Certificate, name: str, folder: str) -> str:
    data = certificate.get(f"{name}-data")
    if not data:
        return certificate[name]
    path = os.path.join(folder, name)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(_text(data))
    return path


def _text(data: object) -> bytes:
    import base64

    return base64.b64decode("".join(str(data).split()))


# --- the client library ---------------------------------------------------------------------------


def library_pool(login: Login, certificate: Certificate) -> Any:
    """The pool of the client library, set up by its own reader of kubeconfigs."""
    import urllib3
    from kubernetes.client import ApiClient, Configuration
    from kubernetes.config import ConfigException
    from kubernetes.config.kube_config import KubeConfigLoader

    insecure = bool(login.cluster.get("insecure-skip-tls-verify"))
    proxy = proxy_of(login)
    configuration = Configuration()
    try:
        loader: Any = KubeConfigLoader
        loader(_one_context(login, certificate), config_base_path="").load_and_set(configuration)
        configuration.host = login.server
        configuration.proxy = proxy or None
        configuration.no_proxy = None
        configuration.proxy_headers = _proxy_headers(proxy)
        if insecure:
            urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
        pool = ApiClient(configuration=configuration).rest_client.pool_manager
        if login.server.startswith("https:"):
            if not configuration.ssl_ca_cert:
                pool.connection_pool_kw["ca_certs"] = None  # none but those of the system, as for kubectl
            pool.connection_pool_kw["ssl_context"] = new_context(configuration.ssl_ca_cert, insecure=insecure)
        return Urllib3Pool(pool)
    except (ConfigException, OSError, ValueError, urllib3.exceptions.HTTPError) as error:
        raise ConfigError(f"the connection cannot be set up: {failures.cause(error, login.server)}") from None
    except ImportError as error:
        raise ConfigError(
            f"the proxy {urlsplit(proxy).scheme} needs a package that is missing: {error}"
        ) from None


def _one_context(login: Login, certificate: Certificate) -> dict[str, Any]:
    known = ("certificate-authority", "certificate-authority-data", "tls-server-name")
    cluster: dict[str, Any] = {name: login.cluster[name] for name in known if login.cluster.get(name)}
    cluster["server"] = login.server
    cluster["insecure-skip-tls-verify"] = bool(login.cluster.get("insecure-skip-tls-verify"))
    return {
        "current-context": "it",
        "contexts": [{"name": "it", "context": {"cluster": "it", "user": "it"}}],
        "clusters": [{"name": "it", "cluster": cluster}],
        "users": [{"name": "it", "user": dict(certificate)}],
    }


# --- what is wrong with it --------------------------------------------------------------------------


def check_files(login: Login, certificate: Certificate) -> None:
    """Raise ConfigError for files and data that cannot be what they should, naming them as kubectl does."""
    cluster = login.cluster
    if cluster.get("insecure-skip-tls-verify") and (
        cluster.get("certificate-authority") or cluster.get("certificate-authority-data")
    ):
        raise ConfigError(
            "specifying a root certificates file with the insecure flag is not allowed: "
            "leave out certificate-authority or insecure-skip-tls-verify"
        )
    _check_file(cluster, "certificate-authority", login.cluster_name)
    for name in ("client-certificate", "client-key"):
        _check_file(certificate, name, login.user_name)
    has = [name for name in ("client-certificate", "client-key") if {name, f"{name}-data"} & set(certificate)]
    if len(has) == 1:
        missing = "client-key" if "client-certificate" in has else "client-certificate"
        raise ConfigError(f"{missing} is missing for user {login.user_name or '(flags)'}")


def _check_file(section: Mapping[str, Any], name: str, owner: str) -> None:
    """Name the file or the field that is wrong, as kubectl does; the library says less."""
    if data := section.get(f"{name}-data"):
        _check_data(data, f"{name}-data of {owner}")
    elif path := section.get(name):
        try:
            with open(path, "rb"):
                pass
        except (OSError, TypeError, ValueError) as error:
            short = name.replace("client-certificate", "client-cert")
            cause = (getattr(error, "strerror", None) or str(error)).lower()
            raise ConfigError(
                f"unable to read {short} {path} for {owner} due to open {path}: {cause}"
            ) from None


def _check_data(data: object, what: str) -> None:
    import base64

    try:
        good = b"-----BEGIN" in base64.b64decode("".join(str(data).split()), validate=True)
    except ValueError:
        good = False
    if not good:
        raise ConfigError(f"kubeconfig: {what} is not base64 of a PEM block")


# --- proxies --------------------------------------------------------------------------------------


def proxy_of(login: Login) -> str:
    """The proxy of the kubeconfig, else that of the environment; empty for none."""
    return str(login.cluster.get("proxy-url") or "") or _proxy_of_environment(login.server)


def _proxy_headers(proxy: str) -> Any:
    """Proxy-Authorization, if the address has a user."""
    if "@" not in proxy:
        return None
    from urllib.parse import unquote

    import urllib3

    user, _, password = urlsplit(proxy).netloc.rpartition("@")[0].partition(":")
    return urllib3.make_headers(proxy_basic_auth=f"{unquote(user)}:{unquote(password)}")


def _proxy_of_environment(server: str) -> str:
    """$HTTPS_PROXY or $HTTP_PROXY, unless $NO_PROXY or the loopback says otherwise."""
    parts = urlsplit(server)
    host = parts.hostname or ""
    name = f"{parts.scheme}_proxy"
    proxy = os.environ.get(name.upper()) or os.environ.get(name) or ""
    if not proxy or host == "localhost" or host.startswith("127.") or host == "::1":
        return ""
    from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]

    excluded = os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or ""
    if failures.in_networks(host, excluded) or proxy_bypass_environment(host, {"no": excluded}):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"

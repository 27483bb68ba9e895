"""Who we are to a server: tokens, passwords, exec plugins. Nothing secret reaches a message."""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Mapping
from typing import Any

from kubectl_kueue.cluster import clock
from kubectl_kueue.cluster.kubeconfig import Login
from kubectl_kueue.errors import ConfigError

_EXEC_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
_EARLY = 10_000_000  # microseconds before its end in which a credential is no longer used


class Credentials:
    """The credentials of one login; plugins run when they are first needed, from any thread."""

    def __init__(self, login: Login) -> None:
        self._login = login
        self._lock = threading.Lock()
        self._plugin: Mapping[str, Any] | None = None
        self._end = 0  # of the plugin's credential; 0: it has none

    def authorization(self) -> str:
        """The value of the Authorization header, "" for none. Raises ConfigError."""
        user = self._login.user
        if token := _token(user):
            return f"Bearer {token}"
        if isinstance(user.get("exec"), dict):
            return _bearer(self._from_plugin().get("token"))
        if "auth-provider" in user:
            from kubectl_kueue.cluster.oidc import id_token

            with self._lock:
                return f"Bearer {id_token(self._login)}"
        if user.get("username"):
            from base64 import b64encode

            pair = f"{user['username']}:{user.get('password') or ''}"
            return f"Basic {b64encode(pair.encode()).decode()}"
        return ""

    def certificate(self) -> Mapping[str, str]:
        """client-certificate(-data) and client-key(-data) as a kubeconfig has them; data is base64."""
        user = self._login.user
        if isinstance(user.get("exec"), dict) and not _token(user):
            plugin = self._from_plugin()
            if plugin.get("clientCertificateData"):
                from base64 import b64encode

                return {
                    "client-certificate-data": b64encode(plugin["clientCertificateData"].encode()).decode(),
                    "client-key-data": b64encode(plugin["clientKeyData"].encode()).decode(),
                }
        return {name: value for name, value in user.items() if name.startswith("client-") and value}

    def refresh(self, refused: str) -> bool:
        """Forget what a plugin said, as the server refused it; False if no plugin can be asked again.

        `refused` is the authorization that was sent: of many requests at a time that are refused only the
        first asks the plugin, the others go on with what it said.
        """
        with self._lock:
            if self._plugin is not None and refused == _bearer(self._plugin.get("token")):
                self._plugin = None
            return isinstance(self._login.user.get("exec"), dict) and not _token(self._login.user)

    def _from_plugin(self) -> Mapping[str, Any]:
        with self._lock:
            if self._plugin is None or (self._end and clock.now() >= self._end - _EARLY):
                self._plugin = _run_plugin(self._login)
                self._end = _end_of(self._plugin)
            return self._plugin


def _bearer(token: Any) -> str:
    return f"Bearer {token}" if token else ""


def _token(user: Mapping[str, Any]) -> str:
    """A token file is preferred to a token, as in kubectl."""
    path = user.get("tokenFile")
    if not path:
        return str(user.get("token") or "")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, ValueError) as error:
        raise ConfigError(f"open {path}: {_cause(error)}") from None


def _cause(error: Exception) -> str:
    return (getattr(error, "strerror", None) or "not text").lower()


# --- exec plugins -------------------------------------------------------------------------------


def _run_plugin(login: Login) -> Mapping[str, Any]:
    """The status of the ExecCredential that the plugin prints."""
    section = login.user["exec"]
    version, command = section.get("apiVersion"), section.get("command")
    if not isinstance(command, str) or not command:
        raise ConfigError(f'kubeconfig: exec of user "{login.user_name}" names no command')
    if version not in _EXEC_VERSIONS:
        raise ConfigError(
            f'kubeconfig: exec of user "{login.user_name}" has the unknown apiVersion {version!r}'
        )
    interactive = _interactive(section, command)
    output = _run(section, command, _environment(login, version, interactive), interactive, login.origin)
    return _credential(output, command, version)


def _interactive(section: Mapping[str, Any], command: str) -> bool:
    mode = section.get("interactiveMode") or "IfAvailable"
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if mode == "Always" and not terminal:
        raise ConfigError(
            f"getting credentials: exec: {command} wants to ask, and standard input is no terminal"
        )
    return bool(terminal and mode != "Never")


def _environment(login: Login, version: str, interactive: bool) -> Mapping[str, str]:
    section = login.user["exec"]
    spec: dict[str, Any] = {"interactive": interactive}
    if section.get("provideClusterInfo"):
        spec["cluster"] = _cluster_info(login)
    info = {"apiVersion": version, "kind": "ExecCredential", "spec": spec}
    own = {
        str(pair.get("name")): str(pair.get("value", ""))
        for pair in section.get("env") or ()
        if isinstance(pair, dict)
    }
    return {**os.environ, **own, "KUBERNETES_EXEC_INFO": json.dumps(info)}


def _cluster_info(login: Login) -> Mapping[str, Any]:
    cluster = login.cluster
    info = {
        name: cluster[name] for name in ("tls-server-name", "insecure-skip-tls-verify") if name in cluster
    }
    info["server"] = login.server
    if cluster.get("proxy-url"):
        info["proxy-url"] = cluster["proxy-url"]
    if cluster.get("certificate-authority-data"):
        info["certificate-authority-data"] = cluster["certificate-authority-data"]
    elif cluster.get("certificate-authority"):
        from base64 import b64encode

        with open(cluster["certificate-authority"], "rb") as file:
            info["certificate-authority-data"] = b64encode(file.read()).decode()
    for extension in cluster.get("extensions") or ():
        if extension.get("name") == "client.authentication.k8s.io/exec":
            info["config"] = extension.get("extension")
    return info


def _run(
    section: Mapping[str, Any], command: str, environment: Mapping[str, str], interactive: bool, origin: str
) -> bytes:
    """What the plugin prints. On a terminal its messages go to the user, as it may have to ask something."""
    program = command
    if os.path.dirname(command) and not os.path.isabs(command):
        program = os.path.join(os.path.dirname(os.path.abspath(origin)), command)
    arguments = [str(argument) for argument in section.get("args") or ()]
    hint = " ".join(str(section.get("installHint") or "").split())
    try:
        done = subprocess.run(  # noqa: S603 - the kubeconfig names the program, as for kubectl
            [program, *arguments],
            env=environment,
            stdin=None if interactive else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=None if interactive else subprocess.PIPE,
            check=False,
        )
    except (OSError, ValueError) as error:
        cause = "executable not found" if isinstance(error, FileNotFoundError) else _cause(error)
        raise ConfigError(
            f"getting credentials: exec: {command}: {cause}" + (f"; {hint}" if hint else "")
        ) from None
    if done.returncode != 0:
        said = _last_words(done.stderr)
        raise ConfigError(
            f"getting credentials: exec: executable {command} failed with exit code {done.returncode}"
            + (f": {said}" if said else "")
        )
    return done.stdout


def _last_words(output: bytes | None) -> str:
    """The last line that the plugin wrote to stderr, without anything that looks like a secret."""
    lines = [line.strip() for line in (output or b"").decode(errors="replace").splitlines() if line.strip()]
    if not lines:
        return ""
    text = re.sub(r"[A-Za-z0-9+/_=-]{24,}(\.[A-Za-z0-9+/_=-]+)*", "…", lines[-1])
    return text if len(text) <= 200 else text[:200] + "…"


def _credential(output: bytes, command: str, version: str) -> Mapping[str, Any]:
    where = f"getting credentials: exec: {command}"
    try:
        document = json.loads(output)
    except (ValueError, RecursionError):
        raise ConfigError(f"{where} did not print an ExecCredential: not JSON") from None
    if not isinstance(document, dict) or document.get("kind") != "ExecCredential":
        raise ConfigError(f"{where} did not print an ExecCredential")
    if document.get("apiVersion") != version:
        raise ConfigError(f"{where} answered in another apiVersion than {version}")
    status = document.get("status")
    if not isinstance(status, dict):
        raise ConfigError(f"{where} printed an ExecCredential without status")
    certificate, key = status.get("clientCertificateData"), status.get("clientKeyData")
    if bool(certificate) != bool(key):
        raise ConfigError(f"{where} printed a certificate without its key, or a key without its certificate")
    values = [status.get("token"), certificate, key]
    if not any(values) or not all(isinstance(value, str | None) for value in values):
        raise ConfigError(f"{where} printed neither a token nor a certificate")
    return status


def _end_of(status: Mapping[str, Any]) -> int:
    """Microseconds since 1970, or 0."""
    from datetime import datetime

    try:
        return int(datetime.fromisoformat(str(status["expirationTimestamp"])).timestamp() * 1_000_000)
    except (KeyError, ValueError, OverflowError):
        return 0

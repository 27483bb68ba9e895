"""A kube-apiserver with its etcd on loopback, in a temporary folder, for as long as a `with` lasts.

Nothing else of Kubernetes runs: no controllers, so nothing is garbage-collected, no namespace ends, and the
only events in the audit log are those of the tests.
"""

import base64
import http.client
import json
import os
import re
import secrets
import signal
import socket
import ssl
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import yaml

STARTS_WITHIN = 60.0
"""Seconds. It takes three; a busy machine is no finding."""

USERS: Mapping[str, str] = {"admin": "system:masters", "dev": "developers", "nobody": ""}
"""Users and their groups. Only admin has any rights that no Role gives."""

AUDIT_POLICY = """
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [ResponseStarted]
rules:
- level: Request
  verbs: [create, patch, update, delete, deletecollection]
  resources: [{group: kueue.x-k8s.io}, {group: batch}, {group: ""}]
- level: Metadata
"""


# PR_SET_PDEATHSIG: the kernel ends the program when a test run is killed before it can do so itself.
ENDS_WITH_PARENT = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9)
os.execv(sys.argv[1], sys.argv[1:])
"""


ETCD_TAKES = 100
"""Changes in one transaction."""


class Refused(Exception):
    """The API server's answer was an error; `status` is its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


class Request(NamedTuple):
    """One request that the audit log holds. `body` is what was sent, `{}` where the log has none."""

    user: str
    verb: str
    uri: str
    status: int
    body: Any

    @property
    def writes(self) -> bool:
        """Whether it asks for a change; a question about one's own rights is a create that does not."""
        asks = "/selfsubjectaccessreviews" in self.uri or "/selfsubjectrulesreviews" in self.uri
        return self.verb not in ("get", "list", "watch") and not asks


class ApiServer:
    """What the tests know of a running server. Its own requests carry the user agent `tests`."""

    def __init__(self, port: int, folder: Path, etcd: str) -> None:
        self._etcd = etcd.removeprefix("http://")
        self.url = f"https://127.0.0.1:{port}"
        self._folder = folder
        self._audit = folder / "audit.log"
        tls = ssl.create_default_context(cafile=str(folder / "certs" / "apiserver.crt"))
        self._connection = http.client.HTTPSConnection("127.0.0.1", port, context=tls, timeout=30)

    def call(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> Any:
        """The parsed answer to a request of the admin. Raises Refused."""
        headers = {"Authorization": "Bearer admin", "User-Agent": "tests", "Content-Type": content_type}
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        with self._connection.getresponse() as response:
            data = response.read()
        if response.status >= 400:
            raise Refused(response.status, data.decode())
        return json.loads(data) if data.startswith(b"{") else data

    def forward(self, path: str, headers: Mapping[str, str]) -> tuple[int, bytes]:
        """Status and body of the answer to somebody else's GET."""
        self._connection.request("GET", path, headers={**headers, "Accept-Encoding": "identity"})
        with self._connection.getresponse() as response:
            return response.status, response.read()

    def compact(self) -> None:
        """Make etcd forget all states but the present one."""
        revision = int(self.call("GET", "/api/v1/namespaces")["metadata"]["resourceVersion"])
        self._ask_etcd("compaction", {"revision": revision})

    def multiply(self, place: str, name: str, names: Sequence[str]) -> None:
        """Store copies of a custom resource under other names, behind the server's back and hence at once.
        `place` is <group>/<plural>/<namespace>."""
        folder = f"/{self._folder.name}/{place}/"
        found = self._ask_etcd("range", {"key": _base64(folder + name)})
        item = json.loads(base64.b64decode(found["kvs"][0]["value"]))
        for start in range(0, len(names), ETCD_TAKES):
            puts = []
            for copy in names[start : start + ETCD_TAKES]:
                metadata = {**item["metadata"], "name": copy, "uid": str(uuid.uuid4())}
                value = json.dumps({**item, "metadata": metadata})
                puts.append({"requestPut": {"key": _base64(folder + copy), "value": _base64(value)}})
            self._ask_etcd("txn", {"success": puts})

    def clear(self, place: str) -> None:
        """Remove all objects of a place, in the same way."""
        folder = f"/{self._folder.name}/{place}"
        self._ask_etcd("deleterange", {"key": _base64(f"{folder}/"), "range_end": _base64(f"{folder}0")})

    def _ask_etcd(self, request: str, body: Any) -> Any:
        with closing(http.client.HTTPConnection(self._etcd, timeout=30)) as etcd:
            etcd.request("POST", f"/v3/kv/{request}", json.dumps(body))
            response = etcd.getresponse()
            answer = response.read()
        if response.status != 200:
            raise Refused(response.status, answer.decode())
        return json.loads(answer)

    def find(self, path: str) -> Any:
        """The object at a path, or None."""
        try:
            return self.call("GET", path)
        except Refused as refusal:
            if refusal.status != 404:
                raise
        return None

    def kubeconfig(self, user: str) -> Path:
        """A kubeconfig file with which a program is that user."""
        file = self._folder / f"{user}.kubeconfig"
        ca = str(self._folder / "certs" / "apiserver.crt")
        entries = {
            "clusters": [{"name": "c", "cluster": {"server": self.url, "certificate-authority": ca}}],
            "users": [{"name": user, "user": {"token": user}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": user, "namespace": "team-a"}}],
        }
        config = {"apiVersion": "v1", "kind": "Config", "current-context": "c", **entries}
        file.write_text(yaml.safe_dump(config))
        return file

    def mark(self) -> int:
        """The end of the audit log, for `requests`."""
        return self._audit.stat().st_size

    def requests(self, mark: int, agent: str) -> list[Request]:
        """The finished requests since the mark of a program whose user agent begins with `agent`, in the
        order in which they came in. Waits for answers that are still being written down."""
        deadline = time.monotonic() + 5
        while True:
            begun, ended = self._events(mark, agent)
            if begun.keys() <= ended.keys() or time.monotonic() > deadline:
                return [_request(ended.get(name, event)) for name, event in begun.items()]
            time.sleep(0.02)

    def _events(self, mark: int, agent: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Events by the id of their request: of requests received, and of requests answered."""
        begun: dict[str, Any] = {}
        ended: dict[str, Any] = {}
        with self._audit.open("rb") as log:
            log.seek(mark)
            whole_lines = log.read().rpartition(b"\n")[0].splitlines()
        for event in map(json.loads, whole_lines):
            if event.get("userAgent", "").startswith(agent):
                (begun if event["stage"] == "RequestReceived" else ended)[event["auditID"]] = event
        return begun, ended

    def close(self) -> None:
        self._connection.close()


def find_binaries() -> Path | None:
    """The folder with kube-apiserver and etcd: $KUBEBUILDER_ASSETS, or where build.sh puts them."""
    cache = os.environ.get("KUEUE_TEST_CACHE")
    if not cache:
        home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        cache = str(Path(home) / "kubectl-kueue-tests")
    script = (Path(__file__).parent / "build.sh").read_text()
    versions = dict(re.findall(r"^(kubernetes|etcd)=(\S+)$", script, re.MULTILINE))
    built = Path(cache) / f"apiserver-{versions['kubernetes']}-etcd-{versions['etcd']}"
    for folder in (os.environ.get("KUBEBUILDER_ASSETS"), built):
        if folder and all(os.access(Path(folder) / name, os.X_OK) for name in ("etcd", "kube-apiserver")):
            return Path(folder)
    return None


@contextmanager
def running_etcd(binaries: Path, folder: Path) -> Iterator[str]:
    """Runs an etcd; the value is its URL. Several API servers can share it."""
    client, peer = (f"http://127.0.0.1:{port}" for port in _free_ports(2))
    command = [
        str(binaries / "etcd"),
        f"--data-dir={folder / 'etcd'}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=default={peer}",
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]
    with _process(command, folder / "etcd.log"):
        yield client


@contextmanager
def running_apiserver(binaries: Path, folder: Path, etcd: str) -> Iterator[ApiServer]:
    """Runs an API server of its own, ready for requests, with nothing in it. `folder` is new."""
    folder.mkdir()
    (folder / "audit-policy.yaml").write_text(AUDIT_POLICY)
    (folder / "tokens.csv").write_text("".join(f'{u},{u},{u},"{g}"\n' for u, g in USERS.items()))
    (folder / "service-accounts.key").write_text(_private_key())
    (port,) = _free_ports(1)
    command = [
        str(binaries / "kube-apiserver"),
        f"--etcd-servers={etcd}",
        f"--etcd-prefix=/{folder.name}",
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        f"--secure-port={port}",
        f"--cert-dir={folder / 'certs'}",
        f"--token-auth-file={folder / 'tokens.csv'}",
        "--authorization-mode=Node,RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={folder / 'service-accounts.key'}",
        f"--service-account-signing-key-file={folder / 'service-accounts.key'}",
        "--service-cluster-ip-range=10.0.0.0/24",
        # Pods need no service account, nodes no kubelet that says they are ready.
        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
        "--endpoint-reconciler-type=none",
        f"--audit-policy-file={folder / 'audit-policy.yaml'}",
        f"--audit-log-path={folder / 'audit.log'}",
        "--audit-log-mode=blocking",
    ]
    log = folder / "apiserver.log"
    with _process(command, log) as process:
        _wait_for(lambda: (folder / "certs" / "apiserver.crt").exists(), process, log)
        server = ApiServer(port, folder, etcd)
        try:
            _wait_for(lambda: _ready(server), process, log)
            yield server
        finally:
            server.close()


def _ready(server: ApiServer) -> bool:
    try:
        # The namespace comes a little later than /readyz says.
        return bool(server.call("GET", "/readyz") == b"ok" and server.find("/api/v1/namespaces/default"))
    except (Refused, OSError, http.client.HTTPException):
        server.close()
        return False


def _wait_for(condition: Callable[[], bool], process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while not condition():
        if process.poll() is not None or time.monotonic() > deadline:
            last = log.read_text(errors="replace").splitlines()[-10:]
            raise RuntimeError("\n".join([f"{log.stem} did not start:", *last]))
        time.sleep(0.05)


@contextmanager
def _process(command: Sequence[str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Runs a program in a process group of its own, and ends the group."""
    if sys.platform == "linux":
        command = [sys.executable, "-S", "-E", "-c", ENDS_WITH_PARENT, *command]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env={**os.environ, "GOGC": "800"},  # they end before their memory matters
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    try:
        return [listener.getsockname()[1] for listener in sockets]
    finally:
        for listener in sockets:
            listener.close()


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _private_key() -> str:
    """A random P-256 key, PEM. The public half may be left out: whoever reads it computes it."""
    der = bytes.fromhex("30310201010420") + secrets.token_bytes(32)
    der += bytes.fromhex("a00a06082a8648ce3d030107")
    return f"-----BEGIN EC PRIVATE KEY-----\n{base64.b64encode(der).decode()}\n-----END EC PRIVATE KEY-----\n"


def _request(event: Mapping[str, Any]) -> Request:
    return Request(
        event["user"]["username"],
        event["verb"],
        event["requestURI"],
        event.get("responseStatus", {}).get("code", 0),
        event.get("requestObject", {}),
    )

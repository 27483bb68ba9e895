"""A server that fails (tests/cases/cluster/faults.yaml): one line says what happened; what is tried again."""

import contextlib
import http.client
import re
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from kubectl_kueue.cluster import transport
from kubectl_kueue.cluster.connection import Connection
from kubectl_kueue.cluster.direct import DirectPool
from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.errors import ApiError
from tests.api.fake import FakeServer, Fault
from tests.worlds import read_cases

WORKLOAD, QUEUE = kind_named("Workload"), kind_named("ClusterQueue")
MERGE = "application/merge-patch+json"

ACTIONS: dict[str, tuple[str, Callable[[Server], Any]]] = {
    "list": ("*/workloads", lambda server: list(server.list(WORKLOAD, None, limit=5))),
    "get": ("*/small-cq", lambda server: server.get(QUEUE, None, "small-cq")),
    "patch": ("*/small-cq", lambda server: server.patch(QUEUE, None, "small-cq", b"{}", content_type=MERGE)),
    "pending": ("*/pendingworkloads", lambda server: server.pending("small-cq")),
    "watch": ("*/workloads", lambda server: list(server.watch(WORKLOAD, None))),
    "raw": ("/version", lambda server: server.raw("/version")),
}


@pytest.mark.parametrize("case", read_cases("cluster", "faults"), ids=lambda case: case["name"])
def test_faults(case: dict[str, Any], tmp_path: Path) -> None:
    with FakeServer(faults=[_fault(fields) for fields in case.get("faults", [])]) as fake:
        server = Server(
            Connection(
                kubeconfig=fake.kubeconfig(tmp_path / "config"),
                cache_dir=str(tmp_path / "cache"),
                request_timeout=case.get("timeout", "0"),
            )
        )
        path, act = ACTIONS[case["do"]]
        if "error" in case:
            with pytest.raises(ApiError) as caught:
                act(server)
            _same(str(caught.value).replace(fake.url, "URL"), case["error"])
            assert "\n" not in str(caught.value)
            assert caught.value.status == case.get("status", caught.value.status)
        else:
            result = act(server)
            if "objects" in case:
                items = [item for page in result for item in msgspec.json.decode(page)["items"]]
                names = [(item["metadata"]["namespace"], item["metadata"]["name"]) for item in items]
                assert len(names) == len(set(names)) == case["objects"]
        asked = [seen for seen in fake.paths() if fnmatchcase(seen, case.get("of", path))]
        assert len(asked) == case.get("requests", len(asked))


def test_ctrl_c_ends_a_command_whose_threads_wait(tmp_path: Path) -> None:
    with FakeServer(faults=[Fault("*/kueue.x-k8s.io/*", "slow", 30)]) as fake:
        kubeconfig = fake.kubeconfig(tmp_path / "config")
        words = ["snapshot", "--kubeconfig", kubeconfig, "--cache-dir", str(tmp_path)]
        program = [sys.executable, "-m", "kubectl_kueue", *words]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            try:
                while not any("/kueue.x-k8s.io/" in path for path in fake.paths()):
                    assert process.poll() is None
                    time.sleep(0.05)
                process.send_signal(signal.SIGINT)
                assert process.wait(10) == 130
                assert process.stdout is not None
                assert process.stdout.read() == b""
            finally:
                process.kill()


DRIP = b"HTTP/1.1 200 OK\r\nX-Slow: " + b"z" * 1000


@pytest.mark.parametrize(
    ("scheme", "drip", "flag", "limit"),
    [
        ("http", DRIP, "300ms", "0.3s"),
        ("http", DRIP, "0", "0.5s"),
        ("https", b"\x16\x03\x03\x20\x00" + b"\x02" * 1000, "300ms", "0.3s"),  # of a ServerHello
        ("http", b"", "300ms", "0.3s"),
        ("https", b"", "300ms", "0.3s"),
    ],
)
def test_drops_keep_no_request_alive(
    scheme: str, drip: bytes, flag: str, limit: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(transport, "SILENCE_SECONDS", 0.5)

    def handle(connection: socket.socket) -> None:
        for at in range(len(drip)):
            connection.sendall(drip[at : at + 1])
            time.sleep(0.02)
        time.sleep(3)

    begun = time.monotonic()
    with _listening(handle) as port, pytest.raises(ApiError, match=f"no complete answer within {limit}; "):
        _raw(f"{scheme}://127.0.0.1:{port}", tmp_path, request_timeout=flag)
    assert time.monotonic() - begun < 2


def test_a_server_that_never_shakes_hands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(transport, "CONNECT_SECONDS", 0.3)
    with (
        _listening(lambda connection: time.sleep(3)) as port,
        pytest.raises(ApiError, match=r"TLS handshake timeout: .* in 0.3s$"),
    ):
        _raw(f"https://127.0.0.1:{port}", tmp_path, request_timeout="20s")


def test_a_handshake_that_ends_is_tried_once_more(tmp_path: Path) -> None:
    seen = []

    def handle(connection: socket.socket) -> None:
        connection.recv(10_000)
        seen.append(connection)

    with _listening(handle) as port, pytest.raises(ApiError, match=r"tls: .*eof"):
        _raw(f"https://127.0.0.1:{port}", tmp_path)
    assert len(seen) == 2


@pytest.mark.parametrize("end", [ssl.SSLEOFError(8, "EOF"), ssl.SSLZeroReturnError(6, "closed")])
def test_a_connection_that_ends_under_a_request_is_made_anew(
    end: OSError, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    endheaders = http.client.HTTPConnection.endheaders
    ends = [end]
    cast(Any, end).reason = "UNEXPECTED_EOF_WHILE_READING"  # as those have it that OpenSSL makes

    def fail_once(self: http.client.HTTPConnection, *arguments: Any, **options: Any) -> None:
        if ends:
            raise ends.pop()
        endheaders(self, *arguments, **options)

    with FakeServer() as fake:
        server = Server(Connection(server=fake.url, cache_dir=str(tmp_path)))
        assert server.raw("/version")
        monkeypatch.setattr(http.client.HTTPConnection, "endheaders", fail_once)
        assert server.raw("/version")
        assert not ends


def test_an_encoding_that_nobody_asked_for(tmp_path: Path) -> None:
    def handle(connection: socket.socket) -> None:
        connection.recv(10_000)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 2\r\n\r\n{}")

    with (
        _listening(handle) as port,
        pytest.raises(ApiError, match=r"is encoded as br, which was not asked for$"),
    ):
        _raw(f"http://127.0.0.1:{port}", tmp_path)


def test_more_open_files_than_select_knows(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 1300:
        pytest.skip("needs more than 1300 descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 1300), hard))
    try:
        with FakeServer() as fake, contextlib.ExitStack() as many:
            for _ in range(1050):
                many.enter_context(open(sys.executable, "rb"))
            server = Server(Connection(server=fake.url, cache_dir=str(tmp_path)))
            assert server.raw("/version") == server.raw("/version")
            assert fake.connections == 1
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_surplus_connection_is_the_one_that_rests_longest() -> None:
    closed: list[str] = []

    class Kept:
        def __init__(self, name: str) -> None:
            self.close = lambda: closed.append(name)

    pool = DirectPool("http://127.0.0.1", None, None, 2)
    for name in ("first", "second", "third"):
        pool.keep(cast(Any, Kept(name)))
    assert closed == ["first"]


@contextlib.contextmanager
def _listening(handle: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that does with a connection whatever `handle` does, and then ends it."""

    def serve(connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            handle(connection)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def _raw(url: str, folder: Path, **flags: Any) -> bytes:
    return Server(Connection(server=url, cache_dir=str(folder), **flags)).raw("/version")


def _fault(fields: dict[str, Any]) -> Fault:
    value = fields.get("value")
    if isinstance(value, str) and fields["what"] == "body":
        value = value.replace("NESTED", "[" * 100_000 + "]" * 100_000).encode()
    return Fault(fields["path"], fields["what"], value, fields.get("times", -1))


def _same(text: str, wanted: str) -> None:
    if wanted.startswith("/"):
        assert re.fullmatch(wanted[1:], text), text
    else:
        assert text == wanted

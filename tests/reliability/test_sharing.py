"""Commands that run at the same time share caches and logins, whatever else writes into them."""

import base64
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.api.authority import EXISTS, Authority
from tests.api.fake import FakeServer
from tests.conftest import REPOSITORY

ROUNDS = 20 if os.environ.get("KUEUE_NIGHTLY") else 1
LINES = (
    "get clusterqueues -o json",
    "list workloads -A -o name",
    "explain workload job-too-big-e0dc5 -n diag -o jsonpath={.verdict}",
    "get jobs.batch -A -o name",
    "pending -A -o jsonpath={.items[*].name}",
    "__complete get clusterqueue ''",
    "__complete describe workload -n diag ''",
    "version",
)
"""Eight commands; what they print depends on nothing but the cluster."""

IN_VAIN = {"__complete": ((0, b":1\n", b""),)}
"""What is said instead where the server takes longer than a person waits for TAB."""

GARBAGE = (
    b"",
    b"{",
    b"\xff" * 100,
    b"null",
    b"[]",
    b'{"groups":[]}',
    b'{"resources":null}',
    b"x\n" * 1000,
    b"\0",
)


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


def start(config: str, cache: Path, line: str) -> "subprocess.Popen[bytes]":
    words = [word.strip("'") for word in line.split(" ")]
    return subprocess.Popen(
        [sys.executable, "-m", "kubectl_kueue", *words],
        cwd=REPOSITORY,
        env={**os.environ, "KUBECONFIG": config, "KUBECACHEDIR": str(cache)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def ended(process: "subprocess.Popen[bytes]") -> tuple[int, bytes, bytes]:
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def together(config: str, cache: Path) -> dict[str, tuple[int, bytes, bytes]]:
    """All of them at once."""
    running = {line: start(config, cache, line) for line in LINES}
    return {line: ended(process) for line, process in running.items()}


def test_commands_share_a_cache(fake: FakeServer, tmp_path: Path) -> None:
    config, cache = fake.kubeconfig(tmp_path / "config"), tmp_path / "cache"
    alone = {line: ended(start(config, tmp_path / "other", line)) for line in LINES}
    assert {code for code, _, _ in alone.values()} == {0}
    for _ in range(ROUNDS):
        shutil.rmtree(cache, ignore_errors=True)
        for line, answer in together(config, cache).items():
            assert answer in (alone[line], *IN_VAIN.get(line[:10], ()))
    written = [path for path in cache.rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if path.name.startswith(".new-")]
    for path in written:
        if path.suffix == ".json":
            json.loads(path.read_bytes())


def test_commands_survive_what_others_write_into_it(fake: FakeServer, tmp_path: Path) -> None:
    """Garbage, halves, folders instead of files, nothing: the cache is asked for speed, never for truth."""
    config, cache = fake.kubeconfig(tmp_path / "config"), tmp_path / "cache"
    alone = together(config, cache)
    with _spoiling(cache):
        for _ in range(ROUNDS):
            for line, (code, out, err) in together(config, cache).items():
                if line[:10] in IN_VAIN:  # lists of words are believed, if they are the user's own
                    assert code == 0
                else:
                    assert (code, out, err) == alone[line]


@contextmanager
def _spoiling(cache: Path) -> Iterator[None]:
    over = threading.Event()
    thread = threading.Thread(target=_spoil, args=(cache, over))
    thread.start()
    yield
    over.set()
    thread.join()


def _spoil(cache: Path, over: threading.Event) -> None:
    chance = random.Random(7)
    while not over.wait(0.002):
        with suppress(OSError, IndexError):  # there may be nothing, or nothing any more
            path = chance.choice([each for each in cache.rglob("*") if each.is_file() or each.is_symlink()])
            match chance.randrange(4):
                case 0:
                    path.unlink()
                case 1:
                    path.write_bytes(path.read_bytes()[: chance.randrange(200)])
                case 2:
                    path.unlink()
                    path.symlink_to("nowhere")
                case _:
                    path.write_bytes(chance.choice(GARBAGE))


@pytest.mark.skipif(not EXISTS, reason="needs the openssl program")
def test_a_login_is_renewed_by_all_at_once(tmp_path: Path) -> None:
    """The provider takes a refresh-token once only: who comes too late uses what the first was given."""
    authority = Authority(tmp_path / "ca")
    authority.sign("address", "IP:127.0.0.1")
    with _provider(authority) as (url, given), FakeServer() as fake:
        login = {
            "id-token": _id_token(1000),
            "client-id": "me",
            "idp-issuer-url": url,
            "idp-certificate-authority": authority.crt(),
        }
        for _ in range(ROUNDS):
            provider = {"name": "oidc", "config": {**login, "refresh-token": given[-1]}}
            config = fake.kubeconfig(tmp_path / "config", user={"auth-provider": provider})
            answers = together(config, tmp_path / "cache")
            assert {(code, err) for code, _, err in answers.values()} == {(0, b"")}, answers


def _id_token(end: float) -> str:
    claims = base64.urlsafe_b64encode(json.dumps({"exp": end}).encode()).decode().rstrip("=")
    return f"head.{claims}.signature"


@contextmanager
def _provider(authority: Authority) -> Iterator[tuple[str, list[str]]]:
    """Its address, and what it gave: tokens for the refresh-token that it gave last, and for no other."""
    given, lock = ["0"], threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say(200, {"token_endpoint": f"{url}/t"})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            with lock:
                if parse_qs(body)["refresh_token"] != given[-1:]:
                    self._say(400, {"error": "invalid_grant"})
                    return
                given.append(str(len(given)))
                self._say(200, {"id_token": _id_token(time.time() + 1000), "refresh_token": given[-1]})

        def _say(self, status: int, value: Any) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(value).encode())

        def log_message(self, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = authority.server("address").wrap_socket(server.socket, server_side=True)
        url = f"https://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield url, given
        server.shutdown()

"""A server that fails (tests/cases/cluster/faults.yaml): one line says what happened; what is tried again."""

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kubectl_kueue.cluster.connection import Connection
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

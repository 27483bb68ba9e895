"""`get --watch` tells of every change until it is interrupted, and only reads."""

import signal
import subprocess
import sys
from selectors import EVENT_READ, DefaultSelector
from typing import IO

from tests.cluster.apiserver import ApiServer
from tests.cluster.conftest import AGENT, HERE, environment

PATH = "/apis/kueue.x-k8s.io/v1beta2/namespaces/team-b/workloads/held"


def test_watching(server: ApiServer) -> None:
    mark = server.mark()
    command = ["get", "workloads", "-n", "team-b", "--watch", "-o", "name"]
    with subprocess.Popen(
        [sys.executable, "-m", "kubectl_kueue", "--kubeconfig", str(server.kubeconfig("admin")), *command],
        cwd=HERE.parents[1],
        env={**environment(server, "admin"), "KUBECONFIG": "/nowhere"},
        bufsize=0,  # what is read ahead, select does not see
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            assert process.stdout is not None
            seen = {_line(process.stdout), _line(process.stdout)}
            assert seen == {"workload.kueue.x-k8s.io/held", "workload.kueue.x-k8s.io/lost"}
            change = {"metadata": {"labels": {"seen": "yes"}}}
            server.call("PATCH", PATH, change, content_type="application/merge-patch+json")
            assert _line(process.stdout) == "workload.kueue.x-k8s.io/held"
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
            assert process.stderr is not None
            assert process.stderr.read() == b""
        finally:
            process.kill()
    verbs = [request.verb for request in server.requests(mark, AGENT)]
    assert "watch" in verbs
    assert set(verbs) <= {"get", "list", "watch"}


def _line(stream: IO[bytes]) -> str:
    with DefaultSelector() as selector:
        selector.register(stream, EVENT_READ)
        assert selector.select(30), "nothing was told within half a minute"
    return stream.readline().decode().rstrip("\n")

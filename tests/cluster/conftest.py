"""Real API servers for the tests of this folder, started when the first test asks for one.

They need what build.sh builds once. Where that is missing the tests are skipped, with
KUEUE_CLUSTER_TESTS=required they fail, with KUEUE_BUILD_APISERVER=1 it is built first (ten minutes).
"""

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cluster.apiserver import ApiServer, Request, find_binaries, running_apiserver, running_etcd
from tests.cluster.crds import RECORDED, own_crds, recorded_crds
from tests.cluster.loading import install, load, read_dump, read_world
from tests.cluster.nursery import Nursery

HERE = Path(__file__).parent
BUILD = HERE / "build.sh"
DUMP = RECORDED.parent / "dumps" / "before-mutations" / "json"
AGENT = "kubectl-kueue/"
Start = Callable[[str], ApiServer]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cluster: needs a kube-apiserver, see tests/cluster/build.sh")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.cluster)


class Answer(NamedTuple):
    """What a command left behind, and what it asked of the server."""

    stdout: str
    stderr: str
    code: int
    requests: list[Request]

    @property
    def writes(self) -> list[Request]:
        """The requests that ask for a change."""
        return [request for request in self.requests if request.writes]


Kueue = Callable[..., Answer]


@pytest.fixture(scope="session")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts the API server of a set-up: `v1beta2`, `v1beta1`, `recorded` or `bare`. Each runs once."""
    binaries = _binaries()
    folder = tmp_path_factory.mktemp("cluster")
    with ExitStack() as stack:
        etcd = stack.enter_context(running_etcd(binaries, folder))

        @cache
        def start(setup: str) -> ApiServer:
            server = stack.enter_context(running_apiserver(binaries, folder / setup, etcd))
            SETUPS[setup](server)
            return server

        yield start


def _binaries() -> Path:
    if os.environ.get("KUEUE_BUILD_APISERVER") == "1":
        subprocess.run([str(BUILD)], check=True, stdout=subprocess.DEVNULL)
    if (found := find_binaries()) is not None:
        return found
    reason = "no kube-apiserver and etcd: run tests/cluster/build.sh once (ten minutes, needs Go)"
    if os.environ.get("KUEUE_CLUSTER_TESTS") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


def _v1beta2(server: ApiServer) -> None:
    """Kueue as it is today; v1beta1 is served as well, and deprecated."""
    install(server, own_crds(("v1beta2", "v1beta1")))
    load(server, read_world(HERE / "world.yaml"))


def _v1beta1(server: ApiServer) -> None:
    """Kueue before 0.15."""
    install(server, own_crds(("v1beta1",)))
    load(server, read_world(HERE / "world-v1beta1.yaml"))


def _recorded(server: ApiServer) -> None:
    """Kueue's own definitions, and the objects of a cluster that ran it."""
    install(server, recorded_crds())
    load(server, read_dump(DUMP))


def _bare(server: ApiServer) -> None:
    """Kubernetes without Kueue."""


SETUPS: Mapping[str, Callable[[ApiServer], None]] = {
    "v1beta2": _v1beta2,
    "v1beta1": _v1beta1,
    "recorded": _recorded,
    "bare": _bare,
}


@pytest.fixture
def server(start: Start) -> ApiServer:
    """The API server that most tests share: they leave it as they found it, or make objects of their own."""
    return start("v1beta2")


@pytest.fixture
def recorded(start: Start) -> ApiServer:
    """The API server with Kueue's own definitions and the recorded objects."""
    if not RECORDED.is_dir():
        pytest.skip("no ../shared beside the repository")
    return start("recorded")


@pytest.fixture(scope="session")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    with Nursery(tmp_path_factory.mktemp("nursery")) as nursery:
        yield nursery


@pytest.fixture
def kueue(server: ApiServer, nursery: Nursery) -> Kueue:
    """Runs `kubectl kueue ARGUMENTS` on that server."""
    return runner(server, nursery)


def runner(server: ApiServer, nursery: Nursery) -> Kueue:
    """Runs the program on a server as `user`."""

    def run(*arguments: str, user: str = "admin", stdin: str = "", env: Mapping[str, str] = {}) -> Answer:
        mark = server.mark()
        done = nursery.run(arguments, {**environment(server, user), **env}, stdin)
        return Answer(*done, server.requests(mark, AGENT))

    return run


def environment(server: ApiServer, user: str) -> dict[str, str]:
    """Variables with which a program finds the server and nothing else."""
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    for name in ("KUEUE_DEBUG", "KUEUECTL_LIST_REQUEST_LIMIT"):
        kept.pop(name, None)
    kubeconfig = server.kubeconfig(user)
    return kept | {"KUBECONFIG": str(kubeconfig), "HOME": str(kubeconfig.parent), "COLUMNS": "80"}

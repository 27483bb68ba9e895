"""Both ways to a server pass the same tests (kubectl_kueue/cluster/pools.py)."""

import pytest

from kubectl_kueue.cluster import transport

BOTH_WAYS = (
    "test_cluster_faults",
    "test_cluster_kubeconfig",
    "test_cluster_login",
    "test_cluster_server",
    "test_cluster_tls",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.module.__name__.rpartition(".")[2] in BOTH_WAYS:
        metafunc.fixturenames.append("_way")
        metafunc.parametrize("_way", ["short", "library"], indirect=True)


@pytest.fixture
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "library":
        monkeypatch.setattr(transport, "plain_pool", lambda login, certificate: None)

"""Real TLS: who is trusted, who is refused, and what is said about it."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kubectl_kueue.cluster.connection import Connection
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.errors import ApiError, ConfigError
from tests.api.authority import EXISTS, Authority
from tests.api.fake import FakeServer

pytestmark = pytest.mark.skipif(not EXISTS, reason="needs the openssl program")


class Place(NamedTuple):
    """An authority, another one, and a folder."""

    ca: Authority
    other: Authority
    folder: Path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("tls")
    ca, other = Authority(folder / "ca"), Authority(folder / "other", "other")
    ca.sign("address", "IP:127.0.0.1")
    ca.sign("named", "DNS:api.internal")
    ca.sign("jane")
    other.sign("stranger")
    return Place(ca, other, folder)


@pytest.fixture
def fake(place: Place) -> Iterator[FakeServer]:
    with FakeServer(tls=place.ca.server("address")) as running:
        yield running


def ask(fake: FakeServer, folder: Path, user: Any = None, cluster: Any = None, **flags: Any) -> bytes:
    path = fake.kubeconfig(folder / "config", user=user, cluster=cluster)
    return Server(Connection(kubeconfig=path, cache_dir=str(folder / "cache"), **flags)).raw("/version")


def refused(fake: FakeServer, *arguments: Any, **settings: Any) -> str:
    with pytest.raises((ApiError, ConfigError)) as caught:
        ask(fake, *arguments, **settings)
    text = str(caught.value)
    assert "\n" not in text
    return text.replace(fake.url, "URL")


def test_authority_as_a_file(fake: FakeServer, place: Place, tmp_path: Path) -> None:
    assert b"v1.36" in ask(fake, tmp_path, cluster={"certificate-authority": place.ca.crt()})


def test_authority_as_data(fake: FakeServer, place: Place, tmp_path: Path) -> None:
    data = place.ca.data(place.ca.crt())
    assert b"v1.36" in ask(fake, tmp_path, cluster={"certificate-authority-data": data})


def test_authority_as_a_flag(fake: FakeServer, place: Place, tmp_path: Path) -> None:
    assert b"v1.36" in ask(fake, tmp_path, certificate_authority=place.ca.crt())


def test_unknown_authority(fake: FakeServer, place: Place, tmp_path: Path) -> None:
    for cluster in ({}, {"certificate-authority": place.other.crt()}):
        text = refused(fake, tmp_path, cluster=cluster)
        assert text.startswith('Get "URL/version": tls: failed to verify certificate: ')
        assert text.endswith(
            "it is signed by an authority that is not in certificate-authority of the kubeconfig"
        )
    assert not fake.requests


def test_no_verification(fake: FakeServer, tmp_path: Path) -> None:
    assert b"v1.36" in ask(fake, tmp_path, insecure_skip_tls_verify=True)
    assert b"v1.36" in ask(fake, tmp_path, cluster={"insecure-skip-tls-verify": True})


def test_authority_and_no_verification_contradict_each_other(
    fake: FakeServer, place: Place, tmp_path: Path
) -> None:
    text = refused(fake, tmp_path, certificate_authority=place.ca.crt(), insecure_skip_tls_verify=True)
    assert text.startswith("specifying a root certificates file with the insecure flag is not allowed")


def test_another_name(place: Place, tmp_path: Path) -> None:
    cluster = {"certificate-authority": place.ca.crt()}
    with FakeServer(tls=place.ca.server("named")) as fake:
        text = refused(fake, tmp_path, cluster=cluster)
        assert "failed to verify certificate: IP address mismatch" in text
        assert text.endswith("give the name in it with --tls-server-name, or another --server")
        assert b"v1.36" in ask(fake, tmp_path, cluster=cluster, tls_server_name="api.internal")
        assert b"v1.36" in ask(fake, tmp_path, cluster={**cluster, "tls-server-name": "api.internal"})
        text = refused(fake, tmp_path, cluster=cluster, tls_server_name="api.external")
        assert "Hostname mismatch" in text


def test_client_certificates(place: Place, tmp_path: Path) -> None:
    ca, cluster = place.ca, {"certificate-authority": place.ca.crt()}
    files = {"client-certificate": ca.crt("jane"), "client-key": ca.key("jane")}
    data = {"client-certificate-data": ca.data(ca.crt("jane")), "client-key-data": ca.data(ca.key("jane"))}
    with FakeServer(tls=ca.server("address", clients=ca)) as fake:
        assert b"v1.36" in ask(fake, tmp_path, files, cluster)
        assert b"v1.36" in ask(fake, tmp_path, data, cluster)
        flags = {"client_certificate": ca.crt("jane"), "client_key": ca.key("jane")}
        assert b"v1.36" in ask(fake, tmp_path, {}, cluster, **flags)
        assert 'Get "URL/version": ' in refused(fake, tmp_path, {}, cluster)
        other = place.other
        stranger = {"client-certificate": other.crt("stranger"), "client-key": other.key("stranger")}
        assert 'Get "URL/version": ' in refused(fake, tmp_path, stranger, cluster)
        mixed = {"client-certificate": ca.crt("jane"), "client-key": other.key("stranger")}
        assert "client-key and client-certificate do not belong together" in refused(
            fake, tmp_path, mixed, cluster
        )


def test_a_plugin_may_give_a_certificate(place: Place, tmp_path: Path) -> None:
    ca, cluster = place.ca, {"certificate-authority": place.ca.crt()}
    status = {
        "clientCertificateData": Path(ca.crt("jane")).read_text(),
        "clientKeyData": Path(ca.key("jane")).read_text(),
    }
    version = "client.authentication.k8s.io/v1"
    answer = {"apiVersion": version, "kind": "ExecCredential", "status": status}
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    plugin = {"apiVersion": version, "command": "cat", "args": [str(tmp_path / "answer.json")]}
    with FakeServer(tls=ca.server("address", clients=ca)) as fake:
        assert b"v1.36" in ask(fake, tmp_path, {"exec": {**plugin, "interactiveMode": "Never"}}, cluster)


@pytest.mark.parametrize(
    ("user", "cluster", "message"),
    [
        (
            {"client-certificate": "x.crt", "client-key": "x.key"},
            {},
            "unable to read client-cert DIR/x.crt for fake due to open DIR/x.crt: no such file or directory",
        ),
        (
            {},
            {"certificate-authority": "ca.crt"},
            "unable to read certificate-authority DIR/ca.crt for fake due to open DIR/ca.crt: "
            "no such file or directory",
        ),
        (
            {},
            {"certificate-authority-data": "!!"},
            "kubeconfig: certificate-authority-data of fake is not base64 of a PEM block",
        ),
        (
            {},
            {"certificate-authority-data": "Zm9v"},
            "kubeconfig: certificate-authority-data of fake is not base64 of a PEM block",
        ),
        ({"client-certificate-data": "LS0tLS1CRUdJTg=="}, {}, "client-key is missing for user fake"),
        ({"client-key-data": "LS0tLS1CRUdJTg=="}, {}, "client-certificate is missing for user fake"),
    ],
)
def test_what_cannot_be_read(
    fake: FakeServer, tmp_path: Path, user: dict[str, str], cluster: dict[str, str], message: str
) -> None:
    assert refused(fake, tmp_path, user, cluster).replace(str(tmp_path), "DIR") == message


def test_certificates_that_are_none(fake: FakeServer, tmp_path: Path) -> None:
    (tmp_path / "bad.crt").write_text("-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----\n")
    text = refused(fake, tmp_path, {}, {"certificate-authority": "bad.crt"})
    assert text.startswith("the connection cannot be set up: ")


def test_https_to_a_server_of_http(tmp_path: Path) -> None:
    with FakeServer() as fake:
        path = fake.kubeconfig(tmp_path / "config", cluster={"server": fake.url.replace("http:", "https:")})
        with pytest.raises(
            ApiError, match=r"tls: the server does not speak TLS at this port: is it http://\?$"
        ):
            Server(Connection(kubeconfig=path, insecure_skip_tls_verify=True)).raw("/version")


def test_http_to_a_server_of_https(fake: FakeServer, tmp_path: Path) -> None:
    path = fake.kubeconfig(tmp_path / "config", cluster={"server": fake.url.replace("https:", "http:")})
    with pytest.raises(ApiError, match=r'^Get "http://127.0.0.1:\d+/version": '):
        Server(Connection(kubeconfig=path)).raw("/version")


def test_nobody_there(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    with pytest.raises(ApiError) as caught:
        Server(Connection(kubeconfig="/dev/null", server=f"https://127.0.0.1:{port}")).raw("/version")
    assert str(caught.value) == (
        f'Get "https://127.0.0.1:{port}/version": dial tcp 127.0.0.1:{port}: connect: connection refused'
    )
    assert caught.value.status == 0


def test_a_host_that_does_not_exist() -> None:
    with pytest.raises(ApiError, match=r"dial tcp: lookup nowhere\.invalid: no such host$"):
        Server(Connection(kubeconfig="/dev/null", server="https://nowhere.invalid")).raw("/version")

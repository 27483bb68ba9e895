"""Who we are to the server: tokens, passwords, plugins, OpenID Connect, impersonation; other headers."""
# ruff: noqa: S105, S106 - the passwords are of nobody

import base64
import json
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue import __version__
from kubectl_kueue.cluster.connection import Connection
from kubectl_kueue.cluster.server import Server
from kubectl_kueue.errors import ApiError, ConfigError
from tests.api.authority import EXISTS, Authority
from tests.api.fake import FakeServer, Fault

VERSION = "client.authentication.k8s.io/v1"
SECRET = "c2VjcmV0LXRva2VuLXRoYXQtbm9ib2R5LW1heS1zZWU"


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with FakeServer() as running:
        yield running


def ask(fake: FakeServer, folder: Path, user: Any = None, **flags: Any) -> dict[str, str]:
    """The headers of one request."""
    path = fake.kubeconfig(folder / "config", user=user)
    Server(Connection(kubeconfig=path, cache_dir=str(folder / "cache"), **flags)).raw("/version")
    return dict(fake.requests[-1].headers)


def authorization(fake: FakeServer, folder: Path, user: Any, **flags: Any) -> str | None:
    return ask(fake, folder, user, **flags).get("authorization")


def refused(fake: FakeServer, folder: Path, user: Any, **flags: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        ask(fake, folder, user, **flags)
    text = str(caught.value).replace(str(folder), "DIR")
    assert "\n" not in text
    assert SECRET not in text
    assert not fake.requests
    return text


# --- tokens and passwords -----------------------------------------------------------------------


def test_tokens(fake: FakeServer, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("of-a-file\n")
    assert authorization(fake, tmp_path, {}) is None
    assert authorization(fake, tmp_path, {"token": "abc"}) == "Bearer abc"
    assert authorization(fake, tmp_path, {"tokenFile": "token"}) == "Bearer of-a-file"
    assert authorization(fake, tmp_path, {"tokenFile": "token", "token": "abc"}) == "Bearer of-a-file"
    assert authorization(fake, tmp_path, {"tokenFile": "token"}, token="mine") == "Bearer mine"
    basic = base64.b64encode(b"jane:pass word").decode()
    assert authorization(fake, tmp_path, {"username": "jane", "password": "pass word"}) == f"Basic {basic}"


def test_a_token_file_that_is_not_there(fake: FakeServer, tmp_path: Path) -> None:
    assert refused(fake, tmp_path, {"tokenFile": "none"}) == "open DIR/none: no such file or directory"


def test_a_token_that_cannot_be_sent(fake: FakeServer, tmp_path: Path) -> None:
    text = refused(fake, tmp_path, {"token": "a\r\nX-Evil: 1"})
    assert text == "the credentials have control characters in it, which HTTP cannot carry"


def test_a_wrong_token(tmp_path: Path) -> None:
    with FakeServer(token="right") as fake, pytest.raises(ApiError, match=r"^Unauthorized$") as caught:
        ask(fake, tmp_path, {"token": "wrong"})
    assert (caught.value.status, caught.value.reason) == (401, "Unauthorized")


# --- plugins ------------------------------------------------------------------------------------


def plugin(folder: Path, body: str, **fields: Any) -> dict[str, Any]:
    """A user whose plugin runs `body`; it counts its runs in the file "runs"."""
    script = folder / "plugin.py"
    count = f"open({str(folder / 'runs')!r}, 'a').write('x')"
    script.write_text(f"import json, os, sys\n{count}\n{textwrap.dedent(body)}")
    section = {
        "apiVersion": VERSION,
        "command": sys.executable,
        "args": [str(script)],
        "interactiveMode": "Never",
    }
    return {"exec": {**section, **fields}}


def credential(status: str, version: str = VERSION) -> str:
    return f"print(json.dumps({{'apiVersion': {version!r}, 'kind': 'ExecCredential', 'status': {status}}}))"


def runs(folder: Path) -> int:
    return len((folder / "runs").read_text())


def test_a_plugin_gives_a_token(fake: FakeServer, tmp_path: Path) -> None:
    body = credential("{'token': os.environ['WHO'] + json.loads(os.environ['KUBERNETES_EXEC_INFO'])['kind']}")
    user = plugin(tmp_path, body, env=[{"name": "WHO", "value": "me-"}])
    assert authorization(fake, tmp_path, user) == "Bearer me-ExecCredential"


def test_a_plugin_learns_of_the_cluster(fake: FakeServer, tmp_path: Path) -> None:
    body = credential(
        "{'token': json.loads(os.environ['KUBERNETES_EXEC_INFO'])['spec']['cluster']['server']}"
    )
    assert (
        authorization(fake, tmp_path, plugin(tmp_path, body, provideClusterInfo=True)) == f"Bearer {fake.url}"
    )


def test_a_plugin_is_relative_to_its_kubeconfig(fake: FakeServer, tmp_path: Path) -> None:
    script = tmp_path / "say.sh"
    answer = json.dumps({"apiVersion": VERSION, "kind": "ExecCredential", "status": {"token": "t"}})
    script.write_text(f"#!/bin/sh\necho '{answer}'\n")
    script.chmod(0o755)
    user = {"exec": {"apiVersion": VERSION, "command": "./say.sh", "interactiveMode": "Never"}}
    assert authorization(fake, tmp_path, user) == "Bearer t"


def test_a_plugin_runs_once(fake: FakeServer, tmp_path: Path) -> None:
    user = plugin(tmp_path, credential("{'token': 't', 'expirationTimestamp': '2099-01-01T00:00:00Z'}"))
    server = Server(Connection(kubeconfig=fake.kubeconfig(tmp_path / "config", user=user)))
    for _ in range(3):
        server.raw("/version")
    assert runs(tmp_path) == 1


def test_a_plugin_runs_again_when_its_token_is_over(fake: FakeServer, tmp_path: Path) -> None:
    user = plugin(tmp_path, credential("{'token': 't', 'expirationTimestamp': '2020-01-01T00:00:00Z'}"))
    server = Server(Connection(kubeconfig=fake.kubeconfig(tmp_path / "config", user=user)))
    server.raw("/version")
    before = runs(tmp_path)
    server.raw("/version")
    assert runs(tmp_path) > before


def test_a_token_that_is_refused_is_renewed_once(tmp_path: Path) -> None:
    body = credential(f"{{'token': str(len(open({str(tmp_path / 'runs')!r}).read()))}}")
    with FakeServer(token="2") as fake:
        assert authorization(fake, tmp_path, plugin(tmp_path, body)) == "Bearer 2"
        assert len(fake.requests) == 2
    (tmp_path / "runs").unlink()
    with FakeServer(token="9") as fake:
        with pytest.raises(ApiError, match=r"^Unauthorized$"):
            ask(fake, tmp_path, plugin(tmp_path, body))
        assert len(fake.requests) == 2


@pytest.mark.parametrize(
    ("body", "fields", "message"),
    [
        (f"print('{SECRET}'); sys.exit(3)", {}, "executable PYTHON failed with exit code 3"),
        (
            f"print('{SECRET}'); sys.exit('first\\nyou are not logged in\\n')",
            {},
            "executable PYTHON failed with exit code 1: you are not logged in",
        ),
        (
            f"sys.exit('token {SECRET}.{SECRET} is over')",
            {},
            "executable PYTHON failed with exit code 1: token … is over",
        ),
        (f"print('{SECRET}')", {}, "PYTHON did not print an ExecCredential: not JSON"),
        (f"print(json.dumps('{SECRET}'))", {}, "PYTHON did not print an ExecCredential"),
        (credential("{}"), {}, "PYTHON printed neither a token nor a certificate"),
        (credential(f"'{SECRET}'"), {}, "PYTHON printed an ExecCredential without status"),
        (credential("{'token': 5}"), {}, "PYTHON printed neither a token nor a certificate"),
        (
            credential(f"{{'clientCertificateData': '{SECRET}'}}"),
            {},
            "PYTHON printed a certificate without its key, or a key without its certificate",
        ),
        (
            credential("{'token': 'x'}", "client.authentication.k8s.io/v1beta1"),
            {},
            f"PYTHON answered in another apiVersion than {VERSION}",
        ),
        (
            "",
            {"command": "no-such-plugin", "installHint": "get it\nfrom there"},
            "no-such-plugin: executable not found; get it from there",
        ),
    ],
)
def test_a_plugin_that_fails(
    fake: FakeServer, tmp_path: Path, body: str, fields: dict[str, str], message: str
) -> None:
    text = refused(fake, tmp_path, plugin(tmp_path, body, **fields)).replace(sys.executable, "PYTHON")
    assert text == f"getting credentials: exec: {message}"


def test_a_plugin_that_is_described_badly(fake: FakeServer, tmp_path: Path) -> None:
    for section, message in (
        ({"apiVersion": VERSION}, 'kubeconfig: exec of user "fake" names no command'),
        (
            {"command": "x", "apiVersion": "v9"},
            "kubeconfig: exec of user \"fake\" has the unknown apiVersion 'v9'",
        ),
    ):
        assert refused(fake, tmp_path, {"exec": section}) == message


def test_a_failing_plugin_is_quiet(
    fake: FakeServer, tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    refused(fake, tmp_path, plugin(tmp_path, "sys.exit('loud')"))
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test_a_provider_that_clients_no_longer_know(fake: FakeServer, tmp_path: Path) -> None:
    text = refused(fake, tmp_path, {"auth-provider": {"name": "gcp"}})
    assert text.startswith(
        "kubeconfig: the auth-provider 'gcp' of user \"fake\" is no longer part of Kubernetes"
    )


# --- OpenID Connect -----------------------------------------------------------------------------


def id_token(end: float) -> str:
    claims = base64.urlsafe_b64encode(json.dumps({"exp": end}).encode()).decode().rstrip("=")
    return f"head.{claims}.signature"


def test_an_id_token_that_is_good(fake: FakeServer, tmp_path: Path) -> None:
    token = id_token(time.time() + 1000)
    user = {"auth-provider": {"name": "oidc", "config": {"id-token": token}}}
    assert authorization(fake, tmp_path, user) == f"Bearer {token}"


def test_an_id_token_that_is_over(fake: FakeServer, tmp_path: Path) -> None:
    config = {"id-token": id_token(1000), "idp-issuer-url": "https://127.0.0.1:1", "client-id": "me"}
    user = {"auth-provider": {"name": "oidc", "config": config}}
    assert refused(fake, tmp_path, user) == (
        "oidc: no valid id-token, and it cannot be renewed without a refresh-token: log in again"
    )
    config["refresh-token"] = SECRET
    assert refused(fake, tmp_path, user).startswith("oidc: the id-token could not be renewed: ")
    config["idp-issuer-url"] = "http://127.0.0.1:1"
    assert "is not https" in refused(fake, tmp_path, user)


@pytest.mark.skipif(not EXISTS, reason="needs the openssl program")
def test_an_id_token_is_renewed_and_kept(fake: FakeServer, tmp_path: Path) -> None:
    authority = Authority(tmp_path / "ca")
    authority.sign("address", "IP:127.0.0.1")
    fresh = id_token(time.time() + 1000)
    with FakeServer(tls=authority.server("address")) as provider:
        answer = {"id_token": fresh, "refresh_token": "next"}
        provider.faults = [
            [
                Fault(
                    "*/openid-configuration",
                    "body",
                    json.dumps({"token_endpoint": f"{provider.url}/t"}).encode(),
                ),
                -1,
            ],
            [Fault("/t", "body", json.dumps(answer).encode()), -1],
        ]
        config = {
            "id-token": id_token(1000),
            "refresh-token": "first",
            "client-id": "me",
            "client-secret": "s",
            "idp-issuer-url": provider.url,
            "idp-certificate-authority": authority.crt(),
        }
        user = {"auth-provider": {"name": "oidc", "config": config}}
        assert authorization(fake, tmp_path, user) == f"Bearer {fresh}"
        assert provider.requests[-1].body == (
            b"grant_type=refresh_token&refresh_token=first&client_id=me&client_secret=s"
        )
    kept = yaml.safe_load((tmp_path / "config").read_text())["users"][0]["user"]["auth-provider"]["config"]
    assert (kept["id-token"], kept["refresh-token"]) == (fresh, "next")


# --- headers ------------------------------------------------------------------------------------


def test_impersonation(fake: FakeServer, tmp_path: Path) -> None:
    headers = ask(
        fake,
        tmp_path,
        {},
        as_user="jörg",
        as_uid="7",
        as_group=("a", "b"),
        as_user_extra=("Scopes=x", "Scopes=y", "example.org/ä=z"),
    )
    assert headers["impersonate-user"].encode("latin-1").decode() == "jörg"
    assert headers["impersonate-uid"] == "7"
    assert headers["impersonate-group"] == "a, b"
    assert headers["impersonate-extra-scopes"] == "x, y"
    assert headers["impersonate-extra-example.org%2f%c3%a4"] == "z"


def test_impersonation_in_the_kubeconfig(fake: FakeServer, tmp_path: Path) -> None:
    assert ask(fake, tmp_path, {"as": "jane", "as-groups": ["g"]})["impersonate-group"] == "g"


def test_groups_of_nobody(fake: FakeServer, tmp_path: Path) -> None:
    text = refused(fake, tmp_path, {}, as_group=("a",))
    assert text == "requesting uid, groups or user-extra without impersonating a user: add --as"


def test_compression(fake: FakeServer, tmp_path: Path) -> None:
    assert ask(fake, tmp_path)["accept-encoding"] == "gzip"
    headers = ask(fake, tmp_path, disable_compression=True)
    assert headers["accept-encoding"] == "identity"
    assert headers["user-agent"] == f"kubectl-kueue/{__version__}"


def test_warnings_are_passed_on_once(tmp_path: Path) -> None:
    heard: list[str] = []
    with FakeServer(faults=[Fault("*", "warning", 'say "this" \\ once')]) as fake:
        server = Server(Connection(kubeconfig=fake.kubeconfig(tmp_path / "config")), warn=heard.append)
        for _ in range(3):
            server.raw("/version")
    assert heard == ['say "this" \\ once']


# --- proxies ------------------------------------------------------------------------------------


def test_proxies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fake API server is a good enough proxy for http."""
    for name in ("http_proxy", "HTTP_PROXY", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)

    def read(**cluster: str) -> str:
        path = fake.kubeconfig(tmp_path / "config", cluster={"server": "http://cluster.invalid", **cluster})
        Server(Connection(kubeconfig=path, request_timeout="5s")).raw("/version")
        return fake.requests[-1].headers.get("proxy-authorization", "none")

    with FakeServer() as fake:
        host = fake.url.removeprefix("http://")
        monkeypatch.setenv("HTTP_PROXY", fake.url)
        assert read() == "none"
        monkeypatch.setenv("NO_PROXY", "other.invalid,.invalid")
        with pytest.raises(ApiError, match="no such host"):
            read()
        assert read(**{"proxy-url": f"http://jane:p%40ss@{host}"}) == (
            "Basic " + base64.b64encode(b"jane:p@ss").decode()
        )
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with FakeServer() as fake:  # the loopback is never reached through a proxy
        ask(fake, tmp_path)
        monkeypatch.delenv("NO_PROXY")
        with pytest.raises(ApiError, match="the proxy failed: connection refused"):
            read()

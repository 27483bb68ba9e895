"""A cluster in which something is wrong, arranged as a row of faults.yaml says."""

import contextlib
import functools
import json
import shutil
import socket
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.api.authority import Authority
from tests.api.fake import OBJECTS, OLD_OBJECTS, FakeServer, Fault

Row = Mapping[str, Any]
EXEC = "client.authentication.k8s.io/v1"


@contextlib.contextmanager
def cluster(row: Row, folder: Path) -> Iterator[FakeServer]:
    """The server of a row, with a kubeconfig for it at folder/config."""
    kind = row.get("server", "")
    faults = [Fault(each["path"], **_fault(each)) for each in row.get("faults", ())]
    absent = set(row.get("groups", ()))
    certificate = _certificates().get(kind)
    context = certificate and certificate[0].server(certificate[1])
    token = "2" if kind == "exec-renews" else "nobody has it" if kind == "exec-refused" else ""
    with FakeServer(
        _objects(row, folder),
        faults=faults,
        groups=lambda group: group not in absent,
        tls=context or None,
        token=token,
    ) as fake:
        stopped = fake.find("clusterqueues", "drained-cq")
        if stopped is not None:
            stopped["spec"]["stopPolicy"] = "Hold"  # so that resume has something to do
        fake.kubeconfig(folder / "config", user=_user(kind, folder), cluster=dict(_address(kind, fake)))
        yield fake


def _fault(each: Row) -> dict[str, Any]:
    value = each.get("value")
    return {
        "what": each["what"],
        "value": value.encode() if each["what"] == "body" else value,
        "times": each.get("times", -1),
        "method": each.get("method", "*"),
    }


def _objects(row: Row, folder: Path) -> Path:
    """What is served; without some `resources` in a folder of its own."""
    if row.get("server") == "v1beta1":
        return OLD_OBJECTS
    absent = set(row.get("resources", ()))
    if not absent:
        return OBJECTS
    changed = folder / "objects"
    shutil.copytree(OBJECTS, changed)
    for name in absent:
        (changed / "json" / f"{name}.json").unlink(missing_ok=True)
    for path in (changed / "discovery").glob("apis_kueue*.json"):
        document = json.loads(path.read_bytes())
        document["resources"] = [
            each for each in document["resources"] if each["name"].partition("/")[0] not in absent
        ]
        path.write_text(json.dumps(document))
    return changed


@functools.cache
def _certificates() -> Mapping[str, tuple[Authority, str]]:
    """Per kind of server the authority and the name of its certificate."""
    folder = Path(tempfile.mkdtemp(prefix="reliability-"))
    ca, other = Authority(folder / "ca"), Authority(folder / "other", "other")
    ca.sign("expired", "IP:127.0.0.1", days=-1)
    ca.sign("named", "DNS:api.internal")
    other.sign("stranger", "IP:127.0.0.1")
    return {
        "tls-expired": (ca, "expired"),
        "tls-name": (ca, "named"),
        "tls-unknown": (other, "stranger"),
    }


def _address(kind: str, fake: FakeServer) -> Iterator[tuple[str, str]]:
    if kind.startswith("tls-"):
        yield "certificate-authority", _certificates()["tls-expired"][0].crt()
    elif kind == "refused":
        yield "server", f"http://127.0.0.1:{_silent_port(listening=False)}"
    elif kind == "silent":
        yield "server", f"http://127.0.0.1:{_silent_port(listening=True)}"
    elif kind == "dns":
        yield "server", "https://nowhere.invalid"
    elif kind == "not-tls":
        yield "server", fake.url.replace("http:", "https:")
        yield "insecure-skip-tls-verify", "true"


_sockets: list[socket.socket] = []


def _silent_port(*, listening: bool) -> int:
    """A port that nobody answers at, kept to the end of the process so that nobody else gets it."""
    place = socket.socket()
    place.bind(("127.0.0.1", 0))
    if listening:
        place.listen(100)
    _sockets.append(place)
    port: int = place.getsockname()[1]
    return port


def _user(kind: str, folder: Path) -> dict[str, Any] | None:
    """Who asks: for exec-* somebody whose plugin gives the tokens 1, 2, 3, ..."""
    if not kind.startswith("exec-"):
        return None
    script, runs = folder / "plugin.sh", folder / "runs"
    token = f"$(printf x >>{runs}; wc -c <{runs} | tr -d ' ')"
    answer = f'{{"apiVersion":"{EXEC}","kind":"ExecCredential","status":{{"token":"\'"{token}"\'"}}}}'
    body = f"echo '{answer}'\n"
    if kind == "exec-broken":
        body = "printf 'no such account \\033[2J' >&2\nexit 3\n"
    script.write_text(f"#!/bin/sh\n{body}")
    script.chmod(0o700)
    return {"exec": {"apiVersion": EXEC, "command": str(script), "interactiveMode": "Never"}}

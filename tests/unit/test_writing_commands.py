"""create, stop, resume, delete, patch against an API server: what is said, and what is sent.

A case of tests/cases/writing/commands: `run` a command line; before that, `change` objects of the server
(merge patches by resource and "namespace/name", null deletes) and let it fail (`faults`); `old`: it serves
v1beta1 only. `out`, `err` and `code` are compared byte for byte ("any": not at all). `sent`: the writing
requests, none if it is absent; `asked`: all requests. `stdin` is what can be read there, `person` the same
from a terminal.
"""

import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.api.fake import OBJECTS, OLD_OBJECTS, FakeServer, Fault, Request, merge_patch
from tests.conftest import Kueue

HERE = Path(__file__).parent.parent / "cases" / "writing" / "commands"
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted(HERE.glob("*.yaml"))
    for case in yaml.safe_load(path.read_text())
]

Case = dict[str, Any]


class Stdin(io.StringIO):
    """Input that comes from a person or not."""

    def __init__(self, text: str, person: bool) -> None:
        super().__init__(text)
        self.person = person

    def isatty(self) -> bool:
        return self.person


@pytest.mark.parametrize("case", CASES)
def test_command(case: Case, kueue: Kueue, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.stdin", Stdin(case.get("person", case.get("stdin", "")), "person" in case))
    folder = OLD_OBJECTS if case.get("old") else OBJECTS
    with FakeServer(folder, faults=[Fault(**fault) for fault in case.get("faults", ())]) as server:
        _prepare(server, case.get("change", {}))
        config = ["--kubeconfig", server.kubeconfig(tmp_path / "config"), "--cache-dir", str(tmp_path)]
        finished = kueue(*shlex.split(case["run"]), *config)
        requests = list(server.requests)
    said = {"out": finished.stdout, "err": finished.stderr, "code": finished.code}
    wanted = {"out": case.get("out", ""), "err": case.get("err", ""), "code": case.get("code", 0)}
    assert {name: text for name, text in said.items() if wanted[name] != "any"} == {
        name: text for name, text in wanted.items() if text != "any"
    }
    writing = [request for request in requests if request.method != "GET"]
    if case.get("sent") != "any":
        assert [_sent(request) for request in writing] == case.get("sent", [])
    if "asked" in case:
        assert [request.path for request in requests] == case["asked"]


def _prepare(server: FakeServer, changes: dict[str, dict[str, Any]]) -> None:
    for resource, patches in changes.items():
        for key, patch in patches.items():
            namespace, _, name = key.partition("/")
            item = server.find(resource, name, namespace)
            assert item is not None, key
            if patch is None:
                server.change(resource, item, "DELETED")
            else:
                server.change(resource, merge_patch(item, patch))


def _sent(request: Request) -> Case:
    """The request as a case writes it; what holds for all of them is checked here."""
    body = json.loads(request.body) if request.body else {}
    query = dict(request.query)
    sent: Case = {request.method: request.path}
    if request.method == "DELETE":
        sent["propagation"] = body.get("propagationPolicy") or query.get("propagationPolicy")
        if dry := body.get("dryRun", [None])[0] or query.get("dryRun"):
            sent["dryRun"] = dry
        return sent
    # The API server takes the field manager from it.
    assert request.headers["user-agent"].startswith("kubectl-kueue/")
    if request.method == "PATCH":
        sent["type"] = request.headers["content-type"]
    return {**sent, **query, "body": body}


@pytest.mark.parametrize("verb", ["create", "stop", "resume", "delete", "patch", "edit"])
def test_without_words_the_help(verb: str, kueue: Kueue) -> None:
    finished = kueue(verb)
    assert finished.stdout.startswith(f"Usage: kubectl kueue {verb} KIND")
    assert (finished.stderr, finished.code) == ("", 0)


CQ, LQ, WL = (f"{plural}.kueue.x-k8s.io" for plural in ("clusterqueues", "localqueues", "workloads"))


@pytest.mark.parametrize(
    ("words", "handed_on"),
    [
        ("edit cq x", f"edit {CQ} x"),
        ("edit wl/x -n a", f"edit {WL}/x --namespace=a"),
        ("-n a edit workload x -o yaml", f"edit {WL} x --namespace=a --output=yaml"),
        ("edit lq x --save-config --field-manager me", f"edit {LQ} x --save-config --field-manager me"),
        ("edit cq cq --as me --as-group a --as-group b", f"edit {CQ} cq --as=me --as-group=a --as-group=b"),
        ("edit -f file.yaml", "edit -f file.yaml"),
    ],
)
def test_edit_runs_kubectl(words: str, handed_on: str, kueue: Kueue, monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[str] = []
    monkeypatch.setattr("kubectl_kueue.cluster.external.exec_kubectl", run.extend)
    assert kueue(*words.split()) == ("", "", 0)
    assert run == handed_on.split()


def test_edit_knows_kinds_of_kueue_only(kueue: Kueue) -> None:
    finished = kueue("edit", "pod", "x")
    assert finished.code == 1
    assert finished.stderr.startswith('Error: unknown kind "pod" for "kubectl kueue edit"; known are: ')

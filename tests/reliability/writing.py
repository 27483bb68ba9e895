"""A writing command of a user who lacks one right."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.api.fake import FakeServer, Fault
from tests.reliability.cells import run, sane

ROOTS = ("/apis/kueue.x-k8s.io/v1beta2", "/apis/batch/v1")
METHODS = {"create": "POST", "patch": "PATCH", "delete": "DELETE"}


def attempt(cell: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """What the command leaves behind."""
    with FakeServer(faults=list(_faults(cell["may not"]))) as fake:
        queue = fake.find("clusterqueues", "drained-cq")
        assert queue is not None
        queue["spec"]["stopPolicy"] = "Hold"
        connection = (
            "--kubeconfig",
            fake.kubeconfig(folder / "config"),
            "--cache-dir",
            str(folder / "cache"),
        )
        finished = run(*shlex.split(cell["run"]), *connection)
        changed = len(fake.log)
    sane(finished)
    return {
        "code": finished.code,
        "out": finished.stdout.splitlines(),
        "err": finished.stderr.splitlines(),
        "changed": changed,
    }


def _faults(lacking: str) -> Iterator[Fault]:
    for root in ROOTS:
        if lacking in METHODS:
            yield Fault(f"{root}/*", "status", 403, method=METHODS[lacking])
        elif lacking == "get":
            yield Fault(f"{root}/clusterqueues/*", "status", 403, method="GET")
            yield Fault(f"{root}/namespaces/*/*/*", "status", 403, method="GET")
        elif lacking == "list":
            yield Fault(f"{root}/namespaces/*/*s", "status", 403, method="GET")
        else:
            yield Fault(f"{root}/[!n]*", "status", 403)
            yield from (Fault(f"{root}/namespaces/{name}/*", "status", 403) for name in ("team-a", "batch"))

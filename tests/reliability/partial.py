"""A command that writes three times, and whose second write fails."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.api.fake import FakeServer, Fault
from tests.reliability.cells import run, sane

Row = Mapping[str, Any]
_SECOND = ("*/clusterqueues/small-cq", "*/jobs/too-big")
_LATER = ("*/clusterqueues/team-a-cq", "*/jobs/behind-head")
_THREE = {
    "clusterqueues": (("", "cpu-pool"), ("", "small-cq"), ("", "team-a-cq")),
    "jobs.batch": (("diag", "to-drain"), ("diag", "too-big"), ("diag", "behind-head")),
}


def attempt(failure: Row, command: str, folder: Path) -> dict[str, Any]:
    """What is left of it: the words of the answer, and which of the three objects were changed."""
    paths = [*_SECOND, *(_LATER if failure.get("and") == "all" else ())]
    faults = [
        Fault(path, failure["what"], failure.get("value"), method=method)
        for path in paths
        for method in ("PATCH", "DELETE")
    ]
    with FakeServer(faults=faults) as fake:
        for name in ("cpu-pool", "small-cq", "team-a-cq"):
            queue = fake.find("clusterqueues", name)
            assert queue is not None
            queue["spec"]["stopPolicy"] = "Hold" if command.startswith("resume") else "None"
        before = _versions(fake, command)
        connection = (
            "--kubeconfig",
            fake.kubeconfig(folder / "config"),
            "--cache-dir",
            str(folder / "cache"),
        )
        finished = run(*command.split(), *connection)
        after = _versions(fake, command)
    sane(finished)
    lines = [re.sub(r"https?://[\w.:]+/", "https://HOST/", line) for line in finished.stderr.splitlines()]
    return {
        "code": finished.code,
        "out": finished.stdout.splitlines(),
        "err": lines,
        "changed": [name for name, version in after.items() if version != before[name]],
    }


def _versions(fake: FakeServer, command: str) -> dict[str, Any]:
    resource = "jobs.batch" if "workload" in command else "clusterqueues"
    found = {name: fake.find(resource, name, namespace) for namespace, name in _THREE[resource]}
    return {name: item and item["metadata"].get("resourceVersion") for name, item in found.items()}

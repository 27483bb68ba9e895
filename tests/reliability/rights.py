"""Users with some of the rights on five kinds, in every combination."""

import itertools
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.reliability.cells import Finished, run_cell

KINDS = {
    "W": "workloads",
    "L": "localqueues",
    "Q": "clusterqueues",
    "C": "cohorts",
    "F": "resourceflavors",
}
OWN = "diag"
CHOICES = ("Ww-", "Ll-", "Q-", "C-", "F-")


class Answer(NamedTuple):
    """What a table says of a cell."""

    code: int
    narrowed: bool
    says: str


def combinations() -> Iterator[str]:
    yield from map("".join, itertools.product(*CHOICES))


def ask(may: str, command: str) -> tuple[Answer, Finished]:
    """One command as a user who `may` do so much."""
    faults = []
    for letter, allowed in zip(KINDS, may, strict=True):
        plural = KINDS[letter]
        if allowed != letter:
            faults += [f"/apis/kueue.x-k8s.io/v1beta2/{plural}", f"/apis/kueue.x-k8s.io/v1beta2/{plural}/*"]
        if allowed == "-":
            faults.append(f"/apis/kueue.x-k8s.io/v1beta2/namespaces/*/{plural}*")
    row: Mapping[str, object] = {"faults": [{"path": path, "what": "status", "value": 403} for path in faults]}
    with tempfile.TemporaryDirectory() as folder:
        finished = run_cell(row, command, Path(folder))
    text = finished.stdout + finished.stderr
    first = (finished.stdout or finished.stderr).partition("\n")[0]
    return Answer(finished.code, _narrowed(text), first), finished


def _narrowed(text: str) -> bool:
    """The answer says what it does not know, and of which right."""
    return "not read" in text or "ClusterRole" in text or "may not" in text or "forbidden" in text

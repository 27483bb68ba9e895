"""Users with some of the rights on five kinds, in every combination."""

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.api.fake import FakeServer, Fault
from tests.reliability.cells import Finished, Outcome, run, sane

KINDS: Mapping[str, tuple[str, str]] = {
    "W": ("Workload", "workloads"),
    "L": ("LocalQueue", "localqueues"),
    "Q": ("ClusterQueue", "clusterqueues"),
    "C": ("Cohort", "cohorts"),
    "F": ("ResourceFlavor", "resourceflavors"),
}
CHOICES = ("Ww-", "Ll-", "Q-", "C-", "F-")
ROOT = "/apis/kueue.x-k8s.io/v1beta2"


def combinations() -> list[str]:
    return ["".join(letters) for letters in itertools.product(*CHOICES)]


def ask(fake: FakeServer, folder: Path, may: str, command: str) -> Finished:
    """One command of a user who `may` do so much."""
    fake.faults = [[Fault(path, "status", 403), -1] for path in _forbidden(may)]
    connection = ("--kubeconfig", str(folder / "config"), "--cache-dir", str(folder / "cache"))
    finished = run(*command.split(), *connection)
    sane(finished)
    return finished


def _forbidden(may: str) -> Iterator[str]:
    for letter, allowed in zip(KINDS, may, strict=True):
        plural = KINDS[letter][1]
        if allowed != letter:
            yield from (f"{ROOT}/{plural}", f"{ROOT}/{plural}/*")
        if allowed == "-":
            yield f"{ROOT}/namespaces/*/{plural}*"


def told(finished: Finished) -> Outcome:
    first = (finished.stdout or finished.stderr).partition("\n")[0]
    return Outcome(finished.code, re.sub(r"(can be read): .*", r"\1: KINDS", first))


def unnamed(may: str, finished: Finished) -> list[str]:
    """The kinds that may not be read in whole, and that the answer does not name."""
    kinds = [KINDS[letter][0] for letter, allowed in zip(KINDS, may, strict=True) if allowed != letter]
    return [kind for kind in kinds if kind not in finished.stdout]

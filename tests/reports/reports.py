"""Clusters rebuilt from public reports: a YAML file with its question and the expected answer on top."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kubectl_kueue.cluster.files import read_source
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.world import World

HERE = Path(__file__).parent
FOLDER = HERE.parent / "data" / "reports"

EXPLAINED = frozenset({"Admit", "Preempt", "Wait", "Never", "Blocked", "ChecksPending", "AdmittedNotRunning"})


class Report(NamedTuple):
    """One file: its name without number of lines and suffix, its header, and where it is."""

    name: str
    header: Mapping[str, Any]
    path: Path

    @property
    def expected(self) -> Mapping[str, Any]:
        return self.header["expect"]

    def world(self) -> World:
        return decode_world(read_source(str(self.path)))

    def subjects(self, world: World) -> list[str]:
        """Keys of the workloads that the report asks about."""
        patterns = [word.removeprefix("workload/") for word in self.header["subject"].split(" and ")]
        return [key for key in world.workloads if any(fnmatchcase(key, p) for p in patterns)]


@cache
def all_reports() -> list[Report]:
    """Every report once, by name."""
    paths = {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}
    return [Report(name, _header(path), path) for name, path in sorted(paths.items())]


def explained() -> list[Report]:
    """Those about workloads that have a verdict."""
    return [report for report in all_reports() if report.expected["verdict"] in EXPLAINED]


def listed(name: str) -> dict[str, Any]:
    """A list beside this module."""
    found: dict[str, Any] = yaml.safe_load((HERE / name).read_text())
    return found


def _header(path: Path) -> Mapping[str, Any]:
    lines = path.read_text().splitlines()
    head = [line.removeprefix("#").removeprefix(" ") for line in lines[: lines.index("---")]]
    found: Mapping[str, Any] = yaml.safe_load("\n".join(head))
    return found

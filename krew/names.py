"""What a release is called: its version in krew's form, its platforms, its archives."""

import platform
import re
import sys
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent


class Platform(NamedTuple):
    """An operating system and an architecture, by Go's names for them."""

    os: str
    arch: str

    @property
    def binary(self) -> str:
        return "kubectl-kueue.exe" if self.os == "windows" else "kubectl-kueue"

    def archive(self, version: str) -> str:
        """The file name of the archive of a version in krew's form."""
        suffix = "zip" if self.os == "windows" else "tar.gz"
        return f"kubectl-kueue-{version}-{self.os}-{self.arch}.{suffix}"


PLATFORMS = (
    Platform("linux", "amd64"),
    Platform("linux", "arm64"),
    Platform("darwin", "amd64"),
    Platform("darwin", "arm64"),
    Platform("windows", "amd64"),
)


def this_platform() -> Platform:
    """The platform that this interpreter runs on. Raises ValueError for one that has no archive."""
    machine = platform.machine().lower()
    arch = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}.get(machine, machine)
    system = {"win32": "windows"}.get(sys.platform, sys.platform)
    found = Platform(system, arch)
    if found not in PLATFORMS:
        raise ValueError(f"there is no archive for {system}/{arch}")
    return found


def source_version() -> str:
    """The version that the sources name, in Python's form."""
    text = (REPOSITORY / "kubectl_kueue" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found is not None
    return found[1]


def krew_version(version: str) -> str:
    """`1.2.3.dev0` as `v1.2.3-dev.0`, `1.2.3rc1` as `v1.2.3-rc.1`: krew wants a semantic version with a v.

    Raises ValueError for what has none, such as an epoch or a post release.
    """
    found = re.fullmatch(r"(\d+\.\d+\.\d+)(?:\.?(dev|a|b|rc)(\d+))?", version)
    if found is None:
        raise ValueError(f"{version} has no form that krew takes")
    core, stage, number = found.groups()
    word = {"a": "alpha", "b": "beta"}.get(stage or "", stage)
    return f"v{core}-{word}.{number}" if stage else f"v{core}"

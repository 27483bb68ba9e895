"""kubectl, where this program hands work on to it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from kubectl_kueue.errors import ConfigError


class Finished(NamedTuple):
    """What a kubectl that ran to its end left behind."""

    stdout: bytes
    stderr: bytes
    code: int


def find_kubectl() -> str:
    """The path of kubectl. Raises ConfigError if there is none on PATH."""
    path = shutil.which("kubectl")
    if path is None:
        raise ConfigError(
            "kubectl was not found on PATH, and this command is handed on to it: install kubectl, or add its "
            "folder to PATH (https://kubernetes.io/docs/tasks/tools/)"
        )
    return path


def exec_kubectl(arguments: Sequence[str]) -> NoReturn:
    """Become kubectl. On Windows, where that cannot be, run it and leave with its code."""
    path = find_kubectl()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    try:
        if os.name == "nt":
            raise SystemExit(subprocess.run([path, *arguments], check=False).returncode)  # noqa: S603
        _forget_key_files()
        os.execv(path, [path, *arguments])  # noqa: S606
    except OSError as error:
        raise ConfigError(f"{path} cannot be run: {error.strerror or error}") from None


def run_kubectl(arguments: Sequence[str], stdin: bytes = b"") -> Finished:
    """Run kubectl to its end, with `stdin` as its input."""
    path = find_kubectl()
    try:
        done = subprocess.run([path, *arguments], input=stdin, capture_output=True, check=False)  # noqa: S603
    except OSError as error:
        raise ConfigError(f"{path} cannot be run: {error.strerror or error}") from None
    return Finished(done.stdout, done.stderr, done.returncode)


def _forget_key_files() -> None:
    """The client library removes its files of keys at exit, which exec skips."""
    module = sys.modules.get("kubernetes.config.kube_config")
    if module is not None:
        module._cleanup_temp_files()

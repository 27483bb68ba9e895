"""The example of docs/architecture.md runs, and mypy --strict finds nothing in it: the package is typed."""

import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    page = (REPOSITORY / "docs" / "architecture.md").read_text()
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert code
    path = tmp_path / "script.py"
    path.write_text(code[1])
    return path


def test_it_runs(script: Path) -> None:
    done = subprocess.run(
        [sys.executable, script], cwd=REPOSITORY, env={"PYTHONPATH": "."}, capture_output=True
    )
    assert done.stdout == b"Wait 2\n", done.stderr


def test_it_is_typed(script: Path) -> None:
    pytest.importorskip("mypy")
    assert files("kubectl_kueue").joinpath("py.typed").is_file()
    words = [
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--cache-dir",
        str(REPOSITORY / ".mypy_cache" / "script"),
        str(script),
    ]
    done = subprocess.run(
        [sys.executable, *words], cwd=REPOSITORY, env={"MYPYPATH": "."}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout

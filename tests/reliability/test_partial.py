"""Every cell of partial.yaml, and what holds for all of them; files are written as a whole or not at all."""

import os
from pathlib import Path

import pytest

from kubectl_kueue.cluster.write_file import write_files
from kubectl_kueue.errors import KueueError
from tests.reliability.cells import read_table
from tests.reliability.partial import Row, attempt

TABLE = read_table("partial")


@pytest.mark.parametrize("command", TABLE["commands"])
@pytest.mark.parametrize("failure", TABLE["failures"], ids=lambda row: row["name"])
def test_what_was_done_and_what_not(failure: Row, command: str, tmp_path: Path) -> None:
    found = attempt(failure, TABLE["commands"][command], tmp_path)
    assert found == TABLE["outcomes"][command][failure["name"]]
    told = " ".join(found["out"])
    assert all(name in told for name in found["changed"]), "what was done is on stdout"
    if found["code"] == 0:
        assert failure["name"] == "absent"  # what should go is gone
        return
    assert found["code"] == 1
    names = ("small-cq", "too-big")
    assert any(name in line for name in names for line in found["err"]), "what was not done is on stderr"


def test_files_are_written_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(tmp_path / name) for name in ("a", "b", "c")]
    for path in paths:
        Path(path).write_text("old")

    def full(handle: int, known=os.fsync) -> None:  # type: ignore[no-untyped-def]
        if len(list(tmp_path.glob(".b*"))):
            raise OSError(28, "No space left on device")
        known(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KueueError, match=r"cannot write .*/b: No space left on device$"):
        write_files(dict.fromkeys(paths, b"new"))
    assert [Path(path).read_text() for path in paths] == ["old"] * 3
    assert len(list(tmp_path.iterdir())) == 3


def test_a_folder_that_fails_half_way_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [str(tmp_path / name) for name in ("a", "b", "c")]

    def broken(source: str, target: str, known=os.replace) -> None:  # type: ignore[no-untyped-def]
        if target.endswith("b"):
            raise OSError(5, "Input/output error")
        known(source, target)

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(KueueError, match=r"cannot write .*/b: Input/output error; written before it: .*/a$"):
        write_files(dict.fromkeys(paths, b"new"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]

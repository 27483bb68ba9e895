"""Files that are there as a whole or not at all."""

import errno
import gzip
import os
from pathlib import Path

import pytest

from kubectl_kueue.cluster.write_file import write_files
from kubectl_kueue.errors import KueueError


def test_files_are_replaced_and_private(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o644)
    write_files({str(path): b"new", str(tmp_path / "b"): b"other"})
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "b"]


def test_gz_is_packed(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    write_files({str(path): b"content"})
    assert gzip.decompress(path.read_bytes()) == b"content"


@pytest.mark.parametrize("fails", [1, 2])
def test_a_full_disk_leaves_what_was_there(
    fails: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"old")
    second.write_bytes(b"old")
    calls = []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) == fails:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KueueError, match=r"cannot write .*/[ab]: No space left on device"):
        write_files({str(first): b"new", str(second): b"new"})
    assert (first.read_bytes(), second.read_bytes()) == (b"old", b"old")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "b"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "real", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    write_files({str(link): b"new"})
    assert link.is_symlink()
    assert path.read_bytes() == b"new"


def test_a_device_is_written_to() -> None:
    write_files({os.devnull: b"gone"})
    assert not os.path.isfile(os.devnull)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(KueueError, match="Is a directory"):
        write_files({str(tmp_path): b"x"})

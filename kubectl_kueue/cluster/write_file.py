"""Files that are there as a whole or not at all.

Every file is written beside its place and moved there when all of them are complete: a full disk or a crash
leaves the old ones as they were.
"""

import gzip
import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress

from kubectl_kueue.errors import KueueError


def write_files(contents: Mapping[str, bytes], *, private: bool = True) -> None:
    """Write each file (path -> bytes, packed if the name ends in .gz), moved into place in this order.

    They are readable by their owner only; if not `private`, as the files were that they replace.

    What is there but no file (a device, a pipe) is written to. Raises KueueError, one line; the files that
    were there are then untouched, but for those that it names: their place in the folder was taken already.
    """
    staged: dict[str, str] = {}
    moved: list[str] = []
    path = ""
    try:
        for path, content in contents.items():
            data = gzip.compress(content, mtime=0) if path.endswith(".gz") else content
            if os.path.exists(path) and not os.path.isfile(path):
                _write_to(path, data)
            else:
                _stage(os.path.realpath(path), data, staged, private=private)
        for path, temporary in staged.items():
            os.replace(temporary, path)
            _settle(os.path.dirname(path))
            moved.append(path)
    except OSError as error:
        done = f"; written before it: {', '.join(moved)}" if moved else ""
        raise KueueError(f"cannot write {path}: {error.strerror or error}{done}") from None
    finally:
        for temporary in staged.values():
            with suppress(OSError):
                os.unlink(temporary)


def _write_to(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _stage(path: str, data: bytes, staged: dict[str, str], *, private: bool) -> None:
    """A complete file with these bytes in the folder of `path`; mkstemp makes it 0600."""
    handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(path)}.", dir=os.path.dirname(path))
    staged[path] = temporary
    with open(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    if not private and os.path.exists(path):
        shutil.copymode(path, temporary)


def _settle(folder: str) -> None:
    """Make the new names of a folder last, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

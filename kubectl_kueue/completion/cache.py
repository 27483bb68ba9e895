"""Lists of words on the disk, for as long as a person goes on pressing TAB.

One file a list, a word a line, readable by its owner only. Whatever fails: there was no list.
"""

import os

from kubectl_kueue.cluster import clock

SECONDS = 30
"""How long a list is believed."""

KEPT_SECONDS = 3600
"""After which files are removed, when the next one is written."""


def cache_path(folder: str, key: list[str]) -> str:
    """The file of the list that `key` stands for; no word of it can be read from the name."""
    from hashlib import blake2b

    text = "".join(f"{len(part)}:{part}" for part in key)
    name = blake2b(text.encode(errors="surrogateescape"), digest_size=20).hexdigest()
    root = folder or os.environ.get("KUBECACHEDIR") or os.path.join(os.path.expanduser("~"), ".kube", "cache")
    return os.path.join(root, "kubectl-kueue", "completion", name)


def recall(path: str) -> list[str] | None:
    """The words, if the file is young, whole and the user's own."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            found = os.fstat(file.fileno())
            if _age(found) > SECONDS or not _is_own(found):
                return None
            return file.read().split("\n")[:-1]
    except (OSError, ValueError):
        return None


def remember(path: str, words: list[str]) -> None:
    """Write the file, all or nothing."""
    folder, temporary = os.path.dirname(path), f"{path}.{os.getpid()}"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        _sweep(folder)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.writelines(f"{word}\n" for word in words)
        os.replace(temporary, path)
    except (OSError, ValueError):
        try:
            os.unlink(temporary)
        except (OSError, ValueError):
            return


def _sweep(folder: str) -> None:
    for entry in os.scandir(folder):
        if _age(entry.stat(follow_symlinks=False)) > KEPT_SECONDS:
            os.unlink(entry.path)


def _age(found: os.stat_result) -> float:
    """Seconds since it was written; one from the future is as old as it is far off."""
    return abs(clock.now() / 1e6 - found.st_mtime)


def _is_own(found: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or found.st_uid == os.getuid()

"""`python -m docs.scripts`: every generated part of the documentation. --check: only say what is old."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

from docs.scripts import commands, man, pictures, transcripts
from kubectl_kueue.__main__ import main as kueue

REPOSITORY = Path(__file__).parent.parent.parent
FOLDERS = (REPOSITORY / "docs" / "commands", REPOSITORY / "man", REPOSITORY / "docs" / "pictures")


def main(arguments: list[str]) -> int:
    """Write what is not as it should be; returns 1 if --check found such files."""
    os.chdir(REPOSITORY)
    made = commands.pages() | man.pages() | transcripts.pages(run) | pictures.pictures(run_on_terminal)
    old = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    gone = [path for folder in FOLDERS for path in folder.glob("*") if path not in made]
    for path in [*old, *gone]:
        sys.stderr.write(f"{path.relative_to(REPOSITORY)} is out of date\n")
        if "--check" in arguments:
            continue
        path.unlink(missing_ok=True)
        if path in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[path], "utf-8")
    return 1 if (old or gone) and "--check" in arguments else 0


def run(arguments: list[str]) -> str:
    """Both streams of a command that meets no cluster, as a pipe gets them."""
    os.environ |= {"COLUMNS": "80", "KUBECONFIG": os.devnull}
    os.environ.pop("KUBERNETES_SERVICE_HOST", None)
    sys.argv = ["kubectl-kueue", *arguments]
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        kueue()
        printed.flush()
    return printed.detach().getvalue().decode()


def run_on_terminal(arguments: list[str]) -> str:
    """What a terminal of 120 columns with colours gets."""
    import pty

    words = [sys.executable, "-m", "kubectl_kueue", *arguments]
    environment = {**os.environ, "COLUMNS": "120", "TERM": "xterm-256color", "KUBECONFIG": os.devnull}
    for name in ("NO_COLOR", "KUBERNETES_SERVICE_HOST", "COLORTERM"):
        environment.pop(name, None)
    leader, follower = pty.openpty()
    with subprocess.Popen(words, stdout=follower, stderr=follower, env=environment) as process:
        os.close(follower)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while chunk := os.read(leader, 65536):
                shown += chunk
        process.wait()
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

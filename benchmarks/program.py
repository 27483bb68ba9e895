"""How the programs that are timed are started, and with which environment."""

import os
import shutil
from pathlib import Path

ENDINGS = ("_proxy", "_PROXY")
KEPT_OUT = (
    "KUBECONFIG",
    "KUEUE_DEBUG",
    "KUEUECTL_LIST_REQUEST_LIMIT",
    "PYTHONPATH",
    "PYTHONDONTWRITEBYTECODE",
)


def ours(python: str) -> list[str]:
    """The script of an environment that has the package, else the module of this folder."""
    script = Path(python).with_name("kubectl-kueue")
    return [str(script)] if os.access(script, os.X_OK) else [python, "-m", "kubectl_kueue"]


def kubectl() -> str | None:
    """Where kubectl is, if it is."""
    return shutil.which("kubectl")


def environment(home: Path, kubeconfig: Path | None = None) -> dict[str, str]:
    """Variables with which a program finds one cluster or none, and no habits of whoever runs this."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith(ENDINGS)}
    for name in KEPT_OUT:
        kept.pop(name, None)
    return kept | {"HOME": str(home), "KUBECONFIG": str(kubeconfig or home / "none"), "COLUMNS": "120"}

"""Kubeconfig files, environment and flags -> where to go, as whom (tests/cases/cluster/kubeconfig.yaml)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.cluster import kubeconfig
from kubectl_kueue.cluster.connection import Connection, parse_timeout
from kubectl_kueue.cluster.kubeconfig import find_login
from kubectl_kueue.errors import ConfigError
from tests.worlds import read_cases


@pytest.mark.parametrize("case", read_cases("cluster", "kubeconfig"), ids=lambda case: case["name"])
def test_login(case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tmp_path)
    (tmp_path / "home").mkdir()
    for name, content in case.get("files", {}).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    for name in ("KUBECONFIG", "KUBERNETES_MASTER", "KUBERNETES_SERVICE_HOST", "POD_NAMESPACE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", f"{folder}/home")
    monkeypatch.setattr(kubeconfig, "SERVICE_ACCOUNT", f"{folder}/sa")
    for name, value in case.get("env", {}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    flags = {k: tuple(v) if isinstance(v, list) else v for k, v in case.get("flags", {}).items()}
    connection = Connection(**flags)
    if "error" in case:
        with pytest.raises(ConfigError) as caught:
            find_login(connection)
        assert str(caught.value).replace(folder, "DIR") == case["error"]
        return
    login = find_login(connection)._asdict()
    found = {name: _shown(login[name], folder) for name in case["want"]}
    assert found == case["want"]


def _shown(value: Any, folder: str) -> Any:
    if isinstance(value, str):
        return value.replace(folder, "DIR")
    if isinstance(value, dict):
        return {name: _shown(part, folder) for name, part in value.items()}
    return value


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0", 0),
        ("30", 30),
        ("+5", 5),
        ("1s", 1),
        ("1m30s", 90),
        ("1.5h", 5400),
        ("200ms", 0.2),
        ("-1", 0),
        (".5s", 0.5),
    ],
)
def test_timeouts(text: str, seconds: float) -> None:
    assert parse_timeout(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text", ["", "x", "5x", "1 s", "s", ".s", "1s2", "٣", "9" * 30 + "h", "9" * 400, "--1", "1m30"]
)
def test_bad_timeouts(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_timeout(text)
    assert str(caught.value) == (
        "Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a "
        "corresponding time unit (e.g. 1s | 2m | 3h)"
    )

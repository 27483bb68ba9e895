"""`lint` as a command: exit codes, sources, --fix, formats for other tools."""

import gzip
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.conftest import Kueue

CLEAN = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadPriorityClass\nmetadata: {name: high}\nvalue: 5\n"
WARNED = CLEAN.replace("v1beta2", "v1beta1")
WRONG = CLEAN + "preemptionPolicy: Never  # or not\n"


@pytest.mark.parametrize(
    ("text", "flags", "code"),
    [
        (CLEAN, ["--strict"], 0),
        (WARNED, [], 0),
        (WARNED, ["--strict"], 1),
        (WARNED, ["--strict", "--disable", "api-version-deprecated"], 0),
        (WRONG, [], 2),
        (WRONG, ["--select", "CQ06"], 0),
        ("a: [", [], 2),
        ("", [], 2),
        ("a: b\n", [], 0),
    ],
)
def test_exit_codes(text: str, flags: list[str], code: int, kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(text)
    assert kueue("lint", "-f", str(file), *flags).code == code


def test_a_file_that_is_not_there(kueue: Kueue) -> None:
    finished = kueue("lint", "-f", "no-such-file.yaml")
    assert finished.code == 1
    assert "no-such-file.yaml" in finished.stderr


def test_what_a_folder_holds_besides(kueue: Kueue, tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("replicas: 2\n")
    (tmp_path / "template.yaml").write_text("apiVersion: kueue.x-k8s.io/v1beta2\nname: {{ .Values.x }}\n")
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    (tmp_path / "packed.yaml.gz").write_bytes(gzip.compress(WRONG.encode()))
    data = json.loads(kueue("lint", "-f", str(tmp_path), "-o", "json").stdout)
    found = {(Path(each["file"]).name, each["severity"], each["rule"]) for each in data["findings"]}
    assert found == {("template.yaml", "info", "unreadable"), ("packed.yaml.gz", "error", "api-field")}


def test_fix_writes_what_can_be_mended(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text("# head\n" + WRONG.replace("v1beta2", "v1beta1"))
    data = json.loads(kueue("lint", "-f", str(file), "--fix", "-o", "json").stdout)
    assert file.read_text() == "# head\n" + CLEAN
    assert (data["written"], data["mended"], data["findings"]) == ([str(file)], 2, [])


def test_fix_leaves_the_rights_of_a_file(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "old.yaml"
    file.write_text("{apiVersion: kueue.x-k8s.io/v1beta1, kind: ClusterQueue, metadata: {name: a}}")
    file.chmod(0o664)
    assert "written to" in kueue("lint", "-f", str(file), "--fix").stdout
    assert file.stat().st_mode & 0o777 == 0o664


def test_fix_in_lists_and_json(kueue: Kueue, tmp_path: Path) -> None:
    item = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass", "value": 5}
    wrong = {**item, "metadata": {"name": "high"}, "globalDefault": True}
    file = tmp_path / "file.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [wrong]}, indent=4) + "\n")
    assert kueue("lint", "-f", str(file), "--fix").code == 0
    assert "globalDefault" not in file.read_text()
    assert '\n    "items"' in file.read_text()


def test_nothing_is_written_without_need(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(CLEAN)
    before = file.stat().st_mtime_ns
    assert json.loads(kueue("lint", "-f", str(file), "--fix", "-o", "json").stdout)["written"] == []
    assert file.stat().st_mtime_ns == before


def test_patches_of_one_object_are_put_together(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(WRONG.replace("v1beta2", "v1beta1"))
    (answer,) = json.loads(kueue("lint", "-f", str(file), "-o", "patch").stdout)
    assert answer["rules"] == ["api-version-deprecated", "api-field"]
    assert answer["patch"] == [
        {"op": "replace", "path": "/apiVersion", "value": "kueue.x-k8s.io/v1beta2"},
        {"op": "remove", "path": "/preemptionPolicy"},
    ]


def test_sarif(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "a file.yaml"
    file.write_text(WRONG)
    (run,) = json.loads(kueue("lint", "-f", str(file), "-o", "sarif").stdout)["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "api-field"
    assert result["level"] == "error"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/a%20file.yaml")
    assert place["region"] == {"startLine": 5}


def test_junit(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(
        WRONG + "---\n" + CLEAN.replace("high", "low") + "---\n" + WARNED.replace("high", "<old>")
    )
    suites = ET.fromstring(kueue("lint", "-f", str(file), "-o", "junit").stdout)  # noqa: S314
    assert {name: suites.get(name) for name in ("tests", "failures")} == {"tests": "3", "failures": "2"}
    cases = {case.get("name"): [child.tag for child in case] for case in suites.iter("testcase")}
    assert cases == {
        "WorkloadPriorityClass/high": ["failure"],
        "WorkloadPriorityClass/low": [],
        "WorkloadPriorityClass/<old>": ["failure", "system-out"],
    }


def test_control_characters_reach_nobody(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(CLEAN + '"bad\\e[31m\\u202e": 1\n')
    for output in ("table", "json", "yaml", "sarif", "junit", "patch"):
        text = kueue("lint", "-f", str(file), "-o", output).stdout
        assert "\x1b" not in text
        assert "\u202e" not in text


def test_the_configuration_in_a_config_map(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config}\ndata:\n"
        "  controller_manager_config.yaml: |\n"
        "    apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n"
        "    featureGates:\n      PartialAdmision: true\n"
    )
    (found,) = json.loads(kueue("lint", "-f", str(file), "-o", "json").stdout)["findings"]
    assert (found["rule"], found["line"]) == ("config-gate", 9)


def test_objects_of_a_snapshot_stand_around(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "file.yaml"
    file.write_text(
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: gpu, namespace: team-a}\n"
        "spec: {clusterQueue: team-b-cq}\n"
    )
    snapshot = ("--snapshot", "examples/snapshot.json")
    found = json.loads(kueue("lint", "-f", str(file), *snapshot, "-o", "json").stdout)["findings"]
    assert [(each["rule"], each["pointer"]) for each in found] == [
        ("namespace-not-selected", "/metadata/namespace"),
        ("immutable", "/spec/clusterQueue"),
    ]


@pytest.mark.parametrize(
    "flags",
    [
        ["--live", "--snapshot", "x"],
        ["-f", ""],
        ["-f", "-", "--snapshot", "-"],
        ["--fix", "--snapshot", "x"],
        ["--select", "no-such-rule", "-f", "x"],
        ["--explain", "no-such-rule"],
    ],
)
def test_command_lines_that_cannot_be(flags: list[str], kueue: Kueue) -> None:
    finished = kueue("lint", *flags)
    assert finished.code == 1
    assert finished.stderr.startswith("Error: ")

"""Our jsonpath prints what kubectl prints: a table of cases, and kubectl itself where there is one."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.jsonpath import render

TABLE = yaml.safe_load((Path(__file__).parents[1] / "cases/output/jsonpath.yaml").read_text())
DATA = {
    name: {"apiVersion": "x.io/v1", "kind": "Thing", "metadata": {"name": "a"}, **json.loads(text)}
    for name, text in TABLE["data"].items()
}
CASES = TABLE["cases"]
KUBECTL = shutil.which("kubectl")
SEPARATOR = "\u241e"


def rendered(case: dict[str, Any]) -> str:
    return render(case["template"], DATA[case["data"]], allow_missing=case.get("missing", True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['data']} {case['template']!a}")
def test_a_template_prints_what_kubectl_prints(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(ConfigError) as raised:
            rendered(case)
        assert str(raised.value) == case["error"]
    else:
        assert rendered(case) == case["output"]


@pytest.mark.parametrize("template", ["{\u0662}", "{" + "9" * 5000 + "}", "{.l[" + "0" * 5000 + "1]}"])
def test_a_number_that_is_none(template: str) -> None:
    with pytest.raises(ConfigError, match="number"):
        render(template, {"l": [1, 2]})


# --- kubectl itself -------------------------------------------------------------------------------


def kubectl(data: str, template: str, missing: bool) -> subprocess.CompletedProcess[bytes]:
    assert KUBECTL is not None
    command = [
        KUBECTL,
        "patch",
        "--local",
        "-f",
        "-",
        "--type=merge",
        "-p",
        "{}",
        "-o",
        f"jsonpath={template}",
    ]
    command.append(f"--allow-missing-template-keys={str(missing).lower()}")
    return subprocess.run(
        command, input=json.dumps(DATA[data]).encode(), capture_output=True, check=False, timeout=60
    )


@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl")
@pytest.mark.parametrize(("data", "missing"), [(name, True) for name in DATA] + [("queues", False)])
def test_kubectl_still_prints_the_outputs_of_the_table(data: str, missing: bool) -> None:
    cases = [
        case
        for case in CASES
        if "output" in case
        and (case["data"], case.get("missing", True)) == (data, missing)
        and case["template"].count("range") == case["template"].count("end")
    ]
    done = kubectl(data, SEPARATOR.join(case["template"] for case in cases), missing)
    assert not done.returncode, done.stderr
    printed = done.stdout.decode(errors="replace").split(SEPARATOR)
    assert [(case["template"], text) for case, text in zip(cases, printed, strict=True)] == [
        (case["template"], case["output"]) for case in cases
    ]


def reason(case: dict[str, Any]) -> str:
    """The words of an error without what stands in the template."""
    return re.sub(r"[^a-z ]+\S*", "", case["error"].replace(case["template"], "").rpartition(": ")[2])


ONE_ERROR_OF_EACH_KIND = list({reason(case): case for case in CASES if "error" in case}.values())


@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl")
@pytest.mark.parametrize("case", ONE_ERROR_OF_EACH_KIND, ids=lambda case: ascii(case["template"]))
def test_kubectl_still_says_the_errors_of_the_table(case: dict[str, Any]) -> None:
    done = kubectl(case["data"], case["template"], case.get("missing", True))
    said = done.stderr.decode().partition(". Printing more information")[0]
    assert done.returncode == 1
    assert said.removeprefix("error: ").rstrip("\n") == case["error"]

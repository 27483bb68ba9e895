"""Objects of Kubernetes in json, yaml and kyaml look as kubectl's."""

import io
import json
import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.output.formats import Answer, emit
from kubectl_kueue.output.key_order import in_order
from kubectl_kueue.output.text import HOSTILE_BUT_NEWLINE
from kubectl_kueue.views.page import Document, Page
from tests.conftest import REPOSITORY

RECORDINGS = REPOSITORY.parent / "shared" / "transcripts"
KUBECTL = shutil.which("kubectl")

FLAVOR = {
    "kind": "ResourceFlavor",
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "metadata": {
        "name": "on-demand",
        "creationTimestamp": "2026-11-29T14:15:39Z",
        "resourceVersion": "435",
        "annotations": {
            "last": '{"a":"<b>","c":' + "[" + "1," * 60 + "1]}\n",
            "note": "it's here: a colon " + "and many words more " * 5,
        },
        "managedFields": [{"manager": "kubectl"}],
    },
    "spec": {
        "nodeLabels": {"rack-10": "True", "rack-9": "y", "Zone": "1e3", "z.io/x": "", "n": "a#b"},
        "tolerations": [{"key": "gpu", "tolerationSeconds": 300, "ok": True, "none": None}],
        "empty": {},
        "none": [],
    },
}

FLAVOR_YAML = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  annotations:
    last: |
      {"a":"<b>","c":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}
    note: 'it''s here: a colon and many words more and many words more and many words
      more and many words more and many words more '
  creationTimestamp: "2026-11-29T14:15:39Z"
  name: on-demand
  resourceVersion: "435"
spec:
  empty: {}
  nodeLabels:
    Zone: "1e3"
    "n": a#b
    rack-9: "y"
    rack-10: "True"
    z.io/x: ""
  none: []
  tolerations:
  - key: gpu
    none: null
    ok: true
    tolerationSeconds: 300
"""

FLAVOR_KYAML = """\
---
{
  apiVersion: "kueue.x-k8s.io/v1beta2",
  kind: "ResourceFlavor",
  metadata: {
    creationTimestamp: "2026-11-29T14:15:39Z",
    name: "on-demand",
    resourceVersion: "435",
  },
  spec: {
    empty: {},
    nodeLabels: {
      Zone: "1e3",
      "n": "a#b",
      rack-9: "y",
      rack-10: "True",
      z.io/x: "",
    },
    none: [],
    tolerations: [{
      key: "gpu",
      none: null,
      ok: true,
      tolerationSeconds: 300,
    }],
  },
}
"""


def printed(data: Any, output: str, *, objects: bool = True, managed: bool = False) -> str:
    stream = io.StringIO()
    answer = Answer(lambda: Page([]), lambda: Document(data, objects=objects))
    emit(answer, output, stream, show_managed_fields=managed)
    return stream.getvalue()


def without(data: dict[str, Any], name: str) -> dict[str, Any]:
    metadata = {key: value for key, value in data["metadata"].items() if key != name}
    return {**data, "metadata": metadata}


# --- yaml -----------------------------------------------------------------------------------------


def test_yaml_sorts_folds_and_quotes_as_kubectl_does() -> None:
    assert printed(FLAVOR, "yaml") == FLAVOR_YAML


@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl")
def test_kubectl_prints_the_same_yaml() -> None:
    bare = without(FLAVOR, "managedFields")
    command = ["kubectl", "patch", "--local", "-f", "-", "--type=merge", "-p", "{}", "-o", "yaml"]
    done = subprocess.run(
        command, input=json.dumps(bare).encode(), capture_output=True, check=True, timeout=60
    )
    # A merge patch drops what is null.
    assert printed(bare, "yaml").replace("    none: null\n", "") == done.stdout.decode().replace(
        "    none: null\n", ""
    )


def recorded(kind: str) -> list[str]:
    starts = {"yaml": "apiVersion:", "json": "{\n"}
    return sorted(path.stem for path in RECORDINGS.glob("*.out") if path.read_text().startswith(starts[kind]))


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings here")
@pytest.mark.parametrize("name", recorded("yaml"))
def test_recorded_yaml_read_is_printed_again(name: str) -> None:
    text = (RECORDINGS / f"{name}.out").read_text()
    assert printed(yaml.safe_load(text), "yaml") == text


KEYS = [
    ["", "!", "Zone", "a", "a.b", "a/b", "ab", "b"],
    ["a1", "a2", "a9", "a10", "a10b", "a-1", "a", "1", "12", "9", "01"],
]


@pytest.mark.skipif(KUBECTL is None, reason="there is no kubectl")
@pytest.mark.parametrize("keys", KEYS)
def test_keys_are_in_the_order_of_kubectl(keys: list[str]) -> None:
    command = ["kubectl", "patch", "--local", "-f", "-", "--type=merge", "-p", "{}", "-o", "yaml"]
    data = {"apiVersion": "v1", "kind": "Thing", "keys": dict.fromkeys(keys, "x")}
    done = subprocess.run(
        command, input=json.dumps(data).encode(), capture_output=True, check=True, timeout=60
    )
    assert list(yaml.safe_load(done.stdout)["keys"]) == in_order(keys)


def test_numbers_in_keys_count() -> None:
    assert in_order(["a10", "a9", "a", "aB", "a-1", "a09"]) == ["a", "a-1", "a9", "a09", "a10", "aB"]


# --- json -----------------------------------------------------------------------------------------


def test_numbers_in_keys_may_be_long() -> None:
    long = "9" * 5000
    assert in_order([f"a1{long}", f"a{long}", "a\u0662", "a10"]) == [
        "a10",
        f"a{long}",
        f"a1{long}",
        "a\u0662",
    ]


def test_json_of_objects_is_indented_by_four() -> None:
    text = printed({"kind": "A", "items": [{"x": "<é\x7f\u202e>"}], "none": []}, "json")
    assert text == (
        '{\n    "kind": "A",\n    "items": [\n        {\n            "x": "\\u003cé\\u007f\\u202e\\u003e"\n'
        '        }\n    ],\n    "none": []\n}\n'
    )


@pytest.mark.skipif(not RECORDINGS.is_dir(), reason="no recordings here")
@pytest.mark.parametrize("name", recorded("json"))
def test_recorded_json_read_is_printed_again(name: str) -> None:
    text = (RECORDINGS / f"{name}.out").read_text()
    assert printed(json.loads(text), "json") == text


# --- kyaml ----------------------------------------------------------------------------------------


def test_kyaml_is_the_flow_style_of_the_proposal() -> None:
    assert printed(without(FLAVOR, "annotations"), "kyaml") == FLAVOR_KYAML


def test_kyaml_writes_a_text_on_one_line() -> None:
    data = {"one": "This\nis a\t\x7fstring", "l": ["a\nb", "c"], "none": [], "empty": {}}
    assert printed(data, "kyaml", objects=False) == (
        '---\n{\n  one: "This\\nis a\\t\\u007fstring",\n  l: [\n    "a\\nb",\n    "c",\n  ],\n'
        "  none: [],\n  empty: {},\n}\n"
    )


@pytest.mark.parametrize(
    ("key", "bare"),
    [
        ("app", True),
        ("pod-template-hash", True),
        ("kubernetes.io/name", True),
        ("x_1", True),
        ("v1beta2", True),
        ("1Gi", False),
        ("", False),
        ("no", False),
        ("Y", False),
        ("T", False),
        ("null", False),
        ("12", False),
        ("1e3", False),
        ("1e-3", False),
        ("0x1F", False),
        ("0777", False),
        ("1_000", False),
        ("_1", False),
        (".inf", False),
        ("NaN", False),
        ("2026-11-29", False),
        ("11:00", False),
        ("a b", False),
        ("-a", False),
        ("a.", False),
        ("é", False),
    ],
)
def test_kyaml_quotes_keys_that_could_be_something_else(key: str, bare: bool) -> None:
    assert printed({key: 1}, "kyaml", objects=False) == (
        f"---\n{{\n  {key if bare else json.dumps(key, ensure_ascii=False)}: 1,\n}}\n"
    )


# --- all of them ----------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = texts | st.integers(-(2**63), 2**63 - 1) | st.none() | st.booleans()
objects = st.dictionaries(
    texts,
    st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
    ),
    max_size=4,
)


@given(objects)
def test_objects_are_written_without_loss_or_harm(data: dict[str, Any]) -> None:
    as_json, as_yaml, as_kyaml = (printed(data, output) for output in ("json", "yaml", "kyaml"))
    assert json.loads(as_json) == data
    assert yaml.safe_load(as_yaml) == data
    assert yaml.safe_load(as_kyaml) == data
    assert not re.search(HOSTILE_BUT_NEWLINE, as_json + as_yaml + as_kyaml)


@pytest.mark.parametrize("output", ["jsonpath={}", "custom-columns=A:.metadata"])
def test_templates_see_managed_fields(output: str) -> None:
    item = {"metadata": {"name": "a", "managedFields": [{"manager": "x"}]}}
    assert "managedFields" in printed(item, output)


@pytest.mark.parametrize("output", ["json", "yaml", "kyaml"])
def test_managed_fields_are_shown_on_demand_only(output: str) -> None:
    item = {"metadata": {"name": "a", "managedFields": [{"manager": "x"}]}}
    assert "managedFields" not in printed(item, output) + printed({"items": [item]}, output)
    assert "managedFields" in printed(item, output, managed=True)
    assert "managedFields" in printed({"items": [item]}, output, managed=True)
    assert "managedFields" in printed(item, output, objects=False)
    assert "managedFields" in item["metadata"]

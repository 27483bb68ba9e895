"""What holds for everything that is read: YAML, wrong objects, rubbish."""

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.cluster.yaml_text import read_yaml
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.faults import find_fault, without_nulls
from kubectl_kueue.model.objects import Workload
from kubectl_kueue.model.world import World


class CarefulDumper(yaml.SafeDumper):
    """Quotes texts that are numbers to kubectl though not to PyYAML: 0E0, 0o7."""


for first in "0123456789+-.":
    CarefulDumper.add_implicit_resolver("tag:kubectl,number", re.compile(".*"), [first])

TEXTS = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=8)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
    | st.sampled_from(["yes", "null", "1e3", "0x1", "010", "2026-01-01", "<<", "12:30", "1_0", "~", ".inf"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)
)


@given(VALUES, st.booleans())
def test_yaml_that_was_written_reads_back(value: Any, flow: bool) -> None:
    text = yaml.dump(value, Dumper=CarefulDumper, default_flow_style=flow)
    assert [document.value for document in read_yaml(text, "test")] == [value]


@given(VALUES)
@example({"a": [1, 1.5, "x", None]})
def test_json_is_yaml(value: Any) -> None:
    text = json.dumps(value)
    assert [document.value for document in read_yaml(text, "test")] == [value]


@given(st.text(max_size=40) | st.text("ab:-[]{}&*<!'\"#|>,? \n", max_size=40))
def test_any_text_is_yaml_or_one_line_of_error(text: str) -> None:
    found = error_or_value(read_yaml, text, "test")
    if isinstance(found, str):
        assert found.startswith("test")
        assert "\n" not in found
    else:
        msgspec.json.encode([document.value for document in found])


def error_or_value(read: Callable[..., Any], *arguments: Any) -> Any:
    """What the function returns, or the text of its InputError. Any other exception is a bug."""
    try:
        return read(*arguments)
    except InputError as error:
        return str(error)


# --- objects ----------------------------------------------------------------------------------

WORKLOAD = {
    "apiVersion": "kueue.x-k8s.io/v1beta2",
    "kind": "Workload",
    "metadata": {
        "name": "w",
        "namespace": "a",
        "labels": {"k": "v"},
        "creationTimestamp": "2026-01-01T00:00:00Z",
    },
    "spec": {
        "queueName": "q",
        "priority": 3,
        "active": True,
        "priorityClassRef": {"kind": "WorkloadPriorityClass", "name": "high"},
        "podSets": [
            {
                "name": "main",
                "count": 2,
                "template": {
                    "spec": {
                        "containers": [{"name": "c", "resources": {"requests": {"cpu": "1", "memory": 5}}}],
                        "tolerations": [{"key": "k", "operator": "Exists", "tolerationSeconds": 3}],
                        "nodeSelector": {"zone": "z"},
                    }
                },
                "topologyRequest": {"required": "rack"},
            }
        ],
    },
    "status": {
        "conditions": [{"type": "Evicted", "status": "True", "lastTransitionTime": "2026-01-01T00:00:00Z"}],
        "admission": {
            "clusterQueue": "q",
            "podSetAssignments": [
                {"name": "main", "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "2"}, "count": 2}
            ],
        },
        "admissionChecks": [{"name": "c", "state": "Retry", "retryCount": 1}],
        "requeueState": {"count": 1, "requeueAt": "2026-01-01T00:00:00Z"},
    },
}


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside, the whole left out."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for step, item in steps for found in [(*path, step), *paths(item, (*path, step))]]


def planted(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The workload with another value at the path."""
    whole: Any = copy.deepcopy(WORKLOAD)
    place = whole
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return whole  # type: ignore[no-any-return]


PATHS = st.sampled_from([path for path in paths(WORKLOAD) if path[0] in ("spec", "status")])


@given(PATHS, VALUES)
@example(("spec", "podSets", 0, "count"), -1)
@example(("spec", "podSets", 0, "count"), 2**31)
@example(("status", "conditions", 0, "status"), "Maybe")
@example(("status", "admission"), {})
@example(("spec", "podSets", 0, "template", "spec", "containers", 0, "resources", "requests", "cpu"), "1x")
@example(("spec", "priority"), True)
def test_a_fault_is_found_exactly_where_the_decoder_objects(path: tuple[Any, ...], value: Any) -> None:
    whole = planted(path, value)
    found = error_or_value(decode_world, [RawDocument("test", 1, 0, msgspec.json.encode(whole))])
    fault = find_fault(without_nulls(whole), Workload)
    if isinstance(found, str):
        assert fault is not None
        assert found == f"test, document 1, Workload a/w: {fault}"
        pointer = "".join(f"/{step}" for step in path)
        assert fault.startswith(pointer), "the wrong value is the planted one, or inside or missing from it"
    else:
        assert found.workloads.keys() == {"a/w"}
        assert fault is None


@given(VALUES)
def test_any_json_is_a_world_or_one_line_of_error(value: Any) -> None:
    for content in (
        value,
        {"objects": value},
        {"kind": "List", "items": value},
        {"objects": [value]},
        [value],
    ):
        found = error_or_value(decode_world, [RawDocument("test", 1, 0, msgspec.json.encode(content))])
        assert isinstance(found, World) or "\n" not in found


@given(st.binary(max_size=30))
def test_any_bytes_are_a_world_or_one_line_of_error(data: bytes) -> None:
    for content in (data, b'{"objects": [' + data + b"]}", b'{"kind": "Pod", "metadata": ' + data + b"}"):
        found = error_or_value(decode_world, [RawDocument("test", 1, 0, content)])
        assert isinstance(found, World) or "\n" not in found

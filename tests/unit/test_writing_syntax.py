"""The small languages of flags: quotas, lists, maps, taints, tolerations."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from kubectl_kueue.errors import ConfigError, KueueError
from kubectl_kueue.model import drafts
from kubectl_kueue.model.map_syntax import read_list, read_map
from kubectl_kueue.model.patches import apply_json, apply_merge
from kubectl_kueue.model.quota_syntax import read_quotas
from kubectl_kueue.model.taint_syntax import read_taints, read_tolerations

CASES = Path(__file__).parent.parent / "cases" / "writing"

Case = dict[str, Any]


def cases(name: str) -> Any:
    return pytest.mark.parametrize(
        "case", yaml.safe_load((CASES / f"{name}.yaml").read_text()), ids=lambda case: case["name"]
    )


def answer(read: Any, *arguments: Any) -> Any:
    """The result, or the error as text."""
    try:
        return read(*arguments)
    except KueueError as error:
        return str(error)


@cases("quotas")
def test_quotas(case: Case) -> None:
    flags = (case.get(name, ()) for name in ("nominal", "borrowing", "lending"))
    read = answer(read_quotas, *flags)
    if "error" in case:
        assert read == case["error"]
    else:
        assert [_short(group) for group in read.groups] == case["groups"]
        assert read.ignored == case.get("ignored", [])


def _short(group: Any) -> Any:
    flavors = {
        flavor["name"]: {quota["name"]: _amounts(quota) for quota in flavor["resources"]}
        for flavor in group["flavors"]
    }
    for flavor in flavors.values():
        assert list(flavor) == group["coveredResources"]
    return {"covered": group["coveredResources"], "flavors": flavors}


def _amounts(quota: dict[str, str]) -> list[str | None]:
    amounts = [quota.get(name) for name in ("nominalQuota", "borrowingLimit", "lendingLimit")]
    while amounts[-1] is None:
        amounts.pop()
    return amounts


@cases("lists")
def test_lists(case: Case) -> None:
    read = {"list": read_list, "map": read_map}[case["flag"]]
    assert answer(read, "--x", case["values"]) == case.get("is", case.get("error"))


@cases("taints")
def test_taints(case: Case) -> None:
    read, elements = (
        (read_taints, case["taints"]) if "taints" in case else (read_tolerations, case["tolerations"])
    )
    assert answer(read, elements) == case.get("is", case.get("error"))


# --- drafts ---------------------------------------------------------------------------------------


def test_old_versions_have_other_names() -> None:
    old = drafts.in_version(drafts.cluster_queue("x", cohort="c"), "v1beta1")
    assert old["apiVersion"] == "kueue.x-k8s.io/v1beta1"
    assert old["spec"]["cohort"] == "c"
    assert "cohortName" not in old["spec"]
    assert drafts.in_version(drafts.cohort("x", parent="p"), "v1beta1")["spec"] == {"parent": "p"}
    assert "spec" not in drafts.in_version(drafts.workload_priority_class("x", 1), "v1beta1")


def test_nothing_that_was_not_asked_for() -> None:
    assert drafts.resource_flavor("x")["spec"] == {}
    assert drafts.cohort("x")["spec"] == {}
    assert drafts.admission_check("x", "c")["spec"] == {"controllerName": "c"}


# --- patches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "patch", "result"),
    [  # the examples of RFC 7386
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_merge_patch(target: Any, patch: Any, result: Any) -> None:
    before = repr(target)
    assert apply_merge(target, patch) == result
    assert repr(target) == before


def test_json_patch() -> None:
    target = {"spec": {"stopPolicy": "None"}}
    assert apply_json(target, [{"op": "replace", "path": "/spec/stopPolicy", "value": "Hold"}]) == {
        "spec": {"stopPolicy": "Hold"}
    }
    assert target == {"spec": {"stopPolicy": "None"}}


@pytest.mark.parametrize(
    "patch",
    [
        {},
        "text",
        [1],
        [{"op": "replace"}],
        [{"op": "nothing", "path": "/a"}],
        [{"op": "replace", "path": "/not/there", "value": 1}],
        [{"op": "replace", "path": "no-slash", "value": 1}],
        [{"op": "test", "path": "/a", "value": 2}],
        [{"op": "replace", "path": "", "value": 1}],
    ],
)
def test_json_patch_that_cannot_be_applied(patch: Any) -> None:
    with pytest.raises(ConfigError):
        apply_json({"a": 1}, patch)

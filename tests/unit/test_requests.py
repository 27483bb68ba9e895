"""What workloads ask for: pods, podSets, and requests that are refused (tests/cases/requests)."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.requests import TemplateRules, in_order, pod_requests, resource_order
from kubectl_kueue.model.config import Gates, ResourcesConfig
from kubectl_kueue.model.objects import LimitRange, PodSet, RuntimeClass
from tests.worlds import check, read_cases

STAGE = "requests"


@pytest.mark.parametrize("case", read_cases(STAGE, "pods"), ids=lambda case: case["name"])
def test_pods(case: dict[str, Any]) -> None:
    rules = _rules(case)
    pod_set = _pod_set(case)
    adjusted = rules.adjusted(pod_set.template.spec, "default")
    if "one" in case:
        assert pod_requests(adjusted) == case["one"]
    reclaimable = {"main": case["reclaimable"]} if "reclaimable" in case else {}
    counted = rules.pod_set_requests(pod_set, adjusted, reclaimable)
    total = case.get("total", case.get("one"))
    assert list(counted.requests.items()) == list(in_order(total).items())
    assert (counted.name, counted.count) == ("main", case.get("left", case.get("count", 1)))


def test_order() -> None:
    (case,) = read_cases(STAGE, "order")
    amounts = dict.fromkeys(sorted(case["names"]), 1)
    assert list(in_order(amounts)) == case["names"]
    assert {name: resource_order(name) for name in case["hashes"]} == {
        name: (value, name) for name, value in case["hashes"].items()
    }


def test_scaled_divides_first() -> None:
    counted = TemplateRules([], {}, ResourcesConfig(), Gates()).pod_set_requests(
        pod_set := _pod_set({"pod": {"containers": [{"cpu": "300m"}]}, "count": 3}), pod_set.template.spec, {}
    )
    counted.requests["cpu"] += 1  # as if it were not a multiple of the count
    assert counted.scaled(5).requests == {"cpu": 1500}
    assert counted.scaled(5).count == 5
    assert counted.scaled(3) is counted


@pytest.mark.parametrize("case", read_cases(STAGE, "validation"), ids=lambda case: case["name"])
def test_validation(case: dict[str, Any]) -> None:
    check(case)


def _rules(case: Mapping[str, Any]) -> TemplateRules:
    ranges = [
        {
            "metadata": {"name": f"l{i}", "namespace": item.get("namespace", "default")},
            "spec": {"limits": [{k: _texts(v) for k, v in item.items() if k != "namespace"}]},
        }
        for i, item in enumerate(case.get("limitRanges", []))
    ]
    classes = {
        name: {"metadata": {"name": name}, "handler": "h", "overhead": {"podFixed": _texts(fixed)}}
        for name, fixed in case.get("runtimeClasses", {}).items()
    }
    return TemplateRules(
        # the store lists them in any order
        msgspec.convert(ranges[::-1], list[LimitRange]),
        msgspec.convert(classes, dict[str, RuntimeClass]),
        msgspec.convert(_texts(case.get("config", {})), ResourcesConfig),
        Gates(),
    )


def _pod_set(case: Mapping[str, Any]) -> PodSet:
    pod = dict(case["pod"])
    spec = {
        "containers": [_container(c) for c in pod.pop("containers")],
        "initContainers": [_container(c) for c in pod.pop("init", [])],
        **({"resources": {"requests": _texts(pod.pop("resources"))}} if "resources" in pod else {}),
        **{key: _texts(value) for key, value in pod.items()},
    }
    return msgspec.convert(
        {"name": "main", "count": case.get("count", 1), "template": {"spec": spec}}, PodSet
    )


def _container(short: Mapping[str, Any]) -> dict[str, Any]:
    requests = {k: v for k, v in short.items() if k not in ("limits", "sidecar")}
    container = {"name": "c", "resources": _texts({"requests": requests, "limits": short.get("limits", {})})}
    return {**container, "restartPolicy": "Always"} if short.get("sidecar") else container


def _texts(value: Any) -> Any:
    """Numbers as texts, as an API server prints quantities."""
    if isinstance(value, Mapping):
        return {k: _texts(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_texts(v) for v in value]
    return str(value) if isinstance(value, int | float) else value

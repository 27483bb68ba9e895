"""Devices: what they cost, and what becomes of those who ask for them (tests/cases/devices)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.engine.state import State
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.views.words.devices import DOUBT_CODES, PROBLEM_CODES
from tests.unit.test_explaining import test_explaining as check_explaining
from tests.worlds import check, read_cases, scenario

STAGE = "devices"
COUNTING = read_cases(STAGE, "counting")
DRA = "resource.k8s.io/v1"


@pytest.mark.parametrize("case", COUNTING, ids=[case["name"] for case in COUNTING])
def test_counting(case: dict[str, Any]) -> None:
    state = _state(case)
    info = state.workloads["default/w"]
    refusals, doubts = (info.devices.refusals, info.devices.doubts) if info.devices else ((), ())
    assert [" ".join(filter(None, refusal)) for refusal in refusals] == case.get("refused", [])
    assert [" ".join(doubt) for doubt in doubts] == case.get("doubts", [])
    assert (info.key in state.queues.where) == (not refusals)
    if "total" in case:
        totals = case["total"] if "podSets" in case else {"main": case["total"]}
        assert {p.name: p.requests for p in info.pod_sets} == totals


def test_every_code_has_a_case_and_words() -> None:
    assert {r.split()[2] for case in COUNTING for r in case.get("refused", [])} == PROBLEM_CODES
    assert {d.split()[2] for case in COUNTING for d in case.get("doubts", [])} == DOUBT_CODES


@pytest.mark.parametrize("case", read_cases(STAGE, "scheduling"), ids=lambda case: case["name"])
def test_scheduling(case: dict[str, Any]) -> None:
    """`devices` is made of the fields of a counting case; `conditions` are false ones at the end."""
    short = {**case, **_with_devices(case)}
    check(short)
    if "conditions" in case:
        workloads = simulate(decode_world(_documents(scenario(short)))).state.workloads
        found = {
            name: {kind: workloads[f"default/{name}"].conditions[kind].reason for kind in wanted}
            for name, wanted in case["conditions"].items()
        }
        assert found == case["conditions"]
        assert not any(workloads[f"default/{n}"].is_true(kind) for n, w in found.items() for kind in w)


@pytest.mark.parametrize("case", read_cases(STAGE, "explaining"), ids=lambda case: case["name"])
def test_words(case: dict[str, Any]) -> None:
    check_explaining({**case, **_with_devices(case)})


# --- from short to long ---------------------------------------------------------------------------


def _state(case: Mapping[str, Any]) -> State:
    """The cluster of a counting case, with one workload in one queue."""
    pod_sets = case.get("podSets", {"main": case})
    workload = {
        "queue": "q",
        "podSets": {name: {"count": p.get("count", 1), "pod": _pod(p)} for name, p in pod_sets.items()},
    }
    if "reclaimable" in case:
        reclaimable = [{"name": "main", "count": case["reclaimable"]}]
        workload["raw"] = {"status": {"reclaimablePods": reclaimable}}
    short = {"queues": {"q": {"quota": 1000}}, "pending": {"w": workload}, "gates": case.get("gates", {})}
    document = scenario({**short, **_with_devices({"devices": case})})
    head = {key: case[key] for key in ("origin", "missing") if key in case}
    return State(decode_world(_documents({**document, **head})))


def _documents(document: Mapping[str, Any]) -> list[RawDocument]:
    return [RawDocument("case", 1, 0, json.dumps(document).encode())]


def _pod(short: Mapping[str, Any]) -> dict[str, Any]:
    pod: dict[str, Any] = {
        "containers": [_container(c, i) for i, c in enumerate(short.get("containers", [{}]))],
        "initContainers": [_container(c, i) for i, c in enumerate(short.get("init", []))],
        "resourceClaims": [
            {"name": name, **({"resourceClaimTemplateName": claim} if isinstance(claim, str) else claim)}
            for name, claim in short.get("claims", {}).items()
        ],
    }
    return {**pod, **short.get("pod", {})}


def _container(short: Mapping[str, Any], number: int) -> dict[str, Any]:
    requests = {resource: str(quantity) for resource, quantity in short.items() if resource != "sidecar"}
    always = {"restartPolicy": "Always"} if short.get("sidecar") else {}
    return {"name": f"c{number}", "resources": {"requests": requests}, **always}


def _with_devices(case: Mapping[str, Any]) -> dict[str, Any]:
    """`config` and `objects` of a short world, the things of `devices` among them."""
    short = case.get("devices", {})
    mappings = [
        {"name": name, "deviceClassNames": mapped}
        if isinstance(mapped, list)
        else {"name": name, "deviceClassNames": mapped["classes"], "sources": mapped["sources"]}
        for name, mapped in short.get("map", {}).items()
    ]
    resources = {"deviceClassMappings": mappings, **short.get("config", {})}
    objects = [
        *(_template(name, requests) for name, requests in short.get("templates", {}).items()),
        *(_class(name, extended) for name, extended in short.get("extends", {}).items()),
        *short.get("objects", []),
        *case.get("objects", []),
    ]
    return {"config": {"resources": resources}, "objects": objects}


def _template(name: str, requests: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": DRA,
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"spec": {"devices": {"requests": [_request(r, wanted) for r, wanted in requests.items()]}}},
    }


def _request(name: str, wanted: Any) -> dict[str, Any]:
    if isinstance(wanted, str):
        wanted = {"deviceClassName": wanted}
    return {"name": name, **({"exactly": wanted} if "deviceClassName" in wanted else wanted)}


def _class(name: str, extended: Any) -> dict[str, Any]:
    resource, age = extended if isinstance(extended, list) else (extended, 0)
    metadata = {"name": name, "creationTimestamp": f"2026-01-01T00:00:{age:02}Z"}
    spec = {"extendedResourceName": resource}
    return {"apiVersion": DRA, "kind": "DeviceClass", "metadata": metadata, "spec": spec}

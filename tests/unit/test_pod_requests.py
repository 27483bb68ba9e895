"""One pod asks for the same, whoever counts: lint from the manifest, the engine from what it decoded."""

from typing import Any

import msgspec
import pytest

from kubectl_kueue.engine.requests import TemplateRules, pod_requests
from kubectl_kueue.lint.asks import ask_of
from kubectl_kueue.lint.items import item_of
from kubectl_kueue.lint.pods import PodSet
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.model.config import Gates, ResourcesConfig
from kubectl_kueue.model.objects import LimitRange, PodSpec, RuntimeClass
from tests.lint_cases import find
from tests.reliability.hostile import obj

ALWAYS = {"restartPolicy": "Always"}


def container(requests: Any = None, limits: Any = None, **more: Any) -> dict[str, Any]:
    resources = {"requests": requests or {}, "limits": limits or {}}
    return {"name": "c", "resources": resources, **more}


LIMITS = {
    "apiVersion": "v1",
    "kind": "LimitRange",
    "metadata": {"name": "l", "namespace": "ns"},
    "spec": {
        "limits": [
            {"type": "Container", "default": {"cpu": "8"}, "defaultRequest": {"cpu": "3"}},
            {"type": "Pod", "default": {"memory": "1Gi"}},
        ]
    },
}
SANDBOX = {
    "apiVersion": "node.k8s.io/v1",
    "kind": "RuntimeClass",
    "metadata": {"name": "sandbox"},
    "handler": "sandbox",
    "overhead": {"podFixed": {"cpu": "250m"}},
}
ONE = [container({"cpu": "1"})]
PODS: dict[str, tuple[dict[str, Any], list[Any], dict[str, int]]] = {
    "containers add up": ({"containers": [*ONE, *ONE]}, [], {"cpu": 2000}),
    "rounded once": ({"containers": [container({"cpu": "0.5m"})] * 2}, [], {"cpu": 1}),
    "the pod's own": ({"containers": ONE, "resources": {"requests": {"cpu": 100}}}, [], {"cpu": 100_000}),
    "the pod's own, of devices": (
        {"containers": ONE, "resources": {"requests": {"nvidia.com/gpu": 1}}},
        [],
        {"cpu": 1000},
    ),
    "init container": ({"containers": ONE, "initContainers": [container({"cpu": "6"})]}, [], {"cpu": 6000}),
    "sidecar before it": (
        {"containers": ONE, "initContainers": [container({"cpu": "6"}, **ALWAYS), container({"cpu": "6"})]},
        [],
        {"cpu": 12_000},
    ),
    "sidecar behind it": (
        {"containers": ONE, "initContainers": [container({"cpu": "6"}), container({"cpu": "6"}, **ALWAYS)]},
        [],
        {"cpu": 7000},
    ),
    "overhead": ({"containers": ONE, "overhead": {"cpu": "1"}}, [], {"cpu": 2000}),
    "overhead of the class": ({"containers": ONE, "runtimeClassName": "sandbox"}, [SANDBOX], {"cpu": 1250}),
    "limits": ({"containers": [container(limits={"cpu": "2"})]}, [], {"cpu": 2000}),
    "defaults": ({"containers": [container()]}, [LIMITS], {"cpu": 3000}),
    "a default hides a limit": ({"containers": [container(limits={"cpu": "2"})]}, [LIMITS], {"cpu": 3000}),
    "defaults of the pod": (
        {"containers": ONE, "resources": {}},
        [LIMITS],
        {"cpu": 1000, "memory": 2**30},
    ),
}


@pytest.mark.parametrize("name", PODS)
def test_lint_and_engine_count_alike(name: str) -> None:
    spec, around, asked = PODS[name]
    scene = Scene([], [item_of(each, -1, "default") for each in around])
    assert ask_of(PodSet("main", "", {"spec": spec}, 1, 1), scene, "ns").each == asked
    ranges = [msgspec.convert(each, LimitRange, strict=False) for each in around if each is LIMITS]
    classes = {
        each["metadata"]["name"]: msgspec.convert(each, RuntimeClass) for each in around if each is SANDBOX
    }
    rules = TemplateRules(ranges, classes, ResourcesConfig(), Gates())
    adjusted = rules.adjusted(msgspec.convert(spec, PodSpec, strict=False), "ns")
    assert pod_requests(adjusted) == asked


@pytest.mark.parametrize("name", ["the pod's own", "sidecar before it"])
def test_what_can_never_fit_is_found(name: str) -> None:
    quotas = [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": 10}]}]
    queues = [
        obj("ClusterQueue", "q", {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": quotas}]}),
        obj("LocalQueue", "q", {"clusterQueue": "q"}, "ns"),
        obj("ResourceFlavor", "f"),
    ]
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "j", "namespace": "ns", "labels": {"kueue.x-k8s.io/queue-name": "q"}},
        "spec": {"suspend": True, "template": {"spec": {**PODS[name][0], "restartPolicy": "Never"}}},
    }
    assert "never-fits" in [each.found.rule for each in find([job], queues, whole=True)]

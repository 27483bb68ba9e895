"""Clusters of n objects in one shape, each the ruin of a rule that compares everything with everything."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.reliability.hostile import obj

Make = Callable[[int], list[Any]]


def queue(name: str, cohort: str = "", quota: Any = 1, flavors: Sequence[str] = ("f",), **spec: Any) -> Any:
    resources = [{"name": "cpu", "nominalQuota": quota}]
    entries = [{"name": flavor, "resources": resources} for flavor in flavors]
    groups = [{"coveredResources": ["cpu"], "flavors": entries}]
    above = {"cohortName": cohort} if cohort else {}
    return obj("ClusterQueue", name, {"namespaceSelector": {}, **above, "resourceGroups": groups, **spec})


def cohort(name: str, parent: str = "") -> Any:
    return obj("Cohort", name, {"parentName": parent} if parent else {})


def flavor(name: str, **spec: Any) -> Any:
    return obj("ResourceFlavor", name, {"nodeLabels": {"pool": name}, **spec})


def local(name: str, queue: str) -> Any:
    return obj("LocalQueue", name, {"clusterQueue": queue}, "ns")


def core(kind: str, name: str, **more: Any) -> Any:
    metadata = {"name": name, **more.pop("metadata", {})}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata, **more}


def node(name: str, **labels: str) -> Any:
    status = {"allocatable": {"cpu": "8", "pods": "110"}, "conditions": [{"type": "Ready", "status": "True"}]}
    return core("Node", name, metadata={"labels": {"kubernetes.io/hostname": name, **labels}}, status=status)


def template(**spec: Any) -> Any:
    return {"spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}], **spec}}


def workload(name: str, queue: str = "q", sets: Sequence[str] = ("main",)) -> Any:
    pods = [{"name": each, "count": 1, "template": template()} for each in sets]
    born = {"creationTimestamp": "2026-01-01T00:00:00Z"}
    return obj("Workload", name, {"queueName": queue, "podSets": pods}, "ns", metadata=born)


def job(name: str, queue: str = "q", **pod: Any) -> Any:
    metadata = {"name": name, "namespace": "ns", "labels": {"kueue.x-k8s.io/queue-name": queue}}
    spec = {"suspend": True, "template": template(restartPolicy="Never", **pod)}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


def limits(name: str) -> Any:
    limit = {"type": "Container", "max": {"cpu": "500m"}, "default": {"cpu": "2"}}
    return core("LimitRange", name, metadata={"namespace": "ns"}, spec={"limits": [limit]})


def topology(name: str) -> Any:
    return obj("Topology", name, {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": "kubernetes.io/hostname"}]})


def many(make: Callable[[int], Any], count: int) -> list[Any]:
    return [make(index) for index in range(count)]


def chain(count: int) -> list[Any]:
    return many(lambda i: cohort(f"c{i}", f"c{i + 1}"), count)


def named(letter: str, count: int) -> list[str]:
    return [f"{letter}{index}" for index in range(count)]


def _based(make: Make) -> Make:
    """Beside a workload that is asked about, in a queue of its own."""
    base = [flavor("f"), queue("q"), local("q", "q"), core("Namespace", "ns"), workload("w")]
    return lambda count: [*base, *make(count)]


_LINT = ("lint",)
_CLUSTER = ("lint", "doctor", "tree", "top", "explain", "pending", "admit")
_ALL = (*_CLUSTER, "list", "convert", "snapshot")

_TABLE: Mapping[str, tuple[Make, Sequence[str]]] = {
    "cohorts in a ring": (
        lambda n: [*many(lambda i: cohort(f"c{i}", f"c{(i + 1) % n}"), n), queue("x", "c0")],
        _ALL,
    ),
    "a ring of two under a chain": (
        lambda n: [*chain(n - 2), cohort(f"c{n - 2}", f"c{n - 1}"), cohort(f"c{n - 1}", f"c{n - 2}")],
        _CLUSTER,
    ),
    "queues under a chain of cohorts": (
        lambda n: [*chain(n), *many(lambda i: queue(f"x{i}", "c0"), n)],
        _CLUSTER,
    ),
    "queues all along a chain of cohorts": (
        lambda n: [*chain(n), *many(lambda i: queue(f"x{i}", f"c{i}"), n)],
        _CLUSTER,
    ),
    "queues without quota in one cohort": (
        lambda n: [cohort("c"), *many(lambda i: queue(f"x{i}", "c", 0), n)],
        _CLUSTER,
    ),
    "queues with workloads in one cohort": (
        lambda n: [
            *many(lambda i: queue(f"x{i}", "c", 0), n),
            *many(lambda i: local(f"x{i}", f"x{i}"), n),
            *many(lambda i: workload(f"x{i}", f"x{i}"), n),
        ],
        _ALL,
    ),
    "workloads of one queue": (lambda n: many(lambda i: workload(f"x{i}"), n), _ALL),
    "a queue defined again and again": (lambda n: many(lambda i: queue("x", quota=i), n), _LINT),
    "a queue with many flavors": (
        lambda n: [
            queue("x", flavors=named("f", n)),
            local("x", "x"),
            *many(lambda i: flavor(f"f{i}"), n),
            job("j", "x", nodeSelector={"pool": "none"}),
            workload("x", "x", ("a", "b")),
        ],
        ("lint", "doctor", "tree", "top", "pending", "list"),
    ),
    "much to mend in one object": (lambda n: [queue("x", quota=1.5, flavors=named("f", n))], _LINT),
    "many unknown fields": (lambda n: [queue("x", **{f"field{i}": 1 for i in range(n)})], _LINT),
    "many labels": (
        lambda n: [obj("Cohort", "x", metadata={"labels": dict.fromkeys(named("kueue.x-k8s.io/a", n), "b")})],
        _LINT,
    ),
    "many admission checks": (
        lambda n: [
            *many(lambda i: obj("AdmissionCheck", f"k{i}", {"controllerName": "a"}), n),
            queue("x", admissionChecksStrategy={"admissionChecks": [{"name": k} for k in named("k", n)]}),
        ],
        _LINT,
    ),
    "local queues of a queue for nobody": (
        lambda n: [*many(lambda i: local(f"x{i}", "x"), n), queue("x", namespaceSelector=None)],
        _LINT,
    ),
    "selectors and namespaces": (
        lambda n: [
            *many(lambda i: core("Namespace", f"n{i}", metadata={"labels": {"team": f"t{i}"}}), n),
            *many(lambda i: queue(f"x{i}", namespaceSelector={"matchLabels": {"team": f"u{i}"}}), n),
        ],
        _LINT,
    ),
    "expressions and namespaces": (
        lambda n: [
            *many(lambda i: core("Namespace", f"n{i}", metadata={"labels": {"team": f"t{i}"}}), n),
            *many(lambda i: queue(f"x{i}", namespaceSelector={"matchExpressions": [_one_of(i)]}), n),
        ],
        _LINT,
    ),
    "flavors and nodes": (
        lambda n: [*many(lambda i: flavor(f"f{i}"), n), *many(lambda i: node(f"n{i}"), n)],
        ("lint", "doctor", "top"),
    ),
    "topologies and nodes": (
        lambda n: [
            *many(lambda i: topology(f"t{i}"), n),
            *many(lambda i: flavor(f"f{i}", topologyName=f"t{i}"), n),
            *many(lambda i: node(f"n{i}", pool=f"f{i}"), n),
        ],
        ("lint", "doctor"),
    ),
    "the nodes of one topology": (
        lambda n: [
            topology("t"),
            flavor("g", topologyName="t"),
            queue("x", flavors=["g"]),
            *many(lambda i: node(f"n{i}", pool="g", rack=f"r{i % 10}"), n),
        ],
        _CLUSTER,
    ),
    "taints and tolerations": (
        lambda n: [
            flavor(
                "x",
                nodeTaints=many(lambda i: {"key": f"a{i}", "effect": "NoSchedule"}, n),
                tolerations=many(lambda i: {"key": f"b{i}", "operator": "Exists"}, n),
            )
        ],
        _LINT,
    ),
    "jobs of a queue that is not there": (
        lambda n: [*many(lambda i: local(f"x{i}", "q"), n), *many(lambda i: job(f"j{i}", "none"), n)],
        _LINT,
    ),
    "jobs and limit ranges": (
        lambda n: [*many(lambda i: limits(f"l{i}"), n), *many(lambda i: job(f"j{i}"), n)],
        _LINT,
    ),
    "a workload of many pod sets": (
        lambda n: [
            flavor("g"),
            queue("x", flavors=["f", "g"]),
            local("x", "x"),
            workload("x", "x", named("p", n)),
        ],
        ("lint", "doctor", "top"),
    ),
}


def _one_of(index: int) -> dict[str, Any]:
    return {"key": "team", "operator": "In", "values": [f"u{index}"]}


SHAPES = {name: (_based(make), commands) for name, (make, commands) in _TABLE.items()}
"""Name -> n to objects, and the commands whose time is to grow with n."""

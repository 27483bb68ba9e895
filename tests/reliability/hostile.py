"""Documents that nobody should write, by name: each must end in a right answer or in one line of error."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

ESCAPE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\u200f\r\n\tx\x00"
V2 = "kueue.x-k8s.io/v1beta2"


def obj(kind: str, name: str, spec: Any = None, namespace: str = "", **more: Any) -> dict[str, Any]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {}), **more.pop("metadata", {})}
    return {"apiVersion": V2, "kind": kind, "metadata": metadata, "spec": spec or {}, **more}


def world(
    *,
    name: str = "q",
    amount: Any = "1",
    quota: Any = "4",
    cohort: str = "",
    text: str = "waiting",
    labels: Mapping[str, str] | None = None,
    count: Any = 1,
    priority: Any = 0,
    more: list[Any] | None = None,
) -> list[Any]:
    """One workload in one queue, with what is odd about it."""
    resources = [{"name": "cpu", "nominalQuota": quota}]
    groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "f", "resources": resources}]}]
    container = {"name": "c", "resources": {"requests": {"cpu": amount}}}
    condition = {
        "type": "QuotaReserved",
        "status": "False",
        "reason": "Pending",
        "message": text,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    meta = {
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "labels": dict(labels or {}),
        "annotations": {"a": text},
    }
    pod_sets = [{"name": "main", "count": count, "template": {"spec": {"containers": [container]}}}]
    return [
        obj("ResourceFlavor", "f"),
        obj("ClusterQueue", name, {"resourceGroups": groups, "cohortName": cohort, "namespaceSelector": {}}),
        obj("LocalQueue", name, {"clusterQueue": name}, "ns"),
        obj(
            "Workload",
            "w",
            {"queueName": name, "priority": priority, "podSets": pod_sets},
            "ns",
            metadata=meta,
            status={"conditions": [condition]},
        ),
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "ns"}},
        *(more or []),
    ]


def items(objects: list[Any]) -> bytes:
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}).encode()


def _raw(find: str, put: str, **how: Any) -> bytes:
    return items(world(**how)).replace(find.encode(), put.encode())


def _cohorts(parents: Mapping[str, str], first: str) -> bytes:
    chain = [obj("Cohort", name, {"parentName": parent}) for name, parent in parents.items()]
    return items(world(cohort=first, more=chain))


def _event() -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e", "namespace": "ns"},
        "involvedObject": {"kind": "Workload", "name": "w", "namespace": "ns"},
        "reason": ESCAPE,
        "message": ESCAPE,
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }


NUMBERS = {
    "a superscript": "\u00b2",
    "an Arabic digit": "\u0662",
    "5,000 digits": "9" * 5_000,
    "5,000 zeros": "0" * 5_000,
    "an underscore": "1_0",
    "a blank": " 1",
    "a sign": "+1",
}
"""Texts that Python takes for numbers, or calls digits and cannot read; to the API server most are none."""


def _numbers(text: str) -> bytes:
    """The text wherever somebody may write a number as a text."""
    jobs = [_plain("batch/v1", "Job", "plain", _JOB), _job(text), _app_wrapper(text)]
    plain = [each for each in world() if each["kind"] != "ResourceFlavor"]
    return items([*plain, *jobs, _pod(text), *_placed(text), _preempted(text)])


def _plain(api: str, kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
    labels = {"kueue.x-k8s.io/queue-name": "q"}
    return {
        "apiVersion": api,
        "kind": kind,
        "metadata": {"name": name, "namespace": "ns", "labels": labels},
        "spec": spec,
    }


def _marked(api: str, kind: str, name: str, text: str, spec: dict[str, Any]) -> dict[str, Any]:
    kueue, topology = "kueue.x-k8s.io", "kueue.x-k8s.io/podset"
    return {
        "apiVersion": api,
        "kind": kind,
        "metadata": {
            "name": name,
            "namespace": "ns",
            "labels": {
                f"{kueue}/queue-name": "q",
                f"{kueue}/pod-group-name": "group",
                f"{kueue}/pod-group-pod-index": text,
                f"{kueue}/max-exec-time-seconds": text,
            },
            "annotations": {
                f"{kueue}/pod-group-total-count": text,
                f"{kueue}/job-min-parallelism": text,
                f"{kueue}/priority-boost": text,
                f"{topology}-required-topology": "rack",
                f"{topology}-group-name": text,
                f"{topology}-slice-required-topology": "rack",
                f"{topology}-slice-size": text,
            },
        },
        "spec": spec,
    }


_CONTAINERS = [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]
_JOB: dict[str, Any] = {
    "parallelism": 2,
    "suspend": True,
    "template": {"spec": {"containers": _CONTAINERS, "restartPolicy": "Never"}},
}


def _pod(text: str) -> dict[str, Any]:
    return _marked("v1", "Pod", "p", text, {"containers": _CONTAINERS})


def _job(text: str) -> dict[str, Any]:
    job = _marked("batch/v1", "Job", "j", text, _JOB)
    marks = {"metadata": {"annotations": job["metadata"]["annotations"]}}
    return {**job, "spec": {**_JOB, "template": {**_JOB["template"], **marks}}}


def _app_wrapper(text: str) -> dict[str, Any]:
    declared = {
        "path": f"template.spec[{text}]",
        "annotations": {"workload.codeflare.dev.appwrapper/tas-sub-group-count": text},
    }
    thing = {"apiVersion": "example.com/v1", "kind": "Thing", "spec": [_JOB["template"]]}
    component = {"template": thing, "podSets": [declared]}
    return _plain("workload.codeflare.dev/v1beta2", "AppWrapper", "a", {"components": [component]})


def _placed(text: str) -> list[dict[str, Any]]:
    """A workload that compares labels and taints as numbers, the flavor and the Node that have them."""
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"size": text}}}
    expression = {"key": "size", "operator": "Gt", "values": [text]}
    terms = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    spec = {
        "containers": _CONTAINERS,
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}},
        "tolerations": [{"key": "t", "operator": "Lt", "value": text}],
    }
    pod_sets = [{"name": "main", "count": 1, "template": {"spec": spec}}]
    taints = [{"key": "t", "value": text, "effect": "NoSchedule"}]
    boost = {"annotations": {"kueue.x-k8s.io/priority-boost": text}}
    return [
        node,
        obj("ResourceFlavor", "f", {"nodeLabels": {"size": text}, "nodeTaints": taints}),
        obj("Workload", "w2", {"queueName": "q", "podSets": pod_sets}, "ns", metadata=boost),
    ]


def _preempted(text: str) -> dict[str, Any]:
    told = (
        "Preempted to accommodate a workload (UID: a, JobUID: b) due to prioritization; "
        f"preemptor path: /q; preemptee path: /q; preemptor effective priority: {text}"
    )
    return {**_event(), "metadata": {"name": "e2", "namespace": "ns"}, "reason": "Preempted", "message": told}


_BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

DOCUMENTS: Mapping[str, Callable[[], bytes]] = {
    "plain": lambda: items(world()),
    "escapes in a name": lambda: items(world(name=f"q{ESCAPE}")),
    "escapes in a message": lambda: items(world(text=ESCAPE)),
    "escapes in labels": lambda: items(world(labels={ESCAPE: ESCAPE})),
    "escapes in an event": lambda: items(world(more=[_event()])),
    "escapes in a cohort": lambda: items(world(cohort=ESCAPE)),
    "escapes in a quantity": lambda: items(world(amount=ESCAPE)),
    "escapes in a kind": lambda: items([*world(), obj(ESCAPE, "x")]),
    "escapes in a field": lambda: items(
        [*world(), obj("ClusterQueue", "x", {ESCAPE: 1, "resourceGroups": ESCAPE})]
    ),
    "lone surrogates": lambda: _raw('"waiting"', '"\\ud800\\udfff"'),
    "a long name": lambda: items(world(name="q" * 1_000_000)),
    "a long message": lambda: items(world(text="m " * 500_000)),
    "a long label": lambda: items(world(labels={"k": "v" * 1_000_000})),
    "a message of blanks": lambda: items(world(text=" " * 1_000_000 + "\x1b")),
    "a message of dots": lambda: items(world(text="." * 1_000_000)),
    "a message of digits": lambda: items(world(text="9" * 1_000_000 + "x")),
    "a long cohort": lambda: items(world(cohort="c" * 1_000_000)),
    "a long key of a label": lambda: items(world(labels={"k-" * 500_000: "v"})),
    "a long unknown field": lambda: items([*world(), obj("Cohort", "x", {"a" * 1_000_000: 1})]),
    "not UTF-8": lambda: items(world(text="a text")).replace(b"a text", b"a\xfftext"),
    "a huge exponent": lambda: items(world(amount="1e999999")),
    "a huge exponent of a quota": lambda: items(world(quota="1E999999999")),
    "a tiny exponent": lambda: items(world(amount="1e-999999")),
    "a huge number": lambda: _raw('"1"', "1e308", amount="1"),
    "a number beyond floats": lambda: _raw('"cpu": "1"', '"cpu": 1e999', amount="1"),
    "a long number": lambda: items(world(amount="9" * 100_000)),
    "a long integer": lambda: _raw('"cpu": "1"', '"cpu": ' + "9" * 100_000),
    "NaN": lambda: _raw('"cpu": "1"', '"cpu": NaN'),
    "Infinity": lambda: _raw('"cpu": "1"', '"cpu": Infinity'),
    "NaN in YAML": lambda: _raw('"cpu": "1"', '"cpu": .nan'),
    "a negative request": lambda: items(world(amount="-5")),
    "a negative quota": lambda: items(world(quota="-5")),
    "an overflow": lambda: items(world(amount="9223372036854775807", count=2147483647)),
    "an overflow of a quota": lambda: items(world(quota="9223372036854775807k")),
    "a negative count": lambda: items(world(count=-1)),
    "a count beyond 32 bits": lambda: items(world(count=2**40)),
    "a count that is a fraction": lambda: items(world(count=1.5)),
    "a huge priority": lambda: items(world(priority=2**63)),
    "duplicate keys": lambda: _raw(
        '"kind": "Workload"', '"kind": "Workload", "kind": "Workload", "spec": {}'
    ),
    "duplicate keys in YAML": lambda: b"kind: Workload\nkind: ClusterQueue\nmetadata: {name: x, name: y}\n",
    "the same object twice": lambda: items(world() + world()),
    "a YAML bomb": _BOMB.encode,
    "a YAML bomb in a list": lambda: (
        "kind: List\nitems:\n- kind: Workload\n" + _BOMB.replace("a: ", "  a: ")
    ).encode(),
    "YAML that holds itself": lambda: b"a: &a\n  b: *a\n",
    "a tag of Python": lambda: b"!!python/object/apply:os.system ['touch owned']\n",
    "deep brackets": lambda: b"[" * 100_000,
    "deep JSON": lambda: b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
    "deep JSON in a label": lambda: _raw(
        '"labels": {}', '"labels": {"a": ' + "[" * 20_000 + "]" * 20_000 + "}"
    ),
    "deep YAML": lambda: "".join(f"{' ' * i}a:\n" for i in range(2_000)).encode(),
    "a cohort of itself": lambda: _cohorts({"a": "a"}, "a"),
    "two cohorts of each other": lambda: _cohorts({"a": "b", "b": "a"}, "a"),
    "a ring of 1,000 cohorts": lambda: _cohorts({f"c{i}": f"c{(i + 1) % 1000}" for i in range(1000)}, "c0"),
    "a chain of 10,000 cohorts": lambda: _cohorts({f"c{i}": f"c{i + 1}" for i in range(10_000)}, "c0"),
    "nothing": lambda: b"",
    "zero bytes": lambda: b"\0" * 1000,
    "noise": lambda: bytes(range(256)) * 40,
    "UTF-16": lambda: items(world()).decode().encode("utf-16"),
    "a half": lambda: items(world())[: len(items(world())) // 2],
    "null": lambda: b"null",
    "null items": lambda: b'{"kind": "List", "items": null}',
    "items of nulls": lambda: b'{"kind": "List", "items": [null, 1, "x", [], {}]}',
    "gzip of nothing": lambda: b"\x1f\x8b\x08\x00",
    **{f"numbers with {name}": partial(_numbers, text) for name, text in NUMBERS.items()},
    "an unknown version": lambda: items(world()).replace(b"v1beta2", b"v9"),
}

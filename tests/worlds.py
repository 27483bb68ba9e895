"""Small worlds, written short: queues, cohorts and workloads, a line each -> a World -> what was decided.

A world is a mapping (mostly YAML). Names are object names; units are those of the quantities.

    cohorts:  {research: {parent: org, quota: 4 lend 6 borrow 5, weight: 2}}
    queues:   {a: {cohort: research, quota: {spot: 4, od: {cpu: 10, gpu: 2}}, within: LowerPriority}}
    running:  {r1: {queue: a, asks: 2, flavor: spot, prio: 5}}
    pending:  {p1: {queue: a, asks: {cpu: 1, gpu: 1}, count: 3, min: 1, at: 60}}

A quota is an amount of cpu in the flavor "default", or amounts per flavor, or per flavor and resource; an
amount may carry limits ("10 borrow 2 lend 6"). `groups` is a list of them, one for each resource group.
Every queue has a LocalQueue of its own name unless `localQueues` is given. A workload is created `at`
seconds after START; without it, one second after the one before it. A running one is on `flavor`.
`raw` is merged into the object that comes out.

A case adds what is to be expected: `cycles` (all of them; `begins` names the first ones), each a head's
status or facts in the order of processing, the rejected ones at the end; `order` and `parked` before cycle 1;
`evicted` after each cycle; `stop` and `final`; `usage`, `available`, `share` and `inactive` of the nodes.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.engine.state import State
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.world import World
from kubectl_kueue.views.verdict import verdict_document

Short = Mapping[str, Any]
Object = dict[str, Any]

CASES = Path(__file__).parent / "cases"
START = datetime(2026, 1, 1, 10, tzinfo=UTC)
NOW = 7200  # seconds after START
KUEUE = "kueue.x-k8s.io/v1beta2"


def read_cases(stage: str, *names: str) -> list[dict[str, Any]]:
    """The cases of files in tests/cases/<stage>, each with its `name`."""
    return [case for name in names for case in yaml.safe_load((CASES / stage / f"{name}.yaml").read_text())]


def decode(short: Short) -> World:
    """The world of a short form."""
    return decode_world([RawDocument("case", 1, 0, json.dumps(scenario(short)).encode())])


def state_of(short: Short) -> State:
    """The cluster in motion before anything happened to it."""
    return State(decode(short))


def run(short: Short) -> dict[str, Any]:
    """The verdict document of the whole run."""
    return verdict_document(simulate(decode(short)))


def check(case: Short) -> None:
    """A case's world must lead to what its `expect` names; what it does not name is free."""
    expected = case["expect"]
    got = answers(run(case))
    wanted = {key: _spelled_out(key, value) for key, value in expected.items()}
    assert {key: _as_far_as(wanted[key], got[key]) for key in wanted} == wanted


# --- what came out --------------------------------------------------------------------------------


def answers(verdict: Mapping[str, Any]) -> dict[str, Any]:
    """A verdict in short words, without the namespace "default"."""
    cycles = [_cycle(cycle) for cycle in verdict["cycles"]]
    nodes = {**verdict["usage"]["cohorts"], **verdict["usage"]["clusterQueues"]}
    return {
        "cycles": cycles,
        "begins": cycles,
        "stop": verdict["stop"],
        "evicted": [[_bare(key) for key in c.get("evictedAfter", [])] for c in verdict["cycles"]],
        "order": {name: [_bare(key) for key in keys] for name, keys in verdict["pendingOrder"].items()},
        "parked": {
            n: [_bare(key) for key in keys] for n, keys in verdict.get("pendingInadmissible", {}).items()
        },
        "final": {_bare(key): _final(final) for key, final in verdict["final"].items()},
        "usage": {name: _column(node, "usage") for name, node in nodes.items()},
        "available": {name: _column(node, "available") for name, node in nodes.items()},
        "share": {name: node["weightedShare"] for name, node in nodes.items()},
        "inactive": {name: node.get("inactiveReason") for name, node in nodes.items()},
    }


def _bare(key: str) -> str:
    return key.removeprefix("default/")


def _cycle(cycle: Mapping[str, Any]) -> list[list[Any]]:
    """Heads in the order of processing, then the rejected ones."""
    results = cycle["results"]
    rejected = [key for key in results if key not in cycle["heads"]]
    return [[_bare(key), _result(results[key])] for key in (*cycle["heads"], *rejected)]


def _result(result: Mapping[str, Any]) -> dict[str, Any]:
    pod_sets = result.get("podSets", [])
    alone = len(pod_sets) == 1
    return {
        "status": result["status"],
        "rejected": result.get("inadmissibleReason"),
        "requeue": result.get("requeueReason"),
        "mode": result.get("mode"),
        "nominated": result.get("nominatedMode", result.get("mode")),
        "why": result.get("quotaReservedReason", ""),
        "level": result.get("borrowing", 0),
        "flavor": _only_or_all({p["name"]: _flavors(p["flavors"]) for p in pod_sets}),
        "count": _only_or_all({p["name"]: p["count"] for p in pod_sets}),
        "error": _only_or_all({p["name"]: p.get("error", "") for p in pod_sets}),
        "attempts": _only_or_all({p["name"]: [_attempt(a) for a in p.get("attempts", [])] for p in pod_sets}),
        "usage": _short_quantities(result.get("usage", {})),
        "reasons": [_reason(reason, alone=alone) for reason in result.get("reasons", [])],
        "targets": {_bare(t["workload"]): t["reason"] for t in result.get("targets", [])},
    }


def _only_or_all(values: Mapping[str, Any]) -> Any:
    """The value of the only podSet, or the values of all."""
    return next(iter(values.values())) if len(values) == 1 else values


def _flavors(flavors: Mapping[str, str]) -> Any:
    """The one flavor of all resources, or the flavor of each."""
    return next(iter(flavors.values())) if len(set(flavors.values())) == 1 else dict(flavors)


def _attempt(attempt: Mapping[str, Any]) -> str:
    words = (
        attempt["flavor"],
        attempt.get("preemptionPossibility") or attempt["mode"],
        attempt.get("borrow"),
    )
    return " ".join(str(word) for word in words if word)


def _reason(reason: Mapping[str, Any], *, alone: bool) -> str:
    """Kind and facts; after the name of the podSet where there are several."""
    facts = " ".join(
        str(reason[key]) for key in ("kind", *(k for k in reason if k not in ("podSet", "kind")))
    )
    return facts if alone else f"{reason['podSet']}: {facts}"


def _final(final: Mapping[str, Any]) -> str:
    """State, the part of its queue, and the flavors of a reservation."""
    held = {f for flavors in final.get("flavors", {}).values() for f in flavors.values()}
    return " ".join(filter(None, [final["state"], final.get("queue"), *sorted(held)]))


def _column(node: Mapping[str, Any], name: str) -> Any:
    return _short_quantities({f: {r: q[name] for r, q in row.items()} for f, row in node["quotas"].items()})


def _short_quantities(amounts: Mapping[str, Mapping[str, str]]) -> Any:
    """The only amount, or all per flavor and resource ("spot cpu"); whole ones as numbers."""
    flat = {
        f"{f} {r}": int(q) if q.lstrip("-").isdigit() else q
        for f, row in amounts.items()
        for r, q in row.items()
    }
    return _only_or_all(flat)


def _spelled_out(key: str, value: Any) -> Any:
    """Expected cycles as pairs in order; a word alone is a status."""
    if key not in ("cycles", "begins"):
        return value
    cycles = [
        [[name, {"status": facts} if isinstance(facts, str) else facts] for name, facts in cycle.items()]
        for cycle in value
    ]
    return cycles if key == "cycles" else _Prefix(cycles)


class _Prefix(list[Any]):
    """Expected to be what a list begins with."""


def _as_far_as(wanted: Any, got: Any) -> Any:
    """What was got, without what nobody asked for."""
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        return {key: _as_far_as(value, got[key]) for key, value in wanted.items() if key in got}
    if isinstance(wanted, list) and isinstance(got, list):
        if isinstance(wanted, _Prefix):
            got = got[: len(wanted)]
        wanted = [*wanted, *([None] * (len(got) - len(wanted)))]
        return [_as_far_as(value, one) for value, one in zip(wanted, got, strict=False)]
    return got


# --- from short to long ---------------------------------------------------------------------------


def scenario(short: Short) -> Object:
    """The snapshot document of a short world."""
    document: Object = {
        "name": short.get("name", ""),
        "now": _time(short.get("now", NOW)),
        "mode": short.get("mode", "until-idle"),
        "features": short.get("gates", {}),
        "config": short.get("config", {}),
        "objects": [*_objects(short), *short.get("objects", [])],
    }
    for key in ("maxCycles", "origin"):
        if key in short:
            document[key] = short[key]
    return document


def _time(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _objects(short: Short) -> Iterator[Object]:
    queues, cohorts = short.get("queues", {}), short.get("cohorts", {})
    for name, labels in {"default": {}, **short.get("namespaces", {})}.items():
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}
    yield from _flavor_objects([*queues.values(), *cohorts.values()], short.get("flavors", {}))
    for name, check in short.get("checks", {}).items():
        yield _check_object(name, check or {})
    for name, cohort in cohorts.items():
        yield _cohort(name, cohort or {})
    for name, queue in queues.items():
        yield _cluster_queue(name, queue)
    for name, local in short.get("localQueues", {name: {"queue": name} for name in queues}).items():
        yield _local_queue(name, local)
    number = 0
    for held, workloads in ((True, short.get("running", {})), (False, short.get("pending", {}))):
        for name, workload in workloads.items():
            yield _workload(name, workload, short, number, held=held)
            number += 1


def _object(kind: str, name: str, spec: Mapping[str, Any], *, version: str = KUEUE, **more: Any) -> Object:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": dict(spec), **more}


def _flavor_objects(owners: list[Short], details: Short) -> Iterator[Object]:
    """A ResourceFlavor for every flavor that some quota names; `absent` leaves it out."""
    names = {flavor: None for owner in owners if owner for group in _groups(owner) for flavor in group}
    for name in {**names, **details}:
        spec = details.get(name) or {}
        if spec != "absent":
            yield _object("ResourceFlavor", name, spec)


def _check_object(name: str, check: Short) -> Object:
    active = [{"type": "Active", "status": "True" if check.get("active", True) else "False"}]
    spec = {"controllerName": check.get("controller", "example.com/controller")}
    return _object("AdmissionCheck", name, spec, status={"conditions": active})


def _groups(owner: Short) -> list[dict[str, dict[str, Any]]]:
    """Resource groups as flavor -> resource -> amount."""
    quotas = owner.get("groups", [owner["quota"]] if "quota" in owner else [])
    flavors = [quota if isinstance(quota, Mapping) else {"default": quota} for quota in quotas]
    return [
        {name: dict(cell) if isinstance(cell, Mapping) else {"cpu": cell} for name, cell in group.items()}
        for group in flavors
    ]


def _resource_groups(owner: Short) -> list[Object]:
    return [
        {
            "coveredResources": list(next(iter(group.values()))),
            "flavors": [
                {"name": flavor, "resources": [_quota(r, amount) for r, amount in cells.items()]}
                for flavor, cells in group.items()
            ],
        }
        for group in _groups(owner)
    ]


def _quota(resource: str, amount: Any) -> Object:
    """`10 borrow 2 lend 6` -> one entry of a flavor's resources."""
    nominal, *limits = str(amount).split()
    quota = {"name": resource, "nominalQuota": nominal}
    for word, limit in zip(limits[::2], limits[1::2], strict=True):
        quota[{"borrow": "borrowingLimit", "lend": "lendingLimit"}[word]] = limit
    return quota


def _cohort(name: str, short: Short) -> Object:
    spec: Object = {"resourceGroups": _resource_groups(short)}
    if "parent" in short:
        spec["parentName"] = short["parent"]
    if "weight" in short:
        spec["fairSharing"] = {"weight": str(short["weight"])}
    return _object("Cohort", name, spec)


def _cluster_queue(name: str, short: Short) -> Object:
    borrow = short.get("borrow", "Never")
    spec: Object = {
        "queueingStrategy": "StrictFIFO" if short.get("strict") else "BestEffortFIFO",
        "namespaceSelector": short.get("selector", {}),
        "stopPolicy": short.get("stop", "None"),
        "resourceGroups": _resource_groups(short),
        "preemption": {
            "withinClusterQueue": short.get("within", "Never"),
            "reclaimWithinCohort": short.get("reclaim", "Never"),
            "borrowWithinCohort": {"policy": borrow} if isinstance(borrow, str) else borrow,
        },
        "flavorFungibility": {
            "whenCanBorrow": "MayStopSearch",
            "whenCanPreempt": "TryNextFlavor",
            **short.get("fungibility", {}),
        },
    }
    if "cohort" in short:
        spec["cohortName"] = short["cohort"]
    if "weight" in short:
        spec["fairSharing"] = {"weight": str(short["weight"])}
    if "checks" in short:
        checks = [{"name": check, "onFlavors": on or []} for check, on in short["checks"].items()]
        spec["admissionChecksStrategy"] = {"admissionChecks": checks}
    if short.get("usageBased"):
        spec["admissionScope"] = {"admissionMode": "UsageBasedAdmissionFairSharing"}
    return merged(_object("ClusterQueue", name, spec), short.get("raw", {}))


def _local_queue(name: str, short: Short) -> Object:
    spec: Object = {"clusterQueue": short["queue"], "stopPolicy": short.get("stop", "None")}
    if "weight" in short:
        spec["fairSharing"] = {"weight": str(short["weight"])}
    local = _object("LocalQueue", name, spec)
    local["metadata"]["namespace"] = short.get("namespace", "default")
    return merged(local, short.get("raw", {}))


def _workload(name: str, short: Short, world: Short, number: int, *, held: bool) -> Object:
    pod_sets = short.get("podSets", {"main": short})
    created = short.get("at", number)
    status: Object = {
        "conditions": [_condition(kind, *said) for kind, said in short.get("conditions", {}).items()]
    }
    if held:
        status["admission"] = _admission(short, pod_sets, world)
        status["conditions"] += _held_conditions(short, short.get("since", created))
    if "checks" in short:
        status["admissionChecks"] = [
            {"name": check, "state": state, "lastTransitionTime": _time(created), "message": ""}
            for check, state in short["checks"].items()
        ]
    spec: Object = {
        "queueName": short["queue"],
        "active": short.get("active", True),
        "podSets": [_pod_set(key, pod_set) for key, pod_set in pod_sets.items()],
    }
    if "prio" in short:
        spec["priority"] = short["prio"]
    metadata = {
        "name": name,
        "namespace": short.get("namespace", "default"),
        "uid": short.get("uid", name),
        "creationTimestamp": _time(created),
        "generation": 1,
        "annotations": short.get("annotations", {}),
        # Kueue takes a workload that nobody owns for an orphan only if it bears a job's uid.
        "labels": short.get("labels", {}),
    }
    workload = {"apiVersion": KUEUE, "kind": "Workload", "metadata": metadata, "spec": spec, "status": status}
    return merged(workload, short.get("raw", {}))


def _pod_set(name: str, short: Short) -> Object:
    container = {"name": "c", "image": "i", "resources": {"requests": _asked(short)}}
    spec: Object = {"containers": [container], "restartPolicy": "Never", **short.get("pod", {})}
    if "selector" in short:
        spec["nodeSelector"] = short["selector"]
    pod_set: Object = {"name": name, "count": short.get("count", 1), "template": {"spec": spec}}
    if "min" in short:
        pod_set["minCount"] = short["min"]
    if "topology" in short:
        pod_set["topologyRequest"] = short["topology"]
    return pod_set


def _asked(short: Short) -> dict[str, str]:
    """Requests of one pod; an amount alone is of cpu."""
    asks = short.get("asks", {})
    return {r: str(q) for r, q in (asks if isinstance(asks, Mapping) else {"cpu": asks}).items()}


def _admission(short: Short, pod_sets: Short, world: Short) -> Object:
    queue = world.get("localQueues", {}).get(short["queue"], short)["queue"]
    return {
        "clusterQueue": queue,
        "podSetAssignments": [
            _pod_set_assignment(name, {**short, **pod_set}, world["queues"].get(queue, {}))
            for name, pod_set in pod_sets.items()
        ],
    }


def _pod_set_assignment(name: str, short: Short, queue: Short) -> Object:
    """All its resources on one flavor (by default the first), or each on its own."""
    count = short.get("admitted", short.get("count", 1))
    asked = _asked(short)
    flavor = short.get("flavor") or next(iter(_groups(queue)[0]))
    flavors = flavor if isinstance(flavor, Mapping) else dict.fromkeys(asked, flavor)
    usage = {r: _times(q, count) for r, q in asked.items()}
    return {"name": name, "flavors": dict(flavors), "resourceUsage": usage, "count": count}


def _times(quantity: str, count: int) -> str:
    """The total of some pods: only plain numbers and milli, which is all that cases need."""
    digits = quantity.rstrip("mGiM")
    return f"{int(digits) * count}{quantity[len(digits) :]}"


def _held_conditions(short: Short, since: float) -> Iterator[Object]:
    yield _condition("QuotaReserved", True, "QuotaReserved", since)
    if not short.get("reservedOnly"):
        yield _condition("Admitted", True, "Admitted", since)
    if "evicted" in short:
        yield _condition("Evicted", True, short["evicted"], since + 1)


def _condition(kind: str, status: bool, reason: str = "", at: float = 0) -> Object:
    return {
        "type": kind,
        "status": "True" if status else "False",
        "reason": reason,
        "message": "",
        "lastTransitionTime": _time(at),
    }


def merged(value: Any, over: Any) -> Any:
    """`over` put into `value`, mappings key by key."""
    if isinstance(value, Mapping) and isinstance(over, Mapping):
        return {**value, **{k: merged(value[k], v) if k in value else v for k, v in over.items()}}
    return over

"""Does what people have set up make sense? Kueue's Configuration, queues, cohorts and flavors."""

from collections import Counter
from collections.abc import Iterator, Mapping

from kubectl_kueue.doctor.evidence import Evidence, labelled, moment, name_of, text
from kubectl_kueue.doctor.finding import Finding, error, ok, skipped, warning
from kubectl_kueue.doctor.frameworks import is_off
from kubectl_kueue.doctor.waiting import waits
from kubectl_kueue.engine.explanation.causes import causes_of
from kubectl_kueue.engine.snapshot import Snapshot
from kubectl_kueue.engine.taints import tolerates
from kubectl_kueue.model.config import GATE_DEFAULTS, unknown_fields
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.management import Management
from kubectl_kueue.model.objects import ResourceGroup
from kubectl_kueue.model.settings import unknown_gates
from kubectl_kueue.model.trees import Trees
from kubectl_kueue.model.world import World

CROWDED = 100
"""ClusterQueues in one tree of cohorts, above which every cycle gets slow."""


def settings(evidence: Evidence) -> Iterator[Finding]:
    """Kueue's Configuration: what is on, and what this release does not know."""
    config = evidence.configuration or {}
    gates = _gates(evidence)
    for name in unknown_gates(gates):
        yield warning("gate-unknown", gate=name)
    for name in unknown_fields(config):
        yield warning("setting-unknown", field=name)
    changed = {name: on for name, on in sorted(gates.items()) if GATE_DEFAULTS.get(name) is not on}
    managed = evidence.management
    yield ok(
        "settings",
        frameworks=sorted(managed.frameworks) if managed is not None else [],
        without_queue_name=managed is not None and managed.without_queue_name,
        fair_sharing=evidence.world is not None and evidence.world.config.fair_sharing_enabled,
        gates=[f"{name}={str(on).lower()}" for name, on in changed.items()],
    )


def _gates(evidence: Evidence) -> Mapping[str, bool]:
    listed = (evidence.configuration or {}).get("featureGates")
    own = (
        {name: on for name, on in listed.items() if isinstance(on, bool)}
        if isinstance(listed, Mapping)
        else {}
    )
    world = evidence.world
    told = {n: on for n, on in world.gates.items() if GATE_DEFAULTS.get(n) is not on} if world else {}
    return {**told, **own}


def integrations(evidence: Evidence) -> Iterator[Finding]:
    """Jobs that name a queue although Kueue does not manage their kind."""
    managed = evidence.management
    on = sorted(managed.frameworks) if managed is not None else []
    off: dict[tuple[str, str, str], list[str]] = {}
    for job, value in evidence.queued_jobs:
        if how := is_off(evidence, job):
            off.setdefault((job.framework, job.kind, how), []).append(name_of(value))
    for (name, kind, how), jobs in off.items():
        yield error("integration-off", f"{kind}/{jobs[0]}", framework=name, jobs=jobs, how=how, on=on)
    yield from _late_definitions(evidence, managed)
    if off:
        return
    if managed is not None:
        yield ok("integrations-fit", frameworks=on)
    else:
        yield skipped("unread", kinds=evidence.unread(("Configuration",)))


def _late_definitions(evidence: Evidence, managed: Management | None) -> Iterator[Finding]:
    """CRDs of enabled frameworks that are younger than the manager, which looks for them when it starts."""
    starts = [
        started
        for pod in evidence.of("Pod")
        if labelled(pod, "app.kubernetes.io/name") == "kueue"
        if (started := moment(text(pod, "status", "startTime"))) is not None
    ]
    kinds = {
        f"{kind.lower()}s.{group}": name
        for (group, kind), name in FRAMEWORKS.items()
        if managed is not None and name in managed.frameworks and "." in group
    }
    for each in evidence.of("CustomResourceDefinition") if starts else ():
        made = moment(text(each, "metadata", "creationTimestamp"))
        if name_of(each) in kinds and made is not None and made > min(starts):
            yield warning(
                "crd-younger-than-manager",
                f"CustomResourceDefinition/{name_of(each)}",
                framework=kinds[name_of(each)],
                namespace=evidence.namespace,
            )


# --- queues -------------------------------------------------------------------------------------


def local_queues(evidence: Evidence) -> Iterator[Finding]:
    """LocalQueues that lead nowhere, or are stopped."""
    world = evidence.seen
    waiting = _waiting(world)
    sound = True
    for key, queue in world.local_queues.items():
        target, here = queue.spec.cluster_queue, f"LocalQueue/{key}"
        if target not in world.cluster_queues:
            sound = False
            yield error("local-queue-dangling", here, cluster_queue=target, waiting=waiting[key])
        elif queue.spec.stop_policy not in ("", "None"):
            sound = False
            yield warning("local-queue-stopped", here, policy=queue.spec.stop_policy, waiting=waiting[key])
    if sound:
        yield ok("local-queues-lead", count=len(world.local_queues))


def queue_names(evidence: Evidence) -> Iterator[Finding]:
    """Workloads that name a LocalQueue that is not there."""
    world = evidence.seen
    lost: dict[str, list[str]] = {}
    for key, workload in world.workloads.items():
        queue = f"{workload.metadata.namespace}/{workload.spec.queue_name}"
        home = workload.metadata.namespace
        if waits(workload) and queue not in world.local_queues and evidence.sees(home, "LocalQueue"):
            lost.setdefault(queue, []).append(key)
    for queue, keys in lost.items():
        namespace, _, name = queue.partition("/")
        if name:
            yield error("queue-name-unknown", f"Workload/{keys[0]}", queue=queue, workloads=keys)
        else:
            yield error("queue-name-empty", f"Workload/{keys[0]}", namespace=namespace, workloads=keys)
    if not lost:
        yield ok("queue-names-known", count=len(world.workloads))


def cluster_queues(evidence: Evidence) -> Iterator[Finding]:
    """ClusterQueues that admit nothing: the chain from what is wrong to who waits for it."""
    world = evidence.seen
    waiting, behind = _waiting(world), dict[str, list[str]]()
    for key, queue in world.local_queues.items():
        behind.setdefault(queue.spec.cluster_queue, []).append(key)
    snapshot = Snapshot(world, ())
    active = 0
    for name, node in snapshot.queues.items():
        if node.active and name not in snapshot.cyclic:
            active += 1
            continue
        queues = behind.get(name, [])
        facts = {
            "causes": causes_of(world, snapshot, node),
            "local_queues": queues,
            "waiting": sum(waiting[key] for key in queues),
        }
        here = f"ClusterQueue/{name}"
        if name in snapshot.cyclic:
            yield error("cluster-queue-in-cycle", here, cohort=node.obj.spec.cohort_name, **facts)
        elif [reason for reason, _ in node.inactive] == ["Stopped"]:
            yield warning("cluster-queue-stopped", here, policy=node.stop_policy, **facts)
        else:
            yield error("cluster-queue-inactive", here, **facts)
    if active == len(snapshot.queues):
        yield ok("cluster-queues-active", count=active)


def cohorts(evidence: Evidence) -> Iterator[Finding]:
    """Cohorts that form a circle, and trees with very many queues."""
    world = evidence.seen
    parents = {name: each.spec.parent_name for name, each in world.cohorts.items()}
    trees = Trees(lambda name: parents.get(name) or "")
    roots = (trees.root(queue.spec.cohort_name) for queue in world.cluster_queues.values())
    sizes = Counter(root for root in roots if root is not None)
    circles = sorted(trees.circles(parents))
    for circle in circles:
        yield error("cohort-cycle", f"Cohort/{circle[0]}", cohorts=circle)
    for name, size in sizes.items():
        if size > CROWDED:
            yield warning("cohort-crowded", f"Cohort/{name}", queues=size, limit=CROWDED)
    if not circles and not any(size > CROWDED for size in sizes.values()):
        yield ok("cohorts-sound", count=len(sizes), largest=max(sizes.values(), default=0))


def limits(evidence: Evidence) -> Iterator[Finding]:
    """Limits of borrowing and lending where there is nobody to borrow from or to lend to."""
    world = evidence.seen
    sound = True
    nodes = [
        *(
            (f"ClusterQueue/{n}", q.spec.cohort_name, q.spec.resource_groups, "cohortName")
            for n, q in world.cluster_queues.items()
        ),
        *(
            (f"Cohort/{n}", c.spec.parent_name, c.spec.resource_groups, "parentName")
            for n, c in world.cohorts.items()
        ),
    ]
    for here, above, groups, field in nodes:
        for pointer, limit in () if above else _limits(groups):
            sound = False
            yield error("limit-without-cohort", here, pointer=pointer, limit=limit, field=field)
    if sound:
        yield ok("limits-sound", count=len(nodes))


def _limits(groups: list[ResourceGroup]) -> Iterator[tuple[str, str]]:
    for g, group in enumerate(groups):
        for f, flavor in enumerate(group.flavors):
            for r, each in enumerate(flavor.resources):
                place = f"spec.resourceGroups[{g}].flavors[{f}].resources[{r}]"
                if each.borrowing_limit is not None:
                    yield place, "borrowingLimit"
                if each.lending_limit is not None:
                    yield place, "lendingLimit"


def flavors(evidence: Evidence) -> Iterator[Finding]:
    """Flavors whose own tolerations undo their taints."""
    world = evidence.seen
    sound = True
    for name, flavor in world.resource_flavors.items():
        for taint in flavor.spec.node_taints:
            if any(tolerates(toleration, taint) for toleration in flavor.spec.tolerations):
                sound = False
                words = (
                    f"{taint.key}={taint.value}:{taint.effect}"
                    if taint.value
                    else f"{taint.key}:{taint.effect}"
                )
                yield warning("flavor-tolerates-own-taint", f"ResourceFlavor/{name}", taint=words)
    if sound:
        yield ok("flavors-sound", count=len(world.resource_flavors))


# --- who waits ----------------------------------------------------------------------------------


def _waiting(world: World) -> Counter[str]:
    """How many workloads wait in each LocalQueue."""
    return Counter(
        f"{w.metadata.namespace}/{w.spec.queue_name}" for w in world.workloads.values() if waits(w)
    )

"""Which flavors suit a workload, and how much of what it asks for is there? Flavor by flavor.

The scheduler stops at the first answer that will do; here every podSet meets every flavor of its
resource groups, on the same numbers (scheduling.md 5.2-5.5).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from kubectl_kueue.engine.entry import Entry
from kubectl_kueue.engine.explanation.facts import Coverage, FlavorFit, Origin, QuotaRow, Requirement
from kubectl_kueue.engine.flavor_match import mismatch
from kubectl_kueue.engine.flavors import (
    FineMode,
    Nomination,
    PodSetAssignment,
    ignores_undeclared,
    pod_set_groups,
)
from kubectl_kueue.engine.quota import FlavorResource, available
from kubectl_kueue.engine.reasons import AffinityMismatch, FlavorNotAllowedForVariant, Reason
from kubectl_kueue.engine.requests import PodSetRequests, in_order, pod_requests
from kubectl_kueue.engine.snapshot import QueueNode, QuotaGroup
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.taints import UnparsableAffinity, first_untolerated, matches_requirement
from kubectl_kueue.engine.workload import ALLOWED_FLAVORS, WorkloadInfo
from kubectl_kueue.model.objects import LimitRange, PodSpec


class Fit(NamedTuple):
    """What was found out: coverage (None: all covered), flavors, and the table of amounts."""

    coverage: Coverage | None
    flavors: tuple[FlavorFit, ...]
    table: tuple[QuotaRow, ...]


def judge_fit(
    state: State, info: WorkloadInfo, queue: QueueNode, entry: Entry, counts: Mapping[int, int] | None = None
) -> Fit:
    """Every podSet against every flavor, with what earlier podSets took in `entry` in mind.

    `counts`: pods of a podSet, by its index, where only so many are asked for (partial admission).
    """
    counts = counts or {}
    uncovered: list[Origin] = []
    flavors: list[FlavorFit] = []
    table: list[QuotaRow] = []
    assigned = {p.index: p for p in entry.assignment.pod_sets}
    taken: dict[FlavorResource, int] = {}
    nomination = Nomination(
        state.snapshot, queue, info, lambda fr, amount: (FineMode.NO_CANDIDATES, 0), replaced=entry.replaced
    )
    for group in pod_set_groups(info):
        members = [PodSetAssignment(i, _requests(info, queue, i, counts.get(i))) for i in group]
        beside: dict[FlavorResource, int] = {}
        for member in members:
            uncovered.extend(_uncovered(state, info, queue, member))
            for fit, rows in _flavors(nomination, members, member, assigned.get(member.index), taken, beside):
                flavors.append(fit)
                table.extend(rows)
        for member in members:
            _take(assigned.get(member.index), taken)
    coverage = Coverage(tuple(uncovered), tuple(sorted(queue.group_of))) if uncovered else None
    return Fit(coverage, tuple(flavors), tuple(table))


def _requests(info: WorkloadInfo, queue: QueueNode, index: int, count: int | None) -> PodSetRequests:
    requested = info.pod_sets[index]
    if count is not None:
        requested = requested.scaled(count)
    if not queue.covers_pods:
        return requested
    with_pods = in_order({**requested.requests, "pods": requested.count})
    return PodSetRequests(requested.name, requested.count, with_pods)


def _uncovered(
    state: State, info: WorkloadInfo, queue: QueueNode, member: PodSetAssignment
) -> Iterator[Origin]:
    if ignores_undeclared(state.snapshot):
        return
    uncovered = [r for r, amount in member.requests.items() if amount and r not in queue.group_of]
    yield from origins_among(state, info, member.index, uncovered)


def _take(assigned: PodSetAssignment | None, taken: dict[FlavorResource, int]) -> None:
    for resource, choice in assigned.flavors.items() if assigned is not None else ():
        fr = FlavorResource(choice.flavor, resource)
        taken[fr] = taken.get(fr, 0) + (assigned.requests.get(resource, 0) if assigned else 0)


def _flavors(
    nomination: Nomination,
    members: list[PodSetAssignment],
    member: PodSetAssignment,
    assigned: PodSetAssignment | None,
    taken: dict[FlavorResource, int],
    beside: dict[FlavorResource, int],
) -> Iterator[tuple[FlavorFit, list[QuotaRow]]]:
    """Judge one podSet; `beside` collects what members of its group before it ask of each flavor."""
    queue = nomination.queue
    for group in queue.groups:
        order = queue.obj.spec.resource_groups[group.index].covered_resources
        asked = {r: member.requests[r] for r in order if r in member.requests and queue.group_of[r] is group}
        if not asked:
            continue
        for flavor in group.flavors:
            why = unsuited(nomination, members, group, flavor)
            rows = []
            for resource, amount in asked.items():
                fr = FlavorResource(flavor, resource)
                before = taken.get(fr, 0) + beside.get(fr, 0)
                if nomination.replaced is not None:
                    amount = nomination.replaced.added(member.name, resource, amount)
                rows.append(_row(queue, member.name, fr, amount, before, suits=why is None))
                beside[fr] = beside.get(fr, 0) + amount
            chosen = assigned is not None and any(
                choice.flavor == flavor for r, choice in assigned.flavors.items() if r in asked
            )
            selector = _conflict(nomination, member, why, flavor)
            word = _word(rows, why)
            waived = _waived(nomination, member, flavor) if why is None else ""
            yield FlavorFit(member.name, flavor, word, why, selector, chosen, group.index, waived), rows


def _waived(nomination: Nomination, member: PodSetAssignment, flavor: str) -> str:
    """A taint of the flavor that does not keep the podSet off only because the flavor tolerates it itself."""
    found = nomination.snapshot.flavors.get(flavor)
    if found is None or not found.spec.tolerations:
        return ""
    taint = first_untolerated(found.spec.node_taints, nomination.info.adjusted[member.index].tolerations)
    return f"{taint.key}={taint.value}:{taint.effect}" if taint is not None else ""


def unsuited(
    nomination: Nomination, members: list[PodSetAssignment], group: QuotaGroup, flavor: str
) -> Reason | None:
    """Why the flavor does not suit the podSets at all, whatever its quota; None if it does."""
    if nomination.snapshot.gates["ConcurrentAdmission"]:
        allowed = nomination.info.obj.metadata.annotations.get(ALLOWED_FLAVORS)
        if allowed is not None and flavor not in [name.strip() for name in allowed.split(",")]:
            return FlavorNotAllowedForVariant(flavor)
    return mismatch(nomination, members, group, flavor)[0]


def _row(
    queue: QueueNode, pod_set: str, fr: FlavorResource, asks: int, before: int, *, suits: bool
) -> QuotaRow:
    nominal, used = queue.nominal.get(fr, 0), queue.usage.get(fr, 0)
    free = max(0, available(queue, fr))
    return QuotaRow(
        pod_set,
        fr.flavor,
        fr.resource,
        asks,
        before,
        nominal,
        max(0, nominal - used),
        free,
        queue.potential.get(fr, 0),
        max(0, before + asks - free),
        suits,
    )


def _word(rows: list[QuotaRow], why: Reason | None) -> str:
    if why is not None:
        return "unsuited"
    if any(row.before + row.asks > row.most_ever for row in rows):
        return "never"
    return "short" if any(row.short_by for row in rows) else "fits"


def _conflict(
    nomination: Nomination, member: PodSetAssignment, why: Reason | None, flavor: str
) -> Requirement | None:
    """Which label of the flavor the pods do not want."""
    if not isinstance(why, AffinityMismatch):
        return None
    labels = nomination.snapshot.flavors[flavor].spec.node_labels
    spec = nomination.info.adjusted[member.index]
    for key, value in spec.node_selector.items():
        if labels.get(key, value) != value:
            return Requirement(key, "In", (value,), labels[key])
    affinity = spec.affinity.node_affinity if spec.affinity else None
    for term in affinity.required.node_selector_terms if affinity and affinity.required else ():
        for expression in term.match_expressions:
            if expression.key in labels and not _holds(expression, labels):
                values = tuple(expression.values)
                return Requirement(expression.key, expression.operator, values, labels[expression.key])
    return None


def _holds(expression: object, labels: dict[str, str]) -> bool:
    try:
        return matches_requirement(expression, labels)  # type: ignore[arg-type]
    except (UnparsableAffinity, IndexError):
        return False


# --- where a request comes from -----------------------------------------------------------------


def origins_of(state: State, info: WorkloadInfo, queue: QueueNode | None) -> Iterator[Origin]:
    """Requests that do not stand in the containers as requests: users look for them in vain."""
    for index, requested in enumerate(info.pod_sets):
        yield from (o for o in origins_among(state, info, index, requested.requests) if o.source)
        if queue is not None and queue.covers_pods:
            yield Origin(requested.name, "pods", "pods", "", requested.count, 1, requested.count)


def origins_among(state: State, info: WorkloadInfo, index: int, resources: Iterable[str]) -> Iterator[Origin]:
    """The origins of one podSet's requests; the source is empty where a container asks for it itself."""
    requested, spec = info.pod_sets[index], info.obj.spec.pod_sets[index].template.spec
    written = pod_requests(spec)
    devices = info.devices.pod_sets[index] if info.devices is not None else None
    for resource in resources:
        asks = requested.requests.get(resource, 0)
        if resource in written:
            source, name = "", ""
        elif devices is not None and resource in devices.charges:
            source, name = "devices", ""
        else:
            source, name = _source(state, info, spec, resource)
        per_pod = asks // requested.count if requested.count else 0
        yield Origin(requested.name, resource, source, name, requested.count, per_pod, asks)


def _source(state: State, info: WorkloadInfo, spec: PodSpec, resource: str) -> tuple[str, str]:
    for container in (*spec.containers, *spec.init_containers):
        if resource in container.resources.limits:
            return "limits", container.name
    for key, limit_range in sorted(state.world.limit_ranges.items()):
        if limit_range.metadata.namespace == info.namespace and _defaults(limit_range, resource):
            return "LimitRange", key.partition("/")[2]
    overhead = state.world.runtime_classes.get(spec.runtime_class_name or "")
    if overhead is not None and overhead.overhead and resource in overhead.overhead.pod_fixed:
        return "RuntimeClass", overhead.metadata.name
    for rule in state.world.config.resources.transformations:
        if resource in rule.outputs:
            return "transformation", rule.input
    return "", ""


def _defaults(limit_range: LimitRange, resource: str) -> bool:
    return any(
        resource in item.default or resource in item.default_request
        for item in limit_range.spec.limits
        if item.type in ("Container", "Pod")
    )

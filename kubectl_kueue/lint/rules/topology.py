"""Topology annotations on pod templates: TA01 to TA08, and whether any flavor could meet them."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from kubectl_kueue.lint.found import Found, found
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.pods import PodSet, job_kind, pod_sets
from kubectl_kueue.lint.reading import flavor_names, queue_of
from kubectl_kueue.lint.rules.flavors import topology_levels
from kubectl_kueue.lint.rules.jobs import ELASTIC, FALSE, QUEUE, TRUE
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import dig, mapping, number, word
from kubectl_kueue.model.labels import is_label_key
from kubectl_kueue.model.pointer import path_of, pointer
from kubectl_kueue.model.shown import bare, shown
from kubectl_kueue.model.whole_number import above_zero, is_digits

REQUIRED = f"{GROUP}/podset-required-topology"
PREFERRED = f"{GROUP}/podset-preferred-topology"
UNCONSTRAINED = f"{GROUP}/podset-unconstrained-topology"
SLICE = f"{GROUP}/podset-slice-required-topology"
SLICE_SIZE = f"{GROUP}/podset-slice-size"
CONSTRAINTS = f"{GROUP}/podset-slice-required-topology-constraints"
GROUP_NAME = f"{GROUP}/podset-group-name"
_KINDS_WITHOUT = frozenset({"AppWrapper", "Deployment", "StatefulSet"})


def check_topology_annotations(item: Item, scene: Scene) -> Iterator[Found]:
    """What the webhook says about the annotations of each template, and of all together."""
    kind = job_kind(item)
    if kind is None or item.kind in _KINDS_WITHOUT:
        return
    sets = pod_sets(item)
    for each in sets:
        yield from _Check(each).faults()
        if item.kind == "Job" and item.annotation(ELASTIC) == "true":
            for key in (REQUIRED, PREFERRED):
                if key in mapping(each.template, "metadata", "annotations"):
                    yield found("topology-one-of", _where(each, key), problem="elastic", keys=key)
    if kind.pairs:
        yield from _pairs(sets)


def _where(each: PodSet, key: str) -> str:
    return pointer(*path_of(each.pointer), "metadata", "annotations", key)


class _Check:
    """The annotations of one template."""

    def __init__(self, each: PodSet) -> None:
        self.each = each
        notes: Mapping[str, Any] = mapping(each.template, "metadata", "annotations")
        self.notes = {key: value for key, value in notes.items() if isinstance(value, str)}

    def faults(self) -> Iterator[Found]:
        if not self.notes:
            return
        given = [key for key in (REQUIRED, PREFERRED, UNCONSTRAINED) if key in self.notes]
        if len(given) > 1:
            yield self._found("topology-one-of", given[1], problem="several", keys=", ".join(given))
        for key in (REQUIRED, PREFERRED, SLICE):
            if key in self.notes and not is_label_key(self.notes[key]):
                yield self._found("topology-key", key, value=shown(self.notes[key]))
        if UNCONSTRAINED in self.notes and self.notes[UNCONSTRAINED] not in TRUE | FALSE:
            yield self._found("topology-boolean", UNCONSTRAINED, value=shown(self.notes[UNCONSTRAINED]))
        yield from self._slices()
        if CONSTRAINTS in self.notes:
            yield from self._constraints()
        if GROUP_NAME in self.notes:
            yield from self._group()

    def _found(self, rule: str, key: str, **facts: Any) -> Found:
        return found(rule, _where(self.each, key), **facts)

    def _slices(self) -> Iterator[Found]:
        if (SLICE in self.notes) != (SLICE_SIZE in self.notes):
            missing = SLICE_SIZE if SLICE in self.notes else SLICE
            yield self._found("topology-slice", missing, problem="pair", value="", count="")
        text = self.notes.get(SLICE_SIZE)
        if text is None:
            return
        size = above_zero(text)
        if size is None:
            yield self._found("topology-slice", SLICE_SIZE, problem="number", value=shown(text), count="")
        elif size > self.each.size:
            yield self._found(
                "topology-slice", SLICE_SIZE, problem="above", value=shown(text), count=self.each.size
            )

    def _constraints(self) -> Iterator[Found]:
        problem = self._constraint_fault()
        if problem:
            yield self._found("topology-constraints", CONSTRAINTS, problem=problem, count=self.each.size)
        for key in (SLICE, SLICE_SIZE, GROUP_NAME):
            if key in self.notes:
                yield self._found("topology-constraints", key, problem="excludes", count="")

    def _constraint_fault(self) -> str:
        try:
            values = json.loads(self.notes[CONSTRAINTS])
        except ValueError:
            return "json"
        if not isinstance(values, list) or not 1 <= len(values) <= 3:
            return "list"
        seen, before = set(), 0
        for value in values:
            topology, size = word(value, "topology"), number(value, "size")
            if not is_label_key(topology) or topology in seen:
                return "topology"
            if size < 1 or (before and before % size):
                return "size"
            if not before and size > self.each.size:
                return "above"
            seen.add(topology)
            before = size
        return ""

    def _group(self) -> Iterator[Found]:
        name = self.notes[GROUP_NAME]
        if is_digits(name):
            yield self._found("topology-group", GROUP_NAME, problem="number", value=shown(name))
        if REQUIRED not in self.notes and PREFERRED not in self.notes:
            yield self._found("topology-group", GROUP_NAME, problem="needs", value=shown(name))
        for key in (SLICE, SLICE_SIZE):
            if key in self.notes:
                yield self._found("topology-group", key, problem="slice", value=shown(name))


def _pairs(sets: list[PodSet]) -> Iterator[Found]:
    """TA07."""
    groups: dict[str, list[PodSet]] = {}
    for each in sets:
        name = mapping(each.template, "metadata", "annotations").get(GROUP_NAME)
        if isinstance(name, str):
            groups.setdefault(name, []).append(each)
    for name, members in groups.items():
        where = _where(members[0], GROUP_NAME)
        if len(members) != 2:
            yield found("topology-group-pair", where, problem="two", group=bare(name), count=len(members))
            continue
        if all(each.size != 1 for each in members):
            yield found("topology-group-pair", where, problem="leader", group=bare(name), count="")
        notes = [mapping(each.template, "metadata", "annotations") for each in members]
        if any(notes[0].get(key) != notes[1].get(key) for key in (REQUIRED, PREFERRED)):
            yield found("topology-group-pair", where, problem="differ", group=bare(name), count="")


# --- against the flavors of the queue -------------------------------------------------------------------


def check_topology_there(item: Item, scene: Scene) -> Iterator[Found]:
    """TA08 and 7.9: a level that no Topology of the queue has."""
    workload = item.is_kueue and item.kind == "Workload"
    name = word(item.spec, "queueName") if workload else item.label(QUEUE) or ""
    _, queue = queue_of(scene, item.namespace, name)
    if queue is None:
        return
    wanted = [
        each for index, pods in enumerate(pod_sets(item)) for each in _wanted(item, index, pods, workload)
    ]
    levels = _levels_of(queue, scene) if wanted else None
    if levels is None:
        return
    for where, level in wanted:
        if not levels.supported:
            yield found("topology-unsupported", where, queue=bare(queue.name))
            return
        if level and levels.known and level not in levels.names:
            yield found(
                "topology-level",
                where,
                level=bare(level, 80),
                levels=", ".join(bare(name, 80) for name in islice(levels.names, _MOST_LEVELS)),
                queue=bare(queue.name),
            )


_MOST_LEVELS = 32


class _Levels(NamedTuple):
    """What the flavors of a queue offer: whether any has a Topology, whether all of these are here, and the
    names of their levels, sorted."""

    supported: bool
    known: bool
    names: Mapping[str, None]


def _levels_of(queue: Item, scene: Scene) -> _Levels | None:
    """None if a flavor of the queue is not here."""
    known: dict[str, _Levels | None] = scene.memo.setdefault("levels", {})
    if queue.name not in known:
        known[queue.name] = _levels(queue, scene)
    return known[queue.name]


def _levels(queue: Item, scene: Scene) -> _Levels | None:
    flavors = [scene.find("ResourceFlavor", each) for _, each in flavor_names(queue)]
    if not flavors or None in flavors:
        return None
    named = {name: None for each in flavors if each is not None and (name := word(each.spec, "topologyName"))}
    topologies = [scene.find("Topology", each) for each in named]
    names = {name for topology in topologies for name in topology_levels(topology)}
    return _Levels(bool(named), None not in topologies, dict.fromkeys(sorted(names)))


def _wanted(item: Item, index: int, each: PodSet, workload: bool) -> Iterator[tuple[str, str]]:
    """Pointers and levels of what a pod set asks for; an unconstrained request has no level."""
    if workload:
        where = f"/spec/podSets/{index}/topologyRequest"
        request = mapping(dig(item.spec, "podSets", index), "topologyRequest")
        for field in ("required", "preferred", "podSetSliceRequiredTopology"):
            if word(request, field):
                yield f"{where}/{field}", word(request, field)
        if request.get("unconstrained") is True:
            yield f"{where}/unconstrained", ""
        return
    notes = mapping(each.template, "metadata", "annotations")
    for key in (REQUIRED, PREFERRED, SLICE):
        if isinstance(notes.get(key), str):
            yield _where(each, key), notes[key]
    if notes.get(UNCONSTRAINED) in TRUE:
        yield _where(each, UNCONSTRAINED), ""

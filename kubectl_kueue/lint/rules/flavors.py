"""ResourceFlavors and Topologies: RF01 to RF07, TO01, and the nodes behind them."""

from collections.abc import Iterator, Sequence
from itertools import islice

from kubectl_kueue.lint.found import Found, found
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.matching import taint_words, tolerates
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import dig, elements, mapping, sequence, word
from kubectl_kueue.model.labels import is_label_key, is_label_value
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.model.shown import bare, shown

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
HOSTNAME = "kubernetes.io/hostname"
MOST_TAINTS = 8


def check_flavor(item: Item, scene: Scene) -> Iterator[Found]:
    """RF01 to RF04: labels, taints and tolerations that cannot be."""
    labels = mapping(item.spec, "nodeLabels")
    for key, value in labels.items():
        where = pointer("spec", "nodeLabels", key)
        if not is_label_key(key):
            yield found("flavor-labels", where, what="key", value=shown(key))
        if isinstance(value, str) and not is_label_value(value):
            yield found("flavor-labels", where, what="value", value=shown(value))
    yield from _taints(item)
    yield from _tolerations(item)
    if word(item.spec, "topologyName") and not labels:
        yield found("flavor-topology-labels", "/spec/topologyName")


def _taints(item: Item) -> Iterator[Found]:
    seen = set()
    for index, taint in elements(item.spec, "nodeTaints"):
        where = f"/spec/nodeTaints/{index}"
        key, effect, value = word(taint, "key"), word(taint, "effect"), word(taint, "value")
        if key and not is_label_key(key):
            yield found("flavor-taints", f"{where}/key", problem="key", value=shown(key))
        if not is_label_value(value):
            yield found("flavor-taints", f"{where}/value", problem="value", value=shown(value))
        if effect and effect not in EFFECTS:
            yield found("flavor-taints", f"{where}/effect", problem="effect", value=shown(effect))
        if key and (key, effect) in seen:
            yield found("flavor-taints", where, problem="twice", value=f"{bare(key)}:{bare(effect)}")
        seen.add((key, effect))


def _tolerations(item: Item) -> Iterator[Found]:
    for index, each in elements(item.spec, "tolerations"):
        where = f"/spec/tolerations/{index}"
        for field, problem, value in toleration_faults(each):
            yield found(
                "flavor-tolerations", f"{where}/{field}" if field else where, problem=problem, value=value
            )


def toleration_faults(each: dict[str, object]) -> Iterator[tuple[str, str, str]]:
    """Field, problem and value of everything that a toleration cannot be."""
    key, operator, effect = word(each, "key"), word(each, "operator"), word(each, "effect")
    if key and not is_label_key(key):
        yield "key", "key", shown(key)
    if operator and operator not in ("Equal", "Exists"):
        yield "operator", "operator", shown(operator)
    elif not key and operator != "Exists":
        yield "operator", "no-key", ""
    if operator == "Exists" and each.get("value") is not None:
        yield "value", "exists-value", shown(each["value"])
    if effect and effect not in EFFECTS:
        yield "effect", "effect", shown(effect)
    if each.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield "tolerationSeconds", "seconds", ""


def check_taint_void(item: Item, scene: Scene) -> Iterator[Found]:
    """Tolerations of a flavor count for every workload, so its own taint keeps nobody out.

    Of more taints or tolerations than the API takes the others are not compared with each other.
    """
    for index, each in islice(elements(item.spec, "tolerations"), MOST_TAINTS):
        for _, taint in islice(elements(item.spec, "nodeTaints"), MOST_TAINTS):
            if word(taint, "key") and tolerates(each, taint):
                yield found("taint-void", f"/spec/tolerations/{index}", taint=taint_words(taint))


def check_flavor_topology(item: Item, scene: Scene) -> Iterator[Found]:
    """RF05."""
    name = word(item.spec, "topologyName")
    if name and scene.find("Topology", name) is None:
        severity = scene.absence("Topology")
        yield found(
            "topology-missing",
            "/spec/topologyName",
            topology=bare(name),
            severity=severity,
            where=scene.place(severity),
        )


def check_nodes(item: Item, scene: Scene) -> Iterator[Found]:
    """A flavor whose labels no node has."""
    labels = mapping(item.spec, "nodeLabels")
    nodes = scene.population("Node")
    if not labels or not nodes.items or not scene.knows_all("Node"):
        return
    if next(nodes.with_labels(labels), None) is None:
        wanted = ", ".join(f"{bare(key, 80)}={bare(str(value))}" for key, value in labels.items())
        yield found("flavor-no-nodes", "/spec/nodeLabels", labels=wanted, count=len(nodes.items))


def check_group_flavors(item: Item, scene: Scene) -> Iterator[Found]:
    """RF06: flavors of one group that cannot be told apart, or only partly by topology."""
    for g, group in elements(item.spec, "resourceGroups"):
        flavors = [
            (f"/spec/resourceGroups/{g}/flavors/{f}/name", known)
            for f, each in elements(group, "flavors")
            if (known := scene.find("ResourceFlavor", word(each, "name"))) is not None
        ]
        if len(flavors) < 2:
            continue
        for where, flavor in flavors:
            if not mapping(flavor.spec, "nodeLabels"):
                yield found("flavor-without-labels", where, flavor=bare(flavor.name))
        yield from _overlaps(flavors)
        named = [flavor for _, flavor in flavors if word(flavor.spec, "topologyName")]
        if named and len(named) < len(flavors):
            plain = next(each for each in flavors if not word(each[1].spec, "topologyName"))
            yield found("mixed-topology", plain[0], plain=bare(plain[1].name), topology=bare(named[0].name))


def _overlaps(flavors: list[tuple[str, Item]]) -> Iterator[Found]:
    seen: dict[str, str] = {}
    for where, flavor in flavors:
        labels = mapping(flavor.spec, "nodeLabels")
        if not labels:
            continue
        key = repr(sorted((name, str(value)) for name, value in labels.items()))
        first = seen.setdefault(key, flavor.name)
        if first != flavor.name:
            yield found("flavors-overlap", where, flavor=bare(flavor.name), other=bare(first))


# --- topologies ----------------------------------------------------------------------------------------


def check_topology(item: Item, scene: Scene) -> Iterator[Found]:
    """TO01: levels that end above the node, or that no node has."""
    levels = [word(each, "nodeLabel") for _, each in elements(item.spec, "levels")]
    if HOSTNAME in levels[:-1]:
        yield found("topology-levels", f"/spec/levels/{levels.index(HOSTNAME)}/nodeLabel")
    elif levels and levels[-1] != HOSTNAME:
        yield found(
            "topology-no-hostname", f"/spec/levels/{len(levels) - 1}/nodeLabel", lowest=bare(levels[-1], 80)
        )
    yield from _unlabelled(item, scene, levels)


def _unlabelled(item: Item, scene: Scene, levels: list[str]) -> Iterator[Found]:
    known = scene.population("Node")
    selected: set[int] = set()
    for flavor in _flavors_of(item.name, scene):
        selected.update(known.with_labels(mapping(flavor.spec, "nodeLabels")))
    nodes = [known.items[index] for index in sorted(selected)]
    for index, level in enumerate(levels):
        missing = [node for node in nodes if dig(node.value, "metadata", "labels", level) is None]
        if level and missing:
            yield found(
                "topology-label-missing",
                f"/spec/levels/{index}/nodeLabel",
                level=bare(level, 80),
                count=len(missing),
                of=len(nodes),
                example=bare(missing[0].name),
            )


def _flavors_of(topology: str, scene: Scene) -> Sequence[Item]:
    """The flavors of a Topology."""
    known: dict[str, list[Item]] | None = scene.memo.get("flavors by topology")
    if known is None:
        known = scene.memo["flavors by topology"] = {}
        for flavor in scene.all("ResourceFlavor"):
            known.setdefault(word(flavor.spec, "topologyName"), []).append(flavor)
    return known.get(topology, ())


def topology_levels(item: Item | None) -> list[str]:
    """The levels of a Topology, coarse to fine."""
    spec = item.spec if item is not None else {}
    return [word(each, "nodeLabel") for each in sequence(spec, "levels")]

"""The Workloads that would be made of jobs, and the sentences about what is changed, refused and assumed."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kubectl_kueue.jobs import Change, Conversion, Note, Refusal, Subject
from kubectl_kueue.views.columns.documents import object_document
from kubectl_kueue.views.page import Column, Document, Listing
from kubectl_kueue.views.words.numbers import joined, several

WORKLOADS = "workload.kueue.x-k8s.io"
_PREFIX = "kueue.x-k8s.io/"

_SILENT = frozenset({"owned", "part-of", "not-a-job", "left-alone"})
"""Notes on objects that are no jobs of their own: of no interest where the answer is another."""


def convert_document(workloads: Sequence[Mapping[str, Any]]) -> Document:
    """The Workloads as manifests: one alone, or a List."""
    names = [f"{WORKLOADS}/{each['metadata']['name']}" for each in workloads]
    return object_document(workloads, names, single=len(workloads) == 1)


def convert_listing(workloads: Sequence[Mapping[str, Any]]) -> Listing:
    """The Workloads in columns."""
    columns = [Column(name) for name in ("NAMESPACE", "NAME", "QUEUE", "PRIORITY", "PODSETS", "OWNER")]
    return Listing(columns, [_row(each) for each in workloads])


def _row(workload: Mapping[str, Any]) -> list[str | int | None]:
    meta, spec = workload["metadata"], workload["spec"]
    owner = meta["ownerReferences"][0]
    return [
        meta["namespace"],
        meta["name"],
        spec.get("queueName"),
        spec.get("priority"),
        ",".join(_pod_set(each) for each in spec["podSets"]),
        f"{owner['kind']}/{owner['name']}",
    ]


def _pod_set(pod_set: Mapping[str, Any]) -> str:
    least = f"{pod_set['minCount']}-" if "minCount" in pod_set else ""
    return f"{pod_set['name']}:{least}{pod_set['count']}"


# --- sentences ------------------------------------------------------------------------------------


def conversion_words(conversion: Conversion) -> Iterator[str]:
    """Everything that is to be told besides the Workloads, a line each."""
    yield from refused_words(conversion)
    passed = [note for note in conversion.notes if note.code in _PASSED]
    for change in conversion.changes:
        yield f"{subject_words(change.subject)}: {change_words(change)}"
    for note in conversion.notes:
        if note.code not in _PASSED or len(passed) <= _FEW:
            yield f"{subject_words(note.subject)}: {note_words(note)}"
    if len(passed) > _FEW:
        yield from _passed_words(passed)


_PASSED: Mapping[str, str] = {
    "not-a-job": "Kueue makes no Workload of these kinds",
    "owned": "others, which they belong to, are queued instead",
    "part-of": "they share the Workload of what they are part of",
}
_FEW = 5
"""Objects passed by up to which each is told; beyond, only how many of a kind."""


def _passed_words(notes: Sequence[Note]) -> Iterator[str]:
    for code, why in _PASSED.items():
        kinds = Counter(note.subject.kind for note in notes if note.code == code)
        if kinds:
            told = joined(f"{number} {kind}" for kind, number in sorted(kinds.items()))
            yield f"Passed by, {why}: {told}"


def refused_words(conversion: Conversion) -> Iterator[str]:
    """The refusals, a line each."""
    for refusal in conversion.refusals:
        yield f"{subject_words(refusal.subject)}: {refusal_words(refusal)}"


def assumed_words(conversion: Conversion) -> Iterator[str]:
    """The notes that an answer about these Workloads rests on, a line each; of several names that could not
    be known, one for all."""
    made_up = [note for note in conversion.notes if note.code == "stand-in"]
    for note in conversion.notes:
        if note.code not in _SILENT and not (note.code == "stand-in" and len(made_up) > 1):
            yield f"{subject_words(note.subject)}: {note_words(note)}"
    if len(made_up) > 1:
        names = several([str(note.facts["name"]) for note in made_up], 2)
        told = f"the last five characters of {names} stand in for others"
        yield f"{len(made_up)} jobs have no uid yet, so {told}"


def subject_words(subject: Subject) -> str:
    """Kind and name of an object."""
    name = "/".join(filter(None, (subject.namespace, subject.name)))
    return f"{subject.kind or 'object'} {name}".rstrip()


def change_words(change: Change) -> str:
    """What Kueue writes, and where."""
    return f"Kueue sets {change.path} to {_shown(change.value)} ({CHANGES[change.code]})"


def refusal_words(refusal: Refusal) -> str:
    """What is wrong, where, and what comes of it."""
    made = RULES[refusal.code](refusal.facts)
    where = f"{refusal.path}: " if refusal.path else ""
    if refusal.severity == "refused":
        return f"refused ({refusal.code}): {where}{made}"
    return f"no Workload is made of it ({refusal.code}): {where}{made}"


def note_words(note: Note) -> str:
    """What the answer rests on, or why the object was passed by."""
    return NOTES[note.code](note.facts)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return joined(str(each["name"]) for each in value)
    return str(value)


Facts = Mapping[str, Any]
Words = Callable[[Facts], str]


def _said(text: str) -> Words:
    return lambda facts: text.format(**facts)


def _short(key: str) -> str:
    return key.removeprefix(_PREFIX)


# --- what is refused ------------------------------------------------------------------------------


def _name(facts: Facts) -> str:
    return f'"{facts["value"]}" is not a lower-case name of letters, digits, - and .'


def _prebuilt(facts: Facts) -> str:
    return f"a {facts['kind']} cannot use a prebuilt Workload" if "kind" in facts else _name(facts)


def _gate(facts: Facts) -> str:
    if "twice" in facts:
        return f'the gate "{facts["twice"]}" is named twice'
    return f'"{facts["value"]}" is not a gate: DOMAIN/PATH of at most 63 characters'


def _slice_size(facts: Facts) -> str:
    if "absent" in facts:
        return f"{_short(facts['absent'])} must be given too"
    return f'"{facts["value"]}" is not a size from 1 to the {facts["count"]} pods of the pod set'


def _layers(facts: Facts) -> str:
    match facts:
        case {"excludes": other}:
            return f"it cannot stand beside {_short(other)}"
        case {"wanted": wanted}:
            return f"it must be {wanted}"
        case {"topology": level}:
            return f'"{level}" is not a label key'
        case {"size": size, "divides": before}:
            return f"size {size} does not divide {before}, the size before it"
        case {"size": size, "count": count}:
            return f"the first size, {size}, is above the {count} pods of the pod set"
        case _:
            return f"size {facts['size']} is below 1"


def _group(facts: Facts) -> str:
    match facts:
        case {"value": value}:
            return f'"{value}" is a number, which no group may be called'
        case {"needs": needs}:
            return f"it needs {' or '.join(_short(key) for key in needs)}"
        case _:
            return f"it cannot stand beside {_short(facts['excludes'])}"


def _pair(facts: Facts) -> str:
    match facts:
        case {"group": group, "members": members}:
            return f'group "{group}" has {members} pod sets, not two'
        case {"group": group, "counts": counts}:
            return f'of group "{group}" no pod set has count 1 (they have {joined(map(str, counts))})'
        case _:
            return f"{joined(facts['differ'])} are one group, but ask for different topologies"


def _min_parallelism(facts: Facts) -> str:
    if "excludes" in facts:
        return "an elastic job has no least count"
    return f'"{facts["value"]}" is not a whole number above 0 and below the {facts["count"]} pods'


def _equal(facts: Facts) -> str:
    match facts:
        case {"value": value}:
            return f'"{value}" is neither true nor false'
        case {"mode": mode}:
            return f"completions can follow the parallelism in mode Indexed only, not {mode}"
        case _:
            return f"{facts['completions']} completions are not the parallelism, {facts['parallelism']}"


def _autoscaling(facts: Facts) -> str:
    if "needs" in facts:
        return f"autoscaling needs the annotation {_short(facts['needs'])}: true"
    return "autoscaling is not for a cluster that MultiKueue runs elsewhere"


def _ray_cluster(facts: Facts) -> str:
    if facts["given"] == "both":
        return "clusterSelector and rayClusterSpec exclude each other"
    return "neither clusterSelector nor rayClusterSpec is given"


def _pod_group(facts: Facts) -> str:
    match facts:
        case {"absent": absent}:
            return f"{_short(absent)} must be given too"
        case {"value": value, "group": group}:
            return f'the prebuilt Workload "{value}" is not called as the group, "{group}"'
        case _:
            return f'"{facts["value"]}" cannot be the name or the size of a group'


def _no_class(facts: Facts) -> str:
    return f'there is no {facts["kind"]} "{facts["name"]}"'


def _pod_sets(facts: Facts) -> str:
    if "twice" in facts:
        return f'two of its pod sets would be called "{facts["twice"]}"'
    count = facts["count"]
    return (
        f"it would have {count} pod sets, {facts['most']} at most are allowed" if count else "it has no pods"
    )


RULES: Mapping[str, Words] = {
    "schema": _said("{found} where {wanted} belongs"),
    "quantity": _said("a resource is no quantity: {fault}"),
    "no-name": _said("it has neither name nor generateName"),
    "JB01": _name,
    "JB02": _prebuilt,
    "JB03": _said('"{value}" is not a whole number of seconds above 0'),
    "JB04": _said("a {kind} cannot be elastic"),
    "JB06": _gate,
    "TA01": lambda facts: f"only one of {joined(_short(key) for key in facts['given'])} may be given",
    "TA02": _said('"{value}" is not a label key'),
    "TA03": _said('"{value}" is neither true nor false'),
    "TA04": _slice_size,
    "TA05": _layers,
    "TA06": _group,
    "TA07": _pair,
    "min-parallelism": _min_parallelism,
    "equal-completions": _equal,
    "elastic-topology": _said("an elastic job cannot ask for a topology"),
    "ray-autoscaling": _autoscaling,
    "ray-groups": _said("{groups} worker groups, {most} at most are allowed"),
    "ray-head": _said('no worker group may be called "head"'),
    "ray-cluster": _ray_cluster,
    "ray-shutdown": _said("it must be true: the cluster has to end with the job"),
    "spark-mode": _said('the mode must be "cluster", not "{mode}"'),
    "spark-dynamic": _said("dynamic allocation changes the number of executors, which Kueue must know"),
    "train-runtime": _said("it names no runtime"),
    "pod-managed": _said('the label can only be "true", not "{value}"'),
    "pod-group": _pod_group,
    "lws-replicas": _said("{replicas} replicas, {most} at most are allowed"),
    "group-queues": lambda facts: (
        f'the pods of group "{facts["group"]}" name different queues: {_names(facts["queues"])}'
    ),
    "group-counts": lambda facts: (
        f'the pods of group "{facts["group"]}" name different sizes: {joined(map(str, facts["counts"]))}'
    ),
    "group-incomplete": _said('group "{group}" has {pods} of its {total} pods'),
    "group-index": _said('a pod of group "{group}" has index {index}, the last is below {total}'),
    "pod-sets": _pod_sets,
    "no-class": _no_class,
}
"""Each rule's code, and what is said of an object that breaks it."""


def _names(names: Sequence[str]) -> str:
    return joined(name or "none" for name in names)


# --- what is changed ------------------------------------------------------------------------------

CHANGES: Mapping[str, str] = {
    "queue-defaulted": "the namespace has a LocalQueue of this name",
    "suspended": "so that it waits for admission",
    "managed-by": "the ClusterQueue sends it to another cluster",
    "managed": "so that it is known as Kueue's",
    "finalizer": "so that it stays until Kueue has counted it",
    "gated": "so that it waits for admission",
    "template-label": "for its pods",
    "template-annotation": "for its pods",
}
"""Each change's code, and why it is made."""


# --- what is assumed ------------------------------------------------------------------------------


def _stand_in(facts: Facts) -> str:
    more = f" (and {facts['more']} more)" if facts["more"] > 0 else ""
    return f"it has no uid yet, so the last five characters of {facts['name']}{more} stand in for others"


def _class_unknown(facts: Facts) -> str:
    return f'the value of {facts["kind"]} "{facts["name"]}" is not known, the Workload names no priority'


NOTES: Mapping[str, Words] = {
    "not-a-job": _said("passed by, Kueue makes no Workload of this kind ({version})"),
    "left-alone": _said("passed by, Kueue leaves namespace {namespace} alone"),
    "cluster-selector": _said("passed by, it runs on a cluster that it selects, and Kueue leaves it alone"),
    "part-of": _said("passed by, it is part of a {parent}, which has one Workload for all its pods"),
    "owned": _said("passed by, {owner} is queued instead"),
    "unmanaged": _said(
        "passed by, it has no label kueue.x-k8s.io/queue-name, and its namespace no LocalQueue "
        '"default" that it could have got when it was created'
    ),
    "no-queue": _said(
        "it has no label kueue.x-k8s.io/queue-name: Kueue makes a Workload only if the namespace has a "
        'LocalQueue "default" or manageJobsWithoutQueueName is on'
    ),
    "gate-off": _said("Kueue makes a Workload only with the feature gate {gate}, which is off by default"),
    "runtime-unknown": _said(
        'what it runs is written in {kind} "{name}": pass that too, without it there is no Workload to show'
    ),
    "component-unread": _said("a component of kind {kind} declares no podSets and is not counted"),
    "pods-there": _said("each of its {pods} pods among the objects has a Workload of its own"),
    "no-replicas": _said("it has no replicas, so there is no Workload"),
    "not-all": _said("only the first {made} of {replicas} replicas are shown, the others are like them"),
    "already-there": _said("its Workload {name} is there already"),
    "stand-in": _stand_in,
    "running": _said(
        "it runs, and its Workload is not known: node labels, tolerations and counts may be Kueue's"
    ),
    "prebuilt": _said("it uses the Workload {name}, which is there already"),
    "class-unknown": _class_unknown,
}
"""Each note's code, and what it says."""

"""A snapshot under other names: the same equalities, the same order, so the same verdicts.

A name is cut at its punctuation into pieces, and every piece gets a code of its own. All codes are equally
long and sorted like the pieces, and punctuation sorts before letters and digits, so that "a", "a-b", "ab" and
"a/x", "a-b/x" keep their order whichever way they are compared. Uids are numbered in their order.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from kubectl_kueue.model import carried
from kubectl_kueue.model.config import Configuration
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.shape import Role, Visit, renamed, shape_of
from kubectl_kueue.model.texts import Texts
from kubectl_kueue.model.trim import shape_for

PIECE = re.compile(r"[0-9A-Za-z_\u0080-\U0010ffff]+")
"""What gets one code: a run of anything but ASCII punctuation, space and controls."""

POD_SETS = frozenset(
    """main driver executor head launcher leader master ps chief evaluator worker workers submitter
    rayjob-submitter trainer-node node""".split()  # noqa: SIM905
)
"""Names that job kinds give to their podSets. They stay if a snapshot has no other ones."""

POD_SET_LABEL = "kueue.x-k8s.io/podset"


class Redacted(NamedTuple):
    """The document under new names, and what was called what: `names` old -> new as they stand in it."""

    document: dict[str, Any]
    names: Mapping[str, str]
    uids: Mapping[str, str]
    pieces: Mapping[str, str]
    dropped: int


def redact(document: Mapping[str, Any]) -> Redacted:
    """Rename everything in a snapshot document (one that trim has built) that somebody has named.

    What stays is in docs/snapshots.md.
    """
    found = _Collected(document)
    pieces = dict(zip(found.pieces, _codes(found.pieces), strict=True))
    uids = {uid: f"00000000-0000-4000-8000-{i:012x}" for i, uid in enumerate(sorted(found.uids), 1)}
    names = {name: _recoded(name, pieces) for name in sorted(found.names)}

    def known(word: str) -> str | None:
        return names.get(word) or uids.get(word)

    texts = Texts(known, found.plain.__contains__)

    def visit(role: Role, key: str, text: str) -> str:
        match found.role(role, key, text):
            case "name":
                return names[text] if text else text
            case "uid":
                return uids.get(text, text)
            case "text":
                return texts.replace(text) if text else text
            case "image":
                return f"kueue:{_tag(text)}"
            case "drop":
                return ""
        return text

    new = _walked(document, visit, explicit=not found.plain_pod_sets)
    new.pop("name", None)
    new["missing"] = {kind: texts.replace(why) for kind, why in document.get("missing", {}).items()}
    new["notes"] = [texts.replace(note) for note in document.get("notes", ())]
    return Redacted(new, names, uids, pieces, texts.dropped)


# --- what is in it ----------------------------------------------------------------------------------


class _Collected:
    """Everything that will need a new name, found by walking through once."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.names: set[str] = set()
        self.uids: set[str] = set()
        self.plain: set[str] = set()
        self.numeric = {key for each in document["objects"] for key in _compared_keys(each)}
        self.plain_pod_sets = False
        pod_sets: set[str] = set()

        def collect(role: Role, key: str, text: str) -> str:
            what = self.role(role, key, text)
            if role == "podset" or key == POD_SET_LABEL:
                pod_sets.add(text)
            elif what == "name" and text:
                self.names.add(text)
            elif what == "uid" and text:
                self.uids.add(text)
            elif what == "keep":
                self.plain.add(text)
            return text

        _walked(document, collect)
        self.plain_pod_sets = pod_sets <= POD_SETS
        if self.plain_pod_sets:
            self.plain |= pod_sets
        else:
            self.names |= pod_sets | {"main"}
        for each in document["objects"]:
            self.plain.update(_plain_words(each))
        self.plain -= self.names
        self.pieces = sorted({piece for name in self.names for piece in PIECE.findall(name)})

    def role(self, role: Role, key: str, text: str) -> Role:
        """What a text is, now that labels have their keys and words have been looked at."""
        match role:
            case "labels":
                role = _label_role(key, text, self.numeric)
            case "annotations":
                role = _ANNOTATION_ROLES.get(key) or _annotation_role(key, text)
            case "word":
                return "keep" if _WORD.fullmatch(text) or not text else "name"
            case "component":
                return "keep" if _COMPONENT.fullmatch(text) or not text else "name"
        if role == "podset":
            return "keep" if self.plain_pod_sets else "name"
        return role


_WORD = re.compile(r"(?:[a-z0-9.-]+k8s\.io/)?[A-Z][A-Za-z0-9]{0,80}")
_COMPONENT = re.compile(
    r"(?:[a-z0-9-]+\.)*(?:x-)?k8s\.io/[a-z0-9./-]+|(?:[a-z0-9-]+\.)*kubernetes\.io/[a-z0-9./-]+"
    r"|foregroundDeletion|orphan|kueue|kueue-(?:admission|controller-manager|[a-z]{1,9}-controller)"
    r"|(?:batch/job|[a-z]{0,9}job|pod|statefulset|deployment|jobset|leaderworkerset|raycluster|rayservice"
    r"|appwrapper|sparkapplication)-kueue-controller|default-scheduler|kubelet"
    r"|job-controller|cronjob-controller|replicaset-controller|deployment-controller|statefulset-controller"
    r"|node-controller|taint-eviction-controller|cluster-autoscaler|karpenter|jobset|jobset-controller"
)
# Values of these say nothing about whose cluster it is.
_PLAIN_LABELS = frozenset(
    {
        "kubernetes.io/arch",
        "kubernetes.io/os",
        "beta.kubernetes.io/arch",
        "beta.kubernetes.io/os",
        "node.kubernetes.io/instance-type",
        "beta.kubernetes.io/instance-type",
        "cloud.google.com/gke-accelerator",
        "cloud.google.com/gke-accelerator-count",
        "cloud.google.com/gke-tpu-accelerator",
        "cloud.google.com/gke-tpu-topology",
        "nvidia.com/gpu.count",
        "nvidia.com/gpu.family",
        "nvidia.com/gpu.memory",
        "nvidia.com/gpu.product",
    }
)
_UID_LABELS = frozenset(
    {
        "kueue.x-k8s.io/job-uid",
        "kueue.x-k8s.io/multikueue-origin-uid",
        "batch.kubernetes.io/controller-uid",
        "controller-uid",
    }
)
_NAMING_ANNOTATIONS = (
    "admission-gated-by",
    "concurrent-admission-parent",
    "job-owner-name",
    "pod-group-name",
    "podset-group-name",
    "prebuilt-workload-name",
    "queue-name",
    "role-hash",
    "tas",
    "workload",
    "workload-allowed-resource-flavors",
    "workload-slice-name",
    "workload-slice-replacement-for",
)
_ANNOTATION_ROLES: Mapping[str, Role] = {
    **{f"kueue.x-k8s.io/{name}": "name" for name in _NAMING_ANNOTATIONS},
    POD_SET_LABEL: "podset",
}
# Their values are keys of labels, or kinds of the API.
_KEYED_ANNOTATIONS = frozenset(
    f"kueue.x-k8s.io/{name}"
    for name in (
        "job-owner-gvk",
        "pod-group-pod-index-label",
        "podset-preferred-topology",
        "podset-required-topology",
        "podset-slice-required-topology",
        "podset-slice-required-topology-constraints",
    )
)
_SWITCH = re.compile(r"|true|false|-?[0-9]{1,18}")
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_INDEX = re.compile(r"[0-9]{1,7}")


def _label_role(key: str, text: str, numeric: set[str]) -> Role:
    if key in _UID_LABELS:
        return "uid"
    if key == POD_SET_LABEL:
        return "podset"
    if key in _PLAIN_LABELS or text in ("", "true", "false"):
        return "keep"
    if key.endswith("-index") and _INDEX.fullmatch(text):
        return "keep"
    return "keep" if key in numeric and _INTEGER.fullmatch(text) else "name"


def _annotation_role(key: str, text: str) -> Role:
    """Of the others a switch or a number stays, and an integration's name; nobody checks what is there."""
    known = key in _KEYED_ANNOTATIONS or text in FRAMEWORKS.values()
    return "keep" if known or _SWITCH.fullmatch(text) else "name"


def _compared_keys(value: Any) -> Iterator[str]:
    """Keys of labels that something compares as numbers (Gt, Lt)."""
    if isinstance(value, list):
        for each in value:
            yield from _compared_keys(each)
    elif isinstance(value, dict):
        if value.get("operator") in ("Gt", "Lt") and isinstance(value.get("key"), str):
            yield value["key"]
        for each in value.values():
            if isinstance(each, dict | list):
                yield from _compared_keys(each)


_RESOURCE_MAPS = frozenset(
    {"requests", "limits", "allocatable", "capacity", "overhead", "podFixed", "resourceUsage", "resources"}
)


def _plain_words(value: Any, inside: str = "") -> Iterator[str]:
    """Keys of labels and names of resources: words of a text that stay."""
    if isinstance(value, list):
        for each in value:
            yield from _plain_words(each, inside)
    elif isinstance(value, dict):
        if inside in _RESOURCE_MAPS or inside in ("labels", "nodeLabels", "nodeSelector", "matchLabels"):
            yield from value
        for key, each in value.items():
            if isinstance(each, dict | list):
                yield from _plain_words(each, key)


# --- new names --------------------------------------------------------------------------------------

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _codes(pieces: list[str]) -> list[str]:
    """One code a piece, in the order of the pieces, none of which is a piece itself."""
    width = 1
    while 26**width < len(pieces):
        width += 1
    taken = set(pieces)
    for start in ("x", "q", "z", "xq", "qz", "zx", "xqz", "qzx", "zqxj"):
        codes = [start + _spelled(number, width) for number in range(len(pieces))]
        if taken.isdisjoint(codes):
            return codes
    return [f"zqxjq{_spelled(number, width + 1)}" for number in range(len(pieces))]


def _spelled(number: int, width: int) -> str:
    letters = []
    for _ in range(width):
        number, rest = divmod(number, 26)
        letters.append(_LETTERS[rest])
    return "".join(reversed(letters))


def _recoded(name: str, pieces: Mapping[str, str]) -> str:
    return PIECE.sub(lambda found: pieces[found[0]], name)


_TAG = re.compile(r":(v?[0-9]+(?:\.[0-9]+){0,2}[0-9A-Za-z.-]{0,20})(?:@.*)?$")


def _tag(image: str) -> str:
    found = _TAG.search(image)
    return found[1] if found else "unknown"


# --- the walk ---------------------------------------------------------------------------------------


def _walked(document: Mapping[str, Any], visit: Visit, explicit: bool = False) -> dict[str, Any]:
    """The document with every text put through `visit`; `explicit`: podSets get the name that they have when
    they have none."""
    objects = []
    for each in document["objects"]:
        shape = shape_for(each)
        if shape is None:
            continue
        if explicit and each.get("kind") == "Workload":
            each = _with_pod_set_names(each)
        rest = {key: value for key, value in each.items() if key not in ("apiVersion", "kind")}
        head = {key: each[key] for key in ("apiVersion", "kind") if key in each}
        objects.append({**head, **renamed(shape, rest, visit)})
    new = {**document, "objects": objects}
    for field, type_ in (("config", Configuration), ("kueue", carried.KueueFound)):
        if field in document:
            new[field] = renamed(shape_of(type_), document[field], visit)
    return new


def _with_pod_set_names(workload: dict[str, Any]) -> dict[str, Any]:
    workload = dict(workload)
    for part, *path in (("spec", "podSets"), ("status", "admission", "podSetAssignments")):
        if isinstance(workload.get(part), dict):
            workload[part] = _named_in(workload[part], path)
    return workload


def _named_in(value: dict[str, Any], path: list[str]) -> dict[str, Any]:
    key, *rest = path
    inner = value.get(key)
    if rest:
        return {**value, key: _named_in(inner, rest)} if isinstance(inner, dict) else value
    if not isinstance(inner, list):
        return value
    return {**value, key: [{"name": "main", **each} for each in inner]}

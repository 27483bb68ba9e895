"""What doctor looks at, from a live cluster or from files: everything that can be read, and what cannot."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from kubectl_kueue.cli.contents import (
    DEVICES,
    LIVE_PODS,
    WORLD,
    claims_devices,
    configuration_in,
    has_topology,
    narrowed,
)
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.cluster.kinds import KUEUE, Kind, kind_named
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.config import CONFIG_GROUP

if TYPE_CHECKING:
    from kubectl_kueue.cluster.probe import Answer, Question
    from kubectl_kueue.cluster.server import Server
    from kubectl_kueue.doctor.evidence import Evidence
    from kubectl_kueue.model.world import World

_WORLD = (*WORLD, "Node")
"""Pods are asked for later: all, or those with a queue."""

_ANYWHERE = ("APIService", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
_OWN = (
    "Service",
    "EndpointSlice",
    "Secret",
    "Pod",
    "Event",
    "ConfigMap",
    "CustomResourceDefinition",
    *_ANYWHERE,
)
_QUEUE_NAME = "kueue.x-k8s.io/queue-name"

Values = dict[str, list[Mapping[str, Any]]]


def gather(session: Session) -> "Evidence":
    """Everything that the checks may look at. Raises KueueError if nothing can be read at all."""
    return _from_files(session) if session.flags.snapshot is not None else _from_server(session)


# --- a live cluster -----------------------------------------------------------------------------


def _from_server(session: Session) -> "Evidence":
    from kubectl_kueue.cluster import probe
    from kubectl_kueue.cluster.server import Server
    from kubectl_kueue.doctor.evidence import Evidence
    from kubectl_kueue.doctor.installation import CRDS

    # Reading in an old version is meant: its warnings would only confuse.
    server = Server(session.server().connection)
    server.raw("/version")
    now = session.source().now
    home = session.flags.namespace or server.namespace
    answers = probe.ask(server, _first_questions(home, [f"{plural}.{KUEUE}" for plural in CRDS]))
    namespace = Evidence(now, True, _values(answers), *_refusals(answers, home)).namespace
    answers += probe.ask(server, _second_questions(answers, namespace, home))

    objects = _values(answers)
    missing, partly = _refusals(answers, home)
    _add_definitions(server, objects)
    world, fault = _live_world(answers, missing, partly, now)
    configuration, absent = _configuration(objects, missing)
    missing |= {name: why for name, why in (("World", fault), ("Configuration", absent)) if why}
    return Evidence(
        now=now,
        live=True,
        objects=objects,
        missing=missing,
        partly=partly,
        world=world,
        configuration=configuration,
        **_probed(server, namespace, missing),
    )


def _add_definitions(server: "Server", objects: Values) -> None:
    """CustomResourceDefinitions that were not asked for by name, by their metadata."""
    from kubectl_kueue.cluster import probe

    known = objects.setdefault("CustomResourceDefinition", [])
    seen = {name_of(each) for each in known}
    for page in probe.created(server):
        known.extend(each for each in _items(page) if name_of(each) not in seen)


def _probed(server: "Server", namespace: str, missing: dict[str, str]) -> dict[str, Any]:
    """What no object tells; what cannot be known goes to `missing`."""
    from kubectl_kueue.cluster import probe
    from kubectl_kueue.doctor.installation import CONVERTED

    figures, unread = probe.metrics(server, namespace)
    if unread:
        missing["metrics"] = unread
    converted = probe.converts(server, CONVERTED, "v1beta1")
    if not converted:
        missing["conversion"] = "no object of an older version may be read, or there is none"
    visibility = probe.serves_visibility(server)
    if visibility == "forbidden":
        missing["visibility"] = visibility
    return {"conversion": converted, "visibility": visibility, "metrics": figures}


def _first_questions(home: str, definitions: Sequence[str]) -> "list[Question]":
    from kubectl_kueue.cluster.probe import CRD, MORE_KINDS, Question
    from kubectl_kueue.model.manager import MANAGER_LABELS

    kinds = {each.kind: each for each in MORE_KINDS}
    jobs = [each for each in MORE_KINDS if each.namespaced and each.group not in ("", "discovery.k8s.io")]
    jobs += [kind_named("Job"), kind_named("StatefulSet")]
    return [
        *(Question(CRD, names=(name,)) for name in definitions),
        *(Question(kinds[name]) for name in _ANYWHERE),
        Question(kind_named("Deployment"), labels=MANAGER_LABELS, home="kueue-system"),
        Question(kind_named("Deployment"), labels=_QUEUE_NAME, home=home),
        *(Question(kind_named(name), home=home) for name in _WORLD),
        *(Question(kind, home=home, labels="" if _is_owner(kind) else _QUEUE_NAME) for kind in jobs),
        Question(kind_named("Event"), home=home, fields="reason=ErrWorkloadCompose"),
    ]


def _is_owner(kind: Kind) -> bool:
    """Kinds that are read in full, as they may own Workloads without naming a queue themselves."""
    return kind.kind not in ("StatefulSet", "Deployment")


def _second_questions(answers: "Sequence[Answer]", namespace: str, home: str) -> "list[Question]":
    """What to ask depends on what was answered: Kueue's namespace, whether places and devices matter."""
    from kubectl_kueue.cluster.probe import MORE_KINDS, Question
    from kubectl_kueue.model.manager import config_map_of, manager_among

    kinds = {each.kind: each for each in MORE_KINDS}
    pages = {answer.kind.kind: answer.pages for answer in answers}
    placed = any(has_topology("ResourceFlavor", page) for page in pages["ResourceFlavor"])
    claimed = any(claims_devices("Workload", page) for page in pages["Workload"])
    deployments = [msgspec.json.encode(each) for each in _values(answers).get("Deployment", ())]
    manager = manager_among(deployments)
    place = (namespace, "kueue-manager-config") if manager is None else config_map_of(manager)
    pod = kind_named("Pod")
    return [
        Question(kinds["Service"], namespace),
        Question(kinds["EndpointSlice"], namespace),
        Question(pod, namespace, labels="app.kubernetes.io/name=kueue"),
        Question(pod, home=home, fields=LIVE_PODS, labels="" if placed else _QUEUE_NAME),
        Question(kind_named("ConfigMap"), place[0], names=(place[1],)),
        *(Question(kind_named(name), home=home) for name in (DEVICES if claimed else ())),
    ]


def _values(answers: "Iterable[Answer]") -> Values:
    """Objects by kind, each once."""
    found: Values = {}
    seen: set[tuple[str, str]] = set()
    for answer in answers:
        values = found.setdefault(answer.kind.kind, [])
        for page in answer.pages:
            for value in _items(page):
                key = (answer.kind.kind, name_of(value))
                if key not in seen:
                    seen.add(key)
                    values.append(value)
    return found


def _items(page: bytes) -> Iterator[dict[str, Any]]:
    from kubectl_kueue.cli.live import items_of

    return (msgspec.json.decode(raw) for raw in items_of(page))


def _refusals(answers: "Iterable[Answer]", home: str) -> tuple[dict[str, str], dict[str, str]]:
    """Kinds that could not be read at all, and in part; a kind that was asked for twice is read if one of
    the answers came. A kind of jobs that is not served has no objects."""
    missing: dict[str, str] = {}
    partly: dict[str, str] = {}
    answered: set[str] = set()
    for answer in answers:
        name = answer.kind.kind
        if answer.partly:
            partly[name] = home
        elif answer.refusal and not (answer.refusal == "not served" and _may_be_absent(answer.kind)):
            missing[name] = answer.refusal
        else:
            answered.add(name)
    return {name: why for name, why in missing.items() if name not in answered | partly.keys()}, partly


def _may_be_absent(kind: Kind) -> bool:
    return kind.group != KUEUE and kind.kind not in _OWN


def _live_world(
    answers: "Sequence[Answer]", missing: Mapping[str, str], partly: Mapping[str, str], now: int
) -> "tuple[World | None, str]":
    from kubectl_kueue.model.decode import decode_live

    read = {*_WORLD, *DEVICES, "Pod", "Deployment", "ConfigMap"}
    documents = [
        RawDocument(f"the cluster's {answer.kind.plural}", 1, 0, page)
        for answer in answers
        if answer.kind.kind in read
        for page in answer.pages
    ]
    outside = {kind: narrowed(home) for kind, home in partly.items()}
    unread = {kind: why for kind, why in {**outside, **missing}.items() if kind in read}
    try:
        return decode_live(documents, now=now, missing=unread), ""
    except InputError as error:
        return None, str(error)


# --- files --------------------------------------------------------------------------------------


def _from_files(session: Session) -> "Evidence":
    from kubectl_kueue.cli.filed import FileSource
    from kubectl_kueue.doctor.evidence import NEEDS_CLUSTER, NOT_IN_DATA, Evidence

    source = session.source()
    assert isinstance(source, FileSource)
    objects: Values = {}
    for value in source.everything().documents:
        objects.setdefault(value["kind"], []).append(value)
    world, fault = _filed_world(source)
    missing = dict(world.missing) if world is not None else {"World": fault}
    if not any(objects.get(kind) for kind in ("ClusterQueue", "LocalQueue", "Workload", "ResourceFlavor")):
        missing |= dict.fromkeys(
            ("ClusterQueue", "LocalQueue", "Workload", "Cohort", "ResourceFlavor"), NOT_IN_DATA
        )
    for kind in ("Node", "Namespace", "Deployment", "Job", *_OWN):
        if not objects.get(kind):
            missing.setdefault(kind, NOT_IN_DATA)
    for webhooks in _ANYWHERE[1:]:
        if objects.get(webhooks):
            missing = {kind: why for kind, why in missing.items() if kind not in _ANYWHERE[1:]}
    configuration, why = _configuration(objects, {"ConfigMap": NOT_IN_DATA})
    told = source.told_settings()
    if configuration is None and "integrations" in told:
        configuration = told
    if configuration is None:
        missing["Configuration"] = why
    missing |= dict.fromkeys(("metrics", "conversion", "visibility"), NEEDS_CLUSTER)
    return Evidence(
        now=source.now,
        objects=objects,
        missing=missing,
        world=world,
        configuration=configuration,
        age_counts=world is None or not world.steady,
    )


def _filed_world(source: Any) -> "tuple[World | None, str]":
    try:
        return source.world(), ""
    except InputError as error:
        return None, str(error)


# --- both ---------------------------------------------------------------------------------------


def _configuration(objects: Values, missing: Mapping[str, str]) -> "tuple[Mapping[str, Any] | None, str]":
    """Kueue's Configuration as it is written, and why it could not be found."""
    for value in objects.get("Configuration", ()):
        if str(value.get("apiVersion")).startswith(f"{CONFIG_GROUP}/"):
            return value, ""
    try:
        found = [each for value in objects.get("ConfigMap", ()) if (each := configuration_in(value))]
    except InputError as error:
        return None, str(error)
    if found:
        return found[0], ""
    return None, missing.get("ConfigMap", "there is no ConfigMap with it")


def name_of(value: Mapping[str, Any]) -> str:
    """ "namespace/name", or "name"."""
    meta = value.get("metadata") or {}
    return "/".join(str(part) for part in (meta.get("namespace"), meta.get("name")) if part)

"""What does a pod ask for? Its requests, with what LimitRanges and a RuntimeClass add, in canonical units."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.pods import PodSet
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import amount, dig, elements, mapping, word
from kubectl_kueue.model.pod_requests import Exact, requests_of_pod, with_defaults
from kubectl_kueue.model.quantity import to_int

Amounts = dict[str, int]
"""Resource -> canonical units."""


class Ask(NamedTuple):
    """Equal pods, what one of them asks for, and which LimitRange made it ask for what it does not say."""

    pods: PodSet
    each: Amounts
    defaulted: Mapping[str, str]


class Defaults(NamedTuple):
    """What the LimitRanges of a namespace add to containers or pods, and which of them by resource."""

    requests: dict[str, Any]
    limits: dict[str, Any]
    sources: dict[str, str]


def ask_of(pods: PodSet, scene: Scene, namespace: str) -> Ask:
    """What each of the pods asks for, as the engine counts it."""
    defaults = defaults_of(scene, namespace)
    spec = mapping(pods.template, "spec")
    defaulted: dict[str, str] = {}
    exact = requests_of_pod(
        [_filled(each, defaults, defaulted) for _, each in elements(spec, "containers")],
        [
            (_filled(each, defaults, defaulted), word(each, "restartPolicy") == "Always")
            for _, each in elements(spec, "initContainers")
        ],
        _of_pod(spec, defaults_of(scene, namespace, "Pod"), defaulted),
        _exact(mapping(spec, "overhead") or _overhead(spec, scene)),
    )
    return Ask(pods, {name: max(0, to_int(name, exact[name])) for name in sorted(exact)}, defaulted)


def _of_pod(spec: dict[str, Any], defaults: Defaults, defaulted: dict[str, str]) -> Exact:
    return _filled(spec, defaults, defaulted) if isinstance(dig(spec, "resources"), dict) else {}


def _filled(holder: dict[str, Any], defaults: Defaults, defaulted: dict[str, str]) -> Exact:
    """The requests of a container or pod with its defaults; takes down in `defaulted` where they are from."""
    requests, limits = mapping(holder, "resources", "requests"), mapping(holder, "resources", "limits")
    for name, source in defaults.sources.items():
        if name not in requests and (name in defaults.requests or name not in limits):
            defaulted[name] = source
    return _exact(with_defaults(requests, limits, defaults.requests, defaults.limits))


def _exact(values: Mapping[str, Any]) -> Exact:
    return {name: nano for name, value in values.items() if (nano := amount(value)) is not None}


def _overhead(spec: dict[str, Any], scene: Scene) -> dict[str, Any]:
    name = word(spec, "runtimeClassName")
    runtime_class = scene.find("RuntimeClass", name) if name else None
    return {} if runtime_class is None else mapping(runtime_class.value, "overhead", "podFixed")


def defaults_of(scene: Scene, namespace: str, kind: str = "Container") -> Defaults:
    """What the LimitRanges of a namespace make those ask for that say nothing; the first by name wins."""
    known: dict[tuple[str, str], Defaults] = scene.memo.setdefault("defaults", {})
    found = known.get((namespace, kind))
    if found is None:
        found = known[namespace, kind] = Defaults({}, {}, {})
        for source, limit in limits_of(scene, namespace, kind):
            for field, into in (("defaultRequest", found.requests), ("default", found.limits)):
                for name, value in mapping(limit, field).items():
                    into.setdefault(name, value)
                    found.sources.setdefault(name, f"{namespace}/{source.name}")
    return found


def limits_of(scene: Scene, namespace: str, kind: str = "Container") -> Iterator[tuple[Item, dict[str, Any]]]:
    """The limits of one type in a namespace, with their LimitRanges, by name."""
    for source in sorted(scene.within("LimitRange", namespace), key=lambda item: item.name):
        for _, limit in elements(source.spec, "limits"):
            if word(limit, "type") == kind:
                yield source, limit

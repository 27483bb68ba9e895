"""Taints and tolerations as they stand on a command line.

taint       KEY[=VALUE]:EFFECT
toleration  KEY[=VALUE][:EFFECT]  or  :EFFECT  or  : (every taint)
"""

from collections.abc import Iterable
from typing import NamedTuple

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.model.labels import is_label_key, is_label_value

EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")

Fields = dict[str, str]


def read_taints(elements: Iterable[str]) -> list[Fields]:
    """Taints as they stand in a ResourceFlavor. Raises ConfigError, also if key and effect repeat."""
    taints: list[Fields] = []
    seen: set[tuple[str, str]] = set()
    for element in elements:
        parts = _split(element, "taint")
        if not parts.has_effect:
            raise ConfigError(f"invalid taint spec: {element}")
        _check(parts, element, "taint")
        if (parts.key, parts.effect) in seen:
            fields = f"{parts.key} {parts.value} {parts.effect} <nil>"
            raise ConfigError(f"duplicated taints with the same key and effect: {{{fields}}}")
        seen.add((parts.key, parts.effect))
        taints.append(_present(key=parts.key, value=parts.value, effect=parts.effect))
    return taints


def read_tolerations(elements: Iterable[str]) -> list[Fields]:
    """Tolerations as they stand in a ResourceFlavor. Raises ConfigError.

    A nonempty key with a nonempty value makes `Equal`, everything else `Exists`.
    """
    return [_toleration(element) for element in elements]


def _toleration(element: str) -> Fields:
    parts = _split(element, "toleration")
    # An empty element would tolerate everything: a trailing comma must not do that.
    if not element or (parts.value and not parts.key):
        raise ConfigError(f"invalid toleration spec: {element}")
    _check(parts, element, "toleration")
    operator = "Equal" if parts.key and parts.value else "Exists"
    return _present(key=parts.key, operator=operator, value=parts.value, effect=parts.effect)


class _Parts(NamedTuple):
    key: str
    value: str
    effect: str
    has_effect: bool


def _split(element: str, sort: str) -> _Parts:
    pair, colon, effect = element.partition(":")
    key, _, value = pair.partition("=")
    if ":" in effect or "=" in value:
        raise ConfigError(f"invalid {sort} spec: {element}")
    return _Parts(key, value, effect, bool(colon))


def _check(parts: _Parts, element: str, sort: str) -> None:
    """An effect is optional in a toleration only; its error says "taint" there too, as in kueuectl."""
    if parts.effect not in EFFECTS and (parts.effect or sort == "taint"):
        raise ConfigError(f"invalid taint effect: {parts.effect}, unsupported taint effect")
    if not is_label_value(parts.value):
        raise ConfigError(f'invalid {sort} spec: {element}, "{parts.value}" is not a label value')
    if not is_label_key(parts.key) and (parts.key or sort == "taint"):
        raise ConfigError(f'invalid {sort} spec: {element}, "{parts.key}" is not a label key')


def _present(**fields: str) -> Fields:
    return {name: value for name, value in fields.items() if value}

"""Kueue's Configuration: names in it that Kueue does not know."""

from collections.abc import Iterator
from difflib import get_close_matches

from kubectl_kueue.lint.found import Found, found
from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.lint.values import mapping, sequence
from kubectl_kueue.model.config import GATE_DEFAULTS, SILENT_FIELDS, SILENT_GATES, unknown_settings
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.pointer import pointer
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.unknown import dotted

_NAMES = frozenset(FRAMEWORKS.values())
_GATES = sorted({*GATE_DEFAULTS, *SILENT_GATES})


def check_configuration(item: Item, scene: Scene) -> Iterator[Found]:
    """Fields, integrations and gates that are ignored, or that keep Kueue from starting."""
    for path in sorted(unknown_settings(item.value), key=str):
        name = dotted(path)
        near = get_close_matches(name, _FIELDS, n=1)
        yield found("config-field", pointer(*path), field=bare(name, 120), near=near[0] if near else "")
    listed = sequence(item.value, "integrations", "frameworks")
    for index, name in enumerate(listed):
        if isinstance(name, str) and name.lower() not in _NAMES:
            near = get_close_matches(name.lower(), _NAMES, n=1)
            where = pointer("integrations", "frameworks", index)
            yield found("config-framework", where, name=bare(name, 80), near=near[0] if near else "")
    for name in mapping(item.value, "featureGates"):
        if name not in GATE_DEFAULTS and name not in SILENT_GATES:
            near = get_close_matches(name, _GATES, n=1)
            yield found(
                "config-gate", pointer("featureGates", name), name=bare(name), near=near[0] if near else ""
            )


_FIELDS = sorted(
    {*SILENT_FIELDS, "fairSharing", "admissionFairSharing", "waitForPodsReady", "resources", "featureGates"}
)

"""How is Kueue itself configured, as far as the objects of a snapshot tell?

Its Configuration stands in a ConfigMap (as YAML text) or as an object of its own; feature gates also
stand in the command line of the manager's Deployment. What a snapshot says about itself goes first.
What may be decided otherwise than here (another release, settings of a newer one) is noted.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.config import (
    CONFIG_GROUP,
    GATE_DEFAULTS,
    SILENT_GATES,
    Configuration,
    setting_notes,
)
from kubectl_kueue.model.documents import Parcel
from kubectl_kueue.model.faults import find_fault, without_nulls
from kubectl_kueue.model.manager import gates_of, image_of
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.syntax import check_syntax

SETTING_KINDS = frozenset({"ConfigMap", "Deployment", "Configuration"})


@dataclass(slots=True)
class Settings:
    """What was found: the Configuration and where, and gates of the manager's command line."""

    config: Configuration | None = None
    place: str = ""
    gates: dict[str, bool] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def read(self, kind: str, api_version: str, raw: msgspec.Raw, place: str, parcel: Parcel) -> None:
        """Look into an object of one of SETTING_KINDS. Raises InputError for a wrong Configuration."""
        if kind == "Configuration":
            if api_version.startswith(f"{CONFIG_GROUP}/"):
                self._take(msgspec.json.decode(raw), place, "")
        elif kind == "Deployment":
            self.gates.update(gates_of(bytes(raw)))
            self._note(*other_release(bytes(raw)))
        elif CONFIG_GROUP.encode() in bytes(raw):
            for key, text in _texts(raw):
                value = parcel.document.parse(text)
                if isinstance(value, dict) and value.get("kind") == "Configuration":
                    self._take(value, place, f"/data/{bare(key)}")

    def _take(self, value: dict[str, Any], place: str, pointer: str) -> None:
        config = _configuration(value, place, pointer)
        if self.config is not None and self.config != config:
            raise InputError(f"{place}: a Kueue Configuration that differs from the one in {self.place}")
        self.config, self.place = config, place
        self._note(*setting_notes(value))

    def _note(self, *notes: str) -> None:
        self.notes.extend(note for note in notes if note not in self.notes)


def unknown_gates(gates: Mapping[str, bool]) -> list[str]:
    """Names that Kueue v0.19.2 does not know, sorted."""
    return sorted(name for name in gates if name not in GATE_DEFAULTS and name not in SILENT_GATES)


def other_release(deployment: bytes) -> Iterator[str]:
    """That Kueue's manager is of another minor release than the simulated one, if its image says so."""
    found = _VERSION.search(image_of(deployment))
    if found and found[1] != "0.19":
        version = bare(found[0].removeprefix(":"), 40)
        yield f"the cluster runs Kueue {version}, which may decide otherwise than v0.19.2"


_VERSION = re.compile(r":v?([0-9]+\.[0-9]+)\.[0-9]+[0-9A-Za-z.-]*(?=@|$)")


class _ConfigMap(msgspec.Struct):
    data: dict[str, str] = {}


def _texts(raw: msgspec.Raw) -> Iterator[tuple[str, str]]:
    """The entries of a ConfigMap that may hold a Configuration."""
    try:
        data = msgspec.json.decode(raw, type=_ConfigMap).data
    except msgspec.ValidationError:
        return
    for key, text in data.items():
        if CONFIG_GROUP in text:
            yield key, text


def _configuration(value: dict[str, Any], place: str, pointer: str) -> Configuration:
    value = without_nulls(value)
    if value.get("apiVersion") == f"{CONFIG_GROUP}/v1beta1":
        for name in ("fairSharing", "waitForPodsReady"):
            if isinstance(value.get(name), dict):
                value[name].setdefault("enable", False)
    fault = find_fault(value, Configuration)
    if fault is not None:
        raise InputError(f"{place}: {pointer}{fault}")
    config = msgspec.convert(value, Configuration)
    check_syntax(config)
    return config

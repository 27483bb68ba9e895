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
from kubectl_kueue.model.manager import image_of
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.syntax import check_syntax

GROUP = CONFIG_GROUP
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
            if api_version.startswith(f"{GROUP}/"):
                self._take(msgspec.json.decode(raw), place, "")
        elif kind == "Deployment":
            self.gates.update(_manager_gates(raw))
            self._note(*other_release(bytes(raw)))
        elif GROUP.encode() in bytes(raw):
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


class _Container(msgspec.Struct):
    command: list[str] = []
    args: list[str] = []


class _PodSpec(msgspec.Struct):
    containers: list[_Container] = []


class _Template(msgspec.Struct):
    spec: _PodSpec = msgspec.field(default_factory=_PodSpec)


class _DeploymentSpec(msgspec.Struct):
    template: _Template = msgspec.field(default_factory=_Template)


class _Metadata(msgspec.Struct):
    name: str = ""
    labels: dict[str, str] = {}


class _Deployment(msgspec.Struct):
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    spec: _DeploymentSpec = msgspec.field(default_factory=_DeploymentSpec)


def _texts(raw: msgspec.Raw) -> Iterator[tuple[str, str]]:
    """The entries of a ConfigMap that may hold a Configuration."""
    try:
        data = msgspec.json.decode(raw, type=_ConfigMap).data
    except msgspec.ValidationError:
        return
    for key, text in data.items():
        if GROUP in text:
            yield key, text


def _configuration(value: dict[str, Any], place: str, pointer: str) -> Configuration:
    value = without_nulls(value)
    fair_sharing = value.get("fairSharing")
    if value.get("apiVersion") == f"{GROUP}/v1beta1" and isinstance(fair_sharing, dict):
        fair_sharing.setdefault("enable", False)
    wait = value.get("waitForPodsReady")
    if value.get("apiVersion") == f"{GROUP}/v1beta1" and isinstance(wait, dict):
        wait.setdefault("enable", False)
    fault = find_fault(value, Configuration)
    if fault is not None:
        raise InputError(f"{place}: {pointer}{fault}")
    config = msgspec.convert(value, Configuration)
    check_syntax(config)
    return config


def _manager_gates(raw: msgspec.Raw) -> dict[str, bool]:
    """--feature-gates=A=true,B=false of Kueue's manager; nothing for any other Deployment."""
    if b"--feature-gates" not in bytes(raw):
        return {}
    try:
        deployment = msgspec.json.decode(raw, type=_Deployment)
    except msgspec.ValidationError:
        return {}
    meta = deployment.metadata
    if "kueue" not in meta.name and meta.labels.get("app.kubernetes.io/name") != "kueue":
        return {}
    gates: dict[str, bool] = {}
    for container in deployment.spec.template.spec.containers:
        words = iter(container.command + container.args)
        for word in words:
            flag, equals, text = word.lstrip("-").partition("=")
            if flag == "feature-gates" and word.startswith("-"):
                gates.update(_gate_values(text if equals else next(words, "")))
    return gates


def _gate_values(text: str) -> Iterator[tuple[str, bool]]:
    for setting in text.split(","):
        name, equals, value = setting.partition("=")
        if equals:
            yield name.strip(), value.strip().lower() in ("true", "t", "1")

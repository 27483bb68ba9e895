"""What the Deployment of Kueue's controller manager tells: its image, its feature gates, and where its
Configuration is."""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

MANAGER_LABELS = "app.kubernetes.io/name=kueue"
"""Selects the Deployments of a Kueue installation, whatever its namespace is called."""

_CONTAINER = "manager"
_CONFIG_MAP = "kueue-manager-config"


class _Metadata(msgspec.Struct):
    name: str = ""
    namespace: str = ""
    labels: dict[str, str] | None = None


class _Reference(msgspec.Struct):
    name: str = ""


class _Volume(msgspec.Struct, rename="camel"):
    config_map: _Reference = msgspec.field(default_factory=_Reference)


class _Container(msgspec.Struct):
    name: str = ""
    image: str = ""
    command: list[str] | None = None
    args: list[str] | None = None


class _PodSpec(msgspec.Struct):
    containers: list[_Container] = []
    volumes: list[_Volume] = []


class _Template(msgspec.Struct):
    spec: _PodSpec = msgspec.field(default_factory=_PodSpec)


class _Spec(msgspec.Struct):
    template: _Template = msgspec.field(default_factory=_Template)


class _Deployment(msgspec.Struct):
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)
    spec: _Spec = msgspec.field(default_factory=_Spec)


_decode = msgspec.json.Decoder(_Deployment).decode


def manager_among(deployments: Iterable[bytes]) -> bytes | None:
    """The Deployment (JSON) that runs the controller manager, None if there is none."""
    return next((each for each in deployments if image_of(each)), None)


def config_map_of(deployment: bytes) -> tuple[str, str]:
    """Namespace and name of the ConfigMap that holds Kueue's Configuration."""
    found = _decode(deployment)
    volumes = found.spec.template.spec.volumes
    return found.metadata.namespace, next(
        (v.config_map.name for v in volumes if v.config_map.name), _CONFIG_MAP
    )


def image_of(deployment: bytes) -> str:
    """The image of the manager (registry/kueue:v0.19.2); empty for any other Deployment."""
    return next((each.image for each in _containers(deployment) if each.name == _CONTAINER), "")


def gates_of(deployment: bytes) -> dict[str, bool]:
    """--feature-gates=A=true,B=false of the manager; nothing for any other Deployment."""
    if b"--feature-gates" not in deployment:
        return {}
    gates: dict[str, bool] = {}
    for container in _containers(deployment):
        words = iter([*(container.command or ()), *(container.args or ())])
        for word in words:
            flag, equals, text = word.lstrip("-").partition("=")
            if flag == "feature-gates" and word.startswith("-"):
                gates.update(_gate_values(text if equals else next(words, "")))
    return gates


def is_kueues(name: object, labels: object) -> bool:
    """Whether a Deployment of this name and these labels belongs to Kueue."""
    labelled = labels.get("app.kubernetes.io/name") if isinstance(labels, Mapping) else None
    return labelled == "kueue" or "kueue" in str(name)


def _containers(deployment: bytes) -> list[_Container]:
    """The containers of a Deployment of Kueue; none of any other, or of what is no Deployment."""
    try:
        found = _decode(deployment)
    except msgspec.DecodeError:
        return []
    ours = is_kueues(found.metadata.name, found.metadata.labels)
    return found.spec.template.spec.containers if ours else []


def _gate_values(text: str) -> Iterator[tuple[str, bool]]:
    for setting in text.split(","):
        name, equals, value = setting.partition("=")
        if equals:
            yield name.strip(), value.strip().lower() in ("true", "t", "1")

"""What the Deployment of Kueue's controller manager tells: its image, and where its Configuration is."""

from collections.abc import Iterable

import msgspec

MANAGER_LABELS = "app.kubernetes.io/name=kueue"
"""Selects the Deployments of a Kueue installation, whatever its namespace is called."""

_CONTAINER = "manager"
_CONFIG_MAP = "kueue-manager-config"


class _Named(msgspec.Struct):
    name: str = ""
    namespace: str = ""


class _Volume(msgspec.Struct, rename="camel"):
    config_map: _Named = msgspec.field(default_factory=_Named)


class _Container(msgspec.Struct):
    name: str = ""
    image: str = ""


class _PodSpec(msgspec.Struct):
    containers: list[_Container] = []
    volumes: list[_Volume] = []


class _Template(msgspec.Struct):
    spec: _PodSpec = msgspec.field(default_factory=_PodSpec)


class _Spec(msgspec.Struct):
    template: _Template = msgspec.field(default_factory=_Template)


class _Deployment(msgspec.Struct):
    metadata: _Named = msgspec.field(default_factory=_Named)
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
    try:
        containers = _decode(deployment).spec.template.spec.containers
    except msgspec.DecodeError:
        return ""
    return next((c.image for c in containers if c.name == _CONTAINER), "")

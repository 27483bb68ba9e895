"""Which kinds an answer is made of, in one table; and what of them may be read kind by kind.

A live world, doctor's evidence, a snapshot and the surroundings of linted manifests are all read by it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import ApiError

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session
    from kubectl_kueue.model.world import World

QUOTAS = ("ClusterQueue", "Cohort", "ResourceFlavor", "AdmissionCheck", "Topology", "LocalQueue")
"""What quotas are made of."""

REFERRED = (*QUOTAS, "WorkloadPriorityClass", "PriorityClass", "Namespace", "LimitRange")
"""What a manifest may refer to."""

WORLD = ("Workload", *REFERRED, "ProvisioningRequestConfig", "RuntimeClass")
"""What a verdict depends on always; the longest list first."""

PLACES = ("Node", "Pod")
"""And where a flavor has a topology (`has_topology`)."""

DEVICES = ("DeviceClass", "ResourceClaimTemplate")
"""And where a workload claims devices (`claims_devices`)."""

BESIDES = ("Event", "Job", "Pod", "Node")
"""What list, describe and an explanation show besides: a snapshot has it too."""

LIVE_PODS = "status.phase!=Succeeded,status.phase!=Failed"
"""The pods that take room, as a field selector."""


def has_topology(kind: str, page: bytes) -> bool:
    """Whether a page of objects of this kind has a flavor with a topology."""
    return kind == "ResourceFlavor" and b'"topologyName"' in page


def claims_devices(kind: str, page: bytes) -> bool:
    """Whether a page of objects of this kind has a workload that claims devices."""
    return kind == "Workload" and b'"resourceClaims"' in page


def configuration_in(config_map: Mapping[str, Any]) -> dict[str, Any] | None:
    """Kueue's Configuration as a ConfigMap holds it; None if it holds none. Raises InputError."""
    from kubectl_kueue.cluster.files import RawDocument
    from kubectl_kueue.model.config import CONFIG_GROUP

    data = config_map.get("data")
    for text in data.values() if isinstance(data, dict) else ():
        if isinstance(text, str) and CONFIG_GROUP in text:
            found = RawDocument("Kueue's ConfigMap", 1, 0, b"").parse(text)
            if isinstance(found, dict) and found.get("kind") == "Configuration":
                return found
    return None


def why_unread(error: ApiError) -> str:
    """Why a kind could not be read, as World.missing tells it."""
    return "forbidden" if error.status == 403 else str(error)


def refused(error: ApiError, kind: str) -> ApiError:
    """A refusal that ends the command, with what would help against it."""
    from kubectl_kueue.views.words.outside import refused_words

    return ApiError(refused_words(str(error), kind), status=error.status, reason=error.reason)


def narrowed(namespace: str) -> str:
    """Why a kind could be read in one namespace only, likewise."""
    return f'forbidden outside of namespace "{namespace}"'


def read_kinds(
    session: "Session", names: Iterable[str], missing: dict[str, str], needed: Sequence[str] = ()
) -> list[bytes]:
    """What may be read of these kinds, for who may not read Workloads: everywhere, else in the own namespace.

    A kind that is not served has no objects. Raises ApiError, of a refusal only for what is `needed`.
    """
    source, found = session.source(), list[bytes]()
    for name in names:
        kind = kind_named(name)
        for namespace in (None, source.namespace) if kind.namespaced else (None,):
            try:
                found += source.list(kind, namespace)
                break
            except ApiError as error:
                if error.status == 404:
                    break
                home = kind.namespaced and namespace is None
                if error.status != 403:
                    raise
                if name in needed and not home:
                    raise refused(error, name) from None
                missing[name] = narrowed(source.namespace or "") if home else why_unread(error)
    return found


def world_without_workloads(session: "Session") -> "World":
    """What quotas are made of, for who may not read Workloads. Raises ApiError for LocalQueues."""
    from kubectl_kueue.cluster.files import RawDocument
    from kubectl_kueue.model.decode import decode_live

    missing = {"Workload": "forbidden"}
    found = read_kinds(session, QUOTAS, missing, needed=("LocalQueue",))
    documents = [RawDocument("the cluster's objects", 1, 0, content) for content in found]
    return decode_live(documents, now=session.source().now, missing=missing)

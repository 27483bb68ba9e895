"""Which kinds an answer is made of, in one table; and what of them may be read kind by kind.

A live world, doctor's evidence, a snapshot and the surroundings of linted manifests are all read by it.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import ApiError

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session

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


def why_unread(error: ApiError) -> str:
    """Why a kind could not be read, as World.missing tells it."""
    return "forbidden" if error.status == 403 else str(error)


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
                if error.status != 403 or (name in needed and not home):
                    raise
                missing[name] = narrowed(source.namespace or "") if home else why_unread(error)
    return found

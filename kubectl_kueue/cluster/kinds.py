"""The kinds that this program knows without asking a server: words, paths, versions that it reads."""

from collections.abc import Mapping
from typing import NamedTuple

KUEUE = "kueue.x-k8s.io"
VISIBILITY = "visibility.kueue.x-k8s.io"


class Kind(NamedTuple):
    """One resource of the API. `versions` are those that this program reads, the preferred one first."""

    group: str
    kind: str
    plural: str
    namespaced: bool
    short: tuple[str, ...] = ()
    versions: tuple[str, ...] = ("v1",)

    @property
    def singular(self) -> str:
        """The lower-case kind, as kubectl writes it in result lines."""
        return self.kind.lower()

    @property
    def resource(self) -> str:
        """The plural with the group: clusterqueues.kueue.x-k8s.io, pods."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def type(self) -> str:
        """The singular with the group, as in result lines: clusterqueue.kueue.x-k8s.io, pod."""
        return f"{self.singular}.{self.group}" if self.group else self.singular

    @property
    def words(self) -> tuple[str, ...]:
        """Every word that names it on a command line, lower case."""
        qualified = (self.resource, self.type) if self.group else ()
        return (self.plural, self.singular, *self.short, *qualified)


_V1BETA = ("v1beta2", "v1beta1")

KINDS: tuple[Kind, ...] = (
    Kind(KUEUE, "ClusterQueue", "clusterqueues", False, ("cq",), _V1BETA),
    Kind(KUEUE, "LocalQueue", "localqueues", True, ("lq", "queue", "queues"), _V1BETA),
    Kind(KUEUE, "Workload", "workloads", True, ("wl", "kwl", "kueueworkload", "kueueworkloads"), _V1BETA),
    Kind(KUEUE, "Cohort", "cohorts", False, ("co",), _V1BETA),
    Kind(KUEUE, "ResourceFlavor", "resourceflavors", False, ("rf", "flavor", "flavors"), _V1BETA),
    Kind(KUEUE, "WorkloadPriorityClass", "workloadpriorityclasses", False, ("wpc",), _V1BETA),
    Kind(KUEUE, "AdmissionCheck", "admissionchecks", False, ("ac",), _V1BETA),
    Kind(KUEUE, "Topology", "topologies", False, ("topo",), _V1BETA),
    Kind(KUEUE, "ProvisioningRequestConfig", "provisioningrequestconfigs", False, ("prc",), _V1BETA),
    Kind(KUEUE, "MultiKueueConfig", "multikueueconfigs", False, ("mkconf",), _V1BETA),
    Kind(KUEUE, "MultiKueueCluster", "multikueueclusters", False, ("mkc",), _V1BETA),
    Kind("", "Pod", "pods", True, ("po",)),
    Kind("", "Namespace", "namespaces", False, ("ns",)),
    Kind("", "Node", "nodes", False, ("no",)),
    Kind("", "Event", "events", True, ("ev",)),
    Kind("", "ConfigMap", "configmaps", True, ("cm",)),
    Kind("", "LimitRange", "limitranges", True, ("limits",)),
    Kind("batch", "Job", "jobs", True),
    Kind("batch", "CronJob", "cronjobs", True, ("cj",)),
    Kind("apps", "Deployment", "deployments", True, ("deploy",)),
    Kind("apps", "ReplicaSet", "replicasets", True, ("rs",)),
    Kind("apps", "StatefulSet", "statefulsets", True, ("sts",)),
    Kind("scheduling.k8s.io", "PriorityClass", "priorityclasses", False, ("pc",)),
    Kind("node.k8s.io", "RuntimeClass", "runtimeclasses", False),
    Kind("resource.k8s.io", "DeviceClass", "deviceclasses", False, (), ("v1", "v1beta2")),
    Kind("resource.k8s.io", "ResourceClaimTemplate", "resourceclaimtemplates", True, (), ("v1", "v1beta2")),
)

_BY_WORD: Mapping[str, Kind] = {word: kind for kind in reversed(KINDS) for word in kind.words}
_BY_NAME: Mapping[str, Kind] = {kind.kind: kind for kind in KINDS}


def known_kind(word: str) -> Kind | None:
    """The kind that a word of the command line names (case does not matter), or None."""
    return _BY_WORD.get(word.lower())


def kind_named(name: str) -> Kind:
    """The kind with this API name ("ClusterQueue"). Raises KeyError for one that is not in the table."""
    return _BY_NAME[name]

"""Kueue's feature gates and the part of its Configuration that decides admissions.

Defaults are those of Kueue v0.19.2 (scheduling.md 7 and 9.2). Both are inputs of the engine.
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec

from kubectl_kueue.model.objects import (
    NO_ENTRIES,
    NO_ITEMS,
    Count,
    Object,
    ResourceList,
    TimeText,
)
from kubectl_kueue.model.shown import bare
from kubectl_kueue.model.unknown import Path, dotted, unknown_paths

DurationText = Annotated[str, msgspec.Meta(extra={"syntax": "duration"})] | int | float
PreemptionStrategy = Literal["LessThanOrEqualToFinalShare", "LessThanInitialShare"]
RequeuingTimestamp = Literal["Eviction", "Creation"]
TransformationStrategy = Literal["", "Retain", "Replace"]
QuotaCheckStrategy = Literal["BlockUndeclared", "IgnoreUndeclared"]

CONFIG_GROUP = "config.kueue.x-k8s.io"
CONFIG_VERSIONS = ("v1beta1", "v1beta2")

GATE_DEFAULTS: Mapping[str, bool] = {
    "AdmissionFairSharing": True,
    "AdmissionGatedBy": True,
    "ConcurrentAdmission": False,
    "DisableWaitForPodsReady": False,
    "ElasticJobsViaWorkloadSlices": True,
    "ElasticJobsViaWorkloadSlicesWithTAS": False,
    "FairSharingPreemptWithinNominal": True,
    "FairSharingPrioritizeNonBorrowing": True,
    "FinishOrphanedWorkloads": True,
    "FlavorFungibility": True,
    "FlavorFungibilityPreserveScanProgress": True,
    "KueueDRAIntegration": True,
    "KueueDRAIntegrationConsumableCapacity": False,
    "KueueDRAIntegrationExtendedResource": True,
    "KueueDRAIntegrationPartitionableDevices": True,
    "KueueDRARejectWorkloadsWhenDRADisabled": True,
    "MultiKueueOrchestratedPreemption": False,
    "PartialAdmission": True,
    "PrioritizePreemptorWorkloads": False,
    "PriorityBoost": False,
    "PrioritySortingWithinCohort": True,
    "QuotaCheckStrategy": True,
    "ReclaimablePods": True,
    "RecomputeAssignmentUponPreemptionTargetsOverlap": False,
    "SchedulerTimestampPreemptionBuffer": False,
    "SchedulingEquivalenceHashing": True,
    "SkipReassignmentForPodOwnedWorkloads": True,
    "TASBalancedPlacement": False,
    "TASCacheNodeMatchResults": True,
    "TASCachingRemainingResources": True,
    "TASFailedNodeReplacement": True,
    "TASFailedNodeReplacementFailFast": True,
    "TASHandleOverlappingFlavors": True,
    "TASMultiLayerTopology": True,
    "TASProfileMixed": True,
    "TASRecomputeAssignmentWithinSchedulingCycle": True,
    "TASRespectNodeAffinityPreferred": False,
    "TopologyAwareScheduling": True,
    "UnadmittedWorkloadsObservability": False,
    "VectorizedResourceRequests": True,
}
# Known to v0.19 but without a say in any verdict; named so that only truly unknown gates are told.
SILENT_GATES = frozenset(
    """
    AssignQueueLabelsForPods CleanupProvisioningRequestsOnEviction CustomMetricLabels
    DeferRayServiceFinalizationForRedisCleanup FailureRecoveryPolicy
    FastQuotaReleaseInPodIntegration HierarchicalCohorts LWSImmutableGroupSize LocalQueueMetrics
    ManagedJobsNamespaceSelectorAlwaysRespected MetricForWorkloadCreationLatency MetricsForCohorts
    MultiKueue MultiKueueAdaptersForCustomJobs MultiKueueAllowInsecureKubeconfigs
    MultiKueueClusterProfile MultiKueueIncrementalDispatcherConfig
    MultiKueueIncrementalDispatcherRespectConfigOrder MultiKueueKubeConfigPathValidation
    MultiKueueManagerQuotaAutomation MultiKueueRedoAdmissionOnEvictionInWorker
    MultiKueueRemoteSpecSync MultiKueueWaitForWorkloadAdmitted ObjectRetentionPolicies
    PodIntegrationValidateGroupOwner PropagateBatchJobLabelsToWorkload
    RejectUpdatesToCQWithInvalidOnFlavors RemoveFinalizersWithStrictPatch
    SchedulerLibraryIntegration SchedulerLongRequeueInterval ShortWorkloadNames
    SkipAncestorCheckForDeletedWorkloads SkipFinalizersForPodsSuspendedByParent
    SparkApplicationIntegration TASAssignmentsEncodingByHostnamePrefix TASCacheTopologyTree
    TASReplaceNodeDueToNotReadyOverFixedTime TASReplaceNodeOnNodeTaints
    TASReplaceNodeOnPodTermination TASValidateWorkloadSliceSize TLSOptions
    UnadmittedWorkloadsExplicitStatus ValidateRayAndSparkJobUpdates VisibilityOnDemand
    WorkloadIdentifierAnnotations WorkloadPriorityClassDefaulting WorkloadRequestUseMergePatch
    WorkloadValidateResourcesAreNonNegative WorkloadValidationForPodSetMetadata
    """.split()  # noqa: SIM905
)


class Gates(dict[str, bool]):
    """Every gate that decides, with its value in this run."""

    def __init__(self, overrides: Mapping[str, bool] | None = None) -> None:
        super().__init__({**GATE_DEFAULTS, **(overrides or {})})


class FairSharingConfig(Object, frozen=True):
    enable: bool = True
    preemption_strategies: list[PreemptionStrategy] = NO_ITEMS


class AdmissionFairSharingConfig(Object, frozen=True):
    usage_half_life_time: DurationText = 0
    usage_sampling_interval: DurationText = "5m"
    resource_weights: dict[str, float] = NO_ENTRIES


class RequeuingStrategy(Object, frozen=True):
    timestamp: RequeuingTimestamp = "Eviction"


class WaitForPodsReadyConfig(Object, frozen=True):
    """`enable` is of v1beta1 only; since v1beta2 the section means that it is on."""

    enable: bool = True
    block_admission: bool = False
    requeuing_strategy: RequeuingStrategy | None = None


class Transformation(Object, frozen=True):
    input: str
    strategy: TransformationStrategy = "Retain"
    outputs: ResourceList = NO_ENTRIES
    multiply_by: str = ""


class DeviceSource(Object, frozen=True):
    """A counter or a capacity of devices that is charged instead of their number."""

    name: str = ""
    driver: str = ""


class DeviceClassSource(Object, frozen=True):
    counter: DeviceSource | None = None
    capacity: DeviceSource | None = None


class DeviceClassMapping(Object, frozen=True):
    """`name` is the logical resource that devices of these classes are charged to."""

    name: str
    device_class_names: list[str] = NO_ITEMS
    sources: list[DeviceClassSource] = NO_ITEMS


class ResourcesConfig(Object, frozen=True):
    exclude_resource_prefixes: list[str] = NO_ITEMS
    transformations: list[Transformation] = NO_ITEMS
    device_class_mappings: list[DeviceClassMapping] = NO_ITEMS
    quota_check_strategy: QuotaCheckStrategy = "BlockUndeclared"


class Configuration(Object, frozen=True):
    """The subset of Kueue's Configuration that changes a verdict; absent fields have its defaults."""

    fair_sharing: FairSharingConfig | None = None
    admission_fair_sharing: AdmissionFairSharingConfig | None = None
    wait_for_pods_ready: WaitForPodsReadyConfig | None = None
    resources: ResourcesConfig = ResourcesConfig()
    feature_gates: dict[str, bool] = NO_ENTRIES

    @property
    def fair_sharing_enabled(self) -> bool:
        return self.fair_sharing is not None and self.fair_sharing.enable

    @property
    def eviction_moves_timestamp(self) -> bool:
        """Whether a PodsReady time-out sends a workload back by its eviction time (spec 3.3)."""
        wait = self.wait_for_pods_ready
        if wait is None or wait.requeuing_strategy is None:
            return True
        return wait.requeuing_strategy.timestamp != "Creation"


# Known to v0.19 but without a say in any verdict.
SILENT_FIELDS = frozenset(
    """
    apiVersion kind metadata namespace clientConnection controller health integrations internalCertManagement
    leaderElection managedJobsNamespaceSelector manageJobsWithoutQueueName metrics multiKueue
    objectRetentionPolicies pprofBindAddress queueVisibility tls visibility visibilityServer webhook
    """.split()  # noqa: SIM905
)


# The same within the sections that decide something.
_SILENT: Mapping[type, frozenset[str]] = {
    WaitForPodsReadyConfig: frozenset({"timeout", "recoveryTimeout"}),
    RequeuingStrategy: frozenset({"backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"}),
    DeviceSource: frozenset({"deviceSelector"}),
}


def unknown_settings(config: Mapping[str, Any]) -> Iterator[Path]:
    """The ways to the fields of a Configuration that Kueue v0.19.2 does not know."""
    yield from unknown_paths(config, Configuration, {Configuration: SILENT_FIELDS, **_SILENT})


def unknown_fields(config: Mapping[str, Any]) -> list[str]:
    """The same as they are written (`resources.quotaPolicy`), sorted, each once."""
    return sorted({dotted(path) for path in unknown_settings(config)})


def setting_notes(config: Mapping[str, Any]) -> Iterator[str]:
    """What a Configuration says that nobody here understands; also for the `config` of a snapshot."""
    version = str(config.get("apiVersion", "")).rpartition("/")[2]
    if version and version not in CONFIG_VERSIONS:
        known = CONFIG_VERSIONS[-1]
        yield f"Configuration of {CONFIG_GROUP}/{bare(version)} is read as {known}; its fields may differ"
    for name in unknown_fields(config):
        yield f"config field {bare(name, 120)} is unknown to Kueue v0.19.2 and has no effect here"


class Document(Object, frozen=True):
    """Head of the scenario/snapshot document; its `objects` are decoded one by one.

    `origin` says where the objects come from; "" is a recorded world in which nothing was consumed
    before, anything else (a snapshot of a cluster writes "live") goes on from the stored statuses.
    `missing` maps a kind to the reason why it could not be read; `notes` are remarks of the writer.
    """

    now: TimeText | None = None
    name: str = ""
    mode: Literal["cycle", "until-idle"] = "until-idle"
    max_cycles: Count = 16
    features: dict[str, bool] = NO_ENTRIES
    config: Configuration = Configuration()
    origin: str = ""
    missing: dict[str, str] = NO_ENTRIES
    notes: list[str] = NO_ITEMS

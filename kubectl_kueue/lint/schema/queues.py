"""ClusterQueue, LocalQueue, Cohort in v1beta2 (the spec of kueuectl, 6.2)."""

from kubectl_kueue.lint.schema.parts import (
    CONDITIONS,
    CONSUMED,
    COUNTS,
    METADATA,
    RESOURCE_GROUPS,
    SELECTOR,
    SHARE,
    STOP_POLICY,
    WEIGHT,
    flavor_usage,
)
from kubectl_kueue.lint.schema.shapes import INT32, SUBDOMAIN, TEXT, each, obj, one_of, text
from kubectl_kueue.model import objects as model

CLUSTER_QUEUE = obj(
    apiVersion=TEXT,
    kind=TEXT,
    metadata=METADATA,
    spec=obj(
        resourceGroups=RESOURCE_GROUPS,
        cohortName=SUBDOMAIN,
        queueingStrategy=one_of(model.QueueingStrategy),
        namespaceSelector=SELECTOR,
        flavorFungibility=obj(
            whenCanBorrow=one_of(model.FungibilityPolicy),
            whenCanPreempt=one_of(model.FungibilityPolicy),
            preference=one_of(model.FungibilityPreference),
        ),
        preemption=obj(
            reclaimWithinCohort=one_of("Never", "LowerPriority", "Any"),
            borrowWithinCohort=obj(policy=one_of(model.BorrowPolicy), maxPriorityThreshold=INT32),
            withinClusterQueue=one_of(model.WithinClusterQueue),
        ),
        admissionChecksStrategy=obj(
            "admissionChecks",
            admissionChecks=each(
                obj("name", name=text(1, 316), onFlavors=each(SUBDOMAIN, most=64, unique="=")),
                1,
                64,
                unique="name",
            ),
        ),
        stopPolicy=STOP_POLICY,
        fairSharing=WEIGHT,
        admissionScope=obj("admissionMode", admissionMode=one_of(model.AdmissionMode)),
        concurrentAdmissionPolicy=obj(
            "migration",
            migration=obj(
                "mode",
                mode=one_of(model.MigrationMode),
                constraints=obj(lastAcceptableFlavorName=SUBDOMAIN),
            ),
        ),
    ),
    status=obj(
        conditions=CONDITIONS,
        flavorsReservation=flavor_usage(borrowed=True),
        flavorsUsage=flavor_usage(borrowed=True),
        fairSharing=SHARE,
        **COUNTS,
    ),
)
LOCAL_QUEUE = obj(
    apiVersion=TEXT,
    kind=TEXT,
    metadata=METADATA,
    spec=obj(clusterQueue=SUBDOMAIN, stopPolicy=STOP_POLICY, fairSharing=WEIGHT),
    status=obj(
        conditions=CONDITIONS,
        flavorsReservation=flavor_usage(borrowed=False),
        flavorsUsage=flavor_usage(borrowed=False),
        fairSharing=obj(
            "weightedShare",
            **(SHARE.fields or {}),
            admissionFairSharingStatus=CONSUMED,
        ),
        **COUNTS,
    ),
)
COHORT = obj(
    apiVersion=TEXT,
    kind=TEXT,
    metadata=METADATA,
    spec=obj(parentName=SUBDOMAIN, resourceGroups=RESOURCE_GROUPS, fairSharing=WEIGHT),
    status=obj(fairSharing=SHARE),
)

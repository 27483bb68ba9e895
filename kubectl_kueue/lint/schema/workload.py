"""Workload in v1beta2 (the spec of kueuectl, 6.2).

A pod template is Kubernetes' own: only its frame is known."""

from kubectl_kueue.lint.schema.parts import CONDITIONS, COUNT, LABELS, METADATA, TOLERATIONS
from kubectl_kueue.lint.schema.shapes import (
    ANY,
    BOOL,
    DNS_LABEL,
    INT32,
    QUANTITY,
    REQUIRED_SUBDOMAIN,
    SUBDOMAIN,
    TEXT,
    TIME,
    count,
    each,
    entries,
    obj,
    one_of,
    text,
)
from kubectl_kueue.model import objects as model

_TOPOLOGY_REQUEST = obj(
    required=text(most=63),
    preferred=text(most=63),
    unconstrained=BOOL,
    podIndexLabel=text(most=317),
    subGroupIndexLabel=text(most=317),
    subGroupCount=INT32,
    podSetGroupName=text(most=256),
    podSetSliceRequiredTopology=text(most=63),
    podSetSliceSize=INT32,
    podsetSliceRequiredTopologyConstraints=each(
        obj("size topology", topology=text(1, 63), size=count(1)), most=3
    ),
)
_POD_SET = obj(
    "template",
    name=DNS_LABEL,
    template=obj(metadata=ANY, spec=ANY),
    count=COUNT,
    minCount=count(1),
    topologyRequest=_TOPOLOGY_REQUEST,
)
_TOPOLOGY_ASSIGNMENT = obj(
    "levels slices",
    levels=each(text(most=317), 1, 16),
    slices=each(
        obj(
            "domainCount podCounts valuesPerLevel",
            domainCount=count(1),
            podCounts=obj(universal=count(1), individual=each(count(1), 1, 100000)),
            valuesPerLevel=each(
                obj(
                    universal=text(most=63),
                    individual=obj(
                        "roots",
                        prefix=text(most=63),
                        suffix=text(most=63),
                        roots=each(text(most=63), 1, 100000),
                    ),
                ),
                1,
                16,
            ),
        ),
        most=1000,
    ),
)
_ADMISSION = obj(
    clusterQueue=SUBDOMAIN,
    podSetAssignments=each(
        obj(
            name=DNS_LABEL,
            flavors=entries(SUBDOMAIN),
            resourceUsage=entries(QUANTITY),
            count=COUNT,
            topologyAssignment=_TOPOLOGY_ASSIGNMENT,
            delayedTopologyRequest=one_of(model.DelayedTopologyRequest),
        ),
        most=18,
        unique="name",
    ),
)
_CHECK_STATE = obj(
    "lastTransitionTime message name state",
    name=text(1, 316),
    state=one_of(model.CheckState),
    message=text(most=32768),
    lastTransitionTime=TIME,
    requeueAfterSeconds=COUNT,
    retryCount=COUNT,
    podSetUpdates=each(
        obj(
            "name",
            name=DNS_LABEL,
            labels=LABELS,
            annotations=LABELS,
            nodeSelector=LABELS,
            tolerations=TOLERATIONS,
        ),
        most=18,
    ),
)
WORKLOAD = obj(
    apiVersion=TEXT,
    kind=TEXT,
    metadata=METADATA,
    spec=obj(
        podSets=each(_POD_SET, 1, 18, unique="name"),
        queueName=SUBDOMAIN,
        priorityClassRef=obj(
            "group kind name",
            group=one_of("kueue.x-k8s.io", "scheduling.k8s.io"),
            kind=one_of("WorkloadPriorityClass", "PriorityClass"),
            name=REQUIRED_SUBDOMAIN,
        ),
        priority=INT32,
        active=BOOL,
        maximumExecutionTimeSeconds=count(1),
        preemptionGates=each(obj("name", name=text(1, 63)), most=8, unique="name"),
    ),
    status=obj(
        conditions=CONDITIONS,
        admission=_ADMISSION,
        requeueState=obj(count=COUNT, requeueAt=TIME),
        reclaimablePods=each(obj("count name", name=DNS_LABEL, count=COUNT), most=18, unique="name"),
        admissionChecks=each(_CHECK_STATE, most=8, unique="name"),
        resourceRequests=each(
            obj("name", name=DNS_LABEL, resources=entries(QUANTITY)), most=18, unique="name"
        ),
        accumulatedPastExecutionTimeSeconds=INT32,
        schedulingStats=obj(
            evictions=each(
                obj(
                    "count reason underlyingCause",
                    reason=text(most=316),
                    underlyingCause=text(most=316),
                    count=COUNT,
                ),
                most=256,
                unique="reason underlyingCause",
            )
        ),
        nominatedClusterNames=each(text(most=256), most=20),
        clusterName=text(most=256),
        unhealthyNodes=each(obj("name", name=text(most=63)), most=8, unique="name"),
        preemptionGates=each(
            obj(
                "lastTransitionTime name position",
                name=text(1, 63),
                position=one_of(model.GatePosition),
                lastTransitionTime=TIME,
            ),
            most=8,
            unique="name",
        ),
    ),
)

"""The kinds that queues refer to, in v1beta2 (the spec of kueuectl, 6.2)."""

from kubectl_kueue.lint.schema.parts import CONDITIONS, METADATA, NODE_LABELS, TAINTS, TOLERATIONS
from kubectl_kueue.lint.schema.shapes import (
    INT32,
    LABEL_KEY,
    REQUIRED_SUBDOMAIN,
    SUBDOMAIN,
    TEXT,
    Shape,
    each,
    entries,
    obj,
    one_of,
    text,
)

_HEAD = {"apiVersion": TEXT, "kind": TEXT, "metadata": METADATA}
RESOURCE_FLAVOR = obj(
    **_HEAD,
    spec=obj(nodeLabels=NODE_LABELS, nodeTaints=TAINTS, tolerations=TOLERATIONS, topologyName=SUBDOMAIN),
)
TOPOLOGY = obj(
    **_HEAD,
    spec=obj(
        "levels",
        levels=each(
            obj("nodeLabel", nodeLabel=Shape("text", least=1, most=316, syntax="label-key")),
            1,
            16,
            unique="=",
        ),
    ),
)
WORKLOAD_PRIORITY_CLASS = obj("value", **_HEAD, value=INT32, description=text(most=2048))
ADMISSION_CHECK = obj(
    **_HEAD,
    spec=obj(
        "controllerName",
        controllerName=text(1, 253),
        parameters=obj(
            "apiGroup kind name",
            apiGroup=REQUIRED_SUBDOMAIN,
            kind=Shape("text", least=1, most=63, syntax="kind"),
            name=Shape("text", least=1, most=63, syntax="dns-label"),
        ),
    ),
    status=obj(conditions=CONDITIONS),
)
PROVISIONING_REQUEST_CONFIG = obj(
    **_HEAD,
    spec=obj(
        "provisioningClassName",
        provisioningClassName=REQUIRED_SUBDOMAIN,
        parameters=entries(text(most=255), most=100),
        managedResources=each(TEXT, most=100, unique="="),
        retryStrategy=obj(backoffLimitCount=INT32, backoffBaseSeconds=INT32, backoffMaxSeconds=INT32),
        podSetUpdates=obj(
            nodeSelector=each(
                obj(
                    "key valueFromProvisioningClassDetail",
                    key=LABEL_KEY,
                    valueFromProvisioningClassDetail=text(1, 32768),
                ),
                most=8,
                unique="key",
            )
        ),
        podSetMergePolicy=one_of("IdenticalPodTemplates", "IdenticalWorkloadSchedulingRequirements"),
    ),
)
MULTI_KUEUE_CONFIG = obj(
    **_HEAD,
    spec=obj(
        "clusters",
        clusters=each(text(most=256), 1, 20, unique="="),
        quotaManagement=one_of("Manual", "Automated"),
    ),
)
KUBE_CONFIG = obj("location", location=text(1, 256), locationType=one_of("Secret", "Path"))
PROFILE = obj("name", name=text(1, 256))
MULTI_KUEUE_CLUSTER = obj(
    **_HEAD,
    spec=obj("clusterSource", clusterSource=obj(kubeConfig=KUBE_CONFIG, clusterProfileRef=PROFILE)),
    status=obj(conditions=CONDITIONS),
)

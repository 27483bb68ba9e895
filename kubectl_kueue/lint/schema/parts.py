"""Fields that several kinds share."""

from kubectl_kueue.lint.schema.shapes import (
    ANY,
    BOOL,
    INT32,
    INT64,
    QUANTITY,
    SUBDOMAIN,
    TEXT,
    TIME,
    Shape,
    count,
    each,
    entries,
    obj,
    one_of,
    text,
)
from kubectl_kueue.model import objects as model

LABELS = entries(TEXT)
METADATA = obj(
    name=TEXT,
    generateName=TEXT,
    namespace=TEXT,
    labels=LABELS,
    annotations=LABELS,
    finalizers=each(TEXT, unique="="),
    ownerReferences=each(
        obj(
            "apiVersion kind name uid",
            apiVersion=TEXT,
            kind=TEXT,
            name=TEXT,
            uid=TEXT,
            controller=BOOL,
            blockOwnerDeletion=BOOL,
        ),
        unique="uid",
    ),
    uid=TEXT,
    resourceVersion=TEXT,
    generation=INT64,
    creationTimestamp=TIME,
    deletionTimestamp=TIME,
    deletionGracePeriodSeconds=INT64,
    selfLink=TEXT,
    managedFields=ANY,
)
TOLERATIONS = each(obj(key=TEXT, operator=TEXT, value=TEXT, effect=TEXT, tolerationSeconds=INT64), most=8)
TAINTS = each(obj("effect key", key=TEXT, value=TEXT, effect=TEXT, timeAdded=TIME), most=8)
NODE_LABELS = entries(TEXT, most=8)
SELECTOR = obj(
    matchLabels=LABELS,
    matchExpressions=each(obj("key operator", key=TEXT, operator=TEXT, values=each(TEXT))),
)
CONDITIONS = each(
    obj(
        "type status lastTransitionTime reason message",
        type=Shape("text", most=316, syntax="label-key"),
        status=one_of(model.ConditionStatus),
        reason=text(1, 1024),
        message=text(most=32768),
        lastTransitionTime=TIME,
        observedGeneration=INT64,
    ),
    most=16,
    unique="type",
)
WEIGHT = obj(weight=QUANTITY)
STOP_POLICY = one_of(model.StopPolicy)
RESOURCE_GROUPS = each(
    obj(
        "coveredResources flavors",
        coveredResources=each(TEXT, 1, 64),
        flavors=each(
            obj(
                "name resources",
                name=SUBDOMAIN,
                resources=each(
                    obj(
                        "name nominalQuota",
                        name=TEXT,
                        nominalQuota=QUANTITY,
                        borrowingLimit=QUANTITY,
                        lendingLimit=QUANTITY,
                    ),
                    1,
                    64,
                    unique="name",
                ),
            ),
            1,
            64,
            unique="name",
        ),
    ),
    most=16,
)
CONSUMED = obj("consumedResources lastUpdate", consumedResources=entries(QUANTITY), lastUpdate=TIME)
SHARE = obj("weightedShare", weightedShare=INT64)


def flavor_usage(*, borrowed: bool) -> Shape:
    """Usage per flavor and resource; a LocalQueue's says nothing about borrowing."""
    more = {"borrowed": QUANTITY} if borrowed else {}
    usage = obj("name", name=TEXT, total=QUANTITY, **more)
    resources = each(usage, most=64, unique="name")
    return each(obj("name resources", name=SUBDOMAIN, resources=resources), most=64, unique="name")


COUNTS = {"pendingWorkloads": INT32, "reservingWorkloads": INT32, "admittedWorkloads": INT32}
COUNT = count()

"""Which jobs does Kueue look after? What its Configuration says about integrations and namespaces."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from kubectl_kueue.model.job_kinds import IMPLIES_PODS
from kubectl_kueue.model.objects import LabelSelector, LabelSelectorRequirement

NAMESPACE_NAME = "kubernetes.io/metadata.name"

ONLY_JOBS = ("batch/job",)
"""What a Configuration without a list enables."""


class Management(NamedTuple):
    """`frameworks` are names of integrations, `external` those of other controllers, "Kind.version.group".

    `selector` None: it cannot be read.
    """

    frameworks: tuple[str, ...] = ONLY_JOBS
    external: tuple[str, ...] = ()
    without_queue_name: bool = False
    selector: LabelSelector | None = None

    def manages(self, framework: str, group: str, kind: str) -> bool:
        """Whether the integration of a kind is switched on."""
        if framework:
            implied = framework == "pod" and not IMPLIES_PODS.isdisjoint(self.frameworks)
            return framework in self.frameworks or implied
        return any(each.split(".")[0] == kind and each.endswith(f".{group}") for each in self.external)


def read_management(config: Mapping[str, Any], home: str) -> Management:
    """What a Configuration (JSON value) says; `home` is the namespace of Kueue itself."""
    found = config.get("integrations")
    integrations = found if isinstance(found, dict) else {}
    return Management(
        _names(integrations.get("frameworks")) or ONLY_JOBS,
        _names(integrations.get("externalFrameworks")),
        config.get("manageJobsWithoutQueueName") is True,
        _selector(config.get("managedJobsNamespaceSelector"), home),
    )


def _names(value: Any) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _selector(value: Any, home: str) -> LabelSelector | None:
    if value is None:
        others = LabelSelectorRequirement(key=NAMESPACE_NAME, operator="NotIn", values=["kube-system", home])
        return LabelSelector(match_expressions=[others])
    try:
        return msgspec.convert(value, LabelSelector)
    except msgspec.ValidationError:
        return None

"""What flags and words stand for, where their metavars do not say it. Read by generate.py only."""

from collections.abc import Mapping

from kubectl_kueue.cluster.kinds import KINDS, KUEUE
from kubectl_kueue.doctor.examine import CHECKS, GROUPS
from kubectl_kueue.lint.catalogue import RULES
from kubectl_kueue.model.drafts import PREEMPTION_POLICIES, QUEUEING_STRATEGIES, RECLAIM_POLICIES
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.status_words import KUEUECTL_WORDS, TRUE_WORDS
from kubectl_kueue.output.formats import FORMATS

_KNOWN = frozenset(kind.kind for kind in KINDS)


def _word(kind: str) -> str:
    """A kind as meanings have it: the API's name, or a small word for one that is not in the table."""
    return kind if kind in _KNOWN else kind.lower()


SHELLS = ("bash", "zsh", "fish", "powershell")

_STATUS_WORDS = dict.fromkeys(["all", *(word.lower() for word in (*KUEUECTL_WORDS, *TRUE_WORDS))])
_FORMATS = [
    f"{name}=" if each.takes else name for name, each in FORMATS.items() if not name.startswith("template")
]
_ALL = " ".join(kind.kind for kind in KINDS)
_OURS = " ".join(kind.kind for kind in KINDS if kind.group == KUEUE)
_JOBS = " ".join(
    dict.fromkeys(_word(kind) for _, kind in (*FRAMEWORKS, ("apps", "ReplicaSet"), ("batch", "CronJob")))
)
_CHECKS = [check.id for check in CHECKS]
_QUEUES = "ClusterQueue LocalQueue Cohort"

FLAGS: Mapping[str, str] = {
    "--active": "one true false",
    "--allow-missing-template-keys": "one true false",
    "--as": "text",
    "--as-group": "text",
    "--as-priority": "name WorkloadPriorityClass",
    "--cluster": "config clusters",
    "--clusterqueue": "name ClusterQueue",
    "--cohort": "name Cohort",
    "--context": "config contexts",
    "--controller-name": f"one {KUEUE}/provisioning-request {KUEUE}/multikueue",
    "--filename": "file yaml yml json",
    "--flavor": "name ResourceFlavor",
    "--for WORKLOAD": "name Workload",
    "--for": f"object Workload {_JOBS}",
    "--localqueue": "name LocalQueue",
    "--namespace": "name Namespace",
    "--nominal-quota": "head ResourceFlavor :",
    "--borrowing-limit": "head ResourceFlavor :",
    "--lending-limit": "head ResourceFlavor :",
    "--output": f"one {' '.join(_FORMATS)}",
    "--parent": "name Cohort",
    "--preemption-within-cluster-queue": f"one {' '.join(PREEMPTION_POLICIES)}",
    "--queuing-strategy": f"one {' '.join(QUEUEING_STRATEGIES)}",
    "--reclaim-within-cohort": f"one {' '.join(RECLAIM_POLICIES)}",
    "--resource": "one cpu memory ephemeral-storage pods nvidia.com/gpu amd.com/gpu",
    "--disable RULE": f"one {' '.join(RULES)}",
    "--explain RULE": f"one {' '.join(RULES)}",
    "--select RULE": f"one {' '.join(RULES)}",
    "--select GROUP|CHECK,\N{HORIZONTAL ELLIPSIS}": f"several {' '.join((*GROUPS, *_CHECKS))}",
    "--set": f"object {_QUEUES} Workload ResourceFlavor Topology AdmissionCheck",
    "--status": f"several {' '.join(_STATUS_WORDS)}",
    "--tls-server-name": "text",
    "--topology": "name Topology",
    "--user": "config users",
}
"""By the long name of a flag that takes a value; with its metavar where that makes a difference."""

FREE = frozenset(
    (
        *("TEXT", "TIME", "N", "NUMBER", "UID", "URL", "SELECTOR", "LABEL", "JSONPATH", "PATCH"),
        *("KEY=VALUE", "KEY[=VALUE]:EFFECT", "KEY[=VALUE][:EFFECT]", "GROUP/KIND/NAME"),
        "COLUMN",
    )
)
"""Metavars of values of which nothing can be offered."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "KIND [NAME...]": (f"kind {_ALL}", "names"),
    "KIND NAME...": (f"kind {_OURS}", "names"),
    "KIND NAME": (f"kind {_OURS}", "names"),
    "[WORKLOAD...]": ("name Workload",),
    "SHELL": (f"one {' '.join(SHELLS)}",),
    "NAME": ("text",),
    "[COHORT|CLUSTERQUEUE]": ("kindor Cohort,ClusterQueue Cohort ClusterQueue",),
    "[KIND] [NAME]": (f"kind {_QUEUES} Workload ResourceFlavor", "names"),
    "[KIND/NAME...]": (f"object {_JOBS}",),
    "[clusterqueue|localqueue|cohort [NAME]]": (f"kind {_QUEUES}", "names"),
}
"""By the metavar of a command's words, which stands in its usage line."""

WORDS_OF: Mapping[str, tuple[str, ...]] = {
    "explain": (f"kindor Workload Workload {_QUEUES} ResourceFlavor {_JOBS} =reason =verdict", "names"),
    "stop": ("kind ClusterQueue LocalQueue Workload", "names on"),
    "resume": ("kind ClusterQueue LocalQueue Workload", "names off"),
}
"""By the command, where the metavar does not say all."""

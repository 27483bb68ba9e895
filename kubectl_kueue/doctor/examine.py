"""The list of checks, and how they are run: each looks at the evidence, none stops another."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from kubectl_kueue.doctor import capacity, configuration, difference, installation, stuck
from kubectl_kueue.doctor.evidence import Evidence
from kubectl_kueue.doctor.finding import Finding, Status, skipped
from kubectl_kueue.errors import ConfigError

QUEUES = ("ClusterQueue", "LocalQueue", "World")
HELD = ("Workload", "World")
ALL = ("ClusterQueue", "LocalQueue", "Workload", "ResourceFlavor", "Cohort", "World")
NODES = ("ClusterQueue", "ResourceFlavor", "Cohort", "Node", "World")


class Check(NamedTuple):
    """One question: its id ("group/name"), who answers it, and the kinds without which nobody can. With
    `whole`, objects of one namespace only are not enough."""

    id: str
    look: Callable[[Evidence], Iterator[Finding]]
    needs: Sequence[str] = ()
    whole: bool = False


CHECKS = (
    Check("installation/manager", installation.manager, ("Deployment",)),
    Check("installation/webhooks", installation.webhooks, installation.WEBHOOKS),
    Check("installation/certificates", installation.certificates),
    Check("installation/crds", installation.definitions, ("CustomResourceDefinition",)),
    Check("installation/stored-versions", installation.stored_versions),
    Check("installation/conversion", installation.conversion),
    Check("installation/visibility", installation.visibility),
    Check("installation/namespaces", installation.namespaces, ("Namespace",)),
    Check("configuration/settings", configuration.settings, ("Configuration",)),
    Check("configuration/integrations", configuration.integrations),
    Check(
        "configuration/cluster-queues", configuration.cluster_queues, (*QUEUES, "ResourceFlavor"), whole=True
    ),
    Check("configuration/local-queues", configuration.local_queues, QUEUES),
    Check("configuration/queue-names", configuration.queue_names, ("LocalQueue", *HELD)),
    Check("configuration/cohorts", configuration.cohorts, ("ClusterQueue", "Cohort", "World")),
    Check("configuration/limits", configuration.limits, ("ClusterQueue", "Cohort", "World")),
    Check("configuration/flavors", configuration.flavors, ("ResourceFlavor", "World")),
    Check("capacity/flavor-nodes", capacity.flavor_nodes, NODES),
    Check("capacity/quotas", capacity.quotas, NODES),
    Check("capacity/nodes", capacity.nodes, NODES),
    Check("stuck/holders", stuck.holders, HELD),
    Check("stuck/jobs", stuck.jobs, HELD),
    Check("stuck/thrashing", stuck.thrashing, HELD),
    Check("stuck/heads", stuck.heads, ALL, whole=True),
    Check("stuck/never-evaluated", stuck.unlooked, ALL, whole=True),
    Check("stuck/gates", stuck.gated, HELD),
    Check("stuck/finalizers", stuck.finalizers, HELD),
    Check("difference/admissible", difference.admissible, ALL, whole=True),
    Check("difference/statuses", difference.statuses, ("ClusterQueue", *HELD), whole=True),
    Check("difference/metrics", difference.metrics, ("ClusterQueue", "World", "metrics")),
)

GROUPS = tuple(dict.fromkeys(check.id.partition("/")[0] for check in CHECKS))


def examine(evidence: Evidence, checks: Iterable[Check] = CHECKS) -> list[Finding]:
    """What the checks find, in their order; of a check that cannot be made, why."""
    found: list[Finding] = []
    for check in checks:
        unread = evidence.unread(check.needs)
        if not unread and check.whole:
            unread = {
                kind: f"forbidden outside of namespace {evidence.partly[kind]}"
                for kind in check.needs
                if kind in evidence.partly
            }
        results = [skipped("unread", kinds=unread)] if unread else check.look(evidence)
        found.extend(finding._replace(check=check.id) for finding in results)
    return found


def selected(words: Sequence[str]) -> list[Check]:
    """The checks that --select names: groups, or ids. Raises ConfigError for a word that is neither."""
    wanted = [word.strip() for text in words for word in text.split(",") if word.strip()]
    ids = {check.id for check in CHECKS}
    for word in wanted:
        if word not in GROUPS and word not in ids:
            raise ConfigError(
                f'there is no check "{word}"; groups are {", ".join(GROUPS)} (list: doctor --checks)'
            )
    return [c for c in CHECKS if not wanted or c.id in wanted or c.id.partition("/")[0] in wanted]


def worst(findings: Iterable[Finding]) -> Status:
    """The worst that was found."""
    statuses = {finding.status for finding in findings}
    return next((each for each in (Status.ERROR, Status.WARNING) if each in statuses), Status.OK)

"""What doctor says of the Configuration, of queues, cohorts and flavors."""

from collections.abc import Iterator, Mapping
from shlex import quote

from kubectl_kueue.doctor.configuration import CROWDED
from kubectl_kueue.views.words.causes import causes_steps, causes_words
from kubectl_kueue.views.words.commands import kueue
from kubectl_kueue.views.words.doctor.diagnosis import Facts, Words, key_of, own_name
from kubectl_kueue.views.words.numbers import count, joined, several, verb


def _settings(name: str, f: Facts) -> str:
    parts = [f"integrations {joined(f['frameworks']) or 'unknown'}"]
    parts.append("manages jobs without a queue name" if f["without_queue_name"] else "jobs need a queue name")
    if f["fair_sharing"]:
        parts.append("fair sharing")
    parts.append(f"gates {joined(f['gates'])}" if f["gates"] else "default gates")
    return "Configuration: " + "; ".join(parts)


def _causes(name: str, f: Facts) -> str:
    told = (causes_words([cause]) + (f" ({cause.message})" if cause.message else "") for cause in f["causes"])
    return f"{name} is inactive: {joined(told)}"


def _waiting_for(name: str, f: Facts) -> str:
    if not f["local_queues"]:
        return ""
    number = len(f["local_queues"])
    queues = f"LocalQueue{'s' if number > 1 else ''} {several(f['local_queues'])}"
    waits = f"{count(f['waiting'], 'workload')} {verb(f['waiting'], 'wait')}"
    return f"{queues} {verb(number, 'admit')} nothing; {waits}"


def _mends(name: str, f: Facts) -> Iterator[str]:
    return causes_steps(own_name(name), f["causes"])


def _off(name: str, f: Facts) -> str:
    jobs = f"{count(len(f['jobs']), name.partition(' ')[0])} ({several(f['jobs'])})"
    if f["how"] == "webhooks":
        return (
            f"integration {f['framework']} seems off: no webhook of Kueue has a rule for it; it is of {jobs}"
        )
    return (
        f"integration {f['framework']} is not enabled (integrations.frameworks: {joined(f['on'])}), but "
        f"{jobs} {verb(len(f['jobs']), 'name')} a queue"
    )


WORDS: Mapping[str, Words] = {
    "settings": Words(_settings),
    "gate-unknown": Words(
        lambda n, f: f"feature gate {f['gate']} is unknown to Kueue v0.19",
        lambda n, f: "the manager of a release that does not know it does not start",
    ),
    "setting-unknown": Words(lambda n, f: f"Configuration: field {f['field']} is unknown to Kueue v0.19"),
    "integrations-fit": Words(lambda n, f: "every job that names a queue is of a kind that is enabled"),
    "integration-off": Words(
        _off,
        lambda n, f: "they get no Workload and stay suspended, or run outside of Kueue",
        lambda n, f: [
            f"add {f['framework']} to integrations.frameworks of Kueue's Configuration and restart its "
            "controller; the CRD of the framework must be installed when Kueue starts"
        ],
    ),
    "crd-younger-than-manager": Words(
        lambda n, f: f"{n} was installed after Kueue had started",
        lambda n, f: f"{f['framework']} may not be managed yet",
        lambda n, f: [
            f"kubectl rollout restart deployment -n {quote(f['namespace'])} kueue-controller-manager"
        ],
    ),
    "cluster-queues-active": Words(
        lambda n, f: f"{count(f['count'], 'ClusterQueue')} {verb(f['count'], 'be')} active"
    ),
    "cluster-queue-inactive": Words(_causes, _waiting_for, _mends),
    "cluster-queue-in-cycle": Words(
        lambda n, f: f"{n} is inactive: its cohort {f['cohort']} is in a circle of cohorts", _waiting_for
    ),
    "cluster-queue-stopped": Words(
        lambda n, f: f"{n} is stopped ({f['policy']})",
        _waiting_for,
        lambda n, f: [kueue("resume", "clusterqueue", own_name(n))],
    ),
    "local-queues-lead": Words(
        lambda n, f: f"{count(f['count'], 'LocalQueue')} {verb(f['count'], 'lead')} to a ClusterQueue"
    ),
    "local-queue-dangling": Words(
        lambda n, f: f"{n} points to ClusterQueue {f['cluster_queue'] or '(none)'}, which does not exist",
        lambda n, f: f"{count(f['waiting'], 'workload')} cannot be looked at" if f["waiting"] else "",
        lambda n, f: [
            "create that ClusterQueue, or delete the LocalQueue (spec.clusterQueue cannot be changed)"
        ],
    ),
    "local-queue-stopped": Words(
        lambda n, f: f"{n} is stopped ({f['policy']})",
        lambda n, f: f"{count(f['waiting'], 'workload')} held, in no pending list" if f["waiting"] else "",
        lambda n, f: [kueue("resume", "localqueue", key_of(n))],
    ),
    "queue-names-known": Words(lambda n, f: "every waiting workload names a LocalQueue that exists"),
    "queue-name-unknown": Words(
        lambda n, f: (
            f"LocalQueue {f['queue']} does not exist, but {count(len(f['workloads']), 'workload')} "
            f"{verb(len(f['workloads']), 'name')} it ({several(f['workloads'])})"
        ),
        steps=lambda n, f: [
            f"create it, or name another: kubectl get localqueues -n {quote(f['queue'].partition('/')[0])}"
        ],
    ),
    "queue-name-empty": Words(
        lambda n, f: (
            f"{count(len(f['workloads']), 'workload')} of namespace {f['namespace']} "
            f"{verb(len(f['workloads']), 'name')} no LocalQueue ({several(f['workloads'])})"
        ),
        steps=lambda n, f: [
            f'create a LocalQueue named "default" in namespace {f["namespace"]}, or set the label '
            "kueue.x-k8s.io/queue-name"
        ],
    ),
    "cohorts-sound": Words(
        lambda n, f: (
            f"{count(f['count'], 'cohort tree')}, the largest of {count(f['largest'], 'ClusterQueue')}"
            if f["count"]
            else "no cohorts"
        )
    ),
    "cohort-cycle": Words(
        lambda n, f: f"cohorts {joined(f['cohorts'])} form a circle",
        lambda n, f: "the ClusterQueues below admit nothing",
        lambda n, f: ["take spec.parentName out of one of them"],
    ),
    "cohort-crowded": Words(
        lambda n, f: (
            f"the cohort tree of {own_name(n)} has {f['queues']} ClusterQueues (more than {CROWDED})"
        ),
        lambda n, f: "each cycle looks for victims in all of them: admission gets slow",
        lambda n, f: ["split it into trees that need not borrow from each other"],
    ),
    "limits-sound": Words(lambda n, f: "no limit of borrowing or lending is outside of a cohort"),
    "limit-without-cohort": Words(
        lambda n, f: f"{n} {f['pointer']}.{f['limit']}: must be unset without a {f['field']}",
        lambda n, f: "the API server rejects the next change of the object",
        lambda n, f: [f"set {f['field']}, or drop {f['limit']}"],
    ),
    "flavors-sound": Words(
        lambda n, f: f"{count(f['count'], 'ResourceFlavor')}: no taint is undone by a toleration"
    ),
    "flavor-tolerates-own-taint": Words(
        lambda n, f: (
            f"{n}: spec.tolerations tolerates spec.nodeTaints {f['taint']}, so the taint excludes no workload"
        ),
        steps=lambda n, f: [
            "remove the toleration from the flavor: then only pods that tolerate the taint get it"
        ],
    ),
}

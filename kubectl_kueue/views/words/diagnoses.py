"""The sentences of doctor: what a finding says, what it leads to, what to do next. One entry a code."""

from collections.abc import Callable, Mapping, Sequence
from shlex import quote
from typing import Any, NamedTuple

from kubectl_kueue.doctor.configuration import CROWDED
from kubectl_kueue.doctor.finding import Finding
from kubectl_kueue.engine.inquiries.absence import Absence, Unexplained
from kubectl_kueue.views.words.absence import absence_steps, cause_words
from kubectl_kueue.views.words.answers import sentence
from kubectl_kueue.views.words.numbers import count, joined, several

Facts = Mapping[str, Any]


class Words(NamedTuple):
    """What is said about one code. Each is made of the object's name and the facts."""

    says: Callable[[str, Facts], str]
    effect: Callable[[str, Facts], str] = lambda name, f: ""
    steps: Callable[[str, Facts], Sequence[str]] = lambda name, f: ()


def diagnosis(finding: Finding) -> str:
    """What was found, one sentence without a full stop."""
    return WORDS[finding.code].says(_named(finding), finding.facts)


def effect(finding: Finding) -> str:
    """What it leads to; empty where that is plain."""
    return WORDS[finding.code].effect(_named(finding), finding.facts)


def next_steps(finding: Finding) -> list[str]:
    """What to do, most direct first."""
    return list(WORDS[finding.code].steps(_named(finding), finding.facts))


def _named(finding: Finding) -> str:
    """ "Workload team-a/train"."""
    kind, _, name = finding.object.partition("/")
    return f"{kind} {name}" if name else kind


def _bare(name: str) -> str:
    """ "team-a/train"."""
    return name.partition(" ")[2]


def _last(name: str) -> str:
    return name.rpartition("/")[2].rpartition(" ")[2]


def _located(name: str) -> str:
    """The name and namespace for a command line."""
    namespace, _, last = _bare(name).rpartition("/")
    return f"{quote(last)} -n {quote(namespace)}" if namespace else quote(last)


def _at(time: str) -> str:
    """A time of the API in short: its date and minute, UTC."""
    return time[:16].replace("T", " ") if len(time) >= 16 else time or "unknown"


def _every(number: int, noun: str) -> str:
    return f"all {count(number, noun)}" if number > 1 else f"every {noun}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _unread(name: str, f: Facts) -> str:
    reasons: dict[str, list[str]] = {}
    for kind, why in f["kinds"].items():
        reasons.setdefault(str(why), []).append(_KINDS.get(kind, kind))
    return "; ".join(f"{why} ({', '.join(kinds)})" for why, kinds in reasons.items())


_KINDS = {
    "World": "what the scheduler reads",
    "metrics": "metrics of Kueue",
    "conversion": "objects in an old version",
    "visibility": "the visibility API",
}


def _pods_command(f: Facts) -> str:
    return f"kubectl get pods -n {quote(f['namespace'])} -l control-plane=controller-manager"


def _logs_command(f: Facts) -> str:
    return f"kubectl logs -n {quote(f['namespace'])} deployment/kueue-controller-manager --tail=50"


def _refuses(name: str, f: Facts) -> str:
    if not f.get("strict"):
        return "requests pass unchecked: jobs start without waiting for quota"
    return (
        f"requests that {f['strict']} webhooks look at are refused: jobs and queues cannot be made or changed"
    )


# --- installation -------------------------------------------------------------------------------

_ALPHA_STEPS: Mapping[str, str] = {
    "Cohort": "use v1beta2, and rename spec.parent to spec.parentName",
    "Topology": "use v1beta2; the fields are unchanged",
}

_INSTALLATION: Mapping[str, Words] = {
    "unread": Words(_unread),
    "manager-ready": Words(
        lambda n, f: (
            f"Kueue {f['version'] or 'of unknown version'}, {f['ready']} of {f['replicas']} replicas ready"
        )
    ),
    "manager-partly-ready": Words(
        lambda n, f: f"Kueue {f['version']}: {f['ready']} of {f['replicas']} replicas ready",
        steps=lambda n, f: [_pods_command(f)],
    ),
    "manager-not-ready": Words(
        lambda n, f: f"Kueue {f['version']}: none of {f['replicas']} replicas is ready ({n})",
        lambda n, f: "nothing is admitted, and what its webhooks look at is refused",
        lambda n, f: [_pods_command(f), _logs_command(f)],
    ),
    "manager-stopped": Words(
        lambda n, f: f"Kueue {f['version']} is scaled to 0 replicas ({n})",
        lambda n, f: "nothing is admitted, and what its webhooks look at is refused",
        lambda n, f: [f"kubectl scale deployment/{_last(n)} -n {quote(f['namespace'])} --replicas=1"],
    ),
    "manager-status-unknown": Words(
        lambda n, f: (
            f"Kueue {f['version'] or 'of unknown version'}; the data does not say whether it is ready"
        )
    ),
    "manager-absent": Words(
        lambda n, f: (
            "no Deployment of Kueue's manager (label app.kubernetes.io/name=kueue) is in the cluster"
        ),
        lambda n, f: "nothing is admitted",
        lambda n, f: ["install Kueue, or look into the cluster where it runs (--context)"],
    ),
    "manager-of-other-release": Words(
        lambda n, f: f"Kueue {f['version']} runs, but this program decides as {f['simulated']} does",
        lambda n, f: "verdicts may differ where the releases do",
    ),
    "webhooks-answer": Words(lambda n, f: f"{count(f['count'], 'webhook')} have endpoints and a caBundle"),
    "webhooks-configured": Words(lambda n, f: f"{count(f['count'], 'webhook')} have a caBundle"),
    "endpoints-unread": Words(lambda n, f: f"whether their Service has endpoints: {_unread(n, f)}"),
    "webhooks-absent": Words(
        lambda n, f: "no webhook configuration of Kueue",
        lambda n, f: "jobs are not suspended when they are created, and wrong objects are not refused",
        lambda n, f: ["apply the manifests of the installed release again"],
    ),
    "webhook-without-ca": Words(
        lambda n, f: f"{n}: no caBundle in {several(f['webhooks'])}",
        _refuses,
        lambda n, f: [
            "Kueue writes it when it starts: see its logs; with cert-manager: is the annotation "
            "cert-manager.io/inject-ca-from there?"
        ],
    ),
    "webhook-without-service": Words(
        lambda n, f: f"{n}: Service {f['service']} does not exist",
        _refuses,
        lambda n, f: [
            "if Kueue was removed: kubectl delete "
            f"{n.partition(' ')[0].lower()} {quote(_last(n))}; else apply its manifests again"
        ],
    ),
    "webhook-without-endpoints": Words(
        lambda n, f: f"{n}: Service {f['service']} has no ready endpoint",
        _refuses,
        lambda n, f: [_pods_command(f)],
    ),
    "no-certificates": Words(lambda n, f: "no certificate in the data"),
    "certificate-unreadable": Words(lambda n, f: f"{n}: its certificate cannot be read"),
    "certificate-expired": Words(
        lambda n, f: f"{n}: the certificate ended on {_at(f['ends'])}, {count(f['days'], 'day')} ago",
        lambda n, f: "the API server trusts the webhook no longer",
        lambda n, f: ["delete the Secret kueue-webhook-server-cert and restart Kueue, or see cert-manager"],
    ),
    "certificate-ends-soon": Words(
        lambda n, f: f"{n}: the certificate ends on {_at(f['ends'])}, in {count(f['days'], 'day')}",
        steps=lambda n, f: ["see that whoever renews it (Kueue, cert-manager) runs"],
    ),
    "certificates-valid": Words(
        lambda n, f: f"{count(f['count'], 'certificate')} valid for {count(f['days'], 'day')} or longer"
    ),
    "crds-served": Words(lambda n, f: f"{f['count']} CRDs serve {f['version']}"),
    "crd-absent": Words(
        lambda n, f: f"{n} is not installed",
        steps=lambda n, f: [
            "apply the manifests of the installed release again (kubectl apply --server-side)"
        ],
    ),
    "crd-terminating": Words(
        lambda n, f: f"{n} is being deleted since {_at(f['since'])}",
        lambda n, f: "all its objects go with it",
    ),
    "crd-not-established": Words(lambda n, f: f"{n} is not established: {f['message']}"),
    "crd-version-not-served": Words(
        lambda n, f: f"{n} does not serve {f['version']}, only {joined(f['served'])}",
        lambda n, f: "Kueue v0.19 cannot work with it",
        lambda n, f: ["apply the CRDs of the installed release (helm upgrade leaves CRDs as they are)"],
    ),
    "field-unknown": Words(
        lambda n, f: f"field {f['field']} of {several(f['objects'])} is unknown to Kueue v0.19",
        lambda n, f: "what a newer release makes of it is in no answer of this program",
    ),
    "stored-current": Words(lambda n, f: f"objects of {f['count']} CRDs are stored in one version"),
    "stored-old": Words(
        lambda n, f: f"storedVersions of {_last(n)}: {joined(f['stored'])}; written is {f['storage']}",
        lambda n, f: f"an upgrade that drops {joined(f['old'])} is refused",
        lambda n, f: [
            f"write all its objects once (kubectl get {f['resource']} -A -o json | kubectl replace -f -), "
            f"then take {joined(f['old'])} out of status.storedVersions of the CRD"
        ],
    ),
    "stored-alpha": Words(
        lambda n, f: (
            f"storedVersions of {_last(n)}: {joined(f['stored'])}; there is no conversion from alpha"
        ),
        lambda n, f: "an upgrade of the CRD is refused",
        lambda n, f: [
            f"save the objects, delete and re-create them in {f['storage']}, then take {joined(f['old'])} "
            "out of status.storedVersions of the CRD"
        ],
    ),
    "version-gone": Words(
        lambda n, f: f"{n}: {f['version']} is not served any more",
        steps=lambda n, f: [_ALPHA_STEPS.get(f["kind"], "re-create it in v1beta2")],
    ),
    "conversion-off": Words(
        lambda n, f: f"{n}: serves {joined(f['served'])} without a conversion webhook",
        lambda n, f: "fields that one version does not know are dropped",
        lambda n, f: ["apply the CRDs of the installed release"],
    ),
    "conversion-without-ca": Words(
        lambda n, f: f"{n}: its conversion webhook has no caBundle",
        lambda n, f: "objects stored in another version cannot be read",
        lambda n, f: ["Kueue writes it when it starts: see its logs"],
    ),
    "conversion-fails": Words(
        lambda n, f: f"{n}: an object could not be converted: {f['message']}",
        lambda n, f: "objects stored in another version cannot be read",
        lambda n, f: ["see the webhooks above"],
    ),
    "conversion-works": Words(lambda n, f: f"objects of {f['count']} kinds are converted between versions"),
    "visibility-available": Words(lambda n, f: f"{n} is available"),
    "visibility-answers": Words(lambda n, f: "the visibility API answers"),
    "visibility-absent": Words(
        lambda n, f: "the visibility API is not installed",
        lambda n, f: "positions in queues are computed locally",
        lambda n, f: ["apply the visibility manifests of the release, if you want Kueue's own"],
    ),
    "visibility-fails": Words(
        lambda n, f: f"the visibility API does not answer: {f['message']}",
        lambda n, f: "positions in queues are computed locally; namespaces may hang in Terminating",
    ),
    "visibility-unavailable": Words(
        lambda n, f: f"{n} is not available ({f['reason']})" + (f": {f['message']}" if f["message"] else ""),
        lambda n, f: (
            'namespaces cannot be deleted, kubectl prints "couldn\'t get resource list", positions in '
            "queues are computed locally"
        ),
        lambda n, f: [
            f"is the gate VisibilityOnDemand on, and does Service {f['service']} have endpoints (port 8082, "
            "network policy, hostNetwork)?",
            f"if visibility is switched off on purpose: kubectl delete apiservice {quote(f['name'])}",
        ],
    ),
    "namespace-stuck": Words(
        lambda n, f: (
            f"{n} is Terminating since {_at(f['since'])}: {f['reason']} names the group {joined(f['groups'])}"
        ),
        steps=lambda n, f: [
            "repair or delete the APIService of that group; the namespace goes by itself then"
        ],
    ),
    "namespace-held": Words(
        lambda n, f: f"{n} is Terminating since {_at(f['since'])}: {f['message']}",
        steps=lambda n, f: [
            f"kubectl get workloads -n {quote(f['name'])}: who holds them? Is Kueue running?"
        ],
    ),
    "namespaces-free": Words(
        lambda n, f: f"no namespace of {f['count']} hangs in Terminating because of Kueue"
    ),
}

# --- configuration ------------------------------------------------------------------------------


def _settings(name: str, f: Facts) -> str:
    parts = [f"integrations {joined(f['frameworks']) or 'unknown'}"]
    parts.append("manages jobs without a queue name" if f["without_queue_name"] else "jobs need a queue name")
    if f["fair_sharing"]:
        parts.append("fair sharing")
    parts.append(f"gates {joined(f['gates'])}" if f["gates"] else "default gates")
    return "Configuration: " + "; ".join(parts)


_CAUSES: Mapping[str, str] = {
    "Terminating": "it is being deleted",
    "Stopped": "it is stopped",
    "FlavorNotFound": "ResourceFlavor {name} does not exist",
    "AdmissionCheckNotFound": "AdmissionCheck {name} does not exist",
    "AdmissionCheckInactive": "AdmissionCheck {name} is inactive",
    "MultipleMultiKueueAdmissionChecks": "more than one MultiKueue check ({name})",
    "MultiKueueAdmissionCheckAppliedPerFlavor": "MultiKueue check {name} is for some flavors only",
    "MultiKueueWithProvisioningRequest": "MultiKueue and ProvisioningRequest checks together",
    "TopologyNotFound": "Topology {name} does not exist",
}


def _cause(cause: Mapping[str, str]) -> str:
    told = _CAUSES.get(cause["reason"], cause["reason"] + " {name}").replace("{name}", cause["name"])
    return f"{told} ({cause['because']})" if cause["because"] else told


def _waiting_for(name: str, f: Facts) -> str:
    if not f["local_queues"]:
        return ""
    several_queues = len(f["local_queues"]) > 1
    queues = f"LocalQueue{'s' if several_queues else ''} {several(f['local_queues'])}"
    waits = f"{count(f['waiting'], 'workload')} {'waits' if f['waiting'] == 1 else 'wait'}"
    return f"{queues} {'admit' if several_queues else 'admits'} nothing; {waits}"


_MENDS: Mapping[str, str] = {
    "FlavorNotFound": "create ResourceFlavor {name}, or take it out of the ClusterQueue",
    "AdmissionCheckNotFound": "create AdmissionCheck {name}, or take it out of the ClusterQueue",
    "AdmissionCheckInactive": "are its controller and its parameters there? kubectl describe ac {name}",
    "TopologyNotFound": "create Topology {name}, or take topologyName out of the flavor",
}


def _mends(name: str, f: Facts) -> list[str]:
    steps = (_MENDS.get(cause["reason"], "").replace("{name}", quote(cause["name"])) for cause in f["causes"])
    return list(dict.fromkeys(filter(None, steps)))


def _off(name: str, f: Facts) -> str:
    jobs = f"{count(len(f['jobs']), name.partition(' ')[0])} ({several(f['jobs'])})"
    if f["how"] == "webhooks":
        return (
            f"integration {f['framework']} seems off: no webhook of Kueue has a rule for it; it is of {jobs}"
        )
    return (
        f"integration {f['framework']} is not enabled (integrations.frameworks: {joined(f['on'])}), but "
        f"{jobs} {'names' if len(f['jobs']) == 1 else 'name'} a queue"
    )


_CONFIGURATION: Mapping[str, Words] = {
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
        lambda n, f: f"{count(f['count'], 'ClusterQueue')} {_are(f['count'])} active"
    ),
    "cluster-queue-inactive": Words(
        lambda n, f: f"{n} is inactive: {joined(map(_cause, f['causes']))}", _waiting_for, _mends
    ),
    "cluster-queue-in-cycle": Words(
        lambda n, f: f"{n} is inactive: its cohort {f['cohort']} is in a circle of cohorts", _waiting_for
    ),
    "cluster-queue-stopped": Words(
        lambda n, f: f"{n} is stopped ({f['policy']})",
        _waiting_for,
        lambda n, f: [f"kubectl kueue resume clusterqueue {quote(_last(n))}"],
    ),
    "local-queues-lead": Words(
        lambda n, f: (
            f"{count(f['count'], 'LocalQueue')} {'leads' if f['count'] == 1 else 'lead'} to a ClusterQueue"
        )
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
        lambda n, f: [f"kubectl kueue resume localqueue {_located(n)}"],
    ),
    "queue-names-known": Words(lambda n, f: "every waiting workload names a LocalQueue that exists"),
    "queue-name-unknown": Words(
        lambda n, f: (
            f"LocalQueue {f['queue']} does not exist, but {count(len(f['workloads']), 'workload')} "
            f"{'names' if len(f['workloads']) == 1 else 'name'} it ({several(f['workloads'])})"
        ),
        steps=lambda n, f: [
            f"create it, or name another: kubectl get localqueues -n {quote(f['queue'].partition('/')[0])}"
        ],
    ),
    "queue-name-empty": Words(
        lambda n, f: (
            f"{count(len(f['workloads']), 'workload')} of namespace {f['namespace']} "
            f"{'names' if len(f['workloads']) == 1 else 'name'} no LocalQueue ({several(f['workloads'])})"
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
        lambda n, f: f"the cohort tree of {_last(n)} has {f['queues']} ClusterQueues (more than {CROWDED})",
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

# --- capacity -----------------------------------------------------------------------------------


def _givers(f: Facts) -> str:
    parts = []
    if f["queues"]:
        parts.append(f"{count(len(f['queues']), 'ClusterQueue')} ({several(f['queues'])})")
    if f["cohorts"]:
        parts.append(f"{count(len(f['cohorts']), 'Cohort')} ({several(f['cohorts'])})")
    return joined(parts)


def _or_topology(f: Facts) -> str:
    return "" if f["topology"] else ", or give the flavor a Topology"


def _with_labels(f: Facts) -> str:
    return f"with {joined(f['labels'])} " if f["labels"] else ""


def _shared(f: Facts) -> str:
    return f", which are those of {several(f['shared_with'])} too" if f["shared_with"] else ""


_CAPACITY: Mapping[str, Words] = {
    "flavors-have-nodes": Words(
        lambda n, f: f"{count(f['count'], 'flavor')} with quota, each with nodes ({f['nodes']} in all)"
    ),
    "flavor-without-nodes": Words(
        lambda n, f: f"{n}: no ready node {_with_labels(f)}belongs to it",
        lambda n, f: f"workloads that {several(f['queues'])} admits there get no node" if f["queues"] else "",
        lambda n, f: [
            "correct spec.nodeLabels and spec.nodeTaints; harmless if an autoscaler makes the nodes"
        ],
    ),
    "quotas-covered": Words(lambda n, f: f"nodes have what {count(f['count'], 'quota')} promise"),
    "quota-above-nodes": Words(
        lambda n, f: (
            f"{n}: quota {f['quota']} {f['resource']} in {_givers(f)}, {count(f['nodes'], 'node')} "
            f"{'has' if f['nodes'] == 1 else 'have'} {f['allocatable']}{_shared(f)}"
        ),
        lambda n, f: (
            "quota is shown as free that no node has: workloads wait for a place"
            if f["topology"]
            else "admitted pods stay Pending, or evict others by pod priority: Kueue counts quota, not nodes"
        ),
        lambda n, f: [f"lower nominalQuota or add nodes{_or_topology(f)}"],
    ),
    "nodes-in-flavors": Words(
        lambda n, f: f"no scarce resource of {count(f['count'], 'node')} is outside of all flavors"
    ),
    "nodes-in-no-flavor": Words(
        lambda n, f: (
            f"{f['amount']} {f['resource']} on {count(len(f['nodes']), 'node')} ({several(f['nodes'])}) in "
            "no flavor"
        ),
        lambda n, f: "no quota is about them",
        lambda n, f: ["label the nodes as a flavor asks, or make a flavor for them"],
    ),
}

# --- stuck --------------------------------------------------------------------------------------


def _held(f: Facts) -> str:
    return f"holds {joined(f['holds']) or 'no quota'} of {f['cluster_queue']}"


def _holder(name: str, f: Facts) -> str:
    true = joined(["QuotaReserved", *(["Admitted"] if f["admitted"] else [])])
    evicted = f", Evicted too ({f['evicted']})" if f["evicted"] else ""
    are = "are" if f["admitted"] else "is"
    return f"{name}: {true} {are} True{evicted}, it has no owner and no known pods: it {_held(f)}"


def _delete(name: str, f: Facts) -> list[str]:
    return [
        f"kubectl delete workload {quote(f['name'])} -n {quote(f['namespace'])} (remove the finalizer "
        "kueue.x-k8s.io/resource-in-use if it hangs)"
    ]


def _nobody(name: str, f: Facts) -> str:
    return "others wait for quota that nobody will give back"


def _jobless(name: str, f: Facts) -> str:
    absence: Absence = f["absence"]
    cause = absence.causes[0]
    if isinstance(cause, Unexplained):
        if f["off"]:
            return f"{name} names a queue and has no Workload: no webhook of Kueue has a rule for its kind"
        if f["said"]:
            return f"{name} names a queue and has no Workload: {f['said']}"
        if f["manager_down"]:
            return f"{name} names a queue and has no Workload: Kueue is not running"
    return f"{name} names a queue and has no Workload: {cause_words(cause, absence)}"


def _jobless_steps(name: str, f: Facts) -> list[str]:
    if isinstance(f["absence"].causes[0], Unexplained):
        if f["off"]:
            return ["enable its integration in Kueue's Configuration and restart the controller"]
        if f["manager_down"]:
            return ["start Kueue"]
        kind, _, rest = name.partition(" ")
        namespace, _, last = rest.partition("/")
        return [f"kubectl describe {kind.lower()} {quote(last)} -n {quote(namespace)}"]
    return [sentence(step) for step in absence_steps(f["absence"])]


def _thrashes(name: str, f: Facts) -> str:
    by = f" by {f['preemptor']}" if f["preemptor"] else ""
    why = f" ({f['reason']})" if f["reason"] else ""
    return (
        f"{name}: evicted {f['count']} times by preemption (status.schedulingStats.evictions), last at "
        f"{_at(f['last'])}{by}{why}"
    )


def _calm(name: str, f: Facts) -> list[str]:
    steps = [f"kubectl kueue explain workload/{_located(name)}: who evicts whom, and would it happen again?"]
    if f["fair_sharing"]:
        steps.append(
            "check for known loops of the release: zero or huge fair sharing weights, "
            "LessThanOrEqualToFinalShare"
        )
    return steps


_STUCK: Mapping[str, Words] = {
    "holders-owned": Words(lambda n, f: f"{count(f['count'], 'workload')} with quota, each with an owner"),
    "holder-is-ghost": Words(_holder, _nobody, _delete),
    "holder-lost-its-job": Words(_holder, _nobody, _delete),
    "holder-without-owner": Words(
        _holder,
        lambda n, f: "if nobody made it by hand, nobody will end it",
        _delete,
    ),
    "holder-owner-gone": Words(
        lambda n, f: f"{n}: its owner {f['owner']} is gone; it {_held(f)}", _nobody, _delete
    ),
    "jobs-have-workloads": Words(
        lambda n, f: (
            f"{count(f['count'], 'job')} that {'names' if f['count'] == 1 else 'name'} a queue: none lacks "
            "its Workload"
            if f["count"]
            else "no job names a queue"
        )
    ),
    "job-without-workload": Words(
        _jobless, lambda n, f: "it waits for nothing that will come, or runs outside of Kueue", _jobless_steps
    ),
    "nothing-thrashes": Words(lambda n, f: f"no workload of {f['count']} is preempted over and over"),
    "workload-thrashes": Words(_thrashes, lambda n, f: "its work is lost each time", _calm),
    "heads-can-fit": Words(
        lambda n, f: (
            f"{count(f['count'], 'StrictFIFO queue')}: no head is impossible"
            if f["count"]
            else "no StrictFIFO queue"
        )
    ),
    "head-never-fits": Words(
        lambda n, f: (
            f"{n} is the head of StrictFIFO ClusterQueue {f['cluster_queue']} and never fits ({f['reason']})"
        ),
        lambda n, f: (
            f"{count(len(f['behind']), 'workload')} behind it "
            f"{'waits' if len(f['behind']) == 1 else 'wait'}: {several(f['behind'])}"
        ),
        lambda n, f: [
            f"kubectl kueue explain workload/{_located(n)}",
            f"kubectl kueue stop workload {_located(n)}",
        ],
    ),
    "all-evaluated": Words(
        lambda n, f: f"the scheduler has looked at {_every(f['count'], 'waiting workload')}"
    ),
    "workload-never-evaluated": Words(
        lambda n, f: f"{n} waits in {f['cluster_queue']}, and the scheduler has never looked at it",
        steps=lambda n, f: [
            "is Kueue running and not overloaded? See its logs and kueue_admission_attempts_total"
        ],
    ),
    "gates-open": Words(lambda n, f: "no workload is held back for more than an hour"),
    "workload-gated": Words(
        lambda n, f: (
            f"{n} is held back ({f['reason']}{' by ' + f['by'] if f['by'] else ''}) for more than an hour"
        ),
        steps=lambda n, f: ["whoever set the gate has to open it; Kueue never does"],
    ),
    "deletions-done": Words(lambda n, f: "nothing of Kueue hangs in deletion"),
    "deletion-hangs": Words(
        lambda n, f: (
            f"{n} is being deleted since {_at(f['since'])} (finalizers {joined(f['finalizers']) or 'none'})"
            + (f"; it is used by {several(f['users'])}" if f["users"] else "")
        ),
        steps=lambda n, f: ["it goes when nothing uses it any more"] if f["users"] else ["is Kueue running?"],
    ),
}

# --- difference ---------------------------------------------------------------------------------


def _differences(f: Facts, one: str, other: str) -> str:
    return joined(f"{field} {one} {a}, {other} {b}" for field, (a, b) in f["differences"].items())


def _figures(name: str, f: Facts) -> str:
    totals = ", ".join(f"{each.removeprefix('kueue_')} {value}" for each, value in f["totals"].items())
    return f"metrics of {count(f['count'], 'ClusterQueue')} agree with the statuses" + (
        f" ({totals})" if totals else ""
    )


_DIFFERENCE: Mapping[str, Words] = {
    "scheduler-agrees": Words(lambda n, f: "no workload fits that Kueue has left waiting"),
    "fits-and-waits": Words(
        lambda n, f: (
            f"{n} fits into {f['cluster_queue']}, and Kueue has not admitted it for {f['minutes']}m"
            + (f' (it says: "{f["says"]}")' if f["says"] else "")
        ),
        lambda n, f: "it waits for no reason that its cluster tells",
        lambda n, f: [
            f"kubectl kueue explain workload/{_located(n)}",
            "restart Kueue if it stays so, and report it with a snapshot (kubectl kueue snapshot --redact)",
        ],
    ),
    "statuses-agree": Words(
        lambda n, f: f"statuses of {count(f['count'], 'ClusterQueue')} agree with the Workloads"
    ),
    "status-differs": Words(
        lambda n, f: f"{n}: {_differences(f, 'says', 'Workloads say')}",
        lambda n, f: "Kueue may count quota that nobody holds, or the status is late",
        lambda n, f: ["look again in a minute; if it stays so, restart Kueue"],
    ),
    "metrics-agree": Words(_figures),
    "metrics-differ": Words(
        lambda n, f: f"{n}: {_differences(f, 'metric', 'status')}",
        lambda n, f: "dashboards and objects tell different stories",
        lambda n, f: ["look again in a minute; if it stays so, restart Kueue"],
    ),
}

WORDS: Mapping[str, Words] = {**_INSTALLATION, **_CONFIGURATION, **_CAPACITY, **_STUCK, **_DIFFERENCE}
"""Every code that a check can give; a test holds it against the checks."""

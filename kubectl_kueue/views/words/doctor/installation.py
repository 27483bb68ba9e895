"""What doctor says of the installation: manager, webhooks, CRDs, visibility, namespaces."""

from collections.abc import Mapping
from shlex import quote

from kubectl_kueue.views.words.doctor.diagnosis import Facts, Words, own_name, when
from kubectl_kueue.views.words.numbers import count, joined, several


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


_ALPHA_STEPS: Mapping[str, str] = {
    "Cohort": "use v1beta2, and rename spec.parent to spec.parentName",
    "Topology": "use v1beta2; the fields are unchanged",
}

WORDS: Mapping[str, Words] = {
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
        lambda n, f: [f"kubectl scale deployment/{own_name(n)} -n {quote(f['namespace'])} --replicas=1"],
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
            f"{n.partition(' ')[0].lower()} {quote(own_name(n))}; else apply its manifests again"
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
        lambda n, f: f"{n}: the certificate ended on {when(f['ends'])}, {count(f['days'], 'day')} ago",
        lambda n, f: "the API server trusts the webhook no longer",
        lambda n, f: ["delete the Secret kueue-webhook-server-cert and restart Kueue, or see cert-manager"],
    ),
    "certificate-ends-soon": Words(
        lambda n, f: f"{n}: the certificate ends on {when(f['ends'])}, in {count(f['days'], 'day')}",
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
        lambda n, f: f"{n} is being deleted since {when(f['since'])}",
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
        lambda n, f: f"storedVersions of {own_name(n)}: {joined(f['stored'])}; written is {f['storage']}",
        lambda n, f: f"an upgrade that drops {joined(f['old'])} is refused",
        lambda n, f: [
            f"write all its objects once (kubectl get {f['resource']} -A -o json | kubectl replace -f -), "
            f"then take {joined(f['old'])} out of status.storedVersions of the CRD"
        ],
    ),
    "stored-alpha": Words(
        lambda n, f: (
            f"storedVersions of {own_name(n)}: {joined(f['stored'])}; there is no conversion from alpha"
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
            f"{n} is Terminating since {when(f['since'])}: {f['reason']} names the group "
            f"{joined(f['groups'])}"
        ),
        steps=lambda n, f: [
            "repair or delete the APIService of that group; the namespace goes by itself then"
        ],
    ),
    "namespace-held": Words(
        lambda n, f: f"{n} is Terminating since {when(f['since'])}: {f['message']}",
        steps=lambda n, f: [
            f"kubectl get workloads -n {quote(f['name'])}: who holds them? Is Kueue running?"
        ],
    ),
    "namespaces-free": Words(
        lambda n, f: f"no namespace of {f['count']} hangs in Terminating because of Kueue"
    ),
}

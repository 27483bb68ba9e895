"""Does Kueue run, and does the API server reach it? Deployment, webhooks, certificates, CRDs, visibility."""

from collections.abc import Iterator

import msgspec

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.doctor.certificate import expiries
from kubectl_kueue.doctor.evidence import (
    DEFAULT_NAMESPACE,
    Evidence,
    Value,
    at,
    condition,
    items,
    labelled,
    moment,
    name_of,
    number,
    text,
)
from kubectl_kueue.doctor.finding import Finding, error, ok, skipped, warning
from kubectl_kueue.model.timestamp import DAY, MINUTE, format_time
from kubectl_kueue.model.unknown import LOOKED_AT, Strangers

GROUP = "kueue.x-k8s.io"
VISIBILITY = "visibility.kueue.x-k8s.io"
STORAGE = "v1beta2"

CRDS = (
    "admissionchecks",
    "clusterqueues",
    "cohorts",
    "localqueues",
    "multikueueclusters",
    "multikueueconfigs",
    "provisioningrequestconfigs",
    "resourceflavors",
    "topologies",
    "workloadpriorityclasses",
    "workloads",
)
"""Plurals of the kinds of Kueue v0.19."""

CONVERTED = ("clusterqueues", "localqueues", "workloads", "cohorts", "multikueueclusters")
"""Those of them that a webhook converts between v1beta1 and v1beta2."""

WEBHOOKS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")

SOON = 30 * DAY
"""A certificate that ends within this time deserves a warning."""

STUCK = 10 * MINUTE
"""A namespace that has been Terminating for this long will not go by itself."""


def manager(evidence: Evidence) -> Iterator[Finding]:
    """The Deployment of the controller manager: is it there, ready, and of the release that is simulated?"""
    found = evidence.manager
    if found is None:
        if evidence.partly.get("Deployment"):
            yield skipped("unread", kinds={"Deployment": "forbidden elsewhere"})
        elif evidence.live:
            yield error("manager-absent", namespace=DEFAULT_NAMESPACE)
        else:
            yield skipped("unread", kinds={"Deployment": "not in the data"})
        return
    here, version = f"Deployment/{name_of(found)}", version_of(found)
    ready = number(found, "status", "readyReplicas")
    facts = {
        "version": version,
        "ready": ready,
        "replicas": _wanted(found),
        "namespace": text(found, "metadata", "namespace"),
    }
    if "status" not in found:
        yield skipped("manager-status-unknown", here, **facts)
    elif not _wanted(found):
        yield error("manager-stopped", here, **facts)
    elif not ready:
        yield error("manager-not-ready", here, **facts)
    elif ready < _wanted(found):
        yield warning("manager-partly-ready", here, **facts)
    else:
        yield ok("manager-ready", here, **facts)
    if version and _minor(version) != _minor(SIMULATED_KUEUE):
        yield warning("manager-of-other-release", here, version=version, simulated=SIMULATED_KUEUE)


def version_of(deployment: Value) -> str:
    """The tag of the manager's image, "" if it has none."""
    for container in items(deployment, "spec", "template", "spec", "containers"):
        if at(container, "name") == "manager":
            name, colon, tag = text(container, "image").partition("@")[0].rpartition(":")
            return tag if colon and name and "/" not in tag else ""
    return ""


def _wanted(deployment: Value) -> int:
    return number(deployment, "spec", "replicas") if at(deployment, "spec", "replicas") is not None else 1


def _minor(version: str) -> tuple[str, ...]:
    return tuple(version.lstrip("v").split(".")[:2])


# --- webhooks -----------------------------------------------------------------------------------


def webhooks(evidence: Evidence) -> Iterator[Finding]:
    """Webhook configurations: does each lead to a Service with a ready endpoint, and is it trusted?"""
    configurations = list(_configurations(evidence))
    if not configurations:
        if evidence.live or any(evidence.of(*WEBHOOKS)):
            yield error("webhooks-absent")
        return
    sound, count = True, 0
    for configuration in configurations:
        here = f"{text(configuration, 'kind')}/{name_of(configuration)}"
        hooks = items(configuration, "webhooks")
        count += len(hooks)
        strict = sum(1 for hook in hooks if text(hook, "failurePolicy") != "Ignore")
        distrusted = [text(hook, "name") for hook in hooks if not text(hook, "clientConfig", "caBundle")]
        if distrusted:
            sound = False
            yield error("webhook-without-ca", here, webhooks=distrusted, strict=strict)
        for service in sorted({_service_of(hook) for hook in hooks} - {""}):
            for finding in _about_service(evidence, here, service, strict):
                sound = False
                yield finding
    if sound:
        seen = "EndpointSlice" not in evidence.missing
        yield ok("webhooks-answer" if seen else "webhooks-configured", count=count)
    if unread := evidence.unread(("Service", "EndpointSlice")):
        yield skipped("endpoints-unread", kinds=unread)


def _configurations(evidence: Evidence) -> Iterator[Value]:
    for each in evidence.of(*WEBHOOKS):
        services = {_service_of(hook) for hook in items(each, "webhooks")}
        if "kueue" in name_of(each) and any("kueue" in service for service in services):
            yield each


def _service_of(hook: Value) -> str:
    return "/".join(
        filter(None, (text(hook, "clientConfig", "service", key) for key in ("namespace", "name")))
    )


def _about_service(evidence: Evidence, here: str, service: str, strict: int) -> Iterator[Finding]:
    namespace, _, name = service.partition("/")
    if "Service" not in evidence.missing and not any(name_of(s) == service for s in evidence.of("Service")):
        yield error("webhook-without-service", here, service=service, namespace=namespace, strict=strict)
    elif "EndpointSlice" not in evidence.missing and not ready_endpoints(evidence, namespace, name):
        yield error("webhook-without-endpoints", here, service=service, namespace=namespace, strict=strict)


def ready_endpoints(evidence: Evidence, namespace: str, service: str) -> int:
    """How many endpoints of a Service are ready."""
    return sum(
        1
        for each in evidence.of("EndpointSlice")
        if text(each, "metadata", "namespace") == namespace
        and labelled(each, "kubernetes.io/service-name") == service
        for endpoint in items(each, "endpoints")
        if at(endpoint, "conditions", "ready") is not False
    )


# --- certificates -------------------------------------------------------------------------------


def certificates(evidence: Evidence) -> Iterator[Finding]:
    """Certificates that webhooks and conversions are trusted by, and that of Kueue if the data has it."""
    found = dict(_certificates(evidence))
    if not found:
        unread = evidence.unread((*WEBHOOKS, "CustomResourceDefinition"))
        yield skipped("unread", kinds=unread) if unread else skipped("no-certificates")
        return
    ends: list[int] = []
    for here, encoded in found.items():
        known = expiries(encoded)
        if known is None:
            yield skipped("certificate-unreadable", here)
            continue
        end = min(known)
        facts = {"ends": format_time(end), "days": abs(end - evidence.now) // DAY}
        if end <= evidence.now:
            yield error("certificate-expired", here, **facts)
        elif end - evidence.now < SOON:
            yield warning("certificate-ends-soon", here, **facts)
        else:
            ends.append(end)
    if ends:
        days = (min(ends) - evidence.now) // DAY
        yield ok("certificates-valid", count=len(ends), days=days, ends=format_time(min(ends)))


def _certificates(evidence: Evidence) -> Iterator[tuple[str, str]]:
    for configuration in _configurations(evidence):
        bundles = {text(hook, "clientConfig", "caBundle") for hook in items(configuration, "webhooks")}
        for bundle in sorted(bundles - {""}):
            yield f"{text(configuration, 'kind')}/{name_of(configuration)}", bundle
    for definition in _definitions(evidence):
        if bundle := text(definition, "spec", "conversion", "webhook", "clientConfig", "caBundle"):
            yield f"CustomResourceDefinition/{name_of(definition)}", bundle
    for secret in evidence.of("Secret"):
        if "kueue" in name_of(secret) and (own := text(secret, "data", "tls.crt")):
            yield f"Secret/{name_of(secret)}", own


# --- custom resource definitions ----------------------------------------------------------------


def definitions(evidence: Evidence) -> Iterator[Finding]:
    """CRDs: are all there, established, and do they serve the version that Kueue v0.19 stores?"""
    found = {text(each, "spec", "names", "plural"): each for each in _definitions(evidence)}
    sound = True
    for plural in CRDS:
        each, here = found.get(plural), f"CustomResourceDefinition/{plural}.{GROUP}"
        if each is None:
            finding = error("crd-absent", here)
        elif text(each, "metadata", "deletionTimestamp"):
            finding = error("crd-terminating", here, since=text(each, "metadata", "deletionTimestamp"))
        elif text(condition(each, "Established"), "status") == "False":
            finding = error(
                "crd-not-established", here, message=text(condition(each, "Established"), "message")
            )
        elif STORAGE not in _served(each):
            finding = error("crd-version-not-served", here, version=STORAGE, served=_served(each))
        else:
            continue
        sound = False
        yield finding
    if sound:
        yield ok("crds-served", count=len(CRDS), version=STORAGE)


def stored_versions(evidence: Evidence) -> Iterator[Finding]:
    """Versions in which objects are, or may be, still stored although another one is written now."""
    sound = True
    for each in _definitions(evidence):
        stored = [version for version in items(each, "status", "storedVersions") if isinstance(version, str)]
        now = next((text(v, "name") for v in items(each, "spec", "versions") if at(v, "storage")), STORAGE)
        old = [version for version in stored if version != now]
        if old:
            sound = False
            code = "stored-alpha" if any("alpha" in version for version in old) else "stored-old"
            here = f"CustomResourceDefinition/{name_of(each)}"
            yield warning(code, here, stored=stored, old=old, storage=now, resource=name_of(each))
    for kind in evidence.objects:
        for value in evidence.of(kind):
            group, _, version = text(value, "apiVersion").partition("/")
            if group == GROUP and "alpha" in version:
                sound = False
                yield error(
                    "version-gone", f"{kind}/{name_of(value)}", version=f"{group}/{version}", kind=kind
                )
    for kind, field, names in _unknown_fields(evidence):
        yield warning("field-unknown", f"{kind}/{names[0]}", field=field, objects=names)
    if sound and any(_definitions(evidence)):
        yield ok("stored-current", count=sum(1 for _ in _definitions(evidence)))
    elif unread := evidence.unread(("CustomResourceDefinition",)):
        yield skipped("unread", kinds=unread)


def _unknown_fields(evidence: Evidence) -> Iterator[tuple[str, str, list[str]]]:
    """Kind, field and objects of what a newer release than the simulated one would understand."""
    strangers = Strangers()
    for kind in LOOKED_AT:
        for value in evidence.of(kind):
            if text(value, "apiVersion") == f"{GROUP}/{STORAGE}":
                strangers.look(kind, msgspec.json.encode(value), name_of(value))
    yield from strangers.found()


def conversion(evidence: Evidence) -> Iterator[Finding]:
    """Are objects converted between versions? Asked by reading one of each kind in the old version."""
    sound = True
    for each in _definitions(evidence):
        plural = text(each, "spec", "names", "plural")
        if plural not in CONVERTED or len(_served(each)) < 2:
            continue
        here = f"CustomResourceDefinition/{name_of(each)}"
        if text(each, "spec", "conversion", "strategy") != "Webhook":
            sound = False
            yield warning("conversion-off", here, served=_served(each))
        elif not text(each, "spec", "conversion", "webhook", "clientConfig", "caBundle"):
            sound = False
            yield error("conversion-without-ca", here)
    for plural, said in evidence.conversion.items():
        if said:
            sound = False
            yield error("conversion-fails", f"CustomResourceDefinition/{plural}.{GROUP}", message=said)
    if evidence.conversion and sound:
        yield ok("conversion-works", count=len(evidence.conversion))
    elif not evidence.conversion and (unread := evidence.unread(("conversion",))):
        yield skipped("unread", kinds=unread)


def _definitions(evidence: Evidence) -> Iterator[Value]:
    for each in evidence.of("CustomResourceDefinition"):
        if text(each, "spec", "group") == GROUP:
            yield each


def _served(definition: Value) -> list[str]:
    return [
        text(version, "name") for version in items(definition, "spec", "versions") if at(version, "served")
    ]


# --- the visibility API -------------------------------------------------------------------------


def visibility(evidence: Evidence) -> Iterator[Finding]:
    """The aggregated API that tells positions in queues: a dead one also blocks discovery for everybody."""
    found = [each for each in evidence.of("APIService") if text(each, "spec", "group") == VISIBILITY]
    for each in found:
        available = condition(each, "Available")
        here = f"APIService/{name_of(each)}"
        if text(available, "status") == "True":
            yield ok("visibility-available", here)
            continue
        yield error(
            "visibility-unavailable",
            here,
            name=name_of(each),
            reason=text(available, "reason") or "Unknown",
            message=text(available, "message"),
            since=text(available, "lastTransitionTime"),
            service="/".join(text(each, "spec", "service", key) for key in ("namespace", "name")),
        )
    if found:
        return
    unread = evidence.unread(("APIService",))
    if unread and "visibility" in evidence.missing:
        yield skipped("unread", kinds=unread)
        return
    if evidence.live and evidence.visibility:
        absent = evidence.visibility == "not served"
        yield (
            warning("visibility-absent") if absent else error("visibility-fails", message=evidence.visibility)
        )
    elif evidence.live:
        yield ok("visibility-answers")
    else:
        yield warning("visibility-absent")


def namespaces(evidence: Evidence) -> Iterator[Finding]:
    """Namespaces that cannot go because of Kueue."""
    sound, count = True, 0
    if not any("status" in each for each in evidence.of("Namespace")):
        yield skipped("unread", kinds={"status of Namespaces": "not in the data"})
        return
    for each in evidence.of("Namespace"):
        since = text(each, "metadata", "deletionTimestamp")
        count += 1
        if not since:
            continue
        here, name = f"Namespace/{name_of(each)}", name_of(each)
        discovery = condition(each, "NamespaceDeletionDiscoveryFailure")
        held = [
            condition(each, type_)
            for type_ in ("NamespaceFinalizersRemaining", "NamespaceContentRemaining")
            if "kueue" in text(condition(each, type_), "message")
        ]
        if text(discovery, "status") == "True" and GROUP in text(discovery, "message"):
            sound = False
            groups = _groups_in(text(discovery, "message"))
            yield error(
                "namespace-stuck",
                here,
                since=since,
                groups=groups,
                reason=text(discovery, "reason"),
                name=name,
            )
        elif held and evidence.now - (moment(since) or evidence.now) >= STUCK:
            sound = False
            yield error("namespace-held", here, since=since, message=text(held[0], "message"), name=name)
    if sound:
        yield ok("namespaces-free", count=count)


def _groups_in(message: str) -> list[str]:
    words = (word.strip(",.:;()") for word in message.split())
    return list(dict.fromkeys(word for word in words if GROUP in word and "/" in word))

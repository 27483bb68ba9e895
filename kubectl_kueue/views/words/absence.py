"""Why a job has no Workload, and what to do about it: a clause and steps for each cause."""

from collections.abc import Callable, Iterator, Mapping
from shlex import quote
from typing import Any

from kubectl_kueue.engine.explanation.facts import Facts
from kubectl_kueue.engine.inquiries import absence
from kubectl_kueue.engine.inquiries.absence import Absence
from kubectl_kueue.views.words.answers import sentence
from kubectl_kueue.views.words.numbers import count, joined, several


def absence_headline(found: Absence) -> str:
    """The sentence after the verdict word."""
    return f"Kueue has no Workload for it: {_ended(cause_words(found.causes[0], found))}"


def _ended(text: str) -> str:
    return f"{text}."


def cause_words(cause: Facts, found: Absence) -> str:
    """The clause for one cause."""
    return _CLAUSES[type(cause)](cause, found)


def absence_steps(found: Absence) -> list[str]:
    """What to do, by the first cause; more where the next would stop it as well."""
    steps: dict[str, None] = {}
    for cause in found.causes:
        for step in _STEPS.get(type(cause), _nothing)(cause, found):
            steps.setdefault(sentence(step))
        if isinstance(cause, absence.Ended | absence.Deleted | absence.Owned):
            break
    return list(steps)


# --- clauses --------------------------------------------------------------------------------------


def _no_queue_name(cause: absence.NoQueueName, found: Absence) -> str:
    told = "it has no label kueue.x-k8s.io/queue-name"
    if cause.has_default:
        return (
            f"{told}; the LocalQueue default of its namespace is given to jobs only when they are created, "
            "so it is older than that queue, or Kueue was not running"
        )
    told += f", and namespace {cause.namespace} has no LocalQueue named default"
    if cause.starts is None:
        return told
    return f"{told}; it runs outside of Kueue" if cause.starts else f"{told}; somebody else has suspended it"


def _integration_off(cause: absence.IntegrationOff, found: Absence) -> str:
    return (
        f"the integration {cause.framework} is not enabled: integrations.frameworks of Kueue's Configuration "
        f"lists {joined(cause.enabled)}"
    )


def _nothing_made(cause: absence.NothingMade, found: Absence) -> str:
    kind = found.job.kind
    return {
        "scale": "it is scaled to 0, so it has no pods that could have one",
        "schedule": f"a {kind} itself is never queued; each of its jobs is, and there is none now",
    }.get(cause.why, f"a {kind} itself is never queued; its pods are, and none of them has a Workload")


def _group_incomplete(cause: absence.GroupIncomplete, found: Absence) -> str:
    if not cause.want:
        return (
            f"pod group {cause.group} has no total count (annotation kueue.x-k8s.io/pod-group-total-count), "
            "so Kueue cannot know when it is complete"
        )
    return (
        f"pod group {cause.group} has {count(cause.have, 'pod')} of {cause.want}; "
        "it gets its Workload when all are there"
    )


def _unexplained(cause: absence.Unexplained, found: Absence) -> str:
    unread = "" if cause.config_read else ", as far as can be told without Kueue's Configuration"
    return (
        f"nothing about it explains that{unread}; the controller may be down, or the CRD of the kind was "
        "installed after Kueue had started"
    )


_CLAUSES: Mapping[type[Facts], Callable[[Any, Absence], str]] = {
    absence.Ended: lambda c, f: f"it has ended ({c.how}); Kueue queues nothing for it any more",
    absence.Deleted: lambda c, f: "it is being deleted",
    absence.Owned: lambda c, f: (
        f"it belongs to {c.kind} {c.name}, which Kueue queues as a whole; that one has no Workload either"
    ),
    absence.NothingMade: _nothing_made,
    absence.NoIntegration: lambda c, f: f"Kueue has no integration for {c.kind}{_of(c.group)}",
    absence.IntegrationOff: _integration_off,
    absence.NoQueueName: _no_queue_name,
    absence.NamespaceUnmanaged: lambda c, f: (
        f"managedJobsNamespaceSelector of Kueue's Configuration leaves out namespace {c.namespace}, and it "
        "has no label kueue.x-k8s.io/queue-name"
    ),
    absence.PriorityClassMissing: lambda c, f: (
        f"its label kueue.x-k8s.io/priority-class names {c.name}, a WorkloadPriorityClass that does not exist"
    ),
    absence.PrebuiltMissing: lambda c, f: (
        f"it waits for the prebuilt Workload {c.name}, which does not exist"
    ),
    absence.GroupIncomplete: _group_incomplete,
    absence.ManagedElsewhere: lambda c, f: f"its spec.managedBy hands it to {c.by}",
    absence.Unexplained: _unexplained,
}


def _of(group: str) -> str:
    return f" of {group}" if group else ""


# --- steps ----------------------------------------------------------------------------------------


def _nothing(cause: Any, found: Absence) -> Iterator[str]:
    yield from ()


def _name_a_queue(cause: absence.NoQueueName, found: Absence) -> Iterator[str]:
    job = found.job
    queue = next(iter(cause.queues), "LOCALQUEUE")
    if job.suspended is None:
        yield f"Create it anew with the label kueue.x-k8s.io/queue-name{_one_of(cause.queues)}"
    elif job.suspended:
        where = f" -n {quote(job.namespace)}" if job.namespace else ""
        yield f"kubectl label {job.kind.lower()} {quote(job.name)}{where} kueue.x-k8s.io/queue-name={queue}"
    else:
        yield (
            f"Kueue takes a job when it is created or suspended: create it anew with the label "
            f"kueue.x-k8s.io/queue-name{_one_of(cause.queues)}"
        )
    if not cause.queues:
        yield f"Namespace {cause.namespace} has no LocalQueue yet: kubectl kueue create localqueue"
    elif not cause.has_default:
        yield "Or create a LocalQueue named default there: new jobs without the label use it"


def _one_of(queues: tuple[str, ...]) -> str:
    return f" (there is {several(queues)})" if queues else ""


def _enable(cause: absence.IntegrationOff, found: Absence) -> Iterator[str]:
    yield f"Add {cause.framework} to integrations.frameworks of Kueue's Configuration and restart Kueue"
    yield "The CRD of the kind must be installed when Kueue starts"


def _complete(cause: absence.GroupIncomplete, found: Absence) -> Iterator[str]:
    if cause.want:
        yield f"Create the missing pods of the group, {cause.want - cause.have} more, or lower its count"
    else:
        yield "Set the annotation on every pod of the group when it is created"


def _restart(cause: absence.Unexplained, found: Absence) -> Iterator[str]:
    yield "See whether Kueue is well: kubectl kueue doctor"
    if cause.queue_missing:
        yield (
            f"LocalQueue {found.job.queue} does not exist in namespace {found.job.namespace}: that is not "
            "the cause, but its Workload would wait for it"
        )


def _class(cause: absence.PriorityClassMissing, found: Absence) -> Iterator[str]:
    there = f" (there is {several(cause.known)})" if cause.known else ""
    yield f"Create WorkloadPriorityClass {cause.name}, or name one that exists{there}"


def _owner(cause: absence.Owned, found: Absence) -> Iterator[str]:
    where = f" -n {quote(found.job.namespace)}" if found.job.namespace else ""
    yield f"Ask about the owner: kubectl kueue explain {cause.kind.lower()}/{quote(cause.name)}{where}"


_STEPS: Mapping[type[Facts], Callable[[Any, Absence], Iterator[str]]] = {
    absence.NoQueueName: _name_a_queue,
    absence.IntegrationOff: _enable,
    absence.GroupIncomplete: _complete,
    absence.PriorityClassMissing: _class,
    absence.Owned: _owner,
    absence.Unexplained: _restart,
    absence.NoIntegration: lambda c, f: iter(
        ["Label what it makes instead: pods with kueue.x-k8s.io/queue-name are queued one by one"]
    ),
    absence.NamespaceUnmanaged: lambda c, f: iter(
        ["Set the label kueue.x-k8s.io/queue-name when the job is created: it counts in every namespace"]
    ),
    absence.PrebuiltMissing: lambda c, f: iter(
        [f"Create Workload {c.name}, or remove the label kueue.x-k8s.io/prebuilt-workload-name"]
    ),
}

KINDS = frozenset(_CLAUSES)
"""Every cause that has words; a test holds it against the engine's."""

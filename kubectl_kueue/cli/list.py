"""`list`: objects of a kind, a line each, in kueuectl's tables."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from kubectl_kueue.cli.flags import command, new_group, no_extra_words, session_of
from kubectl_kueue.cli.selection import (
    Active,
    AllNamespaces,
    ClusterQueueName,
    Fields,
    ForObject,
    Labels,
    LocalQueueName,
    Selection,
    StatusWords,
    Words,
    check_request_limit,
    select,
    selected,
    wanted_activity,
    wanted_status,
)
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ConfigError, NotFoundError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.cli.kin import Subject

app = new_group("List objects of a kind, with what Kueue knows about them.")


@command(app, "clusterqueue")
def cluster_queues(
    context: typer.Context,
    words: Words = None,
    labels: Labels = "",
    fields: Fields = "",
    active: Active = None,
) -> None:
    """List ClusterQueues.

    \b
    Examples:
      kubectl kueue list clusterqueue --active=false
      kubectl kueue list cq -o wide
    """
    from kubectl_kueue.cli.listing import list_objects
    from kubectl_kueue.views.listings.queues import CLUSTER_QUEUE

    no_extra_words(words or ())
    session = session_of(context)
    keep = _by_activity(wanted_activity(active or ()))
    session.check_output()
    list_objects(session, select(session, "ClusterQueue", labels, fields), CLUSTER_QUEUE, keep)


@command(app, "localqueue")
def local_queues(
    context: typer.Context,
    words: Words = None,
    labels: Labels = "",
    fields: Fields = "",
    all_namespaces: AllNamespaces = False,
    cluster_queue: ClusterQueueName = None,
    active: Active = None,
) -> None:
    """List LocalQueues.

    \b
    Examples:
      kubectl kueue list localqueue -A -c team-a-cq
    """
    from kubectl_kueue.cli.listing import list_objects
    from kubectl_kueue.views.listings.queues import LOCAL_QUEUE

    no_extra_words(words or ())
    session = session_of(context)
    activity = _by_activity(wanted_activity(active or ()))

    def keep(queue: Any) -> bool:
        return (not cluster_queue or queue.spec.cluster_queue == cluster_queue) and activity(queue)

    check_request_limit()
    session.check_output()
    selection = select(session, "LocalQueue", labels, fields, all_namespaces=all_namespaces)
    list_objects(session, selection, LOCAL_QUEUE, keep)


@command(app, "workload")
def workloads(
    context: typer.Context,
    words: Words = None,
    labels: Labels = "",
    fields: Fields = "",
    all_namespaces: AllNamespaces = False,
    cluster_queue: ClusterQueueName = None,
    local_queue: LocalQueueName = None,
    status: StatusWords = None,
    for_object: ForObject = None,
) -> None:
    """List Workloads with their jobs, queues, states and positions.

    \b
    Examples:
      kubectl kueue list workload -A --status pending
      kubectl kueue list workload -n team-a --for job/train-big
      kubectl kueue list workload -c team-a-cq -o wide
    """
    no_extra_words(words or ())
    session = session_of(context)
    statuses = wanted_status(status or ())
    subject_words = (
        _type_and_name(for_object, "--for must be in resource/name form") if for_object is not None else None
    )
    check_request_limit()
    session.check_output()
    selection = select(session, "Workload", labels, fields, all_namespaces=all_namespaces)

    from kubectl_kueue.cli.kin import workloads_of
    from kubectl_kueue.cli.listing import WorkloadFilter, list_workloads

    if subject_words is None:
        contents = selected(session, selection)
    else:
        subject = _require(session, *subject_words, selection)
        contents = workloads_of(session.source(), subject, selection)
    wanted = WorkloadFilter(cluster_queue or "", local_queue or "", statuses)
    list_workloads(session, selection, contents, wanted)


@command(app, "pods")
def pods(
    context: typer.Context,
    words: Words = None,
    labels: Labels = "",
    fields: Fields = "",
    all_namespaces: AllNamespaces = False,
    for_object: ForObject = None,
) -> None:
    """List the pods of a job.

    Jobs of every kind that Kueue knows, Deployments, StatefulSets, CronJobs, Workloads; of a pod its group.

    \b
    Examples:
      kubectl kueue list pods -n team-b --for job/finetune
      kubectl kueue list pods -n team-b --for workload/finetune -o wide
    """
    no_extra_words(words or ())
    session = session_of(context)
    if for_object is None:
        raise UsageError('required flag(s) "for" not set')
    type_, name = _type_and_name(
        for_object,
        f"invalid value '{for_object}' used in --for flag; value must be in the format TYPE[.API-GROUP]/NAME",
    )
    check_request_limit()
    session.check_output()
    selection = select(session, "Pod", labels, fields, all_namespaces=all_namespaces)

    from kubectl_kueue.cli.kin import find_subject, pods_of
    from kubectl_kueue.cli.listing import list_pods

    subject = find_subject(session.source(), type_, name, selection.namespace)
    if not subject.values:
        session.exit_code = 1
    list_pods(session, selection, list(pods_of(session.source(), subject, selection)))


def _declare(module: str, frame: str, kind: str, plural: str) -> None:
    """The command of a cluster-scoped kind without flags of its own, shown in views/listings/`module`."""

    def run(context: typer.Context, words: Words = None, labels: Labels = "", fields: Fields = "") -> None:
        from importlib import import_module

        from kubectl_kueue.cli.listing import list_objects

        no_extra_words(words or ())
        session = session_of(context)
        check_request_limit()
        session.check_output()
        shown = getattr(import_module(f"kubectl_kueue.views.listings.{module}"), frame)
        list_objects(session, select(session, kind, labels, fields), shown)

    run.__doc__ = f"List {plural}.\n\n\b\nExamples:\n  kubectl kueue list {kind.lower()}"
    command(app, kind.lower())(run)


for _each in (
    ("settings", "RESOURCE_FLAVOR", "ResourceFlavor", "ResourceFlavors"),
    ("queues", "COHORT", "Cohort", "Cohorts"),
    ("settings", "WORKLOAD_PRIORITY_CLASS", "WorkloadPriorityClass", "WorkloadPriorityClasses"),
    ("settings", "ADMISSION_CHECK", "AdmissionCheck", "AdmissionChecks"),
    ("settings", "TOPOLOGY", "Topology", "Topologies"),
    (
        "settings",
        "PROVISIONING_REQUEST_CONFIG",
        "ProvisioningRequestConfig",
        "ProvisioningRequestConfigs",
    ),
    ("settings", "MULTIKUEUE_CONFIG", "MultiKueueConfig", "MultiKueueConfigs"),
    ("settings", "MULTIKUEUE_CLUSTER", "MultiKueueCluster", "MultiKueueClusters"),
):
    _declare(*_each)


def _by_activity(wanted: bool | None) -> Callable[[Any], bool]:
    from kubectl_kueue.model.slim import true_condition

    if wanted is None:
        return lambda queue: True
    return lambda queue: (true_condition(queue.status.conditions, "Active") is not None) is wanted


# --- what --for names ---------------------------------------------------------------------------


def _type_and_name(text: str, complaint: str) -> tuple[str, str]:
    """TYPE and NAME. Raises ConfigError, with the `complaint` if one of them is missing."""
    if text.count("/") > 1:
        raise ConfigError("arguments in resource/name form may not have more than one slash")
    type_, _, name = text.partition("/")
    if not (type_ and name):
        raise ConfigError(complaint)
    return type_, name


def _require(session: Session, type_: str, name: str, selection: Selection) -> "Subject":
    """The object of --for. Raises NotFoundError if there is none."""
    from kubectl_kueue.cli.kin import find_subject

    subject = find_subject(session.source(), type_, name, selection.namespace)
    if not subject.values:
        where = f' in namespace "{selection.namespace}"' if selection.namespace is not None else ""
        raise NotFoundError(f'{subject.kind.resource} "{name}" not found{where}')
    return subject

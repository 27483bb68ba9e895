"""`list`: objects of a kind, a line each, in kueuectl's tables."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from kubectl_kueue.cli.flags import command, new_group, no_extra_words, required, session_of, spread
from kubectl_kueue.cli.names import inside
from kubectl_kueue.cli.selection import (
    Active,
    Anywhere,
    ClusterQueueName,
    ForObject,
    InNamespaces,
    LocalQueueName,
    Selection,
    StatusWords,
    check_request_limit,
    select,
    selected,
    wanted_activity,
    wanted_status,
)
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ConfigError, NotFoundError

if TYPE_CHECKING:
    from kubectl_kueue.cli.kin import Subject

app = new_group("List objects of a kind, with what Kueue knows about them.")


@command(app, "clusterqueue")
@spread(Anywhere)
def cluster_queues(
    context: typer.Context,
    *,
    which: Anywhere,
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

    keep = _by_activity(wanted_activity(active or ()))
    list_objects(*_selection(context, "ClusterQueue", which), CLUSTER_QUEUE, keep)


@command(app, "localqueue")
@spread(InNamespaces)
def local_queues(
    context: typer.Context,
    *,
    which: InNamespaces,
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

    activity = _by_activity(wanted_activity(active or ()))

    def keep(queue: Any) -> bool:
        return (not cluster_queue or queue.spec.cluster_queue == cluster_queue) and activity(queue)

    list_objects(*_selection(context, "LocalQueue", which), LOCAL_QUEUE, keep)


@command(app, "workload")
@spread(InNamespaces)
def workloads(
    context: typer.Context,
    *,
    which: InNamespaces,
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
    statuses = wanted_status(status or ())
    subject_words = (
        _type_and_name(for_object, "--for must be in resource/name form") if for_object is not None else None
    )
    session, selection = _selection(context, "Workload", which)

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
@spread(InNamespaces)
def pods(
    context: typer.Context,
    *,
    which: InNamespaces,
    for_object: ForObject = None,
) -> None:
    """List the pods of a job.

    --for (required) names the job, of any kind that Kueue knows, or a Deployment, StatefulSet, CronJob or
    Workload; for a pod its group is listed.

    \b
    Examples:
      kubectl kueue list pods -n team-b --for job/finetune
      kubectl kueue list pods -n team-b --for workload/finetune -o wide
    """
    type_, name = _type_and_name(
        required("for", for_object),
        f"invalid value '{for_object}' used in --for flag; value must be in the format TYPE[.API-GROUP]/NAME",
    )
    session, selection = _selection(context, "Pod", which)

    from kubectl_kueue.cli.kin import find_subject, pods_of
    from kubectl_kueue.cli.listing import list_pods

    subject = find_subject(session.source(), type_, name, selection.namespace)
    if not subject.values:
        session.exit_code = 1
    list_pods(session, selection, list(pods_of(session.source(), subject, selection)))


def _declare(module: str, frame: str, kind: str, plural: str) -> None:
    """The command of a cluster-scoped kind without flags of its own, shown in views/listings/`module`."""

    @spread(Anywhere)
    def run(context: typer.Context, *, which: Anywhere) -> None:
        from importlib import import_module

        from kubectl_kueue.cli.listing import list_objects

        shown = getattr(import_module(f"kubectl_kueue.views.listings.{module}"), frame)
        list_objects(*_selection(context, kind, which), shown)

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


def _selection(
    context: typer.Context, kind: str, which: Anywhere | InNamespaces
) -> tuple[Session, Selection]:
    """What of a kind is to be listed. Raises UsageError, ConfigError for what cannot be meant."""
    no_extra_words(which.words or ())
    check_request_limit()
    session = session_of(context)
    session.check_output()
    all_namespaces = isinstance(which, InNamespaces) and which.all_namespaces
    return session, select(session, kind, which.labels, which.fields, all_namespaces=all_namespaces)


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
        raise NotFoundError(f'{subject.kind.resource} "{name}" not found{inside(selection.namespace)}')
    return subject

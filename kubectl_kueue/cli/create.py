"""`create KIND NAME`: new objects of Kueue, made from flags."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from kubectl_kueue.cli.flags import new_group, required, spread
from kubectl_kueue.cli.switches import switching_command
from kubectl_kueue.cli.writing import (
    DryRun,
    OptionalDryRun,
    Results,
    Strategy,
    body_of,
    object_of,
    one_name,
    read_strategy,
)
from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import ApiError, ConfigError, UsageError

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session

app = new_group("Create objects of Kueue from flags.")

Name = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Name of the new object.")]


class Quotas(NamedTuple):
    """The quotas of a ClusterQueue or Cohort, as they are written."""

    nominal_quota: Annotated[
        list[str] | None,
        typer.Option(
            "--nominal-quota",
            metavar="FLAVOR:RESOURCE=AMOUNT",
            help='Quotas of flavors: "spot:cpu=9;memory=36Gi", several with commas or the flag again.',
        ),
    ] = None
    borrowing_limit: Annotated[
        list[str] | None,
        typer.Option(
            "--borrowing-limit", metavar="FLAVOR:RESOURCE=AMOUNT", help="How much may be borrowed, likewise."
        ),
    ] = None
    lending_limit: Annotated[
        list[str] | None,
        typer.Option(
            "--lending-limit", metavar="FLAVOR:RESOURCE=AMOUNT", help="How much may be lent, likewise."
        ),
    ] = None


@app.callback()
def remember_dry_run(context: typer.Context, dry_run: DryRun = "none") -> None:
    """`create --dry-run=client KIND NAME` is the same as `create KIND NAME --dry-run=client`."""
    context.meta["dry_run"] = dry_run


@switching_command(app, "clusterqueue")
@spread(Quotas)
def create_cluster_queue(
    context: typer.Context,
    name: Name = None,
    cohort: Annotated[str, typer.Option("--cohort", metavar="NAME", help="The Cohort it belongs to.")] = "",
    queuing_strategy: Annotated[
        str,
        typer.Option("--queuing-strategy", metavar="STRATEGY", help="StrictFIFO or BestEffortFIFO."),
    ] = "BestEffortFIFO",
    namespace_selector: Annotated[
        list[str] | None,
        typer.Option(
            "--namespace-selector",
            metavar="KEY=VALUE",
            help="Labels of the namespaces that it takes, several with commas; if not given, every one.",
        ),
    ] = None,
    reclaim_within_cohort: Annotated[
        str,
        typer.Option("--reclaim-within-cohort", metavar="POLICY", help="Never, LowerPriority or Any."),
    ] = "Never",
    preemption_within_cluster_queue: Annotated[
        str,
        typer.Option(
            "--preemption-within-cluster-queue",
            metavar="POLICY",
            help="Never, LowerPriority or LowerOrNewerEqualPriority.",
        ),
    ] = "Never",
    *,
    quotas: Quotas,
    dry_run: OptionalDryRun = None,
) -> None:
    """Create a ClusterQueue.

    \b
    Examples:
      kubectl kueue create clusterqueue team-c-cq --cohort research --nominal-quota "a100:cpu=64;memory=512Gi"
      kubectl kueue create clusterqueue team-c-cq --nominal-quota a100:cpu=4 --dry-run=client -o yaml
    """
    from kubectl_kueue.model import drafts
    from kubectl_kueue.model.map_syntax import read_map

    session: Session = context.obj
    labels = read_map("--namespace-selector", namespace_selector or ())
    groups = _read_quotas(session, quotas)
    document = drafts.cluster_queue(
        one_name(name),
        cohort=cohort,
        queueing_strategy=queuing_strategy,
        namespace_labels=labels,
        reclaim_within_cohort=reclaim_within_cohort,
        within_cluster_queue=preemption_within_cluster_queue,
        resource_groups=groups,
    )
    if _strategy(context, dry_run) == "client":  # nobody else looks at these then
        _check_choice("--queuing-strategy", queuing_strategy, drafts.QUEUEING_STRATEGIES)
        _check_choice("--reclaim-within-cohort", reclaim_within_cohort, drafts.RECLAIM_POLICIES)
        _check_choice(
            "--preemption-within-cluster-queue", preemption_within_cluster_queue, drafts.PREEMPTION_POLICIES
        )
    _create(context, document, dry_run)


@switching_command(app, "localqueue")
def create_local_queue(
    context: typer.Context,
    name: Name = None,
    cluster_queue: Annotated[
        str | None,
        typer.Option("--clusterqueue", "-c", metavar="NAME", help="The ClusterQueue it leads to (required)."),
    ] = None,
    ignore_unknown_cq: Annotated[
        bool, typer.Option("--ignore-unknown-cq", "-i", help="Do not look whether the ClusterQueue is there.")
    ] = False,
    dry_run: OptionalDryRun = None,
) -> None:
    """Create a LocalQueue that leads to a ClusterQueue.

    \b
    Examples:
      kubectl kueue create localqueue small -n team-a -c team-a-cq
    """
    from kubectl_kueue.model import drafts

    session: Session = context.obj
    cluster_queue = required("clusterqueue", cluster_queue)
    only = one_name(name)
    if not cluster_queue:
        raise ConfigError("clusterqueue must be specified")
    document = drafts.local_queue(only, session.namespace(), cluster_queue)

    def check() -> None:
        if not ignore_unknown_cq:
            _check_cluster_queue(session, cluster_queue, document["metadata"]["namespace"])

    _create(context, document, dry_run, check)


@switching_command(app, "resourceflavor")
def create_resource_flavor(
    context: typer.Context,
    name: Name = None,
    node_labels: Annotated[
        list[str] | None,
        typer.Option("--node-labels", metavar="KEY=VALUE", help="Labels of its nodes, several with commas."),
    ] = None,
    node_taints: Annotated[
        list[str] | None,
        typer.Option(
            "--node-taints", metavar="KEY[=VALUE]:EFFECT", help="Taints of its nodes, several with commas."
        ),
    ] = None,
    tolerations: Annotated[
        list[str] | None,
        typer.Option(
            "--tolerations",
            metavar="KEY[=VALUE][:EFFECT]",
            help="Tolerations that its pods are given, several with commas.",
        ),
    ] = None,
    topology: Annotated[
        str, typer.Option("--topology", metavar="NAME", help="The Topology of its nodes.")
    ] = "",
    dry_run: OptionalDryRun = None,
) -> None:
    """Create a ResourceFlavor.

    \b
    Examples:
      kubectl kueue create resourceflavor spot --node-labels pool=spot --node-taints spot=true:NoSchedule
    """
    from kubectl_kueue.model import drafts
    from kubectl_kueue.model.map_syntax import read_list, read_map
    from kubectl_kueue.model.taint_syntax import read_taints, read_tolerations

    labels = read_map("--node-labels", node_labels or ())
    document = drafts.resource_flavor(
        one_name(name),
        node_labels=labels,
        node_taints=read_taints(read_list("--node-taints", node_taints or ())),
        tolerations=read_tolerations(read_list("--tolerations", tolerations or ())),
        topology=topology,
    )
    _create(context, document, dry_run)


@switching_command(app, "cohort")
@spread(Quotas)
def create_cohort(
    context: typer.Context,
    name: Name = None,
    parent: Annotated[str, typer.Option("--parent", metavar="NAME", help="The Cohort above it.")] = "",
    *,
    quotas: Quotas,
    dry_run: OptionalDryRun = None,
) -> None:
    """Create a Cohort.

    \b
    Examples:
      kubectl kueue create cohort vision --parent research --nominal-quota "a100:cpu=16"
    """
    from kubectl_kueue.model import drafts

    groups = _read_quotas(context.obj, quotas)
    _create(context, drafts.cohort(one_name(name), parent=parent, resource_groups=groups), dry_run)


@switching_command(app, "workloadpriorityclass")
def create_workload_priority_class(
    context: typer.Context,
    name: Name = None,
    value: Annotated[
        str | None,
        typer.Option("--value", metavar="NUMBER", help="The priority that it stands for (required)."),
    ] = None,
    description: Annotated[
        str, typer.Option("--description", metavar="TEXT", help="When it is to be used.")
    ] = "",
    dry_run: OptionalDryRun = None,
) -> None:
    """Create a WorkloadPriorityClass.

    \b
    Examples:
      kubectl kueue create workloadpriorityclass urgent --value 1000 --description "Before a deadline"
    """
    from kubectl_kueue.model import drafts

    value = required("value", value)
    document = drafts.workload_priority_class(one_name(name), _int32("--value", value), description)
    _create(context, document, dry_run)


@switching_command(app, "admissioncheck")
def create_admission_check(
    context: typer.Context,
    name: Name = None,
    controller_name: Annotated[
        str | None,
        typer.Option("--controller-name", metavar="NAME", help="The controller that runs it (required)."),
    ] = None,
    parameters: Annotated[
        str | None,
        typer.Option("--parameters", metavar="GROUP/KIND/NAME", help="The object that configures it."),
    ] = None,
    dry_run: OptionalDryRun = None,
) -> None:
    """Create an AdmissionCheck.

    \b
    Examples:
      kubectl kueue create admissioncheck capacity --controller-name kueue.x-k8s.io/provisioning-request
    """
    from kubectl_kueue.model import drafts

    controller_name = required("controller-name", controller_name)
    only = one_name(name)
    if not controller_name:
        raise ConfigError("controller name must be specified")
    _create(context, drafts.admission_check(only, controller_name, _reference(parameters)), dry_run)


@switching_command(app, "topology")
def create_topology(
    context: typer.Context,
    name: Name = None,
    levels: Annotated[
        list[str] | None,
        typer.Option(
            "--levels",
            metavar="LABEL",
            help="Node labels from the widest domain to the narrowest, with commas (required).",
        ),
    ] = None,
    dry_run: OptionalDryRun = None,
) -> None:
    """Create a Topology.

    \b
    Examples:
      kubectl kueue create topology racks --levels cloud.example.com/rack,kubernetes.io/hostname
    """
    from kubectl_kueue.model import drafts
    from kubectl_kueue.model.map_syntax import read_list

    levels = required("levels", levels)
    only, labels = one_name(name), read_list("--levels", levels)
    if not labels or "" in labels:
        raise ConfigError("levels must be specified")
    _create(context, drafts.topology(only, labels), dry_run)


# --- what flags say ---------------------------------------------------------------------------------


def _read_quotas(session: "Session", quotas: Quotas) -> list[dict[str, Any]]:
    from kubectl_kueue.model.map_syntax import read_list
    from kubectl_kueue.model.quota_syntax import read_quotas

    read = read_quotas(
        read_list("--nominal-quota", quotas.nominal_quota or ()),
        read_list("--borrowing-limit", quotas.borrowing_limit or ()),
        read_list("--lending-limit", quotas.lending_limit or ()),
    )
    for text in read.ignored:
        session.warn(f"Warning: {text}")
    return read.groups


def _check_choice(flag: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ConfigError(f'{flag}: "{value}" is not one of {", ".join(allowed)}')


def _int32(flag: str, text: str) -> int:
    from kubectl_kueue.model.whole_number import whole_number

    number = whole_number(text)
    if number is None:
        raise UsageError(f'invalid argument "{text}" for "{flag}" flag: not a whole number of 32 bits')
    return number


def _reference(text: str | None) -> tuple[str, str, str] | None:
    if text is None:
        return None
    parts = text.split("/")
    if len(parts) != 3 or not all(parts):
        raise ConfigError(f'--parameters: "{text}" is not of the form GROUP/KIND/NAME')
    group, kind, name = parts
    return group, kind, name


# --- making it --------------------------------------------------------------------------------------


def _strategy(context: typer.Context, dry_run: str | None) -> Strategy:
    """--dry-run as it stands after the kind, else after `create`."""
    return read_strategy(context.meta["dry_run"] if dry_run is None else dry_run)


def _create(
    context: typer.Context,
    document: dict[str, Any],
    dry_run: str | None,
    check: Callable[[], None] = lambda: None,
) -> None:
    """Send the document, unless it is a dry run of the client, and say so; `check` is asked before."""
    from kubectl_kueue.model.drafts import in_version
    from kubectl_kueue.views.results import result_line

    session: Session = context.obj
    strategy = _strategy(context, dry_run)
    results = Results(session)
    check()
    kind = kind_named(document["kind"])
    if strategy != "client":
        server = session.server()
        body = body_of(in_version(document, server.version_of(kind)))
        namespace = document["metadata"].get("namespace")
        document = object_of(server.create(kind, namespace, body, dry_run=strategy == "server"))
    name = document["metadata"]["name"]
    results.add(result_line(kind.type, name, "created", strategy), f"{kind.type}/{name}", document)
    results.close()


def _check_cluster_queue(session: "Session", name: str, namespace: str) -> None:
    """Raise ApiError if there is no such ClusterQueue; warn if it does not take this namespace."""
    server = session.server()
    queue = object_of(server.get(kind_named("ClusterQueue"), None, name))
    selector = queue.get("spec", {}).get("namespaceSelector")
    if selector == {}:
        return
    if selector is not None and _selects(session, selector, namespace) is not False:
        return
    why = "does not match it" if selector else "is not set, so it takes none at all"
    session.warn(
        f'Warning: ClusterQueue "{name}" takes no workloads of namespace "{namespace}": '
        f"its namespaceSelector {why}"
    )


def _selects(session: "Session", selector: Mapping[str, Any], namespace: str) -> bool | None:
    """Whether the selector matches the labels of the namespace; None if they may not be read."""
    try:
        found = object_of(session.server().get(kind_named("Namespace"), None, namespace))
    except ApiError:
        return None
    import msgspec

    from kubectl_kueue.engine.taints import UnparsableAffinity, matches_selector
    from kubectl_kueue.model.objects import LabelSelector

    try:
        labels = found["metadata"].get("labels") or {}
        return matches_selector(msgspec.convert(selector, LabelSelector), labels)
    except (msgspec.ValidationError, UnparsableAffinity):
        return None

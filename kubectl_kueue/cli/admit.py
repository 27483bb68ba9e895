"""`admit --dry-run`: what the scheduler would do next."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kubectl_kueue.cli.flags import Applied, ExitCode, Set, Trace, changed, command, new_app, session_of
from kubectl_kueue.cli.session import EXIT_CODES, find_workload, require_queues
from kubectl_kueue.cli.what_if import Additions, differs, supposed
from kubectl_kueue.errors import ConfigError

if TYPE_CHECKING:
    from kubectl_kueue.cli.session import Session
    from kubectl_kueue.engine.simulate import Run
    from kubectl_kueue.model.world import World
    from kubectl_kueue.views.page import Document

app = new_app()

SCHEMA_VERSION = "v1"


@command(app)
def admit(
    context: typer.Context,
    workloads: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORKLOAD...]", help="Report these only, not all that is pending."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Simulate; nothing is changed.")] = False,
    filename: Applied = None,
    cycles: Annotated[
        int | None, typer.Option("--cycles", min=1, metavar="N", help="Stop after N scheduling cycles.")
    ] = None,
    until_idle: Annotated[
        bool, typer.Option("--until-idle", help="Go on until nothing changes any more.")
    ] = False,
    sets: Set = None,
    flavor: Annotated[
        str | None,
        typer.Option(
            "--flavor", metavar="NAME", help="Suppose the named workloads may use this flavor only."
        ),
    ] = None,
    as_priority: Annotated[
        str | None,
        typer.Option(
            "--as-priority",
            metavar="NUMBER|CLASS",
            help="Suppose the named workloads had this priority, or that of this WorkloadPriorityClass.",
        ),
    ] = None,
    largest: Annotated[
        bool, typer.Option("--largest", help="Also say how many pods of the named workloads fit now.")
    ] = False,
    timeline: Annotated[
        bool, typer.Option("--timeline", help="Also draw who runs when, until nobody starts any more.")
    ] = False,
    durations: Annotated[
        str | None,
        typer.Option(
            "--durations",
            metavar="TIME",
            help="How long a workload runs that has no limit and whose queue has no history (30m, 2h).",
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Print every line of long lists.")] = False,
    trace: Trace = False,
    exit_code: ExitCode = False,
) -> None:
    """Simulate the scheduler: who is admitted, where, at whose cost.

    Runs whole scheduling cycles over everything in the cluster or snapshot, until nothing changes any more
    or as the snapshot's own mode and maxCycles say. What is supposed (-f, --set, --flavor, --as-priority)
    is compared with the cluster as it stands. With --exit-code the highest code counts of the named
    workloads, else of those in the files of -f, else of all that are reported.

    \b
    Examples:
      kubectl kueue admit --dry-run
      kubectl kueue admit --dry-run -f job.yaml -n team-a
      kubectl kueue admit --dry-run --set clusterqueue/team-a-cq:nominalQuota.cpu.a100+=2
      kubectl kueue admit --dry-run --until-idle --timeline --durations 1h --snapshot snapshot.json
    """
    session = session_of(context)
    if not dry_run:
        raise ConfigError("admission belongs to the Kueue controller; use --dry-run to see what it would do")
    if cycles is not None and until_idle:
        raise ConfigError("--cycles and --until-idle contradict each other")
    session.check_output()
    world = changed(session, session.world(filename or []), sets)
    before = session.world()
    keys = _keys(session, world, workloads)
    world = supposed(world, keys if workloads else None, flavor, as_priority)
    if largest and not workloads:
        raise ConfigError("--largest is about workloads: name them")
    require_queues(world)

    from kubectl_kueue.engine.explanation.outside import hidden

    if hidden(world) or _is_placeless(world, keys):
        _from_outside(session, world, keys, named=bool(workloads), exit_code=exit_code)
        return

    from kubectl_kueue.views.admit import admit_outcomes, admit_page

    end = _end(world, cycles, until_idle=until_idle)
    run = _run(world, *end, watch=trace)
    more = Additions()
    if differs(before, world):
        more.compare(_run(before, *end), run)
    if largest:
        more.largest(world, keys or ())
    if timeline:
        more.timeline(world, durations)
    if exit_code:
        counted = keys if workloads else session.added or keys
        session.exit_code = max(
            (EXIT_CODES[word] for word in admit_outcomes(run, counted).values()), default=0
        )
    session.emit(
        page=lambda: admit_page(
            run, keys, more.blocks, trace=trace, asked=bool(workloads), everything=everything
        ),
        document=lambda: _document(run, keys, more.document, trace=trace),
    )


def _keys(session: "Session", world: "World", workloads: list[str] | None) -> list[str] | None:
    """What the answer is about: the named workloads, those of --namespace, or (None) everything."""
    if workloads:
        return [find_workload(world, name, session.home()) for name in workloads]
    namespace = session.flags.namespace
    if namespace is None:
        return None
    return [key for key in world.workloads if key.startswith(f"{namespace}/")]


def _is_placeless(world: "World", keys: list[str] | None) -> bool:
    """Whether room on nodes that could not be read decides about one of the workloads that wait."""
    from kubectl_kueue.engine.explanation.outside import PLACING, placeless

    if world.missing.keys().isdisjoint(PLACING):
        return False
    waiting = [world.workloads[key] for key in (world.workloads if keys is None else keys)]
    homes = {f"{w.metadata.namespace}/{w.spec.queue_name}" for w in waiting if w.status.admission is None}
    queues = {world.local_queues[home].spec.cluster_queue for home in homes if home in world.local_queues}
    return any(placeless(world, name) for name in queues)


def _end(world: "World", cycles: int | None, *, until_idle: bool) -> tuple[str, int]:
    """Mode and number of cycles after which the simulation ends: by the flags, else as a snapshot says."""
    from kubectl_kueue.engine.simulate import most_cycles

    if world.steady and cycles is None and not until_idle:
        return world.mode, world.max_cycles
    return "until-idle", cycles or most_cycles(world)


def _run(world: "World", mode: str, max_cycles: int, *, watch: bool = False) -> "Run":
    from kubectl_kueue.engine.explanation.standing import as_it_stands
    from kubectl_kueue.engine.simulate import simulate

    return simulate(as_it_stands(world), mode=mode, max_cycles=max_cycles, watch=watch)


def _from_outside(
    session: "Session", world: "World", keys: list[str] | None, *, named: bool, exit_code: bool
) -> None:
    """Without the queues nothing can be simulated: what the workloads' own status amounts to is told."""
    from kubectl_kueue.engine.explain import explain
    from kubectl_kueue.views.outside import outside_document, outside_page

    keys = list(world.workloads) if keys is None else keys
    if not named:
        keys = [key for key in keys if world.workloads[key].status.admission is None]
    verdicts = [explain(world, key) for key in keys]
    if exit_code:
        added = [verdict for verdict in verdicts if verdict.workload in session.added and not named]
        session.exit_code = max((EXIT_CODES[verdict.state] for verdict in added or verdicts), default=0)
    session.emit(
        page=lambda: outside_page(verdicts, world.missing),
        document=lambda: outside_document(verdicts, world.missing),
    )


def _document(run: "Run", keys: list[str] | None, more: dict[str, Any], *, trace: bool) -> "Document":
    from kubectl_kueue.views.admit import admit_assumptions, admit_names
    from kubectl_kueue.views.page import Document
    from kubectl_kueue.views.verdict import verdict_document

    told = admit_assumptions(run, keys)
    data = {
        "schemaVersion": SCHEMA_VERSION,
        **verdict_document(run),
        **(_comparisons(run) if trace else {}),
        **more,
        **({"assumptions": told} if told else {}),
    }
    return Document(data, names=admit_names(run, keys))


def _comparisons(run: "Run") -> dict[str, Any]:
    from kubectl_kueue.views.fairness import fairness_document

    return fairness_document(run)

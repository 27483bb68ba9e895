"""`stop KIND NAME...`: hold or drain queues, deactivate workloads."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from kubectl_kueue.cli.flags import new_app, spread
from kubectl_kueue.cli.switches import switching_command
from kubectl_kueue.cli.switching import Settings, Switch, active, is_true, switch
from kubectl_kueue.cli.writing import Target
from kubectl_kueue.cluster.kinds import Kind
from kubectl_kueue.errors import UsageError

app = new_app()


@switching_command(app)
@spread(Settings)
def stop(
    context: typer.Context,
    *,
    keep_already_running: Annotated[
        bool,
        typer.Option("--keep-already-running", help="Hold the queue: admitted workloads run to their end."),
    ] = False,
    settings: Settings,
) -> None:
    """Stop a queue or a workload.

    A stopped queue admits nothing. What runs is evicted (stopPolicy HoldAndDrain), or runs to its end with
    --keep-already-running (Hold). A stopped workload is evicted and stays out of the queue (active: false).
    With --wait: until nothing holds quota that should not.

    \b
    Examples:
      kubectl kueue stop clusterqueue team-a-cq --keep-already-running
      kubectl kueue stop localqueue gpu -n team-b
      kubectl kueue stop workload finetune -n team-b
    """

    def spec(kind: Kind) -> Mapping[str, Any]:
        if kind.kind != "Workload":
            return {"stopPolicy": "Hold" if keep_already_running else "HoldAndDrain"}
        if keep_already_running:
            raise UsageError("unknown flag: --keep-already-running (a workload is running, or it is not)")
        return {"active": False}

    how = Switch("stop", "stopped", spec, _reached, "until quota is given back")
    switch(context, settings, how)


def _reached(target: Target, document: Mapping[str, Any]) -> bool:
    """Nothing holds quota that should not: all of a drained queue, the reservations of a held one."""
    if target.kind.kind == "Workload":
        return is_true(document, "Finished") or not is_true(document, "QuotaReserved")
    if active(document).get("status") != "False":
        return False
    status = document["status"]
    running = status.get("admittedWorkloads", 0) if document["spec"].get("stopPolicy") == "Hold" else 0
    return bool(status.get("reservingWorkloads", 0) <= running)

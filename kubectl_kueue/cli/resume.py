"""`resume KIND NAME...`: let queues and workloads go on."""

from collections.abc import Mapping
from typing import Any

import typer

from kubectl_kueue.cli.flags import new_app, spread
from kubectl_kueue.cli.switches import switching_command
from kubectl_kueue.cli.switching import Settings, Switch, active, switch
from kubectl_kueue.cli.writing import Target
from kubectl_kueue.cluster.kinds import Kind
from kubectl_kueue.errors import KueueError

app = new_app()


@switching_command(app)
@spread(Settings)
def resume(context: typer.Context, *, settings: Settings) -> None:
    """Resume a queue or a workload.

    A resumed queue admits again (stopPolicy None), a resumed workload queues again (active: true). With
    --wait: until the queue is active.

    \b
    Examples:
      kubectl kueue resume clusterqueue team-a-cq
      kubectl kueue resume workload train-big -n team-a
    """
    how = Switch("resume", "resumed", _spec, _reached, "until it is active")
    switch(context, settings, how)


def _spec(kind: Kind) -> Mapping[str, Any]:
    return {"active": True} if kind.kind == "Workload" else {"stopPolicy": "None"}


def _reached(target: Target, document: Mapping[str, Any]) -> bool:
    """A queue is active. Raises KueueError if something else keeps it from that, which no waiting changes."""
    if target.kind.kind == "Workload":
        return True
    state = active(document)
    if state.get("status") == "False" and state.get("reason") != "Stopped":
        raise KueueError(
            f"{target.label} is resumed, but not active ({state.get('reason')}): {state.get('message')}"
        )
    return state.get("status") == "True"

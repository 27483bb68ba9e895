"""`version`: ours, the Kueue release that the engine reproduces, and what the cluster runs."""

from typing import Annotated, Any

import typer

from kubectl_kueue import SIMULATED_KUEUE, __version__
from kubectl_kueue.cli.flags import command, new_app, session_of
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import KueueError

app = new_app()


@command(app)
def version(
    context: typer.Context,
    client: Annotated[bool, typer.Option("--client", help="Do not ask the cluster.")] = False,
) -> None:
    """Print the version, the simulated Kueue release and the cluster's.

    Without a cluster, or without the right to see Kueue's Deployment, the rest is printed all the same.

    \b
    Examples:
      kubectl kueue version
      kubectl kueue version --client -o json
    """
    from kubectl_kueue.views.page import Document, Page, Text

    session = session_of(context)
    session.check_output()
    image, served = ("", []) if client else _cluster(session)
    lines = [f"Client Version: v{__version__}", f"Simulated Kueue: {SIMULATED_KUEUE}"]
    document: dict[str, Any] = {"clientVersion": f"v{__version__}", "simulatedKueue": SIMULATED_KUEUE}
    if image:
        lines.append(f"Kueue Controller Manager Image: {image}")
        document["managerImage"] = image
    if served:
        lines.append(f"Served API Versions: {', '.join(served)}")
        document["servedVersions"] = served
    session.emit(
        page=lambda: Page([Text([line], tight=True) for line in lines]),
        document=lambda: Document(document),
    )


def _cluster(session: Session) -> tuple[str, list[str]]:
    """The image of the cluster's Kueue, and the versions of its API; what is not known, and why, goes to
    standard error.
    """
    live = session.flags.snapshot is None
    if live and not session.server().configured:
        return "", []
    image, served = "", []
    try:
        if live:
            from kubectl_kueue.cluster.kinds import KUEUE

            served = [f"{KUEUE}/{version}" for version in session.server().served(KUEUE)]
        if (manager := session.source().manager()) is not None:
            from kubectl_kueue.model.manager import image_of

            image = image_of(manager)
    except KueueError as error:
        session.warn(f"The cluster's Kueue is not known: {error}")
    return image, served

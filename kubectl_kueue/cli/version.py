"""`version`: ours, the Kueue release that the engine reproduces, and what the cluster runs."""

from typing import Annotated

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
    image = "" if client else _image(session)
    lines = [f"Client Version: v{__version__}", f"Simulated Kueue: {SIMULATED_KUEUE}"]
    document = {"clientVersion": f"v{__version__}", "simulatedKueue": SIMULATED_KUEUE}
    if image:
        lines.append(f"Kueue Controller Manager Image: {image}")
        document["managerImage"] = image
    session.emit(
        page=lambda: Page([Text([line], tight=True) for line in lines]),
        document=lambda: Document(document),
    )


def _image(session: Session) -> str:
    """The image of the cluster's Kueue; why it is not known goes to standard error."""
    try:
        if session.flags.snapshot is None and not session.server().configured:
            return ""
        manager = session.source().manager()
    except KueueError as error:
        session.warn(f"The cluster's Kueue is not known: {error}")
        return ""
    if manager is None:
        return ""

    from kubectl_kueue.model.manager import image_of

    return image_of(manager)

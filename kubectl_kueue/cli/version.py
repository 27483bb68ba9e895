"""`version`: ours, and the Kueue release that the engine reproduces."""

import typer

from kubectl_kueue import SIMULATED_KUEUE, __version__
from kubectl_kueue.cli.flags import command, new_app, session_of

app = new_app()


@command(app)
def version(context: typer.Context) -> None:
    """Print the version and the Kueue release that is simulated."""
    from kubectl_kueue.views.page import Document, Page, Text

    session_of(context).emit(
        page=lambda: Page(
            [
                Text([f"Client Version: v{__version__}"]),
                Text([f"Simulated Kueue: {SIMULATED_KUEUE}"], tight=True),
            ]
        ),
        document=lambda: Document({"clientVersion": f"v{__version__}", "simulatedKueue": SIMULATED_KUEUE}),
    )

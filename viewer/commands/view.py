"""`paipu view`: the viewer in a browser."""

import click

from viewer.commands.common import ledger_option, need_ledger
from viewer.targets import read_ledger


@click.command(
    short_help="Open the viewer.",
    epilog="Example: paipu view --ledger sqlite:///x.db --port 8501",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port to listen on.")
@ledger_option
def view(*, port: int, ledger: str | None) -> None:
    """Serve the viewer for a ledger on this machine until interrupted."""
    url = need_ledger(ledger)
    read_ledger(url).close()
    from viewer.serve import serve

    serve(url, port=port)

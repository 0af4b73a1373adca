"""`paipu migrate`: an old ledger's tables brought to the format of this version."""

import click

from ledger.migrate import migrate as upgrade
from ledger.models import FORMAT
from viewer.commands.common import ledger_option, need_ledger


@click.command(
    short_help="Upgrade the tables of an old ledger.",
    epilog="Example: paipu migrate sqlite:///x.db",
)
@click.argument("target", required=False)
@ledger_option
def migrate(*, target: str | None, ledger: str | None) -> None:
    """Upgrade a ledger's tables to the format of this version, in one transaction.

    No event, entry or signature changes: what verified before verifies afterwards, receipts too.
    """
    url = need_ledger(target or ledger)
    found = upgrade(url)
    if found == FORMAT:
        click.echo(f"format {FORMAT}: nothing to do")
    else:
        click.echo(f"format {found} -> {FORMAT}")

"""`paipu view`: the viewer in a browser."""

import ipaddress
import os
from pathlib import Path

import click

from ledger.errors import Unavailable
from viewer import access
from viewer.commands.common import need_ledger
from viewer.targets import read_ledger


def loopback(host: str) -> bool:
    """Tell whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@click.command(
    short_help="Open the viewer.",
    epilog="Examples: paipu view --ledger sqlite:///x.db --port 8501; "
    "paipu view --ledger sqlite:///a.db --ledger sqlite:///b.db; paipu view --as player:p-17; "
    "paipu view --host 0.0.0.0 --users users.toml --user-header X-User --access-log access.jsonl --read-only",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port to listen on.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others need --users.")
@click.option("--users", metavar="FILE", help="TOML file of who is who: subject -> role, players, by.")
@click.option("--user-header", metavar="NAME", help="Header by which a trusted proxy names the subject.")
@click.option("--as", "given", metavar="ROLE", help="Without --users: see it as regulator, or as player:ID.")
@click.option("--access-log", metavar="FILE", help="JSON lines of who opened what.")
@click.option("--read-only", is_flag=True, help="No case can be written from the pages.")
@click.option("--notes", metavar="FILE", help="Notes on events (default: <db>.notes; none with --read-only).")
@click.option(
    "--pseudonym-key",
    metavar="FILE",
    help="Key of the regulator's pseudonyms, made where it is not there (default: they end with the server).",
)
@click.option(
    "--ledger",
    "ledgers",
    multiple=True,
    metavar="URL",
    help="The ledger, e.g. sqlite:///club.db (default: $PAIPU_LEDGER); several to choose from on the pages.",
)
def view(
    *,
    port: int,
    host: str,
    users: str | None,
    user_header: str | None,
    given: str | None,
    access_log: str | None,
    read_only: bool,
    notes: str | None,
    pseudonym_key: str | None,
    ledgers: tuple[str, ...],
) -> None:
    """Serve the viewer for one or more ledgers until interrupted: on this machine, or to those whom --users names.

    With --users, subjects come from --user-header (the proxy must strip it from what clients send) or from Streamlit's
    login (OpenID Connect, configured in .streamlit/secrets.toml). Cases are written with the key beside the ledger, by
    those whose role may, unless --read-only is given or there is no key.
    """
    # Not by click's envvar, which would part a path at its spaces.
    named = ledgers or os.environ.get("PAIPU_LEDGER", "").split("\n")
    url, *also = dict.fromkeys(need_ledger(each) for each in named)
    if users is None and not loopback(host):
        raise click.UsageError("without --users everyone is the operator: only a loopback address can be served")
    if users is not None and given is not None:
        raise click.UsageError("--as is for trying roles without --users")
    if user_header is not None and users is None:
        raise click.UsageError("--user-header says nothing without --users")
    if users is not None:
        access.read_users(Path(users))
    if given is not None:
        access.parse_as(given)
    if notes is not None and not Path(notes).absolute().parent.is_dir():
        raise Unavailable(notes, "its folder does not exist")
    if pseudonym_key is not None:
        access.read_pseudonym_key(Path(os.path.abspath(pseudonym_key)))  # noqa: PTH100  as below
    for each in (url, *also):
        read_ledger(each).close()
    settings = {
        access.USERS: os.path.abspath(users) if users else "",  # noqa: PTH100  no link is to be followed
        access.HEADER: user_header or "",
        access.AS: given or "",
        access.LOG: os.path.abspath(access_log) if access_log else "",  # noqa: PTH100  as above
        access.READ_ONLY: "1" if read_only else "",
        access.NOTES: os.path.abspath(notes) if notes else "",  # noqa: PTH100  as above
        access.PSEUDONYMS: os.path.abspath(pseudonym_key) if pseudonym_key else "",  # noqa: PTH100  as above
    }
    os.environ.update(settings)
    if access_log:
        access.note(access.Person("", "operator"), "start")
    from viewer.serve import serve

    serve(url, also=also, port=port, host=host)

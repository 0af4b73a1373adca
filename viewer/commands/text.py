"""`paipu text`: texts that events are bound to by a salted commitment, kept beside the log and erasable."""

import json
from typing import TYPE_CHECKING

import click

from ledger.errors import Malformed, Unavailable
from ledger.store import open_store
from ledger.texts import MAX_BYTES, erase_text, find_text, keep_text, new_salt
from viewer.commands.common import ledger_option, need_ledger
from viewer.plain import read_bytes
from viewer.targets import read_sound

if TYPE_CHECKING:
    from ledger.store import TextRow


@click.group(
    short_help="Keep and erase texts that events are bound to.",
    epilog="Example: paipu text list --ledger sqlite:///x.db",
)
def text() -> None:
    """Keep what may have to be erased (a complaint, a name) out of event bytes.

    An event holds the commitment SHA-256(0x03 || salt || text); salt and text stand in a side table. Erasing them
    leaves every hash and signature valid.
    """


@text.command(
    short_help="Keep a text; print its commitment.",
    epilog="Example: paipu text keep complaint.txt --ledger sqlite:///x.db",
)
@click.argument("file")
@ledger_option
def keep(*, file: str, ledger: str | None) -> None:
    """Keep the text in FILE (- for standard input) and print the commitment that an event may hold."""
    url = need_ledger(ledger)
    data = read_bytes(file)
    if len(data) > MAX_BYTES:
        raise Malformed(file, f"{len(data)} bytes, at most {MAX_BYTES} are allowed")
    try:
        words = data.decode()
    except UnicodeDecodeError as error:
        raise Malformed(file, "not UTF-8", error.start) from None
    store = open_store(url)
    try:
        click.echo(keep_text(store, words, new_salt()))
    finally:
        store.close()


@text.command(
    short_help="Show a text by its commitment.",
    epilog="Example: paipu text show 7b1f… --ledger sqlite:///x.db --json",
)
@click.argument("commitment")
@click.option("--json", "as_json", is_flag=True, help="With the salt, so that others can check the commitment.")
@ledger_option
def show(*, commitment: str, as_json: bool, ledger: str | None) -> int:
    """Print a text. Exit code 1 where it was never kept, or was erased: the two cannot be told apart."""
    url = need_ledger(ledger)
    reader = read_sound(url)
    try:
        row: TextRow | None = find_text(reader, commitment)
    finally:
        reader.close()
    if row is None:
        click.echo("no such text: never kept, or erased", err=True)
        return 1
    if as_json:
        click.echo(json.dumps({"commitment": commitment, "salt": row.salt.hex(), "text": row.text}, ensure_ascii=False))
    else:
        click.echo(row.text)
    return 0


@text.command(
    "list",
    short_help="List the commitments of texts that are kept.",
    epilog="Example: paipu text list --ledger sqlite:///x.db",
)
@ledger_option
def list_texts(*, ledger: str | None) -> None:
    """List the commitments of all texts that were not erased."""
    reader = read_sound(need_ledger(ledger))
    try:
        for row in reader.texts():
            if type(row.commitment) is bytes:
                click.echo(row.commitment.hex())
    finally:
        reader.close()


@text.command(
    short_help="Erase texts for good.",
    epilog="Example: paipu text erase 7b1f… --ledger sqlite:///x.db",
)
@click.argument("commitments", nargs=-1, required=True)
@ledger_option
def erase(*, commitments: tuple[str, ...], ledger: str | None) -> None:
    """Erase texts by their commitments, and overwrite their bytes in the database's own files.

    Backups and copies are yours to see to. What was bound to a text stays valid.
    """
    url = need_ledger(ledger)
    store = open_store(url)
    try:
        unknown = [name for name in commitments if not erase_text(store, name)]
    finally:
        store.close()
    click.echo(f"{len(commitments) - len(unknown)} texts erased")
    if unknown:
        raise Unavailable(url, f"no text under {', '.join(unknown)}: never kept, or erased before")

"""`paipu keys`: make keys, show their public halves."""

from pathlib import Path

import click

from ledger.keys import new_key, read_key, write_key
from ledger.policy import LogKey, Policy


@click.group(short_help="Make and show keys.")
def keys() -> None:
    """Make keys for a ledger, and show the public half (vkey) that a policy pins."""


@keys.command(
    short_help="Make a new Ed25519 key.",
    epilog="Example: paipu keys new club.example/log club.key",
)
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
def new(*, name: str, file: Path) -> None:
    """Make a key named like the log's origin, in a new file of mode 0600, and print its vkey.

    The file is not sealed by a passphrase.
    """
    key = new_key(name)
    write_key(file, key)
    click.echo(f"warning: {file} is not sealed (mode 0600)", err=True)
    click.echo(key.verifier.format())


@keys.command(
    short_help="Print the vkey of a key file.",
    epilog="Example: paipu keys show x.db.key",
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--policy", is_flag=True, help="Print a policy file that pins this key, without quorum.")
def show(*, file: Path, policy: bool) -> None:
    """Print the public half of a key file."""
    key = read_key(file)
    if policy:
        click.echo(Policy(logs=(LogKey(key.verifier),)).format().decode(), nl=False)
    else:
        click.echo(key.verifier.format())

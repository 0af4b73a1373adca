"""`paipu tile`: proofs of single tiles, made by the operator and checked by whoever got one."""

import json
from pathlib import Path

import click

from ledger.errors import Refused
from viewer import tile_proofs
from viewer.commands.common import ledger_option, need_ledger
from viewer.games import lines
from viewer.plain import read_bytes, read_exported


@click.group(
    short_help="Prove or check single tiles of a wall.",
    epilog="Example: paipu tile prove linhai-s7-00000 --seq 14 --ledger sqlite:///x.db",
)
def tile() -> None:
    """Prove that a tile lies at its place of the committed wall, without showing any other."""


def _rows(game: str, ledger: str | None) -> list[bytes]:
    if Path(game).is_file() or game == "-":
        return read_exported(game)[1]
    return lines(need_ledger(ledger), game)


@tile.command(
    short_help="Prove the tiles of an event.",
    epilog="Example: paipu tile prove linhai-s7-00000 --seq 14 --ledger sqlite:///x.db > proof.jsonl",
)
@click.argument("game")
@click.option("--seq", type=click.IntRange(0), required=True, help="The event: dealt, drawn, kitty or wild.")
@click.option("--seat", type=click.IntRange(0, 9), help="Only tiles that go to this seat.")
@ledger_option
def prove(*, game: str, seq: int, seat: int | None, ledger: str | None) -> None:
    """Print one proof a line for the tiles of an event of GAME, an id in the ledger or an exported file.

    The hand's seed must be in the log; a live table proves each tile as it deals it.
    """
    found = [each for each in tile_proofs.proofs(_rows(game, ledger), seq) if seat in {None, each["seat"]}]
    if not found:
        raise Refused(game, f"event {seq} takes no tile that can be proved: none, or the hand's seed is not known")
    for each in found:
        click.echo(json.dumps(each))


@tile.command(
    short_help="Check a proof.",
    epilog="Example: paipu tile check proof.json game.paipu.jsonl",
)
@click.argument("proof")
@click.argument("game")
@ledger_option
def check(*, proof: str, game: str, ledger: str | None) -> int:
    """Check PROOF, a file of one proof or one a line, against the wall root in GAME's events.

    Exit code 0: all hold; 1: one does not.
    """
    rows = [row for row in read_bytes(proof).splitlines() if row.strip()]
    if not rows:
        raise Refused(proof, "no proof")
    events = _rows(game, ledger)
    code = 0
    for row in rows:
        found = tile_proofs.parse(row, proof)
        why = tile_proofs.check(found, events)
        said = f"{found['code']} at {found['position']} of hand {found['hand']}"
        click.echo(f"✓ {said}: holds" if not why else f"✗ {said}: FAILED: {why}")
        code = 1 if why else code
    return code

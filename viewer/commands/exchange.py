"""`paipu export`, `paipu import`: one game as JSON lines, bytes unchanged. `paipu games`: what a ledger holds."""

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from ledger.errors import Refused, Unavailable
from ledger.verify_file import export_game
from viewer import foreign
from viewer.commands.common import ledger_option, need_ledger
from viewer.games import games as list_games
from viewer.plain import read_exported
from viewer.targets import open_log, read_ledger


@click.command(
    short_help="Write one game as JSON lines.",
    epilog="Example: paipu export linhai-s7-00000 --ledger sqlite:///x.db -o game.paipu.jsonl",
)
@click.argument("game")
@click.option("-o", "--output", metavar="FILE", help="File to write (default: standard output); it must not exist.")
@ledger_option
def export(*, game: str, output: str | None, ledger: str | None) -> None:
    """Write one game's events, bytes as stored, one a line."""
    reader = read_ledger(need_ledger(ledger))
    try:
        data = b"".join(export_game(reader, game))
    finally:
        reader.close()
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        with Path(output).open("xb") as file:
            file.write(data)
    except OSError as error:
        raise Unavailable(output, f"cannot be written: {error.strerror}") from None


@click.command(
    "import",
    short_help="Append an exported game or a foreign record to a ledger.",
    epilog="Example: paipu import game.paipu.jsonl --ledger sqlite:///y.db",
)
@click.argument("file")
@click.option("--open", "still_open", is_flag=True, help="The game goes on: do not close its stream.")
@click.option("--operator", default="imported", show_default=True, help="Operator of a ledger made here.")
@click.option("--policy", metavar="FILE", help="Policy file (default: <db>.policy).")
@click.option("--key", metavar="FILE", help="Key file (default: <db>.key).")
@ledger_option
def import_game(
    *, file: str, still_open: bool, operator: str, policy: str | None, key: str | None, ledger: str | None
) -> None:
    """Append an exported game as a new stream, bytes unchanged. An id that the ledger has already is refused.

    A file that is cut off or damaged is refused whole; lawful or not is not asked: that is what verify is for.
    An mjlog, tenhou.net/6 or mjai file comes in as events of ours, rules id riichi.tenhou.
    """
    url = need_ledger(ledger)
    other = foreign.read(file) if file != "-" else None
    game, rows = (other.game, foreign.lines(other)) if other is not None else read_exported(file)
    from viewer.commands.simulate import warn_key

    log, new = open_log(url, operator=operator, policy=policy, key=key)
    if new:
        warn_key(url, policy, key)
    with log:
        done = log.append(game, 0, rows, close=not still_open, seal=True)
    if done.size != len(rows):
        raise Refused(game, "the ledger has this game already")
    click.echo(f"{game}: {len(rows)} events -> {url}")


@click.command(
    "games",
    short_help="List the games of a ledger.",
    epilog="Example: paipu games --ledger sqlite:///x.db",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@ledger_option
def games(*, as_json: bool, ledger: str | None) -> None:
    """List every stream: number, id, rules, events, state, players."""
    for info in list_games(need_ledger(ledger)):
        if as_json:
            click.echo(json.dumps(asdict(info), ensure_ascii=False))
            continue
        when = datetime.fromtimestamp(info.at / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        state = "closed" if info.closed else "open"
        players = " ".join(info.players)
        click.echo(f"{info.gno:>6}  {info.id:<28} {info.rules:<14} {info.size:>6} {state:<7} {when}  {players}")

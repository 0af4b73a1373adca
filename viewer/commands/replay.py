"""`paipu replay`: a hand step by step, as text."""

import json
import sys

import click

from engine.errors import EventError
from engine.replay import Replay
from ledger.errors import Refused
from viewer import foreign
from viewer.commands.common import ledger_option, need_ledger
from viewer.games import lines
from viewer.plain import read_exported

FILES = (".jsonl", ".mjlog", ".json", ".gz", ".xml")


@click.command(
    short_help="Show a hand step by step.",
    epilog="Examples: paipu replay linhai-s7-00000 --hand 2 --ledger sqlite:///x.db; "
    "paipu replay game.paipu.jsonl --hand 0 --step 40; paipu replay game.mjlog --hand 1",
)
@click.argument("game")
@click.option("--hand", type=click.IntRange(0), help="Number of the hand (default: the first).")
@click.option("--step", type=click.IntRange(0), help="Only this step of the hand.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", show_default=True, help="Language of the words.")
@click.option("--json", "as_json", is_flag=True, help="One JSON view model a line.")
@ledger_option
def replay(*, game: str, hand: int | None, step: int | None, lang: str, as_json: bool, ledger: str | None) -> None:
    """Show a hand of GAME, an id in the ledger, an exported file or a foreign record, event by event.

    On a terminal Enter goes a step on, b back, q ends; elsewhere all steps are printed.
    """
    from viewer.frames import film
    from viewer.text import picture

    rows = _rows(game, ledger)
    number = hand or 0
    result = Replay()
    frames = [frame for frame in film(rows, result) if frame["hand"] == number]
    if result.game is None and result.finding is not None and not frames:
        fault = result.finding.fault
        raise EventError(f"{game}: {fault.code}: expected {fault.expected}, found {fault.found}")
    if not frames:
        raise Refused(game, f"no hand {number}")
    if step is not None:
        if step >= len(frames):
            raise Refused(game, f"hand {number} has the steps 0 to {len(frames) - 1}")
        frames = frames[step : step + 1]
    if as_json:
        for frame in frames:
            click.echo(json.dumps(frame, ensure_ascii=False))
        return
    pictures = [picture(frame, lang=lang) for frame in frames]
    if not sys.stdin.isatty() or not sys.stdout.isatty() or len(pictures) == 1:
        click.echo("\n\n".join(pictures))
        return
    _walk(pictures)


def _rows(game: str, ledger: str | None) -> list[bytes]:
    """Return the events of a file, ours or foreign, or of a game in the ledger."""
    if game == "-" or game.endswith(FILES):
        other = foreign.read(game) if game != "-" else None
        return foreign.lines(other) if other is not None else read_exported(game)[1]
    return lines(need_ledger(ledger), game)


def _walk(pictures: list[str]) -> None:
    at = 0
    while True:
        click.clear()
        click.echo(pictures[at])
        answer = click.prompt(f"{at + 1}/{len(pictures)}  Enter on, b back, q end", default="", show_default=False)
        if answer == "q" or (answer != "b" and at == len(pictures) - 1):
            return
        at = max(0, at - 1) if answer == "b" else at + 1

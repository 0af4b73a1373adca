"""`paipu export`, `paipu import`: games as JSON lines or in foreign formats, decks for a laboratory; `paipu games`."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

import click

from engine.case_stream import is_case
from engine.errors import EventError
from engine.events import load
from engine.formats import FORMATS, riichi_reading
from engine.formats.riichi import RiichiRecord
from engine.formats.riichi_events import RULES as RIICHI
from engine.formats.riichi_events import is_riichi
from engine.variants import find
from ledger.errors import Refused, Unavailable
from ledger.store import without_password
from ledger.verify_file import export_game
from viewer import deal_export, foreign
from viewer.catalogue import opened_at
from viewer.commands.common import ledger_option, need_ledger
from viewer.complaint import complain
from viewer.deal_export import Shuffled
from viewer.games import games as list_games
from viewer.games import lines, listing, stored
from viewer.plain import many, read_exported
from viewer.targets import open_log, read_sound
from viewer.verdict import audit_lines

LABORATORY = ("raw", "decks")


@click.command(
    short_help="Write one game as JSON lines, or raw words and decks for a laboratory.",
    epilog="Examples: paipu export linhai-s7-00000 --ledger sqlite:///x.db -o game.paipu.jsonl; "
    "paipu export game.mjlog --format mjai; paipu export decks --ledger sqlite:///x.db -o decks.txt; "
    "paipu export raw --deals 100000 --rules linhai | dieharder -g 200 -a",
)
@click.argument("game")
@click.argument("files", nargs=-1)
@click.option("-o", "--output", metavar="FILE", help="File to write (default: standard output); it must not exist.")
@click.option(
    "--format", "form", type=click.Choice([each.name for each in FORMATS]), help="Write a riichi record in this format."
)
@click.option("--rules", metavar="ID", help="With raw and decks: only games of this preset.")
@click.option(
    "--deals", type=click.IntRange(1, 100_000_000), help="With raw and decks: so many fresh deals of --rules."
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Of fresh deals.")
@ledger_option
def export(
    *,
    game: str,
    files: tuple[str, ...],
    output: str | None,
    form: str | None,
    rules: str | None,
    deals: int | None,
    seed: int,
    ledger: str | None,
) -> None:
    """Write GAME's events, bytes as stored, one a line; or a riichi record in a foreign format.

    GAME `raw`: the words of the shuffle streams, four bytes each, big-endian, one after the other. GAME `decks`: a line
    `# ` with the deck in order, then one wall a line, deck ids separated by spaces, the first tile dealt first. Both
    take the games of FILES (exported games, mjlog), else of the ledger, or deal afresh with --deals.
    """
    if game in LABORATORY:
        _laboratory(game, files, output, rules=rules, deals=deals, seed=seed, ledger=ledger)
        return
    if files or rules or deals:
        raise click.UsageError("FILES, --rules and --deals go with `raw` and `decks`")
    if form is not None:
        _put(output, [_foreign(game, form, ledger)])
        return
    reader = read_sound(need_ledger(ledger))
    try:
        data = b"".join(export_game(reader, game))
    finally:
        reader.close()
    _put(output, [data])


def _put(output: str | None, chunks: Iterable[bytes]) -> None:
    """Write to a new file, or to standard output."""
    if output is None:
        for chunk in chunks:
            sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        return
    try:
        with Path(output).open("xb") as file:
            _write(file, chunks, output)
            size = file.tell()
    except OSError as error:
        raise Unavailable(output, f"cannot be written: {error.strerror}") from None
    click.echo(f"{size} bytes -> {output}")


def _write(file: BinaryIO, chunks: Iterable[bytes], output: str) -> None:
    """Write all of it, or leave no file."""
    try:
        file.writelines(chunks)
    except BaseException:
        Path(output).unlink(missing_ok=True)
        raise


def _foreign(game: str, form: str, ledger: str | None) -> bytes:
    """Return a riichi record, a file or a game of the ledger, in another format."""
    if Path(game).is_file():
        other = foreign.read(game)
        record = other.record if other is not None else _record(read_exported(game)[1], game)
    else:
        record = _record(lines(need_ledger(ledger), game), game)
    if record.problems:
        first = record.problems[0]
        raise Refused(game, f"cannot be read whole: {first.why} at {first.place}")
    return next(each for each in FORMATS if each.name == form).write(record).encode()


def _record(rows: list[bytes], game: str) -> RiichiRecord:
    if not is_riichi(rows[0]):
        raise Refused(game, "not a riichi record: only those have foreign formats")
    return riichi_reading.read(rows)


def _laboratory(
    what: str, files: tuple[str, ...], output: str | None, *, rules: str | None, deals: int | None, seed: int,
    ledger: str | None,
) -> None:  # fmt: skip
    if deals is not None and (files or rules is None):
        raise click.UsageError("--deals needs --rules ID, and no FILES")
    unknown = [0]
    found = (
        deal_export.fresh(find(rules), seed, deals)
        if deals is not None and rules is not None
        else _shuffles(files, rules, ledger, unknown)
    )
    try:
        _put(output, _words(found) if what == "raw" else _decks(found))
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if unknown[0]:
        click.echo(f"{unknown[0]} hands left out: their seeds are not known", err=True)


def _words(found: Iterable[Shuffled]) -> Iterator[bytes]:
    for each in found:
        yield each.words


def _decks(found: Iterable[Shuffled]) -> Iterator[bytes]:
    for number, each in enumerate(deal_export.one_deck(found)):
        if number == 0:
            yield f"{deal_export.header(each.deck)}\n".encode()
        yield f"{each.line()}\n".encode()


def _shuffles(files: tuple[str, ...], rules: str | None, ledger: str | None, unknown: list[int]) -> Iterator[Shuffled]:
    """Yield the shuffles of files, else of a ledger's games; count hands without a known seed."""
    for found in _by_game(files, rules, ledger):
        for each in found:
            if each is None:
                unknown[0] += 1
            else:
                yield each


def _by_game(files: tuple[str, ...], rules: str | None, ledger: str | None) -> Iterator[Iterable[Shuffled | None]]:
    for file in files:
        other = foreign.read(file)
        if other is not None:
            if rules in {None, RIICHI} and other.record.seed:
                yield deal_export.of_record(other.record)
            continue
        rows = read_exported(file)[1]
        if rules is None or _preset(rows) == rules:
            yield deal_export.of_game(rows)
    if files:
        return
    url = need_ledger(ledger)
    reader = read_sound(url)
    try:
        for info in listing(reader):
            if info.stream in {"", "game"} and (rules is None or info.rules == rules):
                yield deal_export.of_game(stored(reader, info.id))
    finally:
        reader.close()


def _preset(rows: list[bytes]) -> str:
    try:
        return str(load(rows[0])["rules"]["id"])
    except (EventError, KeyError, TypeError):
        return ""


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
) -> int:
    """Append an exported game as a new stream, bytes unchanged. An id that the ledger has already is refused.

    A file that is cut off or damaged is refused whole. A game that replay refuses is kept as it is, for evidence is not
    to be lost, and its first finding is told; verify tells all.
    An mjlog, tenhou.net/6 or mjai file comes in as events of ours, rules id riichi.tenhou.
    Exit code 0: imported, no finding; 1: imported, with findings; 2: nothing was written.
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
    click.echo(f"{game}: {len(rows)} events -> {without_password(url)}")
    return _judged(game, rows)


def _judged(game: str, rows: list[bytes]) -> int:
    """Tell the first finding of a game that was imported; 1 where there is one. Cases are judged with their ledger."""
    findings = () if is_case(rows) else audit_lines(rows).findings
    if not findings:
        return 0
    first = findings[0]
    # A finding of replay names its place itself.
    told = first.text.en if first.text.en.startswith(f"{game}, ") else f"event {first.seq}: {first.text.en}"
    others = f" (and {many(len(findings) - 1, 'more finding')})" if findings[1:] else ""
    complain(f"imported as it is, but {game} does not hold: {first.code}, {told}{others}")
    return 1


@click.command(
    "games",
    short_help="List the games of a ledger.",
    epilog="Example: paipu games --ledger sqlite:///x.db",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@ledger_option
def games(*, as_json: bool, ledger: str | None) -> None:
    """List every stream: number, id, rules (or its kind, of a case), events, state, time of opening (UTC), players."""
    for info in list_games(need_ledger(ledger)):
        if as_json:
            click.echo(json.dumps(asdict(info), ensure_ascii=False))
            continue
        when = opened_at(info).strftime("%Y-%m-%d %H:%M")
        state = "closed" if info.closed else "open"
        told = f"{info.gno:>6}  {info.id:<28} {info.rules or info.stream:<14} {info.size:>6} {state:<7} {when}"
        click.echo("  ".join([told, *([" ".join(info.players)] if info.players else [])]))

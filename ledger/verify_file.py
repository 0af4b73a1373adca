"""A game as a file, `<id>.paipu.jsonl`: written, audited, read (ledger.md 5, 6).

The event bytes as stored, in seq order, each followed by one newline, nothing else. A bare file has no log: levels 1 to
3 and 8 are not checkable, and level 4 is what the bytes alone show: every line canonical, one game id, `seq` the
position. Every other line, and a last one cut off, is a finding. `audit_file` looks at everything and goes on;
`read_game` is for those who need the game whole, and raises at the first line at fault.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

from ledger.canonical import MAX_BYTES, Record, decode
from ledger.errors import Malformed, Unavailable
from ledger.findings import Finding, Text, printable
from ledger.store import Reader
from ledger.stream import GAME_ID
from ledger.verify_games import GameAudit

SUFFIX: Final = ".paipu.jsonl"


def export_game(reader: Reader, game: str) -> Iterator[bytes]:
    """Give the lines of a stream's file, unchanged; Unavailable where there is no such stream or a row is no bytes."""
    count = 0
    for seq, data, _ in reader.events(game):
        if seq != count or type(data) is not bytes or b"\n" in data:
            raise Unavailable(reader.target, f"event {count} of {game} is damaged: verify names it")
        yield data + b"\n"
        count += 1
    if not count:
        raise Unavailable(reader.target, f"there is no stream {printable(game)}")


def lines(file: BinaryIO) -> Iterator[bytes]:
    """Split a file at newlines, each line with its own; one longer than an event may be comes in pieces."""
    while line := file.readline(MAX_BYTES + 1):
        yield line


def audit_file(path: Path) -> GameAudit:
    """Audit one file at level 4; Unavailable where it does not open or has not one canonical event."""
    try:
        with path.open("rb") as file:
            audit = audit_lines(lines(file), str(path))
    except OSError as error:
        raise Unavailable(str(path), error.strerror or str(error)) from None
    return audit


def audit_lines(found: Iterator[bytes], target: str) -> GameAudit:
    """Audit the lines of one game; see `audit_file`."""
    audit = GameAudit("")
    place = number = read = 0
    for line in found:
        number += 1
        record = _line(audit, line, number, place)
        if record is None:
            place += 1  # a damaged line still stands for an event
            continue
        game, seq = record.get("game"), record.get("seq")
        if not audit.game and type(game) is str and GAME_ID.fullmatch(game):
            audit.game = game
        read += 1
        if type(seq) is not int or seq != place or game != audit.game or not audit.game:
            shown = f"{printable(game)} seq {printable(seq)}"
            text = Text(
                f"line {number}: event {place} of {audit.game} comes next, not {shown}",
                f"第 {number} 行：应为 {audit.game} 的第 {place} 号事件，实为 {shown}",
            )
            expected = f"{audit.game} seq {place}"
            audit.say("seq", "ledger.md 6", text, seq=place, expected=expected, found=shown)
            if type(seq) is int and seq > place and game == audit.game:
                place = seq + 1  # lines are missing; what follows may still hold
            continue
        if not audit.findings:
            audit.events.append(line[:-1])
        place += 1
    if not read:
        raise Unavailable(target, "not a game file: it has not one canonical event")
    audit.size = place
    audit.findings = [_named(audit, finding) for finding in audit.findings]
    return audit


def _named(audit: GameAudit, finding: Finding) -> Finding:
    """Give the game's name to what was found before it was known."""
    return replace(finding, game=audit.game or None)


def _line(audit: GameAudit, line: bytes, number: int, place: int) -> Record | None:
    try:
        record = decode(line.removesuffix(b"\n"))
    except Malformed as error:
        text = Text(
            f"line {number} is not a canonical event: {error.reason}", f"第 {number} 行不是规范事件：{error.reason}"
        )
        found = f"{error}: {printable(line)}"
        audit.say("canonical", "ledger.md 5", text, seq=place, expected="canonical JSON", found=found)
        return None
    if not line.endswith(b"\n"):
        text = Text(f"line {number} is cut off: it has no newline", f"第 {number} 行被截断：缺少换行符")
        audit.say("canonical", "ledger.md 5", text, seq=place, expected="a newline", found="the end of the file")
    return record


def read_game(found: Iterator[bytes], target: str) -> tuple[str, list[bytes]]:
    """Read a game file whole: its id and events; Malformed, naming the line, at the first that is not as it must be."""
    events: list[bytes] = []
    game = ""
    for line in found:
        place = len(events)
        what = f"{target} line {place + 1}"
        if not line.endswith(b"\n"):
            raise Malformed(what, "cut off: it has no newline, or is longer than an event may be")
        data = line[:-1]
        try:
            record = decode(data)
        except Malformed as error:
            raise Malformed(what, error.reason, error.offset) from None
        if not place and type(record.get("game")) is str:
            game = str(record["game"])
        if record.get("game") != game or record.get("seq") != place or type(record["seq"]) is not int:
            shown = f"{printable(record.get('game'))} seq {printable(record.get('seq'))}"
            raise Malformed(what, f"{game} seq {place} was expected, not {shown}")
        events.append(data)
    if not events:
        raise Unavailable(target, "not a game file: it has not one canonical event")
    if not GAME_ID.fullmatch(game):
        raise Malformed(f"{target} line 1", f"{printable(game)} is no game id")
    return game, events

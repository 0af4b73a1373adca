"""From ledger entries to games: which streams there are, what each holds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.errors import EventError
from engine.events import load
from ledger.entries import read_entry
from ledger.errors import LedgerError, Refused
from ledger.store import Reader
from viewer.targets import read_ledger, read_sound


@dataclass(frozen=True, slots=True)
class GameInfo:
    """One stream as its entries and its first event tell it; `rules` is empty where that event cannot be read."""

    id: str
    gno: int
    stream: str
    size: int
    closed: bool
    rules: str
    players: tuple[str, ...]
    at: int
    """ms UTC of the first event."""
    table: str = ""
    reason: str = ""
    """Why it was closed, where that was read."""


def listing(reader: Reader) -> Iterator[GameInfo]:
    """Yield every stream of a ledger in order of `gno`; entries that cannot be read are left to the audit."""
    opened: dict[str, tuple[int, str, int, bool]] = {}
    for row in reader.entries():
        try:
            entry = read_entry(row.data)
        except LedgerError:
            continue
        if not entry.game:
            continue
        known = opened.get(entry.game, (entry.gno, str(entry.record.get("stream", "")), 0, False))
        opened[entry.game] = (known[0], known[1], entry.size, known[3] or entry.kind in {"close", "abort"})
    for game, (gno, stream, size, closed) in opened.items():
        yield first_event(reader, GameInfo(game, gno, stream, size, closed, "", (), 0))


def first_event(reader: Reader, info: GameInfo) -> GameInfo:
    """Return a stream with what its first event tells, as it is where that cannot be read; a case tells its time."""
    for _, data, _ in reader.events(info.id, 0, 1):
        try:
            record = load(data)
            info = replace(info, at=int(record["at"]))
            players = tuple(str(entry["player"]) for entry in record["seats"] if entry["seat"] < 128)
            rules, table = str(record["rules"]["id"]), str(record.get("table", ""))
        except (EventError, KeyError, TypeError, ValueError):
            break
        return replace(info, rules=rules, players=players, table=table)
    return info


def games(target: str) -> list[GameInfo]:
    """Return every stream of a ledger given by URL or path."""
    reader = read_ledger(target)
    try:
        return list(listing(reader))
    finally:
        reader.close()


def stored(reader: Reader, game: str) -> list[bytes]:
    """Return a stream's event bytes as stored; Refused where the ledger has no such stream."""
    found = [data for _, data, _ in reader.events(game)]
    if not found:
        raise Refused(game, f"no such game in {reader.target}")
    return found


def lines(target: str, game: str) -> list[bytes]:
    """Return a game's event bytes from a ledger given by URL or path."""
    reader = read_sound(target)
    try:
        return stored(reader, game)
    finally:
        reader.close()

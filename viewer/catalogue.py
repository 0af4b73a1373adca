"""The catalogue of a ledger's games: a page of them at once, and a search that reads each game's ends only when asked.

How many games there are and which stand on a page comes from the streams, a page of rows at a time, so that a ledger of
100,000 hands opens as fast as a small one. What a game is (rules, players, table, how it ended) is read for the games
shown; a search reads it for all, once, and afterwards only for games that are new or have grown.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TypeVar, overload

from engine.errors import EventError
from engine.events import load
from ledger.entries import read_entry
from ledger.errors import LedgerError, Unavailable
from ledger.store import Reader, Tables, open_reader
from viewer.games import GameInfo, first_event
from viewer.targets import ledger_url
from viewer.words import rules

T = TypeVar("T")
LATEST_MS = 253_402_300_799_000
"""Last moment of the year 9999: what a calendar can show."""
STREAMS = ("", "game")
ENDS = ("close", "abort")
TAIL = 32
"""Events read at once, from a game's end backwards, to find its last hand."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for; an empty field asks nothing."""

    words: str = ""
    """All of them must stand in id, rules (by id or in either language), table or players."""
    rules: str = ""
    state: str = ""
    """`running`, or the reason of `closed`."""
    since: date | None = None
    until: date | None = None
    among: Collection[str] | None = None
    """Ids to choose from."""
    called: Callable[[str], str] = field(default=str, compare=False)
    """What the reader knows a player by: whoever sees pseudonyms finds no id."""

    @property
    def empty(self) -> bool:
        """Tell whether everything is asked for."""
        return self == Query()

    def fits(self, info: GameInfo) -> bool:
        """Tell whether a game is one of those looked for."""
        names = rules(info.rules)
        said = (info.id, info.rules, names["en"], names["zh"], info.table, *map(self.called, info.players))
        text = " ".join(said).casefold()
        if not all(word in text for word in self.words.casefold().split()):
            return False
        if self.rules and info.rules != self.rules:
            return False
        if self.state and self.state != state(info):
            return False
        day = opened_at(info).date()
        if (self.since and day < self.since) or (self.until and day > self.until):
            return False
        return self.among is None or info.id in self.among


def state(info: GameInfo) -> str:
    """Return how a game stands: `running`, else why it was closed."""
    return (info.reason or "closed") if info.closed else "running"


def opened_at(info: GameInfo) -> datetime:
    """Return when a game was opened, UTC."""
    return datetime.fromtimestamp(min(max(info.at, 0), LATEST_MS) / 1000, UTC)


class Ids(Sequence[str]):
    """The ids of a ledger's first `count` games in the order of their opening, read from the ledger as asked for."""

    def __init__(self, url: str, count: int) -> None:
        self._url, self._count = url, count

    def __len__(self) -> int:
        """Tell how many there are."""
        return self._count

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        """Return the id at a place, or a page of them."""
        if isinstance(at, int):
            place = range(self._count)[at]
            return self[place : place + 1][0]
        start, stop, step = at.indices(self._count)
        with _reading(self._url) as reader:
            rows = reader.streams(*STREAMS, start=start, count=max(stop - start, 0))
            return [str(row.game) for row in rows][::step]

    def __iter__(self) -> Iterator[str]:
        """Read all of them."""
        return iter(self[:])

    def __contains__(self, game: object) -> bool:
        """Tell whether a game is one of them, without reading the others."""
        return isinstance(game, str) and self._place(game) is not None

    def index(self, game: str, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a game, counted by the store; ValueError where there is none."""
        place = self._place(game)
        if place is None or place not in range(self._count)[start:stop]:
            raise ValueError(f"{game!r} is not in the catalogue")
        return place

    def _place(self, game: str) -> int | None:
        with _reading(self._url) as reader:
            row = reader.stream(game)
            if row is None or row.stream not in STREAMS:
                return None
            place = reader.count_streams(*STREAMS, below=row.gno)
        return place if place < self._count else None


@dataclass(slots=True)
class Catalogue:
    """The games of one ledger as it stood at `stamp` (entries, transactions)."""

    url: str
    stamp: tuple[int, int]
    ids: Sequence[str]
    known: dict[str, GameInfo] = field(default_factory=dict)
    """Games read so far; a running one is read again."""
    counted: dict[tuple[str, int], int] = field(default_factory=dict)
    """Hands of the games counted so far, by id and size."""
    whole: list[GameInfo] | None = None
    """All games, once they have been read."""

    def infos(self, ids: Iterable[str]) -> list[GameInfo]:
        """Return what some games are, in the order given."""
        wanted = list(ids)
        missing = [each for each in wanted if each not in self.known]
        if missing:
            with _reading(self.url) as reader:
                self.known.update({each: _info(reader, each) for each in missing})
        return [self.known[each] for each in wanted]

    def info(self, game: str) -> GameInfo:
        """Return what one game is."""
        return self.infos([game])[0]

    def everything(self) -> list[GameInfo]:
        """Return what all games are; those that are not known are read in one go."""
        if self.whole is None:
            with _reading(self.url) as reader:
                self.known.update(_closed(reader, self.known))
            self.whole = self.infos(self.ids)
        return self.whole

    def of(self, infos: Iterable[GameInfo]) -> "Catalogue":
        """Return a catalogue of some of the games alone."""
        chosen = list(infos)
        return replace(self, ids=[info.id for info in chosen], whole=chosen)

    def hands(self, infos: Sequence[GameInfo]) -> list[int]:
        """Return how many hands each of some games has ended."""
        missing = [info for info in infos if (info.id, info.size) not in self.counted]
        if missing:
            with _reading(self.url) as reader:
                self.counted.update({(info.id, info.size): hand_count(reader, info.id, info.size) for info in missing})
        return [self.counted[info.id, info.size] for info in infos]

    def search(self, query: Query) -> Sequence[str]:
        """Return the ids of the games looked for, in order."""
        if query.empty:
            return self.ids
        if query == Query(among=query.among):
            return self._in_order(query.among or ())
        return [info.id for info in self.everything() if query.fits(info)]

    def _in_order(self, ids: Collection[str]) -> list[str]:
        """Return those of some ids that are in the catalogue, in its order."""
        if not isinstance(self.ids, Ids):
            return [each for each in self.ids if each in ids]
        found = [each for each in ids if each in self.ids]
        return sorted(found, key=self.ids.index)

    def rules(self) -> list[str]:
        """Return the rules of all games read so far."""
        return sorted({info.rules for info in list(self.known.values()) if info.rules})


def catalogue(url: str, before: Catalogue | None = None) -> Catalogue:
    """Return the catalogue of a ledger as it stands; what `before` knows of closed games is kept."""
    found = _url(url)
    with _reading(found) as reader:
        head = reader.head()
        stamp = (head.size, head.revision) if head is not None else (0, 0)
        if before is not None and before.stamp == stamp:
            return before
        ids = Ids(found, reader.count_streams(*STREAMS))
    if before is None:
        return Catalogue(found, stamp, ids)
    known = {game: info for game, info in list(before.known.items()) if info.closed}
    return Catalogue(found, stamp, ids, known, before.counted)


def _url(target: str) -> str:
    url = ledger_url(target)
    if url is None:
        raise Unavailable(target, "not a ledger")
    return url


@contextmanager
def _reading(url: str) -> Iterator[Tables]:
    reader = open_reader(url)
    try:
        yield reader
    finally:
        reader.close()


def _info(reader: Reader, game: str) -> GameInfo:
    gno, stream, size, closed = -1, "", 0, False
    for row in reader.entries_of(game):
        try:
            entry = read_entry(row.data)
        except LedgerError:
            continue  # the audit says so
        gno, size = entry.gno, max(size, entry.size)
        stream = stream or str(entry.record.get("stream", ""))
        closed = closed or entry.kind in ENDS
    return _told(reader, GameInfo(game, gno, stream, size, closed, "", (), 0))


def _closed(reader: Tables, known: Collection[str]) -> Iterator[tuple[str, GameInfo]]:
    """Yield what the games are that have been closed and are not known, by id; one entry and two events a game."""
    kinds = {row.game: row.stream for row in reader.streams(*STREAMS)}
    for row in reader.entries_of_kind(*ENDS):
        if row.game is None or row.game in known or row.game not in kinds:
            continue
        try:
            entry = read_entry(row.data)
        except LedgerError:
            continue  # left to be read entry by entry
        yield entry.game, _told(reader, GameInfo(entry.game, entry.gno, kinds[row.game], entry.size, True, "", (), 0))


def _told(reader: Reader, info: GameInfo) -> GameInfo:
    """Return a game with what its first and its last event tell."""
    info = first_event(reader, info)
    return replace(info, reason=_reason(reader, info.id, info.size)) if info.closed else info


def _reason(reader: Reader, game: str, size: int) -> str:
    for _, data, _ in reader.events(game, max(size - 1, 0), size):
        try:
            record = load(data)
        except EventError:
            break
        if record.get("type") == "closed":
            return str(record.get("reason", ""))
    return ""


def hand_count(reader: Reader, game: str, size: int) -> int:
    """Return how many hands a game of `size` events has ended, by its own numbers: only its last hand is read."""
    ended = 0
    for stop in range(size, 0, -TAIL):
        for _, data, _ in reversed(list(reader.events(game, max(stop - TAIL, 0), stop))):
            if b'"type":"hand_ended"' in data:
                ended = 1
            if b'"type":"hand_started"' in data:
                try:
                    return int(load(data)["hand"]) + ended
                except (EventError, KeyError, TypeError, ValueError):
                    return ended  # no hand that could be read
    return ended


def pages(ids: Sequence[T], number: int, size: int) -> tuple[int, Sequence[T]]:
    """Return how many pages there are, and one of them; numbers start at 1 and are kept within bounds."""
    count = max(1, -(-len(ids) // size))
    at = min(max(number, 1), count) - 1
    return count, ids[at * size : (at + 1) * size]

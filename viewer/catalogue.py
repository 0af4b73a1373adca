"""The catalogue of a ledger's games: a page of them at once, and a search that reads each game's ends only when asked.

Which games there are comes from the streams alone, so that a ledger of 100,000 hands opens as fast as a small one. What
a game is (rules, players, table, how it ended) is read for the games shown; a search reads it for all, once, and
afterwards only for games that are new or have grown.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime

from engine.errors import EventError
from engine.events import load
from ledger.entries import read_entry
from ledger.errors import LedgerError, Unavailable
from ledger.store import Reader, open_reader
from viewer.games import GameInfo, first_event
from viewer.targets import ledger_url

LATEST_MS = 253_402_300_799_000
"""Last moment of the year 9999: what a calendar can show."""
STREAMS = frozenset({"", "game"})


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for; an empty field asks nothing."""

    words: str = ""
    """All of them must stand in id, rules, table or players."""
    rules: str = ""
    state: str = ""
    """`running`, or the reason of `closed`."""
    since: date | None = None
    until: date | None = None
    among: Collection[str] | None = None
    """Ids to choose from."""

    @property
    def empty(self) -> bool:
        """Tell whether everything is asked for."""
        return self == Query()

    def fits(self, info: GameInfo) -> bool:
        """Tell whether a game is one of those looked for."""
        text = " ".join((info.id, info.rules, info.table, *info.players)).casefold()
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


@dataclass(slots=True)
class Catalogue:
    """The games of one ledger as it stood at `stamp` (entries, transactions)."""

    url: str
    stamp: tuple[int, int]
    ids: list[str]
    known: dict[str, GameInfo] = field(default_factory=dict)
    """Games read so far; a running one is read again."""

    def infos(self, ids: Iterable[str]) -> list[GameInfo]:
        """Return what some games are, in the order given."""
        wanted = list(ids)
        missing = [each for each in wanted if each not in self.known]
        if missing:
            reader = _reader(self.url)
            try:
                self.known |= {each: _info(reader, each) for each in missing}
            finally:
                reader.close()
        return [self.known[each] for each in wanted]

    def info(self, game: str) -> GameInfo:
        """Return what one game is."""
        return self.infos([game])[0]

    def search(self, query: Query) -> list[str]:
        """Return the ids of the games looked for, in order."""
        if query.empty:
            return self.ids
        among = [each for each in self.ids if query.among is None or each in query.among]
        if query == Query(among=query.among):
            return among
        return [info.id for info in self.infos(among) if query.fits(info)]

    def rules(self) -> list[str]:
        """Return the rules of all games read so far."""
        return sorted({info.rules for info in self.known.values() if info.rules})


def catalogue(url: str, before: Catalogue | None = None) -> Catalogue:
    """Return the catalogue of a ledger as it stands; what `before` knows of closed games is kept."""
    reader = open_reader(_url(url))
    try:
        head = reader.head()
        stamp = (head.size, head.revision) if head is not None else (0, 0)
        if before is not None and before.stamp == stamp:
            return before
        ids = [row.game for row in reader.streams() if isinstance(row.game, str) and row.stream in STREAMS]
    finally:
        reader.close()
    known = {} if before is None else {game: info for game, info in before.known.items() if info.closed}
    return Catalogue(url, stamp, ids, known)


def _url(target: str) -> str:
    url = ledger_url(target)
    if url is None:
        raise Unavailable(target, "not a ledger")
    return url


def _reader(target: str) -> Reader:
    return open_reader(_url(target))


def _info(reader: Reader, game: str) -> GameInfo:
    gno, stream, size, closed = -1, "", 0, False
    for row in reader.entries_of(game):
        try:
            entry = read_entry(row.data)
        except LedgerError:
            continue  # the audit says so
        gno, size = entry.gno, max(size, entry.size)
        stream = stream or str(entry.record.get("stream", ""))
        closed = closed or entry.kind in {"close", "abort"}
    info = first_event(reader, GameInfo(game, gno, stream, size, closed, "", (), 0))
    return replace(info, reason=_reason(reader, game, size)) if closed else info


def _reason(reader: Reader, game: str, size: int) -> str:
    for _, data, _ in reader.events(game, max(size - 1, 0), size):
        try:
            record = load(data)
        except EventError:
            break
        if record.get("type") == "closed":
            return str(record.get("reason", ""))
    return ""


def pages(ids: Sequence[str], number: int, size: int) -> tuple[int, Sequence[str]]:
    """Return how many pages there are, and one of them; numbers start at 1 and are kept within bounds."""
    count = max(1, -(-len(ids) // size))
    at = min(max(number, 1), count) - 1
    return count, ids[at * size : (at + 1) * size]

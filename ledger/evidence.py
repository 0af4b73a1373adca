"""Evidence: an excerpt of a ledger that shows a finding again, offline, to whoever trusts neither side (ledger.md 6).

An artefact is one JSON object:

    format      "paipu-evidence/1"
    verdict     one line, en and zh                     finding    as `verify --json` prints it
    policy      the pinned policy's text, or null: then `keys` are the vkeys that the ledger itself told
    notes       the log's newest head, then the largest seen before
    log         head, entries, checkpoints, where the main log is at fault or is needed whole (levels 1 to 3, 6, 8)
    game        the stream's row, its entries, its events, where one stream is at fault; `others` those it takes beside
    proofs      entry index -> its inclusion path (base64) under the first note, for the entries of the streams
    roots       certificates of time-stamping authorities, PEM (level 6)
    receipt     name, file and bundle (base64) of a receipt that the log contradicts (level 8)
    mirror      name, note, log and game of a mirror that it contradicts (level 8)
    asked       now_ms and max_age_ms of the run that judged ages

Rows are as they were stored, damaged or not: text where bytes are UTF-8, `{"hex": …}` where they are not, numbers and
null where a column has become that. Rows that could not be read end with the reason, under `unreadable`. To re-check is
to run the same pure check over the excerpt and see the same finding; and, where there are proofs, to see that the
entries lie under a head that the log's pinned key signed.
"""

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from ledger.checkpoint import open_checkpoint
from ledger.entries import read_entry
from ledger.errors import Malformed, Unavailable, Untrusted
from ledger.keys import Verifier
from ledger.merkle import check_inclusion, leaf, prove_inclusion
from ledger.store import EntryRow, HeadRow, Reader, SignedRow, StreamRow, TextRow

FORMAT: Final = "paipu-evidence/1"

_WHAT: Final = "evidence"
Json = dict[str, Any]


def cell(value: object) -> object:
    """Write one stored value; the mirror of `value_of`."""
    if isinstance(value, bytes | bytearray | memoryview):
        data = bytes(value)
        try:
            return {"text": data.decode()}
        except UnicodeDecodeError:
            return {"hex": data.hex()}
    return value


def value_of(found: object) -> Any:  # noqa: ANN401  a damaged column may hold anything
    """Read one stored value."""
    if not isinstance(found, dict):
        return found
    if set(found) == {"text"} and type(found["text"]) is str:
        return found["text"].encode()
    if set(found) == {"hex"} and type(found["hex"]) is str:
        return bytes.fromhex(found["hex"])
    raise Malformed(_WHAT, "not a stored value")


def _row(row: Iterable[object]) -> list[object]:
    return [cell(value) for value in row]


class _Part(dict[str, Any]):
    """One part of an artefact, filled table by table as far as each can be read."""

    def table(self, name: str, rows: Iterable[Iterable[object]]) -> None:
        found: list[list[object]] = []
        self[name] = found
        try:
            found.extend(_row(row) for row in rows)
        except Unavailable as error:
            self.setdefault("unreadable", {})[name] = error.reason


def log_excerpt(reader: Reader) -> Json:
    """Excerpt the main log whole: its head row, entries and checkpoints, as far as they can be read."""
    part = _Part()
    try:
        head = reader.head()
        part["head"] = None if head is None else _row(head)
    except Unavailable as error:
        part["unreadable"] = {"head": error.reason}
    part.table("entries", reader.entries())
    part.table("checkpoints", reader.checkpoints())
    return part


def game_excerpt(reader: Reader, game: str) -> Json:
    """Excerpt one stream: its row, entries and events, as far as they can be read."""
    part = _Part(game=cell(game))
    try:
        stream = reader.stream(game)
        part["stream"] = None if stream is None else _row(stream)
    except Unavailable as error:
        part["unreadable"] = {"stream": error.reason}
    part.table("entries", reader.entries_of(game))
    part.table("events", reader.events(game))
    return part


def prove_entries(reader: Reader, games: Sequence[str], size: int) -> dict[str, list[str]]:
    """Make the inclusion paths of the entries of streams among the first `size`; none where they cannot be read."""
    try:
        leaves = [leaf(row.data) if type(row.data) is bytes else leaf(b"") for row in reader.entries(0, size)]
        mine = [row.idx for game in games for row in reader.entries_of(game)]
    except Unavailable:
        return {}
    placed = [idx for idx in mine if type(idx) is int and 0 <= idx < len(leaves)]
    return {str(idx): [b64encode(step).decode() for step in prove_inclusion(leaves, idx)] for idx in placed}


def check_entries(artefact: Mapping[str, Any], verifiers: Iterable[Verifier]) -> frozenset[EntryRow]:
    """Check that the entries of the artefact's streams lie under the first note; give those that are proven.

    Untrusted where the note is not the log's, a proof does not lead to it, or an entry is filed as what it is not.
    """
    parts = (artefact["game"], *(artefact.get("others") or ()))
    entries: dict[int, EntryRow] = {row[0]: row for part in parts for row in _rows(part, "entries", EntryRow)}
    checkpoint, _ = open_checkpoint(cast("str", artefact["notes"][0]).encode(), verifiers)
    proven = set()
    for index, path in artefact["proofs"].items():
        row = entries.get(int(index))
        if row is None or type(row.data) is not bytes:
            raise Untrusted("root", f"entry {index} is not in the excerpt")
        check_inclusion(row.idx, checkpoint.size, leaf(row.data), [octets(step) for step in path], checkpoint.root)
        entry = read_entry(row.data)
        if (row.kind, row.game) != (entry.kind, entry.game or None):
            raise Untrusted("canonical", f"entry {index} is filed under another kind or game")
        proven.add(row)
    return frozenset(proven)


def _rows(part: Mapping[str, Any], name: str, kind: Any) -> list[Any]:  # noqa: ANN401  a row class
    return [kind(*(value_of(each) for each in row)) for row in part.get(name) or ()]


class _Stream:
    """One stream of an excerpt."""

    def __init__(self, part: Mapping[str, Any]) -> None:
        stream = part.get("stream")
        self.row = None if stream is None else StreamRow(*(value_of(each) for each in stream))
        self.entries: list[EntryRow] = _rows(part, "entries", EntryRow)
        self.events = [tuple(value_of(each) for each in row) for row in part.get("events") or ()]
        self.unreadable: Mapping[str, str] = part.get("unreadable") or {}
        if any(len(row) != 3 for row in self.events):
            raise Malformed(_WHAT, "an event is seq, data and chain")


class Excerpt:
    """An artefact's rows as a `ledger.store.Reader`; Malformed where it is none.

    Where the artefact has the main log, the entries of a stream are those of the log; where it has not, they are those
    of the streams, of which `proven` may name the only ones to believe. What could not be read cannot be read here.
    """

    def __init__(
        self, artefact: Mapping[str, Any], *, proven: frozenset[EntryRow] | None = None, target: str = "the excerpt"
    ) -> None:
        self.target = target
        self.note = b""
        try:
            log = artefact.get("log") or {}
            parts = [*(artefact.get("others") or ()), *([artefact["game"]] if artefact.get("game") else ())]
            head = log.get("head")
            self._head = None if head is None else HeadRow(*(value_of(each) for each in head))
            self._checkpoints: list[SignedRow] = _rows(log, "checkpoints", SignedRow)
            self._streams: dict[str, _Stream] = {value_of(part["game"]): _Stream(part) for part in parts}
            self._unreadable: Mapping[str, str] = log.get("unreadable") or {}
            rows: list[EntryRow] = _rows(log, "entries", EntryRow)
            if "log" not in artefact:
                rows = [row for stream in self._streams.values() for row in stream.entries]
                rows = rows if proven is None else sorted(proven)
            self._entries = rows
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            raise Malformed(_WHAT, f"not an excerpt ({type(error).__name__})") from None

    def _stop(self, unreadable: Mapping[str, str], name: str) -> None:
        if name in unreadable:
            raise Unavailable(self.target, str(unreadable[name]))

    def head(self) -> HeadRow | None:
        """Give the head row."""
        self._stop(self._unreadable, "head")
        return self._head

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give the entries of the log, or those of the streams where it was not excerpted."""
        last = 1 << 62 if stop is None else stop
        yield from (row for row in self._entries if type(row.idx) is not int or start <= row.idx < last)
        self._stop(self._unreadable, "entries")

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries of a stream."""
        yield from (row for row in self._entries if row.game == game)
        self._stop(self._streams[game].unreadable if game in self._streams else {}, "entries")

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries of some kinds."""
        return (row for row in self.entries() if row.kind in kinds)

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give the events of a stream."""
        if game not in self._streams:
            return
        last = 1 << 62 if stop is None else stop
        for row in self._streams[game].events:
            seq, data, chain = cast("tuple[int, bytes, bytes]", row)
            if type(seq) is not int or start <= seq < last:
                yield seq, data, chain
        self._stop(self._streams[game].unreadable, "events")

    def games(self) -> Iterator[str]:
        """Give the streams that have events."""
        yield from (game for game, stream in self._streams.items() if stream.events)
        self._stop(self._unreadable, "games")

    def stream(self, game: str) -> StreamRow | None:
        """Give a stream's row."""
        if game not in self._streams:
            return None
        self._stop(self._streams[game].unreadable, "stream")
        return self._streams[game].row

    def checkpoint(self) -> SignedRow | None:
        """Give the newest checkpoint."""
        self._stop({} if self._checkpoints else self._unreadable, "checkpoints")
        return self._checkpoints[-1] if self._checkpoints else None

    def checkpoints(self) -> Iterator[SignedRow]:
        """Give all checkpoints."""
        yield from self._checkpoints
        self._stop(self._unreadable, "checkpoints")

    def text(self, commitment: bytes) -> TextRow | None:
        """Give nothing: texts are no evidence."""
        del commitment
        return None

    def close(self) -> None:
        """Let go of nothing."""


def octets(text: object) -> bytes:
    """Read base64 in an artefact; Malformed where it is none."""
    try:
        return b64decode(cast("str", text), validate=True)
    except (TypeError, ValueError, Base64Error):
        raise Malformed(_WHAT, "not base64") from None

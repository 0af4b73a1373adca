"""Evidence: an excerpt of a ledger that shows a finding again, offline, to whoever trusts neither side (ledger.md 6).

An artefact is one JSON object:

    format      "paipu-evidence/1"
    verdict     one line, en and zh                     finding    as `verify --json` prints it
    policy      the pinned policy's text                notes      the log's newest head, then the largest seen before
    log         head, entries, checkpoints: where the main log is at fault (level 1 to 3, 8)
    game        the stream's row, its entries, its events: where one game is
    proofs      entry index -> its inclusion path (base64) under the first note, for the entries of the game
    receipt     file and bundle (base64) of a receipt that the log contradicts; `mirror` the note of a mirror
    asked       now_ms and max_age_ms of the run that judged ages

Rows are as they were stored, damaged or not: text where bytes are UTF-8, `{"hex": …}` where they are not, numbers and
null where a column has become that. To re-check is to run the same pure check over the excerpt and see the same
finding; and, where there are proofs, to see that the entries lie under a head that the log's pinned key signed.
"""

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast

from ledger.checkpoint import open_checkpoint
from ledger.errors import Malformed, Untrusted
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


def log_excerpt(reader: Reader) -> Json:
    """Excerpt the main log whole: its head row, entries and checkpoints."""
    head = reader.head()
    return {
        "head": None if head is None else _row(head),
        "entries": [_row(row) for row in reader.entries()],
        "checkpoints": [_row(row) for row in reader.checkpoints()],
    }


def game_excerpt(reader: Reader, game: str) -> Json:
    """Excerpt one stream: its row, entries and events."""
    stream = reader.stream(game)
    return {
        "game": game,
        "stream": None if stream is None else _row(stream),
        "entries": [_row(row) for row in reader.entries_of(game)],
        "events": [_row(row) for row in reader.events(game)],
    }


def prove_entries(reader: Reader, game: str, size: int) -> dict[str, list[str]]:
    """Make the inclusion paths of a stream's entries among the first `size`."""
    leaves = [leaf(row.data) if type(row.data) is bytes else leaf(b"") for row in reader.entries(0, size)]
    mine = [row.idx for row in reader.entries_of(game) if type(row.idx) is int and 0 <= row.idx < len(leaves)]
    return {str(idx): [b64encode(step).decode() for step in prove_inclusion(leaves, idx)] for idx in mine}


def check_entries(artefact: Mapping[str, Any], verifiers: Iterable[Verifier]) -> int:
    """Check that the game's entries lie under the first note; count them. Untrusted where one does not."""
    entries = {row[0]: row for row in _rows(artefact["game"], "entries", EntryRow)}
    checkpoint, _ = open_checkpoint(cast("str", artefact["notes"][0]).encode(), verifiers)
    for index, path in artefact["proofs"].items():
        row = entries.get(int(index))
        if row is None or type(row[4]) is not bytes:
            raise Untrusted("root", f"entry {index} is not in the excerpt")
        steps = [b64decode(step, validate=True) for step in path]
        check_inclusion(int(index), checkpoint.size, leaf(row[4]), steps, checkpoint.root)
    return len(artefact["proofs"])


def _rows(part: Mapping[str, Any], name: str, kind: Any) -> list[Any]:  # noqa: ANN401  a row class
    return [kind(*(value_of(each) for each in row)) for row in part.get(name) or ()]


class Excerpt:
    """An artefact's rows as a `ledger.store.Reader`; Malformed where it is none."""

    target = "the excerpt"

    def __init__(self, artefact: Mapping[str, Any]) -> None:
        try:
            log, game = artefact.get("log") or {}, artefact.get("game") or {}
            head, stream = log.get("head"), game.get("stream")
            self._head = None if head is None else HeadRow(*(value_of(each) for each in head))
            self._entries: list[EntryRow] = _rows(log, "entries", EntryRow)
            self._checkpoints: list[SignedRow] = _rows(log, "checkpoints", SignedRow)
            self._game: str = game.get("game", "")
            self._stream = None if stream is None else StreamRow(*(value_of(each) for each in stream))
            self._of_game: list[EntryRow] = _rows(game, "entries", EntryRow)
            self._events = [tuple(value_of(each) for each in row) for row in game.get("events") or ()]
            if any(len(row) != 3 for row in self._events) or type(self._game) is not str:
                raise Malformed(_WHAT, "an event is seq, data and chain")
        except (TypeError, ValueError, AttributeError, KeyError) as error:
            raise Malformed(_WHAT, f"not an excerpt ({type(error).__name__})") from None

    def head(self) -> HeadRow | None:
        """Give the head row."""
        return self._head

    def entries(self, start: int = 0, stop: int | None = None) -> Iterator[EntryRow]:
        """Give the entries of the log, if it was excerpted."""
        rows = self._entries or self._of_game
        return (row for row in rows if type(row.idx) is not int or start <= row.idx < (stop or 1 << 62))

    def entries_of(self, game: str) -> Iterator[EntryRow]:
        """Give the entries of the game."""
        return iter(self._of_game if game == self._game else ())

    def entries_of_kind(self, *kinds: str) -> Iterator[EntryRow]:
        """Give the entries of some kinds."""
        return (row for row in self.entries() if row.kind in kinds)

    def events(self, game: str, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes, bytes]]:
        """Give the events of the game."""
        for row in self._events if game == self._game else ():
            seq, data, chain = cast("tuple[int, bytes, bytes]", row)
            if type(seq) is not int or start <= seq < (stop or 1 << 62):
                yield seq, data, chain

    def games(self) -> Iterator[str]:
        """Give the game."""
        return iter((self._game,) if self._events else ())

    def stream(self, game: str) -> StreamRow | None:
        """Give the game's row."""
        return self._stream if game == self._game else None

    def checkpoint(self) -> SignedRow | None:
        """Give the newest checkpoint."""
        return self._checkpoints[-1] if self._checkpoints else None

    def checkpoints(self) -> Iterator[SignedRow]:
        """Give all checkpoints."""
        return iter(self._checkpoints)

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

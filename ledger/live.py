"""A stream as a writer holds it in memory: enough to check and extend it without reading it again."""

from dataclasses import dataclass, field

from ledger.canonical import Record
from ledger.entries import ENDS, read_entry
from ledger.errors import LedgerError, Refused, Unavailable
from ledger.findings import printable
from ledger.store import Store, StreamRow, sound
from ledger.stream import StreamTree


@dataclass
class LiveStream:
    """One stream's state after its newest event.

    `covered` counts the events that its newest entry covers, `entry_at` is that entry's time (ms), `current` the
    revision of the ledger up to which the state is known to be the stored one.
    """

    row: StreamRow
    tree: StreamTree
    covered: int = 0
    entry_at: int = 0
    ended: str = ""
    current: int = field(default=0, compare=False)

    @property
    def unsealed(self) -> bool:
        """Whether it has events that no entry covers."""
        return not self.ended and self.tree.size > self.covered

    def blinded(self) -> Record:
        """Give the fields of an entry that keeps root and chain secret."""
        return {**self._fields(), "commit": self.tree.commit(self.row.blind).hex()}

    def bare(self) -> Record:
        """Give the fields of an entry that opens all commitments, or keeps them where the stream is private."""
        if self.row.private:
            return self.blinded()
        opened = {"blind": self.row.blind, "chain": self.tree.chain, "root": self.tree.root()}
        return {**self._fields(), **{name: value.hex() for name, value in opened.items()}}

    def _fields(self) -> Record:
        return {"game": self.row.game, "gno": self.row.gno, "size": self.tree.size, "stream": self.row.stream}


def load_stream(store: Store, game: str) -> LiveStream | None:
    """Read a stream's state from the store; None where there is no such stream, Refused where its row is damaged."""
    row = store.stream(game)
    if row is None:
        return None
    try:
        sound(row, store.target)
    except Unavailable as error:
        raise Refused(printable(game), f"nothing can be appended ({error.reason})") from None
    live = LiveStream(row, StreamTree(game))
    refresh_stream(store, live)
    return live


def refresh_stream(store: Store, live: LiveStream) -> None:
    """Take in what others appended since; Refused where the stored rows contradict each other."""
    game = live.row.game
    try:
        for stored in store.entries_of(game):
            entry = read_entry(stored.data)
            live.covered, live.entry_at = entry.size, entry.at
            if entry.kind in ENDS:
                live.ended = entry.kind
    except LedgerError as error:
        raise Refused(game, f"its stored entries are damaged, nothing can be appended ({error})") from None
    if live.ended:
        return  # nothing may follow: its events need not be read
    for seq, data, chain in store.events(game, live.tree.size):
        if seq != live.tree.size or type(data) is not bytes or live.tree.append(data) != chain:
            raise Refused(game, f"its stored event {seq} is damaged, nothing can be appended: verify names it")

"""Signing the head: read again from disk what is to be signed, compare, remember, then publish (ledger.md 4).

In one transaction, under the writer lock:

1. the newest checkpoint is verified, and the frontier beside it must fold to its root;
2. the entries after it are read and hashed onto that frontier: the new tree extends the signed one by construction, and
   must end in the head's size and root; the events that a stream's entry covers are read and hashed too, and must give
   its chain column and what the entry commits to;
3. the last checkpoint that this key signed, kept in a file of its own, must be a head of the same tree: a database
   restored from a backup cannot be signed into a fork;
4. the note is signed and kept in that file before it is stored, so that nothing signed can be forgotten.

A key that the log's own entries have retired or revoked signs nothing (Refused). Whatever else fails raises Diverged
and nothing is signed. A flipped bit is found here, before the signature that would make
it a permanent contradiction.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain as joined
from typing import Final

from ledger.checkpoint import Checkpoint, open_checkpoint, read_checkpoint, sign_checkpoint
from ledger.entries import ENDS, OF_STREAMS, Entry, read_entry
from ledger.errors import Diverged, LedgerError, Malformed, Refused, Unavailable, Untrusted
from ledger.founding import read_ring
from ledger.keyring import KEY_KINDS, Keyring
from ledger.keys import Signer, Verifier
from ledger.merkle import EMPTY_ROOT, Frontier, leaf
from ledger.note import open_note, parse_lines, with_lines
from ledger.notefile import KeptNote, MemoryNote, kept_checkpoint
from ledger.store import HeadRow, SignedRow, Store, sound
from ledger.stream import StreamTree

_STREAMS_KEPT: Final = 4096  # others may have closed them since: read again rather than kept for ever


class HeadSigner:
    """Signs one log's heads with its Ed25519 key and those that sign `also` (ML-DSA-44).

    `last` keeps the last checkpoint signed, `verifiers` are the log's other keys.
    """

    def __init__(
        self,
        origin: str,
        signer: Signer,
        verifiers: Iterable[Verifier] = (),
        last: KeptNote | None = None,
        also: Sequence[Signer] = (),
    ) -> None:
        self.origin = origin
        self.signer = signer
        self._also = tuple(also)
        self._verifiers = tuple(dict.fromkeys((signer.verifier, *(each.verifier for each in also), *verifiers)))
        self._ring: Keyring | None = None  # read again whenever a key entry was added
        self._last: KeptNote = MemoryNote() if last is None else last
        self._signed = Frontier()  # the tree of the newest checkpoint, as far as this process has checked it
        self._note = b""  # the checkpoint that this process signed for it
        self._vouched = 0  # the last checkpoint of this key up to this size lies in that tree
        self._streams: dict[str, tuple[StreamTree, bytes]] = {}  # open streams as read back from disk; blinds

    def sign(self, store: Store, time: int = 0) -> Checkpoint | None:
        """Sign what was added since the newest checkpoint, if anything; call inside `store.writing()`.

        `time` (POSIX seconds) stands in ML-DSA-44 lines. Diverged where what is on disk is not what was written or
        signed before, Refused where the key may not sign this size.
        """
        try:
            return self._sign(store, time)
        except BaseException:
            self.forget()
            raise

    def _sign(self, store: Store, time: int) -> Checkpoint | None:
        head = store.head()
        if head is None:
            raise Diverged("the head row is missing", (self._signed.size, self._signed.root()), (0, EMPTY_ROOT))
        sound(head, store.target)
        if len(self._streams) > _STREAMS_KEPT:
            self._streams.clear()
        tree, note = self._newest(store, head)
        last = kept_checkpoint(self._last, "the last signed checkpoint")
        if last is not None and last.origin != self.origin:
            raise Diverged(
                f"this key signed for {last.origin} before, not for {self.origin}",
                (last.size, last.root),
                (head.size, head.root),
            )
        if last is not None and head.size < last.size:
            raise Diverged("the log has shrunk", (last.size, last.root), (head.size, head.root))
        if last is not None and self._vouched < last.size <= tree.size:
            _compare(last, _root_at(store, last.size))
        self._extend(store, tree, head, last)
        if (tree.size, tree.root()) != (head.size, head.root):
            reason = "the entries on disk are not those that were written"
            raise Diverged(reason, (head.size, head.root), (tree.size, tree.root()))
        self._vouched = max(self._vouched, last.size if last else 0)
        self._signed = tree
        signers = self._signers(store, tree.size)
        if note is not None and head.size == tree.size == note.size:
            return None
        checkpoint = Checkpoint(self.origin, tree.size, tree.root())
        signed = sign_checkpoint(checkpoint, signers, time=time)
        self._last.save(signed)
        store.add_checkpoint(SignedRow(tree.size, signed, tree.encode()))
        self._vouched = tree.size
        self._note = signed
        return checkpoint

    def _signers(self, store: Store, size: int) -> list[Signer]:
        """Give the signers that the log's key entries allow at this size."""
        if self._ring is None:
            self._ring = read_ring(store)
        if not self._ring.may_sign(self.signer.verifier, size):
            raise Refused("", f"the key {self.signer.verifier.format()} may not sign size {size} of this log")
        return [self.signer, *(each for each in self._also if self._ring.may_sign(each.verifier, size))]

    def _newest(self, store: Store, head: HeadRow) -> tuple[Frontier, Checkpoint | None]:
        """Verify the newest checkpoint and give its tree."""
        row = store.checkpoint()
        if row is None:
            return Frontier(), None
        sound(row, store.target)
        try:
            if row.note == self._note:
                return self._signed.copy(), read_checkpoint(row.note)
            checkpoint, _ = open_checkpoint(row.note, self._verifiers)
            fitting = (self._signed.size, self._signed.root()) == (checkpoint.size, checkpoint.root)
            tree = self._signed.copy() if fitting else Frontier.decode(checkpoint.size, row.frontier)
        except (Malformed, Untrusted) as error:
            raise Diverged(f"the newest checkpoint: {error}", (row.size, b""), (head.size, head.root)) from None
        if row.size != checkpoint.size or checkpoint.origin != self.origin or tree.root() != checkpoint.root:
            reason = "the newest checkpoint is not of the tree stored with it"
            raise Diverged(reason, (checkpoint.size, checkpoint.root), (row.size, tree.root()))
        if head.size < checkpoint.size:
            raise Diverged("the log has shrunk", (checkpoint.size, checkpoint.root), (head.size, head.root))
        return tree, checkpoint

    def _extend(self, store: Store, tree: Frontier, head: HeadRow, last: Checkpoint | None) -> None:
        """Hash the entries from the newest checkpoint to the head, and the events they cover, as they are on disk."""
        for row in store.entries(tree.size, head.size):
            try:
                if row.idx != tree.size:
                    raise Malformed("main log", f"entry {tree.size} is missing")
                hashed = leaf(row.data) if type(row.data) is bytes else b""
                if hashed != row.leaf:
                    raise Malformed("main log", f"entry {tree.size} is not the one that was written")
                entry = read_entry(row.data)
                if entry.kind in KEY_KINDS:
                    self._ring = None
                if entry.kind in OF_STREAMS:
                    self._read_back(store, entry)
            except Unavailable:
                raise  # a disk that fails has not been written over
            except LedgerError as error:
                reason = f"entry {tree.size}: {error}"
                raise Diverged(reason, (tree.size, tree.root()), (head.size, head.root)) from None
            tree.append(hashed)
            if last is not None and last.size == tree.size:
                _compare(last, tree.root())

    def _read_back(self, store: Store, entry: Entry) -> None:
        if entry.game not in self._streams:
            row = store.stream(entry.game)
            self._streams[entry.game] = StreamTree(entry.game), b"" if row is None else sound(row, store.target).blind
        stream, blind = self._streams[entry.game]
        for seq, data, chain in store.events(entry.game, stream.size, entry.size):
            if seq != stream.size or type(data) is not bytes or stream.append(data) != chain:
                raise Malformed(entry.game, f"event {seq} on disk is not the one that was written")
        if stream.size != entry.size:
            raise Malformed(entry.game, f"event {stream.size} is missing on disk")
        if "commit" in entry.record:
            fits = stream.commit(blind) == entry.octets("commit")
        else:
            given = (entry.octets("blind"), entry.octets("root"), entry.octets("chain"))
            fits = given == (blind, stream.root(), stream.chain)
        if not fits:
            raise Malformed(entry.game, f"the events on disk are not those that {entry.kind} commits to")
        if entry.kind in ENDS:
            del self._streams[entry.game]

    def forget(self) -> None:
        """Drop what was read back: the transaction did not end well."""
        self._signed = Frontier()
        self._note = b""
        self._vouched = 0
        self._ring = None
        self._streams.clear()


def add_cosignatures(store: Store, lines: bytes, witnesses: Iterable[Verifier]) -> int:
    """Add the lines of known witnesses to the stored checkpoint that they sign; give its size. No key is needed.

    The newest checkpoint is tried first, then every other. Malformed for what are no lines, Untrusted where no line is
    of a known witness or none fits a checkpoint of this log.
    """
    known = {(each.name, each.key_id): each for each in witnesses}
    found = [line for line in parse_lines(lines) if (line.name, line.key_id) in known]
    if not found:
        raise Untrusted("signature", "no line of a known witness", lines)
    with store.writing():
        for row in joined(filter(None, [store.checkpoint()]), store.checkpoints()):
            if type(row.note) is not bytes:
                continue  # fsck says so
            note = with_lines(row.note, found)
            with suppress(Untrusted):
                open_note(note, known.values())
                store.set_note(row.size, note)
                return row.size
    raise Untrusted("signature", "the lines sign no checkpoint of this log", lines)


def _root_at(store: Store, size: int) -> bytes:
    tree = Frontier()
    for row in store.entries(0, size):
        tree.append(leaf(row.data) if type(row.data) is bytes else b"")
    return tree.root()


def _compare(last: Checkpoint, root: bytes) -> None:
    if last.root != root:
        reason = "the last checkpoint of this key is no head of this log"
        raise Diverged(reason, (last.size, last.root), (last.size, root))

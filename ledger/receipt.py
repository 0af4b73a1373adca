"""Receipts: what a player keeps, and what then proves a game or one action without the operator (ledger.md 5).

    game-<id>.tlog-proof          the proof of the stream's `close` (or `abort`) entry, `extra` = that entry's bytes
    game-<id>.bundle.gz           the stream's events, each uint16_be length || bytes, gzip with mtime 0
    game-<id>-<seq>.tlog-proof    one action of a closed stream that is not private: the same proof, `extra` = records,
                                  each uint16_be length || bytes: the entry, the event, the hashes of the event's path
                                  in the stream's tree, from the bottom up

`extra` is believed only as far as the proof reaches: it gives the leaf; the entry then gives size, root and chain that
the bundle must meet, or the root that the event's path must lead to. An entry begins with `{`, a length never with that
byte (an entry is shorter than 0x7b00 bytes), so the two kinds tell themselves apart.

The note keeps the lines of Ed25519 keys, 1.5 kB in all with three cosignatures; those of ML-DSA-44 keys, 3.3 kB each,
stay on request. The end entry of a private stream hides root and chain under `commit`: the bundle is then judged with
the blind that its auditor was given.
"""

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ledger.canonical import decode
from ledger.checkpoint import Checkpoint, read_checkpoint
from ledger.entries import ENDS, Entry, read_entry
from ledger.errors import Malformed, Refused, Unavailable, Untrusted
from ledger.merkle import check_inclusion, leaf, prove_inclusion
from ledger.note import Note, Opened, parse_note
from ledger.policy import Policy
from ledger.proof import Proof, check_proof, parse_proof
from ledger.store import Reader
from ledger.stream import StreamTree
from ledger.tiles import decode_bundle, encode_bundle

MAX_BUNDLE: Final = 1 << 30
ED25519_PAYLOAD: Final = 72  # signature and, in a cosignature, its second; ML-DSA-44 has 2,428 bytes

_WHAT: Final = "receipt"


@dataclass(frozen=True)
class Receipt:
    """A receipt as read: its proof and end entry; `seq`, `event`, `path` where it is of one action."""

    proof: Proof
    entry: Entry
    seq: int | None = None
    event: bytes = b""
    path: tuple[bytes, ...] = ()

    @property
    def entry_bytes(self) -> bytes:
        """The exact bytes of the end entry, from which its leaf follows."""
        extra = self.proof.extra or b""
        return extra if self.seq is None else decode_bundle(extra, _WHAT)[0]

    @property
    def name(self) -> str:
        """The name of its file, without suffix."""
        return f"game-{self.entry.game}" + ("" if self.seq is None else f"-{self.seq}")


def bundle_name(game: str) -> str:
    """Give the name of the file that holds a game's events."""
    return f"game-{game}.bundle.gz"


def pack(events: Sequence[bytes]) -> bytes:
    """Write a game's events as a bundle file; the mirror of `unpack`."""
    return gzip.compress(encode_bundle(events), 9, mtime=0)


def unpack(data: bytes, what: str = "bundle") -> list[bytes]:
    """Read a bundle file; Malformed where it is not gzip, cut off, or unpacks to more than 1 GiB."""
    reading = zlib.decompressobj(wbits=31)
    try:
        whole = reading.decompress(data, MAX_BUNDLE)
    except zlib.error:
        raise Malformed(what, "not a gzip file") from None
    if not reading.eof or reading.unused_data:
        raise Malformed(what, "not one whole gzip file, or too large")
    return decode_bundle(whole, what)


def make_receipt(reader: Reader, game: str, *, seq: int | None = None, pq: bool = False) -> Receipt:
    """Make the receipt of an ended stream, or of its event `seq`, under the newest checkpoint; `pq` keeps all lines.

    Refused where the stream is unknown, not ended, or its end is not signed yet, and for one action of a private
    stream; Unavailable where what is stored does not give what was signed (verify says where).
    """
    row = reader.checkpoint()
    if row is None:
        raise Unavailable(reader.target, "there is no checkpoint")
    leaves: list[bytes] = []
    found: tuple[int, bytes] | None = None
    for stored in reader.entries(0, row.size):
        leaves.append(leaf(stored.data))
        if stored.game == game and stored.kind in ENDS:
            found = stored.idx, stored.data
    if found is None:
        known = any(True for _ in reader.entries_of(game))
        raise Refused(game, "it has not ended, or its end is not signed yet" if known else "there is no such stream")
    index, data = found
    try:
        note = parse_note(row.note)
        kept = tuple(line for line in note.lines if pq or len(line.payload) <= ED25519_PAYLOAD)
        proof = Proof(index, prove_inclusion(leaves, index), Note(note.text, kept).format(), data)
        head = read_checkpoint(row.note)
        check_inclusion(index, head.size, leaf(data), proof.path, head.root)
        receipt = Receipt(proof, read_entry(data))
        return receipt if seq is None else _of_action(reader, receipt, seq)
    except (Malformed, Untrusted) as error:
        raise Unavailable(
            reader.target, f"what is stored is not what was signed ({error}): verify says where"
        ) from None


def _of_action(reader: Reader, receipt: Receipt, seq: int) -> Receipt:
    entry = receipt.entry
    if "root" not in entry.record:
        raise Refused(entry.game, "a private stream gives no receipt of one action")
    if not 0 <= seq < entry.size:
        raise Refused(entry.game, f"there is no event {seq}: it has {entry.size}")
    events = read_events(reader, entry.game, entry.size)
    path = prove_inclusion([leaf(event) for event in events], seq)
    check_inclusion(seq, entry.size, leaf(events[seq]), path, entry.octets("root"))
    assert receipt.proof.extra is not None
    extra = encode_bundle([receipt.proof.extra, events[seq], *path])
    return replace(receipt, proof=replace(receipt.proof, extra=extra), seq=seq, event=events[seq], path=path)


def read_events(reader: Reader, game: str, size: int) -> list[bytes]:
    """Read the first `size` events of a stream; Malformed where one is missing or is no bytes any more."""
    events: list[bytes] = []
    for seq, data, _ in reader.events(game, 0, size):
        if seq != len(events) or type(data) is not bytes:
            break
        events.append(data)
    if len(events) != size:
        raise Malformed(game, f"event {len(events)} is missing or damaged")
    return events


def parse_receipt(data: bytes) -> Receipt:
    """Read a receipt, believing nothing; Malformed where it is none."""
    proof = parse_proof(data)
    if proof.extra is None:
        raise Malformed(_WHAT, "it has no extra line, which holds the entry")
    if proof.extra.startswith(b"{"):
        return Receipt(proof, _end(proof.extra))
    records = decode_bundle(proof.extra, _WHAT)
    if len(records) < 2:
        raise Malformed(_WHAT, "entry, event and path were expected")
    entry, event = _end(records[0]), records[1]
    record = decode(event)
    seq = record.get("seq")
    if record.get("game") != entry.game or type(seq) is not int:
        raise Malformed(_WHAT, f"the event is not one of {entry.game}")
    if "root" not in entry.record:
        raise Malformed(_WHAT, "the entry of a private stream shows no root")
    return Receipt(proof, entry, seq, event, tuple(records[2:]))


def _end(data: bytes) -> Entry:
    entry = read_entry(data)
    if entry.kind not in ENDS:
        raise Malformed(_WHAT, f"the entry is {entry.kind}, not close or abort")
    return entry


def check_receipt(receipt: Receipt, policy: Policy) -> tuple[Checkpoint, Opened]:
    """Check a receipt by a pinned policy; Untrusted where the entry is not in its log, or the event not in its game."""
    found = check_proof(receipt.proof, receipt.entry_bytes, policy)
    if receipt.seq is not None:
        root = receipt.entry.octets("root")
        check_inclusion(receipt.seq, receipt.entry.size, leaf(receipt.event), receipt.path, root)
    return found


def check_events(receipt: Receipt, events: Sequence[bytes], blind: bytes = b"") -> None:
    """Check that these events are the game a receipt is of; Untrusted, code `seq`, `chain` or `segment`, where not.

    `blind` opens the commitment of a private stream: without it Refused.
    """
    entry = receipt.entry
    tree = StreamTree(entry.game)
    for seq, data in enumerate(events):
        record = decode(data)
        if record.get("game") != entry.game or record.get("seq") != seq or type(record["seq"]) is not int:
            raise Untrusted("seq", f"event {seq} of {entry.game} says it is another", data)
        tree.append(data)
    if tree.size != entry.size:
        raise Untrusted("seq", f"{tree.size} events, but the log counts {entry.size}")
    if "commit" in entry.record:
        if not blind:
            raise Refused(entry.game, "the stream is private: its blind is needed")
        if tree.commit(blind) != entry.octets("commit"):
            raise Untrusted("segment", "the events are not those that the log commits to")
        return
    if (tree.root(), tree.chain) != (entry.octets("root"), entry.octets("chain")):
        raise Untrusted("chain", "the events do not give the root and chain in the log")

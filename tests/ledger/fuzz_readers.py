"""What every reader of the ledger must do with any bytes: refuse them in one line, or write them again unchanged.

`TARGETS` are run by hypothesis in `test_fuzz.py`, and by atheris where it is installed:

    python tests/ledger/fuzz_readers.py note -max_total_time=60
"""

import gzip
import io
import sys
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

if __name__ == "__main__":
    import atheris

    instrument = atheris.instrument_imports(include=["ledger"])
    instrument.__enter__()

from ledger.canonical import MAX_BYTES, decode, encode, parse
from ledger.checkpoint import Checkpoint, cosign_checkpoint, parse_checkpoint, read_checkpoint, sign_checkpoint
from ledger.entries import read_entry, write_entry
from ledger.errors import LedgerError, Malformed
from ledger.keys import COSIGNATURE, MLDSA44, SigningKey, parse_key, parse_vkey
from ledger.merkle import leaf, root
from ledger.note import open_note, parse_lines, parse_note
from ledger.policy import Group, LogKey, Policy, Witness, parse_policy
from ledger.proof import Proof, parse_proof
from ledger.receipt import pack, parse_receipt, unpack
from ledger.tiles import Tile, decode_bundle, decode_tile, encode_bundle, encode_tile, parse_path
from ledger.verify_file import audit_lines, lines, read_game
from ledger.witness import Submission, parse_submission

ORIGIN = "club.example/log"
KEY = SigningKey(ORIGIN, bytes(range(32)))
PQ = SigningKey(ORIGIN, bytes(range(1, 33)), MLDSA44)
WITNESS = SigningKey("w.example", bytes(range(2, 34)), COSIGNATURE)
LEAVES = [leaf(b"%d" % number) for number in range(6)]
HEAD = Checkpoint(ORIGIN, 6, root(LEAVES))
NOTE = sign_checkpoint(HEAD, [KEY])
BOTH = sign_checkpoint(HEAD, [KEY, PQ], time=1_796_083_200) + cosign_checkpoint(NOTE, WITNESS, 1_796_083_201).encode()
EVENT = encode(
    {"at": 1, "game": "g-1", "seq": 0, "tile": "5p", "text": '他说 "碰"\\', "type": "x", "v": 1, "xs": [-1, True]}
)
GAME = b"".join(encode({"at": seq, "game": "g-1", "seq": seq, "type": "noted", "v": 1}) + b"\n" for seq in range(4))
CONFIG = write_entry(
    "config", 1, {"close_within_ms": 1, "operator": "club", "origin": ORIGIN, "recovery": KEY.verifier.format()}
)
SEGMENT = write_entry("segment", 1, {"commit": "0" * 64, "game": "g-1", "gno": 0, "size": 4, "stream": "game"})
CLOSE = write_entry(
    "close",
    1,
    {"blind": "0" * 64, "chain": "1" * 64, "game": "g-1", "gno": 0, "root": "2" * 64, "size": 1, "stream": "game"},
)
POLICY = Policy(
    (LogKey(KEY.verifier, "https://club.example/"), LogKey(PQ.verifier)),
    (Witness("w", WITNESS.verifier, "https://w.example/"),),
    (Group("all", "all", ("w",)),),
    "all",
).format()


class Target(NamedTuple):
    """One reader: valid inputs to start from, and what must hold of any; a LedgerError is a refusal."""

    seeds: tuple[bytes, ...]
    hold: Callable[[bytes], None]


def text_of(data: bytes) -> str:
    """Any bytes as any text, lone surrogates among it."""
    return data.decode(errors="surrogateescape")


def same(found: bytes, data: bytes) -> None:
    assert found == data, f"written again it is {found!r}"


def attempt(reader: Callable[[bytes], object], data: bytes) -> object:
    """Give what a reader gives, or the line with which it refuses."""
    try:
        return reader(data)
    except Malformed as error:
        return str(error)


def of_signed_note(data: bytes) -> None:
    opened = open_note(data, [KEY.verifier])
    same(opened.note.text, HEAD.format())  # nobody signed anything else


def of_policy(data: bytes) -> None:
    """Comments and blanks go; what is written is read as the same, and is the one form."""
    policy = parse_policy(data)
    again = policy.format()
    assert parse_policy(again) == policy
    same(parse_policy(again).format(), again)


def of_event(data: bytes) -> None:
    """The fast path and the definition agree on every input."""
    fast, slow = (attempt(reader, data) for reader in (decode, parse))
    assert fast == slow
    same(encode(decode(data)), data)


def of_entry(data: bytes) -> None:
    entry = read_entry(data)
    fields = {name: value for name, value in entry.record.items() if name not in {"at", "kind", "v"}}
    same(write_entry(entry.kind, entry.at, fields), data)


def of_game_file(data: bytes) -> None:
    """The strict reader takes exactly what the audit finds nothing in, and loses no byte of it."""
    try:
        audit = audit_lines(lines(io.BytesIO(data)), "file")
    except LedgerError:
        audit = None
    try:
        game, events = read_game(lines(io.BytesIO(data)), "file")
    except LedgerError:
        assert audit is None or audit.findings
        raise
    assert audit is not None
    assert (audit.findings, audit.game, audit.events) == ([], game, events)
    same(b"".join(event + b"\n" for event in events), data)


def of_tile(data: bytes) -> None:
    same(encode_tile(decode_tile(data, Tile(0, 3, 2))), data)


def of_bundle_file(data: bytes) -> None:
    """gzip has many forms of the same bytes, so what is unpacked counts."""
    records = unpack(data)
    same(gzip.decompress(data), encode_bundle(records))
    assert unpack(pack(records)) == records


def of_receipt(data: bytes) -> None:
    receipt = parse_receipt(data)
    same(receipt.proof.format(), data)
    assert receipt.entry_bytes == encode(receipt.entry.record)


_PROOF = Proof(2, tuple(LEAVES[:3]), NOTE)
TARGETS: dict[str, Target] = {
    "note": Target((NOTE, BOTH), lambda data: same(parse_note(data).format(), data)),
    "signed note": Target((NOTE, BOTH), of_signed_note),
    "note lines": Target(
        (NOTE.partition(b"\n\n")[2],),
        lambda data: same("".join(line.format() for line in parse_lines(data)).encode(), data),
    ),
    "checkpoint": Target((HEAD.format(),), lambda data: same(parse_checkpoint(data).format(), data)),
    "checkpoint note": Target((NOTE,), lambda data: same(read_checkpoint(data).format(), parse_note(data).text)),
    "proof": Target(
        (_PROOF.format(), replace(_PROOF, extra=EVENT).format()),
        lambda data: same(parse_proof(data).format(), data),
    ),
    "policy": Target((POLICY, b"# club\n\t" + POLICY), of_policy),
    "tile path": Target(
        tuple(tile.path().encode() for tile in (Tile(0, 0), Tile(-1, 1_234_067), Tile(2, 12, 7), Tile(63, 999))),
        lambda data: same(parse_path(text_of(data)).path().encode(), data),
    ),
    "tile": Target((b"".join(LEAVES[:2]),), of_tile),
    "bundle": Target(
        (encode_bundle([EVENT, CLOSE, b""]),), lambda data: same(encode_bundle(decode_bundle(data)), data)
    ),
    "bundle file": Target((pack([EVENT, CLOSE]),), of_bundle_file),
    "event": Target((EVENT, GAME.split(b"\n")[0], b'{"a":{"b":[{"c":[[[[[1]]]]]}]}}'), of_event),
    "entry": Target((CONFIG, SEGMENT, CLOSE), of_entry),
    "game file": Target((GAME, GAME[:-1]), of_game_file),
    "vkey": Target(
        (KEY.verifier.format().encode(), WITNESS.verifier.format().encode()),
        lambda data: same(parse_vkey(text_of(data)).format().encode(), data),
    ),
    "private key": Target(
        (KEY.format().encode(),), lambda data: same(parse_key(text_of(data)).format().encode(), data)
    ),
    "witness request": Target(
        (Submission(4, tuple(LEAVES[:2]), NOTE).format(), Submission(0, (), NOTE).format()),
        lambda data: same(parse_submission(data).format(), data),
    ),
    "receipt": Target(
        (
            Proof(2, tuple(LEAVES[:3]), NOTE, CLOSE).format(),
            Proof(2, tuple(LEAVES[:3]), NOTE, encode_bundle([CLOSE, GAME.split(b"\n")[0], LEAVES[0]])).format(),
        ),
        of_receipt,
    ),
}

TOKENS = (
    *(b"\n", b"\n\n", b" ", b"\t", b"\r\n", b"\x00", b"\x7f", b"+", b"=", b"/", b"-0", b"0", b"00", b"1_0", b"1.0"),
    *(b"1e3", b"-", b'"', b"\\", b"\\u0061", b"null", b"true", b"{", b"}", b"[", b"]", b",", b":", b"#"),
    *("— ".encode(), "\u00a0".encode(), "e\u0301".encode(), "１".encode(), "\ufeff".encode(), b"\xff", b"\xed\xa0\x80"),
    *(b64encode(bytes(32)), bytes(32), str(2**53).encode(), str(2**63).encode(), b"9" * 5000, b"x" * (MAX_BYTES + 1)),
    *(b"old ", b"index ", b"extra ", b"log ", b"witness ", b"group ", b"quorum none\n", b"tile/", b"x001/", b".p/1"),
)
"""What mutation puts in: the pieces of the formats, and what others' readers took for them."""


def judge(target: Target, data: bytes) -> bool:
    """Give the reader some bytes; tell whether it took them. Anything but a refusal in one line is a failure."""
    refused = ""
    try:
        target.hold(data)
    except LedgerError as error:
        refused = str(error) or "\n"
    assert "\n" not in refused
    return not refused


def main() -> None:
    """Fuzz one target with atheris; further arguments are libFuzzer's."""
    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, lambda data: judge(target, data) and None)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

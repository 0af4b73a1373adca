"""Cosignatures and the log's own ML-DSA-44 line: the message to the byte, every bit counted, the public vectors."""

import json
from base64 import b64decode
from pathlib import Path

import pytest

from ledger.checkpoint import cosign_checkpoint, open_checkpoint, sign_checkpoint
from ledger.cosignature import cosigned, subtree
from ledger.errors import LedgerError, Malformed, Untrusted
from ledger.head import Checkpoint
from ledger.keys import COSIGNATURE, ED25519, MLDSA44, SigningKey, parse_vkey, verify_mldsa44
from ledger.note import open_note, parse_lines, parse_note, sign_note, with_lines

ORIGIN = "log.example"
KEY = SigningKey(ORIGIN, bytes(range(32)))
QUANTUM = SigningKey(ORIGIN, bytes(range(1, 33)), MLDSA44)
WITNESS = SigningKey("witness.example/w1", bytes(range(2, 34)), COSIGNATURE)
WITNESS_PQ = SigningKey("witness.example/w2", bytes(range(3, 35)), MLDSA44)
HEAD = Checkpoint(ORIGIN, 7, bytes(range(100, 132)))


def test_the_worked_example_to_the_byte() -> None:
    expected = (
        "737562747265652f76310a00" "0177" "0000000000000001" "016f" "0000000000000000" "0000000000000002" + "00" * 32
    )  # fmt: skip
    assert subtree("w", 1, "o", 2, bytes(32)).hex() == expected
    assert cosigned(b"o\n2\nx\n", 1679315147) == b"cosignature/v1\ntime 1679315147\no\n2\nx\n"


def test_names_of_1_to_255_bytes() -> None:
    assert subtree("n" * 255, 0, ORIGIN, 7, HEAD.root)[12] == 255
    for name in ("", "n" * 256, "é" * 128):
        with pytest.raises(Malformed):
            subtree(name, 0, ORIGIN, 7, HEAD.root)


def test_all_wycheproof_vectors_of_mldsa44(shared: Path) -> None:
    file = json.loads((shared / "vectors/wycheproof/testvectors_v1/mldsa_44_verify_test.json").read_text())
    count = 0
    for group in file["testGroups"]:
        public = bytes.fromhex(group["publicKey"])
        for case in group["tests"]:
            context = bytes.fromhex(case.get("ctx", ""))
            holds = verify_mldsa44(public, bytes.fromhex(case["msg"]), bytes.fromhex(case["sig"]), context)
            assert holds is (case["result"] == "valid"), case["tcId"]
            count += 1
    assert count == 180


def test_a_checkpoint_signed_by_both_keys_of_its_log() -> None:
    note = sign_checkpoint(HEAD, [KEY, QUANTUM], time=5)
    for known, kinds in (([KEY], [ED25519]), ([KEY, QUANTUM], [ED25519, MLDSA44])):
        checkpoint, opened = open_checkpoint(note, [each.verifier for each in known])
        assert checkpoint == HEAD
        assert [found.verifier.kind for found in opened.signatures] == kinds
    assert opened.signatures[1].time == 5
    # An Ed25519 line of the log must stand, so that every reader finds one (ledger.md 2).
    alone = sign_note(HEAD.format(), [QUANTUM], time=5)
    with pytest.raises(Untrusted):
        open_checkpoint(alone, [KEY.verifier, QUANTUM.verifier])


def test_cosignatures_of_both_kinds() -> None:
    note = sign_checkpoint(HEAD, [KEY, QUANTUM], time=5)
    lines = [cosign_checkpoint(note, each, 1_679_315_147) for each in (WITNESS, WITNESS_PQ)]
    whole = note + "".join(lines).encode()
    known = [each.verifier for each in (KEY, QUANTUM, WITNESS, WITNESS_PQ)]
    _, opened = open_checkpoint(whole, known)
    assert [found.time for found in opened.signatures] == [None, 5, 1_679_315_147, 1_679_315_147]
    with pytest.raises(Malformed):
        cosign_checkpoint(note, KEY, 1)
    # The type is part of the key: a cosigner's line is no line of a log, whatever it is called.
    same = SigningKey(ORIGIN, bytes(range(2, 34)), COSIGNATURE)
    with pytest.raises(Untrusted):
        open_checkpoint(sign_note(HEAD.format(), [same], time=9), [same.verifier])


def test_an_mldsa_line_says_name_time_origin_size_and_root() -> None:
    note = sign_checkpoint(HEAD, [KEY, QUANTUM], time=5)
    line = parse_note(note).lines[1]
    others = (
        Checkpoint(ORIGIN, 8, HEAD.root),
        Checkpoint(ORIGIN, 7, bytes(32)),
        Checkpoint("other.example", 7, HEAD.root),
    )
    for other in others:
        moved = other.format() + b"\n" + line.format().encode()
        with pytest.raises(Untrusted):
            open_note(moved, [QUANTUM.verifier])
    renamed = SigningKey("witness.example", QUANTUM.seed, MLDSA44)
    relabelled = HEAD.format() + b"\n" + cosign_checkpoint(note, QUANTUM, 5).replace(
        f"{ORIGIN} ", "witness.example ").encode()  # fmt: skip
    with pytest.raises(LedgerError):
        open_note(relabelled, [renamed.verifier])
    # Text that is no checkpoint cannot carry such a line.
    with pytest.raises(Untrusted):
        open_note(b"no checkpoint\n\n" + line.format().encode(), [QUANTUM.verifier])
    with pytest.raises(Malformed):
        sign_note(b"no checkpoint\n", [QUANTUM])


def test_bits_of_an_mldsa_line_count() -> None:
    note = sign_checkpoint(HEAD, [QUANTUM], time=5)
    payload = parse_note(note).lines[0].payload
    known = [QUANTUM.verifier]
    for place in [*range(12), *range(12, len(payload), 97), len(payload) - 1]:
        changed = bytearray(payload)
        changed[place] ^= 1 << place % 8
        line = parse_note(note).lines[0].__class__(ORIGIN, QUANTUM.verifier.key_id, bytes(changed))
        with pytest.raises(Untrusted):
            open_note(HEAD.format() + b"\n" + line.format().encode(), known)
    for cut in (0, 1, 7, 8, 9, len(payload) - 1):
        line = parse_note(note).lines[0].__class__(ORIGIN, QUANTUM.verifier.key_id, payload[:cut] or b"\0")
        with pytest.raises(LedgerError):
            open_note(HEAD.format() + b"\n" + line.format().encode(), known)


def test_a_time_beyond_63_bits_is_refused() -> None:
    note = sign_checkpoint(HEAD, [KEY])
    for signer in (WITNESS, WITNESS_PQ):
        with pytest.raises(Untrusted):
            cosign_checkpoint(note, signer, 1 << 63)
        assert cosign_checkpoint(note, signer, (1 << 63) - 1)


def test_vkeys_of_mldsa_are_mirrored_and_counted() -> None:
    text = QUANTUM.verifier.format()
    assert parse_vkey(text) == QUANTUM.verifier
    assert len(b64decode(text.split("+", 2)[2])) == 1313
    for place in (len(text) - 5, len(text) // 2, ORIGIN.__len__() + 3):
        wrong = text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]
        with pytest.raises(Malformed):
            parse_vkey(wrong)


def test_lines_stand_alone_and_are_merged_one_a_key() -> None:
    note = sign_checkpoint(HEAD, [KEY])
    first, second = (cosign_checkpoint(note, WITNESS, time) for time in (1, 2))
    merged = with_lines(with_lines(note, parse_lines(first.encode())), parse_lines(second.encode()))
    assert merged == note + second.encode()
    for wrong in (b"", b"\n", first.encode() + b"\n" + second.encode(), b"x\n", first.encode()[:-1]):
        with pytest.raises(Malformed):
            parse_lines(wrong)

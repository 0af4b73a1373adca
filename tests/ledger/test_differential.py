"""The same questions put to `aics-tlog`, an implementation by others: not one disagreement (ledger.md 8).

It is no dependency: `.ci/run` installs it. It accepts hashes that are not 32 bytes long; so all here are.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from ledger.checkpoint import Checkpoint, cosign_checkpoint, open_checkpoint, parse_checkpoint, sign_checkpoint
from ledger.errors import LedgerError
from ledger.keys import COSIGNATURE, SigningKey, Verifier
from ledger.merkle import check_consistency, check_inclusion, leaf, prove_consistency, prove_inclusion, root
from ledger.note import open_note
from ledger.tiles import Tile, TileTree, decode_bundle, encode_bundle, encode_tile, parse_path, tiles_of

aics = pytest.importorskip("aics_tlog", reason="aics-tlog is not installed: .ci/run does it")
SIZE = 90
DATA = [b"entry %d" % number for number in range(SIZE)]
LEAVES = [leaf(data) for data in DATA]
ROOTS = [root(LEAVES[:size]) for size in range(SIZE + 1)]


def ours(check: Callable[..., None], *given: Any) -> bool:
    try:
        check(*given)
    except LedgerError:
        return False
    return True


def mutated(draw: random.Random, proof: list[bytes], hashes: list[bytes]) -> None:
    """Change a proof or its roots in one of the ways that a forger would try."""
    way = draw.randrange(8)
    if way == 0:
        proof.append(draw.randbytes(32))
    elif way == 1 and proof:
        proof.pop(draw.randrange(len(proof)))
    elif way == 2 and proof:
        at = draw.randrange(len(proof))
        proof[at] = flipped(draw, proof[at])
    elif way == 3 and len(proof) > 1:
        a, b = draw.sample(range(len(proof)), 2)
        proof[a], proof[b] = proof[b], proof[a]
    elif way == 4:
        at = draw.randrange(len(hashes))
        hashes[at] = flipped(draw, hashes[at])
    elif way == 5 and proof:
        proof.insert(draw.randrange(len(proof)), proof[draw.randrange(len(proof))])
    elif way == 6:
        proof.insert(0, hashes[0])


def flipped(draw: random.Random, data: bytes) -> bytes:
    at = draw.randrange(256)
    return data[: at // 8] + bytes([data[at // 8] ^ 1 << at % 8]) + data[at // 8 + 1 :]


def test_no_disagreement_on_20_000_mutated_proofs() -> None:
    draw = random.Random(20_000)
    accepted = 0
    for number in range(20_000):
        size = draw.randint(1, SIZE)
        place = draw.randrange(size)
        asked, total = (value + draw.choice((0, 0, 0, -1, 1, 64)) for value in (place, size))
        if number % 2:
            proof = list(prove_inclusion(LEAVES[:size], place))
            hashes = [LEAVES[place], ROOTS[size]]
            mutated(draw, proof, hashes)
            mine = ours(check_inclusion, asked, total, hashes[0], proof, hashes[1])
            theirs = aics.verify_inclusion(hashes[0], asked, total, proof, hashes[1])
        else:
            old = place + 1
            proof = list(prove_consistency(LEAVES[:size], old))
            hashes = [ROOTS[old], ROOTS[size]]
            mutated(draw, proof, hashes)
            old = max(1, asked + 1)  # from size 0 the strict core says nothing (ledger.md 2)
            mine = ours(check_consistency, old, total, hashes[0], hashes[1], proof)
            theirs = aics.verify_consistency(old, total, hashes[0], hashes[1], proof)
        assert mine is bool(theirs), (number, asked, total, proof)
        accepted += mine
    assert 1000 < accepted < 10_000


def test_proofs_made_by_the_one_hold_for_the_other() -> None:
    for size in range(1, 40):
        tree = aics.MerkleTree(DATA[:size])
        assert tree.root() == ROOTS[size]
        for place in range(size):
            assert list(prove_inclusion(LEAVES[:size], place)) == list(tree.inclusion_proof(place))
            assert list(prove_consistency(LEAVES[:size], place + 1)) == list(tree.consistency_proof(place + 1, size))


@pytest.mark.parametrize("size", [1, 3, 255, 256, 257, 700])
def test_the_same_tiles_and_bundles(size: int) -> None:
    entries = [b"%d" % number * (number % 5) for number in range(size)]
    from aics_tlog.tiles import materialise_tiles

    theirs = materialise_tiles(entries)
    tree = TileTree([leaf(entry) for entry in entries])
    mine = {}
    for tile in tiles_of(size):
        at = slice(tile.start, tile.start + tile.width)
        mine[tile.path()] = encode_bundle(entries[at]) if tile.level < 0 else encode_tile(tree.hashes(tile))
    assert mine == theirs


def test_the_same_paths_are_read() -> None:
    from aics_tlog.tiles import parse_entry_bundle, parse_tile_path

    draw = random.Random(7)
    good = [Tile(draw.randrange(64), draw.randrange(10 ** draw.randrange(1, 9)), draw.randint(1, 256)).path()
            for _ in range(300)]  # fmt: skip
    for path in good:
        assert parse_tile_path(path)[:2] == (parse_path(path).level, parse_path(path).number)
        for _ in range(6):
            at = draw.randrange(len(path))
            wrong = path[:at] + draw.choice("0123456789x/.p") + path[at + draw.randrange(2) :]
            padded = "/x000/" in wrong  # they take a padded number, which has two spellings; nothing else differs
            assert ours(parse_path, wrong) is (accepted(parse_tile_path, wrong) and not padded), wrong
    bundle = encode_bundle([b"one", b"", b"three"])
    for cut in range(len(bundle) + 1):
        assert ours(decode_bundle, bundle[:cut]) is accepted(parse_entry_bundle, bundle[:cut])


def accepted(read: Callable[[Any], object], given: object) -> bool:
    try:
        read(given)
    except ValueError:
        return False
    return True


def test_the_same_notes_checkpoints_and_cosignatures() -> None:
    key = SigningKey("log.example/x", bytes(range(32)))
    witness = SigningKey("witness.example/y", bytes(range(1, 33)), COSIGNATURE)
    note = sign_checkpoint(Checkpoint("log.example/x", 9, ROOTS[9]), [key])
    note += cosign_checkpoint(note, witness, 1_700_000_000).encode()
    known = [key.verifier, witness.verifier]
    vkeys = [aics.parse_vkey(each.format()) for each in known]
    found = aics.verify_checkpoint(aics.parse_note(note), vkeys[0], [vkeys[1]], 1)
    assert found.ok
    draw = random.Random(3)
    for _ in range(3000):
        at = draw.randrange(len(note))
        wrong = note[:at] + bytes([note[at] ^ 1 << draw.randrange(8)]) + note[at + 1 :]
        assert both_signed(wrong, known) is theirs_signed(wrong, vkeys), wrong


def both_signed(data: bytes, known: list[Verifier]) -> bool:
    try:
        _, opened = open_checkpoint(data, known)
        parse_checkpoint(open_note(data, known).note.text)
    except LedgerError:
        return False
    return len(opened.signatures) == 2


def theirs_signed(data: bytes, vkeys: list[Any]) -> bool:
    try:
        return bool(aics.verify_checkpoint(aics.parse_note(data), vkeys[0], [vkeys[1]], 1).ok)
    except ValueError:
        return False

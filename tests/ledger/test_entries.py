"""Main-log entries, keys by entries, streams: the forms word for word, and everything beside them refused."""

import hmac
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.canonical import Record, decode, encode
from ledger.entries import read_entry, unsigned, write_entry
from ledger.errors import Malformed, Untrusted
from ledger.keyring import Keyring, write_key_entry
from ledger.keys import SigningKey
from ledger.merkle import leaf
from ledger.merkle import root as merkle_root
from ledger.stream import StreamTree, check_game_id, commitment, genesis

H = "ab" * 32
RECOVERY = SigningKey("log.example/recovery", bytes([7]) * 32)
FIRST, SECOND, THIRD = (SigningKey("log.example", bytes([number]) * 32) for number in (1, 2, 3))
STREAM: Record = {"game": "g-1", "gno": 812, "size": 50, "stream": "game"}
SIGS: Any = [{"key": RECOVERY.verifier.format(), "sig": "00" * 64}]
FORMS: dict[str, list[Record]] = {
    "open": [{**STREAM, "commit": H}],
    "segment": [{**STREAM, "commit": H}],
    "close": [{**STREAM, "blind": H, "chain": H, "root": H}, {**STREAM, "commit": H}],
    "abort": [
        {**STREAM, "blind": H, "chain": H, "reason": "stopped", "root": H},
        {**STREAM, "commit": H, "reason": "stopped"},
    ],
    "config": [
        {
            "close_within_ms": 1,
            "operator": "club",
            "origin": "log.example",
            "recovery": RECOVERY.verifier.format(),
        }
    ],
    "key-add": [{"not_before_size": 3, "role": "auditor", "sigs": SIGS, "vkey": FIRST.verifier.format()}],
    "key-retire": [{"key": FIRST.verifier.format(), "last_size": 3, "sigs": SIGS}],
    "key-revoke": [{"from_size": 3, "key": FIRST.verifier.format(), "reason": "stolen", "sigs": SIGS}],
    "time": [{"size": 9, "token": "3082"}],
    "verdict": [
        {"chain": H, "engine": "paipu 1", "findings": H, "game": "g-1", "rules": "linhai", "sigs": SIGS, "size": 9}
    ],
}
CASES = [(kind, fields) for kind, forms in FORMS.items() for fields in forms]


@pytest.mark.parametrize(("kind", "fields"), CASES)
def test_every_kind_is_written_and_read(kind: str, fields: Record) -> None:
    data = write_entry(kind, 1_796_083_201_500, fields)
    entry = read_entry(data)
    assert (entry.kind, entry.at, entry.record) == (
        kind,
        1_796_083_201_500,
        {**fields, "at": entry.at, "kind": kind, "v": 1},
    )
    assert (entry.game, entry.gno, entry.size) == (("g-1", 812, 50) if "gno" in fields else ("", -1, -1))


def test_the_specification_examples_have_this_form() -> None:
    segment = (
        b'{"at":1796083201500,"commit":"%s","game":"g-01jd","gno":812,"kind":"segment","size":50,"stream":"game","v":1}'
        % H.encode()
    )
    close = (
        b'{"at":1796083921044,"blind":"%s","chain":"%s","game":"g-01jd","gno":812,"kind":"close","root":"%s","size":203,'
        b'"stream":"game","v":1}' % (H.encode(), H.encode(), H.encode())
    )
    assert read_entry(segment).octets("commit") == bytes.fromhex(H)
    assert read_entry(close).octets("blind") == bytes.fromhex(H)
    assert read_entry(segment).octets("blind") == b""


@pytest.mark.parametrize(("kind", "fields"), CASES)
def test_a_field_more_or_less_or_of_another_kind_is_refused(kind: str, fields: Record) -> None:
    whole: Record = {**fields, "at": 1, "kind": kind, "v": 1}
    for name in whole:
        bare = {field: value for field, value in whole.items() if field != name}
        with pytest.raises(Malformed):
            read_entry(encode(bare))
        for wrong in (
            -1,
            True,
            "",
            "x y\u0301",
            [],
            {},
            "AB" * 32,
            "ab" * 31,
            "0" * 129,
            [1],
            [{"key": "x", "sig": "y"}],
        ):
            if name == "at" and wrong is True:
                continue
            if type(wrong) is str and wrong and name in {"operator", "reason", "origin", "engine", "rules"}:
                continue
            if wrong in ("AB" * 32, "ab" * 31) and name in {"token", "game"}:
                continue
            with pytest.raises(Malformed):
                read_entry(encode({**whole, name: wrong}))
    with pytest.raises(Malformed):
        read_entry(encode({**whole, "extra": 1}))
    with pytest.raises(Malformed):
        read_entry(encode({**whole, "v": 2}))


def test_noise_is_no_entry() -> None:
    for data in (b"", b"{}", b'{"kind":7}', b'{"kind":"other"}', b'{"kind":["open"]}', b"\xff"):
        with pytest.raises(Malformed):
            read_entry(data)
    with pytest.raises(Malformed):
        write_entry("segment", -1, FORMS["segment"][0])


def key_entry(kind: str, fields: Record, *signers: SigningKey) -> Any:
    return read_entry(write_key_entry(kind, 5, fields, signers))


def add(key: SigningKey, first: int, *signers: SigningKey, role: str = "log") -> Any:
    fields: Record = {"not_before_size": first, "role": role, "vkey": key.verifier.format()}
    return key_entry("key-add", fields, *signers)


def test_keys_are_valid_by_tree_size() -> None:
    ring = Keyring(RECOVERY.verifier)
    ring.apply(add(FIRST, 0, RECOVERY), 1)
    ring.apply(add(SECOND, 10, RECOVERY, FIRST), 9)
    ring.apply(key_entry("key-retire", {"key": FIRST.verifier.format(), "last_size": 12}, RECOVERY, SECOND), 11)
    assert [size for size in (1, 9, 12, 13) if ring.may_sign(FIRST.verifier, size)] == [1, 9, 12]
    assert [size for size in (9, 10, 99) if ring.may_sign(SECOND.verifier, size)] == [10, 99]
    revoke: Record = {"from_size": 20, "key": SECOND.verifier.format(), "reason": "stolen"}
    ring.apply(key_entry("key-revoke", revoke, RECOVERY), 30)
    assert [size for size in (19, 20) if ring.may_sign(SECOND.verifier, size)] == [19]
    assert not ring.may_sign(THIRD.verifier, 30)
    # Nobody is left to hand over: the recovery key alone may add the next.
    ring.apply(add(THIRD, 31, RECOVERY), 31)
    assert ring.may_sign(THIRD.verifier, 31)
    ring.apply(add(FIRST_AUDITOR, 31, RECOVERY, THIRD, role="auditor"), 32)
    assert not ring.may_sign(FIRST_AUDITOR.verifier, 40)


FIRST_AUDITOR = SigningKey("auditor.example", bytes([4]) * 32)


def test_key_entries_that_are_not_signed_as_they_must_be() -> None:
    ring = Keyring(RECOVERY.verifier)
    with pytest.raises(Untrusted, match="recovery"):
        ring.apply(add(FIRST, 0, FIRST), 1)
    ring.apply(add(FIRST, 0, RECOVERY), 1)
    for entry, index in (
        (add(SECOND, 10, RECOVERY), 9),
        (add(SECOND, 10, FIRST), 9),
        (add(SECOND, 10, RECOVERY, THIRD), 9),
        (add(FIRST, 10, RECOVERY, FIRST), 9),
        (key_entry("key-retire", {"key": THIRD.verifier.format(), "last_size": 12}, RECOVERY, FIRST), 9),
        (key_entry("key-revoke", {"from_size": 1, "key": FIRST.verifier.format(), "reason": "x"}, FIRST), 9),
    ):
        with pytest.raises(Untrusted) as caught:
            ring.apply(entry, index)
        assert caught.value.code == "key"
    good = add(SECOND, 10, RECOVERY, FIRST)
    record = {**good.record, "not_before_size": 11}
    with pytest.raises(Untrusted, match="does not hold"):
        ring.apply(read_entry(encode(record)), 9)
    assert unsigned(good.record) == encode({k: v for k, v in good.record.items() if k != "sigs"})


def test_a_refused_key_entry_changes_nothing() -> None:
    ring = Keyring(RECOVERY.verifier)
    ring.apply(add(FIRST, 0, RECOVERY), 1)
    with pytest.raises(Untrusted):
        ring.apply(add(SECOND, 2, RECOVERY), 2)
    assert not ring.may_sign(SECOND.verifier, 5)


@given(st.lists(st.binary(max_size=40), max_size=40))
def test_streams_are_the_definitions_word_for_word(data: list[bytes]) -> None:
    tree = StreamTree("g-1")
    chain = sha256(b"\x02" + b"genesis" + b"g-1").digest()
    assert tree.chain == genesis("g-1") == chain
    for count, each in enumerate(data, 1):
        hashed = sha256(b"\x00" + each).digest()
        chain = sha256(b"\x02" + chain + hashed).digest()
        assert tree.append(each) == chain
        assert tree.size == count
    root = merkle_root([leaf(each) for each in data])
    assert (tree.root(), tree.chain) == (root, chain)
    blind = bytes(range(32))
    expected = hmac.new(blind, len(data).to_bytes(8, "big") + root + chain, sha256).digest()
    assert tree.commit(blind) == commitment(blind, len(data), root, chain) == expected


@pytest.mark.parametrize("game", ["", ".a", "-a", "a b", "a" * 65, "a\n", "é", "a/b", 7, None])
def test_what_is_no_game_id(game: Any) -> None:
    with pytest.raises(Malformed):
        check_game_id(game)


def test_game_ids() -> None:
    for game in ("g", "0", "A" * 64, "g-01jd.x_Y"):
        assert check_game_id(game) == game


def test_a_blinded_head_tells_nothing_of_a_hidden_tile() -> None:
    """34 guesses at one hidden tile reproduce a bare chain or root, and never the commitment (ledger.md 1)."""
    tiles = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + list("ESWNCFP")
    blind = sha256(b"secret").digest()

    def after(tile: str) -> StreamTree:
        tree = StreamTree("g-1")
        tree.append(encode({"game": "g-1", "seq": 0, "tile": tile, "type": "drawn"}))
        return tree

    secret = after("5p")
    assert [tile for tile in tiles if after(tile).chain == secret.chain] == ["5p"]
    shown = decode(write_entry("open", 1, {**STREAM, "commit": secret.commit(blind).hex()}))
    public = "".join(str(value) for value in shown.values())
    for tile in tiles:
        guess = after(tile)
        leaf_hash = leaf(encode({"game": "g-1", "seq": 0, "tile": tile, "type": "drawn"}))
        for value in (guess.chain, guess.root(), leaf_hash, guess.commit(bytes(32)), sha256(guess.chain).digest()):
            assert value.hex() not in public

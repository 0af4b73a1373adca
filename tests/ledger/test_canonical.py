"""Canonical bytes: the fast path equals the grammar, other writers agree, all else is refused with its byte."""

import json
import unicodedata
from pathlib import Path

import msgspec
import orjson
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.canonical import MAX_BYTES, MAX_INT, Record, Value, decode, encode, parse
from ledger.errors import Malformed

keys = st.from_regex(r"[a-z][a-z0-9_.]{0,8}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=12).map(
    lambda t: unicodedata.normalize("NFC", t)
)
scalars = st.booleans() | st.integers(-MAX_INT, MAX_INT) | texts
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3), max_leaves=8
)
records = st.dictionaries(keys, values, max_size=5)

EVENT = b'{"at":1796083200911,"game":"g-01","seat":1,"seq":137,"tile":"5p","type":"discarded","v":1}'


def outcome(read: object, data: bytes) -> Record | str:
    try:
        return read(data)  # type: ignore[operator]
    except Malformed as error:
        return str(error)


def depth(value: Value) -> int:
    if isinstance(value, dict):
        return 1 + max((depth(item) for item in value.values()), default=0)
    if isinstance(value, list | tuple):
        return 1 + max((depth(item) for item in value), default=0)
    return 0


@given(records)
def test_three_writers_agree_and_both_readers_return_the_record(record: Record) -> None:
    if depth(record) > 8:
        with pytest.raises(Malformed, match="deeper than 8"):
            encode(record)
        return
    data = encode(record)
    assert data == rfc8785.dumps(record) == msgspec.json.encode(record, order="sorted")
    assert decode(data) == parse(data) == record


@given(records, st.data())
@settings(max_examples=150)
def test_fast_path_equals_the_grammar_on_damaged_records(record: Record, draw: st.DataObject) -> None:
    try:
        data = bytearray(encode(record))
    except Malformed:
        return
    for _ in range(draw.draw(st.integers(1, 3))):
        at = draw.draw(st.integers(0, len(data) - 1))
        act = draw.draw(st.sampled_from(["flip", "cut", "insert", "double"]))
        if act == "flip":
            data[at] ^= 1 << draw.draw(st.integers(0, 7))
        elif act == "cut":
            del data[at]
        elif act == "insert":
            data[at:at] = draw.draw(
                st.sampled_from([b" ", b'"', b"\\", b"\\n", b"0", b".0", b"null", b"\x7f", b"\xcc\x81"])
            )
        else:
            data[at:at] = data[at : at + 8]
        if not data:
            return
    assert outcome(decode, bytes(data)) == outcome(parse, bytes(data))


@given(
    st.binary(max_size=60) | st.from_regex(rb'\{("[a-zA-Z_.]{0,3}":("[^"]{0,4}"|-?[0-9.e]{1,20}|null|\[\]),?){0,4}\}')
)
@settings(max_examples=150)
def test_fast_path_equals_the_grammar_on_any_bytes(data: bytes) -> None:
    assert outcome(decode, data) == outcome(parse, data)


@given(records)
@settings(max_examples=25)
def test_every_single_bit_flip_is_refused_or_another_record(record: Record) -> None:
    try:
        data = encode(record)
    except Malformed:
        return
    for at in range(min(len(data), 40)):
        for bit in range(8):
            damaged = bytes([*data[:at], data[at] ^ 1 << bit, *data[at + 1 :]])
            try:
                assert encode(decode(damaged)) == damaged
                assert decode(damaged) != record
            except Malformed:
                pass


REFUSED = {
    "empty": (b"", 0),
    "array": (b"[]", 0),
    "number": (b"7", 0),
    "space": (b'{"a": 1}', 5),
    "newline at the end": (b'{"a":1}\n', 7),
    "order": (b'{"b":1,"a":2}', 7),
    "duplicate key": (b'{"a":1,"a":1}', 7),
    "null": (b'{"a":null}', 5),
    "float": (b'{"a":1.0}', 5),
    "exponent": (b'{"a":1e3}', 5),
    "minus zero": (b'{"a":-0}', 5),
    "leading zero": (b'{"a":01}', 5),
    "plus": (b'{"a":+1}', 5),
    "2^53": (b'{"a":9007199254740992}', 5),
    "-2^53": (b'{"a":-9007199254740992}', 5),
    "NaN": (b'{"a":NaN}', 5),
    "capital key": (b'{"A":1}', 1),
    "empty key": (b'{"":1}', 1),
    "key with digit first": (b'{"1a":1}', 1),
    "key with an escape": (b'{"\\u0061":1}', 1),
    "key before a newline": (b'{"a\n":1}', 1),
    "inner key": (b'{"a":{"B":1}}', 6),
    "needless escape": (b'{"a":"\\u0061"}', 5),
    "escaped slash": (b'{"a":"\\/"}', 5),
    "escaped newline": (b'{"a":"\\n"}', 5),
    "raw newline": (b'{"a":"x\ny"}', 7),
    "delete": (b'{"a":"x\x7f"}', 7),
    "C1 control": ('{"a":"é\x85"}'.encode(), 8),
    "not NFC": ('{"a":"e\u0301"}'.encode(), 5),
    "not UTF-8": (b'{"a":"x\xff"}', 7),
    "surrogate": (b'{"a":"\xed\xa0\x80"}', 6),
    "overlong": (b'{"a":"\xc0\x80"}', 6),
    "byte order mark": (b'\xef\xbb\xbf{"a":1}', 0),
    "cut off": (b'{"a":', 5),
    "cut in a string": (b'{"a":"x', 5),
    "trailing comma": (b'{"a":1,}', 7),
    "two objects": (b'{"a":1}{"a":1}', 7),
    "depth 9": (b'{"a":' * 9 + b"1" + b"}" * 9, 40),
    "depth 9 in arrays": (b'{"a":' + b"[" * 8 + b"]" * 8 + b"}", 12),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_at_its_byte(name: str) -> None:
    data, offset = REFUSED[name]
    for read in (decode, parse):
        with pytest.raises(Malformed) as caught:
            read(data)
        assert caught.value.offset == offset
        assert f"at byte {offset}" in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":' + b"9" * 60_000 + b"}",
        b'{"a":-' + b"9" * 5_000 + b"}",
        b'{"a":' * 12_000,
        b"[" * 65_000,
        b'{"a":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
        b'{"a":1e999999999}',
        b'{"a":"' + b"x" * 65_535 + b'"}',
        b"\xff" * 1000,
        b"{" * 65_535,
    ],
    ids=range(9),
)
def test_huge_numbers_deep_nesting_and_noise_are_refused_in_order(data: bytes) -> None:
    for read in (decode, parse):
        with pytest.raises(Malformed):
            read(data)


def test_limits_are_met_exactly() -> None:
    filler = encode({"a": "x" * (MAX_BYTES - 8)})
    assert len(filler) == MAX_BYTES
    assert decode(filler) == parse(filler)
    with pytest.raises(Malformed, match="65536 bytes"):
        encode({"a": "x" * (MAX_BYTES - 7)})
    for edge in (MAX_INT, -MAX_INT, 0):
        assert decode(encode({"a": edge})) == {"a": edge}
    eight: Value = 1
    for _ in range(8):
        eight = {"a": eight}
    assert isinstance(eight, dict)
    assert decode(encode(eight)) == eight


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": 1.5}, r"\$\.a: float"),
        ({"a": [1, {"b": None}]}, r"\$\.a\[1\]\.b: NoneType"),
        ({"a": 2**53}, r"\$\.a: an integer"),
        ({"a": "x\n"}, r"\$\.a: a control"),
        ({"a": "e\u0301"}, r"\$\.a: the string is not in NFC"),
        ({"a": "\ud800"}, r"\$\.a: a lone surrogate"),
        ({"a b": 1}, r"\$: key 'a b'"),
        ({1: 1}, r"\$: key 1"),
        ({"a": b"x"}, r"\$\.a: bytes"),
        ([], r"\$: one object"),
        ({"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {}}}}}}}}}, "deeper than 8"),
    ],
)
def test_encode_names_the_path(value: Record, path: str) -> None:
    with pytest.raises(Malformed, match=path):
        encode(value)


def test_tuples_are_written_as_arrays() -> None:
    assert encode({"tiles": ("7m", "8m")}) == b'{"tiles":["7m","8m"]}'


def test_the_specification_example_is_canonical() -> None:
    assert encode(decode(EVENT)) == EVENT


@pytest.mark.parametrize("name", ["arrays", "french", "structures", "unicode", "values", "weird"])
def test_all_rfc8785_vectors_lie_outside_the_profile(shared: Path, name: str) -> None:
    folder = shared / "vectors/jcs/testdata"
    for data in (
        (folder / "input" / f"{name}.json").read_bytes(),
        (folder / "output" / f"{name}.json").read_bytes(),
        bytes.fromhex((folder / "outhex" / f"{name}.txt").read_text()),
    ):
        for read in (decode, parse):
            with pytest.raises(Malformed):
                read(data)
    value = json.loads((folder / "input" / f"{name}.json").read_bytes())
    with pytest.raises(Malformed):
        encode(value)


def test_orjson_would_have_kept_the_last_of_two_equal_keys() -> None:
    assert orjson.loads(b'{"a":1,"a":2}') == {"a": 2}
    with pytest.raises(Malformed, match="stands twice"):
        decode(b'{"a":1,"a":2}')

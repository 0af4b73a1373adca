r"""Canonical bytes: the one spelling of an event or entry (ledger.md 1).

A strict subset of RFC 8785, so that the bytes stored are the bytes hashed, signed and shown:

* one object; its keys and those of every object inside match `[a-z][a-z0-9_.]*`, in ascending order, once each;
* values: `true`, `false`, integers with |n| <= 2^53-1 (no `-0`, fraction, exponent), strings, arrays, objects; no null;
* strings are UTF-8 in NFC without characters of category Cc, so the only escapes are `\"` and `\\`;
* no space between tokens; depth <= 8, the outer object being 1; at most 65,535 bytes.

    >>> encode({"type": "discarded", "seq": 137, "tile": "5p"})
    b'{"seq":137,"tile":"5p","type":"discarded"}'
    >>> decode(b'{"seq":137, "tile":"5p"}')
    Traceback (most recent call last):
    ledger.errors.Malformed: canonical JSON: a key in double quotes was expected at byte 11

`parse` is the plain definition, a parser of exactly this grammar that names the byte; `decode` is the fast path (about
2 us): orjson reads, writes again and the bytes are compared, a cheap look at the whole excludes what orjson allows and
the profile does not, and wherever that look is not sure, `parse` decides. Tests hold the two equal.
"""

import re
from collections.abc import Sequence
from typing import Final, TypeAlias, cast
from unicodedata import is_normalized

from orjson import (
    OPT_PASSTHROUGH_DATACLASS,
    OPT_PASSTHROUGH_DATETIME,
    OPT_PASSTHROUGH_SUBCLASS,
    OPT_SORT_KEYS,
    OPT_STRICT_INTEGER,
    dumps,
    loads,
)

from ledger.errors import Malformed

Value: TypeAlias = "bool | int | str | list[Value] | tuple[Value, ...] | dict[str, Value]"
Record: TypeAlias = dict[str, Value]

MAX_BYTES: Final = 65_535
MAX_DEPTH: Final = 8
MAX_INT: Final = 2**53 - 1

_WHAT: Final = "canonical JSON"
_KEY: Final = re.compile(r"[a-z][a-z0-9_.]*")
_RAW_KEY: Final = re.compile(rb'"([a-z][a-z0-9_.]*)":')
_RAW_STRING: Final = re.compile(rb'"((?:[^"\\]|\\["\\])*)"')
_RAW_INT: Final = re.compile(rb"-?(?:0|[1-9][0-9]*)(?![0-9.eE])")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # category Cc, whole
_READ: Final = OPT_SORT_KEYS | OPT_STRICT_INTEGER  # refuses integers beyond MAX_INT
_WRITE: Final = _READ | OPT_PASSTHROUGH_DATACLASS | OPT_PASSTHROUGH_DATETIME | OPT_PASSTHROUGH_SUBCLASS

_BACKSLASH: Final = ord("\\")
_DELETE: Final = 0x7F  # the one ASCII control character that orjson writes as it is
_SCALARS: Final = frozenset({str, int, bool})
_NESTED: Final = frozenset({dict, list, tuple})

# Keys found good before. Bounded, so that foreign bytes cannot fill the memory; it only saves the pattern match.
_good_keys: set[str] = set()
_GOOD_KEYS_MAX: Final = 4096


def encode(value: Record) -> bytes:
    """Write the canonical bytes of a record; tuples are written as arrays.

    Malformed where the record is outside the profile, naming the path to the value at fault.
    """
    if type(value) is dict and _plain(value, 1):
        try:
            data = dumps(value, option=_WRITE)
        except TypeError:  # a lone surrogate, an integer beyond MAX_INT
            data = b""
        if data and len(data) <= MAX_BYTES and _clean(data):
            return data
    _explain(value, "$", 1)
    data = dumps(value, option=_WRITE)
    if len(data) > MAX_BYTES:
        raise Malformed(_WHAT, f"{len(data)} bytes, at most {MAX_BYTES} are allowed")
    return data


def decode(data: bytes) -> Record:
    """Read canonical bytes; Malformed, with the byte, where they are not the one spelling of a record."""
    if type(data) is bytes and len(data) <= MAX_BYTES:
        try:
            value = loads(data)
            # The common event, flat and ASCII, is told without a call: this line is half the cost of level 4.
            if (
                type(value) is dict
                and dumps(value, option=_READ) == data
                and ((_good_keys.issuperset(value) and _SCALARS.issuperset(map(type, value.values())))
                     or _plain(value, 1))
                and ((data.isascii() and _BACKSLASH not in data and _DELETE not in data) or _clean(data))
            ):  # fmt: skip
                return value
        except (ValueError, TypeError):  # orjson's errors: not JSON, too deep, not UTF-8
            pass
    return parse(data)


def decode_all(events: Sequence[bytes]) -> list[Record]:
    """Read the canonical bytes of many records at once, at two thirds of the cost of `decode` of each.

    Malformed, with the byte, for the first that is not the one spelling of a record.
    """
    try:
        values = loads(b"[" + b",".join(events) + b"]")
        # Each must be written as its own bytes, so that no record hides in another's.
        if [dumps(value, option=_READ) for value in values] == events and _sure(values, events):
            return cast("list[Record]", values)
    except (ValueError, TypeError):
        pass
    return [decode(data) for data in events]


def _sure(values: list[object], events: Sequence[bytes]) -> bool:
    """Whether all values, read from these bytes, are surely records of the profile; False means not sure."""
    data = b"".join(events)
    return (
        data.isascii()
        and _BACKSLASH not in data
        and _DELETE not in data
        and max(map(len, events), default=0) <= MAX_BYTES
        and all(type(value) is dict and _plain(value, 1) for value in values)
    )


def parse(data: bytes) -> Record:
    """Read canonical bytes by the grammar itself: the definition that `decode` is tested against, slow and exact."""
    if type(data) is not bytes:
        raise Malformed(_WHAT, f"bytes were expected, not {type(data).__name__}")
    if len(data) > MAX_BYTES:
        raise Malformed(_WHAT, f"{len(data)} bytes, at most {MAX_BYTES} are allowed")
    if data[:1] != b"{":
        raise Malformed(_WHAT, "one object was expected", 0)
    value, end = _value(data, 0, 1)
    if end != len(data):
        raise Malformed(_WHAT, "nothing may follow the object", end)
    return cast("Record", value)


def _plain(value: object, depth: int) -> bool:
    """Whether types, keys and depth are the profile's; orjson bounds integers, strings are looked at in the bytes."""
    if type(value) is dict:
        if not _good_keys.issuperset(value) and not _new_keys(value):
            return False
        items = list(value.values())
    else:
        items = cast("list[object]", value)
    if _SCALARS.issuperset(map(type, items)):
        return True
    if depth >= MAX_DEPTH:
        return False
    for item in items:
        kind = type(item)
        if kind not in _SCALARS and not (kind in _NESTED and _plain(item, depth + 1)):
            return False
    return True


def _new_keys(value: dict[str, object]) -> bool:
    for key in value:
        if type(key) is not str or not _KEY.fullmatch(key):
            return False
        if len(_good_keys) < _GOOD_KEYS_MAX:
            _good_keys.add(key)
    return True


def _clean(data: bytes) -> bool:
    """Whether every string is surely NFC and without Cc, judged on the bytes orjson wrote; False means not sure.

    orjson writes control characters below 0x20 with a backslash, so without one there are none. The whole text is in
    NFC where each part is, as nothing composes with a quotation mark, and a part of NFC text is NFC.
    """
    if _BACKSLASH in data:
        return not _CONTROL.search(data.decode()) and _escapes_plain(data) and is_normalized("NFC", data.decode())
    if data.isascii():
        return _DELETE not in data
    text = data.decode()
    return not _CONTROL.search(text) and is_normalized("NFC", text)


def _escapes_plain(data: bytes) -> bool:
    return b"\\" not in data.replace(b"\\\\", b"").replace(b'\\"', b"")


def _value(data: bytes, at: int, depth: int) -> tuple[Value, int]:
    first = data[at : at + 1]
    if first == b'"':
        return _string(data, at)
    if first in (b"{", b"["):
        if depth > MAX_DEPTH:
            raise Malformed(_WHAT, f"deeper than {MAX_DEPTH}", at)
        return _object(data, at, depth) if first == b"{" else _array(data, at, depth)
    if data.startswith(b"true", at):
        return True, at + 4
    if data.startswith(b"false", at):
        return False, at + 5
    return _integer(data, at)


def _object(data: bytes, at: int, depth: int) -> tuple[Record, int]:
    found: Record = {}
    last = ""
    at += 1
    if data[at : at + 1] == b"}":
        return found, at + 1
    while True:
        match = _RAW_KEY.match(data, at)
        if not match:
            raise Malformed(_WHAT, _key_fault(data, at), at)
        key = match[1].decode()
        if found and key <= last:
            raise Malformed(_WHAT, f"key {key!r} " + ("stands twice" if key == last else "is out of order"), at)
        found[key], at = _value(data, match.end(), depth + 1)
        last = key
        mark = data[at : at + 1]
        if mark == b"}":
            return found, at + 1
        if mark != b",":
            raise Malformed(_WHAT, "',' or '}' was expected", at)
        at += 1


def _array(data: bytes, at: int, depth: int) -> tuple[list[Value], int]:
    found: list[Value] = []
    at += 1
    if data[at : at + 1] == b"]":
        return found, at + 1
    while True:
        item, at = _value(data, at, depth + 1)
        found.append(item)
        mark = data[at : at + 1]
        if mark == b"]":
            return found, at + 1
        if mark != b",":
            raise Malformed(_WHAT, "',' or ']' was expected", at)
        at += 1


def _key_fault(data: bytes, at: int) -> str:
    if data[at : at + 1] != b'"':
        return "a key in double quotes was expected"
    return "a key must match [a-z][a-z0-9_.]* and be followed by ':'"


def _string(data: bytes, at: int) -> tuple[str, int]:
    match = _RAW_STRING.match(data, at)
    if not match:
        raise Malformed(_WHAT, 'the string does not end, or has an escape other than \\" and \\\\', at)
    raw = match[1]
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise Malformed(_WHAT, "not UTF-8", at + 1 + error.start) from None
    control = _CONTROL.search(text)
    if control:
        raise Malformed(_WHAT, "a control character", at + 1 + len(text[: control.start()].encode()))
    if not is_normalized("NFC", text):
        raise Malformed(_WHAT, "the string is not in NFC", at)
    if b"\\" in raw:
        text = re.sub(r"\\(.)", r"\1", text)
    return text, match.end()


def _integer(data: bytes, at: int) -> tuple[int, int]:
    match = _RAW_INT.match(data, at)
    if not match:
        raise Malformed(_WHAT, _value_fault(data, at), at)
    raw = match[0]
    if raw == b"-0":
        raise Malformed(_WHAT, "-0 is written 0", at)
    # 2^53 has 16 digits: longer ones are refused unread, as int() of a huge text is slow and may raise.
    if len(raw) > 17 or abs(int(raw)) > MAX_INT:
        raise Malformed(_WHAT, "an integer beyond 2^53-1", at)
    return int(raw), match.end()


def _value_fault(data: bytes, at: int) -> str:
    if at >= len(data):
        return "the record is cut off"
    if data.startswith(b"null", at):
        return "null is not allowed (leave the key out)"
    if data[at : at + 1] in b"-0123456789":
        return "not an integer in its shortest decimal form"
    return "a value was expected (no spaces, no null)"


def _explain(value: object, path: str, depth: int) -> None:
    """Raise Malformed for the first value outside the profile, in writing order, naming its path."""
    kind = type(value)
    if depth == 1 and kind is not dict:
        raise Malformed(_WHAT, f"{path}: one object was expected, not {kind.__name__}")
    if kind in {dict, list, tuple}:
        if depth > MAX_DEPTH:
            raise Malformed(_WHAT, f"{path}: deeper than {MAX_DEPTH}")
        if kind is dict:
            for key in cast("dict[object, object]", value):
                if type(key) is not str or not _KEY.fullmatch(key):
                    raise Malformed(_WHAT, f"{path}: key {key!r} does not match [a-z][a-z0-9_.]*")
            for key, item in sorted(cast("dict[str, object]", value).items()):
                _explain(item, f"{path}.{key}", depth + 1)
        else:
            for index, item in enumerate(cast("list[object]", value)):
                _explain(item, f"{path}[{index}]", depth + 1)
    elif kind is str:
        _explain_text(cast("str", value), path)
    elif kind is int:
        if abs(cast("int", value)) > MAX_INT:
            raise Malformed(_WHAT, f"{path}: an integer beyond 2^53-1")
    elif kind is not bool:
        raise Malformed(_WHAT, f"{path}: {kind.__name__} is not allowed")


def _explain_text(value: str, path: str) -> None:
    if _CONTROL.search(value):
        raise Malformed(_WHAT, f"{path}: a control character")
    if not is_normalized("NFC", value):
        raise Malformed(_WHAT, f"{path}: the string is not in NFC")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Malformed(_WHAT, f"{path}: a lone surrogate") from None

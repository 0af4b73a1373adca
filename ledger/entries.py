"""Entries of the main log: canonical JSON of ten kinds, strictly read (ledger.md 1, 3).

Every entry has `at` (ms UTC, never below the entry before), `kind` and `v` (1). Those of a stream add `game`, `gno`
(gapless over all streams of the operator), `size` (events so far) and `stream` (game, series or case):

    open, segment   commit                            blinded root and chain (`ledger.stream`)
    close           blind, chain, root                the blind opens all commitments before
    abort           blind, chain, root, reason
                    a stream opened as private keeps `commit` instead of the three: its auditor gets the blind
    config          close_within_ms, operator, origin, recovery           always entry 0
    key-add         not_before_size, role (log, auditor), sigs, vkey
    key-retire      key, last_size, sigs
    key-revoke      from_size, key, reason, sigs
    time            size, token                       hex of an RFC 3161 response over the checkpoint body
    verdict         chain, engine, findings, game, rules, sigs, size

    {"at":1796083201500,"commit":"<hex>","game":"g-1","gno":812,"kind":"segment","size":50,"stream":"game","v":1}

`read_entry` knows the form; whether the log as a whole makes sense is `ledger.verify`'s business.
"""

import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast

from ledger.canonical import Record, Value, decode, encode
from ledger.errors import LedgerError, Malformed
from ledger.keys import parse_vkey
from ledger.stream import GAME_ID, STREAMS

VERSION: Final = 1
DAY_MS: Final = 86_400_000
MAX_REASON: Final = 256

_HEX32: Final = re.compile(r"[0-9a-f]{64}")
_SIGNATURE: Final = re.compile(r"[0-9a-f]{128}(?:[0-9a-f]{4712})?")  # Ed25519, ML-DSA-44
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})+")


class Entry(NamedTuple):
    """An entry of the right form; `game` is empty and `gno`, `size` are -1 where they do not apply."""

    kind: str
    at: int
    game: str
    gno: int
    size: int
    record: Record

    def octets(self, field: str) -> bytes:
        """Give a hex field as bytes, empty where it is absent."""
        return bytes.fromhex(cast("str", self.record.get(field, "")))


def _count(value: Value) -> bool:
    return type(value) is int and value >= 0


def _text(value: Value) -> bool:
    return type(value) is str and 0 < len(value) <= MAX_REASON


def _matches(pattern: re.Pattern[str]) -> Callable[[Value], bool]:
    return lambda value: type(value) is str and pattern.fullmatch(value) is not None


def _one_of(*words: str) -> Callable[[Value], bool]:
    return lambda value: value in words


def _vkey(value: Value) -> bool:
    try:
        return type(value) is str and parse_vkey(value) is not None
    except LedgerError:
        return False


def _signatures(value: Value) -> bool:
    signature = _matches(_SIGNATURE)
    return (
        type(value) is list
        and 0 < len(value) <= 16
        and all(
            type(item) is dict and item.keys() == {"key", "sig"} and _vkey(item["key"]) and signature(item["sig"])
            for item in value
        )
    )


_hash = _matches(_HEX32)
_Form = Mapping[str, Callable[[Value], bool]]
_EVERY: Final[_Form] = {"at": _count, "kind": lambda _: True, "v": lambda value: value == VERSION and value is not True}
_STREAM: Final[_Form] = {
    **_EVERY,
    "game": _matches(GAME_ID),
    "gno": _count,
    "size": _count,
    "stream": _one_of(*STREAMS),
}
_BLINDED: Final[_Form] = {**_STREAM, "commit": _hash}
_BARE: Final[_Form] = {**_STREAM, "blind": _hash, "chain": _hash, "root": _hash}
_KEY: Final[_Form] = {**_EVERY, "sigs": _signatures}
_FORMS: Final[Mapping[str, tuple[_Form, ...]]] = {
    "open": (_BLINDED,),
    "segment": (_BLINDED,),
    "close": (_BARE, _BLINDED),
    "abort": ({**_BARE, "reason": _text}, {**_BLINDED, "reason": _text}),
    "config": ({**_EVERY, "close_within_ms": _count, "operator": _text, "origin": _text, "recovery": _vkey},),
    "key-add": ({**_KEY, "not_before_size": _count, "role": _one_of("log", "auditor"), "vkey": _vkey},),
    "key-retire": ({**_KEY, "key": _vkey, "last_size": _count},),
    "key-revoke": ({**_KEY, "from_size": _count, "key": _vkey, "reason": _text},),
    "time": ({**_EVERY, "size": _count, "token": _matches(_HEX)},),
    "verdict": (
        {
            **_KEY,
            "chain": _hash,
            "engine": _text,
            "findings": _hash,
            "game": _matches(GAME_ID),
            "rules": _text,
            "size": _count,
        },
    ),
}
ENDS: Final = frozenset({"close", "abort"})
OF_STREAMS: Final = frozenset({"open", "segment", "close", "abort"})


def read_entry(data: bytes) -> Entry:
    """Read an entry's bytes; Malformed where they are not canonical or not of one of the forms."""
    record = decode(data)
    kind = record.get("kind")
    forms = _FORMS.get(kind) if type(kind) is str else None
    if forms is None:
        raise Malformed("log entry", f"kind {kind!r} is not known")
    for form in forms:
        if record.keys() == form.keys():
            for field, fits in form.items():
                if not fits(record[field]):
                    raise Malformed("log entry", f"{kind}: {field} is not {record[field]!r}")
            break
    else:
        raise Malformed("log entry", f"{kind}: the fields are {', '.join(record)}")
    of_stream = kind in OF_STREAMS
    return Entry(
        cast("str", kind),
        cast("int", record["at"]),
        cast("str", record["game"]) if of_stream else "",
        cast("int", record["gno"]) if of_stream else -1,
        cast("int", record["size"]) if of_stream else -1,
        record,
    )


def write_entry(kind: str, at: int, fields: Record) -> bytes:
    """Write an entry; Malformed where it would not be read again."""
    data = encode({**fields, "at": at, "kind": kind, "v": VERSION})
    read_entry(data)
    return data


def unsigned(record: Record) -> bytes:
    """Give the bytes that the signatures of a key or verdict entry are over: the entry without `sigs`."""
    return encode({field: value for field, value in record.items() if field != "sigs"})

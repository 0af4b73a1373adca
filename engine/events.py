"""The event vocabulary, version 1: one tagged union for every game stream (spec `events.md`).

A *record* is the JSON object of an event as a plain dict, a *body* a record without its envelope (`at`, `game`,
`seq`, `v`). The models of `engine.vocabulary` are the schema. What the models
cannot know (whether the event may come now) is the business of the families.

The canonical bytes of an event are its record with sorted keys, no spaces, no null, flags only when true. Reading
is strict: parse, write again, compare; one value has one byte form.
"""

from collections.abc import Mapping
from typing import Final

import orjson
from pydantic import TypeAdapter, ValidationError

from engine.errors import EventError, refusal
from engine.vocabulary.base import LIMIT, Body, Decision, Envelope, Record
from engine.vocabulary.cards import Banker, Bet, Bid, Buried, Called, Escaped, Kitty, Played, Shown, Trick, Trump
from engine.vocabulary.game import (
    Away,
    Back,
    Beacon,
    Closed,
    Committed,
    Entropy,
    HandStarted,
    Opened,
    Penalised,
    Refused,
    Revealed,
    Seated,
    Voided,
    Voted,
)
from engine.vocabulary.mahjong import (
    Answered,
    Dealt,
    Declared,
    Dice,
    Discarded,
    Dora,
    Drawn,
    DrawnHand,
    Flower,
    GaChosen,
    Konged,
    Melded,
    Wild,
    Won,
)
from engine.vocabulary.settled import HandEnded, Settled

__all__ = [
    "DECISIONS", "LIMIT", "TYPES", "VERSION", "WORDS", "Body", "Decision", "Envelope", "EventError", "Record",
    "body_of", "build", "canonical", "check", "check_in", "load", "parse",
]  # fmt: skip

VERSION: Final = 1
TYPES: Final[tuple[type[Envelope], ...]] = (
    Opened, Committed, Entropy, Beacon, Seated, HandStarted, GaChosen, Dice, Wild, Dealt, Drawn, Flower, Discarded,
    Answered, Melded, Konged, Declared, Won, DrawnHand, Settled, HandEnded, Revealed, Voided, Penalised, Refused,
    Away, Back, Voted, Closed, Bid, Banker, Bet, Shown, Escaped, Called, Kitty, Buried, Trump, Played, Trick, Dora,
)  # fmt: skip
WORDS: Final[dict[str, type[Envelope]]] = {model.model_fields["type"].default: model for model in TYPES}
DECISIONS: Final = frozenset(word for word, model in WORDS.items() if issubclass(model, Decision))

_READERS: Final[dict[str, TypeAdapter[Envelope]]] = {word: TypeAdapter(model) for word, model in WORDS.items()}


def canonical(record: Record) -> bytes:
    """Return the one byte form of a record (RFC 8785 within the profile of ledger.md 1).

    Raises EventError where a value has none: a text with a lone surrogate, an integer beyond 64 bits.
    """
    try:
        return orjson.dumps(record, option=orjson.OPT_SORT_KEYS)
    except orjson.JSONEncodeError as error:
        msg = f"a value that no event can hold: {error}"
        raise EventError(msg) from None


def check(line: bytes, record: Record) -> Envelope:
    """Return the model of a record already parsed from `line`; raise EventError where the schema refuses it."""
    return check_in(_READERS, line, record)


def check_in(readers: Mapping[str, TypeAdapter[Envelope]], line: bytes, record: Record) -> Envelope:
    """Return the model of a record by the readers of its kind of stream; raise EventError where they refuse it."""
    word = record.get("type")
    reader = readers.get(word) if isinstance(word, str) else None
    if reader is None:
        msg = f"type: unknown word {word!r}"
        raise EventError(msg)
    try:
        return reader.validate_json(line)
    except ValidationError as error:
        where, why = refusal(error)
        msg = f"{word}: {where or 'event'}: {why}"
        raise EventError(msg) from None


def load(line: bytes) -> Record:
    """Return the record of canonical bytes; raise EventError where they are not canonical JSON."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        msg = f"not JSON: {error}"
        raise EventError(msg) from None
    if type(record) is not dict:
        msg = "not a JSON object"
        raise EventError(msg)
    if canonical(record) != line:
        msg = "not in canonical form (sorted keys, no spaces, no duplicate keys)"
        raise EventError(msg)
    return record


def parse(line: bytes) -> Envelope:
    """Return the event of canonical bytes; raise EventError with the field and the reason."""
    return check(line, load(line))


def build(body: Body, *, at: int, game: str, seq: int) -> Envelope:
    """Return the event of a body placed in a stream; raise EventError where the schema refuses it."""
    record = {**body, "at": at, "game": game, "seq": seq, "v": VERSION}
    return check(canonical(record), record)


def body_of(record: Record) -> Body:
    """Return the record without its envelope."""
    return {key: value for key, value in record.items() if key not in {"at", "game", "seq", "v"}}

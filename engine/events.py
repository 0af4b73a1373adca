"""The event vocabulary, version 1: one tagged union for every game stream (spec `events.md`).

A *record* is the JSON object of an event as a plain dict, a *body* a record without its envelope (`at`, `game`,
`seq`, `v`). The models below are the schema: bounds live in the type, so a bad seat dies here. What the models
cannot know (whether the event may come now) is the business of the families.

The canonical bytes of an event are its record with sorted keys, no spaces, no null, flags only when true. Reading
is strict: parse, write again, compare; one value has one byte form.
"""

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

import orjson
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.cards import CARDS, KINDS
from engine.errors import EventError

Record: TypeAlias = dict[str, Any]
Body: TypeAlias = dict[str, Any]

VERSION: Final = 1
LIMIT: Final = 2**53 - 1  # the largest integer every JSON reader keeps (ledger.md 1)


def _present(value: object) -> object:
    if value is None:
        msg = "a field that does not apply is absent, never null"
        raise ValueError(msg)
    return value


Present = AfterValidator(_present)
Count = Annotated[int, Field(ge=0, le=LIMIT)]
Amount = Annotated[int, Field(ge=-LIMIT, le=LIMIT)]
Seat = Annotated[int, Field(ge=0, le=9)]
EntropySeat = Annotated[int, Field(ge=0, le=255)]
Name = Annotated[str, Field(min_length=1, max_length=256)]
GameId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Hex = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{2})*$")]
Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Flag = Annotated[Literal[True] | None, Present]
if TYPE_CHECKING:
    Tile: TypeAlias = str
    Piece: TypeAlias = str
    Card: TypeAlias = str
else:
    Tile = Literal[(*KINDS, "0m", "0p", "0s")]  # red fives: imported Tenhou logs only
    Piece = Literal[(*KINDS, "0m", "0p", "0s", *CARDS)]
    Card = Literal[CARDS]
Wind = Literal["E", "S", "W", "N"]
Tiles = tuple[Tile, ...]


class Part(BaseModel):
    """A value inside an event."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Envelope(Part):
    """What every event has: `at` ms UTC by the server's clock, the stream, the position."""

    at: Count
    game: GameId
    seq: Count
    v: Literal[1] = 1

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, exclude_unset=False)


class Signature(Part):
    """A player's signed command (ledger.md 3)."""

    head: Hex32
    seen: Count
    sig: Hex


class Decision(Envelope):
    """What somebody was free to choose; `auto` where a time-out chose."""

    auto: Flag = None
    sig: Annotated[Signature | None, Present] = None


class RulesRef(Part):
    """Which rules: preset id, the options that differ from it, the digest of the rules with them."""

    id: Name
    options: dict[str, Any]
    digest: Hex32


class SeatEntry(Part):
    """Who takes part; seats from 128 on are witnesses (entropy only)."""

    seat: EntropySeat
    player: Name
    kind: Literal["human", "bot", "house", "witness"]
    key: Annotated[Hex32 | None, Present] = None


class BeaconRef(Part):
    """The drand round that the deal waits for."""

    chain: Hex32
    round: Count


class DealRef(Part):
    """The premise of the deal: protocol and the server's commitment (fairness.md 1.2)."""

    protocol: Literal["paipu-fair/1", "paipu-fair/1w", "none"]
    max_hands: Annotated[int | None, Present, Field(ge=1, le=100_000)] = None
    root_s: Annotated[Hex32 | None, Present] = None
    beacon: Annotated[BeaconRef | None, Present] = None
    reveal: Annotated[Literal["auditor"] | None, Present] = None


class Opened(Envelope):
    """The premise of a game."""

    type: Literal["opened"] = "opened"
    rules: RulesRef
    engine: Name
    operator: Name
    table: Name
    seats: Annotated[tuple[SeatEntry, ...], Field(min_length=1, max_length=138)]
    match: dict[str, Any]
    deal: DealRef
    stake: Annotated[Count | None, Present] = None


class Committed(Decision):
    """A seat's commitment to its entropy (fairness.md 1.3)."""

    type: Literal["committed"] = "committed"
    seat: EntropySeat
    commit: Hex32


class Entropy(Decision):
    """A seat's entropy, opened after the last commitment."""

    type: Literal["entropy"] = "entropy"
    seat: EntropySeat
    reveal: Hex32


class Beacon(Envelope):
    """The beacon round, as published."""

    type: Literal["beacon"] = "beacon"
    chain: Hex32
    round: Count
    signature: Hex
    randomness: Hex32


class Seated(Envelope):
    """Players in the order of the places that the seat draw gave them."""

    type: Literal["seated"] = "seated"
    order: tuple[Name, ...]


class HandStarted(Envelope):
    """The hand's number, dealer and what carries over; counts of the shuffle's stream."""

    type: Literal["hand_started"] = "hand_started"
    hand: Count
    dealer: Seat
    round_wind: Annotated[Wind | None, Present] = None
    streak: Annotated[Count | None, Present] = None
    levels: Annotated[tuple[str, ...] | None, Present] = None
    wall_root: Annotated[Hex32 | None, Present] = None
    words: Annotated[Count | None, Present] = None
    rejects: Annotated[Count | None, Present] = None


class GaChosen(Decision):
    """A seat's ga before the deal (Hainan)."""

    type: Literal["ga_chosen"] = "ga_chosen"
    seat: Seat
    ga: Count


class Dice(Envelope):
    """One throw."""

    type: Literal["dice"] = "dice"
    seat: Seat
    values: tuple[Annotated[int, Field(ge=1, le=6)], ...]


class Wild(Envelope):
    """The wild kind of the hand, where rules draw one."""

    type: Literal["wild"] = "wild"
    tile: Tile
    indicator: Annotated[Tile | None, Present] = None


class Dealt(Envelope):
    """One seat's tiles or cards, in the order taken."""

    type: Literal["dealt"] = "dealt"
    seat: Seat
    tiles: tuple[Piece, ...]


class Drawn(Envelope):
    """One tile from an end of the wall; `left` counts the untaken tiles after it, reserve included."""

    type: Literal["drawn"] = "drawn"
    seat: Seat
    tile: Piece
    end: Literal["head", "tail"]
    left: Count


class Flower(Envelope):
    """A flower exposed; its replacement is the next event."""

    type: Literal["flower"] = "flower"
    seat: Seat
    tile: Tile


class Discarded(Decision):
    """A discard; `drawn`: it is the tile of the last `drawn` in this turn."""

    type: Literal["discarded"] = "discarded"
    seat: Seat
    tile: Tile
    drawn: Flag = None


class Answered(Decision):
    """A seat's one answer in a claim window; `to` is the seq of the discard or added kong."""

    type: Literal["answered"] = "answered"
    seat: Seat
    to: Count
    answer: Literal["pass", "win", "kong", "pung", "chow"]
    tiles: Annotated[Tiles | None, Present] = None


class Melded(Envelope):
    """The claim that prevailed."""

    type: Literal["melded"] = "melded"
    seat: Seat
    kind: Literal["chow", "pung", "direct_kong"]
    tiles: Tiles
    claimed: Tile
    from_: Annotated[int, Field(ge=0, le=9, alias="from")]

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class Konged(Decision):
    """A kong declared in one's own turn."""

    type: Literal["konged"] = "konged"
    seat: Seat
    kind: Literal["concealed_kong", "added_kong"]
    tiles: Tiles


class Declared(Decision):
    """A self-drawn win, eight flowers; riichi words in imported logs."""

    type: Literal["declared"] = "declared"
    seat: Seat
    what: Literal["win", "eight_flowers", "riichi", "nine_terminals"]


class Won(Envelope):
    """One winner; no `tile` with heavenly and eight_flowers."""

    type: Literal["won"] = "won"
    seat: Seat
    tile: Annotated[Tile | None, Present] = None
    by: Literal["self_draw", "discard", "robbed"]
    from_: Annotated[int | None, Present, Field(ge=0, le=9, alias="from")] = None
    occasion: Annotated[
        Literal["kong_bloom", "flower_bloom", "heavenly", "earthly", "last_discard", "eight_flowers", "flowers"] | None,
        Present,
    ] = None

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class DrawnHand(Envelope):
    """The hand ends without a winner."""

    type: Literal["drawn_hand"] = "drawn_hand"
    reason: Name


class PatternLine(Part):
    """A pattern and what it counted."""

    id: Name
    tai: Annotated[Amount | None, Present] = None
    fan: Annotated[Amount | None, Present] = None
    hu: Annotated[Amount | None, Present] = None


class WinnerLine(Part):
    """A winner's patterns and worth in points."""

    seat: Seat
    patterns: Annotated[tuple[PatternLine, ...] | None, Present] = None
    tai: Annotated[Amount | None, Present] = None
    multiplier: Annotated[Amount | None, Present] = None
    points: Amount


class PayLine(Part):
    """One payment, with the clause that demands it."""

    from_: Annotated[int, Field(ge=0, le=9, alias="from")]
    to: Seat
    amount: Count
    reason: Name
    clause: Name


class Settled(Envelope):
    """What the hand pays: winners, payments (sum of the lines, zero in total), lines."""

    type: Literal["settled"] = "settled"
    winners: tuple[WinnerLine, ...]
    payments: tuple[Amount, ...]
    lines: Annotated[tuple[PayLine, ...] | None, Present] = None
    outcome: Annotated[dict[str, Any] | None, Present] = None

    def record(self) -> Record:
        """Return the JSON object of the event."""
        return self.model_dump(mode="json", exclude_none=True, by_alias=True)


class NextHand(Part):
    """What the next hand starts with."""

    dealer: Seat
    round_wind: Annotated[Wind | None, Present] = None
    streak: Annotated[Count | None, Present] = None
    levels: Annotated[tuple[str, ...] | None, Present] = None


class HandEnded(Envelope):
    """Scores after the hand, start points included; no `next` after the last one."""

    type: Literal["hand_ended"] = "hand_ended"
    scores: tuple[Amount, ...]
    next: Annotated[NextHand | None, Present] = None


class Revealed(Envelope):
    """The seed of a hand with its inclusion path under `root_s`."""

    type: Literal["revealed"] = "revealed"
    hand: Count
    seed: Hex
    path: tuple[Hex32, ...]


class Voided(Decision):
    """The hand in play is void; its seed is revealed all the same."""

    type: Literal["voided"] = "voided"
    hand: Count
    actor: Name
    reason: Name


class Penalised(Envelope):
    """A penalty that the options name (series only)."""

    type: Literal["penalised"] = "penalised"
    seat: Seat
    amount: Amount
    clause: Name


class Refused(Decision):
    """An act that the server refused: `tried` is the decision's body."""

    type: Literal["refused"] = "refused"
    seat: EntropySeat
    tried: dict[str, Any]
    clause: Name


class Away(Decision):
    """A seat lost its connection."""

    type: Literal["away"] = "away"
    seat: Seat


class Back(Decision):
    """A seat is back."""

    type: Literal["back"] = "back"
    seat: Seat


class Voted(Decision):
    """A vote on ending the match early (modes.md 1)."""

    type: Literal["voted"] = "voted"
    seat: Seat
    answer: Literal["yes", "no"]


class Closed(Envelope):
    """The end of the game; the root seed opens every unused hand too."""

    type: Literal["closed"] = "closed"
    scores: tuple[Amount, ...]
    reason: Literal["match_end", "max_hands", "bankrupt", "dissolved", "void_epoch", "abandoned"]
    root_seed: Annotated[Hex32 | None, Present] = None


class Bid(Decision):
    """A bid; 0 is a pass (Niuniu, three-against-one)."""

    type: Literal["bid"] = "bid"
    seat: Seat
    bid: Count


class Banker(Envelope):
    """Who holds the bank (Niuniu)."""

    type: Literal["banker"] = "banker"
    seat: Seat
    bid: Count


class Bet(Decision):
    """A stake against the bank (Niuniu)."""

    type: Literal["bet"] = "bet"
    seat: Seat
    amount: Count


class Shown(Envelope):
    """A hand shown with its bull (Niuniu)."""

    type: Literal["shown"] = "shown"
    seat: Seat
    cards: tuple[Card, ...]
    bull: Name


class Escaped(Decision):
    """A seat left during a hand (Niuniu)."""

    type: Literal["escaped"] = "escaped"
    seat: Seat


class Called(Decision):
    """A declaration while drawing; without a card a pass (forty)."""

    type: Literal["called"] = "called"
    seat: Seat
    card: Annotated[Card | None, Present] = None


class Kitty(Envelope):
    """The kitty goes to a seat; `suit` where the turned card decides the trump."""

    type: Literal["kitty"] = "kitty"
    seat: Seat
    cards: tuple[Card, ...]
    suit: Annotated[Literal["S", "H", "C", "D"] | None, Present] = None


class Buried(Decision):
    """Cards put away from the hand."""

    type: Literal["buried"] = "buried"
    seat: Seat
    cards: tuple[Card, ...]


class Trump(Decision):
    """The trump suit."""

    type: Literal["trump"] = "trump"
    seat: Seat
    suit: Literal["S", "H", "C", "D"]


class Played(Decision):
    """A card played to a trick."""

    type: Literal["played"] = "played"
    seat: Seat
    card: Card


class Trick(Envelope):
    """Who took the trick, and its points."""

    type: Literal["trick"] = "trick"
    winner: Seat
    points: Count


class Dora(Envelope):
    """An indicator turned (imported riichi logs)."""

    type: Literal["dora"] = "dora"
    tile: Tile


TYPES: Final[tuple[type[Envelope], ...]] = (
    Opened, Committed, Entropy, Beacon, Seated, HandStarted, GaChosen, Dice, Wild, Dealt, Drawn, Flower, Discarded,
    Answered, Melded, Konged, Declared, Won, DrawnHand, Settled, HandEnded, Revealed, Voided, Penalised, Refused,
    Away, Back, Voted, Closed, Bid, Banker, Bet, Shown, Escaped, Called, Kitty, Buried, Trump, Played, Trick, Dora,
)  # fmt: skip
WORDS: Final[dict[str, type[Envelope]]] = {model.model_fields["type"].default: model for model in TYPES}
DECISIONS: Final = frozenset(word for word, model in WORDS.items() if issubclass(model, Decision))

_READERS: Final[dict[str, TypeAdapter[Envelope]]] = {word: TypeAdapter(model) for word, model in WORDS.items()}


def canonical(record: Record) -> bytes:
    """Return the one byte form of a record (RFC 8785 within the profile of ledger.md 1)."""
    return orjson.dumps(record, option=orjson.OPT_SORT_KEYS)


def check(line: bytes, record: Record) -> Envelope:
    """Return the model of a record already parsed from `line`; raise EventError where the schema refuses it."""
    word = record.get("type")
    reader = _READERS.get(word) if isinstance(word, str) else None
    if reader is None:
        msg = f"type: unknown word {word!r}"
        raise EventError(msg)
    try:
        return reader.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "event"
        msg = f"{word}: {where}: {first['msg']}"
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

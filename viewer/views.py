"""The view models of a game: what a picture, a text table or a screen reader needs, as JSON objects.

They hold no rule: whoever draws them decides nothing. `frames` makes them, the component (`table/main.js`) and
`text` draw them. A key that does not apply is absent; tiles are codes of `mahjong.md` 0.1; amounts are points.
"""

from typing import Any, Literal, NotRequired, TypedDict

from viewer.translate import Text


class MeldView(TypedDict):
    """A set on the table. `tiles` stand as on a table: the place of the claimed one says whom it came from."""

    kind: str
    tiles: list[str]
    claimed: NotRequired[int]
    """Position of the claimed tile in `tiles`."""
    source: NotRequired[int]
    """Seat whose discard it was."""
    pending: NotRequired[bool]
    """An added kong that may still be robbed."""
    closed: NotRequired[bool]
    """A concealed kong that the rules leave face down."""


class LockView(TypedDict):
    """What a declined claim forbids the seat for now (mahjong.md 2.3): any win, wins on and pungs of single tiles."""

    win: bool
    wins: list[str]
    pungs: list[str]


class WallView(TypedDict):
    """The wall as all may see it: how much is taken at either end, never a face.

    Places are those of the draw sequence: 0 is the first tile drawn, upper before lower in each stack.
    """

    size: int
    first: int
    """Stack, counted clockwise from seat 0's right end, where the wall is broken."""
    head: int
    tail: int
    dead: int
    """Tiles that are never drawn, as things stand."""
    reverse: bool
    """Whether the tail takes lower tiles first."""
    dice: list[list[int]]


class ChoiceView(TypedDict):
    """What a seat could have chosen at an event: tiles it could have let go, and other acts."""

    seat: int
    tiles: list[str]
    any: NotRequired[bool]
    """Every tile it held; `tiles` is then empty."""
    acts: list[Text]


class DiscardView(TypedDict):
    """A tile in front of a seat: discarded as drawn, and who took it (`won`: as a win)."""

    tile: str
    drawn: NotRequired[bool]
    taken: NotRequired[int]
    won: NotRequired[bool]


class SeatView(TypedDict):
    """One seat's tiles. `hand` is sorted, without the tile just drawn; `win` is the tile won from another."""

    wind: str
    hand: list[str]
    drawn: NotRequired[str]
    win: NotRequired[str]
    melds: list[MeldView]
    flowers: list[str]
    discards: list[DiscardView]
    """In card games the card played to the trick."""
    note: NotRequired[Text]
    """What else is known of the seat: its role, bid, bet, points."""
    locks: NotRequired["LockView"]


class AskedView(TypedDict):
    """A seat that a claim window asks: what it may answer beside pass, and its answer where it has come."""

    seat: int
    may: list[str]
    answer: NotRequired[str]
    after: NotRequired[int]
    """ms from the tile that opened the window to the answer."""


class WindowView(TypedDict):
    """A claim window: the tile, whose it is, and the seats asked."""

    tile: str
    source: int
    to: int
    robbing: bool
    asked: list[AskedView]


class PatternView(TypedDict):
    """A pattern by name, with what it counted (`unit` tai, fan, hu)."""

    id: str
    name: Text
    worth: NotRequired[int]
    unit: NotRequired[str]


class WinnerView(TypedDict):
    """A winner's patterns and worth."""

    seat: int
    patterns: list[PatternView]
    tai: NotRequired[int]
    multiplier: NotRequired[int]
    points: int


class LineView(TypedDict):
    """One payment with its reason and the clause that demands it."""

    payer: int
    payee: int
    amount: int
    reason: Text
    clause: str


class SettlementView(TypedDict):
    """The settlement as recorded."""

    winners: list[WinnerView]
    lines: list[LineView]
    payments: list[int]
    outcome: NotRequired[list[Text]]
    """How a contract of a card game ended, fact by fact."""


class FindingView(TypedDict):
    """A failed check at an event (ledger.md 6)."""

    level: int
    seq: int
    code: str
    clause: str
    expected: Any
    found: Any
    text: NotRequired[Text]
    follows: NotRequired[bool]


class LastView(TypedDict):
    """What the event did: by which seat, which tile, where it lies now."""

    seat: int
    what: str
    tile: NotRequired[str]


Standing = Literal["lawful", "expected", "recorded"]
"""lawful: replayed; expected: after a fault, the table as the rules demand it; recorded: not replayed, stands still."""


class Frame(TypedDict):
    """One event and the table after it. `hand` is -1 before the first; `winds` and `seats` are empty there."""

    seq: int
    at: int
    type: str
    hand: int
    words: Text
    standing: Standing
    players: list[str]
    """Players by place at the table, as in `opened` until they are seated."""
    scores: list[int]
    dealer: int
    round_wind: str
    winds: list[str]
    left: int
    turn: int
    """Seat to act, -1: none."""
    seats: list[SeatView]
    last: NotRequired[LastView]
    window: NotRequired[WindowView]
    note: NotRequired[Text]
    """What all play under: trump, bid, levels."""
    wall: NotRequired[WallView]
    wild: NotRequired[str]
    """The kind that stands for any."""
    decision: NotRequired[int]
    """Seat whose own choice the event was."""
    could: NotRequired[list[ChoiceView]]
    """What could have been chosen here, seat by seat."""
    clause: NotRequired[str]
    """Clause that demands the event, where it follows by the rules."""
    raw: NotRequired[str]
    cut: NotRequired[bool]
    """Part of `raw` is left out for the reader."""
    """The event as stored, as far as the reader may see it."""
    settlement: NotRequired[SettlementView]
    mark: NotRequired[str]
    """claim, kong, win, draw, void: what the scrub rail and the n and p keys stop at."""
    findings: NotRequired[list[FindingView]]


class HandView(TypedDict):
    """A hand of the game: which frames it has, how it ended. `hand` -1: what comes before the first."""

    hand: int
    dealer: int
    round_wind: str
    first: int
    last: int
    result: Text
    payments: NotRequired[list[int]]
    scores: list[int]
    findings: int


class Picture(TypedDict):
    """A whole game, ready to be drawn."""

    format: int
    game: str
    rules: str
    rules_name: Text
    draw: Text
    """What the game calls a hand without a winner."""
    players: list[str]
    hands: list[HandView]
    frames: list[Frame]
    clauses: dict[str, Text]
    """Text of each clause that a line or a finding cites, where it is known."""
    notes: list[Text]
    """What could not be checked, and why."""

"""A seat's view: what one player is shown of a game, event by event (spec `events.md`, A seat's view).

Until the hand's `revealed` (or `closed`) a player is shown each event as canonical bytes with what is not his left out:

    dealt        `tiles` of another                      drawn       `tile` of another
    konged       `tiles` of another's concealed kong that lies face down (option `concealed_kong_open`)
    answered     `answer`, `tiles` (and `auto`, which tells the answer) of another, while the window is open
    entropy      `reveal` of another, before the last one is in
    buried       `cards` of another                      kitty       `cards` of another, unless they are shown to all
    refused      the same within `tried` of another      any event   `sig` of another

A signature carries the chain over what *its* player was shown, his hidden tiles among it: 34 guesses at the newest of
them would find the one that fits, so another's `sig` is no more to be seen than the tiles. Nothing here is ever a hash.

An event has one form in which it is first shown, and the `head` of signed commands is the chain over those: an
`answered` arrives while its window is open, so the last answer of a window is first shown as the others are. Whole
events are shown again later (`shown_now`), which changes no head. The fold knows seats, not lawfulness: it is total on
canonical records of any kind, and where the rules are not known it leaves out more rather than less.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.errors import EventError, RulesError, UnknownRulesError
from engine.events import Record, canonical, check, load
from engine.variants import by_digest

ALWAYS_OPENED: Final = ("committed", "entropy")
"""Events whose `seat` is the one of `opened`, not the place at the table."""
HIDDEN: Final[dict[str, tuple[str, ...]]] = {
    "dealt": ("tiles",),
    "drawn": ("tile",),
    "answered": ("answer", "tiles", "auto"),
    "entropy": ("reveal",),
    "buried": ("cards",),
    "kitty": ("cards",),
    "konged": ("tiles",),
}
"""What is left out of another's event, by its type."""
BETWEEN: Final = ("away", "back", "refused", "voted")
"""Events that may stand between the answers of one window."""
NOBODY: Final = -1


class View:
    """The view of one seat (as numbered in `opened`); feed it every event of the game in order.

    `place` is where the seat sits at the table; NOBODY for a witness.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.place = NOBODY
        self._player: object = None
        self._rules: Any = None
        self._entropy = [0, 0]
        self._bid = 0

    def first_shown(self, record: Record) -> bytes:
        """Return the event's bytes as this seat is first shown them."""
        self._learn(record)
        return canonical(self._shown(record))

    def _learn(self, record: Record) -> None:
        kind = record.get("type")
        if kind == "opened":
            self._opened(record)
        elif kind == "seated":
            order = record.get("order")
            self.place = order.index(self._player) if isinstance(order, list) and self._player in order else NOBODY
        elif kind in ALWAYS_OPENED:
            self._entropy[kind == "entropy"] += 1
        elif kind == "hand_started":
            self._bid = 0
        elif kind == "bid" and isinstance(record.get("bid"), int):
            self._bid = max(self._bid, record["bid"])

    def _opened(self, record: Record) -> None:
        try:
            check(canonical(record), record)
            its = record["rules"]
            self._rules = by_digest(its["id"], its["options"], its["digest"])
        except (EventError, RulesError, UnknownRulesError):
            self._rules = None
        entries = record.get("seats")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and entry.get("seat") == self.seat:
                self._player = entry.get("player")
                self.place = NOBODY if entry.get("kind") == "witness" else self.seat

    def _shown(self, record: Record) -> Record:
        return record if "seat" not in record or self._own(record) else self._redacted(record)

    def _redacted(self, record: Record) -> Record:
        left_out = {*self._left_out(record), "sig"}
        shown = {name: value for name, value in record.items() if name not in left_out}
        tried = record.get("tried")
        return shown | {"tried": self._redacted(tried)} if isinstance(tried, dict) else shown

    def _own(self, record: Record) -> bool:
        seat = record["seat"]
        tried = record.get("tried")
        kind = tried.get("type") if isinstance(tried, dict) else record.get("type")
        return bool(seat == (self.seat if kind in ALWAYS_OPENED else self.place))

    def _left_out(self, record: Record) -> Sequence[str]:
        kind = record.get("type")
        if kind == "entropy" and self._entropy[0] == self._entropy[1]:
            return ()
        if kind == "konged" and (record.get("kind") != "concealed_kong" or self._open_kongs()):
            return ()
        if kind == "kitty" and self._bid <= getattr(self._rules, "show_kitty_max_bid", NOBODY):
            return ()
        return HIDDEN.get(kind, ()) if isinstance(kind, str) else ()

    def _open_kongs(self) -> bool:
        return bool(getattr(self._rules, "concealed_kong_open", False))


def first_shown(lines: Sequence[bytes], seat: int) -> Iterator[bytes]:
    """Yield each event of a game as the seat is first shown it."""
    view = View(seat)
    for line in lines:
        yield view.first_shown(load(line))


def shown_now(lines: Sequence[bytes], seat: int) -> list[bytes]:
    """Return the game so far as the seat may see it now: what is revealed whole, what is told by now but signatures."""
    records = [load(line) for line in lines]
    if records and records[-1].get("type") == "closed":
        return list(lines)
    whole, told = _open_to_all(records)
    view = View(seat)
    found: list[bytes] = []
    for place, record in enumerate(records):
        first = view.first_shown(record)
        if place in whole or first == lines[place]:
            found.append(lines[place])
        elif place in told:
            found.append(canonical({name: value for name, value in record.items() if name != "sig"}))
        else:
            found.append(first)
    return found


def _open_to_all(records: Sequence[Record]) -> tuple[set[int], set[int]]:
    """Give the places of the events of revealed hands, and of those told since: closed windows, all entropy."""
    whole: set[int] = set()
    told: set[int] = set()
    hand: list[int] = []
    window: list[int] = []
    reveals: list[int] = []
    commits = 0
    for place, record in enumerate(records):
        kind = record.get("type")
        if kind == "hand_started":
            hand = []
        hand.append(place)
        if kind == "answered":
            window.append(place)
        elif kind not in BETWEEN:
            told |= set(window) if kind != "voided" else set()
            window = []
        commits += kind == "committed"
        if kind == "entropy":
            reveals.append(place)
            told |= set(reveals) if len(reveals) == commits else set()
        elif kind == "revealed":
            whole |= set(hand)
    return whole, told

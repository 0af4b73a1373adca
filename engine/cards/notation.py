"""How hands and exposed flowers are written: `123m 46p EE C` and `f2 f6` (mahjong.md 0.1; cases/README.md).

Parse and format mirror each other: what `format_*` writes, `parse_*` reads back, sorted by kind. A hand never holds
flowers; whether all tiles of a table make one deck is the caller's question, since it alone knows the melds.
"""

from collections.abc import Iterable, Sequence

from engine.cards.tiles import FLOWERS, HONOURS, INDEX, KINDS, SUITS

_DIGITS = "123456789"  # not str.isdigit, which lets full-width digits through


class NotationError(ValueError):
    """A text that is no hand or no list of flowers: the text, the column (from 0) of the fault, and the reason."""

    def __init__(self, text: str, position: int, reason: str) -> None:
        super().__init__(f"column {position} of {text!r}: {reason}")
        self.text = text
        self.position = position
        self.reason = reason


def parse_hand(text: str, *, copies: int = 4) -> tuple[int, ...]:
    """Read a hand as kind indices (0..33) in the order written.

    Groups of digits end with their suit `m p s`; honours are one letter a tile; spaces part groups. More than `copies`
    of a kind are refused. Raises NotationError.
    """
    kinds: list[int] = []
    pending: list[int] = []  # columns of the digits that wait for their suit
    count = [0] * FLOWERS

    def take(kind: int, position: int) -> None:
        count[kind] += 1
        if count[kind] > copies:
            raise NotationError(text, position, f"more than {copies} copies of {KINDS[kind]}")
        kinds.append(kind)

    for position, sign in enumerate(text):
        if sign in _DIGITS:
            pending.append(position)
            continue
        if sign in SUITS:
            if not pending:
                raise NotationError(text, position, f"suit {sign!r} without digits before it")
            for column in pending:
                take(INDEX[text[column] + sign], column)
            pending.clear()
            continue
        if pending:
            raise NotationError(text, position, f"digits need their suit (m, p, s) here, not {sign!r}")
        if sign in HONOURS:
            take(INDEX[sign], position)
        elif sign == "f":
            raise NotationError(text, position, "a hand holds no flowers")
        elif sign != " ":
            raise NotationError(text, position, f"{sign!r} is neither a digit 1-9, a suit, an honour nor a space")
    if pending:
        raise NotationError(text, len(text), "digits need their suit (m, p, s) at the end")
    return tuple(kinds)


def format_hand(kinds: Iterable[int]) -> str:
    """Write kind indices as a hand, sorted: one group a suit, one a kind of honour (`123m 46p EE C`).

    A flower or a number that is no kind raises ValueError.
    """
    ordered = sorted(kinds)
    _bounded(ordered, 0, FLOWERS)
    groups = ["".join(KINDS[kind][0] for kind in ordered if KINDS[kind][-1] == suit) + suit for suit in SUITS]
    groups = [group for group in groups if len(group) > 1]
    groups += [KINDS[kind] * ordered.count(kind) for kind in range(27, FLOWERS) if kind in ordered]
    return " ".join(groups)


def parse_flowers(text: str) -> tuple[int, ...]:
    """Read exposed flowers, `f2 f6`, as kind indices (34..41) in the order written; each exists once.

    Raises NotationError.
    """
    kinds: list[int] = []
    position = 0
    while position < len(text):
        if text[position] == " ":
            position += 1
            continue
        if text[position] != "f":
            raise NotationError(text, position, f"a flower begins with 'f', not {text[position]!r}")
        code = text[position : position + 2]
        if code not in INDEX:
            raise NotationError(text, position + 1, "a flower's number is 1-8")
        if INDEX[code] in kinds:
            raise NotationError(text, position, f"{code} exists once")
        kinds.append(INDEX[code])
        position += 2
    return tuple(kinds)


def format_flowers(kinds: Iterable[int]) -> str:
    """Write flower kinds (34..41), sorted: `f2 f6`. Any other kind raises ValueError."""
    ordered = sorted(kinds)
    _bounded(ordered, FLOWERS, len(KINDS))
    return " ".join(KINDS[kind] for kind in ordered)


def _bounded(ordered: Sequence[int], low: int, high: int) -> None:
    for kind in ordered:
        if not low <= kind < high:
            raise ValueError(f"kind {kind} is not in {low}..{high - 1}")

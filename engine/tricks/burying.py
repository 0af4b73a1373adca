"""Which six cards may be put away (`cards.md`, Kitty): every choice listed without making the list.

Six of eighteen cards are 18,564 choices. `Burials` is their sequence, in the order of the deck; each body is made
when it is asked for.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from typing import overload

from engine.cards import CARD_INDEX, CARDS
from engine.events import Body
from engine.tricks.order import POINTS, members, points_of
from engine.tricks.state import KITTY


def bury_fault(held: int, codes: Sequence[str], most: int | None) -> str:
    """Return the clause key against burying these cards of a hand, "" where it is lawful.

    Six different cards of the hand in deck order, with at most `most` card points (None: any).
    """
    cards = [CARD_INDEX[code] for code in codes]
    if len(cards) != KITTY:
        return "bury.six"
    if any(not held >> card & 1 for card in cards) or len(set(cards)) != KITTY:
        return "bury.held"
    if cards != sorted(cards):
        return "bury.order"
    return "bury.points" if most is not None and points_of(cards) > most else ""


class Burials(Sequence[Body]):
    """Every lawful burial of a hand, in deck order. `most`: card points that may go; None: any."""

    def __init__(self, seat: int, held: int, most: int | None) -> None:
        self._seat = seat
        self._most = most
        whole = tuple(members(held))
        self._cards = whole if most != 0 else tuple(card for card in whole if not POINTS[card])
        # A limit between nothing and everything is no plain choice of six: there the choices are listed after all.
        self._listed = [*filter(self._allowed, combinations(self._cards, KITTY))] if most else None

    def _allowed(self, cards: Sequence[int]) -> bool:
        return not self._most or points_of(cards) <= self._most

    def _body(self, cards: Sequence[int]) -> Body:
        return {"type": "buried", "seat": self._seat, "cards": [CARDS[card] for card in cards]}

    def __len__(self) -> int:
        return comb(len(self._cards), KITTY) if self._listed is None else len(self._listed)

    @overload
    def __getitem__(self, index: int) -> Body: ...

    @overload
    def __getitem__(self, index: slice) -> list[Body]: ...

    def __getitem__(self, index: int | slice) -> Body | list[Body]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(index)
        return self._body(self._unranked(at) if self._listed is None else self._listed[at])

    def _unranked(self, at: int) -> list[int]:
        """Return the choice at a position in lexicographic order, as `combinations` would list it."""
        chosen: list[int] = []
        place = 0
        while len(chosen) < KITTY:
            without = comb(len(self._cards) - place - 1, KITTY - len(chosen) - 1)
            if at < without:
                chosen.append(self._cards[place])
            else:
                at -= without
            place += 1
        return chosen

    def __iter__(self) -> Iterator[Body]:
        choices = combinations(self._cards, KITTY) if self._listed is None else self._listed
        return map(self._body, choices)

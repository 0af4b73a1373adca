"""Which six cards may be put away (`cards.md`, Kitty): every choice listed without making the list.

Six of eighteen cards are 18,564 choices. `Burials` is their sequence, in the order of the deck; each body is made
when it is asked for.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
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
        self._cards = tuple(members(held))
        self._most = points_of(self._cards) if most is None else most
        self._known: dict[tuple[int, int, int], int] = {}

    def _count(self, place: int, size: int, most: int) -> int:
        """Return how many choices of `size` cards from `place` on hold at most so many points."""
        if size == 0:
            return 1
        if place == len(self._cards):
            return 0
        key = (place, size, most)
        found = self._known.get(key)
        if found is None:
            found = self._count(place + 1, size, most)
            left = most - POINTS[self._cards[place]]
            if left >= 0:
                found += self._count(place + 1, size - 1, left)
            self._known[key] = found
        return found

    def _body(self, cards: Sequence[int]) -> Body:
        return {"type": "buried", "seat": self._seat, "cards": [CARDS[card] for card in cards]}

    def __len__(self) -> int:
        return self._count(0, KITTY, self._most)

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
        return self._body(self._unranked(at))

    def _unranked(self, at: int) -> list[int]:
        """Return the choice at a position in the order in which `combinations` lists them."""
        chosen: list[int] = []
        left = self._most
        for place, card in enumerate(self._cards):
            size = KITTY - len(chosen)
            if size == 0:
                break
            after = left - POINTS[card]
            taking = self._count(place + 1, size - 1, after) if after >= 0 else 0
            if at < taking:
                chosen.append(card)
                left = after
            else:
                at -= taking
        return chosen

    def __iter__(self) -> Iterator[Body]:
        choices = combinations(self._cards, KITTY)
        return (self._body(cards) for cards in choices if points_of(cards) <= self._most)

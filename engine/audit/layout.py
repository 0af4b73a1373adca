"""Which places of a dealt deck make the opening hands (T11): by the rules' dealing, the dealer first.

Places count in dealing order: the draw sequence of mahjong (`mahjong.md` 0.4), the deck itself with cards.
"""

from dataclasses import dataclass

from engine.mahjong.wall import deal_positions


@dataclass(frozen=True, slots=True)
class Layout:
    """Named opening hands: the places that each seat's tiles take, the dealer's first."""

    name: str
    hands: tuple[tuple[int, ...], ...]

    @property
    def least(self) -> int:
        """Return how many tiles every seat has: those that seats can be compared by."""
        return min(len(hand) for hand in self.hands)

    @property
    def dealt(self) -> int:
        """Return how many places the opening takes from place 0 on."""
        return max(max(hand) for hand in self.hands) + 1


def turned(players: int, cards: int) -> tuple[tuple[int, ...], ...]:
    """Return hands dealt card by card in turn."""
    return tuple(tuple(range(place, players * cards, players)) for place in range(players))


LAYOUTS: dict[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout("mahjong", deal_positions(4)),
        Layout("mahjong3", deal_positions(3)),
        Layout("riichi", tuple(hand[:13] for hand in deal_positions(4))),
        Layout("riichi3", tuple(hand[:13] for hand in deal_positions(3))),
        Layout("cards13", turned(4, 13)),
        Layout("cards12", turned(4, 12)),
        *(Layout(f"niuniu{players}", turned(players, 5)) for players in range(2, 11)),
    )
}
"""Every layout by name."""


def layout_of(n: int) -> Layout:
    """Return the usual layout of a deck of n: mahjong from 100 on, four hands of cards below; LookupError under 48."""
    if n >= 100:
        return LAYOUTS["mahjong"]
    if n >= 54:
        return LAYOUTS["cards12"]
    if n >= 52:
        return LAYOUTS["cards13"]
    raise LookupError(f"no layout for a deck of {n}")

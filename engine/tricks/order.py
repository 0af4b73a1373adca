"""Groups and order of the 54 cards once the trumps are known, and who takes a trick (`cards.md`, "Rank", "Play").

Cards are deck positions 0..53 (`engine.cards.CARDS`); a set of cards is an integer with one bit for each. There are
five groups to follow: the four suits without their trumps, and all trumps together.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from engine.cards import CARD_INDEX, CARDS

SUITS = "SHCD"
RANKS = "23456789TJQKA"
"""Ranks from low to high, where no rule lifts one."""
TRUMP = 4
"""The group of the trumps; 0..3 are the suits in the order of `SUITS`."""
BIG, SMALL = 52, 53

SUIT_OF: tuple[int, ...] = tuple(SUITS.find(code[1]) for code in CARDS)
"""Printed suit of each card, -1 for the jokers."""
RANK_OF: tuple[int, ...] = tuple(RANKS.index(code[0]) if code[0] in RANKS else len(RANKS) for code in CARDS)
"""Position of each card's rank in `RANKS`; 13 for the jokers."""
POINTS: tuple[int, ...] = tuple({"5": 5, "T": 10, "K": 10}.get(code[0], 0) for code in CARDS)
"""Card points, 100 in the deck: 5 = 5, 10 = 10, K = 10."""


def bits(cards: Iterable[int]) -> int:
    """Return the set of some cards."""
    whole = 0
    for card in cards:
        whole |= 1 << card
    return whole


def members(cards: int) -> Iterator[int]:
    """Yield the cards of a set in deck order."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def names(cards: int) -> list[str]:
    """Return the codes of a set in deck order."""
    return [CARDS[card] for card in members(cards)]


def points_of(cards: Iterable[int]) -> int:
    """Return the card points of some cards."""
    return sum(POINTS[card] for card in cards)


def of_rank(rank: str) -> int:
    """Return the set of the four cards of a rank."""
    return bits(CARD_INDEX[rank + suit] for suit in SUITS)


ALL = (1 << len(CARDS)) - 1
POINT_CARDS = bits(card for card in range(len(CARDS)) if POINTS[card])


class Trumps(NamedTuple):
    """What the trumps make of the deck. `suit` "" where no suit is trump."""

    suit: str
    group: tuple[int, ...]
    """Per card: the group it is followed in."""
    strength: tuple[int, ...]
    """Per card: its rank within the group; equal ranks are taken by the one played first."""
    masks: tuple[int, ...]
    """Per group: its cards."""
    powers: tuple[tuple[int, ...], ...]
    """Per led group and card: what it may win with; 0 for a card of neither the led group nor the trumps."""


@cache
def trumps(suit: str, lifted: tuple[str, ...]) -> Trumps:
    """Return groups and order for a trump suit ("" for none) and the ranks that are always trump, highest first.

    High to low: big joker, small joker; for each lifted rank the trump suit's card, then the other three, which are
    equal (all four where no suit is trump); then the trump suit, ace high, two low, without the lifted ranks.
    """
    group = list(SUIT_OF)
    strength = list(RANK_OF)
    group[BIG] = group[SMALL] = TRUMP
    strength[BIG], strength[SMALL] = 40, 39
    for card, code in enumerate(CARDS[:BIG]):
        own = code[1] == suit
        if code[0] in lifted:
            strength[card] = 37 - 2 * lifted.index(code[0]) + own
        if own or code[0] in lifted:
            group[card] = TRUMP
    masks = tuple(bits(card for card in range(len(CARDS)) if group[card] == led) for led in range(TRUMP + 1))
    powers = tuple(
        tuple(_power(led, group[card], strength[card]) for card in range(len(CARDS))) for led in range(TRUMP + 1)
    )
    return Trumps(suit, tuple(group), tuple(strength), masks, powers)


def _power(led: int, group: int, strength: int) -> int:
    if group == TRUMP:
        return 101 + strength
    return 1 + strength if group == led else 0


def winner(order: Trumps, cards: Sequence[int]) -> int:
    """Return who takes a trick, as a position in playing order: the highest trump, else the highest of the led group.

    Of equal cards the one played first wins.
    """
    power = order.powers[order.group[cards[0]]]
    values = [power[card] for card in cards]
    return values.index(max(values))


def followers(order: Trumps, cards: int, led: int) -> int:
    """Return which of a seat's cards may be played to a led group: those of the group, or any where it has none."""
    return cards & order.masks[led] or cards

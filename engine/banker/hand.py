"""What five cards are worth (`cards.md`, "Hand value", "Special hands"): their type, its rank and multiplier.

Cards are deck positions 0..53. A type depends on ranks alone, so a `Scale` remembers it by the ranks of the hand; the
definition is `bull` and the special hands below, and a test holds the two equal over all 2,598,960 hands.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from engine.cards import CARDS

HAND = 5
NO_BULL: Final = "none"
BULL_BULL: Final = "bullbull"
BULLS: Final = (NO_BULL, *(f"bull{number}" for number in range(1, 10)), BULL_BULL)
"""The types by bull, lowest first."""

KING, SMALL_JOKER, BIG_JOKER = 12, 13, 14
TEN, JACK = 9, 10

RANK: Final = (*(position % 13 for position in range(52)), BIG_JOKER, SMALL_JOKER)
"""Rank of each card: A 0, 2 1 … K 12, then the small and the big joker: the ace lowest, the jokers highest."""

VALUE: Final = tuple([min(rank + 1, 10) for rank in RANK])
"""Points of each card: A 1, 2-9 its number, 10 J Q K and the jokers 10."""

POWER: Final = tuple([4 * rank + (3 - position // 13 if position < 52 else 0) for position, rank in enumerate(RANK)])
"""Order of the single cards: by rank, then spades, hearts, clubs, diamonds."""

_SHIFT: Final = tuple([8**rank for rank in RANK])
"""Counts of ranks packed into a number, three bits a rank (five cards at most of each)."""


def bull(cards: Sequence[int]) -> int:
    """Return the bull number of five cards: 1..9, 10 for 牛牛, 0 where no three make a multiple of ten.

    Every split gives the same number, since the three cards contribute 0 mod 10.
    """
    values = [VALUE[card] for card in cards]
    if any(sum(three) % 10 == 0 for three in combinations(values, 3)):
        return sum(values) % 10 or 10
    return 0


def split(cards: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the first three cards (in the order given) that make a multiple of ten, and the other two."""
    for three in combinations(range(HAND), 3):
        if sum(VALUE[cards[place]] for place in three) % 10 == 0:
            rest = tuple([cards[place] for place in range(HAND) if place not in three])
            return tuple([cards[place] for place in three]), rest
    return None


SMALL: Final[dict[str, tuple[int, int]]] = {
    "lt5_le10": (4, 10),
    "le5_le10": (5, 10),
    "sum_le10": (10, 10),
    "lt5_lt10": (4, 9),
}
"""Definitions of 五小牛: the most points that a card, and that all five together, may have."""


def is_small(cards: Sequence[int], definition: str) -> bool:
    """Tell whether five cards are a 五小牛 by the named definition."""
    values = [VALUE[card] for card in cards]
    most, most_together = SMALL[definition]
    return max(values) <= most and sum(values) <= most_together


def quad_rank(cards: Sequence[int]) -> int:
    """Return the rank that four of the cards share (炸弹), -1 where none do."""
    ranks = [RANK[card] for card in cards]
    return next((rank for rank in ranks if ranks.count(rank) == 4), -1)


def is_face(card: int, *, joker_is_face: bool) -> bool:
    """Tell whether a card is a J, Q or K; a joker is one by option only."""
    rank = RANK[card]
    return JACK <= rank <= KING or (rank > KING and joker_is_face)


class Value(NamedTuple):
    """A hand measured: its type, the type's place on the scale, the multiplier it wins with, its cards."""

    kind: str
    level: int
    multiplier: int
    cards: tuple[int, ...]

    @property
    def high(self) -> int:
        """Return the power of the highest card, by rank and then suit: no two hands of a deck share it."""
        return max([POWER[card] for card in self.cards])

    @property
    def all_ranks(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return all five ranks, highest first, then the suits in the same order (`all_ranks_then_suits`)."""
        powers = sorted([POWER[card] for card in self.cards], reverse=True)
        return tuple([power // 4 for power in powers]), tuple([power % 4 for power in powers])

    @property
    def best(self) -> tuple[int, int, int]:
        """Return what orders hands wholly: type, the rank of a bomb, the highest card."""
        return self.level, quad_rank(self.cards) if self.kind == "bomb" else 0, self.high


class Scale:
    """The types of one set of rules: which are on, their order, their multipliers.

    `bulls`: multipliers of no bull, bull 1..9, 牛牛. `specials`: multiplier of each special hand that is on.
    `special_order`: of `small`, `bomb` and `flower`; `silver` (银牛) stands below the three, above 牛牛.
    """

    def __init__(
        self,
        *,
        bulls: Sequence[int],
        specials: Mapping[str, int],
        special_order: str,
        five_small: str,
        joker_is_face: bool,
    ) -> None:
        named = {"small": "five_small", "bomb": "bomb", "flower": "five_face"}
        highest_first = [*(named[word] for word in special_order.split(">")), "silver"]
        self.specials = tuple([kind for kind in highest_first if kind in specials])
        """Special hands that are on, the highest first."""
        self.kinds = (*BULLS, *reversed(self.specials))
        """Types by rank, the lowest first."""
        self.multipliers = {**dict(zip(BULLS, bulls, strict=True)), **{kind: specials[kind] for kind in self.specials}}
        self.highest = max(self.multipliers.values())
        """The highest multiplier that a hand can win with."""
        self._five_small = five_small
        self._joker_is_face = joker_is_face
        self._known: dict[int, tuple[str, int, int]] = {}

    def kind(self, cards: Sequence[int]) -> str:
        """Return the type of five cards; of a hand that is two special hands, the higher."""
        for kind in self.specials:
            if self._is(kind, cards):
                return kind
        return BULLS[bull(cards)]

    def value(self, cards: Sequence[int]) -> Value:
        """Return the hand measured, remembered by its ranks."""
        first, second, third, fourth, fifth = cards
        key = _SHIFT[first] + _SHIFT[second] + _SHIFT[third] + _SHIFT[fourth] + _SHIFT[fifth]
        found = self._known.get(key)
        if found is None:
            kind = self.kind(cards)
            found = self._known[key] = (kind, self.kinds.index(kind), self.multipliers[kind])
        return Value(*found, (first, second, third, fourth, fifth))

    def _is(self, kind: str, cards: Sequence[int]) -> bool:
        if kind == "five_small":
            return is_small(cards, self._five_small)
        if kind == "bomb":
            return quad_rank(cards) >= 0
        faces = sum(is_face(card, joker_is_face=self._joker_is_face) for card in cards)
        if kind == "five_face":
            return faces == HAND
        tens = sum(RANK[card] == TEN for card in cards)
        return tens == 1 and faces == HAND - 1


def compare(banker: Value, player: Value, tie: str) -> int:
    """Return 1 where the banker's hand wins, -1 where the player's does, 0 where nobody pays.

    `tie`: what decides between equal types. Bombs never tie: the higher rank wins, whatever `tie` says.
    """
    if banker.level != player.level:
        return 1 if banker.level > player.level else -1
    if banker.kind == "bomb":
        return 1 if quad_rank(banker.cards) > quad_rank(player.cards) else -1
    if tie == "push":
        return 0
    if tie == "banker_wins":
        return 1
    if tie == "all_ranks_then_suits":
        return 1 if banker.all_ranks > player.all_ranks else -1
    return 1 if banker.high > player.high else -1


def codes(cards: Sequence[int]) -> list[str]:
    """Return the codes of cards."""
    return [CARDS[card] for card in cards]

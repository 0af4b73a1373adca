"""Opening hands: what is counted of each, and the exact number of ways to each count (T11).

A feature is a number read off a hand of kinds. Its null distribution over all hands of a deck is enumerated with
integers: group by group of equal tiles, how many ways lead to each value.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.banker.hand import bull
from engine.cards import CARD_INDEX, CARDS, FLOWERS, INDEX

HONOURS: Final = frozenset(range(27, FLOWERS))
COURT: Final = frozenset("AKQJ")


def parts(ids: Sequence[str], wild: str) -> dict[str, tuple[int, ...]]:
    """Return for each grouping its group of every deck index.

    Tiles: `wild` and `honours` 1 where it is one, `kind`, `suit` 0 m, 1 p, 2 s, 3 others. Cards: `high` 1 for A K Q J
    and jokers, `kind` the rank (a joker for itself), `suit` and `colour` S H C D, 4 for jokers.
    """
    codes = [identity.partition(".")[0] for identity in ids]
    if all(code in INDEX for code in codes):
        kinds = [INDEX[code] for code in codes]
        return {
            "wild": tuple([int(code == wild) for code in codes]),
            "honours": tuple([int(kind in HONOURS) for kind in kinds]),
            "kind": tuple(kinds),
            "suit": tuple([min(kind // 9, 3) for kind in kinds]),
        }
    if not all(code in CARD_INDEX for code in codes):
        return {}
    cards = [CARD_INDEX[code] for code in codes]
    suits = tuple([min(card // 13, 4) for card in cards])
    return {
        "high": tuple([int(card >= 52 or CARDS[card][0] in COURT) for card in cards]),
        "kind": tuple([card % 13 if card < 52 else card - 39 for card in cards]),
        "suit": suits,
        "colour": suits,
    }


def choose(n: int, k: int) -> int:
    """Return the binomial coefficient; 0 for k outside 0..n."""
    if not 0 <= k <= n:
        return 0
    found = 1
    for step in range(k):
        found = found * (n - step) // (step + 1)
    return found


@dataclass(frozen=True, slots=True)
class Feature:
    """A number read off a hand: how much each group of the grouping `part` adds for so many tiles of it.

    The values of the groups are added, or the largest counts (`largest`).
    """

    name: str
    part: str
    worth: Callable[[int, int], int]
    """(group, tiles of it in the hand) -> number."""
    largest: bool = False

    def of(self, groups: Sequence[int]) -> int:
        """Return the feature of a hand, given the group of each of its tiles."""
        values = [self.worth(group, count) for group, count in Counter(groups).items()]
        return max(values, default=0) if self.largest else sum(values)

    def ways(self, deck: Sequence[int], size: int) -> dict[int, int]:
        """Return how many of the C(n, size) hands have each value; `deck`: the group of every deck index."""
        found: dict[tuple[int, int], int] = {(0, 0): 1}
        for group, copies in Counter(deck).items():
            after: dict[tuple[int, int], int] = {}
            for (taken, value), ways in found.items():
                for count in range(min(copies, size - taken) + 1):
                    mine = self.worth(group, count)
                    total = max(value, mine) if self.largest else value + mine
                    key = (taken + count, total)
                    after[key] = after.get(key, 0) + ways * choose(copies, count)
            found = after
        return {value: ways for (taken, value), ways in sorted(found.items()) if taken == size}


def _marked(group: int, count: int) -> int:
    return count if group == 1 else 0


def _suited(group: int, count: int) -> int:
    return count if group < 4 else 0


FEATURES: Final = (
    Feature("wild", "wild", _marked),
    Feature("honours", "honours", _marked),
    Feature("high", "high", _marked),
    Feature("pairs", "kind", lambda _, count: int(count >= 2)),
    Feature("longest", "colour", _suited, largest=True),
)
"""Features with one number a hand. The suits' lengths together are a vector of their own."""

BULL_HAND: Final = 5


def bull_ways(kinds: Sequence[int]) -> tuple[int, ...]:
    """Return how many five-card hands of a deck have each bull, 0 (none) … 10; `kinds`: the rank of every index."""
    copies = sorted(Counter(kinds).items())
    found = [0] * 11

    def add(at: int, hand: tuple[int, ...], ways: int) -> None:
        if len(hand) == BULL_HAND:
            found[bull(hand)] += ways
            return
        if at == len(copies):
            return
        rank, count = copies[at]
        card = rank if rank < 13 else rank + 39
        for taken in range(min(count, BULL_HAND - len(hand)) + 1):
            add(at + 1, hand + (card,) * taken, ways * choose(count, taken))

    add(0, (), 1)
    return tuple(found)


@dataclass(slots=True)
class OpeningSummary:
    """Counts over opening hands by place (the dealer's first) and size; adds."""

    counts: Counter[tuple[int, int, str, int]] = field(default_factory=Counter)
    """(place, size, feature, value) -> hands; of `suit.0` … the values are summed tiles, under value 0."""

    def __add__(self, other: "OpeningSummary") -> "OpeningSummary":
        return OpeningSummary(self.counts + other.counts)

    def take(self, place: int, hand: Sequence[int], deck: dict[str, tuple[int, ...]]) -> None:
        """Add one opening hand of deck indices; `deck` as `parts` gave it."""
        size = len(hand)
        self.counts[place, size, "hands", 0] += 1
        for feature in FEATURES:
            if feature.part in deck:
                value = feature.of([deck[feature.part][index] for index in hand])
                self.counts[place, size, feature.name, value] += 1
        for index in hand:
            self.counts[place, size, f"suit.{deck['suit'][index]}", 0] += 1
        if size == BULL_HAND and "high" in deck:
            kinds = [deck["kind"][index] for index in hand]
            number = bull([kind if kind < 13 else kind + 39 for kind in kinds])
            self.counts[place, size, "bull", number] += 1

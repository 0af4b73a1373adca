"""Every way to read a complete hand as melds + one pair, for scoring.

A *reading* names the pair and the sets. With wilds the sets hold more tiles of some kinds than the hand does: what is
missing is what the wilds became, so a reading fixes it, and two readings differ in their pair or in their sets.
Readings are found suit by suit and remembered: few suit patterns make up all winning hands (mahjong.md 5.3).

Whether a hand is complete at all is answered faster by `hand`. Which reading pays best is for the scoring to say.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

from engine.mahjong.hand import complete, complete_capped, keys, shortfall

Set = tuple[str, int]
"""("chow", its lowest kind) or ("pung", its kind)."""

ELSEWHERE = -1
"""In place of a suit's pair: the pair is in another suit."""

SuitReading = tuple[tuple[Set, ...], int, tuple[int, ...]]
"""The sets of one suit, its pair or ELSEWHERE, and the kinds its wilds became."""


class Reading(NamedTuple):
    """One way to read a concealed hand.

    `sets` are ordered by kind, a chow before a pung of the same kind; `became` are the kinds, ascending, for which the
    wilds stand (empty without wilds).
    """

    pair: int
    sets: tuple[Set, ...]
    became: tuple[int, ...]

    def tiles(self) -> list[int]:
        """List the kinds of all tiles, the pair's first."""
        return [self.pair, self.pair, *(kind for each in self.sets for kind in tiles_of(each))]

    def wilds_in(self, place: int) -> tuple[int, int]:
        """Count the fewest and the most wilds that set number `place` may hold; -1 asks for the pair.

        Wilds and natural tiles of one kind may change places between the sets, hence two numbers.
        """
        part = [self.pair, self.pair] if place == -1 else list(tiles_of(self.sets[place]))
        everything = self.tiles()
        fewest = most = 0
        for kind in set(part):
            wild = self.became.count(kind)
            fewest += max(0, part.count(kind) - (everything.count(kind) - wild))
            most += min(part.count(kind), wild)
        return fewest, most

    def posing(self, wild: int) -> int:
        """Count the wilds that stand for another kind than `wild`, their own face (HN-13)."""
        return len(self.became) - self.became.count(wild)


def tiles_of(each: Set) -> tuple[int, int, int]:
    """List the three kinds of a set."""
    shape, kind = each
    return (kind, kind + 1, kind + 2) if shape == "chow" else (kind, kind, kind)


@lru_cache(maxsize=1 << 17)
def suit_readings(suit: int, key: int, wilds: int = 0, fifth: bool = True) -> tuple[SuitReading, ...]:
    """Find every reading of one suit that uses exactly so many wilds, in a fixed order; none if there is none.

    All of them have a pair or none has: the number of tiles decides. `fifth`: a kind may come more than four times.
    """
    none, pair = shortfall(suit, key)
    if none <= wilds and (wilds - none) % 3 == 0:
        pairs = 0
    elif pair <= wilds and (wilds - pair) % 3 == 0:
        pairs = 1
    else:
        return ()
    kinds = 7 if suit == 3 else 9
    held = [key // 5 ** (kinds - 1 - kind) % 5 for kind in range(kinds)]
    room = [wilds if fifth else 4 - count for count in held]
    search = _Search(held, room, 9 * suit, suit < 3)
    return tuple(search.place(0, 0, 0, wilds, pairs))


class _Search(NamedTuple):
    """The reading of one suit from its lowest kind up."""

    held: list[int]  # natural tiles by kind
    room: list[int]  # wilds that may stand for the kind
    first: int  # the suit's first kind
    chows: bool

    def place(self, at: int, older: int, newer: int, wilds: int, pairs: int) -> Iterator[SuitReading]:
        """Read the kinds from `at` on, beside the chows begun two and one kinds before; use up wilds and pairs."""
        if at == len(self.held):
            if not (wilds or pairs):
                yield (), ELSEWHERE, ()
            return
        kind = self.first + at
        spare = min(wilds, self.room[at])
        most = self.held[at] + spare - older - newer
        may_begin = self.chows and at + 2 < len(self.held)
        for pair in range(pairs + 1):
            for pung in range((most - 2 * pair) // 3 + 1):
                for chow in range(most - 2 * pair - 3 * pung + 1 if may_begin else 1):
                    lack = older + newer + chow + 3 * pung + 2 * pair - self.held[at]
                    if lack < 0:
                        continue
                    here = (("chow", kind),) * chow + (("pung", kind),) * pung
                    for sets, elsewhere, became in self.place(at + 1, newer, chow, wilds - lack, pairs - pair):
                        yield here + sets, kind if pair else elsewhere, (kind,) * lack + became


def readings(
    counts: Sequence[int], wilds: int = 0, *, fifth: bool = True, used: Sequence[int] | None = None
) -> list[Reading]:
    """List every distinct reading of a concealed hand with 0..4 wilds once, in a fixed order; empty if not complete.

    `counts` as in `hand`; `fifth`: a wild may be a fifth copy; if not, `used` (34 counts of the tiles in claimed melds)
    counts towards the four as well (HN-12). Raises ValueError as `hand.keys` does.
    """
    held = keys(counts)
    m, p, s, z = held
    if not wilds:
        if not complete(m, p, s, z):
            return []
        return _side_by_side(suit_readings(0, m), suit_readings(1, p), suit_readings(2, s), suit_readings(3, z))
    if not (complete(m, p, s, z, wilds) if fifth else complete_capped(m, p, s, z, wilds)):
        return []
    found: list[Reading] = []
    for share in wild_shares(wilds):
        suits = [suit_readings(suit, key, share[suit], fifth) for suit, key in enumerate(held)]
        if all(suits) and sum(each[0][1] != ELSEWHERE for each in suits) == 1:
            found += _side_by_side(*suits)
    if fifth or used is None:
        return found
    return [reading for reading in found if _within_four(reading, counts, used)]


def complete_beside(counts: Sequence[int], used: Sequence[int], wilds: int = 0) -> bool:
    """Say whether counts and wilds are complete with no kind more than four times, claimed melds counted (HN-12).

    `used` are the 34 counts of the tiles in claimed melds. Raises ValueError as `hand.keys` does.
    """
    m, p, s, z = keys(counts)
    if not complete_capped(m, p, s, z, wilds):
        return False
    return not (wilds and any(used)) or bool(readings(counts, wilds, fifth=False, used=used))


@lru_cache(maxsize=16)
def wild_shares(wilds: int) -> tuple[tuple[int, ...], ...]:
    """List the ways to share the wilds among the four suits."""
    chosen = combinations_with_replacement(range(4), wilds)
    return tuple(tuple(suits.count(suit) for suit in range(4)) for suits in chosen)


def _side_by_side(
    m: tuple[SuitReading, ...], p: tuple[SuitReading, ...], s: tuple[SuitReading, ...], z: tuple[SuitReading, ...]
) -> list[Reading]:
    """Combine the readings of the four suits, one of which has the pair."""
    return [
        Reading(max(pair_m, pair_p, pair_s, pair_z), sets_m + sets_p + sets_s + sets_z, as_m + as_p + as_s + as_z)
        for sets_m, pair_m, as_m in m
        for sets_p, pair_p, as_p in p
        for sets_s, pair_s, as_s in s
        for sets_z, pair_z, as_z in z
    ]


def _within_four(reading: Reading, counts: Sequence[int], used: Sequence[int]) -> bool:
    """Say whether no kind the wilds became comes more than four times, claimed melds counted."""
    return all(counts[kind] + used[kind] + reading.became.count(kind) <= 4 for kind in set(reading.became))

"""The two winning shapes that are not melds + one pair: seven pairs and thirteen orphans, with wilds (mahjong.md 3.6).

Both are whole hands of fourteen concealed tiles. As in `hand`, `counts` holds the natural tiles and `wilds` the number
of wild tiles; a wild may stand for any kind, its own face too, and the readings say for which, so that the scoring can
ask how many pose as another kind (HN-13) or what a thirteen-orphans hand lacks (HN-16).
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

ORPHANS: tuple[int, ...] = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
"""The ones, the nines and the honours."""

_KINDS = 34
_TILES = 14


class SevenPairs(NamedTuple):
    """Seven pairs: the kind of each, ascending, a kind twice being a quad; `became`: the kinds the wilds stand for."""

    pairs: tuple[int, ...]
    became: tuple[int, ...]

    @property
    def quads(self) -> int:
        """Count the quads, those with wilds too (HN-14)."""
        return sum(self.pairs.count(kind) // 2 for kind in set(self.pairs))

    def posing(self, wild: int) -> int:
        """Count the wilds that stand for another kind than `wild`, their own face."""
        return len(self.became) - self.became.count(wild)


class Orphans(NamedTuple):
    """Thirteen orphans: the kind that comes twice; `became`: for which kinds, ascending, the wilds stand."""

    pair: int
    became: tuple[int, ...]

    def posing(self, wild: int) -> int:
        """Count the wilds that stand for another kind than `wild`, their own face."""
        return len(self.became) - self.became.count(wild)


def is_seven_pairs(counts: Sequence[int], wilds: int = 0, *, quads: bool = True) -> bool:
    """Say whether fourteen tiles are seven pairs; `quads`: four equal tiles may be two of them.

    A wild completes each single tile; those left over are even in number and pair with each other.
    """
    if sum(counts) + wilds != _TILES:
        return False
    if not quads and max(counts) > 2:
        return False
    return sum(count & 1 for count in counts) <= wilds


def natural_quads(counts: Sequence[int]) -> int:
    """Count the kinds held four times without wilds (HN-14, `luxury_natural`)."""
    return sum(count == 4 for count in counts)


def most_quads(counts: Sequence[int], wilds: int = 0) -> int:
    """Count the most quads of a seven-pairs hand with 0..4 wilds, 0 if it is none: three tiles and their wild are one.

    Each further pair of wilds makes a quad of a lone pair. (Two such pairs make one of their own only beside quads
    alone, and ten natural tiles are no number of quads.)
    """
    if not is_seven_pairs(counts, wilds):
        return 0
    full = sum(count >= 3 for count in counts)
    lone = sum(count in {1, 2} for count in counts)
    spare = (wilds - sum(count & 1 for count in counts)) // 2
    return full + min(spare, lone)


def seven_pairs(counts: Sequence[int], wilds: int = 0, *, quads: bool = True, fifth: bool = True) -> list[SevenPairs]:
    """List every seven-pairs reading once, in a fixed order; `fifth`: a kind may come more than four times."""
    if not is_seven_pairs(counts, wilds, quads=quads):
        return []
    single = [kind for kind in range(_KINDS) if counts[kind] & 1]
    fixed = [kind for kind in range(_KINDS) for _ in range(counts[kind] + 1 >> 1)]
    most = 1 if not quads else _TILES if fifth else 2
    found = []
    for extra in combinations_with_replacement(range(_KINDS), (wilds - len(single)) >> 1):
        pairs = tuple(sorted([*fixed, *extra]))
        if all(pairs.count(kind) <= most for kind in set(extra)):
            found.append(SevenPairs(pairs, tuple(sorted([*single, *extra, *extra]))))
    return found


def is_thirteen_orphans(counts: Sequence[int], wilds: int = 0) -> bool:
    """Say whether fourteen tiles are one of each orphan and a second of one."""
    held = [counts[kind] for kind in ORPHANS]
    return sum(held) + wilds == _TILES and sum(counts) == sum(held) and sum(max(count - 1, 0) for count in held) <= 1


def thirteen_orphans(counts: Sequence[int], wilds: int = 0) -> list[Orphans]:
    """List every thirteen-orphans reading, in the order of the pair: thirteen where a wild makes the pair."""
    if not is_thirteen_orphans(counts, wilds):
        return []
    missing = [kind for kind in ORPHANS if not counts[kind]]
    twice = [kind for kind in ORPHANS if counts[kind] == 2]
    if twice:
        return [Orphans(twice[0], tuple(missing))]
    return [Orphans(kind, tuple(sorted([*missing, kind]))) for kind in ORPHANS]

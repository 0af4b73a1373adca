"""Dice in the order thrown, folded into counts (T12): faces, throws, neighbours, gaps of face 1, coupon runs.

Gaps and runs reach over the borders of hands and games: cut at a border, the long ones would be lost and the short
ones look too many. So this is a fold over one stream, not a sum of shards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

FACES = 6
LONGEST_GAP = 30
"""Gaps of so many and more are counted together."""
SHORTEST_RUN, LONGEST_RUN = 6, 40
"""A coupon run takes six dice at least; so many and more are counted together."""


@dataclass(slots=True)
class DiceRun:
    """Counts over one stream of dice, faces 1..6."""

    dice: int = 0
    throws: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 36)
    """The two dice of a throw: 6 * (first - 1) + (second - 1)."""
    neighbours: list[int] = field(default_factory=lambda: [0] * 36)
    """Each die with the one before it in the stream."""
    faces: list[int] = field(default_factory=lambda: [0] * FACES)
    gaps: list[int] = field(default_factory=lambda: [0] * (LONGEST_GAP + 1))
    """Dice between two ones, 0..29, more."""
    runs: list[int] = field(default_factory=lambda: [0] * (LONGEST_RUN - SHORTEST_RUN + 1))
    """Dice until all six faces have come, 6..39, more."""
    first: int = 0
    last: int = 0
    gap: int = -1
    """Dice since the last one; -1 before the first."""
    seen: int = 0
    """Faces of the coupon run in progress, as bits."""
    length: int = 0

    def throw(self, values: Iterable[int]) -> None:
        """Add the dice of one throw."""
        faces = tuple(values)
        if len(faces) == 2:
            self.throws += 1
            self.pairs[FACES * (faces[0] - 1) + faces[1] - 1] += 1
        for face in faces:
            self._die(face)

    def _die(self, face: int) -> None:
        self.dice += 1
        self.faces[face - 1] += 1
        if self.last:
            self.neighbours[FACES * (self.last - 1) + face - 1] += 1
        else:
            self.first = face
        self.last = face
        if face == 1:
            if self.gap >= 0:
                self.gaps[min(self.gap, LONGEST_GAP)] += 1
            self.gap = 0
        elif self.gap >= 0:
            self.gap += 1
        self.seen |= 1 << face
        self.length += 1
        if self.seen == 0b1111110:
            self.runs[min(self.length, LONGEST_RUN) - SHORTEST_RUN] += 1
            self.seen = self.length = 0


def run_ways(longest: int = LONGEST_RUN) -> tuple[int, ...]:
    """Return for each length 6, 7, … below `longest` how many of the 6^length runs complete just then.

    The last die brings the missing face: 6 times the surjections of the others onto five faces.
    """
    return tuple([FACES * _onto(length - 1, FACES - 1) for length in range(SHORTEST_RUN, longest)])


def _onto(dice: int, faces: int) -> int:
    """Return how many sequences of dice show all of so many faces and no others."""
    signed = 1
    total = 0
    ways = 1
    for missing in range(faces + 1):
        total += signed * ways * (faces - missing) ** dice
        ways = ways * (faces - missing) // (missing + 1)
        signed = -signed
    return total

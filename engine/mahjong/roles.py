"""Roles: every way to lay out a winning hand with a place for the winning tile (`mahjong.md` 2.5).

The concealed part is read in every possible way, and the winning tile is given one place in one set or the pair; what
it does there is its *role*: it completes a triplet or the pair, stands in the middle of a run (closed), is the 3 of
123 or the 7 of 789 (edge), or one end of another run (open). Which layout counts is for the counting to choose.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.mahjong.hand import waits
from engine.mahjong.reading import Reading, readings
from engine.mahjong.state import NONE

PAIR = -1
"""The place of the pair."""
CLOSED, EDGE, OPEN, SINGLE, TRIPLET = "closed", "edge", "open", "single", "triplet"


class Layout(NamedTuple):
    """One reading of the concealed tiles and the place of the winning tile in it: a set's number, or PAIR."""

    reading: Reading
    place: int
    role: str
    tile: int

    @property
    def chows(self) -> int:
        """Count the concealed runs."""
        return sum(shape == "chow" for shape, _ in self.reading.sets)


def layouts(counts: Sequence[int], tile: int) -> Iterator[Layout]:
    """Yield every layout of a complete hand in a fixed order; equal sets once. `tile` NONE: any of the tiles won."""
    tiles = [tile] if tile != NONE else [kind for kind, have in enumerate(counts) if have]
    for reading in readings(counts):
        for each in tiles:
            if reading.pair == each:
                yield Layout(reading, PAIR, SINGLE, each)
            seen = set()
            for place, its in enumerate(reading.sets):
                role = role_in(its, each)
                if role and its not in seen:
                    seen.add(its)
                    yield Layout(reading, place, role, each)


def role_in(its: tuple[str, int], tile: int) -> str:
    """Return what a tile does in a set; "" where it is not in it."""
    shape, kind = its
    if shape == "pung":
        return TRIPLET if kind == tile else ""
    step = tile - kind
    if not 0 <= step <= 2:
        return ""
    if step == 1:
        return CLOSED
    rank = kind % 9
    return EDGE if (step == 2 and rank == 0) or (step == 0 and rank == 6) else OPEN


def waits_on_one(counts: Sequence[int], whole: Sequence[int], tile: int) -> bool:
    """Tell whether before this tile exactly one kind completed the hand (DH-16, `wait_must_be_single`).

    `counts` are the concealed tiles with it, `whole` all tiles with it; a kind held four times is no wait.
    """
    before = list(counts)
    before[tile] -= 1
    return [kind for kind in waits(before) if kind == tile or whole[kind] < 4] == [tile]

"""Ids for tiles that a format names by code only: which copy it is follows from where it lies.

Nothing is repaired: a tile that cannot be where the record says gets an id all the same, one that the check of the
hand then refuses.
"""

from collections.abc import Iterable, Sequence

from engine.formats.riichi import KIND, RED, RED_ID, code_of
from engine.formats.tenhou_wall import Wall


class Copies:
    """One hand's tiles by seat, as codes arrive. `wall`, where it is known, tells the copy that was due."""

    def __init__(self, *, reds: bool, wall: Wall | None = None, seats: int = 4) -> None:
        self.reds = reds
        self.wall = wall
        self._given: set[int] = set()
        self._hands: list[set[int]] = [set() for _ in range(seats)]

    def fresh(self, code: str, due: int | None = None) -> int:
        """Return the id of a tile that is seen for the first time; `due` is what the wall has there."""
        if due is not None and code_of(due, reds=self.reds) == code:
            self._given.add(due)
            return due
        copies = self._copies(code)
        tile = next((each for each in copies if each not in self._given), copies[0])
        self._given.add(tile)
        return tile

    def deal(self, seat: int, codes: Sequence[str], dues: Sequence[int] | None = None) -> tuple[int, ...]:
        """Return a seat's first tiles."""
        tiles = [self.fresh(code, dues[place] if dues is not None else None) for place, code in enumerate(codes)]
        self._hands[seat] = set(tiles)
        return tuple(tiles)

    def draw(self, seat: int, code: str, due: int | None = None) -> int:
        """Return a drawn tile and put it into the seat's hand."""
        tile = self.fresh(code, due)
        self._hands[seat].add(tile)
        return tile

    def take(self, seat: int, codes: Iterable[str], *, drawn: int = -1, prefer_drawn: bool = False) -> list[int]:
        """Return tiles that leave a seat's hand, `drawn` first or last among equals."""
        taken = []
        for code in codes:
            held = [tile for tile in self._hands[seat] if code_of(tile, reds=self.reds) == code]
            held.sort(key=lambda tile: ((tile == drawn) != prefer_drawn, tile))
            tile = held[0] if held else self._copies(code)[0]
            self._hands[seat].discard(tile)
            taken.append(tile)
        return taken

    def hand(self, seat: int) -> set[int]:
        """Return a seat's concealed tiles."""
        return set(self._hands[seat])

    def _copies(self, code: str) -> list[int]:
        if code in RED_ID:
            return [RED_ID[code]]
        if code not in KIND:
            raise ValueError(f"no tile {code!r}")
        first = 4 * KIND[code]
        return [tile for tile in range(first, first + 4) if not (self.reds and tile in RED)]

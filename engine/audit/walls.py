"""The summary of many walls of one deck: integers that add, of single walls and of consecutive ones (T1-T10)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from engine.audit import order


def added(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """Return two rows of counts added; an empty one counts as zeros."""
    if not one or not other:
        return tuple(one or other)
    return tuple([left + right for left, right in zip(one, other, strict=True)])


@dataclass(frozen=True, slots=True)
class WallSummary:
    """Counts over walls. `cells[index * n + position]`: how often a deck index lay at a position."""

    deals: int = 0
    cells: tuple[int, ...] = ()
    inversions: int = 0
    ascents: int = 0
    inverse_ascents: int = 0
    fixed: int = 0
    cycles: int = 0
    adjacent: int = 0
    adjacent_squares: int = 0
    blocks: tuple[int, ...] = ()

    def __add__(self, other: "WallSummary") -> "WallSummary":
        return WallSummary(
            self.deals + other.deals,
            added(self.cells, other.cells),
            self.inversions + other.inversions,
            self.ascents + other.ascents,
            self.inverse_ascents + other.inverse_ascents,
            self.fixed + other.fixed,
            self.cycles + other.cycles,
            self.adjacent + other.adjacent,
            self.adjacent_squares + other.adjacent_squares,
            added(self.blocks, other.blocks),
        )

    @classmethod
    def of(cls, wall: Sequence[int], kinds: Sequence[int]) -> "WallSummary":
        """Return the summary of one wall; `kinds` is the kind of each deck index."""
        n = len(wall)
        cells = [0] * (n * n)
        for position, index in enumerate(wall):
            cells[index * n + position] += 1
        counted = [0] * order.BLOCK_ORDERS
        for number in order.blocks(wall):
            counted[number] += 1
        adjacent = order.adjacent_equal([kinds[index] for index in wall])
        return cls(
            1,
            tuple(cells),
            order.inversions(wall),
            order.ascents(wall),
            order.ascents(order.inverse(wall)),
            order.fixed_points(wall),
            order.cycles(wall),
            adjacent,
            adjacent * adjacent,
            tuple(counted),
        )


@dataclass(frozen=True, slots=True)
class LinkSummary:
    """Counts over pairs of consecutive walls: what Spearman's rank correlation needs (T9)."""

    pairs: int = 0
    products: int = 0

    def __add__(self, other: "LinkSummary") -> "LinkSummary":
        return LinkSummary(self.pairs + other.pairs, self.products + other.products)


@dataclass(frozen=True, slots=True)
class Summary:
    """All counts over walls of one deck.

    `composed`: of w_h inverted, then the next wall of the same table; `table_links`, `log_links`: pairs of
    consecutive walls at one table, and in the order of the log.
    """

    walls: WallSummary = WallSummary()
    composed: WallSummary = WallSummary()
    table_links: LinkSummary = LinkSummary()
    log_links: LinkSummary = LinkSummary()

    def __add__(self, other: "Summary") -> "Summary":
        return Summary(
            self.walls + other.walls,
            self.composed + other.composed,
            self.table_links + other.table_links,
            self.log_links + other.log_links,
        )

    def digest(self) -> str:
        """Return SHA-256 over all counts in order, so that any shard can be counted anew and compared."""
        hashed = sha256(b"paipu/summary/1")
        for part in (self.walls, self.composed):
            for value in (
                part.deals, *part.cells, part.inversions, part.ascents, part.inverse_ascents, part.fixed, part.cycles,
                part.adjacent, part.adjacent_squares, *part.blocks,
            ):  # fmt: skip
                hashed.update(b"%d," % value)
        for link in (self.table_links, self.log_links):
            hashed.update(b"%d,%d," % (link.pairs, link.products))
        return hashed.hexdigest()


def summarise(walls: Iterable[Sequence[int]], tables: Iterable[str], kinds: Sequence[int]) -> Summary:
    """Return the summary of walls in the order of the log, each with its table."""
    total = Summary()
    last: dict[str, Sequence[int]] = {}
    before: Sequence[int] = ()
    for wall, table in zip(walls, tables, strict=True):
        found = Summary(WallSummary.of(wall, kinds))
        if before:
            found += Summary(log_links=LinkSummary(1, order.product(before, wall)))
        if table in last:
            earlier = last[table]
            link = LinkSummary(1, order.product(earlier, wall))
            found += Summary(composed=WallSummary.of(order.compose(earlier, wall), kinds), table_links=link)
        total += found
        last[table] = before = wall
    return total

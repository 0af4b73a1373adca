"""The wall: where it breaks, what each seat is dealt, and its two cursors (`mahjong.md` 0.3-0.5)."""

from collections.abc import Collection, Sequence
from functools import cache

from engine.mahjong.rules import MahjongRules


def second_thrower(rules: MahjongRules, dealer: int, first: int) -> int:
    """Return the seat that throws second and whose wall is broken; `first` is the sum of the dealer's throw.

    The dealer is counted as 1 (LH-07, `wall.dice_inclusive`).
    """
    back = 1 if rules.wall_dice_inclusive else 0
    return (dealer + first - back) % rules.players


def break_stack(rules: MahjongRules, dealer: int, dice: Sequence[int]) -> int:
    """Return g0, the global index of the stack at which drawing starts (0.4); 0 where nobody throws.

    Stacks have a clockwise index; the wall of seat p starts at ((n - p) mod n) * m, counted from his right end.
    """
    if rules.wall_break == "none":
        return 0
    n = rules.players
    stacks = rules.size // 2
    each = rules.wall_dice
    first, second = sum(dice[:each]), sum(dice[each : 2 * each])
    thrower = second_thrower(rules, dealer, first)
    start = ((n - thrower) % n) * (stacks // n)
    step = first + second + rules.wall_break_offset - 1
    return (start + step if rules.wall_count_direction == "cw" else start - step) % stacks


@cache
def deal_positions(players: int) -> tuple[tuple[int, ...], ...]:
    """Return the positions in the draw sequence of each seat's tiles, the dealer first, in the order taken (0.5)."""
    block = 4 * players
    rows = []
    for i in range(players):
        row = [block * round_ + 4 * i + step for round_ in range(3) for step in range(4)]
        row.append(3 * block + i)
        rows.append(row)
    rows[0].append(3 * block + players)
    return tuple(tuple(row) for row in rows)


class Wall:
    """The tiles not yet taken, with a head and a tail.

    `kinds` is the draw sequence X (kind indices), or None where no seed is known: then the draws of the log are
    taken as given and only the count is kept.
    """

    __slots__ = ("_head", "_reverse", "_tail", "_taken", "kinds", "left", "size")

    def __init__(self, kinds: list[int] | None, size: int, tail_order: str) -> None:
        self.kinds = kinds
        self.size = size
        self.left = size
        self._head = 0
        self._tail = 0
        self._taken = bytearray(size)
        self._reverse = tail_order == "reverse"

    def deal(self, players: int) -> None:
        """Move the head past the tiles dealt."""
        self._head = 13 * players + 1
        self.left -= self._head

    def _tail_position(self) -> int:
        return self._place(self._tail)

    def _place(self, step: int) -> int:
        # The upper tile of the last stack cannot be reached after its lower one (LH-10, wall.tail_order).
        if self._reverse:
            return self.size - 1 - step
        return self.size - 2 - step + 2 * (step & 1)

    def peek(self, end: str) -> int:
        """Return the kind that the next draw from this end takes; -1 where the wall is unknown."""
        if self.kinds is None:
            return -1
        if end == "head":
            taken, head = self._taken, self._head
            while taken[head]:
                head += 1
            return self.kinds[head]
        position = self._tail_position()
        while self._taken[position] or position < self._head:
            self._tail += 1
            position = self._tail_position()
        return self.kinds[position]

    def place(self, end: str) -> int:
        """Return the place in the draw sequence that the next draw from this end takes."""
        if end == "head":
            return self._taken.index(0, self._head)
        self.peek(end)
        return self._tail_position()

    def find_from_tail(self, kinds: Collection[int]) -> int:
        """Return the place of the first untaken tile of these kinds counted from the tail; -1 where none is known."""
        if self.kinds is None:
            return -1
        for step in range(self.size):
            place = self._place(step)
            if not self._taken[place] and self.kinds[place] in kinds:
                return place
        return -1

    def take_out(self, place: int) -> None:
        """Take a tile out of the wall before the deal; -1 where its place is not known."""
        self.left -= 1
        if place >= 0:
            self._taken[place] = 1

    def take(self, end: str) -> None:
        """Take the tile at this end."""
        self.left -= 1
        if self.kinds is None:
            return
        if end == "head":
            taken, head = self._taken, self._head
            while taken[head]:
                head += 1
            taken[head] = 1
            self._head = head + 1
        else:
            self.peek(end)
            self._taken[self._tail_position()] = 1
            self._tail += 1


def draw_sequence(order: Sequence[int], kinds: Sequence[int], first_stack: int) -> list[int]:
    """Return X as kinds: the shuffled deck `order` (deck positions) read from stack g0 on, upper tile first."""
    start = 2 * first_stack
    return [kinds[tile] for tile in order[start:]] + [kinds[tile] for tile in order[:start]]

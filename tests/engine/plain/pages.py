"""Dice, break, deal and tail, written out plainly from `mahjong.md` 0.3 to 0.5: the slow definition.

Nothing here is shared with the engine. Stacks are pairs (seat, k from that seat's right end), and every count walks
stack by stack, as a person at the table would.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Stack = tuple[int, int]


def clockwise(size: int) -> list[Stack]:
    """List the stacks as they stand, clockwise: seat 0 from his right end to his left, then seat 3, 2, 1."""
    side = size // 2 // 4
    return [(seat, k) for seat in (0, 3, 2, 1) for k in range(1, side + 1)]


def second_thrower(options: Mapping[str, Any], dealer: int, first: int) -> int:
    """Count `first` seats counter-clockwise; the dealer is counted as 1 (LH-07)."""
    seat = dealer
    for _ in range(first - 1 if options["wall.dice_inclusive"] else first):
        seat = (seat + 1) % 4
    return seat


def first_stack(options: Mapping[str, Any], dealer: int, dice: Sequence[int]) -> int:
    """Return the place, in `clockwise`, of the stack drawn first (0.4)."""
    each = options["wall.dice"]
    first, second = sum(dice[:each]), sum(dice[each : 2 * each])
    stacks = clockwise(options["tiles"])
    at = stacks.index((second_thrower(options, dealer, first), 1))
    for _ in range(first + second + options["wall.break_offset"] - 1):
        at = at + 1 if options["wall.count_direction"] == "cw" else at - 1
        at %= len(stacks)
    return at


def drawn_in_order(options: Mapping[str, Any], dealer: int, dice: Sequence[int], wall: Sequence[Any]) -> list[Any]:
    """Return the tiles of the wall in the order in which the head would take them: X of 0.3."""
    start = first_stack(options, dealer, dice)
    stacks = [(wall[at], wall[at + 1]) for at in range(0, len(wall), 2)]
    return [tile for stack in stacks[start:] + stacks[:start] for tile in stack]


def dealt_positions() -> list[list[int]]:
    """Return the places in X of the four hands, the dealer's first, in the order taken (0.5)."""
    taken: list[list[int]] = [[], [], [], []]
    head = 0
    for _ in range(3):
        for place in range(4):
            taken[place] += [head, head + 1, head + 2, head + 3]
            head += 4
    for place in range(4):
        taken[place].append(head)
        head += 1
    taken[0].append(head)
    return taken


def tail_order(options: Mapping[str, Any], size: int) -> list[int]:
    """Return the places in X in the order in which the tail takes them (LH-10)."""
    if options["wall.tail_order"] == "reverse":
        return list(range(size - 1, -1, -1))
    order = []
    for lower in range(size - 1, 0, -2):
        order += [lower - 1, lower]
    return order

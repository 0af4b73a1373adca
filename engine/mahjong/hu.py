"""Counting in hu: points of sets, pairs and flowers, doubled for each tai, up to a limit (hu counting, "Scoring").

Losers count too. A winner has a base, and items that only he gets; which layout of his hand counts is the one with
the greatest score. A win on the first fourteen tiles or by eight flowers is worth the limit outright.
"""

from typing import NamedTuple

from engine.cards import KINDS
from engine.mahjong.patterns import DRAGONS, EAST, PATTERNS, Whole
from engine.mahjong.roles import CLOSED, Layout, layouts
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import NONE, Hand, Meld, Win
from engine.mahjong.tai import whole
from engine.mahjong.waiting import has_no_chow
from engine.mahjong.worth import Row, Score

ONCE = 2
"""Hu of a scoring pair and of each item that a winner has once."""
FLOWER = 4
WINNER_ONLY = frozenset({"flush"})
"""Patterns in tai that no loser counts."""


class Standing(NamedTuple):
    """What a seat's tiles count: rows in hu, then in tai, and the points after doubling, rounding and limit."""

    rows: list[Row]
    tai: int
    points: int


def count(hand: Hand, win: Win) -> Score:
    """Return the score of a win; `worth` are its tai, `points` its score before any dealer's factor."""
    rules = hand.rules
    if win.occasion == "eight_flowers":
        return Score([("eight_flowers", "hu", rules.limit)], 0, rules.limit)
    seen = whole(hand, win)
    fixed = [("base_hu", "hu", rules.base_hu), *table(hand.sides[win.seat].melds), *flowers(seen), *winning(seen)]
    doubles = tai_rows(seen, rules.patterns)
    best = max((laid(seen, layout) for layout in layouts(win.counts, win.tile)), key=total)
    its = standing(rules, [*fixed, *best], doubles)
    if seen.occasion == "heavenly":
        return Score([*its.rows, ("heavenly", "hu", rules.limit)], its.tai, rules.limit)
    return Score(its.rows, its.tai, its.points)


def losing(hand: Hand, seat: int) -> Standing:
    """Return what a seat that did not win counts: every concealed triplet and scoring pair it holds, melds, flowers.

    Four equal concealed tiles are a concealed triplet: no kong was declared.
    """
    side = hand.sides[seat]
    seen = whole(hand, Win(seat, NONE, "", NONE, "", tuple(side.counts)))
    rows = [*table(side.melds), *flowers(seen)]
    for kind, have in enumerate(side.counts):
        if have >= 3:
            rows.append(triplet("concealed_triplet", kind))
        elif have == 2 and scoring(seen, kind):
            rows.append((f"pair.{KINDS[kind]}", "hu", ONCE))
    names = tuple(name for name in hand.rules.patterns if name not in WINNER_ONLY)
    return standing(hand.rules, rows, tai_rows(seen, names))


def standing(rules: MahjongRules, rows: list[Row], doubles: list[Row]) -> Standing:
    """Double the hu once for each tai, round, and stop at the limit."""
    tai = total(doubles)
    points = min(rounded(rules, total(rows) << tai), rules.limit)
    return Standing([*rows, *doubles], tai, points)


def rounded(rules: MahjongRules, points: int) -> int:
    """Round to tens: up by default, half up or not at all by option (`round`)."""
    if rules.rounding == "ceil10":
        return (points + 9) // 10 * 10
    return (points + 5) // 10 * 10 if rules.rounding == "half_up10" else points


def total(rows: list[Row]) -> int:
    """Add up what rows count."""
    return sum(value for _, _, value in rows)


def tai_rows(seen: Whole, names: tuple[str, ...]) -> list[Row]:
    """Return what doubles: triplets of honours, the flush, own flowers and whole series."""
    return [(name, "tai", tai) for pattern in names for name, tai in PATTERNS[pattern](seen)]


SETS = {"exposed_triplet": 2, "concealed_triplet": 4, "exposed_kong": 8, "concealed_kong": 16}
"""Hu of a set of 2 to 8; of ones, nines and honours twice as much."""


def triplet(name: str, kind: int) -> Row:
    """Return the row of a triplet or kong."""
    outer = kind >= EAST or kind % 9 in {0, 8}
    return f"{name}.{KINDS[kind]}", "hu", SETS[name] * (2 if outer else 1)


def table(melds: list[Meld]) -> list[Row]:
    """Return the rows of the sets on the table."""
    names = {"pung": "exposed_triplet", "direct_kong": "exposed_kong", "added_kong": "exposed_kong"}
    return [triplet(names.get(meld.kind, "concealed_kong"), meld.whole[0]) for meld in melds if meld.kind != "chow"]


def flowers(seen: Whole) -> list[Row]:
    """Return the row of the flowers, any player's."""
    return [("flower", "hu", FLOWER * len(seen.flowers))] if seen.flowers else []


def scoring(seen: Whole, kind: int) -> bool:
    """Tell whether a pair of this kind counts: the own wind or a dragon."""
    return kind in {seen.own_wind, *DRAGONS}


def winning(seen: Whole) -> list[Row]:
    """Return what a winner has once, in any layout: self-draw, a kong's replacement, the first discard or draw."""
    rows: list[Row] = []
    if seen.win.by == "self_draw":
        rows.append(("self_draw", "hu", ONCE))
    if seen.occasion == "kong_bloom":
        rows.append(("kong_bloom", "hu", ONCE))
    if seen.occasion == "earthly":
        rows.append(("earthly", "hu", seen.rules.limit // 2))
    return rows


def laid(seen: Whole, layout: Layout) -> list[Row]:
    """Return what depends on the layout: concealed triplets, the pair, the closed wait, a hand without runs.

    The triplet that a won tile completes is exposed, unless the option has it concealed (`ron_triplet`).
    """
    rules = seen.rules
    rows: list[Row] = []
    for place, (shape, kind) in enumerate(layout.reading.sets):
        if shape == "pung":
            open_ = place == layout.place and seen.win.by != "self_draw" and rules.ron_triplet == "exposed"
            rows.append(triplet("exposed_triplet" if open_ else "concealed_triplet", kind))
    if scoring(seen, layout.reading.pair):
        rows.append((f"pair.{KINDS[layout.reading.pair]}", "hu", ONCE))
    if layout.role == CLOSED:
        rows.append(("closed_wait", "hu", ONCE))
    if has_no_chow(seen, layout):
        rows.append(("all_pungs", "hu", ONCE))
    return rows

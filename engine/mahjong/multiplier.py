"""Counting by multipliers: the type of a hand times the way it won, and the fan that opens it (`mahjong.md` 3.7, 3.8).

    worth = min(cap, type x way)

The type is that of the form that pays best. What `settled` lists: each type and the way with its factor, and every
fan of the hand, which counts nothing.
"""

from engine.mahjong.fans import FANS, Winner
from engine.mahjong.forms import Form, forms
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import NONE, Hand, Win
from engine.mahjong.worth import Row, Score

ONE_SUIT = frozenset({1, 2, 4})
FLOWERS_WIN = "flowers"
SERIES = (frozenset(range(34, 38)), frozenset(range(38, 42)))


def series(rules: MahjongRules, flowers: list[int]) -> int:
    """Return what a seat's flowers are worth: full series, or seven and eight of them (3.9, HN-23, HN-24)."""
    if rules.flower_win:
        return sum(each <= set(flowers) for each in SERIES)
    return max(0, len(flowers) - 6)


def own_wilds(hand: Hand, win: Win) -> int:
    """Return the wilds among the winner's own tiles: a won one that another seat played is its own face (3.4)."""
    if hand.wild == NONE:
        return 0
    return win.counts[hand.wild] - (win.by != "self_draw" and win.tile == hand.wild)


def winner_of(hand: Hand, win: Win) -> Winner:
    """Return what fans ask of the winner beside the form of his hand."""
    side = hand.sides[win.seat]
    place = (win.seat - hand.dealer) % hand.players
    return Winner(hand.rules, place, hand.round_wind, tuple(side.melds), tuple(side.flowers), own_wilds(hand, win))


def forms_of(hand: Hand, win: Win) -> list[Form]:
    """Return every form that the winner's hand may take."""
    counts = list(win.counts[:34])
    wilds = own_wilds(hand, win)
    if wilds:
        counts[hand.wild] -= wilds
    return forms(hand.rules, counts, wilds, hand.sides[win.seat].melds, hand.wild)


def types_of(rules: MahjongRules, form: Form) -> list[tuple[str, int]]:
    """Return the types of a form with their factors (3.8; HN-04, HN-15)."""
    factors = dict(rules.types)
    found: list[tuple[str, int]] = []
    if form.shape == "seven_pairs" and form.quads:
        more = form.quads - 1 if rules.luxury_per_quad else 0
        found.append(("luxury_seven_pairs", factors["luxury_seven_pairs"] + more))
    elif form.shape != "standard":
        found.append((form.shape, factors[form.shape]))
    elif form.pungs and not form.chows:
        found.append(("all_pungs", factors["all_pungs"]))
    if form.suits in ONE_SUIT:
        found.append(("full_flush", factors["full_flush"]))
    return found or [("plain", factors["plain"])]


def stacked(rules: MahjongRules, found: list[tuple[str, int]]) -> int:
    """Return the factor of several types together (HN-04)."""
    values = [factor for _, factor in found]
    if rules.type_stack == "add":
        return sum(values)
    if rules.type_stack == "max":
        return max(values)
    product = 1
    for value in values:
        product *= value
    return product


def way_of(rules: MahjongRules, win: Win) -> Row:
    """Return the way that a hand won with its factor: the largest, or self-draw times occasion by option (HN-36)."""
    factors = dict(rules.ways)
    by, occasion = factors[win.by], factors.get(win.occasion, 0)
    if not occasion:
        return win.by, "fan", by
    return win.occasion, "fan", by * occasion if rules.way_stack == "mul" else max(by, occasion)


def fans_of(winner: Winner, form: Form) -> list[str]:
    """Return the fans of one form, in the order of the rules."""
    return [name for name in winner.rules.fans if FANS[name](winner, form)]


def reading_of(hand: Hand, win: Win) -> tuple[Form, list[str]]:
    """Return the form that pays best and the fans that open the hand: of any form, or of that one alone (HN-48).

    With `fan_same_reading` a win that needs a fan is paid by the best form that has one; among equals one with a fan
    goes first.
    """
    rules = hand.rules
    winner = winner_of(hand, win)
    found = [(stacked(rules, types_of(rules, form)), fans_of(winner, form), form) for form in forms_of(hand, win)]
    if rules.fan_same_reading:
        if needs_fan(rules, win) and any(fans for _, fans, _ in found):
            found = [each for each in found if each[1]]
        _, fans, form = max(found, key=lambda each: (each[0], bool(each[1])))
        return form, fans
    _, _, form = max(found, key=lambda each: each[0])
    opened = {name for _, fans, _ in found for name in fans}
    return form, [name for name in rules.fans if name in opened]


def needs_fan(rules: MahjongRules, win: Win) -> bool:
    """Tell whether this win must have a fan: on a discard, a self-draw by option, never a robbed kong (HN-05)."""
    if not rules.fan_required or win.by == "robbed":
        return False
    return win.by == "discard" or rules.fan_scope == "discard+zimo"


def has_fan(hand: Hand, win: Win) -> bool:
    """Tell whether a complete hand has a fan in some form."""
    winner = winner_of(hand, win)
    return any(FANS[name](winner, form) for form in forms_of(hand, win) for name in hand.rules.fans)


def count(hand: Hand, win: Win) -> Score:
    """Return the score of a win whose shape is complete, or that its flowers have won."""
    rules = hand.rules
    if win.occasion == FLOWERS_WIN:
        worth = series(rules, hand.sides[win.seat].flowers)
        return Score([("flowers", "fan", worth)], worth, worth, "multiplier")
    form, fans = reading_of(hand, win)
    types = types_of(rules, form)
    way = way_of(rules, win)
    worth = stacked(rules, types) * way[2]
    if rules.cap != "none":
        worth = min(rules.cap, worth)
    rows: list[Row] = [(name, "fan", factor) for name, factor in types]
    rows += [(name, "", 0) for name in fans if name != "pattern"]
    rows.append(way)
    return Score(rows, worth, worth, "multiplier")

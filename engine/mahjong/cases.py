"""A mahjong scoring case: a finished hand in a person's words, and what it must pay (`cases/README.md`).

`case_reader` reads it into the state of a hand, which is settled here with the very functions that settle a hand in
play. Three kinds of answer:

* a text that cannot be read, or a hand that cannot exist, raises CaseError with place and reason;
* an outcome that the rules do not allow is `{"id", "illegal": true, "reason"}`, the reason ending in its clause;
* everything else is the page's result.

A win on a discard at which `remaining` lets nobody draw any more is one on the last discard, said or not. A case does
not say what was declined or claimed when: locks, bans and the order of turns are the replay's business.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.events import Body
from engine.fields import Fields
from engine.mahjong.acts import ALL_FLOWERS, flowers_end_hand
from engine.mahjong.case_reader import BY_FLOWERS, Outcome, read
from engine.mahjong.rules import MahjongRules
from engine.mahjong.score import forbids
from engine.mahjong.settle import settle
from engine.mahjong.shapes import shape
from engine.mahjong.state import NONE, Hand, Win, can_draw
from engine.settlement import pattern_clause


def result(case: Mapping[str, Any], rules: MahjongRules) -> Body:
    """Return what a case must pay by these rules, which have its options applied; raise CaseError."""
    fields = Fields(case)
    name = fields.text("id")
    head: Body = {} if name is None else {"id": name}
    hand, outcome = read(fields, rules)
    if outcome.by == "discard" and not outcome.occasion and not _drawable(hand, outcome.left):
        outcome.occasion = "last_discard"
    against = unlawful(hand, outcome)
    if against is not None:
        key, words = against
        return {**head, "illegal": True, "reason": f"{words} ({rules.clause(key)})"}
    if outcome.left != NONE:
        hand.wall.left = outcome.left
    winners = outcome.seats if rules.multi_win == "all" else outcome.seats[:1]
    hand.wins = [_win(hand, outcome, seat) for seat in winners]
    body = settle(hand).body
    for winner in body["winners"]:
        winner["patterns"] = [{**each, "clause": pattern_clause(rules, each["id"])} for each in winner["patterns"]]
    return {**head, **{key: value for key, value in body.items() if key != "type"}}


OWN_TURN = frozenset({"kong_bloom", "flower_bloom", "heavenly", "earthly"})
ANYHOW = ("head", "kong", "flower")
BLOOMS = {"kong_bloom": ("kong",), "flower_bloom": ("flower",), "eight_flowers": ANYHOW, "flowers": ANYHOW}
"""What the winning tile, or the last flower, replaced."""
EARTHLY_WAYS = {"self_draw": "first_draw", "discard": "dealer_first_discard"}


TOO_LITTLE = {"min_tai": "has fewer than {rules.min_tai} tai", "fan": "has no fan"}
"""What a complete hand lacks that may not win, by the key of `forbids`."""


def unlawful(hand: Hand, outcome: Outcome) -> tuple[str, str] | None:
    """Return clause key and words where the rules do not allow this outcome, None where they do."""
    if outcome.by == "robbed" and hand.rules.rob_kong == "off":
        return "claims.robbing", "a kong cannot be robbed (rob_kong = off)"
    against = _against_occasion(hand, outcome) or _against_flowers(hand, outcome) or _against_wall(hand, outcome)
    if against is not None:
        return against
    if outcome.occasion in BY_FLOWERS:
        return None
    for seat in outcome.seats:
        if not _complete(hand, outcome, seat):
            what = "complete in no shape of these rules" if hand.special else "not four melds and a pair"
            return "shape", f"the hand of seat {seat} is {what}"
        key = forbids(hand, _win(hand, outcome, seat))
        if key:
            return key, f"the hand of seat {seat} {TOO_LITTLE[key].format(rules=hand.rules)}"
    return None


def _complete(hand: Hand, outcome: Outcome, seat: int) -> bool:
    """Tell whether the winning tile completes a hand: a self-drawn wild is the winner's own, a claimed one its face."""
    if outcome.by != "self_draw" or outcome.tile == NONE:
        return shape(hand, seat, outcome.tile)
    side = hand.sides[seat]
    side.add(outcome.tile)
    found = shape(hand, seat, NONE)
    side.remove(outcome.tile)
    return found


def _win(hand: Hand, outcome: Outcome, seat: int) -> Win:
    side = hand.sides[seat]
    counts = list(side.counts)
    if outcome.tile != NONE:
        counts[outcome.tile] += 1
    occasion = outcome.occasion
    if occasion == "earthly" and EARTHLY_WAYS[outcome.by] not in hand.rules.earthly_ways:
        occasion = ""  # what happened is worth nothing by these rules (DH-24, HN-35)
    # Any of the fourteen tiles may be the one, but where the last flower's replacement is (DH-07).
    whole = occasion == "heavenly" and (hand.rules.heavenly_after_flowers or not side.flowers)
    return Win(
        seat,
        NONE if whole else outcome.tile,
        outcome.by,
        outcome.source,
        occasion,
        tuple(counts),
        outcome.kong,
        outcome.kong_source,
        last=not _drawable(hand, outcome.left),
    )


def _drawable(hand: Hand, left: int, *, kongs: int = 0, flowers: int = 0) -> bool:
    """Tell whether a tile could be taken with so many left, so many kongs and flowers before this state.

    True where the number is not said.
    """
    if left == NONE:
        return True
    then = replace(hand, kongs=hand.kongs - kongs, replaced=hand.replaced - flowers)
    then.wall.left = left
    return can_draw(then)


def _against_wall(hand: Hand, outcome: Outcome) -> tuple[str, str] | None:
    """Judge the number of tiles left: what was drawn must have been drawable, and a drawn hand be over (LH-11, LH-12).

    The last tile taken came from the head, or replaced a kong (tested before the kong counted) or a flower (likewise).
    """
    left, by, occasion = outcome.left, outcome.by, outcome.occasion
    if left == NONE or occasion == "heavenly":
        return None
    goes_on = _drawable(hand, left)
    if by == "robbed":
        return None if goes_on else ("wall.reserve", f"with {left} tiles left no kong could be declared")
    if not by and goes_on:
        return "wall.reserve", f"the hand is not over: with {left} tiles left the next player draws"
    if occasion == "last_discard" and goes_on:
        return "claims.last_discard", f"it was not the last discard: with {left} tiles left the next player draws"
    ways = BLOOMS.get(occasion, ("head",)) if by == "self_draw" else ("head", "kong", "flower")
    could = {
        "head": _drawable(hand, left + 1),
        "kong": hand.kongs > 0 and _drawable(hand, left + 1, kongs=1),
        "flower": hand.replaced > 0 and _drawable(hand, left + 1, flowers=1),
    }
    if any(could[way] for way in ways):
        return None
    return "wall.reserve", f"{left} tiles left: that far into the reserve nothing could be drawn"


def _against_occasion(hand: Hand, outcome: Outcome) -> tuple[str, str] | None:
    """Judge whether what the case says of the win can have happened (2.5 rows 12, 16, 18, 19)."""
    word = outcome.occasion
    if word == "eight_flowers":
        if hand.rules.eight_flowers != "instant":
            return "act.eight_flowers", f"{hand.rules.id} has no win by eight flowers"
        its = len(hand.sides[outcome.seats[0]].flowers)
        return None if its == ALL_FLOWERS else ("act.eight_flowers", f"seat {outcome.seats[0]} has {its} flowers")
    if word == "flowers" and not flowers_end_hand(hand, outcome.seats[0]):
        if hand.rules.flower_win_mode != "instant_win":
            return "flower.win", f"{hand.rules.id} has no win by flowers alone (flower_win_mode)"
        return "flower.win", f"seat {outcome.seats[0]} has too few flowers"
    if word not in OWN_TURN:
        return None
    winner = outcome.seats[0]
    side = hand.sides[winner]
    if word == "kong_bloom" and not any(meld.is_kong for meld in side.melds):
        return "kong.replacement", f"seat {winner} has no kong whose replacement could win"
    if word == "flower_bloom" and not side.flowers:
        return "flower.replacement", f"seat {winner} has no flower whose replacement could win"
    if word == "heavenly" and (winner != hand.dealer or side.melds):
        return "tai.heavenly", "a heavenly win is the dealer's, before his first discard and without melds"
    if word == "earthly" and (winner == hand.dealer or side.melds or _claimed(hand)):
        return "tai.earthly", "an earthly win is another player's first draw, before anybody has claimed"
    if word == "earthly" and outcome.by == "discard" and outcome.source != hand.dealer:
        return "tai.earthly", "an earthly win on a discard is one on the dealer's first"
    return None


def _against_flowers(hand: Hand, outcome: Outcome) -> tuple[str, str] | None:
    """Judge whether flowers would have ended the hand before this outcome (4.4, `flower_win_mode`)."""
    for seat in range(hand.players):
        if flowers_end_hand(hand, seat) and not (outcome.occasion == "flowers" and seat in outcome.seats):
            return "flower.win", f"the flowers of seat {seat} would have won before"
    return None


def _claimed(hand: Hand) -> bool:
    return any(any(row) for row in hand.fed)

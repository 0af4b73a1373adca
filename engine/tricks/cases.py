"""A scoring case of a trick game: a finished hand or one trick in a person's words (`cases/README.md`).

`result` settles with the very functions of play. What cannot be read or cannot exist raises CaseError with place and
reason. Defaults beyond the page's: the declarer is seat 0, the declarers are 0 and 2 at level 2, the last trick is
theirs, nothing of worth was buried; the cards of a trick may stand without spaces.

Left out of a result is what a case cannot tell: `level_next` where the attackers take over (their own level is not in
it), and `starter_next` where the last trick's winner starts (`next_starter = same_or_last_trick_winner`).
"""

from collections.abc import Mapping
from typing import Any

from engine.cards import CARD_INDEX
from engine.events import Body
from engine.fields import CaseError, Fields, shown
from engine.settlement import Line, settled
from engine.tricks import auction, levels, stakes
from engine.tricks.order import RANKS, SUITS, points_of, trumps, winner
from engine.tricks.rules import AuctionRules, LevelRules, TrickRules
from engine.tricks.state import NONE, SEATS, team

WHOLE = 100
"""Card points in the deck."""
MOST_BURIED = 60
"""Card points of the six dearest cards."""


def result(case: Mapping[str, Any], rules: TrickRules) -> Body:
    """Return what a case comes to by these rules, which have its options applied; raise CaseError."""
    fields = Fields(case)
    name = fields.text("id")
    if fields.has("trick"):
        found = _trick(fields, rules)
    elif isinstance(rules, AuctionRules):
        found = _auction(fields, rules)
    else:
        assert isinstance(rules, LevelRules)
        found = _levels(fields, rules)
    fields.done("rules", "options", "expect", "note")
    return found if name is None else {"id": name, **found}


def _trick(fields: Fields, rules: TrickRules) -> Body:
    """Return who wins a single trick, as a position in playing order, and its points."""
    suit = fields.word("trump", tuple(SUITS), "")
    if not suit and not (isinstance(rules, LevelRules) and rules.no_declare == "no_trump"):
        raise CaseError(fields.at("trump"), f"which suit is trump? one of {', '.join(SUITS)} is needed")
    level = fields.word("rank", tuple(RANKS), "2") if isinstance(rules, LevelRules) else ""
    cards = _read_cards(fields)
    return {"winner": winner(trumps(suit, rules.lifted(level)), cards), "points": points_of(cards)}


def _read_cards(fields: Fields) -> list[int]:
    where = fields.at("trick")
    text = "".join((fields.text("trick") or "").split(" "))
    codes = [text[at : at + 2] for at in range(0, len(text), 2)]
    for code in codes:
        if code not in CARD_INDEX:
            raise CaseError(where, f"{shown(code)} is no card: rank A 2-9 T J Q K and suit S H C D, or BJ, SJ")
    if len(codes) != SEATS:
        raise CaseError(where, f"a trick is four cards, not {len(codes)}")
    if len(set(codes)) != SEATS:
        raise CaseError(where, "a card stands in it twice; the deck has it once")
    return [CARD_INDEX[code] for code in codes]


def _read_points(fields: Fields, taken: str, put_away: str, rules: TrickRules) -> tuple[int, int]:
    """Return the points of the side against the declarers, and those buried; all card points are multiples of 5."""
    points = fields.needed_number(taken, 0, WHOLE, "how many card points did they take?")
    buried = fields.number(put_away, 0, MOST_BURIED, 0)
    for name, value in ((taken, points), (put_away, buried)):
        if value % 5:
            raise CaseError(fields.at(name), f"{value}: card points are 5 and 10")
    if points + buried > WHOLE:
        raise CaseError(fields.at(taken), f"{points} and {buried} buried are more than the {WHOLE} of the deck")
    if rules.most_buried is not None and buried > rules.most_buried:
        raise CaseError(fields.at(put_away), f"{buried}: these rules let at most {rules.most_buried} be buried")
    return points, buried


def _auction(fields: Fields, rules: AuctionRules) -> Body:
    declarer = fields.number("declarer", 0, SEATS - 1, 0)
    bid = fields.needed_number("bid", auction.BIDS[0], auction.BIDS[-1], "what was bid? 60 to 80")
    if bid not in auction.BIDS:
        raise CaseError(fields.at("bid"), f"{bid} is none of {', '.join(map(str, auction.BIDS))}")
    points, buried = _read_points(fields, "defender_points", "buried_points", rules)
    last = fields.word("last_trick", ("declarer", "defender"), "declarer")
    its = stakes.result(rules, bid, points, last_defender=last == "defender", buried=buried)
    amount = stakes.stake(rules, bid) * its.multiplier
    lines = stakes.lines(declarer, amount, made=its.made, key=its.key)
    return _paid(rules, lines)


def _levels(fields: Fields, rules: LevelRules) -> Body:
    level = fields.word("level", tuple(RANKS), "2")
    side, starter = _read_side(fields, rules)
    points, buried = _read_points(fields, "attacker_points", "kitty_points", rules)
    last = fields.word("last_trick", ("declarers", "attackers"), "declarers")
    its = levels.result(rules, points, last_attacker=last == "attackers", buried=buried)
    after = side if its.stayed else team(side[0] + 1)
    found: Body = {"declarers_next": list(after), "levels": its.gain}
    reached = levels.advance(rules, level, its.gain) if its.stayed else ""
    if its.stayed and not reached:
        found["match_won_by"] = list(side)
    else:
        next_starter = levels.next_starter(rules, starter, NONE, stayed=its.stayed)
        found |= {} if next_starter == NONE else {"starter_next": next_starter}
        found |= {"level_next": reached} if its.stayed else {}
    if rules.stake == "per_hand":
        found |= _paid(rules, levels.lines(rules, after, its.gain))
    return found


def _read_side(fields: Fields, rules: LevelRules) -> tuple[tuple[int, ...], int]:
    """Return the declarers and the starter, by default the first of them as written."""
    seats = fields.numbers("declarers", 0, SEATS - 1)
    listed = [0, 2] if seats is None else seats
    if not listed or tuple(sorted(listed)) != team(listed[0]):
        raise CaseError(fields.at("declarers"), "a side is the seats 0 and 2, or 1 and 3")
    side = team(listed[0])
    starter = fields.number("starter", 0, SEATS - 1, listed[0])
    if starter not in side and rules.next_starter == "partner_or_right":
        raise CaseError(fields.at("starter"), f"seat {starter} is none of the declarers {list(side)}")
    return side, starter


def _paid(rules: TrickRules, lines: list[Line]) -> Body:
    body = settled(rules, [], lines, SEATS)
    return {"payments": body["payments"], "lines": body["lines"]}

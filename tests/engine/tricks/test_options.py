"""Every option of both games, every value: what it changes in play or payment, or why it can change nothing.

`proves` registers one proof for a value; the test asks for one of every value offered, so that an option or value
that is added without a proof fails.
"""

from collections.abc import Callable
from typing import Any

import pytest
from trick_tables import MATCH, begun, bids, bury, idle, name_trump, played

from engine.cards import CARD_INDEX
from engine.errors import RulesError
from engine.events import load
from engine.tricks import flow
from engine.tricks.bots import sees_kitty, sight
from engine.tricks.cases import result
from engine.tricks.order import TRUMP, names, trumps, winner
from engine.tricks.rules import TrickRules
from engine.variants import find, forty, three_one

Proof = Callable[[Any], None]
PROOFS: dict[tuple[str, str, str], Proof] = {}
OPEN: dict[str, tuple[object, ...]] = {"base": (1, 5), "must_play": ("none", ["5"], ["5", "A"])}
"""Values to prove of the options whose value is a number or a list."""
VALUES = [
    (rules.id, name, value)
    for rules in (three_one.RULES, forty.RULES)
    for name, values in rules.offers
    for value in values or OPEN[name]
]


def proves(game: str, option: str, *values: object) -> Callable[[Proof], Proof]:
    def register(proof: Proof) -> Proof:
        for value in values:
            assert (game, option, repr(value)) not in PROOFS, f"{option} = {value!r} is proved twice"
            PROOFS[game, option, repr(value)] = proof
        return proof

    return register


@pytest.mark.parametrize(("game", "option", "value"), VALUES, ids=[f"{g}-{o}={v}" for g, o, v in VALUES])
def test_every_option_value_shows_what_it_does(game: str, option: str, value: object) -> None:
    proof = PROOFS.get((game, option, repr(value)))
    assert proof is not None, f"{game}: {option} = {value!r} has no proof"
    assert find(game, {option: value}).options()[option] == value
    proof(value)


def test_no_proof_is_left_over() -> None:
    assert set(PROOFS) == {(game, name, repr(value)) for game, name, value in VALUES}


@pytest.mark.parametrize("rules", [three_one.RULES, forty.RULES], ids=lambda rules: rules.id)
def test_values_that_are_not_offered_say_why(rules: TrickRules) -> None:
    for option, value, why in rules.withheld:
        with pytest.raises(RulesError) as caught:
            find(rules.id, {option: value})
        assert why in str(caught.value)


def test_the_docstrings_state_grade_and_source_of_the_numbers() -> None:
    for module, sources in ((three_one, ("SD-D", "SD-G", "SD-Q", "SD-T", "SD-X")), (forty, ("FP-G", "FP-R", "FP-U"))):
        assert module.__doc__ is not None
        for source in (*sources, "(H)", "(C)", "Grade" if module is forty else "grade"):
            assert source in module.__doc__


# --- one against three ------------------------------------------------------------------------------------------


def paid(game: str = "three_one", /, **case: Any) -> list[int]:
    told = {"rules": game, "bid": 60, "defender_points": 40, **case}
    rules = find(game, case.get("options", {}))
    assert isinstance(rules, TrickRules)
    payments: list[int] = result(told, rules)["payments"]
    return payments


@proves("three_one", "family", "trick_points")
def _family(value: str) -> None:
    hand = begun("three_one", {"family": value})
    bids(hand, 80)
    idle(hand)
    assert len(hand.tricks) == 12
    assert sum(hand.points) <= 100


@proves("three_one", "d3_in_kitty", "seat0", "redeal", "d4_holder")
def _d3_in_kitty(value: str) -> None:
    hand = begun("three_one", {"d3_in_kitty": value}, hands=["", "", "", "4D"], kitty="3D")
    assert hand.first_bidder == {"seat0": 0, "redeal": -1, "d4_holder": 3}[value]
    assert hand.redealt == (value == "redeal")


@proves("three_one", "late_minimums", True, False)
def _late_minimums(value: bool) -> None:
    hand = begun("three_one", {"late_minimums": value})
    bids(hand, 0, 0)
    assert flow.options(hand)[1]["bid"] == (65 if value else 60)
    bids(hand, 0)
    assert flow.options(hand)[1]["bid"] == (70 if value else 60)


@proves(
    "three_one",
    "all_pass",
    "redeal_same_first_bidder",
    "most_common_trumps_wins",
    "most_common_trumps_loses",
    "first_bidder_forced_at_minimum",
)
def _all_pass(value: str) -> None:
    hand = begun("three_one", {"all_pass": value}, hands=["BJ SJ 2S 2H 2C", "3D", "", ""])
    found = [body["type"] for body in bids(hand, 0, 0, 0, 0)]
    assert (
        found
        == {
            "redeal_same_first_bidder": ["drawn_hand", "settled"],
            "most_common_trumps_wins": ["settled"],
            "most_common_trumps_loses": ["settled"],
            "first_bidder_forced_at_minimum": ["kitty"],
        }[value]
    )
    assert (
        hand.payments
        == {
            "redeal_same_first_bidder": [0, 0, 0, 0],
            "most_common_trumps_wins": [3, -1, -1, -1],
            "most_common_trumps_loses": [-12, 4, 4, 4],
            "first_bidder_forced_at_minimum": [],
        }[value]
    )


@proves("three_one", "trump_timing", "after_bury", "before_bury")
def _trump_timing(value: str) -> None:
    hand = begun("three_one", {"trump_timing": value})
    bids(hand, 80)
    assert hand.phase == {"after_bury": "bury", "before_bury": "trump"}[value]


@proves("three_one", "show_kitty_max_bid", 65, 0, 60, 70, 75, 80)
def _show_kitty_max_bid(value: int) -> None:
    for bid in (60, 65, 70, 75, 80):
        hand = begun("three_one", {"show_kitty_max_bid": value}, hands=["3D", "", "", ""])
        bids(hand, bid, *([0, 0, 0] if bid < 80 else []))
        assert sees_kitty(hand, 0)
        assert sees_kitty(hand, 1) == (bid <= value)
        assert bool(sight(hand, 2, []).kitty) == (bid <= value)


@proves("three_one", "bury_points", True, False)
def _bury_points(value: bool) -> None:
    hand = begun("three_one", {"bury_points": value}, hands=["3D 5S TS KS 5H TH", "", "", ""])
    bids(hand, 80)
    fault = flow.fault(hand, {"type": "buried", "seat": 0, "cards": ["5S", "TS", "KS", "5H", "TH", "3D"]})
    assert (fault is None) == value


@proves("three_one", "permanent_twos", True, False)
def _permanent_twos(value: bool) -> None:
    hand = begun("three_one", {"permanent_twos": value})
    bids(hand, 80)
    bury(hand, " ".join(flow.options(hand)[0]["cards"]))
    name_trump(hand, "H")
    assert hand.trumps is not None
    cards = [CARD_INDEX[code] for code in ("KS", "AS", "2D", "9H")]
    assert winner(hand.trumps, cards) == (2 if value else 3)
    assert ("2S" in names(hand.trumps.masks[TRUMP])) == value


@proves("three_one", "red_five", "none")
def _red_five(value: str) -> None:
    rules = find("three_one", {"red_five": value})
    assert isinstance(rules, TrickRules)
    order = trumps("D", rules.lifted(""))
    assert order.strength[CARD_INDEX["5D"]] < order.strength[CARD_INDEX["6D"]]


@proves("three_one", "defenders_need", "105_minus_bid", "100_minus_bid")
def _defenders_need(value: str) -> None:
    assert paid(options={"defenders_need": value})[0] == {"105_minus_bid": 3, "100_minus_bid": -3}[value]


@proves("three_one", "koudi", "wins_outright", "multiplier_only", "off")
def _koudi(value: str) -> None:
    amount = {"wins_outright": -6, "multiplier_only": 6, "off": 3}[value]
    assert paid(options={"koudi": value}, last_trick="defender")[0] == amount


@proves("three_one", "kitty_points_on_koudi", 0, 1, 2)
def _kitty_points_on_koudi(value: int) -> None:
    # 35 points, 5 buried: 35, 40 and 45 against the 45 needed, so only twice the kitty makes it threefold.
    amount = {0: -6, 1: -6, 2: -9}[value]
    case = {"defender_points": 35, "buried_points": 5, "last_trick": "defender"}
    assert paid(options={"kitty_points_on_koudi": value}, **case)[0] == amount
    # 40 points: 50 with ten once, which is the even split.
    case = {"defender_points": 40, "buried_points": 10, "last_trick": "defender"}
    assert paid(options={"kitty_points_on_koudi": value}, **case)[0] == {0: -6, 1: -12, 2: -9}[value]


@proves("three_one", "base", 1, 5)
def _base(value: int) -> None:
    assert paid(options={"base": value}) == [3 * value, -value, -value, -value]


@proves("three_one", "multiplier_table", "sd_d", "sd_g")
def _multiplier_table(value: str) -> None:
    assert paid(options={"multiplier_table": value}, defender_points=50)[0] == {"sd_d": -6, "sd_g": -3}[value]
    assert paid(options={"multiplier_table": value}, defender_points=70)[0] == {"sd_d": -3, "sd_g": -6}[value]
    last = paid(options={"multiplier_table": value}, defender_points=45, last_trick="defender")
    assert last[0] == {"sd_d": -9, "sd_g": -12}[value]


@proves("three_one", "escape", "off")
def _escape(value: str) -> None:
    hand = begun("three_one", {"escape": value})
    fault = flow.fault(hand, {"type": "escaped", "seat": hand.turn})
    assert fault is not None
    assert fault.clause == "three_one.turn.order"


# --- forty points -----------------------------------------------------------------------------------------------

LATER = {"dealer": 0, "levels": ["3", "3"], "declarers": 0}


@proves("forty", "who_may_declare", "anyone", "declarers_first")
def _who_may_declare(value: str) -> None:
    hand = begun("forty", {"who_may_declare": value}, spot=LATER, hands=["", "3S", "", ""], kitty="3H 3C 3D")
    assert (hand.phase, hand.turn) == ("call", 1)
    assert hand.dealt == {"anyone": 2, "declarers_first": 48}[value]


@proves("forty", "no_declare", "turn_kitty", "redeal", "no_trump")
def _no_declare(value: str) -> None:
    hand = begun("forty", {"no_declare": value}, kitty="2S 2H 2C 2D KD 3D")
    assert hand.redealt == (value == "redeal")
    assert hand.suit == ("S" if value == "turn_kitty" else "")
    assert hand.phase == ("ended" if value == "redeal" else "bury")


@proves("forty", "first_starter", "dealer")
def _first_starter(value: str) -> None:
    hand = begun("forty", {"first_starter": value}, kitty="2S 2H 2C 2D KD 3D")
    assert hand.starter == hand.dealer == 0


@proves("forty", "bury_point_limit", "none", 35)
def _bury_point_limit(value: str | int) -> None:
    hand = begun("forty", {"bury_point_limit": value}, hands=["5S TS KS 5H TH"], kitty="2S 2H 2C 2D KD 3D")
    fault = flow.fault(hand, {"type": "buried", "seat": 0, "cards": ["5S", "TS", "KS", "5H", "TH", "3D"]})
    assert (fault is None) == (value == "none")


@proves("forty", "multi_lead", False)
def _multi_lead(value: bool) -> None:
    # One card a play is all that the vocabulary can say; four plays make a trick.
    log = played("forty", {"multi_lead": value}, name="multi-lead", match={"length": {"hands": 1}})
    kinds = [load(line)["type"] for line in log]
    assert kinds.count("played") == 4 * kinds.count("trick") == 48


@proves("forty", "permanent_twos", False, True)
def _forty_twos(value: bool) -> None:
    case = {"rules": "forty", "trump": "C", "rank": "6", "trick": "AC 2H 6D KC"}
    rules = find("forty", {"permanent_twos": value})
    assert isinstance(rules, TrickRules)
    assert result(case, rules)["winner"] == 2
    assert result({**case, "trick": "AC 2H 3D KC"}, rules)["winner"] == (1 if value else 0)


def ends(value: dict[str, Any], **case: Any) -> dict[str, Any]:
    rules = find("forty", value)
    assert isinstance(rules, TrickRules)
    return result({"rules": "forty", **case}, rules)


@proves("forty", "kitty_multiplier", 2, 1, 4)
def _kitty_multiplier(value: int) -> None:
    found = ends({"kitty_multiplier": value}, attacker_points=20, kitty_points=20, last_trick="attackers")
    assert found["levels"] == {1: 0, 2: 1, 4: 3}[value]


@proves("forty", "next_starter", "partner_or_right", "same_or_last_trick_winner")
def _next_starter(value: str) -> None:
    assert ends({"next_starter": value}, attacker_points=20)["starter_next"] == (
        2 if value == "partner_or_right" else 0
    )
    changed = 0
    for number in range(4):
        log = played("forty", {"next_starter": value}, name=f"starters-{number}", match=MATCH)
        last = starter = side = -1
        for record in map(load, log):
            if record["type"] == "trick":
                last = record["winner"]
            if record["type"] == "kitty":
                starter = record["seat"]
            if record["type"] == "settled":
                stayed, side = record["outcome"]["attacker_points"] < 40, record["outcome"]["declarers"]
            if record["type"] == "hand_ended" and "next" in record and value == "partner_or_right":
                assert record["next"]["dealer"] == (starter + (2 if stayed else 1)) % 4
                assert record["next"]["dealer"] in side
            elif record["type"] == "hand_ended" and "next" in record:
                assert record["next"]["dealer"] == (starter if stayed else last)
                changed += not stayed
    assert changed or value == "partner_or_right"


@proves("forty", "must_play", "none", ["5"], ["5", "A"])
def _must_play(value: Any) -> None:
    assert ends({"must_play": value}, attacker_points=0, level="3")["level_next"] == ("6" if value == "none" else "5")
    past = ends({"must_play": value}, attacker_points=0, level="Q")
    assert past.get("level_next") == ("A" if value == ["5", "A"] else None)
    assert ("match_won_by" in past) == (value != ["5", "A"])


@proves("forty", "stake", "levels_only", "per_hand")
def _stake(value: str) -> None:
    log = played("forty", {"stake": value}, name="stakes", match={"length": {"hands": 2}})
    settled = [load(line) for line in log if b'"settled"' in line]
    assert all(sum(each["payments"]) == 0 for each in settled)
    for each in settled:
        amount = max(1, each["outcome"]["levels"]) if value == "per_hand" else 0
        assert each["payments"] == [amount if seat in each["outcome"]["declarers"] else -amount for seat in range(4)]


@proves("forty", "base", 1, 5)
def _forty_base(value: int) -> None:
    found = ends({"base": value, "stake": "per_hand"}, attacker_points=20)
    assert found["payments"] == [value, -value, value, -value]

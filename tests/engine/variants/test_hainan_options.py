"""Every option of Hainan, every value: a case for what changes payments, a played hand for what changes play.

A value that is neither proved by a case of `data/hainan/cases.json` whose id begins with it nor by a proof below fails.
"""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hainan_hands import random_win
from scripted import Play

from engine.cards import INDEX, KINDS, tile_deck
from engine.errors import RulesError
from engine.fields import CaseError
from engine.mahjong import flow
from engine.mahjong.cases import result
from engine.mahjong.faults import census
from engine.mahjong.payments import HAND_PAYMENTS
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import Win
from engine.mahjong.worth import Score
from engine.variants import find, hainan

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[3] / "data" / "hainan" / "cases.json").read_bytes())
Proof = Callable[[Any], None]
PROOFS: dict[tuple[str, str], Proof] = {}
VALUES = [(name, value) for name, values in hainan.OFFERS for value in values or ()]


def rules_of(case: dict[str, Any], without: str = "") -> MahjongRules:
    options = {name: value for name, value in case.get("options", {}).items() if name != without}
    rules = find(case["rules"], options)
    assert isinstance(rules, MahjongRules)
    return rules


def proves(option: str, *values: object) -> Callable[[Proof], Proof]:
    def register(proof: Proof) -> Proof:
        for value in values:
            assert (option, repr(value)) not in PROOFS
            PROOFS[option, repr(value)] = proof
        return proof

    return register


def cases_of(option: str, value: object) -> list[dict[str, Any]]:
    told = value if isinstance(value, str) else json.dumps(value)
    return [case for case in CASES if case["id"].split(" ")[0] == f"{option}={told}"]


def outcome(case: dict[str, Any], rules: MahjongRules) -> object:
    try:
        got = result(case, rules)
    except CaseError:
        return "refused"
    return "illegal" if "illegal" in got else got["payments"]


@pytest.mark.parametrize(("option", "value"), VALUES, ids=[f"{name}={value}" for name, value in VALUES])
def test_every_option_value_shows_what_it_does(option: str, value: object) -> None:
    assert find("hainan", {option: value}).options()[option] == value
    proof, cases = PROOFS.get((option, repr(value))), cases_of(option, value)
    assert proof or cases, f"{option} = {value!r} has no proof"
    if proof:
        proof(value)
    elif value != find("hainan").options()[option]:
        told = [case for case in cases if option in case.get("options", {})]
        assert any(outcome(case, rules_of(case)) != outcome(case, rules_of(case, option)) for case in told)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_our_cases(case: dict[str, Any]) -> None:
    got, expect = result(case, rules_of(case)), case["expect"]
    if "illegal" in expect:
        assert got["illegal"] is True, got
        return
    assert got["payments"] == expect["payments"], got
    multipliers = {str(winner["seat"]): winner["multiplier"] for winner in got["winners"]}
    assert multipliers == expect.get("multiplier", {})
    assert sum(got["payments"]) == 0


def test_no_proof_is_left_over() -> None:
    assert set(PROOFS) <= {(name, repr(value)) for name, value in VALUES}


def test_the_offers_are_the_options_of_the_page_in_its_order_with_its_defaults(shared: Path) -> None:
    page = (shared / "rules" / "mahjong.md").read_text()
    block = '{"players"' + page.partition(' "hainan": {"players"')[2].partition("}}")[0] + "}"
    preset = json.loads(block)
    assert [name for name, _ in hainan.OFFERS] == list(preset)
    assert find("hainan").options() == preset
    assert find("hainan.nofan").options() == {**preset, "fan_required": False}
    assert find("hainan.three").options() == {**preset, "players": 3}
    assert find("hainan.random").options() == {**preset, "wild": "random"}


def test_the_default_of_every_option_is_offered_first() -> None:
    defaults = find("hainan").options()
    for name, values in hainan.OFFERS:
        assert values is not None
        assert repr(values[0]) == repr(defaults[name]) or name in {"ga", "no_winds"}


@pytest.mark.parametrize(("option", "value", "why"), hainan.WITHHELD, ids=[each[0] for each in hainan.WITHHELD])
def test_values_that_the_page_names_for_the_record_only_are_refused_with_the_reason(
    option: str, value: object, why: str
) -> None:
    with pytest.raises(RulesError, match=f"{option} = .* is not offered") as refused:
        find("hainan", {option: value})
    assert why in str(refused.value)
    assert "HN-" in why


@pytest.mark.parametrize(("option", "values"), hainan.OFFERS, ids=[name for name, _ in hainan.OFFERS])
def test_values_that_are_not_offered_are_refused_by_name(option: str, values: tuple[object, ...]) -> None:
    for wrong in ("no such word", 3.5, None, [], {}, 77, -1):
        with pytest.raises(RulesError, match=rf"^hainan: {option.replace('.', '[.]')}(:| =) "):
            find("hainan", {option: wrong})
    for value in values:
        if isinstance(value, bool):
            with pytest.raises(RulesError):
                find("hainan", {option: int(value)})


# --- the deal -----------------------------------------------------------------------------------------------------


@proves("players", 3, 4)
def seats_and_tiles(value: int) -> None:
    play = Play(options={"players": value})
    assert [(body["seat"], len(body["tiles"])) for body in play.words("dealt")] == [
        (seat, 13 + (seat == 0)) for seat in range(value)
    ]
    assert play.hand.wall.left == {3: 104, 4: 91}[value]
    assert play.hand.wall.size == 144


@proves("no_winds", False, True)
def winds_or_none(value: bool) -> None:
    rules = find("hainan", {"no_winds": value})
    assert isinstance(rules, MahjongRules)
    deck = flow.deck(rules)
    assert len(deck) == (128 if value else 144)
    assert any(each[0] in "ESWN" for each in deck) is not value
    assert deck == tile_deck(flowers=True, winds=not value)
    assert Play(options={"no_winds": value}).hand.wall.left == (75 if value else 91)
    orphans = {"rules": "hainan", "seats": {"1": {"hand": "19m 19p 19s ESWN FP C"}},
               "win": {"seats": [1], "tile": "1m", "by": "self_draw"}}  # fmt: skip
    if value:
        with pytest.raises(CaseError, match=r"E is not in the wall"):
            result(orphans, rules)
        with pytest.raises(CaseError, match=r"N is not in the wall"):
            result({"seats": {"1": {"melds": [{"kind": "concealed_kong", "tiles": "NNNN"}]}}}, rules)
        with pytest.raises(RulesError, match="64 stacks do not divide among 3"):
            find("hainan.three", {"no_winds": True, "wall.break": "dice"})
    else:
        assert result(orphans, rules)["winners"][0]["multiplier"] == 26


@proves("wall.break", "none", "dice")
def break_of_the_wall(value: str) -> None:
    order = [INDEX[each.partition(".")[0]] for each in tile_deck(flowers=True)]
    play = Play(options={"wall.break": value}, dice=(3, 4, 4, 5), wall=order)
    thrown = [(body["seat"], body["values"]) for body in play.words("dice")]
    # D + 7 - 1 = seat 2 throws second, c = 16: the wall of seat 2 begins at stack 36 (0.4).
    start = 2 * (36 + 16) if value == "dice" else 0
    assert thrown == ([(0, [3, 4]), (2, [4, 5])] if value == "dice" else [])
    assert flow.n_dice(play.rules) == (4 if value == "dice" else 0)
    assert play.words("dealt")[0]["tiles"][:4] == [KINDS[kind] for kind in order[start : start + 4]]


# --- wild tiles ---------------------------------------------------------------------------------------------------


@proves("wild_domain", "in_play", "suits")
def kinds_that_may_be_wild(value: str) -> None:
    play = Play("hainan.random", {"wild_domain": value}, wild=26)
    assert play.words("wild") == [{"type": "wild", "tile": "9s"}]
    case = {"rules": "hainan.random", "wild": "E", "seats": {}, "remaining": 15}
    rules = find("hainan.random", {"wild_domain": value})
    assert isinstance(rules, MahjongRules)
    if value == "in_play":
        assert Play("hainan.random", wild=33).words("wild")[0]["tile"] == "P"
        assert Play("hainan.random", {"no_winds": True}, wild=27).words("wild")[0]["tile"] == "C"
        assert result(case, rules)["payments"] == [0, 0, 0, 0]
    else:
        with pytest.raises(CaseError, match="E cannot be drawn"):
            result(case, rules)


@proves("wild_indicator", "virtual", "flipped_out", "next_kind")
def how_the_wild_is_told(value: str) -> None:
    play = Play("hainan.random", {"wild_indicator": value}, wild=3, hands=["f8"], tail="f1 f2 9s 7p")
    told = {
        "virtual": {"type": "wild", "tile": "4m"},
        "flipped_out": {"type": "wild", "tile": "9s", "indicator": "9s"},
        "next_kind": {"type": "wild", "tile": "1s", "indicator": "9s"},
    }[value]
    assert play.words("wild") == [told]
    assert [body["type"] for body in play.events[:2]] == ["wild", "dealt"]
    # The indicator is passed over by the replacements, and the wall is one short.
    assert [body["tile"] for body in play.words("drawn")] == ["f1", "f2", "9s" if value == "virtual" else "7p"]
    assert play.words("drawn")[-1]["left"] == (91 if value == "virtual" else 90) - 3
    assert sum(census(play.hand)) + play.hand.wall.left == 144
    assert all(side.wild == INDEX[told["tile"]] for side in play.hand.sides)
    case = {"rules": "hainan.random", "wild": "1s", "seats": {"1": {"hand": "1111s 123m 456m 99p E"}}}
    rules = find("hainan.random", {"wild_indicator": value})
    assert isinstance(rules, MahjongRules)
    if value == "flipped_out":
        with pytest.raises(CaseError, match=r"5 copies of 1s .* one of them turned up"):
            result(case, rules)
    else:
        assert result(case, rules)["payments"] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("shown", "wild"), [("9m", "1m"), ("4p", "5p"), ("E", "S"), ("N", "E"), ("C", "F"), ("P", "C")]
)
def test_the_next_kind_goes_round(shown: str, wild: str) -> None:
    play = Play("hainan.random", {"wild_indicator": "next_kind"}, tail=shown)
    assert play.words("wild") == [{"type": "wild", "tile": wild, "indicator": shown}]


@proves("wild_claims", "no")
def wilds_in_claims(value: str) -> None:
    assert value == "no"
    play = Play(hands=["C 5m 1s", "4m C 55m 1p 4p 7p 1s 4s 7s ESW", "CC 99s", "E"])
    play.discard(0, "C")
    assert play.answers == {}
    play = Play(hands=["C 5m 1s", "4m C 55m 1p 4p 7p 1s 4s 7s ESW", "CC 99s", "E"])
    play.discard(0, "5m")
    assert play.answers[1] == {"pung"}  # 4m and a wild make no chow
    to = play.hand.window.to if play.hand.window else 0
    for word, tiles in (("chow", ["4m", "C"]), ("kong", ["5m", "5m", "C"]), ("pung", ["5m", "C"])):
        body = {"type": "answered", "seat": 1, "to": to, "answer": word, "tiles": tiles}
        assert play.refused(**body) == "HN-10"


@proves("wild_discard", "allow", "forbid")
def discarding_a_wild(value: str) -> None:
    play = Play(options={"wild_discard": value}, hands=["C 19m 1p 4p 7p 1s 4s 7s E S W N F"])
    if value == "allow":
        play.discard(0, "C")
        return
    assert play.refused(type="discarded", seat=0, tile="C") == "HN-10"
    play.discard(0, "E")
    # A time-out keeps the wild that was drawn and lets the last other tile go (CM-05).
    play = Play(options={"wild_discard": value}, hands=["E", "1m 4m 7m 1p 4p 7p 1s 4s 7s E S W N"], head="C")
    play.discard(0, "E").passing()
    assert flow.timeout(play.hand, 1) == {"type": "discarded", "seat": 1, "tile": "N"}
    # Whoever holds nothing else may let it go.
    side = play.hand.sides[1]
    for kind, have in enumerate(side.counts):
        for _ in range(have if kind != INDEX["C"] else 0):
            side.remove(kind)
    assert play.fault({"type": "discarded", "seat": 1, "tile": "C", "drawn": True}) is None


def test_a_claim_that_leaves_nothing_to_discard_is_none() -> None:
    options = {"wild_discard": "forbid", "swap_ban": "dinghai"}
    play = Play(options=options, hands=["2m", "345m C 1p 4p 7p 1s 4s 7s ESW", "E", "S"])
    side = play.hand.sides[1]
    for kind, have in enumerate(side.counts):
        for _ in range(have if KINDS[kind] not in {"3m", "4m", "5m", "C"} else 0):
            side.remove(kind)
    play.discard(0, "2m")
    assert play.answers[1] == {"win"}  # after a chow with 34m neither 5m nor the wild could go


@proves("wild_kong", False)
def kongs_of_wilds(value: bool) -> None:
    assert value is False
    play = Play(hands=["CCCC 1m"])
    kong = {"type": "konged", "seat": 0, "kind": "concealed_kong", "tiles": ["C"] * 4}
    assert play.refused(**kong) == "HN-11"


# --- play ---------------------------------------------------------------------------------------------------------


@proves("ga", False, True)
def choosing_ga(value: bool) -> None:
    play = Play("hainan.random", {"ga": value, "wall.break": "dice"}, dice=(1, 2, 3, 4))
    if not value:
        assert play.words("ga_chosen") == []
        with pytest.raises(CaseError, match=r"ga = false"):
            result({"ga": [1, 0, 0, 0], "seats": {}}, play.rules)
        return
    assert play.events == []
    assert play.refused(type="ga_chosen", seat=2, ga=4) == "hainan.ga.choice"
    assert play.refused(type="discarded", seat=0, tile="1m") == "hainan.turn.order"
    play.act(type="ga_chosen", seat=2, ga=5)
    assert play.refused(type="ga_chosen", seat=2, ga=5) == "hainan.ga.choice"
    assert len(flow.options(play.hand)) == 15
    for seat, ga in ((0, 0), (3, 1), (1, 2)):
        play.act(type="ga_chosen", seat=seat, ga=ga)
    assert [body["type"] for body in play.events[:8]] == ["ga_chosen"] * 4 + ["dice", "dice", "wild", "dealt"]
    assert play.hand.ga == [0, 2, 5, 1]
    assert play.next()["ga"] == [0, 2, 5, 1]
    with pytest.raises(CaseError, match=r"ga\[1\]: 4 is none of 0, 1, 2, 3, 5"):
        result({"ga": [0, 4, 0, 0], "seats": {}}, play.rules)


@proves("ga_free", False, True)
def ga_of_the_hand_before(value: bool) -> None:
    play = Play(options={"ga": True, "ga_free": value}, spot={"ga": [2, 0, 5, 3]})
    may = {seat: {body["ga"] for body in flow.options(play.hand) if body["seat"] == seat} for seat in range(4)}
    everything = {0, 1, 2, 3, 5}
    assert may == (dict.fromkeys(range(4), everything) if value else {0: {2, 3, 5}, 1: everything, 2: {5}, 3: {3, 5}})
    assert flow.timeout(play.hand, 2) == {"type": "ga_chosen", "seat": 2, "ga": 0 if value else 5}
    if not value:
        assert play.refused(type="ga_chosen", seat=0, ga=1) == "hainan.ga.choice"


@proves("flower_first", "first_turn", "first_draw")
def flowers_of_the_deal(value: str) -> None:
    play = Play(
        options={"flower_first": value}, hands=["5m", "f6 f2 55m 1p 4p 7p 1s 4s 7s E S", "W"], tail="f1 9m 8m 6p"
    )
    play.discard(0, "5m")
    play.answer(1, "pung", "55m").passing()
    exposed = [body["tile"] for body in play.words("flower")]
    if value == "first_turn":
        # Lowest first, what a replacement brings among them.
        assert exposed == ["f2", "f1", "f6"]
        assert play.hand.fresh
        assert play.hand.source == "flower"
        return
    assert exposed == []
    assert play.refused(type="discarded", seat=1, tile="f2") == "hainan.act.flower"
    assert not play.hand.fresh
    play.discard(1, "E").passing()
    for seat in (2, 3, 0):
        play.discard_drawn(seat).passing()
    assert [body["tile"] for body in play.words("flower")][-3:] == ["f2", "f1", "f6"]


def test_flowers_follow_a_direct_kongs_own_replacement() -> None:
    play = Play(hands=["5m", "f6 555m 1p 4p 7p 1s 4s 7s E S", "W"], tail="9m 8m")
    play.discard(0, "5m").answer(1, "kong", "555m")
    after = play.events[play.events.index(play.words("melded")[0]) + 1 :]
    assert [(body["type"], body["tile"]) for body in after] == [("drawn", "9m"), ("flower", "f6"), ("drawn", "8m")]


def test_whoever_holds_flowers_is_not_complete_and_keeps_a_tile_to_discard() -> None:
    play = Play(hands=["8p", "f3 123m 456p 789s 67p 3s", "123m 456p 789s 67p 33s"])
    play.discard(0, "8p")
    assert "win" not in play.answers.get(1, set())
    assert "win" in play.answers[2]
    play = Play(options={"flower_first": "first_draw"}, hands=["5m 4s", "f1 f2 f3 f4 f5 f6 f7 f8 55m 44s E", "W"])
    play.discard(0, "5m").answer(1, "pung", "55m").passing()
    play.discard(1, "E")  # a chow would leave flowers alone
    play.hand.turn = 0
    play.hand.phase = "act"
    play.discard(0, "4s")
    assert 1 not in play.answers


@proves("replacement_from", "tail", "head")
def where_replacements_come_from(value: str) -> None:
    play = Play(options={"replacement_from": value}, hands=["f1 9999p"], head="1m 2m 3m", tail="7s 8s")
    assert play.words("drawn")[0] == {
        "type": "drawn", "seat": 0, "tile": "7s" if value == "tail" else "1m", "end": value, "left": 90,
    }  # fmt: skip
    play.kong(0, "concealed_kong", "9999p")
    assert play.words("drawn")[1]["tile"] == ("8s" if value == "tail" else "2m")


@proves("flower_win_mode", "side", "instant_win")
def flowers_that_win(value: str) -> None:
    play = Play(options={"flower_win_mode": value}, hands=["f5 f6 f7 f8"], tail="1m 2m 3m 4m")
    assert [body["tile"] for body in play.words("flower")] == ["f5", "f6", "f7", "f8"]
    if value == "side":
        assert play.hand.phase == "act"
        return
    assert play.words("won") == [{"type": "won", "seat": 0, "by": "self_draw", "occasion": "flowers"}]
    assert len(play.words("drawn")) == 3  # the last flower is not replaced
    assert play.settled["payments"] == [6, -2, -2, -2]
    assert play.next() == {"dealer": 0, "round_wind": "E", "streak": 1}


@proves("no_chow", False, True)
def chows_at_all(value: bool) -> None:
    play = Play(options={"no_chow": value}, hands=["5m 9s", "34m 6m 1p 4p 7p 1s 4s 7s ESWN", "W"])
    play.discard(0, "5m")
    assert play.answers.get(1, set()) == (set() if value else {"chow 3m4m", "chow 4m6m"})
    refuse_chows(play.rules, value)
    if value:
        play = Play(options={"no_chow": value}, hands=["5m", "34m 55m 1p 4p 7p 1s 4s 7s ESW", "W"]).discard(0, "5m")
        assert play.answers[1] == {"pung"}
        to = play.hand.window.to if play.hand.window else 0
        assert play.refused(type="answered", seat=1, to=to, answer="chow", tiles=["3m", "4m"]) == "HN-41"


@proves("three_player_chow", True, False)
def chows_among_three(value: bool) -> None:
    play = Play(
        "hainan.three", {"three_player_chow": value}, hands=["5m", "34m 1p 4p 7p 1s 4s 7s ESWN F", "W"]
    ).discard(0, "5m")
    assert play.answers.get(1, set()) == ({"chow 3m4m"} if value else set())
    refuse_chows(play.rules, not value)
    four = Play("hainan", {"three_player_chow": value}, hands=["5m", "34m 1p 4p 7p 1s 4s 7s ESWN F", "W"]).discard(
        0, "5m"
    )
    assert four.answers[1] == {"chow 3m4m"}


def refuse_chows(rules: MahjongRules, value: bool) -> None:
    case = {"remaining": 15, "seats": {"1": {"melds": [{"kind": "chow", "tiles": "345m"}]}}}
    if value:
        with pytest.raises(CaseError, match="no chow"):
            result(case, rules)
    else:
        assert "illegal" not in result(case, rules)


@proves("reserve", 15)
def end_of_the_wall(value: int) -> None:
    play = Play()
    while play.hand.phase != "ended":
        if play.hand.phase == "act" and play.hand.drawn >= 0:
            play.discard_drawn(play.hand.turn)
        elif play.hand.phase == "act":
            play.act(**flow.timeout(play.hand, play.hand.turn))  # type: ignore[arg-type]  somebody is asked
        play.passing()
    assert play.words("drawn_hand") == [{"type": "drawn_hand", "reason": "wall_end"}]
    assert play.words("drawn")[-1]["left"] == value == play.hand.wall.left
    assert play.settled["payments"] == [0, 0, 0, 0]
    # The last discard may be punged, not konged; nor is there a kong in the last turn.
    play = Play(hands=["5m 9999p", "E", "555m", "W"])
    play.hand.wall.left = value
    assert play.refused(type="konged", seat=0, kind="concealed_kong", tiles=["9p"] * 4) == "HN-20"
    play.discard(0, "5m")
    assert play.answers[2] == {"pung"}


@proves("multi_win", "first", "all")
def several_winners(value: str) -> None:
    ready = "123m 456p 789s 67p 33s"
    play = Play(options={"multi_win": value}, hands=["8p", "123m 456s 777m 67p EE", "W", ready])
    play.discard(0, "8p").answer(3, "win")
    assert play.hand.phase == "window"
    play.answer(1, "win")
    assert [body["seat"] for body in play.words("won")] == ([1] if value == "first" else [1, 3])
    assert [winner["seat"] for winner in play.settled["winners"]] == ([1] if value == "first" else [1, 3])


@proves("pass_win_lock", "off", "dinghai")
def a_declined_win(value: str) -> None:
    play = Play(options={"pass_win_lock": value}, hands=["8p", "8p", "123m 456p 789s 67p 33s"])
    play.discard(0, "8p").passing().discard(1, "8p")
    assert ("win" in play.answers.get(2, set())) is (value == "off")


@proves("pass_pung_lock", "off", "dinghai")
def a_declined_pung(value: str) -> None:
    play = Play(options={"pass_pung_lock": value}, hands=["9s", "9s", "99s 1m"])
    play.discard(0, "9s").passing().discard(1, "9s")
    assert ("pung" in play.answers.get(2, set())) is (value == "off")


@proves("swap_ban", "off", "dinghai")
def swapping(value: str) -> None:
    play = Play(options={"swap_ban": value}, hands=["2m", "2345m 9p"])
    play.discard(0, "2m").answer(1, "chow", "34m").passing()
    for tile in ("2m", "5m"):
        body = {"type": "discarded", "seat": 1, "tile": tile}
        assert (play.fault(body) is None) is (value == "off")
        if value != "off":
            assert play.refused(**body) == "HN-44"


@proves("kong_after_claim", False, True)
def kongs_after_a_claim(value: bool) -> None:
    play = Play(options={"kong_after_claim": value}, hands=["2m", "22m 9999p"])
    play.discard(0, "2m").answer(1, "pung", "22m").passing()
    kong = {"type": "konged", "seat": 1, "kind": "concealed_kong", "tiles": ["9p"] * 4}
    if value:
        play.act(**kong)
    else:
        assert play.refused(**kong) == "CM-01"


@proves("late_added_kong", True, False)
def added_kongs_of_an_older_tile(value: bool) -> None:
    play = Play(options={"late_added_kong": value}, hands=["2m", "222m 9p"])
    play.discard(0, "2m").answer(1, "pung", "22m").passing()
    play.discard(1, "9p").passing()
    for seat in (2, 3, 0):
        play.discard_drawn(seat).passing()
    kong = {"type": "konged", "seat": 1, "kind": "added_kong", "tiles": ["2m"]}
    if value:
        play.act(**kong)
    else:
        assert play.refused(**kong) == "CM-02"


@proves("timeout", "pass")
def timeouts(value: str) -> None:
    play = Play(hands=["8p", "123m 456p 789s 67p 33s"]).discard(0, "8p")
    chosen = flow.timeout(play.hand, 1)
    assert chosen is not None
    assert chosen["answer"] == value
    assert play.fault({**chosen, "answer": "win", "auto": True}).clause == "CM-05"  # type: ignore[union-attr]  it is one


# --- the deal's passing -------------------------------------------------------------------------------------------


def after(options: dict[str, Any], spot: dict[str, Any], *winners: int, first_dealer: int = 0) -> dict[str, Any]:
    play = Play(options=options, spot=spot)
    play.hand.wins = [Win(seat, 0, "self_draw", -1, "", ()) for seat in winners]
    return play.next(first_dealer)


@proves("streak_on_draw", True, False)
def streak_after_a_drawn_hand(value: bool) -> None:
    spot = {"dealer": 2, "round_wind": "S", "streak": 3}
    assert after({"streak_on_draw": value}, spot) == {**spot, "streak": 4 if value else 3}
    assert after({"streak_on_draw": value}, spot, 2) == {**spot, "streak": 4}
    assert after({"streak_on_draw": value}, spot, 1) == {"dealer": 3, "round_wind": "S", "streak": 0}


@proves("next_dealer", "rotate", "winner")
def who_deals_next(value: str) -> None:
    spot = {"dealer": 1, "round_wind": "E", "streak": 2}
    assert after({"next_dealer": value}, spot, 3)["dealer"] == (2 if value == "rotate" else 3)
    assert after({"next_dealer": value}, spot, 1) == {**spot, "streak": 3}
    # Several winners: he stays among them, else the first of them counts.
    options = {"next_dealer": value, "multi_win": "all"}
    assert after(options, spot, 0, 1) == {**spot, "streak": 3}
    assert after(options, spot, 0, 3)["dealer"] == (2 if value == "rotate" else 0)


@proves("round_wind_mode", "first_dealer", "all_won")
def when_the_round_goes_on(value: str) -> None:
    options = {"round_wind_mode": value}
    spot = {"dealer": 3, "round_wind": "N", "streak": 0}
    if value == "first_dealer":
        assert after(options, spot, 1) == {"dealer": 0, "round_wind": "E", "streak": 0}
        assert after(options, spot, 3)["round_wind"] == "N"
        assert after(options, {**spot, "dealer": 0}, 0)["round_wind"] == "N"  # kept, not regained
        return
    before = {**spot, "won": [0, 2]}
    assert after(options, before, 1) == {"dealer": 0, "round_wind": "N", "streak": 0, "won": [0, 1, 2]}
    assert after(options, {**before, "won": [0, 1, 2]}, 3)["round_wind"] == "E"
    assert after(options, {**before, "won": [0, 1, 2]}, 3)["won"] == []
    assert after(options, before)["won"] == [0, 2]


# --- what other servers have and these rules have not (HN-45) ------------------------------------------------------


@proves("claim_liability", False)
def no_liability_by_claims(value: bool) -> None:
    melds = [{"kind": "pung", "tiles": tiles, "from": 3} for tiles in ("111p", "999m", "EEE")]
    case = {"seats": {"1": {"hand": "78p 22s", "melds": melds}}, "win": {"seats": [1], "tile": "9p"}}
    rules = find("hainan", {"claim_liability": value})
    assert isinstance(rules, MahjongRules)
    assert result(case, rules)["payments"] == [-4, 8, -2, -2]


@proves("follow_first", False)
def a_first_tile_that_is_followed(value: bool) -> None:
    play = Play(options={"follow_first": value}, hands=["E", "E", "E", "E"])
    for seat in range(4):
        play.discard(seat, "E").passing()
    assert play.hand.phase == "act"
    assert play.words("settled") == []


@proves("kong_first", False)
def a_first_tile_that_is_konged(value: bool) -> None:
    play = Play(options={"kong_first": value}, hands=["1s", "111s 123m 456p 67p 3s", "W"], tail="3s")
    play.discard(0, "1s").answer(1, "kong", "111s")
    play.discard(1, "3s", drawn=True).passing()
    play.hand.wins = [Win(2, INDEX["1m"], "self_draw", -1, "", tuple(play.hand.sides[2].counts))]
    lines = HAND_PAYMENTS["kongs_by_edges"](play.hand, [(play.hand.wins[0], Score([], 2, 2))])
    assert [(line.payer, line.amount) for line in lines] == [(2, 1), (3, 1), (0, 2)]


@proves("triple_win_draw", False)
def three_winners(value: bool) -> None:
    hands = ["8p", "123m 456p 789s 67p 33s", "123s 456s 777m 67p EE", "234m 567m 67p 222s WW"]
    play = Play(options={"triple_win_draw": value, "multi_win": "all"}, hands=hands).discard(0, "8p")
    for seat in (1, 2, 3):
        play.answer(seat, "win")
    assert [winner["seat"] for winner in play.settled["winners"]] == [1, 2, 3]
    assert play.words("drawn_hand") == []


# --- wins ---------------------------------------------------------------------------------------------------------


@proves("fan_same_reading", False, True)
def fans_of_one_reading(value: bool) -> None:
    """Change what `settled` lists, never what it pays: whatever makes a type pay more is a fan itself (3.7)."""
    rng = Random(48)
    fewer = hands = 0
    while hands < 150:
        made = random_win(rng)
        if made is None:
            continue
        case = made[0]
        both = [
            result(case, rules_of({**case, "options": {**case["options"], "fan_same_reading": same}}))
            for same in (value, not value)
        ]
        hands += 1
        assert both[0].get("payments") == both[1].get("payments")
        if "illegal" not in both[0]:
            mine, other = ({row["id"] for row in each["winners"][0]["patterns"]} for each in both)
            fewer += mine < other if value else other < mine
    assert fewer > 0


def test_a_hand_without_a_fan_may_rob_a_kong_but_not_win_on_a_discard() -> None:
    play = Play(hands=["1p", "99p W", "123m 456s 78p 33s 11p E", "9p"], head="F P S N 9p")
    play.discard(0, "1p").answer(2, "pung", "11p").passing()
    play.discard(2, "E").passing()
    play.discard(3, "9p")
    assert play.answers[1] == {"pung"}
    assert 2 not in play.answers
    play.answer(1, "pung", "99p").passing()
    play.discard(1, "W").passing()
    for seat in (2, 3, 0):
        play.discard_drawn(seat).passing()
    play.kong(1, "added_kong", "9p")
    assert play.answers == {2: {"win"}}
    play.answer(2, "win")
    # Without a fan the robbed seat pays for all, and one more; its kong is void.
    assert play.settled["payments"] == [0, -5, 5, 0]
    assert [meld.kind for meld in play.hand.sides[1].melds] == ["pung"]
    assert play.hand.kongs == 0


def test_an_earthly_win_is_told_by_its_occasion() -> None:
    ready = "123m 456p 789s 67p 33s"
    play = Play(hands=["8p", ready]).discard(0, "8p").answer(1, "win")
    assert play.words("won")[0]["occasion"] == "earthly"
    assert play.settled["payments"] == [-7, 13, -3, -3]
    play = Play(hands=["E", ready], head="8p").discard(0, "E").passing().win(1)
    assert play.words("won")[0]["occasion"] == "earthly"
    play = Play(hands=["E", f"f1 {ready}"], head="9m", tail="8p")
    play.discard(0, "E").passing()
    assert play.hand.source == "flower"
    for mode, word in (("first_draw", None), ("dealer_discard", "earthly")):
        play = Play(options={"earthly_mode": mode}, hands=["8p", ready]).discard(0, "8p").answer(1, "win")
        assert play.words("won")[0].get("occasion") == word


def test_a_heavenly_win_counts_flowers_but_no_kong() -> None:
    play = Play(hands=["123m 456p 789s 67p 33s f2"], tail="8p").win(0)
    assert play.words("won") == [{"type": "won", "seat": 0, "by": "self_draw", "occasion": "heavenly"}]
    play = Play(hands=["123m 456p 9999s 67p 33s f2"], tail="5m 8p").kong(0, "concealed_kong", "9999s")
    assert play.hand.source == "kong"


def test_a_robbed_kong_is_void() -> None:
    play = Play(hands=["9p", "99p E", "123m 456s 78p 22s WWW"], head="F P N 9p")
    play.discard(0, "9p")
    assert play.answers == {1: {"pung"}, 2: {"win"}}
    play.answer(2, "pass").answer(1, "pung", "99p").passing()
    play.discard(1, "E").passing()
    for seat in (2, 3, 0):
        play.discard_drawn(seat).passing()
    play.kong(1, "added_kong", "9p").answer(2, "win")
    assert play.words("won") == [{"type": "won", "seat": 2, "by": "robbed", "tile": "9p", "from": 1}]
    assert play.settled["payments"] == [-2, -2, 5, -1]
    assert [meld.kind for meld in play.hand.sides[1].melds] == ["pung"]

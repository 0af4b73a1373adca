"""The presets, and every value of every option: what it changes, and what is refused."""

from typing import Any

import pytest
from niuniu_tables import MODES, game, sit

from engine.banker.rules import TABLES, BankerRules
from engine.errors import RulesError
from engine.match import Hands
from engine.variants import PRESETS, VERSIONS, by_digest, find
from engine.variants.niuniu import OFFERS

ZHENAN = find("niuniu")
NATIONAL = find("niuniu.national")


def test_the_presets_are_those_of_the_page() -> None:
    assert ZHENAN.options() == {
        "deck": 54, "banker": "asked", "all_decline": "first_forced", "max_bid": 4, "bid_multiplies": True,
        "mult": "zhenan_5432", "tie": "high_card_then_suit", "specials": {}, "five_small": "lt5_le10",
        "special_order": "small>bomb>flower", "gold_silver": "off", "joker_is_face": False, "base": 1,
        "bets": [1, 2, 3, 4, 5], "push_bet": "off", "tongbi": "winner_takes_all", "escape": "zhenan",
        "cap_by_balance": True,
    }  # fmt: skip
    assert NATIONAL.differing(ZHENAN) == {
        "deck": 52, "banker": "fixed_owner", "mult": "t_4_3_2_2", "escape": "off",
        "specials": {"five_small": 8, "bomb": 6, "five_face": 5},
    }  # fmt: skip
    assert (ZHENAN.sizes, NATIONAL.sizes) == (range(2, 5), range(2, 11))
    assert ZHENAN.match.length == NATIONAL.match.length == Hands(hands=16)


def test_each_option_has_one_name_and_its_own_values() -> None:
    assert [name for name, _ in OFFERS] == list(ZHENAN.options())
    for name, values in OFFERS:
        for value in values or ():
            for preset in (ZHENAN, NATIONAL):
                assert preset.but({name: value}).options()[name] == value
    assert dict(OFFERS)["banker"] == MODES
    assert dict(OFFERS)["mult"] == tuple(TABLES)


def test_every_value_of_every_option_can_be_played() -> None:
    # 18 options with at most 8 values: each is one short game, replayed by the tests of simulated games too.
    for name, values in OFFERS:
        more: dict[str, Any] = {
            "all_decline": {"banker": "asked"}, "max_bid": {"banker": "see4_bid"}, "tongbi": {"banker": "none"},
            "bid_multiplies": {"banker": "see3_bid"}, "push_bet": {"banker": "rotate"}, "escape": {"banker": "rotate"},
        }.get(name, {})  # fmt: skip
        for value in values or ():
            room = game("niuniu.national", {**more, name: value}, name=f"value-{name}-{value}", players=4, hands=2)
            assert room.table.over
            assert room.game.premise.rules.options()[name] == value


def test_the_owner_sits_at_place_0_where_he_keeps_the_bank() -> None:
    assert NATIONAL.match.first_dealer == "creator"
    assert ZHENAN.match.first_dealer == "seeded"
    for mode in MODES:
        for preset in ("niuniu", "niuniu.national"):
            rules = find(preset, {"banker": mode})
            assert rules.match.first_dealer == ("creator" if mode == "fixed_owner" else "seeded")
            assert rules.but({"banker": "fixed_owner"}).but({"banker": mode}).match == rules.match
    for number in range(4):
        room = sit("niuniu.national", players=5, name=f"owner-{number}")
        assert room.game.order[0] == room.game.premise.players[0]
        assert room.hand.banker == 0
    lot = [sit("niuniu.national", {"banker": "rotate"}, players=5, name=f"owner-{n}").game for n in range(6)]
    assert any(each.order[0] != each.premise.players[0] for each in lot)


def test_a_match_may_say_otherwise() -> None:
    rooms = [
        sit("niuniu.national", players=5, name=f"seeded-{number}", match={"first_dealer": "seeded"})
        for number in range(6)
    ]
    assert any(room.game.order[0] != room.game.premise.players[0] for room in rooms)


@pytest.mark.parametrize(("preset", "players"), [("niuniu", 1), ("niuniu", 5), ("niuniu.national", 11)])
def test_too_few_and_too_many_players_are_refused(preset: str, players: int) -> None:
    with pytest.raises(ValueError, match="seats"):
        sit(preset, players=players)


@pytest.mark.parametrize(("preset", "players"), [("niuniu", 2), ("niuniu", 4), ("niuniu.national", 10)])
def test_two_to_four_and_two_to_ten_sit_down(preset: str, players: int) -> None:
    room = sit(preset, players=players)
    assert len(room.game.scores) == players


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bank": "asked"}, "no option 'bank'"),
        ({"banker": "seat0"}, "not one of"),
        ({"deck": 108}, "not one of"),
        ({"max_bid": 5}, "not one of"),
        ({"max_bid": True}, "not one of"),
        ({"push_bet": 1}, "not one of"),
        ({"mult": "t_5"}, "not one of"),
        ({"specials": {"full_house": 6}}, "no source puts it into one order"),
        ({"specials": {"flush": 5}}, "no source"),
        ({"specials": {"straight": 5}}, "no source"),
        ({"specials": {"straight_flush": 10}}, "no source"),
        ({"specials": {"dragon": 9}}, "no source"),
        ({"specials": {"bomb": 0}}, "greater than or equal to 1"),
        ({"specials": {"bomb": "6"}}, "valid integer"),
        ({"specials": {"royal": 6}}, "'five_small', 'bomb', 'five_face' or 'silver'"),
        ({"special_order": "small>bomb"}, "small>bomb>flower"),
        ({"bets": []}, "at least 1"),
        ({"bets": [2, 1]}, "ascending"),
        ({"bets": [1, 1]}, "ascending"),
        ({"bets": [0]}, "greater than or equal to 1"),
        ({"bets": "12345"}, "a list"),
        ({"base": 0}, "greater than or equal to 1"),
        ({"gold_silver": True}, "not one of"),
        ({"players": 4}, "no option"),
    ],
)
def test_what_does_not_exist_is_refused_with_a_reason(options: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        NATIONAL.but(options)


def test_the_digest_says_the_options_and_nothing_else() -> None:
    seen = set()
    for rules in (ZHENAN, NATIONAL):
        for name, values in OFFERS:
            for value in values or ():
                if rules.options()[name] != value:
                    seen.add(rules.but({name: value}).digest())
    changed = sum(len(values) - 1 for _, values in OFFERS if values)
    assert len(seen) == 2 * changed
    one = NATIONAL.but({"specials": {"bomb": 6, "five_small": 8}})
    other = NATIONAL.but({"specials": {"five_small": 8, "bomb": 6}})
    assert one.digest() == other.digest()
    assert (
        by_digest("niuniu.national", {"specials": {"bomb": 6, "five_small": 8}}, one.digest()).options()
        == one.options()
    )
    assert {rules.id: rules.digest() for rules in VERSIONS if isinstance(rules, BankerRules)} == PINNED
    assert all(isinstance(PRESETS[name], BankerRules) for name in PINNED)


PINNED = {
    "niuniu": "667e6be60cd6ea1522f8977dabe205991254d7c713aad0df0e49be4a39311eb9",
    "niuniu.national": "d570849b9f1ef917e3f59c7085463b755f32812ad2b9b092dc24ea3979ee16cf",
}
"""A correction of a preset raises its version and adds a line here; recorded games name these."""

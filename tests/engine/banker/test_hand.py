"""Hand values: every five-card hand, the special hands, and which of two equal types is higher."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod

import niuniu_plain as plain
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.banker.hand import BULLS, VALUE, Scale, bull, codes, compare, is_small, quad_rank, split
from engine.banker.rules import TABLES, BankerRules, Order, Table
from engine.cards import CARD_INDEX
from engine.variants import find

NATIONAL = find("niuniu.national")
PLAIN = NATIONAL.but({"specials": {}})


def cards(text: str) -> tuple[int, ...]:
    return tuple(CARD_INDEX[code] for code in text.split())


def kind(text: str, rules: BankerRules = NATIONAL) -> str:
    return rules.scale.value(cards(text)).kind


BULLS_OF_52 = {
    "none": 872128, "bull1": 171304, "bull2": 168096, "bull3": 171304, "bull4": 168096, "bull5": 177424,
    "bull6": 168096, "bull7": 171304, "bull8": 168096, "bull9": 171304, "bullbull": 191808,
}  # fmt: skip
"""How many of the 2,598,960 hands have each bull: 1 and 3, 7 and 9, and the even ones mirror each other."""
NATIONAL_OF_52 = {
    "none": 870984, "bull1": 171288, "bull2": 168072, "bull3": 171288, "bull4": 168072, "bull5": 177408,
    "bull6": 168072, "bull7": 171288, "bull8": 168072, "bull9": 171288, "bullbull": 190976,
    "five_small": 776, "bomb": 608, "five_face": 768,
}  # fmt: skip
"""With the national specials: 624 bombs less 16 that are five small, 792 five faces less 24 bombs."""


@cache
def counts_by_points() -> Counter[str]:
    """Count by the ten card values alone: 4 cards each of 1-9, 16 of ten."""
    found: Counter[str] = Counter()
    for values in combinations_with_replacement(range(1, 11), 5):
        held = Counter(values)
        ways = prod(comb(16 if value == 10 else 4, count) for value, count in held.items())
        if any(sum(three) % 10 == 0 for three in combinations(values, 3)):
            found[BULLS[sum(values) % 10 or 10]] += ways
        else:
            found["none"] += ways
    return +found


def test_counts_by_points_are_those_pinned() -> None:
    assert counts_by_points() == BULLS_OF_52
    assert sum(BULLS_OF_52.values()) == comb(52, 5) == 2_598_960


def brute_levels(hands: np.ndarray, *, specials: bool) -> np.ndarray:
    """Level of every hand on the national scale, by sums over whole columns: no table, no engine."""
    ranks = hands % 13
    values = np.minimum(ranks + 1, 10)
    total = values.sum(axis=1)
    has = np.zeros(len(hands), dtype=bool)
    for three in combinations(range(5), 3):
        has |= values[:, three].sum(axis=1) % 10 == 0
    levels = np.where(has, (total - 1) % 10 + 1, 0)
    if specials:
        levels[(ranks >= 10).all(axis=1)] = 11
        ordered = np.sort(ranks, axis=1)
        levels[(ordered[:, 0] == ordered[:, 3]) | (ordered[:, 1] == ordered[:, 4])] = 12
        levels[(values < 5).all(axis=1) & (total <= 10)] = 13
    return levels


@pytest.mark.parametrize(
    ("rules", "pinned"),
    [(NATIONAL, NATIONAL_OF_52), pytest.param(PLAIN, BULLS_OF_52, marks=pytest.mark.long)],
    ids=["national", "bulls"],
)
def test_every_hand_of_52_equals_brute_force(rules: BankerRules, pinned: dict[str, int]) -> None:
    size = comb(52, 5)
    whole = np.fromiter((card for hand in combinations(range(52), 5) for card in hand), dtype=np.int8, count=5 * size)
    brute = brute_levels(whole.reshape(size, 5).astype(np.int16), specials=bool(rules.specials))
    value = rules.scale.value
    found = np.fromiter((value(hand).level for hand in combinations(range(52), 5)), dtype=np.int16, count=size)
    assert np.array_equal(found, brute)
    levels, counts = np.unique(found, return_counts=True)
    assert {rules.scale.kinds[level]: int(count) for level, count in zip(levels, counts, strict=True)} == pinned


@pytest.mark.parametrize(("rules", "pinned"), [(NATIONAL, NATIONAL_OF_52), (PLAIN, BULLS_OF_52)])
def test_every_set_of_ranks_counts_to_the_same(rules: BankerRules, pinned: dict[str, int]) -> None:
    found: Counter[str] = Counter()
    sets = 0
    for ranks in combinations_with_replacement(range(13), 5):
        held = Counter(ranks)
        if max(held.values()) > 4:
            continue
        sets += 1
        hand = [rank + 13 * copy for rank, count in held.items() for copy in range(count)]
        value = rules.scale.value(hand)
        assert value.kind == rules.scale.kind(hand) == plain.kind_of(codes(hand), rules.options())
        found[value.kind] += prod(comb(4, count) for count in held.values())
    assert sets == 6175
    assert found == pinned


def test_every_hand_with_jokers_equals_the_plain_definition() -> None:
    for rules in (find("niuniu"), find("niuniu", {"gold_silver": "on"}), JOKER_FACES):
        options = rules.options()
        found: Counter[str] = Counter()
        for jokers in ((52,), (53,), (52, 53)):
            for rest in combinations_with_replacement(range(13), 5 - len(jokers)):
                held = Counter(rest)
                if max(held.values()) > 4:
                    continue
                hand = [*jokers, *(rank + 13 * copy for rank, count in held.items() for copy in range(count))]
                value = rules.scale.value(hand)
                assert value.kind == plain.kind_of(codes(hand), options), codes(hand)
                assert value.multiplier == plain.multiplier(value.kind, options)
                found[value.kind] += prod(comb(4, count) for count in held.values())
        assert sum(found.values()) == comb(54, 5) - comb(52, 5)


JOKER_FACES = find("niuniu", {"gold_silver": "on", "joker_is_face": True, "specials": {"bomb": 6}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3S 7H KD 8C JS", "bull8"),
        ("TS QS KS 4D 5C", "bull9"),
        ("2S 8H JD QC TS", "bullbull"),
        ("AS 3H 5D 8C KS", "none"),
        ("2S 4H 5C 9D SJ", "none"),
        ("BJ SJ KS 4D 5C", "bull9"),
        ("AS AH 2S 2H 3D", "five_small"),
        ("7S 7H 7D 7C KS", "bomb"),
        ("JS QH KD JC QD", "five_face"),
        ("TS QH KD JC QD", "bullbull"),
        ("AS AH AD AC 2S", "five_small"),
        ("KS KH KD KC QS", "bomb"),
        ("AS AH AD 2C 5S", "none"),
        ("4S 3H AD AC AS", "five_small"),
        ("4S 3H 2D AC AS", "none"),
    ],
)
def test_types(text: str, expected: str) -> None:
    assert kind(text) == expected


def test_five_small_by_each_definition() -> None:
    ace_five = cards("AS AH AD 2C 5S")
    tens = cards("AS AH AD AC 6S")
    four = cards("AS AH 2D 2C 4S")
    nine = cards("AS AH 2D 2C 3S")
    assert [is_small(ace_five, each) for each in ("lt5_le10", "le5_le10", "sum_le10", "lt5_lt10")] == [0, 1, 1, 0]
    assert [is_small(tens, each) for each in ("lt5_le10", "le5_le10", "sum_le10", "lt5_lt10")] == [0, 0, 1, 0]
    assert [is_small(four, each) for each in ("lt5_le10", "le5_le10", "sum_le10", "lt5_lt10")] == [1, 1, 1, 0]
    assert all(is_small(nine, each) for each in ("lt5_le10", "le5_le10", "sum_le10", "lt5_lt10"))


def test_every_split_gives_the_same_bull() -> None:
    for hand in combinations(range(0, 52, 3), 5):
        numbers = {
            sum(VALUE[card] for card in hand if card not in three) % 10 or 10
            for three in combinations(hand, 3)
            if sum(VALUE[card] for card in three) % 10 == 0
        }
        assert numbers == ({bull(hand)} if bull(hand) else set())
        parts = split(hand)
        assert (parts is None) == (bull(hand) == 0)
        if parts is not None:
            assert sorted(parts[0] + parts[1]) == sorted(hand)
            assert sum(VALUE[card] for card in parts[0]) % 10 == 0


ORDERS = Order.__args__  # type: ignore[attr-defined]


def test_a_hand_that_is_two_specials_is_the_higher_one() -> None:
    assert sorted(ORDERS) == sorted(">".join(each) for each in permutations(("small", "bomb", "flower")))
    for order in ORDERS:
        rules = NATIONAL.but({"special_order": order})
        words = order.split(">")
        small_bomb, face_bomb = kind("AS AH AD AC 2S", rules), kind("KS KH KD KC QS", rules)
        assert small_bomb == ("five_small" if words.index("small") < words.index("bomb") else "bomb")
        assert face_bomb == ("five_face" if words.index("flower") < words.index("bomb") else "bomb")


def test_gold_and_silver() -> None:
    rules = find("niuniu", {"gold_silver": "on"})
    assert [rules.scale.value(cards(text)).kind for text in ("JS QH KD JC QD", "TS QH KD JC QD", "TS TH KD JC QD")] == [
        "five_face",
        "silver",
        "bullbull",
    ]
    assert rules.scale.kinds[-2:] == ("silver", "five_face")
    assert (rules.scale.multipliers["silver"], rules.scale.multipliers["five_face"]) == (5, 5)
    own = find("niuniu.national", {"gold_silver": "on", "specials": {"five_face": 8}})
    assert (own.scale.multipliers["silver"], own.scale.multipliers["five_face"]) == (5, 8)
    jokers = "BJ SJ KD JC QD"
    assert kind(jokers, rules) == "bullbull"
    assert kind(jokers, JOKER_FACES) == "five_face"
    assert kind("TS SJ KD JC QD", JOKER_FACES) == "silver"


@pytest.mark.parametrize("table", Table.__args__)  # type: ignore[attr-defined]
def test_multiplier_tables(table: str) -> None:
    rules = NATIONAL.but({"mult": table})
    have = [rules.scale.multipliers[each] for each in BULLS]
    assert have == plain.TABLES[table]
    assert have[-4:] == list(TABLES[table][1:])


TIES = ("high_card_then_suit", "all_ranks_then_suits", "push", "banker_wins")


@pytest.mark.parametrize(
    ("banker", "player", "results"),
    [
        # both bull 8; KD against KS: the suit decides
        ("3H 7D KD 8C JH", "3S 7H KS 8D JS", {"high_card_then_suit": -1, "all_ranks_then_suits": -1}),
        # K 9 8 against K Q 8: KS is the better king, but all ranks come first
        ("KS 9H AD 6C 2S", "KH QD JC 3H 5S", {"high_card_then_suit": 1, "all_ranks_then_suits": -1}),
    ],
)
def test_ties(banker: str, player: str, results: dict[str, int]) -> None:
    mine, his = NATIONAL.scale.value(cards(banker)), NATIONAL.scale.value(cards(player))
    assert mine.kind == his.kind
    results = {**results, "push": 0, "banker_wins": 1}
    for tie in TIES:
        assert compare(mine, his, tie) == results[tie]


def test_bombs_never_tie() -> None:
    low, high = (NATIONAL.scale.value(cards(text)) for text in ("7S 7H 7D 7C KS", "8S 8H 8D 8C 2S"))
    for tie in TIES:
        assert compare(low, high, tie) == -1
        assert compare(high, low, tie) == 1
    assert (quad_rank(low.cards), quad_rank(high.cards), quad_rank(cards("AS AH AD KC KS"))) == (6, 7, -1)


def test_the_big_joker_is_above_the_small_above_the_king() -> None:
    rules = find("niuniu")
    big, small, king = (rules.scale.value(cards(f"{top} 2{suit} 4{suit} 7{suit} 8{suit}"))
                        for top, suit in (("BJ", "D"), ("SJ", "C"), ("KS", "S")))  # fmt: skip
    assert big.kind == small.kind == king.kind == "bull1"
    for tie in ("high_card_then_suit", "all_ranks_then_suits"):
        assert compare(big, small, tie) == compare(small, king, tie) == compare(big, king, tie) == 1


option_sets = st.fixed_dictionaries(
    {
        "deck": st.sampled_from([52, 54]),
        "mult": st.sampled_from(Table.__args__),  # type: ignore[attr-defined]
        "tie": st.sampled_from(TIES),
        "specials": st.dictionaries(
            st.sampled_from(["five_small", "bomb", "five_face", "silver"]), st.integers(1, 99), max_size=4
        ),
        "five_small": st.sampled_from(["lt5_le10", "le5_le10", "sum_le10", "lt5_lt10"]),
        "special_order": st.sampled_from(ORDERS),
        "gold_silver": st.sampled_from(["on", "off"]),
        "joker_is_face": st.booleans(),
    }
)
HIGH = [*range(9, 13), *range(22, 26), *range(35, 39), 52, 53]
LOW = [*range(4), *range(13, 17), *range(26, 31), *range(39, 43)]
suited = st.sampled_from([range(54), HIGH, LOW])


@given(option_sets, suited.flatmap(lambda pool: st.lists(st.sampled_from(pool), min_size=10, max_size=10, unique=True)))
@settings(max_examples=400, deadline=None)
def test_types_multipliers_and_comparison_equal_the_plain_definition(options: dict, ten: list[int]) -> None:
    rules = NATIONAL.but(options)
    whole = rules.options()
    pair = [rules.scale.value(ten[:5]), rules.scale.value(ten[5:])]
    told = [codes(ten[:5]), codes(ten[5:])]
    for value, hand in zip(pair, told, strict=True):
        assert value.kind == plain.kind_of(hand, whole)
        assert value.multiplier == plain.multiplier(value.kind, whole)
        assert value.multiplier <= rules.scale.highest == plain.highest(whole)
    words = {1: "banker", -1: "player", 0: "nobody"}
    assert words[compare(*pair, rules.tie)] == plain.winner(*told, whole)
    if rules.tie in {"high_card_then_suit", "all_ranks_then_suits"}:
        assert compare(pair[1], pair[0], rules.tie) == -compare(*pair, rules.tie)


def test_a_scale_says_the_same_of_every_order_of_the_cards() -> None:
    scale = Scale(bulls=(1,) * 11, specials={"bomb": 2}, special_order=ORDERS[0], five_small="lt5_le10",
                  joker_is_face=False)  # fmt: skip
    for hand in permutations(cards("7S 7H 7D 7C KS")):
        value = scale.value(hand)
        assert (value.kind, value.multiplier, value.cards) == ("bomb", 2, hand)

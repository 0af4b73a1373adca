"""The win check on hands with a name, its refusals, and its laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import parse_hand
from engine.mahjong.hand import (
    POWER,
    SUIT,
    complete,
    complete_capped,
    complete_counts,
    keys,
    need,
    shortfall,
    waits,
)


def counted(text: str) -> list[int]:
    kinds = parse_hand(text)
    return [kinds.count(kind) for kind in range(34)]


def listed(text: str) -> tuple[int, ...]:
    return parse_hand(text)


@st.composite
def hands(draw: st.DrawFn, most: int = 14) -> list[int]:
    tiles = draw(st.lists(st.integers(0, 135), unique=True, max_size=most))
    return [sum(tile // 4 == kind for tile in tiles) for kind in range(34)]


wild_numbers = st.integers(0, 4)


def test_a_tile_serves_a_run_and_a_triplet_rlcard_312() -> None:
    assert complete_counts(counted("444p 222234m 555s PP"))


def test_gaps_filled_by_two_wilds_q_algorithm_6() -> None:
    hand = counted("1357m 123p 777p EE")
    assert complete_counts(hand, 2)
    assert complete_counts(hand, 2, fifth=False)
    assert not complete_counts(hand, 1)
    with_one_more = counted("1357m 123p 777p EEE")
    assert not complete_counts(with_one_more, 1)


def test_lone_tiles_need_six_wilds_q_algorithm_10() -> None:
    held = keys(counted("33334m 4p 4s N"))
    assert need(*held) == 6
    assert complete(*held, 6)
    assert not any(complete(*held, wilds) for wilds in range(6))


def test_one_suit_split_of_eleven_tiles() -> None:
    assert complete_counts(counted("55667777999m"))  # mahjong.md 5.4, qipai base_split: 0,0,0,0,2,2,4,0,3
    loose = [0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 4, 1, 1, 1, *[0] * 9, 0, 0, 0, 0, 0, 0, 2]
    assert sum(loose) == 14
    assert not complete_counts(loose)


def test_waits_after_each_discard_of_five_tiles() -> None:
    hand = counted("23399m")  # mahjong.md 5.4: discarding 2 waits for 3 and 9, discarding 3 for 1 and 4
    found = {}
    for kind in sorted(set(listed("23399m"))):
        hand[kind] -= 1
        if ready := waits(hand):
            found[kind] = ready
        hand[kind] += 1
    assert found == {1: listed("39m"), 2: listed("14m")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1112345678999m", "123456789m"),  # nine gates
        ("E", "E"),
        ("123m 4p", "4p"),
        ("1111m", ""),  # waits for the fifth copy only
        ("1222234m", "134m"),  # 11 222 234, 22 123 234, 222 and 12344
        ("EEE SSS WWW NNN C", "C"),
        ("1112m", "23m"),
        ("44m 99m", "49m"),
        ("12m 55p", "3m"),
        ("13m 55p", "2m"),
        ("147m 258p 369s ESWN", ""),
    ],
)
def test_named_waits(text: str, expected: str) -> None:
    assert waits(counted(text)) == listed(expected)


def test_a_wild_waits_for_every_kind() -> None:
    assert waits([0] * 34, 1) == tuple(range(34))
    full = counted("EEEE")
    assert complete_counts(full, 1)
    assert not complete_counts(full, 1, fifth=False)  # a pung and a pair of E would be five
    assert waits(counted("EEE"), 1) == tuple(range(34))
    assert waits(counted("EEE"), 1, fifth=False) == tuple(kind for kind in range(34) if kind != 27)
    assert waits(counted("EEEE SSS WWW NN"), 0) == ()


def test_four_equal_honours_never_win_without_fifth_copies() -> None:
    hand = counted("EEEE 123m 456m 789m")
    assert not complete_counts(hand, 1, fifth=False)
    assert complete_counts(hand, 1)
    assert complete_counts(counted("1111m 23m"), 2)  # a run takes the fourth tile of a suit kind
    assert complete_counts(counted("1111m 23m"), 2, fifth=False)


@pytest.mark.parametrize("tiles", [0, 1, 3, 4, 6, 7, 9, 10, 12, 13])
def test_other_sizes_are_not_complete(tiles: int) -> None:
    kinds = listed("111222333444m 55m")[:tiles]
    hand = [kinds.count(kind) for kind in range(34)]
    for wilds in range(min(5, 15 - tiles)):
        expected = (tiles + wilds) % 3 == 2
        assert complete_counts(hand, wilds) <= expected
        assert complete_counts(hand, wilds, fifth=False) <= expected


def test_refusals_name_the_kind() -> None:
    with pytest.raises(ValueError, match="34 counts are needed, one a kind, not 33"):
        keys([0] * 33)
    with pytest.raises(ValueError, match="kind 27 is counted 5 times"):
        complete_counts(counted("EEEE")[:27] + [5] + [0] * 6)
    with pytest.raises(ValueError, match=r"range\(0, 256\)"):
        waits([-1] + [0] * 33)
    with pytest.raises(IndexError):
        complete_capped(0, 0, 0, 0, 5)  # five wilds do not exist


@given(hands())
def test_keys_kept_tile_by_tile_are_the_keys_of_the_hand(hand: list[int]) -> None:
    kept = [0, 0, 0, 0]
    for kind, count in enumerate(hand):
        kept[SUIT[kind]] += count * POWER[kind]
    assert kept == keys(hand)


@given(hands(), wild_numbers)
def test_need_is_the_least_number_of_wilds(hand: list[int], wilds: int) -> None:
    held = keys(hand)
    least = need(*held)
    assert complete(*held, wilds) == (least <= wilds and (wilds - least) % 3 == 0)
    shortfalls = [shortfall(suit, key) for suit, key in enumerate(held)]
    assert least == min(
        sum(none for none, _ in shortfalls) - shortfalls[suit][0] + shortfalls[suit][1] for suit in range(4)
    )


@given(hands(), wild_numbers)
def test_capped_wins_are_wins(hand: list[int], wilds: int) -> None:
    assert complete_capped(*keys(hand), wilds) <= complete(*keys(hand), wilds)


@given(hands(13), wild_numbers, st.integers(0, 33))
def test_a_wild_does_what_any_tile_does(hand: list[int], wilds: int, kind: int) -> None:
    if wilds < 4 and hand[kind] < 4 and (drawn := hand.copy()):
        drawn[kind] += 1
        assert complete_counts(drawn, wilds) <= complete_counts(hand, wilds + 1)
        assert complete_counts(drawn, wilds, fifth=False) <= complete_counts(hand, wilds + 1, fifth=False)


@given(hands(), wild_numbers)
def test_suits_and_their_mirror_images_are_alike(hand: list[int], wilds: int) -> None:
    m, p, s, z = hand[:9], hand[9:18], hand[18:27], hand[27:]
    for fifth in (True, False):
        verdict = complete_counts(hand, wilds, fifth=fifth)
        assert complete_counts([*s, *m, *p, *z], wilds, fifth=fifth) == verdict
        assert complete_counts([*m[::-1], *p, *s[::-1], *z[::-1]], wilds, fifth=fifth) == verdict

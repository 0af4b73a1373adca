"""The readings of hands with a name, their order, and what they say of the wilds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import parse_hand
from engine.mahjong.hand import complete_counts
from engine.mahjong.reading import ELSEWHERE, Reading, complete_beside, readings, suit_readings, tiles_of

E, S, C = 27, 28, 31
EIGHT_S = 25


def counted(text: str) -> list[int]:
    kinds = parse_hand(text)
    return [kinds.count(kind) for kind in range(34)]


def chow(kind: int) -> tuple[str, int]:
    return ("chow", kind)


def pung(kind: int) -> tuple[str, int]:
    return ("pung", kind)


def test_three_equal_runs_are_three_pungs_as_well() -> None:
    assert readings(counted("111222333m 99p EEE")) == [
        Reading(17, (chow(0), chow(0), chow(0), pung(E)), ()),
        Reading(17, (pung(0), pung(1), pung(2), pung(E)), ()),
    ]


def test_every_place_of_the_pair_is_read() -> None:
    # 22334455 has the pair 2 or 5 (the runs 345 345, 234 234); 33 and 44 leave no runs.
    assert readings(counted("22334455m")) == [
        Reading(4, (chow(1), chow(1)), ()),
        Reading(1, (chow(2), chow(2)), ()),
    ]


def test_a_tile_serves_a_run_and_a_triplet() -> None:
    (only,) = readings(counted("444p 222234m 555s PP"))
    assert only == Reading(33, (chow(1), pung(1), pung(12), pung(22)), ())
    assert sorted(only.tiles()) == sorted(parse_hand("444p 222234m 555s PP"))


def test_a_part_beside_claimed_melds() -> None:
    assert readings(counted("EE")) == [Reading(E, (), ())]
    assert readings(counted("EE 123s")) == [Reading(E, (chow(18),), ())]
    assert readings([0] * 34) == []
    assert readings(counted("EE 12s")) == []
    assert readings(counted("123s")) == []


def test_one_wild_makes_every_kind_that_completes() -> None:
    found = readings(counted("2345m EEE"), 1)
    assert found == [
        Reading(4, (chow(1), pung(E)), (4,)),
        Reading(1, (chow(2), pung(E)), (1,)),
    ]
    assert [reading.wilds_in(-1) for reading in found] == [(1, 1), (1, 1)]
    assert [reading.wilds_in(0) for reading in found] == [(0, 0), (0, 0)]


def test_a_wild_and_a_natural_tile_of_one_kind_may_change_places() -> None:
    # 555 and 345 hold four 5m, one of them wild: it may be in either set.
    (reading,) = [each for each in readings(counted("34555m EE"), 1) if each.became == (4,)]
    assert reading == Reading(E, (chow(2), pung(4)), (4,))
    assert reading.wilds_in(0) == (0, 1)
    assert reading.wilds_in(1) == (0, 1)
    assert reading.wilds_in(-1) == (0, 0)


def test_two_wilds_of_one_kind_are_not_both_in_a_run() -> None:
    (reading,) = [each for each in readings(counted("3455m EE"), 2) if each.became == (4, 4) and each.pair == E]
    assert reading.sets == (chow(2), pung(4))
    assert reading.wilds_in(0) == (0, 1)
    assert reading.wilds_in(1) == (1, 2)


def test_a_wild_may_be_its_own_face() -> None:
    found = readings(counted("EE 123m"), 3)
    own = [reading for reading in found if reading.became == (C, C, C)]
    assert own == [Reading(E, (chow(0), pung(C)), (C, C, C))]
    assert own[0].posing(C) == 0
    assert own[0].posing(EIGHT_S) == 3
    assert own[0].wilds_in(1) == (3, 3)


def test_only_wilds_are_every_pair_and_every_set() -> None:
    assert sorted(readings([0] * 34, 2)) == [Reading(kind, (), (kind, kind)) for kind in range(34)]
    assert {reading.sets for reading in readings(counted("EE"), 3)} == {
        *((pung(kind),) for kind in range(34)),
        *((chow(kind),) for kind in range(27) if kind % 9 < 7),
    }


def test_no_kind_five_times_without_fifth_copies() -> None:
    assert readings(counted("EEEE"), 1) == [Reading(E, (pung(E),), (E,))]
    assert readings(counted("EEEE"), 1, fifth=False) == []
    with_a_pung_of_east_claimed = [3 * (kind == E) for kind in range(34)]
    # E beside one wild: East again would be the fifth.
    assert readings(counted("E"), 1, fifth=False) == [Reading(E, (), (E,))]
    assert readings(counted("E"), 1, fifth=False, used=with_a_pung_of_east_claimed) == []
    assert not complete_beside(counted("E"), with_a_pung_of_east_claimed, 1)
    assert complete_beside(counted("S"), with_a_pung_of_east_claimed, 1)
    assert complete_beside(counted("SS"), with_a_pung_of_east_claimed)


def test_the_number_of_tiles_says_where_the_pair_is() -> None:
    assert suit_readings(0, 0) == (((), ELSEWHERE, ()),)
    assert suit_readings(3, 2) == (((), 33, ()),)
    assert suit_readings(3, 1) == ()
    assert suit_readings(3, 3, 2, False) == tuple(((pung(33),), kind, (kind, kind)) for kind in range(32, 26, -1))


@pytest.mark.parametrize("text", ["1223344m EE", "11112345678999m", "1m"])
def test_hands_that_are_not_complete_have_no_reading(text: str) -> None:
    assert bool(readings(counted(text))) == complete_counts(counted(text))


@given(st.lists(st.integers(0, 54), min_size=1, max_size=4), st.integers(0, 33))
def test_whatever_a_hand_was_built_of_is_among_its_readings(blocks: list[int], pair: int) -> None:
    runs = [kind for kind in range(27) if kind % 9 < 7]
    sets = [pung(block) if block < 34 else chow(runs[block - 34]) for block in blocks]
    counts = [2 * (kind == pair) for kind in range(34)]
    for each in sets:
        for kind in tiles_of(each):
            counts[kind] += 1
    if max(counts) > 4:
        return
    found = readings(counts)
    built = Reading(pair, tuple(sorted(sets, key=lambda each: (each[1], each[0]))), ())
    assert built in found
    assert len(set(found)) == len(found)
    for taken in [kind for kind in range(34) if counts[kind]][:3]:
        counts[taken] -= 1
        assert built._replace(became=(taken,)) in readings(counts, 1)
        counts[taken] += 1

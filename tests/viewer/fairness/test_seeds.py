"""T14: the generators are the libraries' own, and every generator, draw and direction is found by its seed."""

import random
from itertools import islice

import numpy as np
import pytest

from viewer.fairness.generators import GENERATORS, Generator, dotnet, java, minstd, msvc
from viewer.fairness.seeds import DIRECTIONS, Sample, attack, dealt, draws_of, needed, search, windows

SEEDS = [0, 1, 5_489, 123_456_789, 2**31 - 1, 2**32 - 1]
N = 60
BY_NAME = {generator.name: generator for generator in GENERATORS}


def outputs(generator: object, seeds: list[int], count: int) -> list[list[int]]:
    rows = islice(generator(np.array(seeds, np.uint64)), count)  # type: ignore[operator]
    return np.array(list(rows)).T.tolist()


def test_mt_by_number_is_numpys() -> None:
    found = outputs(BY_NAME["MT19937 (init_genrand)"].outputs, SEEDS, 700)
    for seed, row in zip(SEEDS, found, strict=True):
        assert row == np.random.RandomState(seed).randint(0, 2**32, 700, dtype=np.uint64).tolist()


@pytest.mark.parametrize("seeds", [SEEDS, [2**32, 1_700_000_000_123, 2**45 + 7]])
def test_mt_by_array_is_cpythons(seeds: list[int]) -> None:
    found = outputs(BY_NAME["MT19937 (init_by_array)"].outputs, seeds, 700)
    for seed, row in zip(seeds, found, strict=True):
        generator = random.Random(seed)
        assert row == [generator.getrandbits(32) for _ in range(700)]


def test_keys_of_two_lengths_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="one key length"):
        next(BY_NAME["MT19937 (init_by_array)"].outputs(np.array([1, 2**40], np.uint64)))


def test_published_first_outputs() -> None:
    assert outputs(dotnet, [0, 42], 3) == [
        [1_559_595_546, 1_755_192_844, 1_649_316_166],
        [1_434_747_710, 302_596_119, 269_548_474],
    ]
    assert [value % 10 for value in outputs(java, [42], 5)[0]] == [0, 3, 8, 4, 0]
    assert outputs(msvc, [1], 3)[0] == [41, 18_467, 6_334]
    assert outputs(minstd, [1], 2)[0] == [16_806, 282_475_248]


def test_cpythons_and_numpys_own_shuffles_are_among_those_searched() -> None:
    wall = list(range(N))
    random.Random(77).shuffle(wall)
    assert dealt(BY_NAME["MT19937 (init_by_array)"], "getrandbits", "descending", 77, N) == tuple(wall)
    wall = list(range(N))
    np.random.RandomState(78).shuffle(wall)
    assert dealt(BY_NAME["MT19937 (init_genrand)"], "masked", "descending", 78, N) == tuple(wall)


CASES = [(each, draw, direction) for each in GENERATORS for draw in draws_of(each) for direction in DIRECTIONS]


@pytest.mark.parametrize(("generator", "draw", "direction"), CASES, ids=lambda each: getattr(each, "name", each))
def test_every_generator_draw_and_direction_is_found(generator: Generator, draw: str, direction: str) -> None:
    wall = dealt(generator, draw, direction, 1_234, N)
    assert sorted(wall) == list(range(N))
    found = list(attack(generator, wall, 1_200, 1_300))
    assert (draw, direction, 1_234) in found
    assert {seed for _, _, seed in found} == {1_234}


@pytest.mark.parametrize("direction", DIRECTIONS[:2])
def test_draws_read_backwards_give_the_wall_again(direction: str) -> None:
    wall = tuple(random.Random(9).sample(range(N), N))
    order = list(range(N))
    for step, value in enumerate(needed(wall, direction)):
        i = step if direction == "ascending" else N - 1 - step
        j = step + value if direction == "ascending" else value
        order[i], order[j] = order[j], order[i]
    assert tuple(order) == wall


def test_a_fair_wall_has_no_seed() -> None:
    wall = tuple(random.SystemRandom().sample(range(N), N))
    assert not search([Sample("x", wall, 1_700_000_000_000)], seconds=50, milliseconds=50, small=200).hits


def test_a_clock_seed_is_found_and_what_was_searched_is_said() -> None:
    at = 1_700_000_123_456
    wall = dealt(BY_NAME["java.util.Random"], "nextInt", "descending", at - 20, N)
    found = search([Sample("hand", wall, at)], seconds=10, milliseconds=40, small=0)
    assert {(hit.seed, hit.meaning) for hit in found.hits} == {(at - 20, "time in milliseconds")}
    assert found.windows == [
        {"sample": "hand", "seed": "time in seconds", "first": 1_700_000_113, "last": 1_700_000_133},
        {"sample": "hand", "seed": "time in milliseconds", "first": at - 40, "last": at + 40},
    ]
    assert found.seeds == 21 + 81
    assert found.full_hours is not None
    assert found.full_hours > 0


def test_windows_end_at_zero_and_need_a_time() -> None:
    assert [each[0] for each in windows(Sample("x", (0, 1)), 5, 5, 10)] == ["small number"]
    assert list(windows(Sample("x", (0, 1), 2_000), 5, 0, 0)) == [("time in seconds", 0, 7)]

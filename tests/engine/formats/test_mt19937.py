"""MT19937 against the reference's own first outputs, and against the standard library's."""

import random

import pytest

from engine.formats.mt19937 import MT19937


def test_the_reference_outputs_of_an_array_key() -> None:
    generator = MT19937.from_key([0x123, 0x234, 0x345, 0x456])
    assert [generator.word() for _ in range(5)] == [1067595299, 955945823, 477289528, 4107218783, 4228976476]


def test_the_reference_output_of_the_default_seed() -> None:
    generator = MT19937.from_seed(5489)
    words = [generator.word() for _ in range(10_000)]
    assert words[0] == 3499211612
    assert words[-1] == 4123659995  # the C++ standard's check value


@pytest.mark.parametrize("length", [1, 2, 623, 624, 625, 1000])
def test_the_standard_library_draws_the_same_from_a_key(length: int) -> None:
    key = [(1812433253 * index + 1) & 0xFFFFFFFF for index in range(length)]
    assert key[-1]  # the library trims leading zero words of an integer
    whole = random.Random(sum(word << (32 * index) for index, word in enumerate(key)))
    generator = MT19937.from_key(key)
    assert [generator.word() for _ in range(1300)] == [whole.getrandbits(32) for _ in range(1300)]

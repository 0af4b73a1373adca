"""The suit tables and the readings beside the winning shape as one would define it, on tens of thousands of hands."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from engine.mahjong.hand import MOST_WILDS, complete, complete_capped, complete_counts, keys, waits
from engine.mahjong.reading import Reading, complete_beside, readings, tiles_of

Blocks = tuple[tuple[int, ...], ...]

PAIRS = [(kind, kind) for kind in range(34)]
PUNGS = [(kind,) * 3 for kind in range(34)]
CHOWS = [(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 < 7]
HOLDING = [[block for block in (*PAIRS, *PUNGS, *CHOWS) if kind in block] for kind in range(34)]


def by_definition(counts: Sequence[int], wilds: int) -> Iterator[Blocks]:
    """Find melds + one pair that hold every natural tile, wilds filling the gaps; the same one more than once."""
    sets, over = divmod(sum(counts) + wilds - 2, 3)
    if over or sets < 0:
        return
    yield from _blocks([kind for kind in range(34) for _ in range(counts[kind])], wilds, sets, 1, ())


def _blocks(left: list[int], wilds: int, sets: int, pairs: int, done: Blocks) -> Iterator[Blocks]:
    if not left:
        if not (sets or pairs):
            yield done
        for block in (*PUNGS, *CHOWS) if sets else PAIRS if pairs else ():
            yield from _blocks([], 0, sets - (len(block) == 3), pairs - (len(block) == 2), (*done, block))
        return
    for block in HOLDING[left[0]]:
        rest, lacking = left.copy(), 0
        for kind in block:
            if kind in rest:
                rest.remove(kind)
            else:
                lacking += 1
        fits = sets if len(block) == 3 else pairs
        if fits and lacking <= wilds:
            after = (sets - (len(block) == 3), pairs - (len(block) == 2))
            yield from _blocks(rest, wilds - lacking, *after, (*done, block))


def capped(blocks: Blocks, used: Sequence[int] = (0,) * 34) -> bool:
    tiles = Counter(kind for block in blocks for kind in block)
    return all(count + used[kind] <= 4 for kind, count in tiles.items())


def lawful(rng: random.Random, narrow: bool) -> list[int]:
    """Deal a complete hand of four natural tiles a kind at most; narrow: few kinds, so that fifth copies tempt."""
    kinds = rng.sample(range(27, 34), 5) if narrow and rng.random() < 0.3 else list(range(34))
    if narrow and len(kinds) == 34:
        kinds = list(range(9)) + rng.sample(range(27, 34), 2)
    blocks = [block for block in (*PUNGS, *CHOWS) if all(kind in kinds for kind in block)]
    while True:
        counts = [0] * 34
        for block in rng.choices(blocks, k=rng.randint(0, 4)):
            for kind in block:
                counts[kind] += 1
        counts[rng.choice(kinds)] += 2
        if max(counts) <= 4:
            return counts


def tempting(rng: random.Random, wilds: int) -> list[int]:
    """Deal a hand that is complete with its wilds, or one or two tiles off, or of the wrong size."""
    counts = lawful(rng, narrow=rng.random() < 0.5)
    while sum(counts) < wilds:
        counts = lawful(rng, narrow=True)
    for _ in range(wilds):
        counts[rng.choice([kind for kind in range(34) if counts[kind]])] -= 1
    near = [kind for kind in range(34) if counts[kind]] or [0]
    for _ in range(rng.choice((0, 0, 1, 1, 2)) + rng.randint(0, wilds)):
        held = [kind for kind in range(34) if counts[kind]]
        if not held:
            break
        counts[rng.choice(held)] -= 1
        drawn = near if rng.random() < 0.5 else range(34)
        counts[rng.choice([kind for kind in drawn if counts[kind] < 4] or [33])] += 1
    if rng.random() < 0.1 and sum(counts) + wilds < 14:
        counts[rng.choice([kind for kind in range(34) if counts[kind] < 4])] += 1
    return counts


@pytest.mark.parametrize(("wilds", "hands"), [(0, 8000), (1, 6000), (2, 4000), (3, 2000), (4, 800)])
def test_20_800_hands_are_decided_and_read_as_defined(wilds: int, hands: int) -> None:
    compare(random.Random(f"hands with {wilds} wilds"), wilds, hands)


@pytest.mark.long
@pytest.mark.parametrize(("wilds", "hands"), [(0, 200_000), (1, 150_000), (2, 80_000), (3, 40_000), (4, 20_000)])
def test_490_000_more_hands(wilds: int, hands: int) -> None:
    compare(random.Random(f"more hands with {wilds} wilds"), wilds, hands)


def compare(rng: random.Random, wilds: int, hands: int) -> None:
    verdicts: Counter[tuple[bool, bool]] = Counter()
    for _ in range(hands):
        counts = tempting(rng, wilds)
        defined = {tuple(sorted(blocks)) for blocks in by_definition(counts, wilds)}
        within = {blocks for blocks in defined if capped(blocks)}
        verdicts[bool(defined), bool(within)] += 1
        held = keys(counts)
        assert complete(*held, wilds) == complete_counts(counts, wilds) == bool(defined), counts
        assert complete_capped(*held, wilds) == complete_counts(counts, wilds, fifth=False) == bool(within), counts
        for found, expected in (readings(counts, wilds), defined), (readings(counts, wilds, fifth=False), within):
            assert len(found) == len(expected), counts
            assert {as_blocks(reading) for reading in found} == expected, counts
            for reading in found:
                assert natural_tiles(reading) == list(counts)
                assert list(reading.sets) == sorted(reading.sets, key=lambda each: (each[1], each[0]))
                assert list(reading.became) == sorted(reading.became)
    assert verdicts[True, True] > hands // 5
    assert verdicts[False, False] > hands // 8
    if wilds:
        assert verdicts[True, False] > hands // 300  # the two variants must be told apart


def as_blocks(reading: Reading) -> Blocks:
    return tuple(sorted([(reading.pair, reading.pair), *map(tiles_of, reading.sets)]))


def natural_tiles(reading: Reading) -> list[int]:
    """Count the tiles of a reading that no wild stands for."""
    tiles = reading.tiles()
    return [tiles.count(kind) - reading.became.count(kind) for kind in range(34)]


def test_substituting_every_pair_of_kinds_for_two_wilds_agrees() -> None:
    rng = random.Random("substitution")
    wins = 0
    for _ in range(120):
        counts = tempting(rng, 2)
        free = within = False
        for first in range(34):
            for second in range(first, 34):
                whole = counts.copy()
                whole[first] += 1
                whole[second] += 1
                if any(True for _ in by_definition(whole, 0)):
                    free = True
                    within |= max(whole) <= 4
        wins += free
        assert complete_counts(counts, 2) == free, counts
        assert complete_counts(counts, 2, fifth=False) == within, counts
    assert 20 < wins < 110


@pytest.mark.parametrize("fifth", [True, False])
@pytest.mark.parametrize("wilds", range(MOST_WILDS + 1))
def test_waits_are_the_kinds_whose_next_tile_completes(wilds: int, fifth: bool) -> None:
    rng = random.Random(f"waits {wilds}")
    ready = 0
    for _ in range(600):
        counts = lawful(rng, narrow=rng.random() < 0.5)
        if sum(counts) < wilds + 1:
            continue
        for _ in range(wilds + 1):
            counts[rng.choice([kind for kind in range(34) if counts[kind]])] -= 1
        if rng.random() < 0.4 and any(counts):
            counts[rng.choice([kind for kind in range(34) if counts[kind]])] -= 1
            counts[rng.choice([kind for kind in range(34) if counts[kind] < 4])] += 1
        expected = []
        for kind in range(34):
            if counts[kind] < 4:
                counts[kind] += 1
                if complete_counts(counts, wilds, fifth=fifth):
                    expected.append(kind)
                counts[kind] -= 1
        assert waits(counts, wilds, fifth=fifth) == tuple(expected)
        ready += bool(expected)
    assert ready > 200


def test_claimed_melds_count_towards_the_four_copies() -> None:
    rng = random.Random("claimed melds")
    verdicts: Counter[tuple[bool, bool]] = Counter()
    for _ in range(1500):
        wilds = rng.randint(0, 3)
        counts = tempting(rng, wilds)
        if sum(counts) + wilds > 11:
            continue
        near = [kind for kind in range(34) if counts[kind] == 1] or [kind for kind in range(34) if not counts[kind]]
        pung = rng.choice(near)
        used = [3 if kind == pung else 0 for kind in range(34)]
        expected = {tuple(sorted(each)) for each in by_definition(counts, wilds) if capped(each, used)}
        found = readings(counts, wilds, fifth=False, used=used)
        assert {as_blocks(reading) for reading in found} == expected
        assert complete_beside(counts, used, wilds) == bool(expected)
        verdicts[complete_counts(counts, wilds, fifth=False), bool(expected)] += 1
    assert verdicts[True, True] > 200
    assert verdicts[True, False] > 5

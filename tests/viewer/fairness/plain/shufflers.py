"""Faulty shufflers (fairness.md 4.3), each from a fixed seed: matrices of walls, a row a deal. And a fair control."""

import random
from collections.abc import Callable
from functools import cmp_to_key

import numpy as np
from numpy.typing import NDArray

Walls = NDArray[np.uint8]
Generator = np.random.Generator
N = 144
DEALER = (0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 52)
"""The dealer's fourteen places in the draw sequence (mahjong.md 0.5), written down by hand."""
WILDS = (124, 125, 126, 127)
"""Deck indices of the four red dragons: after 27 suit kinds and four winds."""


def fresh(deals: int, n: int = N) -> Walls:
    return np.tile(np.arange(n, dtype=np.uint8), (deals, 1))


def fair(rng: Generator, deals: int, n: int = N) -> Walls:
    return rng.permuted(fresh(deals, n), axis=1)


def swap(walls: Walls, i: int, partners: NDArray[np.int64]) -> None:
    rows = np.arange(len(walls))
    walls[rows, partners], walls[:, i] = walls[:, i].copy(), walls[rows, partners].copy()


def naive(rng: Generator, deals: int, n: int = N) -> Walls:
    walls = fresh(deals, n)
    for i in range(n):
        swap(walls, i, rng.integers(0, n, deals))
    return walls


def short_naive(rng: Generator, deals: int) -> Walls:
    """ASF, PlanetPoker: random(n - 1)."""
    walls = fresh(deals)
    for i in range(N):
        swap(walls, i, rng.integers(0, N - 1, deals))
    return walls


def sattolo(rng: Generator, deals: int) -> Walls:
    walls = fresh(deals)
    for i in range(N - 1, 0, -1):
        swap(walls, i, rng.integers(0, i, deals))
    return walls


def byte_modulo(rng: Generator, deals: int) -> Walls:
    walls = fresh(deals)
    for i in range(N - 1, 0, -1):
        swap(walls, i, rng.integers(0, 256, deals) % (i + 1))
    return walls


def sorted_by(bits: int) -> Callable[[Generator, int], Walls]:
    def shuffle(rng: Generator, deals: int) -> Walls:
        return np.argsort(rng.integers(0, 1 << bits, (deals, N)), axis=1, kind="stable").astype(np.uint8)

    return shuffle


def random_comparator(rng: Generator, deals: int) -> Walls:
    """CPython's TimSort with a comparator that throws a coin."""
    coin = random.Random(int(rng.integers(1 << 32)))
    key = cmp_to_key(lambda _one, _other: coin.choice((-1, 1)))
    return np.array([sorted(range(N), key=key) for _ in range(deals)], np.uint8)


def riffles(count: int, n: int = 52) -> Callable[[Generator, int], Walls]:
    def shuffle(rng: Generator, deals: int) -> Walls:
        backwards = np.argsort(rng.integers(0, 1 << count, (deals, n)), axis=1, kind="stable")
        return np.argsort(backwards, axis=1).astype(np.uint8)

    return shuffle


def transpositions(count: int) -> Callable[[Generator, int], Walls]:
    def shuffle(rng: Generator, deals: int) -> Walls:
        walls = fresh(deals)
        rows = np.arange(deals)
        for _ in range(count):
            one, other = rng.integers(0, N, deals), rng.integers(0, N, deals)
            walls[rows, one], walls[rows, other] = walls[rows, other].copy(), walls[rows, one].copy()
        return walls

    return shuffle


def previous_wall(rng: Generator, deals: int) -> Walls:
    """Each wall is the one before after 300 transpositions."""
    wall = rng.permutation(N).astype(np.uint8)
    walls = []
    for _ in range(deals):
        for one, other in rng.integers(0, N, (300, 2)).tolist():
            wall[one], wall[other] = wall[other], wall[one]
        walls.append(wall.copy())
    return np.array(walls)


def given_wild(share: float) -> Callable[[Generator, int], Walls]:
    """The dealer gets a wild tile in a share of the hands that have none."""

    def shuffle(rng: Generator, deals: int) -> Walls:
        walls = fair(rng, deals)
        none = ~np.isin(walls[:, DEALER], WILDS).any(axis=1)
        for row in np.flatnonzero(none & (rng.random(deals) < share)).tolist():
            wall = walls[row]
            there = int(np.flatnonzero(wall == WILDS[int(rng.integers(4))])[0])
            here = DEALER[int(rng.integers(len(DEALER)))]
            wall[here], wall[there] = wall[there], wall[here]
        return walls

    return shuffle


def lcg31(*, high: bool) -> Callable[[Generator, int], Walls]:
    """The ANSI C generator seeded with the number of the hand; scaled by % k or by its high bits."""

    def shuffle(rng: Generator, deals: int) -> Walls:
        assert rng is not None
        walls = fresh(deals)
        state = np.arange(deals, dtype=np.int64)
        for i in range(N - 1, 0, -1):
            state = (state * 1_103_515_245 + 12_345) & 0x7FFFFFFF
            swap(walls, i, (state * (i + 1)) >> 31 if high else state % (i + 1))
        return walls

    return shuffle


def millisecond_of_day(rng: Generator, deals: int) -> Walls:
    """A sound generator with one of 86.4 million seeds: SplitMix64's finaliser over (seed, draw)."""
    seeds = rng.integers(0, 86_400_000, deals).astype(np.uint64)
    keys = np.empty((deals, N), np.uint64)
    for draw in range(N):
        z = seeds * np.uint64(0x9E3779B97F4A7C15) + np.uint64((draw + 1) * 0xD1B54A32D192ED03 % (1 << 64))
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        keys[:, draw] = z ^ (z >> np.uint64(31))
    return np.argsort(keys, axis=1, kind="stable").astype(np.uint8)


FAULTY: dict[str, tuple[Callable[[Generator, int], Walls], str, int]] = {
    "naive": (naive, "T4", 62),
    "ASF": (short_naive, "T1", 454),
    "Sattolo": (sattolo, "T6", 12),
    "byte % k": (byte_modulo, "T4", 120),
    "sort by 8-bit keys": (sorted_by(8), "T5", 30),
    "sort by 10-bit keys": (sorted_by(10), "T5", 130),
    "sort by 15-bit keys": (sorted_by(15), "T5", 132_000),
    "random comparator": (random_comparator, "T2", 1_000),
    "7 riffles (n=52)": (riffles(7), "T5", 42),
    "144 transpositions": (transpositions(144), "T6", 12),
    "400 transpositions": (transpositions(400), "T6", 106),
    "previous wall, 300 transpositions": (previous_wall, "T9", 920),
    "wild given in 2 %": (given_wild(0.02), "T11", 58_000),
    "wild given in 5 %": (given_wild(0.05), "T11", 9_400),
    "LCG31 % k": (lcg31(high=False), "T2", 2_000),
    "LCG31 by high bits": (lcg31(high=True), "T10", 2_000),
    "ms-of-day seed": (millisecond_of_day, "T0", 40_000),
}
"""Each faulty shuffler, the row that names it, and twice the deals for power 0.9 (or the row's least)."""

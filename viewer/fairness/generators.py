"""Small generators as lanes of arrays: many seeds at once, output by output (T14, the seed attack).

Each generator is written out from its published definition; tests hold them to the libraries themselves where those
are at hand, and to published first outputs where not. An output is a row of unsigned numbers below 2^bits, a lane a
seed. These are the weak generators of section 8; none of them deals here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Lanes = NDArray[np.uint64]
Row = NDArray[np.uint32]
"""One output of every lane."""
N, M = 624, 397
U32: Final = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class Generator:
    """A generator by name. `outputs(seeds)` yields rows; `bits` of each; `own`: its library's bounded draw by name."""

    name: str
    bits: int
    outputs: Callable[[Lanes], Iterator[Row]]
    own: str = ""


def _multiplied(seeds: Lanes, factor: int, summand: int, modulus_bits: int, shift: int) -> Iterator[Row]:
    """Yield the outputs of x -> factor x + summand mod 2^bits, the low `shift` bits dropped."""
    mask = np.uint64((1 << modulus_bits) - 1)
    state = seeds & mask
    while True:
        state = (state * np.uint64(factor) + np.uint64(summand)) & mask
        yield (state >> np.uint64(shift)).astype(np.uint32)


def ansi(seeds: Lanes) -> Iterator[Row]:
    """Yield the outputs of the LCG of the C standard's appendix and of glibc's TYPE_0: 31 bits."""
    return _multiplied(seeds & U32, 1_103_515_245, 12_345, 31, 0)


def msvc(seeds: Lanes) -> Iterator[Row]:
    """Yield the outputs of the Microsoft C runtime's rand: bits 16 to 30 of a 32-bit LCG."""
    for row in _multiplied(seeds & U32, 214_013, 2_531_011, 32, 16):
        yield row & np.uint32(0x7FFF)


def minstd(seeds: Lanes) -> Iterator[Row]:
    """Yield the outputs of 16807 x mod 2^31 - 1 (`minstd_rand0`), one subtracted; seed 0 counts as 1."""
    prime = np.uint64(2**31 - 1)
    state = seeds % prime
    state = np.where(state == 0, np.uint64(1), state)
    while True:
        state = state * np.uint64(16_807) % prime
        yield (state - np.uint64(1)).astype(np.uint32)


def delphi(seeds: Lanes) -> Iterator[Row]:
    """Yield the outputs of Delphi's Random (RandSeed): 134775813 x + 1 mod 2^32, whole."""
    return _multiplied(seeds & U32, 134_775_813, 1, 32, 0)


def java(seeds: Lanes) -> Iterator[Row]:
    """Yield next(31) of java.util.Random."""
    mask = np.uint64((1 << 48) - 1)
    return _multiplied((seeds ^ np.uint64(0x5DEECE66D)) & mask, 0x5DEECE66D, 0xB, 48, 17)


def dotnet(seeds: Lanes) -> Iterator[Row]:
    """Yield InternalSample of .NET's System.Random(int): Knuth's subtractive generator as shipped, 31 bits."""
    top = np.int64(2**31 - 1)
    signed = (seeds & U32).astype(np.uint32).astype(np.int32).astype(np.int64)
    start = np.where(signed == -(2**31), top, np.abs(signed))
    table = np.zeros((56, len(seeds)), np.int64)
    last = np.int64(161_803_398) - start
    table[55] = last
    here = np.ones(len(seeds), np.int64)
    for i in range(1, 55):
        table[21 * i % 55] = here
        there = last - here
        there += np.where(there < 0, top, 0)
        last, here = table[21 * i % 55], there
    for _ in range(4):
        for k in range(1, 56):
            row = _wrapped(table[k] - table[1 + (k + 30) % 55])
            table[k] = row + np.where(row < 0, top, 0)
    near, far = 0, 21
    while True:
        near = near % 55 + 1
        far = far % 55 + 1
        row = table[near] - table[far]
        row -= np.where(row == top, 1, 0)
        row += np.where(row < 0, top, 0)
        table[near] = row
        yield row.astype(np.uint32)


def _wrapped(row: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the values as 32-bit integers wrap: the library computes in them."""
    return row.astype(np.int32).astype(np.int64)


def mersenne(seeds: Lanes) -> Iterator[Row]:
    """Yield MT19937's words after `init_genrand(seed)`: C++, PHP, numpy's RandomState."""
    return _tempered(_seeded((seeds & U32).astype(np.uint32)))


def mersenne_array(seeds: Lanes) -> Iterator[Row]:
    """Yield MT19937's words after `init_by_array`: CPython's random.seed(int), the key its 32-bit digits.

    All lanes must have keys of one length: seeds below 2^32, or seeds from there on.
    """
    high = (seeds >> np.uint64(32)).astype(np.uint32)
    if high.all() != high.any():
        raise ValueError("lanes of one key length at a time")
    low = (seeds & U32).astype(np.uint32)
    keys = [low, high] if high.any() else [low]
    state = np.repeat(_seeded(np.array([19_650_218], np.uint32)), len(seeds), axis=1)
    i = 1
    for step in range(N):
        mixed = (state[i - 1] ^ (state[i - 1] >> 30)) * np.uint32(1_664_525)
        state[i] = (state[i] ^ mixed) + keys[step % len(keys)] + np.uint32(step % len(keys))
        i = _after(state, i)
    for _ in range(N - 1):
        mixed = (state[i - 1] ^ (state[i - 1] >> 30)) * np.uint32(1_566_083_941)
        state[i] = (state[i] ^ mixed) - np.uint32(i)
        i = _after(state, i)
    state[0] = np.uint32(1 << 31)
    return _tempered(state)


def _after(state: NDArray[np.uint32], i: int) -> int:
    """Return the next place to mix, the last word carried to the front."""
    if i < N - 1:
        return i + 1
    state[0] = state[N - 1]
    return 1


def _seeded(seeds: NDArray[np.uint32]) -> NDArray[np.uint32]:
    state = np.empty((N, len(seeds)), np.uint32)
    state[0] = seeds
    for i in range(1, N):
        state[i] = (state[i - 1] ^ (state[i - 1] >> 30)) * np.uint32(1_812_433_253) + np.uint32(i)
    return state


def _tempered(state: NDArray[np.uint32]) -> Iterator[Row]:
    """Yield tempered words, each state word renewed when its turn comes."""
    k = 0
    while True:
        mixed = (state[k] & np.uint32(0x80000000)) | (state[(k + 1) % N] & np.uint32(0x7FFFFFFF))
        odd = (mixed & np.uint32(1)) * np.uint32(0x9908B0DF)
        state[k] = state[(k + M) % N] ^ (mixed >> 1) ^ odd
        y = state[k]
        y = y ^ (y >> 11)
        y = y ^ ((y << 7) & np.uint32(0x9D2C5680))
        y = y ^ ((y << 15) & np.uint32(0xEFC60000))
        yield y ^ (y >> 18)
        k = (k + 1) % N


GENERATORS: Final = (
    Generator("MT19937 (init_genrand)", 32, mersenne, "masked"),
    Generator("MT19937 (init_by_array)", 32, mersenne_array, "getrandbits"),
    Generator("LCG ANSI C", 31, ansi),
    Generator("LCG Microsoft C", 15, msvc),
    Generator("LCG minstd", 31, minstd),
    Generator("LCG Delphi", 32, delphi),
    Generator("java.util.Random", 31, java, "nextInt"),
    Generator("System.Random (.NET)", 31, dotnet, "Next"),
)
"""Generators searched. `own`: numpy's masked draw, CPython's getrandbits, Java's nextInt(k), .NET's Next(k)."""

"""T14, the seed attack: which small seed of which known generator and shuffle gives a wall of the log.

A descending or ascending shuffle is read backwards: the wall says which number each draw must have given, so all but
one in n seeds die at the first output. A naive swap is followed forwards, one tile at a time. What is left is dealt
whole by the plain definition; only a wall equal in every place is a hit.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from viewer.batch import in_order
from viewer.fairness.generators import GENERATORS, Generator, Row

LANES: Final = 1 << 12
DIRECTIONS: Final = ("descending", "ascending", "naive")
EARLY: Final = 6
"""Draws that are compared before a seed is dealt whole."""
SPARE: Final = 4
"""Outputs looked at for each draw, where a library's own draw rejects some."""
REJECTING: Final = frozenset({"masked", "getrandbits"})
"""Draws that take as few as half of the outputs."""
DAY: Final = 86_400
SMALL: Final = 1 << 12
JOB: Final = 1 << 15
"""Seeds of one job."""
FULL: Final = 1 << 32

Taken = NDArray[np.bool_] | None
"""Which outputs a draw takes; None: all of them."""
Draw = Callable[[Row, Any, int], tuple[NDArray[Any], Taken]]


def _modulo(row: Row, k: Any, bits: int) -> tuple[NDArray[Any], Taken]:  # noqa: ANN401  a number or a lane of them
    assert bits
    below = np.asarray(k, np.uint32)
    return row - row // below * below, None


def _multiply(row: Row, k: Any, bits: int) -> tuple[NDArray[Any], Taken]:  # noqa: ANN401
    return (row.astype(np.uint64) * np.asarray(k, np.uint64)) >> np.uint64(bits), None


def _masked(row: Row, k: Any, bits: int) -> tuple[NDArray[Any], Taken]:  # noqa: ANN401
    assert bits
    found = row & _MASK[k]
    return found, found < np.asarray(k, np.uint32)


def _getrandbits(row: Row, k: Any, bits: int) -> tuple[NDArray[Any], Taken]:  # noqa: ANN401
    found = row >> (np.uint32(bits) - _LENGTH[k])
    return found, found < np.asarray(k, np.uint32)


def _next_int(row: Row, k: Any, bits: int) -> tuple[NDArray[Any], Taken]:  # noqa: ANN401
    below = np.asarray(k, np.uint64)
    word = row.astype(np.uint64)
    power = (below & (below - np.uint64(1))) == 0
    rest = word % below
    found = np.where(power, (word * below) >> np.uint64(bits), rest)
    return found, power | (word - rest + below - np.uint64(1) < 1 << bits)


def _next(row: Row, k: Any, bits: int) -> tuple[NDArray[Any], Taken]:  # noqa: ANN401
    # The library computes in doubles: Sample() * maxValue.
    assert bits
    return (row.astype(np.float64) * (1.0 / 2_147_483_647) * np.asarray(k, np.float64)).astype(np.uint32), None


_LENGTH: Final = np.array([k.bit_length() for k in range(257)], np.uint32)
"""Bits of a number."""
_MASK: Final = np.array([(1 << (k - 1).bit_length()) - 1 if k else 0 for k in range(257)], np.uint32)
"""The least mask that leaves numbers below k."""

DRAWS: Final[dict[str, Draw]] = {
    "% k": _modulo, "multiply": _multiply, "masked": _masked, "getrandbits": _getrandbits, "nextInt": _next_int,
    "Next": _next,
}  # fmt: skip
"""Bounded draws by name: (outputs, k, bits) -> numbers below k, and which outputs are taken."""


def draws_of(generator: Generator) -> tuple[str, ...]:
    """Return the bounded draws tried with a generator."""
    return ("% k", "multiply", generator.own) if generator.own else ("% k", "multiply")


@dataclass(frozen=True, slots=True)
class Sample:
    """A wall to be explained. `at`: ms UTC of its hand, None where the log has no time; `steps`: deck indices."""

    name: str
    wall: tuple[int, ...]
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A seed that gives a wall of the log: proof, no statistic."""

    sample: str
    generator: str
    draw: str
    direction: str
    seed: int
    meaning: str

    def as_json(self) -> dict[str, object]:
        """Return the hit as an object."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Search:
    """What was searched and found."""

    hits: list[Hit] = field(default_factory=list)
    windows: list[dict[str, object]] = field(default_factory=list)
    """Each sample's seeds: what they mean, first, last."""
    seeds: int = 0
    """Seeds tried, each with every generator, draw and direction."""
    seconds: float = 0.0

    @property
    def full_hours(self) -> float | None:
        """Return how long all 2^32 seeds would take for one wall at the rate seen here; None where none was."""
        return FULL * self.seconds / self.seeds / 3600 if self.seeds else None

    def as_json(self) -> dict[str, object]:
        """Return the search as an object."""
        hours = self.full_hours
        return {
            "generators": [each.name for each in GENERATORS],
            "draws": sorted({name for each in GENERATORS for name in draws_of(each)}),
            "directions": list(DIRECTIONS),
            "windows": self.windows,
            "seeds": self.seeds,
            "hits": [each.as_json() for each in self.hits],
            "full_search_hours": None if hours is None else round(hours, 1),
        }


def search(
    samples: Sequence[Sample], *, seconds: int, milliseconds: int, small: int = SMALL, executor: Executor | None = None
) -> Search:
    """Search the seeds near each wall's time: `seconds` and `milliseconds` to either side; and all below `small`."""
    found = Search()
    began = perf_counter()
    jobs: list[tuple[int, tuple[int, ...], int, int]] = []
    about: list[tuple[Sample, str]] = []
    for sample in samples:
        for meaning, first, last in windows(sample, seconds, milliseconds, small):
            found.windows.append({"sample": sample.name, "seed": meaning, "first": first, "last": last})
            found.seeds += last - first + 1
            for start in range(first, last + 1, JOB):
                for number in range(len(GENERATORS)):
                    jobs.append((number, sample.wall, start, min(start + JOB - 1, last)))
                    about.append((sample, meaning))
    for (sample, meaning), job, hits in zip(about, jobs, in_order(attacked, iter(jobs), executor), strict=True):
        name = GENERATORS[job[0]].name
        found.hits += [Hit(sample.name, name, draw, direction, seed, meaning) for draw, direction, seed in hits]
    found.seconds = perf_counter() - began
    return found


def attacked(number: int, wall: tuple[int, ...], first: int, last: int) -> list[tuple[str, str, int]]:
    """Attack a wall with one generator; a job for any executor."""
    return list(attack(GENERATORS[number], wall, first, last))


def windows(sample: Sample, seconds: int, milliseconds: int, small: int) -> Iterator[tuple[str, int, int]]:
    """Yield the ranges of seeds for a sample: what they mean, first, last."""
    if small:
        yield "small number", 0, small - 1
    if sample.at is not None:
        at = sample.at // 1000
        yield "time in seconds", max(at - seconds, 0), at + seconds
        if milliseconds:
            yield "time in milliseconds", max(sample.at - milliseconds, 0), sample.at + milliseconds


def attack(generator: Generator, wall: Sequence[int], first: int, last: int) -> Iterator[tuple[str, str, int]]:
    """Yield (draw, direction, seed) for every seed first..last that gives the wall."""
    n = len(wall)
    wanted = {direction: needed(wall, direction) for direction in DIRECTIONS[:2]}
    start = first
    while start <= last:
        stop = min(start + LANES, last + 1)
        if start < FULL < stop:
            stop = FULL  # seeds of one key length at a time (init_by_array)
        seeds = np.arange(start, stop, dtype=np.uint64)
        rows = list(islice(generator.outputs(seeds), 2 * n + 64 if generator.own in REJECTING else n))
        for draw in draws_of(generator):
            left: dict[str, NDArray[np.int64]] = {}
            for direction, values in wanted.items():
                left[direction] = _surviving(rows, DRAWS[draw], generator.bits, values, n)
            left["naive"] = _naive(rows, DRAWS[draw], generator.bits, wall)
            for direction, lanes in left.items():
                for seed in seeds[lanes].tolist():
                    if dealt(generator, draw, direction, seed, n) == tuple(wall):
                        yield draw, direction, seed
        start = stop


def needed(wall: Sequence[int], direction: str) -> list[int]:
    """Return what each draw of a Fisher-Yates shuffle must have given for it to make this wall."""
    n = len(wall)
    order = list(range(n))
    found = []
    for i in range(n - 1) if direction == "ascending" else range(n - 1, 0, -1):
        j = order.index(wall[i])
        found.append(j - i if direction == "ascending" else j)
        order[i], order[j] = order[j], order[i]
    return found


def _surviving(rows: Sequence[Row], draw: Draw, bits: int, wanted: Sequence[int], n: int) -> NDArray[np.int64]:
    """Return the lanes whose first draws are those wanted: of n, n-1, … numbers."""
    lanes = np.arange(len(rows[0]))
    step = np.zeros(len(lanes), np.int64)
    early = min(EARLY, len(wanted))
    targets = np.array([*wanted[:early], 0])
    for number, row in enumerate(rows[: early * SPARE]):
        open_ = step < early
        if not len(lanes) or not open_.any():
            break
        values, taken = draw(row[lanes], n - step if number else n, bits)
        moved = open_ if taken is None else taken & open_
        alive = ~moved | (values == targets[step])
        step = (step + moved)[alive]
        lanes = lanes[alive]
    return lanes


def _naive(rows: Sequence[Row], draw: Draw, bits: int, wall: Sequence[int]) -> NDArray[np.int64]:
    """Return the lanes whose naive swaps carry the first few tiles of the wall to their places."""
    n = len(wall)
    takes_all = draw(rows[0], n, bits)[1] is None
    drawn = [draw(row, n, bits) for row in (rows[:n] if takes_all else rows)]
    partners = [values.astype(np.uint8) for values, _ in drawn]
    taken = None if takes_all else [mask for _, mask in drawn]
    lanes = np.arange(len(rows[0]))
    for position in range(min(EARLY, n)):
        carried = _carried(partners, taken, wall[position], n)
        left = carried == position
        lanes = lanes[left]
        if not len(lanes):
            break
        partners = [row[left] for row in partners]
        taken = None if taken is None else [mask[left] for mask in taken if mask is not None]
    return lanes


def _carried(
    partners: Sequence[NDArray[np.uint8]], taken: Sequence[Taken] | None, tile: int, n: int
) -> NDArray[np.uint8]:
    """Return where n naive swaps carry the tile that begins at place `tile`, in every lane."""
    at = np.full(len(partners[0]), tile, np.uint8)
    if taken is None:
        for i in range(n):
            partner = partners[i]
            at = np.where(at == i, partner, np.where(at == partner, np.uint8(i), at))
        return at
    step = np.zeros(len(at), np.uint8)
    for partner, mask in zip(partners, taken, strict=True):
        assert mask is not None
        moved = mask & (step < n)
        at = np.where(moved, np.where(at == step, partner, np.where(at == partner, step, at)), at)
        step += moved
    return at


def dealt(generator: Generator, draw: str, direction: str, seed: int, n: int) -> tuple[int, ...]:
    """Return the wall of one seed by the plain definition."""
    rows = generator.outputs(np.array([seed], np.uint64))
    bounded = DRAWS[draw]

    def below(k: int) -> int:
        while True:
            values, taken = bounded(next(rows), k, generator.bits)
            if taken is None or taken.all():
                return int(values[0])

    order = list(range(n))
    if direction == "descending":
        places = [(i, 0, i + 1) for i in range(n - 1, 0, -1)]
    elif direction == "ascending":
        places = [(i, i, n - i) for i in range(n - 1)]
    else:
        places = [(i, 0, n) for i in range(n)]
    for i, base, k in places:
        j = base + below(k)
        order[i], order[j] = order[j], order[i]
    return tuple(order)

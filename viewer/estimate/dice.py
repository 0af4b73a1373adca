"""T12: dice against their nulls: throws of two, neighbours, gaps of face 1, coupon runs."""

from collections.abc import Sequence
from typing import Final

from engine.audit.dice import FACES, LONGEST_GAP, LONGEST_RUN, SHORTEST_RUN, DiceRun, run_ways
from viewer.estimate.openings import histogram
from viewer.estimate.statistic import Row, Statistic, chi_square
from viewer.estimate.walls import too_few

LEAST: Final = 500
NAME: Final = "dice: pairs, serial, gaps, coupon collector"


def row(run: DiceRun) -> Row:
    """Return the row T12."""
    throws = max(run.throws, run.dice // 2)
    found = Row("T12", NAME, throws, LEAST)
    if throws < LEAST:
        found.why = "no dice in these logs" if not run.dice else too_few(throws, LEAST)
        return found
    each: list[Statistic | None] = [serial(run), gaps(run), coupons(run)]
    if run.throws >= LEAST:
        each.insert(0, pairs(run))
    found.statistics = [statistic for statistic in each if statistic is not None]
    return found


def pairs(run: DiceRun) -> Statistic:
    """Judge the 36 outcomes of a throw of two."""
    expected = run.throws / 36
    value = sum((count - expected) ** 2 / expected for count in run.pairs)
    return chi_square("two dice of a throw", value, 35, run.throws)


def serial(run: DiceRun) -> Statistic:
    """Judge overlapping pairs of single dice: psi²_2 - psi²_1, the stream closed to a ring so that margins agree."""
    counts = list(run.neighbours)
    counts[FACES * (run.last - 1) + run.first - 1] += 1
    value = _psi(counts) - _psi(run.faces)
    return chi_square("serial pairs", value, FACES * FACES - FACES, run.dice)


def _psi(counts: Sequence[int]) -> float:
    n = sum(counts)
    return len(counts) / n * sum(count * count for count in counts) - n


def gaps(run: DiceRun) -> Statistic | None:
    """Judge how many dice lie between two ones."""
    n = sum(run.gaps)
    chances = [(5 / 6) ** length / 6 for length in range(LONGEST_GAP)]
    chances.append((5 / 6) ** LONGEST_GAP)
    return histogram("gaps of face 1", run.gaps, [n * chance for chance in chances], n)


def coupons(run: DiceRun) -> Statistic | None:
    """Judge how many dice it takes until every face has come."""
    n = sum(run.runs)
    chances = [ways / FACES**length for length, ways in enumerate(run_ways(LONGEST_RUN), SHORTEST_RUN)]
    chances.append(1 - sum(chances))
    return histogram("coupon collector", run.runs, [n * chance for chance in chances], n)

"""What a win is worth, in whichever way its rules count."""

from typing import NamedTuple

Row = tuple[str, str, int]
"""A pattern's id, the unit of what it counted (`tai`, `fan`, `hu`; "" where it counts nothing), and how many."""


class Score(NamedTuple):
    """A win's patterns, its worth in `measure` (the winner's field of `settled`), and the points of one share."""

    patterns: list[Row]
    worth: int
    points: int
    measure: str = "tai"

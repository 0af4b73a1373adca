"""That nothing of one deal is used again in another: roots, commits, reveals, seeds, walls over many games (V3).

Only the whole log can say so; one game's checks cannot (fairness.md 1.10; incidents 4-6, 23).
"""

from enum import StrEnum

from engine.shuffle.refusal import Code, Refusal


class Single(StrEnum):
    """What occurs once in a log."""

    ROOT = "root"
    COMMIT = "commit"
    REVEAL = "reveal"
    SEED = "seed"
    WALL = "wall"


_CODES = {
    Single.ROOT: Code.REPEATED_ROOT,
    Single.COMMIT: Code.REPEATED_COMMIT,
    Single.REVEAL: Code.REPEATED_REVEAL,
    Single.SEED: Code.REPEATED_SEED,
    Single.WALL: Code.REPEATED_WALL,
}


class Uniqueness:
    """Where each value was first seen."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Single, bytes], str] = {}

    def add(self, kind: Single, value: bytes, where: str) -> Refusal | None:
        """Note a value at a place; refuse it where another place has it already, naming both.

        The same value at the same place is no repetition. The first place stands.
        """
        first = self._seen.setdefault((kind, value), where)
        if first == where:
            return None
        return Refusal(_CODES[kind], "fairness.md 1.10 V3", f"a {kind} of its own at {where}", f"that of {first}")

"""The state of one game, as the fold over its events keeps it: what `frame` knows beside the hand in play."""

from dataclasses import dataclass, field
from typing import Any

from engine.events import Body
from engine.family import Family
from engine.premise import Premise
from engine.shuffle import Commitment, Deal


@dataclass(slots=True)
class Game:
    """One game in play or in replay. `phase`: entropy, seated, next, hand, ended, boundary, unused, over."""

    premise: Premise
    family: Family
    seeds: dict[int, bytes]
    """Seeds of hands that open the commitment, as far as known."""
    commitment: Commitment | None
    """All seeds, where the root seed is known."""
    root_seed: bytes | None = None
    with_wall_root: bool = True
    seq: int = 1
    at: int = 0
    phase: str = "entropy"
    commits: dict[int, bytes] = field(default_factory=dict)
    reveals: dict[int, bytes] = field(default_factory=dict)
    randomness: bytes | None = None
    salt: bytes | None = None
    order: tuple[str, ...] = ()
    """Players by place at the table."""
    scores: list[int] = field(default_factory=list)
    hand_number: int = 0
    spot: Body = field(default_factory=dict)
    first_dealer: int = 0
    rounds: int = 0
    settled_hands: int = 0
    began_at: int = -1
    hand: Any = None
    voided: bool = False
    votes: dict[int, str] = field(default_factory=dict)
    dissolved: bool = False
    ending: str = ""
    """Reason of `closed`, once the last hand has ended."""
    ended_at: int = 0
    unrevealed: int = -1
    """Hand whose seed is still to be revealed; -1: none."""
    shuffled: tuple[int, Deal] | None = None
    """The deal of the current hand, by its number."""
    unused: int = -1
    """Next unused hand to open (paipu-fair/1w)."""
    after: tuple[int, list[int], Body, str] = (-1, [], {}, "")
    """What follows the hand's end, as last asked: at which seq, the scores, the next spot, the reason of an end."""
    interrupted: bool = False
    """A seat was away or came back since the hand began: a wall that differs after it has been changed (V13)."""

    @property
    def players(self) -> int:
        """Return the number of playing seats."""
        return len(self.premise.players)

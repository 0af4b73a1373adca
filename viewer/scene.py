"""The table after one event, as frames copy it: the part that every game has, whoever follows it."""

from dataclasses import dataclass, field

from viewer.translate import Text
from viewer.views import SeatView


@dataclass(slots=True)
class Scene:
    """Scores, hand, winds, seats, whose turn and what is said. -1 and "" stand for what is not, or not yet."""

    players: list[str] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    hand: int = -1
    dealer: int = -1
    round_wind: str = ""
    winds: list[str] = field(default_factory=list)
    left: int = 0
    turn: int = -1
    seats: list[SeatView] = field(default_factory=list)
    note: Text | None = None

"""What may come next in a game: the choices that seats have, or the clause by which one event must follow.

Part of the reducer (`frames`). Which acts are lawful is the engine's to say (`verbs.options`, the family's `clause`);
this module sorts them by seat and puts them into words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine import frame, verbs
from engine.events import Body
from engine.game import Game
from viewer.sentences import sentence
from viewer.translate import Text
from viewer.views import ChoiceView, SeatView

LETTING_GO: Final = {"discarded": "tile", "played": "card"}
"""Acts that are one tile or card out of the hand: told by the tile alone."""
MOST_ACTS: Final = 12
"""Acts told in words for each seat; a bid or a burial may have hundreds."""
NOTHING: Final[Body] = {"type": "nothing"}


@dataclass(slots=True)
class Outlook:
    """What may come: choices seat by seat, or the clause of the one event that is due."""

    choices: list[ChoiceView] = field(default_factory=list)
    clause: str = ""


def outlook(game: Game, seats: Sequence[SeatView], winds: Sequence[str], claimed: str) -> Outlook:
    """Return what may come next; `seats` as they are seen now. Does not depend on what only a later seed tells."""
    due = frame.due(game)
    if due is None:
        options = verbs.options(game)
        if options and options[0]["type"] == "answered":
            return Outlook()  # the window says who may answer what
        return Outlook(choices=[_short(each, seats) for each in choices(options, winds, claimed)])
    if game.phase != "hand" or due["type"] == "hand_ended":
        return Outlook()
    return Outlook(clause=game.family.clause(game.hand, due, NOTHING)[1])


def choices(options: Sequence[Body], winds: Sequence[str], claimed: str) -> list[ChoiceView]:
    """Return lawful decisions by seat."""
    found: dict[int, ChoiceView] = {}
    for body in options:
        view = found.setdefault(body["seat"], {"seat": body["seat"], "tiles": [], "acts": []})
        name = LETTING_GO.get(body["type"])
        if name is not None:
            if body[name] not in view["tiles"]:
                view["tiles"].append(body[name])
            continue
        act = sentence(body, winds, claimed)
        if len(view["acts"]) < MOST_ACTS:
            view["acts"].append(act)
        elif len(view["acts"]) == MOST_ACTS:
            view["acts"].append(MORE)
    return list(found.values())


def _short(view: ChoiceView, seats: Sequence[SeatView]) -> ChoiceView:
    """Say `any` in place of the tiles where all that the seat holds may go."""
    if view["seat"] < len(seats):
        seat = seats[view["seat"]]
        held = {*seat["hand"], *([seat["drawn"]] if "drawn" in seat else [])}
        if held and held == set(view["tiles"]):
            return {**view, "tiles": [], "any": True}
    return view


MORE: Final[Text] = {"en": "…", "zh": "…"}

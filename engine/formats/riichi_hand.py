"""One hand of riichi, followed act by act: deal, draws and indicators against the wall, turn order, calls, riichi.

`follow(hand, ...)` returns a Course: the first fault, if any, and what the end of the hand needs: who may win, with
which circumstances, who is ready. Values of winning hands are not here (`riichi_match`, and a scorer from outside).
Sources: Tenhou's rules as fairness.md 6 and the logs themselves show them.
"""

from collections.abc import Callable
from typing import Final

from engine.family import Fault
from engine.formats.riichi import CALLS, Act, RiichiHand
from engine.formats.riichi_calls import (
    all_riichi,
    call,
    call_fault,
    four_winds,
    kong,
    kong_fault,
    no,
    north,
    north_fault,
    order_fault,
    passed,
    seen,
    settled_riichi,
)
from engine.formats.riichi_shape import ready
from engine.formats.riichi_state import MOST_KONGS, Course, Side
from engine.formats.tenhou_wall import Wall


def follow(hand: RiichiHand, wall: Wall | None, *, reds: bool) -> Course:
    """Follow a hand to its end, or to its first fault."""
    course = begin(hand, wall, reds=reds)
    fault = _start(course)
    if fault is not None:
        course.fault, course.fault_place = fault, hand.place
        return course
    for act in hand.acts:
        fault = judge(course, act)
        if fault is not None:
            course.fault, course.fault_place = fault, act.place
            return course
        apply(course, act)
    return course


def begin(hand: RiichiHand, wall: Wall | None, *, reds: bool) -> Course:
    """Return a hand right after the deal."""
    course = Course(hand, wall, reds, [Side(set(tiles)) for tiles in hand.hands], list(hand.scores), hand.dealer)
    course.dora = [hand.dora]
    course.deposits = hand.deposits
    return course


def judge(course: Course, act: Act) -> Fault | None:
    """Return why an act may not come next, None where it may."""
    return JUDGES[act.kind](course, act)


def apply(course: Course, act: Act) -> None:
    """Apply an act that has no fault."""
    STEPS[act.kind](course, act)


def _start(course: Course) -> Fault | None:
    hand, wall = course.hand, course.wall
    dealt = [tile for tiles in hand.hands for tile in tiles]
    everything = [*dealt, hand.dora]
    if len(set(everything)) != len(everything):
        return Fault("V5", "fairness.1.10.V5", "each tile once", sorted(course.code(tile) for tile in everything))
    if wall is None:
        return None
    if hand.dice is not None and hand.dice != wall.dice:
        return Fault("V9", "fairness.1.10.V9", [die + 1 for die in wall.dice], [die + 1 for die in hand.dice])
    for seat, tiles in enumerate(wall.dealt(hand.dealer)):
        if list(hand.hands[seat]) != tiles:
            return Fault("V12", "fairness.1.10.V12", {"seat": seat, "tiles": tiles}, {"tiles": list(hand.hands[seat])})
    if hand.dora != wall.indicator(0):
        return Fault("V12", "fairness.1.10.V12", {"dora": wall.indicator(0)}, {"dora": hand.dora})
    return None


# --- draws and discards ------------------------------------------------------------------------------------------


def _tile_fault(course: Course, act: Act, name: str, due: int) -> Fault | None:
    """Return why a tile cannot come from the wall: another was due there, or it has been seen."""
    if act.tile != due:
        return Fault("V12", "fairness.1.10.V12", {name: course.code(due), "id": due},
                     {name: course.code(act.tile), "id": act.tile})  # fmt: skip
    if seen(course, act.tile):
        return Fault("V5", "fairness.1.10.V5", "each tile once", course.code(act.tile))
    return None


def _draw_fault(course: Course, act: Act) -> Fault | None:
    if course.phase not in {"draw", "discarded", "konged", "replacement"}:
        return order_fault(course, act)
    if (fault := settled_riichi(course, act)) is not None:
        return fault
    replacing = course.phase in {"konged", "replacement"}
    seat = course.turn if course.phase != "discarded" else (course.last_seat + 1) % course.seats
    if act.seat != seat:
        return no("turn", {"seat": seat}, {"seat": act.seat})
    if course.owed_now:
        return no("dora", "an indicator turned before the draw", {"type": "draw", "seat": act.seat})
    if course.live <= 0:
        return no("wall", "no tile is left", {"draw": course.code(act.tile)})
    if len(course.kongs()) == MOST_KONGS and len(set(course.kongs())) > 1 and not replacing:
        return no("four_kongs", "the hand is void after four kongs of several seats", {"draw": act.seat})
    if not replacing and four_winds(course):
        return no("four_winds", "the hand is void after four equal winds", {"draw": act.seat})
    if not replacing and all_riichi(course):
        return no("four_riichi", "the hand is void after four riichi", {"draw": act.seat})
    due = act.tile
    if course.wall is not None:
        due = course.wall.replacement(course.replaced) if replacing else course.wall.drawn(course.draws)
    return _tile_fault(course, act, "tile", due)


def _draw(course: Course, act: Act) -> None:
    replacing = course.phase in {"konged", "replacement"}
    if replacing:
        course.replaced += 1
        if course.phase == "konged":
            _kong_done(course)
    else:
        course.draws += 1
        passed(course)
    course.turn = act.seat
    course.drawn = act.tile
    course.from_replacement = replacing
    course.barred = frozenset()
    course.sides[act.seat].tiles.add(act.tile)
    course.phase = "act"


def _kong_done(course: Course) -> None:
    """Let an added kong or a north stand that nobody won; whoever waited for the tile has let it pass."""
    north = course.north_out
    for side in course.sides:
        side.ippatsu = False
        side.unbroken = side.unbroken and north
    course.undisturbed = False
    course.uncalled = course.uncalled and north
    passed(course)


def _discard_fault(course: Course, act: Act) -> Fault | None:
    side = course.sides[act.seat]
    if course.phase not in {"act", "call"}:
        return order_fault(course, act)
    if act.seat != course.turn:
        return no("turn", {"seat": course.turn}, {"seat": act.seat})
    if act.tile not in side.tiles:
        return no("discarded", "a tile of the hand", {"tile": course.code(act.tile), "id": act.tile})
    if course.owed_now or course.owed_later:
        return no("dora", "an indicator turned before the discard", {"discard": course.code(act.tile)})
    if side.accepted and act.tile != course.drawn:
        return no("riichi_discard", course.code(course.drawn), course.code(act.tile))
    if course.phase == "call" and act.tile // 4 in course.barred:
        return no("swap", "no tile of the meld just called", course.code(act.tile))
    if course.declaring == act.seat and not ready(side.tiles - {act.tile}, side.melds):
        return no("riichi", "a discard that leaves the hand ready", course.code(act.tile))
    return None


def _discard(course: Course, act: Act) -> None:
    side = course.sides[act.seat]
    if course.undisturbed and len(course.first_winds) < 4:
        course.first_winds.append(act.tile // 4)
    side.tiles.discard(act.tile)
    side.river.append(act.tile)
    side.ippatsu = side.unbroken = False
    if not side.accepted:
        side.missed = False
    if course.declaring == act.seat:
        course.declaring, course.pending = -1, act.seat
    course.last, course.last_seat = act.tile, act.seat
    course.drawn = -1
    course.phase = "discarded"


# --- riichi, indicators, presence --------------------------------------------------------------------------------


def _riichi_fault(course: Course, act: Act) -> Fault | None:
    if course.phase != "act":
        return order_fault(course, act)
    if act.seat != course.turn:
        return no("turn", {"seat": course.turn}, {"seat": act.seat})
    side = course.sides[act.seat]
    if side.riichi:
        return no("riichi", "one riichi a seat", {"seat": act.seat})
    if not side.closed:
        return no("riichi", "a hand without claimed tiles", {"seat": act.seat})
    if course.scores[act.seat] < 1000:
        return no("riichi", "1,000 points to deposit", course.scores[act.seat])
    if course.live < course.seats:
        return no("riichi", "a tile left to draw for every seat", course.live)
    return None


def _riichi(course: Course, act: Act) -> None:
    side = course.sides[act.seat]
    side.riichi = 2 if course.undisturbed and not side.river else 1
    side.at_first = course.uncalled and not side.river
    course.declaring = act.seat


def _deposit_fault(course: Course, act: Act) -> Fault | None:
    if course.phase != "discarded" or course.pending < 0:
        return order_fault(course, act)
    if act.seat != course.pending:
        return no("deposit", {"seat": course.pending}, {"seat": act.seat})
    due = [score - 1000 * (seat == act.seat) for seat, score in enumerate(course.scores)]
    if act.scores and list(act.scores) != due:
        return no("deposit", due, list(act.scores))
    return None


def _deposit(course: Course, act: Act) -> None:
    side = course.sides[act.seat]
    side.accepted = side.ippatsu = side.unbroken = True
    course.scores[act.seat] -= 1000
    course.deposits += 1
    course.pending = -1


def _dora_fault(course: Course, act: Act) -> Fault | None:
    open_now = course.owed_now > 0 and course.phase in {"replacement", "konged"}
    # Whether the indicator of an earlier kong is turned before or after the replacement of a north is not published.
    open_now = open_now or (course.owed_later > 0 and course.north_out)
    if not open_now and not (course.owed_later > 0 and course.phase == "act"):
        return no("dora", "no indicator now", course.code(act.tile))
    due = act.tile
    if course.wall is not None:
        due = course.wall.indicator(len(course.dora))
    return _tile_fault(course, act, "dora", due)


def _dora(course: Course, act: Act) -> None:
    course.dora.append(act.tile)
    if course.owed_now:
        course.owed_now -= 1
    else:
        course.owed_later -= 1


def _presence_fault(course: Course, act: Act) -> None:
    assert course.hand.acts
    assert act.seat in range(course.seats)


def _presence(course: Course, act: Act) -> None:
    """Change nothing: the table plays for whoever is away."""


JUDGES: Final[dict[str, Callable[[Course, Act], Fault | None]]] = {
    "draw": _draw_fault, "discard": _discard_fault, "riichi": _riichi_fault, "deposit": _deposit_fault,
    "dora": _dora_fault, "concealed_kong": kong_fault, "added_kong": kong_fault,
    "north": north_fault, "away": _presence_fault, "back": _presence_fault, **dict.fromkeys(CALLS, call_fault),
}  # fmt: skip
STEPS: Final[dict[str, Callable[[Course, Act], None]]] = {
    "draw": _draw, "discard": _discard, "riichi": _riichi, "deposit": _deposit, "dora": _dora,
    "concealed_kong": kong, "added_kong": kong, "north": north,
    "away": _presence, "back": _presence, **dict.fromkeys(CALLS, call),
}  # fmt: skip

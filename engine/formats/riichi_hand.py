"""One hand of riichi, followed act by act: deal, draws and indicators against the wall, turn order, calls, riichi.

`follow(hand, ...)` returns a Course: the first fault, if any, and what the end of the hand needs: who may win, with
which circumstances, who is ready. Values of winning hands are not here (`riichi_match`, and a scorer from outside).
Sources: Tenhou's rules as fairness.md 6 and the logs themselves show them.
"""

from collections.abc import Callable
from typing import Any, Final

from engine.family import Fault
from engine.formats.riichi import CALLS, Act, RiichiHand
from engine.formats.riichi_shape import barred, counted, ready, waiting
from engine.formats.riichi_state import MOST_KONGS, WINDS, Course, Side
from engine.formats.tenhou_wall import DORA, REPLACEMENTS, Wall


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
    if hand.dora != wall.tiles[DORA[0]]:
        return Fault("V12", "fairness.1.10.V12", {"dora": wall.tiles[DORA[0]]}, {"dora": hand.dora})
    return None


def _clause(kind: str) -> str:
    return f"riichi.{kind}"


def _no(kind: str, expected: Any, found: Any) -> Fault:  # noqa: ANN401  any JSON value
    return Fault(kind, _clause(kind), expected, found)


def _order(course: Course, act: Act) -> Fault:
    seat = course.turn if course.phase in {"draw", "act", "call", "replacement"} else course.last_seat
    return _no("order", {"phase": course.phase, "seat": seat}, {"type": act.kind, "seat": act.seat})


def _settled_riichi(course: Course, act: Act) -> Fault | None:
    """Demand the deposit of a riichi that nobody won from, before anything else happens."""
    if course.pending >= 0:
        return _no("deposit", {"deposit of seat": course.pending}, {"type": act.kind, "seat": act.seat})
    return None


# --- draws and discards ------------------------------------------------------------------------------------------


def _draw_fault(course: Course, act: Act) -> Fault | None:
    if course.phase not in {"draw", "discarded", "konged", "replacement"}:
        return _order(course, act)
    if (fault := _settled_riichi(course, act)) is not None:
        return fault
    replacing = course.phase in {"konged", "replacement"}
    seat = course.turn if course.phase != "discarded" else (course.last_seat + 1) % 4
    if act.seat != seat:
        return _no("turn", {"seat": seat}, {"seat": act.seat})
    if course.owed_now:
        return _no("dora", "an indicator turned before the draw", {"type": "draw", "seat": act.seat})
    if course.live <= 0:
        return _no("wall", "no tile is left", {"draw": course.code(act.tile)})
    if len(course.kongs()) == MOST_KONGS and len(set(course.kongs())) > 1 and not replacing:
        return _no("four_kongs", "the hand is void after four kongs of several seats", {"draw": act.seat})
    if not replacing and _four_winds(course):
        return _no("four_winds", "the hand is void after four equal winds", {"draw": act.seat})
    if not replacing and all(side.accepted for side in course.sides):
        return _no("four_riichi", "the hand is void after four riichi", {"draw": act.seat})
    if course.wall is not None:
        due = course.wall.tiles[REPLACEMENTS[course.replaced]] if replacing else course.wall.drawn(course.draws)
        if act.tile != due:
            return Fault("V12", "fairness.1.10.V12", {"tile": course.code(due), "id": due},
                         {"tile": course.code(act.tile), "id": act.tile})  # fmt: skip
    if _seen(course, act.tile):
        return Fault("V5", "fairness.1.10.V5", "each tile once", course.code(act.tile))
    return None


def _seen(course: Course, tile: int) -> bool:
    return tile in course.dora or any(
        tile in side.tiles or tile in side.river or any(tile in meld.tiles for meld in side.melds)
        for side in course.sides
    )


def _draw(course: Course, act: Act) -> None:
    replacing = course.phase in {"konged", "replacement"}
    if replacing:
        course.replaced += 1
        if course.phase == "konged":
            _kong_done(course)
    else:
        course.draws += 1
        _passed(course)
    course.turn = act.seat
    course.drawn = act.tile
    course.from_replacement = replacing
    course.barred = frozenset()
    course.sides[act.seat].tiles.add(act.tile)
    course.phase = "act"


def _kong_done(course: Course) -> None:
    """Let an added kong stand that nobody robbed; whoever waited for the tile has let it pass."""
    for side in course.sides:
        side.ippatsu = False
    course.undisturbed = False
    _passed(course)


def _passed(course: Course) -> None:
    """Bar whoever waited for the last tile, and did not win, from discards until his own next one."""
    if course.last < 0:
        return
    for seat, side in enumerate(course.sides):
        if seat != course.last_seat and course.last // 4 in waiting(counted(side.tiles)):
            side.missed = True
    course.last = -1


def _discard_fault(course: Course, act: Act) -> Fault | None:
    side = course.sides[act.seat]
    if course.phase not in {"act", "call"}:
        return _order(course, act)
    if act.seat != course.turn:
        return _no("turn", {"seat": course.turn}, {"seat": act.seat})
    if act.tile not in side.tiles:
        return _no("discarded", "a tile of the hand", {"tile": course.code(act.tile), "id": act.tile})
    if course.owed_now or course.owed_later:
        return _no("dora", "an indicator turned before the discard", {"discard": course.code(act.tile)})
    if side.accepted and act.tile != course.drawn:
        return _no("riichi_discard", course.code(course.drawn), course.code(act.tile))
    if course.phase == "call" and act.tile // 4 in course.barred:
        return _no("swap", "no tile of the meld just called", course.code(act.tile))
    if course.declaring == act.seat and not ready(side.tiles - {act.tile}, side.melds):
        return _no("riichi", "a discard that leaves the hand ready", course.code(act.tile))
    return None


def _discard(course: Course, act: Act) -> None:
    side = course.sides[act.seat]
    if course.undisturbed and len(course.first_winds) < 4:
        course.first_winds.append(act.tile // 4)
    side.tiles.discard(act.tile)
    side.river.append(act.tile)
    side.ippatsu = False
    if not side.accepted:
        side.missed = False
    if course.declaring == act.seat:
        course.declaring, course.pending = -1, act.seat
    course.last, course.last_seat = act.tile, act.seat
    course.drawn = -1
    course.phase = "discarded"


def _four_winds(course: Course) -> bool:
    winds = course.first_winds
    return course.undisturbed and course.draws == 4 and len(winds) == 4 and winds[0] in WINDS and len(set(winds)) == 1


# --- calls -------------------------------------------------------------------------------------------------------


def _call_fault(course: Course, act: Act) -> Fault | None:
    if course.phase != "discarded":
        return _order(course, act)
    if (fault := _settled_riichi(course, act)) is not None:
        return fault
    side = course.sides[act.seat]
    found = {"kind": act.kind, "claimed": course.code(act.claimed), "id": act.claimed, "from": act.source}
    if act.seat == course.last_seat or act.source != course.last_seat or act.claimed != course.last:
        return _no("melded", {"claimed": course.code(course.last), "id": course.last, "from": course.last_seat}, found)
    if act.kind == "chow" and act.seat != (act.source + 1) % 4:
        return _no("melded", "a chow from the seat before", found)
    if side.accepted:
        return _no("melded", "no call after riichi", found)
    if course.live <= 0:
        return _no("melded", "no call of the last discard", found)
    own = set(act.tiles) - {act.claimed}
    if not own <= side.tiles:
        return _no("melded", "tiles of the hand", {"tiles": sorted(course.code(tile) for tile in own - side.tiles)})
    if act.kind == "direct_kong" and len(course.kongs()) >= MOST_KONGS:
        return _no("konged", "at most four kongs", found)
    if _four_winds(course) or all(each.accepted for each in course.sides):
        return _no("order", "the hand is void", found)
    if len(course.kongs()) == MOST_KONGS and len(set(course.kongs())) > 1:
        return _no("four_kongs", "the hand is void after four kongs of several seats", found)
    if act.kind != "direct_kong" and not any(
        tile // 4 not in barred(act) for tile in side.tiles - own
    ):  # fmt: skip
        return _no("swap", "a tile left that may be discarded", found)
    return None


def _call(course: Course, act: Act) -> None:
    _passed(course)
    side = course.sides[act.seat]
    side.tiles -= set(act.tiles)
    side.melds.append(act)
    course.sides[act.source].called_from = True
    course.undisturbed = False
    for each in course.sides:
        each.ippatsu = False
    course.turn = act.seat
    course.last = -1
    if act.kind == "direct_kong":
        course.owed_now, course.owed_later = course.owed_now + course.owed_later, 1
        course.phase = "replacement"
    else:
        course.barred = barred(act)
        course.phase = "call"


def _kong_fault(course: Course, act: Act) -> Fault | None:
    found = {"kind": act.kind, "tile": course.code(act.tile), "id": act.tile}
    if course.phase != "act":
        return _order(course, act)
    if act.seat != course.turn:
        return _no("turn", {"seat": course.turn}, {"seat": act.seat})
    if course.declaring >= 0:
        return _no("riichi", "a discard after the declaration", found)
    side = course.sides[act.seat]
    if course.live <= 0 or len(course.kongs()) >= MOST_KONGS:
        return _no("konged", "a tile left to replace it, at most four kongs", found)
    if act.kind == "added_kong":
        pung = next((meld for meld in side.melds if meld.kind == "pung" and set(meld.tiles) < set(act.tiles)), None)
        if pung is None or pung.claimed != act.claimed or pung.source != act.source:
            return _no("konged", "a pung that it is added to, claimed as then", found)
        if act.tile not in side.tiles:
            return _no("konged", "the fourth tile in the hand", found)
        if side.accepted:
            return _no("konged", "no added kong after riichi", found)
        return None
    if not set(act.tiles) <= side.tiles:
        return _no("konged", "four tiles of the hand", found)
    if side.accepted:
        before = side.tiles - {course.drawn}
        if course.drawn not in act.tiles or waiting(counted(before)) != waiting(counted(side.tiles - set(act.tiles))):
            return _no("konged", "after riichi a kong of the drawn tile that changes no wait", found)
    return None


def _kong(course: Course, act: Act) -> None:
    side = course.sides[act.seat]
    course.owed_now, course.owed_later = course.owed_now + course.owed_later, 0
    if act.kind == "concealed_kong":
        side.tiles -= set(act.tiles)
        side.melds.append(act)
        course.owed_now += 1
        course.undisturbed = False
        for each in course.sides:
            each.ippatsu = False
        course.phase = "replacement"
        return
    side.tiles.discard(act.tile)
    place = next(index for index, meld in enumerate(side.melds) if set(meld.tiles) < set(act.tiles))
    side.melds[place] = act
    course.owed_later = 1
    course.last, course.last_seat = act.tile, act.seat
    course.phase = "konged"


# --- riichi, indicators, presence --------------------------------------------------------------------------------


def _riichi_fault(course: Course, act: Act) -> Fault | None:
    if course.phase != "act":
        return _order(course, act)
    if act.seat != course.turn:
        return _no("turn", {"seat": course.turn}, {"seat": act.seat})
    side = course.sides[act.seat]
    if side.riichi:
        return _no("riichi", "one riichi a seat", {"seat": act.seat})
    if not side.closed:
        return _no("riichi", "a hand without claimed tiles", {"seat": act.seat})
    if course.scores[act.seat] < 1000:
        return _no("riichi", "1,000 points to deposit", course.scores[act.seat])
    if course.live < 4:
        return _no("riichi", "four tiles left to draw", course.live)
    return None


def _riichi(course: Course, act: Act) -> None:
    side = course.sides[act.seat]
    side.riichi = 2 if course.undisturbed and not side.river else 1
    course.declaring = act.seat


def _deposit_fault(course: Course, act: Act) -> Fault | None:
    if course.phase != "discarded" or course.pending < 0:
        return _order(course, act)
    if act.seat != course.pending:
        return _no("deposit", {"seat": course.pending}, {"seat": act.seat})
    due = [score - 1000 * (seat == act.seat) for seat, score in enumerate(course.scores)]
    if act.scores and list(act.scores) != due:
        return _no("deposit", due, list(act.scores))
    return None


def _deposit(course: Course, act: Act) -> None:
    side = course.sides[act.seat]
    side.accepted = side.ippatsu = True
    course.scores[act.seat] -= 1000
    course.deposits += 1
    course.pending = -1


def _dora_fault(course: Course, act: Act) -> Fault | None:
    open_now = course.owed_now > 0 and course.phase in {"replacement", "konged"}
    if not open_now and not (course.owed_later > 0 and course.phase == "act"):
        return _no("dora", "no indicator now", course.code(act.tile))
    if course.wall is not None:
        due = course.wall.tiles[DORA[len(course.dora)]]
        if act.tile != due:
            return Fault("V12", "fairness.1.10.V12", {"dora": course.code(due), "id": due},
                         {"dora": course.code(act.tile), "id": act.tile})  # fmt: skip
    if _seen(course, act.tile):
        return Fault("V5", "fairness.1.10.V5", "each tile once", course.code(act.tile))
    return None


def _dora(course: Course, act: Act) -> None:
    course.dora.append(act.tile)
    if course.owed_now:
        course.owed_now -= 1
    else:
        course.owed_later -= 1


def _presence_fault(course: Course, act: Act) -> None:
    assert course.hand.acts
    assert act.seat in range(4)


def _presence(course: Course, act: Act) -> None:
    """Change nothing: the table plays for whoever is away."""


JUDGES: Final[dict[str, Callable[[Course, Act], Fault | None]]] = {
    "draw": _draw_fault, "discard": _discard_fault, "riichi": _riichi_fault, "deposit": _deposit_fault,
    "dora": _dora_fault, "concealed_kong": _kong_fault, "added_kong": _kong_fault,
    "away": _presence_fault, "back": _presence_fault, **dict.fromkeys(CALLS, _call_fault),
}  # fmt: skip
STEPS: Final[dict[str, Callable[[Course, Act], None]]] = {
    "draw": _draw, "discard": _discard, "riichi": _riichi, "deposit": _deposit, "dora": _dora,
    "concealed_kong": _kong, "added_kong": _kong, "away": _presence, "back": _presence, **dict.fromkeys(CALLS, _call),
}  # fmt: skip

"""Calls of a riichi hand: chows, pungs, kongs, norths set aside; and what all parts of a hand ask of its state.

Judged and applied act by act (`riichi_hand` drives them).
"""

from typing import Any

from engine.family import Fault
from engine.formats.riichi import NORTH, Act
from engine.formats.riichi_shape import barred, counted, waiting
from engine.formats.riichi_state import MOST_KONGS, WINDS, Course
from engine.formats.tenhou_wall import LAYOUTS


def no(kind: str, expected: Any, found: Any) -> Fault:  # noqa: ANN401  any JSON value
    """Return a fault of this kind, with its clause."""
    return Fault(kind, f"riichi.{kind}", expected, found)


def order_fault(course: Course, act: Act) -> Fault:
    """Say that an act may not come now."""
    seat = course.turn if course.phase in {"draw", "act", "call", "replacement"} else course.last_seat
    return no("order", {"phase": course.phase, "seat": seat}, {"type": act.kind, "seat": act.seat})


def settled_riichi(course: Course, act: Act) -> Fault | None:
    """Demand the deposit of a riichi that nobody won from, before anything else happens."""
    if course.pending >= 0:
        return no("deposit", {"deposit of seat": course.pending}, {"type": act.kind, "seat": act.seat})
    return None


def seen(course: Course, tile: int) -> bool:
    """Tell whether a tile has been seen in this hand."""
    return tile in course.dora or any(
        tile in side.tiles
        or tile in side.river
        or tile in side.norths
        or any(tile in meld.tiles for meld in side.melds)
        for side in course.sides
    )


def passed(course: Course) -> None:
    """Bar whoever waited for the last tile, and did not win, from discards until his own next one."""
    if course.last < 0:
        return
    for seat, side in enumerate(course.sides):
        if seat != course.last_seat and course.last // 4 in waiting(counted(side.tiles)):
            side.missed = True
    course.last = -1


def four_winds(course: Course) -> bool:
    """Tell whether the first four discards are one wind: the hand is void."""
    winds = course.first_winds
    return course.undisturbed and course.draws == 4 and len(winds) == 4 and winds[0] in WINDS and len(set(winds)) == 1


def all_riichi(course: Course) -> bool:
    """Tell whether all four seats are in riichi: the hand is void."""
    return course.seats == 4 and all(side.accepted for side in course.sides)


# --- calls -------------------------------------------------------------------------------------------------------


def call_fault(course: Course, act: Act) -> Fault | None:
    """Return why the last discard may not be called so."""
    if course.phase != "discarded":
        return order_fault(course, act)
    if (fault := settled_riichi(course, act)) is not None:
        return fault
    side = course.sides[act.seat]
    found = {"kind": act.kind, "claimed": course.code(act.claimed), "id": act.claimed, "from": act.source}
    if act.seat == course.last_seat or act.source != course.last_seat or act.claimed != course.last:
        return no("melded", {"claimed": course.code(course.last), "id": course.last, "from": course.last_seat}, found)
    if act.kind == "chow" and (act.seat != (act.source + 1) % course.seats or course.seats == 3):
        return no("melded", "a chow from the seat before", found)
    if side.accepted:
        return no("melded", "no call after riichi", found)
    if course.live <= 0:
        return no("melded", "no call of the last discard", found)
    own = set(act.tiles) - {act.claimed}
    if not own <= side.tiles:
        return no("melded", "tiles of the hand", {"tiles": sorted(course.code(tile) for tile in own - side.tiles)})
    if act.kind == "direct_kong" and len(course.kongs()) >= MOST_KONGS:
        return no("konged", "at most four kongs", found)
    if four_winds(course) or all_riichi(course):
        return no("order", "the hand is void", found)
    if len(course.kongs()) == MOST_KONGS and len(set(course.kongs())) > 1:
        return no("four_kongs", "the hand is void after four kongs of several seats", found)
    if act.kind != "direct_kong" and not any(
        tile // 4 not in barred(act) for tile in side.tiles - own
    ):  # fmt: skip
        return no("swap", "a tile left that may be discarded", found)
    return None


def call(course: Course, act: Act) -> None:
    """Apply a chow, a pung or a direct kong."""
    passed(course)
    side = course.sides[act.seat]
    side.tiles -= set(act.tiles)
    side.melds.append(act)
    course.sides[act.source].called_from = True
    course.undisturbed = course.uncalled = False
    for each in course.sides:
        each.ippatsu = each.unbroken = False
    course.turn = act.seat
    course.last = -1
    if act.kind == "direct_kong":
        course.owed_now, course.owed_later = course.owed_now + course.owed_later, 1
        course.phase = "replacement"
    else:
        course.barred = barred(act)
        course.phase = "call"


def turn_fault(course: Course, act: Act, found: Any) -> Fault | None:  # noqa: ANN401  any JSON value
    """Return why a seat may not set tiles aside now: another's turn, or a riichi declared."""
    if course.phase != "act":
        return order_fault(course, act)
    if act.seat != course.turn:
        return no("turn", {"seat": course.turn}, {"seat": act.seat})
    if course.declaring >= 0:
        return no("riichi", "a discard after the declaration", found)
    return None


def kong_fault(course: Course, act: Act) -> Fault | None:
    """Return why a kong of one's own turn may not be made."""
    found = {"kind": act.kind, "tile": course.code(act.tile), "id": act.tile}
    if (fault := turn_fault(course, act, found)) is not None:
        return fault
    side = course.sides[act.seat]
    if course.live <= 0 or len(course.kongs()) >= MOST_KONGS:
        return no("konged", "a tile left to replace it, at most four kongs", found)
    if act.kind == "added_kong":
        pung = next((meld for meld in side.melds if meld.kind == "pung" and set(meld.tiles) < set(act.tiles)), None)
        if pung is None or pung.claimed != act.claimed or pung.source != act.source:
            return no("konged", "a pung that it is added to, claimed as then", found)
        if act.tile not in side.tiles:
            return no("konged", "the fourth tile in the hand", found)
        if side.accepted:
            return no("konged", "no added kong after riichi", found)
        return None
    if not set(act.tiles) <= side.tiles:
        return no("konged", "four tiles of the hand", found)
    if side.accepted:
        before = side.tiles - {course.drawn}
        if course.drawn not in act.tiles or waiting(counted(before)) != waiting(counted(side.tiles - set(act.tiles))):
            return no("konged", "after riichi a kong of the drawn tile that changes no wait", found)
    return None


def kong(course: Course, act: Act) -> None:
    """Apply a concealed or added kong; an added one may be robbed before its replacement."""
    side = course.sides[act.seat]
    course.owed_now, course.owed_later = course.owed_now + course.owed_later, 0
    if act.kind == "concealed_kong":
        side.tiles -= set(act.tiles)
        side.melds.append(act)
        course.owed_now += 1
        course.undisturbed = course.uncalled = False
        for each in course.sides:
            each.ippatsu = each.unbroken = False
        course.phase = "replacement"
        return
    side.tiles.discard(act.tile)
    place = next(index for index, meld in enumerate(side.melds) if set(meld.tiles) < set(act.tiles))
    side.melds[place] = act
    course.owed_later = 1
    course.last, course.last_seat = act.tile, act.seat
    course.phase = "konged"


def north_fault(course: Course, act: Act) -> Fault | None:
    """Return why a north may not be set aside."""
    found = {"kind": act.kind, "tile": course.code(act.tile), "id": act.tile}
    if (fault := turn_fault(course, act, found)) is not None:
        return fault
    side = course.sides[act.seat]
    if course.seats != 3 or act.tile // 4 != NORTH or act.tile not in side.tiles:
        return no("north", "a north of the hand, at a table of three", found)
    if course.live <= 0 or course.replaced >= len(LAYOUTS[3].replacements):
        return no("north", "a tile left to replace it", found)
    if side.accepted and act.tile != course.drawn:
        return no("north", "after riichi only the north just drawn", found)
    return None


def north(course: Course, act: Act) -> None:
    """Set a north aside; it may be won before its replacement."""
    side = course.sides[act.seat]
    side.tiles.discard(act.tile)
    side.norths.append(act.tile)
    course.last, course.last_seat = act.tile, act.seat
    course.phase = "konged"

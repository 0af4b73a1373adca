"""How a riichi hand ended: who may win and on what grounds, what it pays, which draw it was.

Patterns and fu come from a scorer that the caller supplies (`Scorer`); without one, the recorded han and fu are taken
as given and everything that follows from them is still recomputed.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from engine.family import Fault
from engine.formats import riichi_pay
from engine.formats.riichi import Act, Drawn, Win
from engine.formats.riichi_pay import LIABLE_YAKUMAN, Payer
from engine.formats.riichi_shape import ORPHANS, complete, counted, ready, waiting
from engine.formats.riichi_state import Course


@dataclass(frozen=True, slots=True)
class Winning:
    """A winning hand with its circumstances: what a scorer needs. Tiles are ids; winds are 0 E … 3 N."""

    tiles: tuple[int, ...]
    """Concealed, the winning tile among them."""
    melds: tuple[Act, ...]
    tile: int
    self_drawn: bool
    riichi: int
    ippatsu: bool
    replacement: bool
    robbed: bool
    last: bool
    first: bool
    """In the first go-around, before any call: heavenly (dealer) or earthly."""
    seat_wind: int
    round_wind: int
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    """Empty without riichi."""
    reds: bool
    open_tanyao: bool
    norths: int = 0
    """Set aside, at a table of three."""
    seats: int = 4


@dataclass(frozen=True, slots=True)
class Worth:
    """What a scorer says: Tenhou's patterns with han (dora among them), fu, yakuman. Empty `yaku`: no winning hand."""

    yaku: tuple[tuple[int, int], ...]
    fu: int
    yakuman: tuple[int, ...] = ()


Scorer = Callable[[Winning], Worth]


@dataclass(slots=True)
class Ending:
    """What an end of a hand comes to: scores and deposits after it, whether the dealer stays, the first fault."""

    scores: list[int]
    deposits: int
    dealer_stays: bool = False
    counters_grow: bool = False
    by_ready: bool = False
    """The dealer stays because he was ready or won, not because the hand was void."""
    fault: Fault | None = None
    fault_place: int = 0
    unscored: int = 0
    """Winning hands whose patterns nobody recomputed."""
    by_north: int = 0
    """Winning hands that hold only if a north set aside leaves, or breaks, what our reading of the rules says not."""


def _no(kind: str, expected: Any, found: Any) -> Fault:  # noqa: ANN401  any JSON value
    return Fault(kind, f"riichi.{kind}", expected, found)


# --- wins --------------------------------------------------------------------------------------------------------


def wins(course: Course, ending: Ending, scorer: Scorer | None, *, open_tanyao: bool) -> None:
    """Judge the winners of a hand in their order."""
    recorded = course.hand.wins
    source = recorded[0].source
    order = [win.seat for win in recorded]
    due = sorted(order, key=lambda seat: (seat - source) % course.seats)
    if len(set(order)) != len(order) or order != due or any(win.source != source for win in recorded):
        ending.fault = _no("won", {"winners after seat": source, "order": due}, order)
    elif len(order) > 2:
        ending.fault = _no("three_rons", "void with three winners", order)
    ending.fault_place = recorded[0].place
    for number, win in enumerate(recorded):
        if ending.fault is not None:
            return
        ending.fault_place = win.place
        ending.fault = _win(course, ending, win, scorer, first=number == 0, open_tanyao=open_tanyao)
    paid = [after - before for after, before in zip(ending.scores, course.scores, strict=True)]
    if ending.fault is None and course.hand.payments is not None and list(course.hand.payments) != paid:
        ending.fault = _no("settled", paid, list(course.hand.payments))
    dealer = course.hand.dealer
    ending.dealer_stays = ending.counters_grow = ending.by_ready = dealer in order
    ending.deposits = 0


def _win(course: Course, ending: Ending, win: Win, scorer: Scorer | None, *, first: bool,
         open_tanyao: bool) -> Fault | None:  # fmt: skip
    fault = _may_win(course, win)
    if fault is not None:
        return fault
    winning = facts(course, win, open_tanyao=open_tanyao)
    fault = _told(course, win, winning)
    if fault is not None:
        return fault
    if scorer is None:
        ending.unscored += 1
        worth = Worth(win.yaku or (), win.fu or 0, win.yakuman)
        if win.yaku is None or win.fu is None:
            return _take(ending, win, list(win.deltas or (0,) * course.seats))
    else:
        worth = scorer(winning)
        fault = _patterns(win, worth)
        if fault is not None:
            # What else a north does is not published: to one-shot, to the first go-around, to the one who wins it.
            others = (scorer(other) for other in _otherwise(course, win, winning))
            found = next((other for other in others if _patterns(win, other) is None), None)
            if found is None:
                return fault
            worth = found
            ending.by_north += 1
    return _paid(course, ending, win, worth, first=first)


def _may_win(course: Course, win: Win) -> Fault | None:
    side = course.sides[win.seat]
    if win.seat == win.source:
        if course.phase != "act" or course.turn != win.seat or course.drawn < 0 or course.declaring >= 0:
            return _no("won", {"phase": course.phase, "seat": course.turn}, {"self-draw of seat": win.seat})
        if win.tile is not None and win.tile != course.drawn:
            return _no("won", {"tile": course.code(course.drawn), "id": course.drawn},
                       {"tile": course.code(win.tile), "id": win.tile})  # fmt: skip
        if not complete(counted(side.tiles)):
            return _no("won", "a complete hand", sorted(course.code(tile) for tile in side.tiles))
        return None
    if course.phase not in {"discarded", "konged"} or course.last_seat != win.source:
        return _no("won", {"phase": course.phase, "seat": course.last_seat}, {"seat": win.seat, "from": win.source})
    if course.pending < 0 and course.last < 0:
        return _no("won", "a discard to win from", {"seat": win.seat})
    if win.tile is not None and win.tile != course.last:
        return _no("won", {"tile": course.code(course.last), "id": course.last},
                   {"tile": course.code(win.tile), "id": win.tile})  # fmt: skip
    waits = waiting(counted(side.tiles))
    if course.last // 4 not in waits:
        return _no("won", "a complete hand", sorted(course.code(tile) for tile in side.tiles))
    if side.missed or any(tile // 4 in waits for tile in side.river):
        return _no("furiten", "no win from a discard after letting one's own tile go", {"seat": win.seat})
    return None


def facts(course: Course, win: Win, *, open_tanyao: bool) -> Winning:
    """Return a winner's hand and circumstances."""
    side = course.sides[win.seat]
    drawn = win.seat == win.source
    tile = course.drawn if drawn else course.last
    riichi = side.riichi if side.accepted else 0
    ura: tuple[int, ...] = ()
    if riichi:
        wall = course.wall
        ura = tuple(wall.under(number) for number in range(len(course.dora))) if wall is not None else win.ura or ()
    return Winning(
        tiles=tuple(sorted(side.tiles | {tile})),
        melds=tuple(side.melds),
        tile=tile,
        self_drawn=drawn,
        riichi=riichi,
        ippatsu=side.ippatsu,
        replacement=drawn and course.from_replacement,
        robbed=not drawn and course.phase == "konged",
        last=course.live == 0 and not (drawn and course.from_replacement) and course.phase != "konged",
        first=drawn and course.undisturbed and not side.river,
        seat_wind=(win.seat - course.hand.dealer) % course.seats,
        round_wind=course.hand.round // 4,
        dora=tuple(course.dora),
        ura=ura,
        reds=course.reds,
        open_tanyao=open_tanyao,
        norths=len(side.norths),
        seats=course.seats,
    )


def _otherwise(course: Course, win: Win, winning: Winning) -> Iterator[Winning]:
    """Yield the circumstances that a win has if norths count otherwise than a kong does; none without a north."""
    side = course.sides[win.seat]
    if not any(each.norths for each in course.sides):
        return
    doubles = {winning.riichi, 2 if side.at_first and winning.riichi else winning.riichi}
    shots = {winning.ippatsu, side.unbroken}
    firsts = {winning.first, win.seat == win.source and course.uncalled and not side.river}
    robs = {winning.robbed, winning.robbed and not course.north_out}
    for riichi, ippatsu, first, robbed in product(doubles, shots, firsts, robs):
        last = winning.last or (winning.robbed and not robbed and course.live == 0)
        yield replace(winning, riichi=riichi, ippatsu=ippatsu, first=first, robbed=robbed, last=last)


def _told(course: Course, win: Win, winning: Winning) -> Fault | None:
    """Compare what the record tells of the winning hand with the hand as it was played."""
    if win.hand is not None and win.hand != winning.tiles:
        return _no("won", list(winning.tiles), list(win.hand))
    if win.melds is not None:
        norths = (("north", (tile,), -1, -1) for tile in course.sides[win.seat].norths)
        due = sorted([*((meld.kind, meld.tiles, meld.claimed, meld.source) for meld in winning.melds), *norths])
        found = sorted((meld.kind, meld.tiles, meld.claimed, meld.source) for meld in win.melds)
        if due != found:
            return _no("won", due, found)
    if win.dora is not None and win.dora != winning.dora:
        return _no("dora", list(winning.dora), list(win.dora))
    if win.ura is not None and win.ura != winning.ura:
        code = "V12" if course.wall is not None else "dora"
        clause = "fairness.1.10.V12" if course.wall is not None else "riichi.dora"
        return Fault(code, clause, list(winning.ura), list(win.ura))
    return None


def _patterns(win: Win, worth: Worth) -> Fault | None:
    if not worth.yaku and not worth.yakuman:
        return _no("patterns", "a hand with a pattern", {"seat": win.seat})
    if win.yaku is not None and sorted(win.yaku) != sorted(worth.yaku):
        return _no("patterns", sorted(worth.yaku), sorted(win.yaku))
    if win.yaku is not None and sorted(win.yakuman) != sorted(worth.yakuman):
        return _no("patterns", {"yakuman": sorted(worth.yakuman)}, {"yakuman": sorted(win.yakuman)})
    if win.fu is not None and win.fu != worth.fu:
        return _no("fu", worth.fu, win.fu)
    return None


def liable_seat(melds: tuple[Act, ...], yakuman: tuple[int, ...]) -> int | None:
    """Return who fed the last of three dragon or four wind pungs by a call, None where nobody is liable."""
    for number, kinds, count in ((39, range(31, 34), 3), (49, range(27, 31), 4)):
        if number not in yakuman:
            continue
        called = [meld for meld in melds if meld.tiles[0] // 4 in kinds]
        if len(called) == count and called[-1].source >= 0:
            return called[-1].source
    return None


def _paid(course: Course, ending: Ending, win: Win, worth: Worth, *, first: bool) -> Fault | None:
    honba, deposits = (course.hand.honba, ending.deposits) if first else (0, 0)
    liable = liable_seat(tuple(course.sides[win.seat].melds), worth.yakuman)
    if win.liable != liable and (win.liable is not None or win.yaku is not None):
        return _no("liability", liable, win.liable)
    value = riichi_pay.value(sum(han for _, han in worth.yaku), worth.fu, len(worth.yakuman))
    counted_for = sum(number in LIABLE_YAKUMAN for number in worth.yakuman) * riichi_pay.YAKUMAN_BASE
    part = counted_for if liable is not None else 0
    who = Payer(win.seat, win.source, course.hand.dealer, honba, deposits, liable, part, course.seats)
    points = riichi_pay.worth(value.base, who)
    if win.points is not None and win.points != points:
        return _no("points", points, win.points)
    if win.limit is not None and win.limit != value.limit:
        return _no("points", {"limit": value.limit}, {"limit": win.limit})
    if win.counters is not None and win.counters != (course.hand.honba, deposits):
        return _no("counters", [course.hand.honba, deposits], list(win.counters))
    due = riichi_pay.won(value.base, who)
    if win.deltas and list(win.deltas) != due:
        return _no("settled", due, list(win.deltas))
    return _take(ending, win, due)


def _take(ending: Ending, win: Win, due: list[int]) -> Fault | None:
    if win.before is not None and list(win.before) != ending.scores:
        return _no("scores", ending.scores, list(win.before))
    ending.scores = [score + change for score, change in zip(ending.scores, due, strict=True)]
    return None


# --- draws -------------------------------------------------------------------------------------------------------


def drawn_hand(course: Course, ending: Ending, drawn: Drawn) -> None:
    """Judge a hand without a winner."""
    ending.fault_place = drawn.place
    ending.fault = _drawn(course, ending, drawn)


def _drawn(course: Course, ending: Ending, drawn: Drawn) -> Fault | None:
    if course.pending >= 0 and drawn.reason not in {"", "three_rons"}:
        return _no("deposit", {"deposit of seat": course.pending}, drawn.reason)
    if drawn.counters is not None and drawn.counters != (course.hand.honba, ending.deposits):
        return _no("counters", [course.hand.honba, ending.deposits], list(drawn.counters))
    if drawn.before is not None and list(drawn.before) != ending.scores:
        return _no("scores", ending.scores, list(drawn.before))
    reason, due, shown = _which(course, drawn)
    if not reason or drawn.reason not in {"", reason}:
        return _no("drawn_hand", reason or "the hand goes on", drawn.reason)
    if list(drawn.deltas) != due:
        return _no("settled", due, list(drawn.deltas))
    if drawn.shown is not None:
        wanted = {seat: sorted(course.sides[seat].tiles) for seat in shown}
        found = {seat: list(tiles) for seat, tiles in drawn.shown.items()}
        if found != wanted:
            return _no("shown", wanted, found)
    ending.scores = [score + change for score, change in zip(ending.scores, due, strict=True)]
    ending.counters_grow = True
    dealer = course.hand.dealer
    stays = _ready(course)
    ending.by_ready = reason in {"exhausted", "nagashi"} and dealer in stays
    ending.dealer_stays = ending.by_ready or reason not in {"exhausted", "nagashi"}
    return None


def _ready(course: Course) -> set[int]:
    return {seat for seat, side in enumerate(course.sides) if ready(side.tiles, side.melds)}


def _which(course: Course, drawn: Drawn) -> tuple[str, list[int], set[int]]:
    """Return the draw that it is ("" where none), its payments, and who shows his hand."""
    sides, seats = course.sides, range(course.seats)
    nothing = [0] * course.seats
    kongs = course.kongs()
    if course.phase == "act" and drawn.reason in {"", "nine_terminals"}:
        side = sides[course.turn]
        kinds = {tile // 4 for tile in side.tiles} & ORPHANS
        first = course.undisturbed and not side.river and course.declaring < 0
        return ("nine_terminals" if first and len(kinds) >= 9 else "", nothing, {course.turn})
    robbed = course.phase == "konged" and drawn.reason in {"", "three_rons"}
    if course.phase != "discarded" and not robbed:
        return "", nothing, set()
    if drawn.reason == "three_rons" or robbed:
        waiters = {seat for seat in seats if seat != course.last_seat and _could_win(course, seat)}
        return ("three_rons" if len(waiters) == 3 else "", nothing, waiters)
    if course.undisturbed and course.draws == 4 and len(set(course.first_winds)) == 1 and (
        len(course.first_winds) == 4 and 27 <= course.first_winds[0] <= 30
    ):  # fmt: skip
        return "four_winds", nothing, set()
    if course.seats == 4 and all(side.accepted for side in sides):
        return "four_riichi", nothing, set(seats)
    if len(kongs) == 4 and len(set(kongs)) > 1:
        return "four_kongs", nothing, set()
    if course.live > 0:
        waiters = {seat for seat in seats if seat != course.last_seat and _could_win(course, seat)}
        return ("three_rons" if len(waiters) == 3 and not drawn.reason else "", nothing, waiters)
    clean = [
        seat
        for seat, side in enumerate(sides)
        if not side.called_from and all(tile // 4 in ORPHANS for tile in side.river)
    ]
    those = _ready(course)
    if clean:
        return "nagashi", riichi_pay.nagashi(clean, course.hand.dealer, course.seats), those
    return "exhausted", riichi_pay.exhausted(those, course.seats), those


def _could_win(course: Course, seat: int) -> bool:
    side = course.sides[seat]
    waits = waiting(counted(side.tiles))
    own = any(tile // 4 in waits for tile in side.river)
    return course.last // 4 in waits and not side.missed and not own

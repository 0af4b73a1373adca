"""What is seen of an imported riichi record after each event: the part of the reducer for a game no family plays.

The hand is followed by the same code that checks it. After a fault the table stands still until the next hand, which
is judged from its own start.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.events import Record, load
from engine.family import Fault
from engine.formats import riichi_reading
from engine.formats.riichi import CODES, KONGS, RED, STARTS, Act, RiichiHand, RiichiRecord
from engine.formats.riichi_hand import apply, begin, judge
from engine.formats.riichi_state import Course
from engine.formats.tenhou_wall import EACH, LAYOUTS
from engine.replay import Finding, Note, Replay
from viewer.foreign import judge as verdict_of
from viewer.scene import Scene
from viewer.translate import Text, bilingual
from viewer.views import DiscardView, MeldView, SeatView, Standing
from viewer.words import term, tiles

WINDS = "ESWN"


@dataclass(slots=True)
class Look(Scene):
    """The table after one event, and whether the event stands."""

    standing: Standing = "lawful"


def looks(lines: Sequence[bytes], result: Replay) -> Iterator[Look]:
    """Yield the table after each event, filling `result` as replay does."""
    record = riichi_reading.read(lines)
    found = verdict_of(record)
    faults = [Finding(each.place, each.hand, each.fault) for each in found.findings]
    result.finding, result.later = (faults[0], faults[1:]) if faults else (None, [])
    result.prefix = faults[0].seq if faults else len(lines)
    result.notes = [Note(hand, code, why) for hand, code, why in found.unchecked]
    result.hands, result.closed = found.hands, bool(record.ended)
    table = _Table(record, {fault.seq for fault in faults})
    for seq, line in enumerate(lines):
        yield table.after(seq, load(line) if seq not in {each.place for each in record.problems} else {})


class _Table:
    """Follows the record event by event."""

    def __init__(self, record: RiichiRecord, faults: set[int]) -> None:
        self.record = record
        self.faults = faults
        self.acts = {(act.place): act for hand in record.hands for act in hand.acts if act.kind != "deposit"}
        self.deposits = {act.place: act for hand in record.hands for act in hand.acts if act.kind == "deposit"}
        self.hand: RiichiHand | None = None
        self.course: Course | None = None
        self.dealt = 0
        self.seats = record.seats
        self.rivers: list[list[DiscardView]] = [[] for _ in range(self.seats)]
        self.wins: list[Record] = []
        self.frozen = False
        self.look = Look(list(record.names), [STARTS[self.seats]] * self.seats)

    def after(self, seq: int, record: Record) -> Look:
        """Return the table after an event."""
        kind = record.get("type", "")
        if kind == "hand_started":
            self._start(seq)
        elif kind == "dealt":
            self.dealt += 1
        if self.hand is not None and self.course is None and kind == "dora":
            self.course = begin(self.hand, None, reds=self.record.reds)
        if seq in self.faults:
            self.frozen = True
        if not self.frozen:
            for act in (self.deposits.get(seq), self.acts.get(seq)):
                self._act(act)
            if kind == "won":
                self.wins.append(record)
            if kind == "hand_ended":
                self.look.scores = list(record["scores"])
        return self._look()

    def _start(self, seq: int) -> None:
        self.hand = next((hand for hand in self.record.hands if hand.place == seq), None)
        self.course = None
        self.dealt = 0
        self.rivers = [[] for _ in range(self.seats)]
        self.wins = []
        self.frozen = False
        if self.hand is not None:
            self.look.scores = list(self.hand.scores)

    def _act(self, act: Act | None) -> None:
        course = self.course
        if act is None or course is None:
            return
        if self._fault(course, act) is not None:
            self.frozen = True
            return
        if act.kind == "discard":
            view: DiscardView = {"tile": course.code(act.tile)}
            self.rivers[act.seat].append({**view, "drawn": True} if act.tile == course.drawn else view)
        elif act.tiles and act.source >= 0 and act.kind != "added_kong":
            self.rivers[act.source][-1]["taken"] = act.seat
        apply(course, act)
        self.look.scores = list(course.scores)

    def _fault(self, course: Course, act: Act) -> Fault | None:
        return judge(course, act)

    def _look(self) -> Look:
        hand, look = self.hand, self.look
        standing: Standing = "recorded" if self.frozen else "lawful"
        if hand is None:
            return Look(look.players, look.scores, standing=standing)
        winds = [WINDS[(seat - hand.dealer) % self.seats] for seat in range(self.seats)]
        course = self.course
        taken = course.taken if course is not None else 0
        return Look(
            look.players,
            list(look.scores),
            self.record.hands.index(hand),
            hand.dealer,
            WINDS[hand.round // 4 % 4],
            winds,
            LAYOUTS[self.seats].tiles - EACH * self.seats - taken,
            course.turn if course is not None and course.phase in {"act", "call"} and not self.wins else -1,
            [self._seat(hand, seat, winds[seat]) for seat in range(self.seats)],
            self._note(winds),
            standing,
        )

    def _note(self, winds: list[str]) -> Text | None:
        course = self.course
        if course is None:
            return None
        shown = tiles(course.code(tile) for tile in course.dora)
        riichi = [winds[seat] for seat, side in enumerate(course.sides) if side.accepted]
        if not riichi:
            return bilingual("indicators: {tiles}", tiles=shown)
        names: Text = {"en": " ".join(riichi), "zh": " ".join(term("winds", wind)["zh"] for wind in riichi)}
        return bilingual("indicators: {tiles}; riichi: {seats}", tiles=shown, seats=names)

    def _seat(self, hand: RiichiHand, seat: int, wind: str) -> SeatView:
        view: SeatView = {"wind": wind, "hand": [], "melds": [], "flowers": [], "discards": list(self.rivers[seat])}
        course = self.course
        if course is None:
            if (seat - hand.dealer) % self.seats < self.dealt:
                view["hand"] = _codes(hand.hands[seat], self.record)
            return view
        concealed = set(course.sides[seat].tiles)
        if course.turn == seat and course.drawn in concealed:
            concealed.discard(course.drawn)
            view["drawn"] = course.code(course.drawn)
        win = next((each for each in self.wins if each["seat"] == seat), None)
        if win is not None and "from" in win:
            view["win"] = win["tile"]
            if self.rivers[win["from"]]:
                self.rivers[win["from"]][-1]["won"] = True
        view["hand"] = _codes(concealed, self.record)
        view["flowers"] = [course.code(tile) for tile in course.sides[seat].norths]
        view["melds"] = [_meld(course, seat, meld) for meld in course.sides[seat].melds]
        return view


def _codes(held: Sequence[int] | set[int], record: RiichiRecord) -> list[str]:
    return [RED[tile] if record.reds and tile in RED else CODES[tile // 4] for tile in sorted(held)]


def _meld(course: Course, seat: int, meld: Act) -> MeldView:
    """Lay a meld down: the claimed tile left, in the middle or right, as it came from before, across or after."""
    if meld.source < 0:
        return {"kind": meld.kind, "tiles": [course.code(tile) for tile in meld.tiles]}
    added = meld.tile if meld.kind == "added_kong" else -1
    own = [tile for tile in meld.tiles if tile not in {meld.claimed, added}]
    turns = (meld.source - seat) % 4
    place = 0 if turns == 3 else len(own) if turns == 1 else 1
    order = [*own[:place], meld.claimed, *own[place:], *([added] if added >= 0 else [])]
    view: MeldView = {
        "kind": meld.kind,
        "tiles": [course.code(tile) for tile in order],
        "claimed": place,
        "source": meld.source,
    }
    if meld.kind in KONGS and course.phase == "konged" and course.turn == seat and meld.tile == course.last:
        view["pending"] = True
    return view

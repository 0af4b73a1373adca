"""Single changed digits of an mjlog, judged by the hand they touch: the same verdict as the whole file's, sooner.

A file that holds is read once. Its hands are independent of each other but for the join (scores, rounds, counters),
so a change within a hand leaves every other hand's verdict as it is: the hand alone is judged anew, from the tag that
changed where the course up to there is the same, and joined with the others. What changes more than one hand (the
rules' bits, the seed of the game beyond its first wall) is judged as a whole file. `test_tenhou_digits` holds both
ways equal on samples.
"""

import re
from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path

from engine.errors import EventError
from engine.formats import tenhou
from engine.formats.riichi import CALLS, RiichiHand, RiichiRecord
from engine.formats.riichi_end import Ending
from engine.formats.riichi_hand import apply, begin, follow, judge
from engine.formats.riichi_match import Judged, Verdict, check, join, judge_end, judge_hand
from engine.formats.riichi_state import Course
from engine.formats.riichi_walls import record_walls
from engine.formats.tenhou_wall import SeedError, Wall
from viewer.riichi_score import score

DIGITS = "0123456789"
_TAG = re.compile(r"<[^<>]*>")
_FIELD = re.compile(r'([A-Za-z0-9]+)="[^"]*"')
FREE = {"UN", "mjloggm", "GO", "BYE"}
"""Tags with fields that nothing in a log can confirm (`tenhou.UNCHECKED`)."""


def whole(text: str) -> bool:
    """Tell by the whole file whether anything is reported."""
    try:
        return bool(check(tenhou.read(text), score).findings)
    except EventError:
        return True


@dataclass(frozen=True, slots=True)
class Place:
    """A digit: where it stands, its tag's span and name, and the attribute ("" for the digits of a draw or discard)."""

    at: int
    start: int
    end: int
    tag: str
    field: str


def places(text: str) -> Iterator[Place]:
    """Yield every digit of a file."""
    for match in _TAG.finditer(text):
        name = re.match(r"</?([A-Za-z]+)", match[0])
        assert name is not None
        fields = [(field.start(), field.end(), field[1]) for field in _FIELD.finditer(match[0])]
        for at, each in enumerate(match[0]):
            if each.isdigit():
                field = next((key for start, end, key in fields if start <= at < end), "")
                yield Place(match.start() + at, match.start(), match.end(), name[1], field)


class Changes:
    """One file that holds, and what becomes of it where a digit is another."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.record = tenhou.read(text)
        self.walls: list[Wall] = list(record_walls(self.record))
        self.hands = [judge_hand(self.record, number, wall, score) for number, wall in enumerate(self.walls)]
        assert not join(self.record, self.hands, Verdict()).findings
        spans = [match.span() for match in _TAG.finditer(text)]
        self.tags = [text[start:end] for start, end in spans]
        self.index = {start: number for number, (start, _) in enumerate(spans)}
        self.inits = [number for number, tag in enumerate(self.tags) if tag.startswith("<INIT")]
        self.head = "".join(self.tags[: self.inits[0]])
        self.middle = bool(self.record.hands[0].round or self.record.hands[0].honba)
        self._course: tuple[int, int, Course] | None = None
        self._final: dict[int, Course] = {}

    def reported(self, place: Place, digit: str) -> bool:
        """Tell whether a change is reported: a finding, or a file that is refused."""
        after = self.text[: place.at] + digit + self.text[place.at + 1 :]
        tag = after[place.start : place.end]
        number = self.index[place.start]
        if number < self.inits[0] or place.tag == "mjloggm":
            return self._header(place, tag, after)
        hand = max(index for index, init in enumerate(self.inits) if init <= number)
        if place.tag == "INIT":
            return self._start(hand, tag, after)
        if place.tag in {"AGARI", "RYUUKYOKU"}:
            return self._end(hand, number, tag)
        return self._act(hand, number, tag, after)

    def _header(self, place: Place, tag: str, after: str) -> bool:
        if place.tag == "SHUFFLE":
            return self._seed(after)
        if place.tag != "UN":
            return whole(after)
        record = self._read(after[: place.start] + tag + after[place.end : len(self.head)])
        if record is None or record.problems or record.seats != self.record.seats:
            return record is None or bool(record.problems) or whole(after)
        other = copy(self.record)
        other.names, other.about = record.names, {**self.record.about, **record.about}
        return bool(join(other, self.hands, Verdict()).findings)

    def _seed(self, after: str) -> bool:
        if self.middle:
            return whole(after)
        record = self._read(after[: len(self.head)])
        if record is None or record.problems:
            return True
        other = copy(self.record)
        other.seed = record.seed
        try:
            wall = next(record_walls(other))
        except SeedError:
            return True
        return follow(self.record.hands[0], wall, reds=other.reds).fault is not None or whole(after)

    def _read(self, tags: str) -> RiichiRecord | None:
        """Read a few tags as a file of their own; None where it is refused."""
        try:
            return tenhou.read(tags + "</mjloggm>")
        except EventError:
            return None

    def _hand(self, tags: str) -> RiichiHand | None:
        """Read the tags of one hand; None where they have a problem."""
        record = self._read(self.head + tags)
        return None if record is None or record.problems else record.hands[0]

    def _with(self, number: int, hand: RiichiHand, judged: Judged, ended: RiichiRecord | None = None) -> bool:
        """Tell whether the record with another hand in place of its own has a finding."""
        other = copy(self.record)
        other.hands = [*self.record.hands[:number], hand, *self.record.hands[number + 1 :]]
        if ended is not None and number == len(self.record.hands) - 1:
            other.final, other.results, other.ended = ended.final, ended.results, ended.ended
            other.about = ended.about
        hands = [*self.hands[:number], judged, *self.hands[number + 1 :]]
        return bool(join(other, hands, Verdict()).findings)

    def _start(self, number: int, tag: str, after: str) -> bool:
        read = self._hand(tag)
        if read is None:
            return True
        mine = self.record.hands[number]
        hand = replace(read, acts=mine.acts, wins=mine.wins, drawn=mine.drawn, after=mine.after, place=mine.place)
        if hand.shuffle != mine.shuffle or (not number and (hand.round, hand.honba) != (mine.round, mine.honba)):
            return whole(after)  # another wall: by its own seed, or by where the record begins in its game
        bare = replace(hand, acts=[])
        if follow(bare, self.walls[number], reds=self.record.reds).fault is not None:
            return True
        other = copy(self.record)
        other.hands = [*self.record.hands[:number], hand, *self.record.hands[number + 1 :]]
        return self._with(number, hand, judge_hand(other, number, self.walls[number], score))

    def _end(self, number: int, index: int, tag: str) -> bool:
        last = self.inits[number + 1] if number + 1 < len(self.inits) else len(self.tags) - 1
        tags = [each for each in range(self.inits[number], last) if self.tags[each].startswith(("<AGARI", "<RYUU"))]
        parts = [self.tags[self.inits[number]], *(tag if each == index else self.tags[each] for each in tags)]
        record = self._read(self.head + "".join(parts))
        if record is None or record.problems:
            return True
        mine, read = self.record.hands[number], record.hands[0]
        hand = replace(mine, wins=read.wins, drawn=read.drawn)
        course = copy(self._final_course(number))
        course.hand = hand
        other = copy(self.record)
        other.hands = [*self.record.hands[:number], hand, *self.record.hands[number + 1 :]]
        if read.wins and record.ended and number != len(self.record.hands) - 1:
            return whole(self.text.replace(self.tags[index], tag, 1))
        return self._with(number, hand, judge_end(other, number, course, score), record)

    def _final_course(self, number: int) -> Course:
        if number not in self._final:
            self._final[number] = follow(self.record.hands[number], self.walls[number], reds=self.record.reds)
        return self._final[number]

    def _act(self, number: int, index: int, tag: str, after: str) -> bool:
        read = self._hand(self.tags[self.inits[number]] + tag)
        if read is None:
            return True
        mine = self.record.hands[number]
        at = next((place for place, act in enumerate(mine.acts) if act.place == index), None)
        if at is None or not read.acts:
            return whole(after)  # a presence between hands
        act = replace(read.acts[0], place=index)
        if judge(self._before(number, at), act) is not None:
            return True
        hand = replace(mine, acts=[*mine.acts[:at], act, *mine.acts[at + 1 :]])
        other = copy(self.record)
        other.hands = [*self.record.hands[:number], hand, *self.record.hands[number + 1 :]]
        judged = judge_hand(other, number, self.walls[number], score)
        if judged.ending.fault is None and same(judged.ending, self.hands[number].ending):
            return False
        return self._with(number, hand, judged)

    def _before(self, number: int, at: int) -> Course:
        """Return the hand's course right before an act: walked on from the last one that was asked for."""
        if self._course is None or self._course[0] != number or self._course[1] > at:
            hand = self.record.hands[number]
            self._course = (number, 0, begin(hand, self.walls[number], reds=self.record.reds))
        _, done, course = self._course
        for act in self.record.hands[number].acts[done:at]:
            apply(course, act)
        self._course = (number, at, course)
        return course


def same(one: Ending, other: Ending) -> bool:
    """Tell whether two ends hand the same on to the next hand."""
    return (one.scores, one.deposits, one.dealer_stays, one.counters_grow, one.by_ready) == (
        other.scores, other.deposits, other.dealer_stays, other.counters_grow, other.by_ready,
    )  # fmt: skip


def excused(changes: Changes, place: Place, digit: str) -> str:
    """Say why a change may stand unreported: `field`, one listed as not checkable; another lawful `discard` or `call`.

    "" where nothing excuses it. A call is another where the same seat claims the same tile from the same seat with
    others of his tiles.
    """
    if place.tag in FREE or (place.tag, place.field) == ("SHUFFLE", "ref"):
        return "field"
    if place.tag not in {"D", "E", "F", "G", "N"}:
        return ""
    other = tenhou.read(changes.text[: place.at] + digit + changes.text[place.at + 1 :])
    different = [
        (one, two)
        for hand, twin in zip(changes.record.hands, other.hands, strict=True)
        for one, two in zip(hand.acts, twin.acts, strict=True)
        if one != two
    ]
    if len(different) != 1:
        return ""
    one, two = different[0]
    if one.kind in CALLS and (one.seat, one.claimed, one.source) == (two.seat, two.claimed, two.source):
        return "call"
    return "discard" if one.kind == two.kind == "discard" and one.seat == two.seat else ""


def kind_of(place: Place) -> str:
    """Name the kind of field that a digit belongs to."""
    if place.tag in set("TUVWDEFG") and not place.field:
        return "draw" if place.tag in "TUVW" else "discard"
    return f"{place.tag}.{place.field}" if place.field else place.tag


def every_digit(path: str) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Change every digit of a file to each of the nine others; return outcomes by kind, and what nothing excuses."""
    text = Path(path).read_text().strip()
    changes = Changes(text)
    counted: Counter[tuple[str, str]] = Counter()
    odd = []
    for place in places(text):
        for digit in DIGITS.replace(text[place.at], ""):
            outcome = "reported" if changes.reported(place, digit) else excused(changes, place, digit)
            counted[kind_of(place), outcome] += 1
            if not outcome:
                odd.append(f"{path} at {place.at}: {text[place.start : place.end][:200]} with {digit}")
    return counted, odd

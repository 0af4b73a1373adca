"""The one reducer of the viewer: events to frames (viewer.md 0.2).

A frame is the table after an event, as data to draw. Replay folds the log, this module copies what is seen of each
state (how a family's table looks: `mahjong_seats`, `card_seats`); nothing else in the viewer looks into a state, and
JavaScript knows no rule. After a first fault the frames go
on from the state that the rules demand, marked so, or stand still where replay cannot go on: nothing is invented.
"""

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from engine import replay
from engine.banker.state import Hand as BankerHand
from engine.cards import KINDS
from engine.errors import EventError
from engine.events import DECISIONS, Record, load
from engine.formats.riichi_events import RULES as RIICHI
from engine.formats.riichi_events import is_riichi
from engine.game import Game
from engine.mahjong.state import NONE
from engine.mahjong.state import Hand as MahjongHand
from engine.replay import Finding, Replay
from engine.tricks.state import Hand as TrickHand
from viewer import card_seats, mahjong_seats, riichi_table, settlements, words
from viewer.outlook import Outlook, outlook
from viewer.riichi_table import Look
from viewer.scene import Scene
from viewer.sentences import sentence
from viewer.translate import Text, bilingual, signed
from viewer.views import (
    FindingView,
    Frame,
    HandView,
    LastView,
    Picture,
    Standing,
    WallView,
    WindowView,
)

FORMAT = 1
WINDS = "ESWN"
MARKS = {"melded": "claim", "konged": "kong", "won": "win", "drawn_hand": "draw", "voided": "void", "trick": "claim",
         "called": "claim", "banker": "claim"}  # fmt: skip
WHERE = {"discarded": "discard", "drawn": "draw", "dealt": "deal", "melded": "meld", "konged": "meld",
         "flower": "flower", "won": "win", "declared": "declare", "dice": "dice",
         "played": "discard", "shown": "show"}  # fmt: skip
TWO_MEGABYTES = 2_000_000
"""Above this size of the packed picture the pages send hand by hand (viewer.md 0.1)."""

ClauseText = Callable[[str], Text]


def film(lines: Sequence[bytes], result: Replay | None = None) -> Iterator[Frame]:
    """Yield one frame for each line of a game's log, in order.

    `result` is filled on the way as `replay.steps` fills it. Law: the last frame of the first n lines is frame n - 1
    of them all, so that a jump shows what stepping there shows.
    """
    result = Replay() if result is None else result
    fold = _Fold()
    if lines and is_riichi(lines[0]):
        for place, look in enumerate(riichi_table.looks(lines, result)):
            fold.preset = RIICHI
            fold.copy(look)
            yield fold.frame(lines[place], place, look.standing, result.findings)
        return
    seq = 0
    for game, record in replay.steps(lines, result, go_on=True):
        fold.time(record)
        fold.look(game)
        found = result.findings
        yield fold.frame(lines[seq], seq, "expected" if found else "lawful", found)
        fold.ahead = outlook(game, fold.seats, fold.winds, fold.claimed)
        seq += 1
    fold.ahead = Outlook()
    for rest in range(seq, len(lines)):
        yield fold.frame(lines[rest], rest, "recorded", result.findings)


def picture(lines: Sequence[bytes], *, clause_text: ClauseText | None = None,
            marks: Sequence[FindingView] = ()) -> Picture:  # fmt: skip
    """Return the whole game ready to be drawn.

    `clause_text` gives the words of a clause id (LookupError where it has none); `marks` are findings of other levels
    than replay, which join those found here at their event.
    """
    result = Replay()
    drawn = list(film(lines, result))
    for mark in marks:
        if 0 <= mark["seq"] < len(drawn):
            drawn[mark["seq"]].setdefault("findings", []).append(mark)
    rules = result.game.premise.rules if result.game is not None else None
    opened = _read(lines[0]) if lines else {}
    names: Text = {"en": rules.en, "zh": rules.zh} if rules is not None else {"en": "", "zh": ""}
    known = rules.id if rules is not None else ""
    if lines and is_riichi(lines[0]):
        known, names = RIICHI, words.rules(RIICHI)
    return {
        "format": FORMAT,
        "game": str(opened.get("game", "")),
        "rules": known,
        "rules_name": names,
        "players": drawn[-1]["players"] if drawn else [],
        "hands": hands(drawn, known),
        "draw": words.dialect("draw", known),
        "frames": drawn,
        "clauses": _clauses(drawn, clause_text),
        "notes": [_note(note.hand, note.why) for note in result.notes],
    }


def hands(drawn: Sequence[Frame], preset: str = "") -> list[HandView]:
    """Return the hands that frames tell of, with the frames' positions and each hand's result in the rules' words."""
    found: list[HandView] = []
    for position, frame in enumerate(drawn):
        if not found or found[-1]["hand"] != frame["hand"]:
            found.append(
                {
                    "hand": frame["hand"],
                    "dealer": frame["dealer"],
                    "round_wind": frame["round_wind"],
                    "first": position,
                    "last": position,
                    "result": {"en": "", "zh": ""},
                    "scores": [],
                    "findings": 0,
                }
            )
        view = found[-1]
        view["last"] = position
        view["scores"] = frame["scores"]
        view["findings"] += sum("follows" not in each for each in frame.get("findings", ()))
        if "settlement" in frame:
            view["payments"] = frame["settlement"]["payments"]
            view["result"] = view["result"] if view["result"]["en"] else _result(frame)
        elif frame.get("mark") == "draw":
            view["result"] = words.dialect("draw", preset)
        elif frame.get("mark") == "void":
            view["result"] = bilingual("void")
    return found


def packed(whole: object) -> bytes:
    """Return a JSON value gzipped, the same bytes each time."""
    return gzip.compress(json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0)


def one_hand(whole: Picture, hand: int) -> Picture:
    """Return the picture with the frames of one hand alone, the positions of all hands unchanged.

    For games whose packed picture is above TWO_MEGABYTES; an unknown hand gives the first.
    """
    view = next((each for each in whole["hands"] if each["hand"] == hand), whole["hands"][0])
    return {**whole, "frames": whole["frames"][view["first"] : view["last"] + 1]}


@dataclass(slots=True)
class _Fold(Scene):
    """What the next frame is drawn from: copies of the last state looked at, never the state itself."""

    preset: str = ""
    window: WindowView | None = None
    claimed: str = ""
    wall: WallView | None = None
    wild: str = ""
    from_tail: int = 0
    played_at: dict[int, int] = field(default_factory=dict)
    """Time of each event of the hand, for the times of answers."""
    answered_at: dict[int, int] = field(default_factory=dict)
    ahead: Outlook = field(default_factory=Outlook)

    def copy(self, look: Look) -> None:
        """Take over what is seen of a table that no family plays."""
        for each in fields(Scene):
            setattr(self, each.name, getattr(look, each.name))

    def time(self, record: Record) -> None:
        """Note when an event came, and from which end of the wall."""
        kind = record["type"]
        if kind == "hand_started":
            self.from_tail, self.played_at, self.wall, self.wild = 0, {}, None, ""
        self.played_at[record["seq"]] = record["at"]
        if kind == "answered":
            self.answered_at[record["seat"]] = record["at"]
        else:
            self.answered_at = {}
        self.from_tail += kind == "drawn" and record.get("end") == "tail"

    def look(self, game: Game) -> None:
        """Copy what is seen of the state."""
        self.players = list(game.order or game.premise.players)
        self.preset = game.premise.rules.id
        self.scores = list(game.scores)
        self.turn = -1
        self.window = None
        if game.hand is None:
            return  # between two hands the last table stays to be looked at
        count = len(self.players)
        self.hand = game.hand_number
        self.dealer = game.spot["dealer"]
        self.round_wind = game.spot.get("round_wind", "")
        self.winds = [WINDS[(seat - self.dealer) % count] for seat in range(count)] if self.round_wind else []
        hand = game.hand
        self.note = None
        if isinstance(hand, MahjongHand):
            self.left = hand.wall.left
            self.turn = hand.turn if hand.phase == "act" else -1
            self.seats = [mahjong_seats.seat(hand, number, self.winds[number]) for number in range(count)]
            self.note = mahjong_seats.wild(hand)
            self.wall = mahjong_seats.wall(hand, self.from_tail)
            self.wild = KINDS[hand.wild] if hand.wild != NONE else ""
            if hand.window is not None:
                self.window = mahjong_seats.window_of(hand)
                self.claimed = self.window["tile"]
                self._timed(self.window)
        elif isinstance(hand, TrickHand):
            self.turn = hand.turn
            self.seats = [card_seats.trick_seat(hand, number) for number in range(count)]
            self.note = card_seats.contract(hand)
        elif isinstance(hand, BankerHand):
            self.seats = [card_seats.banker_seat(hand, number) for number in range(count)]

    def _timed(self, window: WindowView) -> None:
        opened = self.played_at.get(window["to"])
        for asked in window["asked"]:
            if "answer" in asked and opened is not None and asked["seat"] in self.answered_at:
                asked["after"] = self.answered_at[asked["seat"]] - opened

    def frame(self, line: bytes, seq: int, standing: Standing, found: Sequence[Finding]) -> Frame:
        """Return the frame of an event over the table as last looked at."""
        record = _read(line)
        kind = str(record.get("type", "?"))
        frame: Frame = {
            "seq": seq,
            "at": record["at"] if type(record.get("at")) is int else 0,
            "type": kind,
            "hand": self.hand,
            "words": sentence(record, self.winds, self.claimed, preset=self.preset) if record else _unreadable(),
            "standing": standing,
            "players": self.players,
            "scores": self.scores,
            "dealer": self.dealer,
            "round_wind": self.round_wind,
            "winds": self.winds,
            "left": self.left,
            "turn": self.turn if standing != "recorded" else -1,
            "seats": self.seats,
        }
        if self.note is not None:
            frame["note"] = self.note
        if self.wall is not None:
            frame["wall"] = self.wall
        if self.wild:
            frame["wild"] = self.wild
        self._explained(frame, record)
        last = _last(record)
        if last is not None:
            frame["last"] = last
        if self.window is not None and (kind == "answered" or _open(self.window)) and standing != "recorded":
            frame["window"] = self.window
        settlement = settlements.view(record, self.preset) if kind == "settled" else None
        if settlement is not None:
            frame["settlement"] = settlement
        if kind in MARKS:
            frame["mark"] = MARKS[kind]
        here = [_finding(each) for each in found if each.seq == seq]
        if here:
            frame["findings"] = here
        return frame

    def _explained(self, frame: Frame, record: Record) -> None:
        """Say what could have come here: the seats' choices, or the clause that demands the event."""
        if record.get("type") in DECISIONS and type(record.get("seat")) is int:
            frame["decision"] = record["seat"]
        if self.ahead.choices:
            frame["could"] = self.ahead.choices
        if self.ahead.clause:
            frame["clause"] = self.ahead.clause


def with_bytes(whole: Picture, lines: Sequence[bytes | None], stored: Sequence[bytes] | None = None) -> Picture:
    """Return the picture with each event's bytes beside its frame, as the reader may see them; None where he may not.

    `stored` are the events whole: one that is shown in part is marked `cut`, for its hash is not that of the log.
    """
    told: list[Frame] = []
    for frame, line, kept in zip(whole["frames"], lines, stored or lines, strict=True):
        shown: Frame = {**frame}
        if line is not None:
            shown["raw"] = line.decode(errors="backslashreplace")
            if line != kept:
                shown["cut"] = True
        told.append(shown)
    return {**whole, "frames": told}


def _read(line: bytes) -> Record:
    """Return the record of a line, empty where it is none: replay says what is wrong with it."""
    try:
        return load(line)
    except EventError:
        pass
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _unreadable() -> Text:
    return bilingual("not an event of the vocabulary")


def _note(hand: int, why: str) -> Text:
    if hand < 0:
        return {"en": why, "zh": why}
    return bilingual("hand {number}: {why}", number=str(hand), why=why)


def _open(window: WindowView) -> bool:
    return any("answer" not in each for each in window["asked"])


def _last(record: Record) -> LastView | None:
    kind, seat = record.get("type"), record.get("seat")
    if type(seat) is not int:
        return None
    if kind == "answered":
        return {"seat": seat, "what": str(record.get("answer"))}
    if kind not in WHERE:
        return None
    last: LastView = {"seat": seat, "what": WHERE[kind]}
    named = record.get("tile", record.get("claimed", record.get("card")))
    tiles = record.get("tiles")
    if isinstance(named, str):
        last["tile"] = named
    elif kind == "konged" and isinstance(tiles, list) and tiles:
        last["tile"] = str(tiles[0])
    return last


def _result(frame: Frame) -> Text:
    """Return a hand's result: its winners with what they get, in card games whoever gains."""
    payments = frame["settlement"]["payments"]
    seats = [winner["seat"] for winner in frame["settlement"]["winners"]]
    seats = seats or [number for number, amount in enumerate(payments) if amount > 0]
    if not seats:
        outcome = frame["settlement"].get("outcome")
        return outcome[-1] if outcome else {"en": "0", "zh": "0"}
    told = [(words.seat(seat, frame["winds"]), payments[seat]) for seat in seats]
    return {
        "en": ", ".join(f"{who['en']} {signed(amount, 'en')}" for who, amount in told),
        "zh": "，".join(f"{who['zh']} {signed(amount, 'zh')}" for who, amount in told),
    }


def _finding(finding: Finding) -> FindingView:
    fault = finding.fault
    view: FindingView = {
        "level": 7,
        "seq": finding.seq,
        "code": fault.code,
        "clause": fault.clause,
        "expected": plain(fault.expected),
        "found": plain(fault.found),
    }
    if fault.follows:
        view["follows"] = True
    return view


def plain(value: Any) -> Any:  # noqa: ANN401  any JSON value
    """Return a value as JSON can hold it: what it cannot becomes text."""
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return repr(value)
    return value


def _clauses(drawn: Sequence[Frame], clause_text: ClauseText | None) -> dict[str, Text]:
    if clause_text is None:
        return {}
    cited = {line["clause"] for frame in drawn if "settlement" in frame for line in frame["settlement"]["lines"]}
    cited |= {each["clause"] for frame in drawn for each in frame.get("findings", ())}
    cited |= {frame["clause"] for frame in drawn if "clause" in frame}
    texts: dict[str, Text] = {}
    for clause in sorted(map(str, cited)):
        try:
            texts[clause] = clause_text(clause)
        except LookupError:
            continue
    return texts

"""The picture of a game as one player may see it: on the server, before anything is sent (viewer.md 0.3).

What may be seen of the events is `engine.view`'s to say; here the table beside each event follows it. In a hand that
is not revealed yet other seats' tiles are backs, their locks and choices are gone, a window tells only of one's own
answer, and findings, which may name tiles, wait. Revealed hands and closed games are whole.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.errors import EventError
from engine.events import Record, load
from engine.view import View, shown_now
from viewer.access import masked, pseudonym
from viewer.sentences import sentence
from viewer.translate import N_, Text, bilingual
from viewer.views import FindingView, Frame, HandView, MeldView, Picture, SeatView
from viewer.words import seat

BACK = "back"


def seat_of(lines: Sequence[bytes], players: Sequence[str]) -> int | None:
    """Return the seat (as in `opened`) of the first of these players in a game, None where none plays."""
    try:
        entries = load(lines[0])["seats"]
        return next((int(each["seat"]) for each in entries if each["player"] in players and each["seat"] < 128), None)
    except (EventError, IndexError, KeyError, TypeError, ValueError):
        return None


def players_of(lines: Sequence[bytes]) -> tuple[str, ...]:
    """Return the ids that a game's first event names, nobody's where it cannot be read."""
    try:
        return tuple(str(each["player"]) for each in load(lines[0])["seats"])
    except (EventError, IndexError, KeyError, TypeError):
        return ()


def shown_lines(lines: Sequence[bytes], number: int) -> list[bytes]:
    """Return a game's events as the seat may see them now; nothing where they cannot be read."""
    try:
        return shown_now(lines, number)
    except EventError:
        return []


def redacted(whole: Picture, lines: Sequence[bytes], number: int) -> Picture:
    """Return the picture as the seat (as in `opened`) may see it; `lines` are the events as stored."""
    told = shown_lines(lines, number)
    if len(told) != len(whole["frames"]):
        return {**whole, "frames": [], "hands": []}
    records = [load(line) for line in lines]
    if records[-1].get("type") == "closed":
        return whole
    view = View(number)
    open_hands = {-1} | {each["hand"] for each in whole["hands"]}
    open_hands -= {record["hand"] for record in records if record.get("type") == "revealed"}
    drawn: list[Frame] = []
    for place, frame in enumerate(whole["frames"]):
        view.first_shown(records[place])
        if frame["hand"] in open_hands:
            drawn.append(_frame(frame, load(told[place]), view.place, same=told[place] == lines[place]))
        else:
            drawn.append(frame)
    return {**whole, "frames": drawn, "hands": [_hand(each, open_hands) for each in whole["hands"]]}


NAMELESS = {"opened": N_("Game opened"), "seated": N_("The seats are drawn by lot"), "voided": N_("Hand void")}
"""Events whose words may tell names, in words that do not."""


LEFT_OUT = "…".encode()
"""What stands for an event that names players."""


def nameless(whole: Picture, lines: Sequence[bytes]) -> Picture:
    """Return the picture of these events with pseudonyms for ids, and without the words that may tell them."""
    players = {*whole["players"], *players_of(lines)}  # events that cannot be replayed seat nobody
    drawn: list[Frame] = [
        {**frame, "players": [pseudonym(each) for each in frame["players"]]} for frame in whole["frames"]
    ]
    for frame in drawn:
        if frame["type"] in NAMELESS:
            frame["words"] = bilingual(NAMELESS[frame["type"]])
        if "findings" in frame:
            frame["findings"] = [_nameless(each, players) for each in frame["findings"]]
    return {**whole, "players": [pseudonym(each) for each in whole["players"]], "frames": drawn}


def nameless_lines(lines: Sequence[bytes]) -> list[bytes]:
    """Return the events with those left out that name players: `opened`, `seated`, `voided`."""
    named = (b'"type":"opened"', b'"type":"seated"', b'"type":"voided"')
    return [LEFT_OUT if any(word in line for word in named) else line for line in lines]


def _nameless(found: FindingView, players: Collection[str]) -> FindingView:
    expected, seen = (hidden(found[name], players) for name in ("expected", "found"))
    return {**found, "expected": expected, "found": seen}


def hidden(value: Any, players: Collection[str]) -> Any:  # noqa: ANN401  JSON
    """Return a value of JSON with pseudonyms for these players' ids, in keys too."""
    if isinstance(value, str):
        return masked(value, players)
    if isinstance(value, Mapping):
        return {masked(str(name), players): hidden(each, players) for name, each in value.items()}
    return [hidden(each, players) for each in value] if isinstance(value, list | tuple) else value


def _hand(view: HandView, open_hands: set[int]) -> HandView:
    return {**view, "findings": 0} if view["hand"] in open_hands else view


def _frame(frame: Frame, record: Record, own: int, *, same: bool) -> Frame:
    """Return a frame of a hand in play: what is kept is listed, so that a new field is hidden until thought of."""
    kept: Frame = {
        "seq": frame["seq"],
        "at": frame["at"],
        "type": frame["type"],
        "hand": frame["hand"],
        "words": frame["words"] if same else _words(record, frame["winds"]),
        "standing": "lawful" if frame["standing"] == "lawful" else "recorded",
        "players": frame["players"],
        "scores": frame["scores"],
        "dealer": frame["dealer"],
        "round_wind": frame["round_wind"],
        "winds": frame["winds"],
        "left": frame["left"],
        "turn": frame["turn"],
        "seats": [view if number == own else _seat(view) for number, view in enumerate(frame["seats"])],
    }
    if same and "last" in frame:
        kept["last"] = frame["last"]
    if "wall" in frame:
        kept["wall"] = frame["wall"]
    if "wild" in frame:
        kept["wild"] = frame["wild"]
    if "settlement" in frame:
        kept["settlement"] = frame["settlement"]
    if "mark" in frame:
        kept["mark"] = frame["mark"]
    if "decision" in frame:
        kept["decision"] = frame["decision"]
    if "window" in frame:
        asked = [each for each in frame["window"]["asked"] if each["seat"] == own]
        if asked:
            kept["window"] = {**frame["window"], "asked": asked}
    could = [each for each in frame.get("could", ()) if each["seat"] == own]
    if could:
        kept["could"] = could
    return kept


def _seat(view: SeatView) -> SeatView:
    kept: SeatView = {
        "wind": view["wind"],
        "hand": [BACK] * len(view["hand"]),
        "melds": [_meld(meld) for meld in view["melds"]],
        "flowers": view["flowers"],
        "discards": view["discards"],
    }
    if "drawn" in view:
        kept["drawn"] = BACK
    if "win" in view:
        kept["win"] = view["win"]
    return kept


def _meld(meld: MeldView) -> MeldView:
    return {**meld, "tiles": [BACK] * len(meld["tiles"])} if meld.get("closed") else meld


def _words(record: Record, winds: Sequence[str]) -> Text:
    """Return an event in words from what is shown of it."""
    who = seat(record.get("seat"), winds)
    kind = record.get("type")
    if kind == "drawn":
        left = record.get("left")
        return bilingual("{who} draws a tile ({left} left)", who=who, left=str(left))
    if kind == "dealt":
        return bilingual("{who} is dealt a hand", who=who)
    if kind == "answered":
        return bilingual("{who} has answered", who=who)
    if kind == "konged":
        return bilingual("{who} declares a concealed kong", who=who)
    return sentence(record, winds)

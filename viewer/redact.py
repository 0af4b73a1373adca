"""The picture of a game as one player may see it: on the server, before anything is sent (viewer.md 0.3).

What may be seen of the events is `engine.view`'s to say; here the table beside each event follows it. In a hand that
is not revealed yet other seats' tiles are backs, their locks and choices are gone, a window tells only of one's own
answer, and findings, which may name tiles, wait. Revealed hands and closed games are whole.
"""

from collections.abc import Sequence

from engine.errors import EventError
from engine.events import Record, load
from engine.view import View, shown_now
from viewer.access import pseudonym
from viewer.sentences import sentence
from viewer.views import Frame, HandView, MeldView, Picture, SeatView
from viewer.words import Text, both, seat

BACK = "back"


def seat_of(lines: Sequence[bytes], players: Sequence[str]) -> int | None:
    """Return the seat (as in `opened`) of the first of these players in a game, None where none plays."""
    try:
        entries = load(lines[0])["seats"]
        return next((int(each["seat"]) for each in entries if each["player"] in players and each["seat"] < 128), None)
    except (EventError, IndexError, KeyError, TypeError, ValueError):
        return None


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


def nameless(whole: Picture) -> Picture:
    """Return the picture with pseudonyms for the players' ids, and without the words that may tell them."""
    drawn: list[Frame] = [
        {**frame, "players": [pseudonym(each) for each in frame["players"]]} for frame in whole["frames"]
    ]
    for frame in drawn:
        if frame["type"] in {"opened", "seated", "voided"}:
            frame["words"] = {"en": frame["type"], "zh": frame["type"]}
    return {**whole, "players": [pseudonym(each) for each in whole["players"]], "frames": drawn}


def nameless_lines(lines: Sequence[bytes]) -> list[bytes]:
    """Return the events with those left out that name players: `opened`, `seated`, `voided`."""
    named = (b'"type":"opened"', b'"type":"seated"', b'"type":"voided"')
    return ["…".encode() if any(word in line for word in named) else line for line in lines]


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
        return {"en": f"{both(who, 'en')} draws a tile ({left} left)", "zh": f"{both(who, 'zh')}摸牌（余 {left}）"}
    if kind == "dealt":
        return {"en": f"{both(who, 'en')} is dealt a hand", "zh": f"{both(who, 'zh')}起手"}
    if kind == "answered":
        return {"en": f"{both(who, 'en')} has answered", "zh": f"{both(who, 'zh')}已应答"}
    if kind == "konged":
        return {"en": f"{both(who, 'en')} declares a concealed kong", "zh": f"{both(who, 'zh')}暗杠"}
    return sentence(record, winds)

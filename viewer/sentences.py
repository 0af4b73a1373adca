"""An event in words, Chinese and English, made of messages (`translate`) and the glossary's terms (`words`).

An event whose fields are not of the vocabulary is still put into words as far as they can be read, for findings must
be shown too. Nothing here is Markdown or markup: whoever shows a sentence escapes it for his medium.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.cards import CARDS
from viewer.translate import N_, Text, bilingual, both, nbilingual, pbilingual, signed
from viewer.words import LANGUAGES, dialect, rules, seat, term, tile, tiles


def sentence(record: Mapping[str, Any], winds: Sequence[str] = (), claimed: str = "", *, preset: str = "") -> Text:
    """Return an event in words.

    `winds` holds each seat's wind while a hand is in play, `claimed` the tile that a claim window is about, `preset`
    the rules whose words are used (`words.dialect`). A type without words of its own is shown by its fields.
    """
    maker = _SENTENCES.get(str(record.get("type")))
    if maker is not None:
        try:
            return maker(_Scene(record, winds, claimed, preset))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            pass  # fields of the wrong shape: the plain form below shows them as they are
    return _plain(record, winds)


class _Scene:
    """A record with what its words refer to."""

    def __init__(self, record: Mapping[str, Any], winds: Sequence[str], claimed: str, preset: str) -> None:
        self.record = record
        self.winds = winds
        self.preset = preset
        self.claimed = tile(claimed)
        self.who = seat(record.get("seat"), winds)

    def seat(self, number: object) -> Text:
        return seat(number, self.winds)


def _plain(record: Mapping[str, Any], winds: Sequence[str]) -> Text:
    rest = {key: value for key, value in record.items() if key not in {"at", "game", "seq", "v", "type", "seat", "sig"}}
    fields = ", ".join(f"{key} {json.dumps(value, ensure_ascii=False)}" for key, value in rest.items())
    word = f"{record.get('type', '?')}{' · ' + fields if fields else ''}"
    if "seat" not in record:
        return {"en": word, "zh": word}
    return bilingual("{who}: {word}", who=seat(record["seat"], winds), word=word)


def _opened(scene: _Scene) -> Text:
    preset, deal = rules(scene.record["rules"]["id"]), scene.record["deal"]["protocol"]
    return bilingual("Game opened: {rules}, deal {deal}", rules=preset, deal=deal)


def _committed(scene: _Scene) -> Text:
    return bilingual("{who} commits to its entropy", who=scene.who)


def _entropy(scene: _Scene) -> Text:
    return bilingual("{who} reveals its entropy", who=scene.who)


def _beacon(scene: _Scene) -> Text:
    return bilingual("Beacon round {number}", number=str(scene.record["round"]))


def _seated(scene: _Scene) -> Text:
    count = len(scene.record["order"])
    return nbilingual("{count} seat is drawn by lot", "The {count} seats are drawn by lot", count)


def _hand_started(scene: _Scene) -> Text:
    number, dealer, wind = str(scene.record["hand"]), str(scene.record["dealer"]), scene.record.get("round_wind")
    if not wind:
        return bilingual("Hand {number} begins; seat {dealer} deals", number=number, dealer=dealer)
    return bilingual(
        "Hand {number} begins, {wind} round; seat {dealer} deals",
        number=number, dealer=dealer, wind=term("winds", wind),
    )  # fmt: skip


def _dice(scene: _Scene) -> Text:
    values = scene.record["values"]
    thrown = f"{' + '.join(map(str, values))} = {sum(values)}"
    return bilingual("{who} throws {dice}", who=scene.who, dice=thrown)


def _wild(scene: _Scene) -> Text:
    return bilingual("The {wild} is {tile}", wild=dialect("wild", scene.preset), tile=tile(scene.record["tile"]))


def _dealt(scene: _Scene) -> Text:
    count = len(scene.record["tiles"])
    if scene.record["tiles"][0] in CARDS:
        return nbilingual("{who} is dealt {count} card", "{who} is dealt {count} cards", count, who=scene.who)
    return nbilingual("{who} is dealt {count} tile", "{who} is dealt {count} tiles", count, who=scene.who)


def _drawn(scene: _Scene) -> Text:
    name, left = tile(scene.record["tile"]), _whole(scene.record["left"])
    if scene.record["end"] == "tail":
        return bilingual("{who} draws {tile} from the tail ({left} left)", who=scene.who, tile=name, left=left)
    return bilingual("{who} draws {tile} ({left} left)", who=scene.who, tile=name, left=left)


def _flower(scene: _Scene) -> Text:
    return bilingual("{who} exposes the {tile}", who=scene.who, tile=tile(scene.record["tile"]))


def _discarded(scene: _Scene) -> Text:
    name = tile(scene.record["tile"])
    if "drawn" in scene.record:
        return _timed(scene, bilingual("{who} discards {tile} as drawn", who=scene.who, tile=name))
    return _timed(scene, bilingual("{who} discards {tile}", who=scene.who, tile=name))


def _answered(scene: _Scene) -> Text:
    answer, about = scene.record["answer"], scene.claimed
    if answer == "pass":
        if not about["en"]:
            return _timed(scene, bilingual("{who} passes", who=scene.who))
        return _timed(scene, bilingual("{who} passes on {tile}", who=scene.who, tile=about))
    name = term("answers", answer)
    if not about["en"]:
        told = bilingual("{who} answers {call}", who=scene.who, call=name)
    else:
        told = bilingual("{who} answers {call} on {tile}", who=scene.who, call=name, tile=about)
    if answer == "chow" and "tiles" in scene.record:
        told = bilingual("{told} with {tiles}", told=told, tiles=tiles(scene.record["tiles"]))
    return _timed(scene, told)


def _melded(scene: _Scene) -> Text:
    record = scene.record
    told = bilingual(
        MELDED[record["kind"]], who=scene.who, tile=tile(record["claimed"]), source=scene.seat(record["from"])
    )
    if record["kind"] != "chow":
        return told
    return bilingual("{told} with {tiles}", told=told, tiles=tiles(record["tiles"]))


def _konged(scene: _Scene) -> Text:
    name = tile(scene.record["tiles"][0])
    return _timed(scene, bilingual(KONGED[scene.record["kind"]], who=scene.who, tile=name))


def _declared(scene: _Scene) -> Text:
    what = scene.record["what"]
    if what == "win":
        return _timed(scene, bilingual("{who} declares a self-drawn win", who=scene.who))
    return _timed(scene, bilingual("{who} declares {what}", who=scene.who, what=term("occasions", what)))


def _won(scene: _Scene) -> Text:
    record = scene.record
    name = tile(record["tile"]) if "tile" in record else bilingual("the tile")
    if "from" in record:
        told = bilingual(
            "{who} wins on {tile} from {source}", who=scene.who, tile=name, source=scene.seat(record["from"])
        )
    elif "tile" in record:
        told = bilingual("{who} wins on {tile}", who=scene.who, tile=name)
    else:
        told = bilingual("{who} wins", who=scene.who)
    plain, special = WON[record["by"]]
    if "occasion" in record:
        return bilingual(special, told=told, occasion=term("occasions", record["occasion"]))
    return (
        pbilingual("won on a discard", "{told}", told=told)
        if record["by"] == "discard"
        else bilingual(plain, told=told)
    )


def _drawn_hand(scene: _Scene) -> Text:
    reason = term("drawn_hands", scene.record["reason"])
    return bilingual("{draw}: {reason}", draw=dialect("draw", scene.preset), reason=reason)


def _paid(scene: _Scene, amounts: Sequence[int]) -> Text:
    """Return what each seat has or gets, in a row."""
    # `Seat 1 0` would be read as one number
    between = {"en": " ", "zh": " "} if scene.winds else {"en": ": ", "zh": "："}
    told = [
        {lang: f"{both(scene.seat(number), lang)}{between[lang]}{signed(amount, lang)}" for lang in LANGUAGES}
        for number, amount in enumerate(map(_whole, amounts))
    ]
    return {"en": ", ".join(each["en"] for each in told), "zh": "，".join(each["zh"] for each in told)}


def _settled(scene: _Scene) -> Text:
    return bilingual("Settlement: {paid}", paid=_paid(scene, scene.record["payments"]))


def _hand_ended(scene: _Scene) -> Text:
    return bilingual("Scores: {scores}", scores=_paid(scene, scene.record["scores"]))


def _revealed(scene: _Scene) -> Text:
    return bilingual("The seed of hand {number} is revealed", number=str(scene.record["hand"]))


def _voided(scene: _Scene) -> Text:
    return bilingual("Hand {number} is void: {why}", number=str(scene.record["hand"]), why=str(scene.record["reason"]))


def _refused(scene: _Scene) -> Text:
    tried = sentence({**scene.record["tried"], "seat": scene.record["seat"]}, scene.winds, preset=scene.preset)
    return bilingual("Refused ({clause}): {tried}", clause=str(scene.record["clause"]), tried=tried)


def _away(scene: _Scene) -> Text:
    return bilingual("{who} is away", who=scene.who)


def _back(scene: _Scene) -> Text:
    return bilingual("{who} is back", who=scene.who)


def _voted(scene: _Scene) -> Text:
    if scene.record["answer"] == "yes":
        return _timed(scene, bilingual("{who} votes to end the match", who=scene.who))
    return _timed(scene, bilingual("{who} votes against ending the match", who=scene.who))


def _closed(scene: _Scene) -> Text:
    return bilingual("Game closed: {why}", why=term("closings", scene.record["reason"]))


def _bid(scene: _Scene) -> Text:
    bid = scene.record["bid"]
    if bid == 0:
        return _timed(scene, bilingual("{who} does not bid", who=scene.who))
    return _timed(scene, bilingual("{who} bids {bid}", who=scene.who, bid=_shape(bid)))


def _banker(scene: _Scene) -> Text:
    return bilingual("{who} holds the bank (×{bid})", who=scene.who, bid=_shape(scene.record["bid"]))


def _bet(scene: _Scene) -> Text:
    return _timed(scene, bilingual("{who} bets {amount}", who=scene.who, amount=_shape(scene.record["amount"])))


def _shown(scene: _Scene) -> Text:
    return bilingual("{who} shows {bull}", who=scene.who, bull=term("bulls", scene.record["bull"]))


def _escaped(scene: _Scene) -> Text:
    return _timed(scene, bilingual("{who} leaves during the hand", who=scene.who))


def _called(scene: _Scene) -> Text:
    if "card" not in scene.record:
        return _timed(scene, bilingual("{who} does not declare", who=scene.who))
    return _timed(scene, bilingual("{who} declares with the {card}", who=scene.who, card=tile(scene.record["card"])))


def _kitty(scene: _Scene) -> Text:
    count = len(scene.record["cards"])
    if "suit" not in scene.record:
        return nbilingual(
            "{who} takes the kitty of {count} card", "{who} takes the kitty of {count} cards", count, who=scene.who
        )
    return nbilingual(
        "{who} takes the kitty of {count} card; trump {suit}", "{who} takes the kitty of {count} cards; trump {suit}",
        count, who=scene.who, suit=term("suits", scene.record["suit"]),
    )  # fmt: skip


def _buried(scene: _Scene) -> Text:
    count = len(scene.record["cards"])
    return _timed(scene, nbilingual("{who} buries {count} card", "{who} buries {count} cards", count, who=scene.who))


def _trump(scene: _Scene) -> Text:
    return _timed(scene, bilingual("{who} names {suit} trump", who=scene.who, suit=term("suits", scene.record["suit"])))


def _played(scene: _Scene) -> Text:
    return _timed(scene, bilingual("{who} plays the {card}", who=scene.who, card=tile(scene.record["card"])))


def _trick(scene: _Scene) -> Text:
    who, points = scene.seat(scene.record["winner"]), _whole(scene.record["points"])
    return nbilingual("{who} takes the trick, {count} point", "{who} takes the trick, {count} points", points, who=who)


def _ga(scene: _Scene) -> Text:
    return _timed(scene, bilingual("{who} chooses ga {ga}", who=scene.who, ga=_shape(scene.record["ga"])))


def _dora(scene: _Scene) -> Text:
    return bilingual("Indicator {tile}", tile=tile(scene.record["tile"]))


def _penalised(scene: _Scene) -> Text:
    amount, clause = _shape(scene.record["amount"]), str(scene.record["clause"])
    return bilingual("{who} is penalised {amount} ({clause})", who=scene.who, amount=amount, clause=clause)


def _timed(scene: _Scene, told: Text) -> Text:
    """Add that a time-out chose, where it did (CM-05)."""
    return bilingual("{told} [time-out]", told=told) if "auto" in scene.record else told


def _whole(value: object) -> int:
    """Return a whole number; TypeError where a damaged record holds something else."""
    if not isinstance(value, int):
        raise TypeError(value)
    return value


def _shape(value: object) -> str | int:
    """Return what a message may be filled in with: a number as it is, anything else as text."""
    return value if isinstance(value, int) else str(value)


WON: Final = {
    "self_draw": (N_("{told} by self-draw"), N_("{told} by self-draw ({occasion})")),
    "robbed": (N_("{told} by robbing a kong"), N_("{told} by robbing a kong ({occasion})")),
    "discard": ("{told}", N_("{told} ({occasion})")),
}
"""How a win is told, without and with an occasion."""
MELDED: Final = {
    "chow": N_("{who} chows {tile} from {source}"),
    "pung": N_("{who} pungs {tile} from {source}"),
    "direct_kong": N_("{who} kongs {tile} from {source}"),
}
KONGED: Final = {
    "direct_kong": N_("{who} declares a direct kong of {tile}"),
    "added_kong": N_("{who} declares an added kong of {tile}"),
    "concealed_kong": N_("{who} declares a concealed kong of {tile}"),
}
_SENTENCES: Final[dict[str, Callable[[_Scene], Text]]] = {
    "opened": _opened,
    "committed": _committed,
    "entropy": _entropy,
    "beacon": _beacon,
    "seated": _seated,
    "hand_started": _hand_started,
    "dice": _dice,
    "wild": _wild,
    "dealt": _dealt,
    "drawn": _drawn,
    "flower": _flower,
    "discarded": _discarded,
    "answered": _answered,
    "melded": _melded,
    "konged": _konged,
    "declared": _declared,
    "won": _won,
    "drawn_hand": _drawn_hand,
    "settled": _settled,
    "hand_ended": _hand_ended,
    "revealed": _revealed,
    "voided": _voided,
    "refused": _refused,
    "away": _away,
    "back": _back,
    "voted": _voted,
    "closed": _closed,
    "bid": _bid,
    "banker": _banker,
    "bet": _bet,
    "shown": _shown,
    "escaped": _escaped,
    "called": _called,
    "kitty": _kitty,
    "buried": _buried,
    "trump": _trump,
    "played": _played,
    "trick": _trick,
    "ga_chosen": _ga,
    "dora": _dora,
    "penalised": _penalised,
}

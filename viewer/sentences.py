"""An event in words, Chinese and English, made of the glossary's terms (`words`).

An event whose fields are not of the vocabulary is still put into words as far as they can be read, for findings must
be shown too. Nothing here is Markdown or markup: whoever shows a sentence escapes it for his medium.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.cards import CARDS
from viewer.words import Text, seat, signed, term, tile, tiles


def sentence(record: Mapping[str, Any], winds: Sequence[str] = (), claimed: str = "") -> Text:
    """Return an event in words.

    `winds` holds each seat's wind while a hand is in play, `claimed` the tile that a claim window is about. A type
    without words of its own is shown by its fields.
    """
    maker = _SENTENCES.get(str(record.get("type")))
    if maker is not None:
        try:
            return maker(_Scene(record, winds, claimed))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            pass  # fields of the wrong shape: the plain form below shows them as they are
    return _plain(record, winds)


class _Scene:
    """A record with what its words refer to."""

    def __init__(self, record: Mapping[str, Any], winds: Sequence[str], claimed: str) -> None:
        self.record = record
        self.winds = winds
        self.claimed = tile(claimed)
        self.who = seat(record.get("seat"), winds)

    def seat(self, number: object) -> Text:
        return seat(number, self.winds)


def _text(en: str, zh: str) -> Text:
    return {"en": en, "zh": zh}


def _plain(record: Mapping[str, Any], winds: Sequence[str]) -> Text:
    rest = {key: value for key, value in record.items() if key not in {"at", "game", "seq", "v", "type", "seat", "sig"}}
    fields = ", ".join(f"{key} {json.dumps(value, ensure_ascii=False)}" for key, value in rest.items())
    who = seat(record["seat"], winds) if "seat" in record else None
    word = str(record.get("type", "?"))
    return _text(
        f"{who['en'] + ': ' if who else ''}{word}{' · ' + fields if fields else ''}",
        f"{who['zh'] + '：' if who else ''}{word}{' · ' + fields if fields else ''}",
    )


def _opened(scene: _Scene) -> Text:
    rules, deal = scene.record["rules"]["id"], scene.record["deal"]["protocol"]
    return _text(f"Game opened: rules {rules}, deal {deal}", f"开局：规则 {rules}，发牌协议 {deal}")


def _committed(scene: _Scene) -> Text:
    return _text(f"{scene.who['en']} commits to its entropy", f"{scene.who['zh']}承诺随机数")


def _entropy(scene: _Scene) -> Text:
    return _text(f"{scene.who['en']} reveals its entropy", f"{scene.who['zh']}公开随机数")


def _beacon(scene: _Scene) -> Text:
    return _text(f"Beacon round {scene.record['round']}", f"随机信标第 {scene.record['round']} 轮")


def _seated(scene: _Scene) -> Text:
    count = len(scene.record["order"])
    return _text(f"The {count} seats are drawn by lot", f"抽签定位，共 {count} 座")


def _hand_started(scene: _Scene) -> Text:
    number, dealer = scene.record["hand"], scene.record["dealer"]
    wind = scene.record.get("round_wind")
    round_ = term("winds", wind) if wind else None
    return _text(
        f"Hand {number} begins{', ' + round_['en'] + ' round' if round_ else ''}; seat {dealer} deals",
        f"第 {number} 局开始{'，' + round_['zh'] + '圈' if round_ else ''}，{dealer}号位坐庄",
    )


def _dice(scene: _Scene) -> Text:
    values = scene.record["values"]
    thrown = f"{' + '.join(map(str, values))} = {sum(values)}"
    return _text(f"{scene.who['en']} throws {thrown}", f"{scene.who['zh']}掷骰 {thrown}")


def _wild(scene: _Scene) -> Text:
    name = tile(scene.record["tile"])
    return _text(f"The wild tile is {name['en']}", f"财神是{name['zh']}")


def _dealt(scene: _Scene) -> Text:
    count, cards = len(scene.record["tiles"]), scene.record["tiles"][0] in CARDS
    return _text(
        f"{scene.who['en']} is dealt {count} {'cards' if cards else 'tiles'}", f"{scene.who['zh']}起手 {count} 张"
    )


def _drawn(scene: _Scene) -> Text:
    name, tail = tile(scene.record["tile"]), scene.record["end"] == "tail"
    left = scene.record["left"]
    return _text(
        f"{scene.who['en']} draws {name['en']}{' from the tail' if tail else ''} ({left} left)",
        f"{scene.who['zh']}{'从牌尾补' if tail else '摸'}{name['zh']}（余 {left}）",
    )


def _flower(scene: _Scene) -> Text:
    name = tile(scene.record["tile"])
    return _text(f"{scene.who['en']} exposes the {name['en']}", f"{scene.who['zh']}亮花 {name['zh']}")


def _discarded(scene: _Scene) -> Text:
    name = tile(scene.record["tile"])
    drawn = "drawn" in scene.record
    return _timed(scene, f"{scene.who['en']} discards {name['en']}{' as drawn' if drawn else ''}",
                  f"{scene.who['zh']}打{name['zh']}{'（摸切）' if drawn else ''}")  # fmt: skip


def _answered(scene: _Scene) -> Text:
    answer = scene.record["answer"]
    name = term("answers", answer)
    about_en = f" on {scene.claimed['en']}" if scene.claimed["en"] else ""
    about_zh = scene.claimed["zh"]
    held = tiles(scene.record["tiles"]) if answer == "chow" and "tiles" in scene.record else None
    if answer == "pass":
        return _timed(scene, f"{scene.who['en']} passes{about_en}", f"{scene.who['zh']}过{about_zh}")
    return _timed(
        scene,
        f"{scene.who['en']} answers {name['en']}{about_en}{' with ' + held['en'] if held else ''}",
        f"{scene.who['zh']}要{name['zh']}{about_zh}{'（' + held['zh'] + '）' if held else ''}",
    )


def _melded(scene: _Scene) -> Text:
    record = scene.record
    kind, claimed, source = term("melds", record["kind"]), tile(record["claimed"]), scene.seat(record["from"])
    held = tiles(record["tiles"])
    verb = {"chow": "chows", "pung": "pungs", "direct_kong": "kongs"}[record["kind"]]
    chow = record["kind"] == "chow"
    return _text(
        f"{scene.who['en']} {verb} {claimed['en']} from {source['en']}{' with ' + held['en'] if chow else ''}",
        f"{scene.who['zh']}{kind['zh']}{source['zh']}打的{claimed['zh']}{'（' + held['zh'] + '）' if chow else ''}",
    )


def _konged(scene: _Scene) -> Text:
    kind, name = term("melds", scene.record["kind"]), tile(scene.record["tiles"][0])
    article = "an" if kind["en"][0] in "aeiou" else "a"
    return _timed(scene, f"{scene.who['en']} declares {article} {kind['en']} of {name['en']}",
                  f"{scene.who['zh']}{kind['zh']}{name['zh']}")  # fmt: skip


def _declared(scene: _Scene) -> Text:
    what = scene.record["what"]
    if what == "win":
        return _timed(scene, f"{scene.who['en']} declares a self-drawn win", f"{scene.who['zh']}自摸胡牌")
    name = term("occasions", what)
    return _timed(scene, f"{scene.who['en']} declares {name['en']}", f"{scene.who['zh']}宣布{name['zh']}")


def _won(scene: _Scene) -> Text:
    record = scene.record
    name = tile(record["tile"]) if "tile" in record else None
    way = term("by", record["by"])
    occasion = term("occasions", record["occasion"]) if "occasion" in record else None
    en = f"{scene.who['en']} wins"
    zh = f"{scene.who['zh']}胡"
    if name:
        en += f" on {name['en']}"
        zh += name["zh"]
    if "from" in record:
        source = scene.seat(record["from"])
        en += f" from {source['en']}"
        zh = f"{scene.who['zh']}胡{source['zh']}的{name['zh'] if name else '牌'}"
    en += " by self-draw" if record["by"] == "self_draw" else " by robbing a kong" if record["by"] == "robbed" else ""
    zh += f"（{way['zh']}{'，' + occasion['zh'] if occasion else ''}）"
    return _text(en + (f" ({occasion['en']})" if occasion else ""), zh)


def _drawn_hand(scene: _Scene) -> Text:
    reason = term("drawn_hands", scene.record["reason"])
    return _text(f"No winner: {reason['en']}", f"流局：{reason['zh']}")


def _settled(scene: _Scene) -> Text:
    paid = [(scene.seat(number), signed(amount)) for number, amount in enumerate(scene.record["payments"])]
    return _text(
        "Settlement: " + ", ".join(f"{who['en']} {amount}" for who, amount in paid),
        "结算：" + "，".join(f"{who['zh']} {amount}" for who, amount in paid),
    )


def _hand_ended(scene: _Scene) -> Text:
    paid = [(scene.seat(number), signed(amount)) for number, amount in enumerate(scene.record["scores"])]
    return _text(
        "Scores: " + ", ".join(f"{who['en']} {amount}" for who, amount in paid),
        "总分：" + "，".join(f"{who['zh']} {amount}" for who, amount in paid),
    )


def _revealed(scene: _Scene) -> Text:
    number = scene.record["hand"]
    return _text(f"The seed of hand {number} is revealed", f"公开第 {number} 局的种子")


def _voided(scene: _Scene) -> Text:
    number = scene.record["hand"]
    return _text(f"Hand {number} is void: {scene.record['reason']}", f"第 {number} 局作废：{scene.record['reason']}")


def _refused(scene: _Scene) -> Text:
    tried = sentence({**scene.record["tried"], "seat": scene.record["seat"]}, scene.winds)
    clause = scene.record["clause"]
    return _text(f"Refused ({clause}): {tried['en']}", f"被拒绝（{clause}）：{tried['zh']}")


def _away(scene: _Scene) -> Text:
    return _text(f"{scene.who['en']} is away", f"{scene.who['zh']}离线")


def _back(scene: _Scene) -> Text:
    return _text(f"{scene.who['en']} is back", f"{scene.who['zh']}回来")


def _voted(scene: _Scene) -> Text:
    yes = scene.record["answer"] == "yes"
    return _timed(scene, f"{scene.who['en']} votes {'to end' if yes else 'against ending'} the match",
                  f"{scene.who['zh']}{'同意' if yes else '反对'}解散")  # fmt: skip


def _closed(scene: _Scene) -> Text:
    reason = term("closings", scene.record["reason"])
    return _text(f"Game closed: {reason['en']}", f"牌局结束：{reason['zh']}")


def _bid(scene: _Scene) -> Text:
    bid = scene.record["bid"]
    if bid == 0:
        return _timed(scene, f"{scene.who['en']} does not bid", f"{scene.who['zh']}不叫")
    return _timed(scene, f"{scene.who['en']} bids {bid}", f"{scene.who['zh']}叫 {bid}")


def _banker(scene: _Scene) -> Text:
    bid = scene.record["bid"]
    return _text(f"{scene.who['en']} holds the bank (×{bid})", f"{scene.who['zh']}坐庄（×{bid}）")


def _bet(scene: _Scene) -> Text:
    amount = scene.record["amount"]
    return _timed(scene, f"{scene.who['en']} bets {amount}", f"{scene.who['zh']}下注 {amount}")


def _shown(scene: _Scene) -> Text:
    bull = term("bulls", scene.record["bull"])
    return _text(f"{scene.who['en']} shows {bull['en']}", f"{scene.who['zh']}亮牌：{bull['zh']}")


def _escaped(scene: _Scene) -> Text:
    return _timed(scene, f"{scene.who['en']} leaves during the hand", f"{scene.who['zh']}中途离开")


def _called(scene: _Scene) -> Text:
    if "card" not in scene.record:
        return _timed(scene, f"{scene.who['en']} does not declare", f"{scene.who['zh']}不亮")
    name = tile(scene.record["card"])
    return _timed(scene, f"{scene.who['en']} declares with the {name['en']}", f"{scene.who['zh']}亮{name['zh']}")


def _kitty(scene: _Scene) -> Text:
    count = len(scene.record["cards"])
    suit = term("suits", scene.record["suit"]) if "suit" in scene.record else None
    return _text(
        f"{scene.who['en']} takes the kitty of {count}{'; trump ' + suit['en'] if suit else ''}",
        f"{scene.who['zh']}拿底牌 {count} 张{'，主' + suit['zh'] if suit else ''}",
    )


def _buried(scene: _Scene) -> Text:
    count = len(scene.record["cards"])
    return _timed(scene, f"{scene.who['en']} buries {count} cards", f"{scene.who['zh']}扣底 {count} 张")


def _trump(scene: _Scene) -> Text:
    suit = term("suits", scene.record["suit"])
    return _timed(scene, f"{scene.who['en']} names {suit['en']} trump", f"{scene.who['zh']}定主：{suit['zh']}")


def _played(scene: _Scene) -> Text:
    name = tile(scene.record["card"])
    return _timed(scene, f"{scene.who['en']} plays the {name['en']}", f"{scene.who['zh']}出{name['zh']}")


def _trick(scene: _Scene) -> Text:
    who, points = scene.seat(scene.record["winner"]), scene.record["points"]
    return _text(f"{who['en']} takes the trick, {points} points", f"{who['zh']}得此墩，{points} 分")


def _ga(scene: _Scene) -> Text:
    ga = scene.record["ga"]
    return _timed(scene, f"{scene.who['en']} chooses ga {ga}", f"{scene.who['zh']}噶 {ga}")


def _dora(scene: _Scene) -> Text:
    name = tile(scene.record["tile"])
    return _text(f"Indicator {name['en']}", f"翻宝牌指示牌 {name['zh']}")


def _penalised(scene: _Scene) -> Text:
    amount, clause = scene.record["amount"], scene.record["clause"]
    return _text(f"{scene.who['en']} is penalised {amount} ({clause})", f"{scene.who['zh']}罚 {amount}（{clause}）")


def _timed(scene: _Scene, en: str, zh: str) -> Text:
    """Add that a time-out chose, where it did (CM-05)."""
    return _text(f"{en} [time-out]", f"{zh}【超时】") if "auto" in scene.record else _text(en, zh)


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

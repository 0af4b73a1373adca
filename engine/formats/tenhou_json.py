"""The JSON of tenhou.net/6, read into a record and written again.

One object a game: `title`, `name`, `rule`, `log`; a hand of `log` is [[round, honba, deposits], scores, indicators,
indicators under them, then for each seat its 13 tiles, what it took, what it let go, at last the result]. Tiles are
numbers (11-19, 21-29, 31-39, 41-47, red fives 51-53); what a seat took is a number or a call such as `c131415`, what
it let go is a number, 60 for the tile just drawn, `r60` with riichi, a kong such as `a11111111`, or `f44`, a north set
aside. A table of three has an empty fourth seat. The order of play is not written down: it follows from the turns and
the calls. No dice, no copies of tiles, no published seed.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from orjson import Fragment, dumps

from engine.errors import EventError
from engine.formats.riichi import HANCHAN, NO_RED, THREE, Act, Drawn, Problem, RiichiHand, RiichiRecord, Win, code_of
from engine.formats.riichi_copies import Copies
from engine.formats.riichi_pay import value
from engine.formats.tenhou_order import CODE_OF, DRAWN, NORTH, NUMBERS, TAKEN, Order

UNCHECKED: Final = {"title": "a heading", "name": "names", "rule.disp": "the room's name"}
UNKNOWN: Final = "不明"
REASONS: Final = {"流局": "exhausted", "全員聴牌": "exhausted", "全員不聴": "exhausted", "流し満貫": "nagashi",
                  "九種九牌": "nine_terminals", "四風連打": "four_winds", "四家立直": "four_riichi",
                  "四槓散了": "four_kongs", "四開槓": "four_kongs", "三家和了": "three_rons", "三家和": "three_rons",
                  UNKNOWN: ""}  # fmt: skip
WORDS: Final = {"exhausted": "流局", "nagashi": "流し満貫", "nine_terminals": "九種九牌", "four_winds": "四風連打",
                "four_riichi": "四家立直", "four_kongs": "四開槓", "three_rons": "三家和了"}  # fmt: skip
WON: Final = "和了"
LIMITS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
YAKU: Final = (
    "門前清自摸和", "立直", "一発", "槍槓", "嶺上開花", "海底摸月", "河底撈魚", "平和", "断幺九", "一盃口",
    "自風 東", "自風 南", "自風 西", "自風 北", "場風 東", "場風 南", "場風 西", "場風 北", "役牌 白", "役牌 發",
    "役牌 中", "両立直", "七対子", "混全帯幺九", "一気通貫", "三色同順", "三色同刻", "三槓子", "対々和", "三暗刻",
    "小三元", "混老頭", "二盃口", "純全帯幺九", "混一色", "清一色", "人和", "天和", "地和", "大三元", "四暗刻",
    "四暗刻単騎", "字一色", "緑一色", "清老頭", "九蓮宝燈", "純正九蓮宝燈", "国士無双", "国士無双１３面",
    "大四喜", "小四喜", "四槓子", "ドラ", "裏ドラ", "赤ドラ",
)  # fmt: skip
"""Names by Tenhou's number."""
_FU = re.compile(r"([0-9]+)符([0-9]+)飜")
_YAKU = re.compile(r"(.+)\((役満|([0-9]+)飜)\)")


# --- writing -----------------------------------------------------------------------------------------------------


def write(record: RiichiRecord) -> str:
    """Write a record; what the format has no place for (dice, seed, copies of tiles) is left out."""
    red = int(record.reds)
    whole: dict[str, Any] = {
        "title": ["", ""],
        "name": [*record.names, ""][:4],
        "rule": {"disp": _rule(record), "aka53": red, "aka52": red, "aka51": red},
        "log": [_hand(record, hand) for hand in record.hands],
    }
    if record.final is not None and record.results is not None:
        pairs = zip(_four(record.final), _four(record.results), strict=True)
        whole["sc"] = [each for score, tenths in pairs for each in (score, Fragment(_tenths(tenths)))]
    return dumps(whole).decode()


def _tenths(value: int) -> str:
    return f"{'-' if value < 0 else ''}{abs(value) // 10}.{abs(value) % 10}"


def _rule(record: RiichiRecord) -> str:
    length = "南" if record.type & HANCHAN else "東"
    return (
        f"{'三' if record.seats == 3 else ''}般{length}{'' if record.type & 4 else '喰'}{'赤' if record.reds else ''}"
    )


def _hand(record: RiichiRecord, hand: RiichiHand) -> list[Any]:
    def number(tile: int) -> int:
        return NUMBERS[code_of(tile, reds=record.reds)]

    no_tiles: tuple[int, ...] = ()
    took: list[list[int | str]] = [[], [], [], []]
    left: list[list[int | str]] = [[], [], [], []]
    drawn, riichi = -1, False
    for act in hand.acts:
        if act.kind == "draw":
            took[act.seat].append(number(act.tile))
            drawn = act.tile
        elif act.kind == "riichi":
            riichi = True
        elif act.kind == "north":
            left[act.seat].append(NORTH)
        elif act.kind == "discard":
            thrown = DRAWN if act.tile == drawn else number(act.tile)
            left[act.seat].append(f"r{thrown}" if riichi else thrown)
            drawn, riichi = -1, False
        elif act.tiles and act.kind in {"chow", "pung", "direct_kong"}:
            took[act.seat].append(_call(act, number))
            if act.kind == "direct_kong":
                left[act.seat].append(TAKEN)
        elif act.tiles:
            left[act.seat].append(_kong(act, number))
    dora = [hand.dora, *(act.tile for act in hand.acts if act.kind == "dora")]
    ura: tuple[int, ...] = max((win.ura or () for win in hand.wins), key=len, default=())
    found: list[Any] = [
        [hand.round, hand.honba, hand.deposits],
        _four(hand.scores),
        [number(tile) for tile in dora],
        [number(tile) for tile in ura],
    ]
    for seat, tiles in enumerate((*hand.hands, no_tiles)[:4]):
        found += [[number(tile) for tile in tiles], took[seat], left[seat]]
    return [*found, _result(hand)]


def _call(act: Act, number: Callable[[int], int]) -> str:
    """Write a call: the claimed tile with its letter stands where it came from, before, across or after."""
    own = [f"{number(tile)}" for tile in act.tiles if tile != act.claimed]
    letter = {"chow": "c", "pung": "p", "direct_kong": "m"}[act.kind]
    claimed = f"{letter}{number(act.claimed)}"
    turns = (act.source - act.seat) % 4
    place = 0 if act.kind == "chow" or turns == 3 else 1 if turns == 2 else len(own)
    return "".join([*own[:place], claimed, *own[place:]])


def _kong(act: Act, number: Callable[[int], int]) -> str:
    if act.kind == "concealed_kong":
        tiles = [f"{number(tile)}" for tile in act.tiles]
        return "".join([*tiles[:3], f"a{tiles[3]}"])
    rest = [f"{number(tile)}" for tile in act.tiles if tile not in {act.tile, act.claimed}]
    added = f"k{number(act.tile)}{number(act.claimed)}"
    turns = (act.source - act.seat) % 4
    place = 0 if turns == 3 else 1 if turns == 2 else 2
    return "".join([*rest[:place], added, *rest[place:]])


def _result(hand: RiichiHand) -> list[Any]:
    if hand.wins:
        found: list[Any] = [WON]
        for win in hand.wins:
            liable = win.liable if win.liable is not None else win.seat
            found += [_four(win.deltas), [win.seat, win.source, liable, *_value(hand, win)]]
        return found
    if hand.drawn is None:
        return [UNKNOWN]
    word = WORDS[hand.drawn.reason]
    return [word, _four(hand.drawn.deltas)] if any(hand.drawn.deltas) or hand.drawn.reason == "nagashi" else [word]


def _value(hand: RiichiHand, win: Win) -> list[str]:
    if win.points is None or (win.yaku is None and not win.yakuman):
        return []
    seats = len(hand.hands)
    if win.seat != win.source:
        amount = f"{win.points}点"
    elif win.seat == hand.dealer:
        amount = f"{win.points // (seats - 1)}点∀"
    else:
        share = -(-(win.points // seats) // 100) * 100  # the dealer pays twice of it, before rounding up
        amount = f"{share}-{win.points - (seats - 2) * share}点"
    han = sum(count for _, count in win.yaku or ())
    number = win.limit if win.limit is not None else value(han, win.fu or 0, len(win.yakuman)).limit
    limit = LIMITS[number]
    head = f"{limit}{amount}" if limit else f"{win.fu}符{han}飜{amount}"
    listed = [f"{YAKU[number]}({count}飜)" for number, count in win.yaku or () if count]
    return [head, *listed, *(f"{YAKU[number]}(役満)" for number in win.yakuman)]


def _four(values: Sequence[int]) -> list[int]:
    """Return values of four seats: a table of three writes nought for the fourth."""
    return [*values, 0][:4]


# --- reading -----------------------------------------------------------------------------------------------------


def is_tenhou_json(data: bytes) -> bool:
    """Tell whether bytes look like this format."""
    head = data.lstrip()
    return head.startswith(b"{") and b'"log"' in data and b'"name"' in data and b'"rule"' in data


def read(text: str) -> RiichiRecord:
    """Read a game; EventError where it is none at all, problems in the record where a hand is odd."""
    try:
        whole = json.loads(text, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise EventError(f"not JSON: {error}") from None
    try:
        names, log, rule = whole["name"], whole["log"], whole["rule"]
        record = RiichiRecord(names=tuple(str(name) for name in names))
        disp = str(rule.get("disp", ""))
        reds = any(rule.get(key, 0) for key in ("aka", "aka51", "aka52", "aka53"))
        record.type = 1 | (0 if "東" in disp else HANCHAN) | (0 if reds else NO_RED) | (0 if "喰" in disp else 4)
        hands = list(log)
    except (KeyError, TypeError, AttributeError) as error:
        raise EventError(f"not a tenhou.net/6 log: {error!r}") from None
    if len(record.names) != 4:
        raise EventError("a tenhou.net/6 log of other than four players")
    if "三" in disp and not record.names[-1]:
        record.type, record.names = record.type | THREE, record.names[:3]
    for place, entry in enumerate(hands):
        try:
            record.hands.append(_read_hand(record, entry, place))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            record.problems.append(Problem(place, json.dumps(entry, ensure_ascii=False)[:120], f"{error}"))
            break
    _read_end(record, whole.get("sc"))
    return record


def _read_end(record: RiichiRecord, values: Any) -> None:  # noqa: ANN401  any JSON value
    if not isinstance(values, list) or len(values) != 8:
        record.ended = None  # the format says nothing of the end without it
        return
    try:
        record.final = _each(record.seats, values[::2])
        record.results = tuple(_from_tenths(str(value)) for value in values[1::2])[: record.seats]
        record.ended = True
    except ValueError as error:
        record.problems.append(Problem(len(record.hands), str(values), f"sc: {error}"))


def _from_tenths(word: str) -> int:
    match = re.fullmatch(r"(-?)([0-9]+)(?:\.([0-9]))?", word)
    if match is None:
        raise ValueError(f"no number with one decimal: {word}")
    value = 10 * int(match[2]) + int(match[3] or 0)
    return -value if match[1] else value


def _read_hand(record: RiichiRecord, entry: list[Any], place: int) -> RiichiHand:
    if len(entry) != 17:
        raise ValueError(f"{len(entry)} parts, not 17")
    (number, honba, deposits), scores, dora, ura = entry[:4]
    copies = Copies(reds=record.reds)
    seats = range(record.seats)
    tiles = [copies.deal(seat, [CODE_OF[each] for each in entry[4 + 3 * seat]]) for seat in seats]
    if any(len(each) != 13 for each in tiles) or len(scores) != 4 or any(entry[4 + 3 * len(tiles) : -1]):
        raise ValueError("a hand of 13 tiles for each seat, four scores")
    hand = RiichiHand(int(number), int(honba), int(deposits), int(number) % 4, _each(len(tiles), scores),
                      copies.fresh(CODE_OF[dora[0]]), tuple(tiles), place=place)  # fmt: skip
    result = entry[-1]
    unpaid = bool(result) and (result[0] in {WON, UNKNOWN} or REASONS.get(str(result[0])) == "three_rons")
    order = Order(hand, copies, [CODE_OF[each] for each in dora[1:]], unpaid=unpaid, place=place)
    order.play([list(entry[5 + 3 * seat]) for seat in seats], [list(entry[6 + 3 * seat]) for seat in seats])
    under = tuple(copies.fresh(CODE_OF[each]) for each in ura)
    _read_result(hand, entry[-1], under, place)
    return hand


def _read_result(hand: RiichiHand, result: list[Any], ura: tuple[int, ...], place: int) -> None:
    word = str(result[0])
    if word == WON:
        riichi = {act.seat for act in hand.acts if act.kind == "deposit"}
        pairs = zip(result[1::2], result[2::2], strict=True)
        seats = len(hand.hands)
        hand.wins = [_read_win(_each(seats, deltas), about, ura, riichi, place) for deltas, about in pairs]
        return
    if word not in REASONS:
        raise ValueError(f"no result {word}")
    if word == UNKNOWN:
        return
    deltas = _each(len(hand.hands), result[1] if len(result) > 1 else (0,) * 4)
    hand.drawn = Drawn(REASONS[word], deltas, place=place)


def _each(seats: int, values: Sequence[Any]) -> tuple[int, ...]:
    """Return a number for each seat, out of four; ValueError where a fourth that nobody has is not nought."""
    found = tuple(int(value) for value in values)
    if len(found) != 4 or any(found[seats:]):
        raise ValueError("four numbers, of a seat that is not there nought")
    return found[:seats]


def _read_win(
    deltas: tuple[int, ...], about: list[Any], ura: tuple[int, ...], riichi: set[int], place: int
) -> Win:  # fmt: skip
    seat, source, liable = (int(each) for each in about[:3])
    if not {seat, source, liable} <= set(range(len(deltas))):
        raise ValueError("seats of the table")
    value = _FU.match(str(about[3])) if len(about) > 3 else None
    listed, yakuman = [], []
    for line in about[4:]:
        match = _YAKU.fullmatch(str(line))
        if match is None or match[1] not in YAKU:
            raise ValueError(f"no pattern {line}")
        if match[2] == "役満":
            yakuman.append(YAKU.index(match[1]))
        else:
            listed.append((YAKU.index(match[1]), int(match[3])))
    if seat in riichi and listed and 53 not in dict(listed):
        listed.append((53, 0))  # the format leaves out what counts nothing
    return Win(
        seat=seat,
        source=source,
        deltas=deltas,
        fu=int(value[1]) if value is not None else None,
        yaku=tuple(listed) if len(about) > 4 else None,
        yakuman=tuple(yakuman),
        ura=ura if seat in riichi else (),
        liable=liable if liable != seat else None,
        limit=_limit(str(about[3])) if len(about) > 3 else None,
        points=_points(str(about[3]), len(deltas)) if len(about) > 3 else None,
        place=place,
    )


def _limit(text: str) -> int:
    return next((number for number in (4, 5, 3, 2, 1) if text.startswith(LIMITS[number])), 0)


def _points(text: str, seats: int) -> int:
    match = re.search(r"([0-9]+)(?:-([0-9]+))?点(∀?)$", text)
    if match is None:
        raise ValueError(f"no value {text}")
    if match[2]:
        return (seats - 2) * int(match[1]) + int(match[2])
    return int(match[1]) * (seats - 1 if match[3] else 1)


def games(text: str) -> Iterator[RiichiRecord]:
    """Yield the games of a text: one object, or one a line."""
    try:
        yield read(text)
    except EventError:
        rows = [row for row in text.splitlines() if row.strip()]
        if len(rows) < 2:
            raise
        yield from (read(row) for row in rows)

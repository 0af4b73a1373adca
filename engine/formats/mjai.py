"""mjai: one JSON object a line, what a riichi bot sees and does; read into a record and written again.

Written: start_game, start_kyoku, tsumo, dahai, chi, pon, daiminkan, ankan, kakan, dora, reach, reach_accepted, hora
(deltas, ura_markers), ryukyoku (reason, deltas), end_kyoku, end_game. Read also: what older writers add. No dice, no
copies of tiles, no seed, no patterns: what a hand is worth must then be what its changes say.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from engine.errors import EventError
from engine.formats.riichi import CODES, HANCHAN, NO_RED, SEATS, Act, Drawn, Problem, RiichiHand, RiichiRecord, Win
from engine.formats.riichi import code_of as our_code
from engine.formats.riichi_copies import Copies

PAI: Final = {**{code: code for code in CODES}, "0m": "5mr", "0p": "5pr", "0s": "5sr"}
CODE: Final = {pai: code for code, pai in PAI.items()}
WINDS = "ESWN"
UNCHECKED: Final = {"start_game.names": "names"}
CALLS: Final = {"chi": "chow", "pon": "pung", "daiminkan": "direct_kong"}
WORDS: Final = {kind: word for word, kind in CALLS.items()}
REASONS: Final = {"fanpai": "exhausted", "nagashimangan": "nagashi", "kyushukyuhai": "nine_terminals",
                  "suufonrenta": "four_winds", "suuchareach": "four_riichi", "suukaikan": "four_kongs",
                  "sanchaho": "three_rons"}  # fmt: skip
REASON_WORDS: Final = {reason: word for word, reason in REASONS.items()}
Row = dict[str, Any]


# --- writing -----------------------------------------------------------------------------------------------------


def write(record: RiichiRecord) -> str:
    """Write a record as lines; EventError for a table of three, which the format does not know."""
    if record.seats != SEATS:
        raise EventError("mjai knows no table of three")
    rows: list[Row] = [{"type": "start_game", "names": list(record.names), "aka_flag": record.reds}]
    for hand in record.hands:
        rows += _hand(record, hand)
    if record.ended:
        over: Row = {"type": "end_game"}
        rows.append(over if record.final is None else {**over, "scores": list(record.final)})
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def _hand(record: RiichiRecord, hand: RiichiHand) -> Iterable[Row]:
    def pai(tile: int) -> str:
        return PAI[our_code(tile, reds=record.reds)]

    yield {
        "type": "start_kyoku",
        "bakaze": WINDS[hand.round // 4 % 4],
        "dora_marker": pai(hand.dora),
        "kyoku": hand.round % 4 + 1,
        "honba": hand.honba,
        "kyotaku": hand.deposits,
        "oya": hand.dealer,
        "scores": list(hand.scores),
        "tehais": [[pai(tile) for tile in tiles] for tiles in hand.hands],
    }
    drawn = -1
    for act in hand.acts:
        row = _act(act, pai, drawn)
        if act.kind in {"draw", "discard"}:
            drawn = act.tile if act.kind == "draw" else -1
        if row is not None:
            yield row
    for win in hand.wins:
        yield {"type": "hora", "actor": win.seat, "target": win.source, "deltas": list(win.deltas),
               "ura_markers": [pai(tile) for tile in win.ura or ()]}  # fmt: skip
    if hand.drawn is not None:
        yield {"type": "ryukyoku", "reason": REASON_WORDS[hand.drawn.reason], "deltas": list(hand.drawn.deltas)}
    if hand.wins or hand.drawn is not None:
        yield {"type": "end_kyoku"}


def _act(act: Act, pai: Callable[[int], str], drawn: int) -> Row | None:
    if act.kind == "draw":
        return {"type": "tsumo", "actor": act.seat, "pai": pai(act.tile)}
    if act.kind == "discard":
        return {"type": "dahai", "actor": act.seat, "pai": pai(act.tile), "tsumogiri": act.tile == drawn}
    if act.kind in WORDS:
        own = [pai(tile) for tile in act.tiles if tile != act.claimed]
        return {"type": WORDS[act.kind], "actor": act.seat, "target": act.source, "pai": pai(act.claimed),
                "consumed": own}  # fmt: skip
    if act.kind == "concealed_kong":
        return {"type": "ankan", "actor": act.seat, "consumed": [pai(tile) for tile in act.tiles]}
    if act.kind == "added_kong":
        rest = [pai(tile) for tile in act.tiles if tile != act.tile]
        return {"type": "kakan", "actor": act.seat, "pai": pai(act.tile), "consumed": rest}
    if act.kind == "dora":
        return {"type": "dora", "dora_marker": pai(act.tile)}
    if act.kind in {"riichi", "deposit"}:
        return {"type": "reach" if act.kind == "riichi" else "reach_accepted", "actor": act.seat}
    return None


# --- reading -----------------------------------------------------------------------------------------------------


def is_mjai(data: bytes) -> bool:
    """Tell whether bytes look like mjai lines."""
    head = data.lstrip()[:400]
    return head.startswith(b"{") and (b'"start_game"' in head or b'"start_kyoku"' in head)


def read(text: str) -> RiichiRecord:
    """Read lines; EventError where the first is none of mjai, problems in the record where a line is odd."""
    rows = [(number, row) for number, row in enumerate(text.splitlines(), 1) if row.strip()]
    try:
        first = json.loads(rows[0][1])["type"]
    except (IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise EventError(f"not mjai: {error!r}") from None
    if first not in {"start_game", "start_kyoku"}:
        raise EventError(f"not mjai: it begins with {first!r}")
    reader = _Reader()
    for number, row in rows:
        reader.place = number
        try:
            reader.take(json.loads(row))
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, RecursionError) as error:
            reader.record.problems.append(Problem(number, row[:120], f"{type(error).__name__}: {error}"))
    return reader.record


class _Reader:
    """Folds lines into hands; `record` is the result."""

    def __init__(self) -> None:
        self.record = RiichiRecord(names=("0", "1", "2", "3"), type=1 | HANCHAN)
        self.place = 0
        self.copies = Copies(reds=True)
        self.over = True
        self.drawn = self.last = -1
        self.pungs: dict[tuple[int, int], Act] = {}

    def take(self, row: Row) -> None:
        """Take one line."""
        kind = row["type"]
        if kind not in TAKERS:
            raise ValueError(f"no mjai type {kind!r}")
        taker, known = TAKERS[kind]
        strange = sorted(set(row) - set(known) - {"type", "meta", "cans"})
        if strange:
            raise ValueError(f"unknown fields {strange}")
        for name in ("actor", "target", "oya"):
            if name in row and (type(row[name]) is not int or not 0 <= row[name] < SEATS):
                raise ValueError(f"no seat {row[name]!r}")
        taker(self, row)

    @property
    def hand(self) -> RiichiHand:
        """Return the hand in play."""
        if self.over:
            raise ValueError("no hand is in play")
        return self.record.hands[-1]

    def _act(self, act: Act) -> None:
        if self.hand.wins or self.hand.drawn is not None:
            raise ValueError("after the hand's end")
        self.hand.acts.append(act)

    def start_game(self, row: Row) -> None:
        """Take the players."""
        names = row.get("names", self.record.names)
        if len(names) != SEATS or self.record.hands:
            raise ValueError("four names, once, at the start")
        self.record.names = tuple(str(name) for name in names)
        if row.get("aka_flag") is False:
            self.record.type |= NO_RED

    def start_kyoku(self, row: Row) -> None:
        """Begin a hand."""
        if not self.over:
            raise ValueError("a hand begins before the last one has ended")
        self.copies = Copies(reds=self.record.reds)
        if len(row["tehais"]) != SEATS or any(len(tiles) != 13 for tiles in row["tehais"]):
            raise ValueError("four hands of 13 tiles")
        tiles = [self.copies.deal(seat, [CODE[pai] for pai in held]) for seat, held in enumerate(row["tehais"])]
        number = 4 * WINDS.index(row["bakaze"]) + int(row["kyoku"]) - 1
        scores = row.get("scores")
        self.record.hands.append(
            RiichiHand(
                round=number,
                honba=int(row["honba"]),
                deposits=int(row["kyotaku"]),
                dealer=row["oya"],
                scores=tuple(int(score) for score in scores) if scores is not None else self._carried(),
                dora=self.copies.fresh(CODE[row["dora_marker"]]),
                hands=tuple(tiles),
                place=self.place,
            )
        )
        self.over = False
        self.drawn = self.last = -1
        self.pungs = {}

    def _carried(self) -> tuple[int, ...]:
        if not self.record.hands:
            return (25_000,) * SEATS
        hand = self.record.hands[-1]
        laid = [sum(act.kind == "deposit" and act.seat == seat for act in hand.acts) for seat in range(SEATS)]
        return tuple(
            score - 1000 * paid + change for score, paid, change in zip(hand.scores, laid, hand.changes(), strict=True)
        )

    def tsumo(self, row: Row) -> None:
        """Take a draw."""
        self.drawn = self.copies.draw(row["actor"], CODE[row["pai"]])
        self._act(Act("draw", row["actor"], tile=self.drawn, place=self.place))

    def dahai(self, row: Row) -> None:
        """Take a discard."""
        flag = row.get("tsumogiri", False)
        tile = self.copies.take(row["actor"], [CODE[row["pai"]]], drawn=self.drawn, prefer_drawn=flag)[0]
        if type(flag) is not bool or ("tsumogiri" in row and flag != (tile == self.drawn)):
            raise ValueError("tsumogiri: the tile just drawn, and only that")
        self._act(Act("discard", row["actor"], tile=tile, place=self.place))
        self.last, self.drawn = tile, -1

    def call(self, row: Row) -> None:
        """Take a chow, pung or direct kong."""
        kind: Any = CALLS[row["type"]]
        if self.last < 0 or our_code(self.last, reds=self.record.reds) != CODE[row["pai"]]:
            raise ValueError("pai: the last discard")
        own = self.copies.take(row["actor"], [CODE[pai] for pai in row["consumed"]])
        tiles = tuple(sorted([*own, self.last]))
        kinds = [tile // 4 for tile in tiles]
        if kind == "chow":
            sound = kinds == [kinds[0], kinds[0] + 1, kinds[0] + 2] and kinds[0] < 27 and kinds[0] % 9 < 7
        else:
            sound = len(set(kinds)) == 1 and len(kinds) == (3 if kind == "pung" else 4)
        if not sound:
            raise ValueError(f"no {row['type']}")
        act = Act(kind, row["actor"], tiles=tiles, claimed=self.last, source=row["target"], place=self.place)
        self._act(act)
        if kind == "pung":
            self.pungs[row["actor"], kinds[0]] = act
        self.last = -1

    def ankan(self, row: Row) -> None:
        """Take a concealed kong."""
        tiles = tuple(sorted(self.copies.take(row["actor"], [CODE[pai] for pai in row["consumed"]])))
        if len(tiles) != 4 or len({tile // 4 for tile in tiles}) != 1:
            raise ValueError("four equal tiles")
        self._act(Act("concealed_kong", row["actor"], tile=tiles[0], tiles=tiles, place=self.place))

    def kakan(self, row: Row) -> None:
        """Take an added kong."""
        tile = self.copies.take(row["actor"], [CODE[row["pai"]]])[0]
        pung = self.pungs[row["actor"], tile // 4]
        due = sorted(PAI[our_code(each, reds=self.record.reds)] for each in pung.tiles)
        if "consumed" in row and sorted(row["consumed"]) != due:
            raise ValueError(f"consumed: the pung {due}")
        whole = tuple(sorted({*pung.tiles, tile}))
        self._act(Act("added_kong", row["actor"], tile=tile, tiles=whole, claimed=pung.claimed, source=pung.source,
                      place=self.place))  # fmt: skip
        self.last = tile

    def dora(self, row: Row) -> None:
        """Take an indicator."""
        self._act(Act("dora", tile=self.copies.fresh(CODE[row["dora_marker"]]), place=self.place))

    def reach(self, row: Row) -> None:
        """Take a riichi."""
        self._act(Act("riichi", row["actor"], place=self.place))

    def reach_accepted(self, row: Row) -> None:
        """Take its deposit."""
        scores = tuple(int(score) for score in row.get("scores", ()))
        self._act(Act("deposit", row["actor"], scores=scores, place=self.place))

    def hora(self, row: Row) -> None:
        """Take a winner."""
        hand = self.hand
        if hand.drawn is not None:
            raise ValueError("after the hand's end")
        markers: Sequence[str] = row.get("ura_markers") or row.get("uradora_markers") or ()
        riichi = any(act.kind == "deposit" and act.seat == row["actor"] for act in hand.acts)
        earlier = next((win.ura for win in hand.wins if win.ura), None)
        codes = [CODE[pai] for pai in markers]
        if earlier is not None and [our_code(tile, reds=self.record.reds) for tile in earlier] == codes:
            ura: tuple[int, ...] = earlier
        else:
            ura = tuple(self.copies.fresh(code) for code in codes)
        deltas = row.get("deltas")
        hand.wins.append(
            Win(
                seat=row["actor"],
                source=row["target"],
                deltas=tuple(int(value) for value in deltas) if deltas is not None else (),
                fu=row.get("fu"),
                points=row.get("hora_points"),
                ura=ura if riichi or ura else (),
                place=self.place,
            )
        )

    def ryukyoku(self, row: Row) -> None:
        """Take a hand without a winner."""
        hand = self.hand
        if hand.wins or hand.drawn is not None:
            raise ValueError("after the hand's end")
        word = row.get("reason")
        if word is not None and word not in REASONS:
            raise ValueError(f"no reason {word!r}")
        deltas = tuple(int(value) for value in row.get("deltas", (0,) * SEATS))
        if len(deltas) != SEATS:
            raise ValueError("four changes")
        hand.drawn = Drawn(REASONS[word] if word else "", deltas, place=self.place)

    def end_kyoku(self, _: Row) -> None:
        """End the hand."""
        if not self.hand.wins and self.hand.drawn is None:
            raise ValueError("an end without a result")
        self.over = True

    def end_game(self, row: Row) -> None:
        """End the game."""
        if not self.over or self.record.ended:
            raise ValueError("one end, after the last hand")
        self.record.ended = True
        if "scores" in row:
            self.record.final = tuple(int(score) for score in row["scores"])


_WIN = ("actor", "target", "deltas", "ura_markers", "uradora_markers", "pai", "hora_tehais", "yakus", "fu", "fan",
        "hora_points", "scores")  # fmt: skip
TAKERS: Final[dict[str, tuple[Callable[[_Reader, Row], None], tuple[str, ...]]]] = {
    "start_game": (_Reader.start_game, ("names", "aka_flag", "kyoku_first", "id", "seed", "uri", "gametype")),
    "start_kyoku": (_Reader.start_kyoku, ("bakaze", "dora_marker", "kyoku", "honba", "kyotaku", "oya", "scores",
                                          "tehais")),
    "tsumo": (_Reader.tsumo, ("actor", "pai")),
    "dahai": (_Reader.dahai, ("actor", "pai", "tsumogiri")),
    "chi": (_Reader.call, ("actor", "target", "pai", "consumed")),
    "pon": (_Reader.call, ("actor", "target", "pai", "consumed")),
    "daiminkan": (_Reader.call, ("actor", "target", "pai", "consumed")),
    "ankan": (_Reader.ankan, ("actor", "consumed")),
    "kakan": (_Reader.kakan, ("actor", "pai", "consumed")),
    "dora": (_Reader.dora, ("dora_marker",)),
    "reach": (_Reader.reach, ("actor",)),
    "reach_accepted": (_Reader.reach_accepted, ("actor", "deltas", "scores")),
    "hora": (_Reader.hora, _WIN),
    "ryukyoku": (_Reader.ryukyoku, ("reason", "deltas", "scores", "tehais", "tenpais", "actor")),
    "end_kyoku": (_Reader.end_kyoku, ()),
    "end_game": (_Reader.end_game, ("scores",)),
}  # fmt: skip
"""What takes each type, and the fields it may have."""

"""Rare ends of a riichi hand that no public file of ours shows, put together by hand and paid by hand."""

import re
from dataclasses import dataclass, field, replace

import pytest

from engine.formats import tenhou
from engine.formats.riichi import KIND, Act, Drawn, RiichiHand, RiichiRecord, Win
from engine.formats.riichi_copies import Copies
from engine.formats.riichi_match import Verdict, check
from viewer.riichi_score import score


def codes(text: str) -> list[str]:
    """Read `123m55z…` as suits, `ESWNPFC` as honours."""
    return [
        code
        for ranks, suit, honours in re.findall(r"([1-9]+)([mps])|([ESWNPFC]+)", text)
        for code in ([rank + suit for rank in ranks] if ranks else honours)
    ]


@dataclass
class Script:
    """A hand without a published seed, told move by move."""

    hands: tuple[str, ...]
    dora: str = "8p"
    honba: int = 0
    deposits: int = 0
    type: int = 0x2B
    scores: tuple[int, ...] = ()
    acts: list[Act] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.copies = Copies(reds=False, seats=len(self.hands))
        self.dealt = tuple(self.copies.deal(seat, codes(text)) for seat, text in enumerate(self.hands))
        self.indicator = self.copies.fresh(self.dora)
        self.last = self.last_seat = -1

    def draw(self, seat: int, code: str) -> "Script":
        self.last = self.copies.draw(seat, code)
        self.acts.append(Act("draw", seat, tile=self.last))
        return self

    def cut(self, seat: int, code: str, *, riichi: bool = False) -> "Script":
        if riichi:
            self.acts.append(Act("riichi", seat))
        self.last, self.last_seat = self.copies.take(seat, [code], drawn=self.last, prefer_drawn=True)[0], seat
        self.acts.append(Act("discard", seat, tile=self.last))
        return self

    def turn(self, seat: int, drawn: str, cut: str = "") -> "Script":
        return self.draw(seat, drawn).cut(seat, cut or drawn)

    def pung(self, seat: int, cut: str) -> "Script":
        code = next(code for code, kind in KIND.items() if kind == self.last // 4)
        tiles = tuple(sorted([*self.copies.take(seat, [code, code]), self.last]))
        self.acts.append(Act("pung", seat, tiles=tiles, claimed=self.last, source=self.last_seat))
        return self.cut(seat, cut)

    def north(self, seat: int) -> "Script":
        self.last, self.last_seat = self.copies.take(seat, ["N"])[0], seat
        self.acts.append(Act("north", seat, tile=self.last, tiles=(self.last,)))
        return self

    def won(self, seat: int, source: int, deltas: tuple[int, ...], **said: object) -> Win:
        melds = tuple(act for act in reversed(self.acts) if act.seat == seat and act.kind in {"pung", "north"})
        hand = tuple(sorted(self.copies.hand(seat) | {self.last}))
        win = Win(seat, source, deltas, self.last, dora=(self.indicator,), ura=(), hand=hand, melds=melds,
                  counters=(self.honba, self.deposits), before=self.start)  # fmt: skip
        return replace(win, **said)  # type: ignore[arg-type]

    @property
    def start(self) -> tuple[int, ...]:
        return self.scores or ((35_000,) * 3 if len(self.hands) == 3 else (25_000,) * 4)

    def judge(self, *wins: Win, drawn: Drawn | None = None) -> Verdict:
        hand = RiichiHand(0, self.honba, self.deposits, 0, self.start, self.indicator, self.dealt, (0, 0))
        hand.acts, hand.wins, hand.drawn = self.acts, list(wins), drawn
        record = RiichiRecord(("A", "B", "C", "D")[: len(self.hands)], type=self.type, lobby="0", hands=[hand])
        text = tenhou.write(record)
        read = tenhou.read(text)
        assert read.problems == []
        assert tenhou.write(read) == text
        return check(read, score)


def found(verdict: Verdict) -> set[str]:
    return {finding.fault.code for finding in verdict.findings}


def dragons(last: str, honba: int = 0) -> Script:
    """Seat 1 calls white from seat 0, green and red from seat 2; `last` is seat 3's discard or seat 1's own draw."""
    script = Script(
        ("P147m258p369sESW", "PPFFCC2355m58p1s", "FC147m258p369sES", "147m258p369sESWE"), honba=honba, dora="7p",
    )  # fmt: skip
    script.turn(0, "2s", "P").pung(1, "1s").turn(2, "2s", "F").pung(1, "5p").turn(2, "4s", "C").pung(1, "8p")
    script.turn(2, "5s")
    if last == "discard":
        return script.turn(3, "1m")
    return script.turn(3, "5s").turn(0, "4s").draw(1, "1m")


YAKUMAN = {"fu": 40, "points": 32_000, "limit": 5, "yaku": (), "yakuman": (39,), "liable": 2}


def test_liable_and_discarder_share_big_three_dragons() -> None:
    script = dragons("discard", honba=2)
    verdict = script.judge(script.won(1, 3, (0, 32_600, -16_600, -16_000), **YAKUMAN))
    assert verdict.findings == []


@pytest.mark.parametrize(("liable", "deltas"), [
    (None, (0, 32_600, 0, -32_600)), (2, (0, 32_600, -16_000, -16_600)), (0, (-16_600, 32_600, 0, -16_000)),
])  # fmt: skip
def test_nobody_else_is_liable_for_a_discard(liable: int | None, deltas: tuple[int, ...]) -> None:
    script = dragons("discard", honba=2)
    verdict = script.judge(script.won(1, 3, deltas, **{**YAKUMAN, "liable": liable}))
    assert found(verdict) == {"settled" if liable == 2 else "liability"}


def test_the_liable_seat_alone_pays_a_self_draw() -> None:
    script = dragons("self-draw", honba=1)
    win = script.won(1, 1, (0, 32_300, -32_300, 0), **YAKUMAN)
    assert found(script.judge(win)) == {"end"}  # who is below zero ends the game: nothing else is wrong


# --- draws ---------------------------------------------------------------------------------------------------------


def test_four_equal_winds_end_a_hand() -> None:
    script = Script(("E147m258p369sSWN",) * 4, dora="9p")
    for seat, code in enumerate("PPPF"):
        script.turn(seat, code, "E")
    drawn = Drawn("four_winds", (0,) * 4, {}, (0, 0), script.start)
    assert found(script.judge(drawn=drawn)) == set()
    assert found(script.judge(drawn=replace(drawn, reason="four_riichi"))) == {"drawn_hand"}


def test_three_winners_from_one_discard_void_the_hand() -> None:
    waiting = ("23m456p789sEE567s", "23m456p789sSS234s", "23m234p678sWW345s")
    script = Script(("1m479p258sPFCN1s9m", *waiting), dora="2p")
    script.turn(0, "P", "1m")
    shown = {seat: tuple(sorted(script.dealt[seat])) for seat in (1, 2, 3)}
    drawn = Drawn("three_rons", (0,) * 4, shown, (0, 0), script.start)
    assert script.judge(drawn=drawn).findings == []
    two = script.judge(drawn=replace(drawn, shown={seat: shown[seat] for seat in (1, 2)}))
    assert found(two) == {"shown"}


def nagashi(*, spoilt: bool = False) -> tuple[Script, Drawn]:
    """All 70 draws: seat 0 lets terminals and honours go; `spoilt`: but for its last discard."""
    deck = [code for code in KIND for _ in range(4)]
    plain = [code for code in deck if code[0] in "2345678"]
    orphans = [code for code in deck if code[0] not in "2345678"]
    first = [orphans.pop(0) for _ in range(13)]
    spare = plain.pop()
    others = [[plain.pop(0 if len(plain) % 2 else -1) for _ in range(13)] for _ in range(3)]
    dora = orphans.pop()
    script = Script(("".join(first), *("".join(each) for each in others)), dora=dora)
    pool = [*plain, *orphans[18:]]
    own = [*orphans[:17], spare] if spoilt else orphans[:18]
    for number in range(70):
        seat = number % 4
        script.turn(seat, own.pop(0) if seat == 0 else pool.pop(0))
    return script, Drawn("nagashi", (12_000, -4_000, -4_000, -4_000), {}, (0, 0), script.start)


def test_discards_of_terminals_alone_are_paid_as_a_mangan() -> None:
    script, drawn = nagashi()
    drawn = replace(drawn, shown={seat: tuple(sorted(script.copies.hand(seat))) for seat in (1, 2)})
    assert script.judge(drawn=drawn).findings == []
    wrong = script.judge(drawn=replace(drawn, deltas=(8_000, -4_000, -2_000, -2_000)))
    assert found(wrong) == {"settled"}
    script, drawn = nagashi(spoilt=True)
    assert found(script.judge(drawn=drawn)) == {"drawn_hand"}


# --- three players --------------------------------------------------------------------------------------------------


def test_a_north_set_aside_may_be_won() -> None:
    script = Script(("N19m258p369sESWP", "19m19p19sESWPFC1m", "19m258p369sESWF1p"), type=0x3B, dora="8p")
    script.draw(0, "2s").north(0)
    thirteen = script.won(1, 0, (-32_000, 32_000, 0), fu=0, points=32_000, limit=5, yaku=(), yakuman=(47,))
    assert script.judge(thirteen).findings == []
    other = script.won(2, 0, (-32_000, 0, 32_000), fu=0, points=32_000, limit=5, yaku=(), yakuman=(47,))
    assert found(script.judge(other)) == {"won"}


def test_with_three_players_there_is_no_draw_by_winds_and_no_chow() -> None:
    script = Script(("E258p369sSWN147p", "E258p369sSWN23p1m", "E258p369sSWN147p"), type=0x3B, dora="9m")
    script.turn(0, "P", "1p")
    tiles = tuple(sorted([*script.copies.take(1, ["2p", "3p"]), script.last]))
    script.acts.append(Act("chow", 1, tiles=tiles, claimed=script.last, source=0))
    assert "melded" in found(script.judge())

"""Plays riichi games of our own, for tests that need a whole record and no foreign file.

Four simple seats, or three: each goes for a ready hand by the fewest tiles to change, declares riichi, wins when it
can, sets norths aside, takes no calls but concealed kongs; `Pace.calls` makes them call pungs and kongs as well. The
wall comes from a seed of Tenhou's kind made here, of any of its three forms. Run as a script it writes
`data/riichi.tenhou/game.mjlog`.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha512
from itertools import count
from pathlib import Path

from engine.formats import riichi_pay, tenhou
from engine.formats.riichi import NO_OPEN_TANYAO, NORTH, STARTS, THREE, Act, Drawn, RiichiHand, RiichiRecord, Win
from engine.formats.riichi_end import Ending, Winning, drawn_hand, facts, liable_seat
from engine.formats.riichi_hand import apply, begin, judge
from engine.formats.riichi_match import next_spot, over_after
from engine.formats.riichi_pay import Payer
from engine.formats.riichi_shape import complete, counted, ready, waiting
from engine.formats.riichi_state import Side
from engine.formats.tenhou_wall import METHOD_BY_HAND, SEED_BYTES, Wall, early_wall, seed_text, walls
from engine.mahjong.distance import distance
from engine.mahjong.hand import keys
from viewer.riichi_score import score

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Pace:
    """How a game is played: Tenhou's bits, the bytes of its seed (0: a seed for each hand), whether seats call."""

    type: int = 0xA9
    seed: int = SEED_BYTES
    calls: bool = False


def seed_of(number: int, length: int = SEED_BYTES) -> bytes:
    """Return bytes that follow a number."""
    blocks = (sha512(f"riichi game {number}/{block}".encode()).digest() for block in count())
    found = b""
    while len(found) < length:
        found += next(blocks)
    return found[:length]


def shuffled(number: int, pace: Pace, seats: int) -> Iterator[tuple[str, Wall]]:
    """Yield the walls of a game, each with the seed of its own that its hand has, "" where the game has one."""
    if pace.seed:
        yield from (("", wall) for wall in walls(seed_of(number, pace.seed), seats))
    for hand in count():
        seed = seed_of(1000 * number + hand, 32).hex().upper()
        text = ",".join([METHOD_BY_HAND, *(seed[at : at + 8] for at in range(0, 64, 8))])
        yield text, early_wall(text, seats)


def play(number: int, most: int = 40, pace: Pace = Pace()) -> RiichiRecord:
    """Play a game to its end, or so many hands of it."""
    seats = 3 if pace.type & THREE else 4
    text = seed_text(seed_of(number, pace.seed)) if pace.seed else ""
    record = RiichiRecord(("A", "B", "C", "D")[:seats], type=pace.type, seed=text, lobby="0")
    record.about = {"UN": {"dan": "1,2,3,4", "rate": "1500,1501,1502,1503", "sx": "M,F,M,F"}}
    scores, deposits, spot = [STARTS[seats]] * seats, 0, (0, 0)
    for (own, wall), _ in zip(shuffled(number, pace, seats), range(most), strict=False):
        hand = RiichiHand(
            *spot, deposits, spot[0] % 4, tuple(scores), wall.indicator(0),
            tuple(tuple(tiles) for tiles in wall.dealt(spot[0] % 4)), wall.dice, own,
        )  # fmt: skip
        ending = _Hand(record, hand, wall, pace).play()
        record.hands.append(hand)
        scores, deposits, spot = ending.scores, ending.deposits, next_spot(hand, ending)
        if over_after(record, hand, ending):
            record.ended = True
            final = list(scores)
            final[riichi_pay.ranking(scores)[0]] += 1000 * deposits
            record.final, record.results = tuple(final), tuple(riichi_pay.results(final))
            break
    return record


class _Hand:
    def __init__(self, record: RiichiRecord, hand: RiichiHand, wall: Wall, pace: Pace) -> None:
        self.hand, self.wall, self.pace = hand, wall, pace
        self.open_tanyao = not record.type & NO_OPEN_TANYAO
        self.course = begin(hand, wall, reds=record.reds)
        self.seats = record.seats

    def act(self, act: Act) -> None:
        fault = judge(self.course, act)
        assert fault is None, fault
        self.hand.acts.append(act)
        apply(self.course, act)

    def play(self) -> Ending:
        course = self.course
        while True:
            if course.phase in {"draw", "discarded"} and (over := self._void()) is not None:
                return over
            if course.phase == "discarded" and course.live <= 0:
                return self._drawn("exhausted")
            replacing = course.phase in {"replacement", "konged"}
            caller = self._call() if self.pace.calls and course.phase == "discarded" else None
            if caller is not None:
                if course.phase == "call":
                    self.act(Act("discard", caller, tile=self._worst(caller)))
                    if (ended := self._answers(caller)) is not None:
                        return ended
                continue
            seat = (course.last_seat + 1) % self.seats if course.phase == "discarded" else course.turn
            tile = self.wall.replacement(course.replaced) if replacing else self.wall.drawn(course.draws)
            self.act(Act("draw", seat, tile=tile))
            ended = self._turn(seat)
            if ended is not None:
                return ended

    def _call(self) -> int | None:
        """Let a seat call the last discard, a kong before a pung; None where nobody does."""
        course = self.course
        source, tile = course.last_seat, course.last
        for seat in ((source + turn) % self.seats for turn in range(1, self.seats)):
            side = course.sides[seat]
            same = sorted(each for each in side.tiles if each // 4 == tile // 4)
            if len(same) < 2 or side.riichi or course.live <= 0:
                continue
            kind = "direct_kong" if len(same) == 3 and len(course.kongs()) < 4 else "pung"
            own = same if kind == "direct_kong" else same[:2]
            act = Act(kind, seat, tiles=tuple(sorted([*own, tile])), claimed=tile, source=source)
            if judge(course, act) is None:
                self.act(act)
                return seat
        return None

    def _turn(self, seat: int) -> Ending | None:
        course, side = self.course, self.course.sides[seat]
        if complete(counted(side.tiles)) and self._worth(seat, seat) is not None:
            return self._won([seat], seat)
        quad = next((kind for kind in range(34) if counted(side.tiles)[kind] == 4), None)
        if quad is not None and course.live > 0 and len(course.kongs()) < 4 and not side.accepted:
            tiles = tuple(range(4 * quad, 4 * quad + 4))
            self._owed()
            self.act(Act("concealed_kong", seat, tile=tiles[0], tiles=tiles))
            self.act(Act("dora", tile=self.wall.indicator(len(course.dora))))
            return None
        added = next((act for act in self._addable(seat) if judge(course, act) is None), None)
        if added is not None:
            self._owed()
            self.act(added)
            return self._robbed(seat)
        north = next((tile for tile in sorted(side.tiles) if tile // 4 == NORTH), None)
        if self.seats == 3 and north is not None and (not side.accepted or north == course.drawn) and course.live > 0:
            self._owed()
            self.act(Act("north", seat, tile=north, tiles=(north,)))
            return self._robbed(seat)
        self._owed()
        thrown = course.drawn if side.accepted else self._worst(seat)
        able = side.closed and not side.riichi and course.scores[seat] >= 1000 and course.live >= self.seats
        if able and ready(side.tiles - {thrown}, side.melds):
            self.act(Act("riichi", seat))
        self.act(Act("discard", seat, tile=thrown))
        return self._answers(seat)

    def _owed(self) -> None:
        """Turn the indicators of earlier kongs before a seat goes on."""
        while self.course.owed_later:
            self.act(Act("dora", tile=self.wall.indicator(len(self.course.dora))))

    def _addable(self, seat: int) -> Iterator[Act]:
        side = self.course.sides[seat]
        for meld in side.melds if self.pace.calls else ():
            fourth = next((tile for tile in side.tiles if tile // 4 == meld.tiles[0] // 4), None)
            if meld.kind == "pung" and fourth is not None:
                whole = tuple(sorted([*meld.tiles, fourth]))
                yield Act("added_kong", seat, tile=fourth, tiles=whole, claimed=meld.claimed, source=meld.source)

    def _robbed(self, seat: int) -> Ending | None:
        winners = [other for other in self._others(seat) if self._takes(other, seat)]
        if len(winners) == 3:
            return self._drawn("three_rons")
        return self._won(winners, seat) if winners else None

    def _others(self, seat: int) -> Iterator[int]:
        return ((seat + turn) % self.seats for turn in range(1, self.seats))

    def _answers(self, seat: int) -> Ending | None:
        course = self.course
        winners = [other for other in self._others(seat) if self._takes(other, seat)]
        if len(winners) == 3:
            return self._drawn("three_rons")
        if winners:
            return self._won(winners, seat)
        if course.pending >= 0:
            after = tuple(score - 1000 * (each == seat) for each, score in enumerate(course.scores))
            self.act(Act("deposit", seat, scores=after))
        return None

    def _void(self) -> Ending | None:
        course = self.course
        if course.phase == "discarded" and course.undisturbed and course.draws == 4:
            kinds = set(course.first_winds)
            if len(kinds) == 1 and 27 <= min(kinds) <= 30:
                return self._drawn("four_winds")
        if self.seats == 4 and all(side.accepted for side in course.sides):
            return self._drawn("four_riichi")
        kongs = course.kongs()
        if len(kongs) == 4 and len(set(kongs)) > 1:
            return self._drawn("four_kongs")
        return None

    def _worst(self, seat: int) -> int:
        side = self.course.sides[seat]
        sets = 4 - len(side.melds)

        def left(tile: int) -> int:
            return distance(*keys(counted(side.tiles - {tile})), sets=sets)

        barred = self.course.barred if self.course.phase == "call" else frozenset()
        return min((tile for tile in sorted(side.tiles) if tile // 4 not in barred), key=left)

    def _takes(self, seat: int, source: int) -> bool:
        course, side = self.course, self.course.sides[seat]
        waits = waiting(counted(side.tiles))
        if course.last // 4 not in waits or side.missed or any(tile // 4 in waits for tile in side.river):
            return False
        return self._worth(seat, source) is not None

    def _facts(self, seat: int, source: int) -> Winning:
        return facts(self.course, Win(seat, source, ()), open_tanyao=self.open_tanyao)

    def _worth(self, seat: int, source: int):  # noqa: ANN202  a Worth, or None without a pattern
        found = score(self._facts(seat, source))
        return found if found.yaku or found.yakuman else None

    def _won(self, seats: list[int], source: int) -> Ending:
        course, hand = self.course, self.hand
        ending = Ending(list(course.scores), course.deposits)
        for number, seat in enumerate(seats):
            worth, winning = self._worth(seat, source), self._facts(seat, source)
            value = riichi_pay.value(sum(han for _, han in worth.yaku), worth.fu, len(worth.yakuman))
            taken = ending.deposits if number == 0 else 0
            liable = liable_seat(winning.melds, worth.yakuman)
            part = sum(each in riichi_pay.LIABLE_YAKUMAN for each in worth.yakuman) * riichi_pay.YAKUMAN_BASE
            who = Payer(seat, source, hand.dealer, hand.honba if number == 0 else 0, taken, liable,
                        part if liable is not None else 0, self.seats)  # fmt: skip
            deltas = riichi_pay.won(value.base, who)
            hand.wins.append(
                Win(
                    seat, source, tuple(deltas), winning.tile, worth.fu, riichi_pay.worth(value.base, who), value.limit,
                    worth.yaku, worth.yakuman, winning.dora, winning.ura, winning.tiles, self._melds(seat), liable,
                    (hand.honba, taken), tuple(ending.scores),
                )
            )  # fmt: skip
            ending.scores = [before + change for before, change in zip(ending.scores, deltas, strict=True)]
        ending.deposits = 0
        ending.dealer_stays = ending.counters_grow = ending.by_ready = hand.dealer in seats
        return ending

    def _clean(self, side: Side) -> bool:
        return not side.called_from and all(_orphan(tile) for tile in side.river)

    def _melds(self, seat: int) -> tuple[Act, ...]:
        side = self.course.sides[seat]
        return (*side.melds, *(Act("north", seat, tile=tile, tiles=(tile,)) for tile in side.norths))

    def _drawn(self, reason: str) -> Ending:
        course, hand = self.course, self.hand
        those = {seat for seat, side in enumerate(course.sides) if ready(side.tiles, side.melds)}
        shown = {"exhausted": those, "four_riichi": set(range(4)), "three_rons": set(range(4)) - {course.last_seat}}
        hands = {seat: tuple(sorted(course.sides[seat].tiles)) for seat in sorted(shown.get(reason, set()))}
        deltas = tuple(riichi_pay.exhausted(those, self.seats)) if reason == "exhausted" else (0,) * self.seats
        hand.drawn = Drawn(reason, deltas, hands, (hand.honba, course.deposits), tuple(course.scores))
        ending = Ending(list(course.scores), course.deposits)
        drawn_hand(course, ending, hand.drawn)
        if ending.fault is not None and reason == "exhausted":  # discards of terminals alone: paid otherwise
            clean = [seat for seat, side in enumerate(course.sides) if self._clean(side)]
            deltas = tuple(riichi_pay.nagashi(clean, hand.dealer, self.seats))
            hand.drawn = replace(hand.drawn, reason="nagashi", deltas=deltas)
            ending = Ending(list(course.scores), course.deposits)
            drawn_hand(course, ending, hand.drawn)
        assert ending.fault is None, ending.fault
        return ending


def _orphan(tile: int) -> bool:
    kind = tile // 4
    return kind >= 27 or kind % 9 in {0, 8}


if __name__ == "__main__":
    game = play(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    (ROOT / "data" / "riichi.tenhou" / "game.mjlog").write_text(tenhou.write(game))

"""Plays riichi games of our own, for tests that need a whole record and no foreign file.

Four simple seats: each goes for a ready hand by the fewest tiles to change, declares riichi, wins when it can, takes
no calls but concealed kongs. The wall comes from a seed of Tenhou's kind made here. Run as a script it writes
`data/riichi.tenhou/game.mjlog`.
"""

import sys
from dataclasses import replace
from hashlib import sha512
from itertools import count
from pathlib import Path

from engine.formats import riichi_pay, tenhou
from engine.formats.riichi import Act, Drawn, RiichiHand, RiichiRecord, Win
from engine.formats.riichi_end import Ending, Winning, drawn_hand, facts, liable_seat
from engine.formats.riichi_hand import apply, begin, judge
from engine.formats.riichi_match import next_spot, over_after
from engine.formats.riichi_pay import Payer
from engine.formats.riichi_shape import complete, counted, ready, waiting
from engine.formats.tenhou_wall import DORA, REPLACEMENTS, SEED_BYTES, Wall, seed_text, walls
from engine.mahjong.distance import distance
from engine.mahjong.hand import keys
from viewer.riichi_score import score

ROOT = Path(__file__).parents[2]


def seed_of(number: int) -> bytes:
    """Return 2,496 bytes that follow a number."""
    blocks = (sha512(f"riichi game {number}/{block}".encode()).digest() for block in count())
    found = b""
    while len(found) < SEED_BYTES:
        found += next(blocks)
    return found[:SEED_BYTES]


def play(number: int, most: int = 40) -> RiichiRecord:
    """Play a game to its end, or so many hands of it."""
    seed = seed_of(number)
    record = RiichiRecord(("A", "B", "C", "D"), type=0xA9, seed=seed_text(seed), lobby="0")
    record.about = {"UN": {"dan": "1,2,3,4", "rate": "1500,1501,1502,1503", "sx": "M,F,M,F"}}
    scores, deposits, spot = [25_000] * 4, 0, (0, 0)
    for wall, _ in zip(walls(seed), range(most), strict=False):
        hand = RiichiHand(
            *spot, deposits, spot[0] % 4, tuple(scores), wall.tiles[DORA[0]],
            tuple(tuple(tiles) for tiles in wall.dealt(spot[0] % 4)), wall.dice,
        )  # fmt: skip
        ending = _Hand(hand, wall).play()
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
    def __init__(self, hand: RiichiHand, wall: Wall) -> None:
        self.hand, self.wall = hand, wall
        self.course = begin(hand, wall, reds=True)

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
            replacing = course.phase == "replacement"
            seat = (course.last_seat + 1) % 4 if course.phase == "discarded" else course.turn
            tile = self.wall.tiles[REPLACEMENTS[course.replaced]] if replacing else self.wall.drawn(course.draws)
            self.act(Act("draw", seat, tile=tile))
            ended = self._turn(seat)
            if ended is not None:
                return ended

    def _turn(self, seat: int) -> Ending | None:
        course, side = self.course, self.course.sides[seat]
        if complete(counted(side.tiles)) and self._worth(seat, seat) is not None:
            return self._won([seat], seat)
        quad = next((kind for kind in range(34) if counted(side.tiles)[kind] == 4), None)
        if quad is not None and course.live > 0 and len(course.kongs()) < 4 and not side.accepted:
            tiles = tuple(range(4 * quad, 4 * quad + 4))
            self.act(Act("concealed_kong", seat, tile=tiles[0], tiles=tiles))
            self.act(Act("dora", tile=self.wall.tiles[DORA[len(course.dora)]]))
            return None
        thrown = course.drawn if side.accepted else self._worst(seat)
        able = side.closed and not side.riichi and course.scores[seat] >= 1000 and course.live >= 4
        if able and ready(side.tiles - {thrown}, side.melds):
            self.act(Act("riichi", seat))
        self.act(Act("discard", seat, tile=thrown))
        winners = [other for other in ((seat + turn) % 4 for turn in (1, 2, 3)) if self._takes(other, seat)]
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
        if all(side.accepted for side in course.sides):
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

        return min(sorted(side.tiles), key=left)

    def _takes(self, seat: int, source: int) -> bool:
        course, side = self.course, self.course.sides[seat]
        waits = waiting(counted(side.tiles))
        if course.last // 4 not in waits or side.missed or any(tile // 4 in waits for tile in side.river):
            return False
        return self._worth(seat, source) is not None

    def _facts(self, seat: int, source: int) -> Winning:
        return facts(self.course, Win(seat, source, ()), open_tanyao=True)

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
            who = Payer(seat, source, hand.dealer, hand.honba if number == 0 else 0, taken, liable)
            deltas = riichi_pay.won(value.base, who)
            hand.wins.append(
                Win(
                    seat, source, tuple(deltas), winning.tile, worth.fu, riichi_pay.worth(value.base, who), value.limit,
                    worth.yaku, worth.yakuman, winning.dora, winning.ura, winning.tiles, winning.melds, liable,
                    (hand.honba, taken), tuple(ending.scores),
                )
            )  # fmt: skip
            ending.scores = [before + change for before, change in zip(ending.scores, deltas, strict=True)]
        ending.deposits = 0
        ending.dealer_stays = ending.counters_grow = ending.by_ready = hand.dealer in seats
        return ending

    def _drawn(self, reason: str) -> Ending:
        course, hand = self.course, self.hand
        those = {seat for seat, side in enumerate(course.sides) if ready(side.tiles, side.melds)}
        shown = {"exhausted": those, "four_riichi": set(range(4)), "three_rons": set(range(4)) - {course.last_seat}}
        hands = {seat: tuple(sorted(course.sides[seat].tiles)) for seat in sorted(shown.get(reason, set()))}
        deltas = tuple(riichi_pay.exhausted(those)) if reason == "exhausted" else (0,) * 4
        hand.drawn = Drawn(reason, deltas, hands, (hand.honba, course.deposits), tuple(course.scores))
        ending = Ending(list(course.scores), course.deposits)
        drawn_hand(course, ending, hand.drawn)
        if ending.fault is not None and reason == "exhausted":  # discards of terminals alone: paid otherwise
            clean = [seat for seat, side in enumerate(course.sides) if all(_orphan(tile) for tile in side.river)]
            deltas = tuple(riichi_pay.nagashi(clean, hand.dealer))
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

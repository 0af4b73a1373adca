"""One hand of Hainan refereed by the plain text of `mahjong.md` 0.3 to 0.7, 3 and 4.3: a second engine.

Written as the page tells a hand, from top to bottom, as a coroutine; it shares nothing with the engine and is slow.
`want` is what must come next: ("due", body) the one consequence, ("choose", bodies) every lawful decision, ("over",
payments) the settled hand. Scores come from the search in `multiples`.
"""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from claiming import asked, claimed, discards, swapped
from multiples import (
    DRAGONS,
    KINDS,
    SUITED,
    WINDS,
    Claim,
    Meld,
    Seat,
    Table,
    Verdict,
    amount,
    flower_worth,
    judge,
    payments,
    readings,
    run_from,
    without,
)

Body = dict[str, Any]
Steps = Generator[tuple[str, Any], Body, Any]
ORDER = {code: at for at, code in enumerate([*KINDS, *(f"f{number}" for number in range(1, 9))])}
GA = (0, 1, 2, 3, 5)
SPECIAL = {"deal": "heavenly", "kong": "kong_bloom", "flower": "flower_bloom"}


class HainanReferee:
    """Referees one hand. `wall`: codes in wall order; `dice`: all values; `number`: what the wild stream gives."""

    def __init__(self, options: Mapping[str, Any], spot: Mapping[str, Any], wall: Sequence[str], dice: Sequence[int],
                 number: int) -> None:  # fmt: skip
        self.options = options
        self.n = options["players"]
        self.dealer, self.wind, self.streak = spot["dealer"], spot["round_wind"], spot["streak"]
        self.least = spot.get("ga", [0] * self.n) if not options["ga_free"] else [0] * self.n
        self.spot = dict(spot)
        self.wall, self.dice, self.number = list(wall), list(dice), number
        self.ga = [0] * self.n
        self.sequence: list[str] = []
        self.gone: list[bool] = []
        self.hands: list[list[str]] = [[] for _ in range(self.n)]
        self.seats = [Seat() for _ in range(self.n)]
        self.wild = "C"
        self.indicator: str | None = None
        self.kongs = 0
        self.draws = [0] * self.n
        self.thrown_away = [0] * self.n
        self.claimed = False
        self.win_locked: set[int] = set()
        self.pung_locked: list[set[str]] = [set() for _ in range(self.n)]
        self.source = "deal"
        self.drawn: str | None = None
        self.fresh = True
        self.banned: set[str] = set()
        self.winners: list[int] = []
        self.steps = self.play()
        self.want: tuple[str, Any] = next(self.steps)

    def accept(self, event: Body) -> None:
        """Go on with an event that was wanted."""
        self.want = self.steps.send(event)

    @property
    def left(self) -> int:
        return self.gone.count(False)

    def can_draw(self) -> bool:
        """3.5: one condition for every draw, replacement and kong."""
        return self.left > 15

    # --- before the first turn -------------------------------------------------------------------------------------

    def play(self) -> Steps:
        if self.options["ga"]:
            yield from self.choose_ga()
        start = 0
        if self.options["wall.break"] == "dice":
            start = yield from self.throw()
        self.sequence = self.wall[2 * start :] + self.wall[: 2 * start]
        self.gone = [False] * len(self.sequence)
        if self.options["wild"] == "random":
            yield from self.turn_wild()
        yield from self.deal()
        ended = yield from self.expose(self.dealer)
        if not ended:
            yield from self.turns()

    def choose_ga(self) -> Steps:
        """3.2: before everything else, in order of arrival."""
        waiting = list(range(self.n))
        while waiting:
            event = yield (
                "choose",
                [
                    {"type": "ga_chosen", "seat": seat, "ga": ga}
                    for seat in waiting
                    for ga in GA
                    if ga >= self.least[seat]
                ],
            )
            waiting.remove(event["seat"])
            self.ga[event["seat"]] = event["ga"]

    def throw(self) -> Steps:
        """0.4: the dealer throws and counts himself as one; c stacks from the right end of that seat are skipped."""
        first, second = self.dice[:2], self.dice[2:]
        yield "due", {"type": "dice", "seat": self.dealer, "values": first}
        thrower = (self.dealer + sum(first) - 1) % self.n
        yield "due", {"type": "dice", "seat": thrower, "values": second}
        stacks = len(self.wall) // 2
        # The wall runs clockwise: seat 0's stacks, then those of the last seat, and so on.
        clockwise = [0, *range(self.n - 1, 0, -1)]
        begin = clockwise.index(thrower) * (stacks // self.n)
        return (begin + sum(first) + sum(second)) % stacks

    def domain(self) -> list[str]:
        if self.options["wild_domain"] == "suits":
            return SUITED
        return [kind for kind in KINDS if kind not in WINDS or not self.options["no_winds"]]

    def turn_wild(self) -> Steps:
        """3.1, HN-08: a kind drawn by number, or a tile turned up at the tail and taken out."""
        if self.options["wild_indicator"] == "virtual":
            self.wild = self.domain()[self.number]
            yield "due", {"type": "wild", "tile": self.wild}
            return
        at = next(place for place in self.tail() if self.sequence[place] in self.domain())
        shown = self.wild = self.indicator = self.sequence[at]
        self.gone[at] = True
        if self.options["wild_indicator"] == "next_kind":
            row = next(row for row in (SUITED[:9], SUITED[9:18], SUITED[18:], WINDS, DRAGONS) if shown in row)
            self.wild = row[(row.index(shown) + 1) % len(row)]
        yield "due", {"type": "wild", "tile": self.wild, "indicator": shown}

    def deal(self) -> Steps:
        """0.5: three blocks of four each, one each, the dealer's fourteenth."""
        order = [(self.dealer + step) % self.n for step in range(self.n)]
        takes = [(seat, 4) for _ in range(3) for seat in order] + [(seat, 1) for seat in order] + [(self.dealer, 1)]
        head = 0
        for seat, size in takes:
            self.hands[seat] += self.sequence[head : head + size]
            head += size
        self.gone[:head] = [True] * head
        for seat in order:
            yield "due", {"type": "dealt", "seat": seat, "tiles": list(self.hands[seat])}

    # --- drawing ---------------------------------------------------------------------------------------------------

    def tail(self) -> list[int]:
        """Return the places from the tail on: of each stack the upper tile first."""
        return [place for last in range(len(self.sequence) - 2, -1, -2) for place in (last, last + 1)]

    def draw(self, seat: int, end: str) -> Steps:
        places = range(len(self.sequence)) if end == "head" else self.tail()
        at = next(place for place in places if not self.gone[place])
        self.gone[at] = True
        tile = self.sequence[at]
        yield "due", {"type": "drawn", "seat": seat, "tile": tile, "end": end, "left": self.left}
        self.hands[seat].append(tile)
        self.win_locked.discard(seat)
        self.pung_locked[seat].clear()
        self.drawn = tile
        self.fresh = True

    def expose(self, seat: int) -> Steps:
        """3.3: flowers one after the other, the lowest first, each replaced at once; True where the hand is over."""
        while flowers := sorted(tile for tile in self.hands[seat] if tile[0] == "f"):
            flower = flowers[0]
            yield "due", {"type": "flower", "seat": seat, "tile": flower}
            self.hands[seat].remove(flower)
            mine = self.seats[seat].flowers
            mine.append(flower)
            if self.options["flower_win_mode"] == "instant_win" and flower_worth(self.options, mine):
                yield "due", {"type": "won", "seat": seat, "by": "self_draw", "occasion": "flowers"}
                yield from self.flowers_win(seat)
                return True
            if not self.can_draw():
                yield from self.nobody("no_replacement")
                return True
            self.source = "flower"
            yield from self.draw(seat, self.options["replacement_from"])
        return False

    # --- turns -----------------------------------------------------------------------------------------------------

    def turns(self) -> Steps:
        seat = self.dealer
        while True:
            event = yield "choose", self.acts(seat)
            if event["type"] == "declared":
                yield from self.won([self.own_claim(seat)])
                return
            if event["type"] == "konged":
                ended = yield from self.konged(seat, event)
                if ended:
                    return
                continue
            if self.options["pass_win_lock"] != "off" and self.may_declare(seat):
                self.win_locked.add(seat)
            tile = event["tile"]
            self.hands[seat].remove(tile)
            self.thrown_away[seat] += 1
            self.banned = set()
            claim = yield from self.window(seat, tile, event["seq"], robbing=False)
            if claim == "ended":
                return
            if claim is not None:
                seat = claim["seat"]
                ended = yield from self.meld(claim, tile)
                if ended:
                    return
                continue
            seat = (seat + 1) % self.n
            if not self.can_draw():
                yield from self.nobody("wall_end")
                return
            self.source = "head"
            self.draws[seat] += 1
            yield from self.draw(seat, "head")
            ended = yield from self.expose(seat)
            if ended:
                return

    def replace_kong(self, seat: int) -> Steps:
        self.kongs += 1
        self.source = "kong"
        yield from self.draw(seat, self.options["replacement_from"])
        return (yield from self.expose(seat))

    def konged(self, seat: int, event: Body) -> Steps:
        tile = event["tiles"][0]
        if event["kind"] == "concealed_kong":
            self.hands[seat] = [each for each in self.hands[seat] if each != tile]
            self.seats[seat].melds.append(Meld("concealed_kong", (tile,) * 4, None))
            return (yield from self.replace_kong(seat))
        self.hands[seat].remove(tile)
        claim = yield from self.window(seat, tile, event["seq"], robbing=True)
        if claim == "ended":
            return True
        pung = next(meld for meld in self.seats[seat].melds if meld.kind == "pung" and meld.tiles[0] == tile)
        pung.kind, pung.tiles = "added_kong", (tile,) * 4
        return (yield from self.replace_kong(seat))

    def meld(self, claim: Body, tile: str) -> Steps:
        seat, source = claim["seat"], claim["from"]
        kind = "direct_kong" if claim["answer"] == "kong" else claim["answer"]
        yield "due", {"type": "melded", "seat": seat, "kind": kind, "tiles": claim["tiles"], "claimed": tile,
                      "from": source}  # fmt: skip
        self.hands[seat] = list(without(self.hands[seat], claim["tiles"]))
        self.seats[seat].melds.append(Meld(kind, tuple(sorted((tile, *claim["tiles"]))), source))
        self.claimed = True
        self.drawn = None
        self.fresh = False
        if kind == "direct_kong":
            return (yield from self.replace_kong(seat))
        if kind == "chow" and self.options["swap_ban"] != "off":
            self.banned = swapped(tile, claim["tiles"])
        if self.options["flower_first"] == "first_turn":
            return (yield from self.expose(seat))
        return False

    def acts(self, seat: int) -> list[Body]:
        hand = Counter(self.hands[seat])
        found: list[Body] = []
        if self.may_declare(seat):
            found.append({"type": "declared", "seat": seat, "what": "win"})
        if self.can_draw() and (self.fresh or self.options["kong_after_claim"]):
            pungs = {meld.tiles[0] for meld in self.seats[seat].melds if meld.kind == "pung"}
            for tile, have in hand.items():
                if have == 4 and tile != self.wild:
                    found.append({"type": "konged", "seat": seat, "kind": "concealed_kong", "tiles": [tile] * 4})
                if tile in pungs and (self.options["late_added_kong"] or tile == self.drawn):
                    found.append({"type": "konged", "seat": seat, "kind": "added_kong", "tiles": [tile]})
        found += discards(seat, self.may_go(self.hands[seat], self.banned), hand, self.drawn)
        return found

    def may_go(self, hand: Sequence[str], banned: set[str]) -> set[str]:
        """Return the tiles that may be discarded: no flower, none banned, a wild only alone by option (HN-10)."""
        tiles = {tile for tile in hand if tile[0] != "f"}
        if self.options["wild_discard"] == "forbid" and tiles != {self.wild}:
            tiles.discard(self.wild)
        return tiles - banned

    # --- windows ---------------------------------------------------------------------------------------------------

    def window(self, source: int, tile: str, seq: int, *, robbing: bool) -> Steps:
        """0.7: every seat's complete option set, one answer each, then resolved without regard to arrival."""
        sets = {seat: self.answers(seat, source, tile, robbing=robbing) for seat in range(self.n) if seat != source}
        sets = {seat: its for seat, its in sets.items() if its}
        given = yield from asked(sets, seq)
        order = sorted(given, key=lambda seat: (seat - source) % self.n)
        wins = [seat for seat in order if given[seat]["answer"] == "win"]
        if wins:
            if self.options["multi_win"] == "first":
                wins = wins[:1]
            yield from self.won([self.claim(seat, source, tile, robbing=robbing) for seat in wins])
            return "ended"
        for seat in order:
            words = {answer["answer"] for answer in sets[seat]}
            if "win" in words and self.options["pass_win_lock"] != "off":
                self.win_locked.add(seat)
            if "pung" in words and given[seat]["answer"] == "pass" and self.options["pass_pung_lock"] != "off":
                self.pung_locked[seat].add(tile)
        return claimed(given, order, source)

    def answers(self, seat: int, source: int, tile: str, *, robbing: bool) -> list[Body]:
        """Return what a seat may answer beside pass (3.4)."""
        hand = self.hands[seat]
        found: list[Body] = []
        if seat not in self.win_locked and self.wins(self.claim(seat, source, tile, robbing=robbing)):
            found.append({"answer": "win"})
        if robbing or tile == self.wild:
            return found
        if hand.count(tile) == 3 and self.can_draw():
            found.append({"answer": "kong", "tiles": [tile] * 3})
        pair = [tile] * 2
        if hand.count(tile) >= 2 and tile not in self.pung_locked[seat] and self.may_go(without(hand, pair), set()):
            found.append({"answer": "pung", "tiles": pair})
        three = self.n == 3 and not self.options["three_player_chow"]
        if seat != (source + 1) % self.n or self.options["no_chow"] or three:
            return found
        for low in SUITED:
            run = run_from(low)
            if run is None or tile not in run:
                continue
            pair = list(without(run, [tile]))
            if self.wild in pair or any(each not in hand for each in pair):
                continue
            banned = swapped(tile, pair) if self.options["swap_ban"] != "off" else set()
            if self.may_go(without(hand, pair), banned):
                found.append({"answer": "chow", "tiles": pair})
        return found

    # --- wins ------------------------------------------------------------------------------------------------------

    def table(self) -> Table:
        return Table(self.options, self.dealer, self.wind, self.streak, self.ga, self.seats, self.left)

    def claim(self, seat: int, source: int, tile: str, *, robbing: bool) -> Claim:
        """Return the win on another's tile, which is its own face (3.4)."""
        natural = [*(each for each in self.hands[seat] if each != self.wild), tile]
        first = source == self.dealer and self.thrown_away[source] == 1 and not self.claimed and not robbing
        earthly = first and self.options["earthly_mode"] != "first_draw"
        occasion = "earthly" if earthly else "last_discard" if not self.can_draw() and not robbing else "none"
        by = "robbed" if robbing else "discard"
        return Claim(seat, tuple(natural), self.hands[seat].count(self.wild), self.wild, by, source, occasion)

    def own_claim(self, seat: int) -> Claim:
        natural = tuple(each for each in self.hands[seat] if each != self.wild)
        word = SPECIAL.get(self.source, "none")
        if seat == self.dealer and not self.thrown_away[seat] and not self.kongs:
            word = "heavenly"
        untouched = self.draws[seat] == 1 and not self.thrown_away[seat] and not self.claimed
        draw_counts = self.options["earthly_mode"] != "dealer_discard"
        if self.source == "head" and seat != self.dealer and untouched and draw_counts:
            word = "earthly"
        return Claim(seat, natural, self.hands[seat].count(self.wild), self.wild, "self_draw", None, word)

    def wins(self, claim: Claim) -> bool:
        if any(tile[0] == "f" for tile in claim.natural) or next(readings(self.table(), claim), None) is None:
            return False
        return judge(self.table(), claim).allowed

    def may_declare(self, seat: int) -> bool:
        return self.fresh and self.wins(self.own_claim(seat))

    def won(self, claims: list[Claim]) -> Steps:
        for claim in claims:
            body: Body = {"type": "won", "seat": claim.seat, "by": claim.by}
            if claim.source is not None:
                body["from"] = claim.source
                body["tile"] = claim.natural[-1]
            elif claim.occasion != "heavenly":
                body["tile"] = self.drawn
            if claim.occasion != "none":
                body["occasion"] = claim.occasion
            yield "due", body
        yield from self.settle([(claim, judge(self.table(), claim)) for claim in claims])

    def nobody(self, reason: str) -> Steps:
        yield "due", {"type": "drawn_hand", "reason": reason}
        yield from self.settle([])

    def settle(self, claims: list[tuple[Claim, Verdict]]) -> Steps:
        self.winners = [claim.seat for claim, _ in claims]
        if self.options["flower_win_mode"] == "instant_win":  # such flowers would have won
            assert not any(flower_worth(self.options, seat.flowers) for seat in self.seats)
        paid = payments(self.table(), claims)
        winners = [(claim.seat, verdict.multiplier) for claim, verdict in claims]
        yield "due", {"type": "settled", "winners": winners, "payments": paid}
        yield "over", paid

    def flowers_win(self, seat: int) -> Steps:
        """4.4: each other pays for the flowers, and kongs are paid as ever."""
        self.winners = [seat]
        table = self.table()
        worth = flower_worth(self.options, self.seats[seat].flowers)
        bare = [Seat(each.melds, []) for each in self.seats]
        settled = Table({**self.options, "settle_drawn_hand": True}, self.dealer, self.wind, self.streak, self.ga, bare,
                        self.left)  # fmt: skip
        paid = payments(settled, [])
        for other in range(self.n):
            if other != seat:
                paid[other] -= amount(table, seat, other, worth)
                paid[seat] += amount(table, seat, other, worth)
        yield "due", {"type": "settled", "winners": [(seat, worth)], "payments": paid}
        yield "over", paid

    def following(self, first_dealer: int) -> Body:
        """3.10: what the next hand starts with, as far as the log tells it."""
        keeps = not self.winners or self.dealer in self.winners
        dealer = self.dealer
        if not keeps:
            winner = self.winners[0]
            dealer = winner if self.options["next_dealer"] == "winner" else (self.dealer + 1) % self.n
        streak = 0
        if keeps:
            streak = self.streak + (1 if self.winners or self.options["streak_on_draw"] else 0)
        wind = self.wind
        if self.options["round_wind_mode"] == "all_won":
            turn = {*self.spot["won"], *self.winners} == set(range(self.n))
        else:
            turn = dealer == first_dealer and not keeps
        if turn:
            wind = WINDS[(WINDS.index(wind) + 1) % 4]
        return {"dealer": dealer, "round_wind": wind, "streak": streak}

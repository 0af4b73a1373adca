"""One hand of Linhai refereed by the plain text of `mahjong.md` 0.3 to 0.7, 1.2 to 1.4, 2.3 and 4: a second engine.

It is written as the page tells a hand, from top to bottom, as a coroutine; the engine is a machine of phases. It
knows nothing of the engine and is slow. `want` is what must come next:

    ("due", body)        the one consequence
    ("choose", bodies)   every lawful decision
    ("over", payments)   the hand is settled
"""

from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from claiming import asked, claimed, discards, swapped
from pages import dealt_positions, drawn_in_order, second_thrower, tail_order
from tally import PLACE, Meld, Sheet, Winner, lines, readings, run_from, tai, without

Body = dict[str, Any]
Want = tuple[str, Any]
Steps = Generator[Want, Body, Any]


class Referee:
    """Referees one hand. `wall`: codes in wall order W; `dice`: all values in the order thrown."""

    def __init__(self, options: Mapping[str, Any], dealer: int, round_wind: str, wall: Sequence[str],
                 dice: Sequence[int]) -> None:  # fmt: skip
        self.options = options
        self.dealer = dealer
        self.dice = list(dice)
        self.sequence = drawn_in_order(options, dealer, dice, wall)
        self.size = len(self.sequence)
        self.gone = [False] * self.size
        self.hands: list[list[str]] = [[], [], [], []]
        self.sheet = Sheet(options, dealer, round_wind, [[], [], [], []], [[], [], [], []])
        self.discards: list[list[str]] = [[], [], [], []]
        self.kongs = 0
        self.replaced = 0
        self.draws = [0] * 4
        self.discarded = [0] * 4
        self.claimed = False
        self.win_locked: set[int] = set()
        self.kong: tuple[str, int | None] | None = None
        """Kind and feeder of the kong last replaced in this turn."""
        self.pung_locked: list[set[str]] = [set(), set(), set(), set()]
        self.source = "deal"
        self.drawn: str | None = None
        self.fresh = True
        self.banned: set[str] = set()
        self.winners: list[int] = []
        self.steps = self.play()
        self.want: Want = next(self.steps)

    def accept(self, event: Body) -> None:
        """Go on with an event that was wanted."""
        self.want = self.steps.send(event)

    @property
    def left(self) -> int:
        return self.gone.count(False)

    def can_draw(self) -> bool:
        """0.6: one condition for every draw, replacement and kong."""
        options = self.options
        boundary = options["reserve"] + options["reserve_per_kong"] * self.kongs
        if options["reserve_per_flower"]:
            boundary += self.replaced
        return self.left > boundary

    # --- the hand from top to bottom ------------------------------------------------------------------------

    def play(self) -> Steps:
        each = self.options["wall.dice"]
        first, second = self.dice[:each], self.dice[each : 2 * each]
        yield "due", {"type": "dice", "seat": self.dealer, "values": first}
        thrower = second_thrower(self.options, self.dealer, sum(first))
        yield "due", {"type": "dice", "seat": thrower, "values": second}
        way = 1 if self.options["deal.order"] == "ccw" else -1
        for place, positions in enumerate(dealt_positions()):
            seat = (self.dealer + way * place) % 4
            tiles = [self.sequence[at] for at in positions]
            yield "due", {"type": "dealt", "seat": seat, "tiles": tiles}
            self.hands[seat] = list(tiles)
            for at in positions:
                self.gone[at] = True
        ended = yield from self.opening()
        if not ended:
            yield from self.turns()

    def opening(self) -> Steps:
        """2.2: rounds from the dealer on; what is drawn in a pass waits for the next one."""
        progress = True
        while progress:
            progress = False
            for step in range(4):
                seat = (self.dealer + step) % 4
                progress |= bool(self.flowers_of(seat))
                ended = yield from self.opening_pass(seat)
                if ended:
                    return True
        self.source = "deal"
        self.fresh = True
        self.drawn = None
        return False

    def opening_pass(self, seat: int) -> Steps:
        for flower in self.flowers_of(seat):
            ended = yield from self.replace_flower(seat, flower)
            if ended:
                return True
        return False

    def flowers_of(self, seat: int) -> list[str]:
        return sorted(tile for tile in self.hands[seat] if tile[0] == "f")

    def replace_flower(self, seat: int, flower: str) -> Steps:
        yield "due", {"type": "flower", "seat": seat, "tile": flower}
        self.hands[seat].remove(flower)
        self.sheet.flowers[seat].append(flower)
        if not self.can_draw():
            return (yield from self.no_replacement(seat))
        self.source = "flower"
        yield from self.draw(seat, "tail")
        self.replaced += 1
        return False

    def no_replacement(self, seat: int) -> Steps:
        assert not self.flowers_of(seat)
        yield from self.nobody("no_replacement")
        return True

    def draw(self, seat: int, end: str) -> Steps:
        places = range(self.size) if end == "head" else tail_order(self.options, self.size)
        at = next(place for place in places if not self.gone[place])
        self.gone[at] = True
        tile = self.sequence[at]
        yield "due", {"type": "drawn", "seat": seat, "tile": tile, "end": end, "left": self.left}
        self.hands[seat].append(tile)
        self.unlock(seat)
        self.drawn = tile
        self.fresh = True

    def unlock(self, seat: int) -> None:
        self.win_locked.discard(seat)
        self.pung_locked[seat].clear()

    def lock_win(self, seat: int, tiles: set[str]) -> None:
        """2.3: who declined a win may take none of others' tiles before drawing again. `tiles`: what he declined."""
        assert tiles
        if self.options["pass_win_lock"] != "off":
            self.win_locked.add(seat)

    def win_is_locked(self, seat: int, tile: str) -> bool:
        assert tile
        return seat in self.win_locked

    def all_flowers(self, seat: int) -> Steps:
        while flowers := self.flowers_of(seat):
            ended = yield from self.replace_flower(seat, flowers[0])
            if ended:
                return True
        return False

    def turns(self) -> Steps:
        seat = self.dealer
        while True:
            # ACT(seat)
            event = yield "choose", self.acts(seat)
            if event["type"] == "declared":
                yield from self.won([self.declared(seat, event["what"])])
                return
            if event["type"] == "konged":
                ended = yield from self.konged(seat, event)
                if ended:
                    return
                continue
            if self.may_declare(seat):
                self.lock_win(seat, {self.drawn} if self.drawn is not None else set(self.hands[seat]))
            tile = event["tile"]
            self.hands[seat].remove(tile)
            self.discards[seat].append(tile)
            self.discarded[seat] += 1
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
            # TURN(seat + 1)
            seat = (seat + 1) % 4
            if not self.can_draw():
                yield from self.nobody("wall_end")
                return
            self.source = "head"
            self.kong = None
            yield from self.draw(seat, "head")
            self.draws[seat] += 1
            ended = yield from self.all_flowers(seat)
            if ended:
                return

    def kong_replacement(self, seat: int) -> Steps:
        """A kong counts now; its own replacement is not tested again, those of flowers are (0.6)."""
        self.kongs += 1
        self.source = "kong"
        yield from self.draw(seat, "tail")
        return (yield from self.all_flowers(seat))

    def konged(self, seat: int, event: Body) -> Steps:
        tile = event["tiles"][0]
        if event["kind"] == "concealed_kong":
            self.hands[seat] = [each for each in self.hands[seat] if each != tile]
            self.sheet.melds[seat].append(Meld("concealed_kong", [tile] * 4, None))
            self.kong = ("concealed_kong", None)
            return (yield from self.kong_replacement(seat))
        self.hands[seat].remove(tile)
        if self.options["rob_kong"] != "off":
            claim = yield from self.window(seat, tile, event["seq"], robbing=True)
            if claim == "ended":
                return True
        pung = next(meld for meld in self.sheet.melds[seat] if meld.kind == "pung" and meld.tiles[0] == tile)
        pung.kind = "added_kong"
        pung.tiles.append(tile)
        self.kong = ("added_kong", pung.source)
        if self.options["liability_counts_added_kong"]:
            assert pung.source is not None
            self.sheet.taken.append((seat, pung.source))
        return (yield from self.kong_replacement(seat))

    def meld(self, claim: Body, tile: str) -> Steps:
        seat, source = claim["seat"], claim["from"]
        kind = "direct_kong" if claim["answer"] == "kong" else claim["answer"]
        yield "due", {"type": "melded", "seat": seat, "kind": kind, "tiles": claim["tiles"], "claimed": tile,
                      "from": source}  # fmt: skip
        self.hands[seat] = list(without(self.hands[seat], claim["tiles"]))
        self.discards[source].pop()
        self.sheet.melds[seat].append(Meld(kind, [tile, *claim["tiles"]], source))
        self.sheet.taken.append((seat, source))
        self.claimed = True
        self.drawn = None
        self.fresh = False
        self.kong = ("direct_kong", source) if kind == "direct_kong" else None
        if kind == "direct_kong":
            return (yield from self.kong_replacement(seat))
        self.claimed_turn(seat, kind, tile, claim["tiles"])
        return False

    def claimed_turn(self, seat: int, kind: str, tile: str, pair: Sequence[str]) -> None:
        assert seat in range(4)
        if kind == "chow" and self.options["swap_ban"] != "off":
            self.banned = swapped(tile, pair)

    def nobody(self, reason: str) -> Steps:
        yield "due", {"type": "drawn_hand", "reason": reason}
        yield from self.settle([])

    def won(self, winners: list[Winner]) -> Steps:
        for winner in winners:
            body: Body = {"type": "won", "seat": winner.seat, "by": winner.by}
            for name, value in (("tile", winner.tile), ("from", winner.source), ("occasion", winner.occasion)):
                if value is not None:
                    body[name] = value
            yield "due", body
        yield from self.settle(winners)

    def settle(self, winners: list[Winner]) -> Steps:
        """0.8: edges that sum to zero. Compared without the names of patterns and clauses."""
        self.winners = [winner.seat for winner in winners]
        edges = self.edges(winners)
        payments = [0, 0, 0, 0]
        for payer, payee, amount in edges:
            payments[payer] -= amount
            payments[payee] += amount
        scores = [(winner.seat, self.worth(winner)) for winner in winners]
        yield "due", {"type": "settled", "winners": scores, "payments": payments, "lines": sorted(edges)}
        yield "over", payments

    def worth(self, winner: Winner) -> int:
        return tai(self.sheet, winner)

    def edges(self, winners: list[Winner]) -> list[tuple[int, int, int]]:
        return [line for winner in winners for line in lines(self.sheet, winner)]

    def next_dealer(self) -> int:
        """1.8, LH-04, LH-05."""
        winners = self.winners[:1] if self.options["multi_win_dealer"] == "first_winner" else self.winners
        stays = self.options["dealer_stays"] == "on_win" and self.dealer in winners
        return self.dealer if stays else (self.dealer + 1) % 4

    # --- one's own turn --------------------------------------------------------------------------------------

    def declared(self, seat: int, what: str) -> Winner:
        assert what == "win"
        return self.own_winner(seat)

    def own_winner(self, seat: int) -> Winner:
        word = {"kong": "kong_bloom", "flower": "flower_bloom", "deal": "heavenly"}.get(self.source)
        untouched = self.draws[seat] == 1 and not self.discarded[seat] and not self.claimed
        if self.source == "head" and seat != self.dealer and untouched:
            word = "earthly"
        tile = None if word == "heavenly" else self.drawn
        return Winner(seat, self.hands[seat], "self_draw", None, word, tile)

    def may_declare(self, seat: int) -> bool:
        if not self.fresh or not readings(self.hands[seat]):
            return False
        return self.worth(self.own_winner(seat)) >= self.options["min_tai"]

    def acts(self, seat: int) -> list[Body]:
        hand = Counter(self.hands[seat])
        found: list[Body] = []
        if self.may_declare(seat):
            found.append({"type": "declared", "seat": seat, "what": "win"})
        if self.can_draw() and (self.fresh or self.options["kong_after_claim"]):
            found += [
                {"type": "konged", "seat": seat, "kind": "concealed_kong", "tiles": [tile] * 4}
                for tile, have in hand.items()
                if have == 4
            ]
            pungs = {meld.tiles[0] for meld in self.sheet.melds[seat] if meld.kind == "pung"}
            found += [
                {"type": "konged", "seat": seat, "kind": "added_kong", "tiles": [tile]}
                for tile in hand
                if tile in pungs and (self.options["late_added_kong"] or tile == self.drawn)
            ]
        found += discards(seat, (tile for tile in hand if tile not in self.banned), hand, self.drawn)
        return found

    # --- windows ---------------------------------------------------------------------------------------------

    def window(self, source: int, tile: str, seq: int, *, robbing: bool) -> Steps:
        """0.7: every seat's complete option set, one answer each, then resolved without regard to arrival."""
        last = not self.can_draw()
        sets = {seat: self.answers(seat, source, tile, robbing=robbing, last=last) for seat in range(4)}
        sets = {seat: its for seat, its in sets.items() if its}
        given = yield from asked(sets, seq)
        order = sorted(given, key=lambda seat: (seat - source) % 4)
        wins = [seat for seat in order if given[seat]["answer"] == "win"]
        if wins:
            if self.options["multi_win"] != "all":
                wins = wins[:1]
            yield from self.won([self.claimant(seat, source, tile, robbing=robbing, last=last) for seat in wins])
            return "ended"
        for seat in order:
            declined = {answer["answer"] for answer in sets[seat]} - {given[seat]["answer"]}
            if "win" in declined:
                self.lock_win(seat, {tile})
            if "pung" in declined and given[seat]["answer"] == "pass" and self.options["pass_pung_lock"] != "off":
                self.pung_locked[seat].add(tile)
        return claimed(given, order, source)

    def claimant(self, seat: int, source: int, tile: str, *, robbing: bool, last: bool) -> Winner:
        by = "robbed" if robbing else "discard"
        occasion = "last_discard" if last and not robbing else None
        return Winner(seat, [*self.hands[seat], tile], by, source, occasion, tile)

    def answers(self, seat: int, source: int, tile: str, *, robbing: bool, last: bool) -> list[Body]:
        """Return what a seat may answer beside pass."""
        if seat == source:
            return []
        hand = self.hands[seat]
        found: list[Body] = []
        if not self.win_is_locked(seat, tile) and readings([*hand, tile]):
            winner = self.claimant(seat, source, tile, robbing=robbing, last=last)
            if self.worth(winner) >= self.options["min_tai"]:
                found.append({"answer": "win"})
        if robbing or (last and self.options["last_discard_claims"] == "win_only"):
            return found
        if hand.count(tile) == 3 and not last:
            found.append({"answer": "kong", "tiles": [tile] * 3})
        if hand.count(tile) >= 2 and tile not in self.pung_locked[seat]:
            found.append({"answer": "pung", "tiles": [tile] * 2})
        if seat == (source + 1) % 4:
            for low in sorted(set(hand) | {tile}, key=PLACE.__getitem__):
                run = run_from(low)
                if run is None or tile not in run:
                    continue
                pair = list(without(run, [tile]))
                if all(each in hand for each in pair) and not self.stuck(hand, tile, pair):
                    found.append({"answer": "chow", "tiles": pair})
        return found

    def stuck(self, hand: Sequence[str], tile: str, pair: Sequence[str]) -> bool:
        """2.3: a chow is illegal if every remaining tile is forbidden."""
        if self.options["swap_ban"] == "off":
            return False
        return set(without(hand, pair)) <= swapped(tile, pair)

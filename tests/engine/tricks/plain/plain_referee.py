"""A whole log of a trick game judged by `cards.md` written plainly: no state of the engine, only the events.

`referee` walks a closed log and asserts everything that the page says of it: who is dealt what, who is asked, what is
lawful, who takes each trick, what is paid, who starts next and when the match ends. Cards are codes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plain_tricks import DECK, HIGH_TO_LOW, may_play, points, trump_order, winner

Event = Mapping[str, Any]
DEFAULTS: dict[str, dict[str, Any]] = {
    "three_one": {
        "d3_in_kitty": "seat0", "late_minimums": True, "all_pass": "redeal_same_first_bidder",
        "trump_timing": "after_bury", "bury_points": True, "permanent_twos": True,
        "defenders_need": "105_minus_bid", "koudi": "wins_outright", "kitty_points_on_koudi": 0,
        "multiplier_table": "sd_d", "base": 1,
    },
    "forty": {
        "who_may_declare": "anyone", "no_declare": "turn_kitty", "bury_point_limit": "none",
        "permanent_twos": False, "kitty_multiplier": 2, "next_starter": "partner_or_right", "must_play": "none",
        "stake": "levels_only", "base": 1,
    },
}  # fmt: skip


@dataclass
class Played:
    """What the referee saw of one hand."""

    held: list[list[str]] = field(default_factory=lambda: [[] for _ in range(4)])
    bids: list[tuple[int, int]] = field(default_factory=list)
    declarers: tuple[int, ...] = ()
    starter: int = -1
    bid: int = 0
    suit: str = ""
    buried: list[str] = field(default_factory=list)
    taken: list[int] = field(default_factory=lambda: [0] * 4)
    last: int = -1
    redeal: bool = False


class Referee:
    """One game. `kinds` counts what happened, so that a test can ask whether it happened at all."""

    def __init__(self, preset: str, options: Mapping[str, Any], log: Sequence[Event]) -> None:
        self.preset = preset
        self.opts = {**DEFAULTS[preset], **options}
        self.log = log
        self.at = next(at for at, event in enumerate(log) if event["type"] == "hand_started")
        self.spot: dict[str, Any] = {"dealer": 0, "levels": ("2", "2"), "declarers": None, "opening": True}
        self.scores = [log[0]["match"].get("start_points", 0)] * 4
        self.kinds: dict[str, int] = {}

    def count(self, kind: str) -> None:
        self.kinds[kind] = self.kinds.get(kind, 0) + 1

    def take(self, kind: str) -> Event:
        event = self.log[self.at]
        assert event["type"] == kind, (event, kind)
        self.at += 1
        return event

    def peek(self) -> str:
        return str(self.log[self.at]["type"])

    def run(self) -> None:
        while self.peek() == "hand_started":
            self.hand()
        closed = self.take("closed")
        assert closed["scores"] == self.scores
        assert self.at == len(self.log)

    def hand(self) -> None:
        start = self.take("hand_started")
        assert start["dealer"] == self.spot["dealer"]
        played = Played()
        if self.preset == "three_one":
            assert "levels" not in start
            going = self.auction(played)
        else:
            assert tuple(start["levels"]) == self.spot["levels"]
            going = self.drawing(played)
        if going == "play":
            self.tricks(played)
        if going == "redeal":
            played.redeal = True
            assert self.take("drawn_hand")["reason"] == "redeal"
            self.count("redeal")
        settled = self.take("settled")
        after, payments, over = self.settle(played, settled)
        assert list(settled["payments"]) == payments, (settled, payments)
        assert sum(payments) == 0
        assert settled["winners"] == []
        self.scores = [score + paid for score, paid in zip(self.scores, payments, strict=True)]
        ended = self.take("hand_ended")
        assert ended["scores"] == self.scores
        self.take("revealed")
        if over:
            assert "next" not in ended
            self.count("match won")
        if "next" in ended:
            assert ended["next"]["dealer"] == after["dealer"], (ended, after)
            if self.preset == "forty":
                assert tuple(ended["next"]["levels"]) == after["levels"]
        else:
            assert self.peek() == "closed"
        self.spot = after

    # --- one against three ---------------------------------------------------------------------------------------

    def auction(self, played: Played) -> str:
        deck = set(DECK)
        for step in range(4):
            dealt = self.take("dealt")
            assert dealt["seat"] == (self.spot["dealer"] + step) % 4
            assert len(dealt["tiles"]) == 12
            assert deck >= set(dealt["tiles"])
            deck -= set(dealt["tiles"])
            played.held[dealt["seat"]] = list(dealt["tiles"])
        first = self.first_bidder(played)
        if first is None:
            return "redeal"
        high = 0
        for step in range(4):
            made = self.take("bid")
            assert made["seat"] == (first + step) % 4
            bid = made["bid"]
            assert bid in {0, 60, 65, 70, 75, 80}
            assert bid == 0 or bid > high
            if self.opts["late_minimums"] and high == 0 and bid:
                assert bid >= {2: 65, 3: 70}.get(step, 60)
            if bid:
                high, played.declarers = bid, (made["seat"],)
            played.bids.append((made["seat"], bid))
            if bid == 80:
                break
        played.bid = high
        if not high:
            self.count("all pass")
            if self.opts["all_pass"] == "redeal_same_first_bidder":
                return "redeal"
            if self.opts["all_pass"] != "first_bidder_forced_at_minimum":
                return "settle"
            played.bid, played.declarers = 60, (first,)
        played.starter = played.declarers[0]
        kitty = self.take("kitty")
        assert set(kitty["cards"]) == deck
        assert "suit" not in kitty
        steps = ["buried", "trump"] if self.opts["trump_timing"] == "after_bury" else ["trump", "buried"]
        self.put_away(played, kitty, steps)
        return "play"

    def first_bidder(self, played: Played) -> int | None:
        if not self.spot["opening"]:
            return int(self.spot["dealer"])
        for code in ["3D"] + (["4D"] if self.opts["d3_in_kitty"] == "d4_holder" else []):
            for seat in range(4):
                if code in played.held[seat]:
                    return seat
        self.count("3D in the kitty")
        return None if self.opts["d3_in_kitty"] == "redeal" else 0

    def put_away(self, played: Played, kitty: Event, steps: list[str]) -> None:
        seat = played.starter
        assert kitty["seat"] == seat
        played.held[seat] += kitty["cards"]
        for step in steps:
            event = self.take(step)
            assert event["seat"] == seat
            if step == "trump":
                played.suit = event["suit"]
                continue
            cards = event["cards"]
            assert cards == sorted(set(cards), key=DECK.index)
            assert len(cards) == 6
            for card in cards:
                played.held[seat].remove(card)
            played.buried = list(cards)
            most = {"three_one": None if self.opts.get("bury_points") else 0,
                    "forty": None if self.opts.get("bury_point_limit") == "none" else 35}[self.preset]  # fmt: skip
            assert most is None or points(cards) <= most

    # --- two teams -----------------------------------------------------------------------------------------------

    def drawing(self, played: Played) -> str:
        first = self.spot["opening"]
        side = self.spot["declarers"]
        level = "2" if first else self.spot["levels"][side[0]]
        called = None
        deck = set(DECK)
        waits = self.opts["who_may_declare"] == "declarers_first" and not first
        for k in range(48):
            seat = (self.spot["dealer"] + k) % 4
            drawn = self.take("drawn")
            assert (drawn["seat"], drawn["left"], drawn["end"]) == (seat, 53 - k, "head")
            deck.remove(drawn["tile"])
            played.held[seat].append(drawn["tile"])
            holds = any(card[0] == level for card in played.held[seat] if card not in {"BJ", "SJ"})
            if called is None and holds and not (waits and seat not in side):
                called = self.answer(played, seat, level)
        if called is None and waits:
            for step in range(4):
                seat = (self.spot["dealer"] + step) % 4
                holds = any(card[0] == level for card in played.held[seat] if card not in {"BJ", "SJ"})
                if seat not in side and holds and called is None:
                    self.count("late question")
                    called = self.answer(played, seat, level)
        if called is None and self.opts["no_declare"] == "redeal":
            return "redeal"
        played.starter = self.spot["dealer"]
        if first:
            played.starter = called[0] if called else self.spot["dealer"]
            side = (0, 2) if played.starter % 2 == 0 else (1, 3)
        played.declarers = side
        kitty = self.take("kitty")
        assert set(kitty["cards"]) == deck
        if called is not None:
            played.suit = called[1][1]
            assert "suit" not in kitty
        elif self.opts["no_declare"] == "turn_kitty":
            self.count("turned")
            played.suit = kitty["suit"]
            assert played.suit == self.turned(kitty["cards"], level)
        else:
            self.count("no trump")
            assert "suit" not in kitty
        self.put_away(played, kitty, ["buried"])
        self.level = level
        return "play"

    def answer(self, played: Played, seat: int, level: str) -> tuple[int, str] | None:
        event = self.take("called")
        assert event["seat"] == seat
        if "card" not in event:
            return None
        assert event["card"] in played.held[seat]
        assert event["card"][0] == level
        self.count("called")
        return seat, event["card"]

    @staticmethod
    def turned(cards: list[str], level: str) -> str:
        suited = [card for card in cards if card not in {"BJ", "SJ"}]
        for card in suited:
            if card[0] == level:
                return card[1]
        best = suited[0]
        for card in suited[1:]:
            if HIGH_TO_LOW.index(card[0]) < HIGH_TO_LOW.index(best[0]):
                best = card
        return best[1]

    # --- both ----------------------------------------------------------------------------------------------------

    def tricks(self, played: Played) -> None:
        level = self.level if self.preset == "forty" else ""
        order = trump_order(played.suit, level, twos=self.opts["permanent_twos"])
        leader = played.starter
        for _ in range(12):
            cards: list[str] = []
            for step in range(4):
                seat = (leader + step) % 4
                event = self.take("played")
                assert event["seat"] == seat
                card = event["card"]
                assert card in may_play(played.held[seat], cards[0] if cards else "", order), event
                played.held[seat].remove(card)
                cards.append(card)
            trick = self.take("trick")
            leader = (leader + winner(cards, order)) % 4
            assert (trick["winner"], trick["points"]) == (leader, points(cards))
            played.taken[leader] += points(cards)
        played.last = leader
        assert not any(played.held)
        assert sum(played.taken) + points(played.buried) == 100

    def settle(self, played: Played, settled: Event) -> tuple[dict[str, Any], list[int], bool]:
        if played.redeal:
            assert "outcome" not in settled
            return self.spot, [0] * 4, False
        if self.preset == "three_one":
            return self.settle_auction(played, settled)
        return self.settle_levels(played, settled)

    def settle_auction(self, played: Played, settled: Event) -> tuple[dict[str, Any], list[int], bool]:
        base = self.opts["base"]
        first = played.bids[0][0]
        if not played.bid:
            after = {**self.spot, "opening": False, "dealer": first}
            seats = [(first + step) % 4 for step in range(4)]
            held = {seat: sum(card[0] == "2" or card[1] == "J" for card in played.held[seat]) for seat in seats}
            seat = next(each for each in seats if held[each] == max(held.values()))
            if self.opts["all_pass"] == "most_common_trumps_wins":
                return after, [3 * base if each == seat else -base for each in range(4)], False
            amount = base * {3: 2, 4: 3, 5: 4, 6: 5}.get(held[seat], 1)
            return after, [-3 * amount if each == seat else amount for each in range(4)], False
        declarer = played.declarers[0]
        got = sum(played.taken[seat] for seat in range(4) if seat != declarer)
        need = {"105_minus_bid": 105, "100_minus_bid": 100}[self.opts["defenders_need"]] - played.bid
        last = played.last != declarer and self.opts["koudi"] != "off"
        if last:
            got += self.opts["kitty_points_on_koudi"] * points(played.buried)
        made = got < need
        if last and self.opts["koudi"] == "wins_outright":
            times = 4 if got == 50 else 2 if made else 4 if self.opts["multiplier_table"] == "sd_g" else 3
            made = False
        else:
            times = 1
            if made and got == 0:
                times = 3
            if not made and self.opts["multiplier_table"] == "sd_d" and got == 50:
                times = 2
            if not made and self.opts["multiplier_table"] == "sd_g" and got > 1.5 * need:
                times = 2
            if last:
                times *= 2
        self.count(f"{'made' if made else 'lost'}{' by the last trick' if last else ''}")
        amount = base * times * (1 + (played.bid - 60) // 5)
        assert settled["outcome"] == {"defender_points": got, "made": made, "koudi": last}
        sign = 1 if made else -1
        payments = [sign * 3 * amount if seat == declarer else -sign * amount for seat in range(4)]
        return {**self.spot, "opening": False, "dealer": declarer}, payments, False

    def settle_levels(self, played: Played, settled: Event) -> tuple[dict[str, Any], list[int], bool]:
        side = played.declarers
        others = tuple(seat for seat in range(4) if seat not in side)
        got = sum(played.taken[seat] for seat in others)
        if played.last in others:
            got += self.opts["kitty_multiplier"] * points(played.buried)
        stays = got < 40
        gain = (3 if got == 0 else 2 if got <= 15 else 1) if stays else (got - 40) // 20
        ends = side if stays else others
        levels = list(self.spot["levels"])
        low_to_high = HIGH_TO_LOW[::-1]
        at = low_to_high.index(levels[ends[0]])
        over = False
        for step in range(1, gain + 1):
            if at + step == 13:
                over = True
                break
            levels[ends[0]] = low_to_high[at + step]
            if step < gain and low_to_high[at + step] in self.opts["must_play"] and self.opts["must_play"] != "none":
                self.count("must play")
                break
        if self.opts["next_starter"] == "partner_or_right":
            starter = (played.starter + (2 if stays else 1)) % 4
        else:
            starter = played.starter if stays else played.last
        self.count("stays" if stays else "changes")
        assert settled["outcome"] == {"attacker_points": got, "declarers": list(ends), "levels": gain}
        payments = [0] * 4
        if self.opts["stake"] == "per_hand":
            for seat in range(4):
                payments[seat] = self.opts["base"] * max(1, gain) * (1 if seat in ends else -1)
        after = {"dealer": starter, "levels": tuple(levels), "declarers": ends, "opening": False}
        if over:
            after["levels"] = self.spot["levels"]
        return after, payments, over


def referee(preset: str, options: Mapping[str, Any], log: Sequence[Event]) -> dict[str, int]:
    """Judge a whole log; return what happened how often."""
    judge = Referee(preset, options, log)
    judge.run()
    return judge.kinds


def plain_options(preset: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the referee knows; the others have one value, or show in no event."""
    return {name: value for name, value in options.items() if name in DEFAULTS[preset]}

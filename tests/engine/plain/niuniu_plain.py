"""Niuniu written a second time, plainly, from `cards.md`: on card codes, with sorting and sums, slow and short.

Nothing here is taken from `engine.banker`; options are the option map as the page names them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "SJ", "BJ"]
SUITS = ["D", "C", "H", "S"]
TABLES = {
    "zhenan_5432": [1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5],
    "t_3_2_2": [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3],
    "t_4_3_2_2": [1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4],
    "t_3_2_2_2": [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3],
    "flat": [1] * 11,
}
BULLS = ["none", *(f"bull{n}" for n in range(1, 10)), "bullbull"]


def rank(card: str) -> str:
    return card if card in {"SJ", "BJ"} else card[0]


def points(card: str) -> int:
    return min(RANKS.index(rank(card)) + 1, 10)


def single(card: str) -> tuple[int, int]:
    suit = -1 if card in {"SJ", "BJ"} else SUITS.index(card[1])
    return RANKS.index(rank(card)), suit


def specials_on(options: Mapping[str, Any]) -> dict[str, int]:
    found = {"five_face": 5, "silver": 5} if options["gold_silver"] == "on" else {}
    return {**found, **options["specials"]}


def is_special(kind: str, cards: Sequence[str], options: Mapping[str, Any]) -> bool:
    values = [points(card) for card in cards]
    faces = [card for card in cards if rank(card) in {"J", "Q", "K"}]
    if options["joker_is_face"]:
        faces += [card for card in cards if card in {"SJ", "BJ"}]
    tens = [card for card in cards if rank(card) == "T"]
    if kind == "five_small":
        return {
            "lt5_le10": all(value < 5 for value in values) and sum(values) <= 10,
            "le5_le10": all(value <= 5 for value in values) and sum(values) <= 10,
            "sum_le10": sum(values) <= 10,
            "lt5_lt10": all(value < 5 for value in values) and sum(values) < 10,
        }[options["five_small"]]
    if kind == "bomb":
        return max(Counter(rank(card) for card in cards).values()) == 4
    return len(faces) == 5 if kind == "five_face" else len(tens) == 1 and len(faces) == 4


def ladder(options: Mapping[str, Any]) -> list[str]:
    """Every type, the lowest first."""
    words = {"small": "five_small", "bomb": "bomb", "flower": "five_face"}
    specials = [words[word] for word in options["special_order"].split(">")]
    return [*BULLS, "silver", *reversed(specials)]


def kind_of(cards: Sequence[str], options: Mapping[str, Any]) -> str:
    held = [kind for kind in specials_on(options) if is_special(kind, cards, options)]
    if held:
        return max(held, key=ladder(options).index)
    values = [points(card) for card in cards]
    if not any(sum(three) in {10, 20, 30} for three in combinations(values, 3)):
        return "none"
    return BULLS[sum(values) % 10 or 10]


def multiplier(kind: str, options: Mapping[str, Any]) -> int:
    if kind in BULLS:
        return TABLES[options["mult"]][BULLS.index(kind)]
    return specials_on(options)[kind]


def quad(cards: Sequence[str]) -> int:
    return max(RANKS.index(name) for name, count in Counter(map(rank, cards)).items() if count == 4)


def winner(banker: Sequence[str], player: Sequence[str], options: Mapping[str, Any]) -> str:
    """`banker`, `player` or `nobody`."""
    order = ladder(options)
    mine, his = kind_of(banker, options), kind_of(player, options)
    if mine != his:
        return "banker" if order.index(mine) > order.index(his) else "player"
    if mine == "bomb":
        return "banker" if quad(banker) > quad(player) else "player"
    tie = options["tie"]
    if tie in {"push", "banker_wins"}:
        return "nobody" if tie == "push" else "banker"
    if tie == "high_card_then_suit":
        return "banker" if max(map(single, banker)) > max(map(single, player)) else "player"
    sorted_banker = sorted(map(single, banker), reverse=True)
    sorted_player = sorted(map(single, player), reverse=True)
    ranks = [[each[0] for each in hand] for hand in (sorted_banker, sorted_player)]
    if ranks[0] != ranks[1]:
        return "banker" if ranks[0] > ranks[1] else "player"
    return "banker" if sorted_banker > sorted_player else "player"


def pay(hands: Sequence[Sequence[str]], options: Mapping[str, Any], *, banker: int, bets: Mapping[int, int],
        bid: int) -> list[int]:  # fmt: skip
    """Payments of the bets against the banker."""
    paid = [0] * len(hands)
    times = max(bid, 1) if options["bid_multiplies"] else 1
    for seat, bet in bets.items():
        who = winner(hands[banker], hands[seat], options)
        if who == "nobody":
            continue
        holder = banker if who == "banker" else seat
        amount = bet * times * multiplier(kind_of(hands[holder], options), options)
        paid[holder] += amount
        paid[seat if who == "banker" else banker] -= amount
    return paid


def best_first(hands: Sequence[Sequence[str]], options: Mapping[str, Any]) -> list[int]:
    """Seats by hand, the best first; equal types always by bomb, high card, suit."""
    order = ladder(options)

    def key(seat: int) -> tuple[int, int, tuple[int, int]]:
        kind = kind_of(hands[seat], options)
        return order.index(kind), quad(hands[seat]) if kind == "bomb" else 0, max(map(single, hands[seat]))

    return sorted(range(len(hands)), key=key, reverse=True)


def pay_all(hands: Sequence[Sequence[str]], options: Mapping[str, Any], stake: int) -> list[int]:
    """Payments of 通比."""
    paid = [0] * len(hands)
    order = best_first(hands, options)
    pairs: Iterable[tuple[int, int]] = combinations(order, 2)
    if options["tongbi"] == "winner_takes_all":
        pairs = [(order[0], loser) for loser in order[1:]]
    for better, worse in pairs:
        amount = stake * multiplier(kind_of(hands[better], options), options)
        paid[better] += amount
        paid[worse] -= amount
    return paid


def highest(options: Mapping[str, Any]) -> int:
    return max([*TABLES[options["mult"]], *specials_on(options).values()])


class Referee:
    """Watches a game's records one by one and asserts what the page says of each; knows no engine state."""

    def __init__(self, options: Mapping[str, Any], players: int, start_points: int) -> None:
        self.options = options
        self.n = players
        self.capped = options["cap_by_balance"] and start_points != 0
        self.scores = [start_points] * players
        self.dealer = 0
        self.may_push: set[int] = set()
        self.seen: Counter[str] = Counter()

    def turn(self) -> list[int]:
        return [(self.dealer + step) % self.n for step in range(self.n)]

    def able(self, seat: int) -> bool:
        return not self.capped or self.scores[seat] >= (self.n - 1) * highest(self.options) * self.options["base"]

    def hand(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Judge the records of one whole hand, from `hand_started` to `hand_ended`."""
        mode, base = self.options["banker"], self.options["base"]
        todo = list(records)

        def take(kind: str) -> list[Mapping[str, Any]]:
            found = []
            while todo and todo[0]["type"] == kind:
                found.append(todo.pop(0))
            return found

        assert take("hand_started")[0]["dealer"] == self.dealer
        cards: list[list[str]] = [[] for _ in range(self.n)]

        def deal(size: int) -> None:
            for seat, record in zip(self.turn(), take("dealt"), strict=True):
                assert record["seat"] == seat
                assert len(record["tiles"]) == size
                cards[seat] += record["tiles"]

        seen = {"see3_bid": 3, "see4_bid": 4}.get(mode, 0)
        if seen:
            deal(seen)
        bids = take("bid")
        banker, bid, bets, escaped = -1, 1, {}, []
        if mode != "none":
            (told,) = take("banker")
            banker, bid = told["seat"], told["bid"]
            assert banker in self.lawful_bankers(bids)
            assert bid == max([1, *(each["bid"] for each in bids)])
            acts = []
            while todo[0]["type"] in {"bet", "escaped"}:
                acts.append(todo.pop(0))
            for act in acts:
                seat = act["seat"]
                if act["type"] == "bet":
                    assert seat != banker
                    assert seat not in bets
                    self.check_bet(seat, act["amount"])
                    bets[seat] = act["amount"]
                else:
                    assert self.options["escape"] == "zhenan"
                    assert seat == banker or seat in bets
                    escaped.append(seat)
            self.seen.update(act["type"] for act in acts)
        if banker in escaped and banker >= 0:
            paid = self.escapes(banker, bid, bets, escaped, dealt=bool(seen))
        else:
            assert mode == "none" or len(bets) == self.n - 1
            deal(5 - seen)
            shown = take("shown")
            assert [each["seat"] for each in shown] == self.turn()
            for each in shown:
                assert each["cards"] == cards[each["seat"]]
                assert each["bull"] == kind_of(each["cards"], self.options)
                self.seen[each["bull"]] += 1
            paid = self.paid(cards, banker, bid, bets, escaped, dealt=bool(seen))
        (settled,) = take("settled")
        assert settled["payments"] == paid
        assert sum(paid) == 0
        assert settled["winners"] == []
        fled = banker in escaped and banker >= 0
        self.may_push = set()
        if mode != "none" and not fled:
            ordinary = {base * factor for factor in self.options["bets"]} | {base}
            self.may_push = {seat for seat, bet in bets.items() if paid[seat] > 0 and bet in ordinary}
        self.dealer = self.next_dealer(cards, banker, escaped, fled=fled)
        self.scores = [had + won for had, won in zip(self.scores, paid, strict=True)]
        (ended,) = take("hand_ended")
        assert ended["scores"] == self.scores
        assert ended.get("next", {"dealer": self.dealer}) == {"dealer": self.dealer}
        assert todo == []

    def lawful_bankers(self, bids: Sequence[Mapping[str, Any]]) -> set[int]:
        mode = self.options["banker"]
        order = self.turn()
        if mode in {"fixed_owner", "rotate", "bull_takes"}:
            assert not bids
            return {0} if mode == "fixed_owner" else {self.dealer}
        for each in bids:
            assert each["bid"] == 0 or self.able(each["seat"])
            assert each["bid"] <= (1 if mode == "asked" else self.options["max_bid"])
        if mode == "asked":
            assert [each["seat"] for each in bids] == order[: len(bids)]
            assert all(each["bid"] == 0 for each in bids[:-1])
            if bids[-1]["bid"]:
                return {bids[-1]["seat"]}
            assert len(bids) == self.n
            self.seen["all decline"] += 1
            forced = {"first_forced": {order[0]}, "last_forced": {order[-1]}, "random": set(order)}
            return forced[self.options["all_decline"]]
        assert sorted(each["seat"] for each in bids) == list(range(self.n))
        top = max(each["bid"] for each in bids)
        found = {each["seat"] for each in bids if each["bid"] == top}
        self.seen["equal bids"] += len(found) > 1
        return found

    def check_bet(self, seat: int, amount: int) -> None:
        base = self.options["base"]
        allowed = [base * factor for factor in self.options["bets"]]
        if self.options["push_bet"] != "off" and seat in self.may_push:
            allowed.append(base * self.options["push_bet"])
        self.seen["pushed"] += amount not in [base * factor for factor in self.options["bets"]] and amount != base
        if self.capped:
            allowed = [each for each in allowed if each * highest(self.options) <= self.scores[seat]] + [base]
        assert amount in allowed

    def escapes(self, banker: int, bid: int, bets: Mapping[int, int], escaped: Sequence[int], *,
                dealt: bool) -> list[int]:  # fmt: skip
        paid = [0] * self.n
        times = (5 if dealt else 1) * (bid if self.options["bid_multiplies"] else 1)
        for seat in bets:
            sign = -1 if seat in escaped else 1 if banker in escaped else 0
            paid[seat] += sign * bets[seat] * times
            paid[banker] -= sign * bets[seat] * times
        return paid

    def paid(self, cards: Sequence[Sequence[str]], banker: int, bid: int, bets: Mapping[int, int],
             escaped: Sequence[int], *, dealt: bool) -> list[int]:  # fmt: skip
        if banker < 0:
            return pay_all(cards, self.options, self.options["base"])
        here = {seat: bet for seat, bet in bets.items() if seat not in escaped}
        won = pay(cards, self.options, banker=banker, bets=here, bid=bid)
        lost = self.escapes(banker, bid, bets, escaped, dealt=dealt)
        return [one + other for one, other in zip(won, lost, strict=True)]

    def next_dealer(self, cards: Sequence[Sequence[str]], banker: int, escaped: Sequence[int], *, fled: bool) -> int:
        mode = self.options["banker"]
        if mode == "fixed_owner":
            return 0
        if mode == "bull_takes":
            if fled:
                return self.dealer
            able = [
                seat
                for seat in range(self.n)
                if seat not in escaped and kind_of(cards[seat], self.options) == "bullbull"
            ]
            by_high = {**self.options, "tie": "high_card_then_suit"}
            rule = self.options if self.options["tie"] == "all_ranks_then_suits" else by_high
            for seat in able:
                if all(winner(cards[seat], cards[other], rule) == "banker" for other in able if other != seat):
                    return seat
            return self.dealer
        if mode == "asked" and self.options["all_decline"] == "last_forced":
            return (banker + 1) % self.n
        return (self.dealer + 1) % self.n


def hands_of(records: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Cut a game's records into hands, interruptions left out."""
    found: list[list[Mapping[str, Any]]] = []
    inside = False
    for record in records:
        if record["type"] == "hand_started":
            found.append([])
            inside = True
        if inside and record["type"] not in {"away", "back", "refused", "voted"}:
            found[-1].append(record)
        if record["type"] == "hand_ended":
            inside = False
    return found

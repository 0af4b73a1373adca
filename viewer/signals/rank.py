"""From the facts of many games to ranked evidence: one row for each account or pair that a signal can speak of.

same_table       two accounts meet more often than their numbers of games let expect (effect: times as often)
deal_in          one discards the other's winning tile more often than other winners' (effect: times as often)
feeding          one is given pungs by the other more often than by other seats (effect: times as often)
transfer         points go one way between two, beyond how both do against others (effect: points a hand)
with_partner     one does better with the other at the table than without (effect: points a game)
hidden           one avoids, or finds, tiles that hidden hands could win on (effect: rate against others')
voids            one has hands voided more often than others (effect: times as often)
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from scipy import stats

from viewer.estimate.evidence import Evidence, dispersion, ranked, rate_shift, sign_flip, upper_tail, welch
from viewer.signals.facts import GameFacts, HandFacts

LEAST = 10
"""Fewer occasions say nothing of anybody."""
LEAST_EXPOSURE = 5.0
EXAMPLES = 5
Pair = tuple[str, str]
Occasion = tuple[str, str, tuple[str, ...], str]
"""Who acted, whom it met, whom it could have met, where."""
Weight = Callable[[str], float]


@dataclass(slots=True)
class _Chosen:
    """Occasions on which one of several others was met: the chance that each had, and where."""

    chances: list[float] = field(default_factory=list)
    hits: int = 0
    where: list[str] = field(default_factory=list)

    def hit(self, place: str) -> None:
        self.hits += 1
        if len(self.where) < EXAMPLES:
            self.where.append(place)


class Signals:
    """Takes the facts of games in any order; `evidence` ranks what they say."""

    def __init__(self) -> None:
        self.games = 0
        self.hands = 0
        self._queues: dict[str, Counter[str]] = defaultdict(Counter)
        self._met: dict[tuple[str, str, str], int] = Counter()
        self._sizes: dict[str, list[int]] = defaultdict(list)
        self._wins: Counter[str] = Counter()
        self._played: Counter[str] = Counter()
        self._dealt_in: list[Occasion] = []
        self._fed: list[Occasion] = []
        self._flows: dict[Pair, list[tuple[int, str]]] = defaultdict(list)
        self._gains: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0]))
        self._results: dict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
        self._exposure: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._dangers: dict[str, list[str]] = defaultdict(list)
        self._voids: Counter[str] = Counter()
        self._void_places: dict[str, list[str]] = defaultdict(list)

    def take(self, game: GameFacts) -> None:
        """Add a game."""
        names = game.players
        if len(names) < 2:
            return
        self.games += 1
        for place, name in enumerate(names):
            self._queues[game.queue][name] += 1
            for other in names[place + 1 :]:
                one, two = sorted((name, other))
                self._met[game.queue, one, two] += 1
        self._sizes[game.queue].append(len(names))
        totals = [0] * len(names)
        for hand in game.hands:
            self._hand(names, hand, f"{game.game} hand {hand.hand}")
            for seat, paid in enumerate(hand.payments[: len(names)]):
                totals[seat] += paid
        for seat, name in enumerate(names):
            others = tuple(other for other in names if other != name)
            self._results[name].append((others, totals[seat]))

    def _hand(self, names: tuple[str, ...], hand: HandFacts, where: str) -> None:
        self.hands += 1
        seats = range(len(names))
        for name in names:
            self._played[name] += 1
        for source, winner in hand.deal_ins:
            if source in seats and winner in seats:
                self._wins[names[winner]] += 1
                self._dealt_in.append((names[source], names[winner], _others(names, source), where))
        for source, taker in hand.fed:
            if source in seats and taker in seats:
                self._fed.append((names[taker], names[source], _others(names, taker), where))
        for one in seats:
            for two in seats:
                if one < two:
                    self._flow(
                        names[one], names[two], hand.flows.get((one, two), 0) - hand.flows.get((two, one), 0), where
                    )
        for seat, share, dealt_in in hand.dangers:
            exposure = self._exposure[names[seat]]
            exposure[0] += dealt_in
            exposure[1] += share
            if dealt_in and len(self._dangers[names[seat]]) < EXAMPLES:
                self._dangers[names[seat]].append(where)
        if hand.voided_by in names:
            self._voids[hand.voided_by] += 1
            if len(self._void_places[hand.voided_by]) < EXAMPLES:
                self._void_places[hand.voided_by].append(where)

    def _flow(self, payer: str, taker: str, amount: int, where: str) -> None:
        key, signed = ((payer, taker), amount) if payer < taker else ((taker, payer), -amount)
        self._flows[key].append((signed, where))
        for name, other, gained in ((payer, taker, -amount), (taker, payer, amount)):
            total = self._gains[name][other]
            total[0] += gained
            total[1] += 1

    def evidence(self) -> list[Evidence]:
        """Return all evidence, the strongest first, with q-values over all of it."""
        return ranked([
            *self._same_table(), *self._deal_in(), *self._feeding(), *self._transfer(), *self._with_partner(),
            *self._hidden(), *self._void(),
        ])  # fmt: skip

    def _same_table(self) -> Iterator[Evidence]:
        for (queue, one, two), met in sorted(self._met.items()):
            games = self._queues[queue]
            seats = sum(self._sizes[queue])
            first, second = games[one], games[two]
            if min(first, second) < LEAST or len(games) <= max(self._sizes[queue]):
                continue  # a closed circle meets always
            size = seats / len(self._sizes[queue])
            chance = min(1.0, (size - 1) * second / (seats - first))
            expected = first * chance
            p = float(stats.binom.sf(met - 1, first, chance))
            yield Evidence("same_table", (one, two), first, met, expected, met / expected, p)

    def _deal_in(self) -> Iterator[Evidence]:
        def weight(name: str) -> float:
            return (self._wins[name] + 1) / (self._played[name] + 4)

        yield from self._choices("deal_in", self._dealt_in, weight)

    def _feeding(self) -> Iterator[Evidence]:
        yield from self._choices("feeding", self._fed, lambda _: 1.0)

    @staticmethod
    def _choices(signal: str, occasions: Sequence[Occasion], weight: Weight) -> Iterator[Evidence]:
        """Judge each pair by how often it was this one of those who could have been it."""
        found: dict[Pair, _Chosen] = defaultdict(_Chosen)
        for actor, met, others, where in occasions:
            total = sum(weight(other) for other in others)
            for other in others:
                found[actor, other].chances.append(weight(other) / total)
            found[actor, met].hit(where)
        for (actor, met), each in sorted(found.items()):
            expected = sum(each.chances)
            if len(each.chances) >= LEAST and 0 < expected < len(each.chances):
                p = upper_tail(each.chances, each.hits)
                yield Evidence(signal, (actor, met), len(each.chances), each.hits, expected, each.hits / expected, p,
                               examples=each.where)  # fmt: skip

    def _transfer(self) -> Iterator[Evidence]:
        for (one, two), hands in sorted(self._flows.items()):
            if len(hands) < LEAST:
                continue
            usual = self._gain_without(two, one) - self._gain_without(one, two)
            rest = [amount - usual for amount, _ in hands]
            net = sum(rest) / len(rest)
            who = (one, two) if net >= 0 else (two, one)
            sign = 1 if net >= 0 else -1
            examples = [where for amount, where in sorted(hands, key=lambda each: -sign * each[0])[:EXAMPLES]
                        if sign * amount > 0]  # fmt: skip
            observed = sign * sum(amount for amount, _ in hands)
            yield Evidence("transfer", who, len(hands), observed, sign * usual * len(hands), abs(net), sign_flip(rest),
                           examples=examples)  # fmt: skip

    def _gain_without(self, name: str, other: str) -> float:
        """Return what an account gains from an opponent in a hand, this one left out; 0 where there is no other."""
        gained = sum(total for opponent, (total, _) in self._gains[name].items() if opponent != other)
        hands = sum(count for opponent, (_, count) in self._gains[name].items() if opponent != other)
        return gained / hands if hands else 0.0

    def _with_partner(self) -> Iterator[Evidence]:
        for name, games in sorted(self._results.items()):
            for partner in sorted({other for others, _ in games for other in others}):
                together = [float(result) for others, result in games if partner in others]
                apart = [float(result) for others, result in games if partner not in others]
                if min(len(together), len(apart)) < LEAST:
                    continue
                mean, other = sum(together) / len(together), sum(apart) / len(apart)
                yield Evidence("with_partner", (name, partner), len(together), mean, other, mean - other,
                               welch(together, apart))  # fmt: skip

    def _hidden(self) -> Iterator[Evidence]:
        hits = sum(hit for hit, _ in self._exposure.values())
        total = sum(exposure for _, exposure in self._exposure.values())
        for name, (hit, exposure) in sorted(self._exposure.items()):
            rest = total - exposure
            if exposure < LEAST_EXPOSURE or rest <= 0 or hits - hit <= 0:
                continue
            others = [each for other, each in self._exposure.items() if other != name]
            spread = dispersion([each[0] for each in others], [each[1] for each in others])
            expected = (hits - hit) / rest * exposure
            p = rate_shift(hit, exposure, hits - hit, rest, spread)
            yield Evidence("hidden", (name,), round(exposure), hit, expected, hit / expected, p,
                           examples=self._dangers[name])  # fmt: skip

    def _void(self) -> Iterator[Evidence]:
        voids, played = sum(self._voids.values()), sum(self._played.values())
        for name, count in sorted(self._voids.items()):
            rest = played - self._played[name]
            if self._played[name] < LEAST or not rest:
                continue
            rate = (voids - count + 0.5) / (rest + 1)
            expected = rate * self._played[name]
            p = float(stats.binom.sf(count - 1, self._played[name], rate))
            yield Evidence("voids", (name,), self._played[name], count, expected, count / expected, p,
                           examples=self._void_places[name])  # fmt: skip


def _others(names: tuple[str, ...], seat: int) -> tuple[str, ...]:
    return tuple(name for place, name in enumerate(names) if place != seat)

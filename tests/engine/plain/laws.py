"""Laws that hold at every event of every hand, whatever its rules: what the tests of all variants ask of the engine.

The engine beside a referee, conservation, hand sizes, every conceivable decision, and the answers of each window.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import TypeVar

from goldens import DATA, Refereeing
from referee import Referee
from referees import referee_of
from tables import Laid, states

from engine import frame, verbs
from engine.cards import KINDS
from engine.events import Body, Record, canonical, load
from engine.game import Game

R = TypeVar("R", bound=Refereeing)
ALL = (*KINDS, "0m", "0p", "0s")
WHATS = ("win", "eight_flowers", "riichi", "nine_terminals")
OTHER_FAMILIES: tuple[Body, ...] = (
    {"type": "bid", "seat": 0, "bid": 1},
    {"type": "bet", "seat": 1, "amount": 5},
    {"type": "called", "seat": 2},
    {"type": "buried", "seat": 0, "cards": []},
    {"type": "trump", "seat": 0, "suit": "H"},
    {"type": "played", "seat": 3, "card": "SA"},
    {"type": "ga_chosen", "seat": 0, "ga": 1},
    {"type": "escaped", "seat": 0},
)


def plain_settlement(body: Body) -> Body:
    return {
        "type": "settled",
        "winners": [(winner["seat"], winner["tai"]) for winner in body["winners"]],
        "payments": body["payments"],
        "lines": sorted((line["from"], line["to"], line["amount"]) for line in body["lines"]),
    }


def compare(game: Game, referee: Referee) -> None:
    """Compare what the engine wants next with what the referee wants."""
    kind, its = referee.want
    due = frame.due(game)
    if kind == "over":
        assert due is not None
        assert due["type"] == "hand_ended"
        assert due["scores"] == [had + paid for had, paid in zip(game.scores, its, strict=True)]
        if "next" in due:
            assert due["next"]["dealer"] == referee.next_dealer()
    elif kind == "due":
        assert due is not None
        assert plain_settlement(due) == its if due["type"] == "settled" else due == its
        assert verbs.options(game) == []
    else:
        assert due is None
        mine = [canonical(body) for body in verbs.options(game)]
        assert sorted(mine) == sorted(canonical(body) for body in its)
        assert len(set(mine)) == len(mine)


def beside(
    lines: list[bytes], laid: Laid | None, begun: Callable[[Game], R]
) -> Iterator[tuple[Game, Record, R | None]]:
    """Yield the game after each event, the event, and the referee of the hand in play, who has accepted it."""
    referee: R | None = None
    for game, record in states(lines, laid):
        if record["type"] == "hand_started":
            referee = begun(game)
        elif record["type"] == "hand_ended":
            referee = None
        elif referee is not None:
            referee.accept(record)
        yield game, record, referee


def referee_game(lines: list[bytes], seen: Counter[str], laid: Laid | None = None) -> None:
    """Follow a whole log with the referee beside the engine."""
    for game, record, referee in beside(lines, laid, referee_of):
        if referee is None:
            continue
        if record["type"] != "hand_started":
            count(record, seen)
        compare(game, referee)


def count(record: Record, seen: Counter[str]) -> None:
    kind = record["type"]
    seen[kind] += 1
    for name in ("kind", "by", "occasion", "reason", "answer"):
        if name in record:
            seen[record[name]] += 1
    if kind == "settled":
        seen[f"{len(record['winners'])} winners"] += 1
        seen["liability"] += any(line["reason"] == "liability" for line in record["lines"])


def stem(name: str) -> str:
    return name.replace(", ", "-").replace(" ", "-")


def on_the_table(hand: object) -> Counter[str]:
    """Count what has left the wall, by the sides' own lists."""
    seen: Counter[str] = Counter()
    for side in hand.sides:  # type: ignore[attr-defined]
        for kind, have in enumerate(side.counts):
            seen[KINDS[kind]] += have
        seen.update(KINDS[kind] for kind in [*side.held, *side.flowers])
        for meld in side.melds:
            seen.update(KINDS[kind] for kind in meld.whole)
        seen.update(KINDS[discard.tile] for discard in side.discards if discard.claimed_by < 0)
    if hand.pending_kong >= 0:  # type: ignore[attr-defined]
        seen[KINDS[hand.pending_kong]] += 1  # type: ignore[attr-defined]
    return +seen


def pays_zero(record: Record) -> None:
    """Demand that a settlement's payments sum to zero and are what its lines pay, each from one seat to another."""
    totals = [0] * len(record["payments"])
    for line in record["lines"]:
        assert line["amount"] > 0
        assert line["from"] != line["to"]
        totals[line["from"]] -= line["amount"]
        totals[line["to"]] += line["amount"]
    assert totals == record["payments"]
    assert sum(totals) == 0


def taken_by(record: Record) -> list[str]:
    """Return the tiles that an event takes from the wall."""
    if record["type"] == "drawn":
        return [record["tile"]]
    tiles: list[str] = record["tiles"] if record["type"] == "dealt" else []
    return [*tiles, record["indicator"]] if "indicator" in record else tiles


def sizes(game: Game) -> None:
    """14 tiles for the seat that acts, 13 for every other, a kong counted as three."""
    hand = game.hand
    have = [side.size() + 3 * len(side.melds) for side in hand.sides]
    if hand.phase == "act":
        assert have == [14 if seat == hand.turn else 13 for seat in range(4)]
    elif hand.phase in {"draw", "window", "claim"}:
        assert have == [13] * 4


def vocabulary(to: int, *, window: bool) -> Iterator[Body]:
    """Yield every conceivable decision of the vocabulary: all seats, tiles, kinds and combinations."""
    for seat in range(5):
        for tile in ALL:
            yield {"type": "discarded", "seat": seat, "tile": tile}
            yield {"type": "discarded", "seat": seat, "tile": tile, "drawn": True}
            for kind, size in product(("concealed_kong", "added_kong"), (0, 1, 3, 4)):
                yield {"type": "konged", "seat": seat, "kind": kind, "tiles": [tile] * size}
        for what in WHATS:
            yield {"type": "declared", "seat": seat, "what": what}
        for target in (to, to + 1, 0):
            head: Body = {"type": "answered", "seat": seat, "to": target}
            yield {**head, "answer": "pass"}
            yield {**head, "answer": "win"}
            yield {**head, "answer": "win", "tiles": ["1m"]}
            yield {**head, "answer": "pass", "tiles": ["1m"]}
            for answer, size in product(("kong", "pung", "chow"), (0, 1, 2, 3, 4)):
                yield from ({**head, "answer": answer, "tiles": [tile] * size} for tile in ALL)
            yield {**head, "answer": "pung"}
        if window:
            head = {"type": "answered", "seat": seat, "to": to}
            for low, high in permutations(KINDS, 2):
                yield {**head, "answer": "chow", "tiles": [low, high]}
            for low in range(26):
                yield {**head, "answer": "chow", "tiles": [KINDS[low], KINDS[low + 1], KINDS[low + 1]]}
                yield {**head, "answer": "pung", "tiles": [KINDS[low], KINDS[low + 1]]}
                yield {**head, "answer": "kong", "tiles": [KINDS[low], KINDS[low], KINDS[low + 1]]}
    yield from OTHER_FAMILIES


def windows_of(lines: list[bytes]) -> list[list[int]]:
    """Return the seqs of the answers of each window with more than one."""
    found: dict[int, list[int]] = {}
    for line in lines:
        record = load(line)
        if record["type"] == "answered":
            found.setdefault(record["to"], []).append(record["seq"])
    return [seqs for seqs in found.values() if len(seqs) > 1]


def rearranged(records: list[Record], windows: Iterable[list[int]]) -> Iterator[list[bytes]]:
    """Yield the log with the events of each window (their seqs) in every order but their own."""
    for seqs in windows:
        for order in list(permutations(seqs))[1:]:
            changed = list(records)
            for place, source in zip(seqs, order, strict=True):
                changed[place] = {**records[source], "seq": place, "at": records[place]["at"]}
            yield [canonical(record) for record in changed]


# --- one source of legality ---------------------------------------------------------------------------------------


def clauses(*parts: str) -> set[str]:
    """Return the ids of the clauses that have a text, of these folders of `data` and of all games."""
    return {key for part in ("common", *parts) for key in json.loads((DATA / part / "clauses.json").read_bytes())}


@dataclass(slots=True)
class Sample:
    """States of which every conceivable decision was judged: at most so many windows, and turns, each `every` events.

    A decision must be refused, with a clause that has a text, exactly where the referee does not allow it.
    """

    known: set[str]
    most_windows: int
    most_turns: int
    every: int
    windows: int = 0
    turns: int = 0
    lawful: int = 0

    def take(self, followed: Iterable[tuple[Game, Record, Refereeing | None]]) -> None:
        """Judge those states of a game (as `beside` yields them) that the sample still wants."""
        for step, (game, _, referee) in enumerate(followed):
            if referee is None or referee.want[0] != "choose" or game.hand.phase == "ga":
                continue
            window = game.hand.phase == "window"
            if (window and self.windows < self.most_windows) or (
                step % self.every == 0 and self.turns < self.most_turns
            ):
                self.windows += window
                self.turns += not window
                self.judge(game, referee, window=window)

    def judge(self, game: Game, referee: Refereeing, *, window: bool) -> None:
        to = game.hand.window.to if window else game.seq - 1
        allowed = {canonical(body) for body in referee.want[1]}
        for body in vocabulary(to, window=window):
            fault = verbs.judge(game, {**body, "at": game.at, "game": game.premise.game, "seq": game.seq, "v": 1})
            assert (fault is None) == (canonical(body) in allowed), (body, fault)
            if fault is None:
                allowed.discard(canonical(body))
                self.lawful += 1
            else:
                assert fault.clause in self.known, fault
        assert not allowed  # the vocabulary named every lawful decision

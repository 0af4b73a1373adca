"""One hand of mahjong played by script on a laid wall: consequences follow by themselves, decisions are named.

For rules whose wall is not broken (g0 = 0): the wall is the order of drawing. Every decision is judged before it is
applied, every consequence is written down.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.cards import INDEX, KINDS, parse_hand, tile_deck
from engine.events import Body
from engine.family import Fault, due_in, step_in
from engine.mahjong import flow, opening, state
from engine.mahjong.rules import MahjongRules
from engine.variants import find


def codes(text: str) -> list[str]:
    found: list[str] = []
    for word in text.split():
        found += [word] if word in KINDS else [KINDS[kind] for kind in parse_hand(word)]
    return found


def dealt_to(players: int) -> list[list[int]]:
    """Return the places of each seat's tiles, the dealer first: three blocks of four, one more, the dealer's last."""
    taken: list[list[int]] = [[] for _ in range(players)]
    head = 0
    for _ in range(3):
        for seat in range(players):
            taken[seat] += range(head, head + 4)
            head += 4
    for seat in range(players):
        taken[seat].append(head)
        head += 1
    taken[0].append(head)
    return taken


def laid(rules: MahjongRules, hands: Sequence[str], head: str, tail: str) -> tuple[int, ...]:
    """Lay a wall: tiles dealt, then drawn from the head, and from the tail; the rest is filled so that nothing matches.

    Filler goes through all kinds before it takes a second copy of one; red dragons and flowers come last.
    """
    deck = [each.partition(".")[0] for each in tile_deck(flowers=rules.flowers, winds=not rules.no_winds)]
    wall: list[str] = [""] * len(deck)
    places = dealt_to(rules.players)
    for seat, text in enumerate(hands):
        for at, code in zip(places[seat], codes(text), strict=False):
            wall[at] = code
    first = 13 * rules.players + 1
    for at, code in enumerate(codes(head)):
        wall[first + at] = code
    last = len(wall)
    for step, code in enumerate(codes(tail)):
        at = last - 2 - step if step % 2 == 0 else last - step
        assert not wall[at], "head and tail meet"
        wall[at] = code
    left = list(deck)
    for code in wall:
        if code:
            left.remove(code)
    spread = sorted(
        (code[0] == "f", code == "C", left[:at].count(code), INDEX[code] * 7 % 34, code) for at, code in enumerate(left)
    )
    filler = iter([each[-1] for each in spread])
    return tuple(INDEX[code or next(filler)] for code in wall)


class Play:
    """A hand in play. `events`: every body so far; the seq of an event is its place."""

    def __init__(self, rules_id: str = "hainan", options: Mapping[str, Any] | None = None, *, hands: Sequence[str] = (),
                 head: str = "", tail: str = "", dice: Sequence[int] = (), wild: int = 0,
                 spot: Mapping[str, Any] | None = None, wall: Sequence[int] | None = None) -> None:  # fmt: skip
        rules = find(rules_id, options)
        assert isinstance(rules, MahjongRules)
        self.rules = rules
        start = {**flow.first(rules), **(spot or {})}
        wind = 27 + "ESWN".index(start["round_wind"])
        order = tuple(wall) if wall is not None else laid(rules, hands, head, tail)
        self.hand = state.start(rules, start["dealer"], wind, order, tuple(dice))
        self.hand.streak = start.get("streak", 0)
        if not rules.ga_free:
            self.hand.least_ga = tuple(start.get("ga", self.hand.least_ga))
        self.hand.wild_drawn = wild
        if rules.wall_break == "none":
            opening.break_wall(self.hand)
        self.spot = start
        self.events: list[Body] = []
        self.run()

    def run(self) -> None:
        """Apply consequences until a decision is awaited or the hand is settled."""
        while (body := due_in(flow, self.hand)) is not None:
            self._step(body)

    def _step(self, body: Body) -> None:
        record = {**body, "seq": len(self.events), "at": 0, "game": "g", "v": 1}
        self.events.append(dict(body))
        step_in(flow, self.hand, record)

    def fault(self, body: Body) -> Fault | None:
        record = {**body, "seq": len(self.events), "at": 0, "game": "g", "v": 1}
        return flow.fault(self.hand, record)

    def act(self, **body: Any) -> "Play":
        """Apply a lawful decision and what follows."""
        fault = self.fault(body)
        assert fault is None, fault
        assert body in flow.options(self.hand), body
        self._step(body)
        self.run()
        return self

    def refused(self, **body: Any) -> str:
        """Return the clause by which a decision is refused."""
        fault = self.fault(body)
        assert fault is not None, body
        assert body not in flow.options(self.hand)
        return fault.clause

    def discard(self, seat: int, tile: str, **flags: Any) -> "Play":
        return self.act(type="discarded", seat=seat, tile=tile, **flags)

    def discard_drawn(self, seat: int) -> "Play":
        return self.discard(seat, KINDS[self.hand.drawn], drawn=True)

    def answer(self, seat: int, word: str, tiles: str = "") -> "Play":
        assert self.hand.window is not None
        more = {"tiles": codes(tiles)} if tiles else {}
        return self.act(type="answered", seat=seat, to=self.hand.window.to, answer=word, **more)

    def passing(self) -> "Play":
        """Let everybody who is asked pass."""
        while self.hand.phase == "window":
            seat = next(body["seat"] for body in flow.options(self.hand))
            self.answer(seat, "pass")
        return self

    def kong(self, seat: int, kind: str, tiles: str) -> "Play":
        return self.act(type="konged", seat=seat, kind=kind, tiles=codes(tiles))

    def win(self, seat: int) -> "Play":
        return self.act(type="declared", seat=seat, what="win")

    def words(self, *types: str) -> list[Body]:
        """Return the events of these types."""
        return [body for body in self.events if body["type"] in types]

    @property
    def answers(self) -> dict[int, set[str]]:
        """Return what each seat that is asked may answer beside pass; chows with their tiles."""
        found: dict[int, set[str]] = {}
        for body in flow.options(self.hand):
            if body["type"] == "answered" and body["answer"] != "pass":
                told = body["answer"] + ("" if body["answer"] != "chow" else " " + "".join(body["tiles"]))
                found.setdefault(body["seat"], set()).add(told)
        return found

    @property
    def settled(self) -> Body:
        assert self.hand.phase == "ended", self.hand.phase
        return self.events[-1]

    def next(self, first_dealer: int = 0) -> Body:
        """Return what the next hand starts with."""
        return flow.succeed(self.rules, self.spot, self.hand, first_dealer)

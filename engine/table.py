"""A live table: the same verbs, run forward. Decisions in, events out, ready for the ledger.

Ids, seeds and `at` come from the caller; the table adds the consequences. An unlawful act is refused with its fault
and changes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine import frame, verbs
from engine.events import Body, Record, build, canonical, check
from engine.family import Fault
from engine.premise import context_of
from engine.proofs import Told, prove
from engine.rules import Rules
from engine.shuffle import Commitment, Context
from engine.verbs import family_of


class RefusedError(ValueError):
    """An act that may not come now; carries the fault."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(f"{fault.code} ({fault.clause}): expected {fault.expected}, found {fault.found}")


def opening(rules: Rules, **fields: Any) -> tuple[Body, Context]:  # noqa: ANN401  the fields of `opened`
    """Return the body of an `opened` without `root_s`, and its deal context, which the commitment needs.

    `fields`: game, engine, operator, table, seats, match, deal (without `root_s`), stake, and `preset`, the rules
    from which the options differ.
    """
    preset: Rules = fields.pop("preset")
    game = fields.pop("game")
    ref = {"id": rules.id, "options": rules.differing(preset), "digest": rules.digest()}
    body: Body = {"type": "opened", "rules": ref, **fields}
    return body, context_of({**body, "game": game}, rules, family_of(rules))


class Table:
    """One game in play: who acts, gets the events that follow."""

    def __init__(self, opened: Body, game: str, commitment: Commitment, root_seed: bytes | None, at: int) -> None:
        """Open a game. `opened` is the body without `root_s`; a wrong premise raises ValueError."""
        deal = {**opened["deal"], "root_s": commitment.root.hex()}
        event = build({**opened, "deal": deal}, at=at, game=game, seq=0)
        self.game = verbs.begin(event, commitment=commitment, root_seed=root_seed)
        self.opened = event
        self.proving = False
        """Prove each tile as it is dealt, drawn or turned, for `take_proofs`."""
        self.proofs: list[tuple[int, Told]] = []

    @property
    def over(self) -> bool:
        """Tell whether the game is closed."""
        return self.game.phase == "over"

    def legal(self) -> Sequence[Body]:
        """Return the bodies of every decision that may come next."""
        return verbs.options(self.game)

    def act(self, decision: Mapping[str, Any], at: int) -> list[bytes]:
        """Apply a decision; return the canonical bytes of its event and of the consequences that follow.

        `decision` is the body (with `seat`); raises RefusedError with the fault, or EventError for no event at all.
        """
        record = {**decision, "at": at, "game": self.game.premise.game, "seq": self.game.seq, "v": 1}
        line = canonical(record)
        check(line, record)
        fault = verbs.judge(self.game, record)
        if fault is not None:
            raise RefusedError(fault)
        frame.step(self.game, record)
        return [line, *self.follow(at)]

    def follow(self, at: int) -> Iterator[bytes]:
        """Yield the consequences that must come now, one after the other."""
        while (line := self.next_due(at)) is not None:
            yield line

    def next_due(self, at: int) -> bytes | None:
        """Apply and return the one consequence that must come next, None where a decision is awaited."""
        body = frame.due(self.game)
        if body is None:
            return None
        record: Record = {**body, "at": at, "game": self.game.premise.game, "seq": self.game.seq, "v": 1}
        if self.proving:
            self.proofs += [(record["seq"], told) for told in prove(self.game, record)]
        frame.step(self.game, record)
        return canonical(record)

    def begin(self, at: int) -> list[bytes]:
        """End the entropy without the seats that never committed; return the seats or the first hand, and what follows.

        Nothing waits here for absent seats: whoever committed must have revealed, or the epoch is void, and an agreed
        beacon ends the entropy by itself (fairness.md 1.3, 1.4). Raises RefusedError where it may not begin.
        """
        game = self.game
        if game.phase != "entropy":
            raise RefusedError(Fault("order", "events.order", "the entropy is open", game.phase))
        record: Record = {**frame.due_seats(game), "at": at, "game": game.premise.game, "seq": game.seq, "v": 1}
        fault = verbs.judge(game, record)
        if fault is not None:
            raise RefusedError(fault)
        frame.step(game, record)
        return [canonical(record), *self.follow(at)]

    def first(self) -> bytes:
        """Return the canonical bytes of `opened`."""
        return canonical(self.opened.record())

    def take_proofs(self, seat: int) -> list[tuple[int, Told]]:
        """Return the proofs that are due to a seat since it last asked, each with its event's seq (fairness.md 1.8)."""
        mine = [each for each in self.proofs if each[1].seat == seat]
        self.proofs = [each for each in self.proofs if each[1].seat != seat]
        return mine

    def timeout(self, seat: int) -> Body | None:
        """Return what the seat's time-out chooses now, with `auto` (CM-05)."""
        if self.game.phase != "hand" or self.game.dissolved:
            return None  # after a vote to end, the hand can only be voided
        body = family_of(self.game.premise.rules).timeout(self.game.hand, seat)
        return {**body, "auto": True} if body is not None else None

"""How a simulated table gathers its entropy: witnesses, seats that stay silent or absent, a beacon, the wide profile.

fairness.md 1.2 to 1.4 and 1.7, played forward. Everything follows the job's seed but the beacon, whose round and
signature come from outside.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from engine.shuffle import (
    NARROW,
    QUICKNET,
    WIDE,
    WITNESS_SEAT,
    Commitment,
    Context,
    beacon_time,
    player_commit,
    seed_size,
)
from engine.table import Table

Derive = Callable[[str], bytes]
BEFORE_ROUND_MS = 60_000
"""A table with a beacon opens this long before the round's time."""


class Clock(Protocol):
    """The table's clock."""

    def tick(self) -> int:
        """Return the time of the next event, ms UTC."""
        ...

    def wait_until(self, at: int) -> None:
        """Let time pass."""
        ...


@dataclass(frozen=True, slots=True)
class BeaconRound:
    """A round of drand's quicknet as published."""

    round: int
    signature: bytes

    @property
    def at(self) -> int:
        """Return when the round is published, ms UTC."""
        found = beacon_time(QUICKNET.chain, self.round)
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class DealPlan:
    """Who gives entropy to a simulated game, and in which profile. Seats are those of `opened`."""

    wide: bool = False
    witnesses: tuple[str, ...] = ()
    silent: tuple[int, ...] = ()
    """Never commit."""
    absent: tuple[int, ...] = ()
    """Commit and do not reveal: without a beacon the epoch is void."""
    beacon: BeaconRound | None = None

    @property
    def void(self) -> bool:
        """Tell whether no hand can be played."""
        return bool(set(self.absent) - set(self.silent)) and self.beacon is None

    def deal(self, max_hands: int) -> dict[str, Any]:
        """Return `deal` of `opened`, without the root."""
        found: dict[str, Any] = {"protocol": WIDE if self.wide else NARROW, "max_hands": max_hands}
        if self.beacon is not None:
            found["beacon"] = {"chain": QUICKNET.chain.hex(), "round": self.beacon.round}
        return found

    def seats(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return the seats of `opened`: bots, then witnesses."""
        playing = [{"seat": seat, "player": name, "kind": "bot"} for seat, name in enumerate(names)]
        witnesses = [
            {"seat": WITNESS_SEAT + number, "player": name, "kind": "witness"}
            for number, name in enumerate(self.witnesses)
        ]
        return [*playing, *witnesses]


def commitment(context: Context, derive: Derive) -> tuple[Commitment, bytes | None]:
    """Return the operator's commitment and its root seed, which the wide profile has not."""
    if context.protocol == NARROW:
        root_seed = derive("root")
        return Commitment.open(context, root_seed), root_seed
    parts = range(seed_size(context.protocol) // sha256().digest_size)
    seeds = [b"".join(derive(f"seed/{hand}/{part}") for part in parts) for hand in range(context.max_hands)]
    return Commitment(context, seeds), None


def gather(table: Table, context: Context, plan: DealPlan, derive: Derive, clock: Clock) -> Iterator[bytes]:
    """Yield the entropy of a game up to its first hand, or the end of a void epoch."""
    shares = {seat: derive(f"entropy/{seat}") for seat in context.players if seat not in plan.silent}
    for seat, share in shares.items():
        commit = player_commit(context, seat, share).hex()
        yield from table.act({"type": "committed", "seat": seat, "commit": commit}, clock.tick())
    for seat, share in shares.items():
        if seat not in plan.absent:
            yield from table.act({"type": "entropy", "seat": seat, "reveal": share.hex()}, clock.tick())
    if plan.void:
        yield from _void(table, clock)
        return
    if plan.beacon is not None:
        clock.wait_until(plan.beacon.at)
        beacon = {
            "type": "beacon",
            "chain": QUICKNET.chain.hex(),
            "round": plan.beacon.round,
            "signature": plan.beacon.signature.hex(),
            "randomness": sha256(plan.beacon.signature).hexdigest(),
        }
        yield from table.act(beacon, clock.tick())
    elif plan.silent:
        yield from table.begin(clock.tick())


def _void(table: Table, clock: Clock) -> Iterator[bytes]:
    """Close a game unplayed; its seeds are opened all the same."""
    game = table.game
    while game.commitment is not None and game.root_seed is None and not table.over:
        hand = game.unused if game.unused >= 0 else 0 if not game.ending else -1
        if hand < 0:
            break
        path = [each.hex() for each in game.commitment.path(hand)]
        body = {"type": "revealed", "hand": hand, "seed": game.commitment.seeds[hand].hex(), "path": path}
        yield from table.act(body, clock.tick())
    if not table.over:
        closed: dict[str, Any] = {"type": "closed", "scores": list(game.scores), "reason": "void_epoch"}
        if game.root_seed is not None:
            closed["root_seed"] = game.root_seed.hex()
        yield from table.act(closed, clock.tick())

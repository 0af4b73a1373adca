"""The header of an epoch: what every commitment and key of a game is bound to (fairness.md 1.1).

One epoch is one game; a series has an epoch of its own (1.12). The context is a function of the `opened` event.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256

from engine.shuffle.framing import lp, u8, u16, u32, u64
from engine.shuffle.merkle import HASH_SIZE

NARROW = "paipu-fair/1"
WIDE = "paipu-fair/1w"
WITNESS_SEAT = 128
"""From this seat on entropy only: a witness is dealt nothing (fairness.md 1.3)."""

MAX_HANDS = 64
_WITNESS = "witness:"


class ContextError(ValueError):
    """A header that has no bytes: the field and the reason."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Player:
    """Who gives entropy at a seat, as in `opened` before the draw of seats."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class Beacon:
    """The public randomness an epoch waits for: chain hash (32 bytes) and round (from 1)."""

    chain: bytes
    round: int


@dataclass(frozen=True)
class Context:
    """An epoch header; `seats` ascending, witnesses included. Bad form raises ContextError.

    `n` is the size of the deck (0 for a series), `n_dice` the dice thrown in a hand, `max_hands` the hands committed
    to. `protocol` chooses the stream (1.7) and is no part of the bytes.
    """

    operator: str
    table: str
    game: str
    epoch: int
    ruleset_hash: bytes
    deck_hash: bytes
    n: int
    n_dice: int
    seats: tuple[Player, ...]
    max_hands: int = MAX_HANDS
    beacon: Beacon | None = None
    protocol: str = NARROW

    def __post_init__(self) -> None:
        if self.protocol not in {NARROW, WIDE}:
            raise ContextError("protocol", f"{self.protocol!r} is neither {NARROW} nor {WIDE}")
        _bounded("epoch", self.epoch, 0, 32)
        _bounded("n", self.n, 0, 16)
        _bounded("n_dice", self.n_dice, 0, 8)
        _bounded("max_hands", self.max_hands, 1, 32)
        _hash("ruleset_hash", self.ruleset_hash)
        _hash("deck_hash", self.deck_hash)
        if self.beacon is not None:
            _hash("beacon.chain", self.beacon.chain)
            _bounded("beacon.round", self.beacon.round, 1, 64)
        for field in ("operator", "table", "game"):
            _text(field, getattr(self, field))
        _seats(self.seats)

    def encode(self) -> bytes:
        """Return the header's bytes, ctx."""
        return self._encoded

    def digest(self) -> bytes:
        """Return E = H(ctx), 32 bytes."""
        return self._digest

    @cached_property
    def playing(self) -> tuple[Player, ...]:
        """Those who are dealt tiles: the seats below 128."""
        return tuple(player for player in self.seats if player.seat < WITNESS_SEAT)

    @cached_property
    def players(self) -> dict[int, str]:
        """Player id of each seat."""
        return {player.seat: player.player for player in self.seats}

    @cached_property
    def _digest(self) -> bytes:
        return sha256(self._encoded).digest()

    @cached_property
    def _encoded(self) -> bytes:
        chain, number = (self.beacon.chain, self.beacon.round) if self.beacon else (b"", 0)
        seats = b"".join(u8(player.seat) + lp(player.player) for player in self.seats)
        return b"".join(
            (
                lp("paipu-fair/1/epoch"),
                *(lp(self.operator), lp(self.table), lp(self.game), u32(self.epoch)),
                *(lp(self.ruleset_hash), lp(self.deck_hash), u16(self.n), u8(self.n_dice)),
                *(u8(len(self.seats)), seats, u32(self.max_hands), lp(chain), u64(number)),
            )
        )


def deck_hash(ids: Iterable[str]) -> bytes:
    """Hash the ids of a deck in their initial order, which the shuffle starts from (incident 3 of fairness.md 8)."""
    return _deck_hash(tuple(ids))


@lru_cache(maxsize=32)
def _deck_hash(order: tuple[str, ...]) -> bytes:
    """Hash it once for all games of a deck."""
    return sha256(lp("paipu-fair/1/deck") + u16(len(order)) + b"".join(map(lp, order))).digest()


def _bounded(field: str, value: int, low: int, bits: int) -> None:
    if not low <= value < 1 << bits:
        raise ContextError(field, f"{value} is not in {low}..2^{bits}-1")


def _hash(field: str, value: bytes) -> None:
    if len(value) != HASH_SIZE:
        raise ContextError(field, f"{len(value)} bytes, not {HASH_SIZE}")


def _text(field: str, value: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ContextError(field, "no UTF-8 text") from error


def _seats(seats: tuple[Player, ...]) -> None:
    previous = -1
    for player in seats:
        _bounded("seats", player.seat, 0, 8)
        if player.seat <= previous:
            raise ContextError("seats", f"seat {player.seat} does not come after {previous}")
        _text("seats", player.player)
        if (player.seat >= WITNESS_SEAT) != player.player.startswith(_WITNESS):
            raise ContextError(
                "seats", f"seat {player.seat} of {player.player!r}: witnesses, and only they, sit from 128"
            )
        previous = player.seat
    if len({player.player for player in seats}) != len(seats):
        raise ContextError("seats", "a player sits twice")

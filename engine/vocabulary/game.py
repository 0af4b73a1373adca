"""The events that frame a game, the same in every family: premise, entropy, seats, seeds, votes, end."""

from typing import Annotated, Literal

from pydantic import Field

from engine.vocabulary.base import (
    Amount,
    Count,
    Decision,
    EntropySeat,
    Envelope,
    Free,
    Hex,
    Hex32,
    Name,
    Part,
    Present,
    Seat,
    Wind,
)


class RulesRef(Part):
    """Which rules: preset id, the options that differ from it, the digest of the rules with them."""

    id: Name
    options: Free
    digest: Hex32


class SeatEntry(Part):
    """Who takes part; seats from 128 on are witnesses (entropy only)."""

    seat: EntropySeat
    player: Name
    kind: Literal["human", "bot", "house", "witness"]
    key: Annotated[Hex32 | None, Present] = None


class BeaconRef(Part):
    """The drand round that the deal waits for."""

    chain: Hex32
    round: Count


class DealRef(Part):
    """The premise of the deal: protocol and the server's commitment (fairness.md 1.2)."""

    protocol: Literal["paipu-fair/1", "paipu-fair/1w", "none"]
    max_hands: Annotated[int | None, Present, Field(ge=1, le=100_000)] = None
    root_s: Annotated[Hex32 | None, Present] = None
    beacon: Annotated[BeaconRef | None, Present] = None
    reveal: Annotated[Literal["auditor"] | None, Present] = None


class Opened(Envelope):
    """The premise of a game."""

    type: Literal["opened"] = "opened"
    rules: RulesRef
    engine: Name
    operator: Name
    table: Name
    seats: Annotated[tuple[SeatEntry, ...], Field(min_length=1, max_length=138)]
    match: Free
    deal: DealRef
    stake: Annotated[Count | None, Present] = None


class Committed(Decision):
    """A seat's commitment to its entropy (fairness.md 1.3)."""

    type: Literal["committed"] = "committed"
    seat: EntropySeat
    commit: Hex32


class Entropy(Decision):
    """A seat's entropy, opened after the last commitment."""

    type: Literal["entropy"] = "entropy"
    seat: EntropySeat
    reveal: Hex32


class Beacon(Envelope):
    """The beacon round, as published."""

    type: Literal["beacon"] = "beacon"
    chain: Hex32
    round: Count
    signature: Hex
    randomness: Hex32


class Seated(Envelope):
    """Players in the order of the places that the seat draw gave them."""

    type: Literal["seated"] = "seated"
    order: tuple[Name, ...]


class HandStarted(Envelope):
    """The hand's number, dealer and what carries over; counts of the shuffle's stream."""

    type: Literal["hand_started"] = "hand_started"
    hand: Count
    dealer: Seat
    round_wind: Annotated[Wind | None, Present] = None
    streak: Annotated[Count | None, Present] = None
    levels: Annotated[tuple[str, ...] | None, Present] = None
    wall_root: Annotated[Hex32 | None, Present] = None
    words: Annotated[Count | None, Present] = None
    rejects: Annotated[Count | None, Present] = None


class Revealed(Envelope):
    """The seed of a hand with its inclusion path under `root_s`."""

    type: Literal["revealed"] = "revealed"
    hand: Count
    seed: Hex
    path: tuple[Hex32, ...]


class Voided(Decision):
    """The hand in play is void; its seed is revealed all the same."""

    type: Literal["voided"] = "voided"
    hand: Count
    actor: Name
    reason: Name


class Penalised(Envelope):
    """A penalty that the options name (series only)."""

    type: Literal["penalised"] = "penalised"
    seat: Seat
    amount: Amount
    clause: Name


class Refused(Decision):
    """An act that the server refused: `tried` is the decision's body."""

    type: Literal["refused"] = "refused"
    seat: EntropySeat
    tried: Free
    clause: Name


class Away(Decision):
    """A seat lost its connection."""

    type: Literal["away"] = "away"
    seat: Seat


class Back(Decision):
    """A seat is back."""

    type: Literal["back"] = "back"
    seat: Seat


class Voted(Decision):
    """A vote on ending the match early (modes.md 1)."""

    type: Literal["voted"] = "voted"
    seat: Seat
    answer: Literal["yes", "no"]


class Closed(Envelope):
    """The end of the game; the root seed opens every unused hand too."""

    type: Literal["closed"] = "closed"
    scores: tuple[Amount, ...]
    reason: Literal["match_end", "max_hands", "bankrupt", "dissolved", "void_epoch", "abandoned"]
    root_seed: Annotated[Hex32 | None, Present] = None

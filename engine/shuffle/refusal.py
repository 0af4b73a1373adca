"""Why a commitment, reveal, beacon, seed or tile of the deal protocol is not accepted: a value, never an exception."""

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """The codes of fairness.md 1.10 and of the negative vectors of fairness.md 2."""

    UNKNOWN_SEAT = "unknown_seat"
    REPEATED_COMMIT = "repeated_commit"
    REPEATED_REVEAL = "repeated_reveal"
    REVEAL_BEFORE_COMMIT = "reveal_before_commit"
    COMMIT_MISMATCH = "commit_mismatch"
    VOID_EPOCH = "void_epoch"
    BEACON_UNASKED = "beacon_unasked"
    BEACON_MISSING = "beacon_missing"
    BEACON_CHAIN = "beacon_chain"
    BEACON_ROUND = "beacon_round"
    BEACON_RANDOMNESS = "beacon_randomness"
    BEACON_TIME = "beacon_time"
    SEED_LENGTH = "seed_length"
    HAND_LIMIT = "hand_limit"
    PATH = "path"
    ROOT_SEED = "root_seed"
    TILE_PROOF = "tile_proof"
    REPEATED_ROOT = "repeated_root"
    REPEATED_SEED = "repeated_seed"
    REPEATED_WALL = "repeated_wall"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One refusal: its code, the clause it rests on, what was expected and what was found (hex where bytes)."""

    code: Code
    clause: str
    expected: str
    found: str

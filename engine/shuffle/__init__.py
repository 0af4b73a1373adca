"""The deal protocol `paipu-fair/1` and its wide profile `paipu-fair/1w`: from commitments to wall, dice and proofs.

fairness.md 1 is the specification. The order of use: a `Context`, a `Commitment` to all seeds, players' commits and
reveals, `mix`, then `deal` for each hand; each `check_*` returns a `Refusal` or None and raises on no bytes.
"""

from engine.shuffle.beacon import CHAINS, QUICKNET, Chain, beacon_time, check_beacon
from engine.shuffle.commitments import (
    Commitment,
    check_hand_seed,
    check_root_seed,
    commit_leaf,
    hand_seed,
    seed_size,
)
from engine.shuffle.context import (
    MAX_HANDS,
    NARROW,
    WIDE,
    WITNESS_SEAT,
    Beacon,
    Context,
    ContextError,
    Player,
    deck_hash,
)
from engine.shuffle.deal import LABELS, Deal, HandKeys, deal, seat_order
from engine.shuffle.entropy import check_commit, check_reveal, mix, player_commit
from engine.shuffle.merkle import check_path, merkle_path, merkle_root
from engine.shuffle.refusal import Code, Refusal
from engine.shuffle.stream import Stream, hmac_words, limit, permute, wide_words
from engine.shuffle.tiles import TileProof, check_tile, tile_leaf
from engine.shuffle.uniqueness import Single, Uniqueness

__all__ = [
    "CHAINS",
    "LABELS",
    "MAX_HANDS",
    "NARROW",
    "QUICKNET",
    "WIDE",
    "WITNESS_SEAT",
    "Beacon",
    "Chain",
    "Code",
    "Commitment",
    "Context",
    "ContextError",
    "Deal",
    "HandKeys",
    "Player",
    "Refusal",
    "Single",
    "Stream",
    "TileProof",
    "Uniqueness",
    "beacon_time",
    "check_beacon",
    "check_commit",
    "check_hand_seed",
    "check_path",
    "check_reveal",
    "check_root_seed",
    "check_tile",
    "commit_leaf",
    "deal",
    "deck_hash",
    "hand_seed",
    "hmac_words",
    "limit",
    "merkle_path",
    "merkle_root",
    "mix",
    "permute",
    "player_commit",
    "seat_order",
    "seed_size",
    "tile_leaf",
    "wide_words",
]

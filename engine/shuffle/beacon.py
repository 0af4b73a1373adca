"""The public beacon of an epoch: pinned drand chains, the time of a round, the checks on a `beacon` event.

fairness.md 1.4. What is not here: the BLS signature itself, which needs pairings and is checked outside the engine.
"""

from dataclasses import dataclass
from hashlib import sha256

from engine.shuffle.context import Context
from engine.shuffle.refusal import Code, Refusal

MARGIN_MS = 6000
"""A round comes at least this long after the last reveal's deadline, so that nobody knew it."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A pinned drand chain: its hash and public key, the Unix second of round 1, and the seconds between rounds."""

    chain: bytes
    public_key: bytes
    genesis: int
    period: int


QUICKNET = Chain(
    chain=bytes.fromhex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"),
    public_key=bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    genesis=1692803367,
    period=3,
)

CHAINS = {QUICKNET.chain: QUICKNET}


def beacon_time(chain: bytes, number: int) -> int | None:
    """Return when a round is published, in ms UTC; None for a chain that is not pinned."""
    pinned = CHAINS.get(chain)
    return None if pinned is None else (pinned.genesis + (number - 1) * pinned.period) * 1000


def check_beacon(
    context: Context, chain: bytes, number: int, signature: bytes, randomness: bytes, *, deadline: int | None = None
) -> Refusal | None:
    """Check a logged beacon against the header, and its randomness against its signature (V8, signature aside).

    `deadline` is the time of the last reveal, ms UTC; its distance is checked where the chain is pinned. Codes:
    `beacon_unasked`, `beacon_chain`, `beacon_round`, `beacon_randomness`, `beacon_time`.
    """
    clause = "fairness.md 1.4"
    if context.beacon is None:
        return Refusal(Code.BEACON_UNASKED, clause, "no beacon", f"round {number}")
    if chain != context.beacon.chain:
        return Refusal(Code.BEACON_CHAIN, clause, context.beacon.chain.hex(), chain.hex())
    if number != context.beacon.round:
        return Refusal(Code.BEACON_ROUND, clause, f"round {context.beacon.round}", f"round {number}")
    derived = sha256(signature).digest()
    if randomness != derived:
        return Refusal(Code.BEACON_RANDOMNESS, clause, derived.hex(), randomness.hex())
    published = beacon_time(chain, number)
    if deadline is not None and published is not None and published < deadline + MARGIN_MS:
        expected = f"a round of {deadline + MARGIN_MS} ms or later"
        return Refusal(Code.BEACON_TIME, clause, expected, f"round {number} of {published} ms")
    return None

"""What the players and the beacon add, and the salt that mixes it with the server's commitment (fairness.md 1.3-1.5).

Commits and reveals are mappings of `opened` seat -> 32 bytes, which the caller keeps as events arrive; the checks say
whether one more may join them. drand's BLS signature is not checked here, only what hangs on it.
"""

from collections.abc import Mapping
from hashlib import sha256

from engine.shuffle.context import Context
from engine.shuffle.framing import lp, u8, u64
from engine.shuffle.merkle import HASH_SIZE
from engine.shuffle.refusal import Code, Refusal

_ABSENT = bytes(HASH_SIZE)


def player_commit(context: Context, seat: int, entropy: bytes) -> bytes:
    """Return C_i of a seat's 32 bytes; binds seat and player, so that a copied commitment opens for nobody else.

    A seat that `opened` does not name is a KeyError.
    """
    bound = context.digest() + u8(seat) + lp(context.players[seat])
    return sha256(lp("paipu-fair/1/player-commit") + bound + entropy).digest()


def check_commit(
    context: Context, commits: Mapping[int, bytes], reveals: Mapping[int, bytes], seat: int, commit: bytes
) -> Refusal | None:
    """Check that a seat's commit may come next (V2).

    Codes: `unknown_seat`; `reveal_before_commit` where a reveal came already, which the seat may have seen;
    `repeated_commit` where the seat has committed, or copies another's commitment (incident 20);
    `commit_mismatch` where it is not 32 bytes, or 32 zero bytes, which stand for a seat that never committed.
    """
    if seat not in context.players:
        return Refusal(Code.UNKNOWN_SEAT, "fairness.md 1.3", f"a seat of {sorted(context.players)}", str(seat))
    if reveals:
        found = f"commit of seat {seat} after the reveal of {min(reveals)}"
        return Refusal(Code.REVEAL_BEFORE_COMMIT, "fairness.md 1.3", "every commit before the first reveal", found)
    if seat in commits or commit in commits.values():
        found = f"{commit.hex()} of seat {seat}"
        return Refusal(Code.REPEATED_COMMIT, "fairness.md 1.3", "one commit a seat, each its own", found)
    if len(commit) != HASH_SIZE or commit == _ABSENT:
        expected = f"{HASH_SIZE} bytes, not all zero"
        return Refusal(Code.COMMIT_MISMATCH, "fairness.md 1.3", expected, commit.hex())
    return None


def check_reveal(
    context: Context, commits: Mapping[int, bytes], reveals: Mapping[int, bytes], seat: int, entropy: bytes
) -> Refusal | None:
    """Check that a seat's reveal may come next and opens its commitment (V2, V7).

    Codes: `unknown_seat`; `reveal_before_commit` where the seat never committed; `repeated_reveal`; `commit_mismatch`.
    """
    if seat not in context.players:
        return Refusal(Code.UNKNOWN_SEAT, "fairness.md 1.3", f"a seat of {sorted(context.players)}", str(seat))
    if seat not in commits:
        return Refusal(Code.REVEAL_BEFORE_COMMIT, "fairness.md 1.3", f"a commit of seat {seat} first", "a reveal")
    if seat in reveals:
        return Refusal(Code.REPEATED_REVEAL, "fairness.md 1.3", f"one reveal of seat {seat}", entropy.hex())
    return _opens(context, commits[seat], seat, entropy)


def _opens(context: Context, commit: bytes, seat: int, entropy: bytes) -> Refusal | None:
    if len(entropy) != HASH_SIZE:
        return Refusal(Code.COMMIT_MISMATCH, "fairness.md 1.3", f"{HASH_SIZE} bytes", f"{len(entropy)} bytes")
    opened = player_commit(context, seat, entropy)
    return None if opened == commit else Refusal(Code.COMMIT_MISMATCH, "fairness.md 1.3", commit.hex(), opened.hex())


def mix(
    context: Context,
    root: bytes,
    commits: Mapping[int, bytes],
    reveals: Mapping[int, bytes],
    randomness: bytes | None = None,
) -> bytes | Refusal:
    """Return the salt of the epoch (32 bytes), or why there is none.

    A seat that never committed is absent. One that committed and did not reveal is absent too where a beacon follows;
    without one the epoch is `void_epoch`, or the server could choose among 2^k salts (1.3). `beacon_missing`,
    `beacon_unasked`: the randomness and the header disagree. The reveals are checked against their commits once more.
    """
    beacon = context.beacon
    if randomness is not None and (beacon is None or len(randomness) != HASH_SIZE):
        expected = f"{HASH_SIZE} bytes" if beacon else "no beacon"
        code = Code.BEACON_RANDOMNESS if beacon else Code.BEACON_UNASKED
        return Refusal(code, "fairness.md 1.4", expected, randomness.hex())
    if beacon is not None and randomness is None:
        return Refusal(Code.BEACON_MISSING, "fairness.md 1.4", f"round {beacon.round}", "no beacon")
    shares = []
    for seat, player in context.players.items():
        if seat in commits and seat not in reveals and beacon is None:
            expected = f"a reveal of seat {seat}, there being no beacon"
            return Refusal(Code.VOID_EPOCH, "fairness.md 1.3", expected, "none")
        if seat in reveals and (refusal := check_reveal(context, commits, {}, seat, reveals[seat])):
            return refusal
        present = seat in reveals
        share = (u8(seat), u8(present), lp(player), commits.get(seat, _ABSENT), reveals.get(seat, _ABSENT))
        shares.append(b"".join(share))
    public = beacon.chain + u64(beacon.round) + randomness if beacon and randomness else b""
    mixed = (lp("paipu-fair/1/mix"), context.digest(), root, lp(b"".join(shares)), lp(public))
    return sha256(b"".join(mixed)).digest()

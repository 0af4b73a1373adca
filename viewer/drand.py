"""The signature of a drand round: e(G2, signature) = e(public key, hash_to_G1(H(u64 round))) (fairness.md 1.4).

Pairings come from the optional package `py-ecc` (extra `beacon`), in pure Python about a second and a half a round;
each round is verified once a run. Without the package, and for chains that are not pinned, the signature is not
checkable, which is no fault.
"""

from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from typing import Any

from engine.shuffle import CHAINS

DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
LACKING = "the beacon's signature needs the extra [beacon]"


def why_not(chain: bytes) -> str:
    """Return why signatures of a chain cannot be verified here, "" where they can."""
    if chain not in CHAINS:
        return f"the chain {chain.hex()} is not pinned"
    return "" if find_spec("py_ecc") is not None else LACKING


@lru_cache(maxsize=1 << 16)
def holds(chain: bytes, number: int, signature: bytes) -> bool:
    """Tell whether a pinned chain signed this round. Both points must lie in their subgroups."""
    from py_ecc.bls.hash_to_curve import hash_to_G1
    from py_ecc.bls.point_compression import decompress_G1, decompress_G2
    from py_ecc.optimized_bls12_381.optimized_curve import G2, curve_order, is_inf, multiply, neg
    from py_ecc.optimized_bls12_381.optimized_pairing import final_exponentiate, pairing

    key = CHAINS[chain].public_key
    if len(signature) != 48 or number < 0:
        return False
    try:
        point = decompress_G1(int.from_bytes(signature))  # type: ignore[arg-type]
        public = decompress_G2((int.from_bytes(key[:48]), int.from_bytes(key[48:])))  # type: ignore[arg-type]
    except ValueError:
        return False
    if is_inf(point) or not is_inf(multiply(point, curve_order)) or not is_inf(multiply(public, curve_order)):
        return False
    maker: Any = sha256  # the package's annotation names the digest, not what makes it
    message = hash_to_G1(sha256(number.to_bytes(8)).digest(), DST, maker)
    both = pairing(G2, neg(point), final_exponentiate=False) * pairing(public, message, final_exponentiate=False)
    return bool(final_exponentiate(both) == final_exponentiate(both).one())

"""Private keys at rest: a key file's lines, unsealed or wrapped with a passphrase (ledger.md 3).

A sealed line is six fields apart by single spaces, and a newline:

    SEALED+KEY <vkey> argon2id:<iterations>:<lanes>:<memory in KiB> <salt> <nonce> <sealed seed>

the last three in base64: 16 bytes of salt, 12 of nonce, 32 of seed encrypted and 16 of tag. The key that encrypts is
Argon2id(passphrase, salt), 32 bytes, by default with 3 iterations, 4 lanes and 64 MiB (the second choice of RFC 9106);
the cipher is AES-256-GCM with the vkey's bytes as associated data, so that a sealed seed cannot be moved under another
name. The vkey is readable without the passphrase. A file may hold several lines, sealed or not: a log's Ed25519 key
first, then its ML-DSA-44 key.
"""

import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from secrets import token_bytes
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from ledger.errors import LedgerError, Malformed, Unavailable
from ledger.keys import SEED_SIZE, SigningKey, Verifier, parse_key, parse_vkey, read_private, strict_base64

ITERATIONS: Final = 3
LANES: Final = 4
MEMORY_KIB: Final = 65_536
MAX_MEMORY_KIB: Final = 1_048_576

_WHAT: Final = "sealed key"
_FIRST: Final = "SEALED+KEY"
_COSTS: Final = re.compile(r"argon2id:([1-9][0-9]?):([1-9][0-9]?):([1-9][0-9]{0,6})")

Ask = Callable[[str], bytes]
"""Gives the passphrase of a file, named by its argument."""


def seal(
    key: SigningKey,
    passphrase: bytes,
    *,
    random: Callable[[int], bytes] = token_bytes,
    memory_kib: int = MEMORY_KIB,
) -> str:
    """Wrap a private key into a sealed line; Malformed for an empty passphrase."""
    if not passphrase:
        raise Malformed(_WHAT, "an empty passphrase seals nothing")
    salt, nonce = random(16), random(12)
    vkey = key.verifier.format()
    wrapping = _derive(passphrase, salt, ITERATIONS, LANES, memory_kib)
    sealed = AESGCM(wrapping).encrypt(nonce, key.seed, vkey.encode())
    costs = f"argon2id:{ITERATIONS}:{LANES}:{memory_kib}"
    return " ".join((_FIRST, vkey, costs, *(b64encode(each).decode() for each in (salt, nonce, sealed)))) + "\n"


def unseal(line: str, passphrase: bytes) -> SigningKey:
    """Unwrap a sealed line; Malformed, showing no secret, where the line or the passphrase is wrong."""
    verifier, costs, salt, nonce, sealed = _parse(line)
    wrapping = _derive(passphrase, salt, *costs)
    try:
        seed = AESGCM(wrapping).decrypt(nonce, sealed, verifier.format().encode())
    except InvalidTag:
        raise Malformed(_WHAT, "the passphrase does not open it, or it was changed") from None
    key = SigningKey(verifier.name, seed, verifier.kind)
    if key.verifier != verifier:
        raise Malformed(_WHAT, "the sealed seed is not that of the key named beside it")
    return key


def is_sealed(line: str) -> bool:
    """Tell whether a key file's line is sealed."""
    return line.startswith(_FIRST + " ")


def public_half(line: str) -> Verifier:
    """Give the verifier of a key file's line, sealed or not, without a passphrase; Malformed where it is none."""
    return _parse(line)[0] if is_sealed(line) else parse_key(line).verifier


def read_keys(path: Path, ask: Ask | None = None) -> tuple[SigningKey, ...]:
    """Read every key of a file, asking for the passphrase once where a line is sealed.

    Unavailable where it cannot be read, is no key file, or the passphrase is missing or wrong.
    """
    lines = read_private(path)
    passphrase = b""
    if any(is_sealed(line) for line in lines):
        if ask is None:
            raise Unavailable(str(path), "the key is sealed, and no passphrase was given")
        passphrase = ask(str(path))
    try:
        return tuple(unseal(line, passphrase) if is_sealed(line) else parse_key(line) for line in lines)
    except LedgerError as error:
        reason = error.reason if isinstance(error, Malformed) and error.what == _WHAT else "not a key file"
        raise Unavailable(str(path), reason) from None


def read_verifiers(path: Path) -> tuple[Verifier, ...]:
    """Read the public halves of a key file; no passphrase is needed. Unavailable where it is none."""
    try:
        return tuple(public_half(line) for line in read_private(path))
    except LedgerError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(str(path), "not a key file") from None


def _parse(line: str) -> tuple[Verifier, tuple[int, int, int], bytes, bytes, bytes]:
    fields = line.removesuffix("\n").split(" ")
    if len(fields) != 6 or fields[0] != _FIRST or not line.endswith("\n"):
        raise Malformed(_WHAT, "six fields and a newline were expected")
    found = _COSTS.fullmatch(fields[2])
    if not found:
        raise Malformed(_WHAT, "argon2id:<iterations>:<lanes>:<KiB> was expected")
    iterations, lanes, memory = (int(each) for each in found.groups())
    if not 8 * lanes <= memory <= MAX_MEMORY_KIB:
        raise Malformed(_WHAT, f"{memory} KiB of memory is outside 8 a lane to {MAX_MEMORY_KIB}")
    salt, nonce, sealed = (strict_base64(field, _WHAT) for field in fields[3:])
    if (len(salt), len(nonce), len(sealed)) != (16, 12, SEED_SIZE + 16):
        raise Malformed(_WHAT, "salt, nonce or sealed seed has another length")
    return parse_vkey(fields[1]), (iterations, lanes, memory), salt, nonce, sealed


def _derive(passphrase: bytes, salt: bytes, iterations: int, lanes: int, memory_kib: int) -> bytes:
    kdf = Argon2id(salt=salt, length=32, iterations=iterations, lanes=lanes, memory_cost=memory_kib)
    return kdf.derive(passphrase)

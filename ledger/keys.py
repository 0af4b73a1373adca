"""Keys: Ed25519 with a gate against low-order points, ML-DSA-44, vkeys, a plain key file (ledger.md 2, 3).

A verifier key (vkey) is `<name>+<8 hex of the key id>+<base64(type || public key)>`, with
`key id = SHA-256(name || 0x0A || type || public key)[:4]`. A name has no Unicode space and no `+`. Types:

    0x01   Ed25519, signs a note's text               32 bytes of public key, 64 of signature
    0x04   Ed25519, a cosignature/v1                  the same
    0x06   ML-DSA-44 (FIPS 204), a subtree/v1         1,312 bytes of public key, 2,420 of signature

    example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx

The gate: OpenSSL accepts the public key `01 00…00`, under which one fixed string is a valid signature of any message.
The 14 encodings of points of low order are refused as the public key and as R, the first half of a signature; then
OpenSSL agrees with libsodium on every CCTV vector (checking the key alone is not enough).

A private key is the text `PRIVATE+KEY+<name>+<8 hex>+<base64(type || 32-byte seed)>` and a newline, in a file of mode
0600, one line a key: unsealed, for a simulated or demonstration ledger; sealed lines are `ledger.sealed`'s. What signs
is a `Signer`, so that the key may as well live in another process or in hardware.
"""

import os
import re
import stat
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Final, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey, MLDSA44PublicKey

from ledger.errors import Malformed, Unavailable, Untrusted

ED25519: Final = 0x01
COSIGNATURE: Final = 0x04
MLDSA44: Final = 0x06
SEED_SIZE: Final = 32
MAX_KEY_FILE: Final = 65_536

_SIZES: Final = {ED25519: 32, COSIGNATURE: 32, MLDSA44: 1312}
_NAME: Final = re.compile(r"[^\s+\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
_HEX_ID: Final = re.compile(r"[0-9a-f]{8}")

# y in {0, 1, p-1, p, p+1, a, p-a}, little-endian (ledger.md 3); each with the top bit clear and set.
_LOW_ORDER_Y: Final = (
    "00" * 32,
    "01" + "00" * 31,
    "ec" + "ff" * 30 + "7f",
    "ed" + "ff" * 30 + "7f",
    "ee" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
)
LOW_ORDER: Final = frozenset(
    bytes.fromhex(y)[:31] + bytes([bytes.fromhex(y)[31] | sign]) for y in _LOW_ORDER_Y for sign in (0x00, 0x80)
)


# A log is signed by few keys, many times.
_ed25519: Final = lru_cache(maxsize=64)(Ed25519PublicKey.from_public_bytes)
_mldsa44: Final = lru_cache(maxsize=64)(MLDSA44PublicKey.from_public_bytes)


def verify_ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether a signature holds, as libsodium would: low-order keys and R never do."""
    if len(public) != 32 or len(signature) != 64 or public in LOW_ORDER or signature[:32] in LOW_ORDER:
        return False
    try:
        _ed25519(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def verify_mldsa44(public: bytes, message: bytes, signature: bytes, context: bytes = b"") -> bool:
    """Tell whether an ML-DSA-44 signature holds; the formats here use the empty context."""
    if len(public) != 1312 or len(signature) != 2420:
        return False
    try:
        _mldsa44(public).verify(signature, message, context or None)
    except (InvalidSignature, ValueError):
        return False
    return True


def check_name(name: str) -> str:
    """Return a key name or origin unchanged; Malformed where it is empty or has a space, `+` or control character."""
    if not _NAME.fullmatch(name):
        raise Malformed("key name", f"{name!r} is empty or has a space, a '+' or a control character")
    return name


def strict_base64(text: str, what: str) -> bytes:
    """Read base64 in its one spelling (padded, no spaces, unused bits zero); Malformed otherwise."""
    try:
        data = b64decode(text, validate=True)
    except (Base64Error, ValueError):
        raise Malformed(what, "not base64") from None
    if b64encode(data).decode() != text:
        raise Malformed(what, "not the one spelling of this base64")
    return data


@dataclass(frozen=True)
class Verifier:
    """A public key with its name; `kind` is ED25519, COSIGNATURE or MLDSA44, `public` 32 or 1,312 bytes.

    Untrusted, code `weak_key`, for a point of low order: such a key is refused at enrolment.
    """

    name: str
    kind: int
    public: bytes

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.kind not in _SIZES:
            raise Malformed("verifier key", f"type 0x{self.kind:02x} is not known")
        if len(self.public) != _SIZES[self.kind]:
            raise Malformed("verifier key", f"{len(self.public)} bytes instead of {_SIZES[self.kind]}")
        if self.public in LOW_ORDER:
            raise Untrusted("weak_key", f"the key of {self.name} is a point of low order", self.public)

    @cached_property
    def key_id(self) -> bytes:
        """The 4 bytes that a signature line names the key by."""
        return key_id(self.name, self.kind, self.public)

    def verify(self, message: bytes, signature: bytes) -> bool:
        """Tell whether the signature bytes hold for the message."""
        check = verify_mldsa44 if self.kind == MLDSA44 else verify_ed25519
        return check(self.public, message, signature)

    def format(self) -> str:
        """Write the vkey."""
        return f"{self.name}+{self.key_id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """Compute the 4-byte id of a key."""
    return sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def parse_vkey(text: str) -> Verifier:
    """Read a vkey; Malformed where it is not exactly one, Untrusted (`weak_key`) for a point of low order."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not _HEX_ID.fullmatch(parts[1]):
        raise Malformed("verifier key", "<name>+<8 hex>+<base64> was expected")
    data = strict_base64(parts[2], "verifier key")
    if not data:
        raise Malformed("verifier key", "no key")
    verifier = Verifier(parts[0], data[0], data[1:])
    if verifier.key_id.hex() != parts[1]:
        raise Malformed("verifier key", f"the key id is {verifier.key_id.hex()}, not {parts[1]}")
    return verifier


class Signer(Protocol):
    """Whatever can sign for a verifier key: a key in this process, in another one, in hardware."""

    @property
    def verifier(self) -> Verifier:
        """The public side."""
        ...

    def sign(self, text: bytes) -> bytes:
        """Sign the exact bytes; 64 bytes for Ed25519."""
        ...


class SigningKey:
    """A private key in this process; `kind` says what it signs."""

    def __init__(self, name: str, seed: bytes, kind: int = ED25519) -> None:
        if len(seed) != SEED_SIZE:
            raise Malformed("private key", f"{len(seed)} bytes instead of {SEED_SIZE}")
        self.seed = seed
        self._key = _private(kind, seed)
        self.verifier = Verifier(name, kind, self._key.public_key().public_bytes_raw())

    def __repr__(self) -> str:
        return f"SigningKey({self.verifier.format()!r})"

    def sign(self, text: bytes) -> bytes:
        """Sign the exact bytes."""
        return self._key.sign(text)

    def format(self) -> str:
        """Write the private key as one line of text."""
        verifier = self.verifier
        secret = b64encode(bytes([verifier.kind]) + self.seed).decode()
        return f"PRIVATE+KEY+{verifier.name}+{verifier.key_id.hex()}+{secret}\n"


def _private(kind: int, seed: bytes) -> Ed25519PrivateKey | MLDSA44PrivateKey:
    if kind in {ED25519, COSIGNATURE}:
        return Ed25519PrivateKey.from_private_bytes(seed)
    if kind == MLDSA44:
        return MLDSA44PrivateKey.from_seed_bytes(seed)
    raise Malformed("private key", f"type 0x{kind:02x} is not known")


def new_key(name: str, random: Callable[[int], bytes] = token_bytes, kind: int = ED25519) -> SigningKey:
    """Make a key from 32 random bytes."""
    return SigningKey(name, random(SEED_SIZE), kind)


def parse_key(text: str) -> SigningKey:
    """Read a private key line; Malformed (never showing the text) where it is not exactly one."""
    parts = text.removesuffix("\n").split("+", 4)
    if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"] or not text.endswith("\n"):
        raise Malformed("private key", "PRIVATE+KEY+<name>+<8 hex>+<base64> and a newline were expected")
    data = strict_base64(parts[4], "private key")
    if not data:
        raise Malformed("private key", "no key")
    key = SigningKey(parts[2], data[1:], data[0])
    if key.verifier.key_id.hex() != parts[3]:
        raise Malformed("private key", "the key id is not that of the key")
    return key


def write_key(path: Path, *keys: SigningKey) -> None:
    """Write private keys, a line each, into a new file of mode 0600; Unavailable where it cannot be made."""
    write_private(path, "".join(key.format() for key in keys))


def write_private(path: Path, text: str) -> None:
    """Write text that is nobody else's into a new file of mode 0600; Unavailable where it exists or cannot be made."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Unavailable(str(path), f"the key cannot be written: {error.strerror}") from None


def read_private(path: Path) -> list[str]:
    """Read the lines of a key file; Unavailable where it is missing, too open (any mode beyond 0600) or no key file."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(MAX_KEY_FILE)
    except OSError as error:
        raise Unavailable(str(path), f"the key cannot be read: {error.strerror}") from None
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Unavailable(str(path), f"others may read this key (mode {stat.S_IMODE(mode):04o}): chmod 600 it")
    try:
        lines = re.findall(r"[^\n]*\n|[^\n]+", data.decode())
    except UnicodeDecodeError:
        lines = []
    if not lines:
        raise Unavailable(str(path), "not a key file of this system")
    return lines


def read_key(path: Path) -> SigningKey:
    """Read a file of one unsealed key; Unavailable where it is anything else (`ledger.sealed` reads every key file)."""
    lines = read_private(path)
    try:
        return parse_key("".join(lines))
    except Malformed:
        raise Unavailable(str(path), "not a key file of this system") from None

"""Commands that a player signed (DSSE; ledger.md 3).

What is signed is the pre-authentication encoding of a body under its type, lengths in decimal:

    DSSEv1 <len type> <type> <len body> <body>            type = application/vnd.paipu.command.v1+json

    body = canonical bytes of the decision event without `at`, `seq`, `sig`, plus
           seen   how many events of the stream the player had been shown
           head   the chain over those events as they were shown to him (hex), never over hidden bytes

    DSSEv1 37 application/vnd.paipu.command.v1+json 152 {"game":"g-1","head":"<64 hex>","seat":1,"seen":9,…,"v":1}

In the event it rides as `sig {head, seen, sig}`, `sig` 64 bytes of Ed25519 in hex. So a player can show later what he
did and on what history; and two bodies of one player with the same `seen` contradict each other in his own hand. Which
events a player is shown, and how, is not the ledger's to know: it is given their bytes. The chain is that of
`ledger.stream`, over what was shown.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Protocol

from ledger.canonical import Record, encode
from ledger.errors import Malformed
from ledger.keys import verify_ed25519
from ledger.merkle import leaf
from ledger.stream import genesis

TYPE: Final = "application/vnd.paipu.command.v1+json"
UNSIGNED: Final = frozenset({"at", "seq", "sig"})

_HEAD: Final = re.compile(r"[0-9a-f]{64}")
_SIG: Final = re.compile(r"[0-9a-f]{128}")


class CommandSigner(Protocol):
    """What signs a player's commands: his key, wherever it is."""

    def sign(self, text: bytes) -> bytes:
        """Sign the exact bytes; 64 bytes of Ed25519."""
        ...


class Shown:
    """The chain over what a player was shown: `heads[n]` after the first n events."""

    def __init__(self, game: str) -> None:
        self.heads = [genesis(game)]

    @property
    def seen(self) -> int:
        """Count the events shown."""
        return len(self.heads) - 1

    @property
    def head(self) -> bytes:
        """The chain after all of them."""
        return self.heads[-1]

    def append(self, data: bytes) -> None:
        """Add the bytes of one event as it was first shown."""
        self.heads.append(sha256(b"\x02" + self.heads[-1] + leaf(data)).digest())


@dataclass(frozen=True)
class Command:
    """A signed command as read from an event: what was signed, and the signature."""

    body: bytes
    seen: int
    head: bytes
    signature: bytes

    def holds(self, key: bytes) -> bool:
        """Tell whether the signature is this key's; a point of low order never signs."""
        return verify_ed25519(key, pae(TYPE, self.body), self.signature)


def pae(kind: str, body: bytes) -> bytes:
    """Give the pre-authentication encoding of a body under its type."""
    return b"DSSEv1 %d %b %d %b" % (len(kind.encode()), kind.encode(), len(body), body)


def command_body(record: Record, seen: int, head: bytes) -> bytes:
    """Give the bytes that a player signs for a decision; Malformed where it is outside the canonical profile."""
    fields = {name: value for name, value in record.items() if name not in UNSIGNED}
    return encode({**fields, "head": head.hex(), "seen": seen})


def sign_command(signer: CommandSigner, record: Record, shown: Shown) -> Record:
    """Give the `sig` of a decision made on what was shown so far."""
    body = command_body(record, shown.seen, shown.head)
    return {"head": shown.head.hex(), "seen": shown.seen, "sig": signer.sign(pae(TYPE, body)).hex()}


def read_command(record: Record, sig: object) -> Command:
    """Read the command of a decision `record` signed by `sig`; Malformed where that is not of its form."""
    fields: dict[str, object] = sig if isinstance(sig, dict) else {}
    seen, head, signature = (fields.get(name) for name in ("seen", "head", "sig"))
    if len(fields) != 3 or type(seen) is not int or seen < 0:
        raise Malformed("signed command", "seen, head and sig were expected")
    if type(head) is not str or type(signature) is not str or not (_HEAD.fullmatch(head) and _SIG.fullmatch(signature)):
        raise Malformed("signed command", "32 and 64 bytes in hex were expected")
    chain = bytes.fromhex(head)
    return Command(command_body(record, seen, chain), seen, chain, bytes.fromhex(signature))

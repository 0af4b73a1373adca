"""A stream: the events of one game, series or case, with their tree and chain (ledger.md 1).

Leaf i of the stream's RFC 6962 tree is the event of seq i; beside it runs a chain over the leaves:

    leaf_n   = SHA-256(0x00 || bytes of event n)
    chain_-1 = SHA-256(0x02 || "genesis" || game id)
    chain_n  = SHA-256(0x02 || chain_{n-1} || leaf_n)

Both are computed from event bytes by every verifier; no proof ever spans the two. While a stream is open its size, root
and chain stand in the main log under a blind only, as a value that adds one hidden tile to known events falls to 34
guesses:

    commit = HMAC-SHA-256(blind, u64_be(size) || root || chain)        blind: 32 random bytes a stream

A text that must be bound but may have to be erased is committed to as SHA-256(0x03 || salt, 32 bytes || UTF-8); salt
and text stand in a side table.
"""

import hmac
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from ledger.errors import Malformed
from ledger.merkle import Frontier

GAME_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
STREAMS: Final = ("game", "series", "case")
BLIND_SIZE: Final = 32


def check_game_id(game: str) -> str:
    """Return a stream's id unchanged; Malformed where it is not `^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`."""
    if type(game) is not str or not GAME_ID.fullmatch(game):
        raise Malformed("game id", f"{game!r} does not match {GAME_ID.pattern}")
    return game


def genesis(game: str) -> bytes:
    """Give the chain before the first event."""
    return sha256(b"\x02genesis" + game.encode()).digest()


def commitment(blind: bytes, size: int, root: bytes, chain: bytes) -> bytes:
    """Blind a stream's size, root and chain into the `commit` of its entry."""
    return hmac.digest(blind, size.to_bytes(8) + root + chain, "sha256")


def text_commitment(salt: bytes, text: str) -> bytes:
    """Bind a text that may be erased later; `salt` is 32 random bytes."""
    if len(salt) != 32:
        raise Malformed("text commitment", f"a salt of {len(salt)} bytes instead of 32")
    try:
        return sha256(b"\x03" + salt + text.encode()).digest()
    except UnicodeEncodeError:
        raise Malformed("text commitment", "a lone surrogate is no text") from None


class StreamTree:
    """The tree and chain of one stream, growing event by event."""

    __slots__ = ("chain", "game", "tree")

    def __init__(self, game: str) -> None:
        self.game = game
        self.chain = genesis(game)
        self.tree = Frontier()

    @property
    def size(self) -> int:
        """Count the events."""
        return self.tree.size

    def append(self, data: bytes) -> bytes:
        """Add an event's bytes; give the chain after it."""
        leaf = sha256(b"\x00" + data).digest()
        self.chain = chain = sha256(b"\x02" + self.chain + leaf).digest()
        # `Frontier.append`, written out: this is the hottest line of writing and of auditing.
        tree = self.tree
        roots, size = tree.roots, tree.size
        tree.size = size + 1
        while size & 1:
            leaf = sha256(b"\x01" + roots.pop() + leaf).digest()
            size >>= 1
        roots.append(leaf)
        return chain

    def links(self, leaves: Sequence[bytes]) -> list[bytes]:
        """Give the chain after each of these leaf hashes, were they appended."""
        chain = self.chain
        return [chain := sha256(b"\x02" + chain + leaf).digest() for leaf in leaves]

    def extend(self, leaves: Sequence[bytes], chain: bytes) -> None:
        """Append leaf hashes, after which the chain is `chain`, the last that `links` gives."""
        self.chain = chain
        self.tree.extend(leaves)

    def root(self) -> bytes:
        """Compute the root over all events so far."""
        return self.tree.root()

    def commit(self, blind: bytes) -> bytes:
        """Blind the stream as it stands."""
        return commitment(blind, self.size, self.root(), self.chain)

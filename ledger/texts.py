"""Erasable texts: what an event is bound to but may not hold, such as a complaint in a player's words (ledger.md 1).

    commitment = SHA-256(0x03 || salt, 32 random bytes || UTF-8)         hex of it stands in the event

Salt and text stand in a side table. Whoever is shown both can check the event; once they are erased the commitment says
nothing, not even to someone who guesses the text, and every hash, signature and receipt is as valid as before. Erasing
overwrites the bytes in the database's own files; backups and copies are for their owners to see to.
"""

import re
import secrets
from typing import Final

from ledger.errors import Malformed
from ledger.store import Reader, Store, TextRow
from ledger.stream import text_commitment

MAX_BYTES: Final = 65_535
_NAME: Final = re.compile(r"[0-9a-f]{64}")


def new_salt() -> bytes:
    """Draw a salt."""
    return secrets.token_bytes(32)


def read_name(commitment: str) -> bytes:
    """Read a commitment as an event holds it; Malformed where it is not 64 hex digits."""
    if not _NAME.fullmatch(commitment):
        raise Malformed("text commitment", "64 lower-case hex digits were expected")
    return bytes.fromhex(commitment)


def keep_text(store: Store, text: str, salt: bytes) -> str:
    """Keep a text; give its commitment. Malformed where it is no text that every database keeps, or too long."""
    if "\x00" in text or len(text.encode(errors="surrogatepass")) > MAX_BYTES:
        raise Malformed("erasable text", f"a text without NUL of at most {MAX_BYTES} bytes was expected")
    commitment = text_commitment(salt, text)
    with store.writing():
        if store.text(commitment) is None:
            store.add_text(TextRow(commitment, salt, text))
    return commitment.hex()


def find_text(reader: Reader, commitment: str) -> TextRow | None:
    """Give a text, None where it was never kept or was erased."""
    return reader.text(read_name(commitment))


def erase_text(store: Store, commitment: str) -> bool:
    """Erase a text and overwrite its bytes; tell whether there was one.

    Unavailable where a reader still holds the pages: then it is erased already, and to be repeated for its bytes.
    """
    name = read_name(commitment)
    with store.writing():
        found = store.text(name) is not None
        store.erase_text(name)
    store.scrub()
    return found

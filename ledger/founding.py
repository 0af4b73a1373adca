"""How a log begins: entry 0 is its `config`, entry 1 the `key-add` of the first log key (ledger.md 1, 3)."""

from ledger.canonical import Record  # noqa: TC001  one rule for all imports of the package
from ledger.entries import Entry, read_entry, write_entry
from ledger.errors import Malformed, Refused, Unavailable
from ledger.keyring import write_key_entry
from ledger.keys import Signer, check_name
from ledger.notefile import KeptNote, kept_checkpoint
from ledger.store import Store


def first_entries(
    origin: str, operator: str, *, signer: Signer, recovery: Signer, close_within_ms: int, at: int
) -> tuple[bytes, bytes]:
    """Write the two entries; Malformed where names, keys or the bound are not as they must be."""
    check_name(origin)
    if signer.verifier.name != origin:
        raise Malformed("origin", f"the key is named {signer.verifier.name}, the log {origin}")
    if recovery.verifier.public == signer.verifier.public:
        raise Malformed("recovery key", "it must not be the key that signs day by day")
    config: Record = {
        "close_within_ms": close_within_ms,
        "operator": operator,
        "origin": origin,
        "recovery": recovery.verifier.format(),
    }
    key: Record = {"not_before_size": 0, "role": "log", "vkey": signer.verifier.format()}
    return write_entry("config", at, config), write_key_entry("key-add", at, key, [recovery])


def refuse_used_key(last: KeptNote | None) -> None:
    """Refuse a key that has signed a log before: its new heads would contradict the old ones."""
    before = kept_checkpoint(last, "the last signed checkpoint") if last is not None else None
    if before is not None:
        raise Refused("", f"this key signed a log before ({before.origin}, size {before.size}): use a new one")


def read_config(store: Store) -> Entry:
    """Read entry 0; Unavailable where it is missing or damaged."""
    for row in store.entries(0, 1):
        try:
            entry = read_entry(row.data)
        except Malformed as error:
            raise Unavailable(store.target, f"entry 0 is damaged ({error})") from None
        if entry.kind == "config":
            return entry
    raise Unavailable(store.target, "entry 0 is not the ledger's config")


def read_origin(store: Store, signer: Signer) -> str:
    """Give the log's origin; Refused where the signer is not named like it."""
    origin = str(read_config(store).record["origin"])
    if origin != signer.verifier.name:
        raise Refused("", f"the key is named {signer.verifier.name}, the log {origin}")
    return origin

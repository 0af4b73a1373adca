"""How a log begins: entry 0 is its `config`, then the `key-add` of each of its first keys (ledger.md 1, 3)."""

from collections.abc import Sequence

from ledger.canonical import Record  # noqa: TC001  one rule for all imports of the package
from ledger.entries import Entry, read_entry, write_entry
from ledger.errors import LedgerError, Malformed, Refused, Unavailable
from ledger.keyring import KEY_KINDS, Keyring, write_key_entry
from ledger.keys import ED25519, Signer, check_name, parse_vkey
from ledger.notefile import KeptNote, kept_checkpoint
from ledger.store import Reader, Store


def first_entries(
    origin: str,
    operator: str,
    *,
    signer: Signer,
    also: Sequence[Signer] = (),
    recovery: Signer,
    close_within_ms: int,
    at: int,
) -> list[tuple[str, bytes]]:
    """Write the first entries with their kinds; Malformed where names, keys or the bound are not as they must be.

    The first key is vouched for by the recovery key alone, those signing `also` by it and the first.
    """
    check_name(origin)
    if signer.verifier.kind != ED25519:
        raise Malformed("log key", "the first key of a log is of type 0x01, Ed25519")
    for each in (signer, *also):
        if each.verifier.name != origin:
            raise Malformed("origin", f"the key is named {each.verifier.name}, the log {origin}")
        if recovery.verifier.public == each.verifier.public:
            raise Malformed("recovery key", "it must not be the key that signs day by day")
    config: Record = {
        "close_within_ms": close_within_ms,
        "operator": operator,
        "origin": origin,
        "recovery": recovery.verifier.format(),
    }
    found = [("config", write_entry("config", at, config))]
    vouching = [recovery]
    for each in (signer, *also):
        key: Record = {"not_before_size": 0, "role": "log", "vkey": each.verifier.format()}
        found.append(("key-add", write_key_entry("key-add", at, key, vouching)))
        vouching = [recovery, signer]
    return found


def refuse_used_key(last: KeptNote | None) -> None:
    """Refuse a key that has signed a log before: its new heads would contradict the old ones."""
    before = kept_checkpoint(last, "the last signed checkpoint") if last is not None else None
    if before is not None:
        raise Refused("", f"this key signed a log before ({before.origin}, size {before.size}): use a new one")


def read_config(store: Reader) -> Entry:
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


def read_ring(store: Reader) -> Keyring:
    """Read the log's own account of its keys; Unavailable where an entry of it is damaged."""
    try:
        ring = Keyring(parse_vkey(str(read_config(store).record["recovery"])))
        for row in store.entries_of_kind(*sorted(KEY_KINDS)):
            ring.apply(read_entry(row.data), row.idx)
    except LedgerError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(store.target, f"a key entry is damaged: verify names it ({error})") from None
    return ring

"""The log's own account of its keys: key entries applied in order (ledger.md 3).

A key is valid by tree size, not by wall clock: `key-add` from `not_before_size` on, `key-retire` up to `last_size`,
`key-revoke` below `from_size`. Each is signed by the recovery key named in entry 0 and, unless it revokes, by a log key
that is valid where the entry stands; where none is (the first key of a log, the first after all were revoked) the
recovery key suffices. A signature is over the entry's bytes without `sigs`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, cast

from ledger.canonical import MAX_INT, Record
from ledger.entries import Entry, read_entry, unsigned, write_entry
from ledger.errors import Untrusted
from ledger.keys import Signer, Verifier, parse_vkey

KEY_KINDS: Final = frozenset({"key-add", "key-retire", "key-revoke"})


@dataclass
class Validity:
    """The tree sizes, both ends included, whose checkpoints a key may sign."""

    role: str
    first: int
    last: int


class Keyring:
    """The keys of a log as its entries tell them."""

    def __init__(self, recovery: Verifier) -> None:
        self.recovery = recovery
        self.keys: dict[Verifier, Validity] = {}

    def may_sign(self, verifier: Verifier, size: int) -> bool:
        """Tell whether a log key may sign the checkpoint of this size."""
        found = self.keys.get(verifier)
        return found is not None and found.role == "log" and found.first <= size <= found.last

    def check_verdict(self, entry: Entry, index: int) -> None:
        """Check a `verdict` entry: Untrusted, code `key`, unless every signature holds and one key was valid there.

        An auditor's key or the log's own, at the tree size where the entry stands.
        """
        valid = {key for key, found in self.keys.items() if found.first <= index <= found.last}
        if not valid & self._signers(entry.record):
            raise Untrusted("key", f"the verdict is not signed by an auditor's or log key valid at size {index}")

    def apply(self, entry: Entry, index: int) -> None:
        """Take in the key entry at `index`; Untrusted, code `key`, where it is not signed as it must be."""
        record = entry.record
        signers = self._signers(record)
        if self.recovery not in signers:
            raise Untrusted("key", f"{entry.kind} is not signed by the recovery key")
        valid = {key for key in self.keys if self.may_sign(key, index)}
        if entry.kind != "key-revoke" and valid and not valid & signers:
            raise Untrusted("key", f"{entry.kind} is not signed by a log key valid at size {index}")
        if entry.kind == "key-add":
            self._add(record)
            return
        verifier = parse_vkey(cast("str", record["key"]))
        found = self.keys.get(verifier)
        if found is None:
            raise Untrusted("key", f"{entry.kind} of a key that was never added")
        last = cast("int", record["last_size"]) if entry.kind == "key-retire" else cast("int", record["from_size"]) - 1
        found.last = min(found.last, last)

    def _add(self, record: Record) -> None:
        verifier = parse_vkey(cast("str", record["vkey"]))
        if verifier in self.keys:
            raise Untrusted("key", f"{verifier.format()} is added twice")
        self.keys[verifier] = Validity(cast("str", record["role"]), cast("int", record["not_before_size"]), MAX_INT)

    def _signers(self, record: Record) -> set[Verifier]:
        text = unsigned(record)
        found = set()
        for item in cast("list[dict[str, str]]", record["sigs"]):
            verifier = parse_vkey(item["key"])
            if not verifier.verify(text, bytes.fromhex(item["sig"])):
                raise Untrusted("key", f"the signature of {item['key']} does not hold")
            found.add(verifier)
        return found


class KeyChange(NamedTuple):
    """A key entry to be made: its kind, its own fields, who signs it."""

    kind: Literal["key-add", "key-retire", "key-revoke"]
    fields: Record
    signers: Sequence[Signer]


def enter_key(ring: Keyring, index: int, change: KeyChange, at: int) -> bytes:
    """Write a key entry for the place `index` and apply it; Untrusted where it is not signed as it must be."""
    data = write_key_entry(change.kind, at, change.fields, change.signers)
    ring.apply(read_entry(data), index)
    return data


def write_key_entry(kind: str, at: int, fields: Record, signers: Sequence[Signer]) -> bytes:
    """Write a key entry with the signatures of its signers over the bytes without `sigs`."""
    text = unsigned({**fields, "at": at, "kind": kind, "v": 1})
    sigs = [{"key": signer.verifier.format(), "sig": signer.sign(text).hex()} for signer in signers]
    return write_entry(kind, at, {**fields, "sigs": cast("list[object]", sigs)})  # type: ignore[dict-item]

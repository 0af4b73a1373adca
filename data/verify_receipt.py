#!/usr/bin/env python3
"""Check a receipt of a game, or of one action in it, without the operator and without paipu.

    python verify_receipt.py game-<id>.tlog-proof --policy log.policy [--bundle game-<id>.bundle.gz] [--blind HEX]

One file, Python 3.11+ and the package `cryptography`. It shares no code with the program that writes receipts: the
formats are public (C2SP signed-note, tlog-checkpoint, tlog-cosignature, tlog-policy, tlog-proof; RFC 9162) and written
out here again. The policy file is what you must have from elsewhere: it pins the log's keys and its witnesses.

What it establishes: a key of the log signed a head; the witnesses that the policy asks for cosigned it; the entry that
ends the game lies under that head; and the events of the bundle (or the one event in the receipt) are those that the
entry commits to. Whether they were lawful play is not asked here. Exit code 0: it holds; 1: it does not; 2: unreadable.
"""

import argparse
import base64
import hashlib
import hmac
import json
import re
import sys
import unicodedata
import zlib
from pathlib import Path
from typing import TextIO

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY_BYTES = {1: 32, 4: 32, 6: 1312}
"""Types of keys: 1 Ed25519 over the text, 4 Ed25519 cosignature, 6 ML-DSA-44."""
ROLES = {"log": (1, 6), "witness": (4, 6)}

P = 2**255 - 19
LOW_Y = (
    0,
    1,
    P - 1,
    P,
    P + 1,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    P - 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
)
LOW_ORDER = {(y | sign << 255).to_bytes(32, "little") for y in LOW_Y for sign in (0, 1)}
"""Points of low order: under such a key a signature holds for any message, so they are refused, as the key and as R."""


class Unreadable(Exception):  # noqa: N818  named by what the user is told
    """A file is not of its format."""


class Wrong(Exception):  # noqa: N818
    """Well-formed, and it does not hold."""


def need(condition: object, reason: str) -> None:
    """Stop with exit code 2 where a file is not of its format."""
    if not condition:
        raise Unreadable(reason)


def insist(condition: object, reason: str) -> None:
    """Stop with exit code 1 where something does not hold."""
    if not condition:
        raise Wrong(reason)


def sha(data: bytes) -> bytes:
    """Hash with SHA-256."""
    return hashlib.sha256(data).digest()


def b64(text: str) -> bytes:
    """Read base64 in its one spelling."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        data = b""
    need(base64.b64encode(data).decode() == text, "not base64")
    return data


def number(text: str) -> int:
    """Read a decimal number without leading zeros."""
    need(re.fullmatch(r"0|[1-9][0-9]{0,18}", text), f"not a number: {text[:40]!r}")
    return int(text)


# Keys and the policy that pins them.


class Key:
    """A verifier key: `<name>+<8 hex>+<base64 of type and key>`."""

    def __init__(self, text: str, kinds: tuple[int, ...]) -> None:
        parts = text.split("+", 2)
        need(len(parts) == 3, "not a key")
        self.name = parts[0]
        data = b64(parts[2])
        need(data and data[0] in kinds and len(data) == 1 + KEY_BYTES[data[0]], "not a key of the type needed here")
        self.kind, self.public = data[0], data[1:]
        self.id = sha(self.name.encode() + b"\n" + data)[:4]
        need(self.id.hex() == parts[1], "a key whose id is not its own")
        insist(self.public not in LOW_ORDER, f"the key of {self.name} is a point of low order")

    def holds(self, text: bytes, payload: bytes) -> tuple[bool, int]:
        """Tell whether a signature line's payload holds for a checkpoint's text, and the second it names."""
        if self.kind == 1:
            return ed25519(self.public, text, payload), 0
        if len(payload) <= 8 or payload[0] > 127:
            return False, 0
        second = int.from_bytes(payload[:8], "big")
        if self.kind == 4:
            message = f"cosignature/v1\ntime {second}\n".encode() + text
            return ed25519(self.public, message, payload[8:]), second
        origin, size, root = head(text)
        parts = [
            b"subtree/v1\n\0",
            short(self.name),
            payload[:8],
            short(origin),
            bytes(8),
            size.to_bytes(8, "big"),
            root,
        ]
        return mldsa44(self.public, b"".join(parts), payload[8:]), second


def short(text: str) -> bytes:
    """Write a name of 1 to 255 bytes behind its length."""
    data = text.encode()
    need(0 < len(data) < 256, "a name too long to be signed")
    return bytes([len(data)]) + data


def ed25519(public: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether an Ed25519 signature holds; points of low order never do."""
    if len(signature) != 64 or signature[:32] in LOW_ORDER or public in LOW_ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def mldsa44(public: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether an ML-DSA-44 signature holds; an old `cryptography` cannot say, and that is an error, not a yes."""
    try:
        from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey

        MLDSA44PublicKey.from_public_bytes(public).verify(signature, message)
    except (ImportError, UnsupportedAlgorithm):
        raise Unreadable("this version of cryptography has no ML-DSA-44: leave such keys out, or install 48") from None
    except (InvalidSignature, ValueError):
        return False
    return True


class Policy:
    """Which log keys, which witnesses, and how many of them."""

    def __init__(self, data: bytes) -> None:
        need(not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", data), "policy: a control character")
        self.logs: list[Key] = []
        self.witnesses: dict[str, Key] = {}
        self.groups: dict[str, tuple[int, list[str]]] = {}
        self.quorum = ""
        used: set[str] = set()
        for row in data.decode(errors="surrogateescape").split("\n"):
            word, *rest = [part for part in re.split(r"[ \t]+", row) if part] or ["#"]
            if word == "log" and len(rest) in (1, 2):
                self.logs.append(Key(rest[0], ROLES["log"]))
            elif word == "witness" and len(rest) in (2, 3):
                self._new(rest[0])
                self.witnesses[rest[0]] = Key(rest[1], ROLES["witness"])
            elif word == "group" and len(rest) > 2:
                name, rule, *members = rest
                need(
                    all(member in self.witnesses or member in self.groups for member in members), "policy: unknown name"
                )
                need(len(set(members)) == len(members) and not used & set(members), "policy: a member of two groups")
                used |= set(members)
                self._new(name)
                count = {"any": 1, "all": len(members)}.get(rule) or number(rule)
                need(1 <= count <= len(members), "policy: a group needs more than it has")
                self.groups[name] = (count, members)
            elif word == "quorum" and len(rest) == 1 and not self.quorum:
                need(rest[0] == "none" or rest[0] in self.witnesses or rest[0] in self.groups, "policy: unknown quorum")
                self.quorum = rest[0]
            else:
                need(word.startswith("#"), f"policy: not a statement: {word[:40]!r}")
        need(self.logs and self.quorum, "policy: it needs a log line and a quorum line")
        for keys in (self.logs, list(self.witnesses.values())):
            need(len({key.public for key in keys}) == len(keys), "policy: one key under two names")

    def _new(self, name: str) -> None:
        need(name != "none" and name not in self.witnesses and name not in self.groups, "policy: a name used twice")

    def met(self, holding: set[str]) -> bool:
        """Tell whether these witnesses make the quorum."""
        holding = set(holding)
        for name, (count, members) in self.groups.items():
            if sum(member in holding for member in members) >= count:
                holding.add(name)
        return self.quorum == "none" or self.quorum in holding


# The signed head of the log.


def head(text: bytes) -> tuple[str, int, bytes]:
    """Read a checkpoint's three lines: origin, size, root."""
    rows = text.decode().split("\n")
    need(len(rows) == 4 and not rows[3] and rows[0], "not a checkpoint")
    root = b64(rows[2])
    need(len(root) == 32, "a root that is not 32 bytes long")
    return rows[0], number(rows[1]), root


def open_head(note: bytes, policy: Policy) -> tuple[str, int, bytes, list[str]]:
    """Verify every line of a known key; give origin, size, root and the witnesses that cosigned."""
    try:
        whole = note.decode()
    except UnicodeDecodeError:
        raise Unreadable("the checkpoint is not UTF-8") from None
    body, found, below = whole.rpartition("\n\n")
    need(found and below.endswith("\n") and not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", whole), "not a signed note")
    text = (body + "\n").encode()
    origin, size, root = head(text)
    lines: list[tuple[str, bytes]] = []
    for row in below[:-1].split("\n"):
        shape = re.fullmatch(r"— ([^\s+]+) (\S+)", row)
        need(shape, "not a signature line")
        assert shape is not None
        payload = b64(shape.group(2))
        need(len(payload) > 4, "a signature line without signature")
        lines.append((shape.group(1), payload))
    need(len(lines) <= 64, "too many signature lines")

    def signed(key: Key) -> bool:
        mine = [payload[4:] for name, payload in lines if name == key.name and payload[:4] == key.id]
        for payload in mine:
            insist(key.holds(text, payload)[0], f"the signature of {key.name} does not hold")
        return bool(mine)

    by_log = [key.kind for key in policy.logs if signed(key) and key.name == origin]
    insist(1 in by_log, f"no Ed25519 key of the log {origin} that the policy pins signed this head")
    cosigners = [name for name, key in policy.witnesses.items() if signed(key)]
    insist(policy.met(set(cosigners)), f"the cosignatures do not make the quorum {policy.quorum}")
    return origin, size, root, cosigners


def included(index: int, size: int, leaf: bytes, path: list[bytes], root: bytes) -> bool:
    """Check an inclusion path (RFC 9162 2.1.3.2)."""
    if not 0 <= index < size or any(len(step) != 32 for step in path):
        return False
    place, last = index, size - 1
    for step in path:
        if last == 0:
            return False
        if place % 2 or place == last:
            leaf = sha(b"\x01" + step + leaf)
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            leaf = sha(b"\x01" + leaf + step)
        place, last = place // 2, last // 2
    return last == 0 and leaf == root


# Records: canonical JSON, and the two kinds of receipt.


def canonical(data: bytes) -> dict[str, object]:
    """Read one canonical JSON object: integers, true, false, strings, lists, objects; written again it is the same."""

    def refuse(text: str) -> object:
        raise Unreadable(f"not canonical: {text[:40]}")

    try:
        value = json.loads(data, parse_float=refuse, parse_constant=refuse)
        again = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        raise Unreadable("a record is not JSON") from None
    need(again == data and len(data) < 65536, "a record is not canonical")
    if not isinstance(value, dict):
        raise Unreadable("a record is not an object")
    plain(value, 1)
    return value


def plain(value: object, depth: int) -> None:
    """Insist on the profile: depth, keys, integers of 53 bits, normal strings without control characters."""
    need(depth <= 9 and value is not None, "a record is not canonical")
    if isinstance(value, dict):
        for key, inner in value.items():
            need(depth <= 8 and re.fullmatch(r"[a-z][a-z0-9_.]*", key), "a record is not canonical")
            plain(inner, depth + 1)
    elif isinstance(value, list):
        need(depth <= 8, "a record is not canonical")
        for inner in value:
            plain(inner, depth + 1)
    elif isinstance(value, str):
        odd = any(unicodedata.category(each) in ("Cc", "Cs") for each in value)
        need(not odd and unicodedata.is_normalized("NFC", value), "a record is not canonical")
    elif not isinstance(value, bool):
        need(isinstance(value, int) and abs(value) < 2**53, "a record is not canonical")


def records(data: bytes) -> list[bytes]:
    """Split records, each behind its length in two bytes."""
    found, at = [], 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        need(end <= len(data) and at + 2 <= len(data), "a record is cut off")
        found.append(data[at + 2 : end])
        at = end
    return found


def gunzip(data: bytes) -> bytes:
    """Unpack a gzip file of at most 1 GiB."""
    reading = zlib.decompressobj(wbits=31)
    try:
        whole = reading.decompress(data, 1 << 30)
    except zlib.error:
        raise Unreadable("the bundle is not a gzip file") from None
    need(reading.eof and not reading.unused_data, "the bundle is not one whole gzip file")
    return whole


class Receipt:
    """A tlog-proof whose extra data hold the entry, and for one action the event and its path."""

    def __init__(self, data: bytes) -> None:
        top, found, self.note = data.partition(b"\n\n")
        need(found and top.isascii(), "not a tlog-proof")
        rows = top.decode().split("\n")
        need(len(rows) > 2 and rows[0] == "c2sp.org/tlog-proof@v1", "not a tlog-proof")
        need(rows[1].startswith("extra ") and rows[2].startswith("index "), "a receipt has an extra and an index line")
        extra = b64(rows[1][6:])
        self.index = number(rows[2][6:])
        self.path = [b64(row) for row in rows[3:]]
        self.event: bytes | None = None
        self.event_path: list[bytes] = []
        self.entry = extra
        if not extra.startswith(b"{"):
            parts = records(extra)
            need(len(parts) >= 2, "a receipt of one action holds the entry, the event and its path")
            self.entry, self.event, *self.event_path = parts
        self.end = canonical(self.entry)
        need(self.end.get("kind") in ("close", "abort"), "the entry does not end a game")
        self.game = str(self.end.get("game"))
        size = self.end.get("size")
        need(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", self.game) and type(size) is int, "the entry is no end")
        assert isinstance(size, int)
        self.size = size

    def hash(self, name: str) -> bytes:
        """Give a hash that the entry holds."""
        text = self.end.get(name)
        need(isinstance(text, str) and re.fullmatch(r"[0-9a-f]{64}", text), f"the entry has no {name}")
        return bytes.fromhex(str(text))


def check_event(receipt: Receipt) -> str:
    """Check the one event of a receipt."""
    assert receipt.event is not None
    record = canonical(receipt.event)
    seq = record.get("seq")
    insist(record.get("game") == receipt.game and type(seq) is int, "the event is of another game")
    assert isinstance(seq, int)
    leaf = sha(b"\x00" + receipt.event)
    insist(included(seq, receipt.size, leaf, receipt.event_path, receipt.hash("root")), "the event is not in the game")
    return f"event {seq} of {receipt.game}: {receipt.event.decode()}"


def check_bundle(receipt: Receipt, events: list[bytes], blind: bytes) -> str:
    """Check that the events give the size, root and chain of the entry."""
    insist(len(events) == receipt.size, f"{len(events)} events, but the log counts {receipt.size}")
    chain = sha(b"\x02genesis" + receipt.game.encode())
    leaves = []
    for seq, event in enumerate(events):
        record = canonical(event)
        fits = record.get("game") == receipt.game and record.get("seq") == seq and type(record["seq"]) is int
        insist(fits, f"event {seq} says it is another")
        leaves.append(sha(b"\x00" + event))
        chain = sha(b"\x02" + chain + leaves[-1])
    root = tree(leaves)
    if "commit" in receipt.end:
        insist(len(blind) == 32, "the game is private: --blind is needed")
        found = hmac.digest(blind, receipt.size.to_bytes(8, "big") + root + chain, "sha256")
        insist(found == receipt.hash("commit"), "the events are not those that the log commits to")
    else:
        fits = (root, chain) == (receipt.hash("root"), receipt.hash("chain"))
        insist(fits, "the events do not give the root and chain in the log")
    return f"{receipt.game}, all {receipt.size} events"


def tree(leaves: list[bytes]) -> bytes:
    """Compute the root over leaf hashes, by the definition of RFC 9162 2.1.1, pair by pair."""
    if not leaves:
        return sha(b"")
    while len(leaves) > 1:
        pairs = [sha(b"\x01" + leaves[at] + leaves[at + 1]) for at in range(0, len(leaves) - 1, 2)]
        leaves = pairs + ([leaves[-1]] if len(leaves) % 2 else [])
    return leaves[0]


def check(receipt: Receipt, policy: Policy, bundle: bytes | None, blind: bytes) -> str:
    """Check a receipt; give what it establishes."""
    origin, size, root, cosigners = open_head(receipt.note, policy)
    leaf = sha(b"\x00" + receipt.entry)
    insist(included(receipt.index, size, leaf, receipt.path, root), "the entry is not in the log")
    where = f"entry {receipt.index} of {origin}, size {size}, cosigned by {', '.join(cosigners) or 'nobody'}"
    if receipt.event is not None:
        return f"{check_event(receipt)}\n({where})"
    if bundle is None:
        return f"the end of {receipt.game} after {receipt.size} events; no bundle, so no event was checked\n({where})"
    return f"{check_bundle(receipt, records(gunzip(bundle)), blind)}\n({where})"


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Check a receipt of a game without its operator.")
    parser.add_argument("receipt", type=Path)
    parser.add_argument("--policy", type=Path, required=True, help="pins the log's keys and its witnesses")
    parser.add_argument("--bundle", type=Path, help="the game's events (default: beside the receipt, if there)")
    parser.add_argument("--blind", type=bytes.fromhex, default=b"", help="opens a private game, 64 hex digits")
    given = parser.parse_args()
    try:
        receipt = Receipt(given.receipt.read_bytes())
        policy = Policy(given.policy.read_bytes())
        bundle: Path = given.bundle or given.receipt.with_name(f"game-{receipt.game}.bundle.gz")
        data = bundle.read_bytes() if given.bundle or bundle.exists() else None
        told = check(receipt, policy, data, given.blind)
    except Wrong as error:
        say(f"FAILED: {error}", sys.stdout)
        return 1
    except (Unreadable, OSError, UnicodeError) as error:
        say(f"not readable: {error}", sys.stderr)
        return 2
    say(f"holds: {told}", sys.stdout)
    return 0


def say(text: str, stream: TextIO) -> None:
    """Write a line whatever it holds: what is not printable is escaped."""
    shown = "".join(each if each.isprintable() or each == "\n" else ascii(each)[1:-1] for each in text)
    stream.write(shown.encode(stream.encoding or "ascii", "backslashreplace").decode(stream.encoding or "ascii") + "\n")


if __name__ == "__main__":
    sys.exit(main())

"""The pinned policy: which logs, which witnesses, how many of them (C2SP tlog-policy; ledger.md 2, 3).

The one root of trust, kept outside the database. One statement a line, fields apart by spaces and tabs, `#` starts a
comment line; no other control character stands anywhere, and bytes above 0x7f are opaque (UTF-8 is meant):

    log <vkey> [<url>]                       every log key ever valid has its line, type 0x01 or 0x06; its name is the
                                             origin
    witness <name> <vkey> [<url>]            a cosigner, key of type 0x04 or 0x06
    group <name> <k|any|all> <member> …      k of its members, each a witness or group named above, in one group at most
    quorum <name|none>                       exactly once: what a checkpoint must carry beside the log's own line

No two logs, and no two witnesses, share a public key, whatever they are named.

    log example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx
    quorum none

A maximum age is no part of the file; whoever asks for one gives it to `verify`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ledger.errors import Malformed
from ledger.keys import COSIGNATURE, ED25519, MLDSA44, Verifier, parse_vkey
from ledger.note import Opened

MAX_BYTES: Final = 1_048_576

_WHAT: Final = "policy"
_BLANK: Final = re.compile(r"[ \t]+")
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")
_COUNT: Final = re.compile(r"[1-9][0-9]{0,5}")
_NONE: Final = "none"


@dataclass(frozen=True)
class LogKey:
    """A key of the log, with where it is served."""

    verifier: Verifier
    url: str = ""


@dataclass(frozen=True)
class Witness:
    """A cosigner, with where it answers."""

    name: str
    verifier: Verifier
    url: str = ""


@dataclass(frozen=True)
class Group:
    """`needed` of `members`; `rule` is the word it was written with: a number, any or all."""

    name: str
    rule: str
    members: tuple[str, ...]

    @property
    def needed(self) -> int:
        """How many members must hold."""
        return {"any": 1, "all": len(self.members)}.get(self.rule) or int(self.rule)


@dataclass(frozen=True)
class Policy:
    """A policy as read; `quorum` is empty for `none`."""

    logs: tuple[LogKey, ...]
    witnesses: tuple[Witness, ...] = ()
    groups: tuple[Group, ...] = ()
    quorum: str = ""

    def verifiers(self) -> tuple[Verifier, ...]:
        """Give all keys, those of the log first."""
        return (*(key.verifier for key in self.logs), *(witness.verifier for witness in self.witnesses))

    def origins(self) -> tuple[str, ...]:
        """Give the logs that are pinned, each once."""
        return tuple(dict.fromkeys(key.verifier.name for key in self.logs))

    def met(self, names: Iterable[str]) -> bool:
        """Tell whether these witnesses make the quorum; without one (`none`) nobody is needed."""
        if not self.quorum:
            return True
        holding = set(names)
        for group in self.groups:  # members stand above their group
            if sum(member in holding for member in group.members) >= group.needed:
                holding.add(group.name)
        return self.quorum in holding

    def cosigned(self, opened: Opened) -> Mapping[str, int]:
        """Give the witnesses whose cosignature verified on a note, with its POSIX second."""
        names = {witness.verifier: witness.name for witness in self.witnesses}
        return {
            names[found.verifier]: found.time
            for found in opened.signatures
            if found.verifier in names and found.time is not None
        }

    def format(self) -> bytes:
        """Write the policy; the mirror of `parse_policy` (comments are not kept)."""
        rows = [_join("log", key.verifier.format(), key.url) for key in self.logs]
        rows += [_join("witness", each.name, each.verifier.format(), each.url) for each in self.witnesses]
        rows += [_join("group", group.name, group.rule, *group.members) for group in self.groups]
        rows.append(_join("quorum", self.quorum or _NONE))
        return "".join(rows).encode(errors="surrogateescape")


def parse_policy(data: bytes) -> Policy:
    """Read a policy; Malformed with the line number, Untrusted (`weak_key`) for a key of low order."""
    if len(data) > MAX_BYTES:
        raise Malformed(_WHAT, f"{len(data)} bytes, at most {MAX_BYTES} are allowed")
    control = _CONTROL.search(data)
    if control:
        raise Malformed(_WHAT, "a control character", control.start())
    reading = _Reading()
    for number, row in enumerate(data.decode(errors="surrogateescape").split("\n"), 1):
        fields = [field for field in _BLANK.split(row) if field]
        if fields and not fields[0].startswith("#"):
            try:
                reading.statement(fields)
            except Malformed as error:
                raise Malformed(_WHAT, f"line {number}: {error.reason}") from None
    return reading.policy()


class _Reading:
    """The statements so far: names must be defined above their use."""

    def __init__(self) -> None:
        self.logs: list[LogKey] = []
        self.witnesses: list[Witness] = []
        self.groups: list[Group] = []
        self.quorum: str | None = None
        self.names: set[str] = {_NONE}
        self.members: set[str] = set()
        self.ids: set[tuple[str, bytes]] = set()
        self.log_keys: set[bytes] = set()
        self.cosigners: set[bytes] = set()

    def statement(self, fields: list[str]) -> None:
        word, *rest = fields
        if word == "log" and len(rest) in {1, 2}:
            verifier = self._key(rest[0], ED25519, MLDSA44)
            if verifier.public in self.log_keys:
                raise Malformed(_WHAT, "two log lines never share a key")
            self.log_keys.add(verifier.public)
            self.logs.append(LogKey(verifier, *rest[1:]))
        elif word == "witness" and len(rest) in {2, 3}:
            name = self._define(rest[0])
            verifier = self._key(rest[1], COSIGNATURE, MLDSA44)
            if verifier.public in self.cosigners:
                raise Malformed(_WHAT, "two cosigners never share a key")
            self.cosigners.add(verifier.public)
            self.witnesses.append(Witness(name, verifier, *rest[2:]))
        elif word == "group" and len(rest) >= 3:
            self._group(*rest)
        elif word == "quorum" and len(rest) == 1:
            if self.quorum is not None:
                raise Malformed(_WHAT, "a second quorum")
            if rest[0] not in self.names:
                raise Malformed(_WHAT, f"{rest[0]} is not defined above")
            self.quorum = rest[0]
        else:
            raise Malformed(_WHAT, f"not a statement: {word} with {len(rest)} fields")

    def _group(self, name: str, rule: str, *members: str) -> None:
        for member in members:
            if member == _NONE or member not in self.names:
                raise Malformed(_WHAT, f"{member} is not defined above")
            if member in self.members:
                raise Malformed(_WHAT, f"{member} is a member already")
            self.members.add(member)
        if rule not in {"any", "all"} and not (_COUNT.fullmatch(rule) and int(rule) <= len(members)):
            raise Malformed(_WHAT, f"{rule} is not any, all or 1 to {len(members)}")
        self.groups.append(Group(self._define(name), rule, members))

    def _define(self, name: str) -> str:
        if name in self.names:
            raise Malformed(_WHAT, f"{name} is defined already")
        self.names.add(name)
        return name

    def _key(self, text: str, *kinds: int) -> Verifier:
        verifier = parse_vkey(text)
        if verifier.kind not in kinds:
            needed = " or ".join(f"0x{kind:02x}" for kind in kinds)
            raise Malformed(_WHAT, f"a key of type 0x{verifier.kind:02x} where {needed} is needed")
        if (verifier.name, verifier.key_id) in self.ids:
            raise Malformed(_WHAT, f"a second key {verifier.name}+{verifier.key_id.hex()}")
        self.ids.add((verifier.name, verifier.key_id))
        return verifier

    def policy(self) -> Policy:
        if not self.logs:
            raise Malformed(_WHAT, "no log line")
        if self.quorum is None:
            raise Malformed(_WHAT, "no quorum line (write 'quorum none' to ask for no cosignature)")
        quorum = "" if self.quorum == _NONE else self.quorum
        return Policy(tuple(self.logs), tuple(self.witnesses), tuple(self.groups), quorum)


def _join(*fields: str) -> str:
    return " ".join(field for field in fields if field) + "\n"

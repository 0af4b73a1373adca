"""Signed notes: a text and the signatures under it (C2SP signed-note v1.0.0; ledger.md 2).

    <text, one or more lines, each ending in a newline>
    <empty line>
    — <name> <base64(key id, 4 bytes || signature)>
    …

UTF-8 without control characters but the newline. The last empty line splits, so the text itself may have empty lines.
What a signature signs depends on the type of its key: 0x01 signs the text; 0x04 and 0x06 sign it with the second of
signing, which stands before the signature, as `ledger.cosignature` says.

Lines of unknown (name, id) are ignored; a line of a known key that does not verify rejects the note, and so does a
note without one valid line. Two known keys that share name and id make both ambiguous: refused. Example (one line cut):

    example.com/log/testdata
    15
    rKbDipCvhuX1GZ7g5BBe8sA6BbJ7ja/1nk427v383cs=

    — example.com/log/testdata M9e0luh4jTG+UMBqOUo9/q+yAEvx1ilBEniMvjf1zfcBOhg+CKubMt53MvIt/uEW…
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ledger.cosignature import MAX_TIME, TIMED, timed_message
from ledger.errors import Malformed, Untrusted
from ledger.keys import Signer, Verifier, check_name, strict_base64

MAX_BYTES: Final = 262_144
MAX_LINES: Final = 64  # the format asks for 16 at least

_WHAT: Final = "signed note"
_DASH: Final = "— "
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Line:
    """One signature line: who says to have signed, with which key, and the payload after the key id."""

    name: str
    key_id: bytes
    payload: bytes

    def format(self) -> str:
        """Write the line with its newline."""
        return f"{_DASH}{self.name} {b64encode(self.key_id + self.payload).decode()}\n"


@dataclass(frozen=True)
class Note:
    """A note as parsed, believed by nobody yet; `text` ends in a newline."""

    text: bytes
    lines: tuple[Line, ...]

    def format(self) -> bytes:
        """Write the note; the mirror of `parse_note`."""
        return self.text + b"\n" + "".join(line.format() for line in self.lines).encode()


@dataclass(frozen=True)
class Signature:
    """A line that verified; `time` is the POSIX second of a cosignature, absent for 0x01."""

    verifier: Verifier
    line: Line
    time: int | None


@dataclass(frozen=True)
class Opened:
    """A note and the signatures on it that verified, in the note's order, one for each key."""

    note: Note
    signatures: tuple[Signature, ...]


def parse_note(data: bytes) -> Note:
    """Read the form of a note, checking no signature; Malformed with the reason."""
    if len(data) > MAX_BYTES:
        raise Malformed(_WHAT, f"{len(data)} bytes, at most {MAX_BYTES} are allowed")
    try:
        whole = data.decode()
    except UnicodeDecodeError as error:
        raise Malformed(_WHAT, "not UTF-8", error.start) from None
    control = _CONTROL.search(whole)
    if control:
        raise Malformed(_WHAT, "a control character", len(whole[: control.start()].encode()))
    text, found, below = whole.rpartition("\n\n")
    if not found:
        raise Malformed(_WHAT, "no empty line between text and signatures")
    if not below.endswith("\n"):
        raise Malformed(_WHAT, "the last line has no newline", len(data))
    rows = below[:-1].split("\n")
    if len(rows) > MAX_LINES:
        raise Malformed(_WHAT, f"{len(rows)} signature lines, at most {MAX_LINES} are allowed")
    return Note((text + "\n").encode(), tuple(_parse_line(row) for row in rows))


def _parse_line(row: str) -> Line:
    name, found, payload = row.removeprefix(_DASH).partition(" ")
    if not row.startswith(_DASH) or not found:
        raise Malformed(_WHAT, "a signature line is '— <name> <base64>'")
    raw = strict_base64(payload, "signature line")
    if len(raw) < 5:
        raise Malformed("signature line", "no signature")
    return Line(check_name(name), raw[:4], raw[4:])


def open_note(data: bytes, verifiers: Iterable[Verifier]) -> Opened:
    """Read a note and verify every line of a known key.

    Malformed for bytes that are no note; Untrusted, code `signature`, where a known key's line does not verify, where
    none is known, or where two known keys cannot be told apart.
    """
    return verify_note(parse_note(data), verifiers, data)


def verify_note(note: Note, verifiers: Iterable[Verifier], data: bytes) -> Opened:
    """Verify every line of a known key of a note that was read from `data`; Untrusted as in `open_note`."""
    known: dict[tuple[str, bytes], Verifier] = {}
    for verifier in verifiers:
        other = known.setdefault((verifier.name, verifier.key_id), verifier)
        if other != verifier:
            raise Untrusted("signature", f"two known keys are both {verifier.name}+{verifier.key_id.hex()}", data)
    found: dict[Verifier, Signature] = {}
    for line in note.lines:
        known_key = known.get((line.name, line.key_id))
        if known_key is None:
            continue
        signature = _verify(note.text, line, known_key)
        if signature is None:
            raise Untrusted("signature", f"the signature of {line.name}+{line.key_id.hex()} does not hold", data)
        found.setdefault(known_key, signature)
    if not found:
        names = ", ".join(f"{line.name}+{line.key_id.hex()}" for line in note.lines)
        raise Untrusted("signature", f"no signature of a known key (signed by {names})", data)
    return Opened(note, tuple(found.values()))


def _verify(text: bytes, line: Line, verifier: Verifier) -> Signature | None:
    if verifier.kind in TIMED:
        time = int.from_bytes(line.payload[:8])
        if len(line.payload) <= 8 or time > MAX_TIME:
            return None
        try:
            message = timed_message(verifier, text, time)
        except Malformed:
            return None
        return Signature(verifier, line, time) if verifier.verify(message, line.payload[8:]) else None
    if not verifier.verify(text, line.payload):
        return None
    return Signature(verifier, line, None)


def parse_lines(data: bytes) -> tuple[Line, ...]:
    """Read signature lines that stand alone, as a witness answers with; Malformed where they are none."""
    note = parse_note(b"\n\n" + data)
    if note.text != b"\n":
        raise Malformed("signature lines", "an empty line among them")
    return note.lines


def with_lines(data: bytes, lines: Iterable[Line]) -> bytes:
    """Give a note with more lines; one of a (name, id) that stands already takes that one's place."""
    note = parse_note(data)
    merged = {(line.name, line.key_id): line for line in (*note.lines, *lines)}
    return Note(note.text, tuple(merged.values())).format()


def sign_note(text: bytes, signers: Sequence[Signer], *, time: int = 0) -> bytes:
    """Sign a text ending in a newline and write the note; `time` (POSIX seconds) stands in timed lines only."""
    lines = []
    for signer in signers:
        verifier = signer.verifier
        if verifier.kind in TIMED:
            payload = time.to_bytes(8) + signer.sign(timed_message(verifier, text, time))
        else:
            payload = signer.sign(text)
        lines.append(Line(verifier.name, verifier.key_id, payload))
    data = Note(text, tuple(lines)).format()
    open_note(data, [signer.verifier for signer in signers])  # a signer elsewhere may fail: nothing false goes out
    return data

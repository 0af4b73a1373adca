"""Who may see what: roles, the users file, the access log (viewer.md 0.3, 5).

    player      the games he plays in, others' hidden tiles left out until the hand is revealed (`redact`), and cases
    operator    everything; opens, decides and closes cases (`filing`)
    regulator   everything, players named by pseudonyms of the page until he asks; what he opens is logged

Who is who stands in one TOML file, read anew whenever it changes:

    [users."subject as the login says it"]
    role = "player"
    players = ["p-17"]

    [users."another subject"]
    role = "operator"
    by = "judge-1"          # the pseudonym that he acts under in cases; without it he is asked for one

Without a users file everyone is the operator, and the viewer listens on loopback only. With one, whoever is not in it
sees nothing; a file that cannot be read lets nobody in. The subject comes from a header that a trusted proxy sets, or
from Streamlit's login. The access log is JSON lines, appended to and never read by the viewer.
"""

import hmac
import json
import os
import re
import secrets
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from ledger.errors import Malformed, Unavailable

ROLES: Final = ("player", "operator", "regulator")
PAGES: Final[Mapping[str, frozenset[str]]] = {
    "player": frozenset({"games", "replay", "payouts", "file", "disputes"}),
    "operator": frozenset(
        {"games", "replay", "payouts", "verdict", "proof", "fairness", "compare", "file", "disputes"}
    ),
    "regulator": frozenset(
        {"games", "replay", "payouts", "verdict", "proof", "fairness", "compare", "file", "disputes"}
    ),
}
"""Pages by role. Those that read whole events of games in play are not for players."""
USERS: Final = "PAIPU_USERS"
HEADER: Final = "PAIPU_USER_HEADER"
AS: Final = "PAIPU_AS"
LOG: Final = "PAIPU_ACCESS_LOG"
READ_ONLY: Final = "PAIPU_READ_ONLY"
NOTES: Final = "PAIPU_NOTES"
PSEUDONYMS: Final = "PAIPU_PSEUDONYM_KEY"
KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the pages; `players` are the ids he plays under."""

    subject: str
    role: str
    players: tuple[str, ...] = ()
    by: str = ""
    """The pseudonym that an operator acts under in cases; his subject never enters the log."""

    def may(self, page: str) -> bool:
        """Tell whether a page is for him."""
        return page in PAGES.get(self.role, frozenset())

    def plays(self, players: Sequence[str]) -> bool:
        """Tell whether a game of these players is his to see."""
        return self.role in {"operator", "regulator"} or bool(set(self.players) & set(players))


OPERATOR: Final = Person("", "operator")


def read_users(path: Path) -> dict[str, Person]:
    """Read a users file; Unavailable or Malformed where it is none, whatever is wrong with it."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unavailable(str(path), f"cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Malformed(str(path), f"not TOML: {error}") from None
    users = found.pop("users", None)
    if found or not isinstance(users, dict):
        raise Malformed(str(path), "one table `users` was expected")
    return {subject: _person(str(path), subject, entry) for subject, entry in users.items()}


def _person(path: str, subject: str, entry: object) -> Person:
    if not isinstance(entry, dict) or not set(entry) <= {"role", "players", "by"} or entry.get("role") not in ROLES:
        raise Malformed(path, f"{subject!r}: role (one of {', '.join(ROLES)}) and players were expected")
    players = entry.get("players", [])
    if not isinstance(players, list) or not all(isinstance(each, str) and each for each in players):
        raise Malformed(path, f"{subject!r}: players is a list of ids")
    if (entry["role"] == "player") != bool(players):
        raise Malformed(path, f"{subject!r}: players stand with the role player, and only there")
    by = entry.get("by", "")
    if not isinstance(by, str) or ("by" in entry and (entry["role"] != "operator" or not 0 < len(by) <= 256)):
        raise Malformed(path, f"{subject!r}: by is the pseudonym of an operator")
    return Person(subject, entry["role"], tuple(players), by)


def parse_as(text: str) -> Person:
    """Read ROLE or player:ID; Malformed where it is neither."""
    role, colon, player = text.partition(":")
    if role not in ROLES or bool(colon) != (role == "player") or (colon and not player):
        raise Malformed("--as", f"{text[:60]!r} is not operator, regulator or player:ID")
    return Person(f"as {text}", role, (player,) if player else ())


class Users:
    """The users file, read again when it changes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int] | None = None
        self._users: dict[str, Person] = {}

    def find(self, subject: str) -> Person | None:
        """Return who a subject is, None for a stranger, and for anybody while the file cannot be read."""
        try:
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            if stamp != self._seen:
                self._users, self._seen = read_users(self.path), stamp
        except (OSError, Unavailable, Malformed):
            self._users, self._seen = {}, None
        return self._users.get(subject)


def allowed(headers: Mapping[str, str], login: Mapping[str, Any], users: Users | None) -> Person | None:
    """Return who is there by header or login, None for a stranger; without a users file the one of `--as`."""
    if users is None:
        given = os.environ.get(AS, "")
        return parse_as(given) if given else OPERATOR
    name = os.environ.get(HEADER, "")
    if name:
        subject = headers.get(name)
    else:
        subject = login.get("sub") or login.get("email") if login.get("is_logged_in") else None
    return users.find(subject) if isinstance(subject, str) and subject else None


_OWN_KEY: Final = secrets.token_bytes(KEY_BYTES)


def pseudonym(player: str) -> str:
    """Return what a player is called where names are hidden: the same on every page, and no name.

    Keyed, for ids are few and short: whoever guesses one could otherwise try it. The key is the file that
    `--pseudonym-key` names, else one of this process, so that its pseudonyms end with it.
    """
    path = os.environ.get(PSEUDONYMS, "")
    key = read_pseudonym_key(Path(path)) if path else _OWN_KEY
    return f"P-{hmac.digest(key, b'paipu/pseudonym/1:' + player.encode(), 'sha256').hex()[:12]}"


@cache
def read_pseudonym_key(path: Path) -> bytes:
    """Return the key of the pseudonyms, drawn and kept (mode 0600) where the file does not exist.

    Unavailable where it can be neither read nor made; Malformed where it is not 64 hex digits.
    """
    try:
        with suppress(FileExistsError):
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(number, "w", encoding="ascii") as file:
                file.write(f"{secrets.token_hex(KEY_BYTES)}\n")
        text = path.read_bytes().strip()
    except OSError as error:
        raise Unavailable(str(path), f"cannot be read or made: {error.strerror}") from None
    if not re.fullmatch(rb"[0-9a-f]{%d}" % (2 * KEY_BYTES), text):
        raise Malformed(str(path), f"{2 * KEY_BYTES} hex digits were expected")
    return bytes.fromhex(text.decode())


def masked(text: str, players: Iterable[str]) -> str:
    """Return a text with pseudonyms for the ids of these players.

    An id that begins or ends in a Latin letter or a digit must begin or end a word there; Chinese runs words together.
    """
    told = {each: pseudonym(each) for each in players if each}
    if not told:
        return text
    either = "|".join(rf"{_edge(each[0], '<!')}{re.escape(each)}{_edge(each[-1], '!')}"
                      for each in sorted(told, key=len, reverse=True))  # fmt: skip
    return re.sub(either, lambda found: told[found[0]], text)


def _edge(character: str, look: str) -> str:
    return rf"(?{look}[A-Za-z0-9_])" if re.match("[A-Za-z0-9_]", character) else ""


def note(person: Person | None, page: str, **what: object) -> None:
    """Append a line to the access log, where there is one: who, when (ms UTC), which page, what of it.

    One write of one line, so that processes may share the file. A log that cannot be written raises OSError: then
    nothing is shown.
    """
    path = os.environ.get(LOG, "")
    if not path:
        return
    record = {
        "at": time.time_ns() // 1_000_000,
        "subject": person.subject if person else "",
        "role": person.role if person else "stranger",
        "page": page,
        **{name: value for name, value in what.items() if value not in {None, ""}},
    }
    line = json.dumps(record, ensure_ascii=True, sort_keys=True).encode() + b"\n"
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(number, line)
    finally:
        os.close(number)


def read_only() -> bool:
    """Tell whether nothing may be written from the pages."""
    return os.environ.get(READ_ONLY) == "1"

"""Filing from the pages: who may do what to a case, what stands in the way, and the command that does the same.

The acts are those of `paipu case` and call the same functions (`viewer.cases`); here stands only who may:

    open                       the operator; a player over a game he plays in, under the id he plays under
    evidence, decide, close    the operator
    nothing                    the regulator, who reads

A `Draft` is what somebody is about to write, shown to him once more before it is written. It remembers how far he had
read the case, so that what another has entered meanwhile is never answered unseen.
"""

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from engine.case_stream import Case
from ledger.errors import LedgerError, Refused
from ledger.keys import read_private
from ledger.log import Log
from ledger.sealed import is_sealed
from ledger.store import Reader, Tables, place_of
from viewer import access, cases, passphrase
from viewer.access import Person
from viewer.cases import Subject
from viewer.games import GameInfo, first_event
from viewer.targets import beside, ledger_url, reopen_log

ACTS: Final = ("open", "evidence", "decide", "close")
OUTCOMES: Final = ("upheld", "rejected", "settled", "referred")
MOST_WORDS: Final = 4000
"""Characters of a claim or a reason."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An act before it is written; which fields count depends on `act`."""

    act: str
    case: str
    by: str
    subject: Subject | None = None
    words: str = ""
    """The claim of `open`, the reason of `decide`."""
    jurisdiction: str = "default"
    outcome: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """By name, what `evidence` freezes."""
    seen: int | None = None
    """Events of the case when it was read."""


def players(reader: Reader, game: str) -> tuple[str, ...]:
    """Return who plays in a game; nobody where there is none, or its first event cannot be read."""
    return first_event(reader, GameInfo(game, -1, "game", 0, False, "", (), 0)).players


def may(person: Person, act: str, seated: tuple[str, ...]) -> bool:
    """Tell whether somebody may do this to a case over a game of these players."""
    if person.role == "player":
        return act == "open" and person.plays(seated)
    return person.role == "operator" and act in ACTS


def names(person: Person, seated: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that somebody acts under; none where he is asked for one."""
    if person.role == "player":
        return tuple(each for each in person.players if each in seated)
    return (person.by,) if person.by else ()


def obstacle(target: str) -> str:
    """Say why nothing can be written to a ledger from here: read_only, no_key, sealed, not_writable; "" where it can.

    A sealed key counts as one where its passphrase is given in the environment: nobody sits at the server's terminal.
    """
    if access.read_only():
        return "read_only"
    try:
        url = ledger_url(target)
        if url is None:
            return "not_writable"
        files = beside(url)
        keys = read_private(files.key)
    except LedgerError:
        return "no_key"
    if any(map(is_sealed, keys)) and not {passphrase.FILE, passphrase.VALUE} & set(os.environ):
        return "sealed"
    place = place_of(url)
    if place.exists() and not (os.access(place, os.W_OK) and os.access(place.parent, os.W_OK)):
        return "not_writable"
    return ""


def _once(reader: Tables, draft: Draft, subject: Subject) -> None:
    """Refuse a second open case of one party over one subject: a form that was sent from two windows."""
    for case in cases.cases(reader):
        opened = case.opened
        if opened is None or case.closed is not None or opened.by != draft.by:
            continue
        if (opened.subject.game, opened.subject.hand, opened.subject.seq) == (subject.game, subject.hand, subject.seq):
            raise Refused(draft.case, f"{case.id} is open over the same already")


@contextmanager
def _log(target: str) -> Iterator[tuple[Log, str]]:
    url = ledger_url(target)
    assert url is not None
    with reopen_log(url, beside(url)) as log:
        yield log, url


def write(draft: Draft, target: str, person: Person, *, at: int) -> Case:
    """Write a draft, `at` ms UTC; return the case as it then stands.

    Refused where the person may not, something stands in the way, or the case has grown since it was read.
    """
    with cases.reading(target) as reader:
        subject = draft.subject
        if draft.act != "open":
            opened = cases.read_case(reader, draft.case).opened
            assert opened is not None
            subject = Subject(opened.subject.game)
        if subject is None or not may(person, draft.act, players(reader, subject.game)):
            raise Refused(draft.case, f"{draft.act}: not for the role {person.role}")
        if draft.act == "open":
            subject = cases.check_subject(reader, subject)
            _once(reader, draft, subject)
        own = names(person, players(reader, subject.game))
        if own and draft.by not in own:
            raise Refused(draft.case, "it is signed with another's name")
    if len(draft.words) > MOST_WORDS:  # a browser may send what its form does not let one type
        raise Refused(draft.case, f"{len(draft.words)} characters, at most {MOST_WORDS} are taken")
    why = obstacle(target)
    if why:
        raise Refused(draft.case, f"nothing can be written: {why}")
    with _log(target) as (log, url):
        if draft.act == "open":
            return cases.open_case(
                log, url, draft.case, subject, by=draft.by, claim=draft.words, jurisdiction=draft.jurisdiction, at=at
            )
        if draft.act == "decide":
            return cases.decide(
                log, url, draft.case, by=draft.by, outcome=draft.outcome, reason=draft.words, at=at, seen=draft.seen
            )
        if draft.act == "close":
            return cases.close_case(log, url, draft.case, by=draft.by, at=at, seen=draft.seen)
        found, seen = None, draft.seen
        for name, data in draft.files.items():
            found = cases.attach(log, url, draft.case, by=draft.by, name=name, data=data, at=at, seen=seen)
            seen = None if seen is None else found.size
        if found is None:
            raise Refused(draft.case, "no file was given")
        return found


def command(draft: Draft, ledger: str) -> str:
    """Return the command line that does what a draft does; what is not filled in yet is an ellipsis."""
    parts = ["paipu", "case", "bundle" if draft.act == "evidence" else draft.act]
    if draft.act == "open":
        assert draft.subject is not None
        parts.append(draft.subject.game)
        for name, number in (("--hand", draft.subject.hand), ("--seq", draft.subject.seq)):
            parts += [name, str(number)] if number is not None else []
    else:
        parts.append(draft.case)
    parts += ["--by", draft.by or "…"]
    if draft.act == "open":
        parts += ["--claim", _said(draft.words, "claim")]
        parts += ["--jurisdiction", draft.jurisdiction] if draft.jurisdiction != "default" else []
    if draft.act == "decide":
        parts += ["--outcome", draft.outcome or "…", "--reason", _said(draft.words, "reason")]
    return shlex.join([*parts, "--ledger", Path(ledger).name])


def _said(words: str, name: str) -> str:
    # What begins with @, and a lone -, the command line takes for a file to read.
    return f"@{name}.txt" if words.startswith("@") or words == "-" else words or "…"

"""`paipu case`: open, show, decide and close a dispute; freeze its evidence in a bundle."""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from engine.case_stream import Case
from ledger.errors import Malformed, Unavailable
from ledger.log import Log, now_ms
from ledger.store import Reader
from viewer import cases
from viewer.cases import Subject
from viewer.clocks import CLOCKS
from viewer.commands.common import Place, ledger_option, need_ledger
from viewer.names import shown
from viewer.plain import read_bytes
from viewer.targets import beside, read_sound, reopen_log

OUTCOMES = ("upheld", "rejected", "settled", "referred")
by_option = click.option("--by", required=True, metavar="WHO", help="Pseudonym of who acts.")


@click.group(
    "case",
    short_help="Open, show, decide and close disputes.",
    epilog="Example: paipu case show --ledger sqlite:///x.db",
)
def case() -> None:
    """Settle disputes: a case is a stream of the ledger, opened with the engine's verdict on its game.

    What people say stays outside the event bytes as a salted text that `paipu text erase` can erase.
    """


@contextmanager
def _writing(ledger: str | None, key: str | None) -> Iterator[tuple[Log, str]]:
    """Open the ledger for a case: its log and its URL."""
    url = need_ledger(ledger)
    with reopen_log(url, beside(url, None, key)) as log:
        yield log, url


def _words(text: str) -> str:
    """Return words as given, or with `@FILE` or `-` those of a file."""
    if text != "-" and not text.startswith("@"):
        return text
    try:
        return read_bytes(text.removeprefix("@")).decode()
    except UnicodeDecodeError as error:
        raise Malformed(text, "not UTF-8", error.start) from None


key_option = click.option("--key", metavar="FILE", help="Key file of the log (default: <db>.key).")


@case.command(
    "open",
    short_help="Open a case over a game, a hand or an event.",
    epilog='Example: paipu case open linhai-s7-00000 --seq 137 --by p2 --claim "my win was refused" --ledger x.db',
)
@click.argument("game")
@click.option("--hand", type=click.IntRange(0), help="The hand in dispute.")
@click.option("--seq", type=click.IntRange(0), help="The event in dispute.")
@by_option
@click.option("--claim", required=True, metavar="TEXT", help="The claim in words; @FILE or - reads them.")
@click.option("--jurisdiction", type=click.Choice(sorted(CLOCKS)), default="default", show_default=True,
              help="Whose clock runs.")  # fmt: skip
@click.option("--id", "name", metavar="ID", help="Id of the case (default: drawn).")
@key_option
@ledger_option
def open_(
    *, game: str, hand: int | None, seq: int | None, by: str, claim: str, jurisdiction: str, name: str | None,
    key: str | None, ledger: str | None,
) -> None:  # fmt: skip
    """Open a case; print its id, when it is due, and what the engine says of the game."""
    words = _words(claim)
    case_id = name or f"case-{secrets.token_hex(6)}"
    with _writing(ledger, key) as (log, url):
        found = cases.open_case(
            log, url, case_id, Subject(game, hand, seq), by=by, claim=words, jurisdiction=jurisdiction, at=now_ms()
        )
    assert found.opened is not None
    click.echo(f"{case_id}: due {moment(found.opened.due)}; the engine says: {found.verdicts[0].outcome}")


@case.command(
    short_help="Show a case, or list them all.",
    epilog="Example: paipu case show case-5b1f… --ledger x.db --json",
)
@click.argument("case_id", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, an object a case.")
@click.option("--check", is_flag=True, help="Exit code 1 where a case was not decided in time.")
@ledger_option
def show(*, case_id: str | None, as_json: bool, check: bool, ledger: str | None) -> int:
    """Show what a case says and where its clock stands; without an id every case in one line."""
    reader = read_sound(need_ledger(ledger))
    try:
        found = list(cases.cases(reader)) if case_id is None else [cases.read_case(reader, case_id)]
        if not found and not as_json:
            click.echo("no case")
        for each in found:
            if as_json:
                click.echo(json.dumps(as_object(each, reader, now_ms()), ensure_ascii=False))
            elif case_id is None:
                click.echo(_line(each, now_ms()))
            else:
                click.echo("\n".join(told(each, reader, now_ms())))
    finally:
        reader.close()
    return int(check and any(each.overdue(now_ms()) for each in found))


@case.command(
    short_help="Decide a case with the reason in words.",
    epilog='Example: paipu case decide case-5b1f… --by judge1 --outcome upheld --reason "event 137" --ledger x.db',
)
@click.argument("case_id")
@by_option
@click.option("--outcome", type=click.Choice(OUTCOMES), required=True, help="What is decided.")
@click.option("--reason", required=True, metavar="TEXT", help="The reason in words; @FILE or - reads them.")
@key_option
@ledger_option
def decide(*, case_id: str, by: str, outcome: str, reason: str, key: str | None, ledger: str | None) -> None:
    """Record a decision; a later one may follow until the case is closed."""
    words = _words(reason)
    with _writing(ledger, key) as (log, url):
        found = cases.decide(log, url, case_id, by=by, outcome=outcome, reason=words, at=now_ms())
    late = " (after its time limit)" if found.overdue(now_ms()) else ""
    click.echo(f"{case_id}: {outcome}{late}")


@case.command(
    short_help="Close a decided case.",
    epilog="Example: paipu case close case-5b1f… --by judge1 --ledger x.db",
)
@click.argument("case_id")
@by_option
@key_option
@ledger_option
def close(*, case_id: str, by: str, key: str | None, ledger: str | None) -> None:
    """Close a case; nothing follows, a new doubt opens a new case."""
    with _writing(ledger, key) as (log, url):
        cases.close_case(log, url, case_id, by=by, at=now_ms())
    click.echo(f"{case_id}: closed")


@case.command(
    short_help="Freeze a case's evidence: one SQLite file and an HTML report.",
    epilog="Example: paipu case bundle case-5b1f… --by judge1 -o evidence/ --ledger x.db",
)
@click.argument("case_id")
@click.option("--by", metavar="WHO", help="Enter the files' digests in the case as evidence of WHO.")
@click.option("--pdf", is_flag=True, help="The report as PDF, too (needs the extra `pdf`).")
@click.option("--no-words", is_flag=True, help="Leave the erasable texts out.")
@click.option("-o", "--output", "folder", metavar="DIR", default=".", type=Place(),
              help="Place (default: here).")  # fmt: skip
@key_option
@ledger_option
def bundle(
    *, case_id: str, by: str | None, pdf: bool, no_words: bool, folder: Path, key: str | None, ledger: str | None
) -> None:
    """Write CASE.db (events, frames, findings, proofs, clauses, full-text index) and CASE.html.

    The files hold every hidden tile of the game. Existing files are not overwritten. With --by their digests enter the
    case, so that anybody can tell later that they are the ones.
    """
    from viewer.case_bundle import gather, write_database
    from viewer.case_report import report, report_pdf

    url = need_ledger(ledger)
    reader = read_sound(url)
    try:
        gathered = gather(reader, case_id, words=not no_words)
    finally:
        reader.close()
    files = {folder / f"{case_id}.db": write_database(gathered), folder / f"{case_id}.html": report(gathered).encode()}
    if pdf:
        files[folder / f"{case_id}.pdf"] = report_pdf(gathered)
    write_new(files)
    if by is not None:
        with _writing(ledger, key) as (log, _):
            for path, data in files.items():
                cases.attach(log, url, case_id, by=by, name=path.name, data=data, at=now_ms())
    for path, data in files.items():
        click.echo(f"{path}: {len(data)} bytes")


def write_new(files: dict[Path, bytes]) -> None:
    """Write files that do not exist yet; Unavailable where one does, and then none is written."""
    for path in files:
        if path.exists():
            raise Unavailable(str(path), "exists already")
    for path, data in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(data)
        except OSError as error:
            raise Unavailable(str(path), f"cannot be written: {error.strerror}") from None


def moment(at: int) -> str:
    """Return a time as text, UTC to the second."""
    if at > 253_402_300_799_000:
        return f"{at} ms"
    return datetime.fromtimestamp(at // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _line(found: Case, now: int) -> str:
    if found.opened is None:
        return f"{found.id or '?'}: not lawful"
    late = "  OVERDUE" if found.overdue(now) else ""
    subject = found.opened.subject
    return f"{found.id}  {found.status}  {shown(subject.game, 64)}  due {moment(found.opened.due)}{late}"


def told(found: Case, reader: Reader, now: int) -> list[str]:
    """Return a case as lines of text; whatever people wrote is made safe to show."""
    assert found.opened is not None
    subject = found.opened.subject
    parts = [f"game {subject.game}"]
    parts += [f"hand {subject.hand}"] if subject.hand is not None else []
    parts += [f"event {subject.seq}"] if subject.seq is not None else []
    rows = [
        f"{found.id}: {found.status}{', overdue' if found.overdue(now) else ''}",
        f"  about     {', '.join(parts)}",
        f"  opened    {moment(found.opened.at)} by {shown(found.opened.by)}",
        f"  due       {moment(found.opened.due)} ({CLOCKS[found.opened.jurisdiction].title})"
        if found.opened.jurisdiction in CLOCKS
        else f"  due       {moment(found.opened.due)} ({shown(found.opened.jurisdiction)})",
        f"  claim     {_said(reader, found.opened.claim)}",
    ]
    rows += [f"  verdict   {each.outcome} ({shown(each.engine)})" for each in found.verdicts]
    rows += [f"  evidence  {shown(each.name, 128)} {each.sha256} ({each.size} bytes)" for each in found.evidence]
    for each in found.decisions:
        rows.append(f"  decided   {each.outcome} by {shown(each.by)}, {moment(each.at)}: {_said(reader, each.reason)}")
    if found.closed is not None:
        rows.append(f"  closed    {moment(found.closed.at)} by {shown(found.closed.by)}")
    return rows


def _said(reader: Reader, commitment: str) -> str:
    words = cases.words(reader, commitment)
    return "(erased)" if words is None else shown(words, 2000)


def as_object(found: Case, reader: Reader, now: int) -> dict[str, Any]:
    """Return a case as the object that `--json` prints; the words of erased texts are absent."""
    events = [each.record() for each in _events(found)]
    texts = {}
    if found.opened is not None:
        commitments = [found.opened.claim, *(each.reason for each in found.decisions)]
        texts = {each: words for each in commitments if (words := cases.words(reader, each)) is not None}
    return {"case": found.id, "status": found.status, "overdue": found.overdue(now), "events": events, "texts": texts}


def _events(found: Case) -> list[Any]:
    events = [found.opened, *found.evidence, *found.verdicts, *found.decisions, found.closed]
    return sorted((each for each in events if each is not None), key=lambda each: each.seq)

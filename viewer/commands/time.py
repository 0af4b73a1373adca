"""`paipu time`: tokens of a time-stamping authority over a log's checkpoints (RFC 3161), asked for and logged."""

from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import click

from ledger.checkpoint import read_checkpoint
from ledger.entries import read_entry
from ledger.errors import Unavailable, Untrusted
from ledger.head import Checkpoint
from ledger.timetoken import (
    MAX_BYTES,
    Interval,
    check_answer,
    check_token,
    make_query,
    make_request,
    need_extra,
    read_token,
)
from ledger.verify_time import read_stamps
from viewer.commands.common import ledger_option, need_ledger
from viewer.plain import read_bytes
from viewer.targets import Beside, beside, read_sound, read_tsa, reopen_log

SECONDS = 30
"""How long an authority may take to answer."""

tsa_option = click.option("--tsa", metavar="FILE", help="Roots of the authority, PEM (default: <db>.tsa.pem).")
key_option = click.option("--key", metavar="FILE", help="Key file that signs the log (default: <db>.key).")


@click.group(
    short_help="Ask for time tokens (RFC 3161) and log them.",
    epilog="Example: paipu time request query.tsq --ledger sqlite:///x.db",
)
def time() -> None:
    """Bind a log to outside time: a token says that a checkpoint stood at some second.

    Level 6 of verify then demands that no entry or event says otherwise. Needs the extra [time].
    """


@time.command(
    short_help="Write a request over the newest checkpoint.",
    epilog="Example: paipu time request club.tsq --ledger sqlite:///club.db",
)
@click.argument("output")
@ledger_option
def request(*, output: str, ledger: str | None) -> None:
    """Write a DER request over the newest checkpoint into the new file OUTPUT, to be sent to an authority.

    Any client may send it (application/timestamp-query); add logs the answer.
    """
    url = need_ledger(ledger)
    need_extra(url)
    checkpoint = _newest(url)
    try:
        with Path(output).open("xb") as file:
            file.write(make_request(checkpoint.format()))
    except OSError as error:
        raise Unavailable(output, f"cannot be written: {error.strerror}") from None
    click.echo(f"size {checkpoint.size} -> {output}")


@time.command(
    short_help="Log an authority's answer.",
    epilog="Example: paipu time add club.tsr --ledger sqlite:///club.db",
)
@click.argument("file")
@click.option("--size", type=click.IntRange(0), help="Size of the checkpoint it is over (default: looked for).")
@tsa_option
@key_option
@ledger_option
def add(*, file: str, size: int | None, tsa: str | None, key: str | None, ledger: str | None) -> None:
    """Log the token in FILE, the answer to a request over one of the log's checkpoints.

    It is verified by the authority's pinned roots first, where there are any. The request's nonce is not known here:
    whoever sent it compares that (openssl ts -verify -queryfile).
    """
    url = need_ledger(ledger)
    need_extra(url)
    files = beside(url, key=key)
    token = read_bytes(file)
    checkpoint, made = _stamped(url, token, size, files, tsa)
    with reopen_log(url, files) as log:
        log.time_entry(checkpoint.size, token)
    click.echo(f"size {checkpoint.size} stood at {_when(made)}")


@time.command(
    short_help="Ask an authority and log its answer.",
    epilog="Example: paipu time ask http://tsa.example/tsr --ledger sqlite:///club.db",
)
@click.argument("address")
@tsa_option
@key_option
@ledger_option
def ask(*, address: str, tsa: str | None, key: str | None, ledger: str | None) -> None:
    """Ask the authority at ADDRESS, over HTTP, for a token over the newest checkpoint, and log it.

    An answer that does not repeat the request's nonce is refused.
    """
    url = need_ledger(ledger)
    need_extra(url)
    files = beside(url, key=key)
    roots = read_tsa(files.tsa, tsa)
    with reopen_log(url, files) as log:  # what a crash left is signed before it is stamped
        checkpoint = _newest(url)
        text = checkpoint.format()
        query = make_query(text)
        token = _answer(address, query.der)
        check_answer(token, query.nonce)
        made = read_token(token, text) if roots is None else check_token(token, text, roots)
        log.time_entry(checkpoint.size, token)
    click.echo(f"size {checkpoint.size} stood at {_when(made)}")


@time.command(
    short_help="List the tokens of a log.",
    epilog="Example: paipu time show --ledger sqlite:///club.db",
)
@tsa_option
@ledger_option
def show(*, tsa: str | None, ledger: str | None) -> int:
    """List the tokens of a log: entry, size, time. Exit code 1 where one does not hold."""
    url = need_ledger(ledger)
    need_extra(url)
    roots = read_tsa(beside(url).tsa, tsa)
    reader = read_sound(url)
    try:
        stamps = read_stamps(reader, roots)
    finally:
        reader.close()
    for stamp in stamps.held:
        believed = "" if roots else "  (not verified: no roots pinned)"
        click.echo(f"entry {stamp.index}: size {stamp.size} stood at {_when(stamp.made)}{believed}")
    for finding in stamps.findings:
        click.echo(f"✗ {finding.text.en}")
    return 1 if stamps.findings else 0


def _newest(url: str) -> Checkpoint:
    reader = read_sound(url)
    try:
        row = reader.checkpoint()
    finally:
        reader.close()
    if row is None:
        raise Unavailable(url, "there is no checkpoint yet")
    return read_checkpoint(row.note)


def _stamped(url: str, token: bytes, size: int | None, files: Beside, tsa: str | None) -> tuple[Checkpoint, Interval]:
    """Find the checkpoint that a token is over, newest first."""
    roots = read_tsa(files.tsa, tsa)
    reader = read_sound(url)
    try:
        checkpoints = [read_checkpoint(row.note) for row in reader.checkpoints()]
        logged = [read_entry(row.data).octets("token") for row in reader.entries_of_kind("time")]
    finally:
        reader.close()
    if token in logged:
        raise Unavailable(url, "this token is in the log already")
    for checkpoint in reversed(checkpoints):
        if size is not None and checkpoint.size != size:
            continue
        text = checkpoint.format()
        try:
            made = read_token(token, text)
        except Untrusted:
            continue
        return checkpoint, made if roots is None else check_token(token, text, roots)
    raise Unavailable(url, "the token is over no checkpoint of this log" + (f" of size {size}" if size else ""))


def _answer(address: str, body: bytes) -> bytes:
    if not address.startswith(("http://", "https://")):
        raise Unavailable(address, "an http or https address was expected")
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    try:
        with urlopen(Request(address, body, headers), timeout=SECONDS) as answer:  # noqa: S310  http(s), see above
            data: bytes = answer.read(MAX_BYTES + 1)
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or str(error) or type(error).__name__
        raise Unavailable(address, f"no answer: {reason}") from None
    return data


def _when(made: Interval) -> str:
    first, last = (datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S") for ms in made)
    return f"{first} – {last} UTC"

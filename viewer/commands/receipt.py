"""`paipu receipt`: what a player keeps. `paipu verify-receipt`: check it by a pinned policy, without any ledger."""

from pathlib import Path

import click

from ledger.errors import Refused, Unavailable, Untrusted
from ledger.head import Checkpoint
from ledger.proof import SUFFIX
from ledger.receipt import Receipt, bundle_name, check_events, check_receipt, make_receipt, pack, parse_receipt, unpack
from ledger.receipt import read_events as stored_events
from viewer.clauses import DATA
from viewer.commands.common import Place, ledger_option, need_ledger
from viewer.names import shown
from viewer.plain import read_bytes
from viewer.targets import read_policy, read_sound

SCRIPT = DATA / "verify_receipt.py"
"""The same check as one self-contained script, which shares no code with this project."""


@click.command(
    short_help="Write the receipt of a closed game, or of one action.",
    epilog="Example: paipu receipt linhai-s7-00000 --ledger sqlite:///x.db -o receipts/",
)
@click.argument("game")
@click.option("--seq", type=click.IntRange(0), help="Only this event of the game.")
@click.option("--pq", is_flag=True, help="Keep the ML-DSA-44 lines (3.3 kB each).")
@click.option(
    "-o",
    "--output",
    "folder",
    metavar="DIR",
    default=".",
    type=Place(),
    help="Place (default: here).",
)
@ledger_option
def receipt(*, game: str, seq: int | None, pq: bool, folder: Path, ledger: str | None) -> None:
    """Write game-GAME.tlog-proof and game-GAME.bundle.gz, or with --seq the proof of one event alone.

    The files and a pinned policy prove the game, or the act, without the operator: see verify-receipt.
    """
    reader = read_sound(need_ledger(ledger))
    try:
        made = make_receipt(reader, game, seq=seq, pq=pq)
        files = {made.name + SUFFIX: made.proof.format()}
        if seq is None:
            files[bundle_name(game)] = pack(stored_events(reader, game, made.entry.size))
    finally:
        reader.close()
    for name, data in files.items():
        path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise Unavailable(str(path), f"cannot be written: {error.strerror}") from None
        click.echo(f"{path}: {len(data)} bytes")


@click.command(
    "verify-receipt",
    short_help="Check a receipt by a pinned policy, without any ledger.",
    epilog="Example: paipu verify-receipt game-g1.tlog-proof --policy club.policy",
)
@click.argument("file", required=False)
@click.option("--policy", metavar="FILE", help="Pinned policy of the log.")
@click.option("--bundle", metavar="FILE", help="The game's events (default: game-<id>.bundle.gz beside the receipt).")
@click.option("--blind", metavar="HEX", help="Opens the commitment of a private game.")
@click.option("--script", is_flag=True, help="Print the same check as one self-contained Python file.")
def verify_receipt(*, file: str | None, policy: str | None, bundle: str | None, blind: str | None, script: bool) -> int:
    """Check that FILE proves a game, or one action, to be in a log that the policy pins.

    Exit code 0: it holds; 1: it does not; 2: not a receipt.
    """
    if script:
        click.echo(SCRIPT.read_text(encoding="utf-8"), nl=False)
        return 0
    if file is None or policy is None:
        raise click.UsageError("name a receipt and --policy FILE (or --script)")
    given = parse_receipt(read_bytes(file))
    pinned = read_policy(Path(policy))
    path = bundle or str(Path(file).with_name(bundle_name(given.entry.game)))
    try:
        checkpoint, opened = check_receipt(given, pinned)
        events = _events(path, needed=bundle is not None) if given.seq is None else None
        if events is not None:
            check_events(given, events, _blind(blind))
    except (Untrusted, Refused) as error:
        click.echo(f"FAILED: {shown(str(error), 400)}")
        return 1
    click.echo(_told(given, checkpoint, len(pinned.cosigned(opened)), with_events=events is not None))
    return 0


def _events(path: str, *, needed: bool) -> list[bytes] | None:
    if not needed and not Path(path).exists():
        return None
    return unpack(read_bytes(path), path)


def _blind(text: str | None) -> bytes:
    try:
        return bytes.fromhex(text or "")
    except ValueError:
        raise click.BadParameter("not hex", param_hint="--blind") from None


def _told(given: Receipt, checkpoint: Checkpoint, cosigners: int, *, with_events: bool) -> str:
    entry = given.entry
    where = f"entry {given.proof.index} of {shown(checkpoint.origin, 200)}, size {checkpoint.size}"
    signed = f"{where}, {cosigners} cosignatures"
    if given.seq is not None:
        text = given.event.decode()
        return f"holds: event {given.seq} of {entry.game} ({signed})\n{shown(text, len(text))}"
    if not with_events:
        return f"holds: the {entry.kind} of {entry.game}, {entry.size} events ({signed}); no bundle: events not checked"
    return f"holds: {entry.game}, all {entry.size} events ({signed})"

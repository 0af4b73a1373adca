"""`paipu fsck`: a ledger's whole database recomputed from raw bytes, every finding of every level listed."""

import json
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

import click

from ledger.findings import Finding, sort_findings
from ledger.fsck import Check
from ledger.fsck import fsck as check_all
from ledger.log import now_ms
from ledger.notefile import NoteFile
from ledger.store import open_reader
from ledger.verify import Audit
from viewer.batch import cores, pool
from viewer.commands.common import ledger_option, need_ledger
from viewer.commands.verify import finding_text
from viewer.plain import many, read_bytes
from viewer.replays import Replays
from viewer.signed import judge_commands
from viewer.targets import beside, read_tsa


@click.command(
    short_help="Check a ledger's database, listing everything.",
    epilog="Example: paipu fsck sqlite:///x.db",
)
@click.argument("target", required=False)
@click.option("--policy", metavar="FILE", help="Pinned policy file (default: <db>.policy).")
@click.option("--key", metavar="FILE", help="Key file, beside which its last checkpoint is kept (default: <db>.key).")
@click.option("--tsa", metavar="FILE", help="Roots of time-stamping authorities, PEM (default: <db>.tsa.pem).")
@click.option("--max-age", type=click.IntRange(0), metavar="SECONDS", help="Oldest cosignature allowed.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes for the replay (default: all cores).")
@click.option("--no-replay", is_flag=True, help="Leave out level 7: bytes, hashes and signatures only.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object.")
@ledger_option
def fsck(
    *,
    target: str | None,
    policy: str | None,
    key: str | None,
    tsa: str | None,
    max_age: int | None,
    jobs: int | None,
    no_replay: bool,
    as_json: bool,
    ledger: str | None,
) -> int:
    """Recompute a ledger's database from raw bytes: every table, every hash, every signature.

    Where verify stops at what failed, this goes on and lists everything: signed commands and times of damaged games,
    too, and what an audit has no use for: the database's own files, blinds, command ids, erasable texts, and the
    checkpoints kept beside the ledger. Replay comes last, of authenticated games only. Nothing is repaired. Exit code
    0: no finding; 1: findings; 2: nothing could be judged.
    """
    url = need_ledger(target or ledger)
    files = beside(url, policy, key)
    pinned = read_bytes(str(files.policy)) if policy is not None or files.policy.exists() else None
    max_age_ms = None if max_age is None else 1000 * max_age
    signed = _Signed()
    replayed = 0
    reader = open_reader(url)
    try:
        now = now_ms()
        check = check_all(
            reader,
            pinned,
            _kept(files.last, files.seen),
            now_ms=now,
            max_age_ms=max_age_ms,
            roots=read_tsa(files.tsa, tsa),
            commands=signed.judge,
        )
        if not no_replay:
            run = Audit(reader, pinned, now_ms=now, max_age_ms=max_age_ms)
            with pool(jobs or cores()) as executor:
                replayed = _replay(check, run, executor)
    finally:
        reader.close()
    check.counted |= {"signed commands": signed.count, "events replayed": replayed}
    if as_json:
        found = [each.as_json() for each in check.findings]
        shown = {"format": 1, "target": reader.target, "origin": check.origin, "checked": check.counted}
        click.echo(json.dumps({**shown, "exit": int(bool(found)), "findings": found}, ensure_ascii=False))
    else:
        _tell(check, reader.target, pinned is not None)
    return 1 if check.findings else 0


class _Signed:
    """Judges the signed commands of every stream, and counts them."""

    def __init__(self) -> None:
        self.count = 0

    def judge(self, lines: Sequence[bytes], game: str, gno: int | None) -> Sequence[Finding]:
        """Level 5 of one stream."""
        found = judge_commands(lines, game, gno)
        self.count += found.checked
        return found.findings


def _replay(check: Check, run: Audit, executor: Executor | None) -> int:
    """Level 7, as `verify` judges it; give the number of events."""
    replays = Replays()
    games = (game for game in run.games() if run.sound and game.events and not game.findings)
    replays.run(games, run.reader, executor=executor)
    check.add(replays.findings)
    check.findings = sort_findings(check.findings)
    return replays.replay.checked


def _kept(*paths: Path) -> dict[str, bytes]:
    """Return the checkpoints kept outside the database, by the files they are in."""
    notes = {str(path): NoteFile(path).load() for path in paths}
    return {name: note for name, note in notes.items() if note is not None}


def _tell(check: Check, target: str, pinned: bool) -> None:
    counted = ", ".join(f"{count} {name}" for name, count in check.counted.items())
    click.echo(f"{target}: log {check.origin or '?'}, {counted}")
    if not pinned:
        click.echo("no pinned policy: the keys are the ledger's own")
    for finding in check.findings:
        click.echo(finding_text(finding))
    click.echo(many(len(check.findings), "finding") if check.findings else "no finding")

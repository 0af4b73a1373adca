"""`paipu verify`: the whole verdict on a ledger, an exported game or a foreign record."""

import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click

from ledger.findings import Finding, Level
from ledger.proof import SUFFIX
from ledger.timetoken import read_roots
from ledger.verify_games import GameAudit
from ledger.verify_receipts import Held
from viewer.batch import cores, pool
from viewer.commands.common import ledger_option
from viewer.evidence import write_evidence
from viewer.plain import many, read_bytes
from viewer.progress import shown
from viewer.recheck import recheck as recheck_artefact
from viewer.verdict import Report, audit

TIME = 6
SHOWN = 20
"""Findings printed before the rest is counted only; --json has all."""
MARKS = {"holds": "✓", "failed": "✗", "not_checkable": "–", "not_reached": "·"}
DEAL_MARKS = {"holds": "✓", "failed": "✗", "figure": "#", "not_checkable": "–"}
WORDS = {"holds": "holds", "failed": "FAILED", "not_checkable": "not checkable", "not_reached": "not reached"}


@click.command(
    short_help="Verify a ledger, an exported game or a foreign record.",
    epilog="Examples: paipu verify sqlite:///x.db; paipu verify game.paipu.jsonl --json; paipu verify game.mjlog",
)
@click.argument("target", required=False)
@click.option("--policy", metavar="FILE", help="Pinned policy file (default: <db>.policy).")
@click.option("--state", metavar="FILE", help="Keeps the largest checkpoint seen (default: <policy>.seen).")
@click.option("--max-age", type=click.IntRange(0), metavar="SECONDS", help="Oldest cosignature allowed.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes for the replay (default: all cores).")
@click.option("--no-wall-root", is_flag=True, help="Leave out the wall roots (V11), said as not checkable.")
@click.option("--receipts", multiple=True, metavar="PATH", help="Receipt or folder; repeatable.")
@click.option("--mirror", "mirrors", multiple=True, metavar="DIR|URL", help="Mirror to compare; repeatable.")
@click.option("--tsa", metavar="FILE", help="Roots of time-stamping authorities, PEM (default: <db>.tsa.pem).")
@click.option("--evidence", metavar="DIR", help="Write an artefact for each finding there (see recheck).")
@click.option("--strict", is_flag=True, help="Exit 1 also where something was not checkable.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON object.")
@ledger_option
def verify(
    *,
    target: str | None,
    policy: str | None,
    state: str | None,
    max_age: int | None,
    jobs: int | None,
    no_wall_root: bool,
    receipts: tuple[str, ...],
    mirrors: tuple[str, ...],
    tsa: str | None,
    evidence: str | None,
    strict: bool,
    as_json: bool,
    ledger: str | None,
) -> int:
    """Verify TARGET: a ledger, a published log, an exported game, or an mjlog, tenhou.net/6 or mjai file.

    Default: --ledger, $PAIPU_LEDGER.

    Exit code 0: no finding; 1: findings; 2: nothing could be judged.
    """
    target = target or ledger
    if not target:
        raise click.UsageError("nothing to verify: name a ledger URL or an exported game")
    with pool(jobs or cores()) as executor:
        report = audit(
            target,
            policy=policy,
            state=state,
            max_age_ms=None if max_age is None else 1000 * max_age,
            wall_root=not no_wall_root,
            strict=strict,
            executor=executor,
            watch=_watch,
            held=[each for path in receipts for each in read_receipts(path)],
            mirrors=mirrors,
            tsa=tsa,
            keep=partial(write_evidence, Path(evidence)) if evidence else None,
        )
    if evidence and report.findings and not any(each.evidence for each in report.findings):
        click.echo("warning: no evidence written: a file without a log is its own evidence", err=True)
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False))
    else:
        tell(report)
    return report.exit


def read_receipts(path: str) -> list[Held]:
    """Read a receipt, or every receipt in a folder, each with the bundle beside it."""
    place = Path(path)
    files = sorted(place.glob(f"*{SUFFIX}")) if place.is_dir() else [place]
    found = []
    for file in files:
        name = file.name.removesuffix(SUFFIX)
        bundle = file.with_name(f"{name}.bundle.gz")
        found.append(Held(file.name, read_bytes(str(file)), read_bytes(str(bundle)) if bundle.exists() else None))
    return found


@click.command(
    short_help="Show a finding again from its evidence file, offline.",
    epilog="Example: paipu recheck evidence/0001.json --policy club.policy",
)
@click.argument("file")
@click.option("--policy", metavar="FILE", help="Pinned policy to judge by (default: the one in the file).")
@click.option("--tsa", metavar="FILE", help="Roots of time-stamping authorities, PEM (default: those in the file).")
@click.option("--json", "as_json", is_flag=True, help="Print what it comes to as one JSON object.")
def recheck(*, file: str, policy: str | None, tsa: str | None, as_json: bool) -> int:
    """Run the check of an artefact that verify --evidence wrote again, without the ledger.

    Exit code 1: the finding shows again; 0: it does not; 2: not an artefact, or not of what the log signed.
    """
    roots = None if tsa is None else read_roots(read_bytes(tsa), tsa)
    found = recheck_artefact(read_bytes(file), None if policy is None else read_bytes(policy), roots)
    again = found.again
    if as_json:
        shown = {"again": again is not None, "claimed": found.claimed, "proven": found.proven, "why": found.why}
        click.echo(json.dumps(shown | ({} if again is None else {"finding": again.as_json()}), ensure_ascii=False))
        return 0 if again is None else 1
    told = " ".join(
        f"{key} {found.claimed[key]}" for key in ("level", "code", "game", "seq", "entry") if key in found.claimed
    )
    click.echo(f"{'does not show' if again is None else 'shows again'}: {told}")
    if again is not None:
        click.echo(finding_text(again))
    click.echo(f"{found.proven} entries proven to lie in the log" + (f" ({found.why})" if found.why else ""))
    if policy is None:
        click.echo("judged by the keys in the file itself: --policy names those you trust")
    if tsa is None and found.claimed.get("level") == TIME:
        click.echo("judged by the authority's roots in the file itself: --tsa names those you trust")
    return 0 if again is None else 1


def _watch(games: Iterable[GameAudit], total: int) -> Iterable[GameAudit]:
    return shown(games, "verifying", total or None)


def tell(report: Report) -> None:
    """Print a report for people."""
    hands = many(report.hands, "hand")
    whole = report.deal_figures.get("hands", 0)
    if whole > report.hands:
        hands = f"{report.hands} of {many(whole, 'hand')} judged"
    counts = (many(report.games, "game"), hands, many(report.events, "event"))
    click.echo(f"{report.target}: {', '.join(counts)}")
    if report.size is not None and report.root:
        click.echo(f"log {report.origin}, size {report.size}, root {report.root}")
    for level in report.levels:
        click.echo(_level_line(level))
    for finding in report.findings[:SHOWN]:
        click.echo(finding_text(finding))
    if len(report.findings) > SHOWN:
        click.echo(f"… and {len(report.findings) - SHOWN} more findings (--json lists all)")
    lacking: dict[tuple[int, str, str], int] = {}
    for each in report.unchecked:
        key = (each.level, each.code, each.why)
        lacking[key] = lacking.get(key, 0) + 1
    for (number, code, why), count in list(lacking.items())[:SHOWN]:
        click.echo(f"not checkable at level {number} ({code}), {count} x: {why}")
    if report.deal_checks:
        marks = " ".join(f"{check.code}{DEAL_MARKS[check.status]}" for check in report.deal_checks)
        click.echo(f"deal checks: {marks}")
        click.echo(f"deal figures (no accusation): {_figures(report.deal_figures)}")
    if report.unsealed:
        click.echo(f"{report.unsealed} events are not sealed yet")
    click.echo(conclusion(report))


def _figures(figures: dict[str, int]) -> str:
    """Return V15 in words: void hands and epochs, entropy not given, what void hands were dealt."""
    words = [
        f"{figures['voided']} of {figures['hands']} hands void",
        f"{figures['void_epochs']} of {figures['games']} epochs void",
        f"{figures['never_committed']} of {figures['seats']} seats without commitment",
        f"{figures['not_revealed']} not revealed",
    ]
    if figures["voided_dealt"] and figures["played_dealt"]:
        played = figures["played_quality"] / figures["played_dealt"]
        voided = figures["voided_quality"] / figures["voided_dealt"]
        words.append(f"mean opening quality {voided:.3f} where void, {played:.3f} where played")
    return ", ".join(words)


def _level_line(level: Level) -> str:
    why = f"  ({level.why})" if level.why else ""
    counted = f"  {level.checked} checked" if level.checked else ""
    found = f", {many(level.findings, 'finding')}" if level.findings else ""
    return f"  {MARKS[level.status]} {level.level} {level.name:<10} {WORDS[level.status]}{counted}{found}{why}"


def finding_text(finding: Finding) -> str:
    """Return a finding in a few lines: place, code, clause, both languages, expected and found."""
    place = [f"level {finding.level}"]
    if finding.game is not None:
        place.append(finding.game)
    if finding.hand is not None:
        place.append(f"hand {finding.hand}")
    if finding.seq is not None:
        place.append(f"seq {finding.seq}")
    if finding.entry is not None:
        place.append(f"entry {finding.entry}")
    rows = [
        f"✗ {', '.join(place)}: {finding.code} [{finding.clause}]",
        f"    {finding.text.en}",
        f"    {finding.text.zh}",
    ]
    if finding.expected is not None:
        rows.append(f"    expected {_short(finding.expected)}")
    if finding.found is not None:
        rows.append(f"    found    {_short(finding.found)}")
    return "\n".join(rows)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 160 else text[:160] + "…"


def conclusion(report: Report) -> str:
    """Return the last line: never more than was checked."""
    lacking = [level.name for level in report.levels if level.status == "not_checkable"]
    if report.findings:
        return f"FAILED: {many(len(report.findings), 'finding')}"
    rest = f"; not checkable: {', '.join(lacking)}" if lacking else ""
    return f"all levels hold{rest}"

"""`paipu fairness`: the battery T0 to T15 over ledgers, exported games, mjlog and deck files."""

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import UTC, datetime
from hashlib import sha256
from math import isnan
from pathlib import Path

import click

from engine.audit import LAYOUTS
from engine.cards import INDEX
from ledger.errors import Malformed, Unavailable
from ledger.verify_games import GameAudit
from viewer.batch import cores, executor_of
from viewer.commands.common import ledger_option
from viewer.fairness import battery, sources, terminal
from viewer.fairness.gather import Gathering
from viewer.fairness.plan import ROWS, Plan, read_plan
from viewer.fairness.profiles import PROFILES
from viewer.plain import read_bytes
from viewer.progress import shown

PLANNED = frozenset(each.name for each in fields(Plan))
SECOND = 1000


def _number(_: click.Context, __: click.Parameter, value: float | None) -> float | None:
    """Refuse what is no number: every comparison with it is false, so that no range leaves it out."""
    if value is not None and isnan(value):
        raise click.BadParameter("nan is no number")
    return value


@click.command(
    short_help="Test shufflers: the battery T0 to T15.",
    epilog="Examples: paipu fairness sqlite:///club.db --html report.html; paipu fairness decks.txt --json",
)
@click.argument("targets", nargs=-1)
@click.option(
    "--profile", type=click.Choice(tuple(PROFILES)), help="Demands to answer; sets alpha (default certificate)."
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    callback=_number,
    help="Family-wise level.",
)
@click.option("--tests", metavar="LIST", help="Rows to use, with commas, e.g. T0,T1,T4 (default: all).")
@click.option("--rules", metavar="ID", help="Only games of this preset.")
@click.option("--table", metavar="NAME", help="Only games of this table.")
@click.option("--since", metavar="TIME", help="Only games opened from then on: ms UTC, or a date.")
@click.option("--until", metavar="TIME", help="Only games opened before then.")
@click.option("--classes", metavar="FILE", help="Account classes, CSV `player,class` (new, paying …).")
@click.option("--wild", metavar="TILE", help="The kind counted as wild (default C).")
@click.option("--layout", type=click.Choice(tuple(LAYOUTS)), help="How deck files are dealt (default: by size).")
@click.option("--at", "at", metavar="TIME", help="When the deals of deck files took place, for the seed attack.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), help="Seed of permutations and of broken ties (default 1).")
@click.option(
    "--seed-window",
    type=click.IntRange(0, 30 * 86_400),
    metavar="SECONDS",
    help="Time seeds in seconds, so far to either side of a wall's time (default a day).",
)
@click.option(
    "--seed-window-ms",
    type=click.IntRange(0, 30 * 86_400_000),
    metavar="MS",
    help="Time seeds in ms, so far to either side (default 10,000; a day takes hours).",
)
@click.option("--seed-walls", type=click.IntRange(1, 64), help="Walls attacked in each deck (default 1).")
@click.option("--deals", type=click.IntRange(1), help="The sample size announced, for the plan.")
@click.option("--plan", "plan_file", metavar="FILE", help="The plan registered before; options may not differ from it.")
@click.option("--write-plan", metavar="FILE", help="Write the plan of these options and stop.")
@click.option("--policy", metavar="FILE", help="Pinned policy of the ledger (default: <db>.policy).")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes (default: all cores).")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, e.g. tcp://host:8786 (extra `cluster`).")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--html", metavar="FILE", help="Write the report with its plots.")
@click.option("--strict", is_flag=True, help="Exit 1 also where something was not checkable.")
@ledger_option
def fairness(targets: tuple[str, ...], ledger: str | None, **options: object) -> int:
    """Test the deals of TARGETS: ledger URLs or files of exported games, mjlog, tenhou.net/6, mjai, deck files.

    Deck files have a line `# ` with the deck in order, then one wall a line. Default target: --ledger, $PAIPU_LEDGER.
    The verdict is never "fair": no departure found, departure found, inconclusive, or not checkable.
    Exit code 0: no finding; 1: findings or missing games; 2: nothing could be read.
    """
    plan, classes = _plan(options)
    if options["write_plan"]:
        _write(str(options["write_plan"]), plan.text())
        click.echo(f"plan {plan.digest()} -> {options['write_plan']}")
        return 0
    if not targets and ledger:
        targets = (ledger,)
    if not targets:
        raise click.UsageError("nothing to test: name a ledger URL or files")
    at = _time(options["at"], "--at")
    jobs, scheduler = options["jobs"], options["scheduler"]
    with executor_of(jobs if isinstance(jobs, int) else cores(), str(scheduler) if scheduler else None) as executor:
        gathering = Gathering(executor, classes=classes, samples=plan.seed_walls)
        try:
            policy = options["policy"]
            source = sources.gather(targets, plan, gathering, executor=executor, at=at or None, watch=_watch,
                                    policy=str(policy) if policy else None)  # fmt: skip
            result = battery.judge(
                gathering,
                plan,
                targets=targets,
                registered=options["plan_file"] is not None,
                completeness=(source.status, source.why),
                executor=executor,
            )
        finally:
            gathering.close()
    result.notes += [f"{game} was given twice: counted once" for game in source.twice]
    if options["html"]:
        from viewer.fairness.page import page

        _write(str(options["html"]), page(result))
    click.echo(json.dumps(result.as_json(), ensure_ascii=False) if options["as_json"] else terminal.text(result))
    return 1 if result.exit or (options["strict"] and (result.unchecked or result.too_few)) else 0


def _watch(games: Iterable[GameAudit], total: int) -> Iterable[GameAudit]:
    return shown(games, "reading", total or None)


def _plan(options: dict[str, object]) -> tuple[Plan, dict[str, str]]:
    """Return the plan of a file or of options, and the account classes."""
    given: dict[str, object] = {name: value for name, value in options.items() if name in PLANNED and value is not None}
    classes: dict[str, str] = {}
    if options["classes"]:
        data = read_bytes(str(options["classes"]))
        given["classes"] = sha256(data).hexdigest()
        classes = _classes(data, str(options["classes"]))
    if options["tests"] is not None:
        given["tests"] = _tests(str(options["tests"]))
    for name in ("since", "until"):
        if options[name] is not None:
            given[name] = _time(options[name], f"--{name}")
    if options["wild"] is not None and options["wild"] not in INDEX:
        raise click.BadParameter(f"no tile {options['wild']!r}", param_hint="--wild")
    for option, name in (("seed_window", "seed_seconds"), ("seed_window_ms", "seed_ms")):
        if options[option] is not None:
            given[name] = options[option]
    if options["plan_file"]:
        path = str(options["plan_file"])
        plan = read_plan(read_bytes(path), path)
        for name, value in given.items():
            if getattr(plan, name) != value:
                raise click.UsageError(f"--{name.replace('_', '-')} differs from the plan {path}")
        if plan.classes and not classes:
            raise click.UsageError(f"the plan {path} needs its --classes file")
        return plan, classes
    if "profile" in given and "alpha" not in given:
        given["alpha"] = PROFILES[str(given["profile"])].alpha
    return replace(Plan(), **given), classes  # type: ignore[arg-type]


def _tests(text: str) -> tuple[str, ...]:
    names = text.split(",")
    strange = next((name for name in names if name not in ROWS), None)
    if strange is not None:
        raise click.BadParameter(f"no row {strange!r}; known: {', '.join(ROWS)}", param_hint="--tests")
    return tuple(row for row in ROWS if row in names)


def _time(value: object, hint: str) -> int:
    """Return ms UTC of a number or a date; 0 for nothing."""
    if value is None:
        return 0
    text = str(value)
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is neither ms UTC nor a date", param_hint=hint) from None
    found = found if found.tzinfo else found.replace(tzinfo=UTC)
    return int(found.timestamp() * SECOND)


def _classes(data: bytes, path: str) -> dict[str, str]:
    """Read account classes: a CSV with the header `player,class`."""
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    except UnicodeDecodeError as error:
        raise Malformed(path, "not UTF-8", error.start) from None
    except csv.Error as error:
        raise Malformed(path, f"not CSV: {error}", 0) from None
    if not rows or [name.strip() for name in rows[0]] != ["player", "class"]:
        raise Malformed(path, "the first line is not `player,class`", 0)
    found: dict[str, str] = {}
    for number, row in enumerate(rows[1:], 2):
        if not row:
            continue
        if len(row) != 2 or not row[0] or not row[1] or row[0] in found:
            raise Malformed(path, f"line {number} is not one player with one class", 0)
        found[row[0]] = row[1]
    return found


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Unavailable(path, f"cannot be written: {error.strerror}") from None

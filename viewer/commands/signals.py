"""`paipu signals`: ranked evidence on play between accounts. No verdict on anybody."""

import json
from collections.abc import Iterator
from concurrent.futures import Executor
from hashlib import sha256

import click

from ledger.errors import Refused
from ledger.log import now_ms
from ledger.store import open_reader
from ledger.verify import Audit
from viewer import foreign
from viewer.batch import cores, executor_of, in_order
from viewer.commands.common import ledger_option
from viewer.estimate.evidence import Evidence
from viewer.names import shown
from viewer.plain import read_bytes, read_exported
from viewer.signals.facts import GameFacts, facts
from viewer.signals.rank import Signals
from viewer.targets import beside, ledger_url

FORMAT = 1
SAID = (
    "Evidence for people to look into, ranked; no account is accused of anything.\n"
    "q: the share of false leads to expect among all rows as strong as this one or stronger."
)


@click.command(
    short_help="Rank play-side signals as evidence, no verdicts.",
    epilog="Examples: paipu signals sqlite:///club.db; paipu signals *.mjlog --json",
)
@click.argument("targets", nargs=-1)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="Rows printed; --json has all.")
@click.option("--account", metavar="NAME", help="Only rows about this account.")
@click.option("--no-hidden", is_flag=True, help="Leave out the replay that measures discards against hidden hands.")
@click.option("--jobs", type=click.IntRange(1, 64), help="Processes (default: all cores).")
@click.option("--scheduler", metavar="ADDRESS", help="A Dask scheduler (extra `cluster`).")
@click.option("--json", "as_json", is_flag=True, help="Print all rows as one JSON object.")
@ledger_option
def signals(
    *,
    targets: tuple[str, ...],
    top: int,
    account: str | None,
    no_hidden: bool,
    jobs: int | None,
    scheduler: str | None,
    as_json: bool,
    ledger: str | None,
) -> None:
    """Rank what TARGETS (ledger URLs, exported games, foreign records) show of play between accounts.

    Who deals into whom, who meets whom, where points go, who feeds whom, who avoids what hidden hands could win on.
    Every row has its n, its effect and a q-value over all rows; the exit code is 0 whatever is found.
    """
    if not targets and ledger:
        targets = (ledger,)
    if not targets:
        raise click.UsageError("nothing to look at: name a ledger URL or files")
    found = Signals()
    with executor_of(jobs or cores(), scheduler) as executor:
        for game in _games(targets, executor, dangers=not no_hidden):
            found.take(game)
    rows = [each for each in found.evidence() if account is None or account in each.who]
    if as_json:
        head: dict[str, object] = {"format": FORMAT, "targets": list(targets), "games": found.games}
        head |= {"hands": found.hands, "note": SAID, "evidence": [each.as_json() for each in rows]}
        click.echo(json.dumps(head, ensure_ascii=False))
        return
    click.echo(f"{found.games} games, {found.hands} hands, {len(rows)} comparisons")
    click.echo(SAID)
    if rows:
        click.echo(f"{'q':>9}{'p':>10}{'n':>8}{'observed':>11}{'expected':>11}{'effect':>9}  signal, who")
    for each in rows[:top]:
        click.echo(_line(each))
        if each.examples:
            click.echo(f"{'':58}  e.g. {', '.join(shown(place, 60) for place in each.examples[:3])}")
    if len(rows) > top:
        click.echo(f"… and {len(rows) - top} weaker rows (--top, --json)")


def _line(each: Evidence) -> str:
    who = " -> ".join(shown(name, 40) for name in each.who)
    numbers = f"{each.q:>9.2g}{each.p:>10.2g}{each.n:>8}{each.observed:>11.6g}{each.expected:>11.6g}{each.effect:>9.3g}"
    return f"{numbers}  {each.signal}, {who}"


def _games(targets: tuple[str, ...], executor: Executor | None, *, dangers: bool) -> Iterator[GameFacts]:
    seen: set[str] = set()
    for target in targets:
        url = ledger_url(target)
        jobs = _of_ledger(url) if url is not None else _of_file(target, seen)
        yield from in_order(_read, ((lines, game, dangers) for lines, game in jobs), executor)


def _read(lines: list[bytes], game: str, dangers: bool) -> GameFacts:
    return facts(lines, game, dangers=dangers)


def _of_ledger(url: str) -> Iterator[tuple[list[bytes], str]]:
    """Yield the authenticated games of a ledger; Refused where its log does not hold."""
    reader = open_reader(url)
    try:
        files = beside(url)
        run = Audit(reader, policy=read_bytes(str(files.policy)) if files.policy.exists() else None, now_ms=now_ms())
        for game in run.games():
            if not run.sound:
                break
            if not game.findings and game.stream == "game":
                yield game.events, game.game
        if not run.sound:
            raise Refused(url, "its log does not hold: run `paipu verify` first")
    finally:
        reader.close()


def _of_file(path: str, seen: set[str]) -> Iterator[tuple[list[bytes], str]]:
    """Yield a file's game; nothing where it was given before (a foreign record: where its seed was)."""
    other = foreign.read(path)
    game, lines = (other.game, foreign.lines(other)) if other is not None else read_exported(path)
    mark = other.record.seed if other is not None else ""
    mark = mark or sha256(lines[0]).hexdigest()
    if mark not in seen:
        seen.add(mark)
        yield lines, game

"""`paipu demo`: the main job from nothing, in one command."""

import tempfile
from pathlib import Path

import click

from engine.variants import PRESETS
from ledger.log import now_ms
from viewer.batch import cores, pool
from viewer.commands.simulate import record, warn_key
from viewer.commands.verify import tell
from viewer.forgery import overpaid
from viewer.games import games as list_games
from viewer.games import lines
from viewer.progress import shown
from viewer.simulate import LONGEST_MS, OPERATOR, Job
from viewer.targets import open_log
from viewer.verdict import audit


@click.command(
    short_help="Make a ledger, play every variant, verify, show.",
    epilog="Example: paipu demo --no-view --folder /tmp/club",
)
@click.option("--folder", metavar="DIR", help="Where to put the ledger (default: a new temporary folder).")
@click.option("--games", type=click.IntRange(1, 1000), default=3, show_default=True, help="Games of each preset.")
@click.option("--hands", type=click.IntRange(1, 64), default=4, show_default=True, help="Hands a game.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=7, show_default=True, help="Everything follows it.")
@click.option("--no-view", is_flag=True, help="Do not open the viewer.")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port of the viewer.")
def demo(*, folder: str | None, games: int, hands: int, seed: int, no_view: bool, port: int) -> int:
    """Make a ledger, play games of every variant there is, verify them, say what was done, and open the viewer.

    Then the same with a forgery in a second ledger: one settlement pays a point too much, and its owner has signed it.
    The finding names the hand, the event and the clause. The viewer shows both ledgers.
    """
    place = Path(folder) if folder else Path(tempfile.mkdtemp(prefix="paipu-demo-"))
    place.mkdir(parents=True, exist_ok=True)
    url = f"sqlite:///{place / 'demo.db'}"
    log, new = open_log(url, operator=OPERATOR)
    if not new:
        log.close()
        raise click.UsageError(f"{url} exists already: name another --folder")
    warn_key(url, None, None)
    started = now_ms() - LONGEST_MS
    with log:
        for preset, rules in PRESETS.items():
            match = rules.match.but({"length": {"hands": hands}}).differing(rules.match)
            plan = [Job(preset, seed, index, started, {}, match) for index in range(games)]
            count = record(log, plan, 1)
            click.echo(f"played   {games} games of {rules.zh} {rules.en} ({preset}): {count} events")
    with pool(min(2, cores())) as executor:
        report = audit(url, executor=executor, watch=lambda found, total: shown(found, "verifying", total))
    click.echo(f"verified {url}")
    tell(report)
    forged = place / "forged.db"
    _forge(url, f"sqlite:///{forged}")
    click.echo(f"\nforged   one point in one settlement, all scores made to fit, signed by the log key: {forged}")
    tell(audit(f"sqlite:///{forged}"))
    click.echo(f"\nnext: paipu games --ledger {url}")
    if no_view:
        return report.exit
    from viewer.serve import serve

    serve(url, also=[f"sqlite:///{forged}"], port=port)
    return report.exit


def _forge(source: str, url: str) -> None:
    """Sign all games of the ledger anew, one settlement of the first changed."""
    found = [info.id for info in list_games(source)]
    log, _ = open_log(url, operator=OPERATOR)
    with log:
        for place, game in enumerate(found):
            events = lines(source, game)
            log.append(game, 0, events if place else overpaid(events), seal=True, close=True)

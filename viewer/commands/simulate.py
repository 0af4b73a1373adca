"""`paipu simulate`: play games with bots and record them in a ledger."""

import re

import click

from engine.shuffle import QUICKNET, WITNESS_SEAT
from engine.variants import find
from ledger.canonical import decode
from ledger.log import Log, now_ms
from ledger.store import without_password
from viewer import drand
from viewer.batch import in_order, pool
from viewer.commands.common import assignments, ledger_option, need_ledger
from viewer.deal_plan import BEFORE_ROUND_MS, BeaconRound, DealPlan
from viewer.progress import shown
from viewer.signed import CommandGate
from viewer.simulate import LONGEST_MS, OPERATOR, Job, bots_of, game_id, play
from viewer.targets import beside, open_log

SIGNATURE_BYTES = 48
"""A point of the first group of BLS12-381, compressed: what quicknet signs with."""


@click.command(
    short_help="Play games with bots and record them.",
    epilog="Example: paipu simulate --rules linhai --games 200 --seed 7 --ledger sqlite:///x.db",
)
@click.option("--rules", "preset", default="linhai", show_default=True, metavar="ID", help="Preset of the rules.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=10, show_default=True, help="How many games.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True, help="Everything follows it.")
@click.option("--first", type=click.IntRange(0, 10_000_000), default=0, show_default=True, help="Index of the first.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules; repeatable.")
@click.option("--match", "match", multiple=True, metavar="NAME=VALUE", help="An option of the match; repeatable.")
@click.option("--hands", type=click.IntRange(1, 64), help='Short for --match length={"hands":N}.')
@click.option("--bots", default="greedy", show_default=True, metavar="NAMES", help="Bots by seat, with commas.")
@click.option("--players", type=click.IntRange(2, 10), help="Seats, where the rules let the table choose.")
@click.option("--wide", is_flag=True, help="Deal by paipu-fair/1w (128-byte seeds).")
@click.option("--witness", "witnesses", multiple=True, metavar="NAME", help="A seat for entropy only; repeatable.")
@click.option("--silent", multiple=True, type=int, metavar="SEAT", help="Never commits; repeatable.")
@click.option("--absent", multiple=True, type=int, metavar="SEAT", help="Commits, does not reveal; repeatable.")
@click.option("--signed", is_flag=True, help="Every seat enrols a key and signs its decisions.")
@click.option("--beacon", metavar="ROUND:SIGNATURE", help="A round of drand's quicknet (signature in hex).")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes; the log is the same."
)
@click.option("--at", type=click.IntRange(0, 2**53 - 1), help="Time of each game's first event, ms UTC.")
@click.option("--policy", metavar="FILE", help="Policy file to pin the key in (default: <db>.policy).")
@click.option("--key", metavar="FILE", help="Key file (default: <db>.key).")
@ledger_option
def simulate(
    *,
    preset: str,
    games: int,
    seed: int,
    first: int,
    options: tuple[str, ...],
    match: tuple[str, ...],
    hands: int | None,
    bots: str,
    players: int | None,
    wide: bool,
    witnesses: tuple[str, ...],
    silent: tuple[int, ...],
    absent: tuple[int, ...],
    signed: bool,
    beacon: str | None,
    jobs: int,
    at: int | None,
    policy: str | None,
    key: str | None,
    ledger: str | None,
) -> None:
    """Play games with bots, dealt from committed seeds, and append them to a signed ledger.

    The same seed gives the same events, times aside (and with --at, times too), from any number of processes.
    """
    url = need_ledger(ledger)
    chosen = assignments(options, "--option")
    length = assignments(match, "--match") | ({"length": {"hands": hands}} if hands else {})
    rules = find(preset, chosen)
    if players is not None and players not in rules.sizes:
        few, most = rules.sizes[0], rules.sizes[-1]
        seats = f"{few} to {most}" if few < most else f"{few}"
        raise click.BadParameter(f"{preset} seats {seats} players", param_hint="--players")
    known = bots_of(rules)
    names = tuple(bots.split(","))
    for name in names:
        if name not in known:
            raise click.BadParameter(f"no bot {name!r}; known: {', '.join(known)}", param_hint="--bots")
    if not all(name.strip() for name in witnesses):
        raise click.BadParameter("a witness has a name", param_hint="--witness")
    plan_of = DealPlan(wide, tuple(f"witness:{name}" for name in witnesses), silent, absent, _beacon(beacon))
    seated = set(range(players or rules.players)) | {WITNESS_SEAT + number for number in range(len(witnesses))}
    if not set(silent) | set(absent) <= seated:
        raise click.BadParameter(f"seats of this table are {sorted(seated)}", param_hint="--silent, --absent")
    if at is None and plan_of.beacon is not None:
        at = plan_of.beacon.at - BEFORE_ROUND_MS
    started = at if at is not None else now_ms() - LONGEST_MS
    plan = [
        Job(preset, seed, index, started, rules.differing(find(preset)), rules.match.but(length).differing(rules.match),
            names, players or 0, plan_of, signed)
        for index in range(first, first + games)
    ]  # fmt: skip
    for chunk in play(plan[0]):  # what cannot be played or recorded is told before anything is written
        for line in chunk:
            decode(line)
    log, new = open_log(url, operator=OPERATOR, policy=policy, key=key)
    if new:
        warn_key(url, policy, key)
    log.admit = CommandGate() if signed else None
    with log:
        count = record(log, plan, jobs)
    click.echo(f"{games} games of {preset}, {count} events -> {without_password(url)}")


def _beacon(text: str | None) -> BeaconRound | None:
    """Read ROUND:SIGNATURE; what the chain did not sign is refused, where that can be checked here.

    A game with such a beacon could be played and recorded, and every audit would accuse it (V8).
    """
    if text is None:
        return None
    found = re.fullmatch(rf"([1-9][0-9]{{0,14}}):([0-9a-f]{{{2 * SIGNATURE_BYTES}}})", text)
    if found is None:
        raise click.BadParameter(
            f"{text[:60]!r} is not ROUND:SIGNATURE, a number from 1 and {SIGNATURE_BYTES} bytes in hex",
            param_hint="--beacon",
        )
    beacon = BeaconRound(int(found[1]), bytes.fromhex(found[2]))
    why = drand.why_not(QUICKNET.chain)
    if why:
        click.echo(f"warning: the signature of round {beacon.round} is not checked: {why}", err=True)
    elif not drand.holds(QUICKNET.chain, beacon.round, beacon.signature):
        raise click.BadParameter(f"drand's quicknet did not sign round {beacon.round} so", param_hint="--beacon")
    return beacon


def warn_key(url: str, policy: str | None, key: str | None) -> None:
    """Say where the new ledger's keys lie and that they are not sealed."""
    files = beside(url, policy, key)
    click.echo(
        f"warning: new ledger; its signing key {files.key} and recovery key {files.recovery} are not sealed "
        f"(mode 0600); the policy to pin is {files.policy}",
        err=True,
    )


def record(log: Log, plan: list[Job], jobs: int) -> int:
    """Play the games and append each, sealed at every hand's end; return the number of events."""
    count = 0
    with pool(jobs) as executor:
        played = in_order(play, ((job,) for job in plan), executor)
        for job, chunks in shown(zip(plan, played, strict=True), "playing", len(plan)):
            seq = 0
            for chunk in chunks:
                log.stage(game_id(job), seq, chunk, seal=True, close=chunk is chunks[-1])
                seq += len(chunk)
            log.flush()
            count += seq
    return count

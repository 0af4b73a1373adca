"""Simulated games: dealt from a committed seed, played by bots, recorded event by event.

Everything that the events hold, but for their times, is a function of (seed, rules, options, match, bots, index):
game ids, the server's root seed, the players' entropy, and the bots' choices. So two processes, or two machines,
write the same bytes. A real operator draws its root seed from the system's generator; these logs say `simulated`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from engine.banker import bots as banker_bots
from engine.events import Body
from engine.mahjong import bots as mahjong_bots
from engine.rules import Rules
from engine.shuffle import WITNESS_SEAT, Stream, hmac_words
from engine.table import Table, opening
from engine.tricks import bots as tricks_bots
from engine.variants import find
from ledger.keys import SigningKey
from viewer.deal_plan import DealPlan, commitment, gather
from viewer.signing_table import SigningTable

Bot = Callable[[Any, Stream], Body]
BOTS: dict[str, dict[str, Any]] = {
    "mahjong": mahjong_bots.BOTS,
    "banker": banker_bots.BOTS,
    "tricks": tricks_bots.BOTS,
}
"""The bots of each family."""
SIGHTS: dict[str, Callable[[Any, int, Sequence[Body]], Any]] = {
    "mahjong": mahjong_bots.sight,
    "banker": banker_bots.sight,
    "tricks": tricks_bots.sight,
}
"""What a seat may see, by family."""
OPERATOR = "simulated"
MAX_HANDS = 64
UNASKED = 32
"""Once in so many decisions a seat acts that need not (an escape)."""
LONGEST_MS = 6 * 3_600_000
"""Simulated games start this long before now, so that their times do not lie ahead of the ledger's."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played. `at`: ms UTC of its first event."""

    preset: str
    seed: int
    index: int
    at: int
    options: Mapping[str, Any] = field(default_factory=dict)
    match: Mapping[str, Any] = field(default_factory=dict)
    bots: tuple[str, ...] = ("greedy",)
    players: int = 0
    """Seats at the table; 0: as many as the rules usually have."""
    plan: DealPlan = field(default_factory=DealPlan)
    """Who gives entropy, in which profile."""
    signed: bool = False
    """Whether every playing seat enrols a key and signs its decisions."""


def derive(job: Job, label: str) -> bytes:
    """Return 32 bytes that depend on seed, preset, index and label."""
    parts = ("paipu/simulate/1", str(job.seed), job.preset, str(job.index), label)
    return sha256(b"".join(len(part).to_bytes(4) + part.encode() for part in parts)).digest()


def game_id(job: Job) -> str:
    """Return the id of the game."""
    return f"{job.preset}-s{job.seed}-{job.index:05d}"


def bots_of(rules: Rules) -> dict[str, Bot]:
    """Return the bots that can play these rules, by name."""
    return BOTS[rules.family]


def play(job: Job) -> list[list[bytes]]:
    """Return the events of one game as canonical bytes, cut where the ledger seals: after each hand's reveal."""
    return list(_chunks(_events(job)))


def _chunks(events: Iterator[bytes]) -> Iterator[list[bytes]]:
    chunk: list[bytes] = []
    for line in events:
        if b'"type":"hand_started"' in line and any(b'"type":"hand_ended"' in each for each in chunk):
            yield chunk
            chunk = []
        chunk.append(line)
    yield chunk


def _events(job: Job) -> Iterator[bytes]:
    rules = find(job.preset, job.options)
    seats = job.players or rules.players
    names = [f"bot:{job.bots[seat % len(job.bots)]}-{seat + 1}" for seat in range(seats)]
    body, context = opening(
        rules,
        preset=find(job.preset),
        game=game_id(job),
        engine=f"paipu/{version('paipu')}",
        operator=OPERATOR,
        table=f"{job.preset}-{job.seed}",
        seats=[entry | _key_of(job, entry["seat"]) for entry in job.plan.seats(names)],
        match=dict(job.match),
        deal=job.plan.deal(MAX_HANDS),
    )
    secret = partial(derive, job)
    sealed, root_seed = commitment(context, secret)
    table = SigningTable(body, game_id(job), sealed, root_seed, job.at)
    if job.signed:
        table.sit({seat: _player_key(job, seat) for seat in range(seats)})
    clock = _Clock(job)
    yield table.first()
    yield from gather(table, context, job.plan, secret, clock)
    choices = Stream(hmac_words(derive(job, "bots")))
    while not table.over:
        yield from _decide(table, choices, clock)


def _player_key(job: Job, seat: int) -> SigningKey:
    return SigningKey(f"player-{seat}", derive(job, f"key/{seat}"))


def _key_of(job: Job, seat: int) -> dict[str, str]:
    """Return the field that enrols a playing seat's key, where players sign."""
    return {"key": _player_key(job, seat).verifier.public.hex()} if job.signed and seat < WITNESS_SEAT else {}


def _decide(table: Table, choices: Stream, clock: "_Clock") -> list[bytes]:
    """Let the next seat that is asked choose; which of several answers first is drawn too."""
    options = table.legal()
    alone = options[0]["seat"] == options[-1]["seat"]  # options stand seat by seat; a burial has thousands
    able = [options[0]["seat"]] if alone else sorted({body["seat"] for body in options})
    asked = [seat for seat in able if table.timeout(seat) is not None]
    if len(asked) < len(able) and choices.below(UNASKED) == 0:
        asked = [seat for seat in able if seat not in asked]
    seat = asked[choices.below(len(asked))] if len(asked) > 1 else asked[0]
    mine = options if alone else [body for body in options if body["seat"] == seat]
    name = table.game.order[seat].removeprefix("bot:").rpartition("-")[0]
    family = table.game.premise.rules.family
    view = SIGHTS[family](table.game.hand, seat, mine)
    return table.act(BOTS[family][name](view, choices), clock.tick())


class _Clock:
    """Thinking times: 200 to 1,499 ms a decision, drawn apart from the bots' choices."""

    def __init__(self, job: Job) -> None:
        self._at = job.at
        self._stream = Stream(hmac_words(derive(job, "clock")))

    def tick(self) -> int:
        self._at += 200 + self._stream.below(1300)
        return self._at

    def wait_until(self, at: int) -> None:
        self._at = max(self._at, at)

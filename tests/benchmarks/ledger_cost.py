"""What the ledger costs an event: append, levels 1 to 4 of verification, bytes stored and published (ledger.md 9).

CPU of this process, one core, beside bare SHA-256 of the same bytes and, where it is installed, `eventsourcing` on
SQLite in the same run: it appends 200 events a commit, and reads them back without any check of their integrity. The
bytes are those of simulated Linhai games, in SQLite and in the bundles that `publish` writes.
"""

import importlib.util
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from operator import truediv
from pathlib import Path
from typing import Any

from ledger.canonical import encode
from ledger.keys import SigningKey
from ledger.log import Log
from ledger.notefile import NoteFile
from ledger.policy import LogKey, Policy
from ledger.publish import publish
from ledger.store import open_reader
from ledger.verify import Audit
from viewer.commands.simulate import record
from viewer.simulate import Job
from viewer.targets import open_log

ROUNDS = 5
GAMES = 20
COMMITS = 5
GROUP = 200
EVENTS = GAMES * COMMITS * GROUP
START = 1_796_083_200_000
ORIGIN = "bench.example/log"
PEER = "eventsourcing" if importlib.util.find_spec("eventsourcing") else None


def groups() -> list[tuple[str, int, list[bytes]]]:
    """Give the commits: games of 1,000 events, 200 at a time, the games taking turns."""
    made = []
    for commit in range(COMMITS):
        for number in range(GAMES):
            game, first = f"g-{number:05}", commit * GROUP
            events = [
                {
                    "at": START + seq,
                    "game": game,
                    "seat": seq % 4,
                    "seq": seq,
                    "tile": "5p",
                    "type": "discarded",
                    "v": 1,
                }
                for seq in range(first, first + GROUP)
            ]
            made.append((game, first, [encode(event) for event in events]))
    return made


def timed(work: Callable[[], Any]) -> float:
    """CPU seconds an event."""
    start = time.process_time()
    work()
    return truediv(time.process_time() - start, EVENTS)


def append(folder: Path, commits: list[tuple[str, int, list[bytes]]]) -> tuple[float, str, SigningKey]:
    """Write a ledger; the last commit of a game closes it."""
    key, recovery = SigningKey(ORIGIN, bytes(range(32))), SigningKey(f"{ORIGIN}/recovery", bytes([7]) * 32)
    url = f"sqlite:///{folder}/ledger.db"
    last = NoteFile(folder / "key.last")
    log = Log.create(url, origin=ORIGIN, operator="bench", signer=key, recovery=recovery, last=last)

    def work() -> None:
        for game, first, events in commits:
            log.append(game, first, events, seal=True, close=first == (COMMITS - 1) * GROUP)

    cost = timed(work)
    log.close()
    return cost, url, key


def verify(url: str, key: SigningKey) -> float:
    """Audit levels 1 to 4."""
    policy = Policy((LogKey(key.verifier),)).format()

    def work() -> None:
        reader = open_reader(url)
        audit = Audit(reader, policy=policy, now_ms=START)
        assert not any(game.findings for game in audit.games())
        assert audit.sound
        assert audit.events == EVENTS
        reader.close()

    return timed(work)


@cache
def peer_types() -> tuple[Any, Any]:
    """Give the peer's application and an aggregate for one game; once, as it registers classes by name."""
    from eventsourcing.application import Application
    from eventsourcing.domain import Aggregate, event

    class Game(Aggregate):
        @event("Noted")
        def note(self, at: int, seat: int, tile: str, kind: str) -> None:
            self.last = (at, seat, tile, kind)

    return Application, Game


def peer(folder: Path, commits: list[tuple[str, int, list[bytes]]]) -> tuple[float, float]:
    """Append and read the same events with an aggregate a game."""
    application_type, game_type = peer_types()
    environment = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(folder / "peer.db")}
    application = application_type(env=environment)
    games = {game: game_type() for game in {game: None for game, _, _ in commits}}

    def write() -> None:
        for game, first, events in commits:
            aggregate = games[game]
            for seq in range(first, first + len(events)):
                aggregate.note(START + seq, seq % 4, "5p", "discarded")
            application.save(aggregate)

    def read() -> None:
        for aggregate in games.values():
            assert application.repository.get(aggregate.id).version == 1 + COMMITS * GROUP

    return timed(write), timed(read)


def published(folder: Path) -> tuple[float, float]:
    """Give the bytes an event of simulated games in SQLite, and in their published bundles."""
    url = f"sqlite:///{folder}/games.db"
    log, _ = open_log(url, operator="bench")
    with log:
        events = record(log, [Job("linhai", 7, index, 0) for index in range(GAMES)], 1)
    reader = open_reader(url)
    publish(reader, folder / "public")
    reader.close()
    bundles = sum(path.stat().st_size for path in (folder / "public" / "game").iterdir())
    return truediv((folder / "games.db").stat().st_size, events), truediv(bundles, events)


def row(name: str, mine: list[float], bare: list[float], theirs: list[float], target: str) -> dict[str, Any]:
    """Medians over the rounds; `ratio` is to the peer, `bare` to SHA-256 of the same bytes."""
    cost = statistics.median(mine)
    return {
        "name": f"{name}, {cost * 1e6:.1f} us",
        "rate": truediv(1, cost),
        "peer": PEER if theirs else "bare SHA-256",
        "peer_rate": truediv(1, statistics.median(theirs or bare)),
        "ratio": statistics.median(map(truediv, theirs, mine))
        if theirs
        else statistics.median(map(truediv, bare, mine)),
        "bare": statistics.median(map(truediv, mine, bare)),
        "target": target,
    }


def run() -> list[dict[str, Any]]:
    """Measure every row."""
    commits = groups()
    everything = [data for _, _, events in commits for data in events]
    costs: dict[str, list[float]] = {name: [] for name in ("append", "verify", "bare", "write", "read")}
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            cost, url, key = append(folder, commits)
            costs["append"].append(cost)
            costs["verify"].append(verify(url, key))
            costs["bare"].append(timed(lambda: [sha256(data).digest() for data in everything]))
            if PEER:
                write, read = peer(folder, commits)
                costs["write"].append(write)
                costs["read"].append(read)
    with tempfile.TemporaryDirectory() as name:
        disk, bundles = published(Path(name))
    written = f"ledger append, 200 events a commit, {disk:.0f} B stored, {bundles:.1f} published"
    return [
        row(written, costs["append"], costs["bare"], costs["write"], "<= 25 us, <= 260, <= 25 B"),
        row("ledger verification, levels 1-4", costs["verify"], costs["bare"], costs["read"], "<= 12 us"),
    ]


if __name__ == "__main__":
    for each in run():
        beside = f"{each['ratio']:6.2f} x {each['peer']}, {each['bare']:.0f} x the cost of bare SHA-256"
        print(f"{each['name']:72} {each['rate']:10,.0f}/s  {each['target']:26} {beside}")

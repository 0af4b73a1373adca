"""A ledger of many hands for the tests of pages: short games for the mass, long ones between them, disputes at the end.

    python tests/viewer/plain/many_hands.py FOLDER [HANDS]

makes it by hand, as `--hands 100000` of pytest does (four minutes on two cores). The same number of hands gives the
same games.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path

from engine.variants import find
from ledger.log import now_ms
from viewer import cases
from viewer.batch import cores, in_order, pool
from viewer.cases import Subject
from viewer.simulate import OPERATOR, Job, game_id, play
from viewer.targets import open_log

START_MS = 1_790_000_000_000
GAME_MS = 60_000
"""Games begin so long after one another."""
FLUSHED = 64
"""Games written in one transaction."""
CASES_A_HAND = 1 / 800


@dataclass(frozen=True, slots=True)
class Share:
    """What part of the hands is of some rules, the hands of each of their games, and its players (0: as usual)."""

    preset: str
    part: float
    hands: int
    players: int = 0


FEW = (Share("niuniu", 0.96, 10, 2), Share("three_one", 0.02, 10), Share("linhai", 0.02, 10))
"""What a test makes each time: mostly Niuniu, which is dealt in a millisecond."""
MANY = (Share("niuniu", 0.36, 4), Share("three_one", 0.3, 10), Share("linhai", 0.24, 16), Share("forty", 0.1, 10))
"""What is made once and kept."""
SMALL = 20_000
"""Hands from which on a ledger is one that is kept."""


def kept(hands: int, folder: Path) -> str:
    """Return the ledger of so many hands in a folder, made there by the first process that asks for it."""
    place = folder / f"hands-{hands}-{sha256(Path(__file__).read_bytes()).hexdigest()[:8]}"
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not (place / "made").exists():
            for file in place.glob("many.db*"):
                file.unlink()  # of a run that was stopped
            make(place, hands, cores() if hands >= SMALL else 1)
            (place / "made").touch()
    return f"sqlite:///{place / 'many.db'}"


def plan(hands: int) -> list[Job]:
    """Return the games, those of different rules mixed as a club would play them."""
    queues = [list(_of(share, hands)) for share in (FEW if hands < SMALL else MANY)]
    total = sum(map(len, queues))
    order = sorted((at / len(queue), number, at) for number, queue in enumerate(queues) for at in range(len(queue)))
    assert len(order) == total
    return [
        replace(job, at=START_MS + place * GAME_MS)
        for place, job in enumerate(queues[number][at] for _, number, at in order)
    ]


def _of(share: Share, hands: int) -> Iterator[Job]:
    rules = find(share.preset)
    match = rules.match.but({"length": {"hands": share.hands}}).differing(rules.match)
    for index in range(round(hands * share.part / share.hands)):
        yield Job(share.preset, 1, index, 0, {}, match, players=share.players)


def make(folder: Path, hands: int, jobs: int = 1) -> str:
    """Make the ledger `many.db` in a folder; return its URL. One game of it is not closed, some are disputed."""
    url = f"sqlite:///{folder / 'many.db'}"
    log, _ = open_log(url, operator=OPERATOR)
    games = plan(hands)
    with log:
        with pool(jobs) as executor:
            for place, chunks in enumerate(in_order(play, ((job,) for job in games), executor)):
                running = place == len(games) - 1
                seq = 0
                for chunk in chunks[: len(chunks) - running]:
                    log.stage(game_id(games[place]), seq, chunk, seal=True, close=chunk is chunks[-1])
                    seq += len(chunk)
                if place % FLUSHED == 0:
                    log.flush()
        log.flush()
        for number in range(round(hands * CASES_A_HAND)):
            job = games[number * len(games) // round(hands * CASES_A_HAND)]
            case, at = f"case-{number:04d}", now_ms()
            cases.open_case(log, url, case, Subject(game_id(job), 0), by="p2", claim="?", jurisdiction="nj", at=at)
            cases.decide(log, url, case, by="judge", outcome="rejected", reason="as played", at=at)
            cases.close_case(log, url, case, by="judge", at=at)
    return url


if __name__ == "__main__":
    print(make(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5000, min(2, cores())))

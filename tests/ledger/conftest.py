"""A bench for the log's tests: a clock that is set, keys and blinds that repeat, events of any game, stores."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ledger.canonical import Value, encode
from ledger.findings import Finding
from ledger.keys import SigningKey
from ledger.log import Log
from ledger.notefile import MemoryNote
from ledger.policy import LogKey, Policy
from ledger.store import Reader, Store, create_store, open_reader, open_store
from ledger.store_memory import MemoryStore
from ledger.verify import Audit
from ledger.verify_games import GameAudit

# Examples are judged by what they show, not by the time they take on a busy machine.
settings.register_profile("ledger", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ledger")

ORIGIN = "club.example/log"
START = 1_796_083_200_000


@dataclass
class Bench:
    """One ledger to be: `target` is a URL or empty for memory."""

    target: str = ""
    now: int = START
    key: SigningKey = field(default_factory=lambda: SigningKey(ORIGIN, bytes(range(32))))
    recovery: SigningKey = field(default_factory=lambda: SigningKey("club.example/recovery", bytes([7]) * 32))
    last: MemoryNote = field(default_factory=MemoryNote)
    seen: MemoryNote = field(default_factory=MemoryNote)
    memory: MemoryStore = field(default_factory=MemoryStore)

    def clock(self) -> int:
        return self.now

    @staticmethod
    def blind(game: str) -> bytes:
        return sha256(b"blind " + game.encode()).digest()

    def create(self) -> Log:
        target: str | Store = self.target or self.memory
        return Log.create(
            target,
            origin=ORIGIN,
            operator="club",
            signer=self.key,
            recovery=self.recovery,
            clock=self.clock,
            blind=self.blind,
            last=self.last,
        )

    def open(self, *, last: MemoryNote | None = None) -> Log:
        target: str | Store = self.target or MemoryStore(self.memory.shelf)
        return Log.open(target, signer=self.key, clock=self.clock, blind=self.blind, last=last or self.last)

    def store(self) -> Store:
        return open_store(self.target) if self.target else MemoryStore(self.memory.shelf)

    def reader(self) -> Reader:
        return open_reader(self.target) if self.target else MemoryStore(self.memory.shelf)

    def policy(self) -> bytes:
        return Policy((LogKey(self.key.verifier),)).format()

    def audit(self, **options: object) -> tuple[Audit, list[GameAudit]]:
        reader = self.reader()
        try:
            audit = Audit(reader, **{"policy": self.policy(), "now_ms": self.now, **options})  # type: ignore[arg-type]
            return audit, list(audit.games())
        finally:
            reader.close()

    def findings(self, **options: object) -> list[Finding]:
        return self.audit(**options)[0].findings


def event(game: str, seq: int, **fields: Value) -> bytes:
    return encode({"at": START + seq, "game": game, "seq": seq, "type": "noted", "v": 1, **fields})


def events(game: str, start: int, stop: int) -> list[bytes]:
    return [event(game, seq, tile=f"{seq % 9 + 1}m") for seq in range(start, stop)]


@pytest.fixture
def make_event() -> Callable[..., bytes]:
    return event


@pytest.fixture
def make_events() -> Callable[[str, int, int], list[bytes]]:
    return events


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a ledger to be, on every backend that has one."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/x.db"
    made: str = request.getfixturevalue("postgres")()
    return made


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    """The same tests on every backend."""
    if request.param == "postgres":
        return Bench(request.getfixturevalue("postgres")())
    return Bench() if request.param == "memory" else Bench(f"sqlite:///{tmp_path}/x.db")


@pytest.fixture
def sqlite_bench(tmp_path: Path) -> Bench:
    return Bench(f"sqlite:///{tmp_path}/x.db")


@pytest.fixture
def memory_bench() -> Bench:
    return Bench()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """A function that opens another handle on one and the same new store."""
    made: list[Store] = []
    if request.param == "memory":
        first: Store = MemoryStore()

        def again() -> Store:
            return MemoryStore(first.shelf)  # type: ignore[attr-defined]

    else:
        on_disk = request.param == "sqlite"
        url = f"sqlite:///{tmp_path}/s.db" if on_disk else request.getfixturevalue("postgres")()
        first = create_store(url)

        def again() -> Store:
            made.append(open_store(url))
            return made[-1]

    yield again
    for store in (first, *made):
        store.close()


@pytest.fixture
def bench_at() -> Callable[[str], Bench]:
    """A bench for a ledger at a URL."""
    return Bench

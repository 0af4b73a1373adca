"""Crashes: writers killed at random moments and at every statement, disks that fail, fill up or tear a file.

After each of them every acknowledged event is present, no checkpoint covers a missing one, and the next start is clean.
The writers are forked from a small process of one thread, which has everything imported already.
"""

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event as hooks

from ledger.errors import Diverged, LedgerError, Unavailable
from ledger.keys import SigningKey, read_key, write_key
from ledger.log import Log
from ledger.notefile import NoteFile
from ledger.policy import LogKey, Policy
from ledger.store import open_reader
from ledger.verify import Audit

pytestmark = pytest.mark.skipif(os.name != "posix", reason="fork and kill -9 are POSIX matters")

HERE = Path(__file__).parents[2]
ORIGIN = "club.example/log"
NURSERY = """
import os, resource, signal, sys
from pathlib import Path
from sqlalchemy import event as hooks
from ledger.canonical import encode
from ledger.errors import LedgerError
from ledger.keys import read_key
from ledger.log import Log
from ledger.notefile import NoteFile
from ledger.store import open_store
import ledger.store_sqlite
try:
    import ledger.store_postgres
except ImportError:
    pass

def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

def game_events(game, start, stop):
    return [encode({"at": 1, "game": game, "seq": seq, "type": "noted", "v": 1}) for seq in range(start, stop)]

def opened(url, key):
    return Log.open(url, signer=read_key(Path(key)), last=NoteFile(Path(key + ".last")))

def endless(log, name):
    number = 0
    while True:
        game = f"{name}-{number}"
        for start in range(0, 12, 4):
            log.append(game, start, game_events(game, start, start + 4), seal=start == 4, close=start == 8)
            say("ack", game, start + 4)
        number += 1

def one_game(log, name, stop):
    for start in range(0, 12, 4):
        log.append(name, start, game_events(name, start, start + 4), seal=start == 4, close=start == 8)
        say("ack", name, start + 4)
    log.close()
    say("steps", stop())

def killed_at(engine, moment):
    count = 0
    def step(*_):
        nonlocal count
        if count == moment:
            os.kill(os.getpid(), signal.SIGKILL)
        count += 1
    for name in ("before_cursor_execute", "after_cursor_execute", "commit"):
        hooks.listen(engine, name, step)
    return lambda: count

def limited(log, name, limit):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    at = 0
    for _ in range(400):
        try:
            log.append(name, at, game_events(name, at, at + 20))
            at += 20
            say("ack", name, at)
        except LedgerError as error:
            say("failed", type(error).__name__)
            break
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    # The failed append may stand (its head could not be signed) or not: the log says where it goes on.
    from ledger.errors import Conflict
    try:
        log.append(name, at, game_events(name, at, at + 1))
        at += 1
    except Conflict as conflict:
        at = conflict.found
    log.append(name, at, game_events(name, at, at + 4), close=True)
    say("ack", name, at + 4)
    log.close()

for line in sys.stdin:
    url, key, what, name, number = line.split()
    child = os.fork()
    if not child:
        try:
            if what == "endless":
                endless(opened(url, key), name)
            elif what == "moment":
                store = open_store(url)
                stop = killed_at(store._engine, int(number))
                log = Log.open(store, signer=read_key(Path(key)), last=NoteFile(Path(key + ".last")))
                one_game(log, name, stop)
            elif what == "limited":
                limited(opened(url, key), name, int(number))
        except BaseException as error:
            say("error", type(error).__name__, error)
            os._exit(1)
        os._exit(0)
    say("pid", child)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    say("gone", status)
"""


class Nursery:
    """Writers on one ledger; `acknowledged` is what they were told to have appended, by game."""

    def __init__(self, url: str, key: Path) -> None:
        self.url, self.key = url, key
        self.acknowledged: dict[str, int] = {}
        self.said: list[list[str]] = []
        self.process = subprocess.Popen(
            [sys.executable, "-c", NURSERY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=HERE
        )

    def born(self, what: str, name: str, number: int = 0) -> int:
        """Start a writer; give its process id."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.said = []
        self.process.stdin.write(f"{self.url} {self.key} {what} {name} {number}\n")
        self.process.stdin.flush()
        word, pid = self.process.stdout.readline().split()
        assert word == "pid"
        return int(pid)

    def listen(self) -> list[str]:
        """Take in the next line."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().split(maxsplit=2)
        if line[0] == "ack":
            self.acknowledged[line[1]] = int(line[2])
        self.said.append(line)
        return line

    def gone(self) -> int:
        """Take in what the writer said until it ended; give its exit code, minus the signal that killed it."""
        while True:
            word, *rest = self.listen()
            if word == "gone":
                return int(rest[0])

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


def found(url: str, policy: bytes) -> tuple[Audit, dict[str, int]]:
    reader = open_reader(url)
    audit = Audit(reader, policy=policy)
    sizes = {game.game: game.size for game in audit.games()}
    reader.close()
    return audit, sizes


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "log.key"
    write_key(path, SigningKey(ORIGIN, bytes(range(32))))
    return path


def policy_of(key: Path) -> bytes:
    return Policy((LogKey(read_key(key).verifier),)).format()


def make(url: str, key: Path) -> None:
    recovery = SigningKey("club.example/recovery", bytes([7]) * 32)
    last = NoteFile(Path(f"{key}.last"))
    Log.create(url, origin=ORIGIN, operator="club", signer=read_key(key), recovery=recovery, last=last).close()


def reopen(url: str, key: Path) -> Log:
    return Log.open(url, signer=read_key(key), last=NoteFile(Path(f"{key}.last")))


@pytest.fixture
def nursery(url: str, key: Path) -> Iterator[Nursery]:
    make(url, key)
    made = Nursery(url, key)
    yield made
    made.close()


def holds(nursery: Nursery, *, restarted: bool = False) -> None:
    """Every acknowledged event is present, nothing missing is signed; after a restart nothing is unsealed either."""
    audit, sizes = found(nursery.url, policy_of(nursery.key))
    assert audit.findings == []
    for game, size in nursery.acknowledged.items():
        assert sizes.get(game, 0) >= size, game
    assert audit.log is not None
    assert audit.size <= audit.log.size
    last = NoteFile(Path(f"{nursery.key}.last")).load()
    assert last is not None
    if restarted:
        assert (audit.size, audit.unsealed) == (audit.log.size, 0)


def kill_at_random(nursery: Nursery, rounds: int) -> None:
    rng = random.Random(rounds)
    for round_ in range(rounds):
        pid = nursery.born("endless", f"r{round_}")
        if round_ % 3:
            nursery.listen()
        time.sleep(rng.uniform(0, 0.05))  # every third may die while it still opens the ledger
        os.kill(pid, signal.SIGKILL)
        assert nursery.gone() == -signal.SIGKILL, nursery.said
        holds(nursery)
    assert len(nursery.acknowledged) >= rounds // 2
    reopen(nursery.url, nursery.key).close()
    holds(nursery, restarted=True)


def test_a_writer_killed_at_random_moments_loses_nothing_acknowledged(nursery: Nursery) -> None:
    kill_at_random(nursery, 20)


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_a_writer_killed_two_hundred_times_loses_nothing_acknowledged(nursery: Nursery, part: int) -> None:
    nursery.acknowledged = {}
    kill_at_random(nursery, 20 + part)


def test_a_writer_killed_at_every_statement_boundary_loses_nothing_acknowledged(
    nursery: Nursery, request: pytest.FixtureRequest
) -> None:
    nursery.born("moment", "whole", 1_000_000)
    assert nursery.gone() == 0, nursery.said
    steps = int(nursery.said[-2][1])
    assert steps > 80
    for moment in range(0, steps, 1 if request.config.getoption("--long") else 3 if "sqlite" in nursery.url else 8):
        nursery.born("moment", f"m{moment}", moment)
        assert nursery.gone() in {-signal.SIGKILL, 0}, nursery.said
        holds(nursery)
    reopen(nursery.url, nursery.key).close()
    holds(nursery, restarted=True)


def refusal(work: Callable[[], object]) -> str | None:
    """Give the one line with which a store refuses some work, None where it does not."""
    try:
        work()
    except Unavailable as error:
        return str(error)
    return None


def test_a_statement_that_fails_is_one_clear_error_and_the_log_goes_on(
    url: str, key: Path, make_events: Callable[[str, int, int], list[bytes]]
) -> None:
    make(url, key)
    log = reopen(url, key)
    store: Any = log._store
    driver_error = next(each for each in store._errors if each.__module__ != "sqlalchemy.exc")
    left = -1

    def fail(*_: object) -> None:
        nonlocal left
        if left == 0:
            left = -1
            raise driver_error("disk I/O error")
        left -= 1

    for name in ("before_cursor_execute", "commit"):
        hooks.listen(store._engine, name, fail)
    repeated = set()
    for moment in range(100):
        game = f"g-{moment}"
        log.append(game, 0, make_events(game, 0, 3))
        left = moment
        error = refusal(lambda game=game: log.append(game, 3, make_events(game, 3, 6), close=True, command="end"))
        if error is None:
            assert moment > 12
            break
        assert "disk I/O error" in error
        assert "\n" not in error
        left = -1
        again = log.append(game, 3, make_events(game, 3, 6), close=True, command="end")
        repeated.add(again.repeated)  # the statement failed before the events were committed, or after, in signing
        assert again.size == 6
    assert repeated == {False, True}
    left = -1
    log.close()
    reopen(url, key).close()
    audit, _ = found(url, policy_of(key))
    assert (audit.findings, audit.unsealed) == ([], 0)


@pytest.fixture
def sqlite_nursery(tmp_path: Path, key: Path) -> Iterator[Nursery]:
    url = f"sqlite:///{tmp_path}/x.db"
    make(url, key)
    made = Nursery(url, key)
    yield made
    made.close()


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs file size limits")
def test_writes_that_fail_halfway_leave_a_ledger_that_goes_on(sqlite_nursery: Nursery) -> None:
    rng = random.Random(5)
    for round_ in range(10):
        sqlite_nursery.born("limited", f"f{round_}", rng.randrange(60_000, 400_000))
        assert sqlite_nursery.gone() == 0, sqlite_nursery.said
        assert ["failed", "Unavailable"] in sqlite_nursery.said
        holds(sqlite_nursery)
    reopen(sqlite_nursery.url, sqlite_nursery.key).close()
    holds(sqlite_nursery, restarted=True)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of 4 MB, which other users may look into."""
    if os.geteuid() or not shutil.which("mount"):
        pytest.skip("needs root and the right to mount, for a disk that is full")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        mount = ["mount", "-t", "tmpfs", "-o", "size=4m,mode=755", "tmpfs", name]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("needs the right to mount, for a disk that is full")
        try:
            yield place
        finally:
            subprocess.run(["umount", "-l", name], check=True)


def fill_and_go_on(url: str, key: Path, ballast: Path, make_events: Callable[[str, int, int], list[bytes]]) -> None:
    ballast.write_bytes(bytes(1 << 20))
    make(url, key)
    log = reopen(url, key)
    at = 0
    error = None
    while error is None:
        error = refusal(lambda at=at: log.append("g-1", at, make_events("g-1", at, at + 200)))
        at += 0 if error else 200
    assert "full" in error or "No space" in error
    assert "\n" not in error
    ballast.unlink()
    audit, sizes = found(url, policy_of(key))
    assert audit.findings == []
    assert sizes["g-1"] >= at > 0
    assert log.append("g-1", sizes["g-1"], make_events("g-1", sizes["g-1"], sizes["g-1"] + 5), close=True).size > at
    log.close()
    audit, sizes = found(url, policy_of(key))
    assert (audit.findings, audit.unsealed) == ([], 0)


def test_a_full_disk_refuses_and_goes_on_once_there_is_room(
    small_disk: Path, key: Path, make_events: Callable[[str, int, int], list[bytes]]
) -> None:
    fill_and_go_on(f"sqlite:///{small_disk}/x.db", key, small_disk / "ballast", make_events)


def test_a_full_disk_of_postgres_refuses_and_goes_on_once_there_is_room(
    small_disk: Path,
    key: Path,
    cluster: Any,
    postgres: Callable[[], str],
    make_events: Callable[[str, int, int], list[bytes]],
) -> None:
    data = small_disk / "data"
    data.mkdir()
    shutil.chown(data, cluster.user)
    cluster.run(f"CREATE TABLESPACE small LOCATION '{data}'")
    url = postgres()
    try:
        fill_and_go_on(f"{url}%20-cdefault_tablespace%3Dsmall", key, small_disk / "ballast", make_events)
    finally:
        cluster.run(f"DROP SCHEMA {url.rpartition('%3D')[2]} CASCADE")
        cluster.run("DROP TABLESPACE small")


def test_a_server_that_crashes_loses_nothing_acknowledged_and_the_log_goes_on(
    cluster: Any, postgres: Callable[[], str], key: Path, make_events: Callable[[str, int, int], list[bytes]]
) -> None:
    url = postgres()
    make(url, key)
    log = reopen(url, key)
    size = log.append("g-1", 0, make_events("g-1", 0, 50)).size
    cluster.stop(signal.SIGQUIT)
    with pytest.raises(Unavailable) as caught:
        log.append("g-1", size, make_events("g-1", size, size + 5))
    assert "\n" not in str(caught.value)
    with pytest.raises(Unavailable, match="connection"):
        open_reader(url)
    cluster.start()
    assert log.append("g-1", size, make_events("g-1", size, size + 5), close=True).size == size + 5
    log.close()
    audit, sizes = found(url, policy_of(key))
    assert (audit.findings, audit.unsealed, sizes) == ([], 0, {"g-1": 55})


def torn(url: str, key: Path, acknowledged: int) -> str:
    """Look at a damaged ledger with everything: each answer is an error in one line, a finding, or a shorter truth."""
    policy, seen = policy_of(key), NoteFile(Path(f"{key}.last"))
    try:
        reader = open_reader(url)
    except Unavailable:
        return "refused"
    audit = Audit(reader, policy=policy, seen=seen)
    sizes = {game.game: game.size for game in audit.games()}
    reader.close()
    before = seen.load()
    try:
        reopen(url, key).close()
    except LedgerError:
        assert seen.load() == before
        return "found" if audit.findings else "diverged"
    if audit.findings:
        return "found"
    assert sizes.get("g-1", 0) == acknowledged
    return "whole"


@pytest.mark.parametrize("what", ["cut", "zeroed", "noise"])
def test_a_torn_file_is_refused_or_found_never_signed_over(
    what: str, tmp_path: Path, key: Path, make_events: Callable[[str, int, int], list[bytes]]
) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    make(url, key)
    log = reopen(url, key)
    for start in range(0, 200, 20):
        log.append("g-1", start, make_events("g-1", start, start + 20), seal=True, close=start == 180)
    log.close()
    whole, last = (tmp_path / "x.db").read_bytes(), Path(f"{key}.last").read_bytes()
    rng = random.Random(3)
    seen = set()
    for _ in range(40):
        at = rng.randrange(len(whole))
        rest = {"cut": b"", "zeroed": bytes(4096), "noise": rng.randbytes(4096)}[what]
        data = whole[:at] + rest + (whole[at + 4096 :] if rest else b"")
        for name in ("x.db-wal", "x.db-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / "x.db").write_bytes(data)
        Path(f"{key}.last").write_bytes(last)
        answer = torn(url, key, 200)
        seen.add(answer)
        assert answer != "whole" or data == whole or unused(tmp_path / "x.db", whole, data)
    assert seen - {"whole"}


def unused(path: Path, whole: bytes, data: bytes) -> bool:
    """Tell whether the bytes that differ lie where SQLite keeps nothing: every row reads as it was."""
    rows = []
    for content in (whole, data):
        path.write_bytes(content)
        raw = sqlite3.connect(path)
        rows.append([raw.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in ("events", "entries")])
        raw.close()
    return rows[0] == rows[1]


def test_a_torn_write_ahead_log_never_becomes_a_fork(
    tmp_path: Path, key: Path, make_events: Callable[[str, int, int], list[bytes]]
) -> None:
    """SQLite takes a log cut short for the last whole commit; what was signed since is known beside the key."""
    url = f"sqlite:///{tmp_path}/x.db"
    make(url, key)
    log = reopen(url, key)
    for start in range(0, 60, 20):
        log.append("g-1", start, make_events("g-1", start, start + 20), seal=True)
    names = [name for name in ("x.db", "x.db-wal") if (tmp_path / name).exists()]
    assert len(names) == 2
    files = {name: (tmp_path / name).read_bytes() for name in names}
    last = Path(f"{key}.last").read_bytes()
    log.close()
    answers = set()
    for at in range(0, len(files["x.db-wal"]), 1997):
        (tmp_path / "x.db-shm").unlink(missing_ok=True)
        (tmp_path / "x.db").write_bytes(files["x.db"])
        (tmp_path / "x.db-wal").write_bytes(files["x.db-wal"][:at])
        Path(f"{key}.last").write_bytes(last)
        try:
            reopen(url, key).close()
        except (Diverged, Unavailable) as error:
            answers.add(type(error).__name__)
            continue
        answers.add("whole")
        audit, _ = found(url, policy_of(key))
        assert audit.findings == []
        seen = NoteFile(tmp_path / "seen")
        (tmp_path / "seen").write_bytes(last)
        reader = open_reader(url)
        again = Audit(reader, policy=policy_of(key), seen=seen)
        list(again.games())
        reader.close()
        assert again.findings == []
    assert "Diverged" in answers

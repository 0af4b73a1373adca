"""Several writer processes on one ledger, and readers beside them."""

import subprocess
import sys
from pathlib import Path

import pytest

from ledger.keys import SigningKey, read_key, write_key
from ledger.log import Log
from ledger.notefile import NoteFile
from ledger.policy import LogKey, Policy
from ledger.store import open_reader
from ledger.verify import Audit

HERE = Path(__file__).parents[2]
ORIGIN = "club.example/log"
WRITER = """
import sys
from pathlib import Path
from ledger.canonical import encode
from ledger.errors import Conflict
from ledger.keys import read_key
from ledger.log import Log
from ledger.notefile import NoteFile

url, key, name, count = sys.argv[1:]
log = Log.open(url, signer=read_key(Path(key)), last=NoteFile(Path(key + ".last")))
shared = 0
for number in range(int(count)):
    game = f"{name}-{number}"
    events = [encode({"at": 1, "game": game, "seq": seq, "type": "noted", "v": 1}) for seq in range(10)]
    log.append(game, 0, events[:5])
    log.append(game, 5, events[5:], close=True)
    print(game, flush=True)
    while True:  # both append to one stream, too: the loser reads on and tries again
        event = encode({"at": 1, "by": name, "game": "shared", "seq": shared, "type": "noted", "v": 1})
        try:
            log.append("shared", shared, [event])
            print("shared", shared, flush=True)
            break
        except Conflict as conflict:
            shared = conflict.found
    shared += 1
log.close()
print("done", flush=True)
"""


@pytest.fixture
def made(url: str, tmp_path: Path) -> tuple[str, Path, bytes]:
    key = tmp_path / "log.key"
    write_key(key, SigningKey(ORIGIN, bytes(range(32))))
    recovery = SigningKey("club.example/recovery", bytes([7]) * 32)
    last = NoteFile(Path(f"{key}.last"))
    Log.create(url, origin=ORIGIN, operator="club", signer=read_key(key), recovery=recovery, last=last).close()
    return url, key, Policy((LogKey(read_key(key).verifier),)).format()


def start(url: str, key: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, url, str(key), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE, start_new_session=True)


def judged(url: str, policy: bytes) -> tuple[Audit, dict[str, int]]:
    reader = open_reader(url)
    audit = Audit(reader, policy=policy)
    sizes = {game.game: game.size for game in audit.games()}
    reader.close()
    return audit, sizes


def test_three_processes_append_at_once(made: tuple[str, Path, bytes]) -> None:
    url, key, policy = made
    writers = [start(url, key, name, 12) for name in ("a", "b", "c")]
    for writer in writers:
        out, _ = writer.communicate(timeout=60)
        assert writer.returncode == 0
        assert out.endswith("done\n")
    audit, sizes = judged(url, policy)
    assert audit.findings == []
    assert audit.log is not None
    assert sizes == {"shared": 36, **{f"{name}-{number}": 10 for name in "abc" for number in range(12)}}
    assert audit.size == audit.log.size


def test_a_reader_beside_a_writer_always_sees_a_ledger_that_holds(made: tuple[str, Path, bytes]) -> None:
    url, key, policy = made
    writer = start(url, key, "w", 60)
    looked = 0
    while writer.poll() is None:
        audit, _ = judged(url, policy)
        assert audit.findings == []
        looked += 1
    writer.communicate()
    assert writer.returncode == 0
    assert looked > 1

"""Level 4 reads what the replay has not derived: the two together say what reading every event says."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

import ledger.log
from engine.events import canonical, load
from engine.replay import Replay, steps
from ledger.canonical import decode
from ledger.store import open_reader
from ledger.verify import Audit
from viewer.cli import run
from viewer.games import lines
from viewer.signed import CommandGate
from viewer.targets import open_log
from viewer.verdict import audit

GAME = "linhai-s11-00000"
Spoil = Callable[[bytes], bytes]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    path = tmp_path_factory.mktemp("played") / "x.db"
    assert run(["simulate", "--games", "1", "--hands", "1", "--seed", "11", "--ledger", f"sqlite:///{path}"]) == 0
    return lines(str(path), GAME)


def signed(events: list[bytes], folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write whatever bytes into a ledger whose owner signs them: every hash and signature holds."""
    monkeypatch.setattr(ledger.log, "check_request", lambda _: None)
    monkeypatch.setattr(CommandGate, "__call__", lambda *_: None)
    url = f"sqlite:///{folder / 'x.db'}"
    log, _ = open_log(url, operator="club")
    with log:
        log.append(GAME, 0, events, close=True)
    return url


def spaced(line: bytes) -> bytes:
    return line.replace(b',"game"', b', "game"')


def elsewhere(line: bytes) -> bytes:
    return canonical({**load(line), "seq": load(line)["seq"] + 1})


def of_another(line: bytes) -> bytes:
    return canonical({**load(line), "game": "another"})


def doubled(line: bytes) -> bytes:
    return line.replace(b'"v":1', b'"v":1,"v":1')


def huge(line: bytes) -> bytes:
    return line.replace(b'"v":1', b'"v":9007199254740993')


def no_json(line: bytes) -> bytes:
    return line[:-1]


def decomposed(line: bytes) -> bytes:
    """Spell a name of `opened` otherwise than NFC, which only level 4 forbids."""
    return line.replace(b'"operator":"', '"operator":"e\u0301'.encode())


KINDS = ("opened", "committed", "drawn", "discarded", "answered", "settled", "closed")
ANYWHERE = (spaced, elsewhere, of_another, doubled, huge, no_json)


@pytest.mark.parametrize(("spoil", "kind"), [*product(ANYWHERE, KINDS), (decomposed, "opened")])
def test_bytes_that_hold_the_chain_and_are_no_event_are_findings_of_level_4(
    game: list[bytes], spoil: Spoil, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seq = next(seq for seq, line in enumerate(game) if b'"type":"' + kind.encode() in line)
    events = [*game]
    events[seq] = spoil(events[seq])
    assert events[seq] != game[seq]
    url = signed(events, tmp_path, monkeypatch)
    report = audit(url)
    assert report.exit == 1
    assert [(each.level, each.seq) for each in report.findings] == [(4, seq)]
    assert report.levels[3].status == "failed"
    assert report.levels[3].findings == 1
    assert report.hands == 0
    reader = open_reader(url)
    whole = Audit(reader)
    assert [found.as_json() for one in whole.games() for found in one.findings] == [
        each.as_json() for each in report.findings
    ]
    reader.close()


def test_where_the_log_does_not_hold_and_nothing_is_replayed_every_event_is_read_all_the_same(
    game: list[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seq = next(seq for seq, line in enumerate(game) if b'"type":"drawn"' in line)
    url = signed([*game[:seq], spaced(game[seq]), *game[seq + 1 :]], tmp_path, monkeypatch)
    other = tmp_path / "other"
    other.mkdir()
    signed(game, other, monkeypatch)
    report = audit(url, policy=str(other / "x.db.policy"))  # it pins another key
    assert {each.level for each in report.findings} > {4}
    assert [each.seq for each in report.findings if each.level == 4] == [seq]
    assert report.hands == 0


def test_what_replay_derives_is_canonical(game: list[bytes]) -> None:
    result = Replay()
    for _ in steps(game, result):
        pass
    assert result.prefix == len(game)
    assert 0 in result.judged
    assert len(result.judged) < len(game) // 5
    for seq in set(range(len(game))) - set(result.judged):
        decode(game[seq])

"""`paipu export raw|decks` and `paipu tile`: what a laboratory and a player get, from the same deals as the log."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from engine.events import load
from engine.formats import tenhou
from engine.formats.tenhou_wall import seed_bytes, walls
from engine.mahjong.wall import break_stack
from engine.shuffle import limit
from engine.variants import PRESETS
from viewer import deal_export
from viewer.cli import run
from viewer.games import games, lines

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    found = f"sqlite:///{tmp_path_factory.mktemp('lab') / 'x.db'}"
    assert run(["simulate", "--games", "2", "--hands", "2", "--seed", "9", "--ledger", found]) == 0
    assert run(["simulate", "--rules", "niuniu", "--games", "1", "--hands", "2", "--ledger", found]) == 0
    return found


def rows(path: Path) -> list[list[str]]:
    return [row.split(" ") for row in path.read_text().splitlines()]


def test_decks_are_permutations_and_the_walls_of_the_log(url: str, tmp_path: Path) -> None:
    path = tmp_path / "decks.txt"
    assert run(["export", "decks", "--ledger", url, "--rules", "linhai", "-o", str(path)]) == 0
    head, *found = rows(path)
    assert head[0] == "#"
    deck = head[1:]
    assert deck[:5] == ["1m.0", "1m.1", "1m.2", "1m.3", "2m.0"]
    assert len(found) == 4
    assert all(sorted(row) == sorted(deck) for row in found)
    hand = 0
    for info in games(url):
        if info.rules != "linhai":
            continue
        for line in lines(url, info.id):
            event = load(line)
            if event["type"] == "hand_started":
                dealer, thrown = event["dealer"], []
            elif event["type"] == "dice":
                thrown += event["values"]
            elif event["type"] == "dealt" and event["seat"] == dealer:
                start = 2 * break_stack(PRESETS["linhai"], dealer, thrown)  # type: ignore[arg-type]
                wall = found[hand]
                assert [wall[(start + step) % len(wall)].partition(".")[0] for step in range(4)] == event["tiles"][:4]
                hand += 1
    assert hand == 4


def test_raw_words_shuffle_to_the_decks(url: str, tmp_path: Path) -> None:
    raw, decks = tmp_path / "raw", tmp_path / "decks"
    assert run(["export", "raw", "--ledger", url, "--rules", "niuniu", "-o", str(raw)]) == 0
    assert run(["export", "decks", "--ledger", url, "--rules", "niuniu", "-o", str(decks)]) == 0
    data = raw.read_bytes()
    words = iter([int.from_bytes(data[at : at + 4]) for at in range(0, len(data), 4)])
    head, *found = rows(decks)
    deck = head[1:]
    for row in found:
        wall = list(range(len(deck)))
        for place in range(len(deck) - 1, 0, -1):
            word = next(words)
            while word >= limit(place + 1):
                word = next(words)
            other = word % (place + 1)
            wall[place], wall[other] = wall[other], wall[place]
        assert [deck[tile] for tile in wall] == row
    assert next(words, None) is None


def test_games_of_several_decks_are_not_mixed(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "decks.txt"
    assert run(["export", "decks", "--ledger", url, "-o", str(path)]) == 2
    assert "--rules" in capsys.readouterr().err
    assert not path.exists()


def test_decks_of_an_exported_game_and_of_a_record(url: str, tmp_path: Path) -> None:
    info = next(each for each in games(url) if each.rules == "linhai")
    one, two = tmp_path / "g.paipu.jsonl", tmp_path / "d"
    assert run(["export", info.id, "--ledger", url, "-o", str(one)]) == 0
    assert run(["export", "decks", str(one), "-o", str(two)]) == 0
    assert len(rows(two)) == 3
    mjlog = ROOT / "data" / "riichi.tenhou" / "game.mjlog"
    assert run(["export", "decks", str(mjlog), "-o", str(tmp_path / "m")]) == 0
    head, *found = rows(tmp_path / "m")
    record = tenhou.read(mjlog.read_text())
    assert len(found) == len(record.hands)
    for row, wall in zip(found, walls(seed_bytes(record.seed)), strict=False):
        assert [head[1:].index(name) for name in row] == list(wall.tiles[::-1])


def test_hands_without_a_known_seed_are_left_out_and_counted(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    info = next(each for each in games(url) if each.rules == "linhai")
    kept = lines(url, info.id)[:-1]  # without `closed`: each hand has its own seed
    path = tmp_path / "g.paipu.jsonl"
    first = next(place for place, line in enumerate(kept) if b'"type":"revealed"' in line)
    path.write_bytes(b"".join(line + b"\n" for line in kept[:first]))
    assert run(["export", "decks", str(path), "-o", str(tmp_path / "d")]) == 0
    assert "1 hands left out" in capsys.readouterr().err


def test_fresh_deals_follow_the_seed_and_do_not_repeat() -> None:
    rules = PRESETS["niuniu"]
    one = [each.line() for each in deal_export.fresh(rules, 1, 70)]
    assert one == [each.line() for each in deal_export.fresh(rules, 1, 70)]
    assert len(set(one)) == 70
    assert not set(one) & {each.line() for each in deal_export.fresh(rules, 2, 70)}


@pytest.mark.parametrize("command", [
    ["export", "g", "x", "--ledger", "sqlite:///none.db"], ["export", "raw", "--deals", "3"],
    ["export", "decks", "--deals", "3", "--rules", "nothing"], ["export", "decks", "none.jsonl"],
    ["export", "raw", "--rules", "linhai", "--deals", "1", "x"], ["tile", "check", "none", "none"],
])  # fmt: skip
def test_wrong_calls_are_one_line_and_exit_2(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(command) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_tiles_are_proved_and_checked(url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    info = next(each for each in games(url) if each.rules == "linhai")
    seq = next(load(line)["seq"] for line in lines(url, info.id) if b'"type":"dealt"' in line)
    capsys.readouterr()
    assert run(["tile", "prove", info.id, "--seq", str(seq), "--ledger", url]) == 0
    text = capsys.readouterr().out
    proof = tmp_path / "proof.jsonl"
    proof.write_text(text)
    assert len(text.splitlines()) == 14
    assert run(["tile", "check", str(proof), info.id, "--ledger", url]) == 0
    whole = json.loads(text.splitlines()[0])
    other = "9s" if whole["code"] != "9s" else "1m"
    for name, value in (("position", whole["position"] ^ 1), ("salt", "00" * 16), ("code", other),
                        ("wall_root", sha256(b"").hexdigest()), ("hand", 7), ("n", 136)):  # fmt: skip
        proof.write_text(json.dumps({**whole, name: value}))
        expected = 0 if name == "n" and whole["n"] == 136 else 1
        assert run(["tile", "check", str(proof), info.id, "--ledger", url]) == expected, name
    for wrong in ("{", "[]", json.dumps({**whole, "path": [1]}), json.dumps({**whole, "extra": 1})):
        proof.write_text(wrong)
        assert run(["tile", "check", str(proof), info.id, "--ledger", url]) == 2


def test_an_event_without_tiles_has_no_proof(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    info = next(each for each in games(url) if each.rules == "linhai")
    assert run(["tile", "prove", info.id, "--seq", "0", "--ledger", url]) == 2
    assert "no tile" in capsys.readouterr().err

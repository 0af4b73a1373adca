"""Play-side signals: found where they were put in, quiet where nothing was, always with n, effect and q."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from engine.events import canonical
from engine.mahjong.bots import greedy_bot
from engine.shuffle import Stream
from engine.table import Table
from viewer import simulate
from viewer.cli import run
from viewer.estimate.evidence import Evidence, dispersion, ranked, sign_flip, upper_tail, welch
from viewer.signals.facts import GameFacts, HandFacts, dangerous, facts, flows
from viewer.signals.rank import Signals
from viewer.simulate import Job, play

NAMES = tuple(f"p{number:02}" for number in range(16))


def lobby(games: int, seed: int, *, meet: float = 0.0, dump: float = 0.0, feed: float = 0.0, hands: int = 8) -> Signals:
    """A lobby of sixteen equals; accounts p00 and p01 meet, dump and feed more than by chance."""
    rng = np.random.default_rng(seed)
    found = Signals()
    for number in range(games):
        names = list(rng.permutation(NAMES)[:4])
        if "p00" in names and "p01" not in names and rng.random() < meet:
            names[next(place for place, name in enumerate(names) if name != "p00")] = "p01"
        game = GameFacts(f"g{number}", "linhai", tuple(names))
        for hand in range(hands):
            it = HandFacts(hand)
            winner, source = rng.permutation(4)[:2].tolist()
            pair = (names.index("p00"), names.index("p01")) if {"p00", "p01"} <= set(names) else None
            if pair and rng.random() < dump:
                source, winner = pair
            it.deal_ins = [(source, winner)]
            amount = int(rng.integers(1, 5))
            it.flows = {(source, winner): amount}
            it.payments = [amount * ((seat == winner) - (seat == source)) for seat in range(4)]
            taker, giver = rng.permutation(4)[:2].tolist()
            if pair and rng.random() < feed:
                giver, taker = pair
            it.fed = [(giver, taker)]
            game.hands.append(it)
        found.take(game)
    return found


def strongest(found: Signals, signal: str) -> Evidence:
    return next(each for each in found.evidence() if each.signal == signal)


def test_equals_give_no_leads() -> None:
    rows = lobby(400, 1).evidence()
    assert len(rows) > 500
    assert {each.signal for each in rows} == {"same_table", "deal_in", "feeding", "transfer", "with_partner"}
    assert min(each.q for each in rows) > 0.05


def test_two_who_meet_too_often() -> None:
    row = strongest(lobby(400, 2, meet=0.5), "same_table")
    assert row.who == ("p00", "p01")
    assert row.q < 1e-6
    assert row.effect > 2
    assert row.n == pytest.approx(100, abs=30)


def test_one_who_deals_into_the_other() -> None:
    found = lobby(400, 3, dump=0.5)
    row = strongest(found, "deal_in")
    assert row.who == ("p00", "p01")
    assert row.q < 0.01
    assert row.examples
    flow = strongest(found, "transfer")
    assert flow.who == ("p00", "p01")
    assert flow.effect > 0
    assert flow.observed > flow.expected


def test_one_who_feeds_the_other() -> None:
    row = strongest(lobby(400, 4, feed=0.6), "feeding")
    assert row.who == ("p01", "p00")
    assert row.q < 0.01


def test_who_wins_only_with_a_partner() -> None:
    found = lobby(700, 5, meet=0.4, dump=0.6)
    rows = [each for each in found.evidence() if each.signal == "with_partner" and each.who == ("p01", "p00")]
    assert rows[0].q < 0.01
    assert rows[0].effect > 0


# --- real games --------------------------------------------------------------------------------------------------


def games(count: int, bots: tuple[str, ...], seed: int) -> list[list[bytes]]:
    jobs = [
        Job("linhai", seed, index, 1_700_000_000_000, match={"length": {"hands": 8}}, bots=bots)
        for index in range(count)
    ]
    return [[line for chunk in play(job) for line in chunk] for job in jobs]


def test_facts_of_a_game_add_up() -> None:
    lines = games(1, ("greedy",), 7)[0]
    found = facts(lines, "g")
    assert [hand.hand for hand in found.hands] == list(range(8))
    records = [json.loads(line) for line in lines]
    assert found.players == tuple(next(record["order"] for record in records if record["type"] == "seated"))
    for hand in found.hands:
        net = [0, 0, 0, 0]
        for (payer, taker), amount in hand.flows.items():
            net[payer] -= amount
            net[taker] += amount
        assert net == hand.payments
        assert len(hand.opening) == 4
    wins = [record for record in records if record["type"] == "won" and "from" in record]
    assert sum(len(hand.deal_ins) for hand in found.hands) == len(wins)
    for record in wins:
        hand = next(hand for hand in found.hands if (record["from"], record["seat"]) in hand.deal_ins)
        assert any(seat == record["from"] and hit for seat, _, hit in hand.dangers)


@pytest.mark.parametrize("change", [{"seat": None}, {"seat": 9}, {"seat": "x"}, {"tile": 5}, {"tile": "9z"}])
def test_a_discard_that_is_none_ends_what_is_told_of_a_game(change: dict[str, Any]) -> None:
    lines = games(1, ("greedy",), 7)[0]
    seq = next(seq for seq, line in enumerate(lines) if b'"type":"discarded"' in line)
    spoilt = {name: value for name, value in (json.loads(lines[seq]) | change).items() if value is not None}
    found = facts([*lines[:seq], canonical(spoilt), *lines[seq + 1 :]], "g")
    assert all(not hand.dangers for hand in found.hands)


def test_without_lines_losers_pay_in_proportion() -> None:
    assert flows({"payments": [6, -4, -2, 0]}) == {(1, 0): 4, (2, 0): 2}
    assert flows({"payments": [4, 2, -6, 0]}) == {(2, 0): 4, (2, 1): 2}


def test_equal_bots_give_no_leads() -> None:
    found = Signals()
    for number, lines in enumerate(games(12, ("greedy",), 8)):
        found.take(facts(lines, f"g{number}"))
    rows = found.evidence()
    assert {each.signal for each in rows} >= {"deal_in", "feeding", "transfer", "hidden"}
    assert min(each.q for each in rows) > 0.01


def test_a_player_who_sees_the_hands(monkeypatch: pytest.MonkeyPatch) -> None:  # incident 27
    """He plays as the others do, but never discards what a hidden hand could win on while he has something else."""
    seen: list[Table] = []
    decide = simulate._decide

    def watched(table: Table, *args: Any) -> list[bytes]:
        seen[:] = [table]
        return decide(table, *args)

    def insider(sight: Any, choices: Stream) -> Any:
        body = greedy_bot(sight, choices)
        game = seen[0].game
        if body["type"] != "discarded":
            return body
        danger = dangerous(game.hand, body["seat"], game.seq)
        safe = [
            each for each in seen[0].legal() if each["type"] == "discarded" and each["tile"] not in danger
        ]  # fmt: skip
        return safe[0] if body["tile"] in danger and safe else body

    monkeypatch.setattr(simulate, "_decide", watched)
    monkeypatch.setitem(simulate.BOTS["mahjong"], "insider", insider)
    found = Signals()
    for number, lines in enumerate(games(24, ("greedy", "greedy", "greedy", "insider"), 9)):
        found.take(facts(lines, f"g{number}"))
    row = strongest(found, "hidden")
    assert row.who == ("bot:insider-4",)
    assert row.effect < 0.3
    assert row.q < 0.01


# --- the command -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('club') / 'club.db'}"
    for rules in ("linhai", "niuniu"):
        assert run(["simulate", "--rules", rules, "--games", "4", "--hands", "6", "--seed", "2", "--ledger", url]) == 0
    return url


def test_the_command_ranks_and_accuses_nobody(club: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["signals", club, "--jobs", "1"]) == 0
    out = capsys.readouterr().out
    assert "8 games, 48 hands" in out
    assert "no account is accused" in out
    assert run(["signals", club, "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rows = found["evidence"]
    assert all(
        set(row) == {"signal", "who", "n", "observed", "expected", "effect", "p", "q", "examples"} for row in rows
    )
    assert [row["q"] for row in rows] == sorted(row["q"] for row in rows)
    assert run(["signals", club, "--jobs", "1", "--json", "--no-hidden", "--account", "bot:greedy-1"]) == 0
    fewer = json.loads(capsys.readouterr().out)["evidence"]
    assert fewer
    assert all("bot:greedy-1" in row["who"] and row["signal"] != "hidden" for row in fewer)


def test_tenhou_records_are_read(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted((shared / "vectors" / "tenhou").glob("20*.mjlog"))
    capsys.readouterr()
    assert run(["signals", *map(str, files), str(files[0]), "--jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] < len(files)  # cuts of one game count once
    assert {row["signal"] for row in found["evidence"]} >= {"transfer", "feeding"}


def test_a_damaged_log_is_refused(club: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    monk = tmp_path / "none.db"
    capfd.readouterr()
    assert run(["signals", f"sqlite:///{monk}"]) == 2
    assert run(["signals"]) == 2
    assert run(["signals", "no-such-file"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 3
    assert club


# --- estimates ---------------------------------------------------------------------------------------------------


def test_the_tail_of_equal_chances_is_the_binomials() -> None:
    assert upper_tail([0.3] * 20, 9) == pytest.approx(stats.binom.sf(8, 20, 0.3))
    assert upper_tail([0.3] * 20, 0) == 1.0
    assert upper_tail([0.2] * 5_000, 1_050) == pytest.approx(stats.binom.sf(1_049, 5_000, 0.2), rel=0.05)


def test_the_tail_of_unequal_chances_by_hand() -> None:
    assert upper_tail([0.5, 0.1], 1) == pytest.approx(1 - 0.5 * 0.9)
    assert upper_tail([0.5, 0.1], 2) == pytest.approx(0.05)


def test_small_estimates() -> None:
    assert sign_flip([]) == 1.0
    assert sign_flip([1.0, -1.0]) == pytest.approx(1.0)
    assert sign_flip([1.0] * 25) == pytest.approx(2 * stats.norm.sf(5))
    assert welch([1.0, 1.0], [1.0, 1.0]) == 1.0
    assert welch([1.0, 2.0, 3.0], [5.0, 6.0, 9.0]) < 0.1
    assert dispersion([5, 5, 5], [1, 1, 1]) == 1.0
    assert dispersion([0, 20, 0, 20], [1, 1, 1, 1]) > 10
    rows = [Evidence("x", ("a",), 1, 1, 1, 1, p) for p in (0.5, 0.001, 0.04)]
    assert [each.p for each in ranked(rows)] == [0.001, 0.04, 0.5]
    assert rows[1].q == pytest.approx(0.003)
    assert ranked([]) == []

"""Disputes in a ledger: opened, judged, decided, closed, audited; words that can be erased."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.case_stream import build
from engine.events import load
from ledger.errors import LedgerError, Refused
from ledger.log import Log
from viewer import cases
from viewer.cases import Subject, reading
from viewer.cli import run
from viewer.clocks import CLOCKS
from viewer.forgery import overpaid
from viewer.games import games, lines
from viewer.targets import open_log
from viewer.verdict import audit

DAY = 86_400_000
LATER = 1_900_000_000_000


@pytest.fixture
def ledger(tmp_path: Path, club: str) -> tuple[Log, str]:
    """A ledger of its own with an honest game and the same game, one payment too large."""
    url = f"sqlite:///{tmp_path / 'own.db'}"
    game = games(club)[0].id
    log, _ = open_log(url, operator="simulated", clock=lambda: LATER)
    log.append(game, 0, lines(club, game), seal=True, close=True)
    forged = [line.replace(game.encode(), b"forged") for line in overpaid(lines(club, game))]
    log.append("forged", 0, forged, seal=True, close=True)
    return log, url


def opened(ledger: tuple[Log, str], game: str, case: str = "case-1", **subject: int) -> cases.Case:
    log, url = ledger
    return cases.open_case(log, url, case, Subject(game, **subject), by="p2", claim="我的胡被拒",
                           jurisdiction="nj", at=LATER)  # fmt: skip


def honest(ledger: tuple[Log, str]) -> str:
    return next(info.id for info in games(ledger[1]) if info.id != "forged")


def test_a_case_runs_its_course_and_the_audit_holds(ledger: tuple[Log, str]) -> None:
    log, url = ledger
    game = honest(ledger)
    case = opened(ledger, game, seq=60)
    assert case.opened is not None
    assert case.opened.due == LATER + 3 * DAY
    assert case.opened.subject.hand == 0
    assert case.verdicts[0].outcome == "holds"
    assert case.verdicts[0].rules == load(lines(ledger[1], game)[0])["rules"]["digest"]
    with pytest.raises(Refused, match="decided"):
        cases.close_case(log, url, "case-1", by="j", at=LATER)
    cases.decide(log, url, "case-1", by="j", outcome="rejected", reason="lawful", at=LATER + 1)
    cases.close_case(log, url, "case-1", by="j", at=LATER + 2)
    with pytest.raises(Refused, match="closed"):
        cases.decide(log, url, "case-1", by="j", outcome="upheld", reason="again", at=LATER + 3)
    with pytest.raises(Refused, match="nothing after"):
        cases.attach(log, url, "case-1", by="j", name="a.db", data=b"x", at=LATER + 3)
    found = audit(ledger[1])
    assert {each.game for each in found.findings} == {"forged"}
    assert not [each for each in found.unchecked if each.game == "case-1"]
    with reading(url) as reader:
        assert cases.case_ids(reader) == ["case-1"]


def test_the_verdict_on_a_forged_game_fails(ledger: tuple[Log, str]) -> None:
    assert opened(ledger, "forged").verdicts[0].outcome == "failed"


def test_a_false_verdict_is_a_finding(ledger: tuple[Log, str]) -> None:
    log, url = ledger
    with reading(url) as reader:
        said = cases.judged(reader, "forged").body() | {"outcome": "holds"}
    opened(ledger, "forged")
    cases.add(log, url, "case-1", said, at=LATER)
    found = [each for each in audit(ledger[1]).findings if each.game == "case-1"]
    assert [(each.level, each.code, each.clause, each.seq) for each in found] == [(7, "verdict", "events.case", 2)]
    assert "failed" in str(found[0].expected)
    assert "holds" in str(found[0].found)


def test_an_unlawful_case_is_a_finding(ledger: tuple[Log, str]) -> None:
    log, _ = ledger
    log.append("case-9", 0, [build({"type": "case_closed", "by": "j"}, at=LATER, case="case-9", seq=0)], stream="case")
    found = [each for each in audit(ledger[1]).findings if each.game == "case-9"]
    assert [(each.level, each.code, each.seq) for each in found] == [(7, "order", 0)]
    with reading(ledger[1]) as reader, pytest.raises(Refused):
        cases.read_case(reader, "case-9")


def test_words_can_be_erased_and_the_case_still_holds(ledger: tuple[Log, str]) -> None:
    log, url = ledger
    case = opened(ledger, honest(ledger))
    assert case.opened is not None
    with reading(url) as reader:
        assert cases.words(reader, case.opened.claim) == "我的胡被拒"
        assert "胡".encode() not in b"".join(data for _, data, _ in reader.events("case-1"))
    assert log.erase_text(case.opened.claim)
    with reading(url) as reader:
        assert cases.words(reader, case.opened.claim) is None
    assert "case-1" not in {each.game for each in audit(ledger[1]).findings}


@pytest.mark.parametrize(
    "subject", [Subject("nope"), Subject("forged", 99), Subject("forged", None, 10**6), Subject("forged", 3, 20)]
)
def test_what_does_not_exist_is_not_disputed(ledger: tuple[Log, str], subject: Subject) -> None:
    log, url = ledger
    with pytest.raises(LedgerError):
        cases.open_case(log, url, "c", subject, by="p", claim="x", jurisdiction="default", at=LATER)
    with reading(url) as reader:
        assert cases.case_ids(reader) == []


def test_a_case_is_no_subject(ledger: tuple[Log, str]) -> None:
    opened(ledger, honest(ledger))
    with reading(ledger[1]) as reader, pytest.raises(Refused):
        cases.check_subject(reader, Subject("case-1"))


@pytest.mark.parametrize(
    ("days", "closed", "found"),
    [(3, False, []), (4, False, []), (5, False, [(7, "unpaired", "events.case.due", 1)]), (9, True, [])],
)
def test_a_case_is_held_to_its_own_clock(
    days: int, closed: bool, found: list[tuple[int, str, str, int]], ledger: tuple[Log, str]
) -> None:
    """Due after three days, then the log's bound of one day for any open stream (ledger.md 1)."""
    opened(ledger, honest(ledger))
    if closed:
        cases.decide(*ledger, "case-1", by="j", outcome="rejected", reason="lawful", at=LATER + 1)
        cases.close_case(*ledger, "case-1", by="j", at=LATER + 2)
    ledger[0].close()
    later, _ = open_log(ledger[1], operator="simulated", clock=lambda: LATER + days * DAY)
    with later:
        later.append("newer", 0, [line.replace(b"forged", b"newer") for line in lines(ledger[1], "forged")], close=True)
    told = [each for each in audit(ledger[1]).findings if each.game == "case-1" or each.code == "unpaired"]
    assert [(each.level, each.code, each.clause, each.seq) for each in told] == found


def test_every_clock_names_its_source() -> None:
    for name, clock in CLOCKS.items():
        assert clock.id == name
        assert clock.due(5) == 5 + clock.days * DAY
        assert clock.source
        assert clock.title
        assert clock.days > 0


def test_the_commands(ledger: tuple[Log, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--ledger", ledger[1]]
    assert run(["case", "show", *where]) == 0
    assert capsys.readouterr().out == "no case\n"
    words = tmp_path / "claim.txt"
    words.write_text("付错了 \u202eevil", encoding="utf-8")
    assert run(["case", "open", "forged", "--by", "p1", "--claim", f"@{words}", "--id", "case-7", *where]) == 0
    assert "the engine says: failed" in capsys.readouterr().out
    assert run(["case", "show", "case-7", *where]) == 0
    told = capsys.readouterr().out
    assert "付错了 evil" in told
    assert "\u202e" not in told
    assert run(["case", "decide", "case-7", "--by", "j", "--outcome", "upheld", "--reason", "so", *where]) == 0
    assert run(["case", "close", "case-7", "--by", "j", *where]) == 0
    capsys.readouterr()
    assert run(["case", "show", "--json", *where]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [each["type"] for each in shown["events"]] == ["case_opened", "verdict", "decided", "case_closed"]
    assert len(shown["texts"]) == 2
    assert run(["case", "show", "--check", *where]) == 0
    capsys.readouterr()
    assert run(["games", *where]) == 0
    listed = next(line for line in capsys.readouterr().out.splitlines() if "case-7" in line)
    begun = datetime.fromtimestamp(shown["events"][0]["at"] / 1000, UTC)
    assert listed.split()[1:] == ["case-7", "case", "4", "closed", f"{begun:%Y-%m-%d}", f"{begun:%H:%M}"]
    assert run(["case", "show", "case-8", *where]) == 2
    assert run(["case", "open", "forged", "--by", "p1", "--claim", "x", "--id", "case-7", *where]) == 2
    assert run(["export", "case-7", "-o", str(tmp_path / "c.paipu.jsonl"), *where]) == 0
    assert run(["verify", str(tmp_path / "c.paipu.jsonl")]) == 0

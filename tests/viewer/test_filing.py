"""Filing from the pages: who may, what stands in the way, the same events as `paipu case` writes, nothing twice."""

import shlex
from dataclasses import replace

import pytest

from ledger.errors import LedgerError, Refused
from ledger.log import now_ms
from ledger.sealed import seal
from ledger.store import place_of
from viewer import access, cases, filing, passphrase
from viewer.access import OPERATOR, Person
from viewer.cases import Subject
from viewer.cli import run
from viewer.filing import Draft
from viewer.games import games, lines
from viewer.targets import beside, log_keys


@pytest.fixture
def draft(ledger: str) -> Draft:
    return Draft("open", "case-1", "judge", Subject(games(ledger)[0].id, 1), "付错了 @ 'x'")


def player(ledger: str, seat: int = 1) -> Person:
    return Person("a", "player", (games(ledger)[0].players[seat],))


def test_a_case_from_opening_to_end_is_lawful(ledger: str, draft: Draft) -> None:
    opened = filing.write(draft, ledger, OPERATOR, at=now_ms())
    assert opened.status == "open"
    assert [each.outcome for each in opened.verdicts] == ["holds"]
    files = {"a.db": b"1", "b.html": b"22"}
    frozen = filing.write(Draft("evidence", "case-1", "judge", files=files, seen=2), ledger, OPERATOR, at=now_ms())
    assert [(each.name, each.size) for each in frozen.evidence] == [("a.db", 1), ("b.html", 2)]
    ruled = Draft("decide", "case-1", "judge", words="因为", outcome="rejected", seen=4)
    assert filing.write(ruled, ledger, OPERATOR, at=now_ms()).status == "decided"
    assert filing.write(Draft("close", "case-1", "judge", seen=5), ledger, OPERATOR, at=now_ms()).status == "closed"
    with cases.reading(ledger) as reader:
        (found,) = cases.cases(reader)
        assert found.opened is not None
        assert found.fault is None
        assert cases.words(reader, found.opened.claim) == draft.words
        assert cases.words(reader, found.decisions[0].reason) == "因为"
    assert "付错".encode() not in b"".join(lines(ledger, "case-1"))
    assert run(["verify", ledger]) == 0


@pytest.mark.parametrize("act", filing.ACTS)
@pytest.mark.parametrize("role", access.ROLES)
def test_only_those_who_may_write(ledger: str, draft: Draft, act: str, role: str) -> None:
    person = player(ledger) if role == "player" else Person("a", role)
    by = person.players[0] if person.players else "x"
    if act != "open":
        filing.write(draft, ledger, OPERATOR, at=now_ms())
    given = Draft(act, "case-2" if act == "open" else "case-1", by, draft.subject, "w", outcome="upheld",
                  files={"f": b""})  # fmt: skip
    allowed = role == "operator" or (role == "player" and act == "open")
    size = 2 if act == "open" else 3
    if act == "close" and allowed:
        filing.write(replace(given, act="decide"), ledger, OPERATOR, at=now_ms())
        size = 4
    if allowed:
        assert filing.write(given, ledger, person, at=now_ms()).size == size
        return
    with pytest.raises(Refused, match="not for the role"):
        filing.write(given, ledger, person, at=now_ms())
    with cases.reading(ledger) as reader:
        assert sum(each.size for each in cases.cases(reader)) == (0 if act == "open" else 2)


def test_a_player_opens_over_his_own_games_in_his_own_name_alone(ledger: str, draft: Draft) -> None:
    with pytest.raises(Refused, match="not for the role"):
        filing.write(draft, ledger, Person("a", "player", ("stranger",)), at=now_ms())
    with pytest.raises(Refused, match="another's name"):
        filing.write(replace(draft, by=games(ledger)[0].players[0]), ledger, player(ledger), at=now_ms())
    with pytest.raises(Refused, match="another's name"):
        filing.write(draft, ledger, Person("a", "operator", by="judge-1"), at=now_ms())


def test_nothing_is_written_twice_or_over_what_was_not_seen(ledger: str, draft: Draft) -> None:
    filing.write(draft, ledger, OPERATOR, at=now_ms())
    with pytest.raises(Refused, match="already"):
        filing.write(draft, ledger, OPERATOR, at=now_ms())
    with pytest.raises(Refused, match="case-1 is open over the same already"):
        filing.write(replace(draft, case="case-2"), ledger, OPERATOR, at=now_ms())
    ruled = Draft("decide", "case-1", "judge", words="a", outcome="upheld", seen=2)
    filing.write(ruled, ledger, OPERATOR, at=now_ms())
    for act in ("decide", "close", "evidence"):
        with pytest.raises(Refused, match="look at it again"):
            filing.write(replace(ruled, act=act, files={"f": b""}), ledger, OPERATOR, at=now_ms())
    with cases.reading(ledger) as reader:
        assert [each.size for each in cases.cases(reader)] == [3]
    other = replace(draft, case="case-2", by="p2")
    assert filing.write(other, ledger, OPERATOR, at=now_ms()).size == 2, "another party may dispute the same"
    filing.write(Draft("close", "case-1", "judge"), ledger, OPERATOR, at=now_ms())
    assert filing.write(replace(draft, case="case-3"), ledger, OPERATOR, at=now_ms()).size == 2, "a new doubt"


def test_words_have_an_end(ledger: str, draft: Draft) -> None:
    with pytest.raises(Refused, match="at most 4000"):
        filing.write(replace(draft, words="x" * 4001), ledger, OPERATOR, at=now_ms())
    assert filing.write(replace(draft, words="x" * 4000), ledger, OPERATOR, at=now_ms()).size == 2


@pytest.mark.parametrize("wrong", [Subject("nope"), Subject("", 99), Subject("", None, 10**6)])
def test_what_is_not_there_is_not_disputed(ledger: str, draft: Draft, wrong: Subject) -> None:
    subject = replace(wrong, game=wrong.game or games(ledger)[0].id)
    with pytest.raises(LedgerError):
        filing.write(replace(draft, subject=subject), ledger, OPERATOR, at=now_ms())
    with cases.reading(ledger) as reader:
        assert cases.case_ids(reader) == []


def test_what_stands_in_the_way_is_named(ledger: str, draft: Draft, monkeypatch: pytest.MonkeyPatch) -> None:
    assert filing.obstacle(ledger) == ""
    assert filing.obstacle(str(place_of(ledger))) == ""
    monkeypatch.setenv(access.READ_ONLY, "1")
    assert filing.obstacle(ledger) == "read_only"
    with pytest.raises(Refused, match="read_only"):
        filing.write(draft, ledger, OPERATOR, at=now_ms())
    monkeypatch.delenv(access.READ_ONLY)
    key = beside(ledger).key
    kept = key.read_text()
    key.write_text("".join(seal(each, b"secret", memory_kib=64) for each in log_keys(key)[:1]))
    assert filing.obstacle(ledger) == "sealed"
    monkeypatch.setenv(passphrase.VALUE, "secret")
    assert filing.obstacle(ledger) == ""
    key.write_text(kept)
    key.chmod(0o644)
    assert filing.obstacle(ledger) == "no_key"
    key.unlink()
    assert filing.obstacle(ledger) == "no_key"
    with pytest.raises(Refused, match="no_key"):
        filing.write(draft, ledger, OPERATOR, at=now_ms())


def test_the_command_does_the_same(ledger: str, draft: Draft, capsys: pytest.CaptureFixture[str]) -> None:
    told = shlex.split(filing.command(draft, ledger))
    assert told[:2] == ["paipu", "case"]
    assert told[-2:] == ["--ledger", "own.db"]
    assert run([*told[1:-1], ledger, "--id", "case-1"]) == 0
    ruled = Draft("decide", "case-1", "judge", words="so", outcome="upheld")
    for each in (ruled, Draft("close", "case-1", "judge")):
        assert run([*shlex.split(filing.command(each, ledger))[1:-1], ledger]) == 0
    capsys.readouterr()
    with cases.reading(ledger) as reader:
        (found,) = cases.cases(reader)
        assert found.status == "closed"
        assert found.opened is not None
        assert found.opened.subject.hand == 1
        assert cases.words(reader, found.opened.claim) == draft.words
    assert "@claim.txt" in filing.command(replace(draft, words="@home"), ledger)
    assert "--by …" in filing.command(replace(draft, by=""), ledger).replace("'", "")
    assert "bundle case-1" in filing.command(Draft("evidence", "case-1", "j"), ledger)

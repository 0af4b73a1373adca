"""Cases from the pages: asked, shown once more, written once, by those who may; else the command that does it."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import one_page
import pytest
from one_page import fresh, open_page, ran
from streamlit.testing.v1 import AppTest

from engine.case_stream import Case
from ledger.log import now_ms
from viewer import access, cases, filing
from viewer.cases import Subject
from viewer.cli import run
from viewer.filing import Draft
from viewer.games import games, lines
from viewer.page import docket, replay
from viewer.targets import beside

HOSTILE = "![x](https://evil.example/p.png) <b>付错</b> \u202e"


def opened(ledger: str) -> None:
    draft = Draft("open", "case-1", "p", Subject(games(ledger)[0].id, 1), "my win")
    filing.write(draft, ledger, access.OPERATOR, at=now_ms())


@pytest.fixture
def show(monkeypatch: pytest.MonkeyPatch, ledger: str) -> Callable[..., AppTest]:
    def page(name: str, role: str = "operator", **query: str) -> AppTest:
        return open_page(monkeypatch, ledger, name, role, **query)

    return page


def click(found: AppTest, label: str) -> AppTest:
    (button,) = [each for each in found.button if each.label == label]
    return ran(button.click().run())


def told(found: AppTest) -> str:
    return one_page.told(found, "text", "code").replace("\\", "")


def known(ledger: str) -> list[Case]:
    with cases.reading(ledger) as reader:
        return list(cases.cases(reader))


def asked(ledger: str, seq: int = 40) -> docket.Asked:
    return docket.opening(games(ledger)[0].id, 0, seq)


def begun(show: Callable[..., AppTest], ledger: str, **query: str) -> AppTest:
    """Open the game's page with a case begun at an event."""
    found = show("replay", game=games(ledger)[0].id, **query)
    found.session_state[docket.SLOT] = asked(ledger)
    return ran(found.run())


def worded(show: Callable[..., AppTest], ledger: str) -> AppTest:
    """Begin a case, and say who and what."""
    found = begun(show, ledger)
    found.text_input(key="filing_by").set_value("judge")
    found.text_area(key="filing_words").set_value("w")
    return click(found, "Continue")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_case_is_opened_at_the_event_looked_at(show: Callable[..., AppTest], ledger: str, language: str) -> None:
    said = {"en": ("Continue", "Write it", "Done"), "zh": ("继续", "写入", "完成")}[language]
    found = begun(show, ledger, lang=language)
    assert len(found.radio(key="filing_about").options) == 3
    found.text_input(key="filing_by").set_value("judge")
    found.text_area(key="filing_words").set_value(HOSTILE)
    click(found, said[0])
    text = told(found)
    assert "付错" in text
    assert "\u202e" not in text
    assert known(ledger) == [], "nothing is written before it is confirmed"
    write = next(each for each in found.button if each.label == said[1])
    ran(write.click().run())
    (case,) = known(ledger)
    assert case.opened is not None
    assert (case.opened.subject.hand, case.opened.subject.seq, case.opened.by) == (0, 40, "judge")
    with cases.reading(ledger) as reader:
        assert cases.words(reader, case.opened.claim) == HOSTILE.strip()
    assert "付错".encode() not in b"".join(lines(ledger, case.id))
    click(found, said[2])
    assert docket.SLOT not in found.session_state
    assert run(["verify", ledger]) == 0


def test_a_second_click_writes_nothing(show: Callable[..., AppTest], ledger: str) -> None:
    found = worded(show, ledger)
    write = next(each for each in found.button if each.label == "Write it")
    ran(write.click().run())
    ran(write.click().run())  # the button of the step that is past
    assert len(known(ledger)) == 1
    assert not found.error


def test_what_is_missing_is_said_and_what_was_typed_stays(show: Callable[..., AppTest], ledger: str) -> None:
    found = begun(show, ledger)
    click(found, "Continue")
    assert [each.value for each in found.error] == ["Say under which pseudonym. Say it in words."]
    found.text_input(key="filing_by").set_value("judge")
    found.text_area(key="filing_words").set_value("a long claim")
    found.radio(key="filing_about").set_value(2)
    click(found, "Continue")
    assert "a long claim" in told(found)
    click(found, "Back")
    assert found.text_area(key="filing_words").value == "a long claim"
    assert found.text_input(key="filing_by").value == "judge"
    click(found, "Continue")
    click(found, "Write it")
    (case,) = known(ledger)
    assert case.opened is not None


def test_a_case_is_given_evidence_decided_and_closed(show: Callable[..., AppTest], ledger: str) -> None:
    opened(ledger)
    found = show("disputes", case="case-1")
    assert "Close the case…" not in [each.label for each in found.button], "a case is decided before it is closed"
    click(found, "Prepare the evidence")
    assert len(found.get("download_button")) == 2
    click(found, "Enter the evidence…")
    found.text_input(key="filing_by").set_value("judge")
    click(found, "Continue")
    click(found, "Write it")
    click(found, "Done")
    (case,) = known(ledger)
    _, _, size, files = found.session_state["prepared"]
    assert size == 2
    assert {each.name: each.sha256 for each in case.evidence} == {
        name: sha256(data).hexdigest() for name, data in files.items()
    }
    ran(found.run())
    assert "Enter the evidence…" not in [each.label for each in found.button], "they stand in the case"
    click(found, "Decide…")
    click(found, "Continue")
    assert "Choose the outcome." in told(found)
    found.text_input(key="filing_by").set_value("judge")
    found.text_area(key="filing_words").set_value("event 137")
    found.radio(key="filing_outcome").set_value("upheld")
    click(found, "Continue")
    click(found, "Write it")
    click(found, "Done")
    ran(found.run())
    click(found, "Close the case…")
    found.text_input(key="filing_by").set_value("judge")
    click(found, "Continue")
    assert "Nothing follows a closed case" in told(found)
    click(found, "Write it")
    click(found, "Done")
    (case,) = known(ledger)
    assert case.status == "closed"
    assert [each.outcome for each in case.decisions] == ["upheld"]
    ran(found.run())
    assert "Decide…" not in [each.label for each in found.button]
    assert run(["verify", ledger]) == 0


def test_what_another_wrote_meanwhile_is_read_first(show: Callable[..., AppTest], ledger: str) -> None:
    opened(ledger)
    found = show("disputes", case="case-1")
    click(found, "Decide…")
    found.text_input(key="filing_by").set_value("judge")
    found.text_area(key="filing_words").set_value("so")
    found.radio(key="filing_outcome").set_value("upheld")
    click(found, "Continue")
    other = Draft("decide", "case-1", "j2", words="no", outcome="rejected")
    filing.write(other, ledger, access.OPERATOR, at=now_ms())
    click(found, "Write it")
    assert len(found.error) == 1
    assert "look at it again" in found.error[0].value
    assert [each.outcome for each in known(ledger)[0].decisions] == ["rejected"]


@pytest.mark.parametrize("why", ["read_only", "no_key"])
def test_where_nothing_can_be_written_the_command_stands(
    show: Callable[..., AppTest], ledger: str, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    opened(ledger)
    if why == "read_only":
        monkeypatch.setenv(access.READ_ONLY, "1")
    else:
        beside(ledger).key.unlink()
    reason = docket.reason(why, "en")
    found = begun(show, ledger)
    found.text_area(key="filing_words").set_value("it's mine").run()
    assert reason in told(found)
    assert f"paipu case open {games(ledger)[0].id} --seq 40 --by" in told(found)
    assert "'it'\"'\"'s mine'" in told(found)
    assert not [each for each in found.button if each.label == "Continue"]
    found = show("disputes", case="case-1")
    assert reason in told(found)
    click(found, "Decide…")
    assert "paipu case decide case-1" in told(found)
    assert len(known(ledger)) == 1


def test_a_player_opens_in_his_own_name_and_decides_nothing(show: Callable[..., AppTest], ledger: str) -> None:
    player = games(ledger)[0].players[1]
    found = show("payouts", role=f"player:{player}", game=games(ledger)[0].id)
    click(found, "Open a case")
    assert [each.value for each in found.text_input if each.disabled] == [player]
    found.text_area(key="filing_words").set_value("my hand")
    click(found, "Continue")
    click(found, "Write it")
    (case,) = known(ledger)
    assert case.opened is not None
    assert case.opened.by == player
    found = show("disputes", role=f"player:{player}")
    assert "my hand" in told(found)
    assert not {each.label for each in found.button} & {"Decide…", "Close the case…", "Prepare the evidence"}


def test_a_regulator_writes_nothing(show: Callable[..., AppTest], ledger: str) -> None:
    opened(ledger)
    for page in ("payouts", "verdict", "replay", "disputes"):
        found = show(page, role="regulator", game=games(ledger)[0].id)
        found.session_state[docket.SLOT] = asked(ledger)
        ran(found.run())
        assert "This is not for your role." in told(found)
        labels = {each.label for each in found.button}
        assert not labels & {"Open a case", "Decide…", "Continue", "Write it"}
    assert "its operator decides" in told(show("disputes", role="regulator"))


def test_a_role_that_was_taken_away_writes_nothing(
    show: Callable[..., AppTest], ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = worded(show, ledger)
    write = next(each for each in found.button if each.label == "Write it")
    monkeypatch.setenv(access.AS, "player:nobody")
    ran(write.click().run())
    assert known(ledger) == []


def test_a_finding_leads_to_a_case(
    show: Callable[..., AppTest], forged_club: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = show("verdict")
    assert "Open a case" not in [each.label for each in found.button], "no finding, nothing to dispute there"
    monkeypatch.setenv("PAIPU_LEDGER", forged_club)
    found = ran(fresh().run())
    button = next(each for each in found.button if each.label == "Open a case")
    ran(button.click().run())
    begun = found.session_state[docket.SLOT]
    assert begun.game == games(forged_club)[0].id
    assert begun.seq is not None


@pytest.mark.parametrize(
    ("value", "slot"),
    [
        ({"act": "dispute", "hand": 0, "seq": 40}, docket.SLOT),
        ({"act": "note", "hand": 0, "seq": 40}, "noting"),
        ({"act": "dispute", "hand": 0, "seq": 10**9}, ""),
        ({"act": "dispute", "hand": 0, "seq": True}, ""),
        ({"act": "dispute", "hand": "0", "seq": 1}, ""),
        ({"act": "erase", "hand": 0, "seq": 1}, ""),
        ({}, ""),
        (None, ""),
        ("dispute", ""),
    ],
)
def test_what_the_table_asks_for_is_checked(
    ledger: str, value: object, slot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(docket.st, "session_state", state)
    replay.begin(games(ledger)[0], value)
    assert list(state) == ([slot] if slot else [])


def test_what_is_written_from_a_page_stands_in_the_access_log(
    show: Callable[..., AppTest], ledger: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    log = tmp_path / "access.jsonl"
    monkeypatch.setenv(access.LOG, str(log))
    found = worded(show, ledger)
    click(found, "Write it")
    (case,) = known(ledger)
    assert f'"case": "{case.id}", "did": "open"' in log.read_text()

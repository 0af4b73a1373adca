"""Every incident of fairness.md 8 that a log can show is found, by its row and under its code."""

import json
from pathlib import Path

import pytest
from incidents import ELSEWHERE, INCIDENTS, Incident

from engine import frame
from engine.game import Game
from engine.shuffle import Deal, deal
from viewer.cli import run
from viewer.simulate import Job, play
from viewer.verdict import audit_lines

QUICK = ["--jobs", "1", "--json"]
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("incident", INCIDENTS, ids=lambda each: f"{each.number} {each.what}")
def test_the_incident_is_found(incident: Incident, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = incident.make(tmp_path)
    for option in ("--seed-window", "--seed-window-ms"):
        if option not in args:
            args += [option, "0"]
    assert run(["fairness", *args, *QUICK]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "departure found"
    assert (incident.row, incident.code) in {(each["row"], each["code"]) for each in found["findings"]}


def test_what_was_searched_for_a_seed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    incident = next(each for each in INCIDENTS if each.number == 8)
    assert run(["fairness", *incident.make(tmp_path), *QUICK]) == 1
    found = json.loads(capsys.readouterr().out)["decks"][0]["T14"]
    assert {window["seed"] for window in found["windows"]} == {
        "small number", "time in seconds", "time in milliseconds"
    }  # fmt: skip
    hit = found["hits"][0]
    assert hit["generator"] == "MT19937 (init_genrand)"
    assert hit["meaning"] == "time in seconds"
    assert found["full_search_hours"] >= 0


def test_a_wall_made_from_the_published_commitment(monkeypatch: pytest.MonkeyPatch) -> None:  # incident 17
    """A server that deals from root_s instead of the hand's seed: the derivation never uses the commitment."""

    def from_the_commitment(game: Game) -> Deal | None:
        context, salt = game.premise.context, frame.game_salt(game)
        assert context is not None
        return None if salt is None else deal(context, salt, game.hand_number, game.premise.root)

    job = Job("linhai", 17, 0, 1_700_000_000_000, match={"length": {"hands": 1}})
    honest = [line for chunk in play(job) for line in chunk]
    assert not audit_lines(honest).findings
    with monkeypatch.context() as patch:
        patch.setattr(frame, "hand_deal", from_the_commitment)
        lines = [line for chunk in play(job) for line in chunk]
    assert lines != honest
    found = audit_lines(lines).findings
    assert found
    assert found[0].code in {"V9", "V10", "V11", "V12"}


def test_every_incident_that_a_log_can_show_has_its_fixture() -> None:
    shown = {each.number for each in INCIDENTS} | set(ELSEWHERE)
    assert shown == set(range(1, 28))


def test_the_tests_named_elsewhere_are_there() -> None:
    for where in ELSEWHERE.values():
        path, _, name = where.partition("::")
        file = ROOT / path if "/" in path else Path(__file__).parent / path
        assert f"def {name}(" in file.read_text(encoding="utf-8"), where

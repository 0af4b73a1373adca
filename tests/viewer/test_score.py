"""`paipu score`: files, one case, standard input; results as lines and as words; comparing; one line for bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from viewer import clauses
from viewer.cli import run
from viewer.score import score

ROOT = Path(__file__).parents[2]
OURS = ROOT / "data" / "linhai" / "cases.json"
READY = "234m 567m 345p 67s 99s"
PLAIN: dict[str, Any] = {
    "id": "A",
    "rules": "linhai",
    "seats": {"1": {"hand": READY}},
    "win": {"seats": [1], "tile": "8s", "by": "discard", "from": 3},
    "expect": {"tai": {"1": 1}, "payments": [0, 2, 0, -2]},
}
DRAWN: dict[str, Any] = {"id": "B", "rules": "linhai", "remaining": 14, "expect": {"payments": [0, 0, 0, 0]}}
ROBBED: dict[str, Any] = {
    "id": "C",
    "rules": "linhai",
    "seats": {"1": {"hand": READY}, "2": {"melds": [{"kind": "pung", "tiles": "888s", "from": 0}]}},
    "win": {"seats": [1], "tile": "8s", "by": "robbed", "from": 2},
    "expect": {"illegal": True},
}


def invoke(*args: str, cases: object = None, raw: bytes | None = None) -> Result:
    data = raw if raw is not None else json.dumps(cases).encode()
    return CliRunner().invoke(score, list(args), input=data)


def refused(capfd: pytest.CaptureFixture[str], *args: str) -> str:
    """Run the whole command line, which must refuse; return its one line."""
    capfd.readouterr()
    assert run(["score", *args]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("paipu: ")
    return err.removeprefix("paipu: ").rstrip("\n")


def test_our_cases_hold() -> None:
    found = invoke("--check", str(OURS))
    assert found.exit_code == 0
    number = len(json.loads(OURS.read_bytes()))
    assert found.output == f"{number} of {number} cases compared, 0 differ\n"


def test_the_cases_of_the_page_hold(shared: Path) -> None:
    found = invoke("--check", str(shared / "cases" / "linhai.json"))
    assert found.exit_code == 0
    assert found.output.endswith("compared, 0 differ\n")


def test_one_case_from_standard_input_as_a_line() -> None:
    found = invoke("--json", "-", cases=PLAIN)
    assert found.exit_code == 0
    assert found.output.count("\n") == 1
    assert json.loads(found.output) == {
        "id": "A",
        "winners": [
            {"seat": 1, "patterns": [{"id": "win", "tai": 1, "clause": "LH-15"}], "tai": 1, "points": 2},
        ],
        "payments": [0, 2, 0, -2],
        "lines": [{"from": 3, "to": 1, "amount": 2, "reason": "discard", "clause": "linhai.pay.discard"}],
    }


def test_a_list_gives_a_line_for_each_case_in_order(tmp_path: Path) -> None:
    other = tmp_path / "more.json"
    other.write_text(json.dumps(ROBBED))
    found = invoke("--json", "-", str(other), cases=[DRAWN, PLAIN])
    assert [json.loads(line)["id"] for line in found.output.splitlines()] == ["B", "A", "C"]
    last = json.loads(found.output.splitlines()[-1])
    assert last == {"id": "C", "illegal": True, "reason": "a kong cannot be robbed (rob_kong = off) (LH-26)"}


def test_an_empty_list_has_no_results() -> None:
    assert invoke("--json", "-", cases=[]).output == ""
    assert invoke("--check", "-", cases=[]).output == "0 of 0 cases compared, 0 differ\n"


def test_expect_is_ignored_without_check_but_must_be_one() -> None:
    wrong = {**PLAIN, "expect": {"payments": [9, 9, 9, 9]}}
    assert invoke("--json", "-", cases=wrong).exit_code == 0
    assert invoke("--json", "-", cases={**PLAIN, "expect": {"pay": []}}).exit_code == 2


def test_words_say_winner_patterns_in_both_languages_lines_and_payments() -> None:
    dragon = {
        **PLAIN,
        "rules": "linhai.144",
        "options": {"multi_win": "first"},
        "seats": {"1": {"hand": "234m 567m 67s 99s", "melds": [{"kind": "pung", "tiles": "CCC", "from": 2}]}},
    }
    text = invoke("-", cases=[dragon, DRAWN, ROBBED]).output
    assert "linhai.144" in text
    assert 'multi_win = "first"' in text
    assert "seat 1 wins / 1号位胡: 2 台 tai, 4 分 points" in text
    assert "1 tai  胡牌 winning hand (LH-15)" in text
    assert "1 tai  箭牌（红中） dragon (red dragon) (linhai.tai.dragon)" in text
    assert "seat 3 pays 4 to seat 1 / 3号位付1号位 4: 点炮 win on a discard (linhai.pay.discard)" in text
    assert "0: 0  1: +4  2: 0  3: -4" in text
    assert "黄牌 Drawn hand" in text
    assert "not allowed / 不允许: a kong cannot be robbed" in text


@pytest.mark.parametrize(
    ("expect", "difference"),
    [
        ({"tai": {"1": 2}}, "tai: expected seat 1 2, found seat 1 1"),
        ({"tai": {"1": 1, "2": 1}}, "tai: expected seat 1 1, seat 2 1, found seat 1 1"),
        ({"tai": {}}, "tai: expected no winner, found seat 1 1"),
        ({"multiplier": {"1": 1}}, "multiplier: expected seat 1 1, found no winner"),
        ({"payments": [0, 2, -2, 0]}, "payments: expected [0, 2, -2, 0], found [0, 2, 0, -2]"),
        ({"payments": [0, 2, 0]}, "payments: expected [0, 2, 0], found [0, 2, 0, -2]"),
        ({"illegal": True}, "illegal: expected an outcome that is not allowed, found payments [0, 2, 0, -2]"),
    ],
)
def test_check_names_what_differs(expect: object, difference: str) -> None:
    found = invoke("--check", "-", cases=[DRAWN, {**PLAIN, "expect": expect}, DRAWN])
    assert found.exit_code == 1
    assert found.output == f"A: {difference}\n3 of 3 cases compared, 1 differ\n"


def test_check_of_a_lawful_expectation_says_why_it_is_not() -> None:
    found = invoke("--check", "-", cases={**ROBBED, "expect": {"payments": [0, 2, -2, 0]}})
    assert found.exit_code == 1
    assert "C: illegal: expected a lawful outcome, found: a kong cannot be robbed" in found.output


def test_check_tries_every_case_and_lists_all_differences() -> None:
    wrong = {**PLAIN, "expect": {"tai": {"1": 3}, "payments": [0, 8, 0, -8]}}
    found = invoke("--check", "-", cases=[wrong, ROBBED, {**wrong, "id": "D"}])
    lines = found.output.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == ["A", "A", "D", "D"]
    assert lines[-1] == "3 of 3 cases compared, 2 differ"


def test_check_with_json_adds_the_differences() -> None:
    wrong = {**PLAIN, "expect": {"payments": [0, 8, 0, -8]}}
    found = invoke("--check", "--json", "-", cases=[wrong, ROBBED])
    assert found.exit_code == 1
    first, second = map(json.loads, found.output.splitlines())
    assert first["differences"] == ["payments: expected [0, 8, 0, -8], found [0, 2, 0, -2]"]
    assert "differences" not in second


def test_check_says_where_nothing_is_expected() -> None:
    bare = {key: value for key, value in PLAIN.items() if key != "expect"}
    found = invoke("--check", "-", cases=[bare])
    assert found.exit_code == 0
    assert found.output == "A: expects nothing\n0 of 1 cases compared, 0 differ\n"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "not JSON"),
        (b"hello", "not JSON"),
        (b'{"rules": "linhai"', "not JSON"),
        (b'{"rules": "linhai"} {}', "not JSON"),
        (b'{"rules": "linhai", "rules": "linhai"}', "'rules' stands twice"),
        (b'{"rules": "linhai", "dealer": NaN}', "NaN is no number"),
        (b'{"rules": "linhai", "dealer": ' + b"1" * 5000 + b"}", "not JSON"),
        (b'{"rules": "linhai", "dealer": 1e400}', "dealer"),
        (b'{"rules": "linhai", "dealer": 99999999999999999999}', "dealer: 99999999999999999999 is not in 0..3"),
        (b'{"rules": "\xff"}', "not UTF-8 at byte 11"),
        (b'{"rules": "linhai", "id": "\\ud800"}', "half a surrogate pair"),
        (b"[" * 100_000, "nested too deeply"),
        (b'"linhai"', "an object with named fields"),
        (b"[7]", "case 1: an object with named fields"),
        (b"null", "an object with named fields"),
        (b"{}", "rules: which rules?"),
        (b'{"rules": 7}', "rules: a text"),
        (b'{"rules": "great_wall"}', "no preset 'great_wall'; known: linhai"),
        (b'{"rules": "linhai", "options": []}', "options: an object"),
        (b'{"rules": "linhai", "options": {"robkong": 1}}', "linhai has no option 'robkong'"),
        (b'{"rules": "linhai", "options": {"rob_kong": "yes"}}', "rob_kong = 'yes' is not one of"),
        (b'{"rules": "linhai", "options": {"arrow_is_wind": true}}', "is not offered"),
        (b'[{"id": "x", "rules": "linhai", "dealer": 4}]', "case 1 (x): dealer: 4 is not in 0..3"),
        (b'{"rules": "linhai", "seats": {"0": {"hand": "11111m"}}}', "seats.0.hand: column 4"),
        (b'{"rules": "linhai", "expect": {"payment": []}}', "expect: unknown field 'payment'"),
        (b'{"rules": "linhai", "expect": {"illegal": 1}}', "expect.illegal: true or false"),
        (b'{"rules": "linhai", "expect": {"tai": {"9": 1}}}', "expect.tai: '9' is no seat"),
        (b'{"rules": "linhai", "expect": {"payments": 0}}', "expect.payments: a list"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    raw: bytes, reason: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(raw)
    for args in ([], ["--json"], ["--check"]):
        line = refused(capfd, *args, str(path))
        assert line.startswith(f"{path}: ")
        assert reason in line


@pytest.mark.parametrize("args", [[], ["--json"], ["--check"]])
def test_a_case_that_cannot_be_read_is_told_with_its_place_and_the_others_are_settled(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], args: list[str]
) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps([PLAIN]))
    bad.write_text(json.dumps([{**PLAIN, "dealer": 9}, {**PLAIN, "id": "D"}, 7, {**PLAIN, "rules": "great_wall"}]))
    assert run(["score", *args, str(bad), str(good)]) == 2
    out, err = capfd.readouterr()
    first, second, third = err.splitlines()
    assert first == f"paipu: {bad}: case 1 (A): dealer: 9 is not in 0..3"
    assert second.startswith(f"paipu: {bad}: case 3: an object with named fields")
    assert third.startswith(f"paipu: {bad}: case 4 (A): no preset 'great_wall'")
    if "--check" in args:
        assert out == "2 of 5 cases compared, 0 differ, 3 cannot be read\n"
    elif "--json" in args:
        assert [json.loads(line)["id"] for line in out.splitlines()] == ["D", "A"]
    else:
        assert [line.split(" ")[0] for line in out.splitlines() if line and line[0] != " "] == ["D", "A"]


def test_what_cannot_be_read_counts_for_more_than_what_differs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "both.json"
    path.write_text(json.dumps([{**PLAIN, "dealer": 9}, {**PLAIN, "expect": {"tai": {"1": 2}}}]))
    assert run(["score", "--check", str(path)]) == 2
    assert capfd.readouterr().out == (
        "A: tai: expected seat 1 2, found seat 1 1\n1 of 2 cases compared, 1 differ, 1 cannot be read\n"
    )


def test_a_file_that_is_no_json_stops_everything(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps([PLAIN]))
    bad.write_text("[")
    assert refused(capfd, str(good), str(bad)).startswith(f"{bad}: not JSON")


def test_a_missing_file_and_no_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.json" in refused(capfd, str(tmp_path / "nowhere.json"))
    assert "FILE" in refused(capfd)


def test_help_has_an_example_that_runs() -> None:
    text = CliRunner().invoke(score, ["--help"]).output
    assert "Example: paipu score --check data/linhai/cases.json" in " ".join(text.split())


def test_every_clause_in_results_has_a_text() -> None:
    cited = set()
    for line in invoke("--json", str(OURS)).output.splitlines():
        found = json.loads(line)
        cited |= {each["clause"] for each in found.get("lines", [])}
        cited |= {each["clause"] for winner in found.get("winners", []) for each in winner["patterns"]}
        if found.get("illegal"):
            cited.add(found["reason"].rpartition("(")[2].rstrip(")"))
    assert len(cited) >= 15
    assert [clause for clause in sorted(cited) if clauses.find(clause) is None] == []


def test_the_installed_command_reads_standard_input_under_a_plain_locale() -> None:
    env = {**os.environ, "LC_ALL": "C", "PYTHONHASHSEED": "1"}
    done = subprocess.run(
        [sys.executable, "-c", "from viewer.cli import main; main(['score', '-'])"],
        input=json.dumps(PLAIN).encode(), capture_output=True, env=env, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "胡牌".encode() in done.stdout
    assert done.stderr == b""

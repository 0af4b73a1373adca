"""Bad input and bad places: one clear line on standard error, exit code 2, nothing written, never a traceback."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import click
import pytest

from engine.errors import RulesError
from engine.events import canonical, load
from engine.variants import PRESETS, find
from viewer.cli import COMMANDS, paipu, run
from viewer.forgery import overpaid


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "x.db"
    command = ["simulate", "--games", "2", "--hands", "1", "--seed", "3", "--ledger", f"sqlite:///{path}"]
    assert run(command) == 0
    return path


@pytest.fixture(scope="module")
def exported(ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("game") / "g.paipu.jsonl"
    assert run(["export", "linhai-s3-00000", "--ledger", f"sqlite:///{ledger}", "-o", str(path)]) == 0
    return path.read_bytes()


def refused(capfd: pytest.CaptureFixture[str], *args: str) -> str:
    """Run a command that must be refused; return its one line."""
    capfd.readouterr()
    assert run(list(args)) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert err.startswith("paipu: ")
    assert "Traceback" not in err
    return err


def damaged(exported: bytes, which: str) -> bytes:
    """Damage an exported game so that it cannot be read whole."""
    rows = exported.splitlines(keepends=True)
    match which:
        case "not JSON":
            return b"hello\n" + exported
        case "not UTF-8":
            return rows[0].replace(b"linhai", b"l\xff\xfehai", 1) + b"".join(rows[1:])
        case "truncated":
            return exported[:-20]
        case "huge number":
            return rows[0].replace(b'"seq":0', b'"seq":' + b"9" * 5000) + b"".join(rows[1:])
        case "huge exponent":
            return rows[0].replace(b'"seq":0', b'"seq":1e999999') + b"".join(rows[1:])
        case "deep":
            return rows[0].replace(b'"match":{', b'"match":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b",") + rows[1]
        case "spaces":
            return exported.replace(b'"seq":1,', b'"seq": 1,', 1)
        case "duplicate key":
            return exported.replace(b'"seq":1,', b'"seq":1,"seq":1,', 1)
        case "a line missing":
            return b"".join(rows[:3] + rows[4:])
        case "two games":
            return exported + rows[-1].replace(b"linhai-s3-00000", b"other").replace(b'"seq":', b'"seq":1')
        case "no newline at the end":
            return exported[:-1]
        case _:
            return b""


DAMAGE = ["not JSON", "not UTF-8", "truncated", "huge number", "huge exponent", "deep", "spaces", "duplicate key",
          "a line missing", "two games", "no newline at the end", "empty"]  # fmt: skip


@pytest.mark.parametrize("which", DAMAGE)
@pytest.mark.parametrize("command", ["import", "replay"])
def test_a_damaged_file_is_refused_whole(
    command: str, which: str, exported: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.paipu.jsonl"
    file.write_bytes(damaged(exported, which))
    target = tmp_path / "new.db"
    refused(capfd, command, str(file), "--ledger", f"sqlite:///{target}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.paipu.jsonl"]


@pytest.mark.parametrize("which", [each for each in DAMAGE if each != "empty"])
def test_verify_finds_the_damage_at_level_4(
    which: str, exported: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.paipu.jsonl"
    file.write_bytes(damaged(exported, which))
    capfd.readouterr()
    assert run(["verify", str(file), "--json", "--jobs", "1"]) == 1
    report = json.loads(capfd.readouterr().out)
    assert report["exit"] == 1
    assert {finding["level"] for finding in report["findings"]} == {4}
    assert all("seq" in finding and "text" in finding for finding in report["findings"])


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\xff\xfe\x00", b"{}\n", b"[1,2]\n", b'{"a":1}', b"\n\n\n"])
def test_verify_cannot_judge_a_file_without_one_event(
    content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.paipu.jsonl"
    file.write_bytes(content)
    if content in {b"{}\n", b'{"a":1}'}:
        assert run(["verify", str(file), "--jobs", "1"]) == 1  # canonical, but in no place of any game
    else:
        refused(capfd, "verify", str(file), "--jobs", "1")


def test_unknown_rules_digest_is_a_finding_and_not_replayable(
    exported: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = exported.splitlines()
    opened = load(rows[0])
    opened["rules"]["digest"] = "0" * 64
    file = tmp_path / "g.paipu.jsonl"
    file.write_bytes(b"\n".join([canonical(opened), *rows[1:]]) + b"\n")
    assert run(["verify", str(file), "--json", "--jobs", "1"]) == 1
    finding = json.loads(capfd.readouterr().out)["findings"][0]
    assert (finding["level"], finding["code"], finding["seq"], finding["clause"]) == (7, "rules", 0, "events.opened")
    assert "digest" in refused(capfd, "replay", str(file))


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["simulate", "--rules", "riichi"], "no preset 'riichi'"),
        (["simulate", "--option", "dora=1"], "has no option 'dora'"),
        (["simulate", "--option", "tiles=137"], "137 is not one of 136, 144"),
        (["simulate", "--option", "tiles=true"], "True is not one of 136, 144"),
        (["simulate", "--option", "base=99999999999999999999999"], "base"),
        (["simulate", "--option", "arrow_is_wind=true"], "LH-03"),
        (["simulate", "--option", "nonsense"], "not NAME=VALUE"),
        (["simulate", "--match", 'length={"rounds":0}'], "match.length"),
        (["simulate", "--match", "pace=fast"], "a match has no option 'pace'"),
        (["simulate", "--bots", "clever"], "no bot 'clever'"),
        (["simulate", "--games", "0"], "--games"),
        (["simulate", "--seed", "x"], "--seed"),
        (["simulate", "--option", "reserve=" + "9" * 5000], "reserve"),
        (["frobnicate"], "No such command"),
        (["verify", "--frob"], "No such option"),
    ],
)  # fmt: skip
def test_a_wrong_request_says_what_is_wrong(
    args: list[str], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = ["--ledger", f"sqlite:///{tmp_path}/x.db"] if args[0] == "simulate" else []
    assert says in refused(capfd, *args, *target)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["verify", "games", "replay", "export", "view"])
def test_a_ledger_that_is_none(command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    game = ["g"] if command in {"replay", "export"} else []
    refused(capfd, command, *game, "--ledger", f"sqlite:///{tmp_path}/missing.db")
    refused(capfd, command, *game, "--ledger", "mysql://nowhere/x")
    refused(capfd, command, *game, "--ledger", "sqlite:///")
    text = tmp_path / "text.db"
    text.write_text("no database")
    refused(capfd, command, *game, "--ledger", f"sqlite:///{text}")
    refused(capfd, command, *game, "--ledger", f"sqlite:///{tmp_path}")
    assert [path.name for path in tmp_path.iterdir()] == ["text.db"]


def test_no_ledger_named(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAIPU_LEDGER", raising=False)
    assert "PAIPU_LEDGER" in refused(capfd, "games")
    assert "nothing to verify" in refused(capfd, "verify")


def test_a_ledger_of_another_version(ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(ledger) as source, sqlite3.connect(other) as target:
        source.backup(target)
        target.execute("UPDATE about SET value = value + 41")
    source.close()
    target.close()
    for args in (["verify"], ["games"], ["simulate"], ["export", "linhai-s3-00000"]):
        assert "version" in refused(capfd, *args, "--ledger", f"sqlite:///{other}")


def test_an_unknown_game(ledger: Path, capfd: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{ledger}"
    for args in (["replay", "nobody"], ["export", "nobody"], ["replay", "linhai-s3-00000", "--hand", "7"]):
        refused(capfd, *args, "--ledger", url)
    refused(capfd, "replay", "linhai-s3-00000", "--step", "100000", "--ledger", url)


def test_a_game_that_the_ledger_has(ledger: Path, exported: bytes, tmp_path: Path,
                                    capfd: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    file = tmp_path / "g.paipu.jsonl"
    file.write_bytes(exported)
    size = ledger.stat().st_size
    refused(capfd, "import", str(file), "--ledger", f"sqlite:///{ledger}")
    refused(capfd, "simulate", "--games", "1", "--hands", "1", "--seed", "3", "--ledger", f"sqlite:///{ledger}")
    assert ledger.stat().st_size == size
    assert run(["verify", f"sqlite:///{ledger}", "--jobs", "1"]) == 0


def test_a_game_that_replay_refuses_is_imported_and_told(
    exported: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    forged = b"\n".join(overpaid(exported.splitlines())) + b"\n"
    file = tmp_path / "g.paipu.jsonl"
    url = f"sqlite:///{tmp_path / 'y.db'}"
    file.write_bytes(exported)
    assert run(["import", str(file), "--ledger", f"sqlite:///{tmp_path / 'x.db'}"]) == 0  # as played: nothing to tell
    file.write_bytes(forged)
    capfd.readouterr()
    assert run(["import", str(file), "--ledger", url]) == 1
    told = [line for line in capfd.readouterr().err.splitlines() if not line.startswith("warning: ")]
    seq = next(at for at, line in enumerate(forged.splitlines()) if line not in exported.splitlines())
    assert len(told) == 1
    assert told[0].startswith("paipu: imported as it is, but linhai-s3-00000 does not hold: ")
    assert f"hand 0, event {seq}" in told[0]
    assert run(["export", "linhai-s3-00000", "--ledger", url, "-o", str(tmp_path / "again")]) == 0
    assert (tmp_path / "again").read_bytes() == forged


def test_export_overwrites_nothing(ledger: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kept"
    file.write_text("mine")
    refused(capfd, "export", "linhai-s3-00000", "--ledger", f"sqlite:///{ledger}", "-o", str(file))
    assert file.read_text() == "mine"


def as_nobody(args: list[str]) -> tuple[int, str]:
    """Run a command in a child without root's rights; return its exit code and standard error."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        sys.stderr = os.fdopen(writing, "w", buffering=1)
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        code = 99
        try:
            code = run(args)
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system with user rights")
@pytest.mark.parametrize("command", ["simulate", "import", "export", "keys", "demo"])
def test_no_right_to_write(
    command: str, ledger: Path, exported: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.paipu.jsonl"
    file.write_bytes(exported)
    closed = tmp_path / "closed"
    closed.mkdir()
    for path in (tmp_path, *tmp_path.parents):
        if path.stat().st_uid == os.getuid() and path != Path("/"):
            path.chmod(path.stat().st_mode | 0o055)
    for path in (ledger.parent, *ledger.parent.parents, ledger):
        if path.stat().st_uid == os.getuid() and path != Path("/"):
            path.chmod(path.stat().st_mode | 0o055)
    closed.chmod(0o555)
    args = {
        "simulate": ["simulate", "--games", "1", "--hands", "1", "--ledger", f"sqlite:///{closed}/x.db"],
        "import": ["import", str(file), "--ledger", f"sqlite:///{closed}/x.db"],
        "export": ["export", "linhai-s3-00000", "--ledger", f"sqlite:///{ledger}", "-o", f"{closed}/g"],
        "keys": ["keys", "new", "a.example/log", f"{closed}/a.key"],
        "demo": ["demo", "--no-view", "--folder", f"{closed}/demo"],
    }[command]
    capfd.readouterr()
    code, err = as_nobody(args)
    assert code == 2, err
    assert err.count("\n") == 1, err
    assert err.startswith("paipu: ")
    assert list(closed.iterdir()) == []


def every_command() -> list[list[str]]:
    """Return every command and, of groups, every one below."""
    found = []
    for name in COMMANDS:
        command = paipu.get_command(click.Context(paipu), name)
        found.append([name])
        if isinstance(command, click.Group):
            found += [[name, below] for below in command.commands]
    return found


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_every_command_has_help_with_an_example(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--help"]) == 0
    text = " ".join(capfd.readouterr().out.split())
    assert "Example" in text
    assert f"paipu {' '.join(words)}" in text.partition("Example")[2]


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refused(capfd, "verify", str(tmp_path / "pipe"))
    assert "not a regular file" in refused(capfd, "verify", f"sqlite:///{tmp_path}/pipe")
    assert "not a regular file" in refused(capfd, "games", "--ledger", f"sqlite:///{tmp_path}/pipe")


@pytest.mark.parametrize("option", ["--policy", "--state", "--tsa", "--mirror", "--max-age"])
def test_what_asks_for_a_log_is_refused_with_a_bare_file(
    option: str, exported: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.paipu.jsonl"
    file.write_bytes(exported)
    value = "60" if option == "--max-age" else str(tmp_path / "missing")
    assert "bare file" in refused(capfd, "verify", str(file), option, value)


def test_an_empty_name_is_no_folder(ledger: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "empty" in refused(capfd, "publish", "", "--ledger", f"sqlite:///{ledger}")
    assert "empty" in refused(capfd, "keys", "show", "")


def test_a_closed_pipe_is_no_finding() -> None:
    code = (
        "import sys; from viewer.cli import run; "
        "sys.exit(run(['export', 'raw', '--rules', 'linhai', '--deals', '3000']))"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()
        assert process.wait() == 2


@pytest.mark.parametrize(
    "args",
    [
        ["--witness", "\udcff"],
        ["--witness", "a\nb"],
        ["--match", "start_points=9007199254740991"],
        ["--at", "9007199254740991"],
        ["--policy", "missing/x"],
        ["--key", "missing/x"],
    ],
)
def test_a_game_that_cannot_be_recorded_leaves_nothing(
    args: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(capfd, "simulate", "--games", "1", "--hands", "1", *args, "--ledger", f"sqlite:///{tmp_path}/x.db")
    assert list(tmp_path.iterdir()) == []


SIGNED = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
"""What drand's quicknet signed for round 657413."""


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--beacon", f"657414:{SIGNED}"], "did not sign"),
        (["--beacon", f"657413:{'c' + '0' * 95}"], "did not sign"),  # the point at infinity
        (["--beacon", f"657413:{'00' * 48}"], "did not sign"),
        (["--beacon", f"657413:{SIGNED[2:]}"], "48 bytes"),
        (["--beacon", f"0:{SIGNED}"], "from 1"),
        (["--beacon", "657413"], "ROUND:SIGNATURE"),
        (["--witness", ""], "a witness has a name"),
        (["--witness", "a", "--witness", " "], "a witness has a name"),
    ],
)
def test_entropy_that_every_audit_would_accuse_is_refused(
    args: list[str], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    if says == "did not sign":
        pytest.importorskip("py_ecc", reason="the extra [beacon] is not installed")
    play = ["simulate", "--games", "1", "--hands", "1", "--ledger", f"sqlite:///{tmp_path}/x.db"]
    assert says in refused(capfd, *play, *args)
    assert list(tmp_path.iterdir()) == []


def test_a_beacon_that_cannot_be_checked_is_said_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.drand.find_spec", lambda _: None)
    play = ["simulate", "--games", "1", "--hands", "1", "--ledger", f"sqlite:///{tmp_path}/x.db"]
    assert run([*play, "--beacon", f"657413:{SIGNED}"]) == 0
    assert "not checked: the beacon's signature needs the extra" in capfd.readouterr().err


LIBRARY = re.compile(
    r"Rounds|Hands|Minutes|Rules|literal\[|function-|Value error|dictionary|[Tt]uple|\[key\]|type=|pydantic"
)
"""Words of the library and of our classes, which say nothing to whoever typed an option."""
ODD = (None, True, -1, 1.5, "x", "", [], {}, [1], {"a": 1}, {"rounds": 0}, {"rounds": 1, "hands": 2})


@pytest.mark.parametrize("preset", PRESETS)
def test_what_an_option_may_be_is_said_in_the_words_of_the_input(preset: str) -> None:
    rules = find(preset)
    said = []
    for value in ODD:
        for change, names in ((rules.but, dict(rules.offers)), (rules.match.but, type(rules.match).model_fields)):
            for name in names:
                try:
                    change({name: value})
                except RulesError as error:
                    said.append(str(error))
    assert len(said) > len(ODD)
    assert [each for each in said if LIBRARY.search(each)] == []


def test_a_length_of_a_match_that_is_none_says_what_one_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for value in ('{"rounds":0}', "[]", "fast", '{"hands":1,"rounds":1}'):
        said = refused(capfd, "simulate", "--match", f"length={value}", "--ledger", f"sqlite:///{tmp_path}/x.db")
        assert 'match.length: one of {"rounds": N}, {"hands": N} and {"minutes": N} is needed' in said


@pytest.mark.parametrize("command", [["export"], ["replay"], ["receipt"], ["tile"], ["case", "show"]])
def test_an_argument_that_is_no_text_is_named(
    command: list[str], ledger: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What the system cannot decode arrives as lone surrogates; nothing of the codec's own words is told."""
    more = {"tile": ["1", "2"]}.get(command[0], [])
    said = refused(capfd, *command, "g\udcff", *more, "--ledger", f"sqlite:///{ledger}")
    assert "codec" not in said
    assert "surrogate" not in said
    assert "g\\" in said


def test_words_that_are_no_text_are_refused(ledger: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for by, claim in (("\udcff", "x"), ("p", "\udcff")):
        words = ["--by", by, "--claim", claim, "--ledger", f"sqlite:///{ledger}"]
        refused(capfd, "case", "open", "linhai-s3-00000", *words)


def test_an_error_that_quotes_a_whole_file_is_cut(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "words").write_text("x" * 100_000)
    said = refused(capfd, "mirror", str(tmp_path), str(tmp_path / "m"), "--policy", str(tmp_path / "words"))
    assert len(said) < 1100
    assert said.endswith("…\n")


def test_an_interrupt_is_one_line(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("viewer.commands.simulate.play", interrupted)
    capfd.readouterr()
    assert run(["simulate", "--games", "1", "--ledger", "sqlite:///never.db"]) == 130
    assert tuple(capfd.readouterr()) == ("", "paipu: interrupted\n")

"""`paipu time` and level 6 of `paipu verify`, against an authority of our own over HTTP and by hand."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rfc3161_client", reason="the extra [time] is not installed")

from viewer.cli import run


@pytest.fixture
def url(tmp_path: Path) -> str:
    made = f"sqlite:///{tmp_path / 'x.db'}"
    simulate(made, 7)
    return made


def simulate(url: str, seed: int) -> None:
    command = ["simulate", "--rules", "linhai", "--games", "1", "--hands", "1", "--seed", str(seed), "--ledger", url]
    assert run(command) == 0


@pytest.fixture
def service(tsa: Any) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Content-Type"] != "application/timestamp-query" or self.path != "/tsr":
                self.send_error(400)
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(tsa.answer(body))

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/tsr"
    server.shutdown()
    thread.join()
    server.server_close()


def verdict(capfd: pytest.CaptureFixture[str], url: str, *options: str) -> dict[str, Any]:
    capfd.readouterr()
    run(["verify", url, "--json", "--jobs", "1", *options])
    found: dict[str, Any] = json.loads(capfd.readouterr().out)
    return found


def test_a_token_asked_over_http_brackets_the_log(
    url: str, service: str, tsa: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert verdict(capfd, url)["levels"][5]["why"] == "no time token"
    assert run(["time", "ask", service, "--ledger", url]) == 0
    assert "stood at" in capfd.readouterr().out
    unpinned = verdict(capfd, url)
    assert (unpinned["exit"], unpinned["levels"][5]["status"]) == (0, "not_checkable")
    assert "pinned" in unpinned["levels"][5]["why"]
    (tmp_path / "x.db.tsa.pem").write_bytes(tsa.root)
    assert run(["time", "ask", service, "--ledger", url]) == 0
    found = verdict(capfd, url)
    assert found["exit"] == 0
    assert found["levels"][5] == {"level": 6, "name": "time", "status": "holds", "checked": 2, "findings": 0}
    assert run(["time", "show", "--ledger", url]) == 0
    assert capfd.readouterr().out.count("stood at") == 2
    assert run(["fsck", url]) == 0


def test_games_that_say_they_are_older_than_a_token_before_them_fail(
    url: str, service: str, tsa: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Simulated games start hours ago: recorded after a token, they are what a back-dated game is."""
    (tmp_path / "root.pem").write_bytes(tsa.root)
    assert run(["time", "ask", service, "--ledger", url, "--tsa", str(tmp_path / "root.pem")]) == 0
    simulate(url, 8)
    found = verdict(capfd, url, "--tsa", str(tmp_path / "root.pem"))
    assert found["exit"] == 1
    assert [(each["level"], each["code"], each["game"], each["seq"]) for each in found["findings"]] == [
        (6, "time", "linhai-s8-00000", 0)
    ]
    assert found["levels"][6]["status"] == "holds"


def test_a_published_log_carries_its_tokens_and_evidence_shows_a_finding(
    url: str, service: str, tsa: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "root.pem").write_bytes(tsa.root)
    assert run(["time", "ask", service, "--ledger", url]) == 0
    simulate(url, 8)
    for target in (url, str(tmp_path / "www")):
        if target != url:
            assert run(["publish", target, "--ledger", url]) == 0
        options = ["--tsa", str(tmp_path / "root.pem"), "--policy", str(tmp_path / "x.db.policy")]
        found = verdict(capfd, target, *options, "--evidence", str(tmp_path / "evidence"))
        assert found["levels"][5]["status"] == "failed"
        assert [(each["code"], each["game"]) for each in found["findings"]] == [("time", "linhai-s8-00000")]


def test_a_request_sent_by_hand_is_added_once(
    url: str, tsa: Any, other_tsa: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.db.tsa.pem").write_bytes(tsa.root)
    query, answer = tmp_path / "q.tsq", tmp_path / "a.tsr"
    assert run(["time", "request", str(query), "--ledger", url]) == 0
    simulate(url, 8)
    for authority, code, said in (
        (other_tsa, 2, "does not verify"),
        (tsa, 0, "stood at"),
        (tsa, 2, "in the log already"),
    ):
        if said != "in the log already":
            answer.write_bytes(authority.answer(query.read_bytes()))
        capfd.readouterr()
        assert run(["time", "add", str(answer), "--ledger", url]) == code
        assert said in "".join(capfd.readouterr())
    assert verdict(capfd, url)["levels"][5]["status"] == "holds"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["request", "{dir}/none/q"], "cannot be written"),
        (["request", "{dir}/x.db"], "cannot be written"),
        (["add", "{dir}/none"], "cannot be read"),
        (["add", "{dir}/x.db.policy"], "no RFC 3161 response"),
        (["add", "{dir}/x.db.policy", "--tsa", "{dir}/x.db.policy"], "no PEM certificates"),
        (["ask", "file:///etc/hosts"], "an http or https address"),
        (["ask", "http://127.0.0.1:1/"], "no answer"),
        (["ask", "http://[/"], "no answer"),
        (["show", "--tsa", "{dir}/none"], "cannot be read"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    url: str, args: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    assert run(["time", *[arg.format(dir=tmp_path) for arg in args], "--ledger", url]) == 2
    shown = capfd.readouterr().err
    assert shown.startswith("paipu: ")
    assert shown.count("\n") == 1
    assert said in shown


def test_an_answer_over_something_else_is_refused(
    url: str, tsa: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from ledger.timetoken import make_request

    (tmp_path / "a.tsr").write_bytes(tsa.answer(make_request(b"something else\n")))
    capfd.readouterr()
    assert run(["time", "add", str(tmp_path / "a.tsr"), "--ledger", url]) == 2
    assert "over no checkpoint" in capfd.readouterr().err


def test_a_service_that_answers_nonsense_is_refused(url: str, service: str, capfd: pytest.CaptureFixture[str]) -> None:
    capfd.readouterr()
    assert run(["time", "ask", f"{service}/else", "--ledger", url]) == 2
    assert "no answer" in capfd.readouterr().err


@pytest.mark.parametrize(("nonce", "said"), [(True, "another nonce"), (False, "no nonce")])
def test_an_answer_to_another_request_is_refused(  # noqa: PLR0917  fixtures
    nonce: bool, said: str, url: str, service: str, tsa: Any, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """A genuine token over the same text, asked for before or without a nonce (RFC 3161, 2.4.2)."""
    from rfc3161_client import TimestampRequestBuilder

    from ledger.checkpoint import read_checkpoint
    from ledger.store import open_reader

    reader = open_reader(url)
    row = reader.checkpoint()
    reader.close()
    assert row is not None
    text = read_checkpoint(row.note).format()
    other = tsa.answer(TimestampRequestBuilder().data(text).nonce(nonce=nonce).build().as_bytes())
    monkeypatch.setattr(tsa, "answer", lambda body: body and other)
    capfd.readouterr()
    assert run(["time", "ask", service, "--ledger", url]) == 2
    assert said in capfd.readouterr().err
    monkeypatch.undo()
    assert run(["time", "ask", service, "--ledger", url]) == 0

"""How the viewer is served, as far as it shows without a browser."""

import asyncio
import base64
import os
import re
import socket
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from starlette.types import Message, Receive, Scope, Send

from ledger.errors import Unavailable
from viewer import access
from viewer.cli import run
from viewer.page import shelf
from viewer.serve import APP, HEAVY, HERE, OPTIONS, Headers, Located, index_page, inline_scripts, policy, take


def test_the_policy_allows_the_inline_scripts_of_the_served_page_and_no_others() -> None:
    index = (Path(st.__file__).parent / "static" / "index.html").read_text()
    (script,) = re.findall(r"<script>(.*?)</script>", index, re.DOTALL)
    theirs, ours = (base64.b64encode(sha256(each.encode()).digest()).decode() for each in (script, HERE))
    directives = dict(each.split(" ", 1) for each in policy().split("; "))
    assert directives["script-src"].split() == ["'self'", "blob:", f"'sha256-{theirs}'", f"'sha256-{ours}'"]
    assert directives["default-src"] == "'self'"
    assert directives["object-src"] == directives["frame-ancestors"] == "'none'"
    assert "http" not in policy()


def test_every_inline_script_is_counted() -> None:
    assert len(inline_scripts("<script>a</script><script src='x'></script><script>b</script>")) == 2
    assert inline_scripts("<p>") == []


def test_the_options_exist_and_tell_nobody_anything() -> None:
    for name in OPTIONS:
        st.config.get_option(name)  # an unknown name raises
    assert OPTIONS["browser.gatherUsageStats"] is False
    assert OPTIONS["client.showErrorDetails"] == "none"


def test_what_is_loaded_ahead_of_the_first_page_exists() -> None:
    assert all(find_spec(name) for name in HEAVY)


def apart(what: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a thread of its own: a browser driven by this process may hold the loop of this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, what).result()


def answered(body: bytes, accept: str = "text/html, */*;q=0.8", method: str = "GET") -> tuple[bytes, dict[str, str]]:
    """What a browser gets of an application that sends `body` in two parts."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert receive
        kept = dict(scope["headers"])
        assert kept.get(b"accept-encoding") == (None if "html" in accept else b"gzip")
        headers = [(b"content-length", str(len(body)).encode()), (b"etag", b"1")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        if method == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        await send({"type": "http.response.body", "body": body[:9], "more_body": True})
        await send({"type": "http.response.body", "body": body[9:]})

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    headers = [(b"accept", accept.encode()), (b"accept-encoding", b"gzip")]
    apart(Headers(Located(app))({"type": "http", "method": method, "headers": headers}, receive, send))
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return b"".join(each.get("body", b"") for each in sent[1:]), found


def test_the_index_page_is_told_where_its_server_is() -> None:
    page, headers = answered(index_page())
    assert page == index_page().replace(b"<head>", f"<head><script>{HERE}</script>".encode())
    assert headers["content-length"] == str(len(page)) == answered(index_page(), method="HEAD")[1]["content-length"]
    assert headers["etag"] == "1"
    assert "content-security-policy" in headers


def test_nothing_else_is_changed() -> None:
    report = b"<html><head></head>%s</html>" % (b"x" * (len(index_page()) - 26))
    assert len(report) == len(index_page())
    for body in (report, b"<html><head></head></html>", b""):
        page, headers = answered(body)
        assert page == body
        assert headers["content-length"] == str(len(body))
    assert answered(index_page(), "application/json")[0] == index_page()


def test_the_first_page_does_not_wait_for_the_libraries_of_statistics() -> None:
    code = f"""
import sys
from streamlit.testing.v1 import AppTest
app = AppTest.from_file({str(APP)!r}, default_timeout=120).run()
assert not app.exception and app.info, app
assert "viewer.page.games" in sys.modules
print([name for name in ("scipy.stats", "statsmodels", "matplotlib") if name in sys.modules])
"""
    environment = {**os.environ, "PAIPU_LEDGER": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.strip() == "[]"


def test_streamlit_finds_no_pages_of_its_own_kind() -> None:
    # A folder of this name beside the app would be run as scripts before the app has declared its pages.
    assert APP.is_file()
    assert not APP.with_name("pages").exists()


def test_a_port_that_is_taken(club: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        with pytest.raises(Unavailable, match="Address already in use"):
            take("127.0.0.1", port)
        assert run(["view", "--ledger", club, "--port", str(port)]) == 2
    said = capsys.readouterr().err.strip().split("\n")
    assert said[-1].startswith("paipu: ")
    assert f"127.0.0.1:{port}" in said[-1]
    take("127.0.0.1", port)


def test_several_ledgers_are_served_the_first_open(
    monkeypatch: pytest.MonkeyPatch, club: str, forged_club: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    served: list[list[str]] = []

    def serve(url: str, *, also: list[str], port: int, host: str) -> None:
        assert (port, host) == (8501, "127.0.0.1")
        served.append([url, *also])

    monkeypatch.setattr("viewer.serve.serve", serve)
    for name in (access.USERS, access.HEADER, access.AS, access.LOG, access.READ_ONLY, access.NOTES, access.PSEUDONYMS):
        monkeypatch.setenv(name, "")  # the command sets them for good
    assert run(["view", "--ledger", club, "--ledger", forged_club, "--ledger", club]) == 0
    monkeypatch.setenv("PAIPU_LEDGER", f"{forged_club}\n{club}")
    assert run(["view"]) == 0
    assert run(["view", "--ledger", club]) == 0
    assert served == [[club, forged_club], [forged_club, club], [club]]
    capfd.readouterr()
    assert run(["view", "--ledger", club, "--ledger", f"sqlite:///{tmp_path / 'none.db'}"]) == 2
    assert capfd.readouterr().err.count("\n") == 1
    assert len(served) == 3


def test_the_pages_offer_each_ledger_of_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIPU_LEDGER", "sqlite:///c.db\nsqlite:///d.db")
    monkeypatch.setattr("sys.argv", ["paipu", "view", "--ledger", "sqlite:///a.db", "--ledger=sqlite:///b.db"])
    assert shelf.ledgers() == ["sqlite:///a.db", "sqlite:///b.db"]
    monkeypatch.setattr("sys.argv", ["paipu", "view"])
    assert shelf.ledgers() == ["sqlite:///c.db", "sqlite:///d.db"]

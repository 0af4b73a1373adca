"""How the viewer is served, as far as it shows without a browser."""

import base64
import re
import socket
from hashlib import sha256
from pathlib import Path

import pytest
import streamlit as st

from ledger.errors import Unavailable
from viewer.cli import run
from viewer.serve import APP, OPTIONS, inline_scripts, policy, take


def test_the_policy_allows_the_inline_scripts_of_the_index_page_and_no_others() -> None:
    index = (Path(st.__file__).parent / "static" / "index.html").read_text()
    (script,) = re.findall(r"<script>(.*?)</script>", index, re.DOTALL)
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    directives = dict(each.split(" ", 1) for each in policy().split("; "))
    assert directives["script-src"].split() == ["'self'", "blob:", f"'sha256-{digest}'"]
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

"""Small signed ledgers for the tests of pages: an honest one, a forged one, one with hostile names."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.mahjong.bots import BOTS, sight
from engine.shuffle import Commitment, Stream, hmac_words, player_commit
from engine.table import Table, opening
from engine.variants import find
from viewer.cli import run
from viewer.forgery import overpaid
from viewer.games import games, lines
from viewer.targets import open_log

sys.path.insert(0, str(Path(__file__).parent / "plain"))
from many_hands import SMALL, kept

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = (
    "<img src=x onerror=document.title='owned'>",
    "![x](https://evil.example/p.png)",
    "\u202etni.elpmaxe\u202c [a](javascript:alert(1))",
    "$\\frac{1}{2}$ :red[**梅子**]",
)


@pytest.fixture(scope="session")
def club(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger of two Linhai games with flowers and one of Niuniu."""
    url = f"sqlite:///{tmp_path_factory.mktemp('club') / 'club.db'}"
    assert (
        run(["simulate", "--rules", "linhai.144", "--games", "2", "--hands", "4", "--seed", "5", "--ledger", url]) == 0
    )
    assert run(["simulate", "--rules", "niuniu", "--games", "1", "--hands", "3", "--seed", "5", "--ledger", url]) == 0
    return url


@pytest.fixture
def ledger(club: str, tmp_path: Path) -> str:
    """A ledger to write to, of the first game of `club`."""
    url = f"sqlite:///{tmp_path / 'own.db'}"
    game = games(club)[0].id
    log, _ = open_log(url, operator="simulated")
    with log:
        log.append(game, 0, lines(club, game), seal=True, close=True)
    return url


@pytest.fixture(scope="session")
def forged_club(club: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game of the honest ledger with one payment too large, signed anew."""
    url = f"sqlite:///{tmp_path_factory.mktemp('forged') / 'forged.db'}"
    game = games(club)[0].id
    log, _ = open_log(url, operator="simulated")
    with log:
        log.append(game, 0, overpaid(lines(club, game)), seal=True, close=True)
    return url


@pytest.fixture(scope="session")
def many(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger of 5,000 hands, or of as many as `--hands` says; many workers make one."""
    hands = request.config.getoption("--hands")
    if hands >= SMALL:
        return kept(hands, Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "paipu")
    run_folder = tmp_path_factory.getbasetemp()
    return kept(hands, run_folder.parent if "PYTEST_XDIST_WORKER" in os.environ else run_folder)


@pytest.fixture(scope="session")
def hostile_club(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game of players whose names are markup, Markdown and marks that turn text around."""
    url = f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'hostile.db'}"
    log, _ = open_log(url, operator="simulated")
    with log:
        log.append("hostile", 0, list(_game(HOSTILE, "hostile")), seal=True, close=True)
    return url


@pytest.fixture(scope="session")
def one_hand() -> Callable[[Sequence[str], str], list[bytes]]:
    """Play one hand of four players: a whole game."""
    return lambda names, game: list(_game(names, game))


def _game(names: Sequence[str], game: str) -> Iterator[bytes]:
    rules = find("linhai", {})
    body, context = opening(
        rules,
        preset=rules,
        game=game,
        engine="paipu/0",
        operator="simulated",
        table="t",
        seats=[{"seat": seat, "player": name, "kind": "human"} for seat, name in enumerate(names)],
        match={"length": {"hands": 1}},
        deal={"protocol": "paipu-fair/1", "max_hands": 2},
    )
    root = sha256(b"root").digest()
    table = Table(body, game, Commitment.open(context, root), root, 1_700_000_000_000)
    at = 1_700_000_000_000
    yield table.first()
    shares = [sha256(bytes([seat])).digest() for seat in range(4)]
    for seat, share in enumerate(shares):
        commit = player_commit(context, seat, share).hex()
        yield from table.act({"type": "committed", "seat": seat, "commit": commit}, at)
    for seat, share in enumerate(shares):
        yield from table.act({"type": "entropy", "seat": seat, "reveal": share.hex()}, at)
    choices = Stream(hmac_words(sha256(b"bots").digest()))
    while not table.over:
        options = table.legal()
        seat = options[0]["seat"]
        mine = [each for each in options if each["seat"] == seat]
        at += 500
        yield from table.act(BOTS["greedy"](sight(table.game.hand, seat, mine), choices), at)


CHROMIUM = Path(os.environ.get("PAIPU_CHROMIUM", "/usr/bin/chromium"))
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 60_000
SERVE = (
    "import sys; from viewer.serve import serve;"
    "serve(sys.argv[2], also=sys.argv[3:], port=int(sys.argv[1]), open_browser=False)"
)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM} (Debian: chromium; or set PAIPU_CHROMIUM)")
    with api.sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """The folder where pictures of pages are kept, to be looked at."""
    folder = Path(os.environ.get("PAIPU_SCREENSHOTS", Path(__file__).parents[2] / ".artifacts" / "screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def served() -> Callable[..., Iterator[str]]:
    """Serve ledgers while the caller holds the iterator."""
    return _served


def _served(
    *urls: str, folder: Path | None = None, prepare: Callable[[str], object] = str, **settings: str
) -> Iterator[str]:
    """Serve in a folder with settings of the environment; `prepare` is told the address before the start."""
    port = free_port()
    prepare(f"http://127.0.0.1:{port}")
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(port), *urls],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, **settings},
    )
    try:
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
                    assert answer.status == 200
                break
            except (OSError, urllib.error.URLError):
                assert process.poll() is None, "the viewer did not start"
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:  # a busy machine: an open page holds the server
            process.kill()
            process.wait()


Opener = Callable[..., "Page"]


@pytest.fixture
def watched(browser: "Browser") -> Iterator[tuple[Opener, list[str]]]:
    """A way to open pages, and everything that they log or ask of other hosts."""
    said: list[str] = []
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)

    def open_page(address: str, wait: str = ".paipu svg.felt", **size: int) -> "Page":
        page = context.new_page()
        if size:
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
        host = address.split("/")[2]
        page.on("console", lambda message: said.append(message.text) if message.type != "debug" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("request", lambda request: said.append(request.url) if foreign(request.url, host) else None)
        page.goto(address)
        page.wait_for_selector(wait)
        return page

    yield open_page, said
    context.close()


def foreign(url: str, host: str) -> bool:
    return not url.startswith((f"http://{host}/", "data:", "blob:"))

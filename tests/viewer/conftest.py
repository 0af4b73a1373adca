"""Small signed ledgers for the tests of pages: an honest one, a forged one, one with hostile names."""

from collections.abc import Iterator
from hashlib import sha256

import pytest

from engine.mahjong.bots import BOTS, sight
from engine.shuffle import Commitment, Stream, hmac_words, player_commit
from engine.table import Table, opening
from engine.variants import find
from viewer.cli import run
from viewer.forgery import overpaid
from viewer.games import games, lines
from viewer.targets import open_log

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
def hostile_club(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game of players whose names are markup, Markdown and marks that turn text around."""
    url = f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'hostile.db'}"
    log, _ = open_log(url, operator="simulated")
    with log:
        log.append("hostile", 0, list(_hostile_game()), seal=True, close=True)
    return url


def _hostile_game() -> Iterator[bytes]:
    rules = find("linhai", {})
    body, context = opening(
        rules,
        preset=rules,
        game="hostile",
        engine="paipu/0",
        operator="simulated",
        table="t",
        seats=[{"seat": seat, "player": name, "kind": "human"} for seat, name in enumerate(HOSTILE)],
        match={"length": {"hands": 1}},
        deal={"protocol": "paipu-fair/1", "max_hands": 2},
    )
    root = sha256(b"root").digest()
    table = Table(body, "hostile", Commitment.open(context, root), root, 1_700_000_000_000)
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

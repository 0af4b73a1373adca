"""Every page with a ledger of many hands: what it reads is what it shows, whatever else the ledger holds."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ledger.store import open_reader
from ledger.store_sql import SqlStore
from ledger.store_sqlite import SqliteStore
from viewer.apart import Run
from viewer.catalogue import Query, catalogue
from viewer.page import disputes, following, shelf
from viewer.page import games as games_page
from viewer.verdict import audit

READS = ("streams", "entries", "entries_of", "entries_of_kind", "games", "checkpoints", "texts", "commands")
ROOMY = 1_500
"""Rows that a page may read beside the events of the game that it shows: about a hundred games' ends and seals."""


def _page(name: str) -> None:
    from importlib import import_module

    import streamlit as st

    st.session_state["pages"] = {}
    import_module(f"viewer.page.{name}").show()


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What is read of a ledger from here on: rows by the method that gave them, events by game."""
    counted: Counter[str] = Counter()

    def counting(name: str, read: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        def reading(store: SqlStore, *args: Any, **named: Any) -> Iterator[Any]:
            for row in read(store, *args, **named):
                counted[f"events of {args[0]}" if name == "events" else name] += 1
                yield row

        return reading

    for name in READS:
        monkeypatch.setattr(SqlStore, name, counting(name, getattr(SqlStore, name)))
    monkeypatch.setattr(SqliteStore, "events", counting("events", SqliteStore.events))
    return counted


@pytest.fixture
def game(many: str) -> str:
    ids = catalogue(many).ids
    return ids[len(ids) // 2]


def opened(monkeypatch: pytest.MonkeyPatch, ledger: str, name: str, game: str) -> AppTest:
    shelf.open_ledger.__globals__["_catalogues"]().clear()
    monkeypatch.setenv("PAIPU_LEDGER", ledger)
    monkeypatch.setattr("sys.argv", ["app.py"])
    app = AppTest.from_function(_page, default_timeout=120, args=(name,))
    app.query_params["game"] = game
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    "name", ["games", "replay", "payouts", "verdict", "proof", "fairness", "compare", "disputes", "file"]
)
def test_a_page_reads_no_more_than_it_shows(
    monkeypatch: pytest.MonkeyPatch, many: str, rows: Counter[str], game: str, name: str
) -> None:
    reader = open_reader(many)
    whole = reader.counts()
    reader.close()
    assert whole["entries"] > 2 * ROOMY
    size = catalogue(many).info(game).size
    rows.clear()
    app = opened(monkeypatch, many, name, game)
    read = dict(rows)
    own = read.pop(f"events of {game}", 0)
    assert own <= 3 * size
    assert sum(read.values()) <= ROOMY, read
    if name not in {"games", "file"}:
        assert not app.dataframe or len(app.dataframe[0].value) < 400


def test_the_games_page_turns_to_its_last_page(
    monkeypatch: pytest.MonkeyPatch, many: str, rows: Counter[str], game: str
) -> None:
    ids = list(catalogue(many).ids)
    app = opened(monkeypatch, many, "games", game)
    assert list(app.dataframe[0].value["Game"]) == ids[: games_page.PAGE]
    rows.clear()
    last = -(-len(ids) // games_page.PAGE)
    app.session_state["games_page"] = last
    app.run()
    shown = list(app.dataframe[0].value["Game"])
    assert shown == ids[(last - 1) * games_page.PAGE :]
    assert list(app.dataframe[0].value["State"])[-1] == "in play"
    assert sum(rows.values()) <= ROOMY, rows


def test_a_search_reads_each_game_once(many: str, rows: Counter[str]) -> None:
    found = catalogue(many)
    total = len(found.ids)
    rows.clear()
    hits = found.search(Query(words="linhai-s1"))
    assert [info.id for info in found.everything() if info.rules == "linhai"] == hits
    assert len(hits) > 1
    first = sum(rows.values())
    assert first <= 6 * total + ROOMY
    assert found.search(Query(words="linhai-s1", state="running")) in ([], hits[-1:])
    assert sum(rows.values()) == first


def test_hands_are_counted_as_their_ends(many: str) -> None:
    found = catalogue(many)
    picked = found.infos([found.ids[at] for at in (0, 1, len(found.ids) // 2, -1)])
    reader = open_reader(many)
    ended = [sum(b'"type":"hand_ended"' in data for _, data, _ in reader.events(info.id)) for info in picked]
    reader.close()
    assert found.hands(picked) == ended


def test_the_ids_are_those_of_the_streams(many: str) -> None:
    found = catalogue(many)
    reader = open_reader(many)
    ids = [row.game for row in reader.streams("game")]
    cases = [row.game for row in reader.streams("case")]
    reader.close()
    assert list(found.ids) == ids
    assert cases
    assert cases[0] not in found.ids
    assert "" not in found.ids
    assert [found.ids.index(ids[at]) for at in (0, 7, len(ids) - 1)] == [0, 7, len(ids) - 1]
    assert (found.ids[0], found.ids[-1], found.ids[-3:], found.ids[5:2]) == (ids[0], ids[-1], ids[-3:], [])
    with pytest.raises(IndexError):
        found.ids[len(ids)]
    with pytest.raises(ValueError, match="not in the catalogue"):
        found.ids.index(cases[0])


def test_the_disputes_page_shows_a_page_of_cases(
    monkeypatch: pytest.MonkeyPatch, many: str, rows: Counter[str], game: str
) -> None:
    monkeypatch.setattr(disputes, "PAGE", 2)
    reader = open_reader(many)
    ids = [row.game for row in reader.streams("case")]
    reader.close()
    rows.clear()
    app = opened(monkeypatch, many, "disputes", game)
    assert [text.replace("\\", "") for text in app.table[0].value["Case"]] == ids[:2]
    assert rows["streams"] == 2
    app.query_params["case"] = ids[3]
    app.run()
    assert [text.replace("\\", "") for text in app.table[0].value["Case"]] == ids[2:4]
    assert app.selectbox(key="case").value == ids[3]
    app.session_state["cases_page"] = 1
    app.run()
    assert [text.replace("\\", "") for text in app.table[0].value["Case"]] == ids[:2]


def test_a_large_ledger_is_verified_beside_the_pages(
    monkeypatch: pytest.MonkeyPatch, club: str, many: str, game: str
) -> None:
    monkeypatch.setattr(games_page, "AT_ONCE", 2)
    shelf.reports().clear()
    app = opened(monkeypatch, club, "games", catalogue(club).ids[0])
    assert list(app.dataframe[0].value["Verdict"]) == ["…"] * 3
    (run,) = following.runs().values()
    assert app.get("progress")
    run.wait(60)
    assert run.over
    app.run()
    assert not app.get("progress")
    assert list(app.dataframe[0].value["Verdict"]) == ["✓ holds"] * 3
    assert following.runs() == {}
    plain = audit(club).as_json()
    assert shelf.known(club, catalogue(club).stamp) == plain
    # One of so many games is verified when asked for, and only once for all who ask.
    app = opened(monkeypatch, many, "verdict", game)
    assert not app.get("progress")
    app.button(key="verify_button").click().run()
    (run,) = following.runs().values()
    other = opened(monkeypatch, many, "games", game)
    assert app.get("progress")
    assert other.get("progress")
    assert list(following.runs().values()) == [run]
    run.stop()
    app.run()
    assert [each.value for each in app.error] == ["verification ended early \\(exit \\-9\\)"]
    following.runs().clear()


def test_a_verdict_apart_tells_what_is_wrong_with_a_ledger(tmp_path: Path) -> None:
    run = Run(f"sqlite:///{tmp_path / 'none.db'}")
    run.wait(60)
    assert run.error.endswith("none.db: no such file")
    assert run.report is None

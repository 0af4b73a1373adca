"""The catalogue: finds what a plain search over all games finds, reads no more than it shows."""

from datetime import UTC, datetime

import pytest

from ledger.errors import Unavailable
from viewer import catalogue as module
from viewer.catalogue import Query, catalogue, opened_at, pages, state
from viewer.games import games, lines
from viewer.simulate import OPERATOR
from viewer.targets import open_log


def test_it_lists_the_games_of_the_ledger(club: str) -> None:
    found = catalogue(club)
    assert list(found.ids) == [info.id for info in games(club)]
    for mine, plain in zip(found.infos(found.ids), games(club), strict=True):
        assert (mine.id, mine.gno, mine.size, mine.closed, mine.rules, mine.players, mine.at) == (
            plain.id, plain.gno, plain.size, plain.closed, plain.rules, plain.players, plain.at,
        )  # fmt: skip
        assert state(mine) == "match_end"
        assert mine.table


def test_a_page_reads_its_own_games_alone(club: str) -> None:
    found = catalogue(club)
    assert found.known == {}
    found.infos(found.ids[1:2])
    assert list(found.known) == found.ids[1:2]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        (Query(), [0, 1, 2]),
        (Query(words="NIUNIU"), [2]),
        (Query(words="greedy-2 linhai"), [0, 1]),
        (Query(words="nobody"), []),
        (Query(rules="linhai.144"), [0, 1]),
        (Query(state="match_end"), [0, 1, 2]),
        (Query(state="running"), []),
        (Query(words="linhai", state="dissolved"), []),
    ],
)
def test_a_search_finds(club: str, query: Query, wanted: list[int]) -> None:
    found = catalogue(club)
    assert list(found.search(query)) == [found.ids[at] for at in wanted]


def test_a_search_by_day_and_among(club: str) -> None:
    found = catalogue(club)
    first = found.info(found.ids[0])
    day = opened_at(first).date()
    assert datetime.fromtimestamp(first.at / 1000, UTC).date() == day
    assert found.search(Query(since=day, until=day)) == list(found.ids)
    assert found.search(Query(until=day.replace(year=day.year - 1))) == []
    assert found.search(Query(among=frozenset(found.ids[:1]))) == found.ids[:1]


def test_what_is_known_stays_until_the_ledger_grows(club: str, tmp_path: object) -> None:
    url = f"sqlite:///{tmp_path}/grow.db"
    log, _ = open_log(url, operator=OPERATOR)
    ids = [info.id for info in games(club)]
    with log:
        log.append(ids[0], 0, lines(club, ids[0]), seal=True, close=True)
        log.append(ids[1], 0, lines(club, ids[1])[:30], seal=True)
    first = catalogue(url)
    assert [state(info) for info in first.infos(first.ids)] == ["match_end", "running"]
    assert catalogue(url, first) is first
    log, _ = open_log(url, operator=OPERATOR)
    with log:
        log.append(ids[1], 30, lines(club, ids[1])[30:], seal=True, close=True)
        log.append(ids[2], 0, lines(club, ids[2]), seal=True, close=True)
    later = catalogue(url, first)
    assert list(later.known) == ids[:1]
    assert [state(info) for info in later.infos(later.ids)] == ["match_end"] * 3


def test_pages_stay_within_bounds() -> None:
    ids = [str(number) for number in range(51)]
    assert pages(ids, 1, 25) == (3, ids[:25])
    assert pages(ids, 3, 25) == (3, ids[50:])
    assert pages(ids, 99, 25) == (3, ids[50:])
    assert pages(ids, -5, 25) == (3, ids[:25])
    assert pages([], 1, 25) == (1, [])


def test_a_file_that_is_no_ledger(tmp_path: object) -> None:
    path = f"{tmp_path}/x"
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123  a plain text file
        file.write("no ledger")
    with pytest.raises(Unavailable):
        module.catalogue(path)

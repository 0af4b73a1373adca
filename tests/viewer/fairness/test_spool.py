"""Repeated values: found among many, each with the places it stands at, whatever is held and written."""

import numpy as np
import pytest

from viewer.fairness import spool
from viewer.fairness.spool import DIGEST, Spool, digest


@pytest.fixture(params=[3, 1 << 16], ids=["written often", "held"])
def values(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Spool:
    monkeypatch.setattr(spool, "HELD", request.param)
    return Spool()


def test_nothing_stands_twice(values: Spool) -> None:
    for number in range(500):
        values.add(b"%d" % number, f"place {number}")
    assert values.repeated() == (0, [])
    assert values.count == 500
    values.close()


def test_each_repeated_value_is_named_with_its_places(values: Spool) -> None:
    for number in range(300):
        values.add(b"%d" % number, f"place {number}")
    values.add(b"7", "again")
    values.add(b"299", "later")
    values.add(b"7", "a third time")
    total, found = values.repeated()
    assert total == 2
    assert {(each.places, each.count) for each in found} == {
        (("place 7", "again", "a third time"), 3),
        (("place 299", "later"), 2),
    }
    values.close()


def test_lines_of_files_are_counted_on_over_gaps(values: Spool) -> None:
    lines = np.array([2, 3, 5, 6, 9])
    values.add_lines(b"".join(digest(b"%d" % line) for line in lines.tolist()), "a.txt", lines)
    values.add_lines(digest(b"6") + digest(b"9"), "b.txt", np.array([40, 41]))
    _, found = values.repeated()
    assert {each.places for each in found} == {("a.txt line 6", "b.txt line 40"), ("a.txt line 9", "b.txt line 41")}
    values.close()


def test_of_very_many_the_first_are_named_and_all_counted(values: Spool) -> None:
    for number in range(100):
        values.add(b"%d" % (number % 50), f"place {number}")
    total, found = values.repeated(most=10)
    assert total == 50
    assert [each.places[0] for each in found] == [f"place {number}" for number in range(10)]
    values.close()


def test_one_value_at_very_many_places(values: Spool) -> None:
    for number in range(40):
        values.add(b"same", f"place {number}")
    assert values.repeated()[1][0].count == 40
    assert len(digest(b"same")) == DIGEST
    values.close()

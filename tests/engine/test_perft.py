"""Perft: the number of sequences of lawful decisions from a position, and their order (`data/linhai/perft.json`).

The counts are checked against the plain referee, which shares nothing with the engine; the order is pinned by digest.
"""

import goldens
import pytest
from goldens import Entry
from referee import Referee

from engine.variants import find

ENTRIES = goldens.entries("linhai")


def by_name(entry: Entry) -> str:
    return str(entry["name"])


def test_the_file_is_what_its_generator_writes() -> None:
    made = goldens.generator("perft")
    assert goldens.perft("linhai") == made.text(made.entries())


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_counts_and_order_stand(entry: Entry) -> None:
    goldens.stands(entry)


def begun(entry: Entry) -> Referee:
    options = find(entry["rules"], entry["options"]).options()
    return Referee(options, 0, "E", entry["wall"].split(), entry["dice"])


@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_the_referee_counts_the_same(entry: Entry) -> None:
    goldens.referee_counts(entry, begun, 3)


@pytest.mark.long
@pytest.mark.parametrize("entry", ENTRIES, ids=by_name)
def test_the_referee_counts_the_same_to_the_whole_depth(entry: Entry) -> None:
    goldens.referee_counts(entry, begun)


def test_the_positions_differ_by_their_options() -> None:
    counts = {entry["name"]: entry["counts"] for entry in ENTRIES}
    assert counts["a chow, swap ban off"][0] == counts["a chow, swap ban dinghai"][0] + 2  # neither 3m nor 6m
    assert counts["before an added kong, rob_kong off"] != counts["before an added kong, rob_kong as_discard"]

"""The fold of a case: every order that may be, every other refused at its event."""

from itertools import product

import pytest

from engine.case_stream import WORDS, build, is_case, judge, parse
from engine.errors import EventError
from engine.events import load

HASH = "ab" * 32
BODIES = {
    "case_opened": {"type": "case_opened", "by": "p", "subject": {"game": "g", "hand": 0}, "claim": HASH,
                    "jurisdiction": "default", "due": 100},
    "evidence": {"type": "evidence", "by": "p", "name": "a.db", "sha256": HASH, "size": 3},
    "verdict": {"type": "verdict", "engine": "e", "rules": HASH, "outcome": "holds", "findings": HASH},
    "decided": {"type": "decided", "by": "j", "outcome": "upheld", "reason": HASH},
    "case_closed": {"type": "case_closed", "by": "j"},
}  # fmt: skip


def stream(*words: str, at: int = 10) -> list[bytes]:
    return [build(BODIES[word], at=at + seq, case="c-1", seq=seq) for seq, word in enumerate(words)]


def lawful(words: tuple[str, ...]) -> bool:
    """Say the same as the fold, as plainly as the page does."""
    if not words:
        return True
    first, rest = words[0] == "case_opened", words[1:]
    once = "case_opened" not in rest
    end = words.index("case_closed") if "case_closed" in words else None
    ended = end is None or (end == len(words) - 1 and "decided" in words)
    return first and once and ended


def test_every_order_of_four_events_is_judged_as_the_page_says() -> None:
    assert set(WORDS) == set(BODIES)
    for count in range(5):
        for words in product(WORDS, repeat=count):
            case = judge(stream(*words))
            assert (case.fault is None) == lawful(words), words
            assert case.size == max(n for n in range(count + 1) if lawful(words[:n])), words


def test_a_fault_names_its_clause_and_keeps_the_prefix() -> None:
    case = judge(stream("case_opened", "verdict", "case_closed", "decided"))
    assert case.fault is not None
    assert (case.fault.clause, case.size, case.status) == ("events.case", 2, "open")


@pytest.mark.parametrize(
    ("word", "field", "value"),
    [
        ("case_opened", "claim", "words in the clear"),
        ("case_opened", "subject", {"game": "g", "hand": None}),
        ("case_opened", "subject", {"game": "g", "tile": "5p"}),
        ("case_opened", "due", -1),
        ("evidence", "name", "../a.db"),
        ("evidence", "size", -1),
        ("verdict", "outcome", "guilty"),
        ("decided", "outcome", "holds"),
        ("case_closed", "by", ""),
        ("case_closed", "note", "x"),
    ],
)
def test_fields_have_bounds(word: str, field: str, value: object) -> None:
    with pytest.raises(EventError):
        build({**BODIES[word], field: value}, at=1, case="c-1", seq=0)


def test_position_id_and_time_are_the_streams() -> None:
    good = stream("case_opened", "verdict")
    for other in (
        build(BODIES["verdict"], at=11, case="c-2", seq=1),
        build(BODIES["verdict"], at=11, case="c-1", seq=2),
        build(BODIES["verdict"], at=9, case="c-1", seq=1),
    ):
        assert judge([good[0], other]).size == 1
    assert parse(good[1]).record() == load(good[1])
    assert is_case(good)
    assert not is_case(good[1:])
    assert not is_case([b"{"])


def test_the_clock_stops_at_the_first_decision() -> None:
    assert judge(stream("case_opened", "verdict")).overdue(101)
    assert not judge(stream("case_opened", "verdict")).overdue(100)
    assert not judge(stream("case_opened", "decided")).overdue(10**6)
    assert judge(stream("case_opened", "decided", at=100)).overdue(0)
    late = build(BODIES["case_opened"] | {"due": 9}, at=10, case="c-1", seq=0)
    assert judge([late]).fault is not None

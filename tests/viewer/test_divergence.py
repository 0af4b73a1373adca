"""Where two logs part."""

from engine.events import canonical, load
from viewer import divergence
from viewer.forgery import overpaid
from viewer.simulate import Job, play

LINES = [line for chunk in play(Job("linhai", 3, 0, 1_700_000_000_000, {}, {"length": {"hands": 2}})) for line in chunk]


def test_the_same_logs_do_not_part() -> None:
    assert divergence.first(LINES, list(LINES)) is None
    assert divergence.all_differences(LINES, list(LINES)) == []


def test_a_forgery_parts_at_its_settlement() -> None:
    forged = overpaid(LINES)
    found = divergence.first(LINES, forged)
    assert found is not None
    assert load(LINES[found.seq])["type"] == "settled"
    assert set(found.fields) == {"lines", "payments"}
    mine, its = found.fields["payments"]
    assert (mine, its) == (load(LINES[found.seq])["payments"], load(forged[found.seq])["payments"])
    assert LINES[: found.seq] == forged[: found.seq]
    later = divergence.all_differences(LINES, forged)
    assert [each.seq for each in later] == [seq for seq in range(len(LINES)) if LINES[seq] != forged[seq]]


def test_one_log_may_end_before_the_other() -> None:
    found = divergence.first(LINES[:20], LINES)
    assert found is not None
    assert (found.seq, found.left, found.right, found.fields) == (20, None, LINES[20], {})
    assert divergence.all_differences(LINES, LINES[:20], most=3)[-1].seq == 22


def test_a_field_that_one_side_lacks_and_bytes_that_are_no_event() -> None:
    record = load(LINES[30])
    other = canonical({**record, "extra": 1})
    assert divergence.differing(LINES[30], other) == {"extra": (None, 1)}
    assert divergence.differing(LINES[30], b"{") == {}

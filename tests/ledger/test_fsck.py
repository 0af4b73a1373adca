"""`fsck`: whatever is changed in whatever table is listed, all of it, on every backend; nothing else is."""

import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.canonical import decode, encode
from ledger.errors import Malformed, Unavailable
from ledger.findings import Finding
from ledger.fsck import Check, fsck
from ledger.notefile import MemoryNote
from ledger.store import EntryRow, create_store, open_reader
from ledger.store_memory import MemoryStore, Shelf
from ledger.stream import text_commitment
from ledger.verify import Audit

Make = Callable[[str, int, int], list[bytes]]


def play(bench: Any, make_events: Make) -> None:
    """Two closed games, an aborted one, an open one, a private series; commands, texts, several checkpoints."""
    log = bench.create()
    for step in range(3):
        for game in ("g-1", "g-2", "g-3", "g-4"):
            data, seq = make_events(game, step * 4, step * 4 + 4), step * 4
            if step == 2 and game == "g-3":
                log.abort(game, seq, data, reason="stopped", command="stop")
            else:
                log.append(game, seq, data, seal=True, close=step == 2 and game < "g-3", command=f"c{step}")
            bench.now += 600
    log.append("s-1", 0, make_events("s-1", 0, 6), stream="series", private=True, close=True)
    log.keep_text("他换了牌", bytes(32))
    log.keep_text("a word", bytes(range(32)))
    log.close()


def check_of(bench: Any, **options: Any) -> Check:
    reader = bench.reader()
    try:
        return fsck(reader, **{"policy": bench.policy(), "now_ms": bench.now, **options})
    finally:
        reader.close()


def brief(findings: list[Finding]) -> list[tuple[object, ...]]:
    return [(each.level, each.code, each.game, each.seq if each.seq is not None else each.entry) for each in findings]


def test_an_honest_ledger_has_no_finding_and_every_row_is_counted(bench: Any, make_events: Make) -> None:
    play(bench, make_events)
    check = check_of(bench, kept={"the last signed checkpoint": bench.last.note})
    assert check.findings == []
    assert check.origin == "club.example/log"
    assert check.counted == {"checkpoints": 8, "entries": 16, "events": 54, "streams": 5, "commands": 12, "texts": 2}


@pytest.fixture
def shelf(memory_bench: Any, make_events: Make) -> Shelf:
    play(memory_bench, make_events)
    made: Shelf = memory_bench.memory.shelf
    return made


def event(shelf: Shelf, game: str, seq: int, **fields: Any) -> None:
    data, chain = shelf.events[game][seq]
    shelf.events[game][seq] = (encode({**decode(data), **fields}), chain)


def entry(shelf: Shelf, idx: int, **fields: Any) -> None:
    row = shelf.entries[idx]
    shelf.entries[idx] = row._replace(data=encode({**decode(row.data), **fields}))


def stream(shelf: Shelf, game: str, **fields: Any) -> None:
    shelf.streams[game] = shelf.streams[game]._replace(**fields)


def flip(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


CHANGES: dict[str, tuple[Callable[[Shelf], object], tuple[object, ...]]] = {
    "an event": (lambda s: event(s, "g-2", 5, tile="9p"), (4, "chain", "g-2", 5)),
    "a chain value": (
        lambda s: s.events["g-1"].update({3: (s.events["g-1"][3][0], bytes(32))}),
        (4, "chain", "g-1", 3),
    ),
    "an event gone": (lambda s: s.events["g-3"].pop(2), (4, "seq", "g-3", 2)),
    "an entry": (lambda s: entry(s, 7, at=1), (3, "tile", "g-2", 7)),
    "an entry gone": (lambda s: s.entries.pop(9), (3, "tile", None, 9)),
    "a leaf": (lambda s: s.entries.update({4: s.entries[4]._replace(leaf=bytes(32))}), (3, "tile", "g-3", 4)),
    "a note": (
        lambda s: s.checkpoints.update({11: s.checkpoints[11]._replace(note=s.checkpoints[2].note)}),
        (2, "note", None, 11),
    ),
    "a frontier": (
        lambda s: s.checkpoints.update({2: s.checkpoints[2]._replace(frontier=flip(s.checkpoints[2].frontier))}),
        (3, "tile", None, 2),
    ),
    "the head": (lambda s: setattr(s, "head", s.head and s.head._replace(gno=9)), (3, "root", None, 16)),
    "a blind": (lambda s: stream(s, "g-1", blind=bytes(32)), (4, "segment", "g-1", None)),
    "the blind of an open game": (lambda s: stream(s, "g-4", blind=bytes(32)), (4, "segment", "g-4", 0)),
    "a blind cut short": (lambda s: stream(s, "s-1", blind=bytes(3)), (4, "segment", "s-1", None)),
    "a gno": (lambda s: stream(s, "g-2", gno=8), (4, "gno", "g-2", None)),
    "a kind of stream": (lambda s: stream(s, "g-2", stream="case"), (4, "gno", "g-2", None)),
    "a private mark": (lambda s: stream(s, "s-1", private=False), (4, "segment", "s-1", None)),
    "a stream's row gone": (lambda s: s.streams.pop("g-1"), (4, "segment", "g-1", None)),
    "a stream nobody opened": (
        lambda s: s.streams.update({"x-1": s.streams["g-1"]._replace(game="x-1", gno=5)}),
        (4, "unpaired", "x-1", None),
    ),
    "events nobody opened": (lambda s: s.events.update({"x-1": dict(s.events["g-1"])}), (4, "unpaired", "x-1", None)),
    "a command's digest": (
        lambda s: s.commands.update({("g-1", "c1"): s.commands["g-1", "c1"]._replace(digest=bytes(32))}),
        (4, "command", "g-1", None),
    ),
    "a command's place": (
        lambda s: s.commands.update({("g-3", "stop"): s.commands["g-3", "stop"]._replace(size=11)}),
        (4, "command", "g-3", None),
    ),
    "a text": (
        lambda s: s.texts.update({k: v._replace(text="b word") for k, v in s.texts.items() if v.text == "a word"}),
        (4, "canonical", None, None),
    ),
    "a salt": (
        lambda s: s.texts.update({k: v._replace(salt=b"") for k, v in s.texts.items() if v.text == "a word"}),
        (4, "canonical", None, None),
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_found_where_it_was_made(memory_bench: Any, shelf: Shelf, change: str) -> None:
    make, place = CHANGES[change]
    make(shelf)
    assert place in brief(check_of(memory_bench).findings)


def test_all_changes_at_once_are_all_listed(memory_bench: Any, shelf: Shelf) -> None:
    """Each of these hides no other: they touch different rows."""
    names = ["an event", "a chain value", "a leaf", "a note", "a blind cut short", "a command's digest", "a text"]
    for name in names:
        CHANGES[name][0](shelf)
    event(shelf, "g-2", 9, tile="9s")
    event(shelf, "g-3", 1, tile="9s")
    findings = check_of(memory_bench).findings
    for place in [CHANGES[name][1] for name in names] + [(4, "chain", "g-2", 9), (4, "chain", "g-3", 1)]:
        assert place in brief(findings)
    assert len(findings) == len({(each.code, each.game, each.seq, each.entry, each.text) for each in findings})


def test_every_commitment_and_root_after_a_change_is_listed_not_only_the_first(memory_bench: Any, shelf: Shelf) -> None:
    event(shelf, "g-4", 1, tile="9s")
    found = brief(check_of(memory_bench).findings)
    commitments = [idx for idx, row in shelf.entries.items() if row.game == "g-4"]
    assert len(commitments) == 3
    assert [place for place in found if place[1] == "segment"] == [(4, "segment", "g-4", idx) for idx in commitments]
    entry(shelf, 3, at=1_796_083_200_001)
    found = brief(check_of(memory_bench).findings)
    assert [size for level, code, _, size in found if (level, code) == (3, "root")] == [
        size for size in shelf.checkpoints if size > 3
    ]


def test_what_verify_finds_fsck_finds(memory_bench: Any, shelf: Shelf) -> None:
    rng = random.Random(8)
    whole = {game: dict(rows) for game, rows in shelf.events.items()}, dict(shelf.entries), dict(shelf.checkpoints)
    for _ in range(120):
        shelf.events.update({game: dict(rows) for game, rows in whole[0].items()})
        shelf.entries.update(whole[1])
        shelf.checkpoints.update(whole[2])
        what = rng.randrange(3)
        if what == 0:
            game = rng.choice(list(shelf.events))
            seq = rng.choice(list(shelf.events[game]))
            data, chain = shelf.events[game][seq]
            at = rng.randrange(len(data))
            shelf.events[game][seq] = (data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :], chain)
        elif what == 1:
            idx = rng.choice(list(shelf.entries))
            data = shelf.entries[idx].data
            at = rng.randrange(len(data))
            changed = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
            shelf.entries[idx] = shelf.entries[idx]._replace(data=changed)
        else:
            size = rng.choice(list(shelf.checkpoints))
            note = shelf.checkpoints[size].note
            at = rng.randrange(len(note))
            shelf.checkpoints[size] = shelf.checkpoints[size]._replace(note=note[:at] + b"x" + note[at + 1 :])
        audit = Audit(MemoryStore(shelf), policy=memory_bench.policy())
        list(audit.games())
        told = {(each.code, each.game, each.seq, each.entry) for each in audit.findings}
        found = {(each.code, each.game, each.seq, each.entry) for each in check_of(memory_bench).findings}
        assert told <= found


def test_heads_kept_outside_must_be_heads_of_this_log(memory_bench: Any, shelf: Shelf, make_events: Make) -> None:
    what = "the last signed checkpoint"
    other = type(memory_bench)(now=memory_bench.now)
    log = other.create()
    for number in range(5):
        log.append(f"g-{number}", 0, make_events(f"g-{number}", 0, 2), seal=True, close=True)
    log.close()
    found = check_of(memory_bench, kept={what: other.last.note}).findings
    assert brief(found) == [(2, "fork", None, 12)]
    note = memory_bench.last.note
    for idx in range(14, 16):
        del shelf.entries[idx]
    assert (2, "rollback", None, 16) in brief(check_of(memory_bench, kept={what: note}).findings)
    with pytest.raises(Unavailable, match=what):
        check_of(memory_bench, kept={what: b"no note"})


def test_a_weak_or_wrong_policy_does_not_end_the_check(memory_bench: Any, shelf: Shelf) -> None:
    event(shelf, "g-2", 5, tile="9p")
    weak = b"log club.example/log+00000000+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nquorum none\n"
    found = brief(check_of(memory_bench, policy=weak).findings)
    assert found[0][:2] == (1, "weak_key")
    assert (4, "chain", "g-2", 5) in found
    with pytest.raises(Malformed):
        check_of(memory_bench, policy=b"no policy\n")
    assert (4, "chain", "g-2", 5) in brief(check_of(memory_bench, policy=None).findings)


@pytest.fixture
def file(sqlite_bench: Any, make_events: Make) -> tuple[Any, Path]:
    play(sqlite_bench, make_events)
    return sqlite_bench, Path(sqlite_bench.target.removeprefix("sqlite:///"))


def raw(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("INSERT INTO events SELECT game, -1, chain, data FROM events WHERE game = 'g-1' AND seq = 0", "events"),
        ("INSERT INTO events SELECT game, 'x', chain, data FROM events WHERE game = 'g-1' AND seq = 0", "events"),
        ("INSERT INTO entries SELECT -1, kind, game, leaf, data FROM entries WHERE idx = 3", "entries"),
    ],
)
def test_rows_that_hide_are_counted(file: tuple[Any, Path], statement: str, table: str) -> None:
    bench, path = file
    raw(path, statement)
    assert ("seq", True) in [(each.code, table in each.text.en) for each in check_of(bench).findings]


def test_a_missing_seat_belt_is_named(file: tuple[Any, Path]) -> None:
    bench, path = file
    raw(path, "DROP TRIGGER events_no_update", "DROP TRIGGER entries_no_delete")
    assert [each.found for each in check_of(bench).findings] == [
        "the trigger events_no_update is missing",
        "the trigger entries_no_delete is missing",
    ]


def test_a_missing_seat_belt_is_named_on_postgres(postgres: Callable[[], str]) -> None:
    import psycopg

    url = postgres()
    create_store(url).close()
    with psycopg.connect(url) as connection:
        connection.execute("DROP TRIGGER events_no_update ON events")
        connection.execute("ALTER TABLE entries DISABLE TRIGGER entries_no_delete")
    reader = open_reader(url)
    assert sorted(reader.faults()) == [
        "the trigger entries_no_delete is missing",
        "the trigger events_no_update is missing",
    ]
    reader.close()


@pytest.mark.parametrize("seed", range(4))
def test_pages_that_cannot_be_read_are_findings_and_the_rest_is_looked_at(file: tuple[Any, Path], seed: int) -> None:
    bench, path = file
    data = bytearray(path.read_bytes())
    page = int.from_bytes(data[16:18])
    rng = random.Random(seed)
    broken = 0
    for _ in range(12):
        place = rng.randrange(1, len(data) // page)
        damaged = data[: place * page] + b"\xff" * page + data[(place + 1) * page :]
        path.write_bytes(damaged)
        try:
            check = check_of(bench)
        except Unavailable:
            continue  # the page of the list of tables, or of the format
        assert check.findings
        assert all("\n" not in each.text.en for each in check.findings)
        assert {"checkpoints", "entries", "events", "streams", "commands", "texts"} == check.counted.keys()
        broken += 1
    assert broken


def test_a_text_that_is_no_text_is_a_finding(memory_bench: Any, shelf: Shelf) -> None:
    for text in ("\udc80", None, b"bytes"):
        for key, row in shelf.texts.items():
            shelf.texts[key] = row._replace(text=text)  # type: ignore[arg-type]
        assert brief(check_of(memory_bench).findings) == [(4, "canonical", None, None)] * 2
    assert text_commitment(bytes(32), "x")


def test_rows_of_any_type_are_findings_not_tracebacks(memory_bench: Any, shelf: Shelf) -> None:
    shelf.entries[5] = EntryRow(5, None, 7, "leaf", "text")  # type: ignore[arg-type]
    shelf.events["g-1"][2] = ("text", None)  # type: ignore[assignment]
    stream(shelf, "g-2", blind="text")
    shelf.commands["g-2", "c1"] = shelf.commands["g-2", "c1"]._replace(seq="x", digest=5)
    memory_bench.last = MemoryNote()
    found = brief(check_of(memory_bench).findings)
    for place in ((3, "canonical", None, 5), (4, "canonical", "g-1", 2), (4, "segment", "g-2", None)):
        assert place in found
    assert (4, "command", "g-2", None) in found

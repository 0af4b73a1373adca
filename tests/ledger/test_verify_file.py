"""Game files: written unchanged, read strictly, audited leniently; every bad or cut line named."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.canonical import MAX_BYTES, encode
from ledger.errors import LedgerError, Malformed, Refused, Unavailable
from ledger.verify_file import audit_file, audit_lines, export_game, lines, read_game

Make = Callable[[str, int, int], list[bytes]]
FILE = b"".join(encode({"at": seq, "game": "g-1", "seq": seq, "type": "noted", "v": 1}) + b"\n" for seq in range(8))


def split(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def audited(data: bytes) -> list[tuple[str, int | None]]:
    audit = audit_lines(lines(io.BytesIO(data)), "x")
    return [(found.code, found.seq) for found in audit.findings]


def test_a_game_goes_out_and_in_unchanged(bench: Any, make_events: Make) -> None:
    log = bench.create()
    data = make_events("g-1", 0, 9)
    log.append("g-1", 0, data[:4], seal=True)
    log.append("g-1", 4, data[4:], close=True)
    log.close()
    reader = bench.reader()
    exported = list(export_game(reader, "g-1"))
    with pytest.raises(Unavailable, match="no stream none"):
        list(export_game(reader, "none"))
    reader.close()
    assert b"".join(exported) == b"".join(each + b"\n" for each in data)

    other = type(bench)()
    log = other.create()
    log.append("first", 0, make_events("first", 0, 1))
    done = log.import_game(exported, "g-1.paipu.jsonl")
    assert (done.game, done.gno, done.size) == ("g-1", 1, 9)
    for again in (exported, exported[:3]):
        with pytest.raises(Refused):
            log.import_game(again)
    log.import_game([each + b"\n" for each in make_events("open", 0, 2)], close=False)
    with pytest.raises(Refused, match="already"):
        log.import_game([each + b"\n" for each in make_events("open", 0, 2)])
    log.close()
    assert other.findings() == []
    assert list(export_game(other.reader(), "g-1")) == exported


def test_a_damaged_game_is_not_exported(memory_bench: Any, make_events: Make) -> None:
    log = memory_bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 4))
    del memory_bench.memory.shelf.events["g-1"][2]
    with pytest.raises(Unavailable, match="event 2 of g-1 is damaged"):
        list(export_game(memory_bench.reader(), "g-1"))


def test_a_good_file_holds(tmp_path: Path) -> None:
    (tmp_path / "g-1.paipu.jsonl").write_bytes(FILE)
    audit = audit_file(tmp_path / "g-1.paipu.jsonl")
    assert (audit.game, audit.size, audit.findings) == ("g-1", 8, [])
    assert b"".join(each + b"\n" for each in audit.events) == FILE
    assert [record["seq"] for record in audit.records] == list(range(8))


def test_deleted_doubled_swapped_and_foreign_lines_are_named() -> None:
    rows = split(FILE)
    assert audited(b"".join(rows[:3] + rows[4:])) == [("seq", 3)]
    assert audited(b"".join(rows[:4] + rows[3:])) == [("seq", 4)]
    assert ("seq", 3) in audited(b"".join([*rows[:3], rows[4], rows[3], *rows[5:]]))
    assert audited(b"".join([*rows[:3], rows[3].replace(b"g-1", b"g-2"), *rows[4:]])) == [("seq", 3), ("seq", 3)]
    assert audited(b"".join(rows[2:])) == [("seq", 0)]


def test_bad_lines_are_named_and_the_rest_is_looked_at() -> None:
    rows = split(FILE)
    for bad in (b"\n", b"{}x\n", b"\xff\n", b'{"seq":3 }\n', b"null\n", rows[3].replace(b'"seq"', b'"seq":3,"seq"')):
        assert audited(b"".join([*rows[:3], bad, *rows[4:]])) == [("canonical", 3)]
    assert audited(FILE[:-1]) == [("canonical", 7)]
    assert audited(FILE[:-9]) == [("canonical", 7)]
    assert audited(FILE + b"\n") == [("canonical", 8)]
    assert audited(rows[0] + rows[1].replace(b"\n", b"\r\n")) == [("canonical", 1)]
    with pytest.raises(Unavailable):
        audited(FILE.replace(b"\n", b"\r\n"))
    assert audited(FILE + b"x" * (3 * MAX_BYTES)) == [("canonical", 8), ("canonical", 9), ("canonical", 10)]


@pytest.mark.parametrize("data", [b"", b"\n", b"x", b"\xff" * 100, b"null\n", b"[]\n", b"\x00" * 70_000], ids=range(7))
def test_without_one_event_there_is_nothing_to_judge(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(Unavailable, match="not one canonical event"):
        audit_file(tmp_path / "f")
    with pytest.raises(LedgerError):
        read_game(iter(split(data)), "f")


@pytest.mark.parametrize("data", [b"{}\n", b'{"a":1}\n', b'{"game":"a b","seq":0}\n', b'{"game":"g-1","seq":false}\n'])
def test_canonical_objects_in_no_place_of_any_game_are_findings(data: bytes) -> None:
    assert audited(data) == [("seq", 0)]
    with pytest.raises(Malformed):
        read_game(iter(split(data)), "f")


def test_files_that_do_not_open(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="No such file"):
        audit_file(tmp_path / "none")
    with pytest.raises(Unavailable, match="directory"):
        audit_file(tmp_path)


def test_reading_strictly_names_the_first_line_at_fault() -> None:
    assert read_game(iter(split(FILE)), "f") == ("g-1", [row[:-1] for row in split(FILE)])
    rows = split(FILE)
    for damaged, reason in (
        ([*rows[:3], b"{}x\n"], "f line 4"),
        ([*rows[:3], rows[4]], r"f line 4: g-1 seq 3 was expected, not g-1 seq 4"),
        ([rows[0].replace(b"g-1", b"g-2"), *rows[1:]], r"f line 2: g-2 seq 1 was expected, not g-1"),
        ([*rows[:7], rows[7][:-1]], "f line 8: cut off"),
        ([b'{"game":"a b","seq":0}\n'], "no game id"),
        ([b'{"game":"g-1","seq":false}\n'], "f line 1"),
    ):
        with pytest.raises(Malformed, match=reason):
            read_game(iter(damaged), "f")


@given(st.integers(0, len(FILE) - 1), st.integers(0, 7), st.sampled_from(["flip", "cut", "tail"]))
@settings(max_examples=300)
def test_every_flip_and_cut_of_a_file_is_found_or_another_lawful_spelling(at: int, bit: int, act: str) -> None:
    if act == "flip":
        data = bytes([*FILE[:at], FILE[at] ^ 1 << bit, *FILE[at + 1 :]])
    elif act == "cut":
        data = FILE[:at] + FILE[at + 1 :]
    else:
        data = FILE[:at]
    try:
        game, events = read_game(iter(split(data)), "f")
    except LedgerError:
        try:
            assert audit_lines(lines(io.BytesIO(data)), "x").findings
        except Unavailable:
            assert data.count(b"\n") < 2
        return
    # A bare file has no signature: what is left whole and in order cannot be told from the original.
    assert b"".join(each + b"\n" for each in events) == data
    assert game

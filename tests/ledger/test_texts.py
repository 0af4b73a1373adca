"""Erasure: the text is gone, from the database's own files too, and every hash is as valid as before."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import Malformed, Unavailable
from ledger.store import create_store, open_reader
from ledger.texts import MAX_BYTES, erase_text, find_text, keep_text, new_salt

WORDS = "他换了牌 and a telephone number 555-0199, " * 20


def bound(bench: Any, make_event: Callable[..., bytes]) -> tuple[Any, str]:
    log = bench.create()
    name = log.keep_text(WORDS, bytes(range(32)))
    log.append("c-1", 0, [make_event("c-1", 0, claim=name)], stream="case", close=True)
    return log, name


def test_an_event_is_bound_to_its_text_and_outlives_it(bench: Any, make_event: Callable[..., bytes]) -> None:
    log, name = bound(bench, make_event)
    assert name == sha256(b"\x03" + bytes(range(32)) + WORDS.encode()).hexdigest()
    reader = bench.reader()
    row = find_text(reader, name)
    assert row is not None
    assert (row.text, row.salt) == (WORDS, bytes(range(32)))
    reader.close()
    before = bench.audit()[0]
    assert log.erase_text(name)
    assert not log.erase_text(name)
    reader = bench.reader()
    assert find_text(reader, name) is None
    reader.close()
    log.close()
    after = bench.audit()[0]
    assert (after.findings, after.size, after.root) == ([], before.size, before.root)


def test_the_bytes_are_gone_from_the_file_and_its_write_ahead_log(
    sqlite_bench: Any, make_event: Callable[..., bytes], tmp_path: Path
) -> None:
    log, name = bound(sqlite_bench, make_event)
    log.keep_text("stays", new_salt())

    def holding() -> list[str]:
        return [path.name for path in tmp_path.iterdir() if b"555-0199" in path.read_bytes()]

    assert holding()
    log.erase_text(name)
    assert holding() == []
    log.close()
    assert holding() == []
    reader = open_reader(sqlite_bench.target)
    assert [row.text for row in reader.texts()] == ["stays"]
    reader.close()


def test_the_bytes_are_gone_from_the_tables_of_postgres(
    cluster: Any, postgres: Callable[[], str], bench_at: Callable[[str], Any], make_event: Callable[..., bytes]
) -> None:
    bench = bench_at(postgres())
    log, name = bound(bench, make_event)

    def holding() -> int:
        cluster.run("CHECKPOINT")
        pages = (cluster.folder / "data" / "base").rglob("*")
        return sum(b"555-0199" in page.read_bytes() for page in pages if page.is_file())

    assert holding() == 1
    log.erase_text(name)
    assert holding() == 0
    log.close()
    assert bench.findings() == []


def test_a_reader_of_the_old_pages_is_named_and_the_text_is_erased_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store_sqlite.WAIT_MS", 1000)
    store = create_store(f"sqlite:///{tmp_path}/x.db")
    name = keep_text(store, WORDS, new_salt())
    reader = open_reader(f"sqlite:///{tmp_path}/x.db")
    assert find_text(reader, name) is not None
    with pytest.raises(Unavailable, match="a reader still holds"):
        erase_text(store, name)
    reader.close()
    assert not erase_text(store, name)
    assert b"555-0199" not in (tmp_path / "x.db").read_bytes() + (tmp_path / "x.db-wal").read_bytes()
    store.close()


@pytest.mark.parametrize("text", ["a\x00b", "\ud800", "x" * (MAX_BYTES + 1)])
def test_what_not_every_database_keeps_is_refused(bench: Any, text: str) -> None:
    log = bench.create()
    with pytest.raises(Malformed):
        log.keep_text(text, new_salt())
    for name in ("", "0x" + "0" * 62, "A" * 64, "0" * 63, "zz" * 32):
        with pytest.raises(Malformed):
            log.erase_text(name)
    for kept in ("", "x" * MAX_BYTES, "\n\t\U0001f004"):
        assert log.erase_text(log.keep_text(kept, new_salt()))
    log.close()

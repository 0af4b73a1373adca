"""One contract for every backend, and what only a file can do: permissions, versions, readers beside writers."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.exc import DBAPIError

from ledger.errors import Refused, Unavailable
from ledger.models import FORMAT
from ledger.store import (
    CommandRow,
    EntryRow,
    EventRow,
    HeadRow,
    SignedRow,
    Store,
    StreamRow,
    TextRow,
    create_store,
    open_reader,
    open_store,
    sqlite_path,
)

Opener = Callable[[], Store]
HEAD = HeadRow(3, 2, 1_796_083_200_000, 1, b"r" * 32, b"f" * 64)


def fill(store: Store) -> None:
    with store.writing():
        store.add_events(
            [EventRow(game, seq, bytes([seq]) * 32, b"%d" % seq) for game in ("b", "a") for seq in range(5)]
        )
        store.add_streams([StreamRow("b", 0, "game", False, b"1" * 32), StreamRow("a", 1, "case", True, b"2" * 32)])
        store.add_entries(
            [
                EntryRow(0, "config", None, b"l" * 32, b"zero"),
                EntryRow(1, "open", "b", b"l" * 32, b"one"),
                EntryRow(2, "open", "a", b"l" * 32, b"two"),
                EntryRow(3, "close", "b", b"l" * 32, b"three"),
            ]
        )
        store.add_checkpoint(SignedRow(9, b"note 9", b"x" * 64))
        store.add_checkpoint(SignedRow(10, b"note 10", b"y" * 64))
        store.add_commands([CommandRow("b", "c-1", 0, 5, b"d" * 32)])
        store.add_text(TextRow(b"c" * 32, b"s" * 32, "说明"))
        store.set_head(HEAD)


def test_what_is_added_is_read_in_order_by_every_handle(stores: Opener) -> None:
    fill(stores())
    store = stores()
    with store.writing():
        assert store.head() == HEAD
        assert list(store.games()) == ["a", "b"]
        assert [seq for seq, _, _ in store.events("a")] == [0, 1, 2, 3, 4]
        assert list(store.events("b", 3)) == [(3, b"3", b"\x03" * 32), (4, b"4", b"\x04" * 32)]
        assert [data for _, data, _ in store.events("b", 1, 3)] == [b"1", b"2"]
        assert list(store.events("none")) == []
        assert [row.idx for row in store.entries()] == [0, 1, 2, 3]
        assert [row.idx for row in store.entries(1, 3)] == [1, 2]
        assert next(store.entries()) == EntryRow(0, "config", None, b"l" * 32, b"zero")
        assert [row.idx for row in store.entries_of("b")] == [1, 3]
        assert [row.idx for row in store.entries_of_kind("open", "config")] == [0, 1, 2]
        assert store.stream("a") == StreamRow("a", 1, "case", True, b"2" * 32)
        assert store.stream("none") is None
        assert [row.game for row in store.streams()] == ["b", "a"]
        assert [row.game for row in store.streams(start=1)] == ["a"]
        assert [row.game for row in store.streams(count=1)] == ["b"]
        assert [row.game for row in store.streams("case", "series")] == ["a"]
        assert [row.game for row in store.streams("case", "game", start=1, count=1)] == ["a"]
        assert list(store.streams("case", start=1)) == list(store.streams(count=0)) == []
        assert [store.count_streams(*kinds) for kinds in ((), ("case",), ("game", "case"), ("series",))] == [2, 1, 2, 0]
        assert [store.count_streams(below=gno) for gno in (0, 1, 2)] == [0, 1, 2]
        assert store.count_streams("case", below=1) == 0
        assert store.checkpoint() == SignedRow(10, b"note 10", b"y" * 64)
        assert [row.size for row in store.checkpoints()] == [9, 10]
        assert store.command("b", "c-1") == CommandRow("b", "c-1", 0, 5, b"d" * 32)
        assert store.command("a", "c-1") is None
        assert list(store.open_streams()) == ["a"]
        assert (store.last_seq("a"), store.last_seq("none")) == (4, -1)
        assert store.text(b"c" * 32) == TextRow(b"c" * 32, b"s" * 32, "说明")


def test_an_empty_store_answers_nothing(stores: Opener) -> None:
    store = stores()
    with store.writing():
        assert store.head() is None
        assert store.checkpoint() is None
        assert list(store.checkpoints()) == []
        assert list(store.entries()) == list(store.games()) == list(store.open_streams()) == []
        assert list(store.streams()) == []
        assert store.count_streams() == 0
        store.add_events([])
        store.add_entries([])
        store.add_streams([])
        store.add_commands([])


def test_an_error_leaves_nothing_behind(stores: Opener) -> None:
    fill(stores())
    store = stores()
    with pytest.raises(RuntimeError), store.writing():  # noqa: PT012  the error must leave the block
        store.add_events([EventRow("c", 0, b"c" * 32, b"x")])
        store.set_head(HEAD._replace(size=99))
        store.erase_text(b"c" * 32)
        raise RuntimeError
    again = stores()
    with again.writing():
        assert again.head() == HEAD
        assert list(again.events("c")) == []
        assert again.text(b"c" * 32) is not None


@pytest.mark.parametrize(
    "add",
    [
        lambda store: store.add_events([EventRow("a", 5, b"c" * 32, b"new"), EventRow("a", 2, b"c" * 32, b"x")]),
        lambda store: store.add_entries([EntryRow(2, "open", "z", b"l" * 32, b"x")]),
        lambda store: store.add_streams([StreamRow("a", 7, "game", False, b"3" * 32)]),
        lambda store: store.add_streams([StreamRow("z", 1, "game", False, b"3" * 32)]),
        lambda store: store.add_checkpoint(SignedRow(9, b"x", b"")),
        lambda store: store.add_commands([CommandRow("b", "c-1", 0, 5, b"d" * 32)]),
    ],
    ids=["event", "entry", "stream", "gno", "checkpoint", "command"],
)
def test_a_taken_place_is_refused_and_all_of_it_undone(stores: Opener, add: Callable[[Store], None]) -> None:
    fill(stores())
    store = stores()
    with pytest.raises(Refused), store.writing():
        add(store)
    with store.writing():
        assert len(list(store.events("a"))) == 5
        assert len(list(store.entries())) == 4


def test_head_is_replaced_and_texts_are_erased(stores: Opener) -> None:
    store = stores()
    fill(store)
    with store.writing():
        store.set_head(HEAD._replace(size=4, revision=2))
        store.erase_text(b"c" * 32)
        store.erase_text(b"none" * 8)
    other = stores()
    with other.writing():
        assert other.head() == HEAD._replace(size=4, revision=2)
        assert other.text(b"c" * 32) is None


def test_writers_take_turns(stores: Opener) -> None:
    fill(stores())
    first, second = stores(), stores()
    order: list[str] = []
    inside = threading.Event()

    def late() -> None:
        inside.wait()
        with second.writing():
            order.append("second")

    thread = threading.Thread(target=late)
    thread.start()
    with first.writing():
        inside.set()
        thread.join(0.15)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_a_reader_sees_one_state_while_a_writer_goes_on(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    store = create_store(url)
    fill(store)
    reader = open_reader(url)
    assert reader.head() == HEAD
    with store.writing():
        store.add_events([EventRow("c", 0, b"c" * 32, b"x")])
        store.set_head(HEAD._replace(size=9))
    assert reader.head() == HEAD
    assert list(reader.games()) == ["a", "b"]
    reader.close()
    fresh = open_reader(url)
    assert list(fresh.games()) == ["a", "b", "c"]
    fresh.close()
    store.close()


def test_reading_leaves_the_folder_and_the_file_as_they_were(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    store = create_store(url)
    fill(store)
    store.close()
    before = (tmp_path / "x.db").read_bytes()
    reader = open_reader(url)
    assert len(list(reader.entries())) == 4
    with pytest.raises(DBAPIError, match="readonly"):
        reader._connection.exec_driver_sql("DELETE FROM texts")  # type: ignore[attr-defined]
    reader.close()
    assert [file.name for file in tmp_path.iterdir()] == ["x.db"]
    assert (tmp_path / "x.db").read_bytes() == before


def test_update_and_delete_are_refused_by_triggers(tmp_path: Path) -> None:
    store = create_store(f"sqlite:///{tmp_path}/x.db")
    fill(store)
    store.close()
    raw = sqlite3.connect(tmp_path / "x.db")
    for statement in (
        "UPDATE events SET data = x'00'",
        "DELETE FROM events",
        "UPDATE entries SET data = x'00'",
        "DELETE FROM entries",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            raw.execute(statement)
    raw.close()


def test_the_file_is_in_wal_and_fully_synchronous(tmp_path: Path) -> None:
    store = create_store(f"sqlite:///{tmp_path}/x.db")
    connection = store._connection  # type: ignore[attr-defined]
    assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()


def refused(url: str, reason: str, *, readers: bool = True) -> None:
    for opener in (open_store, open_reader) if readers else (open_store,):
        with pytest.raises(Unavailable, match=reason) as caught:
            opener(url)
        assert "\n" not in str(caught.value)
        assert caught.value.target == url


def test_what_is_no_ledger_is_refused_in_one_line_and_nothing_is_made(tmp_path: Path) -> None:
    refused(f"sqlite:///{tmp_path}/none.db", "no such file")
    refused(f"sqlite:///{tmp_path}", "a folder")
    (tmp_path / "text.db").write_text("not a database, but long enough to look at\n")
    refused(f"sqlite:///{tmp_path}/text.db", "no SQLite database")
    (tmp_path / "empty.db").touch()
    refused(f"sqlite:///{tmp_path}/empty.db", "no SQLite database")
    for url in ("x.db", "sqlite://", "sqlite:///", "mysql://x/y"):
        refused(url, "not a ledger URL")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty.db", "text.db"]


def test_foreign_and_other_versions_are_told_apart(tmp_path: Path) -> None:
    raw = sqlite3.connect(tmp_path / "foreign.db")
    raw.execute("CREATE TABLE t (a)")
    raw.commit()
    raw.close()
    refused(f"sqlite:///{tmp_path}/foreign.db", "not a ledger")
    url = f"sqlite:///{tmp_path}/x.db"
    create_store(url).close()
    raw = sqlite3.connect(tmp_path / "x.db")
    raw.execute("DROP TABLE commands")
    raw.commit()
    refused(url, "lacks its tables commands")
    raw.execute(f"UPDATE about SET value = {FORMAT + 1}")
    raw.commit()
    raw.close()
    refused(url, f"a ledger of format {FORMAT + 1}; this version reads format {FORMAT}")


def test_a_broken_page_is_one_clear_error(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/x.db"
    create_store(url).close()
    data = bytearray((tmp_path / "x.db").read_bytes())
    data[100:200] = b"\xff" * 100
    (tmp_path / "x.db").write_bytes(data)
    refused(url, "malformed|not a database")


def test_creating_over_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("mine")
    with pytest.raises(Unavailable, match="exists already"):
        create_store(f"sqlite:///{tmp_path}/x.db")
    assert (tmp_path / "x.db").read_text() == "mine"
    with pytest.raises(Unavailable, match="no such folder"):
        create_store(f"sqlite:///{tmp_path}/none/x.db")


def test_names_with_odd_characters_are_paths_not_options(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/odd ?mode=memory#%41 名.db"
    create_store(url).close()
    assert sqlite_path(url).exists()
    open_reader(url).close()


AS_NOBODY = """
import os, sys
from ledger.errors import Unavailable
from ledger.store import create_store, open_reader, open_store
target, what, warm = sys.argv[1:]
list(open_reader(warm).entries())  # imports what it needs while this process may still read Python's own files
os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    store = {"create": create_store, "open": open_store, "read": open_reader}[what](target)
    print(len(list(store.entries())) if what == "read" else "opened")
except Unavailable as error:
    print(error.reason)
"""


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root, to drop privileges")
def test_missing_permissions_are_named_and_reading_without_any_works(tmp_path: Path) -> None:
    create_store(f"sqlite:///{tmp_path}/w.db").close()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = create_store(f"sqlite:///{folder}/x.db")
        fill(store)
        store.close()
        folder.chmod(0o755)

        def attempt(what: str, file: str) -> str:
            command = [
                sys.executable,
                "-c",
                AS_NOBODY,
                f"sqlite:///{folder}/{file}",
                what,
                f"sqlite:///{tmp_path}/w.db",
            ]
            here = Path(__file__).parents[2]
            done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=here)
            assert not done.stderr, done.stderr
            return done.stdout.strip()

        assert attempt("create", "new.db") == "no permission to write there"
        assert attempt("open", "x.db") == "no permission to write it"
        assert attempt("read", "x.db") == "4"
        (folder / "x.db").chmod(0o600)
        assert attempt("read", "x.db") == "no permission to read it"
        assert sorted(file.name for file in folder.iterdir()) == ["x.db"]

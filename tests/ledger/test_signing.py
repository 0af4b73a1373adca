"""What may not be signed is not signed: damage between writing and signing, rollbacks, forks, restored backups."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.canonical import decode, encode
from ledger.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from ledger.errors import Diverged, Refused, Unavailable
from ledger.keys import SigningKey
from ledger.merkle import leaf
from ledger.notefile import MemoryNote, NoteFile
from ledger.store_memory import MemoryStore, Shelf

Make = Callable[[str, int, int], list[bytes]]


def pending(bench: Any, make_events: Make) -> Any:
    """A log with entries and events that are stored and not signed yet."""
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 4))
    log.append("g-2", 0, make_events("g-2", 0, 4))
    log.append("g-1", 4, make_events("g-1", 4, 8), seal=True)
    return log


def flipped(data: bytes, at: int = 20) -> bytes:
    return bytes([*data[:at], data[at] ^ 1, *data[at + 1 :]])


def flip_event(shelf: Shelf) -> None:
    data, chain = shelf.events["g-1"][6]
    shelf.events["g-1"][6] = (flipped(data), chain)


def flip_chain(shelf: Shelf) -> None:
    data, chain = shelf.events["g-1"][6]
    shelf.events["g-1"][6] = (data, flipped(chain))


def drop_event(shelf: Shelf) -> None:
    del shelf.events["g-1"][7]


def flip_entry(shelf: Shelf) -> None:
    shelf.entries[3] = shelf.entries[3]._replace(data=flipped(shelf.entries[3].data))


def swap_entry(shelf: Shelf) -> None:
    row = shelf.entries[3]
    data = encode({**decode(row.data), "at": 1})
    shelf.entries[3] = row._replace(data=data, leaf=leaf(data))


def drop_entry(shelf: Shelf) -> None:
    del shelf.entries[3]


def flip_blind(shelf: Shelf) -> None:
    row = shelf.streams["g-1"]
    shelf.streams["g-1"] = row._replace(blind=flipped(row.blind))


def flip_note(shelf: Shelf) -> None:
    shelf.checkpoints[2] = shelf.checkpoints[2]._replace(note=flipped(shelf.checkpoints[2].note))


def shrink(shelf: Shelf) -> None:
    assert shelf.head is not None
    shelf.head = shelf.head._replace(size=1)


@pytest.mark.parametrize(
    "damage",
    [flip_event, flip_chain, drop_event, flip_entry, swap_entry, drop_entry, flip_blind, flip_note, shrink],
    ids=lambda each: each.__name__,
)
@pytest.mark.parametrize("restarted", [False, True])
def test_damage_between_writing_and_signing_is_never_signed(
    memory_bench: Any, make_events: Make, damage: Callable[[Shelf], None], restarted: bool
) -> None:
    log = pending(memory_bench, make_events)
    shelf = memory_bench.memory.shelf
    before = memory_bench.last.note
    damage(shelf)
    with pytest.raises(Diverged):  # noqa: PT012  either way of coming to sign
        if restarted:
            memory_bench.open()
        else:
            log.append("g-2", 4, make_events("g-2", 4, 5), close=True)
    assert memory_bench.last.note == before
    assert list(shelf.checkpoints) == [2]


def test_nothing_is_lost_when_signing_is_refused(memory_bench: Any, make_events: Make) -> None:
    log = pending(memory_bench, make_events)
    shelf = memory_bench.memory.shelf
    kept = shelf.events["g-1"][6]
    flip_event(shelf)
    with pytest.raises(Diverged, match="g-1"):
        log.append("g-2", 4, make_events("g-2", 4, 5), close=True)
    assert 4 in shelf.events["g-2"]
    shelf.events["g-1"][6] = kept
    log.close()
    assert memory_bench.findings() == []


def test_a_restored_backup_cannot_be_signed_into_a_fork(sqlite_bench: Any, make_events: Make, tmp_path: Path) -> None:
    bench = sqlite_bench
    path = Path(bench.target.removeprefix("sqlite:///"))
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 4))
    log.close()
    shutil.copy(path, tmp_path / "backup")
    log = bench.open()
    log.append("g-1", 4, make_events("g-1", 4, 8), close=True)
    log.close()
    signed = read_checkpoint(bench.last.load())
    shutil.copy(tmp_path / "backup", path)
    with pytest.raises(Diverged, match="shrunk") as caught:
        bench.open()
    assert caught.value.signed == (signed.size, signed.root)
    # With another memory the same database grows past what was signed; the real memory still refuses its head.
    log = bench.open(last=MemoryNote())
    for number in range(3):
        log.append(f"h-{number}", 0, make_events(f"h-{number}", 0, 1), close=True)
    log.close()
    with pytest.raises(Diverged, match="no head of this log"):
        bench.open()


def test_two_histories_of_one_size_are_refused(memory_bench: Any) -> None:
    bench = memory_bench
    bench.create().close()
    other = MemoryNote()
    other.save(sign_checkpoint(Checkpoint("club.example/log", 2, leaf(b"other")), [bench.key]))
    with pytest.raises(Diverged, match="no head of this log"):
        bench.open(last=other)
    elsewhere = MemoryNote()
    key = SigningKey("other.example", bytes(32))
    elsewhere.save(sign_checkpoint(Checkpoint("other.example", 1, leaf(b"x")), [key]))
    with pytest.raises(Diverged, match="signed for other"):
        bench.open(last=elsewhere)
    damaged = MemoryNote()
    damaged.save(b"junk")
    with pytest.raises(Unavailable, match="damaged"):
        bench.open(last=damaged)


def test_the_note_is_remembered_before_it_is_stored(memory_bench: Any, make_events: Make) -> None:
    log = pending(memory_bench, make_events)
    shelf = memory_bench.memory.shelf

    class Failing(MemoryStore):
        def add_checkpoint(self, row: object) -> None:  # noqa: ARG002  the interface's
            raise Unavailable("memory", "the disk is full")

    log._store = Failing(shelf)
    with pytest.raises(Unavailable):
        log.seal()
    remembered = read_checkpoint(memory_bench.last.load())
    assert remembered.size == max(shelf.entries) + 1
    assert list(shelf.checkpoints) == [2]
    memory_bench.open().close()
    assert memory_bench.findings() == []


def test_a_failing_store_changes_nothing_at_any_step(memory_bench: Any, make_events: Make) -> None:
    log = pending(memory_bench, make_events)
    shelf = memory_bench.memory.shelf
    for step in ("add_events", "add_entries", "add_streams", "add_commands", "set_head"):

        def fail(_: object) -> None:
            raise Unavailable("memory", "the disk is full")

        store = MemoryStore(shelf)
        setattr(store, step, fail)
        log._store = store
        before = (shelf.head, dict(shelf.entries), {game: dict(rows) for game, rows in shelf.events.items() if rows})
        ticket = log.stage(f"new-{step}", 0, make_events(f"new-{step}", 0, 2), command="c")
        with pytest.raises(Unavailable):
            log.flush()
        with pytest.raises(Unavailable):
            ticket.result()
        assert before == (
            shelf.head,
            dict(shelf.entries),
            {game: dict(rows) for game, rows in shelf.events.items() if rows},
        )
        log._store = MemoryStore(shelf)
        assert log.append(f"new-{step}", 0, make_events(f"new-{step}", 0, 2), command="c").size == 2
    log.close()
    assert memory_bench.findings() == []


def test_a_damaged_game_takes_nothing_more_and_the_others_go_on(memory_bench: Any, make_events: Make) -> None:
    log = pending(memory_bench, make_events)
    log.close()
    shelf = memory_bench.memory.shelf
    flip_event(shelf)
    log = memory_bench.open()
    with pytest.raises(Refused, match="event 6 is damaged"):
        log.append("g-1", 8, make_events("g-1", 8, 9))
    log.append("g-2", 4, make_events("g-2", 4, 5), close=True)
    log.close()
    assert [(found.code, found.game, found.seq) for found in memory_bench.findings()] in (
        [("chain", "g-1", 6)],
        [("canonical", "g-1", 6)],
    )


def test_a_note_file_is_whole_or_the_old_one(tmp_path: Path) -> None:
    kept = NoteFile(tmp_path / "log.key.last")
    assert kept.load() is None
    kept.save(b"one")
    kept.save(b"two")
    assert kept.load() == b"two"
    assert [file.name for file in tmp_path.iterdir()] == ["log.key.last"]
    with pytest.raises(Unavailable, match="cannot be written"):
        NoteFile(tmp_path / "none" / "x").save(b"x")
    with pytest.raises(Unavailable, match="cannot be read"):
        NoteFile(tmp_path).load()

"""Every single bit of a small log flipped, one at a time: all caught; game and seq, index or size named (ledger.md 7).

Sixty events in six games, every bit judged by the audit of its game alone, which depends on no other. The
main log's by the pass over it: a bit of every byte, with --long every bit.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ledger.canonical import encode
from ledger.findings import Finding
from ledger.store_memory import MemoryStore, Shelf
from ledger.verify import check_checkpoint
from ledger.verify_games import audit_game
from ledger.verify_log import audit_log

GAMES = 6
EVENTS = 10
Judge = Callable[[], list[Finding]]
Record = tuple[str, bytes, Callable[[bytes], object]]


@pytest.fixture
def log(memory_bench: Any) -> Any:
    """Sixty events; the last game stays open, one is private."""
    made = memory_bench.create()
    for game in range(GAMES):
        name = f"g-{game}"
        rows = [encode({"at": 1, "game": name, "seq": seq, "type": "x", "v": 1}) for seq in range(EVENTS)]
        made.append(name, 0, rows, close=game < GAMES - 1, private=game == 1)
        memory_bench.now += 100
    made.close()
    assert memory_bench.findings() == []
    return memory_bench


EVERY = (0, 1, 2, 3, 4, 5, 6, 7)


@pytest.fixture
def bits(request: pytest.FixtureRequest) -> tuple[int, ...]:
    """Which bits of a byte are flipped; none: one of them, another in each byte."""
    return EVERY if request.config.getoption("--long") else ()


def flips(data: bytes, bits: tuple[int, ...]) -> Iterator[bytes]:
    for at, byte in enumerate(data):
        for bit in bits or (at % 8,):
            yield data[:at] + bytes([byte ^ 1 << bit]) + data[at + 1 :]


def judged(record: Record, judge: Judge, named: Callable[[list[Finding]], bool], bits: tuple[int, ...] = EVERY) -> int:
    """Flip bits of a record; each must be found and named. Give how many."""
    name, data, put = record
    count = 0
    for changed in flips(data, bits):
        put(changed)
        assert named(judge()), (name, count)
        count += 1
    put(data)
    assert judge() == []
    return count


def of_events(shelf: Shelf, game: str) -> Iterator[tuple[int, Record]]:
    rows = shelf.events[game]
    for seq, (data, chain) in list(rows.items()):
        yield seq, ("data", data, lambda new, seq=seq, chain=chain: rows.update({seq: (new, chain)}))
        yield seq, ("chain", chain, lambda new, seq=seq, data=data: rows.update({seq: (data, new)}))


def of_table(rows: dict[int, Any], key: int, *names: str) -> Iterator[Record]:
    row = rows[key]
    for name in names:
        data = getattr(row, name)
        yield name, data, lambda new, name=name: rows.update({key: row._replace(**{name: new})})


@pytest.mark.parametrize("game", [f"g-{number}" for number in range(GAMES)])
def test_every_bit_of_every_event_and_chain_value_names_game_and_seq(log: Any, game: str) -> None:
    shelf: Shelf = log.memory.shelf
    store = MemoryStore(shelf)
    count = 0
    for seq, record in of_events(shelf, game):
        count += judged(
            record,
            lambda: audit_game(store, game).findings,
            lambda found, seq=seq: (game, seq) in {(each.game, each.seq) for each in found},
        )
    assert count > EVENTS * (32 + 40) * 8
    stream = shelf.streams[game]
    record = ("blind", stream.blind, lambda new: shelf.streams.update({game: stream._replace(blind=new)}))
    judged(record, lambda: audit_game(store, game).findings, lambda found: {each.game for each in found} == {game})


def test_every_bit_of_every_entry_and_leaf_names_its_index(log: Any, bits: tuple[int, ...]) -> None:
    shelf: Shelf = log.memory.shelf
    store = MemoryStore(shelf)
    verifiers = [log.key.verifier]
    newest = max(shelf.checkpoints)
    shelf.checkpoints = {newest: shelf.checkpoints[newest]}
    count = 0
    for idx in list(shelf.entries):
        for record in of_table(shelf.entries, idx, "data", "leaf"):
            count += judged(
                record,
                lambda: audit_log(store, verifiers).findings,
                lambda found, idx=idx: idx in {each.entry for each in found},
                bits,
            )
    assert count > len(shelf.entries) * 200 * max(1, len(bits))


def test_every_bit_of_every_checkpoint_names_its_size(log: Any, bits: tuple[int, ...]) -> None:
    shelf: Shelf = log.memory.shelf
    store = MemoryStore(shelf)
    verifiers = [log.key.verifier]

    def judge() -> list[Finding]:
        newest, note, found = check_checkpoint(store, verifiers)
        return found + audit_log(store, verifiers, newest=newest, judged=note).findings

    top = max(shelf.checkpoints)
    for size in sorted(shelf.checkpoints)[-2:]:
        for record in of_table(shelf.checkpoints, size, "note", "frontier"):
            # The newest note is level 2's one subject, and needs no number.
            judged(
                record,
                judge,
                lambda found, size=size: (
                    size in {each.entry for each in found} or (size == top and {each.level for each in found} == {2})
                ),
                bits,
            )


def test_every_bit_of_the_head_row_is_found(log: Any, bits: tuple[int, ...]) -> None:
    shelf: Shelf = log.memory.shelf
    store = MemoryStore(shelf)
    head = shelf.head
    assert head is not None
    for name in ("root", "frontier"):
        record = (
            name,
            getattr(head, name),
            lambda new, name=name: setattr(shelf, "head", head._replace(**{name: new})),
        )
        judged(
            record,
            lambda: audit_log(store, [log.key.verifier]).findings,
            lambda found: {(each.level, each.code) for each in found} == {(3, "root")},
            bits,
        )

"""The attack table of ledger.md 7: each attack against each layer alone, and the layers that must catch it asserted.

    A  canonical bytes                                    E  heads that a witness cosigned, its latest state and times
    B  each game's chain, seq, open and close             F  receipts that players hold
    C  the log's signature and root, games through it     G  external time
    D  the same under a checkpoint pinned earlier

Elsewhere stand: every single bit of a small log (`test_verify`), a tile hash on nobody's path (`test_mirror`), the
guess of a hidden tile (`tests/engine/test_view`, `test_mirror`).
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from ledger.canonical import Record, decode, encode
from ledger.checkpoint import Checkpoint, cosign_checkpoint, open_checkpoint, read_checkpoint, sign_checkpoint
from ledger.entries import ENDS, Entry, read_entry
from ledger.errors import LedgerError, Malformed
from ledger.keys import COSIGNATURE, ED25519, SigningKey, Verifier
from ledger.merkle import Frontier, leaf, prove_consistency, root
from ledger.note import Note, parse_note, with_lines
from ledger.policy import LogKey, Policy, parse_policy
from ledger.policy import Witness as Pinned
from ledger.receipt import make_receipt, pack, read_events
from ledger.signing import add_cosignatures
from ledger.store import EntryRow, HeadRow, SignedRow
from ledger.store_memory import MemoryStore, Shelf
from ledger.stream import StreamTree
from ledger.timetoken import Interval
from ledger.verify_games import audit_game, audit_games, audit_strays
from ledger.verify_log import audit_log
from ledger.verify_receipts import Held, audit_receipts
from ledger.verify_time import Stamp, Stamps, check_game
from ledger.witness import Submission, Witness
from ledger.witness_state import MemoryState

ORIGIN = "club.example/log"
WITNESS = SigningKey("witness.example", bytes([41]) * 32, COSIGNATURE)
STRANGER = SigningKey(ORIGIN, bytes([42]) * 32)
PER_GAME = {"chain", "seq", "after_close", "unpaired", "canonical", "gno"}
Make = Callable[[str, int, int], list[bytes]]


@dataclass
class World:
    """A log with its witness, a checkpoint somebody pinned early, and the receipts that players hold."""

    bench: Any
    make_events: Make
    state: MemoryState = field(default_factory=MemoryState)
    pinned: Checkpoint | None = None
    cosigned: list[Stamp] = field(default_factory=list)
    stamped: list[Stamp] = field(default_factory=list)
    held: dict[str, Held] = field(default_factory=dict)
    finished: set[str] = field(default_factory=set)
    older: Shelf | None = None

    @property
    def shelf(self) -> Shelf:
        found: Shelf = self.bench.memory.shelf
        return found

    @property
    def reader(self) -> MemoryStore:
        return MemoryStore(self.shelf)

    @property
    def policy(self) -> Policy:
        return Policy((LogKey(self.bench.key.verifier),), (Pinned("w", WITNESS.verifier),), (), "w")

    def note(self) -> bytes:
        row = self.reader.checkpoint()
        assert row is not None
        return row.note

    def cosign(self) -> None:
        """The log asks its witness, and adds what it answers."""
        head = read_checkpoint(self.note())
        leaves = [leaf(row.data) for row in self.reader.entries(0, head.size)]
        old = read_checkpoint(self.state.heads[ORIGIN]).size if self.state.heads else 0
        proof = prove_consistency(leaves, old) if old else ()
        witness = Witness(parse_policy(self.bench.policy()), [WITNESS], self.state, lambda: self.bench.now // 1000)
        answer = witness.submit(Submission(old, proof, self.note()))
        assert answer.status == 200
        add_cosignatures(self.reader, answer.body, [WITNESS.verifier])
        self.cosigned.append(Stamp(head.size, head.size, Interval(self.bench.now, self.bench.now)))

    def receipt(self, game: str) -> None:
        receipt = make_receipt(self.reader, game)
        bundle = pack(read_events(self.reader, game, receipt.entry.size))
        self.held[game] = Held(receipt.name, receipt.proof.format(), bundle)


def append(world: World, log: Any, game: str, start: int, stop: int, **how: bool) -> None:
    live = [encode({**decode(data), "at": world.bench.now}) for data in world.make_events(game, start, stop)]
    log.append(game, start, live, seal=True, **how)
    world.bench.now += 1500


def snapshot(shelf: Shelf) -> Shelf:
    """Copy all rows, which never change themselves."""
    found = copy.copy(shelf)
    for name, value in vars(shelf).items():
        if isinstance(value, dict):
            inner = {key: dict(row) if isinstance(row, dict) else row for key, row in value.items()}
            setattr(found, name, inner)
    return found


@pytest.fixture
def world(memory_bench: Any, make_events: Make) -> World:
    world = World(memory_bench, make_events)
    log = memory_bench.create()
    for game in ("g-0", "g-1"):
        append(world, log, game, 0, 6)
        append(world, log, game, 6, 12, close=True)
    world.pinned = read_checkpoint(world.note())
    world.cosign()
    for game in ("g-0", "g-1"):
        world.receipt(game)
    for step in range(2):
        for game in ("g-2", "g-3"):
            append(world, log, game, step * 6, step * 6 + 6, close=step == 1)
        if step == 0:
            world.cosign()
            world.older = snapshot(world.shelf)
    append(world, log, "open", 0, 5)
    log.close()
    world.cosign()
    world.receipt("g-2")
    world.finished = {"g-0", "g-1", "g-2", "g-3"}
    return world


# The layers, each alone.


def layer_a(world: World) -> bool:
    """Canonical bytes alone."""
    try:
        for rows in world.shelf.events.values():
            for data, _ in rows.values():
                decode(data)
        for row in world.shelf.entries.values():
            read_entry(row.data)
    except Malformed:
        return True
    return False


def layer_b(world: World) -> bool:
    """Each game's own chain, positions, opening and end; no key and no root is looked at."""
    games = [*audit_games(world.reader), *audit_strays(world.reader)]
    found = {finding.code for game in games for finding in game.findings}
    found |= {finding.code for finding in audit_log(world.reader, [world.bench.key.verifier]).findings} & {
        "gno",
        "unpaired",
    }
    ended = {game.game for game in games if game.ended}
    return bool(found & PER_GAME) or not world.finished <= ended


def through_entries(world: World, stop: int = 1 << 62) -> bool:
    """Whether the games' bytes are not those that the first `stop` entries commit to; no chain column is read."""
    entries: dict[str, list[Entry]] = {}
    for idx, row in sorted(world.shelf.entries.items()):
        if idx < stop and row.game is not None:
            try:
                entries.setdefault(row.game, []).append(read_entry(row.data))
            except Malformed:
                return True
    for game, mine in entries.items():
        tree = StreamTree(game)
        blind = world.shelf.streams[game].blind
        commits = {}
        for _, (data, _) in sorted(world.shelf.events.get(game, {}).items()):
            tree.append(data)
            commits[tree.size] = (tree.commit(blind), tree.root() + tree.chain)
        for entry in mine:
            told = entry.octets("commit") or entry.octets("root") + entry.octets("chain")
            if told not in commits.get(entry.size, ()):
                return True
        if mine[-1].kind in ENDS and tree.size > mine[-1].size:
            return True
    return False


def leaves_of(world: World) -> list[bytes]:
    return [leaf(row.data) for _, row in sorted(world.shelf.entries.items())]


def rooted(world: World, head: Checkpoint) -> bool:
    leaves = leaves_of(world)
    return head.size <= len(leaves) and root(leaves[: head.size]) == head.root


def layer_c(world: World) -> bool:
    """The newest signature of the log, its root over the entries, the games through the entries."""
    try:
        head, _ = open_checkpoint(world.note(), [world.bench.key.verifier])
    except LedgerError:
        return True
    return not rooted(world, head) or through_entries(world)


def layer_d(world: World) -> bool:
    """The same, as far as a checkpoint that somebody pinned earlier goes."""
    assert world.pinned is not None
    return not rooted(world, world.pinned) or through_entries(world, world.pinned.size)


def layer_e(world: World) -> bool:
    """Cosigned heads: the newest must be one, continue the witness's latest, and agree with the times of them."""
    try:
        head, opened = open_checkpoint(world.note(), world.policy.verifiers())
    except LedgerError:
        return True
    if not world.policy.met(world.policy.cosigned(opened)) or not rooted(world, head) or through_entries(world):
        return True
    if not rooted(world, read_checkpoint(world.state.heads[ORIGIN])) or world.state.conflicts:
        return True
    return back_dated(world, world.cosigned)


def layer_f(world: World) -> bool:
    """What players hold."""
    return bool(audit_receipts(world.reader, world.policy, world.held.values()).findings)


def layer_g(world: World) -> bool:
    """External time tokens."""
    return back_dated(world, world.stamped)


def back_dated(world: World, held: list[Stamp]) -> bool:
    stamps = Stamps(len(held), held)
    for game in audit_games(world.reader):
        check_game(world.reader, stamps, game)
    return bool(stamps.findings)


LAYERS = {"A": layer_a, "B": layer_b, "C": layer_c, "D": layer_d, "E": layer_e, "F": layer_f, "G": layer_g}


# The forger's tools.


def edited(data: bytes) -> bytes:
    return encode({**decode(data), "tile": "9s"})


def put(world: World, game: str, seq: int, data: bytes) -> None:
    world.shelf.events[game][seq] = (data, world.shelf.events[game][seq][1])


def rebuild(world: World, game: str) -> None:
    """Recompute the chain column, as anybody can who has the bytes."""
    tree = StreamTree(game)
    for seq, (data, _) in sorted(world.shelf.events[game].items()):
        world.shelf.events[game][seq] = (data, tree.append(data))


def recommit(world: World, game: str) -> None:
    """Rebuild, and let every entry of the game commit to what is there now: the operator knows the blinds."""
    rebuild(world, game)
    tree, at = StreamTree(game), {}
    for count, (_, (data, _)) in enumerate(sorted(world.shelf.events[game].items()), 1):
        tree.append(data)
        commit = tree.commit(world.shelf.streams[game].blind)
        at[count] = {"root": tree.root().hex(), "chain": tree.chain.hex(), "commit": commit.hex()}
    for idx, row in list(world.shelf.entries.items()):
        if row.game == game:
            record = decode(row.data)
            size = min(int(str(record["size"])), len(at))
            fresh: Record = {name: value for name, value in at[size].items() if name in record}
            world.shelf.entries[idx] = row._replace(data=encode({**record, **fresh, "size": size}))


def resign(world: World, key: SigningKey | None = None) -> None:
    """Renumber the entries, rebuild the log's tree and sign it with its stolen key, or another."""
    shelf, tree = world.shelf, Frontier()
    rows = [row for _, row in sorted(shelf.entries.items())]
    shelf.entries.clear()
    gno = at = 0
    for row in rows:
        shelf.entries[tree.size] = EntryRow(tree.size, row.kind, row.game, leaf(row.data), row.data)
        tree.append(leaf(row.data))
        try:
            record = decode(row.data)
        except Malformed:
            continue
        gno, at = max(gno, int(str(record.get("gno", -1))) + 1), max(at, int(str(record["at"])))
    shelf.head = HeadRow(tree.size, gno, at, 99, tree.root(), tree.encode())
    note = sign_checkpoint(Checkpoint(ORIGIN, tree.size, tree.root()), [key or world.bench.key])
    shelf.checkpoints = {tree.size: SignedRow(tree.size, note, tree.encode())}


def drop_entries(world: World, game: str, *kinds: str) -> None:
    for idx in [idx for idx, row in world.shelf.entries.items() if row.game == game and row.kind in kinds]:
        del world.shelf.entries[idx]


# The attacks.


def edit_in_place(world: World) -> None:
    put(world, "g-2", 4, edited(world.shelf.events["g-2"][4][0]))


def edit_and_rebuild_without_the_key(world: World) -> None:
    edit_in_place(world)
    rebuild(world, "g-2")


def edit_and_resign_with_the_stolen_key(world: World) -> None:
    put(world, "g-3", 4, edited(world.shelf.events["g-3"][4][0]))
    del world.held["g-2"]  # of what follows the pinned checkpoint nobody holds a receipt yet
    recommit(world, "g-3")
    resign(world)


def the_same_after_the_pinned_checkpoint(world: World) -> None:
    edit_in_place(world)
    recommit(world, "g-2")
    resign(world)


def roll_back_to_a_genuine_cosigned_checkpoint(world: World) -> None:
    assert world.older is not None
    world.bench.memory.shelf = world.older


def truncate_and_resign(world: World) -> None:
    for seq in (9, 10, 11):
        del world.shelf.events["g-2"][seq]
    drop_entries(world, "g-2", "close")
    recommit(world, "g-2")
    resign(world)


def swap_two_events(world: World) -> None:
    first, second = (world.shelf.events["g-1"][seq][0] for seq in (3, 4))
    put(world, "g-1", 3, second)
    put(world, "g-1", 4, first)


def reorder_entries_of_two_games_and_resign(world: World) -> None:
    rows = world.shelf.entries
    first, second = (next(idx for idx, row in rows.items() if row.game == game and row.kind == "close")
                     for game in ("g-2", "g-3"))  # fmt: skip
    early, late = rows[first].data, rows[second].data
    at = decode(early)["at"]
    rows[first] = rows[second]._replace(data=encode({**decode(late), "at": at}))
    rows[second] = EntryRow(second, "close", "g-2", b"", encode({**decode(early), "at": decode(late)["at"]}))
    resign(world)


def replay_an_event_in_another_game(world: World) -> None:
    put(world, "g-2", 3, world.shelf.events["g-1"][3][0])


def delete_a_game_and_resign(world: World) -> None:
    drop_entries(world, "g-1", "open", "segment", "close")
    del world.shelf.events["g-1"], world.shelf.streams["g-1"]
    world.finished.discard("g-1")
    resign(world)


def sequence_gap_and_resign(world: World) -> None:
    del world.shelf.events["g-2"][5]
    recommit(world, "g-2")
    resign(world)


def duplicate_key_resigned(world: World) -> None:
    data = world.shelf.events["g-2"][5][0]
    put(world, "g-2", 5, data.replace(b'"seq":5', b'"seq":4,"seq":5'))
    recommit(world, "g-2")
    resign(world)


def other_spelling_resigned(world: World) -> None:
    data = world.shelf.events["g-2"][5][0]
    put(world, "g-2", 5, data.replace(b'"seq":5', b'"seq": 5'))
    recommit(world, "g-2")
    resign(world)


def fork_for_the_regulator(world: World) -> None:
    """Another history of the same size, signed too; the witness is asked for it."""
    idx = next(idx for idx, row in world.shelf.entries.items() if row.game == "g-2" and row.kind == "close")
    row = world.shelf.entries[idx]
    record = {name: value for name, value in decode(row.data).items() if name not in {"blind", "chain", "root"}}
    for seq in (9, 10, 11):
        del world.shelf.events["g-2"][seq]
    data = encode({**record, "kind": "segment", "size": 9, "commit": "00" * 32})
    world.shelf.entries[idx] = row._replace(kind="segment", data=data)
    recommit(world, "g-2")
    resign(world)
    witness = Witness(parse_policy(world.bench.policy()), [WITNESS], world.state, lambda: world.bench.now // 1000)
    assert witness.submit(Submission(read_checkpoint(world.note()).size, (), world.note())).status == 422
    (conflict,) = world.state.conflicts
    heads = [open_checkpoint(each, [world.bench.key.verifier])[0] for each in (conflict.cosigned, conflict.refused)]
    assert heads[0].size == heads[1].size
    assert heads[0].root != heads[1].root


def checkpoint_by_another_key(world: World) -> None:
    resign(world, STRANGER)


def checkpoint_by_a_key_of_another_type(world: World) -> None:
    """A signature over the bare text, presented as a cosignature of the same key."""
    head = read_checkpoint(world.note())
    disguised = Verifier(ORIGIN, COSIGNATURE, world.bench.key.verifier.public)
    line = parse_note(sign_checkpoint(head, [world.bench.key])).lines[0]
    wrong = line.__class__(ORIGIN, disguised.key_id, bytes(8) + line.payload)
    note = Note(head.format(), (wrong,)).format()
    world.shelf.checkpoints[head.size] = world.shelf.checkpoints[head.size]._replace(note=note)
    assert ED25519 != COSIGNATURE


def checkpoint_under_another_origin(world: World) -> None:
    head = read_checkpoint(world.note())
    other = SigningKey("other.example/log", world.bench.key.seed)
    note = sign_checkpoint(Checkpoint("other.example/log", head.size, head.root), [other])
    world.shelf.checkpoints[head.size] = world.shelf.checkpoints[head.size]._replace(note=note)


def back_date_a_whole_game(world: World) -> None:
    """Honestly logged, signed and cosigned; only the times in its events are an hour too old."""
    size = read_checkpoint(world.note()).size
    world.stamped.append(Stamp(size, size, Interval(world.bench.now, world.bench.now)))
    log = world.bench.open()
    events = world.make_events("late", 0, 8)
    old = [encode({**decode(data), "at": world.bench.now - 3_600_000 + seq}) for seq, data in enumerate(events)]
    log.append("late", 0, old, close=True)
    log.close()
    world.cosign()


def append_after_close(world: World) -> None:
    tree = StreamTree("g-1")
    for _, (data, _) in sorted(world.shelf.events["g-1"].items()):
        tree.append(data)
    (data,) = world.make_events("g-1", 12, 13)
    world.shelf.events["g-1"][12] = (data, tree.append(data))


TABLE: list[tuple[Callable[[World], None], str, bool]] = [
    (edit_in_place, "BCE", False),
    (edit_and_rebuild_without_the_key, "CE", False),
    (edit_and_resign_with_the_stolen_key, "E", True),
    (the_same_after_the_pinned_checkpoint, "EF", False),
    (roll_back_to_a_genuine_cosigned_checkpoint, "BEF", False),
    (truncate_and_resign, "BEF", False),
    (swap_two_events, "BCDE", False),
    (reorder_entries_of_two_games_and_resign, "EF", False),
    (replay_an_event_in_another_game, "BCE", False),
    (delete_a_game_and_resign, "BDEF", False),
    (sequence_gap_and_resign, "BEF", False),
    (duplicate_key_resigned, "ABE", False),
    (other_spelling_resigned, "ABE", False),
    (fork_for_the_regulator, "BEF", False),
    (checkpoint_by_another_key, "CE", False),
    (checkpoint_by_a_key_of_another_type, "CE", False),
    (checkpoint_under_another_origin, "CE", False),
    (back_date_a_whole_game, "EG", False),
    (append_after_close, "BE", False),
]


def test_an_honest_log_alarms_no_layer(world: World) -> None:
    assert [name for name, layer in LAYERS.items() if layer(world)] == []
    assert {game.game for game in audit_games(world.reader) if game.findings} == set()


@pytest.mark.parametrize(("attack", "named", "only"), TABLE, ids=[attack.__name__ for attack, _, _ in TABLE])
def test_the_layers_that_catch(world: World, attack: Callable[[World], None], named: str, only: bool) -> None:
    attack(world)
    caught = "".join(name for name, layer in LAYERS.items() if layer(world))
    assert set(named) <= set(caught), caught
    if only:
        assert caught == named


def test_what_no_key_can_hide_is_not_caught_by_signatures_alone(world: World) -> None:
    """A stolen key signs anything: the log's own layers hold again after it, and so they must not be trusted alone."""
    edit_and_resign_with_the_stolen_key(world)
    assert not layer_c(world)
    assert audit_game(world.reader, "g-3").findings == []


def test_an_old_cosignature_does_not_vouch_for_a_new_text(world: World) -> None:
    """The cosignature lines of the genuine head moved under the forged one are refused, not ignored."""
    genuine = parse_note(world.note()).lines
    the_same_after_the_pinned_checkpoint(world)
    moved = with_lines(world.note(), [line for line in genuine if line.name == WITNESS.verifier.name])
    with pytest.raises(LedgerError, match="does not hold"):
        open_checkpoint(moved, world.policy.verifiers())
    assert cosign_checkpoint(world.note(), WITNESS, 1)

"""Levels 1 to 4 against every kind of tampering: what catches it, and that game, seq or index are named."""

import json
import random
import sqlite3
import tracemalloc
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from ledger.canonical import Record, decode, encode
from ledger.checkpoint import Checkpoint, sign_checkpoint
from ledger.errors import Malformed, Unavailable
from ledger.findings import Finding, sort_findings
from ledger.keyring import write_key_entry
from ledger.keys import COSIGNATURE, SigningKey, Verifier
from ledger.merkle import Frontier, leaf
from ledger.note import sign_note
from ledger.notefile import MemoryNote, NoteFile
from ledger.policy import LogKey, Policy, Witness
from ledger.store import EntryRow, HeadRow, SignedRow
from ledger.store_memory import Shelf
from ledger.stream import StreamTree
from ledger.verify import Audit
from ledger.verify_games import audit_game

Make = Callable[[str, int, int], list[bytes]]


def play(bench: Any, make_events: Make) -> None:
    """Three games and a private one: closed, aborted, open; hands sealed; several checkpoints."""
    log = bench.create()
    for step in range(4):
        for game in ("g-1", "g-2", "g-3", "p-1"):
            ends = step == 3
            data = make_events(game, step * 4, step * 4 + 4)
            if ends and game == "g-2":
                log.abort(game, 12, data, reason="stopped")
            else:
                log.append(game, step * 4, data, seal=True, close=ends and game != "g-3", private=game == "p-1")
            bench.now += 300
    log.close()


@pytest.fixture
def played(memory_bench: Any, make_events: Make) -> Any:
    play(memory_bench, make_events)
    assert memory_bench.findings(seen=memory_bench.seen) == []
    return memory_bench


@pytest.fixture
def shelf(played: Any) -> Shelf:
    found: Shelf = played.memory.shelf
    return found


def brief(findings: list[Finding]) -> list[tuple[object, ...]]:
    return [
        (found.level, found.code, found.game, found.seq if found.seq is not None else found.entry)
        for found in sort_findings(findings)
    ]


def edited(data: bytes, **fields: Any) -> bytes:
    return encode({**decode(data), **fields})


def put(shelf: Shelf, game: str, seq: int, data: bytes) -> None:
    shelf.events[game][seq] = (data, shelf.events[game][seq][1])


def rechain(shelf: Shelf, game: str) -> StreamTree:
    """Recompute the chain column, as anybody can."""
    tree = StreamTree(game)
    for seq in sorted(shelf.events[game]):
        data = shelf.events[game][seq][0]
        shelf.events[game][seq] = (data, tree.append(data))
    return tree


def recommit(shelf: Shelf, game: str) -> None:
    """Recompute the chain and every commitment of a game's entries, as an operator can who knows the blinds."""
    rechain(shelf, game)
    tree = StreamTree(game)
    at: dict[int, tuple[bytes, bytes, bytes]] = {}
    blind = shelf.streams[game].blind
    for count, seq in enumerate(sorted(shelf.events[game]), 1):
        tree.append(shelf.events[game][seq][0])
        at[count] = (tree.root(), tree.chain, tree.commit(blind))
    for idx, row in list(shelf.entries.items()):
        if row.game == game:
            record = decode(row.data)
            root, chain, commit = at[min(int(str(record["size"])), len(at))]
            record["size"] = min(int(str(record["size"])), len(at))
            fresh: Record = {"root": root.hex(), "chain": chain.hex(), "commit": commit.hex()}
            record.update({name: value for name, value in fresh.items() if name in record})
            shelf.entries[idx] = row._replace(data=encode(record))


def resign(shelf: Shelf, key: SigningKey, origin: str = "club.example/log") -> None:
    """Renumber the entries, rebuild the tree and sign it with a key: a forger's last step."""
    rows = [shelf.entries[idx] for idx in sorted(shelf.entries)]
    shelf.entries.clear()
    tree = Frontier()
    gno = at = 0
    for row in rows:
        hashed = leaf(row.data)
        shelf.entries[tree.size] = EntryRow(tree.size, row.kind, row.game, hashed, row.data)
        tree.append(hashed)
        try:
            record = decode(row.data)
        except Malformed:
            continue
        gno = max(gno, int(str(record.get("gno", -1))) + 1)
        at = max(at, int(str(record.get("at", 0))))
    shelf.head = HeadRow(tree.size, gno, at, 99, tree.root(), tree.encode())
    note = sign_checkpoint(Checkpoint(origin, tree.size, tree.root()), [key])
    shelf.checkpoints = {tree.size: SignedRow(tree.size, note, tree.encode())}


def test_an_honest_ledger_holds_and_tells_its_figures(played: Any) -> None:
    audit, games = played.audit(seen=played.seen)
    assert [(level.name, level.status) for level in audit.levels] == [
        ("policy", "holds"),
        ("checkpoint", "holds"),
        ("log", "holds"),
        ("games", "holds"),
        ("commands", "not_checkable"),
        ("time", "not_checkable"),
        ("replay", "not_checkable"),
        ("receipts", "not_checkable"),
    ]
    assert (audit.origin, audit.opened, audit.events, audit.unsealed) == ("club.example/log", 4, 64, 0)
    assert [(game.game, game.gno, game.ended, game.size, len(game.events)) for game in games] == [
        ("g-1", 0, "close", 16, 16),
        ("g-2", 1, "abort", 16, 16),
        ("g-3", 2, "", 16, 16),
        ("p-1", 3, "close", 16, 16),
    ]
    assert games[0].records[5] == decode(games[0].events[5])
    assert audit.sound
    assert played.seen.note == played.last.note
    assert audit.levels[3].as_json() == {"level": 4, "name": "games", "status": "holds", "checked": 64, "findings": 0}


def test_an_event_edited_in_place(played: Any, shelf: Shelf) -> None:
    put(shelf, "g-2", 6, edited(shelf.events["g-2"][6][0], tile="9s"))
    audit, games = played.audit()
    (finding,) = audit.findings
    assert (finding.level, finding.code, finding.game, finding.gno, finding.seq) == (4, "chain", "g-2", 1, 6)
    assert finding.expected != finding.found
    assert audit.levels[3].status == "failed"
    assert audit.sound
    assert [bool(game.findings) for game in games] == [False, True, False, False]
    assert len(games[1].events) == 6


def test_two_edits_in_one_game_are_both_named(played: Any, shelf: Shelf) -> None:
    for seq in (3, 11):
        put(shelf, "g-1", seq, edited(shelf.events["g-1"][seq][0], tile="9s"))
    assert brief(played.findings()) == [(4, "chain", "g-1", 3), (4, "chain", "g-1", 11)]


def test_edited_and_rechained_without_the_key(played: Any, shelf: Shelf) -> None:
    put(shelf, "g-3", 6, edited(shelf.events["g-3"][6][0], tile="9s"))
    rechain(shelf, "g-3")
    (finding,) = played.findings()
    assert (finding.code, finding.game, finding.seq) == ("segment", "g-3", 4)
    assert "seq 4 – 7" in finding.text.en


def test_edited_rebuilt_and_recommitted_without_the_key(played: Any, shelf: Shelf) -> None:
    put(shelf, "g-3", 6, edited(shelf.events["g-3"][6][0], tile="9s"))
    recommit(shelf, "g-3")
    codes = {(found.level, found.code) for found in played.findings()}
    assert codes == {(3, "tile")}
    for idx, row in shelf.entries.items():
        shelf.entries[idx] = row._replace(leaf=leaf(row.data))
    findings = played.findings()
    assert {(found.level, found.code) for found in findings} == {(3, "root")}


def test_edited_and_signed_again_with_the_stolen_key_only_what_was_seen_tells(played: Any, shelf: Shelf) -> None:
    put(shelf, "g-1", 6, edited(shelf.events["g-1"][6][0], tile="9s"))
    recommit(shelf, "g-1")
    resign(shelf, played.key)
    assert played.findings() == []
    (finding,) = played.findings(seen=played.seen)
    assert (finding.level, finding.code) == (2, "fork")
    audit, _ = played.audit(seen=played.seen)
    assert not audit.sound
    assert [level.status for level in audit.levels] == ["holds", "failed", "holds", "holds", *["not_reached"] * 4]


def test_going_back_to_an_older_checkpoint(played: Any, shelf: Shelf, make_events: Make) -> None:
    earlier = type(played)(key=played.key)
    log = earlier.create()
    log.append("g-1", 0, make_events("g-1", 0, 4))
    log.close()
    assert earlier.findings() == []
    (finding,) = earlier.findings(seen=played.seen)
    assert (finding.level, finding.code, finding.expected, finding.found) == (2, "rollback", 18, 3)
    newest = max(shelf.checkpoints)
    del shelf.checkpoints[newest]
    assert played.findings() == []
    assert [found.code for found in played.findings(seen=played.seen)] == ["rollback"]


def test_an_unfinished_game_after_a_day_is_unpaired(played: Any, make_events: Make) -> None:
    played.now += 86_400_000
    log = played.open()
    log.append("late", 0, make_events("late", 0, 1), close=True)
    log.close()
    (finding,) = played.findings()
    assert (finding.level, finding.code, finding.game, finding.gno) == (3, "unpaired", "g-3", 2)


def test_truncated_and_signed_again(played: Any, shelf: Shelf) -> None:
    for seq in (14, 15):
        del shelf.events["g-1"][seq]
    (finding,) = played.findings()
    assert (finding.code, finding.game, finding.seq, finding.expected, finding.found) == ("seq", "g-1", 14, 16, 14)
    recommit(shelf, "g-1")
    resign(shelf, played.key)
    assert [found.code for found in played.findings(seen=played.seen)] == ["fork"]


def test_two_events_swapped(played: Any, shelf: Shelf) -> None:
    first, second = shelf.events["g-1"][5], shelf.events["g-1"][9]
    shelf.events["g-1"][5], shelf.events["g-1"][9] = second, first
    found = brief(played.findings())
    assert [each for each in found if each[1] == "seq"] == [(4, "seq", "g-1", 5), (4, "seq", "g-1", 9)]
    assert {each[3] for each in found} <= {5, 6, 9, 10}  # those behind do not continue the chain values moved along
    put(shelf, "g-1", 5, edited(second[0], seq=5))
    put(shelf, "g-1", 9, edited(first[0], seq=9))
    recommit(shelf, "g-1")
    resign(shelf, played.key)
    assert [found.code for found in played.findings(seen=played.seen)] == ["fork"]


def test_an_event_of_one_game_replayed_in_another(played: Any, shelf: Shelf) -> None:
    put(shelf, "g-1", 5, shelf.events["g-2"][5][0])
    (finding,) = played.findings()
    assert (finding.code, finding.game, finding.seq) == ("seq", "g-1", 5)
    assert (finding.expected, finding.found) == ("g-1 seq 5", "g-2 seq 5")
    recommit(shelf, "g-1")
    resign(shelf, played.key)
    assert brief(played.findings()) == [(4, "seq", "g-1", 5)]


def test_an_event_deleted_inserted_doubled(played: Any, shelf: Shelf) -> None:
    kept = shelf.events["g-1"].pop(7)
    assert brief(played.findings()) == [(4, "seq", "g-1", 7)]
    recommit(shelf, "g-1")
    resign(shelf, played.key)
    assert brief(played.findings())[0] == (4, "seq", "g-1", 7)
    shelf.events["g-1"][7] = kept
    shelf.events["g-2"] = {seq + (seq >= 3): row for seq, row in shelf.events["g-2"].items()}
    shelf.events["g-2"][3] = shelf.events["g-2"][2]
    codes = [found for found in played.findings() if found.game == "g-2"]
    assert (codes[0].code, codes[0].seq) == ("seq", 3)
    assert ("after_close", 16) in {(found.code, found.seq) for found in codes}


def test_a_duplicate_key_and_another_spelling_signed_again(played: Any, shelf: Shelf) -> None:
    data = shelf.events["g-1"][4][0]
    for spelling in (data.replace(b'"tile"', b'"tile":"1m","tile"'), data.replace(b":", b": ", 1)):
        put(shelf, "g-1", 4, spelling)
        recommit(shelf, "g-1")
        resign(shelf, played.key)
        (finding,) = played.findings()
        assert (finding.code, finding.game, finding.seq, finding.expected) == ("canonical", "g-1", 4, "canonical JSON")


def test_an_entry_in_another_spelling_signed_again(played: Any, shelf: Shelf) -> None:
    row = shelf.entries[5]
    for damaged in (row.data.replace(b":", b": ", 1), b"", b"\xff" * 10, encode({"kind": "open", "v": 1}), b"{}"):
        shelf.entries[5] = row._replace(data=damaged)
        resign(shelf, played.key)
        findings = [found for found in played.findings() if found.level == 3]
        assert (findings[0].code, findings[0].entry) == ("canonical", 5)


def test_events_and_entries_after_the_end(played: Any, shelf: Shelf, make_event: Callable[..., bytes]) -> None:
    shelf.events["g-1"][16] = (make_event("g-1", 16), b"")
    rechain(shelf, "g-1")
    (finding,) = played.findings()
    assert (finding.code, finding.game, finding.seq, finding.found) == ("after_close", "g-1", 16, 17)
    del shelf.events["g-1"][16]
    segment = next(row for row in shelf.entries.values() if row.kind == "segment" and row.game == "g-1")
    shelf.entries[99] = segment._replace(data=edited(segment.data, at=played.now, size=16))
    resign(shelf, played.key)
    assert {(found.level, found.code, found.game) for found in played.findings()} == {
        (3, "after_close", "g-1"),
        (4, "after_close", "g-1"),
    }


def test_a_whole_game_deleted_and_signed_again_leaves_a_hole_in_the_numbers(played: Any, shelf: Shelf) -> None:
    del shelf.events["g-2"]
    assert brief(played.findings()) == [(4, "seq", "g-2", 0)]
    del shelf.streams["g-2"]
    shelf.entries = {idx: row for idx, row in shelf.entries.items() if row.game != "g-2"}
    assert {found.code for found in played.findings()} == {"tile", "gno"}
    resign(shelf, played.key)
    (finding,) = played.findings()
    assert (finding.level, finding.code, finding.game, finding.expected, finding.found) == (3, "gno", "g-3", 1, 2)


def test_another_gno_signed_again(played: Any, shelf: Shelf) -> None:
    idx, row = next((idx, row) for idx, row in shelf.entries.items() if row.kind == "open" and row.game == "g-2")
    shelf.entries[idx] = row._replace(data=edited(row.data, gno=7))
    resign(shelf, played.key)
    first = sort_findings(played.findings())[0]
    assert (first.level, first.code, first.expected, first.found) == (3, "gno", 1, 7)
    shelf.entries[idx] = row
    shelf.streams["g-2"] = shelf.streams["g-2"]._replace(gno=9)
    resign(shelf, played.key)
    (finding,) = played.findings()
    assert (finding.level, finding.code, finding.game) == (4, "gno", "g-2")


def test_events_without_an_open(played: Any, shelf: Shelf, make_events: Make) -> None:
    shelf.events["stray"] = {}
    for seq, data in enumerate(make_events("stray", 0, 3)):
        shelf.events["stray"][seq] = (data, b"")
    rechain(shelf, "stray")
    shelf.events["bad id\n"] = {0: (b"{}", b"")}
    audit, games = played.audit()
    assert {(found.level, found.code, found.game) for found in audit.findings} == {
        (4, "unpaired", "stray"),
        (4, "unpaired", r"bad id\x0a"),
    }
    assert games[-1].gno is None
    assert sort_findings(audit.findings)[-1].game in {"stray", r"bad id\x0a"}


def test_entries_of_two_games_reordered_and_signed_again_only_what_was_seen_tells(played: Any, shelf: Shelf) -> None:
    later = [idx for idx, row in shelf.entries.items() if row.kind == "segment"][-2:]
    first, second = (shelf.entries[idx] for idx in later)
    shelf.entries[later[0]] = first._replace(game=second.game, data=edited(second.data, at=decode(first.data)["at"]))
    shelf.entries[later[1]] = second._replace(game=first.game, data=edited(first.data, at=decode(second.data)["at"]))
    resign(shelf, played.key)
    assert played.findings() == []
    assert [found.code for found in played.findings(seen=played.seen)] == ["fork"]


def test_a_checkpoint_by_another_key_of_another_type_or_origin(played: Any, shelf: Shelf) -> None:
    size = max(shelf.checkpoints)
    row = shelf.checkpoints[size]
    head = Checkpoint("club.example/log", size, shelf.head.root)  # type: ignore[union-attr]
    stranger = SigningKey("club.example/log", bytes([5]) * 32)
    foreign = SigningKey("other.example", bytes(range(32)))

    class AsCosigner:
        verifier = Verifier("club.example/log", COSIGNATURE, played.key.verifier.public)
        sign = played.key.sign

    notes = (
        sign_checkpoint(head, [stranger]),
        sign_note(head.format(), [AsCosigner()]),
        sign_checkpoint(Checkpoint("other.example", size, head.root), [foreign]),
    )
    for note in notes:
        shelf.checkpoints[size] = row._replace(note=note)
        audit, games = played.audit()
        assert [(found.level, found.code) for found in audit.findings] == [(2, "signature")]
        assert not audit.sound
        assert len(games) == 4


def test_without_a_policy_the_ledgers_own_keys_are_used(played: Any, shelf: Shelf) -> None:
    audit, _ = played.audit(policy=None)
    assert (audit.levels[0].status, audit.levels[0].why) == (
        "not_checkable",
        "no pinned policy: the keys are the ledger's own",
    )
    assert audit.findings == []
    assert audit.sound
    row = shelf.entries[1]
    stranger = SigningKey("club.example/log", bytes([5]) * 32)
    shelf.entries[1] = row._replace(data=edited(row.data, vkey=stranger.verifier.format()))
    resign(shelf, stranger)
    assert brief(played.findings(policy=None)) == [(3, "key", None, 1), (3, "key", None, 18)]


def test_a_signer_the_log_never_added(played: Any, shelf: Shelf) -> None:
    stranger = SigningKey("club.example/log", bytes([5]) * 32)
    resign(shelf, stranger)
    both = Policy((LogKey(played.key.verifier), LogKey(stranger.verifier))).format()
    (finding,) = played.findings(policy=both)
    assert (finding.level, finding.code, finding.entry) == (3, "key", 18)


def test_weak_keys_in_the_policy_end_the_run(played: Any) -> None:
    weak = "log x+{}+{}\nquorum none\n"
    raw = b"\x01\x01" + bytes(31)
    policy = weak.format(sha256(b"x\n" + raw).hexdigest()[:8], b64encode(raw).decode()).encode()
    audit, games = played.audit(policy=policy)
    assert games == []
    assert [(found.level, found.code) for found in audit.findings] == [(1, "weak_key")]
    assert [level.status for level in audit.levels] == ["failed", *["not_reached"] * 7]
    with pytest.raises(Malformed):
        played.audit(policy=b"nonsense\n")


class Cosigner:
    def __init__(self, name: str, number: int) -> None:
        key = SigningKey(name, bytes([number]) * 32)
        self.verifier = Verifier(name, COSIGNATURE, key.verifier.public)
        self.sign = key.sign


def test_quorum_and_age(played: Any, shelf: Shelf) -> None:
    witness = Cosigner("witness.example", 40)
    policy = Policy((LogKey(played.key.verifier),), (Witness("w", witness.verifier),), (), "w").format()
    (finding,) = played.findings(policy=policy)
    assert (finding.level, finding.code, finding.expected, finding.found) == (2, "quorum", "w", "nobody")
    size = max(shelf.checkpoints)
    row = shelf.checkpoints[size]
    head = Checkpoint("club.example/log", size, shelf.head.root)  # type: ignore[union-attr]
    second = played.now // 1000
    for age, code in ((0, []), (86_399, []), (86_402, ["stale"])):
        note = sign_note(head.format(), [played.key, witness], time=second - age)
        shelf.checkpoints[size] = row._replace(note=note)
        assert [found.code for found in played.findings(policy=policy)] == code
    assert played.findings(policy=policy, max_age_ms=10**9) == []


def test_checkpoints_missing_altogether(played: Any, shelf: Shelf) -> None:
    shelf.checkpoints.clear()
    audit, games = played.audit()
    assert [(found.level, found.code) for found in audit.findings] == [(2, "note")]
    assert len(games) == 4
    assert all(game.unsealed == game.size for game in games)


def test_entries_fewer_than_were_signed(played: Any, shelf: Shelf) -> None:
    del shelf.entries[max(shelf.entries)]
    findings = played.findings()
    assert ("root", 17, 18, 17) in {(found.code, found.entry, found.expected, found.found) for found in findings}


def test_an_older_checkpoint_that_contradicts_the_log(played: Any, shelf: Shelf) -> None:
    size = sorted(shelf.checkpoints)[2]
    note = sign_checkpoint(Checkpoint("club.example/log", size, leaf(b"x")), [played.key])
    shelf.checkpoints[size] = shelf.checkpoints[size]._replace(note=note)
    (finding,) = played.findings()
    assert (finding.level, finding.code, finding.entry) == (3, "root", size)


def test_the_state_file_of_another_log_is_refused(played: Any) -> None:
    other = MemoryNote()
    key = SigningKey("other.example", bytes(32))
    other.save(sign_checkpoint(Checkpoint("other.example", 1, leaf(b"x")), [key]))
    with pytest.raises(Unavailable, match=r"state kept is of other\.example"):
        played.audit(seen=other)


def test_a_damaged_state_file_is_refused(played: Any, tmp_path: Path) -> None:
    kept = NoteFile(tmp_path / "p.seen")
    assert played.findings(seen=kept) == []
    assert kept.load() == played.last.note
    (tmp_path / "p.seen").write_bytes(b"x")
    with pytest.raises(Unavailable, match="damaged"):
        played.audit(seen=kept)


def test_what_failed_is_not_kept_as_seen(played: Any, shelf: Shelf) -> None:
    row = shelf.entries[5]
    shelf.entries[5] = row._replace(data=b"{}")
    fresh = MemoryNote()
    played.audit(seen=fresh)
    assert fresh.note is None


def records(shelf: Shelf) -> Iterator[tuple[str, object, bytes, Callable[[bytes], None]]]:
    """Every stored byte string that the audit answers for, with how to replace it."""
    for game, rows in shelf.events.items():
        for seq, (data, chain) in rows.items():
            yield (
                f"{game}:{seq}:data",
                seq,
                data,
                lambda new, rows=rows, seq=seq, chain=chain: rows.update({seq: (new, chain)}),
            )
            yield (
                f"{game}:{seq}:chain",
                seq,
                chain,
                lambda new, rows=rows, seq=seq, data=data: rows.update({seq: (data, new)}),
            )
    for idx, row in shelf.entries.items():
        for name in ("data", "leaf"):
            yield (
                f"entry:{idx}:{name}",
                idx,
                getattr(row, name),
                lambda new, idx=idx, row=row, name=name: shelf.entries.update({idx: row._replace(**{name: new})}),
            )
    for size, signed in shelf.checkpoints.items():
        for name in ("note", "frontier"):
            yield (
                f"checkpoint:{size}:{name}",
                size,
                getattr(signed, name),
                lambda new, size=size, signed=signed, name=name: shelf.checkpoints.update(
                    {size: signed._replace(**{name: new})}
                ),
            )
    for game, stream in shelf.streams.items():
        yield (
            f"{game}:0:blind",
            0,
            stream.blind,
            lambda new, game=game, stream=stream: shelf.streams.update({game: stream._replace(blind=new)}),
        )


def small(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 2))
    log.append("g-2", 0, make_events("g-2", 0, 2))
    log.append("g-1", 2, make_events("g-1", 2, 3), close=True)
    log.close()


def flips(bench: Any, step: int, *, bits: Callable[[int], list[int]]) -> int:
    """Flip bits of every record, one at a time; assert that each is found and named."""
    shelf: Shelf = bench.memory.shelf
    count = 0
    for name, place, data, replace in list(records(shelf)):
        owner = name.split(":")[0]
        for at in range(0, len(data), step):
            for bit in bits(at):
                replace(bytes([*data[:at], data[at] ^ 1 << bit, *data[at + 1 :]]))
                findings = bench.findings()
                count += 1
                if owner in {"entry", "checkpoint"}:
                    assert place in {found.entry for found in findings} or (
                        owner == "checkpoint" and {found.level for found in findings} == {2}
                    ), (name, at, bit)
                else:
                    assert owner in {found.game for found in findings}, (name, at, bit)
                    if not name.endswith("blind"):
                        assert (owner, place) in {(found.game, found.seq) for found in findings}, (name, at, bit)
        replace(data)
    assert bench.findings() == []
    return count


def test_a_bit_of_every_byte_of_every_record(memory_bench: Any, make_events: Make) -> None:
    small(memory_bench, make_events)
    assert flips(memory_bench, 3, bits=lambda at: [at // 3 % 8]) > 800


@pytest.mark.long
def test_every_single_bit_of_every_record(memory_bench: Any, make_events: Make) -> None:
    small(memory_bench, make_events)
    assert flips(memory_bench, 1, bits=lambda _: list(range(8))) > 19_000


def test_head_rows_are_compared(played: Any, shelf: Shelf) -> None:
    head = shelf.head
    assert head is not None
    for change in ({"size": 19}, {"gno": 5}, {"at": 0}, {"root": b"x"}, {"frontier": b""}):
        shelf.head = head._replace(**change)  # type: ignore[arg-type]
        assert [(found.level, found.code) for found in played.findings()] == [(3, "root")]
    shelf.head = None
    assert [(found.level, found.code) for found in played.findings()] == [(3, "root")]


DAMAGE = [
    "UPDATE events SET data = NULL WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET data = 99999999999 WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET data = 1.5 WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET data = CAST(data AS TEXT) WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET data = CAST(x'ff00fe' AS TEXT) WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET data = zeroblob(100000) WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET data = x'' WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET chain = NULL WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET chain = 'text' WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET seq = 'five' WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET seq = x'05' WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET seq = -1 WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET seq = 5.5 WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET seq = 9000000000000000000 WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET game = x'ff' WHERE game = 'g-1' AND seq = 5",
    "UPDATE events SET game = 7 WHERE game = 'g-1' AND seq = 5",
    "DELETE FROM events WHERE game = 'g-1' AND seq = 5",
]
ELSEWHERE = [
    "UPDATE entries SET data = NULL WHERE idx = 5",
    "UPDATE entries SET data = 'text' WHERE idx = 5",
    "UPDATE entries SET data = 5 WHERE idx = 5",
    "UPDATE entries SET leaf = NULL WHERE idx = 5",
    "UPDATE entries SET leaf = 7 WHERE idx = 5",
    "UPDATE entries SET kind = x'ff' WHERE idx = 5",
    "UPDATE entries SET kind = CAST(x'ff' AS TEXT) WHERE idx = 5",
    "UPDATE entries SET game = NULL WHERE idx = 5",
    "UPDATE entries SET game = 'other' WHERE idx = 5",
    "UPDATE entries SET game = x'00' WHERE kind = 'open'",
    "UPDATE entries SET kind = 'segment' WHERE kind = 'open'",
    "UPDATE entries SET idx = -5 WHERE idx = 5",
    "UPDATE entries SET idx = 50 WHERE idx = 5",
    "DELETE FROM entries WHERE idx = 5",
    "DELETE FROM entries",
    "DELETE FROM head",
    "UPDATE head SET size = 'x'",
    "UPDATE head SET root = NULL",
    "UPDATE head SET frontier = 'x'",
    "DELETE FROM checkpoints",
    "UPDATE checkpoints SET note = 'text'",
    "UPDATE checkpoints SET note = NULL",
    "UPDATE checkpoints SET note = 5",
    "UPDATE checkpoints SET note = CAST(note AS TEXT)",
    "UPDATE checkpoints SET frontier = 'x'",
    "UPDATE checkpoints SET size = size + 100",
    "UPDATE checkpoints SET size = 'x' WHERE size = (SELECT max(size) FROM checkpoints)",
    "UPDATE checkpoints SET size = 'x' WHERE size = 2",
    "UPDATE streams SET blind = NULL",
    "UPDATE streams SET blind = 'x'",
    "UPDATE streams SET gno = x'00' WHERE game = 'g-1'",
    "UPDATE streams SET stream = 7",
]


def alter(path: Path, statement: str) -> None:
    """Write to the file behind the ledger's back, without its types and triggers."""
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA writable_schema=ON")
    raw.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
    raw.execute("DELETE FROM sqlite_master WHERE type = 'trigger'")
    raw.commit()
    raw.close()
    raw = sqlite3.connect(path)
    raw.execute(statement)
    raw.commit()
    raw.close()


@pytest.fixture
def file_bench(sqlite_bench: Any, make_events: Make) -> Any:
    play(sqlite_bench, make_events)
    return sqlite_bench


@pytest.mark.parametrize("statement", DAMAGE, ids=range(len(DAMAGE)))
def test_damaged_event_rows_are_findings_of_their_game_and_seq(file_bench: Any, statement: str) -> None:
    alter(Path(file_bench.target.removeprefix("sqlite:///")), statement)
    audit, _ = file_bench.audit()
    named = {(found.game, found.seq) for found in audit.findings if found.level == 4}
    # -1 stands before every other row, so that it is met where 0 is expected.
    assert named & {("g-1", 5), ("g-1", 0)}, audit.findings
    assert [found.as_json() for found in audit.findings]
    assert audit.levels[3].status == "failed"


@pytest.mark.parametrize("statement", ELSEWHERE, ids=range(len(ELSEWHERE)))
def test_other_damaged_rows_are_findings_never_a_traceback(file_bench: Any, statement: str) -> None:
    alter(Path(file_bench.target.removeprefix("sqlite:///")), statement)
    audit, _ = file_bench.audit()
    assert audit.findings
    assert encodable(audit.findings)


def encodable(findings: list[Finding]) -> bool:
    return bool(json.dumps([found.as_json() for found in findings], ensure_ascii=False).encode())


def test_random_bytes_over_the_file_never_give_a_traceback(file_bench: Any, tmp_path: Path) -> None:
    path = Path(file_bench.target.removeprefix("sqlite:///"))
    whole = path.read_bytes()
    dice = random.Random(7)
    failed = 0
    for _ in range(60):
        data = bytearray(whole)
        at = dice.randrange(4096, len(data) - 64)
        data[at : at + 64] = dice.randbytes(64)
        path.write_bytes(data)
        try:
            failed += bool(file_bench.findings())
        except Unavailable:
            failed += 1
    assert failed > 5
    assert tmp_path.exists()


def test_memory_does_not_grow_with_the_number_of_games(make_events: Make, tmp_path: Path, sqlite_bench: Any) -> None:
    def peak(games: int) -> int:
        bench = type(sqlite_bench)(f"sqlite:///{tmp_path}/{games}.db")
        log = bench.create()
        for number in range(games):
            log.stage(f"g-{number}", 0, make_events(f"g-{number}", 0, 4), close=True)
        log.close()
        reader = bench.reader()
        audit = Audit(reader, policy=bench.policy())
        tracemalloc.start()
        for game in audit.games():
            assert not game.findings
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        reader.close()
        return top

    peak(10)
    assert peak(1000) < 1.5 * peak(300)


def test_one_game_alone_is_audited_like_the_whole(played: Any, shelf: Shelf) -> None:
    put(shelf, "g-2", 6, edited(shelf.events["g-2"][6][0], tile="9s"))
    audit, games = played.audit()
    for game in games:
        assert audit_game(played.reader(), game.game, audit.size) == game


def test_findings_are_sorted_by_level_gno_and_seq(played: Any, shelf: Shelf) -> None:
    for game, seq in (("p-1", 2), ("g-1", 9), ("g-1", 3), ("g-3", 1)):
        put(shelf, game, seq, edited(shelf.events[game][seq][0], tile="9s"))
    shelf.entries[5] = shelf.entries[5]._replace(leaf=b"")
    assert brief(played.findings()) == [
        (3, "tile", None, 5),
        (4, "chain", "g-1", 3),
        (4, "chain", "g-1", 9),
        (4, "chain", "g-3", 1),
        (4, "chain", "p-1", 2),
    ] or brief(played.findings())[0][:2] == (3, "tile")


def test_a_finding_prints_only_what_applies(played: Any, shelf: Shelf) -> None:
    put(shelf, "g-1", 3, edited(shelf.events["g-1"][3][0], tile="9s"))
    (finding,) = played.findings()
    printed = finding.as_json()
    assert printed.keys() == {"level", "code", "clause", "text", "game", "gno", "seq", "expected", "found"}
    assert set(printed["text"]) == {"en", "zh"}  # type: ignore[call-overload]


def test_a_missing_blind_is_not_checkable_and_no_finding(played: Any, shelf: Shelf) -> None:
    del shelf.streams["g-3"]
    del shelf.streams["p-1"]
    audit, _ = played.audit()
    assert audit.findings == []
    assert [(each.level, each.game, each.code) for each in audit.unchecked] == [
        (4, "g-3", "segment"),
        (4, "p-1", "segment"),
    ]


@pytest.mark.parametrize(
    ("signers", "found"),
    [("auditor", []), ("log", []), ("log and a stranger", []), ("stranger", [3]), ("recovery", [3]), ("forged", [3])],
)
def test_a_verdict_is_signed_by_a_key_the_log_knows(
    signers: str, found: list[int], memory_bench: Any, make_events: Callable[[str, int, int], list[bytes]]
) -> None:
    """`verdict` entries are signed audit results (ledger.md 3): whoever signs one is an auditor of the log, or it."""
    auditor, stranger = (SigningKey(f"{name}.example", bytes([place]) * 32) for place, name in enumerate("as", 5))
    log = memory_bench.create()
    fields: Record = {"not_before_size": 3, "role": "auditor", "vkey": auditor.verifier.format()}
    log.key_entry("key-add", fields, [memory_bench.recovery, memory_bench.key])
    log.append("g-1", 0, make_events("g-1", 0, 4), close=True)
    keys = {"auditor": [auditor], "log": [memory_bench.key], "log and a stranger": [memory_bench.key, stranger],
            "stranger": [stranger], "recovery": [memory_bench.recovery], "forged": [auditor]}[signers]  # fmt: skip
    said: Record = {"chain": "0" * 64, "engine": "e", "findings": "0" * 64, "game": "g-1", "rules": "r", "size": 4}

    def write(at: int) -> bytes:
        data = write_key_entry("verdict", at, said, keys)
        return data if signers != "forged" else data.replace(b'"engine":"e"', b'"engine":"f"')

    with log._working(memory_bench.now) as work:
        work.add_entry("verdict", write)
    log.close()
    assert [(each.level, each.code) for each in memory_bench.findings()] == [(level, "key") for level in found]

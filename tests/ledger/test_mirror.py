"""Published logs and their mirrors: what is written, what is withheld, every bit of a served file caught."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.checkpoint import open_checkpoint, read_checkpoint
from ledger.errors import Diverged, LedgerError, Malformed, Refused, Unavailable
from ledger.keys import COSIGNATURE, SigningKey
from ledger.merkle import leaf, root
from ledger.mirror import Mirrored, fetch, mirror
from ledger.policy import parse_policy
from ledger.publish import publish
from ledger.published import FolderSource, TreeReader
from ledger.receipt import unpack
from ledger.tiles import decode_bundle
from ledger.verify import Audit
from ledger.witness import Witness
from ledger.witness_state import MemoryState

Make = Callable[[str, int, int], list[bytes]]
WITNESS = SigningKey("regulator.example/mirror", bytes([50]) * 32, COSIGNATURE)


@pytest.fixture
def played(memory_bench: Any, make_events: Make) -> Any:
    log = memory_bench.create()
    for game in ("g-1", "g-2", "p-1", "open"):
        private, close = game == "p-1", game != "open"
        log.append(game, 0, make_events(game, 0, 12), seal=True, private=private)
        memory_bench.now += 500
        log.append(game, 12, make_events(game, 12, 20), close=close, seal=True)
    log.close()
    return memory_bench


def go_on(bench: Any, make_events: Make, game: str = "g-9") -> None:
    log = bench.open()
    log.append(game, 0, make_events(game, 0, 9), close=True)
    log.close()


def run(bench: Any, source: Path, folder: Path, state: MemoryState | None = None) -> Mirrored:
    place = folder.with_name(folder.name + ".fetched")
    shutil.rmtree(place, ignore_errors=True)
    fetch(FolderSource(source), place)
    witness = None
    if state is not None:
        witness = Witness(parse_policy(bench.policy()), [WITNESS], state, lambda: bench.now // 1000)
    return mirror(place, folder, policy=bench.policy(), now_ms=bench.now, witness=witness)


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_what_is_published_and_what_is_not(played: Any, tmp_path: Path) -> None:
    done = publish(played.reader(), tmp_path / "public")
    size = done.checkpoint.size
    assert (done.games, done.withheld) == (2, 2)
    assert names(tmp_path / "public") == {
        "checkpoint", f"tile/0/000.p/{size}", f"tile/entries/000.p/{size}", "game/g-1.bundle.gz", "game/g-2.bundle.gz",
    }  # fmt: skip
    entries = decode_bundle((tmp_path / f"public/tile/entries/000.p/{size}").read_bytes())
    assert root([leaf(entry) for entry in entries]) == done.checkpoint.root
    assert len(unpack((tmp_path / "public/game/g-1.bundle.gz").read_bytes())) == 20
    again = publish(played.reader(), tmp_path / "public")
    assert again.written == 0
    whole = publish(played.reader(), tmp_path / "all", open_too=True)
    assert (whole.games, whole.withheld) == (4, 0)
    assert names(tmp_path / "all") - names(tmp_path / "public") == {
        "game/p-1.bundle.gz", "game/p-1.blind", "game/open.bundle.gz", "game/open.blind",
    }  # fmt: skip


def test_no_hidden_byte_is_public(played: Any, tmp_path: Path) -> None:
    """Nothing of an open or private stream: no event, no chain, no root, no blind (ledger.md 1)."""
    publish(played.reader(), tmp_path / "public")
    served = b"".join(path.read_bytes() for path in sorted((tmp_path / "public").rglob("*")) if path.is_file())
    for game in ("open", "p-1"):
        blind = played.blind(game)
        assert blind not in served
        assert blind.hex().encode() not in served
        for data, chain in played.memory.shelf.events[game].values():
            for secret in (data, leaf(data), chain, leaf(data).hex().encode(), chain.hex().encode()):
                assert secret not in served


def test_a_published_log_grows_and_open_games_become_closed(played: Any, tmp_path: Path, make_events: Make) -> None:
    folder = tmp_path / "all"
    publish(played.reader(), folder, open_too=True)
    log = played.open()
    log.append("open", 20, make_events("open", 20, 30), close=True)
    log.close()
    publish(played.reader(), folder, open_too=True)
    assert len(unpack((folder / "game/open.bundle.gz").read_bytes())) == 30
    reader = TreeReader(FolderSource(folder))
    audit = Audit(reader, policy=played.policy(), withheld=reader.withheld)
    assert [game.size for game in audit.games()] == [20, 20, 20, 30]
    assert audit.findings == []
    assert audit.unchecked == []


def test_a_ledger_that_is_not_what_was_signed_is_not_published(played: Any, tmp_path: Path) -> None:
    shelf = played.memory.shelf
    row, event = shelf.entries[4], shelf.events["g-1"][3]
    shelf.events["g-1"][3] = (event[0].replace(b"4m", b"5m"), event[1])
    with pytest.raises(Malformed):
        publish(played.reader(), tmp_path / "public")
    assert not (tmp_path / "public/checkpoint").exists()
    shelf.events["g-1"][3] = event
    shelf.entries[4] = row._replace(data=row.data.replace(b'"at":1', b'"at":2'))
    with pytest.raises(Diverged):
        publish(played.reader(), tmp_path / "public")


def test_another_history_is_not_published_over_the_first(played: Any, tmp_path: Path, make_events: Make) -> None:
    publish(played.reader(), tmp_path / "public")
    other = type(played)()
    log = other.create()
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    log.close()
    with pytest.raises(Diverged):
        publish(other.reader(), tmp_path / "public")
    (tmp_path / "public/checkpoint").unlink()
    publish(other.reader(), tmp_path / "other")
    (tmp_path / "public/game/g-1.bundle.gz").replace(tmp_path / "other/game/g-1.bundle.gz")
    with pytest.raises(Refused):
        publish(other.reader(), tmp_path / "other")


def test_a_mirror_keeps_every_byte_and_cosigns(played: Any, tmp_path: Path, make_events: Make) -> None:
    state = MemoryState()
    for round_ in range(3):
        publish(played.reader(), tmp_path / "all", open_too=True)
        done = run(played, tmp_path / "all", tmp_path / "mirror", state)
        assert done.findings == []
        assert done.games == 4 + round_
        assert done.answer is not None
        assert done.answer.status == 200
        note = (tmp_path / "mirror/checkpoint").read_bytes()
        head, opened = open_checkpoint(note, [played.key.verifier, WITNESS.verifier])
        assert len(opened.signatures) == 2
        assert head == read_checkpoint((tmp_path / "all/checkpoint").read_bytes())
        for name in names(tmp_path / "all") - {"checkpoint"}:
            assert (tmp_path / "mirror" / name).read_bytes() == (tmp_path / "all" / name).read_bytes()
        go_on(played, make_events, f"new-{round_}")


def test_a_mirror_of_the_public_log_says_what_it_cannot_check(played: Any, tmp_path: Path) -> None:
    publish(played.reader(), tmp_path / "public")
    done = run(played, tmp_path / "public", tmp_path / "mirror")
    assert done.findings == []
    assert {(each.level, each.game) for each in done.audit.unchecked} == {(4, "p-1"), (4, "open")}
    assert done.answer is None


def test_every_byte_that_is_served_is_recomputed(played: Any, tmp_path: Path) -> None:
    """A flipped bit in any hash, entry, event, blind or checkpoint is found, nothing is kept, nothing cosigned."""
    publish(played.reader(), tmp_path / "all", open_too=True)
    found = set()
    for name in sorted(names(tmp_path / "all")):
        path = tmp_path / "all" / name
        data = path.read_bytes()
        for at in range(0, len(data), max(1, len(data) // 25)):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
            state = MemoryState()
            try:
                done = run(played, tmp_path / "all", tmp_path / "mirror", state)
            except LedgerError:
                assert name == "checkpoint"  # not a note any more: nothing can be judged
                continue
            if not done.findings:
                # gzip headers have bits that say nothing
                assert name.endswith(".gz"), (name, at)
                assert unpack(path.read_bytes()) == unpack(data)
                shutil.rmtree(tmp_path / "mirror")
                continue
            assert state.heads == {}
            assert not (tmp_path / "mirror/checkpoint").exists()
            found |= {(name.split("/")[0], each.code) for each in done.findings}
        path.write_bytes(data)
        shutil.rmtree(tmp_path / "mirror", ignore_errors=True)
    assert {code for place, code in found if place == "tile"} >= {"tile", "canonical"}
    assert {code for place, code in found if place == "game"} >= {"canonical", "segment"}


def test_a_tile_hash_on_nobodys_path_is_named_by_its_index(memory_bench: Any, tmp_path: Path) -> None:
    """A tile with one bit flipped in a hash that is not on the path: the mirror audit finds it (ledger.md 7)."""
    log = memory_bench.create()
    for number in range(300):
        log.append(f"g-{number}", 0, [b'{"at":1,"game":"g-%d","seq":0,"type":"x","v":1}' % number], close=True)
    log.close()
    publish(memory_bench.reader(), tmp_path / "all", open_too=True)
    assert run(memory_bench, tmp_path / "all", tmp_path / "mirror").findings == []
    for name, place, entry in (("tile/1/000.p/2", 1, 256), ("tile/1/000.p/2", 0, 0), ("tile/0/001", 7, 256 + 7)):
        path = tmp_path / "all" / name
        data = path.read_bytes()
        at = place * 32 + 5
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        (finding,) = run(memory_bench, tmp_path / "all", tmp_path / "mirror").findings
        assert (finding.level, finding.code, finding.entry) == (3, "tile", entry)
        path.write_bytes(data)


@pytest.mark.parametrize("name", ["checkpoint", "tile/0", "tile/entries", "game/g-1.bundle.gz"])
def test_what_is_missing_is_said(played: Any, tmp_path: Path, name: str) -> None:
    publish(played.reader(), tmp_path / "all")
    path = tmp_path / "all" / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    if name == "checkpoint":
        with pytest.raises(Unavailable):
            run(played, tmp_path / "all", tmp_path / "mirror")
        return
    done = run(played, tmp_path / "all", tmp_path / "mirror")
    assert {each.code for each in done.findings} & {"tile", "seq", "root"}


def test_a_fork_keeps_both_heads_and_is_not_cosigned(played: Any, tmp_path: Path, make_events: Make) -> None:
    """Another history for the regulator, both signed by the log (ledger.md 7): the mirror keeps both heads."""
    state = MemoryState()
    publish(played.reader(), tmp_path / "first", open_too=True)
    run(played, tmp_path / "first", tmp_path / "mirror", state)
    first = (tmp_path / "mirror/checkpoint").read_bytes()
    other = type(played)(now=played.now)
    log = other.create()
    for number in range(9):
        log.append(f"h-{number}", 0, make_events(f"h-{number}", 0, 5), close=True)
    log.close()
    publish(other.reader(), tmp_path / "second", open_too=True)
    done = run(played, tmp_path / "second", tmp_path / "mirror", state)
    assert [each.code for each in done.findings] == ["fork"]
    (conflict,) = state.conflicts
    assert conflict.cosigned == first
    heads = [open_checkpoint(each, [played.key.verifier])[0] for each in (conflict.cosigned, conflict.refused)]
    assert heads[0].root != heads[1].root
    assert (tmp_path / "mirror/checkpoint").read_bytes() == first


def test_an_older_head_is_a_rollback(played: Any, tmp_path: Path, make_events: Make) -> None:
    publish(played.reader(), tmp_path / "old", open_too=True)
    go_on(played, make_events)
    publish(played.reader(), tmp_path / "new", open_too=True)
    assert run(played, tmp_path / "new", tmp_path / "mirror").findings == []
    done = run(played, tmp_path / "old", tmp_path / "mirror")
    assert [each.code for each in done.findings] == ["rollback"]


def test_a_size_that_nobody_has_bytes_for_costs_little(played: Any, tmp_path: Path) -> None:
    publish(played.reader(), tmp_path / "all")
    path = tmp_path / "all/checkpoint"
    rows = path.read_bytes().split(b"\n")
    rows[1] = b"4611686018427387904"
    path.write_bytes(b"\n".join(rows))
    done = run(played, tmp_path / "all", tmp_path / "mirror")
    assert "signature" in {each.code for each in done.findings}


def test_a_mirror_reads_as_the_ledger_does(played: Any, tmp_path: Path) -> None:
    publish(played.reader(), tmp_path / "all", open_too=True)
    reader, own = TreeReader(FolderSource(tmp_path / "all")), played.reader()
    assert list(reader.entries()) == list(own.entries())
    assert list(reader.entries(3, 7)) == list(own.entries(3, 7))
    for game in ("g-1", "open", "p-1"):
        assert list(reader.events(game, 2, 9)) == list(own.events(game, 2, 9))
        assert list(reader.entries_of(game)) == list(own.entries_of(game))
    assert list(reader.entries_of_kind("close", "open")) == list(own.entries_of_kind("close", "open"))
    head = own.head()
    found = reader.head()
    assert found is not None
    assert found._replace(revision=head.revision) == head
    assert reader.checkpoint() == own.checkpoint()
    assert list(reader.games()) == ["g-1", "g-2", "open", "p-1"]
    assert reader.text(b"") is None

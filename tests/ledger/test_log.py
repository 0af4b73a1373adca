"""The writing side: positions, entries, commitments, sealing, checkpoints, retries, refusals, on every backend."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from ledger.canonical import Record, decode
from ledger.checkpoint import open_checkpoint
from ledger.entries import read_entry
from ledger.errors import Conflict, Diverged, Malformed, Refused, Unavailable, Untrusted
from ledger.keys import SigningKey
from ledger.log import Log
from ledger.merkle import Frontier, leaf
from ledger.merkle import root as merkle_root
from ledger.notefile import MemoryNote
from ledger.stream import commitment, genesis, text_commitment

Make = Callable[[str, int, int], list[bytes]]


def entries(bench: Any) -> list[Record]:
    store = bench.store()
    with store.writing():
        found = [decode(row.data) for row in store.entries()]
    store.close()
    return found


def kinds(bench: Any) -> list[str]:
    return [f"{entry['kind']}:{entry.get('game', '')}:{entry.get('size', '')}" for entry in entries(bench)]


def test_a_new_ledger_has_config_and_its_first_key_under_a_checkpoint(bench: Any) -> None:
    log = bench.create()
    log.close()
    config, key = entries(bench)
    assert config == {
        "at": bench.now,
        "close_within_ms": 86_400_000,
        "kind": "config",
        "operator": "club",
        "origin": "club.example/log",
        "recovery": bench.recovery.verifier.format(),
        "v": 1,
    }
    assert (key["kind"], key["vkey"], key["not_before_size"]) == ("key-add", bench.key.verifier.format(), 0)
    audit, games = bench.audit()
    assert (audit.size, games, audit.findings) == (2, [], [])


def test_entries_of_a_game_commit_to_root_and_chain_computed_by_hand(bench: Any, make_events: Make) -> None:
    log = bench.create()
    data = make_events("g-1", 0, 7)
    log.append("g-1", 0, data[:3])
    log.append("g-1", 3, data[3:5], seal=True)
    log.append("g-1", 5, data[5:], close=True)
    log.close()
    opened, segment, close = entries(bench)[2:]
    chain = genesis("g-1")
    chains = [chain := sha256(b"\x02" + chain + leaf(each)).digest() for each in data]
    blind = bench.blind("g-1")
    for entry, size in ((opened, 3), (segment, 5)):
        root = merkle_root([leaf(each) for each in data[:size]])
        assert entry["commit"] == commitment(blind, size, root, chains[size - 1]).hex()
        assert entry.keys() == {"at", "commit", "game", "gno", "kind", "size", "stream", "v"}
        assert (entry["gno"], entry["size"], entry["stream"]) == (0, size, "game")
    assert close["blind"] == blind.hex()
    assert close["chain"] == chains[-1].hex()
    assert close["root"] == merkle_root([leaf(each) for each in data]).hex()
    assert close.keys() == {"at", "blind", "chain", "game", "gno", "kind", "root", "size", "stream", "v"}


def test_a_private_stream_keeps_its_commitment_closed(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 3), private=True)
    log.append("g-1", 3, make_events("g-1", 3, 4), close=True)
    log.close()
    assert entries(bench)[-1].keys() == {"at", "commit", "game", "gno", "kind", "size", "stream", "v"}
    audit, games = bench.audit()
    assert (audit.findings, audit.unchecked, games[0].private) == ([], [], True)


def test_a_game_in_one_append_has_open_and_close(bench: Any, make_events: Make) -> None:
    log = bench.create()
    done = log.append("g-1", 0, make_events("g-1", 0, 5), seal=True, close=True)
    assert (done.gno, done.seq, done.size, done.repeated) == (0, 0, 5, False)
    log.close()
    assert kinds(bench)[2:] == ["open:g-1:5", "close:g-1:5"]


def test_gno_is_gapless_over_all_kinds_and_refusals(bench: Any, make_events: Make) -> None:
    log = bench.create()
    for number, (game, stream) in enumerate((("g-1", "game"), ("s-1", "series"), ("c-1", "case"), ("g-2", "game"))):
        with pytest.raises(Conflict):
            log.append(f"no-{game}", 1, make_events(f"no-{game}", 1, 2))
        assert log.append(game, 0, make_events(game, 0, 2), stream=stream).gno == number
    log.close()
    assert [(entry["gno"], entry["stream"]) for entry in entries(bench) if entry["kind"] == "open"] == [
        (0, "game"),
        (1, "series"),
        (2, "case"),
        (3, "game"),
    ]
    assert bench.findings() == []


def test_positions_are_checked(bench: Any, make_events: Make, make_event: Callable[..., bytes]) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 3))
    with pytest.raises(Conflict) as caught:
        log.append("g-1", 2, make_events("g-1", 2, 4))
    assert (caught.value.expected, caught.value.found) == (2, 3)
    for bad in (
        make_event("g-2", 3),
        make_event("g-1", 5),
        make_event("g-1", 3) + b"\n",
        b'{"game":"g-1", "seq":3}',
        b'{"game":"g-1"}',
        b'{"seq":3}',
        b"\xff",
    ):
        with pytest.raises(Malformed, match="g-1 seq 4"):
            log.append("g-1", 3, [make_event("g-1", 3), bad])
    for game, seq in (("", 0), ("-x", 0), ("a" * 65, 0), ("g 1", 0), ("g-1", -1), ("g-1\n", 0)):
        with pytest.raises(Malformed):
            log.append(game, seq, [make_event("g-1", 0)])
    with pytest.raises(Malformed, match="nothing to append"):
        log.append("g-1", 3, [])
    with pytest.raises(Malformed, match="stream"):
        log.append("g-9", 0, make_events("g-9", 0, 1), stream="tournament")
    assert log.append("g-1", 3, make_events("g-1", 3, 4)).size == 4
    log.close()
    assert bench.findings() == []


def test_true_is_no_seq(bench: Any) -> None:
    log = bench.create()
    with pytest.raises(Malformed):
        log.append("g-1", 0, [b'{"game":"g-1","seq":false}'])


def test_nothing_follows_an_end(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    log.append("g-2", 0, make_events("g-2", 0, 3))
    log.abort("g-2", 3, make_events("g-2", 3, 4), reason="the server stopped")
    log.append("g-3", 0, make_events("g-3", 0, 3))
    log.abort("g-3", 3, reason="players left")
    for each in (log, bench.open()):
        for game, seq in (("g-1", 3), ("g-2", 4), ("g-3", 3)):
            with pytest.raises(Refused, match="nothing may follow"):
                each.append(game, seq, make_events(game, seq, seq + 1))
            with pytest.raises(Refused, match="nothing may follow"):
                each.abort(game, seq, reason="again")
    with pytest.raises(Refused, match="no such stream"):
        log.abort("g-9", 0, reason="never was")
    for reason in ("", "x" * 257, "line\nbreak"):
        with pytest.raises(Malformed):
            log.abort("g-9", 0, reason=reason)
    log.close()
    audit, games = bench.audit()
    assert [(game.game, game.ended) for game in games] == [("g-1", "close"), ("g-2", "abort"), ("g-3", "abort")]
    assert audit.findings == []
    assert entries(bench)[-1]["reason"] == "players left"


def test_a_command_is_carried_out_once(bench: Any, make_events: Make) -> None:
    log = bench.create()
    first = log.append("g-1", 0, make_events("g-1", 0, 3), command="c-1")
    log.append("g-1", 3, make_events("g-1", 3, 5), command="c-2")
    size = len(entries(bench)) if bench.target else None
    for each in (log, bench.open()):
        again = each.append("g-1", 0, make_events("g-1", 0, 3), command="c-1")
        assert (again.gno, again.seq, again.size, again.repeated) == (first.gno, 0, 3, True)
        with pytest.raises(Refused, match="another body"):
            each.append("g-1", 0, make_events("g-1", 0, 2), command="c-1")
        with pytest.raises(Refused, match="another body"):
            each.append("g-1", 0, make_events("g-1", 0, 3), command="c-1", close=True)
        assert each.append("g-2", 0, make_events("g-2", 0, 1), command="c-1").game == "g-2"
    for bad in ("", "a b", "x" * 129, "\n", "名"):
        with pytest.raises(Malformed, match="command id"):
            log.append("g-1", 5, make_events("g-1", 5, 6), command=bad)
    log.close()
    assert size is None or size == 3
    assert bench.findings() == []


def test_a_retry_after_the_end_still_gets_its_answer(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 3), command="all", close=True)
    assert log.append("g-1", 0, make_events("g-1", 0, 3), command="all", close=True).repeated


def test_a_group_is_acknowledged_by_the_flush_and_one_refusal_spoils_nothing(bench: Any, make_events: Make) -> None:
    log = bench.create()
    good = log.stage("g-1", 0, make_events("g-1", 0, 3), command="c")
    early = log.stage("g-2", 5, make_events("g-2", 5, 6))
    twice = log.stage("g-1", 0, make_events("g-1", 0, 3), command="c")
    late = log.stage("g-1", 3, make_events("g-1", 3, 4))
    assert not any(ticket.done for ticket in (good, early, twice, late))
    with pytest.raises(AssertionError):
        good.result()
    with pytest.raises(Conflict):
        log.flush()
    assert (good.result().size, twice.result().repeated, late.result().size) == (3, True, 4)
    with pytest.raises(Conflict):
        early.result()
    with pytest.raises(Malformed):
        log.stage("g-3", 0, [b"{}"])
    log.close()
    assert bench.findings() == []


def test_groups_are_flushed_at_256_events_or_50_ms(bench: Any, make_events: Make) -> None:
    log = bench.create()
    tickets = [log.stage(f"g-{number}", 0, make_events(f"g-{number}", 0, 64)) for number in range(3)]
    assert not tickets[0].done
    log.stage("g-9", 0, make_events("g-9", 0, 64))
    assert tickets[0].done
    waiting = log.stage("h-1", 0, make_events("h-1", 0, 1))
    bench.now += 49
    log.stage("h-2", 0, make_events("h-2", 0, 1))
    assert not waiting.done
    bench.now += 1
    log.stage("h-3", 0, make_events("h-3", 0, 1))
    assert waiting.done


def test_idle_streams_are_sealed_after_a_second_by_a_flush(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 2))
    log.append("g-1", 2, make_events("g-1", 2, 4))
    bench.now += 999
    log.flush()
    assert kinds(bench)[2:] == ["open:g-1:2"]
    bench.now += 1
    log.flush()
    assert kinds(bench)[2:] == ["open:g-1:2", "segment:g-1:4"]
    bench.now += 5000
    log.flush()
    assert len(kinds(bench)) == 4
    audit, _ = bench.audit()
    assert audit.unsealed == 0


def test_the_unsealed_tail_is_counted_and_no_finding(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 2), seal=True)
    bench.now += 1000
    log.flush()
    log.append("g-1", 2, make_events("g-1", 2, 5))
    audit, games = bench.audit()
    assert (audit.findings, audit.unsealed, games[0].unsealed, games[0].size) == ([], 3, 3, 5)


def test_checkpoints_come_once_a_second_and_at_once_on_an_end(bench: Any, make_events: Make) -> None:
    log = bench.create()

    def signed() -> int:
        audit, _ = bench.audit()
        assert audit.findings == []
        return audit.size

    assert signed() == 2
    log.append("g-1", 0, make_events("g-1", 0, 2))
    assert signed() == 2
    bench.now += 999
    log.append("g-2", 0, make_events("g-2", 0, 2))
    assert signed() == 2
    bench.now += 1
    log.flush()
    assert signed() == 4
    log.append("g-2", 2, make_events("g-2", 2, 3), close=True)
    assert signed() == 5


def test_times_never_decrease_in_entries(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 2))
    bench.now -= 60_000
    log.append("g-1", 2, make_events("g-1", 2, 3), seal=True)
    bench.now += 120_000
    log.append("g-1", 3, make_events("g-1", 3, 4), close=True)
    times = [entry["at"] for entry in entries(bench)]
    assert times == sorted(times)
    assert bench.findings() == []


def test_opening_again_seals_and_signs_what_a_crash_left(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 2))
    log.append("g-1", 2, make_events("g-1", 2, 5))
    del log  # as a killed process: nothing sealed, nothing signed
    assert bench.audit()[0].size == 2
    log = bench.open()
    audit, games = bench.audit()
    assert (audit.size, audit.unsealed, games[0].size, audit.findings) == (4, 0, 5, [])
    assert log.append("g-1", 5, make_events("g-1", 5, 6), close=True).size == 6
    log.close()
    assert bench.findings() == []


def test_two_handles_append_in_turn_and_see_each_other(bench: Any, make_events: Make) -> None:
    first = bench.create()
    second = bench.open()
    for step in range(6):
        log = (first, second)[step % 2]
        log.append("g-1", step * 2, make_events("g-1", step * 2, step * 2 + 2), seal=step % 3 == 0)
        log.append(f"h-{step}", 0, make_events(f"h-{step}", 0, 1), close=True)
        with pytest.raises(Conflict):
            (second, first)[step % 2].append("g-1", step * 2, make_events("g-1", step * 2, step * 2 + 1))
        bench.now += 400
    first.append("g-1", 12, make_events("g-1", 12, 13), close=True)
    with pytest.raises(Refused):
        second.append("g-1", 13, make_events("g-1", 13, 14))
    first.close()
    second.close()
    audit, games = bench.audit()
    assert audit.findings == []
    assert [game.gno for game in games] == list(range(7))


def test_the_same_inputs_give_the_same_ledger(bench: Any, make_events: Make) -> None:
    def run(other: Any) -> bytes:
        log = other.create()
        for game in ("g-1", "g-2"):
            log.append(game, 0, make_events(game, 0, 5), close=True)
            other.now += 700
        log.close()
        return other.audit()[0].root

    again = type(bench)()
    assert run(bench) == run(again)


def test_a_name_that_is_not_the_keys_is_refused_before_anything_is_made(bench: Any) -> None:
    other = SigningKey("other.example", bytes(32))

    def create(**change: object) -> Log:
        options = {
            "origin": "club.example/log",
            "operator": "club",
            "signer": bench.key,
            "recovery": bench.recovery,
            "clock": bench.clock,
        }
        return Log.create(bench.target or bench.memory, **{**options, **change})  # type: ignore[arg-type]

    for change in (
        {"signer": other},
        {"origin": "a b"},
        {"recovery": bench.key},
        {"operator": ""},
        {"operator": "x\n"},
        {"close_within_ms": -1},
    ):
        with pytest.raises(Malformed):
            create(**change)
    create().close()
    with pytest.raises(Unavailable, match="exists already"):
        create()
    with pytest.raises(Refused, match="the key is named"):
        Log.open(bench.target or bench.memory, signer=other)


def test_a_key_that_signed_elsewhere_starts_no_new_log(bench: Any) -> None:
    bench.create().close()
    elsewhere = type(bench)(last=bench.last)
    with pytest.raises(Refused, match="signed a log before"):
        elsewhere.create()


def test_another_key_cannot_sign_on_alone(bench: Any) -> None:
    bench.create().close()
    stranger = SigningKey("club.example/log", bytes([9]) * 32)
    with pytest.raises(Diverged, match="newest checkpoint"):
        Log.open(bench.target or bench.memory, signer=stranger)


def test_keys_change_by_entries_and_checkpoints_follow(bench: Any, make_events: Make) -> None:
    log = bench.create()
    new = SigningKey("club.example/log", bytes([9]) * 32)
    add: Record = {"not_before_size": 3, "role": "log", "vkey": new.verifier.format()}
    with pytest.raises(Untrusted):
        log.key_entry("key-add", add, [bench.key])
    with pytest.raises(Untrusted):
        log.key_entry("key-add", add, [bench.recovery])
    log.key_entry("key-add", add, [bench.recovery, bench.key])
    log.close()
    bench.last = MemoryNote()
    log = Log.open(
        bench.target or bench.memory, signer=new, verifiers=[bench.key.verifier], clock=bench.clock, last=bench.last
    )
    retire: Record = {"key": bench.key.verifier.format(), "last_size": 3}
    log.key_entry("key-retire", retire, [bench.recovery, new])
    log.append("g-1", 0, make_events("g-1", 0, 2), close=True)
    log.close()
    both = f"log {new.verifier.format()}\n".encode() + bench.policy()
    assert bench.findings(policy=both) == []
    assert bench.findings(policy=None) == []
    assert {finding.code for finding in bench.findings()} == {"signature"}


def test_texts_are_bound_and_erased(bench: Any, make_event: Callable[..., bytes]) -> None:
    log = bench.create()
    salt = bytes(range(32))
    commitment_hex = log.keep_text("他换了牌", salt)
    assert commitment_hex == sha256(b"\x03" + salt + "他换了牌".encode()).hexdigest()
    assert log.keep_text("他换了牌", salt) == commitment_hex
    log.append("c-1", 0, [make_event("c-1", 0, claim=commitment_hex)], stream="case", close=True)
    log.erase_text(commitment_hex)
    store = bench.store()
    with store.writing():
        assert store.text(bytes.fromhex(commitment_hex)) is None
    store.close()
    log.close()
    assert bench.findings() == []
    with pytest.raises(Malformed):
        text_commitment(b"short", "x")


def test_the_head_follows_every_transaction(bench: Any, make_events: Make) -> None:
    log = bench.create()
    for number in range(5):
        log.append(f"g-{number}", 0, make_events(f"g-{number}", 0, 3), close=number % 2 == 0)
        store = bench.store()
        with store.writing():
            head = store.head()
            tree = Frontier()
            for row in store.entries():
                assert row.leaf == leaf(row.data)
                read_entry(row.data)
                tree.append(row.leaf)
        store.close()
        assert head is not None
        assert (head.size, head.root, head.frontier, head.gno) == (tree.size, tree.root(), tree.encode(), number + 1)


def test_the_last_signed_note_is_kept_beside_the_key(bench: Any, make_events: Make) -> None:
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    assert bench.last.note is not None
    checkpoint, _ = open_checkpoint(bench.last.note, [bench.key.verifier])
    assert checkpoint.size == bench.audit()[0].size == 4

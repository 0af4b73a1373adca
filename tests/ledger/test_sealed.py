"""Keys at rest and in life: sealed lines, key files, changes of keys, cosignatures added to a ledger."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.checkpoint import cosign_checkpoint, open_checkpoint
from ledger.errors import LedgerError, Malformed, Refused, Unavailable, Untrusted
from ledger.founding import read_ring
from ledger.keyring import KeyChange
from ledger.keys import COSIGNATURE, MLDSA44, SigningKey, new_key, read_key, write_key, write_private
from ledger.log import Log
from ledger.notefile import MemoryNote
from ledger.policy import LogKey, Policy
from ledger.sealed import is_sealed, read_keys, read_verifiers, seal, unseal
from ledger.signing import add_cosignatures

Make = Callable[[str, int, int], list[bytes]]
KEYS = [new_key("log.example", lambda n: bytes(range(n)), kind) for kind in (1, COSIGNATURE, MLDSA44)]
CHEAP = 32  # KiB: what these tests need of Argon2id is its form, not its cost


@pytest.mark.parametrize("key", KEYS, ids=["ed25519", "cosigner", "ml-dsa-44"])
def test_sealed_lines_are_mirrored_and_need_the_passphrase(key: SigningKey) -> None:
    line = seal(key, b"correct horse", memory_kib=CHEAP)
    assert is_sealed(line)
    assert unseal(line, b"correct horse").format() == key.format()
    assert key.verifier.format() in line
    for wrong in (b"", b"correct horse ", b"Correct horse"):
        with pytest.raises(Malformed, match="does not open"):
            unseal(line, wrong)
    assert seal(key, b"x", memory_kib=CHEAP) != seal(key, b"x", memory_kib=CHEAP)
    with pytest.raises(Malformed):
        seal(key, b"")


def test_the_default_cost_is_the_one_of_the_rfc() -> None:
    assert " argon2id:3:4:65536 " in seal(KEYS[0], b"x")


def test_every_byte_of_a_sealed_line_counts_and_no_error_shows_the_seed() -> None:
    line = seal(KEYS[0], b"x", memory_kib=CHEAP)
    for at in range(len(line)):
        wrong = line[:at] + chr(ord(line[at]) ^ 1) + line[at + 1 :]
        with pytest.raises(LedgerError) as caught:
            unseal(wrong, b"x")
        assert KEYS[0].seed.hex() not in str(caught.value)
    for wrong in (line[:-1], line + "\n", line.replace(" ", "  ", 1), "", "SEALED+KEY"):
        with pytest.raises(LedgerError):
            unseal(wrong, b"x")


@pytest.mark.parametrize("costs", ["argon2id:3:4:31", "argon2id:3:4:9999999", "argon2id:0:4:64", "argon2i:3:4:64",
                                   "argon2id:100:4:64", "argon2id:3:4:064"])  # fmt: skip
def test_costs_outside_the_bounds_are_refused_before_any_work(costs: str) -> None:
    line = seal(KEYS[0], b"x", memory_kib=CHEAP).replace("argon2id:3:4:32", costs)
    with pytest.raises(Malformed):
        unseal(line, b"x")


def test_a_sealed_seed_cannot_be_moved_under_another_name() -> None:
    first, second = (seal(key, b"x", memory_kib=CHEAP).split(" ") for key in (KEYS[0], new_key("other.example")))
    with pytest.raises(Malformed, match="does not open"):
        unseal(" ".join([*first[:1], second[1], *first[2:]]), b"x")


def test_a_key_file_holds_several_keys_sealed_or_not(tmp_path: Path) -> None:
    path = tmp_path / "log.key"
    write_private(path, KEYS[0].format() + seal(KEYS[2], b"x", memory_kib=CHEAP))
    asked: list[str] = []

    def ask(name: str) -> bytes:
        asked.append(name)
        return b"x"

    assert [key.format() for key in read_keys(path, ask)] == [KEYS[0].format(), KEYS[2].format()]
    assert asked == [str(path)]
    assert read_verifiers(path) == (KEYS[0].verifier, KEYS[2].verifier)  # no passphrase needed
    with pytest.raises(Unavailable, match="no passphrase"):
        read_keys(path)
    with pytest.raises(Unavailable, match="does not open"):
        read_keys(path, lambda _: b"y")
    with pytest.raises(Unavailable):
        read_key(path)
    path.chmod(0o640)
    with pytest.raises(Unavailable, match="chmod 600"):
        read_keys(path, ask)
    for noise in ("", "hello\n", KEYS[0].format()[:-1], KEYS[0].format() + "\n"):
        other = tmp_path / f"noise-{len(noise)}"
        write_private(other, noise)
        for read in (read_keys, read_verifiers):
            with pytest.raises(Unavailable):
                read(other)


def test_two_plain_keys_in_one_file(tmp_path: Path) -> None:
    write_key(tmp_path / "k", KEYS[0], KEYS[2])
    assert [key.verifier for key in read_keys(tmp_path / "k")] == [KEYS[0].verifier, KEYS[2].verifier]


# The life of a log's keys.

NEW = SigningKey("club.example/log", bytes([9]) * 32)
QUANTUM = SigningKey("club.example/log", bytes([8]) * 32, MLDSA44)


def start(bench: Any) -> Log:
    return Log.create(
        bench.memory, origin="club.example/log", operator="club", signer=bench.key, also=[QUANTUM],
        recovery=bench.recovery, clock=bench.clock, blind=bench.blind, last=bench.last,
    )  # fmt: skip


def reopen(bench: Any, key: SigningKey, **options: Any) -> Log:
    verifiers = [bench.key.verifier, QUANTUM.verifier, NEW.verifier]
    return Log.open(bench.memory, signer=key, verifiers=verifiers, clock=bench.clock, last=MemoryNote(), **options)


def policy(bench: Any, *keys: SigningKey) -> bytes:
    return Policy(tuple(LogKey(key.verifier) for key in (bench.key, QUANTUM, *keys))).format()


def add(key: SigningKey, first: int) -> dict[str, Any]:
    return {"not_before_size": first, "role": "log", "vkey": key.verifier.format()}


def test_both_keys_of_a_log_sign_every_head(memory_bench: Any, make_events: Make) -> None:
    log = start(memory_bench)
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    log.close()
    for row in memory_bench.memory.shelf.checkpoints.values():
        _, opened = open_checkpoint(row.note, [memory_bench.key.verifier, QUANTUM.verifier])
        assert [found.time for found in opened.signatures] == [None, memory_bench.now // 1000]
    assert memory_bench.findings(policy=policy(memory_bench)) == []
    assert memory_bench.findings() == []  # whoever knows the Ed25519 key alone is served as well
    ring = read_ring(memory_bench.reader())
    assert set(ring.keys) == {memory_bench.key.verifier, QUANTUM.verifier}


def test_a_retired_key_signs_no_more(memory_bench: Any, make_events: Make) -> None:
    log = start(memory_bench)
    log.key_entry("key-add", add(NEW, 4), [memory_bench.recovery, memory_bench.key])
    with pytest.raises(Refused, match="could not sign"):
        log.key_entry("key-retire", {"key": memory_bench.key.verifier.format(), "last_size": 4},
                      [memory_bench.recovery, memory_bench.key])  # fmt: skip
    log.close()
    log = reopen(memory_bench, NEW)
    retire = {"key": memory_bench.key.verifier.format(), "last_size": 4}
    log.key_entry("key-retire", retire, [memory_bench.recovery, memory_bench.key])
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    log.close()
    assert memory_bench.findings(policy=policy(memory_bench, NEW)) == []
    with pytest.raises(Refused, match="may not sign"):
        reopen(memory_bench, memory_bench.key)


def test_a_new_key_takes_over_from_lost_ones_by_the_recovery_key_alone(memory_bench: Any, make_events: Make) -> None:
    log = start(memory_bench)
    log.append("g-1", 0, make_events("g-1", 0, 3))
    log.close()
    size = len(memory_bench.memory.shelf.entries)
    with pytest.raises(Refused, match="may not sign"):
        reopen(memory_bench, NEW)
    changes = [
        KeyChange("key-revoke", {"from_size": size + 1, "key": key.verifier.format(), "reason": "lost"},
                  [memory_bench.recovery])
        for key in (memory_bench.key, QUANTUM)
    ]  # fmt: skip
    takeover = KeyChange("key-add", add(NEW, size), [memory_bench.recovery])
    with pytest.raises(Untrusted):
        reopen(memory_bench, NEW, changes=[takeover])  # while a key is valid it must agree
    with pytest.raises(Untrusted):
        reopen(memory_bench, NEW, changes=[*changes, KeyChange("key-add", add(NEW, size), [NEW])])
    assert len(memory_bench.memory.shelf.entries) == size  # a refused change leaves nothing
    reopen(memory_bench, NEW, changes=[*changes, takeover]).close()
    assert memory_bench.findings(policy=policy(memory_bench, NEW)) == []
    with pytest.raises(Refused):
        reopen(memory_bench, memory_bench.key)


def test_a_signer_in_another_place(memory_bench: Any, make_events: Make) -> None:
    """Whatever has `verifier` and `sign` may sign: a key in another process, in hardware (ledger.md 3)."""
    calls = []

    class Elsewhere:
        verifier = memory_bench.key.verifier

        def sign(self, text: bytes) -> bytes:
            calls.append(text)
            signed: bytes = memory_bench.key.sign(text)
            return signed

    log = Log.create(
        memory_bench.memory, origin="club.example/log", operator="club", signer=Elsewhere(),
        recovery=memory_bench.recovery, clock=memory_bench.clock, blind=memory_bench.blind,
    )  # fmt: skip
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    log.close()
    assert memory_bench.findings() == []
    assert all(text.startswith(b"club.example/log\n") for text in calls)


def test_cosignatures_are_added_to_the_head_they_sign(bench: Any, make_events: Make) -> None:
    witness = SigningKey("witness.example", bytes([4]) * 32, COSIGNATURE)
    log = bench.create()
    log.append("g-1", 0, make_events("g-1", 0, 3), close=True)
    store = bench.store()
    with store.writing():
        older = store.checkpoint()
    bench.now += 5000
    log.append("g-2", 0, make_events("g-2", 0, 3), close=True)
    log.close()
    lines = cosign_checkpoint(older.note, witness, bench.now // 1000).encode()
    assert add_cosignatures(store, lines, [witness.verifier]) == older.size
    with store.writing():
        newest = store.checkpoint()
    lines = cosign_checkpoint(newest.note, witness, bench.now // 1000).encode()
    assert add_cosignatures(store, lines, [witness.verifier]) == newest.size
    with pytest.raises(Untrusted):
        add_cosignatures(store, lines, [NEW.verifier])
    with pytest.raises(Malformed):
        add_cosignatures(store, b"no line\n", [witness.verifier])
    other = cosign_checkpoint(older.note.replace(b"\n4\n", b"\n3\n"), witness, 1).encode()
    with pytest.raises(Untrusted, match="no checkpoint"):
        add_cosignatures(store, other, [witness.verifier])
    store.close()
    assert bench.findings() == []
    log = bench.open()
    log.append("g-3", 0, make_events("g-3", 0, 3), close=True)  # the log goes on from a cosigned head
    log.close()
    assert bench.findings() == []

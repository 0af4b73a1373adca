"""Receipts: made, read, checked by us and by the self-contained script alike, every damage refused by both."""

import gzip
import importlib.util
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.checkpoint import cosign_checkpoint
from ledger.errors import LedgerError, Malformed, Refused, Unavailable, Untrusted
from ledger.keys import COSIGNATURE, MLDSA44, SigningKey
from ledger.log import Log
from ledger.policy import Group, LogKey, Policy, Witness
from ledger.proof import MAX_PATH, Proof, parse_proof
from ledger.receipt import (
    Receipt,
    bundle_name,
    check_events,
    check_receipt,
    make_receipt,
    pack,
    parse_receipt,
    read_events,
    unpack,
)
from ledger.signing import add_cosignatures

Make = Callable[[str, int, int], list[bytes]]
SCRIPT = Path(__file__).parents[2] / "data/verify_receipt.py"
WITNESSES = [SigningKey(f"witness.example/w{number}", bytes([number]) * 32, COSIGNATURE) for number in (1, 2)]
WITNESSES.append(SigningKey("witness.example/w3", bytes([3]) * 32, MLDSA44))


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("verify_receipt", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pinned(bench: Any, quorum: int = 2) -> Policy:
    witnesses = tuple(Witness(f"w{number}", key.verifier) for number, key in enumerate(WITNESSES, 1))
    group = Group("all-of-us", str(quorum), ("w1", "w2", "w3"))
    return Policy((LogKey(bench.key.verifier), LogKey(bench.quantum.verifier)), witnesses, (group,), "all-of-us")


@pytest.fixture
def played(memory_bench: Any, make_events: Make) -> Any:
    """Some games, one aborted, one open, one private, in a log that both of its keys and three witnesses signed."""
    bench = memory_bench
    bench.quantum = SigningKey(bench.key.verifier.name, bytes([77]) * 32, MLDSA44)
    log = Log.create(
        bench.memory, origin=bench.key.verifier.name, operator="club", signer=bench.key, also=[bench.quantum],
        recovery=bench.recovery, clock=bench.clock, blind=bench.blind, last=bench.last,
    )  # fmt: skip
    for number in range(9):
        log.append(f"g-{number}", 0, make_events(f"g-{number}", 0, 30 + number), close=number != 3, private=number == 4)
        bench.now += 2000
    log.abort("g-3", 33, reason="stopped")
    log.append("open", 0, make_events("open", 0, 7))
    log.close()
    cosign(bench, WITNESSES)
    return bench


def cosign(bench: Any, witnesses: list[SigningKey]) -> None:
    store = bench.store()
    with store.writing():
        note = store.checkpoint().note
    lines = "".join(cosign_checkpoint(note, each, bench.now // 1000) for each in witnesses)
    add_cosignatures(store, lines.encode(), [each.verifier for each in witnesses])


def test_a_whole_game_and_one_action(played: Any, script: Any) -> None:
    reader, policy = played.reader(), pinned(played)
    for game in ("g-0", "g-3", "g-8"):
        receipt = make_receipt(reader, game)
        data = receipt.proof.format()
        assert len(data) < 2200
        again = parse_receipt(data)
        assert again == receipt
        checkpoint, opened = check_receipt(again, policy)
        assert policy.cosigned(opened).keys() == {"w1", "w2"}  # the ML-DSA-44 lines stay on request only
        assert (checkpoint.origin, again.name) == ("club.example/log", f"game-{game}")
        events = read_events(reader, game, again.entry.size)
        check_events(again, unpack(pack(events)), b"")
        told = script.check(script.Receipt(data), script.Policy(policy.format()), pack(events), b"")
        assert told.startswith(f"{game}, all {len(events)} events")
        for seq in (0, 17, len(events) - 1):
            action = make_receipt(reader, game, seq=seq)
            read = parse_receipt(action.proof.format())
            assert (read.seq, read.event, read.name) == (seq, events[seq], f"game-{game}-{seq}")
            check_receipt(read, policy)
            told = script.check(script.Receipt(action.proof.format()), script.Policy(policy.format()), None, b"")
            assert told.startswith(f"event {seq} of {game}: ")


def test_all_lines_on_request(played: Any, script: Any) -> None:
    receipt = make_receipt(played.reader(), "g-0", pq=True)
    policy = pinned(played, quorum=3)
    _, opened = check_receipt(receipt, policy)
    assert policy.cosigned(opened).keys() == {"w1", "w2", "w3"}
    assert len(receipt.proof.format()) > 2 * 3200
    assert "w3" in script.check(script.Receipt(receipt.proof.format()), script.Policy(policy.format()), None, b"")
    with pytest.raises(Untrusted) as caught:
        check_receipt(make_receipt(played.reader(), "g-0"), policy)
    assert caught.value.code == "quorum"


def test_what_gives_no_receipt(played: Any) -> None:
    reader = played.reader()
    for game, seq, reason in (
        ("nobody", None, "no such stream"),
        ("open", None, "has not ended"),
        ("g-0", 30, "no event 30"),
        ("g-4", 3, "private"),
    ):
        with pytest.raises(Refused, match=reason):
            make_receipt(reader, game, seq=seq)


def test_a_private_game_needs_its_blind(played: Any, script: Any) -> None:
    reader, policy = played.reader(), pinned(played)
    receipt = make_receipt(reader, "g-4")
    check_receipt(receipt, policy)
    events = read_events(reader, "g-4", 34)
    blind = played.blind("g-4")
    check_events(receipt, events, blind)
    ours, theirs = script.Receipt(receipt.proof.format()), script.Policy(policy.format())
    assert script.check(ours, theirs, pack(events), blind)
    with pytest.raises(Refused):
        check_events(receipt, events)
    for wrong in (b"", bytes(32)):
        with pytest.raises(script.Wrong):
            script.check(ours, theirs, pack(events), wrong)
    with pytest.raises(Untrusted):
        check_events(receipt, events, bytes(32))


def test_a_damaged_ledger_gives_no_receipt(played: Any) -> None:
    shelf = played.memory.shelf
    row = shelf.entries[4]
    shelf.entries[4] = row._replace(data=row.data.replace(b"g-0", b"g-9"))
    with pytest.raises(Unavailable):
        make_receipt(played.reader(), "g-1")


def both(
    script: Any, policy: Policy, data: bytes, bundle: bytes | None
) -> tuple[type[Exception] | None, type[Exception] | None]:
    """What ours and the script say of the same files."""
    ours = theirs = None
    try:
        receipt = parse_receipt(data)
        check_receipt(receipt, policy)
        if bundle is not None and receipt.seq is None:
            check_events(receipt, unpack(bundle))
    except LedgerError as error:
        ours = type(error)
    try:
        script.check(script.Receipt(data), script.Policy(policy.format()), bundle, b"")
    except (script.Wrong, script.Unreadable, UnicodeError) as error:
        theirs = type(error)
    return ours, theirs


def damages(data: bytes) -> list[bytes]:
    """Change one bit of every byte, cut at every place, double every byte."""
    found = [data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :] for at in range(len(data))]
    found += [data[:at] for at in range(0, len(data), 7)]
    found += [data[:at] + data[at : at + 1] + data[at:] for at in range(0, len(data), 5)]
    return found


@pytest.mark.parametrize("seq", [None, 5])
def test_every_byte_of_a_receipt_counts_for_us_and_for_the_script(played: Any, script: Any, seq: int | None) -> None:
    policy = pinned(played, quorum=1)
    data = make_receipt(played.reader(), "g-1", seq=seq).proof.format()
    assert both(script, policy, data, None) == (None, None)
    good = parse_receipt(data)
    accepted = 0
    for wrong in damages(data):
        if wrong == data:
            continue
        ours, theirs = both(script, policy, wrong, None)
        assert (ours is None) == (theirs is None), wrong
        if ours is None:
            # Only a line of no known key, or of one more witness than are needed, may change unnoticed.
            read = parse_receipt(wrong)
            assert (read.entry, read.proof.index, read.event) == (good.entry, good.proof.index, good.event)
            assert wrong.partition(b"\n\n\xe2\x80\x94")[0] == data.partition(b"\n\n\xe2\x80\x94")[0]
            accepted += 1
    assert accepted < len(data) // 4


def test_every_byte_of_a_bundle_counts_for_us_and_for_the_script(played: Any, script: Any) -> None:
    reader, policy = played.reader(), pinned(played)
    data = make_receipt(reader, "g-0").proof.format()
    events = read_events(reader, "g-0", 30)
    bundle = pack(events)
    assert both(script, policy, data, bundle) == (None, None)
    for wrong in damages(bundle):
        ours, theirs = both(script, policy, data, wrong)
        assert (ours is None) == (theirs is None)
        if ours is None:
            assert unpack(wrong) == events  # a bit of the gzip header that says nothing
    for changed in (events[:-1], [*events, events[0]], [events[1], events[0], *events[2:]], [b"", *events[1:]],
                    [events[0].replace(b"1m", b"2m"), *events[1:]], []):  # fmt: skip
        ours, theirs = both(script, policy, data, pack(changed))
        assert ours is not None
        assert theirs is not None


def test_a_receipt_moved_or_mixed_is_refused(played: Any, script: Any) -> None:
    reader, policy = played.reader(), pinned(played)
    first, second = (make_receipt(reader, game).proof for game in ("g-1", "g-2"))
    action, other = (make_receipt(reader, "g-1", seq=seq).proof for seq in (5, 6))
    wrong = [
        Proof(second.index, first.path, first.note, first.extra),
        Proof(first.index, second.path, first.note, first.extra),
        Proof(first.index, first.path, first.note, second.extra),
        Proof(first.index + 10**6, first.path, first.note, first.extra),
        Proof(first.index, first.path[:-1], first.note, first.extra),
        Proof(first.index, (*first.path, bytes(32)), first.note, first.extra),
        Proof(action.index, action.path, action.note, (action.extra or b"")[:-34]),
        Proof(second.index, second.path, second.note, action.extra),
        Proof(action.index, action.path, action.note, (action.extra or b"").replace(b'"seq":5', b'"seq":6')),
        Proof(first.index, first.path, first.note, None),
        Proof(first.index, first.path, first.note, b"{}"),
        Proof(first.index, first.path, first.note, b""),
        Proof(first.index, first.path, first.note, reader_entry(played, 3)),
    ]
    for each in wrong:
        ours, theirs = both(script, policy, each.format(), None)
        assert ours is not None
        assert theirs is not None
    assert both(script, policy, other.format(), None) == (None, None)


def reader_entry(bench: Any, index: int) -> bytes:
    data: bytes = next(iter(bench.reader().entries(index, index + 1))).data
    return data


def test_the_wrong_policy_refuses(played: Any, script: Any) -> None:
    data = make_receipt(played.reader(), "g-0").proof.format()
    stranger = SigningKey("club.example/log", bytes([99]) * 32)
    other = SigningKey("other.example/log", bytes(range(32)))
    for policy in (Policy((LogKey(stranger.verifier),)), Policy((LogKey(other.verifier),)), pinned(played, quorum=3)):
        ours, theirs = both(script, policy, data, None)
        assert (ours, theirs) == (Untrusted, script.Wrong)


def test_the_script_alone_with_nothing_of_ours(played: Any, tmp_path: Path) -> None:
    """It runs where this project is not installed: nothing of it is imported (ledger.md 5)."""
    text = SCRIPT.read_text()
    assert not [line for line in text.splitlines() if line.startswith(("import ledger", "from ledger", "from viewer"))]
    reader = played.reader()
    receipt = make_receipt(reader, "g-0")
    (tmp_path / "game-g-0.tlog-proof").write_bytes(receipt.proof.format())
    (tmp_path / bundle_name("g-0")).write_bytes(pack(read_events(reader, "g-0", 30)))
    (tmp_path / "log.policy").write_bytes(pinned(played).format())
    start = f"import sys, runpy; sys.path.append({site()!r}); sys.argv = sys.argv[1:]; "
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", start + "runpy.run_path(sys.argv[0], run_name='__main__')", str(SCRIPT),
         "game-g-0.tlog-proof", "--policy", "log.policy"], cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("holds: g-0, all 30 events")
    (tmp_path / bundle_name("g-0")).write_bytes(pack(read_events(reader, "g-0", 29)))
    for args, code in ((["game-g-0.tlog-proof"], 1), (["log.policy"], 2), (["missing"], 2)):
        run = subprocess.run(
            [sys.executable, str(SCRIPT), *args, "--policy", "log.policy"],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == code
        assert "Traceback" not in run.stderr


def site() -> str:
    import cryptography

    return str(Path(cryptography.__file__).parents[1])


@given(
    st.integers(0, 2**63 - 1),
    st.lists(st.binary(min_size=32, max_size=32), max_size=MAX_PATH),
    st.none() | st.binary(max_size=100),
)
def test_proofs_are_mirrored(index: int, path: list[bytes], extra: bytes | None) -> None:
    note = b"log.example\n1\n" + b64encode(bytes(32)) + b"\n\n\xe2\x80\x94 log.example " + b64encode(bytes(9)) + b"\n"
    proof = Proof(index, tuple(path), note, extra)
    assert parse_proof(proof.format()) == proof


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"index 4", b"index 04"), (b"index 4", b"index -4"), (b"index 4", b"Index 4"), (b"index 4", b"index 4 "),
     (b"@v1", b"@v2"), (b"extra ", b"extra  "), (b"\nindex", b"\n\nindex"), (b"c2sp", b" c2sp"), (b"=\n", b"\n")],
)  # fmt: skip
def test_other_spellings_of_a_proof_are_refused(old: bytes, new: bytes) -> None:
    note = b"log.example\n9\n" + b64encode(bytes(32)) + b"\n\n\xe2\x80\x94 log.example " + b64encode(bytes(9)) + b"\n"
    data = Proof(4, (bytes(32), bytes(range(32))), note, b"12").format()
    parse_proof(data)
    assert old in data
    with pytest.raises(Malformed):
        parse_proof(data.replace(old, new, 1))


@settings(max_examples=200)
@given(st.binary(max_size=60), st.integers(0, 500))
def test_noise_in_a_proof_never_gives_a_traceback(noise: bytes, place: int) -> None:
    note = b"log.example\n9\n" + b64encode(bytes(32)) + b"\n\n\xe2\x80\x94 log.example " + b64encode(bytes(9)) + b"\n"
    data = Proof(4, (bytes(32),), note, b"12").format()
    wrong = data[:place] + noise + data[place:]
    try:
        proof = parse_proof(wrong)
    except LedgerError:
        return
    assert proof.format() == wrong


def test_a_bundle_is_one_whole_gzip_file() -> None:
    events = [b"one", b"two"]
    data = pack(events)
    assert data == pack(events)
    assert unpack(data) == events
    for wrong in (b"", data[:-1], data + b"x", data + data, gzip.compress(b"\x00"), b"plain"):
        with pytest.raises(Malformed):
            unpack(wrong)


def test_a_receipt_has_a_name_for_its_file(played: Any) -> None:
    receipt: Receipt = make_receipt(played.reader(), "g-0")
    assert receipt.name == "game-g-0"
    assert bundle_name("g-0") == "game-g-0.bundle.gz"

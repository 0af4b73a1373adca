"""The witness: every status code in its order, compare-and-swap under racing requests, evidence that is kept."""

import sqlite3
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.checkpoint import Checkpoint, open_checkpoint, sign_checkpoint
from ledger.errors import LedgerError, Malformed, Unavailable
from ledger.keys import COSIGNATURE, MLDSA44, SigningKey
from ledger.merkle import EMPTY_ROOT, leaf, prove_consistency, root
from ledger.note import sign_note
from ledger.policy import LogKey, Policy
from ledger.witness import Submission, Witness, WitnessState, origin_hash, parse_submission
from ledger.witness_state import MemoryState, StateFile

ORIGIN = "log.example"
KEY = SigningKey(ORIGIN, bytes(range(32)))
PQ = SigningKey(ORIGIN, bytes(range(9, 41)), MLDSA44)
W1 = SigningKey("witness.example/w1", bytes(range(2, 34)), COSIGNATURE)
W2 = SigningKey("witness.example/w2", bytes(range(3, 35)), MLDSA44)
POLICY = Policy((LogKey(KEY.verifier), LogKey(PQ.verifier)))
LEAVES = [leaf(b"%d" % number) for number in range(40)]
OTHER = [leaf(b"other %d" % number) for number in range(40)]


def note(size: int, leaves: list[bytes] = LEAVES, key: SigningKey = KEY) -> bytes:
    return sign_checkpoint(Checkpoint(key.verifier.name, size, root(leaves[:size])), [key])


def ask(old: int, size: int, leaves: list[bytes] = LEAVES) -> bytes:
    proof = prove_consistency(leaves[:size], old) if 0 < old <= size else ()
    return Submission(old, proof, note(size, leaves)).format()


@dataclass
class Desk:
    state: WitnessState = field(default_factory=MemoryState)
    now: int = 1_796_083_200

    def witness(self) -> Witness:
        return Witness(POLICY, (W1, W2), self.state, lambda: self.now)

    def status(self, data: bytes) -> int:
        return self.witness().add_checkpoint(data).status


@pytest.fixture(params=["memory", "file"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    return Desk() if request.param == "memory" else Desk(StateFile(tmp_path / "witness.db"))


def test_it_cosigns_what_continues_and_shows_it(desk: Desk) -> None:
    for old, size in ((0, 5), (5, 16), (16, 16), (16, 40)):
        answer = desk.witness().add_checkpoint(ask(old, size))
        assert answer.status == 200, answer
        checkpoint, opened = open_checkpoint(note(size) + answer.body, [each.verifier for each in (KEY, W1, W2)])
        assert checkpoint.size == size
        assert [found.time for found in opened.signatures] == [None, desk.now, desk.now]
        shown = desk.witness().latest(origin_hash(ORIGIN))
        assert shown.status == 200
        assert open_checkpoint(shown.body, [each.verifier for each in (KEY, W1, W2)])[0] == checkpoint
        desk.now += 7
    assert desk.witness().latest(origin_hash("other.example")).status == 404
    assert Desk().witness().latest(origin_hash(ORIGIN)).status == 404


def test_the_specification_order_of_refusals(desk: Desk) -> None:
    """400, 404, 403, 400, 409, 422: of two reasons the earlier one is told (ledger.md 2)."""
    stranger = SigningKey("stranger.example", bytes(32))
    forger = SigningKey(ORIGIN, bytes(32))
    broken = note(5).replace(b"\xe2\x80\x94 log.example ", b"\xe2\x80\x94 log.example A", 1)
    assert desk.status(b"") == 400
    assert desk.status(b"old 1\n\n" + broken[:-1]) == 400
    assert desk.status(Submission(9, (), note(5, key=stranger)).format()) == 404  # before old > new
    assert desk.status(Submission(9, (), note(5, key=forger)).format()) == 403
    assert desk.status(Submission(9, (), note(5)).format()) == 400
    assert desk.status(ask(0, 5)) == 200
    conflict = desk.witness().add_checkpoint(Submission(4, (bytes(32),), note(16)).format())
    assert conflict == (409, b"5\n", "text/x.tlog.size")  # before the bad proof
    assert desk.status(Submission(5, (bytes(32),), note(16)).format()) == 422


def test_a_bad_line_of_a_known_key_beside_a_good_one_is_403(desk: Desk) -> None:
    whole = sign_checkpoint(Checkpoint(ORIGIN, 5, root(LEAVES[:5])), [KEY, PQ])
    assert desk.status(Submission(0, (), whole).format()) == 200
    head, _, last = whole[:-1].rpartition(b" ")
    damaged = head + b" " + last[:-8] + b"AAAAAAA=" + b"\n"
    assert desk.status(Submission(5, (), damaged).format()) == 403
    alone = sign_note(Checkpoint(ORIGIN, 5, root(LEAVES[:5])).format(), [PQ])
    assert desk.status(Submission(5, (), alone).format()) == 403


@pytest.mark.parametrize(
    "case",
    ["bad proof", "short proof", "long proof", "proof from 0", "size 0, another root", "same size, another root"],
)
def test_all_that_is_422(desk: Desk, case: str) -> None:
    odd = f"{ORIGIN}\n0\n{b64encode(bytes(32)).decode()}\n".encode()
    if case == "proof from 0":
        assert desk.status(Submission(0, (bytes(32),), note(5)).format()) == 422
        return
    if case == "size 0, another root":
        assert desk.status(Submission(0, (), sign_note(odd, [KEY])).format()) == 422
        return
    assert desk.status(ask(0, 5)) == 200
    proof = prove_consistency(LEAVES[:16], 5)
    submission = {
        "bad proof": Submission(5, (bytes(32), *proof[1:]), note(16)),
        "short proof": Submission(5, proof[:-1], note(16)),
        "long proof": Submission(5, (*proof, bytes(32)), note(16)),
        "same size, another root": Submission(5, (), note(5, OTHER)),
    }[case]
    assert desk.status(submission.format()) == 422
    assert desk.status(Submission(5, proof, note(16)).format()) == 200


def test_size_0_may_be_cosigned_and_grown_from(desk: Desk) -> None:
    empty = sign_checkpoint(Checkpoint(ORIGIN, 0, EMPTY_ROOT), [KEY])
    assert desk.status(Submission(0, (), empty).format()) == 200
    assert desk.status(ask(0, 5)) == 200


def test_both_heads_of_a_fork_are_kept_once(tmp_path: Path) -> None:
    state = StateFile(tmp_path / "witness.db")
    desk = Desk(state)
    assert desk.status(ask(0, 16)) == 200
    for old, leaves, size, status in ((16, OTHER, 16, 422), (3, OTHER, 16, 409), (16, OTHER, 30, 422)):
        assert desk.status(ask(old, size, leaves)) == status
        assert desk.status(ask(old, size, leaves)) == status
    first, second = state.conflicts()
    assert first.reason == "two roots at size 16"
    keys = [KEY.verifier]
    heads = [open_checkpoint(each, keys)[0] for each in (first.cosigned, first.refused)]
    assert [(head.size, head.root) for head in heads] == [(16, root(LEAVES[:16])), (16, root(OTHER[:16]))]
    assert open_checkpoint(second.refused, keys)[0].size == 30
    assert second.proof == tuple(prove_consistency(OTHER[:30], 16))
    assert state.load(ORIGIN) == StateFile(tmp_path / "witness.db").load(ORIGIN)


def test_what_others_added_to_a_note_is_not_kept(desk: Desk) -> None:
    spam = "".join(f"— spam{number}.example {b64encode(bytes(68)).decode()}\n" for number in range(63)).encode()
    assert desk.status(Submission(0, (), note(5) + spam).format()) == 200
    assert b"spam" not in desk.witness().latest(origin_hash(ORIGIN)).body
    assert desk.status(ask(5, 16)) == 200


def test_of_racing_requests_one_wins_and_no_head_rolls_back(tmp_path: Path) -> None:
    """The race of the specification: a smaller head checked first must not be kept after a larger one."""
    path = tmp_path / "witness.db"
    assert Desk(StateFile(path)).status(ask(0, 5)) == 200
    sizes = list(range(6, 40))
    requests = [ask(5, size) for size in sizes]

    def send(data: bytes) -> int:
        return Desk(StateFile(path)).status(data)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(send, requests))
    assert answers.count(200) == 1
    assert set(answers) == {200, 409}
    kept = StateFile(path).load(ORIGIN)
    assert kept is not None
    assert open_checkpoint(kept, [KEY.verifier])[0].size == sizes[answers.index(200)]


class Slow(MemoryState):
    """Another process moves on between the check and the swap."""

    def swap(self, origin: str, before: bytes | None, after: bytes) -> bool:
        if len(self.heads) == 0:
            self.heads[origin] = note(16)
            return False
        return super().swap(origin, before, after)


def test_a_lost_race_is_judged_again() -> None:
    answer = Desk(Slow()).witness().add_checkpoint(ask(0, 5))
    assert (answer.status, answer.body) == (409, b"16\n")


def test_a_state_that_cannot_be_kept_answers_nothing(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        StateFile(tmp_path / "missing" / "witness.db")
    path = tmp_path / "noise.db"
    path.write_bytes(b"no database" * 500)
    with pytest.raises(Unavailable):
        StateFile(path)
    good = StateFile(tmp_path / "w.db")
    with sqlite3.connect(tmp_path / "w.db") as database:
        database.execute("DROP TABLE heads")
    with pytest.raises(Unavailable):
        Desk(good).status(ask(0, 5))


@given(st.integers(0, 2**63 - 1), st.lists(st.binary(min_size=32, max_size=32), max_size=63))
def test_requests_are_mirrored(old: int, proof: list[bytes]) -> None:
    submission = Submission(old, tuple(proof), note(5))
    assert parse_submission(submission.format()) == submission


def change(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda data: data.replace(old, new, 1)


@pytest.mark.parametrize(
    "damage",
    [change(b"old 5", b"old 05"), change(b"old 5", b"old +5"), change(b"old 5", b"old"), change(b"old 5", b"Old 5"),
     change(b"old 5", b"old 9223372036854775808"), change(b"old 5\n", b"old 5\n\n"),
     change(b"old 5\n", b"old 5\nAAAA\n"), change(b"log.example\n", b"log.example\n\n"),
     change(b"old 5\n", b"old 5\n" + b64encode(bytes(32)) + b" \n"), change(b"old 5", "old ５".encode()),
     change(b"old 5\n", b"old 5\n" + (b64encode(bytes(32)) + b"\n") * 64)],
)  # fmt: skip
def test_other_spellings_of_a_request_are_400(damage: Callable[[bytes], bytes]) -> None:
    data = damage(ask(5, 16))
    with pytest.raises(Malformed):
        parse_submission(data)
    assert Desk().status(data) == 400


@given(st.binary(max_size=200), st.integers(0, 600))
def test_noise_never_gives_a_traceback(noise: bytes, place: int) -> None:
    data = ask(5, 16)
    try:
        parsed = parse_submission(data[:place] + noise + data[place:])
    except LedgerError:
        return
    assert parsed.format() == data[:place] + noise + data[place:]

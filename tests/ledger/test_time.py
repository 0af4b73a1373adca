"""Time tokens from a local OpenSSL authority: requested, verified, logged; level 6 with them."""

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("rfc3161_client", reason="the extra [time] is not installed")

from ledger.canonical import encode
from ledger.checkpoint import read_checkpoint
from ledger.errors import LedgerError, Malformed, Refused, Unavailable, Untrusted
from ledger.findings import Finding
from ledger.fsck import fsck
from ledger.timetoken import Interval, check_token, make_request, read_roots, read_token
from ledger.verify import Audit
from ledger.verify_time import ALLOWED_MS, Brackets, Stamp, check_time

if not shutil.which("openssl"):
    pytest.skip("openssl is not installed: no authority to ask", allow_module_level=True)

TEXT = b"club.example/log\n7\nAAAA\n"


@pytest.fixture
def stamp(tsa: Any) -> Callable[[bytes], bytes]:
    """Give the authority's token over a text."""
    return lambda text: tsa.answer(make_request(text))


@pytest.fixture
def roots(tsa: Any) -> Any:
    return read_roots(tsa.root, "root.pem")


def test_a_token_over_a_text_verifies_and_tells_its_second(
    tsa: Any, stamp: Callable[[bytes], bytes], roots: Any
) -> None:
    token = stamp(TEXT)
    made = check_token(token, TEXT, roots)
    assert made == read_token(token, TEXT)
    assert made.last - made.first == 999 + 2 * 1000  # a whole second, accurate to one
    assert tsa.before_ms - 1999 <= made.first <= made.last <= tsa.after_ms + 2000
    for other in (b"", TEXT[:-1], TEXT + b"\n", b"another\n"):
        with pytest.raises(Untrusted) as caught:
            check_token(token, other, roots)
        assert caught.value.code == "time"


def test_a_token_of_another_authority_is_not_believed(tsa: Any, other_tsa: Any, roots: Any) -> None:
    token = other_tsa.answer(make_request(TEXT))
    assert read_token(token, TEXT)
    with pytest.raises(Untrusted, match="does not verify"):
        check_token(token, TEXT, roots)
    both = (*roots, *read_roots(other_tsa.root, "other"))
    assert check_token(token, TEXT, both)
    assert len(read_roots(tsa.root + other_tsa.root, "both")) == 2
    with pytest.raises(Unavailable, match="certificates"):
        read_roots(b"no certificate", "x.pem")


def test_a_certificate_not_made_for_time_stamping_is_refused(wrong_tsa: Any) -> None:
    """The authority's own program refuses to sign with it; a forger's would not."""
    with pytest.raises(subprocess.CalledProcessError):
        wrong_tsa.answer(make_request(TEXT))


def test_a_refusal_and_what_is_no_response_are_malformed(tsa: Any, stamp: Callable[[bytes], bytes]) -> None:
    token = stamp(TEXT)
    sha1 = subprocess.run(
        ["openssl", "ts", "-query", "-digest", "00" * 20, "-sha1"], capture_output=True, check=True
    ).stdout
    with pytest.raises(Malformed, match="refused: status 2"):
        read_token(tsa.answer(sha1), TEXT)
    for bad in (b"", b"abc", token[:-1], token + b"x", token[:40], bytes(20_000)):
        with pytest.raises(Malformed):
            read_token(bad, TEXT)


def test_no_flipped_bit_of_a_token_changes_what_it_says(stamp: Callable[[bytes], bytes], roots: Any) -> None:
    token = stamp(TEXT)
    made = check_token(token, TEXT, roots)
    rng = random.Random(2)
    refused = 0
    for _ in range(400):
        at = rng.randrange(len(token))
        bad = token[:at] + bytes([token[at] ^ 1 << rng.randrange(8)]) + token[at + 1 :]
        try:
            found = check_token(bad, TEXT, roots)
        except LedgerError:
            refused += 1
        else:
            assert found == made
    assert refused > 380  # a few bits of the envelope are under no signature, and say nothing


def test_no_bytes_make_the_reader_stumble(stamp: Callable[[bytes], bytes]) -> None:
    token = stamp(TEXT)
    rng = random.Random(3)
    for _ in range(600):
        at, to = sorted(rng.randrange(len(token)) for _ in range(2))
        piece = rng.choice((b"", rng.randbytes(4), token[at:to], b"\x00\xff\x30\x80"))
        try:
            found = read_token(token[:at] + piece + token[rng.choice((at, to)) :], TEXT)
        except LedgerError as error:
            found = None
            assert isinstance(error, (Malformed, Untrusted))  # noqa: PT017  any other is a bug
        assert found is None or found == read_token(token, TEXT)


def test_brackets_agree_with_their_definition() -> None:
    rng = random.Random(4)
    for _ in range(50):
        held = []
        for _ in range(rng.randrange(8)):
            index = rng.randrange(1, 30)
            first = rng.randrange(1000)
            held.append(Stamp(index, rng.randrange(1, index + 1), Interval(first, first + rng.randrange(20))))
        brackets = Brackets(held)
        for index in range(32):
            floors = [each.made.first for each in held if each.index <= index]
            ceilings = [each.made.last for each in held if each.size > index]
            assert brackets.floor(index) == max(floors, default=0)
            assert brackets.ceiling(index) == min(ceilings, default=1 << 62)


class Stamped:
    """A ledger whose clock is the authority's, with a token logged between two games."""

    def __init__(self, bench: Any, tsa: Any, late_ms: int = 0) -> None:
        self.bench, self.tsa = bench, tsa
        bench.now = tsa.now_ms() - late_ms
        self.log = bench.create()

    def play(self, game: str, at: int, count: int = 4, *, close: bool = True, start: int = 0) -> None:
        rows = [
            encode({"at": at + seq, "game": game, "seq": seq, "type": "noted", "v": 1})
            for seq in range(start, start + count)
        ]
        self.log.append(game, start, rows, close=close, seal=True)

    def stamp(self) -> int:
        """Log a token over the newest checkpoint; give its size."""
        checkpoint = read_checkpoint(self.bench.last.note)
        token = self.tsa.answer(make_request(checkpoint.format()))
        self.bench.now = max(self.bench.now, self.tsa.now_ms())
        self.log.time_entry(checkpoint.size, token)
        return checkpoint.size

    def audit(self, roots: Any) -> tuple[Audit, list[Finding]]:
        reader = self.bench.reader()
        run = Audit(reader, policy=self.bench.policy(), now_ms=self.bench.now)
        list(check_time(run, run.games(), roots))
        reader.close()
        return run, run.findings


@pytest.fixture
def stamped(memory_bench: Any, tsa: Any) -> Stamped:
    return Stamped(memory_bench, tsa)


def level(run: Audit) -> tuple[str, int, int]:
    found = run.levels[5]
    return (found.status, found.checked, found.findings)


def brief(findings: list[Finding]) -> list[tuple[object, ...]]:
    return [(each.level, each.code, each.game, each.seq, each.entry) for each in findings]


def test_an_honest_log_holds_and_what_is_lacking_is_said(bench: Any, tsa: Any, roots: Any) -> None:
    stamped = Stamped(bench, tsa)
    run, _ = stamped.audit(roots)
    assert (level(run), run.levels[5].why) == (("not_checkable", 0, 0), "no time token")
    stamped.play("g-1", stamped.bench.now)
    stamped.stamp()
    stamped.play("g-2", stamped.bench.now)
    stamped.stamp()
    stamped.log.close()
    run, findings = stamped.audit(roots)
    assert (level(run), run.levels[5].why, findings) == (("holds", 2, 0), "", [])
    run, findings = stamped.audit(None)
    assert (level(run)[0], findings) == ("not_checkable", [])
    assert "pinned" in run.levels[5].why


def test_without_the_extra_the_level_is_not_checkable(
    stamped: Stamped, roots: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamped.stamp()
    monkeypatch.setattr("ledger.verify_time.available", lambda: False)
    run, findings = stamped.audit(roots)
    assert (level(run)[0], findings) == ("not_checkable", [])
    assert "extra" in run.levels[5].why


def test_a_game_back_dated_in_its_events_is_found(stamped: Stamped, roots: Any) -> None:
    stamped.play("g-1", stamped.bench.now)
    stamped.stamp()
    stamped.play("g-2", stamped.bench.now - 3_600_000)
    stamped.log.close()
    run, findings = stamped.audit(roots)
    assert level(run) == ("failed", 1, 1)
    assert brief(findings) == [(6, "time", "g-2", 0, None)]
    assert "4 events of g-2" in findings[0].text.en


def test_a_game_back_dated_with_its_entries_is_found(memory_bench: Any, tsa: Any, roots: Any) -> None:
    """The log was quiet, so that the clock could be set back: only the token in between knows."""
    stamped = Stamped(memory_bench, tsa, 86_400_000)
    token = tsa.answer(make_request(read_checkpoint(memory_bench.last.note).format()))
    stamped.log.time_entry(2, token)
    stamped.play("g-1", memory_bench.now)
    stamped.log.close()
    _, findings = stamped.audit(roots)
    assert brief(findings) == [(6, "time", "g-1", 0, None), *((6, "time", None, None, idx) for idx in (2, 3, 4))]


def test_times_ahead_of_a_token_over_them_are_found(stamped: Stamped, roots: Any) -> None:
    stamped.play("g-1", stamped.bench.now + 60_000, close=False)
    stamped.bench.now += 90_000
    stamped.play("g-1", stamped.bench.now, start=4)
    stamped.stamp()
    stamped.log.close()
    _, findings = stamped.audit(roots)
    assert brief(findings) == [(6, "time", "g-1", 0, None), (6, "time", None, None, 3)]
    assert "8 events" in findings[0].text.en


def test_a_second_of_difference_is_allowed_and_no_more(stamped: Stamped, roots: Any) -> None:
    stamped.play("g-1", stamped.bench.now + ALLOWED_MS - 500, close=False, count=1)
    stamped.stamp()
    stamped.log.close()
    assert stamped.audit(roots)[1] == []


def test_times_that_run_backwards_in_a_stream_are_found(stamped: Stamped, roots: Any) -> None:
    now = stamped.bench.now
    stamped.play("g-1", now, close=False)
    stamped.play("g-1", now - 100, start=4)
    stamped.stamp()
    _, findings = stamped.audit(roots)
    assert brief(findings) == [(6, "time", "g-1", 4, None)]
    assert findings[0].found == now - 96


def test_a_token_over_something_else_or_by_someone_else_is_a_finding(
    stamped: Stamped, roots: Any, other_tsa: Any
) -> None:
    size = stamped.stamp()
    text = read_checkpoint(stamped.bench.last.note).format()
    stamped.log.time_entry(size, stamped.tsa.answer(make_request(b"else\n")))
    stamped.log.time_entry(size + 1, other_tsa.answer(make_request(text)))
    stamped.log.time_entry(size, b"no token")
    stamped.log.close()
    run, findings = stamped.audit(roots)
    assert level(run) == ("failed", 4, 3)
    assert brief(findings) == [(6, "time", None, None, idx) for idx in (3, 4, 5)]


def test_a_token_needs_a_checkpoint_of_its_size(stamped: Stamped) -> None:
    with pytest.raises(Refused, match="no checkpoint of size 99"):
        stamped.log.time_entry(99, b"token")
    stamped.log.close()


def test_fsck_reads_tokens_too(stamped: Stamped, roots: Any) -> None:
    stamped.stamp()
    stamped.log.time_entry(2, b"no token")
    stamped.log.close()
    for pinned in (roots, None):
        reader = stamped.bench.reader()
        assert brief(fsck(reader, stamped.bench.policy(), roots=pinned).findings) == [(6, "time", None, None, 3)]
        reader.close()


def test_the_program_that_made_the_token_agrees(tsa: Any, stamp: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """OpenSSL verifies what we log, so that a regulator needs no code of ours."""
    (tmp_path / "token").write_bytes(stamp(TEXT))
    (tmp_path / "text").write_bytes(TEXT)
    (tmp_path / "root.pem").write_bytes(tsa.root)
    command = ["openssl", "ts", "-verify", "-in", "token", "-data", "text", "-CAfile", "root.pem"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    assert b"OK" in done.stdout, done.stderr

"""Notes on events: outside the log, bound to the event's bytes, each role's own."""

from pathlib import Path

import pytest

from ledger.errors import LedgerError
from viewer import notes
from viewer.games import games, lines

AT = 1_900_000_000_000
HOSTILE = "![x](https://evil.example/p.png) <b>付错</b> '); DROP TABLE notes; --"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "club.notes"


@pytest.fixture(scope="module")
def game(club: str) -> str:
    return games(club)[0].id


@pytest.fixture(scope="module")
def stored(club: str, game: str) -> list[bytes]:
    return lines(club, game)


def put(path: Path, game: str, stored: list[bytes], seq: int, words: str, *, role: str = "operator") -> None:
    notes.add(path, game, stored, seq, role=role, by="a", words=words, at=AT)


def test_notes_come_back_in_order_of_the_events(path: Path, game: str, stored: list[bytes]) -> None:
    for seq, words in ((30, "later"), (5, HOSTILE), (30, "again")):
        put(path, game, stored, seq, words)
    found = notes.read(path, game, stored, role="operator")
    assert [(each.seq, each.words) for each in found] == [(5, HOSTILE), (30, "later"), (30, "again")]
    assert {(each.by, each.at) for each in found} == {("a", AT)}
    assert path.stat().st_mode & 0o777 == 0o600
    assert notes.read(path, "other", stored, role="operator") == []


def test_each_role_reads_its_own(path: Path, game: str, stored: list[bytes]) -> None:
    put(path, game, stored, 5, "ours")
    put(path, game, stored, 5, "theirs", role="regulator")
    assert [each.words for each in notes.read(path, game, stored, role="regulator")] == ["theirs"]
    assert notes.read(path, game, stored, role="player") == []
    with pytest.raises(LedgerError):
        put(path, game, stored, 5, "mine", role="player")


def test_a_note_stands_at_the_bytes_it_was_taken_of(
    path: Path, game: str, stored: list[bytes], forged_club: str
) -> None:
    forged = lines(forged_club, game)
    changed = next(seq for seq, (one, other) in enumerate(zip(stored, forged, strict=True)) if one != other)
    put(path, game, stored, changed, "the honest payment")
    put(path, game, stored, changed - 1, "the same in both")
    assert len(notes.read(path, game, stored, role="operator")) == 2
    assert [each.words for each in notes.read(path, game, forged, role="operator")] == ["the same in both"]
    assert [each.seq for each in notes.read(path, game, stored[:changed], role="operator")] == [changed - 1]


def test_only_its_author_deletes_a_note(path: Path, game: str, stored: list[bytes]) -> None:
    put(path, game, stored, 5, "sorrynote")
    (note,) = notes.read(path, game, stored, role="operator")
    assert not notes.delete(path, note.id, role="operator", by="b")
    assert not notes.delete(path, note.id, role="regulator", by="a")
    assert notes.delete(path, note.id, role="operator", by="a")
    assert notes.read(path, game, stored, role="operator") == []
    assert b"sorrynote" not in path.read_bytes()


@pytest.mark.parametrize(("seq", "words"), [(-1, "x"), (10**6, "x"), (0, " "), (0, "x" * 2001)])
def test_what_is_no_note_is_refused(path: Path, game: str, stored: list[bytes], seq: int, words: str) -> None:
    with pytest.raises(LedgerError):
        put(path, game, stored, seq, words)
    assert not path.exists()


def test_a_file_that_is_none_of_ours_is_one_line(path: Path, game: str, stored: list[bytes]) -> None:
    path.write_bytes(b"not a database, and long enough to be looked at as one" * 4)
    with pytest.raises(LedgerError, match="notes cannot be read"):
        notes.read(path, game, stored, role="operator")
    with pytest.raises(LedgerError, match="notes cannot be written"):
        put(path, game, stored, 0, "x")

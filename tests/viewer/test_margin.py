"""Notes on the page of a game: shown to the role that took them, as text, and deleted by who took them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from one_page import open_page
from streamlit.testing.v1 import AppTest

from viewer import access, notes
from viewer.games import games, lines

AT = 1_790_000_000_000
HOSTILE = "![x](https://evil.example/p.png) <b>付错</b> \u202e"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(access.NOTES, str(tmp_path / "notes"))
    return tmp_path / "notes"


@pytest.fixture
def replay(monkeypatch: pytest.MonkeyPatch, club: str, file: Path) -> Callable[[str], AppTest]:
    def show(role: str) -> AppTest:
        assert file.parent.exists()
        return open_page(monkeypatch, club, "replay", role)

    return show


def take(club: str, file: Path, words: str, role: str = "operator", by: str = "as operator") -> None:
    game = games(club)[0].id
    notes.add(file, game, lines(club, game), 7, role=role, by=by, words=words, at=AT)


def told(found: AppTest) -> str:
    return "\n".join(str(each.value) for each in found.text)


def component(found: AppTest) -> str:
    (mounted,) = found.get("bidi_component")
    return str(mounted.proto.json)  # type: ignore[attr-defined]


def test_notes_are_listed_as_text_and_deleted_by_their_author(
    replay: Callable[[str], AppTest], club: str, file: Path
) -> None:
    take(club, file, HOSTILE)
    take(club, file, "a colleague's", by="judge-2")
    found = replay("operator")
    assert "付错" in told(found)
    assert "\u202e" not in told(found)
    assert "a colleague's" in component(found)
    assert not [each for each in found.markdown if "evil.example" in each.value]
    (delete,) = [each for each in found.button if each.label == "Delete the note"]
    delete.click().run()
    assert not found.exception
    game = games(club)[0].id
    assert [each.words for each in notes.read(file, game, lines(club, game), role="operator")] == ["a colleague's"]


def test_no_role_reads_anothers_notes(replay: Callable[[str], AppTest], club: str, file: Path) -> None:
    take(club, file, "of the house")
    take(club, file, "of the regulator", role="regulator", by="as regulator")
    for role, own in (("operator", "of the house"), ("regulator", "of the regulator")):
        found = replay(role)
        whole = told(found) + component(found)
        assert own in whole
        assert sum(each in whole for each in ("of the house", "of the regulator")) == 1
    found = replay(f"player:{games(club)[0].players[0]}")
    assert "of the" not in told(found)
    assert '"notes": {}' in component(found)
    assert '"acts": ["dispute"]' in component(found)


def test_a_read_only_viewer_without_a_file_takes_no_notes(
    replay: Callable[[str], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(access.NOTES, "")
    monkeypatch.setenv(access.READ_ONLY, "1")
    found = replay("regulator")
    assert '"acts": []' in component(found)
    assert any("--notes FILE" in each.value for each in found.caption)
    found.session_state["noting"] = 3
    found.run()
    assert not found.exception
    assert not found.text_area


def test_an_empty_note_is_not_kept(replay: Callable[[str], AppTest], file: Path) -> None:
    found = replay("operator")
    found.session_state["noting"] = 3
    found.run()
    (keep,) = [each for each in found.button if each.label == "Keep the note"]
    keep.click().run()
    assert [each.value for each in found.error] == ["Say it in words."]
    assert not file.exists()


def test_notes_that_cannot_be_read_are_one_line(replay: Callable[[str], AppTest], file: Path) -> None:
    file.write_bytes(b"no database at all, whatever its length may be" * 8)
    found = replay("operator")
    assert [each.value.count("notes cannot be read") for each in found.warning] == [1]

"""Notes at the margin of a game: taken of the event shown, listed under the table, deleted by who took them.

They stand outside the log (`notes`): operators and regulators take them, each role reads its own.
"""

from pathlib import Path

import streamlit as st

from ledger.errors import LedgerError
from ledger.log import now_ms
from viewer import access, notes
from viewer.access import Person
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.notes import Note
from viewer.page import desk, shelf
from viewer.translate import gettext, moment

SLOT = "noting"


def author(person: Person) -> str:
    """Return under which name somebody takes notes."""
    return person.by or person.subject or person.role


def place(url: str) -> Path | None:
    """Return where the reader's notes of a ledger are kept; None where he takes none."""
    return notes.place(url) if desk.person().role in notes.ROLES else None


def taken(url: str, info: GameInfo) -> list[Note]:
    """Return the notes on a game that the reader may see; what cannot be read is said in one line."""
    path = place(url)
    if path is None:
        return []
    try:
        return notes.read(path, info.id, shelf.stored(url, info.id, info.size), role=desk.person().role)
    except LedgerError as error:
        st.warning(md(str(error), 300), icon=":material/edit_off:")
        return []


def sent(found: list[Note], lang: str) -> dict[str, list[dict[str, str]]]:
    """Return the notes as the component shows them: by event."""
    told: dict[str, list[dict[str, str]]] = {}
    for each in found:
        words = {"words": shown(each.words, notes.MOST_WORDS), "by": shown(each.by), "at": moment(each.at, lang)}
        told.setdefault(str(each.seq), []).append(words)
    return told


def ask(seq: int) -> None:
    """Begin a note: the dialog opens with this run."""
    _forget()
    st.session_state[SLOT] = seq


def _forget() -> None:
    for name in (SLOT, "note_error"):
        st.session_state.pop(name, None)


def dialog(url: str, info: GameInfo) -> None:
    """Draw the dialog where a note is asked for."""
    seq = st.session_state.get(SLOT)
    if not isinstance(seq, int) or place(url) is None:
        return
    lang = shelf.language()
    told = gettext("Note on event {seq}", lang, seq=str(seq))
    st.dialog(told, icon=":material/edit_note:", on_dismiss=_forget)(_body)(url, info, seq)


def _body(url: str, info: GameInfo, seq: int) -> None:
    lang = shelf.language()
    with st.form("note_form", border=False):
        st.text_area(gettext("Note", lang), key="note_words", max_chars=notes.MOST_WORDS, placeholder="…")
        st.caption(gettext("Kept outside the log, for your role alone.", lang))
        sent_off = st.form_submit_button(gettext("Keep the note", lang), type="primary",
                                         on_click=_keep, args=(url, info, seq))  # fmt: skip
    if st.session_state.get("note_error"):
        st.error(st.session_state["note_error"], icon=":material/error:")
    elif sent_off:
        st.rerun()


def _keep(url: str, info: GameInfo, seq: int) -> None:
    path, person = place(url), desk.person()
    words = str(st.session_state.get("note_words") or "")
    if path is None:
        return
    if not words.strip():
        st.session_state["note_error"] = gettext("Say it in words.", shelf.language())
        return
    lines, by = shelf.stored(url, info.id, info.size), author(person)
    try:
        access.note(person, "replay", did="note", game=info.id, seq=seq)
        notes.add(path, info.id, lines, seq, role=person.role, by=by, words=words, at=now_ms())
    except (LedgerError, OSError) as error:
        st.session_state["note_error"] = md(str(error), 300)
        return
    _forget()


def listing(url: str, info: GameInfo, found: list[Note]) -> None:
    """List the notes of a game, each with the way to its event, and to its end for who took it."""
    lang = shelf.language()
    if place(url) is None:
        st.caption(gettext("Notes need a file of their own here: `paipu view --notes FILE`.", lang))
        return
    if not found:
        st.caption(gettext("No note yet: press m at an event.", lang))
    for each in found:
        with st.container(border=True):
            st.text(f"#{each.seq} · {shown(each.by)} · {moment(each.at, lang)}\n{shown(each.words, notes.MOST_WORDS)}")
            with st.container(horizontal=True):
                page = st.session_state.get("pages", {}).get("replay")
                if page is not None:
                    st.page_link(page, label=gettext("Event {seq}", lang, seq=str(each.seq)),
                                 icon=":material/play_arrow:",
                                 query_params={"game": info.id, "seq": str(each.seq)})  # fmt: skip
                if each.by == author(desk.person()):
                    st.button(gettext("Delete the note", lang), key=f"note_{each.id}", icon=":material/delete:",
                              on_click=_delete, args=(url, each.id))  # fmt: skip


def _delete(url: str, number: int) -> None:
    path, person = place(url), desk.person()
    if path is not None:
        try:
            notes.delete(path, number, role=person.role, by=author(person))
        except LedgerError as error:
            st.session_state["note_error"] = md(str(error), 300)

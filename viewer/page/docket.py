"""The dialog in which a case is opened, decided, closed or given evidence: asked, shown once more, written once.

What is asked, the draft and the outcome are kept in the session, so that a run of the page draws the step it stands at.
Writing takes the draft out of the session first: a second click finds none. `filing` says who may, and does it.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import streamlit as st

from engine.errors import EventError
from ledger.errors import LedgerError
from ledger.log import now_ms
from viewer import access, cases, filing
from viewer.access import Person
from viewer.cases import Subject
from viewer.clocks import CLOCKS
from viewer.filing import Draft
from viewer.names import md, shown
from viewer.page import desk, shelf
from viewer.translate import bilingual, both, gettext, moment

SLOT = "filing"
_KEPT = (SLOT, "filing_draft", "filing_kept", "filing_error", "filed")
NAME_CHARACTERS = 256


@dataclass(frozen=True, slots=True)
class Asked:
    """What somebody wants to do: an act over a game (hand, event), or to a case of `seen` events."""

    act: str
    case: str
    game: str
    hand: int | None = None
    seq: int | None = None
    seen: int | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)


def title(act: str, lang: str) -> str:
    """Return what an act is called."""
    return {
        "open": gettext("Open a case", lang),
        "evidence": gettext("Enter the evidence", lang),
        "decide": gettext("Decide", lang),
        "close": gettext("Close the case", lang),
    }[act]


def outcome_name(outcome: str, lang: str) -> str:
    """Return what a decision is called."""
    return {
        "upheld": gettext("upheld", lang),
        "rejected": gettext("rejected", lang),
        "settled": gettext("settled", lang),
        "referred": gettext("referred", lang),
    }[outcome]


def about(subject: Subject, lang: str) -> str:
    """Return what a case is about: game, hand, event."""
    parts = [subject.game]
    parts += [gettext("hand {hand}", lang, hand=str(subject.hand))] if subject.hand is not None else []
    parts += [gettext("event {seq}", lang, seq=str(subject.seq))] if subject.seq is not None else []
    return " · ".join(parts)


def ask(asked: Asked) -> None:
    """Begin an act: the dialog opens with the next run."""
    forget()
    st.session_state[SLOT] = asked


def forget() -> None:
    """Put the dialog away, and what was typed into it."""
    for name in _KEPT:
        st.session_state.pop(name, None)


def open_button(game: str, hand: int | None, seq: int | None, players: tuple[str, ...], key: str) -> None:
    """Offer to open a case over what is shown, to those who may."""
    if filing.may(desk.person(), "open", players):
        st.button(
            title("open", shelf.language()),
            key=key,
            icon=":material/gavel:",
            on_click=ask,
            args=(opening(game, hand, seq),),
        )


def opening(game: str, hand: int | None = None, seq: int | None = None) -> Asked:
    """Return what opens a case; its id is drawn now, so that it can be opened once only."""
    return Asked("open", f"case-{secrets.token_hex(6)}", game, hand, seq)


def dialog(url: str) -> None:
    """Draw the dialog where something is asked."""
    asked = st.session_state.get(SLOT)
    if not isinstance(asked, Asked):
        return
    body = st.dialog(title(asked.act, shelf.language()), width="medium", icon=":material/gavel:", on_dismiss=forget)
    body(_step)(url, asked)


def _step(url: str, asked: Asked) -> None:
    person = desk.person()
    try:
        with cases.reading(url) as reader:
            players = filing.players(reader, asked.game)
    except (LedgerError, OSError) as error:
        st.error(md(str(error), 300), icon=":material/error:")
        return
    if not filing.may(person, asked.act, players):
        st.error(gettext("This is not for your role.", shelf.language()), icon=":material/lock:")
        return
    filed, draft = st.session_state.get("filed"), st.session_state.get("filing_draft")
    if filed is not None:
        _done(filed)
    elif draft is not None:
        _confirm(url, draft)
    else:
        _form(url, asked, person, players)


def _form(url: str, asked: Asked, person: Person, players: tuple[str, ...]) -> None:
    lang = shelf.language()
    why = filing.obstacle(url)
    kept: Draft = st.session_state.get("filing_kept") or Draft(asked.act, asked.case, "")
    with st.container() if why else st.form("filing_form", border=False):
        subject = _subject(asked, lang) if asked.act == "open" else None
        for name, data in asked.files.items():
            st.text(f"{name} ({len(data)} B)")
        by = _by(filing.names(person, players), kept.by, lang)
        words, jurisdiction, outcome = "", kept.jurisdiction, ""
        if asked.act == "decide":
            outcome = st.radio(
                gettext("Outcome", lang), filing.OUTCOMES, key="filing_outcome", horizontal=True,
                index=filing.OUTCOMES.index(kept.outcome) if kept.outcome else None,
                format_func=lambda each: outcome_name(each, lang),
            ) or ""  # fmt: skip
        if asked.act in {"open", "decide"}:
            words = st.text_area(
                gettext("The claim in words", lang) if asked.act == "open" else gettext("The reason in words", lang),
                value=kept.words, key="filing_words", max_chars=filing.MOST_WORDS,
                help=gettext("The words stay outside the log's bytes and can be erased.", lang),
            )  # fmt: skip
        if asked.act == "open":
            jurisdiction = st.selectbox(
                gettext("Whose clock runs", lang), list(CLOCKS), key="filing_clock", placeholder="…",
                index=list(CLOCKS).index(kept.jurisdiction),
                format_func=lambda each: gettext(CLOCKS[each].title, lang),
            )  # fmt: skip
        draft = Draft(
            asked.act, asked.case, by.strip(), subject, words.strip(), jurisdiction, outcome, asked.files, asked.seen
        )
        if not why:
            st.form_submit_button(gettext("Continue", lang), type="primary", on_click=_review, args=(asked, draft))
    if why:
        _instead(why, draft, url)
    elif st.session_state.get("filing_error"):
        st.error(st.session_state["filing_error"], icon=":material/error:")


def _choices(asked: Asked) -> list[Subject]:
    """Return what may be disputed, the narrowest first."""
    found = [Subject(asked.game, None, asked.seq)] if asked.seq is not None else []
    found += [Subject(asked.game, asked.hand)] if asked.hand is not None and asked.hand >= 0 else []
    return [*found, Subject(asked.game)]


def _subject(asked: Asked, lang: str) -> Subject:
    choices = _choices(asked)
    st.caption(md(asked.game, 64))
    chosen = st.radio(
        gettext("What is disputed", lang), range(len(choices)), key="filing_about",
        format_func=lambda at: _part(choices[at], lang),
    )  # fmt: skip
    return choices[chosen or 0]


def _part(subject: Subject, lang: str) -> str:
    if subject.seq is not None:
        return gettext("Event {seq}", lang, seq=str(subject.seq))
    if subject.hand is not None:
        return gettext("Hand {number}", lang, number=str(subject.hand))
    return gettext("The whole game", lang)


def _by(names: tuple[str, ...], kept: str, lang: str) -> str:
    label = gettext("Pseudonym of who acts", lang)
    if names:
        st.text_input(label, value=names[0], key="filing_fixed", disabled=True)
        return names[0]
    return st.text_input(label, value=kept, key="filing_by", max_chars=NAME_CHARACTERS) or ""


def reason(why: str, lang: str) -> str:
    """Return in words why nothing can be written from here (`filing.obstacle`)."""
    return {
        "read_only": gettext("This viewer is served read-only.", lang),
        "no_key": gettext("The log's signing key is not beside this ledger.", lang),
        "sealed": gettext("The log's signing key is sealed, and the server was given no passphrase.", lang),
        "not_writable": gettext("The ledger cannot be written from here.", lang),
    }[why]


def _instead(why: str, draft: Draft, url: str) -> None:
    """Say why nothing can be written from here, and which command does the same where the key is."""
    lang = shelf.language()
    told = gettext("Where the key is, this command does the same:", lang)
    st.warning(f"{reason(why, lang)} {told}", icon=":material/edit_off:")
    st.code(filing.command(draft, shelf.ledger_name(url)), language=None, wrap_lines=True)


def _review(asked: Asked, shown_draft: Draft) -> None:
    """Take the form as it was sent; what is missing is said, and the form stands as it was."""
    state, lang = st.session_state, shelf.language()
    choices = _choices(asked) if asked.act == "open" else [None]
    draft = replace(
        shown_draft,
        subject=choices[state.get("filing_about") or 0],
        by=str(state.get("filing_by") or shown_draft.by).strip(),
        words=str(state.get("filing_words") or "").strip(),
        jurisdiction=state.get("filing_clock") or shown_draft.jurisdiction,
        outcome=state.get("filing_outcome") or "",
    )
    state["filing_kept"] = draft
    missing = []
    if not draft.by:
        missing.append(gettext("Say under which pseudonym.", lang))
    if draft.act in {"open", "decide"} and not draft.words:
        missing.append(gettext("Say it in words.", lang))
    if draft.act == "decide" and not draft.outcome:
        missing.append(gettext("Choose the outcome.", lang))
    state["filing_error"] = " ".join(missing)
    if not missing:
        state["filing_draft"] = draft


def _confirm(url: str, draft: Draft) -> None:
    lang = shelf.language()
    rows = [(gettext("Case", lang), draft.case)]
    if draft.subject is not None:
        rows.append((gettext("About", lang), about(draft.subject, lang)))
    rows.append((gettext("By", lang), shown(draft.by, 64)))
    if draft.outcome:
        rows.append((gettext("Outcome", lang), outcome_name(draft.outcome, lang)))
    if draft.words:
        rows.append((gettext("In words", lang), shown(draft.words, 600)))
    if draft.act == "open":
        clock = CLOCKS[draft.jurisdiction]
        due = moment(clock.due(now_ms()), lang, seconds=False)
        rows.append((gettext("Due", lang), f"{due} · {gettext(clock.title, lang)}"))
    rows += [(gettext("Evidence", lang), name) for name in draft.files]
    shelf.plain_table([{gettext("To be written", lang): name, " ": value} for name, value in rows])
    st.caption(gettext("It is signed and stays for good; only the words can be erased later.", lang))
    if draft.act == "close":
        st.caption(gettext("Nothing follows a closed case: a new doubt opens a new one.", lang))
    left, right = st.columns(2)
    left.button(gettext("Write it", lang), type="primary", key="filing_write", on_click=_write, args=(url,),
                width="stretch")  # fmt: skip
    right.button(gettext("Back", lang), key="filing_back", on_click=_back, width="stretch")


def _back() -> None:
    st.session_state.pop("filing_draft", None)


def _write(url: str) -> None:
    draft = st.session_state.pop("filing_draft", None)
    person = desk.visitor()
    if not isinstance(draft, Draft) or person is None:
        return
    try:
        access.note(person, "disputes", did=draft.act, case=draft.case)
        found = filing.write(draft, url, person, at=now_ms())
    except (LedgerError, EventError, OSError) as error:
        st.session_state["filing_error"] = md(str(error), 300)
        return
    st.session_state["filed"] = (draft.act, draft.case, found.verdicts[-1].outcome if draft.act == "open" else "")


def _done(filed: tuple[str, str, str]) -> None:
    lang = shelf.language()
    act, case, verdict = filed
    done = {
        "open": bilingual("The case is open."),
        "evidence": bilingual("The digests stand in the case."),
        "decide": bilingual("The decision stands in the case."),
        "close": bilingual("The case is closed."),
    }[act]
    st.success(f"{both(done, lang)} {md(case, 64)}", icon=":material/check:")
    said = {
        "holds": gettext("The engine finds nothing wrong with the game.", lang),
        "failed": gettext("The engine finds the game at fault.", lang),
        "not_checkable": gettext("The engine cannot judge the game yet.", lang),
    }
    if verdict:
        st.markdown(said[verdict])
    page = st.session_state.get("pages", {}).get("disputes")
    if page is not None and act == "open":
        told = gettext("Go to the case", lang)
        if st.button(told, key="filing_go", icon=":material/arrow_forward:"):
            forget()
            st.switch_page(page, query_params={"case": case})
    if st.button(gettext("Done", lang), key="filing_done"):
        forget()
        st.rerun()

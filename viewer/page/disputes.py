"""Disputes: every case of the ledger with its clock, what was said, what the engine says, the frozen evidence."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from engine.case_stream import Case
from ledger.errors import LedgerError
from ledger.log import now_ms
from ledger.store import Reader, Tables
from viewer import cases, filing
from viewer.case_bundle import gather, write_database
from viewer.case_report import report
from viewer.cases import Subject
from viewer.catalogue import pages
from viewer.clocks import CLOCKS
from viewer.names import md, shown
from viewer.page import desk, docket, shelf
from viewer.translate import N_, both, gettext, moment, number
from viewer.words import term

SIGNS = {"holds": "✓", "failed": "✗", "not_checkable": "–"}
TERMS = {
    "open": N_("open"),
    "decided": N_("decided"),
    "closed": N_("case closed"),
}
"""How a case stands."""
PAGE = 25


def show() -> None:
    """Draw the page."""
    head = shelf.header()
    url, _ = shelf.open_ledger()
    lang = shelf.language()
    with head:
        st.markdown(f"#### {gettext('Disputes', lang)}")
    with cases.reading(url) as reader:
        asked = st.query_params.get("case", "")
        count, found = _page(reader, asked)
        if not found:
            st.info(gettext("No case here. “Open a case” at an event of the replay opens one.", lang),
                    icon=":material/gavel:")  # fmt: skip
            return
        now = now_ms()
        shelf.plain_table([_row(each.case, now, lang) for each in found])
        if count > 1:
            st.pagination(count, key="cases_page")
        lawful = {each.case.id: each for each in found if each.case.opened is not None}
        if not lawful:
            return
        chosen = st.selectbox(
            gettext("Case", lang), list(lawful), key="case", placeholder="…",
            index=list(lawful).index(asked) if asked in lawful else 0,
        )  # fmt: skip
        filed = lawful[chosen]
        told = {name: cases.words(reader, name) for name in _commitments(filed)}
    detail(filed, told, lang)
    files(url, filed, lang)
    acts(url, filed, lang)
    docket.dialog(url)


@dataclass(frozen=True, slots=True)
class Filed:
    """A case with who plays in its game."""

    case: Case
    players: tuple[str, ...]

    @property
    def own(self) -> bool:
        """Tell whether the reader may read what its parties wrote: a player reads what he wrote himself."""
        person = desk.person()
        opened = self.case.opened
        return person.role != "player" or (opened is not None and opened.by in person.players)


def _page(reader: Tables, asked: str) -> tuple[int, Sequence[Filed]]:
    """Return how many pages of cases there are, and the one that is open: where `asked` stands, when that is new."""
    person = desk.person()
    if person.role == "player":
        own = [each for each in _filed(reader, cases.cases(reader)) if person.plays(each.players)]
        ids, total = [each.case.id for each in own], len(own)
    else:
        own, ids, total = [], [], reader.count_streams("case")
    if asked and st.session_state.get("case_asked") != asked:
        st.session_state["case_asked"] = asked
        row = reader.stream(asked)
        place = ids.index(asked) if asked in ids else reader.count_streams("case", below=row.gno) if row else 0
        st.session_state["cases_page"] = place // PAGE + 1
    count, places = pages(range(total), int(st.session_state.get("cases_page", 1)), PAGE)
    if person.role == "player":
        return count, [own[place] for place in places]
    first = places[0] if places else 0
    return count, list(_filed(reader, cases.cases(reader, first, len(places))))


def _filed(reader: Tables, found: Iterable[Case]) -> Iterator[Filed]:
    return (Filed(case, _players(reader, case)) for case in found)


def _players(reader: Reader, case: Case) -> tuple[str, ...]:
    return () if case.opened is None else filing.players(reader, case.opened.subject.game)


def _row(case: Case, now: int, lang: str) -> dict[str, object]:
    status = gettext(TERMS[case.status], lang)
    if case.opened is None:
        return {gettext("Case", lang): case.id or "?", gettext("Status", lang): "✗"}
    late = f" · {gettext('overdue', lang)}" if case.overdue(now) else ""
    return {
        gettext("Case", lang): case.id,
        gettext("Status", lang): f"{'✗ ' if case.fault else ''}{status}{late}",
        gettext("About", lang): about(case, lang),
        gettext("Opened", lang): moment(case.opened.at, lang, seconds=False),
        gettext("Due", lang): moment(case.opened.due, lang, seconds=False),
        gettext("The game, by the engine", lang): engine_said(case.verdicts[-1].outcome, lang)
        if case.verdicts
        else "–",
        gettext("Decision", lang): docket.outcome_name(case.decisions[-1].outcome, lang) if case.decisions else "–",
    }


def engine_said(outcome: str, lang: str) -> str:
    """Return what the engine says of the game (not of the claim), with a sign."""
    return f"{SIGNS[outcome]} {both(term('statuses', outcome), lang)}"


def about(case: Case, lang: str) -> str:
    """Return what a case is about: game, hand, event."""
    assert case.opened is not None
    subject = case.opened.subject
    return docket.about(Subject(subject.game, subject.hand, subject.seq), lang)


def _commitments(filed: Filed) -> list[str]:
    opened = filed.case.opened
    assert opened is not None
    return [opened.claim, *(each.reason for each in filed.case.decisions)] if filed.own else []


def detail(filed: Filed, told: dict[str, str | None], lang: str) -> None:
    """Show one case: who said what when; words of people are shown as text, never as Markdown."""
    case = filed.case
    assert case.opened is not None

    def words(commitment: str) -> str:
        if not filed.own:
            return gettext("(another player's case)", lang)
        kept = told.get(commitment)
        return gettext("(erased)", lang) if kept is None else shown(desk.masked(kept, filed.players), 2000)

    def who(name: str) -> str:
        return shown(desk.player(name)) if name in filed.players else shown(name)

    clock = CLOCKS.get(case.opened.jurisdiction)
    named = case.opened.jurisdiction if clock is None else gettext(clock.title, lang)
    rows = [
        (gettext("Claim", lang), f"{who(case.opened.by)}: {words(case.opened.claim)}"),
        (gettext("Due", lang), f"{moment(case.opened.due, lang, seconds=False)} · {named}"),
    ]
    rows += [
        (gettext("The game, by the engine", lang), f"{engine_said(each.outcome, lang)} · {each.engine}")
        for each in case.verdicts
    ]
    rows += [
        (gettext("Evidence", lang), f"{each.name} · {each.sha256} · {number(each.size, lang)} B")
        for each in case.evidence
    ]
    for each in case.decisions:
        ruling = f"{docket.outcome_name(each.outcome, lang)} · {moment(each.at, lang)} · {who(each.by)}"
        rows.append((gettext("Decision", lang), f"{ruling}: {words(each.reason)}"))
    if case.closed is not None:
        rows.append((gettext("Closed", lang), f"{moment(case.closed.at, lang)} · {who(case.closed.by)}"))
    shelf.plain_table([{case.id: name, " ": value} for name, value in rows])
    subject = case.opened.subject
    pages = st.session_state.get("pages", {})
    if "replay" in pages:
        query = {"game": subject.game, "hand": subject.hand, "seq": subject.seq}
        st.page_link(
            pages["replay"],
            label=gettext("Open the replay there", lang),
            icon=":material/play_circle:",
            query_params={name: str(value) for name, value in query.items() if value is not None},
        )


def files(url: str, filed: Filed, lang: str) -> None:
    """Offer the frozen evidence, made when it is asked for; whoever may enters its digests in the case."""
    case = filed.case
    if desk.person().role == "player":
        return
    if not desk.named():
        st.caption(gettext("The evidence names the players: show their ids to prepare it.", lang))
        return
    if st.button(gettext("Prepare the evidence", lang), key="bundle", icon=":material/inventory_2:"):
        try:
            with cases.reading(url) as reader:
                gathered = gather(reader, case.id)
        except (LedgerError, OSError) as error:
            st.error(md(str(error), 300), icon=":material/error:")
            return
        made = {f"{case.id}.db": write_database(gathered), f"{case.id}.html": report(gathered).encode()}
        st.session_state["prepared"] = (url, case.id, case.size, made)
    prepared = st.session_state.get("prepared")
    if prepared is None or prepared[:2] != (url, case.id):
        return
    made = prepared[3]
    kinds = {"db": "application/vnd.sqlite3", "html": "text/html"}
    for name, data in made.items():
        st.download_button(
            md(name, 80), data, file_name=name, mime=kinds[name.rpartition(".")[2]], key=name, on_click="ignore"
        )
        st.caption(f"SHA-256 {sha256(data).hexdigest()}")
    entered = {each.sha256 for each in case.evidence}
    missing = {name: data for name, data in made.items() if sha256(data).hexdigest() not in entered}
    if missing and case.closed is None and filing.may(desk.person(), "evidence", filed.players):
        _act("evidence", filed, lang, files=missing)


def acts(url: str, filed: Filed, lang: str) -> None:
    """Offer what may be done to the case, and say why where nothing may."""
    case, person = filed.case, desk.person()
    if person.role == "regulator":
        st.caption(gettext("You read this ledger; its operator decides cases.", lang))
        return
    if case.closed is not None or not filing.may(person, "decide", filed.players):
        return
    if filing.obstacle(url):
        st.caption(docket.reason(filing.obstacle(url), lang))
    with st.container(horizontal=True):
        _act("decide", filed, lang)
        if case.decisions:
            _act("close", filed, lang)


def _act(act: str, filed: Filed, lang: str, *, files: Mapping[str, bytes] | None = None) -> None:
    opened = filed.case.opened
    assert opened is not None
    asked = docket.Asked(act, filed.case.id, opened.subject.game, seen=filed.case.size, files=files or {})
    st.button(f"{docket.title(act, lang)}…", key=f"act_{act}", on_click=docket.ask, args=(asked,))

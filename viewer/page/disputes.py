"""Disputes: every case of the ledger with its clock, what was said, what the engine says, the frozen evidence."""

import time

import streamlit as st

from engine.case_stream import Case
from ledger.errors import LedgerError
from viewer import cases
from viewer.case_bundle import gather, write_database
from viewer.case_report import report
from viewer.clocks import CLOCKS
from viewer.commands.case import moment
from viewer.names import md, shown
from viewer.page import desk, shelf
from viewer.words import Text, both, term

WORDS: dict[str, Text] = {
    "disputes": {"en": "Disputes", "zh": "争议"},
    "none": {"en": "No case in this ledger. `paipu case open GAME` opens one.",
             "zh": "此账本没有案件。`paipu case open GAME` 立案。"},
    "case": {"en": "Case", "zh": "案件"},
    "status": {"en": "Status", "zh": "状态"},
    "about": {"en": "About", "zh": "对象"},
    "opened": {"en": "Opened", "zh": "立案"},
    "due": {"en": "Due", "zh": "期限"},
    "claim": {"en": "Claim", "zh": "主张"},
    "verdict": {"en": "The game, by the engine", "zh": "引擎对牌局的结论"},
    "evidence": {"en": "Evidence", "zh": "证据"},
    "decision": {"en": "Decision", "zh": "裁决"},
    "closed": {"en": "Closed", "zh": "结案"},
    "erased": {"en": "(erased)", "zh": "（已删除）"},
    "overdue": {"en": "overdue", "zh": "逾期"},
    "replay": {"en": "Open the replay there", "zh": "在回放中打开"},
    "bundle": {"en": "Prepare the evidence", "zh": "准备证据"},
}  # fmt: skip
SIGNS = {"holds": "✓", "failed": "✗", "not_checkable": "–"}
TERMS: dict[str, Text] = {
    "open": {"en": "open", "zh": "审理中"},
    "decided": {"en": "decided", "zh": "已裁决"},
    "closed": {"en": "closed", "zh": "已结案"},
    "upheld": {"en": "upheld", "zh": "支持"},
    "rejected": {"en": "rejected", "zh": "驳回"},
    "settled": {"en": "settled", "zh": "和解"},
    "referred": {"en": "referred", "zh": "移送"},
}


def title(lang: str) -> str:
    """Return what the page is called."""
    return both(WORDS["disputes"], lang)


def show() -> None:
    """Draw the page."""
    head = shelf.header()
    url, _ = shelf.open_ledger()
    lang = shelf.language()
    with cases.reading(url) as reader:
        found = list(cases.cases(reader))
        with head:
            st.markdown(f"#### {title(lang)}")
        if not found:
            st.info(both(WORDS["none"], lang), icon=":material/gavel:")
            return
        now = time.time_ns() // 1_000_000
        shelf.plain_table([_row(case, now, lang) for case in found])
        lawful = {case.id: case for case in found if case.opened is not None}
        if not lawful:
            return
        chosen = st.selectbox(both(WORDS["case"], lang), list(lawful), key="case", placeholder="…")
        case = lawful[chosen]
        told = {name: cases.words(reader, name) for name in _commitments(case)}
        detail(case, told, lang)
        files(url, case, lang)


def _row(case: Case, now: int, lang: str) -> dict[str, object]:
    status = both(TERMS[case.status], lang)
    if case.opened is None:
        return {both(WORDS["case"], lang): case.id or "?", both(WORDS["status"], lang): "✗"}
    late = f" · {both(WORDS['overdue'], lang)}" if case.overdue(now) else ""
    return {
        both(WORDS["case"], lang): case.id,
        both(WORDS["status"], lang): f"{'✗ ' if case.fault else ''}{status}{late}",
        both(WORDS["about"], lang): about(case),
        both(WORDS["opened"], lang): moment(case.opened.at),
        both(WORDS["due"], lang): moment(case.opened.due),
        both(WORDS["verdict"], lang): engine_said(case.verdicts[-1].outcome, lang) if case.verdicts else "–",
        both(WORDS["decision"], lang): both(TERMS[case.decisions[-1].outcome], lang) if case.decisions else "–",
    }


def engine_said(outcome: str, lang: str) -> str:
    """Return what the engine says of the game (not of the claim), with a sign."""
    return f"{SIGNS[outcome]} {both(term('statuses', outcome), lang)}"


def about(case: Case) -> str:
    """Return what a case is about: game, hand, event."""
    assert case.opened is not None
    subject = case.opened.subject
    hand = "" if subject.hand is None else f" · {subject.hand}"
    return f"{subject.game}{hand}" + ("" if subject.seq is None else f" · #{subject.seq}")


def _commitments(case: Case) -> list[str]:
    assert case.opened is not None
    return [case.opened.claim, *(each.reason for each in case.decisions)]


def detail(case: Case, told: dict[str, str | None], lang: str) -> None:
    """Show one case: who said what when; words of people are shown as text, never as Markdown."""
    assert case.opened is not None

    def words(commitment: str) -> str:
        kept = told.get(commitment)
        return both(WORDS["erased"], lang) if kept is None else shown(kept, 2000)

    clock = CLOCKS.get(case.opened.jurisdiction)
    named = case.opened.jurisdiction if clock is None else both({"en": clock.en, "zh": clock.zh}, lang)
    rows = [
        (WORDS["claim"], f"{shown(desk.player(case.opened.by))}: {words(case.opened.claim)}"),
        (WORDS["due"], f"{moment(case.opened.due)} · {named}"),
    ]
    rows += [(WORDS["verdict"], f"{engine_said(each.outcome, lang)} · {each.engine}") for each in case.verdicts]
    rows += [(WORDS["evidence"], f"{each.name} · {each.sha256} · {each.size}") for each in case.evidence]
    for each in case.decisions:
        ruling = f"{both(TERMS[each.outcome], lang)} · {moment(each.at)} · {shown(desk.player(each.by))}"
        rows.append((WORDS["decision"], f"{ruling}: {words(each.reason)}"))
    if case.closed is not None:
        rows.append((WORDS["closed"], f"{moment(case.closed.at)} · {shown(desk.player(case.closed.by))}"))
    shelf.plain_table([{case.id: both(name, lang), " ": value} for name, value in rows])
    subject = case.opened.subject
    pages = st.session_state.get("pages", {})
    if "replay" in pages:
        query = {"game": subject.game, "hand": subject.hand, "seq": subject.seq}
        st.page_link(
            pages["replay"],
            label=both(WORDS["replay"], lang),
            icon=":material/play_circle:",
            query_params={name: str(value) for name, value in query.items() if value is not None},
        )


def files(url: str, case: Case, lang: str) -> None:
    """Offer the frozen evidence, made when it is asked for."""
    if not st.button(both(WORDS["bundle"], lang), key="bundle", icon=":material/inventory_2:"):
        return
    try:
        with cases.reading(url) as reader:
            gathered = gather(reader, case.id)
    except (LedgerError, OSError) as error:
        st.error(md(str(error), 300), icon=":material/error:")
        return
    for name, data, mime in (
        (f"{case.id}.db", write_database(gathered), "application/vnd.sqlite3"),
        (f"{case.id}.html", report(gathered).encode(), "text/html"),
    ):
        st.download_button(md(name, 80), data, file_name=name, mime=mime, key=name, on_click="ignore")

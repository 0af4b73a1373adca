"""The games of the ledger: find, filter, page through, and open one; with the verdict on each."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import streamlit as st

from ledger.errors import LedgerError
from viewer.catalogue import Catalogue, Query, opened_at, pages, state
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import desk, shelf
from viewer.page.judged import headline
from viewer.words import both, glossary, label, term

MOST_AT_ONCE = 300
"""Ledgers of more games are verified when asked, not when opened."""
PAGE = 25


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.words('title')}")
    url, found = shelf.open_ledger()
    lang = shelf.language()
    report = verdict_of(url, found)
    if report is not None:
        headline(report)
    ids = found.search(query(found, report))
    count, here = pages(ids, int(st.session_state.get("games_page", 1)), PAGE)
    of_all = f" {label('of_all', lang)} {len(found.ids)}" if len(ids) < len(found.ids) else ""
    st.caption(f"{shelf.words('choose_game')} {len(ids)}{of_all} {shelf.words('matching')}")
    infos = found.infos(here)
    wrong = Counter(each.get("game") for each in report["findings"]) if report is not None else Counter()
    hands = found.hands(infos)
    table = [row(info, ended, wrong[info.id], report, lang) for info, ended in zip(infos, hands, strict=True)]
    chosen = st.dataframe(
        table,
        key="chosen_game",
        hide_index=True,
        width="stretch",
        height=38 + 35 * max(len(table), 1),
        on_select="rerun",
        selection_mode="single-row",
    )
    if count > 1:
        st.pagination(count, key="games_page")
    rows = chosen["selection"]["rows"]
    if rows and rows[0] < len(infos):
        st.session_state["asked"] = None
        st.switch_page(st.session_state["pages"]["replay"], query_params={"game": infos[rows[0]].id})


def query(found: Catalogue, report: Mapping[str, Any] | None) -> Query:
    """Let the reader say what to look for."""
    lang = shelf.language()
    hint = label("find_hint", lang)
    words_at, rules_at, state_at, since_at, until_at = st.columns([4, 2, 2, 1.6, 1.6], vertical_alignment="bottom")
    text = words_at.text_input(
        label("find", lang), key="find", placeholder=hint, label_visibility="collapsed", max_chars=80
    )
    rules = rules_at.selectbox(
        label("rules", lang),
        ["", *found.rules()],
        key="find_rules",
        format_func=lambda each: shown(each) if each else label("rules", lang),
        label_visibility="collapsed",
    )
    kept = state_at.selectbox(
        label("state", lang),
        ["", "running", *glossary()["closings"]],
        key="find_state",
        format_func=lambda each: state_name(each, lang) if each else label("all_results", lang),
        label_visibility="collapsed",
    )
    since, until = (
        column.date_input(label(name, lang), value=None, key=name, format="YYYY-MM-DD")
        for column, name in ((since_at, "from_day"), (until_at, "to_day"))
    )
    among = None
    if report is not None and report["findings"] and st.toggle(label("only_findings", lang), key="find_wrong"):
        among = frozenset(str(each["game"]) for each in report["findings"] if each.get("game"))
    return Query(text.strip(), rules or "", kept or "", since, until, among)


def state_name(name: str, lang: str) -> str:
    """Return how a game stands, in words."""
    return label(name, lang) if name in {"running", "closed"} else both(term("closings", name), lang)


def verdict_of(url: str, found: Catalogue) -> dict[str, Any] | None:
    """Return the report on the ledger; for a large one only after the reader has asked, for a player none."""
    if desk.person().role == "player":
        return None
    known = shelf.known(url, found.stamp)
    if known is not None:
        return known
    if len(found.ids) > MOST_AT_ONCE and not st.session_state.get("verify_all"):
        st.button(shelf.words("verify_now"), key="verify_button", on_click=_ask)
        return None
    try:
        with st.spinner(shelf.words("verifying")):
            return shelf.report(url, found.stamp)
    except (LedgerError, OSError) as error:
        st.error(f"{shelf.words('bad_ledger')} {md(str(error), 300)}", icon=":material/error:")
        return None


def _ask() -> None:
    st.session_state["verify_all"] = True


def row(info: GameInfo, hands: int, wrong: int, report: Mapping[str, Any] | None, lang: str) -> dict[str, object]:
    """Return one game as a row, headed in the reader's language; `hands` that it has ended, `wrong` findings."""
    return {
        label("game", lang): info.id,
        label("rules", lang): shown(info.rules),
        label("players", lang): ", ".join(shown(desk.player(player), 20) for player in info.players),
        label("table_name", lang): shown(info.table, 24),
        label("hands", lang): hands,
        label("events", lang): info.size,
        label("opened_at", lang): opened_at(info).strftime("%Y-%m-%d %H:%M"),
        label("state", lang): state_name(state(info), lang),
        label("verdict", lang): judged(info, wrong, report, lang),
    }


def judged(info: GameInfo, wrong: int, report: Mapping[str, Any] | None, lang: str) -> str:
    """Return the verdict on one game in a few words, with a sign."""
    if report is None:
        return "…"
    if wrong:
        return f"✗ {wrong} {label('finding' if wrong == 1 else 'findings', lang)}"
    if any(level["status"] == "failed" and level["level"] <= 3 for level in report["levels"]):
        return f"? {both(term('statuses', 'not_reached'), lang)}"
    lacking = any(each["game"] == info.id for each in report["not_checkable"])
    return f"✓ {both(term('statuses', 'holds'), lang)}" + (f" · {label('not_checkable', lang)}" if lacking else "")

"""The games of the ledger: find, filter, page through, and open one; with the verdict on each."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from ledger.errors import LedgerError
from viewer.catalogue import Catalogue, Query, opened_at, pages, state
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.names import width as columns_of
from viewer.page import desk, following, shelf
from viewer.page.judged import headline
from viewer.translate import both, calendar_format, collation, gettext, ngettext
from viewer.words import glossary, rules, term

AT_ONCE = 40
"""Ledgers of more games are verified beside the pages, not before they are drawn."""
MOST_AT_ONCE = 300
"""Ledgers of more games are verified when asked, not when opened."""
PAGE = 25
PLAYERS_PX = 240
LINE = 30
"""Columns of text in a line of the players' column."""


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.gettext('paipu · replay and audit')}")
    url, found = shelf.open_ledger()
    lang = shelf.language()
    report = verdict_of(url, found)
    if report is not None:
        headline(report)
    ids = found.search(query(found, report))
    count, here = pages(ids, int(st.session_state.get("games_page", 1)), PAGE)
    st.caption(f"{gettext('Choose a row to replay the game.', lang)} {told(len(ids), len(found.ids), lang)}")
    infos = found.infos(here)
    wrong = Counter(each.get("game") for each in report["findings"]) if report is not None else Counter()
    hands = found.hands(infos)
    table = [row(info, ended, wrong[info.id], report, lang) for info, ended in zip(infos, hands, strict=True)]
    tall = row_height(str(each[gettext("Players", lang)]) for each in table)
    chosen = st.dataframe(
        table,
        key="chosen_game",
        hide_index=True,
        width="stretch",
        height=38 + tall * max(len(table), 1),
        row_height=tall,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            gettext("Players", lang): st.column_config.TextColumn(width=PLAYERS_PX),
            gettext("Hands", lang): st.column_config.NumberColumn(format="localized"),
            gettext("Events", lang): st.column_config.NumberColumn(format="localized"),
            gettext("Opened (UTC)", lang): st.column_config.DatetimeColumn(
                format=calendar_format(lang), timezone="UTC"
            ),
        },
    )
    if count > 1:
        st.pagination(count, key="games_page")
    rows = chosen["selection"]["rows"]
    if rows and rows[0] < len(infos):
        st.session_state["asked"] = None
        st.switch_page(st.session_state["pages"]["replay"], query_params={"game": infos[rows[0]].id})


def row_height(players: Iterable[str]) -> int:
    """Return the height of rows, px, in which the longest list of players is shown whole, wrapped within its column."""
    most = max((lines_of(each) for each in players), default=1)
    return 35 if most == 1 else 14 + 18 * most


def lines_of(players: str) -> int:
    """Return how many lines names with commas take where each that does not fit begins the next."""
    lines, taken = 1, 0
    for word in players.split(" "):
        needed = columns_of(word)
        if taken and taken + 1 + needed > LINE:
            lines, taken = lines + 1, needed
        else:
            taken += needed + (1 if taken else 0)
    return lines


def told(found: int, whole: int, lang: str) -> str:
    """Return how many games are shown, of how many."""
    if found == whole:
        return ngettext("{count} game.", "{count} games.", whole, lang)
    return ngettext("{found} of {count} game match.", "{found} of {count} games match.", whole, lang, found=found)


def query(found: Catalogue, report: Mapping[str, Any] | None) -> Query:
    """Let the reader say what to look for."""
    lang = shelf.language()
    hint = gettext("game, player, table or rules", lang)
    words_at, rules_at, state_at, since_at, until_at = st.columns([4, 2, 2, 1.6, 1.6], vertical_alignment="bottom")
    text = words_at.text_input(
        gettext("Find", lang), key="find", placeholder=hint, label_visibility="collapsed", max_chars=80
    )
    preset = rules_at.selectbox(
        gettext("Rules", lang),
        ["", *sorted(found.rules(), key=lambda each: collation(both(rules(each), lang), lang))],
        key="find_rules",
        format_func=lambda each: shown(both(rules(each), lang)) if each else gettext("Rules", lang),
        label_visibility="collapsed",
    )
    kept = state_at.selectbox(
        gettext("State", lang),
        ["", "running", *glossary()["closings"]],
        key="find_state",
        format_func=lambda each: state_name(each, lang) if each else gettext("any state", lang),
        label_visibility="collapsed",
    )
    since, until = (
        column.date_input(name, value=None, key=key, format="YYYY-MM-DD")
        for column, name, key in (
            (since_at, gettext("From day (UTC)", lang), "from_day"),
            (until_at, gettext("Until day (UTC)", lang), "to_day"),
        )
    )
    among = None
    if report is not None and report["findings"] and st.toggle(gettext("only with findings", lang), key="find_wrong"):
        among = frozenset(str(each["game"]) for each in report["findings"] if each.get("game"))
    return Query(text.strip(), preset or "", kept or "", since, until, among, desk.player)


def state_name(name: str, lang: str) -> str:
    """Return how a game stands, in words."""
    if name == "running":
        return gettext("in play", lang)
    return gettext("closed", lang) if name == "closed" else both(term("closings", name), lang)


def verdict_of(url: str, found: Catalogue) -> dict[str, Any] | None:
    """Return the report on the ledger; for a large one only after the reader has asked, for a player none."""
    if desk.person().role == "player":
        return None
    known = shelf.known(url, found.stamp)
    if known is not None:
        return known
    asked = st.session_state.get("verify_all") or following.underway(url, found.stamp)
    if len(found.ids) > MOST_AT_ONCE and not asked:
        st.button(shelf.gettext("Verify the whole ledger"), key="verify_button", on_click=_ask)
        return None
    if len(found.ids) > AT_ONCE:
        following.follow(url, found.stamp, shelf.gettext("Verifying …"))
        return None
    try:
        with st.spinner(shelf.gettext("Verifying …")):
            return shelf.report(url, found.stamp)
    except (LedgerError, OSError) as error:
        st.error(f"{shelf.gettext('This ledger cannot be read:')} {md(str(error), 300)}", icon=":material/error:")
        return None


def _ask() -> None:
    st.session_state["verify_all"] = True


def row(info: GameInfo, hands: int, wrong: int, report: Mapping[str, Any] | None, lang: str) -> dict[str, object]:
    """Return one game as a row, headed in the reader's language; `hands` that it has ended, `wrong` findings."""
    return {
        gettext("Game", lang): info.id,
        gettext("Verdict", lang): judged(info, wrong, report, lang),
        gettext("Rules", lang): shown(both(rules(info.rules), lang), 60),
        gettext("Players", lang): ", ".join(shown(desk.player(player), 20) for player in info.players),
        gettext("Table", lang): shown(info.table, 24),
        gettext("Hands", lang): hands,
        gettext("Events", lang): info.size,
        gettext("Opened (UTC)", lang): opened_at(info),
        gettext("State", lang): state_name(state(info), lang),
    }


def judged(info: GameInfo, wrong: int, report: Mapping[str, Any] | None, lang: str) -> str:
    """Return the verdict on one game in a few words, with a sign."""
    if report is None:
        return "…"
    if wrong:
        return "✗ " + ngettext("{count} finding", "{count} findings", wrong, lang)
    if any(level["status"] == "failed" and level["level"] <= 3 for level in report["levels"]):
        return f"? {both(term('statuses', 'not_reached'), lang)}"
    lacking = any(each["game"] == info.id for each in report["not_checkable"])
    return f"✓ {both(term('statuses', 'holds'), lang)}" + (f" · {gettext('Not checkable', lang)}" if lacking else "")

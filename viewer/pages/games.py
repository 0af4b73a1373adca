"""The games of the ledger: a table to choose from, with the verdict on each."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from ledger.errors import LedgerError
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.pages import shelf
from viewer.pages.judged import headline
from viewer.words import both, label, term

MOST_AT_ONCE = 300
"""Ledgers of more games are verified when asked, not when opened."""


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.words('title')}")
    url, found = shelf.open_ledger()
    lang = shelf.language()
    report = verdict_of(url, found)
    if report is not None:
        headline(report)
    hands = shelf.hand_counts(url, shelf.stamp(found))
    table = [row(info, hands.get(info.id, 0), report, lang) for info in found]
    st.caption(shelf.words("choose_game"))
    chosen = st.dataframe(
        table,
        key="chosen_game",
        hide_index=True,
        width="stretch",
        height=min(38 + 35 * len(found), 640),
        on_select="rerun",
        selection_mode="single-row",
    )
    rows = chosen["selection"]["rows"]
    if rows:
        st.session_state["asked"] = None
        st.switch_page(st.session_state["pages"]["replay"], query_params={"game": found[rows[0]].id})


def verdict_of(url: str, found: list[GameInfo]) -> dict[str, Any] | None:
    """Return the report on the ledger; for a large one only after the reader has asked."""
    if len(found) > MOST_AT_ONCE and not st.session_state.get("verify_all"):
        st.button(shelf.words("verify_now"), key="verify_button", on_click=_ask)
        return None
    try:
        with st.spinner(shelf.words("verifying")):
            return shelf.report(url, shelf.stamp(found))
    except (LedgerError, OSError) as error:
        st.error(f"{shelf.words('bad_ledger')} {md(str(error), 300)}", icon=":material/error:")
        return None


def _ask() -> None:
    st.session_state["verify_all"] = True


def row(info: GameInfo, hands: int, report: Mapping[str, Any] | None, lang: str) -> dict[str, object]:
    """Return one game as a row, headed in the reader's language."""
    opened = datetime.fromtimestamp(min(info.at, 253_402_300_799_000) / 1000, UTC)
    return {
        label("game", lang): info.id,
        label("rules", lang): shown(info.rules),
        label("players", lang): ", ".join(shown(player, 20) for player in info.players),
        label("hands", lang): hands,
        label("events", lang): info.size,
        label("opened_at", lang): opened.strftime("%Y-%m-%d %H:%M"),
        label("state", lang): label("closed" if info.closed else "running", lang),
        label("verdict", lang): judged(info, report, lang),
    }


def judged(info: GameInfo, report: Mapping[str, Any] | None, lang: str) -> str:
    """Return the verdict on one game in a few words, with a sign."""
    if report is None:
        return "…"
    count = Counter(each.get("game") for each in report["findings"])[info.id]
    if count:
        return f"✗ {count} {label('finding' if count == 1 else 'findings', lang)}"
    if any(level["status"] == "failed" and level["level"] <= 3 for level in report["levels"]):
        return f"? {both(term('statuses', 'not_reached'), lang)}"
    lacking = any(each["game"] == info.id for each in report["not_checkable"])
    return f"✓ {both(term('statuses', 'holds'), lang)}" + (f" · {label('not_checkable', lang)}" if lacking else "")

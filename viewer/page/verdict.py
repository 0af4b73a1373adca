"""The verdict on the whole ledger: levels, findings, what is not checkable."""

import streamlit as st

from viewer.names import shown
from viewer.page import judged, shelf
from viewer.page.games import verdict_of


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.words('title')}")
    url, found = shelf.open_ledger()
    report = verdict_of(url, found)
    if report is None:
        return
    judged.headline(report)
    facts = [f"{name} {report[name]}" for name in ("origin", "size", "root") if name in report]
    if facts:
        st.code("\n".join([shown(fact, 200) for fact in facts]), language=None)
    judged.levels(report)
    judged.findings(report["findings"])
    judged.lacking(report["not_checkable"])

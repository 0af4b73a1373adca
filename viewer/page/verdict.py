"""The verdict on the whole ledger: levels, findings, what is not checkable."""

import streamlit as st

from viewer.names import shown
from viewer.page import docket, judged, shelf
from viewer.page.games import verdict_of
from viewer.translate import N_


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.gettext('paipu · replay and audit')}")
    url, found = shelf.open_ledger()
    report = verdict_of(url, found)
    if report is None:
        return
    judged.headline(report)
    named = (("origin", N_("Origin")), ("size", N_("Size")), ("root", N_("Root")))
    facts = [f"{shelf.gettext(name)} {report[key]}" for key, name in named if key in report]
    if facts:
        st.code("\n".join([shown(fact, 200) for fact in facts]), language=None)
    judged.levels(report)
    games = {str(each["game"]) for each in report["findings"][: judged.MOST] if each.get("game")}
    known = found.infos(each for each in sorted(games) if each in found.ids)
    judged.findings(report["findings"], {info.id: info.players for info in known})
    judged.lacking(report["not_checkable"])
    docket.dialog(url)

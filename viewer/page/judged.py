"""How a verdict is shown: the headline, the levels, the findings with their clauses, what is not checkable and why."""

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import streamlit as st

from viewer import clauses, redact
from viewer.names import md, shown
from viewer.page import desk, docket, shelf
from viewer.reasons import retold
from viewer.translate import N_, both, gettext, listed, ngettext
from viewer.words import term

SIGNS = {"holds": "✓", "failed": "✗", "not_checkable": "–", "not_reached": "…"}
FIRST = 5
"""Findings that the headline leads to."""
MOST = 50
"""Findings shown at once; the table below them lists all."""


def headline(report: Mapping[str, Any]) -> None:
    """Say in one line whether the levels hold, and which were not checkable."""
    lang = shelf.language()
    counts = listed(
        (
            ngettext("{count} game", "{count} games", report["games"], lang),
            hands(report, lang),
            ngettext("{count} event", "{count} events", report["events"], lang),
        ),
        lang,
    )
    if report["findings"]:
        st.error(
            f"**{gettext('Findings: the log does not hold', lang)}** ({len(report['findings'])}) · {counts}",
            icon=":material/error:",
        )
        for each in report["findings"][:FIRST]:
            _link(each)
        return
    open_ = [
        both(term("levels", level["name"]), lang) for level in report["levels"] if level["status"] == "not_checkable"
    ]
    rest = " · " + gettext("Not checkable: {what}", lang, what=listed(open_, lang)) if open_ else ""
    st.success(f"**{gettext('All levels hold', lang)}** · {counts}{rest}", icon=":material/verified:")


def hands(report: Mapping[str, Any], lang: str) -> str:
    """Return how many hands were judged, of how many where some could not be (after a finding, in games cut off)."""
    judged, whole = report["hands"], report["deal"]["figures"].get("hands", 0)
    if whole <= judged:
        return ngettext("{count} hand", "{count} hands", judged, lang)
    return ngettext("{judged} of {count} hand judged", "{judged} of {count} hands judged", whole, lang, judged=judged)


def _link(finding: Mapping[str, Any]) -> None:
    """Lead from a finding to the event it stands at, in the replay."""
    lang = shelf.language()
    if not finding.get("game"):
        return
    where = {name: str(finding[name]) for name in ("game", "hand", "seq") if name in finding}
    told = [md(str(finding["game"]), 64)]
    named = ((N_("hand {number}"), "hand"), (N_("event {number}"), "seq"))
    told += [gettext(message, lang, number=str(finding[name])) for message, name in named if name in finding]
    told += [md(str(finding["code"])), md(str(finding.get("clause", "")), 60)]
    page = st.session_state.get("pages", {}).get("replay")
    if page is None:
        st.markdown(f"✗ {' · '.join(told)}")
        return
    st.page_link(page, label=f"✗ {' · '.join(told)}", icon=":material/play_arrow:", query_params=where)


def levels(report: Mapping[str, Any]) -> None:
    """Show the eight levels with their status."""
    lang = shelf.language()
    rows = [
        {
            "": SIGNS.get(level["status"], "?"),
            gettext("Level", lang): f"{level['level']} · {both(term('levels', level['name']), lang)}",
            gettext("Status", lang): both(term("statuses", level["status"]), lang),
            gettext("Checked", lang): level.get("checked", 0),
            gettext("Findings", lang): level.get("findings", 0),
            gettext("Why", lang): shown(retold(level["why"], lang), 200) if level.get("why") else "",
        }
        for level in report["levels"]
    ]
    config = {
        "": st.column_config.TextColumn(width=36),
        gettext("Checked", lang): st.column_config.NumberColumn(format="localized"),
        gettext("Findings", lang): st.column_config.NumberColumn(format="localized"),
    }
    st.dataframe(rows, hide_index=True, width="stretch", height=38 + 35 * len(rows), column_config=config)


def findings(found: Sequence[Mapping[str, Any]], players: Mapping[str, tuple[str, ...]]) -> None:
    """Show findings, each with where it stands, its clause in both languages, and what was expected and found.

    `players` says who plays in those of the games that the open ledger holds: over them a case can be opened.
    """
    lang = shelf.language()
    if not desk.named():
        anybody = frozenset(chain.from_iterable(players.values()))
        found = [redact.hidden(each, players.get(str(each.get("game")), anybody)) for each in found]
    if not found:
        st.success(gettext("No findings.", lang), icon=":material/check:")
        return
    for at, each in enumerate(found[:MOST]):
        where = [gettext("Level {number}", lang, number=str(each["level"])), md(str(each["code"]))]
        where += [
            gettext(message, lang, number=md(str(each[key])))
            for key, message in (
                ("game", N_("game {number}")),
                ("hand", N_("hand {number}")),
                ("seq", N_("event {number}")),
            )
            if key in each
        ]
        with st.container(border=True):
            st.markdown(f":red[**✗ {' · '.join(where)}**]")
            clause = str(each.get("clause", ""))
            text = each.get("text") or clauses.find(clause)
            if text:
                st.markdown(f"{md(text['zh'], 600)}  \n{md(text['en'], 600)}")
            st.markdown(gettext("Clause: {clause}", lang, clause=md(clause, 120)))
            left, right = st.columns(2)
            for column, key, name in ((left, "expected", N_("Expected")), (right, "found", N_("Found"))):
                with column:
                    st.caption(gettext(name, lang))
                    st.code(plain(each.get(key)), language=None, wrap_lines=True)
            game = str(each.get("game", ""))
            if game in players:
                docket.open_button(game, each.get("hand"), each.get("seq"), players[game], f"case_of_{at}")
    if len(found) > MOST:
        st.caption(f"{MOST} / {len(found)}")
        heads = {
            "level": N_("Level"), "game": N_("Game"), "hand": N_("Hand"), "seq": N_("Event"), "code": N_("Code"),
            "clause": N_("Clause"), "expected": N_("Expected"), "found": N_("Found"),
        }  # fmt: skip
        rows = [{gettext(heads[key], lang): plain(each[key]) for key in heads if key in each} for each in found]
        st.dataframe(rows, hide_index=True, placeholder="–")


def lacking(missing: Sequence[Mapping[str, Any]]) -> None:
    """Show what could not be checked, and why."""
    lang = shelf.language()
    if not missing:
        return
    st.markdown(f"**{gettext('Not checkable', lang)}**")
    rows = [
        {
            gettext("Game", lang): shown(str(each.get("game", "")), 64),
            gettext("Hand", lang): str(each["hand"]) if "hand" in each else "",
            gettext("Code", lang): shown(str(each["code"])),
            gettext("Why", lang): shown(retold(str(each["why"]), lang), 300),
        }
        for each in missing
    ]
    st.dataframe(rows, hide_index=True, width="stretch")


def plain(value: object) -> str:
    """Return a value as readable text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)

"""How a verdict is shown: the headline, the levels, the findings with their clauses, what is not checkable and why."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from viewer import clauses
from viewer.names import md, shown
from viewer.page import shelf
from viewer.words import both, label, term

SIGNS = {"holds": "✓", "failed": "✗", "not_checkable": "–", "not_reached": "…"}
FIRST = 5
"""Findings that the headline leads to."""
MOST = 50
"""Findings shown at once; the table below them lists all."""


def headline(report: Mapping[str, Any]) -> None:
    """Say in one line whether the levels hold, and which were not checkable."""
    lang = shelf.language()
    counts = f"{report['games']} {label('games', lang)}, {report['hands']} {label('hands', lang)}, "
    counts += f"{report['events']} {label('events', lang)}"
    if report["findings"]:
        st.error(f"**{label('some_fail', lang)}** ({len(report['findings'])}) · {counts}", icon=":material/error:")
        for each in report["findings"][:FIRST]:
            _link(each)
        return
    open_ = [
        both(term("levels", level["name"]), lang) for level in report["levels"] if level["status"] == "not_checkable"
    ]
    rest = f" · {label('not_checkable', lang)}: {', '.join(open_)}" if open_ else ""
    st.success(f"**{label('all_hold', lang)}** · {counts}{rest}", icon=":material/verified:")


def _link(finding: Mapping[str, Any]) -> None:
    """Lead from a finding to the event it stands at, in the replay."""
    lang = shelf.language()
    if not finding.get("game"):
        return
    where = {name: str(finding[name]) for name in ("game", "hand", "seq") if name in finding}
    told = [md(str(finding["game"]), 64)]
    named = (("hand", "hand"), ("event", "seq"))
    told += [f"{label(key, lang)} {finding[name]}" for key, name in named if name in finding]
    st.page_link(
        st.session_state["pages"]["replay"],
        label=f"✗ {' · '.join(told)} · {md(str(finding['code']))} · {md(str(finding.get('clause', '')), 60)}",
        icon=":material/play_arrow:",
        query_params=where,
    )


def levels(report: Mapping[str, Any]) -> None:
    """Show the eight levels with their status."""
    lang = shelf.language()
    rows = [
        {
            "": SIGNS.get(level["status"], "?"),
            label("level", lang): f"{level['level']} · {both(term('levels', level['name']), lang)}",
            label("status", lang): both(term("statuses", level["status"]), lang),
            label("checked", lang): level.get("checked", 0),
            label("findings", lang): level.get("findings", 0),
            label("why", lang): shown(level.get("why", ""), 200) if level.get("why") else "",
        }
        for level in report["levels"]
    ]
    st.dataframe(rows, hide_index=True, width="stretch", height=38 + 35 * len(rows))


def findings(found: Sequence[Mapping[str, Any]]) -> None:
    """Show findings, each with where it stands, its clause in both languages, and what was expected and found."""
    lang = shelf.language()
    if not found:
        st.success(label("no_findings", lang), icon=":material/check:")
        return
    for each in found[:MOST]:
        where = [f"{label('level', lang)} {each['level']}", md(str(each["code"]))]
        where += [f"{label(key, lang)} {md(str(each[key]))}" for key in ("game", "hand") if key in each]
        where += [f"{label('event', lang)} {each['seq']}"] if "seq" in each else []
        with st.container(border=True):
            st.markdown(f":red[**✗ {' · '.join(where)}**]")
            clause = str(each.get("clause", ""))
            text = each.get("text") or clauses.find(clause)
            if text:
                st.markdown(f"{md(text['zh'], 600)}  \n{md(text['en'], 600)}")
            st.markdown(f"{label('clause', lang)}: {md(clause, 120)}")
            left, right = st.columns(2)
            for column, key in ((left, "expected"), (right, "found")):
                with column:
                    st.caption(label(key, lang))
                    st.code(plain(each.get(key)), language=None, wrap_lines=True)
    if len(found) > MOST:
        st.caption(f"{MOST} / {len(found)}")
        st.dataframe([{key: plain(value) for key, value in each.items()} for each in found], hide_index=True)


def lacking(missing: Sequence[Mapping[str, Any]]) -> None:
    """Show what could not be checked, and why."""
    lang = shelf.language()
    if not missing:
        return
    st.markdown(f"**{label('not_checkable', lang)}**")
    rows = [
        {
            label("game", lang): shown(str(each.get("game", "")), 64),
            label("hand", lang): str(each["hand"]) if "hand" in each else "",
            label("code", lang): shown(str(each["code"])),
            label("why", lang): shown(str(each["why"]), 300),
        }
        for each in missing
    ]
    st.dataframe(rows, hide_index=True, width="stretch")


def plain(value: object) -> str:
    """Return a value as readable text."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)

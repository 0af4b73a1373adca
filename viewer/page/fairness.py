"""Fairness of the deals: the eighteen checks, figures, and the battery with its heat map, power and what it lacked.

Nothing here says "fair": a battery finds a departure or does not, and says how small a one it would have seen.
"""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import streamlit as st

from engine.errors import EventError
from ledger.errors import LedgerError
from viewer.catalogue import Catalogue
from viewer.estimate.walls import kind_cells
from viewer.fairness import battery, sources
from viewer.fairness.battery import DeckResult, Result
from viewer.fairness.gather import Gathering
from viewer.fairness.plan import ROWS, Plan
from viewer.names import md, shown
from viewer.page import shelf
from viewer.page.games import verdict_of
from viewer.page.judged import SIGNS
from viewer.translate import both, gettext, ngettext, number, percent, probability
from viewer.words import term, tile

SLOW = frozenset({"T14"})
"""Rows that take minutes: left to the command line."""
PLAN = Plan(tests=tuple(row for row in ROWS if row not in SLOW))
EDGE = 4.0
"""Residuals beyond this many standard deviations have the strongest colour."""
SCALE = alt.Scale(domain=[-EDGE, 0, EDGE], range=["#1f5fa8", "#f7f7f7", "#b2182b"], clamp=True)


def show() -> None:
    """Draw the page."""
    shelf.header().markdown(f"#### {shelf.gettext('Fairness')}")
    url, found = shelf.open_ledger()
    report = verdict_of(url, found)
    if report is not None:
        checks(report)
    st.markdown(f"##### {shelf.gettext('The battery')}")
    command = f"paipu fairness --ledger {md(shelf.ledger_name(url), 60)}"
    st.caption(
        shelf.gettext("The seed attack (T14) and registered plans: on the command line: {command}", command=command)
    )
    if st.button(shelf.gettext("Run the battery on this ledger"), key="run_battery", icon=":material/experiment:"):
        st.session_state["battery_of"] = (url, found.stamp)
    if st.session_state.get("battery_of") == (url, found.stamp):
        judged(url, found)


def judged(url: str, found: Catalogue) -> None:
    """Run the battery, once for a ledger as it stands, and show what it says."""
    try:
        with st.spinner(shelf.gettext("Verifying …")):
            result = run(url, found.stamp)
    except (LedgerError, EventError, OSError) as error:
        st.error(md(str(error), 300), icon=":material/error:")
        return
    told = st.error if result.findings else st.info
    told(f"**{md(result.verdict, 120)}** · {ngettext('{count} game', '{count} games', result.games, shelf.language())}")
    for deck in result.decks:
        one_deck(deck)
    lacking = [*result.unchecked, *result.notes]
    if lacking:
        st.markdown(f"**{shelf.gettext('Not checkable')}**")
        shelf.plain_table([{shelf.gettext("Why"): shown(each, 300)} for each in lacking])


@st.cache_resource(max_entries=2, show_spinner=False)
def run(url: str, grown: shelf.Stamp) -> Result:
    """Return the battery's result; `grown` tells a ledger that has grown from what it was."""
    assert grown
    gathering = Gathering(None, classes={}, samples=PLAN.seed_walls)
    try:
        source = sources.gather((url,), PLAN, gathering)
        completeness = (source.status, source.why)
        return battery.judge(gathering, PLAN, targets=(url,), registered=False, completeness=completeness)
    finally:
        gathering.close()


def checks(report: Mapping[str, Any]) -> None:
    """Show the eighteen checks of the deal and the figures beside them."""
    lang = shelf.language()
    st.markdown(f"##### {gettext('The eighteen checks of the deal', lang)}")
    rows = [
        {
            "": SIGNS.get(each["status"], "#"),
            gettext("Code", lang): each["code"],
            gettext("Status", lang): both(term("statuses", each["status"]), lang),
            gettext("Findings", lang): number(each["findings"], lang),
            gettext("Why", lang): shown(each.get("why", ""), 200) if each.get("why") else "",
        }
        for each in report["deal"]["checks"]
    ]
    left, right = st.columns([3, 2])
    with left:
        shelf.plain_table(rows)
    with right:
        st.markdown(f"**{gettext('Figures (no accusation)', lang)}**")
        shelf.plain_table(
            [
                {gettext("Code", lang): name, "n": number(count, lang)}
                for name, count in report["deal"]["figures"].items()
            ]
        )


def one_deck(found: DeckResult) -> None:
    """Show one deck's rows, its heat map, and the smallest effects it would have shown."""
    lang = shelf.language()
    deck = found.tally.deck
    walls = ngettext("{count} wall re-derived", "{count} walls re-derived", found.tally.walls, lang)
    st.markdown(f"**{deck.n} · {md(deck.family)} · {walls}**")
    shelf.plain_table(
        [
            {
                "": "–" if row.holm is None else "✗" if row.holm < PLAN.alpha else "✓",
                gettext("test", lang): f"{row.id} {row.name}",
                gettext("counted", lang): number(row.n, lang),
                gettext("needed", lang): number(row.least, lang),
                "p": "" if row.p is None else probability(row.p, lang),
                gettext("Holm", lang): "" if row.holm is None else probability(row.holm, lang),
                gettext("Why", lang): shown(row.why, 120) if row.why else "",
            }
            for row in found.rows
        ]
    )
    if found.tally.walls:
        st.altair_chart(
            heat_map(found),
            width="stretch",
            alt=gettext(
                "Tile kind by place in the wall: how far each count lies from its mean, in standard deviations", lang
            ),
        )
    st.markdown(f"**{gettext('smallest effect found with power 0.9', lang)}**")
    shelf.plain_table(
        [
            {
                gettext("test", lang): each.question,
                "n": number(each.n, lang),
                gettext("smallest effect found with power 0.9", lang): percent(each.detectable, lang),
            }
            for each in found.questions
        ]
    )


def heat_map(found: DeckResult) -> alt.Chart:
    """Return tile kind by place of the wall: standard deviations from the mean, blue below and red above."""
    lang = shelf.language()
    deck, counts = found.tally.deck, found.tally.counts.walls
    cells, copies = kind_cells(counts.cells, deck.kinds)
    share = copies[:, None] / deck.n
    residual = (cells - counts.deals * share) / np.sqrt(counts.deals * share * (1 - share))
    names = [both(tile(name), lang) for name in deck.names]
    values = [
        {"kind": names[kind], "place": place, "z": round(float(residual[kind, place]), 2)}
        for kind in range(len(names))
        for place in range(deck.n)
    ]
    chart = alt.Chart(
        alt.InlineData(values=values),
        title=gettext(
            "Tile kind by place in the wall: how far each count lies from its mean, in standard deviations", lang
        ),
    ).mark_rect()
    drawn: alt.Chart = chart.encode(
        x=alt.X("place:O", title=gettext("place in the wall", lang), axis=alt.Axis(values=list(range(0, deck.n, 10)))),
        y=alt.Y("kind:N", title=gettext("tile", lang), sort=names),
        color=alt.Color("z:Q", title="z", scale=SCALE),
        tooltip=[
            alt.Tooltip("kind:N", title=gettext("tile", lang)),
            alt.Tooltip("place:O", title=gettext("place in the wall", lang)),
            alt.Tooltip("z:Q", title="z"),
        ],
    ).properties(height=12 * len(names) + 40)
    return drawn

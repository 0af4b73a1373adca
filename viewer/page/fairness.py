"""Fairness of the deals: the eighteen checks, figures, and the battery with its heat map, power and what it lacked.

Nothing here says "fair": a battery finds a departure or does not, and says how small a one it would have seen.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from engine.errors import EventError
from ledger.errors import LedgerError
from viewer import clauses
from viewer.catalogue import Catalogue
from viewer.fairness import battery, sources
from viewer.fairness.battery import DeckResult, Result
from viewer.fairness.gather import Gathering
from viewer.fairness.plan import ROWS, Plan
from viewer.names import md, shown
from viewer.page import fairness_charts as charts
from viewer.page import shelf
from viewer.page.fairness_seeds import seed_attack
from viewer.page.games import verdict_of
from viewer.page.judged import SIGNS
from viewer.reasons import retold
from viewer.translate import N_, both, gettext, ngettext, number, percent, probability
from viewer.words import term

FAMILIES = {"tiles": N_("tiles"), "cards": N_("cards")}
ASKED_FOR = frozenset({"T14"})
"""Rows that have a button of their own: they search for as long as the window is wide."""
PLAN = Plan(tests=tuple(row for row in ROWS if row not in ASKED_FOR))


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
        shelf.gettext(
            "Plans registered before, other samples and the report: on the command line: {command}", command=command
        )
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
    lang = shelf.language()
    games = ngettext("{count} game", "{count} games", result.games, lang)
    told(f"**{md(retold(result.verdict, lang), 120)}** · {games}")
    standing(result)
    for number_, deck in enumerate(result.decks):
        one_deck(deck)
        seed_attack(url, found.stamp, number_, deck)
    lacking = [*result.unchecked, *result.too_few, *result.notes]
    if lacking:
        st.markdown(f"**{shelf.gettext('Not checkable')}**")
        shelf.plain_table([{shelf.gettext("Why"): shown(retold(each, lang), 300)} for each in lacking])


def standing(result: Result) -> None:
    """Say how complete the sample is, whether its plan was registered, and list findings and reviews."""
    lang = shelf.language()
    whole = f"{both(term('statuses', result.completeness), lang)} {retold(result.why_completeness, lang)}"
    said = [gettext("Completeness: {what}", lang, what=whole)]
    if not result.registered:
        said.append(gettext("Exploratory: {why}", lang, why=retold(result.why_exploratory, lang)))
    said.append(gettext("plan {digest}", lang, digest=f"{result.plan.digest()[:16]} …"))
    st.caption(" · ".join(shown(each, 200) for each in said))
    for title, entries in ((gettext("Findings", lang), result.findings), (gettext("To review", lang), result.reviews)):
        if entries:
            st.markdown(f"**{title}**")
            rows = [
                {
                    gettext("Test", lang): each["row"],
                    gettext("Code", lang): each["code"],
                    gettext("Where", lang): shown(retold(each["where"], lang), 120),
                    gettext("What", lang): shown(retold(each["what"], lang), 300),
                }
                for each in entries
            ]
            shelf.plain_table(rows)


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
            gettext("What", lang): both(clauses.text(f"fairness.1.10.{each['code']}"), lang),
            gettext("Status", lang): both(term("statuses", each["status"]), lang),
            gettext("Findings", lang): number(each["findings"], lang),
            gettext("Why", lang): shown(retold(each["why"], lang), 200) if each.get("why") else "",
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
                {gettext("What", lang): both(term("figures", name), lang), "n": number(count, lang)}
                for name, count in report["deal"]["figures"].items()
            ]
        )


def one_deck(found: DeckResult) -> None:
    """Show one deck's rows, its heat map, and the smallest effects it would have shown."""
    lang = shelf.language()
    deck = found.tally.deck
    walls = ngettext("{count} wall re-derived", "{count} walls re-derived", found.tally.walls, lang)
    st.markdown(f"**{deck.n} · {gettext(FAMILIES.get(deck.family, deck.family), lang)} · {walls}**")
    shelf.plain_table(
        [
            {
                "": "–" if row.holm is None else "✗" if row.holm < PLAN.alpha else "✓",
                gettext("Test", lang): f"{row.id} {retold(row.name, lang)}",
                gettext("Counted", lang): number(row.n, lang),
                gettext("Needed", lang): number(row.least, lang),
                "p": "" if row.p is None else probability(row.p, lang),
                gettext("Holm", lang): "" if row.holm is None else probability(row.holm, lang),
                gettext("Why", lang): shown(retold(row.why, lang), 120) if row.why else "",
            }
            for row in found.rows
        ]
    )
    if found.tally.walls:
        st.altair_chart(
            charts.heat_map(found),
            width="stretch",
            alt=gettext(
                "Tile kind by place in the wall: how far each count lies from its mean, in standard deviations", lang
            ),
        )
        left, right = st.columns(2)
        left.altair_chart(
            charts.cell_plot(found),
            width="stretch",
            alt=gettext("p-values of all cells against chance (band: 95 %)", lang),
        )
        right.altair_chart(
            charts.row_plot(found, PLAN.alpha),
            width="stretch",
            alt=gettext("Rows of the battery: beyond the line lies a departure", lang),
        )
    if found.alarms:
        monitored(found)
    st.markdown(f"**{gettext('Smallest effect found with power 0.9', lang)}**")
    shelf.plain_table(
        [
            {
                gettext("Test", lang): each.question,
                "n": number(each.n, lang),
                gettext("Smallest effect found with power 0.9", lang): percent(each.detectable, lang),
            }
            for each in found.questions
        ]
    )
    if found.faults:
        st.markdown(f"**{gettext('Faulty shufflers, and whether this sample would show them', lang)}**")
        shelf.plain_table(
            [
                {
                    "": "✓" if each.seen else "–",
                    gettext("Shuffler", lang): each.fault,
                    gettext("Test", lang): each.test,
                    gettext("Deals for power 0.9", lang): f"{each.deals:.3g}",
                }
                for each in found.faults
            ]
        )


def monitored(found: DeckResult) -> None:
    """Show T15: what was bet on and how far the stakes have grown."""
    lang = shelf.language()
    st.markdown(f"**T15 {gettext('e-processes (100 review, 10,000 page)', lang)}**")
    shelf.plain_table(
        [
            {gettext("Stream", lang): each.name, "n": number(each.n, lang), "e": f"{each.e:.3g}",
             gettext("Highest e", lang): f"{each.highest:.3g}", gettext("Alarm", lang): each.level}
            for each in found.alarms
        ]
    )  # fmt: skip

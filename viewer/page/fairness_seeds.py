"""T14 on the page of fairness: search small seeds and those near a wall's time, when asked for, in the window chosen.

A hit is proof, no statistic; no hit says only what was searched, and what a whole search would take.
"""

from datetime import timedelta
from typing import Final

import streamlit as st
from babel.dates import format_timedelta

from viewer.fairness.battery import DeckResult
from viewer.fairness.generators import GENERATORS
from viewer.fairness.plan import Plan
from viewer.fairness.seeds import DIRECTIONS, Sample, Search, draws_of, search
from viewer.names import shown
from viewer.page import shelf
from viewer.translate import LOCALES, gettext, ngettext, number

WINDOWS: Final = (3_600, 86_400, 604_800)
"""Seconds to either side of a wall's time that can be chosen."""
PLAN: Final = Plan()


def seed_attack(url: str, grown: shelf.Stamp, place: int, found: DeckResult) -> None:
    """Offer the search for a deck's walls and show what it found."""
    lang = shelf.language()
    st.markdown(f"**T14 {gettext('Seed attack', lang)}**")
    samples = tuple(found.tally.samples[: PLAN.seed_walls])
    if not samples or not found.tally.deck.copies:
        st.caption(
            gettext("Not checkable: no wall is known, or the log does not tell the copies of a kind apart.", lang)
        )
        return
    with st.form(f"seed_form_{place}", border=False):
        window = st.selectbox(
            gettext("Time seeds to either side", lang),
            WINDOWS,
            index=1,
            format_func=lambda seconds: format_timedelta(timedelta(seconds=seconds), locale=LOCALES[lang]),
            key=f"seed_window_{place}",
        )
        if st.form_submit_button(gettext("Search for seeds", lang), icon=":material/key:", key=f"seed_search_{place}"):
            st.session_state[f"seed_of_{place}"] = (url, grown, window)
    asked = st.session_state.get(f"seed_of_{place}")
    if asked is None or asked[:2] != (url, grown):
        st.caption(gettext("Not searched yet: no seed has been tried.", lang))
        return
    with st.spinner(gettext("Searching …", lang)):
        result = attacked(url, grown, place, asked[2], samples)
    tell(result)


@st.cache_resource(max_entries=8, show_spinner=False)
def attacked(url: str, grown: shelf.Stamp, place: int, seconds: int, _samples: tuple[Sample, ...]) -> Search:
    """Return a search, once for a ledger as it stands; the walls follow from the first three arguments."""
    assert url
    assert grown
    assert place >= 0
    return search(_samples, seconds=seconds, milliseconds=PLAN.seed_ms, small=PLAN.seed_below)


def tell(result: Search) -> None:
    """Say what was searched, what was found, and what a whole search would take."""
    lang = shelf.language()
    tried = ngettext("{count} seed tried", "{count} seeds tried", result.seeds, lang)
    hits = ngettext("{count} hit", "{count} hits", len(result.hits), lang)
    (st.error if result.hits else st.info)(f"**{tried} · {hits}**")
    names = ", ".join(each.name for each in GENERATORS)
    draws = ", ".join(sorted({name for each in GENERATORS for name in draws_of(each)}))
    said = gettext("each with {generators}; draws: {draws}; directions: {directions}", lang, generators=names,
                   draws=draws, directions=", ".join(DIRECTIONS))  # fmt: skip
    hours = result.full_hours
    whole = "" if hours is None else gettext(
        "All 2^32 seeds of one wall would take about {hours} hours like this.", lang, hours=number(round(hours), lang)
    )  # fmt: skip
    st.caption(shown(f"{said}. {whole}", 600))
    shelf.plain_table(
        [
            {gettext("Wall", lang): shown(str(each["sample"]), 80), gettext("Seeds mean", lang): str(each["seed"]),
             gettext("First", lang): str(each["first"]), gettext("Last", lang): str(each["last"])}
            for each in result.windows
        ]
    )  # fmt: skip
    if result.hits:
        shelf.plain_table(
            [
                {gettext("Wall", lang): shown(hit.sample, 80), gettext("Generator", lang): hit.generator,
                 gettext("Draw", lang): hit.draw, gettext("Direction", lang): hit.direction,
                 gettext("Seed", lang): str(hit.seed), gettext("Seeds mean", lang): hit.meaning}
                for hit in result.hits
            ]
        )  # fmt: skip

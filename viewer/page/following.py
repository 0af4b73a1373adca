"""Verdicts on large ledgers on their way: one run a ledger as it stands, followed by every page that wants it."""

from threading import Lock

import streamlit as st

from viewer.apart import Run
from viewer.names import md
from viewer.page import shelf

EVERY_S = 1.0
STARTING = Lock()
"""Sessions are threads: two that ask at once get one run."""


@st.cache_resource
def runs() -> dict[tuple[str, shelf.Stamp], Run]:
    """Return the runs under way, for all sessions."""
    return {}


def underway(url: str, grown: shelf.Stamp) -> bool:
    """Tell whether somebody has asked for the verdict on a ledger as it stands."""
    return (url, grown) in runs()


def follow(url: str, grown: shelf.Stamp, told: str) -> None:
    """Start the verdict where nobody has; show how far it is, under the words `told`; draw the page anew at its end."""
    with STARTING:
        if not underway(url, grown):
            runs()[url, grown] = Run(url)
    _bar(url, grown, told)


@st.fragment(run_every=EVERY_S)
def _bar(url: str, grown: shelf.Stamp, told: str) -> None:
    run = runs().get((url, grown))
    if run is None or run.report is not None:
        if run is not None and run.report is not None:
            shelf.keep(url, grown, run.report)
            runs().pop((url, grown), None)
        st.rerun()
    if run.error:
        st.error(md(run.error, 300), icon=":material/error:")
        return
    st.progress(run.share, text=f"{told} {run.done} / {run.of}" if run.of else told)

"""The Streamlit app: pages, language, title. `paipu view` serves it with its headers (`serve`)."""

import streamlit as st

from viewer.page import compare, desk, disputes, file, foot, games, payouts, proof, replay, shelf, verdict
from viewer.translate import N_

TITLES = {
    "games": N_("Games"),
    "replay": N_("Replay"),
    "payouts": N_("Payouts"),
    "verdict": N_("Verdict"),
    "proof": N_("Proof"),
    "fairness": N_("Fairness"),
    "compare": N_("Compare"),
    "disputes": N_("Disputes"),
    "file": N_("Open a file"),
}
STYLE = """<style>
.stMainBlockContainer { padding: 4.1rem 1.6rem 2rem; max-width: 1320px; }
@media (max-width: 640px) { .stMainBlockContainer { padding: 4.1rem 0.6rem 1rem; } }
</style>"""


def _fairness() -> None:
    """Draw the page of fairness: only it waits for the libraries of statistics, which take a second to load."""
    from viewer.page import fairness

    fairness.show()


def main() -> None:
    """Draw the app."""
    st.set_page_config(page_title="paipu 牌谱", page_icon="🀄", layout="wide")
    st.html(STYLE)
    shows = {
        "games": games.show,
        "replay": replay.show,
        "payouts": payouts.show,
        "verdict": verdict.show,
        "proof": proof.show,
        "fairness": _fairness,
        "compare": compare.show,
        "disputes": disputes.show,
        "file": file.show,
    }
    visitor = desk.visitor()
    pages = {
        name: st.Page(
            desk.guarded(name, show, shelf.language),
            title=shelf.gettext(TITLES[name]),
            url_path=name,
            default=name == "games",
            visibility="visible" if visitor is not None and visitor.may(name) else "hidden",
        )
        for name, show in shows.items()
    }
    st.session_state["pages"] = pages
    page = st.navigation(list(pages.values()), position="top")
    if page == pages["games"] and st.query_params.get("game"):
        # A link of the form ?game=…&hand=…&step=… opens the replay wherever it points (viewer.md 0.5).
        st.switch_page(pages["replay"], query_params=dict(st.query_params))
    shelf.addressed()
    page.run()
    foot.show(page.url_path or "games")


main()

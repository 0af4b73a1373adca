"""The Streamlit app: pages, language, title. `paipu view` serves it with its headers (`serve`)."""

import streamlit as st

from viewer.pages import compare, fairness, file, games, payouts, proof, replay, shelf, verdict

STYLE = """<style>
.stMainBlockContainer { padding: 4.1rem 1.6rem 2rem; max-width: 1320px; }
@media (max-width: 640px) { .stMainBlockContainer { padding: 4.1rem 0.6rem 1rem; } }
</style>"""


def main() -> None:
    """Draw the app."""
    st.set_page_config(page_title="paipu 牌谱", page_icon="🀄", layout="wide")
    st.html(STYLE)
    pages = {
        "games": st.Page(games.show, title=shelf.words("games"), url_path="games", default=True),
        "replay": st.Page(replay.show, title=shelf.words("replay"), url_path="replay"),
        "payouts": st.Page(payouts.show, title=shelf.words("payouts"), url_path="payouts"),
        "verdict": st.Page(verdict.show, title=shelf.words("verdict"), url_path="verdict"),
        "proof": st.Page(proof.show, title=shelf.words("verify"), url_path="proof"),
        "fairness": st.Page(fairness.show, title=shelf.words("fairness"), url_path="fairness"),
        "compare": st.Page(compare.show, title=shelf.words("compare"), url_path="compare"),
        "file": st.Page(file.show, title=shelf.words("file"), url_path="file"),
    }
    st.session_state["pages"] = pages
    page = st.navigation(list(pages.values()), position="top")
    if page == pages["games"] and st.query_params.get("game"):
        # A link of the form ?game=…&hand=…&step=… opens the replay wherever it points (viewer.md 0.5).
        st.switch_page(pages["replay"], query_params=dict(st.query_params))
    page.run()


main()

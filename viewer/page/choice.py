"""The choice of a game at the head of a page: by the list, or by the address."""

import streamlit as st

from viewer.catalogue import Catalogue
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import desk, shelf
from viewer.translate import both
from viewer.words import rules

NEAR = 50
"""Games before and after the open one that the list offers; the Games page finds all others."""
WITHIN = ("hand", "step", "seq")
"""What the address says of a place in a game: nothing of another one."""


def opened(*, addressed: bool = True) -> tuple[str, Catalogue, GameInfo] | None:
    """Draw the head of a page about one game: return the ledger, what it holds and the game, None where it has none."""
    head = shelf.header()
    url, found = shelf.open_ledger()
    with head:
        info = choose(found, addressed=addressed)
    return None if info is None else (url, found, info)


def choose(found: Catalogue, *, addressed: bool = True) -> GameInfo | None:
    """Let the reader choose a game; the address's `game` is the first choice, an unknown one is said to be so.

    With `addressed` the choice is written to the address, so that a reload or a link opens it again; without, what the
    page shows writes it itself.
    """
    ids = found.ids
    asked = st.query_params.get("game")
    if asked and asked not in ids:
        st.warning(f"{shelf.gettext('The ledger has no game of this name:')} {md(asked, 64)}")
        asked = None
    if asked and st.session_state.get("asked") != asked:
        st.session_state["game"] = asked
    else:
        # A widget's own state ends with its page, unless it is set: who comes back finds the game he left.
        kept = (st.session_state.get("game"), st.session_state.get("opened"))
        st.session_state["game"] = next((each for each in kept if each in ids), ids[0])

    lang = shelf.language()

    def told(identity: str) -> str:
        info = by_id[identity]
        played = shown(both(rules(info.rules), lang), 60)
        return f"{identity} · {played} · {', '.join(shown(desk.player(player), 16) for player in info.players)}"

    at = ids.index(st.session_state["game"])
    near = ids[max(0, at - NEAR) : at + NEAR + 1]
    by_id = {info.id: info for info in found.infos(near)}
    chosen = st.selectbox(
        shelf.gettext("Game"), near, key="game", format_func=told, label_visibility="collapsed", placeholder="…"
    )
    if addressed and chosen and chosen != st.query_params.get("game"):
        for name in WITHIN:
            st.query_params.pop(name, None)
        st.query_params["game"] = asked = chosen
    # The address counts only when it is new: the reader's choice comes after it.
    st.session_state["opened"], st.session_state["asked"] = chosen, asked
    return by_id.get(chosen)

"""The door of every page: who is there, whether the page is for him, and the line in the access log.

Roles are checked on every run of every page, not only where the navigation is drawn (viewer.md 5).
"""

import os
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.secrets import secrets_singleton

from viewer import access
from viewer.access import Person, Users, allowed, note, pseudonym
from viewer.translate import N_, bilingual, gettext, side_by_side

STRANGER = N_("You are not known here.")
FORBIDDEN = N_("This page is not for your role.")
NO_LOG = N_("The access log cannot be written: nothing is shown.")


@st.cache_resource
def _users(path: str) -> Users:
    return Users(Path(path))


def visitor() -> Person | None:
    """Return who is there, None for a stranger."""
    path = os.environ.get(access.USERS, "")
    login: dict[str, Any] = dict(st.user.to_dict()) if path else {}
    return allowed(st.context.headers if path else {}, login, _users(path) if path else None)


def person() -> Person:
    """Return who is there; a stranger's page ends here."""
    found = visitor()
    if found is None:
        st.stop()
    return found


def named() -> bool:
    """Tell whether players are shown by their own ids: a regulator has to ask."""
    return person().role != "regulator" or bool(st.session_state.get("names_shown"))


def player(name: str) -> str:
    """Return what a player is called for the reader: his id, or a pseudonym of it."""
    return name if named() else pseudonym(name)


def masked(text: str, players: Iterable[str]) -> str:
    """Return a text that may name these players as the reader may see it."""
    return text if named() else access.masked(text, players)


def guarded(page: str, show: Callable[[], None], language: Callable[[], str]) -> Callable[[], None]:
    """Return a page that only those see whom it is for; each run is logged as far as it shows something new."""

    def run() -> None:
        lang = language()
        found = visitor()
        if found is None or not found.may(page):
            _log(found, page, refused=True)
            st.error(gettext(STRANGER if found is None else FORBIDDEN, lang), icon=":material/lock:")
            if found is None and not os.environ.get(access.HEADER):
                login(lang)
            st.stop()
        _log(found, page)
        if found.role == "regulator":
            with st.container(horizontal=True, vertical_alignment="center"):
                asked = st.toggle(
                    gettext("Show players' ids (logged)", lang),
                    key="names_asked",
                    value=bool(st.session_state.get("names_shown")),
                )
                if os.environ.get(access.LOG):
                    st.caption(gettext("What you open is logged.", lang))
            if asked and not st.session_state.get("names_shown"):
                _log(found, page, names=True)
            st.session_state["names_shown"] = asked
        show()
        _log(found, page)  # what the page itself chose to open

    run.__name__ = page
    return run


def login(lang: str) -> None:
    """Offer Streamlit's login, or say that none is set up."""
    if secrets_singleton.load_if_toml_exists() and "auth" in st.secrets and find_spec("authlib") is not None:
        st.button(gettext("Log in", lang), key="login", on_click=st.login)
    else:
        st.caption(gettext("No login is set up: .streamlit/secrets.toml and the extra `login` are needed.", lang))


def _log(found: Person | None, page: str, **what: object) -> None:
    if not os.environ.get(access.LOG):
        return
    query = {name: st.query_params.get(name, "") for name in ("ledger", "hand", "step", "seq")}
    game = st.session_state.get("opened") or st.query_params.get("game", "")
    seen = (page, game, *query.values(), *what)
    if st.session_state.get("logged") == seen:
        return
    try:
        note(found, page, game=game, **query, **what)
    except OSError:
        st.error(side_by_side(bilingual(NO_LOG)), icon=":material/error:")
        st.stop()
    st.session_state["logged"] = seen

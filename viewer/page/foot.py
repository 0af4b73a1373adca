"""The line at the foot of every page: which log, how far, its root, what was verified, by which code and rules.

So that whoever prints a page or repeats a finding elsewhere knows what it was about (viewer.md 5).
"""

import streamlit as st

from engine.errors import EventError
from engine.events import load
from ledger.errors import LedgerError
from viewer.catalogue import Catalogue
from viewer.judgement import ENGINE
from viewer.names import md, shown
from viewer.page import desk, shelf
from viewer.targets import read_ledger
from viewer.translate import gettext, ngettext


def show(page: str) -> None:
    """Draw the line, as far as the ledger that is open can be read; `page` names the page above it."""
    url, person, lang = shelf.chosen_ledger(), desk.visitor(), shelf.language()
    if person is None or not person.may(page):
        return
    found = shelf.catalogue_of(url) if url else None
    if found is None:
        st.caption(md(ENGINE, 40))
        return
    parts = [ENGINE, shelf.ledger_name(url), ngettext("{count} entry", "{count} entries", found.stamp[0], lang)]
    parts += [
        part for part in (root(url, found.stamp, lang), verified(url, found, lang), rules(url, found, lang)) if part
    ]
    st.caption(" · ".join(md(part, 120) for part in parts))


@st.cache_data(max_entries=64, show_spinner=False)
def _root(url: str, stamp: shelf.Stamp) -> str:
    assert stamp
    reader = read_ledger(url)
    try:
        head = reader.head()
        return "" if head is None else head.root.hex()
    finally:
        reader.close()


def root(url: str, stamp: shelf.Stamp, lang: str) -> str:
    """Return the root of the log as it stands, in words."""
    try:
        found = _root(url, stamp)
    except (LedgerError, OSError):
        return ""
    return gettext("root {hash}", lang, hash=found) if found else ""


def verified(url: str, found: Catalogue, lang: str) -> str:
    """Return what the verdict on the ledger says, as far as it is reached and for the reader."""
    if desk.person().role == "player":
        return ""
    report = shelf.known(url, found.stamp)
    if report is None:
        return f"… {gettext('not verified yet', lang)}"
    count = len(report["findings"])
    if count:
        return f"✗ {ngettext('{count} finding', '{count} findings', count, lang)}"
    return f"✓ {gettext('No findings.', lang).rstrip('.。')}"


def rules(url: str, found: Catalogue, lang: str) -> str:
    """Return the rules of the game that is open, with their digest."""
    game = st.session_state.get("opened")
    if not isinstance(game, str) or game not in found.ids:
        return ""
    try:
        said = load(shelf.stored(url, game, found.info(game).size)[0])["rules"]
        return gettext("rules {name} {digest}", lang, name=shown(str(said["id"])), digest=str(said["digest"])[:16])
    except (LedgerError, EventError, OSError, LookupError, TypeError):
        return ""

"""Where the pages get their data: which ledger is open, its games, events and verdict, each read once and kept.

Kept values are keyed by what they were read from and by how far the ledger had grown, so that a ledger in use is
never shown as it was. Nothing here appends.
"""

import argparse
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.errors import EventError
from ledger.errors import LedgerError
from viewer import clauses, frames, games, redact, translate, verdict
from viewer.catalogue import Catalogue, catalogue
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import desk
from viewer.table import component
from viewer.views import FindingView, Picture

REPLAY = 7
HASH = re.compile(r"[0-9a-f]{32,}")
MOST_REPORTS = 4
CHOICES = ("game", "payout_hand", "options_hand", "find_rules", "find_state", "filing_clock", "seed_window")
"""Keys of boxes whose choices are named in the reader's language."""
Stamp = tuple[int, int]
"""How far a ledger has grown: entries and transactions."""


def language() -> str:
    """Return the session's language: as chosen, else as the address says, else as the browser prefers."""
    chosen = st.session_state.get("spoken") or st.query_params.get("lang")
    if chosen in {"en", "zh"}:
        return str(chosen)
    return translate.language(st.context.locale)


def gettext(message: str, **values: translate.Value) -> str:
    """Return a message in the session's language."""
    return translate.gettext(message, language(), **values)


def header() -> DeltaGenerator:
    """Draw the line at the head of a page; return its wide left part, which the page fills."""
    served = ledgers()
    if len(served) > 1:
        left, middle, right = st.columns([5, 2, 1], vertical_alignment="center")
        chosen_ledger()
        # Set here, for a widget's state does not outlive a switch to another page (`st.switch_page`).
        st.session_state["ledger_choice"] = st.session_state["ledger_number"]
        middle.segmented_control(
            gettext("Ledger"),
            range(len(served)),
            key="ledger_choice",
            format_func=lambda number: md(ledger_name(served[number])),
            on_change=_choose_ledger,
            label_visibility="collapsed",
            required=True,
        )
    else:
        left, right = st.columns([6, 1], vertical_alignment="center")
    st.session_state["language"] = language()
    right.segmented_control(
        gettext("Language"),
        ["en", "zh"],
        key="language",
        on_change=_speak,
        format_func={"en": "English", "zh": "中文"}.__getitem__,
        label_visibility="collapsed",
        required=True,
    )
    return left


def _speak() -> None:
    # A widget's own state ends with its page; the choice is the session's.
    st.session_state["spoken"] = st.session_state["language"]
    # A box of choices knows what was chosen by its words: what is set anew is shown in the new ones, and kept.
    for name in [str(each) for each in st.session_state]:
        if name.startswith(CHOICES):
            st.session_state[name] = st.session_state[name]


def plain_table(rows: Sequence[Mapping[str, object]]) -> None:
    """Show rows as an HTML table, which a screen reader reads; cells read Markdown, so each is escaped."""
    st.table([{_cell(name, 80): _cell(str(value), 600) for name, value in row.items()} for row in rows])


def _cell(text: str, limit: int) -> str:
    """Return a text for a cell: escaped, long hashes in groups so that they break; nothing stays nothing."""
    grouped = HASH.sub(lambda found: " ".join(re.findall(".{1,8}", found[0])), text)
    return md(grouped, limit) if text.strip() else ""


def ledgers() -> list[str]:
    """Return the ledgers that are served, URLs or paths: each `--ledger URL` given, else $PAIPU_LEDGER, one a line."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--ledger", action="append")
    try:
        given = parser.parse_known_args(sys.argv[1:])[0].ledger
    except argparse.ArgumentError:
        return [""]
    return list(dict.fromkeys(given or os.environ.get("PAIPU_LEDGER", "").split("\n")))


def ledger_name(url: str) -> str:
    """Return what a ledger is called on the pages: the last part of its URL, never a password."""
    return shown(PurePath(urlsplit(url).path or url).name or url, 40)


def chosen_ledger() -> str:
    """Return the ledger that is open: as chosen, else as the address says by number, else the first."""
    served = ledgers()
    number = st.session_state.get("ledger_number")
    if number is None:
        text = st.query_params.get("ledger", "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
        st.session_state["ledger_number"] = number
    return served[number] if number < len(served) else served[0]


def addressed() -> None:
    """Name the open ledger in the address where it is not the first: links to other pages leave it out."""
    if len(ledgers()) > 1:
        chosen_ledger()
        number = str(st.session_state["ledger_number"])
        if number not in ("0", st.query_params.get("ledger")):
            st.query_params["ledger"] = number


def _choose_ledger() -> None:
    st.session_state["ledger_number"] = st.session_state["ledger_choice"]
    for name in ("game", "opened", "asked"):
        st.session_state.pop(name, None)
    for name in ("game", "hand", "step", "seq"):
        st.query_params.pop(name, None)
    st.query_params["ledger"] = str(st.session_state["ledger_choice"])


@st.cache_resource
def _catalogues() -> dict[str, Catalogue]:
    return {}


def catalogue_of(url: str) -> Catalogue | None:
    """Return what is known of a ledger that a page has opened."""
    return _catalogues().get(url)


def open_ledger() -> tuple[str, Catalogue]:
    """Return the ledger with its games; where there is nothing to show, say so in one line and end the page."""
    url = chosen_ledger()
    if not url:
        st.info(
            gettext("No ledger is chosen: set PAIPU_LEDGER or start with `paipu view --ledger URL`."),
            icon=":material/folder_open:",
        )
        st.stop()
    try:
        found = _catalogues()[url] = catalogue(url, _catalogues().get(url))
    except (LedgerError, OSError) as error:
        st.error(f"{gettext('This ledger cannot be read:')} {md(str(error), 300)}", icon=":material/error:")
        st.stop()
    person = desk.person()
    if person.role == "player":
        found = found.of(info for info in found.everything() if person.plays(info.players))
    if not found.ids:
        st.info(gettext("This ledger holds no game yet."), icon=":material/inbox:")
        st.stop()
    return url, found


@st.cache_resource(max_entries=16, show_spinner=False)
def stored(url: str, game: str, size: int) -> list[bytes]:
    """Return a game's events as stored; `size` tells a game that has grown from what it was."""
    found = games.lines(url, game)
    return found[:size] if size else found


def seat(url: str, game: str, size: int) -> int | None:
    """Return the seat whose view of a game is to be shown, None where it is shown whole; a stranger sees nothing."""
    person = desk.person()
    if person.role != "player":
        return None
    found = redact.seat_of(stored(url, game, size), person.players)
    if found is None:
        st.stop()
    return found


def lines(url: str, game: str, size: int) -> list[bytes]:
    """Return a game's events as the reader may see them."""
    number = seat(url, game, size)
    whole = stored(url, game, size)
    return whole if number is None else redact.shown_lines(whole, number)


def partial(url: str, info: GameInfo) -> bool:
    """Tell whether something of a game is left out for the reader."""
    return lines(url, info.id, info.size) != stored(url, info.id, info.size)


@st.cache_resource(max_entries=16, show_spinner=False)
def _picture(
    url: str, game: str, size: int, marks: Sequence[FindingView], number: int | None, *, named: bool
) -> Picture:
    whole = frames.picture(stored(url, game, size), clause_text=clauses.text, marks=marks)
    if number is not None:
        whole = redact.redacted(whole, stored(url, game, size), number)
    return whole if named else redact.nameless(whole, stored(url, game, size))


def picture(url: str, game: str, size: int, marks: Sequence[FindingView]) -> Picture:
    """Return the frames of a game as the reader may see them, findings of the ledger's levels among them.

    It is shared: nobody may change it.
    """
    return _picture(url, game, size, marks, seat(url, game, size), named=desk.named())


@st.cache_resource
def reports() -> dict[tuple[str, Stamp], dict[str, Any]]:
    """Return the verdicts reached so far, the newest last."""
    return {}


def known(url: str, grown: Stamp) -> dict[str, Any] | None:
    """Return the verdict on the whole ledger where it has been reached already; players are shown none of it."""
    return None if desk.person().role == "player" else reports().get((url, grown))


def report(url: str, grown: Stamp) -> dict[str, Any]:
    """Return the verdict on the whole ledger as the object of ledger.md 6; a ledger that has grown is judged anew."""
    if (url, grown) not in reports():
        keep(url, grown, verdict.audit(url).as_json())
    return reports()[url, grown]


def keep(url: str, grown: Stamp, found: dict[str, Any]) -> None:
    """Keep a verdict, and few before it."""
    kept = reports()
    kept[url, grown] = found
    while len(kept) > MOST_REPORTS:
        kept.pop(next(iter(kept)))


@st.cache_resource(max_entries=8, show_spinner=False)
def _packed(
    url: str, game: str, size: int, marks: Sequence[FindingView], hand: int | None, *, number: int | None, named: bool
) -> dict[str, str]:
    """Return what the component is sent; `number` and `named` only tell one reader's picture from another's."""
    whole = picture(url, game, size, marks)
    assert number == seat(url, game, size)
    shown = lines(url, game, size)
    told = shown if named else [None if each == redact.LEFT_OUT else each for each in redact.nameless_lines(shown)]
    whole = frames.with_bytes(whole, told, stored(url, game, size))
    return component.payload(whole if hand is None else frames.one_hand(whole, hand))


def packed(url: str, game: str, size: int, marks: Sequence[FindingView], hand: int | None) -> dict[str, str]:
    """Return what the component is sent: the whole game, or one hand of it, as the reader may see it."""
    return _packed(url, game, size, marks, hand, number=seat(url, game, size), named=desk.named())


def sent(url: str, info: GameInfo, marks: Sequence[FindingView], hand: int) -> dict[str, str]:
    """Return what the component is sent; a game too large to be sent whole goes hand by hand (viewer.md 0.1)."""
    whole = packed(url, info.id, info.size, marks, None)
    if len(whole["packed"]) <= frames.TWO_MEGABYTES:
        return whole
    return packed(url, info.id, info.size, marks, hand)


def marks(found: Sequence[dict[str, Any]], game: str) -> list[FindingView]:
    """Return the findings of a report that stand at an event of one game, those of replay left out."""
    return [
        {
            "level": each["level"],
            "seq": each["seq"],
            "code": str(each["code"]),
            "clause": str(each.get("clause", "")),
            "expected": each.get("expected", ""),
            "found": each.get("found", ""),
            "text": each["text"],
        }
        for each in found
        if each.get("game") == game and "seq" in each and each["level"] != REPLAY
    ]


def readable(url: str, info: GameInfo, found: Sequence[FindingView]) -> Picture | None:
    """Return the picture of a game, None where not one event can be read."""
    try:
        drawn = picture(url, info.id, info.size, found)
    except (LedgerError, EventError):
        return None
    return drawn if drawn["frames"] else None

"""Two logs of a game side by side with the first divergence marked, and the same hand under other options."""

from collections.abc import Collection, Sequence

import streamlit as st

from engine.errors import EventError
from engine.events import load
from ledger.errors import LedgerError
from viewer import alternatives, divergence, games, redact
from viewer.divergence import Divergence
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import desk, shelf
from viewer.page.choice import opened
from viewer.page.dropped import DropError, read_lines
from viewer.page.judged import plain
from viewer.page.replay import columns, hand_name
from viewer.sentences import sentence
from viewer.translate import N_, both, gettext, ngettext, signed
from viewer.verdict import audit_lines

AROUND = 4
"""Events shown before the first divergence."""
SHOWN = 24
LEFT, RIGHT = N_("Left log"), N_("Right log")
ONLY_LEFT = N_("only the left log has events from here on")
ONLY_RIGHT = N_("only the right log has events from here on")


def show() -> None:
    """Draw the page."""
    one = opened()
    if one is None:
        return
    url, _, info = one
    left = shelf.lines(url, info.id, info.size)
    right = second(url, info)
    if right is not None:
        side_by_side(left, right, info.rules)
    st.divider()
    other_options(url, info)


def second(url: str, info: GameInfo) -> list[bytes] | None:
    """Let the reader say what to compare with: the same game of another ledger that is served, or a file."""
    lang = shelf.language()
    others = [each for each in shelf.ledgers() if each != url]
    pick_at, file_at = st.columns([1, 1], vertical_alignment="bottom")
    upload = file_at.file_uploader(
        gettext("second log: a ledger URL or path, or drop a file", lang),
        key="compare_file",
        label_visibility="collapsed",
    )
    if upload is not None:
        try:
            return read_lines(upload.name, upload.getvalue())
        except DropError as error:
            st.error(f"{gettext('This file cannot be read:', lang)} {md(str(error), 300)}")
            return None
    if not others:
        return None
    chosen = pick_at.selectbox(gettext("Right log", lang), others, key="compare_ledger", format_func=shelf.ledger_name)
    try:
        return games.lines(chosen, info.id)
    except (LedgerError, OSError) as error:
        st.warning(md(str(error), 300))
        return None


def side_by_side(left: Sequence[bytes], right: Sequence[bytes], preset: str) -> None:
    """Show where two logs part, the events around that, and what replay says of either."""
    lang = shelf.language()
    players = {*redact.players_of(left), *redact.players_of(right)}
    found = divergence.first(left, right)
    if found is None:
        st.success(
            ngettext(
                "The two logs are the same, byte for byte ({count} event).",
                "The two logs are the same, byte for byte ({count} events).",
                len(left),
                lang,
            ),
            icon=":material/check:",
        )
        return
    st.error(
        "✗ " + gettext("First divergence: event {number}", lang, number=str(found.seq)), icon=":material/call_split:"
    )
    if found.left is None or found.right is None:
        st.markdown(gettext(ONLY_RIGHT if found.left is None else ONLY_LEFT, lang))
    if found.fields:
        names = [gettext(name, lang) for name in (N_("Fields that differ"), LEFT, RIGHT)]
        told_fields = [
            (name, *(desk.masked(plain(each), players) for each in pair)) for name, pair in found.fields.items()
        ]
        shelf.plain_table([dict(zip(names, row, strict=True)) for row in told_fields])
    columns_of = st.columns(2)
    for column, name, lines in zip(columns_of, (LEFT, RIGHT), (left, right), strict=True):
        with column:
            verdict(gettext(name, lang), lines)
    events(left, right, found, players, preset)


def verdict(name: str, lines: Sequence[bytes]) -> None:
    """Say in one line what replay finds in a log."""
    lang = shelf.language()
    result = audit_lines(lines)
    if result.holds:
        st.markdown(gettext("{fact}: {value}", lang, fact=f"**{name}**", value=f"✓ {lawful(result.prefix, lang)}"))
        return
    first = result.findings[0]
    where = gettext("event {number}", lang, number=str(first.seq))
    fault = f"✗ {where} · {md(first.code)} · {md(first.clause, 80)}"
    st.markdown(gettext("{fact}: {value}", lang, fact=f"**{name}**", value=fault))


def lawful(events: int, lang: str) -> str:
    """Return that replay finds so many events as they must be."""
    return ngettext("replay expects exactly this ({count} event)", "replay expects exactly this ({count} events)",
                    events, lang)  # fmt: skip


def events(
    left: Sequence[bytes], right: Sequence[bytes], found: Divergence, players: Collection[str], preset: str
) -> None:
    """Show the events of both logs from a little before the divergence on, those that differ with a sign."""
    lang = shelf.language()
    rows = []
    for seq in range(max(0, found.seq - AROUND), min(max(len(left), len(right)), found.seq - AROUND + SHOWN)):
        mine, its = (lines[seq] if seq < len(lines) else b"" for lines in (left, right))
        rows.append(
            {
                "": "" if mine == its else "≠",
                "#": seq,
                gettext(LEFT, lang): desk.masked(told(mine, lang, preset), players),
                gettext(RIGHT, lang): desk.masked(told(its, lang, preset), players),
            }
        )
    shelf.plain_table(rows)


def told(line: bytes, lang: str, preset: str = "") -> str:
    """Return an event in words with its numbers."""
    if not line:
        return "–"
    try:
        record = load(line)
    except EventError:
        return shown(line.decode(errors="replace"), 200)
    numbers = record.get("payments", record.get("scores", ""))  # as stored: what differs must be seen
    return shown(f"{both(sentence(record, preset=preset), lang)} {numbers}", 300)


def other_options(url: str, info: GameInfo) -> None:
    """Show what a hand would have paid under other options, one changed at a time."""
    lang = shelf.language()
    st.markdown(f"##### {gettext('The same hand under other options', lang)}")
    picture = shelf.readable(url, info, ())
    if picture is None:
        return
    names = {view["hand"]: hand_name(view, lang) for view in picture["hands"] if "payments" in view}
    if not names:
        st.caption(gettext("Other options are computed for won mahjong hands before a game's first finding.", lang))
        return
    hand = st.selectbox(
        gettext("Hand", lang),
        list(names),
        key="options_hand",
        format_func=names.__getitem__,
        label_visibility="collapsed",
    )
    state = alternatives.before_settlement(shelf.lines(url, info.id, info.size), hand)
    if state is None:
        st.caption(gettext("Other options are computed for won mahjong hands before a game's first finding.", lang))
        return
    paid, others = alternatives.alternatives(state)
    heads = columns(picture["players"])
    rows = [
        {gettext("Option", lang): gettext("as played", lang)}
        | dict(zip(heads, (signed(each, lang) for each in paid), strict=True))
    ]
    rows += [
        {gettext("Option", lang): f"{each.option} = {plain(each.value)}"}
        | dict(zip(heads, (signed(amount, lang) for amount in each.payments), strict=True))
        for each in others
    ]
    shelf.plain_table(rows)
    if not others:
        st.caption(gettext("No single option changes what this hand paid.", lang))

"""Two logs of a game side by side with the first divergence marked, and the same hand under other options."""

from collections.abc import Sequence

import streamlit as st

from engine.errors import EventError
from engine.events import load
from ledger.errors import LedgerError
from viewer import alternatives, divergence, games
from viewer.divergence import Divergence
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import shelf
from viewer.page.choice import choose
from viewer.page.dropped import DropError, read_lines
from viewer.page.judged import plain
from viewer.page.replay import columns, hand_name
from viewer.sentences import sentence
from viewer.verdict import audit_lines
from viewer.words import both, label, signed

AROUND = 4
"""Events shown before the first divergence."""
SHOWN = 24


def show() -> None:
    """Draw the page."""
    head = shelf.header()
    url, found = shelf.open_ledger()
    with head:
        info = choose(found)
    if info is None:
        return
    left = shelf.lines(url, info.id, info.size)
    right = second(url, info)
    if right is not None:
        side_by_side(left, right)
    st.divider()
    other_options(url, info)


def second(url: str, info: GameInfo) -> list[bytes] | None:
    """Let the reader say what to compare with: the same game of another ledger that is served, or a file."""
    lang = shelf.language()
    others = [each for each in shelf.ledgers() if each != url]
    pick_at, file_at = st.columns([1, 1], vertical_alignment="bottom")
    upload = file_at.file_uploader(label("compare_second", lang), key="compare_file", label_visibility="collapsed")
    if upload is not None:
        try:
            return read_lines(upload.name, upload.getvalue())
        except DropError as error:
            st.error(f"{label('file_bad', lang)} {md(str(error), 300)}")
            return None
    if not others:
        return None
    chosen = pick_at.selectbox(label("right_log", lang), others, key="compare_ledger", format_func=shelf.ledger_name)
    try:
        return games.lines(chosen, info.id)
    except (LedgerError, OSError) as error:
        st.warning(md(str(error), 300))
        return None


def side_by_side(left: Sequence[bytes], right: Sequence[bytes]) -> None:
    """Show where two logs part, the events around that, and what replay says of either."""
    lang = shelf.language()
    found = divergence.first(left, right)
    if found is None:
        st.success(f"{label('same_logs', lang)} ({len(left)} {label('events', lang)})", icon=":material/check:")
        return
    st.error(f"✗ {label('first_divergence', lang)} {found.seq}", icon=":material/call_split:")
    if found.left is None or found.right is None:
        st.markdown(label("only_right" if found.left is None else "only_left", lang))
    if found.fields:
        names = [label(name, lang) for name in ("fields_differ", "left_log", "right_log")]
        told_fields = [(name, plain(mine), plain(its)) for name, (mine, its) in found.fields.items()]
        shelf.plain_table([dict(zip(names, row, strict=True)) for row in told_fields])
    columns_of = st.columns(2)
    for column, name, lines in zip(columns_of, ("left_log", "right_log"), (left, right), strict=True):
        with column:
            verdict(label(name, lang), lines)
    events(left, right, found)


def verdict(name: str, lines: Sequence[bytes]) -> None:
    """Say in one line what replay finds in a log."""
    lang = shelf.language()
    result = audit_lines(lines)
    if result.holds:
        st.markdown(f"**{name}**: ✓ {label('as_expected', lang)} ({result.prefix} {label('events', lang)})")
        return
    first = result.findings[0]
    st.markdown(f"**{name}**: ✗ {label('event', lang)} {first.seq} · {md(first.code)} · {md(first.clause, 80)}")


def events(left: Sequence[bytes], right: Sequence[bytes], found: Divergence) -> None:
    """Show the events of both logs from a little before the divergence on, those that differ with a sign."""
    lang = shelf.language()
    rows = []
    for seq in range(max(0, found.seq - AROUND), min(max(len(left), len(right)), found.seq - AROUND + SHOWN)):
        mine, its = (lines[seq] if seq < len(lines) else b"" for lines in (left, right))
        rows.append(
            {
                "": "" if mine == its else "≠",
                "#": seq,
                label("left_log", lang): told(mine, lang),
                label("right_log", lang): told(its, lang),
            }
        )
    shelf.plain_table(rows)


def told(line: bytes, lang: str) -> str:
    """Return an event in words with its numbers."""
    if not line:
        return "–"
    try:
        record = load(line)
    except EventError:
        return shown(line.decode(errors="replace"), 200)
    numbers = record.get("payments", record.get("scores", ""))
    return shown(f"{both(sentence(record), lang)} {numbers}", 300)


def other_options(url: str, info: GameInfo) -> None:
    """Show what a hand would have paid under other options, one changed at a time."""
    lang = shelf.language()
    st.markdown(f"##### {label('other_options', lang)}")
    picture = shelf.readable(url, info, ())
    if picture is None:
        return
    names = {view["hand"]: hand_name(view, lang) for view in picture["hands"] if "payments" in view}
    if not names:
        st.caption(label("other_family", lang))
        return
    hand = st.selectbox(
        label("hand", lang),
        list(names),
        key="options_hand",
        format_func=names.__getitem__,
        label_visibility="collapsed",
    )
    state = alternatives.before_settlement(shelf.lines(url, info.id, info.size), hand)
    if state is None:
        st.caption(label("other_family", lang))
        return
    paid, others = alternatives.alternatives(state)
    heads = columns(picture["players"])
    rows = [{label("option", lang): label("paid_as_played", lang)} | dict(zip(heads, map(signed, paid), strict=True))]
    rows += [
        {label("option", lang): f"{each.option} = {plain(each.value)}"}
        | dict(zip(heads, map(signed, each.payments), strict=True))
        for each in others
    ]
    shelf.plain_table(rows)
    if not others:
        st.caption(label("no_option_matters", lang))

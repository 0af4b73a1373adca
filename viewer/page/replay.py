"""One game: the table to step through, payouts of each hand, running totals, the verdict, the events as stored."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import streamlit as st

from ledger.merkle import leaf
from viewer import redact
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.page import desk, judged, shelf
from viewer.page.choice import choose
from viewer.page.games import MOST_AT_ONCE, verdict_of
from viewer.table import component
from viewer.verdict import audit_lines
from viewer.views import FindingView, HandView, Picture
from viewer.words import both, label, signed, term


def show() -> None:
    """Draw the page."""
    head = shelf.header()
    url, found = shelf.open_ledger()
    with head:
        info = choose(found)
    if info is None:
        return
    known = shelf.known(url, found.stamp)
    marks = shelf.marks(known["findings"] if known else [], info.id)
    picture = shelf.readable(url, info, marks)
    if picture is None:
        st.warning(shelf.words("no_frames"))
        raw(shelf.lines(url, info.id, info.size), 0)
        return
    hand = table(url, info, marks)
    below(url, info, picture, hand)
    if known is None and len(found.ids) <= MOST_AT_ONCE:
        # The table is there at once; what the ledger's own levels find at its events is marked when it is known.
        report = verdict_of(url, found)
        if report is not None and shelf.marks(report["findings"], info.id):
            st.rerun()


def number(name: str, default: int) -> int:
    """Return a number of the address, `default` where there is none; no sign, no spaces, at most six digits."""
    text = st.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default


def table(url: str, info: GameInfo, marks: Sequence[FindingView]) -> int:
    """Mount the replay component; return the hand it shows."""
    start = {
        "hand": number("hand", -1 if st.query_params.get("hand") == "-1" else 0),
        "step": number("step", 0),
        "seq": number("seq", -1),
        "seat": number("seat", 0),
        "hide": st.query_params.get("hide") == "1",
    }
    state = st.session_state.get("table")
    told = getattr(state, "hand", None) if state is not None else None
    hand = told if isinstance(told, int) else start["hand"]
    result = component.mounting()(
        key="table",
        data={**shelf.sent(url, info, marks, hand), "lang": shelf.language(), "start": start},
        default={"hand": hand},
        on_hand_change=lambda: None,
    )
    shown_hand = result.hand
    return shown_hand if isinstance(shown_hand, int) else hand


def below(url: str, info: GameInfo, picture: Picture, hand: int) -> None:
    """Draw what stands under the table."""
    lang = shelf.language()
    lines = shelf.lines(url, info.id, info.size)
    names = ("payouts", "totals", "game_verdict", "raw_short")
    payouts_tab, totals_tab, verdict_tab, raw_tab = st.tabs([label(name, lang) for name in names])
    with payouts_tab:
        payouts(picture)
    with totals_tab:
        totals(picture)
    with verdict_tab:
        if shelf.partial(url, info):
            st.info(both(term("statuses", "not_checkable"), lang), icon=":material/visibility_off:")
        else:
            verdict(lines, picture)
    with raw_tab:
        view = next((each for each in picture["hands"] if each["hand"] == hand), picture["hands"][0])
        st.caption(f"{label('raw', lang)} · {hand_name(view, lang)}")
        if not desk.named():
            lines = redact.nameless_lines(lines)
        raw(lines[view["first"] : view["last"] + 1], view["first"], hashes=not shelf.partial(url, info))
        st.download_button(
            f"{md(info.id)}.paipu.jsonl",
            b"\n".join(lines) + b"\n",
            file_name=f"{info.id}.paipu.jsonl",
            mime="application/jsonl",
            on_click="ignore",
        )


def hand_name(view: HandView, lang: str) -> str:
    """Return what a hand is called."""
    if view["hand"] < 0:
        return label("opening", lang)
    wind = both(term("winds", view["round_wind"]), lang) if view["round_wind"] else ""
    name = f"第 {view['hand']} 局" if lang == "zh" else f"Hand {view['hand']}"
    return name + (f" · {wind}" if wind else "")


def columns(players: Sequence[str]) -> list[str]:
    """Return a heading for each seat; two players that look alike are told apart by their seat."""
    names = [shown(player, 20) for player in players]
    return [name if names.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(names)]


def settled_hands(picture: Picture) -> list[HandView]:
    """Return the hands that have a settlement."""
    return [view for view in picture["hands"] if view["hand"] >= 0 and "payments" in view]


def payouts(picture: Picture) -> None:
    """Show what each hand paid each player, and the sum."""
    lang = shelf.language()
    heads = columns(picture["players"])
    rows: list[dict[str, object]] = []
    for view in settled_hands(picture):
        row: dict[str, object] = {label("hand", lang): hand_name(view, lang)}
        dealer = view["dealer"]
        row[label("dealer", lang).capitalize()] = heads[dealer] if 0 <= dealer < len(heads) else ""
        row[label("result", lang)] = view["result"]["zh" if lang == "zh" else "en"]
        rows.append(row | dict(zip(heads, map(signed, view.get("payments", [])), strict=False)))
    if not rows:
        st.caption(label("none", lang))
        return
    sums = [sum(view.get("payments", [])[seat] for view in settled_hands(picture)) for seat in range(len(heads))]
    blank = {label("dealer", lang).capitalize(): "", label("result", lang): ""}
    rows.append(
        {
            label("hand", lang): label("total", lang).capitalize(),
            **blank,
            **dict(zip(heads, map(signed, sums), strict=True)),
        }
    )
    config = {head: st.column_config.TextColumn(alignment="right") for head in heads}
    st.dataframe(rows, hide_index=True, width="stretch", column_config=config, height=38 + 35 * len(rows))


def totals(picture: Picture) -> None:
    """Show the running totals as step lines, a shape for each player beside the colour."""
    lang = shelf.language()
    heads = columns(picture["players"])
    start = picture["frames"][0]["scores"]
    points = [(0, head, start[seat] if seat < len(start) else 0) for seat, head in enumerate(heads)]
    for view in settled_hands(picture):
        points += [(view["hand"] + 1, head, view["scores"][seat]) for seat, head in enumerate(heads)]
    hand, player, score = label("hand", lang), label("players", lang), label("points", lang)
    values = [{"hand": at, "player": head, "score": total} for at, head, total in points]
    chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(interpolate="step-after", point={"size": 70, "filled": True}, strokeWidth=2.4)
        .encode(
            x=alt.X("hand:Q", title=hand, axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y("score:Q", title=score),
            color=alt.Color("player:N", title=player, sort=heads, scale=alt.Scale(range=PALETTE)),
            shape=alt.Shape("player:N", title=player, sort=heads),
            tooltip=["hand:Q", "player:N", "score:Q"],
        )
        .properties(height=300)
    )
    told = "; ".join(f"{head} {points[-len(heads) + seat][2]:+d}" for seat, head in enumerate(heads))
    st.altair_chart(chart, width="stretch", alt=f"{label('totals', lang)}: {told}")


PALETTE = ["#0b6b45", "#b3201b", "#1d4f9c", "#b06a00"]
"""One colour a seat, each dark enough for white paper; shapes tell the lines apart without them."""


def verdict(lines: Sequence[bytes], picture: Picture) -> None:
    """Show what replay says of this game, and what other levels have found at its events."""
    lang = shelf.language()
    result = audit_lines(lines)
    elsewhere: list[Mapping[str, Any]] = [
        {**each} for frame in picture["frames"] for each in frame.get("findings", ()) if each["level"] != shelf.REPLAY
    ]
    if result.holds and not elsewhere:
        st.success(
            f"**{both(term('levels', 'replay'), lang)}: {both(term('statuses', 'holds'), lang)}** · "
            f"{result.hands} {label('hands', lang)}, {result.prefix} {label('events', lang)}",
            icon=":material/verified:",
        )
    else:
        found = [
            {key: value for key, value in each.as_json().items() if key not in {"game", "text"}}
            for each in result.findings
        ]
        judged.findings([*elsewhere, *found])
    judged.lacking([each.as_json() for each in result.unchecked])


def raw(lines: Sequence[bytes], first: int, *, hashes: bool = True) -> None:
    """Show events as stored with their leaf hashes; without them where something is left out."""
    rows: list[dict[str, object]] = [
        {"seq": first + at, "event": line.decode(errors="backslashreplace")} for at, line in enumerate(lines)
    ]
    if hashes:
        rows = [{**row, shelf.words("leaf"): leaf(line).hex()} for row, line in zip(rows, lines, strict=True)]
    st.dataframe(
        (rows),
        hide_index=True,
        width="stretch",
        height=420,
        column_config={"seq": st.column_config.NumberColumn(width=60), "event": st.column_config.TextColumn(width=760)},
    )

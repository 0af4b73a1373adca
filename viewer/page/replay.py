"""One game: the table to step through, payouts of each hand, running totals, the verdict, the events as stored."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import streamlit as st

from ledger.merkle import leaf
from viewer import filing, money, notes, redact
from viewer.games import GameInfo
from viewer.names import md, shown
from viewer.notes import Note
from viewer.page import desk, docket, judged, margin, shelf
from viewer.page.choice import opened
from viewer.page.games import MOST_AT_ONCE, verdict_of
from viewer.table import component
from viewer.translate import N_, both, gettext, ngettext, signed
from viewer.verdict import audit_lines
from viewer.views import FindingView, HandView, Picture
from viewer.words import term


def show() -> None:
    """Draw the page."""
    one = opened(addressed=False)  # by the table, with the place in it
    if one is None:
        return
    url, found, info = one
    known = shelf.known(url, found.stamp)
    marks = shelf.marks(known["findings"] if known else [], info.id)
    picture = shelf.readable(url, info, marks)
    if picture is None:
        st.warning(shelf.gettext("This game cannot be drawn; its events are listed below."))
        raw(named(shelf.lines(url, info.id, info.size)), 0)
        return
    noted = margin.taken(url, info)
    hand = table(url, info, marks, noted)
    docket.dialog(url)
    margin.dialog(url, info)
    below(url, info, picture, hand, noted)
    if known is None and len(found.ids) <= MOST_AT_ONCE:
        # The table is there at once; what the ledger's own levels find at its events is marked when it is known.
        report = verdict_of(url, found)
        if report is not None and shelf.marks(report["findings"], info.id):
            st.rerun()


def asked(name: str, default: int) -> int:
    """Return a number of the address, `default` where there is none; no sign, no spaces, at most six digits."""
    text = st.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default


def table(url: str, info: GameInfo, marks: Sequence[FindingView], noted: list[Note]) -> int:
    """Mount the replay component; return the hand it shows."""
    start = {
        "hand": asked("hand", -1 if st.query_params.get("hand") == "-1" else 0),
        "step": asked("step", 0),
        "seq": asked("seq", -1),
        "seat": asked("seat", 0),
        "hide": st.query_params.get("hands") == "0",
    }
    state = st.session_state.get("table")
    told = getattr(state, "hand", None) if state is not None else None
    hand = told if isinstance(told, int) else start["hand"]
    result = component.mounting()(
        key="table",
        data={
            **shelf.sent(url, info, marks, hand),
            "lang": shelf.language(),
            "start": start,
            "acts": acts(url, info),
            "notes": margin.sent(noted, shelf.language()),
        },
        default={"hand": hand},
        on_hand_change=lambda: None,
        on_asked_change=lambda: None,
    )
    begin(info, result.asked)
    shown_hand = result.hand
    return shown_hand if isinstance(shown_hand, int) else hand


def acts(url: str, info: GameInfo) -> list[str]:
    """Return what the reader may begin at an event."""
    found = ["dispute"] if filing.may(desk.person(), "open", info.players) else []
    return [*found, "note"] if margin.place(url) is not None else found


def begin(info: GameInfo, asked_for: object) -> None:
    """Begin what the table asks for; whatever a browser may send that is none of it is nothing."""
    if not isinstance(asked_for, Mapping):
        return
    hand, seq = asked_for.get("hand"), asked_for.get("seq")
    if type(seq) is not int or type(hand) is not int or not 0 <= seq < info.size:
        return
    if asked_for.get("act") == "dispute":
        docket.ask(docket.opening(info.id, hand, seq))
    elif asked_for.get("act") == "note":
        margin.ask(seq)


def below(url: str, info: GameInfo, picture: Picture, hand: int, noted: list[Note]) -> None:
    """Draw what stands under the table."""
    lang = shelf.language()
    lines = shelf.lines(url, info.id, info.size)
    names = [N_("Payouts"), N_("Running totals"), N_("Verdict on this game"), N_("Events as stored")]
    names += [N_("Notes")] if desk.person().role in notes.ROLES else []
    payouts_tab, totals_tab, verdict_tab, raw_tab, *notes_tab = st.tabs([gettext(name, lang) for name in names])
    for tab in notes_tab:
        with tab:
            margin.listing(url, info, noted)
    with payouts_tab:
        payouts(picture)
    with totals_tab:
        totals(picture)
    with verdict_tab:
        if shelf.partial(url, info):
            st.info(both(term("statuses", "not_checkable"), lang), icon=":material/visibility_off:")
        else:
            verdict(lines, picture, info)
    with raw_tab:
        view = next((each for each in picture["hands"] if each["hand"] == hand), picture["hands"][0])
        st.caption(
            f"{gettext('Events of this hand as stored, with their leaf hashes', lang)} · {hand_name(view, lang)}"
        )
        raw(named(lines)[view["first"] : view["last"] + 1], view["first"], hashes=not shelf.partial(url, info))
        if not desk.named():
            st.caption(gettext("The game's file names the players: show their ids to download it.", lang))
            return
        st.download_button(
            f"{md(info.id)}.paipu.jsonl",
            b"\n".join(lines) + b"\n",
            file_name=f"{info.id}.paipu.jsonl",
            mime="application/jsonl",
            on_click="ignore",
        )


def named(lines: list[bytes]) -> list[bytes]:
    """Return events with those left out whose names the reader has not asked for."""
    return lines if desk.named() else redact.nameless_lines(lines)


def hand_name(view: HandView, lang: str) -> str:
    """Return what a hand is called."""
    if view["hand"] < 0:
        return gettext("Opening", lang)
    name = gettext("Hand {number}", lang, number=view["hand"])
    return f"{name} · {both(term('winds', view['round_wind']), lang)}" if view["round_wind"] else name


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
        row: dict[str, object] = {gettext("Hand", lang): hand_name(view, lang)}
        dealer = view["dealer"]
        row[gettext("Dealer", lang)] = heads[dealer] if 0 <= dealer < len(heads) else ""
        row[gettext("Result", lang)] = both(view["result"], lang)
        rows.append(row | dict(zip(heads, (signed(each, lang) for each in view.get("payments", [])), strict=False)))
    if not rows:
        st.caption(gettext("No hand has been settled yet.", lang))
        return
    sums = [sum(view.get("payments", [])[seat] for view in settled_hands(picture)) for seat in range(len(heads))]
    blank = {gettext("Dealer", lang): "", gettext("Result", lang): ""}
    rows.append(
        {
            gettext("Hand", lang): gettext("Total", lang),
            **blank,
            **dict(zip(heads, (signed(each, lang) for each in sums), strict=True)),
        }
    )
    config = {head: st.column_config.TextColumn(alignment="right") for head in heads}
    st.dataframe(rows, hide_index=True, width="stretch", column_config=config, height=38 + 35 * len(rows))


def totals(picture: Picture) -> None:
    """Show the running totals as step lines, a shape for each player beside the colour.

    They are those of the table: as recorded. Where replay derives others, these are drawn too, dashed, and named.
    """
    lang = shelf.language()
    heads = columns(picture["players"])
    found = money.totals(picture)
    start = picture["frames"][0]["scores"] or [0] * len(heads)
    recorded, derived = gettext("as recorded", lang), gettext("as derived", lang)
    parted = any(each["derived"] and each["derived"] != each["recorded"] for each in found)
    lines = {recorded: [(0, start), *((each["hand"] + 1, each["recorded"]) for each in found)]}
    if parted:
        lines[derived] = [(0, start), *((each["hand"] + 1, each["derived"]) for each in found if each["derived"])]
    values = [
        {"hand": at, "player": head, "score": score, "source": source}
        for source, points in lines.items()
        for at, scores in points
        for head, score in zip(heads, scores, strict=False)
    ]
    hand, player, score = gettext("Hand", lang), gettext("Player", lang), gettext("points", lang)
    source = gettext("Totals", lang)
    encoded: dict[str, Any] = {
        "x": alt.X("hand:Q", title=hand, axis=alt.Axis(tickMinStep=1, format="d")),
        "y": alt.Y("score:Q", title=score),
        "color": alt.Color("player:N", title=player, sort=heads, scale=alt.Scale(range=PALETTE)),
        "shape": alt.Shape("player:N", title=player, sort=heads),
        "tooltip": [
            alt.Tooltip("hand:Q", title=hand),
            alt.Tooltip("player:N", title=player),
            alt.Tooltip("score:Q", title=score),
        ],
    }
    if parted:
        encoded["tooltip"].append(alt.Tooltip("source:N", title=source))
        dashes = alt.Scale(domain=[recorded, derived], range=[[1, 0], [5, 4]])
        # The line above the chart is the key: beside shapes of points, a legend draws no dashes.
        encoded["strokeDash"] = alt.StrokeDash("source:N", title=source, scale=dashes, legend=None)
        st.caption(
            gettext("The log does not hold: payments and solid lines are as recorded, dashed lines as derived.", lang)
        )
    chart = (
        alt.Chart(alt.InlineData(values=values))
        .mark_line(interpolate="step-after", point={"size": 70, "filled": True}, strokeWidth=2.4)
        .encode(**encoded)
        .properties(height=300)
    )
    told = " · ".join(
        f"{f'{name}: ' if parted else ''}"
        + "; ".join(f"{head} {signed(each, lang)}" for head, each in zip(heads, points[-1][1], strict=False))
        for name, points in lines.items()
    )
    st.altair_chart(chart, width="stretch", alt=f"{gettext('Running totals', lang)}: {told}")


PALETTE = ["#118476", "#c81a46", "#0c60eb", "#a77500"]
"""One colour a seat: legible on white and on black, told apart by colour-blind eyes, and by shapes."""


def verdict(lines: Sequence[bytes], picture: Picture, info: GameInfo) -> None:
    """Show what replay says of this game, and what other levels have found at its events."""
    lang = shelf.language()
    result = audit_lines(lines)
    elsewhere: list[Mapping[str, Any]] = [
        {**each} for frame in picture["frames"] for each in frame.get("findings", ()) if each["level"] != shelf.REPLAY
    ]
    if result.holds and not elsewhere:
        st.success(
            f"**{both(term('levels', 'replay'), lang)}: {both(term('statuses', 'holds'), lang)}** · "
            f"{ngettext('{count} hand', '{count} hands', result.hands, lang)}, "
            f"{ngettext('{count} event', '{count} events', result.prefix, lang)}",
            icon=":material/verified:",
        )
    else:
        found = [
            {key: value for key, value in each.as_json().items() if key not in {"game", "text"}}
            for each in result.findings
        ]
        judged.findings([*elsewhere, *found], {info.id: info.players})
    judged.lacking([each.as_json() for each in result.unchecked])


def raw(lines: Sequence[bytes], first: int, *, hashes: bool = True) -> None:
    """Show events as stored with their leaf hashes; without them where something is left out."""
    event = shelf.gettext("Event")
    rows: list[dict[str, object]] = [
        {"#": first + at, event: line.decode(errors="backslashreplace")} for at, line in enumerate(lines)
    ]
    if hashes:
        hashed = ["" if line == redact.LEFT_OUT else leaf(line).hex() for line in lines]
        rows = [{**row, shelf.gettext("Leaf hash"): each} for row, each in zip(rows, hashed, strict=True)]
    st.dataframe(
        (rows),
        hide_index=True,
        width="stretch",
        height=420,
        column_config={"#": st.column_config.NumberColumn(width=60), event: st.column_config.TextColumn(width=760)},
    )

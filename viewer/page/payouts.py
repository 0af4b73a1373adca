"""Payouts of a game: each hand line by line as a waterfall, running totals, who paid whom, sums to zero."""

from collections.abc import Sequence

import altair as alt
import streamlit as st

from viewer import money
from viewer.names import shown
from viewer.page import shelf
from viewer.page.choice import choose
from viewer.page.replay import PALETTE, columns, hand_name, number, payouts, totals
from viewer.views import Frame, HandView, Picture
from viewer.words import both, label, signed


def show() -> None:
    """Draw the page."""
    head = shelf.header()
    url, found = shelf.open_ledger()
    with head:
        info = choose(found)
    if info is None:
        return
    picture = shelf.readable(url, info, ())
    if picture is None or not money.settled(picture):
        st.warning(shelf.words("no_frames") if picture is None else label("none", shelf.language()))
        return
    balance(picture)
    payouts(picture)
    left, right = st.columns([3, 2])
    with left:
        st.markdown(f"##### {shelf.words('totals')}")
        totals(picture)
    with right:
        st.markdown(f"##### {shelf.words('matrix')}")
        who_paid_whom(picture)
    st.markdown(f"##### {shelf.words('waterfall')}")
    one_hand(picture)


def balance(picture: Picture) -> None:
    """Say whether every hand sums to zero, and which do not."""
    lang = shelf.language()
    wrong = money.unbalanced(picture)
    if not wrong:
        st.success(label("sums_zero", lang), icon=":material/balance:")
        return
    told = "; ".join(f"{label('hand', lang)} {hand}: {what} {signed(amount)}" for hand, what, amount in wrong)
    st.error(f"✗ {label('sums_not_zero', lang)} {told}", icon=":material/error:")


def who_paid_whom(picture: Picture) -> None:
    """Show the matrix of all hands: a row for each payer, a column for each payee."""
    lang = shelf.language()
    heads = columns(picture["players"])
    paid = money.matrix([frame["settlement"] for _, frame in money.settled(picture)], len(heads))
    rows: list[dict[str, object]] = [
        {label("payers", lang): head}
        | {other: "–" if at == seat else str(paid[seat][at]) for at, other in enumerate(heads)}
        | {label("sum", lang): sum(paid[seat])}
        for seat, head in enumerate(heads)
    ]
    sums: dict[str, object] = {other: sum(each[at] for each in paid) for at, other in enumerate(heads)}
    rows.append({label("payers", lang): label("sum", lang)} | sums | {label("sum", lang): sum(map(sum, paid))})
    shelf.plain_table(rows)


def one_hand(picture: Picture) -> None:
    """Show one hand's lines with their clauses, and how they add up for each seat."""
    lang = shelf.language()
    hands = money.settled(picture)
    names = {view["hand"]: f"{hand_name(view, lang)} · {both(view['result'], lang)}" for view, _ in hands}
    asked = number("hand", -1)
    chosen = st.selectbox(
        label("hand", lang),
        list(names),
        index=list(names).index(asked) if asked in names else 0,
        key="payout_hand",
        format_func=names.__getitem__,
        label_visibility="collapsed",
    )
    view, frame = next(each for each in hands if each[0]["hand"] == chosen)
    if not frame["settlement"]["lines"]:
        st.caption(label("nobody_pays" if not any(frame["settlement"]["payments"]) else "none", lang))
        return
    st.altair_chart(chart(picture, view, frame), width="stretch", alt=spoken(picture, frame))
    shelf.plain_table(lines(picture, frame))


def lines(picture: Picture, frame: Frame) -> list[dict[str, str]]:
    """Return the lines of a settlement as rows, each with the text of its clause."""
    lang = shelf.language()
    heads = columns(picture["players"])
    rows = []
    for place, line in enumerate(frame["settlement"]["lines"], 1):
        clause = picture["clauses"].get(line["clause"])
        rows.append(
            {
                "#": str(place),
                label("from", lang): _name(heads, line["payer"]),
                label("to", lang): _name(heads, line["payee"]),
                label("amount", lang): str(line["amount"]),
                label("reason", lang): both(line["reason"], lang),
                label("clause", lang): shown(line["clause"], 60),
                label("why", lang): shown(both(clause, lang), 400) if clause else "",
            }
        )
    return rows


def _name(heads: Sequence[str], seat: int) -> str:
    return heads[seat] if 0 <= seat < len(heads) else str(seat)


def chart(picture: Picture, view: HandView, frame: Frame) -> alt.FacetChart:
    """Return the waterfall of a hand: a column of steps for each seat, gain and loss told by sign as well as colour."""
    lang = shelf.language()
    heads = columns(picture["players"])
    steps = money.waterfall(frame["settlement"], len(heads))
    values = [
        {
            "seat": heads[step["seat"]],
            "line": step["line"] + 1,
            "before": step["before"],
            "after": step["after"],
            "top": max(step["before"], step["after"]),
            "change": signed(step["after"] - step["before"]),
            "way": "+" if step["after"] > step["before"] else "−",
            "reason": both(step["reason"], lang),
            "clause": shown(step["clause"], 60),
        }
        for step in steps
    ]
    x = alt.X("line:O", title="#", axis=alt.Axis(labelAngle=0))
    way = alt.Color("way:N", title="", scale=alt.Scale(domain=["+", "−"], range=[PALETTE[2], PALETTE[3]]))
    tips = ["seat:N", "line:O", "change:N", "reason:N", "clause:N"]
    bars = alt.Chart().mark_bar(size=22, stroke="#12202c", strokeWidth=0.6)
    bars = bars.encode(x=x, y=alt.Y("before:Q", title=label("points", lang)), y2="after:Q", color=way, tooltip=tips)
    told = alt.Chart().mark_text(dy=-8, fontSize=12)
    told = told.encode(x=x, y="top:Q", text="change:N")
    layered = alt.layer(bars, told, data=alt.InlineData(values=values)).properties(width=215, height=180)
    return layered.facet(facet=alt.Facet("seat:N", title=hand_name(view, lang), sort=heads), columns=4)


def spoken(picture: Picture, frame: Frame) -> str:
    """Return the chart in words."""
    heads = columns(picture["players"])
    paid = frame["settlement"]["payments"]
    return "; ".join(f"{head} {signed(amount)}" for head, amount in zip(heads, paid, strict=False))

"""Payouts of a game: each hand line by line as a waterfall, running totals, who paid whom, sums to zero."""

from collections.abc import Sequence

import altair as alt
import streamlit as st

from viewer import money
from viewer.names import shown
from viewer.page import docket, shelf
from viewer.page.choice import opened
from viewer.page.replay import PALETTE, asked, columns, hand_name, payouts, totals
from viewer.translate import N_, both, gettext, number, signed
from viewer.views import Frame, HandView, Picture

KINDS = {"payments": N_("payments"), "lines": N_("lines"), "scores": N_("scores")}
"""What of a hand may not add up."""


def show() -> None:
    """Draw the page."""
    one = opened()
    if one is None:
        return
    url, _, info = one
    picture = shelf.readable(url, info, ())
    if picture is None or not money.settled(picture):
        st.warning(
            shelf.gettext(N_("This game cannot be drawn.") if picture is None else N_("No hand has been settled yet."))
        )
        return
    balance(picture)
    payouts(picture)
    left, right = st.columns([3, 2])
    with left:
        st.markdown(f"##### {shelf.gettext('Running totals')}")
        totals(picture)
    with right:
        st.markdown(f"##### {shelf.gettext('Who paid whom')}")
        who_paid_whom(picture)
    st.markdown(f"##### {shelf.gettext('Line by line')}")
    hand = one_hand(picture)
    docket.open_button(info.id, hand, None, info.players, "case_of_hand")
    docket.dialog(url)


def balance(picture: Picture) -> None:
    """Say whether every hand sums to zero, and which do not."""
    lang = shelf.language()
    wrong = money.unbalanced(picture)
    if not wrong:
        st.success(gettext("Every hand sums to zero.", lang), icon=":material/balance:")
        return
    told = "; ".join(
        f"{gettext('Hand {number}', lang, number=hand)}: {gettext(KINDS[what], lang)} {signed(amount, lang)}"
        for hand, what, amount in wrong
    )
    st.error(f"✗ {gettext('These hands do not add up:', lang)} {told}", icon=":material/error:")


def who_paid_whom(picture: Picture) -> None:
    """Show the matrix of all hands: a row for each payer, a column for each payee."""
    lang = shelf.language()
    heads = columns(picture["players"])
    paid = money.matrix([frame["settlement"] for _, frame in money.settled(picture)], len(heads))
    rows = [
        {gettext("Payer ↓ payee →", lang): head}
        | {other: "–" if at == seat else number(paid[seat][at], lang) for at, other in enumerate(heads)}
        | {gettext("Sum", lang): number(sum(paid[seat]), lang)}
        for seat, head in enumerate(heads)
    ]
    sums = {other: number(sum(each[at] for each in paid), lang) for at, other in enumerate(heads)}
    rows.append(
        {gettext("Payer ↓ payee →", lang): gettext("Sum", lang)}
        | sums
        | {gettext("Sum", lang): number(sum(map(sum, paid)), lang)}
    )
    shelf.plain_table(rows)


def one_hand(picture: Picture) -> int:
    """Show one hand's lines with their clauses, and how they add up for each seat; return which it is."""
    lang = shelf.language()
    hands = money.settled(picture)
    names = {view["hand"]: f"{hand_name(view, lang)} · {both(view['result'], lang)}" for view, _ in hands}
    wanted = asked("hand", -1)
    chosen = st.selectbox(
        gettext("Hand", lang),
        list(names),
        index=list(names).index(wanted) if wanted in names else 0,
        key="payout_hand",
        format_func=names.__getitem__,
        label_visibility="collapsed",
    )
    view, frame = next(each for each in hands if each[0]["hand"] == chosen)
    if not frame["settlement"]["lines"]:
        paid = any(frame["settlement"]["payments"])
        st.caption(gettext("Payments without lines.", lang) if paid else gettext("Nobody pays.", lang))
        return view["hand"]
    st.altair_chart(chart(picture, view, frame), width="stretch", alt=spoken(picture, frame))
    shelf.plain_table(lines(picture, frame))
    return view["hand"]


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
                gettext("Payer", lang): _name(heads, line["payer"]),
                gettext("Payee", lang): _name(heads, line["payee"]),
                gettext("Amount", lang): number(line["amount"], lang),
                gettext("Reason", lang): both(line["reason"], lang),
                gettext("Clause", lang): shown(line["clause"], 60),
                gettext("Why", lang): shown(both(clause, lang), 400) if clause else "",
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
            "change": signed(step["after"] - step["before"], lang),
            "way": "+" if step["after"] > step["before"] else "−",
            "reason": both(step["reason"], lang),
            "clause": shown(step["clause"], 60),
        }
        for step in steps
    ]
    x = alt.X("line:O", title="#", axis=alt.Axis(labelAngle=0))
    way = alt.Color("way:N", title="", scale=alt.Scale(domain=["+", "−"], range=[PALETTE[2], PALETTE[3]]))
    tips = [
        alt.Tooltip("seat:N", title=gettext("Player", lang)),
        alt.Tooltip("line:O", title="#"),
        alt.Tooltip("change:N", title=gettext("Amount", lang)),
        alt.Tooltip("reason:N", title=gettext("Reason", lang)),
        alt.Tooltip("clause:N", title=gettext("Clause", lang)),
    ]
    bars = alt.Chart().mark_bar(size=22, stroke="#12202c", strokeWidth=0.6)
    bars = bars.encode(x=x, y=alt.Y("before:Q", title=gettext("points", lang)), y2="after:Q", color=way, tooltip=tips)
    told = alt.Chart().mark_text(dy=-8, fontSize=12)
    told = told.encode(x=x, y="top:Q", text="change:N")
    layered = alt.layer(bars, told, data=alt.InlineData(values=values)).properties(width=215, height=180)
    return layered.facet(facet=alt.Facet("seat:N", title=hand_name(view, lang), sort=heads), columns=4)


def spoken(picture: Picture, frame: Frame) -> str:
    """Return the chart in words."""
    heads = columns(picture["players"])
    lang = shelf.language()
    paid = frame["settlement"]["payments"]
    return "; ".join(f"{head} {signed(amount, lang)}" for head, amount in zip(heads, paid, strict=False))

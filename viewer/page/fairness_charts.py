"""Charts of the battery: tile by place of the wall, p-values against what chance gives, the rows and their level.

Every chart has its numbers in a table of the page or of the report; colours go from blue to red, for every eye.
"""

import altair as alt
import numpy as np
from scipy import stats

from viewer.estimate.walls import kind_cells, tails
from viewer.fairness.battery import DeckResult
from viewer.page import shelf
from viewer.translate import both, gettext
from viewer.words import tile

Layers = alt.LayerChart | alt.FacetChart
EDGE = 4.0
"""Residuals beyond this many standard deviations have the strongest colour."""
SCALE = alt.Scale(domain=[-EDGE, 0, EDGE], range=["#1f5fa8", "#f7f7f7", "#b2182b"], clamp=True)
BLUE, RED, BAND, INK = "#1f5fa8", "#b2182b", "#cfe0ef", "#222222"
DEEPEST = 300.0
"""-log10 of the least p that is drawn."""
DOTS = 600
"""Cells drawn one by one in the plot of p-values: the smallest p; of the others every so many."""


def heat_map(found: DeckResult) -> alt.Chart:
    """Return tile kind by place of the wall: standard deviations from the mean, blue below and red above."""
    lang = shelf.language()
    deck, counts = found.tally.deck, found.tally.counts.walls
    cells, copies = kind_cells(counts.cells, deck.kinds)
    share = copies[:, None] / deck.n
    residual = (cells - counts.deals * share) / np.sqrt(counts.deals * share * (1 - share))
    names = [both(tile(name), lang) for name in deck.names]
    values = [
        {"kind": names[kind], "place": place, "z": round(float(residual[kind, place]), 2)}
        for kind in range(len(names))
        for place in range(deck.n)
    ]
    chart = alt.Chart(
        alt.InlineData(values=values),
        title=gettext(
            "Tile kind by place in the wall: how far each count lies from its mean, in standard deviations", lang
        ),
    ).mark_rect()
    drawn: alt.Chart = chart.encode(
        x=alt.X("place:O", title=gettext("place in the wall", lang), axis=alt.Axis(values=list(range(0, deck.n, 10)))),
        y=alt.Y("kind:N", title=gettext("tile", lang), sort=names),
        color=alt.Color("z:Q", title="z", scale=SCALE),
        tooltip=[
            alt.Tooltip("kind:N", title=gettext("tile", lang)),
            alt.Tooltip("place:O", title=gettext("place in the wall", lang)),
            alt.Tooltip("z:Q", title="z"),
        ],
    ).properties(height=12 * len(names) + 40)
    return drawn


def cell_plot(found: DeckResult) -> Layers:
    """Return the p-values of all kind-place cells against those that chance gives, with the 95 % band."""
    lang = shelf.language()
    deck, counts = found.tally.deck, found.tally.counts.walls
    cells, copies = kind_cells(counts.cells, deck.kinds)
    least = np.sort(tails(cells, counts.deals, copies[:, None] / deck.n).ravel())
    many = len(least)
    chosen = np.unique(np.concatenate([np.arange(min(DOTS, many)), np.arange(0, many, max(1, many // DOTS))]))
    ranks = chosen + 1
    expected = -np.log10(ranks / (many + 1))
    observed = -np.log10(np.maximum(least[chosen], 10.0**-DEEPEST))
    low, high = (-np.log10(stats.beta.ppf(at, ranks, many + 1 - ranks)) for at in (0.975, 0.025))
    columns = zip(expected, observed, low, high, strict=True)
    values = [
        dict(zip(("expected", "observed", "low", "high"), (round(float(each), 4) for each in row), strict=True))
        for row in columns
    ]
    title = gettext("p-values of all cells against chance (band: 95 %)", lang)
    base = alt.Chart(alt.InlineData(values=values), title=title)
    x = alt.X("expected:Q", title=gettext("expected -log10 p", lang))
    band = base.mark_area(color=BAND).encode(x=x, y=alt.Y("low:Q", title=""), y2="high:Q")
    line = base.mark_line(color=INK, strokeDash=[4, 4]).encode(x=x, y=alt.Y("expected:Q", title=""))
    dots = base.mark_point(color=BLUE, filled=True, size=14).encode(
        x=x, y=alt.Y("observed:Q", title=gettext("observed", lang)), tooltip=["expected:Q", "observed:Q"]
    )
    drawn: Layers = alt.layer(band, line, dots).properties(height=300)
    return drawn


def row_plot(found: DeckResult, alpha: float) -> Layers:
    """Return each row's p, raw and adjusted, and the level below which it is a departure."""
    lang = shelf.language()
    holm = gettext("Holm", lang)
    values = [
        {"row": row.id, "sort": kind, "depth": round(depth(p), 4), "p": float(f"{p:.4g}")}
        for row in found.rows
        for kind, p in (("p", row.p), (holm, row.holm))
        if p is not None
    ]
    order = [row.id for row in found.rows]
    title = gettext("Rows of the battery: beyond the line lies a departure", lang)
    bars = (
        alt.Chart(alt.InlineData(values=values), title=title)
        .mark_bar()
        .encode(
            x=alt.X("depth:Q", title=gettext("-log10 p", lang)),
            y=alt.Y("row:N", sort=order, title=""),
            yOffset=alt.YOffset("sort:N", sort=["p", holm]),
            color=alt.Color("sort:N", title="", sort=["p", holm], scale=alt.Scale(range=[BAND, BLUE])),
            tooltip=["row:N", "sort:N", "p:Q"],
        )
    )
    level = alt.InlineData(values=[{"level": round(depth(alpha), 4)}])
    line = alt.Chart(level).mark_rule(color=RED, strokeDash=[4, 4]).encode(x="level:Q")
    drawn: Layers = alt.layer(bars, line).properties(height=300)
    return drawn


def depth(p: float) -> float:
    """Return -log10 of a p-value, as deep as is drawn."""
    return float(-np.log10(max(p, 10.0**-DEEPEST)))

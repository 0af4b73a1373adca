"""The report's plots, drawn by Matplotlib without a screen: pictures as bytes.

Colours are safe for colour-blind readers (blue to red for signs); every plot has its numbers in the tables as well.
"""

import io
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from scipy import stats

from viewer.batch.walls import WallCounts
from viewer.estimate.statistic import Row
from viewer.estimate.walls import kind_cells, tails
from viewer.fairness.deck import Deck

DPI: Final = 110
INK, BLUE, RED, BAND = "#222222", "#1f5fa8", "#b2182b", "#cfe0ef"


def _png(figure: Figure) -> bytes:
    FigureCanvasAgg(figure)
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=DPI, metadata={"Software": None})
    return data.getvalue()


def heat_map(deck: Deck, counts: WallCounts) -> bytes:
    """Draw tile x position: how far each count lies from its mean, in standard deviations, -4 to 4."""
    cells, copies = kind_cells(counts.cells, deck.kinds)
    n = deck.n
    share = copies[:, None] / n
    residual = (cells - counts.deals * share) / np.sqrt(counts.deals * share * (1 - share))
    figure = Figure(figsize=(11, max(2.6, 0.17 * len(deck.names) + 1.1)), layout="constrained")
    axes = figure.subplots()
    image = axes.imshow(residual, aspect="auto", cmap="RdBu_r", vmin=-4, vmax=4, interpolation="nearest")
    axes.set_yticks(range(len(deck.names)), deck.names, fontsize=7)
    axes.set_xlabel("position in the wall, 0 the first tile")
    axes.set_title(f"Kind x position: z residuals of {counts.deals} deals")
    figure.colorbar(image, ax=axes, pad=0.01, label="standard deviations")
    return _png(figure)


def cell_plot(deck: Deck, counts: WallCounts) -> bytes:
    """Draw the p-values of all kind-position cells against those expected, with a 95 % band (cells as independent)."""
    cells, copies = kind_cells(counts.cells, deck.kinds)
    found = np.sort(tails(cells, counts.deals, copies[:, None] / deck.n).ravel())
    many = len(found)
    ranks = np.arange(1, many + 1)
    expected = -np.log10(ranks / (many + 1))
    low, high = (-np.log10(stats.beta.ppf(at, ranks, many + 1 - ranks)) for at in (0.975, 0.025))
    observed = -np.log10(np.maximum(found, 1e-300))
    figure = Figure(figsize=(5.4, 4.2), layout="constrained")
    axes = figure.subplots()
    axes.fill_between(expected, low, high, color=BAND, label="95 % band")
    axes.plot(expected, expected, color=INK, linewidth=1, linestyle="--")
    axes.plot(expected, observed, ".", color=BLUE, markersize=4, label="cells")
    _qq_labels(axes, f"p-values of {many} kind-position cells")
    axes.set_ylim(0, max(6.0, min(20.0, float(observed.max()) + 0.5)))
    return _png(figure)


def row_plot(rows: Sequence[Row], alpha: float) -> bytes:
    """Draw each row's adjusted p and the level below which it is a finding."""
    tested = [row for row in rows if row.holm is not None]
    figure = Figure(figsize=(5.4, 4.2), layout="constrained")
    axes = figure.subplots()
    places = range(len(tested))
    raw = [_depth(row.p) for row in tested]
    holm = [_depth(row.holm) for row in tested]
    axes.barh(places, raw, height=0.7, color=BAND, label="raw")
    colours = [RED if row.holm is not None and row.holm <= alpha else BLUE for row in tested]
    axes.barh(places, holm, height=0.35, color=colours, label="Holm")
    axes.axvline(-np.log10(alpha), color=INK, linewidth=1, linestyle="--", label=f"alpha {alpha:g}")
    axes.set_yticks(places, [row.id for row in tested])
    axes.invert_yaxis()
    axes.set_xlim(0, max(4.0, min(20.0, max([*raw, *holm], default=0.0) + 0.5)))
    axes.set_xlabel("-log10 p")
    axes.set_title("Rows of the battery")
    axes.legend(loc="lower right", fontsize=8)
    return _png(figure)


def _depth(p: float | None) -> float:
    return float(-np.log10(max(p if p is not None else 1.0, 1e-300)))


def _qq_labels(axes: Any, title: str) -> None:  # noqa: ANN401  Matplotlib's axes
    axes.set_xlabel("expected -log10 p")
    axes.set_ylabel("observed")
    axes.set_title(title)
    axes.legend(loc="upper left", fontsize=8)

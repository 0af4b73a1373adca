"""Counts over many deals: exact integers that add (fairness.md 4).

The plain definitions of what the battery counts, and the exact numbers of ways of their nulls. A `Summary + Summary`
is the summary of both; whoever counts faster (`viewer/batch`) is tested equal to these.
"""

from engine.audit.dice import DiceRun
from engine.audit.layout import LAYOUTS, Layout, layout_of
from engine.audit.openings import FEATURES, Feature, OpeningSummary
from engine.audit.walls import LinkSummary, Summary, WallSummary, summarise

__all__ = [
    "FEATURES",
    "LAYOUTS",
    "DiceRun",
    "Feature",
    "Layout",
    "LinkSummary",
    "OpeningSummary",
    "Summary",
    "WallSummary",
    "layout_of",
    "summarise",
]

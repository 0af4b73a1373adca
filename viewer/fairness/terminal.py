"""The battery's result as text: a table of rows, then exact faults, alarms, power and what was not checkable."""

from collections.abc import Iterator
from textwrap import wrap

from viewer.estimate.statistic import Row, Statistic
from viewer.fairness.battery import DeckResult, Result
from viewer.fairness.generators import GENERATORS
from viewer.fairness.profiles import PROFILES

SHOWN = 20
"""Findings printed before the rest is counted only; --json has all."""

COLUMN = 34
"""Width of the column of statistics."""


def text(result: Result) -> str:
    """Return the whole result for a terminal of 100 columns or so."""
    return "\n".join(_lines(result))


def _lines(result: Result) -> Iterator[str]:
    plan = result.plan
    yield f"plan {plan.digest()[:16]} ({PROFILES[plan.profile].title}), family-wise alpha {plan.alpha:g}"
    yield "registered before" if result.registered else f"exploratory: {result.why_exploratory}"
    if plan.filters:
        yield f"only {', '.join(f'{name} {value}' for name, value in plan.filters.items())}"
    yield f"completeness: {result.completeness.replace('_', ' ')}" + (
        f" ({result.why_completeness})" if result.why_completeness else ""
    )
    if result.exact:
        compared = ", ".join(f"{count} {name}" for name, count in result.exact.items() if count)
        found = sum(each["row"] == "T0" for each in result.findings)
        yield f"T0 exact: {compared or 'nothing'} compared, {found or 'no'} finding{'' if found == 1 else 's'}"
    for deck in result.decks:
        yield ""
        yield from _deck(deck, plan.alpha)
    if result.findings:
        yield ""
    for finding in result.findings[:SHOWN]:
        yield f"✗ {finding['row']} {finding['code']}: {finding['where']}"
        yield f"    {finding['what']}"
    if len(result.findings) > SHOWN:
        yield f"… and {len(result.findings) - SHOWN} more findings (--json lists all)"
    for review in result.reviews[:SHOWN]:
        yield f"? {review['row']} {review['code']}: {review['where']}: {review['what']}"
    if result.unchecked or result.notes:
        yield ""
    yield from result.notes
    for why in result.unchecked:
        yield f"– not checkable: {why}"
    yield ""
    yield conclusion(result)


def _deck(found: DeckResult, alpha: float) -> Iterator[str]:
    tally, deck = found.tally, found.tally.deck
    dealt = f", dealt as {deck.layout.name}" if deck.layout else ""
    yield (
        f"deck of {deck.n} ({len(deck.names)} kinds{dealt}): {tally.hands} hands, {tally.walls} whole walls, "
        f"{len(tally.tables)} tables"
    )
    yield f"  {'':4}{'test':<45}{'n':>10}  {'strongest statistic':<{COLUMN}}{'p':>9}{'Holm':>9}{'q':>9}"
    for row in found.rows:
        yield from _row(row, alpha)
    if found.search is not None:
        hours = found.search.full_hours
        yield (
            f"  T14 seed attack: {found.search.seeds} seeds x {len(GENERATORS)} generators, "
            f"{len(found.search.hits)} hits" + (f"; all 2^32 of one wall: about {hours:.0f} h" if hours else "")
        )
        for window in found.search.windows:
            yield f"      {window['seed']} {window['first']} … {window['last']} ({window['sample']})"
    for alarm in found.alarms:
        if alarm.level:
            yield f"  T15 {alarm.name}: e {alarm.highest:.3g} ({alarm.level})"
    if found.alarms:
        loudest = max(alarm.highest for alarm in found.alarms)
        yield f"  T15 e-processes: {len(found.alarms)} streams, highest e {loudest:.3g} (100 review, 10000 page)"
    if found.questions:
        yield f"  least bias seen with power 0.9 (alpha {alpha:g}):"
    for question in found.questions:
        unit = " points" if question.question.startswith("win rate") else " %"
        yield f"      {question.question:<58}{question.test:<32}{100 * question.detectable:>9.3g}{unit}"
    if found.faults:
        seen = [fault.fault for fault in found.faults if fault.seen]
        blind = [fault.fault for fault in found.faults if not fault.seen]
        yield from _list(f"shufflers that {tally.walls} walls would show: ", seen)
        yield from _list("and would not: ", blind)


def _list(head: str, items: list[str]) -> Iterator[str]:
    """Set a list in lines."""
    yield from wrap(head + (", ".join(items) or "none of those known"), 98, initial_indent="  ",
                    subsequent_indent="      ")  # fmt: skip


def _row(row: Row, alpha: float) -> Iterator[str]:
    """Set a row in a line; a statistic too long for its column has the next one, whole."""
    if not row.statistics:
        yield f"– {row.id:<4}{row.name:<45}{row.n:>10}  {row.why}"
        return
    mark = "✗" if row.holm is not None and row.holm <= alpha else "✓"
    least = min(row.statistics, key=lambda each: each.p)
    assert row.p is not None
    told = shown(least)
    name, rest = (told, "") if len(told) < COLUMN else ("see below", told)
    yield (
        f"{mark} {row.id:<4}{row.name:<45}{row.n:>10}  {name:<{COLUMN}}"
        f"{number(row.p):>9}{number(row.holm):>9}{number(row.q):>9}"
    )
    if rest:
        yield f"      {rest}"


def shown(statistic: Statistic) -> str:
    """Return a statistic in a few words."""
    value = f"{statistic.value:.5g}"
    if statistic.df is not None:
        value += f" (df {statistic.df})"
    return f"{statistic.name} {value}"


def number(value: float | None) -> str:
    """Return a p-value in at most eight signs."""
    if value is None:
        return ""
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}"


def conclusion(result: Result) -> str:
    """Return the last line: never more than was checked, and never that anything is fair."""
    if result.verdict == "departure found":
        return f"DEPARTURE FOUND: {len(result.findings)} findings"
    if result.verdict == "inconclusive":
        return f"INCONCLUSIVE: the log is not complete ({result.why_completeness})"
    if result.verdict == "not checkable":
        return "not checkable: no deal that could be counted"
    tested = sum(bool(row.statistics) for deck in result.decks for row in deck.rows)
    if not tested:
        return "no departure found by T0 (exact); every other test needs more deals than these"
    return f"no departure found in {tested} tests; see the power table for what this sample could not show"

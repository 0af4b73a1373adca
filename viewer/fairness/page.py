"""The battery's result as one HTML file that needs nothing else: tables, plots as pictures, the result as JSON.

Names from logs are escaped everywhere; the page runs no script. The embedded JSON is what `--json` prints.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

from viewer.fairness import plots
from viewer.fairness.battery import DeckResult, Result
from viewer.fairness.generators import GENERATORS
from viewer.fairness.profiles import PROFILES
from viewer.fairness.terminal import conclusion, number
from viewer.translate import bilingual, side_by_side

STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, "Noto Sans CJK SC", sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0 1.5rem; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .25rem .6rem; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.bad td { background: #b2182b22; }
img { max-width: 100%; height: auto; background: #fff; }
.verdict { border-left: .4rem solid #1f5fa8; padding: .6rem 1rem; background: #8881; font-size: 1.1rem; }
.verdict.found { border-color: #b2182b; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; }
code { overflow-wrap: anywhere; }
"""
SAID = (
    "Supporting evidence, not a laboratory's certificate. What is tested is listed before it is seen; a result without "
    "a registered plan is exploratory. No test can show that a shuffler is fair, only that this sample shows no "
    "departure of the size in the power table. Names of demands are paraphrased: check the primary text."
)
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
HEADS = (("row", ""), ("test", ""), ("n", "n"), ("statistic", ""), ("value", "n"), ("null", ""), ("p", "n"),
         ("row p", "n"), ("Holm", "n"), ("q", "n"))  # fmt: skip
LEAST_DRAWN = 1
"""Deals from which on the plots are drawn."""


def page(result: Result) -> str:
    """Return the report as HTML."""
    plan = result.plan
    found = "found" if result.exit else ""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_both('Fairness report')}: {escape(', '.join(result.targets))}</title>",
        f"<style>{STYLE}</style></head><body>",
        f"<h1>{_both('Fairness report')}</h1>",
        f'<p class="verdict {found}"><strong>{escape(conclusion(result))}</strong></p>',
        f"<p>{escape(SAID)}</p>",
        _table(("what", "value"), _about(result)),
        f"<h2>{_both('Findings')}</h2>",
        _listed(result.findings, "none"),
        f"<h2>{_both('To review')}</h2>",
        _listed(result.reviews, "none"),
        f"<h2>{_both('Not checkable')}</h2>",
        _table(("what and why",), [(why,) for why in [*result.unchecked, *result.too_few]] or [("nothing",)]),
        f"<h2>{_both('Notes')}</h2>",
        _table(("note",), [(note,) for note in result.notes] or [("none",)]),
        f"<h2>{escape(PROFILES[plan.profile].title)}</h2>",
        _demands(result),
    ]
    for deck in result.decks:
        parts += _deck(deck, plan.alpha)
    embedded = json.dumps(result.as_json(), ensure_ascii=False).replace("<", "\\u003c")
    parts.append(f'<script type="application/json" id="result">{embedded}</script></body></html>')
    return "\n".join(parts) + "\n"


def _both(message: str) -> str:
    return escape(side_by_side(bilingual(message)))


def _about(result: Result) -> list[Sequence[object]]:
    plan = result.plan
    return [
        ("targets", ", ".join(result.targets)),
        ("games", result.games),
        ("plan (SHA-256)", plan.digest()),
        ("registered before", "yes" if result.registered else f"no: {result.why_exploratory}"),
        ("rows on the list", ", ".join(plan.tests)),
        ("family-wise alpha, correction", f"{plan.alpha:g}, Holm (q: Benjamini-Hochberg)"),
        ("filter", ", ".join(f"{name} {value}" for name, value in plan.filters.items()) or "none"),
        ("seed of permutations and ties", plan.seed),
        ("completeness", f"{result.completeness.replace('_', ' ')} {result.why_completeness}"),
        ("T0 compared", ", ".join(f"{count} {name}" for name, count in result.exact.items()) or "not on the list"),
    ]


def _demands(result: Result) -> str:
    """Say for each demand of the profile which rows answer it and how they stand."""
    standing: dict[str, str] = {}
    for deck in result.decks:
        for row in deck.rows:
            if row.statistics:
                bad = any(finding["row"] == row.id for finding in result.findings)
                standing[row.id] = "departure" if bad or standing.get(row.id) == "departure" else "no departure"
            else:
                standing.setdefault(row.id, "not checkable")
    for key in ("T0", "T14", "T15"):
        if result.plan.chosen(key):
            hit = any(finding["row"] == key for finding in result.findings)
            standing[key] = "departure" if hit else "no departure"
    rows = []
    for asked, ours in PROFILES[result.plan.profile].demands:
        answer = ", ".join(f"{key} {standing.get(key, 'not on the list')}" for key in ours)
        rows.append((asked, answer or "not in this battery"))
    return _table(("asked for (paraphrased)", "our rows"), rows)


def _deck(found: DeckResult, alpha: float) -> list[str]:
    tally, deck = found.tally, found.tally.deck
    dealt = f", dealt as {deck.layout.name}" if deck.layout else ""
    heads = "".join(f'<th class="{kind}">{head}</th>' for head, kind in HEADS)
    digest = tally.counts.summary().digest()
    size = f"{tally.hands} hands, {tally.walls} whole walls, {len(tally.tables)} tables"
    parts = [
        f"<h2>Deck of {deck.n} ({len(deck.names)} kinds{escape(dealt)})</h2>",
        f"<p>{size}. Counts (SHA-256): <code>{digest}</code></p>",
        f"<table><thead><tr>{heads}</tr></thead><tbody>",
    ]
    for row in found.rows:
        bad = ' class="bad"' if row.holm is not None and row.holm <= alpha else ""
        if not row.statistics:
            parts.append(
                f"<tr><td>{row.id}</td><td>{escape(row.name)}</td><td class=n>{row.n}</td>"
                f"<td colspan=7>not checkable: {escape(row.why)}</td></tr>"
            )
        for place, each in enumerate(row.statistics):
            head = (row.id, row.name, row.n) if not place else ("", "", "")
            tail = (number(row.p), number(row.holm), number(row.q)) if not place else ("", "", "")
            null = f"chi-square, df {each.df}" if each.df is not None else each.null
            parts.append(
                f"<tr{bad}><td>{head[0]}</td><td>{escape(str(head[1]))}</td><td class=n>{head[2]}</td>"
                f"<td>{escape(each.name)}</td><td class=n>{each.value:.6g}</td><td>{escape(null)}</td>"
                f"<td class=n>{number(each.p)}</td>" + "".join(f"<td class=n>{cell}</td>" for cell in tail) + "</tr>"
            )
    parts.append("</tbody></table>")
    if tally.walls >= LEAST_DRAWN:
        counts = tally.counts.walls
        parts.append(_picture(plots.heat_map(deck, counts), "Heat map of kind by position: z residuals"))
        parts.append('<div class="pair">')
        parts.append(_picture(plots.cell_plot(deck, counts), "Observed against expected p-values of the cells"))
        parts.append(_picture(plots.row_plot(found.rows, alpha), "p-values of the rows"))
        parts.append("</div>")
    if found.search is not None:
        parts += ["<h3>T14 seed attack</h3>", _search(found)]
    if found.alarms:
        parts += [
            "<h3>T15 e-processes (100 review, 10,000 page)</h3>",
            _table(("stream", "n", "e now", "highest e", "alarm"),
                   [(each.name, each.n, f"{each.e:.3g}", f"{each.highest:.3g}", each.level) for each in found.alarms]),
        ]  # fmt: skip
    parts += [
        "<h3>Power: the least relative bias seen with power 0.9</h3>",
        _table(("question", "test", "n", "detectable"),
               [(each.question, each.test, each.n, f"{100 * each.detectable:.3g} %") for each in found.questions]),
        "<h3>Faulty shufflers</h3>",
        _table(("shuffler", "best test here", "deals for power 0.9", "this sample shows it"),
               [(each.fault, each.test, f"{each.deals:.3g}", "yes" if each.seen else "no") for each in found.faults]),
    ]  # fmt: skip
    return parts


def _search(found: DeckResult) -> str:
    search = found.search
    assert search is not None
    hours = search.full_hours
    rows: list[Sequence[object]] = [
        (window["sample"], window["seed"], window["first"], window["last"]) for window in search.windows
    ]
    said = (
        f"<p>{search.seeds} seeds, each with {', '.join(escape(each.name) for each in GENERATORS)}, every bounded draw "
        f"and direction: {len(search.hits)} hits."
        + (f" All 2<sup>32</sup> seeds of one wall would take about {hours:.0f} hours like this." if hours else "")
        + "</p>"
    )
    hits: list[Sequence[object]] = [
        (hit.sample, hit.generator, hit.draw, hit.direction, hit.seed, hit.meaning) for hit in search.hits
    ]
    table = _table(("wall", "seeds mean", "first", "last"), rows)
    return said + table + (_table(("wall", "generator", "draw", "direction", "seed", "meaning"), hits) if hits else "")


def _listed(entries: Sequence[dict[str, str]], nothing: str) -> str:
    if not entries:
        return f"<p>{nothing}</p>"
    rows = [(each["row"], each["code"], each["where"], each["what"]) for each in entries]
    return _table(("row", "code", "where", "what"), rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _picture(data: bytes, alt: str) -> str:
    return f'<p><img alt="{escape(alt)}" src="data:image/png;base64,{b64encode(data).decode()}"></p>'

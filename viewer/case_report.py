"""The report of a case: one HTML file that needs nothing else, in Chinese and English at once.

Tiles are inline; the events stand in it byte for byte, so that the game can be verified from the report alone. Log
hash, versions and verdict are in the margin of every printed page and at the foot of every section on a screen. No
script runs in it, and whatever players or servers wrote is escaped. The PDF is the same HTML, by WeasyPrint.
"""

import base64
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from html import escape
from pathlib import Path

import orjson

from engine.events import canonical, load
from ledger.errors import Unavailable
from viewer.case_bundle import Gathered, events, payments
from viewer.clauses import find
from viewer.clocks import CLOCKS
from viewer.names import shown
from viewer.translate import bilingual, side_by_side
from viewer.views import Frame, SeatView
from viewer.words import term

SPRITE = Path(__file__).parent / "table" / "tiles.svg"
SYMBOL = re.compile(r'<symbol id="t-([^"]+)" viewBox="([^"]+)">(.*?)</symbol>', re.DOTALL)
LATEST_MS = 253_402_300_799_000
STYLE = """
@page { size: A4; margin: 18mm 14mm 20mm; @bottom-left { content: %(foot)s; font: 6.5pt monospace; }
  @bottom-right { content: counter(page) "/" counter(pages); font: 7pt sans-serif; } }
body { font: 11pt/1.45 "Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif;
  color: #1b2233; background: #fff; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; border-bottom: 1px solid #8d8468; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%%; font-size: .85rem; } th { text-align: left; }
td, th { border-bottom: 1px solid #ddd; padding: .2rem .4rem; vertical-align: top; overflow-wrap: anywhere; }
tr.here { outline: 2px solid #b3201b; } .bad { color: #9b1c17; font-weight: 600; }
.good { color: #145a32; font-weight: 600; }
code, pre { font-family: "Noto Sans Mono CJK SC", monospace; font-size: .72rem; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; } section > footer { font: .65rem monospace; color: #555; margin-top: .6rem; }
.tile { display: inline-block; width: 1.35rem; height: 1.8rem; background-size: 100%% 100%%; margin: 0 1px;
  vertical-align: middle; } .set { margin-left: .5rem; } .off { outline: 1px dashed #8d8468; }
@media print { section > footer { display: none; } }
"""


@cache
def drawings() -> dict[str, str]:
    """Return each tile's drawing as a data URL."""
    found = {}
    for code, box, body in SYMBOL.findall(SPRITE.read_text(encoding="utf-8")):
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{body}</svg>'
        found[code] = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
    return found


def _tile(code: str, extra: str = "") -> str:
    if code not in drawings():
        return f"<span>{escape(shown(code))}</span>"
    return f'<span class="tile t-{code}{extra}" role="img" aria-label="{code}" title="{code}"></span>'


def _tiles(codes: Iterable[str]) -> str:
    return "".join(_tile(code) for code in codes)


def report(gathered: Gathered) -> str:
    """Return the report as one HTML text."""
    body = "\n".join(
        f"<section>{part}<footer>{escape(_foot(gathered))}</footer></section>"
        for part in (
            _cover(gathered),
            _findings(gathered),
            _table(gathered),
            _payments(gathered),
            _events(gathered),
            _log(gathered),
        )
    )
    used = set(re.findall(r'class="tile t-([^ "]+)', body))
    pictures = "\n".join(f".t-{code}{{background-image:url({drawings()[code]})}}" for code in sorted(used))
    foot = '"' + re.sub(r'["\\\n]', " ", _foot(gathered)) + '"'
    title = f"{_both('Dispute report')} · {escape(gathered.case.id)}"
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        f'<!DOCTYPE html>\n<html lang="zh-Hans"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<style>{STYLE % {'foot': foot}}{pictures}</style></head>\n<body><h1>{title}</h1>\n{body}\n"
        f'<script type="application/x-ndjson" id="events">{_embedded(gathered.lines)}</script>\n'
        f'<script type="application/x-ndjson" id="case">{_embedded(gathered.case_lines)}</script>\n</body></html>\n'
    )


def report_pdf(gathered: Gathered) -> bytes:
    """Return the report as PDF; Unavailable where the extra `pdf` is not installed."""
    try:
        from weasyprint import HTML
    except ImportError:
        raise Unavailable("PDF", "needs the extra `pdf` (WeasyPrint)") from None
    html = re.sub(r"<script.*?</script>", "", report(gathered), flags=re.DOTALL)
    data: bytes = HTML(string=html).write_pdf(pdf_identifier=gathered.case.id.encode())
    return data


def _embedded(lines: Iterable[bytes]) -> str:
    """Return events for a script element that never runs: JSON in ASCII, so that nothing in it is markup."""
    return "\n".join(json.dumps(load(line), sort_keys=True).replace("<", "\\u003c") for line in lines)


def embedded(html: str, name: str = "events") -> list[bytes]:
    """Return the events of a report, bytes as stored: each line read as JSON and written in its canonical form."""
    found = re.search(rf'<script type="application/x-ndjson" id="{name}">(.*?)</script>', html, re.DOTALL)
    return [] if found is None else [canonical(orjson.loads(line)) for line in found[1].split("\n")]


def _foot(gathered: Gathered) -> str:
    facts = gathered.facts
    log = f"{facts.get('log_origin', '?')} {facts.get('log_size', '?')} {facts.get('log_root', '?')}"
    return f"log {log} · {facts['engine']} · rules {facts['rules'][:16]} · {facts['verdict']}"


def _both(message: str) -> str:
    """Return a message in Chinese and English, in one line of HTML."""
    return escape(side_by_side(bilingual(message)))


def _head(title: str) -> str:
    return f"<h2>{title}</h2>"


def _moment(at: int) -> str:
    return datetime.fromtimestamp(min(at, LATEST_MS) // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    return "<table>" + "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows) + "</table>"


def _words(gathered: Gathered, commitment: str) -> str:
    kept = gathered.texts.get(commitment)
    words = _both("(erased or left out)") if kept is None else escape(shown(kept[1], 4000))
    return f"{words}<br><code>{commitment}</code>"


def _cover(gathered: Gathered) -> str:
    case = gathered.case
    assert case.opened is not None
    subject = case.opened.subject
    clock = CLOCKS.get(case.opened.jurisdiction)
    named = escape(shown(case.opened.jurisdiction)) if clock is None else _both(clock.title)
    rules = gathered.picture["rules_name"]
    rows = [
        (_both("Case"), escape(case.id)),
        (_both("Game"), f"{escape(subject.game)} · {escape(rules['zh'])} · {escape(rules['en'])}"),
    ]
    if subject.hand is not None:
        rows.append((_both("Hand"), str(subject.hand)))
    if subject.seq is not None:
        rows.append((_both("Event"), str(subject.seq)))
    rows += [
        (_both("Players"), " · ".join(escape(shown(player)) for player in gathered.picture["players"])),
        (_both("Opened"), f"{_moment(case.opened.at)} · {escape(shown(case.opened.by))}"),
        (_both("Due"), f"{_moment(case.opened.due)} · {named}"),
        (_both("Claim"), _words(gathered, case.opened.claim)),
    ]
    for said in case.verdicts:
        rows.append((_both("Verdict as logged"), f"{said.outcome} · {escape(shown(said.engine))}"))
    for each in case.evidence:
        rows.append((_both("Evidence"), f"{escape(each.name)} <code>{each.sha256}</code> ({each.size} bytes)"))
    for ruling in case.decisions:
        who = f"{_moment(ruling.at)} · {escape(shown(ruling.by))}"
        rows.append((_both("Decision"), f"<b>{ruling.outcome}</b> · {who}<br>{_words(gathered, ruling.reason)}"))
    if case.closed is not None:
        rows.append((_both("Closed"), f"{_moment(case.closed.at)} · {escape(shown(case.closed.by))}"))
    return _head(_both("Case")) + _rows(rows)


def _findings(gathered: Gathered) -> str:
    said = gathered.judgement
    sign, kind = {"holds": ("✓", "good"), "failed": ("✗", "bad")}.get(said.outcome, ("–", ""))
    outcome = escape(side_by_side(term("statuses", said.outcome)))
    parts = [f"{_head(_both('Verdict of the engine'))}<p class='{kind}'>{sign} {outcome}</p>"]
    for each in said.findings[:50]:
        clause = find(each.clause) or {"en": each.clause, "zh": each.clause}
        parts.append(
            f"<h3 class='bad'>✗ {escape(each.code)} · {escape(each.clause)} · #{each.seq}</h3>"
            f"<p>{escape(clause['zh'])}<br>{escape(clause['en'])}</p>"
            + _rows(
                [(_both("Expected"), f"<code>{escape(str(each.expected))}</code>"),
                 (_both("Found"), f"<code>{escape(str(each.found))}</code>")]
            )
        )  # fmt: skip
    if len(said.findings) > 50:
        parts.append(f"<p>+ {len(said.findings) - 50}</p>")
    parts += [f"<p>– {escape(lacking.code)}: {escape(lacking.why)}</p>" for lacking in said.unchecked]
    return "".join(parts)


def _disputed(gathered: Gathered) -> Frame | None:
    """Return the frame of the disputed event, or the last one of the disputed hand, or of the game."""
    assert gathered.case.opened is not None
    subject, drawn = gathered.case.opened.subject, gathered.picture["frames"]
    if subject.seq is not None and subject.seq < len(drawn):
        return drawn[subject.seq]
    among = [frame for frame in drawn if frame["winds"] and subject.hand in {None, frame["hand"]}]
    return among[-1] if among else None


def _table(gathered: Gathered) -> str:
    frame = _disputed(gathered)
    if frame is None:
        return _head(_both("Table")) + "<p>–</p>"
    rows = []
    for seat, view in enumerate(frame["seats"]):
        player = frame["players"][seat] if seat < len(frame["players"]) else "?"
        wind = term("winds", view["wind"])
        name = f"{escape(wind['zh'])} {escape(wind['en'])}<br>{escape(shown(player))}"
        rows.append((name, _seat(view)))
    said = f"<p>{escape(shown(frame['words']['zh'], 400))}<br>{escape(shown(frame['words']['en'], 400))}</p>"
    return _head(f"{_both('Table')} · #{frame['seq']}") + f"{said}{_rows(rows)}"


def _seat(view: SeatView) -> str:
    parts = [_tiles(view["hand"])]
    if "drawn" in view:
        parts.append(f'<span class="set">{_tile(view["drawn"])}</span>')
    parts += [f'<span class="set">{_tiles(meld["tiles"])}</span>' for meld in view["melds"]]
    if view["flowers"]:
        parts.append(f'<span class="set">{_tiles(view["flowers"])}</span>')
    pond = "".join(_tile(each["tile"], " off" if "taken" in each or "won" in each else "") for each in view["discards"])
    return f"<div>{''.join(parts)}</div><div>{pond}</div>"


def _payments(gathered: Gathered) -> str:
    rows = "".join(
        f"<tr><td>{row['hand']}</td><td>#{row['seq']}</td><td>{row['payer']} → {row['payee']}</td>"
        f"<td>{row['amount']}</td><td>{escape(row['reason'])}</td><td>{escape(row['clause'])}</td></tr>"
        for row in payments(gathered.picture)
    )
    heads = (_both("Hand"), _both("Event"), _both("Payer → payee"), _both("Points"), _both("Reason"), _both("Clause"))
    return _head(_both("Settlement")) + f"<table><tr>{''.join(f'<th>{each}</th>' for each in heads)}</tr>{rows}</table>"


def _events(gathered: Gathered) -> str:
    """List the events of the disputed hand, of the whole game where none is named."""
    assert gathered.case.opened is not None
    subject = gathered.case.opened.subject
    wrong = {each.seq for each in gathered.judgement.findings}
    rows = []
    for row in events(gathered):
        if subject.hand is not None and row["hand"] != subject.hand:
            continue
        mark = " class='here'" if row["seq"] == subject.seq else ""
        sign = "<span class='bad'>✗</span> " if row["seq"] in wrong else ""
        rows.append(
            f"<tr{mark}><td>{sign}{row['seq']}</td><td>{escape(shown(row['zh'], 400))}<br>"
            f"{escape(shown(row['en'], 400))}</td><td><code>{row['leaf'][:16]}…</code></td></tr>"
        )
    return _head(_both("Events")) + f"<table>{''.join(rows)}</table>"


def _log(gathered: Gathered) -> str:
    rows = [(escape(name), f"<code>{escape(value)}</code>") for name, value in gathered.facts.items()]
    rows += [
        (escape(name), f"<pre>{escape(data.decode(errors='replace'))}</pre>")
        for name, kind, data in gathered.proofs
        if kind in {"checkpoint", "receipt", "policy", "missing"}
    ]
    note = bilingual(
        "The events of the whole game stand in this file (element `events`), one JSON object a line; save them as "
        "FILE.paipu.jsonl and run `paipu verify FILE.paipu.jsonl`."
    )
    return f"{_head(_both('Log'))}{_rows(rows)}<p>{escape(note['zh'])}<br>{escape(note['en'])}</p>"

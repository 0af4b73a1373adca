"""The text table of a frame, for a terminal of 100 columns: a pure function from a view model to a string.

Tiles are codes in English (`3m`, `E`), names in Chinese (三万, 东). `°` marks a discard as drawn, `→` who took it,
`[ ]` the claimed tile of a set. Nothing is marked by colour, so the text can be piped and read aloud.
"""

from collections.abc import Iterable, Sequence

from viewer import names, words
from viewer.translate import both, gettext, ngettext, number, pgettext, signed
from viewer.views import DiscardView, FindingView, Frame, MeldView, SeatView, SettlementView, WindowView
from viewer.words import term

COLUMNS = 100
INNER = COLUMNS - 4
LABEL = 10


def picture(frame: Frame, *, lang: str = "en") -> str:
    """Return the table of a frame in `lang` (en or zh), lines joined by newlines, none wider than 100 columns."""
    rows = [_top(frame, lang), *_boxed(_event(frame, lang))]
    for seat in range(len(frame["seats"])):
        rows += [_rule(), *_boxed(_seat(frame, seat, lang))]
    if "window" in frame:
        rows += [_rule(), *_boxed(_window(frame, frame["window"], lang))]
    if "settlement" in frame:
        rows += [_rule(gettext("Settlement", lang)), *_boxed(_settlement(frame, frame["settlement"], lang))]
    for finding in frame.get("findings", ()):
        rows += [_rule(gettext("finding", lang)), *_boxed(_finding(finding, lang))]
    return "\n".join([*rows, "└" + "─" * (COLUMNS - 2) + "┘"])


def _top(frame: Frame, lang: str) -> str:
    if frame["hand"] < 0:
        left, right = gettext("Opening", lang), ""
    else:
        left = gettext("Hand {number}", lang, number=str(frame["hand"]))
        if frame["round_wind"]:
            left += f" · {gettext('{wind} round', lang, wind=term('winds', frame['round_wind']))}"
        wall = gettext("wall {count} left", lang, count=frame["left"])
        notes = [both(frame["note"], lang)] if "note" in frame else []
        right = " · ".join([*notes, *([wall] if frame["winds"] else [])])
    space = COLUMNS - 6 - names.width(left) - names.width(right) - (2 if right else 0)
    return f"┌─ {left} {'─' * space}{' ' + right + ' ' if right else ''}─┐"


def _rule(title: str = "") -> str:
    if not title:
        return "├" + "─" * (COLUMNS - 2) + "┤"
    return f"├─ {title} " + "─" * (COLUMNS - 5 - names.width(title)) + "┤"


def _boxed(lines: Iterable[str]) -> list[str]:
    return ["│ " + line + " " * (INNER - names.width(line)) + " │" for each in lines for line in _wrapped(each)]


def _wrapped(line: str) -> list[str]:
    """Break a line at spaces; what follows is set in as far as the line's own label."""
    if names.width(line) <= INNER:
        return [line]
    indent = " " * (LABEL + 2)
    rows, row = [], ""
    for word in line.split(" "):
        for piece in _pieces(word):
            candidate = f"{row} {piece}" if row.strip() else f"{row}{piece}" if piece or not row else f"{row} "
            if names.width(candidate) > INNER and row.strip():
                rows.append(row)
                candidate = indent + piece
            row = candidate
    return [*rows, row]


def _pieces(word: str) -> list[str]:
    """Cut a word that no line holds (a hash, a name of one word)."""
    room = INNER - LABEL - 2
    pieces = []
    while names.width(word) > room:
        at = len(word)
        while names.width(word[:at]) > room:
            at -= 1
        pieces.append(word[:at])
        word = word[at:]
    return [*pieces, word]


def _event(frame: Frame, lang: str) -> list[str]:
    lines = [f"#{frame['seq']}  {names.shown(both(frame['words'], lang), 400)}"]
    if frame["standing"] == "recorded":
        lines.append(f"! {gettext('after the first fault: shown as recorded, not replayed', lang)}")
    return lines


def _tile(code: str, lang: str) -> str:
    if lang != "zh":
        return code
    return both(words.term("winds", code), "zh") if code in words.WINDS else both(words.tile(code), "zh")


def _tiles(codes: Sequence[str], lang: str) -> str:
    return " ".join(_tile(code, lang) for code in codes)


def _wind(frame: Frame, seat: int, lang: str) -> str:
    return both(words.seat(seat, frame["winds"]), lang)


def _named(text: str) -> str:
    return "  " + text + " " * (LABEL - names.width(text))


def _seat(frame: Frame, number: int, lang: str) -> list[str]:
    view: SeatView = frame["seats"][number]
    player = names.shown(frame["players"][number]) if number < len(frame["players"]) else "?"
    marks = [gettext("dealer", lang)] if number == frame["dealer"] else []
    if number == frame["turn"]:
        marks.append(gettext("to act", lang))
    if "note" in view:
        marks.append(both(view["note"], lang))
    score = signed(frame["scores"][number], lang)
    head = f"{'▶' if number == frame['turn'] else ' '} {_wind(frame, number, lang)}  {player}  {score}"
    lines = [head + (f"  ({', '.join(marks)})" if marks else "")]
    concealed = _tiles(view["hand"], lang)
    if "drawn" in view:
        concealed += f"  + {_tile(view['drawn'], lang)}"
    if "win" in view:
        concealed += f"  ★ {_tile(view['win'], lang)} ({gettext('winning tile', lang)})"
    lines.append(_named(pgettext("tiles", "hand", lang)) + (concealed or "–"))
    if view["melds"]:
        lines.append(_named(gettext("melds", lang)) + "  ·  ".join(_meld(frame, meld, lang) for meld in view["melds"]))
    if view["flowers"]:
        lines.append(_named(gettext("flowers", lang)) + _tiles(view["flowers"], lang))
    if view["discards"]:
        lines.append(
            _named(gettext("discards", lang)) + " ".join(_discard(frame, each, lang) for each in view["discards"])
        )
    return lines


def _meld(frame: Frame, meld: MeldView, lang: str) -> str:
    tiles = [_tile(code, lang) for code in meld["tiles"]]
    source = ""
    if "claimed" in meld and "source" in meld:
        tiles[meld["claimed"]] = f"[{tiles[meld['claimed']]}]"
        source = f" ←{_wind(frame, meld['source'], lang)}"
    pending = "?" if meld.get("pending") else ""
    return f"{both(term('melds', meld['kind']), lang)}{pending} {' '.join(tiles)}{source}"


def _discard(frame: Frame, discard: DiscardView, lang: str) -> str:
    text = _tile(discard["tile"], lang) + ("°" if discard.get("drawn") else "")
    if discard.get("won"):
        return f"★{text}"
    if "taken" in discard:
        wind = frame["winds"][discard["taken"]]
        return f"{text}→{both(term('winds', wind), 'zh') if lang == 'zh' else wind}"
    return text


def _window(frame: Frame, window: WindowView, lang: str) -> list[str]:
    lines = []
    for asked in window["asked"]:
        may = "/".join(both(term("answers", word), lang) for word in asked["may"])
        answer = f"  →  {both(term('answers', asked['answer']), lang)}" if "answer" in asked else "  …"
        who = _wind(frame, asked["seat"], lang)
        lines.append(f"? {who}: {gettext('may', lang)} {may} {_tile(window['tile'], lang)}{answer}")
    return lines


def _settlement(frame: Frame, settlement: SettlementView, lang: str) -> list[str]:
    lines = [f"  {both(fact, lang)}" for fact in settlement.get("outcome", [])]
    for winner in settlement["winners"]:
        parts = [
            both(each["name"], lang)
            + (f" {each['worth']} {both(term('units', each.get('unit', '')), lang)}" if "worth" in each else "")
            for each in winner["patterns"]
        ]
        total = ngettext("{count} point", "{count} points", winner["points"], lang)
        if "tai" in winner:
            total = f"{winner['tai']} {both(term('units', 'tai'), lang)}, {total}"
        lines.append(f"★ {_wind(frame, winner['seat'], lang)}: {' + '.join(parts) or '–'}  =  {total}")
    for line in settlement["lines"]:
        payer, payee = _wind(frame, line["payer"], lang), _wind(frame, line["payee"], lang)
        reason = both(line["reason"], lang)
        lines.append(
            f"  {payer} → {payee}  {number(line['amount'], lang)}  {reason}  [{names.shown(line['clause'], 80)}]"
        )
    if not settlement["lines"] and not any(settlement["payments"]):
        lines.append(f"  {gettext('Nobody pays.', lang)}")
    paid = "   ".join(
        f"{_wind(frame, seat, lang)} {signed(amount, lang)}" for seat, amount in enumerate(settlement["payments"])
    )
    return [*lines, f"  {gettext('this hand', lang)}: {paid}"]


def _finding(finding: FindingView, lang: str) -> list[str]:
    level = gettext("Level {number}", lang, number=str(finding["level"]))
    lines = [f"✗ {level}  {finding['code']}  [{names.shown(finding['clause'], 80)}]"]
    if "text" in finding:
        lines.append(f"  {both(finding['text'], lang)}")
    for name, value in ((gettext("Expected", lang), finding["expected"]), (gettext("Found", lang), finding["found"])):
        lines.append(_named(name) + names.shown(str(value), 400))
    return lines

"""A riichi record written as an mjlog (`tenhou` reads it): tags, attributes and their order as Tenhou writes them."""

from collections.abc import Iterable

from engine.errors import EventError
from engine.formats.riichi import Act, Drawn, RiichiHand, RiichiRecord, Win
from engine.formats.tenhou_meld import encode

DRAWS, DISCARDS = "TUVW", "DEFG"
REASONS = {"nm": "nagashi", "yao9": "nine_terminals", "kaze4": "four_winds", "reach4": "four_riichi",
           "kan4": "four_kongs", "ron3": "three_rons"}  # fmt: skip
"""Our reason of each `RYUUKYOKU type`."""
WORDS = {reason: word for word, reason in REASONS.items()}


def write(record: RiichiRecord) -> str:
    """Write an mjlog. What only an mjlog says (grades, ratings) is left out where the record lacks it.

    Raises EventError where a result lacks what an mjlog must say of it (records of other formats).
    """
    about = record.about
    lobby = "" if record.lobby is None else f' lobby="{record.lobby}"'
    names = " ".join(f'n{seat}="{name}"' for seat, name in enumerate((*record.names, "")[:4]))
    shuffle = f'<SHUFFLE seed="{record.seed}" ref="{about.get("SHUFFLE", {}).get("ref", "")}"/>'
    by_hand = any(hand.shuffle for hand in record.hands)
    extra = "".join(f' {name}="{value}"' for name, value in about.get("UN", {}).items())
    parts = [
        f'<mjloggm ver="{about.get("mjloggm", {}).get("ver", "2.3")}">',
        "" if by_hand and not record.seed else shuffle,
        f'<GO type="{record.type}"{lobby}/>',
        f"<UN {names}{extra}/>",
        '<TAIKYOKU oya="0"/>',
        *(_act(act, record) for act in record.before),
    ]
    for number, hand in enumerate(record.hands):
        parts += _hand(record, hand, last=number == len(record.hands) - 1)
        parts += [_act(act, record) for act in hand.after]
    return "".join([*parts, "</mjloggm>"])


def _hand(record: RiichiRecord, hand: RiichiHand, *, last: bool) -> list[str]:
    dice = hand.dice or (0, 0)
    seed = _join([hand.round, hand.honba, hand.deposits, *dice, hand.dora])
    tiles = " ".join(f'hai{seat}="{_join(held)}"' for seat, held in enumerate((*hand.hands, ())[:4]))
    own = f' shuffle="{hand.shuffle}"' if hand.shuffle else ""
    parts = [f'<INIT seed="{seed}" ten="{_hundreds(hand.scores)}" oya="{hand.dealer}" {tiles}{own}/>']
    parts += [_act(act, record) for act in hand.acts]
    ends = [_win(win) for win in hand.wins] or ([_draw(hand.drawn)] if hand.drawn is not None else [])
    if ends and last and record.ended and record.final is not None and record.results is not None:
        ends[-1] = ends[-1].removesuffix(" />") + f' owari="{_over(record, record.final, record.results)}" />'
    return parts + ends


def _over(record: RiichiRecord, final: tuple[int, ...], results: tuple[int, ...]) -> str:
    """Write the end of the game: with the words that were read where they say the same (until 2009: whole numbers)."""
    said = [f"{score // 100},{_one_decimal(result)}" for score, result in zip(final, results, strict=True)]
    due = ",".join([*said, "0,0.0"][:4])
    words = record.about.get("owari", {}).get("words", "")
    same = [word.removesuffix(".0") for word in words.split(",")] == [
        word.removesuffix(".0") for word in due.split(",")
    ]
    return words if same or "chips" in record.about else due


def _act(act: Act, record: RiichiRecord) -> str:
    if act.kind == "draw":
        return f"<{DRAWS[act.seat]}{act.tile}/>"
    if act.kind == "discard":
        return f"<{DISCARDS[act.seat]}{act.tile}/>"
    if act.kind == "riichi":
        return f'<REACH who="{act.seat}" step="1"/>'
    if act.kind == "deposit":
        scores = f' ten="{_hundreds(act.scores)}"' if act.scores else ""
        return f'<REACH who="{act.seat}"{scores} step="2"/>'
    if act.kind == "dora":
        return f'<DORA hai="{act.tile}" />'
    if act.kind == "away":
        return f'<BYE who="{act.seat}" />'
    if act.kind == "back":
        return f'<UN n{act.seat}="{record.names[act.seat]}"/>'
    return f'<N who="{act.seat}" m="{encode(act)}" />'


def _win(win: Win) -> str:
    if win.counters is None or win.before is None or win.yaku is None or win.hand is None:
        raise EventError("an mjlog says more of a win than this record holds: counters, patterns, the hand")
    pairs = [
        ("ba", _join(win.counters)),
        ("hai", _join(win.hand or ())),
        ("m", ",".join(str(encode(meld)) for meld in win.melds or ())),
        ("machi", str(win.tile)),
        ("ten", _join((win.fu or 0, win.points or 0, win.limit or 0))),
        ("yaku", _join(value for pair in win.yaku or () for value in pair)),
        ("yakuman", _join(win.yakuman)),
        ("doraHai", _join(win.dora or ())),
        ("doraHaiUra", _join(win.ura or ())),
        ("who", str(win.seat)),
        ("fromWho", str(win.source)),
        ("paoWho", "" if win.liable is None else str(win.liable)),
        ("sc", _change(win.before, win.deltas)),
    ]
    said = " ".join(f'{name}="{value}"' for name, value in pairs if value)
    return f"<AGARI {said} />"


def _draw(drawn: Drawn) -> str:
    if drawn.counters is None or drawn.before is None:
        raise EventError("an mjlog says more of a drawn hand than this record holds: counters, scores")
    kind = f'type="{WORDS[drawn.reason]}" ' if drawn.reason in WORDS else ""
    shown = "".join(f' hai{seat}="{_join(tiles)}"' for seat, tiles in sorted((drawn.shown or {}).items()))
    return f'<RYUUKYOKU {kind}ba="{_join(drawn.counters)}" sc="{_change(drawn.before, drawn.deltas)}"{shown} />'


def _join(values: Iterable[int]) -> str:
    return ",".join(str(value) for value in values)


def _hundreds(values: tuple[int, ...]) -> str:
    return _join(value // 100 for value in (*values, 0)[:4])


def _change(before: tuple[int, ...], deltas: tuple[int, ...]) -> str:
    pairs = zip((*before, 0)[:4], (*deltas, 0)[:4], strict=True)
    return _join(value // 100 for pair in pairs for value in pair)


def _one_decimal(tenths: int) -> str:
    sign = "-" if tenths < 0 else ""
    return f"{sign}{abs(tenths) // 10}.{abs(tenths) % 10}"

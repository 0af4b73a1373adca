"""What is seen of a mahjong hand's state: concealed tiles, melds as they lie, discards with their marks, the window.

Part of the reducer (`frames`): it copies, and decides nothing but how tiles lie on a table.
"""

from collections.abc import Sequence

from engine.cards import KINDS
from engine.mahjong.state import NONE, THROWS, Hand, Meld, Side, reserved
from engine.mahjong.wall import break_stack
from viewer.translate import Text, bilingual
from viewer.views import AskedView, DiscardView, LockView, MeldView, SeatView, WallView, WindowView
from viewer.words import dialect, tile


def _codes(kinds: Sequence[int]) -> list[str]:
    return [KINDS[kind] for kind in kinds]


def seat(hand: Hand, number: int, wind: str) -> SeatView:
    """Return a seat's tiles: what it has just drawn, or won from another, stands apart from the sorted hand."""
    side: Side = hand.sides[number]
    concealed = [kind for kind, count in enumerate(side.counts) for _ in range(count)] + sorted(side.held)
    win = next((each for each in hand.wins[: hand.announced] if each.seat == number), None)
    self_drawn = win is not None and win.by == "self_draw"
    view: SeatView = {
        "wind": wind,
        "hand": [],
        "melds": [_meld(hand, number, meld) for meld in side.melds],
        "flowers": _codes(side.flowers),
        "discards": _discards(hand, number),
    }
    apart = hand.turn == number and (hand.phase in {"act", "flower"} or self_drawn) and hand.drawn in concealed
    if apart:
        concealed.remove(hand.drawn)
        view["drawn"] = KINDS[hand.drawn]
    if win is not None and not self_drawn:
        view["win"] = KINDS[win.tile]
    view["hand"] = _codes(concealed)
    locks = _locks(side)
    if locks is not None:
        view["locks"] = locks
    return view


def _locks(side: Side) -> LockView | None:
    if not (side.win_lock or side.win_locks or side.pung_locks):
        return None
    return {"win": side.win_lock, "wins": _codes(sorted(side.win_locks)), "pungs": _codes(sorted(side.pung_locks))}


def wall(hand: Hand, from_tail: int) -> WallView | None:
    """Return the wall once it is broken; `from_tail` counts the draws from its tail so far."""
    rules = hand.rules
    dice = [value for throw in hand.thrown for value in throw]
    if rules.wall_break != "none" and len(dice) < THROWS * rules.wall_dice:
        return None
    size = hand.wall.size
    turned_up = int(hand.indicator != NONE)  # taken out of the wall before the deal
    return {
        "size": size,
        "first": break_stack(rules, hand.dealer, dice),
        "head": size - hand.wall.left - from_tail - turned_up,
        "tail": from_tail,
        "dead": reserved(hand),
        "reverse": rules.wall_tail_order == "reverse",
        "dice": [list(throw) for throw in hand.thrown],
    }


def _meld(hand: Hand, seat: int, meld: Meld) -> MeldView:
    if meld.claimed == NONE:
        closed: MeldView = {"kind": meld.kind, "tiles": _codes(meld.tiles)}
        if not hand.rules.concealed_kong_open:
            closed["closed"] = True
        return closed
    own = sorted(meld.tiles)[:2] if meld.kind == "added_kong" else sorted(meld.tiles)
    # On a table the claimed tile lies left, in the middle or right: it came from the seat before, across or after.
    turns = (meld.source - seat) % hand.players
    place = 0 if turns == hand.players - 1 else len(own) if turns == 1 else 1
    view: MeldView = {
        "kind": meld.kind,
        "tiles": _codes([*own[:place], meld.claimed, *own[place:]]),
        "claimed": place,
        "source": meld.source,
    }
    if meld.kind == "added_kong":
        view["tiles"].append(KINDS[meld.claimed])  # the fourth lies on the claimed one
    robbable = hand.phase == "window" and hand.turn == seat and meld.kind == "pung"
    if robbable and hand.pending_kong == meld.claimed:
        return {**view, "kind": "added_kong", "tiles": [*view["tiles"], KINDS[meld.claimed]], "pending": True}
    return view


def _discards(hand: Hand, number: int) -> list[DiscardView]:
    views: list[DiscardView] = []
    for discard in hand.sides[number].discards:
        view: DiscardView = {"tile": KINDS[discard.tile]}
        if discard.drawn:
            view["drawn"] = True
        if discard.claimed_by != NONE:
            view["taken"] = discard.claimed_by
        views.append(view)
    for win in hand.wins[: hand.announced]:
        if win.by == "discard" and win.source == number:
            views[-1]["won"] = True
    return views


def wild(hand: Hand) -> Text | None:
    """Return what the wild kind of the hand is, where there is one."""
    if hand.wild == NONE:
        return None
    return bilingual("{wild}: {tile}", wild=dialect("wild", hand.rules.id), tile=tile(KINDS[hand.wild]))


def window_of(hand: Hand) -> WindowView:
    """Return the claim window that is open, or was closed by the last answer."""
    window = hand.window
    assert window is not None
    asked: list[AskedView] = []
    for seat, options in window.options.items():
        words_of = (("win", options.win), ("kong", options.kong), ("pung", options.pung), ("chow", bool(options.chows)))
        view: AskedView = {"seat": seat, "may": [word for word, may in words_of if may]}
        if seat in window.answers:
            view["answer"] = window.answers[seat][0]
        asked.append(view)
    return {
        "tile": KINDS[window.tile],
        "source": window.source,
        "to": window.to,
        "robbing": window.robbing,
        "asked": asked,
    }

"""The turn machine of mahjong (`mahjong.md` 0.6): which consequence is due, what an event changes.

    before the first act (`opening`) -> act -> window -> claim … -> draw … -> won | drawn_hand -> settled -> ended

`due` derives the one consequence that must come next; `fault` judges decisions;
`step` applies an event that has no fault. The log is checked by deriving it again: nothing here reads an outcome
from the log but free choices.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.cards import INDEX, KINDS, kind_of, tile_deck
from engine.events import Body, Record
from engine.family import GIVEN, Fault, Setting
from engine.mahjong import acts, claims, decisions, opening, settle, succession, wilds
from engine.mahjong.faults import clause_of, decision_fault, given_draw_fault
from engine.mahjong.rules import MahjongRules
from engine.mahjong.state import NONE, Discard, Hand, Meld, can_draw
from engine.mahjong.state import start as start_hand
from engine.shuffle import Deal

name = "mahjong"
EAST = 27
first, succeed = succession.first, succession.succeed
options, timeout, chosen = decisions.options, decisions.timeout, decisions.chosen


def deck(rules: MahjongRules) -> tuple[str, ...]:
    """Return the ids of the deck in the order of events.md, "Deck, dice, seeds"."""
    return tile_deck(flowers=rules.flowers, winds=not rules.no_winds)


def n_dice(rules: MahjongRules) -> int:
    """Return how many dice a hand throws: two throws."""
    return 2 * rules.wall_dice if rules.wall_break == "dice" else 0


def start(rules: MahjongRules, spot: Body, deal: Deal | None, setting: Setting) -> Hand:
    """Return the state of a hand that begins."""
    assert setting.players == rules.players
    order = None
    if deal is not None:
        kinds = kind_of(deck(rules))
        order = tuple([kinds[position] for position in deal.wall])
    dice = deal.dice if deal is not None else None
    hand = start_hand(rules, spot["dealer"], EAST + succession.WINDS.index(spot["round_wind"]), order, dice)
    hand.streak = spot.get("streak", 0)
    if not rules.ga_free:
        hand.least_ga = tuple(spot.get("ga", hand.least_ga))
    if rules.wild == "random" and deal is not None:
        hand.wild_drawn = deal.keys.stream("wild").below(len(wilds.domain(rules)))
    if rules.wall_break == "none":
        opening.break_wall(hand)
    return hand


def fault(hand: Hand, record: Record) -> Fault | None:
    """Return why this decision may not come next."""
    return decision_fault(hand, record, timeout)


def given_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why tiles or dice that are due, but known from the log alone, cannot be what it says."""
    return given_draw_fault(hand, record)


def clause(hand: Hand, due: Body, found: Record) -> tuple[str, str, Any, Any]:
    """Return code, clause id, expected and found where another event stands in the place of `due`."""
    return clause_of(hand, due, found)


# --- consequences -----------------------------------------------------------------------------------------------


def _due_draw(hand: Hand) -> Body:
    if not can_draw(hand):
        return {"type": "drawn_hand", "reason": "wall_end"}
    return _drawn(hand, "head")


def _due_replacement(hand: Hand) -> Body:
    # A kong's own replacement was tested before the kong (0.6); a flower's is tested now.
    if hand.source == "flower" and not can_draw(hand):
        return {"type": "drawn_hand", "reason": "no_replacement"}
    return _drawn(hand, hand.rules.replacement_from)


def _drawn(hand: Hand, end: str) -> Body:
    tile = hand.wall.peek(end)
    return {
        "type": "drawn",
        "seat": hand.turn,
        "tile": KINDS[tile] if tile != NONE else GIVEN,
        "end": end,
        "left": hand.wall.left - 1,
    }


def _due_flower(hand: Hand) -> Body:
    return {"type": "flower", "seat": hand.turn, "tile": KINDS[min(hand.sides[hand.turn].held)]}


def _due_claim(hand: Hand) -> Body:
    assert hand.claim is not None
    assert hand.window is not None
    seat, answer, tiles = hand.claim
    return {
        "type": "melded",
        "seat": seat,
        "kind": "direct_kong" if answer == "kong" else answer,
        "tiles": [KINDS[tile] for tile in tiles],
        "claimed": KINDS[hand.window.tile],
        "from": hand.window.source,
    }


def _due_won(hand: Hand) -> Body:
    win = hand.wins[hand.announced]
    body: Body = {"type": "won", "seat": win.seat, "by": win.by}
    if win.tile != NONE:
        body["tile"] = KINDS[win.tile]
    if win.source != NONE:
        body["from"] = win.source
    if win.occasion:
        body["occasion"] = win.occasion
    return body


def _due_settlement(hand: Hand) -> Body:
    if hand.settlement is None:
        hand.settlement = settle.settle(hand)
    assert isinstance(hand.settlement, settle.Settlement)
    return dict(hand.settlement.body)


DUE: Mapping[str, Callable[[Any], Body]] = {
    "dice": opening.due_dice,
    "wild": opening.due_wild,
    "deal": opening.due_deal,
    "opening": opening.due_opening,
    "flower": _due_flower,
    "replacement": _due_replacement,
    "opening_replacement": _due_replacement,
    "draw": _due_draw,
    "claim": _due_claim,
    "won": _due_won,
    "settlement": _due_settlement,
}


# --- steps ------------------------------------------------------------------------------------------------------


def _step_flower(hand: Hand, record: Record) -> None:
    tile = INDEX[record["tile"]]
    side = hand.sides[hand.turn]
    side.held.remove(tile)
    side.flowers.append(tile)
    if hand.phase == "opening":
        hand.opening.queue.pop(0)
        hand.phase = "opening_replacement"
    else:
        hand.phase = "replacement"
    hand.source = "flower"
    if acts.flowers_end_hand(hand, hand.turn):
        hand.wins = [acts.flowers_win(hand, hand.turn, "flowers")]
        hand.phase = "won"
    elif not can_draw(hand):
        _last_flower(hand)


def _last_flower(hand: Hand) -> None:
    """Go on where a flower cannot be replaced: the eighth wins, else the hand ends, or goes on by option (2.3, DH-08).

    With `last_flower = discard_on` its holder has thirteen tiles and discards one of them; he may declare eight
    flowers in that turn like in any other.
    """
    if hand.rules.last_flower == "discard_on":
        hand.drawn = NONE
        hand.fresh = False
        hand.phase = "act"
    elif not acts.may_win_by_flowers(hand, hand.turn):
        hand.wins = [acts.flowers_win(hand, hand.turn)]
        hand.phase = "won"


def _step_drawn(hand: Hand, record: Record) -> None:
    tile = INDEX[record["tile"]]
    side = hand.sides[hand.turn]
    hand.wall.take(record["end"])
    side.add(tile)
    if side.win_lock or side.pung_locks or side.win_locks:
        side.unlock()
    if hand.phase == "opening_replacement":
        hand.replaced += 1
        if hand.turn == hand.dealer:
            hand.opening.filled = tile
        opening.next_opening(hand)
        return
    if hand.phase == "draw":
        hand.source = "head"
        side.draws += 1
    elif hand.source == "flower":
        hand.replaced += 1
    hand.drawn = tile
    hand.fresh = True
    hand.phase = "flower" if side.held else "act"


def _step_discarded(hand: Hand, record: Record) -> None:
    seat = hand.turn
    side = hand.sides[seat]
    tile = INDEX[record["tile"]]
    if hand.fresh and hand.rules.pass_win_lock != "off" and not acts.may_win(hand, seat):
        # Of a heavenly win any of the fourteen may be the tile (2.5 row 18).
        its = {hand.drawn} if hand.drawn != NONE else {kind for kind, have in enumerate(side.counts) if have}
        claims.lock_win(hand, side, its)
    side.remove(tile)
    side.discards.append(Discard(tile, "drawn" in record))
    hand.banned = claims.NOTHING
    window = claims.open_window(hand, tile, seat, record["seq"], robbing=False)
    if window is not None:
        hand.window = window
        hand.phase = "window"
    else:
        _next_turn(hand)


def _next_turn(hand: Hand) -> None:
    hand.turn = (hand.turn + 1) % len(hand.sides)
    hand.drawn = NONE
    hand.fresh = False
    hand.kong = ""
    hand.kong_source = NONE
    hand.phase = "draw"


def _step_answered(hand: Hand, record: Record) -> None:
    window = hand.window
    assert window is not None
    window.answers[record["seat"]] = (record["answer"], acts.kinds(record.get("tiles", [])))
    if len(window.answers) < len(window.options):
        return
    winners, claim = claims.resolve(hand, window)
    if winners:
        hand.wins = [claims.claimed_win(hand, seat, window) for seat in winners]
        hand.phase = "won"
        return
    claims.lock_after(hand, window)
    if window.robbing:
        _complete_added_kong(hand)
    elif claim is not None:
        hand.claim = claim
        hand.phase = "claim"
    else:
        _next_turn(hand)


def _step_melded(hand: Hand, record: Record) -> None:
    window = hand.window
    assert window is not None
    assert hand.claim is not None
    seat, answer, tiles = hand.claim
    side = hand.sides[seat]
    for tile in tiles:
        side.remove(tile)
    side.melds.append(Meld(record["kind"], tiles, window.tile, window.source))
    pile = hand.sides[window.source].discards
    pile[-1] = pile[-1]._replace(claimed_by=seat)
    _count_claim(hand, seat, window.source)
    if answer == "chow":
        hand.fed_runs[seat][window.source] += 1
    hand.claimed_any = True
    hand.turn = seat
    hand.drawn = NONE
    hand.fresh = False
    hand.kong = ""
    hand.window = None
    hand.claim = None
    if answer == "kong":
        hand.kongs += 1
        hand.kong = "direct_kong"
        hand.kong_source = window.source
        hand.kong_any = True
        hand.source = "kong"
        hand.phase = "replacement"
    else:
        if hand.rules.lock_reset == "turn":
            side.unlock()
        if answer == "chow" and hand.rules.swap_ban not in claims.NO_BAN:
            hand.banned = claims.swap_banned(window.tile, (tiles[0], tiles[1]))
        elif answer == "pung" and hand.rules.swap_ban in claims.PUNG_BANS:
            hand.banned = frozenset({window.tile})
        # Flowers of the deal come out in the first turn, a claim's too by option (HN-17).
        hand.phase = "flower" if side.held and hand.rules.flower_first == "first_turn" else "act"


def _count_claim(hand: Hand, claimer: int, feeder: int) -> None:
    hand.fed[claimer][feeder] += 1
    if hand.fed[claimer][feeder] == hand.rules.liability_threshold:
        hand.established.append((claimer, feeder))


def _step_konged(hand: Hand, record: Record) -> None:
    seat = hand.turn
    side = hand.sides[seat]
    tile = INDEX[record["tiles"][0]]
    hand.kong_any = True
    if record["kind"] == "concealed_kong":
        for _ in range(4):
            side.remove(tile)
        side.melds.append(Meld("concealed_kong", (tile,) * 4))
        _replace_kong(hand, "concealed_kong", NONE)
        return
    side.remove(tile)
    hand.pending_kong = tile
    if hand.rules.rob_kong != "off":
        window = claims.open_window(hand, tile, seat, record["seq"], robbing=True)
        if window is not None:
            hand.window = window
            hand.phase = "window"
            return
    _complete_added_kong(hand)


def _complete_added_kong(hand: Hand) -> None:
    """Make the pung a kong once it can no longer be robbed (0.6: only then it counts)."""
    side = hand.sides[hand.turn]
    tile = hand.pending_kong
    at = next(i for i, meld in enumerate(side.melds) if meld.kind == "pung" and meld.claimed == tile)
    pung = side.melds[at]
    side.melds[at] = Meld("added_kong", (*pung.tiles, tile), pung.claimed, pung.source)
    hand.pending_kong = NONE
    hand.window = None
    if hand.rules.liability_counts_added_kong:
        _count_claim(hand, hand.turn, pung.source)
    _replace_kong(hand, "added_kong", pung.source)


def _replace_kong(hand: Hand, kind: str, source: int) -> None:
    hand.kongs += 1
    hand.kong = kind
    hand.kong_source = source
    hand.source = "kong"
    hand.phase = "replacement"


def _step_declared(hand: Hand, record: Record) -> None:
    make = acts.flowers_win if record["what"] == "eight_flowers" else acts.own_win
    hand.wins = [make(hand, record["seat"])]
    hand.phase = "won"


def _step_won(hand: Hand, record: Record) -> None:
    assert record["seat"] == hand.wins[hand.announced].seat
    hand.announced += 1
    if hand.announced == len(hand.wins):
        hand.phase = "settlement"


def _step_drawn_hand(hand: Hand, record: Record) -> None:
    hand.drawn_reason = record["reason"]
    hand.phase = "settlement"


def _step_settled(hand: Hand, record: Record) -> None:
    assert isinstance(hand.settlement, settle.Settlement) or record
    if hand.settlement is None:
        hand.settlement = settle.settle(hand)
    assert isinstance(hand.settlement, settle.Settlement)
    hand.payments = hand.settlement.body["payments"]
    hand.phase = "ended"


STEPS: Mapping[str, Callable[[Any, Record], None]] = {
    "ga_chosen": opening.step_ga_chosen,
    "dice": opening.step_dice,
    "wild": opening.step_wild,
    "dealt": opening.step_dealt,
    "flower": _step_flower,
    "drawn": _step_drawn,
    "discarded": _step_discarded,
    "answered": _step_answered,
    "melded": _step_melded,
    "konged": _step_konged,
    "declared": _step_declared,
    "won": _step_won,
    "drawn_hand": _step_drawn_hand,
    "settled": _step_settled,
}

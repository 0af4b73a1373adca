"""From a hand's first event to the dealer's first act (`mahjong.md` 0.4, 0.5, 2.2, 3.1 to 3.3).

ga -> dice -> wild -> deal -> opening (rounds of flowers) -> the dealer's turn
"""

from typing import Any

from engine.cards import FLOWERS, INDEX, KINDS
from engine.events import Body, Record
from engine.family import GIVEN
from engine.mahjong import wilds
from engine.mahjong.state import NONE, THROWS, Hand, next_phase, turn_wild
from engine.mahjong.wall import Wall, break_stack, deal_positions, draw_sequence, second_thrower


def due_dice(hand: Hand) -> Body:
    """Return the next throw: the dealer's, then that of the seat which it names (0.4)."""
    each = hand.rules.wall_dice
    thrower = hand.dealer
    if hand.thrown:
        thrower = second_thrower(hand.rules, hand.dealer, sum(hand.thrown[0]))
    at = len(hand.thrown) * each
    values = list(hand.dice[at : at + each]) if hand.dice is not None else GIVEN
    return {"type": "dice", "seat": thrower, "values": values}


def due_wild(hand: Hand) -> Body:
    """Return which kind is wild: the number drawn of the kinds that may be, or what the tile turned up tells (3.1)."""
    rules = hand.rules
    kinds = wilds.domain(rules)
    if rules.wild_indicator == "virtual":
        tile = KINDS[kinds[hand.wild_drawn]] if hand.wild_drawn is not None else GIVEN
        return {"type": "wild", "tile": tile}
    place = hand.wall.find_from_tail(kinds)
    if hand.wall.kinds is None or place < 0:
        return {"type": "wild", "tile": GIVEN, "indicator": GIVEN}
    indicator = hand.wall.kinds[place]
    return {"type": "wild", "tile": KINDS[wilds.told_by(rules, indicator)], "indicator": KINDS[indicator]}


def deal_seat(hand: Hand) -> int:
    """Return the seat that is dealt next; `deal.order = cw` goes the other way round (LH-09)."""
    step = hand.dealt if hand.rules.deal_order == "ccw" else -hand.dealt
    return (hand.dealer + step) % hand.players


def due_deal(hand: Hand) -> Body:
    """Return what the next seat is dealt, in the order taken (0.5)."""
    sequence = hand.wall.kinds
    tiles: Any = GIVEN
    if sequence is not None:
        tiles = [KINDS[sequence[at]] for at in deal_positions(hand.players)[hand.dealt]]
    return {"type": "dealt", "seat": deal_seat(hand), "tiles": tiles}


def due_opening(hand: Hand) -> Body:
    """Return the next flower of this pass of the opening rounds (2.2)."""
    return {"type": "flower", "seat": hand.turn, "tile": KINDS[hand.opening.queue[0]]}


def step_ga_chosen(hand: Hand, record: Record) -> None:
    """Keep a seat's ga (3.2)."""
    hand.ga[record["seat"]] = record["ga"]
    hand.phase = next_phase(hand)


def step_dice(hand: Hand, record: Record) -> None:
    """Keep a throw; the last one breaks the wall."""
    hand.thrown.append(tuple(record["values"]))
    if len(hand.thrown) == THROWS:
        break_wall(hand)
    hand.phase = next_phase(hand)


def step_wild(hand: Hand, record: Record) -> None:
    """Make the kind wild; the tile turned up leaves the wall."""
    if "indicator" in record:
        hand.indicator = INDEX[record["indicator"]]
        hand.wall.take_out(hand.wall.find_from_tail(wilds.domain(hand.rules)))
    turn_wild(hand, INDEX[record["tile"]])
    hand.phase = next_phase(hand)


def break_wall(hand: Hand) -> None:
    """Lay the wall out from the stack at which drawing starts (0.3, 0.4), where its order is known."""
    rules = hand.rules
    if hand.order is None:
        return
    dice = [value for throw in hand.thrown for value in throw]
    sequence = draw_sequence(hand.order, range(FLOWERS + 8), break_stack(rules, hand.dealer, dice))
    hand.wall = Wall(sequence, rules.size, rules.wall_tail_order)


def step_dealt(hand: Hand, record: Record) -> None:
    """Give a seat its tiles; after the last one flowers are exposed or the dealer acts."""
    side = hand.sides[record["seat"]]
    for code in record["tiles"]:
        side.add(INDEX[code])
    hand.dealt += 1
    if hand.dealt == hand.players:
        hand.wall.deal(hand.players)
        if hand.rules.opening_flowers == "own_turn":
            first_turn(hand)
        else:
            next_opening(hand)


def next_opening(hand: Hand) -> None:
    """Go on with the opening flower rounds: one pass a seat, round after round until nobody holds one (2.2)."""
    opening = hand.opening
    if opening.queue:
        hand.phase = "opening"
        return
    seat = (hand.dealer + opening.step) % hand.players
    for _ in range(hand.players + 1):
        # With `each_completes` a seat goes on until it holds none (DH-06).
        again = hand.rules.initial_flower_order == "each_completes" and hand.sides[seat].held
        if opening.started and not again:
            opening.step += 1
        opening.started = True
        seat = (hand.dealer + opening.step) % hand.players
        if hand.sides[seat].held:
            opening.queue = sorted(hand.sides[seat].held)
            hand.turn = seat
            hand.phase = "opening"
            return
    first_turn(hand)


def first_turn(hand: Hand) -> None:
    """Begin the dealer's first turn: he holds fourteen, and exposes his flowers where no rounds have (3.3)."""
    hand.turn = hand.dealer
    hand.drawn = NONE
    hand.fresh = True
    hand.source = "deal"
    hand.phase = "flower" if hand.sides[hand.dealer].held else "act"

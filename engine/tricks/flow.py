"""The turn machine of the trick games (`cards.md`, "Order of play"): what is due, what an event changes.

    auction: deal -> bid … -> [kitty -> bury, trump -> (play ×4, trick) ×12] -> settlement -> ended
    levels:  (draw, call) ×48 -> [kitty -> bury -> (play ×4, trick) ×12] -> settlement -> ended

A hand that is dealt anew goes over `redeal` to its settlement. `due` derives the one consequence that must come next;
`step` applies an event that has no fault. Nothing here reads an outcome from the log but free choices.
"""

from collections.abc import Callable, Mapping
from typing import Any

from engine.cards import CARD_INDEX, CARDS, card_deck
from engine.events import Body, Record
from engine.family import GIVEN, Fault, Setting
from engine.shuffle import Deal
from engine.tricks import auction, drawing, faults, settle
from engine.tricks.choices import chosen as chosen  # noqa: PLC0414  a verb of the family, as the next two
from engine.tricks.choices import options as options  # noqa: PLC0414
from engine.tricks.choices import timeout as timeout  # noqa: PLC0414
from engine.tricks.levels import advance, next_starter
from engine.tricks.order import SUIT_OF, SUITS, of_rank, points_of, trumps, winner
from engine.tricks.rules import AuctionRules, LevelRules, TrickRules
from engine.tricks.state import DEALT, EACH, KITTY, NONE, SEATS, Hand, Taken, team

name = "tricks"


def deck(rules: TrickRules) -> tuple[str, ...]:
    """Return the codes of the 54 cards in the order that the deal protocol shuffles."""
    assert rules.players == SEATS
    return card_deck(jokers=True)


def n_dice(rules: TrickRules) -> int:
    """Return how many dice a hand throws: none."""
    assert rules.players == SEATS
    return 0


def first(rules: TrickRules) -> Body:
    """Return what the first hand starts with: seat 0, both levels 2, nobody known (`opening`, never logged)."""
    spot: Body = {"dealer": 0, "opening": True}
    if rules.contest == "levels":
        spot["levels"] = ["2", "2"]
    return spot


def succeed(rules: TrickRules, spot: Body, hand: Hand, first_dealer: int) -> Body:
    """Return what the next hand starts with; one dealt anew starts as this one did.

    Auction: the declarer bids first, without one the same first bidder. Levels: the side that declares, its level,
    the next starter; `over` once a side has passed the ace.
    """
    assert 0 <= first_dealer < SEATS
    if hand.redealt:
        return spot
    if isinstance(rules, AuctionRules):
        return {"dealer": hand.declarers[0] if hand.bid else hand.first_bidder}
    assert isinstance(rules, LevelRules)
    its = settle.level_result(hand, rules)
    side = settle.winning_side(hand, stayed=its.stayed)
    now = list(spot["levels"])
    level = advance(rules, now[side[0]], its.gain)
    now[side[0]] = level or now[side[0]]
    starter = next_starter(rules, hand.starter, hand.last, stayed=its.stayed)
    after: Body = {"dealer": starter, "levels": now, "declarers": side[0]}
    return after if level else {**after, "over": True}


def start(rules: TrickRules, spot: Body, deal: Deal | None, setting: Setting) -> Hand:
    """Return the state of a hand that begins."""
    assert setting.players == SEATS
    opening = "opening" in spot
    order = deal.wall if deal is not None else None
    hand = Hand(rules, spot["dealer"], opening, order, "deal" if rules.contest == "auction" else "draw")
    if rules.contest == "levels":
        hand.levels = tuple(spot["levels"])
        hand.level = "2" if opening else hand.levels[spot["declarers"]]
        hand.ranked = of_rank(hand.level)
        hand.declarers = () if opening else team(spot["declarers"])
        hand.turn = hand.dealer
    return hand


# --- decisions --------------------------------------------------------------------------------------------------


def fault(hand: Hand, record: Record) -> Fault | None:
    """Return why this decision may not come next."""
    return faults.decision_fault(hand, record)


def given_fault(hand: Hand, record: Record) -> Fault | None:
    """Return why cards that are due, but known from the log alone, cannot be what it says."""
    return faults.given_cards_fault(hand, record)


def clause(hand: Hand, due: Body, found: Record) -> tuple[str, str, Any, Any]:
    """Return code, clause id, expected and found where another event stands in the place of `due`."""
    return faults.clause_of(hand, due, found)


# --- consequences -----------------------------------------------------------------------------------------------


def _due_deal(hand: Hand) -> Body:
    # Card k goes to seat (dealer + k) mod 4, and the seats are told one after the other, from the dealer on.
    step = hand.dealt
    cards = hand.order[step:DEALT:SEATS] if hand.order is not None else None
    tiles = [CARDS[card] for card in cards] if cards is not None else GIVEN
    return {"type": "dealt", "seat": (hand.dealer + step) % SEATS, "tiles": tiles}


def _due_draw(hand: Hand) -> Body:
    at = hand.dealt
    return {
        "type": "drawn",
        "seat": hand.turn,
        "tile": CARDS[hand.order[at]] if hand.order is not None else GIVEN,
        "end": "head",
        "left": DEALT + KITTY - 1 - at,
    }


def _due_kitty(hand: Hand) -> Body:
    cards = hand.order[DEALT:] if hand.order is not None else None
    codes = [CARDS[card] for card in cards] if cards is not None else GIVEN
    body: Body = {"type": "kitty", "seat": hand.starter, "cards": codes}
    if kitty_decides(hand):
        body["suit"] = drawing.turned(cards, hand.ranked) if cards is not None else GIVEN
    return body


def kitty_decides(hand: Hand) -> bool:
    """Tell whether the turned kitty names the trump suit: levels, and nobody has called."""
    rules = hand.rules
    return isinstance(rules, LevelRules) and hand.called == NONE and rules.no_declare == "turn_kitty"


def _due_redeal(hand: Hand) -> Body:
    assert hand.redealt
    return {"type": "drawn_hand", "reason": "redeal"}


def _due_trick(hand: Hand) -> Body:
    assert hand.trumps is not None
    seat = (hand.leader + winner(hand.trumps, hand.trick)) % SEATS
    return {"type": "trick", "winner": seat, "points": points_of(hand.trick)}


def _due_settlement(hand: Hand) -> Body:
    if hand.settlement is None:
        hand.settlement = settle.settle(hand)
    return dict(hand.settlement)


DUE: Mapping[str, Callable[[Any], Body]] = {
    "deal": _due_deal,
    "draw": _due_draw,
    "kitty": _due_kitty,
    "redeal": _due_redeal,
    "trick": _due_trick,
    "settlement": _due_settlement,
}


# --- steps ------------------------------------------------------------------------------------------------------


def _redeal(hand: Hand) -> None:
    hand.redealt = True
    hand.phase = "redeal"


def _step_dealt(hand: Hand, record: Record) -> None:
    for code in record["tiles"]:
        hand.held[record["seat"]] |= 1 << CARD_INDEX[code]
    hand.dealt += 1
    if hand.dealt < SEATS:
        return
    assert isinstance(hand.rules, AuctionRules)
    hand.first_bidder = hand.turn = auction.first_bidder(hand, hand.rules)
    if hand.first_bidder == NONE:
        _redeal(hand)
    else:
        hand.phase = "bid"


def _step_bid(hand: Hand, record: Record) -> None:
    rules = hand.rules
    assert isinstance(rules, AuctionRules)
    hand.bids.append(record["bid"])
    if not auction.over(hand):
        hand.turn = (hand.turn + 1) % SEATS
        return
    hand.bid = auction.highest(hand)
    if hand.bid:
        _contract(hand, auction.declarer(hand))
    elif rules.all_pass == "first_bidder_forced_at_minimum":
        hand.bid = auction.BIDS[0]
        _contract(hand, hand.first_bidder)
    elif rules.all_pass == "redeal_same_first_bidder":
        _redeal(hand)
    else:
        hand.phase = "settlement"


def _contract(hand: Hand, declarer: int) -> None:
    hand.starter = declarer
    hand.declarers = (declarer,)
    hand.phase = "kitty"


def _step_drawn(hand: Hand, record: Record) -> None:
    assert isinstance(hand.rules, LevelRules)
    seat = hand.turn
    hand.held[seat] |= 1 << CARD_INDEX[record["tile"]]
    hand.dealt += 1
    if hand.called == NONE and drawing.may_call(hand, hand.rules, seat):
        hand.phase = "call"
    elif hand.dealt < DEALT:
        hand.turn = seat + 1 & 3
    else:
        _drawing_over(hand, hand.rules)


def _step_called(hand: Hand, record: Record) -> None:
    rules = hand.rules
    assert isinstance(rules, LevelRules)
    if "card" in record:
        hand.called = CARD_INDEX[record["card"]]
        hand.caller = hand.turn
        hand.suit = SUITS[SUIT_OF[hand.called]]
    if hand.dealt < DEALT:
        hand.turn = (hand.turn + 1) % SEATS
        hand.phase = "draw"
    elif hand.waiting and hand.called == NONE:
        hand.turn = hand.waiting.pop(0)
    elif hand.turn in hand.declarers or hand.opening:
        _drawing_over(hand, rules)
    else:
        _drawing_settled(hand, rules)


def _drawing_over(hand: Hand, rules: LevelRules) -> None:
    """Ask the attackers who had to wait, if any; else the drawing is settled."""
    hand.waiting = drawing.late_callers(hand, rules)
    if hand.waiting:
        hand.turn = hand.waiting.pop(0)
        hand.phase = "call"
    else:
        _drawing_settled(hand, rules)


def _drawing_settled(hand: Hand, rules: LevelRules) -> None:
    if hand.called == NONE and rules.no_declare == "redeal":
        _redeal(hand)
        return
    drawing.settle_starter(hand)
    hand.phase = "kitty"


def _step_kitty(hand: Hand, record: Record) -> None:
    hand.kitty = tuple(CARD_INDEX[code] for code in record["cards"])
    hand.turn = hand.starter
    for card in hand.kitty:
        hand.held[hand.starter] |= 1 << card
    hand.suit = record.get("suit", hand.suit)
    hand.todo = list(hand.rules.after_kitty)
    _go_on(hand)


def _go_on(hand: Hand) -> None:
    """Let the starter do what is left before the lead, then lead."""
    if hand.todo:
        hand.phase = hand.todo.pop(0)
        return
    hand.trumps = trumps(hand.suit, hand.rules.lifted(hand.level))
    hand.leader = hand.turn = hand.starter
    hand.phase = "play"


def _step_buried(hand: Hand, record: Record) -> None:
    for code in record["cards"]:
        hand.buried |= 1 << CARD_INDEX[code]
    hand.held[hand.starter] ^= hand.buried
    _go_on(hand)


def _step_trump(hand: Hand, record: Record) -> None:
    hand.suit = record["suit"]
    _go_on(hand)


def _step_played(hand: Hand, record: Record) -> None:
    card = CARD_INDEX[record["card"]]
    hand.held[hand.turn] ^= 1 << card
    hand.trick.append(card)
    if len(hand.trick) == SEATS:
        hand.phase = "trick"
    else:
        hand.turn = hand.turn + 1 & 3


def _step_trick(hand: Hand, record: Record) -> None:
    seat = record["winner"]
    hand.points[seat] += record["points"]
    hand.tricks.append(Taken(hand.leader, tuple(hand.trick), seat, record["points"]))
    hand.trick = []
    hand.leader = hand.turn = seat
    hand.phase = "play" if len(hand.tricks) < EACH else "settlement"


def _step_drawn_hand(hand: Hand, record: Record) -> None:
    assert record["reason"] == "redeal"
    hand.phase = "settlement"


def _step_settled(hand: Hand, record: Record) -> None:
    assert record["type"] == "settled"
    if hand.settlement is None:
        hand.settlement = settle.settle(hand)
    hand.payments = hand.settlement["payments"]
    hand.phase = "ended"


STEPS: Mapping[str, Callable[[Any, Record], None]] = {
    "dealt": _step_dealt,
    "bid": _step_bid,
    "drawn": _step_drawn,
    "called": _step_called,
    "kitty": _step_kitty,
    "buried": _step_buried,
    "trump": _step_trump,
    "played": _step_played,
    "trick": _step_trick,
    "drawn_hand": _step_drawn_hand,
    "settled": _step_settled,
}

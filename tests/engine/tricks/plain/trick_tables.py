"""Laid decks and played games for the tests of the trick games."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plain_tricks import DECK
from tables import Laid, Room, stream_of

from engine.cards import CARD_INDEX, CARDS
from engine.events import Body
from engine.family import Setting, due_in, step_in
from engine.shuffle import Deal
from engine.tricks import flow
from engine.tricks.bots import BOTS, sight
from engine.tricks.rules import TrickRules
from engine.tricks.state import Hand
from engine.variants import find

MATCH = {"length": {"hands": 3}}


def lay_cards(hands: Sequence[str], kitty: str = "", *, dealer: int = 0) -> tuple[int, ...]:
    """Return a dealing order that gives each seat these cards first, in the order written, and this kitty.

    What nobody asked for is filled up in deck order from what is left.
    """
    order: list[str] = [""] * 54
    for seat, text in enumerate(hands):
        for at, code in enumerate(text.split()):
            order[4 * at + (seat - dealer) % 4] = code
    for at, code in enumerate(kitty.split()):
        order[48 + at] = code
    named = [code for code in order if code]
    assert len(named) == len(set(named)), "a card is laid twice"
    rest = iter([code for code in DECK if code not in named])
    return tuple(CARD_INDEX[code or next(rest)] for code in order)


def laid(hands: Sequence[str], kitty: str = "") -> Laid:
    """Return such an order as the first deal of a room."""
    return Laid(lay_cards(hands, kitty), ())


def begun(rules_id: str, options: Mapping[str, Any] | None = None, *, hands: Sequence[str] = ("", "", "", ""),
          kitty: str = "", spot: Body | None = None) -> Hand:  # fmt: skip
    """Return a hand at its first decision, dealt from a laid deck; `spot` as `flow.first` where it is left out."""
    rules = find(rules_id, options)
    assert isinstance(rules, TrickRules)
    start = flow.first(rules) if spot is None else spot
    order = lay_cards(hands, kitty, dealer=start["dealer"])
    keys: Any = None  # nothing but the shuffle is drawn in these games
    hand = flow.start(rules, start, Deal(order, 53, 0, (), keys), Setting(4, [0] * 4, 0))
    follow(hand)
    return hand


def follow(hand: Hand) -> list[Body]:
    """Apply every consequence that is due; return them."""
    found = []
    while (body := due_in(flow, hand)) is not None:
        found.append(body)
        step_in(flow, hand, body)
        if hand.phase == "ended":
            break
    return found


def do(hand: Hand, *decisions: Mapping[str, Any]) -> list[Body]:
    """Apply decisions that must be lawful, and what follows each; return all consequences."""
    found: list[Body] = []
    for decision in decisions:
        fault = flow.fault(hand, dict(decision))
        assert fault is None, fault
        step_in(flow, hand, dict(decision))
        found += follow(hand)
    return found


def bids(hand: Hand, *values: int) -> list[Body]:
    """Bid in turn."""
    found: list[Body] = []
    for value in values:
        found += do(hand, {"type": "bid", "seat": hand.turn, "bid": value})
    return found


def bury(hand: Hand, text: str) -> list[Body]:
    cards = sorted(text.split(), key=CARDS.index)
    return do(hand, {"type": "buried", "seat": hand.turn, "cards": cards})


def name_trump(hand: Hand, suit: str) -> list[Body]:
    return do(hand, {"type": "trump", "seat": hand.turn, "suit": suit})


def idle(hand: Hand, until: Callable[[Hand], bool] = lambda hand: hand.phase == "ended") -> list[Body]:
    """Let time-outs choose until something holds; return all consequences."""
    found: list[Body] = []
    while not until(hand):
        body = flow.timeout(hand, hand.turn)
        assert body is not None, hand.phase
        found += do(hand, body)
    return found


def played(rules_id: str, options: Mapping[str, Any] | None = None, *, name: str, bot: str = "greedy",
           match: Mapping[str, Any] = MATCH, **more: Any) -> list[bytes]:  # fmt: skip
    """Return the log of a whole game, every seat played by one kind of bot."""
    room = Room(rules_id, options, name=name, match=match, **more)
    finish(room, bot)
    return room.lines


def finish(room: Room, bot: str = "greedy") -> None:
    """Let bots play a room to its end."""
    stream = stream_of(room.name, bot)
    while not room.table.over:
        options = room.table.legal()
        assert len(options), (room.game.phase, room.hand.phase)
        seat = options[0]["seat"]
        room.act(BOTS[bot](sight(room.hand, seat, options), stream))

"""Two players for simulated games: `random`, and `greedy`, which bids on its trumps and plays for the points.

A bot is handed a `Sight`: what its seat may see, never the state. Its choices come from a stream of its own, so that
a simulation is a function of its seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.cards import CARD_INDEX, CARDS
from engine.events import Body
from engine.shuffle import Stream
from engine.tricks.order import POINTS, RANK_OF, SUITS, TRUMP, Trumps, bits, members, points_of, trumps, winner
from engine.tricks.rules import AuctionRules
from engine.tricks.state import KITTY, SEATS, Hand

ACE = 12
WORTHY = 15
"""Points for which the highest trump is given up before the last trick."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees when it is asked: its own cards, the table, and its options. Sets are as in `order`."""

    seat: int
    held: int
    lifted: tuple[str, ...]
    """Ranks that are always trump."""
    suit: str | None
    """Trump suit, "" where none is; None while it is not named."""
    trumps: Trumps | None
    leader: int
    trick: tuple[int, ...]
    played: int
    """Cards of finished tricks."""
    allies: frozenset[int]
    """Seats that play on the same side, the own one among them; empty while nobody knows."""
    kitty: tuple[int, ...]
    """The kitty as taken, where this seat may know it."""
    most_buried: int | None
    options: Sequence[Body]


def sight(hand: Hand, seat: int, options: Sequence[Body]) -> Sight:
    """Return what the seat may see now (events.md, A seat's view)."""
    sides = hand.declarers if seat in hand.declarers else tuple(set(range(SEATS)) - set(hand.declarers))
    return Sight(
        seat=seat,
        held=hand.held[seat],
        lifted=hand.rules.lifted(hand.level),
        suit=None if hand.phase == "trump" or "trump" in hand.todo else hand.suit,
        trumps=hand.trumps,
        leader=hand.leader,
        trick=tuple(hand.trick),
        played=bits(card for trick in hand.tricks for card in trick.cards),
        allies=frozenset(sides) if hand.declarers else frozenset(),
        kitty=hand.kitty if sees_kitty(hand, seat) else (),
        most_buried=hand.rules.most_buried,
        options=options,
    )


def sees_kitty(hand: Hand, seat: int) -> bool:
    """Tell whether a seat sees which cards the starter took (`cards.md`, Kitty).

    The starter does; everybody does up to a bid of `show_kitty_max_bid`. Turned cards are the first of the kitty, up
    to the one that decides, and are left to the table's view.
    """
    if seat == hand.starter:
        return True
    return isinstance(hand.rules, AuctionRules) and bool(hand.kitty) and hand.bid <= hand.rules.show_kitty_max_bid


Bot = Callable[[Sight, Stream], Body]


def random_bot(view: Sight, stream: Stream) -> Body:
    """Choose any option, each as likely as another."""
    return view.options[stream.below(len(view.options))]


def greedy_bot(view: Sight, stream: Stream) -> Body:
    """Bid and call on a long suit, bury what is of no use, win tricks that hold points, feed those of its side."""
    return CHOICES[view.options[0]["type"]](view, stream)


BOTS: dict[str, Bot] = {"random": random_bot, "greedy": greedy_bot}
"""Every bot by its name."""


def _worth(view: Sight, suit: str) -> int:
    """Return what a hand is worth with a trump suit: trumps count two, jokers and side aces one more."""
    order = trumps(suit, view.lifted)
    mine = view.held & order.masks[TRUMP]
    aces = sum(RANK_OF[card] == ACE for card in members(view.held & ~mine))
    return 2 * mine.bit_count() + (view.held >> len(CARDS) - 2).bit_count() + aces


def _best_suit(view: Sight) -> tuple[int, str]:
    return max((_worth(view, suit), suit) for suit in SUITS)


def _bid(view: Sight, stream: Stream) -> Body:
    """Bid five more for each three above an ordinary hand, now and then one step more."""
    worth, _ = _best_suit(view)
    most = 60 + 5 * ((worth - 13 + stream.below(3)) // 3)
    pick = view.options[0]
    for body in view.options[1:]:
        if body["bid"] <= most:
            pick = body
    return pick


def _call(view: Sight, stream: Stream) -> Body:
    """Show the card whose suit is long enough, the longest first; one time in eight any."""
    eager = stream.below(8) == 0
    size = view.held.bit_count()
    pick, best = view.options[-1], 0
    for body in view.options[:-1]:
        length = trumps(body["card"][1], view.lifted).masks[TRUMP] & view.held
        if (eager or 3 * length.bit_count() > size + 3) and length.bit_count() > best:
            pick, best = body, length.bit_count()
    return pick


def _trump(view: Sight, stream: Stream) -> Body:
    """Name the best suit."""
    assert stream is not None
    _, suit = _best_suit(view)
    return {"type": "trump", "seat": view.seat, "suit": suit}


def _bury(view: Sight, stream: Stream) -> Body:
    """Bury the least useful cards: low, of short suits, no trumps and seldom points."""
    suit = _best_suit(view)[1] if view.suit is None else view.suit
    order = trumps(suit, view.lifted)
    sizes = [(view.held & mask).bit_count() for mask in order.masks]
    shy = 30 if stream.below(4) else 2
    left = view.most_buried

    def keep(card: int) -> int:
        group = order.group[card]
        return order.strength[card] + 3 * sizes[group] + 60 * (group == TRUMP) + shy * POINTS[card]

    chosen: list[int] = []
    for card in sorted(members(view.held), key=keep):
        if left is not None and POINTS[card] > left:
            continue
        left = left if left is None else left - POINTS[card]
        chosen.append(card)
        if len(chosen) == KITTY:
            break
    return {"type": "buried", "seat": view.seat, "cards": [CARDS[card] for card in sorted(chosen)]}


def _play(view: Sight, stream: Stream) -> Body:
    assert view.trumps is not None
    cards = [CARD_INDEX[body["card"]] for body in view.options]
    card = _follow(view, cards) if view.trick else _lead(view, cards, stream)
    return view.options[cards.index(card)]


def _saved(view: Sight, cards: Sequence[int]) -> int:
    """Return the highest trump in hand, which is kept for the last trick (抠底); -1 where nothing need be kept."""
    order = view.trumps
    assert order is not None
    mine = [card for card in cards if order.group[card] == TRUMP]
    return max(mine, key=lambda card: order.strength[card]) if mine and len(cards) > 1 else -1


def _lead(view: Sight, cards: Sequence[int], stream: Stream) -> int:
    """Lead a card that nothing of its group beats any more, else a low one; seldom a trump without need."""
    order = view.trumps
    assert order is not None
    unseen = ~(view.held | view.played)
    kept = _saved(view, cards)
    cards = [card for card in cards if card != kept]
    sure = [card for card in cards if not _above(order, card) & unseen]
    if sure:
        return max(sure, key=lambda card: (POINTS[card], order.group[card] != TRUMP, order.strength[card]))
    if stream.below(6) == 0:
        return cards[stream.below(len(cards))]
    return min(cards, key=lambda card: (POINTS[card], order.group[card] == TRUMP, order.strength[card]))


def _above(order: Trumps, card: int) -> int:
    """Return the cards of the same group that are higher."""
    return bits(each for each in members(order.masks[order.group[card]]) if order.strength[each] > order.strength[card])


def _follow(view: Sight, cards: Sequence[int]) -> int:
    """Feed points to an ally's trick, take what is worth it as cheaply as can be, else give the least."""
    order = view.trumps
    assert order is not None
    trick = view.trick
    holder = (view.leader + winner(order, trick)) % SEATS
    ends = len(trick) == SEATS - 1
    least = min(cards, key=lambda card: (POINTS[card], order.group[card] == TRUMP, order.strength[card]))
    if holder in view.allies:
        safe = ends or order.strength[trick[winner(order, trick)]] >= ACE
        return max(cards, key=lambda card: (POINTS[card], -order.strength[card])) if safe else least
    kept = _saved(view, cards) if points_of(trick) < WORTHY else -1
    taking = [card for card in cards if card != kept and winner(order, [*trick, card]) == len(trick)]
    if taking and (points_of(trick) or ends or order.group[taking[0]] != TRUMP):
        return min(taking, key=lambda card: order.strength[card] - (POINTS[card] if ends else 0))
    return least


CHOICES: dict[str, Bot] = {
    "bid": _bid,
    "called": _call,
    "trump": _trump,
    "buried": _bury,
    "played": _play,
}
"""How the greedy bot chooses, by the kind of decision."""

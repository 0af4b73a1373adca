"""Two players for simulated games: `random`, and `greedy`, which bids and bets by the cards it sees.

A bot is handed a `Sight`: what its seat may see, never the state. Its choices come from a stream of its own, so that
a simulation is a function of its seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from engine.banker.hand import VALUE
from engine.banker.state import Hand
from engine.events import Body
from engine.shuffle import Stream


@dataclass(frozen=True, slots=True)
class Sight:
    """What a seat sees when it is asked: its own cards so far (deck positions), and its options."""

    seat: int
    cards: tuple[int, ...]
    options: Sequence[Body]


def sight(hand: Hand, seat: int, options: Sequence[Body]) -> Sight:
    """Return what the seat may see now (events.md, A seat's view)."""
    return Sight(seat, tuple(hand.cards[seat]), options)


Bot = Callable[[Sight, Stream], Body]


def random_bot(view: Sight, stream: Stream) -> Body:
    """Choose any option, each as likely as another."""
    return view.options[stream.below(len(view.options))]


def greedy_bot(view: Sight, stream: Stream) -> Body:
    """Bid and bet the more the better the cards look; a little at random, so that equal bids and pushes occur."""
    most = len(view.options) - 1
    mood = stream.below(4)
    if view.options[0]["type"] == "bet" and mood == 0:
        return view.options[most]
    outlook = promise(view.cards)
    if outlook < 0:
        return view.options[stream.below(most + 1)]
    return view.options[min(most, (outlook * most + mood) // 4)]


BOTS: dict[str, Bot] = {"random": random_bot, "greedy": greedy_bot}
"""Every bot by its name."""


def promise(cards: Sequence[int]) -> int:
    """Return how good three or four cards look, 0..4; -1 where too few are seen to tell.

    4: a bull stands already; 2: two cards make ten; 1 more where the rest is high.
    """
    if len(cards) < 3:
        return -1
    values = [VALUE[card] for card in cards]
    if any(sum(three) % 10 == 0 for three in combinations(values, 3)):
        return 4
    pairs = any(sum(two) % 10 == 0 for two in combinations(values, 2))
    return 2 * pairs + (sum(values) % 10 >= 7)

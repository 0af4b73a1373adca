"""The rank order, the follow rule and the trick written plainly from `cards.md`: slow, and nothing of the engine in it.

Cards are codes. The order of the trumps is a list of groups of equal cards, highest first.
"""

SUITS = "SHCD"
HIGH_TO_LOW = "AKQJT98765432"
DECK = [rank + suit for suit in SUITS for rank in "A23456789TJQK"] + ["BJ", "SJ"]


def trump_order(suit: str, level: str, *, twos: bool) -> list[list[str]]:
    """BJ > SJ > trump-suit card of the level > the other three > trump-suit 2 > the other 2s > trump A .. 2."""
    order = [["BJ"], ["SJ"]]
    ranks = [level] if level else []
    if twos and level != "2":
        ranks.append("2")
    for rank in ranks:
        if suit:
            order.append([rank + suit])
        order.append([rank + other for other in SUITS if other != suit])
    if suit:
        order += [[rank + suit] for rank in HIGH_TO_LOW if rank not in ranks]
    return order


def place_of(card: str, order: list[list[str]]) -> int:
    """Return the place of a trump among the groups of equal trumps, -1 for any other card."""
    for at, group in enumerate(order):
        if card in group:
            return at
    return -1


def is_trump(card: str, order: list[list[str]]) -> bool:
    return place_of(card, order) >= 0


def group_of(card: str, order: list[list[str]]) -> str:
    return "trump" if is_trump(card, order) else card[1]


def beats(card: str, best: str, order: list[list[str]]) -> bool:
    """Tell whether a card played later beats the best so far."""
    place, best_place = place_of(card, order), place_of(best, order)
    if place >= 0:
        return best_place < 0 or place < best_place
    if best_place >= 0 or card[1] != best[1]:
        return False
    return HIGH_TO_LOW.index(card[0]) < HIGH_TO_LOW.index(best[0])


def winner(cards: list[str], order: list[list[str]]) -> int:
    best = 0
    for at in range(1, len(cards)):
        if beats(cards[at], cards[best], order):
            best = at
    return best


def may_play(hand: list[str], led: str, order: list[list[str]]) -> list[str]:
    """Follow the led group if possible; otherwise any card."""
    if not led:
        return list(hand)
    wanted = group_of(led, order)
    same = [card for card in hand if group_of(card, order) == wanted]
    return same or list(hand)


def points(cards: list[str]) -> int:
    return sum({"5": 5, "T": 10, "K": 10}.get(card[0], 0) for card in cards)

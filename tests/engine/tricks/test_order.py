"""Groups, ranks and tricks against the page written plainly, and the sizes that the page names."""

from itertools import product
from random import Random

import pytest
from plain_tricks import DECK, SUITS, group_of, is_trump, may_play, points, trump_order, winner

from engine.cards import CARD_INDEX, CARDS
from engine.tricks import order

LEVELS = "23456789TJQKA"


def lifted(level: str, *, twos: bool) -> tuple[str, ...]:
    heads = (level,) if level else ()
    return (*heads, "2") if twos and level != "2" else heads


EVERY = list(product(["", *SUITS], ["", *LEVELS], [False, True]))


def test_the_deck_and_its_points() -> None:
    assert list(CARDS) == DECK
    assert sum(order.POINTS) == 100
    assert order.points_of(range(54)) == points(DECK) == 100


@pytest.mark.parametrize("suit", SUITS)
def test_eighteen_trumps_and_twelve_cards_a_side_suit(suit: str) -> None:
    for level in ("", *LEVELS):
        made = order.trumps(suit, lifted(level, twos=not level))
        assert made.masks[order.TRUMP].bit_count() == 18
        assert sorted(mask.bit_count() for mask in made.masks[:4]) == [0, 12, 12, 12]


def test_groups_are_those_of_the_page() -> None:
    for suit, level, twos in EVERY:
        slow = trump_order(suit, level, twos=twos)
        fast = order.trumps(suit, lifted(level, twos=twos))
        for card, code in enumerate(CARDS):
            want = order.TRUMP if is_trump(code, slow) else SUITS.index(code[1])
            assert fast.group[card] == want, (suit, level, twos, code)


def test_strength_orders_the_trumps_as_the_page_lists_them() -> None:
    for suit, level, twos in EVERY:
        fast = order.trumps(suit, lifted(level, twos=twos))
        slow = trump_order(suit, level, twos=twos)
        strengths = [{fast.strength[CARD_INDEX[code]] for code in group} for group in slow]
        assert all(len(each) == 1 for each in strengths), (suit, level, twos)
        falling = [each.pop() for each in strengths]
        assert falling == sorted(set(falling), reverse=True), (suit, level, twos)


def test_winners_and_follow_legality_equal_the_slow_definition_on_100_000_tricks() -> None:
    chance = Random(40)
    slow_orders = {key: trump_order(key[0], key[1], twos=key[2]) for key in EVERY}
    tricks = overtrumped = free = 0
    while tricks < 100_000:
        key = chance.choice(EVERY)
        slow, fast = slow_orders[key], order.trumps(key[0], lifted(key[1], twos=key[2]))
        cards = chance.sample(CARDS, 54)
        size = chance.randint(1, 12)
        hands = [cards[12 * seat : 12 * seat + size] for seat in range(4)]
        for _ in range(min(size, 3)):
            trick: list[str] = []
            for seat in range(4):
                led = trick[0] if trick else ""
                want = may_play(hands[seat], led, slow)
                held = order.bits(CARD_INDEX[code] for code in hands[seat])
                may = order.followers(fast, held, fast.group[CARD_INDEX[led]]) if led else held
                assert set(order.names(may)) == set(want), (key, hands[seat], led)
                free += bool(led) and group_of(want[0], slow) != group_of(led, slow)
                card = chance.choice(want)
                hands[seat].remove(card)
                trick.append(card)
            taken = winner(trick, slow)
            assert order.winner(fast, [CARD_INDEX[code] for code in trick]) == taken, (key, trick)
            assert order.points_of(CARD_INDEX[code] for code in trick) == points(trick)
            overtrumped += is_trump(trick[taken], slow) and not is_trump(trick[0], slow)
            tricks += 1
    assert overtrumped > 5_000
    assert free > 20_000


@pytest.mark.parametrize(
    ("trick", "suit", "heads", "position"),
    [
        ("KS AS 2D 9H", "H", ("2",), 2),  # T6: an off-suit 2 outranks the trump 9
        ("AH 5H 2C 6D", "C", ("6",), 3),  # F5: the level card of another suit is a trump
        ("2S 2D 2C AH", "H", ("2",), 0),  # equal twos: the one played first
        ("2S 2H 2C SJ", "H", ("2",), 3),
        ("2S 2H 2C AH", "H", ("2",), 1),  # the trump-suit two above the others
        ("BJ SJ 2H 2S", "H", ("2",), 0),
        ("SJ BJ 2H 2S", "H", ("2",), 1),
        ("3S AD KD QD", "H", ("2",), 0),  # neither the led suit nor trump wins
        ("6S 6H 2C 2S", "", ("6", "2"), 0),  # no trump suit: the level cards are equal
        ("2S 6H 2C 6S", "", ("6", "2"), 1),
        ("2S 2H AH 2D", "H", ("6", "2"), 1),  # permanent twos below the level
        ("2S 2H 6C 2D", "H", ("6", "2"), 2),
        ("2S 3S 4S 5S", "H", ("6",), 3),  # a two is the lowest of its suit
    ],
)
def test_single_tricks(trick: str, suit: str, heads: tuple[str, ...], position: int) -> None:
    cards = [CARD_INDEX[code] for code in trick.split()]
    assert order.winner(order.trumps(suit, heads), cards) == position


def test_no_trump_while_holding_the_led_group_spades_13() -> None:
    made = order.trumps("H", ("2",))
    held = order.bits(CARD_INDEX[code] for code in ("3S", "AH", "2S", "BJ"))
    assert order.names(order.followers(made, held, SUITS.index("S"))) == ["3S"]
    assert order.names(order.followers(made, held, order.TRUMP)) == ["2S", "AH", "BJ"]
    assert order.names(order.followers(made, held, SUITS.index("C"))) == ["2S", "3S", "AH", "BJ"]

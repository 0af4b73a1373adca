"""The 54 playing cards: codes, names, and the order of a deck (cards.md, "Cards"; events.md, "Deck, dice, seeds")."""

from engine.cards.tiles import Name

RANKS = "A23456789TJQK"
SUITS = "SHCD"

CARDS: tuple[str, ...] = (*(f"{rank}{suit}" for suit in SUITS for rank in RANKS), "BJ", "SJ")
"""Code of each card in deck order: spades, hearts, clubs, diamonds, each A 2 … 9 T J Q K, then BJ, SJ."""

CARD_INDEX: dict[str, int] = {code: position for position, code in enumerate(CARDS)}
"""Deck position of each code."""

_RANK_NAMES = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUIT_NAMES = (Name("黑桃", "spades"), Name("红桃", "hearts"), Name("梅花", "clubs"), Name("方块", "diamonds"))

CARD_NAMES: tuple[Name, ...] = (
    *(
        Name(f"{suit.zh}{'10' if rank == 'T' else rank}", f"{_RANK_NAMES.get(rank, rank)} of {suit.en}")
        for suit in _SUIT_NAMES
        for rank in RANKS
    ),
    Name("大王", "big joker"),
    Name("小王", "small joker"),
)
"""Name of each card, in the order of `CARDS`."""


def card_deck(*, jokers: bool) -> tuple[str, ...]:
    """Return the codes of a deck in its initial order: 54 cards with the jokers, 52 without."""
    return CARDS if jokers else CARDS[:52]

"""Tiles, cards and their notation."""

from engine.cards.cards import CARD_INDEX, CARD_NAMES, CARDS, card_deck
from engine.cards.notation import NotationError, format_flowers, format_hand, parse_flowers, parse_hand
from engine.cards.tiles import FLOWERS, INDEX, KINDS, TILE_NAMES, Name, kind_of, tile_deck

__all__ = [
    "CARDS",
    "CARD_INDEX",
    "CARD_NAMES",
    "FLOWERS",
    "INDEX",
    "KINDS",
    "TILE_NAMES",
    "Name",
    "NotationError",
    "card_deck",
    "format_flowers",
    "format_hand",
    "kind_of",
    "parse_flowers",
    "parse_hand",
    "tile_deck",
]

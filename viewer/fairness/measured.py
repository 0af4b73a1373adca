"""Jobs of the battery, for any executor: a game's hands measured, a block of a deck file counted."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np

from engine.audit import FEATURES, OpeningSummary
from engine.formats.riichi import RiichiRecord
from viewer.batch.openings import count_openings
from viewer.batch.walls import Counts, Ints, Walls, count, no_walls
from viewer.fairness.deck import Deck
from viewer.fairness.deck_files import Block, Reader
from viewer.fairness.observed import HandSeen, Seen, observe, observe_record
from viewer.fairness.spool import DIGEST

HEAD = 53
"""Dealt tiles that are compared beside whole walls: the opening of mahjong."""


@dataclass(slots=True)
class Measured:
    """A game's hands, and what their opening hands are worth.

    `worth[hand][place][feature]` of each place's first tiles, as many as every place has; empty where unknown.
    """

    seen: Seen
    openings: OpeningSummary = field(default_factory=OpeningSummary)
    worth: list[list[list[int]]] = field(default_factory=list)
    surplus: list[str] = field(default_factory=list)
    """By hand: the tile that was dealt more often than the deck has it, "" for none."""


def features_of(deck: Deck) -> tuple[str, ...]:
    """Return the features that hands of a deck are measured by."""
    return tuple(feature.name for feature in FEATURES if feature.part in deck.groups)


def measure_lines(lines: Sequence[bytes], game: str, wild: str) -> Measured:
    """Measure a game given by its events."""
    return _measured(observe(lines, game), wild)


def measure_record(record: RiichiRecord, game: str, wild: str, known: int = 0) -> Measured:
    """Measure a riichi record; `known` hands of it, and then its seed, are counted already."""
    seen = observe_record(record, game)
    if known:
        seen.hands = seen.hands[known:]
        seen.uses = []
    return _measured(seen, wild)


def _measured(seen: Seen, wild: str) -> Measured:
    found = Measured(seen)
    if not seen.deck:
        return found
    deck = Deck.of(seen.deck, layout=seen.layout, wild=wild)
    for hand in seen.hands:
        if not hand.opening and hand.wall is not None and deck.layout is not None:
            codes = [deck.ids[index].partition(".")[0] for index in hand.wall]
            hand.opening = [[codes[position] for position in positions] for positions in deck.layout.hands]
        found.worth.append(_hand(found, deck, hand))
    return found


def _hand(found: Measured, deck: Deck, hand: HandSeen) -> list[list[int]]:
    """Count a hand's openings and return what they are worth; nothing of hands that are not whole."""
    dealt = Counter(tile for tiles in hand.opening for tile in tiles)
    copies = Counter(identity.partition(".")[0] for identity in deck.ids)
    found.surplus.append(next((tile for tile, many in sorted(dealt.items()) if many > copies[tile]), ""))
    layout = deck.layout
    if layout is None or found.surplus[-1] or len(hand.opening) != len(layout.hands):
        return []
    if any(len(tiles) != len(places) for tiles, places in zip(hand.opening, layout.hands, strict=True)):
        return []
    worth = []
    for place, tiles in enumerate(hand.opening):
        indices = [deck.first_of[tile] for tile in tiles]
        found.openings.take(place, indices, deck.groups)
        first = indices[: layout.least]
        worth.append([
            feature.of([deck.groups[feature.part][index] for index in first])
            for feature in FEATURES if feature.part in deck.groups
        ])  # fmt: skip
    return worth


@dataclass(slots=True)
class BlockCounts:
    """A block of walls counted. `digests`, `heads`: of whole walls and of their first tiles, one after the other."""

    deals: int
    counts: Counts
    openings: OpeningSummary
    digests: bytes
    heads: bytes
    lines: Ints
    faults: list[tuple[int, str]]
    sample: list[tuple[int, bytes]]
    """A few walls with their lines, for the seed attack."""


def count_block(deck: Deck, seed: int, block: Block, before: Block | None, samples: int) -> BlockCounts:
    """Count a block of a deck file; `before` holds the line that precedes it, None at the file's beginning."""
    reader = Reader(deck, seed)
    parsed = reader.read(block)
    walls = parsed.walls
    previous = reader.read(before).walls if before is not None else no_walls(0, deck.n)
    earlier = no_walls(len(walls), deck.n)
    earlier[1:] = walls[:-1]
    if len(previous) and len(walls):
        earlier[0] = previous[-1]
    openings = OpeningSummary()
    if deck.layout is not None and deck.groups:
        openings = count_openings(walls, deck.layout.hands, deck.groups)
    named = walls if deck.copies else _as_kinds(deck, walls)
    sample = [(line, wall.tobytes()) for line, wall in zip(parsed.lines[:samples].tolist(), walls, strict=False)]
    return BlockCounts(
        len(walls),
        count(walls, earlier, earlier, deck.kind_array),
        openings,
        digests(named),
        digests(named[:, :HEAD]) if deck.n > HEAD else b"",
        parsed.lines,
        parsed.faults,
        sample,
    )


def count_rows(deck: Deck, rows: bytes, table_before: bytes, log_before: bytes) -> Counts:
    """Count walls given as bytes, with the wall before each at its table and in the log (zeros: none)."""
    shape = (-1, deck.n)
    walls, at_table, in_log = (
        np.frombuffer(data, np.uint8).reshape(shape) for data in (rows, table_before, log_before)
    )
    return count(walls, at_table, in_log, deck.kind_array)


def _as_kinds(deck: Deck, walls: Walls) -> Walls:
    """Return walls with each tile as the first of its code: what the file tells."""
    first = np.array([deck.first_of[identity.partition(".")[0]] for identity in deck.ids], np.uint8)
    found: Walls = first[walls]
    return found


def digests(rows: Walls) -> bytes:
    """Return the digest of each row, one after the other."""
    data, width = rows.tobytes(), rows.shape[1]
    return b"".join(
        blake2b(data[at : at + width], digest_size=DIGEST).digest() for at in range(0, len(data), max(width, 1))
    )

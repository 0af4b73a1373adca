"""The walls of a riichi record, from the seed that its game or each of its hands published (`tenhou_wall`)."""

from collections.abc import Iterator, Sequence
from itertools import islice

from engine.errors import EventError
from engine.events import load
from engine.formats.riichi import RiichiRecord
from engine.formats.tenhou_wall import HAND_SEED_BYTES, Wall, early_wall, hand_seed_text, is_seed, seed_bytes, walls

LONGEST_SKIP = 64
"""A record that begins later in its game: this many hands of the seed are tried for its first one."""


def seeded(record: RiichiRecord) -> bool:
    """Tell whether a seed stands in the record, of the game or of each hand."""
    return bool(record.seed) or any(hand.shuffle for hand in record.hands)


def record_walls(record: RiichiRecord) -> Iterator[Wall]:
    """Yield the wall of each hand, in order. SeedError at the first seed that is of no known kind."""
    if not record.seed:
        for hand in record.hands:
            yield early_wall(hand.shuffle, record.seats)
        return
    seed = seed_bytes(record.seed)
    skip = 0
    if record.hands and (record.hands[0].round or record.hands[0].honba):
        first = record.hands[0]
        candidates = islice(walls(seed, record.seats), LONGEST_SKIP)
        fits = (number for number, wall in enumerate(candidates) if wall.dealt(first.dealer)[0] == list(first.hands[0]))
        skip = next(fits, 0)
    yield from islice(walls(seed, record.seats), skip, skip + len(record.hands))


def event_walls(lines: Sequence[bytes], seats: int) -> Iterator[Wall]:
    """Yield the walls that the `revealed` of a record's event lines give, in order; none after a line that is odd."""
    for line in lines:
        if b'"type":"revealed"' not in line:
            continue
        try:
            seed = bytes.fromhex(load(line)["seed"])
        except (EventError, KeyError, TypeError, ValueError):
            return
        if len(seed) == HAND_SEED_BYTES:
            yield early_wall(hand_seed_text(seed), seats)
        elif is_seed(seed):
            yield from walls(seed, seats)


def begins(record: RiichiRecord) -> bool:
    """Tell whether the published seed's first wall is that of the record's first hand: then a game begins there.

    SeedError where the seed is of no known kind.
    """
    if not record.seed:
        return False
    first, hand = next(walls(seed_bytes(record.seed), record.seats)), record.hands[0]
    return hand.dealer < record.seats and first.dealt(hand.dealer) == [list(tiles) for tiles in hand.hands]

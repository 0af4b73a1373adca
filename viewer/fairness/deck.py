"""A deck as the battery sees it: what lies at each index, which indices are of one kind, how it is dealt."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np

from engine.audit import LAYOUTS, Layout, layout_of
from engine.audit.openings import parts
from engine.cards import CARD_INDEX, INDEX
from viewer.batch.walls import Walls

WILD = "C"
"""The kind that counts as wild where nothing else is said: the red dragon (four tiles)."""
MOST = 255
"""Deck indices fit into a byte."""


class DeckError(ValueError):
    """A list of ids that is no deck the battery can count."""


@dataclass(frozen=True)
class Deck:
    """Deck ids in initial order. `copies`: ids tell the copies of a kind apart; without, walls hold kinds only."""

    ids: tuple[str, ...]
    copies: bool = True
    layout: Layout | None = None
    wild: str = WILD

    @classmethod
    def of(cls, codes: tuple[str, ...], *, layout: str | None = None, wild: str = WILD) -> "Deck":
        """Return the deck of a list of ids, or of kinds where some stand several times.

        `layout` names how hands are dealt (default: by the deck's size). DeckError where it cannot be counted.
        """
        if not 2 <= len(codes) <= MOST:
            raise DeckError(f"a deck of {len(codes)}: the battery counts 2 to {MOST}")
        copies = len(set(codes)) == len(codes)
        seen: dict[str, int] = {}
        ids = codes
        if not copies:
            named = []
            for code in codes:
                seen[code] = seen.get(code, -1) + 1
                named.append(f"{code}.{seen[code]}")
            ids = tuple(named)
        try:
            dealt = LAYOUTS[layout] if layout else layout_of(len(codes))
        except LookupError:
            dealt = None
        if dealt is not None and dealt.dealt > len(codes):
            raise DeckError(f"a deck of {len(codes)} is too small for the layout {dealt.name}")
        return cls(ids, copies, dealt, wild)

    @property
    def n(self) -> int:
        """Return the number of tiles or cards."""
        return len(self.ids)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the kinds in order of first appearance; of cards the rank."""
        return tuple(dict.fromkeys(self._kind_name(identity) for identity in self.ids))

    @cached_property
    def kinds(self) -> tuple[int, ...]:
        """Return the number of each index's kind."""
        numbers = {name: number for number, name in enumerate(self.names)}
        return tuple(numbers[self._kind_name(identity)] for identity in self.ids)

    @staticmethod
    def _kind_name(identity: str) -> str:
        code = identity.partition(".")[0]
        return code[0] if CARD_INDEX.get(code, 52) < 52 else code

    @cached_property
    def kind_array(self) -> Walls:
        """Return `kinds` as an array."""
        return np.array(self.kinds, np.uint8)

    @cached_property
    def groups(self) -> dict[str, tuple[int, ...]]:
        """Return the groupings that opening hands are counted by; empty for ids that are no tiles or cards."""
        return parts(self.ids, self.wild)

    @cached_property
    def first_of(self) -> dict[str, int]:
        """Return the first index of each code: opening hands of logs tell kinds, not copies."""
        found: dict[str, int] = {}
        for index, identity in enumerate(self.ids):
            found.setdefault(identity.partition(".")[0], index)
        return found

    @property
    def family(self) -> str:
        """Return tiles, cards or other."""
        codes = [identity.partition(".")[0] for identity in self.ids]
        if all(code in INDEX for code in codes):
            return "tiles"
        return "cards" if all(code in CARD_INDEX for code in codes) else "other"

    @property
    def digest(self) -> str:
        """Return SHA-256 over the ids in order: which deck a result speaks of."""
        return sha256("\n".join(self.ids).encode()).hexdigest()

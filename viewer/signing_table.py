"""A table whose players sign: simulated seats with keys of their own (ledger.md 3).

A seat signs each of its decisions on what it was shown so far, as a player's own program would: it folds the views it
gets, and the table never sees a key.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.events import canonical, load
from engine.table import Table
from engine.view import ALWAYS_OPENED, View
from ledger.command import Shown, sign_command
from ledger.keys import SigningKey


class Hand:
    """One player's side: its key, and what it was shown."""

    def __init__(self, game: str, seat: int, key: SigningKey) -> None:
        self.seat = seat
        self.key = key
        self.view = View(seat)
        self.shown = Shown(game)

    def show(self, line: bytes) -> None:
        """Be shown one event."""
        self.shown.append(self.view.first_shown(load(line)))


class SigningTable(Table):
    """A table at which the seats with keys sign what they decide."""

    hands: Sequence[Hand] = ()
    _said: bytes = b""

    def sit(self, keys: Mapping[int, SigningKey]) -> None:
        """Let seats, as numbered in `opened`, sign with these keys from the first event on."""
        self.hands = [Hand(self.game.premise.game, seat, key) for seat, key in keys.items()]
        self._show(self.first())

    def _show(self, line: bytes) -> None:
        for hand in self.hands:
            hand.show(line)

    def act(self, decision: Mapping[str, Any], at: int) -> list[bytes]:
        """Apply a decision, signed by its seat where that has a key."""
        signed = self._signed(decision)
        record = {**signed, "at": at, "game": self.game.premise.game, "seq": self.game.seq, "v": 1}
        self._said = canonical(record)
        try:
            lines = super().act(signed, at)
            self._tell()
        finally:
            self._said = b""
        return lines

    def next_due(self, at: int) -> bytes | None:
        """Apply the consequence that must come next, and show it."""
        self._tell()
        line = super().next_due(at)
        if line is not None:
            self._show(line)
        return line

    def _tell(self) -> None:
        """Show the decision just made, before what follows from it."""
        if self._said:
            self._show(self._said)
            self._said = b""

    def _signed(self, decision: Mapping[str, Any]) -> dict[str, Any]:
        opened = decision["type"] in ALWAYS_OPENED
        for hand in self.hands:
            if decision.get("seat") == (hand.seat if opened else hand.view.place) and "auto" not in decision:
                record = {**decision, "game": self.game.premise.game, "v": 1}
                return {**decision, "sig": sign_command(hand.key, record, hand.shown)}
        return dict(decision)

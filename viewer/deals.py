"""What one game shows of its deals beyond replay: values that must be unique, beacons, figures (fairness.md 1.10).

Replay judges one game alone. V3 needs every other game's values, V8 a pairing that the engine has no means for, V15 is
a figure over many games. `facts` reads them off a game's events; `deal_checks` adds them up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Final

from orjson import loads

from engine.cards import CARDS, INDEX
from engine.events import Record
from engine.mahjong.distance import distance
from engine.mahjong.hand import keys
from engine.shuffle import Single

HIGH: Final = {card: int(card in {"BJ", "SJ"} or card[0] in "JQKA2") for card in CARDS}
WITNESS: Final = 128
COPIES: Final = 4


@dataclass(frozen=True, slots=True)
class Used:
    """A value that may occur once in a whole log, and where it stands."""

    kind: Single
    value: bytes
    seq: int
    hand: int = -1


@dataclass(frozen=True, slots=True)
class BeaconUse:
    """A beacon as logged."""

    chain: bytes
    round: int
    signature: bytes
    seq: int


@dataclass(slots=True)
class Figures:
    """Counts that add: games and hands by fate, entropy given or not, the quality of what was dealt (V15).

    Quality is of opening hands of seats: at mahjong how many tiles must be changed before the hand is complete, wild
    tiles used; at cards the high cards and jokers. `played_*` of hands that were settled, `voided_*` of voided ones.
    """

    games: int = 0
    closed: int = 0
    void_epochs: int = 0
    hands: int = 0
    voided: int = 0
    seats: int = 0
    witnesses: int = 0
    never_committed: int = 0
    not_revealed: int = 0
    beacons: int = 0
    played_dealt: int = 0
    played_quality: int = 0
    voided_dealt: int = 0
    voided_quality: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def as_json(self) -> dict[str, int]:
        """Return the figures by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(slots=True)
class DealFacts:
    """What `facts` reads off one game."""

    game: str = ""
    protocol: str = ""
    """"" where the deal follows no protocol of ours."""
    uses: list[Used] = field(default_factory=list)
    beacons: list[BeaconUse] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)


def facts(lines: Sequence[bytes]) -> DealFacts:
    """Read the facts of a game's events; lines that are no events are left out (replay says so)."""
    fold = DealFold()
    for line in lines:
        start = line.find(b'"type":"') + 8
        if line[start : line.find(b'"', start)] not in TAKEN:
            continue
        try:
            fold.take(loads(line))
        except (KeyError, TypeError, ValueError, AttributeError):
            continue  # no event of the vocabulary: replay names it
    return fold.end()


class DealFold:
    """Gathers the facts of a game's lawful events; the hand in play is judged when it is over."""

    def __init__(self) -> None:
        self.found = DealFacts()
        self.entropy: dict[str, set[int]] = {"committed": set(), "entropy": set()}
        self.seats: set[int] = set()
        self.hand = -1
        self.voided = False
        self.dealt: list[list[str]] = []
        self.wild = ""

    def take(self, record: Record) -> None:
        """Take in the next event."""
        taker = TAKERS.get(record["type"])
        if taker is not None:
            taker(self, record)

    def use(self, kind: Single, text: str, record: Record, hand: int = -1) -> None:
        """Note a value that may occur once."""
        self.found.uses.append(Used(kind, bytes.fromhex(text), record["seq"], hand))

    def opened(self, record: Record) -> None:
        """Note the game, its seats and its root."""
        figures, deal = self.found.figures, record["deal"]
        self.found.game = record["game"]
        figures.games = 1
        if deal["protocol"] == "none":
            return
        self.found.protocol = deal["protocol"]
        self.seats = {entry["seat"] for entry in record["seats"]}
        figures.seats = len(self.seats)
        figures.witnesses = sum(seat >= WITNESS for seat in self.seats)
        if "root_s" in deal:
            self.use(Single.ROOT, deal["root_s"], record)

    def shared(self, record: Record) -> None:
        """Note a commitment or its opening."""
        self.entropy[record["type"]].add(record["seat"])
        if record["type"] == "committed":
            self.use(Single.COMMIT, record["commit"], record)
        else:
            self.use(Single.REVEAL, record["reveal"], record)

    def beacon(self, record: Record) -> None:
        """Note a beacon."""
        self.found.figures.beacons = 1
        chain, signature = bytes.fromhex(record["chain"]), bytes.fromhex(record["signature"])
        self.found.beacons.append(BeaconUse(chain, record["round"], signature, record["seq"]))

    def hand_started(self, record: Record) -> None:
        """Note a hand and its wall."""
        self.hand_over()
        self.hand, self.voided, self.dealt, self.wild = record["hand"], False, [], ""
        self.found.figures.hands += 1
        if "wall_root" in record:
            self.use(Single.WALL, record["wall_root"], record, self.hand)

    def dealt_(self, record: Record) -> None:
        """Keep an opening hand."""
        self.dealt.append(record["tiles"])

    def wild_(self, record: Record) -> None:
        """Keep the wild kind."""
        self.wild = record["tile"]

    def voided_(self, record: Record) -> None:
        """Note that the hand is void."""
        self.voided = record["hand"] == self.hand or self.voided

    def revealed(self, record: Record) -> None:
        """Note a seed."""
        self.use(Single.SEED, record["seed"], record, record["hand"])

    def closed(self, record: Record) -> None:
        """Note the end."""
        self.found.figures.closed = 1
        self.found.figures.void_epochs = int(record["reason"] == "void_epoch")

    def hand_over(self) -> None:
        """Count the hand in play by its fate."""
        if self.hand < 0:
            return
        figures = self.found.figures
        figures.voided += self.voided
        worth = sum(quality(tiles, self.wild) for tiles in self.dealt)
        if self.voided:
            figures.voided_dealt += len(self.dealt)
            figures.voided_quality += worth
        else:
            figures.played_dealt += len(self.dealt)
            figures.played_quality += worth

    def end(self) -> DealFacts:
        """Count the last hand and the entropy; return the facts."""
        self.hand_over()
        if self.found.protocol:
            committed, opened = self.entropy["committed"], self.entropy["entropy"]
            self.found.figures.never_committed = len(self.seats - committed)
            self.found.figures.not_revealed = len(committed - opened)
        return self.found


TAKERS: Final[dict[str, Callable[[DealFold, Record], None]]] = {
    "opened": DealFold.opened, "committed": DealFold.shared, "entropy": DealFold.shared, "beacon": DealFold.beacon,
    "hand_started": DealFold.hand_started, "dealt": DealFold.dealt_, "wild": DealFold.wild_,
    "voided": DealFold.voided_, "revealed": DealFold.revealed, "closed": DealFold.closed,
}  # fmt: skip
TAKEN: Final = frozenset(word.encode() for word in TAKERS)


def quality(tiles: Sequence[str], wild: str = "") -> int:
    """Return the quality of an opening hand: tiles to change (mahjong), or high cards and jokers (cards)."""
    if not tiles or tiles[0] in HIGH:
        return sum([HIGH.get(card, 0) for card in tiles])
    plain = [f"5{tile[1]}" if tile[0] == "0" else tile for tile in tiles]  # red fives of riichi
    counts = bytearray(34)
    wilds = 0
    for tile in plain:
        kind = INDEX.get(tile, len(counts))
        if tile == wild:
            wilds += 1
        elif kind < len(counts) and counts[kind] < COPIES:  # a fifth copy is a finding of replay
            counts[kind] += 1
    return distance(*keys(counts), wilds=wilds)

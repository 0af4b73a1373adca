"""What one game's log shows of its deals: walls from its seeds, opening hands, dice, values that occur once.

Nothing is judged but that the opening hands are those of the wall; replay judges the rest (`paipu verify`). What the
log does not tell (walls without seeds, a deck of unknown rules) is absent, with the reason.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.audit import LAYOUTS
from engine.errors import EventError
from engine.events import Record, check, load
from engine.family import Fault
from engine.formats.riichi import CODES, RiichiHand, RiichiRecord
from engine.formats.riichi_events import is_riichi
from engine.formats.riichi_walls import record_walls, seeded
from engine.formats.tenhou_wall import SeedError, Wall, seed_bytes
from engine.mahjong.rules import MahjongRules
from engine.mahjong.wall import break_stack
from engine.premise import Premise
from engine.replay import known_seeds
from engine.shuffle import Deal, Refusal, deal, mix
from engine.verbs import family_of, premise_of
from viewer.deal_export import TENHOU_DECKS

WITNESS: Final = 128
RIICHI: Final = {3: "riichi3", 4: "riichi"}
"""Layouts of riichi by the number of players."""
RED: Final = {"0m": "5m", "0p": "5p", "0s": "5s"}


@dataclass(slots=True)
class HandSeen:
    """One hand. `opening`: codes of each place's tiles, the dealer's first; `wall`: deck indices, None unknown."""

    hand: int
    at: int
    dealer: int = 0
    wall: bytes | None = None
    opening: list[list[str]] = field(default_factory=list)
    throws: list[tuple[int, ...]] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)
    payments: dict[int, int] = field(default_factory=dict)
    voided: bool = False
    fault: str = ""
    """What of the opening hands is not the wall's."""


@dataclass(slots=True)
class Seen:
    """One game. `deck`: ids in initial order, empty where the log does not tell it (`why`)."""

    game: str
    table: str = ""
    at: int = 0
    rules: str = ""
    deck: tuple[str, ...] = ()
    layout: str = ""
    players: tuple[str, ...] = ()
    """By place at the table."""
    kinds: tuple[str, ...] = ()
    """human, bot, house, by place at the table; "" unknown."""
    hands: list[HandSeen] = field(default_factory=list)
    uses: list[tuple[str, bytes, int]] = field(default_factory=list)
    """Values that may occur once in a log: what it is, its bytes, seq."""
    closed: bool = False
    why: str = ""
    """Why there are no walls."""


def observe(lines: Sequence[bytes], game: str) -> Seen:
    """Read a game's events; lines that are no events are left out (replay says so)."""
    seen = Seen(game)
    try:
        opened = load(lines[0])
        check(lines[0], opened)
    except (EventError, IndexError):
        seen.why = "its first event cannot be read"
        return seen
    if opened["type"] != "opened":
        seen.why = f"a stream that begins with {opened['type']}"
        return seen
    return _Fold(seen, opened, lines).seen


class _Fold:
    """Goes through a game's events; `seen` is what it shows."""

    def __init__(self, seen: Seen, opened: Record, lines: Sequence[bytes]) -> None:
        self.seen = seen
        self.kind_of_player: dict[str, str] = {}
        self.commits: dict[int, bytes] = {}
        self.reveals: dict[int, bytes] = {}
        self.randomness: bytes | None = None
        self.salt: bytes | Refusal | None = None
        self.premise: Premise | None = None
        self.current: HandSeen | None = None
        self.seeds: dict[int, bytes] = {}
        self._opened(opened, lines[0])
        if self.premise is not None and self.premise.context is not None:
            commitment, _, seeds = known_seeds(self.premise, lines)
            self.seeds = dict(enumerate(commitment.seeds)) if commitment is not None else seeds
            if not self.seeds:
                self.seen.why = "its seeds are not revealed"
        for line in lines[1:]:
            start = line.find(b'"type":"') + 8
            take = TAKERS.get(line[start : line.find(b'"', start)])
            if take is None:
                continue
            try:
                record = load(line)
                check(line, record)
            except EventError:
                continue
            take(self, record)
        self._hand_over()

    def _opened(self, record: Record, line: bytes) -> None:
        seen = self.seen
        seen.table = f"{record['operator']} / {record['table']}"
        seen.at, seen.rules = record["at"], record["rules"]["id"]
        seats = [entry for entry in record["seats"] if entry["seat"] < WITNESS]
        self.kind_of_player = {entry["player"]: entry["kind"] for entry in seats}
        self._seated([entry["player"] for entry in seats])
        if is_riichi(line):
            many = 3 if len(seats) == 3 else 4
            seen.deck, seen.layout = TENHOU_DECKS[many], RIICHI[many]
            seen.why = "its events tell no copies of a tile"
            return
        found = premise_of(record)
        if isinstance(found, Fault):
            seen.why = f"its rules or deal are not known: {found.code}"
            return
        self.premise = found
        family = family_of(found.rules)
        seen.deck = family.deck(found.rules)
        seen.layout = layout_name(found)
        if found.context is None:
            seen.why = "the deal follows no committed seed (protocol none)"
        elif "root_s" in record["deal"]:
            self._use("root_s", record["deal"]["root_s"], record)

    def _seated(self, order: Sequence[str]) -> None:
        self.seen.players = tuple(order)
        self.seen.kinds = tuple(self.kind_of_player.get(player, "") for player in order)

    def _use(self, what: str, text: str, record: Record) -> None:
        self.seen.uses.append((what, bytes.fromhex(text), record["seq"]))

    def seated(self, record: Record) -> None:
        """Note who sits where."""
        self._seated(record["order"])

    def committed(self, record: Record) -> None:
        """Note a commitment."""
        self.commits[record["seat"]] = bytes.fromhex(record["commit"])
        self._use("commit", record["commit"], record)

    def entropy(self, record: Record) -> None:
        """Note a share of entropy."""
        self.reveals[record["seat"]] = bytes.fromhex(record["reveal"])
        self._use("reveal", record["reveal"], record)

    def beacon(self, record: Record) -> None:
        """Note the beacon's randomness."""
        self.randomness = bytes.fromhex(record["randomness"])

    def hand_started(self, record: Record) -> None:
        """Begin a hand; deal it where its seed is known."""
        self._hand_over()
        hand = self.current = HandSeen(record["hand"], record["at"], record["dealer"])
        if "wall_root" in record:
            self._use("wall_root", record["wall_root"], record)
        dealt = self._deal(hand.hand)
        if dealt is not None:
            hand.wall = bytes(dealt.wall)

    def _deal(self, hand: int) -> Deal | None:
        premise = self.premise
        if premise is None or premise.context is None:
            return None
        if self.salt is None:
            self.salt = mix(premise.context, premise.root, self.commits, self.reveals, self.randomness)
        seed = self.seeds.get(hand)
        if seed is None or isinstance(self.salt, Refusal):
            return None
        return deal(premise.context, self.salt, hand, seed)

    def dice(self, record: Record) -> None:
        """Note a throw."""
        if self.current is not None:
            self.current.throws.append(tuple(record["values"]))

    def dealt(self, record: Record) -> None:
        """Note opening tiles; cards may come in two parts."""
        hand, players = self.current, len(self.seen.players)
        if hand is None or record["seat"] >= players:
            return
        if not hand.opening:
            hand.opening = [[] for _ in range(players)]
        hand.opening[(record["seat"] - hand.dealer) % players] += [RED.get(tile, tile) for tile in record["tiles"]]

    def won(self, record: Record) -> None:
        """Note a winner."""
        if self.current is not None:
            self.current.winners.append(record["seat"])

    def settled(self, record: Record) -> None:
        """Note what each seat gets or pays."""
        if self.current is not None:
            self.current.payments = dict(enumerate(record["payments"]))

    def voided(self, record: Record) -> None:
        """Note that the hand is void."""
        if self.current is not None and record["hand"] == self.current.hand:
            self.current.voided = True

    def revealed(self, record: Record) -> None:
        """Note a seed."""
        self._use("seed", record["seed"], record)

    def closed(self, record: Record) -> None:
        """Note the end."""
        assert record["type"] == "closed"
        self.seen.closed = True

    def _hand_over(self) -> None:
        hand = self.current
        if hand is None:
            return
        if hand.wall is not None and hand.opening and self.premise is not None:
            hand.fault = opening_fault(self.premise, hand, self.seen.deck)
        self.seen.hands.append(hand)
        self.current = None


TAKERS: Final[dict[bytes, Callable[[_Fold, Record], None]]] = {
    b"seated": _Fold.seated, b"committed": _Fold.committed, b"entropy": _Fold.entropy, b"beacon": _Fold.beacon,
    b"hand_started": _Fold.hand_started, b"dice": _Fold.dice, b"dealt": _Fold.dealt, b"won": _Fold.won,
    b"settled": _Fold.settled, b"voided": _Fold.voided, b"revealed": _Fold.revealed, b"closed": _Fold.closed,
}  # fmt: skip


def layout_name(premise: Premise) -> str:
    """Return the layout of the opening hands by the rules."""
    rules, players = premise.rules, len(premise.players)
    if rules.family == "mahjong":
        return "mahjong" if players == 4 else "mahjong3"
    return "cards12" if rules.family == "tricks" else f"niuniu{players}"


def opening_fault(premise: Premise, hand: HandSeen, deck: tuple[str, ...]) -> str:
    """Return what of the opening hands does not lie in the wall where the rules deal from, "" for nothing."""
    assert hand.wall is not None
    layout = LAYOUTS[layout_name(premise)]
    start = 0
    rules = premise.rules
    if isinstance(rules, MahjongRules):
        values = [value for throw in hand.throws for value in throw]
        if rules.wall_break == "dice" and len(values) < 2 * rules.wall_dice:
            return ""
        start = 2 * break_stack(rules, hand.dealer, values)
    n = len(deck)
    for place, (tiles, positions) in enumerate(zip(hand.opening, layout.hands, strict=True)):
        lying = [deck[hand.wall[(start + position) % n]].partition(".")[0] for position in positions]
        if lying[: len(tiles)] != tiles:
            return f"the tiles of place {place} from the dealer are not those of the wall"
    return ""


def observe_record(record: RiichiRecord, game: str) -> Seen:
    """Read a riichi record: walls where it carries Tenhou's seed, place 0 the first tile dealt."""
    seen = Seen(game, table=f"tenhou / {game}", rules="riichi.tenhou")
    seen.deck, seen.layout = TENHOU_DECKS[record.seats], RIICHI[record.seats]
    seen.players = record.names
    seen.kinds = ("",) * len(record.names)
    seen.closed = bool(record.ended)
    found: Sequence[Wall] = ()
    try:
        if record.seed:
            seen.uses.append(("seed", seed_bytes(record.seed), 0))
        by_hand = enumerate(record.hands)
        seen.uses += [("seed", hand.shuffle.encode(), number) for number, hand in by_hand if hand.shuffle]
        found = list(record_walls(record))
    except SeedError as error:
        seen.why = f"no seed: {error}" if seeded(record) else "no seed in the record"
    for number, hand in enumerate(record.hands):
        seen.hands.append(_riichi_hand(hand, number, found[number] if found else None))
    return seen


def _riichi_hand(hand: RiichiHand, number: int, wall: Wall | None) -> HandSeen:
    seats = len(hand.hands)
    dealt = [hand.hands[(hand.dealer + step) % seats] for step in range(seats)]
    seen = HandSeen(number, 0, hand.dealer, opening=[[CODES[tile // 4] for tile in tiles] for tiles in dealt])
    if hand.dice is not None:
        seen.throws.append((hand.dice[0] + 1, hand.dice[1] + 1))
    seen.winners = [win.seat for win in hand.wins]
    if hand.wins or hand.drawn is not None:
        seen.payments = dict(enumerate(hand.changes()))
    if wall is not None:
        seen.wall = bytes(wall.indices())
        lying = wall.dealt(hand.dealer)
        if any(sorted(lying[seat]) != sorted(hand.hands[seat]) for seat in range(seats)):
            seen.fault = "the opening hands are not those of the wall"
    return seen

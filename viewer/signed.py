"""Level 5: the commands that players signed (ledger.md 3, 6), checked on append and in audits alike.

For each seat with a key in `opened` the events are shown as that seat was shown them (`engine.view`), and every
signature must be over the decision as recorded and over the head of what the seat had seen:

    command        no key was enrolled, the signature does not hold, `seen` lies ahead, or the head is another: then the
                   player was shown another history, or claims so; either way his signature and the log disagree
    equivocation   two different bodies of one seat, the same `seen`, both signed: the player contradicts himself

The signature of a `refused` event is over the act that was tried. Unsigned decisions of a seat with a key, time-outs
aside, are counted as not checkable: they may be the server's.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.errors import EventError
from engine.events import DECISIONS, Record, load
from engine.view import ALWAYS_OPENED, View
from ledger.command import Command, Shown, read_command
from ledger.errors import Malformed, Refused
from ledger.findings import Finding, Text, Unchecked
from ledger.keys import LOW_ORDER
from viewer.translate import Text as Words
from viewer.translate import bilingual, nbilingual

LEVEL: Final = 5
UNASKED: Final = frozenset({"away", "back", "refused", "voided"})
"""Decisions that the server makes or that a player cannot sign."""
_GAMES: Final = 4096


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is wrong with one command."""

    seq: int
    code: str
    en: str
    zh: str
    expected: str | int | None = None
    found: str | int | None = None


@dataclass(slots=True)
class Player:
    """One seat with a key: what it was shown, what it signed."""

    seat: int
    key: bytes
    view: View
    shown: Shown
    signed: dict[int, bytes] = field(default_factory=dict)
    unsigned: int = 0


class Commands:
    """The signed commands of one game, event by event."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.players: list[Player] = []
        self.size = 0
        self.checked = 0
        self.lost = False
        """Whether an event could not be read: what was shown from there on is not known any more."""

    def skip(self) -> None:
        """Pass over an event that is missing or cannot be read."""
        self.size += 1
        self.lost = True

    def take(self, line: bytes) -> list[Doubt]:
        """Take in the next event; return what is wrong with its signature."""
        if self.size and not self.players and b'"sig":' not in line:
            self.size += 1
            return []
        record = load(line)
        if self.size == 0:
            self._enrol(record)
        doubts = self._judge(record) if "sig" in record or self.players else []
        for player in self.players:
            shown = player.view.first_shown(record)
            if not self.lost:
                player.shown.append(shown)
        self.size += 1
        return doubts

    def _enrol(self, opened: Record) -> None:
        entries = opened.get("seats")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("key"), str) and type(entry.get("seat")) is int:
                try:
                    key = bytes.fromhex(entry["key"])
                except ValueError:
                    key = b""
                seat = entry["seat"]
                self.players.append(Player(seat, key, View(seat), Shown(self.game)))

    def weak(self) -> list[int]:
        """Return the seats whose key is a point of low order, or no key at all."""
        return [player.seat for player in self.players if len(player.key) != 32 or player.key in LOW_ORDER]

    def _player(self, record: Record, act: Record) -> Player | None:
        seat = record.get("seat")
        opened = act.get("type") in ALWAYS_OPENED
        for player in self.players:
            if seat == (player.seat if opened else player.view.place):
                return player
        return None

    def _judge(self, record: Record) -> list[Doubt]:
        tried = record.get("tried")
        refused = record.get("type") == "refused" and isinstance(tried, dict)
        act: Record = {**tried, "game": record.get("game"), "v": record.get("v")} if refused else record  # type: ignore[dict-item]
        player = self._player(record, act)
        if "sig" not in record:
            kind = record.get("type")
            if player is not None and kind in DECISIONS - UNASKED and "auto" not in record:
                player.unsigned += 1
            return []
        self.checked += 1
        if player is None:
            return [self._doubt("command", bilingual("its seat enrolled no key"))]
        try:
            command = read_command(act, record["sig"])
        except Malformed as error:
            return [self._doubt("command", bilingual("the signature is not one: {why}", why=str(error)))]
        return self._compare(player, command)

    def _compare(self, player: Player, command: Command) -> list[Doubt]:
        if not command.holds(player.key):
            return [self._doubt("command", bilingual("the player's signature does not hold"))]
        if command.seen > self.size:
            text = bilingual("the player signed more events than there were before it")
            return [self._doubt("command", text, expected=self.size, found=command.seen)]
        found = []
        known = command.seen <= player.shown.seen  # fewer than the events only after one was lost
        head = player.shown.heads[command.seen] if known else command.head
        if command.head != head:
            text = bilingual("the player signed another history than this log's, as shown to that seat")
            found.append(self._doubt("command", text, expected=head.hex(), found=command.head.hex()))
        before = player.signed.setdefault(command.seen, command.body)
        if before != command.body:
            text = nbilingual(
                "the player signed two different commands after {count} event",
                "the player signed two different commands after {count} events",
                command.seen,
            )
            found.append(self._doubt("equivocation", text, expected=before.decode(), found=command.body.decode()))
        return found

    def _doubt(self, code: str, why: Words, expected: str | int | None = None, found: str | int | None = None) -> Doubt:
        said = bilingual("event {number}: {why}", number=str(self.size), why=why)
        return Doubt(self.size, code, said["en"], said["zh"], expected, found)


@dataclass(frozen=True, slots=True)
class CommandVerdict:
    """Level 5 of one game; `checked` counts signatures."""

    findings: tuple[Finding, ...] = ()
    unchecked: tuple[Unchecked, ...] = ()
    checked: int = 0


def judge_commands(lines: Sequence[bytes], game: str, gno: int | None) -> CommandVerdict:
    """Check every signed command of a game.

    Where its bytes are authenticated every line is an event. Where they are not, as in `ledger.fsck`, lines that are no
    events are passed over, and what was signed on events after them is checked but for its head.
    """
    if lines and b'"key":' not in lines[0] and b'"sig":' not in b"\n".join(lines):
        return CommandVerdict()  # no seat enrolled a key in `opened`, no event is signed
    commands = Commands(game)
    findings = []
    for line in lines:
        try:
            doubts = commands.take(line)
        except EventError:
            commands.skip()
            continue
        for doubt in doubts:
            text = Text(f"{game}, {doubt.en}", f"{game} {doubt.zh}")
            findings.append(
                Finding(LEVEL, doubt.code, "ledger.md 3", text, game, gno, seq=doubt.seq, expected=doubt.expected,
                        found=doubt.found)
            )  # fmt: skip
    unchecked = tuple(
        Unchecked(LEVEL, game, "command", f"{player.unsigned} decisions of seat {player.seat} are not signed")
        for player in commands.players
        if player.unsigned
    )
    return CommandVerdict(tuple(findings), unchecked, commands.checked)


class CommandGate:
    """Refuses, before it is appended, an event whose signed command does not hold (`ledger.log`, `admit`)."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Commands] = OrderedDict()

    def __call__(self, game: str, seq: int, events: Sequence[bytes], before: Callable[[], Iterator[bytes]]) -> None:
        """Take in events from `seq` on; Refused at the first whose signature is wrong."""
        commands = self._games.pop(game, None)
        if commands is None or commands.size != seq:
            commands = Commands(game)
            for line in before():
                commands.take(line)
        for line in events:
            doubts = commands.take(line)
            if commands.size == 1 and commands.weak():
                raise Refused(game, f"the keys of seats {commands.weak()} are no keys, or points of low order")
            if doubts:
                raise Refused(game, doubts[0].en)
        self._games[game] = commands
        if len(self._games) > _GAMES:
            self._games.popitem(last=False)

"""Games for the tests: simulated ones, and ones whose first wall is laid tile by tile.

`Room` is a live table with a clock and known seeds; everything in it is a function of its name, so that a test's game
is the same on every machine. A laid wall (`lay`) takes the place of the first hand's dealt one; `replayed` replays
such a log against the same wall.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from pages import dealt_positions, first_stack, tail_order

from engine import frame, replay, verbs
from engine.cards import KINDS, parse_hand, tile_deck
from engine.events import Body, Record, canonical, load
from engine.family import Fault
from engine.game import Game
from engine.mahjong.bots import BOTS, sight
from engine.shuffle import Commitment, Context, Stream, hmac_words, permute, player_commit
from engine.table import Table, opening
from engine.variants import find

Policy = Callable[["Room", list[Body]], Body]


def seed_of(*words: object) -> bytes:
    return sha256("/".join(map(str, words)).encode()).digest()


def stream_of(*words: object) -> Stream:
    return Stream(hmac_words(seed_of(*words)))


def codes(text: str) -> list[str]:
    """Read a hand or list of tiles in the order written; flowers are `f1` to `f8` as words of their own."""
    found: list[str] = []
    for word in text.split():
        found += [word] if word in KINDS else [KINDS[kind] for kind in parse_hand(word)]
    return found


WALL = {"deal.order": "ccw", "wall.dice_inclusive": True, "wall.count_direction": "cw"}
"""What rules say of the wall where they offer no choice."""


@dataclass(frozen=True)
class Laid:
    """A wall by deck position, and the dice that break it."""

    wall: tuple[int, ...]
    dice: tuple[int, ...]


def lay(rules_id: str = "linhai", options: Mapping[str, Any] | None = None, *, hands: Sequence[str], head: str = "",
        tail: str = "", dice: Sequence[int] = (3, 4, 4, 5), fill: Stream | None = None) -> Laid:  # fmt: skip
    """Lay a wall for seat 0 as dealer: the hands dealt, the next draws from the head, those from the tail.

    Hands may be shorter than they must be; what nobody asked for is filled up in deck order from what is left,
    honours first, so that filler makes no runs; or in the order that a stream gives.
    """
    rules = find(rules_id, options)
    opts = {**WALL, **rules.options()}
    deck = tile_deck(flowers=rules.flowers)
    size = len(deck)
    sequence: list[str | None] = [None] * size
    positions = dealt_positions()
    for place, positions_of in enumerate(positions):
        seat = place if opts["deal.order"] == "ccw" else -place % 4
        for at, code in zip(positions_of, codes(hands[seat]), strict=False):
            sequence[at] = code
    for at, code in enumerate(codes(head)):
        sequence[53 + at] = code
    for at, code in zip(tail_order(opts, size), codes(tail), strict=False):
        assert sequence[at] is None, "head and tail meet"
        sequence[at] = code
    left = list(deck)
    chosen: list[str] = []
    for code in sequence:
        if code is not None:
            held = next((each for each in left if each.partition(".")[0] == code), "")
            assert held, f"more copies of {code} than the set has"
            left.remove(held)
            chosen.append(held)
        else:
            chosen.append("")
    left.sort(key=lambda each: ("ESWNCFP123456789f".index(each[0]) > 6, each[0] == "f"))
    filler = iter([left[at] for at in permute(fill, len(left))] if fill else left)
    whole = [each or next(filler) for each in chosen]
    start = 2 * first_stack(opts, 0, dice)
    index = {each: at for at, each in enumerate(deck)}
    wall = [0] * size
    for at, each in enumerate(whole):
        wall[(start + at) % size] = index[each]
    return Laid(tuple(wall), tuple(dice))


def rich(rules_id: str, options: Mapping[str, Any], name: str) -> Laid:
    """Lay a wall whose four hands are ready or nearly so, full of pairs and pungs; the rest is shuffled.

    Such hands make what chance makes too rarely: several winners, robbed kongs, kongs of every kind, blooms.
    """
    stream = stream_of(name, "rich")
    left = [4] * 34
    hands = []
    for _ in range(4):
        tiles: list[str] = []
        for size, runs in ((2, 0), (2, 5), (3, 1), (3, 2), (3, 1)):
            tiles += _clump(stream, left, size, runs)
        hands.append(" ".join(tiles))
    dice = [stream.below(6) + 1 for _ in range(4)]
    return lay(rules_id, options, hands=hands, dice=dice, fill=stream)


def _clump(stream: Stream, left: list[int], size: int, runs: int) -> list[str]:
    """Take equal tiles that are still left, or `runs` times in 6 neighbouring ones."""
    while True:
        kind = stream.below(34)
        run = stream.below(6) < runs and kind < 27 and kind % 9 <= 9 - size
        kinds = [kind + step if run else kind for step in range(size)]
        if all(left[each] >= kinds.count(each) for each in kinds):
            for each in kinds:
                left[each] -= 1
            return [KINDS[each] for each in kinds]


class Room:
    """A live table with a clock; `lines` is its log so far."""

    def __init__(self, rules_id: str = "linhai", options: Mapping[str, Any] | None = None, *, name: str = "room",
                 match: Mapping[str, Any] | None = None, deal: Mapping[str, Any] | None = None,
                 laid: Laid | None = None, witness: bool = False, enter: bool = True,
                 players: Sequence[str] | None = None) -> None:  # fmt: skip
        rules = find(rules_id, options)
        self.name = name
        self.at = 1_796_083_200_000
        self.laid = laid
        names = players or [f"bot:{name}-{seat}" for seat in range(4)]
        seats = [{"seat": seat, "player": player, "kind": "bot"} for seat, player in enumerate(names)]
        if witness:
            seats.append({"seat": 128, "player": "witness:lab", "kind": "witness"})
        terms = {"protocol": "paipu-fair/1", **(deal or {})}
        self.opened, self.context = opening(
            rules, preset=find(rules_id), game=name, engine="paipu/0.1", operator="simulated", table="t1",
            seats=seats, match=dict(match if match is not None else {"length": {"hands": 1}}), deal=terms,
        )  # fmt: skip
        self.root_seed = None if terms["protocol"] == "paipu-fair/1w" else seed_of(name, "root")
        self.commitment = committed(self.context, name, self.root_seed)
        self.table = Table(self.opened, name, self.commitment, self.root_seed, self.at)
        self.lines = [self.table.first()]
        self.entropy_of = {seat: seed_of(name, "entropy", seat) for seat in self.context.players}
        if enter:
            self.enter()

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def hand(self) -> Any:
        return self.game.hand

    @property
    def options(self) -> list[Body]:
        return self.table.legal()

    def enter(self) -> None:
        """Let every seat commit and reveal its entropy; the seats and the first hand follow."""
        for seat, value in self.entropy_of.items():
            self.act({"type": "committed", "seat": seat, "commit": player_commit(self.context, seat, value).hex()})
        for seat, value in self.entropy_of.items():
            if self.laid is not None and seat == max(self.entropy_of):
                self.lay_wall()
            self.act({"type": "entropy", "seat": seat, "reveal": value.hex()})

    def lay_wall(self) -> None:
        """Put the laid wall in the place of the first hand's own, as soon as the last entropy is about to come."""
        assert self.laid is not None
        game = self.game
        last = max(self.entropy_of)
        game.reveals[last] = self.entropy_of[last]
        own = frame.hand_deal(game)
        assert own is not None
        del game.reveals[last]
        game.salt = None
        game.shuffled = (0, replace(own, wall=self.laid.wall, dice=self.laid.dice))

    def act(self, decision: Mapping[str, Any], *, wait: int = 100) -> list[Record]:
        """Apply a decision; return the records of its event and of what follows."""
        self.at += wait
        new = self.table.act(decision, self.at)
        self.lines += new
        return [load(line) for line in new]

    def discard(self, seat: int, tile: str, *, drawn: bool = False) -> list[Record]:
        return self.act({"type": "discarded", "seat": seat, "tile": tile, **({"drawn": True} if drawn else {})})

    def answer(self, seat: int, answer: str, tiles: str = "") -> list[Record]:
        body: Body = {"type": "answered", "seat": seat, "to": self.hand.window.to, "answer": answer}
        if tiles:
            body["tiles"] = codes(tiles)
        return self.act(body)

    def kong(self, seat: int, kind: str, tile: str) -> list[Record]:
        tiles = [tile] * (4 if kind == "concealed_kong" else 1)
        return self.act({"type": "konged", "seat": seat, "kind": kind, "tiles": tiles})

    def win(self, seat: int) -> list[Record]:
        return self.act({"type": "declared", "seat": seat, "what": "win"})

    def choices(self, seat: int, kind: str) -> list[Body]:
        """Return the lawful bodies of one seat and type."""
        return [body for body in self.options if body["seat"] == seat and body["type"] == kind]

    def answers(self, seat: int) -> list[str]:
        """Return the lawful answers of a seat as words, chows with their tiles."""
        return [
            body["answer"] + ("".join(body["tiles"]) if body["answer"] == "chow" else "")
            for body in self.choices(seat, "answered")
        ]

    def judge(self, decision: Mapping[str, Any], *, at: int | None = None) -> Fault | None:
        """Return the fault of a body in this state, without applying it."""
        game = self.game
        record = {**decision, "at": game.at if at is None else at, "game": self.name, "seq": game.seq, "v": 1}
        return verbs.judge(game, record)

    def idle(self, left: int = 0) -> None:
        """Let every seat time out until so many tiles are left and a seat must act, or until the game is over."""
        while not self.table.over and not (self.hand and self.hand.wall.left <= left and self.hand.phase == "act"):
            body = self.table.timeout(self.options[0]["seat"])
            assert body is not None
            self.act(body)

    def play(self, policy: Policy, *, limit: int = 100_000) -> list[bytes]:
        """Play to the end with a policy for every seat; return the log."""
        for _ in range(limit):
            if self.table.over:
                break
            options = self.options
            assert options, (self.game.phase, self.hand.phase)
            self.act(policy(self, options))
        return self.lines

    def fault(self, lines: Sequence[bytes] | None = None) -> "Place | None":
        """Replay the log so far (or another) with this room's seeds and laid wall; return its first fault."""
        for prefix, (game, _, fault) in enumerate(judged(self.lines if lines is None else lines, self.laid, self)):
            if fault is not None:
                return Place(game.seq, fault.code, fault.clause, fault, prefix)
        return None

    def records(self) -> list[Record]:
        return [load(line) for line in self.lines]


def committed(context: Context, name: str, root_seed: bytes | None) -> Commitment:
    """Commit to every hand's seed of a room."""
    if root_seed is not None:
        return Commitment.open(context, root_seed)
    wide = [b"".join(seed_of(name, "seed", hand, part) for part in range(4)) for hand in range(context.max_hands)]
    return Commitment(context, wide)


def greedy(name: str) -> Policy:
    """Play every seat as the greedy bot does."""
    stream = stream_of(name, "greedy")

    def choose(room: Room, options: list[Body]) -> Body:
        seat = options[0]["seat"]
        mine = [body for body in options if body["seat"] == seat]
        return BOTS["greedy"](sight(room.hand, seat, mine), stream)

    return choose


def lively(name: str, *, win_in: int = 2) -> Policy:
    """Discard as the greedy bot does, but take kongs and pungs nearly always; win once in `win_in`.

    Robbed kongs are always won. Hands grow long: kongs of all kinds, declined wins and ends of the wall occur.
    Windows are answered by a seat chosen at random, so that the order of arrival varies.
    """
    stream = stream_of(name, "lively")

    def choose(room: Room, options: list[Body]) -> Body:
        seats = sorted({body["seat"] for body in options})
        who = seats[stream.below(len(seats))]
        mine = [body for body in options if body["seat"] == who]
        wins = [body for body in mine if body.get("answer") == "win" or body["type"] == "declared"]
        robbing = room.hand.pending_kong >= 0
        if wins and (robbing or stream.below(win_in) == 0):
            return wins[0]
        rest = [body for body in mine if body not in wins]
        strong = [body for body in rest if body["type"] == "konged" or body.get("answer") in {"kong", "pung"}]
        if strong and stream.below(8):
            return strong[stream.below(len(strong))]
        if rest[0]["type"] == "answered":
            return rest[stream.below(len(rest))]
        rest = [body for body in rest if body["type"] == "discarded"]
        if stream.below(6) == 0:
            return rest[stream.below(len(rest))]
        return BOTS["greedy"](sight(room.hand, who, rest), stream)

    return choose


def simulated(rules_id: str = "linhai", options: Mapping[str, Any] | None = None, *, name: str = "sim",
              policy: Callable[[str], Policy] = lively, **room: Any) -> list[bytes]:  # fmt: skip
    """Return the log of a whole simulated game."""
    return Room(rules_id, options, name=name, **room).play(policy(name))


@dataclass
class Place:
    """Where a replay stopped: the fault's seq, code, clause, and how many events were lawful."""

    seq: int
    code: str
    clause: str
    fault: Fault
    prefix: int


def found(lines: Sequence[bytes], **how: Any) -> Place | None:
    """Replay a log; return its first fault, None where there is none."""
    result = replay.replay(lines, **how)
    if result.finding is None:
        return None
    fault = result.finding.fault
    return Place(result.finding.seq, fault.code, fault.clause, fault, result.prefix)


def states(lines: Sequence[bytes], laid: Laid | None = None) -> Iterator[tuple[Game, Record]]:
    """Yield state and record after each event of a log that must be lawful."""
    for game, record, fault in judged(lines, laid):
        assert fault is None, (game.seq, fault)
        yield game, record


def replayed(lines: Sequence[bytes], laid: Laid) -> Place | None:
    """Replay a log against a laid first wall; return its first fault."""
    for prefix, (game, _, fault) in enumerate(judged(lines, laid)):
        if fault is not None:
            return Place(game.seq, fault.code, fault.clause, fault, prefix)
    return None


def judged(lines: Sequence[bytes], laid: Laid | None = None,
           room: "Room | None" = None) -> Iterator[tuple[Game, Record, Fault | None]]:  # fmt: skip
    """Yield state, record and fault event by event, up to the first fault: the fold of replay, on a laid wall.

    The seeds are those that the log reveals, or all of a room's.
    """
    opened = load(lines[0])
    premise = verbs.premise_of(opened)
    assert not isinstance(premise, Fault)
    commitment, root_seed, seeds = replay.known_seeds(premise, lines)
    if room is not None:
        commitment, root_seed = room.commitment, room.root_seed
    game = frame.begin(premise, verbs.family_of(premise.rules), at=opened["at"], seeds=seeds, commitment=commitment,
                       root_seed=root_seed)  # fmt: skip
    yield game, opened, None
    for line in lines[1:]:
        if laid is not None and game.shuffled is None and frame.all_entropy(game):
            own = frame.hand_deal(game)
            assert own is not None
            game.shuffled = (0, replace(own, wall=laid.wall, dice=laid.dice))
        record, fault = replay.read(game, line)
        if fault is None:
            frame.step(game, record)
        yield game, record, fault
        if fault is not None:
            return


def edited(lines: Sequence[bytes], seq: int, /, **fields: Any) -> list[bytes]:
    """Return the log with fields of one event changed (None takes a field out)."""
    record = load(lines[seq])
    for name, value in fields.items():
        key = name.rstrip("_")
        if value is None:
            record.pop(key)
        else:
            record[key] = value
    return [*lines[:seq], canonical(record), *lines[seq + 1 :]]


def renumbered(records: Iterable[Record]) -> list[bytes]:
    """Return canonical lines with `seq` counted anew, every answer's `to` moved along, and `at` never falling."""
    moved: dict[int, int] = {}
    lines = []
    at = 0
    for seq, record in enumerate(records):
        moved[record["seq"]] = seq
        at = max(at, record["at"])
        fresh = {**record, "seq": seq, "at": at}
        if record["type"] == "answered":
            fresh["to"] = moved.get(record["to"], record["to"])
        lines.append(canonical(fresh))
    return lines

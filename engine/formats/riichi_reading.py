"""Events of a `riichi.tenhou` record, read into a record again, so that its check can judge them (`riichi_events`)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import Final

from engine.errors import EventError
from engine.events import Record, check, load
from engine.formats.riichi import NORTH, STARTS, Act, Drawn, Problem, RiichiHand, RiichiRecord, Win, code_of
from engine.formats.riichi_copies import Copies
from engine.formats.riichi_events import FU, RULES, WINDS, YAKU, YAKUMAN, digest
from engine.formats.riichi_shape import is_meld
from engine.formats.riichi_walls import event_walls
from engine.formats.tenhou_wall import (
    EACH,
    HAND_SEED_BYTES,
    LAYOUTS,
    SEED_BYTES,
    Wall,
    hand_seed_text,
    is_seed,
    seed_text,
)


def read(lines: Sequence[bytes]) -> RiichiRecord:
    """Read a record from event lines; what is no event of such a record, or stands out of order, is a problem.

    `place` of every act is its seq. Raises EventError where the first line is no `opened` of these rules.
    """
    first = load(lines[0])
    check(lines[0], first)
    if first["type"] != "opened" or first["rules"]["id"] != RULES:
        raise EventError(f"not a record of {RULES}")
    return _Reader(first, lines).record


class _Reader:
    """Folds events into hands; `record` is the result."""

    def __init__(self, opened: Record, lines: Sequence[bytes]) -> None:
        its = opened["rules"]
        kind = its["options"].get("type")
        self.record = RiichiRecord(names=tuple(entry["player"] for entry in opened["seats"]))
        self.place = 0
        if type(kind) is not int or set(its["options"]) != {"type"} or its["digest"] != digest(its["options"]):
            self._problem(lines[0], f"rules: expected options {{type}} with the digest {digest(its['options'])}")
        else:
            self.record.type = kind
        self.seats = self.record.seats
        self.layout = LAYOUTS[self.seats]
        if [entry["seat"] for entry in opened["seats"]] != list(range(self.seats)) or opened["deal"] != {
            "protocol": "none"
        }:
            self._problem(lines[0], f"expected seats 0 to {self.seats - 1} and protocol none")
        self.record.lobby = opened["table"] if opened["table"] != opened["game"] else None
        self.at = opened["at"]
        self.copies = Copies(reds=self.record.reds, seats=self.seats)
        self.walls: Iterator[Wall | None] = chain(event_walls(lines, self.seats), repeat(None))
        self.wall: Wall | None = None
        self.draws = self.replaced = 0
        self.replacing = False
        self.drawn = self.last = self.last_seat = -1
        self.declaring = -1
        self.over = True
        """The hand has ended (or none has begun)."""
        self.won: list[Record] = []
        self.ura: list[int] = []
        self.ended_scores: list[int] = [STARTS[self.seats]] * self.seats
        for seq, line in enumerate(lines[1:], 1):
            self.place = seq
            self._line(opened, line)

    def _problem(self, line: bytes, why: str) -> None:
        self.record.problems.append(Problem(self.place, line[:200].decode(errors="replace"), why))

    def _line(self, opened: Record, line: bytes) -> None:
        try:
            record = load(line)
            check(line, record)
            self._take(opened, record)
        except (EventError, ValueError) as error:
            self._problem(line, str(error))

    def _take(self, opened: Record, record: Record) -> None:
        if record["game"] != opened["game"] or record["seq"] != self.place or record["at"] < self.at:
            raise ValueError("game, seq or time out of order")
        self.at = record["at"]
        taker = TAKERS.get(record["type"])
        if taker is None:
            raise ValueError(f"no event of a {RULES} record: {record['type']}")
        if "seat" in record and record["seat"] >= self.seats:
            raise ValueError(f"no seat {record['seat']}")
        if "auto" in record or "sig" in record:
            raise ValueError("an imported record knows neither signatures nor time-outs")
        taker(self, record)

    @property
    def hand(self) -> RiichiHand:
        """Return the hand in play."""
        if self.over:
            raise ValueError("no hand is in play")
        return self.record.hands[-1]

    def _act(self, act: Act) -> None:
        if self.won or self.hand.drawn is not None:
            raise ValueError("after the hand's end")
        if self.declaring >= 0 and act.kind not in {"away", "back"} and self.last_seat == self.declaring:
            self._deposit()
        self.hand.acts.append(act)

    def _deposit(self) -> None:
        """Lay down the deposit of a riichi whose discard nobody won from."""
        self.hand.acts.append(Act("deposit", self.declaring, place=self.place))
        self.declaring = -1

    def hand_started(self, record: Record) -> None:
        """Begin a hand; what else starts it comes with the next events."""
        if not self.over:
            raise ValueError("a hand begins before the last one has ended")
        if record["hand"] != len(self.record.hands) or set(record) - ENVELOPE != {
            "hand",
            "dealer",
            "round_wind",
            "streak",
        }:
            raise ValueError(f"expected hand {len(self.record.hands)} with dealer, round_wind and streak alone")
        before = self.record.hands[-1] if self.record.hands else None
        scores, deposits = self._carried(before)
        self.wall = next(self.walls)
        self.copies = Copies(reds=self.record.reds, wall=self.wall, seats=self.seats)
        dealer = record["dealer"]
        self.record.hands.append(
            RiichiHand(
                round=4 * WINDS.index(record["round_wind"]) + dealer,
                honba=record["streak"],
                deposits=deposits,
                dealer=dealer,
                scores=scores,
                dora=-1,
                hands=((),) * self.seats,
                place=self.place,
            )
        )
        self.over = False
        self.draws = self.replaced = 0
        self.replacing = False
        self.drawn = self.last = self.last_seat = self.declaring = -1
        self.won, self.ura = [], []

    def _carried(self, before: RiichiHand | None) -> tuple[tuple[int, ...], int]:
        if before is None:
            return (STARTS[self.seats],) * self.seats, 0
        left = before.deposits + sum(act.kind == "deposit" for act in before.acts)
        return tuple(self.ended_scores), 0 if before.wins else left

    def dice(self, record: Record) -> None:
        """Take the dice."""
        values = record["values"]
        if len(values) != 2 or record["seat"] != self.hand.dealer or self.hand.dice is not None or self.hand.acts:
            raise ValueError("two dice, thrown by the dealer before the deal")
        self.hand.dice = (values[0] - 1, values[1] - 1)

    def dealt(self, record: Record) -> None:
        """Take a seat's tiles."""
        seat = record["seat"]
        order = ((self.hand.dealer + turn) % self.seats for turn in range(self.seats))
        due = next((each for each in order if not self.hand.hands[each]), None)
        if seat != due or len(record["tiles"]) != 13 or self.hand.acts:
            raise ValueError(f"13 tiles of seat {due}")
        dues = self.wall.dealt(self.hand.dealer)[seat] if self.wall is not None else None
        tiles = self.copies.deal(seat, record["tiles"], dues)
        self.hand.hands = tuple(tiles if each == seat else held for each, held in enumerate(self.hand.hands))

    def dora(self, record: Record) -> None:
        """Take an indicator: the first, one more, or (after a win) one under them."""
        wall = self.wall
        if self.won:
            known = wall is not None and len(self.ura) < len(wall.layout.ura)
            self.ura.append(self.copies.fresh(record["tile"], wall.under(len(self.ura)) if wall and known else None))
            return
        number = 0 if self.hand.dora < 0 else 1 + sum(act.kind == "dora" for act in self.hand.acts)
        if number >= len(self.layout.dora):
            raise ValueError("a sixth indicator")
        tile = self.copies.fresh(record["tile"], wall.indicator(number) if wall is not None else None)
        if number == 0:
            self.hand.dora = tile
        else:
            self._act(Act("dora", tile=tile, place=self.place))

    def _begun(self) -> None:
        if self.hand.dora < 0 or not all(self.hand.hands):
            raise ValueError("before the deal is complete")

    def draw(self, record: Record) -> None:
        """Take a draw."""
        self._begun()
        replacing, self.replacing = self.replacing, False
        left = self.layout.tiles - EACH * self.seats - self.draws - self.replaced - 1
        if record["end"] != ("tail" if replacing else "head") or record["left"] != left:
            raise ValueError(f"expected end {'tail' if replacing else 'head'}, left {left}")
        due = None
        if self.wall is not None and left >= 0:
            number = self.replaced % len(self.layout.replacements)
            due = self.wall.replacement(number) if replacing else self.wall.drawn(self.draws)
        self.drawn = self.copies.draw(record["seat"], record["tile"], due)
        self._act(Act("draw", record["seat"], tile=self.drawn, place=self.place))
        if replacing:
            self.replaced += 1
        else:
            self.draws += 1

    def discard(self, record: Record) -> None:
        """Take a discard."""
        self._begun()
        flag = "drawn" in record
        tile = self.copies.take(record["seat"], [record["tile"]], drawn=self.drawn, prefer_drawn=flag)[0]
        if flag != (tile == self.drawn):
            raise ValueError("drawn: the tile of the last draw, and only that")
        self._act(Act("discard", record["seat"], tile=tile, place=self.place))
        self.last, self.last_seat, self.drawn = tile, record["seat"], -1

    def melded(self, record: Record) -> None:
        """Take a call."""
        self._begun()
        own = self.copies.take(record["seat"], record["tiles"])
        claimed = self.last
        if claimed < 0 or code_of(claimed, reds=self.record.reds) != record["claimed"]:
            raise ValueError("claimed: the last discard")
        tiles = tuple(sorted([*own, claimed]))
        if not is_meld(record["kind"], tiles):
            raise ValueError(f"no {record['kind']}")
        self._act(Act(record["kind"], record["seat"], tiles=tiles, claimed=claimed, source=record["from"],
                      place=self.place))  # fmt: skip
        self.last = -1
        self.replacing = record["kind"] == "direct_kong"

    def konged(self, record: Record) -> None:
        """Take a kong of one's own turn."""
        self._begun()
        seat = record["seat"]
        tiles = tuple(sorted(self.copies.take(seat, record["tiles"])))
        if record["kind"] == "concealed_kong":
            if not is_meld("direct_kong", tiles):
                raise ValueError("four equal tiles")
            self._act(Act("concealed_kong", seat, tile=tiles[0], tiles=tiles, place=self.place))
        else:
            pung = next((act for act in self.hand.acts if act.kind == "pung" and act.seat == seat and len(tiles) == 1
                         and act.tiles[0] // 4 == tiles[0] // 4), None)  # fmt: skip
            if pung is None:
                raise ValueError("one tile, the fourth of a pung")
            whole = tuple(sorted({*pung.tiles, *tiles}))
            self._act(Act("added_kong", seat, tile=tiles[0], tiles=whole, claimed=pung.claimed, source=pung.source,
                          place=self.place))  # fmt: skip
            self.last, self.last_seat = tiles[0], seat
        self.replacing = True

    def north(self, record: Record) -> None:
        """Take a north that is set aside."""
        self._begun()
        seat = record["seat"]
        tile = self.copies.take(seat, [record["tile"]], drawn=self.drawn, prefer_drawn=True)[0]
        if tile // 4 != NORTH:
            raise ValueError("only a north is set aside")
        self._act(Act("north", seat, tile=tile, tiles=(tile,), place=self.place))
        self.last, self.last_seat = tile, seat
        self.replacing = True

    def declared(self, record: Record) -> None:
        """Take a riichi; nine terminals are followed by their `drawn_hand`."""
        if record["what"] == "riichi":
            self._act(Act("riichi", record["seat"], place=self.place))
            self.declaring, self.last_seat = record["seat"], -1  # its discard is still to come
        elif record["what"] != "nine_terminals" or not self.hand.acts or self.hand.acts[-1].seat != record["seat"]:
            raise ValueError("riichi, or nine_terminals of the seat to act")

    def win(self, record: Record) -> None:
        """Take a winner; what the hand is worth comes with `settled`."""
        if self.hand.drawn is not None or "occasion" in record:
            raise ValueError("after the hand's end, or with an occasion")
        own = record["by"] == "self_draw"
        tile = self.drawn if own else self.last
        robbed = bool(self.hand.acts) and self.hand.acts[-1].kind in {"added_kong", "north"}
        by = "self_draw" if own else "robbed" if robbed else "discard"
        code = code_of(tile, reds=self.record.reds) if tile >= 0 else "none"
        if record.get("tile") != code or record["by"] != by or ("from" in record) == own:
            raise ValueError(f"expected tile {code}, by {by}")
        self.won.append(record)

    def drawn_hand(self, record: Record) -> None:
        """Take a hand without a winner."""
        if self.won:
            raise ValueError("after a win")
        if self.declaring >= 0 and self.last_seat == self.declaring and record["reason"] != "three_rons":
            self._deposit()
        self.hand.drawn = Drawn(record["reason"], (0,) * self.seats, place=self.place)

    def settled(self, record: Record) -> None:
        """Take what the hand pays."""
        hand = self.hand
        payments = tuple(record["payments"])
        if len(payments) != self.seats or set(record) - ENVELOPE != {"winners", "payments"}:
            raise ValueError(f"{self.seats} payments, winners, no lines")
        if hand.drawn is not None and not record["winners"]:
            hand.drawn = Drawn(hand.drawn.reason, payments, place=hand.drawn.place)
        elif [line["seat"] for line in record["winners"]] == [each["seat"] for each in self.won] and self.won:
            wins = [self._win(won, line) for won, line in zip(self.won, record["winners"], strict=True)]
            hand.wins = _shared(wins, payments)
            hand.payments = payments
        else:
            raise ValueError("the winners of the hand")

    def _win(self, won: Record, line: Record) -> Win:
        patterns = line.get("patterns")
        fu = next((each.get("hu") for each in patterns or () if each["id"] == FU), None)
        yakuman = [int(each["id"].removeprefix(YAKUMAN)) for each in patterns or () if each["id"].startswith(YAKUMAN)]
        yaku = [(int(each["id"].removeprefix(YAKU)), each["fan"]) for each in patterns or ()
                if each["id"].startswith(YAKU)]  # fmt: skip
        if patterns is not None and len(yaku) + len(yakuman) + (fu is not None) != len(patterns):
            raise ValueError("a pattern that is none")
        return Win(
            seat=won["seat"],
            source=won["from"] if "from" in won else won["seat"],
            deltas=(),
            fu=fu,
            points=line["points"],
            yaku=tuple(yaku) if patterns is not None else None,
            yakuman=tuple(yakuman),
            ura=tuple(self.ura) if won["seat"] in self._riichi() else (),
            place=won["seq"],
        )

    def _riichi(self) -> set[int]:
        return {act.seat for act in self.hand.acts if act.kind == "deposit"}

    def hand_ended(self, record: Record) -> None:
        """End the hand: its scores are the start of the next, whose start must be what stands here."""
        hand = self.hand
        if not hand.wins and hand.drawn is None:
            raise ValueError("before the hand is settled")
        self.ended_scores = list(record["scores"])
        hand.ended_scores = tuple(record["scores"])
        hand.next = record.get("next")
        self.over = True

    def revealed(self, record: Record) -> None:
        """Take the published seed."""
        seed = bytes.fromhex(record["seed"])
        if len(seed) == HAND_SEED_BYTES:
            hand = self.record.hands[-1] if self.record.hands else None
            if hand is None or not self.over or record["hand"] != len(self.record.hands) - 1 or hand.shuffle:
                raise ValueError("a hand's own seed, once, right after its end")
            hand.shuffle = hand_seed_text(seed)
            return
        if record["hand"] != 0 or record["path"] or self.record.seed or not is_seed(seed):
            raise ValueError(f"one seed of {SEED_BYTES:,} bytes, hand 0, no path")
        self.record.seed = seed_text(seed)

    def closed(self, record: Record) -> None:
        """Take the end of the game."""
        if self.record.ended or not self.over or record["reason"] != "match_end" or "root_seed" in record:
            raise ValueError("one end, match_end, after the last hand")
        self.record.ended = True
        self.record.final = tuple(record["scores"])

    def presence(self, record: Record) -> None:
        """Take that somebody is away or back."""
        if not self.over and not self.won and self.hand.drawn is None:
            self._act(Act(record["type"], record["seat"], place=self.place))


ENVELOPE: Final = {"at", "game", "seq", "v", "type"}
TAKERS: Final[dict[str, Callable[[_Reader, Record], None]]] = {
    "hand_started": _Reader.hand_started, "dice": _Reader.dice, "dealt": _Reader.dealt, "dora": _Reader.dora,
    "drawn": _Reader.draw, "flower": _Reader.north, "discarded": _Reader.discard, "melded": _Reader.melded,
    "konged": _Reader.konged,
    "declared": _Reader.declared, "won": _Reader.win, "drawn_hand": _Reader.drawn_hand, "settled": _Reader.settled,
    "hand_ended": _Reader.hand_ended, "revealed": _Reader.revealed, "closed": _Reader.closed,
    "away": _Reader.presence, "back": _Reader.presence,
}  # fmt: skip


def _shared(wins: list[Win], payments: tuple[int, ...]) -> list[Win]:
    """Give each winner his part of the payments: the later ones their points, the first the rest with all counters.

    Where a seat may be liable for one of several winners, the parts stay unknown and only their sum is judged.
    """
    if len(wins) > 1 and any(win.yakuman for win in wins):
        return wins
    rest = list(payments)
    found = []
    for win in wins[:0:-1]:
        points = win.points or 0
        change = tuple(points * (seat == win.seat) - points * (seat == win.source) for seat in range(len(payments)))
        rest = [left - part for left, part in zip(rest, change, strict=True)]
        found.append(replace(win, deltas=change))
    return [replace(wins[0], deltas=tuple(rest)), *reversed(found)]

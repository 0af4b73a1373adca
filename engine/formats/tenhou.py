"""Tenhou's mjlog, read into a record and written again: written records equal the file they came from, byte by byte.

The format is a list of tags without content. Every tag, attribute and number is accounted for: what cannot be taken
is a problem with its tag, never skipped. Scores stand in hundreds; `INIT seed` is round, honba, deposits, two dice,
the dora indicator. What is checked against what: `riichi_match`; what nobody can check: UNCHECKED.
"""

import re
from collections.abc import Callable
from typing import Final

from engine.errors import EventError
from engine.formats import tenhou_words as take
from engine.formats.riichi import THREE, Act, Drawn, Problem, RiichiHand, RiichiRecord, Win
from engine.formats.tenhou_meld import decode
from engine.formats.tenhou_tags import DISCARDS, DRAWS, REASONS, write
from engine.formats.tenhou_words import OddTagError

__all__ = ["UNCHECKED", "OddTagError", "is_mjlog", "read", "write"]

UNCHECKED: Final = {
    "mjloggm.ver": "version of the file format",
    "SHUFFLE.ref": "a note of the operator",
    "GO.type": "bits of room and speed",
    "GO.lobby": "where the table stood",
    "UN.n0": "name", "UN.n1": "name", "UN.n2": "name", "UN.n3": "name",
    "UN.dan": "grades", "UN.rate": "ratings", "UN.sx": "sex as registered",
    "BYE.who": "who lost the connection",
}  # fmt: skip
"""Fields that only the operator knows; why nothing in the log can confirm them."""
KNOWN_VERSIONS = ("2.0", "2.1", "2.2", "2.3")
MOST_BITS = 0xFFFF

_TAG = re.compile(r'<(/?[A-Za-z]+)([0-9]*)((?:\s+[A-Za-z0-9]+="[^"<>]*")*)\s*(/?)>')
_ATTRIBUTE = re.compile(r'([A-Za-z0-9]+)="([^"<>]*)"')
_ONCE = ("SHUFFLE", "GO", "TAIKYOKU")


Tag = tuple[str, str, list[tuple[str, str]], str]
"""Name, digits of the name, attributes in order, the tag's text."""


def is_mjlog(data: bytes) -> bool:
    """Tell whether bytes look like an mjlog."""
    return data.lstrip().startswith(b"<mjloggm")


def read(text: str) -> RiichiRecord:
    """Read an mjlog; EventError where it is none at all, problems in the record where single tags are odd."""
    tags = _tags(text)
    if not tags or tags[0][0] != "mjloggm":
        raise EventError("not an mjlog")
    return _Reader(tags).record


def _tags(text: str) -> list[Tag]:
    """Cut a text into tags: name, digits of the name, attributes, the tag's text."""
    found: list[Tag] = []
    at = 0
    for match in _TAG.finditer(text):
        between = text[at : match.start()].strip()
        if between and not (at == 0 and between.startswith("<?xml") and between.endswith("?>")):
            raise EventError(f"not an mjlog: text between the tags: {between[:40]!r}")
        at = match.end()
        found.append((match[1], match[2], _ATTRIBUTE.findall(match[3]), match[0]))
    if text[at:].strip():
        raise EventError(f"not an mjlog: it ends with {text[at:].strip()[:40]!r}")
    return found


class _Reader:
    """Reads the tags one by one; `record` is the result."""

    def __init__(self, tags: list[Tag]) -> None:
        self.record = RiichiRecord(names=())
        self.place = 0
        seen: set[str] = set()
        for place, (name, digits, pairs, text) in enumerate(tags):
            self.place = place
            attributes = dict(pairs)
            try:
                if len(attributes) != len(pairs):
                    raise OddTagError("an attribute twice")
                if name in _ONCE and name in seen:
                    raise OddTagError(f"a second {name}")
                seen.add(name)
                self._take(name, digits, attributes, last=place == len(tags) - 1)
            except ValueError as error:
                self.record.problems.append(Problem(place, text[:120], str(error)))
        if tags[-1][0] != "/mjloggm":
            self._lack("the file is cut off: no end of mjloggm")
        for name in ("GO", "TAIKYOKU", "UN"):
            if name not in seen:
                self._lack(f"no {name}")

    def _lack(self, why: str) -> None:
        self.record.problems.append(Problem(self.place, "", why))

    def _take(self, name: str, digits: str, attributes: dict[str, str], *, last: bool) -> None:
        if len(name) == 1 and name in DRAWS + DISCARDS:
            self._tile(name, digits, attributes)
            return
        if digits:
            raise OddTagError(f"no tag {name}{digits}")
        if name == "mjloggm":
            take.only(attributes, {"ver"}, {"ver"})
            if self.place or attributes["ver"] not in KNOWN_VERSIONS:
                raise OddTagError(f"version {attributes['ver']} is not known")
            self.record.about["mjloggm"] = attributes
        elif name == "/mjloggm":
            if not last or attributes:
                raise OddTagError("an end before the end")
        elif name in _TAKERS:
            _TAKERS[name](self, attributes)
        else:
            raise OddTagError(f"no tag {name}")

    @property
    def hand(self) -> RiichiHand:
        """Return the hand in play."""
        if not self.record.hands:
            raise OddTagError("before the first INIT")
        hand = self.record.hands[-1]
        if hand.drawn is not None:
            raise OddTagError("after the hand's end")
        return hand

    def _tile(self, name: str, digits: str, attributes: dict[str, str]) -> None:
        take.only(attributes, set(), set())
        kind, seat = ("draw", DRAWS.index(name)) if name in DRAWS else ("discard", DISCARDS.index(name))
        self._seat(str(seat))
        self._act(Act(kind, seat, tile=take.tile_id(digits), place=self.place))  # type: ignore[arg-type]

    def _act(self, act: Act) -> None:
        hand = self.hand
        if hand.wins:
            raise OddTagError("after the hand's end")
        hand.acts.append(act)

    def shuffle(self, given: dict[str, str]) -> None:
        """Take the seed."""
        take.only(given, {"seed", "ref"}, {"seed", "ref"})
        self.record.seed = given["seed"]
        self.record.about["SHUFFLE"] = {"ref": given["ref"]}

    def go(self, given: dict[str, str]) -> None:
        """Take the rules' bits and the lobby."""
        take.only(given, {"type"}, {"type", "lobby"})
        self.record.type = take.number(given["type"])
        if not 0 <= self.record.type <= MOST_BITS:
            raise OddTagError(f"no type {self.record.type}")
        self.record.lobby = given.get("lobby")

    def un(self, given: dict[str, str]) -> None:
        """Take the players' names, or that one is back."""
        if self.record.names:
            take.only(given, set(), {"n0", "n1", "n2", "n3"})
            if not given:
                raise OddTagError("nobody who is back")
            for name, value in given.items():
                seat = self._seat(name[1])
                if self.record.names[seat] != value:
                    raise OddTagError(f"another name than at the start: {value}")
                self._presence("back", seat)
            return
        wanted = ("n0", "n1", "n2", "n3", "dan", "rate", "sx")
        take.only(given, set(wanted[:4]), set(wanted))
        three = self.record.type & THREE and not given["n3"]
        self.record.names = tuple(given[name] for name in wanted[: 3 if three else 4])
        self.record.about["UN"] = {name: given[name] for name in wanted[4:] if name in given}
        for name, pattern in (("dan", r"\d+"), ("rate", r"-?\d+(\.\d+)?"), ("sx", "[MFC]")):
            if name in given and not re.fullmatch(f"{pattern}(,{pattern}){{3}}", given[name]):
                raise OddTagError(f"{name} is not one of each seat")

    def bye(self, given: dict[str, str]) -> None:
        """Take that a player is away."""
        take.only(given, {"who"}, {"who"})
        self._presence("away", self._seat(given["who"]))

    def _presence(self, kind: str, seat: int) -> None:
        if self.record.hands and not self.record.hands[-1].wins and self.record.hands[-1].drawn is None:
            self._act(Act(kind, seat, place=self.place))  # type: ignore[arg-type]
        else:
            between = self.record.hands[-1].after if self.record.hands else self.record.before
            between.append(Act(kind, seat, place=self.place))  # type: ignore[arg-type]

    def taikyoku(self, given: dict[str, str]) -> None:
        """Take the first dealer, who is always seat 0."""
        take.only(given, {"oya"}, {"oya"})
        if given["oya"] != "0":
            raise OddTagError("the first dealer is seat 0")

    def init(self, given: dict[str, str]) -> None:
        """Take a hand's start."""
        names = {"seed", "ten", "oya", *(f"hai{seat}" for seat in range(self.record.seats))}
        take.only(given, names, names | {"shuffle", "hai3"})
        if self.record.seats == 3 and given.get("hai3"):
            raise OddTagError("a fourth hand at a table of three")
        if self.record.hands and not (self.record.hands[-1].wins or self.record.hands[-1].drawn):
            raise OddTagError("a hand begins before the last one has ended")
        seed = take.numbers(given["seed"], 6)
        if not all(0 <= die <= 5 for die in seed[3:5]):
            raise OddTagError(f"no dice {seed[3:5]}")
        hand = RiichiHand(
            round=seed[0],
            honba=seed[1],
            deposits=seed[2],
            dealer=self._seat(given["oya"]),
            scores=self._scores(given["ten"]),
            dora=take.tile_id(str(seed[5])),
            hands=tuple(tuple(take.tiles(given[f"hai{seat}"])) for seat in range(self.record.seats)),
            dice=(seed[3], seed[4]),
            shuffle=given.get("shuffle", ""),
            place=self.place,
        )
        if any(len(each) != 13 for each in hand.hands):
            raise OddTagError("a hand of other than 13 tiles")
        self.record.hands.append(hand)

    def meld(self, given: dict[str, str]) -> None:
        """Take a call."""
        take.only(given, {"who", "m"}, {"who", "m"})
        self._act(decode(take.number(given["m"]), self._seat(given["who"]), self.place))

    def dora(self, given: dict[str, str]) -> None:
        """Take an indicator."""
        take.only(given, {"hai"}, {"hai"})
        self._act(Act("dora", tile=take.tile_id(given["hai"]), place=self.place))

    def riichi(self, given: dict[str, str]) -> None:
        """Take a riichi, or its deposit."""
        take.only(given, {"who", "step"}, {"who", "step", "ten"})
        seat = self._seat(given["who"])
        if given["step"] == "1" and "ten" not in given:
            self._act(Act("riichi", seat, place=self.place))
        elif given["step"] == "2":
            scores = self._scores(given["ten"]) if "ten" in given else ()
            self._act(Act("deposit", seat, scores=scores, place=self.place))
        else:
            raise OddTagError("step 1 alone, or step 2 with the scores")

    def win(self, given: dict[str, str]) -> None:
        """Take one winner."""
        names = {"ba", "hai", "machi", "ten", "doraHai", "who", "fromWho", "sc"}
        take.only(given, names, names | {"m", "yaku", "yakuman", "doraHaiUra", "paoWho", "owari"})
        hand = self.hand
        fu, points, limit = take.numbers(given["ten"], 3)
        pairs = take.numbers(given["yaku"]) if given.get("yaku") else []
        if len(pairs) % 2:
            raise OddTagError("a pattern without its han")
        before, deltas = self._change(given["sc"])
        seat = self._seat(given["who"])
        melds = [decode(take.number(word), seat, self.place) for word in given["m"].split(",")] if "m" in given else []
        hand.wins.append(
            Win(
                seat=seat,
                source=self._seat(given["fromWho"]),
                deltas=deltas,
                tile=take.tile_id(given["machi"]),
                fu=fu,
                points=points,
                limit=limit,
                yaku=tuple(zip(pairs[::2], pairs[1::2], strict=True)),
                yakuman=tuple(take.numbers(given["yakuman"])) if "yakuman" in given else (),
                dora=tuple(take.tiles(given["doraHai"])),
                ura=tuple(take.tiles(given["doraHaiUra"])) if "doraHaiUra" in given else (),
                hand=tuple(take.tiles(given["hai"])),
                melds=tuple(melds),
                liable=self._seat(given["paoWho"]) if "paoWho" in given else None,
                counters=take.pair(given["ba"]),
                before=before,
                place=self.place,
            )
        )
        self._end(given)

    def draw(self, given: dict[str, str]) -> None:
        """Take a hand without a winner."""
        take.only(given, {"ba", "sc"}, {"ba", "sc", "type", "owari", "hai0", "hai1", "hai2", "hai3"})
        hand = self.hand
        if hand.wins:
            raise OddTagError("a draw after a win")
        word = given.get("type")
        if word is not None and word not in REASONS:
            raise OddTagError(f"no draw {word}")
        before, deltas = self._change(given["sc"])
        hand.drawn = Drawn(
            reason=REASONS[word] if word else "exhausted",
            deltas=deltas,
            shown={seat: tuple(take.tiles(given[f"hai{seat}"])) for seat in range(4) if given.get(f"hai{seat}")},
            counters=take.pair(given["ba"]),
            before=before,
            place=self.place,
        )
        self._end(given)

    def _change(self, text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        values = take.numbers(text, 8)
        return self._each(values[::2]), self._each(values[1::2])

    def _scores(self, text: str) -> tuple[int, ...]:
        return self._each(take.numbers(text, 4))

    def _each(self, hundreds: list[int]) -> tuple[int, ...]:
        """Return points of each seat; a table of three writes a fourth value, nought."""
        if self.record.seats == 3 and hundreds.pop():
            raise OddTagError("points of a fourth seat at a table of three")
        return tuple(100 * value for value in hundreds)

    def _seat(self, word: str) -> int:
        seat = take.seat(word)
        if seat >= self.record.seats:
            raise OddTagError(f"no seat {seat} at a table of three")
        return seat

    def _end(self, given: dict[str, str]) -> None:
        if self.record.ended:
            raise OddTagError("a second end of the game")
        if "owari" in given:
            words = given["owari"].split(",")
            if len(words) not in {8, 12}:
                raise OddTagError("owari is not two values a seat, or three")
            results = words[1:8:2]
            if self.record.seats == 3 and results.pop() not in {"0", "0.0"}:
                raise OddTagError("a result of a fourth seat at a table of three")
            self.record.final = self._each([take.number(word) for word in words[:8:2]])
            self.record.results = tuple(take.tenths(word) for word in results)
            self.record.ended = True
            self.record.about["owari"] = {"words": given["owari"]}
            if words[8:]:
                self.record.about["chips"] = {"words": ",".join(words[8:])}


_TAKERS: Final[dict[str, Callable[[_Reader, dict[str, str]], None]]] = {
    "SHUFFLE": _Reader.shuffle, "GO": _Reader.go, "UN": _Reader.un, "BYE": _Reader.bye, "TAIKYOKU": _Reader.taikyoku,
    "INIT": _Reader.init, "N": _Reader.meld, "DORA": _Reader.dora, "REACH": _Reader.riichi, "AGARI": _Reader.win,
    "RYUUKYOKU": _Reader.draw,
}  # fmt: skip

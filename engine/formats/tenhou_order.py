"""The order of play of a tenhou.net/6 hand: what each seat took and let go, put into one row of acts.

The format does not write it down. It follows from the turns, and from the calls: a discard goes to the seat whose
next entry claims it from there, a pung or kong before a chow, else to the seat after.
"""

import re
from typing import Any, Final

from engine.formats.riichi import CODES, Act, RiichiHand, code_of
from engine.formats.riichi_copies import Copies

NUMBERS: Final = {
    **{code: 11 + 10 * (kind // 9) + kind % 9 for kind, code in enumerate(CODES)}, "0m": 51, "0p": 52, "0s": 53,
}  # fmt: skip
"""The format's number of each tile code of ours."""
CODE_OF: Final = {number: code for code, number in NUMBERS.items()}
DRAWN, TAKEN = 60, 0
"""A discard of the tile just drawn; what stands among the discards for a direct kong."""
NORTH = "f44"
"""A north set aside, at a table of three; what it brings is the seat's next draw."""
_CALL = re.compile(r"(?:[1-5][0-9]|[cpmkar])+")


class Order:
    """Puts what each seat took and let go into the order of play."""

    def __init__(self, hand: RiichiHand, copies: Copies, dora: list[str], *, unpaid: bool, place: int) -> None:
        self.hand, self.copies, self.dora, self.place = hand, copies, dora, place
        self.seats = len(hand.hands)
        self.turned = 0
        self.later = False
        """An indicator is to be turned before the next discard."""
        self.pungs: dict[tuple[int, int], Act] = {}
        self.unpaid = unpaid
        """The last riichi was not paid: its discard was won, or the record is cut off there."""

    def play(self, took: list[list[Any]], left: list[list[Any]]) -> None:
        """Walk through the turns until nothing is left."""
        seat = self.hand.dealer
        while took[seat]:
            taken = took[seat].pop(0)
            drawn = -1
            if isinstance(taken, str):
                self._claim(seat, taken)
                if "m" in taken:
                    if left[seat] and left[seat][0] == TAKEN:
                        left[seat].pop(0)
                    continue
            else:
                drawn = self.copies.draw(seat, CODE_OF[taken])
                self._add(Act("draw", seat, tile=drawn, place=self.place))
            if not left[seat]:
                break
            thrown = left[seat].pop(0)
            if isinstance(thrown, str) and ("a" in thrown or "k" in thrown):
                self._kong(seat, thrown)
                continue
            if isinstance(thrown, str) and thrown.startswith("f"):
                self._north(seat, thrown, drawn)
                continue
            tile = self._discard(seat, thrown, drawn)
            ends = not any(took) and not any(left)
            if isinstance(thrown, str) and not (ends and self.unpaid):
                self._add(Act("deposit", seat, place=self.place))
            seat = self._next(seat, tile, took)
        if any(took) or any(left):
            raise ValueError("draws and discards that fit no order of play")

    def _add(self, act: Act) -> None:
        self.hand.acts.append(act)

    def _turn(self) -> None:
        if self.turned < len(self.dora):
            self._add(Act("dora", tile=self.copies.fresh(self.dora[self.turned]), place=self.place))
            self.turned += 1

    def _discard(self, seat: int, thrown: int | str, drawn: int) -> int:
        if self.later:
            self._turn()
            self.later = False
        if isinstance(thrown, str):
            if not thrown.startswith("r"):
                raise ValueError(f"no discard {thrown}")
            self._add(Act("riichi", seat, place=self.place))
            thrown = int(thrown[1:])
        if thrown == DRAWN and drawn < 0:
            raise ValueError("60 without a draw")
        code = code_of(drawn, reds=self.copies.reds) if thrown == DRAWN else CODE_OF[thrown]
        tile = self.copies.take(seat, [code], drawn=drawn, prefer_drawn=thrown == DRAWN)[0]
        self._add(Act("discard", seat, tile=tile, place=self.place))
        return tile

    def _next(self, seat: int, tile: int, took: list[list[Any]]) -> int:
        """Return who takes next: a pung or kong of this discard before a chow, else the seat after."""
        code = NUMBERS[code_of(tile, reds=self.copies.reds)]
        for letters in ("pm", "c"):
            for other in ((seat + turns) % self.seats for turns in range(1, self.seats)):
                if took[other] and isinstance(took[other][0], str):
                    letter, claimed, turns, _ = parse_call(took[other][0])
                    if letter in letters and claimed == code and (other + turns) % 4 == seat:
                        return other
        return (seat + 1) % self.seats

    def _north(self, seat: int, word: str, drawn: int) -> None:
        if self.seats != 3 or word != NORTH:
            raise ValueError(f"no discard {word}")
        tile = self.copies.take(seat, ["N"], drawn=drawn, prefer_drawn=True)[0]
        self._add(Act("north", seat, tile=tile, tiles=(tile,), place=self.place))

    def _claim(self, seat: int, word: str) -> None:
        letter, claimed, turns, own = parse_call(word)
        source = (seat + turns) % 4
        last = self.hand.acts[-1] if self.hand.acts[-1].kind == "discard" else self.hand.acts[-2]
        if last.kind != "discard" or NUMBERS[code_of(last.tile, reds=self.copies.reds)] != claimed:
            raise ValueError(f"{word}: not the last discard")
        tiles = tuple(sorted([*self.copies.take(seat, [CODE_OF[each] for each in own]), last.tile]))
        kind: Any = {"c": "chow", "p": "pung", "m": "direct_kong"}[letter]
        act = Act(kind, seat, tiles=tiles, claimed=last.tile, source=source, place=self.place)
        self._add(act)
        if kind == "pung":
            self.pungs[seat, tiles[0] // 4] = act
        if kind == "direct_kong":
            self._kong_made(now=False)

    def _kong_made(self, *, now: bool) -> None:
        if self.later:
            self._turn()
        self.later = not now
        if now:
            self._turn()

    def _kong(self, seat: int, word: str) -> None:
        numbers = [int(each) for each in re.findall(r"[0-9]{2}", word)]
        if "a" in word:
            tiles = tuple(sorted(self.copies.take(seat, [CODE_OF[each] for each in numbers])))
            self._add(Act("concealed_kong", seat, tile=tiles[0], tiles=tiles, place=self.place))
            self._kong_made(now=True)
            return
        added = int(word[word.index("k") + 1 :][:2])
        tile = self.copies.take(seat, [CODE_OF[added]])[0]
        pung = self.pungs[seat, tile // 4]
        whole = tuple(sorted({*pung.tiles, tile}))
        self._add(Act("added_kong", seat, tile=tile, tiles=whole, claimed=pung.claimed, source=pung.source,
                      place=self.place))  # fmt: skip
        self._kong_made(now=False)


def parse_call(word: str) -> tuple[str, int, int, list[int]]:
    """Cut a call into its letter, the claimed tile, from how many seats on it came, and the tiles from hand."""
    if not _CALL.fullmatch(word):
        raise ValueError(f"no call {word}")
    letter = next((each for each in word if each in "cpm"), "")
    at = word.find(letter) // 2 if letter else -1
    numbers = [int(each) for each in re.findall(r"[0-9]{2}", word)]
    if not letter or len(numbers) != (4 if letter == "m" else 3):
        raise ValueError(f"no call {word}")
    claimed = numbers.pop(at)
    turns = 3 if at == 0 else 2 if at == 1 else 1
    return letter, claimed, turns, numbers

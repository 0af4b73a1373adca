"""What the pages of all games say alike of windows and discards (`mahjong.md` 0.7, 2.3), for the plain referees."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

Body = dict[str, Any]


def asked(sets: Mapping[int, list[Body]], seq: int) -> Generator[tuple[str, Any], Body, dict[int, Body]]:
    """0.7: each seat with an option answers once, in any order; return what each answered."""
    given: dict[int, Body] = {}
    while len(given) < len(sets):
        head = {"type": "answered", "to": seq}
        event = yield (
            "choose",
            [
                {**head, "seat": seat, **answer}
                for seat, its in sets.items()
                if seat not in given
                for answer in (*its, {"answer": "pass"})
            ],
        )
        given[event["seat"]] = event
    return given


def claimed(given: Mapping[int, Body], order: Iterable[int], source: int) -> Body | None:
    """0.7: pung and kong before chow, whoever answered first; None where all passed."""
    seats = list(order)
    for words in ({"pung", "kong"}, {"chow"}):
        for seat in seats:
            if given[seat]["answer"] in words:
                return {**given[seat], "from": source}
    return None


def discards(seat: int, tiles: Iterable[str], hand: Mapping[str, int], drawn: str | None) -> list[Body]:
    """Return the discards of these tiles: the tile just drawn and an equal one of the hand are two."""
    found: list[Body] = []
    for tile in tiles:
        if tile == drawn:
            found.append({"type": "discarded", "seat": seat, "tile": tile, "drawn": True})
        if tile != drawn or hand[tile] > 1:
            found.append({"type": "discarded", "seat": seat, "tile": tile})
    return found


def swapped(tile: str, pair: Sequence[str]) -> set[str]:
    """2.3: not the tile itself, nor, where it is an end of the run, the one on the other side of the pair."""
    banned = {tile}
    low, high = sorted(int(each[0]) for each in pair)
    if high - low == 1:
        other = high + 1 if int(tile[0]) < low else low - 1
        if 1 <= other <= 9:
            banned.add(f"{other}{tile[1]}")
    return banned

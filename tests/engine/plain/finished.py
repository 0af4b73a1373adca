"""Random finished hands, as scoring cases and as the sheets that the plain tallies read.

Winning hands are made, not found: sets and a pair from what is left of the set of tiles, some of them on the table,
the winning tile any of the concealed ones. Suits are narrowed now and then, so that flushes, hands of triplets and of
runs occur as often as others.
"""

from dataclasses import dataclass
from typing import Any

from tally import ORDER, Meld, Sheet, Winner

from engine.shuffle import Stream

TILES = ORDER[:34]
PALETTES = (TILES, TILES, TILES, TILES[:9], TILES[9:18] + TILES[27:], TILES[18:27] + TILES[27:30], TILES[27:])
WINDS = "ESWN"
CLAIMED = {"chow": 3, "pung": 3, "direct_kong": 4, "added_kong": 4, "concealed_kong": 4}


@dataclass
class Finished:
    """A case, and the same in the tallies' terms."""

    case: dict[str, Any]
    sheet: Sheet
    winner: Winner


class Box:
    """The tiles that are left."""

    def __init__(self, stream: Stream) -> None:
        self.left = dict.fromkeys(TILES, 4)
        self.stream = stream

    def one_of(self, options: Any) -> Any:
        options = list(options)
        return options[self.stream.below(len(options))]

    def take(self, tiles: list[str]) -> bool:
        if any(self.left[tile] < tiles.count(tile) for tile in tiles):
            return False
        for tile in tiles:
            self.left[tile] -= 1
        return True

    def part(self, palette: list[str], size: int, *, runs: bool) -> list[str] | None:
        """Take equal tiles or a run of the palette; None where it does not work out."""
        for _ in range(30):
            tile = self.one_of(palette)
            tiles = [tile] * size
            if runs:
                if tile in "ESWNCFP" or tile[0] in "89":
                    continue
                tiles = [f"{int(tile[0]) + step}{tile[1]}" for step in range(3)]
            if self.take(tiles):
                return tiles
        return None


def text(tiles: list[str]) -> str:
    return " ".join(tiles)


def finished(rules: str, options: dict[str, Any], whole: dict[str, Any], stream: Stream) -> Finished:
    """Return a random finished hand; `options` differ from the preset, `whole` are all of them."""
    while True:
        made = _try(rules, options, whole, stream)
        if made is not None:
            return made


def _try(rules: str, options: dict[str, Any], whole: dict[str, Any], stream: Stream) -> Finished | None:
    box = Box(stream)
    seat, dealer, wind = stream.below(4), stream.below(4), WINDS[stream.below(4)]
    sheet = Sheet(whole, dealer, wind, [[], [], [], []], [[], [], [], []])
    palette = list(PALETTES[stream.below(len(PALETTES))])
    favourite = (seat + 1 + stream.below(3)) % 4
    run_weight = stream.below(5)
    on_table = (0, 0, 1, 1, 2, 3, 4)[stream.below(7)]
    concealed: list[str] = []
    for number in range(4):
        runs = stream.below(4) < run_weight
        if number < on_table:
            meld = _meld(box, palette, seat, favourite, runs=runs)
            if meld is None:
                return None
            sheet.melds[seat].append(meld)
            continue
        part = box.part(palette, 3, runs=runs)
        if part is None:
            return None
        concealed += part
    pair = box.part(palette, 2, runs=False)
    if pair is None:
        return None
    concealed += pair
    tile = box.one_of(concealed)
    flowers = [f"f{number}" for number in range(1, 9)]
    for flower in flowers:
        owner = stream.below(6)
        if owner < 4 and stream.below(3):
            sheet.flowers[owner].append(flower)
        elif stream.below(2):
            sheet.flowers[seat].append(flower)
    winner = Winner(seat, concealed, "self_draw", None, None, tile)
    _how(box, sheet, winner)
    if winner.by == "discard":
        winner.source = winner.source if winner.source is not None else (seat + 1 + stream.below(3)) % 4
    if winner.occasion not in {"heavenly", "earthly"}:
        for other in range(4):
            if other != seat:
                _other(box, sheet, other, seat)
    for other in range(4):
        if other != seat and stream.below(4):
            _fill(box, sheet, other)
    if stream.below(3) == 0 and winner.occasion not in {"heavenly", "earthly"}:
        sheet.told[seat, favourite] = stream.below(5)
        if stream.below(2):
            sheet.told[favourite, seat] = stream.below(5)
    sheet.hands[seat] = [*concealed]
    sheet.hands[seat].remove(tile)
    return Finished(_case(rules, options, sheet, winner), sheet, winner)


def _meld(box: Box, palette: list[str], seat: int, favourite: int, *, runs: bool) -> Meld | None:
    kind = "chow" if runs else box.one_of(("pung", "pung", "direct_kong", "added_kong", "concealed_kong"))
    tiles = box.part(palette, CLAIMED[kind], runs=runs)
    if tiles is None:
        return None
    source = None if kind == "concealed_kong" else (seat - 1) % 4
    if kind in {"pung", "direct_kong", "added_kong"}:
        source = favourite if box.stream.below(3) else box.one_of(each for each in range(4) if each != seat)
    return Meld(kind, tiles, source)


def _how(box: Box, sheet: Sheet, winner: Winner) -> None:
    """Choose the way of the win and what it happened on."""
    seat, stream = winner.seat, box.stream
    winner.by = ("self_draw", "self_draw", "discard", "robbed")[stream.below(4)]
    kongs = [meld for meld in sheet.melds[seat] if meld.kind.endswith("kong")]
    tile = str(winner.tile)
    if winner.by == "robbed":
        robbed = (seat + 1 + stream.below(3)) % 4
        if box.left[tile] >= 3 and winner.tiles.count(tile) == 1 and box.take([tile] * 3):
            winner.source = robbed
            source = box.one_of(each for each in range(4) if each != robbed)
            sheet.melds[robbed].append(Meld("pung", [tile] * 3, source))
        else:
            winner.by = "discard"
    bare = not any(sheet.melds)
    if winner.by == "self_draw":
        words: list[str | None] = [None, None]
        if kongs:
            words += ["kong_bloom", "kong_bloom", "flower_bloom" if sheet.flowers[seat] else None]
        elif sheet.flowers[seat]:
            words.append("flower_bloom")
        if bare:
            words += ["heavenly"] if seat == sheet.dealer else ["earthly", "earthly"]
        winner.occasion = box.one_of(words)
        if winner.occasion in {"kong_bloom", "flower_bloom"} and kongs:
            winner.kong = (kongs[-1].kind, kongs[-1].source)
        winner.last = winner.occasion not in {"heavenly", "earthly"} and stream.below(4) == 0
        if winner.occasion == "heavenly" and (sheet.options.get("heavenly_after_flowers", True)
                                              or not sheet.flowers[seat]):  # fmt: skip
            winner.tile = None
    elif winner.by == "discard":
        if bare and seat != sheet.dealer and stream.below(2):
            winner.occasion, winner.source = "earthly", sheet.dealer
        elif stream.below(4) == 0:
            winner.occasion, winner.last = "last_discard", True


def _other(box: Box, sheet: Sheet, other: int, winner: int) -> None:
    while len(sheet.melds[other]) < 4 and box.stream.below(2):
        meld = _meld(box, list(TILES), other, winner, runs=box.stream.below(2) == 0)
        if meld is None:
            return
        sheet.melds[other].append(meld)


def _fill(box: Box, sheet: Sheet, other: int) -> None:
    """Give a seat its concealed tiles, many of them equal."""
    size = 13 - 3 * len(sheet.melds[other])
    tiles: list[str] = []
    while len(tiles) < size:
        rest = [tile for tile in TILES if box.left[tile]]
        tile = box.one_of(rest)
        take = min(box.left[tile], 1 + box.stream.below(4), size - len(tiles))
        box.take([tile] * take)
        tiles += [tile] * take
    sheet.hands[other] = tiles


def _case(rules: str, options: dict[str, Any], sheet: Sheet, winner: Winner) -> dict[str, Any]:
    seats: dict[str, Any] = {}
    for seat in range(4):
        its: dict[str, Any] = {}
        if sheet.hands[seat]:
            its["hand"] = text(sheet.hands[seat])
        if sheet.melds[seat]:
            its["melds"] = [_told_meld(meld) for meld in sheet.melds[seat]]
        if sheet.flowers[seat]:
            its["flowers"] = text(sheet.flowers[seat])
        if its:
            seats[str(seat)] = its
    win: dict[str, Any] = {"seats": [winner.seat], "by": winner.by}
    tiles = list(winner.tiles)
    for tile in sheet.hands[winner.seat]:
        tiles.remove(tile)
    win["tile"] = tiles[0]
    if winner.source is not None:
        win["from"] = winner.source
    if winner.occasion is not None:
        win["occasion"] = winner.occasion
    if winner.kong is not None:
        win["kong"] = {"kind": winner.kong[0], **({} if winner.kong[1] is None else {"from": winner.kong[1]})}
    case: dict[str, Any] = {"rules": rules, "options": options, "dealer": sheet.dealer,
                            "round_wind": sheet.round_wind, "seats": seats, "win": win}  # fmt: skip
    if winner.last:
        kongs = sum(meld.kind.endswith("kong") for melds in sheet.melds for meld in melds)
        extended = kongs if sheet.options.get("kong_extends_dead_wall") else 0
        case["remaining"] = 0 if "tai_points" in sheet.options else 14 + extended
    if sheet.told:
        fed: dict[str, dict[str, int]] = {}
        for (claimer, feeder), count in sheet.told.items():
            fed.setdefault(str(claimer), {})[str(feeder)] = count
        case["fed"] = fed
    return case


def _told_meld(meld: Meld) -> dict[str, Any]:
    its: dict[str, Any] = {"kind": meld.kind, "tiles": text(meld.tiles)}
    if meld.source is not None:
        its["from"] = meld.source
    return its

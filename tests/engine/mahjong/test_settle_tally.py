"""Scores and payments of thousands of winning hands, under every option that counts, against the plain tally."""

from collections import Counter
from typing import Any

import pytest
from tables import stream_of
from tally import Meld as PlainMeld
from tally import Sheet, Winner, lines, readings, tai

from engine.cards import KINDS
from engine.mahjong.settle import settle
from engine.mahjong.state import NONE, Hand, Meld, Win, start
from engine.shuffle import Stream
from engine.variants import find

CHOICES: dict[str, tuple[Any, ...]] = {
    "win_tai": ("additive", "only_if_none", "absent"),
    "cap_tai": (0, 1, 3, 7, 99),
    "full_flush_honours": ("own_wind", "none", "own_wind+dragons"),
    "all_honours": ("none", "as_half_flush", "as_full_flush"),
    "own_wind_set": ("triplet", "triplet_or_pair"),
    "round_wind_tai": (0, 1),
    "liability_direction": ("mutual", "claimer_pays", "feeder_pays"),
    "liability_on_discard": ("discarder_own", "liable_replaces"),
    "liability_threshold": (1, 2, 3, 4),
    "liability_split": ("equal", "last_established"),
    "flower_tai": (0, "own_1"),
    "base": (1, 3, 10),
    "extra_tai": (
        {},
        {"kong_bloom": 1, "robbed": 2, "last_discard": 1},
        {"heavenly": 3, "earthly": 2, "flower_bloom": 1},
    ),
}


def pick(stream: Stream, values: Any) -> Any:
    return values[stream.below(len(values))]


def sets(stream: Stream) -> tuple[list[list[int]], int]:
    """Return four sets and a pair of one deck; one suit with honours, honours alone, or anything."""
    while True:
        mode = stream.below(4)
        suit = 9 * stream.below(3)
        found = []
        for _ in range(4):
            honour = mode == 3 or (mode < 3 and stream.below(3) == 0)
            kind = 27 + stream.below(7) if honour else (suit if mode < 2 else 9 * stream.below(3)) + stream.below(9)
            run = not honour and stream.below(2) == 0 and kind % 9 < 7
            found.append([kind, kind + 1, kind + 2] if run else [kind] * 3)
        pair = 27 + stream.below(7) if mode == 3 or stream.below(2) else suit + stream.below(9)
        if max(Counter([kind for each in found for kind in each] + [pair, pair]).values()) <= 4:
            return found, pair


def laid_out(stream: Stream) -> tuple[Hand, Sheet, Winner]:
    """Return one won hand, to the engine and to the tally."""
    options = {name: pick(stream, values) for name, values in CHOICES.items() if stream.below(2)}
    rules = find("linhai.144", options)
    dealer, wind = stream.below(4), stream.below(4)
    hand = start(rules, dealer, 27 + wind, None, None)
    sheet = Sheet(rules.options(), dealer, "ESWN"[wind], [[], [], [], []], [[], [], [], []])
    seat = stream.below(4)
    others = [other for other in range(4) if other != seat]
    shapes, pair = sets(stream)
    used = Counter(kind for shape in shapes for kind in shape) + Counter([pair, pair])
    concealed = [pair, pair]
    for shape in shapes:
        if stream.below(2):
            concealed += shape
            continue
        source = pick(stream, others)
        kind = "chow" if len(set(shape)) > 1 else "pung"
        if kind == "pung" and used[shape[0]] == 3 and stream.below(2):
            kind = pick(stream, ("direct_kong", "added_kong", "concealed_kong"))
        size = 4 if kind.endswith("kong") else 3
        tiles = [*shape, *([shape[0]] if size == 4 else [])]
        open_ = kind != "concealed_kong"
        kept = tuple(tiles[1:]) if open_ else tuple(tiles)
        hand.sides[seat].melds.append(Meld(kind, kept, tiles[0] if open_ else NONE, source if open_ else NONE))
        sheet.melds[seat].append(PlainMeld(kind, [KINDS[tile] for tile in tiles], source if open_ else None))
    flowers = [34 + at for at in range(8) if stream.below(3) == 0]
    hand.sides[seat].flowers = flowers
    sheet.flowers[seat] = [KINDS[flower] for flower in flowers]
    for _ in range(stream.below(16)):
        claimer = stream.below(4)
        feeder = (claimer + 1 + stream.below(3)) % 4
        hand.fed[claimer][feeder] += 1
        sheet.taken.append((claimer, feeder))
        if hand.fed[claimer][feeder] == hand.rules.liability_threshold:
            hand.established.append((claimer, feeder))
    by = pick(stream, ("self_draw", "discard", "robbed"))
    source = NONE if by == "self_draw" else pick(stream, others)
    words = {"self_draw": ("", "kong_bloom", "flower_bloom", "heavenly", "earthly"), "discard": ("", "last_discard")}
    occasion = pick(stream, words.get(by, ("",)))
    tile = NONE if occasion == "heavenly" else pick(stream, concealed)
    counts = [0] * 34
    for kind in concealed:
        counts[kind] += 1
    hand.wins = [Win(seat, tile, by, source, occasion, tuple(counts))]
    code = None if tile == NONE else KINDS[tile]
    plain = Winner(
        seat, [KINDS[kind] for kind in concealed], by, None if source == NONE else source, occasion or None, code
    )
    return hand, sheet, plain


@pytest.mark.parametrize("part", range(4))
def test_every_win_is_worth_and_paid_what_the_page_says(part: int) -> None:
    stream = stream_of("tally", part)
    seen: Counter[str] = Counter()
    for _ in range(600):
        hand, sheet, winner = laid_out(stream)
        assert readings(winner.tiles)
        body = settle(hand).body
        assert body["winners"][0]["tai"] == tai(sheet, winner)
        assert body["winners"][0]["points"] == sheet.options["base"] * 2 ** tai(sheet, winner)
        edges = sorted((line["from"], line["to"], line["amount"]) for line in body["lines"])
        assert edges == sorted(lines(sheet, winner))
        payments = [0, 0, 0, 0]
        for payer, payee, amount in edges:
            payments[payer] -= amount
            payments[payee] += amount
        assert body["payments"] == payments
        counted = sum(pattern["tai"] for pattern in body["winners"][0]["patterns"])
        assert body["winners"][0]["tai"] == min(counted, sheet.options["cap_tai"])
        seen.update(pattern["id"] for pattern in body["winners"][0]["patterns"])
        seen.update(line["reason"] for line in body["lines"])
    words = (
        "win",
        "own_wind",
        "dragon.C",
        "dragon.F",
        "dragon.P",
        "half_flush",
        "full_flush",
        "round_wind",
        "own_flower",
    )
    assert min(seen[word] for word in (*words, "robbed", "liability", "discard", "self_draw")) > 0

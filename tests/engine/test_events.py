"""The vocabulary: bounds in the type, one byte form a value, every event of `events.md` and no other."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import simulated

from engine.cards import CARDS, KINDS
from engine.events import DECISIONS, LIMIT, WORDS, EventError, Record, body_of, build, canonical, load, parse

ENVELOPE: Record = {"at": 1_796_083_200_911, "game": "g-01jd", "seq": 137, "v": 1}
HEX = "ab" * 32

SAMPLES: dict[str, Record] = {
    "opened": {
        "rules": {"id": "linhai", "options": {"base": 2}, "digest": HEX},
        "engine": "paipu/0.1",
        "operator": "o",
        "table": "t",
        "seats": [{"seat": 0, "player": "p", "kind": "human", "key": HEX}],
        "match": {"length": {"hands": 4}},
        "deal": {"protocol": "paipu-fair/1", "root_s": HEX, "max_hands": 64},
        "stake": 5,
    },
    "committed": {"seat": 128, "commit": HEX},
    "entropy": {"seat": 0, "reveal": HEX},
    "beacon": {"chain": HEX, "round": 1, "signature": "ab", "randomness": HEX},
    "seated": {"order": ["a", "b", "c", "d"]},
    "hand_started": {"hand": 0, "dealer": 3, "round_wind": "N", "wall_root": HEX, "words": 143, "rejects": 0},
    "ga_chosen": {"seat": 1, "ga": 5},
    "dice": {"seat": 2, "values": [6, 1]},
    "wild": {"tile": "6p", "indicator": "5p"},
    "dealt": {"seat": 0, "tiles": ["1m", "f8", "P"]},
    "drawn": {"seat": 3, "tile": "E", "end": "tail", "left": 0},
    "flower": {"seat": 0, "tile": "f1"},
    "discarded": {"seat": 1, "tile": "5p", "drawn": True, "auto": True},
    "answered": {"seat": 1, "to": 17, "answer": "chow", "tiles": ["7m", "8m"]},
    "melded": {"seat": 3, "kind": "pung", "tiles": ["9m", "9m"], "claimed": "9m", "from": 0},
    "konged": {"seat": 0, "kind": "concealed_kong", "tiles": ["5p"] * 4},
    "declared": {"seat": 0, "what": "win", "sig": {"head": HEX, "seen": 3, "sig": "00"}},
    "won": {"seat": 1, "tile": "9m", "by": "robbed", "from": 3},
    "drawn_hand": {"reason": "wall_end"},
    "settled": {
        "winners": [{"seat": 1, "patterns": [{"id": "win", "tai": 1}], "tai": 1, "points": 2}],
        "payments": [0, 2, 0, -2],
        "lines": [{"from": 3, "to": 1, "amount": 2, "reason": "robbed", "clause": "LH-26"}],
    },
    "hand_ended": {"scores": [0, 2, 0, -2], "next": {"dealer": 1, "round_wind": "E"}},
    "revealed": {"hand": 0, "seed": HEX, "path": [HEX]},
    "voided": {"hand": 0, "actor": "operator", "reason": "power"},
    "penalised": {"seat": 0, "amount": -5, "clause": "x"},
    "refused": {"seat": 0, "tried": {"type": "declared", "seat": 0, "what": "win"}, "clause": "LH-31"},
    "away": {"seat": 0},
    "back": {"seat": 0},
    "voted": {"seat": 0, "answer": "yes"},
    "closed": {"scores": [0, 0, 0, 0], "reason": "match_end", "root_seed": HEX},
    "bid": {"seat": 0, "bid": 0},
    "banker": {"seat": 0, "bid": 1},
    "bet": {"seat": 0, "amount": 5},
    "shown": {"seat": 0, "cards": ["AS", "BJ"], "bull": "none"},
    "escaped": {"seat": 0},
    "called": {"seat": 0, "card": "2S"},
    "kitty": {"seat": 0, "cards": ["AS"], "suit": "H"},
    "buried": {"seat": 0, "cards": ["AS"]},
    "trump": {"seat": 0, "suit": "C"},
    "played": {"seat": 0, "card": "SJ"},
    "trick": {"winner": 0, "points": 10},
    "dora": {"tile": "0m"},
}


def line_of(word: str, **change: Any) -> bytes:
    record = {**SAMPLES[word], "type": word, **ENVELOPE, **change}
    return canonical({name: value for name, value in record.items() if value is not Ellipsis})


def test_every_word_has_a_sample_and_the_page_has_every_word(shared: Path) -> None:
    assert set(SAMPLES) == set(WORDS)
    page = (shared / "spec/events.md").read_text(encoding="utf-8")
    table = page[: page.index("| **Series**")]
    named = set(
        re.findall(r"`([a-z_]+)`", "\n".join(row.split("|")[1] for row in table.splitlines() if "|" in row[:1]))
    )
    assert named - {"protocol"} == set(WORDS)  # the row of imported logs also names a protocol


@pytest.mark.parametrize("word", SAMPLES)
def test_what_is_written_is_read_back_the_same(word: str) -> None:
    line = line_of(word)
    event = parse(line)
    assert canonical(event.record()) == line
    assert build(body_of(load(line)), at=ENVELOPE["at"], game=ENVELOPE["game"], seq=ENVELOPE["seq"]) == event


@pytest.mark.parametrize("word", SAMPLES)
def test_an_event_is_frozen_and_has_no_other_fields(word: str) -> None:
    event = parse(line_of(word))
    with pytest.raises(ValueError, match="frozen"):
        event.at = 0
    with pytest.raises(EventError, match="extra"):
        parse(line_of(word, extra=1))


@pytest.mark.parametrize("word", SAMPLES)
def test_no_field_is_null_and_no_needed_field_is_missing(word: str) -> None:
    for name in (*SAMPLES[word], *ENVELOPE, "type"):
        with pytest.raises(EventError):
            parse(line_of(word, **{name: None}))
    for name in ("at", "game", "seq", "type"):
        with pytest.raises(EventError):
            parse(line_of(word, **{name: ...}))


@pytest.mark.parametrize("word", SAMPLES)
@pytest.mark.parametrize("value", [True, 1.0, 1.5, "1", -1, 2**53, [], {}])
def test_integers_are_integers(word: str, value: object) -> None:
    for name in ("at", "seq"):
        with pytest.raises(EventError):
            parse(line_of(word, **{name: value}))
    if isinstance(SAMPLES[word].get("seat"), int):
        with pytest.raises(EventError):
            parse(line_of(word, seat=value))


@pytest.mark.parametrize("word", SAMPLES)
@pytest.mark.parametrize("value", [0, 2, True, 1.0, "1"])
def test_the_version_is_the_integer_one(word: str, value: object) -> None:
    with pytest.raises(EventError):
        parse(line_of(word, v=value))


@pytest.mark.parametrize("value", [False, 1, 1.0, "true", 0])
@pytest.mark.parametrize("flag", ["auto", "drawn"])
def test_a_flag_is_true_or_absent(flag: str, value: object) -> None:
    with pytest.raises(EventError):
        parse(line_of("discarded", **{flag: value}))


@pytest.mark.parametrize("word", sorted(WORDS))
def test_decisions_may_be_automatic_and_signed_consequences_never(word: str) -> None:
    signature = {"head": HEX, "seen": 3, "sig": "00"}
    if word in DECISIONS:
        parse(line_of(word, auto=True))
        parse(line_of(word, sig=signature))
    else:
        for name, value in (("auto", True), ("sig", signature)):
            with pytest.raises(EventError):
                parse(line_of(word, **{name: value}))


def test_decisions_are_those_of_the_page(shared: Path) -> None:
    page = (shared / "spec/events.md").read_text(encoding="utf-8")
    free = set()
    for row in page[: page.index("| **Series**")].splitlines():
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) > 3:
            words = [word for word in re.findall(r"`([a-z_]+)`", cells[1]) if word != "protocol"]
            kinds = cells[2].split()
            kinds = kinds if len(kinds) == len(words) else kinds * len(words)
            free |= {word for word, kind in zip(words, kinds, strict=False) if kind == "D"}
    assert free == DECISIONS


@pytest.mark.parametrize(
    ("word", "change"),
    [
        ("discarded", {"tile": "10m"}),
        ("discarded", {"tile": "0z"}),
        ("discarded", {"tile": "AS"}),
        ("discarded", {"seat": 10}),
        ("answered", {"answer": "ron"}),
        ("answered", {"tiles": ["7m", "zz"]}),
        ("answered", {"tiles": "7m8m"}),
        ("konged", {"kind": "direct_kong"}),
        ("melded", {"kind": "added_kong"}),
        ("melded", {"from": 10}),
        ("drawn", {"end": "middle"}),
        ("drawn", {"left": -1}),
        ("dice", {"values": [0]}),
        ("dice", {"values": [7]}),
        ("dice", {"values": [1.0]}),
        ("hand_started", {"round_wind": "C"}),
        ("hand_started", {"wall_root": "AB" * 32}),
        ("hand_started", {"wall_root": "ab" * 31}),
        ("committed", {"seat": 256}),
        ("committed", {"commit": "xy" * 32}),
        ("entropy", {"reveal": "ab" * 33}),
        ("revealed", {"seed": "a"}),
        ("revealed", {"path": ["ab"]}),
        ("closed", {"reason": "because"}),
        ("won", {"by": "luck"}),
        ("won", {"occasion": "robbed"}),
        ("settled", {"payments": [0, 1.5]}),
        ("settled", {"payments": [True, 0]}),
        ("settled", {"winners": [{"seat": 1}]}),
        ("settled", {"lines": [{"from": 0, "to": 1, "amount": -1, "reason": "x", "clause": "y"}]}),
        ("hand_ended", {"next": {}}),
        ("voted", {"answer": "maybe"}),
        ("opened", {"seats": []}),
        ("opened", {"stake": -1}),
        ("opened", {"deal": {"protocol": "paipu-fair/2"}}),
        ("opened", {"deal": {"protocol": "none", "max_hands": 0}}),
        ("declared", {"what": "tsumo"}),
        ("refused", {"tried": []}),
    ],
)
def test_what_is_out_of_bounds_dies_at_the_parser(word: str, change: Record) -> None:
    with pytest.raises(EventError, match=f"^{word}: "):
        parse(line_of(word, **change))


@pytest.mark.parametrize("game", ["", "-a", ".a", "a b", "a/b", "ä", "x" * 65, "a\n", 5])
def test_a_games_id_has_a_form(game: object) -> None:
    with pytest.raises(EventError):
        parse(line_of("away", game=game))


@pytest.mark.parametrize(
    "change",
    [
        {"tried": {"a": 1.5}},
        {"tried": {"a": None}},
        {"tried": {"a": [1, 2.0]}},
        {"tried": {"a": 2**53}},
    ],
)
def test_free_parts_hold_what_the_profile_allows_and_no_more(change: Record) -> None:
    # ledger.md 1: integers in +-2^53-1, no floats, no null, anywhere in an event.
    with pytest.raises(EventError):
        parse(line_of("refused", **change))


def test_the_bounds_themselves_are_in() -> None:
    parse(line_of("drawn", left=LIMIT, at=LIMIT))
    parse(line_of("settled", payments=[LIMIT, -LIMIT]))
    for tile in (*KINDS, "0m", "0p", "0s"):
        parse(line_of("discarded", tile=tile))
    for card in CARDS:
        parse(line_of("played", card=card))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: line.replace(b'"seat":0', b'"seat": 0'),
        lambda line: line.replace(b'"seat":0', b'"seat":0,"seat":0'),
        lambda line: line.replace(b'"seat":0', b'"seat":-0'),
        lambda line: line.replace(b'"seat":0', b'"seat":00'),
        lambda line: line.replace(b'"seat":0', b'"seat":0e0'),
        lambda line: line.replace(b"away", b"\\u0061way"),
        lambda line: b"\xef\xbb\xbf" + line,
        lambda line: line + b"\n",
        lambda line: line[:1] + line[line.index(b",") + 1 : -1] + b"," + line[1 : line.index(b",")] + b"}",
        lambda line: line.decode().encode("utf-16"),
        lambda line: line.replace(b"g-01jd", b"g-\xff01jd"),
    ],
)
def test_one_value_has_one_byte_form(spoil: Any) -> None:
    line = line_of("away")
    parse(line)
    with pytest.raises(EventError):
        parse(spoil(line))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_are_an_event_or_an_error(line: bytes) -> None:
    with pytest.raises(EventError):
        parse(line)


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_flipped_bit_is_no_event_or_another_one(data: st.DataObject) -> None:
    line = bytearray(line_of(data.draw(st.sampled_from(sorted(SAMPLES)))))
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        event = parse(bytes(line))
    except EventError:
        return
    assert canonical(event.record()) == bytes(line)


def test_every_event_of_a_game_reads_back_the_same() -> None:
    for rules in ("linhai", "linhai.144"):
        for line in simulated(rules, name=f"events-{rules}"):
            assert canonical(parse(line).record()) == line


@pytest.mark.parametrize("word", SAMPLES)
@pytest.mark.parametrize("name", ["at", "game", "seq", "v", "type"])
def test_no_part_of_the_envelope_may_be_left_out(word: str, name: str) -> None:
    with pytest.raises(EventError):
        parse(line_of(word, **{name: ...}))

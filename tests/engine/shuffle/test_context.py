from dataclasses import replace
from typing import Any

import pytest

from engine.shuffle import WIDE, Beacon, Context, ContextError, Player, deck_hash

GOOD = Context(
    "op", "T-1", "g", 0, bytes(32), bytes(32), 136, 4, (Player(0, "a"), Player(1, "b"), Player(128, "witness:w")), 8
)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("protocol", "paipu-fair/2"),
        ("epoch", -1),
        ("epoch", 1 << 32),
        ("n", 1 << 16),
        ("n_dice", 256),
        ("max_hands", 0),
        ("max_hands", 1 << 32),
        ("ruleset_hash", bytes(31)),
        ("deck_hash", bytes(33)),
        ("operator", "\ud800"),
        ("seats", (Player(1, "a"), Player(0, "b"))),
        ("seats", (Player(0, "a"), Player(0, "b"))),
        ("seats", (Player(0, "a"), Player(1, "a"))),
        ("seats", (Player(256, "witness:a"),)),
        ("seats", (Player(0, "witness:a"),)),
        ("seats", (Player(128, "a"),)),
        ("seats", (Player(0, "\udfff"),)),
        ("beacon", Beacon(bytes(31), 1)),
        ("beacon", Beacon(bytes(32), 0)),
        ("beacon", Beacon(bytes(32), 1 << 64)),
    ],
)
def test_bad_form_names_its_field(field: str, value: Any) -> None:
    with pytest.raises(ContextError) as caught:
        replace(GOOD, **{field: value})
    assert caught.value.field.split(".")[0] == field


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("operator", "op2"),
        ("table", "T-2"),
        ("game", "h"),
        ("epoch", 1),
        ("ruleset_hash", b"\x01" * 32),
        ("deck_hash", b"\x01" * 32),
        ("n", 144),
        ("n_dice", 2),
        ("seats", GOOD.seats[:2]),
        ("seats", (Player(0, "a"), Player(2, "b"), Player(128, "witness:w"))),
        ("max_hands", 9),
        ("beacon", Beacon(bytes(32), 1)),
    ],
)
def test_every_field_is_bound(field: str, value: Any) -> None:
    assert replace(GOOD, **{field: value}).digest() != GOOD.digest()


def test_the_profile_is_no_part_of_the_header() -> None:
    assert replace(GOOD, protocol=WIDE).digest() == GOOD.digest()  # fairness.md 1.7: E as in the narrow one


def test_witnesses_do_not_play() -> None:
    assert [player.seat for player in GOOD.playing] == [0, 1]
    assert GOOD.players[128] == "witness:w"


def test_deck_hash_keeps_order_and_borders() -> None:
    hashes = {deck_hash(ids) for ids in (("a", "b"), ("b", "a"), ("ab",), ("a", "b", ""), ())}
    assert len(hashes) == 5

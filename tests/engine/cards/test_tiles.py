import json
from pathlib import Path

from engine.cards import CARD_INDEX, CARD_NAMES, CARDS, INDEX, KINDS, TILE_NAMES, card_deck, kind_of, tile_deck


def test_kinds_stand_at_the_indices_of_the_rules() -> None:
    assert len(KINDS) == 42
    for kind, code in ((0, "1m"), (8, "9m"), (9, "1p"), (17, "9p"), (18, "1s"), (27, "E"), (33, "P"), (34, "f1")):
        assert KINDS[kind] == code
    assert KINDS[27:34] == ("E", "S", "W", "N", "C", "F", "P")
    assert [KINDS[INDEX[code]] for code in KINDS] == list(KINDS)


def test_decks_have_the_sizes_and_order_of_the_rules() -> None:
    full = tile_deck(flowers=True)
    assert (len(full), len(tile_deck(flowers=False))) == (144, 136)
    assert full[:5] == ("1m.0", "1m.1", "1m.2", "1m.3", "2m.0")
    assert full[-9:] == ("P.3", *(f"f{n}.0" for n in range(1, 9)))
    assert full[:136] == tile_deck(flowers=False)
    no_winds = tile_deck(flowers=True, winds=False)
    assert len(no_winds) == 128
    assert no_winds[108:110] == ("C.0", "C.1")
    assert len(tile_deck(flowers=False, winds=False)) == 120


def test_kind_of_follows_positions() -> None:
    for deck in (tile_deck(flowers=True), tile_deck(flowers=True, winds=False)):
        kinds = kind_of(deck)
        assert [KINDS[kind] for kind in kinds] == [identity.split(".")[0] for identity in deck]


def test_names_are_distinct_and_in_order() -> None:
    assert len(set(TILE_NAMES)) == len(TILE_NAMES) == 42
    assert TILE_NAMES[INDEX["1m"]] == ("一万", "1 characters")
    assert TILE_NAMES[INDEX["9s"]] == ("九条", "9 bamboos")
    assert TILE_NAMES[INDEX["C"]].zh == "红中"
    assert TILE_NAMES[INDEX["f7"]] == ("菊", "chrysanthemum")
    assert len(set(CARD_NAMES)) == len(CARD_NAMES) == 54
    assert CARD_NAMES[CARD_INDEX["TS"]] == ("黑桃10", "10 of spades")
    assert CARD_NAMES[CARD_INDEX["BJ"]].zh == "大王"


def test_card_deck_order() -> None:
    assert card_deck(jokers=True) == CARDS
    assert len(set(CARDS)) == 54
    assert [CARDS[p] for p in (0, 12, 13, 26, 39, 51, 52, 53)] == ["AS", "KS", "AH", "AC", "AD", "KD", "BJ", "SJ"]
    assert card_deck(jokers=False) == CARDS[:52]


def test_decks_are_those_of_the_public_vectors(shared: Path) -> None:

    folder = shared / "vectors" / "fairness"
    assert tuple(json.loads((folder / "v1.json").read_text())["deck"]) == tile_deck(flowers=True)
    assert tuple(json.loads((folder / "v2.json").read_text())["deck"]) == card_deck(jokers=True)

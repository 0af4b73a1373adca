import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import INDEX, NotationError, format_flowers, format_hand, parse_flowers, parse_hand

HANDS = st.dictionaries(st.integers(0, 33), st.integers(1, 4)).map(
    lambda counts: [kind for kind, n in counts.items() for _ in range(n)]
)
ALPHABET = st.text(alphabet="0123456789mpsESWNCFPf x１", max_size=24)


def kinds(codes: str) -> tuple[int, ...]:
    return tuple(INDEX[code] for code in codes.split())


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("34s 22m CC", "3s 4s 2m 2m C C"),
        ("123m456pEE", "1m 2m 3m 4p 5p 6p E E"),
        ("  9s  P ", "9s P"),
        ("31m", "3m 1m"),
        ("ESWNCFP", "E S W N C F P"),
        ("", ""),
    ],
)
def test_hand_is_read_as_written(text: str, codes: str) -> None:
    assert parse_hand(text) == kinds(codes)


def test_hand_is_written_sorted() -> None:
    assert format_hand(kinds("C 3s 2m E 1m C 4s E 9p")) == "12m 9p 34s EE CC"
    assert format_hand(()) == ""


@pytest.mark.parametrize(
    ("text", "position", "word"),
    [
        ("12x", 2, "digits need"),
        ("12 m", 2, "digits need"),
        ("12", 2, "at the end"),
        ("m", 0, "without digits"),
        ("1mm", 2, "without digits"),
        ("10m", 1, "digits need"),
        ("0m", 0, "neither"),
        ("1m f1", 3, "no flowers"),
        ("e", 0, "neither"),
        ("1M", 1, "digits need"),
        ("１m", 0, "neither"),
        ("11111m", 4, "copies of 1m"),
        ("1m 111m 1m", 8, "copies of 1m"),
        ("EEEEE", 4, "copies of E"),
        ("1m\t2m", 2, "neither"),
    ],
)
def test_bad_hand_names_the_column(text: str, position: int, word: str) -> None:
    with pytest.raises(NotationError, match=word) as caught:
        parse_hand(text)
    assert (caught.value.text, caught.value.position) == (text, position)
    assert f"column {position}" in str(caught.value)


def test_copies_are_the_callers_to_raise() -> None:
    assert parse_hand("11111m", copies=5) == (0,) * 5


@given(HANDS)
def test_hand_round_trip(hand: list[int]) -> None:
    assert list(parse_hand(format_hand(hand))) == sorted(hand)


@given(ALPHABET)
def test_any_text_is_a_hand_or_an_error_within_it(text: str) -> None:
    try:
        hand = parse_hand(text)
    except NotationError as error:
        assert 0 <= error.position <= len(text)  # noqa: PT017  the other outcome is checked too
    else:
        assert parse_hand(format_hand(hand)) == tuple(sorted(hand))


@given(st.sets(st.integers(34, 41)))
def test_flowers_round_trip(flowers: set[int]) -> None:
    assert list(parse_flowers(format_flowers(flowers))) == sorted(flowers)


def test_flowers_keep_their_order() -> None:
    assert parse_flowers("f6 f2f8") == kinds("f6 f2 f8")


@pytest.mark.parametrize(
    ("text", "position"), [("f9", 1), ("f0", 1), ("f", 1), ("2", 0), ("f1 g", 3), ("f1 f2 f1", 6), ("f 1", 1)]
)
def test_bad_flowers_name_the_column(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_flowers(text)
    assert caught.value.position == position


@pytest.mark.parametrize("kind", [-1, 34, 42])
def test_formatting_refuses_what_no_hand_holds(kind: int) -> None:
    with pytest.raises(ValueError, match="kind"):
        format_hand([kind])


@pytest.mark.parametrize("kind", [-1, 33, 42])
def test_formatting_refuses_what_is_no_flower(kind: int) -> None:
    with pytest.raises(ValueError, match="kind"):
        format_flowers([kind])


def test_every_hand_of_the_public_cases_reads_back(shared: Path) -> None:
    seen = 0
    for path in (shared / "cases").glob("*.json"):
        cases = json.loads(path.read_text())
        for case in cases if isinstance(cases, list) else cases["cases"]:
            for seat in case.get("seats", {}).values():
                texts = [seat.get("hand", ""), *(meld["tiles"] for meld in seat.get("melds", ()))]
                for text in texts:
                    hand = parse_hand(text)
                    assert parse_hand(format_hand(hand)) == tuple(sorted(hand))
                    seen += len(hand)
                flowers = parse_flowers(seat.get("flowers", ""))
                assert parse_flowers(format_flowers(flowers)) == tuple(sorted(flowers))
    assert seen > 500  # every case was read, not an empty folder

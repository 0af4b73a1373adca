"""No digit of an mjlog changes unnoticed: it is reported, is another lawful discard, or is listed as not checkable.

The default run takes some digits of every kind of field; `--long` every digit of all 40 public files, each changed to
the nine others.
"""

import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
import riichi_game
from digits import DIGITS, Changes, Place, every_digit, excused, kind_of, places, whole
from riichi_game import Pace

from engine.formats import tenhou

EACH = 1
"""Digits of every kind of field and file in the default run."""


def files(shared: Path) -> list[Path]:
    return sorted((shared / "vectors" / "tenhou").glob("*.mjlog"))


def some(text: str, rng: random.Random, each: int) -> list[tuple[Place, str]]:
    """Return so many digits of each kind of field, with another digit for each."""
    kinds: dict[str, list[Place]] = {}
    for place in places(text):
        kinds.setdefault(kind_of(place), []).append(place)
    return [
        (place, rng.choice(DIGITS.replace(text[place.at], "")))
        for found in kinds.values()
        for place in rng.sample(found, min(each, len(found)))
    ]


def test_no_digit_of_a_public_file_changes_unnoticed(shared: Path) -> None:
    rng = random.Random(2)
    seen: Counter[str] = Counter()
    for path in files(shared):
        text = path.read_text().strip()
        changes = Changes(text)
        for place, digit in some(text, rng, EACH):
            told = changes.reported(place, digit) or excused(changes, place, digit)
            assert told, (path.name, text[place.start : place.end], place, digit)
            seen[kind_of(place)] += 1
    assert len(seen) > 40


PACES = {
    "usual": Pace(),
    "three": Pace(type=0xB9, calls=True),
    "seed in hex": Pace(seed=128, calls=True),
    "three, a seed for each hand": Pace(type=0xB1, seed=0),
    "east only, no reds": Pace(type=0x07, calls=True),
}


@pytest.mark.parametrize("name", PACES)
def test_no_digit_of_a_game_of_our_own_changes_unnoticed(name: str) -> None:
    text = tenhou.write(riichi_game.play(3, 5, PACES[name]))
    changes = Changes(text)
    for place, digit in some(text, random.Random(4), 25):
        assert changes.reported(place, digit) or excused(changes, place, digit), (text[place.start : place.end], place)


def test_judging_by_the_hand_says_what_the_whole_file_says(shared: Path) -> None:
    rng = random.Random(5)
    for path in rng.sample(files(shared), 6):
        text = path.read_text().strip()
        changes = Changes(text)
        for place, digit in rng.sample(some(text, rng, 1), 15):
            after = text[: place.at] + digit + text[place.at + 1 :]
            assert changes.reported(place, digit) == whole(after), (path.name, place, digit)


@pytest.mark.long
def test_every_digit_of_all_public_files(shared: Path) -> None:
    counted: Counter[tuple[str, str]] = Counter()
    odd: list[str] = []
    with ProcessPoolExecutor(2) as pool:
        for each, unexplained in pool.map(every_digit, [str(path) for path in files(shared)]):
            counted += each
            odd += unexplained
    for kind in sorted({kind for kind, _ in counted}):
        outcomes = {outcome: many for (its, outcome), many in sorted(counted.items()) if its == kind}
        print(kind, outcomes)
    assert odd == []
    assert sum(counted.values()) == 9 * sum(each.isdigit() for path in files(shared) for each in path.read_text())

"""The incidents of fairness.md 8 that show in what was dealt: each makes its files and says which finding names it."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shufflers
from logs import AT, NAMES, TILES, Walls, deck_file, foreign_game, game_file

from engine.cards import card_deck
from engine.formats.riichi import Act, RiichiHand, RiichiRecord
from engine.formats.riichi_events import write
from engine.formats.tenhou_wall import seed_text, walls
from viewer.fairness.generators import GENERATORS
from viewer.fairness.seeds import dealt

CARDS = card_deck(jokers=False)
CLOCK = str(AT)


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident. `make(folder)` writes its files and returns the command's arguments; (row, code) is found."""

    number: int
    what: str
    make: Callable[[Path], list[str]]
    row: str
    code: str


def rng(number: int) -> np.random.Generator:
    return np.random.default_rng(number)


def decks(folder: Path, codes: tuple[str, ...], rows: Walls) -> list[str]:
    return [str(deck_file(folder / "decks.txt", codes, rows))]


def by(name: str, draw: str, seeds: list[int], n: int, direction: str = "descending") -> Walls:
    generator = next(each for each in GENERATORS if each.name == name)
    return np.array([dealt(generator, draw, direction, seed, n) for seed in seeds], np.uint8)


def planet_poker(folder: Path) -> list[str]:
    """The last card is never in the last place: a cell of 0 where 46 were expected."""
    rows, draws = shufflers.fresh(2_400, 52), rng(1)
    for i in range(52):
        shufflers.swap(rows, i, draws.integers(0, 51, 2_400))
    assert not (rows[:, 51] == 51).any()
    return decks(folder, CARDS, rows)


def naive_swap(folder: Path) -> list[str]:
    return decks(folder, TILES, shufflers.naive(rng(2), 70, 136))


def leaked_deck_order(folder: Path) -> list[str]:
    """Sixty cards of a deck list, cut and riffled three times: the list's order shows in what is drawn."""
    return decks(folder, tuple(f"card{number}" for number in range(60)), shufflers.riffles(3, 60)(rng(3), 1_000))


def constant_wall(folder: Path) -> list[str]:
    """Every wall after the first hand is one of the library."""
    constant = rng(4).permutation(136)
    files = []
    for number in range(2):
        lines = foreign_game(f"g{number}", [rng(40 + number).permutation(136), constant], table=f"t{number}")
        files.append(str(game_file(folder, lines, f"g{number}")))
    return files


def same_wall_each_hand(folder: Path) -> list[str]:
    return [str(game_file(folder, foreign_game("g", [rng(5).permutation(136)] * 3), "g"))]


def seed_or_one(folder: Path) -> list[str]:
    """`room_seed or 1`: CPython's shuffle from seed 1."""
    wall = list(range(136))
    random.Random(1).shuffle(wall)
    return decks(folder, TILES, np.array([wall, *shufflers.fair(rng(6), 5, 136).tolist()], np.uint8))


def start_second(folder: Path) -> list[str]:
    """A server that seeds MT19937 with the second in which a game starts; two games start in one second."""
    wall = by("MT19937 (init_genrand)", "% k", [AT // 1000 - 7], 136)
    return [*decks(folder, TILES, wall), "--at", CLOCK, "--seed-window", "20"]


def one_word_of_seed(folder: Path) -> list[str]:
    """MT19937 from too few seeds (here 2^16): walls come again by birthday."""
    seeds = rng(9).integers(0, 1 << 16, 900).tolist()
    return decks(folder, TILES, by("MT19937 (init_genrand)", "% k", seeds, 136))


def clock_ticks(folder: Path) -> list[str]:
    wall = by("System.Random (.NET)", "% k", [AT - 3], 136)
    return [*decks(folder, TILES, wall), "--at", CLOCK, "--seed-window-ms", "10"]


def after_an_update(folder: Path) -> list[str]:
    """A version of the server whose generator starts from the same state in every game."""
    files = []
    again = shufflers.fair(rng(11), 2, 136).tolist()
    for number in range(4):
        before = shufflers.fair(rng(110 + number), 2, 136).tolist()
        lines = foreign_game(f"g{number}", before if number < 2 else again, at=AT + number, table=f"t{number}")
        files.append(str(game_file(folder, lines, f"g{number}")))
    return files


def reseeded_at_every_draw(folder: Path) -> list[str]:
    """The generator is made anew from the clock for every draw: all draws of one wall are the same fraction."""
    rows, draws = shufflers.fresh(200, 52), rng(12).random(200)
    for i in range(51, 0, -1):
        shufflers.swap(rows, i, (draws * (i + 1)).astype(np.int64))
    return decks(folder, CARDS, rows)


def off_by_one(folder: Path) -> list[str]:
    return decks(folder, (*TILES, *(f"f{number}.0" for number in range(1, 9))), shufflers.sattolo(rng(13), 40))


def fifty_two_to_the_fifty_two(folder: Path) -> list[str]:
    """Naive swaps: the last card of the deck lies first too often, a card of the middle too seldom."""
    rows = shufflers.naive(rng(14), 3_000, 52)
    first = np.bincount(rows[:, 0], minlength=52) / 3_000
    assert first.max() > 1.2 / 52
    return decks(folder, CARDS, rows)


def comparator(folder: Path) -> list[str]:
    return decks(
        folder, (*TILES, *(f"f{number}.0" for number in range(1, 9))), shufflers.random_comparator(rng(15), 1_000)
    )


def fifty_one_cards(folder: Path) -> list[str]:
    """Mean positions of 51 cards run from 25.5 to 24.5: Sattolo's, exactly."""
    rows = shufflers.fresh(300, 51)
    draws = rng(16)
    for i in range(50, 0, -1):
        shufflers.swap(rows, i, draws.integers(0, i, 300))
    return decks(folder, tuple(f"card{number}" for number in range(51)), rows)


def byte_modulo(folder: Path) -> list[str]:
    return decks(folder, (*TILES, *(f"f{number}.0" for number in range(1, 9))), shufflers.byte_modulo(rng(18), 200))


def one_value_for_all(folder: Path) -> list[str]:
    """One random word, taken modulo 52, 51, … for every draw."""
    rows, words = shufflers.fresh(200, 52), rng(19).integers(0, 1 << 32, 200)
    for i in range(51, 0, -1):
        shufflers.swap(rows, i, words % (i + 1))
    return decks(folder, CARDS, rows)


def seeds_again(folder: Path) -> list[str]:
    """Two games of a replay set with one published seed, played otherwise."""
    seed = bytes(range(256)) * 9 + bytes(192)
    wall = next(walls(seed))
    files = []
    for number in range(2):
        hands = tuple(tuple(tiles) for tiles in wall.dealt(0))
        acts = [Act("draw", 0, wall.drawn(0)), Act("discard", 0, hands[0][number])]
        hand = RiichiHand(0, 0, 0, 0, (25_000,) * 4, wall.tiles[5], hands, wall.dice, acts)
        record = RiichiRecord(tuple(f"{name}{number}" for name in NAMES), seed=seed_text(seed), hands=[hand])
        files.append(str(mjlog(folder, record, f"r{number}")))
    return files


def mjlog(folder: Path, record: RiichiRecord, name: str) -> Path:
    path = folder / f"{name}.paipu.jsonl"
    path.write_bytes(b"\n".join(write(record, name)) + b"\n")
    return path


def card_twice(folder: Path) -> list[str]:
    rows = shufflers.fair(rng(24), 5, 52)
    rows[3, 10] = rows[3, 20]
    return decks(folder, CARDS, rows)


def power_up(folder: Path) -> list[str]:
    """A machine that starts from the same state after every power-up: its sequence comes again."""
    rows = shufflers.fair(rng(25), 30, 52)
    return decks(folder, CARDS, np.concatenate((rows, shufflers.fair(rng(26), 7, 52), rows)))


def certain_dates(folder: Path) -> list[str]:
    """On certain days the walls come from a list of few; the filter looks at such a day alone."""
    few = shufflers.fair(rng(27), 3, 136).tolist()
    files = []
    for day in range(6):
        certain = day in {2, 4}
        dealt_ = [few[day // 2]] if certain else shufflers.fair(rng(270 + day), 1, 136).tolist()
        lines = foreign_game(f"d{day}", [*dealt_, few[0] if certain else rng(280 + day).permutation(136)],
                             at=AT + 86_400_000 * day)  # fmt: skip
        files.append(str(game_file(folder, lines, f"d{day}")))
    return [*files, "--since", str(AT + 86_400_000 * 2)]


INCIDENTS = (
    Incident(1, "PlanetPoker: naive swap, off by one", planet_poker, "T3", "departure"),
    Incident(2, "naive swap % 136", naive_swap, "T4", "departure"),
    Incident(3, "the deck list's order leaks into the shuffle", leaked_deck_order, "T2", "departure"),
    Incident(4, "every wall after hand 1 is a constant", constant_wall, "T0", "repeated_deal"),
    Incident(5, "one wall for all hands of a game", same_wall_each_hand, "T0", "repeated_deal"),
    Incident(6, "default seed 1", seed_or_one, "T14", "seed_found"),
    Incident(8, "the second of the start as seed", start_second, "T14", "seed_found"),
    Incident(9, "MT19937 seeded with one word", one_word_of_seed, "T0", "repeated_wall"),
    Incident(10, "clock ticks, modulo", clock_ticks, "T14", "seed_found"),
    Incident(11, "the same opening hands after an update", after_an_update, "T0", "repeated_deal"),
    Incident(12, "reseeded from the clock at every draw", reseeded_at_every_draw, "T8", "departure"),
    Incident(13, "off by one", off_by_one, "T6", "departure"),
    Incident(14, "52^52: first cards", fifty_two_to_the_fifty_two, "T1", "departure"),
    Incident(15, "sort with a random comparator", comparator, "T2", "departure"),
    Incident(16, "mean positions 25.5 to 24.5", fifty_one_cards, "T6", "departure"),
    Incident(18, "byte modulo", byte_modulo, "T4", "departure"),
    Incident(19, "one random value for all draws", one_value_for_all, "T8", "departure"),
    Incident(23, "repeated seeds in a replay set", seeds_again, "T0", "repeated_deal"),
    Incident(24, "a card dealt twice", card_twice, "T0", "not_the_deck"),
    Incident(25, "one sequence after every power-up", power_up, "T0", "repeated_wall"),
    Incident(26, "predictable on certain dates", certain_dates, "T0", "repeated_deal"),
)  # fmt: skip

ELSEWHERE = {
    7: "tests/viewer/test_deal_checks.py::test_a_seed_revealed_before_the_hand_ends",
    17: "test_incidents.py::test_a_wall_made_from_the_published_commitment",
    20: "tests/viewer/test_deal_checks.py::test_a_commitment_copied_from_the_neighbour_binds_its_seat",
    21: "tests/viewer/test_deal_checks.py::test_a_void_epoch_is_a_figure_and_no_finding",
    22: "tests/viewer/test_deal_checks.py::test_a_hand_dealt_again_in_the_middle",
    27: "test_signals.py::test_a_player_who_sees_the_hands",
}
"""Incidents that other tests show. 28 asks for a verifier that needs nobody: no log can show it."""

"""Dinghai and Duqiao refereed a second time by their pages, and the laws of every hand under them.

At every event engine and referee (`plain/referees.py`) must name the same consequence or the same set of decisions,
pay the same and pass the deal to the same seat; every conceivable decision that the referee does not allow is refused
with a clause that has a text. Hands are laid so that what chance makes too rarely occurs.
"""

from collections import Counter
from typing import Any

import pytest
from laws import (
    Sample,
    beside,
    clauses,
    on_the_table,
    pays_zero,
    rearranged,
    referee_game,
    sizes,
    stem,
    taken_by,
    windows_of,
)
from referees import referee_of
from tables import Laid, Policy, Room, found, lay, lively, replayed, rich, simulated, states, stream_of

from engine.cards import tile_deck
from engine.events import Body
from engine.shuffle import Stream
from engine.variants import find

SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "dinghai": ("dinghai", {}),
    "qiqi50": ("dinghai.qiqi50", {}),
    "same tile": (
        "dinghai",
        {"pass_win_lock": "same_tile", "lock_reset": "turn", "swap_ban": "chow+peng", "last_flower": "discard_on",
         "initial_flower_order": "each_completes", "multi_win_dealer": "first_winner_deals",
         "drawn_hand_dealer": "pass", "heavenly_after_flowers": False, "kong_after_claim": True},
    ),
    "no locks": (
        "dinghai",
        {"pass_win_lock": "off", "pass_pung_lock": "off", "swap_ban": "none", "earthly_mode": "both",
         "eight_flowers": "tai_only", "kong_bloom_liability": "direct+added", "kong_bloom_through_flower": False,
         "late_added_kong": False, "feeding_mutual": "double_extra", "feeding_winner_pays": False},
    ),
    "one tai": (
        "dinghai",
        {"min_tai": 1, "wall.dice": 1, "wall.break_offset": 0, "wall.tail_order": "reverse", "tai_points": "linear",
         "last_tile_self_draw_tai": 4, "drawn_hand_payment": 0, "feeding_mode": "same_kind", "multi_win": "first",
         "earthly_mode": "dealer_first_discard", "feeding_combine": "max", "wait_must_be_single": True},
    ),
    "duqiao": ("duqiao", {}),
    "all winners": (
        "duqiao",
        {"multi_win": "all", "rob_kong": "as_discard", "dealer": "winner_becomes_dealer", "earthly": "both",
         "kong_extends_dead_wall": True, "bao": "three_melds", "initial_flower_order": "each_completes",
         "dealer_factor": "zhuang_double", "kong_after_claim": True},
    ),
    "discarder": (
        "duqiao",
        {"rob_kong": "as_discard", "win_payment": "discarder_pays_three_shares", "round": "none", "base_hu": 10,
         "losers_settle": False, "earthly": "first_draw", "deal.order": "cw", "wall.count_direction": "ccw",
         "wall.dice_inclusive": False, "late_added_kong": False},
    ),
}  # fmt: skip


def rich_hand(name: str, word: str, *, win_in: int) -> tuple[Room, Laid]:
    preset, options = SETS[name]
    word = f"{stem(name)}-{word}"
    laid = rich(preset, options, word)
    room = Room(preset, options, name=word, laid=laid)
    room.play(lively(word, win_in=win_in))
    return room, laid


@pytest.mark.parametrize("name", SETS)
def test_engine_and_referee_want_the_same(name: str) -> None:
    preset, options = SETS[name]
    seen: Counter[str] = Counter()
    for game in range(2):
        lines = simulated(preset, options, name=f"{stem(name)}-{game}", match={"length": {"hands": 6}})
        referee_game(lines, seen)
    for number in range(20):
        room, laid = rich_hand(name, f"rich-{number}", win_in=4)
        referee_game(room.lines, seen, laid)
    assert seen["settled"] == 32
    assert min(seen[word] for word in ("pung", "chow", "discard", "self_draw", "flower")) > 0


@pytest.mark.parametrize("name", SETS)
def test_a_decision_has_no_fault_exactly_where_the_referee_allows_it(name: str) -> None:
    sample = Sample(clauses(find(SETS[name][0]).variant), most_windows=3, most_turns=3, every=11)
    for number in range(3):
        room, laid = rich_hand(name, f"brute-{number}", win_in=6)
        sample.take(beside(room.lines, laid, referee_of))
    assert sample.windows
    assert sample.turns


@pytest.mark.parametrize("name", SETS)
def test_tiles_are_conserved_and_payments_sum_to_zero(name: str) -> None:
    deck = Counter(each.partition(".")[0] for each in tile_deck(flowers=True))
    hands = 0
    for number in range(12):
        room, laid = rich_hand(name, f"laws-{number}", win_in=4)
        taken: Counter[str] = Counter()
        for game, record in states(room.lines, laid):
            hands += record["type"] == "hand_started"
            if record["type"] == "settled":
                pays_zero(record)
            if game.phase != "hand":
                continue
            taken.update(taken_by(record))
            assert on_the_table(game.hand) == taken
            assert taken <= deck
            if game.hand.dealt == 4:
                assert game.hand.wall.left + taken.total() == deck.total()
                # The last tile may be a flower, which nothing replaces.
                if game.hand.wall.left:
                    sizes(game)
    assert hands == 12


@pytest.mark.parametrize("name", ["dinghai", "same tile", "all winners"])
def test_the_order_in_which_answers_arrive_changes_nothing_else(name: str) -> None:
    seen = 0
    for number in range(40):
        room, laid = rich_hand(name, f"arrival-{number}", win_in=3)
        for lines in rearranged(room.records(), windows_of(room.lines)):
            assert replayed(lines, laid) is None
            seen += 1
    assert seen > 3


# --- flowers --------------------------------------------------------------------------------------------------------


def flowery(name: str, preset: str, options: dict[str, Any]) -> Laid:
    """Lay a wall with many flowers among the tiles dealt and at both its ends."""
    stream = stream_of(name, "flowery")
    flowers = [f"f{number}" for number in range(1, 9)]
    order = [flowers.pop(stream.below(len(flowers))) for _ in range(8)]
    cut = sorted(stream.below(9) for _ in range(2))
    dealt, near, far = order[: cut[0]], order[cut[0] : cut[1]], order[cut[1] :]
    seat = stream.below(4)
    hands = ["", "", "", ""]
    hands[seat] = " ".join(dealt)
    hands[(seat + 1) % 4] = " ".join(near)
    return lay(preset, options, hands=hands, tail=" ".join(far), fill=stream,
               dice=[stream.below(6) + 1 for _ in range(4)])  # fmt: skip


def late(name: str) -> Policy:
    """Decline wins nearly always, so that the wall is played to its end; declare eight flowers half the times."""
    stream = stream_of(name, "late")
    rest = lively(name, win_in=40)

    def choose(room: Room, options: list[Body]) -> Body:
        eight = [body for body in options if body.get("what") == "eight_flowers"]
        if eight and stream.below(2):
            return eight[0]
        others = [body for body in options if body not in eight]
        return rest(room, others)

    return choose


@pytest.mark.parametrize("name", SETS)
def test_flowers_in_the_deal_and_at_the_tail_are_played_as_the_referee_says(name: str) -> None:
    preset, options = SETS[name]
    seen: Counter[str] = Counter()
    for number in range(12):
        word = f"{stem(name)}-flowers-{number}"
        laid = flowery(word, preset, options)
        lines = Room(preset, options, name=word, laid=laid).play(late(word))
        referee_game(lines, seen, laid)
    assert seen["flower"] >= 60
    assert seen["wall_end"] > 0


# --- many games -----------------------------------------------------------------------------------------------------


def combination(preset: str, stream: Stream) -> dict[str, Any]:
    """Choose each option at random among its values; numbers and ladders from a few."""
    few: dict[str, list[Any]] = {
        "cap_tai": [3, 4], "eight_flowers_tai": [3, 4], "all_chows_tai": [1, 2], "robbed_multiplier": [2, 5],
    }  # fmt: skip
    default = find(preset).options()
    chosen = {
        name: (values or few[name])[stream.below(len(values or few[name]))]
        for name, values in find(preset).offers
        if values is not None or name in few
    }
    if chosen.get("tai_points") == "custom":
        chosen["points"] = [1, 3, 6, 10, 15]
    return {name: value for name, value in chosen.items() if value != default.get(name)}


@pytest.mark.parametrize("preset", ["dinghai", "duqiao"])
def test_random_combinations_of_options_play_and_replay(preset: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(20):
        word = f"{preset}-mix-{number}"
        options = combination(preset, stream_of(word))
        lines = simulated(preset, options, name=word, match={"length": {"hands": 2}})
        assert found(lines) is None
        referee_game(lines, seen)
    assert seen["settled"] == 40


@pytest.mark.long
@pytest.mark.parametrize("preset", ["dinghai", "dinghai.qiqi50", "duqiao"])
def test_two_thousand_games_replay_and_agree_with_the_referee(preset: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(2_000):
        word = f"{preset}-long-{number}"
        options = combination(preset, stream_of(word)) if number % 4 == 0 else {}
        lines = simulated(preset, options, name=word, match={"length": {"hands": 4}})
        assert found(lines) is None
        referee_game(lines, seen)
    for word in ("kong_bloom", "flower_bloom", "added_kong", "drawn_hand"):
        assert seen[word] > 0, word


@pytest.mark.long
@pytest.mark.parametrize("preset", ["dinghai", "dinghai.qiqi50", "duqiao"])
def test_twenty_combinations_of_options_replay_two_thousand_games_each(preset: str) -> None:
    for number in range(20):
        options = combination(preset, stream_of(preset, "combination", number))
        for game in range(2_000):
            word = f"{preset}-{number}-{game}"
            assert found(simulated(preset, options, name=word, match={"length": {"hands": 1}})) is None

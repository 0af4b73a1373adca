"""The same hand under other options: the settlement is the engine's own, and no option breaks it."""

import pytest

from engine.events import load
from engine.mahjong.rules import MahjongRules
from engine.variants import PRESETS
from viewer import alternatives
from viewer.simulate import Job, play

MAHJONG = [name for name, rules in PRESETS.items() if isinstance(rules, MahjongRules)]


def game(preset: str, seed: int, **options: object) -> list[bytes]:
    job = Job(preset, seed, 0, 1_700_000_000_000, options, {"length": {"hands": 6}})
    return [line for chunk in play(job) for line in chunk]


@pytest.mark.parametrize("preset", MAHJONG)
def test_as_played_is_what_the_log_paid_and_all_others_sum_to_zero(preset: str) -> None:
    lines = game(preset, 4)
    won = 0
    for record in map(load, lines):
        if record["type"] == "hand_started":
            hand = record["hand"]
        if record["type"] != "settled":
            continue
        state = alternatives.before_settlement(lines, hand)
        assert (state is None) == (not record["winners"])
        if state is None:
            continue
        paid, others = alternatives.alternatives(state)
        assert list(paid) == record["payments"]
        assert all(sum(each.payments) == 0 and each.payments != paid for each in others)
        won += 1
    assert won


def test_the_discarder_alone_pays_where_the_option_says_so() -> None:
    seen = 0
    for seed in range(6):
        lines = game("hainan", seed)
        for hand in range(6):
            state = alternatives.before_settlement(lines, hand)
            if state is None or state.wins[0].by != "discard":
                continue
            paid, others = alternatives.alternatives(state)
            alone = [each for each in others if (each.option, each.value) == ("discard_payment", "discarder_only")]
            winner, discarder = state.wins[0].seat, state.wins[0].source
            rest = set(range(4)) - {winner, discarder}
            if not any(paid[seat] < 0 for seat in rest):
                continue
            assert len(alone) == 1
            assert all(alone[0].payments[seat] > paid[seat] for seat in rest)
            seen += 1
    assert seen


def test_hands_that_nobody_won_and_card_games_have_no_alternatives() -> None:
    lines = game("niuniu", 2)
    assert alternatives.before_settlement(lines, 0) is None
    assert alternatives.before_settlement(game("linhai", 2), 99) is None

"""The money of a game: the view of it adds up as the log does, and says so where it does not."""

import copy

import pytest

from engine.events import load
from viewer import frames, money
from viewer.forgery import overpaid
from viewer.simulate import Job, play
from viewer.views import Picture


def game(preset: str, seed: int = 5) -> list[bytes]:
    return [
        line for chunk in play(Job(preset, seed, 0, 1_700_000_000_000, {}, {"length": {"hands": 4}})) for line in chunk
    ]


@pytest.fixture(scope="module", params=["linhai.144", "hainan", "niuniu", "three_one"])
def lines(request: pytest.FixtureRequest) -> list[bytes]:
    return game(request.param)


@pytest.fixture(scope="module")
def picture(lines: list[bytes]) -> Picture:
    return frames.picture(lines)


def test_the_matrix_is_that_of_the_logged_lines(lines: list[bytes], picture: Picture) -> None:
    settled = [record for record in map(load, lines) if record["type"] == "settled"]
    count = len(picture["players"])
    paid = money.matrix([frame["settlement"] for _, frame in money.settled(picture)], count)
    for payer in range(count):
        for payee in range(count):
            logged = sum(
                row["amount"] for each in settled for row in each["lines"] if (row["from"], row["to"]) == (payer, payee)
            )
            assert paid[payer][payee] == logged
    gained = [sum(row[seat] for row in paid) - sum(paid[seat]) for seat in range(count)]
    assert gained == load(lines[-1])["scores"]


def test_a_waterfall_ends_at_the_payments(picture: Picture) -> None:
    for _, frame in money.settled(picture):
        settlement = frame["settlement"]
        totals = [0] * len(settlement["payments"])
        for step in money.waterfall(settlement, len(totals)):
            assert step["before"] == totals[step["seat"]]
            totals[step["seat"]] = step["after"]
        assert totals == settlement["payments"]


def test_a_sound_game_balances(picture: Picture) -> None:
    assert money.unbalanced(picture) == []


def test_a_forgery_that_was_made_to_fit_moves_the_scores_by_other_than_it_pays() -> None:
    found = money.unbalanced(frames.picture(overpaid(game("linhai.144"))))
    assert [(what, off) for _, what, off in found] == [("scores", 2)]  # the scores shown are those the rules demand


@pytest.mark.parametrize(("what", "change"), [("payments", 1), ("lines", 3), ("scores", 2)])
def test_what_does_not_add_up_is_named(what: str, change: int) -> None:
    picture = copy.deepcopy(frames.picture(game("linhai.144")))
    view, frame = next(each for each in money.settled(picture) if each[1]["settlement"]["lines"])
    if what == "payments":
        frame["settlement"]["payments"][0] += change
    elif what == "lines":
        frame["settlement"]["lines"][0]["amount"] += change
    else:
        view["scores"] = [view["scores"][0] + change, *view["scores"][1:]]
    found = money.unbalanced(picture)
    assert (view["hand"], what) in {(hand, name) for hand, name, _ in found}
    assert all(amount for _, _, amount in found)


def test_totals_of_a_sound_game_are_the_same_as_recorded_and_as_derived(lines: list[bytes], picture: Picture) -> None:
    found = money.totals(picture)
    assert all(each["recorded"] == each["derived"] for each in found)
    assert found[-1]["recorded"] == load(lines[-1])["scores"]


def test_totals_of_a_forgery_part_at_its_hand() -> None:
    forged = overpaid(game("linhai.144"))
    found = money.totals(frames.picture(forged))
    assert found[-1]["recorded"] == load(forged[-1])["scores"]
    first = next(each for each in found if each["recorded"] != each["derived"])
    assert sorted(one - other for one, other in zip(first["recorded"], first["derived"], strict=True)) == [-1, 0, 0, 1]


def test_a_hand_that_has_not_ended_has_no_derived_total() -> None:
    whole = game("linhai.144")
    last = max(at for at, line in enumerate(whole) if load(line)["type"] == "settled")
    found = money.totals(frames.picture(whole[: last + 1]))
    assert found[-1]["derived"] == []
    assert found[-2]["derived"] == found[-2]["recorded"]

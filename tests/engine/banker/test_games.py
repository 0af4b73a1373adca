"""Simulated games: replay holds them all, a second telling of the page agrees, nothing unlawful is let through."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from niuniu_plain import Referee, hands_of
from niuniu_tables import MODES, combination, game, lay_cards, lively, sit
from tables import Room, found, states, stream_of

from engine import frame, verbs
from engine.cards import CARDS
from engine.events import Body, canonical, load
from engine.game import Game
from engine.replay import replay

RARE = {"escaped", "pushed", "equal bids", "all decline"}


def referee(room: Room) -> Referee:
    """Replay a game and judge it by the plain page; return the referee with what it saw."""
    result = replay(room.lines)
    assert result.finding is None, (room.name, result.finding)
    assert result.closed
    premise = room.game.premise
    told = Referee(premise.rules.options(), len(premise.players), premise.match.start_points)
    hands = hands_of([load(line) for line in room.lines])
    assert len(hands) == result.hands
    for hand in hands:
        told.hand(hand)
    assert sum(told.scores) == len(premise.players) * premise.match.start_points
    assert load(room.lines[-1])["scores"] == told.scores
    return told


@pytest.mark.parametrize("preset", ["niuniu", "niuniu.national"])
def test_simulated_games_verify(preset: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(13):
        seen += referee(game(preset, {}, name=f"{preset}-{number}", players=(4, 3, 2, 4)[number % 4])).seen
    assert seen["bullbull"] and seen["none"] and (preset != "niuniu" or seen["escaped"] > 2)  # noqa: PT018  one law


@pytest.mark.long
@pytest.mark.parametrize("preset", ["niuniu", "niuniu.national"])
def test_two_thousand_simulated_games_verify(preset: str) -> None:
    for number in range(2000):
        referee(game(preset, {}, name=f"{preset}-long-{number}", players=2 + number % 3, hands=4))


def test_games_of_random_options_verify() -> None:
    stream = stream_of("niuniu", "combinations")
    seen: Counter[str] = Counter()
    modes = set()
    for number in range(32):
        preset, options, players, match = combination(stream)
        options["banker"] = MODES[number % len(MODES)]
        modes.add(options["banker"])
        players = min(players, 10)
        seen += referee(game(preset, options, name=f"any-{number}", players=players, match=match, hands=8)).seen
    assert modes == set(MODES)
    assert set(seen) >= RARE | {"bullbull", "none", "silver"}


@pytest.mark.long
def test_many_games_of_random_options_verify() -> None:
    stream = stream_of("niuniu", "many combinations")
    for number in range(2000):
        preset, options, players, match = combination(stream)
        referee(game(preset, options, name=f"many-{number}", players=players, match=match, hands=4))


# --- unlawful plays ---------------------------------------------------------------------------------------------


def tries(players: int) -> Iterator[Body]:
    """Yield decisions lawful and not: every bid, bet and escape of every seat and one seat more; foreign ones."""
    for seat in range(players + 1):
        yield from ({"type": "bid", "seat": seat, "bid": bid} for bid in range(7))
        yield from ({"type": "bet", "seat": seat, "amount": amount} for amount in (*range(22), 30, 40, 50, 100, 5000))
        yield {"type": "escaped", "seat": seat}
    yield {"type": "played", "seat": 0, "card": "AS"}
    yield {"type": "buried", "seat": 0, "cards": ["AS"]}
    yield {"type": "called", "seat": 0}
    yield {"type": "trump", "seat": 0, "suit": "S"}
    yield {"type": "discarded", "seat": 0, "tile": "1m"}
    yield {"type": "banker", "seat": 0, "bid": 1}
    yield {"type": "dealt", "seat": 0, "tiles": list(CARDS[:5])}
    yield {"type": "shown", "seat": 0, "cards": list(CARDS[:5]), "bull": "none"}
    yield {"type": "settled", "winners": [], "payments": [0] * players, "lines": []}
    yield {"type": "trick", "winner": 0, "points": 0}


def placed(game_: Game, body: Body) -> dict[str, Any]:
    return {**body, "at": game_.at, "game": game_.premise.game, "seq": game_.seq, "v": 1}


@pytest.mark.parametrize("mode", MODES)
def test_legal_agrees_with_fault_at_every_state(mode: str) -> None:
    options = {"banker": mode, "escape": "zhenan", "push_bet": 10}
    refused: Counter[str] = Counter()
    for number, points in enumerate((0, 26)):
        played = game("niuniu.national", options, name=f"law-{mode}-{number}", players=4, hands=4,
                      match={"start_points": points})  # fmt: skip
        for state, _ in states(played.lines):
            if state.phase != "hand" or state.hand.phase == "ended":
                continue
            lawful = verbs.options(state)
            assert all(verbs.judge(state, placed(state, body)) is None for body in lawful)
            due = frame.due(state)
            assert (due is None) == bool(lawful)
            for body in tries(4):
                if body in lawful:
                    continue
                record = placed(state, body)
                fault = verbs.judge(state, record)
                if due is not None and canonical({**due}) == canonical(body):
                    continue
                assert fault is not None, (state.hand.phase, body)
                assert fault.clause
                refused[fault.clause] += 1
                if lawful:
                    assert state.family.chosen(state.hand, record) is None
    if mode in {"fixed_owner", "rotate", "bull_takes"}:
        assert {"niuniu.bet.amount", "niuniu.bet.once", "niuniu.bet.banker", "niuniu.escape.seat"} <= set(refused)
    if mode == "asked":
        assert {"niuniu.bid.turn", "niuniu.bid.range", "niuniu.bid.solvency", "niuniu.bank.asked"} <= set(refused)
    if mode.endswith("_bid"):
        assert {"niuniu.bid.once", "niuniu.bid.range", f"niuniu.bank.{mode}", "niuniu.bet.balance"} <= set(refused)


def test_options_stand_in_a_fixed_order() -> None:
    room = sit("niuniu.national", {"banker": "free_bid", "max_bid": 2, "bets": [1, 5], "escape": "zhenan"}, players=3)
    assert [(body["seat"], body["bid"]) for body in room.options] == [(seat, bid) for seat in range(3)
                                                                      for bid in range(3)]  # fmt: skip
    for seat, bid in ((2, 0), (1, 2), (0, 1)):
        room.act({"type": "bid", "seat": seat, "bid": bid})
    assert room.hand.banker == 1
    room.act({"type": "bet", "seat": 2, "amount": 5})
    assert room.options == [
        {"type": "bet", "seat": 0, "amount": 1},
        {"type": "bet", "seat": 0, "amount": 5},
        {"type": "escaped", "seat": 1},
        {"type": "escaped", "seat": 2},
    ]


# --- the order of arrival ---------------------------------------------------------------------------------------


def test_the_order_of_bids_and_bets_decides_nothing() -> None:
    outcomes = set()
    hands = ["3S 7H KD 8C JS", "TS QS KS 4D 5C", "2S 8H JD QC TC", "AS 3H 5D 8D KC"]
    bids, bets = {0: 2, 1: 3, 2: 3, 3: 0}, {0: 4, 1: 2, 2: 5, 3: 1}
    for order in permutations(range(4)):
        room = sit("niuniu.national", {"banker": "free_bid"}, hands=hands, name="arrival")
        for seat in order:
            room.act({"type": "bid", "seat": seat, "bid": bids[seat]})
        banker = room.hand.banker
        for seat in order:
            if seat != banker:
                last = room.act({"type": "bet", "seat": seat, "amount": bets[seat]})
        outcomes.add((last[-4]["type"], tuple(last[-4]["payments"]), tuple(last[-3]["scores"])))
        assert room.fault() is None
    assert len(outcomes) == 1
    assert outcomes.pop()[0] == "settled"


# --- interruptions ----------------------------------------------------------------------------------------------


def test_a_void_hand_is_dealt_anew_as_it_began_and_keeps_who_may_push() -> None:
    options = {"banker": "rotate", "push_bet": 20, "tie": "banker_wins"}
    room = sit("niuniu.national", options, players=2, name="void", match={"length": {"hands": 3}})
    room.act({"type": "bet", "seat": 1, "amount": 1})
    (paid,) = [record["payments"] for record in room.records() if record["type"] == "settled"]
    winner = [1] if paid[1] > 0 else []
    assert room.hand.dealer == 1
    before = room.hand.pushers
    assert before == tuple(winner)
    room.act({"type": "voided", "hand": 1, "actor": "operator", "reason": "power"})
    assert room.hand.dealer == 1
    assert room.hand.pushers == before
    assert room.game.hand_number == 2
    room.play(lively("void"))
    assert [load(line)["hand"] for line in room.lines if load(line)["type"] == "hand_started"] == [0, 1, 2, 3]
    assert found(room.lines) is None


def test_deck_is_dealt_one_card_at_a_time() -> None:
    laid = lay_cards(["AS AH AD AC 2S", "3S 3H 3D 3C 4S"], deck=52)
    assert [CARDS[card] for card in laid.wall[:4]] == ["AS", "3S", "AH", "3H"]
    room = sit("niuniu.national", {"banker": "see3_bid"}, hands=["AS AH AD AC 2S", "3S 3H 3D 3C 4S"])
    dealt = [record for record in room.records() if record["type"] == "dealt"]
    assert [record["tiles"] for record in dealt] == [["AS", "AH", "AD"], ["3S", "3H", "3D"]]
    room.act({"type": "bid", "seat": 1, "bid": 1})
    room.act({"type": "bid", "seat": 0, "bid": 0})
    last = room.act({"type": "bet", "seat": 0, "amount": 2})
    assert [record["tiles"] for record in last if record["type"] == "dealt"] == [["AC", "2S"], ["3C", "4S"]]
    assert [record["cards"] for record in last if record["type"] == "shown"][1] == ["3S", "3H", "3D", "3C", "4S"]

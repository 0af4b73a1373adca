"""Tampered logs: each forgery, numbered anew so that only its content is wrong, is named by place, code and clause."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tables import found
from trick_tables import played

from engine import replay
from engine.cards import CARDS
from engine.events import Record, canonical, load
from engine.tricks.order import names

THREE = {"match": {"length": {"hands": 3}}}
LOGS: dict[str, list[bytes]] = {
    "three_one": played("three_one", {"all_pass": "first_bidder_forced_at_minimum"}, name="tamper-three", **THREE),
    "forty": played("forty", {"stake": "per_hand"}, name="tamper-forty", bot="random", **THREE),
}


def records(preset: str) -> list[Record]:
    return [load(line) for line in LOGS[preset]]


def written(log: list[Record]) -> list[bytes]:
    """Number events anew and write them: whoever forges a log does as much."""
    return [canonical({**record, "seq": seq}) for seq, record in enumerate(log)]


def places(log: list[Record], kind: str) -> list[int]:
    return [at for at, record in enumerate(log) if record["type"] == kind]


def expect(log: list[Record], seq: int, code: str, clause: str) -> None:
    place = found(written(log))
    assert place is not None, "not caught"
    assert (place.seq, place.code, place.clause) == (seq, code, clause), place


@pytest.mark.parametrize("preset", LOGS)
def test_the_logs_themselves_are_lawful(preset: str) -> None:
    assert found(LOGS[preset]) is None
    assert found(written(records(preset))) is None


@pytest.mark.parametrize("preset", LOGS)
def test_a_card_played_twice(preset: str) -> None:
    log = records(preset)
    plays = places(log, "played")
    again = next(at for at in plays[4:] if log[at]["seat"] == log[plays[0]]["seat"])
    log[again] = {**log[again], "card": log[plays[0]]["card"]}
    expect(log, again, "played", f"{preset}.play.held")


def revocations(preset: str) -> Iterator[tuple[int, str]]:
    """Yield places where a seat held the led group and another card, and such a card."""
    for game, record in replay.steps(LOGS[preset], replay.Replay()):
        hand = game.hand
        if record["type"] != "played" or not hand or hand.phase != "play" or not hand.trick:
            continue
        held = hand.held[hand.turn]
        group = hand.trumps.masks[hand.trumps.group[hand.trick[0]]]
        other = held & ~group
        if held & group and other:
            yield game.seq, names(other)[0]


@pytest.mark.parametrize("preset", LOGS)
def test_every_revoke(preset: str) -> None:
    cases = list(revocations(preset))
    assert len(cases) > 20
    for at, card in cases:
        log = records(preset)
        log[at] = {**log[at], "card": card}
        expect(log, at, "played", f"{preset}.play.follow")


def test_a_bid_out_of_turn() -> None:
    log = records("three_one")
    first, second = places(log, "bid")[:2]
    log[first], log[second] = log[second], log[first]
    expect(log, first, "turn", "three_one.bid.turn")
    log = records("three_one")
    log[first] = {**log[first], "seat": (log[first]["seat"] + 2) % 4}
    expect(log, first, "turn", "three_one.bid.turn")


def test_a_bid_that_is_not_above_the_highest() -> None:
    log = records("three_one")
    made = [at for at in places(log, "bid") if log[at]["bid"]]
    at = made[0] + 1
    assert log[at]["type"] == "bid"
    log[at] = {**log[at], "bid": log[made[0]]["bid"]}
    expect(log, at, "bid", "three_one.bid.higher")


@pytest.mark.parametrize("preset", LOGS)
def test_a_swapped_kitty(preset: str) -> None:
    log = records(preset)
    at = places(log, "kitty")[0]
    cards = list(log[at]["cards"])
    log[at] = {**log[at], "cards": [cards[1], cards[0], *cards[2:]]}
    expect(log, at, "V12", "fairness.1.10.V12")
    log = records(preset)
    log[at] = {**log[at], "seat": (log[at]["seat"] + 1) % 4}
    expect(log, at, "kitty", f"{preset}.kitty.take")


def test_a_card_of_the_kitty_exchanged_with_a_hand() -> None:
    log = records("three_one")
    dealt, kitty = places(log, "dealt")[0], places(log, "kitty")[0]
    tiles, cards = list(log[dealt]["tiles"]), list(log[kitty]["cards"])
    tiles[0], cards[0] = cards[0], tiles[0]
    log[dealt] = {**log[dealt], "tiles": tiles}
    log[kitty] = {**log[kitty], "cards": cards}
    expect(log, dealt, "V12", "fairness.1.10.V12")


def test_cards_exchanged_between_draws() -> None:
    log = records("forty")
    first, second = places(log, "drawn")[20:22]
    log[first], log[second] = ({**log[first], "tile": log[second]["tile"]}, {**log[second], "tile": log[first]["tile"]})
    expect(log, first, "V12", "fairness.1.10.V12")


@pytest.mark.parametrize("preset", LOGS)
def test_the_trick_given_to_another(preset: str) -> None:
    log = records(preset)
    at = places(log, "trick")[3]
    log[at] = {**log[at], "winner": (log[at]["winner"] + 1) % 4}
    expect(log, at, "trick", f"{preset}.trick.winner")
    log = records(preset)
    log[at] = {**log[at], "points": log[at]["points"] + 5}
    expect(log, at, "trick", f"{preset}.trick.points")


@pytest.mark.parametrize("preset", LOGS)
def test_a_wrong_multiplier_with_all_later_scores_made_consistent(preset: str) -> None:
    log = records(preset)
    at = places(log, "settled")[0]
    old = log[at]["payments"]
    lines = [{**line, "amount": 2 * line["amount"]} for line in log[at]["lines"]]
    log[at] = {**log[at], "payments": [2 * amount for amount in old], "lines": lines}
    for later in (*places(log, "hand_ended"), *places(log, "closed")):
        log[later] = {**log[later], "scores": [a + b for a, b in zip(log[later]["scores"], old, strict=True)]}
    clause = log[at]["lines"][0]["clause"]
    assert clause.startswith(f"{preset}.pay.")
    expect(log, at, "settled", clause)


@pytest.mark.parametrize(
    ("preset", "field", "value", "clause"),
    [
        ("three_one", "defender_points", 7, "score.points"),
        ("three_one", "made", None, "score.threshold"),
        ("three_one", "koudi", None, "score.koudi"),
        ("forty", "attacker_points", 7, "score.points"),
        ("forty", "declarers", None, "score.table"),
        ("forty", "levels", 9, "score.table"),
    ],
)
def test_a_wrong_outcome(preset: str, field: str, value: Any, clause: str) -> None:
    log = records(preset)
    at = places(log, "settled")[0]
    outcome = dict(log[at]["outcome"])
    flipped = {"made": not outcome.get("made"), "koudi": not outcome.get("koudi"),
               "declarers": [1, 3] if outcome.get("declarers") == [0, 2] else [0, 2]}  # fmt: skip
    outcome[field] = flipped[field] if value is None else value
    log[at] = {**log[at], "outcome": outcome}
    expect(log, at, "settled", f"{preset}.{clause}")
    log[at] = {key: item for key, item in log[at].items() if key != "outcome"}
    expect(log, at, "settled", f"{preset}.score.outcome")


@pytest.mark.parametrize("preset", LOGS)
def test_another_hand_follows(preset: str) -> None:
    log = records(preset)
    at = places(log, "hand_ended")[0]
    dealer = (log[at]["next"]["dealer"] + 1) % 4
    log[at] = {**log[at], "next": {**log[at]["next"], "dealer": dealer}}
    expect(log, at, "hand_ended", f"{preset}.dealer.next")


def test_a_level_too_many() -> None:
    log = records("forty")
    at = places(log, "hand_ended")[0]
    log[at] = {**log[at], "next": {**log[at]["next"], "levels": ["7", "7"]}}
    expect(log, at, "hand_ended", "forty.dealer.next")
    log = records("forty")
    at = places(log, "hand_started")[1]
    log[at] = {**log[at], "levels": ["7", "7"]}
    expect(log, at, "hand_started", "forty.dealer.next")


def test_a_suit_that_the_kitty_did_not_decide() -> None:
    log = records("forty")
    at = places(log, "kitty")[0]
    assert "suit" not in log[at]
    log[at] = {**log[at], "suit": "S"}
    expect(log, at, "kitty", "forty.kitty.turned")


def test_a_call_deleted() -> None:
    log = records("forty")
    at = next(each for each in places(log, "called") if "card" in log[each])
    del log[at]
    place = found(written(log))
    assert place is not None
    assert (place.seq, place.code, place.clause) == (at, "order", "forty.turn.order")


@pytest.mark.parametrize("preset", LOGS)
@pytest.mark.parametrize("kind", ["played", "trick", "buried", "kitty", "settled", "hand_ended", "revealed"])
def test_an_event_deleted_is_missed_where_it_stood(preset: str, kind: str) -> None:
    log = records(preset)
    at = places(log, kind)[1]
    del log[at]
    place = found(written(log))
    assert place is not None
    # A deleted play shifts the turns: the next play is another seat's.
    assert place.seq == at


@pytest.mark.parametrize("preset", LOGS)
def test_the_last_hand_cut_off(preset: str) -> None:
    log = records(preset)
    at = places(log, "hand_started")[-1]
    ended = places(log, "hand_ended")[-2]
    cut = [*log[:at], {**log[-1], "scores": log[ended]["scores"]}]
    place = found(written(cut))
    assert place is not None
    assert (place.seq, place.clause) == (at, "events.order")


def test_other_cards_buried_are_caught_where_one_of_them_is_played() -> None:
    # Any lawful six could have been buried; the log contradicts itself only once such a card is played.
    log = records("three_one")
    at = places(log, "buried")[0]
    seat, own = log[at]["seat"], log[at]["cards"]
    later = next(each for each in places(log, "played") if each > at and log[each]["seat"] == seat)
    card = log[later]["card"]
    log[at] = {**log[at], "cards": sorted([*own[1:], card], key=CARDS.index)}
    expect(log, later, "played", "three_one.play.held")


VALUES: dict[str, Callable[[Any], Any]] = {
    "seat": lambda seat: (seat + 1) % 4,
    "dealer": lambda seat: (seat + 1) % 4,
    "winner": lambda seat: (seat + 1) % 4,
    "bid": lambda bid: 80 if bid != 80 else 0,
    "hand": lambda hand: hand + 1,
    "points": lambda points: points + 5,
    "left": lambda left: left - 1,
    "end": lambda end: "tail" if end == "head" else "head",
    "card": lambda card: "BJ" if card != "BJ" else "SJ",
    "tile": lambda card: "BJ" if card != "BJ" else "SJ",
    "suit": lambda suit: "S" if suit != "S" else "H",
    "cards": lambda cards: cards[::-1],
    "tiles": lambda cards: cards[::-1],
    "levels": lambda levels: ["9", "9"],  # noqa: ARG005
    "payments": lambda payments: payments[::-1] if payments != payments[::-1] else [1, -1, 0, 0],
    "scores": lambda scores: [score + 1 for score in scores],
    "winners": lambda winners: [*winners, {"seat": 0, "points": 0}],
    "lines": lambda lines: lines[:-1],
    "outcome": lambda outcome: {**outcome, "more": 1},
    "words": lambda words: words + 1,
    "rejects": lambda rejects: rejects + 1,
    "wall_root": lambda root: root[::-1],
    "next": lambda spot: {**spot, "dealer": (spot["dealer"] + 1) % 4},
    "seed": lambda seed: seed[::-1],
    "path": lambda path: path[:-1],
    "order": lambda order: order[::-1],
    "reason": lambda reason: "max_hands" if reason != "max_hands" else "match_end",
    "root_seed": lambda root: root[::-1],
    "commit": lambda commit: commit[::-1],
    "reveal": lambda reveal: reveal[::-1],
}
"""How the mutation matrix changes each field to another value within its type."""


@pytest.mark.parametrize("preset", LOGS)
def test_every_field_of_every_kind_of_event_matters(preset: str) -> None:
    log = records(preset)
    seen: set[tuple[str, str]] = set()
    for at, record in enumerate(log[1:], 1):
        for name in record:
            if name in {"at", "game", "seq", "v", "type"} or (record["type"], name) in seen:
                continue
            seen.add((record["type"], name))
            other = {**record, name: VALUES[name](record[name])}
            assert other != record
            place = found(written([*log[:at], other, *log[at + 1 :]]))
            assert place is not None, (record["type"], name)
            assert place.seq >= at
            if record["type"] not in {"bid", "called", "buried", "trump", "played", "entropy", "committed"}:
                assert place.seq == at, (record, name, place)
    assert len(seen) >= 35


def test_a_bid_that_was_outbid_is_another_lawful_history() -> None:
    # A pass turned into a bid that the next seat outbid anyway: nothing in the log contradicts it. Only the seat's
    # signed command, or the ledger's hash of the event, tells the two apart.
    for number in range(20):
        log = [load(line) for line in played("three_one", name=f"outbid-{number}", **THREE)]
        for at in places(log, "bid"):
            higher = [record["bid"] for record in log[at + 1 : at + 4] if record["type"] == "bid" and record["bid"]]
            if log[at]["bid"] == 0 and higher and higher[0] > 60 and log[at - 1]["type"] != "bid":
                log[at] = {**log[at], "bid": 60}
                assert found(written(log)) is None
                return
    pytest.fail("no pass was outbid: choose another game")

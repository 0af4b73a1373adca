"""Every conceivable decision at sampled states: lawful exactly where it is listed, else refused with a clause."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tables import Room, stream_of
from trick_tables import MATCH

from engine import verbs
from engine.cards import CARDS
from engine.events import Body, canonical
from engine.family import Fault
from engine.game import Game
from engine.shuffle import Stream
from engine.tricks.bots import BOTS, sight

DATA = Path(__file__).parents[3] / "data"
CLAUSES = {
    clause
    for game in ("three_one", "forty", "common")
    for clause in json.loads((DATA / game / "clauses.json").read_text())
}
SETS: list[tuple[str, dict[str, Any]]] = [
    ("three_one", {}),
    ("three_one", {"bury_points": False, "trump_timing": "before_bury", "permanent_twos": False}),
    ("forty", {}),
    ("forty", {"bury_point_limit": 35, "who_may_declare": "declarers_first", "permanent_twos": True}),
]


def conceivable(game: Game, stream: Stream) -> Iterator[Body]:
    """Yield decisions of every kind, seat and value; of burials a sample, lawful ones and near misses among them."""
    for seat in range(5):
        for bid in (0, 1, 5, *range(50, 95, 5), 62, 1000):
            yield {"type": "bid", "seat": seat, "bid": bid}
        yield {"type": "called", "seat": seat}
        for card in CARDS:
            yield {"type": "called", "seat": seat, "card": card}
            yield {"type": "played", "seat": seat, "card": card}
        for suit in "SHCD":
            yield {"type": "trump", "seat": seat, "suit": suit}
        yield {"type": "bet", "seat": seat, "amount": 1}
        yield {"type": "escaped", "seat": seat}
        yield {"type": "declared", "seat": seat, "what": "win"}
        for cards in burials(game, stream):
            yield {"type": "buried", "seat": seat, "cards": cards}


def burials(game: Game, stream: Stream) -> Iterator[list[str]]:
    held = [CARDS[card] for card in range(54) if game.hand.held[game.hand.turn] >> card & 1]
    for size in (0, 5, 6, 6, 6, 6, 7):
        if size <= len(held):
            pool = list(held)
            yield sorted((pool.pop(stream.below(len(pool))) for _ in range(size)), key=CARDS.index)
    any_six = [CARDS[stream.below(54)] for _ in range(6)]
    yield any_six
    if len(held) >= 6:
        yield held[5::-1]
        yield held[:5] + held[:1]


def judged(game: Game, body: Body) -> Fault | None:
    record = {**body, "at": game.at, "game": game.premise.game, "seq": game.seq, "v": 1}
    return verbs.judge(game, record)


@pytest.mark.parametrize(("preset", "options"), SETS)
def test_lawful_is_what_is_listed_and_the_rest_names_its_clause(preset: str, options: dict[str, Any]) -> None:
    stream = stream_of("unlawful", preset, *options)
    refused: Counter[str] = Counter()
    for number in range(3):
        room = Room(preset, options, name=f"unlawful-{preset}-{len(options)}-{number}", match=MATCH)
        while not room.table.over:
            listed = room.table.legal()
            kind = listed[0]["type"]
            if kind in {"bid", "trump", "buried"} or stream.below(10) == 0:
                lawful = {canonical(body) for body in listed}
                assert len(lawful) == len(listed)
                for body in conceivable(room.game, stream):
                    fault = judged(room.game, body)
                    assert (fault is None) == (canonical(body) in lawful), (body, fault)
                    if fault is not None:
                        assert fault.clause in CLAUSES, fault
                        assert fault.expected is not None
                        refused[fault.clause.partition(".")[2]] += 1
                for body in listed[:20]:
                    assert judged(room.game, body) is None
            room.act(BOTS["random"](sight(room.hand, listed[0]["seat"], listed), stream))
    common = {"play.held", "play.follow", "play.turn", "turn.order", "bury.six", "bury.held", "bury.order"}
    own = {"bid.steps", "bid.higher", "bid.turn"} if preset == "three_one" else {"call.held", "call.rank", "call.turn"}
    assert common | own <= set(refused), refused


def test_refused_acts_are_logged_only_where_they_are_unlawful() -> None:
    room = Room("three_one", name="refusing", match=MATCH)
    lawful = room.table.legal()[1]
    fault = room.judge({"type": "refused", "seat": lawful["seat"], "tried": dict(lawful), "clause": "x"})
    assert fault is not None
    assert fault.clause == "events.refused"
    tried = {**lawful, "bid": 62}
    room.act({"type": "refused", "seat": lawful["seat"], "tried": tried, "clause": "three_one.bid.steps"})
    assert room.table.legal()[1] == lawful

"""Laws that hold at every event of every hand: conservation, hand sizes, zero sums, one source of legality."""

from collections import Counter
from dataclasses import replace

import pytest
from laws import Sample, beside, clauses, on_the_table, pays_zero, rearranged, sizes, taken_by, vocabulary, windows_of
from options import SETS
from referees import referee_of
from tables import Laid, Room, lively, replayed, rich, simulated, states

from engine import frame, verbs
from engine.cards import tile_deck
from engine.events import Record, load
from engine.game import Game


def rich_hand(name: str, word: str, **how: int) -> tuple[Room, Laid]:
    preset, options = SETS[name]
    word = f"{word}-{sum(name.encode())}"
    laid = rich(preset, options, word)
    room = Room(preset, options, name=word, laid=laid)
    room.play(lively(word, **how))
    return room, laid


@pytest.mark.parametrize("name", SETS)
def test_tiles_are_conserved_and_hands_have_their_size_at_every_event(name: str) -> None:
    preset, options = SETS[name]
    logs: list[tuple[list[bytes], Laid | None]] = []
    logs += [(simulated(preset, options, name=f"laws-{n}", match={"length": {"hands": 8}}), None) for n in range(2)]
    for number in range(24):
        room, laid = rich_hand(name, f"laws-rich-{number}", win_in=4)
        logs.append((room.lines, laid))
    hands = 0
    for lines, laid in logs:
        deck = Counter(each.partition(".")[0] for each in tile_deck(flowers=preset == "linhai.144"))
        taken: Counter[str] = Counter()
        for game, record in states(lines, laid):
            if record["type"] == "hand_started":
                taken = Counter()
                hands += 1
            if record["type"] == "settled":
                pays_zero(record)
            if record["type"] == "hand_ended":
                assert sum(record["scores"]) == 0
            if game.phase != "hand":
                continue
            taken.update(taken_by(record))
            assert on_the_table(game.hand) == taken
            assert taken <= deck
            if game.hand.dealt == 4:
                assert game.hand.wall.left + taken.total() == deck.total()
                sizes(game)
    assert hands == 40


# --- legality has one source ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SETS)
def test_a_decision_has_no_fault_exactly_where_the_referee_allows_it(name: str) -> None:
    sample = Sample(clauses("linhai"), most_windows=4, most_turns=5, every=9)
    for number in range(4):
        room, laid = rich_hand(name, f"brute-{number}", win_in=6)
        sample.take(beside(room.lines, laid, referee_of))
    assert sample.windows > 1
    assert sample.turns > 3
    assert sample.lawful > 20


# --- arrival order, time-outs, snapshots ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["linhai", "robbing", "locks", "robbing, first winner"])
def test_the_order_in_which_answers_arrive_changes_nothing_else(name: str) -> None:
    seen = 0
    for number in range(40):
        room, laid = rich_hand(name, f"arrival-{number}", win_in=3)
        for lines in rearranged(room.records(), windows_of(room.lines)):
            assert replayed(lines, laid) is None
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("name", ["linhai.144", "locks", "kong after claim"])
def test_what_a_timeout_chooses_is_lawful_and_nothing_else_is_auto(name: str) -> None:
    tried = refused = 0
    for number in range(4):
        room, laid = rich_hand(name, f"timeout-{number}", win_in=6)
        for game, _ in states(room.lines, laid):
            options = verbs.options(game)
            for seat in sorted({body["seat"] for body in options}):
                chosen = game.family.timeout(game.hand, seat)
                assert chosen is not None
                assert chosen in options
                assert chosen["type"] == "discarded" or chosen["answer"] == "pass"  # never a win, kong or claim
                for body in options:
                    if body["seat"] != seat:
                        continue
                    record = {**body, "auto": True, "at": game.at, "game": room.name, "seq": game.seq, "v": 1}
                    fault = verbs.judge(game, record)
                    if body == chosen:
                        assert fault is None
                    else:
                        assert fault is not None
                        assert (fault.code, fault.clause) == ("auto", "CM-05")
                        refused += 1
                tried += 1
    assert tried > 50
    assert refused > 200


def test_asking_changes_nothing_and_a_snapshot_stands_alone() -> None:
    room, laid = rich_hand("locks", "snapshot", win_in=6)
    kept: list[tuple[Game, str]] = []
    for at, (game, record) in enumerate(states(room.lines, laid)):
        before = written(game)
        due = frame.due(game)
        verbs.legal(game)
        verbs.forced(game)
        for seat in range(4):
            if game.phase == "hand":
                game.family.timeout(game.hand, seat)
        for body in list(vocabulary(record["seq"], window=False))[::37]:
            verbs.judge(game, {**body, "at": game.at, "game": room.name, "seq": game.seq, "v": 1})
        if due is None or due["type"] not in {"settled", "hand_ended"}:  # what these say is kept once it is made
            assert written(game) == before
        if at % 7 == 0:
            snapshot = frame.snapshot(game)
            kept.append((snapshot, written(snapshot)))
    for snapshot, text in kept:
        assert written(snapshot) == text  # the fold went on, the copies did not


def test_a_snapshot_plays_on_to_the_same_end() -> None:
    room, laid = rich_hand("robbing", "resumed", win_in=6)
    copies = [(frame.snapshot(game), record["seq"]) for game, record in states(room.lines, laid)]
    for game, seq in copies[10::9]:
        for line in room.lines[seq + 1 :]:
            record: Record = load(line)
            assert verbs.judge(game, record) is None
            frame.step(game, record)
        assert game.phase == "over"


def written(game: Game) -> str:
    """Write the state out, without what it keeps of work already done (salt, deal)."""
    wall = game.hand.wall if game.hand is not None else None
    cursors = [getattr(wall, name) for name in ("_head", "_tail", "_taken", "left", "kinds")] if wall else []
    return repr((replace(game, salt=None, shuffled=None), cursors))

"""Laws that hold at every event of every hand: conservation, hand sizes, zero sums, one source of legality."""

import json
from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from laws import on_the_table, sizes, vocabulary, windows_of
from options import SETS
from referees import referee_of
from tables import Laid, Room, lively, replayed, rich, simulated, states

from engine import frame, verbs
from engine.cards import tile_deck
from engine.events import Record, canonical, load
from engine.frame import Game

DATA = Path(__file__).parents[3] / "data"


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
                assert sum(record["payments"]) == 0
                totals = [0, 0, 0, 0]
                for line in record["lines"]:
                    assert line["amount"] > 0
                    totals[line["from"]] -= line["amount"]
                    totals[line["to"]] += line["amount"]
                assert totals == record["payments"]
            if record["type"] == "hand_ended":
                assert sum(record["scores"]) == 0
            if game.phase != "hand":
                continue
            taken.update(record["tiles"] if record["type"] == "dealt" else [])
            taken.update([record["tile"]] if record["type"] == "drawn" else [])
            assert on_the_table(game.hand) == taken
            assert taken <= deck
            if game.hand.dealt == 4:
                assert game.hand.wall.left + taken.total() == deck.total()
                sizes(game)
    assert hands == 40


# --- legality has one source ---------------------------------------------------------------------------------------


def clause_ids() -> set[str]:
    return {
        clause for part in ("common", "linhai") for clause in json.loads((DATA / part / "clauses.json").read_bytes())
    }


@pytest.mark.parametrize("name", SETS)
def test_a_decision_has_no_fault_exactly_where_the_referee_allows_it(name: str) -> None:
    known = clause_ids()
    windows = acts = lawful = 0
    for number in range(4):
        room, laid = rich_hand(name, f"brute-{number}", win_in=6)
        referee = None
        for step, (game, record) in enumerate(states(room.lines, laid)):
            if record["type"] == "hand_started":
                referee = referee_of(game)
            elif record["type"] == "hand_ended":
                referee = None
            elif referee is not None:
                referee.accept(record)
            if referee is None or referee.want[0] != "choose":
                continue
            in_window = game.hand.phase == "window"
            if not (in_window and windows < 4) and not (step % 9 == 0 and acts < 5):
                continue
            windows += in_window
            acts += not in_window
            allowed = {canonical(body) for body in referee.want[1]}
            to = game.hand.window.to if in_window else game.seq - 1
            for body in vocabulary(to, window=in_window):
                fault = verbs.judge(game, {**body, "at": game.at, "game": room.name, "seq": game.seq, "v": 1})
                assert (fault is None) == (canonical(body) in allowed), (body, fault)
                if fault is None:
                    allowed.discard(canonical(body))
                    lawful += 1
                else:
                    assert fault.clause in known, fault
            assert not allowed  # the vocabulary named every lawful decision
    assert windows > 1
    assert acts > 3
    assert lawful > 20


# --- arrival order, time-outs, snapshots ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["linhai", "robbing", "locks", "robbing, first winner"])
def test_the_order_in_which_answers_arrive_changes_nothing_else(name: str) -> None:
    seen = 0
    for number in range(40):
        room, laid = rich_hand(name, f"arrival-{number}", win_in=3)
        records = room.records()
        for seqs in windows_of(room.lines):
            for order in permutations(seqs):
                changed = list(records)
                for place, source in zip(seqs, order, strict=True):
                    changed[place] = {**records[source], "seq": place, "at": records[place]["at"]}
                assert replayed([canonical(record) for record in changed], laid) is None
                seen += order != tuple(seqs)
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

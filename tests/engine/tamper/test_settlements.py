"""Wrong outcomes that a server might log: each is named with its clause, at its event.

A settlement one point wrong, a claim to the wrong seat, a chow that beat a pung, a winner ignored, a dead wall overrun.
"""

import pytest
from tables import Place, Room, edited, found, lay, renumbered, simulated

from engine.events import Record, load


def records_of(lines: list[bytes]) -> list[Record]:
    return [load(line) for line in lines]


def where(lines: list[bytes], kind: str) -> list[int]:
    return [seq for seq, record in enumerate(records_of(lines)) if record["type"] == kind]


def named(place: Place | None) -> tuple[int, str, str]:
    assert place is not None
    return place.seq, place.code, place.clause


@pytest.fixture(scope="module")
def games() -> list[list[bytes]]:
    sets = (("linhai", {"rob_kong": "as_discard", "liability_threshold": 1}), ("linhai.144", {"flower_tai": "own_1"}))
    return [
        simulated(rules, options, name=f"outcome-{rules}-{number}", match={"length": {"hands": 3}})
        for rules, options in sets
        for number in range(2)
    ]


# --- settlements ----------------------------------------------------------------------------------------------------


def test_every_number_of_every_settlement_one_point_wrong_is_named(games: list[list[bytes]]) -> None:
    tried = 0
    clauses = set()
    for lines in games:
        for seq in where(lines, "settled"):
            settled = load(lines[seq])
            for seat in range(4):
                payments = list(settled["payments"])
                payments[seat] += 1
                place = found(edited(lines, seq, payments=payments))
                assert named(place)[:2] == (seq, "settled")
                clauses.add(named(place)[2])
            for at, winner in enumerate(settled["winners"]):
                for name in ("tai", "points"):
                    winners = [dict(each) for each in settled["winners"]]
                    winners[at][name] = winner[name] + 1
                    code = {"tai": "linhai.tai.cap", "points": "LH-16"}[name]
                    assert named(found(edited(lines, seq, winners=winners))) == (seq, "settled", code)
                for place_, pattern in enumerate(winner["patterns"]):
                    patterns = [dict(each) for each in winner["patterns"]]
                    patterns[place_]["tai"] = pattern["tai"] + 1
                    winners = [dict(each) for each in settled["winners"]]
                    winners[at] = {**winner, "patterns": patterns}
                    place = found(edited(lines, seq, winners=winners))
                    assert named(place)[:2] == (seq, "settled")
                    assert named(place)[2].startswith(("LH-", "linhai.tai."))
            for at, line in enumerate(settled["lines"]):
                for name, value in (
                    ("amount", line["amount"] + 1),
                    ("from", line["to"]),
                    ("clause", "x"),
                    ("reason", "x"),
                ):
                    pay = [dict(each) for each in settled["lines"]]
                    pay[at][name] = value
                    assert named(found(edited(lines, seq, lines=pay))) == (seq, "settled", line["clause"])
            tried += 1
    assert tried == 12
    assert {"linhai.pay.discard", "linhai.pay.self_draw"} & clauses


def test_lines_in_another_order_say_the_same(games: list[list[bytes]]) -> None:
    turned = 0
    for lines in games:
        for seq in where(lines, "settled"):
            pay = load(lines[seq])["lines"]
            if len(pay) > 1:
                assert found(edited(lines, seq, lines=pay[::-1])) is None
                assert found(edited(lines, seq, lines=[*pay, pay[0]])) is not None
                turned += 1
    assert turned > 0


def test_a_foreign_server_may_leave_out_patterns_and_lines_but_not_get_the_rest_wrong(games: list[list[bytes]]) -> None:
    for lines in games:
        for seq in where(lines, "settled"):
            settled = load(lines[seq])
            bare = [{name: value for name, value in each.items() if name != "patterns"} for each in settled["winners"]]
            assert found(edited(lines, seq, lines=None, winners=bare)) is None
            wrong = [settled["payments"][0] + 2, settled["payments"][1] - 2, *settled["payments"][2:]]
            assert named(found(edited(lines, seq, lines=None, winners=bare, payments=wrong)))[:2] == (seq, "settled")
            if bare:
                without = [{name: value for name, value in bare[0].items() if name != "tai"}, *bare[1:]]
                assert named(found(edited(lines, seq, winners=without)))[:2] == (seq, "settled")


def test_another_winner_in_the_settlement_is_named(games: list[list[bytes]]) -> None:
    for lines in games:
        for seq in where(lines, "settled"):
            settled = load(lines[seq])
            if settled["winners"]:
                other = [{**settled["winners"][0], "seat": (settled["winners"][0]["seat"] + 1) % 4}]
                assert named(found(edited(lines, seq, winners=other))) == (seq, "settled", "linhai.pay.winners")


# --- claims ---------------------------------------------------------------------------------------------------------


def contested() -> Room:
    """Lay a discard that seat 1 chows and seat 3 pungs."""
    hands = ["3m 48m 268p 37s ESNCFP", "12m 19p 147s ESWCFP", "19m 147p 258s WWNE F", "33m 147p 258s 69s ENP"]
    room = Room(name="contested", laid=lay(hands=hands))
    room.discard(0, "3m")
    room.answer(1, "chow", "12m")
    room.answer(3, "pung", "33m")
    return room


def test_a_chow_that_beat_a_pung_is_named() -> None:
    room = contested()
    seq = where(room.lines, "melded")[0]
    change = {"seat": 1, "kind": "chow", "tiles": ["1m", "2m"]}
    assert named(room.fault(edited(room.lines, seq, **change))) == (seq, "melded", "linhai.claims.priority")


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_claim_that_went_to_the_wrong_seat_is_named(seat: int) -> None:
    room = contested()
    seq = where(room.lines, "melded")[0]
    assert named(room.fault(edited(room.lines, seq, seat=seat))) == (seq, "melded", "linhai.claims.priority")


def test_every_claim_of_a_game_given_to_another_seat_is_named(games: list[list[bytes]]) -> None:
    tried = 0
    for lines in games:
        for seq in where(lines, "melded"):
            meld = load(lines[seq])
            for seat in set(range(4)) - {meld["seat"]}:
                assert named(found(edited(lines, seq, seat=seat))) == (seq, "melded", "linhai.claims.priority")
            for change in ({"from": (meld["from"] + 1) % 4}, {"claimed": "E" if meld["claimed"] != "E" else "S"}):
                assert named(found(edited(lines, seq, **change)))[:2] == (seq, "melded")
            tried += 1
    assert tried > 20


def test_a_pung_called_a_kong_or_the_reverse_is_named(games: list[list[bytes]]) -> None:
    for lines in games:
        for seq in where(lines, "melded"):
            meld = load(lines[seq])
            for kind in {"chow", "pung", "direct_kong"} - {meld["kind"]}:
                assert named(found(edited(lines, seq, kind=kind))) == (seq, "melded", "linhai.claims.priority")


# --- winners --------------------------------------------------------------------------------------------------------


def test_a_winner_ignored_for_a_pung_is_named() -> None:
    hands = ["3m 48m 268p 37s ESNCFP", "12m 456p 789p 456s WW", "19m 147p 258s 9s NNE F", "33m 147p 258s 69s EPS"]
    room = Room(name="ignored", laid=lay(hands=hands))
    room.discard(0, "3m")
    room.answer(3, "pung", "33m")
    room.answer(1, "win")
    seq = where(room.lines, "won")[0]
    records = room.records()
    head = {name: records[seq][name] for name in ("at", "game", "seq", "v")}
    meld = {**head, "type": "melded", "seat": 3, "kind": "pung", "tiles": ["3m", "3m"], "claimed": "3m", "from": 0}
    place = room.fault(renumbered([*records[:seq], meld]))
    assert named(place) == (seq, "won", "linhai.claims.win_first")
    # The next draw instead, as though nobody had answered:
    draw = {**head, "type": "drawn", "seat": 1, "tile": "E", "end": "head", "left": 82}
    assert named(room.fault(renumbered([*records[:seq], draw]))) == (seq, "won", "linhai.claims.win_first")


def test_a_win_given_to_another_seat_is_named(games: list[list[bytes]]) -> None:
    for lines in games:
        for seq in where(lines, "won"):
            won = load(lines[seq])
            for seat in set(range(4)) - {won["seat"]}:
                assert named(found(edited(lines, seq, seat=seat))) == (seq, "won", "linhai.claims.multi_win")
            for name, value in (("by", "robbed" if won["by"] != "robbed" else "discard"), ("occasion", "last_discard")):
                if won.get(name) != value:
                    assert named(found(edited(lines, seq, **{name: value})))[:2] == (seq, "won")
            if "from" in won:
                assert named(found(edited(lines, seq, from_=(won["from"] + 1) % 4)))[:2] == (seq, "won")
                assert named(found(edited(lines, seq, from_=None)))[:2] == (seq, "won")


def test_with_the_first_winner_only_a_second_one_is_named() -> None:
    hands = ["3m 48m 268p 37s ESNCFP", "12m 456p 789p 456s WW", "12m 123p 678p 123s NN", ""]
    room = Room("linhai", {"multi_win": "first"}, name="head-bump",
                laid=lay("linhai", {"multi_win": "first"}, hands=hands))  # fmt: skip
    room.discard(0, "3m")
    room.answer(2, "win")
    room.answer(1, "win")
    seq = where(room.lines, "won")[0]
    assert [load(line)["seat"] for line in room.lines if load(line)["type"] == "won"] == [1]
    assert named(room.fault(edited(room.lines, seq, seat=2))) == (seq, "won", "linhai.claims.win_first")
    records = room.records()
    place = room.fault(renumbered([*records[: seq + 1], {**records[seq], "seat": 2}, *records[seq + 1 :]]))
    assert named(place)[:2] == (seq + 1, "settled")


# --- the dead wall --------------------------------------------------------------------------------------------------


def drawn_out(name: str, rules: str = "linhai") -> list[bytes]:
    for number in range(100):
        lines = simulated(rules, name=f"{name}-{number}")
        if where(lines, "drawn_hand"):
            return lines
    raise AssertionError("no hand was drawn")


def test_a_dead_wall_overrun_is_named() -> None:
    lines = drawn_out("overrun")
    seq = where(lines, "drawn_hand")[0]
    records = records_of(lines)
    last = records[where(lines, "drawn")[-1]]
    head = {name: records[seq][name] for name in ("at", "game", "seq", "v")}
    for end in ("head", "tail"):
        draw = {**head, "type": "drawn", "seat": 1, "tile": "E", "end": end, "left": last["left"] - 1}
        place = found(renumbered([*records[:seq], draw, *records[seq:]]))
        assert named(place) == (seq, "drawn_hand", "LH-12")
        assert place is not None
        assert place.fault.expected == {"type": "drawn_hand", "reason": "wall_end"}


def test_a_tile_drawn_from_the_wrong_end_is_named_by_its_end() -> None:
    hands = ["1111m 258p 37s ESWNC", "", "", ""]
    room = Room(name="wrong-end", laid=lay(hands=hands, head="2s", tail="4s 6s"))
    room.kong(0, "concealed_kong", "1m")
    room.idle(81)
    seqs = where(room.lines, "drawn")
    for seq, end, tile, clause in ((seqs[0], "head", "2s", "LH-10"), (seqs[1], "tail", "6s", "linhai.turn.draw")):
        assert load(room.lines[seq])["end"] != end
        assert named(room.fault(edited(room.lines, seq, end=end, tile=tile))) == (seq, "drawn", clause)


def test_a_hand_ended_before_its_wall_is_named() -> None:
    lines = drawn_out("too-early")
    records = records_of(lines)
    for seq in where(lines, "drawn")[5::17]:
        head = {name: records[seq][name] for name in ("at", "game", "seq", "v")}
        draw = {**head, "type": "drawn_hand", "reason": "wall_end"}
        place = found(renumbered([*records[:seq], draw, *records[where(lines, "settled")[0] :]]))
        assert place is not None
        assert (place.seq, place.code) == (seq, "drawn_hand")
        assert place.clause == "LH-12"


@pytest.mark.parametrize("reason", ["no_replacement", "redeal", "because"])
def test_a_drawn_hand_has_its_reason(reason: str) -> None:
    lines = drawn_out("reason")
    seq = where(lines, "drawn_hand")[0]
    assert named(found(edited(lines, seq, reason=reason)))[:2] == (seq, "drawn_hand")


# --- the deal passing -----------------------------------------------------------------------------------------------


def test_the_next_dealer_and_wind_are_named(games: list[list[bytes]]) -> None:
    tried = 0
    for lines in games:
        for seq in where(lines, "hand_ended")[:-1]:
            spot = load(lines[seq])["next"]
            for change in ({"dealer": (spot["dealer"] + 1) % 4}, {"round_wind": "N"}):
                place = found(edited(lines, seq, next={**spot, **change}))
                assert named(place) == (seq, "hand_ended", "LH-04")
                start = seq + 2
                record = load(lines[start])
                assert record["type"] == "hand_started"
                place = found(edited(lines, start, **change))
                assert named(place) == (start, "hand_started", "LH-04")
                tried += 1
            assert named(found(edited(lines, seq, next=None))) == (seq, "hand_ended", "modes.1")
    assert tried == 16

"""Seeds and walls: V5, V6, V9 to V12, V14, V17, and games whose seeds are not in the log (fairness.md 1.9, 1.10)."""

from typing import Any

import pytest
from tables import Place, Room, edited, found, greedy, renumbered, seed_of, simulated

from engine import replay
from engine.events import Body, Record, canonical, load
from engine.variants import find


def game(name: str, hands: int = 2, **how: Any) -> list[bytes]:
    return simulated(name=name, match={"length": {"hands": hands}}, **how)


def at(lines: list[bytes], kind: str, number: int = 0) -> int:
    """Return the seq of the n-th event of a type."""
    return [seq for seq, line in enumerate(lines) if load(line)["type"] == kind][number]


def named(place: Place | None) -> tuple[int, str, str]:
    assert place is not None
    return place.seq, place.code, place.clause


# --- the deal follows from the seed ---------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", [0, 1])
@pytest.mark.parametrize(
    ("field", "value", "code"),
    [("words", 1, "V10"), ("rejects", 7, "V10"), ("wall_root", "ab" * 32, "V11")],
)
def test_words_rejects_and_wall_root_are_those_of_the_shuffle(hand: int, field: str, value: object, code: str) -> None:
    lines = game("start")
    seq = at(lines, "hand_started", hand)
    assert named(found(edited(lines, seq, **{field: value}))) == (seq, code, f"fairness.1.10.{code}")
    assert found(edited(lines, seq, **{field: None})) is not None


def test_without_the_wall_root_the_replay_says_so() -> None:
    lines = game("no-root")
    result = replay.replay(lines, wall_root=False)
    assert result.finding is None
    assert [(note.hand, note.code) for note in result.notes] == [(-1, "V11")]
    seq = at(lines, "hand_started", 1)
    assert found(edited(lines, seq, wall_root="ab" * 32), wall_root=False) is None
    assert found(edited(lines, seq, words=1), wall_root=False) is not None
    assert seq not in result.judged  # taken as it is told, all else derived
    for told in ("ab" * 31, "AB" * 32, "", 1, True, [], {}, "ab" * 31 + "é"):
        place = found(edited(lines, seq, wall_root=told), wall_root=False)
        assert place is not None, told
        assert (place.seq, place.code) == (seq, "schema"), told
    assert named(found(edited(lines, seq, wall_root=None), wall_root=False))[:2] == (seq, "V11")


@pytest.mark.parametrize("throw", [0, 1])
def test_dice_are_those_of_the_seed(throw: int) -> None:
    lines = game("dice")
    seq = at(lines, "dice", throw)
    values = load(lines[seq])["values"]
    other = [values[0] % 6 + 1, values[1]]
    assert named(found(edited(lines, seq, values=other))) == (seq, "V9", "fairness.1.10.V9")
    assert named(found(edited(lines, seq, values=values[:1])))[:2] == (seq, "V9")
    assert named(found(edited(lines, seq, seat=(load(lines[seq])["seat"] + 1) % 4))) == (
        seq,
        "dice",
        "linhai.wall.dice",
    )


@pytest.mark.parametrize("seat", range(4))
def test_every_dealt_tile_is_the_walls(seat: int) -> None:
    lines = game("dealt")
    seq = at(lines, "dealt", seat)
    tiles = list(load(lines[seq])["tiles"])
    tiles[3] = "1m" if tiles[3] != "1m" else "2m"
    assert named(found(edited(lines, seq, tiles=tiles))) == (seq, "V12", "fairness.1.10.V12")
    order = load(lines[seq])["tiles"][::-1]
    assert named(found(edited(lines, seq, tiles=order)))[:2] == (seq, "V12")  # taken in this order


def test_every_drawn_tile_is_the_walls() -> None:
    lines = game("drawn", 1)
    for seq, line in enumerate(lines):
        record = load(line)
        if record["type"] == "drawn":
            other = "1m" if record["tile"] != "1m" else "2m"
            assert named(found(edited(lines, seq, tile=other))) == (seq, "V12", "fairness.1.10.V12")
            assert found(edited(lines, seq, end={"head": "tail", "tail": "head"}[record["end"]])) is not None
            assert found(edited(lines, seq, left=record["left"] + 1)) is not None


# --- reveals: path (V6), time (V14), root seed (V17) ----------------------------------------------------------------


@pytest.mark.parametrize("hand", [0, 1])
def test_a_wrong_path_or_seed_is_named(hand: int) -> None:
    lines = game("path")
    seq = at(lines, "revealed", hand)
    path = load(lines[seq])["path"]
    wrong = [*path[:-1], "00" * 32]
    other = load(lines[at(lines, "revealed", 1 - hand)])
    for change in (
        {"path": wrong},
        {"path": path[:-1]},
        {"path": other["path"]},
        {"seed": other["seed"]},
        {"seed": ""},
    ):
        assert named(found(edited(lines, seq, **change))) == (seq, "V6", "fairness.1.10.V6")


def test_a_seed_that_does_not_open_is_a_fault_at_its_own_event_and_its_hand_is_one_without_a_seed() -> None:
    # Without the root seed the log's reveals are all there is.
    lines = game("unopened", deal={"max_hands": 2})[:-1]
    seq = at(lines, "revealed", 0)
    assert named(found(edited(lines, seq, seed=seed_of("x").hex()))) == (seq, "V6", "fairness.1.10.V6")
    result = replay.replay(edited(lines, seq, seed=seed_of("x").hex()))
    assert (0, "V9") in [(note.hand, note.code) for note in result.notes]


def test_a_late_reveal_is_a_finding_and_the_replay_goes_on() -> None:
    lines = game("late")
    seq = at(lines, "revealed", 0)
    ended = load(lines[seq - 1])["at"]
    assert found(later(lines, seq, ended + 60_000)) is None
    result = replay.replay(later(lines, seq, ended + 60_001))
    assert result.finding is not None
    assert (result.finding.seq, result.finding.fault.code, result.finding.fault.clause) == (seq, "V14", "fairness.1.9")
    assert result.closed  # the rest was judged, too
    assert result.later == []


def later(lines: list[bytes], seq: int, when: int) -> list[bytes]:
    """Move an event, and all after it, to a later time."""
    records = [load(line) for line in lines]
    shift = when - records[seq]["at"]
    return [*lines[:seq], *(canonical({**record, "at": record["at"] + shift}) for record in records[seq:])]


@pytest.mark.parametrize("hand", [0, 1])
def test_a_missing_reveal_is_named_where_the_next_event_stands(hand: int) -> None:
    lines = game("missing")
    seq = at(lines, "revealed", hand)
    records = [load(line) for line in lines]
    assert named(found(renumbered(records[:seq] + records[seq + 1 :]))) == (seq, "V14", "fairness.1.9")


def test_a_reveal_before_its_hand_has_ended_is_named() -> None:
    lines = game("early-reveal")
    records = [load(line) for line in lines]
    reveal = at(lines, "revealed", 0)
    into = at(lines, "discarded", 1)
    moved = [*records[:into], records[reveal], *records[into:reveal], *records[reveal + 1 :]]
    place = found(renumbered(moved))
    assert place is not None
    assert place.seq == into


def test_a_root_seed_that_does_not_open_all_is_named() -> None:
    lines = game("root-seed")
    assert named(found(edited(lines, len(lines) - 1, root_seed=seed_of("x").hex()))) == (
        len(lines) - 1, "V17", "fairness.1.10.V17",
    )  # fmt: skip
    assert named(found(edited(lines, len(lines) - 1, root_seed=None))) == (len(lines) - 1, "V17", "fairness.1.10.V17")


def test_a_root_in_opened_that_the_seeds_do_not_open_is_named_at_the_first_of_them() -> None:
    lines = game("root-s")
    deal = {**load(lines[0])["deal"], "root_s": "ab" * 32}
    place = found(edited(lines, 0, deal=deal))
    assert named(place) == (at(lines, "revealed", 0), "V6", "fairness.1.10.V6")


def test_a_game_cut_off_is_no_fault_but_not_closed() -> None:
    lines = game("cut")
    for end in (5, 9, 20, len(lines) - 1):
        result = replay.replay(lines[:end])
        assert result.finding is None
        assert not result.closed
        assert result.prefix == end


def test_nothing_follows_closed() -> None:
    lines = game("after")
    closed = {**load(lines[-1]), "seq": len(lines)}
    envelope = {name: closed[name] for name in ("at", "game", "seq", "v")}
    for record in (
        closed,
        {**envelope, "type": "away", "seat": 0},
        {**envelope, "type": "voted", "seat": 0, "answer": "no"},
    ):
        assert named(found([*lines, canonical(record)])) == (len(lines), "order", "events.order")


# --- seeds for the auditor only, wide seeds, a foreign shuffler -------------------------------------------------------


def test_seeds_for_the_auditor_stay_out_of_the_log() -> None:
    lines = game("auditor", deal={"reveal": "auditor"})
    kinds = {load(line)["type"] for line in lines}
    assert "revealed" not in kinds
    assert "root_seed" not in load(lines[-1])
    result = replay.replay(lines)
    assert result.finding is None
    assert result.closed
    assert (-1, "V9") in [(note.hand, note.code) for note in result.notes]
    seq = at(lines, "hand_ended", 0) + 1
    seed = seed_of("auditor", "x").hex()
    extra = {**load(lines[seq]), "type": "revealed", "hand": 0, "seed": seed, "path": []}
    extra = {key: extra[key] for key in ("at", "game", "seq", "v", "type", "hand", "seed", "path")}
    records = [load(line) for line in lines]
    place = found(renumbered([*records[:seq], extra, *records[seq:]]))
    assert place is not None
    assert place.seq == seq


def test_the_wide_profile_opens_unused_hands_one_by_one() -> None:
    lines = game("wide", deal={"protocol": "paipu-fair/1w", "max_hands": 5})
    assert found(lines) is None
    assert [load(line)["hand"] for line in lines if load(line)["type"] == "revealed"] == [0, 1, 2, 3, 4]
    closed = load(lines[-1])
    assert "root_seed" not in closed
    assert len(load(lines[at(lines, "revealed", 0)])["seed"]) == 256
    records = [load(line) for line in lines]
    for seq in range(at(lines, "revealed", 2), len(lines) - 1):
        # The next hand's reveal stands in its place (V6), after the last one `closed` (V14).
        code = "V14" if seq == len(lines) - 2 else "V6"
        assert named(found(renumbered(records[:seq] + records[seq + 1 :])))[:2] == (seq, code)
    for seq in (at(lines, "revealed", 0), at(lines, "revealed", 3)):
        seed = load(lines[seq])["seed"]
        assert named(found(edited(lines, seq, seed=seed[:-2] + "00")))[:2] == (seq, "V6")
    assert found(edited(lines, len(lines) - 1, root_seed="00" * 32)) is not None


def wide_stopped(name: str, reason: str, opened: int) -> tuple[list[bytes], int]:
    """Stop a wide game of four committed hands after its first one, `opened` of the three unused hands opened."""
    match = {"length": {"hands": 3}, **({"early_end": "all"} if reason == "dissolved" else {})}
    room = Room(name=name, match=match, deal={"protocol": "paipu-fair/1w", "max_hands": 4})
    lines = room.play(greedy(name))
    seq = at(lines, "hand_started", 1)
    records = [load(line) for line in lines[:seq]]
    head = {"at": records[-1]["at"], "game": name, "v": 1}
    votes = [{"type": "voted", "seat": seat, "answer": "yes"} for seat in range(4)] if reason == "dissolved" else []
    tail: list[Body] = [*votes]
    for hand in range(1, 1 + opened):
        path = [each.hex() for each in room.commitment.path(hand)]
        tail.append({"type": "revealed", "hand": hand, "seed": room.commitment.seeds[hand].hex(), "path": path})
    scores = next(record["scores"] for record in reversed(records) if record["type"] == "hand_ended")
    tail.append({"type": "closed", "scores": scores, "reason": reason})
    return renumbered([*records, *({**body, **head, "seq": seq + step} for step, body in enumerate(tail))]), seq


@pytest.mark.parametrize("reason", ["dissolved", "abandoned"])
def test_a_wide_game_stopped_between_hands_opens_its_unused_hands(reason: str) -> None:
    lines, _ = wide_stopped(f"wide-{reason}", reason, 3)
    assert found(lines) is None
    assert replay.replay(lines).closed
    for opened in (0, 1, 2):
        short, _ = wide_stopped(f"wide-{reason}", reason, opened)
        assert named(found(short)) == (len(short) - 1, "V14", "fairness.1.9")


def foreign(name: str, policy: Any = None) -> list[bytes]:
    """Rewrite a seeded game as a foreign server's: no commitments, no reveals, players seated as opened."""
    lines = simulated(name=name, match={"length": {"hands": 2}}, **({"policy": policy} if policy else {}))
    records = [load(line) for line in lines]
    order = next(record["order"] for record in records if record["type"] == "seated")
    seats = [{"seat": seat, "player": player, "kind": "bot"} for seat, player in enumerate(order)]
    kept: list[Record] = [{**records[0], "seats": seats, "deal": {"protocol": "none"}}]
    for record in records[1:]:
        if record["type"] in {"committed", "entropy", "seated", "revealed"}:
            continue
        drop = {"words", "rejects", "wall_root"} if record["type"] == "hand_started" else {"root_seed"}
        kept.append({key: value for key, value in record.items() if key not in drop})
    return renumbered(kept)


def test_a_foreign_shufflers_draws_are_taken_as_given() -> None:
    lines = foreign("foreign")
    result = replay.replay(lines)
    assert result.finding is None
    assert result.closed
    assert [(note.hand, note.code) for note in result.notes] == [(-1, "V9")]


def test_a_foreign_log_still_obeys_every_rule() -> None:
    lines = foreign("foreign-rules")
    seq = at(lines, "settled", 0)
    settled = load(lines[seq])
    paid = [settled["payments"][0] + 1, settled["payments"][1] - 1, *settled["payments"][2:]]
    place = found(edited(lines, seq, payments=paid))
    assert place is not None
    assert (place.seq, place.code) == (seq, "settled")
    seq = at(lines, "drawn", 0)
    assert named(found(edited(lines, seq, left=load(lines[seq])["left"] - 1)))[:2] == (seq, "drawn")
    assert named(found(edited(lines, seq, seat=(load(lines[seq])["seat"] + 1) % 4)))[:2] == (seq, "drawn")


def test_a_fifth_copy_is_a_fault_of_conservation() -> None:
    lines = foreign("fifth", greedy)
    taken: dict[str, int] = {}
    for seq, line in enumerate(lines):
        record = load(line)
        if record["type"] == "hand_started":
            taken = {}
        for tile in record["tiles"] if record["type"] == "dealt" else []:
            taken[tile] = taken.get(tile, 0) + 1
        if record["type"] == "drawn":
            full = next((tile for tile, seen in sorted(taken.items()) if seen == 4), None)
            if full is not None:
                assert named(found(edited(lines, seq, tile=full))) == (seq, "V5", "fairness.1.10.V5")
                return
            taken[record["tile"]] = taken.get(record["tile"], 0) + 1
    pytest.fail("no kind came out whole")


@pytest.mark.parametrize("tile", ["f1", "0m", "0p"])
def test_a_tile_that_the_set_does_not_have_is_a_fault(tile: str) -> None:
    lines = foreign("alien")
    seq = at(lines, "drawn", 0)
    assert named(found(edited(lines, seq, tile=tile))) == (seq, "V5", "fairness.1.10.V5")
    seq = at(lines, "dealt", 0)
    tiles = [tile, *load(lines[seq])["tiles"][1:]]
    assert named(found(edited(lines, seq, tiles=tiles))) == (seq, "V5", "fairness.1.10.V5")


@pytest.mark.parametrize("size", [13, 15, 0])
def test_a_foreign_hand_has_its_size(size: int) -> None:
    lines = foreign("size")
    seq = at(lines, "dealt", 0)
    tiles = (load(lines[seq])["tiles"] * 2)[:size]
    assert named(found(edited(lines, seq, tiles=tiles))) == (seq, "dealt", "LH-09")


@pytest.mark.parametrize("values", [[3], [1, 2, 3], []])
def test_a_foreign_throw_has_its_dice(values: list[int]) -> None:
    lines = foreign("throw")
    seq = at(lines, "dice", 0)
    assert named(found(edited(lines, seq, values=values))) == (seq, "dice", "linhai.wall.dice")


def test_a_foreign_log_has_no_commitments() -> None:
    lines = foreign("none")
    opened = load(lines[0])
    for deal in ({"protocol": "none", "root_s": "00" * 32}, {"protocol": "none", "reveal": "auditor"}):
        assert named(found([canonical({**opened, "deal": deal}), *lines[1:]])) == (0, "deal", "events.opened")
    body: Body = {"type": "committed", "seat": 0, "commit": "00" * 32}
    extra = {**body, "at": opened["at"], "game": opened["game"], "seq": 1, "v": 1}
    records = [load(line) for line in lines]
    assert named(found(renumbered([records[0], extra, *records[1:]])))[:2] == (1, "V2")


# --- a match given up -----------------------------------------------------------------------------------------------


def abandoned(name: str, **change: Any) -> tuple[list[bytes], int]:
    lines = game(name)
    seq = at(lines, "hand_started", 1)
    root = load(lines[-1])["root_seed"]
    scores = load(lines[at(lines, "hand_ended", 0)])["scores"]
    body = {"type": "closed", "scores": scores, "reason": "abandoned", "root_seed": root, **change}
    record = {**body, "at": load(lines[seq])["at"], "game": name, "seq": seq, "v": 1}
    return [*lines[:seq], canonical({key: value for key, value in record.items() if value is not None})], seq


def test_a_match_may_be_abandoned_between_hands_with_all_seeds_opened() -> None:
    lines, _ = abandoned("abandoned")
    assert found(lines) is None
    assert replay.replay(lines).closed
    lines, seq = abandoned("abandoned", root_seed=None)
    assert named(found(lines)) == (seq, "V17", "fairness.1.10.V17")
    lines, seq = abandoned("abandoned", root_seed="00" * 32)
    assert named(found(lines)) == (seq, "V17", "fairness.1.10.V17")
    lines, seq = abandoned("abandoned", scores=[1, -1, 0, 0])
    assert named(found(lines)) == (seq, "closed", "modes.1")


@pytest.mark.parametrize("reason", ["match_end", "max_hands", "bankrupt", "dissolved", "void_epoch"])
def test_no_other_end_stands_where_a_hand_must_follow(reason: str) -> None:
    lines, seq = abandoned("other-end", reason=reason)
    place = found(lines)
    assert place is not None
    assert place.seq == seq
    assert place.code in {"hand_started", "closed"}


def test_no_match_is_abandoned_before_the_last_reveal_or_in_a_hand() -> None:
    lines = game("abandoned-early")
    root = load(lines[-1])["root_seed"]
    body = {"type": "closed", "scores": [0] * 4, "reason": "abandoned", "root_seed": root}
    for seq in (at(lines, "revealed", 0), at(lines, "discarded", 3)):
        record = {**body, "at": load(lines[seq])["at"], "game": "abandoned-early", "seq": seq, "v": 1}
        place = found([*lines[:seq], canonical(record)])
        assert place is not None
        assert place.seq == seq


def test_the_deck_that_the_protocol_shuffles_is_bound_by_the_context() -> None:
    # 136 tiles played where `opened` says 144: E is another, so no commitment opens any more (V4, V7).
    lines = game("deck")
    rules = find("linhai.144")
    ref = {"id": rules.id, "options": {}, "digest": rules.digest()}
    assert named(found(edited(lines, 0, rules=ref))) == (5, "V7", "fairness.1.10.V7")

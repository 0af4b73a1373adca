"""Before the first hand: commitments, entropy, beacon, seats (fairness.md 1.2 to 1.5, V2, V7 to V9)."""

import hmac
import struct
from hashlib import sha256
from typing import Any

import pytest
from tables import Place, Room, edited, found, greedy, renumbered, seed_of

from engine import frame, replay
from engine.events import Body, Record, load
from engine.shuffle import player_commit, seat_order

QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"


def fresh(name: str = "entropy", **how: Any) -> Room:
    return Room(name=name, enter=False, **how)


def commit(room: Room, seat: int, value: bytes | None = None) -> Body:
    its = room.entropy_of[seat] if value is None else value
    return {"type": "committed", "seat": seat, "commit": player_commit(room.context, seat, its).hex()}


def reveal(room: Room, seat: int) -> Body:
    return {"type": "entropy", "seat": seat, "reveal": room.entropy_of[seat].hex()}


def refused(room: Room, body: Body) -> tuple[str, str]:
    fault = room.judge(body)
    assert fault is not None, body
    return fault.code, fault.clause


def whole(name: str = "entropy", **how: Any) -> list[bytes]:
    return Room(name=name, **how).play(greedy(name))


def named(place: Place | None) -> tuple[int, str, str]:
    assert place is not None
    return place.seq, place.code, place.clause


V2 = ("V2", "fairness.1.10.V2")


# --- order: opened < all commitments < all reveals < seats (V2) -----------------------------------------------------


def test_no_reveal_before_a_commitment_of_the_seat() -> None:
    room = fresh()
    room.act(commit(room, 0))
    assert refused(room, reveal(room, 1)) == V2


def test_no_commitment_after_the_first_reveal() -> None:
    room = fresh()
    room.act(commit(room, 0))
    room.act(commit(room, 1))
    room.act(reveal(room, 0))
    assert refused(room, commit(room, 2)) == V2


def test_one_commitment_and_one_reveal_a_seat() -> None:
    room = fresh()
    room.act(commit(room, 0))
    assert refused(room, commit(room, 0)) == V2
    room.act(reveal(room, 0))
    assert refused(room, reveal(room, 0)) == V2


@pytest.mark.parametrize("seat", [4, 9, 127, 128, 255])
def test_only_seats_of_opened_give_entropy(seat: int) -> None:
    room = fresh()
    body = {"type": "committed", "seat": seat, "commit": "00" * 32}
    assert refused(room, body) == V2
    assert refused(room, {"type": "entropy", "seat": seat, "reveal": "00" * 32}) == V2


def test_no_entropy_once_the_seats_are_drawn_or_a_hand_is_in_play() -> None:
    room = Room(name="late-entropy")
    assert room.game.phase == "hand"
    assert refused(room, reveal(room, 0))[0] in {"V2", "order"}
    lines = whole("late-entropy")
    records = [load(line) for line in lines]
    at = next(seq for seq, record in enumerate(records) if record["type"] == "hand_started")
    place = found(renumbered([*records[:at], records[5], *records[at:]]))
    assert named(place) == (at, *V2)


def test_swapping_a_commitment_behind_a_reveal_is_named_there() -> None:
    records = [load(line) for line in whole("v2-swap")]
    records[4], records[5] = records[5], records[4]
    # The first reveal comes while the last commitment is still to come: that commitment is late.
    assert named(found(renumbered(records))) == (5, *V2)


def test_nothing_but_entropy_comes_between_opened_and_the_seats() -> None:
    room = fresh()
    for body in (
        {"type": "discarded", "seat": 0, "tile": "1m"},
        {"type": "dice", "seat": 0, "values": [1, 2]},
        {"type": "drawn", "seat": 0, "tile": "1m", "end": "head", "left": 1},
        {"type": "hand_ended", "scores": [0, 0, 0, 0]},
        {"type": "revealed", "hand": 0, "seed": "00" * 32, "path": []},
    ):
        assert refused(room, body) == V2


def test_asking_about_the_seats_too_early_does_not_fix_the_salt() -> None:
    room = fresh("early-ask")
    assert room.judge({"type": "seated", "order": [entry["player"] for entry in room.opened["seats"]]}) is not None
    room.enter()
    assert found(room.play(greedy("early-ask"))) is None


# --- the commitments open (V7), a missing reveal is a void epoch (1.3) -----------------------------------------------


def test_a_reveal_must_open_its_commitment() -> None:
    lines = whole("v7")
    assert load(lines[5])["type"] == "entropy"
    place = found(edited(lines, 5, reveal=seed_of("other").hex()))
    assert named(place) == (5, "V7", "fairness.1.10.V7")


def test_reveals_swapped_between_seats_do_not_open() -> None:
    lines = whole("v7-swap")
    one, two = load(lines[5])["reveal"], load(lines[6])["reveal"]
    swapped = edited(edited(lines, 5, reveal=two), 6, reveal=one)
    assert named(found(swapped)) == (5, "V7", "fairness.1.10.V7")


def test_a_commitment_of_another_seat_does_not_open() -> None:
    lines = whole("v7-commit")
    one, two = load(lines[1])["commit"], load(lines[2])["commit"]
    assert named(found(edited(edited(lines, 1, commit=two), 2, commit=one))) == (5, "V7", "fairness.1.10.V7")


def test_a_copied_commitment_is_refused_at_once() -> None:
    # Incident 20 of fairness.md 8: copying another's commitment.
    lines = whole("v7-copied")
    assert named(found(edited(lines, 2, commit=load(lines[1])["commit"]))) == (2, *V2)


def test_the_seats_wait_for_every_committed_reveal() -> None:
    room = fresh()
    for seat in range(4):
        room.act(commit(room, seat))
    for seat in range(3):
        room.act(reveal(room, seat))
    order = [entry["player"] for entry in room.opened["seats"]]
    assert refused(room, {"type": "seated", "order": order}) == ("V7", "fairness.1.3")


def void(room: Room) -> Body:
    assert room.root_seed is not None
    return {"type": "closed", "scores": [0, 0, 0, 0], "reason": "void_epoch", "root_seed": room.root_seed.hex()}


def test_a_void_epoch_closes_the_game_unplayed_and_opens_every_seed() -> None:
    room = fresh("void-epoch")
    room.act(commit(room, 0))
    room.act(commit(room, 1))
    room.act(reveal(room, 0))
    body = void(room)
    for seed in ("00" * 32, None):
        wrong = {name: value for name, value in {**body, "root_seed": seed}.items() if value is not None}
        assert refused(room, wrong) == ("V17", "fairness.1.10.V17")
    assert refused(room, {**body, "scores": [1, 0, 0, -1]}) == ("closed", "modes.1")
    room.act(body)
    assert room.table.over
    assert found(room.lines) is None
    result = replay.replay(room.lines)
    assert (result.closed, result.hands) == (True, 0)


def test_an_epoch_is_not_void_while_nobodys_reveal_is_missing() -> None:
    room = fresh()
    assert refused(room, void(room)) == ("closed", "fairness.1.3")
    room.act(commit(room, 0))
    room.act(reveal(room, 0))
    assert refused(room, void(room)) == ("closed", "fairness.1.3")
    room = Room(name="played")
    assert refused(room, void(room))[0] == "order"  # a hand is in play


def test_a_seat_that_never_committed_counts_as_absent() -> None:
    room = fresh("absent")
    for seat in (0, 2):
        room.act(commit(room, seat))
    for seat in (0, 2):
        room.act(reveal(room, seat))
    order = frame.drawn_order(room.game)
    assert order is not None
    room.act({"type": "seated", "order": list(order)})
    assert room.game.phase == "hand"
    lines = room.play(greedy("absent"))
    assert found(lines) is None


def test_a_witness_gives_entropy_and_takes_no_seat() -> None:
    lines = whole("witness", witness=True)
    assert found(lines) is None
    records = [load(line) for line in lines]
    assert [record["seat"] for record in records[1:11]] == [0, 1, 2, 3, 128] * 2
    assert "witness:lab" not in records[11]["order"]
    without = [load(line) for line in whole("witness")]
    assert records[11]["order"] != without[9]["order"] or records[12]["wall_root"] != without[10]["wall_root"]


# --- seats (V9) -----------------------------------------------------------------------------------------------------


def seated(lines: list[bytes]) -> Record:
    return next(record for record in map(load, lines) if record["type"] == "seated")


def test_another_order_of_seats_is_named() -> None:
    lines = whole("v9-seats")
    its = seated(lines)
    order = its["order"]
    place = found(edited(lines, its["seq"], order=[order[1], order[0], *order[2:]]))
    assert named(place) == (9, "V9", "fairness.1.10.V9")
    assert place is not None
    assert place.fault.expected == order


def test_the_seats_are_the_same_whoever_reads_them() -> None:
    # w of K_seat of hand 0, written out: HMAC keys of 1.5, words of 1.6, descending exchange.
    def lp(text: bytes) -> bytes:
        return struct.pack(">I", len(text)) + text

    room = Room(name="plain-seats")
    epoch = sha256(room.context.encode()).digest()
    salt = frame.game_salt(room.game)
    assert salt is not None
    prk = hmac.digest(salt, room.commitment.seeds[0], "sha256")
    key = hmac.digest(prk, lp(b"paipu-fair/1/deal") + epoch + struct.pack(">I", 0) + lp(b"seat") + b"\x01", "sha256")
    words = list(struct.unpack(">8I", hmac.digest(key, struct.pack(">Q", 0), "sha256")))
    order = [0, 1, 2, 3]
    for i in (3, 2, 1):
        while (word := words.pop(0)) >= 2**32 - 2**32 % (i + 1):
            pass
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    players = [entry["player"] for entry in room.opened["seats"]]
    assert list(room.game.order) == [players[place] for place in order]


def test_the_creator_deals_first_where_the_option_says_and_the_drawn_order_only_turns() -> None:
    turned = 0
    for number in range(8):
        name = f"creator-{number}"
        players = [f"bot:{name}-{seat}" for seat in range(4)]
        lines = whole(name, match={"first_dealer": "creator", "length": {"hands": 1}})
        assert found(lines) is None
        order = seated(lines)["order"]
        assert order[0] == players[0]
        room = Room(name=name, match={"first_dealer": "creator", "length": {"hands": 1}})
        seed, salt = room.commitment.seeds[0], frame.game_salt(room.game)
        assert salt is not None
        drawn = [players[place] for place in seat_order(room.context, salt, seed)]
        at = drawn.index(players[0])
        assert order == drawn[at:] + drawn[:at]
        turned += at != 0
    assert turned > 0


def test_seats_as_opened_are_not_drawn() -> None:
    lines = whole("as-opened", match={"seating": "as_opened", "length": {"hands": 1}})
    assert found(lines) is None
    records = [load(line) for line in lines]
    assert [record["type"] for record in records[8:10]] == ["entropy", "hand_started"]
    order = [entry["player"] for entry in records[0]["seats"]]
    extra = {**records[9], "type": "seated", "order": order}
    for name in ("hand", "dealer", "round_wind", "wall_root", "words", "rejects"):
        del extra[name]
    place = found(renumbered([*records[:9], extra, *records[9:]]))
    assert place is not None
    assert place.seq == 9


def test_leaving_the_draw_of_seats_out_is_named() -> None:
    records = [load(line) for line in whole("no-seated")]
    place = found(renumbered(records[:9] + records[10:]))
    assert named(place) == (9, "seated", "events.order")


# --- beacon (V8) ----------------------------------------------------------------------------------------------------


def with_beacon(name: str) -> Room:
    beacon = {"chain": QUICKNET, "round": 1_000_000}
    room = fresh(name, deal={"beacon": beacon})
    for seat in range(4):
        room.act(commit(room, seat))
    for seat in range(4):
        room.act(reveal(room, seat))
    return room


def test_a_game_with_a_beacon_waits_for_it() -> None:
    room = with_beacon("beacon")
    order = [entry["player"] for entry in room.opened["seats"]]
    assert refused(room, {"type": "seated", "order": order}) == ("V8", "fairness.1.4")


@pytest.mark.parametrize(
    "change",
    [
        {"round": 999_999},
        {"chain": "00" * 32},
        {"randomness": "00" * 32},
    ],
)
def test_another_round_chain_or_randomness_is_named(change: Body) -> None:
    room = with_beacon("beacon-wrong")
    signature = bytes(48)
    body = {
        "type": "beacon",
        "chain": QUICKNET,
        "round": 1_000_000,
        "signature": signature.hex(),
        "randomness": sha256(signature).hexdigest(),
        **change,
    }
    assert refused(room, body) == ("V8", "fairness.1.10.V8")


def test_a_beacon_that_nobody_asked_for_is_named() -> None:
    room = fresh("beacon-unasked")
    signature = bytes(48)
    body = {"type": "beacon", "chain": QUICKNET, "round": 5, "signature": signature.hex(),
            "randomness": sha256(signature).hexdigest()}  # fmt: skip
    assert refused(room, body)[0] in {"V2", "V8"}

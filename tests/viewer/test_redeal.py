"""The deal derived step by step: against the log's own tiles, and against a shuffle written out anew."""

import hmac
from hashlib import sha256

import pytest

from engine.events import canonical, load
from viewer import redeal
from viewer.simulate import Job, play


def game(preset: str, **match: object) -> list[bytes]:
    job = Job(preset, 11, 0, 1_700_000_000_000, {}, {"length": {"hands": 3}, **match})
    return [line for chunk in play(job) for line in chunk]


@pytest.fixture(scope="module", params=["linhai.144", "hainan", "niuniu", "three_one"])
def lines(request: pytest.FixtureRequest) -> list[bytes]:
    return game(request.param)


def test_every_step_agrees_with_the_log(lines: list[bytes]) -> None:
    for hand in range(3):
        found = redeal.derive(lines, hand)
        assert found.why == ""
        said = [step.agrees for step in found.steps if step.agrees is not None]
        assert len(said) >= 6
        assert all(said)


def test_each_tile_went_where_the_log_says(lines: list[bytes]) -> None:
    found = redeal.derive(lines, 1)
    records = {record["seq"]: record for record in map(load, lines)}
    taken: dict[int, list[str]] = {}
    for spot in found.spots:
        if spot.seq >= 0:
            taken.setdefault(spot.seq, []).append(spot.tile.partition(".")[0])
    assert taken
    for seq, tiles in taken.items():
        record = records[seq]
        logged = record.get("tiles") or record.get("cards") or [record["tile"]]
        assert sorted(tiles) == sorted(logged), record
    assert sum(record["type"] == "dealt" for seq, record in records.items() if seq in taken) >= 3


def test_the_shuffle_written_out_anew_gives_the_same_wall() -> None:
    found = redeal.derive(game("linhai.144"), 0)
    value = {step.name["en"]: step.value for step in found.steps}
    assert (
        hmac.digest(bytes.fromhex(value["salt"]), bytes.fromhex(value["seed of hand 0"]), "sha256").hex()
        == value["key"]
    )
    key = bytes.fromhex(value["shuffle key"])
    words = []
    for block in range(40):
        row = hmac.digest(key, block.to_bytes(8, "big"), "sha256")
        words += [int.from_bytes(row[at : at + 4], "big") for at in range(0, 32, 4)]
    order = list(range(144))
    run = iter(words)
    for i in range(143, 0, -1):
        word = next(run)
        while word >= 2**32 - 2**32 % (i + 1):
            word = next(run)
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    assert [spot.tile for spot in found.spots] == [found.deck[tile] for tile in order]


def test_a_tile_leads_to_the_wall_root_by_its_path() -> None:
    found = redeal.derive(game("linhai.144"), 2)
    for place in (0, 77, 143):
        steps = redeal.tile_steps(found, place)
        assert steps[-1].agrees is True
        assert found.deal is not None
        tile = found.deal.wall[place]
        salt = bytes.fromhex(steps[1].value)
        node = sha256(b"\x00" + place.to_bytes(2, "big") + tile.to_bytes(2, "big") + salt).digest()
        at, last = place, 143
        for step in steps[2:-1]:
            other = bytes.fromhex(step.value)
            if at & 1 or at == last:
                node = sha256(b"\x01" + other + node).digest()
                while not at & 1 and at:
                    at, last = at >> 1, last >> 1
            else:
                node = sha256(b"\x01" + node + other).digest()
            at, last = at >> 1, last >> 1
        assert node == found.root
    assert redeal.tile_steps(found, 144) == []


def test_another_wall_root_is_seen() -> None:
    lines = game("linhai.144")
    at = next(seq for seq, line in enumerate(lines) if b'"type":"hand_started"' in line)
    record = load(lines[at])
    lines[at] = canonical({**record, "wall_root": "00" * 32})
    found = redeal.derive(lines, 0)
    assert found.deal is None or any(step.agrees is False for step in found.steps)


def test_a_seed_that_is_not_there_is_said_to_be_so() -> None:
    lines = game("linhai.144")
    end = next(seq for seq, line in enumerate(lines) if b'"type":"settled"' in line)
    assert redeal.derive(lines[:end], 0).why == "sealed"
    assert redeal.derive(lines, 99).why == "absent"

"""Our own vectors: every deal re-derived, every negative refused with its code, the file as its generator writes it."""

import importlib.util
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.shuffle import (
    Beacon,
    Commitment,
    Context,
    HandKeys,
    Player,
    Single,
    TileProof,
    Uniqueness,
    check_beacon,
    check_commit,
    check_hand_seed,
    check_reveal,
    check_root_seed,
    check_tile,
    deal,
    deck_hash,
    mix,
    permute,
    player_commit,
    seat_order,
)

Vector = dict[str, Any]
ROOT = Path(__file__).parents[3]
FILE = ROOT / "data" / "vectors" / "fairness.json"
VECTORS: Vector = json.loads(FILE.read_text(encoding="utf-8"))
DEALS: dict[str, Vector] = {item["name"]: item for item in VECTORS["deals"]}
raw = bytes.fromhex


def by_name(item: Vector) -> str:
    return str(item["name"]).replace(" ", "-")


def deck(item: Vector) -> list[str]:
    text = item["deck"]
    return [str(i) for i in range(int(text[3:]) + 1)] if text.startswith("0..") else text.split()


def context(item: Vector, header: Vector | None = None) -> Context:
    beacon = {**item.get("beacon", {}), **(header or {})}
    return Context(
        item["operator"],
        item["table"],
        item["game"],
        item["epoch"],
        sha256(item["ruleset"].encode()).digest(),
        deck_hash(deck(item)),
        len(deck(item)),
        item["n_dice"],
        tuple(Player(seat["seat"], seat["player"]) for seat in item["seats"]),
        item["max_hands"],
        Beacon(raw(beacon["chain"]), beacon["round"]) if beacon else None,
        item["protocol"],
    )


def by_seat(mapping: dict[str, str]) -> dict[int, bytes]:
    return {int(seat): raw(text) for seat, text in mapping.items()}


def randomness(item: Vector) -> bytes | None:
    return sha256(raw(item["beacon"]["signature"])).digest() if "beacon" in item else None


def test_the_file_is_what_its_generator_writes() -> None:
    spec = importlib.util.spec_from_file_location("fairness_vectors", ROOT / "tests/generate/fairness_vectors.py")
    assert spec is not None
    assert spec.loader is not None
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.encode(generator.build()) == FILE.read_bytes()


@pytest.mark.parametrize("item", DEALS.values(), ids=by_name)
def test_header_commitments_and_salt(item: Vector) -> None:
    epoch = context(item)
    assert epoch.encode().hex() == item["ctx"]
    assert epoch.digest().hex() == item["e"]
    assert epoch.deck_hash.hex() == item["deck_hash"]
    root = raw(item["root_s"])
    if "root_seed" in item:
        assert Commitment.open(epoch, raw(item["root_seed"])).root == root
        assert check_root_seed(epoch, root, raw(item["root_seed"])) is None
    commits: dict[int, bytes] = {}
    for seat, commit in by_seat(item["commits"]).items():
        assert check_commit(epoch, commits, {}, seat, commit) is None
        commits[seat] = commit
    reveals: dict[int, bytes] = {}
    for seat, entropy in by_seat(item["reveals"]).items():
        assert player_commit(epoch, seat, entropy) == commits[seat]
        assert check_reveal(epoch, commits, reveals, seat, entropy) is None
        reveals[seat] = entropy
    salt = mix(epoch, root, commits, reveals, randomness(item))
    assert isinstance(salt, bytes)
    assert salt.hex() == item["salt"]


@pytest.mark.parametrize("item", DEALS.values(), ids=by_name)
def test_hands(item: Vector) -> None:
    epoch, salt, root = context(item), raw(item["salt"]), raw(item["root_s"])
    for hand in item["hands"]:
        number, seed = hand["hand"], raw(hand["seed"])
        assert check_hand_seed(epoch, root, number, seed, [raw(node) for node in hand["path"]]) is None
        if "root_seed" in item:
            commitment = Commitment.open(epoch, raw(item["root_seed"]))
            assert commitment.seeds[number] == seed
            assert [node.hex() for node in commitment.path(number)] == hand["path"]
        dealt = deal(epoch, salt, number, seed)
        assert sha256(b"".join(tile.to_bytes(2, "big") for tile in dealt.wall)).hexdigest() == hand["wall_sha256"]
        if "wall" in hand:
            assert " ".join(map(str, dealt.wall)) == hand["wall"]
        assert (dealt.words, dealt.rejects, list(dealt.dice)) == (hand["words"], hand["rejects"], hand["dice"])
        for label, key in hand.get("keys", {}).items():
            assert dealt.keys.key(label).hex() == key
        assert dealt.keys.stream("wild").below(34) == hand["wild"]
        assert dealt.keys.stream("bid").below(4) == hand["bid"]
        assert list(permute(dealt.keys.stream("tie"), 5)) == hand["tie"]
        assert list(permute(dealt.keys.stream("seat"), len(epoch.playing))) == hand["seat_order"]
        if number == 0:
            assert list(seat_order(epoch, salt, seed)) == hand["seat_order"]
        for proof in hand.get("proofs", []):
            assert dealt.wall_root.hex() == hand["wall_root"]
            opened = dealt.prove_tile(proof["position"])
            assert opened == tile_proof(proof)
            assert check_tile(dealt.wall_root, epoch.n, opened) is None


def test_the_vectors_meet_what_they_are_for() -> None:
    assert DEALS["rejects-60000"]["hands"][0]["rejects"] == 2
    assert {item["protocol"] for item in DEALS.values()} == {"paipu-fair/1", "paipu-fair/1w"}
    doings = {seat["does"] for item in DEALS.values() for seat in item["seats"]}
    assert doings == {"reveal", "commit", "nothing"}


def tile_proof(given: Vector) -> TileProof:
    return TileProof(given["position"], given["tile"], raw(given["salt"]), tuple(raw(node) for node in given["path"]))


def judge(item: Vector) -> object:
    given, base = item["arguments"], DEALS[item["epoch"]]
    epoch = context(base, given.get("header"))
    match item["check"]:
        case "commit" | "reveal":
            check = check_commit if item["check"] == "commit" else check_reveal
            held, shown = by_seat(given["commits"]), by_seat(given["reveals"])
            return check(epoch, held, shown, given["seat"], raw(given["value"]))
        case "mix":
            public = raw(given["randomness"]) if "randomness" in given else None
            held, shown = by_seat(given["commits"]), by_seat(given["reveals"])
            return mix(epoch, raw(base["root_s"]), held, shown, public)
        case "beacon":
            chain, signature, public = (raw(given[field]) for field in ("chain", "signature", "randomness"))
            return check_beacon(epoch, chain, given["round"], signature, public, deadline=given.get("deadline"))
        case "hand_seed":
            nodes = [raw(node) for node in given["path"]]
            return check_hand_seed(epoch, raw(base["root_s"]), given["hand"], raw(given["seed"]), nodes)
        case "root_seed":
            return check_root_seed(epoch, raw(base["root_s"]), raw(given["seed"]))
        case "tile":
            return check_tile(raw(given["root"]), epoch.n, tile_proof(given))
        case "unique":
            seen = Uniqueness()
            answers = [
                seen.add(Single(given["kind"]), raw(value), f"game {game}")
                for game, value in enumerate(given["values"])
            ]
            assert answers[:-1] == [None] * (len(answers) - 1)
            return answers[-1]
    raise AssertionError(item["check"])


@pytest.mark.parametrize("item", VECTORS["refused"], ids=by_name)
def test_negative_is_refused_with_its_code(item: Vector) -> None:
    refusal = judge(item)
    assert getattr(refusal, "code", refusal) == item["code"]
    assert getattr(refusal, "clause", "").startswith("fairness.md 1.")
    assert refusal.expected != refusal.found  # type: ignore[attr-defined]


def test_every_code_has_a_negative() -> None:
    from engine.shuffle import Code

    tested = {item["code"] for item in VECTORS["refused"]}
    elsewhere = {Code.REPEATED_WALL}  # test_uniqueness.py
    assert tested | elsewhere == set(Code)


@pytest.mark.parametrize("pair", VECTORS["distinct"])
def test_fields_that_run_together_make_different_headers(pair: list[Vector]) -> None:
    first, second = pair
    joined = [item["operator"] + item["table"] + item["game"] for item in pair]
    assert joined[0] == joined[1]
    assert [context(item).digest().hex() for item in pair] == [first["e"], second["e"]]
    assert context(first).encode() != context(second).encode()


def test_a_salt_of_another_epoch_deals_another_wall() -> None:
    item = DEALS["tiles-136-witness"]
    hand = item["hands"][0]
    salt = bytearray(raw(item["salt"]))
    whole = deal(context(item), bytes(salt), 0, raw(hand["seed"])).wall
    salt[31] ^= 1
    assert deal(context(item), bytes(salt), 0, raw(hand["seed"])).wall != whole
    assert deal(context(item), raw(item["salt"]), 1, raw(hand["seed"])).wall != whole


def test_a_seed_of_the_wrong_size_deals_nothing() -> None:
    item = DEALS["wide-136"]
    with pytest.raises(ValueError, match="128 bytes"):
        deal(context(item), raw(item["salt"]), 0, bytes(32))
    keys = HandKeys(context(item), raw(item["salt"]), 0, bytes(128))
    with pytest.raises(ValueError, match="streams, not keys"):
        keys.key("shuffle")
    with pytest.raises(KeyError):
        keys.stream("deck")

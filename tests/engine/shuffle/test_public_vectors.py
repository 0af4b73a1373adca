"""Every field of the public vectors (fairness.md 2)."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.shuffle import (
    NARROW,
    QUICKNET,
    WIDE,
    Beacon,
    Code,
    Commitment,
    Context,
    HandKeys,
    Player,
    Refusal,
    Stream,
    beacon_time,
    check_beacon,
    check_hand_seed,
    check_reveal,
    check_root_seed,
    check_tile,
    deal,
    deck_hash,
    hmac_words,
    limit,
    mix,
    permute,
    player_commit,
    seat_order,
    tile_leaf,
)

Vector = dict[str, Any]
raw = bytes.fromhex


def load(shared: Path, name: str) -> Vector:
    loaded: Vector = json.loads((shared / "vectors" / "fairness" / f"{name}.json").read_text())
    return loaded


def context(item: Vector, protocol: str = NARROW) -> Context:
    beacon = item["beacon"]
    return Context(
        item["operator"],
        item["table"],
        item["game"],
        item["epoch"],
        sha256(item["ruleset_bytes"].encode()).digest(),
        deck_hash(item["deck"]),
        len(item["deck"]),
        item["n_dice"],
        tuple(Player(player["seat"], player["player"]) for player in item["players"]),
        item["max_hands"],
        Beacon(raw(beacon["chain_hash"]), beacon["round"]) if beacon else None,
        protocol,
    )


def digest_of(wall: tuple[int, ...]) -> str:
    return sha256(b"".join(tile.to_bytes(2, "big") for tile in wall)).hexdigest()


@pytest.mark.parametrize("name", ["v1", "v2"])
def test_epoch(shared: Path, name: str) -> None:
    item = load(shared, name)
    epoch = context(item)
    assert epoch.ruleset_hash.hex() == item["ruleset_hash"]
    assert epoch.deck_hash.hex() == item["deck_hash"]
    assert epoch.encode().hex() == item["ctx"]
    assert epoch.digest().hex() == item["E"]
    root = raw(item["root_s"])
    assert Commitment.open(epoch, raw(item["S_root"])).root == root
    assert check_root_seed(epoch, root, raw(item["S_root"])) is None

    commits = {player["seat"]: raw(player["commit"]) for player in item["players"]}
    reveals = {player["seat"]: raw(player["reveal"]) for player in item["players"] if player["reveal"]}
    for player in item["players"]:
        own = sha256(f"player-entropy-{player['seat']}".encode()).digest()
        assert player_commit(epoch, player["seat"], own).hex() == player["commit"]
        assert player["reveal"] in {own.hex(), None}
        if player["reveal"]:
            assert check_reveal(epoch, commits, {}, player["seat"], own) is None
    public = raw(item["beacon"]["randomness"]) if item["beacon"] else None
    salt = mix(epoch, root, commits, reveals, public)
    assert isinstance(salt, bytes)
    assert salt.hex() == item["salt"]


@pytest.mark.parametrize(("name", "number"), [("v1", 0), ("v1", 1), ("v1", 2), ("v2", 0), ("v2", 1)])
def test_hand(shared: Path, name: str, number: int) -> None:
    item = load(shared, name)
    epoch, salt, hand = context(item), raw(item["salt"]), item["hands"][number]
    h, seed = hand["h"], raw(hand["S_h"])
    commitment = Commitment.open(epoch, raw(item["S_root"]))
    assert commitment.seeds[h] == seed
    assert [node.hex() for node in commitment.path(h)] == hand["path"]
    assert check_hand_seed(epoch, raw(item["root_s"]), h, seed, commitment.path(h)) is None

    dealt = deal(epoch, salt, h, seed)
    assert dealt.keys.extracted.hex() == hand["PRK"]
    for label in ("shuffle", "dice", "seat", "leaf"):
        assert dealt.keys.key(label).hex() == hand[f"K_{label}"]
    assert list(dealt.wall) == hand["wall"]
    assert [item["deck"][tile] for tile in dealt.wall] == hand["wall_tiles"]
    assert digest_of(dealt.wall) == hand["wall_sha256"]
    assert (dealt.words, dealt.rejects, list(dealt.dice)) == (hand["words"], hand["rejects"], hand["dice"])
    assert list(permute(dealt.keys.stream("seat"), len(epoch.playing))) == hand["seat_permutation"]
    if h == 0:
        assert list(seat_order(epoch, salt, seed)) == hand["seat_permutation"]

    assert dealt.wall_root.hex() == hand["wall_root"]
    proof = dealt.prove_tile(0)
    assert tile_leaf(0, proof.tile, proof.salt).hex() == hand["leaf_0"]
    assert [node.hex() for node in proof.path] == hand["wall_path_0"]
    assert check_tile(dealt.wall_root, epoch.n, proof) is None


def test_natural_rejection(shared: Path) -> None:
    item = load(shared, "v3")
    stream = Stream(hmac_words(raw(item["K_shuffle"])))
    wall = permute(stream, item["n"])
    assert list(wall) == item["wall"]
    assert digest_of(wall) == item["wall_sha256"]
    assert (stream.words, stream.rejects) == (item["words"], item["rejects"])


def test_natural_rejection_by_the_fast_path(shared: Path) -> None:
    from engine.shuffle.stream import hmac_bytes, shuffle

    item = load(shared, "v3")
    key = raw(item["K_shuffle"])
    wall, words, rejects = shuffle(item["n"], hmac_bytes(key, 4 * 143), lambda: hmac_words(key))
    assert (list(wall), words, rejects) == (item["wall"], item["words"], item["rejects"])


def test_wide_profile(shared: Path) -> None:
    item, first = load(shared, "w1"), load(shared, "v1")
    epoch, salt, seed = context(first, WIDE), raw(first["salt"]), raw(item["S_h"])
    assert epoch.digest().hex() == first["E"]
    dealt = deal(epoch, salt, 0, seed)
    assert dealt.keys.first("shuffle", 32).hex() == item["stream_first_32"]
    assert list(dealt.wall) == item["wall"]
    assert digest_of(dealt.wall) == item["wall_sha256"]
    assert list(dealt.dice) == item["dice"]
    keys = HandKeys(epoch, salt, 0, seed)
    assert permute(keys.stream("shuffle"), 144) == dealt.wall


def test_scaling(shared: Path) -> None:
    item = load(shared, "scaling")
    for k, bound in item["limits"].items():
        assert limit(int(k)) == (1 << 32 if bound == "none" else int(bound, 16))
    stream = Stream(iter([int(word, 16) for word in item["k6_words"]]))
    assert stream.below(6) == item["k6_result"]
    assert (stream.words, stream.rejects) == (len(item["k6_words"]), item["k6_rejects"])


def test_drand(shared: Path) -> None:
    known, item = load(shared, "drand")["quicknet"], load(shared, "v2")
    assert QUICKNET.chain.hex() == known["chain_hash"] == item["beacon"]["chain_hash"]
    assert QUICKNET.public_key.hex() == known["public_key"]
    assert (QUICKNET.genesis, QUICKNET.period) == (known["genesis"], known["period"])
    assert (known["round"], known["randomness"]) == (item["beacon"]["round"], item["beacon"]["randomness"])
    published = beacon_time(QUICKNET.chain, known["round"])
    assert published == (known["genesis"] + (known["round"] - 1) * known["period"]) * 1000
    epoch = context(item)
    signature, public = raw(known["signature"]), raw(known["randomness"])

    def check(number: int, signed: bytes, deadline: int) -> Refusal | None:
        return check_beacon(epoch, QUICKNET.chain, number, signed, public, deadline=deadline)

    assert check(known["round"], signature, published - 6000) is None
    late = check(known["round"], signature, published - 5999)
    assert late is not None
    assert late.code is Code.BEACON_TIME
    other = check(known["round"] + 1, signature, published - 6000)
    assert other is not None
    assert other.code is Code.BEACON_ROUND
    for byte in range(len(signature)):
        changed = signature[:byte] + bytes([signature[byte] ^ 1]) + signature[byte + 1 :]
        refusal = check(known["round"], changed, 0)
        assert refusal is not None
        assert refusal.code is Code.BEACON_RANDOMNESS

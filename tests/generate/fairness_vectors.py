"""Write `data/vectors/fairness.json`: deals of `paipu-fair/1` and `paipu-fair/1w`, and what must be refused.

A second, plain reading of fairness.md 1, on purpose slow and without a line of the engine: recursive Merkle tree, one
HMAC call a block, no fast path. Values follow from fixed labels, so that a new run writes the same bytes.

    python tests/generate/fairness_vectors.py
"""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[2] / "data" / "vectors" / "fairness.json"
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
ABSENT = bytes(32)

Vector = dict[str, Any]


def h(data: bytes) -> bytes:
    return sha256(data).digest()


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, sha256).digest()


def u(bits: int, value: int) -> bytes:
    return value.to_bytes(bits // 8, "big")


def lp(data: bytes | str) -> bytes:
    raw = data.encode() if isinstance(data, str) else data
    return u(32, len(raw)) + raw


def mth(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return h(b"\x00" + leaves[0])
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return h(b"\x01" + mth(leaves[:k]) + mth(leaves[k:]))


def path(leaves: list[bytes], index: int) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    if index < k:
        return [*path(leaves[:k], index), mth(leaves[k:])]
    return [*path(leaves[k:], index - k), mth(leaves[:k])]


def value(label: str, size: int = 32) -> bytes:
    return shake_256(b"paipu vectors/" + label.encode()).digest(size)


def tiles(flowers: bool) -> list[str]:
    kinds = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + list("ESWNCFP")
    return [f"{kind}.{copy}" for kind in kinds for copy in range(4)] + [f"f{n}.0" for n in range(1, 9) if flowers]


def cards() -> list[str]:
    return [rank + suit for suit in "SHCD" for rank in "A23456789TJQK"]


class Words:
    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks = blocks
        self.buffer = b""
        self.words = self.rejects = 0

    def take(self, size: int) -> bytes:
        while len(self.buffer) < size:
            self.buffer += next(self.blocks)
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def below(self, k: int) -> int:
        while True:
            word = int.from_bytes(self.take(4), "big")
            self.words += 1
            if word < 2**32 - 2**32 % k:
                return word % k
            self.rejects += 1

    def shuffled(self, n: int) -> list[int]:
        w = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            w[i], w[j] = w[j], w[i]
        return w


def hmac_blocks(key: bytes) -> Iterator[bytes]:
    j = 0
    while True:
        yield mac(key, u(64, j))
        j += 1


class Epoch:
    """One epoch computed from its description, field by field as fairness.md 1 writes it."""

    def __init__(self, given: Vector) -> None:
        self.given = given
        self.wide = given["protocol"] == "paipu-fair/1w"
        self.deck = given["deck"].split()
        self.deck_hash = h(lp("paipu-fair/1/deck") + u(16, len(self.deck)) + b"".join(map(lp, self.deck)))
        self.beacon = given.get("beacon")
        self.ctx = self.header()
        self.e = h(self.ctx)
        self.hands = given["max_hands"]
        seed_label = given["name"] + "/seed/"
        if self.wide:
            self.seeds = [value(seed_label + str(i), 128) for i in range(self.hands)]
        else:
            self.root_seed = value(seed_label + "root")
            info = lp("paipu-fair/1/hand-seed") + self.e
            self.seeds = [mac(self.root_seed, info + u(32, i)) for i in range(self.hands)]
        self.leaves = [self.leaf(i) for i in range(self.hands)]
        self.root = mth(self.leaves)
        self.entropy = {seat["seat"]: value(f"{given['name']}/player/{seat['seat']}") for seat in given["seats"]}
        self.salt = self.mixed()

    def header(self) -> bytes:
        g = self.given
        parts = [lp("paipu-fair/1/epoch"), lp(g["operator"]), lp(g["table"]), lp(g["game"]), u(32, g["epoch"])]
        parts += [lp(h(g["ruleset"].encode())), lp(self.deck_hash), u(16, len(self.deck)), u(8, g["n_dice"])]
        parts += [u(8, len(g["seats"]))] + [u(8, s["seat"]) + lp(s["player"]) for s in g["seats"]]
        parts += [u(32, g["max_hands"])]
        public = self.beacon or {"chain": "", "round": 0}
        return b"".join([*parts, lp(bytes.fromhex(public["chain"])), u(64, public["round"])])

    def leaf(self, hand: int) -> bytes:
        blind = h(lp("paipu-fair/1/hand-blind") + self.e + u(32, hand) + self.seeds[hand])
        return lp("paipu-fair/1/hand-commit") + self.e + u(32, hand) + blind

    def commit(self, seat: int) -> bytes:
        player = next(s["player"] for s in self.given["seats"] if s["seat"] == seat)
        return h(lp("paipu-fair/1/player-commit") + self.e + u(8, seat) + lp(player) + self.entropy[seat])

    def mixed(self) -> bytes:
        shares = b""
        for s in self.given["seats"]:
            seat, revealed = s["seat"], s["does"] == "reveal"
            shares += u(8, seat) + u(8, int(revealed)) + lp(s["player"])
            shares += ABSENT if s["does"] == "nothing" else self.commit(seat)
            shares += self.entropy[seat] if revealed else ABSENT
        public = b""
        if self.beacon:
            randomness = h(bytes.fromhex(self.beacon["signature"]))
            public = bytes.fromhex(self.beacon["chain"]) + u(64, self.beacon["round"]) + randomness
        return h(lp("paipu-fair/1/mix") + self.e + self.root + lp(shares) + lp(public))

    def words(self, hand: int, label: str) -> Words:
        seed = self.seeds[hand]
        if self.wide:
            # no E here: so the published vector w1 has it, against the text of 1.7
            prefix = lp("paipu-fair/1w/stream") + u(32, hand) + lp(label) + lp(seed) + self.salt
            return Words(iter([shake_256(prefix).digest(20000)]))
        return Words(hmac_blocks(self.key(hand, label)))

    def key(self, hand: int, label: str) -> bytes:
        prk = mac(self.salt, self.seeds[hand])
        return mac(prk, lp("paipu-fair/1/deal") + self.e + u(32, hand) + lp(label) + b"\x01")

    def wall_leaves(self, hand: int, wall: list[int]) -> list[bytes]:
        salts = self.words(hand, "leaf")
        return [u(16, p) + u(16, tile) + salts.take(16) for p, tile in enumerate(wall)]

    def hand(self, hand: int, *, whole: bool) -> Vector:
        shuffle, dice = self.words(hand, "shuffle"), self.words(hand, "dice")
        wall = shuffle.shuffled(len(self.deck))
        playing = sum(s["seat"] < 128 for s in self.given["seats"])
        out: Vector = {
            "hand": hand,
            "seed": self.seeds[hand].hex(),
            "path": hexes(path(self.leaves, hand)),
            "words": shuffle.words,
            "rejects": shuffle.rejects,
            "dice": [dice.below(6) + 1 for _ in range(self.given["n_dice"])],
            "seat_order": self.words(hand, "seat").shuffled(playing),
            "wild": self.words(hand, "wild").below(34),
            "bid": self.words(hand, "bid").below(4),
            "tie": self.words(hand, "tie").shuffled(5),
            "wall_sha256": h(b"".join(u(16, tile) for tile in wall)).hex(),
        }
        if whole:
            out["wall"] = " ".join(map(str, wall))
        if not self.wide:
            out["keys"] = {label: self.key(hand, label).hex() for label in ("shuffle", "dice", "seat", "leaf", "wild")}
        if wall:
            leaves = self.wall_leaves(hand, wall)
            out["wall_root"] = mth(leaves).hex()
            out["proofs"] = [self.proof(wall, leaves, p) for p in sorted({0, len(wall) // 2, len(wall) - 1})]
        return out

    def proof(self, wall: list[int], leaves: list[bytes], position: int) -> Vector:
        salt = leaves[position][4:]
        return {"position": position, "tile": wall[position], "salt": salt.hex(), "path": hexes(path(leaves, position))}

    def vector(self, *hands: int, whole: bool = True) -> Vector:
        out = dict(self.given)
        out |= {"deck_hash": self.deck_hash.hex(), "ctx": self.ctx.hex(), "e": self.e.hex(), "root_s": self.root.hex()}
        if not self.wide:
            out["root_seed"] = self.root_seed.hex()
        does = {s["seat"]: s["does"] for s in self.given["seats"]}
        out["commits"] = {str(seat): self.commit(seat).hex() for seat, what in does.items() if what != "nothing"}
        out["reveals"] = {str(seat): self.entropy[seat].hex() for seat, what in does.items() if what == "reveal"}
        out |= {"salt": self.salt.hex(), "hands": [self.hand(i, whole=whole) for i in hands]}
        return out


def hexes(hashes: list[bytes]) -> list[str]:
    return [item.hex() for item in hashes]


def seats(*players: str, does: str = "reveal") -> list[Vector]:
    return [{"seat": seat, "player": player, "does": does} for seat, player in enumerate(players)]


def described(name: str, deck: list[str], **fields: Any) -> Vector:
    given: Vector = {"name": name, "protocol": "paipu-fair/1", "operator": "op.example", "table": "T-7", "game": name}
    given |= {"epoch": 0, "ruleset": f"rules of {name}", "deck": " ".join(deck), "n_dice": 4, "max_hands": 5}
    return given | {"seats": seats("an", "bo", "chen", "ding")} | fields


def epochs() -> dict[str, Epoch]:
    witness = {"seat": 128, "player": "witness:auditor", "does": "reveal"}
    absent = seats("an", "bo", "chen", "ding")
    absent[2]["does"] = "nothing"
    late = seats("an", "bo", "chen", "ding")
    late[1]["does"] = "commit"
    beacon = {"chain": value("chain").hex(), "round": 4242, "signature": value("signature", 48).hex()}
    watchers = [{"seat": seat, "player": f"witness:{seat}", "does": "reveal"} for seat in (128, 129)]
    large = [str(i) for i in range(60000)]
    given = [
        described("tiles-136-witness", tiles(flowers=False), seats=[*absent, witness]),
        described("tiles-144-three-players", tiles(flowers=True), seats=seats("东", "南", "西"), max_hands=1, n_dice=0),
        described("cards-52-beacon", cards(), seats=late, beacon=beacon, n_dice=0, max_hands=64),
        described("wide-136", tiles(flowers=False), protocol="paipu-fair/1w", max_hands=3),
        described("series", [], seats=watchers, n_dice=0, max_hands=4),
        described("rejects-60000", large, seats=seats("an", "bo"), max_hands=2, n_dice=2, epoch=51),
    ]  # epoch 51: the first whose shuffle meets two rejects
    return {item["name"]: Epoch(item) for item in given}


def flipped(text: str) -> str:
    return f"{int(text[:2], 16) ^ 1:02x}{text[2:]}"


def refused(name: str, code: str, check: str, epoch: str, **arguments: Any) -> Vector:
    return {"name": name, "code": code, "check": check, "epoch": epoch, "arguments": arguments}


def negatives(known: dict[str, Epoch]) -> list[Vector]:
    return [*entropy_negatives(known), *beacon_negatives(known), *server_negatives(known), *tile_negatives(known)]


def entropy_negatives(known: dict[str, Epoch]) -> list[Vector]:
    name = "tiles-144-three-players"
    epoch = known[name]
    commits = {str(seat): epoch.commit(seat).hex() for seat in range(3)}
    reveals = {str(seat): epoch.entropy[seat].hex() for seat in range(3)}
    swapped = commits | {"0": commits["1"], "1": commits["0"]}
    two = {seat: commits[seat] for seat in ("0", "1")}

    first = {"0": reveals["0"]}

    def reveal(title: str, code: str, seat: int, entropy: str, **held: Vector) -> Vector:
        held = {"commits": commits, "reveals": {}} | held
        return refused(title, code, "reveal", name, **held, seat=seat, value=entropy)

    def commit(title: str, code: str, seat: int, given: str, **held: Vector) -> Vector:
        held = {"commits": two, "reveals": {}} | held
        return refused(title, code, "commit", name, **held, seat=seat, value=given)

    def mix(title: str, code: str, **given: Any) -> Vector:
        return refused(title, code, "mix", name, **{"commits": commits, "reveals": reveals} | given)

    return [
        reveal("C swapped between seats", "commit_mismatch", 0, reveals["0"], commits=swapped),
        reveal("R swapped between seats", "commit_mismatch", 1, reveals["0"]),
        reveal("R with a bit changed", "commit_mismatch", 2, flipped(reveals["2"])),
        reveal("R cut short", "commit_mismatch", 2, reveals["2"][:-2]),
        reveal("reveal of a seat that never committed", "reveal_before_commit", 2, reveals["2"], commits=two),
        reveal("second reveal of a seat", "repeated_reveal", 0, reveals["0"], reveals=first),
        reveal("reveal of no seat", "unknown_seat", 9, reveals["0"]),
        commit("reveal before the last commit", "reveal_before_commit", 2, commits["2"], reveals=first),
        commit("second commit of a seat", "repeated_commit", 1, commits["2"]),
        commit("copied commit", "repeated_commit", 2, commits["0"]),
        commit("commit of zeros", "commit_mismatch", 2, ABSENT.hex()),
        commit("commit cut short", "commit_mismatch", 2, commits["2"][2:]),
        commit("commit of no seat", "unknown_seat", 128, commits["2"]),
        mix("absent seat without a beacon", "void_epoch", reveals={seat: reveals[seat] for seat in two}),
        mix("randomness without a beacon", "beacon_unasked", randomness="00" * 32),
        mix("reveal that opens nothing", "commit_mismatch", commits=swapped),
        refused("beacon left out", "beacon_missing", "mix", "cards-52-beacon", commits={}, reveals={}),
    ]


def beacon_negatives(known: dict[str, Epoch]) -> list[Vector]:
    name = "cards-52-beacon"
    good = dict(known[name].given["beacon"])
    good["randomness"] = h(bytes.fromhex(good["signature"])).hex()
    quick = {"chain": QUICKNET, "round": 1000}
    # round 1000 of a chain born at 1692803367 s with 3 s a round: 1692806364 s
    signed = good | {"signature": flipped(good["signature"])}
    timely = good | quick | {"deadline": 1692806364000 - 6000 + 1}  # a millisecond too late
    return [
        refused("another beacon round", "beacon_round", "beacon", name, **good | {"round": good["round"] + 1}),
        refused("another chain", "beacon_chain", "beacon", name, **good | {"chain": flipped(good["chain"])}),
        refused("randomness of another signature", "beacon_randomness", "beacon", name, **signed),
        refused("beacon nobody asked for", "beacon_unasked", "beacon", "wide-136", **good),
        refused("round too near the last reveal", "beacon_time", "beacon", name, header=quick, **timely),
        refused("commitments under another round", "path", "hand_seed", name, header=quick, **opened(known[name], 0)),
    ]


def opened(epoch: Epoch, hand: int) -> Vector:
    return {"hand": hand, "seed": epoch.seeds[hand].hex(), "path": hexes(path(epoch.leaves, hand))}


def server_negatives(known: dict[str, Epoch]) -> list[Vector]:
    name = "tiles-136-witness"
    epoch, wide = known[name], known["wide-136"]
    first, last = opened(epoch, 1), opened(epoch, 4)
    root, narrow = epoch.root.hex(), opened(wide, 0) | {"seed": last["seed"]}
    return [
        refused("path of another hand", "path", "hand_seed", name, **first | {"path": opened(epoch, 2)["path"]}),
        refused("seed of another hand", "path", "hand_seed", name, **first | {"seed": last["seed"]}),
        refused("seed and path of another hand", "path", "hand_seed", name, **last | {"hand": 1}),
        refused("path cut short", "path", "hand_seed", name, **first | {"path": first["path"][:-1]}),
        refused("path with one hash too many", "path", "hand_seed", name, **last | {"path": [*last["path"], root]}),
        refused("path of short hashes", "path", "hand_seed", name, **last | {"path": [last["path"][0][2:]]}),
        refused("hand beyond those committed to", "hand_limit", "hand_seed", name, **last | {"hand": 5}),
        refused("seed of the other profile", "seed_length", "hand_seed", name, **last | {"seed": wide.seeds[0].hex()}),
        refused("narrow seed in the wide profile", "seed_length", "hand_seed", "wide-136", **narrow),
        refused("another root seed", "root_seed", "root_seed", name, seed=flipped(epoch.root_seed.hex())),
        refused("root seed cut short", "seed_length", "root_seed", name, seed=epoch.root_seed.hex()[2:]),
        refused("root seed in the wide profile", "root_seed", "root_seed", "wide-136", seed=epoch.root_seed.hex()),
        refused("repeated root_s", "repeated_root", "unique", name, kind="root", values=[root, wide.root.hex(), root]),
        refused("repeated seed", "repeated_seed", "unique", name, kind="seed", values=[first["seed"], first["seed"]]),
    ]


def tile_negatives(known: dict[str, Epoch]) -> list[Vector]:
    name = "tiles-136-witness"
    epoch = known[name]
    wall = epoch.words(0, "shuffle").shuffled(136)
    leaves = epoch.wall_leaves(0, wall)
    good = {"root": mth(leaves).hex()} | epoch.proof(wall, leaves, 70)
    other = epoch.proof(wall, leaves, 71)
    return [
        refused(title, "tile_proof", "tile", name, **good | change)
        for title, change in (
            ("leaf with a wrong position", {"position": 71}),
            ("position outside the wall", {"position": 136}),
            ("swapped tile", {"tile": other["tile"]}),
            ("tile outside the deck", {"tile": 136}),
            ("tile of 17 bits", {"tile": 65536 + wall[70]}),
            ("another salt", {"salt": other["salt"]}),
            ("salt cut short", {"salt": good["salt"][2:]}),
            ("path of another tile", {"path": other["path"]}),
            ("path cut short", {"path": good["path"][:-1]}),
            ("another wall's root", {"root": flipped(good["root"])}),
        )
    ]


def distinct() -> list[list[Vector]]:
    """Pairs of headers whose fields, laid end to end without lengths, would be the same bytes."""
    base = described("framing", tiles(flowers=False))
    pairs = [
        [base | {"table": "T-1", "game": "2"}, base | {"table": "T-", "game": "12"}],
        [base | {"operator": "op", "table": "a1"}, base | {"operator": "opa", "table": "1"}],
    ]
    return [[dict(given) | {"e": Epoch(given).e.hex()} for given in pair] for pair in pairs]


def build() -> Vector:
    known = epochs()
    hands = {"tiles-136-witness": (0, 4), "cards-52-beacon": (0, 63), "wide-136": (0, 2), "series": (0, 3)}
    return {
        "deals": [e.vector(*hands.get(n, (0,)), whole=len(e.deck) < 1000) for n, e in known.items()],
        "refused": negatives(known),
        "distinct": distinct(),
    }


def encode(vectors: Vector) -> bytes:
    for item in vectors["deals"]:
        if len(item["deck"]) > 100_000:
            item["deck"] = f"0..{len(item['deck'].split()) - 1}"
    return (json.dumps(vectors, indent=1, ensure_ascii=False) + "\n").encode()


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_bytes(encode(build()))

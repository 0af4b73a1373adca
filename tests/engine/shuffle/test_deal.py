import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import tile_deck
from engine.shuffle import (
    NARROW,
    WIDE,
    Commitment,
    Context,
    Deal,
    Player,
    check_hand_seed,
    check_tile,
    deal,
    deck_hash,
    merkle_root,
    mix,
    tile_leaf,
)

PLAYERS = tuple(Player(seat, f"player-{seat}") for seat in range(4))


def context(protocol: str = NARROW, *, flowers: bool = True, max_hands: int = 4) -> Context:
    deck = tile_deck(flowers=flowers)
    fields = (bytes(32), deck_hash(deck), len(deck), 4, PLAYERS, max_hands, None, protocol)
    return Context("op", "table", "game", 0, *fields)  # type: ignore[arg-type]


def dealt(protocol: str = NARROW, *, flowers: bool = True, number: int = 0) -> Deal:
    size = 128 if protocol == WIDE else 32
    return deal(context(protocol, flowers=flowers), bytes(32), 0, number.to_bytes(size, "big"))


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32), st.integers(0, 3))
def test_a_deal_is_a_permutation_with_dice(salt: bytes, seed: bytes, hand: int) -> None:
    made = deal(context(), salt, hand, seed)
    assert sorted(made.wall) == list(range(144))
    assert made.words == 143 + made.rejects
    assert len(made.dice) == 4
    assert all(1 <= face <= 6 for face in made.dice)


@pytest.mark.parametrize("protocol", [NARROW, WIDE])
@pytest.mark.parametrize("flowers", [True, False])
def test_every_position_proves_its_tile(protocol: str, flowers: bool) -> None:
    made = dealt(protocol, flowers=flowers)
    n = len(made.wall)
    leaves = []
    for position in range(n):
        proof = made.prove_tile(position)
        assert (proof.position, proof.tile) == (position, made.wall[position])
        assert check_tile(made.wall_root, n, proof) is None
        leaves.append(tile_leaf(position, proof.tile, proof.salt))
    assert made.wall_root == merkle_root(leaves)
    assert len(set(leaf[4:] for leaf in leaves)) == n  # noqa: C401  every tile its own salt
    for position in (-1, n):
        with pytest.raises(IndexError):
            made.prove_tile(position)


def test_every_byte_of_a_proof_counts() -> None:
    made = dealt()
    for position in (0, 77, 143):
        proof = made.prove_tile(position)
        for byte in range(16):
            salt = bytearray(proof.salt)
            salt[byte] ^= 1
            assert check_tile(made.wall_root, 144, replace(proof, salt=bytes(salt))) is not None
        for step, node in enumerate(proof.path):
            for byte in range(32):
                changed = node[:byte] + bytes([node[byte] ^ 0x80]) + node[byte + 1 :]
                path = (*proof.path[:step], changed, *proof.path[step + 1 :])
                assert check_tile(made.wall_root, 144, replace(proof, path=path)) is not None
        for byte in range(32):
            root = bytearray(made.wall_root)
            root[byte] ^= 1
            assert check_tile(bytes(root), 144, proof) is not None


@given(st.integers(-3, 70000), st.integers(-3, 70000), st.integers(0, 143))
def test_no_other_position_or_tile_is_proved(position: int, tile: int, true: int) -> None:
    made = dealt()
    proof = made.prove_tile(true)
    accepted = check_tile(made.wall_root, 144, replace(proof, position=position, tile=tile)) is None
    assert accepted == ((position, tile) == (true, made.wall[true]))


@given(st.binary(max_size=40), st.lists(st.binary(max_size=40), max_size=10))
def test_proofs_of_any_bytes_are_answered(salt: bytes, path: list[bytes]) -> None:
    made = dealt()
    proof = replace(made.prove_tile(3), salt=salt, path=tuple(path))
    assert check_tile(made.wall_root, 144, proof) is not None


def test_the_tree_is_made_at_first_use() -> None:
    made = dealt()
    assert "_levels" not in vars(made)
    root = made.wall_root
    assert made.wall_root is root
    assert "_levels" in vars(made)


def test_a_deal_survives_pickling() -> None:
    made = dealt(number=5)
    again = pickle.loads(pickle.dumps(made))
    assert (again.wall, again.dice, again.wall_root) == (made.wall, made.dice, made.wall_root)
    assert again.keys.stream("wild").below(34) == made.keys.stream("wild").below(34)


def test_hands_of_one_epoch_differ() -> None:
    epoch = context(max_hands=8)
    commitment = Commitment.open(epoch, bytes(range(32)))
    walls = {deal(epoch, bytes(32), hand, seed).wall for hand, seed in enumerate(commitment.seeds)}
    assert len(walls) == len(set(commitment.seeds)) == 8


@pytest.mark.parametrize("max_hands", [1, 2, 3, 7, 64])
def test_each_seed_opens_its_own_hand_only(max_hands: int) -> None:
    epoch = context(max_hands=max_hands)
    commitment = Commitment.open(epoch, bytes(range(32)))
    for hand, seed in enumerate(commitment.seeds):
        for other in range(max_hands):
            refusal = check_hand_seed(epoch, commitment.root, other, seed, commitment.path(hand))
            assert (refusal is None) == (other == hand)


@settings(max_examples=30)
@given(st.integers(0, 31), st.integers(0, 7))
def test_a_changed_bit_of_a_seed_or_path_is_refused(byte: int, bit: int) -> None:
    epoch = context()
    commitment = Commitment.open(epoch, bytes(range(32)))
    seed, path = commitment.seeds[2], commitment.path(2)

    def flip(value: bytes) -> bytes:
        return value[:byte] + bytes([value[byte] ^ 1 << bit]) + value[byte + 1 :]

    assert check_hand_seed(epoch, commitment.root, 2, flip(seed), path) is not None
    assert check_hand_seed(epoch, flip(commitment.root), 2, seed, path) is not None
    for step, node in enumerate(path):
        changed = (*path[:step], flip(node), *path[step + 1 :])
        assert check_hand_seed(epoch, commitment.root, 2, seed, changed) is not None


def test_seeds_must_fit_the_epoch() -> None:
    with pytest.raises(ValueError, match="4 seeds of 32 bytes"):
        Commitment(context(), [bytes(32)] * 3)
    with pytest.raises(ValueError, match="4 seeds of 128 bytes"):
        Commitment(context(WIDE), [bytes(32)] * 4)
    with pytest.raises(ValueError, match="root seed"):
        Commitment.open(context(WIDE), bytes(32))
    with pytest.raises(ValueError, match="root seed"):
        Commitment.open(context(), bytes(31))


def test_the_wall_is_a_function_of_all_entropy() -> None:
    epoch = context()
    commitment = Commitment.open(epoch, bytes(range(32)))
    salts = {mix(epoch, commitment.root, {}, {}), mix(epoch, bytes(32), {}, {})}
    other = replace(epoch, seats=(*PLAYERS[:3], Player(3, "somebody else")))
    salts.add(mix(other, commitment.root, {}, {}))
    assert len(salts) == 3
    assert all(isinstance(salt, bytes) for salt in salts)


def test_large_decks_have_leaves_beyond_the_prepared_ones() -> None:
    epoch = replace(context(), n=300)
    made = deal(epoch, bytes(32), 0, bytes(32))
    assert check_tile(made.wall_root, 300, made.prove_tile(299)) is None


def test_an_empty_deck_deals_nothing_and_has_no_root() -> None:
    for protocol in (NARROW, WIDE):
        epoch = replace(context(protocol), n=0, n_dice=0)
        made = deal(epoch, bytes(32), 0, bytes(128 if protocol == WIDE else 32))
        assert (made.wall, made.words, made.rejects, made.dice) == ((), 0, 0, ())
        with pytest.raises(ValueError, match="no leaves"):
            _ = made.wall_root

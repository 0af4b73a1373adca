"""A deal derived anew, step by step: from the premise, the entropy and the seed to the wall and to one tile of it.

Every step says how its value is got, so that a reader can do it by other means (fairness.md 1), and whether it agrees
with the log. The derivation is the engine's; this module only lays its steps out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine import proofs, replay
from engine.events import load
from engine.frame import hand_deal
from engine.game import Game
from engine.mahjong.state import Hand
from engine.mahjong.wall import break_stack
from engine.replay import Replay
from engine.shuffle import Commitment, Deal, check_hand_seed, check_reveal, check_tile
from engine.verbs import family_of
from viewer.translate import Text, bilingual


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `agrees`: whether the log says the same; None where the log does not say."""

    name: Text
    how: Text
    value: str | Text
    agrees: bool | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of the shuffled deck: the tile there, and which event took it for whom (-1: nobody)."""

    place: int
    tile: str
    seq: int = -1
    seat: int = -1


@dataclass(slots=True)
class Derivation:
    """A hand's deal. `why`, where it could not be derived: `none`, `sealed`, `absent`."""

    why: str = ""
    steps: list[Step] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    deal: Deal | None = None
    root: bytes = b""
    deck: tuple[str, ...] = ()
    broken: bool = False
    """Whether the break of the wall is among the steps."""


def derive(lines: Sequence[bytes], hand: int) -> Derivation:
    """Derive a hand's deal from the log's own values; replay goes on to the hand's end to see where each tile went."""
    found = Derivation(why="absent")
    result = Replay()
    taken: dict[int, tuple[int, int]] = {}
    for place, (game, record) in enumerate(replay.steps(lines, result), 1):
        if game.premise.context is None:
            found.why = "none"
            return found
        here = game.phase == "hand" and game.hand_number == hand
        if here and record["type"] == "hand_started":
            _begin(found, game, record["wall_root"], lines)
            if found.why:
                return found
        if here and found.deal is not None and place < len(lines):
            _follow(game, lines[place], taken)
        elif found.deal is not None:
            break
        if here and record["type"] in {"dice", "dealt"}:
            _broken(found, game)
    names = (found.deck[tile] for tile in found.deal.wall) if found.deal is not None else ()
    found.spots = [Spot(at, name, *taken.get(at, (-1, -1))) for at, name in enumerate(names)]
    return found


def _follow(game: Game, line: bytes, taken: dict[int, tuple[int, int]]) -> None:
    record = load(line)
    try:
        places = proofs.places(game, record)
    except (KeyError, IndexError, ValueError):
        return  # an event that is a fault: replay says so
    for at in places:
        taken[at] = (record["seq"], record.get("seat", -1))


def _begin(found: Derivation, game: Game, logged: str, lines: Sequence[bytes]) -> None:
    premise, hand = game.premise, game.hand_number
    context = premise.context
    shuffled = hand_deal(game)
    if context is None or shuffled is None or game.salt is None:
        found.why = "sealed"
        return
    found.why, found.deal = "", shuffled
    found.deck = family_of(premise.rules).deck(premise.rules)
    found.root = bytes.fromhex(logged)
    seed = game.seeds[hand]
    add = found.steps.append
    add(
        Step(bilingual("premise"), bilingual("E = SHA-256(header of opened) (fairness.md 1.1)"), context.digest().hex())
    )
    for seat, reveal in sorted(game.reveals.items()):
        opens = check_reveal(context, game.commits, {}, seat, reveal) is None
        name = bilingual("entropy of seat {number}", number=str(seat))
        add(
            Step(
                name,
                bilingual("opens the commitment {digest} (1.3)", digest=game.commits[seat].hex()),
                reveal.hex(),
                opens,
            )
        )
    if game.randomness is not None:
        add(
            Step(bilingual("beacon"), bilingual("randomness of the round named in opened (1.4)"), game.randomness.hex())
        )
    add(Step(bilingual("salt"), bilingual("mix(E, root_s, commitments, reveals, beacon) (1.3, 1.4)"), game.salt.hex()))
    how = bilingual("opens root_s {root} at {number} (1.2)", root=premise.root.hex(), number=str(hand))
    add(Step(bilingual("seed of hand {number}", number=str(hand)), how, seed.hex(), _opens(game, lines, seed)))
    try:
        add(Step(bilingual("key"), bilingual("PRK = HMAC-SHA256(salt, seed) (1.5)"), shuffled.keys.extracted.hex()))
        key = shuffled.keys.key("shuffle").hex()
        add(Step(bilingual("shuffle key"), bilingual("HKDF-Expand(PRK, …, 'shuffle') (1.5)"), key))
    except ValueError:
        prefix = shuffled.keys.first("shuffle", 32).hex()
        add(
            Step(
                bilingual("shuffle stream"),
                bilingual("SHAKE256(…, 'shuffle', seed, salt), first 32 bytes (1.7)"),
                prefix,
            )
        )
    numbers = bilingual("{words} words, {rejects} rejected", words=shuffled.words, rejects=shuffled.rejects)
    add(Step(bilingual("shuffle"), bilingual("Fisher-Yates from the top, numbers by rejection (1.6)"), numbers))
    how = bilingual("Merkle root over u16(place) u16(tile) salt (1.8)")
    add(Step(bilingual("wall root"), how, shuffled.wall_root.hex(), shuffled.wall_root == found.root))
    if shuffled.dice:
        add(
            Step(
                bilingual("dice"),
                bilingual("stream 'dice': below(6) + 1 each (1.6)"),
                " ".join(map(str, shuffled.dice)),
            )
        )


def _opens(game: Game, lines: Sequence[bytes], seed: bytes) -> bool | None:
    """Tell whether the seed opens the server's commitment, by its own path or by the root seed."""
    context, hand = game.premise.context, game.hand_number
    assert context is not None
    if game.root_seed is not None:
        return Commitment.open(context, game.root_seed).root == game.premise.root
    for line in lines:
        if b'"type":"revealed"' in line:
            record = load(line)
            if record["hand"] == hand:
                path = [bytes.fromhex(each) for each in record["path"]]
                return check_hand_seed(context, game.premise.root, hand, seed, path) is None
    return None


def _broken(found: Derivation, game: Game) -> None:
    hand = game.hand
    if not isinstance(hand, Hand) or found.deal is None or found.broken:
        return
    thrown = [value for throw in hand.thrown for value in throw]
    if hand.phase == "dice":
        return
    start = break_stack(hand.rules, hand.dealer, thrown)
    agrees = tuple(thrown) == found.deal.dice[: len(thrown)] if thrown else None
    told = " ".join(map(str, thrown)) or "–"
    how = bilingual(
        "break: dice {dice}, dealer {dealer} (mahjong.md 0.4); drawing starts there", dice=told, dealer=str(hand.dealer)
    )
    where = bilingual("{stack} (place {place})", stack=str(start), place=str(2 * start))
    found.steps.append(Step(bilingual("stack"), how, where, agrees))
    found.broken = True


def tile_steps(found: Derivation, place: int) -> list[Step]:
    """Return the proof of one place of the wall: leaf, salt, path, and that they lead to the logged root."""
    if found.deal is None or not 0 <= place < len(found.deal.wall):
        return []
    proof = found.deal.prove_tile(place)
    spot = found.spots[place]
    refusal = check_tile(found.root, len(found.deck), proof)
    steps = [
        Step(
            bilingual("tile"),
            bilingual("W[{place}] = deck index {index}", place=str(place), index=str(proof.tile)),
            spot.tile,
        ),
        Step(bilingual("its salt"), bilingual("16 bytes of the stream 'leaf' at 16·place (1.8)"), proof.salt.hex()),
    ]
    steps += [
        Step(bilingual("path {number}", number=str(at)), bilingual("sibling hash, from the leaf up"), each.hex())
        for at, each in enumerate(proof.path)
    ]
    steps.append(
        Step(bilingual("leads to"), bilingual("the wall root of hand_started"), found.root.hex(), refusal is None)
    )
    return steps

"""Which places of the wall an event takes its tiles from, and the proofs that go to the owner (fairness.md 1.8).

The table proves each tile when it is dealt, drawn or turned; whoever gets it checks it against the `wall_root` of
`hand_started` without seeing any other tile. An event is asked about before it is applied.
"""

from dataclasses import dataclass

from engine.cards import CARD_INDEX
from engine.events import Record
from engine.frame import hand_deal
from engine.game import Game
from engine.mahjong import wilds
from engine.mahjong.state import Hand
from engine.mahjong.wall import break_stack, deal_positions
from engine.shuffle import TileProof, check_tile
from engine.verbs import family_of

PLACING = frozenset({"dealt", "drawn", "kitty", "wild"})


@dataclass(frozen=True, slots=True)
class Told:
    """A proof with whom it goes to (-1: everybody) and the tile as events name it."""

    seat: int
    code: str
    proof: TileProof


def places(game: Game, record: Record) -> tuple[int, ...]:
    """Return the places in the shuffled deck W that a due event's tiles come from, in its order.

    Empty where the event takes none, or no seed of the hand is known.
    """
    if record["type"] not in PLACING or game.phase != "hand" or hand_deal(game) is None:
        return ()
    hand = game.hand
    if isinstance(hand, Hand):
        return _of_wall(hand, record)
    shuffled = hand_deal(game)
    assert shuffled is not None
    codes = record.get("tiles") or record.get("cards") or ([record["tile"]] if "tile" in record else [])
    return tuple(shuffled.wall.index(CARD_INDEX[code]) for code in codes)


def _of_wall(hand: Hand, record: Record) -> tuple[int, ...]:
    """Return the places of a mahjong hand: those of the draw sequence, turned back by the break."""
    wall = hand.wall
    if record["type"] == "dealt":
        found = deal_positions(hand.players)[hand.dealt]
    elif record["type"] == "drawn":
        found = (wall.place(record["end"]),)
    elif "indicator" in record:
        found = (wall.find_from_tail(wilds.domain(hand.rules)),)
    else:
        return ()
    dice = [value for throw in hand.thrown for value in throw]
    start = 2 * break_stack(hand.rules, hand.dealer, dice)
    return tuple((place + start) % wall.size for place in found)


def prove(game: Game, record: Record) -> list[Told]:
    """Prove every tile of a due event; [] where it takes none or no seed is known."""
    shuffled = hand_deal(game) if game.phase == "hand" else None
    if shuffled is None:
        return []
    deck = family_of(game.premise.rules).deck(game.premise.rules)
    proofs = [shuffled.prove_tile(place) for place in places(game, record)]
    seat = record.get("seat", -1)
    return [Told(seat, code_of(deck[proof.tile]), proof) for proof in proofs]


def code_of(name: str) -> str:
    """Return how events name a tile of the deck: without its copy."""
    return name.partition(".")[0]


def holds(root: bytes, deck: tuple[str, ...], code: str, proof: TileProof) -> bool:
    """Tell whether a proof shows this tile or card at its place under a wall root."""
    fits = 0 <= proof.tile < len(deck) and code_of(deck[proof.tile]) == code
    return fits and check_tile(root, len(deck), proof) is None

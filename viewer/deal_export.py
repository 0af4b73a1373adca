"""Raw words and decks for a laboratory's own tools: what the shuffles used and what they gave, from the same code.

    raw     the words of the shuffle streams, four bytes each, big-endian, one after the other, rejects included
    decks   a line `# ` with the deck in order, then one wall a line: deck ids separated by spaces, the first tile first

Walls are recomputed from seeds that the log opens; hands without a known seed are counted and left out. Fresh deals
come by the protocol itself: context, commitment, entropy, mix, deal.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from engine.errors import EventError
from engine.events import check, load
from engine.family import Fault
from engine.formats.riichi import CODES, RiichiRecord
from engine.formats.riichi_walls import record_walls
from engine.formats.tenhou_wall import deck_ids
from engine.premise import Premise
from engine.replay import known_seeds
from engine.rules import Rules
from engine.shuffle import Commitment, Deal, Refusal, deal, mix, player_commit
from engine.table import opening
from engine.variants import find
from engine.verbs import family_of, premise_of

MAX_HANDS = 64
TENHOU_DECKS = {
    seats: tuple(f"{CODES[tile // 4]}.{tile % 4}" for tile in deck_ids(seats)) for seats in (3, 4)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shuffled:
    """One shuffle: the deck, the wall as deck positions (the first tile dealt first), the words of its stream."""

    deck: tuple[str, ...]
    wall: tuple[int, ...]
    words: bytes

    @classmethod
    def of(cls, deck: tuple[str, ...], dealt: Deal) -> "Shuffled":
        """Return a deal of ours with the words that it took."""
        words = islice(dealt.keys.words("shuffle"), dealt.words)
        return cls(deck, dealt.wall, b"".join(word.to_bytes(4) for word in words))

    def line(self) -> str:
        """Return the wall as a line of a deck file."""
        return " ".join(self.deck[tile] for tile in self.wall)


def header(deck: Sequence[str]) -> str:
    """Return the first line of a deck file."""
    return f"# {' '.join(deck)}"


def of_game(lines: Sequence[bytes]) -> Iterator[Shuffled | None]:
    """Yield the shuffle of each hand that began, in order; None for one whose seed the log does not open.

    Nothing is judged here: a log whose `opened` is no premise gives nothing.
    """
    premise = _premise(lines)
    if premise is None or premise.context is None:
        return
    context = premise.context
    commitment, _, seeds = known_seeds(premise, lines)
    salt = _salt(premise, lines)
    deck = family_of(premise.rules).deck(premise.rules)
    for line in lines:
        if b'"type":"hand_started"' not in line:
            continue
        hand = load(line)["hand"]
        seed = commitment.seeds[hand] if commitment is not None else seeds.get(hand)
        yield None if seed is None or salt is None else Shuffled.of(deck, deal(context, salt, hand, seed))


def _premise(lines: Sequence[bytes]) -> Premise | None:
    try:
        record = load(lines[0])
        check(lines[0], record)
        found = premise_of(record) if record["type"] == "opened" else None
    except (EventError, IndexError):
        return None
    return None if isinstance(found, Fault) else found


def _salt(premise: Premise, lines: Sequence[bytes]) -> bytes | None:
    commits: dict[int, bytes] = {}
    reveals: dict[int, bytes] = {}
    randomness = None
    for line in lines:
        if b'"type":"hand_started"' in line:
            break
        record = load(line)
        if record["type"] == "committed":
            commits[record["seat"]] = bytes.fromhex(record["commit"])
        elif record["type"] == "entropy":
            reveals[record["seat"]] = bytes.fromhex(record["reveal"])
        elif record["type"] == "beacon":
            randomness = bytes.fromhex(record["randomness"])
    assert premise.context is not None
    salt = mix(premise.context, premise.root, commits, reveals, randomness)
    return None if isinstance(salt, Refusal) else salt


def of_record(record: RiichiRecord) -> Iterator[Shuffled]:
    """Yield the shuffle of each hand of a Tenhou record: place 0 is the first tile dealt, the last of its algorithm.

    Raises SeedError where the record has no seed of the known kind.
    """
    for wall in record_walls(record):
        words = b"".join(word.to_bytes(4) for word in wall.words[: len(wall.tiles) - 1])
        yield Shuffled(TENHOU_DECKS[record.seats], wall.indices(), words)


def fresh(rules: Rules, seed: int, count: int) -> Iterator[Shuffled]:
    """Yield so many deals of a preset by the protocol, everything drawn from `seed`; 64 hands an epoch."""
    deck = family_of(rules).deck(rules)
    for epoch in range(-(-count // MAX_HANDS)):
        for dealt in islice(_epoch(rules, seed, epoch), count - epoch * MAX_HANDS):
            yield Shuffled.of(deck, dealt)


def _epoch(rules: Rules, seed: int, epoch: int) -> Iterator[Deal]:
    def derive(label: str) -> bytes:
        return sha256(f"paipu/export/1/{seed}/{rules.id}/{epoch}/{label}".encode()).digest()

    players = range(rules.players)
    _, context = opening(
        rules,
        preset=find(rules.id),
        game=f"export-{seed}-{epoch}",
        engine="export",
        operator="export",
        table="export",
        seats=[{"seat": seat, "player": f"bot:{seat}", "kind": "bot"} for seat in players],
        match={},
        deal={"protocol": "paipu-fair/1", "max_hands": MAX_HANDS},
    )
    commitment = Commitment.open(context, derive("root"))
    reveals = {seat: derive(f"entropy/{seat}") for seat in players}
    commits = {seat: player_commit(context, seat, share) for seat, share in reveals.items()}
    salt = mix(context, commitment.root, commits, reveals)
    assert isinstance(salt, bytes)
    for hand, hand_seed in enumerate(commitment.seeds):
        yield deal(context, salt, hand, hand_seed)


def one_deck(found: Iterable[Shuffled]) -> Iterator[Shuffled]:
    """Yield shuffles as long as all are of one deck; ValueError at the first of another."""
    deck: tuple[str, ...] | None = None
    for each in found:
        if deck is not None and each.deck != deck:
            raise ValueError("games of several decks: choose with --rules")
        deck = each.deck
        yield each

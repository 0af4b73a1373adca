"""What `opened` says: rules, match, seats and deal; checked for form, taken as the premise (spec `events.md`)."""

from dataclasses import dataclass
from typing import Any

from engine.errors import RulesError
from engine.events import Record, body_of
from engine.family import Family, Fault
from engine.match import Match
from engine.rules import Rules
from engine.shuffle import Beacon, Context, ContextError, Player, deck_hash

FIRST_WITNESS = 128
PROTOCOL_NONE = "none"


@dataclass(frozen=True, slots=True)
class Premise:
    """The premise of one game. `context` is None with protocol none; `root` the server's commitment."""

    rules: Rules
    match: Match
    game: str
    players: tuple[str, ...]
    """Players in the order of `opened`, witnesses left out."""
    entropy_seats: tuple[int, ...]
    """Seats that may give entropy, witnesses among them."""
    max_hands: int | None
    context: Context | None
    root: bytes
    open_seeds: bool
    """Seeds come into the log (not `reveal = auditor`)."""


def read(record: Record, rules: Rules, family: Family) -> Premise | Fault:
    """Return the premise of an `opened` that its schema has accepted, or what is wrong with its form."""
    try:
        match = rules.match.but(record["match"])
    except RulesError as error:
        return Fault("match", "modes.1", "options of modes.md 1", str(error))
    playing = [entry for entry in record["seats"] if entry["seat"] < FIRST_WITNESS]
    found = [entry["seat"] for entry in playing]
    if found != list(range(len(found))) or len(found) not in rules.sizes:
        few, most = rules.sizes[0], rules.sizes[-1]
        number = f"{few}" if few == most else f"{few} to {most}"
        return Fault("seats", "events.opened", f"{number} seats, from 0 on, ascending", found)
    names = [entry["player"] for entry in record["seats"]]
    if len(set(names)) != len(names):
        return Fault("seats", "events.opened", "every player once", names)
    for entry in record["seats"]:
        if (entry["kind"] == "witness") != (entry["seat"] >= FIRST_WITNESS):
            return Fault("seats", "events.opened", "witnesses at seats from 128 on, nobody else there", entry)
    deal = record["deal"]
    players = tuple(entry["player"] for entry in playing)
    if deal["protocol"] == PROTOCOL_NONE:
        if set(deal) - {"protocol", "max_hands"}:
            return Fault("deal", "events.opened", "no commitments with protocol none", deal)
        return Premise(rules, match, record["game"], players, (), deal.get("max_hands"), None, b"", open_seeds=False)
    if "root_s" not in deal:
        return Fault("V2", "fairness.1.2", "root_s in opened", deal)
    try:
        context = _context(record, rules, family)
    except ContextError as error:
        return Fault("V4", "fairness.1.1", "a deal context", str(error))
    return Premise(
        rules=rules,
        match=match,
        game=record["game"],
        players=players,
        entropy_seats=tuple(context.players),
        max_hands=context.max_hands,
        context=context,
        root=bytes.fromhex(deal["root_s"]),
        open_seeds=deal.get("reveal") != "auditor",
    )


def _context(record: Record, rules: Rules, family: Family) -> Context:
    deal = record["deal"]
    deck = family.deck(rules)
    beacon = deal.get("beacon")
    return Context(
        operator=record["operator"],
        table=record["table"],
        game=record["game"],
        epoch=0,
        ruleset_hash=bytes.fromhex(rules.digest()),
        deck_hash=deck_hash(deck),
        n=len(deck),
        n_dice=family.n_dice(rules),
        seats=tuple(Player(entry["seat"], entry["player"]) for entry in sorted(record["seats"], key=_seat_of)),
        max_hands=deal.get("max_hands", 64),
        beacon=Beacon(bytes.fromhex(beacon["chain"]), beacon["round"]) if beacon else None,
        protocol=deal["protocol"],
    )


def _seat_of(entry: dict[str, Any]) -> int:
    seat: int = entry["seat"]
    return seat


def context_of(record: Record, rules: Rules, family: Family) -> Context:
    """Return the deal context that an `opened` without `root_s` would have: the operator's first step."""
    return _context(body_of(record) | {"game": record["game"]}, rules, family)

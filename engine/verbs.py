"""The five verbs of a game: begin, forced, legal, fault, apply.

    begin(opened)      -> Game
    forced(game)       -> Envelope | None      the one consequence that must come next, if any
    legal(game)        -> tuple[Envelope, …]   every decision that may come next, in a fixed order
    fault(game, event) -> Fault | None         why this event may not come next: a value, never an exception
    apply(game, event) -> None                 total on faultless events

`fault` is asked before `apply`, so the last good state survives. `judge` is `fault` on a record.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine import frame
from engine.banker import flow as banker
from engine.errors import EventError, RulesError, UnknownRulesError
from engine.events import DECISIONS, Body, Envelope, Record, body_of, build, canonical, check
from engine.family import GIVEN, Family, Fault
from engine.frame import REVEAL_WITHIN_MS
from engine.game import Game
from engine.mahjong import flow as mahjong
from engine.premise import Premise, read
from engine.rules import Rules
from engine.settlement import agrees
from engine.shuffle import (
    Commitment,
    Refusal,
    check_beacon,
    check_commit,
    check_hand_seed,
    check_reveal,
    check_root_seed,
)
from engine.tricks import flow as tricks
from engine.variants import by_digest

FAMILIES: dict[str, Family] = {
    "mahjong": mahjong,
    "banker": banker,
    "tricks": tricks,
}

ANY_TIME = frozenset({"away", "back", "refused", "voted", "voided"})


def family_of(rules: Rules) -> Family:
    """Return the family that plays these rules."""
    return FAMILIES[rules.family]


def premise_of(record: Record) -> Premise | Fault:
    """Return the premise of an `opened` record that its schema has accepted, or what is wrong with it."""
    if record["seq"] != 0:
        return Fault("seq", "events.envelope", {"seq": 0}, {"seq": record["seq"]})
    its = record["rules"]
    try:
        rules = by_digest(its["id"], its["options"], its["digest"])
    except UnknownRulesError as error:
        return Fault("rules", "events.opened", list(error.known) or "known rules", str(error))
    except RulesError as error:
        return Fault("rules", "events.opened", "options that the preset has", str(error))
    return read(record, rules, family_of(rules))


def begin(opened: Envelope, *, commitment: Commitment | None = None, root_seed: bytes | None = None,
          seeds: Mapping[int, bytes] | None = None) -> Game:  # fmt: skip
    """Return the state after `opened`; raise ValueError with the fault where it is no premise."""
    record = opened.record()
    premise = premise_of(record)
    if isinstance(premise, Fault):
        msg = f"{premise.code}: expected {premise.expected}, found {premise.found}"
        raise ValueError(msg)  # noqa: TRY004  a premise of the wrong content, not of the wrong type
    return frame.begin(
        premise,
        family_of(premise.rules),
        at=record["at"],
        seeds=seeds,
        commitment=commitment,
        root_seed=root_seed,
    )


def forced(game: Game, at: int | None = None) -> Envelope | None:
    """Return the consequence that must come next, stamped `at` (default: the last event's); None where there is none.

    None too where only the log can tell what it holds (no seed known).
    """
    body = frame.due(game)
    if body is None or any(value is GIVEN for value in body.values()):
        return None
    return build(body, at=game.at if at is None else at, game=game.premise.game, seq=game.seq)


def options(game: Game) -> Sequence[Body]:
    """Return the bodies of every decision that may come next, in a fixed order."""
    if game.phase != "hand" or game.dissolved or frame.due(game) is not None:
        return []
    return game.family.options(game.hand)


def legal(game: Game, at: int | None = None) -> tuple[Envelope, ...]:
    """Return every decision of play that may come next (entropy, votes and interruptions are not enumerable)."""
    stamp = game.at if at is None else at
    return tuple(build(body, at=stamp, game=game.premise.game, seq=game.seq) for body in options(game))


def fault(game: Game, event: Envelope) -> Fault | None:
    """Return why this event may not come next, None where it may."""
    return judge(game, event.record())


def apply(game: Game, event: Envelope) -> None:
    """Apply an event that has no fault."""
    frame.step(game, event.record())


def judge(game: Game, record: Record) -> Fault | None:
    """Return why this record, which its schema has accepted, may not come next."""
    if record["game"] != game.premise.game:
        return Fault("game", "events.envelope", game.premise.game, record["game"])
    if record["seq"] != game.seq:
        return Fault("seq", "events.envelope", game.seq, record["seq"])
    if record["at"] < game.at:
        return Fault("time", "events.envelope", f"at >= {game.at}", record["at"])
    if game.phase == "over":
        return Fault("order", "events.order", "nothing after closed", body_of(record))
    kind = record["type"]
    if kind == "opened":
        return Fault("V3", "fairness.1.10.V3", "one opening of an epoch", body_of(record))
    if kind == "hand_started" and game.phase == "hand" and record["hand"] == game.hand_number:
        return Fault("V13", "fairness.1.10.V13", "the hand in play goes on from its wall", body_of(record))
    if kind in ANY_TIME:
        return INTERRUPTIONS[kind](game, record)
    body = frame.due(game)
    if kind in EARLY and game.phase in {"entropy", "next", "boundary"}:
        early = EARLY[kind](game, record)
        if early is not NOT_HERE:
            return early
    if body is not None:
        return _consequence(game, body, record)
    if game.phase == "entropy":
        return _entropy(game, record)
    if game.phase == "hand" and game.dissolved:
        return Fault("voided", "modes.1", {"type": "voided", "hand": game.hand_number}, body_of(record))
    return game.family.fault(game.hand, record)


# --- consequences -----------------------------------------------------------------------------------------------


def filled(body: Body, record: Record) -> Body:
    """Return a due body with what only the log can tell taken from the record."""
    return {name: record.get(name) if value is GIVEN else value for name, value in body.items()}


def same(body: Body, record: Record) -> bool:
    """Tell whether a record has exactly this body, byte for byte (true is not 1)."""
    return canonical(body) == canonical(body_of(record))


def _consequence(game: Game, body: Body, record: Record) -> Fault | None:
    if record["type"] == body["type"]:
        given = [name for name, value in body.items() if value is GIVEN]
        whole = filled(body, record)
        if same(whole, record) or (record["type"] == "settled" and agrees(body, record)):
            return _given(game, record, given)
        body = whole
    elif any(value is GIVEN for value in body.values()):
        body = {name: repr(value) if value is GIVEN else value for name, value in body.items()}
    if game.phase == "hand" and body["type"] != "hand_ended":
        code, clause, expected, found = game.family.clause(game.hand, body, record)
        if code == "V12" and game.interrupted:
            code, clause = "V13", "fairness.1.10.V13"  # another wall after somebody was away (incident 22)
        return Fault(code, clause, expected, found)
    return _frame_fault(game, body, record)


def _given(game: Game, record: Record, given: list[str]) -> Fault | None:
    """Check what was taken as given: form and conservation, and that a seed opens its commitment."""
    kind = record["type"]
    if kind == "revealed":
        return reveal_fault(game, record)
    if kind == "closed":
        return _root(game, record)
    if not given:
        return None
    if kind == "seated":
        if sorted(record["order"]) != sorted(game.premise.players):
            return Fault("V9", "fairness.1.10.V9", sorted(game.premise.players), record["order"])
        return None
    if kind == "hand_started":
        return None
    return game.family.given_fault(game.hand, record)


def reveal_fault(game: Game, record: Record) -> Fault | None:
    """Return why a seed revealed where it is due is no good: it does not open its commitment, or comes too late."""
    context = game.premise.context
    assert context is not None
    if game.commitment is None:
        path = [bytes.fromhex(each) for each in record["path"]]
        refusal = check_hand_seed(context, game.premise.root, record["hand"], bytes.fromhex(record["seed"]), path)
        if refusal is not None:
            return Fault("V6", "fairness.1.10.V6", refusal.expected, refusal.found)
    late = record["at"] - game.ended_at
    if record["hand"] == game.unrevealed and late > REVEAL_WITHIN_MS:
        return Fault("V14", "fairness.1.9", f"a reveal within {REVEAL_WITHIN_MS} ms of hand_ended", late)
    return None


def _root(game: Game, record: Record) -> Fault | None:
    if "root_seed" not in record:
        return None
    if game.root_seed is not None:
        known, found = game.root_seed.hex(), record["root_seed"]
        return None if found == known else Fault("V17", "fairness.1.10.V17", known, found)
    context = game.premise.context
    assert context is not None
    refusal = check_root_seed(context, game.premise.root, bytes.fromhex(record["root_seed"]))
    return Fault("V17", "fairness.1.10.V17", refusal.expected, refusal.found) if refusal else None


def _frame_fault(game: Game, body: Body, record: Record) -> Fault:
    kind = body["type"]
    found = body_of(record)
    clause_key = game.premise.rules.clause
    if record["type"] != kind:
        if kind == "revealed":
            return Fault("V14", "fairness.1.9", body, found)
        return Fault(kind, "events.order", body, found)
    odd = next((name for name in body if name not in found or body[name] != found[name]), "")
    if kind == "seated":
        return Fault("V9", "fairness.1.10.V9", body["order"], found.get("order"))
    if kind == "hand_started":
        codes = {"words": "V10", "rejects": "V10", "wall_root": "V11"}
        if odd in codes:
            return Fault(codes[odd], f"fairness.1.10.{codes[odd]}", body[odd], found.get(odd))
        return Fault("hand_started", clause_key("dealer.next"), body, found)
    if kind == "hand_ended":
        if odd == "scores":
            return Fault("hand_ended", clause_key("pay.scores"), body["scores"], found.get("scores"))
        over = ("next" in body) != ("next" in found)
        key = "modes.1" if over else clause_key("dealer.next")
        return Fault("hand_ended", key, body.get("next", "no next: the match ends"), found.get("next", "no next"))
    if kind == "revealed":
        return Fault("V6", "fairness.1.10.V6", body, found)
    if kind == "closed" and (odd == "root_seed" or ("root_seed" in found) != ("root_seed" in body)):
        return Fault("V17", "fairness.1.10.V17", body.get("root_seed", "none"), found.get("root_seed", "none"))
    return Fault(kind, "modes.1", body, found)


# --- before the first hand ---------------------------------------------------------------------------------------


def _entropy(game: Game, record: Record) -> Fault | None:
    """Judge what may come before the seats are known."""
    if record["type"] in {"seated", "hand_started"}:
        waiting = [seat for seat in game.commits if seat not in game.reveals]
        context = game.premise.context
        assert context is not None
        if context.beacon is not None and game.randomness is None:
            return Fault("V8", "fairness.1.4", {"beacon": context.beacon.round}, body_of(record))
        if context.beacon is None and waiting:
            return Fault("V7", "fairness.1.3", {"entropy of seats": waiting}, body_of(record))
        return _consequence(game, frame.due_seats(game), record)
    return Fault("V2", "fairness.1.10.V2", "committed, entropy, then the seats", body_of(record))


NOT_HERE: Final = Fault("", "", None, None)
"""An event that the general rule must judge."""


def _committed(game: Game, record: Record) -> Fault | None:
    return _share(game, record, "commit")


def _opened_entropy(game: Game, record: Record) -> Fault | None:
    return _share(game, record, "reveal")


def _share(game: Game, record: Record, name: str) -> Fault | None:
    context = game.premise.context
    if game.phase != "entropy" or context is None or game.randomness is not None:
        return Fault(
            "V2", "fairness.1.10.V2", "no entropy after the seats, the beacon or the first hand", body_of(record)
        )
    value = bytes.fromhex(record[name])
    test = check_commit if name == "commit" else check_reveal
    refusal: Refusal | None = test(context, game.commits, game.reveals, record["seat"], value)
    if refusal is None:
        return None
    code = "V7" if refusal.code == "commit_mismatch" else "V2"
    return Fault(code, f"fairness.1.10.{code}", refusal.expected, refusal.found)


def _beacon(game: Game, record: Record) -> Fault | None:
    context = game.premise.context
    if game.phase != "entropy" or context is None or game.randomness is not None:
        return Fault("V2", "fairness.1.10.V2", "one beacon, after the entropy", body_of(record))
    refusal = check_beacon(
        context,
        bytes.fromhex(record["chain"]),
        record["round"],
        bytes.fromhex(record["signature"]),
        bytes.fromhex(record["randomness"]),
        deadline=game.at,
    )
    return Fault("V8", "fairness.1.10.V8", refusal.expected, refusal.found) if refusal else None


def _closed(game: Game, record: Record) -> Fault | None:
    """Judge an end that nothing forces: a void epoch, or a match given up between two hands."""
    reason = record["reason"]
    if reason not in {"void_epoch", "abandoned"} or game.ending or game.unrevealed >= 0:
        return NOT_HERE
    context = game.premise.context
    if reason == "void_epoch" and (not frame.waiting(game) or context is None or context.beacon is not None):
        return Fault("closed", "fairness.1.3", "a void epoch: a reveal is missing and there is no beacon", reason)
    if frame.first_unused(game) >= 0:
        return Fault("V14", "fairness.1.9", {"revealed": frame.first_unused(game)}, body_of(record))
    if record["scores"] != game.scores:
        return Fault("closed", "modes.1", game.scores, record["scores"])
    if frame.narrow(game) and game.premise.open_seeds and "root_seed" not in record:
        return Fault("V17", "fairness.1.10.V17", "root_seed", "none")
    if "root_seed" in record and not (frame.narrow(game) and game.premise.open_seeds):
        return Fault("V17", "fairness.1.10.V17", "no root_seed", record["root_seed"])
    return _root(game, record)


def _first_unused(game: Game, record: Record) -> Fault | None:
    """Judge the first reveal of the unused hands of a game that is given up (paipu-fair/1w has no root seed)."""
    if game.ending or game.unrevealed >= 0 or record["hand"] != frame.first_unused(game):
        return NOT_HERE
    return reveal_fault(game, record)


EARLY: dict[str, Callable[[Game, Record], Fault | None]] = {
    "committed": _committed,
    "entropy": _opened_entropy,
    "beacon": _beacon,
    "closed": _closed,
    "revealed": _first_unused,
}


# --- interruptions -----------------------------------------------------------------------------------------------


def _presence(game: Game, record: Record) -> Fault | None:
    if record["seat"] >= game.players:
        return Fault("seat", "events.envelope", f"a seat of 0..{game.players - 1}", record["seat"])
    return None


def _voted(game: Game, record: Record) -> Fault | None:
    if game.premise.match.early_end is None or game.began_at < 0:
        return Fault("voted", "modes.1", "votes only with early_end, after the first hand_started", body_of(record))
    return _presence(game, record)


def _voided(game: Game, record: Record) -> Fault | None:
    if game.phase != "hand" or game.hand.phase == "ended":
        return Fault("voided", "modes.4", "a hand in play", body_of(record))
    if record["hand"] != game.hand_number:
        return Fault("voided", "modes.4", {"hand": game.hand_number}, {"hand": record["hand"]})
    return None


def _refused(game: Game, record: Record) -> Fault | None:
    """Judge an act that the server refused: it must have been unlawful (events.md, `refused`)."""
    tried = record["tried"]
    if tried.get("type") not in DECISIONS or tried.get("type") in ANY_TIME:
        return Fault("refused", "events.refused", "a decision of play", tried)
    if tried.get("seat") != record["seat"]:
        return Fault("refused", "events.refused", {"seat": tried.get("seat")}, {"seat": record["seat"]})
    whole = {**tried, "at": record["at"], "game": record["game"], "seq": record["seq"], "v": 1}
    try:
        check(canonical(whole), whole)
    except (EventError, TypeError):
        return None
    if judge(game, whole) is None:
        return Fault("refused", "events.refused", "an act that the rules forbid", tried)
    return None


INTERRUPTIONS: dict[str, Callable[[Game, Record], Fault | None]] = {
    "away": _presence,
    "back": _presence,
    "voted": _voted,
    "voided": _voided,
    "refused": _refused,
}

"""The frame of a game, the same for every family (spec `events.md`, Order).

    opened committed* entropy* [beacon] [seated] hand* revealed* closed

It knows the premise, the entropy, the seats, the seeds, the running scores, votes and the end of the match, and asks
the family for everything within a hand. State is private to the fold.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace

from engine.events import Body, Record
from engine.family import GIVEN, Family, Setting, due_in
from engine.game import Game
from engine.match import Hands, Minutes, Rounds
from engine.premise import Premise
from engine.shuffle import Commitment, Deal, Refusal, deal, mix, seat_order

REVEAL_WITHIN_MS = 60_000


def begin(
    premise: Premise,
    family: Family,
    *,
    at: int,
    seeds: Mapping[int, bytes] | None = None,
    commitment: Commitment | None = None,
    root_seed: bytes | None = None,
    wall_root: bool = True,
) -> Game:
    """Return the state right after `opened`."""
    known = dict(enumerate(commitment.seeds)) if commitment is not None else dict(seeds or {})
    game = Game(premise, family, known, commitment, root_seed, wall_root, at=at)
    game.scores = [premise.match.start_points] * game.players
    game.spot = family.first(premise.rules)
    game.first_dealer = game.spot["dealer"]
    if premise.context is None:
        game.order = premise.players
        game.phase = "next"
    return game


def snapshot(game: Game) -> Game:
    """Return a copy of the state that later steps do not touch; premise, seeds and family are shared."""
    return replace(
        game,
        commits=dict(game.commits),
        reveals=dict(game.reveals),
        scores=list(game.scores),
        votes=dict(game.votes),
        hand=deepcopy(game.hand),
    )


# --- what is due -------------------------------------------------------------------------------------------------


def due(game: Game) -> Body | None:
    """Return the one consequence that must come next, if any; what only the log can tell is GIVEN."""
    if game.phase == "hand":
        if game.hand.phase == "ended":
            return _due_hand_ended(game)
        if game.dissolved:
            return None  # the hand in play must be voided now (modes.md 1, early_end)
        return due_in(game.family, game.hand)
    return FRAME_DUE[game.phase](game)


def all_entropy(game: Game) -> bool:
    """Tell whether every seat of `opened` has committed and revealed."""
    seats = game.premise.entropy_seats
    return len(game.commits) == len(seats) and len(game.reveals) == len(seats)


def _due_entropy(game: Game) -> Body | None:
    context = game.premise.context
    assert context is not None
    if context.beacon is not None:
        # The beacon's own bytes come from outside; it ends the entropy, whoever is still absent (1.3).
        return due_seats(game) if game.randomness is not None else None
    return due_seats(game) if all_entropy(game) else None


def due_seats(game: Game) -> Body:
    """Return what follows the entropy: the seats, or the first hand where nobody draws for them."""
    if game.premise.match.seating == "as_opened":
        return _due_hand_started(game)
    order = drawn_order(game)
    return {"type": "seated", "order": list(order) if order is not None else GIVEN}


def drawn_order(game: Game) -> tuple[str, ...] | None:
    """Return the players by place, from the seat key of hand 0; None where its seed is not known."""
    context = game.premise.context
    assert context is not None
    seed = game.seeds.get(0)
    salt = game_salt(game)
    if seed is None or salt is None:
        return None
    players = game.premise.players
    order = tuple(players[place] for place in seat_order(context, salt, seed))
    if game.premise.match.first_dealer == "creator":
        at = order.index(players[0])
        order = order[at:] + order[:at]
    return order


def game_salt(game: Game) -> bytes | None:
    """Return the epoch's salt; None while the entropy does not yield one."""
    if game.salt is None and game.premise.context is not None:
        salt = mix(game.premise.context, game.premise.root, game.commits, game.reveals, game.randomness)
        if isinstance(salt, Refusal):
            return None
        if game.phase == "entropy":
            return salt  # not kept: more entropy may still come
        game.salt = salt
    return game.salt


def hand_deal(game: Game) -> Deal | None:
    """Return the deal of the hand that begins; None where its seed is not known."""
    context = game.premise.context
    seed = game.seeds.get(game.hand_number)
    salt = game_salt(game)
    if context is None or seed is None or salt is None:
        return None
    if game.phase == "entropy":
        return deal(context, salt, game.hand_number, seed)
    if game.shuffled is None or game.shuffled[0] != game.hand_number:
        game.shuffled = (game.hand_number, deal(context, salt, game.hand_number, seed))
    return game.shuffled[1]


def _due_hand_started(game: Game) -> Body:
    body: Body = {"type": "hand_started", "hand": game.hand_number, **told(game.spot)}
    if game.premise.context is not None:
        shuffled = hand_deal(game)
        body["words"] = shuffled.words if shuffled is not None else GIVEN
        body["rejects"] = shuffled.rejects if shuffled is not None else GIVEN
        rooted = shuffled is not None and game.with_wall_root
        body["wall_root"] = shuffled.wall_root.hex() if rooted and shuffled is not None else GIVEN
    return body


def _due_hand_ended(game: Game) -> Body:
    scores = list(game.scores)
    if not game.voided:
        scores = [score + paid for score, paid in zip(scores, game.hand.payments, strict=True)]
    body: Body = {"type": "hand_ended", "scores": scores}
    spot = next_spot(game)
    ending = ending_after(game, scores, spot)
    game.after = (game.seq, scores, spot, ending)
    if not ending:
        body["next"] = told(spot)
    return body


TOLD = ("dealer", "round_wind", "streak", "levels")


def told(spot: Body) -> Body:
    """Return what the log says of a hand's start; the rest of a spot carries over unsaid, derived anew by replay."""
    return {name: spot[name] for name in TOLD if name in spot}


def next_spot(game: Game) -> Body:
    """Return what the next hand starts with; a voided hand is dealt anew as it began."""
    if game.voided:
        return game.spot
    return game.family.succeed(game.premise.rules, game.spot, game.hand, game.first_dealer)


def passed_round(game: Game, spot: Body) -> bool:
    """Tell whether the deal comes to the first dealer's seat from another: a round is over (modes.md 1)."""
    return bool(spot["dealer"] == game.first_dealer and game.spot["dealer"] != game.first_dealer)


def ending_after(game: Game, scores: list[int], spot: Body) -> str:
    """Return the reason why no hand follows this one, "" where one does.

    Where several reasons meet, the first of: dissolved, bankrupt, match_end, max_hands. Whether the bell has gone
    (`minutes`) is judged by the `at` of the event before `hand_ended`, so that the hand's end follows from the log.
    """
    match = game.premise.match
    if game.dissolved:
        return "dissolved"
    if match.floor is not None and any(score < match.floor for score in scores) and not game.voided:
        return "bankrupt"
    length = match.length
    over = "over" in spot and not game.voided
    if isinstance(length, Rounds):
        over = over or (not game.voided and game.rounds + passed_round(game, spot) >= length.rounds)
    elif isinstance(length, Hands):
        over = over or game.settled_hands + (not game.voided) >= length.hands
    elif isinstance(length, Minutes):
        over = over or game.at >= game.began_at + length.minutes * 60_000
    if over:
        return "match_end"
    limit = game.premise.max_hands
    return "max_hands" if limit is not None and game.hand_number + 1 >= limit else ""


def _due_boundary(game: Game) -> Body | None:
    if game.unrevealed >= 0:
        return due_reveal(game, game.unrevealed)
    if game.ending:
        return _due_unused(game) if game.unused >= 0 else _due_closed(game)
    return _due_hand_started(game)


def due_reveal(game: Game, hand: int) -> Body:
    """Return the reveal of a hand's seed with its path."""
    if game.commitment is None:
        return {"type": "revealed", "hand": hand, "seed": GIVEN, "path": GIVEN}
    path = [each.hex() for each in game.commitment.path(hand)]
    return {"type": "revealed", "hand": hand, "seed": game.commitment.seeds[hand].hex(), "path": path}


def waiting(game: Game) -> list[int]:
    """Return the seats that committed and have not revealed while the entropy is still open."""
    if game.phase != "entropy":
        return []
    return [seat for seat in game.commits if seat not in game.reveals]


def first_unused(game: Game) -> int:
    """Return the first hand that `revealed` must still open before `closed` (paipu-fair/1w), -1 where none."""
    context = game.premise.context
    if context is None or context.protocol != "paipu-fair/1w" or not game.premise.open_seeds:
        return -1
    return game.hand_number if game.hand_number < context.max_hands else -1


def _due_unused(game: Game) -> Body:
    return due_reveal(game, game.unused)


def _due_closed(game: Game) -> Body:
    body: Body = {"type": "closed", "scores": list(game.scores), "reason": game.ending}
    if narrow(game) and game.premise.open_seeds:
        body["root_seed"] = game.root_seed.hex() if game.root_seed is not None else GIVEN
    return body


def narrow(game: Game) -> bool:
    """Tell whether the seeds hang on one root seed (paipu-fair/1, not 1w, not none)."""
    context = game.premise.context
    return context is not None and context.protocol == "paipu-fair/1"


def _due_nothing(game: Game) -> None:
    assert game.phase == "over"


FRAME_DUE: dict[str, Callable[[Game], Body | None]] = {
    "entropy": _due_entropy,
    "next": _due_hand_started,
    "boundary": _due_boundary,
    "voided": _due_hand_ended,
    "over": _due_nothing,
}


# --- steps -------------------------------------------------------------------------------------------------------


def step(game: Game, record: Record) -> None:
    """Apply an event that has no fault."""
    kind = record["type"]
    within = game.family.STEPS.get(kind)
    if within is not None:
        within(game.hand, record)
    else:
        FRAME_STEPS[kind](game, record)
    game.at = record["at"]
    game.seq += 1


def _step_committed(game: Game, record: Record) -> None:
    game.commits[record["seat"]] = bytes.fromhex(record["commit"])


def _step_entropy(game: Game, record: Record) -> None:
    game.reveals[record["seat"]] = bytes.fromhex(record["reveal"])


def _step_beacon(game: Game, record: Record) -> None:
    game.randomness = bytes.fromhex(record["randomness"])


def _step_seated(game: Game, record: Record) -> None:
    game.order = tuple(record["order"])
    game.phase = "next"


def _step_hand_started(game: Game, record: Record) -> None:
    if game.phase == "entropy":
        game.order = game.premise.players
    if game.began_at < 0:
        game.began_at = record["at"]
    game.voided = game.interrupted = False
    setting = Setting(game.players, game.scores, game.premise.match.start_points)
    game.hand = game.family.start(game.premise.rules, game.spot, hand_deal(game), setting)
    game.phase = "hand"


def _step_hand_ended(game: Game, record: Record) -> None:
    seq, scores, spot, ending = game.after
    if seq != game.seq or scores != record["scores"]:  # nobody has asked what is due
        spot = next_spot(game)
        ending = ending_after(game, record["scores"], spot)
    game.ending = ending
    if not game.voided:
        game.rounds += passed_round(game, spot)
        game.settled_hands += 1
    game.scores = list(record["scores"])
    game.spot = spot
    game.ended_at = record["at"]
    context = game.premise.context
    if context is not None and game.premise.open_seeds:
        game.unrevealed = game.hand_number
    game.hand_number += 1
    if game.ending:
        game.unused = first_unused(game)
    game.hand = None
    game.phase = "boundary"


def _step_revealed(game: Game, record: Record) -> None:
    if record["hand"] == game.unrevealed:
        game.unrevealed = -1
        return
    context = game.premise.context
    assert context is not None
    if not game.ending:
        game.ending = "void_epoch" if waiting(game) else "abandoned"
        game.phase = "boundary"
    game.unused = record["hand"] + 1 if record["hand"] + 1 < context.max_hands else -1


def _step_voided(game: Game, record: Record) -> None:
    assert record["hand"] == game.hand_number
    game.voided = True
    game.phase = "voided"


def _step_voted(game: Game, record: Record) -> None:
    game.votes[record["seat"]] = record["answer"]
    if not enough_votes(game) or game.dissolved:
        return
    game.dissolved = True
    if game.phase == "boundary" and not game.ending:
        game.ending = "dissolved"
        game.unused = first_unused(game)


def enough_votes(game: Game) -> bool:
    """Tell whether the seats have voted to dissolve (modes.md 1, early_end)."""
    yes = sum(answer == "yes" for answer in game.votes.values())
    rule = game.premise.match.early_end
    return yes == game.players if rule == "all" else rule == "majority" and 2 * yes > game.players


def _step_closed(game: Game, record: Record) -> None:
    game.ending = record["reason"]
    game.phase = "over"


def _step_presence(game: Game, record: Record) -> None:
    assert game.at <= record["at"]
    game.interrupted = True


def _step_nothing(game: Game, record: Record) -> None:
    assert game.at <= record["at"]


FRAME_STEPS = {
    "committed": _step_committed,
    "entropy": _step_entropy,
    "beacon": _step_beacon,
    "seated": _step_seated,
    "hand_started": _step_hand_started,
    "hand_ended": _step_hand_ended,
    "revealed": _step_revealed,
    "voided": _step_voided,
    "voted": _step_voted,
    "closed": _step_closed,
    "away": _step_presence,
    "back": _step_presence,
    "refused": _step_nothing,
}

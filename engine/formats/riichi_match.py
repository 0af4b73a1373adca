"""A whole riichi record checked: every hand followed, paid, and joined to the next, to the end of the match.

`check(record, scorer)` is pure; winning hands are valued by the scorer that the caller supplies. A hand's first fault
is its verdict: what comes after it in the hand is not judged. The next hand is then judged from its own start again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from engine.family import Fault
from engine.formats import riichi_pay
from engine.formats.riichi import HANCHAN, NO_OPEN_TANYAO, SEATS, START, THREE, RiichiHand, RiichiRecord
from engine.formats.riichi_end import Ending, Scorer, drawn_hand, wins
from engine.formats.riichi_hand import follow
from engine.formats.tenhou_wall import SeedError, Wall, seed_bytes, walls

GOAL = 30_000
EARLIER = "mt19937ar,"
"""The method of the first years; its seeds are words in hex."""
LONGEST_SKIP = 64
"""A record that begins later in its game: this many hands of the seed are tried for its first one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault at its tag or line; `hand` counts the record's hands from 0, -1: outside of all."""

    hand: int
    place: int
    fault: Fault


@dataclass(slots=True)
class Verdict:
    """What the check says. `unchecked`: hand (-1 the whole record), code, why."""

    findings: list[Finding] = field(default_factory=list)
    unchecked: list[tuple[int, str, str]] = field(default_factory=list)
    hands: int = 0
    draws: int = 0
    """Deals, draws, replacements and indicators compared with the wall, in tiles."""
    wins: int = 0
    drawn: int = 0

    @property
    def holds(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings


def check(record: RiichiRecord, scorer: Scorer | None = None) -> Verdict:
    """Check a record: problems of reading, then hand by hand, then the end."""
    verdict = Verdict()
    if record.type & THREE and len(record.names) == SEATS and not record.names[-1]:
        verdict.unchecked.append((-1, "seats", "a table of three: its deal and play are not computed"))
        return verdict
    for problem in record.problems:
        odd = Fault("schema", "riichi.schema", problem.why, problem.text)
        verdict.findings.append(Finding(_hand_at(record, problem.place), problem.place, odd))
    if record.type & THREE:
        verdict.findings.append(Finding(-1, 0, Fault("seats", "riichi.seats", "three players", "four players")))
        return verdict
    scores, deposits = [START] * 4, 0
    spot: tuple[int, int] | None = (0, 0)
    over = ""
    if record.hands and (record.hands[0].round or record.hands[0].honba) and not _begins(record):
        spot = None
        verdict.unchecked.append((-1, "scores", "the record begins in the middle of the game"))
    for number, (hand, wall) in enumerate(zip(record.hands, _walls(record, verdict), strict=False)):
        fault = _joined(hand, spot, scores, deposits, over)
        if fault is not None:
            verdict.findings.append(Finding(number, hand.place, fault))
        ending = _hand(record, number, wall=wall, scorer=scorer, verdict=verdict)
        scores, deposits = ending.scores, ending.deposits
        if ending.fault is not None:
            scores, deposits, spot, over = [], 0, None, ""  # the next hand is judged from its own start
            continue
        spot = next_spot(hand, ending)
        over = over_after(record, hand, ending) if hand.wins or hand.drawn is not None else ""
        fault = _handed_on(record, number, spot, over)
        if fault is not None:
            verdict.findings.append(Finding(number, hand.place, fault))
    _end(record, verdict, scores, deposits, over)
    return verdict


def _hand_at(record: RiichiRecord, place: int) -> int:
    return max((number for number, hand in enumerate(record.hands) if hand.place <= place), default=-1)


def _begins(record: RiichiRecord) -> bool:
    """Tell whether the published seed's first wall is that of the record's first hand: then a game begins there."""
    try:
        first = next(walls(seed_bytes(record.seed)))
    except SeedError:
        return False
    return first.dealt(record.hands[0].dealer) == [list(tiles) for tiles in record.hands[0].hands]


def _walls(record: RiichiRecord, verdict: Verdict) -> Iterator[Wall | None]:
    """Yield the wall of each hand; None where no seed says."""
    if not record.seed:
        verdict.unchecked.append((-1, "V9", "no published seed: deals and draws taken as given"))
        yield from [None] * len(record.hands)
        return
    try:
        seed = seed_bytes(record.seed)
    except SeedError as error:
        if record.seed.startswith(EARLIER):
            verdict.unchecked.append((-1, "V9", f"a seed of Tenhou's earlier kind is not computed: {error}"))
        else:
            verdict.findings.append(Finding(-1, 1, Fault("V9", "riichi.seed", "a seed of 2,496 bytes", str(error))))
        yield from [None] * len(record.hands)
        return
    skip = 0
    if record.hands and (record.hands[0].round or record.hands[0].honba):
        first = record.hands[0]
        candidates = islice(walls(seed), LONGEST_SKIP)
        fits = (number for number, wall in enumerate(candidates) if wall.dealt(first.dealer)[0] == list(first.hands[0]))
        skip = next(fits, 0)
    yield from islice(walls(seed), skip, skip + len(record.hands))


def _joined(
    hand: RiichiHand, spot: tuple[int, int] | None, scores: list[int], deposits: int, over: str
) -> Fault | None:
    """Compare a hand's start with the end of the one before."""
    if hand.dealer != hand.round % 4:
        return Fault("hand_started", "riichi.next", {"dealer": hand.round % 4}, {"dealer": hand.dealer})
    if spot is None:
        return None
    if over:
        return Fault("hand_started", "riichi.end", over, "another hand")
    if (hand.round, hand.honba) != spot:
        return Fault("hand_started", "riichi.next", {"round": spot[0], "honba": spot[1]},
                     {"round": hand.round, "honba": hand.honba})  # fmt: skip
    if hand.deposits != deposits:
        return Fault("hand_started", "riichi.next", {"deposits": deposits}, {"deposits": hand.deposits})
    if list(hand.scores) != scores:
        return Fault("scores", "riichi.scores", scores, list(hand.scores))
    return None


def _hand(record: RiichiRecord, number: int, *, wall: Wall | None, scorer: Scorer | None, verdict: Verdict) -> Ending:
    hand = record.hands[number]
    course = follow(hand, wall, reds=record.reds)
    verdict.hands += 1
    ending = Ending(list(course.scores), course.deposits)
    ending.fault, ending.fault_place = course.fault, course.fault_place
    if ending.fault is None:
        if wall is not None:
            verdict.draws += 52 + course.taken + len(course.dora)
        if hand.wins:
            wins(course, ending, scorer, open_tanyao=not record.type & NO_OPEN_TANYAO)
            verdict.wins += len(hand.wins)
            if ending.unscored:
                verdict.unchecked.append((number, "patterns", "no scorer: patterns and fu taken as given"))
        elif hand.drawn is not None:
            drawn_hand(course, ending, hand.drawn)
            verdict.drawn += 1
        elif number == len(record.hands) - 1:
            verdict.unchecked.append((number, "end", "the record is cut off within this hand"))
        else:
            ending.fault, ending.fault_place = Fault("order", "riichi.order", "an end of the hand", "none"), hand.place
    stated = hand.ended_scores
    if ending.fault is None and stated is not None and list(stated) != ending.scores:
        ending.fault, ending.fault_place = Fault("scores", "riichi.scores", ending.scores, list(stated)), hand.place
    if ending.fault is not None:
        verdict.findings.append(Finding(number, ending.fault_place, ending.fault))
    return ending


def next_spot(hand: RiichiHand, ending: Ending) -> tuple[int, int]:
    """Return round and honba of the hand that follows."""
    if ending.dealer_stays:
        return hand.round, hand.honba + 1
    return hand.round + 1, hand.honba + 1 if ending.counters_grow else 0


def _handed_on(record: RiichiRecord, number: int, spot: tuple[int, int], over: str) -> Fault | None:
    """Compare what a format says right after a hand of the next one."""
    hand = record.hands[number]
    if hand.ended_scores is None:
        return None
    due = {"dealer": spot[0] % 4, "round_wind": "ESWN"[spot[0] // 4 % 4], "streak": spot[1]}
    last = number == len(record.hands) - 1
    if hand.next is None and last:
        return None
    if over or hand.next != due:
        return Fault("hand_ended", "riichi.next", over or due, hand.next)
    return None


def over_after(record: RiichiRecord, hand: RiichiHand, ending: Ending) -> str:
    """Return why the match ends here, "" where it goes on."""
    last = 7 if record.type & HANCHAN else 3
    scores = ending.scores
    if min(scores) < 0:
        return "over: a seat below zero"
    if hand.round < last:
        return ""
    best = riichi_pay.ranking(scores)[0]
    reached = scores[best] >= GOAL
    if ending.dealer_stays:
        return "over: the last dealer leads" if reached and ending.by_ready and best == hand.dealer else ""
    if hand.round >= last + 4:
        return "over: the last round is played"
    return "over: the last round is played and somebody has reached 30,000" if reached else ""


def _end(record: RiichiRecord, verdict: Verdict, scores: list[int], deposits: int, over: str) -> None:
    if not record.hands:
        verdict.unchecked.append((-1, "end", "the record has no hand"))
        return
    number = len(record.hands) - 1
    last = record.hands[-1]
    if not scores:
        return  # the last hand has a fault of its own
    place = last.wins[-1].place if last.wins else last.place if last.drawn is None else last.drawn.place

    def no(code: str, expected: object, found: object) -> None:
        verdict.findings.append(Finding(number, place, Fault(code, "riichi.end", expected, found)))

    if record.ended is None:
        if not over:
            verdict.unchecked.append((-1, "end", "the format does not say whether the game is over"))
        return
    if not record.ended:
        if over:
            no("end", over, "no end of the game")
        elif last.wins or last.drawn is not None:
            verdict.unchecked.append((-1, "end", "the record is cut off: the game goes on after its last hand"))
        return
    if not over:
        no("end", "the game goes on", "its end")
        return
    final = list(scores)
    final[riichi_pay.ranking(scores)[0]] += 1000 * deposits
    if record.final is not None and list(record.final) != final:
        no("final", final, list(record.final))
        return
    if record.results is None:
        return
    rounded, exact = riichi_pay.results(final), riichi_pay.exact_results(final)
    if list(record.results) in (rounded, exact):
        return
    if record.lobby not in {None, "0"}:
        verdict.unchecked.append((-1, "results", "a private lobby may give other bonuses for the places"))
        return
    no("results", rounded, list(record.results))

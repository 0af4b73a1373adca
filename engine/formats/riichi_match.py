"""A whole riichi record checked: every hand followed, paid, and joined to the next, to the end of the match.

`check(record, scorer)` is pure; winning hands are valued by the scorer that the caller supplies. A hand's first fault
is its verdict: what comes after it in the hand is not judged. The next hand is then judged from its own start again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.family import Fault
from engine.formats import riichi_pay
from engine.formats.riichi import HANCHAN, NO_OPEN_TANYAO, STARTS, THREE, RiichiHand, RiichiRecord
from engine.formats.riichi_end import Ending, Scorer, drawn_hand, wins
from engine.formats.riichi_hand import follow
from engine.formats.riichi_state import Course
from engine.formats.riichi_walls import begins, record_walls, seeded
from engine.formats.tenhou_wall import SeedError, Wall

KNOWN_BITS = 0xFF
"""Of `GO type`: what is above is no rule that this check knows."""


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


@dataclass(slots=True)
class Judged:
    """What one hand says of itself: its end, the tiles compared with the wall, what was not checked (code, why)."""

    ending: Ending
    followed: bool = True
    """Without a fault up to its end."""
    draws: int = 0
    unchecked: list[tuple[str, str]] = field(default_factory=list)


def check(record: RiichiRecord, scorer: Scorer | None = None) -> Verdict:
    """Check a record: problems of reading, then hand by hand, then how each hand follows from the one before."""
    verdict = Verdict()
    if record.type & THREE and record.seats != 3:
        verdict.findings.append(Finding(-1, 0, Fault("seats", "riichi.seats", "three players", "four players")))
        return _with_problems(record, verdict)
    walls = list(_walls(record, verdict))
    hands = [judge_hand(record, number, wall, scorer) for number, wall in enumerate(walls)]
    return join(record, hands, verdict)


def join(record: RiichiRecord, hands: Sequence[Judged], verdict: Verdict) -> Verdict:
    """Join the verdicts of a record's hands: scores, rounds and counters carried on, to the end of the match."""
    _with_problems(record, verdict)
    if record.type > KNOWN_BITS:
        unknown = record.type & ~KNOWN_BITS
        verdict.unchecked.append((-1, "rules", f"GO type has bits that are not known: {unknown:#x}"))
    if "chips" in record.about:
        verdict.unchecked.append((-1, "chips", "chips at the end: no hand of the log accounts for them"))
    scores, deposits = [STARTS[record.seats]] * record.seats, 0
    spot: tuple[int, int] | None = (0, 0)
    over = ""
    if record.hands and (record.hands[0].round or record.hands[0].honba) and not _begins(record):
        spot = None
        verdict.unchecked.append((-1, "scores", "the record begins in the middle of the game"))
    elif record.hands and private(record) and list(record.hands[0].scores) != scores:
        scores = list(record.hands[0].scores)
        verdict.unchecked.append((-1, "start", "a private lobby may give other points to begin with"))
    for number, (hand, judged) in enumerate(zip(record.hands, hands, strict=True)):
        fault = _joined(hand, spot, scores, deposits, over)
        if fault is not None:
            verdict.findings.append(Finding(number, hand.place, fault))
        ending = judged.ending
        _count(verdict, number, hand, judged)
        scores, deposits = ending.scores, ending.deposits
        if ending.fault is not None:
            scores, deposits, spot, over = [], 0, None, ""  # the next hand is judged from its own start
            continue
        spot = next_spot(hand, ending)
        ends = (hand.wins or hand.drawn is not None) and not private(record)
        over = over_after(record, hand, ending) if ends else ""
        fault = _handed_on(record, number, spot, over)
        if fault is not None:
            verdict.findings.append(Finding(number, hand.place, fault))
    _end(record, verdict, scores, deposits, over)
    return verdict


def _with_problems(record: RiichiRecord, verdict: Verdict) -> Verdict:
    for problem in record.problems:
        odd = Fault("schema", "riichi.schema", problem.why, problem.text)
        verdict.findings.append(Finding(_hand_at(record, problem.place), problem.place, odd))
    return verdict


def _count(verdict: Verdict, number: int, hand: RiichiHand, judged: Judged) -> None:
    verdict.hands += 1
    verdict.draws += judged.draws
    if judged.followed:
        verdict.wins += len(hand.wins)
        verdict.drawn += hand.drawn is not None and not hand.wins
    verdict.unchecked += [(number, code, why) for code, why in judged.unchecked]
    if judged.ending.fault is not None:
        verdict.findings.append(Finding(number, judged.ending.fault_place, judged.ending.fault))


def _hand_at(record: RiichiRecord, place: int) -> int:
    return max((number for number, hand in enumerate(record.hands) if hand.place <= place), default=-1)


def _begins(record: RiichiRecord) -> bool:
    try:
        return begins(record)
    except SeedError:
        return False


def private(record: RiichiRecord) -> bool:
    """Tell whether the table stood in a lobby of its own, with rules that the log does not tell."""
    return record.lobby not in {None, "0"}


def _walls(record: RiichiRecord, verdict: Verdict) -> Iterator[Wall | None]:
    """Yield the wall of each hand; None where no seed says."""
    found = 0
    if not seeded(record):
        verdict.unchecked.append((-1, "V9", "no published seed: deals and draws taken as given"))
    else:
        try:
            for wall in record_walls(record):
                found += 1
                yield wall
        except SeedError as error:
            hand, place = (-1, 1) if record.seed else (found, record.hands[found].place)
            odd = Fault("V9", "riichi.seed", "a seed of a known kind", str(error))
            verdict.findings.append(Finding(hand, place, odd))
    yield from [None] * (len(record.hands) - found)


def _joined(
    hand: RiichiHand, spot: tuple[int, int] | None, scores: list[int], deposits: int, over: str
) -> Fault | None:
    """Compare a hand's start with the end of the one before."""
    if hand.dealer >= len(hand.scores) or hand.dealer != hand.round % 4:
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


def judge_hand(record: RiichiRecord, number: int, wall: Wall | None, scorer: Scorer | None) -> Judged:
    """Judge one hand of a record by itself, against its wall where that is known."""
    return judge_end(record, number, follow(record.hands[number], wall, reds=record.reds), scorer)


def judge_end(record: RiichiRecord, number: int, course: Course, scorer: Scorer | None) -> Judged:
    """Judge the end of a hand that was followed."""
    hand = course.hand
    ending = Ending(list(course.scores), course.deposits)
    ending.fault, ending.fault_place = course.fault, course.fault_place
    found = Judged(ending, followed=course.fault is None)
    if ending.fault is None:
        if course.wall is not None:
            found.draws = 13 * record.seats + course.taken + len(course.dora)
        if hand.wins:
            wins(course, ending, scorer, open_tanyao=not record.type & NO_OPEN_TANYAO)
            if ending.unscored:
                found.unchecked.append(("patterns", "no scorer: patterns and fu taken as given"))
            if ending.by_north:
                why = "whether a north set aside ends one-shot and the first go-around is not published: as recorded"
                found.unchecked.append(("patterns", why))
        elif hand.drawn is not None:
            drawn_hand(course, ending, hand.drawn)
        elif number == len(record.hands) - 1:
            found.unchecked.append(("end", "the record is cut off within this hand"))
        else:
            ending.fault, ending.fault_place = Fault("order", "riichi.order", "an end of the hand", "none"), hand.place
    stated = hand.ended_scores
    if ending.fault is None and stated is not None and list(stated) != ending.scores:
        ending.fault, ending.fault_place = Fault("scores", "riichi.scores", ending.scores, list(stated)), hand.place
    return found


def next_spot(hand: RiichiHand, ending: Ending) -> tuple[int, int]:
    """Return round and honba of the hand that follows. Rounds are numbered in fours with three players too."""
    if ending.dealer_stays:
        return hand.round, hand.honba + 1
    following = hand.round + 1 + (hand.round % 4 + 1 == len(hand.scores) == 3)
    return following, hand.honba + 1 if ending.counters_grow else 0


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
    last = (4 if record.type & HANCHAN else 0) + record.seats - 1
    scores, goal = ending.scores, riichi_pay.GOALS[record.seats]
    if min(scores) < 0:
        return "over: a seat below zero"
    if hand.round < last:
        return ""
    best = riichi_pay.ranking(scores)[0]
    reached = scores[best] >= goal
    if ending.dealer_stays:
        return "over: the last dealer leads" if reached and ending.by_ready and best == hand.dealer else ""
    if hand.round >= last + 4:
        return "over: the last round is played"
    return f"over: the last round is played and somebody has reached {goal:,}" if reached else ""


def _end(record: RiichiRecord, verdict: Verdict, scores: list[int], deposits: int, over: str) -> None:
    if not record.hands:
        verdict.unchecked.append((-1, "end", "the record has no hand"))
        return
    number = len(record.hands) - 1
    last = record.hands[-1]
    if not scores:
        return  # the last hand has a fault of its own
    place = last.wins[-1].place if last.wins else last.place if last.drawn is None else last.drawn.place

    def report(code: str, expected: object, found: object) -> None:
        if private(record) and code != "final":
            verdict.unchecked.append((-1, code, "a private lobby may end the game, and count its places, otherwise"))
            return
        verdict.findings.append(Finding(number, place, Fault(code, "riichi.end", expected, found)))

    if record.ended is None:
        if not over:
            verdict.unchecked.append((-1, "end", "the format does not say whether the game is over"))
        return
    if not record.ended:
        if over:
            report("end", over, "no end of the game")
        elif last.wins or last.drawn is not None:
            verdict.unchecked.append((-1, "end", "the record is cut off: the game goes on after its last hand"))
        return
    if not over:
        report("end", "the game goes on", "its end")
        return
    final = list(scores)
    final[riichi_pay.ranking(scores)[0]] += 1000 * deposits
    if record.final is not None and list(record.final) != final:
        report("final", final, list(record.final))
        return
    if record.results is None:
        return
    rounded, exact = riichi_pay.results(final), riichi_pay.exact_results(final)
    if list(record.results) in (rounded, exact):
        return
    report("results", rounded, list(record.results))

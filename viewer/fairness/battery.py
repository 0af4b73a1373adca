"""The battery over what was gathered: rows, exact faults, seed attack, alarms, power, and the verdict.

The verdict never says "fair": no departure found, departure found, inconclusive, or not checkable, each with its
reasons.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib.metadata import version

from viewer.estimate import betting, contrasts, dice, family, openings, power
from viewer.estimate import walls as wall_rows
from viewer.estimate.statistic import Row
from viewer.fairness.gather import Gathering, Tally
from viewer.fairness.plan import Plan
from viewer.fairness.profiles import PROFILES
from viewer.fairness.seeds import Search, search

FORMAT = 1
REPEATED = {
    "walls": ("repeated_wall", "one wall dealt several times"),
    "heads": ("repeated_deal", "the same tiles dealt in the same order several times"),
    "values": ("repeated_value", "a value that may occur once stands several times"),
}
EVEN = "; more even than chance: curated or de-duplicated?"
EXACT = frozenset({"T0", "T14"})
PLACES = ("dealer", *(f"{place} after the dealer" for place in range(1, 10)))


@dataclass(slots=True)
class DeckResult:
    """The rows of one deck."""

    tally: Tally
    rows: list[Row]
    search: Search | None
    alarms: list[betting.Alarm]
    questions: list[power.Question]
    faults: list[power.Fault]
    too_even: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the deck's result as an object."""
        tally, deck = self.tally, self.tally.deck
        return {
            "deck": {
                "n": deck.n,
                "kinds": len(deck.names),
                "family": deck.family,
                "copies": deck.copies,
                "layout": deck.layout.name if deck.layout else "",
                "digest": deck.digest,
            },
            "hands": tally.hands,
            "walls": tally.walls,
            "tables": len(tally.tables),
            "summary": tally.counts.summary().digest(),
            "rows": [row.as_json() for row in self.rows],
            "T14": self.search.as_json() if self.search else None,
            "T15": [each.as_json() for each in self.alarms],
            "power": [each.as_json() for each in self.questions],
            "shufflers": [each.as_json() for each in self.faults],
        }


@dataclass(slots=True)
class Result:
    """The whole result. `completeness`: holds, failed or not_checkable, with the reason."""

    targets: tuple[str, ...]
    plan: Plan
    registered: bool
    why_exploratory: str
    completeness: str
    why_completeness: str
    games: int
    decks: list[DeckResult]
    findings: list[dict[str, str]] = field(default_factory=list)
    reviews: list[dict[str, str]] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    too_few: list[str] = field(default_factory=list)
    """Rows without enough deals, or without what they need."""
    exact: dict[str, int] = field(default_factory=dict)
    """T0: how many values were compared, by sort."""

    @property
    def verdict(self) -> str:
        """Return the verdict in words; never more than was checked.

        With games missing, statistics say nothing; an exact fault is one all the same.
        """
        if self.completeness == "failed":
            return "departure found" if any(each["row"] in EXACT for each in self.findings) else "inconclusive"
        if self.findings:
            return "departure found"
        tested = any(row.statistics for deck in self.decks for row in deck.rows)
        if not tested and not any(self.exact.values()):
            return "not checkable"
        return "no departure found"

    @property
    def exit(self) -> int:
        """Return the exit code: 1 with findings or missing games."""
        return 1 if self.findings or self.completeness == "failed" else 0

    def as_json(self) -> dict[str, object]:
        """Return the object that `fairness --json` prints."""
        plan = self.plan
        return {
            "format": FORMAT,
            "paipu": version("paipu"),
            "targets": list(self.targets),
            "verdict": self.verdict,
            "exit": self.exit,
            "plan": {name: getattr(plan, name) for name in plan.__slots__} | {"tests": list(plan.tests)},
            "plan_sha256": plan.digest(),
            "registered": self.registered,
            "why_exploratory": self.why_exploratory,
            "profile": PROFILES[plan.profile].as_json(),
            "completeness": {"status": self.completeness, "why": self.why_completeness},
            "games": self.games,
            "T0": {"compared": self.exact},
            "decks": [deck.as_json() for deck in self.decks],
            "findings": self.findings,
            "reviews": self.reviews,
            "notes": self.notes,
            "not_checkable": [*self.unchecked, *self.too_few],
        }


def judge(
    gathered: Gathering,
    plan: Plan,
    *,
    targets: tuple[str, ...],
    registered: bool,
    completeness: tuple[str, str],
    executor: Executor | None = None,
) -> Result:
    """Run the battery. `registered`: the plan was handed in; whether it is the sample's, is judged here."""
    status, why = completeness
    if gathered.gaps and status != "failed":
        status, why = "failed", f"hands are missing: {gathered.gaps[0]}"
    decks = [_deck(tally, plan, executor) for tally in gathered.tallies.values()]
    hands = sum(tally.hands for tally in gathered.tallies.values())
    exploratory = "" if registered else "no plan was registered before (--plan)"
    if registered and plan.deals and plan.deals != hands:
        exploratory = f"the plan names {plan.deals} deals, these are {hands}"
    result = Result(targets, plan, not exploratory, exploratory, status, why, gathered.games, decks)
    _exact(result, gathered)
    family.adjust(row for deck in decks for row in deck.rows)
    for deck in decks:
        _found(result, deck)
    result.unchecked += [f"{why} ({count} games)" for why, count in sorted(gathered.unchecked.items())]
    return result


def _deck(tally: Tally, plan: Plan, executor: Executor | None) -> DeckResult:
    deck = tally.deck
    rows = wall_rows.rows(tally.counts, deck.kinds, ids=deck.copies)
    rows.append(openings.row(tally.openings, deck.groups, PLACES))
    rows.append(dice.row(tally.dice))
    chosen = max(tally.contrasts.values(), key=lambda each: each.hands, default=None)
    if plan.chosen("T13"):
        rows.append(contrasts.row(chosen, plan.seed))
    rows = [row for row in rows if plan.chosen(row.id)]
    found = None
    if plan.chosen("T14") and tally.samples and deck.copies:
        found = search(
            tally.samples[: plan.seed_walls],
            seconds=plan.seed_seconds,
            milliseconds=plan.seed_ms,
            small=plan.seed_below,
            executor=executor,
        )
    alarms = _alarms(tally) if plan.chosen("T15") else []
    questions = power.questions(
        deck.kinds,
        deck.groups,
        walls=tally.walls,
        hands=tally.hands,
        alpha=plan.alpha,
        size=len(deck.layout.hands[0]) if deck.layout else 14,
        dice=tally.dice.dice,
    )
    faults = power.faults(deck.kinds, tally.walls, plan.alpha) if tally.walls else []
    return DeckResult(tally, rows, found, alarms, questions, faults)


def _alarms(tally: Tally) -> list[betting.Alarm]:
    streams: list[betting.Categories | betting.Rate] = []
    if tally.faces.n:
        streams.append(tally.faces)
    streams += tally.wilds.values()
    streams += tally.seats.values()
    if tally.voids.n:
        streams.append(tally.voids)
    alarms = [betting.alarm(stream) for stream in streams]
    if alarms:
        mean = betting.average(streams)
        n = max(alarm.n for alarm in alarms)
        alarms.append(betting.Alarm("mean of all streams", n, mean, mean, betting.level_of(mean)))
    return alarms


def _exact(result: Result, gathered: Gathering) -> None:
    """T0: what stands twice, walls that are not the deck, openings that are not the wall."""
    if not result.plan.chosen("T0"):
        return
    for name, (code, what) in REPEATED.items():
        spool = getattr(gathered, name)
        result.exact[name] = spool.count
        total, repeated = spool.repeated()
        for each in repeated:
            where = ", ".join(each.places) + (" …" if each.count > len(each.places) else "")
            result.findings.append({"row": "T0", "code": code, "where": where, "what": f"{what} ({each.count} times)"})
        if total > len(repeated):
            rest = f"{total - len(repeated)} more"
            result.findings.append({"row": "T0", "code": code, "where": rest, "what": what})
    result.findings += [{"row": "T0", **fault.as_json()} for fault in gathered.faults]
    for code, count in gathered.fault_counts.items():
        kept = sum(fault.code == code for fault in gathered.faults)
        if count > kept:
            result.findings.append({"row": "T0", "code": code, "where": f"{count - kept} more", "what": code})


def _found(result: Result, deck: DeckResult) -> None:
    plan = result.plan
    where = f"deck of {deck.tally.deck.n}"
    even = family.too_even(deck.rows)
    found = [] if PROFILES[plan.profile].review_only else family.rejected(deck.rows, plan.alpha)
    for row in found:
        least = min(row.statistics, key=lambda each: each.p)
        code, said = ("too_even", EVEN) if row in even else ("departure", "")
        what = f"{row.name}: {least.name}, p {least.p:.3g}, Holm {row.holm:.3g}{said}"
        result.findings.append({"row": row.id, "code": code, "where": where, "what": what})
    for row in deck.rows:
        if row in found or row.q is None:
            continue
        if row in even:
            what = f"{row.name}: {row.statistics[0].low:.3g} as even or more{EVEN}"
            result.reviews.append({"row": row.id, "code": "too_even", "where": where, "what": what})
        elif row.q <= family.REVIEW_Q:
            what = f"{row.name}: q {row.q:.3g}"
            result.reviews.append({"row": row.id, "code": "review", "where": where, "what": what})
    if deck.search is not None:
        result.findings += [
            {"row": "T14", "code": "seed_found", "where": hit.sample,
             "what": f"{hit.generator}, {hit.draw}, {hit.direction}: seed {hit.seed} ({hit.meaning})"}
            for hit in deck.search.hits
        ]  # fmt: skip
    for alarm in deck.alarms:
        entry = {
            "row": "T15",
            "code": f"e_{alarm.level}",
            "where": where,
            "what": f"{alarm.name}: e {alarm.highest:.3g}",
        }
        if alarm.level == "page":
            result.findings.append(entry)
        elif alarm.level == "review":
            result.reviews.append(entry)
    result.too_few += [f"{row.id} {row.name} ({where}): {row.why}" for row in deck.rows if not row.statistics]
    _lacking(result, deck, where)


def _lacking(result: Result, deck: DeckResult, where: str) -> None:
    """Say what of T13 to T15 there was nothing for."""
    plan, tally = result.plan, deck.tally
    if plan.chosen("T14") and deck.search is None:
        why = "no wall is known" if not tally.samples else "the log does not tell the copies of a kind apart"
        result.unchecked.append(f"T14 seed attack ({where}): {why}")
    elif deck.search is not None and all(sample.at is None for sample in tally.samples[: plan.seed_walls]):
        result.unchecked.append(f"T14 time seeds ({where}): the log has no times")
    if tally.walls < tally.hands:
        result.unchecked.append(
            f"walls of {tally.hands - tally.walls} of {tally.hands} hands ({where}): not in the log"
        )


def as_rows(decks: Sequence[DeckResult]) -> list[Row]:
    """Return the rows of all decks."""
    return [row for deck in decks for row in deck.rows]

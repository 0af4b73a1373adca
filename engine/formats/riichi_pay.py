"""What riichi hands pay, in integers: base points, wins with counters, deposits and liability, draws (Tenhou's rules).

A win's `points` are what the winner gets for the hand itself, as Tenhou writes them: a discard's whole value, or the
sum of what the others pay for a self-draw. Every list of deltas with the deposits that were on the table sums to zero.
"""

from dataclasses import dataclass

SEATS = 4
DEPOSIT = 1000
LIABLE_YAKUMAN = frozenset({39, 49})
"""Big three dragons and big four winds: whoever fed the last of their pungs is liable."""
YAKUMAN_BASE = 8000
GOALS = {3: 40_000, 4: 30_000}
"""What the leader of the last round needs, by the number of players: results count from it."""
PLACES = {3: (0, -20), 4: (10, -10, -20)}
"""What the places after the first count; the first gets the rest."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a hand is worth: base points and Tenhou's limit word (0 none, 1 mangan … 5 yakuman)."""

    base: int
    limit: int


@dataclass(frozen=True, slots=True)
class Payer:
    """Who wins from whom with which counters. `source` is the winner himself with a self-draw."""

    seat: int
    source: int
    dealer: int
    honba: int
    deposits: int
    liable: int | None = None
    liable_base: int = 0
    """The base points of the yakuman that somebody is liable for."""
    seats: int = SEATS


def value(han: int, fu: int, yakuman: int = 0) -> Value:
    """Return the value of so many han and fu, or of so many yakuman. 13 han count as a yakuman; no rounding up."""
    if yakuman:
        return Value(YAKUMAN_BASE * yakuman, 5)
    for least, base, limit in ((13, YAKUMAN_BASE, 5), (11, 6000, 4), (8, 4000, 3), (6, 3000, 2), (5, 2000, 1)):
        if han >= least:
            return Value(base, limit)
    base = fu << (2 + han)
    return Value(2000, 1) if base >= 2000 else Value(base, 0)


def hundreds(points: int) -> int:
    """Round up to whole hundreds."""
    return -(-points // 100) * 100


def shares(base: int, seat: int, dealer: int, seats: int = SEATS) -> list[int]:
    """Return what each seat pays for a self-draw of this base, the winner 0; the share of a fourth seat lacks."""
    return [
        0 if payer == seat else hundreds(base * (2 if dealer in {seat, payer} else 1)) for payer in range(seats)
    ]  # fmt: skip


def discard_value(base: int, seat: int, dealer: int) -> int:
    """Return what a discard pays for this base."""
    return hundreds(base * (6 if seat == dealer else 4))


def worth(base: int, who: Payer) -> int:
    """Return the hand's points, without counters and deposits."""
    if who.source != who.seat:
        return discard_value(base, who.seat, who.dealer)
    return sum(shares(base, who.seat, who.dealer, who.seats))


def won(base: int, who: Payer) -> list[int]:
    """Return each seat's change by a win, counters (100 of each other seat) and deposits included.

    Liability covers its own yakuman alone: a self-draw is paid by the liable seat as if it had discarded, a discard
    is shared half and half; the counters are then the liable seat's.
    """
    seats = range(who.seats)
    changes = [0] * who.seats
    counters = 100 * who.honba * (who.seats - 1)
    rest = base - who.liable_base
    liable = who.liable if who.liable is not None and who.liable_base and who.liable != who.seat else None
    if who.source == who.seat:
        for payer, share in enumerate(shares(rest, who.seat, who.dealer, who.seats) if rest else [0] * who.seats):
            changes[payer] -= share
        if liable is None:
            for payer in seats:
                changes[payer] -= 100 * who.honba * (payer != who.seat)
        else:
            changes[liable] -= discard_value(who.liable_base, who.seat, who.dealer) + counters
    elif liable is None or liable == who.source:
        changes[who.source] -= discard_value(base, who.seat, who.dealer) + counters
    else:
        half = discard_value(who.liable_base, who.seat, who.dealer) // 2
        changes[liable] -= half + counters
        changes[who.source] -= half + (discard_value(rest, who.seat, who.dealer) if rest else 0)
    changes[who.seat] -= sum(changes)
    changes[who.seat] += DEPOSIT * who.deposits
    return changes


def exhausted(ready: set[int], seats: int = SEATS) -> list[int]:
    """Return each seat's change where the wall runs out: 3,000 points (three players: 2,000) go to those ready."""
    count = len(ready)
    if count in {0, seats}:
        return [0] * seats
    pot = 1000 * (seats - 1)
    return [pot // count if seat in ready else -pot // (seats - count) for seat in range(seats)]


def nagashi(clean: list[int], dealer: int, seats: int = SEATS) -> list[int]:
    """Return each seat's change where these seats discarded terminals and honours only: a mangan self-draw each."""
    changes = [0] * seats
    for seat in clean:
        paid = shares(2000, seat, dealer, seats)
        for payer in range(seats):
            changes[payer] -= paid[payer]
        changes[seat] += sum(paid)
    return changes


def results(final: list[int]) -> list[int]:
    """Return the placing results in tenths from the final scores: (score - 30,000) / 1,000 plus 10, -10, -20.

    Rounded to whole points, halves up; the first gets what is left to zero. Equal scores stand in order of seat.
    Three players: from 40,000, plus 0, -20.
    """
    order = ranking(final)
    found = [0] * len(final)
    for place, seat in enumerate(order[1:]):
        found[seat] = 10 * ((final[seat] - GOALS[len(final)] + 500) // 1000 + PLACES[len(final)][place])
    found[order[0]] = -sum(found)
    return found


def exact_results(final: list[int]) -> list[int]:
    """Return the same without rounding, in tenths."""
    order = ranking(final)
    found = [0] * len(final)
    for place, seat in enumerate(order[1:]):
        found[seat] = (final[seat] - GOALS[len(final)]) // 100 + 10 * PLACES[len(final)][place]
    found[order[0]] = -sum(found)
    return found


def ranking(scores: list[int]) -> list[int]:
    """Return the seats, the best first; of equals the one who began nearer to the east."""
    return sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))

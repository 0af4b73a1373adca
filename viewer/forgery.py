"""A forgery to show what an audit is for: a settlement that pays one point too much, everything after made to fit.

Every hash, chain and signature of the forged ledger is right, since its owner signs whatever he likes; only the replay
can tell, and it names the event and the clause.
"""

from collections.abc import Sequence

from engine.events import canonical, load


def overpaid(lines: Sequence[bytes]) -> list[bytes]:
    """Return a game whose first paid settlement moves one point more, with all later scores made to fit.

    A game without a payment comes back unchanged.
    """
    found: list[bytes] = []
    shift: list[int] = []
    for line in lines:
        record = load(line)
        if record["type"] == "settled" and not shift and record["lines"]:
            row = record["lines"][0]
            row["amount"] += 1
            shift = [0] * len(record["payments"])
            shift[row["from"]] -= 1
            shift[row["to"]] += 1
            record["payments"] = _moved(record["payments"], shift)
        elif shift and "scores" in record:
            record["scores"] = _moved(record["scores"], shift)
        found.append(canonical(record))
    return found


def _moved(amounts: Sequence[int], shift: Sequence[int]) -> list[int]:
    return [amount + step for amount, step in zip(amounts, shift, strict=True)]

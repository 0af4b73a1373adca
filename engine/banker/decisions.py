"""What a seat may choose in a hand of Niuniu: bids, bets, escapes. Legality has one source here.

`bid_fault`, `bet_fault` and `escape_fault` return the clause key that forbids an act, "" where it is lawful.
"""

from engine.banker.state import Hand
from engine.events import Body, Record, body_of
from engine.family import Fault


def waiting(hand: Hand) -> list[int]:
    """Return the seats that are asked now: for a bid (in turn with `asked`), or for a bet."""
    if hand.phase == "bid":
        if hand.rules.banker == "asked":
            return [(hand.dealer + len(hand.bids)) % hand.players]
        return [seat for seat in range(hand.players) if seat not in hand.bids]
    if hand.phase == "bet":
        return [seat for seat in range(hand.players) if seat != hand.banker and seat not in hand.bets]
    return []


def awaits(hand: Hand, seat: int) -> bool:
    """Tell whether this seat is among those that `waiting` gives."""
    if not 0 <= seat < hand.players:
        return False
    if hand.phase == "bid":
        return (
            seat == (hand.dealer + len(hand.bids)) % hand.players
            if hand.rules.banker == "asked"
            else (seat not in hand.bids)
        )
    return hand.phase == "bet" and seat != hand.banker and seat not in hand.bets


def highest_bid(hand: Hand) -> int:
    """Return the highest bid of the mode: 1 takes the bank where seats are asked in turn."""
    return 1 if hand.rules.banker == "asked" else hand.rules.max_bid


def bid_fault(hand: Hand, seat: int, bid: int) -> str:
    """Return why this bid may not come now: clause key, "" where it may."""
    if not awaits(hand, seat):
        return "bid.turn" if hand.rules.banker == "asked" else "bid.once"
    if bid > highest_bid(hand):
        return "bid.range"
    if bid and not hand.able[seat]:
        return "bid.solvency"
    return ""


def bet_fault(hand: Hand, seat: int, amount: int) -> str:
    """Return why this bet may not come now: clause key, "" where it may."""
    if not awaits(hand, seat):
        return "bet.banker" if seat == hand.banker else "bet.once"
    if amount in hand.allowed[seat]:
        return ""
    rules = hand.rules
    if rules.push_bet != "off" and amount == rules.base * rules.push_bet and seat not in hand.pushers:
        return "bet.push"
    pushed = rules.push_bet if rules.push_bet != "off" and seat in hand.pushers else 0
    within = amount in [rules.base * factor for factor in (*rules.bets, pushed) if factor]
    return "bet.balance" if within else "bet.amount"


def escape_fault(hand: Hand, seat: int) -> str:
    """Return why this seat may not escape now: clause key, "" where it may."""
    if hand.rules.escape == "off":
        return "escape.off"
    if hand.phase != "bet":
        return "escape.time"
    if seat in hand.escaped or (seat != hand.banker and seat not in hand.bets):
        return "escape.seat"
    return ""


def options(hand: Hand) -> list[Body]:
    """Return every decision that may come next: by seat, ascending, then escapes by seat."""
    if hand.phase == "bid":
        bids = range(highest_bid(hand) + 1)
        return [
            {"type": "bid", "seat": seat, "bid": bid}
            for seat in waiting(hand)
            for bid in bids
            if not bid or hand.able[seat]
        ]
    if hand.phase != "bet":
        return []
    found: list[Body] = [
        {"type": "bet", "seat": seat, "amount": amount} for seat in waiting(hand) for amount in hand.allowed[seat]
    ]
    found += [{"type": "escaped", "seat": seat} for seat in range(hand.players) if not escape_fault(hand, seat)]
    return found


def timeout(hand: Hand, seat: int) -> Body | None:
    """Return what the seat's time-out chooses now; None where nothing is asked of it."""
    if not awaits(hand, seat):
        return None
    if hand.phase == "bid":
        return {"type": "bid", "seat": seat, "bid": 0}
    return {"type": "bet", "seat": seat, "amount": hand.allowed[seat][0]}


def chosen(hand: Hand, record: Record) -> Body | None:
    """Return the body of the lawful bid or bet that a record names; None for everything else.

    The caller compares its bytes with the recorded ones: nothing of the record is trusted but the choice.
    """
    kind, seat = record.get("type"), record.get("seat")
    if type(seat) is not int or kind != hand.phase:
        return None
    number = record.get("bid" if kind == "bid" else "amount")
    if type(number) is not int:
        return None
    if kind == "bid":
        return (
            {"type": "bid", "seat": seat, "bid": number} if number >= 0 and not bid_fault(hand, seat, number) else None
        )
    return None if bet_fault(hand, seat, number) else {"type": "bet", "seat": seat, "amount": number}


def fault(hand: Hand, record: Record) -> Fault | None:
    """Return why this decision may not come next; None where it is lawful.

    Codes: the decision's own type where it is unlawful, `turn` for a bid before one's turn, `order` where nothing of
    the kind may come now, `auto` for a time-out that chose otherwise.
    """
    kind = record["type"]
    clause = hand.rules.clause
    found = body_of(record)
    if kind == "escaped":
        key = escape_fault(hand, record["seat"])
        return Fault("escaped", clause(key), _awaited(hand), found) if key else _auto_fault(hand, record)
    if kind != hand.phase:
        return Fault("order", clause("play.order"), _awaited(hand), found)
    if kind == "bid":
        key = bid_fault(hand, record["seat"], record["bid"])
    else:
        key = bet_fault(hand, record["seat"], record["amount"])
    if key:
        return Fault("turn" if key == "bid.turn" else kind, clause(key), _lawful(hand, key, record), found)
    return _auto_fault(hand, record)


def _awaited(hand: Hand) -> Body:
    return {f"{hand.phase} of seats": waiting(hand)}


def _lawful(hand: Hand, key: str, record: Record) -> object:
    """Return what would have been lawful in the place of the act, as a finding shows it."""
    if key in {"bid.turn", "bid.once", "bet.once", "bet.banker"}:
        return _awaited(hand)
    if key.startswith("bid"):
        return {"bid": [0] if key == "bid.solvency" else list(range(highest_bid(hand) + 1))}
    return {"amount": list(hand.allowed[record["seat"]])}


def _auto_fault(hand: Hand, record: Record) -> Fault | None:
    if "auto" not in record:
        return None
    want = timeout(hand, record["seat"])
    have = {name: value for name, value in body_of(record).items() if name not in {"auto", "sig"}}
    return None if have == want else Fault("auto", hand.rules.clause("play.timeout"), want, have)

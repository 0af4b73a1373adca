"""The 14 classes of tampering (`known-faults.md`), each applied at every place of whole games, consistently.

Replay names the event. Where it cannot, the edited log is itself a lawful game: another free choice of a player, or
another premise. Then only the player's own signature (or, for a premise, the ledger) tells the two apart, and the
test says so by proving that the edit *is* lawful.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from tables import Place, edited, found, renumbered, simulated, states

from engine import verbs
from engine.cards import KINDS
from engine.events import Record, canonical, load

Log = list[bytes]


@pytest.fixture(scope="module")
def games() -> list[Log]:
    return [
        simulated(rules, options, name=f"tamper-{rules}-{number}", match={"length": {"hands": 2}})
        for rules, options in (("linhai", {"rob_kong": "as_discard"}), ("linhai.144", {"pass_win_lock": "dinghai"}))
        for number in range(2)
    ]


@pytest.fixture(scope="module")
def many_wins() -> list[Log]:
    return [simulated(name=f"wins-{number}", match={"length": {"hands": 8}}) for number in range(6)]


def records_of(lines: Log) -> list[Record]:
    return [load(line) for line in lines]


def where(lines: Log, kind: str) -> list[int]:
    return [seq for seq, record in enumerate(records_of(lines)) if record["type"] == kind]


def named(place: Place | None) -> tuple[int, str, str]:
    assert place is not None
    return place.seq, place.code, place.clause


def shifted(lines: Log, seq: int, delta: list[int]) -> Log:
    """Add to every later score what a forged settlement would have moved."""
    out = list(lines[: seq + 1])
    for line in lines[seq + 1 :]:
        record = load(line)
        if record["type"] in {"hand_ended", "closed"}:
            record["scores"] = [had + more for had, more in zip(record["scores"], delta, strict=True)]
        out.append(canonical(record))
    return out


def moved(payments: list[int], one: int, two: int, points: int) -> tuple[list[int], list[int]]:
    delta = [0, 0, 0, 0]
    delta[one] += points
    delta[two] -= points
    return [had + more for had, more in zip(payments, delta, strict=True)], delta


# --- 1 two drawn-and-discarded tiles swapped in the wall -------------------------------------------------------------


def test_two_drawn_and_discarded_tiles_swapped_in_the_wall(games: list[Log]) -> None:
    tried = 0
    for lines in games:
        records = records_of(lines)
        pairs = [
            seq for seq in where(lines, "drawn")
            if records[seq + 1]["type"] == "discarded" and records[seq + 1].get("drawn")
        ]  # fmt: skip
        for one, two in pairwise(pairs):
            first, second = records[one]["tile"], records[two]["tile"]
            if first == second:
                continue
            spoiled = lines
            for seq, tile in ((one, second), (two, first)):
                spoiled = edited(edited(spoiled, seq, tile=tile), seq + 1, tile=tile)
            assert named(found(spoiled)) == (one, "V12", "fairness.1.10.V12")
            tried += 1
    assert tried > 40


# --- 2 another held tile discarded, 3 a tile not held ----------------------------------------------------------------


def held_before(lines: Log) -> Iterator[tuple[int, Record, Counter[str], set[bytes]]]:
    """Yield each discard with the hand it left and the lawful decisions at that place."""
    previous: tuple[Counter[str], set[bytes]] | None = None
    for game, record in states(lines):
        if record["type"] == "discarded" and previous is not None:
            yield record["seq"], record, *previous
        previous = None
        if game.phase == "hand" and game.hand.phase == "act":
            counts = game.hand.sides[game.hand.turn].counts
            hand = Counter({KINDS[kind]: have for kind, have in enumerate(counts) if have})
            previous = hand, {canonical(body) for body in verbs.options(game)}


def test_another_held_tile_discarded_is_named_or_is_another_lawful_game(games: list[Log]) -> None:
    caught = lawful = 0
    for lines in games[::2]:
        for seq, record, hand, options in held_before(lines):
            for tile in sorted(set(hand) - {record["tile"]})[::5]:
                spoiled = edited(lines, seq, tile=tile, **({"drawn": None} if "drawn" in record else {}))
                place = found(spoiled)
                body = {"type": "discarded", "seat": record["seat"], "tile": tile}
                if place is not None:
                    assert place.seq >= seq
                    assert place.seq > seq or canonical(body) not in options
                    caught += 1
                else:
                    # Nobody could claim either tile and the one kept was never missed: the player could have
                    # chosen so. His signature over the command (ledger.md 3) is what tells the two games apart.
                    assert canonical(body) in options
                    lawful += 1
    assert caught > 250
    assert 0 < lawful < caught


def test_a_tile_not_held_discarded(games: list[Log]) -> None:
    tried = 0
    for lines in games:
        for seq, record, hand, _ in list(held_before(lines))[::6]:
            tile = next(code for code in ("1m", "5p", "9s", "E", "C", "3m", "7s") if not hand[code])
            place = found(edited(lines, seq, tile=tile, **({"drawn": None} if "drawn" in record else {})))
            assert named(place) == (seq, "discarded", "linhai.act.not_held")
            tried += 1
    assert tried > 30


# --- 4, 5 a win's amounts shifted, alone or with all later scores made consistent; 6 a drawn hand's ------------------


@pytest.mark.parametrize("consistent", [False, True])
def test_a_wins_amounts_shifted(games: list[Log], consistent: bool) -> None:
    tried = 0
    for lines in games:
        for seq in where(lines, "settled"):
            settled = load(lines[seq])
            if not settled["winners"]:
                continue
            winner = settled["winners"][0]["seat"]
            payers = [line["from"] for line in settled["lines"]]
            for points in (1, -1, 5):
                payments, delta = moved(settled["payments"], winner, payers[0], points)
                spoiled = edited(lines, seq, payments=payments)
                if consistent:
                    first = next(at for at, each in enumerate(settled["lines"]) if each["from"] == payers[0])
                    pay = [dict(line) for line in settled["lines"]]
                    pay[first]["amount"] += points
                    winners = [{**settled["winners"][0], "points": settled["winners"][0]["points"] + points},
                               *settled["winners"][1:]]  # fmt: skip
                    spoiled = shifted(edited(lines, seq, payments=payments, lines=pay, winners=winners), seq, delta)
                place = found(spoiled)
                assert place is not None
                assert (place.seq, place.code) == (seq, "settled")
                assert place.clause in {line["clause"] for line in settled["lines"]}
                tried += 1
    assert tried > 8


@pytest.mark.parametrize("consistent", [False, True])
def test_a_drawn_hands_payments_shifted(games: list[Log], many_wins: list[Log], consistent: bool) -> None:
    tried = 0
    for lines in [*games, *many_wins]:
        for seq in where(lines, "settled"):
            if load(lines[seq])["winners"]:
                continue
            payments, delta = moved([0, 0, 0, 0], 1, 2, 3)
            spoiled = edited(lines, seq, payments=payments)
            spoiled = shifted(spoiled, seq, delta) if consistent else spoiled
            assert named(found(spoiled)) == (seq, "settled", "linhai.pay.none")
            tried += 1
    assert tried > 0


# --- 7 a start score edited ------------------------------------------------------------------------------------------


def test_a_start_score_edited(games: list[Log]) -> None:
    for lines in games:
        match = {**load(lines[0])["match"], "start_points": 100}
        first = where(lines, "hand_ended")[0]
        spoiled = edited(lines, 0, match=match)
        assert named(found(spoiled)) == (first, "hand_ended", "linhai.pay.scores")
        # Every later score moved along: the premise itself was another, nothing in the game depends on it. The match
        # is no part of E (fairness.md 1.1); only the ledger's entry of `opened` tells the two apart.
        assert found(shifted(spoiled, 0, [100] * 4)) is None


def test_one_seats_score_edited(games: list[Log]) -> None:
    for lines in games:
        for seq in where(lines, "hand_ended"):
            scores = load(lines[seq])["scores"]
            place = found(edited(lines, seq, scores=[scores[0] + 1, *scores[1:]]))
            assert named(place) == (seq, "hand_ended", "linhai.pay.scores")
            consistent = shifted(edited(lines, seq, scores=[scores[0] + 1, *scores[1:]]), seq, [1, 0, 0, 0])
            assert named(found(consistent)) == (seq, "hand_ended", "linhai.pay.scores")


# --- 8 a claim deleted -----------------------------------------------------------------------------------------------


def test_a_claim_deleted(games: list[Log]) -> None:
    tried = 0
    for lines in games:
        records = records_of(lines)
        for seq in where(lines, "melded"):
            assert named(found(renumbered(records[:seq] + records[seq + 1 :]))) == (
                seq,
                "melded",
                "linhai.claims.priority",
            )
            # The answer made a pass, the meld taken out: the next event is not what follows a pass.
            meld = records[seq]
            answer = max(
                at for at in range(seq) if records[at]["type"] == "answered" and records[at]["seat"] == meld["seat"]
            )
            passed = {name: value for name, value in records[answer].items() if name != "tiles"} | {"answer": "pass"}
            others = [*records[:answer], passed, *records[answer + 1 : seq]]
            place = found(renumbered(others + records[seq + 1 :]))
            assert place is not None
            assert place.seq == seq
            assert place.code in {"drawn", "melded", "drawn_hand", "order", "V12"}
            tried += 1
    assert tried > 12


# --- 9 the last hand cut off -----------------------------------------------------------------------------------------


def test_the_last_hand_cut_off(games: list[Log]) -> None:
    for lines in games:
        records = records_of(lines)
        last = where(lines, "hand_started")[-1]
        ended = where(lines, "hand_ended")[-2]
        scores = records[ended]["scores"]
        closed = {**records[-1], "scores": scores}
        cut = renumbered([*records[:last], closed])
        assert named(found(cut))[:2] == (last, "hand_started")
        final = {name: value for name, value in records[ended].items() if name != "next"}
        cut = renumbered([*records[:ended], final, *records[ended + 1 : last], closed])
        assert named(found(cut)) == (ended, "hand_ended", "modes.1")
        # Called abandoned it is a lawful end: that it was not is known to the ledger (segments, closed stream) alone.
        assert found(renumbered([*records[:last], {**closed, "reason": "abandoned"}])) is None


# --- 10 a player swapped ---------------------------------------------------------------------------------------------


def test_a_player_swapped(games: list[Log]) -> None:
    for lines in games:
        seats = load(lines[0])["seats"]
        swapped = [{**seats[0], "player": seats[1]["player"]}, {**seats[1], "player": seats[0]["player"]}, *seats[2:]]
        first = where(lines, "entropy")[0]
        # E and every commitment hold the player's id: the first reveal no longer opens.
        assert named(found(edited(lines, 0, seats=swapped))) == (first, "V7", "fairness.1.10.V7")
        other = [{**seats[0], "player": "bot:somebody-else"}, *seats[1:]]
        assert named(found(edited(lines, 0, seats=other))) == (first, "V7", "fairness.1.10.V7")
        seated = where(lines, "seated")[0]
        order = load(lines[seated])["order"]
        for one in range(3):
            turned = list(order)
            turned[one], turned[one + 1] = turned[one + 1], turned[one]
            assert named(found(edited(lines, seated, order=turned))) == (seated, "V9", "fairness.1.10.V9")


# --- 11 a win replaced by a draw -------------------------------------------------------------------------------------


def test_a_win_replaced_by_a_draw(games: list[Log], many_wins: list[Log]) -> None:
    tried = 0
    for lines in [*games, *many_wins]:
        records = records_of(lines)
        for seq in where(lines, "won"):
            if records[seq - 1]["type"] == "won":
                continue
            settled = next(at for at in range(seq, len(records)) if records[at]["type"] == "settled")
            head = {name: records[seq][name] for name in ("at", "game", "seq", "v")}
            draw = {**head, "type": "drawn_hand", "reason": "wall_end"}
            empty = {**records[settled], "winners": [], "payments": [0] * 4, "lines": []}
            spoiled = renumbered([*records[:seq], draw, empty, *records[settled + 1 :]])
            clause = "linhai.act.win" if records[seq]["by"] == "self_draw" else "linhai.claims.win_first"
            assert named(found(spoiled)) == (seq, "won", clause)
            # The declaration taken out as well: a discard or kong had to follow, no draw.
            if records[seq]["by"] == "self_draw":
                spoiled = renumbered([*records[: seq - 1], draw, empty, *records[settled + 1 :]])
                assert named(found(spoiled)) == (seq - 1, "order", "linhai.turn.order")
            tried += 1
    assert tried > 30


# --- 12 the second of two winners dropped ----------------------------------------------------------------------------


def two_winners() -> tuple[Log, int]:
    """Find a seeded game with two winners of one discard; return it and the seq of the second `won`."""
    for number in range(400):
        lines = simulated(name=f"double-{number}", match={"length": {"hands": 4}})
        for seq in where(lines, "won"):
            if load(lines[seq - 1])["type"] == "won":
                return lines, seq
    raise AssertionError("no discard had two winners")


def test_the_second_of_two_winners_dropped() -> None:
    lines, seq = two_winners()
    records = records_of(lines)
    settled = records[seq + 1]
    assert named(found(renumbered(records[:seq] + records[seq + 1 :])))[:2] == (seq, "won")
    kept = settled["winners"][:1]
    lines_kept = [line for line in settled["lines"] if line["to"] == kept[0]["seat"]]
    payments = [0] * 4
    for line in lines_kept:
        payments[line["from"]] -= line["amount"]
        payments[line["to"]] += line["amount"]
    single = {**settled, "winners": kept, "lines": lines_kept, "payments": payments}
    delta = [new - old for new, old in zip(payments, settled["payments"], strict=True)]
    spoiled = renumbered([*records[:seq], single, *records[seq + 2 :]])
    assert named(found(shifted(spoiled, seq, delta))) == (seq, "won", "linhai.claims.multi_win")
    # Kept as `won` but not paid:
    place = found(shifted(edited(lines, seq + 1, winners=kept, lines=lines_kept, payments=payments), seq + 1, delta))
    assert place is not None
    assert (place.seq, place.code, place.clause) == (seq + 1, "settled", "linhai.pay.discard")


def test_a_winners_answer_made_a_pass_is_another_lawful_game_up_to_what_follows() -> None:
    lines, seq = two_winners()
    records = records_of(lines)
    second = records[seq]["seat"]
    answer = max(at for at in range(seq) if records[at]["type"] == "answered" and records[at]["seat"] == second)
    spoiled = edited(lines, answer, answer="pass")
    # Whoever passes a win loses it: the log is lawful up to his `won`, which is then the fault.
    assert named(found(spoiled))[:2] == (seq, "settled")


# --- 13 tiles exchanged between starting hands -----------------------------------------------------------------------


def test_tiles_exchanged_between_starting_hands(games: list[Log]) -> None:
    tried = 0
    for lines in games:
        dealt = where(lines, "dealt")
        for one, two in pairwise(dealt):
            first, second = list(load(lines[one])["tiles"]), list(load(lines[two])["tiles"])
            if two - one != 1 or first[0] == second[0]:
                continue
            first[0], second[0] = second[0], first[0]
            spoiled = edited(edited(lines, one, tiles=first), two, tiles=second)
            assert named(found(spoiled)) == (one, "V12", "fairness.1.10.V12")
            tried += 1
    assert tried > 12


# --- 14 a wild or flower indicator edited (Linhai has no wild) -------------------------------------------------------


def test_a_flower_edited(games: list[Log]) -> None:
    tried = 0
    for lines in games:
        for seq in where(lines, "flower"):
            record = load(lines[seq])
            for tile in {"f1", "f2", "f8", "1m"} - {record["tile"]}:
                assert named(found(edited(lines, seq, tile=tile))) == (seq, "flower", "linhai.flower.expose")
            assert named(found(edited(lines, seq, seat=(record["seat"] + 1) % 4)))[:2] == (seq, "flower")
            records = records_of(lines)
            assert named(found(renumbered(records[:seq] + records[seq + 1 :])))[:2] == (seq, "flower")
            tried += 1
    assert tried > 10


def test_a_wild_where_the_rules_have_none(games: list[Log]) -> None:
    lines = games[0]
    records = records_of(lines)
    seq = where(lines, "dealt")[0]
    extra = {"type": "wild", "tile": "6p", **{name: records[seq][name] for name in ("at", "game", "seq", "v")}}
    assert named(found(renumbered([*records[:seq], extra, *records[seq:]]))) == (seq, "dealt", "LH-09")

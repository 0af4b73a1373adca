"""Tenhou's mjlog: read and written unchanged, checked against its seed, and no digit of it may change unnoticed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import riichi_game

from engine.errors import EventError
from engine.formats import riichi_pay, tenhou
from engine.formats.riichi import RiichiRecord
from engine.formats.riichi_match import Verdict, check
from engine.formats.tenhou_wall import SeedError, published_hash, seed_bytes, seed_text, walls
from viewer.riichi_score import score


def judged(text: str) -> Verdict:
    return check(tenhou.read(text), score)


def files(shared: Path) -> list[Path]:
    found = sorted((shared / "vectors" / "tenhou").glob("*.mjlog"))
    assert len(found) == 40
    return found


def test_our_own_game_is_what_its_maker_makes(own: str) -> None:
    assert tenhou.write(riichi_game.play(10)) == own


def test_a_written_record_reads_the_same(own: str) -> None:
    record = tenhou.read(own)
    assert record.problems == []
    assert tenhou.write(record) == own


def test_our_own_game_holds(own: str) -> None:
    verdict = judged(own)
    assert verdict.findings == []
    assert verdict.unchecked == []
    assert (verdict.hands, verdict.wins, verdict.drawn) == (12, 9, 3)
    assert verdict.draws > 12 * 60


@pytest.mark.parametrize("number", range(3))
def test_games_played_anew_hold(number: int) -> None:
    text = tenhou.write(riichi_game.play(number))
    verdict = judged(text)
    assert verdict.findings == []
    assert tenhou.write(tenhou.read(text)) == text


def test_every_public_file_is_read_and_written_unchanged(shared: Path) -> None:
    for path in files(shared):
        text = path.read_text()
        record = tenhou.read(text)
        assert record.problems == [], path
        assert tenhou.write(record) == text.strip(), path


def test_every_public_hand_is_rederived(shared: Path) -> None:
    total = Verdict()
    for path in files(shared):
        verdict = judged(path.read_text())
        assert verdict.findings == [], path
        assert {code for _, code, _ in verdict.unchecked} <= {"end"}, path
        total.hands += verdict.hands
        total.draws += verdict.draws
        total.wins += verdict.wins
        total.drawn += verdict.drawn
    assert (total.hands, total.draws, total.wins, total.drawn) == (296, 29_325, 234, 52)


# --- tampering of other kinds --------------------------------------------------------------------------------------


def tamper(own: str, change: Callable[[RiichiRecord], None]) -> Verdict:
    record = tenhou.read(own)
    change(record)
    return judged(tenhou.write(record))


def codes(verdict: Verdict) -> set[str]:
    return {finding.fault.code for finding in verdict.findings}


def first_win(record: RiichiRecord) -> int:
    return next(number for number, hand in enumerate(record.hands) if hand.wins)


def test_two_drawn_and_discarded_tiles_swapped(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        acts = record.hands[0].acts
        pairs = [at for at in range(len(acts) - 1) if acts[at].kind == "draw" and acts[at].tile == acts[at + 1].tile]
        one, two = pairs[0], pairs[2]
        tiles = acts[one].tile, acts[two].tile
        for place, tile in ((one, tiles[1]), (two, tiles[0])):
            acts[place] = replace(acts[place], tile=tile)
            acts[place + 1] = replace(acts[place + 1], tile=tile)

    assert codes(tamper(own, change)) == {"V12"}


def test_a_tile_that_is_not_held_is_discarded(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        acts = record.hands[0].acts
        at = next(place for place, act in enumerate(acts) if act.kind == "discard")
        acts[at] = replace(acts[at], tile=record.hands[0].hands[(acts[at].seat + 1) % 4][0])

    assert "discarded" in codes(tamper(own, change))


def shifted(values: tuple[int, ...], seat: int, other: int, amount: int) -> tuple[int, ...]:
    return tuple(
        value + amount * (place == seat) - amount * (place == other) for place, value in enumerate(values)
    )  # fmt: skip


def test_a_win_pays_another_amount(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        hand = record.hands[first_win(record)]
        hand.wins[0] = replace(hand.wins[0], deltas=shifted(hand.wins[0].deltas, 0, 1, 100))

    assert "settled" in codes(tamper(own, change))


def test_a_win_pays_another_amount_and_all_later_scores_agree(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        number = first_win(record)
        hand = record.hands[number]
        hand.wins[0] = replace(hand.wins[0], deltas=shifted(hand.wins[0].deltas, 0, 1, 100))
        for later in record.hands[number + 1 :]:
            later.scores = shifted(later.scores, 0, 1, 100)
            later.acts = [
                replace(act, scores=shifted(act.scores, 0, 1, 100)) if act.scores else act for act in later.acts
            ]
            later.wins = [replace(win, before=shifted(win.before or (), 0, 1, 100)) for win in later.wins]
            if later.drawn is not None:
                later.drawn = replace(later.drawn, before=shifted(later.drawn.before or (), 0, 1, 100))
        assert record.final is not None
        record.final = shifted(record.final, 0, 1, 100)
        record.results = tuple(riichi_pay.results(list(record.final)))

    verdict = tamper(own, change)
    assert "settled" in codes(verdict)
    assert {finding.hand for finding in verdict.findings} == {first_win(tenhou.read(own))}


def test_a_drawn_hand_pays_another_amount(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        hand = next(each for each in record.hands if each.drawn is not None)
        assert hand.drawn is not None
        hand.drawn = replace(hand.drawn, deltas=shifted(hand.drawn.deltas, 2, 3, 500))

    assert "settled" in codes(tamper(own, change))


def test_a_start_score_is_edited(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        record.hands[3].scores = shifted(record.hands[3].scores, 0, 1, 1000)

    assert "scores" in codes(tamper(own, change))


def test_a_deposit_is_left_out(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        hand = next(each for each in record.hands if any(act.kind == "deposit" for act in each.acts))
        hand.acts = [act for act in hand.acts if act.kind != "deposit"]

    assert "deposit" in codes(tamper(own, change))


def test_the_last_hand_is_cut_off(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        del record.hands[-1]

    verdict = tamper(own, change)
    assert codes(verdict) == {"end"}


def test_a_player_is_swapped(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        hand = record.hands[2]
        hand.hands = (hand.hands[1], hand.hands[0], *hand.hands[2:])

    assert "V12" in codes(tamper(own, change))


def test_a_win_becomes_a_draw(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        donor = next(each.drawn for each in record.hands if each.drawn is not None)
        hand = record.hands[first_win(record)]
        hand.drawn = replace(donor, before=hand.wins[0].before, counters=hand.wins[0].counters)
        hand.wins = []

    assert codes(tamper(own, change)) & {"drawn_hand", "deposit"}


def test_the_second_of_two_winners_is_dropped(shared: Path) -> None:
    text = (shared / "vectors" / "tenhou" / "double-ron.mjlog").read_text()

    def change(record: RiichiRecord) -> None:
        hand = next(each for each in record.hands if len(each.wins) == 2)
        del hand.wins[1]

    assert codes(tamper(text, change)) & {"scores", "end", "final"}


def test_starting_hands_exchange_a_tile(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        one, two, *rest = record.hands[1].hands
        record.hands[1].hands = ((*one[:-1], two[0]), (one[-1], *two[1:]), *rest)

    assert "V12" in codes(tamper(own, change))


def test_an_indicator_is_edited(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        hand = record.hands[0]
        hand.dora = next(tile for tile in range(136) if tile // 4 != hand.dora // 4 and tile not in hand.hands[0])

    assert codes(tamper(own, change)) & {"V5", "V12"}


def test_another_tile_of_the_hand_after_riichi(own: str) -> None:
    def change(record: RiichiRecord) -> None:
        for hand in record.hands:
            seat = next((act.seat for act in hand.acts if act.kind == "deposit"), None)
            later = [place for place, act in enumerate(hand.acts) if act.kind == "discard" and act.seat == seat]
            start = next((place for place, act in enumerate(hand.acts) if act.kind == "deposit"), len(hand.acts))
            after = [place for place in later if place > start]
            if seat is not None and after:
                thrown = {act.tile for act in hand.acts if act.kind == "discard"}
                kept = next(tile for tile in hand.hands[seat] if tile not in thrown)
                hand.acts[after[0]] = replace(hand.acts[after[0]], tile=kept)
                return
        raise AssertionError("no riichi")

    assert "riichi_discard" in codes(tamper(own, change))


# --- what is no mjlog, or not whole ---------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "hello", "<a/>", '<mjloggm ver="2.3">x</mjloggm>', "<mjloggm"])
def test_what_is_no_mjlog_is_refused(text: str) -> None:
    with pytest.raises(EventError, match="not an mjlog"):
        tenhou.read(text)


@pytest.mark.parametrize(("old", "new", "why"), [
    ("<T", "<X", "no tag"), ('oya="0"/>', 'oya="1"/>', "seat 0"), ('step="1"', 'step="3"', "step"),
    ("</mjloggm>", "", "cut off"), ('hai0="', 'hai4="', "attributes"), (' ver="2.3"', ' ver="9.9"', "version"),
    ('seed="0,0,0,', 'seed="0,0,00,', "no number"), ('seed="0,0,0,', 'seed="0,0,0,9', "dice"),
])  # fmt: skip
def test_odd_tags_are_problems_with_their_text(own: str, old: str, new: str, why: str) -> None:
    record = tenhou.read(own.replace(old, new, 1))
    assert any(why in problem.why for problem in record.problems), record.problems[:2]


def test_a_record_cut_within_a_hand_says_so(own: str) -> None:
    middle = own.index("<INIT", own.index("<INIT") + 1)
    cut = own[: own.index("<T", middle + 400)] + "</mjloggm>"
    verdict = judged(cut)
    assert verdict.findings == []
    assert [code for _, code, _ in verdict.unchecked] == ["end"]


def test_four_names_at_a_table_of_three_are_found(own: str) -> None:
    three = own.replace('type="169"', 'type="185"', 1)
    assert codes(judged(three)) == {"seats"}
    assert "schema" in codes(judged(three.replace('n3="D"', 'n3=""', 1)))  # a fourth hand


def test_the_seed_is_2496_bytes_of_the_named_method() -> None:
    seed = riichi_game.seed_of(7)
    assert seed_bytes(seed_text(seed)) == seed
    for text in ("mt19937ar,abc", "mt19937ar-sha512-n288-base64,AAAA", "mt19937ar-sha512-n288-base64,*", ""):
        with pytest.raises(SeedError):
            seed_bytes(text)


def test_a_wall_is_a_permutation_and_hands_do_not_repeat() -> None:
    found = [wall for wall, _ in zip(walls(riichi_game.seed_of(3)), range(6), strict=False)]
    assert all(sorted(wall.tiles) == list(range(136)) for wall in found)
    assert len({wall.tiles for wall in found}) == 6
    assert all(0 <= die <= 5 for wall in found for die in wall.dice)


def test_the_published_hash_covers_order_and_seed() -> None:
    seed = b"\x00\x01" + bytes(2494)
    assert published_hash("0123", seed) != published_hash("1023", seed)
    assert len(published_hash("0123", seed)) == 128  # a leading zero byte of the seed stays: 4,992 digits are hashed


def test_absences_are_read_and_written_and_change_nothing(own: str) -> None:
    at = own.index("<D", own.index("<INIT"))
    text = own[:at] + '<BYE who="2" />' + own[at:]
    back = text.index("<E", at)
    text = text[:back] + '<UN n2="C"/>' + text[back:]
    record = tenhou.read(text)
    assert [act.kind for act in record.hands[0].acts if act.kind in {"away", "back"}] == ["away", "back"]
    assert tenhou.write(record) == text
    assert judged(text).findings == []
    assert judged(text.replace('<UN n2="C"/>', '<UN n2="X"/>', 1)).findings

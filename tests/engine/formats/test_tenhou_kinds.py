"""Kinds of mjlog beside the usual one: three players, seeds of earlier years, rooms and rules, odd but lawful tags."""

import random
from pathlib import Path

import pytest
import riichi_game
from riichi_game import Pace

from engine.errors import EventError
from engine.formats import mjai, riichi_events, riichi_reading, tenhou, tenhou_json
from engine.formats.riichi_match import Verdict, check
from engine.formats.tenhou_wall import SeedError, early_wall, seed_bytes, seed_text, walls
from viewer.riichi_score import score

PACES = {
    "three": Pace(type=0xB9),
    "three, east only, calls": Pace(type=0xB1, calls=True),
    "calls": Pace(calls=True),
    "east only": Pace(type=0xA1),
    "no reds, no open tanyao": Pace(type=0x0F, calls=True),
    "seed in hex": Pace(seed=128),
    "a seed for each hand": Pace(seed=0),
    "three, a seed for each hand": Pace(type=0xB9, seed=0, calls=True),
}


def judged(text: str) -> Verdict:
    return check(tenhou.read(text), score)


def codes(verdict: Verdict) -> set[str]:
    return {finding.fault.code for finding in verdict.findings}


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("name", PACES)
def test_games_of_every_kind_hold(name: str, number: int) -> None:
    record = riichi_game.play(number, pace=PACES[name])
    text = tenhou.write(record)
    read = tenhou.read(text)
    assert read.problems == []
    assert tenhou.write(read) == text
    verdict = check(read, score)
    assert verdict.findings == []
    assert verdict.unchecked == []
    assert verdict.hands == len(record.hands)


@pytest.mark.parametrize("name", PACES)
def test_a_changed_tile_of_any_kind_is_found(name: str) -> None:
    text = tenhou.write(riichi_game.play(1, 4, PACES[name]))
    rng = random.Random(name)
    draws = [at for at, each in enumerate(text) if each in "TUVW" and text[at - 1] == "<" and text[at + 1].isdigit()]
    for at in rng.sample(draws, 12):
        end = text.index("/", at)
        other = rng.choice([tile for tile in range(136) if str(tile) != text[at + 1 : end]])
        assert judged(f"{text[: at + 1]}{other}{text[end:]}").findings, (at, other)


@pytest.mark.parametrize("name", ["three", "three, east only, calls", "seed in hex", "a seed for each hand"])
def test_games_of_three_and_of_older_seeds_as_events_and_back(name: str) -> None:
    for number in range(3):
        record = riichi_game.play(number, pace=PACES[name])
        lines = riichi_events.write(record, "g")
        again = riichi_reading.read(lines)
        assert again.problems == []
        assert riichi_events.write(again, "g") == lines
        verdict = check(again, score)
        assert verdict.findings == []
        assert verdict.unchecked == []


@pytest.mark.parametrize("name", ["three", "three, east only, calls"])
def test_games_of_three_as_tenhou_json_and_back(name: str) -> None:
    for number in range(4):
        text = tenhou_json.write(riichi_game.play(number, pace=PACES[name]))
        record = tenhou_json.read(text)
        assert record.problems == []
        assert (record.seats, tenhou_json.write(record)) == (3, text)
        verdict = check(record, score)
        assert verdict.findings == []
        assert [code for _, code, _ in verdict.unchecked] == ["V9"]


def test_a_hand_of_three_as_tenhou_wrote_it_in_json() -> None:
    """Game 2024123123gm-00b9-0000-4a3a3639, third hand, as if it stood alone: a self-draw with two counters."""
    hand = (
        "[[0,2,0],[60000,36000,9000,0],[44],[],[19,21,22,23,25,31,35,36,38,41,42,43,44],[24,27,29,24,25,32,42,39,27],"
        '["f44",42,43,19,29,31,41,32,21],[11,22,23,31,31,32,34,36,39,43,44,47,47],'
        '[37,34,33,45,"4747p47",21,41,32,34,38],["f44",11,39,43,45,31,60,60,31],'
        '[11,26,28,28,29,36,36,37,37,38,38,45,45],[47,53,28,39,46,41,22,21],[11,29,47,"r26",60,60,60,60],[],[],[],'
        '["和了",[-1200,2900,-700,0],[1,1,1,"30符2飜500-1000点","役牌 中(1飜)","ドラ(1飜)"]]]'
    )
    text = f'{{"name":["A","B","C",""],"rule":{{"disp":"三鳳南喰赤","aka51":1}},"log":[{hand}]}}'
    verdict = check(tenhou_json.read(text), score)
    assert verdict.findings == []
    assert (verdict.hands, verdict.wins) == (1, 1)
    for old, new in (("2900", "2800"), ("30符2飜500-1000", "30符2飜500-900"), ('"f44",42', '"f45",42'),
                     ("9000,0", "9000,1"), ("[],[],[],", "[11],[],[],")):  # fmt: skip
        assert check(tenhou_json.read(text.replace(old, new, 1)), score).findings, old


def test_mjai_knows_no_table_of_three() -> None:
    with pytest.raises(EventError, match="three"):
        mjai.write(riichi_game.play(1, 1, PACES["three"]))


# --- walls that Tenhou dealt ----------------------------------------------------------------------------------------


def test_a_hand_of_2008_from_its_own_seed() -> None:
    """Game 2008092000gm-0009-0000-10db094d, first hand."""
    wall = early_wall("mt19937ar,BEF2A12D,33A53D54,2E284410,D68656A3,A9B60976,39483C8E,24706954,22661D0E")
    assert wall.tiles[:12] == (10, 134, 52, 127, 75, 34, 92, 17, 50, 19, 103, 64)
    assert wall.tiles[-6:] == (130, 105, 30, 24, 29, 88)
    assert [die + 1 for die in wall.dice] == [4, 5]


def test_a_hand_of_three_of_2009_from_its_own_seed() -> None:
    """Game 2009060321gm-00b9-0000-75b25bcf: dealt, drawn, replaced, indicated as its log says."""
    wall = early_wall("mt19937ar,5EE931AE,6705E689,792A825C,D96AAEBB,D335223E,025A7B84,9697551A,0A449EA2", 3)
    assert wall.dealt(0)[1] == [69, 41, 1, 43, 37, 89, 54, 109, 44, 38, 52, 72, 94]
    assert [wall.drawn(number) for number in range(5)] == [88, 124, 95, 73, 71]
    assert [wall.replacement(number) for number in range(2)] == [85, 58]
    assert (wall.indicator(0), wall.dice) == (118, (1, 3))


def test_a_game_of_the_autumn_of_2009_from_its_seed_in_hex() -> None:
    """Game 2009100718gm-00e1-0000-470654d3: the dead wall lies the other way up."""
    words = (
        "B43A38E8,A063890A,54C66B00,CE8F5EEE,8B53C544,535BF30B,5D7F5B49,6EFC2EB6,B13C899D,E706F43F,5C6B2A4C,"
        "ED12BEBE,80C71AEC,01E9BEA3,FCB9623A,B7EDCDEF,7892CD36,7FCC6BA1,2E9B16FA,9CE2814B,E2A6C5AE,CAC8F5E8,"
        "14DC4996,EE7E0293,6B1F0729,4D8C981B,F66AC473,6671362C,A414DDC1,44B91E56,E97424C7,B8E93A6F"
    )
    seed = seed_bytes(f"mt19937ar-sha512-n288,{words}")
    assert seed_text(seed) == f"mt19937ar-sha512-n288,{words}"
    wall = next(walls(seed))
    assert wall.dealt(0)[0] == [118, 27, 97, 32, 111, 121, 99, 25, 124, 26, 67, 70, 12]
    assert [wall.drawn(number) for number in range(4)] == [22, 30, 86, 31]
    assert (wall.indicator(0), wall.dice) == (55, (2, 4))


def test_hands_of_three_from_a_usual_seed() -> None:
    """Game 2018110809gm-00b9-0000-00a79b89: three hands with norths set aside, 108 tiles."""
    seed = seed_bytes((Path(__file__).parent / "2018110809gm-00b9-0000-00a79b89.seed").read_text().strip())
    first, second, third = (wall for wall, _ in zip(walls(seed, 3), range(3), strict=False))
    assert first.dealt(0)[0] == [109, 133, 57, 87, 64, 67, 121, 80, 60, 43, 101, 70, 75]
    assert [wall.dice for wall in (first, second, third)] == [(5, 5), (0, 1), (5, 3)]
    assert [wall.indicator(0) for wall in (first, second, third)] == [3, 64, 107]
    assert [first.drawn(number) for number in range(4)] == [129, 110, 78, 77]
    assert [first.replacement(number) for number in range(3)] == [69, 131, 114]
    assert [second.replacement(number) for number in range(4)] == [94, 85, 124, 106]
    assert (second.indicator(1), third.under(0)) == (133, 90)


@pytest.mark.parametrize("text", [
    "mt19937ar,XYZ", "mt19937ar", "mt19937ar-sha512-n288,1234567", "mt19937ar,0000000a", "sha1,00000000",
])  # fmt: skip
def test_what_is_no_seed_of_a_hand_is_refused(text: str) -> None:
    with pytest.raises(SeedError):
        early_wall(text)
    with pytest.raises(SeedError):
        seed_bytes(text)


# --- odd, but lawful -----------------------------------------------------------------------------------------------


def test_a_record_without_any_seed_is_followed_and_says_so(own: str) -> None:
    start = own.index("<SHUFFLE")
    bare = own[:start] + own[own.index("/>", start) + 2 :]
    verdict = judged(bare)
    assert verdict.findings == []
    assert [code for _, code, _ in verdict.unchecked] == ["V9"]


def test_players_of_one_name_sit_at_one_table(own: str) -> None:
    text = own.replace('n1="B"', 'n1="A"', 1)
    assert tenhou.write(tenhou.read(text)) == text
    assert judged(text).findings == []
    assert riichi_events.write(tenhou.read(text), "g")


def test_bits_of_rooms_that_are_not_known_are_named(own: str) -> None:
    verdict = judged(own.replace('type="169"', 'type="681"', 1))
    assert verdict.findings == []
    assert verdict.unchecked == [(-1, "rules", "GO type has bits that are not known: 0x200")]


def test_a_private_lobby_begins_and_ends_by_rules_of_its_own(own: str) -> None:
    for old, new in (("250,250,250,250", "300,300,300,300"), ('lobby="0"', 'lobby="5001"')):
        own = own.replace(old, new, 1)
    only_start = judged(own)
    assert codes(only_start) == {"deposit"}  # what follows still counts from 25,000
    assert {code for _, code, _ in only_start.unchecked} == {"start", "end"}


@pytest.mark.parametrize("lobby", ["5001", "C41584031"])
def test_the_last_hands_of_a_private_lobby_may_go_otherwise(own: str, lobby: str) -> None:
    record = tenhou.read(own)
    record.lobby = lobby
    del record.hands[-1]
    verdict = check(record, score)
    assert verdict.findings == []
    assert {code for _, code, _ in verdict.unchecked} == {"end"}


def test_whole_results_as_written_until_2009(own: str) -> None:
    start = own.index('owari="') + len('owari="')
    words = own[start : own.index('"', start)]
    whole = own.replace(words, ",".join(word.removesuffix(".0") for word in words.split(",")))
    assert tenhou.write(tenhou.read(whole)) == whole
    assert judged(whole).findings == []


def test_chips_stand_beside_the_results(own: str) -> None:
    start = own.index('owari="') + len('owari="')
    words = own[start : own.index('"', start)]
    text = own.replace(words, f"{words},2,-1,0,-1")
    assert tenhou.write(tenhou.read(text)) == text
    verdict = judged(text)
    assert verdict.findings == []
    assert [code for _, code, _ in verdict.unchecked] == ["chips"]


def test_who_comes_and_goes_between_hands_stays_in_the_record(own: str) -> None:
    first = own.index("<INIT")
    second = own.index("<INIT", first + 1)
    text = (
        own[:first] + '<BYE who="3" />' + own[first:second] + '<BYE who="1" /><UN n3="D"/>' + own[second:]
    )  # fmt: skip
    draw = text.index("<U", text.index("<INIT", second + 40))
    text = text[:draw] + '<UN n1="B"/><BYE who="2" />' + text[draw:]
    record = tenhou.read(text)
    assert record.problems == []
    assert tenhou.write(record) == text
    assert judged(text).findings == []


@pytest.mark.parametrize(("old", "new"), [
    ('hai3=""', 'hai3="0,1,2"'), ('ten="350,350,350,0"', 'ten="350,350,350,1"'), ("<T", "<W"),
])  # fmt: skip
def test_a_fourth_seat_at_a_table_of_three_is_found(old: str, new: str) -> None:
    text = tenhou.write(riichi_game.play(2, 3, PACES["three"]))
    assert old in text
    assert "schema" in codes(judged(text.replace(old, new, 1)))


def test_a_north_is_set_aside_with_three_players_only(own: str) -> None:
    at = own.index("<D", own.index("<INIT"))
    assert codes(judged(own[:at] + '<N who="0" m="30752" />' + own[at:])) & {"north", "V12", "order"}
    text = tenhou.write(riichi_game.play(2, 3, PACES["three"]))
    north = text.index("<N who=")
    word = text[text.index('m="', north) + 3 : text.index('"', text.index('m="', north) + 3)]
    other = str((int(word) >> 8 ^ 4) << 8 | 0x20)
    assert judged(text[:north] + text[north:].replace(word, other, 1)).findings


def test_a_record_with_a_seed_for_each_hand_misses_one() -> None:
    text = tenhou.write(riichi_game.play(2, 3, PACES["a seed for each hand"]))
    start = text.index(' shuffle="')
    bare = text[:start] + text[text.index('"', start + 10) + 1 :]
    assert codes(judged(bare)) == {"V9"}


def test_the_seed_of_a_hand_stands_right_after_it() -> None:
    lines = riichi_events.write(riichi_game.play(2, 2, PACES["a seed for each hand"]), "g")
    at = next(seq for seq, line in enumerate(lines) if b'"type":"revealed"' in line)
    other = bytearray(lines[at])
    place = lines[at].index(b'"seed":"') + 8
    other[place] = ord("0") if other[place] != ord("0") else ord("1")
    assert check(riichi_reading.read([*lines[:at], bytes(other), *lines[at + 1 :]]), score).findings
    moved = lines[at].replace(b'"hand":0', b'"hand":1', 1)
    record = riichi_reading.read([*lines[:at], moved, *lines[at + 1 :]])
    assert any("own seed" in problem.why for problem in record.problems)


def test_events_hold_no_record_with_a_broken_seed(own: str) -> None:
    record = tenhou.read(own)
    record.seed = "mt19937ar,00000000"
    with pytest.raises(EventError, match="seed"):
        riichi_events.write(record, "g")

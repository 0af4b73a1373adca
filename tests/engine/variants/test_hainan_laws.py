"""Hainan's hands refereed a second time by the page, and the laws of every hand under its options.

At every event engine and referee (`plain/hainan_referee.py`) must name the same consequence or the same set of
decisions, pay the same and pass the deal alike; every conceivable decision that the referee does not allow is refused
with a clause that has a text. Walls are laid so that wilds, kongs, robbed kongs and flowers are frequent.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hainan_referee import HainanReferee
from laws import Sample, beside, clauses, on_the_table, pays_zero, rearranged, stem, taken_by, windows_of
from tables import Laid, Policy, Room, found, lively, replayed, states, stream_of

from engine import frame, verbs
from engine.cards import KINDS, tile_deck
from engine.events import Body, Record, canonical
from engine.game import Game
from engine.mahjong.rules import MahjongRules
from engine.shuffle import Stream
from engine.variants import find, hainan

SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "hainan": ("hainan", {}),
    "no fan": ("hainan.nofan", {}),
    "three": ("hainan.three", {}),
    "random": ("hainan.random", {}),
    "ga and flipped": (
        "hainan.random",
        {"ga": True, "wild_indicator": "flipped_out", "wall.break": "dice", "settle_drawn_hand": True,
         "replacement_from": "head", "round_wind_mode": "all_won", "round_wind_fan": True, "fan_scope": "discard+zimo"},
    ),
    "next kind, all winners": (
        "hainan.random",
        {"wild_indicator": "next_kind", "wild_domain": "suits", "multi_win": "all", "pass_win_lock": "dinghai",
         "pass_pung_lock": "dinghai", "swap_ban": "dinghai", "wild_discard": "forbid", "next_dealer": "winner",
         "flower_first": "first_draw", "earthly_mode": "dealer_discard", "kong_after_claim": True},
    ),
    "no winds, instant": (
        "hainan.random",
        {"no_winds": True, "flower_win_mode": "instant_win", "no_chow": True, "wild_fifth": False, "ga": True,
         "ga_free": True, "half_flush_fan": True, "wild_fan": "used_as_wild", "streak_on_draw": False,
         "adders_scaled": False, "late_added_kong": False, "earthly_mode": "first_draw"},
    ),
    "three, liability": (
        "hainan.three",
        {"three_player_chow": False, "last_tiles_liability": True, "discarder_pays_all": True, "wild_special": False,
         "fan_same_reading": True, "wall.break": "dice", "kong_is_fan": True, "cap": 8, "way_stack": "mul",
         "flower_win": False, "flowers_on_draw": "always"},
    ),
}  # fmt: skip


def players_of(preset: str) -> int:
    return find(preset).players


def room_of(name: str, preset: str, options: dict[str, Any], laid: Laid | None = None, **more: Any) -> Room:
    players = [f"bot:{name}-{seat}" for seat in range(players_of(preset))]
    return Room(preset, options, name=name, laid=laid, players=players, **more)


def playing(name: str, *, win_in: int = 2) -> Policy:
    """Play as `lively` does; choose any ga, the seats in any order."""
    stream, rest = stream_of(name, "ga"), lively(name, win_in=win_in)

    def choose(room: Room, options: list[Body]) -> Body:
        if options[0]["type"] == "ga_chosen":
            return options[stream.below(len(options))]
        return rest(room, options)

    return choose


def game_of(name: str, preset: str, options: dict[str, Any], hands: int, *, win_in: int = 2) -> list[bytes]:
    return room_of(name, preset, options, match={"length": {"hands": hands}}).play(playing(name, win_in=win_in))


def rich_wall(preset: str, options: dict[str, Any], name: str) -> Laid:
    """Lay a wall whose hands are full of pairs, pungs, wilds and flowers; the rest is shuffled."""
    rules = find(preset, options)
    assert isinstance(rules, MahjongRules)
    stream = stream_of(name, "rich")
    deck = tile_deck(flowers=True, winds=not rules.no_winds)
    free: dict[str, list[int]] = {}
    for at, each in enumerate(deck):
        free.setdefault(each.partition(".")[0], []).append(at)
    hands = [clumps(stream, free) for _ in range(rules.players)]
    rest = [at for places in free.values() for at in places]
    shuffled = [rest.pop(stream.below(len(rest))) for _ in range(len(rest))]
    wall: list[int] = []
    for block in range(3):
        for hand in hands:
            wall += hand[4 * block : 4 * block + 4]
    wall += [hand[12] for hand in hands]
    return Laid(tuple(wall + shuffled), tuple(stream.below(6) + 1 for _ in range(4)))


def clumps(stream: Stream, free: dict[str, list[int]]) -> list[int]:
    """Take thirteen tiles: clumps of equal or neighbouring ones, a wild now and then, a flower now and then."""
    taken: list[int] = []
    for kind, one_in in (("C", 2), ("C", 4), ("f1", 3), ("f6", 3)):
        if free[kind] and not stream.below(one_in):
            taken.append(free[kind].pop())
    while len(taken) < 13:
        size = min(2 + stream.below(2), 13 - len(taken))
        kinds = [code for code in free if code[0] != "f" and free[code]]
        first = KINDS.index(kinds[stream.below(len(kinds))])
        run = stream.below(2) and first < 27 and first % 9 <= 9 - size
        wanted = [KINDS[first + step if run else first] for step in range(size)]
        if all(len(free[code]) >= wanted.count(code) for code in wanted):
            taken += [free[code].pop() for code in wanted]
    return taken


def referee_of(game: Game) -> HainanReferee:
    deal = frame.hand_deal(game)
    assert deal is not None
    rules = game.premise.rules
    assert isinstance(rules, MahjongRules)
    options = rules.options()
    deck = tile_deck(flowers=True, winds=not options["no_winds"])
    wall = [deck[position].partition(".")[0] for position in deal.wall]
    kinds = 27 if options["wild_domain"] == "suits" else 30 if options["no_winds"] else 34
    return HainanReferee(options, game.spot, wall, deal.dice, deal.keys.stream("wild").below(kinds))


def compare(game: Game, referee: HainanReferee) -> None:
    kind, its = referee.want
    due = frame.due(game)
    if kind == "over":
        assert due is not None
        assert due["type"] == "hand_ended"
        assert due["scores"] == [had + paid for had, paid in zip(game.scores, its, strict=True)]
        assert due.get("next", referee.following(game.first_dealer)) == referee.following(game.first_dealer)
    elif kind == "due":
        assert due is not None
        if due["type"] == "settled":
            winners = [(winner["seat"], winner["multiplier"]) for winner in due["winners"]]
            assert {"type": "settled", "winners": winners, "payments": due["payments"]} == its
        else:
            assert due == its
        assert verbs.options(game) == []
    else:
        assert due is None
        mine = [canonical(body) for body in verbs.options(game)]
        assert sorted(mine) == sorted(canonical(body) for body in its)
        assert len(set(mine)) == len(mine)


def followed(lines: list[bytes], laid: Laid | None = None) -> Iterator[tuple[Game, Record, HainanReferee | None]]:
    """Follow a whole log with the referee beside the engine."""
    for game, record, referee in beside(lines, laid, referee_of):
        if referee is not None:
            compare(game, referee)
        yield game, record, referee


def count(record: Record, seen: Counter[str]) -> None:
    seen[record["type"]] += 1
    for name in ("kind", "by", "occasion", "reason", "answer"):
        if name in record:
            seen[record[name]] += 1
    for line in record.get("lines", ()):
        seen[line["reason"]] += 1
    for winner in record.get("winners", ()):
        for row in winner["patterns"]:
            seen[row["id"]] += 1


@pytest.mark.parametrize("name", SETS)
def test_engine_and_referee_want_the_same(name: str) -> None:
    preset, options = SETS[name]
    seen: Counter[str] = Counter()
    for game in range(2):
        for _, record, _ in followed(game_of(f"{stem(name)}-{game}", preset, options, 3)):
            count(record, seen)
    for number in range(10):
        word = f"{stem(name)}-rich-{number}"
        laid = rich_wall(preset, options, word)
        room = room_of(word, preset, options, laid)
        for _, record, _ in followed(room.play(playing(word, win_in=6)), laid):
            count(record, seen)
    assert seen["settled"] == 16
    assert min(seen[word] for word in ("pung", "flower", "won")) > 0


@pytest.mark.parametrize("name", SETS)
def test_a_decision_has_no_fault_exactly_where_the_referee_allows_it(name: str) -> None:
    sample = Sample(clauses("hainan"), most_windows=3, most_turns=3, every=11)
    preset, options = SETS[name]
    for number in range(2):
        word = f"{stem(name)}-brute-{number}"
        laid = rich_wall(preset, options, word)
        room = room_of(word, preset, options, laid)
        sample.take(followed(room.play(playing(word, win_in=6)), laid))
    assert sample.windows
    assert sample.turns


@pytest.mark.parametrize("name", SETS)
def test_tiles_are_conserved_and_payments_sum_to_zero(name: str) -> None:
    preset, options = SETS[name]
    rules = find(preset, options)
    assert isinstance(rules, MahjongRules)
    deck = Counter(each.partition(".")[0] for each in tile_deck(flowers=True, winds=not rules.no_winds))
    n = rules.players
    for number in range(8):
        word = f"{stem(name)}-laws-{number}"
        laid = rich_wall(preset, options, word)
        room = room_of(word, preset, options, laid)
        taken: Counter[str] = Counter()
        for game, record in states(room.play(playing(word, win_in=5)), laid):
            if record["type"] == "settled":
                pays_zero(record)
            if game.phase != "hand":
                continue
            taken.update(taken_by(record))
            shown = [KINDS[game.hand.indicator]] if game.hand.indicator >= 0 else []
            assert on_the_table(game.hand) + Counter(shown) == taken
            assert taken <= deck
            if game.hand.dealt == n:
                assert game.hand.wall.left + taken.total() == deck.total()
                have = [side.size() + 3 * len(side.melds) for side in game.hand.sides]
                if game.hand.phase == "act":
                    assert have == [14 if seat == game.hand.turn else 13 for seat in range(n)]


@pytest.mark.parametrize("name", ["hainan", "next kind, all winners", "ga and flipped"])
def test_the_order_in_which_answers_arrive_changes_nothing_else(name: str) -> None:
    preset, options = SETS[name]
    seen = 0
    for number in range(30):
        word = f"{stem(name)}-arrival-{number}"
        laid = rich_wall(preset, options, word)
        room = room_of(word, preset, options, laid)
        room.play(playing(word, win_in=3))
        records = room.records()
        ga = [record["seq"] for record in records if record["type"] == "ga_chosen"]
        for lines in rearranged(records, [*windows_of(room.lines), *([ga] if ga else [])]):
            assert replayed(lines, laid) is None
            seen += 1
    assert seen > 3


@pytest.mark.parametrize("name", ["hainan", "ga and flipped", "no winds, instant", "three, liability"])
def test_a_log_without_commitments_is_taken_as_given(name: str) -> None:
    preset, options = SETS[name]
    records = list(map(json.loads, game_of(f"{stem(name)}-given", preset, options, 3)))
    bare = []
    for record in records:
        if record["type"] in {"committed", "entropy", "seated", "revealed"}:
            continue
        fresh = {
            key: value for key, value in record.items() if key not in {"words", "rejects", "wall_root", "root_seed"}
        }
        if record["type"] == "opened":
            fresh["deal"] = {"protocol": "none"}
        bare.append(fresh)
    moved = {record["seq"]: seq for seq, record in enumerate(bare)}
    lines = [
        canonical({**record, "seq": seq, **({"to": moved[record["to"]]} if record["type"] == "answered" else {})})
        for seq, record in enumerate(bare)
    ]
    assert found(lines) is None
    wild = next((seq for seq, record in enumerate(bare) if record["type"] == "wild"), None)
    if wild is not None:
        for tile in ("f1", "0m"):
            record = {**json.loads(lines[wild]), "tile": tile}
            place = found([*lines[:wild], canonical(record), *lines[wild + 1 :]])
            assert place is not None
            assert (place.seq, place.code, place.clause) == (wild, "wild", "HN-08")


@pytest.mark.parametrize(
    ("preset", "options"), [("hainan.random", {}), ("hainan.random", {"wild_indicator": "next_kind"})]
)
def test_another_wild_than_the_deal_gives_is_named(preset: str, options: dict[str, Any]) -> None:
    lines = game_of(f"wild-{len(options)}", preset, options, 1)
    seq = next(seq for seq, line in enumerate(lines) if b'"type":"wild"' in line)
    record: Body = json.loads(lines[seq])
    record["tile"] = next(tile for tile in ("1m", "2m") if tile != record["tile"])
    place = found([*lines[:seq], canonical(record), *lines[seq + 1 :]])
    assert place is not None
    code = "V12" if options else "V9"
    assert (place.seq, place.code, place.clause) == (seq, code, f"fairness.1.10.{code}")


# --- between hands --------------------------------------------------------------------------------------------------


def test_the_room_s_creator_deals_first() -> None:
    for number in range(3):
        room = room_of(f"creator-{number}", "hainan.random", {})
        records = room.records()
        seated = next(record for record in records if record["type"] == "seated")
        assert seated["order"][0] == records[0]["seats"][0]["player"]
        started = next(record for record in records if record["type"] == "hand_started")
        assert (started["dealer"], started["round_wind"], started["streak"]) == (0, "E", 0)


def test_a_voided_hand_is_dealt_anew_as_it_began_its_ga_forgotten() -> None:
    room = room_of("voided", "hainan", {"ga": True}, match={"length": {"hands": 2}})
    for seat in range(4):
        room.act({"type": "ga_chosen", "seat": seat, "ga": 5})
    room.act({"type": "voided", "hand": 0, "actor": "table", "reason": "a cable"})
    assert {body["ga"] for body in room.options if body["seat"] == 0} == {0, 1, 2, 3, 5}
    for seat in range(4):
        room.act({"type": "ga_chosen", "seat": seat, "ga": 3})
    policy = playing("voided", win_in=1)
    while room.game.hand_number < 2:
        room.act(policy(room, room.options))
    assert {body["ga"] for body in room.options} == {3, 5}
    lines = room.play(policy)
    assert found(lines) is None
    started = [record for record in room.records() if record["type"] == "hand_started"]
    assert [record["hand"] for record in started] == [0, 1, 2]
    assert started[0]["dealer"] == started[1]["dealer"] == 0


def test_the_wide_profile_draws_wilds_of_its_own_streams() -> None:
    lines = room_of("wide", "hainan.random", {}, deal={"protocol": "paipu-fair/1w", "max_hands": 3},
                    match={"length": {"hands": 2}}).play(playing("wide"))  # fmt: skip
    assert found(lines) is None
    assert sum(b'"type":"wild"' in line for line in lines) == 2


# --- many games -----------------------------------------------------------------------------------------------------


def combination(preset: str, stream: Stream) -> dict[str, Any]:
    """Choose each option at random among its values, as far as they go together."""
    default = find(preset).options()
    offers = hainan.OFFERS
    chosen = {name: (values or ())[stream.below(len(values or ()))] for name, values in offers if name != "players"}
    if players_of(preset) == 3 and chosen["no_winds"]:
        chosen["wall.break"] = "none"
    return {name: value for name, value in chosen.items() if value != default[name]}


@pytest.mark.parametrize("preset", ["hainan", "hainan.three", "hainan.random"])
def test_random_combinations_of_options_play_and_replay(preset: str) -> None:
    hands = 0
    for number in range(20):
        word = f"{preset}-mix-{number}"
        options = combination(preset, stream_of(word))
        lines = game_of(word, preset, options, 2, win_in=3)
        assert found(lines) is None
        hands += sum(record["type"] == "settled" for _, record, _ in followed(lines))
    assert hands == 40


@pytest.mark.long
@pytest.mark.parametrize("preset", ["hainan", "hainan.nofan", "hainan.three", "hainan.random"])
def test_two_thousand_games_replay_and_agree_with_the_referee(preset: str) -> None:
    seen: Counter[str] = Counter()
    for number in range(2_000):
        word = f"{preset}-long-{number}"
        options = combination(preset, stream_of(word)) if number % 4 == 0 else {}
        lines = game_of(word, preset, options, 2, win_in=3)
        assert found(lines) is None
        for _, record, _ in followed(lines):
            count(record, seen)
    for word in ("robbed", "kong_bloom", "flower_bloom", "last_discard", "seven_pairs", "wall_end"):
        assert seen[word] > 0, word


@pytest.mark.long
@pytest.mark.parametrize("preset", ["hainan", "hainan.nofan", "hainan.three", "hainan.random"])
def test_twenty_combinations_of_options_replay_two_thousand_games_each(preset: str) -> None:
    for number in range(20):
        options = combination(preset, stream_of(preset, "combination", number))
        for game in range(2_000):
            assert found(game_of(f"{preset}-{number}-{game}", preset, options, 1)) is None

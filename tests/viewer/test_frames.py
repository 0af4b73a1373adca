"""Frames: the table after each event, checked against books kept here by hand and against the log."""

import gzip
import json
from collections import Counter
from typing import Any

import pytest

from engine.cards import FLOWERS, INDEX
from engine.events import canonical, load
from engine.replay import Replay
from viewer import frames, settlements
from viewer.forgery import overpaid
from viewer.simulate import Job, play
from viewer.views import Frame, MeldView, SeatView

HANDS = {"length": {"hands": 6}}


def game(preset: str, seed: int, **options: Any) -> list[bytes]:
    job = Job(preset, seed, 0, 1_700_000_000_000, options, HANDS)
    return [line for chunk in play(job) for line in chunk]


KONGS = {b'"kind":"added_kong"', b'"kind":"concealed_kong"', b'"kind":"direct_kong"'}


@pytest.fixture(scope="module", params=["linhai", "linhai.144"])
def lines(request: pytest.FixtureRequest) -> list[bytes]:
    """The first game with all kinds of kong, a self-draw, and a win on a discard."""
    for seed in range(80):
        found = game(request.param, seed)
        whole = b"".join(found)
        if all(word in whole for word in (*KONGS, b'"by":"self_draw"', b'"by":"discard"')):
            return found
    pytest.fail("no lively game in eighty")


@pytest.fixture(scope="module")
def drawn(lines: list[bytes]) -> list[Frame]:
    return list(frames.film(lines))


def table_of(view: SeatView) -> list[str]:
    """Return all tiles that belong to a seat, its discards left out."""
    tiles = [*view["hand"], *view["flowers"], *(tile for meld in view["melds"] for tile in meld["tiles"])]
    return tiles + ([view["drawn"]] if "drawn" in view else [])


class Books:
    """The same table kept by hand from the records alone: plain lists, no engine."""

    def __init__(self, seats: int) -> None:
        self.hands: list[Counter[str]] = [Counter() for _ in range(seats)]
        self.melds: list[list[tuple[str, ...]]] = [[] for _ in range(seats)]
        self.flowers: list[list[str]] = [[] for _ in range(seats)]
        self.discards: list[list[str]] = [[] for _ in range(seats)]

    def note(self, record: dict[str, Any]) -> None:
        kind, seat = record["type"], record.get("seat", 0)
        hand = self.hands[seat]
        if kind == "dealt":
            hand.update(record["tiles"])
        elif kind == "drawn":
            hand[record["tile"]] += 1
        elif kind == "flower":
            hand[record["tile"]] -= 1
            self.flowers[seat].append(record["tile"])
        elif kind == "discarded":
            hand[record["tile"]] -= 1
            self.discards[seat].append(record["tile"])
        elif kind == "melded":
            hand.subtract(record["tiles"])
            self.melds[seat].append(tuple(sorted([*record["tiles"], record["claimed"]])))
        elif kind == "konged" and record["kind"] == "concealed_kong":
            hand.subtract(record["tiles"])
            self.melds[seat].append(tuple(record["tiles"]))

    def agree(self, frame: Frame) -> None:
        for seat, view in enumerate(frame["seats"]):
            concealed = [*view["hand"], *([view["drawn"]] if "drawn" in view else [])]
            assert Counter(concealed) == +self.hands[seat], frame["seq"]
            assert [tuple(sorted(meld["tiles"])) for meld in view["melds"]] == self.melds[seat]
            assert view["flowers"] == self.flowers[seat]
            assert [each["tile"] for each in view["discards"]] == self.discards[seat]


def test_one_frame_an_event(lines: list[bytes], drawn: list[Frame]) -> None:
    assert [frame["seq"] for frame in drawn] == list(range(len(lines)))
    assert [frame["type"] for frame in drawn] == [load(line)["type"] for line in lines]
    assert all(frame["standing"] == "lawful" and "findings" not in frame for frame in drawn)


def test_the_table_is_that_of_books_kept_by_hand(lines: list[bytes], drawn: list[Frame]) -> None:
    books = Books(4)
    for line, frame in zip(lines, drawn, strict=True):
        record = load(line)
        if record["type"] == "hand_started":
            books = Books(4)
        books.note(record)
        if record["type"] == "konged" and record["kind"] == "added_kong":
            books.hands[record["seat"]][record["tiles"][0]] -= 1
            at = books.melds[record["seat"]].index((record["tiles"][0],) * 3)
            books.melds[record["seat"]][at] += tuple(record["tiles"])
        if frame["seats"]:
            books.agree(frame)


def test_no_tile_is_lost_or_made(lines: list[bytes], drawn: list[Frame]) -> None:
    size = 144 if load(lines[0])["rules"]["id"] == "linhai.144" else 136
    whole = 0
    for frame in drawn:
        if frame["hand"] < 0 or frame["type"] in {"hand_started", "dice", "dealt"}:
            continue
        tiles = [tile for view in frame["seats"] for tile in table_of(view)]
        tiles += [each["tile"] for view in frame["seats"] for each in view["discards"] if "taken" not in each]
        assert len(tiles) + frame["left"] == size, frame
        counts = Counter(tiles)
        assert all(count <= (1 if INDEX[tile] >= FLOWERS else 4) for tile, count in counts.items())
        whole += 1
    assert whole > 400


def test_a_jump_shows_what_stepping_shows(lines: list[bytes], drawn: list[Frame]) -> None:
    places = [
        *range(1, len(lines), 41),
        *(frame["seq"] for frame in drawn if frame.get("mark") == "win"),
        len(lines) - 1,
    ]
    for at in places:
        assert list(frames.film(lines[: at + 1]))[-1] == drawn[at]


def test_later_events_do_not_reach_back(lines: list[bytes], drawn: list[Frame]) -> None:
    assert [json.loads(json.dumps(frame)) for frame in frames.film(lines)] == drawn


def test_a_meld_lies_as_on_a_table(drawn: list[Frame]) -> None:
    kinds = set()
    for frame in drawn:
        for seat, view in enumerate(frame["seats"]):
            for meld in view["melds"]:
                kinds.add(meld["kind"])
                if "claimed" not in meld:
                    assert meld["kind"] == "concealed_kong"
                    continue
                # left: from the seat before; in the middle: from across; right: from the seat after
                size = 2 if meld["kind"] != "direct_kong" else 3
                assert meld["claimed"] == {3: 0, 2: 1, 1: size}[(meld["source"] - seat) % 4]
                if meld["kind"] == "chow":
                    assert meld["claimed"] == 0
    assert kinds == {"chow", "pung", "direct_kong", "added_kong", "concealed_kong"}


def test_marks_of_a_discard(lines: list[bytes], drawn: list[Frame]) -> None:
    for line, frame in zip(lines, drawn, strict=True):
        record = load(line)
        if record["type"] == "discarded":
            newest = frame["seats"][record["seat"]]["discards"][-1]
            assert newest.get("drawn", False) == record.get("drawn", False)
            assert frame["last"] == {"seat": record["seat"], "what": "discard", "tile": record["tile"]}
        elif record["type"] == "melded":
            taken = frame["seats"][record["from"]]["discards"][-1]
            assert taken["tile"] == record["claimed"]
            assert taken["taken"] == record["seat"]
        elif record["type"] == "won" and record["by"] == "discard":
            assert frame["seats"][record["from"]]["discards"][-1]["won"] is True
            assert frame["seats"][record["seat"]]["win"] == record["tile"]


def test_the_window_holds_who_is_asked_and_the_answers(lines: list[bytes], drawn: list[Frame]) -> None:
    seen = 0
    for line, frame, after in zip(lines, drawn, [*drawn[1:], None], strict=True):
        record = load(line)
        if record["type"] == "answered":
            seen += 1
            here = next(each for each in frame["window"]["asked"] if each["seat"] == record["seat"])
            assert here["answer"] == record["answer"]
            assert record["answer"] == "pass" or record["answer"] in here["may"]
            assert frame["window"]["to"] == record["to"]
        elif "window" in frame:
            assert record["type"] in {"discarded", "konged"}
            assert all("answer" not in each for each in frame["window"]["asked"])
            assert after is not None
            assert after["type"] == "answered"
    assert seen > 20


def test_settlements_are_those_of_the_log(lines: list[bytes], drawn: list[Frame]) -> None:
    running = [0, 0, 0, 0]
    hands = [view for view in frames.hands(drawn) if view["hand"] >= 0]
    settled = [load(line) for line in lines if load(line)["type"] == "settled"]
    ended = [load(line) for line in lines if load(line)["type"] == "hand_ended"]
    assert len(hands) == len(settled) == len(ended) == 6
    for view, record, end in zip(hands, settled, ended, strict=True):
        settlement = drawn[record["seq"]]["settlement"]
        assert settlement["payments"] == record["payments"] == view.get("payments")
        assert sum(line["amount"] for line in settlement["lines"]) == sum(max(0, paid) for paid in record["payments"])
        assert [line["clause"] for line in settlement["lines"]] == [line["clause"] for line in record["lines"]]
        assert [winner["seat"] for winner in settlement["winners"]] == [each["seat"] for each in record["winners"]]
        running = [total + paid for total, paid in zip(running, record["payments"], strict=True)]
        assert running == end["scores"] == view["scores"]
        assert view["first"] < record["seq"] < view["last"]


def test_the_wall_and_the_winds(lines: list[bytes], drawn: list[Frame]) -> None:
    for line, frame in zip(lines, drawn, strict=True):
        record = load(line)
        if record["type"] == "drawn":
            assert frame["left"] == record["left"]
        if record["type"] == "hand_started":
            assert frame["winds"][record["dealer"]] == "E"
            assert frame["winds"][(record["dealer"] + 1) % 4] == "S"
            assert (frame["dealer"], frame["round_wind"]) == (record["dealer"], record["round_wind"])


@pytest.fixture(scope="module")
def forged() -> list[bytes]:
    return overpaid(game("linhai", 5))


def test_a_wrong_settlement_is_marked_and_the_rest_is_what_should_be(forged: list[bytes]) -> None:
    result = Replay()
    drawn = list(frames.film(forged, result))
    found = [frame for frame in drawn if "findings" in frame]
    assert found[0]["type"] == "settled"
    first = found[0]["findings"][0]
    assert (first["level"], first["clause"], first["seq"]) == (7, "linhai.pay.discard", found[0]["seq"])
    assert first["expected"] != first["found"] == load(forged[found[0]["seq"]])["payments"]
    assert {frame["standing"] for frame in drawn[: found[0]["seq"]]} == {"lawful"}
    assert {frame["standing"] for frame in drawn[found[0]["seq"] :]} == {"expected"}
    assert found[0]["settlement"]["payments"] == first["found"]
    honest = list(frames.film(game("linhai", 5)))
    assert [frame["seats"] for frame in drawn] == [frame["seats"] for frame in honest]
    views = frames.hands(drawn)
    assert sum(view["findings"] for view in views) == len([f for f in result.findings if not f.fault.follows])


@pytest.mark.parametrize(
    "line", [b"not json", b'{"type":"drawn"}', b"[1]", b"\xff\xfe", b'{"a":' + b"[" * 3000, b'{"seq":9,"type":7}']
)
def test_after_an_unreadable_event_the_table_stands_still(line: bytes) -> None:
    lines = game("linhai", 5)
    drawn = list(frames.film([*lines[:120], line, *lines[121:140]]))
    assert len(drawn) == 140
    assert drawn[120]["standing"] == "recorded"
    assert drawn[120]["findings"][0]["code"] == "schema"
    assert all(frame["seats"] == drawn[119]["seats"] and "window" not in frame for frame in drawn[120:])
    assert all(frame["words"]["en"] and frame["words"]["zh"] for frame in drawn)


def test_nothing_to_read() -> None:
    assert list(frames.film([])) == []
    empty = frames.picture([])
    assert (empty["frames"], empty["hands"], empty["players"]) == ([], [], [])
    strange = frames.picture([b"?"])
    assert strange["frames"][0]["standing"] == "recorded"
    assert strange["frames"][0]["seats"] == []


def clause_text(clause: str) -> Any:
    return {"linhai.pay.discard": {"en": "the discarder pays", "zh": "放铳者付"}}[clause]


def test_a_picture_knows_its_clauses_and_foreign_marks(forged: list[bytes]) -> None:
    mark = {"level": 4, "seq": 30, "code": "chain", "clause": "ledger.4", "expected": "a", "found": "b"}
    whole = frames.picture(forged, clause_text=clause_text, marks=[mark])  # type: ignore[list-item]
    assert whole["frames"][30]["findings"] == [mark]
    assert whole["clauses"] == {"linhai.pay.discard": {"en": "the discarder pays", "zh": "放铳者付"}}
    assert (whole["rules"], whole["rules_name"]["zh"]) == ("linhai", "临海麻将")
    assert sorted(whole["players"]) == sorted(entry["player"] for entry in load(forged[0])["seats"])


def test_packed_is_small_and_the_same_each_time(lines: list[bytes]) -> None:
    whole = frames.picture(lines)
    packed = frames.packed(whole)
    assert packed == frames.packed(frames.picture(lines))
    assert json.loads(gzip.decompress(packed)) == whole
    assert len(packed) / 6 < 8_000  # bytes a hand; viewer.md 0.2 measured 4.4 KB


def test_one_hand_of_a_picture(lines: list[bytes]) -> None:
    whole = frames.picture(lines)
    part = frames.one_hand(whole, 2)
    assert {frame["hand"] for frame in part["frames"]} == {2}
    view = next(each for each in whole["hands"] if each["hand"] == 2)
    assert part["frames"] == whole["frames"][view["first"] : view["last"] + 1]
    assert part["hands"] == whole["hands"]
    assert {frame["hand"] for frame in frames.one_hand(whole, 99)["frames"]} == {-1}


def test_hands_cover_every_frame_once(drawn: list[Frame]) -> None:
    views = frames.hands(drawn)
    assert [view["first"] for view in views] == [0, *(view["last"] + 1 for view in views[:-1])]
    assert views[-1]["last"] == len(drawn) - 1
    assert all(view["result"]["en"] and view["result"]["zh"] for view in views[1:])


def test_a_robbed_kong_is_a_pung_again() -> None:
    for seed in range(60):
        lines = game("linhai", seed, rob_kong="as_discard")
        records = [load(line) for line in lines]
        won = next((record for record in records if record["type"] == "won" and record["by"] == "robbed"), None)
        if won is None:
            continue
        drawn = list(frames.film(lines))
        konged = max(r["seq"] for r in records if r["type"] == "konged" and r["seq"] < won["seq"])
        before = next(m for m in drawn[konged]["seats"][won["from"]]["melds"] if m.get("pending"))
        assert (before["kind"], before["tiles"]) == ("added_kong", [won["tile"]] * 4)
        after = [m for m in drawn[won["seq"]]["seats"][won["from"]]["melds"] if won["tile"] in m["tiles"]]
        assert [(m["kind"], len(m["tiles"])) for m in after] == [("pung", 3)]
        assert drawn[won["seq"]]["seats"][won["seat"]]["win"] == won["tile"]
        return
    pytest.fail("no robbed kong in sixty games")


def concealed(drawn: list[Frame]) -> list[MeldView]:
    melds = [meld for frame in drawn for view in frame["seats"] for meld in view["melds"]]
    return [meld for meld in melds if meld["kind"] == "concealed_kong"]


def test_a_concealed_kong_left_closed_by_the_rules(drawn: list[Frame]) -> None:
    assert concealed(drawn)
    assert not any("closed" in meld for meld in concealed(drawn))
    for seed in range(80):
        closed = concealed(list(frames.film(game("linhai", seed, concealed_kong_open=False))))
        if closed:
            assert all(meld["closed"] for meld in closed)
            return
    pytest.fail("no concealed kong in eighty games")


def test_a_voided_hand_is_marked() -> None:
    lines = game("linhai", 5)
    at = next(i for i, line in enumerate(lines) if load(line)["type"] == "discarded")
    record = load(lines[at])
    void = {"actor": "op", "at": record["at"], "game": record["game"], "hand": 0, "reason": "outage", "seq": at,
            "type": "voided", "v": 1}  # fmt: skip
    drawn = list(frames.film([*lines[:at], canonical(void)]))
    assert drawn[-1]["mark"] == "void"
    assert drawn[-1]["seats"] == drawn[-2]["seats"]
    assert frames.hands(drawn)[-1]["result"] == {"en": "void", "zh": "作废"}


@pytest.mark.parametrize(("preset", "draw"), [("linhai", "黄牌"), ("dinghai", "流局"), ("hainan.nofan", "荒庄")])
def test_a_hand_without_a_winner_is_called_as_its_game_calls_it(preset: str, draw: str) -> None:
    lines = game("linhai", 13)
    whole = frames.picture(lines)
    at = next(place for place, frame in enumerate(whole["frames"]) if frame.get("mark") == "draw")
    assert whole["frames"][at]["words"]["zh"] == "黄牌：无牌可摸"
    assert whole["draw"]["zh"] == "黄牌"
    told = [view["result"]["zh"] for view in frames.hands(whole["frames"][: at + 1], preset)]
    assert told[-1] == draw
    record = {"winners": [], "payments": [0, 0, 0, 0],
              "lines": [{"from": 0, "to": 1, "amount": 1, "reason": "drawn_hand", "clause": "DH-34"}]}  # fmt: skip
    shown = settlements.view(record, preset)
    assert shown is not None
    assert shown["lines"][0]["reason"]["zh"] == draw

"""A seat's view: what is left out of another's events, when it is shown again, and that no tile can be guessed."""

from hashlib import sha256
from pathlib import Path

import pytest

from engine.cards import CARDS, KINDS
from engine.events import Record, canonical, load
from engine.view import HIDDEN, View, first_shown, shown_now

DATA = Path(__file__).parents[2] / "data"
GAMES = sorted(DATA.glob("*/golden/*.paipu.jsonl"))


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def event(kind_: str, **fields: object) -> Record:
    return {"at": 1, "game": "g", "seq": 9, "type": kind_, "v": 1, **fields}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name.removesuffix(".paipu.jsonl"))
def test_every_event_of_every_golden_game_as_each_seat_is_shown_it(path: Path) -> None:
    lines = lines_of(path)
    if b'"riichi' in lines[0]:
        pytest.skip("an imported riichi record has no seats that are shown anything")
    opened = load(lines[0])
    order = next((load(line)["order"] for line in lines if b'"type":"seated"' in line), None)
    for entry in opened["seats"]:
        witness = entry["kind"] == "witness"
        place = None if witness else order.index(entry["player"]) if order else entry["seat"]
        for line, shown in zip(lines, first_shown(lines, entry["seat"]), strict=True):
            record, seen = load(line), load(shown)
            assert set(seen) <= set(record)
            assert all(seen[name] == record[name] for name in seen)
            left_out = set(record) - set(seen)
            mine = entry["seat"] if record["type"] in {"committed", "entropy"} else place
            if record.get("seat") == mine or "seat" not in record:
                assert left_out == set()
            else:
                assert left_out <= {*HIDDEN.get(record["type"], ()), "sig"}
                if record["type"] in {"dealt", "drawn", "answered", "buried"}:
                    assert not set(HIDDEN[record["type"]]) & set(seen)
        assert shown_now(lines, entry["seat"]) == lines  # the game is closed


def test_a_reveal_opens_a_hand_and_a_closed_window_its_answers() -> None:
    lines = lines_of(DATA / "linhai/golden/linhai.paipu.jsonl")
    kinds = [load(line)["type"] for line in lines]
    reveal = kinds.index("revealed")
    before = shown_now(lines[:reveal], 0)
    assert before != lines[:reveal]
    assert shown_now(lines[: reveal + 1], 0) == lines[: reveal + 1]
    for place in [place for place, kind in enumerate(kinds) if kind == "answered"][:30]:
        for seat in range(4):
            now = [load(line) for line in shown_now(lines[: place + 1], seat)]
            later = [load(line) for line in shown_now(lines[: place + 2], seat)]
            mine = load(lines[place])["seat"]
            order = load(lines[kinds.index("seated")])["order"]
            player = load(lines[0])["seats"][seat]["player"]
            assert ("answer" in now[place]) is (order.index(player) == mine)
            assert ("answer" in later[place]) is (order.index(player) == mine or kinds[place + 1] != "answered")


def test_the_last_reveal_opens_the_entropy() -> None:
    view = View(0)
    for seat in range(3):
        view.first_shown(event("committed", seat=seat, commit="00"))
    shown = [load(view.first_shown(event("entropy", seat=seat, reveal="aa"))) for seat in (1, 0, 2)]
    assert [("reveal" in each) for each in shown] == [False, True, True]
    lines = [canonical(event("committed", seat=seat, commit="00")) for seat in range(2)]
    lines += [canonical(event("entropy", seat=seat, reveal="aa")) for seat in (1, 0)]
    assert shown_now(lines, 0) == lines
    assert b"reveal" not in shown_now(lines[:3], 0)[2]


def test_a_concealed_kong_lies_as_the_rules_say() -> None:
    lines = lines_of(DATA / "linhai/golden/linhai.paipu.jsonl")
    kong = event("konged", seat=2, kind="concealed_kong", tiles=["5p"] * 4)
    known, unknown = View(0), View(0)
    known.first_shown(load(lines[0]))
    unknown.first_shown(load(lines[0]) | {"rules": {"id": "nobody", "options": {}, "digest": "00" * 32}})
    assert "tiles" in load(known.first_shown(kong))  # Linhai shows it: LH-29
    assert "tiles" not in load(unknown.first_shown(kong))  # where the rules are not known, less is shown
    assert "tiles" in load(unknown.first_shown(kong | {"kind": "added_kong"}))


def test_a_taken_kitty_is_shown_up_to_the_bid_of_the_rules() -> None:
    lines = lines_of(next((DATA / "three_one/golden").glob("*.paipu.jsonl")))
    for bid, shown in ((65, True), (70, False)):
        view = View(0)
        view.first_shown(load(lines[0]))
        view.first_shown(event("hand_started", hand=0, dealer=0))
        view.first_shown(event("bid", seat=1, bid=bid))
        assert ("cards" in load(view.first_shown(event("kitty", seat=1, cards=["2C"])))) is shown


def test_what_was_refused_to_another_shows_no_tile() -> None:
    tried = {"type": "answered", "seat": 2, "to": 7, "answer": "chow", "tiles": ["1m", "2m"]}
    view = View(0)
    shown = load(view.first_shown(event("refused", seat=2, tried=tried, clause="x", sig={"head": "a"})))
    assert shown == event("refused", seat=2, tried={"type": "answered", "seat": 2, "to": 7}, clause="x")
    own = event("refused", seat=0, tried=tried | {"seat": 0}, clause="x")
    view.place = 0
    assert load(view.first_shown(own)) == own


SECRETS = [
    ("dealt", {"tiles": ["TILE", "2m", "3m"]}),
    ("drawn", {"tile": "TILE", "end": "head", "left": 80}),
    ("answered", {"to": 7, "answer": "chow", "tiles": ["TILE", "2m"]}),
    ("konged", {"kind": "concealed_kong", "tiles": ["TILE"] * 4}),
    ("buried", {"cards": ["TILE"]}),
    ("kitty", {"cards": ["TILE"]}),
    (
        "refused",
        {"tried": {"type": "answered", "seat": 2, "to": 7, "answer": "pung", "tiles": ["TILE"]}, "clause": "x"},
    ),
]


def chain_of(shown: list[bytes]) -> bytes:
    chain = sha256(b"\x02genesisg").digest()
    for data in shown:
        chain = sha256(b"\x02" + chain + sha256(b"\x00" + data).digest()).digest()
    return chain


@pytest.mark.parametrize(("kind", "fields"), SECRETS, ids=[kind for kind, _ in SECRETS])
def test_no_hidden_tile_can_be_guessed_from_what_another_seat_is_shown(kind: str, fields: dict[str, object]) -> None:
    """All that seat 0 is shown is the same whatever tile it is, the next signed command of its holder among it.

    Of the holder's own view another chain follows for each tile: 34 guesses find it in his `sig`, were that shown.
    """
    codes = [*KINDS, *CARDS]
    for other in (0, 1, 3):
        seen, heads = set(), set()
        for tile in codes:
            secret = load(canonical(event(kind, seat=2, **fields)).replace(b"TILE", tile.encode()))
            mine = View(2)
            mine.place = 2
            head = chain_of([mine.first_shown(secret)])
            heads.add(head)
            sig = {"head": head.hex(), "seen": 1, "sig": sha256(head).hexdigest() * 2}
            view = View(other)
            view.place = other
            shown = [view.first_shown(secret), view.first_shown(event("discarded", seat=2, tile="1m", sig=sig))]
            seen.add((*shown, chain_of(shown)))
            lines = [canonical(secret), canonical(event("discarded", seat=2, tile="1m", sig=sig))]
            now = shown_now(lines, other)
            if kind != "answered":  # its window is closed by then: the answer is told, the signature is not
                seen.add((now[0], now[1], chain_of(shown)))
            assert b"sig" not in b"".join(now)
        assert len(seen) == 1
        assert len(heads) == len(codes)


@pytest.mark.parametrize(
    "record",
    [{}, {"type": 7}, {"type": ["opened"]}, {"type": "opened", "seats": 4}, {"type": "opened", "seats": [1, {}]},
     {"type": "seated", "order": "x"}, {"type": "bid", "bid": "x", "seat": []},
     {"type": "refused", "seat": 1, "tried": 3},
     {"type": "refused", "seat": {}, "tried": {"type": {}}}, {"type": "kitty", "seat": None}],
)  # fmt: skip
def test_the_view_is_total_on_records_of_any_kind(record: Record) -> None:
    view = View(0)
    assert load(view.first_shown(record)).keys() <= record.keys()

"""What the table shows of a Niuniu hand: bids, the bank, bets, escapes, then each hand's worth and its three cards."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.events import load
from viewer.frames import film

GOLDEN = Path(__file__).parents[2] / "data" / "niuniu" / "golden"


def drawn(name: str) -> Iterator[tuple[dict[str, Any], Any]]:
    lines = (GOLDEN / f"{name}.paipu.jsonl").read_bytes().splitlines()
    for line, frame in zip(lines, film(lines), strict=True):
        yield load(line), frame


def test_notes_follow_the_hand() -> None:
    seen = set()
    shown: dict[int, str] = {}
    for record, frame in drawn("national-see4"):
        assert frame["standing"] == "lawful"
        kind = record["type"]
        if kind == "bid":
            assert frame["seats"][record["seat"]]["note"]["en"] == f"bid {record['bid']}"
        if kind == "banker":
            assert frame["seats"][record["seat"]]["note"]["zh"] == f"庄 ×{record['bid']}"
        if kind == "bet":
            assert frame["seats"][record["seat"]]["note"]["en"] == f"bet {record['amount']}"
        if kind == "shown":
            shown[record["seat"]] = record["bull"]
            assert frame["seats"][record["seat"]]["hand"] == record["cards"]
        if kind == "settled" and shown:
            for seat, bull in shown.items():
                note = frame["seats"][seat]["note"]["en"]
                assert "×" in note
                assert (bull == "none") == ("no bull" in note)
                three = note.rpartition("×")[2].split()[1:]
                assert set(three) <= set(frame["seats"][seat]["hand"])
                assert len(three) in {0, 3}
            shown = {}
        seen.add(kind)
    assert {"bid", "banker", "bet", "shown", "settled"} <= seen


def test_ten_seats_and_no_bank() -> None:
    last = [frame for record, frame in drawn("national-tongbi") if record["type"] == "settled"]
    assert len(last) == 4
    for frame in last:
        assert len(frame["seats"]) == 10
        assert not any("bank" in seat["note"]["en"] for seat in frame["seats"])


def test_an_escape_is_shown() -> None:
    found = 0
    for name in ("zhenan", "zhenan-points", "national-see4"):
        for record, frame in drawn(name):
            if record["type"] == "escaped" and frame["seats"][record["seat"]]["note"]["zh"] == "逃跑":
                found += 1
    assert found

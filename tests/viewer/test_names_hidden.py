"""What a regulator's browser is sent, page by page: no player's id in any byte until he asks, and then it is logged."""

import base64
import gzip
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from one_page import open_page
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

from ledger.merkle import leaf
from viewer import access, cases, notes
from viewer.access import PAGES, pseudonym
from viewer.cases import Subject
from viewer.targets import open_log

AT = 1_900_000_000_000
PLAYERS = ("zhang.wei@club", "O'Brien", "李小龙", "player-4711")
OTHERS = ("somebody.else", "another-one", "third.person", "fourth_person")
Play = Callable[[Sequence[str], str], list[bytes]]


@pytest.fixture(scope="module")
def ledger(one_hand: Play, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two games, one of them opened under other ids by a second ledger, and a case in which everybody is named."""
    folder = tmp_path_factory.mktemp("named")
    mine, other = f"sqlite:///{folder / 'mine.db'}", f"sqlite:///{folder / 'other.db'}"
    game = one_hand(PLAYERS, "named")
    log, _ = open_log(mine, operator="simulated", clock=lambda: AT)
    with log:
        log.append("named", 0, game, seal=True, close=True)
        log.append("elsewhere", 0, one_hand(OTHERS, "elsewhere"), seal=True, close=True)
        # An event at fault that quotes ids: its finding does, too.
        wrong = [line.replace(b'"player":"O\'Brien"', b'"player":"player-4711"') for line in game]
        log.append("wrong", 0, [line.replace(b'"named"', b'"wrong"') for line in wrong], seal=True, close=True)
        words = f"{PLAYERS[0]} and {PLAYERS[2]} spoke; {PLAYERS[3]} won"
        cases.open_case(log, mine, "case-1", Subject("named", 0), by=PLAYERS[1], claim=words, jurisdiction="nj", at=AT)
        cases.decide(log, mine, "case-1", by="judge", outcome="rejected", reason=f"{PLAYERS[3]} was right", at=AT)
    second, _ = open_log(other, operator="simulated", clock=lambda: AT)
    with second:
        renamed = [line.replace(b"zhang.wei@club", b"zhang.wei@home") for line in game]
        second.append("named", 0, renamed, seal=True, close=True)
    return f"{mine}\n{other}"


class Wire:
    """Everything that goes to the browser: messages, the table's packed payload, files offered for download."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[bytes] = []
        queued, offered = ForwardMsgQueue.enqueue, DeltaGenerator.download_button

        def enqueue(queue: ForwardMsgQueue, message: Any) -> None:
            self.sent.append(message.SerializeToString())
            queued(queue, message)

        def download(area: DeltaGenerator, label: str, data: bytes | Callable[[], bytes], **rest: Any) -> bool:
            taken = data() if callable(data) else data
            self.sent.append(gzip.decompress(taken) if taken[:2] == b"\x1f\x8b" else taken)
            return offered(area, label, data, **rest)

        monkeypatch.setattr(ForwardMsgQueue, "enqueue", enqueue)
        monkeypatch.setattr(DeltaGenerator, "download_button", download)
        monkeypatch.setattr(st, "download_button", lambda label, data, **rest: download(st._main, label, data, **rest))

    def take(self, found: AppTest) -> str:
        """Return what was sent since the last time, as one text."""
        for mounted in found.get("bidi_component"):
            given = json.loads(mounted.proto.json)  # type: ignore[attr-defined]
            unpacked = json.loads(gzip.decompress(base64.b64decode(given.pop("packed"))))
            self.sent += [json.dumps(each, ensure_ascii=False).encode() for each in (given, unpacked)]
        self.sent.append(json.dumps(dict(found.query_params)).encode())
        whole = b"\n".join(self.sent).decode("utf-8", "replace")
        self.sent.clear()
        return whole.replace("\\", "")  # Markdown and JSON escapes


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    return Wire(monkeypatch)


def named_in(text: str) -> list[str]:
    ascii_forms = {each: json.dumps(each)[1:-1].replace("\\", "") for each in (*PLAYERS, *OTHERS, "zhang.wei@home")}
    return [each for each, escaped in ascii_forms.items() if each in text or escaped in text]


OF_A_GAME = ("replay", "payouts", "proof", "compare")


@pytest.mark.parametrize(
    ("page", "game"),
    [(page, "named") for page in sorted(PAGES["regulator"])] + [(page, "wrong") for page in OF_A_GAME],
)
def test_no_byte_of_a_page_holds_a_players_id(
    monkeypatch: pytest.MonkeyPatch, ledger: str, wire: Wire, page: str, game: str
) -> None:
    query = {"game": game} if page in OF_A_GAME else {}
    found = open_page(monkeypatch, ledger, page, "regulator", **query)
    assert named_in(wire.take(found)) == []
    if page == "disputes":
        assert not [each for each in found.button if each.key == "bundle"]
    if page not in {"fairness", "file"}:
        found.toggle(key="names_asked").set_value(True).run()
        assert not found.exception
        told = named_in(wire.take(found))
        assert told or page == "proof"
        if page == "proof":
            assert "verify-receipt" in found.code[-1].value


def test_the_file_of_a_game_is_given_once_names_are_shown(
    monkeypatch: pytest.MonkeyPatch, ledger: str, wire: Wire
) -> None:
    found = open_page(monkeypatch, ledger, "proof", "regulator", game="named")
    events = "game\\-named\\.bundle\\.gz"
    assert events not in [each.label for each in found.get("download_button")]
    found.toggle(key="names_asked").set_value(True).run()
    assert events in [each.label for each in found.get("download_button")]
    assert "zhang.wei@club" in wire.take(found)


def test_the_search_finds_pseudonyms_and_no_ids(monkeypatch: pytest.MonkeyPatch, ledger: str, wire: Wire) -> None:
    found = open_page(monkeypatch, ledger, "games", "regulator")

    def games(words: str) -> list[str]:
        found.text_input(key="find").set_value(words).run()
        assert not found.exception
        return [] if found.dataframe[0].value.empty else list(found.dataframe[0].value.iloc[:, 0])

    assert games(pseudonym(PLAYERS[0])) == ["named", "wrong"]
    assert games(pseudonym(OTHERS[0])) == ["elsewhere"]
    assert games("zhang.wei@club") == []
    wire.take(found)
    found.text_input(key="find").set_value("").run()
    found.toggle(key="names_asked").set_value(True).run()
    assert games("zhang.wei@club") == ["named", "wrong"]
    assert games(pseudonym(PLAYERS[0])) == []


def test_a_dropped_file_is_shown_without_names(
    monkeypatch: pytest.MonkeyPatch, ledger: str, wire: Wire, one_hand: Play
) -> None:
    found = open_page(monkeypatch, ledger, "file", "regulator")
    data = b"\n".join(one_hand(PLAYERS, "named")) + b"\n"
    found.file_uploader(key="dropped").set_value([("g.paipu.jsonl", data, "application/jsonl")]).run()
    assert not found.exception
    assert found.get("bidi_component")
    assert named_in(wire.take(found)) == []


def test_hidden_events_have_no_hash(monkeypatch: pytest.MonkeyPatch, ledger: str, wire: Wire, one_hand: Play) -> None:
    found = open_page(monkeypatch, ledger, "replay", "regulator", game="named", hand="-1")
    opened = one_hand(PLAYERS, "named")[0]
    text = wire.take(found)
    assert '"type":"committed"' in text, "the bytes of events that name nobody are shown"
    assert '"type":"opened"' not in text
    assert leaf(opened).hex() not in text
    assert leaf("…".encode()).hex() not in text


@pytest.mark.parametrize("page", sorted(PAGES["player"]))
def test_a_player_is_told_of_nobody_he_does_not_play_with(
    monkeypatch: pytest.MonkeyPatch, ledger: str, wire: Wire, page: str
) -> None:
    found = open_page(monkeypatch, ledger, page, f"player:{PLAYERS[1]}")
    told = named_in(wire.take(found))
    assert not set(told) & {*OTHERS, "zhang.wei@home"}


def test_words_of_a_case_are_for_who_wrote_them(monkeypatch: pytest.MonkeyPatch, ledger: str, wire: Wire) -> None:
    for player, own in ((PLAYERS[1], True), (PLAYERS[0], False)):
        text = wire.take(open_page(monkeypatch, ledger, "disputes", f"player:{player}"))
        assert "case-1" in text
        assert ("spoke" in text) == own
        assert ("was right" in text) == own
    text = wire.take(open_page(monkeypatch, ledger, "disputes", f"player:{OTHERS[0]}"))
    assert "case-1" not in text


def test_a_regulators_own_notes_are_kept(monkeypatch: pytest.MonkeyPatch, ledger: str, tmp_path: Path) -> None:
    monkeypatch.setenv(access.NOTES, str(tmp_path / "notes"))
    monkeypatch.setenv(access.READ_ONLY, "1")
    found = open_page(monkeypatch, ledger, "replay", "regulator", game="named")
    found.session_state["noting"] = 3
    found.run()
    found.text_area(key="note_words").set_value("look here")
    found.button[[each.label for each in found.button].index("Keep the note")].click().run()
    assert not found.exception
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]
    assert notes.place(ledger.split("\n", maxsplit=1)[0]) == tmp_path / "notes"

"""The pages of money, proof, comparison and dropped files, without a browser."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from engine.events import load
from viewer import verdict
from viewer.games import games, lines
from viewer.names import md
from viewer.page import dropped
from viewer.table import component
from viewer.targets import beside

Opener = Callable[..., AppTest]


def _games() -> None:
    from viewer.page import games

    games.show()


def _payouts() -> None:
    from viewer.page import payouts

    payouts.show()


def _proof() -> None:
    from viewer.page import proof

    proof.show()


def _compare() -> None:
    from viewer.page import compare

    compare.show()


def _file() -> None:
    from viewer.page import file

    file.show()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opener:
    def open_page(page: Callable[[], None], *ledgers: str, **query: str) -> AppTest:
        monkeypatch.setenv("PAIPU_LEDGER", "\n".join(ledgers))
        monkeypatch.setattr("sys.argv", ["app.py"])
        app = AppTest.from_function(page, default_timeout=120)
        for name, value in query.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return app

    return open_page


def cells(app: AppTest) -> str:
    tables = "\n".join(table.value.to_string() for table in app.table)
    return tables.replace("\\", "")


def charts(app: AppTest) -> str:
    specs = [json.loads(each.proto.spec) for each in app.get("vega_lite_chart")]  # type: ignore[attr-defined]
    return json.dumps(specs, ensure_ascii=False)


def in_address(app: AppTest, name: str) -> str:
    found = app.query_params[name]
    return found if isinstance(found, str) else found[-1]


def told(app: AppTest) -> str:
    kinds = ("markdown", "caption", "info", "error", "warning", "success")
    return "\n".join(str(element.value) for kind in kinds for element in app.get(kind))


def test_payouts_sum_to_zero_and_cite_their_clauses(opened: Opener, club: str) -> None:
    game = games(club)[0].id
    app = opened(_payouts, club, game=game, hand="1")
    assert "sums to zero" in told(app)
    settled = [record for record in map(load, lines(club, game)) if record["type"] == "settled"]
    assert all(line["clause"] in cells(app) for line in settled[1]["lines"])
    matrix = app.table[0].value
    assert int(matrix["Sum"].iloc[-1]) == sum(line["amount"] for each in settled for line in each["lines"])


def test_payouts_of_a_forgery_say_so(opened: Opener, forged_club: str) -> None:
    app = opened(_payouts, forged_club)
    assert "do not add up" in app.error[0].value


@pytest.mark.parametrize(("language", "names"), [("en", ("as recorded", "as derived")), ("zh", ("按记录", "按推演"))])
def test_totals_that_part_are_drawn_both_and_named(
    opened: Opener, club: str, forged_club: str, language: str, names: tuple[str, str]
) -> None:
    assert "strokeDash" not in charts(opened(_payouts, club, lang=language))
    app = opened(_payouts, forged_club, lang=language)
    assert "strokeDash" in charts(app)
    assert all(name in charts(app) for name in names)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_proof_shows_every_step(opened: Opener, club: str, language: str) -> None:
    game = games(club)[0].id
    app = opened(_proof, club, game=game, hand="2", lang=language)
    records = list(map(load, lines(club, game)))
    started = next(record for record in records if record["type"] == "hand_started" and record["hand"] == 2)
    plain = cells(app).replace(" ", "")
    assert started["wall_root"] in plain
    assert "✗" not in plain
    assert "✓" in plain
    app.number_input(key="proof_tile").set_value(143).run()
    assert "W[143]" in cells(app)
    assert not app.exception


def test_a_receipt_can_be_taken_away_and_dropped_in(opened: Opener, club: str) -> None:
    from viewer.page.proof import receipt_files

    game = games(club)[0]
    files = receipt_files(club, game.id, game.size)
    offered = opened(_proof, club, game=game.id).get("download_button")
    checked_with = [beside(club).policy.name, "verify_receipt.py"]
    assert [each.proto.label for each in offered] == [md(name, 120) for name in (*files, *checked_with)]  # type: ignore[attr-defined]
    (name, proof), _ = files.items()
    found = dropped.read(name, proof)
    assert found.receipt is not None
    assert found.receipt.entry.game == game.id
    app = opened(_file, club)
    app.get("file_uploader")[0].upload(name, proof, "application/octet-stream").run()
    assert "The receipt holds" in told(app)
    changed = proof.replace(f'"size":{game.size}'.encode(), b'"size":1')
    assert changed == proof or dropped.read(name, changed).receipt is not None


def test_a_dropped_game_is_judged_and_drawn(opened: Opener, club: str, forged_club: str) -> None:
    for ledger, sign in ((club, "✓"), (forged_club, "✗")):
        data = b"\n".join(lines(ledger, games(ledger)[0].id)) + b"\n"
        app = opened(_file, club)
        app.get("file_uploader")[0].upload("game.paipu.jsonl", data, "application/jsonl").run()
        assert not app.exception
        assert f"{sign} game" in told(app).replace("\\", "")
        assert app.get("bidi_component")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.paipu.jsonl", b"nothing of the kind"),
        ("x.tlog-proof", b"no receipt"),
        ("x.mjlog", b"\x1f\x8b" + bytes(40)),
        ("x", b"\xff\xfe\x00"),
        ("x.json", b'{"a":' * 4000),
        ("", b""),
        ("large", bytes(dropped.MOST + 1)),
    ],
)
def test_what_is_none_of_ours_is_refused_in_one_line(name: str, data: bytes) -> None:
    with pytest.raises(dropped.DropError) as refused:
        dropped.read(name, data)
    assert "\n" not in str(refused.value)


def test_a_foreign_record_can_be_dropped(opened: Opener, club: str) -> None:
    sample = Path(__file__).parents[2] / "data" / "riichi.tenhou" / "game.mjlog"
    if not sample.exists():
        pytest.skip("no foreign record of our own in data/")
    app = opened(_file, club)
    app.get("file_uploader")[0].upload(sample.name, sample.read_bytes(), "application/xml").run()
    assert not app.exception
    assert app.get("bidi_component")


def test_two_ledgers_part_at_the_forged_settlement(opened: Opener, club: str, forged_club: str) -> None:
    game = games(club)[0].id
    app = opened(_compare, club, forged_club, game=game)
    first = next(
        seq
        for seq, (mine, its) in enumerate(zip(lines(club, game), lines(forged_club, game), strict=True))
        if mine != its
    )
    assert f"First divergence: event {first}" in app.error[0].value
    assert "payments" in cells(app)
    assert "≠" in cells(app)


def test_the_same_log_is_the_same(opened: Opener, club: str) -> None:
    app = opened(_compare, club, game=games(club)[0].id)
    data = b"\n".join(lines(club, games(club)[0].id)) + b"\n"
    app.get("file_uploader")[0].upload("same.jsonl", data, "application/jsonl").run()
    assert "same, byte for byte" in told(app)


def test_other_options_are_listed_with_what_was_paid(opened: Opener, club: str) -> None:
    game = games(club)[0].id
    app = opened(_compare, club, game=game)
    settled = next(record for record in map(load, lines(club, game)) if record["type"] == "settled")
    row = app.table[-1].value.iloc[0]
    shown = [int(str(cell).replace("−", "-").replace("\\", "")) for cell in list(row)[1:]]
    assert shown == settled["payments"]
    assert len(app.table[-1].value) > 1


def test_hostile_names_stay_text_on_every_page(opened: Opener, hostile_club: str) -> None:
    for page in (_payouts, _proof, _compare):
        app = opened(page, hostile_club, game="hostile")
        whole = told(app) + "\n".join(table.value.to_string() for table in app.table)
        assert not re.search(r"(?<!\\)<img|(?<!\\)!\[|\u202e|(?<!\\)\[a\]", whole)


def test_the_four_colours_reach_clubs_and_diamonds_alone() -> None:
    sprite = component.tiles()
    for code, marked in (("AC", "--club"), ("TD", "--diamond"), ("AS", ""), ("KH", ""), ("C", ""), ("5m", "")):
        symbol = re.search(rf'<symbol id="t-{code}".*?</symbol>', sprite, re.DOTALL)
        assert symbol is not None
        assert ("var(" in symbol[0]) == bool(marked)
        assert marked in symbol[0]


APP = Path(__file__).parents[2] / "viewer" / "app.py"


def games_page(monkeypatch: pytest.MonkeyPatch, *ledgers: str) -> AppTest:
    monkeypatch.setenv("PAIPU_LEDGER", "\n".join(ledgers))
    monkeypatch.setattr("sys.argv", ["app.py"])
    app = AppTest.from_file(str(APP), default_timeout=120)
    app.run()
    assert not app.exception
    return app


def test_a_large_ledger_is_shown_page_by_page_and_verified_when_asked(
    monkeypatch: pytest.MonkeyPatch, opened: Opener, club: str
) -> None:
    from viewer.page import games as page
    from viewer.page import shelf

    monkeypatch.setattr(page, "MOST_AT_ONCE", 2)
    monkeypatch.setattr(page, "PAGE", 2)
    shelf.reports().clear()
    app = opened(_games, club)
    assert list(app.dataframe[0].value["Game"]) == [info.id for info in games(club)][:2]
    assert list(app.dataframe[0].value["Verdict"]) == ["…", "…"]
    app.button(key="verify_button").click().run()
    assert list(app.dataframe[0].value["Verdict"]) == ["✓ holds"] * 2


def test_games_are_found_by_words_and_state(opened: Opener, club: str) -> None:
    app = opened(_games, club)
    app.text_input(key="find").input("niuniu").run()
    assert list(app.dataframe[0].value["Rules"]) == ["Niuniu"]
    app.text_input(key="find").input("牛牛（浙南）").run()
    assert list(app.dataframe[0].value["Rules"]) == ["Niuniu"]
    app.text_input(key="find").input("").run()
    app.selectbox(key="find_state").select("running").run()
    assert len(app.dataframe[0].value) == 0
    assert not app.exception


@pytest.mark.parametrize(("language", "words"), [("en", "{} of {} hands judged"), ("zh", "{1} 局中已判 {0} 局")])
def test_the_headline_tells_hands_judged_of_all(
    opened: Opener, club: str, forged_club: str, language: str, words: str
) -> None:
    assert words[-3:] not in told(opened(_games, club, lang=language))
    report = verdict.audit(forged_club).as_json()
    judged, whole = report["hands"], report["deal"]["figures"]["hands"]  # type: ignore[index]
    assert judged < whole
    assert words.format(judged, whole) in told(opened(_games, forged_club, lang=language))


def test_rows_of_games_are_as_tall_as_their_players_need() -> None:
    from viewer.page.games import row_height

    assert row_height([]) == row_height(["east, south, west, north"]) == 35
    two = row_height(["bot:greedy-1, bot:greedy-2, bot:greedy-3, bot:greedy-4", "a, b"])
    assert 2 * 18 < two < 3 * 18
    four = row_height([", ".join(["一二三四五六七八九十"] * 4)])  # twice as wide, so one name a line
    assert 4 * 18 < four < 5 * 18


def test_findings_lead_to_their_events(monkeypatch: pytest.MonkeyPatch, forged_club: str) -> None:
    app = games_page(monkeypatch, forged_club)
    (link,) = app.get("page_link")
    game = games(forged_club)[0].id
    assert f"game={game}" in link.proto.query_string  # type: ignore[attr-defined]
    assert "seq=" in link.proto.query_string  # type: ignore[attr-defined]


def test_the_address_names_the_ledger_that_is_open(
    monkeypatch: pytest.MonkeyPatch, club: str, forged_club: str
) -> None:
    app = games_page(monkeypatch, club, forged_club)
    assert "ledger" not in app.query_params
    app.session_state["ledger_number"] = 1  # as after a link to another page, which has an address of its own
    app.run()
    assert not app.exception
    assert app.query_params["ledger"] in ("1", ["1"])


@pytest.mark.parametrize("page", [_payouts, _proof, _compare])
def test_the_address_names_the_game_that_is_open(opened: Opener, page: Callable[[], None], club: str) -> None:
    first, second, *_ = (info.id for info in games(club))
    app = opened(page, club, game=second, hand="1")
    assert app.selectbox(key="game").value == second
    assert in_address(app, "hand") == "1"
    app.selectbox(key="game").set_value(first).run()
    assert in_address(app, "game") == first
    assert "hand" not in app.query_params  # it was the other game's
    again = opened(page, club, game=in_address(app, "game"))  # a reload is a new session at the same address
    assert again.selectbox(key="game").value == first
    bare = opened(page, club)
    assert in_address(bare, "game") == bare.selectbox(key="game").value


def test_the_fairness_page_lists_the_checks_and_runs_the_battery(opened: Opener, club: str) -> None:
    def page() -> None:
        from viewer.page import fairness

        fairness.show()

    app = opened(page, club)
    assert all(f"V{number}" in cells(app) for number in range(1, 19))
    before = len(app.table)
    app.button(key="run_battery").click().run()
    assert not app.exception
    assert "no departure found" in told(app)
    assert len(app.table) > before
    said = " ".join(each.value for each in app.caption)
    assert "Completeness: holds" in said
    assert "Exploratory: no plan was registered before" in said
    assert all(row in cells(app) for row in ("T1 kind x position", "T13 opening hands by seat, account class, streak"))
    assert "naive swap" in cells(app)  # which faulty shufflers this sample would show
    assert "T1 kind x position (deck of 54): 3 of at least 200 needed" in cells(app)  # what was not checkable


def test_the_fairness_page_searches_seeds_when_asked(opened: Opener, club: str) -> None:
    def page() -> None:
        from viewer.page import fairness

        fairness.show()

    app = opened(page, club)
    app.button(key="run_battery").click().run()
    assert "Not searched yet" in " ".join(each.value for each in app.caption)
    assert "small number" not in cells(app)
    app.selectbox(key="seed_window_0").select(3600)
    app.button(key="seed_search_0").click().run(timeout=120)
    assert not app.exception
    assert all(seeds in cells(app) for seeds in ("small number", "time in seconds", "time in milliseconds", "4095"))
    assert "31,298 seeds tried · 0 hits" in told(app)
    said = " ".join(each.value for each in app.caption)
    assert "descending, ascending, naive" in said
    assert "All 2^32 seeds of one wall would take about" in said


def test_a_seed_that_gives_a_wall_is_told(opened: Opener) -> None:
    def page() -> None:
        from viewer.fairness.generators import GENERATORS
        from viewer.fairness.seeds import Sample, dealt, draws_of, search
        from viewer.page import fairness_seeds

        generator = GENERATORS[0]
        draw = draws_of(generator)[0]
        wall = Sample("<b>g</b> hand 0", dealt(generator, draw, "descending", 77, 52))
        fairness_seeds.tell(search([wall], seconds=0, milliseconds=0, small=128))

    app = opened(page, "")
    assert not app.exception
    assert "128 seeds tried · 1 hit" in app.error[0].value
    assert "77" in cells(app)

"""The frozen evidence of a case: complete, reproducible, searchable in Chinese, inert, verifiable offline."""

import sqlite3
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.events import load
from ledger.merkle import leaf
from ledger.receipt import parse_receipt
from viewer import cases, clauses
from viewer.case_bundle import Gathered, gather, write_database
from viewer.case_report import embedded, report, report_pdf
from viewer.cases import Subject, reading
from viewer.cli import run
from viewer.forgery import overpaid
from viewer.games import games, lines
from viewer.targets import open_log

AT = 1_900_000_000_000
CLAIM = "<script>alert(1)</script> 少付一分"


@pytest.fixture(scope="module")
def disputed(hostile_club: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger with a forged game of players with hostile names, and a case over its first paid hand."""
    url = f"sqlite:///{tmp_path_factory.mktemp('disputed') / 'own.db'}"
    game = games(hostile_club)[0].id
    log, _ = open_log(url, operator="simulated", clock=lambda: AT)
    with log:
        forged = overpaid(lines(hostile_club, game))
        log.append(game, 0, forged, seal=True, close=True)
        seq = next(place for place, line in enumerate(forged) if load(line)["type"] == "settled")
        cases.open_case(log, url, "case-1", Subject(game, None, seq), by="<b>p</b>", claim=CLAIM,
                        jurisdiction="default", at=AT)  # fmt: skip
    return url


@pytest.fixture(scope="module")
def gathered(disputed: str) -> Gathered:
    with reading(disputed) as reader:
        return gather(reader, "case-1")


@pytest.fixture(scope="module")
def database(gathered: Gathered, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundle") / "case-1.db"
    path.write_bytes(write_database(gathered))
    return path


def ask(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def test_the_file_holds_the_whole_game_and_its_proofs(disputed: str, database: Path) -> None:
    game = games(disputed)[0].id
    stored = lines(disputed, game)
    rows = ask(database, "select seq, raw, leaf, hand from events order by seq")
    assert [str(row[1]).encode() for row in rows] == stored
    assert [row[2] for row in rows] == [leaf(line).hex() for line in stored]
    assert ask(database, "select count(*) from frames") == [(len(stored),)]
    receipt = ask(database, "select data from proofs where kind = 'receipt'")[0][0]
    assert isinstance(receipt, bytes)
    assert parse_receipt(receipt).entry.game == game
    assert ask(database, "select count(*) > 50 from proofs where kind = 'tile'") == [(1,)]
    found = ask(database, "select level, clause, zh from findings")
    assert found[0][0] == 7
    assert ask(database, "select text from texts") == [(CLAIM,)]
    facts = dict(ask(database, "select key, value from facts"))  # type: ignore[arg-type]
    assert facts["verdict"] == "failed"
    assert facts["log_origin"]
    for _, clause, _ in found:
        assert ask(database, f"select en from clauses where id = '{clause}'") == [(clauses.text(str(clause))["en"],)]


def test_the_payments_are_those_of_the_log(disputed: str, database: Path) -> None:
    settled = [load(line) for line in lines(disputed, games(disputed)[0].id) if b'"type":"settled"' in line]
    wanted = [
        (each["from"], each["to"], each["amount"], each["clause"]) for record in settled for each in record["lines"]
    ]
    assert ask(database, "select payer, payee, amount, clause from payments") == wanted


@pytest.mark.parametrize("words", ["结算", "discards", '"type":"settled"'])
def test_the_index_finds_both_languages_and_bytes(database: Path, words: str) -> None:
    quoted = '"' + words.replace('"', '""') + '"'
    hits = ask(database, f"select count(*) from search where zh like '%{words}%' or en like '%{words}%'")
    found = ask(database, f"select rowid from search_fts where search_fts match '{quoted}'")
    assert found or len(words) < 3
    assert hits


def test_the_same_ledger_gives_the_same_bytes(disputed: str, gathered: Gathered) -> None:
    with reading(disputed) as reader:
        again = gather(reader, "case-1")
    assert write_database(again) == write_database(gathered)
    assert report(again) == report(gathered)


def test_what_is_written_later_does_not_change_what_was_frozen(
    disputed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    where = ["case", "bundle", "case-1", "--by", "j", "-o", str(folder), "--ledger", disputed]
    assert run(where) == 0
    frozen = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(where) == 2
    assert "exists already" in capsys.readouterr().err
    with reading(disputed) as reader:
        case = cases.read_case(reader, "case-1")
    assert {each.name: each.size for each in case.evidence} == {name: len(data) for name, data in frozen.items()}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == frozen


class Seen(HTMLParser):
    """Everything that could run or load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.handlers: list[str] = []
        self.scripts: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = dict(attrs)
        self.handlers += [name for name in given if name.startswith("on") or name in {"src", "href"}]
        if tag == "script":
            self.scripts.append(given.get("type"))


def test_the_report_is_inert_and_loads_nothing(gathered: Gathered) -> None:
    html = report(gathered)
    seen = Seen()
    seen.feed(html)
    assert seen.handlers == []
    assert seen.scripts == ["application/x-ndjson"] * 2
    assert not seen.tags & {"img", "iframe", "object", "embed", "form", "link", "a", "b"} - {"b"}
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "\u202e" not in html
    assert html.count("<script") == 2


def test_the_report_says_what_is_wrong_in_both_languages(gathered: Gathered) -> None:
    html = report(gathered)
    clause = clauses.text(gathered.judgement.findings[0].clause)
    assert clause["zh"] in html
    assert gathered.facts["log_root"] in html
    sections = html.count("<section>")
    assert sections == 6
    assert html.count(gathered.facts["log_root"]) >= sections
    assert "少付一分" in html


def test_the_events_in_the_report_verify_offline(gathered: Gathered, tmp_path: Path) -> None:
    kept = embedded(report(gathered))
    assert kept == gathered.lines
    assert embedded(report(gathered), "case") == gathered.case_lines
    path = tmp_path / "x.paipu.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in kept))
    assert run(["verify", str(path)]) == 1


def test_words_are_left_out_on_request(disputed: str) -> None:
    with reading(disputed) as reader:
        silent = gather(reader, "case-1", words=False)
    assert "少付一分" not in report(silent)
    assert "少付一分".encode() not in write_database(silent)


@pytest.mark.long
def test_the_pdf_comes_from_the_same_page(gathered: Gathered) -> None:
    pytest.importorskip("weasyprint", reason="the extra `pdf` is not installed", exc_type=ImportError)
    assert report_pdf(gathered).startswith(b"%PDF-")

"""Every kind of finding that `verify` can write as evidence shows again offline, doctored files do not; fsck lists all.

`SCENES` makes a ledger with each kind of finding. A kind that the code can report and that has no entry in
`viewer.evidence.PARTS`, or no scene here, fails the first two tests.
"""

import ast
import json
import shutil
import sqlite3
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from engine.events import canonical, load
from engine.view import View
from ledger.canonical import encode
from ledger.checkpoint import Checkpoint, cosign_checkpoint, read_checkpoint, sign_checkpoint
from ledger.command import Shown, sign_command
from ledger.evidence import game_excerpt, log_excerpt
from ledger.keys import COSIGNATURE, SigningKey, new_key
from ledger.log import Log, now_ms
from ledger.merkle import leaf
from ledger.sealed import read_keys
from ledger.signing import add_cosignatures
from ledger.store import open_reader, open_store
from viewer import cases
from viewer.cli import run
from viewer.deal_plan import BeaconRound, DealPlan
from viewer.evidence import PARTS
from viewer.forgery import overpaid
from viewer.simulate import Job, _player_key, play
from viewer.targets import open_log

ORIGIN = "paipu.simulated.example/log"
JOB = Job("linhai", 4, 0, 1_790_000_000_000, match={"length": {"hands": 1}})
PAID = Job("linhai", 6, 0, 1_790_000_000_000, match={"length": {"hands": 1}})
OPEN = Job("linhai", 7, 0, 1_790_000_000_000, match={"length": {"hands": 1}})
SIGNED = Job("linhai", 5, 0, 1_790_000_000_000, match={"length": {"hands": 1}}, signed=True)
GAME, SECOND, PAID_GAME = "linhai-s4-00000", "linhai-s7-00000", "linhai-s6-00000"
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def games() -> dict[str, list[bytes]]:
    return {str(job.seed): [line for chunk in play(job) for line in chunk] for job in (JOB, PAID, OPEN, SIGNED)}


@pytest.fixture(scope="module")
def made(games: dict[str, list[bytes]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with one closed game and one that is still open."""
    path = tmp_path_factory.mktemp("made") / "x.db"
    log, _ = open_log(f"sqlite:///{path}", operator="club")
    with log:
        log.append(GAME, 0, games["4"][:50], seal=True)
        log.append(SECOND, 0, games["7"][:3], seal=True)
        log.append(GAME, 50, games["4"][50:60], seal=True)
        log.append(GAME, 60, games["4"][60:], seal=True, close=True)
    return path.parent


def renamed(lines: list[bytes], game: str) -> list[bytes]:
    return [canonical({**load(line), "game": game}) for line in lines]


@dataclass
class Scene:
    """A ledger of one's own, to be damaged."""

    folder: Path
    games: dict[str, list[bytes]]
    request: pytest.FixtureRequest

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder}/x.db"

    def sql(self, *statements: str, values: tuple[object, ...] = ()) -> None:
        database = sqlite3.connect(self.folder / "x.db")
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            assert database.execute(statement, values).rowcount > 0, statement
        database.commit()
        database.close()

    def entry(self, idx: int, **fields: Any) -> None:
        """Rewrite an entry and its leaf, as somebody who knows the format would."""
        reader = open_reader(self.url)
        (row,) = reader.entries(idx, idx + 1)
        reader.close()
        data = encode({**json.loads(row.data), **fields})
        values = (data, leaf(data), fields.get("kind", row.kind), fields.get("game", row.game), idx)
        self.sql("UPDATE entries SET data = ?, leaf = ?, kind = ?, game = ? WHERE idx = ?", values=values)

    def find(self, kind: str) -> int:
        reader = open_reader(self.url)
        found = next(row.idx for row in reader.entries_of_kind(kind))
        reader.close()
        return found

    def head(self) -> Checkpoint:
        reader = open_reader(self.url)
        row = reader.checkpoint()
        reader.close()
        assert row is not None
        return read_checkpoint(row.note)

    def log(self) -> Log:
        return open_log(self.url, operator="club")[0]

    def seen(self, size: int) -> None:
        signer = read_keys(self.folder / "x.db.key")[0]
        note = sign_checkpoint(Checkpoint(ORIGIN, size, bytes(32)), [signer])
        (self.folder / "x.db.policy.seen").write_bytes(note)

    def witness(self) -> SigningKey:
        key = new_key("witness.example", kind=COSIGNATURE)
        policy = self.folder / "x.db.policy"
        told = f"witness w {key.verifier.format()}\nquorum w"
        policy.write_text(policy.read_text().replace("quorum none", told))
        return key


Made = list[str] | None
"""What `verify` is asked beside the ledger, None for nothing."""


def weak_key(scene: Scene) -> Made:
    public = bytes([1]) + bytes(31)
    key_id = sha256(ORIGIN.encode() + b"\n\x01" + public).digest()[:4].hex()
    vkey = f"{ORIGIN}+{key_id}+{b64encode(bytes([1]) + public).decode()}"
    (scene.folder / "x.db.policy").write_text(f"log {vkey}\nquorum none\n")
    return None


def signature(scene: Scene) -> Made:
    vkey = new_key(ORIGIN).verifier.format()
    (scene.folder / "x.db.policy").write_text(f"log {vkey}\nquorum none\n")
    return None


def stale(scene: Scene) -> Made:
    key = scene.witness()
    reader = open_reader(scene.url)
    row = reader.checkpoint()
    reader.close()
    assert row is not None
    store = open_store(scene.url)
    add_cosignatures(store, cosign_checkpoint(row.note, key, 1_000_000).encode(), [key.verifier])
    store.close()
    return None


def unreadable_tile(scene: Scene) -> Made:
    """A published log whose entries cannot be read: the excerpt ends where they do."""
    assert run(["publish", str(scene.folder / "www"), "--ledger", scene.url]) == 0
    next((scene.folder / "www/tile/entries").glob("*.p/*")).unlink()
    return [str(scene.folder / "www"), "--policy", str(scene.folder / "x.db.policy")]


def appended(game: str, lines: Callable[[Scene], list[bytes]], *, close: bool = True) -> Callable[[Scene], Made]:
    def make(scene: Scene) -> Made:
        with scene.log() as log:
            log.append(game, 0, lines(scene), seal=True, close=close)

    return make


def ghost(scene: Scene) -> Made:
    scene.sql(
        "INSERT INTO events (game, seq, chain, data) SELECT 'ghost', seq, chain, data FROM events"
        f" WHERE game = '{SECOND}'"
    )
    return None


def nameless(scene: Scene) -> Made:
    scene.sql("UPDATE events SET game = ? WHERE game = 'linhai-s7-00000'", values=("no\nid",))
    return None


def equivocation(scene: Scene) -> Made:
    """The player signs two commands on the same events; the server logs both."""
    game = scene.games["5"]
    place = next(at for at, line in enumerate(game) if b'"type":"discarded"' in line and b'"sig"' in line)
    first = load(game[place])
    other = {**first, "tile": "1m" if first["tile"] != "1m" else "2m", "seq": place + 1}
    other.pop("drawn", None)
    del other["sig"]
    order = next(load(line)["order"] for line in game if b'"type":"seated"' in line)
    number = [each["player"] for each in load(game[0])["seats"]].index(order[first["seat"]])
    view, shown = View(number), Shown(first["game"])
    for line in game[:place]:
        shown.append(view.first_shown(load(line)))
    again = canonical({**other, "sig": sign_command(_player_key(SIGNED, number), other, shown)})
    return appended(first["game"], lambda _: [*game[: place + 1], again], close=False)(scene)


def back_dated(scene: Scene) -> Made:
    pytest.importorskip("rfc3161_client", reason="the extra [time] is not installed")
    from ledger.timetoken import make_request

    tsa = scene.request.getfixturevalue("tsa")
    (scene.folder / "x.db.tsa.pem").write_bytes(tsa.root)
    with scene.log() as log:
        head = scene.head()
        log.time_entry(head.size, tsa.answer(make_request(head.format())))
        log.append("late", 0, renamed(scene.games["4"][:20], "late"), seal=True)
        log.time_entry(head.size, b"no token")
    return None


def beacon(scene: Scene) -> Made:
    pytest.importorskip("py_ecc", reason="the extra [beacon] is not installed")
    plan = DealPlan(beacon=BeaconRound(1_000_000, bytes(48)))
    job = Job("linhai", 8, 0, plan.beacon.at - 60_000 if plan.beacon else 0, match=JOB.match, plan=plan)
    return appended("linhai-s8-00000", lambda _: [line for chunk in play(job) for line in chunk])(scene)


def case(scene: Scene) -> Made:
    log, at = scene.log(), now_ms()
    with cases.reading(scene.url) as reader:
        said = cases.judged(reader, GAME).body() | {"outcome": "failed"}
    cases.open_case(log, scene.url, "case-1", cases.Subject(GAME), by="p2", claim="x", jurisdiction="nj", at=at)
    cases.add(log, scene.url, "case-1", said, at=at)
    log.close()
    return None


def overdue(scene: Scene) -> Made:
    """A case that nobody closes, in a log whose newest entry is ten days younger."""
    opened = now_ms()
    with scene.log() as log:
        cases.open_case(log, scene.url, "case-1", cases.Subject(GAME), by="p2", claim="x", jurisdiction="nj", at=opened)
        log.abort(SECOND, 3, [], reason="stopped")
    later, _ = open_log(scene.url, operator="club", clock=lambda: opened + 10 * 86_400_000)
    with later:
        later.append(PAID_GAME, 0, scene.games["6"], seal=True, close=True)
    return None


def second_history(scene: Scene) -> None:
    """The operator starts over with the same keys."""
    signer, also = read_keys(scene.folder / "x.db.key")
    (recovery,) = read_keys(scene.folder / "x.db.recovery.key")
    for name in ("x.db", "x.db-wal", "x.db-shm", "x.db.key.last"):
        (scene.folder / name).unlink(missing_ok=True)
    log = Log.create(scene.url, origin=ORIGIN, operator="y", signer=signer, also=[also], recovery=recovery)
    with log:
        log.append("other", 0, renamed(scene.games["4"][:5], "other"), seal=True)


def receipt(scene: Scene) -> Made:
    held = str(scene.folder / "held")
    assert run(["receipt", GAME, "-o", held, "--ledger", scene.url]) == 0
    assert run(["receipt", GAME, "--seq", "20", "-o", held, "--ledger", scene.url]) == 0
    second_history(scene)
    return [scene.url, "--receipts", held]


def mirror(scene: Scene) -> Made:
    assert run(["publish", str(scene.folder / "held"), "--open", "--ledger", scene.url]) == 0
    second_history(scene)
    return [scene.url, "--mirror", str(scene.folder / "held")]


ENTRIES = "UPDATE entries SET data = CAST(replace(data, 'segment', 'segnemt') AS BLOB) WHERE kind = 'segment'"
SCENES: dict[tuple[int, str], list[Callable[[Scene], Any]]] = {
    (1, "weak_key"): [weak_key],
    (2, "note"): [lambda s: s.sql("UPDATE checkpoints SET note = x'00'")],
    (2, "signature"): [signature],
    (2, "quorum"): [lambda s: s.witness() and None],
    (2, "stale"): [stale],
    (2, "rollback"): [lambda s: s.seen(s.head().size + 5)],
    (2, "fork"): [lambda s: s.seen(s.head().size)],
    (3, "canonical"): [lambda s: s.sql(ENTRIES)],
    (3, "tile"): [lambda s: s.sql("UPDATE entries SET leaf = zeroblob(32) WHERE idx = 3"), unreadable_tile],
    (3, "root"): [lambda s: s.sql("UPDATE head SET gno = 9")],
    (3, "key"): [lambda s: s.entry(s.find("key-add"), not_before_size=1)],
    (3, "gno"): [lambda s: s.entry(s.find("open"), gno=7)],
    (3, "unpaired"): [lambda s: s.entry(0, close_within_ms=0) or s.entry(s.find("close"), at=1 << 42)],
    (3, "after_close"): [lambda s: s.entry(s.find("segment"), game="nobody")],
    (3, "time"): [lambda s: s.entry(s.find("close"), at=1)],
    (4, "canonical"): [lambda s: s.sql("UPDATE events SET data = CAST('{' AS BLOB) WHERE seq = 2")],
    (4, "seq"): [lambda s: s.sql("DELETE FROM events WHERE seq = 13")],
    (4, "chain"): [
        lambda s: s.sql(
            "UPDATE events SET data = CAST(replace(data, '\"seat\":0', '\"seat\":1') AS BLOB) WHERE seq = 13"
        )
    ],
    (4, "segment"): [lambda s: s.sql("UPDATE streams SET blind = zeroblob(32)")],
    (4, "after_close"): [
        lambda s: s.sql(
            "INSERT INTO events (game, seq, chain, data) SELECT game, seq + 1, chain, data FROM events"
            f" WHERE game = '{GAME}' ORDER BY seq DESC LIMIT 1"
        )
    ],
    (4, "unpaired"): [ghost, nameless],
    (4, "gno"): [lambda s: s.sql("UPDATE streams SET gno = 4 WHERE gno = 0")],
    (5, "command"): [appended("forged", lambda s: renamed(s.games["5"], "forged"))],
    (5, "equivocation"): [equivocation],
    (6, "time"): [back_dated],
    (7, "V3"): [appended("copied", lambda s: renamed(s.games["4"], "copied"))],
    (7, "V8"): [beacon],
    (7, "V14"): [appended("cut", lambda s: renamed(s.games["4"][:3], "cut"))],
    (7, "verdict"): [case],
    (7, "unpaired"): [overdue],
    (7, "settled"): [appended(PAID_GAME, lambda s: overpaid(s.games["6"]))],
    (8, "receipt"): [receipt],
    (8, "mirror"): [mirror],
}
"""Ways to come to each kind of finding; of the engine's faults one stands for all."""


def test_every_kind_with_evidence_has_a_scene() -> None:
    assert set(PARTS) == {kind for kind in SCENES if kind[1] != "settled"}


LEVELS = {"verify.py": 2, "verify_log.py": 3, "verify_games.py": 4, "verify_time.py": 6, "verify_receipts.py": 8}
RAISED = {(1, "weak_key"), (2, "signature")}
"""Kinds whose code comes with an error."""


def test_every_kind_the_code_reports_has_evidence() -> None:
    """Read off the sources: the codes that are said at each level, and the faults that the viewer finds itself."""
    found = set(RAISED)
    for name, level in LEVELS.items():
        for call in calls(ROOT / "ledger" / name):
            if call.name == "Finding" or (call.name in {"say", "_say"} and name != "verify_time.py"):
                said = call.level or level
                found |= {(said, code) for code in call.codes}
    for path in (ROOT / "viewer").glob("*.py"):
        for call in calls(path):
            if call.name == "Fault":
                found |= {(7, code) for code in call.codes}
            if call.name in {"_doubt", "Doubt"}:
                found |= {(5, code) for code in call.codes}
    assert found >= {(4, "chain"), (2, "quorum"), (3, "gno"), (5, "equivocation"), (7, "V3"), (7, "verdict")}
    assert found == set(PARTS)


@dataclass
class Call:
    """A call in a source: what is called, the level and the codes written in it."""

    name: str
    level: int
    codes: list[str]


def calls(path: Path) -> list[Call]:
    """Read every call in a source; a code that a variable holds is whatever its function assigns to that."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = []
    for function in functions:
        inner = {id(part) for node in ast.walk(function) if node is not function and node in functions
                 for part in ast.walk(node)}  # fmt: skip
        for node in ast.walk(function):
            if not isinstance(node, ast.Call) or id(node) in inner:
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            named = {each.arg: each.value for each in node.keywords}
            level = named.get("level", node.args[0] if name == "Finding" and node.args else None)
            number = level.value if isinstance(level, ast.Constant) and type(level.value) is int else 0
            place = node.args[1:2] if name in {"Finding", "Doubt"} else node.args[:1]
            texts = [text for each in place for text in ([each.id] if isinstance(each, ast.Name) else constants(each))]
            codes = [text for each in texts for text in (assigned(function, each) if each == "code" else [each])]
            found.append(Call(name, number, codes))
    return found


def constants(node: ast.AST) -> list[str]:
    found = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return [value for value in found if isinstance(value, str)]


def assigned(function: ast.FunctionDef, name: str) -> list[str]:
    """The texts that a function assigns to a name."""
    return [
        text
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
        for text in constants(node.value)
    ]


SETS = [(kind, make) for kind, makers in SCENES.items() for make in makers]


@pytest.mark.parametrize(
    ("kind", "make"), SETS, ids=[f"{level}-{code}-{number}" for number, ((level, code), _) in enumerate(SETS)]
)
def test_evidence_shows_again_and_doctored_does_not(  # noqa: PLR0917  fixtures
    kind: tuple[int, str],
    make: Callable[[Scene], Any],
    made: Path,
    games: dict[str, list[bytes]],
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for path in made.iterdir():
        shutil.copy(path, tmp_path / path.name)
    honest = (tmp_path / "x.db.policy").read_bytes()
    scene = Scene(tmp_path, games, request)
    target, *options = make(scene) or [scene.url]
    ev = tmp_path / "ev"
    capsys.readouterr()
    assert run(["verify", target, *options, "--jobs", "1", "--json", "--evidence", str(ev)]) == 1
    report = json.loads(capsys.readouterr().out)
    mine = [each for each in report["findings"] if (each["level"], each["code"]) == kind]
    assert mine, report["findings"]
    if target == scene.url and kind[0] < 8:
        listed_by_fsck(scene, report["findings"], capsys)
    whole = excerpts(made)
    for path in (*tmp_path.glob("x.db*"), tmp_path / "www", tmp_path / "held"):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    (tmp_path / "honest.policy").write_bytes(honest)
    for each in mine[:3]:
        assert run(["recheck", each["evidence"]]) == 1, each
        shown = capsys.readouterr().out
        assert "shows again" in shown
        assert ("roots in the file itself" in shown) == (kind[0] == 6)
        assert run(["recheck", each["evidence"], "--json"]) == 1
        again = json.loads(capsys.readouterr().out)
        assert again["again"]
        del again["finding"]["text"]  # names what was read, which is the excerpt now
        assert again["finding"] == {name: value for name, value in each.items() if name not in {"evidence", "text"}}
        artefact = json.loads(Path(each["evidence"]).read_text())
        for number, doctored in enumerate(doctor(artefact, whole)):
            (tmp_path / "doctored.json").write_text(json.dumps(doctored))
            assert run(["recheck", str(tmp_path / "doctored.json")]) != 1, (number, each)
        if kind in {(1, "weak_key"), (2, "signature"), (2, "quorum"), (2, "stale")}:
            assert run(["recheck", each["evidence"], "--policy", str(tmp_path / "honest.policy")]) == 0


def listed_by_fsck(scene: Scene, findings: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever verify finds, fsck finds."""
    capsys.readouterr()
    assert run(["fsck", scene.url, "--jobs", "1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["findings"]
    places = {tuple(each.get(key) for key in ("level", "code", "game", "seq")) for each in told}
    assert {tuple(each.get(key) for key in ("level", "code", "game", "seq")) for each in findings} <= places


def excerpts(folder: Path) -> dict[str, Any]:
    reader = open_reader(f"sqlite:///{folder}/x.db")
    try:
        games = {game: game_excerpt(reader, game) for game in (GAME, SECOND)}
        return {"log": log_excerpt(reader), **games}
    finally:
        reader.close()


def doctor(artefact: dict[str, Any], whole: dict[str, Any]) -> list[dict[str, Any]]:
    """Other claims on the same bytes; the honest bytes under the claim; bytes that nobody signed; a head nobody did."""
    finding = artefact["finding"]
    claims: tuple[dict[str, object], ...] = ({"found": "else"}, {"seq": 999}, {"entry": 99}, {"level": 4, "code": "x"})
    found = [{**artefact, "finding": {**finding, **claim}} for claim in claims]
    copy = json.loads(json.dumps(artefact))
    if finding["level"] in {3, 4}:
        if "log" in copy:
            copy["log"] = whole["log"]
        if copy.get("game", {}).get("game") in whole:
            copy["game"] = whole[copy["game"]["game"]]
        if "log" in copy or copy["game"] in whole.values():
            found.append(copy)
    elif finding["level"] >= 5:
        row = copy["log"]["entries"][1] if "log" in copy else copy["game"]["events"][0]
        row[-1 if "log" in copy else 1] = {"text": '{"v":1}'}
        found.append(copy)
        copy = json.loads(json.dumps(artefact))
        copy["notes"][0] = copy["notes"][0].replace("\n— ", "\n— x", 1)
        if "log" in copy:
            copy["log"]["checkpoints"] = [[*row[:1], {"text": "none"}, *row[2:]] for row in copy["log"]["checkpoints"]]
        found.append(copy)
        if "others" in copy:
            found.append({**artefact, "others": []})
    elif finding["code"] in {"rollback", "fork"}:
        copy["notes"][1] = copy["notes"][1].replace("AAAA", "AAAB", 1)
        found.append(copy)
    return found


@pytest.mark.parametrize("kind", [(4, "chain"), (7, "settled"), (7, "V3")], ids=["bytes", "one stream", "two streams"])
def test_without_a_policy_the_keys_are_those_the_ledger_told(  # noqa: PLR0917  fixtures
    kind: tuple[int, str],
    made: Path,
    games: dict[str, list[bytes]],
    tmp_path: Path,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Shown again by those, and said so; by a policy that pins others a finding of level 7 is refused."""
    for path in made.iterdir():
        shutil.copy(path, tmp_path / path.name)
    SCENES[kind][0](Scene(tmp_path, games, request))
    (tmp_path / "x.db.policy").rename(tmp_path / "true.policy")
    assert (
        run(["verify", f"sqlite:///{tmp_path}/x.db", "--jobs", "1", "--json", "--evidence", str(tmp_path / "ev")]) == 1
    )
    report = json.loads(capsys.readouterr().out)
    evidence = next(each["evidence"] for each in report["findings"] if (each["level"], each["code"]) == kind)
    (tmp_path / "other.policy").write_text(f"log {new_key(ORIGIN).verifier.format()}\nquorum none\n")
    assert run(["recheck", evidence]) == 1
    shown = capsys.readouterr().out
    assert "judged by the keys in the file itself" in shown
    assert "\n0 entries proven" not in shown
    assert run(["recheck", evidence, "--policy", str(tmp_path / "true.policy")]) == 1
    assert "in the file itself" not in capsys.readouterr().out
    assert run(["recheck", evidence, "--policy", str(tmp_path / "other.policy")]) == (1 if kind[0] == 4 else 2)
    told = capsys.readouterr()
    assert "0 entries proven" in told.out if kind[0] == 4 else "signed by" in told.err

"""The faces of the transparency log: publish, mirror, witness, receipt, keys, evidence, from the command line."""

import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from ledger.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from ledger.errors import Untrusted
from ledger.policy import parse_policy
from ledger.sealed import read_keys
from ledger.witness import Witness, origin_hash
from ledger.witness_state import StateFile
from viewer.cli import run
from viewer.remote import UrlSource
from viewer.witness_http import WitnessServer

GAME = "linhai-s4-00001"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("made") / "x.db"
    url = f"sqlite:///{path}"
    assert run(["simulate", "--games", "3", "--hands", "1", "--seed", "4", "--signed", "--ledger", url]) == 0
    names = ("x.db", "x.db.key", "x.db.policy", "x.db.recovery.key")
    return json.dumps({name: path.with_name(name).read_bytes().hex() for name in names}).encode()


@pytest.fixture
def place(made: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger with its keys in a folder of its own, which is the working folder."""
    for name, data in json.loads(made).items():
        (tmp_path / name).write_bytes(bytes.fromhex(data))
        (tmp_path / name).chmod(0o600)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAIPU_LEDGER", "sqlite:///x.db")
    monkeypatch.delenv("PAIPU_PASSPHRASE", raising=False)
    return tmp_path


def forge(place: Path) -> None:
    with sqlite3.connect(place / "x.db") as database:
        database.execute("DROP TRIGGER events_no_update")
        data = database.execute("SELECT data FROM events WHERE game = ? AND seq = 13", (GAME,)).fetchone()[0]
        new = data.replace(b'"seat":0', b'"seat":9') if b'"seat":0' in data else data.replace(b'"seat":', b'"seat":8')
        database.execute("UPDATE events SET data = ? WHERE game = ? AND seq = 13", (new, GAME))


def test_publish_mirror_and_verify_what_was_published(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["publish", "www"]) == 0
    assert run(["publish", "www"]) == 0
    assert "0 files written" in capsys.readouterr().out
    assert run(["keys", "new", "regulator.example", "w.key", "--type", "cosigner"]) == 0
    assert run(["mirror", "www", "mirror", "--policy", "x.db.policy", "--key", "w.key"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (place / "lines").write_text(lines[-1] + "\n")
    assert run(["verify", "mirror", "--policy", "x.db.policy"]) == 0
    assert run(["verify", "--mirror", "mirror"]) == 0
    assert "✓ 8 receipts   holds" in capsys.readouterr().out
    vkey = next(line for line in lines if line.startswith("regulator.example+"))
    policy = (place / "x.db.policy").read_text().replace("quorum none", f"witness r {vkey}\nquorum r")
    (place / "x.db.policy").write_text(policy)
    assert run(["verify"]) == 1
    assert "quorum" in capsys.readouterr().out
    assert run(["witness", "add", "lines"]) == 0
    assert run(["verify"]) == 0


def test_a_forged_mirror_is_told(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["publish", "www"]) == 0
    tile = next((place / "www/tile/0").glob("*.p/*"))
    data = tile.read_bytes()
    tile.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])
    assert run(["mirror", "www", "mirror", "--policy", "x.db.policy"]) == 1
    assert "tile [ledger.md" in capsys.readouterr().out
    assert not (place / "mirror/checkpoint").exists()


def test_receipts_and_the_script(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["receipt", GAME, "-o", "r"]) == 0
    assert run(["receipt", GAME, "--seq", "20", "-o", "r"]) == 0
    for name in (f"game-{GAME}", f"game-{GAME}-20"):
        assert run(["verify-receipt", f"r/{name}.tlog-proof", "--policy", "x.db.policy"]) == 0
        assert capsys.readouterr().out.splitlines()[-1 if name.endswith(GAME) else -2].startswith("holds: ")
    assert run(["verify", "--receipts", "r"]) == 0
    assert "✓ 8 receipts   holds" in capsys.readouterr().out
    bundle = place / f"r/game-{GAME}.bundle.gz"
    assert run(["receipt", "linhai-s4-00002", "-o", "r"]) == 0
    bundle.write_bytes((place / "r/game-linhai-s4-00002.bundle.gz").read_bytes())
    assert run(["verify-receipt", f"r/game-{GAME}.tlog-proof", "--policy", "x.db.policy"]) == 1
    capsys.readouterr()
    assert run(["verify-receipt", "--script"]) == 0
    assert capsys.readouterr().out.startswith("#!/usr/bin/env python3")


def test_findings_become_evidence_that_shows_again_offline(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["receipt", GAME]) == 0
    forge(place)
    capsys.readouterr()
    assert run(["verify", "--evidence", "ev", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    (finding,) = report["findings"]
    assert (finding["level"], finding["game"], finding["seq"]) == (4, GAME, 13)
    assert finding["evidence"] == "ev/0001.json"
    artefact = (place / "ev/0001.json").read_bytes()
    (place / "x.db").unlink()
    assert run(["recheck", "ev/0001.json"]) == 1
    out = capsys.readouterr().out
    assert "shows again: level 4 code" in out
    assert re.search(r"[1-9] entries proven to lie in the log", out)
    with sqlite3.connect(place / "ev/evidence.db") as database:
        assert database.execute("SELECT level, game, seq FROM artefacts").fetchall() == [(4, GAME, 13)]
    whole = json.loads(artefact)
    whole["game"]["events"] = [row for row in whole["game"]["events"] if row[0] != 13]
    (place / "other.json").write_text(json.dumps(whole))
    assert run(["recheck", "other.json"]) == 0  # another fault than the one that was found
    stranger = run(["keys", "new", "paipu.simulated.example/log", "s.key"])
    assert stranger == 0
    capsys.readouterr()
    assert run(["keys", "show", "s.key", "--policy"]) == 0
    (place / "s.policy").write_text(capsys.readouterr().out)
    assert run(["recheck", "ev/0001.json", "--policy", "s.policy"]) == 1
    assert "0 entries proven to lie in the log" in capsys.readouterr().out


def test_evidence_of_the_log_itself(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(place / "x.db") as database:
        database.execute("DROP TRIGGER entries_no_update")
        database.execute("UPDATE entries SET data = replace(data, 'segment', 'segnemt') WHERE idx = 4")
        database.execute("UPDATE entries SET leaf = zeroblob(32) WHERE idx = 3")
    assert run(["verify", "--evidence", "ev", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {each["level"] for each in found} >= {3}
    for each in found:
        if each["level"] <= 4:
            assert run(["recheck", each["evidence"]]) == 1, each


def test_a_signed_head_that_contradicts_a_receipt_is_level_8(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The operator starts over with the same keys: its own levels hold, the players' receipts do not agree."""
    assert run(["receipt", GAME, "-o", "r"]) == 0
    policy, key, recovery = ((place / f"x.db{each}").read_bytes() for each in (".policy", ".key", ".recovery.key"))
    from ledger.keys import SigningKey
    from ledger.log import Log

    (place / "k").write_bytes(key)
    (place / "k").chmod(0o600)
    (place / "rec").write_bytes(recovery)
    (place / "rec").chmod(0o600)
    signer, also = read_keys(place / "k")
    (second,) = read_keys(place / "rec")
    assert isinstance(second, SigningKey)
    log = Log.create(f"sqlite:///{place}/y.db", origin=signer.verifier.name, operator="x", signer=signer, also=[also],
                     recovery=second)  # fmt: skip
    log.close()
    (place / "y.db.policy").write_bytes(policy)
    assert run(["verify", f"sqlite:///{place}/y.db", "--receipts", "r", "--evidence", "ev", "--json"]) == 1
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert {each["code"] for each in report["findings"] if each["level"] == 8} == {"receipt"}
    evidence = next(each["evidence"] for each in report["findings"] if each["level"] == 8)
    assert run(["recheck", evidence]) == 1


@pytest.fixture
def service(place: Path) -> Iterator[str]:
    assert run(["keys", "new", "witness.example/w", "w.key", "--type", "cosigner"]) == 0
    policy = parse_policy((place / "x.db.policy").read_bytes())
    witness = Witness(policy, read_keys(place / "w.key"), StateFile(place / "w.db"), lambda: 1_900_000_000)
    server = WitnessServer(("127.0.0.1", 0), witness)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def status(request: Request | str) -> int:
    try:
        with urlopen(request, timeout=10) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


def test_the_witness_over_http(place: Path, service: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["keys", "show", "w.key"]) == 0
    vkey = capsys.readouterr().out.strip()
    policy = (place / "x.db.policy").read_text().replace("quorum none", f"witness w {vkey} {service}\nquorum w")
    (place / "x.db.policy").write_text(policy)
    assert run(["verify"]) == 1
    assert run(["witness", "collect"]) == 0
    assert run(["witness", "collect"]) == 0  # the same head again: the 409 told its size
    assert "quorum met" in capsys.readouterr().out
    assert run(["verify"]) == 0
    origin = (
        read_checkpoint((place / "x.db.key.last").read_bytes()).origin if (place / "x.db.key.last").exists() else ""
    )
    origin = origin or "paipu.simulated.example/log"
    shown = UrlSource(service).fetch(f"{origin_hash(origin)}/checkpoint")
    assert shown is not None
    assert read_checkpoint(shown).origin == origin
    assert UrlSource(service).fetch(f"{'00' * 32}/checkpoint") is None
    for path, body, code in (
        ("/add-checkpoint", b"nonsense", 400),
        ("/add-checkpoint", b"x" * 300_000, 413),
        ("/other", b"x", 404),
    ):
        assert status(Request(service + path, body, method="POST")) == code
    assert status(f"{service}/") == 404
    assert status(Request(f"{service}/add-checkpoint", method="PUT")) == 501


def test_the_witness_offline_and_its_conflicts(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["keys", "new", "witness.example/w", "w.key", "--type", "cosigner"]) == 0
    ask = ["witness", "cosign", "request", "--policy", "x.db.policy", "--key", "w.key", "--state", "w.db"]
    capsys.readouterr()
    assert run(["witness", "request"]) == 0
    (place / "request").write_text(capsys.readouterr().out)
    assert run(ask) == 0
    assert capsys.readouterr().out.startswith("— witness.example/w ")
    assert run(ask) == 1
    assert "refused (409)" in capsys.readouterr().err
    assert run(["witness", "conflicts", "--state", "w.db", "--policy", "x.db.policy"]) == 0
    head = read_checkpoint((place / "request").read_bytes().partition(b"\n\n")[2])
    signer = read_keys(place / "x.db.key")[0]
    other = sign_checkpoint(Checkpoint(head.origin, head.size, bytes(32)), [signer])
    (place / "request").write_bytes(b"old %d\n\n" % head.size + other)
    assert run(ask) == 1
    assert "refused (422)" in capsys.readouterr().err
    assert run(["witness", "conflicts", "--state", "w.db", "--policy", "x.db.policy", "-o", "ev"]) == 1
    assert run(["recheck", "ev/0001.json"]) == 1
    assert "shows again: level 2 code fork" in capsys.readouterr().out
    artefact = json.loads((place / "ev/0001.json").read_text())
    artefact["notes"][1] = artefact["notes"][0]
    (place / "same.json").write_text(json.dumps(artefact))
    assert run(["recheck", "same.json"]) == 0


def test_the_life_of_keys_from_the_command_line(
    place: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play = ["simulate", "--games", "1", "--hands", "1"]
    origin = "paipu.simulated.example/log"
    assert run(["keys", "new", origin, "new.key", "--type", "log"]) == 0
    assert run(["keys", "add", "new.key"]) == 0
    assert run(["keys", "retire", "x.db.key", "--key", "new.key"]) == 0
    assert run([*play, "--seed", "5"]) == 2
    assert "may not sign" in capsys.readouterr().err
    monkeypatch.setenv("PAIPU_PASSPHRASE", "geheim")
    assert run(["keys", "seal", "new.key", "sealed.key"]) == 0
    assert run([*play, "--seed", "5", "--key", "sealed.key"]) == 0
    monkeypatch.setenv("PAIPU_PASSPHRASE", "other")
    assert run([*play, "--seed", "6", "--key", "sealed.key"]) == 2
    monkeypatch.delenv("PAIPU_PASSPHRASE")
    assert run([*play, "--seed", "6", "--key", "sealed.key"]) == 2
    (place / "secret").write_text("geheim\n")
    assert run(["keys", "unseal", "sealed.key", "plain.key", "--passphrase-file", "secret"]) == 0
    assert (place / "plain.key").read_text() == (place / "new.key").read_text()
    assert run(["keys", "new", origin, "third.key", "--type", "log"]) == 0
    assert run(["keys", "recover", "third.key", "--reason", "disk lost"]) == 0
    assert run([*play, "--seed", "7", "--key", "third.key"]) == 0
    assert run([*play, "--seed", "8", "--key", "new.key"]) == 2
    capsys.readouterr()
    assert run(["verify"]) == 0
    policy = parse_policy((place / "x.db.policy").read_bytes())
    assert len(policy.logs) == 6  # every key that was ever valid
    vkey = policy.logs[4].verifier.format()
    assert run(["keys", "revoke", vkey, "--reason", "x", "--key", "third.key"]) == 2
    assert "could not sign" in capsys.readouterr().err
    assert run(["verify"]) == 0


@pytest.mark.parametrize(
    "command",
    [["publish", "x.db/www"], ["mirror", "nowhere", "m", "--policy", "x.db.policy"],
     ["mirror", "ftp://x", "m", "--policy", "x.db.policy"], ["mirror", ".", "m", "--policy", "x.db.policy"],
     ["receipt", "nobody"], ["receipt", GAME, "--seq", "99999"], ["verify-receipt"],
     ["verify-receipt", "x.db", "--policy", "x.db.policy"], ["recheck", "x.db"], ["recheck", "x.db.policy"],
     ["witness", "cosign", "x.db", "--policy", "x.db.policy", "--key", "no.key", "--state", "w.db"],
     ["witness", "request", "--old", "999"], ["witness", "add", "x.db.policy"],
     ["witness", "conflicts", "--state", "none.db", "--policy", "x.db.policy"],
     ["keys", "show", "x.db"], ["keys", "add", "x.db.key"],
     ["keys", "retire", "none"], ["keys", "revoke", "nonsense", "--reason", "x"], ["keys", "seal", "x.db.key", "out"],
     ["verify", "--mirror", "x.db"], ["verify", "--receipts", "none"], ["verify", "www-none"]],
    ids=lambda command: " ".join(command[:2]),
)  # fmt: skip
def test_bad_input_is_one_line_and_exit_2(
    place: Path, command: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    capfd.readouterr()
    assert run(command) == 2
    out, err = capfd.readouterr()
    assert out == ""
    # A page that another test opened may log through the same stream: ours is the last line.
    err = err.splitlines(keepends=True)[-1]
    assert err.startswith("paipu: ")
    assert err.count("\n") == 1, err
    assert sorted(path.name for path in place.glob("*.new")) == []


@pytest.mark.parametrize("damage", ["entries", "game"])
def test_a_mirror_that_does_not_hold_itself_accuses_nobody(
    damage: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A genuine head over other bytes: the mirror is damaged, the log is not (ledger.md 6, level 8)."""
    assert run(["publish", "www"]) == 0
    if damage == "entries":
        bundle = next((place / "www/tile/entries").glob("*.p/*"))
        bundle.write_bytes(bundle.read_bytes().replace(b'"kind":"close"', b'"kind":"clear"'))
    else:
        from ledger.receipt import pack, unpack

        file = place / f"www/game/{GAME}.bundle.gz"
        file.write_bytes(pack([line.replace(b'"seat":0', b'"seat":1') for line in unpack(file.read_bytes())]))
    capsys.readouterr()
    assert run(["verify", "--mirror", "www", "--json", "--jobs", "1"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert ["does not hold itself" in each["why"] for each in report["not_checkable"] if each["level"] == 8] == [True]


def test_an_entry_without_a_proof_is_no_evidence(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The proven row of an index is the one that counts, not another that claims the same index."""
    from ledger.evidence import Excerpt, check_entries, game_excerpt, prove_entries
    from ledger.store import open_reader

    reader = open_reader("sqlite:///x.db")
    row = reader.checkpoint()
    assert row is not None
    artefact = {
        "game": game_excerpt(reader, GAME),
        "proofs": prove_entries(reader, [GAME], row.size),
        "notes": [row.note.decode()],
    }
    reader.close()
    verifiers = parse_policy((place / "x.db.policy").read_bytes()).verifiers()
    proven = check_entries(artefact, verifiers)
    rows = artefact["game"]["entries"]
    fake = json.loads(json.dumps(rows[1]))
    fake[4] = {"text": fake[4]["text"].replace('"size":', '"size":1')}
    rows.insert(1, fake)
    assert check_entries(artefact, verifiers) == proven
    assert [each.data for each in Excerpt(artefact, proven=proven).entries()] == [each.data for each in sorted(proven)]
    rows[2] = fake
    with pytest.raises(Untrusted):
        check_entries(artefact, verifiers)
    capsys.readouterr()

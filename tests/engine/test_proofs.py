"""Single-tile proofs in play: every tile is proved to its owner, and nothing else passes for it."""

from dataclasses import replace
from hashlib import sha256

import orjson
import pytest

from engine.proofs import Told, holds
from engine.rules import Rules
from engine.shuffle import Commitment, player_commit
from engine.table import Table, opening
from engine.variants import PRESETS, find
from engine.verbs import family_of

AT = 1_700_000_000_000


def table_of(rules: Rules) -> tuple[Table, list[bytes]]:
    """A table with its first hand dealt, proving tiles."""
    body, context = opening(
        rules,
        preset=find(rules.id),
        game="g",
        engine="paipu/0",
        operator="o",
        table="t",
        seats=[{"seat": seat, "player": f"p{seat}", "kind": "human"} for seat in range(rules.players)],
        match={"length": {"hands": 1}},
        deal={"protocol": "paipu-fair/1", "max_hands": 2},
    )
    root = sha256(b"root").digest()
    table = Table(body, "g", Commitment.open(context, root), root, AT)
    table.proving = True
    lines = [table.first()]
    shares = {seat: sha256(bytes([seat])).digest() for seat in range(rules.players)}
    for seat, share in shares.items():
        commit = player_commit(context, seat, share).hex()
        lines += table.act({"type": "committed", "seat": seat, "commit": commit}, AT)
    for seat, share in shares.items():
        lines += table.act({"type": "entropy", "seat": seat, "reveal": share.hex()}, AT)
    for _ in range(60):
        options = table.legal()
        if not options:
            break
        lines += table.act(options[0], AT)
    return table, lines


def told(table: Table, lines: list[bytes]) -> tuple[bytes, list[tuple[int, Told]]]:
    events = [orjson.loads(line) for line in lines]
    root = next(event["wall_root"] for event in events if event["type"] == "hand_started")
    return bytes.fromhex(root), list(table.proofs)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_tile_taken_is_proved_to_its_owner(preset: str) -> None:
    rules = PRESETS[preset]
    table, lines = table_of(rules)
    root, found = told(table, lines)
    deck = family_of(rules).deck(rules)
    due: list[tuple[int, int, str]] = []
    for line in lines:
        event = orjson.loads(line)
        if event["type"] in {"dealt", "drawn", "kitty"}:
            codes = event.get("tiles") or event.get("cards") or [event["tile"]]
            due += [(event["seq"], event["seat"], code) for code in codes]
    have = [(seq, each.seat, each.code) for seq, each in found if each.seat >= 0]
    assert have == due or (not due and not have)
    assert all(holds(root, deck, each.code, each.proof) for _, each in found)
    assert len({each.proof.position for _, each in found}) == len(found)


def test_a_seat_gets_its_own_proofs_once() -> None:
    table, _ = table_of(PRESETS["linhai"])
    mine = table.take_proofs(2)
    assert mine
    assert all(each.seat == 2 for _, each in mine)
    assert table.take_proofs(2) == []
    assert table.take_proofs(1)


def test_no_other_tile_place_salt_or_path_passes() -> None:
    rules = PRESETS["linhai"]
    table, lines = table_of(rules)
    root, found = told(table, lines)
    deck = family_of(rules).deck(rules)
    each = found[0][1]
    proof = each.proof
    assert holds(root, deck, each.code, proof)
    other = next(code for code in ("1m", "2m") if code != each.code)
    assert not holds(root, deck, other, proof)
    assert not holds(root, deck, each.code, replace(proof, position=proof.position ^ 1))
    assert not holds(root, deck, each.code, replace(proof, tile=proof.tile ^ 1))
    assert not holds(root, deck, each.code, replace(proof, salt=bytes(16)))
    assert not holds(root, deck, each.code, replace(proof, path=proof.path[:-1]))
    assert not holds(sha256(root).digest(), deck, each.code, proof)
    for place in range(len(proof.path)):
        path = list(proof.path)
        path[place] = sha256(path[place]).digest()
        assert not holds(root, deck, each.code, replace(proof, path=tuple(path)))


def test_a_table_that_does_not_prove_keeps_nothing() -> None:
    table, _ = table_of(PRESETS["linhai"])
    table.proofs.clear()
    table.proving = False
    options = table.legal()
    table.act(options[0], AT)
    assert table.proofs == []

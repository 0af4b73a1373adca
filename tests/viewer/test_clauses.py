"""Every clause that the code can cite has a text, and no text is left that nothing cites.

The keys are taken from the code itself: string literals of the family's keys and of whole ids, and the few formatted
ones, which are listed here with what they can become and compared with what the code has.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from engine.banker.rules import BankerMode, BankerRules, Special
from engine.mahjong.patterns import DRAGONS
from engine.mahjong.rules import MahjongRules
from engine.rules import Rules
from engine.shuffle.refusal import Code
from engine.tricks.rules import TrickRules
from engine.variants import PRESETS, VERSIONS
from viewer import clauses

ROOT = Path(__file__).parents[2]
FAMILY = sorted(path for path in (ROOT / "engine" / "mahjong").glob("*.py") if path.stem != "rules")
"""Without `rules`, whose literals are the names of options."""
TRICKS = sorted((ROOT / "engine" / "tricks").glob("*.py"))
BANKER = sorted((ROOT / "engine" / "banker").glob("*.py"))
FRAME = [ROOT / "engine" / f"{name}.py" for name in ("verbs", "premise", "frame", "replay", "settlement")]
SHUFFLE = sorted((ROOT / "engine" / "shuffle").glob("*.py"))

KEY = re.compile(r"(?:act|claims|dealer|flower|kong|lock|pay|tai|turn|wall)\.[a-z_]+|shape|min_tai")
TRICK_KEY = re.compile(r"(?:bid|bury|call|deal|dealer|kitty|pay|play|score|trick|trump|turn)\.[a-z_]+")
OTHER_CONTEST = {
    "levels": re.compile(r"bid\.|trump\.starter|score\.(koudi|threshold)|pay\.(?!hand|none|scores|winners|zero)"),
    "auction": re.compile(r"call\.|kitty\.turned|pay\.hand|score\.table"),
}
"""Keys of the trick family that only the other of its two contests can cite."""
BANKER_KEY = re.compile(r"(?:bank|bet|bid|deal|dealer|escape|hand|pay|play|show)\.[a-z_]+")
BANKER_FORMATTED = {
    "bank.{rules.banker}": [f"bank.{mode}" for mode in get_args(BankerMode) if mode != "none"],
    "bank.{hand.rules.banker}": [],
    "hand.{name}": [f"hand.{name}" for name in get_args(Special)],
}
WHOLE = re.compile(
    r"(?:fairness|events|modes)\.[0-9a-z](?:[0-9a-zV.]*[0-9a-z])?|CM-\d\d|LH-\d\d|fairness\.md [0-9.]+( V\d+)?"
)
FORMATTED = {
    "claims.{answer}": ["claims.chow", "claims.pung", "claims.kong"],
    "fairness.1.10.{code}": [f"fairness.1.10.{code}" for code in ("V2", "V7", "V9", "V12")],
    "fairness.1.10.{codes[odd]}": ["fairness.1.10.V10", "fairness.1.10.V11"],
    "tai.{pattern.partition('.')[0]}": [],  # by way of every pattern id, below
}
DOUBTFUL = {f"LH-{number:02d}" for number in range(1, 34)} | {f"CM-{number:02d}" for number in range(1, 6)}
CHECKS = {f"fairness.1.10.V{number}" for number in range(1, 19)}


def literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def templates(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)[2:-1]


def pattern_keys() -> set[str]:
    """Keys of the patterns: every first word of a pattern id that a pattern function can return."""
    found = {"tai.win"}
    for path in FAMILY:
        if path.stem != "patterns":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Tuple) or len(node.elts) != 2:
                continue
            first = node.elts[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                found.add(f"tai.{first.value}")
            elif isinstance(first, ast.JoinedStr) and isinstance(first.values[0], ast.Constant):
                found.add(f"tai.{str(first.values[0].value).partition('.')[0]}")
    for word in ("kong_bloom", "flower_bloom", "last_discard", "heavenly", "earthly", "robbed"):
        MahjongRules.model_validate({**dict(PRESETS["linhai"]), "extra_tai": {word: 1}})
        found.add(f"tai.{word}")
    return found


def family_keys() -> set[str]:
    found = pattern_keys()
    for path in (*FAMILY, *FRAME):
        found |= {each for each in literals(path) if KEY.fullmatch(each)}
    for template, keys in FORMATTED.items():
        if not template.startswith("fairness"):
            found |= set(keys)
    return found


def trick_keys(rules: TrickRules) -> set[str]:
    found = {each for path in (*TRICKS, *FRAME) for each in literals(path) if TRICK_KEY.fullmatch(each)}
    return {key for key in found if not OTHER_CONTEST[rules.contest].match(key)}


def banker_keys() -> set[str]:
    found = {each for path in (*BANKER, *FRAME) for each in literals(path) if BANKER_KEY.fullmatch(each)}
    return found.union(*BANKER_FORMATTED.values())


def whole_ids() -> set[str]:
    found = {key for template, keys in FORMATTED.items() if template.startswith("fairness") for key in keys}
    for path in (*FAMILY, *BANKER, *TRICKS, *FRAME, *SHUFFLE):
        found |= {each for each in literals(path) if WHOLE.fullmatch(each)}
    return found


def keys_of(rules: Rules) -> set[str]:
    """Every key that the rules' family can cite under them."""
    if isinstance(rules, BankerRules):
        return banker_keys()
    return trick_keys(rules) if isinstance(rules, TrickRules) else family_keys()


def cited(rules: Rules) -> set[str]:
    return {rules.clause(key) for key in keys_of(rules)}


def test_the_code_has_keys_where_they_are_looked_for() -> None:
    keys = family_keys()
    assert {"act.not_held", "claims.kong", "pay.liability", "tai.dragon", "tai.cap", "dealer.next", "shape"} <= keys
    assert {"bank.asked", "bet.push", "pay.player", "hand.silver", "dealer.next"} <= banker_keys()
    assert {"bid.late", "play.follow", "trick.winner", "dealer.next"} <= trick_keys(PRESETS["three_one"])
    assert {"events.order", "fairness.1.9", "fairness.1.10.V12", "modes.4", "CM-05"} <= whole_ids()


def test_formatted_keys_are_all_listed() -> None:
    found = {
        template
        for path in (*FAMILY, *BANKER, *TRICKS, *FRAME)
        for template in templates(path)
        if re.match(
            r"(act|bank|bet|bid|escape|hand|show|bury|call|deal|kitty|play|score|trick|trump|claims|flower|kong|lock|pay|tai|turn|wall|fairness|events|modes)\.",
            template,
        )
    }
    assert found == set(FORMATTED) | set(BANKER_FORMATTED)


@pytest.mark.parametrize("rules", VERSIONS, ids=lambda rules: f"{rules.id}-{rules.version}")
def test_every_key_of_the_family_has_a_text_in_every_preset(rules: Rules) -> None:
    missing = sorted(clause for clause in cited(rules) if clauses.find(clause) is None)
    assert missing == []


@pytest.mark.parametrize("rules", VERSIONS, ids=lambda rules: f"{rules.id}-{rules.version}")
def test_every_key_that_a_variant_maps_is_one_that_the_family_cites(rules: Rules) -> None:
    assert {key for key, _ in rules.clauses} - keys_of(rules) == set()
    assert {clause for _, clause in rules.clauses} <= DOUBTFUL


def test_every_whole_id_has_a_text() -> None:
    assert sorted(each for each in whole_ids() | DOUBTFUL | CHECKS if clauses.find(each) is None) == []


def test_no_text_is_an_orphan() -> None:
    used = DOUBTFUL | CHECKS | {clauses.spelled(each) for each in whole_ids()}
    for rules in VERSIONS:
        used |= cited(rules)
    assert sorted(set(clauses.clauses()) - used) == []


def test_codes_of_the_deal_protocol_cite_sections_that_have_a_text() -> None:
    sections = {each for path in SHUFFLE for each in literals(path) if WHOLE.fullmatch(each)}
    assert len(sections) >= 5
    assert len(list(Code)) >= len(sections)
    assert all(clauses.find(each) for each in sections)


def test_both_languages_are_there_and_are_themselves() -> None:
    for clause, entry in clauses.clauses().items():
        assert set(entry) == {"zh", "en", "source"}, clause
        assert re.search(r"[\u4e00-\u9fff]", entry["zh"]), clause
        assert not re.search(r"[\u4e00-\u9fff]", entry["en"]), clause
        assert entry["zh"].endswith("。"), clause
        assert entry["en"].endswith("."), clause
        assert ".md" in entry["source"], clause


def test_a_doubtful_point_names_its_options_and_their_defaults() -> None:
    for name, value in PRESETS["linhai"].options().items():
        holders = [
            clause
            for clause, entry in clauses.clauses().items()
            if re.search(rf"(?<![a-z_.]){re.escape(name)}(?![a-z_])", entry["en"])
        ]
        assert holders, f"{name} (default {value!r}) stands in no clause"


def test_offered_words_stand_in_both_languages() -> None:
    for name, values in PRESETS["linhai"].offers:
        for clause, entry in clauses.clauses().items():
            if not re.search(rf"(?<![a-z_.]){re.escape(name)} =", entry["en"]):
                continue
            for value in values or ():
                telling = isinstance(value, str) and ("_" in value or f"{name} = {value}" in entry["en"])
                if telling and re.search(rf"(?<![a-z_]){re.escape(value)}(?![a-z_])", entry["en"]):
                    assert value in entry["zh"], f"{clause}: {name} = {value}"


def test_lookups() -> None:
    assert clauses.text("LH-26")["zh"].startswith("不可抢杠和")
    assert clauses.text("fairness.md 1.10 V3") == clauses.text("fairness.1.10.V3")
    assert clauses.find("another.server.rule") is None
    assert clauses.source("LH-12").endswith("[001:30]")
    with pytest.raises(KeyError):
        clauses.text("another.server.rule")


def test_an_id_in_two_folders_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "clauses.json").write_text(
            json.dumps({"X-1": {"zh": "一", "en": "one", "source": "s.md"}})
        )
    monkeypatch.setattr(clauses, "DATA", tmp_path)
    clauses.clauses.cache_clear()
    try:
        with pytest.raises(ValueError, match="X-1"):
            clauses.clauses()
    finally:
        monkeypatch.undo()
        clauses.clauses.cache_clear()


def test_dragons_share_one_clause() -> None:
    rules = PRESETS["linhai"]
    assert len(DRAGONS) == 3
    assert rules.clause("tai.dragon") == "linhai.tai.dragon"

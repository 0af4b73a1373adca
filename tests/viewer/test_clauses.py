"""Every clause that the code can cite has a text, and no text is left that nothing cites.

The keys are taken from the code itself: string literals of the family's keys and of whole ids, and the few formatted
ones, which are listed here with what they can become and compared with what the code has.
"""

import ast
import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from engine.banker.rules import BankerMode, BankerRules, Special
from engine.mahjong import hu
from engine.mahjong.patterns import DRAGONS, PATTERNS
from engine.mahjong.payments import HAND_PAYMENTS, PAYMENTS
from engine.mahjong.rules import MahjongRules, Occasion
from engine.mahjong.waiting import LAYOUT_PATTERNS
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
FRAME = [
    ROOT / "engine" / f"{name}.py" for name in ("verbs", "premise", "frame", "replay", "settlement", "case_stream")
]
SHUFFLE = sorted((ROOT / "engine" / "shuffle").glob("*.py"))
FORMATS = sorted((ROOT / "engine" / "formats").glob("*.py"))

KEY = re.compile(r"(?:act|claims|dealer|flower|ga|kong|lock|pay|tai|turn|wall|wild)\.[a-z_]+|shape|min_tai|fan")
COUNTED_BY = {"tai": ("tai", "points"), "hu": ("hu",), "multiplier": ("multiplier", "fans", "forms")}
"""Modules of the family that only one way of counting uses."""
PAID_BY = {function.__module__.rpartition(".")[2] for function in (*PAYMENTS.values(), *HAND_PAYMENTS.values())}
"""Modules of payments, each used where the rules list one of its functions."""
BY_FUNCTION = ("patterns", "waiting")
"""Modules of which rules list single functions."""
ONLY_WHERE = {
    "min_tai": lambda rules: "min_tai" in rules.options(),
    "fan": lambda rules: rules.counting == "multiplier",
    "flower.win": lambda rules: rules.counting == "multiplier",
    "claims.no_chow": lambda rules: "no_chow" in rules.options(),
    **{f"wild.{word}": lambda rules: rules.wild != "none" for word in ("claims", "discard", "kind", "kong")},
    "ga.choice": lambda rules: "ga" in rules.options(),
    "lock.swap": lambda rules: "swap_ban" in rules.options(),
    "lock.pung": lambda rules: "pass_pung_lock" in rules.options(),
    "lock.win": lambda rules: "pass_win_lock" in rules.options(),
}
"""Keys that stand in modules of all, with the rules that can cite them."""
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
    r"(?:fairness|events|modes)\.[0-9a-z](?:[0-9a-zV.]*[0-9a-z])?|(?:CM|LH|DH|HN)-\d\d|fairness\.md [0-9.]+( V\d+)?"
)
FORMATTED = {
    "claims.{answer}": ["claims.chow", "claims.pung", "claims.kong"],
    "fairness.1.10.{code}": [f"fairness.1.10.{code}" for code in ("V2", "V7", "V9", "V12")],
    "fairness.1.10.{codes[odd]}": ["fairness.1.10.V10", "fairness.1.10.V11"],
    "tai.{pattern.partition('.')[0]}": [],  # by way of every pattern id, below
}
OCCASIONS = get_args(Occasion)
POINTS = {"LH": 33, "DH": 41, "HN": 48, "CM": 5}
DOUBTFUL = {f"{letters}-{number:02d}" for letters, last in POINTS.items() for number in range(1, last + 1)}
CHECKS = {f"fairness.1.10.V{number}" for number in range(1, 19)}


def literals(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def templates(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            yield ast.unparse(node)[2:-1]


def row_ids(tree: ast.AST) -> Iterator[str]:
    """Name the pattern ids of rows `(id, tai)` and `(id, unit, value)`, by their first word."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple) and len(node.elts) in {2, 3}:
            first = node.elts[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value
            elif isinstance(first, ast.JoinedStr) and isinstance(first.values[0], ast.Constant):
                yield str(first.values[0].value).partition(".")[0]


def pattern_keys(rules: MahjongRules) -> set[str]:
    """Keys of the patterns that the rules list, whatever options say."""
    found = {"tai.win"} if "win_tai" in rules.options() else set()
    for name in rules.patterns:
        function = PATTERNS.get(name) or LAYOUT_PATTERNS[name]
        found |= {f"tai.{each}" for each in row_ids(ast.parse(inspect.getsource(function)))}
    if "occasion" in rules.patterns:
        words = OCCASIONS if "extra_tai" in rules.options() else tuple(rules.extra_tai)
        found |= {f"tai.{word}" for word in words}
    if rules.eight_flowers != "off":
        found.add("tai.eight_flowers")
    if rules.counting == "hu":
        found |= {f"tai.{each}" for each in (*row_ids(ast.parse(inspect.getsource(hu))), *hu.SETS)}
    if rules.counting == "multiplier":
        found |= {f"tai.{name}" for name, _ in (*rules.types, *rules.ways)}
        found |= {f"tai.{name}" for name in rules.fans} | {"tai.flowers"}
    return found


def family_keys(rules: MahjongRules) -> set[str]:
    """Every key that the family can cite under these rules, whatever options say."""
    listed = [PAYMENTS[name] for name in rules.payments] + [HAND_PAYMENTS[name] for name in rules.hand_payments]
    paying = {function.__module__.rpartition(".")[2] for function in listed}
    foreign = {stem for counting, stems in COUNTED_BY.items() if counting != rules.counting for stem in stems}
    found = pattern_keys(rules)
    for path in (*FAMILY, *FRAME):
        if path.stem in foreign | (PAID_BY - paying) | set(BY_FUNCTION):
            continue
        found |= {each for each in literals(path) if KEY.fullmatch(each)}
    for template, keys in FORMATTED.items():
        if not template.startswith("fairness"):
            found |= set(keys)
    return {key for key in found if key not in ONLY_WHERE or ONLY_WHERE[key](rules)}


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
    if isinstance(rules, TrickRules):
        return trick_keys(rules)
    assert isinstance(rules, MahjongRules)
    return family_keys(rules)


def cited(rules: Rules) -> set[str]:
    return {rules.clause(key) for key in keys_of(rules)}


def test_the_code_has_keys_where_they_are_looked_for() -> None:
    linhai, dinghai = PRESETS["linhai"], PRESETS["dinghai"]
    assert isinstance(linhai, MahjongRules)
    assert isinstance(dinghai, MahjongRules)
    keys = family_keys(linhai)
    assert {"pay.feeding", "tai.pair_wait", "tai.heavenly", "lock.swap"} <= family_keys(dinghai)
    assert {"pay.liability", "tai.win"} & family_keys(dinghai) == set()
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


def riichi_ids() -> set[str]:
    """Ids that the check of imported records cites: whole ones, and the first argument of its `no(kind, …)`."""
    found = {each for path in FORMATS for each in literals(path) if re.fullmatch(r"riichi\.[a-z_]+", each)}
    for path in FORMATS:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"no", "_no"}:
                kind = node.args[0]
                assert isinstance(kind, ast.Constant), f"{path}: {node.lineno}"
                found.add(f"riichi.{kind.value}")
    return found - {"riichi.tenhou"}


def test_every_id_of_imported_records_has_a_text() -> None:
    assert len(riichi_ids()) > 30
    assert sorted(each for each in riichi_ids() if clauses.find(each) is None) == []


def test_no_text_is_an_orphan() -> None:
    used = riichi_ids() | DOUBTFUL | CHECKS | {clauses.spelled(each) for each in whole_ids()}
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


MAHJONG = ("linhai", "dinghai", "duqiao", "hainan")


@pytest.mark.parametrize("preset", MAHJONG)
def test_a_clause_names_every_option(preset: str) -> None:
    its = {clauses.spelled(clause) for clause in cited(PRESETS[preset])} | DOUBTFUL
    for name, value in PRESETS[preset].options().items():
        holders = [
            clause
            for clause, entry in clauses.clauses().items()
            if clause in its and re.search(rf"(?<![a-z_.]){re.escape(name)}(?![a-z_])", entry["en"])
        ]
        assert holders, f"{name} (default {value!r}) stands in no clause"


@pytest.mark.parametrize("preset", MAHJONG)
def test_offered_words_stand_in_both_languages(preset: str) -> None:
    for name, values in PRESETS[preset].offers:
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

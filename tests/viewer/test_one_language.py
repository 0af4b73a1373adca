"""A page in Chinese shows no English: every text of every page is looked at, names and codes aside."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viewer.games import games
from viewer.page import shelf

FOLDER = Path(shelf.__file__).parent
PAGES = ("games", "payouts", "proof", "verdict", "fairness", "compare", "disputes", "file")
KINDS = ("markdown", "caption", "info", "error", "warning", "success")
WIDGETS = ("button", "selectbox", "text_input", "toggle", "date_input", "number_input")
CODES = re.compile(
    r":material/\w+:|\w+ = \w+|\S+/\S+|bot:\S+|[\w-]+(\.\w+)*-s\d+-\d+|\b[\w-]+\.[\w.-]+\b|\.[a-z-]{4,}"
    r"|\b[0-9a-f ]{8,}\b|\b[VT]\d+\b|paipu(/[\d.]+| [a-z-]+( --\w+)*)?|\b[a-z]+_[a-z_]+\b|`[^`]*`|\[[^\]]*\]|[a-z]+-\d+"
)
"""Ids, players, files, clauses, hashes, codes and commands, which are the same in every language."""
TERMS = frozenset(
    ("UTC", "English", "Merkle", "Fisher-Yates", "Holm", "SHA", "SHA-", "HMAC-SHA", "HKDF-Expand", "PRK", "SHAKE",
     "JSON", "mjlog", "mjai", "below", "dice", "leaf", "shuffle", "opened", "mix", "root", "settled", "lines",
     "payments")
)  # fmt: skip
"""Names of methods, and what stands in the log under its own name."""


def texts(app: AppTest) -> Iterator[str]:
    """Yield all that a page shows, code aside."""
    for kind in KINDS:
        yield from (str(each.value) for each in app.get(kind))
    for kind in WIDGETS:
        for each in app.get(kind):
            yield from (
                str(each.label),
                str(getattr(each, "placeholder", "") or ""),
                *map(str, getattr(each, "options", ())),
            )
    for table in (*app.table, *app.dataframe):
        yield from map(str, table.value.columns)
        yield from (str(cell) for row in table.value.itertuples(index=False) for cell in row if isinstance(cell, str))


def test_every_box_of_choices_in_words_is_set_anew_with_the_language() -> None:
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            given = {each.arg: each.value for each in node.keywords} if isinstance(node, ast.Call) else {}
            if "format_func" in given and isinstance(node, ast.Call) and node.func.attr == "selectbox":  # type: ignore[attr-defined]
                key = given["key"]
                found.add(key.value if isinstance(key, ast.Constant) else ast.literal_eval(key.values[0]))  # type: ignore[attr-defined]
    assert {name for name in found if not str(name).startswith(shelf.CHOICES)} == {"compare_ledger"}  # names of files


@pytest.mark.parametrize("name", PAGES)
def test_a_page_in_chinese_shows_no_english(
    monkeypatch: pytest.MonkeyPatch, club: str, forged_club: str, name: str
) -> None:
    monkeypatch.setenv("PAIPU_LEDGER", f"{club}\n{forged_club}")
    monkeypatch.setattr("sys.argv", ["app.py"])
    app = AppTest.from_string(f"from viewer.page import {name}\n\n{name}.show()\n", default_timeout=120)
    app.session_state["pages"] = {}
    app.query_params["lang"] = "zh"
    app.query_params["game"] = games(club)[0].id
    app.run()
    said = " ".join(texts(app)).replace("\\", "")
    assert len(re.findall("[\u3400-\u9fff]", said)) > 15
    english = {word for word in re.findall(r"[A-Za-z][A-Za-z-]{2,}", CODES.sub(" ", said)) if word not in TERMS}
    assert english == set()

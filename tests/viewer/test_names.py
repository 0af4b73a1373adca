"""Foreign names: nothing hidden, nothing that marks up, one line."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viewer.names import LIMIT, cut, md, shown, width


@pytest.mark.parametrize(
    ("name", "plain", "marked"),
    [
        ("梅子", "梅子", "梅子"),
        ("  a \n b\t", "a b", "a b"),
        ("\u202eevil\u202c", "evil", "evil"),
        ("a\u200bb\u2066c", "abc", "abc"),
        ("", "?", "?"),
        ("\u200f\x00", "?", "?"),
        ("![x](https://h/p.png)", "![x](https://h/p.png)", r"\!\[x\]\(https\:\/\/h\/p\.png\)"),
        ("<b>x</b>", "<b>x</b>", r"\<b\>x\<\/b\>"),
        (":red[x] $a$", ":red[x] $a$", r"\:red\[x\] \$a\$"),
        ("x" * 99, "x" * (LIMIT - 1) + "…", "x" * (LIMIT - 1) + "…"),
    ],
)
def test_names(name: str, plain: str, marked: str) -> None:
    assert shown(name) == plain
    assert md(name) == marked


@given(st.text())
def test_any_name_becomes_one_visible_line(name: str) -> None:
    plain = shown(name)
    assert 0 < len(plain) <= LIMIT
    assert not any(unicodedata.category(each) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} for each in plain)
    assert shown(plain) == plain


def test_columns_of_a_terminal() -> None:
    assert [width(text) for text in ("abc", "三万", "é", "e\u0301", "—")] == [3, 4, 1, 1, 1]
    assert cut("三万三万", 5) == "三万…"
    assert cut("三万", 4) == "三万"

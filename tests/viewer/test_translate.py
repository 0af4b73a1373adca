"""Catalogues hold what the sources say, no more and no less; nothing is shown past them; numbers, times, languages."""

import ast
import re
import string
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import message_ids
import pytest

from engine.variants import PRESETS
from viewer import translate, verdict, words
from viewer.reasons import REASONS, retold
from viewer.translate import bilingual, gettext, ngettext, pgettext

if TYPE_CHECKING:
    from playwright.sync_api import Browser

VIEWER = Path(__file__).parents[2] / "viewer"
EACH = [(lang, domain) for lang in translate.LOCALES for domain in translate.DOMAINS]
CHINESE = re.compile("[\u3400-\u9fff]")
SAME_IN_BOTH = {"paipu 牌谱", "中文"}
"""The product's name, and the languages' own names in the switch."""
LETTERS = re.compile(r"[A-Za-z]{2,}")
SHOWING = frozenset((
    "badge", "button", "caption", "checkbox", "code", "data_editor", "date_input", "download_button", "error",
    "expander", "file_uploader", "header", "info", "link_button", "markdown", "metric", "multiselect",
    "number_input", "page_link", "pills", "popover", "radio", "segmented_control", "selectbox", "slider", "spinner",
    "status", "subheader", "success", "tabs", "text", "text_area", "text_input", "title", "toast", "toggle",
    "warning", "write", "Page", "NumberColumn", "TextColumn", "DatetimeColumn", "Tooltip", "X", "Y", "Color",
    "Shape", "Facet", "Axis", "Scale", "Chart", "properties",
))  # fmt: skip
"""What Streamlit and Altair show, by the name of the call."""
SILENT = frozenset((
    "key", "icon", "width", "height", "mime", "file_name", "language", "on_click", "on_change", "on_select",
    "format", "format_func", "label_visibility", "selection_mode", "vertical_alignment", "alignment", "type",
    "url_path", "visibility", "query_params", "args", "timezone", "color", "data", "domain", "range", "sort",
    "scale", "axis", "stroke", "interpolate", "point", "column_config", "value", "index", "default",
))  # fmt: skip
"""Arguments that nobody reads."""
DRAWN = frozenset(("X", "Y", "Color", "Shape", "Facet", "Tooltip", "Axis", "Scale", "Chart", "properties"))
"""Calls of Altair: their first argument names a field, what is read stands in `title`."""


def messages_of(lang: str, domain: str) -> dict[tuple[str | None, str], object]:
    return {
        (each.context, each.id if isinstance(each.id, str) else each.id[0]): each
        for each in message_ids.stored(lang, domain)
        if each.id
    }


@pytest.mark.parametrize(("lang", "domain"), EACH)
def test_a_catalogue_has_each_message_of_the_sources_and_no_other(lang: str, domain: str) -> None:
    wanted = {(each.context, each.id) for each in message_ids.extracted(domain) if each.id}
    found = {(each.context, each.id) for each in message_ids.stored(lang, domain) if each.id}
    assert len(wanted) > 60
    assert found - wanted == set(), "left over: run tests/viewer/plain/message_ids.py"
    assert wanted - found == set(), "missing: run tests/viewer/plain/message_ids.py and translate"


@pytest.mark.parametrize(("lang", "domain"), EACH)
def test_every_message_is_translated_in_all_its_forms_with_what_it_is_filled_in_with(lang: str, domain: str) -> None:
    forms = {"en": 2, "zh": 1}[lang]
    for each in message_ids.stored(lang, domain):
        if not each.id:
            continue
        assert not each.fuzzy, each.id
        ids, told = ([each.id], [each.string]) if isinstance(each.id, str) else (list(each.id), list(each.string))
        assert len(told) == (1 if isinstance(each.id, str) else forms), each.id
        names = {frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name) for text in (*ids, *told)}
        assert all(text.strip() for text in told), each.id
        assert len(names - {frozenset()}) <= 1, (ids, told)
        if lang == "en":
            assert told == ids


@pytest.mark.parametrize(("lang", "domain"), EACH)
def test_a_catalogue_stands_as_the_tools_write_it(lang: str, domain: str) -> None:
    written = message_ids.as_file(message_ids.updated(lang, domain))
    assert message_ids.file_of(lang, domain).read_bytes() == written


def test_an_unknown_message_is_told_in_english() -> None:
    assert gettext("Never {x} seen", "zh", x="y") == "Never y seen"


def test_chinese_stands_in_catalogues_and_data_alone() -> None:
    for path in sorted(VIEWER.rglob("*.py")):
        found = [text for text, _ in literals(ast.parse(path.read_text())) if CHINESE.search(text)]
        assert set(found) <= SAME_IN_BOTH, path
    for path in sorted((VIEWER / "table").glob("*.js")):
        assert not CHINESE.search(path.read_text()), path


def literals(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the texts of a module that are no docstrings."""
    told = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            yield node.value, node.lineno


def shown_past(path: Path) -> list[tuple[int, str]]:
    """Return texts that a page shows without a catalogue: in calls that show something, and as headings of rows."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SHOWING:
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "clauses":
                continue  # clauses have their texts beside them
            read = [] if node.func.attr in DRAWN else node.args[:1]
            read += [each.value for each in node.keywords if each.arg not in SILENT]
            found += [(node.lineno, text) for each in read for text in plain(each) if LETTERS.search(bare(text))]
        if isinstance(node, ast.Dict) and any(isinstance(key, ast.Call) for key in node.keys):
            heads = [key.value for key in node.keys if isinstance(key, ast.Constant)]
            found += [(node.lineno, head) for head in heads if isinstance(head, str) and LETTERS.search(head)]
    return found


def plain(node: ast.AST) -> Iterator[str]:
    """Yield the literal parts of an expression that reach the reader: nothing inside a call, nothing that is a key."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (text for each in (node.body, node.orelse) for text in plain(each))
    elif isinstance(node, (ast.JoinedStr, ast.BinOp, ast.List, ast.Tuple, ast.FormattedValue)):
        yield from (text for each in ast.iter_child_nodes(node) for text in plain(each))


def bare(text: str) -> str:
    """Return a text without icons, colours, units of bytes and commands of ours, which are alike in both languages."""
    return re.sub(r":material/\w+:|:red\[|paipu( [a-z-]+)*|SHA-256|--\w+|\.paipu\.jsonl", "", text)


@pytest.mark.parametrize("path", sorted([*VIEWER.glob("page/*.py"), VIEWER / "app.py"]), ids=lambda path: path.stem)
def test_a_page_shows_nothing_past_the_catalogues(path: Path) -> None:
    assert [each for each in shown_past(path) if each[1] not in SAME_IN_BOTH] == []


@pytest.mark.parametrize(
    "line",
    [
        'st.markdown("Hello there")', 'left.caption(f"Hello {name}")', 'st.button(label="Press me", key="x")',
        'st.info("Yes" if good else "Not at all")', 'rows = [{gettext("Hand", lang): 1, "Payer": 2}]',
        'alt.Tooltip("seat:N", title="Seat")', 'st.text_input(gettext("Find", lang), placeholder="game or player")',
    ],
)  # fmt: skip
def test_the_check_of_pages_finds_a_literal(tmp_path: Path, line: str) -> None:
    (tmp_path / "page.py").write_text(f"{line}\n")
    assert shown_past(tmp_path / "page.py")


def test_the_scripts_show_nothing_past_the_catalogue() -> None:
    for path in (VIEWER / "table").glob("*.js"):
        code = re.sub(r"//.*", "", path.read_text())
        shown = re.findall(r'(?:text|title|"aria-label"|placeholder): "([^"]*[A-Za-z]{2}[^"]*)"', code)
        shown += re.findall(r'(?:textContent|title) = "([^"]*[A-Za-z]{2}[^"]*)"', code)
        assert not shown, path


@pytest.mark.browser
def test_the_script_says_a_message_as_python_does(browser: "Browser") -> None:
    page = browser.new_page()
    told = page.evaluate(
        """([source, catalogues, lang]) => {
          const its = new Function(`${source}; return speech;`)()(catalogues, lang);
          const points = (count) => its.ngettext("{count} point", "{count} points", count);
          const seat = its.gettext("Seat {number}", { number: "{x}" });
          const numbers = [its.signed(-12345), its.signed(0), its.seconds(740)];
          return [points(1), points(12345), seat, its.gettext("Unknown"), ...numbers];
        }""",
        [(VIEWER / "table" / "speech.js").read_text(), catalogues(), "en"],
    )
    assert told == ["1 point", "12,345 points", "Seat {x}", "Unknown", "−12,345", "0", "0.74"]
    page.close()


@pytest.mark.browser
def test_the_script_says_chinese(browser: "Browser") -> None:
    page = browser.new_page()
    told = page.evaluate(
        """([source, catalogues]) => {
          const its = new Function(`${source}; return speech;`)()(catalogues, "zh");
          const points = its.ngettext("{count} point", "{count} points", 12345);
          return [points, its.gettext("Seat {number}", { number: "3" }), its.signed(7)];
        }""",
        [(VIEWER / "table" / "speech.js").read_text(), catalogues()],
    )
    assert told == ["12,345 分", "3号位", "+7"]
    page.close()


def catalogues() -> dict[str, object]:
    return {lang: dict(translate.messages(lang, "table")) for lang in translate.LOCALES}


def test_readers_of_two_languages_do_not_mix() -> None:
    langs = list(islice(cycle(("en", "zh")), 400))
    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda lang: gettext("Games", lang), langs))
    assert told == [{"en": "Games", "zh": "牌局"}[lang] for lang in langs]


def test_plurals_and_contexts() -> None:
    assert ngettext("{count} hand", "{count} hands", 1, "en") == "1 hand"
    assert ngettext("{count} hand", "{count} hands", 1234, "en") == "1,234 hands"
    assert ngettext("{count} hand", "{count} hands", 1, "zh") == "1 局"
    assert pgettext("tiles", "hand", "zh") == "手牌"
    assert bilingual("Seat {number}", number="3") == {"en": "Seat 3", "zh": "3号位"}


def test_a_value_is_never_read_as_a_message() -> None:
    assert gettext("Seat {number}", "en", number="{0.__class__}{x}") == "Seat {0.__class__}{x}"


@pytest.mark.parametrize(
    ("amount", "told"), [(0, "0"), (7, "+7"), (-7, "−7"), (12345, "+12,345"), (-1_000_000, "−1,000,000")]
)
def test_points_are_grouped_and_signed(amount: int, told: str) -> None:
    assert translate.signed(amount, "en") == translate.signed(amount, "zh") == told


def test_shares_and_probabilities() -> None:
    assert translate.percent(0.01234, "en") == "1.23%"
    assert translate.number(0.5, "zh") == "0.50"
    assert translate.number(12345.6, "en") == "12,346"
    assert translate.probability(0.04213, "en") == "0.04213"
    assert translate.probability(1.234e-9, "zh") == "1.23E-9"
    assert translate.probability(0.0, "zh") == "0.0"


def test_a_whole_number_stays_one_when_its_equal_was_written_before() -> None:
    assert [translate.number(value, "en") for value in (1.0, 1, 0.0, 0)] == ["1.0", "1", "0.0", "0"]


def test_times_say_their_zone_and_stand_as_the_language_orders_them() -> None:
    at = 1_796_116_205_999
    assert translate.moment(at, "en") == "Dec 1, 2026 09:10:05 UTC"
    assert translate.moment(at, "zh", seconds=False) == "2026年12月1日 09:10 UTC"
    assert translate.moment(-5, "zh") == "1970年1月1日 00:00:00 UTC"
    assert translate.moment(10**18, "en").startswith("Dec 31, 9999")
    assert translate.calendar_format("en") == "MMM D, YYYY HH:mm"
    assert translate.calendar_format("zh") == "YYYY年M月D日 HH:mm"


@pytest.mark.parametrize(
    ("browser", "lang"),
    [("zh-CN", "zh"), ("zh", "zh"), ("zh-TW", "zh"), ("zh-Hans-SG", "zh"), ("ZH-cn", "zh"), ("en-US", "en"),
     ("fr", "en"), ("", "en"), (None, "en"), ("*", "en"), ("zh_CN; DROP", "en"), ("x" * 300, "en")],
)  # fmt: skip
def test_any_chinese_reads_chinese_everybody_else_english(browser: str | None, lang: str) -> None:
    assert translate.language(browser) == lang


def test_names_of_rules_are_ordered_as_the_language_does() -> None:
    def ordered(lang: str) -> list[str]:
        names = {translate.both(words.rules(preset), lang) for preset in PRESETS if "." not in preset}
        return sorted(names, key=lambda name: translate.collation(name, lang))

    assert ordered("zh") == [
        "定海麻将",
        "杜桥麻将",
        "海南癞子麻将",
        "临海40分",
        "临海麻将",
        "临海三吃一",
        "牛牛（浙南）",
    ]
    assert ordered("en")[0] == "Dinghai mahjong"
    assert ordered("en") == sorted(ordered("en"), key=str.lower)


def test_the_catalogues_travel_with_the_package() -> None:
    for lang, domain in EACH:
        assert message_ids.file_of(lang, domain).is_relative_to(Path(translate.__file__).parent)


def test_reasons_that_the_checks_give_are_told_again_in_chinese(club: str) -> None:
    report = verdict.audit(club).as_json()
    said = [each.get("why") for each in (*report["levels"], *report["deal"]["checks"], *report["not_checkable"])]
    told = {why: retold(why, "zh") for why in said if why}
    assert len(told) > 3
    assert all(CHINESE.search(text) for text in told.values()), told
    assert all(retold(why, "en") == why for why in told)


def test_a_reason_keeps_what_it_names_and_an_unknown_one_stays_as_it_was_said() -> None:
    assert retold("level 2: no time token", "zh") == "第 2 层：没有时间令牌"
    assert retold("12 of at least 30 needed", "zh") == "现有 12，至少需要 30"
    few = "T1 kind x position (deck of 54): 3 of at least 200 needed"
    assert retold(few, "zh") == "T1 牌种×位置（54 张一副）：现有 3，至少需要 200"
    assert retold("<b>{x}</b>", "zh") == "<b>{x}</b>"


def test_each_reason_is_one_that_a_check_gives() -> None:
    said = set()
    for path in (path for part in ("engine", "ledger", "viewer") for path in (VIEWER.parent / part).rglob("*.py")):
        if path.name == "reasons.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                said.add("".join(part.value if isinstance(part, ast.Constant) else "\0" for part in node.values))
    for message in REASONS:
        assert re.sub(r"\{\w+\}", "\0", message) in said, message

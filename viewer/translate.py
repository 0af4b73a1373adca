"""What is said in the reader's language: gettext catalogues, numbers and times by Babel (viewer.md 0.9, 4).

English texts are the message ids; `locale/LOCALE/LC_MESSAGES/*.po` says what they are in each language. `viewer.po`
holds what Python says, `table.po` what the scripts of the replay component say. The .po files are read as they stand,
once a process (15 ms, hardly slower than compiled ones would be found): there is no build step, and an editable
install, a wheel and a translator's editor see one file. Names of tiles, calls and patterns are data (`words`).

The language is an argument everywhere: sessions are threads of one process, so no `_` may stand for one of them.

A new text stands in English where it is shown, `gettext("Open the case", lang)`, with `{name}` for what is put in, and
`bilingual(…)` where both languages are wanted. `python tests/viewer/plain/message_ids.py` takes it into the catalogues
and says what is still to be translated; a test fails while a text is missing, left over, or shown past them.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache, lru_cache
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from typing import Final, TypedDict

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent, format_scientific

LOCALES: Final = {"en": "en", "zh": "zh_Hans"}
"""The two languages, as the pages name them, and their locales (explicit: `negotiate_locale` does not find zh-CN)."""
DOMAINS: Final = ("viewer", "table")
FOLDER: Final = Path(__file__).with_name("locale")
LATEST_MS: Final = 253_402_300_799_000
"""Last moment of the year 9999: what a calendar can show."""
GROUPED: Final = 1000
"""Whole numbers below it are written alike in both languages."""
RARE: Final = 0.0001
"""Probabilities below it are written with a power of ten."""


class Text(TypedDict):
    """The same words in the two languages."""

    en: str
    zh: str


Value = str | int | Text
"""What a message is filled in with: a number is written as the language does, a Text gives its part."""


def language(preferred: str | None) -> str:
    """Return the language for a browser's locale: any Chinese reads the one we have, everybody else English."""
    try:
        found = Locale.parse(preferred or "en", sep="-", resolve_likely_subtags=True)
    except (ValueError, TypeError, UnknownLocaleError):
        return "en"
    return "zh" if found is not None and found.language == "zh" else "en"


@cache
def catalogue(lang: str, domain: str = "viewer") -> GNUTranslations:
    """Return a language's catalogue; what it does not have is told in English."""
    with (FOLDER / LOCALES[lang] / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        read = read_po(file, locale=LOCALES[lang], domain=domain)
    compiled = BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return GNUTranslations(compiled)


@cache
def messages(lang: str, domain: str) -> Mapping[str, str | list[str]]:
    """Return a catalogue for a script: the English of a message to what it is, its plural forms as a list."""
    with (FOLDER / LOCALES[lang] / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        read = read_po(file, locale=LOCALES[lang], domain=domain)
    return {
        (each.id if isinstance(each.id, str) else each.id[0]): (
            each.string if isinstance(each.string, str) else list(each.string)
        )
        for each in read
        if each.id and each.string
    }


def N_(message: str) -> str:  # noqa: N802  the name by which extractors know it
    """Mark a message that is said later, by `gettext` of a variable."""
    return message


def gettext(message: str, lang: str, **values: Value) -> str:
    """Return a message in a language, filled in."""
    return _filled(catalogue(lang).gettext(message), lang, values)


def pgettext(context: str, message: str, lang: str, **values: Value) -> str:
    """Return a message whose English stands for two things; `context` says which."""
    return _filled(catalogue(lang).pgettext(context, message), lang, values)


def ngettext(one: str, many: str, count: int, lang: str, **values: Value) -> str:
    """Return a message about so many; `{count}` in it is the number."""
    return _filled(catalogue(lang).ngettext(one, many, count), lang, {"count": count, **values})


def bilingual(message: str, **values: Value) -> Text:
    """Return a message in both languages."""
    return {"en": gettext(message, "en", **values), "zh": gettext(message, "zh", **values)}


def pbilingual(context: str, message: str, **values: Value) -> Text:
    """Return a message with a context in both languages."""
    return {"en": pgettext(context, message, "en", **values), "zh": pgettext(context, message, "zh", **values)}


def nbilingual(one: str, many: str, count: int, **values: Value) -> Text:
    """Return a message about so many in both languages."""
    return {"en": ngettext(one, many, count, "en", **values), "zh": ngettext(one, many, count, "zh", **values)}


def side_by_side(text: Text) -> str:
    """Return both languages in one line, for papers that all parties read."""
    return f"{text['zh']} {text['en']}" if text["zh"] != text["en"] else text["en"]


def listed(names: Iterable[str], lang: str) -> str:
    """Return names in a row, with the language's comma."""
    return ("，" if lang == "zh" else ", ").join(names)


def both(text: Text, lang: str) -> str:
    """Return the words of one language."""
    return text["zh"] if lang == "zh" else text["en"]


def _filled(message: str, lang: str, values: Mapping[str, Value]) -> str:
    return message.format_map({name: _told(value, lang) for name, value in values.items()}) if values else message


def _told(value: Value, lang: str) -> str:
    if isinstance(value, str):
        return value
    return number(value, lang) if isinstance(value, int) else both(value, lang)


@lru_cache(maxsize=4096, typed=True)  # 1 and 1.0 are equal, and written differently
def number(value: float, lang: str) -> str:
    """Return a number: whole ones grouped, others with four significant digits."""
    if isinstance(value, int):
        return str(value) if -GROUPED < value < GROUPED else format_decimal(value, locale=LOCALES[lang])
    return format_decimal(value, format="#,##0" if abs(value) >= GROUPED else "@@##", locale=LOCALES[lang])


def signed(amount: int, lang: str) -> str:
    """Return an amount of points with its sign; the minus is the typographic one, 0 has none."""
    return f"{'+' if amount > 0 else '−'}{number(abs(amount), lang)}" if amount else "0"


def percent(share: float, lang: str) -> str:
    """Return a share in per cent, three significant digits."""
    return format_percent(share, format="@@#%", locale=LOCALES[lang])


def probability(p: float, lang: str) -> str:
    """Return a probability with four significant digits; a rare one with its power of ten."""
    return number(p, lang) if p >= RARE or not p else format_scientific(p, format="0.##E0", locale=LOCALES[lang])


def moment(at: int, lang: str, *, seconds: bool = True) -> str:
    """Return a time, ms UTC, in the language's own order of day, month and year; the zone is said."""
    when = datetime.fromtimestamp(min(max(at, 0), LATEST_MS) / 1000, UTC)
    clock = "HH:mm:ss" if seconds else "HH:mm"
    return f"{format_datetime(when, f'{_day(lang)} {clock}', tzinfo=UTC, locale=LOCALES[lang])} UTC"


def calendar_format(lang: str) -> str:
    """Return the pattern of day and minute for tables that sort by time and write it in the browser (moment.js)."""
    return f"{_day(lang).replace('y', 'YYYY').replace('d', 'D')} HH:mm"


@cache
def _day(lang: str) -> str:
    return str(Locale.parse(LOCALES[lang]).date_formats["medium"].pattern)


def collation(name: str, lang: str) -> bytes:
    """Return what names are sorted by: in Chinese their sound, in English their letters whatever their case.

    The common characters of GB 2312 stand in the order of their pinyin, which its bytes keep; names of rules use no
    others.
    """
    return name.encode("gb18030", "replace") if lang == "zh" else name.casefold().encode()

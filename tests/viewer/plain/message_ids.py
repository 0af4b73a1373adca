"""The message ids of the sources, and the catalogues brought up to them: run this file after a new text.

Babel's own extractor does not look into f-strings before Python 3.12, so Python is read by its syntax tree; the scripts
of the replay component by Babel.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from viewer import translate

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final = ROOT / "viewer"
KEYWORDS: Final = {
    "N_": ("", 1),
    "gettext": ("", 1),
    "bilingual": ("", 1),
    "ngettext": ("", 2),
    "nbilingual": ("", 2),
    "_both": ("", 1),
    "pgettext": ("c", 1),
    "pbilingual": ("c", 1),
}
"""Functions that say a message: whether a context comes first, how many forms follow."""
LEFT_OUT: Final = (
    b'"Report-Msgid',
    b'"Last-Translator',
    b'"Language-Team',
    b'"Generated-By',
    b'"POT-Creation',
    b'"PO-Rev',
)
"""Headers that say nothing here, or change with the clock and Babel's version."""


def calls(path: Path) -> Iterator[tuple[str, list[str], int]]:
    """Yield context, forms and line of each message of a Python file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in KEYWORDS:
            continue
        context, forms = KEYWORDS[name]
        count = len(context) + forms
        said = [each.value for each in node.args[:count] if isinstance(each, ast.Constant)]
        if len(said) == count and all(isinstance(each, str) for each in said):
            yield (said[0] if context else ""), said[len(context) :], node.lineno


@cache
def extracted(domain: str) -> Catalog:
    """Return the messages of the sources of a domain."""
    found = Catalog(domain=domain)
    if domain == "table":
        for path in sorted((SOURCES / "table").glob("*.js")):
            with path.open("rb") as file:
                keywords = {"gettext": None, "N_": None, "ngettext": (1, 2)}
                options = {"parse_template_string": True}
                for line, said, _, context in extract("javascript", file, keywords, options=options):
                    found.add(said, locations=[(str(path.relative_to(ROOT)), line)], context=context)
        return found
    for path in sorted(SOURCES.rglob("*.py")):
        for context, forms, line in calls(path):
            said = tuple(forms) if len(forms) == 2 else forms[0]
            found.add(said, locations=[(str(path.relative_to(ROOT)), line)], context=context or None)
    return found


def stored(lang: str, domain: str) -> Catalog:
    """Return a catalogue as it stands."""
    path = file_of(lang, domain)
    if not path.exists():
        return Catalog(locale=translate.LOCALES[lang], domain=domain)
    with path.open("rb") as file:
        return read_po(file, locale=translate.LOCALES[lang], domain=domain)


def file_of(lang: str, domain: str) -> Path:
    return translate.FOLDER / translate.LOCALES[lang] / "LC_MESSAGES" / f"{domain}.po"


def updated(lang: str, domain: str) -> Catalog:
    """Return a catalogue with the messages of the sources, no more; English ones say themselves."""
    made = Catalog(locale=translate.LOCALES[lang], domain=domain, project="paipu", version="",
                   header_comment=f"# paipu: {domain}, {lang}", fuzzy=False)  # fmt: skip
    before = stored(lang, domain)
    for message in extracted(domain):
        if not message.id:
            continue
        kept = before.get(message.id, message.context)
        string = kept.string if kept is not None else ""
        if not string and lang == "en":
            string = message.id
        made.add(message.id, string, locations=message.locations, context=message.context)
    return made


def as_file(catalogue: Catalog) -> bytes:
    """Return a catalogue as its file stands."""
    written = BytesIO()
    write_po(written, catalogue, width=120, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return b"".join(line for line in written.getvalue().splitlines(keepends=True) if not line.startswith(LEFT_OUT))


def main() -> int:
    """Bring the catalogues up to the sources; 1 where something is to be translated."""
    lacking = 0
    for lang in translate.LOCALES:
        for domain in translate.DOMAINS:
            catalogue = updated(lang, domain)
            path = file_of(lang, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_file(catalogue))
            for message in catalogue:
                if message.id and not message.string:
                    lacking += 1
                    print(f"{path.relative_to(ROOT)}: {message.id!r} is to be translated")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())

"""The clauses: what each id that a finding, a settlement line or an error cites says, in Chinese and English.

Data, one `clauses.json` a folder of `data/` (in a wheel `viewer/_data`): the variant's own ids and doubtful points
(`linhai.pay.discard`, `LH-23`) beside the variant, what all games share (`CM-05`, `events.order`, `fairness.1.10.V9`)
in `common`. This module only looks texts up; which clause applies is for the engine to say.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from viewer.translate import Text

DATA: Final = next(
    folder for folder in (Path(__file__).with_name("_data"), Path(__file__).parents[1] / "data") if folder.is_dir()
)
"""The project's data: inside the package in a wheel, beside it in a source tree."""


def spelled(clause_id: str) -> str:
    """Return an id as the data spell it: refusals of the deal protocol cite page and section, `fairness.md 1.10 V3`."""
    return clause_id.replace(".md ", ".").replace(" ", ".")


@cache
def clauses() -> Mapping[str, Mapping[str, str]]:
    """Return every clause: id, then `zh`, `en` and `source`. Raises ValueError where two folders define one id."""
    whole: dict[str, Mapping[str, str]] = {}
    for path in sorted(DATA.glob("*/clauses.json")):
        found: dict[str, Mapping[str, str]] = json.loads(path.read_bytes())
        twice = sorted(set(whole) & set(found))
        if twice:
            raise ValueError(f"{path}: {', '.join(twice)} stands in another folder, too")
        whole |= found
    return whole


def find(clause_id: str) -> Text | None:
    """Return the text of a clause, None for an id that is not ours (logs of other servers may cite anything)."""
    entry = clauses().get(spelled(clause_id))
    return None if entry is None else {"en": entry["en"], "zh": entry["zh"]}


def text(clause_id: str) -> Text:
    """Return the text of a clause; an unknown id is a KeyError."""
    found = find(clause_id)
    if found is None:
        raise KeyError(clause_id)
    return found


def source(clause_id: str) -> str:
    """Return the page and lines that a clause rests on; an unknown id is a KeyError."""
    return clauses()[spelled(clause_id)]["source"]

"""Why something was not checked, and what a test asks, in the reader's language.

The checks say so in English, once, where they are made (ledger and engine know no catalogue): here is what they say,
with `{name}` for what varies, so that a page can say it again in Chinese. What is not listed stays as it was said.
"""

import re
from functools import cache, lru_cache
from typing import Final

from viewer.translate import N_, gettext

REASONS: Final = (
    # levels
    N_("no pinned policy: the keys are the ledger's own"),
    N_("no signed command"),
    N_("no time token"),
    N_("no rules here"),
    N_("no receipt given"),
    N_("no root of a time-stamping authority is pinned"),
    N_("the extra [time] is missing"),
    N_("no game that could be replayed"),
    N_("receipts and mirrors are judged by a pinned policy, and there is none"),
    N_("no receipt or mirror that itself holds"),
    N_("no hand that could be checked"),
    # games
    N_("its events are not published"),
    N_("the blind of its commitments is not here"),
    N_("the game is not closed: its end and unused hands are still open"),
    N_("the deal follows no committed seed (protocol none): draws taken as given"),
    N_("the seeds are revealed to the auditor only"),
    N_("wall roots left out on request"),
    N_("seed of hand {hand} not revealed"),
    N_("{count} decisions of seat {seat} are not signed"),
    N_("no replay of {stream} streams yet"),
    N_("it does not hold itself: {why}"),
    # checks of the deal
    N_("no list of approved software manifests is given"),
    N_("no game was replayed"),
    N_("no deal follows a protocol that can be recomputed"),
    N_("the foreign log holds nothing of the kind"),
    N_("no game names a beacon"),
    N_("the wide profile has no root seed"),
    N_("level {level}: {why}"),
    # the battery (what holds another reason stands before it)
    N_("{row} {test} ({deck}): {why}"),
    N_("no walls of some games: {why}"),
    N_("its first event cannot be read"),
    N_("its seeds are not revealed"),
    N_("the deal follows no committed seed (protocol none)"),
    N_("no seed in the record"),
    N_("no wall is known"),
    N_("the log does not tell the copies of a kind apart"),
    N_("no two cards of one kind"),
    N_("no dice in these logs"),
    N_("every seat wears the same labels"),
    N_("{found} of at least {least} needed"),
    N_("hands are missing: {what}"),
    N_("no plan was registered before (--plan)"),
    N_("files: nothing says that no game is missing between them"),
    N_("deck of {n}"),
    N_("{test}: q {q}"),
    N_("departure found"),
    N_("no departure found"),
    N_("inconclusive"),
    N_("not checkable"),
    N_("kind x position"),
    N_("id x position"),
    N_("largest cell"),
    N_("inversions"),
    N_("runs and rising sequences"),
    N_("fixed points and cycles"),
    N_("adjacent equal kinds"),
    N_("permutations of five"),
    N_("serial rank correlation"),
    N_("composition of consecutive walls"),
    N_("opening hands by seat"),
    N_("dice: pairs, serial, gaps, coupon collector"),
    N_("opening hands by seat, account class, streak"),
)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    found = []
    for message in REASONS:
        parts = re.split(r"\{(\w+)\}", message)
        texts = [re.escape(part) if at % 2 == 0 else f"(?P<{part}>.+?)" for at, part in enumerate(parts)]
        found.append((re.compile("".join(texts), re.DOTALL), message))
    return tuple(found)


@lru_cache(maxsize=4096)
def retold(text: str, lang: str) -> str:
    """Return what a check has said in English, in a language; words inside it are told again as well."""
    for pattern, message in _patterns() if lang != "en" else ():
        found = pattern.fullmatch(text)
        if found is not None:
            return gettext(message, lang, **{name: retold(part, lang) for name, part in found.groupdict().items()})
    return text

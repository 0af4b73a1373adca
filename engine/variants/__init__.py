"""The variants: each a value of its family's rules. Registered here once; every lookup derives from this list."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from orjson import OPT_SORT_KEYS, dumps, loads

from engine.errors import UnknownRulesError
from engine.rules import Rules
from engine.variants import dinghai, duqiao, forty, hainan, linhai, niuniu, three_one

VERSIONS: tuple[Rules, ...] = (
    linhai.RULES,
    linhai.RULES_144,
    dinghai.RULES,
    dinghai.RULES_QIQI50,
    duqiao.RULES,
    hainan.RULES,
    hainan.NO_FAN,
    hainan.THREE,
    hainan.RANDOM,
    three_one.RULES,
    forty.RULES,
    niuniu.RULES,
    niuniu.NATIONAL,
)
"""Every version of every preset, the current one of a preset last."""

PRESETS: dict[str, Rules] = {rules.id: rules for rules in VERSIONS}
"""The current version of each preset."""


def find(preset: str, options: Mapping[str, Any] | None = None) -> Rules:
    """Return a preset's current rules with options; raise UnknownRulesError or RulesError."""
    rules = PRESETS.get(preset)
    if rules is None:
        msg = f"no preset {preset!r}; known: {', '.join(PRESETS)}"
        raise UnknownRulesError(msg, tuple(PRESETS))
    return rules.but(options or {})


def by_digest(preset: str, options: Mapping[str, Any], digest: str) -> Rules:
    """Return the version of a preset whose digest, with these options, is `digest`.

    An unknown preset or digest raises UnknownRulesError, an option that does not exist RulesError: never a default.
    """
    return _by_digest(preset, dumps(options, option=OPT_SORT_KEYS), digest)


@lru_cache(maxsize=128)
def _by_digest(preset: str, told: bytes, digest: str) -> Rules:
    """Do it once for all games of the same rules; `told` are the options as JSON, which can be a key."""
    options: dict[str, Any] = loads(told)
    current = find(preset, options)
    for rules in (current, *(version.but(options) for version in VERSIONS if version.id == preset)):
        if rules.digest() == digest:
            return rules
    msg = f"no version of {preset} with these options has the digest {digest}"
    raise UnknownRulesError(msg, (current.digest(),))

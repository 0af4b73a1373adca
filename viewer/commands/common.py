"""What several commands share: the ledger option, option lists, errors in one line."""

import json
from pathlib import Path
from typing import Any

import click

from ledger.errors import Unavailable
from viewer.targets import ledger_url


class Place(click.Path):
    """A file or folder by name; the empty name, an unset variable's, is refused instead of meaning this folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Return the path."""
        if value == "":
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


ledger_option = click.option(
    "--ledger",
    "ledger",
    envvar="PAIPU_LEDGER",
    metavar="URL",
    help="The ledger, e.g. sqlite:///club.db (default: $PAIPU_LEDGER).",
)


def need_ledger(ledger: str | None) -> str:
    """Return the ledger's URL; a usage error where none is named."""
    if not ledger:
        raise click.UsageError("no ledger: give --ledger URL or set PAIPU_LEDGER")
    if "://" in ledger:
        return ledger
    url = ledger_url(ledger)
    if url is None:
        raise Unavailable(ledger, "not a ledger")
    return url


def assignments(pairs: tuple[str, ...], what: str) -> dict[str, Any]:
    """Read NAME=VALUE pairs; a value is JSON where it is, else a word."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"{pair!r} is not NAME=VALUE", param_hint=what)
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found

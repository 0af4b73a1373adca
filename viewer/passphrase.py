"""Where the passphrase of a sealed key comes from: a file, the environment, or a prompt, in this order (ledger.md 3).

`$PAIPU_PASSPHRASE_FILE` names a file (its first line counts), `$PAIPU_PASSPHRASE` is the passphrase itself. A prompt is
shown only where somebody sits at a terminal; else the answer is one clear error. Nothing here is ever printed.
"""

import os
import sys
from pathlib import Path

import click

from ledger.errors import Unavailable
from ledger.sealed import Ask

FILE = "PAIPU_PASSPHRASE_FILE"
VALUE = "PAIPU_PASSPHRASE"

passphrase_option = click.option(
    "--passphrase-file",
    metavar="FILE",
    help=f"Holds the passphrase of a sealed key (default: ${FILE}, else ${VALUE}, else a prompt).",
)


def asking(file: str | None = None, *, twice: bool = False) -> Ask:
    """Return what gives the passphrase of a key file; `twice` has a typed one confirmed."""

    def ask(path: str) -> bytes:
        place = file or os.environ.get(FILE)
        if place:
            return _first_line(place)
        if VALUE in os.environ:
            return os.environ[VALUE].encode(errors="surrogateescape")
        if not sys.stdin.isatty():
            raise Unavailable(path, f"a passphrase is needed: --passphrase-file, ${FILE} or ${VALUE}")
        typed: str = click.prompt(f"passphrase of {path}", hide_input=True, confirmation_prompt=twice, err=True)
        return typed.encode()

    return ask


def _first_line(place: str) -> bytes:
    try:
        with Path(place).open("rb") as source:
            line = source.readline(4096)
    except OSError as error:
        raise Unavailable(place, f"the passphrase cannot be read: {error.strerror}") from None
    return line.removesuffix(b"\n").removesuffix(b"\r")

"""The command line `paipu`.

Exit codes: 0 clean, 1 findings (verify, score --check), 2 usage or unreadable input, each error in one line on standard
error. A traceback is a bug of ours, never an answer to bad input.
"""

import logging
import sys
from importlib import import_module
from importlib.metadata import version

import click

from engine.errors import EventError, RulesError, UnknownRulesError
from engine.shuffle import ContextError
from ledger.errors import LedgerError
from ledger.findings import printable
from viewer.complaint import complain

COMMANDS = {
    "demo": "viewer.commands.demo:demo",
    "simulate": "viewer.commands.simulate:simulate",
    "verify": "viewer.commands.verify:verify",
    "fsck": "viewer.commands.fsck:fsck",
    "recheck": "viewer.commands.verify:recheck",
    "replay": "viewer.commands.replay:replay",
    "view": "viewer.commands.view:view",
    "games": "viewer.commands.exchange:games",
    "fairness": "viewer.commands.fairness:fairness",
    "signals": "viewer.commands.signals:signals",
    "score": "viewer.score:score",
    "tile": "viewer.commands.tile:tile",
    "export": "viewer.commands.exchange:export",
    "import": "viewer.commands.exchange:import_game",
    "publish": "viewer.commands.publish:publish_log",
    "mirror": "viewer.commands.publish:mirror_log",
    "witness": "viewer.commands.witness:witness",
    "receipt": "viewer.commands.receipt:receipt",
    "verify-receipt": "viewer.commands.receipt:verify_receipt",
    "time": "viewer.commands.time:time",
    "text": "viewer.commands.text:text",
    "case": "viewer.commands.case:case",
    "migrate": "viewer.commands.migrate:migrate",
    "keys": "viewer.commands.keys:keys",
    "bench": "viewer.commands.bench:bench",
}
"""Every command and where it is defined; imported only when it is asked for."""

"""Characters of an error that are told: what it quotes may be a whole file."""
EXPECTED = (LedgerError, EventError, RulesError, UnknownRulesError, ContextError, OSError, UnicodeError)
"""Errors that bad input or a bad place causes: told in one line."""


class Commands(click.Group):
    """The commands, imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of use."""
        assert ctx is not None
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by name."""
        assert ctx is not None
        where = COMMANDS.get(cmd_name)
        if where is None:
            return None
        module, _, name = where.partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an interrupt is told by `run`, not by click, which would print an empty line before."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.Abort from None


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: paipu demo --no-view",
)
@click.version_option(version("paipu"), prog_name="paipu")
def paipu() -> None:
    """Replay and audit mahjong and card games from signed logs (牌谱).

    Every command on a ledger takes --ledger URL, default $PAIPU_LEDGER.
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    logging.getLogger("sqlalchemy").addHandler(logging.NullHandler())  # what fails there is told here, in one line
    try:
        code = paipu.main(args, prog_name="paipu", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        complain(error.format_message())
        return 2
    except click.exceptions.Exit as error:
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return 130
    except (BrokenPipeError, SystemExit):
        # click answers a closed pipe with SystemExit(1) even here; 1 would mean findings.
        return 2
    except EXPECTED as error:
        complain(_reason(error))
        return 2
    return code if isinstance(code, int) else 0


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, UnicodeEncodeError | UnicodeDecodeError):
        return f"{_octets(error.object)} is not UTF-8"
    return str(error)


def _octets(found: str | bytes) -> str:
    """Show what is no text: bytes of an argument that the system could not decode come as lone surrogates."""
    if isinstance(found, bytes):
        return printable(found)
    try:
        return printable(found.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return printable(found.encode("utf-8", "backslashreplace"))

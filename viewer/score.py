"""`paipu score`: finished hands typed in or from files, and what each must pay (`cases/README.md`).

Reading and printing only: what a case means and what it pays is the engine's (`engine.mahjong.cases`). Every file is
read before anything is printed: one that is no JSON leaves one line on standard error and nothing else. A case that
cannot be read, or whose hand cannot exist, is told there with its place; the others are settled all the same.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

from engine.banker import cases as banker
from engine.errors import RulesError, UnknownRulesError
from engine.fields import CaseError, Fields
from engine.mahjong import cases as mahjong
from engine.rules import Rules
from engine.tricks import cases as tricks
from engine.variants import find
from viewer import card_cases
from viewer.complaint import complain
from viewer.plain import check_depth, read_bytes
from viewer.translate import Value, bilingual, side_by_side
from viewer.words import dialect, pattern, reason, term

Result = dict[str, Any]

SETTLERS: dict[str, Callable[[Mapping[str, Any], Any], Result]] = {
    "mahjong": mahjong.result,
    "banker": banker.result,
    "tricks": tricks.result,
}
"""What settles a case, by family."""

EXPECTED_MAPS = ("tai", "multiplier")
"""What `expect` may say of each winner."""


class UnreadableError(click.ClickException):
    """A file that holds no JSON value: one line, exit 2."""

    exit_code = 2


class Case:
    """One case with its rules, its result and how it differs from what it expects."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        fields = Fields(told)
        self.told = told
        self.rules = rules_of(fields)
        self.result = SETTLERS[self.rules.family](told, self.rules)
        expect = fields.part("expect")
        self.expects = expect is not None
        self.differences = [] if expect is None else self._differences(expect)

    def _differences(self, expect: Fields) -> list[str]:
        if self.rules.family in card_cases.EXPECTS:
            return card_cases.differences(self.rules.family, expect, self.result)
        return differences(expect, self.result, len(self.payments))

    @property
    def name(self) -> str:
        """Return the case's id."""
        return str(self.result.get("id", "a case without id"))

    @property
    def payments(self) -> list[int]:
        """Return what each seat gets; nothing where the win is not allowed."""
        nothing = [0] * getattr(self.rules, "players", 4)
        return list(self.result.get("payments", nothing))


@click.command(epilog="Example: paipu score --check data/linhai/cases.json")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--check", is_flag=True, help="Compare with `expect`; exit 1 and list the differences.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a case.")
def score(files: tuple[str, ...], check: bool, as_json: bool) -> None:
    """Settle hands typed as scoring cases.

    Each FILE holds a JSON list of cases, or one case; - is standard input.

    A case that cannot be read is told on standard error; the others are settled, and the exit code is 2.
    """
    given = [each for path in files for each in read_cases(path)]
    settled = [_settle(where, each) for where, each in given]
    cases = [case for case in settled if case is not None]
    unread = len(settled) - len(cases)
    if as_json:
        for case in cases:
            odd = {"differences": case.differences} if check and case.differences else {}
            click.echo(json.dumps({**case.result, **odd}, ensure_ascii=False))
    elif check and (cases or not unread):
        click.echo("\n".join([*(line for case in cases for line in differing(case)), summary(cases, unread)]))
    elif cases:
        click.echo("\n\n".join("\n".join(told(case)) for case in cases))
    if unread:
        raise click.exceptions.Exit(2)
    if check and any(case.differences for case in cases):
        raise click.exceptions.Exit(1)


# --- reading ----------------------------------------------------------------------------------------------------


def read_cases(path: str) -> list[tuple[str, Any]]:
    """Return what a file holds for cases, each with its place in words; UnreadableError where it is no JSON."""
    whole = parse(path, read_bytes(path))
    if not isinstance(whole, list):
        return [(path, whole)]
    return [(f"{path}: {_which(number, each)}", each) for number, each in enumerate(whole, 1)]


def _which(number: int, told: object) -> str:
    name = told.get("id") if isinstance(told, Mapping) else None
    return f"case {number} ({name})" if isinstance(name, str) else f"case {number}"


def _settle(where: str, told: Any) -> Case | None:  # noqa: ANN401  what JSON holds
    """Return the settled case; None where it cannot be read, and its place and the reason are told."""
    try:
        return Case(told)
    except (CaseError, RulesError, UnknownRulesError) as error:
        complain(f"{where}: {error}")
        return None


def parse(path: str, data: bytes) -> Any:  # noqa: ANN401  what JSON holds
    """Return the JSON value of a file: UTF-8, every key once, no numbers beyond JSON's own."""
    try:
        check_depth(data)
        whole = json.loads(data.decode(), object_pairs_hook=_once, parse_constant=_no_constant)
        json.dumps(whole, ensure_ascii=False).encode()  # half a surrogate pair could not be printed again
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{path}: not UTF-8 at byte {error.start}") from None
    except UnicodeEncodeError:
        raise UnreadableError(f"{path}: a text holds half a surrogate pair") from None
    except RecursionError:
        raise UnreadableError(f"{path}: nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"{path}: not JSON: {error}") from None
    return whole


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the key {name!r} stands twice in one object")
        found[name] = value
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def rules_of(fields: Fields) -> Rules:
    """Return the rules that a case names, its options applied; RulesError, UnknownRulesError or CaseError."""
    preset = fields.text("rules")
    if preset is None:
        raise CaseError("rules", "which rules? a preset id is needed")
    options = fields.raw("options")
    if options is not None and not isinstance(options, Mapping):
        raise CaseError("options", f"an object of options is needed, not {options!r}")
    return find(preset, options or {})


# --- comparing --------------------------------------------------------------------------------------------------


def differences(expect: Fields, result: Result, players: int) -> list[str]:
    """Return how a result differs from what its case expects, one line each; CaseError where `expect` is none."""
    illegal = expect.flag("illegal")
    maps = {name: _by_seat(expect.part(name), players) for name in EXPECTED_MAPS if expect.has(name)}
    payments = expect.numbers("payments", -(2**53), 2**53)
    expect.done()
    if illegal != bool(result.get("illegal")):
        if illegal:
            return [f"illegal: expected an outcome that is not allowed, found payments {result['payments']}"]
        return [f"illegal: expected a lawful outcome, found: {result['reason']}"]
    found: list[str] = []
    for name, wanted in maps.items():
        have = {winner["seat"]: winner[name] for winner in result.get("winners", []) if name in winner}
        if have != wanted:
            found.append(f"{name}: expected {_seats(wanted)}, found {_seats(have)}")
    if payments is not None and payments != result.get("payments"):
        found.append(f"payments: expected {payments}, found {result.get('payments', 'none')}")
    return found


def _by_seat(fields: Fields | None, players: int) -> dict[int, int]:
    return {
        seat: fields.number(name, -(2**53), 2**53, 0)
        for seat, name in (fields.seats(players) if fields else ())
        if fields
    }


def _seats(values: Mapping[int, int]) -> str:
    return ", ".join(f"seat {seat} {values[seat]}" for seat in sorted(values)) or "no winner"


def differing(case: Case) -> list[str]:
    """Return a line for each difference of a case, and for a case that expects nothing."""
    if not case.expects:
        return [f"{case.name}: expects nothing"]
    return [f"{case.name}: {each}" for each in case.differences]


def summary(cases: Sequence[Case], unread: int) -> str:
    """Return how many cases were compared, how many differ, and how many could not be read, if any."""
    compared = sum(case.expects for case in cases)
    odd = sum(bool(case.differences) for case in cases)
    rest = f", {unread} cannot be read" if unread else ""
    return f"{compared} of {len(cases) + unread} cases compared, {odd} differ{rest}"


# --- telling ----------------------------------------------------------------------------------------------------


def _both(message: str, **values: Value) -> str:
    told = bilingual(message, **values)
    return f"{told['en']} / {told['zh']}"


def worth(winner: Mapping[str, Any]) -> str:
    """Return what a winner's hand is worth, in the measure of its rules."""
    return (
        f"×{winner['multiplier']}"
        if "multiplier" in winner
        else f"{winner['tai']} {side_by_side(term('units', 'tai'))}"
    )


def counted(row: Mapping[str, Any]) -> str:
    """Return what a pattern counted: tai, hu, a factor, or nothing where it only opens the hand."""
    if "fan" in row:
        return f"×{row['fan']}"
    return next((f"{row[unit]} {unit}" for unit in ("tai", "hu") if unit in row), "·")


def told(case: Case) -> list[str]:
    """Return a case's result in words: winners with patterns in both languages, lines, payments."""
    options = ", ".join(f"{name} = {json.dumps(value)}" for name, value in case.told.get("options", {}).items())
    lines = [f"{case.name} · {case.rules.id}{f' ({options})' if options else ''}"]
    if case.result.get("illegal"):
        return [*lines, f"  {_both('not allowed')}: {case.result['reason']}"]
    cards = case.rules.family in card_cases.EXPECTS
    if cards:
        lines += card_cases.told(case.result)
    for winner in case.result.get("winners", []):
        points = f"{winner['points']} {side_by_side(bilingual('points'))}"
        lines.append(f"  {_both('seat {seat} wins', seat=str(winner['seat']))}: {worth(winner)}, {points}")
        for each in winner["patterns"]:
            name = pattern(each["id"])
            lines.append(f"    {counted(each):<6} {side_by_side(name)} ({each['clause']})")
    if not cards and not case.result["winners"]:
        lines.append(f"  {side_by_side(dialect('draw', case.rules.id))}")
    for line in case.result.get("lines", []):
        words = f"{side_by_side(reason(line['reason'], case.rules.id))} ({line['clause']})"
        paid = _both(
            "seat {payer} pays {amount} to seat {payee}",
            payer=str(line["from"]), payee=str(line["to"]), amount=str(line["amount"]),
        )  # fmt: skip
        lines.append(f"  {paid}: {words}")
    if "payments" not in case.result:
        return lines
    paid = "  ".join(f"{seat}: {amount:+d}" if amount else f"{seat}: 0" for seat, amount in enumerate(case.payments))
    return [*lines, f"  {_both('payments')}  {paid}"]

"""`paipu bench`: the benchmarks of the source tree, each beside its peer, as ratios of one run."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import click

from ledger.errors import Unavailable

FOLDER = Path(__file__).parents[2] / "tests" / "benchmarks"


def benchmarks() -> dict[str, Path]:
    """Return the benchmark modules by name; Unavailable where the source tree is not there."""
    found = {path.stem: path for path in sorted(FOLDER.glob("*.py"))}
    if not found:
        raise Unavailable(str(FOLDER), "the benchmarks come with the source tree, not with the wheel")
    return found


def measure(path: Path) -> list[dict[str, Any]]:
    """Run one benchmark module."""
    spec = spec_from_file_location(f"benchmark_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # a peer looks its classes up by their module
    spec.loader.exec_module(module)
    rows: list[dict[str, Any]] = module.run()
    return rows


@click.command(
    short_help="Measure speed beside peers.",
    epilog="Example: paipu bench win_check replay_rate",
)
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def bench(*, names: tuple[str, ...], as_json: bool) -> None:
    """Measure win check, deal, append, verify and full audit, each beside the peer named in its row.

    Absolute rates depend on the machine; the ratios are of one run. Peers are installed with the extra [bench].
    """
    known = benchmarks()
    for name in names:
        if name not in known:
            raise click.BadParameter(f"no benchmark {name!r}; known: {', '.join(known)}")
    for name in names or known:
        for row in measure(known[name]):
            if as_json:
                click.echo(json.dumps({"benchmark": name, **row}))
                continue
            beside = ""
            if row["ratio"] is not None:
                beside = f"{row['ratio']:7.2f} x {row['peer']} ({row['peer_rate']:,.0f}/s)"
            click.echo(f"{row['name']:58} {row['rate']:12,.0f}/s  {row['target']:22} {beside}")

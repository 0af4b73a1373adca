"""Progress of long work: a bar on a terminal's standard error, nothing elsewhere."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def shown(items: Iterable[T], what: str, total: int | None) -> Iterator[T]:
    """Yield the items, with a bar while they are consumed, where standard error is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            yield item
            progress.advance(task)

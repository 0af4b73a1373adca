"""The verdict on a ledger, reached in a process of its own, so that the pages stay quick while it runs.

The process is this module, run with the ledger's URL in $PAIPU_LEDGER, where no password shows. It prints lines of
JSON: `{"done": games, "of": games}` as it goes, at last `{"report": {…}}` (ledger.md 6) or `{"error": "…"}`. It ends
with the process that started it, whose end closes the pipe.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from subprocess import DEVNULL, PIPE, Popen
from threading import Thread
from time import monotonic
from typing import Any, Final

from ledger.errors import LedgerError
from ledger.verify_games import GameAudit
from viewer.batch import cores, pool
from viewer.verdict import audit

EVERY_S: Final = 0.5
NICE: Final = 5


class Run:
    """A verdict on its way: how many games are done, and what came of it."""

    def __init__(self, url: str) -> None:
        self.done, self.of = 0, 0
        self.report: dict[str, Any] | None = None
        self.error = ""
        # -P: what is imported is what runs here, not a folder of that name that the reader happens to stand in.
        command = [sys.executable, "-P", "-m", "viewer.apart"]
        env = {**os.environ, "PAIPU_LEDGER": url}
        self._process = Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=env)  # noqa: S603  our own module
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Tell whether there is a report or an error."""
        return self.report is not None or bool(self.error)

    @property
    def share(self) -> float:
        """Return how much is done, 0 to 1."""
        return min(self.done / self.of, 1.0) if self.of else 0.0

    def wait(self, seconds: float) -> None:
        """Wait until it is over, at most so long."""
        self._thread.join(seconds)

    def stop(self) -> None:
        """End it."""
        self._process.kill()
        self._thread.join()

    def _follow(self) -> None:
        assert self._process.stdout is not None
        with self._process, self._process.stdout as lines:
            for line in lines:
                told = json.loads(line)
                self.done, self.of = told.get("done", self.done), told.get("of", self.of)
                self.report, self.error = told.get("report"), told.get("error", "")
        if not self.over:
            self.error = f"verification ended early (exit {self._process.returncode})"


def counted(games: Iterable[GameAudit], of: int) -> Iterator[GameAudit]:
    """Yield the games, saying now and then how many were asked for."""
    told = 0.0
    for done, game in enumerate(games):
        if monotonic() - told >= EVERY_S:
            told = monotonic()
            say({"done": done, "of": of})
        yield game


def say(what: dict[str, Any]) -> None:
    """Print a line."""
    print(json.dumps(what), flush=True)


def main() -> None:
    """Verify the ledger."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    try:
        with pool(max(1, cores() - 1)) as executor:
            say({"report": audit(os.environ["PAIPU_LEDGER"], executor=executor, watch=counted).as_json()})
    except (LedgerError, OSError) as error:
        say({"error": str(error)})


if __name__ == "__main__":
    main()

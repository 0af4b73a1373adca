"""Pools of processes: results in order, and no worker that runs the script it was started from."""

import subprocess
import sys
from pathlib import Path

import pytest

from viewer.batch import in_order, pool

SCRIPT = """
import sys
from pathlib import Path

print("drawn", __name__, flush=True)
sys.path.insert(0, sys.argv[1])
from viewer.batch import in_order, pool

with pool(2) as executor:
    print(list(in_order(abs, iter([(-1,), (-2,), (-3,)]), executor)), flush=True)
assert sys.modules["__main__"].__file__ == __file__
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs: int) -> None:
    with pool(jobs) as executor:
        assert list(in_order(divmod, ((each, 3) for each in range(70)), executor)) == [
            divmod(each, 3) for each in range(70)
        ]


def test_a_worker_does_not_run_the_script_again(tmp_path: Path) -> None:
    script = tmp_path / "page.py"
    script.write_text(SCRIPT)  # as a page, it has no guard
    done = subprocess.run(
        [sys.executable, str(script), str(Path(__file__).parents[2])], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n") == ["drawn __main__", "[1, 2, 3]", ""]

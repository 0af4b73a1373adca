"""The same battery on a Dask cluster: the same counts to the last digit."""

import json
from pathlib import Path

import numpy as np
import pytest
from logs import TILES, deck_file
from shufflers import fair

from viewer.cli import run

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
ARGS = ["--tests", "T0,T1,T2,T4,T9,T11", "--json"]


@pytest.mark.filterwarnings("default")  # the library's own
def test_a_cluster_counts_what_one_process_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(deck_file(tmp_path / "decks.txt", TILES, fair(np.random.default_rng(1), 9_000, 136)))
    assert run(["fairness", path, *ARGS, "--jobs", "1"]) == 0
    alone = json.loads(capsys.readouterr().out)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        assert run(["fairness", path, *ARGS, "--scheduler", cluster.scheduler_address]) == 0
    assert json.loads(capsys.readouterr().out) == alone


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_a_cluster_of_processes_reads_a_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    assert run(["simulate", "--games", "6", "--hands", "4", "--seed", "1", "--ledger", url]) == 0
    capsys.readouterr()
    assert run(["fairness", url, *ARGS, "--jobs", "1"]) == 0
    alone = json.loads(capsys.readouterr().out)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert run(["fairness", url, *ARGS, "--scheduler", cluster.scheduler_address]) == 0
    assert json.loads(capsys.readouterr().out) == alone

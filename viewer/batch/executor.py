"""Many games at once, on any executor: results in the order of the jobs, a bounded number of them in flight.

Written against `concurrent.futures.Executor`: a process pool on one machine, a cluster's client elsewhere. Without one
the jobs run here.
"""

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from threading import Lock
from types import ModuleType
from typing import Any, TypeVar

T = TypeVar("T")
CONNECT_SECONDS = 10
IN_FLIGHT = 32
"""Jobs handed out and not yet collected: keeps memory constant whatever the number of games."""


def in_order(work: Callable[..., T], jobs: Iterator[tuple[Any, ...]], executor: Executor | None) -> Iterator[T]:
    """Yield `work(*job)` for every job, in order."""
    if executor is None:
        for job in jobs:
            yield work(*job)
        return
    waiting: deque[Future[T]] = deque()
    for job in jobs:
        waiting.append(executor.submit(work, *job))
        if len(waiting) >= IN_FLIGHT:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def pool(jobs: int) -> Iterator[Executor | None]:
    """Give a process pool of so many workers; None for one, which is this process."""
    if jobs == 1:
        yield None
        return
    if sys.platform != "win32":
        _start_forkserver()
    with ProcessPoolExecutor(jobs, mp_context=_Context()) as executor:
        try:
            yield executor
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)  # an interrupt does not wait for what nobody reads
            raise


def _start_forkserver() -> None:
    """Start the process that workers come from so that they leave an interrupt to this one.

    They are of one group with it and would each print a traceback; what ignores the signal at its start keeps to that.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # only there may handlers be set; and an interrupt comes from a terminal
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        forkserver.ensure_running()
    finally:
        signal.signal(signal.SIGINT, before)


if sys.platform == "win32":
    from multiprocessing.context import SpawnContext as _Method
    from multiprocessing.context import SpawnProcess as _Start
else:
    from multiprocessing.context import ForkServerContext as _Method
    from multiprocessing.context import ForkServerProcess as _Start


class _Worker(_Start):
    """A worker that is not told which script runs: a page is one, and its worker would draw it again."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: N802, ANN401  name and type of the standard library
        with _no_script():
            return _Start._Popen(process_obj)  # noqa: SLF001  no public name


class _Context(_Method):
    """The start method of the platform, with workers that do not run the main script."""

    Process = _Worker


@contextmanager
def _no_script() -> Iterator[None]:
    """Have an empty module stand for `__main__` where a start looks for it; who else puts one there keeps it.

    The jobs are functions of our modules, which workers import by name.
    """
    with _STARTING:
        kept = sys.modules["__main__"]
        empty = ModuleType("__main__")
        sys.modules["__main__"] = empty
        try:
            yield
        finally:
            if sys.modules["__main__"] is empty:
                sys.modules["__main__"] = kept


_STARTING = Lock()


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def executor_of(jobs: int, scheduler: str | None = None) -> Iterator[Executor | None]:
    """Give the executor of a Dask cluster where a scheduler's address is named, else a pool of `jobs` processes.

    ClusterError where the extra `cluster` is missing or the scheduler does not answer.
    """
    if scheduler is None:
        with pool(jobs) as executor:
            yield executor
        return
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError(f"{scheduler}: a cluster needs the extra `cluster` (pip install 'paipu[cluster]')") from None
    try:
        client: Any = Client(scheduler, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise ClusterError(f"{scheduler}: no scheduler answers there: {error}") from None
    with client:
        executor = client.get_executor(pure=False)
        yield executor


class ClusterError(OSError):
    """A cluster that cannot be used."""

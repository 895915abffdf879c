"""Jobs on Dask: a scheduler hands them to workers, and again where a worker dies.

https://distributed.dask.org: imported only where somebody asks for it.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import dask
from distributed import Client, Future, LocalCluster, wait
from distributed.scheduler import KilledWorker

from companion.errors import TryLater
from companion.fleet.protocol import (
    Answer,
    Engine,
    Job,
    OtherVersion,
    Unfit,
    WorkerLost,
    encode,
    read_answer,
)

_PATIENCE = 10  # seconds until a scheduler must have answered
_LOOK = 5.0  # seconds between two looks whether any worker is left
_ALONE = 120.0  # seconds without a worker after which a job is given back
#: Dask forgets a worker of its own that takes longer than this to come back, and starts no other:
#: on a busy machine 15 seconds, its default, are too few
_LOST = {"distributed.deploy.lost-worker-timeout": "1 hour"}


@contextmanager
def open_dask(
    workers: int, address: str | None, work: Callable[[bytes], bytes]
) -> Iterator[Engine]:
    """Give Dask at *address* as an engine; without one, *workers* processes here.

    Each worker does one job at a time: *work*. Raises TryLater where no scheduler answers.
    """
    if address is None:
        with (
            dask.config.set(_LOST),
            _start(workers) as cluster,
            Client(cluster) as client,
        ):
            yield _make_engine(client, work)
        return
    try:
        client = Client(address, timeout=_PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        words = f"no scheduler of Dask answers at {address}: {error}"
        raise TryLater(words, hint="Is `dask scheduler` running?") from error
    with client:
        yield _make_engine(client, work)


def _start(workers: int) -> LocalCluster:
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.ERROR,
    )


def _make_engine(client: Client, work: Callable[[bytes], bytes]) -> Engine:
    def do(job: Job) -> Answer:
        """Do *job* on a worker of Dask."""
        future = client.submit(work, encode(job), pure=False)
        try:
            _await(client, future)
            return read_answer(future.result())
        except KilledWorker as error:
            raise WorkerLost(f"Dask lost its workers: {error}") from error
        except (ImportError, RuntimeError) as error:
            # the scheduler reads a task, too, and says "RuntimeError" where it cannot
            if not isinstance(error.__cause__ or error, ImportError):
                raise
            words = f"Dask runs elsewhere, without this companion: {error}"
            raise Unfit(words, hint=OtherVersion.hint) from error
        finally:
            future.release()

    return do


def _await(client: Client, future: Future) -> None:
    """Wait until *future* is done. Raises WorkerLost where no worker is left to do it."""
    alone = 0.0
    while alone < _ALONE:
        try:
            wait(future, timeout=_LOOK)
            return
        # not done yet: that is no fault while somebody works
        except TimeoutError:
            alone = 0.0 if client.nthreads() else alone + _LOOK
    raise WorkerLost("no worker of Dask is left")

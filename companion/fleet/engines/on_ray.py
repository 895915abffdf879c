"""Jobs on Ray: tasks, begun again where a worker dies.

https://docs.ray.io: imported only where somebody asks for it.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.workspace import forbid_usage_reports

forbid_usage_reports()

import ray  # noqa: E402 - it reads whether it may report when it is imported
from ray.exceptions import RayError, RayTaskError  # noqa: E402

from companion.errors import TryLater  # noqa: E402
from companion.fleet.protocol import (  # noqa: E402
    Answer,
    Engine,
    Job,
    WorkerLost,
    encode,
    read_answer,
)

_PATIENCE = 10  # seconds until a cluster must have answered
_AGAIN = 3  # times that Ray begins a task anew


@contextmanager
def open_ray(
    workers: int, address: str | None, work: Callable[[bytes], bytes]
) -> Iterator[Engine]:
    """Give Ray at *address* as an engine; without one, *workers* processes here.

    Each task has a core for itself, and does *work*. Raises TryLater where no cluster answers.
    """
    _connect(workers, address)
    try:
        yield _make_engine(work)
    finally:
        ray.shutdown()


def _connect(workers: int, address: str | None) -> None:
    if address is None:
        ray.init(
            num_cpus=workers,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
        )
        return
    try:
        _knock(address)
        ray.init(address, log_to_driver=False, logging_level="ERROR")
    except (OSError, ValueError, RuntimeError) as error:
        words = f"no cluster of Ray answers at {address}: {error}"
        raise TryLater(words, hint="Is `ray start --head` running?") from error


def _knock(address: str) -> None:
    """Raise OSError where nothing listens: Ray itself would ask for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), _PATIENCE).close()


def _make_engine(work: Callable[[bytes], bytes]) -> Engine:
    task = ray.remote(num_cpus=1, max_retries=_AGAIN)(work)

    def do(job: Job) -> Answer:
        """Do *job* on a worker of Ray."""
        try:
            return read_answer(ray.get(task.remote(encode(job))))
        except RayError as error:
            lines = str(error).strip().splitlines() or ["no reason given"]
            # where the work itself broke, the reason stands below its traceback
            line = lines[-1] if isinstance(error, RayTaskError) else lines[0]
            raise WorkerLost(f"Ray lost its workers: {line}") from error

    return do

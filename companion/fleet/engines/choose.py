"""The engines by name."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from companion.errors import CompanionError
from companion.fleet.engines.processes import work_in_process
from companion.fleet.protocol import Engine

#: what does a job's bytes in a worker, and gives the answer's
Work = Callable[[bytes], bytes]
#: opens an engine: for how many workers, at which address, and what they do
Opener = Callable[[int, str | None, Work], AbstractContextManager[Engine]]

NAMES = ("processes", "dask", "ray")


class EngineMissing(CompanionError):
    """This engine is not installed."""

    exit_code = 69
    hint = "pip install 'companion-wiki[fleet]' installs Dask and Ray."


class NoAddress(CompanionError):
    """Processes are started on this machine: they have no address."""

    exit_code = 2
    hint = "Name an engine that has one: --engine dask, or --engine ray."


@contextmanager
def open_engine(
    name: str, workers: int, address: str | None = None
) -> Iterator[Engine]:
    """Give the engine called *name* until the block ends.

    At *address* a cluster of the person's own is asked; else one of *workers* is started here, and
    ends with the block. Raises EngineMissing, NoAddress, or EngineFailed.
    """
    if name == "processes":
        if address is not None:
            raise NoAddress
        yield work_in_process
        return
    from companion.fleet.work import work_on

    with _find_opener(name)(workers, address, work_on) as engine:
        yield engine


def _find_opener(name: str) -> Opener:
    """Return what opens Dask or Ray. Raises EngineMissing."""
    try:
        if name == "dask":
            from companion.fleet.engines.on_dask import open_dask

            return open_dask
        from companion.fleet.engines.on_ray import open_ray

        return open_ray
    except ImportError as error:
        raise EngineMissing(f"{name} is not installed here") from error

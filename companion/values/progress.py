"""Progress of a long operation: the step that it does, and how much of it is done."""

from collections.abc import Collection, Iterator
from typing import Protocol, TypeVar

Thing = TypeVar("Thing")


class Progress(Protocol):
    """Hears how far an operation is: a terminal shows it, `SILENT` keeps it to itself."""

    def begin(self, step: str, total: int | None = None) -> None:
        """Begin *step*, which is done after *total* things; None where nobody can know."""

    def __call__(self, done: int, /) -> None:
        """Count *done* more things of the present step."""


class Silent:
    """Shows nothing: the progress of an operation that nobody watches."""

    __slots__ = ()

    def begin(self, step: str, total: int | None = None) -> None:
        """Do nothing."""

    def __call__(self, done: int, /) -> None:
        """Do nothing."""


SILENT = Silent()


def count(
    progress: Progress, step: str, things: Collection[Thing]
) -> Iterator[Thing]:
    """Yield each of *things* as *step*, and count it once the caller asks for the next one."""
    progress.begin(step, len(things))
    for thing in things:
        yield thing
        progress(1)

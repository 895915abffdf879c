"""What a long operation tells while it works: the step that it does, and how much of it is done."""

from typing import Protocol


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

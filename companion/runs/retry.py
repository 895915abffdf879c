"""Start a run over when the person's own git was faster."""

from collections.abc import Callable
from typing import TypeVar

from companion.runs.run import Run, open_run
from companion.storage.git.git_locks import Raced
from companion.values.progress import Progress
from companion.workspace import Workspace

ATTEMPTS = 3

Result = TypeVar("Result")


def run_with_retries(
    ws: Workspace,
    what: str,
    once: Callable[[Run], Result],
    progress: Progress | None,
) -> Result:
    """Return what *once* returns under the lock; start over when the person's own git was faster.

    Raises Raced after the last of `ATTEMPTS`, and Busy.
    """
    attempt = 1
    while True:
        try:
            with open_run(ws, what, progress=progress) as run:
                return once(run)
        except Raced:
            if attempt == ATTEMPTS:
                raise
            attempt += 1

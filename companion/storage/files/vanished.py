"""Do again what git's housekeeping came between.

`git gc` removes folders that have become empty, among loose objects and among refs, and with
``--prune=now`` also the temporary files in them, whoever is about to use them.
"""

import os
from collections.abc import Callable

from companion.storage.files.durable import StorageError

TRIES = 10  # each that fails needs another sweep in the same instant


def try_again(step: Callable[[], None]) -> None:
    """Run *step*, and run it anew where a file or a folder went away meanwhile.

    After `TRIES` times the error is raised: what is missing is then not git's doing.
    """
    for _ in range(TRIES - 1):
        try:
            return step()
        except FileNotFoundError:
            continue
        except StorageError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
    return step()


def remove(path: str) -> None:
    """Remove the file *path*, which may be gone already."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return

"""companion with one defence switched off: `python mutants.py NAME ARGUMENTS…`; a stress must
notice.
"""

import os
import sys
from collections.abc import Callable


def never_look_again() -> None:
    """What an editor writes into a file that was replaced is not looked for."""
    from companion.storage.files import replaced

    replaced.check_kept = lambda *_, **__: iter(())  # type: ignore[assignment]


def rename_over() -> None:
    """The new file is renamed over the old one, instead of exchanged with it."""
    from companion.storage.files import swap

    def over(item: swap.Swap, folder: int, name: str) -> None:
        os.rename(
            os.path.join(item.kept_dir, item.temp), name, dst_dir_fd=folder
        )

    swap._exchange_in = over  # type: ignore[assignment]


def no_exchange() -> None:
    """As on a file system that cannot exchange two files: no mutant, for it must lose nothing
    either.
    """
    from companion.storage.files import exchange

    exchange._can_exchange = lambda *_: False


MUTANTS: dict[str, Callable[[], None]] = {
    "never-look-again": never_look_again,
    "rename-over": rename_over,
}
WEAKER: dict[str, Callable[[], None]] = {"no-exchange": no_exchange}


if __name__ == "__main__":
    sys.path.pop(0)  # this file's folder
    {**MUTANTS, **WEAKER}[sys.argv[1]]()
    from companion.__main__ import main

    sys.exit(main(sys.argv[2:]))

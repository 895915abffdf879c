"""`python -m tests.bench.bare durable|hasty|unrecorded ARGS`: companion as it is, and as it would
be if it never waited for the disk, or recorded no read.

Only the bench runs this. Both load the same modules first, so that what differs is the waiting.
"""

import os
import sqlite3
import subprocess
import sys
from types import ModuleType
from typing import Any

from companion.storage.files import durable
from companion.storage.git import command as git_command


class _Hasty(sqlite3.Connection):
    """A connection that never waits for the disk, whatever it is told."""

    def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
        if sql.startswith("PRAGMA synchronous"):
            sql = "PRAGMA synchronous=OFF"
        return super().execute(sql, *more)


def forget_durability() -> None:
    """Let nothing in this process, nor git on its behalf, wait for the disk."""
    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **more: connect(
        *args, **{"factory": _Hasty, **more}
    )  # type: ignore[assignment]
    for name in (
        "fsync",
        "sync_dir",
        "sync_folder_fd",
        "_sync_folder",
        "_sync_path",
    ):
        setattr(durable, name, lambda *_: None)
    durable.sync_tree = lambda paths, **_: None  # type: ignore[assignment]
    run = subprocess.run

    def hasty(command: list[str], **more: Any) -> Any:
        return run(
            [
                word.replace("core.fsync=all", "core.fsync=none")
                for word in command
            ],
            **more,
        )

    git_command.subprocess.run = hasty  # type: ignore[assignment]


def forget_use() -> None:
    """Let reads record nothing, without even loading what records them."""
    none = ModuleType("companion.usage.record_read")
    for name in ("record_search", "record_ask", "record_claims", "record_show"):
        setattr(none, name, lambda *_: None)
    sys.modules[none.__name__] = none


if __name__ == "__main__":
    if sys.argv[1] == "hasty":
        forget_durability()
    if sys.argv[1] == "unrecorded":
        forget_use()
    from companion.__main__ import main

    code = main(sys.argv[2:])
    sys.stdout.flush()
    os._exit(code)  # as the program does after a hot verb

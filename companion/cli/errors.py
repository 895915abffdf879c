"""Errors of the command line: a wrong usage, and what any exception is to the person."""

import os
import sys
from collections.abc import Iterable

from companion.errors import (
    CompanionError,
    DatabaseTrouble,
    InputOutput,
    Interrupted,
    TryLater,
    Unexpected,
)

NOTHING_FOUND = 1
BAD_DATA = 65


#: what other programs call what is a command here
_CALLED_ELSEWHERE = {
    "backlinks": "links",
    "cat": "show",
    "delete": "drop",
    "find": "search",
    "grep": "search",
    "history": "log",
    "new": "add",
    "note": "add",
    "read": "show",
    "remember": "add",
    "remove": "drop",
    "revert": "undo",
    "rm": "drop",
    "sync": "remote",
    "view": "show",
    "write": "add",
}


class Usage(CompanionError):
    """This command line cannot be understood."""

    exit_code = 2
    hint = "See `companion --help`."


def no_such_command(name: str, names: Iterable[str]) -> Usage:
    """Return the error of a command that does not exist, as Typer says it; Typer is not loaded."""
    from difflib import get_close_matches

    if name in _CALLED_ELSEWHERE:
        near = [_CALLED_ELSEWHERE[name]]
    else:
        near = get_close_matches(name, list(names))
    suggestions = ", ".join(f"{one!r}" for one in near)
    meant = f" Did you mean {suggestions}?" if near else ""
    return Usage(f"no such command {name!r}{'.' if near else ''}{meant}")


def known_error(error: BaseException) -> CompanionError:
    """Return *error* as one that knows its message, hint and exit code."""
    if isinstance(error, CompanionError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return Interrupted()
    if isinstance(error, MemoryError):
        return TryLater(
            "out of memory",
            hint="Close something, or hand the input over in parts.",
        )
    if isinstance(error, OSError):
        return _system_error(error)
    return _database_error(error) or Unexpected(
        f"{type(error).__name__}: {error}"
    )


def _system_error(error: OSError) -> InputOutput:
    what = os.strerror(error.errno) if error.errno else str(error)
    if isinstance(error.filename, str | bytes):
        what += f": {os.fsdecode(error.filename)}"
    return InputOutput(what)


def _database_error(error: BaseException) -> CompanionError | None:
    # Only where sqlite3 is loaded can the error be one of its own.
    sqlite3 = sys.modules.get("sqlite3")
    if sqlite3 is None or not isinstance(error, sqlite3.Error):
        return None
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return TryLater(f"another process holds the database: {error}")
    if name.startswith("SQLITE_FULL"):
        return InputOutput(
            f"the disk is full: {error}", hint="Free some space and try again."
        )
    return DatabaseTrouble(f"database: {error}")

"""Errors of the command line: a wrong usage, and what any exception is to the person."""

import os
import sys
from collections.abc import Iterable, Sequence

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
# letters that a mistyped value or action shares with what was meant; difflib's own bar takes
# "praise" for "erase"
_ALIKE = 0.75


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
        meant = _ask_meant([_CALLED_ELSEWHERE[name]])
    else:
        meant = _ask_meant(get_close_matches(name, list(names)))
    message = f"no such command {name!r}"
    return Usage(f"{message}. {meant}" if meant else message)


def no_such_action(
    verb: str, takes: str, typed: Sequence[str], actions: Iterable[str]
) -> Usage:
    """Return the error of *verb* with words that it does not take; *actions* are the first words
    that it knows.
    """
    hint = f"See `companion {verb} --help`."
    known = list(actions)
    if typed and typed[0] not in known:
        hint = f"{suggest(typed[0], known)} {hint}".lstrip()
    return Usage(f"{verb} takes {takes}", hint=hint)


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a question with the *known* words that are much like *word*; empty for none."""
    from difflib import get_close_matches

    return _ask_meant(get_close_matches(word, list(known), cutoff=_ALIKE))


def _ask_meant(near: Sequence[str]) -> str:
    words = ", ".join(f"{one!r}" for one in near)
    return f"Did you mean {words}?" if near else ""


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

"""The errors of a journal."""

import sqlite3

from companion.errors import CompanionError


class JournalError(CompanionError):
    """The journal cannot be read."""

    exit_code = 74
    hint = "Run `companion doctor`; captures already anchored in git come back by themselves."


class JournalBusy(CompanionError):
    """Another process holds the journal."""

    exit_code = 75
    hint = "Nothing was stored by this call. Try again in a moment."


def explain_error(error: sqlite3.OperationalError, path: str) -> CompanionError:
    """Return what SQLite reports of the journal at *path* as an error with a hint."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return JournalBusy()
    if "full" in text:
        return JournalError(
            f"{path}: the disk is full",
            hint="Free some space; nothing was stored by this call.",
        )
    if "readonly" in text or "unable to open" in text:
        return JournalError(
            f"{path}: {text}",
            hint="Is the folder writable? Nothing was stored by this call.",
        )
    return JournalError(f"{path}: {text}")

"""The ledger's line for a page that companion wrote anew."""

from companion.storage.git import objects
from companion.values.events import LedgerLine


def make_grown_line(
    entry: str, path: str, content: bytes, reason: str
) -> LedgerLine:
    """Return the line that says that the page of *entry*, at *path*, has the bytes *content*."""
    return {
        "e": "grown",
        "entry": entry,
        "path": path,
        "blob": objects.hash_blob(content),
        "reason": reason,
    }

"""Names that programs which synchronise folders give to the second of two versions. Pure.

Dropbox, Nextcloud, Obsidian Sync, Syncthing, Resilio, Google Drive and iCloud keep both where two
devices changed one file, and name the later one after the first.
"""

import re
from typing import NamedTuple

_CONFLICT = r"(?:conflict|konflikt|conflit)"
#: "Page (Anna's conflicted copy 2026-11-03)", in the languages of Dropbox
_IN_PARENTHESES = re.compile(
    rf"(?P<name>.+?) ?\([^()]*{_CONFLICT}[^()]*\)", re.IGNORECASE
)
#: "Page.sync-conflict-20261103-101112-ABCDEFG" of Syncthing, "Page.Conflict" of Resilio
_AFTER_A_DOT = re.compile(
    r"(?P<name>.+)\.(?:sync-conflict-\d{8}-\d{6}(?:-\w+)?|conflict)",
    re.IGNORECASE,
)
#: "Page (1)" of Google Drive and "Page 2" of iCloud: people give such names, too
_NUMBERED = re.compile(r"(?P<name>.+?) ?(?:\([1-9]\)| [2-9])")


class ConflictCopy(NamedTuple):
    """A page whose name says that it is a copy of another."""

    original: str  # the path of the other one
    is_sure: bool  # no person gives such a name


def read_conflict_name(path: str) -> ConflictCopy | None:
    """Return what the name of the page at *path* says of a conflict; None where it says nothing."""
    folder, slash, file = path.rpartition("/")
    stem = file.removesuffix(".md")
    if stem == file:
        return None
    for pattern in (_IN_PARENTHESES, _AFTER_A_DOT, _NUMBERED):
        match = pattern.fullmatch(stem)
        if match is not None:
            original = f"{folder}{slash}{match['name'].rstrip()}.md"
            return ConflictCopy(original, pattern is not _NUMBERED)
    return None

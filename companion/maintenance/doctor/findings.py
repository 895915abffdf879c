"""Make findings; the hints that several examinations give."""

from companion.maintenance.results import Finding

RESTORE_GIT = "Fetch from another copy, or restore .git from a backup; companion rewrites nothing."
RESTORE = "Restore it from a backup; `companion doctor` again says whether that was all."
REPAIR = "`companion doctor --repair` mends this; what it replaces is kept."
JOURNAL_ASIDE = (
    "Move journal.db, and journal.db-wal if it is there, to another folder and keep them: no"
    " capture that is only in them is lost then. `companion doctor --repair` brings back what"
    " git holds."
)
# findings of one kind that are listed
LISTED = 20


def damage(kind: str, what: str, hint: str) -> Finding:
    """Return a finding that something is lost or cannot be read."""
    return Finding(kind, "damage", what, hint)


def warning(kind: str, what: str, hint: str) -> Finding:
    """Return a finding that something needs a person's attention."""
    return Finding(kind, "warning", what, hint)


def note(kind: str, what: str, hint: str) -> Finding:
    """Return a finding that mends itself, or harms nothing."""
    return Finding(kind, "note", what, hint)

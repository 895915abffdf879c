"""Find and name every damage that can be known; on request mend what can be derived, and nothing
else.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from companion.errors import CompanionError
from companion.maintenance.doctor import repairs
from companion.maintenance.doctor.examine_cold_memory import examine_cold_memory
from companion.maintenance.doctor.examine_erased import examine_erased
from companion.maintenance.doctor.examine_files import (
    examine_folders,
    examine_locks_and_leftovers,
    examine_warnings,
)
from companion.maintenance.doctor.examine_foreign import examine_foreign
from companion.maintenance.doctor.examine_git import examine_git
from companion.maintenance.doctor.examine_index import (
    examine_index,
    examine_private_index,
)
from companion.maintenance.doctor.examine_journal import (
    examine_journal,
    examine_log,
)
from companion.maintenance.doctor.examine_links import examine_links
from companion.maintenance.doctor.examine_originals import examine_originals
from companion.maintenance.doctor.examine_pages import examine_pages
from companion.maintenance.doctor.findings import (
    JOURNAL_ASIDE,
    RESTORE,
    RESTORE_GIT,
    damage,
)
from companion.maintenance.results import DoctorResult, Finding, Repair
from companion.storage.files import lock
from companion.storage.git.layout import UnsuitableRepo
from companion.storage.git.repo import Repo
from companion.storage.journal.errors import JournalError
from companion.values.progress import SILENT, Progress
from companion.workspace import Workspace

_ORDER = ("damage", "warning", "note")

Examination = Callable[[Workspace, Repo], Iterator[Finding]]


# Subjects in the order in which they are examined. The log first: opening the journal makes SQLite
# go on writing where it thinks that the log ends.
def _list_examinations(progress: Progress) -> Mapping[str, Examination]:
    return {
        "log": examine_log,
        "git": examine_git,
        "folders": examine_folders,
        "journal": partial(examine_journal, progress=progress),
        "erasures": examine_erased,
        "locks_and_leftovers": examine_locks_and_leftovers,
        "index": partial(examine_index, progress=progress),
        "private": examine_private_index,
        "cold-memory": partial(examine_cold_memory, progress=progress),
        "originals": examine_originals,
        "foreign": examine_foreign,
        "links": examine_links,
        "pages": examine_pages,
        "warnings": examine_warnings,
    }


def doctor(
    ws: Workspace, *, repair: bool = False, progress: Progress = SILENT
) -> DoctorResult:
    """Return what is wrong, the most serious first; with *repair* mend what can be derived before.

    Raises Busy (75).
    """
    repaired: list[Repair] = []
    if repair:
        repaired = _repair(ws, progress)
    findings = examine(ws, progress)
    return {
        "ok": all(finding.severity != "damage" for finding in findings),
        "findings": [finding._asdict() for finding in findings],
        "repaired": repaired,
    }


def examine(ws: Workspace, progress: Progress = SILENT) -> list[Finding]:
    """Return what is wrong, the most serious first; an empty list means all is well."""
    try:
        repo = Repo(ws.place)
    except UnsuitableRepo as error:
        return [damage("git-unreadable", str(error), RESTORE_GIT)]
    findings: dict[Finding, None] = {}
    examinations = _list_examinations(progress)
    for number, (subject, look) in enumerate(examinations.items(), 1):
        words = subject.replace("_", " ")
        progress.begin(f"checking {words} ({number} of {len(examinations)})")
        findings.update(dict.fromkeys(_examine(subject, look, ws, repo)))
    return sorted(findings, key=lambda finding: _ORDER.index(finding.severity))


def _examine(
    subject: str, look: Examination, ws: Workspace, repo: Repo
) -> Iterator[Finding]:
    """Yield what *look* finds; damage that stops it is a finding too, and no reason not to look
    elsewhere.
    """
    try:
        yield from look(ws, repo)
    except JournalError as error:
        # its own hint is to ask the doctor
        yield damage(error.kind, str(error), JOURNAL_ASIDE)
    except CompanionError as error:
        yield damage(error.kind, str(error), error.hint)
    except (sqlite3.Error, OSError, ValueError) as error:
        what = f"{subject} cannot be examined: {error}"
        yield damage(f"{subject}-unreadable", what, RESTORE)


def _repair(ws: Workspace, progress: Progress) -> list[Repair]:
    """Mend what the findings allow, under the lock; return what came of each repair."""
    os.makedirs(ws.place.state, mode=0o700, exist_ok=True)
    repaired: list[Repair] = []
    with lock.lock_file(os.path.join(ws.place.state, "sleep.lock"), "doctor"):
        kinds = {finding.kind for finding in examine(ws, progress)}
        for kind, mend in repairs.REPAIRS.items():
            if kind in kinds:
                progress.begin(f"mending {kind}")
                repaired.append({"kind": kind, "what": _attempt(ws, mend)})
    return repaired


def _attempt(ws: Workspace, mend: Callable[[Workspace], str]) -> str:
    try:
        return mend(ws)
    except (CompanionError, sqlite3.Error, OSError, ValueError) as error:
        # What could not be mended is found again, with its hint, by the examination that follows.
        return f"could not be mended: {error}"

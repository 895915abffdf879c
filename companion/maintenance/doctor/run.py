"""`doctor`: find and name every damage we know how to see; on request mend what can be derived, and
nothing else.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator

from companion.errors import CompanionError
from companion.maintenance.doctor import checks, cold_memory, repairs
from companion.maintenance.doctor import links as linkage
from companion.maintenance.results import DoctorResult, Finding, Repair
from companion.storage.files import lock
from companion.storage.git.layout import UnsuitableRepo
from companion.storage.git.repo import Repo
from companion.storage.journal.queries import JournalError
from companion.workspace import Workspace

_ORDER = ("damage", "warning", "note")


def doctor(ws: Workspace, *, repair: bool = False) -> DoctorResult:
    """Return what is wrong, the most serious first; with *repair* mend the derivable first. Raises
    Busy (75).
    """
    mended = _repair(ws) if repair else []
    findings = examine(ws)
    return {
        "ok": not any(f["severity"] == "damage" for f in findings),
        "findings": findings,
        "repaired": mended,
    }


def examine(ws: Workspace) -> list[Finding]:
    """Return what is wrong, the most serious first; an empty list means all is well."""
    try:
        repo = Repo(ws.place)
    except UnsuitableRepo as error:
        return [
            checks.finding(
                "git-unreadable", "damage", str(error), checks.RESTORE_GIT
            )
        ]
    found: list[Finding] = []
    # The log first: opening the journal makes SQLite go on writing where it thinks that the log
    # ends.
    for look in (
        checks.log,
        checks.git,
        checks.folders,
        checks.journal,
        checks.erasures,
        checks.locks_and_leftovers,
        checks.index,
        checks.private,
        cold_memory.examine,
        linkage.examine,
        checks.warnings,
    ):
        found += [
            finding
            for finding in _guarded(look, ws, repo)
            if finding not in found
        ]
    return sorted(found, key=lambda finding: _ORDER.index(finding["severity"]))


def _guarded(
    look: Callable[[Workspace, Repo], Iterator[Finding]],
    ws: Workspace,
    repo: Repo,
) -> list[Finding]:
    """Collect what *look* finds; damage that stops it is a finding too, and no reason not to look
    elsewhere.
    """
    found: list[Finding] = []
    try:
        for finding in look(ws, repo):
            found.append(finding)
    except JournalError as error:  # whose own hint is to ask the doctor
        found.append(
            checks.finding(
                error.kind, "damage", str(error), checks.JOURNAL_ASIDE
            )
        )
    except CompanionError as error:
        found.append(
            checks.finding(error.kind, "damage", str(error), error.hint)
        )
    except (sqlite3.Error, OSError, ValueError) as error:
        what = f"{look.__name__} cannot be examined: {error}"
        found.append(
            checks.finding(
                f"{look.__name__}-unreadable", "damage", what, checks.RESTORE
            )
        )
    return found


def _repair(ws: Workspace) -> list[Repair]:
    """Mend what the findings allow, under the lock, each on its own; say of each what came of
    it.
    """
    os.makedirs(ws.place.state, mode=0o700, exist_ok=True)
    done: list[Repair] = []
    with lock.lock_file(os.path.join(ws.place.state, "sleep.lock"), "doctor"):
        kinds = {finding["kind"] for finding in examine(ws)}
        for kind, cure in repairs.CURES.items():
            if kind in kinds:
                done += _attempt(ws, kind, cure)
    return done


def _attempt(
    ws: Workspace, kind: str, cure: Callable[[Workspace], str]
) -> list[Repair]:
    try:
        return [{"kind": kind, "what": cure(ws)}]
    except (CompanionError, sqlite3.Error, OSError, ValueError) as error:
        # What could not be mended is found again, with its hint, by the examination that follows.
        return [{"kind": kind, "what": f"could not be mended: {error}"}]

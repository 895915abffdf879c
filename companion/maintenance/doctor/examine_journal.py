"""Examine the journal, and what git holds of it."""

import hashlib
import json
import os
from collections.abc import Iterator

from companion.maintenance.doctor.examine_git import describe_capture
from companion.maintenance.doctor.findings import (
    JOURNAL_ASIDE,
    REPAIR,
    RESTORE_GIT,
    damage,
    warning,
)
from companion.maintenance.results import Finding
from companion.storage import checkup
from companion.storage.boundary.tellings import (
    Doubtful,
    Telling,
    check_telling,
    is_usable_time,
)
from companion.storage.git import capture_buffer, layout, objects
from companion.storage.git.repo import Repo
from companion.storage.index.schema import (
    find_newest_time,
    find_oldest_time,
    open_for_reading,
)
from companion.storage.index.tables.captures import list_consumed
from companion.storage.journal.journal import Journal
from companion.values.captures import Capture
from companion.values.progress import SILENT, Progress, count
from companion.values.time import days_between, is_far
from companion.workspace import Workspace

_EMPTY = hashlib.sha256().hexdigest()
#: what nights ahead of the clock mean for new notes, by whether they are far ahead
_NIGHTS = {
    True: "Nights on record have that time, so new notes are recorded after them, each with its"
    " own day: nothing is lost, and nothing needs to be done. Is the clock right?",
    False: "Nights on record have that time, so new notes are told as of that day until it has"
    " come: nothing is lost. Machines that pulled those nights take such notes in, others set them"
    " aside until then. Is the clock right?",
}


def examine_log(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield what is wrong with the journal as files, before SQLite looks at them."""
    path = ws.place.journal_db
    if ws.place.moved and not layout.read_owner(ws.place)[0]:
        what = f"the state that was kept in {ws.place.state} is gone"
        hint = (
            "Bring it back from a backup; without one, captures come back as far as git has them."
            " Then `rebuild`."
        )
        yield damage("state-gone", what, hint)
    if not os.path.exists(path):
        if os.path.exists(ws.place.index_db):
            hint = (
                "`companion doctor --repair` brings back what git holds; `git fsck --lost-found`"
                " may find other words."
            )
            yield damage("journal-missing", f"{path} is gone", hint)
        return
    if os.path.getsize(path) == 0:
        hint = "Restore it from a backup, or remove it: what git holds comes back by itself."
        yield damage("journal-empty", f"{path} is empty", hint)
    problem = checkup.check_log(path)
    if problem is not None:
        hint = (
            f"Copy {path} and {path}-wal aside now, before anything is written: they hold your"
            " last notes."
        )
        yield damage("journal-log", f"{path}: {problem}", hint)


def examine_journal(
    ws: Workspace, repo: Repo, *, progress: Progress = SILENT
) -> Iterator[Finding]:
    """Yield what is wrong inside the journal, and between it and git.

    Raises GitFailed or IndexDamaged.
    """
    path = ws.place.journal_db
    if not os.path.exists(path) or not os.path.getsize(path):
        return
    journal = Journal.open(path)
    problem, only_indexes = checkup.check_integrity(journal.connection)
    if problem is not None and only_indexes:
        yield damage("journal-indexes", f"journal.db: {problem}", REPAIR)
    elif problem is not None:
        yield damage("journal-damaged", f"journal.db: {problem}", JOURNAL_ASIDE)
    for name in checkup.list_missing_structure(journal.connection):
        what = f"journal.db: {name} is not as it should be"
        yield damage("journal-structure", what, REPAIR)
    yield from _captures(journal, repo, progress)
    yield from _forgotten(ws, journal)
    yield from _untold(journal)
    yield from _tellings(journal)
    yield from _far_time(ws, journal)
    yield from _buffers(ws, journal, repo)
    yield from _interrupted_run(journal)


def _captures(
    journal: Journal, repo: Repo, progress: Progress
) -> Iterator[Finding]:
    known = list(journal.ids())
    for id, blob, anchored in count(progress, "checking notes", known):
        capture = journal.capture(id)[0]
        if capture.content:
            if not _is_whole(capture, id, blob):
                what = f"{describe_capture(capture)} is not what its id says"
                hint = "Restore journal.db; git may have it: `git fsck --lost-found`"
                yield damage("capture-changed", what, hint)
        elif not repo.has(blob) and id != _EMPTY:
            where = "they were never anchored"
            if anchored:
                where = "git lost them"
            what = f"the bytes of {describe_capture(capture)} are gone: {where}"
            yield damage("capture-missing", what, RESTORE_GIT)


def _forgotten(ws: Workspace, journal: Journal) -> Iterator[Finding]:
    """Captures that the journal calls done, though no run on the branch took them: no night would
    look at them again.
    """
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return
    done = list_consumed(db)
    forgotten = [id for id, _ in journal.settled() if id not in done]
    if forgotten:
        example = describe_capture(journal.capture(forgotten[0])[0])
        what = f"journal.db calls {len(forgotten)} captures done that no run took, like {example}"
        yield damage("capture-forgotten", what, REPAIR)


def _untold(journal: Journal) -> Iterator[Finding]:
    """Captures of which no telling is left: nobody knows when and by whom they were told."""
    untold = journal.list_untold()
    if untold:
        example = describe_capture(journal.capture(untold[0])[0])
        what = f"journal.db lacks every telling of {len(untold)} captures, like {example}"
        yield damage("tellings-missing", what, REPAIR)


def _tellings(journal: Journal) -> Iterator[Finding]:
    """Yield what an older companion took in from a remote, and no night can work with."""
    last = journal.get("last_time")
    if last is not None and not is_usable_time(last):
        what = f"journal.db: nothing can be told after {last}, the newest time"
        yield damage("time-impossible", what, REPAIR)
    for item in journal.unsettled():
        if not item.sightings:
            continue  # named with the others of which no telling is left
        try:
            check_telling(Telling(item.capture, item.sightings))
        except Doubtful as doubt:
            what = f"{describe_capture(item.capture)} is set aside: {doubt}"
            hint = (
                "No night looks at it, and nothing is lost. Capture its words again under another"
                " title to have them in a page."
            )
            yield warning("telling-doubtful", what, hint)


def _far_time(ws: Workspace, journal: Journal) -> Iterator[Finding]:
    """Yield that the newest time is days ahead of the clock: some clock was, once."""
    last, clock = journal.get("last_time") or "", ws.now()
    if not is_usable_time(last) or days_between(clock, last) <= 1:
        return
    what = f"journal.db: the newest time is {last[:10]}, and the clock says {clock[:10]}"
    oldest, newest = _find_runs(ws)
    if newest is not None and days_between(clock, newest) > 1:
        yield warning("time-ahead", what, _NIGHTS[is_far(newest, clock)])
    elif (oldest or last) > clock and not any(journal.list_times(clock)):
        hint = "Nothing here is older than the clock: set the clock right."
        yield warning("time-ahead", what, hint)
    else:
        hint = (
            f"If the clock is right: {REPAIR} Notes that were told then wait for their day, here"
            " and on other machines; what is told from now on waits nowhere."
        )
        yield warning("journal-ahead", what, hint)


def _find_runs(ws: Workspace) -> tuple[str | None, str | None]:
    """Return the times of the oldest and of the newest run that the index knows."""
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return None, None
    return find_oldest_time(db), find_newest_time(db)


def _is_whole(capture: Capture, id: str, blob: str) -> bool:
    if hashlib.sha256(capture.content).hexdigest() != id:
        return False
    return objects.hash_blob(capture.content) == blob


def _buffers(ws: Workspace, journal: Journal, repo: Repo) -> Iterator[Finding]:
    """Compare the journal with the buffers in git: each must know what the other relies on."""
    in_git = capture_buffer.list_captures_in_git(repo)
    in_journal = set()
    lacking = []
    for id, _, anchored in journal.ids():
        in_journal.add(id)
        if anchored and id not in in_git:
            lacking.append(id)
    if lacking:
        example = describe_capture(journal.capture(lacking[0])[0])
        what = f"git's buffers lack {len(lacking)} captures that they had, like {example}"
        yield damage("buffer-lacks", what, REPAIR)
    unknown = in_git - in_journal
    if unknown and not journal.fresh:
        yield _unknown(ws, unknown)


def _unknown(ws: Workspace, unknown: set[str]) -> Finding:
    """Return a finding on captures that git has and the journal has not: no harm where a run of the
    branch consumed them.
    """
    db = open_for_reading(ws.place.index_db)
    waiting = unknown
    if db is not None:
        waiting = unknown - list_consumed(db)
    what = f"git holds {len(unknown)} captures that journal.db does not know"
    why = "the buffer was fetched by hand from another clone, or journal.db is an older copy"
    hint = (
        "`companion doctor --repair` takes them in, and nothing is lost. `companion remote sync`"
        " does both."
    )
    if not waiting:
        return warning("journal-forgot", f"{what}: {why}", hint)
    what += f", {len(waiting)} of them in no page yet"
    return damage("journal-forgot", f"{what}: {why}", hint)


def _interrupted_run(journal: Journal) -> Iterator[Finding]:
    text = journal.get("intent")
    if text is None:
        return
    try:
        json.loads(text)
    except ValueError:
        what = "journal.db: the record of an interrupted run is damaged"
        hint = (
            "Keep a copy of .git/companion and report it: the run that was interrupted cannot be"
            " rolled back by itself."
        )
        yield damage("intent-damaged", what, hint)
    else:
        hint = "The next command that writes recovers."
        yield warning("run-interrupted", "a run was interrupted", hint)

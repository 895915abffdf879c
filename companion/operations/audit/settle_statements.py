"""Act on audits of single statements: move them under "Earlier", and archive them later (CON-17).

A statement that was found *improved* begins to decay: its block moves under "Earlier" on its page,
with the day and the reason. It is archived after the same days of grace as an entry, and stands
again where the audit was taken back before. Words that a person edited stay where they are, and so
does the last statement of a page: what becomes of that is the page's own audit to say.
"""

import sqlite3
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from itertools import groupby
from typing import NamedTuple

from companion.lifecycle.shelve import (
    reinstate_statements,
    shelve_statements,
)
from companion.lifecycle.transitions import Changes
from companion.minority.contested.contested_page import ContestedPage, Standing
from companion.minority.contested.read_contested_page import (
    is_edited,
    read_contested_page,
)
from companion.operations.audit.consequence import GRACE
from companion.pages.statement_edits import retire_opening, retire_statement
from companion.pages.statements import statement_id
from companion.runs.page_lines import make_grown_line
from companion.runs.run import Run
from companion.storage.index.history import find_run
from companion.storage.index.tables import audits
from companion.storage.index.tables.audits import AuditRecord
from companion.storage.index.tables.decay import list_pinned
from companion.storage.index.tables.pages.statement_states import (
    LostStatement,
    list_kept_away,
    list_let_stand,
    list_lost_statements,
)
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.time import days_between

LATER_DECIDES = "A later audit decides."
EXCUSED = "The audits that found against it were taken back."
_WHY = "Answers were better without it, an audit found."


class SettledStatement(NamedTuple):
    """The consequence of the record of one statement."""

    record: AuditRecord
    what: str  # "decaying", "restored" or "nothing"
    reason: str


class StatementChanges(NamedTuple):
    """The changes of a settle to statements."""

    settled: list[SettledStatement]
    changes: Changes
    # entries that were found *improved*, on whose page a statement stands that was not
    kept: frozenset[str]
    archivable: list[AuditRecord]


def _split_by_newest(
    pending: Sequence[AuditRecord],
) -> tuple[dict[str, list[AuditRecord]], list[SettledStatement]]:
    """Return the newest record of each statement, by entry; and the others as settled by it."""
    newest = {record.statement: record.id for record in pending}
    current: dict[str, list[AuditRecord]] = {}
    settled: list[SettledStatement] = []
    for record in pending:
        if newest[record.statement] == record.id:
            current.setdefault(record.entry, []).append(record)
        else:
            settled.append(SettledStatement(record, "nothing", LATER_DECIDES))
    return current, settled


def settle_statements(
    run: Run,
    pending: Sequence[AuditRecord],
    improved: Collection[str],
    taken: Collection[str],
    now: str,
) -> StatementChanges:
    """Return what follows from the *pending* records of statements at *now*.

    *improved* are the entries that were found so as a whole, *taken* the paths of pages that this
    run changes otherwise: their statements wait for the next.
    """
    changes = _restore(run, taken)
    written = {write.path for write in changes.writes}
    archivable, archived = _archive(run, {*taken, *written}, now)
    changes.add(archived)
    current, settled = _split_by_newest(pending)
    for entry in improved:
        current.setdefault(entry, [])
    kept: set[str] = set()
    for entry, records in sorted(current.items()):
        page = read_contested_page(run.db, run.repo, entry)
        found = _PageSettlement(run, page, changes, now)
        if page is not None and page.path in taken:
            continue
        settled += found.settle(records)
        if page is not None and page.gathers and found.has_others:
            kept.add(entry)
    return StatementChanges(settled, changes, frozenset(kept), archivable)


class _PageSettlement:
    """The consequences of the records of one page's statements."""

    def __init__(
        self,
        run: Run,
        page: ContestedPage | None,
        changes: Changes,
        now: str,
    ) -> None:
        self.run = run
        self.page = page
        self.changes = changes
        self.now = now
        self.has_others = False

    def settle(
        self, records: Sequence[AuditRecord]
    ) -> Iterator[SettledStatement]:
        """Yield what follows from each of *records*."""
        lost = [each for each in records if each.outcome == "archived"]
        restored = list_restored(self.changes.lines)
        for record in records:
            if record.outcome != "archived":
                yield _keep(record, restored)
        page = self.page
        if page is None:
            yield from _do_nothing(lost, "Its page is archived already.")
            return
        names = {record.statement for record in lost}
        standing = [one.capture for one in page.standing]
        self.has_others = any(one not in names for one in standing)
        if lost:
            yield from self._retire(page, lost, standing)

    def _retire(
        self,
        page: ContestedPage,
        lost: Sequence[AuditRecord],
        standing: Sequence[str],
    ) -> Iterator[SettledStatement]:
        """Yield what follows for statements that answers are better without."""
        if page.entry in list_pinned(self.run.db):
            yield from _do_nothing(lost, "Its page is pinned, so it stays.")
            return
        obstacle = self.run.excluded_paths([page.path]).get(page.path)
        if obstacle is not None:
            self.changes.left_out[page.path] = obstacle
            return
        last = None if self.has_others else standing[-1]
        moved: list[tuple[AuditRecord, Standing]] = []
        for record in lost:
            one = page.find(record.statement)
            reason = self._find_objection(page, record, one, last)
            if one is None or reason is not None:
                yield SettledStatement(record, "nothing", reason or "")
                continue
            moved.append((record, one))
            yield SettledStatement(record, "decaying", describe(record))
        if moved:
            self._move(page, moved)

    def _find_objection(
        self,
        page: ContestedPage,
        record: AuditRecord,
        one: Standing | None,
        last: str | None,
    ) -> str | None:
        if one is None:
            return "It no longer stands on its page."
        if record.statement == last:
            return "It is the last note on its page, which is audited itself."
        if is_edited(self.run.db, self.run.repo, page, one):
            return "You edited its words, so it stays where it is."
        return None

    def _move(
        self,
        page: ContestedPage,
        moved: Sequence[tuple[AuditRecord, Standing]],
    ) -> None:
        text = _find_text(self.changes, page)
        until = self.now[:10]
        for record, one in moved:
            id = statement_id(one.capture)
            if page.is_opening(one):
                when = one.when or until
                text = retire_opening(text, id, when, until, "", _WHY)
            else:
                text = retire_statement(text, id, until, "", _WHY)
            self.changes.lines.append(
                {
                    "e": "statement",
                    "entry": page.entry,
                    "capture": one.capture,
                    "state": "decaying",
                    "reason": describe(record),
                }
            )
        _put_page(self.changes, page, text)


_KEPT: Mapping[str, str] = {"degraded": "restored", "unchanged": "nothing"}
_FINDINGS: Mapping[str, str] = {
    "degraded": "Answers depend on this note",
    "unchanged": "No question asked so far needs this note; its page keeps its gravity",
    "improved": "Answers are better without this note",
}


def describe(record: AuditRecord) -> str:
    """Return what an audit found of a statement, and which audit that was."""
    result = str(record.result)
    return f"{_FINDINGS[result]}. (audit {record.run}: {result})"


def _keep(record: AuditRecord, restored: Collection[str]) -> SettledStatement:
    """Return what follows for a statement that *record* does not condemn."""
    what = _KEPT[str(record.result)]
    if record.statement in restored:
        what = "restored"
    return SettledStatement(record, what, describe(record))


def _do_nothing(
    records: Sequence[AuditRecord], reason: str
) -> Iterator[SettledStatement]:
    for record in records:
        yield SettledStatement(record, "nothing", reason)


# -- pages -----------------------------------------------------------------------------------------


def _find_text(changes: Changes, page: ContestedPage) -> str:
    """Return the text of *page* as *changes* leave it so far."""
    for write in changes.writes:
        if write.path == page.path and write.content is not None:
            return write.content.decode("utf-8", "surrogateescape")
    return page.text


def _put_page(changes: Changes, page: ContestedPage, text: str) -> None:
    """Let *changes* write *text* to *page*, once."""
    content = text.encode("utf-8", "surrogateescape")
    changes.writes = [w for w in changes.writes if w.path != page.path]
    changes.writes.append(Write(page.path, content))
    changes.lines = [
        line
        for line in changes.lines
        if line["e"] != "grown" or line["path"] != page.path
    ]
    reason = 'Notes that an audit found to lead astray stand under "Earlier".'
    changes.lines.append(
        make_grown_line(page.entry, page.path, content, reason)
    )


# -- what lost earlier -----------------------------------------------------------------------------


def _list_lost(run: Run, taken: Collection[str]) -> list[LostStatement]:
    """Return the statements that a settle made decaying, but for those of pages in *taken*."""
    return [
        each
        for each in list_lost_statements(run.db)
        if each.operation == "settle" and each.path not in taken
    ]


def _restore(run: Run, taken: Collection[str]) -> Changes:
    """Return what lets statements stand again that a settle made decaying: those whose last result
    is another by now, and those whose audits were all taken back since (AUD-8).
    """
    kept_away = list_kept_away(run.db)
    newest = audits.list_newest_statement_results(run.db)
    condemned = audits.list_condemned_statements(run.db)
    restored = []
    reasons: dict[str, str] = {}
    for each in _list_lost(run, taken):
        record = newest.get(each.capture)
        if each.capture in kept_away:
            continue  # somebody took that back
        if each.capture not in condemned:
            reasons[each.capture] = EXCUSED
        elif record is not None and record.outcome == "restored":
            reasons[each.capture] = describe(record)
        else:
            continue
        restored.append(each)
    changes = Changes()
    for _, group in groupby(restored, key=lambda each: each.path):
        changes.add(reinstate_statements(run, list(group), reasons))
    return changes


def list_reopened(db: sqlite3.Connection) -> list[AuditRecord]:
    """Return the audits that are in force again, since a settle let their statements stand: what
    follows from them is to be done anew.
    """
    newest = audits.list_newest_statement_results(db)
    reopened = []
    for capture, since in list_let_stand(db).items():
        record = newest.get(capture)
        if record is None or record.outcome != "archived":
            continue
        before = find_run(db, record.settled) if record.settled else None
        if before is not None and before.time < since:
            reopened.append(record)
    return reopened


def list_restored(lines: Iterable[LedgerLine]) -> set[str]:
    """Return the captures of the statements that *lines* let stand again."""
    return {
        line["capture"]
        for line in lines
        if line["e"] == "statement" and line["state"] == "active"
    }


def _archive(
    run: Run, taken: Collection[str], now: str
) -> tuple[list[AuditRecord], Changes]:
    """Return what archives statements that a settle made decaying at least a week ago, and by
    which audits.

    The last result of each decides, be it on record only since: what happens does not depend on how
    often audits run (AUD-9).
    """
    newest = audits.list_newest_statement_results(run.db)
    pinned = list_pinned(run.db)
    changes = Changes()
    records: list[AuditRecord] = []
    due = []
    for each in _list_lost(run, taken):
        record = newest.get(each.capture)
        if record is None or record.outcome != "archived":
            continue
        if each.entry in pinned or days_between(each.since, now) < GRACE:
            continue
        due.append(each)
        records.append(record)
    reasons = {str(one.statement): describe(one) for one in records}
    for _, group in groupby(due, key=lambda each: each.path):
        changes.add(shelve_statements(run, list(group), reasons, now))
    return records, changes

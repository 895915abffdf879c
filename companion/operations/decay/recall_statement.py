"""Recall a statement that lost: show its words, or let it stand on its page again."""

import sqlite3
from typing import TYPE_CHECKING

from companion.operations.decay.rules import DECAY_RULES
from companion.pages.statement_edits import (
    add_statement,
    reinstate_statement,
    unshelve_statement,
)
from companion.pages.statements import find_statement
from companion.runs.page_lines import make_grown_line
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.cold import cold_memory
from companion.storage.git.repo import Repo, TryLater
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.pages.entries import EntryRow, find_page
from companion.storage.index.tables.pages.statement_states import (
    StatementState,
    find_shelf,
    find_statement_state,
)
from companion.storage.index.tables.pages.statements import list_statements_at
from companion.values.decisions import Write
from companion.values.time import local_moment

if TYPE_CHECKING:
    from companion.operations.decay.results import (
        RecalledEntry,
        Restoration,
        RestoredEntry,
    )


class LostWords:
    """The words of a statement that lost, where they are now."""

    def __init__(
        self,
        db: sqlite3.Connection,
        capture: str,
        state: StatementState,
        page: EntryRow,
    ) -> None:
        self._db = db
        self.capture = capture
        self.id = capture[:12]
        self.state = state
        self.page = page

    def read(self, repo: Repo) -> str:
        """Return the words: from the page, or from cold memory. Raises ColdLost."""
        shelf = find_shelf(self._db, self.capture)
        if self.state.state == "archived" and shelf is not None:
            content = cold_memory.read_content(repo, shelf.id, shelf.blob)
            return content.decode("utf-8", "surrogateescape")
        text = repo.text(self.page.blob, exact=True)
        statement = find_statement(text, self.id)
        return "" if statement is None else statement.words

    def describe(self, repo: Repo) -> "RecalledEntry":
        """Return the document of `recall`. Raises ColdLost."""
        shelf = find_shelf(self._db, self.capture)
        return {
            "entry": self.page.id,
            "title": f"{self.page.title} ^{self.id}",
            "path": self.page.path,
            "state": self.state.state,
            "cold": None if shelf is None else shelf.id,
            "text": self.read(repo),
        }


def find_lost_words(db: sqlite3.Connection, capture: str) -> LostWords | None:
    """Return where the statement of *capture* is; None if it never lost or its page is gone."""
    state = find_statement_state(db, capture)
    if state is None or state.state == "active":
        return None
    page = find_page(db, state.entry)
    if page is None:
        return None
    return LostWords(db, capture, state, page)


def restore_statement(
    run: Run, capture: str, *, dry_run: bool
) -> "Restoration":
    """Let the statement of *capture* stand on its page again, as a run. Raises TryLater."""
    lost = find_lost_words(run.db, capture)
    assert lost is not None  # that is how it was found
    obstacle = run.excluded_paths([lost.page.path]).get(lost.page.path)
    if obstacle is not None:
        raise TryLater(
            f"{lost.page.path} {obstacle}",
            hint="Run `companion adopt` first.",
        )
    document: RestoredEntry = {
        "restored": lost.page.id,
        "notes": list(run.notes),
        "dry_run": dry_run,
    }
    if dry_run:
        return {**document, "run": None, "commit": None}
    text = run.repo.text(lost.page.blob, exact=True)
    if find_statement(text, lost.id) is not None:
        text = reinstate_statement(text, lost.id)
    else:
        text = _put_back(run, lost, text)
    content = text.encode("utf-8", "surrogateescape")
    reason = "Recalled by hand."
    lines = [
        {
            "e": "statement",
            "entry": lost.page.id,
            "capture": capture,
            "state": "active",
            "reason": reason,
        },
        make_grown_line(lost.page.id, lost.page.path, content, reason),
    ]
    inputs = make_inputs(run, {}, DECAY_RULES)
    record = ledger_file.make_run("recall", run.moment(), inputs, lines)
    subject = f"recall: {lost.page.title} ^{lost.id} restored"[:200]
    commit = run.publish(record, [Write(lost.page.path, content)], subject, "")
    run.refold()
    return {**document, "run": record.id, "commit": commit}


def _put_back(run: Run, lost: LostWords, text: str) -> str:
    """Return the page with the words from cold memory as a statement again."""
    first = list_tellings(run.db, lost.capture)[0]
    told_at = first.get("event_time") or first["seen_at"]
    order = {
        one.id: one.told_at
        for one in list_statements_at(run.db, lost.page.path)
        if one.told_at
    }
    order[lost.id] = told_at
    return add_statement(
        unshelve_statement(text, lost.id),
        lost.id,
        local_moment(told_at, first.get("utc_offset")),
        lost.read(run.repo),
        order=order,
    )

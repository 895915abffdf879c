"""List the pages that stand beside the wiki: members of open branches, and quarantine (CON-11)."""

import sqlite3
from collections.abc import Iterable

from companion.comparison.evidence import Anew
from companion.comparison.pages import Page
from companion.minority.members import recorded_sightings
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import list_quarantined_pages
from companion.values.events import LedgerLine


def list_pages_beside_wiki(db: sqlite3.Connection) -> list[Page]:
    """Return the pages of members of open branches and of quarantine, each under its capture."""
    pages = [
        Page(one.capture, one.path, one.title, one.blob, one.joined)
        for one in minority.list_members(db)
    ]
    members = {page.id for page in pages}
    for one in list_quarantined_pages(db):
        if one.managed and one.capture not in members:
            pages.append(
                Page(one.capture, one.path, one.title, one.blob, one.told)
            )
    return pages


def list_members_to_judge_again(
    db: sqlite3.Connection, known: Iterable[LedgerLine]
) -> list[Anew]:
    """Return the members of open branches whose incumbent was edited since they joined.

    *known* are the ledger lines for a person's changes of tonight.
    """
    edited = {line["entry"] for line in known if line["e"] == "edited"}
    incumbent_of = {
        branch.name: branch.incumbent
        for branch in minority.list_branches(db)
        if branch.state == "open"
    }
    last_edit = {
        entry: _find_last_edit(db, entry)
        for entry in sorted(set(incumbent_of.values()))
    }
    due = []
    for one in minority.list_members(db):
        incumbent = incumbent_of[one.branch]
        changed = incumbent in edited or last_edit[incumbent] > one.joined
        if one.contradicts and changed:
            page = Page(one.capture, one.path, "", one.blob, one.joined)
            sightings = recorded_sightings(db, one.capture)
            due.append(Anew(page, sightings, (incumbent,)))
    return due


def _find_last_edit(db: sqlite3.Connection, entry: str) -> str:
    """Return when an entry was last edited (RFC 3339 UTC); empty if never."""
    edits = list_entry_events(db, entry, ["edited"])
    return max((event.time for event in edits), default="")

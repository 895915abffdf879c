"""Find what a person names: an entry, a capture, a run or a branch."""

import os
import sqlite3

from companion.annotations import TYPE_CHECKING, Literal
from companion.errors import CompanionError
from companion.lookup.read_page import read_page_bytes
from companion.pages import links
from companion.storage.index.history import has_run
from companion.storage.index.tables import routing
from companion.storage.index.tables.minority import (
    find_member_capture,
    has_branch,
)
from companion.storage.index.tables.pages.entries import (
    find_entry,
    find_path,
    list_entries_named,
)
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import SearchHit

_SHORTEST = 4  # digits of an id
_LONGEST = 64
_NAMED = 5  # paths or notes that an error names
_SHORTEST_WORDS = 4  # characters of words by which a note is found
_LOOKED_AT = 20  # notes that have them


class NothingFound(CompanionError):
    """Nothing of that name is known here."""

    exit_code = 1
    hint = "`companion search` finds it by its words."


class Ambiguous(CompanionError):
    """More than one thing has that name."""

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        hint: str,
        named: str = "",
        choices: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hint=hint)
        self.named = named
        self.choices = choices


TargetKind = Literal["entry", "capture", "run", "branch"]


class Target(NamedTuple):
    """The thing that a name leads to."""

    kind: TargetKind
    id: str


def find_target(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    target: str,
    *,
    runs: bool = False,
    words: bool = False,
) -> Target:
    """Return what *target* names: an id or its beginning, a path, a title, an alias, a file name
    or a statement of a page (`^id`, `Page#^id`).

    With *runs*, a run or a branch too; with *words*, else the note that has these words in this
    order. Raises NothingFound or Ambiguous.
    """
    target = target.encode("utf-8", "replace").decode()
    found = _find_statement(ws, journal, target)
    if db is not None and found is None:
        found = _find_indexed(ws, db, journal, target, runs=runs)
    found = found or _find_capture(ws, journal, target)
    if found is None and words:
        found = _find_note(ws, journal, target)
    if found is None:
        raise NothingFound(f"nothing here is called {target!r}")
    return found


def read_entry_text(ws: Workspace, db: sqlite3.Connection, id: str) -> str:
    """Return the text of an entry's page, the last one where it is gone. Raises NothingFound."""
    row = find_entry(db, id)
    if row is None:
        raise NothingFound(f"there is no entry {id}")
    return read_page_bytes(ws, row.path, row.blob).decode("utf-8", "replace")


def _find_statement(
    ws: Workspace, journal: Journal, target: str
) -> Target | None:
    """Return the capture of the block that a link like ``[[Page#^id|words]]`` names."""
    link = target.removeprefix("[[").removesuffix("]]").partition("|")[0]
    page, mark, id = link.rpartition("^")
    if not mark or not (page == "" or page.endswith("#")):
        return None
    return _find_capture(ws, journal, id)


def _find_indexed(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    target: str,
    *,
    runs: bool,
) -> Target | None:
    """Return what the index calls *target*, with *runs* a run or a branch first."""
    found = _find_run(db, target) if runs else None
    found = found or _find_entry(ws, db, target)
    return found or _find_member(db, journal, target)


def _find_run(db: sqlite3.Connection, target: str) -> Target | None:
    if has_run(db, target):
        return Target("run", target)
    branch = target.removeprefix("minority/")
    if has_branch(db, branch):
        return Target("branch", branch)
    return None


def _find_entry(
    ws: Workspace, db: sqlite3.Connection, target: str
) -> Target | None:
    title_key = links.title_key(target)
    path = _path_in_wiki(ws, target)
    entries = list_entries_named(db, target, path, title_key, links.key(target))
    if not entries:
        called = routing.list_mirrored(db, title_key)
        entries = [entry["entry"] for entry in called]
    if len(entries) > 1:
        entries = _leave_out_replaced(db, entries)
    if len(entries) > 1:
        paths = tuple(find_path(db, entry) or entry for entry in entries)
        raise Ambiguous(
            f"{target!r} names {len(entries)} pages",
            hint="Name one by its path: " + ", ".join(paths[:_NAMED]),
            named=target,
            choices=paths,
        )
    if not entries:
        return None
    return Target("entry", entries[0])


def _leave_out_replaced(
    db: sqlite3.Connection, entries: list[str]
) -> list[str]:
    """Return *entries* without those that another of them replaced: the name leads on (CON-8)."""
    rows = [find_entry(db, entry) for entry in entries]
    return [
        row.id
        for row in rows
        if row is not None and row.superseded_by not in entries
    ]


def _find_member(
    db: sqlite3.Connection, journal: Journal, target: str
) -> Target | None:
    """Find the capture of a page on a minority branch."""
    capture = find_member_capture(db, target)
    if capture is None or not journal.capture(capture):
        return None
    return Target("capture", capture)


def _find_capture(
    ws: Workspace, journal: Journal, target: str
) -> Target | None:
    beginning = target.lower()
    is_id = all(char in "0123456789abcdef" for char in beginning)
    if not is_id or not _SHORTEST <= len(beginning) <= _LONGEST:
        return None
    captures = journal.capture(beginning, who=ws.who)
    if len(captures) > 1:
        raise Ambiguous(
            f"more than one capture begins with {target}",
            hint="Give more of its id.",
        )
    if not captures:
        return None
    return Target("capture", captures[0].id)


def _find_note(ws: Workspace, journal: Journal, words: str) -> Target | None:
    """Find the note that has *words* in this order: on a page of many it has no name of its own.

    Raises Ambiguous.
    """
    wanted = _fold(words)
    if len(wanted) < _SHORTEST_WORDS:
        return None
    notes: dict[str, str] = {}
    titled: set[str] = set()
    for hit in _list_notes_saying(ws, words, wanted):
        id = hit["statement"] or hit["id"]
        for capture in journal.capture(id, who=ws.who):
            notes.setdefault(capture.id, hit["snippet"])
            if _is_called(hit, wanted):
                titled.add(capture.id)
    if len(titled) == 1:
        return Target("capture", titled.pop())
    if len(notes) > 1:
        ids = tuple(notes)[:_NAMED]
        shown = ", ".join(f"{id[:8]} ({notes[id][:40]})" for id in ids)
        raise Ambiguous(
            f"{len(notes)} notes say {words!r}",
            hint=f"Name one by its id: {shown}",
            named=words,
            choices=ids,
        )
    return next((Target("capture", id) for id in notes), None)


def _list_notes_saying(
    ws: Workspace, words: str, wanted: str
) -> "list[SearchHit]":
    """Return the notes found by *words* that have them in this order, *wanted* when folded."""
    # most targets are names
    from companion.lookup.search import search_wiki

    return [
        hit
        for hit in search_wiki(ws, words, limit=_LOOKED_AT)["results"]
        if (hit["statement"] is not None or hit["path"] is None)
        and (_is_called(hit, wanted) or wanted in _fold(hit["snippet"]))
    ]


def _is_called(hit: "SearchHit", wanted: str) -> bool:
    """Tell whether *hit* is a note that waits, with the title *wanted*, folded."""
    return hit["path"] is None and _fold(hit["title"] or "") == wanted


def _fold(text: str) -> str:
    """Return *text* folded, with single spaces."""
    from companion.storage.index.terms import fold_text

    return " ".join(fold_text(text).split())


def _path_in_wiki(ws: Workspace, target: str) -> str:
    """Return the path from the wiki's folder of a file that *target* names; else *target*."""
    full = os.path.abspath(target)
    inside = os.path.relpath(full, ws.place.root).replace(os.sep, "/")
    if inside.startswith("..") or not os.path.exists(full):
        return target
    return inside

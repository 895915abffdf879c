"""Reads: they open index.db read-only, never wait for a night, and say as of which run they speak.

What a cold search does without, `views` and all that needs, is loaded by the reads that need it.
"""

import os
import sqlite3
from typing import Any

from companion.errors import CompanionError
from companion.lookup import excerpts
from companion.pages import links
from companion.storage.git import layout
from companion.storage.index import schema as index
from companion.storage.index import search as finder
from companion.storage.index.tables import routing
from companion.storage.index.tables.promotions import Side, young
from companion.storage.index.terms import phrases as phrases_of
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace


class NothingFound(CompanionError):
    """Nothing of that name is known here."""

    exit_code = 1
    hint = "`companion search` finds it by its words."


class Ambiguous(CompanionError):
    """More than one thing has that name."""

    exit_code = 2


def search(
    ws: Workspace, query: str, *, limit: int = 10, state: str | None = None
) -> dict[str, Any]:
    """Find pages and pending captures by their words; a whole title or alias comes first."""
    # a shell may hand over bytes that are no text
    query = query.encode("utf-8", "replace").decode()
    journal = ws.journal()
    db = current_index(ws, journal)
    phrases = phrases_of(query)
    stats = finder.statistics(db, phrases)
    found: list[finder.Found] = []
    if db is not None and state == "archived":
        found += finder.tombstones(db, phrases, limit)
        found += finder.kept_in_place(db, phrases, limit)
    elif db is not None and state != "pending":
        found += finder.pages(db, phrases, stats, links.title_key(query), limit, state)
    if state in (None, "pending"):
        found += finder.pending(journal.connection, phrases, stats, limit, ws.who)
        found = [hit for hit in found if hit.path is not None or not _consumed(db, hit.id)]
    called = routing.mirrored(db, links.title_key(query)) if state in (None, "active") else []
    found = answering(db, found, called)
    found.sort(key=finder.rank)
    words = [word for phrase in phrases for word in phrase]
    sides = young(db, ws.now())
    hits = (
        _both_sides(db, found[:limit], sides)
        if db is not None and state is None and sides
        else found[:limit]
    )
    results = [
        {**excerpts.result(ws, hit, words), "shift": _shift(sides.get(hit.id))} for hit in hits
    ]
    return _warned(
        ws, db, {"query": query, "as_of": as_of(db), "called": called, "results": results}
    )


def _both_sides(
    db: sqlite3.Connection, hits: list[finder.Found], sides: dict[str, Side]
) -> list[finder.Found]:
    """Let the other side of a young shift follow the one that was found, even beyond the limit
    (CON-10).
    """
    shown, there = [], {hit.id for hit in hits}
    for hit in hits:
        shown.append(hit)
        other = finder.entry(db, sides[hit.id].other, hit.score) if hit.id in sides else None
        if other is not None and other.id not in there:
            shown.append(other)
            there.add(other.id)
    return shown


def answering(
    db: sqlite3.Connection | None, found: list[finder.Found], called: list[dict[str, Any]]
) -> list[finder.Found]:
    """Let what the user *called* so come first, whatever its page says (MaM §5.0, row 1)."""
    if db is None or not called:
        return found
    ids, top = (
        {each["entry"] for each in called},
        max((hit.score for hit in found), default=0.0) + 1.0,
    )
    mirrored = [hit for id in sorted(ids) if (hit := finder.entry(db, id, top)) is not None]
    return [*mirrored, *(hit for hit in found if hit.id not in ids)]


def _shift(side: Side | None) -> dict[str, str | None] | None:
    return None if side is None else side._asdict()


def current_index(ws: Workspace, journal: Journal) -> sqlite3.Connection | None:
    """Open the index, caught up with the branch (and a killed run recovered) where that can be done
    without waiting.
    """
    db = index.open_for_reading(ws.place.index_db)
    behind = db is None or index.meta(db, "commit") != layout.read_ref(
        ws.place, index.meta(db, "branch") or "HEAD"
    )
    if behind or journal.get("intent") is not None:
        from companion.maintenance.init import UNREADABLE, catch_up, fold_what_can_be

        try:
            caught_up = catch_up(ws)
        except UNREADABLE as error:
            # What was folded before still stands: one bad file must not take the wiki away.
            empty = db is None or index.meta(db, "rules") is None
            caught_up = empty and fold_what_can_be(ws)
            if empty and not caught_up:
                raise
            ws.warning = str(error)
        if caught_up:
            if db is not None:
                db.close()
            return index.open_for_reading(ws.place.index_db)
    return db


def _warned(ws: Workspace, db: sqlite3.Connection | None, doc: dict[str, Any]) -> dict[str, Any]:
    """Say in *doc* that it answers as of an earlier run, and why."""
    return {**doc, "warning": _stale(ws, db)} if ws.warning else doc


def _stale(ws: Workspace, db: sqlite3.Connection | None) -> str:
    return f"this is as of {as_of(db) or 'an earlier commit'}; what came after it cannot be folded: {ws.warning}"


def as_of(db: sqlite3.Connection | None) -> str | None:
    """Return the newest run that the index knows, None before the first."""
    if db is None:
        return None
    row = db.execute("SELECT run FROM runs ORDER BY time DESC, run DESC LIMIT 1").fetchone()
    return None if row is None else str(row[0])


def show(ws: Workspace, target: str) -> dict[str, Any]:
    """Return one entry or capture, whole. Raises NothingFound or Ambiguous."""
    from companion.reading import show as views

    journal = ws.journal()
    db = current_index(ws, journal)
    kind, id = find(ws, db, journal, target)
    doc = (
        views.entry(ws, db, id)
        if kind == "entry" and db is not None
        else views.capture(ws, db, journal, id)
    )
    return _warned(ws, db, doc)


def why(ws: Workspace, target: str) -> dict[str, Any]:
    """Return every recorded decision about an entry, a capture or a run, oldest first, each with
    its reason.
    """
    from companion.reading import show as views

    journal = ws.journal()
    db = current_index(ws, journal)
    kind, id = find(ws, db, journal, target, runs=True)
    return _warned(ws, db, views.reasons(ws, db, journal, target, kind, id))


def log(ws: Workspace, *, limit: int = 20) -> dict[str, Any]:
    """Return the newest runs first."""
    from companion.reading import show as views

    db = current_index(ws, ws.journal())
    return _warned(ws, db, {"runs": [] if db is None else views.runs(ws, db, limit)})


def status(ws: Workspace) -> dict[str, Any]:
    """Return how the wiki stands: what is in it, what waits, what exists on this machine only."""
    from companion.reading import show as views

    journal = ws.journal()
    db = current_index(ws, journal)
    doc = views.status(ws, db, journal, as_of)
    return {**doc, "notes": [*doc["notes"], _stale(ws, db)]} if ws.warning else doc


def find(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    target: str,
    *,
    runs: bool = False,
) -> tuple[str, str]:
    """Return (kind, id) of what *target* names: an id or its beginning, a path, a title, an alias
    or a file name.
    """
    target = target.encode("utf-8", "replace").decode()
    if db is not None:
        if runs and db.execute("SELECT 1 FROM runs WHERE run = ?", (target,)).fetchone():
            return "run", target
        branch = target.removeprefix("minority/")
        if runs and db.execute("SELECT 1 FROM branches WHERE name = ?", (branch,)).fetchone():
            return "branch", branch
        entries = _entries(ws, db, target)
        if len(entries) == 1:
            return "entry", entries[0]
        if entries:
            raise Ambiguous(
                f"{target!r} names {len(entries)} entries", hint="One of: " + ", ".join(entries[:5])
            )
        member = "SELECT m.capture FROM branch_members m JOIN pages p ON p.member = m.entry WHERE ?1 IN (m.entry, p.path)"
        of_branch = db.execute(member, (target,)).fetchone()
        if of_branch is not None and journal.capture(of_branch[0]):
            return "capture", str(of_branch[0])
    hexadecimal = len(target) >= 4 and all(char in "0123456789abcdef" for char in target.lower())
    captures = (
        journal.capture(target.lower(), who=ws.who) if hexadecimal and len(target) <= 64 else []
    )
    if len(captures) > 1:
        raise Ambiguous(f"more than one capture begins with {target}", hint="Give more of its id.")
    if captures:
        return "capture", captures[0].id
    raise NothingFound(f"not known: {target}")


def _entries(ws: Workspace, db: sqlite3.Connection, target: str) -> list[str]:
    path = _relative(ws, target)
    key = links.title_key(target)
    base = links.key(target)
    for query, values in (
        ("SELECT id FROM entries WHERE id = ?", (target,)),
        ("SELECT id FROM entries WHERE path IN (?, ?) AND NOT tombstone", (path, path + ".md")),
        ("SELECT id FROM entries WHERE path IN (?, ?)", (path, path + ".md")),
        (
            "SELECT e.id FROM names n JOIN entries e ON e.path = n.page WHERE n.key = ? AND NOT e.tombstone",
            (key,),
        ),
        (
            "SELECT e.id FROM pages p JOIN entries e ON e.path = p.path WHERE p.base_key = ? AND NOT e.tombstone",
            (base,),
        ),
        (
            "SELECT id FROM entries WHERE tombstone AND (title = ?1 OR path LIKE '%/' || ?2 || '.md')",
            (target, base),
        ),
        (
            "SELECT id FROM entries WHERE length(?1) >= 4 AND substr(id, 1, length(?1)) = ?1",
            (target.lower(),),
        ),
    ):
        found = sorted({str(id) for (id,) in db.execute(query, values)})
        if found:
            return found
    return [each["entry"] for each in routing.mirrored(db, key)]


def _relative(ws: Workspace, target: str) -> str:
    full = os.path.abspath(target)
    inside = os.path.relpath(full, ws.place.root).replace(os.sep, "/")
    return target if inside.startswith("..") or not os.path.exists(full) else inside


def _consumed(db: sqlite3.Connection | None, capture: str) -> bool:
    return (
        db is not None
        and db.execute("SELECT 1 FROM consumed WHERE capture = ?", (capture,)).fetchone()
        is not None
    )

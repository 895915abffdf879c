"""`review belongs`: a person says on which page a note belongs; it moves there, and that teaches.

The word of a person outweighs every rule of aboutness, for this note and for notes much like it. A
note that still waits goes there with the next night. Moving is a run in the person's name.
"""

import difflib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.adoption.edit_events import make_edit_events
from companion.adoption.run import record_edits
from companion.errors import BadInput, CompanionError
from companion.language.headline import headline
from companion.lookup.find import NothingFound, find_target
from companion.operations.consolidate.collect import find_opening
from companion.operations.consolidate.drafts.pages import enclose_first_note
from companion.operations.consolidate.follow_notes import (
    follow_note,
    list_linking_pages,
)
from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.pages import ids, links, page
from companion.pages.names import file_name
from companion.pages.statement_edits import (
    add_statement,
    put_mentions,
    remove_statement,
)
from companion.pages.statements import (
    Mention,
    Statement,
    find_statement,
    statement_id,
)
from companion.runs.page_lines import make_grown_line
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.repo import TryLater
from companion.storage.index.tables.captures import (
    find_outcome,
    list_tellings,
)
from companion.storage.index.tables.pages.entries import EntryRow, find_page
from companion.storage.index.tables.pages.names import has_file_name, has_name
from companion.storage.index.tables.pages.statements import (
    find_subject,
    list_statements_at,
)
from companion.storage.index.tables.pages.words import list_subject_titles
from companion.subjects.homes import may_take_notes
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.time import local_day, local_moment
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.consolidate.results import BelongsResult

_TO = ("to", "zu")  # what "belongs" is followed by
_NEAR = 0.8  # likeness of two titles from which one may be meant for the other


class NotANote(CompanionError):
    """Only a note can be said to belong on a page."""

    exit_code = 2
    hint = "Name it by its id: `companion show PAGE` lists the notes of a page."


class CannotMove(BadInput):
    """The note cannot be moved."""

    hint = "Move its words in your editor: `companion adopt` takes that in."


@dataclass(frozen=True)
class _Destination:
    """The page on which the note is to stand."""

    entry: str
    path: str
    title: str
    text: str
    subject: str | None = None  # the key of a page that begins


@dataclass(frozen=True)
class _Origin:
    """The page on which the note stands, and its block there."""

    row: EntryRow
    text: str  # with the note as a block
    statement: Statement
    alone: bool  # the page was made of this note, and of nothing else


def belongs(
    ws: Workspace, note: str, target: str, *, agent: str | None = None
) -> "BelongsResult":
    """Record that *note* belongs on the page *target*, and move it there.

    A title that no page has begins a page. Raises NotANote, NothingFound, Ambiguous, CannotMove,
    Busy or TryLater with nothing changed.
    """
    return run_with_retries(
        ws,
        "belongs",
        lambda run: _belongs(run, note, target, agent or "owner"),
        None,
    )


def _belongs(run: Run, note: str, target: str, judge: str) -> "BelongsResult":
    capture = _find_note(run, note)
    destination = _find_destination(run, target, capture)
    origin = _find_origin(run, capture)
    if origin is not None and origin.row.id == destination.entry:
        raise CannotMove(
            f"it stands on {destination.title} already", hint="Nothing to do."
        )
    linking = _list_linking(run, capture, destination, origin)
    _check_untouched(run, destination, origin, linking)
    if make_edit_events(run):
        record_edits(run, [], {}, "adopt")
        run.refold()
    reason = f"Said to belong on {destination.title}."
    lines: list[LedgerLine] = []
    writes: list[Write] = []
    if origin is not None:
        lines, writes = _move(run, capture, origin, destination, reason)
        for row in linking:
            id = origin.statement.id
            line, write = follow_note(run, row, id, destination.path, reason)
            lines.append(line)
            writes.append(write)
    elif destination.subject is not None:
        raise NothingFound(
            f"no page is called {target!r}, and the note still waits",
            hint="`companion consolidate` makes it a note on a page first.",
        )
    lines.append(
        {
            "e": "belongs",
            "capture": capture,
            "entry": destination.entry,
            "judge": judge,
            "reason": reason,
        }
    )
    inputs = make_inputs(run, {}, CONSOLIDATE_RULES)
    record = ledger_file.make_run("belongs", run.moment(), inputs, lines)
    subject = f"belongs: ^{statement_id(capture)} on {destination.title}"
    commit = run.publish(record, writes, subject[:200], "")
    run.refold()
    return {
        "capture": capture,
        "entry": destination.entry,
        "path": destination.path,
        "title": destination.title,
        "moved_from": None if origin is None else origin.row.path,
        "begun": destination.subject is not None,
        "run": record.id,
        "commit": commit,
        "notes": list(run.notes),
    }


def _find_note(run: Run, note: str) -> str:
    kind, id = find_target(run.ws, run.db, run.journal, note.removeprefix("^"))
    if kind != "capture":
        raise NotANote(f"{note} is not a note")
    sightings = run.journal.sightings(id)
    if sightings and all(each.scope == "private" for each in sightings):
        raise NotANote(
            f"{note} was told in private",
            hint="A private note stands on no page.",
        )
    return id


# -- where it goes ---------------------------------------------------------------------------------


def _find_destination(run: Run, target: str, capture: str) -> _Destination:
    try:
        kind, id = find_target(run.ws, run.db, run.journal, target)
    except NothingFound:
        meant = _without_to(run, target)
        if meant != target:
            return _find_destination(run, meant, capture)
        return _begin_page(run, target, capture)
    row = find_page(run.db, id)
    if kind != "entry" or row is None:
        raise NothingFound(f"no page is called {target!r}")
    if not may_take_notes(row):
        raise CannotMove(
            f"companion writes no notes on {row.path}",
            hint="It is your own page, or it is decaying or in quarantine.",
        )
    text = run.repo.text(row.blob, exact=True)
    text = enclose_first_note(text, find_opening(run, row.id))
    return _Destination(row.id, row.path, row.title, text)


def _without_to(run: Run, target: str) -> str:
    """Return *target* without the "to" of "it belongs to Anna"; as it is where it may be a name."""
    first, _, rest = target.strip().partition(" ")
    if first not in _TO or not rest:
        return target
    if rest[0].isupper() or has_name(run.db, links.title_key(rest)):
        return rest
    return target


def _begin_page(run: Run, title: str, capture: str) -> _Destination:
    """Return a new page of *title*; raise NothingFound where that looks like a slip."""
    title = " ".join(title.split())
    titles = list_subject_titles(run.db)
    near = difflib.get_close_matches(title, titles, 1, _NEAR)
    name = file_name.make_file_name(title)
    taken = has_file_name(run.db, links.key(name))
    key = links.title_key(title)
    entry = ids.subject_id("subject", key)
    if near or taken or find_page(run.db, entry) is not None:
        meant = near[0] if near else name
        raise NothingFound(
            f"no page is called {title!r}", hint=f"Did you mean {meant!r}?"
        )
    told_at, offset = _telling_of(run.db, capture)
    day = local_day(told_at, offset)
    path = f"{run.config.entries}/{day[:4]}/{day[5:7]}/{name}.md"
    meta: dict[str, str | list[str]] = {
        "id": entry,
        "type": "subject",
        "title": title,
        "created": day,
    }
    return _Destination(entry, path, title, page.compose(meta, ""), key)


def _telling_of(db: sqlite3.Connection, capture: str) -> tuple[str, int | None]:
    """Return when a consumed note was told first, and its offset from UTC in minutes."""
    tellings = list_tellings(db, capture)
    if not tellings:
        return "0001-01-01T00:00:00Z", None
    first = tellings[0]
    return first.get("event_time") or first["seen_at"], first.get("utc_offset")


# -- where it stands -------------------------------------------------------------------------------


def _find_origin(run: Run, capture: str) -> _Origin | None:
    """Return where the note stands; None while it waits. Raises CannotMove."""
    outcome = find_outcome(run.db, capture)
    if outcome is None:
        return None
    row = find_page(run.db, outcome.entry)
    if outcome.outcome != "consolidated" or row is None or not row.managed:
        raise CannotMove("it stands on no page that companion writes")
    text = run.repo.text(row.blob, exact=True)
    id = statement_id(capture)
    statement = find_statement(text, id)
    if statement is not None:
        return _Origin(row, text, statement, alone=False)
    text = enclose_first_note(text, find_opening(run, row.id))
    statement = find_statement(text, id)
    if statement is None:
        raise CannotMove(f"it is part of {row.path} and has no block there")
    return _Origin(row, text, statement, alone=True)


def _list_linking(
    run: Run, capture: str, destination: _Destination, origin: _Origin | None
) -> list[EntryRow]:
    """Return the other pages whose derived lines for the note must follow it."""
    if origin is None:
        return []
    ends = (origin.row.id, destination.entry)
    rows = list_linking_pages(run, capture, origin.statement.id)
    return [row for row in rows if row.id not in ends]


def _check_untouched(
    run: Run,
    destination: _Destination,
    origin: _Origin | None,
    linking: Sequence[EntryRow],
) -> None:
    paths = [row.path for row in linking]
    if destination.subject is None:
        paths.append(destination.path)
    if origin is not None:
        paths.append(origin.row.path)
    for path, obstacle in run.excluded_paths(paths).items():
        raise TryLater(
            f"{path} {obstacle}", hint="Run `companion adopt` first."
        )


# -- the move --------------------------------------------------------------------------------------


def _move(
    run: Run,
    capture: str,
    origin: _Origin,
    destination: _Destination,
    reason: str,
) -> tuple[list[LedgerLine], list[Write]]:
    told_at, offset = _telling_of(run.db, capture)
    id = statement_id(capture)
    order = {id: told_at}
    for one in list_statements_at(run.db, destination.path):
        order[one.id] = one.told_at
    when = local_moment(told_at, offset)
    text = add_statement(
        put_mentions(destination.text, [], {id}),
        id,
        when,
        origin.statement.words,
        order=order,
    )
    content = _encode(text)
    line = make_grown_line(destination.entry, destination.path, content, reason)
    if destination.subject is not None:
        subject = {"kind": "subject", "key": destination.subject}
        line |= {"e": "created", "subject": subject}
        line |= {"bucket": "high", "quarantined": 0}
    moved = {
        "e": "moved",
        "capture": capture,
        "entry": destination.entry,
        "from": origin.row.id,
        "reason": reason,
    }
    left, write = _leave(run.db, origin, destination, id, when, reason)
    return [line, moved, *left], [Write(destination.path, content), write]


def _leave(
    db: sqlite3.Connection,
    origin: _Origin,
    destination: _Destination,
    id: str,
    when: str,
    reason: str,
) -> tuple[list[LedgerLine], Write]:
    """Return what becomes of the page that the note leaves: a page of this note alone goes."""
    row = origin.row
    if origin.alone:
        merged = {
            "e": "merged",
            "entry": row.id,
            "into": destination.entry,
            "path": row.path,
            "title": row.title,
            "reason": reason,
        }
        return [merged], Write(row.path, None)
    text = remove_statement(origin.text, id)
    subject = find_subject(db, row.id)
    if subject is not None and subject.kind == "day":
        name = destination.path.rpartition("/")[2].removesuffix(".md")
        words = headline(origin.statement.words)
        text = put_mentions(text, [Mention(when, name, id, words)], {id})
    content = _encode(text)
    grown = make_grown_line(row.id, row.path, content, reason)
    return [grown], Write(row.path, content)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

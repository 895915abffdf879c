"""Names that begin with what somebody types, as the index has them: nothing is brought up to date,
for a shell waits.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.pages import beginnings
from companion.workspace import Workspace

MOST = 40  # names of one kind


class Name(NamedTuple):
    """A name, and what a shell shows beside it."""

    text: str
    about: str = ""


def list_targets(ws: Workspace, prefix: str) -> Iterator[Name]:
    """Yield the titles, paths and ids of pages, and the ids of waiting notes, that begin so."""
    db = open_for_reading(ws.place.index_db)
    if db is not None:
        for title, path in beginnings.list_titles_beginning(db, prefix, MOST):
            yield Name(title, path)
    if len(prefix) < 2:
        return
    if db is not None:
        for id, title in beginnings.list_ids_beginning(db, prefix, MOST):
            yield Name(id, title)
    yield from list_waiting(ws, prefix)


def list_waiting(ws: Workspace, prefix: str) -> Iterator[Name]:
    """Yield the ids of notes that wait and that begin so, at most `MOST`."""
    from companion.language.headline import headline

    count = 0
    for pending in ws.journal().unsettled(who=ws.who):
        capture = pending.capture
        if count < MOST and capture.id.startswith(prefix.lower()):
            text = bytes(ws.journal().capture(capture.id)[0].content)
            # what git has taken over is not read from there: a shell waits
            words = headline(text.decode("utf-8", "replace")) if text else ""
            yield Name(capture.id[:12], capture.title or words)
            count += 1


def list_runs(ws: Workspace, prefix: str) -> Iterator[Name]:
    """Yield the names of runs that begin so, the newest first."""
    db = open_for_reading(ws.place.index_db)
    if db is not None:
        for run in beginnings.list_recent_runs_beginning(db, prefix, MOST):
            yield Name(*run)


def list_questions(ws: Workspace, prefix: str) -> Iterator[Name]:
    """Yield the ids of open questions that begin so."""
    db = open_for_reading(ws.place.index_db)
    if db is not None:
        for flag in beginnings.list_flags_beginning(db, prefix, MOST):
            yield Name(*flag)


def list_tags(ws: Workspace, prefix: str) -> Iterator[Name]:
    """Yield the tags that begin so; what was typed stands as it was typed."""
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return
    beginning = prefix.removeprefix("#").casefold()
    for tag in beginnings.list_tags_beginning(db, beginning, MOST):
        yield Name(prefix + tag[len(beginning) :])


#: what lists the names of each kind
LISTS: dict[str, Callable[[Workspace, str], Iterator[Name]]] = {
    "target": list_targets,
    "note": list_waiting,
    "run": list_runs,
    "question": list_questions,
    "tag": list_tags,
}

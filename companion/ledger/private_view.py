"""The index as one owner sees it: with what this agent or person told in private (LED-11).

No night and no page knows of private tellings. When their owner asks, they are read once into
private.db, by the same reader as a night's; so a read costs with what was told since the last one.
The owner is answered from the index with these claims laid over it: an agent reads the union of its
own and what is shared.
"""

import os
import sqlite3
from collections.abc import Sequence

from companion import __version__
from companion.storage import claim_lines
from companion.storage.index import isolation, private_index
from companion.storage.index.private_index import RUN, Mark
from companion.storage.index.schema import open_in_memory
from companion.storage.journal.journal import Journal
from companion.values.captures import WITHDRAWN, Sighting
from companion.workspace import Workspace


def show_to_owner(
    ws: Workspace, journal: Journal, db: sqlite3.Connection | None
) -> sqlite3.Connection | None:
    """Return the index *db* as its reader sees it, with their private claims laid over it.

    Where no night has made an index, an empty one takes its place.
    """
    if not journal.has_private(ws.who):
        return db
    file = private_index.find_path(ws.place)
    if not os.access(ws.place.state, os.W_OK):
        # on a disk that is mounted read-only the tellings are read anew each time
        file = ":memory:"
    held = private_index.open_(file, _reader_version())
    try:
        read_private_tellings(ws, journal, held, ws.who)
        seen = db if db is not None else open_in_memory()
        private_index.lay_over(seen, held, file, ws.who)
    finally:
        held.close()
    return seen


def read_private_tellings(
    ws: Workspace, journal: Journal, held: sqlite3.Connection, who: str
) -> None:
    """Read into *held* what *who* told in private since the last time."""
    mark, unread = _find_unread(journal, held, who)
    if mark is not None and not unread:
        return
    with isolation.deciding(held):
        # another process may have been faster
        mark, unread = _find_unread(journal, held, who)
        if mark is None or _must_read_anew(mark, unread):
            private_index.forget_owner(held, who)
            mark = None
            unread = journal.private_since(who, 0)
        tellings = [
            telling for _, telling in unread if telling.channel != WITHDRAWN
        ]
        tellings.sort(key=lambda telling: telling.seen_at)
        _read(ws, journal, held, tellings)
        if unread:
            private_index.set_mark(held, who, _next_mark(mark, unread))


def _find_unread(
    journal: Journal, held: sqlite3.Connection, who: str
) -> tuple[Mark | None, list[tuple[int, Sighting]]]:
    """Return the mark of the last reading, and (number, telling) of what came after it.

    The mark is None, and everything is unread, where the journal is not the one that it was made
    in.
    """
    mark = private_index.find_mark(held, who)
    if mark is None or not _is_of_journal(mark, journal):
        return None, journal.private_since(who, 0)
    return mark, journal.private_since(who, mark.seq)


def _is_of_journal(mark: Mark, journal: Journal) -> bool:
    return journal.told_at(mark.seq) == (mark.capture, mark.seen_at)


def _must_read_anew(mark: Mark, unread: Sequence[tuple[int, Sighting]]) -> bool:
    """Tell whether something that was read was taken back, or another machine's tellings came in
    between.

    "Forget that" may mean another one then.
    """
    return any(
        telling.seen_at < mark.latest or telling.channel == WITHDRAWN
        for _, telling in unread
    )


def _next_mark(
    mark: Mark | None, unread: Sequence[tuple[int, Sighting]]
) -> Mark:
    number, last = unread[-1]
    latest = max(telling.seen_at for _, telling in unread)
    if mark is not None:
        latest = max(latest, mark.latest)
    return Mark(number, last.capture, last.seen_at, latest)


def _read(
    ws: Workspace,
    journal: Journal,
    held: sqlite3.Connection,
    tellings: Sequence[Sighting],
) -> None:
    if not tellings:
        return
    # they bring git and the word lists: most reads find nothing new
    from companion.language.headline import headline
    from companion.ledger.read_telling import Reader, make_claims_line
    from companion.storage.git.repo import Repo

    reader = Reader(held)
    contents = journal.contents(Repo(ws.place).blob)
    for telling in tellings:
        content = contents[telling.capture]
        title = journal.capture(telling.capture)[0].title
        if not title:
            title = headline(content.decode("utf-8", "replace"))
        reading = reader.read(telling.capture, title or "", telling, content)
        if reading.claims:
            line = make_claims_line(reading, "")
            rows = claim_lines.build_claim_rows(RUN, line)
            private_index.add_claims(held, rows)


def _reader_version() -> str:
    """Return the version of what reads tellings: what another version read is read again."""
    from companion.language.detect import fingerprint

    return f"{__version__} {fingerprint()}"

"""What an agent, or the person, told in private, as its owner reads it; nobody else does (LED-11).

No night and no page knows of it. A private telling is read into private.db when its owner asks,
once, by the same reader as a night's; so a read costs with what was told since the last one. What
the owner is answered from is the index with these claims laid over it: an agent reads the union of
its own and what is shared.
"""

import os
import sqlite3

from companion import __version__
from companion.pages.title import headline
from companion.storage import claim_lines
from companion.storage.index import isolation, private_index
from companion.storage.index.private_index import RUN, Mark
from companion.storage.index.schema import open_in_memory
from companion.storage.journal.journal import Journal
from companion.values.captures import Sighting
from companion.workspace import Workspace


def show_to_owner(
    ws: Workspace, journal: Journal, db: sqlite3.Connection | None
) -> sqlite3.Connection | None:
    """Return the index *db* as who reads sees it; an empty one where no night has made any."""
    if not journal.has_private(ws.who):
        return db
    file = private_index.find_path(ws.place)
    if not os.access(ws.place.state, os.W_OK):
        # on a disk that is mounted read-only the tellings are read anew each time
        file = ":memory:"
    held = private_index.open_(file, _how())
    try:
        read_private_tellings(ws, journal, held, ws.who)
        seen = db if db is not None else open_in_memory()
        private_index.lay_over(seen, held, file, ws.who)
    finally:
        held.close()
    return seen


def read_private_tellings(
    ws: Workspace, journal: Journal, held: sqlite3.Connection, who: str
) -> int:
    """Read what *who* told in private since the last time; return how many tellings that were."""
    last = _still(journal, private_index.find_mark(held, who))
    new = journal.private_since(who, last.seq if last else 0)
    if not new and last is not None:
        return 0
    with isolation.deciding(held):
        # another process may have been faster
        last = _still(journal, private_index.find_mark(held, who))
        new = journal.private_since(who, last.seq if last else 0)
        if last is None or any(
            telling.seen_at < last.latest for _, telling in new
        ):
            # Another machine's tellings came in between: "forget that" may mean another one now.
            private_index.forget_owner(held, who)
            last, new = None, journal.private_since(who, 0)
        _read(
            ws,
            journal,
            held,
            [
                telling
                for _, telling in sorted(new, key=lambda row: row[1].seen_at)
            ],
        )
        if new:
            seq, telling = new[-1]
            latest = max(
                [
                    last.latest if last else "",
                    *(each.seen_at for _, each in new),
                ]
            )
            private_index.set_mark(
                held, who, Mark(seq, telling.capture, telling.seen_at, latest)
            )
    return len(new)


def _still(journal: Journal, mark: Mark | None) -> Mark | None:
    """Return *mark* where the journal is still the one that it was made in."""
    return (
        mark
        if mark is not None
        and journal.told_at(mark.seq) == (mark.capture, mark.seen_at)
        else None
    )


def _read(
    ws: Workspace,
    journal: Journal,
    held: sqlite3.Connection,
    tellings: list[Sighting],
) -> None:
    if not tellings:
        return
    # they bring git and the word lists: most reads find nothing new
    from companion.ledger.read_notes import (
        Reader,
        make_claims_line,
    )
    from companion.storage.git.repo import Repo

    reader, contents = Reader(held), journal.contents(Repo(ws.place).blob)
    for telling in tellings:
        content = contents[telling.capture]
        title = journal.capture(telling.capture)[0].title or headline(
            content.decode("utf-8", "replace")
        )
        reading = reader.read(telling.capture, title or "", telling, content)
        if reading.claims:
            private_index.add_claims(
                held,
                claim_lines.build_claim_rows(
                    RUN, make_claims_line(reading, "")
                ),
            )


def _how() -> str:
    """Name what reads tellings: what another version read is read again."""
    from companion.language.detect import fingerprint

    return f"{__version__} {fingerprint()}"

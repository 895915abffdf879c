"""Collect the originals that a run has to read: those that no night has read before.

An original that could not be read is tried again only when other readers are there than those that
failed. One that is locked waits for its owner, and one that was told in private stays out of the
wiki's branch.
"""

from collections.abc import Callable, Collection
from typing import NamedTuple

from companion.lookup.find import NothingFound, find_target
from companion.runs.run import Run
from companion.storage.cold import cold_memory, originals
from companion.storage.cold.cold_memory import Cold
from companion.storage.cold.originals import Original
from companion.storage.index.tables.sources import (
    Source,
    UnreadOriginal,
    find_source,
    list_contextualized,
    list_locked,
    list_unread,
)


class Pending(NamedTuple):
    """The originals that wait to be read."""

    items: list[Original]  # in the order in which they came in
    unread: list[UnreadOriginal]  # that the same readers would not read either
    locked: int  # that wait for their owner
    private: int  # that stay out of the wiki's branch


#: what the door knows of originals, by id; None for what was told in private alone
Headers = dict[str, Original | None]


def collect_originals(
    run: Run,
    describe_readers: Callable[[], str],
    headers: Headers,
    target: str | None = None,
) -> Pending:
    """Return the originals that wait, or the one that *target* names, read or not.

    *describe_readers* says which readers are there; it is asked only where some original could not
    be read before. *headers* keeps what was read of originals, for the next slice. Raises
    NothingFound for a *target* that names none.
    """
    if target is not None:
        return Pending([_find_original(run, target)], [], 0, 0)
    waiting = originals.list_ids(run.repo) - list_contextualized(run.db)
    if not waiting:
        return Pending([], [], 0, 0)
    locked = _list_held(run)
    unread = _list_still_unread(run, waiting, describe_readers)
    waiting -= locked
    waiting -= {one.original for one in unread}
    for id in waiting - headers.keys():
        headers[id] = _find_shared_telling(run, id)
    tellings = [headers[id] for id in waiting]
    shared = [telling for telling in tellings if telling is not None]
    shared.sort(key=lambda item: (item.received_at, item.source, item.id))
    return Pending(shared, unread, len(locked), len(waiting) - len(shared))


def _list_still_unread(
    run: Run, waiting: Collection[str], describe_readers: Callable[[], str]
) -> list[UnreadOriginal]:
    """Return those of *waiting* that the readers of today could not read before."""
    unread = [one for one in list_unread(run.db) if one.original in waiting]
    if not unread:
        return []
    readers = describe_readers()
    return [one for one in unread if one.reader == readers]


def _find_shared_telling(run: Run, id: str) -> Original | None:
    """Return the first telling of an original that was no private one; None where none was."""
    for telling in originals.read_tellings(run.repo, id):
        if telling.scope != "private":
            return telling
    return None


def _find_by_page(run: Run, target: str) -> Source | None:
    """Return the source of the page that *target* names, by its title too. Raises Ambiguous."""
    try:
        found = find_target(run.ws, run.db, run.journal, target)
    except NothingFound:
        return None
    return find_source(run.db, found.id)


def make_original(cold: Cold) -> Original:
    """Return the original that a cold object holds."""
    return Original(
        id=cold.original or "",
        blob=cold.blob,
        size=cold.size or 0,
        media_type=cold.media_type or "",
        name=cold.name or "",
        source=cold.path or cold.url or "",
        received_at=cold.received_at or cold.stored_at,
        url=cold.url,
        container=cold.container,
        modified_at=cold.modified_at,
    )


def _list_held(run: Run) -> set[str]:
    """Return the locked originals that their owner did not decide to keep."""
    return {one.original for one in list_locked(run.db) if one.choice != "keep"}


def _find_original(run: Run, target: str) -> Original:
    source = find_source(run.db, target) or _find_by_page(run, target)
    if source is not None:
        # another machine has it in cold memory alone
        return make_original(cold_memory.find(run.repo, source.cold))
    for item in originals.read(run.repo):
        names = (item.source, item.url, item.name)
        if target in names or (len(target) >= 6 and item.id.startswith(target)):
            return item
    raise NothingFound(
        f"no source is called {target}",
        hint="`companion sources` lists what was read; `companion status` counts what waits.",
    )

"""`list`: pages and waiting notes, those that changed last first."""

import sqlite3
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from companion.language.headline import headline
from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index, stale_warning
from companion.lookup.read_page import read_page_bytes
from companion.lookup.time_words import read_span
from companion.pages.links import key
from companion.pages.page import parse
from companion.reading.captures import read_capture
from companion.storage.index.tables.pages import listing
from companion.storage.index.tables.pages.listing import ListedPage
from companion.storage.index.tables.pages.names import list_shared_names
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.values.time import LATEST
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.overview.results import ListedItem, PageList

PENDING = "pending"
#: what a list shows where no state is asked for
_SHOWN = ("active", "decaying")


class Asked(NamedTuple):
    """The conditions of a list; times as a person writes them."""

    tags: tuple[str, ...] = ()  # all of them, in any case
    state: str | None = None
    since: str | None = None
    before: str | None = None
    orphan: bool = False
    linked_to: str | None = None


class _Filter(NamedTuple):
    states: tuple[str, ...]
    since: str
    before: str
    tags: tuple[str, ...]
    orphan: bool
    linked_to: str | None  # an entry

    @property
    def takes_notes(self) -> bool:
        """Tell whether notes that wait can be in the list: they have no links yet."""
        is_about_links = self.orphan or self.linked_to is not None
        return PENDING in self.states and not is_about_links


def list_pages(ws: Workspace, asked: Asked, *, limit: int) -> "PageList":
    """Return at most *limit* pages and notes, those that changed last first.

    Raises BadTime, NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    wanted = _read_filter(ws, db, journal, asked)
    found = list(islice(_list_items(ws, db, journal, wanted), limit + 1))
    document: PageList = {"items": found[:limit], "more": len(found) > limit}
    warning = stale_warning(ws, db)
    if warning is not None:
        document["warning"] = warning
    return document


def find_links(ws: Workspace, listed: "PageList") -> dict[str, str]:
    """Return by its path the link that leads to each page of a list, and to no other."""
    db = current_index(ws, ws.journal())
    paths = [item["path"] for item in listed["items"] if item["path"]]
    shared: set[str] = set()
    if db is not None:
        shared = list_shared_names(db, {key(path) for path in paths})
    return {path: _write_link(path, key(path) in shared) for path in paths}


def _write_link(path: str, is_shared: bool) -> str:
    """Return the link to the page at *path*: by its name, or from the root where others have it."""
    whole = path.removesuffix(".md")
    return f"[[{whole if is_shared else whole.rpartition('/')[2]}]]"


def describe_page(ws: Workspace, page: ListedPage) -> "ListedItem":
    """Return *page* with its tags."""
    text = read_page_bytes(ws, page.path, page.blob).decode("utf-8", "replace")
    return {
        "id": page.id,
        "title": page.title,
        "path": page.path,
        "state": page.state,
        "quarantined": page.quarantined,
        "created": page.created,
        "changed": page.changed,
        "tags": list(parse(text, page.path).tags),
    }


def _read_filter(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    asked: Asked,
) -> _Filter:
    states = (PENDING, *_SHOWN) if asked.state is None else (asked.state,)
    linked_to = None
    if asked.linked_to is not None:
        target = find_target(ws, db, journal, asked.linked_to)
        if target.kind != "entry":
            raise NothingFound(f"{asked.linked_to!r} is no page")
        linked_to = target.id
    since, before = "", LATEST
    if asked.since is not None:
        since = read_span(ws, asked.since).start
    if asked.before is not None:
        before = read_span(ws, asked.before).start
    tags = tuple(_fold_tag(tag) for tag in asked.tags)
    return _Filter(states, since, before, tags, asked.orphan, linked_to)


def _list_items(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    wanted: _Filter,
) -> "Iterator[ListedItem]":
    """Yield the notes and pages that are wanted, the newest first."""
    notes = _list_notes(ws, journal, wanted)
    pages = _list_pages(ws, db, wanted)
    note = next(notes, None)
    page = next(pages, None)
    while note is not None or page is not None:
        is_note = page is None
        if note is not None and page is not None:
            is_note = note["changed"] >= page["changed"]
        if note is not None and is_note:
            yield note
            note = next(notes, None)
        elif page is not None:
            yield page
            page = next(pages, None)


def _list_pages(
    ws: Workspace, db: sqlite3.Connection | None, wanted: _Filter
) -> "Iterator[ListedItem]":
    if db is None:
        return
    for page in listing.list_pages(
        db,
        [*wanted.states],
        since=wanted.since,
        before=wanted.before,
        orphan=wanted.orphan,
        linked_to=wanted.linked_to,
    ):
        item = describe_page(ws, page)
        if _has_tags(item, wanted):
            yield item


def _list_notes(
    ws: Workspace, journal: Journal, wanted: _Filter
) -> "Iterator[ListedItem]":
    if not wanted.takes_notes:
        return
    waiting = [pending.capture for pending in journal.unsettled(who=ws.who)]
    for capture in reversed(waiting):
        if not wanted.since <= capture.ingested_at < wanted.before:
            continue
        item = _describe_note(ws, journal, capture.id)
        if _has_tags(item, wanted):
            yield item


def _describe_note(ws: Workspace, journal: Journal, id: str) -> "ListedItem":
    capture, _ = read_capture(ws, journal, id)
    text = capture.content.decode("utf-8", "replace")
    return {
        "id": id,
        "title": capture.title or headline(text),
        "path": None,
        "state": "pending",
        "quarantined": False,
        "created": capture.ingested_at,
        "changed": capture.ingested_at,
        "tags": list(parse(text, "").tags),
    }


def _has_tags(item: "ListedItem", wanted: _Filter) -> bool:
    """Tell whether *item* has all tags; `#work/berlin` is also a `#work`, as in Obsidian."""
    has = {_fold_tag(tag) for tag in item["tags"]}
    for tag in wanted.tags:
        below = tag + "/"
        if not any(each == tag or each.startswith(below) for each in has):
            return False
    return True


def _fold_tag(tag: str) -> str:
    return tag.lstrip("#").rstrip("/").casefold()

"""`links`: where the links of the wiki's pages lead in an editor, and why some lead nowhere.

An editor (Obsidian, zk) finds a page by its file name only; companion also by title and alias.
"""

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.lookup.index import current_index
from companion.pages import links
from companion.pages.names.file_name import MAX_BYTES, make_file_name
from companion.storage.index.tables.pages.entries import list_gone_named
from companion.storage.index.tables.pages.links import (
    StoredLink,
    list_links_between,
)
from companion.storage.index.tables.pages.names import list_paths_named
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.overview.results import LinkList, PageLink

_NAMED = 3  # pages that a sentence names


def list_links(ws: Workspace, *, broken: bool = False) -> "LinkList":
    """Return the links of all pages, by page and target; only those that no editor follows if
    *broken*.
    """
    db = current_index(ws, ws.journal())
    if db is None:
        return {"links": []}
    found = _describe_links(db)
    return {"links": [link for link in found if link["problem"] or not broken]}


def _describe_links(db: sqlite3.Connection) -> "Iterator[PageLink]":
    for link in list_links_between(db):
        yield {
            "page": link.page,
            "target": link.target,
            "path": link.path,
            "problem": _find_problem(db, link),
        }


def _find_problem(db: sqlite3.Connection, link: StoredLink) -> str | None:
    """Return why an editor does not follow *link*; None where it does."""
    if link.path is None:
        return _explain_missing(db, link)
    if link.base_key == links.key(link.path):
        return None
    name = link.target.strip()  # whole: only a title or alias led here
    if len(name.encode("utf-8", "surrogateescape")) > MAX_BYTES:
        return f"{link.path} has this title, which is too long for a file name"
    if links.fold(make_file_name(name)) != links.fold(name):
        return f"{link.path} has this title, which no file name can hold"
    return f"{link.path} has this title or alias, and another file name"


def _explain_missing(db: sqlite3.Connection, link: StoredLink) -> str:
    title_key = links.title_key(link.target)
    named = list_paths_named(db, title_key)
    if named:
        pages = ", ".join(named[:_NAMED])
        return f"several pages have this title: {pages}"
    if list_gone_named(db, link.base_key, title_key):
        return "its page is archived or deleted"
    return "no page has this name"

"""Gather the pages of the wiki that a site or a bundle shows."""

import posixpath
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from companion.lookup.read_page import read_page_bytes
from companion.pages.frontmatter import Meta, read_front
from companion.pages.page import parse
from companion.storage.index.tables.pages.links import list_links_between
from companion.storage.index.tables.pages.listing import list_pages
from companion.workspace import Workspace

_SHOWN = ["active", "decaying"]


class ExportedPage(NamedTuple):
    """A page with what a reader of it needs."""

    id: str
    title: str
    path: str
    kind: str  # "note" where companion made none of it
    created: str  # RFC 3339 UTC
    changed: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    source: str  # the address of the source that it is of; empty for others
    body: str  # without frontmatter
    links: Mapping[str, str]  # targets as written, and the paths they lead to
    linked_from: tuple[str, ...]  # paths
    properties: Mapping[str, str | list[str]]  # the page's own, texts and lists

    @property
    def name(self) -> str:
        """The path without `.md`."""
        return posixpath.splitext(self.path)[0]


def _list_properties(meta: Meta) -> dict[str, str | list[str]]:
    """Return the properties that are a text or a list of texts: others have no plain form."""
    plain: dict[str, str | list[str]] = {}
    for key, value in meta.items():
        if isinstance(value, str):
            plain[key] = value
        elif isinstance(value, list):
            plain[key] = [one for one in value if isinstance(one, str)]
    return plain


def gather_pages(ws: Workspace, db: sqlite3.Connection) -> list[ExportedPage]:
    """Return the pages that are active or decaying, by their paths."""
    targets: dict[str, dict[str, str]] = defaultdict(dict)
    sources: dict[str, set[str]] = defaultdict(set)
    listed = sorted(list_pages(db, _SHOWN), key=lambda page: page.path)
    shown = {page.path for page in listed}
    for link in list_links_between(db):
        if link.path in shown and link.page in shown:
            targets[link.page][link.target] = link.path
            sources[link.path].add(link.page)
    pages = []
    for page in listed:
        text = read_page_bytes(ws, page.path, page.blob)
        whole = text.decode("utf-8", "replace")
        front, parsed = read_front(whole), parse(whole, page.path)
        pages.append(
            ExportedPage(
                page.id,
                page.title,
                page.path,
                str(front.meta.get("type") or "note"),
                page.created,
                page.changed,
                parsed.tags,
                parsed.aliases,
                str(front.meta.get("url") or ""),
                front.body.lstrip("\n"),
                targets[page.path],
                tuple(sorted(sources[page.path] - {page.path})),
                _list_properties(front.meta),
            )
        )
    return pages

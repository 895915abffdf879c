"""All pages that link to one, a part at a time."""

from companion.lookup.find import NothingFound
from companion.lookup.index import current_index
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.index.tables.pages.links import (
    count_pages_linking,
    list_pages_linking,
)
from companion.web.elements import (
    bullets,
    element,
    link,
    link_page,
    write_page,
)
from companion.workspace import Workspace

_MOST = 200  # pages of one part


def make_linked_page(ws: Workspace, id: str, after: int) -> str:
    """Return the pages that link to the page of *id*, those after the first *after*.

    Raises NothingFound.
    """
    db = current_index(ws, ws.journal())
    entry = None if db is None else find_entry(db, id)
    if db is None or entry is None:
        raise NothingFound(f"there is no page {id}")
    count = count_pages_linking(db, id)
    linking = list_pages_linking(db, id, _MOST, after)
    title = f"Pages that link to {entry.title}"
    last = after + len(linking)
    shown = f"{after + 1:,} to {last:,} of {count:,}" if linking else "None"
    return write_page(
        title,
        element("h1", title),
        element("p", link_page(id, entry.title), f" · {shown}", klass="soft"),
        bullets([link_page(one.id, one.title) for one in linking]),
        _write_ways(id, after, count),
    )


def _write_ways(id: str, after: int, count: int) -> str:
    """Return links to the part before and the part behind, where there are any."""
    ways = []
    if after > 0:
        ways.append(("the part before", max(after - _MOST, 0)))
    if after + _MOST < count:
        ways.append(("the next part", after + _MOST))
    parts: list[str] = []
    for words, place in ways:
        parts += [" · "] * bool(parts)
        parts.append(link(words, f"/links?page={id}&after={place}"))
    return element("p", *parts) if parts else ""

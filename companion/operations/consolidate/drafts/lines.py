"""Let derived lines follow the notes that move tonight. Pure.

A page that links a note where it stood links it where it goes. A page that must not be touched
tonight keeps its line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.comparison.cohesion import place_score
from companion.comparison.pending import PlannedPage, WikiContext
from companion.pages.statement_edits import put_mentions
from companion.pages.statements import read_mentions, statement_id


def follow_moves(
    pages: Sequence[PlannedPage], wiki: WikiContext
) -> list[PlannedPage]:
    """Return *pages* and those whose lines for a note lead to the page that it leaves."""
    given = {page.entry for page in pages}
    planned = {page.entry: page for page in pages}
    for target, capture, entry in _list_lines(pages, wiki):
        page = planned.get(entry) or _find_page(entry, wiki)
        if page is not None:
            name = target.path.rpartition("/")[2].removesuffix(".md")
            planned[entry] = _link(page, statement_id(capture), name)
    return [
        page for entry, page in planned.items() if entry in given or page.reason
    ]


def _list_lines(
    pages: Sequence[PlannedPage], wiki: WikiContext
) -> Iterator[tuple[PlannedPage, str, str]]:
    """Yield the new page, the capture and the linking entry of each line that has to follow."""
    for target in pages:
        for move in target.moves:
            for entry in wiki.linking(move.capture):
                if entry != target.entry:
                    yield target, move.capture, entry


def link_elsewhere(text: str, id: str, name: str) -> str:
    """Return a page whose derived lines for the statement *id* link the page called *name*."""
    old = [line for line in read_mentions(text) if line.id == id]
    if all(line.page == name for line in old):
        return text
    lines = [line._replace(page=name) for line in old]
    return put_mentions(text, lines, {id})


def _find_page(entry: str, wiki: WikiContext) -> PlannedPage | None:
    """Return the page as it is; without a reason it is not written."""
    found = wiki.page_of(entry)
    if found is None or found.page.path in wiki.blocked:
        return None
    return PlannedPage(
        entry=entry,
        path=found.page.path,
        title=wiki.title_of(entry) or "",
        content=found.text.encode("utf-8", "surrogateescape"),
        base_blob=found.page.blob,
        notes=(),
        cohesion=place_score(1.0),
        reason="",
    )


def _link(page: PlannedPage, id: str, name: str) -> PlannedPage:
    before = page.content.decode("utf-8", "surrogateescape")
    text = link_elsewhere(before, id, name)
    if text == before:
        return page
    return replace(
        page,
        content=text.encode("utf-8", "surrogateescape"),
        reason=page.reason or "Links a note that moved.",
    )

"""Pages of one statement that lost say so in their files, with what took their place (CON-8).

A note of the same night may grow such a page: then the page says both. Pure.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.pages.statement_edits import mark_lost_page
from companion.runs.page_lines import make_grown_line
from companion.values.decisions import Write
from companion.values.events import LedgerLine


class LostPage(NamedTuple):
    """A page that lost tonight, and what it says of that."""

    entry: str
    path: str
    text: str  # before the night
    until: str  # the day on which it lost
    link: str  # to what took its place
    reason: str
    branch: str  # that won

    def mark(self, text: str) -> bytes:
        """Return the bytes of *text*, the page's, with what it says of its loss."""
        marked = mark_lost_page(text, self.until, self.link, self.reason)
        return marked.encode("utf-8", "surrogateescape")


def say_losses(
    lost: Sequence[LostPage], writes: Iterable[Write]
) -> tuple[list[Write], list[LedgerLine]]:
    """Return *writes* in which each of the *lost* pages says so, and the ledger's lines of those
    that nothing else writes.
    """
    by_path = {page.path: page for page in lost}
    result: list[Write] = []
    for write in writes:
        page = by_path.pop(write.path, None)
        if page is not None and write.content is not None:
            text = write.content.decode("utf-8", "surrogateescape")
            write = Write(write.path, page.mark(text))
        result.append(write)
    lines = []
    for page in by_path.values():
        content = page.mark(page.text)
        result.append(Write(page.path, content))
        reason = f"minority/{page.branch} won: this page says so."
        line = make_grown_line(page.entry, page.path, content, reason)
        lines.append({**line, "derived": 1})
    return result, lines

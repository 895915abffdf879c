"""Find pages of one id that only a person can bring together."""

from collections.abc import Iterator
from contextlib import closing

from companion.maintenance.doctor.findings import LISTED, warning
from companion.maintenance.results import Finding
from companion.storage.git.repo import Repo
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.tables.pages.merged_pages import list_second_pages
from companion.workspace import Workspace

_HINT = (
    "Bring into one what you want to keep and delete the other, or take the line"
    " `id:` out of the other: then it is a page of its own."
)


def examine_pages(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield the pages that two machines began, of which a night can make one no more.

    Raises IndexDamaged.
    """
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return
    with closing(db):
        for second in list_second_pages(db)[:LISTED]:
            first = find_page(db, second.of)
            assert first is not None  # that is how the second was found
            what = f"{first.path} and {second.path} are two pages of one id"
            yield warning("two-pages", what, _HINT)

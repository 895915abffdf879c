"""Find pages of one id that only a person can bring together."""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice

from companion.maintenance.doctor.findings import LISTED, warning
from companion.maintenance.results import Finding
from companion.storage.git.repo import Repo
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.pages.merged_pages import (
    list_pages_of_one_id,
)
from companion.workspace import Workspace

_HINT = (
    "Bring into one what you want to keep and delete the other, or take the line"
    " `id:` out of the other: then it is a page of its own."
)


def examine_pages(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield the pages that bear the id of another one.

    The index may be older than the branch: pages that are gone there are none. Raises IndexDamaged.
    """
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return
    with closing(db):
        pairs = list_pages_of_one_id(db)
    tree = repo.wiki_tree(repo.tip())
    there = (
        pair
        for pair in pairs
        if all(repo.mode(tree, path) is not None for path in pair)
    )
    for first, second in islice(there, LISTED):
        what = f"{first} and {second} are two pages of one id"
        yield warning("two-pages", what, _HINT)

"""Find links that lead to no page: a note, for a page that is not written yet is no damage."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing

from companion.maintenance.doctor.findings import note
from companion.maintenance.results import Finding
from companion.operations.decay.show import links_to_archived
from companion.storage.git.repo import Repo
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.pages.links import list_unresolved_links
from companion.workspace import Workspace

_SHOWN = 3
_HINT = (
    "Mend the link, or write the page: links find it by its name. `companion show PAGE` lists"
    " its own."
)


def examine_links(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield one finding on the links whose page never was, or was renamed outside; links to
    archived pages are whole.

    Raises IndexDamaged.
    """
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return
    with closing(db):
        broken = _list_broken(db)
    if not broken:
        return
    what = "1 link leads"
    if len(broken) > 1:
        what = f"{len(broken)} links lead"
    what += f" to no page: {', '.join(broken[:_SHOWN])}"
    if len(broken) > _SHOWN:
        what += f" and {len(broken) - _SHOWN} more"
    yield note("links-open", what, _HINT)


def _list_broken(db: sqlite3.Connection) -> list[str]:
    targets: dict[str, list[str]] = defaultdict(list)
    for page, target in list_unresolved_links(db):
        targets[page].append(target)
    broken = []
    for page, wanted in targets.items():
        archived = {
            link["target"] for link in links_to_archived(db, page, wanted)
        }
        broken += [
            f"[[{target}]] in {page}"
            for target in wanted
            if target not in archived
        ]
    return broken

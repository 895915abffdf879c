"""Links that lead nowhere, in the pages of a wiki's owner: a note, for a page not written yet is no
damage.
"""

from collections import defaultdict
from collections.abc import Iterator

from companion.maintenance.doctor import checks
from companion.maintenance.results import Finding
from companion.operations.decay.show import links_to_archived
from companion.storage.git.repo import Repo
from companion.storage.index.schema import open_for_reading
from companion.storage.index.tables.pages import list_unresolved_links
from companion.workspace import Workspace

_SHOWN = 3


def examine(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Look for links whose page never was, or was renamed outside; those to archived pages are
    whole.
    """
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return
    targets: dict[str, list[str]] = defaultdict(list)
    for page, target in list_unresolved_links(db):
        targets[page].append(target)
    broken = []
    for page, wanted in targets.items():
        archived = {
            each["target"] for each in links_to_archived(db, page, wanted)
        }
        broken += [
            f"[[{target}]] in {page}"
            for target in wanted
            if target not in archived
        ]
    db.close()
    if broken:
        links = (
            "1 link leads" if len(broken) == 1 else f"{len(broken)} links lead"
        )
        more = (
            f" and {len(broken) - _SHOWN} more" if len(broken) > _SHOWN else ""
        )
        hint = "Mend the link, or write the page: links find it by its name. `companion show PAGE` lists its own."
        what = f"{links} to no page: {', '.join(broken[:_SHOWN])}{more}"
        yield checks.finding("links-open", "note", what, hint)

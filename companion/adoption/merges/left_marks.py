"""Tell a page with git's marks in which nobody wrote from one that a person edited."""

import re

from companion.pages.merge_statements import has_markers, list_lines_beside
from companion.runs.run import Run
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.pages.entries import (
    find_entry_at,
    find_known,
)
from companion.values.events import LedgerLine

_ID = re.compile(r"^id: (\S+)$", re.MULTILINE)
_WRITTEN = ("created", "grown", "edited", "renamed", "registered")


def is_left_by_git(run: Run, event: LedgerLine) -> bool:
    """Tell whether the page at the path of *event*, of an entry that was edited or is gone, has
    git's marks and besides them only lines that it had on some machine. Git may have put several
    entries together there. A page that had marks before is one about them.
    """
    page = find_entry_at(run.db, event["path"])
    known = find_known(run.db, event["entry"])
    if page is None or known is None or _has_marks(run, known.blob):
        return False
    text = run.repo.text(page.blob, exact=True)
    named = {page.id, *_ID.findall(text)}
    if not has_markers(text) or event["entry"] not in named:
        return False
    texts = []
    for entry in sorted(named):
        for past in list_entry_events(run.db, entry, _WRITTEN):
            blob = past.data["blob"]
            if run.repo.has(blob):
                texts.append(run.repo.text(blob, exact=True))
    return not list_lines_beside(text, texts)


def _has_marks(run: Run, blob: str) -> bool:
    return run.repo.has(blob) and has_markers(run.repo.text(blob, exact=True))

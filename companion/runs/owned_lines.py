"""Which lines of a managed page its owner wrote: what differed, each time, from what companion had
written last.
"""

import json
from collections.abc import Iterable

from companion.pages.frontmatter import read_front
from companion.runs.run import Run
from companion.storage.index.history import (
    list_content_changes,
    list_joined_captures,
)

_OURS = frozenset({"created", "grown", "compressed", "restored"})


def find_owned_lines(run: Run, entry: str, text: str) -> set[str]:
    """Return those lines of *text*, the page of *entry* as it is, that are its owner's: without
    endings, none blank.

    Where git has lost an earlier content, all of them are.
    """
    found, before = set[str](), set[str]()
    for operation, event, data in list_content_changes(run.db, entry):
        said = json.loads(data)
        blob = said.get("blob")
        if blob is None:
            continue  # it was restored in the index only
        if not run.repo.has(blob):
            return _lines(text)
        after = _lines(run.repo.text(blob, exact=True))
        if event == "promoted":
            written = _read_members(run, said["branch"])
            # headings join the members
            found |= {
                line for line in after - written if not line.startswith("#")
            }
        # an undo puts companion's own lines back
        elif event not in _OURS and operation != "undo":
            found |= after - before
        before = after
    return found & _lines(text)


def select_body_lines(lines: Iterable[str], text: str) -> set[str]:
    """Return those of *lines* that stand below the frontmatter of *text*."""
    return set(lines) & _lines(read_front(text).body)


def read_member_text(run: Run, blob: str, capture: str) -> str:
    """Return a branch member's page, else its words as they were told; empty where nobody has them
    any more.

    Who joined in the night that promoted never had a page of its own.
    """
    blobs = [blob, *(told.blob for told in run.journal.capture(capture))]
    known = next(filter(run.repo.has, blobs), None)
    return "" if known is None else run.repo.text(known, exact=True)


def _read_members(run: Run, branch: str) -> set[str]:
    """Return the lines of a branch's members as companion wrote them."""
    lines: set[str] = set()
    for blob, capture in list_joined_captures(run.db, branch):
        lines |= _lines(read_member_text(run, blob, capture))
    return lines


def _lines(text: str) -> set[str]:
    return {
        line
        for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if line.strip()
    }

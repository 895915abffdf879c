"""Find the lines of a managed page that its owner wrote.

They are the lines that differed, each time, from what companion had written last.
"""

import json
from collections.abc import Collection, Iterable

from companion.pages.frontmatter import read_front
from companion.pages.statements import without_marks
from companion.runs.run import Run
from companion.storage.index.history import (
    list_content_changes,
    list_joined_captures,
)

_OURS = frozenset({"created", "grown", "compressed", "restored"})


def find_owned_lines(run: Run, entry: str, text: str) -> set[str]:
    """Return those lines of *text*, the page of *entry* as it is, that are its owner's.

    They have no line endings, and none is blank. Where git has lost an earlier content, all lines
    are the owner's.
    """
    owned: set[str] = set()
    before: set[str] = set()
    for operation, kind, data in list_content_changes(run.db, entry):
        event = json.loads(data)
        blob = event.get("blob")
        if blob is None:
            continue  # it was restored in the index only
        if not run.repo.has(blob):
            return _lines(text)
        after = _lines(run.repo.text(blob, exact=True))
        if kind == "promoted":
            # companion puts a heading before each member
            members = _read_members(run, event["branch"])
            if "statement" in event:
                owned |= _drop_blocks(after - before, members)
            else:
                owned |= _drop_headings(after - members)
        # an undo puts companion's own lines back
        elif kind not in _OURS and operation != "undo":
            owned |= after - before
        before = after
    return owned & _lines(text)


def _drop_headings(lines: Iterable[str]) -> set[str]:
    return {line for line in lines if not line.startswith("#")}


def _drop_blocks(lines: Iterable[str], members: Collection[str]) -> set[str]:
    """Return *lines* that a promotion brought to a page of several statements, without those of
    its *members* and those that companion puts around a block.
    """
    words = {line: without_marks(line) for line in lines}
    return {
        line
        for line, bare in words.items()
        if bare.strip()
        and bare not in members
        and not bare.startswith(("#", "Until "))
    }


def select_body_lines(lines: Iterable[str], text: str) -> set[str]:
    """Return those of *lines* that stand below the frontmatter of *text*."""
    return set(lines) & _lines(read_front(text).body)


def read_member_text(run: Run, blob: str, capture: str) -> str:
    """Return a branch member's page, else its words as they were told; empty where both are lost.

    A member that joined in the night that promoted never had a page of its own.
    """
    blobs = [blob]
    for captured in run.journal.capture(capture):
        blobs.append(captured.blob)
    for known in blobs:
        if run.repo.has(known):
            return run.repo.text(known, exact=True)
    return ""


def _read_members(run: Run, branch: str) -> set[str]:
    """Return the lines of a branch's members as companion wrote them."""
    lines: set[str] = set()
    for blob, capture in list_joined_captures(run.db, branch):
        lines |= _lines(read_member_text(run, blob, capture))
    return lines


def _lines(text: str) -> set[str]:
    """Return the lines of *text* without endings, none blank."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {line for line in lines if line.strip()}

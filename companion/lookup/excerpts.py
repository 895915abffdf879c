"""What a search found, as it is shown: title, place, and the words around. On the hot path of a
search.
"""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.pages.title import headline
from companion.storage.git import objects
from companion.storage.index.search import Hit
from companion.storage.index.terms import fold_text
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import (
        HitExcerpt,
    )

SNIPPET = 160  # characters
_SPACE = re.compile(r"\s+")


def describe_hit(ws: Workspace, hit: Hit, words: Sequence[str]) -> "HitExcerpt":
    """Return one search result."""
    content = (
        hit.content
        if hit.content is not None
        else read_page_bytes(ws, hit.path or "", hit.blob)
    )
    return {
        "id": hit.id,
        "title": hit.title or headline(content.decode("utf-8", "replace")),
        "path": hit.path,
        "state": hit.state,
        "quarantined": hit.quarantined,
        "score": round(hit.score, 4),
        "snippet": cut_snippet(content.decode("utf-8", "replace"), words),
        "event_time": hit.time,
    }


def cut_snippet(text: str, words: Sequence[str]) -> str:
    """Return the stretch of *text* around the first of *words*, on one line."""
    body = without_frontmatter(text)
    flat = _SPACE.sub(" ", body[:200_000]).strip()
    plain = fold_text(flat)
    at = -1
    # folding may change lengths; then the beginning has to do
    if len(plain) == len(flat):
        at = min(
            (found for word in words if (found := plain.find(word)) >= 0),
            default=-1,
        )
    start = max(0, at - SNIPPET // 4)
    if start:
        start = flat.find(" ", start) + 1
    cut = flat[start : start + SNIPPET]
    return (
        ("…" if start else "")
        + cut
        + ("…" if start + SNIPPET < len(flat) else "")
    )


def read_page_bytes(ws: Workspace, path: str, blob: str) -> bytes:
    """Return a page as the index knows it: the file when it still is that, else git's copy."""
    try:
        with open(os.path.join(ws.place.root, path), "rb") as file:
            data = file.read()
        if objects.hash_blob(data) == blob:
            return data
    except OSError:
        pass  # moved or deleted since: git still has it
    from companion.storage.git.repo import Repo

    return Repo(ws.place).blob(blob)

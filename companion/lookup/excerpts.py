"""The excerpts that a search shows: a title, a place, and the words around. On the hot path of a
search.
"""

import os
import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from companion.storage.git import objects
from companion.storage.index.search import Hit, Phrase, Statistics
from companion.storage.index.terms import fold_text
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import (
        HitExcerpt,
    )

SNIPPET = 160  # characters
_SPACE = re.compile(r"\s+")


def describe_hit(
    ws: Workspace, hit: Hit, phrases: Sequence[Phrase], stats: Statistics
) -> "HitExcerpt":
    """Return one search result."""
    content = hit.content
    if content is None:
        content = read_page_bytes(ws, hit.path or "", hit.blob)
    text = content.decode("utf-8", "replace")
    words = list(chain.from_iterable(phrases))
    excerpt: HitExcerpt = {
        "id": hit.id,
        "title": hit.title or _headline(text),
        "path": hit.path,
        "state": hit.state,
        "quarantined": hit.quarantined,
        "score": round(hit.score, 4),
        "snippet": "",
        "event_time": hit.time,
        "statement": None,
        "when": None,
        "link": None,
        "lost": False,
    }
    if hit.path is not None and "^" in text:
        text = _narrow_to_statement(excerpt, hit.path, text, phrases, stats)
    excerpt["snippet"] = cut_snippet(text, words)
    return excerpt


def _narrow_to_statement(
    excerpt: "HitExcerpt",
    path: str,
    text: str,
    phrases: Sequence[Phrase],
    stats: Statistics,
) -> str:
    """Name in *excerpt* the statement of the page at *path* that fits best; return its words.

    Where its title alone has the words, return its whole text.
    """
    # a wiki of pages of one does without
    from companion.lookup.best_statement import find_best_statement
    from companion.pages.statements import moment_of, without_marks

    found = find_best_statement(text, phrases, stats)
    if found is None:
        return without_marks(text)
    statement = found.statement
    if statement is not None:
        excerpt["statement"] = statement.id
        excerpt["when"] = moment_of(excerpt["title"], statement.when)
        excerpt["link"] = link_statement(path, statement.id)
        excerpt["lost"] = statement.earlier
    return found.words


def link_statement(path: str, id: str) -> str:
    """Return the link that an editor follows to the statement *id* of the page at *path*."""
    name = path.rpartition("/")[2].removesuffix(".md")
    return f"[[{name}#^{id}]]"


def _headline(text: str) -> str:
    # few hits are without a title
    from companion.language.headline import headline

    return headline(text)


def cut_snippet(text: str, words: Sequence[str]) -> str:
    """Return the stretch of *text* around the first of *words*, on one line."""
    body = without_frontmatter(text)
    flat = _SPACE.sub(" ", body[:200_000]).strip()
    start = max(0, _find_first(flat, words) - SNIPPET // 4)
    if start:
        start = flat.find(" ", start) + 1
    snippet = flat[start : start + SNIPPET]
    if start:
        snippet = "…" + snippet
    if start + SNIPPET < len(flat):
        snippet += "…"
    return snippet


def _find_first(text: str, words: Sequence[str]) -> int:
    """Return the place in *text* of the first of *words*, which are folded; 0 where none is."""
    plain = fold_text(text)
    if len(plain) != len(text):
        # Folding has changed lengths, so that places in one are not places in the other.
        return 0
    places = [plain.find(word) for word in words]
    return min((place for place in places if place >= 0), default=0)


def read_page_bytes(ws: Workspace, path: str, blob: str) -> bytes:
    """Return a page as the index knows it: the file when it still is that, else git's copy."""
    try:
        with open(os.path.join(ws.place.root, path), "rb") as file:
            data = file.read()
    except OSError:
        # The file was moved or deleted since; git still has it.
        return _read_blob(ws, blob)
    if objects.hash_blob(data) != blob:
        return _read_blob(ws, blob)
    return data


def _read_blob(ws: Workspace, blob: str) -> bytes:
    from companion.storage.git.repo import Repo

    return Repo(ws.place).blob(blob)

"""The excerpts that a search shows: a title, a place, and the words around. On the hot path of a
search.
"""

import re
from collections.abc import Sequence
from itertools import chain

from companion.annotations import TYPE_CHECKING
from companion.lookup.read_page import link_statement, read_page_bytes
from companion.patterns import lazy
from companion.storage.index.ranking.query import Query
from companion.storage.index.search.hits import Hit
from companion.storage.index.terms import fold_text
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import (
        HitExcerpt,
    )
    from companion.pages.statements import Statement

SNIPPET = 160  # characters
_EARLIER = "## Earlier"  # below it a page says what was lost
# signs that the marks of Markdown at the beginning of a line begin with
_SIGNS = ("#", ">", "-", "*", "+", "`")
# marks of Markdown that a line begins with, or that only say how a word looks
_MARKUP = lazy(
    r"^[ \t]*(?:#{1,6}[ \t]+|#+$|>[ \t]?|[-*+][ \t]+(?=\S)|```\w*$)+|\*\*",
    re.MULTILINE,
)


def describe_hit(ws: Workspace, hit: Hit, words: Sequence[str]) -> "HitExcerpt":
    """Return one search result; its snippet stands around the first of *words*."""
    text = _read_text(ws, hit)
    excerpt: HitExcerpt = {
        "id": hit.id,
        "title": hit.title or headline_of(text),
        "path": hit.path,
        "state": hit.state,
        "quarantined": hit.quarantined,
        "score": round(hit.score, 4),
        "parts": {name: round(worth, 4) for name, worth in hit.parts},
        "snippet": "",
        "event_time": hit.time,
        "statement": None,
        "when": None,
        "link": None,
        "lost": False,
    }
    text, statement = _narrow(hit, text)
    if statement is not None:
        _name_statement(excerpt, hit, statement)
    excerpt["snippet"] = cut_snippet(text, words, excerpt["title"])
    return excerpt


def _read_text(ws: Workspace, hit: Hit) -> str:
    content = hit.content
    if content is None:
        content = read_page_bytes(ws, hit.path or "", hit.blob)
    return content.decode("utf-8", "replace")


def list_shown_words(query: Query) -> list[str]:
    """Return the words and stems that a snippet is cut around."""
    return [*chain.from_iterable(query.phrases)]


def _narrow(hit: Hit, text: str) -> "tuple[str, Statement | None]":
    """Return of a page's *text* the words of the statement that was found, and the statement.

    Of the page's own words, return these.
    """
    if hit.path is None or not ("^" in text or _EARLIER in text):
        return text, None
    # a wiki of pages of one does without
    from companion.pages.statements import (
        find_statement,
        text_beside_statements,
        without_marks,
    )

    statement = find_statement(text, hit.statement) if hit.statement else None
    if statement is not None:
        return statement.words, statement
    own = text_beside_statements(without_frontmatter(text))
    return (own if own.strip() else without_marks(text)), None


def _name_statement(
    excerpt: "HitExcerpt", hit: Hit, statement: "Statement"
) -> None:
    """Name in *excerpt* the *statement* of the page that was found."""
    from companion.pages.statements import moment_of

    excerpt["statement"] = statement.id
    excerpt["when"] = moment_of(excerpt["title"], statement.when)
    excerpt["link"] = link_statement(hit.path or "", statement.id)
    excerpt["lost"] = statement.earlier


def headline_of(text: str) -> str:
    """Return a title for a *text* that has none."""
    # few hits are without a title
    from companion.language.headline import headline

    return headline(text)


def cut_snippet(text: str, words: Sequence[str], title: str = "") -> str:
    """Return the stretch of *text* around the first of *words*, on one line.

    Without marks of Markdown, and without the heading that repeats *title*.
    """
    body = without_frontmatter(text)
    flat = _flatten(body[:200_000], title)
    start = max(0, _find_first(flat, words) - SNIPPET // 4)
    if start:
        start = flat.find(" ", start) + 1
    snippet = flat[start : start + SNIPPET]
    if start:
        snippet = "…" + snippet
    if start + SNIPPET < len(flat):
        snippet += "…"
    return snippet


def _flatten(body: str, title: str) -> str:
    """Return *body* on one line, without marks of Markdown and a heading that is *title*."""
    first, _, rest = body.lstrip().partition("\n")
    if title and first.startswith("#") and first.lstrip("# ").strip() == title:
        body = rest
    # most lines have no marks, and expressions take ten times what the rest takes
    lines = [
        _MARKUP.sub("", line) if _may_have_marks(line) else line
        for line in body.split("\n")
    ]
    return " ".join(" ".join(lines).split())


def _may_have_marks(line: str) -> bool:
    return line.lstrip().startswith(_SIGNS) or "**" in line


def _find_first(text: str, words: Sequence[str]) -> int:
    """Return the place in *text* of the first of *words*, which are folded; 0 where none is."""
    plain = fold_text(text)
    if len(plain) != len(text):
        # Folding has changed lengths, so that places in one are not places in the other.
        return 0
    places = [plain.find(word) for word in words]
    return min((place for place in places if place >= 0), default=0)

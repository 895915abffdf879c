"""Passages: what a search finds. Each note on a page by itself, and what stands beside them.

Their words are indexed as stems of their own language. An index of other stems is built again, for
FTS5 forgets a text only where it is given the same stems.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from companion.language.words import snowball
from companion.pages.statements import (
    Statement,
    bare_lines,
    find_blocks,
    without_derived,
    without_marks,
)
from companion.storage.index.folding.fold_meanings import (
    Telling,
    insert_meanings,
    remove_meanings,
)
from companion.storage.index.terms import add_parts, split_words
from companion.values.captures import Page

_TAIL = 200  # characters in which a text ends
_END = re.compile(r"[^\w?.!\uff1f\uff01\u3002]+$")
_INSERT = "INSERT INTO passages VALUES (?,?,?,?,?,?,?)"
_INSERT_STEMS = "INSERT INTO stems(rowid, title, body) VALUES (?,?,?)"
_DELETE = "DELETE FROM passages WHERE doc = ?"
_DELETE_STEMS = """
    INSERT INTO stems(stems, rowid, title, body) VALUES ('delete', ?, ?, ?)
    """


class Passage(NamedTuple):
    """A passage: words that a search finds together."""

    statement: str  # its id; "" for the page's own words
    earlier: bool  # it lost
    title: str
    body: str
    asks: bool = False  # it ends with a question


class _Stemmed(NamedTuple):
    language: str
    title: str
    body: str
    words: int
    telling: Sequence[str]


def insert_passages(
    db: sqlite3.Connection, pages: Iterable[tuple[int, list[Passage]]]
) -> None:
    """Add the passages of pages, given by the pages' row numbers."""
    query = "SELECT coalesce(max(doc), 0) FROM passages"
    doc = int(db.execute(query).fetchone()[0])
    rows = []
    texts = []
    meant = []
    for page, passages in pages:
        for passage in passages:
            doc += 1
            stemmed = _stem(passage)
            about = (passage.statement, passage.earlier, passage.asks)
            rows.append((doc, page, *about, stemmed.words, stemmed.language))
            texts.append((doc, stemmed.title, stemmed.body))
            meant.append(Telling(doc, stemmed.telling, stemmed.language))
    db.executemany(_INSERT, rows)
    db.executemany(_INSERT_STEMS, texts)
    insert_meanings(db, meant)


def remove_passages(
    db: sqlite3.Connection, page: int, passages: Sequence[Passage]
) -> None:
    """Remove the *passages* of one page, given as they were when they were added."""
    _remove_from(db, page, passages, 0)


def keep_passages(
    db: sqlite3.Connection,
    page: int,
    passages: Sequence[Passage],
    wanted: Sequence[Passage],
) -> list[Passage]:
    """Remove the *passages* of a page from the first on that is not *wanted* in its place, and
    return what is left to be added.

    Notes are added at the end of a page: a long page that gains one costs no more than a short one.
    """
    kept = 0
    for one, other in zip(passages, wanted, strict=False):
        if one != other:
            break
        kept += 1
    _remove_from(db, page, passages, kept)
    return list(wanted[kept:])


def _remove_from(
    db: sqlite3.Connection, page: int, passages: Sequence[Passage], start: int
) -> None:
    """Remove the *passages* of a page from place *start* on."""
    query = "SELECT doc FROM passages WHERE page_doc = ? ORDER BY doc"
    docs = [doc for (doc,) in db.execute(query, (page,))]
    gone = docs[start:]
    for doc, passage in zip(gone, passages[start:], strict=True):
        stemmed = _stem(passage)
        db.execute(_DELETE_STEMS, (doc, stemmed.title, stemmed.body))
    db.executemany(_DELETE, [(doc,) for doc in gone])
    remove_meanings(db, gone)


def _stem(passage: Passage) -> _Stemmed:
    body = split_words(passage.body)
    title = split_words(passage.title)
    language, stems = snowball.stem_text(body)
    titled = snowball.stem_words(title, language)
    return _Stemmed(
        language,
        " ".join(titled),
        " ".join(stems),
        len(title) + len(body),
        [*title, *body],
    )


def list_passages(page: Page, title: str, body: str) -> list[Passage]:
    """Return the passages of *page*, of which *title* and *body* are the words as a search knows
    them.

    The page's own words come first, then its notes as they stand on it.
    """
    if "^" not in page.body:
        return [Passage("", False, title, body, _asks(page.body))]
    lines = bare_lines(without_derived(page.body))
    blocks = find_blocks(lines)
    if not blocks:
        return [Passage("", False, title, body, _asks(page.body))]
    own = without_marks("\n".join(_list_other_lines(lines, blocks)))
    tags = " ".join(page.tags)
    whole = add_parts(f"{page.title} {own} {tags}")
    passages = [Passage("", False, title, whole)]
    for block in blocks:
        # a note seldom repeats what its page is about
        body = add_parts(f"{page.title} {block.words}")
        asks = _asks(block.words)
        passages.append(Passage(block.id, block.earlier, "", body, asks))
    return passages


def _asks(words: str) -> bool:
    """Tell whether *words* end with a question; what is no word may follow it."""
    return _END.sub("", words[-_TAIL:]).endswith(("?", "\uff1f"))


def _list_other_lines(lines: list[str], blocks: list[Statement]) -> list[str]:
    taken = set(
        chain.from_iterable(range(one.start, one.stop) for one in blocks)
    )
    return [line for n, line in enumerate(lines) if n not in taken]

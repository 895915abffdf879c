"""Passages: what a search finds. Each note on a page by itself, and what stands beside them.

Their words are indexed as stems of their own language. An index of other stems is built again, for
FTS5 forgets a text only where it is given the same stems.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
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


class Placed(NamedTuple):
    """A passage that is to be added, with the row number of the one whose place it takes."""

    doc: int | None
    passage: Passage


def insert_passages(
    db: sqlite3.Connection, pages: Iterable[tuple[int, list[Placed]]]
) -> None:
    """Add the passages of pages, given by the pages' row numbers."""
    query = "SELECT coalesce(max(doc), 0) FROM passages"
    found = list(pages)
    last = int(db.execute(query).fetchone()[0])
    for one in chain.from_iterable(placed for _, placed in found):
        last = max(last, one.doc or 0)
    rows = []
    texts = []
    meant = []
    for page, placed in found:
        for doc, passage in placed:
            if doc is None:
                last += 1
                doc = last
            stemmed = _stem(passage)
            about = (passage.statement, passage.earlier, passage.asks)
            rows.append((doc, page, *about, stemmed.words, stemmed.language))
            texts.append((doc, stemmed.title, stemmed.body))
            meant.append(Telling(doc, stemmed.telling, stemmed.language))
    db.executemany(_INSERT, rows)
    db.executemany(_INSERT_STEMS, texts)
    insert_meanings(db, meant)


def replace_passages(
    db: sqlite3.Connection,
    page: int,
    passages: Sequence[Passage],
    wanted: Sequence[Passage],
) -> list[Placed]:
    """Remove those of a page's *passages* in whose places others are *wanted*, and return what is
    to be added; *passages* are given as they were when they were added.

    Notes are added at the end of a page: a long page that gains one costs no more than a short one.
    """
    query = "SELECT doc FROM passages WHERE page_doc = ? ORDER BY doc"
    docs = [doc for (doc,) in db.execute(query, (page,))]
    gone: list[int] = []
    added: list[Placed] = []
    held = list(zip(docs, passages, strict=True))
    for place, new in zip_longest(held, wanted):
        doc, old = place or (None, None)
        if old == new:
            continue
        if doc is not None and old is not None:
            gone.append(doc)
            stemmed = _stem(old)
            db.execute(_DELETE_STEMS, (doc, stemmed.title, stemmed.body))
        if new is not None:
            added.append(Placed(doc, new))
    db.executemany(_DELETE, [(doc,) for doc in gone])
    remove_meanings(db, gone)
    return added


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

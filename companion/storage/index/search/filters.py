"""Which passages have what a query demands: phrases, beginnings of words, and fields (`Request`).

One question to SQLite, whatever is demanded; only a query that demands something asks it.
"""

import json
import sqlite3
from collections.abc import Sequence

from companion.language.words import snowball
from companion.storage.index.ranking.query import Allowed
from companion.storage.index.search.wanted import Request, Term
from companion.storage.index.terms import fold_text, split_words
from companion.tuples import NamedTuple

BEGINNINGS = 64  # words that a beginning stands for, the most frequent

_FROM = """
    FROM passages q
    JOIN pages p ON p.doc = q.page_doc
    LEFT JOIN entries e ON e.path = p.path AND NOT e.tombstone
    LEFT JOIN known k ON k.id = e.id
    LEFT JOIN consumed c
      ON q.statement <> '' AND substr(c.capture, 1, 12) = q.statement
    """
_TOLD = "coalesce(c.told_at, k.told, e.since)"
_STATE = """
    CASE WHEN p.branch IS NULL THEN coalesce(e.state, 'active')
    ELSE 'minority' END
    """
# the tellings that a page's own words come from are those of all its notes
_TELLING = """
    EXISTS (
      SELECT 1
      FROM events v, json_each(v.data, '$.sightings') s
      WHERE v.event IN ('consumed', 'sighted')
        AND v.subject IN (
          SELECT o.capture
          FROM consumed o
          WHERE o.entry = e.id
            AND (q.statement = '' OR substr(o.capture, 1, 12) = q.statement)
        )
        AND {test}
    )
    """
_KIND = """
    coalesce(
      (SELECT u.kind FROM subjects u WHERE u.entry = e.id),
      CASE WHEN p.managed THEN 'note' ELSE 'page' END
    )
    """
_READ_AS = (
    "EXISTS (SELECT 1 FROM readings r WHERE r.entry = e.id AND r.kind = ?)"
)
_TAG = """
    EXISTS (
      SELECT 1
      FROM tags t
      WHERE t.page = p.path AND t.statement IN ('', q.statement)
        AND (t.key = ? OR substr(t.key, 1, length(?) + 1) = ? || '/')
    )
    """
_IN = """
    (
      p.path = ? OR substr(p.path, 1, length(?) + 1) = ? || '/'
      OR p.base_key = ?
      OR EXISTS (SELECT 1 FROM names n WHERE n.page = p.path AND n.key = ?)
    )
    """


class _Test(NamedTuple):
    """A condition in SQL, and its values."""

    sql: str
    values: Sequence[str]


def find_allowed(
    db: sqlite3.Connection, request: Request, languages: Sequence[str]
) -> Allowed:
    """Return the passages that have what *request* demands, whatever else they have."""
    _add_functions(db)
    tests = [
        _join([_write_test(db, term, languages) for term in group])
        for group in request.groups
    ]
    for term in request.without:
        test = _write_test(db, term, languages)
        tests.append(_Test(f"NOT coalesce({test.sql}, 0)", test.values))
    where = " AND ".join(f"({test.sql})" for test in tests) or "1"
    values = [value for test in tests for value in test.values]
    query = f"SELECT q.doc, p.path, q.statement {_FROM} WHERE {where}"
    rows = db.execute(query, values).fetchall()
    docs = frozenset(doc for doc, _, _ in rows)
    return Allowed(docs, frozenset((path, id) for _, path, id in rows))


def list_beginning_with(db: sqlite3.Connection, beginning: str) -> list[str]:
    """Return the words of the index that begin so, the most frequent first."""
    words = split_words(beginning)
    if not words:
        return []
    query = """
        SELECT term
        FROM terms
        WHERE term >= ?1 AND term < ?1 || char(1114111)
        ORDER BY doc DESC, term
        LIMIT ?2
        """
    return [term for (term,) in db.execute(query, (words[-1], BEGINNINGS))]


def list_newest(
    db: sqlite3.Connection, docs: frozenset[int], limit: int
) -> list[tuple[str, str]]:
    """Return the page and the note of those of *docs* that were told last; "" for the page's own
    words, which a page of notes is left out for.
    """
    query = f"""
        SELECT p.path, q.statement
        {_FROM}
        WHERE q.doc IN (SELECT value FROM json_each(?1))
          AND (
            q.statement <> ''
            OR NOT EXISTS (
              SELECT 1
              FROM passages o
              WHERE o.page_doc = q.page_doc
                AND o.statement <> ''
                AND o.doc IN (SELECT value FROM json_each(?1))
            )
          )
        ORDER BY {_TOLD} DESC, p.path, q.statement
        LIMIT ?2
        """
    return db.execute(query, (json.dumps([*docs]), limit)).fetchall()


def _join(tests: Sequence[_Test]) -> _Test:
    """Return the condition that one of *tests* holds."""
    sql = " OR ".join(test.sql for test in tests)
    return _Test(sql, [value for test in tests for value in test.values])


def _write_test(
    db: sqlite3.Connection, term: Term, languages: Sequence[str]
) -> _Test:
    text = term.text
    if term.kind in ("word", "phrase", "prefix"):
        return _write_words(db, term, languages)
    if term.kind == "state":
        return _Test(f"{_STATE} = ?", [text.lower()])
    if term.kind == "since":
        return _Test(f"{_TOLD} >= ?", [text])
    if term.kind == "before":
        return _Test(f"{_TOLD} < ?", [text])
    if term.kind == "tag":
        return _Test(_TAG, [text.casefold().rstrip("/")] * 3)
    if term.kind == "in":
        return _write_place(text)
    if term.kind == "type":
        kind = text.lower()
        return _Test(f"({_KIND} = ? OR {_READ_AS})", [kind, kind])
    return _write_telling(term.kind, text)


def _write_place(text: str) -> _Test:
    from companion.pages.links import title_key

    path = text.strip("/")
    key = title_key(text.removesuffix(".md"))
    return _Test(_IN, [path, path, path, key, key])


def _write_telling(name: str, text: str) -> _Test:
    """Return the condition that a telling's *name* (source, agent) is *text*.

    A source is found by a part of its name, too. Whoever names no agent is the owner.
    """
    if name == "agent":
        told = "coalesce(json_extract(s.value, '$.agent'), 'owner')"
        return _Test(_TELLING.format(test=f"lower({told}) = lower(?)"), [text])
    test = "instr(fold(json_extract(s.value, '$.source')), ?) > 0"
    return _Test(_TELLING.format(test=test), [fold_text(text)])


def _add_functions(db: sqlite3.Connection) -> None:
    """Let SQL compare names as words are compared."""

    def fold(text: str | None) -> str:
        """Return *text* in lower case without diacritics."""
        return fold_text(text or "")

    db.create_function("fold", 1, fold, deterministic=True)


def _write_words(
    db: sqlite3.Connection, term: Term, languages: Sequence[str]
) -> _Test:
    """Return the condition that a passage has the words of *term*.

    A word is any of its forms. The words of a phrase, and what begins so, stand on the page as they
    were typed.
    """
    words = split_words(term.text)
    if not words:
        return _Test("0", [])
    if term.kind == "prefix":
        return _write_beginning(db, words, languages)
    stems = " OR ".join(_quote(one) for one in stem_each(words, languages))
    test = _Test(_match("stems", "q.doc"), [stems])
    if term.kind == "word":
        return test
    exact = _match("fts", "q.page_doc")
    return _Test(f"({test.sql} AND {exact})", [*test.values, _quote(words)])


def _write_beginning(
    db: sqlite3.Connection, words: list[str], languages: Sequence[str]
) -> _Test:
    """Return the condition that a page has a word that begins so, and the passage its stem."""
    *before, last = words
    stems: dict[tuple[str, ...], None] = {}
    for word in list_beginning_with(db, last):
        stems.update(dict.fromkeys(stem_each([*before, word], languages)))
    if not stems:
        return _Test("0", [])
    matches = " OR ".join(map(_quote, stems))
    sql = f"({_match('stems', 'q.doc')} AND {_match('fts', 'q.page_doc')})"
    return _Test(sql, [matches, f"{_quote(words)}*"])


def stem_each(
    words: list[str], languages: Sequence[str]
) -> list[tuple[str, ...]]:
    """Return the stems of *words* in each of *languages*, each once."""
    found = (
        tuple(snowball.stem_words(words, language)) for language in languages
    )
    return list(dict.fromkeys(found))


def _match(table: str, row: str) -> str:
    return f"{row} IN (SELECT rowid FROM {table} WHERE {table} MATCH ?)"


def _quote(words: Sequence[str]) -> str:
    return f'"{" ".join(words)}"'

"""The page half of the fold: Markdown files become entries, links, edges and full text."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from companion.language.headline import headline
from companion.pages import links
from companion.pages.body import words_beside_statements
from companion.pages.page import parse
from companion.pages.series_table import read_rows
from companion.pages.statements import (
    read_statements,
    without_derived,
    without_marks,
)
from companion.storage.git.objects import hash_blob
from companion.storage.git.repo import Change, Repo
from companion.storage.index.folding import fold_entries
from companion.storage.index.folding.fold_entries import note
from companion.storage.index.folding.fold_passages import (
    Passage,
    Placed,
    insert_passages,
    list_passages,
    replace_passages,
)
from companion.storage.index.tables.minority import find_branch_of_path
from companion.storage.index.tables.pages.statements import BESIDE
from companion.storage.index.terms import make_searchable
from companion.values.captures import Page
from companion.values.progress import Progress

_DAY = re.compile(r"\d{4}-\d\d-\d\d(?: \(\d+\))?")
_CONTRADICTION = re.compile(r"(?P<name>\S.*) \((?P<clause>\S+ .*)\)")
_BATCH = 500  # pages whose text is in memory at a time

_INSERT_PAGE = "INSERT INTO pages VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
_INSERT_TEXT = "INSERT INTO fts(rowid, title, body) VALUES (?,?,?)"
_INSERT_STATEMENT = "INSERT INTO statements VALUES (?,?,?,?,?,?)"
_DELETE_TEXT = """
    INSERT INTO fts(fts, rowid, title, body) VALUES ('delete', ?, ?, ?)
    """
_DELETE_PAGE = (
    "DELETE FROM pages WHERE path = ?",
    "DELETE FROM names WHERE page = ?",
    "DELETE FROM tags WHERE page = ?",
    "DELETE FROM links WHERE page = ?",
    "DELETE FROM statements WHERE page = ?",
)

#: Every link concerned, with the one page that bears its name, if there is just one.
_CREATE_AFFECTED = """
    CREATE TEMP TABLE IF NOT EXISTS affected (
      link INTEGER PRIMARY KEY, page TEXT, target TEXT, base_key TEXT,
      title_key TEXT, to_path TEXT, only TEXT
    )
    """
_AFFECTED = """
    INSERT INTO temp.affected
    SELECT l.rowid, l.page, l.target, l.base_key, l.title_key, l.to_path,
      (
        SELECT CASE count(*) WHEN 1 THEN max(p.path) END
        FROM pages p
        WHERE p.base_key = l.base_key
      )
    FROM links l
    WHERE l.rowid IN (
      SELECT l.rowid
      FROM temp.changed c
      CROSS JOIN links l ON l.page = c.value
      UNION
      SELECT l.rowid
      FROM temp.keys k
      CROSS JOIN links l ON l.base_key = k.value
      UNION
      SELECT l.rowid
      FROM temp.keys k
      CROSS JOIN links l
        ON l.title_key = k.value AND l.title_key <> l.base_key
    )
    """
#: a link by a bare name that only one page bears: it needs no rule of Obsidian's
_PLAIN = "(a.only IS NOT NULL AND instr(a.target, '/') = 0)"
_MOVED = f"""
    FROM temp.affected a
    WHERE {_PLAIN} AND a.only IS NOT a.to_path
    """
_NOTE_PLAIN = f"INSERT OR IGNORE INTO temp.sources SELECT a.page {_MOVED}"
_RESOLVE_PLAIN = f"""
    UPDATE links SET to_path = a.only {_MOVED} AND links.rowid = a.link
    """
_OTHERS = f"""
    SELECT link, page, target, base_key, title_key, to_path
    FROM temp.affected a
    WHERE NOT {_PLAIN}
    """
_NOTE_CHANGED = """
    INSERT OR IGNORE INTO temp.sources SELECT value FROM temp.changed
    """
_DELETE_EDGES = """
    DELETE FROM edges
    WHERE type IN ('link', 'embed')
      AND source IN (
        SELECT e.id
        FROM temp.sources s
        CROSS JOIN entries e ON e.path = s.value
      )
    """
_INSERT_EDGES = """
    INSERT INTO edges
    SELECT s.id, t.id, l.kind, count(*)
    FROM temp.sources x
    CROSS JOIN entries s ON s.path = x.value
    CROSS JOIN links l ON l.page = x.value
    CROSS JOIN entries t ON t.path = l.to_path
    WHERE NOT s.tombstone AND NOT t.tombstone AND s.id <> t.id
      AND l.kind <> 'mention'
    GROUP BY s.id, t.id, l.kind
    """


class PageFold:
    """One fold's work on the pages."""

    def __init__(
        self,
        db: sqlite3.Connection,
        repo: Repo,
        is_excluded: Callable[[str], bool],
    ) -> None:
        self.db = db
        self.repo = repo
        self.is_excluded = is_excluded
        self._paths_of_name: dict[str, list[str]] = {}
        # of pages that are written anew: their row number, and the passages that they had
        self._before: dict[str, tuple[int, list[Passage]]] = {}

    def insert(
        self,
        changes: Sequence[Change],
        touched: Iterable[str],
        progress: Progress,
    ) -> None:
        """Take in *changes* of page files, and note the entries *touched* by the ledger."""
        progress.begin("reading pages", len(changes))
        fold_entries.clear_work_tables(self.db)
        note(self.db, "ids", touched)
        for start in range(0, len(changes), _BATCH):
            batch = changes[start : start + _BATCH]
            note(self.db, "changed", (change.path for change in batch))
            for change in batch:
                if change.old is not None:
                    self._remove(change.path, change.old)
            self._insert(batch)
            self._remove_passages()
            progress(len(batch))

    def relate(self, commit: str) -> None:
        """Work out what the changes mean: which entry each page is, and where every link leads."""
        self._resolve_links()
        fold_entries.confirm_entries(self.db)
        fold_entries.decide_entries(self.db, commit)
        self.db.execute(_DELETE_EDGES)
        # from dependent to depended-upon; the weight is the number of links
        self.db.execute(_INSERT_EDGES)

    # -- page files --------------------------------------------------------------------------------

    def _remove(self, path: str, blob: str) -> None:
        query = "SELECT doc, marker, base_key FROM pages WHERE path = ?"
        row = self.db.execute(query, (path,)).fetchone()
        if row is None:
            return
        doc, marker, base_key = row
        page = self._parse(path, blob)
        title, body = searchable_texts(page)
        self.db.execute(_DELETE_TEXT, (doc, title, body))
        self._before[path] = (doc, list_passages(page, title, body))
        names = self.db.execute("SELECT key FROM names WHERE page = ?", (path,))
        note(self.db, "keys", [base_key, *(key for (key,) in names)])
        if marker is not None:
            note(self.db, "ids", [marker])
        for statement in _DELETE_PAGE:
            self.db.execute(statement, (path,))

    def _remove_passages(self) -> None:
        """Remove the passages of pages that are gone."""
        for doc, passages in self._before.values():
            replace_passages(self.db, doc, passages, [])
        self._before.clear()

    def _place_passages(self, path: str, wanted: list[Passage]) -> list[Placed]:
        """Remove the passages of a page that do not stay; return those to be added."""
        if path not in self._before:
            return [Placed(None, one) for one in wanted]
        doc, passages = self._before.pop(path)
        return replace_passages(self.db, doc, passages, wanted)

    def _number_pages(self, changes: Sequence[Change]) -> dict[str, int]:
        """Return the row number of each page: its own where it is written anew, else a new one."""
        query = "SELECT coalesce(max(doc), 0) FROM pages"
        last = int(self.db.execute(query).fetchone()[0])
        docs = {path: doc for path, (doc, _) in self._before.items()}
        last = max(last, *docs.values(), 0)
        for path, _, _ in changes:
            if path not in docs:
                last += 1
                docs[path] = last
        return docs

    def _insert(self, changes: Sequence[Change]) -> None:
        docs = self._number_pages(changes)
        pages: list[tuple[Any, ...]] = []
        names: list[tuple[str, str]] = []
        tags: set[tuple[str, str, str]] = set()
        link_rows: list[tuple[str, ...]] = []
        texts: list[tuple[int, str, str]] = []
        passages: list[tuple[int, list[Placed]]] = []
        statements: list[tuple[Any, ...]] = []
        for path, _, blob in changes:
            if blob is None:
                continue
            doc = docs[path]
            page = self._parse(path, blob)
            title, body = searchable_texts(page)
            tokens = body.count(" ") + 1
            texts.append((doc, title, body))
            own = list_passages(page, title, body)
            passages.append((doc, self._place_passages(path, own)))
            tags.update(_list_tag_rows(path, page, own))
            branch = find_branch_of_path(path)
            if branch is not None:
                pages.append(
                    _build_member_row(doc, path, blob, page, tokens, branch)
                )
                continue
            excluded = self.is_excluded(path)
            pages.append(
                _build_page_row(doc, path, blob, page, tokens, excluded)
            )
            names.extend((path, key) for key in _list_name_keys(page))
            link_rows.extend(_build_link_rows(path, page))
            statements.extend(_build_statement_rows(path, page))
        self.db.executemany(_INSERT_PAGE, pages)
        self.db.executemany("INSERT INTO names VALUES (?,?)", names)
        self.db.executemany("INSERT INTO tags VALUES (?,?,?)", sorted(tags))
        self.db.executemany(
            "INSERT INTO links VALUES (?,?,?,?,?,NULL)", link_rows
        )
        self.db.executemany(_INSERT_TEXT, texts)
        insert_passages(self.db, passages)
        self.db.executemany(_INSERT_STATEMENT, statements)
        note(self.db, "keys", (row[6] for row in pages))
        note(self.db, "keys", (key for _, key in names))
        note(self.db, "ids", (row[3] for row in pages if row[3] is not None))

    def _parse(self, path: str, blob: str) -> Page:
        return parse(self.repo.text(blob), path)

    # -- links -------------------------------------------------------------------------------------

    def _resolve_links(self) -> None:
        """Resolve the links of changed pages, and every link that a changed name may concern."""
        self.db.execute(_CREATE_AFFECTED)
        self.db.execute("DELETE FROM temp.affected")
        self.db.execute(_AFFECTED)
        # the common case stays in SQL
        self.db.execute(_NOTE_PLAIN)
        self.db.execute(_RESOLVE_PLAIN)
        updates: list[tuple[str | None, int]] = []
        sources: list[str] = []
        for link, page, *names, before in self.db.execute(_OTHERS).fetchall():
            to_path = self._find_target(page, *names)
            if to_path != before:
                updates.append((to_path, link))
                sources.append(page)
        self.db.executemany(
            "UPDATE links SET to_path = ? WHERE rowid = ?", updates
        )
        note(self.db, "sources", sources)
        self.db.execute(_NOTE_CHANGED)

    def _find_target(
        self, page: str, target: str, base_key: str, title_key: str
    ) -> str | None:
        candidates = self._list_paths_of_name(base_key)
        if candidates:
            chosen = links.choose(target, page, candidates)
            if chosen is not None:
                return chosen
        query = "SELECT DISTINCT page FROM names WHERE key = ? LIMIT 2"
        titled = self.db.execute(query, (title_key,)).fetchall()
        return titled[0][0] if len(titled) == 1 else None

    def _list_paths_of_name(self, base_key: str) -> list[str]:
        if base_key not in self._paths_of_name:
            query = "SELECT path FROM pages WHERE base_key = ? ORDER BY path"
            rows = self.db.execute(query, (base_key,))
            self._paths_of_name[base_key] = [path for (path,) in rows]
        return self._paths_of_name[base_key]


# -- rows ------------------------------------------------------------------------------------------


def _list_tag_rows(
    path: str, page: Page, passages: Sequence[Passage]
) -> Iterator[tuple[str, str, str]]:
    """Yield the tags of *page*: of its notes those that stand in their words, of itself the
    others.
    """
    for tag in page.tags:
        key = tag.casefold()
        mark = f"#{key}"
        having = []
        for one in passages:
            if one.statement and mark in one.body.casefold():
                having.append(one.statement)
        for statement in having or [""]:
            yield path, statement, key


def searchable_texts(page: Page) -> tuple[str, str]:
    """Return the title and the body as the full-text index has them.

    Words of a title count more than others: only where somebody gave it. What companion made up
    stands in the body.
    """
    words = without_marks(without_derived(page.body))
    name = _given_title(page, words)
    title = " ".join((name, *page.aliases)).strip()
    body = " ".join((words, *page.tags))
    if name != page.title:
        body = f"{page.title} {body}"
    return make_searchable(title), make_searchable(body)


def _given_title(page: Page, words: str) -> str:
    """Return the part of a page's title that names it; "" for a date or the first words of its
    note.
    """
    title = page.title
    if not page.managed:
        return title
    if _DAY.fullmatch(title):
        return ""
    # as `naming_contradictions.name_contradiction` writes it
    contested = _CONTRADICTION.fullmatch(title)
    if contested is not None and contested["clause"] in words:
        return contested["name"]
    opening = words.lstrip()
    if opening[:20].startswith(title[:20]) and title == headline(opening):
        return ""
    return title


def _list_name_keys(page: Page) -> set[str]:
    return {links.title_key(name) for name in (page.title, *page.aliases)}


def _build_page_row(
    doc: int, path: str, blob: str, page: Page, tokens: int, excluded: bool
) -> tuple[Any, ...]:
    return (
        doc,
        path,
        blob,
        page.id,
        page.title,
        links.title_key(page.title),
        links.key(path),
        page.status,
        page.managed,
        excluded,
        page.problem,
        tokens,
        None,
        None,
        page.pinned,
        page.original,
        page.myself,
    )


def _build_member_row(
    doc: int, path: str, blob: str, page: Page, tokens: int, branch: str
) -> tuple[Any, ...]:
    """Return the row of a page of a minority branch: a search finds its words, but its name is no
    link's and its id no entry's.
    """
    return (
        doc,
        path,
        blob,
        None,
        page.title,
        "",
        path,
        None,
        0,
        1,
        page.problem,
        tokens,
        branch,
        page.id or "",
        0,
        None,
        0,
    )


def _build_link_rows(path: str, page: Page) -> Iterator[tuple[str, ...]]:
    for link in page.links:
        if links.is_page_target(link.target):
            keys = (links.key(link.target), links.title_key(link.target))
            yield path, link.target, link.kind, *keys


def _build_statement_rows(path: str, page: Page) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of blocks, of the values of a series, and of the words beside them."""
    if "^" not in page.body:
        return
    found = read_statements(page.body)
    place = 0
    for statement in found:
        hashed = _hash_words(statement.words)
        when = statement.when
        yield path, statement.id, place, when, statement.earlier, hashed
        place += 1
    for row in read_rows(page.body):
        is_corrected = bool(row.corrected_by)
        hashed = _hash_words(row.words)
        yield path, row.id, place, row.when, is_corrected, hashed
        place += 1
    beside = words_beside_statements(page.body) if found else ""
    if beside:
        yield path, BESIDE, -1, "", 0, _hash_words(beside)


def _hash_words(words: str) -> str:
    return hash_blob(words.encode("utf-8", "surrogateescape"))

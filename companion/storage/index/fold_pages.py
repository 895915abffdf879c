"""The page half of the fold: Markdown files become entries, links, edges and full text.

Which entry a page is follows from the tree alone: the id in its frontmatter when companion wrote it
(the page at the path the ledger knows wins over a copy), else the entry the ledger knows at its
path, else a provisional id from path and content that the next run makes permanent.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from companion.pages.rules import PageRules
from companion.storage.git.repo import Change, Repo
from companion.storage.index.tables import minority
from companion.storage.index.terms import make_searchable
from companion.values.captures import Page

_BATCH = 500  # pages whose text is in memory at a time


class Pages:
    """One fold's work on the pages."""

    def __init__(
        self,
        db: sqlite3.Connection,
        repo: Repo,
        rules: PageRules,
        excluded: Callable[[str], bool],
    ) -> None:
        self.db, self.repo, self.rules, self.excluded = (
            db,
            repo,
            rules,
            excluded,
        )
        self._candidates: dict[str, list[str]] = {}
        self._claimed = True

    def insert(
        self,
        changes: Sequence[Change],
        touched: Iterable[str],
        progress: Callable[[int], None] | None,
    ) -> None:
        """Take in *changes* of page files, and note the entries *touched* by the ledger."""
        for table in _WORK_TABLES:
            self.db.execute(
                f"CREATE TEMP TABLE IF NOT EXISTS {table} (value TEXT PRIMARY KEY) WITHOUT ROWID"
            )
            self.db.execute(f"DELETE FROM temp.{table}")
        self._note("ids", touched)
        for start in range(0, len(changes), _BATCH):
            batch = changes[start : start + _BATCH]
            self._note("changed", (change.path for change in batch))
            self._remove([c for c in batch if c.old is not None])
            self._insert([c for c in batch if c.new is not None])
            if progress is not None:
                progress(len(batch))

    def relate(self, commit: str) -> None:
        """Work out what the changes mean: which entry each page is, and where every link leads."""
        self._resolve()
        self._confirm()
        self._identify(commit)
        self._write_edges()

    def _note(self, table: str, values: Iterable[str]) -> None:
        self.db.executemany(
            f"INSERT OR IGNORE INTO temp.{table} VALUES (?)",
            ((value,) for value in values),
        )

    # -- page files --------------------------------------------------------------------------------

    def _remove(self, changes: Sequence[Change]) -> None:
        for path, old, _ in changes:
            row = self.db.execute(
                "SELECT doc, marker, base_key FROM pages WHERE path = ?",
                (path,),
            ).fetchone()
            if row is None:
                continue
            doc, marker, base_key = row
            title, body = self._texts(self._parse(path, str(old)))
            self.db.execute(
                "INSERT INTO fts(fts, rowid, title, body) VALUES ('delete', ?, ?, ?)",
                (doc, title, body),
            )
            names = [
                key
                for (key,) in self.db.execute(
                    "SELECT key FROM names WHERE page = ?", (path,)
                )
            ]
            self._note("keys", [base_key, *names])
            self._note("ids", [] if marker is None else [marker])
            for table, column in (
                ("pages", "path"),
                ("names", "page"),
                ("links", "page"),
            ):
                self.db.execute(
                    f"DELETE FROM {table} WHERE {column} = ?", (path,)
                )

    def _insert(self, changes: Sequence[Change]) -> None:
        first = int(
            self.db.execute(
                "SELECT coalesce(max(doc), 0) FROM pages"
            ).fetchone()[0]
        )
        pages: list[tuple[Any, ...]] = []
        names: list[tuple[str, str]] = []
        links: list[tuple[str, ...]] = []
        texts: list[tuple[int, str, str]] = []
        for doc, (path, _, blob) in enumerate(changes, first + 1):
            page = self._parse(path, str(blob))
            title, body = self._texts(page)
            texts.append((doc, title, body))
            pages.append(self._page_row(doc, path, str(blob), page, body))
            if minority.find_branch_of_path(path) is None:
                keys = {
                    self.rules.title_key(name)
                    for name in (page.title, *page.aliases)
                }
                names.extend((path, key) for key in keys)
                links.extend(self._link_rows(path, page))
        self.db.executemany(
            "INSERT INTO pages VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", pages
        )
        self.db.executemany("INSERT INTO names VALUES (?,?)", names)
        self.db.executemany("INSERT INTO links VALUES (?,?,?,?,?,NULL)", links)
        self.db.executemany(
            "INSERT INTO fts(rowid, title, body) VALUES (?,?,?)", texts
        )
        self._note("keys", (row[6] for row in pages))
        self._note("keys", (key for _, key in names))
        self._note("ids", (row[3] for row in pages if row[3] is not None))

    def _parse(self, path: str, blob: str) -> Page:
        return self.rules.parse(self.repo.text(blob), path)

    def _texts(self, page: Page) -> tuple[str, str]:
        title = " ".join((page.title, *page.aliases))
        return make_searchable(title), make_searchable(
            " ".join((page.body, *page.tags))
        )

    def _page_row(
        self, doc: int, path: str, blob: str, page: Page, body: str
    ) -> tuple[Any, ...]:
        base_key, title_key = (
            self.rules.link_key(path),
            self.rules.title_key(page.title),
        )
        rest = (page.problem, body.count(" ") + 1)
        branch = minority.find_branch_of_path(path)
        # found by its words and by nothing else: its name is no link's, its id no entry's
        if branch is not None:
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
                *rest,
                branch,
                page.id or "",
                0,
                None,
            )
        return (
            doc,
            path,
            blob,
            page.id,
            page.title,
            title_key,
            base_key,
            page.status,
            page.managed,
            self.excluded(path),
            *rest,
            None,
            None,
            page.pinned,
            page.original,
        )

    def _link_rows(self, path: str, page: Page) -> Iterator[tuple[str, ...]]:
        for link in page.links:
            if self.rules.is_page_target(link.target):
                key, title_key = (
                    self.rules.link_key(link.target),
                    self.rules.title_key(link.target),
                )
                yield path, link.target, link.kind, key, title_key

    # -- links -------------------------------------------------------------------------------------

    def _resolve(self) -> None:
        """Resolve the links of changed pages, and every link that a changed name may concern."""
        self.db.execute(_CREATE_AFFECTED)
        self.db.execute("DELETE FROM temp.affected")
        self.db.execute(_AFFECTED)
        # The common case, a bare name that only one page bears, needs no rule of Obsidian's and
        # stays in SQL.
        plain = "a.only IS NOT NULL AND instr(a.target, '/') = 0"
        moved = (
            f"FROM temp.affected a WHERE {plain} AND a.only IS NOT a.to_path"
        )
        self.db.execute(
            f"INSERT OR IGNORE INTO temp.sources SELECT a.page {moved}"
        )
        self.db.execute(
            f"UPDATE links SET to_path = a.only {moved} AND links.rowid = a.link"
        )
        updates = []
        for rowid, page, target, base_key, title_key, before in self.db.execute(
            f"""
            SELECT link, page, target, base_key, title_key, to_path
            FROM temp.affected a
            WHERE NOT ({plain})
            """
        ).fetchall():
            now = self._target(page, target, base_key, title_key)
            if now != before:
                updates.append((now, rowid, page))
        self.db.executemany(
            "UPDATE links SET to_path = ? WHERE rowid = ?",
            [update[:2] for update in updates],
        )
        self._note("sources", (page for _, _, page in updates))
        self.db.execute(
            "INSERT OR IGNORE INTO temp.sources SELECT value FROM temp.changed"
        )

    def _target(
        self, page: str, target: str, base_key: str, title_key: str
    ) -> str | None:
        candidates = self._candidates.get(base_key)
        if candidates is None:
            found = self.db.execute(
                "SELECT path FROM pages WHERE base_key = ? ORDER BY path",
                (base_key,),
            )
            candidates = self._candidates[base_key] = [
                path for (path,) in found
            ]
        chosen = (
            self.rules.choose(target, page, candidates) if candidates else None
        )
        if chosen is not None:
            return chosen
        named = self.db.execute(
            "SELECT DISTINCT page FROM names WHERE key = ? LIMIT 2",
            (title_key,),
        ).fetchall()
        return named[0][0] if len(named) == 1 else None

    def _write_edges(self) -> None:
        """Write the edges that leave the entries concerned: dependent to depended-upon, weight =
        links.
        """
        self.db.execute(
            """
            DELETE FROM edges
            WHERE type IN ('link', 'embed')
              AND source IN (
                SELECT e.id
                FROM temp.sources s
                CROSS JOIN entries e ON e.path = s.value
              )
            """
        )
        self.db.execute(
            """
            INSERT INTO edges
            SELECT s.id, t.id, l.kind, count(*)
            FROM temp.sources x
            CROSS JOIN entries s ON s.path = x.value
            CROSS JOIN links l ON l.page = x.value
            CROSS JOIN entries t ON t.path = l.to_path
            WHERE NOT s.tombstone AND NOT t.tombstone AND s.id <> t.id
            GROUP BY s.id, t.id, l.kind
            """
        )

    # -- identity ----------------------------------------------------------------------------------

    def _identify(self, commit: str) -> None:
        """Write the entry of every page concerned; a page whose identity changed changes edges on
        both sides.
        """
        self._close_over()
        self._claimed = bool(self.db.execute(_CLAIMED).fetchone()[0])
        before = dict(
            self.db.execute(
                """
                SELECT c.value, e.id
                FROM temp.paths c
                CROSS JOIN entries e ON e.path = c.value
                WHERE NOT e.tombstone
                """
            )
        )
        commits = {
            id: (commit_hash, path, blob)
            for id, commit_hash, path, blob in self.db.execute(
                """
                SELECT id, commit_hash, path, blob
                FROM entries
                WHERE id IN (SELECT value FROM temp.ids)
                """
            )
        }
        self.db.execute("DELETE FROM contested")
        self.db.execute(
            "DELETE FROM entries WHERE id IN (SELECT value FROM temp.ids)"
        )
        self.db.execute(
            "DELETE FROM gone_names WHERE entry IN (SELECT value FROM temp.ids)"
        )
        rows = [
            self._entry_row(row, commit, commits)
            for row in self.db.execute(_CONCERNED_PAGES).fetchall()
        ]
        after = {row[1]: row[0] for row in rows}
        moved = [
            path
            for path in before.keys() | after.keys()
            if before.get(path) != after.get(path)
        ]
        self._note("moved", moved)
        self.db.execute(
            """
            INSERT OR IGNORE INTO temp.sources
            SELECT value
            FROM temp.moved
            UNION
            SELECT l.page
            FROM temp.moved m
            CROSS JOIN links l ON l.to_path = m.value
            """
        )
        gone = set(before.values()) - set(after.values())
        self.db.executemany(
            "DELETE FROM edges WHERE source = ?1 OR target = ?1",
            [(id,) for id in gone],
        )
        self._insert_entries(rows)
        # A tombstone keeps the last commit that is known to hold its page.
        gone_rows = self.db.execute(_TOMBSTONES).fetchall()
        self._insert_entries(
            (*row[:4], commits.get(row[0], (commit,))[0], *row[5:])
            for row in gone_rows
        )
        keys = (
            (id, {self.rules.link_key(path), self.rules.title_key(title)})
            for id, path, title, *_ in gone_rows
        )
        self.db.executemany(
            "INSERT INTO gone_names VALUES (?,?)",
            ((id, key) for id, each in keys for key in each),
        )

    def _confirm(self) -> None:
        """Take in what the ledger merely confirms: the id, the path and the content of an entry as
        it stands.

        A first night records thousands of pages that were just folded; where no page changed with
        it and no id is contested, none of them can become another entry by that.
        """
        query = "SELECT EXISTS (SELECT 1 FROM contested) OR EXISTS (SELECT 1 FROM temp.changed)"
        if self.db.execute(query).fetchone()[0]:
            return
        same = (
            "entries.id IN (SELECT value FROM temp.ids) AND k.id = entries.id AND NOT entries.tombstone "
            "AND NOT k.deleted AND k.path = entries.path AND k.blob = entries.blob"
        )
        self.db.execute(
            f"""
            UPDATE entries
            SET registered = 1, since = k.since,
              last_accessed = {_LAST.format("k.touched", "k.id")},
              quarantined = k.quarantined, cohesion_bucket = k.bucket, {_FLAG}
            FROM known k
            WHERE {same}
            """
        )
        self.db.execute(
            f"DELETE FROM temp.ids WHERE value IN (SELECT k.id FROM entries, known k WHERE {same})"
        )

    def _close_over(self) -> None:
        """Close the changed paths and the ids over each other: frontmatter ids, ledger paths,
        current entries.
        """
        self.db.execute(
            "INSERT OR IGNORE INTO temp.paths SELECT value FROM temp.changed"
        )
        self.db.execute(
            """
            INSERT OR IGNORE INTO temp.ids
            SELECT k.id
            FROM temp.changed c
            CROSS JOIN known k ON k.path = c.value
            """
        )
        self.db.execute(
            "INSERT OR IGNORE INTO temp.paths SELECT path FROM contested"
        )
        for table, column in (
            ("known", "id"),
            ("pages", "marker"),
            ("entries", "id"),
        ):
            self.db.execute(
                f"""
                INSERT OR IGNORE INTO temp.paths
                SELECT t.path
                FROM temp.ids i
                CROSS JOIN {table} t ON t.{column} = i.value
                """
            )
        self.db.execute(
            """
            INSERT OR IGNORE INTO temp.ids
            SELECT e.id
            FROM temp.paths p
            CROSS JOIN entries e ON e.path = p.value
            """
        )

    def _entry_row(
        self,
        row: Sequence[Any],
        commit: str,
        commits: dict[str, tuple[str, str, str]],
    ) -> tuple[Any, ...]:
        path, blob, title, managed, id, changed, *known = row
        if id is None:
            id, *known = self._provisional(path, blob)
        quarantined, bucket, since, touched = known
        # An id may pass from one page to another that did not change: the commit it came with never
        # held that one.
        held_at, *held = commits.get(id, (commit,))
        at = commit if changed or held != [path, blob] else held_at
        registered = since is not None
        return (
            id,
            path,
            title,
            "active",
            at,
            blob,
            quarantined or 0,
            touched,
            bucket,
            0,
            managed,
            registered,
            since,
        )

    def _provisional(self, path: str, blob: str) -> tuple[Any, ...]:
        """Return (id, what the ledger knows of it) for a page that neither its frontmatter nor the
        ledger names.

        The ledger may know its first id at another path (a page is renamed, and a new one made with
        the old name and words), and a person may have written it into another page: then the next
        one is taken.
        """
        if not self._claimed:
            return (
                self.rules.provisional_id(path, blob, 0),
                0,
                None,
                None,
                None,
            )
        for turn in count():
            id = self.rules.provisional_id(path, blob, turn)
            bearer, known_at, *known = self.db.execute(
                _BEARERS, (id,)
            ).fetchone()
            if bearer is None and known_at in (None, path):
                break
        if turn:
            self.db.execute("INSERT INTO contested VALUES (?)", (path,))
        if known_at is not None:
            self.db.execute(
                "DELETE FROM entries WHERE id = ? AND tombstone", (id,)
            )
            self.db.execute("DELETE FROM gone_names WHERE entry = ?", (id,))
        return (id, *known)

    def _insert_entries(self, rows: Iterable[tuple[Any, ...]]) -> None:
        self.db.executemany(
            f"""
            INSERT INTO entries (
              id, path, title, state, commit_hash, blob, quarantined,
              last_accessed, cohesion_bucket, tombstone, managed, registered,
              since, gravity, gravity_protected
            )
            VALUES (
              ?1, ?, ?, ?, ?, ?, ?, {_LAST.format("?8", "?1")}, ?, ?, ?, ?, ?,
              {_WEIGHT}, {_PROTECTED}
            )
            """,
            rows,
        )


#: the later of when it was last told and when it was last read
_LAST = "nullif(max(coalesce({}, ''), coalesce((SELECT a.last FROM accesses a WHERE a.entry = {}), '')), '')"
#: what the ledger and the last gravity pass say of the entry ?1
_PROTECTED = "EXISTS (SELECT 1 FROM protected WHERE entry = ?1)"
_WEIGHT = "coalesce((SELECT base FROM gravity WHERE entry = ?1), 0)"
_FLAG = "gravity_protected = EXISTS (SELECT 1 FROM protected p WHERE p.entry = entries.id)"

#: Every link concerned, with the one page that bears its name, if there is just one.
_CREATE_AFFECTED = """
    CREATE TEMP TABLE IF NOT EXISTS affected (
      link INTEGER PRIMARY KEY, page TEXT, target TEXT, base_key TEXT,
      title_key TEXT, to_path TEXT, only TEXT
    )
    """
_AFFECTED = """
INSERT INTO temp.affected SELECT l.rowid, l.page, l.target, l.base_key, l.title_key, l.to_path,
  (SELECT CASE count(*) WHEN 1 THEN max(p.path) END FROM pages p WHERE p.base_key = l.base_key)
FROM links l WHERE l.rowid IN (
  SELECT l.rowid FROM temp.changed c CROSS JOIN links l ON l.page = c.value UNION
  SELECT l.rowid FROM temp.keys k CROSS JOIN links l ON l.base_key = k.value UNION
  SELECT l.rowid FROM temp.keys k CROSS JOIN links l ON l.title_key = k.value)
"""

_WORK_TABLES = ("changed", "keys", "ids", "paths", "sources", "moved")

#: Every page concerned, with the id it rightfully holds: the one in its frontmatter (of several
#: copies, the page where the ledger knows it, else the first path), else the one the ledger knows
#: at its path and no page carries.
_CONCERNED_PAGES = """
SELECT c.*, k.quarantined, k.bucket, k.since, k.touched FROM (
SELECT p.path, p.blob, p.title, p.managed, coalesce(
  CASE WHEN p.marker IS NOT NULL AND p.path = (
    SELECT q.path FROM pages q LEFT JOIN known k ON k.id = q.marker AND k.path = q.path
    WHERE q.marker = p.marker ORDER BY k.path IS NULL, q.path LIMIT 1) THEN p.marker END,
  (SELECT k.id FROM known k WHERE k.path = p.path AND NOT k.deleted
    AND NOT EXISTS (SELECT 1 FROM pages q WHERE q.marker = k.id) ORDER BY k.id LIMIT 1)) AS id,
  EXISTS (SELECT 1 FROM temp.changed c WHERE c.value = p.path)
FROM temp.paths x CROSS JOIN pages p ON p.path = x.value WHERE NOT p.excluded) c
LEFT JOIN known k ON k.id = c.id ORDER BY c.path
"""

#: Has any id been given to a page yet, by the ledger or in a frontmatter? Where not, nobody else
#: can have a claim.
_CLAIMED = """
    SELECT EXISTS (SELECT 1 FROM known)
      OR EXISTS (SELECT 1 FROM pages WHERE marker IS NOT NULL)
    """

#: Who else has a claim on an id: the page that bears it, and the path where the ledger knows it.
_BEARERS = """
SELECT p.path, k.path, k.quarantined, k.bucket, k.since, k.touched FROM (SELECT ?1 AS id) x
LEFT JOIN pages p ON p.marker = x.id LEFT JOIN known k ON k.id = x.id LIMIT 1
"""

#: Entries that the ledger knows and no page holds: their owner deleted the page; the record stays
#: (OBJ-2). A page that the configuration has set aside since is neither an entry nor gone.
_TOMBSTONES = """
SELECT k.id, k.path, coalesce(k.title, k.path), 'archived', '', k.blob, k.quarantined, k.touched, k.bucket, 1,
  k.bucket IS NOT NULL, 1, k.since
FROM temp.ids i CROSS JOIN known k ON k.id = i.value
WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = k.id)
  AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.path = k.path AND p.excluded)
"""

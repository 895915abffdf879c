"""Put what the shards' indexes hold into one database: f(tree) there as here."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from companion.errors import CompanionError, TryLater
from companion.fleet.night import describe_problem, list_folders
from companion.language.words import snowball
from companion.lookup.index import current_index
from companion.pages.page import parse
from companion.pages.statements import find_statement, text_beside_statements
from companion.storage.git.repo import Repo
from companion.storage.index import isolation, schema
from companion.storage.index.folding.fold_pages import searchable_texts
from companion.storage.index.folding.fold_passages import (
    Passage,
    list_passages,
)
from companion.storage.index.tables.pages.names import list_blobs_by_path
from companion.storage.index.terms import split_words
from companion.storage.postgres import tables
from companion.storage.postgres.connect import Connection, connect
from companion.storage.postgres.tables import Text, Tip
from companion.values.captures import Page
from companion.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from companion.fleet.results import (
        DroppedResult,
        ProjectedShard,
        ProjectResult,
    )

_MOST_STEMS = 100_000  # of one text: a tsvector has its limit
_LONGEST = 500  # characters of one stem


class NothingFolded(CompanionError):
    """No night has read anything here yet."""

    exit_code = 75
    hint = "`companion consolidate` in the shard, or `companion fleet night`."


def project(
    shards: Sequence[str], database: str, *, anew: bool = False
) -> "ProjectResult":
    """Bring *database* up to the tips of the wikis in the folders *shards*, each in one
    transaction.

    A shard whose tree is there already is left alone, unless *anew*. One that cannot be read is set
    aside and stays as it was. Raises PostgresDown and its like.
    """
    with connect(database) as pg:
        tables.create_tables(pg)
    done = [_project(one, database, anew) for one in list_folders(shards)]
    if any(one["replaced"] for one in done):
        with connect(database) as pg:
            tables.gather_statistics(pg)
    codes = [one["exit_code"] for one in done if one["problem"]]
    return {
        "projected": done,
        "set_aside": len(codes),
        "exit_code": next(iter(codes), 0),
    }


def drop(database: str) -> "DroppedResult":
    """Take everything out of *database* again; the shards are as they were."""
    with connect(database) as pg:
        return {"dropped": tables.drop_tables(pg)}


def _project(shard: str, database: str, anew: bool) -> "ProjectedShard":
    tip, fresh = Tip(shard, "", "", None, None), False
    why = describe_problem(None)
    try:
        ws = open_workspace(shard)
        with connect(database) as pg, closing(_open_index(ws)) as db:
            tip, fresh = _replace(pg, ws, db, shard, anew)
    # a shard that is damaged, in whatever way, must not stop the others
    except Exception as error:  # noqa: BLE001
        why = describe_problem(error)
    return {
        "shard": shard,
        "tree": tip.tree or None,
        "run": tip.run,
        "replaced": fresh,
        **why,
    }


def _open_index(ws: Workspace) -> sqlite3.Connection:
    with closing(ws.journal()) as journal:
        db = current_index(ws, journal)
    if db is None:
        raise NothingFolded
    return db


def _replace(
    pg: Connection,
    ws: Workspace,
    db: sqlite3.Connection,
    shard: str,
    anew: bool,
) -> tuple[Tip, bool]:
    """Return the tip of *shard*, and whether its rows were replaced."""
    before = {one.shard: one for one in tables.list_tips(pg)}.get(shard)
    with isolation.reading(db):
        tip = read_tip(ws, db, shard)
        if before is not None and before.tree == tip.tree and not anew:
            return before, False
        texts = _list_texts(Repo(ws.place), db)
        if not tables.replace_shard(pg, tip, before, db, texts):
            raise TryLater("another projection of this shard was faster")
    return tip, True


def read_tip(ws: Workspace, db: sqlite3.Connection, shard: str) -> Tip:
    """Return which tree the index *db* is of."""
    commit = schema.read_meta(db, "commit") or ""
    if not commit:
        raise NothingFolded
    tree = Repo(ws.place).tree_of(commit) or ""
    run, at = schema.find_newest_run(db), schema.find_newest_time(db)
    return Tip(shard, tree, commit, run, at)


def _list_texts(repo: Repo, db: sqlite3.Connection) -> Iterator[Text]:
    for path, blob in list_blobs_by_path(db):
        whole = repo.text(blob)
        page = parse(whole, path)
        title, body = searchable_texts(page)
        for passage in list_passages(page, title, body):
            yield _make_text(path, page, passage)


def _make_text(path: str, page: Page, passage: Passage) -> Text:
    words = split_words(passage.body)[:_MOST_STEMS]
    language, stems = snowball.stem_text(words)
    titled = snowball.stem_words(split_words(passage.title), language)
    block = find_statement(page.body, passage.statement)
    own = block.words if block is not None else _read_own(page)
    return Text(
        path,
        passage.statement,
        int(passage.earlier),
        language,
        page.title or os.path.basename(path),
        own,
        _join(titled),
        _join(stems),
    )


def _read_own(page: Page) -> str:
    own = text_beside_statements(page.body)
    return own if own.strip() else page.title


def _join(stems: Sequence[str]) -> str:
    return " ".join(stem[:_LONGEST] for stem in stems)

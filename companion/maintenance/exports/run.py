"""`export` with `--graph`, `--sqlite`, `--csv`, `--okf`, `--html` or `--github`: what everybody may
know in other forms.

They are made of the index, which never knows of private notes. Only `export` alone takes
everything, and only that is imported again.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.lookup.find import NothingFound
from companion.lookup.index import current_index
from companion.maintenance.exports.bundle import write_bundle
from companion.maintenance.exports.export import require_empty, require_outside
from companion.maintenance.exports.gather import gather_pages
from companion.maintenance.exports.graph import make_graph, write_graph
from companion.maintenance.exports.repository import write_repository
from companion.maintenance.exports.site import write_site
from companion.storage.files import durable
from companion.storage.index import export_tables
from companion.workspace import Workspace

if TYPE_CHECKING:
    from typing import Literal

    from companion.maintenance.results import FormatExport

    Format = Literal[
        "graphml", "json", "dot", "sqlite", "csv", "okf", "html", "github"
    ]

#: those that are one file
FILES = ("graphml", "json", "dot", "sqlite")


def export_as(ws: Workspace, form: "Format", path: str) -> "FormatExport":
    """Write the wiki in *form* to the new file or folder *path*; return what it holds.

    Raises CannotExport, NothingFound or StorageError.
    """
    target = os.path.abspath(os.path.expanduser(path))
    require_outside(ws.place, target)
    db = current_index(ws, ws.journal())
    if db is None:
        raise NothingFound(
            "there is no page yet",
            hint="`companion consolidate` makes pages of notes.",
        )
    if form in FILES:
        counts = _write_file(db, form, target)
    else:
        require_empty(target)
        counts = _write_folder(ws, db, form, target)
    return {"path": target, "format": form, "counts": counts}


def _write_file(db: sqlite3.Connection, form: str, file: str) -> dict[str, int]:
    durable.make_dirs(os.path.dirname(file))
    try:
        if form == "sqlite":
            return _write_database(db, file)
        entries = list(export_tables.read_rows(db, "entries"))
        edges = list(export_tables.read_rows(db, "edges"))
        graph = make_graph(entries, edges)
        durable.write_new(file, write_graph(graph, form))
    except FileExistsError as error:
        raise durable.StorageError(
            f"{file} exists",
            hint="Name a new file; nothing is ever written over.",
        ) from error
    return {"pages": len(graph), "edges": graph.number_of_edges()}


def _write_database(db: sqlite3.Connection, file: str) -> dict[str, int]:
    """Write the tables to *file*; it appears when it is whole."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(file)) as folder:
        made = os.path.join(folder, "export.db")
        counts = export_tables.write_database(db, made)
        # a link and no rename: what is there already stays
        os.link(made, file)
    return counts


def _write_folder(
    ws: Workspace, db: sqlite3.Connection, form: str, folder: str
) -> dict[str, int]:
    durable.make_dirs(folder)
    if form == "csv":
        return {
            table: _write_csv(db, table, folder)
            for table in export_tables.COLUMNS
        }
    pages = gather_pages(ws, db)
    files: Iterator[tuple[str, str]]
    name = os.path.basename(ws.place.root)
    if form == "html":
        files = write_site(pages)
    elif form == "github":
        files = write_repository(pages, name)
    else:
        files = write_bundle(pages, name)
    count = 0
    for path, text in files:
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        data = text.encode("utf-8", "surrogateescape")
        durable.write_new(full, data, sync=False)
        count += 1
    return {"pages": len(pages), "files": count}


def _write_csv(db: sqlite3.Connection, table: str, folder: str) -> int:
    path = os.path.join(folder, f"{table}.csv")
    with open(path, "x", encoding="utf-8", newline="") as file:
        return export_tables.write_csv(db, table, file)

"""Rehearse runs on a copy of the index: the preview is what is then done, and nothing is kept."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from companion.comparison.nearest import vectors_path
from companion.runs.publication import write_files
from companion.runs.run import Run
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo
from companion.storage.index.folding import fold
from companion.storage.ledger_file import RunRecord
from companion.values.decisions import Write
from companion.workspace import Workspace


class RehearsedRun(Run):
    """A run whose commits are trees in a folder of its own, which nobody else ever sees."""

    def __init__(self, run: Run, db: sqlite3.Connection, folder: str) -> None:
        place = run.ws.place._replace(state=folder)
        super().__init__(
            Workspace(place, run.ws.now(), who=run.ws.who),
            Repo(run.ws.place),
            run.journal,
            db,
            notes=run.notes,
            progress=run.progress,
        )
        self._snapshot = run.snapshot
        self._real = run
        self._written: set[str] = set()
        self._folder = folder
        objects = os.path.join(folder, "objects")
        os.makedirs(os.path.join(objects, "pack"))
        self.repo.git.odb.add_disk_alternate(objects)

    def refold(self) -> None:
        """Do nothing: what is published here is folded already."""

    def excluded_paths(self, paths: Sequence[str]) -> dict[str, str]:
        """Return which of *paths* a run must leave alone; its own writes are none of them."""
        theirs = [path for path in paths if path not in self._written]
        return self._real.excluded_paths(theirs)

    def publish(
        self,
        record: RunRecord,
        writes: Sequence[Write],
        subject: str,
        body: str,
        *,
        author: str | None = None,
        parents: Sequence[str] = (),
        trailers: Sequence[str] = (),
    ) -> str:
        """Fold a run's pages and its ledger file; there is no commit."""
        ledger = Write(record.path, ledger_file.encode(record))
        with Pack(self._folder) as pack:
            tree = write_files(self.repo, pack, self.tree, [*writes, ledger])
        with fold.transaction(self.db):
            fold.fold_to(self.db, self.repo, None, tree)
        self._written.update(write.path for write in writes)
        self._snapshot = self.snapshot._replace(tree=tree)
        return ""


@contextmanager
def rehearse(run: Run) -> Iterator[Run]:
    """Yield a run at the snapshot of *run* that changes nothing outside a temporary folder."""
    folder = tempfile.mkdtemp(prefix="companion-preview-")
    try:
        path = os.path.join(folder, "index.db")
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            run.db.backup(db)
            db.execute("PRAGMA synchronous=OFF")
            rehearsed = RehearsedRun(run, db, folder)
            _copy_vectors(run, rehearsed)
            yield rehearsed
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_vectors(run: Run, rehearsed: Run) -> None:
    """Give the rehearsal the vectors that there are: those of its own pages are none of the
    wiki's.
    """
    path = vectors_path(run.ws)
    if not os.path.exists(path):
        return
    with (
        closing(sqlite3.connect(path)) as theirs,
        closing(sqlite3.connect(vectors_path(rehearsed.ws))) as own,
    ):
        theirs.backup(own)

"""A run: one holder of the lock, working from one snapshot of the wiki.

Every operation that changes the wiki goes through `Run`. When a run begins it holds sleep.lock, has
recovered what a killed run left, and has folded the tip of the branch. That, with the buffer, the
configuration and the clock, is the snapshot; one commit at most comes of it (CON-4).
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion import config
from companion.config import Config
from companion.pages.page import RULES_VERSION
from companion.runs import publication
from companion.runs.locked_wiki import hold_lock, recover_and_open
from companion.runs.publication import Message
from companion.runs.refresh import (
    Snapshot,
    fold_tip,
    open_index,
    record_newest_time,
)
from companion.storage import files_in_git, publish
from companion.storage.boundary.tellings import Doubtful, check_content
from companion.storage.git import capture_buffer, minority_refs
from companion.storage.git.repo import DamagedObject, MissingObject, Repo
from companion.storage.index import schema
from companion.storage.index.folding import fold
from companion.storage.journal.journal import Journal
from companion.storage.ledger_file import RunRecord
from companion.values.decisions import Edit, Write
from companion.values.events import JsonDocument
from companion.values.progress import SILENT, Progress
from companion.values.time import moment
from companion.workspace import Workspace

_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Run:
    """One holder of the lock, at one snapshot."""

    def __init__(
        self,
        ws: Workspace,
        repo: Repo,
        journal: Journal,
        db: sqlite3.Connection,
        *,
        notes: list[str],
        progress: Progress | None = None,
    ) -> None:
        self.ws = ws
        self.repo = repo
        self.journal = journal
        self.db = db
        self.notes = notes  # for the person
        self.progress = progress or SILENT
        self._snapshot: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot:
        """The state of the branch that the run works from."""
        assert self._snapshot is not None, "refold comes first"
        return self._snapshot

    @property
    def commit(self) -> str | None:
        """The tip of the branch; None before the first commit."""
        return self.snapshot.commit

    @property
    def tree(self) -> str | None:
        """The wiki's own tree in that commit."""
        return self.snapshot.tree

    @property
    def config(self) -> Config:
        """The settings in that tree."""
        return self.snapshot.config

    def refold(self) -> None:
        """Fold the tip of the branch, and work from there; with a new index where SQLite cannot
        read the old one, which holds nothing of its own.
        """
        try:
            self._fold()
        except sqlite3.DatabaseError as error:
            # SQLite sees what is missing only when it comes there
            if not _is_broken(error):
                raise
            self.db.close()
            schema.remove_database(self.ws.place.index_db)
            self.db = open_index(self.ws)
            self.repo = Repo(self.ws.place)
            self._fold()

    def _fold(self) -> None:
        snapshot, notes = fold_tip(
            self.ws, self.repo, self.db, self.journal, self.progress
        )
        self._snapshot = snapshot
        self.notes += notes

    def point_branches(self) -> None:
        """Let the refs of minority branches follow the ledger.

        The process that held the lock before may have been killed here.
        """
        self.notes += minority_refs.move_refs(self.repo, self.db)

    def reopen(self, db: sqlite3.Connection) -> None:
        """Go on with another index, and with a repository in which objects have come and gone."""
        self.repo = Repo(self.ws.place)
        self.db = db
        self.refold()

    def moment(self) -> str:
        """Return the transaction time of a run: after everything recorded before (LED-2)."""
        newest = schema.find_newest_time(self.db) or ""
        last = max(newest, self.journal.get("last_time") or "")
        return moment(self.ws.now(), last or None).transaction

    def present(self) -> str:
        """Return the present time, as reads have it: a run's own may be that of a wrong clock."""
        return self.ws.present(self.journal)

    def config_missing(self) -> bool:
        """Return whether the branch has no companion.yaml any more: it is no wiki then."""
        return self.repo.subtree(self.tree, config.PATH) is None

    def excluded_paths(self, paths: Sequence[str]) -> dict[str, str]:
        """Return which of *paths* a run must leave alone, and why: git has other content."""
        if not paths:
            return {}
        prefix = self.ws.place.prefix
        full = [prefix + path for path in paths]
        files_in_git.bring_out(self.repo, full)
        staged = publish.list_staged(self.repo, full)
        reasons = {}
        for path in paths:
            blob = self.repo.subtree(self.tree, path)
            if publish.hash_as_git_would(self.repo, prefix + path) != blob:
                reasons[path] = "has changes that are not adopted yet"
            elif staged.get(prefix + path) != blob:
                reasons[path] = "has changes that you staged"
        return reasons

    def contents(self) -> Mapping[str, bytes]:
        """Return the bytes of open captures, each read when it is asked for."""
        return self.journal.contents(self.repo.blob)

    def lost(self) -> set[str]:
        """Return the open captures of which neither the journal nor git has the bytes that their
        ids name.
        """
        lost: set[str] = set()
        contents = self.contents()
        for id in self.journal.open_ids():
            try:
                check_content(contents[id], id)
            except (MissingObject, DamagedObject, Doubtful):
                lost.add(id)
        return lost

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
        """Write a run's pages and its ledger file as one commit, and return it; the caller folds
        it.

        *parents* come after the tip, *trailers* after those of every run. Raises Raced, GitBusy,
        TryLater or StorageError with nothing changed.
        """
        without = [f"Companion-Without: {part}" for part in self.config.without]
        message = Message(subject, body, author, [*without, *trailers])
        return publication.publish_writes(
            self.repo,
            self.journal,
            self.snapshot,
            record,
            writes,
            message,
            parents,
        )

    @contextmanager
    def folding(self, edited: str) -> Iterator["EditedTree"]:
        """Fold *edited*, a tree that no commit has yet; kept only if the block publishes it."""
        try:
            with fold.transaction(self.db):
                fold.fold_to(
                    self.db,
                    self.repo,
                    None,
                    edited,
                    progress=self.progress,
                )
                prospect = EditedTree(self, edited)
                yield prospect
                if prospect.commit is None:
                    raise _NotPublished
        except _NotPublished:
            return


class EditedTree:
    """A tree that is folded and not committed yet."""

    def __init__(self, run: Run, edited: str) -> None:
        self._run = run
        self._edited = edited
        self.commit: str | None = None  # once it is published

    def publish(
        self,
        record: RunRecord,
        edits: Sequence[Edit],
        writes: Sequence[Write],
        subject: str,
        body: str,
    ) -> str:
        """Commit the edits, which are on disk already, with the run's own files; return the
        commit.
        """
        run = self._run
        published = publication.publish_edits(
            run.repo,
            run.journal,
            run.snapshot,
            record,
            self._edited,
            edits,
            writes,
            Message(subject, body),
        )
        self.commit = published.commit
        fold.fold_to(run.db, run.repo, published.commit, published.tree)
        record_newest_time(run.db, run.journal)
        return published.commit


class _NotPublished(Exception):
    """Leaves the fold's transaction without keeping it."""


@contextmanager
def open_run(
    ws: Workspace,
    what: str,
    *,
    progress: Progress | None = None,
    quiet: bool = True,
) -> Iterator[Run]:
    """Hold the lock for one operation. Raises Busy (75) when another run is at work.

    *quiet*: git must be at rest on the wiki's branch, else TryLater.
    """
    with hold_lock(ws, what):
        run = prepare_run(ws, progress=progress, quiet=quiet)
        try:
            yield run
            run.point_branches()
        except sqlite3.DatabaseError as error:
            if not _is_broken(error):
                raise
            # so that the next operation begins with a new one
            run.db.close()
            schema.remove_database(ws.place.index_db)
            raise schema.IndexDamaged(
                f"{ws.place.index_db}: {error}"
            ) from error
        finally:
            run.db.close()


def prepare_run(
    ws: Workspace, *, progress: Progress | None = None, quiet: bool = True
) -> Run:
    """Recover what a killed run left, and bring the index to the tip. The caller holds the lock.

    Raises UnsuitableRepo and TryLater where *quiet* and git is not at rest.
    """
    wiki = recover_and_open(ws, quiet=quiet)
    run = Run(
        ws,
        wiki.repo,
        wiki.journal,
        wiki.db,
        notes=wiki.notes,
        progress=progress,
    )
    run.refold()
    run.point_branches()
    return run


def _is_broken(error: sqlite3.DatabaseError) -> bool:
    """Tell whether SQLite cannot read a file. The lowest byte of its code is the kind of error."""
    code = getattr(error, "sqlite_errorcode", 0)  # errors of Python's have none
    return code & 0xFF in _BROKEN


def make_inputs(
    run: Run, excluded: Mapping[str, str], rules: Mapping[str, str]
) -> JsonDocument:
    """Return what makes a run's first line its complete input (CON-2). Raises GitFailed."""
    return {
        "base": run.tree,
        "buffer": capture_buffer.read_trees(run.repo).get(
            capture_buffer.BUFFER
        ),
        "config": run.config.hash,
        "excluded": sorted(excluded),
        "rules": {"pages": RULES_VERSION, **rules},
        "usage": {},
        "verdicts": None,
    }


def make_config_file(adopt: str) -> Write:
    """Return the companion.yaml of a new wiki."""
    return Write(config.PATH, config.DEFAULT_TEXT.format(adopt=adopt).encode())

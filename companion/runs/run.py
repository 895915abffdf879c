"""The night: gather, plan, publish; one commit per run at most (CON-4).

Every operation that changes the wiki goes through `Run`: it holds sleep.lock, has recovered what
a killed run left, and has folded the tip of the branch. That, with the buffer, the configuration
and the clock, is the snapshot.
"""

import os
import secrets
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from companion import __version__, config
from companion.pages.markdown import Markdown
from companion.runs import lost_runs
from companion.storage import ledger_file, publish
from companion.storage.erasure import steps as erasing
from companion.storage.files import durable, lock
from companion.storage.git import capture_buffer, layout, minority_refs, objects, signing
from companion.storage.git.git_locks import Raced
from companion.storage.git.layout import Place, owner
from companion.storage.git.objects import Pack
from companion.storage.git.repo import Repo, run_git
from companion.storage.git.trees import FILE, Change, edit_tree, graft_tree
from companion.storage.index import fold
from companion.storage.index import schema as index
from companion.storage.index.tables import use as usage
from companion.storage.journal import reads
from companion.storage.journal.journal import TRUSTED
from companion.storage.ledger_file import RunRecord
from companion.storage.publish import File, IndexEntry, Publication
from companion.values import time as times
from companion.values.decisions import Write
from companion.values.edits import Edit
from companion.workspace import Workspace, alone, real_now

Progress = Callable[[int], None]
ATTEMPTS = 3  # a run that loses the race against the person's own git starts over


class Run:
    """One holder of the lock, at one snapshot."""

    def __init__(self, ws: Workspace, *, progress: Progress | None = None) -> None:
        self.ws, self.progress = ws, progress
        self.rules = Markdown()
        self.repo = Repo(ws.place)
        self.journal = ws.journal()
        self.notes: list[str] = []

    def prepare(self, *, quiet: bool = True) -> None:
        """Recover what a killed run left, and bring the index to the tip; *quiet*: git must be at
        rest there.
        """
        recovered = publish.recover(self.repo, self.journal)
        self.notes += [
            words for words in (recovered, erasing.resume(self.repo, self.journal)) if words
        ]
        if quiet:
            self.repo.require_suitable()
            self.repo.require_quiet()
        self.db = open_index(self.ws)
        self.refold()
        self.point_branches()

    def point_branches(self) -> None:
        """Let the refs of minority branches follow the ledger; who held the lock before may have
        been killed here.
        """
        self.notes += minority_refs.follow(self.repo, self.db)

    def reopen(self, db: sqlite3.Connection) -> None:
        """Go on with another index, and with a repository in which objects have come and gone."""
        self.repo, self.db = Repo(self.ws.place), db
        self.refold()

    def moment(self) -> str:
        """Return the transaction time of a run: the clock, but after everything recorded before
        (LED-2).
        """
        newest = self.db.execute("SELECT max(time) FROM runs").fetchone()[0]
        last = max(newest or "", self.journal.get("last_time") or "")
        return times.moment(self.ws.now(), last or None).transaction

    def present(self) -> str:
        """Return the time that it is, as reads have it: a run's own time may be that of a clock
        that was wrong.
        """
        return self.ws.present(self.journal)

    def _trust(self) -> None:
        """Let the journal know the newest run's time, by which TRIAGE judges the clock."""
        newest = self.db.execute("SELECT max(time) FROM runs").fetchone()[0]
        if newest is not None and newest != self.journal.get(TRUSTED):
            self.journal.put(TRUSTED, newest)

    def refold(self) -> None:
        """Fold the tip of the branch, and let the journal's memory of what is settled follow."""
        # Opened before the fold, settled after it: a crash may show a capture twice, never not at
        # all.
        gone = fold.lost_runs(self.db, self.repo)
        if gone or index.meta(self.db, "tree") is None:
            self.journal.unhear()
        if gone:
            self._keep_lost(index.meta(self.db, "commit"))
        self._reopen(fold.consumed_by(self.db, gone))
        folded = fold.refresh(self.db, self.repo, self.rules, progress=self.progress)
        self.commit = folded.commit
        self.tree = self.repo.wiki_tree(self.commit)
        self.config = fold.settings(self.repo, self.tree)
        if folded.rebuilt:
            self._reopen_forgotten()
        self.journal.settle(fold.consumed(self.db, self.journal.open_ids()))
        reads.note_folded(self.journal, lambda: usage.folded(self.db))
        self._trust()

    def _keep_lost(self, tip: str | None) -> None:
        """Keep the commit whose runs a reset or a revert took away: `git merge` of this ref brings
        them back.
        """
        kept = layout.refs(self.ws.place, lost_runs.LOST.rstrip("/")).values()
        if tip is not None and tip not in kept and self.repo.has(tip):
            stamp = self.ws.now()[:19].replace(":", "")
            run_git(self.ws.place, "update-ref", f"{lost_runs.LOST}{stamp}-{tip[:8]}", tip)
            # Git syncs no folder, and once the index has folded the new tree nothing else knows
            # what was lost.
            folder = os.path.join(self.ws.place.common_dir, os.path.dirname(lost_runs.LOST))
            durable.sync_tree(
                [folder, os.path.dirname(folder), os.path.dirname(os.path.dirname(folder))]
            )
            self.journal.forget_tellings()
            self.notes.append(
                f"runs have left the branch; what they made is kept at {lost_runs.LOST}{stamp}-{tip[:8]}"
            )

    def _reopen_forgotten(self) -> None:
        """Open what the new index does not hold consumed. No old index could say which runs have
        gone: history can.
        """
        settled = [id for id, _ in self.journal.settled()]
        open_again = sorted(set(settled) - fold.consumed(self.db, settled))
        if open_again:
            for commit in lost_runs.removals(self.repo):
                self._keep_lost(commit)
        self._reopen(open_again)

    def config_missing(self) -> bool:
        """Tell whether the branch has no companion.yaml any more: it is no wiki then."""
        return self.repo.subtree(self.tree, config.PATH) is None

    def _reopen(self, captures: Sequence[str]) -> None:
        blobs = [(id, self.journal.blob(id)) for id in captures]
        known = [(id, blob) for id, blob in blobs if blob is not None]
        if known:
            self.journal.unsettle(
                [(id, self.repo.blob(blob) if self.repo.has(blob) else None) for id, blob in known]
            )

    def excluded_paths(self, paths: Sequence[str]) -> dict[str, str]:
        """Return which of *paths* a run must leave alone now, and why: their content is not what
        git has.
        """
        staged = (
            publish.staged(self.repo, [self.ws.place.prefix + path for path in paths])
            if paths
            else {}
        )
        found = {}
        for path in paths:
            blob = self.repo.subtree(self.tree, path)
            full = self.ws.place.prefix + path
            if publish.work_tree_blob(self.repo, full) != blob:
                found[path] = "has changes that are not adopted yet"
            elif staged.get(full) != blob:
                found[path] = "has changes that you staged"
        return found

    @contextmanager
    def folding(self, edited: str) -> Iterator["Session"]:
        """Fold *edited*, a tree that no commit has yet; kept only if the block publishes it."""
        try:
            with fold.transaction(self.db):
                fold.fold_to(self.db, self.repo, self.rules, None, edited, progress=self.progress)
                session = Session(self, edited)
                yield session
                if session.commit is None:
                    raise _NotPublished
        except _NotPublished:
            return

    def publish(
        self,
        run: RunRecord,
        writes: Sequence[Write],
        subject: str,
        body: str,
        *,
        author: str | None = None,
        parents: Sequence[str] = (),
        trailers: Sequence[str] = (),
    ) -> str:
        """Write a run's pages and its ledger file as one commit; the caller folds it. Returns the
        commit.

        *parents* come after the tip, *trailers* after those of every run.
        """
        ledger = Write(run.path, ledger_file.encode(run))
        with Pack(self.ws.place.common_dir) as pack:
            tree, entries = self._objects(pack, [*writes, ledger])
            commit = pack.add(
                "commit",
                self.commit_bytes(
                    tree, [self.commit, *parents], run, subject, body, author, trailers
                ),
            )
        files = [self.file(write) for write in (*writes, ledger)]
        done = Publication(run.id, self.commit, commit, files, entries, subject, real_now())
        publish.publish(self.repo, self.journal, done)
        return commit

    def contents(self) -> Mapping[str, bytes]:
        """Return the bytes of open captures, each read when it is asked for."""
        return self.journal.contents(self.repo.blob)

    def lost(self) -> set[str]:
        """Return the open captures whose bytes neither the journal nor git has any more."""
        return {id for id, blob in self.journal.without_bytes() if not self.repo.has(blob)}

    def _objects(self, pack: Pack, writes: Sequence[Write]) -> tuple[str, list[IndexEntry]]:
        prefix, whole = self.ws.place.prefix, self.repo.tree_of(self.commit)
        changes: dict[str, tuple[int, str] | None] = {}
        entries = []
        for write in writes:
            blob = None if write.content is None else pack.add("blob", write.content)
            mode = self.mode(write.path)
            changes[prefix + write.path] = None if blob is None else (mode, blob)
            entries.append(
                IndexEntry(
                    prefix + write.path, self.repo.subtree(self.tree, write.path), blob, mode
                )
            )
        return grow_tree(self.repo, pack, whole, changes), entries

    def mode(self, path: str) -> int:
        """Return the mode a file is to have in git: the one it has there; whether it may be run is
        the person's.
        """
        return self.repo.mode(self.tree, path) or FILE

    def lift(self, pack: Pack, tree: str) -> str:
        """Return the whole repository's tree with the wiki's part replaced by *tree*."""
        folders = self.ws.place.prefix.split("/")[:-1]
        return graft_tree(
            self.repo.entries, self.repo.tree_of(self.commit), folders, tree, pack.add
        )

    def commit_bytes(
        self,
        tree: str,
        parents: Sequence[str | None],
        run: RunRecord,
        subject: str,
        body: str,
        author: str | None,
        trailers: Sequence[str] = (),
    ) -> bytes:
        """Return a commit object: the person commits (and signs), and is the author of what they
        wrote themselves.
        """
        # Git's own dates begin in 1970; the ledger keeps the run's.
        when = f"{max(0, int(datetime.fromisoformat(run.now).timestamp()))} +0000"
        person = identity(*self.repo.author())
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents if parent)]
        lines += [f"author {author or person} {when}", f"committer {person} {when}", ""]
        said = [
            f"Companion-Run: {run.id}",
            f"Companion-Operation: {run.operation}",
            f"Companion-Version: {__version__}",
        ]
        text = "\n".join([*lines, subject, "", *([body, ""] if body else []), *said, *trailers, ""])
        return signing.signed(self.repo, text.encode("utf-8", "replace"))

    def file(self, write: Write) -> File:
        """Return what is to be written, and over what; Raced unless that still is what the plan was
        made from.
        """
        path, base = self.ws.place.prefix + write.path, self.repo.subtree(self.tree, write.path)
        found = publish.disk_hash(self.repo, path)
        ours = None if write.content is None else objects.blob_id(write.content)
        if found not in (base, ours) and publish.work_tree_blob(self.repo, path) != base:
            raise Raced(f"{path} changed while the run was being planned")
        return File(path, write.content, found)


class Session:
    """A prospective tree in the index, and the way to make it true."""

    def __init__(self, tonight: Run, edited: str) -> None:
        self.night, self.edited = tonight, edited
        self.commit: str | None = None

    def publish(
        self, run: RunRecord, edits: Sequence[Edit], extra: Sequence[Write], subject: str, body: str
    ) -> str:
        """Commit the edits, which are on disk already, with the run's own files."""
        night, prefix = self.night, self.night.ws.place.prefix
        own = [*extra, Write(run.path, ledger_file.encode(run))]
        with Pack(night.ws.place.common_dir) as pack:
            blobs = {
                w.path: None if w.content is None else pack.add("blob", w.content) for w in own
            }
            files = {
                path: None if blob is None else (night.mode(path), blob)
                for path, blob in blobs.items()
            }
            tree = grow_tree(night.repo, pack, self.edited, files)
            whole = night.lift(pack, tree)
            commit = pack.add(
                "commit", night.commit_bytes(whole, [night.commit], run, subject, body, None)
            )
        entries = [
            IndexEntry(prefix + e.path, e.old, night.repo.subtree(self.edited, e.path), e.mode)
            for e in edits
        ]
        entries += [
            IndexEntry(prefix + p, night.repo.subtree(night.tree, p), blob, night.mode(p))
            for p, blob in blobs.items()
        ]
        written = [night.file(write) for write in own]
        done = Publication(run.id, night.commit, commit, written, entries, subject, real_now())
        publish.publish(night.repo, night.journal, done)
        self.commit = commit
        fold.fold_to(night.db, night.repo, night.rules, commit, tree)
        return commit


class _NotPublished(Exception):
    """Leaves the fold's transaction without keeping it."""


COMPANION = "companion <companion@localhost>"


@contextmanager
def open_run(
    ws: Workspace, what: str, *, progress: Progress | None = None, quiet: bool = True
) -> Iterator[Run]:
    """Hold the lock for one operation. Raises Busy (75) when another night is at work."""
    durable.make_dirs(ws.place.state, mode=0o700)
    alone()
    with lock.lock_file(os.path.join(ws.place.state, "sleep.lock"), what), _told_to_stop():
        _claim(ws.place)
        tonight = Run(ws, progress=progress)
        tonight.prepare(quiet=quiet)
        try:
            yield tonight
            tonight.point_branches()
        finally:
            tonight.db.close()
            objects.release_packs(ws.place.common_dir)


def _claim(place: Place) -> None:
    """Write into a state that is kept elsewhere whose it is: the repository may have been moved, or
    copied later.
    """
    home = os.path.realpath(place.common_dir)
    known, token = owner(place)
    if place.moved and known != home:
        durable.replace(
            os.path.join(place.state, "home"), f"{home}\n{token or secrets.token_hex(8)}\n".encode()
        )


@contextmanager
def _told_to_stop() -> Iterator[None]:
    """Let a logout or a shutdown end a night as Ctrl-C does: rolled back, and git's locks
    released.
    """

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_with_retries(
    ws: Workspace, what: str, once: Callable[[Run], dict[str, Any]], progress: Progress | None
) -> dict[str, Any]:
    """Run *once* under the lock, starting over when the person's own git was faster."""
    for left in range(ATTEMPTS, 0, -1):
        try:
            with open_run(ws, what, progress=progress) as tonight:
                return once(tonight)
        except Raced:
            if left == 1:
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


def open_index(ws: Workspace) -> sqlite3.Connection:
    """Open the index for writing; one that SQLite cannot read is replaced, for it holds nothing of
    its own.
    """
    try:
        return index.open_for_writing(ws.place.index_db)
    except index.IndexDamaged:
        index.forget(ws.place.index_db)
        return index.open_for_writing(ws.place.index_db)


def grow_tree(repo: Repo, pack: Pack, base: str | None, changes: dict[str, Change]) -> str:
    """Return the tree that *base* becomes by *changes*; paths from the repository's top."""
    return edit_tree(repo.entries, base, changes, pack.add) or pack.add("tree", b"")


def run_inputs(tonight: Run, excluded: dict[str, str], rules: dict[str, str]) -> dict[str, Any]:
    """Return what makes a run's first line its complete input (CON-2)."""
    return {
        "base": tonight.tree,
        "buffer": capture_buffer.trees(tonight.repo).get(capture_buffer.BUFFER),
        "config": tonight.config.hash,
        "excluded": sorted(excluded),
        "rules": {"pages": tonight.rules.version, **rules},
        "usage": {},
        "verdicts": None,
    }


def config_file(adopt: str) -> Write:
    return Write(config.PATH, config.DEFAULT_TEXT.format(adopt=adopt).encode())


def identity(name: str, email: str) -> str:
    """Return a person as a commit names them; git forbids these characters there."""
    clean = str.maketrans("", "", "<>\n\r\0")
    return f"{name.translate(clean).strip() or 'companion'} <{email.translate(clean).strip()}>"

"""Hold the wiki's lock, with what a killed run left recovered.

A run plans and publishes from there; a read that finds the index behind only folds.
"""

import os
import secrets
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from companion.runs.refresh import open_index
from companion.storage import publish
from companion.storage.erasure import steps
from companion.storage.files import durable, lock
from companion.storage.git import layout, objects
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace, compute_on_one_core, real_now


class LockedWiki(NamedTuple):
    """The wiki's stores, open for the one process that holds the lock."""

    repo: Repo
    journal: Journal
    db: sqlite3.Connection
    notes: list[str]  # for the person: what was recovered


@contextmanager
def hold_lock(ws: Workspace, what: str) -> Iterator[None]:
    """Hold sleep.lock for one operation. Raises Busy (75) when another run is at work."""
    durable.make_dirs(ws.place.state, mode=0o700)
    compute_on_one_core()
    lock_path = os.path.join(ws.place.state, "sleep.lock")
    with lock.lock_file(lock_path, what), _stopped_by_signals():
        _record_owner(ws.place)
        try:
            yield
        finally:
            objects.release_packs(ws.place.common_dir)


def recover_and_open(ws: Workspace, *, quiet: bool) -> LockedWiki:
    """Recover what a killed run left, and open the wiki's stores. The caller holds the lock.

    Raises UnsuitableRepo and TryLater where *quiet* and git is not at rest.
    """
    repo = Repo(ws.place)
    journal = ws.journal()
    recovered = (
        publish.recover(repo, journal),
        steps.resume_erasure(repo, journal, real_now()),
    )
    if quiet:
        repo.require_suitable()
        repo.require_quiet()
    notes = [words for words in recovered if words]
    return LockedWiki(repo, journal, open_index(ws), notes)


def _record_owner(place: Place) -> None:
    """Write into a state that is kept elsewhere which repository owns it.

    The repository may have been moved, or copied later.
    """
    home = os.path.realpath(place.common_dir)
    known, token = layout.read_owner(place)
    if place.moved and known != home:
        record = f"{home}\n{token or secrets.token_hex(8)}\n"
        durable.replace(os.path.join(place.state, "home"), record.encode())


_Handler = Callable[[int, FrameType | None], Any] | int | None


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let a logout or a shutdown end a run as Ctrl-C does, which releases git's locks."""

    def stop(*_: object) -> None:
        """Raise KeyboardInterrupt."""
        raise KeyboardInterrupt

    before: dict[signal.Signals, _Handler] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

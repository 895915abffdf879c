"""Unite the packs that runs wrote."""

from companion.runs.locked_wiki import hold_lock
from companion.storage.files import lock
from companion.storage.git import setup
from companion.storage.git.command import GitFailed
from companion.workspace import Workspace


def unite_packs(ws: Workspace) -> None:
    """Make few packs of many where nobody else is at work; else the next night does it."""
    try:
        with hold_lock(ws, "gathering packs"):
            setup.gather_packs(ws.place)
    # git is too old, or the disk is full: many packs are slower, and nothing is lost
    except (lock.Busy, GitFailed):
        return

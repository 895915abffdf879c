"""`uninstall`: take away what companion put outside of the wiki, and what it can make again.

The wiki is the person's: its pages, the record in `.companion/`, the notes that git keeps, and the
journal with notes that git does not have yet all stay.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.assistants.install import run as installing
from companion.maintenance.remotes import merge_driver
from companion.sleep.schedule import install as schedule
from companion.storage.files import durable, lock
from companion.storage.index import private_index
from companion.storage.index.schema import remove_database
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.assistants.results import RemovedThing, UninstallResult

_SCRIPT = "companion"
_STAYS = (
    ("wiki", "the pages, the record in .companion/, and git's history"),
    ("journal", "notes that git may not have yet"),
    ("cold memory", "full texts, sources and notes that git keeps"),
)


def uninstall(ws: Workspace, home: str, *, dry_run: bool) -> "UninstallResult":
    """Take away the schedule, the assistants' settings, completion and caches of this wiki.

    *home* is the person's folder. What serves another wiki stays. With *dry_run* nothing changes.
    Raises Busy, Unreadable, NoTimer or TimerFailed; what was taken away before stays away.
    """
    removed = [
        *_remove_schedule(ws, dry_run=dry_run),
        *_remove_assistants(ws, dry_run=dry_run),
        *_remove_completion(home, dry_run=dry_run),
        *_remove_merge(ws, dry_run=dry_run),
        *_remove_caches(ws, dry_run=dry_run),
    ]
    return {
        "wiki": ws.place.root,
        "removed": removed,
        "stays": [{"what": what, "about": about} for what, about in _STAYS],
        "dry_run": dry_run,
    }


def _remove_schedule(
    ws: Workspace, *, dry_run: bool
) -> "Iterator[RemovedThing]":
    try:
        there = schedule.remove(ws.place.root, dry_run=True)
    # a machine without any timer has no schedule
    except schedule.NoTimer:
        return
    files = [file for file in there["files"] if file["state"] != "missing"]
    if files and not dry_run:
        schedule.remove(ws.place.root)
    for file in files:
        yield {"what": "schedule", "path": file["path"]}


def _remove_assistants(
    ws: Workspace, *, dry_run: bool
) -> "Iterator[RemovedThing]":
    for done in installing.uninstall_all(ws.place.root, dry_run=dry_run):
        for file in done["files"]:
            if file["state"] in ("removed", "changed"):
                yield {"what": done["assistant"], "path": file["path"]}


def _remove_completion(home: str, *, dry_run: bool) -> "Iterator[RemovedThing]":
    """Take away what `--install-completion` wrote: the scripts, and the line that reads the one of
    bash. The lines in .zshrc serve other programs, too.
    """
    script = os.path.join(home, ".bash_completions", f"{_SCRIPT}.sh")
    settings = os.path.join(home, ".bashrc")
    line = f"source '{script}'".encode()
    content = durable.read_if_there(settings) or b""
    lines = content.split(b"\n")
    if line in lines:
        kept = b"\n".join(one for one in lines if one != line)
        if not dry_run:
            # settings are often kept elsewhere and linked to
            real = os.path.realpath(settings)
            mode = os.stat(real).st_mode & 0o777
            durable.replace(real, kept, mode=mode)
        yield {"what": "completion", "path": settings}
    for path in (
        script,
        os.path.join(home, ".zfunc", f"_{_SCRIPT}"),
        os.path.join(home, ".config", "fish", "completions", "companion.fish"),
    ):
        if os.path.isfile(path):
            if not dry_run:
                os.unlink(path)
            yield {"what": "completion", "path": path}


def _remove_merge(ws: Workspace, *, dry_run: bool) -> "Iterator[RemovedThing]":
    """Let git merge pages by itself again."""
    if not merge_driver.is_installed(ws.place):
        return
    if not dry_run:
        merge_driver.uninstall(ws.place)
    path = os.path.join(ws.place.common_dir, "config")
    yield {"what": "merge driver", "path": path}


def _remove_caches(ws: Workspace, *, dry_run: bool) -> "Iterator[RemovedThing]":
    """Take away what the next command makes again of git and of the journal."""
    paths = [
        ws.place.index_db,
        os.path.join(ws.place.state, "vectors.db"),
        private_index.find_path(ws.place),
    ]
    there = [path for path in paths if os.path.exists(path)]
    if there and not dry_run:
        with lock.lock_file(
            os.path.join(ws.place.state, "sleep.lock"), "uninstall"
        ):
            for path in there:
                remove_database(path)
    for path in there:
        yield {"what": "cache", "path": path}

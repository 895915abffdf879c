"""Make a repository and change its settings so that a power cut leaves the old or the new ones.

Git syncs objects, packs, indexes and refs where it is told to, but never a setting, a HEAD or a
folder: an empty ``.git/config`` after a power cut would take a person's whole repository away from
them.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence

from companion.errors import CompanionError
from companion.storage.files import durable
from companion.storage.files.vanished import try_again
from companion.storage.git.command import (
    clean_environment,
    require_git,
    run_git,
)
from companion.storage.git.git_locks import GitBusy, Raced
from companion.storage.git.layout import Place

#: packs that a repository may have; git's own housekeeping has the same number
MOST_PACKS = 50
# where a repository is made before it gets its place
NEW = durable.TEMP + "new"


class CannotInit(CompanionError):
    """A wiki cannot be made here."""

    exit_code = 74
    hint = (
        "See that you may write there and that the disk has room, "
        "then run the same command again."
    )


def create(root: str) -> None:
    """Make the folder *root* a repository with the branch main: a whole one or none.

    Raises CannotInit or GitMissing.
    """
    new = os.path.join(root, NEW)
    try:
        os.makedirs(root, exist_ok=True)
        durable.sync_dir(os.path.dirname(root))
        if os.path.isdir(new):
            _remove_leftover(new)
        _git_init(new)
        sync_all(new)
        os.rename(os.path.join(new, ".git"), os.path.join(root, ".git"))
        os.rmdir(new)
        durable.sync_dir(root)
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            require_git(error)
        raise CannotInit(
            f"{root}: {error.strerror}",
            hint="Choose a folder that you may write to.",
        ) from error


def _remove_leftover(folder: str) -> None:
    """Remove what a killed run began to make. Raises CannotInit for anything else."""
    import shutil

    if set(os.listdir(folder)) - {".git"}:
        raise CannotInit(
            f"{folder} is in the way",
            hint="Move it elsewhere, then run the same command again.",
        )
    shutil.rmtree(folder)


def _git_init(folder: str) -> None:
    done = subprocess.run(
        ["git", "init", "--quiet", "--initial-branch=main", folder],
        capture_output=True,
        env=clean_environment(),
    )
    if done.returncode != 0:
        raise CannotInit(done.stderr.decode(errors="replace").strip())


def configure(
    place: Place,
    settings: Sequence[tuple[str, str]],
    *,
    replaces: bool = False,
) -> None:
    """Add *settings* to git's, all of them or none; with *replaces* in place of those so called.

    Raises GitBusy, Raced or StorageError with nothing changed.
    """
    path = os.path.realpath(os.path.join(place.common_dir, "config"))
    with durable.guarded(path), tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "config")
        before = _read(path)
        durable.write_new(copy, before, sync=False)
        for key, value in settings:
            how = "--replace-all" if replaces else "--add"
            run_git(place, "config", "--file", copy, how, key, value)
        # Git holds its lock for a moment only; what it changes in the instant of ours would go
        # under.
        if os.path.exists(path + ".lock"):
            raise GitBusy(f"git's settings are locked: {path}.lock")
        if _read(path) != before:
            raise Raced("git's settings changed meanwhile")
        durable.replace(path, _read(copy), mode=os.stat(path).st_mode & 0o777)


def sync_all(folder: str) -> None:
    """Make everything below *folder* durable, names included."""
    durable.sync_tree([folder, *_below(folder)])


def sync_objects(place: Place) -> None:
    """Make the names of all objects durable: git syncs what it stores, and never the folders."""
    objects = os.path.join(place.common_dir, "objects")
    # git may pack what lies in a folder, and remove it
    try_again(lambda: _sync_folders(objects))


def _sync_folders(objects: str) -> None:
    folders = []
    with durable.guarded(objects):
        for entry in os.scandir(objects):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
    # the packs last: what leaves a folder meanwhile goes there
    durable.sync_tree(sorted(folders))


def sync_refs(place: Place, refs: Iterable[str]) -> None:
    """Make the names of *refs* durable: git syncs their files, and no folder."""
    paths = [os.path.join(place.common_dir, ref) for ref in refs]
    try_again(lambda: _sync_names(place, paths))


def _sync_names(place: Place, paths: Sequence[str]) -> None:
    loose = filter(os.path.exists, paths)
    folders = {os.path.dirname(path) for path in loose}
    parents = {os.path.dirname(folder) for folder in folders}
    durable.sync_tree(sorted(folders | parents))
    # `git pack-refs` writes a ref there, and then takes away its file and an empty folder
    if not all(map(os.path.exists, paths)):
        durable.sync_tree([os.path.join(place.common_dir, "packed-refs")])


def gather_packs(place: Place) -> bool:
    """Let git make few packs of many, and tell whether there were many.

    Every run writes packs of its own, and git looks into each. Packs of like size are united, so
    that an object is copied a few times in a life; none is dropped, named by a ref or not. Raises
    GitFailed where git is older than 2.32. The caller holds sleep.lock.
    """
    folder = os.path.join(place.common_dir, "objects", "pack")
    names = set(os.listdir(folder))
    packs = [name for name in names if name.endswith(".pack")]
    free = [name for name in packs if f"{name[:-5]}.keep" not in names]
    if len(free) <= MOST_PACKS:
        return False
    run_git(place, "repack", "-q", "-d", "--geometric=2")
    return True


def _below(folder: str) -> Iterator[str]:
    for inside, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = os.path.join(inside, name)
            if not os.path.islink(path):
                yield path


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

"""Where things live: the wiki, its git folders, and companion's own state (design: "Where things
live").

On the hot path of every capture and search, so it reads the few files it needs itself and imports
neither pygit2 nor pathlib.
"""

import os
from typing import NamedTuple

from companion.errors import CompanionError


class NotAWiki(CompanionError):
    """No companion wiki here."""

    exit_code = 10
    hint = "Run `companion init`, or name one with --wiki or COMPANION_WIKI."


class UnsuitableRepo(CompanionError):
    """This git repository cannot hold a wiki."""

    exit_code = 11
    hint = "See what `git status` says there, or make the wiki in a folder of its own: `companion init DIR`."


class DamagedRef(CompanionError):
    """A branch or another ref is damaged."""

    exit_code = 65
    hint = "`git reflog` may tell what it named; `companion doctor` says more."


_HEX = frozenset("0123456789abcdef")


class Place(NamedTuple):
    """The folders of one wiki, all absolute."""

    # the folder that holds .companion/ (the repository's work tree, or a folder inside it)
    root: str
    worktree: str  # the work tree of the git repository
    git_dir: str  # this work tree's git folder (HEAD, index)
    common_dir: str  # objects and refs, shared by all work trees
    state: str  # journal.db, index.db, sleep.lock

    @property
    def beside(self) -> str:
        """companion's folder inside git's own: the state, unless that is kept elsewhere, and what
        must lie on the work tree's file system.
        """
        return os.path.join(self.common_dir, "companion")

    @property
    def moved(self) -> bool:
        """Whether the state is kept outside git's folder, which another machine may write to as
        well.
        """
        return self.state != self.beside

    @property
    def prefix(self) -> str:
        """The wiki's folder inside the repository, with a trailing slash; empty at the top."""
        inside = os.path.relpath(self.root, self.worktree).replace(os.sep, "/")
        return "" if inside == "." else inside + "/"

    @property
    def journal_db(self) -> str:
        return os.path.join(self.state, "journal.db")

    @property
    def index_db(self) -> str:
        return os.path.join(self.state, "index.db")


def find_git_dir(folder: str) -> str | None:
    """Return the git folder whose work tree begins at *folder*; ``.git`` may be a file
    (worktrees).
    """
    path = os.path.join(folder, ".git")
    if os.path.isdir(path):
        return path
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            line = file.readline()
    except (FileNotFoundError, NotADirectoryError):
        return None
    target = line.removeprefix("gitdir:").strip()
    return (
        os.path.normpath(os.path.join(folder, target))
        if line.startswith("gitdir:")
        else None
    )


def find_common_dir(git_dir: str) -> str:
    """Return the folder with objects and refs: *git_dir* itself unless it is a linked work tree."""
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8") as file:
            return os.path.normpath(os.path.join(git_dir, file.read().strip()))
    except FileNotFoundError:
        return git_dir


def make_place(root: str) -> Place | None:
    """Return the place whose wiki root is *root*, or None when no git work tree holds it."""
    folder = root = os.path.abspath(root)
    while True:
        git_dir = find_git_dir(folder)
        if git_dir is not None:
            common = find_common_dir(git_dir)
            return Place(root, folder, git_dir, common, find_state_dir(common))
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def find_place(start: str) -> Place:
    """Return the wiki that *start* lies in: the nearest folder with ``.companion`` inside a git
    work tree.

    While another branch is checked out the folder is missing from the work tree; the state folder
    then still marks the repository, so that a capture is never refused for it. Raises NotAWiki, or
    UnsuitableRepo where the state cannot be this repository's.
    """
    place = _find(start)
    if place.moved:
        _require_own_state(place)
    return place


def _find(start: str) -> Place:
    folder = os.path.abspath(start)
    while True:
        if os.path.isdir(os.path.join(folder, ".companion")):
            place = make_place(folder)
            if place is not None:
                return place
        git_dir = find_git_dir(folder)
        if git_dir is not None:
            common = find_common_dir(git_dir)
            beside = os.path.join(common, "companion")
            if os.path.isdir(beside):
                return Place(
                    _recorded_root(beside, folder),
                    folder,
                    git_dir,
                    common,
                    find_state_dir(common),
                )
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NotAWiki(f"no companion wiki at {start} or above it")
        folder = parent


def find_state_dir(common_dir: str) -> str:
    """Return the folder of journal.db and index.db: what `git config companion.state` says, else
    inside git's own.

    Only the repository's own file is read: a state named for the whole machine would be every
    wiki's. Raises UnsuitableRepo unless it is absolute.
    """
    named = _named_state(_text(os.path.join(common_dir, "config")))
    if named is not None and not os.path.isabs(named):
        raise UnsuitableRepo(
            f"companion.state is {named!r}, no absolute path",
            hint="Name a folder: `git config companion.state PATH`.",
        )
    return named or os.path.join(common_dir, "companion")


def _named_state(config: str) -> str | None:
    section, found = "", None
    for line in config.splitlines() if "state" in config else ():
        line = line.strip()
        if line.startswith("["):
            section = line.lower()
        elif section == "[companion]":
            key, _, value = line.partition("=")
            if key.strip().lower() == "state":
                found = value.strip().strip('"')
    return found


def _require_own_state(place: Place) -> None:
    """Raise UnsuitableRepo where the recorded state is another repository's, or cannot be on this
    machine.
    """
    if is_copy(place):
        raise UnsuitableRepo(
            f"this is a copy of {read_owner(place)[0]}, and {place.state} holds that one's state",
            hint="`companion init` here gives this one a state of its own.",
        )
    parent = place.state
    while not os.path.exists(parent):
        parent = os.path.dirname(parent)
    if not (
        os.path.isdir(parent) and os.access(parent, os.W_OK)
    ) and not os.path.exists(place.journal_db):
        raise UnsuitableRepo(
            f"{place.state}, where companion's state is kept, cannot be made here",
            hint="It may be another machine's: `companion init` records a folder of this one.",
        )


def is_copy(place: Place) -> bool:
    """Tell whether the recorded state is another repository's: one that is there and names it, not
    where we were.
    """
    other = read_owner(place)[0]
    if (
        not place.moved
        or not os.path.isdir(other)
        or os.path.samefile(other, place.common_dir)
    ):
        return False
    return find_state_dir(other) == place.state


def read_owner(place: Place) -> tuple[str, str]:
    """Return (git folder, token) of the repository that a moved state belongs to; empty before
    `claim`.
    """
    home, _, token = _text(os.path.join(place.state, "home")).partition("\n")
    return home, token.strip()


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _recorded_root(beside: str, worktree: str) -> str:
    try:
        with open(
            os.path.join(beside, "prefix"),
            encoding="utf-8",
            errors="surrogateescape",
        ) as file:
            root = os.path.normpath(os.path.join(worktree, file.read().strip()))
    except FileNotFoundError:
        return worktree
    if "\0" in root or os.path.commonpath((root, worktree)) != worktree:
        hint = "`companion init FOLDER` records again where the wiki lies in the repository."
        raise UnsuitableRepo(
            f"{beside}/prefix names no folder in this repository", hint=hint
        )
    return root


def read_only_uri(path: str) -> str:
    """Return the URI that opens the database at *path* for reading, also where nothing can be
    written.
    """
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    # SQLite needs its -shm file to read a database in WAL mode. Where it is missing and none can be
    # made, nobody is writing, and with no -wal beside it the file itself is complete.
    frozen = not os.access(
        os.path.dirname(path), os.W_OK
    ) and not os.path.exists(path + "-shm")
    return f"file:{quoted}?immutable=1" if frozen else f"file:{quoted}?mode=ro"


def read_ref(place: Place, name: str) -> str | None:
    """Return the object id *name* points to, following one symbolic step; None when it does not
    exist.
    """
    base = place.git_dir if name == "HEAD" else place.common_dir
    try:
        with open(
            os.path.join(base, name), encoding="utf-8", errors="surrogateescape"
        ) as file:
            text = file.read().strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return _packed_ref(place, name)
    if text.startswith("ref:") and name == "HEAD":
        return read_ref(place, text[4:].strip())
    return _object_id(text, name)


def _object_id(text: str, name: str) -> str:
    if len(text) != 40 or not set(text) <= _HEX:
        raise DamagedRef(
            f"{name} names no commit",
            hint=f"`git reflog {name}` may tell which; see `companion doctor`.",
        )
    return text


def read_head_branch(place: Place) -> str | None:
    """Return the full name of the branch that HEAD names, or None on a detached HEAD."""
    with open(
        os.path.join(place.git_dir, "HEAD"),
        encoding="utf-8",
        errors="surrogateescape",
    ) as file:
        text = file.read().strip()
    return text[4:].strip() if text.startswith("ref:") else None


def read_refs(place: Place, folder: str) -> dict[str, str]:
    """Return what every ref below *folder* (like ``refs/companion``) names."""
    found = {}
    try:
        with open(
            os.path.join(place.common_dir, "packed-refs"),
            encoding="utf-8",
            errors="surrogateescape",
        ) as file:
            for line in file:
                id, _, name = line.rstrip("\n").partition(" ")
                if name.startswith(folder + "/"):
                    found[name] = id
    except FileNotFoundError:
        pass  # git packs refs now and then only
    for below, _, names in os.walk(os.path.join(place.common_dir, folder)):
        inside = os.path.relpath(below, place.common_dir).replace(os.sep, "/")
        for name in names:
            id_ = (
                None
                if name.endswith(".lock")
                else read_ref(place, f"{inside}/{name}")
            )
            if id_ is not None:
                found[f"{inside}/{name}"] = id_
    return found


def _packed_ref(place: Place, name: str) -> str | None:
    try:
        with open(
            os.path.join(place.common_dir, "packed-refs"),
            encoding="utf-8",
            errors="surrogateescape",
        ) as file:
            for line in file:
                if line.rstrip("\n").endswith(" " + name):
                    return _object_id(line.split(" ", 1)[0], name)
    except FileNotFoundError:
        return None
    return None

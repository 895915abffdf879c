"""Find the wiki, its git folders and companion's own state.

On the hot path of every capture and search, so it reads the few files it needs itself and imports
neither pygit2 nor pathlib.
"""

import os
from collections.abc import Iterator

from companion.errors import CompanionError
from companion.tuples import NamedTuple


class NotAWiki(CompanionError):
    """No companion wiki here."""

    exit_code = 10
    hint = "Run `companion init`, or name one with --wiki or COMPANION_WIKI."


class UnsuitableRepo(CompanionError):
    """This git repository cannot hold a wiki."""

    exit_code = 11
    hint = (
        "See what `git status` says there, "
        "or make the wiki in a folder of its own: `companion init DIR`."
    )


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
        """companion's folder inside git's own.

        It holds the state, unless that is kept elsewhere, and what must lie on the work tree's file
        system.
        """
        return os.path.join(self.common_dir, "companion")

    @property
    def moved(self) -> bool:
        """Whether the state lies outside git's folder, which another machine may write to, too."""
        return self.state != self.beside

    @property
    def prefix(self) -> str:
        """The wiki's folder inside the repository, with a trailing slash; empty at the top."""
        inside = os.path.relpath(self.root, self.worktree).replace(os.sep, "/")
        if inside == ".":
            return ""
        return inside + "/"

    @property
    def journal_db(self) -> str:
        """The path of the journal."""
        return os.path.join(self.state, "journal.db")

    @property
    def index_db(self) -> str:
        """The path of the index."""
        return os.path.join(self.state, "index.db")


def find_git_dir(folder: str) -> str | None:
    """Return the git folder whose work tree begins at *folder*; ``.git`` may be a file."""
    path = os.path.join(folder, ".git")
    if os.path.isdir(path):
        return path
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            line = file.readline()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not line.startswith("gitdir:"):
        return None
    target = line.removeprefix("gitdir:").strip()
    return os.path.normpath(os.path.join(folder, target))


def find_common_dir(git_dir: str) -> str:
    """Return the folder with objects and refs: *git_dir* itself unless it is a linked work tree."""
    try:
        with open(os.path.join(git_dir, "commondir"), encoding="utf-8") as file:
            return os.path.normpath(os.path.join(git_dir, file.read().strip()))
    except FileNotFoundError:
        return git_dir


def make_place(root: str) -> Place | None:
    """Return the place whose wiki root is *root*, or None when no git work tree holds it.

    Raises UnsuitableRepo.
    """
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
    """Return the wiki of *start*: the nearest folder with ``.companion`` inside a git work tree.

    While another branch is checked out the folder is missing from the work tree; the state folder
    then still marks the repository, so that companion can take captures. Raises NotAWiki, or
    UnsuitableRepo where the state cannot be this repository's.
    """
    place = _search_upwards(start)
    if place.moved:
        _require_own_state(place)
    return place


def _search_upwards(start: str) -> Place:
    folder = os.path.abspath(start)
    while True:
        place = _place_at(folder)
        if place is not None:
            return place
        parent = os.path.dirname(folder)
        if parent == folder:
            raise NotAWiki(f"no companion wiki at {start} or above it")
        folder = parent


def _place_at(folder: str) -> Place | None:
    """Return the wiki at *folder*, or the one in the repository that begins there."""
    if os.path.isdir(os.path.join(folder, ".companion")):
        place = make_place(folder)
        if place is not None:
            return place
    git_dir = find_git_dir(folder)
    if git_dir is None:
        return None
    common = find_common_dir(git_dir)
    beside = os.path.join(common, "companion")
    if not os.path.isdir(beside):
        return None
    root = _read_recorded_root(beside, folder)
    return Place(root, folder, git_dir, common, find_state_dir(common))


def find_state_dir(common_dir: str) -> str:
    """Return the folder of journal.db and index.db.

    `git config companion.state` names it; else it lies inside git's own. Only the repository's own
    file is read: a state named for the whole machine would be every wiki's. Raises UnsuitableRepo
    unless the name is an absolute path.
    """
    config = _read_text(os.path.join(common_dir, "config"))
    named = _find_setting(config, "state")
    if named is not None and not os.path.isabs(named):
        raise UnsuitableRepo(
            f"companion.state is {named!r}, no absolute path",
            hint="Name a folder: `git config companion.state PATH`.",
        )
    return named or os.path.join(common_dir, "companion")


def read_device(place: Place) -> str | None:
    """Return what its person called this device; None where it has no name.

    Like the state, it is the repository's own setting.
    """
    config = _read_text(os.path.join(place.common_dir, "config"))
    return _find_setting(config, "device") or None


def _find_setting(config: str, name: str) -> str | None:
    """Return the value of companion's setting *name* in the text of a git config file."""
    if name not in config:
        return None
    section = ""
    found = None
    for line in config.splitlines():
        line = line.strip()
        if line.startswith("["):
            section = line.lower()
        elif section == "[companion]":
            key, _, value = line.partition("=")
            if key.strip().lower() == name:
                found = _unquote(value.strip())
    return found


def _unquote(value: str) -> str:
    """Return what git means by the *value* that it wrote."""
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    # no value has NUL: it stands for a backslash until the others are gone
    return value.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")


def _require_own_state(place: Place) -> None:
    """Raise UnsuitableRepo where the recorded state is not this repository's, or cannot be here."""
    if is_copy(place):
        raise UnsuitableRepo(
            f"this is a copy of {read_owner(place)[0]}, and {place.state} holds that one's state",
            hint="`companion init` here gives this one a state of its own.",
        )
    if not os.path.exists(place.journal_db) and not _can_make(place.state):
        raise UnsuitableRepo(
            f"{place.state}, where companion's state is kept, cannot be made here",
            hint="It may be another machine's: `companion init` records a folder of this one.",
        )


def _can_make(folder: str) -> bool:
    """Tell whether *folder* is there, or can be made, for writing."""
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return os.path.isdir(folder) and os.access(folder, os.W_OK)


def is_copy(place: Place) -> bool:
    """Tell whether the recorded state belongs to another repository, which is still there.

    Raises UnsuitableRepo.
    """
    other = read_owner(place)[0]
    if not place.moved or not os.path.isdir(other):
        return False
    if os.path.samefile(other, place.common_dir):
        return False
    return find_state_dir(other) == place.state


def read_owner(place: Place) -> tuple[str, str]:
    """Return (git folder, token) of the repository that a moved state belongs to.

    Both are empty where no run has recorded them yet.
    """
    home, _, token = _read_text(os.path.join(place.state, "home")).partition(
        "\n"
    )
    return home, token.strip()


def find_other_wiki(place: Place) -> str | None:
    """Return the folder of a wiki that the repository of *place* holds elsewhere than there, or
    None.

    One repository has one state: a second wiki in it would take the first one over.
    """
    folder = place.root
    while folder != place.worktree:
        folder = os.path.dirname(folder)
        if _is_wiki(folder):
            return folder
    inside = _read_text(os.path.join(place.beside, "prefix")).strip()
    recorded = os.path.normpath(os.path.join(place.worktree, inside))
    if recorded == place.root or "\0" in recorded:
        return None
    return recorded if _is_wiki(recorded) else None


def _is_wiki(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, ".companion", "companion.yaml"))


_BUSY_FILES = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisect",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}


def find_operation(place: Place) -> str | None:
    """Return what git is in the middle of ("a merge"), or None."""
    for name, what in _BUSY_FILES.items():
        if os.path.exists(os.path.join(place.git_dir, name)):
            return what
    return None


def _read_text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return ""


def _read_recorded_root(beside: str, worktree: str) -> str:
    inside = _read_text(os.path.join(beside, "prefix")).strip()
    root = os.path.normpath(os.path.join(worktree, inside))
    if "\0" in root or os.path.commonpath((root, worktree)) != worktree:
        hint = "`companion init FOLDER` records again where the wiki lies in the repository."
        raise UnsuitableRepo(
            f"{beside}/prefix names no folder in this repository", hint=hint
        )
    return root


def read_only_uri(path: str) -> str:
    """Return the URI that opens the database at *path* for reading, also in a read-only folder."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    # SQLite needs its -shm file to read a database in WAL mode. Where it is missing and none can be
    # made, nobody is writing, and with no -wal beside it the file itself is complete.
    can_write = os.access(os.path.dirname(path), os.W_OK)
    if can_write or os.path.exists(path + "-shm"):
        return f"file:{quoted}?mode=ro"
    return f"file:{quoted}?immutable=1"


def read_ref(place: Place, name: str) -> str | None:
    """Return the object id that *name* points to, None when it does not exist; HEAD is followed.

    Raises DamagedRef.
    """
    base = place.common_dir
    if name == "HEAD":
        base = place.git_dir
    try:
        with open(
            os.path.join(base, name), encoding="utf-8", errors="surrogateescape"
        ) as file:
            text = file.read().strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return _packed_ref(place, name)
    if text.startswith("ref:") and name == "HEAD":
        return read_ref(place, text[4:].strip())
    return _check_object_id(text, name)


def _check_object_id(text: str, name: str) -> str:
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
    if not text.startswith("ref:"):
        return None
    return text[4:].strip()


def read_refs(place: Place, folder: str) -> dict[str, str]:
    """Return what every ref below *folder* (like ``refs/companion``) names. Raises DamagedRef."""
    names = {}
    # Before the packed ones: git packs a ref, and only then takes away its file.
    for name in _list_loose_refs(place, folder):
        oid = read_ref(place, name)
        if oid is not None:
            names[name] = oid
    for name, id in _list_packed_refs(place):
        if name.startswith(folder + "/"):
            names.setdefault(name, id)
    return names


def _list_loose_refs(place: Place, folder: str) -> Iterator[str]:
    """Yield the names of the refs that have a file of their own below *folder*."""
    for below, _, files in os.walk(os.path.join(place.common_dir, folder)):
        inside = os.path.relpath(below, place.common_dir).replace(os.sep, "/")
        for file in files:
            if not file.endswith(".lock"):
                yield f"{inside}/{file}"


def _packed_ref(place: Place, name: str) -> str | None:
    for packed, oid in _list_packed_refs(place):
        if packed == name:
            return _check_object_id(oid, name)
    return None


def _list_packed_refs(place: Place) -> Iterator[tuple[str, str]]:
    """Yield the name and the object id of every ref that git has packed."""
    path = os.path.join(place.common_dir, "packed-refs")
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                oid, _, name = line.rstrip("\n").partition(" ")
                yield name, oid
    except FileNotFoundError:
        return  # git packs refs now and then only

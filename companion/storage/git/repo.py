"""Read the wiki's git repository, compare its trees, and say when git is busy with it.

pygit2 reads; nothing here writes, and nothing here runs a hook or a filter.
"""

import os
from collections.abc import Iterator, Mapping

import pygit2

from companion.errors import CompanionError
from companion.storage.git import layout
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.layout import Place, UnsuitableRepo
from companion.storage.git.trees import (
    EMPTY_TREE,
    GITLINK,
    TREE,
    Entry,
    parse_tree,
    read_by_name,
)
from companion.tuples import NamedTuple

# libgit2 maps up to 8 GiB of packs: a night that reads an export of gigabytes is to stay small
pygit2.settings.mwindow_size = 16 << 20  # bytes
pygit2.settings.mwindow_mapped_limit = 64 << 20

_REGULAR = (0o100644, 0o100755, 0o100664)
_REMEMBERED_FOLDERS = 64
NEAR = 16  # commits; a night makes a few
_KEPT = 32 * 2**20  # bytes of blobs that are kept until they are read


class TryLater(CompanionError):
    """The repository is in the middle of something."""

    exit_code = 75
    hint = "Nothing was changed. Finish it (or switch back) and run this again."


class MissingObject(CompanionError):
    """An object that the wiki needs is not in the repository."""

    exit_code = 65
    hint = "Run `companion doctor`; `git fetch` may bring it back from another copy."


class DamagedObject(CompanionError):
    """An object that the wiki needs cannot be read."""

    exit_code = 65
    hint = "`companion doctor` says what it was; `git fetch` or a backup of .git may bring it back."


class Change(NamedTuple):
    """One path that differs between two trees; None where it is absent."""

    path: str
    old: str | None
    new: str | None


class Repo:
    """Read access to one wiki's repository; names are as git holds them."""

    def __init__(self, place: Place) -> None:
        self.place = place
        # blobs that were just written and are read once more, by id, and the room for others
        self._kept: dict[str, bytes] = {}
        self._room = _KEPT
        # the last trees looked into, by id
        self._folders: dict[str, dict[str, Entry]] = {}
        # Whether git changes bytes on their way in; None until somebody asked.
        self.conversions: bool | None = None
        try:
            self.git = pygit2.Repository(place.git_dir)
        except pygit2.GitError as error:
            raise UnsuitableRepo(
                f"git cannot open {place.git_dir}: {error}"
            ) from error

    def look_into(self, objects: str) -> None:
        """Read the objects in the folder *objects*, too."""
        self.git.odb.add_disk_alternate(objects)

    # -- objects -----------------------------------------------------------------------------------

    def keep_until_read(self, id: str, data: bytes) -> None:
        """Keep the bytes *data* of the blob *id*, where there is room, until it is read once: git
        need not unpack what was just written.
        """
        if len(data) <= self._room and id not in self._kept:
            self._room -= len(data)
            self._kept[id] = data

    def blob(self, id: str) -> bytes:
        """Return a blob's bytes. Raises MissingObject."""
        kept = self._kept.pop(id, None)
        if kept is not None:
            self._room += len(kept)
            return kept
        with _reading(id):
            return self.git.read(id)[1]

    def text(self, id: str, *, exact: bool = False) -> str:
        """Return a blob's text. Raises MissingObject.

        Bytes that are no UTF-8 become U+FFFD; with *exact* they become surrogates, and the text can
        be encoded to the same bytes again.
        """
        errors = "replace"
        if exact:
            errors = "surrogateescape"
        return self.blob(id).decode("utf-8", errors)

    def has(self, id: str) -> bool:
        """Return whether git has the object *id*."""
        with _reading(id):
            return id in self.git

    def size(self, id: str) -> int:
        """Return the number of an object's bytes, which are not read. Raises MissingObject."""
        with _reading(id):
            return self.git.odb.read_header(id)[1]

    def is_blob(self, id: str) -> bool:
        """Tell whether git has the object *id*, and it is the bytes of a file."""
        with _reading(id):
            if id not in self.git:
                return False
            kind = self.git.odb.read_header(id)[0]
            return bool(kind == pygit2.enums.ObjectType.BLOB)

    def knows(self, id: str) -> bool:
        """Return whether git has a name for the object *id*; its bytes are not read."""
        with _reading(id):
            return id in self.git.odb

    def entries(self, tree: str) -> list[Entry]:
        """Return a tree's entries; names that are no UTF-8 keep their bytes by surrogates."""
        if tree == EMPTY_TREE:
            return []
        with _reading(tree):
            return parse_tree(self.blob(tree))

    def subtree(self, tree: str | None, path: str) -> str | None:
        """Return the id of the object at *path* inside *tree*, or None."""
        for part in filter(None, path.split("/")):
            if tree is None:
                return None
            entry = self._entries_by_name(tree).get(part)
            if entry is None:
                return None
            tree = entry.id
        return tree

    def mode(self, tree: str | None, path: str) -> int | None:
        """Return the mode of the file at *path* inside *tree*, or None."""
        folder, _, name = path.rpartition("/")
        inside = self.subtree(tree, folder)
        if inside is None:
            return None
        entry = self._entries_by_name(inside).get(name)
        if entry is None:
            return None
        return entry.mode

    def _entries_by_name(self, tree: str) -> Mapping[str, Entry]:
        # A run asks for many paths of the same few folders.
        entries = self._folders.get(tree)
        if entries is None:
            if len(self._folders) >= _REMEMBERED_FOLDERS:
                self._folders.clear()
            entries = read_by_name(self.entries, tree)
            self._folders[tree] = entries
        return entries

    def walk(
        self, tree: str | None, prefix: str = ""
    ) -> Iterator[tuple[str, int, str]]:
        """Yield (path, mode, id) of every file; submodules and symlinks are not entered."""
        # a stack of its own: somebody else's tree may be deeper than calls can be
        waiting = [] if tree is None else [(prefix, iter(self.entries(tree)))]
        while waiting:
            folder, entries = waiting[-1]
            entry = next(entries, None)
            if entry is None:
                waiting.pop()
            elif entry.mode == TREE:
                inner = iter(self.entries(entry.id))
                waiting.append((f"{folder}{entry.name}/", inner))
            else:
                yield folder + entry.name, entry.mode, entry.id

    def list_blobs(self, tree: str | None) -> set[str]:
        """Return the blobs in *tree*; each folder is looked into once, wherever it stands."""
        blobs: set[str] = set()
        seen: set[str] = set()
        waiting = [] if tree is None else [tree]
        while waiting:
            folder = waiting.pop()
            if folder in seen:
                continue
            seen.add(folder)
            for _, mode, id in self.entries(folder):
                if mode == TREE:
                    waiting.append(id)
                elif mode != GITLINK:
                    blobs.add(id)
        return blobs

    def changes(
        self, old: str | None, new: str | None, prefix: str = ""
    ) -> Iterator[Change]:
        """Yield every regular file that differs; the cost grows with the difference."""
        if old == new:
            return
        before = read_by_name(self.entries, old)
        after = read_by_name(self.entries, new)
        for name in sorted(before.keys() | after.keys()):
            was = before.get(name)
            now = after.get(name)
            if was == now:
                continue
            path = prefix + name
            yield from self.changes(_tree_id(was), _tree_id(now), path + "/")
            if _file_id(was) != _file_id(now):
                yield Change(path, _file_id(was), _file_id(now))

    # -- the branch --------------------------------------------------------------------------------

    @property
    def branch(self) -> str:
        """The full name of the wiki's branch: the one that was checked out at init."""
        recorded = self.config("companion.branch")
        if recorded:
            return f"refs/heads/{recorded}"
        return layout.read_head_branch(self.place) or "refs/heads/main"

    def tip(self) -> str | None:
        """Return the commit that the wiki's branch points to; None before the first commit."""
        return layout.read_ref(self.place, self.branch)

    def tree_of(self, commit: str | None) -> str | None:
        """Return the whole tree of a commit; None where there is no commit."""
        if commit is None:
            return None
        with _reading(commit):
            return str(self.git[commit].peel(pygit2.Tree).id)

    def parent_of(self, commit: str) -> str | None:
        """Return a commit's first parent; None for the first, and where a shallow clone ends."""
        parents = self._parent_ids(commit)
        if not parents or not self.has(parents[0]):
            return None
        return parents[0]

    def parents_of(self, commit: str) -> list[str]:
        """Return a commit's parents, as far as this clone has them."""
        return [id for id in self._parent_ids(commit) if self.has(id)]

    def _parent_ids(self, commit: str) -> list[str]:
        parents = self.git[commit].peel(pygit2.Commit).parent_ids
        return [str(id) for id in parents]

    def wiki_tree(self, commit: str | None) -> str | None:
        """Return the wiki's own tree in a commit: the whole one, or the folder it lives in."""
        return self.subtree(self.tree_of(commit), self.place.prefix)

    def is_ancestor(self, old: str, new: str) -> bool:
        """Return whether *new* is *old* or descends from it."""
        with _reading(new):
            return (
                old == new
                or self._is_shortly_before(old, new)
                or (self.has(old) and bool(self.git.descendant_of(new, old)))
            )

    def _is_shortly_before(self, old: str, new: str) -> bool:
        """Tell whether *old* is one of the `NEAR` first parents before *new*.

        libgit2 reads the whole history to say so.
        """
        before: str | None = new
        for _ in range(NEAR):
            before = self.parent_of(before) if before else None
            if before == old:
                return True
        return False

    def config(self, key: str) -> str | None:
        """Return a git setting as text, or None."""
        config = self.git.config
        if key not in config:
            return None
        return str(config[key])

    def config_values(self, key: str) -> list[str]:
        """Return every value of a git setting that may stand several times."""
        values = self.git.config.get_multivar(key)
        return [value for value in values if value is not None]

    def flag(self, key: str) -> bool:
        """Return whether a git setting is on."""
        config = self.git.config
        return key in config and config.get_bool(key)

    def filters_off(self) -> dict[str, str]:
        """Return the settings that keep git from running any filter program.

        A wiki may be a stranger's clone.
        """
        # Git is asked: libgit2 knows no GIT_CONFIG_GLOBAL, GIT_CONFIG_COUNT or conditional include.
        listing = run_git(self.place, "config", "-z", "--name-only", "--list")
        settings = {}
        for name in listing.decode("utf-8", "surrogateescape").split("\0"):
            if name.startswith("filter."):
                key = name.rpartition(".")[0]
                settings[f"{key}.clean"] = ""
                settings[f"{key}.smudge"] = ""
                settings[f"{key}.process"] = ""
                settings[f"{key}.required"] = "false"
        return settings

    def author(self) -> tuple[str, str]:
        """Return the person's name and address from git's settings or GIT_AUTHOR_*.

        Git's guess from the machine's name is not asked for: it would put that name into every
        commit. Where git knows nobody, "companion" stands in.
        """
        args = ("-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT")
        try:
            ident = run_git(self.place, *args)
        except GitFailed:
            name = self.config("user.name") or "companion"
            email = self.config("user.email") or "companion@localhost"
            return name, email
        name, _, rest = ident.decode("utf-8", "replace").partition(" <")
        return name, rest.partition(">")[0]

    # -- keeping away ------------------------------------------------------------------------------

    def require_suitable(self) -> None:
        """Raise UnsuitableRepo for repositories whose rules we cannot keep."""
        if self.git.is_bare:
            raise UnsuitableRepo(
                "a bare repository has no pages",
                hint="Clone it and use the clone.",
            )
        if self.config("extensions.objectformat") not in (None, "sha1"):
            raise UnsuitableRepo(
                "this repository uses sha256 object names",
                hint="Use a sha1 repository.",
            )
        if self.config("extensions.refstorage") not in (None, "files"):
            raise UnsuitableRepo("this repository keeps its refs in a reftable")
        if self.flag("core.splitIndex"):
            raise UnsuitableRepo(
                "this repository asks for a split index",
                hint="`git config core.splitIndex false` here.",
            )
        if self.flag("core.sparseCheckout"):
            raise UnsuitableRepo(
                "this repository asks for a sparse checkout",
                hint="`git sparse-checkout disable` here.",
            )
        self._require_whole_index()
        self._require_whole_clone()

    def _require_whole_index(self) -> None:
        names = os.listdir(self.place.git_dir)
        if not any(name.startswith("sharedindex.") for name in names):
            return
        # One may be left over: git knows whether its index still needs it.
        if run_git(self.place, "rev-parse", "--shared-index-path").strip():
            raise UnsuitableRepo(
                "git's index is split",
                hint="`git update-index --no-split-index` here.",
            )

    def _require_whole_clone(self) -> None:
        names = [entry.name for entry in self.git.config]
        is_promised = any(
            name.endswith(".promisor") and self.flag(name) for name in names
        )
        if is_promised or self.config("extensions.partialclone") is not None:
            raise UnsuitableRepo(
                "this clone fetches its objects one by one, when they are asked for",
                hint="Clone it whole, without --filter: a run and a read may be offline.",
            )

    def require_quiet(self) -> None:
        """Raise TryLater in the middle of a git operation, and off the wiki's branch."""
        self.require_no_operation()
        head = layout.read_head_branch(self.place)
        if head is None:
            raise TryLater("HEAD is detached: no branch is checked out")
        if head != self.branch:
            raise TryLater(
                f"{_short(head)} is checked out; the wiki lives on {_short(self.branch)}"
            )

    def require_no_operation(self) -> None:
        """Raise TryLater in the middle of a merge, rebase, cherry-pick, revert or bisect."""
        what = layout.find_operation(self.place)
        if what is not None:
            raise TryLater(f"git is in the middle of {what}")


class _reading:
    """A block that reads the object *id*: pygit2's errors become MissingObject or DamagedObject."""

    def __init__(self, id: str) -> None:
        self.id = id

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: object, error: BaseException | None, trace: object
    ) -> None:
        if isinstance(error, KeyError):
            raise MissingObject(f"object {self.id} is missing") from error
        if isinstance(error, pygit2.GitError | ValueError):
            raise DamagedObject(
                f"object {self.id} cannot be read: {error}"
            ) from error


def _tree_id(entry: Entry | None) -> str | None:
    if entry is None or entry.mode != TREE:
        return None
    return entry.id


def _file_id(entry: Entry | None) -> str | None:
    if entry is None or entry.mode not in _REGULAR:
        return None
    return entry.id


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/")

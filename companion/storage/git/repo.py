"""The wiki's git repository: reading objects, comparing trees, and knowing when to keep away.

pygit2 reads; nothing here writes, and nothing here runs a hook or a filter.
"""

import os
import subprocess
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pygit2

from companion.errors import CompanionError
from companion.storage.git import layout
from companion.storage.git.layout import Place, UnsuitableRepo

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
TREE, LINK = 0o040000, 0o120000

_BUSY_FILES = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "BISECT_LOG": "a bisect",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}


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
    """Read access to one wiki's repository. Paths are relative to the wiki's root, names as git
    holds them.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self._folders: dict[str, dict[str, tuple[int, str]]] = {}
        # whether git changes bytes on their way in; unknown until asked
        self.conversions: bool | None = None
        try:
            self.git = pygit2.Repository(place.git_dir)
        except pygit2.GitError as error:
            raise UnsuitableRepo(f"git cannot open {place.git_dir}: {error}") from error

    # -- objects -----------------------------------------------------------------------------------

    def blob(self, id: str) -> bytes:
        """Return a blob's bytes. Raises MissingObject."""
        with _reading(id):
            return self.git.read(id)[1]

    def text(self, id: str, *, exact: bool = False) -> str:
        """Return a blob's text. Raises MissingObject.

        Bytes that are no UTF-8 become U+FFFD; with *exact* they become surrogates, and the text can
        be encoded to the same bytes again.
        """
        return self.blob(id).decode("utf-8", "surrogateescape" if exact else "replace")

    def has(self, id: str) -> bool:
        with _reading(id):
            return id in self.git

    def entries(self, tree: str) -> list[tuple[str, int, str]]:
        """Return a tree's (name, mode, id); names that are no UTF-8 keep their bytes by
        surrogates.
        """
        if tree == EMPTY_TREE:
            return []
        with _reading(tree):
            return _parse_tree(self.blob(tree))

    def subtree(self, tree: str | None, path: str) -> str | None:
        """Return the id of the object at *path* inside *tree*, or None."""
        for part in filter(None, path.split("/")):
            if tree is None:
                return None
            tree = self._names(tree).get(part, (0, None))[1]
        return tree

    def mode(self, tree: str | None, path: str) -> int | None:
        """Return the mode of the file at *path* inside *tree*, or None."""
        folder, _, name = path.rpartition("/")
        inside = self.subtree(tree, folder)
        return None if inside is None else self._names(inside).get(name, (None, ""))[0]

    def _names(self, tree: str) -> Mapping[str, tuple[int | None, str | None]]:
        """Remember the last folders looked into: a run asks for many paths of the same few."""
        found = self._folders.get(tree)
        if found is None:
            if len(self._folders) >= 64:
                self._folders.clear()
            found = self._folders[tree] = {
                name: (mode, id) for name, mode, id in self.entries(tree)
            }
        return found

    def walk(self, tree: str | None, prefix: str = "") -> Iterator[tuple[str, int, str]]:
        """Yield (path, mode, id) of every file; submodules and symlinks with their mode, never
        entered.
        """
        for name, mode, id in self.entries(tree) if tree else ():
            if mode == TREE:
                yield from self.walk(id, prefix + name + "/")
            else:
                yield prefix + name, mode, id

    def changes(self, old: str | None, new: str | None, prefix: str = "") -> Iterator[Change]:
        """Yield every regular file that differs between two trees, at a cost that grows with the
        difference.
        """
        if old == new:
            return
        before = {name: (mode, id) for name, mode, id in self.entries(old)} if old else {}
        after = {name: (mode, id) for name, mode, id in self.entries(new)} if new else {}
        for name in sorted(before.keys() | after.keys()):
            was, now = before.get(name), after.get(name)
            if was == now:
                continue
            yield from self.changes(_tree_id(was), _tree_id(now), prefix + name + "/")
            if _file_id(was) != _file_id(now):
                yield Change(prefix + name, _file_id(was), _file_id(now))

    # -- the branch --------------------------------------------------------------------------------

    @property
    def branch(self) -> str:
        """The full name of the wiki's branch: the one that was checked out at init."""
        recorded = self.config("companion.branch")
        return (
            f"refs/heads/{recorded}"
            if recorded
            else (layout.head_branch(self.place) or "refs/heads/main")
        )

    def tip(self) -> str | None:
        """Return the commit that the wiki's branch points to; None before the first commit."""
        return layout.read_ref(self.place, self.branch)

    def tree_of(self, commit: str | None) -> str | None:
        """Return the whole tree of a commit."""
        with _reading(commit or ""):
            return None if commit is None else str(self.git[commit].peel(pygit2.Tree).id)

    def parent_of(self, commit: str) -> str | None:
        """Return a commit's first parent; None for the first commit, and where a shallow clone
        ends.
        """
        parents = self.git[commit].peel(pygit2.Commit).parent_ids
        return str(parents[0]) if parents and self.has(str(parents[0])) else None

    def parents_of(self, commit: str) -> list[str]:
        """Return a commit's parents, as far as this clone has them."""
        return [
            str(id) for id in self.git[commit].peel(pygit2.Commit).parent_ids if self.has(str(id))
        ]

    def wiki_tree(self, commit: str | None) -> str | None:
        """Return the wiki's own tree in a commit: the whole one, or the folder it lives in."""
        return self.subtree(self.tree_of(commit), self.place.prefix)

    def is_ancestor(self, old: str, new: str) -> bool:
        with _reading(new):
            return old == new or (self.has(old) and bool(self.git.descendant_of(new, old)))

    def config(self, key: str) -> str | None:
        """Return a git setting as text, or None."""
        config = self.git.config
        return str(config[key]) if key in config else None

    def flag(self, key: str) -> bool:
        config = self.git.config
        return key in config and config.get_bool(key)

    def filters_off(self) -> dict[str, str]:
        """Return the settings that keep git from running any filter program: a wiki may be a
        stranger's clone.
        """
        # Git is asked: libgit2 knows no GIT_CONFIG_GLOBAL, GIT_CONFIG_COUNT or conditional include.
        names = run_git(self.place, "config", "-z", "--name-only", "--list").decode(
            "utf-8", "surrogateescape"
        )
        keys = {name.rpartition(".")[0] for name in names.split("\0") if name.startswith("filter.")}
        empty = {f"{key}.{part}": "" for key in keys for part in ("clean", "smudge", "process")}
        return {**empty, **{f"{key}.required": "false" for key in keys}}

    def author(self) -> tuple[str, str]:
        """Return the person as git knows them, from its settings or GIT_AUTHOR_*; a plain name
        where it does not.

        Git's guess from the machine's name is not asked for: it would put that name into every
        commit.
        """
        try:
            said = run_git(self.place, "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT")
        except GitFailed:
            return self.config("user.name") or "companion", self.config(
                "user.email"
            ) or "companion@localhost"
        name, _, rest = said.decode("utf-8", "replace").partition(" <")
        return name, rest.partition(">")[0]

    # -- keeping away ------------------------------------------------------------------------------

    def require_suitable(self) -> None:
        """Raise UnsuitableRepo for repositories whose rules we cannot keep."""
        if self.git.is_bare:
            raise UnsuitableRepo(
                "a bare repository has no pages", hint="Clone it and use the clone."
            )
        if self.config("extensions.objectformat") not in (None, "sha1"):
            raise UnsuitableRepo(
                "this repository uses sha256 object names", hint="Use a sha1 repository."
            )
        if self.config("extensions.refstorage") not in (None, "files"):
            raise UnsuitableRepo("this repository keeps its refs in a reftable")
        for key, what, hint in (
            ("core.splitIndex", "a split index", "`git config core.splitIndex false` here."),
            ("core.sparseCheckout", "a sparse checkout", "`git sparse-checkout disable` here."),
        ):
            if self.flag(key):
                raise UnsuitableRepo(f"this repository asks for {what}", hint=hint)
        self._require_whole()

    def _require_whole(self) -> None:
        """Raise UnsuitableRepo where git keeps its index, or its objects, in parts that we cannot
        read.
        """
        parts = any(name.startswith("sharedindex.") for name in os.listdir(self.place.git_dir))
        # One may be left over: git knows whether its index still needs it.
        if parts and run_git(self.place, "rev-parse", "--shared-index-path").strip():
            raise UnsuitableRepo(
                "git's index is split", hint="`git update-index --no-split-index` here."
            )
        named = (entry.name for entry in self.git.config if entry.name.endswith(".promisor"))
        if any(map(self.flag, named)) or self.config("extensions.partialclone") is not None:
            raise UnsuitableRepo(
                "this clone fetches its objects one by one, when they are asked for",
                hint="Clone it whole, without --filter: a night and a read may be offline.",
            )

    def require_quiet(self) -> None:
        """Raise TryLater in a merge, rebase, cherry-pick, bisect, on a detached HEAD or another
        branch.
        """
        self.require_no_operation()
        head = layout.head_branch(self.place)
        if head is None:
            raise TryLater("HEAD is detached: no branch is checked out")
        if head != self.branch:
            raise TryLater(
                f"{_short(head)} is checked out; the wiki lives on {_short(self.branch)}"
            )

    def require_no_operation(self) -> None:
        """Raise TryLater in the middle of a merge, rebase, cherry-pick, revert or bisect."""
        for name, what in _BUSY_FILES.items():
            if os.path.exists(os.path.join(self.place.git_dir, name)):
                raise TryLater(f"git is in the middle of {what}")


class _reading:
    """A block that reads the object *id*: what git says of it becomes an error of ours. Swallows
    nothing.
    """

    def __init__(self, id: str) -> None:
        self.id = id

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyError):
            raise MissingObject(f"object {self.id} is missing") from error
        if isinstance(error, pygit2.GitError | ValueError):
            raise DamagedObject(f"object {self.id} cannot be read: {error}") from error


def run_git(
    place: Place,
    *args: str,
    stdin: bytes = b"",
    index: str | None = None,
    settings: Mapping[str, str] | None = None,
    refresh: bool = False,
) -> bytes:
    """Run git in the wiki's work tree with none of its own variables inherited; return its output.

    With *refresh*, git may note in its index what it found of the files, as a person's own `git
    status` does. Raises CompanionError (74) with git's own words when it fails.
    """
    # The work tree is named, never found: another GIT_DIR in the caller's environment must not lead
    # us astray.
    command = [
        "git",
        f"--git-dir={place.git_dir}",
        f"--work-tree={place.worktree}",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "core.fsmonitor=false",
        "-c",
        "log.showSignature=false",
        "-c",
        "core.fsync=all",
    ]
    env = clean_environment(index, settings) | ({"GIT_OPTIONAL_LOCKS": "1"} if refresh else {})
    done = subprocess.run(
        [*command, *args], input=stdin, capture_output=True, cwd=place.worktree, env=env
    )
    if done.returncode != 0:
        words = done.stderr.decode(errors="replace").strip() or f"exit {done.returncode}"
        raise GitFailed(f"git {args[0]}: {words}")
    return done.stdout


class GitFailed(CompanionError):
    """A git command failed."""

    exit_code = 74
    hint = "Git's own words say why. Mend that and run the same command again; `companion doctor` looks for damage."


def clean_environment(
    index: str | None = None, settings: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment for a git child: of the caller's GIT_* only who they are and how they
    reach others.
    """
    keep = (
        "GIT_AUTHOR_",
        "GIT_COMMITTER_",
        "GIT_CONFIG_",
        "GIT_EXEC_PATH",
        "GIT_SSH",
        "GIT_ASKPASS",
        "GIT_SSL_",
    )
    env = {k: v for k, v in _inherited().items() if not k.startswith("GIT_") or k.startswith(keep)}
    env.update(
        GIT_TERMINAL_PROMPT="0", GIT_OPTIONAL_LOCKS="0", GIT_NO_LAZY_FETCH="1", LC_ALL="C.UTF-8"
    )
    if index is not None:
        env["GIT_INDEX_FILE"] = index
    first = int(env.get("GIT_CONFIG_COUNT") or 0)
    for n, (key, value) in enumerate((settings or {}).items(), first):
        env |= {
            f"GIT_CONFIG_KEY_{n}": key,
            f"GIT_CONFIG_VALUE_{n}": value,
            "GIT_CONFIG_COUNT": str(n + 1),
        }
    return env


def has_own_attributes() -> bool:
    """Return whether the person or the machine has a file of attributes where git looks without
    being told.
    """
    env = _inherited()
    own = env.get("XDG_CONFIG_HOME") or os.path.join(env.get("HOME", ""), ".config")
    return os.path.exists(os.path.join(own, "git", "attributes")) or os.path.exists(
        "/etc/gitattributes"
    )


def _inherited() -> dict[str, str]:
    return dict(os.environ)  # noqa: TID251 - a child process needs its parent's PATH and HOME


def _parse_tree(data: bytes) -> list[tuple[str, int, str]]:
    entries, at, end = [], 0, len(data)
    while at < end:
        nul = data.index(b"\0", at)
        mode, _, name = data[at:nul].partition(b" ")
        entries.append(
            (name.decode("utf-8", "surrogateescape"), int(mode, 8), data[nul + 1 : nul + 21].hex())
        )
        at = nul + 21
    return entries


def _tree_id(entry: tuple[int, str] | None) -> str | None:
    return entry[1] if entry is not None and entry[0] == TREE else None


def _file_id(entry: tuple[int, str] | None) -> str | None:
    return entry[1] if entry is not None and entry[0] in (0o100644, 0o100755, 0o100664) else None


def _short(ref: str) -> str:
    return ref.removeprefix("refs/heads/")

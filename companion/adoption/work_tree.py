"""What a person changed by hand and git has not recorded yet."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from companion.pages import links
from companion.runs.publication import write_tree
from companion.runs.run import Run
from companion.storage import publish
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.git_locks import Raced
from companion.storage.git.objects import Pack
from companion.storage.git.repo import MissingObject
from companion.storage.git.trees import EMPTY_TREE
from companion.storage.index import fold
from companion.storage.index.tables.pages import has_file_name
from companion.values.decisions import Edit

MAX_PAGE = 64 * 2**20  # a Markdown file beyond this is left where it is


def find_unstaged_edits(run: Run) -> tuple[list[Edit], dict[str, str]]:
    """Return the person's unstaged edits to Markdown, and the pages left out with the reason.

    Staged and ignored paths are never touched, nor are paths with an external filter (LFS),
    symlinks and what lies inside submodules.
    """
    left_out: dict[str, str] = {}
    paths = []
    prefix = run.ws.place.prefix
    for path, state in _status(run):
        inner = path.removeprefix(prefix)
        if not path.startswith(prefix) or not fold.is_indexed(inner):
            continue
        reason = _objection(run, path, state)
        if reason is None:
            paths.append(inner)
        else:
            left_out[inner] = reason
    convert = publish.has_conversions(run.repo)
    filtered = (
        publish.find_external_filters(
            run.repo, [prefix + path for path in paths]
        )
        if convert and paths
        else set()
    )
    edits = []
    bits = run.repo.flag("core.filemode")
    # git names twice what was taken out of its index only
    for path in sorted(set(paths) - left_out.keys()):
        if prefix + path in filtered:
            left_out[path] = "has an external filter; companion never runs one"
        else:
            edits.append(
                Edit(
                    path,
                    run.repo.subtree(run.tree, path),
                    _mode(run, path, bits=bits),
                )
            )
    return edits, left_out


def find_unadopted_pages(run: Run) -> dict[str, str]:
    """Return every page whose work tree or index differs from the branch, and how: a run leaves it
    alone.
    """
    edits, left_out = find_unstaged_edits(run)
    return {
        **{edit.path: "has changes that are not adopted yet" for edit in edits},
        **left_out,
    }


def write_edited_tree(run: Run, pack: Pack, edits: Sequence[Edit]) -> str:
    """Return the wiki's tree as the person's edits make it, its objects in git or in *pack*."""
    if not edits and run.tree is None:
        # a new wiki begins with nothing, and git need not store that
        return EMPTY_TREE
    present = [edit for edit in edits if os.path.lexists(_full(run, edit.path))]
    blobs = (
        _converted(run, pack, present)
        if publish.has_conversions(run.repo)
        else _raw(run, pack, present)
    )
    changes = {
        edit.path: (edit.mode, blobs[edit.path]) if edit.path in blobs else None
        for edit in edits
    }
    return write_tree(run.repo, pack, run.tree, changes)


def _raw(run: Run, pack: Pack, edits: Iterable[Edit]) -> dict[str, str]:
    blobs = {}
    for edit in edits:
        try:
            with open(_full(run, edit.path), "rb") as file:
                blobs[edit.path] = pack.add("blob", file.read())
        except FileNotFoundError as error:
            raise Raced(
                f"{edit.path} went away while it was being read"
            ) from error
    return blobs


def _converted(run: Run, pack: Pack, edits: Sequence[Edit]) -> dict[str, str]:
    """Let git do its own conversions of line ends and idents (external filters were left out)."""
    names = b"".join(
        publish.quote_path(run.ws.place.prefix + edit.path) + b"\n"
        for edit in edits
    )
    try:
        listing = run_git(
            run.ws.place,
            "hash-object",
            "-w",
            "--stdin-paths",
            stdin=names,
            settings=run.repo.filters_off(),
        )
        # Into our pack: what git wrote loose, its own `gc --prune=now` may take before a ref names
        # it.
        blobs = [
            pack.add("blob", run.repo.blob(blob))
            for blob in listing.decode().split()
        ]
    except (GitFailed, MissingObject) as error:
        # `repo.run_git` has it speak English
        if isinstance(error, GitFailed) and "No such file" not in str(error):
            raise
        raise Raced(
            "a page or its blob went away while git was reading it"
        ) from error
    return dict(zip((edit.path for edit in edits), blobs, strict=True))


class Basenames:
    """Every basename in use in the vault, folded: pages in the tree, asked for one by one, and
    *more*.
    """

    def __init__(self, run: Run, more: Iterable[str] = ()) -> None:
        self._db, self._more = run.db, set(more)

    def __contains__(self, key: str) -> bool:
        if key in self._more:
            return True
        return has_file_name(self._db, key)


def list_names_on_disk(run: Run, folders: Iterable[str]) -> set[str]:
    """Return the basenames on disk, folded, in *folders* of the wiki."""
    found: set[str] = set()
    for folder in folders:
        path = os.path.join(run.ws.place.root, folder)
        if os.path.isdir(path):
            found.update(links.key(name) for name in os.listdir(path))
    return found


def _status(run: Run) -> Iterator[tuple[str, str]]:
    """Yield (path from the repository's top, git's two letters) of everything git sees changed."""
    args = (
        "status",
        "--porcelain=v2",
        "-z",
        "--untracked-files=all",
        "--no-renames",
        "--ignore-submodules=all",
    )
    where, settings = (
        f":(top,literal){run.ws.place.prefix}",
        run.repo.filters_off(),
    )
    # What companion published stands in git's index without the files' times: git would hash it
    # again every night.
    listing = run_git(
        run.ws.place, *args, "--", where, settings=settings, refresh=True
    )
    for record in listing.decode("utf-8", "surrogateescape").split("\0"):
        if record.startswith("? "):
            yield record[2:], "??"
        elif record.startswith("1 "):
            yield record.split(" ", 8)[8], record[2:4]
        elif record.startswith("u "):
            yield record.split(" ", 10)[10], "UU"


def _objection(run: Run, path: str, state: str) -> str | None:
    if state == "UU":
        return "has a merge conflict"
    if state != "??" and state[0] != ".":
        return "has changes that you staged"
    try:
        found = os.lstat(os.path.join(run.ws.place.worktree, path))
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return "is no regular file"
    return (
        f"is larger than {MAX_PAGE // 2**20} MiB"
        if found.st_size > MAX_PAGE
        else None
    )


def _mode(run: Run, path: str, *, bits: bool) -> int:
    return (
        0o100755 if bits and os.access(_full(run, path), os.X_OK) else 0o100644
    )


def _full(run: Run, path: str) -> str:
    return os.path.join(run.ws.place.root, path)


def list_entry_folders(run: Run, times: Iterable[str]) -> set[str]:
    """Return the folders for new pages of *times*."""
    return {f"{run.config.entries}/{time[:4]}/{time[5:7]}" for time in times}

"""Read what a person changed by hand and git has not recorded yet."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence

from companion.pages import links
from companion.privacy import secret_formats
from companion.runs.publication import write_tree
from companion.runs.run import Run
from companion.storage import files_in_git, publish
from companion.storage.files import durable
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.git_locks import Raced
from companion.storage.git.objects import Pack
from companion.storage.git.repo import MissingObject
from companion.storage.git.trees import EMPTY_TREE, Change
from companion.storage.index.folding import fold
from companion.storage.index.tables.pages.names import has_file_name
from companion.values.decisions import Edit

MAX_PAGE = 64 * 2**20  # a Markdown file beyond this is left where it is


def find_unstaged_edits(run: Run) -> tuple[list[Edit], dict[str, str]]:
    """Return the person's unstaged edits to Markdown, and the pages left out with the reason.

    Staged and ignored paths are never touched, nor are paths with an external filter (LFS),
    symlinks and what lies inside submodules. Raises GitFailed.
    """
    paths, left_out = _select_pages(run)
    filtered = _find_filtered(run, paths)
    has_bits = run.repo.flag("core.filemode")
    edits = []
    # git names a path twice that was taken out of its index only
    for path in sorted(set(paths) - left_out.keys()):
        if path in filtered:
            left_out[path] = "has an external filter; companion never runs one"
        else:
            old = run.repo.subtree(run.tree, path)
            edits.append(Edit(path, old, _find_mode(run, path, has_bits)))
    return edits, left_out


def _select_pages(run: Run) -> tuple[list[str], dict[str, str]]:
    """Return the changed Markdown files to adopt, and those left out with the reason."""
    paths = []
    left_out: dict[str, str] = {}
    prefix = run.ws.place.prefix
    for path, state in _list_changes(run):
        inner = path.removeprefix(prefix)
        if not path.startswith(prefix) or not fold.is_indexed(inner):
            continue
        objection = _find_objection(run, path, state)
        if objection is None:
            paths.append(inner)
        else:
            left_out[inner] = objection
    return paths, left_out


def _find_filtered(run: Run, paths: Sequence[str]) -> set[str]:
    """Return those of *paths* that git would pass through an external filter."""
    if not publish.has_conversions(run.repo) or not paths:
        return set()
    prefix = run.ws.place.prefix
    full = [prefix + path for path in paths]
    filtered = publish.find_external_filters(run.repo, full)
    return {path.removeprefix(prefix) for path in filtered}


def find_unadopted_pages(run: Run) -> dict[str, str]:
    """Return every page whose work tree or index differs from the branch, and how.

    A run leaves these pages alone. Raises GitFailed.
    """
    edits, left_out = find_unstaged_edits(run)
    pages = dict.fromkeys(
        (edit.path for edit in edits), "has changes that are not adopted yet"
    )
    return {**pages, **left_out}


def find_new_secrets(run: Run, edits: Iterable[Edit]) -> dict[str, str]:
    """Return the edited pages with a secret that git does not have already, and where it stands.

    What is committed once stays in git's history, and goes wherever that is pushed.
    """
    pages = {}
    for edit in edits:
        text = _read_text(_full(run, edit.path))
        known = ""
        if text and edit.old is not None:
            known = run.repo.text(edit.old)
        for secret in secret_formats.find(text):
            if text[secret.start : secret.end] not in known:
                pages[edit.path] = (
                    f"has a secret in line {secret.line} ({secret.kind}):"
                    " take it out, or commit the page with git yourself"
                )
                break
    return pages


def _read_text(path: str) -> str:
    data = durable.read_if_there(path)
    return (data or b"").decode("utf-8", "replace")


def write_edited_tree(run: Run, pack: Pack, edits: Sequence[Edit]) -> str:
    """Return the wiki's tree as the person's edits make it, its objects in git or in *pack*.

    Raises GitFailed, Raced, TreeConflict or UnsafePath.
    """
    if not edits and run.tree is None:
        # a new wiki begins with nothing, and git need not store that
        return EMPTY_TREE
    present = [edit for edit in edits if os.path.lexists(_full(run, edit.path))]
    if publish.has_conversions(run.repo):
        blobs = _add_converted(run, pack, present)
    else:
        blobs = _add_raw(run, pack, present)
    changes: dict[str, Change] = {}
    for edit in edits:
        changes[edit.path] = None
        if edit.path in blobs:
            changes[edit.path] = (edit.mode, blobs[edit.path])
    return write_tree(run.repo, pack, run.tree, changes)


def _add_raw(run: Run, pack: Pack, edits: Iterable[Edit]) -> dict[str, str]:
    blobs = {}
    for edit in edits:
        try:
            with open(_full(run, edit.path), "rb") as file:
                data = file.read()
        except FileNotFoundError as error:
            raise Raced(
                f"{edit.path} went away while it was being read"
            ) from error
        blobs[edit.path] = pack.add("blob", data)
        # the index is built of it next
        run.repo.keep_until_read(blobs[edit.path], data)
    return blobs


def _add_converted(
    run: Run, pack: Pack, edits: Sequence[Edit]
) -> dict[str, str]:
    """Let git do its own conversions of line ends and idents (external filters were left out)."""
    try:
        blobs = _hash_with_git(run, edits)
        # Into our pack: what git wrote loose, its own `gc --prune=now` may take before a ref names
        # it.
        for blob in blobs:
            pack.add("blob", run.repo.blob(blob))
    except (GitFailed, MissingObject) as error:
        # `run_git` has git speak English
        if isinstance(error, GitFailed) and "No such file" not in str(error):
            raise
        raise Raced(
            "a page or its blob went away while git was reading it"
        ) from error
    paths = [edit.path for edit in edits]
    return dict(zip(paths, blobs, strict=True))


def _hash_with_git(run: Run, edits: Sequence[Edit]) -> list[str]:
    """Return the blobs that git writes for the files of *edits*."""
    prefix = run.ws.place.prefix
    names = [publish.quote_path(prefix + edit.path) for edit in edits]
    listing = run_git(
        run.ws.place,
        "hash-object",
        "-w",
        "--stdin-paths",
        stdin=b"".join(name + b"\n" for name in names),
        settings=run.repo.filters_off(),
    )
    return listing.decode().split()


class Basenames:
    """Every basename in use in the vault, folded: those of pages in the index, and *more*."""

    def __init__(self, run: Run, more: Iterable[str] = ()) -> None:
        self._db = run.db
        self._more = set(more)

    def __contains__(self, key: str) -> bool:
        return key in self._more or has_file_name(self._db, key)


def list_names_on_disk(run: Run, folders: Iterable[str]) -> set[str]:
    """Return the basenames on disk, folded, in *folders* of the wiki."""
    names: set[str] = set()
    for folder in folders:
        inside = run.ws.place.prefix + folder
        found = files_in_git.list_names(run.repo, inside)
        names.update(links.key(name) for name in found)
    return names


def _list_changes(run: Run) -> Iterator[tuple[str, str]]:
    """Yield (path from the repository's top, git's two letters) of everything git sees changed."""
    # What companion published stands in git's index without the files' times: git would hash it
    # again every night.
    listing = run_git(
        run.ws.place,
        "status",
        "--porcelain=v2",
        "-z",
        "--untracked-files=all",
        "--no-renames",
        "--ignore-submodules=all",
        "--",
        f":(top,literal){run.ws.place.prefix}",
        settings=run.repo.filters_off(),
        refresh=True,
    )
    for record in listing.decode("utf-8", "surrogateescape").split("\0"):
        if record.startswith("? "):
            yield record[2:], "??"
        elif record.startswith("1 "):
            yield record.split(" ", 8)[8], record[2:4]
        elif record.startswith("u "):
            yield record.split(" ", 10)[10], "UU"


def _find_objection(run: Run, path: str, state: str) -> str | None:
    """Return why the file at *path* cannot be adopted, None if it can."""
    if state == "UU":
        return "has a merge conflict"
    if state != "??" and state[0] != ".":
        return "has changes that you staged"
    try:
        info = os.lstat(os.path.join(run.ws.place.worktree, path))
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(info.st_mode):
        return "is no regular file"
    if info.st_size > MAX_PAGE:
        return f"is larger than {MAX_PAGE // 2**20} MiB"
    return None


def _find_mode(run: Run, path: str, has_bits: bool) -> int:
    """Return the mode that git gives the file; *has_bits*: git looks at whether it may be run."""
    if has_bits and os.access(_full(run, path), os.X_OK):
        return 0o100755
    return 0o100644


def _full(run: Run, path: str) -> str:
    return os.path.join(run.ws.place.root, path)


def list_entry_folders(run: Run, times: Iterable[str]) -> set[str]:
    """Return the folders for new pages of *times*."""
    return {f"{run.config.entries}/{time[:4]}/{time[5:7]}" for time in times}

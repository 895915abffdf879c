"""Where words may be besides objects, rows and the work tree: git's own texts, companion's files,
other copies.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.storage.erasure import remembered
from companion.storage.erasure.rewrite_history import Rewriter
from companion.storage.files import durable
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.objects import hash_blob
from companion.storage.git.remotes_known import list_remotes
from companion.storage.git.repo import Repo
from companion.storage.git.trees import parse_tree
from companion.values.progress import SILENT, Progress, count

if TYPE_CHECKING:
    from companion.maintenance.results import (
        Remainder,
        WordsAt,
    )

Clean = Callable[[bytes], bytes]

# of git: ORIG_HEAD, COMMIT_EDITMSG, MERGE_MSG
_TEXTS = ("_HEAD", "_EDITMSG", "_MSG")
_DATABASES = (".db", "-wal", "-shm")
_ASIDE = "aside"  # of `doctor --repair`, in the state folder


def places(where: Place, rewriter: Rewriter, clean: Clean) -> "list[WordsAt]":
    """Return the files in git's folder, and companion's own, that hold the words."""
    found: list[WordsAt] = []
    for path, full, data in _files(where):
        if path == "index" or _is_live(where, full):
            continue  # told of by what they hold
        if clean(data) != data or clean(os.fsencode(path)) != os.fsencode(path):
            shown = os.fsdecode(rewriter.rewrite_text(os.fsencode(path)))
            found.append(
                {"where": _kind(where, path, full), "what": shown, "count": 1}
            )
    return found


def copies(where: Place) -> list[str]:
    """Return the databases that `doctor --repair` set aside: they go whole, for they cannot be
    rewritten.
    """
    folder = os.path.join(where.state, _ASIDE)
    held = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return [
        os.path.join(folder, name) for name in held if name.endswith(_DATABASES)
    ]


def clear(where: Place, rewriter: Rewriter, clean: Clean) -> None:
    """Rewrite git's texts and companion's kept files, in place: an editor may hold one of those
    open.
    """
    for path in copies(where):
        os.unlink(path)
    # what names of kept files have of contents: their hashes
    renamed: dict[str, str] = {}
    for path, full, data in list(_files(where)):
        kept = _is_ours(where, full)
        new = (
            rewriter.rewrite_file(data)
            if kept
            else rewriter.rewrite_names(
                _moves(data, rewriter) if _is_log(path) else data
            )
        )
        is_ours_to_write = kept and not _is_live(where, full)
        if new == data or not (is_ours_to_write or _is_text(path)):
            continue
        with durable.guarded(full), open(full, "r+b") as file:
            file.write(new)
            file.truncate()
            durable.fsync(file.fileno())
        if kept:
            renamed[hash_blob(data)] = hash_blob(new)
    _rename_kept(where, rewriter, renamed)


def _rename_kept(
    where: Place, rewriter: Rewriter, renamed: Mapping[str, str]
) -> None:
    """Give files of ours new names where the old ones have the words, or the hash of what changed.

    A file keeps its bytes and may yet be named by the words: its page was called by them.
    """
    for path, full, _ in list(_files(where)):
        if not _is_ours(where, full) or _is_live(where, full):
            continue
        to = os.fsdecode(rewriter.rewrite_text(os.fsencode(path)))
        for old, new in renamed.items():
            to = to.replace(old, new)
        if to != path:
            target = full.removesuffix(path) + to
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.rename(full, target)


def scan(
    where: Place, clean: Clean, progress: Progress = SILENT
) -> "list[Remainder]":
    """Read every object, every file of git's folder and of the work tree again; return where the
    words still are.

    Raises GitFailed.
    """
    found = _scan_objects(where, clean, progress)
    for path, full, data in _files(where):
        name = clean(os.fsencode(path))
        if clean(data) != data or name != os.fsencode(path):
            shown = os.fsdecode(name)
            found.append({"where": _kind(where, path, full), "what": shown})
    for path, data in _read(
        where.worktree, skip=lambda path: path.split("/")[-1] == ".git"
    ):
        name = clean(os.fsencode(path))
        if clean(data) != data or name != os.fsencode(path):
            found.append({"where": "file", "what": os.fsdecode(name)})
    return found


def _scan_objects(
    where: Place, clean: Clean, progress: Progress
) -> "list[Remainder]":
    """Return the objects of git in which the words still are; of a tree its names count."""
    repo = Repo(where)
    found: list[Remainder] = []
    listing = run_git(
        where,
        "cat-file",
        "--batch-all-objects",
        "--batch-check=%(objectname) %(objecttype)",
    )
    lines = listing.decode().splitlines()
    for line in count(progress, "reading everything again", lines):
        oid, kind = line.split(" ")
        data = bytes(repo.git.read(oid)[1])
        if kind == "tree":
            data = b"\0".join(
                os.fsencode(entry.name) for entry in parse_tree(data)
            )
        if clean(data) != data:
            found.append({"where": "git object", "what": f"{kind} {oid}"})
    return found


def beyond(where: Place, refs: Sequence[Sequence[Any]]) -> list[str]:
    """Name the copies that are known to hold the words and cannot be reached from here."""
    said = []
    for ref, _, to, _ in refs:
        if to is None:
            said.append(f"{ref}: the remote had them when last fetched")
    for remote in list_remotes(where):
        said.append(
            f"remote {remote.name} ({remote.url}): `git push --force` replaces its branches, after"
            " you looked at them"
        )
    info = os.path.join(where.common_dir, "objects", "info", "alternates")
    if os.path.exists(info):
        said.append(
            "objects borrowed from another repository (objects/info/alternates)"
        )
    if os.path.exists(os.path.join(where.common_dir, "shallow")):
        said.append("the history before a shallow clone's beginning")
    return said


def _moves(log: bytes, rewriter: Rewriter) -> bytes:
    """Return a reflog without the lines that only say that we moved the ref: `stash` counts its
    lines.
    """
    kept = []
    for line in log.splitlines(keepends=True):
        old, new = (
            line[:40].decode("utf-8", "replace"),
            line[41:81].decode("utf-8", "replace"),
        )
        if old == new or rewriter.map.get(old) != new:
            kept.append(line)
    return b"".join(kept)


def _is_log(path: str) -> bool:
    return path.startswith("logs/")


def _is_text(path: str) -> bool:
    return _is_log(path) or path == "shallow" or path.endswith(_TEXTS)


def _kind(where: Place, path: str, full: str) -> str:
    if _is_log(path):
        return "reflog"
    return (
        "copy"
        if full.startswith(os.path.join(where.state, _ASIDE, ""))
        else "git folder"
    )


def _is_ours(where: Place, full: str) -> bool:
    return full.startswith(
        (os.path.join(where.beside, ""), os.path.join(where.state, ""))
    )


def _is_live(where: Place, full: str) -> bool:
    return os.path.dirname(full) == where.state and full.endswith(_DATABASES)


def _files(where: Place) -> Iterator[tuple[str, str, bytes]]:
    """Yield (name, path, bytes) of every file of git's folder but its objects, and of a state kept
    elsewhere; of ours, all but the lock and what tells erased words again.
    """
    top = where.common_dir
    ours = {
        os.path.join(where.state, name)
        for name in (remembered.NAME, "sleep.lock")
    }
    objects = os.path.join(top, "objects")
    for folder in (top, where.state) if where.moved else (top,):
        for path, data in _read(
            folder, skip=lambda path: os.path.join(top, path) == objects
        ):
            full = os.path.join(folder, path)
            if full not in ours:
                yield path, full, data


def _read(
    top: str, *, skip: Callable[[str], bool]
) -> Iterator[tuple[str, bytes]]:
    for folder, folders, names in os.walk(top):
        inside = os.path.relpath(folder, top)
        prefix = "" if inside == "." else inside + "/"
        folders[:] = sorted(name for name in folders if not skip(prefix + name))
        for name in sorted(names):
            full = os.path.join(folder, name)
            if (
                skip(prefix + name)
                or os.path.islink(full)
                or not os.path.isfile(full)
            ):
                continue
            with open(full, "rb") as file:
                yield prefix + name, file.read()

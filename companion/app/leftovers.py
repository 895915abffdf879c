"""Where words may be besides objects, rows and the work tree: git's own texts, companion's kept files, other copies."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.app import remotes
from companion.store import durable, erased
from companion.store.objects import blob_id, parse_tree
from companion.store.place import Place
from companion.store.repo import Repo, run_git
from companion.store.rewrite import Rewriter

Clean = Callable[[bytes], bytes]

_TEXTS = ("_HEAD", "_EDITMSG", "_MSG")  # of git: ORIG_HEAD, COMMIT_EDITMSG, MERGE_MSG
_DATABASES = (".db", "-wal", "-shm")
_OURS = "companion"


def places(where: Place, rewriter: Rewriter, clean: Clean) -> list[dict[str, Any]]:
    """Return the files in git's folder, and companion's in it, that hold the words."""
    found = []
    for path, data in _files(where):
        if path == "index" or path.endswith(_DATABASES):
            continue  # told of by what they hold
        if clean(data) != data or clean(os.fsencode(path)) != os.fsencode(path):
            shown = os.fsdecode(rewriter.text(os.fsencode(path)))
            found.append({"where": "reflog" if path.startswith("logs/") else "git folder", "what": shown, "count": 1})
    return found


def clear(where: Place, rewriter: Rewriter, clean: Clean) -> None:
    """Rewrite git's texts and companion's kept files, in place: an editor may hold one of those open."""
    for path, data in list(_files(where)):
        kept = path.startswith(_OURS + "/")
        new = rewriter.blob(data) if kept else rewriter.names(_moves(data, rewriter) if _is_log(path) else data)
        if new == data or path.endswith(_DATABASES) or not (kept or _is_text(path)):
            continue
        full = os.path.join(where.common_dir, path)
        with durable.guarded(full), open(full, "r+b") as file:
            file.write(new)
            file.truncate()
            durable.fsync(file.fileno())
        to = os.fsdecode(rewriter.text(os.fsencode(path))).replace(blob_id(data), blob_id(new))
        if kept and to != path:
            os.rename(full, os.path.join(where.common_dir, to))


def scan(where: Place, clean: Clean) -> list[dict[str, str]]:
    """Read every object, every file of git's folder and of the work tree again; return where the words still are."""
    repo = Repo(where)
    found = []
    listing = run_git(where, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
    for line in listing.decode().splitlines():
        oid, kind = line.split(" ")
        data = bytes(repo.git.read(oid)[1])
        if kind == "tree":
            data = b"\0".join(os.fsencode(entry.name) for entry in parse_tree(data))
        if clean(data) != data:
            found.append({"where": "git object", "what": f"{kind} {oid}"})
    for path, data in _files(where):
        if clean(data) != data:
            found.append({"where": "git folder", "what": path})
    for path, data in _read(where.worktree, skip=lambda path: path.split("/")[-1] == ".git"):
        if clean(data) != data:
            found.append({"where": "file", "what": path})
    return found


def beyond(where: Place, refs: Sequence[Sequence[Any]]) -> list[str]:
    """Name the copies that are known to hold the words and cannot be reached from here."""
    said = [f"{ref}: the remote had them when last fetched" for ref, _, to, _ in refs if to is None]
    said += [f"remote {remote.name} ({remote.url}): `git push --force` replaces its branches, after you looked at them"
             for remote in remotes.configured(where)]  # fmt: skip
    info = os.path.join(where.common_dir, "objects", "info", "alternates")
    if os.path.exists(info):
        said.append("objects borrowed from another repository (objects/info/alternates)")
    if os.path.exists(os.path.join(where.common_dir, "shallow")):
        said.append("the history before a shallow clone's beginning")
    return said


def _moves(log: bytes, rewriter: Rewriter) -> bytes:
    """Return a reflog without the lines that only say that we moved the ref: `stash` counts its lines."""
    kept = []
    for line in log.splitlines(keepends=True):
        old, new = line[:40].decode("utf-8", "replace"), line[41:81].decode("utf-8", "replace")
        if old == new or rewriter.map.get(old) != new:
            kept.append(line)
    return b"".join(kept)


def _is_log(path: str) -> bool:
    return path.startswith("logs/")


def _is_text(path: str) -> bool:
    return _is_log(path) or path == "shallow" or path.endswith(_TEXTS)


def _files(where: Place) -> Iterator[tuple[str, bytes]]:
    """Yield every file of git's folder but its objects; of ours, all but the lock and what tells erased words again."""
    top = where.common_dir
    ours = {os.path.join(where.state, name) for name in (erased.NAME, "sleep.lock")}
    objects = os.path.join(top, "objects")
    for path, data in _read(top, skip=lambda path: os.path.join(top, path) == objects):
        if os.path.join(top, path) not in ours:
            yield path, data


def _read(top: str, *, skip: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    for folder, folders, names in os.walk(top):
        inside = os.path.relpath(folder, top)
        prefix = "" if inside == "." else inside + "/"
        folders[:] = sorted(name for name in folders if not skip(prefix + name))
        for name in sorted(names):
            full = os.path.join(folder, name)
            if skip(prefix + name) or os.path.islink(full) or not os.path.isfile(full):
                continue
            with open(full, "rb") as file:
                yield prefix + name, file.read()

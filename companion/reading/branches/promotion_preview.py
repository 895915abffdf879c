"""`branches diff` and `branches open`: the wiki as it would be if a branch won now."""

import difflib
import os
import sqlite3
import stat
from typing import TYPE_CHECKING

from companion.lookup.read_page import read_page_bytes
from companion.minority.beliefs import split_belief
from companion.minority.contested.contested_page import (
    ContestedPage,
    find_belief,
    take_place,
)
from companion.minority.contested.members import (
    find_winner,
    list_newcomers,
    movable_pages,
    promoted_title,
    promotion_files,
)
from companion.minority.contested.read_contested_page import (
    is_edited,
    read_contested_page,
)
from companion.minority.pages import MemberPage, entry_path
from companion.reading.branches.branches import describe_branch, find_branch
from companion.storage.git.repo import Repo
from companion.storage.index.folding import fold
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.minority import Branch
from companion.storage.index.tables.pages.names import (
    find_page_at,
    list_file_names,
)
from companion.values.decisions import Write
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.branches.results import BranchWithFiles, FileChange

_NOTHING = "/dev/null"  # as a difference names a file that is not there


def diff_branch(ws: Workspace, name: str) -> "BranchWithFiles":
    """Return what would change in the wiki if the branch won now; nothing is written.

    Raises NoSuchBranch.
    """
    db, branch = find_branch(ws, name)
    files = [
        _describe_change(ws, db, write)
        for write in _list_promotion(ws, db, branch)
    ]
    return {**describe_branch(ws, db, branch), "files": files, "folder": None}


def open_branch(ws: Workspace, name: str) -> "BranchWithFiles":
    """Write the wiki as it would look if the branch won into a new temporary folder.

    Raises NoSuchBranch.
    """
    import tempfile

    db, branch = find_branch(ws, name)
    writes = _list_promotion(ws, db, branch)
    folder = tempfile.mkdtemp(prefix=f"{branch.name}-")
    _write_wiki(Repo(ws.place), writes, folder)
    files = [_describe_change(ws, db, write) for write in writes]
    return {**describe_branch(ws, db, branch), "files": files, "folder": folder}


def _list_promotion(
    ws: Workspace, db: sqlite3.Connection, branch: Branch
) -> list[Write]:
    """Return the files that a promotion of *branch* would write now; none if it is not open."""
    if branch.state != "open":
        return []
    repo = Repo(ws.place)
    pages = movable_pages(db, repo, branch.name)
    if not pages:
        return []
    names = list_file_names(db)
    folder = fold.read_settings(repo, repo.wiki_tree(repo.tip())).entries
    contested = read_contested_page(db, repo, branch.incumbent)
    if contested is not None:
        belief = find_belief(contested, branch.statement)
        statement = split_belief(belief)[1]
        if statement is not None and contested.list_others(statement):
            voices = _count_voices(db, branch.name)
            return _list_taking(
                ws, db, contested, statement, pages, voices=voices
            )
    title = promoted_title(db, repo, branch.incumbent, pages)
    path = entry_path(folder, pages[0].told, title, names.__contains__)
    return promotion_files(pages, path, title)


def _list_taking(
    ws: Workspace,
    db: sqlite3.Connection,
    page: ContestedPage,
    statement: str,
    pages: list[MemberPage],
    *,
    voices: int,
) -> list[Write]:
    """Return the files of a promotion on a page of several statements."""
    repo = Repo(ws.place)
    losers = [
        one
        for one in page.list_same(statement)
        if not is_edited(db, repo, page, one)
    ]
    stands = find_winner(page, pages)
    if stands is None:
        return []
    text = take_place(
        page,
        losers,
        list_newcomers(pages),
        stands=stands,
        until=ws.now(),
        voices=voices,
    )
    content = text.encode("utf-8", "surrogateescape")
    removed = [Write(each.path, None) for each in pages]
    return [*removed, Write(page.path, content)]


def _count_voices(db: sqlite3.Connection, branch: str) -> int:
    """Return the independent sources of *branch* as it was weighed last."""
    weighings = list_subject_events(db, branch, "weighed")
    if not weighings:
        return 1
    return int(weighings[-1].data.get("voices", 1))


def _describe_change(
    ws: Workspace, db: sqlite3.Connection, write: Write
) -> "FileChange":
    """Return one file of a promotion with its difference to what is there."""
    page = find_page_at(db, write.path)
    before, after = b"", write.content or b""
    old_name, new_name = _NOTHING, _NOTHING
    if page is not None:
        before = read_page_bytes(ws, write.path, page.blob)
        old_name = f"a/{write.path}"
    if write.content is not None:
        new_name = f"b/{write.path}"
    lines = difflib.unified_diff(
        before.decode("utf-8", "replace").splitlines(),
        after.decode("utf-8", "replace").splitlines(),
        old_name,
        new_name,
        lineterm="",
    )
    change: FileChange = {
        "path": write.path,
        "change": "changed",
        "diff": "\n".join(lines),
    }
    if write.content is None:
        change["change"] = "removed"
    elif page is None:
        change["change"] = "added"
    return change


def _write_wiki(repo: Repo, writes: list[Write], folder: str) -> None:
    """Write the files of the wiki's branch into *folder*, with *writes* in place of theirs."""
    contents = {write.path: write.content for write in writes}
    for path, mode, id in repo.walk(repo.wiki_tree(repo.tip())):
        if stat.S_ISREG(mode) and _is_plain(path):
            contents.setdefault(path, repo.blob(id))
    for path, content in contents.items():
        if content is not None:
            _write_file(os.path.join(folder, path), content)


def _is_plain(path: str) -> bool:
    """Tell whether a path of a tree stays inside the folder and is not hidden.

    A stranger may have made the tree.
    """
    if "\\" in path or "\0" in path:
        return False
    return all(part and not part.startswith(".") for part in path.split("/"))


def _write_file(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as file:
        file.write(content)

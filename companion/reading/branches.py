"""`branches` and `quarantine`: what stands against the wiki, how hard it presses, and why it is not
in yet.
"""

import difflib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from companion.errors import CompanionError
from companion.lookup.excerpts import read_page_bytes
from companion.lookup.index import current_index
from companion.minority.members import (
    movable_pages,
    promoted_title,
    promotion_files,
    recorded_sightings,
)
from companion.minority.pages import entry_path
from companion.reading.captures import read_capture
from companion.reading.show import show_capture
from companion.storage.git import layout
from companion.storage.git.repo import MissingObject, Repo
from companion.storage.index import fold
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import list_extended
from companion.storage.index.tables.entries import find_entry, list_quarantined
from companion.storage.index.tables.events import (
    find_last_reason,
    list_events_of_branch,
)
from companion.storage.index.tables.minority import (
    Branch,
    Member,
    list_undone_runs,
)
from companion.storage.index.tables.pages import find_page_at, list_file_names
from companion.values.decisions import Write
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        BranchEvent,
        BranchList,
        BranchResult,
        BranchWithFiles,
        BranchWithMembers,
        EntryPlace,
        FileChange,
        MemberResult,
        QuarantinedEntry,
        QuarantineResult,
        WaitingCapture,
    )

_WORDS = 200  # characters of a member that a list shows


class NoSuchBranch(CompanionError):
    """No minority branch of that name."""

    exit_code = 1
    hint = "`companion branches` lists them; the beginning of a name will do."


def list_branches(ws: Workspace) -> "BranchList":
    """Return every branch there ever was, the open ones first, each with its history of
    weighings.
    """
    db = _index(ws)
    found = [] if db is None else minority.list_branches(db)
    order = sorted(found, key=lambda branch: branch.state != "open")
    return {
        "branches": [_branch(ws, db, each) for each in order if db is not None],
        "open": _open(found),
    }


def show_branch(ws: Workspace, name: str) -> "BranchWithMembers":
    """Return one branch with its members, their words and who told them. Raises NoSuchBranch."""
    db, branch = _find(ws, name)
    return {
        **_branch(ws, db, branch),
        "members": [
            _member(ws, db, each)
            for each in minority.list_members(db, branch.name)
        ],
    }


def diff_branch(ws: Workspace, name: str) -> "BranchWithFiles":
    """Return what would change in the wiki if the branch won now; nothing is written. Raises
    NoSuchBranch.
    """
    db, branch = _find(ws, name)
    files = [_file(ws, db, write) for write in _if_it_won(ws, db, branch)]
    return {**_branch(ws, db, branch), "files": files, "folder": None}


def open_branch(ws: Workspace, name: str) -> "BranchWithFiles":
    """Write the wiki as it would look if the branch won into a new temporary folder. Raises
    NoSuchBranch.
    """
    import tempfile

    db, branch = _find(ws, name)
    writes = {write.path: write.content for write in _if_it_won(ws, db, branch)}
    folder = tempfile.mkdtemp(prefix=f"{branch.name}-")
    repo = Repo(ws.place)
    for path, mode, id in repo.walk(repo.wiki_tree(repo.tip())):
        if mode & 0o170000 == 0o100000 and _is_plain(path):
            writes.setdefault(path, repo.blob(id))
    for path, content in writes.items():
        if content is not None:
            _put(folder, path, content)
    files = [_file(ws, db, write) for write in _if_it_won(ws, db, branch)]
    return {**_branch(ws, db, branch), "files": files, "folder": folder}


def list_quarantine(ws: Workspace) -> "QuarantineResult":
    """Return what waits and why: pages in quarantine, and captures in the extended buffer."""
    db = _index(ws)
    if db is None:
        return {"entries": [], "extended": []}
    entries: list[QuarantinedEntry] = [
        {
            "id": entry.id,
            "title": entry.title,
            "path": entry.path,
            "since": entry.since,
            "reason": find_last_reason(db, entry.id),
        }
        for entry in list_quarantined(db)
    ]
    journal = ws.journal()
    extended: list[WaitingCapture] = [
        {
            "capture": waiting.capture,
            "title": _title(ws, db, journal, waiting.capture),
            "incumbent": _entry(db, waiting.incumbent),
            "reason": waiting.reason,
        }
        for waiting in list_extended(db)
    ]
    return {"entries": entries, "extended": extended}


# -- the parts -------------------------------------------------------------------------------------


def _index(ws: Workspace) -> sqlite3.Connection | None:
    return current_index(ws, ws.journal())


def _find(ws: Workspace, name: str) -> tuple[sqlite3.Connection, Branch]:
    db, wanted = (
        _index(ws),
        name.removeprefix(minority.REFS).removeprefix("minority/"),
    )
    found = [] if db is None else minority.list_branches(db)
    exact = [each for each in found if each.name == wanted] or [
        each for each in found if each.name.startswith(wanted)
    ]
    if db is None or not exact:
        raise NoSuchBranch(f"no branch is called {wanted!r}")
    if len(exact) > 1:
        raise NoSuchBranch(
            f"{wanted!r} names {len(exact)} branches",
            hint="Give more of its name.",
        )
    return db, exact[0]


def _open(found: Sequence[Branch]) -> int:
    return sum(each.state == "open" for each in found)


def _branch(
    ws: Workspace, db: sqlite3.Connection, branch: Branch
) -> "BranchResult":
    history = list(_history(db, branch.name))
    weighed = [
        each
        for each in history
        if each["threshold"] is not None and not each["undone"]
    ]
    return {
        "name": branch.name,
        "ref": branch.ref,
        "incumbent": _entry(db, branch.incumbent),
        "state": branch.state,
        "opened": branch.opened,
        "entry": None if branch.entry is None else _entry(db, branch.entry),
        "cluster_size": branch.cluster_size,
        "contradictions": branch.contradictions,
        "cycles_open": branch.cycles_open,
        "pressure": weighed[-1]["pressure"] if weighed else None,
        "threshold": weighed[-1]["threshold"] if weighed else None,
        "commit": layout.read_ref(ws.place, branch.ref),
        "why": _why(branch, weighed[-1]["reason"] if weighed else ""),
        "history": history,
    }


def _why(branch: Branch, reason: str) -> str | None:
    """Return in one line what the last weighing came to: who speaks, and what is missing or was
    enough.
    """
    sentence, numbers, _ = reason.partition(" (pressure ")
    if numbers:
        return sentence
    # Ledgers before this form have the numbers first.
    parts = [
        part
        for part in reason.split("; ")
        if not part.startswith(("threshold", "row "))
    ]
    told = next((part for part in parts if part.startswith("pressure")), "")
    who = told.partition(": ")[2].partition(" (")[0]
    if not who:
        return None
    if branch.state != "open":
        return who
    short = (branch.threshold or 0.0) - (branch.pressure or 0.0)
    needs = f"{short:.2f} short of winning" if short > 0 else parts[-1]
    alone = (
        ", and one voice alone never wins"
        if who.startswith("1 independent voice ")
        else ""
    )
    return f"{who}; {needs}{alone}"


def _history(db: sqlite3.Connection, name: str) -> "Iterator[BranchEvent]":
    """Yield what happened to a branch, oldest first; a weighing with its two numbers."""
    undone = list_undone_runs(db, name)
    for event in list_events_of_branch(db, name):
        assert event.run is not None  # only the journal's events have none
        yield {
            "time": event.time,
            "run": event.run,
            "event": event.event,
            "reason": event.reason,
            "pressure": event.detail.get("pressure"),
            "threshold": event.detail.get("threshold"),
            "undone": event.run in undone,
        }


def _member(
    ws: Workspace, db: sqlite3.Connection, member: Member
) -> "MemberResult":
    words = " ".join(without_frontmatter(_words(ws, member)).split())
    tellings = recorded_sightings(db, member.capture)
    return {
        "capture": member.capture,
        "entry": member.entry,
        "path": member.path,
        "joined": member.joined,
        "contradicts": member.contradicts,
        "text": words[:_WORDS],
        "tellings": len(tellings),
        "sources": sorted({each.source for each in tellings if each.source}),
        "agents": sorted({each.agent for each in tellings if each.agent}),
    }


def _words(ws: Workspace, member: Member) -> str:
    """Return what a member says: its page while the branch is open, then the note; empty where
    neither is here.

    A branch's pages become one when it wins, and a member of that very night never had one of its
    own.
    """
    held = ws.journal().capture(member.capture)
    if held and not member.path.startswith(minority.FOLDER):
        return read_capture(ws, ws.journal(), member.capture)[0].content.decode(
            "utf-8", "replace"
        )
    try:
        return read_page_bytes(ws, member.path, member.blob).decode(
            "utf-8", "replace"
        )
    except MissingObject:
        if not held:
            # the note is on another machine; its words are in the entry
            return ""
        return read_capture(ws, ws.journal(), member.capture)[0].content.decode(
            "utf-8", "replace"
        )


def _entry(db: sqlite3.Connection, id: str | None) -> "EntryPlace":
    """Return where the entry *id* is; nulls where the index does not know it."""
    entry = find_entry(db, id)
    if entry is None:
        return {"id": id, "title": None, "path": None, "state": None}
    return {
        "id": id,
        "title": entry.title,
        "path": entry.path,
        "state": entry.state,
    }


def _title(
    ws: Workspace, db: sqlite3.Connection, journal: Any, capture: str
) -> str | None:
    """Return what a waiting capture is called; None where only another machine has it."""
    return (
        show_capture(ws, db, journal, capture)["title"]
        if journal.capture(capture)
        else None
    )


def _if_it_won(
    ws: Workspace, db: sqlite3.Connection, branch: Branch
) -> list[Write]:
    """Return the files of a promotion of *branch* now; of one that was promoted, there are none
    left.
    """
    repo = Repo(ws.place)
    pages = (
        movable_pages(db, repo, branch.name) if branch.state == "open" else []
    )
    if not pages:
        return []
    names = list_file_names(db)
    folder = fold.read_settings(repo, repo.wiki_tree(repo.tip())).entries
    title = promoted_title(db, repo, branch.incumbent, pages)
    path = entry_path(folder, pages[0].told, title, names.__contains__)
    return promotion_files(pages, path, title)


def _file(ws: Workspace, db: sqlite3.Connection, write: Write) -> "FileChange":
    """Return one file of a promotion with its difference to what is there."""
    page = find_page_at(db, write.path)
    before = b"" if page is None else read_page_bytes(ws, write.path, page.blob)
    lines = difflib.unified_diff(
        before.decode("utf-8", "replace").splitlines(),
        (write.content or b"").decode("utf-8", "replace").splitlines(),
        "/dev/null" if page is None else f"a/{write.path}",
        "/dev/null" if write.content is None else f"b/{write.path}",
        lineterm="",
    )
    change: Literal["added", "changed", "removed"]
    change = "added" if page is None else "changed"
    if write.content is None:
        change = "removed"
    return {"path": write.path, "change": change, "diff": "\n".join(lines)}


def _is_plain(path: str) -> bool:
    """Tell whether a path of a tree, which may be a stranger's, leads nowhere but down, and to
    nothing hidden.
    """
    return (
        all(part and not part.startswith(".") for part in path.split("/"))
        and "\\" not in path
        and "\0" not in path
    )


def _put(folder: str, path: str, content: bytes) -> None:
    full = os.path.join(folder, path)
    os.makedirs(os.path.dirname(full), exist_ok=True)
    with open(full, "xb") as file:
        file.write(content)

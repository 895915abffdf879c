"""`branches` and `quarantine`: what stands against the wiki, how hard it presses, and why it is not
in yet.
"""

import difflib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from companion.errors import CompanionError
from companion.lookup import excerpts
from companion.lookup.index import current_index
from companion.minority.members import (
    movable_pages,
    promoted_title,
    promotion_files,
    recorded_sightings,
)
from companion.minority.pages import entry_path
from companion.reading import show as views
from companion.storage.git import layout
from companion.storage.git.repo import MissingObject, Repo
from companion.storage.index import fold
from companion.storage.index.tables import minority
from companion.storage.index.tables.minority import Branch, Member
from companion.values.decisions import Write
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

_WORDS = 200  # characters of a member that a list shows
_TAKEN_BACK = (
    "SELECT run FROM branch_members WHERE branch = ?1 AND undone "
    "UNION SELECT run FROM shifts WHERE branch = ?1 AND undone"
)


class NoSuchBranch(CompanionError):
    """No minority branch of that name."""

    exit_code = 1
    hint = "`companion branches` lists them; the beginning of a name will do."


def listing(ws: Workspace) -> dict[str, Any]:
    """Return every branch there ever was, the open ones first, each with its history of
    weighings.
    """
    db = _index(ws)
    found = [] if db is None else minority.branches(db)
    order = sorted(found, key=lambda branch: branch.state != "open")
    return {
        "branches": [_branch(ws, db, each) for each in order if db is not None],
        "open": _open(found),
    }


def show(ws: Workspace, name: str) -> dict[str, Any]:
    """Return one branch with its members, their words and who told them. Raises NoSuchBranch."""
    db, branch = _find(ws, name)
    return {
        **_branch(ws, db, branch),
        "members": [_member(ws, db, each) for each in minority.members(db, branch.name)],
    }


def diff(ws: Workspace, name: str) -> dict[str, Any]:
    """Return what would change in the wiki if the branch won now; nothing is written. Raises
    NoSuchBranch.
    """
    db, branch = _find(ws, name)
    files = [_file(ws, db, write) for write in _if_it_won(ws, db, branch)]
    return {**_branch(ws, db, branch), "files": files, "folder": None}


def checkout(ws: Workspace, name: str) -> dict[str, Any]:
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


def quarantine(ws: Workspace) -> dict[str, Any]:
    """Return what waits and why: pages in quarantine, and captures in the extended buffer."""
    db = _index(ws)
    if db is None:
        return {"entries": [], "extended": []}
    entries = [
        {"id": id, "title": title, "path": path, "since": since, "reason": _last_reason(db, id)}
        for id, title, path, since in db.execute(
            "SELECT id, title, path, since FROM entries WHERE quarantined AND NOT tombstone ORDER BY since, id"
        )
    ]
    journal = ws.journal()
    extended = [
        {
            "capture": id,
            "title": _title(ws, db, journal, id),
            "incumbent": _entry(db, incumbent),
            "reason": reason,
        }
        for id, incumbent, reason in db.execute(
            "SELECT capture, incumbent, reason FROM waiting WHERE kind = 'extended' ORDER BY run, capture"
        )
    ]
    return {"entries": entries, "extended": extended}


# -- the parts -------------------------------------------------------------------------------------


def _index(ws: Workspace) -> sqlite3.Connection | None:
    return current_index(ws, ws.journal())


def _find(ws: Workspace, name: str) -> tuple[sqlite3.Connection, Branch]:
    db, wanted = _index(ws), name.removeprefix(minority.REFS).removeprefix("minority/")
    found = [] if db is None else minority.branches(db)
    exact = [each for each in found if each.name == wanted] or [
        each for each in found if each.name.startswith(wanted)
    ]
    if db is None or not exact:
        raise NoSuchBranch(f"no branch is called {wanted!r}")
    if len(exact) > 1:
        raise NoSuchBranch(f"{wanted!r} names {len(exact)} branches", hint="Give more of its name.")
    return db, exact[0]


def _open(found: Sequence[Branch]) -> int:
    return sum(each.state == "open" for each in found)


def _branch(ws: Workspace, db: sqlite3.Connection, branch: Branch) -> dict[str, Any]:
    given = branch._asdict()
    del given["run"], given["changed"]
    history = list(_history(db, branch.name))
    weighed = [each for each in history if each["threshold"] is not None and not each["undone"]]
    last = {name: weighed[-1][name] if weighed else None for name in ("pressure", "threshold")}
    return {
        **given,
        **last,
        "commit": layout.read_ref(ws.place, branch.ref),
        "incumbent": _entry(db, branch.incumbent),
        "entry": None if branch.entry is None else _entry(db, branch.entry),
        "why": _why(branch, weighed[-1]["reason"] if weighed else ""),
        "history": history,
    }


def _why(branch: Branch, reason: str) -> str | None:
    """Return in one line what the last weighing came to: who speaks, and what is missing or was
    enough.
    """
    parts = [part for part in reason.split("; ") if not part.startswith(("threshold", "row "))]
    told = next((part for part in parts if part.startswith("pressure")), "")
    who = told.partition(": ")[2].partition(" (")[0]
    if not who:
        return None
    if branch.state != "open":
        return who
    short = (branch.threshold or 0.0) - (branch.pressure or 0.0)
    needs = f"{short:.2f} short of winning" if short > 0 else parts[-1]
    alone = ", and one voice alone never wins" if who.startswith("1 independent voice ") else ""
    return f"{who}; {needs}{alone}"


def _history(db: sqlite3.Connection, name: str) -> Iterator[dict[str, Any]]:
    """Yield what happened to a branch, oldest first; a weighing with its two numbers."""
    taken_back = {run for (run,) in db.execute(_TAKEN_BACK, (name,))}
    for event in views.events(db, "e.subject = ?", (name,)):
        detail = event["detail"]
        yield {
            "time": event["time"],
            "run": event["run"],
            "event": event["event"],
            "reason": event["reason"],
            "pressure": detail.get("pressure"),
            "threshold": detail.get("threshold"),
            "undone": event["run"] in taken_back,
        }


def _member(ws: Workspace, db: sqlite3.Connection, member: Member) -> dict[str, Any]:
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
        return views.told(ws, ws.journal(), member.capture)[0].content.decode("utf-8", "replace")
    try:
        return excerpts.page_bytes(ws, member.path, member.blob).decode("utf-8", "replace")
    except MissingObject:
        if not held:
            return ""  # the note is on another machine; its words are in the entry
        return views.told(ws, ws.journal(), member.capture)[0].content.decode("utf-8", "replace")


def _entry(db: sqlite3.Connection, id: str | None) -> dict[str, Any]:
    row = db.execute("SELECT title, path, state FROM entries WHERE id = ?", (id,)).fetchone()
    title, path, state = row or (None, None, None)
    return {"id": id, "title": title, "path": path, "state": state}


def _last_reason(db: sqlite3.Connection, entry: str) -> str:
    row = db.execute(
        "SELECT e.reason FROM events e JOIN runs r ON r.run = e.run WHERE e.entry = ? "
        "AND e.event IN ('created', 'grown', 'requalified') ORDER BY r.time DESC, e.run DESC, e.n DESC LIMIT 1",
        (entry,),
    ).fetchone()
    return "" if row is None else str(row[0])


def _title(ws: Workspace, db: sqlite3.Connection, journal: Any, capture: str) -> str | None:
    """Return what a waiting capture is called; None where only another machine has it."""
    return views.capture(ws, db, journal, capture)["title"] if journal.capture(capture) else None


def _if_it_won(ws: Workspace, db: sqlite3.Connection, branch: Branch) -> list[Write]:
    """Return the files of a promotion of *branch* now; of one that was promoted, there are none
    left.
    """
    repo = Repo(ws.place)
    pages = movable_pages(db, repo, branch.name) if branch.state == "open" else []
    if not pages:
        return []
    names = {
        str(key)
        for (key,) in db.execute("SELECT DISTINCT base_key FROM pages WHERE branch IS NULL")
    }
    folder = fold.settings(repo, repo.wiki_tree(repo.tip())).entries
    title = promoted_title(db, repo, branch.incumbent, pages)
    path = entry_path(folder, pages[0].told, title, names.__contains__)
    return promotion_files(pages, path, title)


def _file(ws: Workspace, db: sqlite3.Connection, write: Write) -> dict[str, Any]:
    """Return one file of a promotion with its difference to what is there."""
    row = db.execute("SELECT blob FROM pages WHERE path = ?", (write.path,)).fetchone()
    before = excerpts.page_bytes(ws, write.path, row[0]) if row else b""
    old, new = (
        each.decode("utf-8", "replace").splitlines() for each in (before, write.content or b"")
    )
    name, to = (
        f"a/{write.path}" if row else "/dev/null",
        "/dev/null" if write.content is None else f"b/{write.path}",
    )
    lines = difflib.unified_diff(old, new, name, to, lineterm="")
    change = "removed" if write.content is None else "changed" if row else "added"
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

"""`recall`, `pin`, `unpin`: what a person does about forgetting. Each that changes something is a
run in their name.
"""

from typing import Any

from companion.adoption import run as adopting
from companion.errors import BadInput, CompanionError
from companion.lifecycle.transitions import Changes, restore_entry
from companion.lookup import index as reads
from companion.operations.decay.rules import DECAY_RULES
from companion.pages import ids, links
from companion.pages.frontmatter_keys import set_frontmatter_keys
from companion.reading import show as views
from companion.runs.run import Run, run_inputs, run_with_retries
from companion.storage import ledger_file
from companion.storage.git import cold_memory, objects
from companion.storage.git.repo import Repo, TryLater
from companion.storage.index.tables import decay as fading
from companion.storage.index.tables.decay import Stored, living_entry
from companion.values.decisions import Write
from companion.workspace import Workspace

_TOMBSTONE = (
    "SELECT title, path, tombstone, state, cohesion_bucket, superseded_by FROM entries WHERE id = ?"
)


class NotFaded(CompanionError):
    """This has not faded: there is nothing to bring back."""

    exit_code = 1
    hint = "`companion show` shows it whole."


class CannotPin(BadInput):
    """The frontmatter of this page cannot be changed safely."""

    hint = "Write `pinned: true` into it yourself, or mend it first."


class NotAPage(CompanionError):
    """Only pages can be pinned or recalled."""

    exit_code = 2
    hint = (
        "`companion search` finds pages; a note becomes one with the next `companion consolidate`."
    )


def recall(
    ws: Workspace, target: str, *, restore: bool = False, dry_run: bool = False
) -> dict[str, Any]:
    """Return the full text of an entry that faded, from cold memory; with *restore* as its page
    again, as a run.

    A compressed page becomes whole, with what was added to it since. An archived entry stays
    archived, and a new one takes its place. Raises NotFaded, NothingFound, Ambiguous, NotAPage or
    ColdLost.
    """
    journal = ws.journal()
    db = reads.current_index(ws, journal)
    kind, id = reads.find(ws, db, journal, target)
    if kind != "entry" or db is None:
        raise NotAPage(f"{target} is no page")
    row = db.execute(_TOMBSTONE, (id,)).fetchone()
    origin = fading.original_of(db, id)
    if origin is None and not row[2] and (row[3] != "decaying" or not restore):
        raise NotFaded(f"{row[0]} is whole")
    text = _text(ws, db, id, origin)
    doc = {
        "entry": id,
        "title": row[0],
        "path": row[1],
        "state": row[3],
        "cold": origin and origin.id,
        "text": text,
    }
    if not restore:
        return {
            **doc,
            "restored": None,
            "run": None,
            "commit": None,
            "notes": [],
            "dry_run": dry_run,
        }
    done = run_with_retries(
        ws, "recall", lambda tonight: _restore(tonight, id, dry_run=dry_run), None
    )
    return {**doc, **done}


def pin(ws: Workspace, target: str, *, pinned: bool = True) -> dict[str, Any]:
    """Write `pinned: true` into the frontmatter of a page, or take it out, in its owner's name, as
    a run.

    Raises NothingFound, Ambiguous, NotAPage, CannotPin, or TryLater where the page has changes that
    are not adopted.
    """
    return run_with_retries(ws, "pin", lambda tonight: _pin(tonight, target, pinned=pinned), None)


def pins(ws: Workspace) -> dict[str, Any]:
    """Return the pinned pages, by title; none before the first night."""
    db = reads.current_index(ws, ws.journal())
    return {"pins": [] if db is None else fading.pins(db)}


# -- pins ------------------------------------------------------------------------------------------


def _pin(tonight: Run, target: str, *, pinned: bool) -> dict[str, Any]:
    kind, id = reads.find(tonight.ws, tonight.db, tonight.journal, target)
    entry = living_entry(tonight.db, id) if kind == "entry" else None
    if entry is None:
        raise NotAPage(f"{target} is no page that could fade")
    doc = {
        "entry": id,
        "title": entry.title,
        "path": entry.path,
        "pinned": pinned,
        "notes": list(tonight.notes),
    }
    if (id in fading.pinned(tonight.db)) == pinned:
        return {**doc, "run": None, "commit": None}
    busy = tonight.excluded_paths([entry.path]).get(entry.path)
    if busy is not None:
        raise TryLater(
            f"{entry.path} {busy}",
            hint="Run `companion adopt` first, or write `pinned: true` there yourself.",
        )
    if any(line["entry"] == id for line in adopting.recorded(tonight)):
        adopting.record_edits(tonight, [], {}, "adopt")
        tonight.refold()
    text = tonight.repo.text(entry.blob, exact=True)
    changed = set_frontmatter_keys(text, {"pinned": "true" if pinned else None})
    if changed is None:
        raise CannotPin(f"{entry.path}: its frontmatter cannot be changed safely")
    content = changed.encode("utf-8", "surrogateescape")
    reason = f"{'pinned' if pinned else 'unpinned'} by its owner"
    about = {"path": entry.path, "blob": objects.blob_id(content)}
    lines = [{"e": "edited", "entry": id, **about, "reason": reason}]
    done = _publish(
        tonight, "pin", lines, [Write(entry.path, content)], f"{reason.split()[0]} {entry.path}"
    )
    return {**doc, **done}


def _publish(
    tonight: Run, operation: str, lines: list[dict[str, Any]], writes: list[Write], what: str
) -> dict[str, Any]:
    moment = tonight.moment()
    run = ledger_file.make(operation, moment, run_inputs(tonight, {}, DECAY_RULES), lines)
    commit = tonight.publish(run, writes, f"{operation}: {what}"[:200], "")
    tonight.refold()
    return {"run": run.id, "commit": commit}


# -- recall ----------------------------------------------------------------------------------------


def _text(ws: Workspace, db: Any, id: str, origin: Stored | None) -> str:
    if origin is not None:
        return cold_memory.content(Repo(ws.place), origin.id, origin.blob).decode(
            "utf-8", "replace"
        )
    # its owner deleted it, and git keeps it; or it never was compressed
    return str(views.entry(ws, db, id)["text"])


def _restore(tonight: Run, id: str, *, dry_run: bool) -> dict[str, Any]:
    row = tonight.db.execute(_TOMBSTONE, (id,)).fetchone()
    if row[2]:
        lines, writes, entry = _anew(tonight, id, row)
    else:
        lines, writes, entry = _whole(tonight, id)
    doc = {"restored": entry, "notes": list(tonight.notes), "dry_run": dry_run}
    if dry_run:
        return {**doc, "run": None, "commit": None}
    return {**doc, **_publish(tonight, "recall", lines, writes, f"{row[0]} restored")}


def _whole(tonight: Run, id: str) -> tuple[list[dict[str, Any]], list[Write], str]:
    entry = living_entry(tonight.db, id)
    if entry is None:
        raise NotFaded(
            "it is archived where it stands, and whole",
            hint="`companion why` names the run; undo takes it back.",
        )
    changes = Changes()
    restore_entry(tonight, entry, "recalled by hand", changes)
    if changes.left_out:
        raise TryLater(
            f"{entry.path}: {changes.left_out[entry.path]}", hint="Run `companion adopt` first."
        )
    return changes.lines, changes.writes, id


def _anew(
    tonight: Run, old: str, row: tuple[Any, ...]
) -> tuple[list[dict[str, Any]], list[Write], str]:
    """Return what makes a new entry of an archived one: archived is terminal (MaM §4)."""
    title, path, _, _, bucket, successor = row
    origin = fading.original_of(tonight.db, old)
    if origin is None:
        raise NotFaded(
            f"its owner deleted {path}",
            hint=f"`git log -- {path}` finds it; `companion recall` shows it.",
        )
    if successor is not None and living_entry(tonight.db, successor) is not None:
        raise NotFaded(
            f"another page took the place of {title}", hint=f"`companion show {successor}`"
        )
    text = cold_memory.content(tonight.repo, origin.id, origin.blob).decode(
        "utf-8", "surrogateescape"
    )
    id = ids.restored_id(old, origin.id)
    said = set_frontmatter_keys(text, {"id": id, "restored_from": old})
    place = _free(tonight, path)
    content = (said or text).encode("utf-8", "surrogateescape")
    line = {
        "e": "created",
        "entry": id,
        "path": place,
        "blob": objects.blob_id(content),
        "bucket": bucket or "mid",
        "quarantined": 0,
        "restored_from": old,
        "reason": f"recalled by hand from cold object {origin.id}",
    }
    return [line], [Write(place, content)], id


def _free(tonight: Run, path: str) -> str:
    """Return *path*, or the next name beside it that no page bears."""
    stem = path.removesuffix(".md")
    for place in (path, *(f"{stem}-{number}.md" for number in range(2, 1000))):
        key = links.key(place)
        there = "SELECT 1 FROM pages WHERE base_key = ? LIMIT 1"
        on_disk = tonight.repo.subtree(tonight.tree, place) is not None or _exists(tonight, place)
        if not on_disk and tonight.db.execute(there, (key,)).fetchone() is None:
            return place
    raise TryLater(f"{path}: too many pages of that name")


def _exists(tonight: Run, path: str) -> bool:
    import os

    return os.path.lexists(os.path.join(tonight.ws.place.root, path))

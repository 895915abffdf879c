"""`edit` and `open`: the file of a page, and a person's change of it taken in.

The editor works on the page's own file, so that its links and plug-ins work. What it saved is never
written over, whatever happens.
"""

import os
import subprocess
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.adoption.run import adopt
from companion.errors import CompanionError
from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index
from companion.maintenance.editing.meanwhile import write_both
from companion.storage.files import durable
from companion.storage.git import objects
from companion.storage.index.tables.captures import find_entry_of_capture
from companion.storage.index.tables.pages.entries import find_entry
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import EditResult, OpenResult
    from companion.values.results import Named

_TAKE = "`git diff` shows what differs; `companion adopt` takes it in."
_AT_ONCE = 1.0  # seconds in which nobody edits anything


class NoEditor(CompanionError):
    """No editor is named, or it does not start."""

    exit_code = 69
    hint = "Name one that waits until you close it: EDITOR=nano, or EDITOR='code --wait'."


class NotTakenIn(CompanionError):
    """What the editor saved is in the file, and is not taken in."""

    exit_code = 75


class PageFile(NamedTuple):
    """The file of a page."""

    entry: str
    title: str
    path: str  # relative to the wiki
    file: str  # absolute
    blob: str  # that the branch has

    @property
    def named(self) -> "Named":
        """Return the page by its name."""
        return {"id": self.entry, "title": self.title, "path": self.path}


def find_page_file(ws: Workspace, target: str) -> PageFile:
    """Return the file of the page that *target* names; of a note that of its page.

    Raises NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    found = find_target(ws, db, journal, target, words=True)
    if db is None:
        raise _no_page_yet(target)
    id: str | None = found.id
    if found.kind != "entry":
        id = find_entry_of_capture(db, found.id)
    entry = find_entry(db, id)
    if entry is None:
        raise _no_page_yet(target)
    file = os.path.join(ws.place.root, entry.path)
    if entry.tombstone or not os.path.isfile(file):
        raise NothingFound(
            f"the page {entry.title!r} has no file now",
            hint="`companion restore` brings back what faded, git what you deleted.",
        )
    return PageFile(entry.id, entry.title, entry.path, file, entry.blob)


def edit_page(
    ws: Workspace,
    target: str,
    editor: Sequence[str],
    *,
    clock: Callable[[], float],
) -> "EditResult":
    """Let the person edit the page that *target* names, and adopt what they saved.

    *clock* counts seconds. Raises NoEditor, NotTakenIn, NothingFound or Ambiguous.
    """
    if not editor:
        raise NoEditor("neither VISUAL nor EDITOR names an editor")
    page = find_page_file(ws, target)
    before = durable.read_if_there(page.file)
    began = clock()
    code = _run_editor(editor, page.file)
    took = clock() - began
    saved = durable.read_if_there(page.file)
    if saved is not None and _is_as_it_was(ws, page, before, saved):
        _complain_of_code(editor, code)
        return {
            "page": page.named,
            "changed": False,
            "returned_at_once": took < _AT_ONCE,
            "run": None,
            "commit": None,
            "notes": [],
        }
    saved = _check_saved(page, saved, code)
    merged = _bring_together(ws, page, saved)
    done = adopt(ws, only=page.path)
    left_out = [each["reason"] for each in done["left_out"]]
    return {
        "page": page.named,
        "changed": True,
        "returned_at_once": False,
        "run": done["run"],
        "commit": done["commit"],
        "notes": [*merged, *done["notes"], *left_out],
    }


def open_page(
    ws: Workspace, target: str, opener: Sequence[str]
) -> "OpenResult":
    """Open the page that *target* names by the command *opener*; an empty one opens nothing.

    Raises NothingFound or Ambiguous.
    """
    page = find_page_file(ws, target)
    opened = bool(opener) and _start(opener, page.file)
    return {"page": page.named, "file": page.file, "opened": opened}


def _start(opener: Sequence[str], file: str) -> bool:
    """Tell whether the app for *file* started."""
    try:
        done = subprocess.run(
            [*opener, file],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    # no such program: the caller says where the file is
    except OSError:
        return False
    return done.returncode == 0


def _run_editor(editor: Sequence[str], file: str) -> int:
    try:
        return subprocess.run([*editor, file], check=False).returncode
    except OSError as error:
        reason = error.strerror or "it does not start"
        raise NoEditor(f"the editor {editor[0]}: {reason.lower()}") from error


def _complain_of_code(editor: Sequence[str], code: int) -> None:
    if code:
        raise NoEditor(
            f"the editor {editor[0]} ended with code {code}; the page is as it was"
        )


def _is_as_it_was(
    ws: Workspace, page: PageFile, before: bytes | None, saved: bytes
) -> bool:
    """Tell whether the person changed nothing: also where a night wrote the page meanwhile."""
    if saved == before:
        return True
    return objects.hash_blob(saved) == _blob_now(ws, page)


def _blob_now(ws: Workspace, page: PageFile) -> str | None:
    db = current_index(ws, ws.journal())
    entry = None if db is None else find_entry(db, page.entry)
    if entry is None or entry.tombstone or entry.path != page.path:
        return None
    return entry.blob


def _check_saved(page: PageFile, saved: bytes | None, code: int) -> bytes:
    """Return what was saved. Raises NotTakenIn where that needs the person's eyes first."""
    if saved is None:
        raise NotTakenIn(
            f"{page.path} is gone",
            hint="`companion adopt` takes that in; `git checkout` brings the page back.",
        )
    if code:
        raise NotTakenIn(
            f"the editor ended with code {code}; what it saved is in {page.path}",
            hint=_TAKE,
        )
    if not saved.strip():
        raise NotTakenIn(
            f"{page.path} is empty now",
            hint="`companion adopt` takes that in; `git checkout` brings the words back.",
        )
    return saved


def _bring_together(ws: Workspace, page: PageFile, saved: bytes) -> list[str]:
    """Write into the file what others wrote of the page meanwhile; return notes for the person.

    Raises NotTakenIn where the page has gone elsewhere, or the editor still writes.
    """
    now = _blob_now(ws, page)
    if now == page.blob:
        return []
    if now is None:
        raise NotTakenIn(
            f"{page.path} was moved or deleted while you edited it; your text is in that file",
            hint=_TAKE,
        )
    notes = write_both(ws, page.path, saved, began=page.blob, now=now)
    if notes is None:
        raise NotTakenIn(
            f"{page.path} changed while you edited it; your text is in the file",
            hint=_TAKE,
        )
    return notes


def _no_page_yet(target: str) -> NothingFound:
    return NothingFound(
        f"{target!r} is no page yet",
        hint="A note stays as it was told; `companion consolidate` makes pages.",
    )

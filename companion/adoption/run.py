"""`adopt`: record what a person changed by hand, in their name."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from companion.adoption import late_edits, work_tree
from companion.adoption.plan import Difference, Held, Known, compare, settle
from companion.adoption.rules import ADOPT_RULES
from companion.ledger.facts.corrections import read_corrections
from companion.pages.page import parse
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.git.trees import EMPTY_TREE
from companion.storage.index.tables.entries import find_known, list_different
from companion.values.decisions import Edit, Write
from companion.values.events import LedgerLine
from companion.values.wording import many
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.adoption.results import (
        AdoptedPages,
        AdoptResult,
        PageChange,
    )

Progress = Callable[[int], None]
# pages that a commit message names; the ledger file in it has them all
LISTED = 20


def adopt(
    ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None
) -> "AdoptResult":
    """Take a person's unstaged edits to Markdown into the record, in their name, as one run."""
    return run_with_retries(
        ws, "adopt", lambda run: _adopt(run, dry_run=dry_run), progress
    )


def make_edit_events(run: Run) -> list[LedgerLine]:
    """Return the events for what the person committed since the last run.

    These are pages that are new, edited, moved or deleted.
    """
    held = []
    known = []
    for entry in list_different(run.db):
        if not entry.tombstone:
            page = Held(entry.id, entry.path, entry.blob, entry.registered)
            held.append(page)
        path, blob = entry.known_path, entry.known_blob
        if path is not None and blob is not None:
            known.append(Known(entry.id, path, blob, entry.known_deleted))
    difference = compare(held, known)
    texts = {}
    if difference.doubtful:
        texts = _read_texts(run, difference)
    return [_add_title(run, event) for event in settle(difference, texts)]


def _read_texts(run: Run, difference: Difference) -> dict[str, bytes]:
    """Return the contents of the pages that may be renamed ones, by blob."""
    blobs = {page.blob for page in difference.arrived}
    blobs.update(entry.blob for entry in difference.missing)
    return {
        blob: run.repo.blob(blob)
        for blob in sorted(blobs)
        if run.repo.has(blob)
    }


def _add_title(run: Run, event: LedgerLine) -> LedgerLine:
    """Return *event*; that of a deleted page gets its last title, for later searches."""
    if event["e"] != "deleted":
        return event
    known = find_known(run.db, event["entry"])
    assert known is not None  # only an entry of the record can be deleted
    text = ""
    if run.repo.has(known.blob):
        text = run.repo.text(known.blob)
    return {**event, "title": parse(text, event["path"]).title}


def record_reverts(run: Run) -> None:
    """Record the runs that the person reverted with git."""
    # it reads the record as this module does
    from companion.adoption import git_reverts

    git_reverts.record_git_reverts(run)


def _adopt(run: Run, *, dry_run: bool) -> "AdoptResult":
    if not dry_run:
        record_reverts(run)
    late_edits.capture_late_edits(run)
    edits, left_out = work_tree.find_unstaged_edits(run)
    return record_edits(run, edits, left_out, "adopt", dry_run=dry_run)


def record_edits(
    run: Run,
    edits: Sequence[Edit],
    left_out: dict[str, str],
    operation: str,
    *,
    extra: Iterable[Write] = (),
    dry_run: bool = False,
) -> "AdoptResult":
    """Commit the person's *edits* and the run that records them, as one commit in their name.

    *left_out* maps pages to the reason why they are not adopted; *extra* are files that companion
    adds. Raises Raced, GitBusy, TryLater or StorageError with nothing changed.

    The index folds the edited tree first, to learn which entry each page is, and the ledger file
    after the branch has moved, in one transaction: no reader sees one without the other.
    """
    with Pack(run.ws.place.common_dir) as pack:
        edited = work_tree.write_edited_tree(run, pack, edits)
    extra = list(extra)
    with run.folding(edited) as session:
        lines = make_edit_events(run)
        moment = run.moment()
        corrected = read_corrections(run, lines, moment)
        run.notes += _note_corrections(lines, corrected)
        report = _report(lines, left_out, run.notes)
        is_changed = bool(lines or extra) or edited != (run.tree or EMPTY_TREE)
        if dry_run or not is_changed:
            return {"run": None, "commit": None, **report, "dry_run": dry_run}
        inputs = make_inputs(run, left_out, ADOPT_RULES)
        inputs["tree"] = edited
        events = [*lines, *corrected]
        record = ledger_file.make_run(operation, moment, inputs, events)
        subject, body = _message(operation, lines, len(edits))
        commit = session.publish(record, edits, extra, subject, body)
    return {"run": record.id, "commit": commit, **report, "dry_run": False}


def _note_corrections(
    lines: Sequence[LedgerLine], corrected: Sequence[LedgerLine]
) -> list[str]:
    """Return what the person's first corrections mean, in words."""
    paths = {line["entry"]: line["path"] for line in lines}
    notes = []
    for line in corrected[:LISTED]:
        notes.append(f"{paths[line['entry']]} {line['reason']}")
    return notes


_KINDS = {
    "registered": "new",
    "edited": "edited",
    "renamed": "renamed",
    "deleted": "deleted",
}


def _report(
    lines: Sequence[LedgerLine], left_out: dict[str, str], notes: Sequence[str]
) -> "AdoptedPages":
    changes: dict[str, list[PageChange]] = {
        name: [] for name in _KINDS.values()
    }
    for line in lines:
        change: PageChange = {"entry": line["entry"], "path": line["path"]}
        if "from" in line:
            change["from"] = line["from"]
        if "reason" in line:
            change["reason"] = line["reason"]
        changes[_KINDS[line["e"]]].append(change)
    return {
        "new": changes["new"],
        "edited": changes["edited"],
        "renamed": changes["renamed"],
        "deleted": changes["deleted"],
        "left_out": [
            {"path": path, "reason": reason}
            for path, reason in sorted(left_out.items())
        ],
        "notes": list(notes),
    }


def _message(
    operation: str, lines: Sequence[LedgerLine], edits: int
) -> tuple[str, str]:
    """Return the subject and the body of the commit."""
    counts = Counter(_KINDS[line["e"]] for line in lines)
    if counts:
        numbers = [f"{count} {kind}" for kind, count in sorted(counts.items())]
        words = ", ".join(numbers)
    elif edits:
        words = many(edits, "file")
    elif operation == "init":
        words = "an empty wiki"
    else:
        words = "nothing new"
    shown = [f"{line['path']}: {line['reason']}" for line in lines[:LISTED]]
    if len(lines) > LISTED:
        shown.append(
            f"… and {len(lines) - LISTED} more; the ledger file has them all"
        )
    return f"{operation}: {words}", "\n".join(shown)

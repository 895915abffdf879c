"""`adopt`: record what a person changed by hand, in their name."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from companion.adoption import late_edits, work_tree
from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.adoption.git_reverts import record_git_reverts
from companion.adoption.merges.conflict_copies import take_in_copies
from companion.adoption.merges.mend_merges import mend_merges
from companion.adoption.rules import ADOPT_RULES
from companion.ledger.facts.corrections import read_corrections
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.git.trees import EMPTY_TREE
from companion.storage.index.tables.captures import list_captures_of_entry
from companion.storage.index.tables.pages.entries import find_path
from companion.storage.index.tables.pages.merged_pages import (
    list_second_pages,
)
from companion.values.decisions import Edit, Write
from companion.values.events import LedgerLine
from companion.values.progress import Progress
from companion.values.wording import many
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.adoption.results import (
        AdoptedPages,
        AdoptResult,
        PageChange,
    )

# pages that a commit message names; the ledger file in it has them all
LISTED = 20


def adopt(
    ws: Workspace,
    *,
    only: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> "AdoptResult":
    """Take a person's unstaged edits to Markdown into the record, in their name, as one run.

    With *only*, the path of a page, that of this page alone.
    """
    return run_with_retries(
        ws,
        "adopt",
        lambda run: _adopt(run, only=only, dry_run=dry_run),
        progress,
    )


def _adopt(run: Run, *, only: str | None, dry_run: bool) -> "AdoptResult":
    run.progress.begin("looking for your changes")
    if not dry_run:
        record_git_reverts(run)
        mend_merges(run)
        take_in_copies(run)
    late_edits.capture_late_edits(run)
    edits, left_out = work_tree.find_unstaged_edits(run)
    if only is not None:
        edits = [edit for edit in edits if edit.path == only]
        left_out = {path: why for path, why in left_out.items() if path == only}
    secrets = work_tree.find_new_secrets(run, edits)
    edits = [edit for edit in edits if edit.path not in secrets]
    left_out |= secrets
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
        run.notes += _note_deleted_notes(run, lines)
        run.notes += _note_second_pages(run, edits)
        report = _report(lines, left_out, run.notes)
        is_changed = bool(lines or extra) or edited != (run.tree or EMPTY_TREE)
        if dry_run or not is_changed:
            return {"run": None, "commit": None, **report, "dry_run": dry_run}
        inputs = make_inputs(run, left_out, ADOPT_RULES)
        inputs["tree"] = edited
        events = [*lines, *make_move_events(run), *corrected]
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
        notes.append(f"{paths[line['entry']]}: {line['reason']}")
    return notes


def _note_deleted_notes(run: Run, lines: Sequence[LedgerLine]) -> list[str]:
    """Return how many notes went with the pages that the person deleted, where there are several.

    A page may hold what somebody no longer remembers to stand there.
    """
    notes = []
    for line in lines:
        if line["e"] != "deleted":
            continue
        count = len(list_captures_of_entry(run.db, line["entry"]))
        if count > 1:
            notes.append(
                f"{line['path']}: {count} notes went with it, `companion undo` brings them back"
            )
    return notes[:LISTED]


def _note_second_pages(run: Run, edits: Sequence[Edit]) -> list[str]:
    """Return a note for each second page of an id that the person wrote in."""
    second = {page.path: page.of for page in list_second_pages(run.db)}
    notes = []
    for edit in edits:
        if edit.path in second:
            first = find_path(run.db, second[edit.path])
            notes.append(
                f"what you wrote in {edit.path} is not taken in: {first} has its id,"
                " too; bring both into one, or take the line `id:` out of it"
            )
    return notes[:LISTED]


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

"""`undo`: take back what one run did, as a new run that says so."""

from typing import TYPE_CHECKING

from companion.adoption import undo_plan
from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.adoption.git_reverts import record_git_reverts
from companion.adoption.run_changes import (
    NoSuchRun,
    add_statements,
    list_steps,
    load_run,
)
from companion.adoption.undo_plan import Reversal
from companion.errors import CompanionError
from companion.runs.commits import find_commits
from companion.runs.publication import write_files
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.index.history import list_runs_beginning
from companion.storage.ledger_file import RunRecord
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.progress import Progress
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.adoption.results import UndoneRun, UndoResult
    from companion.values.results import Publication

#: events that may move an entry in the index alone
_STATES = frozenset({"decaying", "archived", "restored", "statement"})
#: events about an entry's captures
_CONCERNED = _STATES | {"consumed", "claims"}
#: operations that change no page, and can be undone all the same
_PAGELESS = frozenset({"audit", "contextualize", "settle"})
# characters of a commit's name that must be given
_SHORTEST_COMMIT = 4
# pages that a commit message names
_LISTED = 20


class NothingToUndo(CompanionError):
    """That run changed no page."""

    exit_code = 1
    hint = "There is nothing to take back."


def undo(
    ws: Workspace,
    target: str,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> "UndoResult":
    """Undo the run that *target* names. Its captures stay consolidated, with the outcome `undone`.

    Raises NoSuchRun, NothingToUndo, Busy or TryLater with nothing changed.
    """
    return run_with_retries(
        ws, "undo", lambda run: _undo(run, target, dry_run=dry_run), progress
    )


def _undo(run: Run, target: str, *, dry_run: bool) -> "UndoResult":
    if not dry_run:
        record_git_reverts(run)
    record = _find_run(run, target)
    steps = add_statements(run, record, list_steps(run, record))
    if not steps and not _changes_without_pages(run, record):
        raise NothingToUndo(f"{record.id} changed no page")
    run.progress.begin("choosing what goes back")
    reversal = undo_plan.plan(steps)
    report = _report(record, reversal, run.notes, dry_run=dry_run)
    if dry_run or (steps and not reversal.writes):
        return {"run": None, "commit": None, **report}
    return {**_publish(run, record, reversal), **report}


def _changes_without_pages(run: Run, record: RunRecord) -> bool:
    """Tell whether the run has something to take back besides pages."""
    if _find_origin(run, record)[0].operation in _PAGELESS:
        return True
    return any(event["e"] in _STATES for event in record.events)


def _report(
    record: RunRecord, reversal: Reversal, notes: list[str], *, dry_run: bool
) -> "UndoneRun":
    restored = []
    removed = []
    for path, text in reversal.writes:
        if text is None:
            removed.append(path)
        else:
            restored.append(path)
    return {
        "undone": record.id,
        "restored": restored,
        "removed": removed,
        "left_out": [
            {"path": path, "reason": reason}
            for path, reason in reversal.left_out
        ],
        "notes": list(notes),
        "dry_run": dry_run,
    }


def _publish(run: Run, target: RunRecord, reversal: Reversal) -> "Publication":
    run.progress.begin("writing the pages")
    writes = [Write(path, _encode(text)) for path, text in reversal.writes]
    with Pack(run.ws.place.common_dir) as pack:
        tree = write_files(run.repo, pack, run.tree, writes)
    with run.folding(tree) as session:
        record = _make_record(run, target, reversal)
        commit = session.publish(
            record, [], writes, f"undo: {target.id}", _list_writes(reversal)
        )
    return {"run": record.id, "commit": commit}


def _make_record(run: Run, target: RunRecord, reversal: Reversal) -> RunRecord:
    reason = f"undo of {target.id}"
    changes = [*make_edit_events(run), *make_move_events(run)]
    lines = [{**event, "reason": reason} for event in changes]
    lines += _list_notes_back(target, reversal, reason)
    origin, outcome = _find_origin(run, target)
    undone: LedgerLine = {
        "e": "undone",
        "run": origin.id,
        "outcome": outcome,
        "reason": reason,
    }
    if reversal.left_out:
        entries = _list_undone_entries(target, origin, reversal)
        if entries is not None:
            undone["entries"] = entries
    inputs = make_inputs(run, dict(reversal.left_out), {"undo": "undo-1"})
    inputs["target"] = target.id
    return ledger_file.make_run("undo", run.moment(), inputs, [*lines, undone])


def _list_notes_back(
    target: RunRecord, reversal: Reversal, reason: str
) -> list[LedgerLine]:
    """Return lines for the notes whose own pages are back: such a page has no block of its note."""
    restored = {path for path, text in reversal.writes if text is not None}
    back = {
        event["entry"]
        for event in target.events
        if event["e"] == "merged" and event.get("path") in restored
    }
    return [
        {
            "e": "moved",
            "capture": event["capture"],
            "entry": event["from"],
            "from": event["entry"],
            "reason": reason,
        }
        for event in target.events
        if event["e"] == "moved" and event["from"] in back
    ]


def _list_writes(reversal: Reversal) -> str:
    """Return the body of the commit: the first pages, and what happens to them."""
    lines = []
    for path, text in reversal.writes[:_LISTED]:
        action = "removed" if text is None else "restored"
        lines.append(f"{path}: {action}")
    return "\n".join(lines)


def _list_undone_entries(
    target: RunRecord, origin: RunRecord, reversal: Reversal
) -> list[str] | None:
    """Return the entries whose captures are undone, None for all of them.

    The captures of a page that was left out stay as they are.
    """
    left_out = {path for path, _ in reversal.left_out}
    staying = {
        event["entry"]
        for event in target.events
        if event.get("path") in left_out
    }
    if not staying:
        return None
    concerned = {
        event["entry"]
        for event in origin.events
        if event["e"] in _CONCERNED and not _names_successor(event)
    }
    return sorted(concerned - staying)


def _names_successor(event: LedgerLine) -> bool:
    """Tell whether *event* is about an entry that another took the place of."""
    return event["e"] != "statement" and bool(event.get("by"))


def _find_origin(run: Run, target: RunRecord) -> tuple[RunRecord, str]:
    """Return the run whose captures are concerned, and their outcome now.

    Undoing an undo restores what that one took back.
    """
    is_undone = True
    while target.operation == "undo":
        target = load_run(run, str(target.input["target"]))
        is_undone = not is_undone
    return target, "undone" if is_undone else "consolidated"


def _find_run(run: Run, target: str) -> RunRecord:
    """Return the run that *target* names or begins. Raises NoSuchRun."""
    names = list_runs_beginning(run.db, target)
    if not names:
        names = _list_runs_of_commit(run, target)
    if not names:
        raise NoSuchRun(f"no run is called {target!r}")
    if len(names) > 1 and names[0] != target:
        raise NoSuchRun(
            f"{target!r} names more than one run", hint="Give more of its name."
        )
    return load_run(run, names[0])


def _list_runs_of_commit(run: Run, target: str) -> list[str]:
    """Return at most two runs whose commit begins with *target*."""
    if len(target) < _SHORTEST_COMMIT:
        return []
    runs = [
        name
        for name, commit in find_commits(run.ws.place).items()
        if commit.startswith(target)
    ]
    return sorted(runs)[:2]


def _encode(text: str | None) -> bytes | None:
    if text is None:
        return None
    return text.encode("utf-8", "surrogateescape")

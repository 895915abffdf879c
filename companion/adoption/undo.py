"""`undo`: take back what one run did, as a new run that says so."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.adoption import undo_plan
from companion.adoption.run import make_edit_events
from companion.adoption.undo_plan import Reversal, Step
from companion.errors import CompanionError
from companion.runs.publication import find_file_mode, write_tree
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.index.history import list_runs_beginning
from companion.storage.ledger_file import RunRecord
from companion.values.decisions import Write
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.adoption.results import (
        UndoneRun,
        UndoResult,
    )
    from companion.values.results import (
        Publication,
    )

#: events of a run that say what a page held after it
_WROTE = frozenset(
    {
        "created",
        "grown",
        "registered",
        "edited",
        "renamed",
        "deleted",
        "joined",
        "promoted",
    }
    | {"compressed", "restored", "archived"}
)
#: events that may move an entry in the index alone
_STATES = frozenset({"decaying", "archived", "restored"})

#: operations that change no page, and of which something can be taken back all the same
_PAGELESS = frozenset({"audit", "settle"})


class NoSuchRun(CompanionError):
    """No run of that name is in the record."""

    exit_code = 1
    hint = "`companion log` lists them; the beginning of a run's name or of its commit will do."


class NothingToUndo(CompanionError):
    """That run changed no page."""

    exit_code = 1
    hint = "There is nothing to take back."


def undo(ws: Workspace, target: str, *, dry_run: bool = False) -> "UndoResult":
    """Undo the run that *target* names. Its captures stay consolidated, with the outcome `undone`.

    Raises NoSuchRun, NothingToUndo, Busy or TryLater with nothing changed.
    """
    return run_with_retries(
        ws,
        "undo",
        lambda tonight: _undo(tonight, target, dry_run=dry_run),
        None,
    )


def _undo(tonight: Run, target: str, *, dry_run: bool) -> "UndoResult":
    if not dry_run:
        # it asks this module what a run changed
        from companion.adoption import git_reverts

        git_reverts.record(tonight)
    run = _find(tonight, target)
    found = list(list_steps(tonight, run))
    states = any(event["e"] in _STATES for event in run.events)
    if not (found or states or run.operation in _PAGELESS):
        raise NothingToUndo(f"{run.id} changed no page")
    reversal = undo_plan.plan(found)
    report: UndoneRun = {
        "undone": run.id,
        "restored": [
            path for path, text in reversal.writes if text is not None
        ],
        "removed": [path for path, text in reversal.writes if text is None],
        "left_out": [
            {"path": path, "reason": reason}
            for path, reason in reversal.left_out
        ],
        "notes": list(tonight.notes),
        "dry_run": dry_run,
    }
    if dry_run or (found and not reversal.writes):
        return {"run": None, "commit": None, **report}
    return {**_publish(tonight, run, reversal), **report}


def _publish(
    tonight: Run, target: RunRecord, reversal: Reversal
) -> "Publication":
    writes = [
        Write(path, None if text is None else _bytes(text))
        for path, text in reversal.writes
    ]
    with Pack(tonight.ws.place.common_dir) as pack:
        added = {
            w.path: None if w.content is None else pack.add("blob", w.content)
            for w in writes
        }
        files = {
            path: None
            if blob is None
            else (find_file_mode(tonight.repo, tonight.tree, path), blob)
            for path, blob in added.items()
        }
        tree = write_tree(tonight.repo, pack, tonight.tree, files)
    reason = f"undo of {target.id}"
    with tonight.folding(tree) as session:
        lines = [
            {**event, "reason": reason} for event in make_edit_events(tonight)
        ]
        origin, outcome = _origin(tonight, target)
        undone = {
            "e": "undone",
            "run": origin.id,
            "outcome": outcome,
            "reason": reason,
        }
        lines.append({**undone, **_taken_back(target, origin, reversal)})
        excluded = dict(reversal.left_out)
        inputs = {
            **make_inputs(tonight, excluded, {"undo": "undo-1"}),
            "target": target.id,
        }
        run = ledger_file.make_run("undo", tonight.moment(), inputs, lines)
        body = "\n".join(
            f"{path}: {'removed' if text is None else 'restored'}"
            for path, text in reversal.writes[:20]
        )
        commit = session.publish(run, [], writes, f"undo: {target.id}", body)
    return {"run": run.id, "commit": commit}


def _taken_back(
    target: RunRecord, origin: RunRecord, reversal: Reversal
) -> dict[str, list[str]]:
    """Name the entries whose captures are concerned, where a page was left out: those of that page
    stay as they are.
    """
    left = {path for path, _ in reversal.left_out}
    stay = {
        event["entry"] for event in target.events if event.get("path") in left
    }
    if not stay:
        return {}
    concerned = {"consumed", "claims", *_STATES}
    told = {
        event["entry"]
        for event in origin.events
        if event["e"] in concerned and not event.get("by")
    }
    return {"entries": sorted(told - stay)}


def _origin(tonight: Run, target: RunRecord) -> tuple[RunRecord, str]:
    """Return the run whose captures are concerned, and their outcome now: undoing an undo restores
    it.
    """
    outcome = "undone"
    while target.operation == "undo":
        target = load_run(tonight, str(target.input["target"]))
        outcome = "consolidated" if outcome == "undone" else "undone"
    return target, outcome


def _find(tonight: Run, target: str) -> RunRecord:
    runs = list_runs_beginning(tonight.db, target) or _by_commit(
        tonight, target
    )
    if len(runs) > 1 and runs[0] != target:
        raise NoSuchRun(
            f"{target!r} names more than one run", hint="Give more of its name."
        )
    if not runs:
        raise NoSuchRun(f"no run is called {target!r}")
    return load_run(tonight, runs[0])


def load_run(tonight: Run, name: str) -> RunRecord:
    """Return a run as the snapshot's tree has it. Raises NoSuchRun."""
    blob = tonight.repo.subtree(tonight.tree, ledger_file.make_path(name))
    if blob is None:
        raise NoSuchRun(f"the ledger file of {name} is not in the tree")
    return ledger_file.decode(name, tonight.repo.blob(blob))


def _by_commit(tonight: Run, target: str) -> list[str]:
    from companion.runs.commits import find_commits

    found = [
        run
        for run, commit in find_commits(tonight.ws.place).items()
        if len(target) >= 4 and commit.startswith(target)
    ]
    return sorted(found)[:2]


def list_steps(tonight: Run, run: RunRecord) -> Iterator[Step]:
    """Yield every page the run changed: before it, after it, and now.

    What a run merely recorded of the person's own commits was in its base already, and so is no
    step.
    """
    after: dict[str, str | None] = {}
    for event in run.events:
        if event["e"] in _WROTE and "path" in event:
            if event["e"] == "renamed" and event["from"] != event["path"]:
                after[event["from"]] = None
            # they moved into the page that a branch became
            after.update(dict.fromkeys(event.get("pages", ())))
            after[event["path"]] = event.get("blob")
    blocked = tonight.excluded_paths(sorted(after))
    for path, blob in sorted(after.items()):
        before, now = (
            tonight.repo.subtree(run.input["base"], path),
            tonight.repo.subtree(tonight.tree, path),
        )
        if before != blob:
            yield Step(
                path,
                _text(tonight, before),
                _text(tonight, blob),
                _text(tonight, now),
                blocked.get(path),
            )


def _text(tonight: Run, blob: str | None) -> str | None:
    return None if blob is None else tonight.repo.text(blob, exact=True)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

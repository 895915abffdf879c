"""A person's `git revert` of a run: recorded as an undo in their name, and the ledger keeps its
file.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from companion.adoption import undo, undo_plan
from companion.adoption.run import make_edit_events
from companion.runs import lost_runs
from companion.runs.lost_runs import LostRun
from companion.runs.publication import write_tree
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.git.trees import FILE
from companion.storage.ledger_file import RunRecord
from companion.values.decisions import Write


def record(tonight: Run) -> str | None:
    """Put back the ledger files that commits of the person's took away, with what those commits
    undid.

    Returns the run that says so, None where there was nothing. However a conflict of the revert was
    resolved, the pages stay as the person left them.
    """
    found = [
        item for item in lost_runs.find_lost_runs(tonight.repo) if item.reverted
    ]
    files = {item.run: tonight.repo.blob(item.blob) for item in found}
    runs = [ledger_file.decode(run, data) for run, data in files.items()]
    if not runs or tonight.config_missing():
        # who reverts what `init` made is leaving, and gets no ledger back
        return None
    return _publish(
        tonight, runs, found, [Write(run.path, files[run.id]) for run in runs]
    )


def _publish(
    tonight: Run,
    runs: Sequence[RunRecord],
    found: Sequence[LostRun],
    writes: Sequence[Write],
) -> str:
    with Pack(tonight.ws.place.common_dir) as pack:
        back = {
            write.path: (FILE, item.blob)
            for write, item in zip(writes, found, strict=True)
        }
        tree = write_tree(tonight.repo, pack, tonight.tree, dict(back))
    names = ", ".join(run.id for run in runs)
    with tonight.folding(tree) as session:
        lines = [*_pages(tonight, runs), *_outcomes(tonight, runs)]
        inputs = {
            **make_inputs(tonight, {}, {"undo": "revert-1"}),
            "reverted": [run.id for run in runs],
        }
        run = ledger_file.make_run("undo", tonight.moment(), inputs, lines)
        session.publish(
            run,
            [],
            writes,
            f"undo: git revert of {names}"[:200],
            "Its ledger file is part of the record.",
        )
    tonight.refold()
    tonight.notes.append(f"recorded your git revert of {names}")
    return run.id


def _pages(tonight: Run, runs: Sequence[RunRecord]) -> Iterator[dict[str, Any]]:
    """Yield what the person changed, what the reverted runs had written with that as the reason."""
    theirs = {
        event["path"]: run.id
        for run in runs
        for event in run.events
        if "path" in event
    }
    for event in make_edit_events(tonight):
        run = theirs.get(event["path"])
        yield (
            event
            if run is None
            else {**event, "reason": f"git revert of {run}"}
        )


def _outcomes(
    tonight: Run, runs: Sequence[RunRecord]
) -> Iterator[dict[str, Any]]:
    """Yield the outcome, now, of every run whose pages the reverts concern."""
    for run in {
        origin.id: origin
        for origin in (_origin(tonight, run, runs) for run in runs)
    }.values():
        steps = list(undo.list_steps(tonight, run))
        taken = sum(not undo_plan.is_still_there(step) for step in steps)
        if steps:
            outcome = "undone" if taken else "consolidated"
            why = f"git revert: {taken} of {len(steps)} pages no longer hold what it wrote"
            yield {
                "e": "undone",
                "run": run.id,
                "outcome": outcome,
                "reason": why,
            }


def _origin(
    tonight: Run, run: RunRecord, restored: Sequence[RunRecord]
) -> RunRecord:
    """Return the run whose captures an undo, or an undo of an undo, was about."""
    known = {run.id: run for run in restored}
    while run.operation == "undo" and "target" in run.input:
        target = str(run.input["target"])
        run = known.get(target) or undo.load_run(tonight, target)
    return run

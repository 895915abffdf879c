"""Record a person's `git revert` of a run as an undo in their name; the ledger keeps its file."""

from collections.abc import Iterator, Sequence

from companion.adoption import undo_plan
from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.adoption.run_changes import list_steps, load_run
from companion.runs import lost_runs
from companion.runs.publication import write_tree
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.git.trees import FILE, Change
from companion.storage.ledger_file import RunRecord
from companion.values.decisions import Write
from companion.values.events import LedgerLine


def record_git_reverts(run: Run) -> None:
    """Put back the ledger files that the person's commits took away, and record the undo.

    However a conflict of the revert was resolved, the pages stay as the person left them.
    """
    reverted = [
        lost for lost in lost_runs.find_lost_runs(run.repo) if lost.reverted
    ]
    # who reverts what `init` made is leaving, and gets no ledger back
    if not reverted or run.config_missing():
        return
    records = []
    writes = []
    files: dict[str, Change] = {}
    for lost in reverted:
        data = run.repo.blob(lost.blob)
        record = ledger_file.decode(lost.run, data)
        records.append(record)
        writes.append(Write(record.path, data))
        files[record.path] = (FILE, lost.blob)
    with Pack(run.ws.place.common_dir) as pack:
        tree = write_tree(run.repo, pack, run.tree, files)
    _publish(run, records, writes, tree)


def _publish(
    run: Run, reverted: Sequence[RunRecord], writes: Sequence[Write], tree: str
) -> None:
    ids = [record.id for record in reverted]
    names = ", ".join(ids)
    with run.folding(tree) as session:
        lines = [
            *_list_edits(run, reverted),
            *make_move_events(run),
            *_list_outcomes(run, reverted),
        ]
        inputs = make_inputs(run, {}, {"undo": "revert-1"})
        inputs["reverted"] = ids
        session.publish(
            ledger_file.make_run("undo", run.moment(), inputs, lines),
            [],
            writes,
            f"undo: git revert of {names}"[:200],
            "Its ledger file is part of the record.",
        )
    run.refold()
    run.notes.append(f"recorded your git revert of {names}")


def _list_edits(
    run: Run, reverted: Sequence[RunRecord]
) -> Iterator[LedgerLine]:
    """Yield what the person changed; a page of a reverted run has the revert as its reason."""
    writers = {}
    for record in reverted:
        for event in record.events:
            if "path" in event:
                writers[event["path"]] = record.id
    for event in make_edit_events(run):
        writer = writers.get(event["path"])
        if writer is not None:
            event = {**event, "reason": f"git revert of {writer}"}
        yield event


def _list_outcomes(
    run: Run, reverted: Sequence[RunRecord]
) -> Iterator[LedgerLine]:
    """Yield the outcome, now, of every run whose pages the reverts concern."""
    origins = {}
    for record in reverted:
        origin = _find_origin(run, record, reverted)
        origins[origin.id] = origin
    for origin in origins.values():
        steps = list(list_steps(run, origin))
        if not steps:
            continue
        removed = sum(not undo_plan.is_still_there(step) for step in steps)
        counted = f"{removed} of {len(steps)} pages"
        yield {
            "e": "undone",
            "run": origin.id,
            "outcome": "undone" if removed else "consolidated",
            "reason": f"git revert: {counted} no longer hold what it wrote",
        }


def _find_origin(
    run: Run, record: RunRecord, reverted: Sequence[RunRecord]
) -> RunRecord:
    """Return the run whose captures an undo, or an undo of an undo, was about."""
    restored = {other.id: other for other in reverted}
    while record.operation == "undo" and "target" in record.input:
        target = str(record.input["target"])
        record = restored.get(target) or load_run(run, target)
    return record

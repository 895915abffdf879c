"""Read back what a run changed in the pages of the wiki."""

from collections.abc import Iterable, Iterator, Mapping

from companion.adoption.undo_plan import Step
from companion.adoption.undo_statements import Block, read_block
from companion.errors import CompanionError
from companion.pages.statements import statement_id
from companion.runs.run import Run
from companion.storage import ledger_file
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables.captures import find_outcome
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
    list_mentioned_entries,
)
from companion.storage.ledger_file import RunRecord
from companion.values.progress import count

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
        "compressed",
        "restored",
        "archived",
        "merged",
    }
)


class NoSuchRun(CompanionError):
    """No run of that name is in the record."""

    exit_code = 1
    hint = (
        "`companion log` lists the runs; "
        "give the beginning of a run's name or of its commit."
    )


def load_run(run: Run, name: str) -> RunRecord:
    """Return a run as the snapshot's tree has it. Raises NoSuchRun."""
    blob = run.repo.subtree(run.tree, ledger_file.make_path(name))
    if blob is None:
        raise NoSuchRun(f"the ledger file of {name} is not in the tree")
    return ledger_file.decode(name, run.repo.blob(blob))


def list_steps(run: Run, record: RunRecord) -> Iterator[Step]:
    """Yield every page that the run of *record* changed: before it, after it, and now.

    What that run merely recorded of the person's own commits was in its base already, and so is no
    step.
    """
    after = _collect_written(record)
    blocked = {
        **run.excluded_paths(sorted(after)),
        **_find_changed_since(run, record, after),
    }
    changed = sorted(after.items())
    for path, blob in count(run.progress, "reading changed pages", changed):
        before = run.repo.subtree(record.input["base"], path)
        if before == blob:
            continue
        now = run.repo.subtree(run.tree, path)
        yield Step(
            path,
            _read_text(run, before),
            _read_text(run, blob),
            _read_text(run, now),
            blocked.get(path),
        )


def add_statements(
    run: Run, record: RunRecord, steps: Iterable[Step]
) -> list[Step]:
    """Return *steps* with the statements that the run brought, and a step for each other page on
    which one of them, or a line for it, stands now.
    """
    steps = list(steps)
    texts = {step.path: step.after for step in steps}
    blocks = _read_brought_blocks(record, texts)
    brought = tuple({block.id: block for block in blocks.values()}.values())
    others = _list_other_pages(run, list(blocks)) - texts.keys()
    blocked = run.excluded_paths(sorted(others))
    undone = _list_undone(run, record)
    result = [step._replace(blocks=brought, undone=undone) for step in steps]
    for path in sorted(others):
        now = _read_text(run, run.repo.subtree(run.tree, path))
        result.append(Step(path, now, now, now, blocked.get(path), brought))
    return result


def _read_brought_blocks(
    record: RunRecord, texts: Mapping[str, str | None]
) -> dict[str, Block]:
    """Return the statement of each capture that the run wrote into one of *texts*, by path."""
    paths = {
        event["entry"]: event["path"]
        for event in record.events
        if event["e"] in ("created", "grown")
    }
    blocks: dict[str, Block] = {}
    for event in record.events:
        if event["e"] != "consumed" or "entry" not in event:
            continue
        text = texts.get(paths.get(event["entry"], ""))
        if text is None:
            continue
        block = read_block(text, statement_id(event["capture"]))
        if block is not None:
            blocks[event["capture"]] = block
    return blocks


def _list_undone(run: Run, record: RunRecord) -> frozenset[str]:
    """Return the ids of the statements that the run moved and that another undo took back since."""
    ids = set()
    if record.operation != "undo":
        for event in record.events:
            if event["e"] == "moved":
                outcome = find_outcome(run.db, event["capture"])
                if outcome is not None and outcome.outcome == "undone":
                    ids.add(statement_id(event["capture"]))
    return frozenset(ids)


def _list_other_pages(run: Run, captures: Iterable[str]) -> set[str]:
    """Return the paths of the pages on which *captures*, or lines for them, stand now."""
    entries: set[str] = set()
    for capture in captures:
        placed = find_statement_of_capture(run.db, capture)
        if placed is not None:
            entries.add(placed.entry)
        entries.update(list_mentioned_entries(run.db, capture))
        for event in list_subject_events(run.db, capture, "moved"):
            entries.add(event.data["from"])
    paths = set()
    for entry in sorted(entries):
        row = find_page(run.db, entry)
        if row is not None and row.managed:
            paths.add(row.path)
    return paths


def _find_changed_since(
    run: Run, record: RunRecord, after: Mapping[str, str | None]
) -> dict[str, str]:
    """Return the old and new paths of pages that changed after the run renamed them.

    Giving the old name back would leave two pages of one id.
    """
    blocked: dict[str, str] = {}
    for event in record.events:
        if event["e"] != "renamed":
            continue
        now = run.repo.subtree(run.tree, event["path"])
        if now is not None and now != after[event["path"]]:
            reason = "was changed since under its new name; it stays as it is"
            blocked[event["from"]] = reason
            blocked[event["path"]] = reason
    return blocked


def _collect_written(record: RunRecord) -> dict[str, str | None]:
    """Return the blob of each page after the run, None for a page that it removed."""
    after: dict[str, str | None] = {}
    for event in record.events:
        if event["e"] not in _WROTE or "path" not in event:
            continue
        if event["e"] == "renamed" and event["from"] != event["path"]:
            after[event["from"]] = None
        # these moved into the page that a branch became
        for path in event.get("pages", ()):
            after[path] = None
        after[event["path"]] = event.get("blob")
    return after


def _read_text(run: Run, blob: str | None) -> str | None:
    if blob is None:
        return None
    return run.repo.text(blob, exact=True)

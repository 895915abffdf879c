"""Adoption: what a person did by hand, recorded in their name."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.adoption import late_edits, work_tree
from companion.adoption import plan as adoption
from companion.adoption.rules import ADOPT_RULES
from companion.ledger.corrections import correction_events
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, run_inputs
from companion.storage import ledger_file
from companion.storage.git.objects import Pack
from companion.storage.git.trees import EMPTY_TREE
from companion.values.decisions import Edit, Write
from companion.values.wording import many
from companion.workspace import Workspace

Progress = Callable[[int], None]
LISTED = 20  # pages that a commit message names; the ledger file in it has them all


def adopt(
    ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None
) -> dict[str, Any]:
    """Take a person's unstaged edits to Markdown into the record, in their name, as one run."""
    return run_with_retries(ws, "adopt", lambda tonight: _adopt(tonight, dry_run=dry_run), progress)


#: entries that are not as the ledger knows them; one pass over both tables, for in most nights
#: there are none
_DIFFERS = (
    "SELECT e.id, e.tombstone, e.path, e.blob, e.registered, k.path, k.blob, k.deleted FROM entries e "
    "LEFT JOIN known k ON k.id = e.id WHERE CASE WHEN e.tombstone THEN NOT k.deleted "
    "ELSE k.id IS NULL OR k.deleted OR k.path <> e.path OR k.blob <> e.blob END"
)


def recorded(tonight: Run) -> list[dict[str, Any]]:
    """Return the events for what the person committed since the last run: new, edited, moved and
    deleted pages.
    """
    rows = tonight.db.execute(_DIFFERS).fetchall()
    found = adoption.compare(
        [
            adoption.Held(id, path, blob, bool(here))
            for id, gone, path, blob, here, *_ in rows
            if not gone
        ],
        [
            adoption.Known(id, path, blob, bool(deleted))
            for id, *_, path, blob, deleted in rows
            if path is not None
        ],
    )
    texts: dict[str, bytes] = {}
    if found.doubtful:
        blobs = {page.blob for page in found.arrived} | {entry.blob for entry in found.missing}
        texts = {blob: tonight.repo.blob(blob) for blob in sorted(blobs) if tonight.repo.has(blob)}
    return [_named(tonight, event) for event in adoption.settle(found, texts)]


def _named(tonight: Run, event: dict[str, Any]) -> dict[str, Any]:
    """Give the record of a deleted page its last title, so that it can still be asked for by
    name.
    """
    if event["e"] != "deleted":
        return event
    blob = tonight.db.execute("SELECT blob FROM known WHERE id = ?", (event["entry"],)).fetchone()[
        0
    ]
    text = tonight.repo.text(blob) if tonight.repo.has(blob) else ""
    return {**event, "title": tonight.rules.parse(text, event["path"]).title}


def record_reverts(tonight: Run) -> None:
    from companion.adoption import git_reverts  # it reads the record as this module does

    git_reverts.record(tonight)


def _adopt(tonight: Run, *, dry_run: bool) -> dict[str, Any]:
    if not dry_run:
        record_reverts(tonight)
    late_edits.take_in(tonight)
    edits, left_out = work_tree.unstaged(tonight)
    return record_edits(tonight, edits, left_out, "adopt", dry_run=dry_run)


def record_edits(
    tonight: Run,
    edits: Sequence[Edit],
    left_out: dict[str, str],
    operation: str,
    *,
    extra: Iterable[Write] = (),
    dry_run: bool = False,
) -> dict[str, Any]:
    """Commit the person's *edits* together with the run that records them, as one commit in their
    name.

    The index folds the edited tree first, to learn which entry each page is, and the ledger file
    after the branch has moved, in one transaction: no reader sees the one without the other.
    """
    with Pack(tonight.ws.place.common_dir) as pack:
        edited = work_tree.edited_tree(tonight, pack, edits)
    with tonight.folding(edited) as session:
        lines, moment = recorded(tonight), tonight.moment()
        corrected = correction_events(tonight, lines, moment)
        paths = {line["entry"]: line["path"] for line in lines}
        tonight.notes += [f"{paths[line['entry']]} {line['reason']}" for line in corrected[:LISTED]]
        report = _adopted(lines, left_out, tonight.notes)
        extra = list(extra)
        if dry_run or not (lines or extra or edited != (tonight.tree or EMPTY_TREE)):
            return {"run": None, "commit": None, **report, "dry_run": dry_run}
        inputs = run_inputs(tonight, left_out, ADOPT_RULES)
        run = ledger_file.make(operation, moment, {**inputs, "tree": edited}, [*lines, *corrected])
        commit = session.publish(run, edits, extra, *_adopt_message(operation, lines, len(edits)))
    return {"run": run.id, "commit": commit, **report, "dry_run": False}


_KINDS = {"registered": "new", "edited": "edited", "renamed": "renamed", "deleted": "deleted"}


def _adopted(
    lines: Sequence[dict[str, Any]], left_out: dict[str, str], notes: Sequence[str]
) -> dict[str, Any]:
    report: dict[str, Any] = {name: [] for name in _KINDS.values()}
    for line in lines:
        item = {key: line[key] for key in ("entry", "path", "from", "reason") if key in line}
        report[_KINDS[line["e"]]].append(item)
    report["left_out"] = [
        {"path": path, "reason": reason} for path, reason in sorted(left_out.items())
    ]
    report["notes"] = list(notes)
    return report


def _adopt_message(operation: str, lines: Sequence[dict[str, Any]], edits: int) -> tuple[str, str]:
    what = Counter(_KINDS[line["e"]] for line in lines)
    words = ", ".join(f"{count} {kind}" for kind, count in sorted(what.items()))
    words = words or (
        many(edits, "file") if edits else "an empty wiki" if operation == "init" else "nothing new"
    )
    shown = [f"{line['path']}: {line['reason']}" for line in lines[:LISTED]]
    if len(lines) > LISTED:
        shown.append(f"… and {len(lines) - LISTED} more; the ledger file has them all")
    return f"{operation}: {words}", "\n".join(shown)

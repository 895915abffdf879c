"""Gather an existing wiki: its pages of one note go where a night would put their notes today.

A preview comes first: it rehearses the whole, and gives a word that holds for this state of the
wiki. Confirmed, the notes go in slices of `SLICE`, each one run and one commit. What is left
follows from the ledger: killed at any point, the next call goes on, without a new word until it is
done.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.adoption.work_tree import find_unadopted_pages
from companion.errors import CompanionError
from companion.judges import configured
from companion.language.protocols import Embedder
from companion.operations.consolidate.gather.plan_slice import (
    Slice,
    describe_slice,
    plan_slice,
)
from companion.operations.consolidate.gather.rehearse import rehearse
from companion.operations.consolidate.rules import CONSOLIDATE_RULES
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs, open_run
from companion.storage import ledger_file
from companion.storage.index.history import (
    find_last_run_of,
    list_events_of_run,
    list_subject_events,
)
from companion.storage.index.tables.pages.gathering import (
    list_captures_of_one_note,
    list_pages_of_one_note,
)
from companion.values.events import LedgerLine
from companion.values.hashing import sha256
from companion.values.progress import Progress
from companion.values.wording import many
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.consolidate.results import (
        GatheredPage,
        GatherResult,
    )

#: notes of one run
SLICE = 500
OPERATION = "gather"
_VERSION = "gather-2"


class NotAccepted(CompanionError):
    """An existing wiki is gathered only after its preview was accepted."""

    exit_code = 2
    hint = (
        "`companion consolidate --gather --dry-run` shows where each note would go, and names the"
        " word to confirm with."
    )


@dataclass
class _Tally:
    """The work of the slices so far."""

    pages: "dict[str, GatheredPage]" = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)  # entries
    runs: list[str] = field(default_factory=list)

    def add(self, planned: Slice) -> None:
        """Count what a slice does."""
        self.begun.update(page.entry for page in planned.begun)
        self.left_out.update(planned.left_out)
        for note in planned.notes:
            self.pages[note.page.capture] = {
                "capture": note.page.capture,
                "entry": note.page.entry,
                "from": note.page.path,
                "to": note.path,
                "into": note.entry,
                "title": note.title,
                "reason": note.reason,
            }
        for capture, page in planned.moved_on:
            if capture in self.pages:
                gathered = self.pages[capture]
                gathered["to"] = page.path
                gathered["into"] = page.entry
                gathered["title"] = page.title


def gather(
    ws: Workspace,
    *,
    dry_run: bool = False,
    confirm: str | None = None,
    progress: Progress | None = None,
) -> "GatherResult":
    """Preview the gathering of all pages of one note, or carry it out, confirmed or begun already.

    Raises NotAccepted, Busy or TryLater; a slice is done wholly or not at all.
    """
    if dry_run:
        with open_run(ws, OPERATION, progress=progress) as run:
            return _preview(run)
    with open_run(ws, OPERATION, progress=progress) as run:
        _require_accepted(run, confirm)
        left = list_captures_of_one_note(run.db)
        # its files are read once for all slices
        embedder = _open_embedder(run)
    tally = _Tally()
    notes: list[str] = []
    for captures, waiting in _cut(left):

        def gather_once(
            run: Run,
            captures: Sequence[str] = captures,
            waiting: Collection[str] = waiting,
        ) -> None:
            """Gather one slice; a race with another process starts it again."""
            _gather_slice(run, captures, waiting, tally, embedder)
            notes.extend(run.notes)

        run_with_retries(ws, OPERATION, gather_once, progress)
    return _report(tally, notes, confirm=None, dry_run=False)


def _open_embedder(run: Run) -> Embedder | None:
    return configured.open_judges(run.config).embedder


def _preview(run: Run) -> "GatherResult":
    tally = _Tally()
    embedder = _open_embedder(run)
    word = _make_word(run)
    left = list_captures_of_one_note(run.db)
    with rehearse(run) as rehearsed:
        resting = find_unadopted_pages(run)
        for captures, waiting in _cut(left):
            _gather_slice(
                rehearsed, captures, waiting, tally, embedder, resting
            )
    tally.runs.clear()
    return _report(tally, run.notes, confirm=word, dry_run=True)


def _cut(
    left: Sequence[tuple[str, str]],
) -> Iterator[tuple[list[str], set[str]]]:
    """Yield slices of captures, each with the entries that are not gathered before it."""
    waiting = {entry for _, entry in left}
    for start in range(0, len(left), SLICE):
        chosen = left[start : start + SLICE]
        yield [capture for capture, _ in chosen], waiting
        waiting.difference_update(entry for _, entry in chosen)


def _gather_slice(
    run: Run,
    captures: Sequence[str],
    waiting: Collection[str],
    tally: _Tally,
    embedder: Embedder | None,
    resting: dict[str, str] | None = None,
) -> None:
    """Gather the pages of *captures* that may still be gathered, as one run."""
    if resting is None:
        resting = find_unadopted_pages(run)
    rows = list_pages_of_one_note(run.db, captures)
    planned = plan_slice(run, rows, waiting, embedder, resting)
    tally.add(planned)
    if not planned.notes:
        return
    left = len(waiting) - len(captures)
    slice: LedgerLine = {
        "e": "gathering",
        "captures": len(planned.notes),
        "left": left,
        "left_out": len(planned.left_out),
        "reason": f"Gathered {many(len(planned.notes), 'page')} of one note.",
    }
    lines = [*make_edit_events(run), *make_move_events(run), slice]
    inputs = make_inputs(run, planned.left_out, {**CONSOLIDATE_RULES})
    inputs["rules"]["gather"] = _VERSION
    record = ledger_file.make_run(
        OPERATION, run.moment(), inputs, [*lines, *planned.lines]
    )
    run.publish(
        record, planned.writes, describe_slice(planned), "", author=COMPANION
    )
    run.refold()
    run.journal.checkpoint()
    tally.runs.append(record.id)


# -- acceptance ------------------------------------------------------------------------------------


def _require_accepted(run: Run, confirm: str | None) -> None:
    """Raise NotAccepted without the word of the preview, unless a gathering has begun."""
    if confirm is not None:
        if confirm.strip().lower() != _make_word(run):
            raise NotAccepted("that is not the word of this preview")
    elif not _is_begun(run):
        raise NotAccepted("nobody has accepted the preview yet")


def _is_begun(run: Run) -> bool:
    """Tell whether the last slice that was gathered left something, and was not undone."""
    last = find_last_run_of(run.db, OPERATION)
    if last is None:
        return False
    undone = list_subject_events(run.db, last.run, "undone")
    if undone and undone[-1].data["outcome"] == "undone":
        return False
    for event in list_events_of_run(run.db, last.run):
        if event.event == "gathering":
            return bool(event.detail.get("left"))
    return False


def _make_word(run: Run) -> str:
    """Return the word that confirms a preview: what it rests on is the tree and the rules."""
    rules = sorted({**CONSOLIDATE_RULES, "gather": _VERSION}.items())
    digest = sha256()
    digest.update(f"{run.tree}{rules}".encode())
    return str(digest.hexdigest()[:6])


# -- report ----------------------------------------------------------------------------------------


def _report(
    tally: _Tally, notes: Sequence[str], *, confirm: str | None, dry_run: bool
) -> "GatherResult":
    pages = list(tally.pages.values())
    into = {page["into"] for page in pages}
    begun = into & tally.begun
    return {
        "gathered": pages,
        "left_out": [
            {"path": path, "reason": reason}
            for path, reason in sorted(tally.left_out.items())
        ],
        "counts": {
            "pages": len(pages),
            "into": len(into),
            "begun": len(begun),
            "left_out": len(tally.left_out),
        },
        "runs": tally.runs,
        "confirm": confirm,
        "notes": list(dict.fromkeys(notes)),
        "dry_run": dry_run,
    }

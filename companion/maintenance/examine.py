"""`companion examine`: what our finders say of the memory that another program keeps.

The store is read as `ingest` reads it, into a wiki of its own in a temporary folder, and one night
is slept there: what contradicts, what a later value replaced and what was told twice comes out of
the same judges that judge the person's notes (MaM §5.5, phase 1: the buffer against itself). The
store is only read, nothing leaves the machine, and the temporary wiki is removed.
"""

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.maintenance.init import init
from companion.operations.consolidate.run import consolidate
from companion.operations.contextualize.run import contextualize
from companion.operations.triage import arguments, capture
from companion.reading.captures import read_capture
from companion.reading.review import list_review
from companion.values.captures import Draft
from companion.values.progress import SILENT, Progress
from companion.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from companion.maintenance.results import (
        ExaminedCounts,
        ExaminedNote,
        ExaminedPair,
        ExamineResult,
        PairKind,
    )
    from companion.operations.consolidate.results import IntegratedCapture

# what a night says of two notes -> what the report calls it
_KINDS: "dict[str, PairKind]" = {
    "contradicts": "contradicts",
    "updates": "replaces",
    "same": "repeats",
}


class NothingToExamine(CompanionError):
    """Nothing of what was named could be read as notes."""

    exit_code = 65
    hint = (
        "`companion sources` lists what can be read;"
        " `companion ingest --dry-run --explain` says why a file is not."
    )


def examine(
    paths: Sequence[str], progress: Progress = SILENT
) -> "ExamineResult":
    """Return what the finders say of the notes in the files and folders *paths*.

    Raises NoSuchFile, UnclearInput or NothingToExamine.
    """
    missing = [path for path in paths if not os.path.exists(path)]
    if missing:
        raise arguments.NoSuchFile(
            f"there is no file or folder {missing[0]}",
            hint="Name the folder or the export of the other program.",
        )
    items = arguments.drafts(
        paths, lines=False, jsonl=None, defaults=Draft(""), stdin=None
    )
    with tempfile.TemporaryDirectory(prefix="companion-examine-") as folder:
        init(folder)
        ws = open_workspace(folder)
        taken = capture.ingest(ws, items, progress=progress)
        read = contextualize(ws, progress=progress)
        night = consolidate(ws, progress=progress)
        if not night["integrated"]:
            raise NothingToExamine("nothing was read that holds notes")
        captures = [each["capture"] for each in night["integrated"]]
        notes = _describe_notes(ws, captures)
        pairs = list(_list_pairs(night["integrated"], notes))
        disputed = _list_disputed(ws)
    repeated = [note for note in notes.values() if note["times"] > 1]
    kinds = Counter(pair["kind"] for pair in pairs)
    counts: ExaminedCounts = {
        "notes": len(notes),
        "originals": len(taken["originals"]),
        "contradicts": kinds["contradicts"],
        "replaces": kinds["replaces"],
        "repeats": kinds["repeats"],
        "told_twice": len(repeated),
        "disputed": len(disputed),
    }
    return {
        "examined": [os.path.abspath(path) for path in paths],
        "pairs": pairs,
        "told_twice": repeated,
        "disputed": disputed,
        "refused": taken["refused"],
        "passed_over": taken["passed_over"],
        "unread": [*read["unread"], *read["passed_over"]],
        "counts": counts,
    }


def _describe_notes(
    ws: Workspace, captures: Iterable[str]
) -> "dict[str, ExaminedNote]":
    """Return the words of each capture, when and by whom they were told, and how often."""
    journal = ws.journal()
    notes: dict[str, ExaminedNote] = {}
    for id in captures:
        capture, tellings = read_capture(ws, journal, id)
        first = tellings[0]
        notes[id] = {
            "capture": id,
            "text": capture.content.decode(),
            "told": first.event_time,
            "source": first.source,
            "times": len(tellings),
        }
    return notes


def _list_pairs(
    integrated: "Sequence[IntegratedCapture]",
    notes: "Mapping[str, ExaminedNote]",
) -> "Iterator[ExaminedPair]":
    """Yield what a note contradicts, replaces or repeats: each pair once, the later note first."""
    found: set[frozenset[str]] = set()
    for each in integrated:
        note = notes[each["capture"]]
        for related in each["relations"]:
            other = notes.get(related["capture"] or "")
            kind = _KINDS.get(related["kind"])
            if kind is None or other is None:
                continue
            both = frozenset((note["capture"], other["capture"]))
            if both in found:
                continue
            found.add(both)
            yield {"kind": kind, "note": note, "other": other}


def _list_disputed(ws: Workspace) -> list[str]:
    """Return the questions on facts of which two values stand, in words."""
    items = list_review(ws)["items"]
    return [item["reason"] for item in items if item["kind"] == "disputed"]

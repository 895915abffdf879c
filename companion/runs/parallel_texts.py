"""What machines wrote into one page without knowing of each other, until a run takes it in.

Git merges such texts line by line, and nobody told what it put together.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from companion.runs.run import Run
from companion.storage import ledger_file
from companion.storage.index.history import PastEvent, list_entry_events
from companion.storage.index.tables.pages.merged_pages import (
    list_bases_since,
    list_inputs,
)

# events that say which text a page has then
_WITH_TEXT = ("created", "grown", "edited", "renamed", "registered")


class ParallelTexts(NamedTuple):
    """The texts of a page that was written in parallel."""

    tips: tuple[
        str, ...
    ]  # of the runs that no other run knew, the newest first
    base: str  # the newest text that all of them knew; "" where there is none
    known: tuple[str, ...]  # every text that a run gave the page


def find_parallel_texts(
    run: Run, entry: str, path: str = ""
) -> ParallelTexts | None:
    """Return what machines wrote into the page of *entry*, or only at one *path* of it; None where
    one run knew all of it.
    """
    events = list_entry_events(run.db, entry, _WITH_TEXT)
    if path:
        events = [event for event in events if event.data["path"] == path]
    blobs = {event.run: event.data["blob"] for event in events}
    bases = list_inputs(run.db, set(blobs))
    newest_first = list(blobs)[::-1]
    tips = _list_tips(run, newest_first, bases)
    if len(tips) < 2 or _is_taken_in(run, events, tips):
        return None
    texts = _read_texts(run, blobs)
    common = _find_common(run, newest_first, [bases[tip] for tip in tips])
    return ParallelTexts(
        tuple(texts[tip] for tip in tips if tip in texts),
        texts.get(common, ""),
        tuple(dict.fromkeys(texts.values())),
    )


def _read_texts(run: Run, blobs: Mapping[str, str]) -> dict[str, str]:
    """Return what each run wrote, as far as git still has its bytes."""
    return {
        name: run.repo.text(blob, exact=True)
        for name, blob in blobs.items()
        if run.repo.has(blob)
    }


def _find_common(
    run: Run, newest_first: Sequence[str], bases: Sequence[str | None]
) -> str:
    """Return the newest run that all *bases* have; "" where there is none."""
    for name in newest_first:
        if all(knows(run, base, [name]) for base in bases):
            return name
    return ""


def knows(run: Run, base: str | None, runs: Collection[str]) -> bool:
    """Tell whether the tree *base* has the ledger files of all *runs*."""
    if base is None or not run.repo.has(base):
        return False
    paths = map(ledger_file.make_path, runs)
    return all(run.repo.subtree(base, path) for path in paths)


def _list_tips(
    run: Run, newest_first: Sequence[str], bases: Mapping[str, str | None]
) -> list[str]:
    """Return the runs that no other knew, the newest first."""
    tips: list[str] = []
    for name in newest_first:
        # what a run knew that a tip knew, the tip knew, too
        if any(knows(run, bases[tip], [name]) for tip in tips):
            continue
        # a clock may have been wrong
        tips = [tip for tip in tips if not knows(run, bases[name], [tip])]
        tips.append(name)
    return tips


def _is_taken_in(
    run: Run, events: Sequence[PastEvent], tips: Collection[str]
) -> bool:
    """Tell whether a run that looked at edits knew all *tips*, and found nothing to record."""
    since = max(event.time for event in events if event.run in tips)
    bases = list_bases_since(run.db, since, but="merge")
    return any(knows(run, base, tips) for base in bases)

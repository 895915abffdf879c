"""What machines wrote of one page: their texts, and whether a person changed one since."""

from collections.abc import Iterable, Mapping, Sequence

from companion.runs.parallel_texts import knows
from companion.runs.run import Run
from companion.storage.index.history import PastEvent, list_entry_events
from companion.storage.index.tables.pages.entries import EntryRow
from companion.storage.index.tables.pages.merged_pages import (
    SecondPage,
    list_inputs,
)


def is_as_told(run: Run, row: EntryRow, second: Sequence[SecondPage]) -> bool:
    """Tell whether all pages of an entry are as runs wrote them: no person took anything out of
    them, or put it elsewhere.
    """
    entries, blobs = [row.id], {row.blob}
    for one in second:
        entries.append(one.entry)
        blobs.add(one.blob)
    for entry in entries:
        if list_entry_events(run.db, entry, ["edited"]):
            return False
    for event in list_entry_events(run.db, row.id, ["created", "grown"]):
        blobs.discard(event.data["blob"])
    return not blobs


def list_sides(run: Run, entry: str) -> list[str]:
    """Return the texts that machines gave the page without knowing of each other, the newest first.

    Two of which a later run knew are left out: what is missing of them was taken out since.
    """
    events = list_entry_events(run.db, entry, ["created", "grown"])
    others = list_entry_events(
        run.db, entry, ["edited", "renamed", "registered", "deleted"]
    )
    names = {event.run for event in (*events, *others)}
    bases = list_inputs(run.db, names)
    parallel: set[str] = set()
    for pair in _list_parallel(run, events, bases):
        seen = any(
            name not in pair and knows(run, bases[name], pair) for name in bases
        )
        if not seen:
            parallel.update(pair)
    texts: dict[str, None] = {}
    for event in reversed(events):
        blob = event.data["blob"]
        if event.run in parallel and run.repo.has(blob):
            texts[run.repo.text(blob, exact=True)] = None
    return list(texts)


def _list_parallel(
    run: Run, events: Iterable[PastEvent], bases: Mapping[str, str | None]
) -> list[tuple[str, str]]:
    """Return the pairs of runs of *events* of which neither knew of the other."""
    runs = list(dict.fromkeys(event.run for event in events))
    pairs = []
    for place, later in enumerate(runs):
        for earlier in reversed(runs[:place]):
            # what that one knew, this one knows, too
            if knows(run, bases[later], [earlier]):
                break
            pairs.append((earlier, later))
    return pairs

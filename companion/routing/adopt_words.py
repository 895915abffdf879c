"""Row 1 of the matrix, some nights later: a word that keeps being used becomes a name of its page.

The divergence marker lets CONSOLIDATE decide "whether to integrate the new vocabulary" (MaM §5.0).
A night writes the word among the `aliases` of a page that companion wrote, and changes nothing else
on it. The ledger says so, `undo` takes it back, and what was taken back is not done again.
"""

import json
from collections.abc import Collection
from typing import NamedTuple

from companion.pages import page
from companion.pages.frontmatter_keys import set_frontmatter_keys
from companion.routing.user_words import Marker, Usage
from companion.routing.watch_user_words import WordWatch
from companion.runs.page_lines import make_grown_line
from companion.runs.run import Run
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.pages.entries import EntryRow, find_page
from companion.storage.index.tables.routing import count_nights_marked
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.wording import many

# nights that recorded something since the word was marked
NIGHTS = 3
# links that show the word for the page: twice what marks it
LINKS = 6


class AdoptedWord(NamedTuple):
    """A page with one more name, and the lines of the ledger that say so."""

    write: Write
    lines: list[LedgerLine]


def adopt_words(
    run: Run,
    watch: WordWatch,
    flagged: Collection[str],
    left_alone: Collection[str],
) -> list[AdoptedWord]:
    """Return the words that become names of their pages tonight, at most one a page.

    What does not change: entries that are *flagged* from outside (row 3), pages at the paths
    *left_alone*, and pages that a person wrote.
    """
    adopted: dict[str, AdoptedWord] = {}
    for marker in watch.list_steady_markers():
        if marker.entry in flagged:
            continue
        usage = watch.count_usage(marker.key, marker.entry, marker.term)
        nights = count_nights_marked(run.db, marker.key, marker.entry)
        if not is_due(usage, nights) or _was_adopted(run, marker):
            continue
        row = _find_own_page(run, marker.entry, left_alone)
        if row is None or row.path in adopted:
            continue
        content = _add_alias(run.repo.text(row.blob, exact=True), marker.term)
        if content is not None:
            adopted[row.path] = _describe(row, marker, content, usage, nights)
    return list(adopted.values())


def is_due(usage: Usage, nights: int) -> bool:
    """Tell whether a word, used tonight and marked *nights* ago, is the page's by now."""
    return nights >= NIGHTS and usage.links >= LINKS and not usage.elsewhere


def _was_adopted(run: Run, marker: Marker) -> bool:
    """Tell whether a night did it before: then somebody took it back."""
    before = list_entry_events(run.db, marker.entry, ["aliased"])
    return any(event.data["key"] == marker.key for event in before)


def _find_own_page(
    run: Run, entry: str, left_alone: Collection[str]
) -> EntryRow | None:
    """Return the page of *entry* where companion wrote it and it may change tonight."""
    row = find_page(run.db, entry)
    if row is None or not row.managed or row.path in left_alone:
        return None
    return None if run.excluded_paths([row.path]) else row


def _add_alias(text: str, term: str) -> bytes | None:
    """Return *text* with one more alias; None where its frontmatter does not allow it."""
    aliases = [*page.parse(text, "").aliases, term]
    value = json.dumps(aliases, ensure_ascii=False)
    changed = set_frontmatter_keys(text, {"aliases": value})
    if changed is None or term not in page.parse(changed, "").aliases:
        return None
    return changed.encode("utf-8", "surrogateescape")


def _describe(
    row: EntryRow, marker: Marker, content: bytes, usage: Usage, nights: int
) -> AdoptedWord:
    reason = (
        f"“{marker.term}” became one of its names: it stands for this page in "
        f"{many(usage.links, 'link')} and for no other, {many(nights, 'night')} "
        "after it was first noted. (row 1)"
    )
    grown = make_grown_line(row.id, row.path, content, reason)
    aliased: LedgerLine = {
        "e": "aliased",
        "entry": row.id,
        "key": marker.key,
        "term": marker.term,
        "reason": reason,
    }
    return AdoptedWord(Write(row.path, content), [grown, aliased])

"""Compare the pages in a tree with the record, and name what a person changed by hand.

Adoption records a person's changes in their name. It never rewrites a page of theirs. It archives a
page that they deleted, and nothing recreates that page. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from companion.values.events import LedgerLine

VERSION = "adopt-1"
# share of the larger page's bytes that must be the same lines for a rename with edits
SIMILAR = 0.6
# pairs compared line by line; beyond, only exact renames are recognised
MOST_PAIRS = 10_000
_UNKNOWN = "a page of yours that the record did not know"


class Held(NamedTuple):
    """An entry as a tree holds it now."""

    id: str
    path: str
    blob: str
    registered: bool  # the ledger knows this id


class Known(NamedTuple):
    """An entry as the ledger last described it."""

    id: str
    path: str
    blob: str
    deleted: bool


@dataclass(frozen=True)
class Difference:
    """How a tree differs from the record, before renames with edits have been looked for."""

    events: tuple[LedgerLine, ...]
    arrived: tuple[Held, ...]  # pages the ledger does not know
    missing: tuple[Known, ...]  # entries whose page is gone

    @property
    def doubtful(self) -> bool:
        """Whether an arrived page may be a missing one, renamed and edited: only texts can tell."""
        pairs = len(self.arrived) * len(self.missing)
        return 0 < pairs <= MOST_PAIRS


def compare(held: Iterable[Held], known: Iterable[Known]) -> Difference:
    """Compare the tree's entries with the record.

    Exact renames (one blob, unique on both sides) are recognised here, others by `settle`.
    """
    record = {entry.id: entry for entry in known}
    pages = sorted(held, key=lambda page: page.path)
    events = _compare_pages(pages, record)
    arrived = [page for page in pages if page.id not in record]
    missing = _list_missing(record.values(), pages)
    renames = _rename_same_content(arrived, missing)
    return Difference(
        (*events, *renames.events), renames.arrived, renames.missing
    )


def _list_missing(
    record: Iterable[Known], pages: Iterable[Held]
) -> list[Known]:
    present = {page.id for page in pages}
    missing = []
    for entry in sorted(record):
        if entry.id not in present and not entry.deleted:
            missing.append(entry)
    return missing


def settle(
    difference: Difference, texts: Mapping[str, bytes]
) -> list[LedgerLine]:
    """Return every event of an adoption.

    *texts* maps blob ids to bytes; it is needed where `Difference.doubtful` is true.
    """
    pairs = []
    if difference.doubtful:
        pairs = _pair_similar(difference, texts)
    events = list(difference.events)
    for page, entry, share in pairs:
        reason = f"{share:.0%} of its lines are those of the page that vanished"
        events.append(_renamed(page, entry, reason))
    moved_to = {page.path for page, _, _ in pairs}
    for page in difference.arrived:
        if page.path not in moved_to:
            events.append(_event("registered", page, reason=_UNKNOWN))
    moved_from = {entry.id for _, entry, _ in pairs}
    for entry in difference.missing:
        if entry.id not in moved_from:
            events.append(_deleted(entry))
    return events


def measure_similarity(one: bytes, other: bytes) -> float:
    """Return the share of the larger text's bytes that both have as whole lines, in [0, 1]."""
    if not one or not other:
        return 0.0
    lines = Counter(one.splitlines(keepends=True))
    common = lines & Counter(other.splitlines(keepends=True))
    shared = sum(len(line) * count for line, count in common.items())
    return shared / max(len(one), len(other))


def _compare_pages(
    pages: Iterable[Held], record: Mapping[str, Known]
) -> list[LedgerLine]:
    """Return the events of the pages that the record knows."""
    events = []
    for page in pages:
        before = record.get(page.id)
        if before is not None:
            event = _compare_page(page, before)
            if event is not None:
                events.append(event)
    return events


def _compare_page(page: Held, before: Known) -> LedgerLine | None:
    """Return the event for a page that the record knows; None where nothing changed."""
    if before.deleted:
        return _event("registered", page, reason="the page is back")
    if page.path != before.path:
        return _renamed(page, before, "its id is in the page")
    if page.blob != before.blob:
        return _event("edited", page, reason="edited by hand")
    return None


def _rename_same_content(
    arrived: Sequence[Held], missing: Sequence[Known]
) -> Difference:
    """Return the renames without edits, and the pages that none of them explains."""
    pairs = _pair_same_content(arrived, missing)
    moved_to = {page.path for page, _ in pairs}
    moved_from = {entry.id for _, entry in pairs}
    reason = "the same content at another path"
    return Difference(
        tuple(_renamed(page, entry, reason) for page, entry in pairs),
        tuple(page for page in arrived if page.path not in moved_to),
        tuple(entry for entry in missing if entry.id not in moved_from),
    )


def _pair_same_content(
    arrived: Sequence[Held], missing: Sequence[Known]
) -> list[tuple[Held, Known]]:
    """Pair pages that have one content which no other page has, in the order of their blobs."""
    counts_arrived = Counter(page.blob for page in arrived)
    counts_missing = Counter(entry.blob for entry in missing)
    entries = {entry.blob: entry for entry in missing}
    pairs = []
    for page in sorted(arrived, key=lambda page: page.blob):
        if counts_arrived[page.blob] == counts_missing[page.blob] == 1:
            pairs.append((page, entries[page.blob]))
    return pairs


def _pair_similar(
    difference: Difference, texts: Mapping[str, bytes]
) -> list[tuple[Held, Known, float]]:
    """Pair pages that are similar enough and each other's only candidate."""
    close = []
    for page, entry in product(difference.arrived, difference.missing):
        share = measure_similarity(
            texts.get(page.blob, b""), texts.get(entry.blob, b"")
        )
        if share >= SIMILAR:
            close.append((page, entry, share))
    pages = Counter(page.path for page, _, _ in close)
    entries = Counter(entry.id for _, entry, _ in close)
    pairs = []
    for page, entry, share in close:
        if pages[page.path] == 1 and entries[entry.id] == 1:
            pairs.append((page, entry, share))
    return pairs


def _renamed(page: Held, before: Known, why: str) -> LedgerLine:
    event = _event("renamed", page, reason=f"renamed by hand: {why}")
    return {**event, "entry": before.id, "from": before.path}


def _deleted(entry: Known) -> LedgerLine:
    return {
        "e": "deleted",
        "entry": entry.id,
        "path": entry.path,
        "reason": "you deleted the page; the record stays and nothing recreates it",
    }


def _event(kind: str, page: Held, *, reason: str) -> LedgerLine:
    return {
        "e": kind,
        "entry": page.id,
        "path": page.path,
        "blob": page.blob,
        "reason": reason,
    }

"""Compare the pages in a tree with the record, and name what a person changed by hand.

Adoption records a person's changes in their name. No page of theirs is ever rewritten; a page that
they deleted is archived, and nothing recreates it. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.values.events import LedgerLine

VERSION = "adopt-1"
# share of the larger page's bytes that must be the same lines for a rename with edits
SIMILAR = 0.6
# pairs compared line by line; beyond, only exact renames are recognised
MOST_PAIRS = 10_000


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
        """Only the texts can tell whether an arrived page is a missing one, renamed and edited."""
        return (
            bool(self.arrived and self.missing)
            and len(self.arrived) * len(self.missing) <= MOST_PAIRS
        )


def compare(held: Iterable[Held], known: Iterable[Known]) -> Difference:
    """Compare the tree's entries with the record.

    Exact renames (one blob, unique on both sides) are recognised here, others by `settle`.
    """
    record = {entry.id: entry for entry in known}
    events = []
    arrived = []
    present = set()
    for page in sorted(held, key=lambda page: page.path):
        before = record.get(page.id)
        if before is None:
            arrived.append(page)
            continue
        present.add(page.id)
        event = _continued(page, before)
        if event is not None:
            events.append(event)
    missing = []
    for entry in sorted(record.values()):
        if entry.id not in present and not entry.deleted:
            missing.append(entry)
    moved_to = set()
    moved_from = set()
    for page, entry in _exact(arrived, missing):
        moved_to.add(page.path)
        moved_from.add(entry.id)
        events.append(_renamed(page, entry, "the same content at another path"))
    return Difference(
        tuple(events),
        tuple(page for page in arrived if page.path not in moved_to),
        tuple(entry for entry in missing if entry.id not in moved_from),
    )


def settle(found: Difference, texts: Mapping[str, bytes]) -> list[LedgerLine]:
    """Return every event of an adoption.

    *texts* maps blob ids to bytes; it is needed where `Difference.doubtful` is true.
    """
    pairs = _similar(found, texts) if found.doubtful else []
    events = list(found.events)
    moved_to = set()
    moved_from = set()
    for page, entry, share in pairs:
        moved_to.add(page.path)
        moved_from.add(entry.id)
        why = f"{share:.0%} of its lines are those of the page that vanished"
        events.append(_renamed(page, entry, why))
    for page in found.arrived:
        if page.path not in moved_to:
            reason = "a page of yours that the record did not know"
            events.append(_event("registered", page, reason=reason))
    for entry in found.missing:
        if entry.id not in moved_from:
            reason = "you deleted the page; the record stays and nothing recreates it"
            events.append(
                {
                    "e": "deleted",
                    "entry": entry.id,
                    "path": entry.path,
                    "reason": reason,
                }
            )
    return events


def measure_similarity(one: bytes, other: bytes) -> float:
    """Return the share of the larger text's bytes that both have as whole lines, in [0, 1]."""
    if not one or not other:
        return 0.0
    common = Counter(one.splitlines(keepends=True)) & Counter(
        other.splitlines(keepends=True)
    )
    shared = sum(len(line) * count for line, count in common.items())
    return shared / max(len(one), len(other))


def _continued(page: Held, before: Known) -> LedgerLine | None:
    if before.deleted:
        return _event("registered", page, reason="the page is back")
    if page.path != before.path:
        return _renamed(page, before, "its id is in the page")
    if page.blob != before.blob:
        return _event("edited", page, reason="edited by hand")
    return None


def _exact(
    arrived: Iterable[Held], missing: Iterable[Known]
) -> list[tuple[Held, Known]]:
    new: dict[str, list[Held]] = {}
    old: dict[str, list[Known]] = {}
    for page in arrived:
        new.setdefault(page.blob, []).append(page)
    for entry in missing:
        old.setdefault(entry.blob, []).append(entry)
    pairs = []
    for blob in sorted(new.keys() & old.keys()):
        if len(new[blob]) == len(old[blob]) == 1:
            pairs.append((new[blob][0], old[blob][0]))
    return pairs


def _similar(
    found: Difference, texts: Mapping[str, bytes]
) -> list[tuple[Held, Known, float]]:
    """Pair pages that are similar enough and each other's only candidate."""
    close = []
    for page in found.arrived:
        for entry in found.missing:
            share = measure_similarity(
                texts.get(page.blob, b""), texts.get(entry.blob, b"")
            )
            if share >= SIMILAR:
                close.append((page, entry, share))
    pages = Counter(page.path for page, _, _ in close)
    entries = Counter(entry.id for _, entry, _ in close)
    return [
        pair
        for pair in close
        if pages[pair[0].path] == 1 and entries[pair[1].id] == 1
    ]


def _renamed(page: Held, before: Known, why: str) -> LedgerLine:
    event = _event("renamed", page, reason=f"renamed by hand: {why}")
    return {**event, "entry": before.id, "from": before.path}


def _event(kind: str, page: Held, *, reason: str) -> LedgerLine:
    return {
        "e": kind,
        "entry": page.id,
        "path": page.path,
        "blob": page.blob,
        "reason": reason,
    }

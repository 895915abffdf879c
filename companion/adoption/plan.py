"""Adoption: what a person did to the pages by hand becomes part of the record, in their name.

Pure comparison of the entries in a tree with what the ledger last said of them. Nothing of theirs
is ever rewritten; a page they deleted is archived and nothing recreates it (design: "Pages have
owners").
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

VERSION = "adopt-1"
# share of the larger page's bytes that must be the same lines for a rename with edits
SIMILAR = 0.6
MOST_PAIRS = 10_000  # pairs compared line by line; beyond, only exact renames are recognised


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

    events: tuple[dict[str, Any], ...]
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
    """Compare the tree's entries with the record; exact renames (one blob, unique on both sides)
    are settled.
    """
    record = {entry.id: entry for entry in known}
    events, arrived, present = [], [], set()
    for page in sorted(held, key=lambda page: page.path):
        before = record.get(page.id)
        if before is None:
            arrived.append(page)
            continue
        present.add(page.id)
        event = _continued(page, before)
        if event is not None:
            events.append(event)
    missing = [e for e in sorted(record.values()) if e.id not in present and not e.deleted]
    renames = _exact(arrived, missing)
    moved_to, moved_from = {page.path for page, _ in renames}, {entry.id for _, entry in renames}
    events += [_renamed(page, entry, "the same content at another path") for page, entry in renames]
    return Difference(
        tuple(events),
        tuple(page for page in arrived if page.path not in moved_to),
        tuple(entry for entry in missing if entry.id not in moved_from),
    )


def settle(found: Difference, texts: Mapping[str, bytes]) -> list[dict[str, Any]]:
    """Return every event of an adoption. *texts* maps blob ids to bytes where `Difference.doubtful`
    asked for them.
    """
    pairs = _similar(found, texts) if found.doubtful else []
    events = list(found.events)
    for page, entry, share in pairs:
        events.append(
            _renamed(page, entry, f"{share:.0%} of its lines are those of the page that vanished")
        )
    moved = {page.path for page, _, _ in pairs} | {entry.id for _, entry, _ in pairs}
    for page in found.arrived:
        if page.path not in moved:
            events.append(
                _event("registered", page, reason="a page of yours that the record did not know")
            )
    for entry in found.missing:
        if entry.id not in moved:
            reason = "you deleted the page; the record stays and nothing recreates it"
            events.append({"e": "deleted", "entry": entry.id, "path": entry.path, "reason": reason})
    return events


def similarity(one: bytes, other: bytes) -> float:
    """Return the share of the larger text's bytes that both have as whole lines, in [0, 1]."""
    if not one or not other:
        return 0.0
    a, b = Counter(one.splitlines(keepends=True)), Counter(other.splitlines(keepends=True))
    shared = sum(len(line) * count for line, count in (a & b).items())
    return shared / max(len(one), len(other))


def _continued(page: Held, before: Known) -> dict[str, Any] | None:
    if before.deleted:
        return _event("registered", page, reason="the page is back")
    if page.path != before.path:
        return _renamed(page, before, "its id is in the page")
    if page.blob != before.blob:
        return _event("edited", page, reason="edited by hand")
    return None


def _exact(arrived: Iterable[Held], missing: Iterable[Known]) -> list[tuple[Held, Known]]:
    new: dict[str, list[Held]] = {}
    old: dict[str, list[Known]] = {}
    for page in arrived:
        new.setdefault(page.blob, []).append(page)
    for entry in missing:
        old.setdefault(entry.blob, []).append(entry)
    return [
        (new[b][0], old[b][0])
        for b in sorted(new.keys() & old.keys())
        if len(new[b]) == len(old[b]) == 1
    ]


def _similar(found: Difference, texts: Mapping[str, bytes]) -> list[tuple[Held, Known, float]]:
    """Pair pages that are similar enough and each other's only candidate."""
    close = [
        (page, entry, share)
        for page in found.arrived
        for entry in found.missing
        if (share := similarity(texts.get(page.blob, b""), texts.get(entry.blob, b""))) >= SIMILAR
    ]
    pages, entries = Counter(p.path for p, _, _ in close), Counter(e.id for _, e, _ in close)
    return [(p, e, share) for p, e, share in close if pages[p.path] == 1 and entries[e.id] == 1]


def _renamed(page: Held, before: Known, why: str) -> dict[str, Any]:
    event = _event("renamed", page, reason=f"renamed by hand: {why}")
    return {**event, "entry": before.id, "from": before.path}


def _event(kind: str, page: Held, *, reason: str) -> dict[str, Any]:
    return {"e": kind, "entry": page.id, "path": page.path, "blob": page.blob, "reason": reason}

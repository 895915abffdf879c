"""Letting go, and bringing back: pages are compressed and archived into cold memory, and restored
from it (MaM §5.3).

A page that is its owner's keeps its file: what becomes of it happens in the index alone. In a page
of companion's the lines of its owner stay where they are, so that it may be compressed around them
and is never archived away.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.judges.summarise import LightSummariser
from companion.lifecycle import compress
from companion.runs import owned_lines
from companion.runs.run import Run
from companion.storage.git import cold_memory, objects
from companion.storage.git.cold_memory import Cold
from companion.storage.index.tables import decay as fading
from companion.storage.index.tables.decay import Stored
from companion.values.decisions import Write

_ROW = (
    "SELECT id, path, title, blob, managed, state, superseded_by FROM entries "
    "WHERE id = ? AND NOT tombstone AND state <> 'archived'"
)
_SUMMARY = (
    "SELECT json_extract(e.data, '$.blob') FROM events e JOIN runs r ON r.run = e.run WHERE e.entry = ? "
    "AND e.event = 'compressed' AND json_extract(e.data, '$.cold') = ? ORDER BY r.time DESC LIMIT 1"
)


class Entry(NamedTuple):
    """An entry of the active wiki, as what fades needs it."""

    id: str
    path: str
    title: str
    blob: str
    managed: bool
    state: str
    superseded_by: str | None


@dataclass
class Changes:
    """What is to happen: ledger lines, page writes, contents for cold memory; and what is left
    alone, and why.
    """

    lines: list[dict[str, Any]] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    stored: list[tuple[Cold, bytes]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def store(self, tonight: Run) -> None:
        """Put contents into cold memory, durably: before the run is published that lets go of them
        (CTX-3).
        """
        cold_memory.put(tonight.repo, self.stored)


def entry_of(tonight: Run, id: str) -> Entry | None:
    """Return the entry *id*; None for one that is archived, or none."""
    row = tonight.db.execute(_ROW, (id,)).fetchone()
    return None if row is None else Entry(*row)._replace(managed=bool(row[4]))


def archive(tonight: Run, wanted: Mapping[str, str], moment: str) -> Changes:
    """Return what archives the entries *wanted* (id -> reason), each through decaying (DEC-6,
    AUD-5).

    The full content goes to cold memory and the page's file leaves the wiki; the record stays as a
    tombstone. A page that is its owner's, or holds lines of theirs, stays in its place, archived in
    the index. What is pinned stays. The caller calls `store`, and publishes lines and writes with
    its own run of the time *moment*.
    """
    changes, pinned = Changes(), fading.pinned(tonight.db)
    for id, reason in sorted(wanted.items()):
        entry = entry_of(tonight, id)
        if entry is None:
            continue
        why = "it is pinned" if id in pinned else _busy(tonight, entry)
        if why is not None:
            changes.left_out[entry.path] = why
            continue
        if entry.state == "active":
            changes.lines.append({"e": "decaying", "entry": id, "reason": reason})
        _archive(tonight, entry, reason, moment, changes)
    return changes


def decay(tonight: Run, entry: Entry, reason: str, moment: str, changes: Changes) -> None:
    """Add what makes *entry* decaying, its page compressed where that is companion's and long
    enough.
    """
    why = _busy(tonight, entry)
    if why is not None:
        changes.left_out[entry.path] = why
        return
    changes.lines.append({"e": "decaying", "entry": entry.id, "reason": reason})
    if entry.managed:
        _compress(tonight, entry, moment, changes)


def squeeze(tonight: Run, entry: Entry, moment: str, changes: Changes) -> None:
    """Add what compresses the page of an entry that is decaying already."""
    why = _busy(tonight, entry)
    if why is not None:
        changes.left_out[entry.path] = why
    elif entry.managed:
        _compress(tonight, entry, moment, changes)


def restore(tonight: Run, entry: Entry, reason: str, changes: Changes) -> None:
    """Add what makes *entry* active again, its page with its full text and what was added
    meanwhile.
    """
    origin = fading.original_of(tonight.db, entry.id)
    if origin is None:
        changes.lines.append({"e": "restored", "entry": entry.id, "reason": reason})
        return
    why = _busy(tonight, entry)
    text = None if why is not None else full_text(tonight, entry, origin)
    if text is None:
        changes.left_out[entry.path] = (
            why or "its summary was changed where the full text would go; recall shows it"
        )
        return
    content = text.encode("utf-8", "surrogateescape")
    changes.writes.append(Write(entry.path, content))
    about = {"path": entry.path, "blob": objects.blob_id(content), "cold": origin.id}
    changes.lines.append({"e": "restored", "entry": entry.id, **about, "reason": reason})


def is_free_to_leave(tonight: Run, entry: Entry) -> bool:
    """Tell whether the page of *entry* is companion's down to the last line of its body."""
    text = _text(tonight, entry.blob)
    return entry.managed and not owned_lines.in_body(
        owned_lines.theirs(tonight, entry.id, text), text
    )


def full_text(tonight: Run, entry: Entry, origin: Stored | None) -> str | None:
    """Return the page of *entry* as it would be whole; None where that clashes with what was
    changed since.

    Raises ColdLost where cold memory has lost it.
    """
    now = _text(tonight, entry.blob)
    if origin is None:
        return now
    full = cold_memory.content(tonight.repo, origin.id, origin.blob).decode(
        "utf-8", "surrogateescape"
    )
    row = tonight.db.execute(_SUMMARY, (entry.id, origin.id)).fetchone()
    return compress.expand(full, _text(tonight, row[0]), now) if row is not None else full


# -- the parts -------------------------------------------------------------------------------------


def _busy(tonight: Run, entry: Entry) -> str | None:
    """Say why the page of *entry* must be left alone now; one that is its owner's is never
    written.
    """
    return tonight.excluded_paths([entry.path]).get(entry.path) if entry.managed else None


def _compress(tonight: Run, entry: Entry, moment: str, changes: Changes) -> None:
    origin = fading.original_of(tonight.db, entry.id)
    text = full_text(tonight, entry, origin)
    if text is None:
        changes.left_out[entry.path] = "its summary was changed where the full text would go"
        return
    content = text.encode("utf-8", "surrogateescape")
    chosen = LightSummariser().summarise(text, depth=compress.depth(text)).spans
    blob, theirs = objects.blob_id(content), owned_lines.theirs(tonight, entry.id, text)
    small = compress.compress(text, chosen, theirs=theirs, original=blob, day=moment[:10])
    if small is None or (origin is not None and small == _text(tonight, entry.blob)):
        return
    item = _item(entry, blob, moment, origin)
    write = Write(entry.path, small.encode("utf-8", "surrogateescape"))
    before, after = compress.words(text), compress.words(small)
    lost = compress.distortion(before, after)
    about = {
        "path": entry.path,
        "blob": objects.blob_id(write.content or b""),
        "cold": item.id,
        "original": blob,
    }
    reason = f"{len(after)} of {len(before)} words stay; the full text is in cold memory"
    changes.lines.append(
        {"e": "compressed", "entry": entry.id, **about, "distortion": lost, "reason": reason}
    )
    changes.writes.append(write)
    changes.stored.append((item, content))


def _archive(tonight: Run, entry: Entry, reason: str, moment: str, changes: Changes) -> None:
    line: dict[str, Any] = {"e": "archived", "entry": entry.id, "reason": reason}
    if not is_free_to_leave(tonight, entry):
        changes.lines.append(line)
        return
    origin = fading.original_of(tonight.db, entry.id)
    text = full_text(tonight, entry, origin) or _text(tonight, entry.blob)
    content = text.encode("utf-8", "surrogateescape")
    item = _item(entry, objects.blob_id(content), moment, origin)
    about = {"path": entry.path, "title": entry.title, "cold": item.id, "original": item.blob}
    changes.lines.append({**line, **about})
    changes.writes.append(Write(entry.path, None))
    changes.stored.append((item, content))


def _item(entry: Entry, blob: str, moment: str, origin: Stored | None) -> Cold:
    previous = None if origin is None else origin.id
    return Cold(
        cold_memory.name(entry.id, moment), blob, entry.id, moment, entry.path, previous=previous
    )


def _text(tonight: Run, blob: str) -> str:
    return tonight.repo.blob(blob).decode("utf-8", "surrogateescape")


def named(lines: Iterable[Mapping[str, Any]], *kinds: str) -> Sequence[str]:
    """Return the entries that *lines* of these *kinds* are about."""
    return [line["entry"] for line in lines if line["e"] in kinds]

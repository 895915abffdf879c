"""The transitions of one entry: decaying, compressed, archived, restored (MaM §5.3).

Each function adds ledger lines, page writes and contents for cold memory to a `Changes`; the
operation that calls it publishes them with its own run.

A page that its owner wrote keeps its file: only its state in the index changes. In a page that
companion wrote, the lines of the owner stay. Such a page can be compressed around those lines, and
is never removed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.judges.summarise import LightSummariser
from companion.lifecycle import compress
from companion.pages.statement_edits import unmark_lost_page
from companion.runs import owned_lines
from companion.runs.run import Run
from companion.storage.cold import cold_memory
from companion.storage.cold.cold_memory import Cold
from companion.storage.git import objects
from companion.storage.index.tables.decay import (
    ColdObject,
    LivingEntry,
    find_living_entry,
    find_original,
    find_summary_blob,
    list_pinned,
)
from companion.values.decisions import Write
from companion.values.events import LedgerLine

_SUMMARY_CHANGED = "its summary was changed in the place of the full text"


@dataclass
class Changes:
    """Changes of entries by a run: ledger lines, page writes, contents for cold memory.

    *left_out* has the paths of pages that are left alone, each with the reason.
    """

    lines: list[LedgerLine] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    stored: list[tuple[Cold, bytes]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def store(self, run: Run) -> None:
        """Put the contents into cold memory, durably.

        Call it before the run is published that takes these contents out of the wiki (CTX-3).
        """
        cold_memory.put(run.repo, self.stored)

    def add(self, other: "Changes") -> None:
        """Add everything that *other* holds."""
        self.lines += other.lines
        self.writes += other.writes
        self.stored += other.stored
        self.left_out |= other.left_out


def archive_entries(
    run: Run, reasons: Mapping[str, str], moment: str
) -> Changes:
    """Return what archives the entries of *reasons* (id -> reason), after decaying (DEC-6, AUD-5).

    The full content goes to cold memory and the page's file leaves the wiki; the record stays as a
    tombstone. A page that its owner wrote, or that holds lines of the owner, stays in its place and
    is archived in the index only. Pinned entries stay as they are. *moment* is the time of the run.
    Raises ColdLost, DamagedRef or NotCold.
    """
    changes = Changes()
    pinned = list_pinned(run.db)
    for id, reason in sorted(reasons.items()):
        entry = find_living_entry(run.db, id)
        if entry is None:
            continue
        obstacle = "it is pinned" if id in pinned else _obstacle(run, entry)
        if obstacle is not None:
            changes.left_out[entry.path] = obstacle
            continue
        if entry.state == "active":
            changes.lines.append(
                {"e": "decaying", "entry": id, "reason": reason}
            )
        _archive(run, entry, reason, moment, changes)
    return changes


def start_decaying(
    run: Run, entry: LivingEntry, reason: str, moment: str, changes: Changes
) -> None:
    """Add what makes *entry* decaying; a long page that companion wrote is compressed as well.

    Raises ColdLost, DamagedRef or NotCold.
    """
    obstacle = _obstacle(run, entry)
    if obstacle is not None:
        changes.left_out[entry.path] = obstacle
        return
    changes.lines.append({"e": "decaying", "entry": entry.id, "reason": reason})
    if entry.managed:
        _compress(run, entry, moment, changes)


def compress_page(
    run: Run, entry: LivingEntry, moment: str, changes: Changes
) -> None:
    """Add what compresses the page of an entry that is decaying already.

    Raises ColdLost, DamagedRef or NotCold.
    """
    obstacle = _obstacle(run, entry)
    if obstacle is not None:
        changes.left_out[entry.path] = obstacle
    elif entry.managed:
        _compress(run, entry, moment, changes)


def restore_entry(
    run: Run, entry: LivingEntry, reason: str, changes: Changes
) -> None:
    """Add what makes *entry* active again, its page with the full text and what was added since.

    Raises ColdLost, DamagedRef or NotCold.
    """
    line = {"e": "restored", "entry": entry.id}
    original = find_original(run.db, entry.id)
    text = read_full_text(run, entry, original)
    if text is None:
        changes.left_out[entry.path] = (
            f"{_SUMMARY_CHANGED}; `companion recall` shows that text"
        )
        return
    whole = unmark_lost_page(text) if entry.managed else text
    if original is None and whole == text:
        changes.lines.append({**line, "reason": reason})
        return
    obstacle = _obstacle(run, entry)
    if obstacle is not None:
        changes.left_out[entry.path] = obstacle
        return
    content = _encode(whole)
    changes.writes.append(Write(entry.path, content))
    line |= {"path": entry.path, "blob": objects.hash_blob(content)}
    if original is not None:
        line["cold"] = original.id
    changes.lines.append({**line, "reason": reason})


def can_leave_wiki(run: Run, entry: LivingEntry) -> bool:
    """Return whether companion wrote the whole body of the page of *entry*."""
    if not entry.managed:
        return False
    text = _read_blob(run, entry.blob)
    owned = owned_lines.find_owned_lines(run, entry.id, text)
    return not owned_lines.select_body_lines(owned, text)


def read_full_text(
    run: Run, entry: LivingEntry, original: ColdObject | None
) -> str | None:
    """Return the page of *entry* with its full text, and with what was added to the summary since.

    Return None where such an addition stands in the place of the full text. Raises ColdLost where
    cold memory has lost the *original*.
    """
    current = _read_blob(run, entry.blob)
    if original is None:
        return current
    full = _decode(
        cold_memory.read_content(run.repo, original.id, original.blob)
    )
    summary = find_summary_blob(run.db, entry.id, original.id)
    if summary is None:
        return full
    return compress.expand(full, _read_blob(run, summary), current)


# -- the parts -------------------------------------------------------------------------------------


def _obstacle(run: Run, entry: LivingEntry) -> str | None:
    """Return why the page of *entry* cannot be written now; a page of the owner never is."""
    if not entry.managed:
        return None
    return run.excluded_paths([entry.path]).get(entry.path)


def _compress(
    run: Run, entry: LivingEntry, moment: str, changes: Changes
) -> None:
    original = find_original(run.db, entry.id)
    text = read_full_text(run, entry, original)
    if text is None:
        changes.left_out[entry.path] = _SUMMARY_CHANGED
        return
    content = _encode(text)
    blob = objects.hash_blob(content)
    summary = _summarise(run, entry, text, blob, moment)
    if summary is None:
        return
    if original is not None and summary == _read_blob(run, entry.blob):
        return
    before = compress.list_words(text)
    after = compress.list_words(summary)
    written = _encode(summary)
    item = _cold_object(entry, blob, moment, original)
    changes.lines.append(
        {
            "e": "compressed",
            "entry": entry.id,
            "path": entry.path,
            "blob": objects.hash_blob(written),
            "cold": item.id,
            "original": blob,
            "distortion": compress.measure_distortion(before, after),
            "reason": f"Keeps {len(after)} of {len(before)} words; cold memory has the full text.",
        }
    )
    changes.writes.append(Write(entry.path, written))
    changes.stored.append((item, content))


def _summarise(
    run: Run, entry: LivingEntry, text: str, blob: str, moment: str
) -> str | None:
    chosen = (
        LightSummariser()
        .summarise(text, depth=compress.summary_depth(text))
        .spans
    )
    owned = owned_lines.find_owned_lines(run, entry.id, text)
    return compress.compress(
        text, chosen, theirs=owned, original=blob, day=moment[:10]
    )


def _archive(
    run: Run, entry: LivingEntry, reason: str, moment: str, changes: Changes
) -> None:
    line: LedgerLine = {"e": "archived", "entry": entry.id, "reason": reason}
    if not can_leave_wiki(run, entry):
        changes.lines.append(line)
        return
    original = find_original(run.db, entry.id)
    text = read_full_text(run, entry, original) or _read_blob(run, entry.blob)
    content = _encode(text)
    item = _cold_object(entry, objects.hash_blob(content), moment, original)
    line |= {
        "path": entry.path,
        "title": entry.title,
        "cold": item.id,
        "original": item.blob,
    }
    changes.lines.append(line)
    changes.writes.append(Write(entry.path, None))
    changes.stored.append((item, content))


def _cold_object(
    entry: LivingEntry, blob: str, moment: str, original: ColdObject | None
) -> Cold:
    id = cold_memory.make_id(entry.id, moment)
    previous = None if original is None else original.id
    return Cold(id, blob, entry.id, moment, entry.path, previous=previous)


def _read_blob(run: Run, blob: str) -> str:
    return _decode(run.repo.blob(blob))


def _decode(content: bytes) -> str:
    return content.decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")

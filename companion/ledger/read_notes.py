"""Read the claims of the notes that a night takes in (LED-1); only of what was told openly."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.comparison.pending import (
    ConsolidationPlan,
    PendingCapture,
    page_title,
)
from companion.ledger.read_telling import (
    Reader,
    Reading,
    make_claims_line,
    make_lines_of_page,
)
from companion.runs.run import Run
from companion.storage.index.tables.claims import (
    RecordedClaim,
    decode_claims,
)
from companion.storage.index.tables.pages.entries import find_title
from companion.values.captures import Sighting
from companion.values.claims import Claim
from companion.values.events import LedgerLine

# (capture, entry, new tellings)
Sighted = tuple[str, str, tuple[Sighting, ...]]


class Readings(NamedTuple):
    """Everything that a night has read before it plans."""

    of: Mapping[str, list[Reading]]  # by capture
    reader: Mapping[str, str]  # who read: part of the run's input (CON-2)

    def claims(self, capture: str) -> list[Claim]:
        """Return what all tellings of *capture* state."""
        claims: list[Claim] = []
        for reading in self.of.get(capture, ()):
            claims += reading.claims
        return claims

    def changes(self, capture: str, passage: str) -> list[Claim]:
        """Return the changes that a *passage* of *capture* states in words."""
        claims: list[Claim] = []
        for reading in self.of.get(capture, ()):
            for words, claim in reading.changes:
                if words in passage or passage in words:
                    claims.append(claim)
        return claims

    def list_claims(self) -> list[RecordedClaim]:
        """Return everything that was read, as the index would give it; without the entries, which
        are not known yet.
        """
        claims: list[RecordedClaim] = []
        for readings in self.of.values():
            for reading in readings:
                claims += decode_claims(make_claims_line(reading, ""))
        return claims


def read_notes(
    run: Run, pending: Sequence[PendingCapture], sighted: Iterable[Sighted]
) -> Readings:
    """Return what *pending* notes state, and old ones that were told again.

    Only notes that were told openly and are here are read.
    """
    readable = list(filter(_is_readable, pending))
    again = list(sighted)
    if not readable and not again:
        return Readings({}, {})
    reader = Reader(run.db)
    texts = run.contents()
    notes = [
        _new_note(reader, capture, texts[capture.capture.id])
        for capture in readable
    ]
    notes += [_old_note(run, reader, *old) for old in again]
    readings: dict[str, list[Reading]] = {}
    tellings = _order_tellings(notes)
    run.progress.begin("reading notes", len(tellings))
    for sighting, note in tellings:
        text = texts[note.capture] if note.text is None else note.text
        reading = reader.read(note.capture, note.title, sighting, text)
        if reading.claims or reading.changes:
            readings.setdefault(note.capture, []).append(reading)
        run.progress(1)
    return Readings(readings, _describe_reader(reader))


def _describe_reader(reader: Reader) -> dict[str, str]:
    """Return the parts of the reader's identity that are known."""
    identity = reader.extractor.identity._asdict()
    return {name: value for name, value in identity.items() if value}


def _is_readable(capture: PendingCapture) -> bool:
    """Tell whether a note was told openly and is here, and nothing holds it back."""
    return not (capture.private or capture.lost or capture.held)


def _order_tellings(
    notes: Iterable["_Note"],
) -> list[tuple[Sighting, "_Note"]]:
    """Return every telling with its note, in the order of telling."""
    tellings: list[tuple[Sighting, _Note]] = []
    for note in notes:
        tellings += [(sighting, note) for sighting in note.sightings]
    tellings.sort(key=lambda telling: (telling[0].seen_at, telling[1].capture))
    return tellings


def make_claims_lines(
    readings: Readings, plan: ConsolidationPlan
) -> list[LedgerLine]:
    """Return the ledger's `claims` lines for what *plan* consumes and for old notes that were told
    again.
    """
    placed: list[tuple[str, str]] = []
    for page in plan.pages:
        placed += [(each.capture.id, page.entry) for each in page.captures]
    placed += [(capture, entry) for capture, entry, _ in plan.sighted]
    lines: list[LedgerLine] = []
    for capture, entry in placed:
        lines += make_lines_of_page(readings.of.get(capture, ()), entry)
    return lines


class _Note(NamedTuple):
    """One note of a run, with the tellings of it that are read."""

    capture: str
    title: str
    sightings: Sequence[Sighting]
    text: bytes | None = None  # None: as the run's contents have it


def _new_note(reader: Reader, pending: PendingCapture, text: bytes) -> _Note:
    title = page_title(pending, text.decode("utf-8", "replace"))
    tellings = reader.select_tellings(text, pending.sightings)
    return _Note(pending.capture.id, title, tellings)


def _old_note(
    run: Run,
    reader: Reader,
    capture: str,
    entry: str,
    sightings: Sequence[Sighting],
) -> _Note:
    blob = run.journal.blob(capture)
    # a note that is lost states nothing here; `doctor` names it
    text = b""
    if blob is not None and run.repo.has(blob):
        text = run.repo.blob(blob)
    title = find_title(run.db, entry) or ""
    return _Note(capture, title, reader.select_tellings(text, sightings), text)

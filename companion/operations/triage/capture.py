"""TRIAGE (MaM §5.2): make what a person drops durable within milliseconds, and judge nothing yet.

This module has no handle to the wiki: it knows the journal and git's object folder, and neither
pages, index nor heads (TRI-5).
"""

import os
from collections.abc import Callable, Iterable

from companion.annotations import TYPE_CHECKING
from companion.language.headline import headline
from companion.operations.triage.filter import judge
from companion.storage.files import durable
from companion.storage.git import layout, objects
from companion.storage.journal.journal import TRUSTED, Journal
from companion.values.captures import (
    Capture,
    Draft,
    make_capture,
    make_sighting,
)
from companion.values.refusals import PASSED_OVER, Refusal
from companion.values.time import moment
from companion.workspace import Workspace, find_local_offset

if TYPE_CHECKING:
    from typing import BinaryIO

    from companion.operations.triage.parcels import Parcel
    from companion.operations.triage.results import (
        CaptureResult,
        IngestResult,
        RefusedInput,
        RefusedLine,
    )
    from companion.privacy.erased_words import Erased
    from companion.values.progress import Progress

BATCH = 500  # captures per transaction of a bulk import
# from here on, git takes the bytes as one pack at the end instead of a loose object each
BULK = 64


def ingest(
    ws: Workspace,
    items: "Iterable[Draft | Refusal | Parcel]",
    *,
    redact: bool = False,
    store_anyway: bool = False,
    dry_run: bool = False,
    progress: "Progress | None" = None,
) -> "IngestResult":
    """Capture every draft, and keep every parcel as an original; return what became of each.

    What was stored before a failure stays stored. With *dry_run* nothing is stored.
    """
    intake = _Intake(ws, progress, dry_run=dry_run)
    refused: list[RefusedInput] = []
    passed_over: list[RefusedInput] = []
    parcels: list[Parcel] = []
    for item in items:
        if not isinstance(item, Draft | Refusal):
            parcels.append(item)
            continue
        judged = intake.judge(item, redact=redact, store_anyway=store_anyway)
        if not isinstance(judged, Refusal):
            intake.take(judged)
        elif judged.kind in PASSED_OVER:
            passed_over.append(judged._asdict())
        else:
            refused.append(judged._asdict())
    captures = intake.finish()
    captured = sum(answer["status"] == "captured" for answer in captures)
    done: IngestResult = {
        "captures": captures,
        "originals": [],
        "passed_over": passed_over,
        "refused": refused,
        "counts": {
            "captured": captured,
            "seen": len(captures) - captured,
            "kept": 0,
            "known": 0,
            "passed_over": len(passed_over),
            "refused": len(refused),
        },
        "dry_run": dry_run,
    }
    if parcels:
        # most calls bring a note and need none of it
        from companion.operations.triage.keep import keep_parcels

        keep_parcels(
            ws,
            parcels,
            done,
            erased=_read_erased_words(ws),
            store_anyway=store_anyway,
            progress=progress,
        )
    return done


def triage_stream(
    ws: Workspace,
    stream: "BinaryIO",
    defaults: Draft,
    *,
    acknowledge: "Callable[[CaptureResult | RefusedLine], None]",
    redact: bool = False,
    store_anyway: bool = False,
) -> None:
    """Capture an endless stream, one line each; a line is durable before it is acknowledged."""
    from companion.operations.triage import readers

    intake = _Intake(ws)
    answer: CaptureResult | RefusedLine
    for item in readers.read_lines(stream, defaults=defaults):
        judged = intake.judge(item, redact=redact, store_anyway=store_anyway)
        if isinstance(judged, Refusal):
            answer = {
                "status": "refused",
                "origin": judged.origin,
                "kind": judged.kind,
                "reason": judged.reason,
                "hint": judged.hint,
            }
        else:
            intake.take(judged)
            intake.flush()
            intake.write_loose()
            answer = intake.answers.pop()
        acknowledge(answer)


class _Intake:
    """Drafts on their way into the journal, a transaction per batch."""

    def __init__(
        self,
        ws: Workspace,
        progress: "Progress | None" = None,
        *,
        dry_run: bool = False,
    ) -> None:
        self.ws, self.progress, self.dry_run = ws, progress, dry_run
        self.journal = ws.journal()
        self.answers: list[CaptureResult] = []
        self.batch: list[Draft] = []
        # contents that git does not hold yet, as long as they are few
        self.loose: list[bytes] = []

    def judge(self, item: Draft | Refusal, **door: bool) -> Draft | Refusal:
        """Return the draft that may come in, or why it may not."""
        if isinstance(item, Refusal):
            return item
        judged = judge(item, **door)
        if isinstance(judged, Refusal):
            return judged
        known = _read_erased_words(self.ws)
        if known is None:
            return judged
        from companion.privacy import erased_words

        return erased_words.refuse(judged, *known) or judged

    def take(self, draft: Draft) -> None:
        """Add a draft to the batch; a full batch is stored."""
        self.batch.append(draft)
        if len(self.batch) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Store the batch in one transaction."""
        if not self.batch:
            return
        last = self.journal.begin()
        trusted = self.journal.get(TRUSTED)
        device = layout.read_device(self.ws.place)
        answers: list[CaptureResult] = []
        fresh: list[bytes] = []
        try:
            for draft in self.batch:
                last, event = moment(
                    self.ws.now(), last, trusted, draft.event_time
                )
                if draft.event_time is None:
                    draft = draft._replace(utc_offset=find_local_offset(event))
                capture = make_capture(draft, last)
                telling = make_sighting(
                    draft, capture.id, last, event, device=device
                )
                is_known = self.journal.is_known_to(telling.owner, capture.id)
                is_new, _ = self.journal.add(capture, telling)
                answers.append(_answer(capture, draft, is_new=not is_known))
                if is_new:
                    fresh.append(capture.content)
            if self.dry_run:
                self.journal.rollback()
                fresh = []
            else:
                durable.fault("journal.commit")
                self.journal.commit(last)
                durable.fault("journal.commit", "after")
        except BaseException:
            self.journal.rollback()
            raise
        self.batch = []
        self.answers += answers
        self.loose = (self.loose + fresh)[:BULK]
        if self.progress is not None:
            self.progress(len(answers))

    def finish(self) -> "list[CaptureResult]":
        """Store what is left, and give git the bytes: the pointer in each row then names a real
        object.
        """
        self.flush()
        if len(self.loose) >= BULK:
            _anchor(self.ws, self.journal)
        else:
            self.write_loose()
        return self.answers

    def write_loose(self) -> None:
        """Write the contents that git does not hold yet as loose objects."""
        folder = os.path.join(self.ws.place.common_dir, "objects")
        for content in self.loose:
            objects.write_loose(folder, "blob", content)
        self.loose = []


def _read_erased_words(ws: Workspace) -> "tuple[list[Erased], bytes] | None":
    """Return what was erased here, by keyed hash, and the key; None where nothing was.

    Asked anew for each draft: a stream may be open while words are being erased.
    """
    if not os.path.exists(os.path.join(ws.place.state, "erased.json")):
        return None  # most wikis: a capture pays for one look
    from companion.storage.erasure.remembered import read_erased_words

    return read_erased_words(ws.place)


def _answer(capture: Capture, draft: Draft, *, is_new: bool) -> "CaptureResult":
    return {
        "id": capture.id,
        "blob": capture.blob,
        "title": capture.title or headline(draft.text),
        "status": "captured" if is_new else "seen",
        "source": draft.source,
        "ingested_at": capture.ingested_at,
    }


def _anchor(ws: Workspace, journal: Journal) -> None:
    from companion.storage.files import lock
    from companion.storage.git import capture_buffer
    from companion.storage.git.repo import Repo

    try:
        with lock.lock_file(
            os.path.join(ws.place.state, "sleep.lock"), "ingest"
        ):
            try:
                capture_buffer.anchor(journal, Repo(ws.place))
            finally:
                objects.release_packs(ws.place.common_dir)
    except lock.Busy:
        # the captures are durable in the journal; the night that holds the lock anchors them
        return

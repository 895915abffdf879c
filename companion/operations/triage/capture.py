"""TRIAGE (MaM §5.2): make what a person drops durable within milliseconds, and judge nothing yet.

This module has no handle to the wiki: it knows the journal and git's object folder, and neither
pages, index nor heads (TRI-5).
"""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, BinaryIO

from companion.language.headline import headline
from companion.operations.triage.filter import judge
from companion.storage.files import durable
from companion.storage.git import objects
from companion.storage.journal.journal import TRUSTED, Journal
from companion.values.captures import (
    Capture,
    Draft,
    make_capture,
    make_sighting,
)
from companion.values.refusals import Refusal
from companion.values.time import moment
from companion.workspace import Workspace, find_local_offset

if TYPE_CHECKING:
    from companion.operations.triage.results import (
        CaptureResult,
        IngestResult,
        RefusedInput,
        RefusedLine,
    )
    from companion.privacy.erased_words import Erased

BATCH = 500  # captures per transaction of a bulk import
# from here on, git takes the bytes as one pack at the end instead of a loose object each
BULK = 64

Progress = Callable[[int], None]


def ingest(
    ws: Workspace,
    items: Iterable[Draft | Refusal],
    *,
    redact: bool = False,
    store_anyway: bool = False,
    progress: Progress | None = None,
) -> "IngestResult":
    """Capture every draft; return what became of each. What was captured before a failure stays
    captured.
    """
    intake = _Intake(ws, progress)
    refused: list[RefusedInput] = []
    for item in items:
        judged = intake.judge(item, redact=redact, store_anyway=store_anyway)
        if isinstance(judged, Refusal):
            refused.append(judged._asdict())
        else:
            intake.take(judged)
    captures = intake.finish()
    captured = sum(answer["status"] == "captured" for answer in captures)
    return {
        "captures": captures,
        "refused": refused,
        "counts": {
            "captured": captured,
            "seen": len(captures) - captured,
            "refused": len(refused),
        },
    }


def triage_stream(
    ws: Workspace,
    stream: BinaryIO,
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

    def __init__(self, ws: Workspace, progress: Progress | None = None) -> None:
        self.ws, self.progress = ws, progress
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
                telling = make_sighting(draft, capture.id, last, event)
                is_known = self.journal.is_known_to(telling.owner, capture.id)
                is_new, _ = self.journal.add(capture, telling)
                answers.append(_answer(capture, draft, is_new=not is_known))
                if is_new:
                    fresh.append(capture.content)
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

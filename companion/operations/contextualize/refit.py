"""Look again at sources whose reader may have moved, and fit those anew whose reader has (CTX-6).

A night looks only at sources that something happened near: those of which a move was seen before,
those whose original somebody fetched, and those near what was told or asked lately. A move is
recorded; a later night that sees the same one fits the source again, from its original.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.operations.contextualize.collect import make_original
from companion.operations.contextualize.read_items import (
    ReadOriginal,
    read_item,
)
from companion.operations.contextualize.reader.shift import decide_shift
from companion.operations.contextualize.represent import Fitter, find_step
from companion.operations.contextualize.values import (
    STEPS,
    Fitting,
    Step,
)
from companion.runs.run import Run
from companion.sources.read import Readers
from companion.storage.cold import cold_memory
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.pages.neighbourhood import (
    list_pages_about,
    list_recent_notes,
    list_recent_questions,
)
from companion.storage.index.tables.sources import (
    Source,
    find_source,
    list_moved,
    list_recalled,
    read_line,
)
from companion.subjects.words import list_telling_words
from companion.values.events import LedgerLine
from companion.values.time import format_instant

# sources that one night looks at again
MOST = 20
# days for which something told or asked counts as lately
_LATELY = 2
_MOST_TEXTS = 40
_OPENING = 400  # characters of each
_MOST_WORDS = 24
_MOST_PAGES = 60


class Look(NamedTuple):
    """The outcome of a second look at a source."""

    source: Source
    read: ReadOriginal
    fitting: Fitting  # as of now
    again: bool  # it is fitted anew
    away: bool  # a move that is to be recorded
    reason: str


def look_again(
    run: Run, readers: Readers, fitter: Fitter, *, beside: Sequence[str]
) -> Iterator[Look]:
    """Yield what became of the sources that something happened near, except those *beside*."""
    for source in list_candidates(run, beside):
        item = make_original(cold_memory.find(run.repo, source.cold))
        found = read_item(run, readers, item, keep_secrets=True)
        if not isinstance(found, ReadOriginal):
            continue  # it was read once; the page stays as it is
        yield _look_at(run, fitter, source, found)


def list_candidates(run: Run, beside: Sequence[str]) -> list[Source]:
    """Return the sources that are looked at again, those first of which a move was seen."""
    known = set(beside)
    entries = dict.fromkeys(list_moved(run.db))
    entries.update(dict.fromkeys(list_recalled(run.db)))
    entries.update(dict.fromkeys(_list_near(run)))
    candidates = []
    for entry in entries:
        source = find_source(run.db, entry)
        if source is None or source.key in known:
            continue
        # a person who named the depth need not be watched
        if source.kind in ("document", "chat") and not _is_asked(run, source):
            candidates.append(source)
        if len(candidates) == MOST:
            break
    return candidates


def _is_asked(run: Run, source: Source) -> bool:
    return bool(read_line(run.db, source).get("asked"))


def _list_near(run: Run) -> list[str]:
    """Return the entries of sources that have words of what was told and asked lately."""
    since = datetime.fromisoformat(run.present()) - timedelta(days=_LATELY)
    texts = list(_read_recent_texts(run, format_instant(since)))
    if not texts:
        return []
    words = list_telling_words("\n".join(texts))[:_MOST_WORDS]
    pages = list_pages_about(run.db, words, _MOST_PAGES)
    return [page.entry for page in pages if page.kind in ("source", "chat")]


def _read_recent_texts(run: Run, since: str) -> Iterator[str]:
    for question in list_recent_questions(run.db, since, _MOST_TEXTS):
        yield question.words
    for capture in list_recent_notes(run.db, since, _MOST_TEXTS):
        blob = run.journal.blob(capture)
        if blob is not None and run.repo.has(blob):
            yield run.repo.text(blob)[:_OPENING]


def _look_at(
    run: Run, fitter: Fitter, source: Source, read: ReadOriginal
) -> Look:
    line = read_line(run.db, source)
    last = Fitting(
        source.at,
        _find_step(source.depth),
        float(line.get("score", 0)),
        tuple(line.get("interests", ())),
    )
    observed = [
        Fitting(
            event.time,
            _find_step(str(event.data["depth"])),
            float(event.data["score"]),
            tuple(event.data["interests"]),
        )
        for event in list_entry_events(run.db, source.entry, ["shifted"])
        if event.time > source.at
    ]
    now = fitter.measure(read, source.key, source.entry)
    shift = decide_shift(last, observed, now)
    return Look(source, read, now, shift.recompress, shift.away, shift.reason)


def _find_step(name: str) -> Step:
    """Return the step called *name*; one of a foreign ledger that is none counts as the first."""
    return find_step(name) or STEPS[0]


def make_shifted_line(look: Look) -> LedgerLine:
    """Return the ledger's line for a move that the next night looks at."""
    return {
        "e": "shifted",
        "entry": look.source.entry,
        "source": look.source.key,
        "depth": look.fitting.step,
        "score": look.fitting.score,
        "interests": list(look.fitting.interests),
        "reason": look.reason,
    }

"""Phase 2 after the judges answered: what a doubt costs by the gravity it meets, and how much the
person works on its matter now (MaM §5.5, CON-14).

A night without doubts weighs no page and reads no question here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from companion.comparison.alignment import lift_consistency, measure_alignment
from companion.comparison.consistency import (
    Judged,
    Standing,
    contradiction_cost,
)
from companion.comparison.pending import PendingCapture
from companion.gravity.measure import describe_gravity, weigh_entries
from companion.language.detect import language_of
from companion.language.words.snowball import stem_words
from companion.runs.run import Run
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.pages.neighbourhood import (
    list_recent_notes,
)
from companion.storage.index.tables.use import list_owner_questions
from companion.subjects.words import list_telling_words
from companion.values.captures import RESERVED, Sighting
from companion.values.events import LedgerLine
from companion.values.time import format_instant
from companion.values.wording import without_frontmatter

# how far back the task reaches, and the newest texts of each kind that are read
_LATELY = timedelta(days=14)
_MOST = 100
# characters of a note that tell what it is about
_OPENING = 600
# as a run's lines and the journal name the person who owns the wiki
_OWNER = "owner"
# less counts nothing: it decides little, and the ledger would have to say it
_COUNTS_FROM = 0.05


def weigh_by_gravity(run: Run, judged: dict[str, list[Judged]]) -> None:
    """Note in *judged* the effective gravity of each page that a doubt meets."""
    doubts = [one for some in judged.values() for one in some if _doubts(one)]
    if not doubts:
        return
    weigh_entries(run)
    gravity = {
        entry: _find_gravity(run, entry)
        for entry in {one.other for one in doubts}
    }
    for id, some in judged.items():
        judged[id] = [
            one._replace(gravity=gravity[one.other]) if _doubts(one) else one
            for one in some
        ]


def align_with_task(
    run: Run,
    captures: Sequence[PendingCapture],
    uses: Iterable[LedgerLine],
    standings: Mapping[str, Standing],
) -> dict[str, Standing]:
    """Return *standings* with what is about the person's task lifted, where it is doubted.

    *uses* are the lines of use that this run will record: what was asked since the last one.
    """
    doubted = [
        told for told in captures if _is_doubted(standings.get(told.capture.id))
    ]
    aligned = dict(standings)
    if not doubted:
        return aligned
    task = _Task(run, captures, uses)
    for told in doubted:
        id = told.capture.id
        aligned[id] = _align(standings[id], task.measure(told))
    return aligned


def _align(standing: Standing, alignment: float) -> Standing:
    lifted = lift_consistency(standing.consistency, alignment)
    added = lifted - standing.consistency
    if added < _COUNTS_FROM:
        return standing
    words = f"task alignment {alignment:.2f} adds {added:.2f}"
    if standing.words:
        words = f"{standing.words}; {words}"
    return standing._replace(consistency=lifted, words=words)


class _Task:
    """What the person asked and wrote lately; each text is read once."""

    def __init__(
        self,
        run: Run,
        captures: Sequence[PendingCapture],
        uses: Iterable[LedgerLine],
    ) -> None:
        self._contents = run.contents()
        since = datetime.fromisoformat(run.present()) - _LATELY
        instant = format_instant(since)
        self._questions = [
            *_list_asked(uses),
            *list_owner_questions(run.db, instant, _MOST),
        ]
        self._notes = dict(_read_recent_notes(run, instant))
        for told in captures[-_MOST:]:
            if not told.lost and _is_own(told.sightings):
                self._notes[told.capture.id] = self._read(told)

    def measure(self, told: PendingCapture) -> float:
        """Return how much a capture is about the task, by all but itself."""
        text = self._read(told)
        language = language_of(text) or "en"
        others = [
            note for id, note in self._notes.items() if id != told.capture.id
        ]
        task = [_stem(each, language) for each in [*self._questions, *others]]
        return measure_alignment(_stem(text, language), task)

    def _read(self, told: PendingCapture) -> str:
        text = self._contents[told.capture.id].decode("utf-8", "replace")
        return without_frontmatter(text)[:_OPENING]


def _stem(text: str, language: str) -> frozenset[str]:
    return frozenset(stem_words(list_telling_words(text), language))


def _list_asked(uses: Iterable[LedgerLine]) -> list[str]:
    return [
        line["words"]
        for line in uses
        if line["e"] == "asked" and line["agent"] == _OWNER
    ]


def _read_recent_notes(run: Run, since: str) -> Iterator[tuple[str, str]]:
    """Yield the notes of the person that nights took in since then, by capture."""
    for capture in list_recent_notes(run.db, since, _MOST):
        blob = run.journal.blob(capture)
        tellings = list_tellings(run.db, capture)
        is_own = any(_is_own_line(line) for line in tellings)
        if is_own and blob is not None and run.repo.has(blob):
            text = without_frontmatter(run.repo.text(blob))
            yield capture, text[:_OPENING]


def _is_own(sightings: Sequence[Sighting]) -> bool:
    """Tell whether the person told something in their own name."""
    return any(
        one.agent is None
        and one.source is None
        and one.scope != "private"
        and not one.channel.startswith(RESERVED)
        for one in sightings
    )


def _is_own_line(telling: LedgerLine) -> bool:
    return (
        telling.get("agent") is None
        and telling.get("source") is None
        and not str(telling.get("channel", "")).startswith(RESERVED)
    )


def _doubts(judged: Judged) -> bool:
    return judged.phase == 2 and 0.0 < contradiction_cost(judged) < 1.0


def _is_doubted(standing: Standing | None) -> bool:
    """Tell whether the wiki speaks against a capture, and not for certain."""
    if standing is None or standing.against is None:
        return False
    return standing.against.phase == 2 and standing.consistency > 0.0


def _find_gravity(run: Run, entry: str) -> float:
    known = describe_gravity(run.db, entry, run.ws.now())
    return 0.0 if known is None else known["effective"]

"""The judges of one night: ask them how captures stand to other texts, and note what they answer.

Every answer comes through the verdict log. A capture without an answer is noted as unjudged, and
waits.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.comparison.candidate_pairs import (
    FRAME,
    SideId,
    Wanted,
    pair_passages,
    pair_with_any,
    split_passages,
)
from companion.comparison.consistency import Choice, Judged
from companion.comparison.evidence import Evidence
from companion.comparison.nearest import NEAR
from companion.comparison.page_vectors import open_page_vectors
from companion.comparison.pages import ComparablePages
from companion.comparison.pending import PendingCapture, requested_title
from companion.judges.ask import ask_relations
from companion.judges.configured import Judges
from companion.language.relations.contest import says_since_when
from companion.ledger.person_answers import list_choices_by_verdict
from companion.ledger.read_notes import Readings
from companion.ledger.resolve import list_protected_entries
from companion.minority.contested.contests import find_contested
from companion.operations.consolidate.judging.speakers import (
    drop_pairs_of_others,
)
from companion.pages.body import words_to_judge
from companion.runs.run import Run
from companion.storage.journal.verdicts import Verdicts
from companion.values.claims import Claim, split_words
from companion.values.relations import Relation, Statement

Announce = Callable[[str], None]

#: what a person reads while the pairs of each phase are judged
_COMPARING = {
    1: "comparing notes with notes",
    2: "comparing notes with pages",
}


class Side(NamedTuple):
    """The other side of a comparison, beside its passage."""

    title: str | None
    when: str  # RFC 3339 UTC
    path: str = ""  # empty for a capture
    # what sentences call it, where it is one statement of a page
    name: str = ""


@dataclass(frozen=True)
class NightJudges:
    """The judges of one night, and what they need in order to answer about captures."""

    run: Run
    judges: Judges
    log: Verdicts
    readings: Readings
    evidence: Evidence  # what they answered so far
    announce: Announce | None
    at: str  # transaction time of new answers, RFC 3339 UTC
    protected: Collection[str]  # load-bearing entries
    choices: Mapping[str, Choice]  # what persons answered, by verdict
    pages: ComparablePages

    def ask(
        self,
        wanted: Sequence[Wanted],
        captures: Mapping[str, PendingCapture],
        sides: Mapping[SideId, Side],
        *,
        phase: int,
    ) -> list[Judged]:
        """Return the answers about the pairs of one phase; note captures without an answer.

        *sides* has the other side of each pair. What two people each say of themselves is no pair.
        """
        relater = self.judges.relater
        wanted = drop_pairs_of_others(self.run.db, wanted, captures)
        if not wanted or relater is None:
            return []
        statements = list_statements(wanted, captures, sides)
        self.run.progress.begin(_COMPARING[phase], len(statements))
        asked = ask_relations(
            self.log,
            relater,
            statements,
            self.at,
            self.run.progress,
            notes=[pair.capture for pair in wanted],
        )
        self.evidence.consultations.append(asked)
        judged = []
        answers = zip(wanted, asked.keys, asked.answers, strict=True)
        for pair, key, answer in answers:
            if answer is None:
                why = f"waits for its judge: {relater.identity} gave no answer"
                self.evidence.unjudged[pair.capture] = why
            else:
                told = captures[pair.capture]
                side = sides[pair.side]
                judged.append(
                    self._note_answer(pair, key, answer, told, side, phase)
                )
        return judged

    def _note_answer(
        self,
        pair: Wanted,
        key: str,
        answer: Relation,
        told: PendingCapture,
        side: Side,
        phase: int,
    ) -> Judged:
        first = told.sightings[0]
        return Judged(
            pair.capture,
            pair.other,
            phase,
            answer,
            key,
            later=first.explicit and first.event_time > side.when,
            answer=self.choices.get(key),
            path=side.path,
            changed=self._states_change(pair),
            statement=pair.statement or None,
            name=side.name,
        )

    def contest(
        self,
        notes: Mapping[str, Statement],
        about: Mapping[str, Sequence[str]],
        told: Mapping[str, PendingCapture],
    ) -> list[Judged]:
        """Return what *notes* contradict in the load-bearing entries they may be *about*.

        These have a lower bar than other pages. *told* has the tellings of the notes.
        """
        if self.judges.contest is None:
            return []
        contested = find_contested(
            self.pages,
            self.run,
            self.log,
            self.judges.contest,
            notes,
            about,
            self.at,
            {id: _find_source(told[id]) for id in notes},
        )
        if contested is None:
            return []
        self.evidence.consultations.append(contested.asked)
        self.evidence.doubts += contested.doubts
        return [self.with_choice(one) for one in contested.judged]

    def with_choice(self, judged: Judged) -> Judged:
        """Return *judged* with what a person answered to it."""
        return judged._replace(answer=self.choices.get(judged.key))

    def pair(
        self,
        capture: str,
        ours: Sequence[str],
        other: str,
        theirs: Sequence[str],
    ) -> list[Wanted]:
        """Return the few pairs of passages of two captures to ask about."""
        return pair_passages(capture, ours, other, theirs, floor=self._floor)

    def pair_with_page(
        self, capture: str, ours: Sequence[str], side: SideId
    ) -> list[Wanted]:
        """Return the few pairs with a page, or with one statement of it.

        Where the page has several statements and *side* names none, all of them are looked at.
        """
        page = self.pages.read(side.other)
        if page is None:
            return []
        if page.statements is not None and not side.statement:
            return pair_with_any(
                capture, ours, side.other, page.statements, floor=self._floor
            )
        return pair_passages(
            capture,
            ours,
            side.other,
            page.passages[side.statement],
            statement=side.statement,
            floor=self._floor,
        )

    def describe_side(self, side: SideId) -> Side:
        """Return a page, or one statement of it, as the other side of a comparison."""
        page = self.pages.read(side.other)
        assert page is not None  # its passages were paired
        name = page.names.get(side.statement, "")
        return Side(page.title, self.pages.find_time(side), page.path, name)

    @property
    def _floor(self) -> float:
        """The overlap below which pairs are left out.

        Rules find nothing in texts that share few words; a model knows what words do not show.
        """
        return FRAME if self.evidence.by_rules else 0.0

    def split_page(self, blob: str) -> list[str]:
        """Return the passages of a page that stands beside the wiki, without its facts."""
        return split_passages(words_to_judge(self.run.repo.text(blob)))

    def list_matters(self, capture: str) -> set[str]:
        """Return names of the single-valued matters that a capture speaks of.

        No link target can have such a name.
        """
        return {
            "\x1f".join(claim.key)
            for claim in self.readings.claims(capture)
            if claim.functional
        }

    def find_page_vectors(self, blobs: Mapping[str, str]) -> dict[str, bytes]:
        """Return the vectors of pages by the keys of *blobs*; none without an embedder."""
        if self.judges.embedder is None or not blobs:
            return {}
        with open_page_vectors(self.run, self.judges.embedder) as kept:
            vectors = kept.of(set(blobs.values()))
        return {id: vectors[blob] for id, blob in blobs.items()}

    def find_nearest_sides(
        self, vectors: Mapping[str, bytes], most: int = NEAR
    ) -> dict[str, list[SideId]]:
        """Return the nearest comparable pages, or statements of pages, of each of *vectors*.

        None without an embedder.
        """
        if self.judges.embedder is None or not vectors:
            return {}
        with open_page_vectors(self.run, self.judges.embedder) as kept:
            return kept.nearest(vectors, most)

    def _states_change(self, wanted: Wanted) -> bool:
        """Tell whether the capture's passage says that something changed of which the other speaks.

        Against a load-bearing entry it must also say since when (LED-3).
        """
        if says_since_when(wanted.later, wanted.earlier):
            return True
        changes = self.readings.changes(wanted.capture, wanted.later)
        if not changes:
            return False
        earlier = set(split_words(wanted.earlier))
        protected = wanted.other in self.protected
        return any(
            _is_change_of(claim, earlier, protected=protected)
            for claim in changes
        )


def open_night_judges(
    run: Run,
    judges: Judges,
    readings: Readings,
    evidence: Evidence,
    announce: Announce | None,
) -> NightJudges:
    """Return the judges of a night that note their answers in *evidence*."""
    log = Verdicts(run.journal, run.db)
    return NightJudges(
        run=run,
        judges=judges,
        log=log,
        readings=readings,
        evidence=evidence,
        announce=announce,
        at=run.moment(),
        protected=list_protected_entries(run.db),
        choices=list_choices_by_verdict(run.db, log),
        pages=ComparablePages(run),
    )


def file_by_capture(
    judged: Sequence[Judged], into: dict[str, list[Judged]]
) -> None:
    """Add each of *judged* to the answers about its capture."""
    for one in judged:
        into.setdefault(one.capture, []).append(one)


def list_statements(
    wanted: Sequence[Wanted],
    captures: Mapping[str, PendingCapture],
    sides: Mapping[SideId, Side],
) -> list[tuple[Statement, Statement]]:
    """Return each pair as a judge gets it."""
    statements = []
    for pair in wanted:
        side = sides[pair.side]
        earlier = Statement(pair.earlier, side.title, side.when)
        later = _own_statement(pair, captures[pair.capture])
        statements.append((earlier, later))
    return statements


def _own_statement(wanted: Wanted, told: PendingCapture) -> Statement:
    title = requested_title(told)
    return Statement(wanted.later, title, told.sightings[0].event_time)


def _is_change_of(claim: Claim, earlier: set[str], *, protected: bool) -> bool:
    """Tell whether *claim* changes something that the words *earlier* speak of."""
    if not claim.change or claim.mood != "confirmed":
        return False
    if protected and not claim.period.stated:
        return False
    subject = claim.key[0]
    return subject in ("me", "us") or earlier.issuperset(split_words(subject))


def _find_source(told: PendingCapture) -> str | None:
    """Return who told a capture first; None for the person who writes."""
    return told.sightings[0].source if told.sightings else None

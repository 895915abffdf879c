"""Collect what phase 4 decides on: who challenges whom tonight, and the open branches (MaM §5.5,
§5.7).

A night in which nothing contradicts and no branch is open asks for no gravity and costs nothing
here.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from companion.comparison.evidence import Evidence
from companion.comparison.pending import (
    PendingCapture,
    WikiContext,
    requested_title,
)
from companion.gravity.formula import Weight
from companion.gravity.measure import weigh_load_bearing_entries
from companion.ledger.read_notes import Sighted
from companion.minority.beliefs import entry_of, split_belief
from companion.minority.clusters import Tie, tie_captures
from companion.minority.contested.contested_pages import ContestedPages
from companion.minority.contested.contests import (
    note_statement,
    page_statement,
    side_of,
    tie_positions,
)
from companion.minority.contested.contradictions import (
    Contradiction,
    find_contradictions,
    list_costly,
)
from companion.minority.contested.members import recorded_sightings
from companion.minority.contested.note_words import read_note_words
from companion.minority.parties.confirmed import list_confirmed
from companion.minority.pressure import Telling, told_order
from companion.minority.wordings import COMPARED, Note, find_copied
from companion.pages.statements import without_derived
from companion.routing.peers import Heard
from companion.routing.watch_peers import read_heard
from companion.routing.watch_signals import SignalWatch
from companion.runs.run import Run
from companion.storage.index.history import list_runs_of, list_subject_events
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import (
    find_page_of_capture,
    list_captures_of_entry,
)
from companion.storage.index.tables.minority import Branch, Member
from companion.storage.index.tables.questions import (
    list_contradicted_by_quarantined,
)
from companion.values.captures import MODEL, Sighting
from companion.values.relations import Statement
from companion.values.trust import weigh_trust
from companion.values.wording import without_frontmatter


@dataclass(frozen=True)
class PhaseInput:
    """Tonight's captures that may challenge an entry, and the open branches with their members."""

    run: Run
    wiki: WikiContext
    evidence: Evidence  # of phases 1 and 2
    watch: SignalWatch
    pending: Mapping[str, PendingCapture]  # by capture
    branches: Sequence[Branch]  # the open ones
    members: Mapping[str, Member]  # by capture
    sighted_again: Mapping[str, Sequence[Sighting]]  # by consumed capture
    cycles: Mapping[str, int]  # the number of each past run
    moment: str  # of tonight (RFC 3339 UTC)
    # by capture, the dearest contradiction first
    contradictions: Mapping[str, Sequence[Contradiction]]
    pages: ContestedPages
    heard: Sequence[Heard] = ()  # what wikis of other people say
    # the belief that each note of an earlier night contradicts, as a person said (`confirmed`)
    confirmed: Mapping[str, str] = field(default_factory=dict)

    @property
    def cycle(self) -> int:
        """Return the number of tonight's cycle."""
        return len(self.cycles) + 1

    @cached_property
    def load_bearing(self) -> Mapping[str, Weight]:
        """Every load-bearing entry; weighed when it is asked for first."""
        return weigh_load_bearing_entries(self.run)

    @cached_property
    def incumbents(self) -> Mapping[str, str]:
        """The belief that each open branch contradicts, by the branch's name."""
        return {
            one.name: self.pages.find_belief(one.incumbent, one.statement)
            for one in self.branches
        }

    @cached_property
    def quarantined(self) -> dict[str, tuple[str, ...]]:
        """The beliefs that captures in quarantine contradict, if compared with tonight's."""
        compared = {judged.other for judged in self.evidence.among_captures}
        known = self.pending.keys() | self.members.keys()
        contradicted: dict[str, tuple[str, ...]] = {}
        for capture in sorted(compared - known):
            entries = list_contradicted_by_quarantined(self.run.db, capture)
            text = self.text_of(capture) if entries else ""
            entries = [
                entry
                for entry in entries
                if not self.watch.is_reinforced(entry, capture, text)
            ]
            if entries:
                note = self._statement_of(capture)
                beliefs = [
                    self.pages.find_contradicted(entry, None, note)
                    for entry in entries
                ]
                contradicted[capture] = tuple(beliefs)
        return contradicted

    @cached_property
    def ties(self) -> list[Tie]:
        """Tonight's findings of phase 1, and the members' ties that the ledger keeps."""
        tie_of = {(tie.one, tie.other): tie for tie in self._fresh_ties()}
        recorded = minority.list_ties(self.run.db, self.members)
        for capture, other, support, rival, similarity in recorded:
            one, two = sorted((capture, other))
            if (one, two) not in tie_of:
                reason = "found when it joined"
                tie_of[one, two] = Tie(
                    one, two, support, rival, similarity, reason
                )
        return sorted(tie_of.values())

    @cached_property
    def position_ties(self) -> list[Tie]:
        """How challengers of one belief stand by what each puts in its place."""
        challengers: defaultdict[str, set[str]] = defaultdict(set)
        for member in self.members.values():
            challengers[self.incumbents[member.branch]].add(member.capture)
        for capture, contradictions in self.contradictions.items():
            for one in contradictions:
                challengers[one.belief].add(capture)
        for capture, beliefs in self.quarantined.items():
            for belief in beliefs:
                challengers[belief].add(capture)
        for capture, belief in self.confirmed.items():
            challengers[belief].add(capture)
        ties: list[Tie] = []
        for incumbent, captures in sorted(challengers.items()):
            ties += self._tie_positions_on(incumbent, captures)
        return ties

    def has_anything_to_decide(self) -> bool:
        """Tell whether a branch is open or a load-bearing entry is contradicted."""
        if self.branches:
            return True
        contradicted = set(map(entry_of, self.confirmed.values()))
        for contradictions in self.contradictions.values():
            contradicted.update(entry_of(one.belief) for one in contradictions)
        # without any, gravity is not asked for
        return bool(contradicted) and not contradicted.isdisjoint(
            self.load_bearing
        )

    def agrees(self, member: Member) -> bool:
        """Tell whether a member contradicts its incumbent no more, after its owner edited it."""
        capture = member.capture
        incumbent = self.evidence.rejoined.get(capture)
        if incumbent is None or capture in self.evidence.unjudged:
            return False
        judged_again = []
        for judged in self.evidence.judged_again.get(capture, ()):
            if judged.other == incumbent:
                judged_again.append(judged)
        return member.contradicts and not list_costly(judged_again)

    def sightings_of(self, capture: str) -> Sequence[Sighting]:
        """Return who told a capture when.

        Of a consumed one, by the ledger, so that every machine counts alike.
        """
        if capture in self.pending:
            return self.pending[capture].sightings
        recorded = recorded_sightings(self.run.db, capture)
        return [*recorded, *self.sighted_again.get(capture, ())]

    def content_of(self, capture: str) -> bytes:
        """Return the bytes of a capture, or of the page that it became."""
        if capture in self.pending:
            return self.run.contents()[capture]
        if capture in self.members:
            return self.run.repo.blob(self.members[capture].blob)
        if capture in self.confirmed:
            words = read_note_words(self.run.db, self.run.repo, capture)
            return words.encode("utf-8", "surrogateescape")
        page = find_page_of_capture(self.run.db, capture)
        return self.run.repo.blob(page.blob)

    def text_of(self, capture: str) -> str:
        """Return the beginning of a capture's words, in which wordings are compared."""
        text = self.content_of(capture).decode("utf-8", "replace")
        return without_derived(without_frontmatter(text))[:COMPARED]

    def tellings_of(self, capture: str) -> tuple[Telling, ...]:
        """Return who told a capture when, each with the trust that its source has."""
        return tuple(
            self._make_telling(sighting)
            for sighting in self.sightings_of(capture)
        )

    def find_copied(self, capture: str) -> Telling | None:
        """Return the first telling of the words of *capture*, if it stands outside all that
        challenges anything.
        """
        if capture in self.members:
            return self._find_recorded_copied(self.members[capture])
        note = self._note_of(capture, self.text_of(capture))
        return find_copied(note, self._list_compared_outside(capture))

    def is_harmful(self, capture: str, text: str) -> bool:
        """Tell whether somebody outside flagged what a capture says."""
        return self.watch.is_harmful(capture, text)

    def _note_of(self, capture: str, text: str) -> Note:
        return Note(capture, text, self.tellings_of(capture))

    def _find_recorded_copied(self, member: Member) -> Telling | None:
        """Return the first telling of what *member* repeated when it joined."""
        joined = list_subject_events(self.run.db, member.branch, "joined")
        tellings: list[Telling] = []
        for event in joined:
            copied = event.data.get("repeats")
            if event.data["capture"] == member.capture and copied is not None:
                tellings += self.tellings_of(str(copied))
        return min(tellings, key=told_order, default=None)

    def _list_compared_with(self, capture: str) -> list[str]:
        """Return the captures of tonight that *capture* was compared with."""
        others = []
        for one in self.evidence.among_captures:
            if capture == one.capture:
                others.append(one.other)
            elif capture == one.other:
                others.append(one.capture)
        return others

    def _list_compared_outside(self, capture: str) -> list[Note]:
        """Return what *capture* was compared with that challenges nothing itself."""
        challenging = self.members.keys() | self.contradictions.keys()
        challenging |= self.confirmed.keys()
        words: dict[str, str] = {}
        for other in self._list_compared_with(capture):
            if other in self.pending:
                words[other] = self.text_of(other)
        words |= self._read_compared_pages(capture)
        notes: list[Note] = []
        for other in sorted(words.keys() - challenging):
            note = self._note_of(other, words[other])
            if note.tellings:
                notes.append(note)
        return notes

    def _read_compared_pages(self, capture: str) -> dict[str, str]:
        """Return the words of pages that *capture* does not contradict, by capture."""
        words: dict[str, str] = {}
        for one in self.evidence.judged.get(capture, ()):
            if one.phase == 2 and one.relation.label != "contradicts":
                words |= self._read_words(one.other)
        return words

    def _read_words(self, entry: str) -> dict[str, str]:
        """Return the words of the captures that *entry* holds, by capture."""
        page = self.pages.read(entry)
        if page is not None and page.standing:
            return {one.capture: one.words for one in page.standing}
        captures = list_captures_of_entry(self.run.db, entry)
        side = page_statement(self.run.db, self.run.repo, entry)
        if side is None or len(captures) != 1:
            return {}
        return {captures[0]: side.text}

    def _make_telling(self, sighting: Sighting) -> Telling:
        source = sighting.source
        agent = sighting.agent
        trust = weigh_trust(
            source,
            agent,
            self.run.config.trust,
            model=sighting.channel == MODEL,
        )
        return Telling(
            capture=sighting.capture,
            event_time=sighting.event_time,
            seen_at=sighting.seen_at,
            agent=agent or "",
            source=source or "",
            channel=sighting.channel,
            trust=trust,
        )

    def _fresh_ties(self) -> list[Tie]:
        """Return tonight's ties.

        How two captures stand by their positions on one entry goes before what their words alone
        show.
        """
        by_words = {
            (tie.one, tie.other): tie
            for tie in tie_captures(self.evidence.among_captures)
        }
        for tie in self.position_ties:
            known = by_words.get((tie.one, tie.other))
            if not tie.heard or known is None or not _says_anything(known):
                by_words[tie.one, tie.other] = tie
        return list(by_words.values())

    def _tie_positions_on(
        self, incumbent: str, challengers: Collection[str]
    ) -> list[Tie]:
        about = self.evidence.about
        if not about and not self.confirmed:
            return []
        page = self._side_of_belief(incumbent)
        if page is None:
            return []
        entry = entry_of(incumbent)
        others = [
            capture
            for capture in self.pending
            if capture not in challengers and entry in about.get(capture, ())
        ]
        return tie_positions(
            page,
            {capture: self._statement_of(capture) for capture in challengers},
            {capture: self._statement_of(capture) for capture in others},
            self.pending.keys() | self.confirmed.keys(),
        )

    def _side_of_belief(self, belief: str) -> Statement | None:
        """Return what is contradicted as one side of a contest; None if it has no page."""
        entry, statement = split_belief(belief)
        page = self.pages.read(entry)
        standing = [] if page is None else page.list_same(statement)
        if page is not None and standing:
            return side_of(page, standing)
        return page_statement(self.run.db, self.run.repo, entry)

    def _statement_of(self, capture: str) -> Statement:
        title = None
        if capture in self.pending:
            title = requested_title(self.pending[capture])
        return note_statement(self.text_of(capture), title)


def _says_anything(tie: Tie) -> bool:
    """Tell whether a tie says that two captures support or exclude each other."""
    return tie.rival or tie.support > 0


def collect_phase_input(
    run: Run,
    captures: Sequence[PendingCapture],
    wiki: WikiContext,
    evidence: Evidence,
    sighted_again: Sequence[Sighted],
    moment: str,
    watch: SignalWatch,
    edited: Collection[str] = (),
) -> PhaseInput:
    """Return what phase 4 decides on, with *captures* that are shared and have been judged.

    *edited* are the entries of whose edits the ledger does not know yet.
    """
    pending = {}
    for told in captures:
        if _may_challenge(told, evidence):
            pending[told.capture.id] = told
    pages = ContestedPages(run)
    runs = list_runs_of(run.db, "consolidate")
    return PhaseInput(
        run=run,
        wiki=wiki,
        evidence=evidence,
        watch=watch,
        pending=pending,
        branches=[
            b for b in minority.list_branches(run.db) if b.state == "open"
        ],
        members={one.capture: one for one in minority.list_members(run.db)},
        sighted_again={capture: new for capture, _, new in sighted_again},
        cycles={name: n for n, name in enumerate(runs, 1)},
        moment=moment,
        contradictions=find_contradictions(
            pending, run.contents(), pages, evidence, watch
        ),
        pages=pages,
        heard=read_heard(run),
        confirmed=list_confirmed(run, pages, edited),
    )


def _may_challenge(told: PendingCapture, evidence: Evidence) -> bool:
    if told.private or told.lost or told.held:
        return False
    return told.capture.id not in evidence.unjudged

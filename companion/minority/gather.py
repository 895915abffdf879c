"""Collect what phase 4 decides on: who challenges whom tonight, and the open branches (MaM §5.5,
§5.7).

A night in which nothing contradicts and no branch is open asks for no gravity and costs nothing
here.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.comparison.cohesion import place_score
from companion.comparison.consistency import Judged, contradiction_cost
from companion.comparison.evidence import Evidence
from companion.comparison.pending import (
    PendingCapture,
    WikiContext,
    requested_title,
)
from companion.gravity.formula import Weight
from companion.gravity.measure import (
    describe_gravity,
    weigh_load_bearing_entries,
)
from companion.ledger.read_notes import Sighted
from companion.minority.beliefs import entry_of, split_belief
from companion.minority.challenge import (
    Challenger,
    Incumbent,
    JoinedCapture,
    OpenBranch,
)
from companion.minority.clusters import Tie, tie_captures
from companion.minority.contested.contested_page import (
    ContestedPage,
    find_belief,
)
from companion.minority.contested.contests import (
    find_contradicted,
    note_statement,
    page_statement,
    side_of,
    tie_positions,
)
from companion.minority.contested.members import recorded_sightings
from companion.minority.contested.read_contested_page import read_contested_page
from companion.minority.pressure import Telling, told_order
from companion.minority.wordings import Note, find_copied
from companion.pages import links
from companion.pages.names import slug
from companion.routing import peers
from companion.routing.peers import Heard
from companion.routing.watch_peers import read_heard
from companion.routing.watch_signals import SignalWatch
from companion.runs.run import Run
from companion.storage.index.history import (
    list_runs_of,
    list_subject_events,
)
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import (
    find_page_of_capture,
    is_extended,
    list_captures_of_entry,
)
from companion.storage.index.tables.minority import Branch, Member
from companion.storage.index.tables.pages.entries import find_path
from companion.storage.index.tables.questions import (
    list_contradicted_by_quarantined,
)
from companion.values.captures import MODEL, Sighting
from companion.values.relations import Statement
from companion.values.trust import weigh_trust
from companion.values.wording import without_frontmatter

_WORDS = 2000  # characters of a text in which wordings are compared


class Contradiction(NamedTuple):
    """The belief that a capture contradicts, and the answer that says so."""

    belief: str  # the name of the entry, or of one statement on its page
    judged: Judged


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
    pages: "ContestedPages"
    heard: Sequence[Heard] = ()  # what wikis of other people say

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
        ties: list[Tie] = []
        for incumbent, captures in sorted(challengers.items()):
            ties += self._tie_positions_on(incumbent, captures)
        return ties

    def has_anything_to_decide(self) -> bool:
        """Tell whether a branch is open or a load-bearing entry is contradicted."""
        if self.branches:
            return True
        for contradictions in self.contradictions.values():
            entries = {entry_of(one.belief) for one in contradictions}
            if not entries.isdisjoint(self.load_bearing):
                return True
        return False

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
        return member.contradicts and not _list_costly(judged_again)

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
        page = find_page_of_capture(self.run.db, capture)
        return self.run.repo.blob(page.blob)

    def text_of(self, capture: str) -> str:
        """Return the beginning of a capture's words, in which wordings are compared."""
        text = self.content_of(capture).decode("utf-8", "replace")
        return without_frontmatter(text)[:_WORDS]

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
        notes = {}
        for other in self._list_compared_with(capture):
            if other in self.pending and other not in challenging:
                notes[other] = self._note_of(other, self.text_of(other))
        for one in self.evidence.judged.get(capture, ()):
            if one.phase == 2 and one.relation.label != "contradicts":
                for told, words in self._read_words(one.other).items():
                    notes[told] = self._note_of(told, words)
        return [notes[id] for id in sorted(notes) if notes[id].tellings]

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
        if not about:
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
            self.pending.keys(),
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


class ContestedPages:
    """The pages that captures of a night contradict, with their statements."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pages: dict[str, ContestedPage | None] = {}

    def read(self, entry: str) -> ContestedPage | None:
        """Return the page of *entry* with its statements; None if it has no page."""
        if entry not in self._pages:
            page = read_contested_page(self._run.db, self._run.repo, entry)
            self._pages[entry] = page
        return self._pages[entry]

    def find_belief(self, entry: str, statement: str | None) -> str:
        """Return the name of the *statement* on the page of *entry*; None means the page."""
        page = self.read(entry)
        return entry if page is None else find_belief(page, statement)

    def find_contradicted(
        self, entry: str, named: str | None, note: Statement
    ) -> str:
        """Return the name of what *note* contradicts on the page of *entry*."""
        page = self.read(entry)
        return entry if page is None else find_contradicted(page, named, note)


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
) -> PhaseInput:
    """Return what phase 4 decides on, with *captures* that are shared and have been judged."""
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
        contradictions=_find_contradictions(
            pending, run.contents(), pages, evidence, watch
        ),
        pages=pages,
        heard=read_heard(run),
    )


def _find_contradictions(
    pending: Mapping[str, PendingCapture],
    contents: Mapping[str, bytes],
    pages: ContestedPages,
    evidence: Evidence,
    watch: SignalWatch,
) -> dict[str, Sequence[Contradiction]]:
    """Return what the *pending* captures contradict, without what repeats a flagged note."""
    contradictions: dict[str, Sequence[Contradiction]] = {}
    for capture, told in pending.items():
        text = contents[capture].decode("utf-8", "replace")
        costly = [
            one
            for one in _list_costly(evidence.judged.get(capture, ()))
            if not watch.is_reinforced(one.other, capture, text)
        ]
        if costly:
            title = requested_title(told)
            note = note_statement(without_frontmatter(text)[:_WORDS], title)
            contradictions[capture] = _name_contradicted(pages, costly, note)
    return contradictions


def find_peer_voices(given: PhaseInput) -> dict[str, tuple[Telling, str]]:
    """Return the voice of wikis of other people against each incumbent of an open branch."""
    voices = peers.find_voices(given.heard, given.moment)
    found = {}
    for incumbent in given.incumbents.values():
        voice = voices.get(entry_of(incumbent))
        if voice is not None:
            telling = Telling(
                capture="",
                event_time=voice.seen,
                seen_at=voice.seen,
                agent="",
                source=peers.VOICE,
                channel=peers.VOICE,
                trust=voice.trust,
            )
            found[incumbent] = telling, voice.reason
    return found


def list_incumbents(given: PhaseInput) -> dict[str, Incumbent]:
    """Return what branches and challengers contradict, by its name."""
    priors = peers.find_priors(given.heard, given.moment)
    challenged = set(given.incumbents.values())
    for contradictions in given.contradictions.values():
        challenged.update(one.belief for one in contradictions)
    for beliefs in given.quarantined.values():
        challenged.update(beliefs)
    found = {}
    for name in sorted(challenged):
        found[name] = _incumbent(given, name)
        prior = priors.get(entry_of(name))
        if prior is not None:
            found[name] = found[name]._replace(
                prior=prior.value, prior_reason=prior.reason
            )
    return found


def list_challengers(given: PhaseInput) -> list[Challenger]:
    """Return the captures outside any branch that contradict an entry or speak for who does."""
    challengers = []
    for capture in given.pending:
        contradictions = given.contradictions.get(capture, ())
        if contradictions or _supports_challenger(given, capture):
            beliefs = tuple(one.belief for one in contradictions)
            challenger = _challenger(given, capture, beliefs)
            if is_extended(given.run.db, capture):
                challenger = challenger._replace(origin="extended")
            challengers.append(challenger)
    for capture, beliefs in given.quarantined.items():
        challenger = _challenger(given, capture, beliefs)
        challengers.append(challenger._replace(origin="quarantine"))
    return challengers


def list_open_branches(given: PhaseInput) -> list[OpenBranch]:
    """Return the open branches with their members, as phase 4 weighs them."""
    members_of: defaultdict[str, list[Member]] = defaultdict(list)
    for member in given.members.values():
        members_of[member.branch].append(member)
    branches = []
    for branch in given.branches:
        members = members_of[branch.name]
        cycles: set[int] = set()
        for member in members:
            cycles.update(_list_cycles_told(given, member.capture))
        branches.append(
            OpenBranch(
                branch.name,
                given.incumbents[branch.name],
                given.cycles.get(branch.run, 0),
                tuple(_joined_capture(given, member) for member in members),
                tuple(sorted(cycles)),
            )
        )
    return branches


def _may_challenge(told: PendingCapture, evidence: Evidence) -> bool:
    if told.private or told.lost or told.held:
        return False
    return told.capture.id not in evidence.unjudged


def _list_costly(judged: Sequence[Judged]) -> list[Judged]:
    """Return the contradictions of pages that cost more than a capture of high cohesion may, the
    dearest first.
    """
    costly = []
    for one in judged:
        cost = contradiction_cost(one)
        if one.phase == 2 and place_score(1.0 - cost).bucket != "high":
            costly.append((-cost, one.other, one.key, one))
    costly.sort(key=lambda item: item[:3])
    return [one for *_, one in costly]


def _name_contradicted(
    pages: ContestedPages, costly: Sequence[Judged], note: Statement
) -> list[Contradiction]:
    """Return the contradictions *costly* of a *note*, the dearest of each belief."""
    dearest: dict[str, Contradiction] = {}
    for one in costly:
        belief = pages.find_contradicted(one.other, one.statement, note)
        dearest.setdefault(belief, Contradiction(belief, one))
    return list(dearest.values())


def _incumbent(given: PhaseInput, belief: str) -> Incumbent:
    """Return what *belief* names, with the gravity of its entry: a statement has none."""
    entry = entry_of(belief)
    name = _slug(find_path(given.run.db, entry) or entry)
    weight = given.load_bearing.get(entry)
    if weight is not None:
        return Incumbent(belief, name, weight.base, weight.effective, True)
    known = describe_gravity(given.run.db, entry, given.run.ws.now())
    if known is None:  # the entry is gone, and nothing depends on it any more
        return Incumbent(belief, name, 0.0, 0.0, False)
    return Incumbent(belief, name, known["base"], known["effective"], False)


def _slug(path: str) -> str:
    return slug.slugify(path.rpartition("/")[2].removesuffix(".md"))


def _challenger(
    given: PhaseInput, capture: str, beliefs: tuple[str, ...]
) -> Challenger:
    text = given.text_of(capture)
    return Challenger(
        capture,
        beliefs,
        given.tellings_of(capture),
        text,
        harmful=given.is_harmful(capture, text),
        copied=given.find_copied(capture),
    )


def _supports_challenger(given: PhaseInput, capture: str) -> bool:
    """Tell whether a capture that contradicts nothing says what a challenger says.

    Then it may speak for that branch. If its title has a page already, it belongs there.
    """
    for tie in given.position_ties:
        if tie.support > 0 and capture in (tie.one, tie.other):
            return True
    title = requested_title(given.pending[capture])
    if title is not None and given.wiki.titles.get(links.title_key(title)):
        return False
    challengers = given.members.keys() | given.contradictions.keys()
    return any(
        judged.relation.label in ("same", "supports")
        and capture in (judged.capture, judged.other)
        and not challengers.isdisjoint((judged.capture, judged.other))
        for judged in given.evidence.among_captures
    )


def _joined_capture(given: PhaseInput, member: Member) -> JoinedCapture:
    text = given.text_of(member.capture)
    return JoinedCapture(
        member.capture,
        given.cycles.get(member.run, 0),
        given.tellings_of(member.capture),
        text,
        given.is_harmful(member.capture, text),
        agrees=given.agrees(member),
        supports=not member.contradicts,
        copied=given.find_copied(member.capture),
    )


def _list_cycles_told(given: PhaseInput, capture: str) -> list[int]:
    """Return the cycles in which a member was told again."""
    events = list_subject_events(given.run.db, capture, "sighted")
    cycles = [
        given.cycles[event.run] for event in events if event.run in given.cycles
    ]
    if capture in given.sighted_again:
        cycles.append(given.cycle)
    return cycles

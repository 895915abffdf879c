"""CONSOLIDATE's fourth phase: what contradicts a load-bearing entry goes its own way, and may win
(MaM §5.5, §5.7).

Gathered here for the core to decide; `branching` makes the decisions real. A night in which nothing
contradicts and no branch is open asks for no gravity and costs nothing here.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.comparison import cohesion, consistency
from companion.comparison.consistency import Judged
from companion.comparison.evidence import Anew, Evidence
from companion.comparison.pages import Page
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
from companion.minority import clusters, contests
from companion.minority import plan as pressing
from companion.minority.apply import Act, Outcome
from companion.minority.clusters import Tie
from companion.minority.members import recorded_sightings
from companion.minority.plan import Challenger, Incumbent, Joined, Origin
from companion.minority.pressure import Member
from companion.pages import links, slug
from companion.routing import matrix
from companion.routing.watch_signals import SignalWatch
from companion.runs.run import Run
from companion.storage.index.history import (
    list_entry_events,
    list_runs_of,
    list_subject_events,
)
from companion.storage.index.tables import minority
from companion.storage.index.tables.captures import (
    find_page_of_capture,
    is_extended,
    list_quarantined_pages,
)
from companion.storage.index.tables.entries import find_path
from companion.storage.index.tables.minority import Branch
from companion.storage.index.tables.questions import (
    list_contradicted_by_quarantined,
)
from companion.values.captures import Sighting
from companion.values.relations import Statement
from companion.values.wording import without_frontmatter

_WORDS = 2000  # characters of a text in which wordings are compared
_ALIKE = ("same", "supports")

# a consumed capture, its entry, its new tellings
Again = tuple[str, str, tuple[Sighting, ...]]


def beside(tonight: Run) -> list[Page]:
    """Return the captures that stand beside the wiki, each with its page: members of open branches,
    and quarantine.
    """
    members = [
        Page(each.capture, each.path, each.title, each.blob, each.joined)
        for each in minority.list_members(tonight.db)
    ]
    spoken = {page.id for page in members}
    quarantined = [
        Page(page.capture, page.path, page.title, page.blob, page.told)
        for page in list_quarantined_pages(tonight.db)
        if page.managed and page.capture not in spoken
    ]
    return members + quarantined


def anew(tonight: Run, known: Iterable[Mapping[str, Any]]) -> list[Anew]:
    """Return the members of open branches whose incumbent its owner edited since they joined, to be
    judged again.
    """
    fresh = {line["entry"] for line in known if line["e"] == "edited"}
    incumbents = {
        branch.name: branch.incumbent
        for branch in minority.list_branches(tonight.db)
        if branch.state == "open"
    }
    edited = {
        id: max(_edits(tonight, id), default="")
        for id in sorted(set(incumbents.values()))
    }
    found = []
    for each in minority.list_members(tonight.db):
        incumbent = incumbents[each.branch]
        if each.contradicts and (
            incumbent in fresh or edited[incumbent] > each.joined
        ):
            page = Page(each.capture, each.path, "", each.blob, each.joined)
            tellings = recorded_sightings(tonight.db, each.capture)
            found.append(Anew(page, tellings, (incumbent,)))
    return found


def _edits(tonight: Run, entry: str) -> list[str]:
    return [
        event.time for event in list_entry_events(tonight.db, entry, ["edited"])
    ]


def decide(
    tonight: Run,
    pending: Sequence[PendingCapture],
    wiki: WikiContext,
    found: Evidence,
    again: Sequence[Again],
    moment: str,
    *,
    watch: SignalWatch,
) -> Outcome:
    """Return what phase 4 does tonight with *pending*, given what phases 1 and 2 *found*; *again*
    was told anew.
    """
    gathered = Gathered(tonight, pending, wiki, found, again, watch)
    if not gathered.concerned():
        return Outcome()
    decisions = pressing.plan(
        gathered.challengers(),
        gathered.branches(),
        gathered.ties,
        gathered.incumbents(),
        cycle=gathered.cycle,
        now=moment,
    )
    return Act(gathered, decisions).outcome


class Gathered:
    """What the core must know: who challenges whom tonight, and what has gathered before."""

    def __init__(
        self,
        tonight: Run,
        pending: Sequence[PendingCapture],
        wiki: WikiContext,
        found: Evidence,
        again: Sequence[Again],
        watch: SignalWatch,
    ) -> None:
        self.tonight, self.wiki, self.found, self.watch = (
            tonight,
            wiki,
            found,
            watch,
        )
        self.told = {
            told.capture.id: told
            for told in pending
            if _may_challenge(told, found)
        }
        self.standing = [
            branch
            for branch in minority.list_branches(tonight.db)
            if branch.state == "open"
        ]
        self.members = {
            each.capture: each for each in minority.list_members(tonight.db)
        }
        self.again = {capture: sightings for capture, _, sightings in again}
        runs = list_runs_of(tonight.db, "consolidate")
        self.cycles = {run: n for n, run in enumerate(runs, 1)}
        self.cycle = len(self.cycles) + 1
        self.against = {
            id: against
            for id in self.told
            if (against := _against(found.judged.get(id, ())))
        }
        self._bearing: Mapping[str, Weight] | None = None

    def concerned(self) -> bool:
        """Tell whether phase 4 has anything to decide."""
        return bool(self.standing) or any(
            judged.other in self.bearing
            for against in self.against.values()
            for judged in against
        )

    @property
    def bearing(self) -> Mapping[str, Weight]:
        """Every load-bearing entry; weighed when it is asked for first."""
        if self._bearing is None:
            self._bearing = weigh_load_bearing_entries(self.tonight)
        return self._bearing

    def incumbents(self) -> dict[str, Incumbent]:
        challenged = {
            judged.other
            for against in self.against.values()
            for judged in against
        }
        challenged |= {branch.incumbent for branch in self.standing}
        challenged |= {
            id for named in self.quarantined().values() for id in named
        }
        return {id: self._incumbent(id) for id in sorted(challenged)}

    def _incumbent(self, id: str) -> Incumbent:
        name = _slug(find_path(self.tonight.db, id) or id)
        weight = self.bearing.get(id)
        if weight is not None:
            return Incumbent(id, name, weight.base, weight.effective, True)
        known = describe_gravity(self.tonight.db, id, self.tonight.ws.now())
        if known is None:  # it is gone: nothing holds it up any more
            return Incumbent(id, name, 0.0, 0.0, False)
        return Incumbent(id, name, known["base"], known["effective"], False)

    def challengers(self) -> list[Challenger]:
        made = [
            Challenger(
                id,
                tuple(j.other for j in self.against.get(id, ())),
                self.tellings(id),
                self.text(id),
                self._origin(id),
                self._harmful(id),
            )
            for id in self.told
            if id in self.against or self._supports(id)
        ]
        return made + [
            Challenger(
                id,
                named,
                self.tellings(id),
                self.text(id),
                "quarantine",
                self._harmful(id),
            )
            for id, named in self.quarantined().items()
        ]

    def _origin(self, id: str) -> Origin:
        return "extended" if is_extended(self.tonight.db, id) else "tonight"

    def _supports(self, id: str) -> bool:
        """Tell whether a capture that contradicts nothing says what a challenger says: it may speak
        for that branch.

        Not where its title has a page already: there it belongs.
        """
        if any(
            tie.support > 0 and id in (tie.one, tie.other)
            for tie in self.placed
        ):
            return True
        challengers = self.members.keys() | self.against.keys()
        title = requested_title(self.told[id])
        at_home = title is not None and bool(
            self.wiki.titles.get(links.title_key(title))
        )
        return not at_home and any(
            id in pair and not challengers.isdisjoint(pair)
            for judged in self.found.within
            if judged.relation.label in _ALIKE
            for pair in ({judged.capture, judged.other},)
        )

    def quarantined(self) -> dict[str, tuple[str, ...]]:
        """Return the captures in quarantine that tonight's were compared with, and the entries they
        contradict.
        """
        named: defaultdict[str, list[str]] = defaultdict(list)
        for other in sorted(
            {judged.other for judged in self.found.within}
            - self.told.keys()
            - self.members.keys()
        ):
            named[other] += list_contradicted_by_quarantined(
                self.tonight.db, other
            )
        return {id: tuple(others) for id, others in named.items() if others}

    def branches(self) -> list[pressing.Branch]:
        by_branch: defaultdict[str, list[minority.Member]] = defaultdict(list)
        for member in self.members.values():
            by_branch[member.branch].append(member)
        return [
            self._branch(branch, by_branch[branch.name])
            for branch in self.standing
        ]

    def _branch(
        self, branch: Branch, members: Sequence[minority.Member]
    ) -> pressing.Branch:
        joined = tuple(
            Joined(
                m.capture,
                self.cycles.get(m.run, 0),
                self.tellings(m.capture),
                self.text(m.capture),
                self._harmful(m.capture),
                agrees=self.agrees(m),
                supports=not m.contradicts,
            )
            for m in members
        )
        cycles = sorted(
            {cycle for m in members for cycle in self._heard_in(m.capture)}
        )
        return pressing.Branch(
            branch.name,
            branch.incumbent,
            self.cycles.get(branch.run, 0),
            joined,
            tuple(cycles),
        )

    def agrees(self, member: minority.Member) -> bool:
        """Tell whether a member contradicts its incumbent no more, after an edit by the incumbent's
        owner.
        """
        if (
            member.capture not in self.found.rejoined
            or member.capture in self.found.unjudged
        ):
            return False
        incumbent = self.found.rejoined[member.capture]
        said = [
            each
            for each in self.found.anew.get(member.capture, ())
            if each.other == incumbent
        ]
        return member.contradicts and not _against(said)

    def _heard_in(self, capture: str) -> Iterator[int]:
        """Yield the cycles in which a member was told again."""
        tellings = list_subject_events(self.tonight.db, capture, "sighted")
        yield from (
            self.cycles[each.run]
            for each in tellings
            if each.run in self.cycles
        )
        if capture in self.again:
            yield self.cycle

    @cached_property
    def ties(self) -> list[Tie]:
        """Return tonight's findings of phase 1, and of earlier nights what the ledger keeps of the
        members.
        """
        fresh = self._fresh_ties()
        known = {(tie.one, tie.other) for tie in fresh}
        for capture, other, support, rival, similarity in minority.list_ties(
            self.tonight.db, self.members
        ):
            one, two = sorted((capture, other))
            if (one, two) not in known:
                known.add((one, two))
                fresh.append(
                    Tie(
                        one,
                        two,
                        support,
                        rival,
                        similarity,
                        "found when it joined",
                    )
                )
        return sorted(fresh)

    def _fresh_ties(self) -> list[Tie]:
        """Return tonight's: what is found of two positions on one entry goes before what their
        words alone show.
        """
        placed = {(tie.one, tie.other): tie for tie in self.placed}
        return [
            tie
            for tie in clusters.ties(self.found.within)
            if (tie.one, tie.other) not in placed
        ] + list(placed.values())

    @cached_property
    def placed(self) -> list[Tie]:
        """Return how challengers of one entry stand to each other by what each puts in the place of
        the belief.
        """
        named: defaultdict[str, set[str]] = defaultdict(set)
        for member in self.members.values():
            named[self.incumbent_of[member.branch]].add(member.capture)
        for capture, others in [
            *((c, [j.other for j in a]) for c, a in self.against.items()),
            *self.quarantined().items(),
        ]:
            for other in others:
                named[other].add(capture)
        return [
            tie
            for incumbent in sorted(named)
            for tie in self._ties_on(incumbent, named[incumbent])
        ]

    @property
    def incumbent_of(self) -> dict[str, str]:
        return {branch.name: branch.incumbent for branch in self.standing}

    def _ties_on(
        self, incumbent: str, challengers: Collection[str]
    ) -> list[Tie]:
        page = contests.page(self.tonight, incumbent)
        if page is None or not self.found.about:
            return []
        others = [
            id
            for id in self.told
            if id not in challengers
            and incumbent in self.found.about.get(id, ())
        ]
        said = {id: self._note(id) for id in challengers}
        return contests.ties(
            page, said, {id: self._note(id) for id in others}, self.told.keys()
        )

    def _note(self, capture: str) -> Statement:
        told = self.told.get(capture)
        return contests.note(
            self.text(capture),
            requested_title(told) if told is not None else None,
        )

    def tellings(self, capture: str) -> tuple[Member, ...]:
        """Return who told a capture when: of a consumed one by the ledger, so that every machine
        counts alike.
        """
        if capture in self.told:
            heard: Sequence[Sighting] = self.told[capture].sightings
        else:
            recorded = recorded_sightings(self.tonight.db, capture)
            heard = [*recorded, *self.again.get(capture, ())]
        return tuple(self._member(capture, sighting) for sighting in heard)

    def _member(self, capture: str, told: Sighting) -> Member:
        trust = matrix.weigh_trust(
            told.source, told.agent, self.tonight.config.trust
        )
        return Member(
            capture,
            told.event_time,
            told.seen_at,
            told.agent or "",
            told.source or "",
            told.channel,
            trust,
        )

    def text(self, capture: str) -> str:
        return without_frontmatter(
            self.content(capture).decode("utf-8", "replace")
        )[:_WORDS]

    def _harmful(self, capture: str) -> bool:
        return self.watch.is_harmful(capture, self.text(capture))

    def content(self, capture: str) -> bytes:
        if capture in self.told:
            return self.tonight.contents()[capture]
        if capture in self.members:
            return self.tonight.repo.blob(self.members[capture].blob)
        return self.tonight.repo.blob(
            find_page_of_capture(self.tonight.db, capture).blob
        )


def _may_challenge(told: PendingCapture, found: Evidence) -> bool:
    return not (
        told.private
        or told.lost
        or told.held
        or told.capture.id in found.unjudged
    )


def _against(judged: Sequence[Judged]) -> list[Judged]:
    """Return the contradictions of pages that cost more than a capture of high cohesion may, the
    dearest first.
    """
    costly = [
        j
        for j in judged
        if j.phase == 2
        and cohesion.place_score(1.0 - consistency.contradiction_cost(j)).bucket
        != "high"
    ]
    dearest: dict[str, Judged] = {}
    for each in sorted(
        costly,
        key=lambda j: (-consistency.contradiction_cost(j), j.other, j.key),
    ):
        dearest.setdefault(each.other, each)
    return list(dearest.values())


def _slug(path: str) -> str:
    return slug.slugify(path.rpartition("/")[2].removesuffix(".md"))

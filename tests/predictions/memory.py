"""One memory that lives a life by the program's own rules, with or without some of its parts."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np

from companion.gravity.formula import (
    SWITCHED_OFF,
    Floor,
    access_decay,
    base_gravity,
    fragmentation_cost,
    protection_floor,
)
from companion.gravity.topology import measure
from companion.minority.challenge import (
    Challenger,
    Decision,
    Incumbent,
    OpenBranch,
    join_captures,
)
from companion.minority.clusters import Tie
from companion.minority.plan import plan_branches
from companion.minority.pressure import DEFAULT, Telling
from companion.operations.audit.consequence import (
    CONSEQUENCES,
    decide_consequence,
)
from companion.operations.decay.vitality import terms
from companion.values.decay.decay_policy import DEFAULTS
from companion.values.time import format_instant
from tests.predictions.person import (
    CLOSE,
    TOPICS,
    Dissent,
    Note,
    Person,
    Question,
    Vector,
    near,
)

START = datetime(2026, 1, 5, 22, tzinfo=UTC)
#: pages that are there before the first week, the foundation of each topic and of the self first
FIRST = 200
SELVES = (
    6  # entries that say who the person is; they belong to the first topics
)
CAP = 340  # pages that may be active
GRACE = 28.0  # days after its last access in which no page is archived
SHOWN = 5
COMPARED, HEARD = 4, 0.7  # as `python -m tests.bench pressure` has them
AUDIT_EVERY = 4  # weeks
#: what vitality adds to the likeness of a page to a question
LIVELY = 0.1


class Arm(NamedTuple):
    """A memory with some of its parts."""

    name: str
    gravity: bool = True
    promotion: bool = True
    audit: bool = True


FULL = Arm("whole")
ARMS = (
    FULL,
    Arm("without gravity", gravity=False),
    Arm("without promotion", promotion=False),
    Arm("without audit", audit=False),
    Arm("vitality only", gravity=False, promotion=False, audit=False),
)


@dataclass
class Page:
    """An entry of the wiki."""

    topic: int
    vector: Vector
    links: tuple[int, ...]  # numbers of pages
    is_self: bool = False
    is_active: bool = True
    accessed: float = 0.0  # in days
    reads: int = 0
    good: int = 0
    bad: int = 0
    replaced_by: int | None = None
    factor: float = 1.0  # what audits left of its gravity
    poor_audits: int = 0


class Promoted(NamedTuple):
    """A minority that won."""

    topic: int
    week: int
    kind: str
    cycles: int  # in which its members joined


@dataclass
class Life:
    """What a life leaves to be measured."""

    integrity: list[float]
    selves: list[float]
    accesses: dict[int, int]
    promoted: list[Promoted]
    shown: list[
        list[int]
    ]  # for each question of the life, the pages that were shown
    # for each question, the page that is believed on the matter of its topic; -1 where not shown
    outputs: list[int]
    pressed: list[tuple[int, int, float, float]]


class Memory:
    """A wiki, its branches, and its nights."""

    def __init__(self, person: Person, seed: int, arm: Arm) -> None:
        self.person, self.arm = person, arm
        self._seed = seed
        self._numbers = np.random.default_rng(seed + 1)
        self.pages: list[Page] = []
        self._branches: dict[str, OpenBranch] = {}
        self._ties: list[Tie] = []
        self._known: dict[int, list[str]] = {}
        self._kinds: dict[str, str] = {}
        # what won on the matter of a topic; nothing where its first page stands
        self._believed: dict[int, str] = {}
        self._bases: dict[int, float] = {}
        self._floor = Floor(0.6, "", 0)
        self._taken = 0
        # the weeks in which anybody contradicted what stands on a topic
        self._cycles: dict[int, set[int]] = {}
        self._begin()
        self.life = Life([], [], {}, [], [], [], [])

    def live(self) -> Life:
        """Live all weeks, and return what is to be measured."""
        for number, week in enumerate(self.person.weeks):
            day = 7.0 * number
            for note in week.notes:
                self._take(note, day)
            self._weigh()
            self._consolidate(week.dissents, number)
            for question in week.questions:
                self._answer(question, day)
            if self.arm.audit and number % AUDIT_EVERY == AUDIT_EVERY - 1:
                self._audit()
            self._weigh()
            self._decay(day + 6)
            self._look()
        return self.life

    def _draw(self, *what: object) -> random.Random:
        """Return the dice for *what*: the same in every arm, whatever happened before."""
        return random.Random(f"{self._seed} {what}")

    # -- what comes in ----------------------------------------------------------------------------

    def _begin(self) -> None:
        for topic in range(TOPICS):
            vector = near(self._numbers, self.person.matters[topic], CLOSE)
            self.pages.append(Page(topic, vector, ()))
        for number in range(SELVES):
            middle = self.person.topics[number]
            vector = near(self._numbers, middle)
            self.pages.append(Page(number, vector, (), is_self=True))
        for number in range(len(self.pages), FIRST):
            chance = self._draw("page", number)
            topic = chance.randrange(TOPICS)
            vector = near(self._numbers, self.person.topics[topic])
            rests = chance.random() < 0.6
            self._take(Note(topic, vector, rests, chance.randint(0, 3)), 0)

    def _take(self, note: Note, day: float) -> None:
        """Make a page of *note*; it links to active pages of its topic."""
        self._taken += 1
        chance = self._draw("note", self._taken)
        same = [
            number
            for number, page in enumerate(self.pages)
            if page.topic == note.topic and page.is_active
        ]
        links = (
            {self._standing(note.topic)} if note.rests_on_foundation else set()
        )
        if note.topic < SELVES and chance.random() < 0.3:
            links.add(TOPICS + note.topic)
        for _ in range(min(note.other_links, len(same))):
            links.add(chance.choice(same))
        ends = tuple(sorted(links))
        self.pages.append(Page(note.topic, note.vector, ends, accessed=day))

    def _standing(self, topic: int) -> int:
        """Return the page that is believed on the matter of *topic*."""
        number = topic
        while (after := self.pages[number].replaced_by) is not None:
            number = after
        return number

    # -- the night ----------------------------------------------------------------------------------

    def _weigh(self) -> None:
        active = [n for n, page in enumerate(self.pages) if page.is_active]
        place = {number: at for at, number in enumerate(active)}
        ends = []
        for number in active:
            for head in self.pages[number].links:
                if head in place:
                    ends.append((place[number], place[head]))
        pairs = np.array(ends, np.int64).reshape(-1, 2)
        parts = measure(
            len(active), pairs[:, 0], pairs[:, 1], np.ones(len(ends))
        )
        self._bases = {}
        for number, c, u, o, f in zip(active, *parts, strict=True):
            factor = (
                self.pages[number].factor if self.arm.gravity else SWITCHED_OFF
            )
            cost = fragmentation_cost(u, o, f)
            self._bases[number] = base_gravity(c, cost, factor)
        self._floor = protection_floor(list(self._bases.values()))

    def _consolidate(self, dissents: Sequence[Dissent], week: int) -> None:
        """Let *dissents* challenge the foundations that they contradict, as phase 4 does."""
        if not dissents and not self._branches:
            return
        loose = []
        for dissent in dissents:
            if self._believed.get(dissent.topic) != dissent.kind:
                loose.append(self._challenge(dissent, week))
        decisions = plan_branches(
            loose,
            self._branches.values(),
            self._ties,
            self._incumbents(week),
            cycle=week + 1,
            now=_instant(7 * week + 6),
            policy=replace(DEFAULT, promotes=self.arm.promotion),
        )
        by_capture = {one.capture: one for one in loose}
        for decision in decisions:
            self._carry_out(decision, by_capture, week)

    def _challenge(self, dissent: Dissent, week: int) -> Challenger:
        before = self._known.setdefault(dissent.topic, [])
        capture = f"{len(self._kinds):04}"
        chance = self._draw("judge", capture)
        for other in chance.sample(before, min(COMPARED, len(before))):
            same = self._kinds[other] == dissent.kind
            if same and chance.random() < HEARD:
                self._ties.append(Tie(other, capture, 0.8, False, 0.0, "same"))
        before.append(capture)
        self._cycles.setdefault(dissent.topic, set()).add(week)
        self._kinds[capture] = dissent.kind
        at = _instant(7 * week + len(before) % 5)
        told = Telling(capture, at, at, "", dissent.source, "cli")
        against = str(self._standing(dissent.topic))
        return Challenger(capture, (against,), (told,), " ".join(dissent.words))

    def _incumbents(self, week: int) -> dict[str, Incumbent]:
        found = {}
        for topic in range(TOPICS):
            number = self._standing(topic)
            if number not in self._bases:
                continue
            base = self._bases[number]
            days = 7 * week - self.pages[number].accessed
            name = str(number)
            # what nothing protects falls to a cluster at once; here it is defended like the rest,
            # so that the arms differ in gravity alone
            found[name] = Incumbent(
                name, name, base, base * access_decay(days), True
            )
        return found

    def _carry_out(
        self, decision: Decision, loose: dict[str, Challenger], week: int
    ) -> None:
        joining = [loose[each] for each in decision.captures if each in loose]
        joined = join_captures(joining, week + 1)
        if decision.action == "open":
            self._branches[decision.branch] = OpenBranch(
                decision.branch, decision.incumbent, week + 1, joined
            )
        elif decision.action == "grow":
            branch = self._branches[decision.branch]
            self._branches[decision.branch] = branch.add(joined)
        elif decision.action == "promote":
            self._promote(decision, week)
        elif decision.action == "follow":
            del self._branches[decision.branch]
        if decision.pressure is not None and decision.threshold is not None:
            topic = self.pages[int(decision.incumbent)].topic
            self.life.pressed.append(
                (topic, week, decision.pressure.value, decision.threshold.value)
            )

    def _promote(self, decision: Decision, week: int) -> None:
        """Let the branch take the place of its incumbent, which stays and is no longer believed."""
        branch = self._branches.pop(decision.branch)
        loser = self.pages[int(decision.incumbent)]
        if (
            loser.replaced_by is not None
        ):  # by a branch that pressed together with it
            return
        vector = near(self._numbers, self.person.matters[loser.topic], CLOSE)
        winner = Page(loser.topic, vector, loser.links, accessed=7.0 * week)
        loser.replaced_by = len(self.pages)
        self.pages.append(winner)
        kind = self._kinds[branch.members[0].capture]
        self._believed[loser.topic] = kind
        cycles = self._cycles[loser.topic]
        self.life.promoted.append(
            Promoted(loser.topic, week, kind, len(cycles))
        )

    def _audit(self) -> None:
        """Audit the page of most gravity by what its reads came to.

        The verdict itself is measured by `python -m tests.bench audit`; here a page that misled more
        often than it helped is one without which answers improve.
        """
        number = max(self._bases, key=lambda each: (self._bases[each], -each))
        page = self.pages[number]
        page.poor_audits = (
            page.poor_audits + 1 if page.bad >= CONSEQUENCES else 0
        )
        result = decide_consequence(
            "improved" if page.bad > page.good else "degraded",
            factor=page.factor,
            poor_cycles=page.poor_audits,
            protected=self._floor.shields(self._bases[number]),
        )
        page.factor = result.factor
        page.good = page.bad = 0

    def _decay(self, day: float) -> None:
        """Archive the least vital pages until no more than the cap are active, none that is new."""
        active = [n for n, page in enumerate(self.pages) if page.is_active]
        old = [n for n in active if day - self.pages[n].accessed > GRACE]
        order = sorted(old, key=lambda number: self._vitality(number, day))
        for number in order[: max(0, len(active) - CAP)]:
            self.pages[number].is_active = False

    def _vitality(self, number: int, day: float) -> tuple[bool, float, int]:
        page, base = self.pages[number], self._bases.get(number, 0.0)
        known = page.good + page.bad
        alive = terms(
            days=day - page.accessed,
            count=page.reads,
            utility=(page.good - page.bad) / known if known else 0.0,
            base=base,
            distortion=0.0,
            policy=DEFAULTS,
        )
        return self._floor.shields(base), alive.total, number

    # -- questions ----------------------------------------------------------------------------------

    def _answer(self, question: Question, day: float) -> None:
        """Show the nearest pages, let the person read two, and hear what they think."""
        shown = self.find(question.vector, day)
        self.life.shown.append(shown)
        standing = self._standing(question.topic)
        self.life.outputs.append(standing if standing in shown else -1)
        for number in shown[:2]:
            page = self.pages[number]
            page.accessed, page.reads = day, page.reads + 1
            self.life.accesses[number] = self.life.accesses.get(number, 0) + 1
            if (
                self._draw("opinion", len(self.life.shown), number).random()
                < 0.3
            ):
                is_wrong = number in self.person.changed
                page.good += not is_wrong
                page.bad += is_wrong

    def find(self, asked: Vector, day: float) -> list[int]:
        """Return the numbers of the pages that are shown for *asked*, the best first."""
        active = [n for n, page in enumerate(self.pages) if page.is_active]
        near_to = np.stack([self.pages[n].vector for n in active]) @ asked
        alive = np.array([self._vitality(n, day)[1] for n in active])
        replaced = np.array(
            [self.pages[n].replaced_by is not None for n in active]
        )
        score = near_to + LIVELY * np.minimum(alive, 1.0) - 0.5 * replaced
        best = np.argsort(-score, kind="stable")[:SHOWN]
        return [active[at] for at in best]

    def _look(self) -> None:
        whole = total = 0
        for page in self.pages:
            if not page.is_active:
                continue
            total += len(page.links)
            whole += sum(self.pages[head].is_active for head in page.links)
        self.life.integrity.append(whole / total)
        selves = self.pages[TOPICS : TOPICS + SELVES]
        kept = [page.is_active and page.replaced_by is None for page in selves]
        self.life.selves.append(sum(kept) / SELVES)


def _instant(day: float) -> str:
    return format_instant(START + timedelta(days=day))

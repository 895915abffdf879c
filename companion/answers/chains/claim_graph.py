"""Turn the claims that stand at one moment into steps from name to name, forwards and back."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from companion.answers.asked import Tense, list_openings
from companion.answers.chains.covers import Step
from companion.answers.question import ME
from companion.answers.words import Words
from companion.ledger import claims_of_key
from companion.ledger.claims_of_key import group_by_key
from companion.ledger.resolve import RuleBook, holds, is_denied
from companion.ledger.settlement import Standing
from companion.storage import claim_lines
from companion.storage.index import claim_names
from companion.storage.index.tables import claims, routing
from companion.storage.index.tables.claims import RecordedClaim
from companion.values.captures import OWNER
from companion.values.claims import split_words
from companion.values.time import LATEST, reached

_BACK = 200  # claims that are followed from one value to their subjects
# characters of an instant, as exactly as it was said
_LENGTH = {"year": 4, "month": 7, "day": 10}

_Clause = tuple[str, tuple[int, int], str]  # (capture, span, verb)
# the instant at which claims on one matter are asked
Moment = Callable[[Sequence[RecordedClaim]], str]


class ClaimGraph:
    """The claims that a walk has come to, as steps; *seen* has them by id.

    Where an assistant asks, *asker* is its name: what it told of itself is "I", too. Where *denied*
    is set, only what was said not to be so is a step.
    """

    def __init__(
        self,
        book: RuleBook,
        words: Words,
        moment: Moment,
        asker: str = OWNER,
        *,
        denied: bool = False,
    ) -> None:
        self._counts = is_denied if denied else holds
        self.book = book
        self.words = words
        self.moment = moment
        self.asker = asker
        self.db = book.view.db
        self.seen: dict[str, RecordedClaim] = {}
        self._steps_of: dict[str, list[Step]] = {}
        self.openings = list_openings(words)

    def facts(self, name: str) -> Sequence[Step]:
        """Return what stands of *name*, and what has it for a value."""
        if name not in self._steps_of:
            ahead: list[Step] = []
            for group in claims_of_asker(self.db, name, self.asker, None):
                ahead += self._make_steps(group)
            things = self._steps_of_things(name)
            back = self._steps_back(name)
            self._steps_of[name] = [*self._with_beside(ahead), *things, *back]
        return self._steps_of[name]

    def _steps_of_things(self, name: str) -> list[Step]:
        """Return what stands of "the Berlin office" as steps of Berlin: their predicates also say
        "office".
        """
        told = claims.list_claims_of_compound(self.db, name, _BACK)
        steps = []
        for group in group_by_key(told, whole=True):
            for step in self._make_steps(group):
                thing = self.seen[step.ids[0]].subject.split()[-1]
                predicate = f"{thing} {step.predicate}"
                steps.append(step._replace(predicate=predicate))
        return steps

    def _with_beside(self, steps: Sequence[Step]) -> list[Step]:
        """Return *steps*, each with what its sentence tells by the same verb: "keeps bees" beside
        "keeps in Ahlen".
        """
        values: dict[_Clause, set[str]] = {}
        for step in steps:
            for id in step.ids:
                values.setdefault(self._clause(id), set()).add(step.value)
        completed = []
        for step in steps:
            told: set[str] = set()
            for id in step.ids:
                told |= values[self._clause(id)]
            beside = tuple(sorted(told - {step.value}))
            completed.append(step._replace(beside=beside))
        return completed

    def _clause(self, id: str) -> _Clause:
        """Return which verb of which sentence tells a claim."""
        claim = self.seen[id]
        verb = claim.assertion.key[1].split(" ", 1)[0]
        return claim.capture, claim.span, verb

    def _steps_back(self, name: str) -> list[Step]:
        """Return the claims that have the value *name* and stand, each once, as steps to their
        subjects.
        """
        names = claim_names.list_spellings(name, self.openings)
        told = claims.list_claims_with_value(self.db, names, _BACK)
        by_key = {claim.assertion.key: claim for claim in told}
        steps = []
        for (subject, predicate), claim in sorted(by_key.items()):
            who = claim_lines.normalize_name(subject)
            value = claim_lines.normalize_name(claim.object)
            group = claims_of_key.list_claims_of_key(self.db, [who], predicate)
            for step in self._make_steps(group):
                stated = self.seen[step.ids[0]].object
                if (
                    step.value == name
                    or claim_lines.normalize_name(stated) == value
                ):
                    steps.append(step._replace(value=who, inverse=True))
        return steps

    def _make_steps(self, group: Sequence[RecordedClaim]) -> list[Step]:
        """Return a step for each value that stands of one key."""
        for claim in group:
            self.seen[claim.assertion.id] = claim
        moment = self.moment(group)
        sides: dict[str, list[Standing]] = {}
        for standing in self.book.settle(group, at=moment, known_at=LATEST):
            if self._counts(standing):
                sides.setdefault(standing.assertion.value, []).append(standing)
        state = _predicate_of_state(group)
        return [
            self._make_step(value, side, state)
            for value, side in sorted(sides.items())
        ]

    def _make_step(
        self, value: str, side: Sequence[Standing], state: str
    ) -> Step:
        """Return the step to *value*; what was told as a change is asked for in the words of the
        *state*.
        """
        name = split_words(value)
        if len(name) > 1 and name[0] in self.words.articles:
            name = name[1:]
        first = self.seen[side[0].assertion.id]
        return Step(
            key=first.assertion.key,
            predicate=(first.told_as and state) or first.predicate,
            value=" ".join(name),
            ids=tuple(standing.assertion.id for standing in side),
            disputed=any(standing.status == "disputed" for standing in side),
            when=_stated_time(side),
            rule=first.rule,
            one=first.assertion.functional,
            told=max(standing.assertion.told_at for standing in side)[:10],
            capital=first.object.rpartition(" ")[2][:1].isupper(),
        )


def _predicate_of_state(group: Sequence[RecordedClaim]) -> str:
    """Return the newest predicate that was told as a state, not as a change; "" where none was."""
    for claim in reversed(group):
        if not claim.told_as:
            return claim.predicate
    return ""


def _stated_time(side: Sequence[Standing]) -> str | None:
    """Return since when a value stands, where somebody said so."""
    for standing in side:
        assertion = standing.assertion
        if assertion.stated:
            return truncate_instant(assertion.valid_from, assertion.precision)
    return None


def claims_of_name(
    db: sqlite3.Connection, name: str, known_at: str | None
) -> list[list[RecordedClaim]]:
    """Return what was told of *name*, key by key; things that share a name are kept apart."""
    titles = [entry["title"] for entry in routing.list_mirrored(db, name)]
    groups: list[list[RecordedClaim]] = []
    if titles and not claim_names.select_known_names(db, [name]):
        for title in titles:
            groups += claims_of_name(
                db, claim_lines.normalize_name(title), known_at
            )
        return groups
    for thing in claim_names.list_things_called(db, name, known_at=known_at):
        told = claims.list_claims_of_names(db, thing, known_at=known_at)
        groups += group_by_key(told, known_at=known_at)
    return groups


def claims_of_asker(
    db: sqlite3.Connection, name: str, asker: str, known_at: str | None
) -> list[list[RecordedClaim]]:
    """Return what was told of *name*, key by key; "me" is also the assistant *asker*."""
    groups = claims_of_name(db, name, known_at)
    if name == ME and asker != OWNER:
        groups += claims_of_name(
            db, claim_lines.normalize_name(asker), known_at
        )
    return groups


def truncate_instant(instant: str, precision: str) -> str:
    """Return *instant* as exactly as it was said."""
    return instant[: _LENGTH.get(precision, 16)]


# -- as of when a matter is asked ------------------------------------------------------------------


def _find_present(now: str, group: Sequence[RecordedClaim]) -> str:
    """Return the present, no earlier than anything of a matter was told."""
    return reached(now, (claim.assertion.told_at for claim in group))


def _find_last(now: str, group: Sequence[RecordedClaim]) -> str:
    """Return when anything of a matter last began, where all of it is over; else the present."""
    over: list[str] = []
    for claim in group:
        end = claim.assertion.valid_to
        if end is None or end > now:
            return _find_present(now, group)
        over.append(claim.assertion.valid_from)
    return max(over, default=now)


def _find_next(now: str, group: Sequence[RecordedClaim]) -> str:
    """Return when the next of a matter begins; the present where none will."""
    coming = [
        claim.assertion.valid_from
        for claim in group
        if claim.assertion.valid_from > now
    ]
    return min(coming, default=_find_present(now, group))


MOMENTS: Mapping[Tense, Callable[[str, Sequence[RecordedClaim]], str]] = {
    "past": _find_last,
    "present": _find_present,
    "coming": _find_next,
}
